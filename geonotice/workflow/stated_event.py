"""What an event file says that a notice turns on: its premises, its first day, the day of its hearing."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, UsageError
from geonotice.workflow.finding import find_premises

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from geonotice.model import Parcel
    from geonotice.ordinance.profile import Profile
    from geonotice.workflow.opening import Opened

__all__ = ["StatedEvent", "agreed_hearing", "agreed_premises", "read_stated_event"]


@dataclass(frozen=True, slots=True)
class StatedEvent:
    """The event as far as a notice needs it; ``file`` is empty where only its day was given.

    ``hearing`` is the hearing on an appeal, ``application_hearing`` that on the application.
    """

    first_day: "date | None" = None
    hearing: "date | None" = None
    parcels: tuple[str, ...] = ()
    file: str = ""
    application_hearing: "date | None" = None


def read_stated_event(file: Path) -> StatedEvent:
    """Read what a notice needs of an event file.

    Raises
    ------
    EventFileError
        The event file has faults; all of them at once.
    """
    from geonotice.event_file import read_event_file

    event = read_event_file(file)
    return StatedEvent(
        event.event.first_day, event.denial.hearing, event.premises.parcels or (), str(file), event.notice_given.hearing
    )


def agreed_hearing(stated: StatedEvent, hearing: "date | None", *, profile: "Profile", occasion: str = "") -> "date | None":
    """Return the day of the hearing, as given or as the event file states it for this occasion of the law.

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
        what = f"the hearing is on {hearing.isoformat()} by --hearing, and on {day.isoformat()} by the event file"
        raise UsageError(Fault(what=what, file=stated.file, key=key, remedy="correct the one that is wrong"))
    return hearing or day


def agreed_premises(
    opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]", stated: StatedEvent, paper: str = "notice"
) -> "tuple[Parcel, ...]":
    """Find the premises as they are named, or as the event file names them; ``paper`` is what is asked for.

    Raises
    ------
    UsageError
        The two differ, or a parcel is not found; parameters as :func:`geonotice.workflow.finding.find_premises`.
    """
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
