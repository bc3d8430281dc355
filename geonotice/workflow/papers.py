"""Write a packet: whole or not at all."""

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, OutputError
from geonotice.model import Caution
from geonotice.workflow.drawing import notice_pages
from geonotice.workflow.evidence import evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from geonotice.packet.gpkg import NoticeShapes
    from geonotice.workflow.noticing import Noticed
    from geonotice.workflow.opening import Opened

__all__ = ["LabelOptions", "check_folder", "with_label_warnings", "write_file", "write_folder", "write_packet"]

_LABEL_CODE = "label_by_hand"
_MARK = "record.json"
"""The file that tells a packet from any other folder."""


def write_file(file: Path, content: bytes) -> None:
    """Write one file: whole, or not at all.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(file)
    except OSError as error:
        raise OutputError(Fault(what=f"the file cannot be written: {error.strerror}", file=str(file))) from error
    finally:
        _remove_if_there(temporary)


def _remove_if_there(temporary: Path) -> None:
    """Take away what was not renamed; where even that is refused, the error that is under way says why."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


def check_folder(out: Path) -> None:
    """Refuse a folder that a packet must not take the place of.

    Raises
    ------
    OutputError
        It is a file, or holds something that is no packet.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(Fault(what="this is a file, not a folder", file=str(out), remedy="name another folder with --out"))
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise OutputError(
            Fault(
                what="this folder holds other files",
                file=str(out),
                why="a packet replaces what is there",
                remedy="name a new folder with --out",
            )
        )


def write_folder(files: "Mapping[str, bytes]", out: Path, *, keep: bool = True) -> Path | None:
    """Write files into a folder: all of them, or none.

    They are written to a new folder beside ``out``, which then takes its place. An earlier packet there is kept under another name,
    because it may have been mailed; any other folder that holds something is left alone.

    Parameters
    ----------
    files
        Contents by name.
    out
        The folder.
    keep
        Whether an earlier packet is kept; without, it is replaced.

    Returns
    -------
    Path or None
        Where an earlier packet was moved to; None where there was none.

    Raises
    ------
    OutputError
        The folder holds something else, or cannot be written.
    """
    out = out.absolute()
    check_folder(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise OutputError(Fault(what=f"the folder cannot be made: {error.strerror}", file=str(out))) from error
    try:
        for name, content in files.items():
            with (made / name).open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        made.chmod(0o755)
        kept = _set_aside(out, keep=keep)
        made.rename(out)
    except OSError as error:
        raise OutputError(Fault(what=f"the packet cannot be written: {error.strerror}", file=str(out))) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return kept


def _set_aside(out: Path, *, keep: bool) -> Path | None:
    """Move an earlier packet out of the way, under the first free name."""
    if not out.exists():
        return None
    if not keep or not any(out.iterdir()):
        shutil.rmtree(out)
        return None
    number = 1
    while (kept := out.with_name(f"{out.name}-before-{number}")).exists():
        number += 1
    out.rename(kept)
    return kept


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
    if not found or any(caution.code == _LABEL_CODE for caution in notice.cautions):
        return noticed
    many = "1 letter has" if len(found) == 1 else f"{len(found):,} letters have"
    said = "; ".join(f"{fault.what} (to do: {fault.remedy})" for _, fault in found)
    text = f"{many} no label and must be addressed by hand: {said}."
    parcels = tuple(dict.fromkeys(parcel for one, _ in found for parcel in one.parcels))
    return replace(noticed, notice=replace(notice, cautions=(*notice.cautions, Caution(_LABEL_CODE, text, parcels))))


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
