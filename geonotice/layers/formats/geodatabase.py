"""Look at a file geodatabase before GDAL does: are all its tables there, and whole. GDAL reads a table that was cut off as one without rows.

Format: https://github.com/rouault/dump_gdbtable/wiki/FGDB-Spec. Each table is a .gdbtable with its rows and a .gdbtablx with where they begin; the
first of them, the catalog, has a row for every other.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from geonotice.errors import Fault, UnreadableLayer

__all__ = ["examine"]

_CATALOG = 1
_REPLICA_LOG = 8
"""The catalog names it everywhere, and ArcGIS writes it only where there are replicas."""

_TABLE_HEADER, _INDEX_HEADER = 40, 16
_BLOCK = 1024
_NAMED = 5
_INTS = frozenset({4, 5, 6})
"""Bytes that an index keeps for where a row begins."""

Read = Callable[[str, int], bytes]
"""Reads the first bytes of a file of the geodatabase; all of them where the number is negative."""


def examine(shown: Path, sizes: Mapping[str, int], read: Read) -> None:
    """Look at a geodatabase.

    Parameters
    ----------
    shown
        What messages call it.
    sizes
        Its files by their names, in lower case, with their sizes in bytes.
    read
        Reads one of them.

    Raises
    ------
    UnreadableLayer
        A file of it is missing or was cut off; all of them are named.
    """
    missing, cut = [], []
    for number in sorted({_CATALOG, *_listed(sizes, read), *_present(sizes)}):
        table, index = (f"a{number:08x}.{ending}" for ending in ("gdbtable", "gdbtablx"))
        if table not in sizes:
            missing += [table] if number != _REPLICA_LOG else []
            continue
        head = read(table, _TABLE_HEADER)
        rows = int.from_bytes(head[4:8], "little")
        if index not in sizes and rows:
            missing.append(index)
        stated = int.from_bytes(head[24:32], "little")
        if len(head) < _TABLE_HEADER or sizes[table] < stated:
            cut.append(table)
        elif index in sizes and sizes[index] < _index_size(read(index, _INDEX_HEADER)):
            cut.append(index)
    if not missing and not cut:
        return
    said = [f"{_names(missing)} {_is(missing)} missing"] if missing else []
    said += [f"{_names(cut)} {'was' if len(cut) == 1 else 'were'} cut off"] if cut else []
    raise UnreadableLayer(
        Fault(
            what=f"the file geodatabase is not complete: {'; '.join(said)}",
            why="part of the layer would be missing without a word",
            remedy="copy the whole .gdb folder again, with every file in it, or download its zip again",
            file=str(shown),
        )
    )


def _listed(sizes: Mapping[str, int], read: Read) -> set[int]:
    """Return the numbers of the tables that the catalog has: those of its rows."""
    index = f"a{_CATALOG:08x}.gdbtablx"
    if index not in sizes:
        return set()
    data = read(index, -1)
    blocks, rows, width = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8, 12))
    if width not in _INTS or blocks * _BLOCK < rows:
        return set()  # an index with gaps: what is there is looked at all the same
    entries = data[_INDEX_HEADER : _INDEX_HEADER + rows * width]
    return {place + 1 for place in range(len(entries) // width) if any(entries[place * width : (place + 1) * width])}


def _present(sizes: Mapping[str, int]) -> set[int]:
    stems = {name.rpartition(".")[0] for name in sizes if name.endswith((".gdbtable", ".gdbtablx"))}
    return {int(stem[1:], 16) for stem in stems if len(stem) == 9 and stem[0] == "a" and _is_hex(stem[1:])}  # noqa: PLR2004  # a and eight digits


def _is_hex(text: str) -> bool:
    return all(letter in "0123456789abcdef" for letter in text)


def _index_size(head: bytes) -> int:
    if len(head) < _INDEX_HEADER:
        return _INDEX_HEADER
    blocks, width = int.from_bytes(head[4:8], "little"), int.from_bytes(head[12:16], "little")
    return _INDEX_HEADER + blocks * _BLOCK * width


def _names(files: list[str]) -> str:
    return ", ".join(files[:_NAMED]) + (f" and {len(files) - _NAMED} more" if len(files) > _NAMED else "")


def _is(files: list[str]) -> str:
    return "is" if len(files) == 1 else "are"
