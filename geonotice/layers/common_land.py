"""Which lots share the ownership of a common lot: what import finds, and what the town file states."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, TownFileError
from geonotice.layers.columns.text import AT_ONCE, as_bool, hashes
from geonotice.layers.condominium import Outlines
from geonotice.layers.roles import ROLES
from geonotice.layers.spill import give_back
from geonotice.model import Problem
from geonotice.taxmap import LONG_UNIT, MAY_BE_UNIT, UnitNumber, comparable, nearest_numbers, unit_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.config.town import CommonLandSpec
    from geonotice.layers.identity import Merged


__all__ = [
    "QUESTION",
    "CommonLand",
    "Tie",
    "find_common_land",
    "stated_ties",
]


ANY = "*"
"""At the end of a number it stands for any characters."""


def stated_ties(
    merged: "Merged", outlines: "Outlines", specs: "Sequence[CommonLandSpec]", *, file: str
) -> dict[int, tuple[tuple[int, ...], str]]:
    """Find the lots that the town file names.

    Parameters
    ----------
    merged
        The parcels of all layers.
    outlines
        Their outlines.
    specs
        What the town file says.
    file
        The town file, for the message.

    Returns
    -------
    dict
        By the place of a common lot the places of its units, and where that stands; no units where nobody shares it.

    Raises
    ------
    TownFileError
        A number stands for no parcel, or for several; all of them at once.
    """
    if not specs:
        return {}
    ids, keys = merged.id.to_pylist(), merged.identities.key.to_pylist()
    faults: list[Fault] = []

    def find(number: str, key: str) -> list[int]:
        if number.endswith(ANY):
            start = comparable(number.removesuffix(ANY))
            found = [place for place, text in enumerate(keys) if text.startswith(start)]
        else:
            sought = comparable(number)
            found = [place for place, text in enumerate(ids) if text == number]
            found = found or [place for place, text in enumerate(keys) if text and text == sought]
            if len(found) > 1:
                choices = ", ".join(ids[place] for place in found)
                remedy = f"write the one that is meant: {choices}"
                faults.append(Fault(what=f"{number} stands for {len(found)} parcels", file=file, key=key, remedy=remedy))
                return []
        if not found:
            near = nearest_numbers(comparable(number), zip(ids, keys, strict=True))
            remedy = f"write the number as the layer has it{'; similar: ' + ', '.join(near) if near else ''}"
            faults.append(Fault(what=f"no parcel has the number {number}", file=file, key=key, remedy=remedy))
        return found

    made: dict[int, tuple[tuple[int, ...], str]] = {}
    for n, spec in enumerate(specs):
        lots = find(spec.lot, f"common_land[{n}].lot")
        units = [place for number in spec.units or () for place in find(number, f"common_land[{n}].units")]
        for lot in lots:
            held = _contained(outlines, lot) if spec.units is None else units
            if spec.units is None and not held:
                remedy = 'name the units by their numbers: units = ["…"]'
                faults.append(
                    Fault(
                        what=f"no lot lies in the outline of {spec.lot}", file=file, key=f"common_land[{n}].units", remedy=remedy
                    )
                )
            before, source = made.get(lot, ((), ""))
            every = dict.fromkeys((*before, *(place for place in held if place != lot)))
            made[lot] = (tuple(every), "; ".join(dict.fromkeys(text for text in (source, spec.source) if text)))
    if faults:
        raise TownFileError(faults)
    return made


def _contained(outlines: "Outlines", lot: int) -> list[int]:
    _, near = outlines.shapes.boxes_near(outlines.shapes.bounds[[lot]])
    return [place for place in near[outlines.lots[near]].tolist() if outlines.holds(lot, place)]


SHARED_BY = 3
"""A suffix that fewer lots share is no sign of a condominium."""
SMALL_SQ_FT = 5_000.0
"""A lot inside another that is smaller than this may be a unit, and is asked about."""
TOUCH_FT = 1.5
"""Lots nearer than this touch: the default tolerance, what digitizing moves a lot line."""
HOLE_SQ_FT = 130_680.0
"""Three acres. A larger hole holds a block of houses rather than a building: what lies in it is not a unit for lying there."""
LARGER = 2.0
"""A common lot beside its units is at least so many times as large as they are."""
QUESTION = "question"
"""How a tie is marked that import does not make: lots that a person is asked about."""

_OUT_LOTS = re.compile(r"1\d\d|416|695|9\d\d")
"""Classes of the State's whose land encloses lots that own no share of it: farms, mobile-home parks, cemeteries, wild land and parks."""
_LEASED = re.compile(r"416|695")
"""Of these the classes whose lots are never tied by a number either: pads and plots are numbered like units."""
_IN_COMMON = re.compile(r"\b(?:COMMON|CONDO\w*|HOME ?OWNERS?|UNIT OWNERS?|H\.?O\.?A)\b")
_REST = re.compile(r"[-_/. ]*(?:[A-Z]{1,8}|0+)?")
"""What may stand after the base in the number of a common lot: nothing, letters (``-CE``), zeros."""
NAMED = 5


