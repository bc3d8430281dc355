"""``permit check``, ``issue`` and ``show``; the group ``permit`` and what its other modules share."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec.structs import replace

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    StrictOption,
    TownArgument,
    app,
    as_day,
    clock,
    print_json,
    stands,
    takes,
    today,
    warn,
    who,
)
from geonotice.errors import Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError
from geonotice.workflow.application import Options

if TYPE_CHECKING:
    from geonotice.register.applications import FiledApplication
    from geonotice.register.session import Register
    from geonotice.workflow.permit_request import PermitRequestOptions


__all__ = ["permit", "register_of"]


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
Hours = Annotated[
    list[str] | None,
    typer.Option(
        "--hours",
        metavar="HOURS",
        help="Its hours, such as 14:00-22:00 for each day, or '2026-07-18 14:00-22:00' for one: once for each.",
    ),
]
PrivateTitle = Annotated[bool, typer.Option("--private-title", help="Keep its title off the public's map and calendar.")]
Find = Annotated[list[str] | None, typer.Option("--find", metavar="TEXT", help="Name a parcel by address or owner.")]


permit = typer.Typer(help="The register of permits: check the annual caps, issue, rescind, list.", no_args_is_help=True)
app.add_typer(permit, name="permit")

Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The permit's number.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the log keeps it.")]


Override = Annotated[
    str, typer.Option("--override", metavar="REASON", help="Issue it although something stands against it; shown ever after.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOptions:
    """The options by which ``permit check`` and ``permit issue`` learn of an event."""

    starts: Starts = None
    ends: Ends = None
    night: Night = None
    charity: Charity = False
    benefits_applicant: Benefits = False
    distinct_events: Distinct = None
    owned_by: OwnedBy = None
    kind: Kind = None
    persons: Persons = None
    applicant: Applicant = None
    event: EventFile = None
    find: Find = None
    application: Annotated[
        str | None,
        typer.Option(
            "--application", metavar="NUMBER", help="Take this application: its event, its sign-offs. Issuing approves it."
        ),
    ] = None

    def request(self, parcels: list[str] | None, *, title: str | None = None) -> "PermitRequestOptions":
        """Return what is asked for; all that the use case needs of the command line."""
        from geonotice.workflow.permit_request import PermitRequestOptions

        return PermitRequestOptions(
            parcels=tuple(parcels or ()),
            find=tuple(self.find or ()),
            event=self.event,
            given=Options(
                starts=as_day(self.starts, "--starts"),
                ends=as_day(self.ends, "--ends"),
                night=None if self.night is None else self.night == "yes",
                night_unknown=self.night == "unknown",
                distinct_events=self.distinct_events,
                owned_by=self.owned_by,
                kind=self.kind,
                persons=self.persons,
                applicant=self.applicant,
                title=title,
                charity=self.charity,
                benefits_applicant=self.benefits_applicant,
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueOptions(RequestOptions):
    """What ``permit issue`` takes beside that: what the permit states, who issues it, and a reason for passing over the law."""

    title: Title = None
    maximum_attendance: Maximum = None
    conditions: Conditions = ""
    hours: Hours = None
    private_title: PrivateTitle = False
    by: By = None
    override: Override = ""


@permit.command()
@takes(RequestOptions)
def check(
    town: TownArgument,
    parcels: Parcels = None,
    *,
    options: RequestOptions,
    on: OnOption = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Check whether a permit could be issued: what is used this year, what is left, when the next could be; with --event the whole ordinance. Exit 5 where not."""
    from geonotice.opened_town import open_store
    from geonotice.register.permit_check import check_json
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permit_request import read_request
    from geonotice.workflow.permits import check_permit

    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed, request = _on_application(town, options, options.request(parcels), decided=True)
        asked = read_request(opened, request)
        if filed is None:
            found = check_permit(opened, register, asked, on=today(on))
        else:
            from geonotice.workflow.applications import check_application

            found = check_application(opened, register, filed, asked, on=today(on))
    if json_:
        print_json(check_json(found))
    else:
        from geonotice.cli.tables import check_table, show

        show(check_table(found))
    if found.status == "not_met":
        raise typer.Exit(5)
    if strict and found.status == "decide":
        raise typer.Exit(4)


@permit.command()
@takes(IssueOptions)
def issue(
    town: TownArgument,
    parcels: Parcels = None,
    *,
    options: IssueOptions,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Issue a permit. With --event the whole ordinance is checked. Exit 5 where it is not allowed, 4 where it is undecided or none is needed."""
    from geonotice.opened_town import open_store
    from geonotice.register.json_values import issued_json, refused_json
    from geonotice.register.session import open_town_register
    from geonotice.register.values import PermitCheck
    from geonotice.workflow.permit_request import Issuing, given_hours, read_request
    from geonotice.workflow.permits import issue_permit

    with open_store(town) as opened:
        filed, request = _on_application(town, options, options.request(parcels, title=options.title))
        asked = read_request(opened, replace(request, hours=given_hours(options.hours or ())))
        application = replace(
            asked.application,
            maximum_attendance=options.maximum_attendance,
            conditions=options.conditions,
            private_title=options.private_title,
        )
        issuing = Issuing(now=clock(), by=who(options.by), issued=today(on), override=options.override)
        # Opened last: an application that cannot be read starts no register.
        with open_town_register(opened.town) as register:
            try:
                asked = replace(asked, application=application)
                if filed is None:
                    made = issue_permit(opened, register, asked, issuing)
                else:
                    from geonotice.workflow.applications import issue_on_application

                    made = issue_on_application(opened, register, filed, asked, issuing)
            except (PermitRefused, PermitUndecided) as error:
                warn(asked.said)  # what the refusal may rest on: a permit that is issued carries it with it
                if json_ and isinstance(error.check, PermitCheck):
                    print_json(refused_json(error.check))
                raise
            except GeonoticeError:
                warn(asked.said)
                raise
            stands(f"Permit {made.permit.number} was issued")
    if json_:
        print_json(issued_json(made))
    else:
        from geonotice.cli.tables import issued_table, show

        show(issued_table(made))


def _on_application(
    town: Path, options: RequestOptions, request: "PermitRequestOptions", *, decided: bool = False
) -> "tuple[FiledApplication | None, PermitRequestOptions]":
    """Return the application that a permit is asked for, and the request with its event; None where none is named."""
    if options.application is None:
        return None, request
    from geonotice.workflow.applications import request_of

    if options.event is not None:
        remedy = "leave --event out; what changed since comes in with: geonotice application receive"
        raise UsageError(Fault(what="an application and an event file are both given", remedy=remedy))
    with register_of(town) as register:
        filed, event = request_of(register.required(), options.application, decided=decided)
    return filed, replace(request, filed=event)


@permit.command()
def show(town: TownArgument, number: Number, *, json_: JsonOption = False) -> None:
    """Show a permit with its history."""
    from geonotice.register.applications import application_of_permit
    from geonotice.register.json_values import entry_json, permit_json
    from geonotice.register.permits import show as look_up

    with register_of(town) as register:
        found, entries = look_up(register.required(), number)
        application = application_of_permit(register, found.number)
    filed = application.number if application else None
    if json_:
        print_json({**permit_json(found), "application": filed, "log": [entry_json(entry) for entry in entries]})
        return
    from geonotice.cli.tables import permit_table
    from geonotice.cli.tables import show as show_table

    show_table(permit_table(found, entries, application=filed))


def register_of(town: Path, *, examined: bool = True) -> "Register":
    """Open the register of a town for reading."""
    from geonotice.register.session import open_register_of

    return open_register_of(town, examined=examined)
