"""Make a notice: from the parcels named to the recipients, with what could not be seen."""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from geonotice import __version__
from geonotice.decide.days import in_words
from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of, deadlines
from geonotice.decide.notice import Decision, apply_overrides, decide_notice, notice_rules
from geonotice.decide.standing import standing_cautions
from geonotice.decide.vintage import vintage_cautions
from geonotice.errors import Fault, UsageError
from geonotice.model import Caution, NearMiss, Notice, NoticeParcel, OrdinanceRef
from geonotice.recipients import adjoining_owners, counted, gather
from geonotice.workflow.cautions import IMPORT_CODES, cover_cautions, import_cautions, same_owner_cautions
from geonotice.workflow.common_land import common_land_cautions, join_units
from geonotice.workflow.contiguous import contiguous_cautions, land_apart
from geonotice.workflow.measuring import LOCATION_CODES, Measured, Municipalities, measure, measure_municipalities, measure_zone
from geonotice.workflow.remarks import MISS_REASONS, remark_cautions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from geonotice.model import Mail, Owner, Parcel
    from geonotice.ordinance.profile import Period, Profile, Rule
    from geonotice.workflow.opening import Opened

__all__ = ["Noticed", "make_notice", "open_questions"]


@dataclass(frozen=True, slots=True, eq=False)
class Noticed:
    """A notice with what is behind it.

    ``owners`` are those of the premises and the listed parcels, by fid; ``search_ft`` is how far was searched, ``radius_ft`` the
    distance that a rule names; ``adjoining`` says that the occasion asks for abutting and opposite owners; ``deadlines`` are the days
    that hang on the hearing or the event, none where neither is known; ``undated`` names what the law counts this notice from and
    whose day was not given.
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


def make_notice(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    *,
    occasion: str,
    on: "date",
    hearing: "date | None" = None,
    event: "date | None" = None,
    add: "Mapping[str, str] | None" = None,
    drop: "Mapping[str, str] | None" = None,
    apart: "Mapping[str, str] | None" = None,
) -> Noticed:
    """Compute who must be told of an occasion, and why.

    Parameters
    ----------
    opened
        The town.
    premises
        The parcels that the event uses, as :func:`find_premises` gives them.
    occasion
        ``hearing`` (Italy), ``filing`` or ``appeal`` (Southampton), or what another profile names.
    on
        The day that stands for today.
    hearing, event
        The day of the hearing, and the first day of the event: what the days of the notice are counted from.
    add, drop
        Parcels that an official puts on the list or takes off it, with the reason.
    apart
        Parcels that touch the premises and are not the applicant's, though the roll names the same owner, with the reason: where the
        law measures from the applicant's contiguous land, not from these.

    Raises
    ------
    UsageError
        The ordinance knows no such occasion, or an override cannot be meant.
    """
    rules = notice_rules(opened.profile, occasion)
    settings = opened.town.settings
    added, dropped = (_overridden(opened, premises, reasons or {}) for reasons in (add, drop))
    radius_ft = _radius_ft([rule for rule in rules if rule.notice and not rule.notice.schedule])
    beyond_ft = settings.borderline_ft + settings.near_miss_ft
    search_ft = _radius_ft(rules) or settings.right_of_way_max_ft
    reach_ft = max(search_ft, settings.right_of_way_max_state_ft) + beyond_ft + 2 * settings.right_of_way_max_ft
    moved_out = any(rule.notice and rule.notice.contiguous_land for rule in rules)
    contiguous, kept_apart = land_apart(opened, premises, apart or {}, asked=moved_out)
    more = [parcel.fid for parcel in contiguous]
    measured = measure(opened, premises, reach_ft=reach_ft, also=(*added, *dropped), contiguous=more)
    adjoining = [rule for rule in rules if rule.notice and rule.notice.relations and not rule.notice.schedule]
    clerks = next((rule for rule in rules if rule.kind == "clerk_notice"), None)
    places = _municipalities(opened, measured, clerks)
    zoned = measure_zone(opened, measured.land, village=next(iter(places.villages), ""))
    decision = decide_notice(
        opened.profile,
        occasion,
        measured.facts,
        zone=zoned.zone,
        borderline_ft=settings.borderline_ft,
        borderline=settings.borderline,
        straight_across=settings.straight_across,
        near_miss_ft=settings.near_miss_ft,
    )
    joined = join_units(opened, measured, decision, added=added)
    measured = joined.measured
    decision = apply_overrides(joined.decision, measured.facts, add=added, drop=dropped)
    listed = [parcel.fid for parcel in decision.parcels]
    everyone = [*(parcel.fid for parcel in premises), *listed]
    owners = opened.store.owners_of([*everyone, *decision.schedule])
    gathered = gather(
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
        clerk_mail=_clerk_mail(clerks),
    )
    sources = opened.store.sources()
    signs = _sign_rules(opened, rules)
    zone_matters = any(rule.notice and rule.notice.only_in for rule in rules)
    notice = Notice(
        occasion=occasion,
        required=decision.required,
        town=opened.town.name,
        ordinance=OrdinanceRef(opened.profile.id, opened.profile.effective, opened.profile.sha256),
        premises=tuple(parcel.id for parcel in premises),
        premises_situs=tuple(parcel.situs.text for parcel in premises),
        on=on,
        hearing=hearing,
        event=event,
        version=__version__,
        clauses=decision.clauses,
        parcels=tuple(_rounded(parcel) for parcel in counted(decision.parcels, gathered)),
        near_misses=_near_misses(measured, decision, adjoining=bool(adjoining)),
        recipients=gathered.recipients,
        municipalities=places.near,
        districts=zoned.districts,
        frontages=measured.frontages(),
        signs=measured.public_streets() if signs else (),
        schedule=adjoining_owners([measured.records[fid] for fid in decision.schedule], owners),
        overrides=(*decision.overrides, *kept_apart),
        cautions=(
            *standing_cautions(opened.profile),
            *decision.cautions,
            *(zoned.cautions if zone_matters else ()),
            *places.cautions,
            *cover_cautions(opened, measured, distance_ft=search_ft),
            *(_remarks(measured) if adjoining else ()),
            *common_land_cautions(opened, joined, decision.parcels),
            *gathered.cautions,
            *contiguous_cautions(contiguous),
            *(() if moved_out else same_owner_cautions(measured, owners, tolerance_ft=settings.tolerance_ft)),
            *(_sign_cautions(opened, measured) if signs else ()),
            *_date_cautions(opened.profile, rules, on=on, hearing=hearing, event=event),
            *vintage_cautions(sources, _roll_years(measured, everyone, owners), on=on),
            *import_cautions(
                opened.store.problems(*IMPORT_CODES),
                [*(parcel.id for parcel in premises), *(parcel.id for parcel in decision.parcels)],
            ),
        ),
        settings={"crs": opened.town.crs, **asdict(settings)},
        sources=sources,
    )
    return Noticed(
        notice=notice,
        measured=measured,
        owners=owners,
        search_ft=search_ft,
        radius_ft=radius_ft,
        adjoining=bool(adjoining),
        places=places,
        deadlines=deadlines(opened.profile, hearing=hearing, event=event) if hearing or event else (),
        undated=_undated(rules, hearing=hearing, event=event),
    )


_QUESTIONS = frozenset(
    {
        "common_land_question",
        "zone_undetermined",
        "borderline_ask",
        "straight_across_ask",
        "cover_ends",
        "unmailable",
        "owner_unknown",
        "applicant_unknown",
    }
)
"""Cautions that a person must answer before a list is complete."""


def open_questions(notice: Notice) -> tuple[str, ...]:
    """Give the codes of what a person must decide before the list can be relied on; empty where there is nothing."""
    codes = [code for parcel in notice.parcels for code in parcel.review]
    codes += [caution.code for caution in notice.cautions if caution.code in _QUESTIONS]
    codes += ["required"] if notice.required == "decide" else []
    return tuple(dict.fromkeys(codes))


def _radius_ft(rules: "Sequence[Rule]") -> float | None:
    """Give the farthest distance within which owners are told; None where no rule names one."""
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
            remedy="take it out of --add and --drop",
        )
        for parcel in found.values()
        if parcel.fid in own
    ]
    if faults:
        raise UsageError(faults)
    return {found[number].fid: reason for number, reason in reasons.items()}


def _municipalities(opened: "Opened", measured: Measured, clerks: "Rule | None") -> Municipalities:
    """Measure the municipalities for the clerk's notice; without such a rule only the villages that the premises lie in matter."""
    if clerks is None or clerks.notice is None or clerks.notice.distance_ft is None:
        places = measure_municipalities(opened, measured.land, measured.premises, distance_ft=0.0, rule="")
        said = tuple(caution for caution in places.cautions if caution.code in LOCATION_CODES - {"partly_in_village"})
        return replace(places, near=(), cautions=said)
    return measure_municipalities(opened, measured.land, measured.premises, distance_ft=clerks.notice.distance_ft, rule=clerks.id)


