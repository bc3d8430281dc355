"""How many parcels a notice list of each candidate has, and how many letters: counted for all at once, as the list itself counts them.

A rule that names a distance needs the join alone. One that names how parcels adjoin needs who adjoins each candidate
(:mod:`geonotice.screen.adjacency_of_all`). Where a law asks for more, each candidate's list is made by itself.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.decide.notice import ParcelFacts, decide_notice, notice_rules
from geonotice.model import NoticeParcel
from geonotice.recipients.mail_pieces import NoticeWarnings
from geonotice.recipients.owners import owner_drafts
from geonotice.recipients.residents import combine, resident_drafts
from geonotice.screen.join import Layer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geonotice.opened_town import Opened
    from geonotice.recipients.mail_pieces import Draft
    from geonotice.store import ParcelBlock

__all__ = [
    "NoticeCounts",
    "PeopleOfTown",
    "by_distance",
    "by_relations",
    "count_by_distance",
    "count_by_relations",
    "listed_as",
    "people_of",
]

_AT_ONCE = 8000
"""So many candidates are counted at once: two million pairs where each has 250 neighbors."""


class NoticeCounts(Struct, frozen=True):
    """For each candidate, the parcels on its list, and the letters that would go out to owners and residents; those to clerks hang on other layers."""

    parcels: "NDArray[np.int64]"
    pieces: "NDArray[np.int64]"


class PeopleOfTown(Struct, frozen=True):
    """The mail pieces of all parcels of the town, by place in the block of parcels.

    ``pieces[first_piece[n]:first_piece[n + 1]]`` are the letters to owners of parcel ``n``: one number for one letter, however many parcels share it;
    -1 is a letter that cannot be sent. ``residents`` are the letters to residents of each parcel, ``at_home`` those where it is part of the premises.
    ``units`` are the places of the parcels whose owners own a common lot.
    """

    first_piece: "NDArray[np.int64]"
    pieces: "NDArray[np.int64]"
    residents: "NDArray[np.int64]"
    at_home: "NDArray[np.int64]"
    units: Mapping[int, tuple[int, ...]]

    def with_units(self, places: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """Return these places and those of the units that belong to common lots among them, in rising order."""
        units = [unit for lot in np.intersect1d(places, [*self.units]).tolist() for unit in self.units[lot]]
        return np.union1d(places, np.array(units, np.int64))

    def part(self, places: "NDArray[np.int64]") -> "PeopleOfTown":
        """Return the mail pieces of some parcels, given in rising order with the units of their common lots; places are those among them."""
        lengths = np.diff(self.first_piece)[places]
        first = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(first[-1]) - np.repeat(first[:-1], lengths)
        lots = np.intersect1d(places, [*self.units]).tolist()
        here = {int(place): n for n, place in enumerate(places)} if lots else {}
        return PeopleOfTown(
            first_piece=first,
            pieces=self.pieces[np.repeat(self.first_piece[:-1][places], lengths) + within],
            residents=self.residents[places],
            at_home=self.at_home[places],
            units={here[lot]: tuple(here[unit] for unit in self.units[lot]) for lot in lots},
        )


def by_distance(opened: "Opened", occasion: str) -> float | None:
    """Return the distance that the list of an occasion hangs on, where it hangs on nothing else and so can be counted for all at once.

    With the band beyond it in which a parcel is listed for the map's accuracy. None where a rule asks how parcels adjoin, where rules name several
    distances, where the town wants to be asked about the band, or where the law measures from more than the premises.
    """
    settings = opened.town.settings
    rules = [rule for rule in notice_rules(opened.profile, occasion) if rule.notice and not rule.notice.schedule]
    notices = [rule.notice for rule in rules if rule.notice]
    simple = all(
        one.distance_ft is not None and not (one.relations or one.contiguous_land or one.around or one.only_in or one.bands)
        for one in notices
    )
    distances = {one.distance_ft for one in notices}
    if not simple or len(distances) != 1 or settings.borderline == "ask" or any(rule.kind == "clerk_notice" for rule in rules):
        return None
    return (distances.pop() or 0.0) + settings.borderline_ft


def by_relations(opened: "Opened", occasion: str) -> bool:
    """Return whether the list of an occasion hangs on who adjoins the premises and on nothing else.

    Not where a rule names a distance too, where only some rules are for residential districts, where residents are notified, or where the town wants to
    be asked about doubtful parcels.
    """
    settings = opened.town.settings
    notices = [
        rule.notice
        for rule in notice_rules(opened.profile, occasion)
        if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"
    ]
    simple = all(
        one.relations
        and one.distance_ft is None
        and {*one.recipients} == {"owners"}
        and not (one.contiguous_land or one.around or one.bands)
        for one in notices
    )
    return bool(
        notices
        and simple
        and len({one.only_in for one in notices}) == 1
        and "ask" not in {settings.borderline, settings.straight_across}
    )


def listed_as(opened: "Opened", occasion: str, standing: ParcelFacts) -> bool:
    """Return whether the law lists a parcel that stands to the premises in some way, on an occasion of :func:`by_relations`."""
    settings = opened.town.settings
    decision = decide_notice(
        opened.profile, occasion, [standing], zone="residential", borderline_ft=settings.borderline_ft, borderline=settings.borderline,
        straight_across=settings.straight_across, near_miss_ft=settings.near_miss_ft,
    )  # fmt: skip
    return bool(decision.parcels)


def count_by_relations(
    people: PeopleOfTown, candidates: "Sequence[tuple[int, ...]]", listed: "tuple[NDArray[np.int64], NDArray[np.int64]]"
) -> NoticeCounts:
    """Count parcels and letters of an occasion whose list hangs on who adjoins the premises.

    Parameters
    ----------
    people
        The town's mail pieces.
    candidates
        The parcels of each candidate, by place.
    listed
        The number of a candidate, and the place of a parcel that the law lists for it; sorted by both.
    """
    of_owners = _with_units(listed, people, len(people.residents), candidates)
    many = len(candidates)
    return NoticeCounts(np.bincount(of_owners[0], minlength=many).astype(np.int64), _distinct(people, *of_owners, many=many))


def people_of(opened: "Opened", block: "ParcelBlock", *, combined: bool, with_residents: bool = True) -> PeopleOfTown:
    """Gather the mail pieces of every parcel, by the very rules of a list.

    Parameters
    ----------
    opened
        The town.
    block
        All its parcels.
    combined
        Whether a resident's letter goes on the owner's where both go to one address.
    with_residents
        Whether residents are notified on any of the occasions; where not, they are left out, which takes a quarter of the time.
    """
    from geonotice.recipients.residents import TownPlace

    records = {parcel.fid: parcel for parcel in block.parcels}
    place = {parcel.fid: n for n, parcel in enumerate(block.parcels)}
    owners = opened.store.owners_of(records)
    points = opened.store.address_points_of(records) if with_residents and opened.store.has("address_points") else None
    listed = [_listed(parcel) for parcel in block.parcels]
    ties = (
        [tie for tie in opened.store.common_land_of(records) if tie.how != "question"] if opened.town.settings.common_land else []
    )
    spec = opened.town.town
    silent = NoticeWarnings()
    of_owners = owner_drafts(
        listed, records, owners, role="owner", warnings=silent, common_lots={records[tie.lot_fid].id for tie in ties},
        unnamed=opened.town.settings.unnamed_owner,
    )  # fmt: skip
    town = TownPlace(spec.city, spec.state, spec.zip, spec.swis, spec.municipality)
    added = opened.corrections.added if opened.corrections else None

    def residents(premises: frozenset[int]) -> "list[Draft]":
        if not with_residents:
            return []
        return resident_drafts(listed, records, owners, points, premises=premises, warnings=silent, town=town, added=added)

    of_residents = residents(frozenset())
    if combined:
        of_residents = combine(of_owners, of_residents, may=lambda draft: True)  # noqa: ARG005  # one rule, one class of mail
    pieces: dict[int, list[int]] = defaultdict(list)
    for number, draft in enumerate(of_owners):
        sent = number if "unmailable" not in draft.review and not draft.not_mailed else -1
        for parcel in draft.parcels:
            pieces[place[parcel.fid]].append(sent)
    counts = np.array([len(pieces[n]) for n in range(len(listed))], np.int64)
    units: dict[int, list[int]] = defaultdict(list)
    for tie in ties:
        if tie.lot_fid in place and tie.unit_fid in place:
            units[place[tie.lot_fid]].append(place[tie.unit_fid])
    return PeopleOfTown(
        first_piece=np.concatenate([[0], np.cumsum(counts)]),
        pieces=np.array([one for n in range(len(listed)) for one in pieces[n]], np.int64),
        residents=_per_parcel(of_residents, place),
        at_home=_per_parcel(residents(frozenset(records)), place),
        units={lot: tuple(some) for lot, some in units.items()},
    )


def _listed(parcel: Any) -> NoticeParcel:  # noqa: ANN401  # a parcel of the store
    return NoticeParcel(parcel.fid, parcel.id, parcel.swis, "within", 0.0, "", "", parcel.situs.text)


def _per_parcel(drafts: "Sequence[Draft]", place: Mapping[int, int]) -> "NDArray[np.int64]":
    return np.bincount([place[draft.parcels[0].fid] for draft in drafts], minlength=len(place)).astype(np.int64)


def count_by_distance(
    people: PeopleOfTown, shapes: "NDArray[Any]", candidates: "Sequence[tuple[int, ...]]", *, distance_ft: float, recipients: "Collection[str]",
    on_premises: bool,
) -> NoticeCounts:  # fmt: skip
    """Count parcels and letters of an occasion whose list hangs on a distance alone.

    Parameters
    ----------
    people
        The town's mail pieces.
    shapes
        The shapes of all parcels, in the order of the block.
    candidates
        The parcels of each candidate, by place.
    distance_ft
        How far a parcel is listed (:func:`by_distance`).
    recipients
        Who is notified: ``owners``, ``residents``.
    on_premises
        Whether residents of the premises themselves are notified.
    """
    count = len(shapes)
    together = [candidate for candidate in candidates if len(candidate) > 1]
    joined = np.array([shapely.union_all(shapes[list(candidate)]) for candidate in together], dtype=object)
    everything = np.append(shapes, joined) if together else shapes
    number = iter(range(count, count + len(together)))
    wanted = np.array([next(number) if len(candidate) > 1 else candidate[0] for candidate in candidates], np.int64)
    parcels, pieces = np.zeros(len(candidates), np.int64), np.zeros(len(candidates), np.int64)
    layer = Layer(everything)
    for begin in range(0, len(candidates), _AT_ONCE):
        some = candidates[begin : begin + _AT_ONCE]
        found = layer.neighbors(distance_ft, wanted=wanted[begin : begin + _AT_ONCE])
        mine = np.repeat(np.arange(len(some)), np.diff(found.start))
        listed = _listed_pairs(mine, found.others, count, some)
        of_owners = _with_units(listed, people, count, some)
        end = begin + len(some)
        parcels[begin:end] = np.bincount(of_owners[0], minlength=len(some))
        if "owners" in recipients:
            pieces[begin:end] += _distinct(people, *of_owners, many=len(some))
        if "residents" in recipients:
            pieces[begin:end] += np.bincount(listed[0], weights=people.residents[listed[1]], minlength=len(some)).astype(np.int64)
            if on_premises:
                pieces[begin:end] += [int(people.at_home[list(candidate)].sum()) for candidate in some]
    return NoticeCounts(parcels, pieces)


def _listed_pairs(
    mine: "NDArray[np.int64]", others: "NDArray[np.int32]", count: int, candidates: "Sequence[tuple[int, ...]]"
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Leave out what is no parcel but a candidate's joined land, and each candidate's own parcels."""
    kept = others < count
    mine, others = mine[kept], others[kept]
    own = np.array([n * count + place for n, candidate in enumerate(candidates) for place in candidate], np.int64)
    apart = ~np.isin(mine * count + others, own)
    return mine[apart], others[apart].astype(np.int64)


