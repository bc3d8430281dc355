"""The dates of a law: for each rule with a period, the last lawful day, the day to aim for, and the computation in words; then those of one event."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import (
    add_business_days,
    add_days,
    business_days_between,
    closed_because,
    in_words,
    next_business_day,
    post_office_closed,
    previous_business_day,
)
from geonotice.decide.case import hearing_day
from geonotice.ordinance.profile import Period, Profile, Rule

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.decide.check import CheckResult

__all__ = [
    "CAREFUL",
    "Deadline",
    "DeadlineState",
    "Undated",
    "appointed_days",
    "dates_of",
    "deadline_of",
    "deadlines",
    "filing_lines",
    "is_past",
    "late_filing",
    "next_steps",
    "notice_deadlines",
    "undated_of",
]


DeadlineState = Literal["open", "met", "late", "past"]
"""How a dated duty stands: still to be done, done in time, done after its last lawful day, or not done by then as far as is known."""

DONE_BY: dict[str, str] = {"filed_before": "filed", "appeal": "appeal_filed", "amendment": "amendment_filed"}
"""The day that is known of the act which a rule asks for, by the rule's check."""

CAREFUL = "The careful reading is the plain count: an act by then is in time by either."
"""Which of two last days is the careful one, where a weekend or holiday moves the day."""

NAMES: dict[str, str] = {
    "event": "the day the event begins",
    "event_ends": "the day the event ends",
    "hearing": "the day of the hearing",
    "filed": "the day the application was filed",
    "complete": "the day the application was found complete",
    "denial_received": "the day the denial was received",
    "hearing_closed": "the day the hearing closes",
    "determination": "the day of the determination",
    "notice": "the day of the notice",
}


class Deadline(Struct, frozen=True):
    """One dated duty.

    Parameters
    ----------
    rule, key
        The rule's id, and which of its periods this is (empty where it has one).
    what
        What must be done, as a phrase.
    last_day
        The last lawful day by the plain count (or the first, where ``bound`` is ``earliest``).
    suggested
        The day to aim for: the working day before, for what must come ahead of a date; the next business day, for what must be done
        within a time (General Construction Law section 25-a).
    computation
        The count in words.
    citation
        Chapter and section.
    reckoned_from, given_by
        The name of the date it is counted from, and who must act.
    brief
        The computation in few words, for a table: sections are those of the General Construction Law.
    section
        Where the rule stands in its chapter.
    done_on
        The day on which what is asked for was filed; None where that is not known.
    """

    rule: str
    what: str
    last_day: date
    suggested: date
    reckoning: str
    citation: str
    key: str = ""
    bound: Literal["latest", "earliest"] = "latest"
    reckoned_from: str = ""
    given_by: str = ""
    brief: str = ""
    section: str = ""
    done_on: date | None = None

    @property
    def last_lawful_day(self) -> date:
        """The last day that the law allows: that of the plain count, or the later one to which the law carries it; or the first it allows.

        LAW: General Construction Law 25-a: what ends on a Saturday, Sunday or public holiday may be done on the next business day.
        """
        return self.last_day if self.bound == "earliest" else max(self.last_day, self.suggested)

    @property
    def day_in_words(self) -> str:
        """The day by the plain count, and the day to aim for where it is another: earlier by prudence, or later by law."""
        plain = in_words(self.last_day)
        if self.suggested < self.last_day:
            return f"{plain} (aim for {in_words(self.suggested)})"
        if self.suggested > self.last_day:
            return f"{plain} (carried by law to {in_words(self.suggested)})"
        return plain

    @property
    def other_day(self) -> str:
        """Return a sentence on the day by the plain count, where that is not the day to aim for; empty where it is.

        LAW: General Construction Law 25-a carries an act that is due on a Saturday, Sunday or public holiday to the next business day. Who acts by the
        plain count is in time whether or not it is read to reach this act.
        """
        plain = f"By the plain count the last day is {in_words(self.last_day)}"
        if self.suggested > self.last_day:
            return f"{plain}; General Construction Law § 25-a carries it past the weekend or holiday to {in_words(self.suggested)}. {CAREFUL}"
        return f"{plain}." if self.suggested < self.last_day else ""

    def state(self, on: date | None) -> DeadlineState:
        """Return how it stands on a day; what is to be filed on a later day is open, and with no day named what is filed counts."""
        if self.done_on is not None and (on is None or self.done_on <= on):
            return "met" if self.done_on <= self.last_lawful_day else "late"
        return "past" if is_past(self, on) else "open"

    def done(self, on: date | None) -> str:
        """Return what is known of the act itself, as a phrase: when it was filed, and whether that is in time; empty where nothing is known."""
        if self.done_on is None:
            return ""
        late = (self.done_on - self.last_lawful_day).days
        verb = "to be filed" if on is not None and self.done_on > on else "filed"
        return f"{verb} on {in_words(self.done_on)}, {'in time' if late <= 0 else f'{_days(late)} late'}"

    @property
    def to_spare(self) -> str:
        """Return how long before its last lawful day it was done, as a phrase; empty where it was late or is not known to be done."""
        if self.done_on is None or self.done_on > self.last_lawful_day:
            return ""
        ahead = (self.last_lawful_day - self.done_on).days
        return f"{_days(ahead)} before the last day" if ahead else "on the last day"

    def standing(self, on: date | None) -> str:
        """Return what is known of the act in full: :meth:`done`, and how long before the last day that was."""
        return ", ".join(part for part in (self.done(on), self.to_spare) if part)


