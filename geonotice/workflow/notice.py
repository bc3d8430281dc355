"""Make a notice: from the parcels named to the recipients, with what could not be seen."""

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from geonotice import __version__
from geonotice.decide.deadlines import Deadline, deadlines
from geonotice.decide.notice import Decision, apply_overrides, decide_notice, notice_rules
from geonotice.errors import Fault, UsageError
from geonotice.facts.common_land_units import Joined, join_units
from geonotice.facts.contiguous import land_apart
from geonotice.facts.drawings import shape_of
from geonotice.facts.municipalities import Municipalities
from geonotice.facts.premises import Gathered, gather
from geonotice.facts.surroundings import Measured
from geonotice.model import NearMiss, Notice, NoticeParcel, OrdinanceRef, Override, ResultWarning
from geonotice.recipients import TownPlace, adjoining_owners, counted
from geonotice.recipients import gather as gather_recipients
from geonotice.warning_ranks import worst_first
from geonotice.workflow.notice_warnings import ListBasis, correction_warnings, list_warnings, undated
from geonotice.workflow.packet import rules_of_stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import Mail, OtherRecipient, Owner, Parcel, SecondPlace
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Rule


__all__ = [
    "MISS_REASONS",
    "NoticeRequest",
    "Noticed",
    "clerk_mail",
    "make_notice",
]


MISS_REASONS = {
    "met_barely": "the extended lot lines meet it over less than 0.5 ft of a frontage",
    "met_squarely_barely": "the lines straight across meet it over less than 2 ft of a frontage",
    "beyond_opposite_distance": "across the right-of-way, but farther than the distance in which the law counts it as opposite",
    "straight_short": "straight across, but over less than 10 ft of a frontage; the extended lot lines do not meet it",
    "straight_far": "straight across, but more than twice as far as what else lies across that frontage; the extended lot lines do not meet it",
    "straight_round": "straight across from the arc of a rounded corner only; the extended lot lines do not meet it",
    "beyond_right_of_way_max": "across, but farther than the widest right-of-way that is looked across",
    "diagonal_lot": "diagonally across the crossing; the lines across the street do not reach it",
}
"""Why a parcel is not on the list although it nearly was, by the code of the selection."""


class Noticed(Struct, frozen=True, eq=False):
    """A notice with what is behind it.

    ``owners`` are those of the premises and the listed parcels, by fid; ``search_ft`` is how far was searched, ``radius_ft`` the
    distance that a rule names; ``adjoining`` says that the occasion asks for abutting and opposite owners; ``deadlines`` are the days
    that hang on the hearing or the event, none where neither is known; ``undated`` names what the law counts this notice from and
    whose day was not given; ``around`` is the second place that was measured from.
    """

    notice: Notice
    measured: Measured
    owners: "Mapping[int, Sequence[Owner]]"
    search_ft: float
    radius_ft: float | None
    adjoining: bool
    places: Municipalities
    deadlines: tuple[Deadline, ...] = ()
    undated: tuple[str, ...] = ()
    around: "SecondPlace | None" = None


class NoticeRequest(Struct, frozen=True, kw_only=True):
    """What a notice is asked for.

    ``occasion`` is ``hearing`` (Italy), ``filing`` or ``appeal`` (Southampton), or what another profile names; ``on`` the date that is
    taken as today. ``hearing`` and ``event`` are the day of the hearing and the first day of the event: what the days of the notice are
    counted from; ``filed`` is the day on which the application was filed, where it is known: the last day for filing is then met or was missed. ``add`` and ``drop`` are parcels that an official puts on the list or takes off it, with the reason; ``apart`` those that
    touch the premises and are not the applicant's, though the roll names the same owner: where the law measures from the applicant's
    contiguous land, not from these. ``by`` is who decided on these. ``others`` are the interested persons of this case, ``around`` a second place
    of the event to measure from, where the law does. ``stated`` are warnings about what the event file states, to stand with the others.
    """

    occasion: str
    on: date
    hearing: date | None = None
    event: date | None = None
    filed: date | None = None
    add: "Mapping[str, str]" = {}
    drop: "Mapping[str, str]" = {}
    apart: "Mapping[str, str]" = {}
    by: str = ""
    others: "Sequence[OtherRecipient]" = ()
    around: "SecondPlace | None" = None
    stated: "Sequence[ResultWarning]" = ()


