"""Look at a GeoPackage or another SQLite database before GDAL does: is it whole, what has another program not saved yet, what do its views cost.

Format: https://www.sqlite.org/fileformat2.html, 1.3.
"""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from geonotice.errors import Fault, UnreadableLayer
from geonotice.io.gpkg import quoted
from geonotice.io.source_files import JOURNALS, files_of, state_of

__all__ = ["examine", "geometries_written"]

MAX_STEPS = 2_000
"""How often 100,000 steps of SQLite's machine may be taken for one view: some minutes on a slow computer, or ten million rows."""

MAX_CELL = 200 << 20
"""Most bytes of one cell: one parcel has no more."""

_STEPS = 100_000
_WAL = 2
_PLAIN_MODULES = re.compile(
    r"\busing\s+[\"'`\[]?(rtree|rtree_i32|fts\d\w*|geopoly|virtualspatialindex|virtualelementary|virtualknn2?)\b", re.IGNORECASE
)
_DAMAGE = re.compile(r"\bpage\b|^tree \d|freelist|malformed database|disk image|out of order", re.IGNORECASE)
"""What SQLite says of damaged pages; it also says of rows that break a rule of their table, which can be read all the same."""

_AGAIN = "download or export it again, as GeoPackage"


def examine(shown: Path, path: Path, room: Path) -> Path:
    """Look at a database; return the file to open.

    It is opened where it lies, unless another program keeps changes beside it that are not in it yet: opening it then would write there, and passing
    over them would read what is no longer so. Such a one is copied, with its changes, and opened in ``room``.

    Raises
    ------
    UnreadableLayer
        It was cut off or is damaged, another program writes to it just now, or a view of it has no end.
    """
    _whole(shown, path)
    journals = [file for file in files_of(path) if file != path]
    if journals or _in_wal_mode(path):
        path = _copied(shown, path, room)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            _sound(shown, database)
            _bounded(shown, database)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _damaged(shown, error) from error
    return path


def geometries_written(path: Path, table: str) -> int | None:
    """Count the rows of a table whose geometry is not NULL, as SQLite has them; None where the table lists no geometry."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            row = database.execute(
                "SELECT column_name FROM gpkg_geometry_columns WHERE lower(table_name) = lower(?)", (table,)
            ).fetchone()
            if row is None:
                return None
            (number,) = database.execute(f"SELECT count({quoted(row[0])}) FROM {quoted(table)}").fetchone()  # noqa: S608  # quoted names
            return int(number)
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def _whole(shown: Path, path: Path) -> None:
    """Compare the file's size with the page count in its header."""
    with path.open("rb") as stream:
        head = stream.read(100)
    page = int.from_bytes(head[16:18], "big")
    size = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    trusted = head[24:28] == head[92:96]
    if trusted and path.stat().st_size < size:
        raise UnreadableLayer(
            Fault(
                what=f"the file was cut off: it should have {size:,} bytes and has {path.stat().st_size:,}",
                why="part of the layer would be missing without a word",
                remedy="download or copy it again",
                file=str(shown),
            )
        )


def _in_wal_mode(path: Path) -> bool:
    with path.open("rb") as stream:
        head = stream.read(20)
    return _WAL in head[18:20]


def _copied(shown: Path, path: Path, room: Path) -> Path:
    """Copy a database with what stands beside it, and bring the two together in the copy."""
    target = room / f"{path.stem}{path.suffix.lower()}"
    before = state_of(path)
    if path != target:
        shutil.copyfile(path, target)
    for ending in JOURNALS:
        journal = path.with_name(path.name + ending)
        if journal in files_of(path) and path != target:
            shutil.copyfile(journal, target.with_name(target.name + ending))
    if state_of(path) != before:
        raise UnreadableLayer(
            Fault(
                what="another program is writing to the file just now",
                why="half of what it writes could be read",
                remedy="wait until it has saved, or close the file there, and try again",
                file=str(shown),
            )
        )
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = DELETE").fetchone()
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise _damaged(shown, error) from error
    return target


def _bounded(shown: Path, database: sqlite3.Connection) -> None:
    """Refuse what is no plain table: a table that stands for another file, and a view that does not end or is not SQLite's own."""
    if hasattr(database, "setlimit"):
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL)
    made = database.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    foreign = [
        name
        for _, name, sql in made
        if re.match(r"\s*create\s+virtual", sql or "", re.IGNORECASE) and not _PLAIN_MODULES.search(sql)
    ]
    if foreign:
        raise UnreadableLayer(
            Fault(
                what=f"tables of it stand for other files or programs ({', '.join(map(str, foreign[:5]))})",
                why="what is in them nobody can see here, and it may change without this file",
                remedy="export the layer as a table of its own, as GeoPackage",
                file=str(shown),
            )
        )
    listed = _listed(database)
    for kind, name, _ in made:
        computed = kind == "view" or any(row[6] in {2, 3} for row in database.execute(f"PRAGMA table_xinfo({quoted(name)})"))
        if computed and (listed is None or name.casefold() in listed):
            _runs_to_its_end(shown, database, name)


def _sound(shown: Path, database: sqlite3.Connection) -> None:
    """Refuse a database whose pages are damaged: rows behind a damaged one are passed over without an error."""
    said = [str(text) for (text,) in database.execute("PRAGMA quick_check(20)")]
    damage = next((text for text in said if _DAMAGE.search(text)), "")
    if damage:
        raise UnreadableLayer(
            Fault(
                what=f"the file is damaged (SQLite: {' '.join(damage.split())[:120]})",
                why="part of the layer would be missing without a word",
                remedy=_AGAIN,
                file=str(shown),
            )
        )


def _listed(database: sqlite3.Connection) -> set[str] | None:
    """Return the tables and views that the file lists as layers; None where it lists none, so that any may be one."""
    names: set[str] = set()
    for table, column in (
        ("gpkg_contents", "table_name"),
        ("geometry_columns", "f_table_name"),
        ("views_geometry_columns", "view_name"),
    ):
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            names |= {str(name).casefold() for (name,) in database.execute(f"SELECT {column} FROM {table}")}  # noqa: S608  # constant names
    return names or None


def _runs_to_its_end(shown: Path, database: sqlite3.Connection, name: str) -> None:
    """Run a view as plain SQLite does, within bounds: GDAL would run it without."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return int(steps > MAX_STEPS)

    database.set_progress_handler(count, _STEPS)
    try:
        for _ in database.execute(f"SELECT * FROM {quoted(name)}"):  # noqa: S608  # a quoted name
            pass
    except sqlite3.Error as error:
        ended = steps > MAX_STEPS
        said = "does not come to an end" if ended else f"cannot be run: {error}"
        raise UnreadableLayer(
            Fault(
                what=f"the view {name} {said}",
                why="a view is not stored: its rows are made anew each time it is read",
                remedy="export it as a layer of its own, as GeoPackage, and name that",
                file=str(shown),
                layer=name,
            )
        ) from error
    finally:
        database.set_progress_handler(None, 0)


def _damaged(shown: Path, error: Exception) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(
            what=f"the file is damaged: SQLite cannot read it ({error})",
            why="part of the layer would be missing without a word",
            remedy=_AGAIN,
            file=str(shown),
        )
    )
