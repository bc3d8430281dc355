"""The staff report: an event against the ordinance, for the board that decides, on two pages.

What a person has to settle comes first; what is met and what does not apply is condensed. Where that is not short enough, the map gets smaller,
then the rules' own words go and what was found stays, then the type gets smaller. Nothing of the check is left out: what still needs more room goes on a further page, and the
first page says so.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from geonotice.decide.check import NotApplicable
from geonotice.decide.deadlines import Deadline
from geonotice.errors import Fault, OutputError
from geonotice.model import Finding
from geonotice.packet.report_map import ReportMap
from geonotice.packet.report_parts import Fill, findings_part, head_part, place_part
from geonotice.packet.type import FONT, printable, unprintable

__all__ = ["PAGES", "StaffReport", "staff_report_pdf"]

Flow = Callable[[], list[Any]]
"""Gives the paragraphs and tables of a part anew: what has been set once cannot be set again."""

PAGES = 2
"""A board reads one sheet, front and back."""

_LETTER_PT = (612.0, 792.0)
_MARGIN_PT = 40.0
_FOOT_PT, _FOOT_LETTERS = 24.0, 110
_WIDTH_PT, _HEIGHT_PT = (side - 2 * _MARGIN_PT for side in _LETTER_PT)

_FINDINGS_FILLS = (Fill(type_pt=8), Fill(type_pt=7.5), Fill(type_pt=7.5, in_full=False))
"""How the first page is filled, the most comfortable first."""

_PLACE_FILLS = (
    Fill(type_pt=8, map_pt=340),
    Fill(type_pt=8, map_pt=290),
    Fill(type_pt=7.5, map_pt=250),
    Fill(type_pt=7, map_pt=210),
)
"""How the second page is filled, the most comfortable first."""

_RUN_ON_FILLS = (Fill(type_pt=7.5, map_pt=250, in_full=False), Fill(type_pt=7, map_pt=210, in_full=False))
"""How both are filled where findings run on to the second page; smaller type is not read without effort."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffReport:
    """What the report prints.

    ``office`` is where it comes from, in a line; ``site_word`` is what ``premises`` are: a parade has a route instead. ``chapter`` is the law's name, which citations begin with and which is printed once; ``findings`` are those of the check, in its order;
    ``groups`` the names of the questions they belong to, by key; ``standing`` a rule's own words by its id: what a finding says beyond them is what
    was found here. ``questions`` is what is still to be answered; ``facts`` name and value of what the layers know of the premises; ``sources``
    one line a source.
    """

    town: str
    office: str = ""
    chapter: str
    ordinance: str
    title: str
    premises: str
    on: date
    headline: str
    site_word: str = "Premises"
    findings: Sequence[Finding]
    groups: Mapping[str, str]
    standing: Mapping[str, str]
    not_applicable: Sequence[NotApplicable] = ()
    questions: Sequence[str] = ()
    warnings: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    deadlines: Sequence[Deadline] = ()
    sources: Sequence[str] = ()
    map: ReportMap | None = None


def staff_report_pdf(report: StaffReport) -> bytes:
    """Set the report: findings, then the map with facts, dates, warnings and sources, on two pages where they hold it.

    Raises
    ------
    OutputError
        A text has letters that the font cannot print.
    """
    _refuse_unprintable(report)
    for make in _arrangements(report):
        content, pages = _set(report, make, pages=PAGES)
        if pages <= PAGES:
            return content
    # It does not fit: small type would help nobody then.
    spilled = _RUN_ON_FILLS[0]
    _, pages = _set(report, lambda: _run_on(report, spilled, note=_note(PAGES + 1)), pages=PAGES + 1)
    return _set(report, lambda: _run_on(report, spilled, note=_note(pages)), pages=pages)[0]


def _arrangements(report: StaffReport) -> Iterator[Flow]:
    """Give the ways to fill two pages, the most comfortable first: each part on its page, or one running on after the other."""
    findings: list[Flow] = [partial(_findings, report, filled) for filled in _FINDINGS_FILLS]
    places: list[Flow] = [partial(_place, report, filled) for filled in _PLACE_FILLS]
    first = next((make for make in findings if _set(report, make, pages=PAGES)[1] == 1), None)
    second = next((make for make in places if _set(report, make, pages=PAGES)[1] == 1), None)
    if first and second:
        yield partial(_on_pages_of_their_own, first, second)
    yield from (partial(_run_on, report, filled) for filled in _RUN_ON_FILLS)


def _findings(report: StaffReport, filled: Fill, *, note: str = "") -> list[Any]:
    return [*head_part(report, filled, note=note), *findings_part(report, filled)]


def _place(report: StaffReport, filled: Fill) -> list[Any]:
    return place_part(report, filled, width_pt=_WIDTH_PT)


def _on_pages_of_their_own(first: Flow, second: Flow) -> list[Any]:
    from reportlab.platypus import PageBreak

    return [*first(), PageBreak(), *second()]


def _run_on(report: StaffReport, filled: Fill, *, note: str = "") -> list[Any]:
    return [*_findings(report, filled, note=note), *_place(report, filled)]


def _note(pages: int) -> str:
    return f"This report has {pages} pages: what it has to say does not fit on {PAGES}. Nothing is left out."


def _set(report: StaffReport, make: Flow, *, pages: int) -> tuple[bytes, int]:
    """Set what ``make`` gives, telling each page how many ``pages`` there are; give how many it came to."""
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    def foot(canvas: Any, _document: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        canvas.setFont(FONT, 7)
        canvas.drawString(
            _MARGIN_PT, _FOOT_PT, printable(f"{report.town} · {report.title} · {report.on.isoformat()}")[:_FOOT_LETTERS]
        )
        canvas.drawRightString(_MARGIN_PT + _WIDTH_PT, _FOOT_PT, f"Page {canvas.getPageNumber()} of {pages}")

    stream = io.BytesIO()
    frame = Frame(_MARGIN_PT, _MARGIN_PT, _WIDTH_PT, _HEIGHT_PT, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
    document = BaseDocTemplate(
        stream,
        pagesize=_LETTER_PT,
        pageTemplates=[PageTemplate("page", [frame], onPage=foot)],
        title=f"Staff report: {report.title}",
        author=report.town,
        creator="geonotice",
        invariant=1,
    )
    document.build(make())
    return stream.getvalue(), document.page


def _refuse_unprintable(report: StaffReport) -> None:
    texts = [
        report.town,
        report.office,
        report.title,
        report.premises,
        report.headline,
        *report.questions,
        *report.warnings,
        *report.sources,
    ]
    texts += [text for pair in report.facts for text in pair]
    texts += [text for one in report.findings for text in (one.title, one.text, one.change)]
    bad = sorted({letter for text in texts for letter in unprintable(text)})
    if bad:
        signs = ", ".join(f"U+{ord(letter):04X}" for letter in bad)
        raise OutputError(
            Fault(
                what=f"the staff report has letters that the font cannot print: {signs}",
                remedy="write them in Latin letters in the event file",
            )
        )
