"""Take a town's spreadsheet of past permits in: what is asked goes into files beside it, which can be answered."""

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geonotice.errors import UnreadColumns
from geonotice.facts.history import describe_land, sunset_on
from geonotice.opened_town import example_number
from geonotice.register.assignments import Answers, read_mapping
from geonotice.register.export_permits import write_keeping
from geonotice.register.import_permits import ImportReport, import_
from geonotice.register.question_file import Table, preview_table, question_table, table_bytes
from geonotice.register.session import Register
from geonotice.register.values import Land
from geonotice.workflow.outputs import check_not_of_town

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.register.written_days import DateOrder

__all__ = ["ImportAnswers", "import_permits", "write_preview"]

_QUESTIONS = re.compile(r"\.questions$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportAnswers:
    """What a person says of a file of permits: columns by heading, a mapping file, the order of its dates, what stands before short parcel numbers, whether unknown ones are former."""

    columns: Mapping[str, str] = dataclasses.field(default_factory=dict)
    mapping: Path | None = None
    dates: "DateOrder | None" = None
    parcel_prefix: str = ""
    former_parcels: bool = False


def import_permits(
    opened: "Opened",
    register: Register,
    path: Path,
    *,
    now: datetime,
    by: str,
    why: str = "",
    sheet: str | None = None,
    answers: ImportAnswers | None = None,
    correct: bool = False,
    questions: Path | None = None,
    dry_run: bool = False,
    progress: "Callable[[str], None] | None" = None,
) -> ImportReport:
    """Take a town's spreadsheet of past permits in; each parcel is looked up in the store.

    Rows that cannot be taken are written to a file of questions, and columns that are not understood to a mapping file, both beside the spreadsheet
    where its folder may be written to. With ``dry_run`` nothing is written at all.

    Raises
    ------
    InputError
        The file cannot be read.
    UnreadColumns
        A column that permits are counted by is not understood; the mapping file has what is asked.
    OutputError
        A file of the town is named for the questions, or they cannot be written: the permits that fit are in the register all the same.
    RegisterError
        The database refuses; nothing was written.
    """
    given = answers or ImportAnswers()
    if questions is not None:
        check_not_of_town(questions, opened.town)
    beside = given.mapping or _beside(path, ".mapping.toml")

    def locate(number: str) -> Land:
        land, _ = describe_land(opened, [opened.store.find(number)])
        return land[0]

    def move(shape: bytes, crs: str) -> bytes:
        import numpy as np
        import shapely

        from geonotice.units import resolve_crs, to_measure

        geometry = shapely.from_wkb(shape)
        source = resolve_crs(crs, file=str(path), bounds=geometry.bounds)
        moved: bytes = shapely.to_wkb(to_measure(np.array([geometry], dtype=object), source.crs, opened.crs)[0])
        return moved

    try:
        report = import_(
            register,
            path,
            locate=locate,
            crs=opened.crs,
            move=move,
            sunset=lambda land, day: sunset_on(opened, land, day),
            example=example_number(opened.store),
            now=now,
            by=by,
            why=why,
            sheet=sheet,
            answers=_answers(given, beside),
            correct=correct,
            dry_run=dry_run,
            progress=progress,
        )
    except UnreadColumns as error:
        raise _asked(error, beside, path, dry_run=dry_run, named=given.mapping is not None) from error
    if dry_run or not report.refused:
        return report
    ending = ".xlsx" if path.suffix.casefold() in {".xlsx", ".xlsm"} else ".csv"
    target = questions or _beside(path, f"{f'.{_plain(report.title)}' if report.title else ''}.questions{ending}")
    write_table(question_table(report), target)
    return replace(report, questions=str(target))


def _answers(given: ImportAnswers, beside: Path) -> Answers:
    """Put the command line's answers over those of the mapping file."""
    written = read_mapping(beside) if given.mapping is not None or beside.is_file() else Answers()
    return Answers(
        columns=given.columns,
        mapped=written.mapped,
        dates=given.dates or written.dates,
        parcel_prefix=given.parcel_prefix or written.parcel_prefix,
        former_parcels=given.former_parcels,
    )


def _asked(error: UnreadColumns, beside: Path, path: Path, *, dry_run: bool, named: bool) -> UnreadColumns:
    """Write the mapping file, and say where the answers go."""
    faults = list(error.faults)
    last = faults[-1]
    if dry_run:
        where = f"; without --dry-run, all columns are written to {beside} to be answered there"
    else:
        _write_keeping(error.mapping.encode(), beside)
        again = (
            "run the same command again"
            if named or beside == _beside(path, ".mapping.toml")
            else f"run it again with --mapping {beside}"
        )
        where = f"; or answer in {beside}, where each open column has a ?, and {again}"
    faults[-1] = dataclasses.replace(last, command=f"{last.command or last.remedy}{where}")
    return UnreadColumns(faults, error.mapping)


def _beside(path: Path, ending: str) -> Path:
    """Return a file beside the spreadsheet, or in the current folder where that one may not be written to."""
    stem = _QUESTIONS.sub("", path.stem)
    folder = path.parent if os.access(path.parent, os.W_OK) else Path()
    return folder / f"{stem}{ending}"


def _plain(title: str) -> str:
    return re.sub(r"[^\w-]+", "-", title).strip("-")


def write_table(table: Table, file: Path) -> Path | None:
    """Write a table as CSV or XLSX; return where an earlier file of its name is kept."""
    return _write_keeping(table_bytes(table, file), file)


def _write_keeping(content: bytes, file: Path) -> Path | None:
    def make(partial: Path) -> tuple[str, ...]:
        partial.write_bytes(content)
        return ()

    return write_keeping(file, make)[1]


def write_preview(opened: "Opened", report: ImportReport, file: Path) -> None:
    """Write every row with what was understood of it, as CSV or XLSX.

    Raises
    ------
    UsageError
        The file's ending is neither.
    OutputError
        It is one that the town is read from, or cannot be written.
    """
    check_not_of_town(file, opened.town)
    write_table(preview_table(report), file)
