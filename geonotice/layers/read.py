"""Read one layer of any source, whole or not at all, in the CRS it is in, and check that its coordinates lie where the CRS says they can."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely

from geonotice.errors import Fault, LayerError, UnknownCRS, WrongGeometry
from geonotice.io.gdal_options import Messages, quiet_gdal
from geonotice.layers.columns.expression import flat_table
from geonotice.layers.formats.check_and_open import Source, opened
from geonotice.layers.formats.gdal_read import read_gdal
from geonotice.layers.formats.located_table import located, without_places
from geonotice.layers.formats.parquet import read_parquet
from geonotice.layers.look import LayerLook, choose, look_at
from geonotice.layers.nowhere import without_nowhere
from geonotice.layers.shapes import Shapes
from geonotice.layers.source import Note, RawLayer, geometry_kinds
from geonotice.units import resolve_crs
from geonotice.units.crs import Bounds

__all__ = [
    "check_place",
    "layer_bounds",
    "looks_swapped",
    "read_every_layer",
    "read_layer",
    "read_text_table",
    "read_unlocated",
    "require_parcels",
    "resolve_or_none",
    "with_crs",
]


FAR_DEGREES = 10.0
"""Ten degrees outside a CRS's area of use is another part of the world: the CRS is not the layer's."""

ODD_DEGREES = 0.5
"""Half a degree outside is odd, and may still be right: areas of use are drawn along counties."""

_WORLD_LON, _WORLD_LAT = 180.0, 90.0
_ROUNDING = 1e-6
# Where the United States are, Alaska and Hawaii included: what is in the window the other way round has its axes swapped.
_US_LON, _US_LAT = (-180.0, -64.0), (15.0, 72.0)


def looks_swapped(bounds: "Bounds", crs: str) -> bool:
    """Tell whether latitudes stand where longitudes belong.

    Parameters
    ----------
    bounds
        xmin, ymin, xmax, ymax as read, x being the longitude.
    crs
        The layer's CRS; only one in degrees can be swapped.

    Examples
    --------
    >>> looks_swapped((42.1, -77.3, 42.2, -77.1), "EPSG:4326")
    True
    >>> looks_swapped((-77.3, 42.1, -77.1, 42.2), "EPSG:4326")
    False
    """
    from geonotice.units.crs import parse_crs

    if not parse_crs(crs, {}).is_geographic:
        return False
    xmin, ymin, xmax, ymax = bounds
    fits_swapped = xmin >= -_WORLD_LAT and xmax <= _WORLD_LAT and ymin >= -_WORLD_LON and ymax <= _WORLD_LON
    impossible = ymin < -_WORLD_LAT or ymax > _WORLD_LAT
    in_the_us = _US_LAT[0] <= xmin and xmax <= _US_LAT[1] and _US_LON[0] <= ymin and ymax <= _US_LON[1]
    return fits_swapped and (impossible or in_the_us)


def check_place(bounds: "Bounds", crs: str, *, file: str = "", layer: str = "", given: bool = False) -> tuple[Note, ...]:
    """Refuse coordinates that contradict their CRS; note what is odd.

    Parameters
    ----------
    bounds
        xmin, ymin, xmax, ymax as read.
    crs
        The CRS they are said to be in.
    file, layer
        For the message.
    given
        Whether the user said so (``--crs``), not the file.

    Raises
    ------
    UnknownCRS
        Latitude and longitude are swapped, the numbers are no degrees, or they are degrees in a CRS of feet or metres, or far from
        where the CRS is used.
    """
    from geonotice.units.crs import parse_crs

    place = {"file": file, "layer": layer}
    parsed = parse_crs(crs, place)
    said = f"--crs says {crs}" if given else f"the layer says it is in {parsed.name}"
    spread = f"x from {_n(bounds[0])} to {_n(bounds[2])}, y from {_n(bounds[1])} to {_n(bounds[3])}"
    if parsed.is_geographic:
        if looks_swapped(bounds, crs):
            raise UnknownCRS(
                Fault(
                    what=f"latitude and longitude are swapped ({spread})",
                    why="every parcel would lie in another part of the world",
                    remedy="have it exported again with longitude before latitude (x before y), or swap them in QGIS (Swap X and Y coordinates)",
                    **place,
                )
            )
        if bounds[0] > 0 and _are_degrees((-bounds[2], bounds[1], -bounds[0], bounds[3])):
            raise UnknownCRS(
                Fault(
                    what=f"the longitudes have no minus sign ({spread})",
                    why="west of Greenwich a longitude is negative: as they are, the layer lies in Asia, and nothing near the town is found in it",
                    remedy="have it exported again with negative longitudes, or put a minus sign before each in the column of longitudes",
                    **place,
                )
            )
        if max(abs(bounds[0]), abs(bounds[2])) > 2 * _WORLD_LON or max(abs(bounds[1]), abs(bounds[3])) > _WORLD_LAT + _ROUNDING:
            raise UnknownCRS(
                Fault(
                    what=f"{said}, which is in degrees, but the numbers are none ({spread})",
                    why="they are feet or metres of some projected CRS",
                    remedy="find out which (the .prj file, or whoever made it), and give it with --crs, for example --crs EPSG:2263",
                    **place,
                )
            )
        return ()
    if _are_degrees(bounds):
        raise UnknownCRS(
            Fault(
                what=f"{said}, which is in feet or metres, but the numbers are degrees ({spread})",
                remedy="give --crs EPSG:4326 if they are longitude and latitude",
                **place,
            )
        )
    return _check_area(bounds, crs, said, place, spread)


def _check_area(bounds: "Bounds", crs: str, said: str, place: dict[str, str], spread: str) -> tuple[Note, ...]:
    from geonotice.units.crs import lon_lat_bounds, parse_crs

    here = lon_lat_bounds(bounds, crs)
    area = parse_crs(crs, place).area_of_use
    if here is None:
        raise UnknownCRS(
            Fault(
                what=f"{said}, but its numbers lie nowhere in it ({spread})",
                remedy="find out the layer's own CRS, and give it with --crs",
                **place,
            )
        )
    if area is None or area.east < area.west:
        return ()
    beyond = max(area.west - here[2], here[0] - area.east, area.south - here[3], here[1] - area.north)
    where = f"longitude {(here[0] + here[2]) / 2:.1f}, latitude {(here[1] + here[3]) / 2:.1f}"
    if beyond > FAR_DEGREES:
        raise UnknownCRS(
            Fault(
                what=f"{said}, but in it the numbers ({spread}) lie at {where}, far from where it is used ({_first(area.name)})",
                why="the layer is in another CRS than it says",
                remedy="find out its own CRS, and give it with --crs",
                **place,
            )
        )
    if beyond > ODD_DEGREES:
        text = f"In the CRS that it says, the layer lies at {where}, outside the area it is made for ({_first(area.name)}). Check the CRS."
        return (Note("outside_area", text),)
    return ()


def _are_degrees(bounds: "Bounds") -> bool:
    """Tell whether numbers that should be feet or metres are longitude and latitude in the United States, either way round."""
    xmin, ymin, xmax, ymax = bounds
    straight = _US_LON[0] <= xmin and xmax <= _US_LON[1] and _US_LAT[0] <= ymin and ymax <= _US_LAT[1]
    swapped = _US_LON[0] <= ymin and ymax <= _US_LON[1] and _US_LAT[0] <= xmin and xmax <= _US_LAT[1]
    return straight or swapped


def _first(area: str) -> str:
    return area if len(area) <= 80 else f"{area[:77]}..."  # noqa: PLR2004  # the EPSG registry lists every county


def _n(value: float) -> str:
    if not math.isfinite(value):
        return "nothing"
    if abs(value) >= 1e12:  # noqa: PLR2004  # so many digits tell nobody anything
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004  # feet and metres need no decimals in a message


SERVICE_LIMITS = frozenset({1000, 2000, 5000, 10000})
"""How many features map services send at most, as they come: a layer of exactly so many may be the first page of a longer one."""


def read_layer(path: Path | str, *, layer: str | None = None, crs: str | None = None) -> RawLayer:
    """Read a layer whole.

    Parameters
    ----------
    path
        A file, a FileGDB folder, or either zipped.
    layer
        The layer in it; needed where there are several and not exactly one of polygons.
    crs
        The source's CRS, where it states none or a wrong one.

    Raises
    ------
    UnreadableLayer
        The file is not there, does not open, was cut off, or a record in it does not read.
    CutOffLayer
        The file says itself that it is not complete.
    UnknownCRS
        Features, and no CRS known, or one that cannot be used safely, or coordinates that contradict it.
    LayerError
        Several layers and none named, or none of that name.
    """
    return with_crs(read_unlocated(path, layer=layer), crs)


def read_unlocated(path: Path | str, *, layer: str | None = None) -> RawLayer:
    """Read a layer whole, whatever it says of its CRS: ``crs`` is as declared, or None. For looking at it; :func:`read_layer` is for use."""
    path = Path(path)
    with quiet_gdal() as messages, opened(path, layer=layer) as source:
        if source.kind in _TABLES:
            raw = _read_table(source, layer)
        elif source.kind == "parquet":
            raw = _read_parquet(source)
        else:
            looks, notes = look_at(source)
            look, chosen = choose(looks, layer, path)
            raw = read_gdal(source, look, (*source.notes, *notes, *chosen))
    return replace(raw, table=flat_table(raw.table), notes=(*raw.notes, *_told(messages), *_count_notes(raw)))


def read_every_layer(path: Path | str, *, layer: str | None = None) -> tuple[tuple[LayerLook | None, RawLayer | LayerError], ...]:
    """Read all layers of a source, each whole or as the error that stops it; the look is None where the format has none (GeoParquet).

    ``layer`` only chooses among several files in a zip archive.

    Raises
    ------
    LayerError
        The source as a whole cannot be used.
    """
    path = Path(path)
    read: list[tuple[LayerLook | None, RawLayer | LayerError]] = []
    with quiet_gdal() as messages, opened(path, layer=layer) as source:
        if source.kind in _TABLES:
            return ((None, _read_table(source, layer)),)
        if source.kind == "parquet":
            return ((None, _read_parquet(source)),)
        looks, notes = look_at(source)
        for look in looks:
            before = len(messages.texts)
            try:
                raw = read_gdal(source, look, (*source.notes, *notes))
            except LayerError as error:
                read.append((look, error))
            else:
                said = _told(Messages(messages.texts[before:]))
                read.append((look, replace(raw, table=flat_table(raw.table), notes=(*raw.notes, *said, *_count_notes(raw)))))
    return tuple(read)


def _read_table(source: Source, sheet: str | None) -> RawLayer:
    return read_text_table(
        Path(source.dataset), shown=source.path, kind=source.kind, sheet=sheet if source.kind == "workbook" else None
    )


def read_text_table(path: Path, *, shown: Path, kind: str, sheet: str | None = None) -> RawLayer:
    """Read a CSV or a workbook as a roll is read, for there is one reader of tables of text; with its places, where it has any."""
    from geonotice.layers.roll_tables import read_roll_table

    table, said, rows = read_roll_table(path, sheet=sheet, given=str(shown))
    notes = tuple(Note("table", text) for text in said)
    fid = np.arange(len(table), dtype=np.int64)
    found = located(table, rows, file=str(shown))
    if found is None:
        return RawLayer(shown, shown.stem, kind.upper(), None, None, table, fid, (*notes, *without_places(table)))
    return RawLayer(shown, shown.stem, kind.upper(), found.crs, found.geometry, found.table, fid, (*notes, *found.notes))


def _read_parquet(source: Source) -> RawLayer:
    geometry, table, declared, notes = read_parquet(source)
    fid = np.arange(len(table), dtype=np.int64)
    return RawLayer(source.path, source.path.stem, "Parquet", declared, geometry, table, fid, (*source.notes, *notes))


def with_crs(raw: RawLayer, given: str | None) -> RawLayer:
    """Settle the CRS of a layer as read: the one given, else the one declared, recognised and held against the coordinates.

    Raises
    ------
    UnknownCRS
        There is none, it cannot be used safely, or the coordinates contradict it.
    """
    if raw.geometry is None:
        return raw
    written = given or raw.crs
    if written is None:
        raise _no_crs(raw)
    from geonotice.units.crs import parse_crs

    place = {"file": str(raw.path), "layer": raw.layer}
    try:
        raw = without_nowhere(raw, degrees=parse_crs(written, place).is_geographic)
        bounds = layer_bounds(raw)
        # where the numbers lie comes first: a transformation is chosen for that place
        odd = check_place(bounds, written, given=given is not None, **place) if bounds is not None else ()
        found = resolve_crs(written, bounds=bounds, **place)
    except UnknownCRS as error:
        raise UnknownCRS(
            replace(fault, file=fault.file or place["file"], layer=fault.layer or place["layer"]) for fault in error.faults
        ) from error
    notes = [*(Note(warning.code, warning.text) for warning in found.warnings), *odd]
    if given is not None and raw.crs is not None and resolve_or_none(raw.crs) != found.crs:
        notes.append(
            Note("crs_overridden", f"The layer says it is in another CRS; it was read as {found.name} ({given}), as you said.")
        )
    return replace(raw, crs=found.crs, notes=(*raw.notes, *notes))


def resolve_or_none(crs: str) -> str | None:
    """Recognise a declared CRS; None where it could not be used."""
    try:
        return resolve_crs(crs).crs
    except UnknownCRS:
        return None


def layer_bounds(raw: RawLayer) -> Bounds | None:
    """Return the layer's extent (xmin, ymin, xmax, ymax) in its own CRS; None where no feature has a place."""
    if raw.geometry is None or not len(raw.geometry):
        return None
    boxes = raw.geometry.bounds if isinstance(raw.geometry, Shapes) else shapely.bounds(raw.geometry)
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if not len(boxes):
        return None
    (xmin, ymin), (xmax, ymax) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return xmin, ymin, xmax, ymax


