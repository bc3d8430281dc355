"""The staff report: an event against the ordinance, for the board that decides, on two pages.

What a person has to settle comes first; what is met and what does not apply is condensed. Where that is not short enough, the map gets smaller,
then the rules' own words go and what was found stays, then the type gets smaller. Nothing of the check is left out: what still needs more room goes on a further page, and the
first page says so.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any

from geonotice.decide.check import NotApplicable
from geonotice.decide.deadlines import Deadline
from geonotice.model import Finding
from geonotice.packet.report_map import ReportMap
from geonotice.packet.report_parts import Fill, findings_part, head_part, place_part
from geonotice.packet.type import FONT, STAND_IN, printable, stood_in, unprintable
from geonotice.packet.words import count

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

    A letter that the font cannot print has a box in its place, and the report says so.
    """
    report = _printed_as_far_as_possible(report)
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


def _printed_as_far_as_possible(report: StaffReport) -> StaffReport:
    """Put a box for each letter that the font cannot print, and say so first among the warnings.

    A board must not lose its report because of one name; nor must the name be shortened without a word.
    """
    bad: dict[str, None] = {}

    def put(text: str) -> str:
        bad.update(dict.fromkeys(unprintable(text)))
        return stood_in(text)

    def put_all(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(put(text) for text in texts)

    drawn = report.map and replace(
        report.map,
        shown=tuple(replace(one, label=put(one.label)) for one in report.map.shown),
        remarks=put_all(report.map.remarks),
    )
    made = replace(
        report,
        town=put(report.town),
        office=put(report.office),
        chapter=put(report.chapter),
        ordinance=put(report.ordinance),
        title=put(report.title),
        premises=put(report.premises),
        headline=put(report.headline),
        findings=tuple(
            replace(one, title=put(one.title), text=put(one.text), change=put(one.change), citation=put(one.citation))
            for one in report.findings
        ),
        standing={rule: put(words) for rule, words in report.standing.items()},
        not_applicable=tuple(replace(one, why=put(one.why)) for one in report.not_applicable),
        questions=put_all(report.questions),
        warnings=put_all(report.warnings),
        facts=tuple((put(name), put(value)) for name, value in report.facts),
        deadlines=tuple(
            replace(one, what=put(one.what), brief=put(one.brief), reckoning=put(one.reckoning), citation=put(one.citation))
            for one in report.deadlines
        ),
        sources=put_all(report.sources),
        map=drawn,
    )
    if not bad:
        return made
    signs = ", ".join(f"U+{ord(letter):04X}" for letter in bad)
    said = (
        f"This paper cannot print {count(len(bad), 'letter')} of the names or words that it was given, and has {STAND_IN} in their"
        f" place: {signs}. Read them in full on the screen (geonotice check), or write them in Latin letters in the event file."
    )
    return replace(made, warnings=(said, *made.warnings))
