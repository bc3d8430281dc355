"""A packet made from a list that a person has looked at: only where the list is still the one that was shown, with every warning read."""

import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.errors import Fault, OutputError, UsageError
from geonotice.packet.record import record_json
from geonotice.warning_ranks import Rank, rank_of
from geonotice.workflow.notice import make_notice
from geonotice.workflow.packet import write_packet
from geonotice.workflow.packet_record import PACKETS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from geonotice.model import Notice, Parcel
    from geonotice.opened_town import Opened
    from geonotice.workflow.notice import NoticeRequest
    from geonotice.workflow.packet import WrittenPacket

__all__ = ["MadePacket", "fingerprint", "make_read_packet", "ranks_of", "zip_packet"]

_LONGEST = 60
"""Characters of a tax map number that a folder's name takes."""


class MadePacket(Struct, frozen=True):
    """A packet that was written, and the folder that it is in."""

    folder: Path
    written: "WrittenPacket"


def fingerprint(notice: "Notice") -> str:
    """Return what stands for a list as it is: another one where anything in its record differs."""
    return hashlib.sha256(record_json(notice)).hexdigest()


def ranks_of(notice: "Notice") -> tuple[Rank, ...]:
    """Return the ranks that a list has warnings of, the worst first."""
    return tuple(sorted({rank_of(warning) for warning in notice.warnings}))


def make_read_packet(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    asked: "NoticeRequest",
    *,
    seen: str,
    read: "Collection[int]",
    progress: "Callable[[str], None] | None" = None,
    **printed: Any,  # noqa: ANN401  # those of write_packet
) -> MadePacket:
    """Make a list again and write its packet into the town's folder of packets.

    Parameters
    ----------
    opened, premises, asked
        As :func:`geonotice.workflow.notice.make_notice` takes them.
    seen
        The :func:`fingerprint` of the list that was looked at.
    read
        The ranks whose warnings the person has confirmed to have read.
    progress
        Is handed what is being done.
    **printed
        What the papers are made from besides, and how they are printed: as :func:`geonotice.workflow.packet.write_packet` takes it.

    Raises
    ------
    UsageError
        The list is another one by now, or a rank of warnings has not been read.
    OutputError
        The packet cannot be written.
    """
    noticed = make_notice(opened, premises, asked)
    require_read(noticed.notice, seen=seen, read=read)
    folder = opened.town.folder / PACKETS / _name(noticed.notice)
    try:
        folder.parent.mkdir(exist_ok=True)
    except OSError as error:
        what = f"the folder of packets cannot be made: {error.strerror}"
        raise OutputError(Fault(what=what, file=str(folder.parent), remedy="ask for the right to write there")) from error
    return MadePacket(folder, write_packet(opened, noticed, folder, progress=progress, **printed))


def require_read(notice: "Notice", *, seen: str, read: "Collection[int]") -> None:
    """Refuse a packet of a list that nobody has looked at as it is now.

    Raises
    ------
    UsageError
        The list is another one than was looked at, or a rank of its warnings is not confirmed; both at once.
    """
    faults = []
    if seen != fingerprint(notice):
        faults.append(
            Fault(
                what="the list is not the one that you looked at: the day, the layers or the corrections have changed since",
                why="nobody has read the warnings of the list as it is now",
                remedy="look through the list below again, then make the packet",
                key="list",
            )
        )
    if [rank for rank in ranks_of(notice) if rank not in read]:
        faults.append(
            Fault(
                what="not all warnings are marked as read",
                why="a warning passed over can cost a hearing",
                remedy="read each group of warnings and mark it",
                key="warnings",
            )
        )
    if faults:
        raise UsageError(faults)


def _name(notice: "Notice") -> str:
    """Return a folder's name: the day, the occasion, the first of the premises. No letter in it can lead out of the folder of packets."""
    first = re.sub(r"[^A-Za-z0-9.]+", "-", notice.premises[0]).strip("-.")[:_LONGEST] or "premises"
    more = f"-and-{len(notice.premises) - 1}-more" if len(notice.premises) > 1 else ""
    occasion = re.sub(r"[^A-Za-z0-9]+", "-", notice.occasion).strip("-")
    return f"{notice.on.isoformat()}-{occasion}-{first}{more}"


_ZIP_DAY = (1980, 1, 1, 0, 0, 0)
"""The day in every member: the same packet makes the same archive."""


def zip_packet(folder: Path) -> bytes:
    """Return a packet as one archive, its files in a folder of the packet's name.

    Raises
    ------
    OutputError
        It is gone, or cannot be read.
    """
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.iterdir()):
                if file.is_file() and not file.is_symlink():
                    info = zipfile.ZipInfo(f"{folder.name}/{file.name}", _ZIP_DAY)
                    info.compress_type = zipfile.ZIP_DEFLATED
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, file.read_bytes())
    except OSError as error:
        what = f"the packet cannot be read: {error.strerror}"
        raise OutputError(Fault(what=what, file=str(folder), remedy="make the packet again")) from error
    return made.getvalue()
