"""What stands beside the map for the record: what it is of, its scale, north, what the colors mean, and who prepared it."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.model import Notice
from geonotice.packet.exhibit_drawing import Layer, draw_swatch
from geonotice.packet.pdf_pages import color_of
from geonotice.packet.pdf_text import ASCENT, FONT, LEADING, on_one_line, width_pt, wrapped
from geonotice.packet.sentences import count, occasion_line, roll_state

if TYPE_CHECKING:
    from geonotice.maps.titles_and_badges import Look
    from geonotice.packet.exhibit_sheets import Plan, Sheet
    from geonotice.packet.pdf_pages import Pages

__all__ = ["Panel", "draw_panel"]

_GRAY, _DARK, _WHITE = "#4d5a68", "#1a1a1a", "#ffffff"
_SIGN_PT = 66.0
"""Room for who prepared it, with two lines of the office."""
_OFFICE_PT, _OFFICE_LINE_PT = 6.0, 7.0
_ROW_PT = 11.5
_KEY_PT = 62.0
_IN_FULL = "… in full after the map"


class Panel(Struct, frozen=True, kw_only=True):
    """What is said beside each sheet; ``far`` are the numbers of parcels that the map does not reach, ``prepared_by`` who made the list."""

    notice: Notice
    office: str
    crs: str
    radius_ft: float | None
    layers: Sequence[Layer]
    paper: str
    far: Sequence[str] = ()
    prepared_by: str = ""


class _Column:
    """Words from the top of the panel down: nothing runs over its end."""

    def __init__(self, pages: "Pages", x: float, width: float, bottom: float) -> None:
        self.pages, self.x, self.width, self.bottom = pages, x, width, bottom
        self.y = pages.margin_pt

    def put(self, text: str, size_pt: float, *, most: int = 99, after: float = 2.0, color: str = "#1a1a1a") -> None:
        """Write a paragraph; where it has more lines than ``most``, or than there is room for, the last says where the rest stands."""
        room = int((self.bottom - self.y) / (size_pt * LEADING))
        lines = list(wrapped(text, width_pt=self.width, size_pt=size_pt))
        if len(lines) > min(most, room):
            lines = [*lines[: max(min(most, room) - 1, 0)], _IN_FULL]
        for line in lines[: max(room, 0)]:
            self.pages.text(self.x, self.y + ASCENT * size_pt, line, size_pt, color=color)
            self.y += size_pt * LEADING
        self.y += after


def draw_panel(pages: "Pages", panel: Panel, sheet: "Sheet", plan: "Plan", *, x: float, width: float, bottom: float) -> None:
    """Set the panel of a sheet between ``x`` and the margin, down to ``bottom``."""
    notice, scale = panel.notice, sheet.place.feet_per_inch
    office = wrapped(panel.office, width_pt=width, size_pt=_OFFICE_PT)
    sign_pt = _SIGN_PT + _OFFICE_LINE_PT * max(len(office) - 2, 0)  # whole, however long: it is how the public reaches the town
    column = _Column(pages, x, width, bottom - sign_pt)
    column.put(notice.town, 11, after=0)
    kind = "Exhibit: map of the persons to be notified"
    column.put(kind, 8, after=3, color=_GRAY)
    column.put(f"{occasion_line(notice)}.", 8, most=6, after=4)
    many = len(plan.sheets)
    if many > 1:
        rest = "sheet 2 has" if many == 2 else f"sheets 2 to {many} have"  # noqa: PLR2004  # one sheet more
        what = f"The whole; {rest} the numbers for which there is no room here" if plan.index is sheet else "A part of sheet 1"
        column.put(f"Map sheet {sheet.number} of {many}. {what}.", 8, after=4)
    _scale(pages, column, scale)
    _legend(pages, column, panel)
    if many > 2 and plan.index is not sheet:  # noqa: PLR2004  # beside others
        low = column.y + _KEY_PT
        box = (x, pages.height_pt - low, x + width, pages.height_pt - column.y)
        pages.draw(lambda canvas: _draw_key(canvas, plan.sheets[1:], here=sheet.number, box=box))
        column.y = low + 6
    for line in _notes(panel, sheet, plan):
        column.put(line, 6.5, after=1.5)
    for line in _sources(notice):
        column.put(line, 6.5, most=4, after=1.5, color=_GRAY)
    _signatures(pages, office, prepared_by=panel.prepared_by, x=x, width=width, top=bottom - sign_pt)


def _scale(pages: "Pages", column: _Column, scale: int) -> None:
    column.put(f"1 inch = {scale:,} feet", 11, after=8)
    bar, arrow = pages.height_pt - column.y - 12, column.x + column.width - 12

    def drawing(canvas: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        _draw_scale_bar(canvas, scale, x=column.x + 4, y=bar)
        _draw_arrow(canvas, x=arrow, y=bar - 8)

    pages.draw(drawing)
    column.y += 24


_FIRST = ("premises", "abutting", "corner", "opposite", "within", "common_land", "near_miss", "no_parcels", "radius")
"""What the legend has first; the rest follows as it is drawn, the uppermost first."""


def _legend(pages: "Pages", column: _Column, panel: Panel) -> None:
    rank = {kind: n for n, kind in enumerate(_FIRST)}
    shown = [*panel.layers]
    shown.reverse()
    shown.sort(key=lambda one: len(_FIRST) if one.evidence else rank.get(one.kind, len(_FIRST)))
    for layer in shown:
        lines = wrapped(_title(layer, panel), width_pt=column.width - 26, size_pt=7)
        look, low = layer.look, pages.height_pt - column.y - 9.5
        pages.draw(partial(_swatch, look=look, x=column.x, y=low))
        for n, line in enumerate(lines):
            pages.text(column.x + 26, column.y + 7.5 + n * 7 * LEADING, line, 7)
        column.y += max(_ROW_PT, len(lines) * 7 * LEADING + 2)
    column.y += 4


def _swatch(canvas: Any, *, look: "Look", x: float, y: float) -> None:  # noqa: ANN401
    draw_swatch(canvas, look, x=x, y=y)


def _title(layer: Layer, panel: Panel) -> str:
    feet = f"{panel.radius_ft:,.0f} ft" if panel.radius_ft is not None else ""
    if layer.evidence:
        return layer.look.title
    if layer.kind == "within" and feet:
        return f"Notified: within {feet}"
    if layer.kind == "radius":
        return f"{feet} from the premises" if feet else "The distance the law asks for, from the contiguous land"
    if layer.kind == "no_parcels":
        return "No parcel is known here: owners, if there are any, are not on the list"
    return layer.look.title


def _notes(panel: Panel, sheet: "Sheet", plan: "Plan") -> list[str]:
    notice = panel.notice
    lines = []
    if sheet.unnumbered:
        lines.append(f"NO ROOM ON THIS SHEET for the number of: {', '.join(sheet.unnumbered)}. See the table of owners.")
    if panel.far:
        lines.append(f"NOT ON THE MAP, too far away: {', '.join(panel.far)}. See the table of owners.")
    lines.append(
        f"The numbers are those of the list: {count(len(notice.parcels), 'parcel')}, {count(len(notice.recipients), 'person')}. Owners: from page {len(plan.sheets) + 1} on."
    )
    lines.append(
        f"Print at 100 % on {panel.paper} paper: the bar is 2 inches long. North is grid north of {panel.crs}; lengths are US survey feet."
    )
    lines.append("Parcels that are not on the list are drawn only near the search area.")
    return lines


def _sources(notice: Notice) -> list[str]:
    lines = []
    for source in notice.sources:
        if source.layer in ("parcels", "roll") or source.roll_year:
            age = f"as of {calendar_day(source.as_of)}" if source.as_of else "date unknown"
            roll = f"; roll of {source.roll_year} ({roll_state(source.final)})" if source.roll_year else "; roll year not known"
            lines.append(f"{source.layer.capitalize()}: {source.path.rsplit('/', 1)[-1]}, {age}{roll}.")
    return [*lines, f"List made on {calendar_day(notice.on)} with geonotice {notice.version}."]


def _signatures(pages: "Pages", office: Sequence[str], *, prepared_by: str, x: float, width: float, top: float) -> None:
    pages.line(x, top + 2, x + width, top + 2, weight=0.4)
    for n, line in enumerate(office):
        pages.text(x, top + 9 + _OFFICE_LINE_PT * n, line, _OFFICE_PT, color=_GRAY)
    low = top + _OFFICE_LINE_PT * max(len(office) - 2, 0)
    for n, names in enumerate((("Prepared by", "Title"), ("Signature", "Date"))):
        y = low + 34 + 23 * n
        for at, share, name in ((0.0, 0.62, names[0]), (0.66, 0.34, names[1])):
            pages.line(x + at * width, y, x + (at + share) * width, y)
            pages.text(x + at * width, y + 7, name, 6)
            if name == "Prepared by" and prepared_by:
                pages.text(x, y - 3, on_one_line(prepared_by, width_pt=share * width, size_pt=8), 8)


def _draw_scale_bar(canvas: Any, feet_per_inch: int, *, x: float, y: float) -> None:  # noqa: ANN401
    """Draw a bar of two inches, its left end at ``x``; what it stands for is written above it."""
    canvas.saveState()
    canvas.setStrokeColor(color_of(_DARK))
    canvas.setLineWidth(0.6)
    for n, (start, end) in enumerate(((0, 36), (36, 72), (72, 144))):
        canvas.setFillColor(color_of(_WHITE if n % 2 else _DARK))
        canvas.rect(x + start, y, end - start, 4, stroke=1, fill=1)
    canvas.setFillColor(color_of(_DARK))
    canvas.setFont(FONT, 6.5)
    for at, words in ((0, "0"), (36, f"{feet_per_inch / 2:,.0f}"), (72, f"{feet_per_inch:,}"), (144, f"{2 * feet_per_inch:,}")):
        canvas.drawCentredString(x + at, y + 7, words)
    canvas.restoreState()


def _draw_arrow(canvas: Any, *, x: float, y: float) -> None:  # noqa: ANN401
    """Draw a north arrow 30 points high, its foot at ``x`` and ``y``: the sheet's upper edge is grid north."""
    canvas.saveState()
    canvas.setFillColor(color_of(_DARK))
    canvas.setStrokeColor(color_of(_DARK))
    canvas.setLineWidth(0.6)
    for side, fill in ((-1, 1), (1, 0)):
        path = canvas.beginPath()
        path.moveTo(x, y + 22)
        path.lineTo(x + 6 * side, y)
        path.lineTo(x, y + 5)
        path.close()
        canvas.drawPath(path, stroke=1, fill=fill)
    canvas.setFont(FONT, 8)
    canvas.drawCentredString(x, y + 24, "N")
    canvas.restoreState()


