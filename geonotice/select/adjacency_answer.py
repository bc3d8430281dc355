"""What was measured of one premises, put together as the answer: neighbors with their reasons, frontages, near misses, remarks, evidence."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
import shapely

from geonotice.select.abutting import Abutter
from geonotice.select.adjacency_facts import (
    Evidence,
    Frontage,
    JustBeyond,
    Neighbour,
    Neighbours,
    Reason,
    Relation,
    Remark,
    Status,
)
from geonotice.select.bends_and_rounded_corners import SHORT_RUN_FT
from geonotice.select.extended_lines import STEP_FT, Rays, Stretch, Sweep, cast, distinct
from geonotice.select.frontage import MEETS_FT, FaceEnd
from geonotice.select.inside_roads import ALONG_FT, InsideRoad
from geonotice.select.lot_lines import FloatArray, GeometryArray, bearing_deg, line_along
from geonotice.select.opposite import SLACK_FT, Across, Met, OppositeBy, Straight, gap_ft
from geonotice.select.sight import Sight
from geonotice.select.streets import (
    Facing,
    StreetAbutted,
    StreetLayer,
    jurisdiction_of,
)

__all__ = ["Scene", "assemble"]


WATER_SHARE: Final = 0.5
"""A stretch is water when at least this share of its lines meets water."""
FAN: Final = 33
"""Lines looked along between two street lines for the lot diagonally across a crossing."""
FAN_PART: Final = (0.25, 0.75)
"""The middle part of the angle between the two: nearer its sides a line runs along a street."""
FAN_SHARE: Final = 0.25
"""Share of them that a diagonal lot stops."""
_Seen = TypeVar("_Seen", Met, Straight)
PUBLIC: Final = frozenset({"state", "county", "town", "village", "city"})


class Scene(NamedTuple):
    """All that was given and measured of one premises."""

    premises: GeometryArray
    geometries: GeometryArray
    roles: GeometryArray
    streets: StreetLayer
    water: GeometryArray
    tolerance_ft: float
    look_beyond_ft: float
    view: Sight
    beside: tuple[Abutter, ...]
    across: tuple[Across, ...]
    faced: Sequence[Sequence[Facing]]
    inside: tuple[InsideRoad, ...]
    abutted: tuple[StreetAbutted, ...]
    railroads: tuple[StreetAbutted, ...]
    by: OppositeBy = "extension"

    @property
    def gap_ft(self) -> float:
        """Width up to which a space between two lots is a gap, not a right-of-way."""
        return gap_ft(self.tolerance_ft)


def assemble(scene: Scene, *, evidence: bool = True) -> Neighbours:
    """Put the facts together; ``evidence`` as :func:`geonotice.select.adjacency.neighbours` has it."""
    beside = {one.index for one in scene.beside}
    met = [_across_from(side, beside, scene.gap_ft) for side in scene.across]
    gaps = [tuple(one for one in side.met if one.index in beside and one.across_ft < scene.gap_ft) for side in scene.across]
    straight = _straight_only(scene, met)
    listed = _listed(scene, met, straight, measured=evidence)
    related = {one.index for one in listed}
    beyond, stretches = _look_beyond(scene, related)
    fronts = [_frontage(scene, n, met[n], gaps[n], straight[n], stretches[n], drawn=evidence) for n in range(len(scene.across))]
    if not evidence:
        return Neighbours(listed, tuple(fronts), scene.abutted, (), (), scene.railroads, ())
    diagonal = _diagonal(scene, related)
    projected = _projected_only(scene, related)
    remarks = [
        *([] if fronts else [Remark("no_frontage")]),
        *(remark for n, front in enumerate(fronts) for remark in _of_frontage(scene, n, front, gaps[n], stretches[n])),
        *_of_roads(scene),
        *_of_methods(listed, projected),
        *(Remark("diagonal_lot", parcels=(one.index,), frontage=one.frontage) for one in diagonal),
    ]
    return Neighbours(
        neighbours=listed,
        frontages=tuple(fronts),
        streets=scene.abutted,
        near_misses=_nearest_of_each([*projected, *_barely(scene, related), *beyond, *diagonal]),
        remarks=tuple(remarks),
        railroads=scene.railroads,
        evidence=_evidence(scene, met, straight),
    )


def _across_from(side: Across, beside: set[int], gap_ft: float) -> tuple[Met, ...]:
    """Return what one frontage looks across to.

    What is beside the premises is on the list already: met across a gap of the drawing, or over less than 2 ft, it is not opposite too.
    """
    return tuple(one for one in side.met if one.index not in beside or (one.across_ft >= gap_ft and not _narrow(one)))


def _narrow(one: Met) -> bool:
    """Return whether a parcel is met over so little of a frontage that the map may be wrong about it."""
    return one.length_ft < MEETS_FT - SLACK_FT


def _straight_only(scene: Scene, met: list[tuple[Met, ...]]) -> list[tuple[Straight, ...]]:
    """Return for each frontage the parcels that lie straight across, and stand in no other relation.

    LAW: Southampton 283 says "directly opposite (by extension of lot lines ...)". Where the extension passes by a lot that lies straight across, either
    reading can be held; a letter too many costs a stamp, an owner left out costs the hearing.
    """
    known = {one.index for many in met for one in many}
    known |= {one.index for one in scene.beside} | {one.index for one in scene.inside}
    return [tuple(one for one in side.straight if not one.doubt and one.index not in known) for side in scene.across]


def _listed(
    scene: Scene, met: list[tuple[Met, ...]], straight: list[tuple[Straight, ...]], *, measured: bool
) -> tuple[Neighbour, ...]:
    beside = {one.index: one for one in scene.beside}
    found, facing = _by_parcel(met), _by_parcel(straight)
    roads = {one.index: one for one in scene.inside if scene.roles[one.index] in {"lot", "water"}}
    projected = {index for side in scene.across for index in side.projected}
    indexes = sorted({*beside, *found, *facing, *roads})
    if not indexes:
        return ()
    distance = np.full(len(indexes), np.nan)
    if measured:
        parts = shapely.get_parts(scene.premises)
        distance = np.min([shapely.distance(part, scene.geometries[indexes]) for part in parts], axis=0)
    made = []
    for index, apart in zip(indexes, distance.tolist(), strict=True):
        side_by_side, sides = beside.get(index), found.get(index, [])
        across: list[tuple[int, Met | Straight]] = [*sides, *facing.get(index, [])]
        relations: list[Relation] = [side_by_side.relation] if side_by_side else []
        if across or index in roads:
            relations.append("opposite")
        lengths = [side.length_ft for _, side in sides if scene.by != "distance"] + (
            [roads[index].length_ft] if index in roads else []
        )
        how: tuple[str, ...] = ()
        if scene.by == "extension":
            how = _how_sure(
                [side for _, side in sides], straight=index in facing, road=index in roads, projected=index in projected
            )
        made.append(
            Neighbour(
                index=index,
                relation=relations[0],
                also=tuple(relations[1:]),
                distance_ft=apart,
                shared_ft=side_by_side.shared_ft if side_by_side and side_by_side.relation == "abutting" else None,
                opposite_ft=sum(lengths) if lengths else None,
                across_ft=min((side.across_ft for _, side in across), default=0.0) if "opposite" in relations else None,
                frontages=tuple(n + 1 for n, _ in across),
                stacked=bool(side_by_side and side_by_side.stacked),
                review=(*how, *_circumstances(scene, [side for _, side in across], side_by_side=bool(side_by_side))),
            )
        )
    return tuple(made)


def _by_parcel(sides: list[tuple[_Seen, ...]]) -> dict[int, list[tuple[int, _Seen]]]:
    """Sort what each frontage looks at by parcel: the frontages' places, and what was measured from each."""
    found: dict[int, list[tuple[int, _Seen]]] = {}
    for n, many in enumerate(sides):
        for one in many:
            found.setdefault(one.index, []).append((n, one))
    return found


