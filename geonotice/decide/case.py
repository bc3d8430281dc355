"""The case form: an event with the facts of its parcel and its permit history stated beside it, so that no layer is needed."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, time
from pathlib import Path
from typing import Any

from geonotice.decide.check import CheckResult, check
from geonotice.decide.headline import headline
from geonotice.decide.stated import Stated, read_facts, read_history
from geonotice.errors import EventFileError, Fault
from geonotice.event import Event

__all__ = ["check_case", "check_stated", "result_to_json"]

_KEYS = ("name", "ordinance", "on", "event", "parcel_facts", "history", "expect", "why")


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
    from geonotice.ordinance.read import load_profile

    faults: list[Fault] = []
    stated = Stated(case, _KEYS, file=file, where="", faults=faults)
    ordinance = stated.data.get("ordinance")
    if not isinstance(ordinance, str):
        stated.refuse("ordinance", "'ordinance' is missing", "give the id of a profile")
    on = stated.day("on")
    if on is None and not any(fault.key == "on" for fault in faults):
        stated.refuse("on", "'on' is missing", "give the day that stands for today")
    facts = read_facts(stated.data.get("parcel_facts") or {}, file=file, faults=faults)
    history = read_history(stated.data.get("history") or (), file=file, faults=faults)
    event = _event(stated.data.get("event") or {}, file, faults)
    if faults or on is None or event is None or not isinstance(ordinance, str):
        raise EventFileError(faults)
    profile = load_profile(ordinance, relative_to=relative_to)
    return check(profile, event, facts, history, on=on)


def result_to_json(result: CheckResult) -> dict[str, Any]:
    """Give a result in the form of ``check --json``: plain JSON values."""
    found = headline(result)
    return {
        "headline": {"status": found.status, "text": found.text},
        "permit_required": result.permit_required,
        "allowed": result.allowed,
        "findings": [_plain(asdict(item)) for item in result.findings],
        "not_applicable": [asdict(item) for item in result.not_applicable],
        "missing": list(result.missing),
        "warnings": [item.to_json() for item in result.warnings],
    }


def _event(data: object, file: str, faults: list[Fault]) -> Event | None:
    """Read the event; a table that is null states nothing, as one that is left out."""
    from geonotice.event_file import event_from_data

    if not isinstance(data, Mapping):
        faults.append(Fault(what=f"a table of keys and values is meant (it says {data!r})", file=file, key="event"))
        return None
    try:
        return event_from_data({key: value for key, value in data.items() if value is not None}, file=file)
    except EventFileError as error:
        faults += error.faults
        return None


def _plain(value: Any) -> Any:  # noqa: ANN401  # JSON values are of any type
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, (date, time)) else value
