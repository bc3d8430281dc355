"""What others read of the checks: the table in the guide, and the part of the JSON Schema that completes a rule in an editor."""

from typing import Any

from geonotice.ordinance.checks import CHECKS, Check, Value

__all__ = ["BEGIN", "END", "checks_schema", "checks_table", "with_checks_table"]

BEGIN = "<!-- The checks: begin. `make guide` writes this table from geonotice/ordinance/checks.py. -->"
END = "<!-- The checks: end. -->"


def checks_table() -> str:
    """Return the table of all checks in Markdown, one row each, in the order of the records."""
    rows = [
        f"| `{check.name}` | {check.line} | {_takes(check)} | {_refuses(check)} |".replace("|  |", "| |").replace("|  |", "| |")
        for check in CHECKS.values()
    ]
    return "\n".join(["| check | what it asks | values | can refuse |", "| --- | --- | --- | --- |", *rows]) + "\n"


def with_checks_table(guide: str) -> str:
    """Return the guide with today's table between its two marks.

    Raises
    ------
    ValueError
        Where the guide does not have each mark once, the beginning first.
    """
    head, begin, rest = guide.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in head + tail:
        raise ValueError(
            f"the guide must have the lines {BEGIN!r} and {END!r} once each, in this order: the table goes between them"
        )
    return f"{head}{BEGIN}\n\n{checks_table()}\n{END}{tail}"


def _takes(check: Check) -> str:
    """Return what a rule must have for a check, and what it may have."""
    parts = [f"a rule of kind `{check.kind}`"] if check.kind else []
    named = [f"`{key}`" for key in check.periods if key]
    parts += [f"periods with the keys {' and '.join(named)}"] if named else []
    parts += ["the rule's period"] if "" in check.periods else []
    must, may = ([_value(value) for value in check.values if value.optional is optional] for optional in (False, True))
    parts += must
    parts += [f"may: {', '.join(may)}"] if may else []
    return "; ".join(parts)


def _value(value: Value) -> str:
    words = ", ".join(f"`{word}`" for word in value.words)
    line = value.line or (f"of {words}" if words else "")
    return f"`{value.name}`{f' ({line})' if line else ''}"


def _refuses(check: Check) -> str:
    given = ", ".join(f"`{value.name}`" for value in check.values if value.refuses)
    return "yes" if check.refuses else f"with {given}" if given else ""


def checks_schema() -> dict[str, Any]:
    """Return what the JSON Schema of a rule says of its check: the names there are, and for each the values, kind and periods it takes."""
    return {
        "properties": {"check": {"enum": ["", *sorted(CHECKS)]}},
        "allOf": [_with(check) for _, check in sorted(CHECKS.items())],
    }


def _with(check: Check) -> dict[str, Any]:
    must = [value.name for value in check.values if not value.optional]
    values: dict[str, Any] = {
        "properties": {value.name: _type(value) for value in check.values},
        "additionalProperties": False,
        "required": must,
    }
    then: dict[str, Any] = {"properties": {"check": {"description": check.line}, "values": values}}
    if check.kind:
        then["properties"]["kind"] = {"const": check.kind}
    if check.periods:
        # A period that has no key has the empty one.
        keys = [
            {"contains": {"properties": {"key": {"const": key}}, **({"required": ["key"]} if key else {})}}
            for key in check.periods
        ]
        then["properties"]["periods"] = {"allOf": keys}
    needed = [*(["values"] if must else []), *(["periods"] if check.periods else [])]
    return {"if": {"properties": {"check": {"const": check.name}}, "required": ["check"]}, "then": {**then, "required": needed}}


_NUMBERS: dict[str, dict[str, Any]] = {
    "number": {"type": "number", "minimum": 0},
    "count": {"type": "integer", "minimum": 0},
    "divisor": {"type": "number", "exclusiveMinimum": 0},
    "clock": {"type": "string"},
    "flag": {"type": "boolean"},
}


def _type(value: Value) -> dict[str, Any]:
    said = {"description": value.line.replace("`", "").replace("**", "")} if value.line else {}
    if value.sort in _NUMBERS:
        return {**_NUMBERS[value.sort], **said}
    word: dict[str, Any] = {"type": "string", **({"enum": [*value.words]} if value.words else {})}
    if value.sort in ("word", "text"):
        return {**word, **said}
    return {"anyOf": [word, {"type": "array", "items": word}], **said}
