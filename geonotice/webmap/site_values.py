"""What the site map is drawn from: an event's premises, its frontages and setbacks, and what the applicant drew."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.model import Caution
    from geonotice.webmap.values import MapParcel

__all__ = ["MapSite", "SiteLine", "SiteThing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLine:
    """A line of the site, such as a frontage or a setback, with the ground between the lot lines and it where it bounds some."""

    label: str
    detail: str
    geometry: "BaseGeometry"
    ground: "BaseGeometry | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteThing:
    """A thing of the applicant's drawing: what it is, what was measured of it, and what it does not keep, one sentence each."""

    what: str
    geometry: "BaseGeometry"
    measured: str = ""
    inside: tuple[str, ...] = ()
    parking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSite:
    """The site of one event, as its map shows it.

    Parameters
    ----------
    town, title, premises
        The town's name, what the event is called, and the premises in words.
    crs
        The CRS of all geometries, in feet.
    parcels
        The premises, and neighbours for orientation.
    frontages, setbacks
        The runs of lot line along a street; the setback line of each district that the profile's table has widths for.
    things
        What the applicant drew.
    route
        A parade's route.
    remark
        What is to be said of the setbacks, such as that no table gives them.
    cautions, sources, subtitle
        The warnings of the check, one line a source, and further lines of the title box.
    """

    town: str
    title: str
    premises: str
    crs: str
    parcels: "tuple[MapParcel, ...]"
    frontages: tuple[SiteLine, ...] = ()
    setbacks: tuple[SiteLine, ...] = ()
    things: tuple[SiteThing, ...] = ()
    route: SiteLine | None = None
    remark: str = ""
    cautions: "tuple[Caution, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()
