"""Deadlines as a calendar file, which a calendar program takes in and, when it comes again, updates."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from geonotice.decide.deadlines import Deadline
from geonotice.model import LIKELY_DAYS
from geonotice.packet.paper import PacketContext, paper

__all__ = ["deadlines_ics", "one_line"]

_ALARM = timedelta(days=-2)
"""When a program reminds of a deadline: two days before the day to aim for."""


def deadlines_ics(deadlines: Sequence[Deadline], *, town: str, about: str, on: date) -> bytes:
    """Return the deadlines as iCalendar (RFC 5545): one event of a whole day each, on the day to aim for.

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
        event.add("uid", _uid(town, about, deadline))
        event.add("dtstamp", stamp)
        event.add("sequence", (on - LIKELY_DAYS[0]).days)
        event.add("dtstart", deadline.suggested)
        event.add("dtend", deadline.suggested + timedelta(days=1))
        duty = (
            f"From this day on: {deadline.what}"
            if deadline.bound == "earliest"
            else f"{deadline.what[:1].upper()}{deadline.what[1:]}"
        )
        event.add("summary", f"{duty} ({matter})")
        bound = "Last lawful day" if deadline.bound == "latest" else "Not before"
        lines = (
            f"{bound}: {deadline.last_lawful_day.isoformat()}",
            deadline.reckoning,
            f"{deadline.citation} ({deadline.rule})",
            place,
        )
        event.add("description", "\n".join(line for line in lines if line))
        event.add("transp", "TRANSPARENT")
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


def _uid(town: str, about: str, deadline: Deadline) -> str:
    matter = hashlib.sha256(f"{town}\n{about}".encode()).hexdigest()[:16]
    return f"{matter}-{deadline.rule}{f'-{deadline.key}' if deadline.key else ''}@geonotice"
