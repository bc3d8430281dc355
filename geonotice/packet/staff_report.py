"""The staff report: an event against the ordinance, for the board that decides."""

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.decide.check import NotApplicable
from geonotice.decide.deadlines import Deadline, Undated
from geonotice.model import Finding
from geonotice.ordinance.profile import SignOff
from geonotice.packet.pdf_text import FONT, STAND_IN, stood_in, unprintable, width_pt
from geonotice.packet.printed_map import ReportMap
from geonotice.packet.sentences import count
from geonotice.packet.staff_report_parts import decision_part, findings_part, head_part, law_part, place_part

__all__ = ["Neighbour", "StaffReport", "staff_report_pdf"]


class Neighbour(Struct, frozen=True):
    """An adjoining parcel with an owner of record: a line of the schedule of adjoining owners."""

    parcel: str
    situs: str
    owner: str
    address: str


class StaffReport(Struct, frozen=True, kw_only=True):
    """What the report prints.

    ``office`` is where it comes from, in a line; ``site_word`` is what ``premises`` are: a parade has a route instead. ``chapter`` is the law's name, which citations begin with and which is printed once;
    ``proposed`` name and value of what the application states, ``findings`` those of the check, in its order;
    ``groups`` the names of the questions they belong to, by key; ``standing`` a rule's own words by its id: what a finding says beyond them is what
    was found here. ``questions`` is what is still to be answered, ``open_questions`` what an official decides that no rule asks; ``next_steps`` and ``undated`` what must happen next; ``facts`` name and value of what the layers know of the premises;
    ``neighbours`` the adjoining owners, ``schedule`` the section that asks for them; ``sign_offs`` the lines to be signed, each with its section; ``sources`` one line a source.
    """

    town: str
    office: str = ""
    chapter: str
    ordinance: str
    title: str
    premises: str
    on: date
    headline: str
    roll: str = ""
    site_word: str = "Premises"
    proposed: Sequence[tuple[str, str]] = ()
    findings: Sequence[Finding]
    groups: Mapping[str, str]
    standing: Mapping[str, str]
    not_applicable: Sequence[NotApplicable] = ()
    questions: Sequence[str] = ()
    open_questions: Sequence[str] = ()
    warnings: Sequence[str] = ()
    next_steps: Sequence[Deadline] = ()
    undated: Sequence[Undated] = ()
    sign_offs: Sequence[tuple[SignOff, str]] = ()
    facts: Sequence[tuple[str, str]] = ()
    neighbours: Sequence[Neighbour] = ()
    schedule: str = ""
    deadlines: Sequence[Deadline] = ()
    sources: Sequence[str] = ()
    map: ReportMap | None = None


_LETTER_PT = (612.0, 792.0)
_MARGIN_PT = 40.0
_FOOT_PT, _FOOT_TYPE_PT = 24.0, 7.0
_WIDTH_PT, _HEIGHT_PT = (side - 2 * _MARGIN_PT for side in _LETTER_PT)
_FOOT_ROOM_PT = _WIDTH_PT - 70.0
"""Room of the foot's words, beside the number of the page."""


def staff_report_pdf(report: StaffReport) -> bytes:
    """Set the report: the answer and what is proposed, what must happen next, what is not met and what must be decided with the law's words, then the map and the rest.

    A letter that the font cannot print has a box in its place, and the report says so.
    """
    report = _printed_as_far_as_possible(report)
    _, pages = _set(report, pages=1)
    return _set(report, pages=pages)[0]


def _flow(report: StaffReport) -> list[Any]:
    """Return the paragraphs and tables anew: what has been set once cannot be set again."""
    return [
        *head_part(report),
        *decision_part(report),
        *findings_part(report),
        *place_part(report, width_pt=_WIDTH_PT),
        *law_part(report),
    ]


def _set(report: StaffReport, *, pages: int) -> tuple[bytes, int]:
    """Set the report, telling each page how many ``pages`` there are; return how many it came to."""
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    words = _foot(report)

    def foot(canvas: Any, _document: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        canvas.setFont(FONT, _FOOT_TYPE_PT)
        canvas.drawString(_MARGIN_PT, _FOOT_PT, words)
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
    document.build(_flow(report))
    return stream.getvalue(), document.page


def _foot(report: StaffReport) -> str:
    """Return the foot's words; a long title, which stands whole on the first page, ends in an ellipsis."""
    end = f" · as of {calendar_day(report.on)}"
    words = stood_in(f"{report.town} · {report.title}")
    cut = False
    while words and width_pt(f"{words}…{end}", _FOOT_TYPE_PT) > _FOOT_ROOM_PT:
        words, cut = words[:-1], True
    return f"{words}{'…' if cut else ''}{end}"


def _printed_as_far_as_possible(report: StaffReport) -> StaffReport:
    """Return the report with a first warning that names the letters which the font cannot print: each has a box in its place.

    A board must not lose its report because of one name; nor must the name be shortened without a word.
    """
    drawn = report.map and replace(
        report.map,
        shown=tuple(replace(one, label=stood_in(one.label)) for one in report.map.shown),
        remarks=tuple(stood_in(text) for text in report.map.remarks),
    )
    bad = dict.fromkeys(chain.from_iterable(unprintable(text) for text in _texts(report)))
    if not bad:
        return report
    signs = ", ".join(f"U+{ord(letter):04X}" for letter in bad)
    said = (
        f"This paper cannot print {count(len(bad), 'letter')} of the names or words that it was given, and has {STAND_IN} in their"
        f" place: {signs}. Read them in full in the check on the screen, or write them in Latin letters in the event file."
    )
    return replace(report, warnings=(said, *report.warnings), map=drawn)


def _texts(report: StaffReport) -> Iterator[str]:
    """Return every text that the report prints."""
    yield from (report.town, report.office, report.ordinance, report.title, report.premises, report.headline)
    for name, value in (*report.proposed, *report.facts):
        yield from (name, value)
    for one in report.findings:
        yield from (one.title, one.text, one.change, one.citation)
    yield from report.standing.values()
    yield from (one.why for one in report.not_applicable)
    yield from chain(report.questions, report.open_questions, report.warnings, report.sources)
    for due in (*report.next_steps, *report.deadlines):
        yield from (due.what, due.brief, due.reckoning, due.citation)
    for official, _ in report.sign_offs:
        yield from (official.by, official.what)
    for near in report.neighbours:
        yield from (near.parcel, near.situs, near.owner, near.address)
    if report.map:
        yield from (one.label for one in report.map.shown)
        yield from report.map.remarks
