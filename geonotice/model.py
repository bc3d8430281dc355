"""Values that cross rooms: frozen, hashable, without geometry and without I/O.

Distances are in US survey feet, areas in square feet; the words are those of the project's plan: *parcel*, *premises*, *relation*,
*owner of record*, *resident*, *recipient*, *finding*.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

__all__ = [
    "AddressPoint",
    "Caution",
    "Finding",
    "NearMiss",
    "NoticeParcel",
    "Owner",
    "Parcel",
    "Problem",
    "Recipient",
    "Relation",
    "Role",
    "Situs",
    "Source",
]

Role = Literal["lot", "right_of_way", "railroad", "water"]
Relation = Literal["abutting", "corner", "opposite", "within"]
RecipientRole = Literal["owner", "resident", "clerk", "applicant"]
Mail = Literal["certified", "first_class", "none"]
Status = Literal["met", "not_met", "decide", "remind"]


@dataclass(frozen=True, slots=True)
class Situs:
    """A property's own address, as the layer words it; ``text`` is the whole of it, the parts are empty where not given apart."""

    text: str = ""
    number: str = ""
    street: str = ""
    unit: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One tax lot, as the store holds it.

    ``id`` is what the user reads and types: the tax map number as the layer prints it, or ``SWIS/number`` where one number stands
    in two SWIS. A record without a number is ``#<fid>``. ``layer`` is the index of its ``[[layers.parcels]]``, 0 for the town's own.
    """

    fid: int
    id: str
    tax_map_number: str
    swis: str
    role: Role
    situs: Situs
    property_class: str
    municipality: str
    roll_year: int | None
    layer: int
    area_sq_ft: float


@dataclass(frozen=True, slots=True)
class Owner:
    """One owner of record of one parcel, verbatim.

    ``names`` are the name lines (a second owner without an address of their own is a second line; care-of and attention lines stay,
    after the names they follow); ``address`` the delivery lines, the post-office box last. ``country`` is empty for the United States.
    ``address_text`` is the one string a layer gave instead of parts (then the parts are what could be split off it safely).
    ``source`` is ``layer`` or ``roll``.
    """

    parcel_fid: int
    n: int
    names: tuple[str, ...]
    address: tuple[str, ...]
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""
    source: str = "layer"
    roll_year: int | None = None

    @property
    def mailable(self) -> bool:
        """Whether a letter can be addressed: a name, a delivery line, and a city or a ZIP code (or another country)."""
        return bool(self.names and self.address and (self.city or self.zip or self.country))


@dataclass(frozen=True, slots=True)
class AddressPoint:
    """A dwelling or unit at a property's own address; ``parcel_fid`` as assigned at import, None where it lies on none."""

    parcel_fid: int | None
    number: str
    street: str
    unit: str
    city: str
    state: str
    zip: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that went into the store, as printed on every list."""

    layer: str
    path: str
    sha256: str
    as_of: date | None
    features: int
    crs: str
    size: int
    mtime_ns: int
    roll_year: int | None = None
    final: bool | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What import repaired, dropped, dissolved, could not match or could not address, and why."""

    layer: str
    key: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning in a result: what the program could not see or was not sure of."""

    code: str
    text: str
    parcels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeParcel:
    """A parcel on a notice list and why it is there."""

    fid: int
    id: str
    swis: str
    relation: Relation
    distance_ft: float
    rule: str
    citation: str
    situs: str
    also: tuple[Relation, ...] = ()
    shared_ft: float | None = None
    opposite_ft: float | None = None
    review: tuple[str, ...] = ()
    owners: int = 0
    residents: int = 0


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A parcel just outside a rule's reach, never mailed."""

    id: str
    distance_ft: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person to be notified: one mail piece, with the parcels that make them one."""

    number: int
    role: RecipientRole
    names: tuple[str, ...]
    address: tuple[str, ...]
    city: str
    state: str
    zip: str
    country: str
    mail: Mail
    parcels: tuple[str, ...]
    reasons: tuple[str, ...]
    situs: str = ""
    relation: str = ""
    distance_ft: float | None = None
    review: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule applied."""

    rule: str
    status: Status
    citation: str
    text: str
    facts: dict[str, object] = field(default_factory=dict)
    review: tuple[str, ...] = ()
