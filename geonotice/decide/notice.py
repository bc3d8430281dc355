"""Who is told of an occasion: the notice rules of a profile applied to how parcels stand to the premises."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from geonotice.decide.cap_values import Zone
from geonotice.errors import Fault, UsageError
from geonotice.model import Caution, Clause, Mail, NearMiss, NoticeParcel, Override, Relation, Required
from geonotice.ordinance.profile import Notice as RuleNotice
from geonotice.ordinance.profile import Profile, Rule

__all__ = ["Decision", "ParcelFacts", "apply_overrides", "decide_notice", "notice_rules"]


RELATIONS: tuple[Relation, ...] = ("abutting", "corner", "opposite", "within")
"""The first that holds is a parcel's relation; it may also stand in the rest."""


@dataclass(frozen=True, slots=True)
class ParcelFacts:
    """How one parcel stands to the premises, measured.

    ``shared_ft`` is the length of lot line shared with the premises, where it abuts; ``corner`` says that it only touches;
    ``opposite_ft`` the length of frontage that it faces, where it is directly opposite; ``review`` are the codes of the selection.
    """

    fid: int
    id: str
    swis: str
    situs: str
    distance_ft: float
    shared_ft: float | None = None
    corner: bool = False
    opposite_ft: float | None = None
    review: tuple[str, ...] = ()

    def stands(self, relation: Relation) -> bool:
        """Whether the parcel stands in a relation that needs no distance."""
        return {
            "abutting": self.shared_ft is not None,
            "corner": self.corner,
            "opposite": self.opposite_ft is not None,
            "within": False,
        }[relation]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules of one occasion make of the parcels.

    ``parcels`` are sorted by distance, then id; ``mail`` gives each fid's class of mail; ``residents`` are the fids whose residents
    are told too; ``schedule`` the fids of the adjoining owners that go with the application.
    """

    required: Required
    parcels: tuple[NoticeParcel, ...]
    mail: Mapping[int, Mail]
    residents: frozenset[int]
    schedule: tuple[int, ...]
    near_misses: tuple[NearMiss, ...]
    clauses: tuple[Clause, ...]
    cautions: tuple[Caution, ...] = ()
    overrides: tuple[Override, ...] = ()


@dataclass(slots=True)
class _Made:
    """What the rules have made so far, by fid."""

    chosen: dict[int, NoticeParcel] = field(default_factory=dict)
    mail: dict[int, Mail] = field(default_factory=dict)
    residents: set[int] = field(default_factory=set)
    misses: dict[int, NearMiss] = field(default_factory=dict)
    schedule: list[int] = field(default_factory=list)

    def take(self, parcel: ParcelFacts, rule: Rule, notice: RuleNotice, relations: tuple[Relation, ...], *, ask: bool) -> None:
        """Put a parcel that a rule reaches on the list; the first rule that reached it stays its reason and its class of mail."""
        listed = _listed(parcel, rule, relations, beyond=_beyond(parcel, rule))
        first = self.chosen.get(parcel.fid)
        self.chosen[parcel.fid] = _merged(first, listed) if first else listed
        if not first:
            self.mail[parcel.fid] = _mail(parcel, notice, ask=ask and "borderline" in listed.review)
        if "residents" in notice.recipients:
            self.residents.add(parcel.fid)


def notice_rules(profile: Profile, occasion: str) -> tuple[Rule, ...]:
    """Give the notice rules of an occasion.

    Raises
    ------
    UsageError
        The ordinance gives no notice on such an occasion.
    """
    known = sorted({rule.occasion for rule in profile.rules if rule.notice and rule.occasion})
    if occasion not in known:
        raise UsageError(
            Fault(
                what=f"the ordinance of {profile.town} knows no occasion {occasion!r}",
                remedy=f"it gives notice of: {', '.join(known) or 'nothing'}",
            )
        )
    return profile.rules_for(occasion)


def decide_notice(
    profile: Profile,
    occasion: str,
    facts: Sequence[ParcelFacts],
    *,
    zone: Zone,
    borderline_ft: float,
    borderline: Literal["mail", "ask"],
    near_miss_ft: float,
) -> Decision:
    """Apply the notice rules of an occasion to the parcels round the premises.

    Parameters
    ----------
    profile
        The town's law.
    occasion
        ``hearing``, ``filing``, ``appeal``.
    facts
        The parcels near the premises, none of the premises among them.
    zone
        How the profile classes the premises' zoning.
    borderline_ft
        How far beyond a distance a parcel is still listed, with the code ``borderline``: map accuracy.
    borderline
        Whether those are mailed, or a person is asked.
    near_miss_ft
        How far beyond that a parcel is named as a near miss.

    Raises
    ------
    UsageError
        The ordinance gives no notice on such an occasion.
    """
    rules = notice_rules(profile, occasion)
    made = _Made()
    for rule in rules:
        notice = rule.notice
        if notice is None or rule.kind == "clerk_notice":
            continue
        if notice.schedule:
            made.schedule += [parcel.fid for parcel in facts if parcel.stands("abutting") or parcel.stands("corner")]
            continue
        for parcel in facts:
            found = _relations(parcel, rule, borderline_ft)
            if found:
                made.take(parcel, rule, notice, found, ask=borderline == "ask")
            elif notice.distance_ft is not None and parcel.distance_ft <= notice.distance_ft + borderline_ft + near_miss_ft:
                reason = f"beyond the {notice.distance_ft:,.0f} ft of {rule.id}"
                made.misses[parcel.fid] = NearMiss(parcel.id, round(parcel.distance_ft, 2), reason=reason)
    listed = tuple(sorted(made.chosen.values(), key=lambda parcel: (parcel.distance_ft, parcel.id)))
    required, cautions = _required(rules, zone)
    if borderline == "ask":
        cautions += _asked(listed)
    return Decision(
        required=required,
        parcels=listed,
        mail=made.mail,
        residents=frozenset(made.residents),
        schedule=tuple(made.schedule),
        near_misses=tuple(
            sorted(
                (miss for fid, miss in made.misses.items() if fid not in made.chosen),
                key=lambda miss: (miss.distance_ft, miss.id),
            )
        ),
        clauses=tuple(Clause(rule.id, rule.citation.place, " … ".join(rule.citation.words)) for rule in rules if rule.notice),
        cautions=cautions,
    )


def apply_overrides(
    decision: Decision, facts: Sequence[ParcelFacts], *, add: Mapping[int, str], drop: Mapping[int, str]
) -> Decision:
    """Add parcels to the list or drop them from it, each with the reason that an official gave.

    Raises
    ------
    UsageError
        A reason is empty, a parcel to add is on the list already, or one to drop is not on it; all of them at once.
    """
    faults = list(_override_faults(decision, facts, add, drop))
    if faults:
        raise UsageError(faults)
    known = {parcel.fid: parcel for parcel in facts}
    first = next((clause for clause in decision.clauses), Clause("", ""))
    added = tuple(
        NoticeParcel(
            fid=fid,
            id=known[fid].id,
            swis=known[fid].swis,
            relation=next((relation for relation in RELATIONS if known[fid].stands(relation)), "within"),
            distance_ft=known[fid].distance_ft,
            rule=first.rule,
            citation=first.citation,
            situs=known[fid].situs,
            review=("added_by_hand",),
        )
        for fid in add
    )
    usual: Mail = next(iter(decision.mail.values()), "first_class")
    kept = [parcel for parcel in decision.parcels if parcel.fid not in drop]
    return replace(
        decision,
        parcels=tuple(sorted((*kept, *added), key=lambda parcel: (parcel.distance_ft, parcel.id))),
        mail={**decision.mail, **dict.fromkeys(add, usual)},
        residents=decision.residents | (frozenset(add) if decision.residents else frozenset()),
        near_misses=tuple(miss for miss in decision.near_misses if miss.id not in {known[fid].id for fid in add}),
        overrides=(
            *(Override(known[fid].id, "add", reason) for fid, reason in add.items()),
            *(Override(known[fid].id, "drop", reason) for fid, reason in drop.items()),
        ),
    )


def _override_faults(
    decision: Decision, facts: Iterable[ParcelFacts], add: Mapping[int, str], drop: Mapping[int, str]
) -> Iterable[Fault]:
    names = {parcel.fid: parcel.id for parcel in facts}
    listed = {parcel.fid for parcel in decision.parcels}
    for fid, reason in {**add, **drop}.items():
        if not reason.strip():
            yield Fault(
                what="no reason is given",
                parcel=names[fid],
                why="a list changed by hand must say why a year later",
                remedy="write PARCEL=REASON",
            )
    for fid in add:
        if fid in listed:
            yield Fault(what="it is on the list already", parcel=names[fid], remedy="take out this --add")
    for fid in drop:
        if fid not in listed:
            yield Fault(what="it is not on the list", parcel=names.get(fid, f"#{fid}"), remedy="take out this --drop")


def _beyond(parcel: ParcelFacts, rule: Rule) -> bool:
    distance_ft = rule.notice.distance_ft if rule.notice else None
    return distance_ft is not None and parcel.distance_ft > distance_ft


def _relations(parcel: ParcelFacts, rule: Rule, borderline_ft: float) -> tuple[Relation, ...]:
    """Give the relations in which the rule reaches the parcel, with those it stands in besides; empty where it is not reached."""
    notice = rule.notice
    if notice is None:
        return ()
    stands = [relation for relation in RELATIONS if parcel.stands(relation)]
    # LAW: DIGEST, "Does a corner touch abut?": listed, marked `corner`; a needless letter costs a stamp, a missed one a hearing.
    reached = [r for r in stands if r in notice.relations or (r == "corner" and "abutting" in notice.relations)]
    near = notice.distance_ft is not None and parcel.distance_ft <= notice.distance_ft + borderline_ft
    if not reached and not near:
        return ()
    return (*stands, "within") if near else tuple(stands)


def _listed(parcel: ParcelFacts, rule: Rule, relations: tuple[Relation, ...], *, beyond: bool) -> NoticeParcel:
    outside = beyond and relations[0] == "within"
    return NoticeParcel(
        fid=parcel.fid,
        id=parcel.id,
        swis=parcel.swis,
        relation=relations[0],
        also=relations[1:],
        distance_ft=parcel.distance_ft,
        shared_ft=parcel.shared_ft,
        opposite_ft=parcel.opposite_ft,
        rule=rule.id,
        citation=rule.citation.place,
        situs=parcel.situs,
        # What adjacency is not sure of matters where the rule rests on it.
        review=(*(parcel.review if rule.notice and rule.notice.relations else ()), *(("borderline",) if outside else ())),
    )


def _merged(first: NoticeParcel, second: NoticeParcel) -> NoticeParcel:
    """Keep what the first rule said of a parcel, and add the relations that a later one found."""
    every = {first.relation, *first.also, second.relation, *second.also}
    ordered = [relation for relation in RELATIONS if relation in every]
    return replace(first, relation=ordered[0], also=tuple(ordered[1:]))


def _mail(parcel: ParcelFacts, notice: RuleNotice, *, ask: bool) -> Mail:
    if ask:
        return "none"
    for band in notice.bands:
        if parcel.distance_ft <= band.up_to_ft:
            return band.mail
    if notice.bands:
        return notice.bands[-1].mail
    # LAW: a text that asks for notice without naming a class of mail (Italy, paragraph C) is served by first-class mail.
    return "first_class" if notice.mail == "none" else notice.mail


def _required(rules: Sequence[Rule], zone: Zone) -> tuple[Required, tuple[Caution, ...]]:
    """Say whether the notice is due, and what that rests on.

    LAW: Southampton 283-3 asks for the filing notice only "within a residential zoning district", and then the officials *may* require
    it; a split-zoned parcel is treated as residential for notice (DIGEST, readings).
    """
    mailed = [rule for rule in rules if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"]
    limited = [rule for rule in mailed if rule.notice and rule.notice.only_in == "residential"]
    if not limited or len(limited) < len(mailed):
        demand = all(rule.notice and rule.notice.on_demand for rule in mailed)
        return ("on_demand" if demand and mailed else "yes"), ()
    ids = ", ".join(rule.id for rule in limited)
    match zone:
        case "other":
            return "no", (
                Caution(
                    "not_residential",
                    f"The premises lie in no residential district, so {ids} asks for no notice. The list is computed all the same.",
                ),
            )
        case "undetermined":
            return "decide", (
                Caution(
                    "zone_undetermined",
                    f"Whether {ids} asks for this notice turns on the zoning of the premises, which is not determined. An official must say.",
                ),
            )
        case "split":
            return "on_demand", (
                Caution(
                    "split_zoned",
                    f"The premises are split between a residential and another district; for this notice ({ids}) they are treated as residential.",
                ),
                _on_demand(ids),
            )
        case _:
            return "on_demand", (_on_demand(ids),)


def _on_demand(ids: str) -> Caution:
    return Caution(
        "on_demand", f"The officials may require this notice ({ids}); if they do, the application is not complete without it."
    )


def _asked(parcels: Iterable[NoticeParcel]) -> tuple[Caution, ...]:
    ids = tuple(parcel.id for parcel in parcels if "borderline" in parcel.review)
    text = "These parcels lie just beyond the distance, within what a map can be off by. The town's setting is to ask: they are listed and not mailed until a person decides."
    return (Caution("borderline_ask", text, ids),) if ids else ()
