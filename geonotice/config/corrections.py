"""The corrections file: what the town's people found out that the layers and the roll do not have, with who, when and why.

A CSV beside the town file, which names it (``[corrections] path = "corrections.csv"``). It is read anew for every list, so that an answer counts at once.
"""

import csv
import difflib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from geonotice.errors import CorrectionsError, Fault
from geonotice.io.csv_tables import Record, column_faults, csv_records
from geonotice.model import LIKELY_DAYS, Correction

__all__ = ["ADDED_FIELDS", "FIELDS", "OWNER_FIELDS", "SITUS_FIELDS", "corrections_csv", "read_corrections", "split_field"]

OWNER_FIELDS = ("owner", "address", "city", "state", "zip", "country", "not_mailed")
"""Of an owner of record; ``owner_2`` and the like are of the second owner of the parcel."""
SITUS_FIELDS = ("situs", "situs_city", "situs_state", "situs_zip")
"""Of the property's own address."""
ADDED_FIELDS = ("unit", "resident")
"""What is added, once for each row: a unit at the property's own address, or a whole address."""
FIELDS = (*OWNER_FIELDS, *SITUS_FIELDS, *ADDED_FIELDS)

_COLUMNS = ("parcel", "field", "value", "by", "on", "why")
_MAY_BE = ("was",)
_LONGEST = 500
_ZIP_FIELDS = ("zip", "situs_zip")


def split_field(name: str) -> tuple[str, int]:
    """Return the field, and of which owner of the parcel it is: 0 where that is not stated.

    Examples
    --------
    >>> split_field("zip"), split_field("owner_2"), split_field("situs_zip")
    (('zip', 0), ('owner', 2), ('situs_zip', 0))
    """
    match = re.fullmatch(r"(.+)_(\d{1,2})", name)
    return (match[1], int(match[2])) if match and match[1] in OWNER_FIELDS else (name, 0)


def read_corrections(path: Path) -> tuple[Correction, ...]:
    """Read the file and check each row by itself; whether its parcels are known is not asked here.

    Raises
    ------
    CorrectionsError
        With every fault of the file: columns that are missing or not known, and in each row what is not stated or cannot be meant.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        remedy = "fix [corrections] in the town file, or put the file there"
        raise CorrectionsError(Fault(what=f"the file cannot be read: {error.strerror}", file=str(path), remedy=remedy)) from error
    names, rows = csv_records(data, path, _COLUMNS, CorrectionsError)
    if names is None:
        return ()
    why = "a correction says of which parcel it is, what holds, who found it out, when and why"
    remedy = f"begin the file with the row {','.join(_COLUMNS)} (and was, for the owner's name of then, if you like)"
    if faults := list(column_faults(path, names, needed=_COLUMNS, may_be=_MAY_BE, why=why, remedy=remedy)):
        raise CorrectionsError(faults)
    made: list[Correction] = []
    for row in rows:
        found = list(_row_faults(path, row))
        faults += found
        if not found:
            made.append(_correction(row.line, row.values))
    faults += _said_twice(path, made)
    faults += _short_codes(path, made)
    if faults:
        raise CorrectionsError(faults)
    return tuple(made)


def corrections_csv(rows: Sequence[Correction]) -> bytes:
    """Return the file of these rows, as :func:`read_corrections` reads it and a spreadsheet opens it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow((*_COLUMNS, *_MAY_BE))
    writer.writerows((one.parcel, one.field, one.value, one.by, one.on.isoformat(), one.why, one.was) for one in rows)
    return ("\ufeff" + stream.getvalue()).encode()


def _row_faults(path: Path, row: Record) -> Iterator[Fault]:
    """Return what is wrong with a row."""
    values = row.values

    def fault(what: str, remedy: str, why: str = "") -> Fault:
        return Fault(what=f"row {row.line}: {what}", file=str(path), parcel=values.get("parcel", ""), why=why, remedy=remedy)

    empty = [name for name in _COLUMNS if not values.get(name)]
    if empty:
        why = "nobody could account for it a year later" if {"by", "on", "why"} & set(empty) else ""
        yield fault(f"{', '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty", "fill it in", why)
    if row.extra:
        yield fault("it has more cells than the first row", "put a value with a comma in it in quotation marks")
    name, owner = split_field(values.get("field", "").casefold())
    if values.get("field") and name not in FIELDS:
        near = difflib.get_close_matches(name, FIELDS, n=1)
        yield fault(
            f"unknown field {values['field']!r}",
            f"write {near[0]}" if near else f"the fields are {', '.join(FIELDS)}; owner_2 is the second owner",
        )
    elif name != values.get("field", "").casefold() and not owner:
        yield fault(f"{values['field']!r} counts owners from 1", "write owner_1 for the first")
    if values.get("on") and _day(values["on"]) is None:
        yield fault(f"{values['on']!r} is no day", "write it as 2026-08-30")
    if any(len(value) > _LONGEST for value in values.values()):
        yield fault(f"a value has more than {_LONGEST} characters", "shorten it: it has to go on a label")


def _day(text: str) -> date | None:
    """Read a day as it is written here, or as Excel writes it back in the United States."""
    for form in ("%Y-%m-%d", "%m/%d/%Y"):
        try:
            day = datetime.strptime(text, form).date()  # noqa: DTZ007  # a day has no zone
        except ValueError:
            continue
        return day if LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1] else None
    return None


def _correction(line: int, values: Mapping[str, str]) -> Correction:
    return Correction(
        row=line,
        parcel=values["parcel"],
        field=values["field"].casefold(),
        value=values["value"],
        by=values["by"],
        on=_day(values["on"]) or date.min,
        why=values["why"],
        was=values.get("was", ""),
    )


def _said_twice(path: Path, made: Sequence[Correction]) -> Iterator[Fault]:
    """Return the values that two rows state for one thing."""
    first: dict[tuple[str, str], Correction] = {}
    for one in made:
        before = first.setdefault((one.parcel.casefold(), one.field), one)
        if before is not one and split_field(one.field)[0] not in (*ADDED_FIELDS, "not_mailed"):
            yield Fault(
                what=f"rows {before.row} and {one.row}: both state the {one.field} of one parcel",
                file=str(path),
                parcel=one.parcel,
                why="which of them holds is not stated",
                remedy="take the older one out",
            )


def _short_codes(path: Path, made: Sequence[Correction]) -> Iterator[Fault]:
    """Return ZIP codes that a spreadsheet has taken for numbers; those of other countries are as they are."""
    abroad = {one.parcel.casefold() for one in made if split_field(one.field)[0] == "country"}
    for one in made:
        is_zip = split_field(one.field)[0] in _ZIP_FIELDS
        if is_zip and one.parcel.casefold() not in abroad and re.fullmatch(r"\d{1,4}(-\d+)?", one.value):
            yield Fault(
                what=f"row {one.row}: {one.value} is not a ZIP code: it has fewer than five digits",
                file=str(path),
                parcel=one.parcel,
                why="a spreadsheet drops the zeros that a code begins with",
                remedy=f"write {one.value.zfill(5)}, if that is meant, and make the column text; or give the country in a row of its own",
            )