def _how_sure(sides: list[Met], *, straight: bool, road: bool, projected: bool) -> tuple[str, ...]:
    """Return the code of how sure it is that a parcel is opposite: none where both methods find it."""
    if straight:
        return ("straight_across",)
    if not sides:
        return ()
    if not road and all(_narrow(side) for side in sides):
        return ("borderline",)
    return () if projected else ("methods_differ",)


def _circumstances(scene: Scene, across: list[Met | Straight], *, side_by_side: bool) -> tuple[str, ...]:
    """Return the codes of what else a person should look at in a parcel that is opposite."""
    if not across:
        return ()
    codes = []
    if not side_by_side and min(side.across_ft for side in across) < scene.gap_ft:
        codes.append("narrow_gap")
    if len(scene.water) and all(shapely.intersects(scene.water, side.line).any() for side in across):
        codes.append("across_water")
    if all(side.stacked for side in across):
        codes.append("stacked")
    return tuple(codes)


class _Bare(NamedTuple):
    """The longest stretch of a frontage whose lines meet nothing: how it is bounded, and what was found farther out."""

    stretch: Stretch
    water: bool
    beyond: tuple[int, ...]


def _look_beyond(scene: Scene, related: set[int]) -> tuple[list[JustBeyond], list[_Bare | None]]:
    """Look farther along the lines that met nothing: for water, and for parcels that the limit cut off."""
    found: list[JustBeyond] = []
    bare: list[_Bare | None] = []
    for n, side in enumerate(scene.across):
        empty = [stretch for stretch in side.stretches if stretch.owner == -1]
        if side.nothing is None or side.nothing_ft < MEETS_FT:
            bare.append(None)
            continue
        sweep = Sweep(side.face, scene.view.origin, perpendicular=scene.by != "extension")
        at = sweep.starts()
        at = at[np.any([(at >= stretch.start_ft) & (at <= stretch.end_ft) for stretch in empty], axis=0)]
        far = sweep.rays(at, max(scene.look_beyond_ft, side.depth_ft))
        owner, distance = cast(far, scene.view.edges, premises_from_ft=2 * scene.tolerance_ft)
        beyond = []
        for index in distinct(owner[owner >= 0])[0].tolist():
            mine = owner == index
            if np.count_nonzero(mine) * sweep.length_ft / len(sweep.starts()) >= MEETS_FT:
                beyond.append(index)
                if index not in related:
                    found.append(JustBeyond(index, "beyond_right_of_way_max", float(distance[mine].min()), n + 1))
        bare.append(_Bare(side.nothing, _on_water(scene, sweep, side), tuple(beyond)))
    return found, bare


