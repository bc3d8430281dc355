"""Read TOML that a person has written, and say in a clerk's words where it is none."""

import re
import tomllib
from typing import Any

__all__ = ["NotToml", "read_toml"]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_AS_UTF8 = "save the file as UTF-8 (in Notepad: Save as, Encoding: UTF-8)"
_HOW = "text stands in quotation marks, yes and no are true and false, dates are written as 2026-08-08"
_SHOWN = 80
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
    geonotice.toml_text.NotToml: line 1 is not TOML: final = yes; write yes as true and no as false
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
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]} …"
    if re.search(r"=\s*(yes|no)\b", line, re.IGNORECASE):
        return NotToml(f"line {number} is not TOML: {shown}", "write yes as true and no as false")
    if "\\" in line:
        remedy = "write a path with /, as in C:/Data/parcels.shp, or in single quotes"
        return NotToml(f"line {number} has a \\ that TOML takes for the beginning of a sign: {shown}", remedy)
    if re.search(r"=\s*\d{1,4}[/.]\d", line):
        return NotToml(f"line {number} is not TOML: {shown}", "write a date as 2026-08-08, without quotation marks")
    twice = re.sub(r"\(('[^)]*?),?\)", lambda found: ".".join(re.findall(r"'([^']*)'", found[1])), bare)
    why = f" ({_lower(twice)})" if bare.startswith("Cannot") else ""
    return NotToml(f"line {number} is not TOML: {shown}{why}", f"mend that line: {_HOW}")


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