def _draw_key(canvas: Any, sheets: "Sequence[Sheet]", *, here: int, box: tuple[float, float, float, float]) -> None:  # noqa: ANN401
    """Draw how the sheets lie beside each other into a box of the page, with the sheet ``here`` dark."""
    ends = np.array([sheet.cell_ft for sheet in sheets])
    (west, south), (east, north) = ends[:, :2].min(axis=0), ends[:, 2:].max(axis=0)
    x0, y0, x1, y1 = box
    per_foot = min((x1 - x0) / (east - west), (y1 - y0) / (north - south))
    canvas.saveState()
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(color_of(_DARK))
    for sheet, (left, low, right, high) in zip(sheets, ends, strict=True):
        x, y, wide, tall = (
            x0 + (left - west) * per_foot,
            y0 + (low - south) * per_foot,
            (right - left) * per_foot,
            (high - low) * per_foot,
        )
        canvas.setFillColor(color_of(_DARK if sheet.number == here else _WHITE))
        canvas.rect(x, y, wide, tall, stroke=1, fill=1)
        canvas.setFillColor(color_of(_WHITE if sheet.number == here else _DARK))
        size = min(6.5, 0.7 * tall, 0.8 * wide / width_pt(str(sheet.number), 1))
        canvas.setFont(FONT, size)
        canvas.drawCentredString(x + wide / 2, y + tall / 2 - size * 0.36, str(sheet.number))
    canvas.restoreState()
