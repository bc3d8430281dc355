"""Further situations written from the two ordinances: each answer was stated, with its clause, before the program was asked."""

import pytest
from law_situations import SITUATIONS
from law_toys import Outcome, event_of, stated_facts

from geonotice.decide.stated_case import check_case

PREFIX = {"italy": "italy", "southampton": "sh"}
STATUSES = ("met", "not_met", "decide", "remind")


def outcome_of(situation):
    """Check a situation in this process."""
    event = event_of(situation["ordinance"], situation.get("answers", {}))
    case = {
        "ordinance": situation["ordinance"],
        "on": situation.get("on", "2026-06-01"),
        "event": event,
        "parcel_facts": stated_facts(event, situation.get("facts", {})),
        "history": situation.get("history", []),
    }
    return Outcome(check_case(case))


def differences(situation, found):
    """Return where the program's answer is not the one that was stated."""
    prefix = PREFIX[situation["ordinance"]]

    def rules(key):
        return [rule if "." in rule else f"{prefix}.{rule}" for rule in situation.get(key, "").split()]

    wrong = [
        f"{name}: {value} instead of {situation[key]}"
        for name, key, value in (("permit_required", "needed", found.permit), ("allowed", "allowed", found.allowed))
        if value is not situation[key]
    ]
    wrong += [
        f"{rule}: {found[rule]} instead of {status}" for status in STATUSES for rule in rules(status) if found[rule] != status
    ]
    wrong += [f"{rule}: {found[rule]} instead of set aside" for rule in rules("aside") if found[rule] is not None]
    wrong += [f"{key} is not asked" for key in situation.get("asks", "").split() if key not in found.asked]
    return wrong + [f"no warning {code}" for code in situation.get("warns", "").split() if code not in found.codes]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: f"{one['ordinance']}-{one['name']}")
def test_situation(situation):
    assert differences(situation, outcome_of(situation)) == [], situation["why"]


def test_there_are_at_least_125_and_each_names_its_clause():
    assert len(SITUATIONS) >= 125
    assert len({(one["ordinance"], one["name"]) for one in SITUATIONS}) == len(SITUATIONS)
    assert [one["name"] for one in SITUATIONS if not one["why"][0].isalnum() or not one["why"].strip()] == []
