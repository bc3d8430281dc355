"""``permit``: the register of permits and its caps."""

import getpass
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import JsonOption, OnOption, StrictOption, TownArgument, app, as_day, print_json, say, today, warn
from geonotice.cli.streams import stands
from geonotice.errors import Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError
from geonotice.workflow.application import Options, completed

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.model import ResultWarning
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Application, Permit
    from geonotice.workflow.permits import StatedPermit


__all__ = [
    "Applicant",
    "Benefits",
    "Charity",
    "Conditions",
    "Distinct",
    "Ends",
    "EventFile",
    "Find",
    "Kind",
    "Maximum",
    "Night",
    "OwnedBy",
    "Parcels",
    "Persons",
    "Request",
    "Starts",
    "Title",
    "permit",
    "read_request",
]


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
    said: "tuple[ResultWarning, ...]"
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
    from geonotice.decide.cap_count import KNOWN_OWNERS
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
    from geonotice.facts.history import describe_land
    from geonotice.opened_town import find_premises
    from geonotice.register.values import Application

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
    from geonotice.facts.history import application_of, describe_land
    from geonotice.opened_town import find_premises
    from geonotice.workflow.application import StatedEvent, agreed_premises
    from geonotice.workflow.permits import StatedPermit

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
        from geonotice.facts.drawings import with_route

        made, more = with_route(opened, made, event, file)
        said = (*said, *more)
    return Request(made, said, StatedPermit(event, str(file), file.parent))


permit = typer.Typer(help="The register of permits: check the annual caps, issue, rescind, list.", no_args_is_help=True)
app.add_typer(permit, name="permit")

By = Annotated[
    str | None, typer.Option("--by", metavar="NAME", help="Who makes the change; the user of this computer by itself.")
]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The permit's number.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the log keeps it.")]


