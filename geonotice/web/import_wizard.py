"""Past permits brought in from the town's spreadsheet: what each column is, what is understood of each row, and what is asked, answered here."""

import csv
import io
import shutil
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, GeonoticeError, UnreadColumns, UsageError
from geonotice.web.desk import Desk, desk_of, fields_of, files_of, session_of
from geonotice.web.forms_and_uploads import HandedIn, Values, shown_faults
from geonotice.web.jobs import Job
from geonotice.web.permit_lists import asked_of
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from geonotice.opened_town import Opened
    from geonotice.register.import_permits import ImportReport
    from geonotice.register.written_days import DateOrder

__all__ = ["router"]

router = APIRouter()

_ENDINGS = frozenset({"csv", "xlsx", "xlsm", "gpkg"})
_MOST_SHOWN = 300
"""Rows of a preview on one page; those that ask something come first."""
_MOST_FIXED = 60
"""Rows that are answered on the page; more are answered in the file of questions."""
_OPEN = "?"
_FIRST = ("refused", "differs", "taken_with_remarks", "not_a_permit", "taken", "corrected", "there_already")
_OUTCOMES = {
    "taken": "taken in",
    "taken_with_remarks": "taken in, with a remark",
    "there_already": "there already",
    "differs": "differs from the register",
    "corrected": "corrected",
    "not_a_permit": "no permit",
    "refused": "to be answered",
}


