"""When the sun rises and sets at a place: only to suggest whether an event is at night, for the application's own answer decides.

The formula is that of the NOAA solar calculator (Meeus, *Astronomical Algorithms*, low precision): good to a minute or two at these
latitudes, on flat land.
"""

from datetime import date, datetime, time, timedelta
from math import acos, asin, cos, degrees, pi, radians, sin, tan

from geonotice.decide.days import calendar_day
from geonotice.event import About

__all__ = ["new_york_offset_hours", "suggested_night", "sunrise", "sunset"]

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
    """Say whether the stated hours are at night, by the sun at the site; empty where the hours or the sun are not known.

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
    """Say what can be said of a range of days: only the first hour and the last are stated, not what is held in the nights between."""
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
    """Give the hours from UTC in the evening of a day: -4 from the second Sunday of March to the first Sunday of November, else -5."""
    march, november = date(day.year, 3, 1), date(day.year, 11, 1)
    begins = march + timedelta(days=(6 - march.weekday()) % 7 + 7)
    ends = november + timedelta(days=(6 - november.weekday()) % 7)
    return -4 if begins <= day < ends else -5
