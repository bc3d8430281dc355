"""Notice lists, zoning limits and permit caps for events, from a town's parcel layers and its ordinance."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from geonotice.api import open_town

__all__ = ["__version__", "open_town"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import the workflow only when it is asked for, so that a command that needs less starts at once."""
    if name == "open_town":
        from geonotice.api import open_town

        return open_town
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
