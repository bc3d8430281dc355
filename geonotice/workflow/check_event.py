"""Check an event against a town's law, its layers and its register."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.check import CheckResult, check
from geonotice.facts.premises import GatheredEvent, gather_event
from geonotice.opened_town import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from geonotice.config.application import Event
    from geonotice.decide.cap_count import PastPermit, PropertyHistory
    from geonotice.model import ResultWarning
    from geonotice.opened_town import Opened

__all__ = ["Checked", "check_event", "check_measured", "check_opened", "judge_event"]


class Checked(Struct, frozen=True, eq=False):
    """A check, and what was gathered for it: whoever draws the premises need not measure them again."""

    result: CheckResult
    gathered: GatheredEvent


def check_event(town: Path, event_file: Path, *, on: "date", buffer_ft: float | None = None) -> CheckResult:
    """Check an event file against a town's law, layers and register.

    Parameters
    ----------
    town, event_file
        The town file or its folder, and the event file.
    on
        The date that is taken as today.
    buffer_ft
        The buffer from every lot line that the officials set for this event, in feet; None where they set none.

    Raises
    ------
    EventFileError
        The event file has faults, or names no parcel.
    UsageError
        A parcel is not found, or is several; a buffer is no length, or the law has no rule that it could be held against.
    StoreError
        The store is missing or out of date.
    """
    from geonotice.config.read_application import read_event_file

    event = read_event_file(event_file)
    with open_store(town) as opened:
        return check_opened(opened, event, on=on, buffer_ft=buffer_ft, file=str(event_file), folder=event_file.parent)


def check_opened(
    opened: "Opened",
    event: "Event",
    *,
    on: "date",
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
) -> CheckResult:
    """Check an event in a town that is open; ``file`` is what faults call the event, ``folder`` where the drawing's path starts."""
    return check_measured(opened, event, on=on, buffer_ft=buffer_ft, file=file, folder=folder).result


def check_measured(
    opened: "Opened",
    event: "Event",
    *,
    on: "date",
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
) -> Checked:
    """Check as :func:`check_opened` does, and give what was measured too."""
    gathered = gather_event(opened, event, buffer_ft=buffer_ft, file=file, folder=folder)
    from geonotice.facts.history import read_history  # the register's libraries take half a second

    properties, parades, said = read_history(opened, gathered.parcels, event, gathered.route, on=on)
    result = judge_event(opened, event, gathered, on=on, properties=properties, parades=parades, said=said)
    return Checked(result, gathered)


def judge_event(
    opened: "Opened",
    event: "Event",
    gathered: GatheredEvent,
    *,
    on: "date",
    properties: "Sequence[PropertyHistory]",
    parades: "Sequence[PastPermit]",
    said: "Sequence[ResultWarning]" = (),
) -> CheckResult:
    """Apply the law to an event of which everything is gathered; ``said`` is what was noticed while its history was put together."""
    told = {permit.number for one in properties for permit in one.permits}
    past = tuple(parade for parade in parades if parade.number not in told)
    result = check(opened.profile, event, gathered.facts, past, on=on, properties=properties)
    warnings = (*gathered.warnings, *said)
    known = {item.code for item in warnings}
    return replace(result, warnings=(*warnings, *(item for item in result.warnings if item.code not in known)))
