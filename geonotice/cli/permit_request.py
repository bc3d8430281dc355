"""What ``permit check`` and ``permit issue`` ask for: their options, and the application these and an event file make."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import as_day
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from geonotice.model import Caution
    from geonotice.register.values import Application
    from geonotice.workflow.opening import Opened

__all__ = [
    "Applicant", "Benefits", "Charity", "Conditions", "Distinct", "Ends", "EventFile", "Find", "Kind", "Maximum", "Night", "OwnedBy",
    "Parcels", "Persons", "Starts", "Title", "read_request",
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
    Path | None, typer.Option("--event", metavar="FILE", help="Take the answers from an event file; options come first.")
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What the event is called.")]
Maximum = Annotated[
    int | None, typer.Option("--maximum-attendance", metavar="N", min=0, help="How many persons the permit lets in at most.")
]
Conditions = Annotated[str, typer.Option("--conditions", metavar="TEXT", help="The conditions that the permit sets.")]
Find = Annotated[list[str] | None, typer.Option("--find", metavar="TEXT", help="Name a parcel by address or owner.")]


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
) -> "tuple[Application, tuple[Caution, ...]]":
    """Put together what is asked for: the event file's answers, where there is one, and the options laid over them; and what was noticed."""
    stated, said = _stated(opened, parcels, find=find, event=event, kind=kind, charity=charity, benefits=benefits_applicant)
    asked = _laid_over(
        stated,
        starts=starts,
        ends=ends,
        night=night,
        distinct_events=distinct_events,
        owned_by=owned_by,
        kind=kind,
        persons=persons,
        applicant=applicant,
    )
    return asked, said


def _stated(
    opened: "Opened",
    parcels: list[str] | None,
    *,
    find: list[str] | None,
    event: Path | None,
    kind: str | None,
    charity: bool,
    benefits: bool,
) -> "tuple[Application, tuple[Caution, ...]]":
    """Put together what is asked: from the event file where one is given, else from the parcels and flags alone.

    A flag that is not given is a *no* where no event file is: a clerk who leaves out ``--charity`` means that it is none.
    """
    from geonotice.register.cells import read_kind
    from geonotice.register.values import Application
    from geonotice.workflow.finding import find_premises
    from geonotice.workflow.permitting import application_of, describe_land

    asked = None if kind is None else read_kind(kind)
    if event is None:
        premises = find_premises(opened, parcels or (), find=find or ()) if parcels or find or asked != "parade" else ()
        land, cautions = describe_land(opened, premises)
        made = Application(land=land, charitable=charity, primarily_benefits_applicant=benefits)
    else:
        from geonotice.decide.contradictions import answer_cautions
        from geonotice.event_file import read_event_file

        stated = read_event_file(event)
        named = parcels or ([] if find else list(stated.premises.parcels or ()))
        asked = asked or stated.event.kind
        premises = find_premises(opened, named, find=find or ()) if named or find or asked != "parade" else ()
        land, cautions = describe_land(opened, premises)
        cautions = (*cautions, *answer_cautions(stated))
        made = application_of(stated, land)
        if stated.parade.route:
            from geonotice.workflow.route import with_route

            made, said = with_route(opened, made, stated, event)
            cautions = (*cautions, *said)
        made = replace(
            made,
            charitable=True if charity else made.charitable,
            primarily_benefits_applicant=True if benefits else made.primarily_benefits_applicant,
        )
    return made, cautions


def _laid_over(
    stated: "Application",
    *,
    starts: str | None,
    ends: str | None,
    night: str | None,
    distinct_events: int | None,
    owned_by: str | None,
    kind: str | None,
    persons: int | None,
    applicant: str | None,
) -> "Application":
    """Lay the options over what the event file states."""
    from geonotice.decide.cap_values import KNOWN_OWNERS
    from geonotice.register.cells import read_kind

    if owned_by is not None and owned_by not in KNOWN_OWNERS:
        raise UsageError(
            Fault(what=f"--owned-by {owned_by!r} is not known", remedy=f"give one of {', '.join(sorted(KNOWN_OWNERS))}")
        )
    made = replace(
        stated,
        starts=as_day(starts, "--starts") or stated.starts,
        ends=as_day(ends, "--ends") or stated.ends,
        distinct_events=distinct_events or stated.distinct_events,
        owned_by=owned_by or stated.owned_by,
        kind=stated.kind if kind is None else read_kind(kind),
        persons=stated.persons if persons is None else persons,
        applicant=applicant or stated.applicant,
    )
    days = stated.yard_sale_days
    if (starts or ends) and days and (made.starts != min(days) or (made.ends or made.starts) != max(days)):
        given = " and ".join(name for name, value in (("--starts", starts), ("--ends", ends)) if value)
        raise UsageError(
            Fault(
                what=f"{given} and the days of the event file contradict each other: {', '.join(day.isoformat() for day in days)}",
                why="the register keeps the days on which it is held",
                remedy=f"leave out {given}, or correct the event file",
            )
        )
    if night is not None:
        made = replace(made, night={"yes": True, "no": False, "unknown": None}[night])
    if made.starts is None:
        raise UsageError(
            Fault(
                what="the first day of the event is not given", remedy="give --starts 2026-08-08, or an event file that says it"
            )
        )
    return made