@dataclass(frozen=True, slots=True)
class Tie:
    """That the owner of a unit owns a share of a common lot; both are places of parcels. ``how`` is ``class``, ``number``, ``town_file`` or ``question``."""

    lot: int
    unit: int
    how: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class CommonLand:
    """What was found: the ties, sorted; what import says of them; and the questions, as sentences."""

    ties: tuple[Tie, ...]
    problems: tuple[Problem, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Land:
    """What is looked at: the parcels, their outlines, the numbers that are units', and which lots the county calls a condominium's."""

    merged: "Merged"
    outlines: Outlines
    numbers: "_UnitNumbers"
    condo: "NDArray[np.bool_]"


@dataclass(frozen=True, slots=True, eq=False)
class _UnitNumbers:
    """The numbers of lots that are a unit's.

    ``is_one`` has all of them. ``apart`` has those that somebody may be tied by: of a base that three lots share, or that is another parcel's
    number; most numbers in New York's long form are neither. ``called`` are the parcels whose number is the base of one of these.
    """

    is_one: "NDArray[np.bool_]"
    apart: "Mapping[int, UnitNumber]"
    called: "Mapping[str, list[int]]"


@dataclass(slots=True)
class _Found:
    """The ties made so far, by lot and unit, and the lots that are asked about, with the reason."""

    how: dict[tuple[int, int], str] = field(default_factory=dict)
    asked: dict[int, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))

    def tie(self, lot: int, unit: int, how: str) -> None:
        if lot != unit:
            self.how.setdefault((lot, unit), how)

    def units(self) -> set[int]:
        return {unit for _, unit in self.how}

    def lots(self) -> set[int]:
        return {lot for lot, _ in self.how}


def find_common_land(
    merged: "Merged", roles: "NDArray[np.int8]", specs: "Sequence[CommonLandSpec]", names: "Sequence[str]", *, file: str
) -> CommonLand:
    """Tie the units of condominiums to their common lots.

    Parameters
    ----------
    merged
        The parcels of all layers, in the town's CRS.
    roles
        The role of each, as its place in :data:`geonotice.layers.roles.ROLES`.
    specs
        What the town file says; it stands in place of what is found, lot by lot.
    names
        What the layers are called.
    file
        The town file, for the message.

    Raises
    ------
    TownFileError
        The town file names a lot or a unit that is not there; all of them at once.
    """
    rows = merged.rows
    if not len(rows):
        return CommonLand((), (), ())
    lots = np.asarray(roles == ROLES.index("lot"))
    condo = as_bool(rows.condominium.is_valid()) & lots
    numbers = _unit_numbers(merged, lots)
    give_back()
    numbered = np.zeros(len(rows), dtype=bool)
    numbered[list(numbers.apart)] = True
    outlines = Outlines(rows.shapes, lots, units=condo | numbered | (rows.shapes.area < SMALL_SQ_FT))
    land = _Land(merged, outlines, numbers, condo)
    found = _Found()
    _by_number(land, found)
    _by_class(land, found)
    _ask(land, found)
    stated = stated_ties(merged, outlines, specs, file=file)
    made = {pair: how for pair, how in _closed(found.how).items() if pair[0] not in stated}
    ties = [Tie(lot, unit, how) for (lot, unit), how in made.items()]
    ties += [Tie(lot, unit, "town_file", source) for lot, (units, source) in stated.items() for unit in units]
    tied = {(tie.lot, tie.unit) for tie in ties}
    asked = {
        lot: {unit: why for unit, why in units.items() if (lot, unit) not in tied}
        for lot, units in found.asked.items()
        if lot not in stated
    }
    ties += [Tie(lot, unit, QUESTION, why) for lot, units in asked.items() for unit, why in units.items()]
    ties.sort(key=lambda tie: (tie.lot, tie.unit))
    problems, questions = _said(merged, ties, names)
    return CommonLand(tuple(ties), problems, questions)


