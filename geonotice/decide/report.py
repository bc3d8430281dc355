"""The outcome of a check as a person reads it: plain text, grouped by question."""

from collections.abc import Iterable
from datetime import date
from textwrap import fill

from geonotice.decide.check import CheckResult, grouped
from geonotice.decide.deadlines import Deadline
from geonotice.decide.headline import headline
from geonotice.model import Finding, ResultWarning

__all__ = ["deadlines_to_json", "render_check", "render_deadlines"]

WIDTH = 100

SIGNS = {"met": "met", "not_met": "NOT MET", "decide": "TO DECIDE", "remind": "remember"}


def render_check(result: CheckResult, *, width: int = WIDTH, not_applicable: bool = True) -> str:
    """Print a check: the outcome, what to answer, the findings by group, what does not apply, the warnings.

    Parameters
    ----------
    width
        Columns to fill.
    not_applicable
        Whether the rules that do not apply are listed, each reason once.
    """
    lines = fill(headline(result).text, width).splitlines()
    if result.missing:
        lines += ["", "To be answered:", *_items(result.missing, width)]
    for title, findings in grouped(result).items():
        lines += ["", title, "-" * len(title)]
        # What is not met comes first, what is only to be remembered last.
        for status in ("not_met", "decide", "met", "remind"):
            lines += [line for item in findings if item.status == status for line in _finding(item, width)]
    if not_applicable and result.not_applicable:
        lines += ["", "Does not apply", "--------------"]
        by_reason: dict[str, list[str]] = {}
        for aside in result.not_applicable:
            by_reason.setdefault(aside.why, []).append(aside.rule)
        lines += _items((f"{why}: {', '.join(rules)}" for why, rules in by_reason.items()), width)
    if result.warnings:
        lines += ["", "Note", "----", *_items((item.text for item in result.warnings), width)]
    return "\n".join(lines) + "\n"


def deadlines_to_json(found: Iterable[Deadline], warnings: Iterable[ResultWarning] = ()) -> dict[str, object]:
    """Return deadlines in the form of ``deadlines --json``; ``warnings`` are what is to be said of the law they come from."""
    return {
        "deadlines": [
            {
                "rule": item.rule,
                "key": item.key,
                "what": item.what,
                "bound": item.bound,
                "last_day": item.last_day.isoformat(),
                "suggested": item.suggested.isoformat(),
                "reckoning": item.reckoning,
                "citation": item.citation,
            }
            for item in found
        ],
        "warnings": [item.to_json() for item in warnings],
    }


def render_deadlines(
    found: Iterable[Deadline], warnings: Iterable[ResultWarning] = (), *, on: date | None = None, width: int = WIDTH
) -> str:
    """Print deadlines in the order of their days, then what is to be said of the law they come from.

    Parameters
    ----------
    on
        The date that is taken as today: what was due before it is marked as past.
    width
        Columns to fill.
    """
    lines: list[str] = []
    for item in found:
        bound = "Not before" if item.bound == "earliest" else "By"
        past = "PAST: " if on and item.bound == "latest" and max(item.last_day, item.suggested) < on else ""
        lines += fill(f"{past}{bound} {item.day_in_words}: {item.what}", width, subsequent_indent="    ").splitlines()
        for text in (item.reckoning, f"{item.rule}, {item.citation}"):
            lines += fill(text, width, initial_indent="    ", subsequent_indent="    ").splitlines()
        lines.append("")
    lines = lines or ["No rule of this ordinance is dated from what was given.", ""]
    said = _items((item.text for item in warnings), width)
    lines += ["Note", "----", *said, ""] if said else []
    return "\n".join(lines)


def _finding(item: Finding, width: int) -> list[str]:
    place = item.citation.partition(": “")[0]
    lines = fill(f"[{SIGNS[item.status]}] {item.title}", width).splitlines()
    lines += fill(item.text, width, initial_indent="    ", subsequent_indent="    ").splitlines()
    more = [f"measure: {item.measure}"] if item.measure and item.status != "remind" else []
    more += [f"would change it: {item.change}"] if item.change else []
    more += [f"{item.rule}, {place}"]
    lines += [line for text in more for line in fill(text, width, initial_indent="    ", subsequent_indent="      ").splitlines()]
    return lines


def _items(texts: Iterable[str], width: int) -> list[str]:
    return [line for text in texts for line in fill(text, width, initial_indent="  - ", subsequent_indent="    ").splitlines()]
