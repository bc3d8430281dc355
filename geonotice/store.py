"""The store: the town's layers, cleaned and indexed, in one GeoPackage, read with sqlite3 and shapely only; its tables are in :mod:`geonotice.store_tables`."""

import json
import sqlite3
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

import shapely
from msgspec import Struct

from geonotice.errors import AmbiguousParcel, Fault, ParcelNotFound, StoreError, UsageError
from geonotice.io.gpkg import header_bytes
from geonotice.model import AddressPoint, CommonLand, Owner, Parcel, Problem, Situs, Source
from geonotice.search import Entry, best, other_spellings, rank, tight, words, words_without_types
from geonotice.store_tables import FEATURE_COLUMNS, OWNER_COLUMNS, SOURCE_COLUMNS, STORE_VERSION
from geonotice.taxmap import comparable, nearest_numbers, number_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from numpy.typing import NDArray

__all__ = [
    "EVERYWHERE",
    "FeatureBlock",
    "ParcelBlock",
    "Store",
]

EVERYWHERE = (-1e12, -1e12, 1e12, 1e12)
"""A box that holds every town, in feet of any zone."""

_MANY = 900
"""Most values bound in one statement; SQLite's own limit was 999 for long."""

_PARTING = " -./:"
"""Marks between the parts of a tax map number."""

_LISTED = 12
"""Most parcels named in a message about several."""


class ParcelBlock(Struct, frozen=True):
    """Parcels and their geometries, in the same order; geometries in the town's CRS, in US survey feet."""

    parcels: tuple[Parcel, ...]
    geometries: "NDArray[Any]"


class FeatureBlock(Struct, frozen=True):
    """Features of another layer and their geometries, in the same order."""

    rows: tuple[dict[str, str], ...]
    geometries: "NDArray[Any]"


class Corrected(Protocol):
    """What lays a town's corrections over owners and parcels as the store has them."""

    def owners_of(self, found: dict[int, tuple[Owner, ...]], /) -> dict[int, tuple[Owner, ...]]:
        """Return owners with what was corrected."""

    def parcel(self, parcel: Parcel, /) -> Parcel:
        """Return a parcel with what was corrected."""


class _Cursor(sqlite3.Cursor):
    """A cursor whose rows may lie in a damaged page: that is an error in words wherever it is met."""

    def __iter__(self) -> "Iterator[Any]":  # type: ignore[override]  # rows by the hundred: the words are needed once for many
        while rows := self.fetchmany(_MANY):
            yield from rows

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        with self._in_words():
            return super().fetchmany(size)

    def __next__(self) -> Any:  # noqa: ANN401  # a row
        with self._in_words():
            return super().__next__()

    def fetchone(self) -> Any:  # noqa: ANN401  # a row
        with self._in_words():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with self._in_words():
            return super().fetchall()

    @contextmanager
    def _in_words(self) -> "Iterator[None]":
        with _in_words(cast("_Connection", self.connection).path):
            yield


class _Connection(sqlite3.Connection):
    path = Path()

    def execute(self, sql: str, values: Any = (), /) -> _Cursor:  # noqa: ANN401  # what sqlite3 binds
        with _in_words(self.path):
            cursor: _Cursor = self.cursor(_Cursor)
            cursor.execute(sql, values)
            return cursor


@contextmanager
def _in_words(path: Path) -> "Iterator[None]":
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(_damaged(path, error)) from error


def _damaged(path: Path, error: Exception) -> Fault:
    return Fault(
        what=f"the store is damaged ({error})",
        file=str(path),
        why="part of the list would be missing",
        remedy="import the layers again",
        command=f"run: geonotice import {path.parent}",
    )


