"""GDAL without surprises: nothing from the network, no file of the user's written to, its warnings caught."""

import logging
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GDAL_OPTIONS", "Messages", "load_pyogrio", "quiet_gdal"]

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
    # One batch after another: GDAL reads several ahead, and holds them all in memory.
    "OGR_GPKG_NUM_THREADS": "1",
    # No reading of a file goes to the network: nothing answers at this port.
    "GDAL_HTTP_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTPS_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTP_CONNECTTIMEOUT": "1",
}
"""GDAL's options while geonotice reads; put back as it was afterwards."""

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
