"""The stated cap cases: a history, a request, an answer."""

import json
from datetime import date
from pathlib import Path

import pytest

from geonotice.decide.caps import CapRequest, PastPermit, cap

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "caps.json"


def _day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.shared
@pytest.mark.parametrize("case", json.loads(CASES.read_text()) if CASES.exists() else [], ids=lambda case: case["name"])
def test_stated_case(case):
    history = [
        PastPermit(**{**permit, "issued": _day(permit["issued"]), "starts": _day(permit["starts"])}) for permit in case["history"]
    ]
    asked = case["request"]
    request = CapRequest(**{**asked, "on": _day(asked["on"]), "starts": _day(asked["starts"])})
    found = cap(case["zone"], history, request, exempt_owner=case.get("exempt_owner", False))
    assert found.status == case["expect"], found.text
    assert list(found.review) == case.get("review", []), found.text
    assert (found.next_date is not None) == (found.status == "not_met")
    assert found.text
