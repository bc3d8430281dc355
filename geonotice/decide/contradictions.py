"""Answers that contradict each other: every pair of keys that can, in one table, and the outcome of a rule under each way to resolve it."""

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.application import Event
from geonotice.decide.case import Outcome, PremisesFacts
from geonotice.decide.contradiction_tests import (
    Stated,
    answer_of_another_kind,
    applicant_owns,
    applicant_owns_readings,
    before,
    camping,
    charitable,
    doubts,
    drawn,
    drawn_parking,
    fewer,
    gain,
    hearing_after_event,
    lease,
    no_charity,
    own_consent,
    regular,
    roll_owner,
    roll_owner_readings,
    roll_seller,
    sale_days,
    sale_hours,
    sale_owner,
    section_of_another_kind,
    signs,
    tents,
)
from geonotice.decide.scope import Reach
from geonotice.model import ResultWarning
from geonotice.ordinance.profile import Rule

__all__ = [
    "OUT_OF_REACH",
    "PAIRS",
    "Applied",
    "Contradiction",
    "Pair",
    "agreed_reach",
    "answer_warnings",
    "contradictions",
    "notice_warnings",
    "reconciled",
]


class Pair(Struct, frozen=True, kw_only=True):
    """Keys that can contradict each other.

    Parameters
    ----------
    keys
        The keys, as the event file has them; those that begin with ``facts.`` are known from the layers.
    test
        What contradicts what, with both values in words; empty where nothing does.
    drop
        The keys that are taken for unknown, one after the other, to see which findings turn on them; all of ``keys`` by themselves.
    readings
        The ways to resolve it, where they are more than one answer being unknown.
    checks
        The checks that it leaves open whatever the readings say.
    """

    keys: tuple[str, ...]
    test: Callable[[Stated], str]
    drop: tuple[str, ...] | None = None
    readings: Callable[[Stated], Iterable[Stated]] | None = None
    checks: tuple[str, ...] = ()


class Contradiction(Struct, frozen=True):
    """Answers that contradict each other: their keys with both values, what to say, the ways to resolve it, the checks it leaves open.

    ``complete`` says that every way to resolve it has all its answers: where they come to the same, nothing turns on it.
    """

    keys: tuple[str, ...]
    values: dict[str, object]
    text: str
    readings: tuple[Stated, ...]
    checks: tuple[str, ...]
    complete: bool


def contradictions(stated: Stated) -> tuple[Contradiction, ...]:
    """Return the contradictions in what is stated, in the order of the table."""
    return tuple(_found(pair, stated, words) for pair in PAIRS if (words := pair.test(stated)))


def answer_warnings(event: Event, facts: PremisesFacts | None = None) -> tuple[ResultWarning, ...]:
    """Return a warning for each contradiction, and for what is unlikely, in an event file and in what the layers say of its land."""
    stated = Stated(event, facts or PremisesFacts())
    return (
        *(ResultWarning("answers_conflict", one.text) for one in contradictions(stated)),
        *(ResultWarning("answers_unlikely", words) for words in doubts(stated)),
    )


_OF_NOTICE = frozenset({"event", "applicant", "premises", "denial", "amendment", "notice_given"})
_DATES = re.compile(r"event\.(starts|ends|days|filed|complete)|(denial|amendment|notice_given|premises)\..+")


def notice_warnings(event: Event) -> tuple[ResultWarning, ...]:
    """Return the contradictions of an event file that touch a notice: of its premises, and of the days that notice is counted from."""
    found = contradictions(Stated(event, PremisesFacts()))
    return tuple(
        ResultWarning("answers_conflict", one.text)
        for one in found
        if {key.partition(".")[0] for key in one.keys} <= _OF_NOTICE and any(_DATES.fullmatch(key) for key in one.keys)
    )


def _found(pair: Pair, stated: Stated, words: str) -> Contradiction:
    if pair.readings is not None:
        readings = tuple(pair.readings(stated))
    else:
        readings = tuple(stated.without(key) for key in (pair.keys if pair.drop is None else pair.drop))
    values = {key: stated.value(key) for key in pair.keys if "." in key}
    text = f"Answers contradict each other ({', '.join(pair.keys)}): {words} Find out which holds, and correct the other."
    return Contradiction(pair.keys, values, text, readings, pair.checks, complete=pair.readings is not None)


FAMILY = ("wedding", "funeral", "family")