def require_parcels(raw: RawLayer) -> RawLayer:
    """Return the layer back if its features can be parcels: polygons, in a known CRS.

    Raises
    ------
    WrongGeometry
        A table, points or lines, or no feature at all.
    UnknownCRS
        No CRS.
    """
    place = {"file": str(raw.path), "layer": raw.layer}
    if raw.geometry is None:
        raise WrongGeometry(
            Fault(
                what="this is a table without geometry, and parcels are polygons",
                remedy="give the layer of the parcels here, and name this file as [[roll]] in the town file if it is the assessment roll",
                **place,
            )
        )
    kinds = geometry_kinds(raw.geometry)
    if not kinds.get("polygon"):
        found = "no features" if not kinds else " and ".join(f"{count} {kind}s" for kind, count in kinds.items())
        raise WrongGeometry(
            Fault(
                what=f"the layer holds {found}, and parcels are polygons",
                remedy="give the layer of the parcels' polygons",
                **place,
            )
        )
    if raw.crs is None:
        raise _no_crs(raw)
    return raw


def _no_crs(raw: RawLayer) -> UnknownCRS:
    return UnknownCRS(
        Fault(
            what="the layer does not say in which coordinate reference system (CRS) it is",
            why="without it no distance can be measured",
            remedy="ask whoever made it, and give it with --crs (for example --crs EPSG:2263), or put the .prj file beside a shapefile",
            file=str(raw.path),
            layer=raw.layer,
        )
    )


