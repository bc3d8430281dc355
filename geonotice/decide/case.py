"""The case form: an event with the facts of its parcel and its permit history stated beside it, so that no layer is needed."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, cast

from geonotice.decide.cap_values import PastPermit, Zone
from geonotice.decide.check import CheckResult, check
from geonotice.decide.facts import PremisesFacts
from geonotice.errors import EventFileError, Fault

__all__ = ["check_case", "check_stated", "result_to_json"]

_KEYS = {"name", "ordinance", "on", "event", "parcel_facts", "history", "expect", "why"}
_FACTS = {
    "zone", "municipal_owner", "adjacent_state_or_county_road", "adjacent_lirr", "in_village", "within_500_ft_of", "streets_abutted",
    "area_sq_ft", "frontage_ft",
}  # fmt: skip
_HISTORY = {"number", "kind", "issued", "starts", "ends", "night", "charitable", "status", "distinct_events"}
_ZONES = ("residential", "other", "split", "undetermined")
_STATUSES = ("issued", "rescinded", "void")


def check_case(case: Mapping[str, Any], *, file: str = "the case", relative_to: Path | None = None) -> dict[str, Any]:
    """Check a stated case, and give the outcome in the form of ``check --json``; parameters and errors as :func:`check_stated`."""
    return result_to_json(check_stated(case, file=file, relative_to=relative_to))


def check_stated(case: Mapping[str, Any], *, file: str = "the case", relative_to: Path | None = None) -> CheckResult:
    """Check a stated case.

    Parameters
    ----------
    case
        ``ordinance`` (an id, or the path of a profile), ``on`` (a date), ``event`` (an event file), ``parcel_facts``, ``history``.
    file
        What faults call it.
    relative_to
        Where a relative path of a profile starts.

    Raises
    ------
    EventFileError
        With every fault of the case.
    OrdinanceError
        When the ordinance is not one.
    """
    from geonotice.event_file import event_from_data
    from geonotice.ordinance.read import load_profile

    faults = _unknown(case, _KEYS, file, "")
    stated = case.get("parcel_facts") or {}
    faults += _unknown(stated, _FACTS, file, "parcel_facts")
    if not isinstance(case.get("ordinance"), str):
        faults.append(Fault(what="'ordinance' is missing", remedy="give the id of a profile", file=file, key="ordinance"))
    on = _date(case.get("on"), file, "on", faults)
    if on is None and not any(fault.key == "on" for fault in faults):
        faults.append(Fault(what="'on' is missing", remedy="give the day that stands for today", file=file, key="on"))
    facts = _facts(stated, file, faults)
    history = tuple(
        _permit(item if isinstance(item, Mapping) else {"permit": item}, n, file, faults)
        for n, item in enumerate(case.get("history") or [])
    )
    try:
        event = event_from_data(dict(case.get("event") or {}), file=file)
    except EventFileError as error:
        raise EventFileError([*faults, *error.faults]) from error
    if faults or on is None:
        raise EventFileError(faults)
    profile = load_profile(case["ordinance"], relative_to=relative_to)
    return check(profile, event, facts, history, on=on)


def result_to_json(result: CheckResult) -> dict[str, Any]:
    """Give a result in the form of ``check --json``: plain JSON values."""
    return {
        "permit_required": result.permit_required,
        "allowed": result.allowed,
        "findings": [_plain(asdict(item)) for item in result.findings],
        "not_applicable": [asdict(item) for item in result.not_applicable],
        "missing": list(result.missing),
        "warnings": [{"code": item.code, "text": item.text} for item in result.warnings],
    }


def _unknown(data: object, known: set[str], file: str, where: str) -> list[Fault]:
    if not isinstance(data, Mapping):
        return [Fault(what="a table of keys and values is meant", file=file, key=where)]
    return [
        Fault(
            what=f"{key!r} is not a key of a case",
            remedy=f"its keys here are: {', '.join(sorted(known))}",
            file=file,
            key=f"{where}.{key}".strip("."),
        )
        for key in data
        if key not in known
    ]


def _facts(data: Mapping[str, Any], file: str, faults: list[Fault]) -> PremisesFacts:
    zone = data.get("zone") or "undetermined"
    if zone not in _ZONES:
        faults.append(
            Fault(what=f"{zone!r} is no zone", remedy=f"use one of: {', '.join(_ZONES)}", file=file, key="parcel_facts.zone")
        )
        zone = "undetermined"
    faults.extend(
        Fault(what="true, false or null is meant", file=file, key=f"parcel_facts.{name}")
        for name in ("municipal_owner", "adjacent_state_or_county_road", "adjacent_lirr")
        if not isinstance(data.get(name), (bool, type(None)))
    )
    near, streets = data.get("within_500_ft_of"), data.get("streets_abutted")
    return PremisesFacts(
        zone=cast("Zone", zone),
        municipal_owner=data.get("municipal_owner"),
        adjacent_state_or_county_road=data.get("adjacent_state_or_county_road"),
        adjacent_lirr=data.get("adjacent_lirr"),
        in_village=data.get("in_village"),
        within_500_ft_of=None if near is None else tuple(near),
        streets_abutted=None if streets is None else tuple(streets),
        area_sq_ft=data.get("area_sq_ft"),
        frontage_ft=data.get("frontage_ft"),
    )


def _permit(data: Mapping[str, Any], n: int, file: str, faults: list[Fault]) -> PastPermit:
    where = f"history[{n}]"
    wrong = _unknown(data, _HISTORY, file, where)
    faults += wrong
    status = data.get("status", "issued")
    if status not in _STATUSES:
        remedy = f"use one of: {', '.join(_STATUSES)}"
        faults.append(Fault(what=f"{status!r} is no status", remedy=remedy, file=file, key=f"{where}.status"))
        status = "issued"
    return PastPermit(
        issued=_date(data.get("issued"), file, f"{where}.issued", faults),
        starts=_date(data.get("starts"), file, f"{where}.starts", faults),
        ends=_date(data.get("ends"), file, f"{where}.ends", faults),
        night=data.get("night"),
        status=status,
        distinct_events=int(data.get("distinct_events") or 1),
        charitable=data.get("charitable"),
        number=str(data.get("number") or ""),
        kind=str(data.get("kind") or ""),
    )


def _date(value: object, file: str, key: str, faults: list[Fault]) -> date | None:
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        faults.append(Fault(what=f"{value!r} is no date", remedy="write it as 2026-07-04", file=file, key=key))
        return None


def _plain(value: Any) -> Any:  # noqa: ANN401  # JSON values are of any type
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, (date, time)) else value
