"""The register's values as plain JSON values, for ``--json`` and for the web."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, get_args

from geonotice.register.held_hours import sessions_json
from geonotice.register.import_permits import ImportReport, Outcome
from geonotice.register.permit_check import verdict_json
from geonotice.register.rows import days_of, hours_of, many_values, parts_of_districts, readable, streets_of
from geonotice.register.tables_and_columns import PERMIT_PARCELS, PERMITS, fetch
from geonotice.register.values import Change, Changed, Entry, Issued, LogReport, Permit, PermitCheck

if TYPE_CHECKING:
    from geonotice.register.session import Register

__all__ = [
    "changed_json",
    "changes_json",
    "entry_json",
    "import_json",
    "issued_json",
    "log_json",
    "permit_json",
    "permits_json",
    "refused_json",
]


def permit_json(permit: Permit) -> dict[str, Any]:
    """Return a permit; shapes are left out."""
    return {
        "number": permit.number,
        "status": permit.status,
        "kind": permit.kind,
        "title": permit.title,
        "parcels": [item.parcel for item in permit.land],
        "land": [
            _land_json(
                (item.parcel, item.swis, item.zone, item.area_sq_ft, item.geometry),
                [(part.code, part.district_class, part.area_sq_ft, part.share) for part in item.districts],
            )
            for item in permit.land
        ],
        "applicant": permit.applicant,
        "charitable": permit.charitable,
        "primarily_benefits_applicant": permit.primarily_benefits_applicant,
        "owned_by": permit.owned_by,
        "distinct_events": permit.distinct_events,
        "issued": _day(permit.issued),
        "starts": _day(permit.starts),
        "ends": _day(permit.ends),
        "night": permit.night,
        "persons": permit.persons,
        "maximum_attendance": permit.maximum_attendance,
        "conditions": permit.conditions,
        "override": permit.override,
        "override_by": permit.override_by,
        "overridden": permit.overridden,
        "streets": list(permit.streets),
        "yard_sale_days": [_day(day) for day in permit.yard_sale_days],
        "hours": [{"starts": starts, "ends": ends} for starts, ends in sessions_json(permit.hours)] if permit.hours else [],
        "contact": permit.contact,
        "fee": permit.fee,
        "private_title": permit.private_title,
        "source": permit.source,
    }


def _land_json(snapshot: Sequence[Any], districts: Iterable[tuple[str, str, float, float]]) -> dict[str, Any]:
    """Return a parcel; ``snapshot`` is its number, SWIS code, zone, area and shape."""
    parcel, swis, zone, area_sq_ft, geometry = snapshot
    return {
        "parcel": parcel,
        "swis": swis,
        "zone": zone,
        "districts": [
            {"code": code, "class": kind, "area_sq_ft": round(area), "share": round(share, 4)}
            for code, kind, area, share in districts
        ],
        "area_sq_ft": None if area_sq_ft is None else round(area_sq_ft),
        "shape_known": geometry is not None,
    }


_OF_LAND = (
    "SELECT permit_id, parcel, swis, zone, area_sq_ft, substr(geometry, 1, 1) AS geometry, districts FROM permit_parcels"
    " ORDER BY permit_id, n"
)
"""The land of all permits; of a shape the first byte, which tells whether there is one and whether it is bytes."""

_BEFORE_LAND = ("number", "status", "kind", "title")
_AFTER_LAND = (
    "applicant", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued", "starts", "ends", "night", "persons",
    "maximum_attendance", "conditions", "override", "override_by", "overridden", "streets", "yard_sale_days", "hours", "contact", "fee",
    "private_title", "source",
)  # fmt: skip
"""The fields of :func:`permit_json`, as they stand in it before and after the land."""


def permits_json(register: "Register", *, status: str | None = None) -> list[dict[str, Any]]:
    """Return all permits, or those of a status, each as :func:`permit_json` does and in the order of ``list_permits``, but with days as days.

    Straight from the rows: a list of a hundred thousand takes a third of the time. Every cell is read as strictly as for a permit.

    Raises
    ------
    RegisterError
        A row cannot be read.
    """
    which, given = ("WHERE status = :status", {"status": status}) if status else ("", {})
    names = ", ".join(f'"{name}"' for name in (*_BEFORE_LAND, *_AFTER_LAND))
    with register.reading() as connection, many_values():
        land: dict[int, list[dict[str, Any]]] = {}
        with readable("a parcel of a permit"):
            for id_, *snapshot, districts in fetch(connection, _OF_LAND, PERMIT_PARCELS):
                made = _land_json(snapshot, parts_of_districts(districts))
                land.setdefault(id_, []).append(made)
        with readable("a permit"):
            asked = f"SELECT {names}, id, substr(route, 1, 1) AS route, route_crs FROM permits {which}"  # noqa: S608  # our own names
            rows = fetch(connection, asked, PERMITS, **given)
            rows.sort(key=lambda row: (row.starts or date.max, row.number))
            return [_row_json(row, land.get(row.id, [])) for row in rows]


def _row_json(row: Any, land: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: ANN401  # a row has its columns as attributes
    made = dict(zip(_FIELDS, (*row[:_BEFORE], [item["parcel"] for item in land], land, *row[_BEFORE:-_NOT_SHOWN]), strict=True))
    for name, read in _LISTS.items():
        made[name] = [] if made[name] == "[]" else read(made[name])
    return made


_FIELDS = (*_BEFORE_LAND, "parcels", "land", *_AFTER_LAND)
_BEFORE = len(_BEFORE_LAND)
_NOT_SHOWN = 3
"""Columns that are read beside these: the id, and the route, for its form alone."""
_LISTS: dict[str, Callable[[str], list[Any]]] = {
    "streets": lambda cell: list(streets_of(cell)),
    "yard_sale_days": lambda cell: list(days_of(cell)),
    "hours": lambda cell: [{"starts": starts, "ends": ends} for starts, ends in sessions_json(hours_of(cell))],
}


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return a row of the log."""
    return {
        "n": entry.n,
        "at": entry.at.isoformat(),
        "by": entry.by,
        "action": entry.action,
        "permit": entry.permit,
        "why": entry.why,
        "hash": entry.hash,
        "changes": changes_json(entry.changes),
    }


