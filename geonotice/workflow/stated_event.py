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
    from geonotice.workflow.opening import Opened

__all__ = ["StatedEvent", "agreed_hearing", "agreed_premises", "read_stated_event"]


@dataclass(frozen=True, slots=True)
class StatedEvent:
    """The event as far as a notice needs it; ``file`` is empty where only its day was given."""

    first_day: "date | None" = None
    hearing: "date | None" = None
    parcels: tuple[str, ...] = ()
    file: str = ""


def read_stated_event(file: Path) -> StatedEvent:
    """Read what a notice needs of an event file.

    Raises
    ------
    EventFileError
        The event file has faults; all of them at once.
    """
    from geonotice.event_file import read_event_file

    event = read_event_file(file)
    return StatedEvent(event.event.first_day, event.denial.hearing, event.premises.parcels or (), str(file))


def agreed_hearing(stated: StatedEvent, hearing: "date | None") -> "date | None":
    """Give the day of the hearing, as given or as the event file states it.

    Raises
    ------
    UsageError
        The two differ: a notice for the wrong day is none.
    """
    if hearing and stated.hearing and hearing != stated.hearing:
        what = f"the hearing is on {hearing.isoformat()} by --hearing, and on {stated.hearing.isoformat()} by the event file"
        raise UsageError(Fault(what=what, file=stated.file, key="denial.hearing", remedy="correct the one that is wrong"))
    return hearing or stated.hearing


def agreed_premises(
    opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]", stated: StatedEvent
) -> "tuple[Parcel, ...]":
    """Find the premises as they are named, or as the event file names them.

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
                what=f"the notice is asked for {here}, and the event file names {there}",
                why="distances are measured from all parcels that the event uses",
                remedy="leave the parcels out to take the event file's, or correct it",
                file=stated.file,
                key="premises.parcels",
            )
        )
    return named
