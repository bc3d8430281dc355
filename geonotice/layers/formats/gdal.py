"""The one place where a file of the user's is opened with GDAL: only by the drivers of its kind, with its warnings caught."""

import logging
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnreadableLayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geonotice.layers.formats.check import Source


__all__ = [
    "DRIVERS",
    "GDAL_OPTIONS",
    "Messages",
    "described",
    "fiona_features",
    "layer_names",
    "load_pyogrio",
    "quiet_gdal",
    "read_features",
    "read_table",
    "require_driver",
]


GDAL_OPTIONS: dict[str, str | bool | None] = {
    # An arc of 1,000 ft radius drawn in steps of half a degree strays 0.01 ft from the true curve; GDAL's own 4 degrees, 0.6 ft.
    "OGR_ARC_STEPSIZE": "0.5",
    # Not "NO": GDAL would then hand over an empty polygon in place of a ring that does not close, without a word.
    "OGR_GEOMETRY_ACCEPT_UNCLOSED_RING": "YES",
    # A file of the user's is never written to, not even its index.
    "SHAPE_RESTORE_SHX": "NO",
    # In memory a feature takes some ten times its text: this keeps the largest under 2 GB.
    "OGR_GEOJSON_MAX_OBJ_SIZE": "150MB",
    # The columns of a GML are what stands in it: no schema of a neighboring file, none from the network, and no 00123 read as a number.
    "GML_FIELDTYPES": "ALWAYS_STRING",
    "GML_GFS_TEMPLATE": None,
    "GML_DOWNLOAD_SCHEMA": "NO",
    "GML_SKIP_RESOLVE_ELEMS": "ALL",
    # No reading of a file goes to the network: nothing answers at this port.
    "GDAL_HTTP_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTPS_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTP_CONNECTTIMEOUT": "1",
}
"""What GDAL is told while geonotice reads; put back as it was afterwards."""

LOGGERS = ("pyogrio", "fiona", "fiona.ogrext", "fiona._env", "rasterio")


@dataclass(slots=True)
class Messages:
    """What GDAL and its Python bindings said while reading, each text once, in order."""

    texts: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Keep a text that has not been said yet."""
        text = " ".join(text.split())
        if text and text not in self.texts:
            self.texts.append(text)


class _Keep(logging.Handler):
    def __init__(self, messages: Messages) -> None:
        super().__init__(logging.WARNING)
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.add(record.getMessage())


def load_pyogrio() -> Any:  # noqa: ANN401  # a module without types
    """Import pyogrio, without GDAL's VRT driver where this is the first import: what the driver opens is in other files."""
    import sys

    if "pyogrio" not in sys.modules:
        before = os.environ.get("OGR_SKIP")
        os.environ["OGR_SKIP"] = "OGR_VRT" if not before else f"{before},OGR_VRT"
        try:
            import pyogrio
        finally:
            if before is None:
                del os.environ["OGR_SKIP"]
            else:
                os.environ["OGR_SKIP"] = before
    import pyogrio

    return pyogrio


@contextmanager
def quiet_gdal() -> "Iterator[Messages]":
    """Catch every warning and log line of pyogrio, fiona, pyproj and GDAL in the block, and set :data:`GDAL_OPTIONS` for it.

    Yields
    ------
    Messages
        filled as the block runs; warnings raised as Python warnings are added when it ends.
    """
    pyogrio = load_pyogrio()
    messages = Messages()
    before = {name: pyogrio.get_gdal_config_option(name) for name in GDAL_OPTIONS}
    handler = _Keep(messages)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    propagated = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    pyogrio.set_gdal_config_options(GDAL_OPTIONS)
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught_here:
            caught = caught_here
            warnings.simplefilter("always")
            yield messages
    finally:
        for warning in caught:
            messages.add(str(warning.message))
        pyogrio.set_gdal_config_options(before)
        for logger, propagate in zip(loggers, propagated, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate


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
