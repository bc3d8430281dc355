"""Who must be notified on an occasion, and whether notice is due: a profile's notice rules applied to how parcels stand to the premises."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_count import Zone
from geonotice.errors import Fault, UsageError
from geonotice.model import MAIL_CLASSES, Clause, Mail, NearMiss, NoticeParcel, Override, Relation, Required, ResultWarning, Told
from geonotice.ordinance.profile import Notice, Profile, Rule
from geonotice.ordinance.profile import Notice as RuleNotice

__all__ = [
    "RELATIONS",
    "Decision",
    "Due",
    "ParcelFacts",
    "apply_overrides",
    "by_hand",
    "decide_notice",
    "due",
    "notice_rules",
    "strictest",
]


class Due(Struct, frozen=True):
    """Whether the notice is due, what that rests on, and the ids of rules that do not reach these premises beside others that do."""

    required: Required
    warnings: tuple[ResultWarning, ...] = ()
    aside: frozenset[str] = frozenset()


def due(profile: Profile, rules: Sequence[Rule], zone: Zone) -> Due:
    """Return whether the notice of an occasion is due.

    Where every rule of it is for residential districts only, the list is made whatever the district; where some are, the others make it
    and these are set aside outside such districts.

    LAW: Southampton 283-3 asks for the filing notice only "within a residential zoning district", and then the officials *may* require
    it; whether a split-zoned parcel is within one for that is an open reading (``split_zoned_notice``), by default it is.
    """
    mailed = [(rule, rule.notice) for rule in rules if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"]
    limited = [rule.id for rule, notice in mailed if notice.only_in == "residential"]
    inside, warnings = _inside(profile, zone, ", ".join(limited), alone=len(limited) == len(mailed)) if limited else (True, ())
    if limited and inside is not True and len(limited) == len(mailed):
        return Due("decide" if inside is None else "no", warnings)
    aside = frozenset(limited) if inside is False else frozenset()
    wanted = [(rule, notice) for rule, notice in mailed if rule.id not in aside]
    return Due(_asked(wanted), (*warnings, *_on_demand(wanted)), aside)


def _inside(profile: Profile, zone: Zone, ids: str, *, alone: bool) -> tuple[bool | None, tuple[ResultWarning, ...]]:
    """Return whether the premises are in a residential district for notice, and what to say of it; None where that is not known."""
    match zone:
        case "residential":
            return True, ()
        case "undetermined":
            text = f"Whether {ids} asks for this notice turns on the zoning of the premises, which is not determined. An official must say."
            return None, (ResultWarning("zone_undetermined", text),)
        case "split" if not profile.reads("split_zoned_notice", "other"):
            text = f"The premises are split between a residential and another district; for this notice ({ids}) they are treated as residential."
            return True, (ResultWarning("split_zoned", text),)
    where = "The premises lie in no residential district"
    if zone == "split":
        where = "The premises are split between a residential and another district, which the profile reads as not residential (split_zoned_notice)"
    rest = "The list is computed all the same." if alone else "The list is that of the other rules."
    code = "split_zoned" if zone == "split" else "not_residential"
    return False, (ResultWarning(code, f"{where}, so {ids} asks for no notice. {rest}"),)


def _asked(wanted: Sequence[tuple[Rule, Notice]]) -> Required:
    return "on_demand" if wanted and all(notice.on_demand for _, notice in wanted) else "yes"


def _on_demand(wanted: Sequence[tuple[Rule, Notice]]) -> tuple[ResultWarning, ...]:
    ids = ", ".join(rule.id for rule, notice in wanted if notice.on_demand)
    text = f"The officials may require this notice ({ids}); if they do, the application is not complete without it."
    return (ResultWarning("on_demand", text),) if ids else ()


DOUBTS = frozenset({"borderline", "straight_across"})
"""The reviews of an opposite parcel that say it may not be opposite at all; the others only say what to look at."""
RELATIONS: tuple[Relation, ...] = ("abutting", "corner", "opposite", "within", "common_land")
"""The first that holds is a parcel's relation; it may also stand in the rest."""


