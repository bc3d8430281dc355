"""The outcome of a check in one sentence, which follows the worst that was found, and as a person reads it."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from textwrap import fill
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.date_checks import HearingWindow
from geonotice.decide.dated_duties import TOO_LATE_UNLESS_GIVEN
from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of
from geonotice.decide.gatherings import OTHER_AUTHORITY
from geonotice.model import Finding, ResultWarning

if TYPE_CHECKING:
    from geonotice.decide.check import CheckResult
    from geonotice.ordinance.profile import Profile

__all__ = [
    "ANSWERS_RULE",
    "LAND_RULE",
    "Against",
    "Headline",
    "against",
    "amended_too_late",
    "deadlines_to_json",
    "headline",
    "headline_of",
    "items",
    "land_against",
    "named",
    "of_another_permit",
    "questions_beside",
    "questions_of",
    "render_deadlines",
    "why_free",
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
    """One thing that stands against an event: a rule's id, or what stands for one; whether it forbids it or must be decided; in few words.

    ``clause`` is where the rule stands in its chapter, empty where no rule is meant.
    """

    rule: str
    status: Literal["not_met", "decide"]
    text: str
    clause: str = ""


class Headline(Struct, frozen=True):
    """The outcome: ``not_met`` where it may not be, ``decide`` where an official must decide something, ``met`` where no conflict was found.

    ``short`` is the text without the names of the requirements: for a page that lists them below it.
    """

    status: Literal["met", "decide", "not_met"]
    text: str
    short: str = ""


def against(result: "CheckResult") -> tuple[Against, ...]:
    """Return what stands against an event, what forbids it first."""
    found = [
        Against(
            one.rule,
            "not_met" if one.status == "not_met" else "decide",
            _in_brief(one.title or one.rule, one.review),
            one.section,
        )
        for one in result.findings
        if one.rule in result.against
    ]
    if result.permit_required is None:
        found.insert(0, Against(PERMIT_RULE, "decide", "whether a permit is required"))
    found += [
        Against(one.rule, "decide", f"{one.title[:1].lower()}{one.title[1:]} ({one.citation.partition(': “')[0]})")
        for one in result.findings
        if of_another_permit(one)
    ]
    found += land_against(result.warnings, parade=result.parade)
    found += _answers_against(result)
    if not found and result.allowed is None:
        found.append(Against(PROFILE_RULE, "decide", "the profile holds only some of the law's rules"))
    return tuple(sorted(found, key=lambda one: one.status != "not_met"))


def of_another_permit(finding: Finding) -> bool:
    """Return whether a finding says that another authority's permit is asked for: what it asks for in numbers stands beside it."""
    return OTHER_AUTHORITY in finding.review and finding.group == "permit" and finding.status == "decide"


def land_against(warnings: Iterable[ResultWarning], *, parade: bool = False) -> tuple[Against, ...]:
    """Return what the warnings say against the land: in another town, in a village, on a road or a railroad, or drawn beside the premises."""
    codes = _OF_LAND if parade else _OF_LAND | _OF_ROLE
    texts = dict.fromkeys(_brief(one.text) for one in warnings if one.code in codes)
    return tuple(Against(LAND_RULE, "decide", text) for text in texts)


def amended_too_late(profile: "Profile", *, filed: date, first_days: Iterable[date | None]) -> Against | None:
    """Return that a change of a permit is filed later than the law allows; None where it is in time or the law sets no day.

    Parameters
    ----------
    filed
        The day the change was filed.
    first_days
        The first day of the event, as permitted and as amended.
    """
    # LAW: Southampton 283-8: "at least 15 days' prior to the event". A change of the day has two events: the one that is on, and the one that is to
    # be. The officials need the days before whichever comes first: an event of next week is not called off for a later one without notice.
    first = min((day for day in first_days if day), default=None)
    for rule in profile.rules:
        if rule.check != "amendment" or not rule.periods:
            continue
        if first is None:
            return Against(rule.id, "decide", f"{_WHEN_AMENDED} ({rule.citation.section})", rule.citation.section)
        due = deadline_of(rule, rule.periods[0], {"event": first}, appointed=appointed_days(profile))
        if due is not None and filed > due.last_day:
            text = f"the change is filed on {in_words(filed)}, and the last day for it was {in_words(due.last_day)} ({rule.citation.section})"
            return Against(rule.id, "not_met", text, rule.citation.section)
    return None


_WHEN_AMENDED = "whether the change is filed in time is not known, for the first day of the event is not"


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
    broken = [_with_clause(one) for one in found if one.status == "not_met"]
    open_ = [one for one in found if one.status == "decide"]
    free = result.permit_required is False
    if broken:
        lead = "No permit is required, but the event may not be held" if free else "May not be issued"
        count = f"{len(broken)} requirement{' is' if len(broken) == 1 else 's are'} not met"
        questions = questions_of(open_, free=free)
        also = f" An official must also decide {_counted(questions)}" if questions else ""
        names = f"{also}: {named(questions)}." if also else ""
        return Headline("not_met", f"{lead}: {count} ({named(broken)}).{names}", f"{lead}: {count}.{also}{'.' if also else ''}")
    return _undecided(result, open_) if open_ else _without_conflict(result)