def deadlines(
    profile: Profile,
    *,
    event: date | None = None,
    event_ends: date | None = None,
    hearing: date | None = None,
    filed: date | None = None,
    complete: date | None = None,
    denial_received: date | None = None,
    hearing_closed: date | None = None,
    determination: date | None = None,
    appeal_filed: date | None = None,
    amendment_filed: date | None = None,
    appointed: Collection[date] = (),
) -> tuple[Deadline, ...]:
    """Compute every dated rule whose date is given.

    Parameters
    ----------
    event, event_ends
        First and last day of the event. Without ``event_ends``, what is counted from its end is counted from ``event``, and says so.
    hearing, hearing_closed, determination
        The hearing, its close and the decision on it; the close is taken to be the day of the hearing where it is not given, and the
        determination the last day for it.
    filed, complete, denial_received
        When the application was filed and found complete, when a denial or rescission was received.
    appeal_filed, amendment_filed
        When an appeal, or a change of what is permitted, was filed: no day is counted from it, and the last day for it is then met or was missed.
    appointed
        Days that the President or the Governor has appointed as holidays, beside those of the profile.

    Returns
    -------
    tuple of Deadline
        By last day, then in the profile's order.
    """
    given = {
        "event": event,
        "event_ends": event_ends,
        "hearing": hearing,
        "filed": filed,
        "complete": complete,
        "denial_received": denial_received,
        "hearing_closed": hearing_closed,
        "determination": determination,
        "appeal_filed": appeal_filed,
        "amendment_filed": amendment_filed,
    }
    # LAW: General Construction Law 24 counts days that the President or the Governor appoints. No calendar knows them ahead, so a town writes
    # them down.
    off = frozenset(appointed) | appointed_days(profile)
    found = [
        # Without the event it is not known whether a rule for large events only is meant: its days are given, and that is said.
        replace(made, what=f"{made.what} ({rule.size_words})") if rule.size_words else made
        for rule in profile.rules
        for period in rule.periods
        if (made := deadline_of(rule, period, given, appointed=off)) is not None
    ]
    return tuple(sorted(found, key=lambda item: item.last_day))


def appointed_days(profile: Profile) -> frozenset[date]:
    """Return the appointed holidays that the profile's setting ``appointed_days`` lists."""
    reading = profile.settings.get("appointed_days")
    value = reading.value if reading else ()
    return frozenset(date.fromisoformat(day) for day in value) if isinstance(value, tuple) else frozenset()


def deadline_of(
    rule: Rule, period: Period, given: Mapping[str, date | None], *, appointed: Collection[date] = ()
) -> Deadline | None:
    """Compute one period of a rule; None where the date it is counted from is not given."""
    start, assumed = _start(rule, period, given, appointed)
    if start is None:
        return None
    sign = -1 if period.direction == "before" else 1
    if period.unit == "business_days":
        last = add_business_days(start, sign * period.days, appointed=appointed)
    elif period.in_hours:
        # LAW: General Construction Law 20 counts days. A law that says 48 hours counts hours, and its weekend is not left out.
        last = start + timedelta(days=sign * period.days)
    else:
        last = add_days(start, sign * period.days, appointed=appointed)
    if period.bound == "earliest":
        suggested = last
    elif period.direction == "before":
        # LAW: General Construction Law 25-a is never used to move notice that must be given before a date.
        suggested = previous_business_day(last, appointed=appointed)
    # LAW: General Construction Law 25-a lengthens the time to do an act. How long a tent or sign may stand is no act, and is read not to be
    # lengthened.
    elif not period.carried:
        suggested = last
    else:
        suggested = next_business_day(last, appointed=appointed)
    said = [_count_in_words(period, start, last, assumed or NAMES[period.reckoned_from])]
    if period.unit == "days" and last != start + timedelta(days=sign * period.days):
        said.append("From a period of two days, Saturdays, Sundays and public holidays in between are left out (§ 20)")
    if period.unit == "business_days":
        passed = [f"{why} on {in_words(day)}" for day, why in business_days_between(*sorted((start, last)), appointed=appointed)]
        said.append(
            "Saturdays, Sundays and public holidays (§ 24) are not counted" + (f": {', '.join(passed)}" if passed else "")
        )
    said += _on_a_closed_day(rule, period, last, suggested, appointed)
    return Deadline(
        rule=rule.id,
        what=period.what,
        last_day=last,
        suggested=suggested,
        reckoning=". ".join(said) + ".",
        citation=rule.citation.place,
        key=period.key,
        bound=period.bound,
        reckoned_from=period.reckoned_from,
        given_by=period.given_by,
        brief=_brief(period, start, last, suggested, assumed=assumed, appointed=appointed),
        section=rule.citation.section,
        done_on=given.get(DONE_BY.get(rule.check, "")) if period.bound == "latest" else None,
    )


