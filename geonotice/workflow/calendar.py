"""The use cases of ``calendar``: all events as a calendar file, and what is on in a span of days with what is in each other's way."""

from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.decide.yard_sales_parades_nearby_events import Conflict
from geonotice.errors import Fault, OutputError, UsageError
from geonotice.io.output_files import write_file
from geonotice.packet.calendar_files import events_ics
from geonotice.register.applications import list_applications
from geonotice.register.conflicts import conflicts_between, held_between
from geonotice.register.held_hours import with_hours
from geonotice.register.log import count_rows, earlier_sessions
from geonotice.register.permits import list_permits
from geonotice.register.values import Permit
from geonotice.workflow.applications import event_of
from geonotice.workflow.event_map import hidden_titles
from geonotice.workflow.outputs import check_not_of_town
from geonotice.workflow.print_permits import places_of, sessions_of_permit

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register

__all__ = ["Span", "calendar_file", "span_of", "week_of", "write_calendar"]


class Span(Struct, frozen=True, kw_only=True):
    """A span of days: the permits whose event is on, and the events that are in each other's way."""

    first: date
    last: date
    permits: tuple[Permit, ...]
    conflicts: tuple[Conflict, ...]


def write_calendar(opened: "Opened", register: "Register", file: Path, *, public: bool, on: date) -> int:
    """Write all events of the register as a calendar file, and return how many permits are in it.

    Raises
    ------
    UsageError
        The file is no ``.ics``.
    OutputError
        It is one that the town is read from, or cannot be written.
    RegisterError
        The register cannot be read.
    """
    if file.suffix.casefold() != ".ics":
        raise UsageError(Fault(what="a calendar is written as .ics", file=str(file), remedy="name it events.ics"))
    check_not_of_town(file, opened.town)
    if not file.parent.is_dir():
        raise OutputError(Fault(what="its folder does not exist", file=str(file), remedy="make the folder, or name another file"))
    content, listed = calendar_file(opened, register, public=public, on=on)
    write_file(file, content)
    return listed


def calendar_file(opened: "Opened", register: "Register", *, public: bool, on: date) -> tuple[bytes, int]:
    """Return all events of the register as a calendar file, and how many permits are in it.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    listed = list_permits(register)
    permits = tuple(permit for permit in listed if permit.starts is not None)
    events = {
        number: event_of(filed).event for filed in list_applications(register, status="approved") for number in filed.permits
    }
    with register.reading() as connection:
        earlier, changes = earlier_sessions(connection), count_rows(connection)
    stated = {number for number, states in earlier.items() if any(map(with_hours, states))}
    content = events_ics(
        permits,
        town=opened.town.name,
        on=on,
        public=public,
        private_titles=hidden_titles(opened, listed) if public else (),
        places={permit.number: places_of(opened, permit.parcels) or ", ".join(permit.streets) for permit in permits},
        earlier=earlier,
        changes=changes,
        sessions={
            permit.number: sessions_of_permit(permit, events.get(permit.number), stated=permit.number in stated)
            for permit in permits
        },
    )
    return content, len(permits)


def week_of(register: "Register", *, day: date) -> Span:
    """Return what is on in the week of a day, from Monday to Sunday.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    first = day - timedelta(days=day.weekday())
    return span_of(register, first=first, last=first + timedelta(days=6))


def span_of(register: "Register", *, first: date, last: date) -> Span:
    """Return what is on from one day to another; errors as for :func:`week_of`."""
    on = tuple(
        permit
        for permit in held_between(register, first, last)
        if not permit.yard_sale_days or any(first <= held <= last for held in permit.yard_sale_days)
    )
    return Span(first=first, last=last, permits=on, conflicts=conflicts_between(register, first=first, last=last))