def _clerk_mail(clerks: "Rule | None") -> "Mail":
    return clerks.notice.mail if clerks and clerks.notice and clerks.notice.mail != "none" else "first_class"


def _sign_rules(opened: "Opened", rules: "Sequence[Rule]") -> bool:
    """Whether the law asks for signs on this occasion: its posting rules go with the notice rules of the same stage."""
    stages = {rule.applies for rule in rules if rule.notice and rule.occasion}
    return any(rule.applies in stages for rule in opened.profile.of_kind("posting"))


def _sign_cautions(opened: "Opened", measured: Measured) -> tuple[Caution, ...]:
    """Say why no sign is named, where the law asks for one on each public street: an empty list would read as if none were due."""
    if not opened.store.has("streets"):
        text = "The town file names no streets layer, so the streets that the premises abut, and with them the places of the signs, are not known by name. Post a sign facing each public street all the same."
        return (Caution("no_streets_layer", text),)
    private = sorted({one.name for one in measured.near.streets if one.jurisdictions == ("private",) and one.name})
    if measured.public_streets():
        return ()
    which = f"only a private street ({', '.join(private)})" if private else "no street of the streets layer"
    text = f"The premises abut {which}, so no place for a sign is named. Ask the official in charge where the sign must stand."
    return (Caution("no_public_street", text),)


