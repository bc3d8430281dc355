"""Write a packet: whole or not at all."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, OutputError
from geonotice.output_files import is_packet, write_file, write_folder
from geonotice.workflow.drawing import notice_pages
from geonotice.workflow.evidence import evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.packet.gpkg import NoticeShapes
    from geonotice.workflow.noticing import Noticed
    from geonotice.workflow.opening import Opened

__all__ = ["LabelOptions", "check_folder", "write_file", "write_folder", "write_packet"]


def check_folder(out: Path) -> None:
    """Refuse a folder that a packet must not take the place of.

    Raises
    ------
    OutputError
        It is a file, or holds something that is no packet.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(Fault(what="this is a file, not a folder", file=str(out), remedy="name another folder with --out"))
    if out.is_dir() and any(out.iterdir()) and not is_packet(out):
        raise OutputError(
            Fault(
                what="this folder holds other files",
                file=str(out),
                why="a packet replaces what is there",
                remedy="name a new folder with --out",
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """How labels are printed: see :func:`geonotice.packet.labels.labels_pdf`."""

    sheet: str = "5160"
    start_at: int = 1
    nudge_x_in: float = 0.0
    nudge_y_in: float = 0.0
    by_hand: tuple[int, ...] = ()


def write_packet(
    opened: "Opened",
    noticed: "Noticed",
    out: Path,
    *,
    labels: LabelOptions | None = None,
    keep: bool = True,
    progress: "Callable[[str], None] | None" = None,
) -> Path | None:
    """Make every paper of a notice and write them into a folder; the rest as :func:`write_folder`."""
    from geonotice.packet.assemble import assemble
    from geonotice.packet.labels import check_labels

    tell = progress or (lambda _: None)
    printed = labels or LabelOptions()
    check_folder(out)
    # Before the map, which takes seconds: an option that is wrong is said at once.
    check_labels(
        noticed.notice.recipients,
        sheet=printed.sheet,
        start_at=printed.start_at,
        nudge_x_in=printed.nudge_x_in,
        nudge_y_in=printed.nudge_y_in,
        by_hand=printed.by_hand,
    )
    tell("Drawing the map …")
    pages = notice_pages(opened, noticed)
    if noticed.deadlines:
        pages["deadlines.ics"] = _calendar(noticed)
    tell("Printing the papers …")
    files = assemble(
        noticed.notice,
        _shapes(opened, noticed),
        extra=pages,
        label_sheet=printed.sheet,
        start_at=printed.start_at,
        nudge_x_in=printed.nudge_x_in,
        nudge_y_in=printed.nudge_y_in,
        by_hand=printed.by_hand,
        office=opened.town.clerk.line,
        deadlines=noticed.deadlines,
        undated=noticed.undated,
    )
    check_folder(out)  # once more: drawing takes a while
    return write_folder(files, out, keep=keep)


def _calendar(noticed: "Noticed") -> bytes:
    """Give the days that hang on the hearing or the event as a calendar file."""
    from geonotice.packet.calendar import deadlines_ics

    notice = noticed.notice
    about = f"{notice.occasion}, {', '.join(notice.premises)}"
    return deadlines_ics(noticed.deadlines, town=notice.town, about=about, on=notice.on)


def _shapes(opened: "Opened", noticed: "Noticed") -> "NoticeShapes":
    from geonotice.packet.gpkg import NoticeShapes

    measured = noticed.measured
    fids = {record.id: fid for fid, record in measured.records.items()}
    return NoticeShapes(
        crs=opened.crs,
        premises={parcel.id: measured.geometries[parcel.fid] for parcel in measured.premises},
        parcels={parcel.fid: measured.geometries[parcel.fid] for parcel in noticed.notice.parcels},
        near_misses={miss.id: measured.geometries[fids[miss.id]] for miss in noticed.notice.near_misses},
        search_area=None if noticed.radius_ft is None else measured.line.buffer(noticed.radius_ft, quad_segs=64),
        evidence=evidence_of(noticed),
    )
