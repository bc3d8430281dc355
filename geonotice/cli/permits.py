"""``permit`` and ``map``: the register of permits, its caps, and the event map."""

import getpass
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import JsonOption, OnOption, StrictOption, TownArgument, app, as_day, print_json, say, today
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.register.session import Register
    from geonotice.register.values import Application, Permit
    from geonotice.workflow.opening import Opened

__all__ = ["event_map", "permit"]

permit = typer.Typer(help="The register of permits: check the annual caps, issue, rescind, list.", no_args_is_help=True)
app.add_typer(permit, name="permit")

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
Find = Annotated[list[str] | None, typer.Option("--find", metavar="TEXT", help="Name a parcel by address or owner.")]
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
    """Say whether a permit could be issued: what is used this year, what is left, and when the next could be. Exit 5 where not."""
    from geonotice.register.checking import check_json
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import check_permit, open_town_register

    with open_store(town) as opened, open_town_register(opened.town) as register:
        stated = _stated(opened, parcels, find=find, event=event, charity=charity, benefits=benefits_applicant)
        asked = _asked(
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
        found = check_permit(opened, register, asked, on=today(on))
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
    by: By = None,
    override: Annotated[str, typer.Option(metavar="REASON", help="Issue it although the cap says no; shown ever after.")] = "",
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Issue a permit. Exit 5 past the cap, 4 where something must be answered first; --override with a reason passes over both."""
    from geonotice.register.plain import issued_json
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import issue_permit, open_town_register

    with open_store(town) as opened, open_town_register(opened.town) as register:
        stated = _stated(opened, parcels, find=find, event=event, charity=charity, benefits=benefits_applicant)
        asked = _asked(
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
        made = issue_permit(opened, register, asked, now=_now(on), by=_who(by), override=override)
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
        found, entries = look_up(register, number)
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
    parcel: Annotated[str | None, typer.Option(metavar="PARCEL", help="Those on a parcel.")] = None,
    status: Annotated[str | None, typer.Option(help="issued, rescinded or void.")] = None,
    json_: JsonOption = False,
) -> None:
    """List permits."""
    from geonotice.register.permits import list_permits
    from geonotice.register.plain import permit_json

    with _register(town) as register:
        found = list_permits(register, year=year, parcel=parcel, status=status)
    if json_:
        print_json({"permits": [permit_json(item) for item in found]})
        return
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

    with _register(town) as register:
        report = verify_log(register, head=head) if verify else None
        entries = () if report else log_entries(register, permit=number)
    if json_:
        print_json(log_json(report) if report else {"log": [entry_json(entry) for entry in entries]})
    else:
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
    from geonotice.workflow.permitting import export_permits, open_town_register

    with open_store(town) as opened, open_town_register(opened.town) as register:
        done = export_permits(opened, register, file, year=year)
    for remark in done.remarks:
        say(remark)
    if json_:
        print_json({"file": str(file), "permits": done.permits, "remarks": list(done.remarks)})
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
    from geonotice.workflow.permitting import import_permits, open_town_register

    with open_store(town) as opened, open_town_register(opened.town) as register:
        report = import_permits(opened, register, file, now=_now(on), by=_who(by), sheet=sheet, dry_run=dry_run)
    if json_:
        print_json(import_json(report))
    else:
        from geonotice.cli.permit_tables import import_table
        from geonotice.cli.tables import show as show_table

        show_table(import_table(report))
    if report.refused:
        raise typer.Exit(3)


@app.command("map")
def event_map(
    town: TownArgument,
    *,
    year: Annotated[int | None, typer.Option(help="The year; this one by itself.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Without owners and applicants.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file; in maps/ of this folder by itself.")] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Draw the event map of a year: permits, what is left on each parcel, conflicts; one file that works without internet."""
    from geonotice.workflow.event_map import write_event_map
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import open_town_register

    day = today(on)
    with open_store(town) as opened, open_town_register(opened.town) as register:
        written = write_event_map(opened, register, year=year or day.year, on=day, public=public, out=out)
    if json_:
        print_json({"file": str(written), "year": year or day.year, "public": public})
    else:
        say(f"The event map is {written}")


def _register(town: Path) -> "Register":
    from geonotice.workflow.permitting import open_register_of

    return open_register_of(town)


def _change(
    town: Path, number: str, change: "Callable[..., Permit]", *, reason: str, by: str | None, on: str | None, json_: bool
) -> None:
    from geonotice.register.plain import permit_json

    with _register(town) as register:
        changed = change(register, number, reason=reason, now=_now(on), by=_who(by))
    if json_:
        print_json(permit_json(changed))
    else:
        typer.echo(f"Permit {changed.number} is {changed.status}: {reason}")


def _who(by: str | None) -> str:
    """Give who makes a change: the log names somebody always."""
    return by if by is not None else getpass.getuser()


def _now(on: str | None) -> datetime:
    """Give the time of writing: the clock's, or noon of the day that stands for today."""
    if on is None:
        return datetime.now().astimezone()
    return datetime.combine(today(on), time(12)).astimezone()


def _stated(
    opened: "Opened", parcels: list[str] | None, *, find: list[str] | None, event: Path | None, charity: bool, benefits: bool
) -> "Application":
    """Put together what is asked: from the event file where one is given, else from the parcels and flags alone.

    A flag that is not given is a *no* where no event file is: a clerk who leaves out ``--charity`` means that it is none.
    """
    from geonotice.register.values import Application
    from geonotice.workflow.finding import find_premises
    from geonotice.workflow.permitting import application_of, describe_land

    if event is None:
        land, cautions = describe_land(opened, find_premises(opened, parcels or (), find=find or ()))
        made = Application(land=land, charitable=charity, primarily_benefits_applicant=benefits)
    else:
        from geonotice.event_file import read_event_file

        stated = read_event_file(event)
        named = parcels or ([] if find else list(stated.premises.parcels or ()))
        kind = stated.event.kind
        premises = find_premises(opened, named, find=find or ()) if named or find or kind != "parade" else ()
        land, cautions = describe_land(opened, premises)
        made = application_of(stated, land)
        made = replace(
            made,
            charitable=True if charity else made.charitable,
            primarily_benefits_applicant=True if benefits else made.primarily_benefits_applicant,
        )
    for caution in cautions:
        say(f"! {caution.text} [{', '.join(caution.parcels)}]")
    return made


def _asked(
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
        kind=kind or stated.kind,
        persons=stated.persons if persons is None else persons,
        applicant=applicant or stated.applicant,
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
