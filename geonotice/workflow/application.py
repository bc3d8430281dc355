"""What an event file states, and the options of a command laid beside it."""

import dataclasses
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec import Struct

from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.config.application import Event
    from geonotice.model import Parcel, ResultWarning
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile


__all__ = [
    "Options",
    "StatedEvent",
    "agreed_filing",
    "agreed_hearing",
    "agreed_premises",
    "completed",
    "read_stated_event",
    "stated_by",
]


class Options(Struct, frozen=True, kw_only=True):
    """What the options of ``permit check`` and ``permit issue`` say of an event; None is not given.

    ``night_unknown`` is ``--night unknown``; ``charity`` and ``benefits_applicant`` are flags, which say *yes* or nothing.
    """

    starts: date | None = None
    ends: date | None = None
    night: bool | None = None
    night_unknown: bool = False
    distinct_events: int | None = None
    owned_by: str | None = None
    kind: str | None = None
    persons: int | None = None
    applicant: str | None = None
    title: str | None = None
    charity: bool = False
    benefits_applicant: bool = False


class _Pair(Struct, frozen=True):
    """An option with its value, and the key of the event file with what the file says; ``field`` is where an answer goes."""

    option: str
    given: object
    key: str
    stated: object
    field: str = ""

    @property
    def words(self) -> str:
        """What is stated, in words."""
        return self.option.removeprefix("--").replace("-", " ")

    @property
    def differs(self) -> bool:
        """Whether the two contradict each other; a name may be written in other letters."""
        if self.given is None or self.stated is None:
            return False
        if isinstance(self.given, str) and isinstance(self.stated, str):
            return " ".join(self.given.split()).casefold() != " ".join(self.stated.split()).casefold()
        return self.given != self.stated


def completed(event: "Event", given: Options, *, file: str) -> "Event":
    """Return an event with the options' answers put in where its file has none.

    Raises
    ------
    UsageError
        An option contradicts the file, or is no answer that an event file could have; all of them at once.
    """
    pairs = _pairs(event, given)
    faults = [_contradiction(pair, file) for pair in pairs if pair.differs]
    if given.night_unknown and event.event.night is not None:
        stated = _written(event.event.night)
        faults.append(_contradiction(_Pair("--night", "unknown", "event.night", stated), file))
    faults += _strange(given)
    if faults:
        raise UsageError(faults)
    made: Any = event
    for pair in pairs:
        if pair.given is not None and pair.stated is None:
            section, _, name = (pair.field or pair.key).partition(".")
            made = dataclasses.replace(made, **{section: dataclasses.replace(getattr(made, section), **{name: pair.given})})
    return cast("Event", made)


def _pairs(event: "Event", given: Options) -> tuple[_Pair, ...]:
    about, applicant = event.event, event.applicant
    at_once, total = about.persons_at_once, about.persons_total
    counted = "event.persons_at_once" if at_once is not None or total is None else "event.persons_total"
    return (
        _Pair("--starts", given.starts, "event.starts", about.first_day),
        _Pair("--ends", given.ends, "event.ends", about.last_day),
        _Pair("--night", given.night if not given.night_unknown else None, "event.night", about.night),
        _Pair("--distinct-events", given.distinct_events, "event.distinct_events", about.distinct_events),
        _Pair("--kind", given.kind, "event.kind", about.kind),
        _Pair("--title", given.title, "event.title", about.title),
        _Pair("--persons", given.persons, counted, at_once if at_once is not None else total),
        _Pair("--applicant", given.applicant, "applicant.name", applicant.name),
        _Pair("--charity", True if given.charity else None, "applicant.charitable", applicant.charitable),
        _Pair(
            "--benefits-applicant",
            True if given.benefits_applicant else None,
            "benefit.primarily_benefits_applicant",
            event.benefit.primarily_benefits_applicant,
        ),
        _Pair("--owned-by", given.owned_by, "premises.owned_entirely_by", event.premises.owned_entirely_by),
    )


def _contradiction(pair: _Pair, file: str) -> Fault:
    return Fault(
        what=f"{pair.words} is {_written(pair.given)} as given here, and {_written(pair.stated)} in the event file",
        why="the ordinance would be applied to another event than the permit names",
        remedy="leave it out, or correct the event file",
        command=f"leave {pair.option} out, or correct the event file",
        file=file,
        key=pair.key,
    )


