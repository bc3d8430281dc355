"""The dates of a matter held against each other: what is decided after the event, a hearing on a Sunday, and when a hearing may lawfully be held."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import add_days, closed_because, in_words, next_business_day
from geonotice.decide.case import Case, Outcome, hearing_day
from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of
from geonotice.model import ResultWarning
from geonotice.ordinance.profile import NOTICE_KINDS, Profile, Rule

__all__ = ["HearingWindow", "calendar_warnings", "dates_of_case", "hearing_window", "in_the_calendar", "window_in_words"]

Dates = Mapping[str, date | None]
"""The dates that periods are counted from, by their names in a profile: ``event``, ``hearing``, ``filed`` …"""

STILL_TO_COME = {
    "filed": "the application was filed",
    "complete": "the application was found complete",
    "denial_received": "the denial was received",
}
NOT_BEFORE = {
    "filed": "the application is filed",
    "complete": "the application is complete",
    "denial_received": "the denial is received",
}


class HearingWindow(Struct, frozen=True):
    """The days on which a hearing may lawfully be held: the first and the last (None where nothing bounds it), and why, in words."""

    first: date
    last: date | None
    reckoning: str

    @property
    def empty(self) -> bool:
        """Whether no such day is left."""
        return self.last is not None and self.last < self.first


def dates_of_case(case: Case) -> Dates:
    """Return the dates that an event file states, with the hearing that the law's dates are counted from."""
    return {**case.dates, "hearing": hearing_day(case.profile, case.event)}


def calendar_warnings(profile: Profile, given: Dates, *, on: date) -> Iterator[ResultWarning]:
    """Return what does not go together among the dates of a matter, and what is said to have been done on a day still to come."""
    for name, words in STILL_TO_COME.items():
        day = given.get(name)
        if day is not None and day > on:
            text = f"It is said that {words} on {in_words(day)}, and that day is still to come (as of {in_words(on)}): what is counted from it holds only if that is done then."
            yield ResultWarning("date_in_future", text)
    if text := _hearing_on_closed_day(profile, given.get("hearing")):
        yield ResultWarning("hearing_on_closed_day", text)
    for rule in profile.rules:
        for item in _decisions(rule, profile, given):
            if text := _after_the_event(item, given):
                yield ResultWarning("decided_after_event", text)
            if text := _heard_after_decision(item, given):
                yield ResultWarning("hearing_after_decision", text)


def hearing_window(profile: Profile, given: Dates, *, on: date) -> HearingWindow | None:
    """Return the days on which a hearing may lawfully be held; None where the law has none, or nothing is given that bounds it.

    LAW: notice is given no earlier than the day of the run, nor before the application (or the denial) is there; the days of notice follow
    (General Construction Law section 20), and the hearing comes before the event and before the last day on which it is decided.
    """
    rules = [
        (rule, period)
        for rule in profile.rules
        for period in rule.periods
        if rule.kind in (*NOTICE_KINDS, "publication", "posting")
        and period.reckoned_from == "hearing"
        and period.direction == "before"
        and period.bound == "latest"
    ]
    appeal = any(rule.applies == "denial" for rule, _ in rules)
    starts = {name: day for name, day in given.items() if name in NOT_BEFORE and day is not None}
    if not rules or (given.get("denial_received") is None if appeal else not (starts or given.get("event"))):
        return None
    longest = max((period for _, period in rules), key=lambda period: period.days)
    name, from_ = max(starts.items(), key=lambda item: item[1], default=("", on))
    begun, why = (on, "as of the day of the run") if from_ <= on else (from_, f"once {NOT_BEFORE[name]}")
    first = add_days(begun, longest.days, appointed=appointed_days(profile))
    said = [f"{longest.days} days' notice, given on {in_words(begun)} at the earliest ({why})"]
    ends: list[tuple[date, str]] = []
    if (event := given.get("event")) is not None:
        ends.append((event - timedelta(days=1), f"the event begins on {in_words(event)}"))
    for rule in () if appeal else profile.rules:
        ends += [
            (item.last_lawful_day, f"{item.what} by {in_words(item.last_lawful_day)}")
            for item in _decisions(rule, profile, given)
        ]
    last, until = min(ends, default=(None, ""))
    said += [until] if until else []
    return HearingWindow(first, last, "; ".join(said))