class _Search(Struct, frozen=True):
    """How far is searched: ``radius_ft`` is the distance that a rule names, ``reach_ft`` as far as the streets may need parcels."""

    radius_ft: float | None
    search_ft: float
    reach_ft: float


class _Around(Struct, frozen=True, eq=False):
    """What is known of the premises: the facts, the applicant's land beside them, and what an official said of single parcels, by fid."""

    known: Gathered
    contiguous: "Sequence[Parcel]"
    kept_apart: tuple[Override, ...]
    added: dict[int, str]
    dropped: dict[int, str]


MeasuredFor = dict[tuple[object, ...], Measured]
"""What was measured of some premises, by what it was measured for."""


def make_notice(
    opened: "Opened", premises: "Sequence[Parcel]", asked: NoticeRequest, *, before: MeasuredFor | None = None
) -> Noticed:
    """Compute who must be notified of an occasion, and why.

    Parameters
    ----------
    opened
        The town.
    premises
        The parcels that the event uses, as :func:`find_premises` gives them.
    asked
        The occasion, its days, and what an official puts on the list or takes off it.
    before
        What was measured of these premises for other occasions: what is the same is not measured again, and what is measured is added.

    Raises
    ------
    UsageError
        The ordinance knows no such occasion, or an override cannot be meant.
    """
    rules = notice_rules(opened.profile, asked.occasion)
    settings, spec = opened.town.settings, opened.town.town
    require_second_place(opened, rules, asked.around)
    search = _how_far(opened, rules)
    around = _gather_around(opened, premises, asked, rules, reach_ft=search.reach_ft, before={} if before is None else before)
    joined, decision = _decide(opened, asked, around)
    measured, places = joined.measured, around.known.places
    everyone = [*(parcel.fid for parcel in premises), *(parcel.fid for parcel in decision.parcels)]
    owners = opened.store.owners_of([*everyone, *decision.schedule])
    gathered = gather_recipients(
        decision.parcels,
        measured.records,
        owners,
        premises=premises,
        told=decision.owners,
        residents=decision.residents,
        premises_residents=decision.premises_residents,
        common_lots={lot for parcel in decision.parcels for lot in parcel.common_lots},
        points=opened.store.address_points_of(everyone) if opened.store.has("address_points") else None,
        municipalities=places.near,
        clerk_mail=clerk_mail(_clerk_rule(rules)),
        unnamed_owner=settings.unnamed_owner,
        town_place=TownPlace(spec.city, spec.state, spec.zip, spec.swis, spec.municipality),
        added=opened.corrections.added if opened.corrections else None,
        combined=settings.combine_residents,
        others=[*(one for one in opened.others if not one.occasions or asked.occasion in one.occasions), *asked.others],
    )
    adjoining = any(rule.notice and rule.notice.relations and not rule.notice.schedule for rule in rules)
    signs = _sign_rules(opened, rules)
    basis = ListBasis(
        rules=rules,
        known=around.known,
        joined=joined,
        decision=decision,
        owners=owners,
        search_ft=search.search_ft,
        contiguous=around.contiguous,
        of_recipients=gathered.warnings,
        signs=signs,
        on=asked.on,
        hearing=asked.hearing,
        event=asked.event,
        around=asked.around,
    )
    concerned = [*everyone, *decision.schedule]
    notice = Notice(
        occasion=asked.occasion,
        required=decision.required,
        town=opened.town.name,
        ordinance=OrdinanceRef(opened.profile.id, opened.profile.effective, opened.profile.sha256),
        premises=tuple(parcel.id for parcel in premises),
        premises_situs=tuple(parcel.situs.text for parcel in premises),
        on=asked.on,
        hearing=asked.hearing,
        event=asked.event,
        filed=asked.filed,
        version=__version__,
        clauses=decision.clauses,
        parcels=tuple(_rounded(parcel) for parcel in counted(decision.parcels, gathered)),
        near_misses=_near_misses(measured, decision, adjoining=adjoining),
        recipients=gathered.recipients,
        municipalities=places.near,
        districts=around.known.zoned.districts,
        frontages=measured.frontages(),
        signs=measured.public_streets() if signs else (),
        schedule=adjoining_owners([measured.records[fid] for fid in decision.schedule], owners),
        overrides=(*decision.overrides, *(replace(one, by=asked.by, on=asked.on) for one in around.kept_apart)),
        also=tuple(asked.others),
        around=asked.around,
        corrections=opened.corrections.on_list(concerned) if opened.corrections else (),
        warnings=worst_first(
            (*list_warnings(opened, basis), *asked.stated, *correction_warnings(opened, concerned), *_unsigned(asked))
        ),
        settings={"crs": opened.town.crs, **asdict(opened.town.settings)},
        sources=(*opened.store.sources(), *opened.correction_sources, *opened.other_sources),
    )
    return Noticed(
        notice=notice,
        measured=measured,
        owners=owners,
        search_ft=search.search_ft,
        radius_ft=search.radius_ft,
        adjoining=adjoining,
        places=places,
        deadlines=deadlines(opened.profile, hearing=asked.hearing, event=asked.event, filed=asked.filed),
        undated=undated(rules, hearing=asked.hearing, event=asked.event),
        around=asked.around,
    )


