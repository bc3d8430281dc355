"""``permit``: the register of permits and its caps."""

import getpass
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, StrictOption, TownArgument, app, print_json, say, today, warn
from geonotice.cli.permit_request import (
    Applicant,
    Benefits,
    Charity,
    Conditions,
    Distinct,
    Ends,
    EventFile,
    Find,
    Kind,
    Maximum,
    Night,
    OwnedBy,
    Parcels,
    Persons,
    Starts,
    Title,
    read_request,
)
from geonotice.cli.streams import stands
from geonotice.errors import Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.register.session import Register
    from geonotice.register.values import Permit

__all__ = ["permit"]

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
    from geonotice.register.checking import check_json
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import check_permit, read_town_register

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
        from geonotice.cli.permit_tables import check_table
        from geonotice.cli.tables import show

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
    from geonotice.register.plain import issued_json, refused_json
    from geonotice.register.values import PermitCheck
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import issue_permit, open_town_register

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
        from geonotice.cli.permit_tables import issued_table
        from geonotice.cli.tables import show

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
    from geonotice.register.permits import show as look_up
    from geonotice.register.plain import entry_json, permit_json

    with _register(town) as register:
        found, entries = look_up(register.required(), number)
    if json_:
        print_json({**permit_json(found), "log": [entry_json(entry) for entry in entries]})
        return
    from geonotice.cli.permit_tables import permit_table
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
    from geonotice.register.permits import list_permits
    from geonotice.register.plain import permit_json

    if parcel is not None:
        from geonotice.workflow.permits_on_land import permits_on_land

        listed = permits_on_land(town, parcel, year=year, status=status)
        found, cautions = listed.permits, listed.cautions
    else:
        with _register(town) as register:
            found = list_permits(register, year=year, status=status)
            cautions = register.cautions
    if json_:
        print_json({"permits": [permit_json(item) for item in found], "warnings": [caution.to_json() for caution in cautions]})
        return
    warn(cautions)
    from geonotice.cli.permit_tables import list_table
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
    from geonotice.register.permits import log_entries
    from geonotice.register.plain import entry_json, log_json
    from geonotice.register.verify import verify_log

    if verify and number is not None:
        raise UsageError(Fault(what="--verify looks through the whole log", remedy="leave out --permit"))
    if head is not None and not verify:
        raise UsageError(Fault(what="--head is looked for by --verify", remedy="give both"))
    with _register(town, examined=not verify) as register:
        report = verify_log(register, head=head) if verify else None
        entries = () if report else log_entries(register, permit=number)
        cautions = register.cautions
    if json_:
        print_json(
            log_json(report)
            if report
            else {"log": [entry_json(entry) for entry in entries], "warnings": [caution.to_json() for caution in cautions]}
        )
    else:
        warn(cautions)
        from geonotice.cli.permit_tables import log_table, verified_text
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
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import export_permits, read_town_register

    with open_store(town) as opened, read_town_register(opened.town) as register:
        done = export_permits(opened, register, file, year=year)
        stands(f"{done.permits:,} permits were written to {file}")
        remarks = [*(caution.text for caution in register.cautions), *done.remarks]
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
    from geonotice.register.plain import import_json
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import import_permits, open_town_register, read_town_register

    open_one = read_town_register if dry_run else open_town_register
    with open_store(town) as opened, open_one(opened.town) as register:
        report = import_permits(opened, register, file, now=_clock(), by=_who(by), why=_dated(on), sheet=sheet, dry_run=dry_run)
        if report.written:
            stands(f"{report.count('taken', 'taken_with_remarks'):,} permits of {file} were taken into the register")
    if json_:
        print_json(import_json(report))
    else:
        from geonotice.cli.permit_tables import import_table
        from geonotice.cli.tables import show as show_table

        show_table(import_table(report))
    if report.refused:
        raise typer.Exit(3)


def _register(town: Path, *, examined: bool = True) -> "Register":
    from geonotice.workflow.permitting import open_register_of

    return open_register_of(town, examined=examined)


def _change(
    town: Path, number: str, change: "Callable[..., Permit]", *, reason: str, by: str | None, on: str | None, json_: bool
) -> None:
    from geonotice.register.plain import permit_json

    with _register(town) as register:
        dated = f"{reason} ({_dated(on)})" if on and reason.strip() else reason
        changed = change(register.required(), number, reason=dated, now=_clock(), by=_who(by))
        stands(f"Permit {changed.number} is {changed.status}")
    if json_:
        print_json(permit_json(changed))
    else:
        typer.echo(f"Permit {changed.number} is {changed.status}: {reason}")


def _who(by: str | None) -> str:
    """Give who makes a change: the log names somebody always."""
    return by if by is not None else getpass.getuser()


def _clock() -> datetime:
    """Give the time of writing for the log: the clock's always, so that a permit dated back is seen to be."""
    return datetime.now().astimezone()


def _dated(on: str | None) -> str:
    """Say which day stood for today, where it was given: the log keeps it beside its own time."""
    return "" if on is None else f"dated {today(on).isoformat()}"
