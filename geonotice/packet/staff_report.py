"""The staff report: an event against the ordinance, for the board that decides, on two pages."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any
from xml.sax.saxutils import escape

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.check import NotApplicable
from geonotice.decide.deadlines import Deadline
from geonotice.model import Finding
from geonotice.packet.pdf_text import FONT, STAND_IN, printable, stood_in, unprintable
from geonotice.packet.printed_map import ReportMap, report_map
from geonotice.packet.sentences import count

__all__ = [
    "PAGES",
    "Fill",
    "StaffReport",
    "findings_part",
    "head_part",
    "place_part",
    "staff_report_pdf",
]


_DARK, _BLUE, _GREY = "#333333", "#1f4e79", "#555555"

_BELOW_HEADING_PT = 44.0
"""A heading and two lines."""

_TWO_COLUMNS_FROM = 6

_COUNT = "count"
"""The group of how many permits are left: its figures stand in the report whatever the outcome."""


class Fill(Struct, frozen=True, kw_only=True):
    """How a page is filled.

    Parameters
    ----------
    type_pt
        Size of the type that findings are set in.
    map_pt
        Height of the map.
    in_full
        Whether everything is said in full. If not, what is to be decided or remembered says what was found here without the rule's own words,
        and a rule that is met its name and section.
    """

    type_pt: float
    map_pt: float = 250.0
    in_full: bool = True


def head_part(report: "StaffReport", filled: Fill, *, note: str) -> list[Any]:
    """Set the head: town, title, premises, the outcome in a sentence, and what must be answered first."""
    from reportlab.lib.colors import HexColor

    boxed = {"borderColor": HexColor(_BLUE), "borderWidth": 1, "borderPadding": 5}
    flow = [
        _text(" · ".join(part for part in (report.town, report.office) if part), 9, textColor=HexColor(_GREY)),
        _text(f"Staff report: {report.title}", 15, spaceBefore=3, spaceAfter=4),
        _text(f"{report.site_word} {report.premises}. {report.ordinance}. As of {report.on.isoformat()}.", 8),
        _text(report.headline, 10.5, spaceBefore=8, spaceAfter=10, leftIndent=6, rightIndent=6, **boxed),
    ]
    if note:
        flow.append(_text(note, 8))
    if report.questions:
        flow += _heading("To be answered first")
        flow += _questions(report.questions, filled)
    return flow


def _questions(questions: Sequence[str], filled: Fill) -> list[Any]:
    """List the questions; in two columns where room is short."""
    set_ = [_text(f"• {question}", filled.type_pt) for question in questions]
    if filled.in_full or len(set_) < _TWO_COLUMNS_FROM:
        return set_
    half = (len(set_) + 1) // 2
    return [_table([[set_[:half], set_[half:]]], [266, 266], lines="#ffffff")]


def findings_part(report: "StaffReport", filled: Fill) -> list[Any]:
    """Set the findings: what is not met, what a person decides, warnings, what is to be remembered; then, condensed, the rest."""
    flow: list[Any] = []
    for status, title, sign in (
        ("not_met", "Requirements that are not met", "✗ NOT MET"),
        ("decide", "To decide", "? TO DECIDE"),
    ):
        rows = [
            [_text(sign, filled.type_pt), _text(_told(report, filled, one), filled.type_pt)]
            for one in report.findings
            if one.status == status
        ]
        if rows:
            flow += [*_heading(title), _table(rows, [62, 470], lines="#cccccc")]
    if report.warnings:
        flow += _heading("Look at these")
        flow += [_text(f"! {warning}", filled.type_pt) for warning in report.warnings]
    flow += _reminders(report, filled)
    met = [one for one in report.findings if one.status == "met"]
    if met:
        flow += [*_heading("Met, or not in the way"), *(_met(report, filled, one) for one in met)]
    if report.not_applicable:
        reasons: dict[str, list[str]] = {}
        for one in report.not_applicable:
            reasons.setdefault(one.why, []).append(one.rule)
        told = "; ".join(f"{why}: {', '.join(rules)}" for why, rules in reasons.items())
        flow += [*_heading("Does not apply"), _text(f"{told[:1].upper()}{told[1:]}.", filled.type_pt - 0.5)]
    return flow


def place_part(report: "StaffReport", filled: Fill, *, width_pt: float) -> list[Any]:
    """Set the premises: the map with its key, what the layers know, the dates with their reckoning, and the sources."""
    from reportlab.platypus import KeepTogether

    size = filled.type_pt
    flow: list[Any] = []
    flow.append(
        KeepTogether(
            [
                _text(f"The {report.site_word.lower()}: {report.premises}", 11, spaceBefore=6, spaceAfter=4),
                *_map(report, filled, width_pt),
            ]
        )
    )
    if report.facts:
        rows = [[_text(name, size), _text(value, size)] for name, value in report.facts]
        flow += [*_heading("What the layers know"), _table(rows, [120, 412])]
    if report.deadlines:
        rows = [[_text(one.suggested.isoformat(), size), _date(report, size, one)] for one in report.deadlines]
        said = "Counted without the day that a period is counted from (§\u00a020). Sections marked § are those of the General Construction Law."
        flow += [*_heading("By when"), _text(said, size - 0.5), _table(rows, [58, 474])]
    if report.sources:
        flow += [*_heading("Sources"), _text("; ".join(report.sources), size - 0.5)]
    return flow


def _map(report: "StaffReport", filled: Fill, width_pt: float) -> list[Any]:
    if report.map is None:
        return []
    drawn = report_map(report.map, width_pt=width_pt, height_pt=filled.map_pt)
    said = []
    if drawn.key:
        said.append("On the map: " + "; ".join(f"{number} is {name}" for number, name in drawn.key) + ".")
    if drawn.left_out:
        said.append(f"Not named on the map for want of room: {'; '.join(dict.fromkeys(drawn.left_out))}.")
    said += report.map.remarks
    return [drawn.drawing, *(_text(words, filled.type_pt - 0.5) for words in said)]


def _reminders(report: "StaffReport", filled: Fill) -> list[Any]:
    """List the reminders under their questions; what holds only on a condition stands apart, under it."""
    by_condition: dict[str, dict[str, list[str]]] = {}
    for one in report.findings:
        if one.status == "remind":
            condition, found = _own_words(one, report.standing)
            said = f" {found}" if found and (filled.in_full or one.review) else ""
            words = f"{one.title or one.text} ({_section(one.citation, report.chapter)}){':' if said else ''}{said}".rstrip(".")
            by_condition.setdefault(condition, {}).setdefault(one.group, []).append(words)
    flow: list[Any] = []
    for condition, by_group in by_condition.items():
        flow += _heading(f"To remember{f', {condition[:1].lower()}{condition[1:]}' if condition else ''}")
        for group, title in report.groups.items():
            if group in by_group:
                flow.append(_text(f"{title}: {'; '.join(by_group[group])}.", filled.type_pt - 0.5))
    return flow


def _met(report: "StaffReport", filled: Fill, one: "Finding") -> Any:  # noqa: ANN401  # reportlab ships no types
    place = f"({_section(one.citation, report.chapter)}; {one.rule})"
    if filled.in_full or one.group == _COUNT or one.review or not one.title:
        return _text(f"✓ {one.title}{': ' if one.title else ''}{one.text} {place}", filled.type_pt - 0.5)
    return _text(f"✓ {one.title} {place}", filled.type_pt - 0.5)


def _own_words(one: "Finding", standing: Mapping[str, str]) -> tuple[str, str]:
    """Return the condition a reminder holds on, and what it says beyond the rule's own words: what was found here."""
    before, _, after = one.text.partition(standing.get(one.rule) or "\0")
    if not after and before == one.text:
        return "", one.text
    before, after = before.strip(), after.strip()
    if before.startswith("If ") and before.endswith(":"):
        return before.rstrip(":").replace(": If", ", if"), after
    return "", f"{before} {after}".strip()