def _how_far(opened: "Opened", rules: "Sequence[Rule]") -> _Search:
    settings = opened.town.settings
    beyond_ft = settings.borderline_ft + settings.near_miss_ft
    search_ft = max(_radius_ft(rules) or settings.right_of_way_max_ft, opened.profile.opposite[1] or 0.0)
    return _Search(
        radius_ft=_radius_ft([rule for rule in rules if rule.notice and not rule.notice.schedule]),
        search_ft=search_ft,
        reach_ft=max(search_ft, settings.right_of_way_max_state_ft) + beyond_ft + 2 * settings.right_of_way_max_ft,
    )


def _gather_around(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    asked: NoticeRequest,
    rules: "Sequence[Rule]",
    *,
    reach_ft: float,
    before: MeasuredFor,
) -> _Around:
    """Measure the premises and what is around them, from the applicant's contiguous land where the law does."""
    added, dropped = (_overridden(opened, premises, reasons) for reasons in (asked.add, asked.drop))
    moved_out = any(rule.notice and rule.notice.contiguous_land for rule in rules)
    contiguous, kept_apart = land_apart(opened, premises, asked.apart, asked=moved_out)
    clerks = _clerk_rule(rules)
    beside = tuple(parcel.fid for parcel in contiguous)
    same = (tuple(parcel.fid for parcel in premises), reach_ft, *added, None, *dropped, None, beside, asked.around)
    known = gather(
        opened,
        premises,
        clerk_distance_ft=clerks.notice.distance_ft if clerks and clerks.notice else None,
        clerk_rule=clerks.id if clerks else "",
        reach_ft=reach_ft,
        also=(*added, *dropped),
        contiguous=beside,
        around=shape_of(asked.around) if asked.around else None,
        measured=before.get(same),
    )
    before[same] = known.measured
    return _Around(known, contiguous, kept_apart, added, dropped)


def _decide(opened: "Opened", asked: NoticeRequest, around: _Around) -> tuple[Joined, Decision]:
    """Apply the law, then tie the units of common land to the list, then an official's overrides: in this order, for the last word is theirs."""
    settings, measured = opened.town.settings, around.known.measured
    decision = decide_notice(
        opened.profile,
        asked.occasion,
        measured.facts,
        zone=around.known.zoned.zone,
        borderline_ft=settings.borderline_ft,
        borderline=settings.borderline,
        straight_across=settings.straight_across,
        near_miss_ft=settings.near_miss_ft,
    )
    joined = join_units(opened, measured, decision, added=around.added)
    changed = apply_overrides(
        joined.decision, joined.measured.facts, add=around.added, drop=around.dropped, by=asked.by, on=asked.on
    )
    return joined, changed


