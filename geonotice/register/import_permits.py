"""Import a town's spreadsheet of past permits: what fits is taken, what was corrected is offered, what does not fit is asked about."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import Fault, QuestionError, UsageError
from geonotice.register.assignments import Answers, Assignment, assign
from geonotice.register.cells import clean, read_text
from geonotice.register.headings import COLUMNS, QUESTION
from geonotice.register.held_hours import moved_hours, sessions_json, sessions_text
from geonotice.register.log import ANSWER_ACTION, LEFT_OUT
from geonotice.register.parcel_cells import ParcelFinder
from geonotice.register.permit_rows import Sheet, SheetRow
from geonotice.register.row_reader import RowRead, RowReader, Sunset
from geonotice.register.rows import add, change, load
from geonotice.register.sheets import placed, read_sheet
from geonotice.register.tables_and_columns import LOG, PERMITS, fetch
from geonotice.register.values import Land, Permit, days_of_event
from geonotice.register.written_days import Habits

if TYPE_CHECKING:
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register, Writing


__all__ = ["Difference", "ImportReport", "ImportRow", "Outcome", "import_"]

Outcome = Literal["taken", "taken_with_remarks", "there_already", "differs", "corrected", "not_a_permit", "refused"]
"""What becomes of a row: ``differs`` is a correction that is offered, ``corrected`` one that was taken, ``refused`` one that is asked about."""

_COMPARED = tuple(name for name in Permit.__struct_fields__ if name not in {"number", "land", "source", "route", "route_crs"})
"""What must agree for a row to be the permit of its number that is there already; the land may have been drawn anew meanwhile."""

_OF_EXPORT = ("owned_by", "maximum_attendance", "override", "override_by", "yard_sale_days")
"""Columns that, with the others, only an export of this program has: of whatever version."""

_CORRECTION = "import_correct"
_BY_FILE = ("import", _CORRECTION)
"""Actions of the log by which a file wrote a permit."""

_AT_ONCE = 400


class Difference(Struct, frozen=True, kw_only=True):
    """A field in which a row and the register differ, in words."""

    field: str
    there: str
    here: str


class ImportRow(Struct, frozen=True, kw_only=True):
    """What became of one row; ``n`` is its number in the spreadsheet, ``understood`` what was read of it."""

    n: int
    number: str
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    understood: Mapping[str, Any] = {}


class ImportReport(Struct, frozen=True, kw_only=True):
    """What became of a file.

    ``remarks`` are about the whole of it: columns that were not read, answers that are missing throughout. ``columns`` are the town's headings and
    ``cells`` the rows that are asked about, by their number, for the file of questions; ``title`` is the sheet, where the workbook has several; ``questions`` the file that they
    were written to; ``headings`` are all of the file's, ``fields`` what each that is read was understood as.
    """

    file: str
    rows: tuple[ImportRow, ...]
    remarks: tuple[str, ...] = ()
    written: bool = True
    columns: tuple[str, ...] = ()
    cells: Mapping[int, Mapping[str, Any]] = {}
    title: str = ""
    questions: str = ""
    headings: tuple[str, ...] = ()
    fields: Mapping[str, str] = {}

    def count(self, *outcomes: Outcome) -> int:
        """Count the rows of these outcomes."""
        return sum(row.outcome in outcomes for row in self.rows)

    @property
    def refused(self) -> tuple[ImportRow, ...]:
        """The rows that did not fit, and are asked about."""
        return tuple(row for row in self.rows if row.outcome == "refused")

    @property
    def differing(self) -> tuple[ImportRow, ...]:
        """The rows that would correct a permit."""
        return tuple(row for row in self.rows if row.outcome == "differs")


def import_(
    register: "Register",
    path: Path,
    *,
    locate: Callable[[str], Land],
    crs: str = "",
    move: Callable[[bytes, str], bytes] | None = None,
    sunset: Sunset | None = None,
    example: str = "",
    now: datetime,
    by: str,
    why: str = "",
    sheet: str | None = None,
    answers: Answers | None = None,
    correct: bool = False,
    dry_run: bool = False,
    progress: "Callable[[str], None] | None" = None,
) -> ImportReport:
    """Import permits from CSV, XLSX or GeoPackage.

    Parameters
    ----------
    register
        An open register.
    path
        The file; its columns are :data:`geonotice.register.headings.COLUMNS`, a town's usual words for them, or as ``answers`` assigns them.
    locate
        Finds a parcel as it is today by its tax map number; raises :class:`ParcelNotFound` where there is none, another
        :class:`UsageError` where it cannot tell.
    crs, move
        The CRS that the layers are in, and what brings well-known binary from another to it; without ``move`` shapes are kept as they are.
    sunset
        When the sun sets on a parcel, for what hours suggest.
    example
        A number of the layer, which tells how many parts its numbers have.
    now, by, why
        For the log; a remark stands there behind each row's place in the file.
    sheet
        The sheet or table, where the file has several.
    answers
        What a person has assigned.
    correct
        Take the rows that differ from a permit in the register as corrections of it.
    dry_run
        Report only; write nothing.
    progress
        Is told how far it is.

    Raises
    ------
    InputError
        The file cannot be read, or lacks the columns without which no permit can be counted.
    UnreadColumns
        A column that permits are counted by is not understood.
    QuestionError
        Several sheets hold permits, and none is named; or the layer has hardly any of the parcels.
    UsageError
        Nobody is named.
    RegisterError
        The database refuses; nothing was written.
    """
    who = clean(by)
    if not who:
        raise UsageError(Fault(what="nobody is named", remedy="give your name", command="give --by NAME"))
    table = read_sheet(path, sheet=sheet)
    if table.others:
        raise _which_sheet(path, table)
    table = placed(table, crs, move) if move else table
    answered = answers or Answers()
    exported = {*COLUMNS, *_OF_EXPORT} <= set(table.columns)
    finder = ParcelFinder(locate, prefix=answered.parcel_prefix, exact=exported, example=example, former=answered.former_parcels)
    assignment = assign(table, answered, file=str(path), year=now.year, is_parcel=finder.has)
    habits = Habits(year=now.year, order=assignment.order, epoch=table.epoch)
    if "parcels" in assignment.headings:
        finder.look_through(read_text(row.cells.get(assignment.headings["parcels"])) for row in table.rows)

    def read(row: SheetRow) -> RowRead:
        source = f"{path.name}, row {row.n}"
        reader = RowReader(
            table, row, assignment=assignment, finder=finder, habits=habits, source=source, sunset=sunset, today=now.date()
        )
        return reader.read()

    found = []
    for n, row in enumerate(table.rows):
        if progress and n and n % _TOLD_EVERY == 0:
            progress(f"{n:,} of {len(table.rows):,} rows are read")
        found.append(read(row))
    if progress:
        progress("All rows are read, and compared with the register")
    _require_of_town(path, found)
    remarks = (*table.remarks, *assignment.remarks, *_about(assignment, found))
    put = next((name for name in table.columns if name.casefold() == QUESTION), "")
    questions = {row.n: read_text(row.cells.get(put)) for row in table.rows} if put else {}
    if dry_run:
        with register.reading() as connection:
            sorted_ = _Sorting(connection, correct=correct, questions=questions).sort(found)
    else:
        with register.writing() as writing:
            sorted_ = _Sorting(writing.connection, correct=correct, questions=questions).sort(found)
            _write(writing, sorted_, file=path.name, now=now, by=who, why=why)
    asked = {row.n: row for row in sorted_.rows if row.outcome == "refused"}
    unnumbered = "number" not in assignment.headings and any(row.reasons[0].startswith("number:") for row in asked.values())
    return ImportReport(
        file=str(path),
        rows=tuple(sorted_.rows),
        remarks=remarks,
        written=not dry_run,
        columns=(*(["number"] if unnumbered else []), *table.columns),
        cells={row.n: row.cells for row in table.rows if row.n in asked},
        title=table.title,
        headings=tuple(table.columns),
        fields={heading: field for field, heading in assignment.headings.items()},
    )


_TOLD_EVERY = 100
"""Rows after which an import reports how far it is."""


def _which_sheet(path: Path, table: Sheet) -> QuestionError:
    names = [table.title, *table.others]
    return QuestionError(
        Fault(
            what=f"several sheets hold permits: {', '.join(names)}",
            why="one is read at a time, and the others would be missing",
            file=str(path),
            remedy="import each of them: type the name of its sheet",
            command=f"import each of them: {', '.join(f'--sheet {json.dumps(name, ensure_ascii=False)}' for name in names)}",
        )
    )


_FEW = 5
"""The fewest rows from which a file is known to be another town's; fewer are asked about one by one."""
_HARDLY_ANY = 0.2
"""Share of the rows with parcels of which the layer has one: below, the file and the layer do not go together."""


