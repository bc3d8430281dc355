"""What a check is given and what it answers: facts of the premises, the case and its size, and the outcome of one rule.

Three-valued throughout: None is *unknown*, and an unknown that matters ends as ``decide`` with its question, never as a guess.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_count import PastPermit, PropertyHistory, Zone
from geonotice.model import District, Status
from geonotice.ordinance.profile import Profile, Rule, Size

if TYPE_CHECKING:
    from geonotice.config.application import Event

__all__ = [
    "Case",
    "Layout",
    "Outcome",
    "PremisesFacts",
    "Structure",
    "all_of",
    "any_of",
    "attendance_over",
    "decide",
    "does_not_apply",
    "hearing_day",
    "hearings_stated",
    "lasts",
    "longer_than",
    "met",
    "not_met",
    "remind",
    "size_within",
]


class Structure(Struct, frozen=True, kw_only=True):
    """A stage, tent or ride of the layout, with its least distance to each sort of lot line, in US survey feet (None: there is none)."""

    what: str
    front_ft: float | None = None
    side_ft: float | None = None
    rear_ft: float | None = None
    district: str = ""
    both_sides_ft: float | None = None


class Layout(Struct, frozen=True, kw_only=True):
    """What was measured on the applicant's drawing: the ground for parking, in square feet, and the structures."""

    parking_sq_ft: float | None = None
    structures: tuple[Structure, ...] = ()


class PremisesFacts(Struct, frozen=True, kw_only=True):
    """What is known of the premises, from the layers or as stated.

    Parameters
    ----------
    zone
        The class of its districts under the profile: ``split`` is residential with something else.
    municipal_owner
        Whether a municipality owns the parcel.
    adjacent_state_or_county_road, adjacent_lirr
        Whether the parcel is immediately adjacent to a state or county road, or to property of the Long Island Rail Road.
    in_village
        The village in which the premises lie; None where they lie in none (or no layer says).
    within_500_ft_of
        Other municipalities whose boundary is within 500 feet, or within the distance that the law names instead; None where no layer
        says.
    streets_abutted
        The public streets that the premises abut; None where no layer says.
    districts
        The districts with their shares.
    area_sq_ft, frontage_ft
        Area and length of frontage, for the capacity of the site.
    layout
        What was measured on the drawing, where there is one.
    buffer_ft
        The buffer from every lot line that the officials set for this event; None where they set none.
    route_ft, route_streets
        The length of a parade's route, and the streets it follows; None where no route is read, or no layer says.
    lon_lat
        The site in degrees, east and north positive: to suggest by the sun whether the event is at night.
    """

    zone: Zone = "undetermined"
    municipal_owner: bool | None = None
    adjacent_state_or_county_road: bool | None = None
    adjacent_lirr: bool | None = None
    in_village: str | None = None
    within_500_ft_of: tuple[str, ...] | None = None
    streets_abutted: tuple[str, ...] | None = None
    districts: tuple[District, ...] = ()
    area_sq_ft: float | None = None
    frontage_ft: float | None = None
    layout: Layout | None = None
    buffer_ft: float | None = None
    route_ft: float | None = None
    route_streets: tuple[str, ...] | None = None
    lon_lat: tuple[float, float] | None = None


class Case(Struct, frozen=True, kw_only=True):
    """One event on one property under one law: all that a rule may look at."""

    profile: "Profile"
    event: "Event"
    facts: PremisesFacts
    history: tuple[PastPermit, ...]
    on: date
    properties: tuple[PropertyHistory, ...] = ()

    @property
    def is_parade(self) -> bool | None:
        """Whether the event is a parade; None where its kind is not stated."""
        kind = self.event.event.kind
        return None if kind is None else kind == "parade"

    @property
    def dates(self) -> dict[str, date | None]:
        """The dates that periods are counted from, but for the hearing, which is each rule's own (:meth:`dates_of`)."""
        about, denial = self.event.event, self.event.denial
        return {
            "event": about.first_day,
            "event_ends": about.last_day,
            "filed": about.filed,
            "complete": about.complete,
            "denial_received": denial.received,
        }

    def dates_of(self, rule: "Rule") -> dict[str, date | None]:
        """Return the dates that the periods of a rule are counted from; no hearing where two days are stated for it."""
        stated = tuple(self.hearings_stated(rule).values())
        return {**self.dates, "hearing": stated[0] if len(stated) == 1 else None}

    def hearings_stated(self, rule: "Rule") -> dict[str, date]:
        """Return the day that is stated for the hearing of a rule, by the key that states it; two where the answers differ."""
        return hearings_stated(self.profile, self.event, appeal=rule.applies == "denial")

    @property
    def permits(self) -> tuple[PastPermit, ...]:
        """Every earlier permit that is known, once: those stated, and those in the register of any parcel of the premises."""
        known = (*self.history, *(permit for item in self.properties for permit in item.permits))
        numbered = {permit.number: permit for permit in known if permit.number}
        return (*numbered.values(), *(permit for permit in known if not permit.number))

    @property
    def municipal(self) -> bool | None:
        """Whether a municipality owns the parcel, by the roll or as stated."""
        stated = self.event.premises.owned_entirely_by
        return any_of((self.facts.municipal_owner, None if stated is None else stated == "municipality"))