class Store:
    """One town's store, open for reading.

    Parameters
    ----------
    path
        The GeoPackage that ``import`` wrote.

    Raises
    ------
    StoreError
        It is not there, is not a store, or is of another version.
    """

    def __init__(self, path: Path) -> None:
        command = f"run: geonotice import {path.parent}"
        if not path.is_file():
            raise StoreError(
                Fault(
                    what="the town's layers have not been imported yet",
                    file=str(path),
                    remedy="import the layers",
                    command=command,
                )
            )
        # Immutable: import replaces the file whole, so nobody writes to the one that is open, and no lock file is left beside it.
        try:
            self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, factory=_Connection)
            self._db.path = path
        except sqlite3.OperationalError as error:
            remedy = "ask for the right to read it"
            raise StoreError(Fault(what=f"the store cannot be read ({error})", file=str(path), remedy=remedy)) from error
        try:
            self.meta: dict[str, str] = dict(self._db.execute("SELECT name, value FROM meta"))
        except StoreError as error:
            self._db.close()
            said = f"this is not a store of geonotice ({error.__cause__})"
            raise StoreError(Fault(what=said, file=str(path), remedy="import the layers", command=command)) from error
        if self.meta.get("store_version") != str(STORE_VERSION):
            self._db.close()
            raise StoreError(
                Fault(
                    what="the store was written by another version of geonotice",
                    file=str(path),
                    remedy="import the layers",
                    command=command,
                )
            )
        self.path = path
        self.corrected: Corrected | None = None
        """What a person has put right: laid over everything that is read from here on."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def has(self, kind: str) -> bool:
        """Whether the store holds a layer of that kind."""
        return bool(self._db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (kind,)).fetchone())

    def town_data(self) -> dict[str, Any]:
        """Return the checked town file as plain values, for :func:`geonotice.config.town.town_from_json`."""
        data: dict[str, Any] = json.loads(self.meta["town"])
        return data

    def sources(self) -> tuple[Source, ...]:
        """List the files that went into the store, in the town file's order."""
        columns = ", ".join(SOURCE_COLUMNS)
        return tuple(
            Source(
                layer=row[0],
                path=row[1],
                sha256=row[2],
                as_of=date.fromisoformat(row[3]) if row[3] else None,
                features=row[4],
                crs=row[5] or "",
                size=row[6],
                mtime_ns=int(row[7]),
                roll_year=row[8],
                final=None if row[9] is None else bool(row[9]),
                files=row[10] or "",
            )
            for row in self._db.execute(f"SELECT {columns} FROM sources ORDER BY rowid")  # noqa: S608  # constant names
        )

    def problems(self, *codes: str) -> tuple[Problem, ...]:
        """List what import repaired, dropped or could not match; of the codes given, or all."""
        where = f"WHERE code IN ({_marks(codes)})" if codes else ""
        rows = self._db.execute(f"SELECT layer, key, code, text FROM problems {where} ORDER BY rowid", codes)  # noqa: S608  # marks only
        return tuple(Problem(*row) for row in rows)

    def count(self) -> int:
        """Count the parcels."""
        (number,) = self._db.execute("SELECT count(*) FROM parcels").fetchone()
        return int(number)

    def count_in(self, kind: str, bounds: "tuple[float, float, float, float]") -> int:
        """Count the features of a layer (``parcels`` is one) whose box meets ``bounds``, without reading them; 0 where there is no such layer."""
        if kind != "parcels" and kind not in FEATURE_COLUMNS:
            raise ValueError(kind)
        if not self.has(kind):
            return 0
        minx, miny, maxx, maxy = bounds
        (number,) = self._db.execute(
            f"SELECT count(*) FROM rtree_{kind}_geom WHERE minx <= ? AND maxx >= ? AND miny <= ? AND maxy >= ?",  # noqa: S608  # a name of this module
            (maxx, minx, maxy, miny),
        ).fetchone()
        return int(number)

    def bounds(self) -> "tuple[float, float, float, float]":
        """Return the box round the parcels of the town's own layer."""
        west, south, east, north = self._db.execute(
            "SELECT min(r.minx), min(r.miny), max(r.maxx), max(r.maxy) FROM rtree_parcels_geom r JOIN parcels p ON p.fid = r.id WHERE p.layer = 0"
        ).fetchone()
        return float(west), float(south), float(east), float(north)

    # -- one parcel ------------------------------------------------------------------------------------------------------------

    def find(self, sought: str, *, any_layer: bool = False) -> Parcel:
        """Find one parcel of the town's own layer, or of any, by its tax map number.

        The spelling of the layer comes first, then any spelling that :func:`geonotice.taxmap.comparable` takes for the same, then the
        number behind its SWIS code and a stroke.

        Raises
        ------
        AmbiguousParcel
            The number stands for several parcels: the same in two SWIS, say.
        ParcelNotFound
            None has it.
        UsageError
            Only a parcel of an adjoining layer has it.
        """
        number = sought.strip()
        swis, _, rest = number.partition("/")
        ways: tuple[tuple[str, tuple[str, ...]], ...] = (
            ("id = ?", (number,)),
            ("tax_map_number = ?", (number,)),
            ("key = ?", (comparable(number),)),
            ("swis = ? AND key = ?", (swis.strip(), comparable(rest))),
            ("instr(char(10) || also_known || char(10), char(10) || ? || char(10))", (number,)),
            ("id = ?", (f"#{number}",)),
        )
        for where, values in ways:
            found = self._parcels(where, values) if all(values) else []
            own = [parcel for parcel in found if any_layer or parcel.layer == 0]
            if len(own) == 1:
                return own[0]
            if own:
                raise AmbiguousParcel(sought, [_described(parcel) for parcel in own[:_LISTED]])
            if found:
                raise UsageError(
                    Fault(
                        what="this parcel stands in an adjoining layer only",
                        parcel=found[0].id,
                        why="premises come from the first parcel layer of the town file; beyond it the surroundings are not complete",
                        remedy="use the town file of the town that it lies in",
                    )
                )
        raise ParcelNotFound(sought, self._near(comparable(number)))

    def search(self, text: str) -> tuple[Parcel, ...]:
        """Find parcels of the town's own layer by number, address or owner, as :mod:`geonotice.search` ranks them: only those that are meant."""
        if not words(text):
            return ()
        ranked = [(place, fid) for fid, entry in self._candidates(text) if (place := rank(text, entry)) is not None]
        meant = best(text, (place for place, _ in ranked))
        fids = [fid for _, fid in sorted((place, fid) for place, fid in ranked if place in meant)]
        found: dict[int, Parcel] = {}
        for start in range(0, len(fids), _MANY):
            some = fids[start : start + _MANY]
            found.update({parcel.fid: parcel for parcel in self._parcels(f"fid IN ({_marks(some)})", tuple(some))})
        return tuple(found[fid] for fid in fids)

    def _candidates(self, text: str) -> "Iterator[tuple[int, Entry]]":
        """Return the parcels that may answer a search; all that do are among them."""
        conditions, values = [], []
        for asked in dict.fromkeys((words(text), words_without_types(text))):
            # an accent, a point or an apostrophe in the layer's text is looked at in Python
            each = [
                f"({' OR '.join(['{0} LIKE ?'] * len(other_spellings(word)))} OR {{0}} GLOB '*[^-&(,/-~ ]*')" for word in asked
            ]
            for column in ("situs", "(coalesce(situs, '') || ' ' || coalesce(owned.names, ''))") if each else ():
                conditions.append("(" + " AND ".join(one.format(column) for one in each) + ")")
                values += [f"%{other}%" for word in asked for other in other_spellings(word)]
        if close := tight(text):
            longest = max(number_parts(text), key=len, default=close)
            plain = "upper(id)"
            for mark in (*_PARTING, "#"):
                plain = f"replace({plain}, '{mark}', '')"
            conditions += [
                "id LIKE ?",
                f"{plain} LIKE ?",
                "also_known LIKE ?",
                "replace(replace(also_known, '-', ''), '.', '') LIKE ?",
            ]
            values += [f"%{longest}%", f"%{close}%", f"%{longest}%", f"%{close}%"]
        sql = f"{_ENTRIES} WHERE layer = 0 AND ({' OR '.join(conditions)}) ORDER BY fid"
        return (_entry(row) for row in self._db.execute(sql, tuple(values)))

    def entries(self) -> "Iterator[tuple[int, Entry]]":
        """Yield every parcel of the town's own layer as it is searched, with its ``fid``: for :class:`geonotice.search.Index`."""
        return (_entry(row) for row in self._db.execute(f"{_ENTRIES} WHERE layer = 0 ORDER BY fid"))

    def also_known(self) -> dict[int, tuple[str, ...]]:
        """Return the other numbers of the parcels that have any, by ``fid``."""
        rows = self._db.execute("SELECT fid, also_known FROM parcels WHERE also_known IS NOT NULL ORDER BY fid")
        return {fid: tuple(also.split("\n")) for fid, also in rows}

    def called(self, number: str) -> tuple[str, ...]:
        """Return the ids of the town's own parcels that a number stands for; none where it is unknown."""
        rows = self._db.execute(
            "SELECT id FROM parcels WHERE (id = ?1 OR tax_map_number = ?1 OR key = ?2) AND layer = 0 ORDER BY id LIMIT ?3",
            (number.strip(), comparable(number), _LISTED),
        )
        return tuple(row[0] for row in rows)

    def _near(self, key: str) -> list[str]:
        """Return a few ids for a message: those with the same letters and digits between other marks, else those most like it."""
        bare = _bare(key)
        if bare:
            plain = "key"
            for mark in _PARTING:
                plain = f"replace({plain}, '{mark}', '')"
            rows = self._db.execute(
                f"SELECT id FROM parcels WHERE {plain} = ? AND layer = 0 ORDER BY key LIMIT 5",  # noqa: S608  # constant marks
                (bare,),
            ).fetchall()
            if rows:
                return [row[0] for row in rows]
        first = next(iter(number_parts(key)), None)  # what agrees in no part is not near, so only these need to be looked at
        alike = self._db.execute("SELECT id, key FROM parcels WHERE layer = 0 AND instr(key, ?)", (first,))
        return nearest_numbers(key, ((str(id_), str(other)) for id_, other in alike))

    # -- many ------------------------------------------------------------------------------------------------------------------

    def geometries(self, fids: "Sequence[int]") -> "NDArray[Any]":
        """Return the geometries of parcels, in the order of ``fids``."""
        found: dict[int, bytes] = {}
        for some in _chunks(fids):
            found.update(self._db.execute(f"SELECT fid, geom FROM parcels WHERE fid IN ({_marks(some)})", some))  # noqa: S608  # marks only
        return _geometries([found[fid] for fid in fids])

    def parcels(self, fids: "Sequence[int]") -> ParcelBlock:
        """Return parcels by fid, in the order of their fid."""
        found: list[Any] = []
        for some in _chunks(sorted(fids)):
            where = f"p.fid IN ({_marks(some)}) ORDER BY p.fid"
            found += self._db.execute(f"SELECT {_PARCEL_SELECT}, p.geom FROM parcels p WHERE {where}", some)  # noqa: S608  # marks only
        return ParcelBlock(tuple(self._parcel(row) for row in found), _geometries([row[-1] for row in found]))

    def parcels_in(self, *boxes: "tuple[float, float, float, float]") -> ParcelBlock:
        """Return the parcels whose box meets one of ``boxes`` (minx, miny, maxx, maxy in the town's CRS), in the order of their fid."""
        rows = self._meeting("parcels", _PARCEL_SELECT, boxes)
        return ParcelBlock(tuple(self._parcel(row) for row in rows), _geometries([row[-1] for row in rows]))

    def outlines_in(self, box: "tuple[float, float, float, float]") -> "tuple[tuple[tuple[str, str], ...], NDArray[Any]]":
        """Return id and role of the parcels whose box meets this one, and their geometries: what a map draws, without the rest."""
        rows = self._meeting("parcels", "p.fid, p.id, p.role", (box,))
        return tuple((row[1], row[2]) for row in rows), _geometries([row[-1] for row in rows])

    def features_in(self, kind: str, *boxes: "tuple[float, float, float, float]") -> FeatureBlock:
        """Return the features of another layer whose box meets one of ``boxes``; none where the store has no such layer."""
        if not self.has(kind):
            return FeatureBlock((), _geometries([]))
        names = FEATURE_COLUMNS[kind]
        rows = self._meeting(kind, ", ".join(f"p.{name}" for name in ("fid", *names)), boxes)
        made = tuple(
            {name: "" if value is None else str(value) for name, value in zip(names, row[1:-1], strict=True)} for row in rows
        )
        return FeatureBlock(made, _geometries([row[-1] for row in rows]))

    def _meeting(self, table: str, columns: str, boxes: "Sequence[tuple[float, float, float, float]]") -> list[Any]:
        """Return the rows of a feature table that meet one of the boxes, each once, by fid; ``columns`` begin with it, the geometry comes last."""
        found: dict[int, Any] = {}
        for minx, miny, maxx, maxy in boxes:
            rows = self._db.execute(
                f"SELECT {columns}, p.geom FROM rtree_{table}_geom r JOIN {table} p ON p.fid = r.id"  # noqa: S608  # constant names
                " WHERE r.minx <= ? AND r.maxx >= ? AND r.miny <= ? AND r.maxy >= ?",
                (maxx, minx, maxy, miny),
            ).fetchall()
            found |= {row[0]: row for row in rows}
        # put in order here, for SQLite would carry every geometry through its sorter
        return [found[fid] for fid in sorted(found)]

    def owners_of(self, fids: "Iterable[int]") -> dict[int, tuple[Owner, ...]]:
        """Return the owners of record of parcels, in their order on the roll; an empty tuple where there is none."""
        wanted = list(fids)
        found: dict[int, list[Owner]] = {fid: [] for fid in wanted}
        columns = ", ".join(OWNER_COLUMNS[:11])
        for some in _chunks(wanted):
            for row in self._db.execute(
                f"SELECT {columns} FROM owners WHERE parcel_fid IN ({_marks(some)}) ORDER BY parcel_fid, n",  # noqa: S608  # constant names
                some,
            ):
                text = [value or "" for value in row]
                found[row[0]].append(
                    Owner(
                        parcel_fid=row[0],
                        n=row[1],
                        names=_lines(text[2]),
                        address=_lines(text[3]),
                        city=text[4],
                        state=text[5],
                        zip=text[6],
                        country=text[7],
                        source=text[8],
                        roll_year=row[9],
                        changed=tuple(text[10].split()),
                    )
                )
        made = {fid: tuple(owners) for fid, owners in found.items()}
        return self.corrected.owners_of(made) if self.corrected else made

    def common_land_of(self, lots: "Iterable[int]") -> tuple[CommonLand, ...]:
        """Return whose owners own the lots in common, and the lots that are only asked about, in the order of the lots given."""
        wanted = list(lots)
        found: list[CommonLand] = []
        for some in _chunks(wanted):
            where = f"WHERE lot_fid IN ({_marks(some)}) ORDER BY lot_fid, unit_fid"
            rows = self._db.execute(f"SELECT lot_fid, unit_fid, how, source FROM common_land {where}", some)  # noqa: S608  # marks only
            found += [CommonLand(lot, unit, how, source or "") for lot, unit, how, source in rows]
        place = {fid: n for n, fid in enumerate(wanted)}
        return tuple(sorted(found, key=lambda one: place[one.lot_fid]))

    def address_points_of(self, fids: "Iterable[int]") -> dict[int, tuple[AddressPoint, ...]]:
        """Return the address points of parcels, as import assigned them."""
        wanted = list(fids)
        found: dict[int, list[AddressPoint]] = {fid: [] for fid in wanted}
        if self.has("address_points"):
            for some in _chunks(wanted):
                for row in self._db.execute(
                    "SELECT parcel_fid, number, street, unit, city, state, zip, address FROM address_points"  # noqa: S608  # marks only
                    f" WHERE parcel_fid IN ({_marks(some)}) ORDER BY parcel_fid, fid",
                    some,
                ):
                    found[row[0]].append(AddressPoint(row[0], *(value or "" for value in row[1:])))
        return {fid: tuple(points) for fid, points in found.items()}

    def _parcels(self, where: str, values: "Sequence[object]") -> list[Parcel]:
        rows = self._db.execute(f"SELECT {_PARCEL_SELECT} FROM parcels p WHERE {where} ORDER BY fid", tuple(values))  # noqa: S608  # clauses of this module
        return [self._parcel(row) for row in rows]

    def _parcel(self, row: "Sequence[Any]") -> Parcel:
        made = _parcel(row)
        return self.corrected.parcel(made) if self.corrected else made