def _days(count: int) -> str:
    return f"{count:,} day{'' if count == 1 else 's'}"


def _brief(period: Period, start: date, last: date, suggested: date, *, assumed: str, appointed: Collection[date]) -> str:
    """Return in few words what :func:`deadline_of` computes in sentences; the day counted from is left out throughout (section 20)."""
    unit = "business day" if period.unit == "business_days" else "day"
    count = f"{24 * period.days} hours" if period.in_hours else f"{period.days} {unit}{'' if period.days == 1 else 's'}"
    said = [f"{count} {period.direction} {start.isoformat()}" if period.days else f"on or before {start.isoformat()}"]
    if assumed:
        said.append(assumed)
    if period.unit == "days" and abs((last - start).days) != period.days:
        said.append("Saturdays, Sundays and public holidays in between are left out of a period of two days (§\u00a020)")
    if period.unit == "business_days":
        holidays = [why for _, why in business_days_between(*sorted((start, last)), appointed=appointed)]
        said.append(
            "without Saturdays, Sundays and public holidays (§\u00a024)" + (f": {', '.join(holidays)}" if holidays else "")
        )
    why = closed_because(last, appointed=appointed)
    if why and period.bound != "earliest":
        carried = period.direction == "after" and period.carried
        moved = f"§\u00a025-a carries it to {suggested.isoformat()}" if carried else "nothing carries it later"
        said.append(f"{last.isoformat()} is {'a ' if why in ('Saturday', 'Sunday') else ''}{why}: {moved}")
    return "; ".join(said)


def _start(rule: Rule, period: Period, given: Mapping[str, date | None], appointed: Collection[date]) -> tuple[date | None, str]:
    """Return the day from which the period is counted, and how it was assumed where it was."""
    start = given.get(period.reckoned_from)
    if start is not None:
        return start, ""
    if period.reckoned_from == "event_ends" and (day := given.get("event")) is not None:
        return day, "taking the event to end on the day it begins; give the day it ends if that is later"
    if period.reckoned_from == "hearing_closed" and (day := given.get("hearing")) is not None:
        return day, "if the hearing closes on the day it is held"
    # A decision's own deadline bounds what is counted from it: the latest day is shown, and said to be assumed.
    if period.reckoned_from == "determination":
        earlier = [item for item in rule.periods if item.reckoned_from == "hearing_closed"]
        latest = deadline_of(rule, earlier[0], given, appointed=appointed) if earlier else None
        if latest is not None:
            return latest.last_day, "if the determination is made on the last day for it; it runs from the day it is made"
    return None, ""


def _count_in_words(period: Period, start: date, last: date, name: str) -> str:
    """Return the count in words: how many days, from which day, to which."""
    if not period.days:
        return f"On or before {in_words(start)} ({name})"
    if period.in_hours:
        return f"{24 * period.days} hours {period.direction} {in_words(start)} ({name}) is {in_words(last)}, at the same hour"
    unit = "business day" if period.unit == "business_days" else "day"
    head = f"{period.days} {unit}{'' if period.days == 1 else 's'} {period.direction} {in_words(start)}"
    return f"{head} ({name}, not counted: General Construction Law § 20) is {in_words(last)}"


def _on_a_closed_day(rule: Rule, period: Period, last: date, suggested: date, appointed: Collection[date]) -> list[str]:
    """Return what follows from a last day on which offices are closed."""
    why = closed_because(last, appointed=appointed)
    if not why or period.bound == "earliest":
        return []
    day = why if why in ("Saturday", "Sunday") else f"a public holiday ({why})"
    if period.direction == "after" and not period.carried:
        return [f"That is {day}: how long something stands is read not to be carried past it (General Construction Law § 25-a)"]
    if period.direction == "after":
        return [f"That is {day}: General Construction Law § 25-a carries it to {in_words(suggested)}"]
    said = [f"That is {day}; nothing carries it later, so the working day before is suggested: {in_words(suggested)}"]
    mailed = rule.notice is not None and rule.notice.mail != "none"
    # Notice is proved by postmarked receipts, so a last day without a post office is a day too late in practice.
    if mailed and (closed := post_office_closed(last)):
        said.append(f"Post offices are closed that day ({closed})")
    elif mailed:
        said.append("Post offices take mail that day, where their counters are open")
    return said