class Outcome(Struct, frozen=True, kw_only=True):
    """What one rule makes of a case.

    ``missing`` are the keys of unanswered questions; ``change`` says what would change the answer; ``could_forbid`` is False for a
    ``decide`` whose answer cannot stand in the event's way.
    """

    status: Status | Literal["not_applicable"]
    text: str
    facts: dict[str, object] = {}
    measure: str = ""
    change: str = ""
    missing: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    could_forbid: bool = True

    def with_review(self, *codes: str) -> "Outcome":
        """Return the outcome with review codes added."""
        return replace(self, review=tuple(dict.fromkeys((*self.review, *codes))))


def hearings_stated(profile: "Profile", event: "Event", *, appeal: bool) -> dict[str, date]:
    """Return the day stated for a hearing, by the key that states it: the hearing on an appeal, or that on the application.

    A law without appeals has one hearing only: a day under ``[denial]``, where event files had it before ``[notice_given]``, is that one's.
    """
    on_appeal, on_application = event.denial.hearing, event.notice_given.hearing
    if appeal:
        return {"denial.hearing": on_appeal} if on_appeal else {}
    found = {"notice_given.hearing": on_application} if on_application else {}
    if on_appeal and on_appeal != on_application and not any(rule.applies == "denial" for rule in profile.rules):
        found["denial.hearing"] = on_appeal
    return found


def hearing_day(profile: "Profile", event: "Event") -> date | None:
    """Return the day of the hearing that a law's dates are counted from; None where none is stated, or two that differ."""
    appeal = any(rule.applies == "denial" for rule in profile.rules)
    found = tuple(hearings_stated(profile, event, appeal=appeal).values())
    return found[0] if len(found) == 1 else None


def met(
    text: str,
    *,
    measure: str = "",
    change: str = "",
    review: tuple[str, ...] = (),
    facts: Mapping[str, object] | None = None,
) -> Outcome:
    """State that the rule is satisfied, or that there is no conflict; the text says which."""
    return Outcome(status="met", text=text, measure=measure, change=change, review=review, facts=dict(facts or {}))


def not_met(
    text: str,
    *,
    measure: str = "",
    change: str = "",
    review: tuple[str, ...] = (),
    facts: Mapping[str, object] | None = None,
) -> Outcome:
    """State that the rule is not satisfied, and what would change that."""
    return Outcome(status="not_met", text=text, measure=measure, change=change, review=review, facts=dict(facts or {}))


def decide(
    text: str,
    *missing: str,
    measure: str = "",
    change: str = "",
    review: tuple[str, ...] = (),
    could_forbid: bool = True,
    facts: Mapping[str, object] | None = None,
) -> Outcome:
    """State that it turns on missing answers (the keys given), or on an official's judgement (none)."""
    return Outcome(
        status="decide",
        text=text,
        missing=missing,
        measure=measure,
        change=change,
        review=review,
        could_forbid=could_forbid,
        facts=dict(facts or {}),
    )


def remind(text: str, *, measure: str = "", review: tuple[str, ...] = (), facts: Mapping[str, object] | None = None) -> Outcome:
    """Remind of a duty to come, or of something left to the official."""
    return Outcome(status="remind", text=text, measure=measure, review=review, facts=dict(facts or {}), could_forbid=False)


def does_not_apply(why: str) -> Outcome:
    """Set the rule aside, and say why."""
    return Outcome(status="not_applicable", text=why, could_forbid=False)