def _notice_periods(rules: "Sequence[Rule]") -> "Iterator[tuple[Rule, Period]]":
    """Give the periods by which notice must be given ahead of a date."""
    listed = [rule for rule in rules if rule.notice and not rule.notice.schedule]
    yield from ((rule, period) for rule in listed for period in rule.periods if period.direction == "before")


def _undated(rules: "Sequence[Rule]", *, hearing: "date | None", event: "date | None") -> tuple[str, ...]:
    missing = {name for name, when in {"hearing": hearing, "event": event}.items() if when is None}
    return tuple(sorted({period.reckoned_from for _, period in _notice_periods(rules)} & missing))


def _date_cautions(
    profile: "Profile", rules: "Sequence[Rule]", *, on: "date", hearing: "date | None", event: "date | None"
) -> tuple[Caution, ...]:
    """Say where the hearing or the event is past, or else the last day to give this notice."""
    given = {"hearing": hearing, "event": event}
    past = [
        Caution(
            f"{name}_passed",
            f"The {name} is on {when.isoformat()}, which is before {on.isoformat()}, the day of this list: nobody can be told of it any more. Check the date.",
        )
        for name, when in given.items()
        if when and when < on
    ]
    if past:
        return tuple(past)
    found = [deadline_of(rule, period, given, appointed=appointed_days(profile)) for rule, period in _notice_periods(rules)]
    late = [one for one in found if one and one.bound == "latest" and one.last_day < on]
    return tuple(
        Caution(
            "notice_late",
            f"The last day to {one.what} was {in_words(one.last_day)} ({one.citation}), before {in_words(on)}, the day of this list.",
        )
        for one in late
    )


def _rounded(parcel: NoticeParcel) -> NoticeParcel:
    return replace(
        parcel,
        distance_ft=round(parcel.distance_ft, 2),
        shared_ft=None if parcel.shared_ft is None else round(parcel.shared_ft, 2),
        opposite_ft=None if parcel.opposite_ft is None else round(parcel.opposite_ft, 2),
        across_ft=None if parcel.across_ft is None else round(parcel.across_ft, 2),
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


def _remarks(measured: Measured) -> tuple[Caution, ...]:
    ids = [measured.records[fid].id for fid in measured.around]
    return remark_cautions(measured.near, ids, measured.streets.names)


def _roll_years(measured: Measured, fids: "Sequence[int]", owners: "Mapping[int, Sequence[Owner]]") -> list[int | None]:
    years = [measured.records[fid].roll_year for fid in fids]
    return years + [owner.roll_year for fid in fids for owner in owners[fid]]
