"""Which column of a town's file is which: by its heading, by what a person assigned, and what must be asked before anything is counted."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import cast, get_args

from msgspec import Struct

from geonotice.errors import Fault, InputError, UnreadColumns, UsageError
from geonotice.io.csv_tables import is_blank
from geonotice.io.toml import NotToml, read_toml
from geonotice.register.cells import CellError, read_status, read_text, read_yes_no
from geonotice.register.headings import (
    COLUMNS,
    CONTACT,
    HOURS,
    MORE_COLUMNS,
    NOT_KEPT,
    QUESTION,
    column_name,
    heading_by_words,
    looks_essential,
)
from geonotice.register.permit_rows import Sheet
from geonotice.register.written_days import DateOrder, Habits, date_orders, read_days

__all__ = ["Answers", "Assignment", "assign", "assigned", "mapping_text", "read_mapping"]

IGNORE = "ignore"
"""What a person writes for a column that is not to be read."""

_FIELDS = (*COLUMNS, *MORE_COLUMNS)
_SEVERAL = frozenset({HOURS, CONTACT})
"""Fields that several columns may stand for together."""
_OPEN = "?"
_SAMPLE = 200
_MOST = 0.6
"""Share of the filled cells of a column that must be of a kind for the column to look like it."""
_SHOWN = 3
_DATED = ("starts", "ends", "issued", "yard_sale_days")
_COUNTED = {
    "number",
    "parcels",
    "starts",
    "ends",
    "issued",
    "charitable",
    "primarily_benefits_applicant",
    "distinct_events",
    "night",
    "status",
}
"""Fields that permits are counted by: of two columns that could be one of them, none is taken by chance."""
_INTERNAL = {"fid", "geom"}
"""Columns of every GeoPackage."""


class Answers(Struct, frozen=True, kw_only=True):
    """What a person has answered about a file.

    Parameters
    ----------
    columns
        Fields by heading; ``ignore`` for one that is not to be read. Each heading must be there.
    mapped
        The same from a mapping file, which may name headings that this file does not have; ``columns`` come before it.
    dates
        In which order its dates are written.
    parcel_prefix
        What stands before its short parcel numbers: ``0900`` before ``124-2-2``.
    former_parcels
        Whether the parcels that the layer does not have are meant: their numbers are former ones.
    """

    columns: Mapping[str, str] = {}
    mapped: Mapping[str, str] = {}
    dates: DateOrder | None = None
    parcel_prefix: str = ""
    former_parcels: bool = False


class Assignment(Struct, frozen=True, kw_only=True):
    """The columns of a file: headings by field, those with hours, with a contact and with places, how its dates are written, and what is to be said of it."""

    headings: Mapping[str, str]
    hours: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    order: DateOrder | None = "month-first"
    remarks: tuple[str, ...] = ()


def assigned(given: Iterable[str]) -> dict[str, str]:
    """Read assignments as the command line has them: ``"Organizer=applicant"``.

    Raises
    ------
    UsageError
        One is none, or names no column of a permit.

    Examples
    --------
    >>> assigned(["Organizer=applicant", "Fee = ignore"])
    {'Organizer': 'applicant', 'Fee': 'ignore'}
    """
    found: dict[str, str] = {}
    for text in given:
        heading, mark, field = (part.strip() for part in text.rpartition("="))
        if not mark or not heading:
            raise UsageError(Fault(what=f"{text!r} assigns nothing", key="--column", command='write --column "HEADING=FIELD"'))
        found[heading] = _field(field, f"--column {text!r}")
    return found


def _field(field: str, where: str) -> str:
    name = field.strip().casefold().replace(" ", "_")
    if name in (*_FIELDS, IGNORE):
        return name
    raise UsageError(
        Fault(what=f"{where}: {field!r} is no column of a permit", remedy=f"write one of: {', '.join((*_FIELDS, IGNORE))}")
    )


def read_mapping(path: Path) -> Answers:
    """Read the answers of a mapping file; those still open (``?``) are left out.

    Raises
    ------
    InputError
        It cannot be read, or holds what is no answer.
    """
    try:
        content = read_toml(path.read_bytes())
    except (OSError, NotToml) as error:
        remedy = error.remedy if isinstance(error, NotToml) else "check the path"
        what = error.what if isinstance(error, NotToml) else f"it cannot be read ({error.strerror})"
        raise InputError(Fault(what=what, file=str(path), remedy=remedy)) from error
    faults = [
        Fault(what=f"there is no key {key!r} in a mapping", file=str(path), remedy="keep columns, dates and parcel_prefix only")
        for key in content
        if key not in {"columns", "dates", "parcel_prefix"}
    ]
    columns, dates, prefix = content.get("columns", {}), content.get("dates", _OPEN), content.get("parcel_prefix", "")
    if not isinstance(columns, dict) or not all(isinstance(field, str) for field in columns.values()):
        faults.append(
            Fault(what="columns is no table of texts", file=str(path), remedy='write "HEADING" = "FIELD" under [columns]')
        )
        columns = {}
    if dates not in (*get_args(DateOrder), _OPEN):
        faults.append(Fault(what=f"dates is {dates!r}", file=str(path), remedy='write "month-first" or "day-first"'))
    if not isinstance(prefix, str):
        faults.append(Fault(what="parcel_prefix is no text", file=str(path), remedy='write it in quotation marks, as "0900"'))
    answers: dict[str, str] = {}
    for heading, field in columns.items():
        if field == _OPEN:
            continue
        try:
            answers[heading] = _field(field, f"columns.{heading}")
        except UsageError as error:
            faults += [Fault(what=fault.what, file=str(path), remedy=fault.remedy) for fault in error.faults]
    if faults:
        raise InputError(faults)
    return Answers(mapped=answers, dates=None if dates == _OPEN else cast("DateOrder", dates), parcel_prefix=prefix)


def assign(table: Sheet, answers: Answers, *, file: str, year: int, is_parcel: Callable[[str], bool]) -> Assignment:
    """Assign the columns of a file.

    Parameters
    ----------
    table
        The file.
    answers
        What a person has assigned; it comes before what the headings say.
    file
        What messages call it.
    year
        The year it is read in.
    is_parcel
        Returns whether the layer has a parcel of a number.

    Raises
    ------
    UnreadColumns
        A column without which permits would be counted wrongly was not understood, or two could be the same; with the text of a mapping file.
    InputError
        It has no columns of permits at all.
    UsageError
        A heading is assigned that the file does not have, or two are assigned to one field.
    """
    return _Columns(table, answers, file=file, year=year, is_parcel=is_parcel).assign()


class _Columns:
    """The columns of one file on their way to fields."""

    def __init__(self, table: Sheet, answers: Answers, *, file: str, year: int, is_parcel: Callable[[str], bool]) -> None:
        self._table = table
        self._answers = answers
        self._file = file
        self._habits = Habits(year=year)
        self._is_parcel = is_parcel
        self._fields: dict[str, str] = {}  # by heading
        self._questions: dict[str, str] = {}  # by heading
        self._remarks: list[str] = []

    def assign(self) -> Assignment:
        self._by_answers()
        taken = set(self._fields.values())
        exact = {name: column_name(name) for name in self._left()}
        self._take({name: field for name, field in exact.items() if field and (field not in taken or field in _SEVERAL)})
        for name, field in exact.items():
            if field and field in taken and field not in _SEVERAL and name not in self._fields:
                self._remarks.append(f"the column {name!r} was not read: another is assigned to {field}")
                self._fields[name] = IGNORE
        self._take_by_words()
        self._ask_of_the_rest()
        headings = {field: name for name, field in self._fields.items() if field in _FIELDS and field not in _SEVERAL}
        order, why = self._order(headings)
        self._require(headings)
        if self._questions or why:
            raise self._unread(why)
        unread = [name for name, field in self._fields.items() if field == NOT_KEPT and name != QUESTION]
        if unread:
            self._remarks.append(f"not kept, since a permit in the register has no place for it: {', '.join(unread)}")
        hours = self._hours()
        contacts = tuple(name for name in self._table.columns if self._fields.get(name) == CONTACT)
        places = tuple(
            name for name in unread if any(word in name.casefold() for word in ("location", "street", "route", "venue"))
        )
        return Assignment(
            headings=headings, hours=hours, contacts=contacts, places=places, order=order, remarks=tuple(self._remarks)
        )

    def _hours(self) -> tuple[str, ...]:
        """Return the columns of hours: one, or a beginning and an end; of more it is not clear which hours are meant."""
        names = tuple(name for name in self._table.columns if self._fields.get(name) == HOURS)
        own = tuple(name for name in names if name.strip().casefold() == HOURS)
        if own or len(names) <= len(("begins", "ends")):
            return own[:1] or names
        self._remarks.append(
            f"hours are not kept, since several columns have some: {', '.join(names)}; assign two of them to hours, the others to {IGNORE}"
        )
        return ()

    def _left(self) -> list[str]:
        return [name for name in self._table.columns if name not in self._fields and name not in _INTERNAL]

    def _by_answers(self) -> None:
        names = {name.casefold(): name for name in self._table.columns}
        missing = [heading for heading in self._answers.columns if heading.casefold() not in names]
        if missing:
            raise UsageError(
                Fault(
                    what=f"there is no column {', '.join(repr(heading) for heading in missing)}",
                    file=self._file,
                    remedy=f"the columns are: {', '.join(self._table.columns)}",
                )
            )
        given = {heading.casefold() for heading in self._answers.columns}
        mapped = {heading: field for heading, field in self._answers.mapped.items() if heading.casefold() in names.keys() - given}
        for heading, field in (*self._answers.columns.items(), *mapped.items()):
            if field not in {IGNORE, *_SEVERAL} and field in self._fields.values():
                other = next(name for name, known in self._fields.items() if known == field)
                what = f"both {other!r} and {heading!r} are assigned to {field}"
                raise UsageError(Fault(what=what, file=self._file, remedy=f"assign one of them to {IGNORE}"))
            self._fields[names[heading.casefold()]] = field

    def _take(self, found: Mapping[str, str]) -> None:
        """Take columns by field; ask where several are one."""
        for field in dict.fromkeys(found.values()):
            names = [name for name, one in found.items() if one == field]
            own = next((name for name in names if name.strip().casefold() == field), None)
            if len(names) > 1 and field not in _SEVERAL and (own or field not in _COUNTED):
                first = own or names[0]
                self._fields |= dict.fromkeys(names, IGNORE) | {first: field}
                self._remarks.append(f"several columns could be {field}; {first!r} was read")
            elif len(names) > 1 and field not in _SEVERAL:
                others = {
                    name: "could be " + field + ", as " + " and ".join(repr(one) for one in names if one != name) + " could"
                    for name in names
                }
                self._questions |= others
                self._fields |= dict.fromkeys(names, _OPEN)
            else:
                self._fields |= dict.fromkeys(names, field)

    def _take_by_words(self) -> None:
        found = {name: heading_by_words(name) for name in self._left()}
        self._fields |= {name: NOT_KEPT for name, field in found.items() if field == NOT_KEPT or name.casefold() == QUESTION}
        taken = set(self._fields.values())
        fresh = {
            name: field
            for name, field in found.items()
            if field and name not in self._fields and (field not in taken or field in _SEVERAL)
        }
        self._take(fresh)
        said = [f"{name!r} as {field}" for name, field in fresh.items() if self._fields[name] == field]
        if said:
            self._remarks.append(f"read by their words: {', '.join(said)}")

    def _ask_of_the_rest(self) -> None:
        named = "applicant" in self._fields.values()
        for name in self._left():
            cells = self._cells(name)
            why = self._looks_like(cells)
            if not why and cells and looks_essential(name):
                why = "its heading has a word of what permits are counted by"
            if not why and not named and self._is_names(cells):
                why = "no column says who the applicant is, and this one has names or other texts"
            if why and cells:
                self._questions[name] = f"{why} ({'; '.join(cells[:_SHOWN])})"
                self._fields[name] = _OPEN
            else:
                self._fields[name] = IGNORE
                if cells:
                    self._remarks.append(f"the column {name!r} was not read: a permit has nothing of that name")

    def _cells(self, name: str) -> list[str]:
        cells = (row.cells.get(name) for row in self._table.rows[:_SAMPLE])
        return list(
            dict.fromkeys(_text(cell) for cell in cells if not is_blank([cell]) and _text(cell).casefold() != name.casefold())
        )

    def _looks_like(self, cells: Sequence[str]) -> str:
        """Return what the cells of a column look like that permits are counted by; empty for nothing."""
        tests: tuple[tuple[Callable[[str], object], str], ...] = (
            (lambda cell: read_days(cell, self._habits).starts is not None, "its cells are dates"),
            (lambda cell: read_yes_no(cell) is not None and not cell.isdecimal(), "its cells are yes and no"),
            (_is_status, "its cells are statuses"),
            (self._is_parcel, "its cells are tax map numbers"),
        )
        return next((why for test, why in tests if cells and _share(cells, test) >= _MOST), "")

    def _is_names(self, cells: Sequence[str]) -> bool:
        return bool(cells) and sum(any(letter.isalpha() for letter in cell) for cell in cells) >= _MOST * len(cells)

    def _order(self, headings: Mapping[str, str]) -> tuple[DateOrder | None, str]:
        if self._answers.dates is not None:
            return self._answers.dates, ""
        names = [headings[field] for field in _DATED if field in headings]
        return date_orders(row.cells.get(name) for row in self._table.rows for name in names)

    def _require(self, headings: Mapping[str, str]) -> None:
        """Refuse a table that lacks the columns without which no permit can be counted, where no column is in question that may be one."""
        faults = []
        if "parcels" not in headings:
            faults.append(
                Fault(
                    what="no column says which parcels a permit is on",
                    file=self._file,
                    key="parcels",
                    remedy="say which column is `parcels`",
                    command='name it `parcels`, or assign it: --column "HEADING=parcels"',
                )
            )
        if not {"issued", "starts"} & set(headings):
            faults.append(
                Fault(
                    what="no column says when a permit was issued, or when its event starts",
                    file=self._file,
                    key="issued, starts",
                    remedy="say which columns are `issued` and `starts`",
                    command='name them `issued` and `starts`, or assign them: --column "HEADING=starts"',
                )
            )
        ignored = [
            name for name, field in self._fields.items() if field in {IGNORE, NOT_KEPT} and name not in self._answers.columns
        ]
        if faults and len(headings) + len(self._questions) <= 1:
            raise InputError(faults)
        if faults and not self._questions:
            if not ignored:
                raise InputError(faults)
            self._questions |= {name: f"{faults[0].what}: is it this one?" for name in ignored if self._cells(name)}
            self._fields |= dict.fromkeys(self._questions, _OPEN)
            if not self._questions:
                raise InputError(faults)

    def _unread(self, dates: str) -> UnreadColumns:
        faults = [
            Fault(
                what=f"the column {name!r} is not understood: {why}",
                why="permits would be counted wrongly without it",
                file=self._file,
                remedy="say what it is, or that it is nothing that counts",
                command=f'say what it is: --column "{name}=FIELD", or --column "{name}={IGNORE}" where it is nothing that counts',
            )
            for name, why in self._questions.items()
        ]
        if dates:
            faults.append(
                Fault(
                    what=dates,
                    file=self._file,
                    remedy="say which: month first, or day first",
                    command="say which: --dates month-first or --dates day-first",
                )
            )
        shown = {
            name: {NOT_KEPT: IGNORE}.get(field, field)
            for name, field in self._fields.items()
            if name in self._table.columns and name.casefold() != QUESTION
        }
        return UnreadColumns(faults, mapping_text(shown, self._questions, dates=dates, answers=self._answers, file=self._file))


def _text(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date) else read_text(cell)[:_SAMPLE]


def _is_status(cell: str) -> bool:
    """Return whether a cell is a status, whether or not it goes with a day of issue."""
    try:
        return bool(read_status(cell, was_issued=False))
    except CellError:
        return bool(read_status(cell, was_issued=True))


def _share(cells: Sequence[str], test: Callable[[str], object]) -> float:
    def holds(cell: str) -> bool:
        try:
            return bool(test(cell))
        except CellError:
            return False

    some = cells[:20]
    return sum(holds(cell) for cell in some) / len(some)


def mapping_text(fields: Mapping[str, str], questions: Mapping[str, str], *, dates: str, answers: Answers, file: str) -> str:
    """Return a mapping file: what was understood of each column, and ``?`` where a person must say.

    Examples
    --------
    >>> print(mapping_text({"Kind": "kind", "NP": "?"}, {"NP": "its cells are yes and no"}, dates="", answers=Answers(), file="p.csv"))
    # How `permit import` reads p.csv. Replace each "?" and run the same command again.
    # A column is one of: number, kind, parcels, applicant, charitable, primarily_benefits_applicant, distinct_events, issued, starts,
    # ends, night, persons, status, title, owned_by, maximum_attendance, conditions, override, override_by, streets, yard_sale_days,
    # overridden, hours, contact, fee, private_title; or "ignore".
    <BLANKLINE>
    [columns]
    "Kind" = "kind"
    "NP" = "?"  # its cells are yes and no
    <BLANKLINE>
    """
    import textwrap

    listed = textwrap.wrap(f'A column is one of: {", ".join(_FIELDS)}; or "{IGNORE}".', 124)
    lines = [
        f'# How `permit import` reads {Path(file).name}. Replace each "?" and run the same command again.',
        *(f"# {line}" for line in listed),
        "",
    ]
    if dates:
        lines += [f"# {dates}: month-first or day-first?", f'dates = "{_OPEN}"', ""]
    elif answers.dates:
        lines += [f'dates = "{answers.dates}"', ""]
    if answers.parcel_prefix:
        lines += [f"parcel_prefix = {_quoted(answers.parcel_prefix)}", ""]
    lines.append("[columns]")
    for name, field in fields.items():
        why = " ".join(questions.get(name, "").split())
        lines.append(f'{_quoted(name)} = "{field}"{f"  # {why}" if why else ""}')
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
