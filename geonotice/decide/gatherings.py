"""Large gatherings under another authority's rules: what they ask for, in numbers, for a person to confirm with that authority."""

from math import ceil

from geonotice.decide.case import Case, Outcome, decide, lasts
from geonotice.decide.dated_duties import dated_reminder
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = ["OTHER_AUTHORITY", "drinking_water", "medical_staff", "other_authority", "parking_ground", "per_persons"]

OTHER_AUTHORITY = "other_authority"
"""The review code of what another authority's rules ask for: the headline names it, and it takes no part in ``allowed``."""

_SQ_FT_TO_AN_ACRE = 43_560
_PINTS_TO_A_GALLON = 8


def _asked(rule: Rule, text: str, facts: dict[str, object], *missing: str, measure: str = "") -> Outcome:
    """Leave to a person what another authority asks for: it forbids nothing by the town's own law."""
    said = f"{text} {rule.text}".strip()
    return decide(said, *missing, measure=measure, could_forbid=False, facts=facts).with_review(OTHER_AUTHORITY)


def _persons(case: Case) -> int | None:
    about = case.event.event
    stated = [number for number in (about.persons_at_once, about.persons_outdoors) if number is not None]
    return max(stated) if about.persons_at_once is not None else None


@answers("other_authority")
def other_authority(rule: Rule, case: Case) -> Outcome:
    """Return that another authority's permit or filing is asked for, with its days."""
    made = dated_reminder(rule, case)
    missing = () if not rule.periods or case.event.event.first_day else ("event.starts",)
    return decide(made.text, *missing, could_forbid=False, facts=made.facts).with_review(OTHER_AUTHORITY, *made.review)


@answers("per_persons")
def per_persons(rule: Rule, case: Case) -> Outcome:
    """Compute how many of each thing are needed, at so many persons for each of them."""
    persons = _persons(case)
    what = rule.words("what")
    each = int(rule.number("persons_each"))
    measure = f"at least one {' and one '.join(what)} for every {each:,} persons at one time"
    if persons is None:
        return _asked(rule, "How many persons are there at one time is not stated.", {}, "event.persons_at_once", measure=measure)
    needed = ceil(persons / each)
    facts: dict[str, object] = {"event.persons_at_once": persons, "needed": needed}
    return _asked(rule, f"{persons:,} persons at one time need {needed:,} of each: {', '.join(what)}.", facts, measure=measure)


_STAFF = {
    "facilities": "emergency health care facilities on site",
    "emts_each_facility": "emergency medical technicians at each of them",
    "ambulances": "ambulances",
    "emts_each_ambulance": "emergency medical technicians in each of these",
}


@answers("medical_staff")
def medical_staff(rule: Rule, case: Case) -> Outcome:
    """Return which medical facilities and staff the size of an event asks for, with the technicians in all."""
    number = {name: int(rule.number(name)) for name in _STAFF}
    emts = number["facilities"] * number["emts_each_facility"] + number["ambulances"] * number["emts_each_ambulance"]
    minutes = int(rule.number("physician_minutes"))
    physician = f"a physician within {minutes} minutes" if minutes else "a physician on site"
    facts: dict[str, object] = {**number, "emts": emts, "physician": physician}
    if (persons := _persons(case)) is not None:
        facts["event.persons_at_once"] = persons
    said = ", ".join(f"{words}: {number[name]}" for name, words in _STAFF.items())
    return _asked(rule, f"{said[:1].upper()}{said[1:]}; technicians in all: {emts}; {physician}.", facts)


@answers("parking_ground")
def parking_ground(rule: Rule, case: Case) -> Outcome:
    """Compute the acres that the parking takes, at so many cars an acre."""
    site = case.event.site
    stated = [number for number in (site.parking_spaces, site.vehicles_at_once) if number is not None]
    cars, an_acre = max(stated, default=None), int(rule.number("cars_an_acre"))
    measure = f"no more than {an_acre} cars an acre ({_SQ_FT_TO_AN_ACRE / an_acre:,.0f} sq ft a car)"
    if cars is None:
        return _asked(rule, "How many cars are parked is not stated.", {}, "site.parking_spaces", measure=measure)
    acres = cars / an_acre
    facts: dict[str, object] = {"cars": cars, "acres_needed": round(acres, 2)}
    said = f"{cars:,} cars take {acres:,.2f} acres."
    layout, area_sq_ft = case.facts.layout, case.facts.area_sq_ft
    if layout is not None and layout.parking_sq_ft is not None:
        drawn = layout.parking_sq_ft / _SQ_FT_TO_AN_ACRE
        facts["acres_drawn"] = round(drawn, 2)
        said += f" The parking drawn has {drawn:,.2f} acres{', which is too little' if drawn < acres else ''}."
    elif area_sq_ft is not None:
        whole = area_sq_ft / _SQ_FT_TO_AN_ACRE
        facts["acres_of_premises"] = round(whole, 2)
        said += f" The premises have {whole:,.2f} acres in all{', which is too little' if whole < acres else ''}."
    return _asked(rule, said, facts, measure=measure)


@answers("drinking_water")
def drinking_water(rule: Rule, case: Case) -> Outcome:
    """Compute the drinking water, at so many pints for each person and hour."""
    persons, pints = _persons(case), rule.number("pints_an_hour")
    hours, missing = lasts(case)
    measure = f"at least {pints:g} pint{'' if pints == 1 else 's'} for each person and hour"
    asked = (*(("event.persons_at_once",) if persons is None else ()), *missing)
    if persons is None or hours is None:
        return _asked(rule, "How much water is needed is not known.", {}, *asked, measure=measure)
    an_hour = persons * pints / _PINTS_TO_A_GALLON
    facts: dict[str, object] = {"event.persons_at_once": persons, "gallons_an_hour": an_hour, "gallons": an_hour * hours}
    said = f"{persons:,} persons need {an_hour:,.0f} gallons an hour, {an_hour * hours:,.0f} gallons in {hours:g} hours."
    return _asked(rule, said, facts, measure=measure)
