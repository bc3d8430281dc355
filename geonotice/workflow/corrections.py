"""Write into the town's corrections file what a person found out: whole or not at all, and only what a list can then be made with."""

import threading
from dataclasses import replace as changed_fault
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.config.corrections import (
    ADDED_FIELDS,
    FIELDS,
    OWNER_FIELDS,
    SITUS_FIELDS,
    corrections_csv,
    read_corrections,
    split_field,
)
from geonotice.config.town import CORRECTIONS_FILE
from geonotice.corrected import lay_over
from geonotice.errors import CorrectionsError, Fault, GeonoticeError, UsageError
from geonotice.io.csv_tables import inert
from geonotice.io.output_files import in_the_making, write_file
from geonotice.model import Correction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import Owner, Parcel
    from geonotice.opened_town import Opened

__all__ = ["begin_corrections", "correct", "correct_parcel", "corrections_of", "stated_values"]

_WRITING = threading.Lock()
"""Two people at one desk write one after the other; who writes from elsewhere meanwhile is met by the look at the file before it is replaced."""


def stated_values(parcel: "Parcel", owners: "Sequence[Owner]") -> dict[str, str]:
    """Return what is known of a parcel by the fields of the corrections file: of each owner, and of its own address."""
    found: dict[str, str] = {}
    for n, owner in enumerate(owners, 1):
        own = {"owner": "\n".join(owner.names), "address": "\n".join(owner.address)}
        own |= {name: str(getattr(owner, name)) for name in ("city", "state", "zip", "country")}
        found |= {_numbered(name, n, len(owners)): value for name, value in own.items()}
    return found | {
        name: str(getattr(parcel.situs, "text" if name == "situs" else name.removeprefix("situs_"))) for name in SITUS_FIELDS
    }


def _numbered(name: str, n: int, count: int) -> str:
    return f"{name}_{n}" if count > 1 else name


def corrections_of(
    parcel: "Parcel", owners: "Sequence[Owner]", typed: "Mapping[str, str]", *, by: str, on: date, why: str
) -> tuple[Correction, ...]:
    """Return a row for each value that was typed and differs from what is known; ``unit`` and ``resident`` hold one for each line.

    Raises
    ------
    UsageError
        Nothing differs, no reason is given, or a value cannot stand in the file; all of it at once.
    """
    known = stated_values(parcel, owners)
    rows: list[Correction] = []
    faults: list[Fault] = []
    for field, text in typed.items():
        name, n = split_field(field)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        values = lines if name in ADDED_FIELDS else [" | ".join(lines)]
        for value in values:
            if name not in ADDED_FIELDS and value == known.get(field, "").replace("\n", " | "):
                continue
            if not value:
                what = f"{field} would be empty"
                faults.append(Fault(what=what, remedy="type what takes its place", key=field))
            elif inert(value) != value:
                what = f"{field} begins as a formula does: {value[:20]}"
                faults.append(
                    Fault(what=what, why="a spreadsheet would run it", remedy="begin with a letter or a figure", key=field)
                )
            owner = owners[max(n, 1) - 1] if name in OWNER_FIELDS and max(n, 1) <= len(owners) else None
            was = "; ".join(owner.names) if owner else ""
            rows.append(Correction(row=0, parcel=parcel.id, field=field, value=value, by=by, on=on, why=why.strip(), was=was))
    if not rows:
        faults.append(Fault(what="nothing differs from what is known", remedy="type what is right, or go back"))
    if not why.strip():
        reason = "a list that was corrected must say why a year later"
        faults.append(Fault(what="no reason is given", why=reason, remedy="type how you know it", key="why"))
    if faults:
        raise UsageError(faults)
    return tuple(rows)


def correct_parcel(
    opened: "Opened", number: str, typed: "Mapping[str, str]", *, by: str, on: date, why: str, replace: bool = False
) -> tuple[Path, tuple[Correction, ...], int]:
    """Write what was found out about a parcel, as :func:`corrections_of` and :func:`correct` do; return the file, its new rows, and how many they replaced.

    Raises
    ------
    UsageError
        A field is none of the corrections file, no parcel has the number, or as those two; all fields at once.
    CorrectionsError, OutputError
        As :func:`correct`.
    """
    parcel = opened.store.find(number, any_layer=True)
    owners = opened.store.owners_of([parcel.fid])[parcel.fid]
    if strange := [field for field in typed if split_field(field)[0] not in FIELDS]:
        remedy = f"the fields are {', '.join(FIELDS)}; owner_2 is the second owner"
        raise UsageError([Fault(what=f"there is no field {field!r}", remedy=remedy) for field in strange])
    rows = corrections_of(parcel, owners, typed, by=by, on=on, why=why)
    file, replaced = correct(opened, rows, replace=replace)
    return file, rows, replaced


