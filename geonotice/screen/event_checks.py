"""What the ordinance makes of the event at each candidate: the check of an application, asked once for all land on which its answer is the same."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.config.read_application import event_from_data
from geonotice.decide.check import check
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from geonotice.config.application import Event
    from geonotice.opened_town import Opened
    from geonotice.screen.filters import Value
    from geonotice.screen.table import Asked, CheckedLand

__all__ = ["check_columns", "event_of"]

_DAYS_MOST = 366


def event_of(asked: "Asked") -> "Event":
    """Return the question of a screen as an event file would state it.

    Raises
    ------
    EventFileError
        The kind or the hours cannot be read.
    UsageError
        Hours are given and no day, or the event is a parade.
    """
    if asked.kind == "parade":
        raise UsageError(
            Fault(
                what="a parade goes along streets and is not held on a parcel, so a screen of parcels has no answer for it",
                remedy="file an application, with its route",
                command="check its route: geonotice check TOWN EVENT.toml, with [parade] route",
            )
        )
    about: dict[str, Any] = {"kind": asked.kind, "night": asked.night, "persons_at_once": asked.persons}
    last = asked.ends or asked.starts
    if asked.hours is None:
        about |= {"starts": asked.starts, "ends": last}
    elif asked.starts is None or last is None:
        raise UsageError(Fault(what="hours are given, and no day", remedy="give the first day", command="add --starts DATE"))
    else:
        opens, closes = asked.hours
        days = [asked.starts + timedelta(days=n) for n in range(min((last - asked.starts).days + 1, _DAYS_MOST))]
        about["days"] = [{"on": day, "from": opens, "to": closes} for day in days]
    data = {
        "event": {key: value for key, value in about.items() if value is not None},
        "applicant": {} if asked.charity is None else {"charitable": asked.charity},
        "benefit": {} if asked.benefits_applicant is None else {"primarily_benefits_applicant": asked.benefits_applicant},
    }
    return event_from_data(data, file="what is asked")


class _Answer(Struct, frozen=True):
    permit_required: bool | None
    not_met: tuple[str, ...]
    to_decide: int


def check_columns(
    opened: "Opened", event: "Event", on: date, land: "Iterable[CheckedLand | None]"
) -> "Mapping[str, Sequence[Value]]":
    """Return what a check says of the event at each candidate; None where its land was not measured.

    Notes
    -----
    A check is asked once for all land that differs in nothing a rule decides by.
    """
    answered: dict[CheckedLand, _Answer] = {}
    made: list[_Answer | None] = []
    for one in land:
        if one is None:
            made.append(None)
            continue
        if one not in answered:
            facts, properties = one
            found = check(opened.profile, event, facts, (), on=on, properties=properties)
            answered[one] = _Answer(
                found.permit_required,
                tuple(one.rule for one in found.findings if one.status == "not_met"),
                sum(one.status == "decide" for one in found.findings),
            )
        made.append(answered[one])
    words = {True: "yes", False: "no", None: "decide"}
    return {
        "permit_required": [None if one is None else words[one.permit_required] for one in made],
        "not_met": [None if one is None else "; ".join(one.not_met) for one in made],
        "to_decide": [None if one is None else one.to_decide for one in made],
    }