def _written(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _strange(given: Options) -> Iterator[Fault]:
    """Refuse a kind or an owner that no event file can name: the check would not know it."""
    from geonotice.config import application

    if given.kind is not None and given.kind not in get_args(application.Kind):
        yield Fault(
            what=f"{given.kind!r} is no kind of an event file",
            key="--kind",
            remedy=f"give one of {', '.join(get_args(application.Kind))}",
        )
    if given.owned_by is not None and given.owned_by not in get_args(application.OwnedBy):
        remedy = f"give one of {', '.join(get_args(application.OwnedBy))}"
        yield Fault(what=f"{given.owned_by!r} is no owner of an event file", key="--owned-by", remedy=remedy)


class StatedEvent(Struct, frozen=True):
    """The event as far as a notice needs it; ``file`` is empty where only its day was given.

    ``hearing`` is the hearing on an appeal, ``application_hearing`` that on the application, ``event`` the whole file; ``warnings`` are contradictions
    of the file that touch a notice; ``filed`` is the day on which the application was filed.
    """

    first_day: "date | None" = None
    hearing: "date | None" = None
    parcels: tuple[str, ...] = ()
    file: str = ""
    application_hearing: "date | None" = None
    event: "Event | None" = None
    warnings: "tuple[ResultWarning, ...]" = ()
    filed: "date | None" = None


def read_stated_event(file: Path) -> StatedEvent:
    """Read what a notice needs of an event file.

    Raises
    ------
    EventFileError
        The event file has faults; all of them at once.
    """
    from geonotice.config.read_application import read_event_file

    return stated_by(read_event_file(file), file=str(file))


def stated_by(event: "Event", *, file: str) -> StatedEvent:
    """Return what a notice needs of an event; ``file`` is what faults call it."""
    from geonotice.decide.contradictions import notice_warnings

    return StatedEvent(
        event.event.first_day,
        event.denial.hearing,
        event.premises.parcels or (),
        file,
        event.notice_given.hearing,
        event,
        notice_warnings(event),
        event.event.filed,
    )


def agreed_hearing(
    stated: StatedEvent, hearing: "date | None", *, profile: "Profile", occasion: str = "", given_by: str = "--hearing"
) -> "date | None":
    """Return the day of the hearing, as given or as the event file states it for this occasion of the law; ``given_by`` is what gives it.

    Raises
    ------
    UsageError
        Two days differ: a notice for the wrong day is none.
    """
    of_file = {"notice_given.hearing": stated.application_hearing, "denial.hearing": stated.hearing}
    appeals = any(rule.applies == "denial" for rule in profile.rules)
    if any(rule.applies == "denial" for rule in profile.rules if rule.occasion == occasion):
        del of_file["notice_given.hearing"]
    found = {key: day for key, day in of_file.items() if day}
    # A law without appeals has one hearing, wherever the file states it.
    if not appeals and len(set(found.values())) > 1:
        days = " and ".join(f"{day.isoformat()} ({key})" for key, day in found.items())
        what = f"the event file has two days for the hearing: {days}"
        raise UsageError(Fault(what=what, file=stated.file, remedy="correct the one that is wrong"))
    key, day = next(iter(found.items()), ("", None))
    if hearing and day and hearing != day:
        what = f"the hearing is on {hearing.isoformat()} by {given_by}, and on {day.isoformat()} by the event file"
        raise UsageError(Fault(what=what, file=stated.file, key=key, remedy="correct the one that is wrong"))
    return hearing or day


def agreed_filing(stated: StatedEvent, filed: "date | None", *, given_by: str = "--filed") -> "date | None":
    """Return the day on which the application was filed, as given or as the event file or the register has it; ``given_by`` is what gives it.

    Raises
    ------
    UsageError
        Two days differ: whether it was filed in time hangs on it.
    """
    if filed and stated.filed and filed != stated.filed:
        what = (
            f"the application was filed on {filed.isoformat()} by {given_by}, and on {stated.filed.isoformat()} by"
            f" {stated.file if stated.file.startswith('application ') else 'the event file'}"
        )
        why = "whether it was filed in time hangs on the day"
        raise UsageError(Fault(what=what, why=why, file=stated.file, key="event.filed", remedy="correct the one that is wrong"))
    return filed or stated.filed


def agreed_premises(
    opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]", stated: StatedEvent, paper: str = "notice"
) -> "tuple[Parcel, ...]":
    """Find the premises as they are named, or as the event file names them; ``paper`` is what is asked for.

    Raises
    ------
    UsageError
        The two differ, or a parcel is not found; parameters as :func:`geonotice.opened_town.find_premises`.
    """
    # Imported here: the store needs shapely, and `--help` comes by this module for its options alone.
    from geonotice.opened_town import find_premises

    if not stated.parcels:
        return find_premises(opened, sought, find=find)
    of_event = find_premises(opened, stated.parcels)
    if not sought and not find:
        return of_event
    named = find_premises(opened, sought, find=find)
    if {parcel.fid for parcel in named} != {parcel.fid for parcel in of_event}:
        here, there = (", ".join(parcel.id for parcel in parcels) for parcels in (named, of_event))
        raise UsageError(
            Fault(
                what=f"the {paper} is asked for {here}, and the event file names {there}",
                why="distances, districts and permits are those of all parcels that the event uses",
                remedy="leave the parcels out to take the event file's, or correct it",
                file=stated.file,
                key="premises.parcels",
            )
        )
    return named