def changes_json(changes: Iterable[Change]) -> dict[str, Any]:
    """Return what an amendment or a correction changed, and the drawing that a permit was issued on, by field."""
    return {change.field: {"before": change.before, "after": change.after} for change in changes}


def changed_json(changed: Changed) -> dict[str, Any]:
    """Return a permit just amended or corrected, with what it was, what stood against the change, and what is to be said of it."""
    return {
        **permit_json(changed.permit),
        **verdict_json(changed.check),
        "changes": changes_json(changed.changes),
        "log_hash": changed.log_hash,
        "warnings": [warning.to_json() for warning in changed.check.warnings],
    }


def log_json(report: LogReport) -> dict[str, Any]:
    """Return what verifying the log found."""
    faults = [{"code": item.code, "n": item.n, "permit": item.permit, "text": item.text} for item in report.faults]
    return {"sound": report.sound, "rows": report.rows, "head": report.head, "faults": faults}


def issued_json(issued: Issued) -> dict[str, Any]:
    """Return a permit just issued, with the hash of its log row, what stood against it, and what was to be said of the check it rests on."""
    warnings = [warning.to_json() for warning in issued.check.warnings]
    return {
        **permit_json(issued.permit),
        **verdict_json(issued.check),
        "log_hash": issued.log_hash,
        "others": [other.number for other in issued.others],
        "warnings": warnings,
    }


def refused_json(found: PermitCheck) -> dict[str, Any]:
    """Return a permit that was not issued, and what stands against it, in the form of one that was."""
    warnings = [warning.to_json() for warning in found.warnings]
    return {"number": None, "status": found.status, "issued": None, **verdict_json(found), "warnings": warnings}


def import_json(report: ImportReport) -> dict[str, Any]:
    """Return what became of a file of permits, row by row with what was understood of it."""
    return {
        "file": report.file,
        "written": report.written,
        "counts": {outcome: report.count(outcome) for outcome in get_args(Outcome)},
        "remarks": list(report.remarks),
        "questions": report.questions or None,
        "rows": [
            {
                "row": row.n,
                "number": row.number,
                "outcome": row.outcome,
                "reasons": list(row.reasons),
                "differences": [{"field": one.field, "there": one.there, "here": one.here} for one in row.differences],
                "understood": row.understood or None,
            }
            for row in report.rows
        ],
    }
