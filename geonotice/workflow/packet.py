"""Write a packet: whole or not at all."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import Fault, OutputError, RegisterError
from geonotice.io.output_files import is_packet, write_folder
from geonotice.opened_town import may_have_permits
from geonotice.workflow.notice_map import draw_notice, evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from geonotice.config.application import Event
    from geonotice.model import Notice
    from geonotice.opened_town import Opened
    from geonotice.packet.notice_gpkg import NoticeShapes
    from geonotice.packet.paper import LabelOptions
    from geonotice.workflow.notice import Noticed

__all__ = ["WrittenPacket", "check_folder", "write_packet"]


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


class WrittenPacket(Struct, frozen=True):
    """A packet that was written: the notice as its papers have it, the packet that was there before, what its papers lack."""

    notice: "Notice"
    kept: Path | None
    notes: tuple[str, ...] = ()


def write_packet(
    opened: "Opened",
    noticed: "Noticed",
    out: Path,
    *,
    labels: "LabelOptions | None" = None,
    event: "Event | None" = None,
    letters: bool = True,
    envelopes: bool = False,
    sort: str = "number",
    exhibit: 'Literal["letter", "tabloid"]' = "letter",
    hearing_place: str = "",
    hearing_time: str = "",
    keep: bool = True,
    progress: "Callable[[str], None] | None" = None,
) -> WrittenPacket:
    """Make every paper of a notice and write them into a folder; the rest as :func:`write_folder`.

    What a paper cannot show whole is named in a warning of the notice that is returned (:func:`geonotice.packet.paper.prepare`). ``event`` is the
    application, from which the letters take what is proposed; without ``letters`` none are made, with
    ``envelopes`` these are too. ``sort`` is the order of what is mailed, one of :data:`geonotice.packet.pieces.SORTS`.
    ``exhibit`` is the paper of the map for the record; ``hearing_place`` and ``hearing_time`` are of this hearing, where it is not held where and when
    the town file says.
    """
    from geonotice.packet.paper import LabelOptions, PacketContext, assemble, prepare
    from geonotice.workflow.notice_costs import costs_of
    from geonotice.workflow.packet_duties import beyond_cover, duties_of, sign_map, sign_sites
    from geonotice.workflow.paper_settings import read_paper_settings

    check_folder(out)
    articles, unread = _article_numbers(opened, noticed.notice)
    occasion = opened.profile.occasions.get(noticed.notice.occasion, noticed.notice.occasion)
    # Before the geometry and the map, which take seconds: an option that is wrong is named at once.
    context = prepare(
        PacketContext(
            notice=noticed.notice,
            labels=labels or LabelOptions(),
            office=opened.town.clerk.line,
            deadlines=noticed.deadlines,
            undated=noticed.undated,
            article_numbers=articles,
            notes=unread,
            settings=read_paper_settings(
                opened.town, occasion=occasion, event=event, hearing_place=hearing_place, hearing_time=hearing_time
            ),
            letters=letters,
            envelopes=envelopes,
            sort=sort,
            duties=duties_of(opened.profile, noticed.notice.occasion),
            beyond=beyond_cover(opened, noticed),
            searched_ft=noticed.radius_ft,
            exhibit=exhibit,
            costs=costs_of(
                opened.town, opened.profile, noticed.notice.occasion, day=noticed.notice.on, hearing=noticed.notice.hearing
            ),
        )
    )
    noticed = replace(noticed, notice=context.notice)
    sites = sign_sites(opened, noticed)
    context = replace(
        context,
        shapes=_shapes(opened, noticed),
        draw=cache(lambda: draw_notice(opened, noticed)),
        sign_sites=sites,
        sign_map=sign_map(noticed) if sites else (),
    )
    files = assemble(context, progress=progress)
    check_folder(out)  # once more: drawing takes a while
    return WrittenPacket(context.notice, write_folder(files, out, keep=keep), tuple(context.notes))


def _article_numbers(opened: "Opened", notice: "Notice") -> "tuple[Mapping[int, str], tuple[str, ...]]":
    """Return the article numbers that the ledger has for this list, or a sentence where the register cannot be read: the list stands all the same."""
    from geonotice.packet.read_record import list_identity

    if not may_have_permits(opened.town.file):
        return {}, ()
    from geonotice.workflow.mail import article_numbers_of

    try:
        return article_numbers_of(opened.town.file, list_identity(notice)), ()
    except RegisterError as error:
        return {}, (f"The article numbers of the ledger are not in the list: {error}",)


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