def _undecided(result: "CheckResult", open_: Sequence[Against]) -> Headline:
    """Return the outcome where nothing forbids the event and something must be decided."""
    free, needed = result.permit_required is False, result.permit_required is not None
    questions = questions_of([one for one in open_ if needed or one.rule != PERMIT_RULE], free=free)
    asked = len(result.missing)
    missing = f" {asked} answer{' is' if asked == 1 else 's are'} missing." if asked else ""
    end = f"{missing}{_discretion(result)}"
    if not needed:
        lead = "An official must decide first whether a permit is required"
        lead += f"; if it is, {_counted(questions)} must be decided too" if questions else ""
    elif free:
        why = why_free(result)
        lead = f"No permit is required{why}. An official must decide {_counted(questions)} before it is held"
    else:
        lead = f"May be issued once an official decides {_counted(questions)}"
    names = f": {named(questions)}" if questions else ""
    return Headline("decide", f"{lead}{names}.{end}", f"{lead}.{end}")


def _without_conflict(result: "CheckResult") -> Headline:
    """Return the outcome where nothing stands against the event."""
    beside = [_with_clause(Against(one.rule, "decide", one.title or one.rule, one.section)) for one in _open_beside(result)]
    still = f" Still open, though it could not forbid the event: {named(beside)}." if beside else ""
    if result.permit_required is False:
        why = why_free(result)
        lead, end = f"No permit is required{why}. No conflict was found.", ""
    else:
        lead, end = "May be issued: every requirement that could be checked is met.", _discretion(result)
    short = f" {len(beside)} answer{' is' if len(beside) == 1 else 's are'} still open." if beside else ""
    return Headline("met", f"{lead}{still}{end}", f"{lead}{short}{end}")


def why_free(result: "CheckResult") -> str:
    """Return why no permit is required, as the end of a sentence; the paragraph that says so stands behind it, as other clauses do."""
    clause, colon, why = result.why_no_permit.partition("): ")
    if colon and clause.startswith("("):
        return f": {why} [{clause})]"
    return f": {result.why_no_permit}" if result.why_no_permit else ""


def _with_clause(one: Against) -> str:
    """Name a requirement with its clause: titles of several may read alike."""
    return f"{one.text} [{one.clause}]" if one.clause else one.text


def questions_of(open_: Iterable[Against], *, free: bool = False) -> list[str]:
    """Return what an official must decide, each as a part of a sentence; ``free`` where no permit is required."""
    said = {
        LAND_RULE: f"whether {'it may be held there' if free else 'the town may issue it'}, since ",
        ANSWERS_RULE: "which answer is right, since ",
        PROFILE_RULE: "whether the rest of the law allows it, since ",
    }
    return _together([f"{said.get(one.rule, '')}{_with_clause(one)}" for one in open_])


def questions_beside(result: "CheckResult") -> list[str]:
    """Return what an official must decide that no finding asks: whether a permit is required, whether the law reaches the land."""
    ruled = {one.rule for one in result.findings}
    beside = [one for one in against(result) if one.status == "decide" and one.rule not in ruled]
    return [f"{text[:1].upper()}{text[1:]}." for text in questions_of(beside, free=result.permit_required is False)]


def _counted(questions: Sequence[str]) -> str:
    return f"{len(questions)} question{'' if len(questions) == 1 else 's'}"


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


def deadlines_to_json(
    found: Iterable[Deadline],
    warnings: Iterable[ResultWarning] = (),
    *,
    window: HearingWindow | None = None,
    on: date | None = None,
) -> dict[str, object]:
    """Return deadlines in the form of ``deadlines --json``, with the days on which a hearing may be held; ``warnings`` are on the law and the dates."""
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
                "done": item.done(on),
                "done_on": item.done_on and item.done_on.isoformat(),
                "state": item.state(on),
            }
            for item in found
        ],
        "hearing_window": None
        if window is None
        else {"first": window.first.isoformat(), "last": window.last and window.last.isoformat(), "reckoning": window.reckoning},
        "warnings": [item.to_json() for item in warnings],
    }


_MARKS = {"open": "", "met": "MET: ", "late": "LATE: ", "past": "PAST: "}


def render_deadlines(
    found: Iterable[Deadline],
    warnings: Iterable[ResultWarning] = (),
    *,
    window: str = "",
    on: date | None = None,
    width: int = WIDTH,
) -> str:
    """Print deadlines in the order of their days, then what is to be said of the law they come from.

    Parameters
    ----------
    window
        When a hearing may lawfully be held, as a sentence.
    on
        The date that is taken as today: what was due before it is marked as past, what was filed as met or late.
    width
        Columns to fill.
    """
    lines: list[str] = []
    for item in found:
        bound = "Not before" if item.bound == "earliest" else "By"
        known = f" ({item.done(on)})" if item.done_on else ""
        known += f", {item.to_spare}" if item.to_spare else ""
        mark = _MARKS[item.state(on)]
        lines += fill(f"{mark}{bound} {item.day_in_words}: {item.what}{known}", width, subsequent_indent="    ").splitlines()
        for text in (item.reckoning, f"{item.rule}, {item.citation}"):
            lines += fill(text, width, initial_indent="    ", subsequent_indent="    ").splitlines()
        lines.append("")
    lines = lines or ["No rule of this ordinance is dated from what was given.", ""]
    lines += [*fill(window, width).splitlines(), ""] if window else []
    said = items((item.text for item in warnings), width)
    lines += ["Note", "----", *said, ""] if said else []
    return "\n".join(lines)


def items(texts: Iterable[str], width: int) -> list[str]:
    """Set a list, a dash before each."""
    return [line for text in texts for line in fill(text, width, initial_indent="  - ", subsequent_indent="    ").splitlines()]
