"""Values that cross rooms: frozen, hashable, without geometry and without I/O.

Distances are in US survey feet, areas in square feet; the words are those of the project's plan: *parcel*, *premises*, *relation*,
*owner of record*, *resident*, *recipient*, *finding*.
"""

from datetime import date
from typing import Any, Literal

from msgspec import Struct

__all__ = [
    "LIKELY_DAYS",
    "MAIL_CLASSES",
    "AddressPoint",
    "Adjoining",
    "Clause",
    "CommonLand",
    "Correction",
    "District",
    "DistrictClass",
    "Finding",
    "Frontage",
    "FrontageStatus",
    "Mail",
    "Municipality",
    "NearMiss",
    "Notice",
    "NoticeParcel",
    "OrdinanceRef",
    "OtherRecipient",
    "Override",
    "Owner",
    "Parcel",
    "Problem",
    "Recipient",
    "RecipientRole",
    "Relation",
    "Required",
    "ResultWarning",
    "Role",
    "SecondPlace",
    "Sign",
    "Situs",
    "Source",
    "Status",
    "Supplement",
    "Told",
]

LIKELY_DAYS = (date(1900, 1, 1), date(2199, 12, 31))
"""Dates outside are slips of the pen: no record of a town is older, no event so far ahead. Nothing is counted from them."""

Role = Literal["lot", "right_of_way", "railroad", "water"]
Relation = Literal["abutting", "corner", "opposite", "within", "common_land"]
RecipientRole = Literal["owner", "resident", "clerk", "other", "applicant"]
Mail = Literal["certified", "first_class", "none"]
MAIL_CLASSES: tuple[Mail, ...] = ("none", "first_class", "certified")
"""From the least strict to the strictest: a piece that several rules ask for goes as the strictest of them."""
Status = Literal["met", "not_met", "decide", "remind"]
Required = Literal["yes", "no", "decide", "on_demand"]
DistrictClass = Literal["residential", "other", "undetermined"]
FrontageStatus = Literal["answered", "open", "cut_off"]


class Situs(Struct, frozen=True):
    """A property's own address, as the layer words it; ``text`` is the whole of it, the parts are empty where not given apart."""

    text: str = ""
    number: str = ""
    street: str = ""
    unit: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""


class Parcel(Struct, frozen=True):
    """One tax lot, as the store holds it.

    ``id`` is what the user reads and types: the tax map number as the layer prints it, or ``SWIS/number`` where one number stands
    in two SWIS. A record without a number is ``#<fid>``. ``layer`` is the index of its ``[[layers.parcels]]``, 0 for the town's own.
    ``may_be_street`` is true for a lot that does what a street does, until the town file says which it is (lists look through it); false for
    one that a person or its class says is a lot. ``property_class`` is the layer's word, ``nys_class`` New York's three digits of it, empty
    where the layer is not New York's.
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
    may_be_street: bool | None = None
    nys_class: str = ""


class Owner(Struct, frozen=True):
    """One owner of record of one parcel, verbatim.

    ``names`` are the name lines (a second owner without an address of their own is a second line; care-of and attention lines stay,
    after the names they follow); ``address`` the delivery lines, the post-office box last. ``country`` is empty for the United States.
    ``source`` is ``layer`` or ``roll``; ``changed`` are the codes of what is not as the layer or the roll has it, or is doubtful.
    ``corrected`` names the corrections that changed it, and ``not_mailed`` says why a correction keeps letters from this owner; both are empty on the roll.
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
    changed: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    not_mailed: str = ""

    @property
    def mailable(self) -> bool:
        """Whether a letter can be addressed: a delivery line, and a city or a ZIP code (or another country). A name is not needed."""
        return bool(self.address and (self.city or self.zip or self.country))


class Correction(Struct, frozen=True, kw_only=True):
    """A row of the town's corrections file: what a person found out that the layers and the roll do not have.

    ``row`` is where it stands in the file, ``was`` whose land it was when it was written (empty: not stated), ``before`` what the layers have in its place.
    """

    row: int
    parcel: str
    field: str
    value: str
    by: str
    on: date
    why: str
    was: str = ""
    before: str = ""

    @property
    def words(self) -> str:
        """What was corrected, by whom, when and why, in one line.

        Examples
        --------
        >>> Correction(row=2, parcel="1-1", field="zip", value="14512", by="R. Doe", on=date(2026, 8, 30), why="mail came back").words
        'correction: zip (R. Doe, 2026-08-30: mail came back)'
        """
        return f"correction: {self.field} ({self.by}, {self.on.isoformat()}: {self.why})"


