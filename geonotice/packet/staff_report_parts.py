"""The parts of the staff report, each as paragraphs and tables that reportlab sets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from geonotice.config.questions import parted
from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.decide.deadlines import CAREFUL
from geonotice.packet.pdf_text import FONT, stood_in, unprintable
from geonotice.packet.printed_map import report_map

if TYPE_CHECKING:
    from geonotice.decide.deadlines import Deadline
    from geonotice.model import Finding
    from geonotice.packet.staff_report import StaffReport

__all__ = ["decision_part", "findings_part", "head_part", "law_part", "place_part"]

_BLUE, _GREY, _RED, _RULE = "#1f4e79", "#555555", "#9b1c1c", "#cccccc"

_TYPE_PT, _SMALL_PT = 8.5, 8.0
"""What is acted on, and what is looked up."""

_BELOW_HEADING_PT = 44.0
"""A heading and two lines."""

_LONGEST_CELL = 1500
"""Letters of a cell of the adjoining owners that a page holds."""

_MAP_PT = 330.0
"""Height of the map."""

_WIDTH_PT = 532.0
_INDENT_PT = 12.0
_SIGNING_PT = 14.0
"""Room above a line to be signed."""


def head_part(report: "StaffReport") -> list[Any]:
    """Set the head: town, title, as of when, the outcome in a sentence, and what is proposed."""
    from reportlab.lib.colors import HexColor

    boxed = {"borderColor": HexColor(_BLUE), "borderWidth": 1, "borderPadding": 5}
    as_of = " ".join(part for part in (f"As of {calendar_day(report.on)}.", f"{report.roll}." if report.roll else "") if part)
    flow = [
        _text(" · ".join(part for part in (report.town, report.office) if part), 9, textColor=HexColor(_GREY)),
        _text(f"Staff report: {report.title}", 15, spaceBefore=3, spaceAfter=4),
        _text(f"{report.site_word} {report.premises}. {report.ordinance}. {as_of}", _SMALL_PT),
        _text(report.headline, 10.5, spaceBefore=8, spaceAfter=10, leftIndent=6, rightIndent=6, **boxed),
    ]
    if report.proposed:
        # A value of many lines is a row each: a table breaks between its rows only.
        rows = [
            (name if n == 0 else "", line) for name, value in report.proposed for n, line in enumerate(value.splitlines() or [""])
        ]
        flow += [*_heading("What is proposed"), _pairs(rows, 110)]
    return flow


def decision_part(report: "StaffReport") -> list[Any]:
    """Set what must happen next, in the order of its dates, and what must be answered."""
    flow: list[Any] = []
    late = [one for one in report.next_steps if one.state(report.on) == "past"]
    rows = [("MISSED", _step(one, f"The last lawful day was {_day(one.last_lawful_day)}.")) for one in late]
    rows += [_dated(one, report.on) for one in report.next_steps if one not in late]
    by_day: dict[str, list[str]] = {}
    for later in report.undated:
        by_day.setdefault(later.counted_from, []).append(later.what)
    rows += [
        ("No date yet", f"{one[:1].upper()}{one[1:]}: {counted_from} is not stated.")
        for counted_from, one in ((day, "; ".join(dict.fromkeys(whats))) for day, whats in by_day.items())
    ]
    if rows:
        flow += [*_heading("What must happen next"), _pairs(rows, 130)]
    answered, looked_up = parted(report.questions)
    for title, questions in (("To be answered first", answered), ("To be looked up", looked_up)):
        if questions:
            flow += [*_heading(title), *(_text(f"• {question}", _TYPE_PT) for question in questions)]
    return flow


def _dated(one: "Deadline", on: date) -> tuple[str, str]:
    if one.bound == "earliest":
        return f"Not before {_day(one.last_day)}", _step(one, "")
    known = f"{said[:1].upper()}{said[1:]}." if (said := one.standing(on)) else ""
    if (state := one.state(on)) != "open":
        return state.upper(), _step(one, f"{known} The last lawful day was {_day(one.last_lawful_day)}.")
    last = "" if one.suggested == one.last_lawful_day else f"The last lawful day is {_day(one.last_lawful_day)}."
    last = one.other_day if one.suggested > one.last_day else last
    return f"By {_day(one.suggested)}", _step(one, " ".join(part for part in (known, last) if part))


def _step(one: "Deadline", more: str) -> str:
    by = {"applicant": " (the applicant)", "town": " (the Town)"}.get(one.given_by, "")
    clause = f" [{one.section}]" if one.section else ""
    what = f"{one.what[:1].upper()}{one.what[1:]}"
    return f"{what}{by}{clause}.{f' {more}' if more else ''}"


def findings_part(report: "StaffReport") -> list[Any]:
    """Set what is not met and what an official decides, each with the clause's words; the warnings; and the lines to be signed."""
    from reportlab.lib.colors import HexColor

    flow: list[Any] = []
    for status, title, sign in (
        ("not_met", "Requirements that are not met", "✗ NOT MET"),
        ("decide", "To decide", "? TO DECIDE"),
    ):
        found = [one for one in report.findings if one.status == status]
        beside = report.open_questions if status == "decide" else ()
        if found or beside:
            flow += _heading(title)
            flow += [_text(f"{sign}  {text}", _TYPE_PT, textColor=HexColor(_BLUE), spaceBefore=3) for text in beside]
            flow += [part for one in found for part in _finding(one, sign)]
    if report.warnings:
        flow += _heading("Look at these")
        flow += [_text(f"! {warning}", _TYPE_PT, spaceAfter=1.5) for warning in report.warnings]
    if report.sign_offs:
        flow += _signing(report)
    return flow


