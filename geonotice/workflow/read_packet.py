"""What a person answers and reads before a packet is made; and the packet, only where the list is still the one that was shown, with every warning read."""

import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from geonotice.errors import Fault, OutputError, UsageError
from geonotice.packet.record import record_json
from geonotice.warning_ranks import Rank, rank_of
from geonotice.workflow.notice import make_notice
from geonotice.workflow.packet import write_packet
from geonotice.workflow.packet_record import PACKETS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from geonotice.model import Notice, Parcel
    from geonotice.opened_town import Opened
    from geonotice.workflow.notice import NoticeRequest
    from geonotice.workflow.packet import WrittenPacket

__all__ = ["MadePacket", "OpenQuestion", "fingerprint", "make_read_packet", "open_questions", "ranks_of", "zip_packet"]

_LONGEST = 60
"""Characters of a tax map number that a folder's name takes."""


class MadePacket(Struct, frozen=True):
    """A packet that was written, and the folder that it is in."""

    folder: Path
    written: "WrittenPacket"


class OpenQuestion(Struct, frozen=True):
    """What a person must decide or find out before a list can be relied on.

    Parameters
    ----------
    code
        The code of the warning, or of what is to be looked at in a parcel; ``required`` is whether the notice is required at all.
    question, to_do
        The question, and what to do about it, as sentences.
    answered_in
        Where it is answered: in the ``list`` itself (a parcel is dropped, or stays), in the ``corrections``, in the ``layers`` or the town file beside them, or by
        an ``official``.
    parcels
        The parcels that it is about.
    """

    code: str
    question: str
    to_do: str
    answered_in: Literal["list", "corrections", "layers", "official"]
    parcels: tuple[str, ...] = ()


_STAY = "They are on the list. Look at the map; drop those that do not count, with the reason."
_ASKED = "They are on the list, and no letter goes to them. Drop those that do not count, with the reason; or have the town's setting borderline say mail, and make the list again."
_QUESTIONS: "Mapping[str, tuple[str, str, Literal['list', 'corrections', 'layers', 'official']]]" = {
    "required": ("Is this notice required here?", "Ask the official in charge, and note the answer in the file.", "official"),
    "zone_undetermined": (
        "Are the premises in a residential district?",
        "Ask the official who knows the zoning; or add the zoning layer to the town's layers and import again.",
        "layers",
    ),
    "cover_ends": (
        "Who owns the land where the layers have no parcel?",
        "Look at the map. Where there are lots, ask that municipality's assessor for its parcel layer, add it to the town's layers and import again; or notify those owners by hand.",
        "layers",
    ),
    "common_land_question": (
        "Do the owners of units own this land in common?",
        "Open the property to see who may share it, and write the answer as [[common_land]] into the town file.",
        "layers",
    ),
    "applicant_unknown": ("Who owns the premises?", "Find the owner of record, and put it right.", "corrections"),
    "owner_unknown": ("Who owns these parcels?", "Find the owner of record, and put it right.", "corrections"),
    "unmailable": ("What is the mailing address of these owners?", "Find the address, and put it right; or deliver these letters by hand.", "corrections"),
    "borderline_ask": ("Do these parcels count, which are so near the limit that a tax map cannot tell?", _ASKED, "list"),
    "straight_across_ask": ("Do these parcels count as opposite? They lie straight across, but the extended lot lines do not meet them.", _ASKED, "list"),
    "borderline": ("Do these parcels count, which are so near the limit that a tax map cannot tell?", _STAY, "list"),
    "straight_across": ("Do these parcels count as opposite? They lie straight across, but the extended lot lines do not meet them.", _STAY, "list"),
    "methods_differ": ("Do these parcels count as opposite? The extended lot lines and looking straight across do not find the same lots.", _STAY, "list"),
    "narrow_gap": ("Is there a street between these parcels and the premises, or does the map have a gap where they touch?", _STAY, "list"),
    "across_water": ("Do these parcels count as opposite? There is water between them and the premises.", _STAY, "list"),
    "stacked": ("Which of the parcels drawn on the same ground are meant?", _STAY, "list"),
    "street_or_lot": (
        "Is the lot beside them a street?",
        "Write what it is into the town file ([layers.parcels.roles]) and import again.",
        "layers",
    ),
}  # fmt: skip
"""The questions that a list may leave open, in the order in which they are asked: by the code of a warning, or of what is to be looked at in a parcel."""

_ANSWERED = frozenset({"added_by_hand"})
"""Codes of a parcel that ask nothing: an official has decided."""


def open_questions(notice: "Notice") -> tuple[OpenQuestion, ...]:
    """Return what a person must decide or find out before the list can be relied on; empty where there is nothing."""
    found: dict[str, list[str]] = {"required": []} if notice.required == "decide" else {}
    for warning in sorted(notice.warnings, key=lambda one: one.code == "unmailable"):
        if warning.code in _QUESTIONS and warning.code not in _OF_PARCELS:
            # Whose owner is not known has no address either: that is one question.
            new = [id_ for id_ in warning.parcels if warning.code != "unmailable" or id_ not in found.get("owner_unknown", ())]
            if new or not warning.parcels:
                found.setdefault(warning.code, []).extend(new)
    for parcel in notice.parcels:
        for code in parcel.review:
            # What the town's setting asks about is asked once.
            if code not in _ANSWERED and parcel.id not in found.get(f"{code}_ask", ()):
                found.setdefault(code, []).append(parcel.id)
    order = list(_QUESTIONS)
    return tuple(
        OpenQuestion(
            code,
            *_QUESTIONS.get(code, (f"{code.replace('_', ' ').capitalize()}?", _STAY, "list")),
            tuple(dict.fromkeys(found[code])),
        )
        for code in sorted(found, key=lambda code: order.index(code) if code in order else len(order))
    )


_OF_PARCELS = frozenset(
    {"borderline", "straight_across", "methods_differ", "narrow_gap", "across_water", "stacked", "street_or_lot"}
)
"""Codes that a parcel of the list has itself: a warning of the same code says no more."""


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
