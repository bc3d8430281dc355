"""``permit``: the register of permits and its caps."""

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
    dated,
    print_json,
    say,
    stands,
    takes,
    today,
    warn,
    who,
)
from geonotice.errors import Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError
from geonotice.workflow.application import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.register.applications import FiledApplication
    from geonotice.register.session import Register
    from geonotice.register.values import Entry, LogReport, Permit
    from geonotice.workflow.permit_request import PermitRequestOptions


__all__ = ["permit"]


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
    with _register(town) as register:
        filed, event = request_of(register.required(), options.application, decided=decided)
    return filed, replace(request, filed=event)


@permit.command()
def show(town: TownArgument, number: Number, *, json_: JsonOption = False) -> None:
    """Show a permit with its history."""
    from geonotice.register.applications import application_of_permit
    from geonotice.register.json_values import entry_json, permit_json
    from geonotice.register.permits import show as look_up

    with _register(town) as register:
        found, entries = look_up(register.required(), number)
        application = application_of_permit(register, found.number)
    filed = application.number if application else None
    if json_:
        print_json({**permit_json(found), "application": filed, "log": [entry_json(entry) for entry in entries]})
        return
    from geonotice.cli.tables import permit_table
    from geonotice.cli.tables import show as show_table

    show_table(permit_table(found, entries, application=filed))


@permit.command("list")
def list_(
    town: TownArgument,
    *,
    year: Annotated[int | None, typer.Option(help="Issued in that year, or with an event in it.")] = None,
    parcel: Annotated[
        str | None, typer.Option(metavar="PARCEL", help="Those on a parcel, under whatever number its land had then.")
    ] = None,
    status: Annotated[str | None, typer.Option(help="issued, rescinded or void.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Those of a kind, such as festival.")] = None,
    first: Annotated[str | None, typer.Option("--from", metavar="DATE", help="With an event on that day or later.")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="DATE", help="With an event on that day or earlier.")] = None,
    applicant: Annotated[
        str | None, typer.Option("--applicant", metavar="TEXT", help="Whose applicant has this in its name.")
    ] = None,
    district: Annotated[str | None, typer.Option("--district", metavar="CODE", help="With land in that zoning district.")] = None,
    at_cap: Annotated[
        bool, typer.Option("--at-cap", help="List the lots whose permits of the year are used up, and who has them.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the list, too: .csv, .xlsx or .gpkg.")] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """List permits: of a year or a period, of a kind, an applicant, a district, a status or a parcel; with --out as a file, too."""
    if at_cap:
        others = {"--parcel": parcel, "--status": status, "--kind": kind, "--from": first, "--to": last, "--applicant": applicant}
        if given := [name for name, value in others.items() if value is not None]:
            what = f"--at-cap lists lots by --year and --district, not by {', '.join(given)}"
            raise UsageError(Fault(what=what, remedy="leave out one or the other"))
        _list_at_cap(town, year=year, district=district, on=on, out=out, json_=json_)
        return
    from geonotice.register.cells import read_kind
    from geonotice.register.json_values import permit_json
    from geonotice.register.permits import chosen, list_permits, unmatched

    if parcel is not None:
        from geonotice.workflow.property import permits_on_land

        listed = permits_on_land(town, parcel, year=year, status=status)
        found, warnings = listed.permits, listed.warnings
    else:
        with _register(town) as register:
            found = list_permits(register, year=year, status=status)
            warnings = register.warnings
    kind = None if kind is None else read_kind(kind)
    warnings = (*warnings, *unmatched(found, kind=kind, district=district))
    found = chosen(
        found,
        kind=kind,
        first=as_day(first, "--from"),
        last=as_day(last, "--to"),
        applicant=applicant,
        district=district,
    )
    if out is not None:
        _write_list(town, out, found)
    if json_:
        print_json({"permits": [permit_json(item) for item in found], "warnings": [warning.to_json() for warning in warnings]})
        return
    warn(warnings)
    from geonotice.cli.tables import list_table
    from geonotice.cli.tables import show as show_table

    show_table(list_table(found))


def _list_at_cap(town: Path, *, year: int | None, district: str | None, on: str | None, out: Path | None, json_: bool) -> None:
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.at_cap import lots_at_cap, write_lots_at_cap

    day = today(on)
    with open_store(town) as opened, read_town_register(opened.town) as register:
        found = lots_at_cap(opened, register, year=day.year if year is None else year, on=day, district=district)
        if out is not None:
            kept = write_lots_at_cap(opened, found.lots, out)
            stands(f"{len(found.lots):,} lots were written to {out}")
            if kept is not None:
                say(f"The file that was there is kept as {kept}")
    if json_:
        said = [warning.to_json() for warning in found.warnings]
        print_json({"year": found.year, "on": day.isoformat(), "lots": [lot.to_json() for lot in found.lots], "warnings": said})
        return
    warn(found.warnings)
    from geonotice.cli.tables import at_cap_table
    from geonotice.cli.tables import show as show_table

    show_table(at_cap_table(found))


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
    from geonotice.register.permits import log_entries

    if verify and number is not None:
        raise UsageError(Fault(what="--verify looks through the whole log", remedy="leave out --permit"))
    if head is not None and not verify:
        raise UsageError(Fault(what="--head is looked for by --verify", remedy="give both"))
    report: LogReport | None = None
    entries: Sequence[Entry] = ()
    with _register(town, examined=not verify) as register:
        if verify:
            from geonotice.register.verify_log import verify_log  # imports SQLAlchemy

            report = verify_log(register, head=head)
        else:
            entries = log_entries(register, permit=number)
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
    from geonotice.register.session import read_town_register
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