def _told(report: "StaffReport", filled: Fill, one: "Finding") -> str:
    """Return what is not met in full always, what is to be decided without the rule's own words where room is short."""
    change = f" Would change it: {one.change}." if one.change else ""
    title = f"{one.title}: " if one.title else ""
    text = one.text
    if one.title and one.status == "decide" and not filled.in_full:
        condition, found = _own_words(one, report.standing)
        text = f"{condition}: {found}" if condition else found or text
    return f"{title}{text}{change} ({_section(one.citation, report.chapter)}; {one.rule})"


def _date(report: "StaffReport", size: float, one: "Deadline") -> Any:  # noqa: ANN401  # reportlab ships no types
    bound = "last lawful day" if one.bound == "latest" else "not before"
    words = f"{one.what} ({bound} {one.last_lawful_day.isoformat()}; {_section(one.citation, report.chapter)}): {one.brief or one.reckoning}"
    return _text(words, size)


def _section(citation: str, chapter: str) -> str:
    """Return the section alone: the chapter stands on top, and the clause's words are on the screen and in the profile."""
    return citation.partition(": “")[0].removeprefix(chapter).lstrip(", ") or citation


def _style(size: float, **more: Any) -> Any:  # noqa: ANN401  # reportlab ships no types
    from reportlab.lib.styles import ParagraphStyle

    unprintable("")  # loads the font and makes it known to reportlab
    return ParagraphStyle("body", fontName=FONT, fontSize=size, leading=size * 1.2, **more)


def _text(words: str, size: float, **more: Any) -> Any:  # noqa: ANN401  # reportlab ships no types
    from reportlab.platypus import Paragraph

    return Paragraph(escape(stood_in(words)), _style(size, splitLongWords=1, **more))


def _heading(words: str) -> list[Any]:
    """Set a heading, on the next page where little of what follows would stand below it."""
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import CondPageBreak

    return [CondPageBreak(_BELOW_HEADING_PT), _text(words, 9.5, spaceBefore=6, spaceAfter=2, textColor=HexColor(_BLUE))]


def _table(rows: Sequence[Sequence[Any]], widths: Iterable[float], *, lines: str = "#dddddd") -> Any:  # noqa: ANN401  # as above
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table, TableStyle

    style = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
        ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor(lines)),
    ]
    return Table(rows, colWidths=list(widths), style=TableStyle(style), hAlign="LEFT")


Flow = Callable[[], list[Any]]
"""Returns the paragraphs and tables of a part anew: what has been set once cannot be set again."""

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


class StaffReport(Struct, frozen=True, kw_only=True):
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
    """Return the ways to fill two pages, the most comfortable first: each part on its page, or one running on after the other."""
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