def _unit_numbers(merged: "Merged", lots: "NDArray[np.bool_]") -> _UnitNumbers:
    """Return the lots whose number is a unit's, and take apart those that may be tied by it.

    Texts of all numbers fill the memory of a county, so they are looked at some at once, and only what they hash to is kept: rows that are alike
    hash alike, and the texts of the few that are left show which are.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    key, swis = merged.identities.key, merged.rows.swis
    is_one = np.zeros(len(key), dtype=bool)
    based, paired, called_so = (np.zeros(len(key), dtype=np.int64) for _ in range(3))
    for start in range(0, len(key), AT_ONCE):
        here = slice(start, start + AT_ONCE)
        texts = key.slice(start, AT_ONCE)
        called_so[here] = hashes(_whole_numbers(texts).to_pylist())
        hits = np.flatnonzero(as_bool(pc.match_substring_regex(texts, MAY_BE_UNIT)) & lots[here])
        base, _ = _bases(texts.take(pa.array(hits)))
        real = as_bool(pc.is_valid(base))
        hits, bases = hits[real] + start, base.filter(pa.array(real)).to_pylist()
        is_one[hits] = True
        based[hits] = hashes(bases)
        codes = pc.fill_null(swis.take(pa.array(hits)), "").to_pylist()
        paired[hits] = hashes(zip(bases, codes, strict=True))
    hits = np.flatnonzero(is_one)
    ordered = np.sort(paired[hits])
    often = np.unique(ordered[SHARED_BY - 1 :][ordered[SHARED_BY - 1 :] == ordered[: len(ordered) - SHARED_BY + 1]])
    del ordered
    hits = hits[_among(paired[hits], often) | _among(based[hits], np.sort(called_so))]
    if not len(hits):
        return _UnitNumbers(is_one, {}, {})
    some = np.flatnonzero(_among(called_so, np.unique(based[hits])))
    del based, paired, called_so
    base, plain = _bases(key.take(pa.array(hits)))
    pair = pc.binary_join_element_wise(base, pc.fill_null(swis.take(pa.array(hits)).combine_chunks(), ""), "\x1f")
    codes = pair.dictionary_encode().indices.to_numpy()
    several = np.bincount(codes)[codes] >= SHARED_BY
    whole = _whole_numbers(key.take(pa.array(some)))
    apart = np.flatnonzero(several | as_bool(pc.is_in(base, value_set=whole)))
    bases = base.take(pa.array(apart))
    numbers = {
        place: UnitNumber(text, plain=alone)
        for place, text, alone in zip(hits[apart].tolist(), bases.to_pylist(), plain[apart].tolist(), strict=True)
    }
    called: dict[str, list[int]] = defaultdict(list)
    at = np.flatnonzero(as_bool(pc.is_in(whole, value_set=bases)))
    for place, text in zip(some[at].tolist(), whole.take(pa.array(at)).to_pylist(), strict=True):
        called[text].append(place)
    return _UnitNumbers(is_one, numbers, called)


def _bases(numbers: "pa.Array") -> "tuple[pa.Array, NDArray[np.bool_]]":
    """Return the base of units' numbers, null where none is a unit's, and whether the suffix leaves no doubt."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # New York's number in full is taken apart by its length; the others one by one
    base = pc.binary_join_element_wise(pc.utf8_slice_codeunits(numbers, 0, -4), "0000", "")
    plain = np.ones(len(numbers), dtype=bool)
    odd = ~as_bool(pc.match_substring_regex(numbers, LONG_UNIT)) | as_bool(pc.ends_with(numbers, "0000"))
    if odd.any():
        made = [unit_number(text) for text in numbers.filter(pa.array(odd)).to_pylist()]
        base = pc.replace_with_mask(base, pa.array(odd), pa.array([one and one.base for one in made], pa.string()))
        plain[odd] = [one is not None and one.plain for one in made]
    return base, plain