def _on_water(scene: Scene, sweep: Sweep, side: Across) -> bool:
    """Return whether water covers what the longest empty stretch looks at."""
    if not len(scene.water) or side.nothing is None:
        return False
    count = max(4, int(side.nothing.length_ft / STEP_FT / 8))
    at = side.nothing.start_ft + (np.arange(count) + 0.5) * side.nothing.length_ft / count
    rays = sweep.rays(at, side.depth_ft)
    lines = rays.lines(rays.reach, scene.view.origin)
    wet = np.any([shapely.intersects(water, lines) for water in scene.water], axis=0)
    return bool(np.count_nonzero(wet) >= WATER_SHARE * count)


def _frontage(  # noqa: PLR0917  # what was found of one frontage, in the order of finding
    scene: Scene,
    n: int,
    met: tuple[Met, ...],
    gaps: tuple[Met, ...],
    straight: tuple[Straight, ...],
    bare: _Bare | None,
    *,
    drawn: bool,
) -> Frontage:
    side = scene.across[n]
    street = scene.faced[n][0].street if scene.faced[n] else None
    status: Status
    # By distance a frontage is answered as well where all that lies across it lies farther off.
    if met or gaps or straight or side.premises_ft >= MEETS_FT or (scene.by == "distance" and side.width_ft is not None):
        status = "answered"
    else:
        status = "cut_off" if street is not None or (bare and bare.beyond) else "open"
    return Frontage(
        n=n + 1,
        line=line_along(side.face.xy),
        length_ft=side.face.length_ft,
        status=status,
        street=street,
        name=scene.streets.names[street] if street is not None else "",
        jurisdiction=scene.streets.jurisdictions[street] if street is not None else "",
        right_of_way_max_ft=side.depth_ft,
        width_ft=side.width_ft,
        answered_by=(*(one.index for one in met), *(one.index for one in straight)),
        premises_ft=side.premises_ft,
        nothing_ft=side.nothing_ft,
        water=bool(bare and bare.water),
        bearing_deg=_bearing(side.face.xy) if drawn else math.nan,
        ends=(_how(side.face.start), _how(side.face.end)) if scene.by == "extension" else ("perpendicular", "perpendicular"),
    )