PAIRS: tuple[Pair, ...] = (
    Pair(
        keys=("event.persons_total", "event.persons_at_once"),
        test=fewer("event.persons_total", "event.persons_at_once", "{less} persons in all are fewer than {more} at one time."),
    ),
    Pair(
        keys=("event.persons_at_once", "event.persons_outdoors"),
        test=fewer(
            "event.persons_at_once", "event.persons_outdoors", "{more} persons outdoors are more than {less} at one time."
        ),
    ),
    Pair(
        keys=("event.persons_total", "event.persons_outdoors"),
        test=fewer("event.persons_total", "event.persons_outdoors", "{more} persons outdoors are more than {less} in all."),
    ),
    Pair(
        keys=("event.filed", "event.complete"),
        test=before("event.filed", "event.complete", "it was filed", "the application was found complete"),
    ),
    Pair(
        keys=("event.filed", "event.ends"),
        test=before("event.filed", "event.ends", "the application was filed", "the event ends"),
    ),
    Pair(
        keys=("event.complete", "event.ends"),
        test=before("event.complete", "event.ends", "the application was found complete", "the event ends"),
        drop=("event.complete",),
    ),
    Pair(
        keys=("amendment.filed", "event.filed"),
        test=before("event.filed", "amendment.filed", "the application itself was filed", "the change was filed"),
        drop=("amendment.filed",),
    ),
    Pair(
        keys=("denial.received", "event.filed"),
        test=before("event.filed", "denial.received", "the application was filed", "the denial was received"),
    ),
    Pair(
        keys=("denial.received", "denial.appeal_filed"),
        test=before("denial.received", "denial.appeal_filed", "the denial was received", "the appeal was filed"),
    ),
    Pair(
        keys=("denial.appeal_filed", "denial.hearing"),
        test=before("denial.appeal_filed", "denial.hearing", "the appeal was filed", "the appeal is heard"),
    ),
    Pair(
        keys=("denial.received", "denial.hearing"),
        test=before("denial.received", "denial.hearing", "the denial was received", "the appeal is heard"),
    ),
    Pair(
        keys=("notice_given.hearing", "event.starts"),
        test=hearing_after_event,
        drop=("notice_given.hearing",),
    ),
    Pair(
        keys=("notice_given.hearing", "event.filed"),
        test=before("event.filed", "notice_given.hearing", "the application was filed", "the hearing on it is held"),
        drop=("notice_given.hearing",),
    ),
    *(
        Pair(
            keys=(f"notice_given.{act}", "event.filed"),
            test=before("event.filed", f"notice_given.{act}", "the application was filed", f"notice of the hearing was {act}"),
            drop=(f"notice_given.{act}",),
        )
        for act in ("published", "posted", "mailed")
    ),
    *(
        Pair(
            keys=(f"notice_given.{act}", "denial.appeal_filed"),
            test=before("denial.appeal_filed", f"notice_given.{act}", "the appeal was filed", f"notice of its hearing was {act}"),
            drop=(f"notice_given.{act}",),
        )
        for act in ("published", "posted", "mailed")
    ),
    Pair(keys=("yard_sale.days", "event.starts", "event.ends"), test=sale_days),
    Pair(keys=("yard_sale.hours", "event.starts", "event.ends"), test=sale_hours),
    Pair(
        keys=("event.kind", "yard_sale"),
        test=section_of_another_kind("yard_sale", ("yard_sale",), "a yard sale"),
    ),
    Pair(
        keys=("event.kind", "expressive"),
        test=section_of_another_kind("expressive", ("expressive",), "expressive activity"),
    ),
    Pair(keys=("event.kind", "parade"), test=section_of_another_kind("parade", ("parade",), "a parade")),
    Pair(
        keys=("event.kind", "event.wedding_of"),
        test=answer_of_another_kind(
            "event.wedding_of", FAMILY, "whose wedding, funeral or family event it is, is answered ({value})"
        ),
    ),
    Pair(keys=("event.wedding_of", "event.tenant_lease_months"), test=lease),
    Pair(keys=("event.kind", "event.regular_sporting_event"), test=regular),
    Pair(keys=("premises.owned_entirely_by", "benefit.sale_premises_owner"), test=sale_owner),
    Pair(keys=("facts.municipal_owner", "premises.owned_entirely_by"), test=roll_owner, readings=roll_owner_readings),
    Pair(keys=("facts.municipal_owner", "benefit.sale_premises_owner"), test=roll_seller),
    Pair(
        keys=("applicant.is_owner", "applicant.organization", "premises.owned_entirely_by"),
        test=applicant_owns,
        readings=applicant_owns_readings,
    ),
    Pair(keys=("applicant.is_owner", "applicant.owner_consent"), test=own_consent),
    Pair(keys=("applicant.charitable", "applicant.organization"), test=charitable),
    Pair(
        keys=("benefit.charity", "benefit.substantial_donation", "benefit.support_agreement"),
        test=no_charity,
        checks=("charity_benefit",),
    ),
    Pair(keys=("event.commercial", "benefit.private_profit"), test=gain, checks=("profit",)),
    Pair(
        keys=("insurance.injury_each", "insurance.injury_aggregate"),
        test=fewer(
            "insurance.injury_aggregate",
            "insurance.injury_each",
            "the policy's limit in all, ${less:,.0f}, is less than its limit for each person, ${more:,.0f}.",
        ),
    ),
    Pair(
        keys=("site.parking_spaces", "site.vehicles_at_once"),
        test=fewer(
            "site.parking_spaces", "site.vehicles_at_once", "{more} vehicles at one time are more than {less} parking spaces."
        ),
        drop=(),
        checks=("parking", "factors"),
    ),
    Pair(keys=("site.camping", "event.starts", "event.ends"), test=camping, drop=(), checks=("camping",)),
    Pair(keys=("site.tents", "event.starts", "event.ends"), test=tents, drop=("site.tents",), checks=("tents",)),
    Pair(keys=("site.signs", "event.ends"), test=signs, drop=("site.signs",), checks=("signs",)),
    Pair(
        keys=("site.tents", "premises.layout"),
        test=drawn("tent", "site.tents", nothing=()),
        drop=("site.tents",),
        checks=("tents",),
    ),
    Pair(
        keys=("site.rides", "premises.layout"),
        test=drawn("ride", "site.rides", nothing=False),
        readings=lambda stated: (stated.having(site__rides=True),),
        checks=("rides",),
    ),
    Pair(keys=("site.parking_spaces", "premises.layout"), test=drawn_parking, drop=("site.parking_spaces",)),
)
"""Every pair of keys that can contradict each other."""

Applied = tuple[Reach, tuple[tuple[Rule, Outcome], ...]]
"""How far the law reaches, and what each of its rules makes of the event."""

UNTOUCHED = frozenset({"statement", "waiver"})
"""Checks that only list what is answered and what is not: both answers are."""


OUT_OF_REACH = "out_of_reach"
"""The review code of an outcome that is set aside because the law does not reach the event, and not for what the rule itself asks."""


class _Told(Struct, frozen=True):
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