class ParcelFacts(Struct, frozen=True):
    """How one parcel stands to the premises, measured.

    ``shared_ft`` is the length of lot line shared with the premises, where it abuts; ``corner`` says that it only touches;
    ``opposite_ft`` the length of frontage that it faces, where it is directly opposite; ``across_ft`` how far across it lies, where it is so only
    because it lies straight across; ``around_ft`` its distance from a second place of the event; ``review`` are the codes of the selection.
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
    across_ft: float | None = None
    around_ft: float | None = None

    def reach_ft(self, notice: RuleNotice) -> float:
        """Return the distance that counts for a rule: that from the second place, where the law measures from it too and it is the less."""
        return min(self.distance_ft, self.around_ft) if notice.around and self.around_ft is not None else self.distance_ft

    def stands(self, relation: Relation) -> bool:
        """Whether the parcel stands in a relation that needs no distance."""
        return relation in self.relations()

    def relations(self) -> tuple[Relation, ...]:
        """Return the relations that need no distance in which the parcel stands, in their order; none for nearly every parcel."""
        across = self.opposite_ft is not None or self.across_ft is not None
        if self.shared_ft is None and not self.corner and not across:
            return ()
        found = {"abutting": self.shared_ft is not None, "corner": self.corner, "opposite": across}
        return tuple(relation for relation in RELATIONS if found.get(relation))


class Decision(Struct, frozen=True):
    """What the rules of one occasion make of the parcels.

    ``parcels`` are sorted by distance, then id; ``owners`` and ``residents`` give by fid whether those of a parcel are notified, by which
    rule and mail: a rule that names residents only tells no owner. ``premises_residents`` is the same for the premises' own residents;
    ``schedule`` are the fids of the owners that go with the application; ``rules`` are those of the occasion.
    """

    required: Required
    parcels: tuple[NoticeParcel, ...]
    owners: Mapping[int, Told]
    residents: Mapping[int, Told]
    premises_residents: Told | None
    rules: tuple[Rule, ...]
    schedule: tuple[int, ...]
    near_misses: tuple[NearMiss, ...]
    clauses: tuple[Clause, ...]
    warnings: tuple[ResultWarning, ...] = ()
    overrides: tuple[Override, ...] = ()


class _Made(Struct):
    """What the rules have made so far, by fid."""

    chosen: dict[int, NoticeParcel] = {}
    owners: dict[int, Told] = {}
    residents: dict[int, Told] = {}
    misses: dict[int, NearMiss] = {}
    schedule: dict[int, None] = {}

    def take(
        self, parcel: ParcelFacts, rule: Rule, notice: RuleNotice, relations: tuple[Relation, ...], *, asked: frozenset[str]
    ) -> None:
        """Put a parcel that a rule reaches on the list: the first rule stays its reason, and each recipient gets the strictest mail.

        ``asked`` are the doubts in which the town wants to be asked before it mails.
        """
        listed = _listed(parcel, rule, relations, beyond=_beyond(parcel, rule))
        first = self.chosen.get(parcel.fid)
        self.chosen[parcel.fid] = _merged(first, listed) if first else listed
        told = Told(rule.id, _mail(parcel.reach_ft(notice), notice, ask=_doubtful(parcel, rule, notice, relations, asked)))
        for role, group in (("owners", self.owners), ("residents", self.residents)):
            if role in notice.recipients:
                group[parcel.fid] = strictest(told, group.get(parcel.fid))


def strictest(told: Told, before: Told | None) -> Told:
    """Return the stricter of two ways to notify the same people; the earlier where they are alike."""
    if before is None or MAIL_CLASSES.index(told.mail) > MAIL_CLASSES.index(before.mail):
        return told
    return before


def notice_rules(profile: Profile, occasion: str) -> tuple[Rule, ...]:
    """Return the notice rules of an occasion.

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
    straight_across: Literal["mail", "ask"] = "mail",
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
        Whether those are mailed, or a person is asked; and so for parcels that the extended lot lines meet over less than 2 ft.
    straight_across
        The same for parcels that are opposite only because they lie straight across.
    near_miss_ft
        How far beyond that a parcel is named as a near miss.

    Raises
    ------
    UsageError
        The ordinance gives no notice on such an occasion.
    """
    rules = notice_rules(profile, occasion)
    state = due(profile, rules, zone)
    made = _Made()
    at_a_corner: list[str] = []
    asked = frozenset(code for code, way in (("borderline", borderline), ("straight_across", straight_across)) if way == "ask")
    for rule in rules:
        notice = rule.notice
        if notice is None or rule.kind == "clerk_notice" or rule.id in state.aside:
            continue
        for parcel in facts:
            stands, by_corner = _stands(profile, parcel, notice)
            found = _relations(parcel, notice, stands, borderline_ft)
            if notice.schedule:
                made.schedule |= {parcel.fid: None} if found else {}
            elif found:
                made.take(parcel, rule, notice, found, asked=asked)
            elif by_corner:
                at_a_corner.append(parcel.id)
                reason = f"it touches the premises at a corner only, which {profile.id} reads as not abutting"
                made.misses[parcel.fid] = NearMiss(parcel.id, round(parcel.distance_ft, 2), reason=reason)
            elif notice.distance_ft is not None and parcel.reach_ft(notice) <= notice.distance_ft + borderline_ft + near_miss_ft:
                whence = "" if parcel.reach_ft(notice) == parcel.distance_ft else ", measured from the second place of the event"
                reason = f"beyond the {notice.distance_ft:,.0f} ft of {rule.id}{whence}"
                made.misses[parcel.fid] = NearMiss(parcel.id, round(parcel.reach_ft(notice), 2), reason=reason)
    listed = tuple(sorted(made.chosen.values(), key=lambda parcel: (parcel.distance_ft, parcel.id)))
    return Decision(
        required=state.required,
        parcels=listed,
        owners=made.owners,
        residents=made.residents,
        premises_residents=_premises_residents(rules, state.aside),
        rules=tuple(rule for rule in rules if rule.id not in state.aside),
        schedule=tuple(made.schedule),
        near_misses=tuple(
            sorted(
                (miss for fid, miss in made.misses.items() if fid not in made.chosen),
                key=lambda miss: (miss.distance_ft, miss.id),
            )
        ),
        clauses=tuple(Clause(rule.id, rule.citation.place, " … ".join(rule.citation.words)) for rule in rules if rule.notice),
        warnings=(*state.warnings, *_not_abutting(at_a_corner, listed), *_held(made)),
    )


def _premises_residents(rules: Sequence[Rule], aside: Collection[str]) -> Told | None:
    """Return how residents of the premises themselves are notified.

    LAW: Italy C reaches residents of "property within 1,000 feet of the nearest property line of the premises": a tenant on the premises
    is one, and is notified like any other. A rule for the residents next door does not reach them.
    """
    told: Told | None = None
    for rule in rules:
        notice = rule.notice
        if notice and notice.distance_ft is not None and "residents" in notice.recipients and rule.id not in aside:
            told = strictest(Told(rule.id, _mail(0.0, notice, ask=False)), told)
    return told


def apply_overrides(
    decision: Decision,
    facts: Sequence[ParcelFacts],
    *,
    add: Mapping[int, str],
    drop: Mapping[int, str],
    by: str = "",
    on: date | None = None,
) -> Decision:
    """Add parcels to the list or drop them from it, each with the reason that an official gave; ``by`` and ``on`` are who gave it, and when.

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
    owners, residents = (
        {fid: told for fid in add if (told := by_hand(decision, known[fid].distance_ft, role))}
        for role in ("owners", "residents")
    )
    kept = [parcel for parcel in decision.parcels if parcel.fid not in drop]
    return replace(
        decision,
        parcels=tuple(sorted((*kept, *added), key=lambda parcel: (parcel.distance_ft, parcel.id))),
        owners={**decision.owners, **owners},
        residents={**decision.residents, **residents},
        near_misses=tuple(miss for miss in decision.near_misses if miss.id not in {known[fid].id for fid in add}),
        overrides=(
            *(Override(known[fid].id, "add", reason, by, on) for fid, reason in add.items()),
            *(Override(known[fid].id, "drop", reason, by, on) for fid, reason in drop.items()),
        ),
    )


