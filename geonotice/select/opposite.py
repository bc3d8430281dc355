"""Who is directly opposite, by extension of lot lines through a street or right-of-way.

From each frontage, the two lot lines that end it are extended across the right-of-way (in between, the direction turns evenly from one to
the other); the parcels first met, over at least 2 ft of frontage, are directly opposite, and doubtfully so those met over 0.5 to 2 ft. Right-of-way
and railroad parcels are looked through; a parcel of the premises stops a line and counts as its answer; stacked parcels count all. What lies straight
across is the second opinion: perpendiculars from the same frontage.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString

from geonotice.select.abutting import RUN_TOLERANCES
from geonotice.select.extended_lines import (
    FINE_STEP_FT,
    NOTHING,
    PREMISES,
    STEP_FT,
    Edges,
    Rays,
    Stretch,
    Sweep,
    cast,
    measure,
    median,
)
from geonotice.select.frontage import MEETS_FT, Face
from geonotice.select.lot_lines import HAIR_FT, FloatArray, GeometryArray, IntArray
from geonotice.select.opposite_distance import JUST_BEYOND_FT, ways_across
from geonotice.select.sight import Groups, Sight, stacked_groups

__all__ = ["MET_LEAST_FT", "RIGHT_OF_WAY_MAX_FT", "Across", "Met", "OppositeBy", "Sight", "opposite"]

OppositeBy = Literal["extension", "perpendicular", "distance"]
"""How a law finds who is opposite: by extension of lot lines, by perpendiculars from the frontage, or by distance across the right-of-way."""

RIGHT_OF_WAY_MAX_FT: Final = 200.0
"""Nothing is looked for beyond the widest right-of-way."""
MET_LEAST_FT: Final = 0.5
"""Met by the extension over this much of one frontage, a parcel is listed; under 2 ft as a doubtful case, since a tax map is not truer than that."""
BARELY_FT: Final = 0.05
"""Met over less than this, two lot lines end at one place, and rounding decides which side the last line falls on."""
STRAIGHT_RUN_FT: Final = 10.0
"""Over one unbroken run of so much frontage a lot must lie straight across."""
BLIP_FT: Final = 0.5
"""An interruption shorter than what a line is simplified to does not break a run."""
STRAIGHT_DEPTH: Final = 2.0
"""A lot straight across lies within so many times the median distance across from that frontage."""
SLACK_FT: Final = 0.005
"""By how much a length that was found by cutting up may fall short of 2 ft and still be it."""


class Met(Struct, frozen=True, eq=False):
    """A parcel that lines from one frontage meet first.

    Parameters
    ----------
    index
        Its place in the arrays given.
    length_ft
        Over how much frontage it is met.
    across_ft
        Shortest way along a line; where no lines are wanted, the distance from the frontage, which is no longer.
    line
        One line from the frontage to it, from the middle of the longest stretch; None where no lines are wanted.
    stacked
        Whether no line reaches it: it counts because it is stacked on one that is met.
    """

    index: int
    length_ft: float
    across_ft: float
    line: LineString | None
    stacked: bool = False


class Straight(Struct, frozen=True, eq=False):
    """A parcel that perpendiculars from one frontage meet first.

    Parameters
    ----------
    index
        Its place in the arrays given.
    doubt
        Why it does not count as straight across: ``straight_short`` (no unbroken run of 10 ft), ``straight_far`` (farther than twice the usual
        distance across), ``straight_round`` (met from the arc of a rounded corner only); empty where it counts.
    across_ft, line
        Shortest way to it along a perpendicular, and one from the middle of its longest run; both as :class:`Met` has them.
    stacked
        Whether no perpendicular reaches it: it counts because it is stacked on one that is met.
    """

    index: int
    doubt: Literal["", "straight_short", "straight_far", "straight_round"]
    across_ft: float
    line: LineString | None
    stacked: bool = False


class Across(Struct, frozen=True, eq=False):
    """What lies across from one frontage.

    Parameters
    ----------
    face
        The frontage.
    depth_ft
        How wide a right-of-way was looked across.
    met
        Parcels directly opposite by extension of lot lines, over 0.5 ft or more, nearest the frontage's start first.
    barely
        Parcels that the extension meets over less than that.
    projected
        The second opinion: places of the parcels met by perpendicular projection.
    straight
        Those of them that lie straight across: over one unbroken run of 10 ft, and no farther than twice the usual distance across.
    stretches
        The frontage cut up by what its lines meet, in feet from its start.
    premises_ft
        Frontage whose lines meet the premises themselves.
    nothing
        The longest stretch whose lines meet nothing; None where all are answered.
    nothing_ft
        Frontage whose lines meet nothing, in all.
    width_ft
        Median depth across to what is met, at right angles; None where nothing is.
    extensions
        The two lot lines extended, as far as they reach; none where the law extends no lot line.
    by
        How ``met`` was found. By distance ``barely`` are parcels just beyond it, and no length is measured.
    """

    face: Face
    depth_ft: float
    met: tuple[Met, ...]
    barely: tuple[Met, ...]
    projected: tuple[int, ...]
    straight: tuple[Straight, ...]
    stretches: tuple[Stretch, ...]
    premises_ft: float
    nothing: Stretch | None
    nothing_ft: float
    width_ft: float | None
    extensions: tuple[LineString, ...]
    by: OppositeBy = "extension"


def opposite(
    found: Sequence[Face],
    view: Sight,
    geometries: GeometryArray,
    *,
    depth_ft: Sequence[float] | float = RIGHT_OF_WAY_MAX_FT,
    tolerance_ft: float = 1.5,
    by: OppositeBy = "extension",
    distance_ft: float | None = None,
    beside: Collection[int] = (),
    lines: bool = True,
) -> tuple[Across, ...]:
    """Find what lies across from each frontage.

    Parameters
    ----------
    found
        Frontages, from :func:`geonotice.select.frontage.faces`.
    view
        From :func:`sight`.
    geometries
        The parcels that ``view`` was made of.
    depth_ft
        Widest right-of-way looked across, one value or one a frontage.
    tolerance_ft
        What digitizing moves a lot line.
    by
        How opposite parcels are found. By perpendiculars and by distance there is no second opinion: the law leaves nothing to differ.
    distance_ft
        By distance: how far from the frontage.
    beside
        By distance: parcels that abut or touch, which are not opposite too.
    lines
        Whether lines are wanted that show what is met, and how long they are.

    Examples
    --------
    A 100-ft lot; across a 50-ft street two lots that meet 30 ft in from its left lot line.

    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> from geonotice.select.frontage import faces
    >>> from geonotice.select.sight import sight
    >>> lot, sides = shapely.box(0, 0, 100, 100), [shapely.box(-100, 0, 0, 100), shapely.box(100, 0, 200, 100)]
    >>> lots = np.array([*sides, shapely.box(-70, 150, 30, 250), shapely.box(30, 150, 130, 250), shapely.box(130, 150, 230, 250)])
    >>> front = faces(lot, abutting([lot], lots), np.ones(5, dtype=bool))
    >>> across = opposite(front, sight(lot, lots, np.ones(5, dtype=bool)), lots)
    >>> sorted((met.index, round(met.length_ft), round(met.across_ft)) for side in across for met in side.met)
    [(2, 30, 50), (3, 70, 50)]
    """
    depths = [float(depth_ft)] * len(found) if isinstance(depth_ft, (int, float)) else [float(depth) for depth in depth_ft]
    # A line starts on a simplified frontage and may lie just inside the premises. It must leave them before they can stop it.
    back = 2 * tolerance_ft
    looks = []
    for face, depth in zip(found, depths, strict=True):
        sweep = view.sweep(face)
        second = _look(sweep.with_step(STEP_FT, perpendicular=True), view, depth, back, lines=lines)
        first_look = _look(sweep.with_step(FINE_STEP_FT), view, depth, back, lines=lines) if by == "extension" else second
        looks.append((first_look, second))
    first = np.concatenate([np.array([NOTHING], dtype=np.intp), *(look.owner for pair in looks for look in pair)])
    alike, groups = stacked_groups(first[first >= 0], geometries, view)
    made = tuple(_across(extended, projected, alike, groups, geometries, by) for extended, projected in looks)
    if by != "distance":
        return made
    if distance_ft is None:
        raise ValueError("opposite by distance needs distance_ft")
    return tuple(
        _by_distance(across, view, geometries, distance_ft=distance_ft, tolerance_ft=tolerance_ft, beside=beside)
        for across in made
    )


def _by_distance(
    across: Across,
    view: Sight,
    geometries: GeometryArray,
    *,
    distance_ft: float,
    tolerance_ft: float,
    beside: Collection[int],
) -> Across:
    """Put parcels within the distance in the place of those that perpendiculars meet; those just beyond it go to ``barely``."""
    own = shapely.LineString(across.face.xy)
    reach_ft = distance_ft + JUST_BEYOND_FT
    near = np.flatnonzero(view.stops & shapely.dwithin(geometries, own, reach_ft))
    _, groups = stacked_groups(near, geometries, view)
    stacked = {member: members for members in groups.values() for member in members if len(members) > 1}
    ways = ways_across(
        across.face,
        view.closed,
        geometries,
        view.stops,
        distance_ft=reach_ft,
        tolerance_ft=tolerance_ft,
        beside=beside,
        stacked=stacked,
    )
    every = {way.parcel: Met(way.parcel, 0.0, way.length_ft, way.line) for way in ways}
    # Parcels stacked on each other are one piece of land with many owners: where one of them counts, all do.
    for way in ways:
        for member in set(stacked.get(way.parcel, ())) - {*every, *beside}:
            every[member] = Met(member, 0.0, way.length_ft, way.line, stacked=True)
    nearest = {index: min(every[m].across_ft for m in stacked.get(index, [index]) if m in every) for index in every}
    ordered = sorted(every.values(), key=lambda one: (one.across_ft, one.index))
    return replace(
        across,
        met=tuple(one for one in ordered if nearest[one.index] <= distance_ft + HAIR_FT),
        barely=tuple(one for one in ordered if nearest[one.index] > distance_ft + HAIR_FT),
    )


class _Look(NamedTuple):
    """One sweep from one frontage, with the edges in its reach, and what its lines meet and how far on.

    ``met`` has what the lines of :meth:`Sweep.places` meet, the two at the ends first and last; ``sine`` and ``distance`` are those of the lines between. ``lines`` is
    whether lines are wanted that show it.
    """

    sweep: Sweep
    edges: Edges
    depth: float
    back: float
    sine: FloatArray
    met: IntArray
    distance: FloatArray
    lines: bool

    @property
    def owner(self) -> IntArray:
        """What the lines between the two ends meet."""
        return self.met[1:-1]


def _look(sweep: Sweep, view: Sight, depth: float, back: float, *, lines: bool) -> _Look:
    owner, distance, sine, edges = sweep.look(view.edges, depth, premises_from_ft=back)
    return _Look(sweep, edges, depth, back, sine[1:-1], owner, distance[1:-1], lines)


def _across(  # noqa: PLR0917  # both looks, what is stacked, and how the law reads opposite
    look: _Look, second: _Look, alike: IntArray, groups: Groups, geometries: GeometryArray, by: OppositeBy
) -> Across:
    stretches, projected = _stretches(look, alike), _stretches(second, alike)
    answered = look.owner >= 0
    nothing = [stretch for stretch in stretches if stretch.owner == NOTHING]
    extended = by == "extension"
    # LAW: Southampton 283-3 and 283-9 do not say how much of a lot must lie opposite. A lot line is drawn to about 2 ft, so less may be the map's
    # doing. From 0.5 ft on a lot is listed with a doubt, since a letter too many costs a stamp and an owner left out costs the hearing.
    least_ft = (MET_LEAST_FT if extended else MEETS_FT) - SLACK_FT
    owners = sorted({stretch.owner for stretch in (*stretches, *projected) if stretch.owner >= 0})
    apart_ft = dict(zip(owners, shapely.distance(look.sweep.own, geometries[owners]).tolist(), strict=True)) if owners else {}
    met = _met(look, stretches, groups, geometries, apart_ft)
    return Across(
        face=look.sweep.face,
        depth_ft=look.depth,
        met=tuple(one for one in met if one.length_ft >= least_ft),
        barely=tuple(one for one in met if one.length_ft < least_ft),
        projected=tuple(
            member
            for owner, every in _by_owner(projected).items()
            if sum(stretch.length_ft for stretch in every) >= MEETS_FT - SLACK_FT
            for member in groups.get(owner, [owner])
        ),
        straight=_straight(second, projected, groups, geometries, apart_ft) if extended else (),
        stretches=tuple(stretches),
        premises_ft=sum(stretch.length_ft for stretch in stretches if stretch.owner == PREMISES),
        nothing=max(nothing, key=lambda stretch: stretch.length_ft, default=None),
        nothing_ft=sum(stretch.length_ft for stretch in nothing),
        width_ft=median((look.distance * look.sine)[answered]) if answered.any() else None,
        extensions=_extensions(look) if extended and look.lines else (),
        by=by,
    )


def _stretches(look: _Look, alike: IntArray) -> list[Stretch]:
    return measure(look.sweep, look.edges, look.depth, first=look.met, alike=alike, premises_from_ft=look.back)


def _by_owner(stretches: Sequence[Stretch]) -> dict[int, list[Stretch]]:
    """Sort stretches by the parcel that is met over them, the first met first; what meets no parcel is left out."""
    found: dict[int, list[Stretch]] = {}
    for stretch in stretches:
        if stretch.owner >= 0:
            found.setdefault(stretch.owner, []).append(stretch)
    return found


def _met(
    look: _Look, stretches: list[Stretch], groups: Groups, geometries: GeometryArray, apart_ft: Mapping[int, float]
) -> tuple[Met, ...]:
    by_owner = _by_owner(stretches)
    lengths = {owner: sum(stretch.length_ft for stretch in mine) for owner, mine in by_owner.items()}
    found = {owner: mine for owner, mine in by_owner.items() if lengths[owner] >= BARELY_FT - SLACK_FT}
    return tuple(
        Met(member, lengths[owner], sight.across_ft, sight.line, stacked)
        for (owner, mine), sight in zip(
            found.items(),
            _sights(
                look,
                [(mine, _longest(mine)) for mine in found.values()],
                [groups.get(owner, [owner]) for owner in found],
                apart_ft,
            ),
            strict=True,
        )
        for member, stacked in _members(look, groups.get(owner, [owner]), sight.tips, geometries)
    )


def _longest(stretches: Sequence[Stretch]) -> Stretch:
    return max(stretches, key=lambda stretch: stretch.length_ft)


class _Sight(NamedTuple):
    """How one parcel is seen from a frontage: the shortest way to it, a line to it, and where that and others end."""

    across_ft: float
    line: LineString | None
    tips: FloatArray


_NO_TIPS: Final = np.empty((0, 2))


def _sights(
    look: _Look,
    wanted: "Sequence[tuple[Sequence[Stretch], Stretch]]",
    seen: Sequence[Sequence[int]],
    apart_ft: Mapping[int, float],
) -> list[_Sight]:
    """Return how parcels are seen over their stretches, each with the one in whose middle its line is drawn.

    ``seen`` has the parcels stacked there, ``apart_ft`` how far each lies from the frontage.
    """
    if not wanted:
        return []
    if not look.lines and all(len(some) == 1 for some in seen):
        # No line is shorter than this. Only what lies so near that it may be a gap of the drawing is measured along its lines.
        apart = [apart_ft[some[0]] for some in seen]
        if min(apart) > RUN_TOLERANCES * look.back:
            return [_Sight(feet, None, _NO_TIPS) for feet in apart]
    places = [
        [(middle.start_ft + middle.end_ft) / 2, *(share * one.length_ft + one.start_ft for one in some for share in (0.01, 0.99))]
        for some, middle in wanted
    ]
    rays, reached = _reach(look, np.array([at for some in places for at in some]))
    starts = rays.start + look.sweep.origin
    tips = rays.start + reached[:, None] * rays.direction + look.sweep.origin
    ends = np.cumsum([0, *(len(some) for some in places)]).tolist()
    lines = np.asarray(shapely.linestrings(np.stack([starts[ends[:-1]], tips[ends[:-1]]], axis=1)), dtype=object)
    return [
        _Sight(float(reached[first:last].min()), line, tips[first:last])
        for first, last, line in zip(ends[:-1], ends[1:], lines, strict=True)
    ]


def _members(look: _Look, members: list[int], tips: FloatArray, geometries: GeometryArray) -> list[tuple[int, bool]]:
    """Return the parcels of a stack, each with whether no line ends at it."""
    if len(members) == 1:
        return [(members[0], False)]
    points = shapely.points(tips)
    return [(member, not shapely.dwithin(geometries[member], points, look.back).any()) for member in members]


def _straight(
    look: _Look, stretches: list[Stretch], groups: Groups, geometries: GeometryArray, apart_ft: Mapping[int, float]
) -> tuple[Straight, ...]:
    """Find what lies straight across from one frontage, and what nearly does; the arcs of rounded corners at its ends do not count."""
    face = look.sweep.face
    # From the arc of a rounded corner perpendiculars fan out over the whole crossing: everything would lie straight across from something.
    low, high = face.round_ft[0], look.sweep.length_ft - face.round_ft[1]
    at = look.sweep.starts()
    # The median, so that one lot set far back or one stretch of open land does not stretch what "usual" means.
    counts = (look.owner >= 0) & (at >= low) & (at <= high)
    usual_ft = median(look.distance[counts]) if counts.any() else 0.0
    found: list[tuple[int, list[Stretch], Literal["", "straight_short", "straight_far", "straight_round"]]] = []
    for owner, every in _by_owner(stretches).items():
        if sum(stretch.length_ft for stretch in every) < MEETS_FT - SLACK_FT:
            continue
        clipped = [Stretch(max(one.start_ft, low), min(one.end_ft, high), owner) for one in every]
        mine = _bridged([stretch for stretch in clipped if stretch.length_ft > 0])
        doubt: Literal["", "straight_short", "straight_far", "straight_round"] = ""
        if not mine:
            doubt = "straight_round"
        elif _longest(mine).length_ft < STRAIGHT_RUN_FT - SLACK_FT:
            doubt = "straight_short"
        # Twice the usual distance: where a side street opens in the far side, perpendiculars run up it and meet a lot far behind.
        elif apart_ft[owner] > STRAIGHT_DEPTH * usual_ft + HAIR_FT:
            doubt = "straight_far"
        found.append((owner, mine or every, doubt))
    return tuple(
        Straight(member, doubt, sight.across_ft, sight.line, stacked)
        for (owner, _, doubt), sight in zip(
            found,
            _sights(
                look,
                [(mine, _longest(mine)) for _, mine, _ in found],
                [groups.get(owner, [owner]) for owner, _, _ in found],
                apart_ft,
            ),
            strict=True,
        )
        for member, stacked in _members(look, groups.get(owner, [owner]), sight.tips, geometries)
    )


def _bridged(stretches: list[Stretch]) -> list[Stretch]:
    """Join the stretches of one parcel that a blip parts."""
    made = stretches[:1]
    for stretch in stretches[1:]:
        if stretch.start_ft - made[-1].end_ft <= BLIP_FT:
            made[-1] = Stretch(made[-1].start_ft, stretch.end_ft, stretch.owner)
        else:
            made.append(stretch)
    return made


def _extensions(look: _Look) -> tuple[LineString, LineString]:
    length, xy = look.sweep.length_ft, look.sweep.face.xy
    inset = min(0.01, length / 4)
    rays, reached = _reach(look, np.array([inset, length - inset]))
    tips = rays.direction * reached[:, None]
    return shapely.LineString([xy[0], xy[0] + tips[0]]), shapely.LineString([xy[-1], xy[-1] + tips[1]])


def _reach(look: _Look, at: FloatArray) -> tuple[Rays, FloatArray]:
    """Return rays from places along the frontage, and how far each goes before it meets something or ends."""
    rays = look.sweep.rays(at, look.depth)
    distance = cast(rays, look.edges, premises_from_ft=look.back)[1]
    return rays, np.where(np.isfinite(distance), distance, rays.reach)


def gap_ft(tolerance_ft: float) -> float:
    """Return the width up to which a space between two lots is a gap in the drawing, or a strip too narrow for a right-of-way."""
    return RUN_TOLERANCES * tolerance_ft