def _require_of_town(path: Path, found: Iterable[RowRead]) -> None:
    """Stop where the layer has hardly any of the parcels that the file names.

    Raises
    ------
    QuestionError
        It is another town's file, or one of before a renumbering.
    """
    named = [row for row in found if row.parcels]
    elsewhere = [row for row in named if row.elsewhere]
    if len(named) < _FEW or len(named) - len(elsewhere) >= _HARDLY_ANY * len(named):
        return
    some = ", ".join(dict.fromkeys(parcel for row in elsewhere for parcel in row.parcels[:1]))
    raise QuestionError(
        Fault(
            what=f"of {len(named)} rows that name a parcel, the layer has none of the parcels of {len(elsewhere)} ({some[:_SHOWN]}...)",
            why="the file may be another town's, or have the numbers of before a renumbering: its permits would count on no lot; nothing was taken",
            file=str(path),
            remedy="import the file of this town; what stands before short numbers can be given, and numbers that the layer has no longer be taken as those "
            "of former parcels",
            command="import the file of this town; --parcel-prefix completes short numbers; --former-parcels takes the permits under numbers "
            "that the layer has no longer",
        )
    )


_SHOWN = 120
"""Characters of a list that a message names."""


def _write(writing: "Writing", sorted_: "_Sorting", *, file: str, now: datetime, by: str, why: str) -> None:
    """Write new permits, corrections and answers, each with its row of the log."""
    add(writing.connection, sorted_.new)
    for permit in sorted_.new:
        reason = f"{permit.source}; {why}" if why else permit.source
        writing.chain.append(permit, at=now, by=by, action="import", why=reason)
    for before, permit, source, differences in sorted_.corrections:
        changes = "; ".join(f"{one.field}: {one.there} is now {one.here}" for one in differences)
        change(writing.connection, before, permit)
        writing.chain.append(permit, at=now, by=by, action=_CORRECTION, why=f"{source}: {changes}{f'; {why}' if why else ''}")
    for item, state in sorted_.answers:
        said = f"{file}, row {item.n}: {item.none}{f'; {why}' if why else ''}"
        writing.chain.append_state(_answered_as(item), state, at=now, by=by, action=ANSWER_ACTION, why=said)