def window_in_words(window: HearingWindow, profile: Profile) -> str:
    """Return the window as a sentence, with the first working day in it."""
    if window.empty and window.last is not None:
        return f"No lawful day is left for the hearing: the first would be {in_words(window.first)}, the last {in_words(window.last)} ({window.reckoning})."
    until = f", and on {in_words(window.last)} at the latest" if window.last else ""
    working = next_business_day(window.first, appointed=appointed_days(profile))
    aim = (
        f" The first working day is {in_words(working)}."
        if working != window.first and (not window.last or working <= window.last)
        else ""
    )
    return f"The hearing can lawfully be held on {in_words(window.first)} at the earliest{until} ({window.reckoning}).{aim}"


def in_the_calendar(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Open a finding whose days do not go with the others: a decision due after the event, a hearing on a Sunday or after the decision."""
    if outcome.status == "not_applicable":
        return outcome
    given = {**case.dates_of(rule)}
    said = [text for item in _decisions(rule, case.profile, given) if (text := _after_the_event(item, given))]
    codes = ["decided_after_event"] * bool(said)
    if rule.kind == "publication" and (text := _hearing_on_closed_day(case.profile, given.get("hearing"))):
        said.append(text)
        codes.append("hearing_on_closed_day")
    if rule.check == "filed_before" and (filed := given.get("filed")) is not None and filed > case.on:
        text = f"{in_words(filed)} is still to come: this holds once it is filed then."
        return replace(outcome, text=f"{outcome.text} {text}").with_review("date_in_future")
    if rule.kind == "publication" and given.get("hearing") is None and outcome.status == "remind":
        return _with_window(case, given, outcome)
    if not said:
        return outcome
    text = " ".join([*said, outcome.text])
    if outcome.status not in ("remind", "met"):
        return replace(outcome, text=text).with_review(*codes)
    return replace(outcome, status="decide", text=text, could_forbid=False).with_review(*codes)


def _with_window(case: Case, given: Dates, outcome: Outcome) -> Outcome:
    """Return when the hearing may lawfully be held, where no day is stated for it; that no day is left must be decided."""
    window = hearing_window(case.profile, given, on=case.on)
    if window is None or given.get("event") is None:
        return outcome
    text = f"{outcome.text} {window_in_words(window, case.profile)}"
    if not window.empty:
        return replace(outcome, text=text)
    return replace(outcome, status="decide", text=text, could_forbid=False).with_review("no_lawful_hearing")


def _decisions(rule: Rule, profile: Profile, given: Dates) -> list[Deadline]:
    """Return the last days on which the town or its officials decide on the application by a rule."""
    periods = [
        period
        for period in rule.periods
        if rule.kind == "deadline_after" and period.reckoned_from == "complete" and period.given_by in ("town", "official")
    ]
    made = (deadline_of(rule, period, given, appointed=appointed_days(profile)) for period in periods)
    return [item for item in made if item is not None]


def _after_the_event(item: Deadline, given: Dates) -> str:
    event = given.get("event")
    if event is None or item.last_lawful_day < event:
        return ""
    return (
        f"The last day by which {item.what} is {in_words(item.last_lawful_day)}, and the event begins on {in_words(event)}: "
        "a decision that is in time by the law may come too late for the event."
    )


def _heard_after_decision(item: Deadline, given: Dates) -> str:
    hearing, denied = given.get("hearing"), given.get("denial_received")
    if hearing is None or denied is not None or hearing <= item.last_lawful_day:
        return ""
    return f"The hearing is on {in_words(hearing)}, after the last day by which {item.what}: {in_words(item.last_lawful_day)}."


def _hearing_on_closed_day(profile: Profile, hearing: date | None) -> str:
    why = closed_because(hearing, appointed=appointed_days(profile)) if hearing else None
    if hearing is None or not why or why == "Saturday":
        return ""
    day = why if why == "Sunday" else f"a public holiday ({why})"
    return f"The hearing is on {in_words(hearing)}, which is {day}: make sure that this is meant, and that the public can attend."
