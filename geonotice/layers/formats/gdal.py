"""The one place where a file of the user's is opened with GDAL: only by the drivers of its kind, with its warnings caught."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnreadableLayer
from geonotice.io.gdal_options import load_pyogrio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geonotice.layers.formats.check_and_open import Source


__all__ = [
    "DRIVERS",
    "described",
    "fiona_features",
    "layer_names",
    "open_batches",
    "read_features",
    "read_table",
    "require_driver",
]


DRIVERS: dict[str, tuple[str, ...]] = {
    "shapefile": ("ESRI Shapefile",),
    "gdb": ("OpenFileGDB",),
    "gpkg": ("GPKG", "SQLite"),
    "json": ("GeoJSON", "ESRIJSON", "TopoJSON", "JSONFG", "GeoJSONSeq"),
    "json_sequence": ("GeoJSONSeq", "GeoJSON"),
    "gml": ("GML",),
    "kml": ("LIBKML", "KML"),
    "gpx": ("GPX",),
    "dbf": ("ESRI Shapefile",),
    "csv": ("CSV",),
    "mapinfo": ("MapInfo File",),
    "fgb": ("FlatGeobuf",),
    "dxf": ("DXF",),
}
"""The drivers that may open a file, by the kind that its content shows."""


def layer_names(source: "Source") -> list[tuple[str, str | None]]:
    """List the layers of a source with their declared geometry; None for a table."""
    pyogrio = _pyogrio(source)
    return [(str(name), kind) for name, kind in pyogrio.list_layers(source.dataset)]


def described(source: "Source", layer: str) -> dict[str, Any]:
    """Describe a layer, with its features counted.

    Raises
    ------
    UnreadableLayer
        A driver opened it that is not meant for its kind.
    """
    pyogrio = _pyogrio(source)
    with _crs_in_words(source):
        info: dict[str, Any] = pyogrio.read_info(source.dataset, layer=layer, encoding=source.encoding, force_feature_count=True)
    require_driver(source, str(info["driver"]))
    return info


def read_table(source: "Source", layer: str, *, geometry: bool) -> Any:  # noqa: ANN401  # pyogrio's description and arrow table
    """Read a layer's rows as pyogrio's description and an arrow table: record ids first, geometry last."""
    _pyogrio(source)
    from pyogrio.raw import read_arrow

    with _crs_in_words(source):
        return read_arrow(source.dataset, layer=layer, encoding=source.encoding, return_fids=True, read_geometry=geometry)


@contextmanager
def open_batches(source: "Source", layer: str, *, geometry: bool) -> "Iterator[Any]":
    """Open a layer's rows as pyogrio's description and a reader of arrow batches: record ids first, geometry last."""
    _pyogrio(source)
    from pyogrio.raw import open_arrow

    with (
        _crs_in_words(source),
        open_arrow(
            source.dataset, layer=layer, encoding=source.encoding, return_fids=True, read_geometry=geometry, use_pyarrow=True
        ) as opened,
    ):
        yield opened


def read_features(source: "Source", layer: str) -> Any:  # noqa: ANN401  # pyogrio's four arrays
    """Read a layer's geometry record by record, with its curves drawn as straight lines."""
    _pyogrio(source)
    from pyogrio.raw import read

    with _crs_in_words(source):
        return read(source.dataset, layer=layer, encoding=source.encoding, columns=[])


@contextmanager
def fiona_features(source: "Source", layer: str) -> "Iterator[Any]":
    """Open a layer with fiona, with no driver but those of its kind.

    Raises
    ------
    ImportError
        fiona is not installed.
    """
    import fiona

    names = list(_allowed(source))
    with fiona.open(
        source.dataset, layer=layer, encoding=source.encoding, enabled_drivers=names, allow_unsupported_drivers=True
    ) as features:
        yield features


def require_driver(source: "Source", driver: str) -> None:
    """Refuse what another driver opened than one of the kind that the content showed."""
    if driver not in _allowed(source):
        raise UnreadableLayer(
            Fault(
                what=f"the file is of a kind that is not read ({driver})",
                why="such a file may stand for other files, or for an address on the network, that nobody sees here",
                remedy="export the layer itself as GeoPackage, shapefile or GeoJSON, and name that",
                file=str(source.path),
            )
        )


@contextmanager
def _crs_in_words(source: "Source") -> "Iterator[None]":
    """Put in words what pyogrio does with a CRS that GDAL can parse and cannot write (get_crs leaves a variable unset)."""
    try:
        yield
    except UnboundLocalError as error:
        raise UnreadableLayer(
            Fault(
                what="its coordinate reference system (CRS) is damaged: GDAL cannot tell which it is",
                why="the layer would lie elsewhere",
                remedy="have the .prj file made anew, or export the layer again",
                file=str(source.path),
            )
        ) from error


def _allowed(source: "Source") -> tuple[str, ...]:
    return DRIVERS.get(source.kind, ())


def _pyogrio(source: "Source") -> Any:  # noqa: ANN401  # a module without types
    """Load pyogrio for a source of a kind that GDAL may open at all."""
    if not _allowed(source):
        require_driver(source, source.kind)
    return load_pyogrio()
