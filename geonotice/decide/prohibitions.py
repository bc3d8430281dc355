"""What may not be held at all: the prohibitions of Southampton 283-6A, each a question the application or the layers answer."""

from geonotice.decide.case import Case, Outcome, all_of, any_of, decide, does_not_apply, met, not_met
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = ["advertise", "certificates", "charity_benefit", "lights", "outdoor_sale", "profit", "rides", "violations"]


@answers("profit")
def profit(rule: Rule, case: Case) -> Outcome:
    """Ask whether it is largely for private profit and lacks a substantial donation: both must hold to forbid it."""
    benefit = case.event.benefit
    facts: dict[str, object] = {
        "benefit.private_profit": benefit.private_profit,
        "benefit.substantial_donation": benefit.substantial_donation,
    }
    lacks = None if benefit.substantial_donation is None else not benefit.substantial_donation
    forbidden = all_of((benefit.private_profit, lacks))
    if forbidden is False:
        why = (
            "it is not largely for private profit"
            if benefit.private_profit is False
            else "a charitable organization gets a substantial donation"
        )
        return met(f"No conflict: {why}.", facts=facts)
    if forbidden:
        text = "Largely for private profit, and without a substantial donation or contribution to a charitable organization."
        return not_met(text, change="a substantial donation to a charitable organization", facts=facts)
    missing = [key for key in ("private_profit", "substantial_donation") if getattr(benefit, key) is None]
    return decide(f"Not answered in full. {rule.text}", *(f"benefit.{key}" for key in missing), facts=facts)


@answers("advertise")
def advertise(rule: Rule, case: Case) -> Outcome:
    """Ask whether the principal purpose is to advertise goods; farmers' markets are excepted."""
    value, kind = case.event.benefit.advertises_goods, case.event.event.kind
    excepted = rule.words("except_kinds")
    facts: dict[str, object] = {"benefit.advertises_goods": value, "event.kind": kind}
    if value is False:
        return met("No conflict: its principal purpose is not to advertise goods.", facts=facts)
    if kind in excepted:
        text = "No conflict: a farmers' market that sells local produce, baked goods and other local food is excepted."
        return met(text, facts=facts)
    if value is None or kind is None:
        missing = [*(["benefit.advertises_goods"] if value is None else []), *(["event.kind"] if kind is None else [])]
        return decide(f"Not answered in full. {rule.text}", *missing, facts=facts)
    return not_met("The principal purpose is to advertise goods, and it is not a farmers' market.", facts=facts)


@answers("outdoor_sale")
def outdoor_sale(rule: Rule, case: Case) -> Outcome:  # noqa: PLR0911  # one answer for each thing the clause turns on
    """Ask whether it is primarily an outdoor sale on premises that are none of a municipality, a charity or a non-profit."""
    benefit, kind = case.event.benefit, case.event.event.kind
    sale, owner = benefit.outdoor_sale_of_goods, benefit.sale_premises_owner
    facts: dict[str, object] = {
        "benefit.outdoor_sale_of_goods": sale,
        "benefit.sale_premises_owner": owner,
        "event.kind": kind,
        "municipal_owner": case.municipal,
    }
    if sale is False:
        return met("No conflict: it is not primarily an outdoor sale of goods or services.", facts=facts)
    if owner in rule.words("except_owners"):
        name = "a municipality" if owner == "municipality" else "a charitable organization or not-for-profit corporation"
        return met(f"No conflict: the premises is owned by {name}.", facts=facts)
    if owner is None and case.municipal:
        return met("No conflict: the premises is owned by a municipality.", facts=facts)
    if owner is None or sale is None:
        missing = [
            *(["benefit.outdoor_sale_of_goods"] if sale is None else []),
            *(["benefit.sale_premises_owner"] if owner is None else []),
        ]
        return decide(f"Not answered in full. {rule.text}", *missing, facts=facts)
    if case.municipal:
        text = "The premises of the sale is stated to be private, but a municipality is named as owner of the parcel: find out which holds."
        return decide(text, "benefit.sale_premises_owner", review=("answers_conflict",), facts=facts)
    if kind == "farmers_market":
        return _market_on_private_land(rule, case, facts)
    text = "Primarily an outdoor sale, on premises owned neither by a municipality nor by a charitable or not-for-profit body."
    return not_met(text, change="premises owned by a municipality, a charity or a not-for-profit", facts=facts)


