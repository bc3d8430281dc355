"""Pages of the papers that the program sets itself: words and tables that run over pages, and a foot that says how many there are."""

import io
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from geonotice.packet.pdf_text import ASCENT, DESCENT, FONT, LEADING, width_pt, wrapped

__all__ = ["INCH", "LETTER_PT", "Column", "Pages", "Row", "color_of", "open_canvas", "set_row"]

INCH = 72.0
LETTER_PT = (8.5 * INCH, 11 * INCH)

_DARK, _LINE, _SHADE = "#1a1a1a", "#9aa3ad", "#eef1f4"
_FOOT_PT = 7.0
_PAD_X_PT, _PAD_Y_PT = 3.0, 2.5
"""Kept free in a cell."""


def open_canvas(title: str, *, subject: str = "", size_pt: tuple[float, float] = LETTER_PT) -> tuple[io.BytesIO, Any]:
    """Begin a document that is printed as large as it is, and holds neither clock nor chance."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # the streams as they are: as text they would be a quarter larger, and take as long as compressing them
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=size_pt, invariant=1, lang="en-US")
    canvas.setTitle(title)
    canvas.setSubject(subject or "Print at 100 %, not fit to page")
    canvas.setCreator("geonotice")
    canvas.setAuthor("")
    canvas.setViewerPreference("PrintScaling", "None")
    return stream, canvas


@cache
def color_of(text: str) -> Any:  # noqa: ANN401  # reportlab ships no types
    """Return a color of reportlab's, such as that of ``#1a1a1a``; it reads one anew for each line otherwise."""
    from reportlab.lib.colors import toColor

    return toColor(text)


class Column(Struct, frozen=True):
    """A column of a table: what stands over it, how wide it is, and whether its cells stand at the right."""

    title: str
    width_pt: float
    right: bool = False


class Row(Struct, frozen=True):
    """A row as it is set: the lines of each cell, and how high it is at least."""

    cells: tuple[tuple[str, ...], ...]
    least_pt: float = 0.0

    def height_pt(self, size_pt: float) -> float:
        """Return how high it is."""
        return max(self.least_pt, _height_pt(max(map(len, self.cells), default=1), size_pt))


def _height_pt(lines: int, size_pt: float) -> float:
    return size_pt * (LEADING * (max(lines, 1) - 1) + ASCENT + DESCENT) + 2 * _PAD_Y_PT


def set_row(columns: Sequence[Column], cells: Sequence[str], *, size_pt: float, least_pt: float = 0.0) -> Row:
    """Wrap the cells of a row; a line end in a cell is one on the page."""
    return Row(
        tuple(
            wrapped(text, width_pt=column.width_pt - 2 * _PAD_X_PT, size_pt=size_pt)
            for column, text in zip(columns, cells, strict=True)
        ),
        least_pt,
    )


class _Page(Struct):
    """What is on a page: shapes, and over them the words, each with its place, size and color."""

    drawings: list[Callable[[Any], None]] = []
    texts: list[tuple[float, float, str, float, str]] = []


