"""The owners of a condominium's units, notified where their common land is on the list."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.notice import RELATIONS, Decision, ParcelFacts, by_hand, strictest
from geonotice.model import NoticeParcel, ResultWarning, Told

__all__ = ["CommonLot", "with_common_land"]

DOUBTS = ("borderline", "straight_across")
"""What makes it doubtful that a lot is on the list at all; it is as doubtful that the owners of its units are."""


_STANDS = {
    "abutting": "abuts the premises",
    "corner": "touches the premises at a corner",
    "opposite": "is opposite the premises",
    "common_land": "is common land with another on the list",
}


class CommonLot(Struct, frozen=True):
    """A lot that others own in common: its id, the fids of their lots, and whether the town file ties them rather than the county.

    ``facts`` are how it stands to the premises; None where it belongs to them.
    """

    fid: int
    id: str
    units: tuple[int, ...]
    stated: bool = False
    facts: ParcelFacts | None = None


class _Ground(Struct, frozen=True):
    """Why the owner of a unit is notified: the rule that reaches the common lot, how it is mailed, and what is doubtful."""

    lot: CommonLot
    told: Told
    reason: str
    doubts: tuple[str, ...]


def with_common_land(
    decision: Decision, lots: Sequence[CommonLot], facts: Mapping[int, ParcelFacts], *, added: Mapping[int, str]
) -> Decision:
    """Put the owners of units on the list of their common land.

    LAW: the owner of a condominium unit owns an undivided share of the common elements (Real Property Law 339-i): where the law gives notice to
    the owners of a lot, they are owners of it. Whoever lives in a unit is not a resident of the common land for that.

    Parameters
    ----------
    decision
        What the rules make of the parcels, before anybody changes it by hand.
    lots
        The common lots of the list, of the premises, of the schedule and of ``added``.
    facts
        How the units stand to the premises, by fid; those of the premises are not in it.
    added
        Parcels that an official adds, by fid, with the reason: the owners of their units are notified like those of any other on the list.
    """
    listed = {parcel.fid: parcel for parcel in decision.parcels}
    grounds: dict[int, list[_Ground]] = {}
    for lot in lots:
        ground = _ground(decision, lot, listed.get(lot.fid), by_hand_too=lot.fid in added)
        if ground is None:
            continue
        for unit in lot.units:
            if unit in facts and unit not in added:
                grounds.setdefault(unit, []).append(ground)
    if not grounds and not decision.schedule:
        return decision
    owners = dict(decision.owners)
    for unit, found in grounds.items():
        for one in found:
            owners[unit] = strictest(one.told, owners.get(unit))
        listed[unit] = _joined(listed[unit], found) if unit in listed else _new(decision, facts[unit], found)
    mailed = {facts[unit].id: owners[unit].mail != "none" for unit in grounds}
    scheduled = dict.fromkeys(decision.schedule)
    for lot in lots:
        if lot.fid in scheduled:
            scheduled |= dict.fromkeys(unit for unit in lot.units if unit in facts)
    return replace(
        decision,
        parcels=tuple(sorted(listed.values(), key=lambda parcel: (parcel.distance_ft, parcel.id))),
        owners=owners,
        schedule=tuple(scheduled),
        near_misses=tuple(miss for miss in decision.near_misses if miss.id not in mailed),
        warnings=tuple(_with_held(warning, mailed) for warning in decision.warnings),
    )


def _ground(decision: Decision, lot: CommonLot, listed: NoticeParcel | None, *, by_hand_too: bool) -> _Ground | None:
    """Return why the owners of a common lot are notified; None where no rule names owners."""
    own = lot.facts is None
    told = decision.owners.get(lot.fid) if listed else None
    if told is None and (own or by_hand_too):
        told = by_hand(decision, 0.0 if lot.facts is None else lot.facts.distance_ft, "owners")
    if told is None:
        return None
    where = "is part of the premises" if own else _where(decision, told.rule, listed)
    who = "owns a share of the common land" if lot.stated else "owns a unit of the condominium whose common land"
    reason = f"{who} {lot.id}, which {where}" if lot.stated else f"{who} {lot.id} {where}"
    doubts = tuple(code for code in DOUBTS if listed and code in listed.review)
    return _Ground(lot, told, reason, doubts)


def _where(decision: Decision, rule: str, listed: NoticeParcel | None) -> str:
    """Return how a common lot stands to the premises."""
    if listed is None or "added_by_hand" in listed.review:
        return "was added to the list"
    notice = next((one.notice for one in decision.rules if one.id == rule), None)
    reach_ft = notice.distance_ft if notice else None
    if listed.relation != "within" and (reach_ft is None or (notice and notice.relations)):
        return _STANDS[listed.relation]
    if reach_ft is None:
        return f"is {listed.distance_ft:,.0f} ft away"
    return f"is within {reach_ft:,.0f} ft" if listed.distance_ft <= reach_ft else f"is just beyond {reach_ft:,.0f} ft"


def _new(decision: Decision, unit: ParcelFacts, grounds: Sequence[_Ground]) -> NoticeParcel:
    first = grounds[0]
    citation = next((clause.citation for clause in decision.clauses if clause.rule == first.told.rule), "")
    doubtful = all(one.doubts for one in grounds)
    return NoticeParcel(
        fid=unit.fid,
        id=unit.id,
        swis=unit.swis,
        relation="common_land",
        distance_ft=unit.distance_ft,
        rule=first.told.rule,
        citation=citation,
        situs=unit.situs,
        review=first.doubts if doubtful else (),
        common_lots=tuple(one.lot.id for one in grounds),
        reason="; ".join(dict.fromkeys(one.reason for one in grounds)),
    )


def _joined(parcel: NoticeParcel, grounds: Sequence[_Ground]) -> NoticeParcel:
    every = {parcel.relation, *parcel.also, "common_land"}
    also = tuple(relation for relation in RELATIONS if relation in every and relation != parcel.relation)
    return replace(parcel, also=also, common_lots=tuple(one.lot.id for one in grounds))


def _with_held(warning: ResultWarning, mailed: Mapping[str, bool]) -> ResultWarning:
    """Name in the warning on parcels that are not mailed yet the units that rest on them, and none that is mailed for its common land."""
    if warning.code != "borderline_ask":
        return warning
    kept = [id_ for id_ in warning.parcels if not mailed.get(id_)]
    return replace(warning, parcels=tuple(dict.fromkeys((*kept, *(id_ for id_, is_mailed in mailed.items() if not is_mailed)))))
