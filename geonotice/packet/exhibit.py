"""The exhibit: the map for the record, to scale, every parcel numbered as on the list, and its owners on the pages after it."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import shapely
from msgspec import Struct

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.errors import Fault, OutputError
from geonotice.model import Notice
from geonotice.packet.exhibit_drawing import Layer, draw_sheet
from geonotice.packet.exhibit_scale_and_legend import Panel, draw_panel
from geonotice.packet.exhibit_sheets import Numbered, Plan, Sheet, plan_sheets
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_pages import Column, Pages, set_row
from geonotice.packet.pdf_text import STAND_IN, unprintable
from geonotice.packet.sentences import about_lines, count, occasion_line, premises_with_situs
from geonotice.recipients import numbers_label, numbers_text, recipients_by_parcel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shapely.geometry.base import BaseGeometry

    from geonotice.maps import MapLayers, MapNotice, MapParcel
    from geonotice.model import NoticeParcel, Recipient
    from geonotice.packet.notice_gpkg import NoticeShapes

__all__ = ["exhibit_pdf"]


class _Paper(Struct, frozen=True):
    """A size of paper, lying: its width and height, and how wide the words beside the map are."""

    size_pt: tuple[float, float]
    panel_pt: float

    @property
    def frame_pt(self) -> tuple[float, float]:
        """Return the size of the map."""
        wide, high = self.size_pt
        return wide - 2 * _MARGIN_PT - self.panel_pt - _GAP_PT, high - 2 * _MARGIN_PT - _FOOT_PT


_MARGIN_PT, _GAP_PT, _FOOT_PT = 32.0, 8.0, 8.0
_PAPERS = {"letter": _Paper((792.0, 612.0), 178.0), "tabloid": _Paper((1224.0, 792.0), 214.0)}
_TYPE_PT = 8.0
_AROUND_FT = 150.0
"""Around what is listed the map shows so much where the law names no distance: a street and the lots behind those listed."""
_FAR_FT = 500.0
_DRAWN_FT = 300.0
"""Beyond the search area parcels are drawn so far, and no farther (:func:`geonotice.workflow.notice_map.draw_notice`)."""

_UNDER = ("context", "right_of_way", "railroad", "water_parcel")
_OVER = ("near_miss", "within", "common_land", "opposite", "corner", "abutting", "premises")
_EVIDENCE = (
    "area", "nearest", "boundary", "across", "straight_across", "extension", "shared_run", "frontage", "corner", "sign",
)  # fmt: skip
"""In the order of drawing."""
_REACH = "distance from the contiguous land"
"""Is the search area, which is drawn as such."""


@paper(
    "exhibit.pdf",
    purpose="The map for the record: to scale, every property numbered as on the list, with its owners on the pages after it.",
    place=22,
    when=lambda context: context.draw is not None and context.shapes is not None,
    before_mailing=lambda _: "Print exhibit.pdf at 100 %, and have it signed by who prepared it.",
    progress="Drawing the exhibit …",
)
def exhibit_pdf(context: PacketContext) -> bytes:
    """Set the map and the table of owners; nothing of the list is left out of it: what the map cannot show, it says.

    Raises
    ------
    OutputError
        Parcels of the list have no outline: all of them are named.
    """
    if context.draw is None or context.shapes is None:
        raise ValueError("the geometries of the notice are not at hand")
    notice, shapes = context.notice, context.shapes
    drawn, layers = context.draw()
    _refuse_missing(notice, shapes)
    on = _PAPERS[context.exhibit]
    numbers = recipients_by_parcel(notice.recipients)
    extent = _extent(notice, drawn, shapes)
    plan = plan_sheets(_numbered(notice, shapes, numbers), extent=extent, frame_pt=on.frame_pt, streets=_streets(layers))
    made = _layers(notice, drawn, layers, shapes, shapely.box(*plan.sheets[0].place.window))
    beyond = [parcel for parcel in notice.parcels if not _is_on(shapes.parcels[parcel.fid], extent)]
    pages = Pages(size_pt=on.size_pt, margin_pt=_MARGIN_PT, foot_pt=_FOOT_PT)
    panel = Panel(
        notice=notice,
        office=context.office,
        crs=shapes.crs,
        radius_ft=drawn.radius_ft,
        layers=made,
        paper=context.exhibit,
        far=tuple(_text(parcel, numbers) for parcel in beyond),
        prepared_by=context.prepared_by,
    )
    for sheet in plan.sheets:
        if sheet.number > 1:
            pages.new_page()
        _map_page(pages, sheet, plan, panel, made)
    pages.new_page()
    _table(pages, context, drawn, plan, numbers, far=frozenset(parcel.id for parcel in beyond))
    return pages.save(
        title=f"Exhibit: {notice.town}, {', '.join(notice.premises)}",
        foot=f"Exhibit · {notice.town} · {occasion_line(notice)} · list of {calendar_day(notice.on)}",
        subject="Print at 100 %, not fit to page: it is to scale",
    )


def _refuse_missing(notice: Notice, shapes: "NoticeShapes") -> None:
    missing = [number for number in notice.premises if number not in shapes.premises]
    missing += [parcel.id for parcel in notice.parcels if parcel.fid not in shapes.parcels]
    if missing:
        remedy = "import the layers again and repeat"
        raise OutputError(
            [
                Fault(what="the parcel is on the notice but has no outline to draw", parcel=number, remedy=remedy)
                for number in missing
            ]
        )


def _extent(notice: Notice, drawn: "MapNotice", shapes: "NoticeShapes") -> tuple[float, float, float, float]:
    """Return what the map shows: the search area or all that is listed near the premises, and the way to each municipality that is notified."""
    added = {one.id for one in notice.overrides if one.action == "add"}
    ground = shapely.union_all(list(shapes.premises.values()))
    near = [parcel.distance_ft for parcel in notice.parcels if parcel.id not in added and parcel.around_ft is None]
    reach_ft = drawn.radius_ft or max(near, default=0.0)
    parts: list[BaseGeometry] = [shapely.box(*ground.bounds)]
    if shapes.search_area is not None:
        parts.append(shapes.search_area)
    else:
        parts.append(shapely.buffer(shapely.box(*ground.bounds), reach_ft + _AROUND_FT, join_style="mitre"))
    parts += [one.geometry for one in shapes.evidence if one.kind in ("boundary", "distance from the second place")]
    for parcel in notice.parcels:
        shape = shapes.parcels[parcel.fid]
        if parcel.relation == "common_land" or (parcel.id in added and parcel.distance_ft <= 2 * max(reach_ft, _FAR_FT)):
            parts.append(shape)
        elif parcel.id not in added and parcel.around_ft is None:
            # At least what of it is nearest; a farm that runs on for miles is cut at the edge of the map.
            parts.append(shapely.intersection(shape, shapely.buffer(ground, parcel.distance_ft + _AROUND_FT / 3)))
    west, south, east, north = shapely.total_bounds(parts).tolist()
    margin = max(20.0, 0.02 * max(east - west, north - south))
    return west - margin, south - margin, east + margin, north + margin


def _is_on(shape: "BaseGeometry", extent: tuple[float, float, float, float]) -> bool:
    return bool(shapely.area(shapely.intersection(shape, shapely.box(*extent))) > 0)


def _text(parcel: "NoticeParcel", numbers: "Mapping[str, Sequence[Recipient]]") -> str:
    """Return what is written on a parcel: the numbers of the list, or its own where nobody is notified for it."""
    return numbers_label(one.number for one in numbers.get(parcel.id, ())) or parcel.id


def _numbered(notice: Notice, shapes: "NoticeShapes", numbers: "Mapping[str, Sequence[Recipient]]") -> list[Numbered]:
    return [
        *(Numbered(mark, shapes.premises[id_], premises=True) for id_, mark in _marks(notice).items()),
        *(Numbered(_text(parcel, numbers), shapes.parcels[parcel.fid]) for parcel in notice.parcels),
    ]


def _marks(notice: Notice) -> dict[str, str]:
    """Return what is written on each parcel of the premises."""
    if len(notice.premises) == 1:
        return {notice.premises[0]: "PREMISES"}
    return {number: f"P{n}" for n, number in enumerate(notice.premises, 1)}


def _streets(layers: "MapLayers") -> "dict[str, BaseGeometry]":
    named: dict[str, list[BaseGeometry]] = {}
    for one in layers.streets:
        if one.label and not unprintable(one.label):
            named.setdefault(one.label, []).append(one.geometry)
    return {name: shapely.union_all(parts) for name, parts in sorted(named.items())}


def _layers(
    notice: Notice, drawn: "MapNotice", layers: "MapLayers", shapes: "NoticeShapes", window: "BaseGeometry"
) -> list[Layer]:
    """Return all that is drawn in the window, the lowest first."""
    from geonotice.maps.notice_map import layer_of

    kinds: dict[str, list[BaseGeometry]] = {}
    for parcel in sorted(drawn.parcels, key=lambda one: -one.geometry.area):  # the units of a condominium over its common land
        kinds.setdefault(layer_of(parcel), []).append(parcel.geometry)
    found: dict[str, list[BaseGeometry]] = {}
    for line in drawn.evidence:
        found.setdefault(line.kind, []).append(line.geometry)
    bare = _bare(notice, drawn, layers, shapes)
    made = [
        *(Layer(kind, kinds.get(kind, ())) for kind in _UNDER),
        Layer("water", [one.geometry for one in layers.water]),
        Layer("no_parcels", [] if bare.is_empty else [bare]),
        *(Layer(kind, kinds.get(kind, ())) for kind in _OVER),
        *(Layer(kind, [one.geometry for one in getattr(layers, kind)]) for kind in ("streets", "railroads")),
        Layer("municipalities", [shapely.boundary(one.geometry) for one in layers.municipalities]),
        Layer("radius", [] if shapes.search_area is None else [shapes.search_area]),
        *(Layer(kind, found[kind], evidence=True) for kind in found if kind not in (*_EVIDENCE, _REACH)),
        *(Layer(kind, found.get(kind, ()), evidence=True) for kind in _EVIDENCE),
    ]
    return [layer for layer in made if any(shapely.intersects(list(layer.shapes), window))]


def _bare(notice: Notice, drawn: "MapNotice", layers: "MapLayers", shapes: "NoticeShapes") -> "BaseGeometry":
    """Return where no parcel is known in the search area, or as far as parcels are drawn where the law names no distance."""
    from geonotice.select.within import bare_area

    gap_ft = min(float(str(notice.settings.get("right_of_way_max_ft", 200.0))), _DRAWN_FT)
    ground = shapely.union_all(list(shapes.premises.values()))
    region = shapes.search_area if shapes.search_area is not None else shapely.buffer(ground, gap_ft)
    known = [*(parcel.geometry for parcel in drawn.parcels), *(one.geometry for one in layers.water)]
    return bare_area(region, known, gap_ft=gap_ft)  # type: ignore[return-value]  # what a union is made of


def _map_page(pages: Pages, sheet: Sheet, plan: Plan, panel: Panel, layers: Sequence[Layer]) -> None:
    left, low = pages.margin_pt, pages.height_pt - pages.margin_pt - sheet.place.height_pt

    def drawing(canvas: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        draw_sheet(canvas, sheet, layers, parts=plan.sheets[1:] if plan.index is sheet else (), x=left, y=low)

    pages.draw(drawing)
    x = left + sheet.place.width_pt + _GAP_PT
    draw_panel(pages, panel, sheet, plan, x=x, width=pages.right_pt - x, bottom=pages.margin_pt + sheet.place.height_pt)


def _table(
    pages: Pages,
    context: PacketContext,
    drawn: "MapNotice",
    plan: Plan,
    numbers: "Mapping[str, Sequence[Recipient]]",
    *,
    far: frozenset[str],
) -> None:
    notice, shapes = context.notice, context.shapes
    pages.words(notice.town, 9, after=0, color="#4d5a68")
    pages.words("Owners of the properties on the map", 14, after=2)
    pages.words(f"{occasion_line(notice)}.", 9, after=4)
    pages.words(
        "The numbers are those of the list of persons to be notified: labels, letters and mailing sheets have the same."
        f" List made on {calendar_day(notice.on)}; distances from lot line to lot line, in US survey feet.",
        8,
        after=6,
    )
    several = plan.index is not None
    share = (pages.right_pt - pages.left_pt) / 732
    widths = (66, 190, 268, 110, 58, 40) if several else (66, 200, 290, 116, 60)
    titles = ("No.", "Tax map number and address", "Owner of record", "Relation", "Distance, ft", "Sheet")
    columns = [Column(title, width * share, right=title.startswith("Dist")) for title, width in zip(titles, widths, strict=False)]
    by_fid = {parcel.fid: parcel for parcel in drawn.parcels}
    own = {parcel.id: parcel for parcel in drawn.parcels if parcel.status == "premises"}
    marks = _marks(notice)
    cells = [(sheet.number, shapely.box(*sheet.cell_ft)) for sheet in plan.sheets[1:]]
    rows: list[tuple[str, ...]] = []
    for number, situs in premises_with_situs(notice):
        where = _sheets_of(shapes.premises[number], cells) if shapes is not None else ""
        rows.append(
            (
                marks[number],
                f"{number}, {situs}" if situs else number,
                _people(numbers.get(number, ()), own.get(number)),
                "Premises",
                "",
                where,
            )
        )
    for parcel in sorted(notice.parcels, key=lambda one: _order(one, numbers)):
        where = _sheets_of(shapes.parcels[parcel.fid], cells) if shapes is not None else ""
        rows.append(
            (
                numbers_text(one.number for one in numbers.get(parcel.id, ())) or "none",
                f"{parcel.id}, {parcel.situs}" if parcel.situs else parcel.id,
                _people(numbers.get(parcel.id, ()), by_fid.get(parcel.fid)),
                _relation(parcel) + ("\n(not on the map)" if parcel.id in far else ""),
                f"{parcel.distance_ft:,.1f}",
                where,
            )
        )
    pages.table(columns, [set_row(columns, row[: len(columns)], size_pt=_TYPE_PT) for row in rows], size_pt=_TYPE_PT)
    pages.y += 6
    _rest(pages, context, rows, far)


def _order(parcel: "NoticeParcel", numbers: "Mapping[str, Sequence[Recipient]]") -> tuple[float, float, str]:
    those = numbers.get(parcel.id)
    return (those[0].number if those else float("inf"), parcel.distance_ft, parcel.id)


def _sheets_of(shape: "BaseGeometry", cells: "Sequence[tuple[int, BaseGeometry]]") -> str:
    found = [number for number, cell in cells if shapely.intersects(shape, cell)]
    return numbers_text(found) or "1"


def _people(those: "Sequence[Recipient]", parcel: "MapParcel | None") -> str:
    """Return who is notified for a parcel, with their numbers where they are several; the owner of record where nobody is."""
    owners = [one for one in those if one.role != "resident"]
    residents = [one.number for one in those if one.role == "resident"]
    lines = [f"{f'{one.number}  ' if len(those) > 1 else ''}{' / '.join(one.names) or 'name not known'}" for one in owners]
    if not owners and parcel is not None:
        lines += [*parcel.owners] or ["owner not known"]
    if residents:
        lines.append(f"{'resident' if len(residents) == 1 else 'residents'}: {numbers_text(residents)}")
    if not those:
        lines.append("(nobody is notified for it)")
    return "\n".join(lines)


def _relation(parcel: "NoticeParcel") -> str:
    from geonotice.maps.notice_map import RELATION_WORDS

    lines = [RELATION_WORDS.get(one, one) for one in (parcel.relation, *parcel.also)]
    if parcel.around_ft is not None:
        lines.append(f"{parcel.around_ft:,.1f} ft from the second place")
    return "\n".join(lines)


def _rest(pages: Pages, context: PacketContext, rows: Sequence[tuple[str, ...]], far: frozenset[str]) -> None:
    """Set whom the map does not show, what was done by hand, what was just beyond the distance, and what all of it was made from."""
    notice = context.notice
    shown = {*notice.premises, *(parcel.id for parcel in notice.parcels)}
    others = [one for one in notice.recipients if not shown.intersection(one.parcels)]
    if others:
        pages.heading("Also on the list")
        for one in others:
            pages.words(f"{one.number}  {' / '.join(one.names)} ({one.role})", _TYPE_PT, after=1)
    if notice.municipalities:
        pages.heading("Other municipalities")
        for place in notice.municipalities:
            pages.words(f"{place.name}: {place.distance_ft:,.1f} ft from the premises", _TYPE_PT, after=1)
    if notice.near_misses:
        pages.heading("Near misses: just beyond the distance, not on the list")
        near = "; ".join(f"{miss.id} ({miss.distance_ft:,.2f} ft)" for miss in notice.near_misses)
        pages.words(f"{near}.", _TYPE_PT)
    if far:
        pages.heading("Not on the map")
        pages.words(f"{count(len(far), 'parcel')} of the list too far away to be drawn: {'; '.join(sorted(far))}.", _TYPE_PT)
    if unread := "".join(
        dict.fromkeys(chain.from_iterable(unprintable(cell.replace("\n", " ")) for row in rows for cell in row))
    ):
        signs = ", ".join(f"U+{ord(letter):04X}" for letter in unread)
        pages.words(f"{STAND_IN} stands for a letter that this paper cannot print ({signs}): notice-list.csv has it.", _TYPE_PT)
    pages.heading("Sources")
    lines = about_lines(notice)
    settings = [line.removeprefix("Setting ") for line in lines if line.startswith("Setting ")]
    for line in (*(line for line in lines if not line.startswith("Setting ")), f"Settings: {'; '.join(settings)}"):
        pages.words(line, 7, after=1)