def _market_on_private_land(rule: Rule, case: Case, facts: dict[str, object]) -> Outcome:
    # LAW: the farmers' market exception stands in 283-6A(2) only, but would be idle there if A(3) forbade every such market.
    name = "farmers_market_on_private_land"
    reading = str(case.profile.setting(name)) if name in case.profile.settings else "decide"
    review = (f"reading:{name}",)
    if reading == "allowed":
        return met(
            "No conflict: the farmers' market exception is read to carry over from the rule on advertising.",
            review=review,
            facts=facts,
        )
    if reading == "prohibited":
        return not_met(
            "A farmers' market on private land: the exception stands in the rule on advertising only.", review=review, facts=facts
        )
    text = f"A farmers' market on private land: whether the exception in the rule on advertising carries over must be decided. {rule.text}"
    return decide(text, review=review, facts=facts)


@answers("violations")
def violations(rule: Rule, case: Case) -> Outcome:
    """Ask for outstanding violations and unsatisfied conditions on the property."""
    premises = case.event.premises
    facts: dict[str, object] = {
        "premises.outstanding_violations": premises.outstanding_violations,
        "premises.unsatisfied_conditions": premises.unsatisfied_conditions,
    }
    found = any_of((premises.outstanding_violations, premises.unsatisfied_conditions))
    if found:
        what = [
            *(["outstanding violations"] if premises.outstanding_violations else []),
            *(["unsatisfied conditions"] if premises.unsatisfied_conditions else []),
        ]
        return not_met(f"The property has {' and '.join(what)}.", change="clearing them", facts=facts)
    if found is None:
        missing = [key for key in ("outstanding_violations", "unsatisfied_conditions") if getattr(premises, key) is None]
        return decide(f"Not answered in full. {rule.text}", *(f"premises.{key}" for key in missing), facts=facts)
    return met("No conflict: no outstanding violations, no unsatisfied conditions.", facts=facts)


@answers("certificates")
def certificates(rule: Rule, case: Case) -> Outcome:
    """Ask for valid certificates of the structures on the property."""
    valid = case.event.premises.certificates_of_occupancy
    if valid is None:
        return decide(f"Not answered. {rule.text}", "premises.certificates_of_occupancy")
    if valid:
        return met(
            "No conflict: the structures have valid certificates.",
            facts={"premises.certificates_of_occupancy": True},
        )
    text = "A structure on the property has no valid certificate of occupancy or of compliance."
    return not_met(text, change="a valid certificate", facts={"premises.certificates_of_occupancy": False})