class CommonLand(Struct, frozen=True):
    """That a unit's owner owns a share of a common lot, as import tied the two.

    ``how`` is ``class``, ``number`` or ``town_file``; ``question`` where a person is asked and nothing is tied.
    """

    lot_fid: int
    unit_fid: int
    how: str
    source: str = ""


class AddressPoint(Struct, frozen=True):
    """A dwelling or unit at a property's own address; ``parcel_fid`` as assigned at import, None where it lies on none.

    ``text`` is the whole delivery line where the layer gives it in one.
    """

    parcel_fid: int | None
    number: str
    street: str
    unit: str
    city: str
    state: str
    zip: str
    text: str = ""


class Source(Struct, frozen=True):
    """A file that went into the store, as printed on every list; ``files`` is :func:`geonotice.io.source_files.state_of` at import."""

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
    files: str = ""


class Problem(Struct, frozen=True):
    """What import repaired, dropped, dissolved, could not match or could not address, and why."""

    layer: str
    key: str
    code: str
    text: str


class ResultWarning(Struct, frozen=True):
    """A warning in a result: what the program could not see or was not sure of."""

    code: str
    text: str
    parcels: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as every command's JSON has it; ``parcels`` only where there are some."""
        return {"code": self.code, "text": self.text, **({"parcels": list(self.parcels)} if self.parcels else {})}


class NoticeParcel(Struct, frozen=True):
    """A parcel on a notice list and why it is there.

    ``opposite_ft`` is the frontage that the extended lot lines meet it over; ``across_ft`` how far across it lies, where they do not meet it and it is
    listed because it lies straight across. ``around_ft`` is its distance from a second place of the event, where it is on the list for that.
    ``common_lots`` are the lots on the list that its owner owns in common with others, ``reason`` says so in words; both only where it is
    on the list for that.
    """

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
    across_ft: float | None = None
    around_ft: float | None = None
    common_lots: tuple[str, ...] = ()
    reason: str = ""


class Told(Struct, frozen=True):
    """That the owners, or the residents, of a parcel are notified: by which rule, and how."""

    rule: str
    mail: Mail


class NearMiss(Struct, frozen=True):
    """A parcel just outside a rule's reach, never mailed."""

    id: str
    distance_ft: float
    reason: str = ""


class Recipient(Struct, frozen=True):
    """A person to be notified: one mail piece, with the parcels that make them one.

    ``also_residents`` counts the residents at an owner's address whom the one letter names too (``[settings] combine_residents``).
    """

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
    also_residents: int = 0

    @property
    def mailable(self) -> bool:
        """Whether a letter can be addressed; ``mail`` is what the rule asks for, whether or not it can be done."""
        return "unmailable" not in self.review


class Finding(Struct, frozen=True):
    """One rule applied.

    ``facts`` are what was used, ``measure`` is what they were held against, ``change`` says what would change the answer; ``group`` is
    the question it belongs to (a key of ``ordinance.vocabulary.GROUPS``); ``section`` is where the rule stands in its chapter.
    """

    rule: str
    status: Status
    citation: str
    text: str
    facts: dict[str, object] = {}
    review: tuple[str, ...] = ()
    measure: str = ""
    change: str = ""
    group: str = ""
    title: str = ""
    section: str = ""


class OrdinanceRef(Struct, frozen=True):
    """Which law was applied: the profile's id, the date it is in force from where its text gives one, and the profile's SHA-256."""

    id: str
    effective: date | None
    sha256: str


class Clause(Struct, frozen=True):
    """A rule of the ordinance that put parcels on the list: its id, chapter and section, and the clause's own words."""

    rule: str
    citation: str
    words: str = ""


class Municipality(Struct, frozen=True):
    """Another municipality near the premises. ``kind`` is town, village or city; the clerk's words are those of the layer."""

    name: str
    swis: str
    distance_ft: float
    kind: str = ""
    clerk_name: str = ""
    clerk_address: str = ""
    rule: str = ""
    review: tuple[str, ...] = ()


class District(Struct, frozen=True):
    """A zoning district on the premises; ``share`` is its part of the premises' area, 0 to 1."""

    code: str
    district_class: DistrictClass
    area_sq_ft: float
    share: float