def _whole_numbers(numbers: "pa.Array") -> "pa.Array":
    """Return numbers as a unit's base is written: without marks at the end."""
    import pyarrow.compute as pc

    return pc.utf8_rtrim(numbers, characters=" .-_/")


def _among(hashes: "NDArray[np.int64]", ordered: "NDArray[np.int64]") -> "NDArray[np.bool_]":
    """Return which of some numbers stand in an ordered list."""
    found = np.zeros(len(hashes), dtype=bool)
    for start in range(0, len(hashes) if len(ordered) else 0, AT_ONCE):
        some = hashes[start : start + AT_ONCE]
        at = np.searchsorted(ordered, some)
        at[at == len(ordered)] = 0
        found[start : start + AT_ONCE] = ordered[at] == some
    return found


def _by_number(land: _Land, found: _Found) -> None:
    """Tie lots whose number is another's with the suffix of a unit: contained in it; or beside it, where suffix or class leave no doubt."""
    merged, outlines, numbers = land.merged, land.outlines, land.numbers.apart
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    swis = merged.rows.swis
    for place, number in numbers.items():
        groups[number.base, swis[place].as_py() or ""].append(place)
    for (base, code), units in groups.items():
        several = len(units) >= SHARED_BY
        called = land.numbers.called.get(base, [])
        lots = [lot for lot in called if any(outlines.holds(lot, unit) for unit in units)]
        # Fewer units than share a number have no lot that holds as many: most numbers in New York's long form end here.
        lots = lots or (_enclosing(merged, outlines, base, units) if several else []) or called
        if several and not lots:
            _without_number(land, units, found)
        home, placed = None, set(lots)
        for lot in lots:
            near = _at_lot(land, lot, [unit for unit in units if unit != lot], found, several=several)
            placed |= near
            home = lot if near else home
        if several:
            apart = [unit for unit in units if unit not in placed and (home is not None or numbers[unit].plain)]
            if home is None:
                # one number can stand in several SWIS: units are asked about with the lot of their own
                home = next((lot for lot in lots if (swis[lot].as_py() or "") == code), None)
            if home is not None:
                found.asked[home] |= dict.fromkeys(apart, "apart")


def _at_lot(land: _Land, lot: int, units: "Sequence[int]", found: _Found, *, several: bool) -> set[int]:
    """Tie units of its number to a lot, or ask about them; return those that lie in it or touch it."""
    class_ = land.merged.rows.nys_class[lot].as_py() or ""
    inside = {unit for unit in units if land.outlines.holds(lot, unit)}
    for unit in inside:
        plain = land.numbers.apart[unit].plain
        # the out-lots of a farm are not numbered as units are; pads and plots may be
        other_use = (_LEASED if plain else _OUT_LOTS).match(class_)
        if land.condo[unit] or land.condo[lot] or (several and not other_use):
            found.tie(lot, unit, "number")
        elif several or plain:
            found.asked[lot][unit] = "use" if several else "number"
    if _LEASED.match(class_) and not land.condo[lot]:
        return inside
    sure = [unit for unit in units if unit not in inside and (land.condo[unit] or (several and land.numbers.apart[unit].plain))]
    reached = _touching(land.outlines, [lot, *inside], sure)
    for unit in reached:
        found.tie(lot, unit, "number")
    return inside | reached