def _how(end: FaceEnd) -> str:
    if end.perpendicular:
        return "perpendicular"
    return "street_line" if end.kind == "street_corner" else "lot_line"


def _bearing(xy: FloatArray) -> float:
    """Return the way a line faces on its right-hand side, clockwise from north."""
    chord = xy[-1] - xy[0]
    if np.hypot(*chord) < MEETS_FT:
        chord = xy[1] - xy[0]
    return bearing_deg(chord[1], -chord[0])


def _of_frontage(scene: Scene, n: int, front: Frontage, gaps: tuple[Met, ...], bare: _Bare | None) -> list[Remark]:
    face = scene.across[n].face
    remarks = []
    length = 0.0
    if bare:
        length = bare.stretch.length_ft if front.status == "answered" else front.length_ft
    if bare and length > SHORT_RUN_FT and not bare.water:
        cut = bool(bare.beyond) or front.street is not None
        remarks.append(
            Remark(
                "right_of_way_cut_off" if cut else "open_run",
                parcels=bare.beyond,
                frontage=front.n,
                length_ft=length,
                bearing_deg=front.bearing_deg,
                street=front.street,
            )
        )
    if scene.by == "extension" and (face.start.too_short or face.end.too_short):
        runs = [end.run_ft for end in (face.start, face.end) if end.too_short]
        remarks.append(Remark("lines_too_short", frontage=front.n, length_ft=min(runs)))
    narrow = tuple(one.index for one in (*scene.across[n].met,) if one.across_ft < scene.gap_ft)
    if narrow or gaps:
        remarks.append(Remark("narrow_gap", parcels=narrow, frontage=front.n, length_ft=front.length_ft))
    return remarks


def _of_roads(scene: Scene) -> list[Remark]:
    remarks = []
    key = scene.streets.key
    for street in dict.fromkeys(key(one.street) for one in scene.inside):
        mine = [one for one in scene.inside if key(one.street) == street]
        remarks.append(
            Remark(
                "road_inside_parcel",
                parcels=tuple(dict.fromkeys(one.index for one in mine)),
                length_ft=sum(one.length_ft for one in mine),
                street=mine[0].street,
            )
        )
    said = {key(one.street) for one in scene.inside}
    remarks += [
        Remark("road_inside_parcel", length_ft=street.frontage_ft, street=street.centerlines[0])
        for street in scene.abutted
        if not street.gap and key(street.centerlines[0]) not in said
    ]
    remarks += [
        Remark("private_road", parcels=(one.index,), length_ft=one.shared_ft)
        for one in scene.beside
        if scene.roles[one.index] == "right_of_way" and one.relation == "abutting" and not _public(scene, one.index)
    ]
    return remarks


def _public(scene: Scene, index: int) -> bool:
    """Return whether a public street is known to run in a right-of-way parcel."""
    if not len(scene.streets.lines):
        return False
    inside = shapely.length(shapely.intersection(scene.streets.lines, scene.geometries[index]))
    kinds = np.array([jurisdiction_of(text) in PUBLIC for text in scene.streets.jurisdictions])
    return bool(inside[kinds].sum() >= ALONG_FT)


def _projected_only(scene: Scene, related: set[int]) -> list[JustBeyond]:
    """Return what only perpendiculars meet, with the reason why it does not count as straight across."""
    return [
        JustBeyond(one.index, one.doubt, one.across_ft, n + 1)
        for n, side in enumerate(scene.across)
        for one in side.straight
        if one.doubt and one.index not in related
    ]


