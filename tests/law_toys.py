"""Events that meet every rule, to be changed one answer at a time."""

import copy

from geonotice.decide.stated_case import check_case

ITALY = {
    "event": {
        "title": "Lake concert", "kind": "music_festival", "sponsor": "private", "planned_in_advance": True,
        "starts": "2026-08-16T14:00:00", "ends": "2026-08-16T21:00:00", "night": False, "persons_at_once": 800, "persons_total": 800,
        "persons_outdoors": 800, "distinct_events": 1, "filed": "2026-05-01", "complete": "2026-05-12", "admission_charged": True,
    },
    "premises": {"parcels": ["1.00-1-1"]},
    "applicant": {"name": "A. Able", "organization": "individual", "resident_of_town": True, "is_owner": True},
    "site": {"parking_spaces": 200, "vehicles_at_once": 200, "access_roads": 2, "camping": False, "sound": True, "food": True},
    "insurance": {
        "injury_each": 2000000, "injury_aggregate": 4000000, "property": 2000000, "cancel_notice_days": 10, "names_town": True,
    },
}  # fmt: skip

SOUTHAMPTON = {
    "event": {
        "title": "Summer fair", "kind": "festival", "sponsor": "charity", "sponsor_local": True, "sponsor_in_control": True,
        "planned_in_advance": True, "starts": "2026-08-16T12:00:00", "ends": "2026-08-16T17:00:00", "night": False,
        "persons_at_once": 200, "persons_total": 200, "persons_outdoors": 200, "distinct_events": 1, "filed": "2026-05-01",
        "complete": "2026-05-12",
    },
    "premises": {
        "parcels": ["0900-1-1-1"], "municipal_building_or_grounds": False, "outstanding_violations": False,
        "unsatisfied_conditions": False, "certificates_of_occupancy": True, "owned_entirely_by": "private",
    },
    "applicant": {
        "name": "Bay Relief", "organization": "charity", "charitable": True, "resident_of_town": True, "is_owner": True,
        "other_property_violations": False,
    },
    "benefit": {
        "charity": "Bay Relief", "charity_local": True, "substantial_donation": True, "primarily_benefits_applicant": True,
        "private_profit": False, "advertises_goods": False, "outdoor_sale_of_goods": False, "sale_premises_owner": "private",
    },
    "site": {
        "parking_spaces": 100, "vehicles_at_once": 80, "access_roads": 1, "camping": False, "rides": False, "lights": [], "sound": True,
        "food": True, "alcohol": False, "fireworks": False, "animals": False, "tents": [], "signs": [], "security_plan": True,
    },
    "insurance": {"cancel_notice_days": 30, "names_town": True},
}  # fmt: skip

FACTS = {
    "zone": "other", "municipal_owner": False, "adjacent_state_or_county_road": False, "adjacent_lirr": False, "in_village": None,
    "within_500_ft_of": [], "streets_abutted": ["Mill Road"],
}  # fmt: skip

BASE = {"italy": ITALY, "southampton": SOUTHAMPTON}


class Outcome:
    """A result, looked at rule by rule."""

    def __init__(self, result):
        self.result = result
        self.permit, self.allowed = result["permit_required"], result["allowed"]
        self.findings = {item["rule"]: item for item in result["findings"]}
        self.aside = {item["rule"]: item["why"] for item in result["not_applicable"]}
        self.codes = {item["code"] for item in result["warnings"]}
        self.asked = {text.partition(":")[0] for text in result["missing"]}

    def __getitem__(self, rule):
        """Return the status of a rule; ``None`` where it is set aside."""
        assert (rule in self.findings) != (rule in self.aside)
        return self.findings[rule]["status"] if rule in self.findings else None


def event_of(ordinance, changes):
    """Change a base event by dotted keys; None takes the answer out."""
    event = copy.deepcopy(BASE[ordinance])
    for key, value in changes.items():
        section, _, name = key.partition(".")
        event.setdefault(section, {}).pop(name, None)
        if value is not None:
            event[section][name] = value
        if not event[section]:
            del event[section]
    return agreeing(event, changes)


def agreeing(event, changes):
    """Let the answers of the base event follow those that were changed, where they would contradict them otherwise."""
    about, sale = event.get("event", {}), event.get("yard_sale", {})

    def follows(key, value):
        section, _, name = key.partition(".")
        if key not in changes and value is not None:
            event[section][name] = value

    filed, complete = about.get("filed"), about.get("complete")
    if filed and complete and str(complete) < str(filed):
        follows("event.complete", filed)
    if sale.get("days") and about.get("kind") == "yard_sale":
        opens, closes = sale.get("hours") or ("09:00", "16:00")
        follows("event.starts", f"{min(sale['days'])}T{opens}:00")
        follows("event.ends", f"{max(sale['days'])}T{closes}:00")
    if event.get("benefit", {}).get("sale_premises_owner") == "municipality" and "premises" in event:
        follows("premises.owned_entirely_by", "municipality")
        follows("applicant.is_owner", value=False)
    return event


def agreeing_facts(event, facts):
    """Let the facts and the owner that the application states follow each other."""
    if "municipal_owner" not in facts and event.get("premises", {}).get("owned_entirely_by") == "municipality":
        return {**facts, "municipal_owner": True}
    return facts


def stated_facts(event, facts):
    """Return the facts of the premises of an event, with those that are stated."""
    return {**FACTS, **agreeing_facts(event, facts)}


def ask(ordinance, changes=None, *, facts=None, history=(), on="2026-06-01", profile=None):
    """Check a base event with some answers changed."""
    event = event_of(ordinance, changes or {})
    if (facts or {}).get("municipal_owner") and "premises.owned_entirely_by" not in (changes or {}) and "premises" in event:
        event["premises"]["owned_entirely_by"] = "municipality"
        event["applicant"]["is_owner"] = False
    case = {
        "ordinance": profile or ordinance,
        "on": on,
        "event": event,
        "parcel_facts": stated_facts(event, facts or {}),
        "history": list(history),
    }
    return Outcome(check_case(case))