def _finding(one: "Finding", sign: str) -> list[Any]:
    """Set a finding: its name with its clause, what was found, what would change it, and the law's own words."""
    from reportlab.lib.colors import HexColor

    clause = f" [{one.section}]" if one.section else ""
    color = HexColor(_RED if one.status == "not_met" else _BLUE)
    flow = [
        _text(f"{sign}  {one.title or one.rule}{clause}", _TYPE_PT, textColor=color, spaceBefore=3, keepWithNext=1),
        _text(one.text, _TYPE_PT, leftIndent=_INDENT_PT),
    ]
    if one.change:
        flow.append(_text(f"Would change it: {one.change}.", _TYPE_PT, leftIndent=_INDENT_PT))
    words = one.citation.partition(": “")[2].removesuffix("”")
    said = f"The law: “{words}”" if words else "The law's own words are not in the profile: read the clause."
    flow.append(_text(f"{said} ({one.rule})", _SMALL_PT, leftIndent=_INDENT_PT, textColor=HexColor(_GREY)))
    return flow


def _signing(report: "StaffReport") -> list[Any]:
    """Set a line for each official who reviews or approves in writing: name, signature, date."""
    from reportlab.platypus import KeepTogether

    rows = [
        [_text(f"{one.by}: {one.what}{f' [{section}]' if section else ''}", _TYPE_PT), _text("Signature", 7), _text("Date", 7)]
        for one, section in report.sign_offs
    ]
    table = _table(rows, [270, 182, 80], above_pt=_SIGNING_PT, lines="#333333")
    return [KeepTogether([*_heading("To be signed"), table])]


def place_part(report: "StaffReport", *, width_pt: float) -> list[Any]:
    """Set the premises: the map with its key, what the layers know, and who owns the lots beside them."""
    from reportlab.platypus import KeepTogether

    flow: list[Any] = []
    if report.map is not None:
        title = _text(f"The {report.site_word.lower()}: {report.premises}", 11, spaceBefore=6, spaceAfter=4)
        flow.append(KeepTogether([title, *_map(report, width_pt)]))
    if report.facts:
        flow += [*_heading("What the layers know"), _pairs(report.facts, 120, size=_SMALL_PT)]
    if report.neighbours:
        asked = f" [{report.schedule}]" if report.schedule else ""
        head = [_text(name, _SMALL_PT) for name in ("Parcel", "Owner of record", "Mailing address")]
        rows = [
            [
                _text(f"{one.parcel}{f', {one.situs}' if one.situs else ''}", _SMALL_PT),
                _text(one.owner, _SMALL_PT),
                _text(one.address or "no address on the roll", _SMALL_PT),
            ]
            for one in report.neighbours
        ]
        fits = all(len(text) <= _LONGEST_CELL for one in report.neighbours for text in (one.situs, one.owner, one.address))
        flow += [*_heading(f"Adjoining owners{asked}"), _table([head, *rows], [172, 180, 180], head=fits)]
    return flow


def _map(report: "StaffReport", width_pt: float) -> list[Any]:
    if report.map is None:
        return []
    drawn = report_map(report.map, width_pt=width_pt, height_pt=_MAP_PT)
    said = []
    if drawn.key:
        said.append("On the map: " + "; ".join(f"{number} is {name}" for number, name in drawn.key) + ".")
    if drawn.left_out:
        said.append(f"Not named on the map for want of room: {'; '.join(dict.fromkeys(drawn.left_out))}.")
    said += report.map.remarks
    return [drawn.drawing, *(_text(words, _SMALL_PT) for words in said)]


