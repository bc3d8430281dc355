"""Hand the register's permits over: CSV, XLSX or GeoPackage, in the columns that the import takes."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.errors import Fault, OutputError, UsageError
from geonotice.io.csv_tables import inert, quoted
from geonotice.io.gpkg import Srs, srs_of, write_gpkg
from geonotice.io.output_files import in_the_making
from geonotice.register.headings import COLUMNS, MORE_COLUMNS
from geonotice.register.held_hours import sessions_text
from geonotice.register.permits import list_permits
from geonotice.register.rows import shape_of
from geonotice.register.values import Permit

if TYPE_CHECKING:
    from geonotice.register.session import Register

__all__ = ["Exported", "export", "permit_row", "permits_csv", "permits_xlsx", "write_keeping"]

_SNAPSHOT = ("number", "n", "parcel", "swis", "zone", "districts", "area_sq_ft")
_NUMBERS = ("distinct_events", "persons", "maximum_attendance")
_DAYS = ("issued", "starts", "ends")
_CELL = 32_767
"""How many characters a cell of a workbook holds."""


class Exported(Struct, frozen=True, kw_only=True):
    """How many permits were written, what the file does not hold, and where a file of its name was moved to."""

    permits: int
    kept: Path | None = None
    remarks: tuple[str, ...] = ()


def export(register: "Register", path: Path, *, srs: Srs | None = None, listed: Sequence[Permit] | None = None) -> Exported:
    """Write the permits to a file, whole or not at all.

    Parameters
    ----------
    register
        An open register.
    path
        A ``.csv``, ``.xlsx`` or ``.gpkg``. What is there under that name is kept under another, unless it is the same: it may be the
        spreadsheet that the permits came from.
    listed
        The permits to write; all of the register where None.
    srs
        How a GeoPackage describes the CRS of the snapshots; :func:`geonotice.io.gpkg.srs_of` reads it from the store.

    Raises
    ------
    UsageError
        The file's ending is none of these.
    OutputError
        The file cannot be written.
    RegisterError
        The database refuses.
    """
    kind = path.suffix.casefold()
    if kind not in {".csv", ".xlsx", ".gpkg"}:
        raise UsageError(
            Fault(
                what=f"permits are written as CSV, XLSX or GPKG, not as {kind or 'a file without an ending'}",
                file=str(path),
                remedy="name the file permits.csv, .xlsx or .gpkg",
            )
        )
    permits = list_permits(register) if listed is None else listed
    if not path.parent.is_dir():
        raise OutputError(Fault(what="its folder does not exist", file=str(path), remedy="make the folder, or name another file"))
    remarks, kept = _write(path, kind, permits, srs)
    return Exported(permits=len(permits), kept=kept, remarks=remarks)


def _write(path: Path, kind: str, permits: Sequence[Permit], srs: Srs | None) -> tuple[tuple[str, ...], Path | None]:
    """Write the file; return what is to be said of it, and where the earlier one is kept."""

    def make(partial: Path) -> tuple[str, ...]:
        if kind == ".gpkg":
            return _write_gpkg(partial, permits, srs)
        partial.write_bytes(permits_csv(permits) if kind == ".csv" else permits_xlsx(permits))
        return _not_in_cells(permits)

    return write_keeping(path, make)


def write_keeping(path: Path, make: Callable[[Path], tuple[str, ...]]) -> tuple[tuple[str, ...], Path | None]:
    """Write a file under another name first, so that it is there whole or not at all, and keep the one that was there.

    Returns
    -------
    remarks, kept
        What ``make`` returned; where the earlier file is kept, None where there was none or the same one.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    with in_the_making(path) as partial:
        remarks = make(partial)
        kept = _keep_earlier(path, partial)
        try:
            partial.replace(path)
        except OSError:
            if kept is not None:
                kept.rename(path)
            raise
    return remarks, kept


def _keep_earlier(path: Path, made: Path) -> Path | None:
    """Move what is there out of the way, under the first free name, unless it is what was made."""
    if not path.is_file() or path.read_bytes() == made.read_bytes():
        return None
    number = 1
    while (kept := path.with_name(f"{path.stem}-before-{number}{path.suffix}")).exists():
        number += 1
    path.rename(kept)
    return kept


def _not_in_cells(permits: Sequence[Permit]) -> tuple[str, ...]:
    """Return what a file of cells cannot hold: a route, and a text that an earlier version took without asking how long it is."""
    routes = [permit.number for permit in permits if permit.route is not None]
    cut = [permit.number for permit in permits if any(len(text) > _CELL for text in permit_row(permit).values())]
    said = [f"without the routes of {', '.join(routes)}: a GeoPackage holds them"] if routes else []
    said += [f"with texts that a workbook cuts off at {_CELL:,} characters: {', '.join(cut)}"] if cut else []
    return tuple(said)


