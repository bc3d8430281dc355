"""All events of the register as a calendar file: for the staff with names, for the public without."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from geonotice.decide.proposal import session_lines
from geonotice.model import LIKELY_DAYS
from geonotice.packet.deadline_calendar import one_line
from geonotice.register.held_hours import Session, with_hours
from geonotice.register.values import Permit

__all__ = ["events_ics"]


def events_ics(
    permits: Sequence[Permit],
    *,
    town: str,
    on: date,
    public: bool,
    private_titles: Collection[str] | None = (),
    places: Mapping[str, str],
    sessions: Mapping[str, Sequence[Session]],
) -> bytes:
    """Return the events of permits as iCalendar (RFC 5545): an event for each session with hours, and for each run of days without.

    Parameters
    ----------
    permits
        The permits. One that was rescinded or voided stands in the file as cancelled, so that a calendar that took it in takes it out.
    town
        The town's name.
    on
        The date that is taken as today: the stamp of the file. A file of a later day is the later version.
    public
        Whether names, numbers of persons and conditions are left out.
    private_titles
        Numbers of the permits whose title the public does not see; None is all of them.
    places
        The place of each permit in words, by its number.
    sessions
        The days of each event with their hours, by the permit's number.

    Notes
    -----
    An event is known by the town, the permit's number and which of its sessions or runs of days it is: moved to another day, it is the same event.
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
        of_permit = sessions.get(permit.number, ())
        summary = _summary(permit, titled=not public or not _is_kept_back(permit.number, private_titles))
        for n, (first, last) in enumerate(_runs(of_permit)):
            event = Event()
            event.add("uid", _uid(town, permit.number, n))
            event.add("dtstamp", stamp)
            event.add("sequence", (on - LIKELY_DAYS[0]).days)
            event.add("dtstart", _local(first))
            if (ends := _end(first, last)) is not None:
                event.add("dtend", _local(ends))
            event.add("status", "CONFIRMED" if permit.status == "issued" else "CANCELLED")
            event.add("summary", one_line(summary))
            event.add("location", one_line(places.get(permit.number, "")))
            event.add("description", "\n".join(one_line(line) for line in _lines(permit, of_permit, public=public)))
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
    calendar.add_missing_timezones()
    made: bytes = calendar.to_ical()
    return made


TIME_ZONE = "America/New_York"
"""The hours of every town: the program is for the towns of one State, which has one time zone."""


def _local(when: datetime | date) -> datetime | date:
    """Return an hour with the time zone of the town, a day as it is."""
    from zoneinfo import ZoneInfo

    return when.replace(tzinfo=ZoneInfo(TIME_ZONE)) if isinstance(when, datetime) else when


def _end(first: datetime | date, last: datetime | date) -> datetime | date | None:
    """Return where an event ends, the day after the last for whole days; None where it begins at an hour and its end is not stated."""
    if isinstance(first, datetime):
        return last if isinstance(last, datetime) else None
    return (last.date() if isinstance(last, datetime) else last) + timedelta(days=1)


def _runs(sessions: Sequence[Session]) -> list[Session]:
    """Return the sessions with hours one by one, and of days without hours each run of days that follow each other."""
    runs: list[Session] = []
    run: tuple[date, date] | None = None  # days without hours that may go on
    for starts, ends in sessions:
        if isinstance(starts, datetime) or isinstance(ends, datetime):
            run = None
            runs.append((starts, ends))
        elif run is not None and starts - run[1] == timedelta(days=1):
            run = runs[-1] = (run[0], ends)
        else:
            run = (starts, ends)
            runs.append(run)
    return runs


def _is_kept_back(number: str, private_titles: Collection[str] | None) -> bool:
    return private_titles is None or number in private_titles


def _summary(permit: Permit, *, titled: bool) -> str:
    kind = permit.kind.replace("_", " ").capitalize()
    named = f"{permit.title} ({kind.lower()})" if titled and permit.title else kind
    return named if permit.status == "issued" else f"Cancelled: {named}"


def _lines(permit: Permit, sessions: Sequence[Session], *, public: bool) -> list[str]:
    lines = [f"Permit {permit.number}", *(["; ".join(session_lines(sessions))] if with_hours(sessions) else [])]
    if public:
        return lines
    most = permit.maximum_attendance if permit.maximum_attendance is not None else permit.persons
    return [
        *lines,
        *([f"Applicant: {permit.applicant}"] if permit.applicant else []),
        *([f"Contact: {permit.contact}"] if permit.contact else []),
        *([f"Persons: {most:,}"] if most is not None else []),
        *([f"Conditions: {permit.conditions}"] if permit.conditions else []),
    ]


def _uid(town: str, number: str, n: int) -> str:
    of_permit = hashlib.sha256(f"{town}\n{number}".encode()).hexdigest()[:20]
    return f"event-{of_permit}-{n}@geonotice"
