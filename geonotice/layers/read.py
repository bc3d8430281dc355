"""Read one layer of any source, whole or not at all, in the CRS it is in.

:func:`read_layer` is the one way in. What it gives has been looked at before (:mod:`geonotice.layers.preflight`) and after: no
cut-off download, no half-read file, no coordinates that contradict their CRS. What was changed on the way is in ``notes``.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import Fault, LayerError, UnknownCRS, UnreadableLayer, WrongGeometry
from geonotice.layers.quiet import Messages, quiet_gdal
from geonotice.units import resolve_crs
from geonotice.units.move import Bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

__all__ = ["Note", "RawLayer", "read_layer", "require_parcels"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a source that its reader should know, though it can be used.

    ``code`` is stable and for programs; ``text`` is a sentence for the clerk.
    """

    code: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class RawLayer:
    """One layer as its source has it.

    Parameters
    ----------
    path
        The source, as given.
    layer
        The layer's name in it.
    driver
        The format, by GDAL's name of it (``Parquet`` for GeoParquet).
    crs
        The source's CRS, as a string pyproj takes; None only where there is no geometry.
    geometry
        Shapely geometries in ``crs``, two-dimensional, as an object array of the table's length; None where a row has no geometry.
        The whole is None for a table.
    table
        The attributes, without geometry and feature id, in the order of the source.
    fid
        The feature id of each row, int64: what GDAL calls it by; the row's number where the format has none.
    notes
        What the reader should know.
    """

    path: Path
    layer: str
    driver: str
    crs: str | None
    geometry: "NDArray[np.object_] | None"
    table: "Table"
    fid: "NDArray[np.int64]"
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.fid)

    @property
    def columns(self) -> tuple[str, ...]:
        """The attributes' names, in the order of the source."""
        return tuple(self.table.column_names)


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
        The file is not there, does not open, or a record in it does not.
    CutOffLayer
        The file says itself that it is not complete.
    UnknownCRS
        Features, and no CRS known, or one that cannot be used safely, or coordinates that contradict it.
    LayerError
        Several layers and none named, or none of that name.
    """
    path = Path(path)
    with quiet_gdal() as messages:
        raw = _read(path, layer, messages)
    return raw if raw.geometry is None else _with_crs(raw, crs)


def require_parcels(raw: RawLayer) -> RawLayer:
    """Give the layer back if its features can be parcels: polygons, in a known CRS.

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


KINDS = {0: "point", 1: "line", 2: "line", 3: "polygon", 4: "point", 5: "line", 6: "polygon", 7: "collection"}
"""Shapely's type numbers, in words."""


def geometry_kinds(geometry: "NDArray[np.object_]") -> dict[str, int]:
    """Count the rows of each kind (``polygon``, ``line``, ``point``, ``collection``); rows without geometry are not counted."""
    types, counts = np.unique(shapely.get_type_id(geometry), return_counts=True)
    kinds: dict[str, int] = {}
    for number, count in zip(types.tolist(), counts.tolist(), strict=True):
        if number >= 0:
            kinds[KINDS[number]] = kinds.get(KINDS[number], 0) + count
    return dict(sorted(kinds.items(), key=lambda item: -item[1]))


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


def _with_crs(raw: RawLayer, given: str | None) -> RawLayer:
    declared = raw.crs
    if given is None and declared is None:
        raise _no_crs(raw)
    found = resolve_crs(given or declared or "", file=str(raw.path), layer=raw.layer, bounds=_bounds(raw))
    notes = tuple(Note(caution.code, caution.text) for caution in found.cautions)
    return replace(raw, crs=found.crs, notes=(*raw.notes, *notes))


def _bounds(raw: RawLayer) -> Bounds | None:
    if raw.geometry is None or not len(raw.geometry):
        return None
    xmin, ymin, xmax, ymax = shapely.total_bounds(raw.geometry).tolist()
    return (xmin, ymin, xmax, ymax) if np.isfinite((xmin, ymin, xmax, ymax)).all() else None


def _read(path: Path, layer: str | None, messages: Messages) -> RawLayer:
    if path.suffix.lower() in {".parquet", ".geoparquet", ".pq"}:
        return _read_parquet(path)
    raw = _read_gdal(path, layer)
    return replace(raw, notes=(*raw.notes, *(Note("gdal", text) for text in messages.texts)))


def _read_gdal(path: Path, layer: str | None) -> RawLayer:
    import pyogrio
    from pyogrio.errors import DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError
    from pyogrio.raw import read_arrow

    try:
        name = _choose(path, layer, pyogrio.list_layers(path))
        info: dict[str, Any] = pyogrio.read_info(path, layer=name)
        tabular = info["geometry_type"] is None
        meta, table = read_arrow(path, layer=name, return_fids=True, read_geometry=not tabular)
    except (DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError, OSError) as error:
        raise UnreadableLayer(
            Fault(what=f"the file does not open: {error}", remedy="export it again from the program that made it", file=str(path))
        ) from error
    fid_name = meta["fid_column"] or "OGC_FID"
    fid = table.column(fid_name).to_numpy().astype(np.int64)
    table = table.drop_columns([fid_name])
    geometry = None
    if not tabular:
        column = meta["geometry_name"] or "wkb_geometry"
        geometry = np.asarray(shapely.from_wkb(table.column(column).to_numpy(zero_copy_only=False)), dtype=object)
        table = table.drop_columns([column])
        if shapely.has_z(geometry).any():
            geometry = shapely.force_2d(geometry)
    crs = None if (meta["crs"] or "").startswith(("LOCAL_CS", "ENGCRS")) else meta["crs"]
    return RawLayer(path=path, layer=name, driver=info["driver"], crs=crs, geometry=geometry, table=table, fid=fid)


def _choose(path: Path, layer: str | None, layers: "NDArray[np.object_]") -> str:
    names = [str(name) for name, _ in layers]
    if layer is not None:
        if layer in names:
            return layer
        raise LayerError(
            Fault(
                what=f"there is no layer {layer!r} in it", remedy=f"name one of: {', '.join(names)}", file=str(path), layer=layer
            )
        )
    if len(names) == 1:
        return names[0]
    polygons = [str(name) for name, kind in layers if kind and "Polygon" in kind]
    if len(polygons) == 1:
        return polygons[0]
    listed = "; ".join(f"{name} ({kind or 'table'})" for name, kind in layers)
    raise LayerError(
        Fault(
            what=f"there are several layers in it: {listed}",
            remedy="name the one that is meant",
            file=str(path),
        )
    )


def _read_parquet(path: Path) -> RawLayer:
    import geopandas

    try:
        frame = geopandas.read_parquet(path)
    except (ValueError, OSError) as error:
        raise UnreadableLayer(
            Fault(what=f"the file is no GeoParquet: {error}", remedy="export it again as GeoPackage", file=str(path))
        ) from error
    import pyarrow as pa

    geometry = np.asarray(frame.geometry.array, dtype=object)
    table = pa.Table.from_pandas(frame.drop(columns=frame.geometry.name), preserve_index=False)
    crs = frame.crs.to_string() if frame.crs else None
    return RawLayer(
        path=path,
        layer=path.stem,
        driver="Parquet",
        crs=crs,
        geometry=geometry,
        table=table,
        fid=np.arange(len(frame), dtype=np.int64),
    )
