"""Read the places of a table of text, CSV or workbook: columns of coordinates, or shapes written as text (WKT, WKB, GeoJSON)."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.columns.recognize import plain_name
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

    from geonotice.io.csv_tables import RowNames

__all__ = ["HEADINGS", "Located", "located", "without_places"]

_DEGREES = (
    ("lon", "lat"), ("long", "lat"), ("lng", "lat"), ("longitude", "latitude"), ("xlong", "ylat"), ("xlon", "ylat"), ("longitudex", "latitudey"),
    ("loclong", "loclat"), ("gpslon", "gpslat"), ("gpslongitude", "gpslatitude"), ("londd", "latdd"), ("longdd", "latdd"), ("lonwgs84", "latwgs84"),
    ("longitudewgs84", "latitudewgs84"), ("centroidlon", "centroidlat"), ("centlon", "centlat"), ("intptlon", "intptlat"),
)  # fmt: skip
"""Pairs of columns of longitude and latitude, by their plain names."""

_PLANE = (
    ("x", "y"), ("easting", "northing"), ("east", "north"), ("xcoord", "ycoord"), ("coordx", "coordy"), ("xcoordinate", "ycoordinate"), ("pointx", "pointy"),
    ("xcentroid", "ycentroid"), ("centroidx", "centroidy"), ("centerx", "centery"), ("gpsx", "gpsy"), ("spx", "spy"), ("stateplanex", "stateplaney"),
    ("xcord", "ycord"), ("addrx", "addry"), ("utmx", "utmy"), ("utmeasting", "utmnorthing"), ("grideast", "gridnorth"), ("xcoor", "ycoor"),
)  # fmt: skip
"""Pairs of columns of coordinates in a system that nobody can know from their names."""

_SHAPES = ("wkt", "thegeom", "geom", "geometry", "shape", "wktgeom", "geomwkt", "ewkt", "wkb", "ewkb", "wkbgeometry", "wktgeometry", "polygon", "multipolygon", "geojson", "location", "point")  # fmt: skip
"""Columns that may hold shapes written as text; whether they do is seen from what is in them."""

HEADINGS = frozenset(map(plain_name, (*_SHAPES, *(name for pair in (*_DEGREES, *_PLANE) for name in pair))))
"""Headings that are known to stand above places: they tell the row of headings from titles above it."""

_WKT = re.compile(
    r"\s*(?:SRID\s*=\s*\d+\s*;)?\s*(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION|CURVE|SURFACE|CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)",
    re.IGNORECASE,
)
_HEX = re.compile(r"\s*(?:\\x)?0[01][0-9A-F]{16,}\s*", re.IGNORECASE)
_GEOJSON = re.compile(r"\s*\{\s*\"(?:type|coordinates)\"\s*:")
_SRID = re.compile(r"\s*SRID\s*=\s*(\d+)\s*;", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?", re.IGNORECASE)
_ANGLE = re.compile(
    r"\s*(?P<sign>[-+]?)(?P<degrees>\d+(?:[.,]\d*)?)\s*°?\s*(?:(?P<minutes>\d+(?:[.,]\d*)?)\s*['\u2032\u2019]\s*)?"
    r"(?:(?P<seconds>\d+(?:[.,]\d*)?)\s*(?:\"|\u2033|\u201d|'')\s*)?(?P<side>[NSEW]?)\s*",
    re.IGNORECASE,
)
_SAMPLE = 50
_NAMED = 5


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """The places of a table: one shape a row (None where it has none), the CRS where it can be known, the other columns, and notes."""

    geometry: "NDArray[np.object_]"
    crs: str | None
    table: "Table"
    notes: tuple[Note, ...]


def located(table: "Table", rows: "RowNames", *, file: str) -> Located | None:
    """Read the places of a table; None where no column of it holds any.

    Shapes come before coordinates, longitude and latitude before others.

    Parameters
    ----------
    table
        Text throughout.
    rows
        What messages call its rows.
    file
        What messages call the file.

    Raises
    ------
    UnreadableLayer
        A shape is damaged.
    """
    names = {plain_name(name): name for name in reversed(table.column_names)}
    for plain in _SHAPES:
        name = names.get(plain_name(plain))
        if name is not None and (kind := _written_as(table, name)):
            return _shapes(table, name, kind, rows, file=file)
    for pairs, crs in ((_DEGREES, "EPSG:4326"), (_PLANE, None)):
        for pair in pairs:
            x, y = (names.get(plain_name(name)) for name in pair)
            if x is not None and y is not None:
                found = _points(table, (x, y), crs, rows)
                if found is not None:
                    return found
    return None


def without_places(table: "Table") -> tuple[Note, ...]:
    """Return that columns which are called like coordinates hold none that can be read, of a table in which :func:`located` found no places."""
    names = {plain_name(name): name for name in reversed(table.column_names)}
    for pair in (*_DEGREES, *_PLANE):
        columns = [names.get(plain_name(name)) for name in pair]
        values = [
            [text for text in table.column(name).to_pylist() if text and text.strip()] for name in columns if name is not None
        ]
        if len(values) == 2 and all(values):  # noqa: PLR2004  # a pair
            text = (
                f"Its columns {columns[0]} ({values[0][0]!r}) and {columns[1]} ({values[1][0]!r}) hold no coordinates that can be read together in"
                " a row: it is taken as a table without places."
            )
            return (Note("no_place", text),)
    return ()


def _written_as(table: "Table", name: str) -> str:
    """Return how the shapes of a column are written: ``wkt``, ``wkb``, ``geojson``; empty where it holds none."""
    sample = [text for text in table.column(name).drop_null().slice(0, _SAMPLE).to_pylist() if str(text).strip()]
    for kind, sign in (("wkt", _WKT), ("wkb", _HEX), ("geojson", _GEOJSON)):
        matched = sum(1 for text in sample if sign.match(str(text)))
        if matched and matched * 2 > len(sample):
            return kind
    return ""


def _shapes(table: "Table", name: str, kind: str, rows: "RowNames", *, file: str) -> Located:
    texts = table.column(name).to_pylist()
    geometry = np.full(len(texts), None, dtype=object)
    bad: list[str] = []
    codes: set[int] = set()
    for place, text in enumerate(texts):
        if text is None or not text.strip():
            continue
        try:
            shape = _shape(text, kind)
        except (shapely.errors.GEOSException, NotImplementedError, ValueError, TypeError) as error:
            curved = isinstance(error, NotImplementedError) or "Nonlinear" in str(error)
            why = "it has curves" if curved else " ".join(str(error).split())[:80] or "it is damaged"
            bad.append(f"{rows(place)}: {why}")
            continue
        stated = _SRID.match(text) if kind == "wkt" else None
        codes.add(int(stated[1]) if stated else int(shapely.get_srid(shape)))
        geometry[place] = shapely.force_2d(shape)
    if bad:
        more = f"; and {len(bad) - _NAMED} more" if len(bad) > _NAMED else ""
        raise UnreadableLayer(
            Fault(
                what=f"{len(bad):,} of {len(texts):,} shapes in the column {name} cannot be read ({'; '.join(bad[:_NAMED])}{more})",
                why="their owners would be left off every list",
                remedy="ask for it as GeoPackage, whose curves are read, too; or export it again: programs cut long cells (Excel after 32,767 letters)",
                file=file,
            )
        )
    codes.discard(0)
    if len(codes) > 1:
        raise UnreadableLayer(
            Fault(
                what=f"the shapes in the column {name} are in several coordinate reference systems (SRID {', '.join(map(str, sorted(codes)))})",
                why="one layer can be in one system only",
                remedy="export it again, all of it in one",
                file=file,
            )
        )
    crs = f"EPSG:{codes.pop()}" if codes else "EPSG:4326" if kind == "geojson" else None
    notes = [Note("located", f"Its shapes were read from the column {name}."), *_without(geometry, rows, "shape")]
    return Located(geometry, crs, table.drop_columns([name]), tuple(notes))


def _shape(text: str, kind: str) -> shapely.Geometry:
    if kind == "wkt":
        return shapely.from_wkt(_SRID.sub("", text, count=1).strip())
    if kind == "wkb":
        return shapely.from_wkb(text.strip().removeprefix("\\x"))
    return shapely.from_geojson(text)


def _points(table: "Table", columns: tuple[str, str], crs: str | None, rows: "RowNames") -> Located | None:  # fmt: skip
    """Make a point of each row; None where not one has two numbers."""
    read = _angle if crs else _number
    x, y = (np.array([read(text) for text in table.column(name).to_pylist()], dtype=float) for name in columns)
    whole = np.isfinite(x) & np.isfinite(y)
    if not whole.any():
        return None
    geometry = np.full(len(x), None, dtype=object)
    geometry[whole] = shapely.points(x[whole], y[whole])
    text = f"Its places were read from the columns {columns[0]} and {columns[1]}"
    text += ", as longitude and latitude (WGS 84)." if crs else "."
    return Located(geometry, crs, table, (Note("located", text), *_without(geometry, rows, "coordinates")))


def _number(text: str | None) -> float:
    """Read a coordinate; no number where it is none."""
    plain = (text or "").strip()
    if not plain or not _NUMBER.fullmatch(plain):
        return float("nan")
    try:
        return float(plain.replace(",", ""))
    except ValueError:
        return float("nan")


def _angle(text: str | None) -> float:
    r"""Read an angle: in degrees, with a decimal point or comma, or in degrees, minutes and seconds.

    Examples
    --------
    >>> _angle("-77.2"), _angle("42,7"), _angle("77.2 W"), _angle("42° 42' 0\" N")
    (-77.2, 42.7, -77.2, 42.7)
    """
    found = _ANGLE.fullmatch(text or "")
    if found is None:
        return float("nan")
    degrees, minutes, seconds = (float((found[part] or "0").replace(",", ".")) for part in ("degrees", "minutes", "seconds"))
    minus = found["sign"] == "-" or found["side"].upper() in {"S", "W"}
    return (degrees + minutes / 60 + seconds / 3600) * (-1 if minus else 1)


def _without(geometry: "NDArray[np.object_]", rows: "RowNames", what: str) -> list[Note]:
    without = np.flatnonzero(shapely.is_missing(geometry))
    if not len(without):
        return []
    more = f", and {len(without) - _NAMED:,} more" if len(without) > _NAMED else ""
    named = ", ".join(rows(place) for place in without[:_NAMED].tolist())
    return [Note("no_place", f"Rows without {what} that can be read, which are on no map: {len(without):,} ({named}{more}).")]
