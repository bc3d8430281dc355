"""TOML that a person has written: read it, and explain in a clerk's words what is wrong with it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, get_args, get_type_hints

__all__ = [
    "NotToml",
    "is_unknown_key",
    "key_at",
    "nearest_key",
    "read_toml",
    "wrong_value",
]


_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_AS_UTF8 = "save the file as UTF-8 (in Notepad: Save as, Encoding: UTF-8)"
_HOW = "text stands in quotation marks, yes and no are true and false, dates are written as 2026-08-08"
_SHOWN_CHARACTERS = 80
"""How much of a line is repeated: enough to find it."""


class NotToml(ValueError):
    """The file is not TOML; ``what`` is wrong and ``remedy`` are sentences for a fault."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(f"{what}; {remedy}")


def read_toml(content: bytes) -> dict[str, Any]:
    r"""Read a TOML file's bytes: UTF-8, with or without the mark that Windows puts before it, or UTF-16 with its mark.

    TOML is UTF-8; but ``geonotice event new TOWN > event.toml`` in Windows PowerShell writes UTF-16, and its mark leaves no doubt.

    Raises
    ------
    NotToml
        It is not UTF-8, or not TOML.

    Examples
    --------
    >>> read_toml(b'\xef\xbb\xbftitle = "Fair"\r\n')
    {'title': 'Fair'}
    >>> read_toml(b"final = yes")
    Traceback (most recent call last):
    geonotice.io.toml.NotToml: line 1 is not TOML: final = yes; write yes as true and no as false
    """
    wide = content.startswith(_UTF16)
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if wide:
            raise NotToml("the file begins as UTF-16 and does not go on so", _AS_UTF8) from error
        line = error.object[: error.start].count(b"\n") + 1
        raise NotToml(f"line {line} has a letter that is not UTF-8", _AS_UTF8) from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _explained(text, str(error)) from error
    except RecursionError as error:
        raise NotToml("it nests values too deeply to be a file of this program", "write it anew") from error


def _explained(text: str, said: str) -> NotToml:
    """Name the line, repeat it, and say what is most often meant by what stands there."""
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", said)
    bare = said[: place.start()] if place else said
    if place is None or place[1] is None:
        return NotToml(f"the end is missing: {_lower(bare)}", "close the quotation mark or the bracket that was opened last")
    lines = text.splitlines()
    number = int(place[1])
    line = " ".join(lines[number - 1].split()) if number <= len(lines) else ""
    shown = line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS]} …"
    if re.search(r"=\s*(yes|no)\b", line, re.IGNORECASE):
        return NotToml(f"line {number} is not TOML: {shown}", "write yes as true and no as false")
    if "\\" in line:
        remedy = "write a path with /, as in C:/Data/parcels.shp, or in single quotes"
        return NotToml(f"line {number} has a \\ that TOML takes for the beginning of a sign: {shown}", remedy)
    if re.search(r"=\s*\d{1,4}[/.]\d", line):
        return NotToml(f"line {number} is not TOML: {shown}", "write a date as 2026-08-08, without quotation marks")
    twice = re.sub(r"\(('[^)]*?),?\)", lambda found: ".".join(re.findall(r"'([^']*)'", found[1])), bare)
    why = f" ({_lower(twice)})" if bare.startswith("Cannot") else ""
    return NotToml(f"line {number} is not TOML: {shown}{why}", f"fix that line: {_HOW}")


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


_SHOWN = 60
"""How much of a value is repeated: enough to find it in the file."""

_MEANT = {
    "bool": "yes or no is meant, written as true or false",
    "int": "a whole number is meant",
    "float": "a number is meant",
    "finite_number": "a number is meant that has an end",
    "string": "a text is meant, in quotation marks",
    "list": "a list is meant, in square brackets",
    "tuple": "a list is meant, in square brackets",
    "dict": "a table of keys and values is meant",
    "model": "a table of keys and values is meant",
    "dataclass": "a table of keys and values is meant",
    "datetime": "a date is meant, such as 2026-08-08",
    "date": "a date is meant, such as 2026-08-08",
    "time": "a time of day is meant, such as 09:00",
}
"""What is meant, by the first word of the error's kind; ``date`` after ``datetime``, of which it is the beginning."""

