"""A profile as a person reads it, the faults of one that is being written, and the checks as the guide and an editor name them."""

from pathlib import Path
from textwrap import fill
from typing import Any

from geonotice.errors import Fault, OrdinanceError
from geonotice.ordinance.checks import CHECKS, Check
from geonotice.ordinance.checks import Value as CheckValue
from geonotice.ordinance.lint import CHECKED_KINDS, profile_notes
from geonotice.ordinance.load import parse_profile, profile_bytes
from geonotice.ordinance.profile import GROUPS, Notice, Period, Profile, Rule, Threshold, Value
from geonotice.ordinance.quotations import compare

__all__ = [
    "BEGIN",
    "END",
    "checks_schema",
    "checks_table",
    "render_profile",
    "validate",
    "validate_against",
    "with_checks_table",
]


WIDTH = 100
MARKS = {"G": "geometry", "D": "dates", "C": "permit register", "A": "application", "J": "official's judgement"}
KIND_WORDS = {
    "distance_notice": "notice within a distance",
    "adjoining_notice": "notice to adjoining owners",
    "clerk_notice": "notice to a municipal clerk",
    "publication": "published notice",
    "posting": "posted sign",
    "deadline_before": "deadline before a date",
    "deadline_after": "deadline after a date",
    "cap": "annual cap",
    "prohibition": "prohibition",
    "condition": "condition",
    "threshold": "threshold",
    "exemption": "exemption",
    "reminder": "reminder",
}


def validate(name_or_path: str | Path, *, relative_to: Path | None = None) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Return every fault of a profile, each with file and key, and of one that is sound what is worth a second look."""
    try:
        content, file = profile_bytes(name_or_path, relative_to=relative_to)
        return (), profile_notes(parse_profile(content, file=file))
    except OrdinanceError as error:
        return error.faults, ()


def validate_against(
    name_or_path: str | Path, text: str, *, file: str, relative_to: Path | None = None
) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Hold the clauses that a sound profile quotes against the law's text: those that are not in it are faults, those that are cut off are notes.

    Parameters
    ----------
    text
        The law's text.
    file
        What the faults call the text.
    """
    content, profile_file = profile_bytes(name_or_path, relative_to=relative_to)
    found = compare(parse_profile(content, file=profile_file), text)
    faults = tuple(
        Fault(
            what=f"“{one.words}” is not in {file}; the nearest passage is “{one.near}”",
            why="a clause is quoted as the law's own words",
            remedy="quote the law's words, or see that the text is that of this law",
            file=profile_file,
            key=f"rules[{one.rule}].citation.words",
        )
        for one in found
        if one.fault == "absent"
    )
    return faults, tuple(str(one) for one in found if one.fault != "absent")


def render_profile(profile: Profile, *, width: int = WIDTH) -> str:
    """Print a profile: what it is, its rules by group with their citations, what the text leaves open, its districts.

    Parameters
    ----------
    width
        Columns to fill.
    """
    where = ", ".join(part for part in (profile.town, profile.county) if part)
    lines = [
        where,
        "=" * len(where),
        "",
        *_para(
            f"Ordinance {profile.id}: {profile.chapter} ({profile.status} profile, {len(profile.rules)} rule{'' if len(profile.rules) == 1 else 's'}).",
            width,
        ),
        *_para(f"Source: {profile.source}", width),
    ]
    lines += [f"Last amended: {profile.effective.isoformat()}"] if profile.effective else []
    lines += [f"File: SHA-256 {profile.sha256}"]
    lines += (
        _para("Partial: rules of this law that are not printed here are not looked at.", width)
        if profile.status == "partial"
        else []
    )
    lines += _para("Not checked against the text of the law.", width) if not profile.verified else []
    if bare := profile.without_words:
        none = len(bare) == len(profile.rules)
        which = "None of its rules has the law's own words." if none else f"Without the law's own words: {', '.join(bare)}."
        lines += _para(which, width)
    lines += _para(profile.note, width) if profile.note else []
    if profile.gaps:
        lines += ["", "What the text does not hold:", *(line for gap in profile.gaps for line in _item(gap, width))]
    if profile.occasions:
        lines += ["", "Occasions for notice:"]
        lines += [line for name, text in profile.occasions.items() for line in _item(f"{name}: {text}", width)]
    for key, title in GROUPS.items():
        rules = [rule for rule in profile.every_rule if rule.group == key]
        if rules:
            lines += ["", f"{title}", "-" * len(title)]
            lines += [line for rule in rules for line in _rule(rule, width)]
    if profile.settings:
        title = "Questions the text leaves open"
        lines += ["", title, "-" * len(title)]
        for reading in profile.settings.values():
            lines += ["", *_para(f"{reading.name} = {_value(reading.value)}    {reading.section}".rstrip(), width)]
            choices = f" (choices: {', '.join(reading.choices)})" if len(reading.choices) > 1 else ""
            lines += _item(f"{reading.question}{choices}", width, mark="")
            lines += _item(reading.why, width, mark="")
    if profile.districts:
        title = "Zoning districts"
        lines += ["", title, "-" * len(title)]
        for item in profile.districts:
            named = (("front", "front_ft"), ("side", "side_ft"), ("both sides", "both_sides_ft"), ("rear", "rear_ft"))
            yards = [f"{name} {value:g} ft" for name, key in named if (value := getattr(item, key)) is not None]
            place = f" ({item.municipality})" if item.municipality else ""
            unsure = "" if item.yards_verified else f" (not verified: {item.yards_source})"
            said = f"; setbacks {', '.join(yards)}{unsure}" if yards else ""
            text = f"{item.code:<8} {item.zone:<13} {item.name}{place}{said} [{item.source}{'' if item.verified else '; not verified'}]"
            lines += _item(text, width)
    return "\n".join(lines) + "\n"


