"""The annual caps as findings of a check, and what a profile asks of a permit register."""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.cap_count import (
    EXEMPT_OWNERS,
    CapFinding,
    CapRequest,
    CapRules,
    CapStatus,
    ParcelCap,
    PropertyHistory,
    Zone,
)
from geonotice.decide.caps import cap_premises, exempt_owner
from geonotice.decide.case import Case, Outcome, decide, does_not_apply, met, not_met
from geonotice.decide.yard_sales_parades_nearby_events import ParadeRule, YardSaleRule
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

if TYPE_CHECKING:
    from geonotice.ordinance.profile import Profile


__all__ = [
    "PermitRules",
    "cap_exempt",
    "cap_other",
    "cap_residential",
    "cap_rules",
    "distinct_events",
    "owner_free",
    "parade_rule",
    "permit_rules",
    "yard_sale_rule",
]


class PermitRules(Struct, frozen=True, kw_only=True):
    """What the register applies; None where the ordinance has no such rule."""

    caps: CapRules | None = None
    parade: ParadeRule | None = None
    yard_sale: YardSaleRule | None = None


def cap_rules(profile: "Profile") -> CapRules | None:
    """Read the caps out of a profile; None where the ordinance sets none.

    Parameters
    ----------
    profile
        Its rules of the kind ``cap``: ``check`` ``cap_residential`` with the values ``permits`` and ``charity``, ``cap_other`` with
        ``events`` and ``night``; and the exemption ``cap_exempt`` with ``owners``. The settings ``cap_year_residential`` and
        ``cap_year_other`` say which date of a permit gives its year.
    """
    rules = {
        rule.check: rule
        for rule in profile.of_kind("cap", "exemption")
        if rule.check in ("cap_residential", "cap_other", "cap_exempt")
    }
    residential, other, exempt = (rules.get(check) for check in ("cap_residential", "cap_other", "cap_exempt"))
    if residential is None and other is None:
        return None
    first, charity = _places(residential)
    return CapRules(
        residential=_number(residential, "permits"),
        residential_charity=_number(residential, "charity") or 0,
        other=_number(other, "events"),
        other_night=_number(other, "night"),
        residential_year=_year(profile, "cap_year_residential", "issued"),
        other_year=_year(profile, "cap_year_other", "starts"),
        exempt_owners=_owners(exempt),
        residential_rule=residential.id if residential else "",
        other_rule=other.id if other else "",
        exempt_rule=exempt.id if exempt else "exempt",
        residential_citation=first,
        charity_citation=charity,
        other_citation=other.section if other else "",
        exempt_citation=exempt.section if exempt else "",
    )


def permit_rules(profile: "Profile") -> PermitRules:
    """Read everything out of a profile that the register applies."""
    inclusive = not profile.reads("summer", "both_excluded")
    sale = next((rule for rule in profile.rules if rule.check == "yard_sale"), None)
    parade = next((rule for rule in profile.rules if rule.check == "parade_interval"), None)
    return PermitRules(
        caps=cap_rules(profile),
        yard_sale=yard_sale_rule(sale, inclusive=inclusive) if sale else None,
        parade=parade_rule(parade, inclusive=inclusive) if parade else None,
    )


def yard_sale_rule(rule: "Rule", *, inclusive: bool) -> YardSaleRule:
    """Read a yard sale's limits; ``inclusive`` counts Memorial Day and Labor Day as summer."""
    return YardSaleRule(
        rule=rule.id,
        citation=rule.section,
        consecutive_days=int(rule.number("consecutive_days")),
        days_a_year=int(rule.number("days_a_year")),
        summer_days=int(rule.number("summer_days")),
        holidays_included=inclusive,
    )


def parade_rule(rule: "Rule", *, inclusive: bool) -> ParadeRule:
    """Read within how many days of another a parade is considered."""
    return ParadeRule(rule=rule.id, citation=rule.section, days=int(rule.number("days")), holidays_included=inclusive)