@permit.command()
def check(
    town: TownArgument,
    parcels: Parcels = None,
    *,
    starts: Starts = None,
    ends: Ends = None,
    night: Night = None,
    charity: Charity = False,
    benefits_applicant: Benefits = False,
    distinct_events: Distinct = None,
    owned_by: OwnedBy = None,
    kind: Kind = None,
    persons: Persons = None,
    applicant: Applicant = None,
    event: EventFile = None,
    find: Find = None,
    on: OnOption = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Check whether a permit could be issued: what is used this year, what is left, when the next could be; with --event the whole ordinance. Exit 5 where not."""
    from geonotice.opened_town import open_store
    from geonotice.register.counting import check_json
    from geonotice.register.town_register import read_town_register
    from geonotice.workflow.permits import check_permit

    with open_store(town) as opened, read_town_register(opened.town) as register:
        asked = read_request(
            opened,
            parcels,
            find=find,
            event=event,
            charity=charity,
            benefits_applicant=benefits_applicant,
            starts=starts,
            ends=ends,
            night=night,
            distinct_events=distinct_events,
            owned_by=owned_by,
            kind=kind,
            persons=persons,
            applicant=applicant,
        )
        found = check_permit(opened, register, asked.application, on=today(on), said=asked.said, stated=asked.stated)
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
def issue(
    town: TownArgument,
    parcels: Parcels = None,
    *,
    starts: Starts = None,
    ends: Ends = None,
    night: Night = None,
    charity: Charity = False,
    benefits_applicant: Benefits = False,
    distinct_events: Distinct = None,
    owned_by: OwnedBy = None,
    kind: Kind = None,
    persons: Persons = None,
    applicant: Applicant = None,
    event: EventFile = None,
    find: Find = None,
    title: Title = None,
    maximum_attendance: Maximum = None,
    conditions: Conditions = "",
    by: By = None,
    override: Annotated[
        str, typer.Option(metavar="REASON", help="Issue it although something stands against it; shown ever after.")
    ] = "",
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Issue a permit. With --event the whole ordinance is checked. Exit 5 where it is not allowed, 4 where it is undecided or none is needed."""
    from geonotice.opened_town import open_store
    from geonotice.register.json_values import issued_json, refused_json
    from geonotice.register.town_register import open_town_register
    from geonotice.register.values import PermitCheck
    from geonotice.workflow.permits import issue_permit

    with open_store(town) as opened:
        asked = read_request(
            opened,
            parcels,
            find=find,
            event=event,
            charity=charity,
            benefits_applicant=benefits_applicant,
            starts=starts,
            ends=ends,
            night=night,
            distinct_events=distinct_events,
            owned_by=owned_by,
            kind=kind,
            persons=persons,
            applicant=applicant,
            title=title,
        )
        application = replace(asked.application, maximum_attendance=maximum_attendance, conditions=conditions)
        # Opened last: an application that cannot be read starts no register.
        with open_town_register(opened.town) as register:
            try:
                made = issue_permit(
                    opened,
                    register,
                    application,
                    now=_clock(),
                    issued=today(on),
                    by=_who(by),
                    override=override,
                    said=asked.said,
                    stated=asked.stated,
                )
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


@permit.command()
def rescind(
    town: TownArgument, number: Number, *, reason: Reason, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Rescind a permit: it was one, and goes on counting."""
    from geonotice.register.permits import rescind as change

    _change(town, number, change, reason=reason, by=by, on=on, json_=json_)


@permit.command()
def void(
    town: TownArgument, number: Number, *, reason: Reason, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Void an entry that never was a permit, such as a mistake: it does not count. Nothing is deleted."""
    from geonotice.register.permits import void as change

    _change(town, number, change, reason=reason, by=by, on=on, json_=json_)


@permit.command()
def show(town: TownArgument, number: Number, *, json_: JsonOption = False) -> None:
    """Show a permit with its history."""
    from geonotice.register.json_values import entry_json, permit_json
    from geonotice.register.permits import show as look_up

    with _register(town) as register:
        found, entries = look_up(register.required(), number)
    if json_:
        print_json({**permit_json(found), "log": [entry_json(entry) for entry in entries]})
        return
    from geonotice.cli.tables import permit_table
    from geonotice.cli.tables import show as show_table

    show_table(permit_table(found, entries))


@permit.command("list")
def list_(
    town: TownArgument,
    *,
    year: Annotated[int | None, typer.Option(help="Issued in that year, or with an event in it.")] = None,
    parcel: Annotated[
        str | None, typer.Option(metavar="PARCEL", help="Those on a parcel, under whatever number its land had then.")
    ] = None,
    status: Annotated[str | None, typer.Option(help="issued, rescinded or void.")] = None,
    json_: JsonOption = False,
) -> None:
    """List permits."""
    from geonotice.register.json_values import permit_json
    from geonotice.register.permits import list_permits

    if parcel is not None:
        from geonotice.workflow.property import permits_on_land

        listed = permits_on_land(town, parcel, year=year, status=status)
        found, warnings = listed.permits, listed.warnings
    else:
        with _register(town) as register:
            found = list_permits(register, year=year, status=status)
            warnings = register.warnings
    if json_:
        print_json({"permits": [permit_json(item) for item in found], "warnings": [warning.to_json() for warning in warnings]})
        return
    warn(warnings)
    from geonotice.cli.tables import list_table
    from geonotice.cli.tables import show as show_table

    show_table(list_table(found))


@permit.command()
def log(
    town: TownArgument,
    *,
    number: Annotated[str | None, typer.Option("--permit", metavar="NUMBER", help="That of one permit.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Look for tampering; exit 3 where there is any.")] = False,
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="With --verify: a hash noted earlier, which must be in the log.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Print the log of changes, or verify that nobody changed the register behind its back."""
    from geonotice.register.json_values import entry_json, log_json
    from geonotice.register.log import verify_log
    from geonotice.register.permits import log_entries

    if verify and number is not None:
        raise UsageError(Fault(what="--verify looks through the whole log", remedy="leave out --permit"))
    if head is not None and not verify:
        raise UsageError(Fault(what="--head is looked for by --verify", remedy="give both"))
    with _register(town, examined=not verify) as register:
        report = verify_log(register, head=head) if verify else None
        entries = () if report else log_entries(register, permit=number)
        warnings = register.warnings
    if json_:
        print_json(
            log_json(report)
            if report
            else {"log": [entry_json(entry) for entry in entries], "warnings": [warning.to_json() for warning in warnings]}
        )
    else:
        warn(warnings)
        from geonotice.cli.tables import log_table, verified_text
        from geonotice.cli.tables import show as show_table

        show_table(verified_text(report) if report else log_table(entries))
    if report and not report.sound:
        raise typer.Exit(3)


@permit.command()
def export(
    town: TownArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv, .xlsx or .gpkg.")],
    *,
    year: Annotated[int | None, typer.Option(help="Issued in that year, or with an event in it.")] = None,
    json_: JsonOption = False,
) -> None:
    """Hand the permits over as CSV, XLSX or GeoPackage."""
    from geonotice.opened_town import open_store
    from geonotice.register.town_register import read_town_register
    from geonotice.workflow.permits import export_permits

    with open_store(town) as opened, read_town_register(opened.town) as register:
        done = export_permits(opened, register, file, year=year)
        stands(f"{done.permits:,} permits were written to {file}")
        remarks = [*(warning.text for warning in register.warnings), *done.remarks]
    for remark in remarks:
        say(remark)
    if done.kept is not None:
        say(f"The file that was there is kept as {done.kept}")
    if json_:
        print_json({"file": str(file), "permits": done.permits, "kept": done.kept, "remarks": remarks})
    else:
        say(f"{done.permits:,} permits in {file}")


@permit.command("import")
def import_(
    town: TownArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, XLSX or GeoPackage of past permits.")],
    *,
    sheet: Annotated[str | None, typer.Option(help="The sheet of a workbook.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would fit.")] = False,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Take a town's spreadsheet of past permits in, with a report of what did not fit; exit 3 where a row was refused."""
    from geonotice.opened_town import open_store
    from geonotice.register.json_values import import_json
    from geonotice.register.town_register import open_town_register, read_town_register
    from geonotice.workflow.permits import import_permits

    open_one = read_town_register if dry_run else open_town_register
    with open_store(town) as opened, open_one(opened.town) as register:
        report = import_permits(opened, register, file, now=_clock(), by=_who(by), why=_dated(on), sheet=sheet, dry_run=dry_run)
        if report.written:
            stands(f"{report.count('taken', 'taken_with_remarks'):,} permits of {file} were taken into the register")
    if json_:
        print_json(import_json(report))
    else:
        from geonotice.cli.tables import import_table
        from geonotice.cli.tables import show as show_table

        show_table(import_table(report))
    if report.refused:
        raise typer.Exit(3)


def _register(town: Path, *, examined: bool = True) -> "Register":
    from geonotice.register.town_register import open_register_of

    return open_register_of(town, examined=examined)


def _change(
    town: Path, number: str, change: "Callable[..., Permit]", *, reason: str, by: str | None, on: str | None, json_: bool
) -> None:
    from geonotice.register.json_values import permit_json

    with _register(town) as register:
        dated = f"{reason} ({_dated(on)})" if on and reason.strip() else reason
        changed = change(register.required(), number, reason=dated, now=_clock(), by=_who(by))
        stands(f"Permit {changed.number} is {changed.status}")
    if json_:
        print_json(permit_json(changed))
    else:
        typer.echo(f"Permit {changed.number} is {changed.status}: {reason}")


def _who(by: str | None) -> str:
    """Return who makes a change: the log names somebody always."""
    return by if by is not None else getpass.getuser()


def _clock() -> datetime:
    """Return the time of writing for the log: the clock's always, so that a permit dated back is seen to be."""
    return datetime.now().astimezone()


def _dated(on: str | None) -> str:
    """Return which day was taken as today, where it was given: the log keeps it beside its own time."""
    return "" if on is None else f"dated {today(on).isoformat()}"