def by_hand(decision: Decision, distance_ft: float, role: str) -> Told | None:
    """Return how the people of a parcel are notified that no rule reaches: as the strictest of the occasion's rules would at its distance."""
    told: Told | None = None
    for rule in decision.rules:
        notice = rule.notice
        if notice and role in notice.recipients and not notice.schedule:
            told = strictest(Told(rule.id, _mail(distance_ft, notice, ask=False)), told)
    return told


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
                remedy="type the reason",
                command="write PARCEL=REASON",
            )
    for fid in add:
        if fid in listed:
            yield Fault(
                what="it is on the list already",
                parcel=names[fid],
                remedy="undo this change by hand",
                command="take out this --add",
            )
    for fid in drop:
        if fid not in listed:
            yield Fault(
                what="it is not on the list",
                parcel=names.get(fid, f"#{fid}"),
                remedy="undo this change by hand",
                command="take out this --drop",
            )


def _beyond(parcel: ParcelFacts, rule: Rule) -> bool:
    distance_ft = rule.notice.distance_ft if rule.notice else None
    return distance_ft is not None and rule.notice is not None and parcel.reach_ft(rule.notice) > distance_ft


def _stands(profile: Profile, parcel: ParcelFacts, notice: RuleNotice) -> tuple[tuple[Relation, ...], bool]:
    """Return the relations in which a parcel stands as the law reads them, and whether only a corner would have put it on the list."""
    stands = parcel.relations()
    # LAW: "Does a corner touch abut?" Listed and marked `corner` unless the profile reads otherwise: a needless letter costs a stamp, a
    # missed one a hearing. A law that names corners itself (relations = ["abutting", "corner"]) leaves nothing to read.
    if "corner" in stands and "corner" not in notice.relations and profile.reads("corner", "not_listed"):
        return tuple(relation for relation in stands if relation != "corner"), "abutting" in notice.relations
    return stands, False


