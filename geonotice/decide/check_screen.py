"""A check on the terminal: one screen that a person acts on, or all of it."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import fill

from geonotice.config.questions import parted
from geonotice.decide.check import CheckResult, grouped
from geonotice.decide.deadlines import Deadline, next_steps
from geonotice.decide.headline import WIDTH, headline, items, land_against, of_another_permit, questions_beside
from geonotice.decide.scope import NOT_SETTLED
from geonotice.model import Finding, ResultWarning

__all__ = ["SCREEN_LINES", "render_check", "render_summary", "worth_a_look"]

SCREEN_LINES = 40
"""The lines of a screen: a summary that is longer says less of each item, and then names fewer of what matters least."""

_ONLY_TO_BE_KNOWN = frozenset({"discretionary", "reading", "text_gap"})
"""Warnings that no one need act on; the headline tells of discretion."""

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
    answered, looked_up = parted(result.missing)
    for title, asked in (("To be answered:", answered), ("To be looked up:", looked_up)):
        if asked:
            lines += ["", title, *items(asked, width)]
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
        lines += items((f"{why}: {', '.join(rules)}" for why, rules in by_reason.items()), width)
    if result.warnings:
        lines += ["", "Note", "----", *items((item.text for item in result.warnings), width)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Room:
    """How much a summary says: whether the first sentence of a finding stands beside its title, and how many of each sort are named."""

    sentences: bool
    decided: int
    questions: int
    steps: int
    warnings: int


_ROOMS = (
    _Room(sentences=True, decided=12, questions=10, steps=8, warnings=4),
    _Room(sentences=True, decided=8, questions=5, steps=6, warnings=3),
    _Room(sentences=False, decided=10, questions=5, steps=6, warnings=2),
    _Room(sentences=False, decided=10, questions=3, steps=4, warnings=1),
    _Room(sentences=False, decided=8, questions=2, steps=3, warnings=1),
    _Room(sentences=False, decided=5, questions=2, steps=3, warnings=1),
    _Room(sentences=False, decided=3, questions=2, steps=2, warnings=1),
    _Room(sentences=False, decided=2, questions=1, steps=2, warnings=1),
    _Room(sentences=False, decided=1, questions=1, steps=1, warnings=1),
)
"""From the most that is said to the least; every requirement that is not met is named always."""


def render_summary(result: CheckResult, *, width: int = WIDTH, lines: int = SCREEN_LINES) -> str:
    """Print a check on one screen: the outcome, what is not met, what must be decided and answered, what happens next, how much is met.

    Parameters
    ----------
    width, lines
        Columns to fill, and how many lines there are room for.
    """
    made: list[str] = []
    for room in _ROOMS:
        made = list(_summary(result, room, width))
        if len(made) <= lines:
            break
    return "\n".join(made) + "\n"


def _summary(result: CheckResult, room: _Room, width: int) -> Iterator[str]:
    yield from fill(headline(result).short, width).splitlines()
    yield from fill(result.proposed, width).splitlines()
    refused = [one for one in result.findings if one.status == "not_met"]
    yield from _part("Not met", [_in_brief(one, room) for one in refused], len(refused), width)
    open_ = [one for one in result.findings if one.status == "decide"]
    decided = questions_beside(result)
    # what leaves it open whether a permit is required: the question by itself would not say what to find out
    turning = [one for one in open_ if result.permit_required is None and one.group == "permit" and not of_another_permit(one)]
    said = {_first_sentence(one.text): one for one in reversed(turning) if NOT_SETTLED.casefold() not in one.text.casefold()}
    told = [_in_brief(one, _ROOMS[0]) for one in reversed(said.values())]
    decided[1:1] = told
    open_ = [one for one in open_ if one not in turning]
    decided += [_in_brief(one, room, said) for one in open_ if one.rule in result.against or of_another_permit(one)]
    yield from _part("To decide", decided, room.decided + len(told), width)
    harmless = [_in_brief(one, room, said) for one in open_ if one.rule not in result.against and not of_another_permit(one)]
    yield from _part("Still open, though it could not forbid the event", harmless, room.questions, width)
    answered, looked_up = parted(result.missing)
    yield from _part("To be answered in the event file", answered, room.questions, width)
    yield from _part("To be looked up", looked_up, room.questions, width)
    yield from _part("What happens next", [*_steps(result)], room.steps, width)
    warnings = [one.text for one in worth_a_look(result)]
    yield from _part("Look at these", warnings, room.warnings, width)
    yield ""
    yield from fill(_counts(result), width).splitlines()
    yield from fill("All of it, with the law's sections: --full. For the board: --pdf FILE.", width).splitlines()


def worth_a_look(result: CheckResult) -> list[ResultWarning]:
    """Return the warnings that a person may have to act on, but for those on the land, which are to be decided."""
    told = {one.text for one in land_against(result.warnings, parade=result.parade)}
    return [
        one
        for one in result.warnings
        if one.code not in _ONLY_TO_BE_KNOWN and not any(text in f"{one.text[:1].lower()}{one.text[1:]}" for text in told)
    ]


def _part(title: str, texts: Sequence[str], most: int, width: int) -> list[str]:
    """Set a part of the summary, and count what it does not name; nothing where there is nothing to say."""
    if not texts:
        return []
    more = len(texts) - most
    named = [*texts[:most], *([f"and {more} more: --full"] if more > 0 else [])]
    return ["", title, *items(named, width)]


def _in_brief(one: Finding, room: _Room, said: Container[str] = ()) -> str:
    """Name a finding, with its first sentence where there is room and it has not been said above."""
    name = f"{one.title or one.rule} [{one.section}]" if one.section else one.title or one.rule
    sentence = _first_sentence(one.text)
    return f"{name}: {sentence}" if room.sentences and sentence not in said else name


def _first_sentence(text: str) -> str:
    """Return the first sentence of a finding; a full stop within a number or a name ends none.

    Examples
    --------
    >>> _first_sentence("1,001 persons need 251 spaces; 250 are stated. This condition can be waived.")
    '1,001 persons need 251 spaces; 250 are stated.'
    """
    head, stop, rest = text.partition(". ")
    while stop and (len(head.rpartition(" ")[2]) <= _ABBREVIATED or not rest[:1].isupper()):
        more, stop, rest = rest.partition(". ")
        head = f"{head}. {more}"
    return f"{head}." if stop else text


_ABBREVIATED = 2
"""Letters of the longest abbreviation that a full stop may stand after (St. Clair)."""


def _steps(result: CheckResult) -> Iterator[str]:
    """Return what must happen next, the missed first, then by date, then what cannot be dated yet."""
    steps = next_steps(result)
    yield from (f"MISSED, {_day(one.last_lawful_day)}: {_step(one)}" for one in steps if one.state(result.on) == "past")
    for one in steps:
        state = one.state(result.on)
        if state == "past":
            continue
        if one.bound == "earliest":
            yield f"Not before {_day(one.last_day)}: {_step(one)}"
        elif state != "open":
            yield f"{state.upper()}, {_day(one.last_lawful_day)}: {_step(one)}: {one.standing(result.on)}"
        else:
            known = f": {one.standing(result.on)}" if one.done_on else ""
            yield f"By {_day(one.suggested)}: {_step(one)}{known}{_last_day(one)}"
    by_day: dict[str, list[str]] = {}
    for late in result.undated:
        by_day.setdefault(late.counted_from, []).append(late.what)
    for counted_from, whats in by_day.items():
        yield f"No date yet, for {counted_from} is not stated: {'; '.join(dict.fromkeys(whats))}"


def _last_day(one: Deadline) -> str:
    """Return the other day that a reader must know, in parentheses: the last lawful day, or the careful one where the law carries it past a weekend."""
    if one.suggested > one.last_day:
        return f" ({one.other_day})"
    return "" if one.suggested == one.last_lawful_day else f" (last lawful day: {_day(one.last_lawful_day)})"


def _day(day: date) -> str:
    return f"{day:%a} {day.isoformat()}"


def _step(one: Deadline) -> str:
    return f"{one.what} [{one.section}]" if one.section else one.what


def _counts(result: CheckResult) -> str:
    """Return how many rules are met, only to be remembered, or do not apply."""
    met, remembered = (sum(one.status == status for one in result.findings) for status in ("met", "remind"))
    aside = len(result.not_applicable)
    return (
        f"{met} requirement{' is' if met == 1 else 's are'} met; {remembered} to remember;"
        f" {aside} rule{' does' if aside == 1 else 's do'} not apply."
    )


def _finding(item: Finding, width: int) -> list[str]:
    place = item.citation.partition(": “")[0]
    lines = fill(f"[{SIGNS[item.status]}] {item.title}", width).splitlines()
    lines += fill(item.text, width, initial_indent="    ", subsequent_indent="    ").splitlines()
    more = [f"measure: {item.measure}"] if item.measure and item.status != "remind" else []
    more += [f"would change it: {item.change}"] if item.change else []
    more += [f"{item.rule}, {place}"]
    lines += [line for text in more for line in fill(text, width, initial_indent="    ", subsequent_indent="      ").splitlines()]
    return lines
