"""When the sun sets at a place: only to suggest whether an event is at night, for the application's own answer decides.

The formula is that of the NOAA solar calculator (Meeus, *Astronomical Algorithms*, low precision): good to a minute or two at these
latitudes, on flat land.
"""

from datetime import date, datetime, timedelta
from math import acos, asin, cos, degrees, pi, radians, sin, tan

__all__ = ["new_york_offset_hours", "sunset"]

ZENITH_DEGREES = 90.833
"""The sun's upper limb on the horizon, refraction included."""

MINUTES_PER_DEGREE = 4
NOON_MINUTES = 720


def sunset(latitude: float, longitude: float, day: date) -> datetime | None:
    """Give the sunset of a day in New York's local time; None where the sun does not set.

    Parameters
    ----------
    latitude, longitude
        In degrees, north and east positive.
    day
        The local day.
    """
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
    minutes_utc = NOON_MINUTES - MINUTES_PER_DEGREE * (longitude - degrees(acos(cosine))) - equation_minutes
    minutes_local = minutes_utc + 60 * new_york_offset_hours(day)
    return datetime(day.year, day.month, day.day) + timedelta(minutes=round(minutes_local))  # noqa: DTZ001  # local, as the event file is


def new_york_offset_hours(day: date) -> int:
    """Give the hours from UTC in the evening of a day: -4 from the second Sunday of March to the first Sunday of November, else -5."""
    march, november = date(day.year, 3, 1), date(day.year, 11, 1)
    begins = march + timedelta(days=(6 - march.weekday()) % 7 + 7)
    ends = november + timedelta(days=(6 - november.weekday()) % 7)
    return -4 if begins <= day < ends else -5
