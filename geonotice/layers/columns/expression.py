"""Fields that no one column holds: several columns joined, text between them, or a constant.

``MAP + LOT`` joins two columns, by a blank, or by a hyphen where the field is the tax map number. Text in quotes stands between columns as it is
written (``STREET + ', ' + UNIT``), and then nothing else does. ``=Town of Hunter`` is the same for every row; a single ``=`` is nothing.
A column whose own name has a plus sign or begins with ``=`` is that column.
"""

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from geonotice.layers.columns.text import NO_KEY, column_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

__all__ = ["PLUS", "columns_of", "constant", "field_text", "flat_table", "is_joined", "key_text", "parts_of"]

PLUS = " + "
"""Between the parts of a joined field, as it is written out."""

_PART = re.compile(r"""\s*(?:'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<column>[^+'"]+))\s*(?:\+|$)""")
_SUFFOLK = ("DIST", "SEC", "BLOCK", "LOT")
"""How the four columns of a Suffolk County number begin."""
_SUFFOLK_DIGITS = (4, 5, 4, 6)
"""How many digits each has in full, decimals included and points left out."""


def constant(written: str) -> str | None:
    """Return the constant of a field; None where it is not a constant.

    Examples
    --------
    >>> constant("=Town of Hunter"), constant("="), constant("TOWN")
    ('Town of Hunter', '', None)
    """
    return written[1:].strip() if written.startswith("=") else None


def parts_of(written: str) -> "list[tuple[str, str]] | None":
    """Return the parts of a joined field: ``("column", name)`` or ``("text", words)``; None where it cannot be read.

    Examples
    --------
    >>> parts_of("MAP + '-' + LOT")
    [('column', 'MAP'), ('text', '-'), ('column', 'LOT')]
    >>> parts_of("OWNER"), parts_of("MAP + ")
    ([('column', 'OWNER')], None)
    """
    parts: list[tuple[str, str]] = []
    place = 0
    while place < len(written):
        found = _PART.match(written, place)
        if found is None:
            return None
        if found["column"] is not None:
            parts.append(("column", found["column"].strip()))
        else:
            parts.append(("text", found["single"] if found["single"] is not None else found["double"]))
        place = found.end()
    if not parts or written.rstrip().endswith("+") or not any(kind == "column" for kind, _ in parts):
        return None
    return parts


def is_joined(written: str, columns: "Iterable[str]" = ()) -> bool:
    """Return whether a field is made of several parts, or is a constant; not where a column has that very name."""
    return written not in columns and written != NO_KEY and ("+" in written or written.startswith("="))


def columns_of(written: str, columns: "Iterable[str]" = ()) -> tuple[str, ...]:
    """Return the columns that a field is read from.

    Examples
    --------
    >>> columns_of("A + ' ' + B"), columns_of("A"), columns_of("=x"), columns_of("A + B", ["A + B"])
    (('A', 'B'), ('A',), (), ('A + B',))
    """
    if not is_joined(written, columns):
        return (written,)
    if written.startswith("="):
        return ()
    return tuple(name for kind, name in parts_of(written) or () if kind == "column")


def field_text(table: "pa.Table", written: "str | None", *, between: str = " ", lines: bool = False) -> "pa.ChunkedArray":
    """Return what a field says as text (:func:`column_text`): of one column, of several joined, or the constant.

    Null throughout where ``written`` is None or :data:`NO_KEY`. ``between`` stands between joined columns where no text is written there. ``lines`` keeps line breaks.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"FIRST": ["Ann", None], "LAST": ["Lee", "Roe"]})
    >>> field_text(people, "FIRST + LAST").to_pylist()
    ['Ann Lee', 'Roe']
    >>> field_text(people, "LAST + ', ' + FIRST").to_pylist()
    ['Lee, Ann', 'Roe']
    >>> field_text(people, "=NY").to_pylist()
    ['NY', 'NY']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if written is None or written == NO_KEY:
        return pa.chunked_array([pa.nulls(table.num_rows, pa.string())])
    if written in table.column_names:
        return column_text(table.column(written), lines=lines)
    same = constant(written)
    if same is not None:
        return pa.chunked_array([pa.array([same or None], pa.string()).take(pa.array([0] * table.num_rows, pa.int64()))])
    parts = parts_of(written) or []
    own = all(kind == "column" for kind, _ in parts)
    made: pa.Array | None = None
    pending = ""
    for kind, text in parts:
        if kind == "text":
            pending += text
            continue
        column = column_text(table.column(text), lines=lines).combine_chunks()
        if made is None:
            made = pc.binary_join_element_wise(pending, column, "") if pending else column
        else:
            joined = pc.binary_join_element_wise(made, column, between if own else pending)
            made = pc.coalesce(joined, made, column)
        pending = ""
    assert made is not None  # noqa: S101  # parts_of refuses what has no column
    if pending:
        made = pc.binary_join_element_wise(made, pending, "")
    return pa.chunked_array([pc.if_else(pc.equal(made, ""), None, made)])


def key_text(table: "pa.Table", written: "str | None") -> "pa.ChunkedArray":
    """Return tax map numbers: joined columns have a hyphen between them, and the four of Suffolk County are put in its form.

    A part that is empty stays an empty place, for ``1-2`` of map and block is not ``1-2`` of map and lot; parts at the end are left out.

    Examples
    --------
    >>> import pyarrow as pa
    >>> lots = pa.table({"MAP": ["1", "1", None], "BLOCK": ["2", None, None], "LOT": [None, "2", None]})
    >>> key_text(lots, "MAP + BLOCK + LOT").to_pylist()
    ['1-2', '1--2', None]
    >>> suffolk = pa.table({"DISTRICT": ["0900"], "SECTION": ["12300"], "BLOCK": ["0100"], "LOT": ["001000"]})
    >>> key_text(suffolk, "DISTRICT + SECTION + BLOCK + LOT").to_pylist()
    ['0900-123.00-01.00-001.000']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = parts_of(written) if written is not None and is_joined(written, table.column_names) else None
    if not parts or written is None or written.startswith("="):
        return field_text(table, written)
    names = [text for kind, text in parts if kind == "column"]
    texts = [column_text(table.column(name)).combine_chunks() for name in names]
    if len(names) == len(parts):
        texts = _suffolk(names, texts)
        parts = [part for name in names for part in (("text", "-"), ("column", name))][1:]
    by_name = dict(zip(names, texts, strict=True))
    made = pc.binary_join_element_wise(*[pc.fill_null(by_name[t], "") if kind == "column" else t for kind, t in parts], "")
    marks = re.escape("".join(dict.fromkeys("".join(text for kind, text in parts if kind == "text"))))
    if marks:
        made = pc.replace_substring_regex(made, rf"[{marks}]+$", "")
    nothing = pc.equal(made, "") if not marks else pc.match_substring_regex(made, rf"^[{marks}]*$")
    return pa.chunked_array([pc.if_else(nothing, None, made)])