def _about(assignment: Assignment, found: Iterable[RowRead]) -> list[str]:
    """Return what holds for the whole file: how its dates were read, and which columns it lacks."""
    rows = list(found)
    said = []
    if any(row.month_first for row in rows):
        said.append("dates such as 7/4/2026 were read month first")
    if any(row.two_digits for row in rows):
        said.append("years of two digits were read as of this century, or of the last where they are more than ten years ahead")
    absent = {
        "number": "a number was made from each row's content",
        "issued": "the days of issue are unknown: in residential districts these permits may or may not count",
        "starts": "the days of the events are unknown: outside residential districts these permits may or may not count",
        "charitable": "for none of them is it known whether the applicant is a charitable organization",
        "night": "for none of them is it known whether it was at night",
        "distinct_events": "each was taken for one event",
        "status": "each was taken for issued",
    }
    said += [f"there is no column {column}: {what}" for column, what in absent.items() if column not in assignment.headings]
    return said


_Sorted = tuple[Outcome, tuple[str, ...], tuple[Difference, ...]]
"""What becomes of a row, why, and in what it differs."""


class _Sorting:
    """Tells new permits from those that are there already, in the register or further up in the file, and from corrections of these."""

    def __init__(self, connection: "AnyConnection", *, correct: bool, questions: Mapping[int, str]) -> None:
        self._connection = connection
        self._correct = correct
        self._questions = questions
        self._answers: set[str] = set()
        self._there: dict[str, Permit] = {}
        self._by_file: dict[str, dict[str, Any]] = {}
        self._seen: dict[str, int] = {}
        self._unnumbered: list[Permit] = []
        self.rows: list[ImportRow] = []
        self.new: list[Permit] = []
        self.corrections: list[tuple[Permit, Permit, str, tuple[Difference, ...]]] = []
        self.answers: list[tuple[RowRead, str]] = []

    def sort(self, found: list[RowRead]) -> "_Sorting":
        """Sort the rows of a file; return itself."""
        numbers = list(dict.fromkeys(item.number for item in found if item.number))
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            self._there |= {
                permit.number: permit for permit in self._loaded("SELECT id FROM permits WHERE number IN :numbers", numbers=some)
            }
            self._load_states(some)
        if any(not item.numbered and item.permit for item in found):
            same = {item.number for item in found}
            self._unnumbered = [
                permit
                for permit in self._loaded("SELECT id FROM permits WHERE number LIKE 'unnumbered-%'")
                if permit.number not in same
            ]
        if self._questions or any("status" in item.unread for item in found):
            answers = fetch(self._connection, "SELECT state FROM log WHERE action = :action", LOG, action=ANSWER_ACTION)
            self._answers = {row.state for row in answers}
        for item in found:
            outcome, reasons, differences = self._one(item)
            understood = _understood(item)
            self.rows.append(
                ImportRow(
                    n=item.n, number=item.number, outcome=outcome, reasons=reasons, differences=differences, understood=understood
                )
            )
        return self

    def _load_states(self, numbers: list[str]) -> None:
        """Read what a file last wrote of each permit: what was changed since was not changed by a file."""
        asked = "SELECT permit, state FROM log WHERE permit IN :numbers AND action IN :actions ORDER BY n"
        for row in fetch(self._connection, asked, LOG, numbers=numbers, actions=list(_BY_FILE)):
            self._by_file[row.permit] = json.loads(row.state)

    def _loaded(self, asked: str, **values: object) -> list[Permit]:
        return load(self._connection, [row.id for row in fetch(self._connection, asked, PERMITS, **values)])

    def _one(self, item: RowRead) -> "_Sorted":
        there = self._there.get(item.number)
        if item.none:
            return self._none(item, there)
        if item.permit is None:
            return self._unread(item, there)
        return self._new(item, item.permit) if there is None else self._again(item, item.permit, there)

    def _none(self, item: RowRead, there: Permit | None) -> "_Sorted":
        """Sort a row that is no permit; one of which the register has a permit is asked about."""
        if there is None or there.status == "void":
            question = self._questions.get(item.n, "")
            state = _answer(item, question)
            if question and item.values and state not in self._answers:
                self._answers.add(state)
                self.answers.append((item, state))
            return "not_a_permit", (item.none,), ()
        remedy = f"if there is none, void permit {there.number}, with the reason"
        return "refused", (f"status: {item.none}, and permit {there.number} is in the register as {there.status}; {remedy}",), ()

    def _unread(self, item: RowRead, there: Permit | None) -> "_Sorted":
        """Sort a row with faults: asked about, once; what was answered stands in the register."""
        if (there is None or there.status == "void") and "status" in item.unread and self._answered(item):
            return "not_a_permit", ("it was asked about before, and answered: no permit was issued",), ()
        if there is None or item.number in self._seen or self._changed(there, item.values, item):
            return "refused", item.faults, ()
        return "there_already", (f"it stands in the register, with an answer for {', '.join(sorted(item.unread))}",), ()

    def _answered(self, item: RowRead) -> bool:
        """Return whether the same question about the same row was answered with "not a permit"."""
        return _answer(item, "; ".join(item.faults)) in self._answers

    def _again(self, item: RowRead, permit: Permit, there: Permit) -> "_Sorted":
        """Sort a row whose permit is there: the same, or a correction of it, or another of its number."""
        where = f"in row {self._seen[item.number]}" if item.number in self._seen else "in the register"
        differences = self._changed(there, _values(permit), item)
        if not differences:
            return "there_already", (f"it stands {where}{self._since(there, item)}",), ()
        words = "; ".join(f"{one.field} is {one.there} there, {one.here} here" for one in differences)
        stands = f"permit {item.number} stands {where} already, but otherwise: {words}"
        if item.number in self._seen or _is_another(there, permit):
            return "refused", (f"number: {stands}; give the row a number of its own, or make the two agree",), ()
        if there.status != "issued" and any(one.field == "status" for one in differences):
            reason = f"status: permit {item.number} is {there.status} in the register, and is not brought back by a file: {words}"
            return "refused", (reason,), ()
        if not self._correct:
            return "differs", (stands,), differences
        fields = {one.field for one in differences}
        values = {name: value for name, value in _values(permit).items() if name in fields}
        corrected = replace(there, **values, **({"land": permit.land} if "parcels" in fields else {}))
        if (
            "hours" not in fields
            and (lost := moved_hours(there.hours, days_of_event(there), days_of_event(corrected))) != there.hours
        ):
            corrected = replace(corrected, hours=lost or ())
            differences = (*differences, Difference(field="hours", there=_shown(there.hours), here=_shown(corrected.hours)))
        self._there[item.number] = corrected
        self._seen[item.number] = item.n
        self.corrections.append((there, corrected, permit.source, differences))
        return "corrected", tuple(f"{one.field}: {one.there} is now {one.here}" for one in differences), differences

    def _new(self, item: RowRead, permit: Permit) -> "_Sorted":
        if not item.numbered and (like := next((other for other in self._unnumbered if _is_like(other, permit)), None)):
            words = "; ".join(
                f"{one.field} is {one.there} there, {one.here} here" for one in self._changed(like, _values(permit), item)
            )
            reason = f"number: it has none, and may be {like.number}, of which {words or 'the parcels differ'}; write that number, or one of its own"
            return "refused", (reason,), ()
        self._there[permit.number] = permit
        self._seen[permit.number] = item.n
        self.new.append(permit)
        return ("taken_with_remarks" if item.remarks else "taken"), item.remarks, ()

    def _changed(self, there: Permit, values: Mapping[str, Any], item: RowRead) -> tuple[Difference, ...]:
        """Return what a row says otherwise than the register, of the fields that the file has and did not write so itself before."""
        told = self._by_file.get(there.number, {})
        said = []
        fields = {"ends", "yard_sale_days"} if "starts" in item.present and values.get("starts") != there.starts else set()
        for name in _COMPARED:
            if name in item.unread or name not in item.present | fields or name not in values:
                continue
            before, after = getattr(there, name), values[name]
            if before == after or (told and told.get(name, LEFT_OUT.get(name)) == _as_told(after)):
                continue
            said.append(Difference(field=name, there=_shown(before), here=_shown(after)))
        told_parcels = sorted(one["parcel"] for one in told.get("parcels", ()))
        if "parcels" in item.present - item.unread and sorted(item.parcels) not in (sorted(there.parcels), told_parcels):
            said.append(Difference(field="parcels", there=_shown(there.parcels), here=_shown(item.parcels)))
        return tuple(said)

    def _since(self, there: Permit, item: RowRead) -> str:
        values = _values(item.permit) if item.permit else {}
        changed = [name for name in _COMPARED if name in item.present and values.get(name) != getattr(there, name)]
        return f", where it was changed since: {', '.join(changed)}" if changed and there.number in self._by_file else ""


