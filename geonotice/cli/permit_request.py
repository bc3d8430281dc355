"""What ``permit check`` and ``permit issue`` ask for: their options, and the application these and an event file make."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import as_day
from geonotice.errors import Fault, UsageError
from geonotice.workflow.stated_options import Options, completed

if TYPE_CHECKING:
    from geonotice.model import Caution
    from geonotice.register.values import Application
    from geonotice.workflow.opening import Opened
    from geonotice.workflow.permitting import StatedPermit

__all__ = [
    "Applicant", "Benefits", "Charity", "Conditions", "Distinct", "Ends", "EventFile", "Find", "Kind", "Maximum", "Night", "OwnedBy",
    "Parcels", "Persons", "Request", "Starts", "Title", "read_request",
]  # fmt: skip

Parcels = Annotated[list[str] | None, typer.Argument(metavar="PARCEL...", help="The premises: one or more tax map numbers.")]
Starts = Annotated[str | None, typer.Option("--starts", metavar="DATE", help="First day of the event.")]
Ends = Annotated[str | None, typer.Option("--ends", metavar="DATE", help="Last day, where there are several.")]
Night = Annotated[
    Literal["yes", "no", "unknown"] | None, typer.Option("--night", help="Whether it is at night, as the application says.")
]
Charity = Annotated[bool, typer.Option("--charity", help="The applicant is a charitable organization; without it, it is not.")]
Benefits = Annotated[bool, typer.Option("--benefits-applicant", help="The event's primary purpose is to benefit the applicant.")]
Distinct = Annotated[int | None, typer.Option("--distinct-events", min=1, help="How many distinct events go on under it.")]
OwnedBy = Annotated[
    str | None, typer.Option("--owned-by", metavar="KIND", help="Who owns the property entirely, as in the event file.")
]
Kind = Annotated[str | None, typer.Option("--kind", metavar="KIND", help="The kind of event, as in the event file.")]
Persons = Annotated[int | None, typer.Option("--persons", min=0, help="How many persons are expected.")]
Applicant = Annotated[str | None, typer.Option("--applicant", metavar="NAME", help="Who applies.")]
EventFile = Annotated[
    Path | None,
    typer.Option("--event", metavar="FILE", help="Check this event file too; an option that contradicts it is refused."),
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What the event is called.")]
Maximum = Annotated[
    int | None, typer.Option("--maximum-attendance", metavar="N", min=0, help="How many persons the permit lets in at most.")
]
Conditions = Annotated[str, typer.Option("--conditions", metavar="TEXT", help="The conditions that the permit sets.")]
Find = Annotated[list[str] | None, typer.Option("--find", metavar="TEXT", help="Name a parcel by address or owner.")]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: the application, its event file where there is one, and what was noticed of the land."""

    application: "Application"
    said: "tuple[Caution, ...]"
    stated: "StatedPermit | None" = None


def read_request(
    opened: "Opened",
    parcels: list[str] | None,
    *,
    find: list[str] | None,
    event: Path | None,
    charity: bool,
    benefits_applicant: bool,
    starts: str | None,
    ends: str | None,
    night: str | None,
    distinct_events: int | None,
    owned_by: str | None,
    kind: str | None,
    persons: int | None,
    applicant: str | None,
    title: str | None = None,
) -> Request:
    """Put together what is asked for: from the event file where one is given, else from the parcels and options alone.

    An option answers what the event file leaves open. One that says otherwise than the file is refused: the ordinance would be applied to
    another event than the permit names. Without a file, an option that is not given is a *no*: a clerk who leaves out ``--charity`` means
    that it is none.

    Raises
    ------
    UsageError
        An option contradicts the file, a parcel is not found, or the first day is not given; all contradictions at once.
    """
    from geonotice.decide.cap_values import KNOWN_OWNERS
    from geonotice.register.cells import read_kind

    if owned_by is not None and owned_by not in KNOWN_OWNERS:
        raise UsageError(
            Fault(what=f"--owned-by {owned_by!r} is not known", remedy=f"give one of {', '.join(sorted(KNOWN_OWNERS))}")
        )
    given = Options(
        starts=as_day(starts, "--starts"),
        ends=as_day(ends, "--ends"),
        night=None if night is None else night == "yes",
        night_unknown=night == "unknown",
        distinct_events=distinct_events,
        owned_by=owned_by,
        kind=None if kind is None else read_kind(kind),
        persons=persons,
        applicant=applicant,
        title=title,
        charity=charity,
        benefits_applicant=benefits_applicant,
    )
    made = _of_options(opened, parcels, find, given) if event is None else _of_event(opened, parcels, find, given, event)
    if made.application.starts is None:
        raise UsageError(
            Fault(
                what="the first day of the event is not given", remedy="give --starts 2026-08-08, or an event file that states it"
            )
        )
    return made


def _of_options(opened: "Opened", parcels: list[str] | None, find: list[str] | None, given: Options) -> Request:
    from geonotice.register.values import Application
    from geonotice.workflow.finding import find_premises
    from geonotice.workflow.permitting import describe_land

    premises = find_premises(opened, parcels or (), find=find or ()) if parcels or find or given.kind != "parade" else ()
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
    return Request(made, said)


def _of_event(opened: "Opened", parcels: list[str] | None, find: list[str] | None, given: Options, file: Path) -> Request:
    from geonotice.event_file import read_event_file
    from geonotice.workflow.finding import find_premises
    from geonotice.workflow.permitting import StatedPermit, application_of, describe_land
    from geonotice.workflow.stated_event import StatedEvent, agreed_premises

    event = completed(read_event_file(file), given, file=str(file))
    named = event.premises.parcels or ()
    if named or parcels or find or event.event.kind != "parade":
        stated = StatedEvent(parcels=named, file=str(file))
        premises = agreed_premises(opened, parcels or (), find=find or (), stated=stated, paper="permit") if named else ()
        premises = premises or find_premises(opened, parcels or (), find=find or ())
        # The check reads the event's parcels: those that the command names are the event's where the file names none.
        event = replace(event, premises=replace(event.premises, parcels=tuple(parcel.id for parcel in premises)))
    else:
        premises = ()
    land, said = describe_land(opened, premises)
    made = application_of(event, land)
    if event.parade.route:
        from geonotice.workflow.route import with_route

        made, more = with_route(opened, made, event, file)
        said = (*said, *more)
    return Request(made, said, StatedPermit(event, str(file), file.parent))