def _owners(exempt: "Rule | None") -> frozenset[str]:
    if exempt is None:
        return frozenset()
    return frozenset(exempt.words("owners")) if "owners" in exempt.values else EXEMPT_OWNERS


def _number(rule: "Rule | None", name: str) -> int | None:
    return int(rule.number(name)) if rule and name in rule.values else None


def _year(profile: "Profile", setting: str, default: Literal["issued", "starts"]) -> Literal["issued", "starts"]:
    if profile.reads(setting, "issued"):
        return "issued"
    return "starts" if profile.reads(setting, "starts") else default


def _places(rule: "Rule | None") -> tuple[str, str]:
    """Split ``283-6B(1)(a), (b)`` into the clause of the number and that of the exception to it."""
    section = rule.section if rule else ""
    head, comma, tail = section.rpartition(", ")
    if not comma or not tail.startswith("("):
        return section, section
    return head, head[: head.rindex("(")] + tail if "(" in head else section


_ORDER: dict[CapStatus, int] = {"not_met": 0, "decide": 1, "met": 2}


def _found(case: Case, *, undetermined_as: Zone = "undetermined") -> CapFinding | None:
    about = case.event.event
    stated = case.event.premises.owned_entirely_by
    request = CapRequest(
        on=case.on,
        starts=about.first_day,
        ends=about.last_day,
        night=about.night,
        charitable_applicant=case.event.applicant.charitable,
        primarily_benefits_applicant=case.event.benefit.primarily_benefits_applicant,
        distinct_events=about.distinct_events or 1,
    )
    rules = cap_rules(case.profile)
    owners = exempt_owner(stated, rules=rules)
    properties = case.properties or (PropertyHistory(zone=case.facts.zone, permits=case.history, exempt_owner=owners),)
    properties = tuple(replace(item, zone=undetermined_as) if item.zone == "undetermined" else item for item in properties)
    return cap_premises(properties, request, rules=rules) if rules else None


def owner_free(case: Case) -> bool | None:
    """Return whether the owner is exempt from the caps; None where it is not stated."""
    return exempt_owner(case.event.premises.owned_entirely_by, rules=cap_rules(case.profile))


def _cap(rule: Rule, case: Case, *, zones: tuple[Zone, ...], elsewhere: str) -> Outcome:
    found = _found(case)
    parcels = [item for item in found.parcels if item.zone in (*zones, "undetermined")] if found else []
    if not parcels:
        return does_not_apply(elsewhere)
    capped = [item for item in parcels if item.cap is not None]
    if not capped:
        return does_not_apply("the property is owned entirely by an owner exempt from the caps")
    worst = min(capped, key=lambda item: _ORDER[item.status])
    missing = tuple("facts.zone" if key == "zone" else key for key in worst.missing)
    status: CapStatus = worst.status
    missing += ("facts.permit_record",) if "record_incomplete" in worst.review else ()
    if worst.zone == "undetermined":
        # The two caps count different things: each finding tells of its own.
        worst = _as_if(case, worst, zones[0])
        place = "a residential" if zones[0] == "residential" else "another"
        text = f"If the property is in {place} district: {worst.why}. Its district is not known."
    else:
        text = f"{worst.why[:1].upper()}{worst.why[1:]}."
    if case.event.event.distinct_events is None and status == "met":
        status, missing = "decide", (*missing, "event.distinct_events")
        text = f"{text} That holds for one event; how many distinct events go on under the application is not stated."
    readings = ("reading:cap_year_residential",) if worst.year_of == "issued" else ("reading:cap_year_other",)
    review = (*worst.review, *(readings if worst.other_reading else ()))
    if worst.night_cap is not None and (case.event.event.night or "event.night" in missing):
        review = (*review, "reading:night")
    if case.profile.reads("two_residential_districts", "residential") and _two_residential(case):
        review = (*review, "reading:two_residential_districts")
    facts: dict[str, object] = {
        "zone": worst.zone,
        "used": worst.used if worst.recorded else None,
        "cap": worst.cap,
        "year": worst.year,
        "event.night": case.event.event.night,
        "event.distinct_events": case.event.event.distinct_events,
        "applicant.charitable": case.event.applicant.charitable,
    }
    if worst.night_cap is not None:
        facts |= {"night_used": worst.night_used if worst.recorded else None, "night_cap": worst.night_cap}
    if status == "not_met":
        facts["next_date"] = found.next_date if found else None
    change = "" if status == "met" else _later(found) if status == "not_met" else "the answers asked for"
    return Outcome(status=status, text=text, facts=facts, measure=_measure(rule), change=change, missing=missing, review=review)