def all_of(values: Iterable[bool | None]) -> bool | None:
    """Three-valued *and*: False if any is, else unknown if any is, else True."""
    found = tuple(values)
    if False in found:
        return False
    return None if None in found else True


def any_of(values: Iterable[bool | None]) -> bool | None:
    """Three-valued *or*: True if any is, else unknown if any is, else False."""
    found = tuple(values)
    if True in found:
        return True
    return None if None in found else False


def attendance_over(case: Case, persons: int, *, at_once: bool = False) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether **more than** so many attend, and which answers are missing where that is not known.

    The largest number stated decides: persons in all, at one time, or outdoors. That it is not more is known from the persons in all.
    Counted ``at_once``, persons in all decide nothing but that there are not more at one time than in all.
    """
    about = case.event.event
    if at_once:
        together = [number for number in (about.persons_at_once, about.persons_outdoors) if number is not None]
        if together and max(together) > persons:
            return True, ()
        if about.persons_at_once is not None or (about.persons_total is not None and about.persons_total <= persons):
            return False, ()
        return None, ("event.persons_at_once",)
    stated = [number for number in (about.persons_at_once, about.persons_total, about.persons_outdoors) if number is not None]
    if stated and max(stated) > persons:
        return True, ()
    if about.persons_total is not None:
        return False, ()
    return None, ("event.persons_total",)


# ---- the size that a rule is meant for: persons at one time or in all, and hours


_DAY_HOURS = 24.0


def size_within(rule: Rule, case: Case) -> tuple[bool | None, str, tuple[str, ...]]:
    """Return whether the size of an event leaves it within a rule, why not (or an opening such as *If …*), and which answers are missing.

    A rule with ``only_for`` is meant for events of one of its sizes, one with ``not_for`` for those of none of its.
    """
    unknown: tuple[bool | None, str, tuple[str, ...]] | None = None
    for sizes, wanted in ((rule.only_for, True), (rule.not_for, False)):
        if not sizes:
            continue
        found = [_is_of(size, case) for size in sizes]
        of_one = any_of(value for value, _ in found)
        words = ", or ".join(size.words for size in sizes)
        if of_one is None:
            missing = tuple(dict.fromkeys(key for value, keys in found if value is None for key in keys))
            unknown = unknown or (None, f"If it is {'' if wanted else 'not '}for {words}", missing)
        elif of_one is not wanted:
            return False, f"it is {'not ' if wanted else ''}for {words}", ()
    return unknown or (True, "", ())


def _is_of(size: Size, case: Case) -> tuple[bool | None, tuple[str, ...]]:
    tests = [attendance_over(case, size.more_than_persons, at_once=size.at_once)]
    if size.more_than_hours is not None:
        tests.append(longer_than(size.more_than_hours, case))
    if size.hours_or_more is not None:
        tests.append(longer_than(size.hours_or_more, case, or_more=True))
    missing = tuple(dict.fromkeys(key for value, keys in tests if value is None for key in keys))
    return all_of(value for value, _ in tests), missing


def longer_than(hours: float, case: Case, *, or_more: bool = False) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether an event goes on for longer than so many hours (or for so many ``or_more``), and which answers are missing."""

    def over(length: float) -> bool:
        return length >= hours if or_more else length > hours

    about = case.event.event
    length, missing = lasts(case)
    if length is None:
        return None, missing
    # Days that are stated by themselves are not held through the nights between them: the longest was counted. An event of several days
    # may stop for the night, unless those who attend camp there: whether it goes on so long without a break is not in the event file.
    may_stop = not about.days and length > max(hours, _DAY_HOURS) and not case.event.site.camping
    return (None if may_stop else over(length)), (("event.days", "site.camping") if may_stop else ())


def lasts(case: Case) -> tuple[float | None, tuple[str, ...]]:
    """Return the hours from the beginning to the end of an event, or on the longest of its days; None with the answers that are missing."""
    about = case.event.event
    timed = [(one, other) for one, other in about.sessions if isinstance(one, datetime) and isinstance(other, datetime)]
    if about.days:
        if len(timed) < len(about.days):
            return None, ("event.days",)
        return max((other - one).total_seconds() for one, other in timed) / 3600, ()
    if not isinstance(about.starts, datetime) or not isinstance(about.ends, datetime):
        named = (("starts", about.starts), ("ends", about.ends))
        return None, tuple(f"event.{name}" for name, when in named if not isinstance(when, datetime))
    return (about.ends - about.starts).total_seconds() / 3600, ()