def _values(permit: Permit) -> dict[str, Any]:
    return {name: getattr(permit, name) for name in _COMPARED}


def _as_told(value: object) -> object:
    """Return a value as the log keeps it."""
    if isinstance(value, tuple):
        pairs = bool(value) and isinstance(value[0], tuple)  # hours: the one list of lists
        return sessions_json(value) if pairs else [_as_told(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def _answered_as(item: RowRead) -> str:
    """Return what the log keeps an answer under; the number that is made for a row without one changes with the answer."""
    return item.number if item.numbered else "unnumbered"


def _answer(item: RowRead, question: str) -> str:
    """Write an answer as the log keeps it: of which row, and to what; the day of issue and the status are what the answer changes."""
    told = {name: _as_told(item.values.get(name)) for name in ("kind", "title", "applicant", "persons", "starts")}
    state = {"number": _answered_as(item), "question": " ".join(question.split()), **told}
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _in_common(there: Permit, new: Permit) -> int:
    """Count what two permits have in common: parcels, applicant, title, day and day of issue."""
    same = (
        sorted(there.parcels) == sorted(new.parcels) and bool(new.parcels),
        bool(new.applicant) and there.applicant == new.applicant,
        bool(new.title) and there.title == new.title,
        new.starts is not None and there.starts == new.starts,
        new.issued is not None and there.issued == new.issued,
    )
    return sum(same)


def _is_another(there: Permit, new: Permit) -> bool:
    """Return whether a row and a permit of one number are two: they have nothing in common, or numbers begin anew each year.

    The same fair may come back every year under the same number; a slip of the pen in the year leaves the day of issue as it was.
    """
    years = {permit.starts.year for permit in (there, new) if permit.starts}
    return not _in_common(there, new) or (len(years) > 1 and there.issued != new.issued)


def _is_like(there: Permit, new: Permit) -> bool:
    """Return whether a row without a number may be a permit without one that was corrected since."""
    return _in_common(there, new) >= _LIKE


_LIKE = 3
"""Of parcels, applicant, title, day and day of issue, how many make two permits without numbers alike."""


def _understood(item: RowRead) -> dict[str, Any]:
    """Return what was read of a row, as JSON has it; fields that could not be read are null."""
    if not item.values:
        return {}
    read = {name: (None if name in item.unread else _as_told(value)) for name, value in item.values.items()}
    return {"number": item.number, "parcels": list(item.parcels), **read}


def _shown(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, tuple):
        pairs = bool(value) and isinstance(value[0], tuple)
        return sessions_text(value) if pairs else ", ".join(_shown(item) for item in value) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) or "empty"