def _barely(scene: Scene, related: set[int]) -> list[JustBeyond]:
    reasons: dict[OppositeBy, Reason] = {"perpendicular": "met_squarely_barely", "distance": "beyond_opposite_distance"}
    return [
        JustBeyond(one.index, reasons.get(side.by, "met_barely"), one.across_ft, n + 1)
        for n, side in enumerate(scene.across)
        for one in side.barely
        if one.index not in related
    ]


def _of_methods(listed: tuple[Neighbour, ...], projected: list[JustBeyond]) -> list[Remark]:
    codes = {"straight_across": "straight_across", "borderline": "met_narrowly", "methods_differ": "methods_differ"}
    parcels = {remark: [one.index for one in listed if code in one.review] for code, remark in codes.items()}
    parcels["methods_differ"] += [one.index for one in projected]
    return [Remark(code, parcels=tuple(dict.fromkeys(some))) for code, some in parcels.items() if some]


def _diagonal(scene: Scene, related: set[int]) -> list[JustBeyond]:
    """Look between the two street lines of each street corner for the lot diagonally across the crossing."""
    found = []
    for n, side in enumerate(scene.across):
        if side.face.end.kind != "street_corner":
            continue
        for m, other in enumerate(scene.across):
            if other.face.start.kind != "street_corner" or np.hypot(*(other.face.xy[0] - side.face.xy[-1])) > scene.tolerance_ft:
                continue
            first = np.arctan2(*side.face.end.direction[::-1])
            turn = (np.arctan2(*other.face.start.direction[::-1]) - first) % (2 * np.pi)
            if m == n or turn >= np.pi:
                continue
            angle = first + turn * np.linspace(*FAN_PART, FAN)
            start = np.repeat((side.face.xy[-1] - scene.view.origin)[None], FAN, axis=0)
            reach = np.full(FAN, float(np.hypot(side.depth_ft, other.depth_ft)))
            rays = Rays(start, np.column_stack([np.cos(angle), np.sin(angle)]), reach, np.ones(FAN))
            owner, distance = cast(rays, scene.view.edges, premises_from_ft=2 * scene.tolerance_ft)
            new = np.array([index >= 0 and index not in related for index in owner.tolist()])
            if not new.any():
                continue
            indexes, count = distinct(owner[new])
            if count.max() >= FAN_SHARE * FAN:
                best = int(indexes[np.argmax(count)])
                found.append(JustBeyond(best, "diagonal_lot", float(distance[owner == best].min()), n + 1))
    return found


def _nearest_of_each(found: list[JustBeyond]) -> tuple[JustBeyond, ...]:
    """Keep each parcel once, with the reason that comes first, nearest first."""
    kept: dict[int, JustBeyond] = {}
    for one in found:
        kept.setdefault(one.index, one)
    return tuple(sorted(kept.values(), key=lambda one: (one.distance_ft, one.index)))


def _evidence(scene: Scene, met: list[tuple[Met, ...]], straight: list[tuple[Straight, ...]]) -> tuple[Evidence, ...]:
    made = []
    for one in scene.beside:
        if one.relation == "corner":
            nearest = shapely.shortest_line(scene.view.closed, scene.geometries[one.index])
            made.append(Evidence("corner", shapely.get_point(nearest, 0), parcel=one.index))
        made += [Evidence("shared_run", run.line, parcel=one.index) for run in one.runs]
    for n, side in enumerate(scene.across):
        made.append(Evidence("frontage", line_along(side.face.xy), frontage=n + 1))
        made += [Evidence("extension", line, frontage=n + 1) for line in side.extensions]
        made += [Evidence("across", one.line, parcel=one.index, frontage=n + 1) for one in met[n] if one.line]
        made += [Evidence("straight_across", one.line, parcel=one.index, frontage=n + 1) for one in straight[n] if one.line]
    made += [Evidence("sign", street.sign) for street in scene.abutted]
    return tuple(made)