def _with_units(
    listed: "tuple[NDArray[np.int64], NDArray[np.int64]]",
    people: PeopleOfTown,
    count: int,
    candidates: "Sequence[tuple[int, ...]]",
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Add the units of each common lot that is on a list or belongs to the premises: their owners own it."""
    if not people.units:
        return listed
    lots = np.array(sorted(people.units), np.int64)
    on_list = np.isin(listed[1], lots)
    asked = [*zip(listed[0][on_list].tolist(), listed[1][on_list].tolist(), strict=True)]
    asked += [(n, place) for n, candidate in enumerate(candidates) for place in candidate if place in people.units]
    more = [(n, unit) for n, lot in asked for unit in people.units[lot] if unit not in candidates[n]]
    keys = _sorted_once(np.append(listed[0] * count + listed[1], np.array([n * count + unit for n, unit in more], np.int64)))
    return keys // count, keys % count


def _sorted_once(keys: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return each number once, in rising order: sorting takes a tenth of the time that numpy's table of them does."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys  # the first is always kept


def _distinct(people: PeopleOfTown, mine: "NDArray[np.int64]", places: "NDArray[np.int64]", *, many: int) -> "NDArray[np.int64]":
    """Count the different letters to owners of each candidate's parcels."""
    starts, ends = people.first_piece[places], people.first_piece[places + 1]
    lengths = ends - starts
    whose = np.repeat(mine, lengths)
    within = np.arange(len(whose)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    letters = people.pieces[np.repeat(starts, lengths) + within]
    sent = letters >= 0
    most = int(people.pieces.max(initial=0)) + 1
    different = _sorted_once(whose[sent] * most + letters[sent])
    return np.bincount(different // most, minlength=many).astype(np.int64)
