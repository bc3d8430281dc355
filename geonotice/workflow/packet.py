"""Write a packet: whole or not at all."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, OutputError
from geonotice.io.output_files import is_packet, write_file, write_folder
from geonotice.model import ResultWarning
from geonotice.workflow.notice_map import evidence_of, notice_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.opened_town import Opened
    from geonotice.packet.notice_gpkg import NoticeShapes
    from geonotice.workflow.notice import Noticed

__all__ = ["LabelOptions", "check_folder", "with_label_warnings", "write_file", "write_folder", "write_packet"]

_LABEL_CODE = "label_by_hand"


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
    """Make every paper of a notice and write them into a folder; the rest as :func:`write_folder`.

    A label that would not hold its address whole is left out, and the packet warns of it (:func:`with_label_warnings`).
    """
    from geonotice.packet.assemble import assemble
    from geonotice.packet.labels import check_labels, unprintable_labels

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
    noticed = with_label_warnings(noticed, printed)
    by_hand = {*printed.by_hand, *(one.number for one, _ in unprintable_labels(noticed.notice.recipients, sheet=printed.sheet))}
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
        by_hand=by_hand,
        office=opened.town.clerk.line,
        deadlines=noticed.deadlines,
        undated=noticed.undated,
    )
    check_folder(out)  # once more: drawing takes a while
    return write_folder(files, out, keep=keep)


def with_label_warnings(noticed: "Noticed", labels: LabelOptions) -> "Noticed":
    """Add a warning that names each recipient whose address no label of the chosen sheet holds whole; again, and it stays one.

    One odd name must not cost the clerk all other labels, and must not be printed with letters missing.
    """
    from geonotice.packet.labels import unprintable_labels

    notice = noticed.notice
    found = [
        (one, fault)
        for one, fault in unprintable_labels(notice.recipients, sheet=labels.sheet)
        if one.number not in labels.by_hand
    ]
    if not found or any(warning.code == _LABEL_CODE for warning in notice.warnings):
        return noticed
    many = "1 letter has" if len(found) == 1 else f"{len(found):,} letters have"
    said = "; ".join(f"{fault.what} (to do: {fault.remedy})" for _, fault in found)
    text = f"{many} no label and must be addressed by hand: {said}."
    parcels = tuple(dict.fromkeys(parcel for one, _ in found for parcel in one.parcels))
    return replace(noticed, notice=replace(notice, warnings=(*notice.warnings, ResultWarning(_LABEL_CODE, text, parcels))))


def _calendar(noticed: "Noticed") -> bytes:
    """Return the days that hang on the hearing or the event as a calendar file."""
    from geonotice.packet.deadline_calendar import deadlines_ics

    notice = noticed.notice
    about = f"{notice.occasion}, {', '.join(notice.premises)}"
    return deadlines_ics(noticed.deadlines, town=notice.town, about=about, on=notice.on)


def _shapes(opened: "Opened", noticed: "Noticed") -> "NoticeShapes":
    from geonotice.packet.notice_gpkg import NoticeShapes

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