_TABLES = frozenset({"csv", "workbook"})
_ROOM = re.compile(r"[^\s'\"]*geonotice-[^/\\\s]+[/\\]")
"""The temporary folder that GDAL names where it means the source."""

_BUILD = re.compile(r"in \S+\.(?:cpp|cxx|cc|c|h|hpp) at line \d+")
"""Where in its own source GDAL stood when something went wrong, which tells a clerk nothing."""

_SAID = (
    ("Measured (M) geometry", "m_dropped", "Its corners have measures (M); they were left out."),
    ("organizePolygons", "rings_sorted", "Some of its polygons have their rings in an unusual order; they were put in order."),
)
# pyogrio says of lists that it skips them where it only describes a layer; reading through arrow has them
_UNIMPORTANT = (
    "Skipping field",
    "Non closed ring",
    "geometry column does not",
    "driver is not intended",
    "may not be",
    "deprecated",
)


def _told(messages: Messages) -> list[Note]:
    """Make notes of what GDAL said, in our words where we have some."""
    notes: list[Note] = []
    for said in messages.texts:
        text = _BUILD.sub("where the file is damaged", _ROOM.sub("", said))
        if any(sign in text for sign in _UNIMPORTANT):
            continue
        known = next((Note(code, words) for sign, code, words in _SAID if sign in text), None)
        note = known or Note("gdal", f"The reading library said: {text}")
        if note not in notes:
            notes.append(note)
    return notes


def _count_notes(raw: RawLayer) -> list[Note]:
    if len(raw) in SERVICE_LIMITS:
        text = f"It has exactly {len(raw):,} records, the most that many map services send at once. Make sure that it is the whole layer."
        return [Note("round_count", text)]
    return []