def _enclosing(merged: "Merged", outlines: Outlines, base: str, units: "Sequence[int]") -> list[int]:
    """Return the lot that holds at least three of the units and whose own number is the base with letters or zeros (``1-2-CE``)."""
    key = merged.identities.key
    held: dict[int, int] = defaultdict(int)
    for unit in units:
        for lot in outlines.holders(unit):
            number = key[lot].as_py()
            own = number.startswith(base) and (lot in units or _REST.fullmatch(number[len(base) :]))
            if own and outlines.area[unit] < outlines.area[lot] / LARGER:
                held[lot] += 1
    return [lot for lot, count in held.items() if count >= SHARED_BY][:1]


def _without_number(land: _Land, units: "Sequence[int]", found: _Found) -> None:
    """Tie units of one number, whose suffix leaves no doubt, to a lot round them that has no number; ask about one that has another."""
    for unit in units:
        lot = land.outlines.innermost(unit, larger=LARGER)
        if lot is None or not land.numbers.apart[unit].plain or land.condo[unit]:
            continue
        if land.merged.identities.key[lot].as_py() or _doubt(land.merged, land.outlines, lot, unit):
            found.asked[lot][unit] = "other"
        else:
            found.tie(lot, unit, "number")


def _touching(outlines: Outlines, start: "Sequence[int]", units: "Sequence[int]") -> set[int]:
    """Return the units that touch the common lot, or a unit that does."""
    reached: set[int] = set()
    edge, rest = list(start), list(units)
    while edge and rest:
        tree = shapely.STRtree(outlines.shapes[rest])
        near = set(tree.query(outlines.shapes[edge], predicate="dwithin", distance=TOUCH_FT)[1].tolist())
        edge = [rest[place] for place in sorted(near)]
        reached |= set(edge)
        rest = [unit for place, unit in enumerate(rest) if place not in near]
    return reached


def _by_class(land: _Land, found: _Found) -> None:
    """Tie the lots that the county calls a condominium's: to the lot round them; or to one beside them that is plainly common land."""
    merged, outlines, condo = land.merged, land.outlines, land.condo
    tied = found.units()
    open_ = [unit for unit in np.flatnonzero(condo).tolist() if unit not in tied]
    inside: dict[int, int] = {}
    for unit in open_:
        lot = outlines.innermost(unit, larger=LARGER)
        if lot is not None:
            inside[unit] = lot
    known = found.lots()
    common = known.union(inside.values())
    for unit, lot in inside.items():
        # common land itself, enclosed by a lot of another kind, is no unit of it
        if condo[lot] or lot in known or not (unit in common or _doubt(merged, outlines, lot, unit)):
            found.tie(lot, unit, "class")
        else:
            found.asked[lot][unit] = "class"
    beside = [unit for unit in open_ if unit not in inside]
    _class_beside(land, beside, found)


def _doubt(merged: "Merged", outlines: Outlines, lot: int, unit: int) -> bool:
    """Return whether a lot may enclose condominium land that is none of its own: a farm, a park; or a street drawn as one polygon."""
    class_ = merged.rows.nys_class[lot].as_py() or ""
    return bool(_OUT_LOTS.match(class_)) or outlines.hole_sq_ft(lot, unit) > HOLE_SQ_FT


def _class_beside(land: _Land, beside: "Sequence[int]", found: _Found) -> None:
    """Tie condominium lots to a lot that they touch: one known as common land, or one of a condominium by class or owner that is larger."""
    if not beside:
        return
    outlines = land.outlines
    unit_of, lot_of = outlines.shapes.near(np.array(beside, dtype=np.int64), TOUCH_FT)
    touching: dict[int, list[int]] = defaultdict(list)
    for lot, place in zip(lot_of.tolist(), unit_of.tolist(), strict=True):
        if outlines.lots[lot] and lot != beside[place]:
            touching[lot].append(beside[place])
    known = found.lots()
    owners: pa.Table | None = None
    for lot, units in touching.items():
        sure = lot in known
        if not sure and len(units) >= SHARED_BY and not land.numbers.is_one[lot]:
            large = outlines.area[lot] >= LARGER * float(np.median(outlines.area[units]))
            if large and not land.condo[lot] and owners is None:
                owners = land.merged.rows.owners.table(("row", "names"))
            sure = large and (owners is None or bool(land.condo[lot]) or bool(_IN_COMMON.search(_names(owners, lot))))
        if sure:
            for unit in units:
                found.tie(lot, unit, "class")


