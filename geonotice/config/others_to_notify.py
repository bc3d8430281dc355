"""Others to notify: agencies that the town always notifies, and interested persons of one case, from a CSV or from the town file itself.

The town's own (``[others] path = "others.csv"``, ``[[others.recipients]]``) are read anew for every list; a case's are named on the command line.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from geonotice.config.town import OtherSpec, OthersSpec
from geonotice.errors import Fault, InputError
from geonotice.io.csv_tables import Record, column_faults, csv_records
from geonotice.model import Mail, OtherRecipient

__all__ = ["COLUMNS", "read_others", "require_occasions", "standing_recipients"]

_NEEDED = ("name", "address", "city", "state", "zip")
_MAY_BE = ("name_2", "address_2", "country", "mail", "occasions", "why")
COLUMNS = (*_NEEDED, *_MAY_BE)
"""The columns of the file."""
_LONGEST = 500
_MAIL: Mapping[str, Mail] = {
    "": "first_class",
    "first_class": "first_class",
    "first class": "first_class",
    "first-class": "first_class",
    "certified": "certified",
}
_PARTS = re.compile(r"[;\r\n|]+")


def read_others(path: Path, *, standing: bool) -> tuple[OtherRecipient, ...]:
    """Read a CSV of others to notify.

    Parameters
    ----------
    path
        The file.
    standing
        Whether they are the town's own, notified on every list of their occasions; else interested persons of one case.

    Raises
    ------
    InputError
        With every fault of the file: columns that are missing or not known, and in each row what is not stated or cannot be meant.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        what = f"the file of others to notify cannot be read: {error.strerror}"
        raise InputError(Fault(what=what, file=str(path), remedy="fix the path, or put the file there")) from error
    names, rows = csv_records(data, path, COLUMNS)
    remedy = f"begin the file with the row {','.join(_NEEDED)} (and {', '.join(_MAY_BE)}, if you like)"
    why = "a letter needs a name and an address"
    if faults := list(column_faults(path, names or (), needed=_NEEDED, may_be=_MAY_BE, why=why, remedy=remedy)):
        raise InputError(faults)
    made: list[OtherRecipient] = []
    for row in rows:
        found = list(_row_faults(path, row))
        faults += found
        if not found:
            made.append(_recipient(row.line, row.values, standing=standing))
    if faults:
        raise InputError(faults)
    return tuple(made)


def standing_recipients(spec: OthersSpec | None, folder: Path) -> tuple[OtherRecipient, ...]:
    """Return the recipients that the town always notifies: those of its file, then those in the town file itself.

    Raises
    ------
    InputError
        The file has faults.
    """
    if spec is None:
        return ()
    listed = read_others(folder / spec.path, standing=True) if spec.path else ()
    return (*listed, *(_from_town_file(one, n) for n, one in enumerate(spec.recipients, 1)))


def require_occasions(others: Sequence[OtherRecipient], known: Collection[str], *, town: str) -> None:
    """Refuse an occasion that the ordinance does not know: by a slip of the pen an agency would never be notified.

    Raises
    ------
    InputError
        All such rows at once.
    """
    faults = [
        Fault(
            what=f"{' / '.join(one.names)} is to be notified on the occasion {occasion!r}, which the ordinance of {town} does not know",
            why="it would never be notified",
            remedy=f"write {', '.join(sorted(known)) or 'none'}, or leave occasions empty for all",
        )
        for one in others
        for occasion in one.occasions
        if occasion not in known
    ]
    if faults:
        raise InputError(faults)


def _from_town_file(one: OtherSpec, row: int) -> OtherRecipient:
    return OtherRecipient(
        names=one.name,
        address=one.address,
        city=one.city,
        state=one.state,
        zip=one.zip,
        country=one.country,
        mail=one.mail,
        occasions=one.occasions,
        why=one.why,
        standing=True,
        row=row,
    )


def _row_faults(path: Path, row: Record) -> Iterator[Fault]:
    values = row.values

    def fault(what: str, remedy: str, why: str = "") -> Fault:
        return Fault(what=f"row {row.line}: {what}", file=str(path), why=why, remedy=remedy)

    abroad = bool(values.get("country"))
    needed = ("name", "address", "city") if abroad else _NEEDED
    if empty := [name for name in needed if not values.get(name)]:
        yield fault(
            f"{', '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty", "fill it in", "no letter could be addressed"
        )
    if row.extra:
        yield fault("it has more cells than the first row", "put a value with a comma in it in quotation marks")
    if values.get("mail", "").casefold() not in _MAIL:
        yield fault(f"{values['mail']!r} is no class of mail", "write certified or first_class")
    code = values.get("zip", "")
    if code and not abroad and not re.fullmatch(r"\d{5}(-\d{4})?", code):
        short = code.isdigit() and len(code) < 5  # noqa: PLR2004  # a ZIP code has five
        remedy = (
            f"write {code.zfill(5)}, if that is meant, and make the column text" if short else "write it as 12345 or 12345-6789"
        )
        yield fault(f"{code} is not a ZIP code", remedy, "a spreadsheet drops the zeros that a code begins with" if short else "")
    if any(len(value) > _LONGEST for value in values.values()):
        yield fault(f"a value has more than {_LONGEST} characters", "shorten it: it has to go on a label")


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _PARTS.split(text) if part.strip())


def _recipient(line: int, values: Mapping[str, str], *, standing: bool) -> OtherRecipient:
    return OtherRecipient(
        names=(*_parts(values["name"]), *_parts(values.get("name_2", ""))),
        address=(*_parts(values["address"]), *_parts(values.get("address_2", ""))),
        city=values.get("city", ""),
        state=values.get("state", ""),
        zip=values.get("zip", ""),
        country=values.get("country", ""),
        mail=_MAIL[values.get("mail", "").casefold()],
        occasions=tuple(one.casefold() for one in _parts(values.get("occasions", ""))),
        why=values.get("why", ""),
        standing=standing,
        row=line,
    )
