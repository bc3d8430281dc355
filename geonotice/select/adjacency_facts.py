"""What adjacency says of one premises, as values: relations, frontages, streets, near misses, remarks and the lines that show why.

Every index is a place in the arrays that were given to :func:`geonotice.select.adjacency.neighbours`.
"""

from typing import Literal

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from geonotice.select.streets import StreetAbutted

__all__ = ["Evidence", "Frontage", "JustBeyond", "Neighbour", "Neighbours", "Reason", "Relation", "Remark", "Status"]

Relation = Literal["abutting", "corner", "opposite"]
Status = Literal["answered", "open", "cut_off"]
Reason = Literal[
    "met_barely",
    "met_squarely_barely",
    "straight_short",
    "straight_far",
    "straight_round",
    "beyond_right_of_way_max",
    "beyond_opposite_distance",
    "diagonal_lot",
]
"""Why a parcel that is not on the list nearly was."""


class Neighbour(Struct, frozen=True, eq=False):
    """A parcel that stands in some relation to the premises.

    Parameters
    ----------
    index
        Its place in the arrays given.
    relation
        The first that holds of ``abutting``, ``corner``, ``opposite``.
    also
        The others that hold.
    distance_ft
        Polygon to polygon.
    shared_ft
        Length of the longest shared run of lot line; None unless it abuts.
    opposite_ft
        Over how much frontage the lines across meet it; None unless it is opposite, where it is so only because it lies straight across, and
        where the law counts by distance.
    across_ft
        Shortest way to it along an extended line, or straight across; None unless it is opposite.
    frontages
        The frontages it is opposite of, as their numbers.
    stacked
        Whether it lies on the premises.
    review
        Codes of what a person should look at: ``methods_differ``, ``narrow_gap``, ``across_water``, ``stacked``, ``street_or_lot``;
        ``borderline`` (the extension meets it over less than 2 ft) and ``straight_across`` (the extension does not meet it,
        perpendiculars do).
    """

    index: int
    relation: Relation
    also: tuple[Relation, ...]
    distance_ft: float
    shared_ft: float | None = None
    opposite_ft: float | None = None
    across_ft: float | None = None
    frontages: tuple[int, ...] = ()
    stacked: bool = False
    review: tuple[str, ...] = ()


class Frontage(Struct, frozen=True, eq=False):
    """A frontage and what lies across it.

    Parameters
    ----------
    n
        Its number, from 1.
    line
        The frontage.
    length_ft
        Its length.
    status
        ``answered``: something is met; ``cut_off``: nothing is, but a street runs there or a parcel lies farther off; ``open``: nothing is.
    street
        Place in the street layer of the centerline that runs in its right-of-way; None where none is known.
    name, jurisdiction
        Of that street.
    right_of_way_max_ft
        How wide a right-of-way was looked across.
    width_ft
        Median depth of the right-of-way; None where nothing is met.
    answered_by
        Parcels opposite, as places in the arrays.
    premises_ft
        Frontage whose lines meet the premises themselves.
    nothing_ft
        Frontage whose lines meet nothing.
    water
        Whether what meets nothing lies on water.
    bearing_deg
        The way it faces, clockwise from north.
    ends
        How its two ends were extended: ``lot_line``, ``street_line`` or ``perpendicular``.
    """

    n: int
    line: BaseGeometry
    length_ft: float
    status: Status
    street: int | None
    name: str
    jurisdiction: str
    right_of_way_max_ft: float
    width_ft: float | None
    answered_by: tuple[int, ...]
    premises_ft: float
    nothing_ft: float
    water: bool
    bearing_deg: float
    ends: tuple[str, str]


class JustBeyond(Struct, frozen=True):
    """A parcel that is not on the list, and why it nearly was.

    ``reason`` is ``met_barely`` (the extension meets it over less than 0.5 ft), ``straight_short``, ``straight_far`` or ``straight_round`` (only
    the second method finds it, and why it does not count as straight across), ``beyond_right_of_way_max`` (it lies across, but farther than
    is looked), or ``diagonal_lot`` (across a crossing from a street corner). Where the law does not extend lot lines: ``met_squarely_barely``
    (perpendiculars meet it over less than 2 ft), ``beyond_opposite_distance`` (it lies across, up to 50 ft beyond the distance).
    """

    index: int
    reason: Reason
    distance_ft: float
    frontage: int


class Remark(Struct, frozen=True):
    """Something the geometry could not see or was not sure of, as a code with its facts; the wording is the caller's.

    ===================== ==============================================================================================
    code                  meaning
    ===================== ==============================================================================================
    no_frontage           no run of the boundary faces anything but other lots
    open_run              a frontage, or over 10 ft of one, meets nothing within the widest right-of-way
    right_of_way_cut_off  the same, where a street runs or a parcel lies farther off
    lines_too_short       the lot line that ends a frontage is too short or too curved to extend; the perpendicular was used
    road_inside_parcel    a street runs along a shared lot line and no gap shows it
    private_road          a right-of-way parcel abuts and was looked through; it may be a private road
    diagonal_lot          the lot diagonally across a crossing is not listed
    narrow_gap            what lies across is a gap of the drawing rather than a right-of-way
    methods_differ        the two methods do not find the same parcels
    street_or_lot         a lot may be a street: the list has what either makes of it
    straight_across       lots are listed because they lie straight across, though the extended lot lines do not meet them
    met_narrowly          lots are listed that the extended lot lines meet over less than 2 ft
    ===================== ==============================================================================================

    Parameters
    ----------
    code
        As above.
    parcels
        Places in the arrays of the parcels it is about.
    frontage
        Number of the frontage; None where it is about none.
    length_ft, bearing_deg
        Length, and direction clockwise from north, of what it is about.
    street
        Place in the street layer.
    """

    code: str
    parcels: tuple[int, ...] = ()
    frontage: int | None = None
    length_ft: float | None = None
    bearing_deg: float | None = None
    street: int | None = None


class Evidence(Struct, frozen=True, eq=False):
    """A line or point that shows why: ``extension``, ``across``, ``straight_across``, ``shared_run``, ``frontage``, ``corner``, ``sign``."""

    kind: Literal["extension", "across", "straight_across", "shared_run", "frontage", "corner", "sign"]
    geometry: BaseGeometry
    parcel: int | None = None
    frontage: int | None = None


class Neighbours(Struct, frozen=True, eq=False):
    """The outcome of :func:`geonotice.select.adjacency.neighbours`; every index is a place in the arrays that were given."""

    neighbours: tuple[Neighbour, ...]
    frontages: tuple[Frontage, ...]
    streets: tuple[StreetAbutted, ...]
    near_misses: tuple[JustBeyond, ...]
    remarks: tuple[Remark, ...]
    railroads: tuple[StreetAbutted, ...]
    evidence: tuple[Evidence, ...]

    def related(self, relation: str) -> tuple[int, ...]:
        """Return the parcels in a relation, whether it comes first or also holds, sorted."""
        return tuple(sorted(one.index for one in self.neighbours if one.relation == relation or relation in one.also))