class Frontage(Struct, frozen=True):
    """A run of the premises' boundary along a street or right-of-way, numbered from 1."""

    n: int
    length_ft: float
    status: FrontageStatus
    street: str = ""
    jurisdiction: str = ""


class Sign(Struct, frozen=True):
    """A public street that the premises abut, and the length of the premises along it: one sign faces it."""

    street: str
    jurisdiction: str
    frontage_ft: float


class Adjoining(Struct, frozen=True):
    """A line of the schedule of owners that goes with an application: the parcel and its owner of record (one line for each owner)."""

    id: str
    owner: str


class Override(Struct, frozen=True):
    """A parcel that a person added to the list, dropped from it, or kept apart from the applicant's contiguous land, with the reason given.

    ``by`` and ``on`` are who decided it, and on which day; ``by`` is empty where that was not stated.
    """

    id: str
    action: Literal["add", "drop", "apart"]
    reason: str
    by: str = ""
    on: date | None = None

    @property
    def who(self) -> str:
        """Who decided it and when, in words.

        Examples
        --------
        >>> Override("1-1", "add", "asked", "R. Doe", date(2026, 9, 1)).who, Override("1-1", "add", "asked").who
        ('by R. Doe, 2026-09-01', 'by whom is not stated')
        """
        who = f"by {self.by}" if self.by else "by whom is not stated"
        return f"{who}, {self.on.isoformat()}" if self.on else who


class OtherRecipient(Struct, frozen=True, kw_only=True):
    """Somebody who is notified beside owners, residents and clerks: an agency that the town always notifies, or an interested person of one case.

    ``standing`` is true for the town's own, ``row`` where it stands in its file, ``occasions`` those on which it is notified (empty: all), ``why`` the reason
    that the list prints.
    """

    names: tuple[str, ...]
    address: tuple[str, ...]
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""
    mail: Mail = "first_class"
    occasions: tuple[str, ...] = ()
    why: str = ""
    standing: bool = False
    row: int = 0

    @property
    def reason(self) -> str:
        """Why it is on the list, in words."""
        kind = "standing recipient of the town" if self.standing else "interested person of this case"
        return f"{kind}: {self.why}" if self.why else kind


class SecondPlace(Struct, frozen=True):
    """A second place of the event to measure from: off-site parking, a parade's route.

    ``name`` is the file as it was given, ``wkt`` its shapes together in the CRS that is measured in, to 0.001 ft, so that the list can be made again without it.
    """

    name: str
    sha256: str
    wkt: str


class Supplement(Struct, frozen=True):
    """That a list supplements another: the folder of that one's packet, the SHA-256 of its record, the day it was made, and the number this one begins with."""

    to: str
    record_sha256: str
    made: str
    first_number: int


class Notice(Struct, frozen=True):
    """Everything one occasion asks for: who is notified, why, from which sources; what the record and the packet are made of.

    ``premises`` are tax map numbers, ``premises_situs`` their own addresses in the same order. ``clauses`` are the rules that the list
    rests on. ``settings`` are plain JSON values (``crs`` and the lengths the geometry was measured with). ``on`` is taken as today,
    ``hearing`` and ``event`` are the day of the hearing and the first day of the event where they are named, ``filed`` the day on which the application
    was filed; all four enter the record with the settings.
    """

    occasion: str
    required: Required
    town: str
    ordinance: OrdinanceRef
    premises: tuple[str, ...]
    on: date
    version: str
    hearing: date | None = None
    event: date | None = None
    filed: date | None = None
    premises_situs: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    parcels: tuple[NoticeParcel, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    recipients: tuple[Recipient, ...] = ()
    municipalities: tuple[Municipality, ...] = ()
    districts: tuple[District, ...] = ()
    frontages: tuple[Frontage, ...] = ()
    signs: tuple[Sign, ...] = ()
    schedule: tuple[Adjoining, ...] = ()
    overrides: tuple[Override, ...] = ()
    also: tuple[OtherRecipient, ...] = ()
    around: SecondPlace | None = None
    supplement: Supplement | None = None
    corrections: tuple[Correction, ...] = ()
    warnings: tuple[ResultWarning, ...] = ()
    settings: dict[str, object] = {}
    sources: tuple[Source, ...] = ()