_ENTRIES = (
    "SELECT fid, id, coalesce(situs, ''), coalesce(owned.names, ''), coalesce(also_known, '') FROM parcels LEFT JOIN"
    " (SELECT parcel_fid, group_concat(names, char(10)) AS names FROM owners GROUP BY parcel_fid) AS owned ON owned.parcel_fid = fid"
)


def _entry(row: "Sequence[Any]") -> tuple[int, Entry]:
    fid, id_, situs, names, also = row
    return fid, Entry(id_, situs, tuple(names.split("\n")), tuple(also.split("\n")) if also else ())


_PARCEL_SELECT = (
    "p.fid, p.id, p.tax_map_number, p.swis, p.role, p.situs, p.situs_number, p.situs_street, p.situs_unit, p.situs_city,"
    " p.situs_state, p.situs_zip, p.property_class, p.municipality, p.roll_year, p.layer, p.area_sq_ft, p.may_be_street, p.nys_class"
)


def _parcel(row: "Sequence[Any]") -> Parcel:
    text: list[Any] = [value or "" for value in row]
    return Parcel(
        fid=row[0],
        id=text[1],
        tax_map_number=text[2],
        swis=text[3],
        role=text[4],
        situs=Situs(*text[5:12]),
        property_class=text[12],
        municipality=text[13],
        roll_year=row[14],
        layer=row[15],
        area_sq_ft=row[16],
        may_be_street=None if row[17] is None else bool(row[17]),
        nys_class=text[18],
    )


def _bare(key: str) -> str:
    """Leave out the marks between the parts of a number.

    Examples
    --------
    >>> _bare("32-33-192") == _bare("32 33 192")
    True
    """
    return "".join(letter for letter in key if letter not in _PARTING)


def _described(parcel: Parcel) -> str:
    where = ", ".join(part for part in (parcel.municipality, parcel.situs.text) if part)
    return f"{parcel.id} ({where})" if where else parcel.id


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line)


def _chunks(fids: "Sequence[int]") -> "Iterable[Sequence[int]]":
    return (fids[start : start + _MANY] for start in range(0, len(fids), _MANY))


def _marks(values: "Sequence[object]") -> str:
    return ", ".join("?" * len(values))


def _geometries(blobs: "Sequence[bytes]") -> "NDArray[Any]":
    """Decode GeoPackage geometries: a header of eight bytes and an envelope before the WKB."""
    try:
        return shapely.from_wkb([blob[header_bytes(blob) :] for blob in blobs])
    except (shapely.errors.ShapelyError, TypeError, IndexError) as error:
        raise StoreError(
            Fault(
                what=f"a shape in the store is damaged ({error})",
                remedy="import the layers again",
                command="run geonotice import again",
            )
        ) from error