class Asked(Struct, frozen=True, kw_only=True):
    """What a person says of a file.

    Parameters
    ----------
    file, sheet
        The key of the file that was handed in, and its sheet.
    columns
        What each column is, by its heading.
    dates, prefix
        How its dates are written, and what stands before short parcel numbers.
    former
        Whether numbers that the layer does not have are those of former parcels.
    correct
        Whether rows that differ from a permit are corrections of it.
    """

    file: str = ""
    sheet: str = ""
    columns: dict[str, str] = {}
    dates: str = ""
    prefix: str = ""
    former: bool = False
    correct: bool = False

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The fields as an address or a form repeats them."""
        found = [("file", self.file), ("sheet", self.sheet), ("dates", self.dates), ("prefix", self.prefix)]
        found += [(name, "yes") for name, marked in (("former", self.former), ("correct", self.correct)) if marked]
        for heading, field in self.columns.items():
            found += [("heading", heading), ("field", field)]
        return [(name, value) for name, value in found if value]


def _asked(values: Values, given: "Mapping[str, Sequence[str]]") -> Asked:
    headings, fields = list(given.get("heading", ())), list(given.get("field", ()))
    return Asked(
        file=values.text("file", most=64),
        sheet=values.text("sheet", most=200),
        columns={
            heading: field for heading, field in zip(headings, fields, strict=False) if heading and field and field != _OPEN
        },
        dates=values.one_of("dates", ("month-first", "day-first"), "order of dates"),
        prefix=values.text("prefix", most=40),
        former=values.ticked("former"),
        correct=values.ticked("correct"),
    )


@router.get("/permits/import")
def look(request: Request) -> Response:
    """Show where a file is chosen; of one that was, what is understood of it."""
    values = asked_of(request)
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    asked = _asked(values, given)
    desk = desk_of(request)
    if not asked.file or values.faults:
        with desk.open() as opened:
            if not asked.file:
                return page(request, "import.html", town=opened.town.name, **shown_faults(()))
            return _preview(request, opened, asked, _Read(faults=tuple(values.faults)))
    job = desk.jobs.find(values.text("job", most=64))
    if job is None or not (isinstance(job.result, _Read) or not job.ended):
        job = _begin(request, asked, write=False)
    return _shown(request, asked, job)


@router.post("/permits/import")
def take(request: Request) -> Response:
    """Keep the file that was chosen, and look at it."""
    desk = desk_of(request)
    upload = next(iter(files_of(request).get("file", ())), None)
    if not session_of(request).name:
        return who_first("/permits/import")
    fault = None
    if upload is None:
        fault = Fault(what="no file is chosen", remedy="choose the spreadsheet", key="file")
    elif upload.name.rpartition(".")[2].casefold() not in _ENDINGS:
        remedy = "save it as .xlsx or .csv"
        fault = Fault(what=f"{upload.name} is no spreadsheet that the desk reads", remedy=remedy, key="file")
    elif not upload.content:
        fault = Fault(what=f"the file {upload.name} is empty", remedy="save it again, or choose another one", key="file")
    if fault is not None or upload is None:
        with desk.open() as opened:
            told = shown_faults([fault] if fault else [])
            return page(request, "import.html", status=400, town=opened.town.name, **told)
    from urllib.parse import urlencode

    return see_other("/permits/import?" + urlencode({"file": desk.kept.keep(upload)}))


class _Read(Struct, frozen=True, kw_only=True):
    """What came of reading a file: the report, or what is wrong with it; ``key`` is that of the file of questions.

    ``columns`` is what each column is, as far as that is known; ``?`` where a person must say.
    """

    report: "Any" = None
    key: str = ""
    columns: dict[str, str] = {}
    faults: tuple[Fault, ...] = ()


_AT_ONCE_SECONDS = 3.0
"""So long the answer waits for a file that is read: a short one is shown at once, a long one with how far it is."""


def _begin(request: Request, asked: Asked, *, write: bool) -> Job:
    """Begin to read a file, and with ``write`` to take it in; wait a moment for a short one."""
    from urllib.parse import urlencode

    desk = desk_of(request)
    title = f"{_name_of(request, asked) or 'The file'} is being {'imported' if write else 'read'}"
    back = "/permits/import?" + urlencode(asked.pairs)
    waits = "All of it is written at once, when every row is read." if write else "Nothing is written yet."
    job = Job(title, back, waits=waits)
    job.after = f"/permits/import/done?{urlencode([*asked.pairs, ('job', job.id)])}" if write else f"{back}&job={job.id}"
    desk.jobs.start(job, partial(_work, desk, session_of(request).name, asked, write=write))
    job.over.wait(_AT_ONCE_SECONDS)
    return job


def _work(desk: Desk, by: str, asked: Asked, progress: "Callable[[str], None]", *, write: bool) -> _Read:
    """Read the file; what is wrong with it is a result too, for it is answered on the page.

    It is read in a folder of its own: the files that an import writes beside a spreadsheet are handed to the browser, and stay nowhere.
    """
    from geonotice.register.session import open_town_register, read_town_register
    from geonotice.workflow.permit_import import ImportAnswers, import_permits

    answers = ImportAnswers(
        columns=asked.columns,
        dates=cast("DateOrder | None", asked.dates or None),
        parcel_prefix=asked.prefix,
        former_parcels=asked.former,
    )
    opening = open_town_register if write else read_town_register
    try:
        kept = desk.kept.file(asked.file)
        with desk.open() as opened, TemporaryDirectory() as folder, opening(opened.town) as register:
            file = Path(shutil.copyfile(kept, Path(folder) / kept.name))
            report = import_permits(
                opened,
                register,
                file,
                now=desk.now(),
                by=by or "nobody",
                sheet=asked.sheet or None,
                answers=answers,
                correct=asked.correct,
                dry_run=not write,
                progress=progress,
            )
            asks = Path(report.questions) if report.questions else None
            key = desk.kept.keep(HandedIn(asks.name, asks.read_bytes())) if asks else ""
    except UnreadColumns as error:
        return _Read(columns={**_open_columns(error.mapping), **asked.columns}, faults=tuple(error.faults))
    except GeonoticeError as error:
        return _Read(columns=dict(asked.columns), faults=tuple(error.faults))
    columns = {name: report.fields.get(name, asked.columns.get(name, "")) for name in report.headings}
    return _Read(report=report, key=key, columns=columns)


def _shown(request: Request, asked: Asked, job: Job) -> Response:
    """Show what was understood of a file, or how far that is."""
    with desk_of(request).open() as opened:
        if not job.ended:
            return page(request, "import_wait.html", town=opened.town.name, name=_name_of(request, asked), job=job)
        return _preview(request, opened, asked, job.result or _Read(faults=job.faults))


def _preview(request: Request, opened: "Opened", asked: Asked, read: _Read) -> Response:
    from geonotice.register.headings import COLUMNS, MORE_COLUMNS
    from geonotice.register.question_file import understood_words

    report: ImportReport | None = read.report
    rows = sorted(report.rows, key=lambda row: (_FIRST.index(row.outcome), row.n)) if report else []
    return page(
        request,
        "import_preview.html",
        status=400 if read.faults else 200,
        town=opened.town.name,
        asked=asked,
        name=_name_of(request, asked),
        columns=read.columns,
        fields=(*COLUMNS, *MORE_COLUMNS, "hours", "ignore"),
        report=report,
        rows=[(row, _OUTCOMES[row.outcome], understood_words(row)) for row in rows[:_MOST_SHOWN]],
        more=max(0, len(rows) - _MOST_SHOWN),
        outcomes=_OUTCOMES,
        **shown_faults(read.faults, {"columns": "columns"}),
    )


def _name_of(request: Request, asked: Asked) -> str:
    try:
        return desk_of(request).kept.file(asked.file).name
    except UsageError:
        return ""


def _open_columns(mapping: str) -> dict[str, str]:
    """Return what a mapping file says of each column; ``?`` where a person must say."""
    from geonotice.io.toml import read_toml

    found = read_toml(mapping.encode()).get("columns", {})
    return {str(heading): str(field) for heading, field in found.items()}


@router.post("/permits/import/write")
def write(request: Request) -> Response:
    """Begin to take in the permits that fit; the page that follows tells what came of it."""
    given = fields_of(request)
    values = Values(given)
    asked = _asked(values, given)
    if not session_of(request).name:
        return who_first("/permits/import")
    values.require()
    return see_other(_begin(request, asked, write=True).after)


@router.get("/permits/import/done")
def done(request: Request) -> Response:
    """Tell what was taken in, and ask about the other rows; while it is being done, how far it is."""
    values = asked_of(request)
    asked = _asked(values, {name: request.query_params.getlist(name) for name in request.query_params})
    job = desk_of(request).jobs.find(values.text("job", most=64))
    if job is None:
        what = "this import is not known any more: the desk was started again since"
        raise UsageError(
            Fault(what=what, remedy="look at the permits, or hand the file in again: what is there already is not taken twice")
        )
    read = job.result
    if not job.ended or not isinstance(read, _Read) or read.faults:
        return _shown(request, asked, job)
    report: ImportReport = read.report
    with desk_of(request).open() as opened:
        return page(
            request,
            "import_done.html",
            town=opened.town.name,
            asked=asked,
            report=report,
            key=read.key,
            asks_name=_name_of(request, Asked(file=read.key)),
            table=_asked_rows(report),
            outcomes=[(words, report.count(name)) for name, words in _OUTCOMES.items() if report.count(name)],  # type: ignore[arg-type]  # the outcomes are these
            most=_MOST_FIXED,
        )


def _asked_rows(report: "ImportReport") -> "tuple[Sequence[str], list[tuple[str, list[str]]]]":
    """Return the rows that are asked about as a page edits them: the headings, and for each row what is asked and its cells as text."""
    from geonotice.register.question_file import question_table, table_bytes

    if not report.refused:
        return (), []
    text = table_bytes(question_table(report), Path("rows.csv")).decode("utf-8-sig")
    heading, *rows = csv.reader(io.StringIO(text))
    return heading[:-1], [(row[-1], row[:-1]) for row in rows]


@router.post("/permits/import/fix")
def fix(request: Request) -> Response:
    """Take the rows as they were answered on the page as a file of their own, and look at that."""
    from urllib.parse import urlencode

    from geonotice.register.headings import QUESTION

    given, desk = fields_of(request), desk_of(request)
    if not session_of(request).name:
        return who_first("/permits/import")
    heading, cells, questions = (list(given.get(name, ())) for name in ("column", "cell", "question"))
    if not heading or len(cells) != len(heading) * len(questions):
        raise UsageError(Fault(what="the rows did not arrive whole", remedy="go back, and send them again"))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([*heading, QUESTION])
    for n, question in enumerate(questions):
        writer.writerow([*cells[n * len(heading) : (n + 1) * len(heading)], question])
    name = f"{Path(next(iter(given.get('name', ())), '') or 'permits').stem.removesuffix('.questions')}.questions.csv"
    key = desk.kept.keep(HandedIn(_plain(name), ("\ufeff" + stream.getvalue()).encode()))
    kept = Values(given)
    more: dict[str, Any] = {
        "dates": kept.one_of("dates", ("month-first", "day-first"), "order of dates"),
        "prefix": kept.text("prefix", most=40),
    }
    return see_other("/permits/import?" + urlencode({"file": key, **{name: value for name, value in more.items() if value}}))


def _plain(name: str) -> str:
    return (
        "".join(sign if sign.isalnum() or sign in "-_. " else "_" for sign in name)[-100:].strip(". ") or "permits.questions.csv"
    )


@router.get("/permits/import/questions")
def questions_file(request: Request) -> Response:
    """Return the file of questions, to be answered in a spreadsheet and handed in again."""
    from urllib.parse import quote

    file = desk_of(request).kept.file(asked_of(request).text("file", most=64))
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(file.read_bytes(), media_type="application/octet-stream", headers=headers)
