"""At what hours an event may be held."""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from geonotice.decide.days import in_words, public_holidays
from geonotice.decide.deadlines import appointed_days
from geonotice.decide.facts import Case, Outcome, decide, met, not_met
from geonotice.ordinance.profile import Rule

__all__ = ["hours"]

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class _Hours(NamedTuple):
    """The hours of one day; a closing that is not later than the opening is on the next day."""

    day: date
    opens: time
    closes: time

    @property
    def ends(self) -> datetime:
        later = timedelta(days=1) if self.closes <= self.opens else timedelta()
        return datetime.combine(self.day, self.closes) + later

    @property
    def words(self) -> str:
        return f"from {self.opens:%H:%M} to {self.closes:%H:%M} on {in_words(self.day)}"


def hours(rule: Rule, case: Case) -> Outcome:
    """Hold the beginning and the end of the event, or of each of its days, against the hours of their days."""
    about = case.event.event
    facts: dict[str, object] = {"event.starts": about.starts, "event.ends": about.ends}
    timed = [(starts, ends) for starts, ends in about.sessions if isinstance(starts, datetime) and isinstance(ends, datetime)]
    if not timed or len(timed) < len(about.sessions):
        keys = (
            ["event.days"]
            if about.days
            else [
                key
                for key, when in (("event.starts", about.starts), ("event.ends", about.ends))
                if not isinstance(when, datetime)
            ]
        )
        return decide(f"At what hour the event begins and ends is not stated. {rule.text}", *keys, facts=facts)
    found = [_one_session(rule, case, starts.replace(tzinfo=None), ends.replace(tzinfo=None)) for starts, ends in timed]
    measure = ", ".join(dict.fromkeys(words for words, _, _ in found))
    broken = list(dict.fromkeys(said for _, said_of_one, _ in found for said in said_of_one))
    if broken:
        text = f"{'; '.join(broken)[:1].upper()}{'; '.join(broken)[1:]}."
        return not_met(text, measure=measure, change="other hours", facts=facts)
    if nights := [night for _, _, night in found if night]:
        text = (
            f"It begins and ends within the hours; whether it stops for the night between {nights[0]} must be seen. {rule.text}"
        )
        return decide(text, measure=measure, facts=facts)
    return met(f"Within the hours: {measure}.", measure=measure, facts=facts)


def _one_session(rule: Rule, case: Case, starts: datetime, ends: datetime) -> tuple[str, list[str], str]:
    """Return the lawful hours of one stretch in words, what it breaks, and between which days it may have to stop for the night."""
    first = _hours_of(rule, case, _day_of_start(rule, starts))
    last = _hours_of(rule, case, max(first.day, _evening(ends, first.opens)))
    measure = first.words if first.day == last.day else f"{first.words}, {last.words}"
    on = f" on {in_words(starts.date())}" if case.event.event.days else ""
    broken = (
        [f"it begins at {starts:%H:%M}{on}, {first.opens:%H:%M} is the earliest"]
        if starts < datetime.combine(first.day, first.opens)
        else []
    )
    broken += [f"it begins at {starts:%H:%M}{on}, after the hours of that day"] if starts >= first.ends else []
    if ends > last.ends:
        broken.append(f"it ends at {ends:%H:%M}, {last.closes:%H:%M} is the latest on {in_words(last.day)}")
    return measure, broken, "" if first.day == last.day else f"{in_words(first.day)} and {in_words(last.day)}"


def _day_of_start(rule: Rule, starts: datetime) -> date:
    """Give the day that the beginning belongs to: in the small hours the evening before, where that closes after midnight."""
    opens = time.fromisoformat(str(rule.values["opens"]))
    closings = [time.fromisoformat(str(rule.values[name])) for name in ("closes", "late_closes") if name in rule.values]
    return _evening(starts, opens) if any(end <= opens for end in closings) else starts.date()


def _evening(when: datetime, opens: time) -> date:
    """Give the day that an hour belongs to: before the opening it is the night of the day before."""
    return when.date() - timedelta(days=1) if when.time() < opens else when.date()


def _hours_of(rule: Rule, case: Case, day: date) -> _Hours:
    late_days = rule.words("late_days") if "late_days" in rule.values else ()
    eve = day + timedelta(days=1)
    holiday = eve in public_holidays(eve.year) or eve in appointed_days(case.profile)
    late = _WEEKDAYS[day.weekday()] in late_days or ("holiday_eve" in late_days and holiday)
    closes = rule.values["late_closes"] if late else rule.values["closes"]
    return _Hours(day, time.fromisoformat(str(rule.values["opens"])), time.fromisoformat(str(closes)))
