"""The staff report: an event against the ordinance, for the board that decides. Findings first, the parcel's map behind."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from xml.sax.saxutils import escape

from geonotice.decide.deadlines import Deadline
from geonotice.errors import Fault, OutputError
from geonotice.model import Finding
from geonotice.packet.report_map import ReportMap, report_map
from geonotice.packet.type import FONT, printable, unprintable

__all__ = ["StaffReport", "staff_report_pdf"]

_SIGNS = {"not_met": "✗ NOT MET", "decide": "? TO DECIDE", "met": "✓ met"}
"""A finding's status in a sign and words, never by colour alone; reminders stand apart, as a list."""

_MARGIN_PT = 40
_MAP_PT = (532.0, 280.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffReport:
    """What the report prints.

    ``chapter`` is the law's name, which citations begin with and which is printed once; ``groups`` are the findings under their questions; ``questions`` what is still to be answered; ``facts`` name and value of what the
    layers know of the premises; ``sources`` one line a source.
    """

    town: str
    chapter: str
    ordinance: str
    title: str
    premises: str
    on: date
    headline: str
    groups: Mapping[str, Sequence[Finding]]
    questions: Sequence[str] = ()
    warnings: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    deadlines: Sequence[Deadline] = ()
    sources: Sequence[str] = ()
    map: ReportMap | None = None


def staff_report_pdf(report: StaffReport) -> bytes:
    """Set the report: findings, then the map with facts, dates, warnings and sources. What needs more room goes on further pages.

    Raises
    ------
    OutputError
        A text has letters that the font cannot print.
    """
    from reportlab.lib.pagesizes import letter
    from reportlab.platypus import PageBreak, SimpleDocTemplate

    _refuse_unprintable(report)
    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=letter,
        leftMargin=_MARGIN_PT,
        rightMargin=_MARGIN_PT,
        topMargin=_MARGIN_PT,
        bottomMargin=_MARGIN_PT,
        title=f"Staff report: {report.title}",
        author=report.town,
        invariant=1,
    )
    flow = [*_head(report), *_findings(report), PageBreak(), *_place(report)]

    def foot(canvas: Any, _document: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        canvas.setFont(FONT, 7)
        canvas.drawString(_MARGIN_PT, 24, printable(f"{report.town} · {report.title} · {report.on.isoformat()}")[:110])
        canvas.drawRightString(letter[0] - _MARGIN_PT, 24, f"Page {canvas.getPageNumber()}")

    document.build(flow, onFirstPage=foot, onLaterPages=foot)
    return stream.getvalue()


def _refuse_unprintable(report: StaffReport) -> None:
    texts = [report.town, report.title, report.premises, report.headline, *report.questions, *report.warnings, *report.sources]
    texts += [text for pair in report.facts for text in pair]
    bad = sorted({letter for text in texts for letter in unprintable(text)})
    if bad:
        signs = ", ".join(f"U+{ord(letter):04X}" for letter in bad)
        raise OutputError(
            Fault(
                what=f"the staff report has letters that the font cannot print: {signs}",
                remedy="write them in Latin letters in the event file",
            )
        )


def _style(size: float, **more: Any) -> Any:  # noqa: ANN401  # reportlab ships no types
    from reportlab.lib.styles import ParagraphStyle

    unprintable("")  # loads the font and makes it known to reportlab
    return ParagraphStyle("body", fontName=FONT, fontSize=size, leading=size * 1.22, **more)


def _text(words: str, size: float = 8, **more: Any) -> Any:  # noqa: ANN401  # reportlab ships no types
    from reportlab.platypus import Paragraph

    return Paragraph(escape(printable(words)), _style(size, **more))


def _heading(words: str) -> Any:  # noqa: ANN401  # reportlab ships no types
    from reportlab.lib.colors import HexColor

    return _text(words, 10, spaceBefore=7, spaceAfter=3, textColor=HexColor("#1f4e79"), keepWithNext=1)


def _head(report: StaffReport) -> list[Any]:
    from reportlab.lib.colors import HexColor

    return [
        _text(report.town, 9, textColor=HexColor("#555555")),
        _text(f"Staff report: {report.title}", 15, spaceBefore=3, spaceAfter=4),
        _text(f"Premises {report.premises}. {report.ordinance}. As of {report.on.isoformat()}."),
        _text(
            report.headline, 10.5, spaceBefore=6, spaceAfter=4, borderColor=HexColor("#1f4e79"), borderWidth=1, borderPadding=5
        ),
    ]


def _findings(report: StaffReport) -> list[Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table, TableStyle

    flow: list[Any] = []
    if report.questions:
        flow.append(_heading("To be answered first"))
        flow += [_text(f"• {question}", 7.5) for question in report.questions]
    for title, findings in report.groups.items():
        told = [finding for finding in findings if finding.status in _SIGNS]
        reminders = [finding for finding in findings if finding.status not in _SIGNS]
        flow.append(_heading(title))
        if told:
            rows = [[_text(_SIGNS[one.status], 7.5), _finding(report, one)] for one in told]
            table = Table(
                rows,
                colWidths=[66, 466],
                style=TableStyle(
                    [
                        ("VALIGN", (0, 0), (-1, -1), "TOP"),
                        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
                        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
                        ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#cccccc")),
                    ]
                ),
            )
            flow.append(table)
        if reminders:
            listed = "; ".join(f"{one.title or one.text} ({_section(one.citation, report.chapter)})" for one in reminders)
            flow.append(_text(f"Remember: {listed}.", 7, spaceBefore=2, textColor=HexColor("#333333")))
    return flow


def _finding(report: StaffReport, one: Finding) -> Any:  # noqa: ANN401  # reportlab ships no types
    change = f" Would change it: {one.change}." if one.change and one.status != "met" else ""
    return _text(
        f"{one.title}: {one.text}{change} ({_section(one.citation, report.chapter)}; {one.rule})"
        if one.title
        else f"{one.text} ({one.rule})",
        7.5,
    )


def _section(citation: str, chapter: str) -> str:
    """Give the section alone: the chapter stands on top, and the clause's words are on the screen and in the profile."""
    return citation.partition(": “")[0].removeprefix(chapter).lstrip(", ") or citation


def _bound(one: Deadline) -> str:
    return "last lawful day" if one.bound == "latest" else "not before"


def _place(report: StaffReport) -> list[Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table, TableStyle

    flow: list[Any] = [_text(f"The premises: {report.premises}", 12, spaceAfter=4)]
    if report.map is not None:
        flow.append(report_map(report.map, width_pt=_MAP_PT[0], height_pt=_MAP_PT[1]))
    style = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#dddddd")),
        ]
    )
    if report.facts:
        flow.append(_heading("What the layers know"))
        flow.append(
            Table([[_text(name, 7.5), _text(value, 7.5)] for name, value in report.facts], colWidths=[120, 412], style=style)
        )
    if report.deadlines:
        flow.append(_heading("By when"))
        rows = [
            [
                _text(one.suggested.isoformat(), 7.5),
                _text(f"{one.what} ({_bound(one)} {one.last_day.isoformat()}; {_section(one.citation, report.chapter)})", 7.5),
            ]
            for one in report.deadlines
        ]
        flow.append(Table(rows, colWidths=[64, 468], style=style))
    if report.warnings:
        flow.append(_heading("Look at these"))
        flow += [_text(f"! {warning}", 7.5) for warning in report.warnings]
    if report.sources:
        flow.append(_heading("Sources"))
        flow.append(_text("; ".join(report.sources), 7))
    return flow