def correct(opened: "Opened", rows: "Sequence[Correction]", *, replace: bool = False) -> tuple[Path, int]:
    """Write rows into the town's corrections file, and return the file and how many earlier rows they took the place of.

    The file with these rows is read and laid over the store before it takes the place of the one that is there: what a list could not be made with is not
    written.

    Parameters
    ----------
    opened, rows
        The town, and what was found out.
    replace
        Whether an earlier row about the same thing is taken out; it is refused otherwise, since somebody wrote it.

    Raises
    ------
    UsageError
        The town file names no corrections file, an earlier row says something else, or the file was changed meanwhile.
    CorrectionsError
        The file or a row has faults; nothing was written.
    OutputError
        It cannot be written.
    """
    spec = opened.town.corrections
    if spec is None:
        what = "the town file names no corrections file"
        remedy = f'write [corrections] path = "{CORRECTIONS_FILE}" into it'
        raise UsageError(Fault(what=what, file=str(opened.town.file), remedy=remedy, command=f"{remedy}, or give --begin"))
    file = opened.town.folder / spec.path
    with _WRITING:
        before = file.read_bytes() if file.is_file() else b""
        there = read_corrections(file) if before else ()
        new = {_of_one_thing(one) for one in rows}
        earlier = [one for one in there if _of_one_thing(one) in new]
        if earlier and not replace:
            raise UsageError([_earlier(one) for one in earlier])
        made = corrections_csv([*(one for one in there if one not in earlier), *rows])
        with in_the_making(file, "the corrections file") as draft:
            draft.write_bytes(made)
            _require_sound(opened, draft, file)
            if (file.read_bytes() if file.is_file() else b"") != before:
                what = "the corrections file was changed while you wrote"
                raise UsageError(Fault(what=what, file=str(file), remedy="look at what stands there now, and write it again"))
            draft.replace(file)
    return file, len(earlier)


def _of_one_thing(one: Correction) -> tuple[str, str, str]:
    """Return what a row is about; of what is added, each value is a thing by itself."""
    name = split_field(one.field)[0]
    return one.parcel.casefold(), one.field, one.value.casefold() if name in (*ADDED_FIELDS, "not_mailed") else ""


def _earlier(one: Correction) -> Fault:
    return Fault(
        what=f"row {one.row} of the corrections file states the {one.field} of {one.parcel} already: {one.value} ({one.by}, {one.on.isoformat()}: {one.why})",
        remedy="mark that it is to be replaced, if yours is right",
        command="give --replace, if yours is right",
        key="--replace",
    )


def _require_sound(opened: "Opened", draft: Path, file: Path) -> None:
    """Read a draft of the file and lay it over the store, as the next list will; its faults name the file that it will be."""
    laid, opened.store.corrected = opened.store.corrected, None
    try:
        lay_over(opened.store, read_corrections(draft), file=draft, given=file.name, sha256="")
    except CorrectionsError as error:
        raise CorrectionsError([changed_fault(fault, file=str(file)) for fault in error.faults]) from error
    finally:
        opened.store.corrected = laid


def begin_corrections(place: Path) -> Path:
    """Name a corrections file in a town file that names none, and make it; the layers need no new import for it.

    Raises
    ------
    UsageError
        The town file names one.
    GeonoticeError
        The town cannot be opened with it: the town file is then as it was.
    """
    from geonotice.config.read_town import read_town_file
    from geonotice.opened_town import open_store

    town = read_town_file(place)
    if town.corrections is not None:
        what = f"the town file names a corrections file already: {town.corrections.path}"
        raise UsageError(Fault(what=what, file=str(town.file), remedy="write into that one"))
    before = town.file.read_bytes()
    file = town.folder / CORRECTIONS_FILE
    if not file.exists():
        write_file(file, corrections_csv(()))
    write_file(town.file, before.rstrip() + f'\n\n[corrections]\npath = "{CORRECTIONS_FILE}"\n'.encode())
    try:
        with open_store(town.file):
            return file
    except GeonoticeError:
        write_file(town.file, before)
        raise