def _para(text: str, width: int) -> list[str]:
    return fill(text, width).splitlines()


def _item(text: str, width: int, *, mark: str = "-") -> list[str]:
    lead = f"  {mark} " if mark else "    "
    return fill(text, width, initial_indent=lead, subsequent_indent="    ").splitlines()


def _rule(rule: Rule, width: int) -> list[str]:
    marks = ", ".join(MARKS[mark] for mark in rule.marks) or "information only"
    lines = ["", *_para(f"{rule.id}  {rule.title}", width)]
    waivable = ", can be waived" if rule.waivable else ""
    lines += _item(f"[{rule.citation.place}] {KIND_WORDS[rule.kind]}, decided by: {marks}{waivable}", width, mark="")
    lines += _item(rule.text, width, mark="") if rule.text else []
    lines += [line for text in _details(rule) for line in _item(text, width)]
    lines += [line for words in rule.citation.words for line in _item(f"“{words}”", width, mark="")]
    lines += _item("(the law's own words are not in the profile)", width, mark="") if not rule.citation.words else []
    lines += _item(f"Not verified: read in {rule.source}.", width, mark="") if not rule.verified else []
    return lines


def _details(rule: Rule) -> list[str]:
    found = [rule.size_words] if rule.size_words else []
    found += [_threshold(rule.threshold)] if rule.threshold else []
    found += [_notice(rule.notice)] if rule.notice else []
    found += [_period(period) for period in rule.periods]
    found += [f"{name.replace('_', ' ')}: {_value(value)}" for name, value in rule.values.items()]
    found += [f"signed by {one.by}: {one.what}" for one in rule.sign_offs]
    found += [f"the program asks ({rule.check}): {CHECKS[rule.check].line}"] if rule.check else []
    found += ["the program decides nothing here: it has no check"] if rule.kind in CHECKED_KINDS and not rule.check else []
    return found


def _threshold(item: Threshold) -> str:
    what = "the chapter applies" if item.regulates == "chapter" else "a permit is needed"
    size = (
        f" {'to' if item.regulates == 'chapter' else 'for'} more than {item.more_than_persons} persons{' at one time' if item.at_once else ''}"
        if item.more_than_persons is not None
        else ""
    )
    where = " outside a fully enclosed structure" if item.outdoors_only else ""
    exempt = [*item.exempt_kinds, *item.exempt_sponsors]
    but = f"; not: {', '.join(name.replace('_', ' ') for name in exempt)}" if exempt else ""
    but += f"; of the town must be: {', '.join(name.replace('_', ' ') for name in item.local_tie)}" if item.local_tie else ""
    but += "; only if planned in advance" if item.planned_in_advance_only else ""
    but += f"; only if longer than {item.more_than_hours:g} hours" if item.more_than_hours is not None else ""
    but += "; only if commercial, or admission is charged or a donation asked" if item.commercial_or_admission else ""
    doubtful = ", ".join(name.replace("_", " ") for name in item.doubtful_sponsors)
    but += f"; to be decided of: {doubtful}" if doubtful else ""
    return f"{what}{size}{where}{but}"


def _notice(item: Notice) -> str:
    within = [f"within {item.distance_ft:g} ft"] if item.distance_ft else []
    across = {
        "extension": "opposite",
        "perpendicular": "opposite (by perpendiculars from the frontage)",
        "distance": f"opposite (across the right-of-way, within {item.opposite_distance_ft or 0:g} ft of the frontage)",
    }[item.opposite]
    reach = ", ".join([*(across if relation == "opposite" else relation for relation in item.relations), *within])
    bands = "; ".join(f"{band.mail.replace('_', ' ')} to {band.up_to_ft:g} ft" for band in item.bands)
    mail = bands or item.mail.replace("_", " ")
    parts = [
        f"occasion: {item.occasion or 'the application'}",
        f"to {' and '.join(item.recipients)} {reach}",
        f"mail: {mail}{', return receipt' if item.return_receipt else ''}",
        *([f"only in a {item.only_in} district"] if item.only_in else []),
        *(["if required"] if item.on_demand else []),
        *([f"at least {item.days_before} days before"] if item.days_before is not None else []),
        *(["the applicant's contiguous land moves the line out"] if item.contiguous_land else []),
        *(["measured from a second place of the event too, where one is named"] if item.around else []),
        *(["a schedule, not mailed"] if item.schedule else []),
    ]
    return "; ".join(parts)


def _period(item: Period) -> str:
    bound = "not before " if item.bound == "earliest" else ""
    count = 24 * item.days if item.in_hours else item.days
    unit = "hours" if item.in_hours else item.unit.replace("_", " ")
    return f"{bound}{count} {unit if count != 1 else unit.removesuffix('s')} {item.direction} {item.reckoned_from.replace('_', ' ')}: {item.what}"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


# ---- the checks, in the guide's table and in the JSON Schema that completes a rule in an editor


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
    must, may = ([_value_words(value) for value in check.values if value.optional is optional] for optional in (False, True))
    parts += must
    parts += [f"may: {', '.join(may)}"] if may else []
    return "; ".join(parts)


def _value_words(value: CheckValue) -> str:
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


def _type(value: CheckValue) -> dict[str, Any]:
    said = {"description": value.line.replace("`", "").replace("**", "")} if value.line else {}
    if value.sort in _NUMBERS:
        return {**_NUMBERS[value.sort], **said}
    word: dict[str, Any] = {"type": "string", **({"enum": [*value.words]} if value.words else {})}
    if value.sort in ("word", "text"):
        return {**word, **said}
    return {"anyOf": [word, {"type": "array", "items": word}], **said}