def law_part(report: "StaffReport") -> list[Any]:
    """Set what is looked up: every date with its computation, what is to be remembered, what is met, what does not apply, the sources."""
    flow: list[Any] = []
    if report.deadlines:
        said = "Counted without the day that a period is counted from (§\u00a020). Sections marked § are those of the General Construction Law."
        rows = [(one.suggested.isoformat(), _date(one, report.on)) for one in report.deadlines]
        flow += [*_heading("By when"), _text(said, _SMALL_PT), _pairs(rows, 58, size=_SMALL_PT)]
    flow += _reminders(report)
    met = [one for one in report.findings if one.status == "met"]
    if met:
        flow += [*_heading("Met, or not in the way"), *(_text(_met(one), _SMALL_PT) for one in met)]
    if report.not_applicable:
        reasons: dict[str, list[str]] = {}
        for aside in report.not_applicable:
            reasons.setdefault(aside.why, []).append(aside.rule)
        told = "; ".join(f"{why}: {', '.join(rules)}" for why, rules in reasons.items())
        flow += [*_heading("Does not apply"), _text(f"{told[:1].upper()}{told[1:]}.", _SMALL_PT)]
    if report.sources:
        flow += [*_heading("Sources"), *(_text(source, _SMALL_PT) for source in report.sources)]
    return flow


def _reminders(report: "StaffReport") -> list[Any]:
    """List the reminders under their questions; what holds only on a condition stands apart, under it."""
    by_condition: dict[str, dict[str, list[str]]] = {}
    for one in report.findings:
        if one.status == "remind":
            condition, found = _own_words(one, report.standing)
            words = f"{one.title or one.text}{f' [{one.section}]' if one.section else ''}{f': {found}' if found else ''}".rstrip(
                "."
            )
            by_condition.setdefault(condition, {}).setdefault(one.group, []).append(words)
    flow: list[Any] = []
    for condition, by_group in by_condition.items():
        flow += _heading(f"To remember{f', {condition[:1].lower()}{condition[1:]}' if condition else ''}")
        for group, title in report.groups.items():
            if group in by_group:
                flow.append(_text(f"{title}: {'; '.join(by_group[group])}.", _SMALL_PT))
    return flow


def _met(one: "Finding") -> str:
    place = f" ({one.section}; {one.rule})" if one.section else f" ({one.rule})"
    return f"✓ {one.title}{': ' if one.title else ''}{one.text}{place}"


def _own_words(one: "Finding", standing: Mapping[str, str]) -> tuple[str, str]:
    """Return the condition a reminder holds on, and what it says beyond the rule's own words: what was found here."""
    before, _, after = one.text.partition(standing.get(one.rule) or "\0")
    if not after and before == one.text:
        return "", one.text
    before, after = before.strip(), after.strip()
    if before.startswith("If ") and before.endswith(":"):
        return before.rstrip(":").replace(": If", ", if"), after
    return "", f"{before} {after}".strip()


def _date(one: "Deadline", on: date) -> str:
    bound = "last lawful day" if one.bound == "latest" else "not before"
    clause = f"; {one.section}" if one.section else ""
    known = f"; {one.standing(on)}" if one.done_on else ""
    careful = f". {CAREFUL}" if one.suggested > one.last_day else ""
    return f"{one.what} ({bound} {one.last_lawful_day.isoformat()}{clause}{known}): {one.brief or one.reckoning}{careful}"


def _day(day: date) -> str:
    return f"{day:%a}, {calendar_day(day)}"


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


def _pairs(rows: Iterable[tuple[str, str]], first_pt: float, *, size: float = _TYPE_PT) -> Any:  # noqa: ANN401  # as above
    """Set names and values in two columns."""
    return _table([[_text(name, size), _text(value, size)] for name, value in rows], [first_pt, _WIDTH_PT - first_pt])


def _table(
    rows: Sequence[Sequence[Any]],
    widths: Iterable[float],
    *,
    lines: str = _RULE,
    above_pt: float = 1.0,
    head: bool = False,
) -> Any:  # noqa: ANN401  # as above
    """Set a table; a row that a page does not hold is broken, and a ``head`` stands again on each page."""
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table, TableStyle

    style = [
        ("VALIGN", (0, 0), (-1, -1), "TOP" if above_pt == 1 else "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), above_pt),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
        ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor(lines)),
    ]
    return Table(
        rows,
        colWidths=list(widths),
        style=TableStyle(style),
        hAlign="LEFT",
        repeatRows=1 if head else 0,
        # Where a row is broken reportlab sets the head once more above it: only what a page may not hold is broken there.
        splitInRow=0 if head else 1,
    )
