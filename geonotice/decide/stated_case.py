"""The case form: an event with the facts of its parcel and its permit history stated beside it, read strictly, without a layer."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, cast, get_args

from msgspec.structs import asdict

from geonotice.config.application import Event, Kind
from geonotice.decide.cap_count import PastPermit, PermitStatus, Zone
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import CheckResult, check
from geonotice.decide.deadlines import is_past, next_steps
from geonotice.decide.headline import headline
from geonotice.errors import EventFileError, Fault
from geonotice.model import LIKELY_DAYS

__all__ = [
    "Stated",
    "check_case",
    "check_stated",
    "read_facts",
    "read_history",
    "result_to_json",
]


FACTS = (
    "zone", "municipal_owner", "adjacent_state_or_county_road", "adjacent_lirr", "in_village", "within_500_ft_of", "streets_abutted",
    "area_sq_ft", "frontage_ft",
)  # fmt: skip
PERMIT = (
    "number", "kind", "applicant", "charitable", "primarily_benefits_applicant", "distinct_events", "issued", "starts", "ends", "night",
    "persons", "status",
)  # fmt: skip
"""The columns of ``permit import``, but for the parcels: a history is that of the premises."""


_DAY = len("2026-07-04")
"""How long a date without a time is."""


class Stated:
    """One table of a case: each value is taken out by its sort, and what is wrong with it is added to the faults."""

    def __init__(self, data: object, keys: tuple[str, ...], *, file: str, where: str, faults: list[Fault]) -> None:
        self.file, self.where, self.faults = file, where, faults
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping):
            faults.append(Fault(what=f"a table of keys and values is meant (it says {data!r})", file=file, key=where))
        for key in self.data:
            if key not in keys:
                self.refuse(key, f"{key!r} is not a key of a case", f"its keys here are: {', '.join(sorted(keys))}")

    def refuse(self, key: str, what: str, remedy: str) -> None:
        """Add a fault that names the key."""
        self.faults.append(Fault(what=what, remedy=remedy, file=self.file, key=f"{self.where}.{key}".strip(".")))

    def yes(self, key: str) -> bool | None:
        """Take a yes or a no; None is unknown."""
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return value
        self._wrong(key, "true, false or null is meant")
        return None

    def text(self, key: str) -> str | None:
        """Take a text; None where there is none."""
        value = self.data.get(key)
        if value is None or isinstance(value, str):
            return value
        self._wrong(key, "a text or null is meant")
        return None

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Take a list of names; None is unknown, an empty list says that there are none."""
        value = self.data.get(key)
        if value is None:
            return None
        # A text is a sequence too: taken as a list, "Mill Road" would be nine streets.
        if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self._wrong(key, "a list of names is meant, such as [] or ['Mill Road']")
        return None

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """Take one of a closed set of words."""
        value = self.data.get(key)
        if value is None or value in choices:
            return value
        self.refuse(key, f"{value!r} is no {key}", f"use one of: {', '.join(choices)}")
        return None

    def number(self, key: str) -> float | None:
        """Take a number of at least 0."""
        value = self.data.get(key)
        if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0):
            return value
        self._wrong(key, "a number of 0 or more is meant")
        return None

    def count(self, key: str, *, least: int = 0) -> int | None:
        """Take a whole number."""
        value = self.data.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= least):
            return value
        self._wrong(key, f"a whole number of {least} or more is meant")
        return None

    def day(self, key: str, *, ends: bool = False) -> date | None:
        """Take a date; of a date and time the day. Midnight at the end of a day is that day, where it ``ends`` something."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, (date, str)):
            self._wrong(key, "a date is meant")
            return None
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        except ValueError:
            self.refuse(key, f"{value!r} is no date", "write it as 2026-07-04")
            return None
        day = moment.date() if isinstance(moment, datetime) else moment
        if (
            ends
            and isinstance(moment, datetime)
            and moment.time() == time.min
            and not (isinstance(value, str) and len(value) == _DAY)
        ):
            day -= timedelta(days=1)
        if not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
            self._wrong(key, f"{day.year} is no likely year")
            return None
        return day

    def _wrong(self, key: str, what: str) -> None:
        self.refuse(key, f"{what} (it says {self.data.get(key)!r})", "fix the value, or leave the key out where it is not known")


def read_facts(data: object, *, file: str, faults: list[Fault]) -> PremisesFacts:
    """Read ``parcel_facts``: what is known of the premises. What is left out is unknown."""
    stated = Stated(data, FACTS, file=file, where="parcel_facts", faults=faults)
    return PremisesFacts(
        zone=cast("Zone", stated.choice("zone", get_args(Zone)) or "undetermined"),
        municipal_owner=stated.yes("municipal_owner"),
        adjacent_state_or_county_road=stated.yes("adjacent_state_or_county_road"),
        adjacent_lirr=stated.yes("adjacent_lirr"),
        in_village=stated.text("in_village"),
        within_500_ft_of=stated.texts("within_500_ft_of"),
        streets_abutted=stated.texts("streets_abutted"),
        area_sq_ft=stated.number("area_sq_ft"),
        frontage_ft=stated.number("frontage_ft"),
    )


def read_history(data: object, *, file: str, faults: list[Fault]) -> tuple[PastPermit, ...]:
    """Read ``history``: the permits of the property, and the parades of the town; those that say no kind count as special events."""
    if not isinstance(data, (list, tuple)):
        faults.append(Fault(what=f"a list of permits is meant (it says {data!r})", file=file, key="history"))
        return ()
    return tuple(_permit(Stated(item, PERMIT, file=file, where=f"history[{n}]", faults=faults)) for n, item in enumerate(data))


def _permit(stated: Stated) -> PastPermit:
    # Who applied, whom it benefited and how many came does not count in any rule: read, so that what the register writes can be stated.
    stated.text("applicant")
    stated.yes("primarily_benefits_applicant")
    stated.count("persons")
    starts, ends = stated.day("starts"), stated.day("ends", ends=True)
    if starts and ends and ends < starts and stated.day("ends") == starts:
        ends = starts
    if starts and ends and ends < starts:
        stated.refuse("ends", "the event ends before it starts", "fix one of the two dates")
    number = stated.data.get("number")
    return PastPermit(
        issued=stated.day("issued"),
        starts=starts,
        ends=ends,
        night=stated.yes("night"),
        status=cast("PermitStatus", stated.choice("status", get_args(PermitStatus)) or "issued"),
        distinct_events=stated.count("distinct_events", least=1) or 1,
        charitable=stated.yes("charitable"),
        number="" if number is None else str(number),
        kind=stated.choice("kind", get_args(Kind)) or "",
    )


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
    from geonotice.ordinance.load import load_profile

    faults: list[Fault] = []
    stated = Stated(case, _KEYS, file=file, where="", faults=faults)
    ordinance = stated.data.get("ordinance")
    if not isinstance(ordinance, str):
        stated.refuse("ordinance", "'ordinance' is missing", "give the id of a profile")
    on = stated.day("on")
    if on is None and not any(fault.key == "on" for fault in faults):
        stated.refuse("on", "'on' is missing", "give the date that is taken as today")
    facts = read_facts(stated.data.get("parcel_facts") or {}, file=file, faults=faults)
    history = read_history(stated.data.get("history") or (), file=file, faults=faults)
    event = _event(stated.data.get("event") or {}, file, faults)
    if faults or on is None or event is None or not isinstance(ordinance, str):
        raise EventFileError(faults)
    profile = load_profile(ordinance, relative_to=relative_to)
    return check(profile, event, facts, history, on=on)


def result_to_json(result: CheckResult) -> dict[str, Any]:
    """Return a result in the form of ``check --json``: plain JSON values."""
    found = headline(result)
    return {
        "headline": {"status": found.status, "text": found.text},
        "permit_required": result.permit_required,
        "allowed": result.allowed,
        "findings": [_plain(asdict(item)) for item in result.findings],
        "not_applicable": [asdict(item) for item in result.not_applicable],
        "missing": list(result.missing),
        "warnings": [item.to_json() for item in result.warnings],
        "next_steps": [
            {
                "day": one.suggested.isoformat(),
                "last_lawful_day": one.last_lawful_day.isoformat(),
                "bound": one.bound,
                "past": is_past(one, result.on),
                "state": one.state(result.on),
                "what": one.what,
                "rule": one.rule,
                "section": one.section,
            }
            for one in next_steps(result)
        ],
        "undated": [asdict(one) for one in result.undated],
    }


def _event(data: object, file: str, faults: list[Fault]) -> Event | None:
    """Read the event; a table that is null states nothing, as one that is left out."""
    from geonotice.config.read_application import event_from_data

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