@answers("rides")
def rides(rule: Rule, case: Case) -> Outcome:
    """Ask whether carnival rides stand on a residential lot that nothing saves."""
    wanted = case.event.site.rides
    if wanted is False:
        return does_not_apply("there are no carnival rides")
    facts_ = case.facts
    facts: dict[str, object] = {
        "site.rides": wanted,
        "zone": facts_.zone,
        "municipal_owner": case.municipal,
        "adjacent_state_or_county_road": facts_.adjacent_state_or_county_road,
        "adjacent_lirr": facts_.adjacent_lirr,
    }
    measure = "not on a residential lot, unless municipal or immediately adjacent to a state or county road or to property of the railroad that the clause names"
    residential, review = _residential_lot(case)
    if residential is False:
        return met(
            "No conflict: the lot is not in a residential zoning district.",
            measure=measure,
            review=review,
            facts=facts,
        )
    saved = any_of((case.municipal, facts_.adjacent_state_or_county_road, facts_.adjacent_lirr))
    if saved:
        why = (
            "the parcel is in municipal ownership"
            if case.municipal
            else "the parcel is immediately adjacent to a state or county road"
            if facts_.adjacent_state_or_county_road
            else "the parcel is immediately adjacent to property of the railroad that the clause names"
        )
        return met(f"No conflict: {why}.", measure=measure, facts=facts)
    if all_of((wanted, residential, not saved if saved is not None else None)):
        text = "Carnival rides on a lot in a residential district, neither municipal nor immediately adjacent to a state or county road or to property of the railroad that the clause names."
        return not_met(text, measure=measure, change="no rides, or another site", review=review, facts=facts)
    missing = ["site.rides"] if wanted is None else []
    missing += ["facts.zone"] if facts_.zone == "undetermined" else []
    unknown = ("municipal_owner", case.municipal), ("adjacent_state_or_county_road", facts_.adjacent_state_or_county_road)
    missing += [f"facts.{key}" for key, value in (*unknown, ("adjacent_lirr", facts_.adjacent_lirr)) if value is None]
    text = "Whether carnival rides may stand here turns on what is not known"
    if facts_.zone == "split" and residential is None:
        text = "The lot is split-zoned: whether it is “in a residential district” for carnival rides must be decided"
    return decide(f"{text}. {rule.text}", *missing, measure=measure, review=review, facts=facts)


def _residential_lot(case: Case) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether the lot is in a residential district for the rides; a split-zoned one by the profile's reading."""
    # LAW: the split rule is 283-6B's alone; for rides a split-zoned lot must be decided.
    zone = case.facts.zone
    if zone != "split":
        return {"residential": True, "other": False}.get(zone), ()
    reading = str(case.profile.setting("split_zoned_rides")) if "split_zoned_rides" in case.profile.settings else "decide"
    return {"residential": True, "other": False}.get(reading), ("reading:split_zoned_rides",)


@answers("lights")
def lights(rule: Rule, case: Case) -> Outcome:
    """Ask for exterior lights of a forbidden sort."""
    used = case.event.site.lights
    if used is None:
        return decide(f"Not answered. {rule.text}", "site.lights")
    forbidden = [light for light in used if light in rule.words("forbidden")]
    if forbidden:
        return not_met(
            f"Exterior {' and '.join(forbidden)} lights are prohibited.", change="other lights", facts={"site.lights": list(used)}
        )
    names = ", ".join(rule.words("forbidden"))
    return met(f"No conflict: none of the forbidden lights ({names}).", facts={"site.lights": list(used)})


@answers("charity_benefit")
def charity_benefit(rule: Rule, case: Case) -> Outcome:
    """Ask for a benefit to a local charitable organization."""
    benefit = case.event.benefit
    facts: dict[str, object] = {"benefit.charity": benefit.charity, "benefit.charity_local": benefit.charity_local}
    if benefit.charity_local:
        named = f": {benefit.charity}" if benefit.charity else "; which one, is not stated"
        return met(
            f"It benefits a local charitable organization{named}.",
            review=() if benefit.charity else ("charity_not_named",),
            facts=facts,
        )
    if benefit.charity_local is False:
        named = (
            f"{benefit.charity} is not a local charitable organization"
            if benefit.charity
            else "No local charitable organization benefits"
        )
        return not_met(f"{named}.", change="a benefit to a local charitable organization", facts=facts)
    if benefit.charity or not benefit.stated:
        missing = ("benefit.charity_local",) if benefit.charity else ("benefit.charity", "benefit.charity_local")
        return decide(f"Not answered in full. {rule.text}", *missing, facts=facts)
    return not_met(
        "No charitable organization is named as benefiting.", change="a benefit to a local charitable organization", facts=facts
    )
