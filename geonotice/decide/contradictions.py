"""Answers that contradict each other: every pair of keys that can, in one table, with what is said of it.

A contradiction is never decided silently. The law is applied once with the answers as they are stated, and once for each way to resolve the
contradiction; :mod:`geonotice.decide.reconcile` leaves to a person what comes out differently. By itself a contradiction is resolved by
taking one of its answers for unknown; where the other answer says what it must be, that is what is tried.

Keys that look as if they could contradict each other and cannot:

* ``applicant.organization = "charity"`` with ``applicant.charitable = false``: a charity need not be one as 283-1 defines it (warned of);
* ``premises.owned_entirely_by = "private"`` with a sale on a charity's premises: the first names no charities but those 283-6 exempts;
* ``event.night`` with the hours: night is not defined, the application's own answer decides;
* ``event.planned_in_advance = false`` with an application filed in time: what is planned in advance is for the official (warned of);
* an appeal, an amendment or a notice that is later than the law allows: that is ``not_met``, and no contradiction.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from geonotice.decide.contradiction_tests import (
    Stated,
    answer_of_another_kind,
    applicant_owns,
    applicant_owns_readings,
    before,
    camping,
    charitable,
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
from geonotice.decide.doubts import doubts
from geonotice.decide.facts import PremisesFacts
from geonotice.event import Event
from geonotice.model import Caution

__all__ = ["PAIRS", "Contradiction", "Pair", "answer_cautions", "contradictions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
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


@dataclass(frozen=True, slots=True)
class Contradiction:
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


def answer_cautions(event: Event, facts: PremisesFacts | None = None) -> tuple[Caution, ...]:
    """Return a warning for each contradiction, and for what is unlikely, in an event file and in what the layers say of its land."""
    stated = Stated(event, facts or PremisesFacts())
    return (
        *(Caution("answers_conflict", one.text) for one in contradictions(stated)),
        *(Caution("answers_unlikely", words) for words in doubts(stated)),
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
        checks=("parking",),
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
