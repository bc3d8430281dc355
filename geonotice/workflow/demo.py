"""The demonstration: both invented towns, from import to packet and map."""

import shutil
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

import geonotice
from geonotice.config.read_application import read_event_file
from geonotice.decide.headline import headline
from geonotice.errors import Fault, InputError, OutputError, UsageError
from geonotice.io.output_files import write_file
from geonotice.opened_town import find_premises, open_store
from geonotice.packet.sentences import count, counts_line
from geonotice.warning_ranks import causes
from geonotice.workflow.check_papers import staff_report
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice
from geonotice.workflow.packet import write_packet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from geonotice.config.application import Event

__all__ = ["run_demo"]

DEMO_DAY = date(2026, 11, 30)
"""What is taken as today in the demonstration: within the year of its layers, and after its applications were filed."""

_HEARING = date(2027, 1, 12)

_PERMITS = "permits.csv"
"""A town's spreadsheet of past permits."""

_TOWNS = (
    ("italy", "51.00-1-1", "hearing", _HEARING),
    ("southampton", "0900-123.00-01.00-002.000", "appeal", _HEARING),
)


def run_demo(folder: Path, *, progress: "Callable[[str], None]") -> "Iterator[str]":
    """Copy the demonstration towns into a folder, import them and make a packet of each; give the pages to open.

    Raises
    ------
    UsageError
        The folder holds something that is no demonstration.
    OutputError
        It is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise OutputError(
            Fault(what="this is a file, not a folder", file=str(folder), remedy="name a new folder: geonotice demo DIR")
        )
    if folder.exists() and any(folder.iterdir()) and not any((folder / name / "town.toml").is_file() for name, *_ in _TOWNS):
        raise UsageError(
            Fault(what="this folder holds other files", file=str(folder), remedy="name a new folder: geonotice demo DIR")
        )
    for name, parcel, occasion, hearing in _TOWNS:
        town = folder / name
        shutil.copytree(_data() / name, town, dirs_exist_ok=True)
        progress(f"{name}: importing the layers …")
        report = import_layers(town, on=DEMO_DAY)
        progress(f"{name}: {report.counts['parcels']:,} parcels; notice of the {occasion} at {parcel} …")
        with open_store(town) as opened:
            premises = find_premises(opened, [parcel])
            event = _event_at(town, parcel)
            first_day = event.event.first_day if event else None
            request = NoticeRequest(occasion=occasion, on=DEMO_DAY, hearing=hearing, event=first_day)
            made = make_notice(opened, premises, request)
            write_packet(opened, made, town / "packet", event=event, keep=False)
        progress(f"{name}: {counts_line(made.notice)} {count(len(causes(made.notice.warnings)), 'warning')}")
        yield f"Open {town / 'packet' / 'index.html'}"
        if (town / _PERMITS).is_file():  # before the events, which are counted against them
            yield f"Open {_permits(town, progress)}"
        yield from _events(town)
    yield (
        "Try it yourself: geonotice notice " + f"{folder / 'italy'} 51.00-1-1 --for hearing --hearing {_HEARING} --on {DEMO_DAY}"
    )


def _event_at(town: Path, parcel: str) -> "Event | None":
    """Return the town's event that may be allowed, where it is held on the parcel: its letters then say what is proposed."""
    event = read_event_file(town / "events" / "allowed.toml")
    return event if event.premises.parcels == (parcel,) else None


def _events(town: Path) -> "Iterator[str]":
    """Check the town's four events, say what the law makes of each, and set its staff report."""
    for file in sorted((town / "events").glob("*.toml")):
        result, paper = staff_report(town, file, on=DEMO_DAY)
        report = town / f"staff-report-{file.stem}.pdf"
        write_file(report, paper)
        yield f"Event {town.name}/{file.stem}: {headline(result).text} See {report}"


def _permits(town: Path, progress: "Callable[[str], None]") -> Path:
    """Take the town's permits in, and draw the event map of the year."""
    from geonotice.register.session import open_town_register
    from geonotice.workflow.event_map import write_event_map
    from geonotice.workflow.permit_import import import_permits

    now = datetime.combine(DEMO_DAY, time(12), UTC)
    with open_store(town) as opened, open_town_register(opened.town) as register:
        report = import_permits(opened, register, town / _PERMITS, now=now, by="the demonstration")
        progress(f"{town.name}: {report.count('taken', 'taken_with_remarks')} permits taken in; drawing the event map …")
        file, _ = write_event_map(opened, register, year=DEMO_DAY.year, on=DEMO_DAY, out=town / "event-map.html")
        return file


def _data() -> Path:
    """Find the demonstration towns: carried in the installed package, or beside it in the source tree."""
    package = Path(geonotice.__file__).parent
    for place in (package / "demo_data", package.parent / "data"):
        if (place / "italy" / "town.toml").is_file():
            return place
    raise InputError(
        Fault(
            what="the demonstration towns are not installed with geonotice",
            remedy="install it from its wheel, or run from its source",
        )
    )
