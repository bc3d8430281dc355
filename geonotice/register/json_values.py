"""The register's values as plain JSON values, for ``--json`` and for the web."""

from collections.abc import Iterable
from datetime import date
from typing import Any, get_args

from geonotice.register.held_hours import sessions_json
from geonotice.register.import_permits import ImportReport, Outcome
from geonotice.register.permit_check import verdict_json
from geonotice.register.values import Change, Changed, Entry, Issued, LogReport, Permit, PermitCheck

__all__ = ["changed_json", "changes_json", "entry_json", "import_json", "issued_json", "log_json", "permit_json", "refused_json"]


def permit_json(permit: Permit) -> dict[str, Any]:
    """Return a permit; shapes are left out."""
    return {
        "number": permit.number,
        "status": permit.status,
        "kind": permit.kind,
        "title": permit.title,
        "parcels": list(permit.parcels),
        "land": [
            {
                "parcel": item.parcel,
                "swis": item.swis,
                "zone": item.zone,
                "districts": [
                    {
                        "code": part.code,
                        "class": part.district_class,
                        "area_sq_ft": round(part.area_sq_ft),
                        "share": round(part.share, 4),
                    }
                    for part in item.districts
                ],
                "area_sq_ft": None if item.area_sq_ft is None else round(item.area_sq_ft),
                "shape_known": item.geometry is not None,
            }
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
        "hours": [{"starts": starts, "ends": ends} for starts, ends in sessions_json(permit.hours)],
        "contact": permit.contact,
        "fee": permit.fee,
        "private_title": permit.private_title,
        "source": permit.source,
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
    """Return what an amendment or a correction changed, by field."""
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
