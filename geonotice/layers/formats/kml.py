"""Read the attributes of a KML that stand where GDAL does not look: in the balloons of its placemarks, and under names that GDAL uses itself."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.layers.source import Note

if TYPE_CHECKING:
    from pyarrow import Table

__all__ = ["balloon", "renamed_apart", "with_balloons"]

_OWN = b"name|description|id|timestamp|begin|end|altitudeMode|tessellate|extrude|visibility|drawOrder|icon|snippet"
"""Columns that GDAL makes of a placemark's own elements: an attribute of the same name would take their place, and what stood there would be lost."""

_ATTRIBUTE = re.compile(
    rb"(<(?:\w+:)?(?:Data|SimpleData|SimpleField|SimpleArrayField|SimpleArrayData)\b[^>]*?\bname\s*=\s*[\"'])("
    + _OWN
    + rb")(?=[\"'])",
    re.IGNORECASE,
)
_PAIR = 2
_LONGEST_NAME = 80
_BLOCKS = frozenset({"br", "p", "li", "div", "tr", "ul"})


def renamed_apart(path: Path, room: Path) -> tuple[Path, tuple[Note, ...]]:
    """Return a KML as it is, or a copy in ``room`` in which no attribute is called like an element of a placemark, with a note."""
    data = path.read_bytes()
    found = sorted({match[2].decode() for match in _ATTRIBUTE.finditer(data)})
    if not found:
        return path, ()
    target = room / path.name
    data = _ATTRIBUTE.sub(rb"\1\2_2", data)
    target.unlink(missing_ok=True)  # what stands there may be a link to the file itself, which is never written to
    target.write_bytes(data)
    text = (
        f"Its attributes called {', '.join(found)} were read as {', '.join(f'{name}_2' for name in found)}:"
        " every placemark has something of its own of that name."
    )
    return target, (Note("renamed", text),)


def with_balloons(table: "Table") -> "tuple[Table, tuple[Note, ...]]":
    """Add the attributes that stand in the descriptions (the balloons) as columns of their own, in the order in which they are first met.

    A column that is there already keeps what it has, and is filled where it is blank.
    """
    import pyarrow as pa

    name = next((column for column in table.column_names if column.casefold() == "description"), None)
    if name is None or not (
        pa.types.is_string(table.schema.field(name).type) or pa.types.is_large_string(table.schema.field(name).type)
    ):
        return table, ()
    found = [balloon(text) if text else {} for text in table.column(name).to_pylist()]
    columns = list(dict.fromkeys(attribute for row in found for attribute in row))
    if not columns:
        return table, ()
    made = []
    for attribute in columns:
        values = [row.get(attribute) or None for row in found]
        here = next((column for column in table.column_names if column.casefold() == attribute.casefold()), None)
        if here == name:
            continue
        if here is not None:
            old = [None if value is None else str(value) for value in table.column(here).to_pylist()]
            if any(one and two and one != two for one, two in zip(old, values, strict=True)):
                here = None
                attribute = f"{attribute} (balloon)"  # noqa: PLW2901  # both are kept
            else:
                values = [one or two for one, two in zip(old, values, strict=True)]
        column = pa.chunked_array([pa.array(values, pa.string())])
        if here is None:
            table = table.append_column(attribute, column)
        else:
            table = table.set_column(table.column_names.index(here), here, column)
        made.append(attribute)
    without = sum(1 for row in found if not row)
    text = f"The attributes in its balloons (descriptions) were read as columns: {', '.join(made)}."
    if without:
        text += f" {without:,} of {len(found):,} records have no such balloon."
    return table, (Note("balloons", text),)


def balloon(text: str) -> dict[str, str]:
    """Return the attributes in a placemark's description: rows of two cells, or lines of a name in bold and a value.

    Examples
    --------
    >>> balloon("<html><body><table><tr><td>OWNER</td><td>LEE &amp; ROE</td></tr><tr><td>ZIP</td><td>14512</td></tr></table>")
    {'OWNER': 'LEE & ROE', 'ZIP': '14512'}
    >>> balloon("<b>OWNER:</b> LEE<br/><b>ZIP</b> = 14512<br>")
    {'OWNER': 'LEE', 'ZIP': '14512'}
    >>> balloon("<table><tr><th>OWNER</th><th>ZIP</th><th>CITY</th></tr><tr><td>LEE</td><td>14512</td><td>NAPLES</td></tr></table>")
    {'OWNER': 'LEE', 'ZIP': '14512', 'CITY': 'NAPLES'}
    >>> balloon("See <b>the clerk</b>")
    {}
    """
    if "<" not in text:
        return {}
    reader = _Balloon()
    reader.feed(text)
    reader.close()
    reader.end()
    return reader.attributes()


class _Balloon(HTMLParser):
    """The cells and the lines of a description. A table in a cell is a table of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._rows: list[list[str]] = []
        self._open: list[list[str] | None] = []  # the rows that are open, the innermost last
        self._cells: list[list[str]] = []
        self._lines: list[tuple[str, str]] = []
        self._bold = 0
        self._name, self._value = "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row, a cell or a line."""
        del attrs
        if tag == "tr":
            self._open.append([])
        elif tag in {"td", "th"} and self._open:
            self._cells.append([])
        elif tag in {"b", "strong"}:
            if not self._name.strip() or not self._value.strip(" :="):
                self._bold += 1
            else:
                self.end()
                self._bold += 1
        if tag in _BLOCKS:
            if tag == "br" and self._cells:
                self._cells[-1].append("\n")
            elif not self._cells:
                self.end()

    def handle_endtag(self, tag: str) -> None:
        """End a cell, a row or a name."""
        if tag in {"td", "th"} and self._cells and self._open:
            text = "".join(self._cells.pop())
            row = self._open[-1]
            if row is not None:
                row.append("\n".join(" ".join(line.split()) for line in text.strip().split("\n")))
        elif tag == "tr" and self._open:
            row = self._open.pop()
            if row:
                self._rows.append(row)
        elif tag in {"b", "strong"}:
            self._bold = max(0, self._bold - 1)
        elif tag in {"li", "p", "div"} and not self._cells:
            self.end()

    def handle_data(self, data: str) -> None:
        """Take text to the cell it stands in, else to the line."""
        if self._cells:
            self._cells[-1].append(re.sub(r"\s+", " ", data))
        elif self._bold:
            self._name += data
        elif self._name:
            self._value += data

    def end(self) -> None:
        """End a line of a name in bold and a value."""
        name, value = " ".join(self._name.split()), " ".join(self._value.split())
        self._name = self._value = ""
        if name.endswith((":", "=")) or value.startswith((":", "=")):
            self._lines.append((name.rstrip(" :="), value.lstrip(":= ")))

    def attributes(self) -> dict[str, str]:
        """Return what was found: rows of two cells; else a row of names above one of as many values; else lines."""
        pairs = [(row[0], row[1]) for row in self._rows if len(row) == _PAIR]
        wide = [row for row in self._rows if len(row) > _PAIR]
        if not pairs and len(wide) == _PAIR and len(wide[0]) == len(wide[1]):
            pairs = list(zip(*wide, strict=True))
        made: dict[str, str] = {}
        for name, value in pairs or self._lines:
            called = name.rstrip(" :=").strip()
            if called and len(called) <= _LONGEST_NAME and called not in made:
                made[called] = value
        return made
