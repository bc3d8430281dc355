"""Write a packet, whole or not at all; with what its papers need from the law and the land beside the list: return receipts, publication, signs."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.notice import notice_rules
from geonotice.errors import Fault, OutputError, RegisterError
from geonotice.io.output_files import is_packet, write_folder
from geonotice.model import Clause
from geonotice.opened_town import may_have_permits
from geonotice.ordinance.profile import SIGN_VALUES
from geonotice.packet.paper import Duties, SignSite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from geonotice.config.application import Event
    from geonotice.model import Municipality, Notice
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile, Rule
    from geonotice.packet.notice_gpkg import NoticeShapes
    from geonotice.packet.paper import LabelOptions
    from geonotice.packet.printed_map import Shown
    from geonotice.workflow.notice import Noticed
    from geonotice.workflow.paper_settings import PaperFiles

__all__ = [
    "WrittenPacket",
    "beyond_cover",
    "check_folder",
    "duties_of",
    "rules_of_stage",
    "sign_map",
    "sign_sites",
    "write_packet",
]


def rules_of_stage(profile: "Profile", rules: "Sequence[Rule]", kind: str) -> "tuple[Rule, ...]":
    """Return the rules of a kind that go with the notice rules of an occasion: those that apply at the same stage."""
    stages = {rule.applies for rule in rules if rule.notice and rule.occasion}
    return tuple(rule for rule in profile.of_kind(kind) if rule.applies in stages)


def duties_of(profile: "Profile", occasion: str) -> Duties:
    """Return what the law of an occasion asks for."""
    rules = notice_rules(profile, occasion)
    mailing = [rule.notice for rule in rules if rule.notice and not rule.notice.schedule]
    published = next(iter(rules_of_stage(profile, rules, "publication")), None)
    posted = next(iter(rules_of_stage(profile, rules, "posting")), None)
    given = published.values.get("given", ("published",)) if published else ()
    return Duties(
        return_receipts=frozenset(rule.id for rule in rules if rule.notice and rule.notice.return_receipt),
        sent_by=next((notice.sent_by for notice in mailing if notice.sent_by), ""),
        published=_clause(profile, published) if published else None,
        given=tuple(str(one) for one in given) if isinstance(given, list | tuple) else (str(given),),
        signs=_clause(profile, posted) if posted else None,
        sign_values={
            name: value for name, value in posted.values.items() if name in SIGN_VALUES and isinstance(value, int | float)
        }
        if posted
        else {},
    )


def _clause(profile: "Profile", rule: "Rule") -> Clause:
    return Clause(rule.id, f"{profile.chapter}, {rule.citation.section}", " … ".join(rule.citation.words))


def beyond_cover(opened: "Opened", noticed: "Noticed") -> "tuple[Municipality, ...]":
    """Return the municipalities in which somebody may have to be notified whom no layer has."""
    from geonotice.workflow.notice_warnings import municipalities_beyond

    if not any(warning.code == "cover_ends" for warning in noticed.notice.warnings):
        return ()
    return municipalities_beyond(opened, noticed.measured, distance_ft=noticed.search_ft, around=noticed.around)


def sign_sites(opened: "Opened", noticed: "Noticed") -> tuple[SignSite, ...]:
    """Return where the signs stand, in the order of the notice; none where the law asks for none."""
    import shapely

    from geonotice.units.crs import lon_lat_bounds

    if not noticed.notice.signs:
        return ()
    near = noticed.measured.near
    made = []
    for one in near.streets:
        if one.jurisdictions == ("private",):
            continue
        lines = [near.frontages[place].line for place in one.frontages]
        degrees = lon_lat_bounds(one.sign.bounds, opened.crs)
        made.append(
            SignSite(
                street=one.name,
                jurisdiction=one.jurisdiction,
                point=one.sign,
                street_line=shapely.union_all(lines) if lines else None,
                bearing_deg=one.sign_bearing_deg,
                lon_lat=degrees[:2] if degrees else None,
            )
        )
    return tuple(made)


def sign_map(noticed: "Noticed") -> "tuple[Shown, ...]":
    """Return what the maps of the signs show."""
    from geonotice.packet.printed_map import Shown

    measured = noticed.measured
    own = {parcel.fid for parcel in measured.premises}
    others = [fid for fid in measured.records if fid not in own and measured.records[fid].role == "lot"]
    return (
        *(Shown("other", measured.geometries[fid]) for fid in others),
        *(Shown("street", line, name) for line, name in zip(measured.streets.lines, measured.streets.names, strict=True)),
        *(Shown("premises", measured.geometries[parcel.fid], parcel.id) for parcel in measured.premises),
        *(Shown("frontage", one.line) for one in measured.near.frontages),
    )


# ---- the packet


def check_folder(out: Path) -> None:
    """Refuse a folder that a packet must not take the place of.

    Raises
    ------
    OutputError
        It is a file, or holds something that is no packet.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(
            Fault(
                what="this is a file, not a folder",
                file=str(out),
                remedy="name another folder",
                command="name another folder with --out",
            )
        )
    if out.is_dir() and any(out.iterdir()) and not is_packet(out):
        raise OutputError(
            Fault(
                what="this folder holds other files",
                file=str(out),
                why="a packet replaces what is there",
                remedy="name a new folder",
                command="name a new folder with --out",
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
    stated: "Mapping[str, str] | None" = None,
    hearing_place: str = "",
    hearing_time: str = "",
    prepared_by: str = "",
    own: "PaperFiles | None" = None,
    keep: bool = True,
    progress: "Callable[[str], None] | None" = None,
) -> WrittenPacket:
    """Make every paper of a notice and write them into a folder; the rest as :func:`write_folder`.

    What a paper cannot show whole is named in a warning of the notice that is returned (:func:`geonotice.packet.paper.prepare`). ``event`` is the
    application, from which the letters take what is proposed; without ``letters`` none are made, with
    ``envelopes`` these are too. ``sort`` is the order of what is mailed, one of :data:`geonotice.packet.addresses_and_mailing_order.SORTS`.
    ``exhibit`` is the paper of the map for the record; ``stated`` is what an earlier packet of the matter said of it
    (:func:`geonotice.packet.read_record.stated_in`); ``hearing_place`` and ``hearing_time`` are of this hearing, where it is not held where and when the
    town file says. ``prepared_by`` is who made the list, for the lines on which they sign. ``own`` is what was read of the town's seal,
    templates and rates already.
    """
    from geonotice.packet.paper import LabelOptions, PacketContext, assemble, prepare
    from geonotice.workflow.notice_costs import costs_of
    from geonotice.workflow.notice_map import draw_notice
    from geonotice.workflow.paper_settings import read_paper_files, read_paper_settings

    check_folder(out)
    own = own or read_paper_files(opened.town, opened.profile)
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
                opened.town,
                occasion=occasion,
                files=own,
                event=event,
                hearing_place=hearing_place,
                hearing_time=hearing_time,
                stated=stated,
            ),
            letters=letters,
            envelopes=envelopes,
            sort=sort,
            duties=duties_of(opened.profile, noticed.notice.occasion),
            beyond=beyond_cover(opened, noticed),
            searched_ft=noticed.radius_ft,
            exhibit=exhibit,
            prepared_by=prepared_by,
            costs=costs_of(
                opened.town,
                opened.profile,
                noticed.notice.occasion,
                rates=own.rates,
                day=noticed.notice.on,
                hearing=noticed.notice.hearing,
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
        return {}, (f"The article numbers of the ledger are not in the list: {error.at_desk}",)


def _shapes(opened: "Opened", noticed: "Noticed") -> "NoticeShapes":
    from geonotice.packet.notice_gpkg import NoticeShapes
    from geonotice.workflow.notice_map import evidence_of

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