@permit.command()
def backup(
    town: TownArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes, such as backup/permits.sqlite.")],
    *,
    json_: JsonOption = False,
) -> None:
    """Write a copy of the register as it stands at this moment, while others go on writing."""
    from geonotice.config.read_town import read_town_file
    from geonotice.register.export_permits import write_keeping
    from geonotice.workflow.permits import backup_register

    content = backup_register(read_town_file(town), check=file)

    def make(partial: Path) -> tuple[str, ...]:
        partial.write_bytes(content)
        return ()

    _, kept = write_keeping(file, make)
    stands(f"The copy {file} was written")
    if json_:
        print_json({"file": str(file), "bytes": len(content), "kept": None if kept is None else str(kept)})
        return
    say(f"The register is copied to {file}: {len(content):,} bytes")
    if kept is not None:
        say(f"The file that was there is kept as {kept}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What ``permit import`` asks about the file."""

    sheet: Annotated[str | None, typer.Option("--sheet", help="The sheet of a workbook.")] = None
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar='"HEADING=FIELD"',
            help="What a column is, such as Organizer=applicant; ignore where it is nothing.",
        ),
    ] = None
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            metavar="FILE",
            help="A file that says what each column is; without it FILE.mapping.toml, if it is there.",
        ),
    ] = None
    dates: Annotated[
        Literal["month-first", "day-first"] | None, typer.Option("--dates", help="How 7/4/2026 is meant throughout the file.")
    ] = None
    parcel_prefix: Annotated[
        str, typer.Option("--parcel-prefix", metavar="TEXT", help="What stands before short tax map numbers, such as 0900.")
    ] = ""
    former_parcels: Annotated[
        bool,
        typer.Option("--former-parcels", help="Take permits on parcels that the layer has no longer under the number they had."),
    ] = False


@permit.command("import")
@takes(ImportOptions)
def import_(
    town: TownArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, XLSX or GeoPackage of past permits.")],
    *,
    options: ImportOptions,
    correct: Annotated[bool, typer.Option("--correct", help="Take rows that differ from a permit as corrections of it.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what was understood of each row.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write what was understood of each row, as CSV or XLSX.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", help="Where the rows that are asked about go; without it beside FILE."),
    ] = None,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Take a town's spreadsheet of past permits in. Good rows go in; exit 4 where a column, a row or a correction needs an answer."""
    from geonotice.opened_town import open_store
    from geonotice.register.assignments import assigned
    from geonotice.register.json_values import import_json
    from geonotice.register.session import open_town_register, read_town_register
    from geonotice.workflow.permit_import import ImportAnswers, import_permits, write_preview

    answers = ImportAnswers(
        columns=assigned(options.column or ()),
        mapping=options.mapping,
        dates=options.dates,
        parcel_prefix=options.parcel_prefix,
        former_parcels=options.former_parcels,
    )
    open_one = read_town_register if dry_run else open_town_register
    with open_store(town) as opened, open_one(opened.town) as register:
        report = import_permits(
            opened,
            register,
            file,
            now=clock(),
            by=by or "nobody" if dry_run else who(by),  # a preview stands in no log
            why=dated(on),
            sheet=options.sheet,
            answers=answers,
            correct=correct,
            questions=questions,
            dry_run=dry_run,
        )
        if report.written:
            stands(f"{report.count('taken', 'taken_with_remarks', 'corrected'):,} permits of {file} were taken into the register")
        if out is not None:
            write_preview(opened, report, out)
    if json_:
        print_json(import_json(report))
    else:
        from geonotice.cli.tables import import_table
        from geonotice.cli.tables import show as show_table

        show_table(import_table(report))
    if report.refused or report.differing:
        raise typer.Exit(4)


def _write_list(town: Path, out: Path, listed: "Sequence[Permit]") -> None:
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permits import export_permits

    with open_store(town) as opened, read_town_register(opened.town) as register:
        done = export_permits(opened, register, out, listed=listed)
        stands(f"{done.permits:,} permits were written to {out}")
    for remark in done.remarks:
        say(remark)
    if done.kept is not None:
        say(f"The file that was there is kept as {done.kept}")
    say(f"{done.permits:,} permits in {out}")


def _register(town: Path, *, examined: bool = True) -> "Register":
    from geonotice.register.session import open_register_of

    return open_register_of(town, examined=examined)
