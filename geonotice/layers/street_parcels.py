"""Streets drawn as parcels, known by what they do, whatever number or class they have.

A street is a strip that many lots front on: without it they would have no way out. Lots have a way out where a gap between parcels, or a
parcel that is known to be a right-of-way, lies before them. So a parcel is looked at when it is long and thin, or when nothing says that
somebody uses it (no building class, no owner's mail that goes there); connected ones are one strip; and the lots that have no other way
out are counted. What is certain is a right-of-way; what is doubtful stays a lot and is asked of the clerk.
"""

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geonotice.layers.shapes import AT_ONCE, Shapes
from geonotice.layers.spill import give_back
from geonotice.layers.way_out import TOUCH_FT, WIDE_FT, Fronts, fronts, have_way_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Strips", "Uses", "are_thin", "figures", "find_strips"]

LONG_FT: Final = 200.0
THIN_RATIO: Final = 12.0
"""At least so many times as long as wide: a rectangle ten times as long as wide is 12."""
PIECE_RATIO: Final = 7.0
"""The same for a piece of a strip: streets are drawn in pieces from crossing to crossing, and 250 by 50 ft is 7."""
STRIP_RATIO: Final = 4.0
"""Connected pieces less oblong than this are a cluster of lots, not a street."""
BODY_SHARE: Final = 0.4
"""A parcel of which more than this share is half again as wide as its mean width has a body, as a flag lot has: it is not a strip."""
PLAZA_FT: Final = 60.0
"""Half the width beyond which a piece is a field and not a street: two streets of 80 ft cross within 57 ft of a point."""
SERVED: Final = 3
"""So many lots without another way out make a strip a street: one or two may share a driveway."""
CERTAIN_SERVED: Final = 12
CERTAIN_RATIO: Final = 20.0
"""A strip so long that so many lots depend on it is a street for certain, where no private owner and no building class speaks against it."""
FRONTING: Final = 3
"""So many lots along a long thin parcel that nobody uses make it doubtful, though they have another way out: a rail trail, an alley."""
REMNANT_SQ_FT: Final = 1500.0
"""No lot is smaller: 25 by 60 ft."""


@dataclass(frozen=True, slots=True, eq=False)
class Uses:
    """What the columns say of the use of each parcel, as truth values of one length.

    Parameters
    ----------
    open_role
        A lot only for want of anything else: no field, class or town file gives it a role.
    way
        A right-of-way or railroad already.
    built
        Its class is that of land with buildings or farms, or the owner's mail goes to the parcel itself.
    owned, public
        It has a named owner; that owner is a municipality, the State, or an authority.
    owner
        A number for each owner of what may be part of a strip, -1 where there is none.
    unlike
        It lacks what most rows of its layer have (a number, an owner, a class), or its class is vacant land, its number a word for a street,
        its owner public.
    bare
        Nothing says of the rows of its layer what they are: most have no class.
    nobodys
        No owner is named, and its number is none or a word for a street.
    """

    open_role: "NDArray[np.bool_]"
    way: "NDArray[np.bool_]"
    built: "NDArray[np.bool_]"
    owned: "NDArray[np.bool_]"
    public: "NDArray[np.bool_]"
    owner: "NDArray[np.int32]"
    unlike: "NDArray[np.bool_]"
    bare: "NDArray[np.bool_]"
    nobodys: "NDArray[np.bool_]"


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Parcels that do what a street does: those that certainly are, those in doubt, and how many lots depend on the strip of each."""

    certain: "NDArray[np.int64]"
    doubtful: "NDArray[np.int64]"
    served: "dict[int, int]"


def figures(shapes: Shapes) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return the mean width and the length of polygons as strips, branches included.

    Twice the area over the perimeter is a strip's width, half the perimeter its length.
    """
    perimeter, area = shapes.length, shapes.area
    return np.divide(2 * area, perimeter, out=np.zeros_like(area), where=perimeter > 0), perimeter / 2


def are_thin(shapes: Shapes) -> "NDArray[np.bool_]":
    """Return which polygons are long and thin, as a street is."""
    width, length = figures(shapes)
    return np.asarray((width <= WIDE_FT) & (length >= LONG_FT) & (_ratio(width, length) >= THIN_RATIO))