def _relations(
    parcel: ParcelFacts, notice: RuleNotice, stands: tuple[Relation, ...], borderline_ft: float
) -> tuple[Relation, ...]:
    """Return the relations in which the rule reaches the parcel, with those it stands in besides; empty where it is not reached."""
    reached = stands and any(r in notice.relations or (r == "corner" and "abutting" in notice.relations) for r in stands)
    near = notice.distance_ft is not None and parcel.reach_ft(notice) <= notice.distance_ft + borderline_ft
    if not reached and not near:
        return ()
    return (*stands, "within") if near else stands


def _listed(parcel: ParcelFacts, rule: Rule, relations: tuple[Relation, ...], *, beyond: bool) -> NoticeParcel:
    outside = beyond and relations[0] == "within"
    around_ft = _around_ft(parcel, rule, relations)
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
        across_ft=parcel.across_ft,
        around_ft=around_ft,
        reason="" if around_ft is None else f"lies {around_ft:,.2f} ft from a second place of the event",
        review=tuple(
            dict.fromkeys(
                (*(parcel.review if rule.notice and rule.notice.relations else ()), *(("borderline",) if outside else ()))
            )
        ),
    )


def _around_ft(parcel: ParcelFacts, rule: Rule, relations: tuple[Relation, ...]) -> float | None:
    """Return how far a second place of the event is, where a parcel is on the list for that alone; None where it is not."""
    notice = rule.notice
    if notice is None or notice.distance_ft is None or relations != ("within",):
        return None
    reach_ft = parcel.reach_ft(notice)
    return reach_ft if parcel.distance_ft > notice.distance_ft and reach_ft < parcel.distance_ft else None


def _doubtful(
    parcel: ParcelFacts, rule: Rule, notice: RuleNotice, relations: tuple[Relation, ...], asked: frozenset[str]
) -> bool:
    """Return whether a parcel is on the list for nothing but doubts in which the town wants to be asked."""
    grounds = []
    for relation in relations:
        if relation == "within":
            grounds.append("borderline" if _beyond(parcel, rule) else "")
        elif relation == "opposite" and relation in notice.relations:
            grounds.append(next((code for code in parcel.review if code in DOUBTS), ""))
        elif relation in notice.relations or (relation == "corner" and "abutting" in notice.relations):
            grounds.append("")
    return bool(grounds) and asked.issuperset(grounds)


def _merged(first: NoticeParcel, second: NoticeParcel) -> NoticeParcel:
    """Keep what the first rule said of a parcel, and add the relations that a later one found."""
    every = {first.relation, *first.also, second.relation, *second.also}
    ordered = [relation for relation in RELATIONS if relation in every]
    review = tuple(dict.fromkeys((*first.review, *second.review)))
    return replace(first, relation=ordered[0], also=tuple(ordered[1:]), review=review)


def _mail(distance_ft: float, notice: RuleNotice, *, ask: bool) -> Mail:
    if ask:
        return "none"
    for band in notice.bands:
        if distance_ft <= band.up_to_ft:
            return _class_of(band.mail)
    return _class_of(notice.bands[-1].mail if notice.bands else notice.mail)


def _class_of(mail: Mail) -> Mail:
    # LAW: a text that asks for notice without naming a class of mail (Italy, paragraph C) is served by first-class mail.
    return "first_class" if mail == "none" else mail


def _held(made: _Made) -> tuple[ResultWarning, ...]:
    """Name the parcels that are listed and not mailed, because the town wants to be asked first."""
    told = {**made.residents, **made.owners}
    held = [parcel for fid, parcel in made.chosen.items() if told[fid].mail == "none"]
    straight = tuple(parcel.id for parcel in held if "straight_across" in parcel.review)
    close = tuple(parcel.id for parcel in held if "straight_across" not in parcel.review)
    asks = "The town's setting is to ask: they are listed and not mailed until an official decides."
    texts = {
        "borderline_ask": (
            f"These parcels lie just beyond the distance, or the extended lot lines meet them over less than 2 ft: within what a map can be off by. {asks}",
            close,
        ),
        "straight_across_ask": (
            f"These parcels lie straight across, but the extended lot lines do not meet them. {asks}",
            straight,
        ),
    }
    return tuple(ResultWarning(code, text, ids) for code, (text, ids) in texts.items() if ids)


def _not_abutting(ids: Sequence[str], listed: Sequence[NoticeParcel]) -> tuple[ResultWarning, ...]:
    on_list = {parcel.id for parcel in listed}
    left_out = tuple(dict.fromkeys(id_ for id_ in ids if id_ not in on_list))
    text = "These parcels touch the premises at a corner only. The profile reads that as not abutting (corner = not_listed), so they are not on the list; put them on the list by hand if they are to be notified."
    return (ResultWarning("corner_not_listed", text, left_out),) if left_out else ()