def _names(owners: "pa.Table", place: int) -> str:
    """Return the names of a parcel's owners in capitals."""
    start, end = np.searchsorted(owners["row"].to_numpy(), [place, place + 1]).tolist()
    return " ".join(owners["names"].slice(start, end - start).to_pylist()).upper()


def _ask(land: _Land, found: _Found) -> None:
    """Ask about three or more small lots in the outline of another that nothing ties to it; tie them where the county calls that one a condominium's."""
    outlines = land.outlines
    tied = found.units()
    inside: dict[int, list[int]] = defaultdict(list)
    for unit, lot in outlines.small_inside(SMALL_SQ_FT, larger=LARGER).items():
        if unit not in tied and unit not in found.asked[lot] and outlines.hole_sq_ft(lot, unit) <= HOLE_SQ_FT:
            inside[lot].append(unit)
    for lot, units in inside.items():
        if len(units) >= SHARED_BY and land.condo[lot]:
            for unit in units:
                found.tie(lot, unit, "class")
        elif len(units) >= SHARED_BY:
            found.asked[lot] |= dict.fromkeys(units, "contained")


def _closed(how: "Mapping[tuple[int, int], str]") -> dict[tuple[int, int], str]:
    """Add what follows: the units of a building that is itself a unit of a larger condominium share that one's land too."""
    below: dict[int, dict[int, str]] = defaultdict(dict)
    for (lot, unit), word in how.items():
        below[lot][unit] = word
    made = dict(how)
    for lot in list(below):
        edge, seen = list(below[lot]), {lot}
        while edge:
            unit = edge.pop()
            if unit in seen:
                continue
            seen.add(unit)
            made.setdefault((lot, unit), "number")
            edge += below.get(unit, ())
    return made


_HOW = {"class": "by the county's class", "number": "by their numbers", "town_file": "by the town file"}
_WHY = {
    "number": "{n} in its outline are numbered like its units, but fewer than three share the number",
    "use": "{n} in its outline are numbered like its units, but its class is that of a farm, a park, a cemetery or a mobile-home park",
    "apart": "{n} are numbered like its units and lie apart from it",
    "other": "{n} in its outline are numbered like the units of a condominium whose number is not its own",
    "class": "{n} in its outline are of a condominium by the county's class, and it may not be their common land",
    "contained": "{n} of less than 5,000 sq ft lie in its outline",
}


def _said(merged: "Merged", ties: "Iterable[Tie]", names: "Sequence[str]") -> "tuple[tuple[Problem, ...], tuple[str, ...]]":
    """Return what was tied, lot by lot, and what a person is asked."""
    grouped: dict[tuple[int, bool], list[Tie]] = defaultdict(list)
    for tie in ties:
        grouped[tie.lot, tie.how == QUESTION].append(tie)
    problems, questions = [], []
    for (lot, asked), some in grouped.items():
        called = merged.id[lot].as_py()
        units = [merged.id[tie.unit].as_py() for tie in some]
        listed = "; ".join(units[:NAMED]) + (f" and {len(units) - NAMED} more" if len(units) > NAMED else "")
        if asked:
            why = " and ".join(
                _WHY[word].format(n=_lots(sum(tie.source == word for tie in some)))
                for word in dict.fromkeys(tie.source for tie in some)
            )
            text = f"{why} ({listed}); they are not tied to it. If their owners own it in common, write [[common_land]] into the town file"
            questions.append(f"{called}: {text}")
        else:
            how = " and ".join(_HOW[word] for word in dict.fromkeys(tie.how for tie in some))
            text = f"it is the common land of {_lots(len(units))} ({listed}), {how}: where it calls for notice, their owners are notified"
        problems.append(Problem(names[merged.rows.layer[lot]], called, "common_land_question" if asked else "common_land", text))
    return tuple(problems), tuple(questions)


def _lots(count: int) -> str:
    return "1 lot" if count == 1 else f"{count:,} lots"
