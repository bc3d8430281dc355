"""What a map is drawn from: plain values and shapely geometries, all in the town's CRS."""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.model import Recipient, ResultWarning

__all__ = ["EvidenceLine", "MapFeature", "MapLayers", "MapNotice", "MapParcel", "ParcelStatus"]

ParcelStatus = Literal["premises", "notified", "near_miss", "context"]


class MapParcel(Struct, frozen=True, kw_only=True):
    """A parcel on a notice map.

    Parameters
    ----------
    fid
        The parcel's key in the store.
    id
        Its tax map number, as lists print it.
    geometry
        Its outline, in the town's CRS.
    situs
        The property's own address.
    owners
        Names of the owners of record, one a line; drawn on the staff's map only.
    relation
        How it stands to the premises: ``abutting``, ``corner``, ``opposite`` or ``within``; empty for the premises and the others.
    distance_ft
        Distance to the premises, in US survey feet.
    reasons
        Why it is on the list: each a rule with the clause's words, or why it is a near miss.
    review
        Codes of what a person should look at.
    status
        What the list makes of it; ``context`` is drawn for orientation only.
    also
        The other relations that hold.
    role
        ``lot``, ``right_of_way``, ``railroad`` or ``water``.
    """

    fid: int
    id: str
    geometry: "BaseGeometry"
    situs: str = ""
    owners: tuple[str, ...] = ()
    relation: str = ""
    distance_ft: float | None = None
    reasons: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    status: ParcelStatus = "context"
    also: tuple[str, ...] = ()
    role: str = "lot"


class MapFeature(Struct, frozen=True, kw_only=True):
    """A feature of a background layer: a street, a district, a municipality; ``detail`` is what its pop-up adds to the label."""

    geometry: "BaseGeometry"
    label: str = ""
    detail: str = ""


class MapLayers(Struct, frozen=True, kw_only=True):
    """The town's other layers, as far as the town has them and the map shows them."""

    streets: tuple[MapFeature, ...] = ()
    railroads: tuple[MapFeature, ...] = ()
    water: tuple[MapFeature, ...] = ()
    municipalities: tuple[MapFeature, ...] = ()
    zoning: tuple[MapFeature, ...] = ()


class EvidenceLine(Struct, frozen=True, kw_only=True):
    """What a finding rests on, drawn: a line, a point or an area.

    ``kind`` is one of ``extension`` (a lot line extended across a right-of-way), ``across`` (straight over it to what is opposite),
    ``straight_across`` (straight over it to what the extended lot lines do not meet), ``shared_run`` (the run of lot line two parcels share), ``corner`` (where they only touch), ``frontage``, ``nearest`` (the two
    nearest points), ``boundary`` (the way to a municipal boundary), ``sign`` (where a sign goes), ``area`` (the part of the premises
    that the event uses). Another kind is drawn plainly, under its own name.
    """

    kind: str
    geometry: "BaseGeometry"
    label: str = ""


class MapNotice(Struct, frozen=True, kw_only=True):
    """One notice list, as its map shows it.

    Parameters
    ----------
    town
        The town's name.
    title
        What the notice is for, in words: ``Hearing on October 20, 2026``.
    premises
        The premises in words: tax map numbers and address.
    crs
        The CRS of all geometries (``EPSG:2261``), in feet.
    parcels
        The premises, the notified, the near misses, and neighbours for orientation.
    radius_ft
        The distance that the law asks for, drawn as a ring; None where it asks for none.
    evidence
        What the findings rest on.
    warnings
        The warnings of the result.
    sources
        One line a source: layer, file, date.
    subtitle
        Further lines of the title box, such as the ordinance and the date of the list.
    recipients
        All recipients of the list: their numbers label the parcels that they are notified for. On the staff's map only.
    """

    town: str
    title: str
    premises: str
    crs: str
    parcels: tuple[MapParcel, ...]
    radius_ft: float | None = None
    evidence: tuple[EvidenceLine, ...] = ()
    warnings: "tuple[ResultWarning, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()
    recipients: "tuple[Recipient, ...]" = ()