def _suffolk(names: "Sequence[str]", texts: "list[pa.Array]") -> "list[pa.Array]":
    """Put the points into the four columns of a Suffolk County number, where they are that and have none."""
    import pyarrow.compute as pc

    plain = [re.sub(r"[^A-Z]", "", name.upper()) for name in names]
    if len(names) != len(_SUFFOLK) or not all(name.startswith(begin) for name, begin in zip(plain, _SUFFOLK, strict=True)):
        return texts
    for text, digits in zip(texts, _SUFFOLK_DIGITS, strict=True):
        filled = text.drop_null()
        longest = pc.max(pc.utf8_length(filled)).as_py() or 0
        if not pc.all(pc.match_substring_regex(filled, r"^\d+$")).as_py() or not digits - 2 < longest <= digits:
            return texts
    district, section, block, lot = (
        pc.utf8_lpad(text, digits, padding="0") for text, digits in zip(texts, _SUFFOLK_DIGITS, strict=True)
    )
    return [
        district,
        pc.replace_substring_regex(section, r"(\d\d)$", r".\1"),
        pc.replace_substring_regex(block, r"(\d\d)$", r".\1"),
        pc.replace_substring_regex(lot, r"(\d\d\d)$", r".\1"),
    ]


# -- objects within a column --------------------------------------------------------------------------------------------------

_DEPTH = 4
"""Objects are taken apart to this depth: owner, address, lines."""
_MOST = 12
"""Most entries of a list that get columns of their own."""
_LOOKED_AT = 200


def flat_table(table: "pa.Table") -> "pa.Table":
    """Return a table in which an object or a list of objects in a column is columns of their own.

    ``{"owner": {"name": "A"}}`` makes ``owner.name``; ``{"owners": [{"name": "A"}, {"name": "B"}]}`` makes ``owners.1.name`` and ``owners.2.name``.
    GDAL hands such cells on as JSON text.

    Examples
    --------
    >>> import pyarrow as pa
    >>> flat = flat_table(pa.table({"PIN": ["1"], "owner": ['{"name": "ANN LEE", "mail": {"city": "NAPLES"}}']}))
    >>> flat.to_pylist()
    [{'PIN': '1', 'owner.name': 'ANN LEE', 'owner.mail.city': 'NAPLES'}]
    """
    import pyarrow as pa

    made: dict[str, Any] = {}
    changed = False
    for name, column in zip(table.column_names, table.columns, strict=True):
        apart = _apart(name, column)
        if apart is None:
            made[name] = column
            continue
        changed = True
        for path, values in apart.items():
            free = path if path not in table.column_names and path not in made else f"{path}_"
            made[free] = pa.chunked_array([pa.array(values, pa.string())])
    return pa.table(made) if changed else table


def _apart(name: str, column: "pa.ChunkedArray") -> "dict[str, list[str | None]] | None":
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_struct(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        cells = column.to_pylist()
        if not any(_has_objects(cell) for cell in cells):
            return None
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        some = column.slice(0, _LOOKED_AT).drop_null()
        if not len(some):
            some = column.drop_null().slice(0, _LOOKED_AT)
        opens = pc.match_substring_regex(some, r"^\s*(?:\{\s*\"|\[\s*[\{\"])")
        if not len(some) or not pc.any(opens).as_py():
            return None
        cells = [_parsed(cell) for cell in column.to_pylist()]
        if not any(_has_objects(cell) for cell in cells):
            return None
    else:
        return None
    made: dict[str, list[str | None]] = defaultdict(lambda: [None] * len(cells))
    for row, cell in enumerate(cells):
        for path, text in _leaves(name, cell, 0):
            made[path][row] = text
    return dict(made)


def _has_objects(cell: Any) -> bool:  # noqa: ANN401  # whatever a cell is
    """Whether a cell is an object or a list of objects; a list of numbers or words is no record of anybody."""
    return isinstance(cell, dict) or (isinstance(cell, list) and any(isinstance(part, dict) for part in cell))


def _parsed(cell: str | None) -> Any:  # noqa: ANN401  # whatever the JSON is
    if cell is None or cell.lstrip()[:1] not in {"{", "["}:
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _leaves(path: str, value: Any, depth: int) -> "Iterable[tuple[str, str]]":  # noqa: ANN401  # whatever the JSON is
    if value is None or value == "":
        return
    if isinstance(value, dict) and depth < _DEPTH:
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth < _DEPTH and len(value) <= _MOST:
        for place, part in enumerate(value, 1):
            yield from _leaves(f"{path}.{place}", part, depth + 1)
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