_LIMITS = {
    "greater_than_equal": "it must be {ge:,} or more",
    "greater_than": "it must be more than {gt:,}",
    "less_than_equal": "it must be {le:,} or less",
    "less_than": "it must be less than {lt:,}",
    "literal_error": "it must be one of: {expected}",
    "string_too_long": "it must not be longer than {max_length:,} characters",
    "string_too_short": "something must stand there",
    "too_short": "it must have {min_length} or more entries",
    "too_long": "it must have {max_length} entries at most",
}
"""What a limit says, by the error's kind, with the limit's own numbers."""


def wrong_value(error: Mapping[str, Any]) -> str:
    """Return what is meant and what stands there.

    Parameters
    ----------
    error
        An error as pydantic lists it: ``type``, ``msg``, ``input`` and, where there are limits, ``ctx``.

    Examples
    --------
    >>> wrong_value({"type": "bool_type", "msg": "Input should be a valid boolean", "input": "yes"})
    'yes or no is meant, written as true or false (it says "yes")'
    """
    said = _limit(error["type"], error.get("ctx") or {}) or _meant(error["type"]) or error["msg"].removeprefix("Value error, ")
    # A table as a whole has its keys below: repeating it would bury what is said of it.
    return said if isinstance(error["input"], Mapping) else f"{said} (it says {_as_written(error['input'])})"


def is_unknown_key(error: Mapping[str, Any]) -> bool:
    """Return whether an error, as pydantic lists it, is that the key is none of the file's."""
    return error["type"] in ("extra_forbidden", "unexpected_keyword_argument")  # of a pydantic model; of a dataclass


def key_at(place: Sequence[int | str]) -> str:
    """Return a place, as pydantic lists it, as a clerk finds it in the file.

    Examples
    --------
    >>> key_at(("site", "tents", 1, "up"))
    'site.tents[1].up'
    """
    key = ""
    for part in place:
        key += f"[{part}]" if isinstance(part, int) else f"{'.' if key else ''}{part}"
    return key


def nearest_key(model: type, place: Sequence[int | str]) -> str:
    """Name the key that an unknown one is most like, among those that may stand where it does; empty where none is like it.

    Parameters
    ----------
    model
        The dataclass of the whole file.
    place
        Where the unknown key stands, as pydantic lists it.
    """
    here: type | None = model
    for part in place[:-1]:
        if isinstance(part, str) and here is not None:
            here = next(_models(_keys(here).get(part)), None)
    close = get_close_matches(str(place[-1]), list(_keys(here)), n=1, cutoff=0.7) if here else []
    return close[0] if close else ""


def _keys(model: type) -> dict[str, Any]:
    """Return the annotation behind each key that a model reads, as the file writes the key."""
    written = getattr(model, "__pydantic_config__", {}).get("alias_generator", str)
    kinds = get_type_hints(model)
    return {written(item.name): kinds[item.name] for item in fields(model) if item.metadata.get("in_file", True)}


def _models(kind: Any) -> "Iterator[type]":  # noqa: ANN401  # an annotation
    """Return the models in an annotation such as ``tuple[Part, ...] | None``."""
    if isinstance(kind, type) and is_dataclass(kind):
        yield kind
    for inner in get_args(kind):
        yield from _models(inner)


def _meant(kind: str) -> str:
    return next((words for start, words in _MEANT.items() if kind == start or kind.startswith(f"{start}_")), "")


def _limit(kind: str, limits: Mapping[str, Any]) -> str:
    plain = {name: int(value) if isinstance(value, float) and value.is_integer() else value for name, value in limits.items()}
    return _LIMITS[kind].format(**plain).replace(" or '", ", '") if kind in _LIMITS else ""


def _as_written(value: object) -> str:
    """Return a value as a settings file writes it, the beginning where it is long."""
    match value:
        case bool():
            shown = str(value).lower()
        case datetime() | date() | time():
            shown = value.isoformat()
        case str():
            shown = f'"{value}"'
        case list():
            shown = f"[{', '.join(_as_written(item) for item in value[:_SHOWN])}]"
        case Mapping():
            shown = "a table"
        case _:
            shown = str(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]} …"
