"""Write answers into a town file that is there: its other lines stay as the clerk left them."""

import re
from collections.abc import Mapping, Sequence

from geonotice.layers.init import as_comment, quoted

__all__ = ["answer", "answer_layer", "ask", "questions_in", "without"]

_TABLE = re.compile(r"^\s*\[")
_QUESTION = re.compile(r"^\s*# QUESTION: ")
_GOES_ON = re.compile(r"^\s*#   \S")
_GONE = "\0"
_FIELDS = "[layers.parcels.fields]"
_PARCELS = "[[layers.parcels]]"


def answer(text: str, *, fields: Mapping[str, str], municipality: Sequence[str] = ()) -> str:
    """Return the town file with fields of its first parcel layer settled, and the town's own municipality.

    A line that has the field is replaced, with the question above it; a field that no line has is put at the head of its table.

    Examples
    --------
    >>> before = '''[[layers.parcels]]
    ... path = "p.gpkg"
    ... [layers.parcels.fields]
    ... # QUESTION: which column is owner? It could be
    ... #   A or B
    ... owner = ""
    ... # situs = "LOC"
    ... # mine'''
    >>> print(answer(before, fields={"owner": "A", "situs": "SITE", "po_box": "BOX"}))
    [[layers.parcels]]
    path = "p.gpkg"
    [layers.parcels.fields]
    po_box = "BOX"
    owner = "A"
    situs = "SITE"
    # mine
    """
    lines = text.split("\n")
    for name, column in fields.items():
        lines = _settled(lines, _FIELDS, name, f"{name} = {quoted(column)}", under=_PARCELS)
    if municipality:
        written = ", ".join(quoted(one) for one in municipality)
        lines = _settled(lines, "[town]", "municipality", f"municipality = [{written}]", last=True)
    return "\n".join(lines)


def answer_layer(text: str, kind: str, fields: Mapping[str, str]) -> str:
    r"""Return the town file with fields of another layer, or of the first roll, settled.

    Examples
    --------
    >>> print(answer_layer("[layers.address_points]\npath = 'a.csv'\n", "address_points", {"street": "RD"}))
    [layers.address_points]
    path = 'a.csv'
    <BLANKLINE>
    [layers.address_points.fields]
    street = "RD"
    <BLANKLINE>
    """
    table, under = ("[roll.fields]", "[[roll]]") if kind == "roll" else (f"[layers.{kind}.fields]", f"[layers.{kind}]")
    lines = text.split("\n")
    for name, column in fields.items():
        lines = _settled(lines, table, name, f"{name} = {quoted(column)}", under=under)
    return "\n".join(lines)


def ask(text: str, questions: Mapping[str, str]) -> str:
    """Return the town file with new questions about fields of its first parcel layer, each above its open line."""
    lines = text.split("\n")
    for name, question in questions.items():
        lines = _settled(lines, _FIELDS, name, f'{name} = ""', under=_PARCELS, before=as_comment(f"# QUESTION: {question}"))
    return "\n".join(lines)


def without(text: str, names: Sequence[str]) -> str:
    """Return the town file without open fields of its first parcel layer that nothing is asked of any more."""
    lines = text.split("\n")
    for name in names:
        marked = _settled(lines, _FIELDS, name, _GONE, under=_PARCELS)
        lines = [line for line in marked if line != _GONE]
    return "\n".join(lines)


def questions_in(text: str) -> tuple[str, ...]:
    r"""Return the questions that stand in a town file, each on one line.

    Examples
    --------
    >>> questions_in('# QUESTION: which column is owner?\n#   A or B\nowner = ""')
    ('which column is owner? A or B',)
    """
    found: list[str] = []
    open_ = False
    for line in text.split("\n"):
        if _QUESTION.match(line):
            found.append(line.strip().removeprefix("# QUESTION: "))
            open_ = True
        elif open_ and _GOES_ON.match(line):
            found[-1] += f" {line.strip().removeprefix('#').strip()}"
        else:
            open_ = False
    return tuple(found)


def _settled(
    lines: list[str], table: str, key: str, made: str, *, under: str = "", before: Sequence[str] = (), last: bool = False
) -> list[str]:
    """Put one line into a table, in the place of the line that has the key, in use or as a comment."""
    start, end = _span(lines, table, under)
    if start < 0:
        # the table is not there: it goes right behind the table that it belongs to
        _, end = _span(lines, under or table, "")
        at = end
        while at > 0 and not lines[at - 1].strip():
            at -= 1
        return [*lines[:at], "", table, *before, made, *lines[at:]]
    wanted = re.compile(rf"^\s*(?:# )?{re.escape(key)}\s*=")
    places = [n for n in range(start + 1, end) if wanted.match(lines[n])]
    used = [n for n in places if not lines[n].lstrip().startswith("#")]
    if not places:
        at = end if last else start + 1
        while last and at > start + 1 and not lines[at - 1].strip():
            at -= 1
        return [*lines[:at], *before, made, *lines[at:]]
    place = (used or places)[0]
    first = place
    while first > start + 1 and _GOES_ON.match(lines[first - 1]):
        first -= 1
    if first > start + 1 and _QUESTION.match(lines[first - 1]):
        first -= 1
    else:
        first = place
    return [*lines[:first], *before, made, *lines[place + 1 :]]


def _span(lines: list[str], table: str, under: str) -> tuple[int, int]:
    """Return the line of a table's head and the line behind its last; -1 where the table is not there, or not under the first of ``under``."""
    begin, stop = 0, len(lines)
    if under:
        heads = [n for n, line in enumerate(lines) if line.split("#")[0].strip() == under]
        if not heads:
            return -1, stop
        begin, stop = heads[0], heads[1] if len(heads) > 1 else stop
    start = next((n for n in range(begin, stop) if lines[n].split("#")[0].strip() == table), -1)
    if start < 0:
        return -1, stop
    return start, next((n for n in range(start + 1, len(lines)) if _TABLE.match(lines[n])), len(lines))