class Pages:
    """Pages that are filled from the top: what is put on them is kept, and drawn once it is known how many there are.

    All places are points from the upper left corner; ``y`` is how far down the page is filled.

    Parameters
    ----------
    size_pt
        Width and height of a page.
    margin_pt
        Kept free at every side.
    foot_pt
        Kept free above the lower margin, for the foot and what :attr:`page_end` draws.
    """

    def __init__(self, *, size_pt: tuple[float, float] = LETTER_PT, margin_pt: float = 40.0, foot_pt: float = 14.0) -> None:
        self.width_pt, self.height_pt = size_pt
        self.margin_pt = margin_pt
        self.foot_pt = foot_pt
        self.left_pt, self.right_pt = margin_pt, self.width_pt - margin_pt
        self.page_start: Callable[[], None] | None = None
        """Draws what stands at the head of every page but the first, and moves ``y`` below it."""
        self._pages: list[_Page] = [_Page()]
        self.y = margin_pt

    @property
    def bottom_pt(self) -> float:
        """How far down a page may be filled."""
        return self.height_pt - self.margin_pt - self.foot_pt

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self._pages)

    def new_page(self) -> None:
        """Begin a page."""
        self._pages.append(_Page())
        self.y = self.margin_pt
        if self.page_start is not None:
            self.page_start()

    def need(self, height_pt: float) -> None:
        """Begin a page where this one has no such room left."""
        if self.y + height_pt > self.bottom_pt:
            self.new_page()

    def draw(self, drawing: Callable[[Any], None]) -> None:
        """Put on this page what a function draws on the canvas."""
        self._pages[-1].drawings.append(drawing)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size_pt: float,
        *,
        at: Literal["left", "right", "middle"] = "left",
        color: str = _DARK,
    ) -> None:
        """Write one line; ``y`` is its baseline."""
        start = x - {"left": 0.0, "right": 1.0, "middle": 0.5}[at] * width_pt(words, size_pt) if at != "left" else x
        self._pages[-1].texts.append((start, self.height_pt - y, words, size_pt, color))

    def line(self, x0: float, y0: float, x1: float, y1: float, *, weight: float = 0.5, color: str = _DARK) -> None:
        """Draw a line."""

        def drawing(canvas: Any) -> None:  # noqa: ANN401
            canvas.setStrokeColor(color_of(color))
            canvas.setLineWidth(weight)
            canvas.line(x0, self.height_pt - y0, x1, self.height_pt - y1)

        self.draw(drawing)

    def box(self, x: float, y: float, width: float, height: float, *, fill: str = "", weight: float = 0.7) -> None:
        """Draw a box; ``y`` is its upper side."""

        def drawing(canvas: Any) -> None:  # noqa: ANN401
            canvas.setStrokeColor(color_of(_DARK))
            canvas.setLineWidth(weight)
            if fill:
                canvas.setFillColor(color_of(fill))
            canvas.rect(x, self.height_pt - y - height, width, height, stroke=1 if weight else 0, fill=1 if fill else 0)

        self.draw(drawing)

    def words(
        self,
        text: str,
        size_pt: float,
        *,
        x: float | None = None,
        width: float | None = None,
        after: float = 3.0,
        color: str = _DARK,
    ) -> None:
        """Write a paragraph from ``y`` on, over as many pages as it takes."""
        x = self.left_pt if x is None else x
        for line in wrapped(text, width_pt=self.right_pt - x if width is None else width, size_pt=size_pt):
            self.need(size_pt * LEADING)
            self.text(x, self.y + ASCENT * size_pt, line, size_pt, color=color)
            self.y += size_pt * LEADING
        self.y += after

    def heading(self, text: str, size_pt: float = 10.0, *, below_pt: float = 30.0) -> None:
        """Write a heading that is not left alone at the foot of a page."""
        self.need(size_pt * LEADING + below_pt)
        self.y += 4
        self.words(text, size_pt, after=2.0, color="#1f4e79")

    def table(
        self,
        columns: Sequence[Column],
        rows: Sequence[Row],
        *,
        size_pt: float,
        head_pt: float = 7.0,
        most_rows: int | None = None,
    ) -> None:
        """Set a table from ``y`` on, its heads on every page; a row that no page holds is parted between its lines.

        With ``most_rows`` a page has so many rows at most.
        """
        head = set_row(columns, [column.title for column in columns], size_pt=head_pt)
        self.need(head.height_pt(head_pt) + (rows[0].height_pt(size_pt) if rows and rows[0].height_pt(size_pt) < 200 else 60))  # noqa: PLR2004  # points
        self._row(columns, head, size_pt=head_pt, fill=_SHADE)
        on_page = 0
        for row in rows:
            rest: Row | None = row
            while rest is not None:
                full = most_rows is not None and on_page >= most_rows
                room = self.bottom_pt - self.y
                if full or (
                    rest.height_pt(size_pt) > room and (on_page or rest.height_pt(size_pt) <= self._whole_pt(head, head_pt))
                ):
                    self.new_page()
                    self._row(columns, head, size_pt=head_pt, fill=_SHADE)
                    on_page = 0
                    room = self.bottom_pt - self.y
                part, rest = _parted(rest, room, size_pt)
                self._row(columns, part, size_pt=size_pt)
                on_page += 1

    def _whole_pt(self, head: Row, head_pt: float) -> float:
        return self.bottom_pt - self.margin_pt - head.height_pt(head_pt) - 30

    def _row(self, columns: Sequence[Column], row: Row, *, size_pt: float, fill: str = "") -> None:
        height = row.height_pt(size_pt)
        if fill:
            self.box(self.left_pt, self.y, sum(column.width_pt for column in columns), height, fill=fill, weight=0)
        x = self.left_pt
        for column, lines in zip(columns, row.cells, strict=True):
            y = self.y + _PAD_Y_PT + ASCENT * size_pt
            for line in lines:
                at = x + column.width_pt - _PAD_X_PT if column.right else x + _PAD_X_PT
                self.text(at, y, line, size_pt, at="right" if column.right else "left")
                y += size_pt * LEADING
            x += column.width_pt
        self.y += height
        self.line(self.left_pt, self.y, x, self.y, color=_LINE, weight=0.4)

    def save(self, *, title: str, foot: str, subject: str = "") -> bytes:
        """Draw all pages, each with its number and how many there are, and return the document."""
        stream, canvas = open_canvas(title, subject=subject, size_pt=(self.width_pt, self.height_pt))
        for number, page in enumerate(self._pages, 1):
            for drawing in page.drawings:
                drawing(canvas)
            _write(canvas, page.texts)
            canvas.setFillColor(color_of(_DARK))
            canvas.setFont(FONT, _FOOT_PT)
            base, count = self.margin_pt - 12, f"Page {number} of {len(self._pages)}"
            canvas.drawRightString(self.right_pt, base, count)
            room = self.right_pt - self.left_pt - width_pt(count, _FOOT_PT) - 12
            words = wrapped(foot, width_pt=room, size_pt=_FOOT_PT)
            if words:
                canvas.drawString(self.left_pt, base, words[0] if len(words) == 1 else f"{words[0]} …")
            canvas.showPage()
        canvas.save()
        return stream.getvalue()


def _parted(row: Row, room_pt: float, size_pt: float) -> tuple[Row, Row | None]:
    """Part a row between its lines where it is higher than the room."""
    if row.height_pt(size_pt) <= room_pt:
        return row, None
    most = max(int((room_pt - 2 * _PAD_Y_PT) / (size_pt * LEADING)), 1)
    return Row(tuple(lines[:most] for lines in row.cells)), Row(tuple(lines[most:] for lines in row.cells))


def _write(canvas: Any, texts: Sequence[tuple[float, float, str, float, str]]) -> None:  # noqa: ANN401  # reportlab ships no types
    """Write all words of a page in one go: to begin anew for each line takes most of the time of a long list."""
    writing = canvas.beginText()
    last: tuple[float, str] | None = None
    for x, y, words, size_pt, color in texts:
        if last is None or last[0] != size_pt:
            writing.setFont(FONT, size_pt)
        if last is None or last[1] != color:
            writing.setFillColor(color_of(color))
        last = (size_pt, color)
        writing.setTextOrigin(x, y)
        writing.textOut(words)
    canvas.drawText(writing)
