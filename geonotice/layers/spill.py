"""What import sets aside in a temporary file: arrays, and tables of which one column is needed at a time.

A county's owners and addresses take more memory than its polygons, and for most of an import nobody looks at them.
"""

import sys
import threading
import weakref
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, NamedTuple

from geonotice.layers.columns.text import whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa

__all__ = ["Piece", "Spill", "SpilledTable", "give_back"]

_IN_MEMORY_BYTES = 8_000_000
"""What is smaller stays in memory: a town's layer needs no file."""
_READY = 8
"""So many arrays are kept at hand once they are read: what lies near in a town often stands near in its layer."""
_ROWS = 65_536
"""So many rows of a table are written, and read, at once."""


class Spill:
    """Arrow arrays, kept in memory while they are few, and in a temporary file beyond.

    Parameters
    ----------
    ready
        How many arrays are kept at hand once they are read.
    """

    def __init__(self, *, ready: int = _READY) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115  # it goes with the last that needs it
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()  # a file has one place where it is read, and two threads may read
        self._places: list[tuple[int, int, pa.Schema]] = []
        self._ready: dict[int, pa.Array] = {}
        self._most = ready

    def add(self, array: "pa.Array") -> "Piece":
        """Keep an array."""
        import pyarrow as pa

        batch = pa.record_batch([array], names=[""])
        data = batch.serialize()
        with self._lock:
            start = self._file.seek(0, 2)
            self._file.write(data)
            self._places.append((start, len(data), batch.schema))
            return Piece(self, len(self._places) - 1, len(array))

    def read(self, number: int) -> "pa.Array":
        """Return an array."""
        import pyarrow as pa

        with self._lock:
            made = self._ready.pop(number, None)
            if made is None:
                start, size, schema = self._places[number]
                self._file.seek(start)
                made = pa.ipc.read_record_batch(pa.py_buffer(self._file.read(size)), schema).column(0)
            if self._most:
                if len(self._ready) >= self._most:
                    del self._ready[next(iter(self._ready))]
                self._ready[number] = made
            return made

    def let_go(self) -> None:
        """Keep no array at hand, only in the file."""
        with self._lock:
            self._ready.clear()


class Piece(NamedTuple):
    """Where an array is kept."""

    kept: Spill
    number: int
    size: int

    def __len__(self) -> int:
        return self.size

    def load(self) -> "pa.Array":
        """Return the array."""
        return self.kept.read(self.number)


class SpilledTable:
    """A table whose columns are kept in a temporary file, and read when they are asked for.

    Parameters
    ----------
    columns
        The columns, of one length.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = SpilledTable({"n": pa.array([0, 1]), "names": pa.array(["DOE", "ROE"])})
    >>> table.num_rows, table["names"].to_pylist(), table.with_columns({"n": pa.array([7, 8])}).table().to_pylist()
    (2, ['DOE', 'ROE'], [{'n': 7, 'names': 'DOE'}, {'n': 8, 'names': 'ROE'}])
    """

    def __init__(self, columns: "Mapping[str, pa.ChunkedArray | pa.Array]") -> None:
        self._pieces: dict[str, tuple[Piece, ...]] = {}
        self._types: dict[str, pa.DataType] = {}
        self.num_rows = 0
        self._add(columns)

    @classmethod
    def of(cls, table: "pa.Table") -> "SpilledTable":
        """Set a table aside."""
        return cls(dict(zip(table.column_names, table.columns, strict=True)))

    def _add(self, columns: "Mapping[str, pa.ChunkedArray | pa.Array]") -> None:
        import pyarrow as pa

        spill = Spill(ready=0)
        for name, column in columns.items():
            self.num_rows = len(column)
            self._types[name] = column.type
            parts = (column.slice(start, _ROWS) for start in range(0, len(column), _ROWS))
            self._pieces[name] = tuple(spill.add(whole(part) if isinstance(part, pa.ChunkedArray) else part) for part in parts)
        if self.num_rows > _ROWS:
            give_back()

    def __getitem__(self, name: str) -> "pa.ChunkedArray":
        """Read a column."""
        import pyarrow as pa

        return pa.chunked_array([piece.load() for piece in self._pieces[name]], type=self._types[name])

    def part(self, name: str, start: int, size: int) -> "pa.Array":
        """Read some rows of a column."""
        import pyarrow as pa

        first = start // _ROWS
        pieces = self._pieces[name][first : (start + size - 1) // _ROWS + 1]
        column = pa.chunked_array([piece.load() for piece in pieces], type=self._types[name])
        return whole(column.slice(start - first * _ROWS, size))

    @property
    def column_names(self) -> list[str]:
        """The names of its columns."""
        return list(self._pieces)

    def with_columns(self, columns: "Mapping[str, pa.ChunkedArray | pa.Array]") -> "SpilledTable":
        """Return the table with others in the place of some columns, or after them; what stays is not copied."""
        made = SpilledTable(columns)
        made._pieces = {**self._pieces, **made._pieces}
        made._types = {**self._types, **made._types}
        return made

    def table(self, columns: "Iterable[str] | None" = None) -> "pa.Table":
        """Read it, or some columns of it."""
        import pyarrow as pa

        return pa.table({name: self[name] for name in (self.column_names if columns is None else columns)})

    def reader(self, columns: "Iterable[str] | None" = None) -> "pa.RecordBatchReader":
        """Open it, or some columns of it, as a stream of record batches."""
        import pyarrow as pa

        names = self.column_names if columns is None else list(columns)
        schema = pa.schema([(name, self._types[name]) for name in names])
        batches = (batch for part in self.batches(names) for batch in part.to_batches())
        return pa.RecordBatchReader.from_batches(schema, batches)

    def batches(self, columns: "Iterable[str] | None" = None) -> "Iterator[pa.Table]":
        """Read it, or some columns of it, some rows at a time."""
        import pyarrow as pa

        names = self.column_names if columns is None else list(columns)
        for pieces in zip(*(self._pieces[name] for name in names), strict=True):
            yield pa.table(dict(zip(names, (piece.load() for piece in pieces), strict=True)))


def give_back() -> None:
    """Return the memory to the system that a step has let go of, before the next one asks for more."""
    import ctypes

    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; other libraries do it by themselves
        if trim is not None:
            trim(0)
