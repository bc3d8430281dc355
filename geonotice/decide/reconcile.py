"""One outcome of a rule out of several: what comes out differently under the ways to resolve a contradiction is left to a person.

Where every way says ``not_met``, the rule is not met. Where they differ, the finding is ``decide``, with both values. A rule whose facts
rest on one of the answers is ``decide`` too, and stands in nobody's way where its answer would be the same. So a contradiction never turns ``not_met`` into ``met``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from geonotice.decide.contradictions import Contradiction
from geonotice.decide.facts import Outcome
from geonotice.decide.reach import Reach
from geonotice.ordinance.profile import Rule

__all__ = ["OUT_OF_REACH", "Applied", "agreed_reach", "reconciled"]

Applied = tuple[Reach, tuple[tuple[Rule, Outcome], ...]]
"""How far the law reaches, and what each of its rules makes of the event."""

UNTOUCHED = frozenset({"statement", "waiver"})
"""Checks that only list what is answered and what is not: both answers are."""


OUT_OF_REACH = "out_of_reach"
"""The review code of an outcome that is set aside because the law does not reach the event, and not for what the rule itself asks."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An outcome under one way to resolve a contradiction."""

    contradiction: Contradiction
    outcome: Outcome


def agreed_reach(stated: Reach, readings: Sequence[Reach]) -> Reach:
    """Return how far the law reaches: what the ways to resolve the contradictions differ in is not known."""
    if not readings:
        return stated

    def agreed(name: str) -> bool | None:
        values = {getattr(found, name) for found in (stated, *readings)}
        return values.pop() if len(values) == 1 else None

    required = agreed("permit_required")
    return replace(
        stated,
        in_scope=agreed("in_scope"),
        permit_required=required,
        exempt=agreed("exempt"),
        why_no_permit=stated.why_no_permit if required is False else "",
    )


def reconciled(rule: Rule, stated: Outcome, readings: Sequence[tuple[Contradiction, Outcome]]) -> Outcome:
    """Return the outcome of a rule, given that of the answers as stated and those of the ways to resolve each contradiction."""
    if rule.check in UNTOUCHED:
        return stated
    told = [_Told(contradiction, outcome) for contradiction, outcome in readings if not _same(stated, outcome)]
    # Where the rule does not apply at all, or the board has waived it, nothing of it is open.
    settled = stated.status == "not_applicable" or "waived" in stated.review
    forcing = [] if settled else [one for one, _ in readings if rule.check in one.checks]
    if not told and not forcing:
        return stated
    outcomes = [stated, *(one.outcome for one in told)]
    touching = _each_once([*(one.contradiction for one in told), *forcing])
    applying = [outcome for outcome in outcomes if outcome.status != "not_applicable"]
    if not applying:
        return stated
    return _agreed(rule, outcomes, applying, touching, forced=bool(forcing))


def _agreed(
    rule: Rule, outcomes: Sequence[Outcome], applying: Sequence[Outcome], touching: Sequence[Contradiction], *, forced: bool
) -> Outcome:
    """Return the one outcome of several: the answer they share, or an open one."""
    statuses, head = {outcome.status for outcome in applying}, applying[0]
    everywhere = len(applying) == len(outcomes)
    if statuses == {"not_met"} and everywhere:
        return _marked(head, touching)
    out_of_reach = all(OUT_OF_REACH in one.review for one in outcomes if one.status == "not_applicable")
    if not forced and not everywhere and out_of_reach and all(_same(head, one) for one in applying):
        # Only whether the law reaches the event turns on the contradiction: that is said where that is decided.
        return _opened(head, touching) if head.status in ("not_met", "decide") else head
    whichever = rule.kind == "threshold" or (head.status == "met" and all(one.complete for one in touching))
    if not forced and everywhere and len(statuses) == 1 and whichever:
        # The rule's own answer is the same whichever holds; only what it shows beside differs.
        return _marked(head, touching)
    could_forbid = any(_could_forbid(one) for one in applying) or (forced and head.status == "met")
    return _opened(head, touching, could_forbid=could_forbid)


def _same(one: Outcome, other: Outcome) -> bool:
    # The text alone may differ by an opening such as "If a permit is needed".
    return (one.status, one.facts, one.measure, one.could_forbid) == (
        other.status,
        other.facts,
        other.measure,
        other.could_forbid,
    )


def _each_once(found: Sequence[Contradiction]) -> list[Contradiction]:
    return list({one.text: one for one in found}.values())


def _could_forbid(outcome: Outcome) -> bool:
    return outcome.status == "not_met" or (outcome.status == "decide" and outcome.could_forbid)


def _marked(outcome: Outcome, found: Sequence[Contradiction]) -> Outcome:
    """Show the contradictions with both values beside an answer that does not turn on them."""
    values = {key: value for one in found for key, value in one.values.items()}
    text = " ".join([_sentence(outcome.text), *(one.text for one in found)])
    return replace(outcome, text=text, facts={**outcome.facts, **values}).with_review("answers_conflict")


def _opened(outcome: Outcome, found: Sequence[Contradiction], *, could_forbid: bool | None = None) -> Outcome:
    """Leave an answer open, with both values, and ask for the keys that contradict each other."""
    values = {key: value for one in found for key, value in one.values.items()}
    asked = tuple(key for one in found for key in one.keys if "." in key and not key.startswith("facts."))
    return replace(
        outcome,
        status="decide",
        text=" ".join([*(one.text for one in found), "As it is stated:", _sentence(outcome.text)]),
        facts={**outcome.facts, **values},
        missing=tuple(dict.fromkeys((*outcome.missing, *asked))),
        could_forbid=_could_forbid(outcome) if could_forbid is None else could_forbid,
    ).with_review("answers_conflict")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "”")) else ".")
