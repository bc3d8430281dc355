"""GDAL without its noise: what it warns of is caught, kept and judged, never printed."""

import logging
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GDAL_OPTIONS", "Messages", "quiet_gdal"]

GDAL_OPTIONS: dict[str, str | bool | None] = {
    # An arc of 1,000 ft radius drawn in steps of half a degree strays 0.01 ft from the true curve; GDAL's own 4 degrees, 0.6 ft.
    "OGR_ARC_STEPSIZE": "0.5",
    # Not "NO": GDAL would then hand over an empty polygon in place of a ring that does not close, without a word.
    "OGR_GEOMETRY_ACCEPT_UNCLOSED_RING": "YES",
    # A file of the user's is never written to, not even its index.
    "SHAPE_RESTORE_SHX": "NO",
    # One feature of a county-wide multipolygon may be larger than the driver's cautious 200 MB.
    "OGR_GEOJSON_MAX_OBJ_SIZE": "2000MB",
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


@contextmanager
def quiet_gdal() -> "Iterator[Messages]":
    """Catch every warning and log line of pyogrio, fiona, pyproj and GDAL in the block, and set :data:`GDAL_OPTIONS` for it.

    Yields
    ------
    Messages
        filled as the block runs; warnings raised as Python warnings are added when it ends.
    """
    import pyogrio

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
