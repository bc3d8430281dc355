"""The stated event cases: facts of the parcel and the permit history beside the event, with the answer decided by hand."""

import json

import pytest
from event_cases import CASES
from law_toys import FACTS, event_of
from typer.testing import CliRunner

from geonotice.cli import every_command


def differences(case, result):
    """Return where a result differs from what the case expects."""
    expect = case["expect"]
    found = {item["rule"]: item["status"] for item in result["findings"]}
    aside = {item["rule"] for item in result["not_applicable"]}
    wrong = [
        f"{key}: {result[key]} instead of {expect[key]}"
        for key in ("permit_required", "allowed")
        if result[key] is not expect[key]
    ]
    wrong += [
        f"{rule}: {found.get(rule)} instead of {status}"
        for rule, status in expect["findings"].items()
        if found.get(rule) != status
    ]
    wrong += [f"{rule} is not set aside" for rule in expect["not_applicable"] if rule not in aside or rule in found]
    wrong += [f"no question on {key}" for key in expect["missing_mentions"] if not any(key in text for text in result["missing"])]
    return wrong


@pytest.mark.shared
def test_every_stated_case_comes_out_as_decided_by_hand(shared):
    files = sorted((shared / "cases" / "events").glob("*.json"))
    assert len(files) >= 48
    wrong = {}
    for file in files:
        case = json.loads(file.read_text())
        done = CliRunner().invoke(every_command(), ["check", "--case", str(file), "--json"])
        result = json.loads(done.stdout)
        found = differences(case, result)
        if done.exit_code != (5 if result["allowed"] is False else 0):
            found.append(f"exit code {done.exit_code}")
        if found:
            wrong[case["name"]] = found
    assert wrong == {}


STATUSES = ("met", "not_met", "decide", "remind")
PREFIX = {"italy": "italy", "southampton": "sh"}


def stated(case):
    """Write one of the project's own cases out in the form of the handed ones."""
    prefix = PREFIX[case["ordinance"]]
    return {
        "name": case["name"],
        "ordinance": case["ordinance"],
        "on": case.get("on", "2026-06-01"),
        "event": event_of(case["ordinance"], case.get("answers", {})),
        "parcel_facts": {**FACTS, **case.get("facts", {})},
        "history": case.get("history", []),
        "expect": {
            "permit_required": case["needed"],
            "allowed": case["allowed"],
            "findings": {f"{prefix}.{rule}": status for status in STATUSES for rule in case.get(status, "").split()},
            "not_applicable": [f"{prefix}.{rule}" for rule in case.get("aside", "").split()],
            "missing_mentions": case.get("asks", "").split(),
        },
        "why": case["why"],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['ordinance']}-{case['name']}")
def test_own_case(case, tmp_path):
    written = stated(case)
    (tmp_path / "case.json").write_text(json.dumps(written), encoding="utf-8")
    done = CliRunner().invoke(every_command(), ["check", "--case", str(tmp_path / "case.json"), "--json"])
    result = json.loads(done.stdout)
    assert differences(written, result) == [], case["why"]
    assert done.exit_code == (5 if case["allowed"] is False else 0)
    needless = [text for key in case.get("asks_not", "").split() for text in result["missing"] if key in text]
    assert needless == [], case["why"]


def test_every_own_case_has_a_name_of_its_own():
    names = [(case["ordinance"], case["name"]) for case in CASES]
    assert len(set(names)) == len(names)
