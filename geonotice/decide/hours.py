"""At what hours an event may be held, and when the sun sets."""

from datetime import date, datetime, time, timedelta
from math import acos, asin, cos, degrees, pi, radians, sin, tan
from typing import NamedTuple

from geonotice.config.application import About
from geonotice.decide.business_days_and_holidays import calendar_day, in_words, public_holidays
from geonotice.decide.case import Case, Outcome, decide, met, not_met
from geonotice.decide.deadlines import appointed_days
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = [
    "hours",
    "new_york_offset_hours",
    "suggested_night",
    "sunrise",
    "sunset",
]


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


@answers("hours")
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
    """Return the day that the beginning belongs to: in the small hours the evening before, where that closes after midnight."""
    opens = time.fromisoformat(str(rule.values["opens"]))
    closings = [time.fromisoformat(str(rule.values[name])) for name in ("closes", "late_closes") if name in rule.values]
    return _evening(starts, opens) if any(end <= opens for end in closings) else starts.date()


def _evening(when: datetime, opens: time) -> date:
    """Return the day that an hour belongs to: before the opening it is the night of the day before."""
    return when.date() - timedelta(days=1) if when.time() < opens else when.date()


def _hours_of(rule: Rule, case: Case, day: date) -> _Hours:
    late_days = rule.words("late_days") if "late_days" in rule.values else ()
    eve = day + timedelta(days=1)
    holiday = eve in public_holidays(eve.year) or eve in appointed_days(case.profile)
    late = _WEEKDAYS[day.weekday()] in late_days or ("holiday_eve" in late_days and holiday)
    closes = rule.values["late_closes"] if late else rule.values["closes"]
    return _Hours(day, time.fromisoformat(str(rule.values["opens"])), time.fromisoformat(str(closes)))


ZENITH_DEGREES = 90.833
"""The sun's upper limb on the horizon, refraction included."""

MINUTES_PER_DEGREE = 4
NOON_MINUTES = 720


def sunset(latitude: float, longitude: float, day: date) -> datetime | None:
    """Return the sunset of a day in New York's local time; None where the sun does not set.

    Parameters
    ----------
    latitude, longitude
        In degrees, north and east positive.
    day
        The local day.
    """
    return _sun_at_horizon(latitude, longitude, day, evening=True)


def sunrise(latitude: float, longitude: float, day: date) -> datetime | None:
    """Return the sunrise of a day in New York's local time; None where the sun does not rise. Parameters as :func:`sunset`."""
    return _sun_at_horizon(latitude, longitude, day, evening=False)


def _sun_at_horizon(latitude: float, longitude: float, day: date, *, evening: bool) -> datetime | None:
    year_angle = 2 * pi / 365 * (day.timetuple().tm_yday - 1 + 0.25)
    equation_minutes = 229.18 * (
        0.000075
        + 0.001868 * cos(year_angle)
        - 0.032077 * sin(year_angle)
        - 0.014615 * cos(2 * year_angle)
        - 0.040849 * sin(2 * year_angle)
    )
    # The declination from the sun's ecliptic longitude: the Fourier series of it is coarser near the equinoxes.
    century_day = day.toordinal() - date(2000, 1, 1).toordinal() + 0.4
    anomaly = radians(357.529 + 0.98560028 * century_day)
    ecliptic = radians(280.459 + 0.98564736 * century_day) + radians(1.915) * sin(anomaly) + radians(0.020) * sin(2 * anomaly)
    declination = asin(sin(radians(23.439)) * sin(ecliptic))
    lat = radians(latitude)
    cosine = cos(radians(ZENITH_DEGREES)) / (cos(lat) * cos(declination)) - tan(lat) * tan(declination)
    if not -1 <= cosine <= 1:
        return None
    half_day = degrees(acos(cosine)) if evening else -degrees(acos(cosine))
    minutes_utc = NOON_MINUTES - MINUTES_PER_DEGREE * (longitude - half_day) - equation_minutes
    minutes_local = minutes_utc + 60 * new_york_offset_hours(day)
    return datetime(day.year, day.month, day.day) + timedelta(minutes=round(minutes_local))  # noqa: DTZ001  # local, as the event file is


def suggested_night(about: About, latitude: float, longitude: float) -> str:
    """Return whether the stated hours are at night, by the sun at the site; empty where the hours or the sun are not known.

    LAW: 283-6B(2) does not define night. The application's own answer decides; hours between sunset and sunrise suggest it.
    """
    said: list[str] = []
    dark = False
    for starts, ends in about.sessions:
        if not isinstance(starts, datetime) or not isinstance(ends, datetime):
            return ""
        if ends - starts >= timedelta(days=1):
            return _over_several_days(starts, ends, latitude, longitude)
        found = _in_the_dark(starts, ends, latitude, longitude)
        if found is None:
            return ""
        words, at_night = found
        if at_night and not dark:
            said.clear()
        if dark and not at_night:
            continue
        dark = dark or at_night
        on = f" on {calendar_day(starts.date())}" if len(about.sessions) > 1 else ""
        said.append(f"{words}{on}")
    if not said:
        return ""
    if len(said) > 1 and not dark:
        said = [f"is held between sunrise and sunset on each of its {len(said)} days"]
    return f"The event {'; it '.join(said)}: suggested {'night' if dark else 'day'}. The application's own answer decides."


def _in_the_dark(starts: datetime, ends: datetime, latitude: float, longitude: float) -> tuple[str, bool] | None:
    """Hold one stretch of less than a day against the sun: what to say of it, and whether any of it is in the dark."""
    rises, sets = sunrise(latitude, longitude, starts.date()), sunset(latitude, longitude, starts.date())
    if rises is None or sets is None:
        return None
    if starts < rises:
        return f"begins at {starts:%H:%M}, before the sun rises ({rises:%H:%M})", True
    if ends > sets:
        return f"ends at {ends:%H:%M}, after the sun sets ({sets:%H:%M})", True
    return f"ends at {ends:%H:%M}, before the sun sets ({sets:%H:%M})", False


def _over_several_days(starts: datetime, ends: datetime, latitude: float, longitude: float) -> str:
    """Return what can be said of a range of days: only the first hour and the last are stated, not what is held in the nights between."""
    remedy = "State each day with its hours (days, instead of starts and ends). The application's own answer decides."
    span = f"The event is stated from {calendar_day(starts.date())}, {starts:%H:%M}, to {calendar_day(ends.date())}, {ends:%H:%M}"
    # Midnight at the end of a day is that day: held until then, every day is held in the dark.
    daily = datetime.combine(starts.date(), ends.time()) + timedelta(days=1 if ends.time() == time.min else 0)
    if daily <= starts:
        return f"{span}: whether it is held between sunset and sunrise is not stated. {remedy}"
    found = _in_the_dark(starts, daily, latitude, longitude)
    if found is None:
        return ""
    words, dark = found
    if dark:
        return f"{span}. Held at these hours each day, it {words}: suggested night. The application's own answer decides."
    return f"{span}. Held at these hours each day, it {words}: suggested day; held through the nights, it is at night. {remedy}"


def new_york_offset_hours(day: date) -> int:
    """Return the hours from UTC in the evening of a day: -4 from the second Sunday of March to the first Sunday of November, else -5."""
    march, november = date(day.year, 3, 1), date(day.year, 11, 1)
    begins = march + timedelta(days=(6 - march.weekday()) % 7 + 7)
    ends = november + timedelta(days=(6 - november.weekday()) % 7)
    return -4 if begins <= day < ends else -5
