"""Calendar files, which a calendar program takes in and, when they come again, updates: the deadlines of a notice, and all events of the register."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from geonotice.decide.deadlines import Deadline
from geonotice.decide.proposal import session_lines
from geonotice.model import LIKELY_DAYS
from geonotice.packet.paper import PacketContext, paper
from geonotice.register.held_hours import Session, with_hours
from geonotice.register.values import Permit

__all__ = [
    "deadlines_ics",
    "events_ics",
    "one_line",
]


_ALARM = timedelta(days=-2)
"""When a program reminds of a deadline: two days before the day to aim for."""


_MARKS = {"met": "Done", "late": "Done late"}


def deadlines_ics(deadlines: Sequence[Deadline], *, town: str, about: str, on: date) -> bytes:
    """Return the deadlines as iCalendar (RFC 5545): one event of a whole day each, on the day to aim for; what is done is marked and reminds of nothing.

    Parameters
    ----------
    deadlines
        The dated duties.
    town
        The town's name.
    about
        What they are about, in a few words: the premises, the event. With the town it tells one matter's deadlines from another's,
        so that a later file of the same matter replaces the earlier one's events.
    on
        The date that is taken as today: the stamp of the file. A file of a later day is the later version.
    """
    from icalendar import Alarm, Calendar, Event, vText

    calendar = Calendar()
    calendar.add("prodid", "-//geonotice//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    place, matter = one_line(town), one_line(about)
    # Given as text: the calendar library writes what it does not know as it is, with the marks that end a value.
    calendar.add("x-wr-calname", vText(f"{place}: {matter}"))
    stamp = datetime.combine(on, time(), UTC)
    for deadline in deadlines:
        event = Event()
        event.add("uid", _deadline_uid(town, about, deadline))
        event.add("dtstamp", stamp)
        event.add("sequence", (on - LIKELY_DAYS[0]).days)
        event.add("dtstart", deadline.suggested)
        event.add("dtend", deadline.suggested + timedelta(days=1))
        duty = (
            f"From this day on: {deadline.what}"
            if deadline.bound == "earliest"
            else f"{deadline.what[:1].upper()}{deadline.what[1:]}"
        )
        state = deadline.state(on)
        mark = "" if state in ("open", "past") else f"{_MARKS[state]}: "
        event.add("summary", f"{mark}{duty} ({matter})")
        bound = "Last lawful day" if deadline.bound == "latest" else "Not before"
        lines = (
            f"{bound}: {deadline.last_lawful_day.isoformat()}",
            f"{known[:1].upper()}{known[1:]}." if (known := deadline.standing(on)) else "",
            deadline.reckoning,
            f"{deadline.citation} ({deadline.rule})",
            place,
        )
        event.add("description", "\n".join(line for line in lines if line))
        event.add("transp", "TRANSPARENT")
        if not mark:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", deadline.what)
            alarm.add("trigger", _ALARM)
            event.add_component(alarm)
        calendar.add_component(event)
    made: bytes = calendar.to_ical()
    return made


@paper("deadlines.ics", purpose="Every deadline, for a calendar.", place=120, when=lambda context: bool(context.deadlines))
def _deadlines_paper(context: PacketContext) -> bytes:
    notice = context.notice
    about = f"{notice.occasion}, {', '.join(notice.premises)}"
    return deadlines_ics(context.deadlines, town=notice.town, about=about, on=notice.on)


def one_line(text: str) -> str:
    """Return a text as one line of what can be printed: a calendar's value ends where its line does."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def _deadline_uid(town: str, about: str, deadline: Deadline) -> str:
    matter = hashlib.sha256(f"{town}\n{about}".encode()).hexdigest()[:16]
    return f"{matter}-{deadline.rule}{f'-{deadline.key}' if deadline.key else ''}@geonotice"


# ---- all events: for the staff with names, for the public without


_CHANGES_A_DAY = 1_000
"""More than a permit is ever changed: a program takes the file whose number is the higher, by day and then by the changes of the permit."""


def events_ics(
    permits: Sequence[Permit],
    *,
    town: str,
    on: date,
    public: bool,
    private_titles: Collection[str] | None = (),
    places: Mapping[str, str],
    sessions: Mapping[str, Sequence[Session]],
    earlier: Mapping[str, Sequence[Sequence[Session]]] | None = None,
    changes: Mapping[str, int] | None = None,
) -> bytes:
    """Return the events of permits as iCalendar (RFC 5545): an event for each session with hours, and for each run of days without.

    Parameters
    ----------
    permits
        The permits. One that was rescinded or voided stands in the file as cancelled, so that a calendar that took it in takes it out.
    town
        The town's name.
    on
        The date that is taken as today: the stamp of the file. A file of a later day is the later version, and on one day that with more changes.
    public
        Whether names, numbers of persons and conditions are left out.
    private_titles
        Numbers of the permits whose title the public does not see; None is all of them.
    places
        The place of each permit in words, by its number.
    sessions
        The days of each event with their hours, by the permit's number.
    earlier
        Those that a permit had before it was changed, oldest first.
    changes
        How many rows the log has of each permit.

    Notes
    -----
    An event is known by the town, the permit's number and which of its sessions or runs of days it is: moved to another day, it is the same event.
    """
    from icalendar import Calendar, Event, vText

    earlier, changes = earlier or {}, changes or {}
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
        runs = _runs(of_permit)
        for n, (first, last) in enumerate((*runs, *_given_up(runs, earlier.get(permit.number, ())))):
            stays = n < len(runs)
            event = Event()
            event.add("uid", _event_uid(town, permit.number, n))
            event.add("dtstamp", stamp)
            event.add(
                "sequence", (on - LIKELY_DAYS[0]).days * _CHANGES_A_DAY + min(changes.get(permit.number, 0), _CHANGES_A_DAY - 1)
            )
            event.add("dtstart", _local(first))
            if (ends := _end(first, last)) is not None:
                event.add("dtend", _local(ends))
            event.add("status", "CONFIRMED" if permit.status == "issued" and stays else "CANCELLED")
            event.add("summary", one_line(summary if stays or permit.status != "issued" else f"Cancelled: {summary}"))
            event.add("location", one_line(places.get(permit.number, "")))
            event.add("description", "\n".join(one_line(line) for line in _lines(permit, of_permit, public=public)))
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
    held = [end for of_permit in sessions.values() for session in of_permit for end in session]
    if held:
        # The changes of the clock in the years of the events: a rule without an end would be a guess at the law to come.
        years = (min(held, key=lambda end: end.year).year, max(held, key=lambda end: end.year).year)
        calendar.add_missing_timezones(first_date=date(years[0] - 1, 1, 1), last_date=date(years[1] + 1, 12, 31))
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


def _given_up(runs: Sequence[Session], earlier: Sequence[Sequence[Session]]) -> list[Session]:
    """Return the events that a permit had beyond those of today, as they last were: a calendar that took them in takes them out."""
    last: list[Session] = list(runs)
    for had in map(_runs, earlier):
        last[len(runs) :] = [*had[len(runs) :], *last[max(len(had), len(runs)) :]]
    return last[len(runs) :]


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


def _event_uid(town: str, number: str, n: int) -> str:
    of_permit = hashlib.sha256(f"{town}\n{number}".encode()).hexdigest()[:20]
    return f"event-{of_permit}-{n}@geonotice"