def require_second_place(opened: "Opened", rules: "Sequence[Rule]", place: "SecondPlace | None") -> None:
    """Refuse a second place where no rule of the occasion measures from one: it would change nothing, unsaid.

    Raises
    ------
    UsageError
        There is no such rule.
    """
    if place is None or any(rule.notice and rule.notice.around for rule in rules):
        return
    raise UsageError(
        Fault(
            what=f"the law of {opened.profile.town} measures from the premises alone on this occasion, so {place.name} changes nothing",
            why="no rule of the profile states that a second place of the event is measured from",
            remedy="take the second place out; if the law does say so, write around = true into [rules.notice] of that rule",
            command="take out --around; if the law does say so, write around = true into [rules.notice] of that rule",
        )
    )


def _unsigned(asked: NoticeRequest) -> "tuple[ResultWarning, ...]":
    """Return that nobody is named who changed the list by hand."""
    changed = (*asked.add, *asked.drop, *asked.apart)
    if not changed or asked.by.strip():
        return ()
    text = "Parcels were added, dropped or kept apart by hand, and by whom is not stated. Make the list again with your name."
    return (ResultWarning("override_unsigned", text, tuple(changed)),)


def _clerk_rule(rules: "Sequence[Rule]") -> "Rule | None":
    return next((rule for rule in rules if rule.kind == "clerk_notice"), None)


def _radius_ft(rules: "Sequence[Rule]") -> float | None:
    """Return the farthest distance within which owners are notified; None where no rule names one."""
    reached = [rule.notice.distance_ft for rule in rules if rule.notice and rule.kind != "clerk_notice"]
    return max((distance for distance in reached if distance), default=None)


def _overridden(opened: "Opened", premises: "Sequence[Parcel]", reasons: "Mapping[str, str]") -> dict[int, str]:
    """Find the parcels that an official adds or drops, in whichever layer they are; the premises are neither."""
    found = {number: opened.store.find(number, any_layer=True) for number in reasons}
    own = {parcel.fid for parcel in premises}
    faults = [
        Fault(
            what="it belongs to the premises, so it can neither be added to the list nor dropped from it",
            parcel=parcel.id,
            why="its owner is the applicant, who stands on the list and gets no letter",
            remedy="undo this change by hand",
            command="take it out of --add and --drop",
        )
        for parcel in found.values()
        if parcel.fid in own
    ]
    if faults:
        raise UsageError(faults)
    return {found[number].fid: reason for number, reason in reasons.items()}


def clerk_mail(clerks: "Rule | None") -> "Mail":
    """Return by which class of mail the clerks of other municipalities are notified."""
    return clerks.notice.mail if clerks and clerks.notice and clerks.notice.mail != "none" else "first_class"


def _sign_rules(opened: "Opened", rules: "Sequence[Rule]") -> bool:
    """Whether the law asks for signs on this occasion."""
    return bool(rules_of_stage(opened.profile, rules, "posting"))


def _rounded(parcel: NoticeParcel) -> NoticeParcel:
    return replace(
        parcel,
        distance_ft=round(parcel.distance_ft, 2),
        shared_ft=None if parcel.shared_ft is None else round(parcel.shared_ft, 2),
        opposite_ft=None if parcel.opposite_ft is None else round(parcel.opposite_ft, 2),
        across_ft=None if parcel.across_ft is None else round(parcel.across_ft, 2),
        around_ft=None if parcel.around_ft is None else round(parcel.around_ft, 2),
    )


def _near_misses(measured: Measured, decision: Decision, *, adjoining: bool) -> tuple[NearMiss, ...]:
    """Add what adjacency nearly found to what lies just beyond a distance, where the occasion asks for adjacency."""
    if not adjoining:
        return decision.near_misses
    taken = {parcel.id for parcel in decision.parcels} | {miss.id for miss in decision.near_misses}
    found = {
        measured.records[measured.around[miss.index]].id: NearMiss(
            measured.records[measured.around[miss.index]].id, round(miss.distance_ft, 2), reason=MISS_REASONS[miss.reason]
        )
        for miss in measured.near.near_misses
    }
    added = [miss for id_, miss in found.items() if id_ not in taken]
    return tuple(sorted((*decision.near_misses, *added), key=lambda miss: (miss.distance_ft, miss.id)))