def _as_if(case: Case, parcel: ParcelCap, zone: Zone) -> ParcelCap:
    """Count a parcel whose district is not known as if it were in one of this class."""
    found = _found(case, undetermined_as=zone)
    counted = next((item for item in found.parcels if item.parcel == parcel.parcel), parcel) if found else parcel
    return replace(counted, zone=parcel.zone)


def _later(found: CapFinding | None) -> str:
    if found is None or found.next_date is None:
        return "another property"
    what = "a permit issued" if found.next_date_of == "issue" else "an event held"
    return f"{what} from {in_words(found.next_date)} on, or another property"


def _two_residential(case: Case) -> bool:
    return len({item.code for item in case.facts.districts if item.district_class == "residential"}) > 1


def _measure(rule: Rule) -> str:
    if rule.check == "cap_residential":
        return f"{rule.number('permits'):g} permits issued a year, {rule.number('charity'):g} more for a charity that the event primarily benefits"
    return f"{rule.number('events'):g} events a year, {rule.number('night'):g} of them at night"


@answers("cap_residential")
def cap_residential(rule: Rule, case: Case) -> Outcome:
    """Apply the cap of residential districts."""
    return _cap(rule, case, zones=("residential",), elsewhere="the property is not in a residential district, or is split-zoned")


@answers("cap_other")
def cap_other(rule: Rule, case: Case) -> Outcome:
    """Apply the cap of all other districts and of split-zoned parcels."""
    return _cap(rule, case, zones=("other", "split"), elsewhere="the property is in a residential district, and not split-zoned")


@answers("cap_exempt")
def cap_exempt(rule: Rule, case: Case) -> Outcome:
    """Return whether the owner is exempt from the caps."""
    owner = case.event.premises.owned_entirely_by
    free = owner_free(case)
    if free:
        text = (
            f"The property is owned entirely by an exempt owner ({str(owner).replace('_', ' ')}): the annual caps do not apply."
        )
        return met(text, review=("reading:exempt_owners_reach",), facts={"premises.owned_entirely_by": owner})
    if free is False:
        return does_not_apply("the property is not owned entirely by one of the owners named")
    found = _found(case)
    if found and any(item.status == "decide" and "premises.owned_entirely_by" in item.missing for item in found.parcels):
        return Outcome(
            status="decide",
            text=f"Who owns the property entirely is not stated, and the cap turns on it. {rule.text}",
            missing=("premises.owned_entirely_by",),
        )
    return does_not_apply("who owns the property does not matter here: the cap is not reached")


@answers("distinct_events")
def distinct_events(rule: Rule, case: Case) -> Outcome:
    """Refuse distinct events under one permit: each needs an application of its own."""
    # LAW: 283-6 (end): "shall not operate under the same special event permit". Whether events are distinct is the official's to judge; the
    # application that states more than one has answered it.
    count = case.event.event.distinct_events
    facts: dict[str, object] = {"event.distinct_events": count}
    if count == 1:
        return does_not_apply("one event is stated")
    if count is None:
        return decide(
            f"How many distinct events go on under the application is not stated. {rule.text}",
            "event.distinct_events",
            facts=facts,
        )
    text = f"{count} distinct events are stated under one application: they may not operate under the same permit, and they count as {count}."
    change = f"one application for each of the {count} events"
    return not_met(f"{text} File one application for each.", measure="one event under one permit", change=change, facts=facts)