def _ratio(width: "NDArray[np.float64]", length: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return how many times as long as wide they are."""
    return np.divide(length, width, out=np.zeros_like(length), where=width > 0)


def find_strips(shapes: Shapes, uses: Uses) -> Strips:
    """Find the parcels that do what a street does.

    Parameters
    ----------
    shapes
        The polygons of all parcels, valid, in US survey feet.
    uses
        What their columns say of them.

    Examples
    --------
    A street of 50 by 600 ft with six lots on either side, drawn as a parcel that has a number, and no owner as the lots have one.

    >>> import numpy as np
    >>> from shapely import box
    >>> lots = [box(100 * k, y, 100 * k + 100, y + 100) for k in range(6) for y in (0, 150)]
    >>> every = np.ones(13, dtype=bool)
    >>> street = np.arange(13) == 12
    >>> found = find_strips(
    ...     Shapes.of(np.array([*lots, box(0, 100, 600, 150)])),
    ...     Uses(open_role=every, way=~every, built=~street, owned=~street, public=~every, owner=np.arange(13) - 13 * street, unlike=street, bare=~every, nobodys=~every),
    ... )
    >>> found.certain.tolist(), found.doubtful.tolist(), found.served
    ([], [12], {12: 12})
    """
    width, length = figures(shapes)
    ratio = _ratio(width, length)
    thin = uses.open_role & are_thin(shapes)
    places = np.flatnonzero(thin)
    thin[places] = ~_has_body(shapes[places], width[places])
    piece = uses.open_role & ~uses.built & (width <= WIDE_FT) & (uses.unlike | (uses.bare & (ratio >= PIECE_RATIO)))
    places = np.flatnonzero(piece & ~thin)
    piece[places] = ~_has_plaza(shapes, places, width)
    found = Strips(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), {})
    land = _Land(shapes, width, length, ratio, thin, uses, bytearray(len(length)))
    # First the long thin parcels by themselves: beside a street of a new subdivision all lots are as vacant as the street. Then, with them,
    # the pieces that streets are drawn in.
    for some in (thin, thin | piece):
        looked_at = np.flatnonzero(some)
        if len(looked_at):
            found = _joined(found, _judged(looked_at, land))
    return found


class _Land(NamedTuple):
    """All parcels, and what was measured of them; ``way_out`` keeps which lots have another way out, which two searches ask for."""

    shapes: Shapes
    width: "NDArray[np.float64]"
    length: "NDArray[np.float64]"
    ratio: "NDArray[np.float64]"
    thin: "NDArray[np.bool_]"
    uses: Uses
    way_out: bytearray


_UNKNOWN, _NO_WAY_OUT, _WAY_OUT = 0, 1, 2
"""What is known of a lot. A byte for each parcel: a dictionary of a county's lots takes a hundred times the memory."""


def _joined(first: Strips, second: Strips) -> Strips:
    """Return two findings as one; what is certain in either is certain."""
    certain = np.union1d(first.certain, second.certain)
    return Strips(certain, np.setdiff1d(np.union1d(first.doubtful, second.doubtful), certain), {**first.served, **second.served})


def _judged(looked_at: "NDArray[np.int64]", land: _Land) -> Strips:
    """Return which of the parcels looked at are streets, strip by strip."""
    give_back()
    beside = _Beside(land.shapes, looked_at)
    give_back()
    strips = [_Strip(strip, land) for strip in _strips(beside, looked_at, land.uses.way)]
    weighed = [strip for strip in strips if strip.oblong]
    # What costs time is measured for all strips at once.
    fronting = beside.fronting([strip.members for strip in weighed], land.uses)
    for number, strip in enumerate(weighed):
        strip.lots = fronting.of_group(number)
    needed = [strip for strip in weighed if len(strip.lots) >= strip.needed]
    give_back()
    _find_ways_out(land, needed)
    certain: list[int] = []
    doubtful: list[int] = []
    served: dict[int, int] = {}
    rest: list[NDArray[np.int64]] = []
    for strip in strips:
        sure, asked, counted = _weighed(strip, land, beside, fronting)
        certain += sure
        doubtful += asked
        served |= counted
        known = {*sure, *asked}
        rest.append(
            np.array([one for one in strip.members.tolist() if one not in known and _is_remnant(one, land)], dtype=np.int64)
        )
    remnants = np.concatenate([np.zeros(0, dtype=np.int64), *rest])
    fronting = beside.fronting(rest, land.uses)
    doubtful += [one for one in remnants.tolist() if len(fronting.lots(one)) > 1]
    return Strips(np.array(certain, dtype=np.int64), np.array(doubtful, dtype=np.int64), served)


class _Strip:
    """A connected strip: its parcels that are no known right-of-way, and the lots that front on it."""

    def __init__(self, strip: "NDArray[np.int64]", land: _Land) -> None:
        self.members = strip[~land.uses.way[strip]]
        self.joins = len(strip) > len(self.members)
        self.needed = 1 if self.joins else SERVED
        self.lots: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.oblong = bool(
            self.joins
            or land.thin[self.members].any()
            or land.length[self.members].sum() >= max(LONG_FT, STRIP_RATIO * median(land.width[self.members].tolist()))
        )


def _weighed(strip: _Strip, land: _Land, beside: "_Beside", fronting: "_Fronting") -> tuple[list[int], list[int], dict[int, int]]:
    """Return which parcels of a strip are a street for certain, which are in doubt, and how many lots depend on each."""
    uses, members = land.uses, strip.members
    # A piece of nobody's land that continues a known right-of-way is one, however short.
    certain = [int(one) for one in members if strip.joins and uses.nobodys[one]]
    doubtful: list[int] = []
    served: dict[int, int] = {}
    if not strip.oblong:
        return certain, doubtful, served
    lots = strip.lots.tolist()
    depend = {lot for lot in lots if land.way_out[lot] == _NO_WAY_OUT} if len(lots) >= strip.needed else set()
    if len(depend) < strip.needed:
        # Nobody depends on it: only a long thin parcel that nobody uses is worth a question.
        doubtful = [
            int(one)
            for one in members
            if land.thin[one] and _idle(one, uses) and _many_along(fronting.feet(one), land.length[one])
        ]
        return certain, doubtful, served
    by_member = {one: {lot for lot in fronting.lots(one) if lot in depend} for one in members.tolist()}
    kept, alone = _kept(members, beside, by_member, land.ratio, uses)
    long_ = float(land.length[kept].sum()) / max(median(land.width[kept].tolist()), 1.0) if kept else 0.0
    sure = len(depend) >= CERTAIN_SERVED and long_ >= CERTAIN_RATIO
    for one in kept:
        street = sure and not uses.built[one] and (not uses.owned[one] or (uses.public[one] and alone[one] >= SERVED))
        served[one] = len(depend)
        if one not in certain:
            (certain if uses.nobodys[one] or street else doubtful).append(one)
    return certain, doubtful, served


def _is_remnant(one: int, land: _Land) -> bool:
    """Return whether a parcel is too small for a lot, and nobody's or the public's: what is left of a street, or an alley's end."""
    uses = land.uses
    return bool(
        not uses.built[one]
        and uses.unlike[one]
        and (uses.public[one] or not uses.owned[one])
        and land.width[one] * land.length[one] < REMNANT_SQ_FT
    )


def _idle(one: int, uses: Uses) -> bool:
    """Return whether nothing says that anybody uses a parcel, as it does of most others, or the layer says nothing of any."""
    return bool(not uses.built[one] and (uses.unlike[one] or uses.bare[one]))


def _has_body(geometry: "NDArray[np.object_]", width: "NDArray[np.float64]") -> "NDArray[np.bool_]":
    """Return whether polygons are in good part wider than a strip of their mean width: a flag lot, a lot with a tail."""
    if not len(geometry):
        return np.zeros(0, dtype=bool)
    half = 0.75 * width
    wide = shapely.buffer(shapely.buffer(geometry, -half, quad_segs=4), half, quad_segs=4)
    return np.asarray(shapely.area(wide) > BODY_SHARE * shapely.area(geometry))


def _has_plaza(shapes: Shapes, places: "NDArray[np.int64]", width: "NDArray[np.float64]") -> "NDArray[np.bool_]":
    """Return whether a circle of :data:`PLAZA_FT` round some point lies in polygons."""
    west, south, east, north = shapes.bounds[places].T
    # most are narrower than the circle in their box already, less what the corners of a drawn circle fall short; or wider even on average
    found = np.asarray(width[places] > 2 * PLAZA_FT)
    doubt = np.flatnonzero(~found & (np.minimum(east - west, north - south) >= 1.8 * PLAZA_FT))
    for start in range(0, len(doubt), AT_ONCE):
        some = doubt[start : start + AT_ONCE]
        found[some] = ~shapely.is_empty(shapely.buffer(shapes[places[some]], -PLAZA_FT, quad_segs=2))
    return found


def _many_along(shared_ft: list[float], length_ft: float) -> bool:
    """Return whether many lots lie along a strip, none of them beside most of it: a deep lot's neighbors are as deep."""
    return sum(shared < length_ft / 2 for shared in shared_ft) >= FRONTING


class _Beside:
    """What lies beside the parcels that are looked at, and along how much of their boundary."""

    def __init__(self, shapes: Shapes, looked_at: "NDArray[np.int64]") -> None:
        mine, other = shapes.near(looked_at, TOUCH_FT)
        mine = looked_at[mine]
        apart = mine != other
        self.mine, self.other = mine[apart], other[apart]
        self._shapes = shapes

    def others(self, one: int) -> "NDArray[np.int64]":
        """Return what touches a parcel."""
        start, end = np.searchsorted(self.mine, [one, one + 1])
        return np.asarray(self.other[start:end])

    def apart(self, others: list[int]) -> bool:
        """Return whether two parcels do not meet: what touches both joins them."""
        shapes = self._shapes[others]
        return any((shapely.distance(shapes[k], shapes[k + 1 :]) > 2 * TOUCH_FT).any() for k in range(len(others) - 1))

    def fronting(self, groups: "list[NDArray[np.int64]]", uses: Uses) -> "_Fronting":
        """Return which lots front on the parcels of some groups; those of a parcel's own group do not count."""
        members = np.concatenate([np.zeros(0, dtype=np.int64), *groups])
        group = np.full(len(uses.way), -1, dtype=np.int32)
        group[members] = np.repeat(np.arange(len(groups)), [len(some) for some in groups])
        measured = (group[self.mine] >= 0) & (group[self.mine] != group[self.other]) & ~uses.way[self.other]
        return _Fronting(fronts(self._shapes, self.mine[measured], self.other[measured]), group, len(groups))


class _Fronting:
    """Which lots front on which parcels, and along how many feet; in arrays, for a county has a million of these pairs."""

    def __init__(self, found: Fronts, group: "NDArray[np.int32]", groups: int) -> None:
        self._starts = np.searchsorted(found.parcel, np.arange(len(group) + 1))
        self._lot, self._feet = found.lot, found.shared_ft
        of = group[found.parcel]
        order = np.lexsort((found.lot, of))
        of, lot = of[order], found.lot[order]
        first = np.r_[True, (np.diff(of) != 0) | (np.diff(lot) != 0)][: len(of)]
        self._lot_of_group = lot[first]
        self._group_starts = np.searchsorted(of[first], np.arange(groups + 1))

    def lots(self, one: int) -> list[int]:
        """Return the lots that front on a parcel."""
        made: list[int] = self._lot[self._starts[one] : self._starts[one + 1]].tolist()
        return made

    def feet(self, one: int) -> list[float]:
        """Return along how many feet each does."""
        made: list[float] = self._feet[self._starts[one] : self._starts[one + 1]].tolist()
        return made

    def of_group(self, number: int) -> "NDArray[np.int64]":
        """Return the lots that front on any parcel of a group, each once, in their order."""
        return np.asarray(self._lot_of_group[self._group_starts[number] : self._group_starts[number + 1]])


def _strips(beside: _Beside, looked_at: "NDArray[np.int64]", way: "NDArray[np.bool_]") -> "list[NDArray[np.int64]]":
    """Return the parcels looked at in connected groups, each with the known rights-of-way that it touches."""
    place = np.full(len(way), -1, dtype=np.int32)
    place[looked_at] = np.arange(len(looked_at))
    one, other = place[beside.mine], place[beside.other]
    label = _connected(len(looked_at), one[other >= 0], other[other >= 0])
    # the known rights-of-way that each touches
    known = (other < 0) & way[beside.other]
    member = np.concatenate([looked_at, beside.other[known]])
    group = np.concatenate([label, label[one[known]]])
    order = np.lexsort((member, group))
    member, group = member[order], group[order]
    again = np.r_[False, (np.diff(member) == 0) & (np.diff(group) == 0)]
    member, group = member[~again], group[~again]
    return np.split(member, np.flatnonzero(np.diff(group)) + 1)


def _connected(count: int, one: "NDArray[np.int64]", other: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return for each of some things the first of those that pairs connect it with."""
    label = np.arange(count)
    while True:
        made = label.copy()
        np.minimum.at(made, one, label[other])
        np.minimum.at(made, other, label[one])
        # as far as the labels lead by now
        made = made[made]
        if (made == label).all():
            return label
        label = made


def _find_ways_out(land: _Land, strips: list[_Strip]) -> None:
    """Find which lots along strips have another way out, as far as it is needed.

    Of a strip that too few lots can depend on any more the rest is not looked at: most are vacant lots, and the first lot beside them tells.
    """
    known = land.way_out
    for whole in (False, False, True):
        asked = bytearray(len(known))
        for strip in strips:
            lots = strip.lots.tolist()
            unknown = [lot for lot in lots if known[lot] == _UNKNOWN]
            spare = sum(known[lot] == _NO_WAY_OUT for lot in lots) + len(unknown) - strip.needed
            if spare >= 0:
                # those that another strip asks for come first
                unknown.sort(key=lambda lot: not asked[lot])
                for lot in unknown if whole else unknown[: spare + 1]:
                    asked[lot] = 1
        new = np.flatnonzero(np.frombuffer(asked, dtype=np.uint8)).astype(np.int64)
        if not len(new):
            break
        found = have_way_out(land.shapes, new, land.uses.way)
        for lot, out in zip(new.tolist(), found.tolist(), strict=True):
            known[lot] = _WAY_OUT if out else _NO_WAY_OUT


def _kept(
    members: "NDArray[np.int64]", beside: _Beside, depend: dict[int, set[int]], ratio: "NDArray[np.float64]", uses: Uses
) -> tuple[list[int], dict[int, int]]:
    """Leave out of a strip the vacant lots that only lie beside it: they serve nobody, and join nothing.

    The lots beside a vacant lot touch it too, but they front on the street: only a lot that no other parcel of the strip serves counts.
    Whoever has no owner stays, for no mistake about it can cost an owner a letter.

    Returns
    -------
    kept, served
        The parcels of the strip, and for each how many lots front on it alone.
    """
    kept = {int(one) for one in members if not uses.built[one] or len(depend[int(one)]) >= SERVED}
    # How many parcels of the strip each lot fronts on: counted once, for a net of streets has thousands of parcels.
    serving = Counter(lot for one in kept for lot in depend[one])
    # The likeliest lots are taken out first, so that those beside them are seen to front on what is left.
    order = sorted(kept, key=lambda one: (not uses.built[one], not uses.owned[one], uses.public[one], len(depend[one]), one))
    for one in order:
        if uses.owned[one] and _alone(one, serving, depend) < _needed(one, kept, beside, uses):
            kept.discard(one)
            serving.subtract(depend[one])
    looked_at = [one for one in order if one not in kept and not uses.built[one]]
    while True:
        joining = {
            one
            for one in looked_at
            if _of_a_kind(one, others := [other for other in beside.others(one).tolist() if other in kept], uses)
            and (beside.apart(others) or (uses.public[one] and ratio[one] >= PIECE_RATIO))
        }
        if not joining:
            break
        kept |= joining
        serving.update(lot for one in joining for lot in depend[one])
        # Only what touches a parcel that has just come in can be joined by it.
        touching = {other for one in joining for other in beside.others(one).tolist()}
        looked_at = [one for one in order if one in touching and one not in kept and not uses.built[one]]
    return sorted(kept), {one: _alone(one, serving, depend) for one in kept}


def _alone(one: int, serving: Counter[int], depend: dict[int, set[int]]) -> int:
    """Return how many lots front on a parcel and on no other of the strip."""
    return sum(serving[lot] == 1 for lot in depend[one])


def _needed(one: int, kept: set[int], beside: _Beside, uses: Uses) -> int:
    """Return how many lots must front on a parcel alone for it to stay: one where its owner has more of the strip or is public."""
    if uses.built[one]:
        return SERVED
    others = [other for other in beside.others(one).tolist() if other in kept]
    return 1 if uses.public[one] or _of_a_kind(one, others, uses) else SERVED


def _of_a_kind(one: int, others: list[int], uses: Uses) -> bool:
    """Return whether a parcel has the same owner as one of the others; all public ones count as one, for a village is spelled many ways."""
    if uses.public[one]:
        return bool(uses.public[others].any())
    return bool((uses.owner[others] == uses.owner[one]).any())
