"""Exemptions from a permit by the place of an event, and of recurring sports."""

from geonotice.decide.facts import Case, Outcome, any_of, decide, does_not_apply, met
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = ["exempt_place", "exempt_sports"]


@answers("exempt_place")
def exempt_place(rule: Rule, case: Case) -> Outcome:
    """Return whether the place exempts the event: land of these owners, or a Town building and grounds."""
    premises = case.event.premises
    tests: dict[str, bool | None] = {}
    if "owners" in rule.values:
        owner = premises.owned_entirely_by
        found = None if owner is None else owner in rule.words("owners")
        if owner is None and case.municipal and "municipality" in rule.words("owners"):
            found = True
        tests["premises.owned_entirely_by"] = found
    if rule.values.get("town_grounds"):
        stated = premises.municipal_building_or_grounds
        tests["premises.municipal_building_or_grounds"] = False if stated is None and case.municipal is False else stated
    exempt = any_of(tests.values())
    if exempt:
        facts: dict[str, object] = {
            "premises.owned_entirely_by": premises.owned_entirely_by,
            "premises.municipal_building_or_grounds": premises.municipal_building_or_grounds,
        }
        return met("it is held in a place that is exempt from the permit", facts=facts)
    if exempt is None:
        missing = [key for key, value in tests.items() if value is None]
        return decide("whether the place is one that is exempt from the permit is not stated", *missing, could_forbid=False)
    return does_not_apply("it is not held in a place that is exempt from the permit")


@answers("exempt_sports")
def exempt_sports(rule: Rule, case: Case) -> Outcome:
    """Return whether it is a regular game or tournament, which the law exempts; on land of these owners only, where the rule names some."""
    about, owner = case.event.event, case.event.premises.owned_entirely_by
    if about.regular_sporting_event is False or (about.regular_sporting_event is None and about.kind not in ("sports", None)):
        return does_not_apply("it is not a regular game or tournament")
    owners = rule.words("owners") if "owners" in rule.values else ()
    if owners and owner is not None and owner not in owners:
        return does_not_apply("it is not held on land of an owner whose regular games are exempt")
    missing = [
        *(["event.kind"] if about.regular_sporting_event is None and about.kind is None else []),
        *(["event.regular_sporting_event"] if about.regular_sporting_event is None else []),
        *(["premises.owned_entirely_by"] if owners and owner is None else []),
    ]
    if missing:
        text = "whether it is a regular game or tournament that is exempt from the permit is not stated"
        return decide(text, *missing, could_forbid=False)
    return met("it is a regular game or tournament", facts={"event.regular_sporting_event": True})
