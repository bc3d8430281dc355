"""All events of the register as a calendar file: for the staff with names, for the public without."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from geonotice.model import LIKELY_DAYS
from geonotice.packet.deadline_calendar import one_line
from geonotice.register.values import Permit

__all__ = ["events_ics"]


def events_ics(
    permits: Sequence[Permit], *, town: str, on: date, public: bool, places: Mapping[str, str], hours: Mapping[str, str]
) -> bytes:
    """Return the events of permits as iCalendar (RFC 5545): whole days, an event for each run of days.

    Parameters
    ----------
    permits
        The permits. One that was rescinded or voided stands in the file as cancelled, so that a calendar that took it in takes it out.
    town
        The town's name.
    on
        The date that is taken as today: the stamp of the file. A file of a later day is the later version.
    public
        Whether names, titles, numbers of persons and conditions are left out: a title may name a family.
    places
        The place of each permit in words, by its number.
    hours
        The dates and times that the application states, by the permit's number.

    Notes
    -----
    An event is known by the town, the permit's number and which of its runs of days it is: moved to another day, it is the same event.
    """
    from icalendar import Calendar, Event, vText

    calendar = Calendar()
    calendar.add("prodid", "-//geonotice//events//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    # Given as text: the calendar library writes what it does not know as it is, with the marks that end a value.
    calendar.add("x-wr-calname", vText(f"{one_line(town)}: events"))
    stamp = datetime.combine(on, time(), UTC)
    for permit in permits:
        for n, (first, last) in enumerate(_runs(permit)):
            event = Event()
            event.add("uid", _uid(town, permit.number, n))
            event.add("dtstamp", stamp)
            event.add("sequence", (on - LIKELY_DAYS[0]).days)
            event.add("dtstart", first)
            event.add("dtend", last + timedelta(days=1))
            event.add("status", "CONFIRMED" if permit.status == "issued" else "CANCELLED")
            event.add("summary", one_line(_summary(permit, public=public)))
            event.add("location", one_line(places.get(permit.number, "")))
            event.add("description", "\n".join(one_line(line) for line in _lines(permit, hours, public=public)))
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
    made: bytes = calendar.to_ical()
    return made


def _runs(permit: Permit) -> list[tuple[date, date]]:
    """Return the first and the last day of each run of days; none where the days are not known."""
    if not permit.yard_sale_days:
        return [(permit.starts, permit.ends or permit.starts)] if permit.starts else []
    runs: list[tuple[date, date]] = []
    for day in sorted(permit.yard_sale_days):
        if runs and day - runs[-1][1] == timedelta(days=1):
            runs[-1] = (runs[-1][0], day)
        else:
            runs.append((day, day))
    return runs


def _summary(permit: Permit, *, public: bool) -> str:
    kind = permit.kind.replace("_", " ").capitalize()
    named = kind if public or not permit.title else f"{permit.title} ({kind.lower()})"
    return named if permit.status == "issued" else f"Cancelled: {named}"


def _lines(permit: Permit, hours: Mapping[str, str], *, public: bool) -> list[str]:
    lines = [f"Permit {permit.number}", *([hours[permit.number]] if hours.get(permit.number) else [])]
    if public:
        return lines
    most = permit.maximum_attendance if permit.maximum_attendance is not None else permit.persons
    return [
        *lines,
        *([f"Applicant: {permit.applicant}"] if permit.applicant else []),
        *([f"Persons: {most:,}"] if most is not None else []),
        *([f"Conditions: {permit.conditions}"] if permit.conditions else []),
    ]


def _uid(town: str, number: str, n: int) -> str:
    of_permit = hashlib.sha256(f"{town}\n{number}".encode()).hexdigest()[:20]
    return f"event-{of_permit}-{n}@geonotice"