def notice_deadlines(
    found: Iterable[Deadline], *, rules: Collection[str], hearing: date | None, event: date | None
) -> tuple[Deadline, ...]:
    """Return the deadlines by which a notice must be out: those of its own rules, before the hearing or the event."""
    dates = {"hearing": hearing, "event": event}
    return tuple(
        one
        for one in found
        if one.rule in rules and one.bound == "latest" and (start := dates.get(one.reckoned_from)) and one.last_day < start
    )


# ---- the dates of one event, and what must happen next


class Undated(Struct, frozen=True):
    """What cannot be dated yet: the rule, what must be done, and the day that it is counted from, in words."""

    rule: str
    what: str
    counted_from: str


def dates_of(profile: Profile, event: "Event", aside: Collection[str]) -> tuple[Deadline, ...]:
    """Compute the dates of a law for an event, but for the rules set ``aside``: those that do not apply to it."""
    if any(rule.id in aside for rule in profile.rules if rule.check == "expressive_notice"):
        # LAW: 283-2A(3)(g): of the exempt events only expressive activity has a date, that of its notice.
        aside = {*aside, *(rule.id for rule in profile.rules if rule.check == "exempt_events")}
    given = _given(profile, event)
    found = deadlines(
        profile,
        event=given["event"],
        event_ends=event.event.last_day,
        filed=given["filed"],
        complete=given["complete"],
        denial_received=given["denial_received"],
        hearing=given["hearing"],
        appeal_filed=event.denial.appeal_filed,
        amendment_filed=event.amendment.filed if event.amendment else None,
    )
    return tuple(one for one in found if one.rule not in aside)


def _given(profile: Profile, event: "Event") -> dict[str, date | None]:
    """Return the days that dates are counted from, by name; the event's last day is its own argument, for it may be assumed."""
    about = event.event
    return {
        "event": about.first_day,
        "filed": about.filed,
        "complete": about.complete,
        "denial_received": event.denial.received,
        "hearing": hearing_day(profile, event),
    }


def undated_of(profile: Profile, event: "Event", applied: Collection[str]) -> tuple[Undated, ...]:
    """Return what the rules that apply ask for and cannot be dated yet; what only a denial brings is not awaited."""
    given = _given(profile, event)
    given["event_ends"] = event.event.last_day or given["event"]
    missing = {name for name, day in given.items() if day is None} - {"denial_received"}
    return tuple(
        Undated(rule.id, period.what, NAMES[period.reckoned_from])
        for rule in profile.rules
        if rule.id in applied
        for period in rule.periods
        if period.reckoned_from in missing
    )


def is_past(one: Deadline, on: date | None) -> bool:
    """Return whether the last lawful day of something is over; a day that something may not come before is never past."""
    return on is not None and one.bound == "latest" and one.last_lawful_day < on


def late_filing(rule: Rule) -> str:
    """Return what a rule makes of an application that is filed too late."""
    if rule.values.get("late") == "decide":
        return "Late filing is no bar by itself: the official decides."
    return "This rule takes no later filing."


def filing_lines(profile: Profile, event: date, *, on: date) -> tuple[str, ...]:
    """Return by which day the application for an event on some day must be filed, where a permit is required; or that this day is past, and what that means."""
    of_filing = {rule.id: rule for rule in profile.rules if rule.check == "filed_before"}
    said = []
    for one in deadlines(profile, event=event):
        if one.rule not in of_filing or one.bound != "latest":
            continue
        if is_past(one, on):
            said.append(
                f"Too late for an event that begins on {in_words(event)} and needs a permit: the last day to {one.what} was"
                f" {in_words(one.last_lawful_day)} ({one.citation}). {late_filing(of_filing[one.rule])}"
            )
        else:
            said.append(
                f"For an event that begins on {in_words(event)} and needs a permit, the last day to {one.what} is {one.day_in_words}"
                f" ({one.citation})."
            )
    return tuple(said)


def next_steps(result: "CheckResult") -> Sequence[Deadline]:
    """Return what must happen next, in the order of the days to aim for; what a finding already judges is not among it."""
    open_ = {one.rule for one in result.findings if one.status in ("decide", "remind")}
    return sorted((one for one in result.dates if one.rule in open_), key=lambda one: one.suggested)
