"""The register as tables and files: ``permit list`` and ``log``, ``export``, ``import`` and ``backup``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    TownArgument,
    as_day,
    clock,
    dated,
    print_json,
    print_plain_json,
    say,
    stands,
    takes,
    today,
    warn,
    who,
)
from geonotice.cli.permits import permit, register_of
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import ResultWarning
    from geonotice.register.values import Entry, LogReport, Permit
    from geonotice.register.year import YearWay

__all__ = ["backup", "export", "import_", "list_", "log"]


Year = Annotated[int | None, typer.Option("--year", help="Those of a year; --year-by says by which day.")]
YearBy = Annotated[
    Literal["cap", "issued", "event", "either"] | None,
    typer.Option(
        "--year-by",
        help="With --year: as the law's caps count permits (cap, also where it is left out), by the day of issue, by the days of the event, or by either.",
    ),
]


def _way_of(year: int | None, year_by: "YearWay | None") -> "YearWay":
    """Return by which day a list goes by years; a way without a year is refused, for the list would have every permit."""
    if year is None and year_by is not None:
        what = f"--year-by {year_by} says by which day the permits of a year are found, and no year is given"
        raise UsageError(Fault(what=what, remedy="give the year with --year, or leave out --year-by"))
    return year_by or "cap"


@permit.command("list")
def list_(
    town: TownArgument,
    *,
    year: Year = None,
    year_by: YearBy = None,
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
        others = {
            "--year-by": year_by,
            "--parcel": parcel,
            "--status": status,
            "--kind": kind,
            "--from": first,
            "--to": last,
            "--applicant": applicant,
        }
        if given := [name for name, value in others.items() if value is not None]:
            what = f"--at-cap lists lots by --year and --district, not by {', '.join(given)}"
            raise UsageError(Fault(what=what, remedy="leave out one or the other"))
        _list_at_cap(town, year=year, district=district, on=on, out=out, json_=json_)
        return
    way = _way_of(year, year_by)
    if json_ and out is None and all(one is None for one in (year, parcel, kind, first, last, applicant, district)):
        _print_all(town, status=status)
        return
    from geonotice.register.cells import read_kind
    from geonotice.register.json_values import permit_json
    from geonotice.register.permits import chosen, list_permits, unmatched

    if parcel is not None:
        from geonotice.workflow.property import permits_on_land

        listed = permits_on_land(town, parcel, year=year, status=status)
        found, warnings = listed.permits, listed.warnings
    else:
        with register_of(town) as register:
            found = list_permits(register, year=year, status=status)
            warnings = register.warnings
    which = ""
    if year is not None:
        found, which, more = _of_year(town, found, year, way=way)
        warnings = (*warnings, *more)
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
        of_year = {} if year is None else {"year": year, "year_by": way}
        said = [warning.to_json() for warning in warnings]
        print_plain_json({**of_year, "permits": [permit_json(item) for item in found], "warnings": said})
        return
    warn(warnings)
    from geonotice.cli.tables import list_table
    from geonotice.cli.tables import show as show_table

    show_table(list_table(found, which=which))


def _print_all(town: Path, *, status: str | None) -> None:
    """Print all permits as JSON, or those of a status: the list that may be long."""
    from geonotice.register.json_values import permits_json
    from geonotice.register.permits import require_status

    require_status(status)
    with register_of(town) as register:
        found = permits_json(register, status=status)
        print_plain_json({"permits": found, "warnings": [warning.to_json() for warning in register.warnings]})


def _of_year(
    town: Path, listed: "Sequence[Permit]", year: int, *, way: "YearWay"
) -> "tuple[tuple[Permit, ...], str, tuple[ResultWarning, ...]]":
    """Return the permits of a list that are of a year, which these are in words, and what is to be said of them."""
    from geonotice.decide.cap_checks import cap_rules
    from geonotice.ordinance.load import profile_and_name_of_town
    from geonotice.register.year import list_of_year, year_words

    profile, _ = profile_and_name_of_town(town)
    caps = cap_rules(profile)
    with register_of(town) as register:
        found = list_of_year(register, listed, year, way=way, caps=caps)
    return found.permits, year_words(year, way, caps), found.warnings


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
    with register_of(town, examined=not verify) as register:
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
    year: Year = None,
    year_by: YearBy = None,
    json_: JsonOption = False,
) -> None:
    """Hand the permits over as CSV, XLSX or GeoPackage."""
    from geonotice.opened_town import open_store
    from geonotice.register.permits import list_permits
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permits import export_permits

    way = _way_of(year, year_by)
    listed, which = None, ""
    said: tuple[ResultWarning, ...] = ()
    with open_store(town) as opened, read_town_register(opened.town) as register:
        if year is not None:
            listed, which, said = _of_year(town, list_permits(register, year=year), year, way=way)
        done = export_permits(opened, register, file, listed=listed)
        stands(f"{done.permits:,} permits were written to {file}")
        remarks = [*(warning.text for warning in (*register.warnings, *said)), *done.remarks]
    for remark in remarks:
        say(remark)
    if done.kept is not None:
        say(f"The file that was there is kept as {done.kept}")
    if json_:
        print_json({"file": str(file), "permits": done.permits, "kept": done.kept, "remarks": remarks})
    else:
        say(f"{f'{done.permits:,} permits {which}'.rstrip()} in {file}")


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
