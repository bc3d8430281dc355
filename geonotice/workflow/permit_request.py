"""What a permit is asked for: from an event file, from options, or from both where they agree."""

import dataclasses
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from geonotice.decide.cap_count import KNOWN_OWNERS
from geonotice.errors import Fault, UsageError
from geonotice.facts.history import application_of, describe_land
from geonotice.facts.parade_routes import along
from geonotice.facts.premises import GatheredEvent, gather_event
from geonotice.model import ResultWarning
from geonotice.opened_town import find_premises
from geonotice.register.cells import CellError, read_kind
from geonotice.register.held_hours import GivenHours, Session, read_given_hours, sessions_on_days, sessions_text
from geonotice.register.values import Application, days_of_event
from geonotice.workflow.application import Options, StatedEvent, agreed_premises, completed

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.opened_town import Opened

__all__ = [
    "FiledEvent",
    "Issuing",
    "PermitRequest",
    "PermitRequestOptions",
    "StatedPermit",
    "given_hours",
    "hours_on",
    "read_request",
]


class FiledEvent(Struct, frozen=True):
    """The event of an application in the register: what it states, what faults call it, and the folder of its drawings."""

    event: "Event"
    name: str
    folder: Path


class PermitRequestOptions(Struct, frozen=True, kw_only=True):
    """What ``permit check`` and ``permit issue`` are given: the premises by number or by ``find``, an event file, and what the options say."""

    parcels: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    event: Path | None = None
    filed: "FiledEvent | None" = None
    given: Options = field(default_factory=Options)
    hours: tuple[GivenHours, ...] = ()


class StatedPermit(Struct, frozen=True):
    """The event that a permit is asked for, as its file states it, and what is known of its premises, gathered once."""

    event: "Event"
    gathered: GatheredEvent


class Issuing(Struct, frozen=True, kw_only=True):
    """How a permit is issued: when it is written and by whom, the date it bears (that of ``now`` by itself), and the reasons for the log."""

    now: datetime
    by: str
    issued: date | None = None
    override: str = ""
    why: str = ""


class PermitRequest(Struct, frozen=True):
    """What is asked for: the application, its event file where there is one, and what was noticed of the land."""

    application: Application
    said: tuple[ResultWarning, ...] = ()
    stated: StatedPermit | None = None


def read_request(opened: "Opened", options: PermitRequestOptions) -> PermitRequest:
    """Put together what is asked for: from the event file where one is given, else from the parcels and options alone.

    An option answers what the event file leaves open. One that says otherwise than the file is refused: the ordinance would be applied to
    another event than the permit names. Without a file, an option that is not given is a *no*: a clerk who leaves out ``--charity`` means
    that it is none.

    Raises
    ------
    UsageError
        An option contradicts the file, a parcel is not found, or the first day is not given; all contradictions at once.
    """
    given, owned_by = options.given, options.given.owned_by
    if owned_by is not None and owned_by not in KNOWN_OWNERS:
        raise UsageError(
            Fault(
                what=f"the owner {owned_by!r} is not known",
                key="--owned-by",
                remedy=f"give one of {', '.join(sorted(KNOWN_OWNERS))}",
            )
        )
    if given.kind is not None:
        given = replace(given, kind=read_kind(given.kind))
    asked = _requested(opened, options, given)
    stated, hours = asked.application.hours, hours_on(asked.application, options.hours)
    if stated and hours and stated != hours:
        what = f"the hours given are {sessions_text(hours)}, and the event states {sessions_text(stated)}"
        raise UsageError(Fault(what=what, key="--hours", remedy="leave the hours out, or correct the event file"))
    return replace(asked, application=replace(asked.application, hours=stated or hours))


def given_hours(texts: Sequence[str]) -> tuple[GivenHours, ...]:
    """Read ``--hours``.

    Raises
    ------
    UsageError
        It is not understood.
    """
    try:
        return tuple(given for text in texts for given in read_given_hours(text))
    except CellError as error:
        raise UsageError(Fault(what=str(error), key="--hours", remedy="correct the hours")) from error


def hours_on(application: Application, given: Sequence[GivenHours]) -> tuple[Session, ...]:
    """Return the hours that are given on the days of an event.

    Raises
    ------
    UsageError
        They are of another day, or overlap.
    """
    try:
        return sessions_on_days(given, days_of_event(application))
    except CellError as error:
        raise UsageError(Fault(what=str(error), key="--hours", remedy="give hours for the days of the event")) from error


def _requested(opened: "Opened", options: PermitRequestOptions, given: Options) -> PermitRequest:
    if options.filed is not None:
        return _of_event(opened, options, given, options.filed)
    if options.event is None:
        return _of_options(opened, options, given)
    from geonotice.config.read_application import read_event_file  # pydantic is imported only where a file is read

    file = options.event
    return _of_event(opened, options, given, FiledEvent(read_event_file(file), str(file), file.parent))


def _with_first_day(application: Application) -> Application:
    """Return the application, or refuse one of an event without a first day: no year could be counted for it."""
    if application.starts is None:
        raise UsageError(
            Fault(
                what="the first day of the event is not given",
                remedy="give it, or an event file that states it",
                command="give --starts 2026-08-08, or an event file that states it",
            )
        )
    return application


def _of_options(opened: "Opened", options: PermitRequestOptions, given: Options) -> PermitRequest:
    parcels, find = options.parcels, options.find
    premises = find_premises(opened, parcels, find=find) if parcels or find or given.kind != "parade" else ()
    land, said = describe_land(opened, premises)
    made = Application(
        kind=given.kind or "other",
        title=given.title or "",
        applicant=given.applicant or "",
        charitable=given.charity,
        primarily_benefits_applicant=given.benefits_applicant,
        owned_by=given.owned_by,
        distinct_events=given.distinct_events or 1,
        starts=given.starts,
        ends=given.ends,
        night=None if given.night_unknown else given.night,
        persons=given.persons,
        land=land,
    )
    return PermitRequest(_with_first_day(made), said)


def _of_event(opened: "Opened", options: PermitRequestOptions, given: Options, filed: FiledEvent) -> PermitRequest:
    parcels, find = options.parcels, options.find
    event = completed(filed.event, given, file=filed.name)
    named = event.premises.parcels or ()
    if named or parcels or find or event.event.kind != "parade":
        stated = StatedEvent(parcels=named, file=filed.name)
        premises = agreed_premises(opened, parcels, find=find, stated=stated, paper="permit") if named else ()
        premises = premises or find_premises(opened, parcels, find=find)
        # The check reads the event's parcels: those that the command names are the event's where the file names none.
        event = dataclasses.replace(
            event, premises=dataclasses.replace(event.premises, parcels=tuple(parcel.id for parcel in premises))
        )
    else:
        premises = ()
    land, said = describe_land(opened, premises)
    made = _with_first_day(application_of(event, land))
    # When the sun sets is only a suggestion for a night that is not answered.
    gathered = gather_event(opened, event, file=filed.name, folder=filed.folder, sunset_too=event.event.night is None)
    if gathered.route is not None:
        made = along(made, gathered.route, crs=opened.crs)
    return PermitRequest(made, (*said, *gathered.route_warnings), StatedPermit(event, gathered))