def permit_row(permit: Permit) -> dict[str, str]:
    """Return a permit as the text of its cells: dates as 2026-07-04, yes and no in words, unknown as ``unknown``, nothing as nothing."""
    made: dict[str, str] = {}
    for column in (*COLUMNS, *MORE_COLUMNS):
        value: Any = permit.parcels if column == "parcels" else getattr(permit, column)
        if column in {"charitable", "primarily_benefits_applicant", "night"}:
            made[column] = {True: "yes", False: "no", None: "unknown"}[value]
        elif column == "hours":
            made[column] = sessions_text(permit.hours)
        elif column == "private_title":
            made[column] = "yes" if value else ""
        elif isinstance(value, tuple):
            made[column] = ";".join(item.isoformat() if isinstance(item, date) else item for item in value)
        else:
            made[column] = "" if value is None else value.isoformat() if isinstance(value, date) else str(value)
    return made


def permits_csv(permits: Sequence[Permit]) -> bytes:
    """Return the permits as CSV: UTF-8 with a byte-order mark, cells that a spreadsheet would run made inert."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow((*COLUMNS, *MORE_COLUMNS))
    writer.writerows([inert(quoted(cell)) for cell in permit_row(permit).values()] for permit in permits)
    return ("\ufeff" + out.getvalue()).encode()


def permits_xlsx(permits: Sequence[Permit]) -> bytes:
    """Return the permits as a workbook: text as text, dates as dates, numbers as numbers, nothing that runs."""
    import xlsxwriter

    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    )
    workbook.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001  # the same permits, the same file
    sheet = workbook.add_worksheet("permits")
    head = workbook.add_format({"bold": True})
    day = workbook.add_format({"num_format": "yyyy-mm-dd"})
    red = workbook.add_format({"font_color": "#b00020", "bold": True})
    for n, column in enumerate((*COLUMNS, *MORE_COLUMNS)):
        sheet.write_string(0, n, column, head)
    for n, permit in enumerate(permits, start=1):
        for at, (column, text) in enumerate(permit_row(permit).items()):
            if not text:
                continue
            if column in _DAYS:
                sheet.write_datetime(n, at, getattr(permit, column), day)
            elif column in _NUMBERS:
                sheet.write_number(n, at, int(text))
            else:
                sheet.write_string(n, at, quoted(text), red if column.startswith("override") else None)
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, max(len(permits), 1), len(COLUMNS) + len(MORE_COLUMNS) - 1)
    sheet.autofit()
    workbook.close()
    return out.getvalue()


def _write_gpkg(path: Path, permits: Sequence[Permit], srs: Srs | None) -> tuple[str, ...]:
    """Write the permits and their parcels, and say which of them go without a shape."""
    shaped = [(permit.number, item.crs) for permit in permits for item in permit.land if item.geometry is not None]
    shaped += [(permit.number, permit.route_crs) for permit in permits if permit.route is not None]
    if srs is None:
        (most, _), *_ = Counter(crs for _, crs in shaped).most_common(1) or [("", 0)]
        srs = srs_of(most)
    # One CRS a table: a shape drawn in another would lie in the wrong place. It stays in the register.
    bare = sorted({number for number, crs in shaped if crs != srs.crs})
    last = max((permit.issued for permit in permits if permit.issued), default=date(2000, 1, 1))
    write_gpkg(
        path,
        {
            "permits": ((*COLUMNS, *MORE_COLUMNS), _permit_features(permits, srs)),
            "permit_parcels": (_SNAPSHOT, _parcel_features(permits, srs)),
            "permit_routes": (("number",), _route_features(permits, srs)),
        },
        srs=srs,
        changed=f"{last.isoformat()}T00:00:00.000Z",
        bounds=lambda shape: shape_of(shape, "a permit").bounds,
    )
    return (f"without their shapes, which are not in {srs.crs}: {', '.join(bare)}",) if bare else ()


def _permit_features(permits: Sequence[Permit], srs: Srs) -> Iterator[tuple[tuple[object, ...], bytes | None]]:
    import shapely

    for permit in permits:
        shapes = [
            shape_of(item.geometry, item.parcel) for item in permit.land if item.geometry is not None and item.crs == srs.crs
        ]
        route = permit.route if permit.route_crs == srs.crs else None
        whole = shapely.union_all(shapes).wkb if shapes else route
        yield tuple(quoted(text) for text in permit_row(permit).values()), whole


def _route_features(permits: Sequence[Permit], srs: Srs) -> Iterator[tuple[tuple[object, ...], bytes | None]]:
    """Return the routes by themselves: a parade that sets out from a lot is drawn as that lot among the permits."""
    for permit in permits:
        if permit.route is not None and permit.route_crs == srs.crs:
            yield (permit.number,), permit.route


def _parcel_features(permits: Sequence[Permit], srs: Srs) -> Iterator[tuple[tuple[object, ...], bytes | None]]:
    for permit in permits:
        for n, item in enumerate(permit.land, start=1):
            districts = json.dumps([[part.code, part.district_class, part.area_sq_ft, part.share] for part in item.districts])
            values = (permit.number, str(n), item.parcel, item.swis, item.zone, districts, _number(item.area_sq_ft))
            yield values, item.geometry if item.crs == srs.crs else None


def _number(value: float | None) -> str | None:
    """Write a number so that it is read as the same: a column of text keeps 15 digits of one that is not."""
    return None if value is None else repr(float(value))
