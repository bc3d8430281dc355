"""The outcome of a check in one sentence, which follows the worst that was found, and as a person reads it."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from textwrap import fill
from typing import Literal

from msgspec import Struct

from geonotice.decide.check import CheckResult, grouped
from geonotice.decide.dated_duties import TOO_LATE_UNLESS_GIVEN
from geonotice.decide.deadlines import Deadline
from geonotice.model import Finding, ResultWarning

__all__ = [
    "ANSWERS_RULE",
    "LAND_RULE",
    "Against",
    "Headline",
    "against",
    "deadlines_to_json",
    "headline",
    "headline_of",
    "land_against",
    "named",
    "render_check",
    "render_deadlines",
]


LAND_RULE = "land"
"""What stands for a rule where the land or the drawing is in question: no clause of the town's law, but whether that law reaches it."""

ANSWERS_RULE = "answers"
"""What stands for a rule where answers contradict each other, and what they leave open could not forbid the event by itself."""

PERMIT_RULE = "permit_needed"
PROFILE_RULE = "profile"

_OF_LAND = frozenset({"outside_town", "in_village", "partly_in_village", "layout_outside", "route_outside"})
_OF_ROLE = frozenset({"on_right_of_way", "on_railroad", "on_water"})
"""Warnings that an official must decide on before anything is held there; those of a parcel's role do not reach a parade, which is on streets."""

_FIRST_CLAUSE = re.compile(r": |(?<!St)(?<!Mt)\. (?=[A-Z])|, which ")
_TOO_LATE = "notice can no longer be given in time, unless it was given: "

ANSWERS_CONFLICT = "answers_conflict"
"""The code of a contradiction: of the warning that names it, and of the findings that it touches."""

_NAMED = 4
"""Most requirements named in the sentence; the others are counted."""


class Against(Struct, frozen=True):
    """One thing that stands against an event: a rule's id, or what stands for one; whether it forbids it or must be decided; in few words."""

    rule: str
    status: Literal["not_met", "decide"]
    text: str


class Headline(Struct, frozen=True):
    """The outcome: ``not_met`` where it may not be, ``decide`` where an official must decide something, ``met`` where no conflict was found."""

    status: Literal["met", "decide", "not_met"]
    text: str


def against(result: "CheckResult") -> tuple[Against, ...]:
    """Return what stands against an event, what forbids it first."""
    found = [
        Against(one.rule, "not_met" if one.status == "not_met" else "decide", _in_brief(one.title or one.rule, one.review))
        for one in result.findings
        if one.rule in result.against
    ]
    if result.permit_required is None:
        found.insert(0, Against(PERMIT_RULE, "decide", "whether a permit is needed"))
    found += land_against(result.warnings, parade=result.parade)
    found += _answers_against(result)
    if not found and result.allowed is None:
        found.append(Against(PROFILE_RULE, "decide", "the profile holds only some of the law's rules"))
    return tuple(sorted(found, key=lambda one: one.status != "not_met"))


def land_against(warnings: Iterable[ResultWarning], *, parade: bool = False) -> tuple[Against, ...]:
    """Return what the warnings say against the land: in another town, in a village, on a road or a railroad, or drawn beside the premises."""
    codes = _OF_LAND if parade else _OF_LAND | _OF_ROLE
    texts = dict.fromkeys(_brief(one.text) for one in warnings if one.code in codes)
    return tuple(Against(LAND_RULE, "decide", text) for text in texts)


def _answers_against(result: "CheckResult") -> tuple[Against, ...]:
    """Return the contradictions that leave a finding open without forbidding the event: what is contradicted is not approved unseen."""
    left = [one.text for one in _open_beside(result) if ANSWERS_CONFLICT in one.review]
    found = [one.text for one in result.warnings if one.code == ANSWERS_CONFLICT and any(one.text in text for text in left)]
    return tuple(Against(ANSWERS_RULE, "decide", _brief(text)) for text in dict.fromkeys(found))


def _open_beside(result: "CheckResult") -> list[Finding]:
    """Return the findings that are to be decided and could not forbid the event."""
    return [one for one in result.findings if one.status == "decide" and one.rule not in result.against]


def headline(result: "CheckResult") -> Headline:
    """Return the outcome in a sentence."""
    return headline_of(result, against(result))


def headline_of(result: "CheckResult", found: Sequence[Against]) -> Headline:
    """Return the outcome in a sentence, where ``found`` is what stands against the event, by the check and by what was counted beside it."""
    broken = [one.text for one in found if one.status == "not_met"]
    open_ = _together([one.text for one in found if one.status == "decide"])
    free = result.permit_required is False
    end = _discretion(result)
    if broken:
        lead = "No permit is needed, but the event may not be held" if free else "May not be issued"
        also = f" It also needs an official's decision: {named(open_)}." if open_ else ""
        count = f"{len(broken)} requirement{' is' if len(broken) == 1 else 's are'} not met"
        return Headline("not_met", f"{lead}: {count} ({named(broken)}).{also}")
    if open_:
        town_law = f" The town's law asks for no permit: {result.why_no_permit}." if free and result.why_no_permit else ""
        asked = len(result.missing)
        answers = f" {asked} answer{' is' if asked == 1 else 's are'} missing." if asked else ""
        return Headline("decide", f"Needs an official's decision: {named(open_)}.{answers}{town_law}{end}")
    beside = [one.title or one.rule for one in _open_beside(result)]
    still = f" Still open, though it could not forbid the event: {named(beside)}." if beside else ""
    if free:
        why = f": {result.why_no_permit}" if result.why_no_permit else ""
        return Headline("met", f"No permit is needed{why}. No conflict found.{still}")
    return Headline("met", f"No conflict found in what was counted, measured and answered. A permit is needed.{still}{end}")


def _discretion(result: "CheckResult") -> str:
    """Return that the permit stays discretionary, where the law says so."""
    return (
        " The permit stays at the officials' discretion." if any(one.code == "discretionary" for one in result.warnings) else ""
    )


def _together(texts: Sequence[str]) -> list[str]:
    """State once that notice can no longer be given in time, and of which notices."""
    late = [text.removeprefix(_TOO_LATE) for text in texts if text.startswith(_TOO_LATE)]
    others = [text for text in texts if not text.startswith(_TOO_LATE)]
    return [f"{_TOO_LATE}{', '.join(late)}", *others] if late else others


def named(texts: Sequence[str]) -> str:
    """Join the first few, and count the others."""
    more = len(texts) - _NAMED
    return "; ".join([*texts[:_NAMED], *([f"and {more} more"] if more > 0 else [])])


def _in_brief(title: str, review: Sequence[str]) -> str:
    if TOO_LATE_UNLESS_GIVEN in review:
        return f"{_TOO_LATE}{title}"
    return title


def _brief(text: str) -> str:
    """Return the first clause of a warning, as a part of a sentence.

    Examples
    --------
    >>> _brief("The premises lie in the Village of St. Clair. A town's chapter may not reach it.")
    'the premises lie in the Village of St. Clair'
    """
    first = _FIRST_CLAUSE.split(text)[0].rstrip(".")
    return f"{first[:1].lower()}{first[1:]}"


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
