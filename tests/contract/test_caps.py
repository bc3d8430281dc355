"""The stated cap cases, the handed ones and this project's own: a history, a request, an answer."""

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from cap_cases import CASES, case_parcels

from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.caps import CapRequest, PastPermit, PropertyHistory, cap, cap_premises
from geonotice.ordinance.load import load_profile

HANDED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "caps.json"
DAYS = ("on", "issued", "starts", "ends")


def _values(stated: dict) -> dict:
    """Return the stated values with their days as days."""
    return {name: date.fromisoformat(value) if name in DAYS and value else value for name, value in stated.items()}


@pytest.mark.shared
@pytest.mark.parametrize("case", json.loads(HANDED.read_text()) if HANDED.exists() else [], ids=lambda case: case["name"])
def test_handed_case(case):
    history = [PastPermit(**_values(permit)) for permit in case["history"]]
    found = cap(case["zone"], history, CapRequest(**_values(case["request"])), exempt_owner=case.get("exempt_owner", False))
    assert found.status == case["expect"], found.text
    assert list(found.review) == case.get("review", []), found.text
    assert (found.next_date is not None) == (found.status == "not_met")
    assert found.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_own_case(case):
    properties = [
        PropertyHistory(
            parcel=f"lot {n}",
            zone=zone,
            permits=tuple(PastPermit(**_values(permit)) for permit in history),
            exempt_owner=case.get("exempt_owner", False),
        )
        for n, (zone, history) in enumerate(case_parcels(case), start=1)
    ]
    found = cap_premises(properties, CapRequest(**_values(case["request"])), rules=cap_rules(load_profile("southampton")))
    assert found.status == case["expect"], (case["why"], found.text)
    assert sorted(found.review) == sorted(case.get("review", [])), (case["why"], found.text)
    assert (found.next_date and found.next_date.isoformat()) == case.get("next_date"), found.text
    for name in ("used", "cap", "rule", "next_date_of"):
        assert getattr(found, name) == case.get(name, getattr(found, name)), (name, found.text)
    assert sorted(found.missing) == sorted(case.get("missing", found.missing)), found.text


def test_every_own_case_has_a_name_of_its_own():
    assert [name for name, count in Counter(case["name"] for case in CASES).items() if count > 1] == []
