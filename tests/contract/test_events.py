"""The stated event cases: facts of the parcel and the permit history beside the event, with the answer decided by hand."""

import json

import pytest
from typer.testing import CliRunner

from geonotice.cli.app import app


def differences(case, result):
    """Say where a result differs from what the case expects."""
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
        done = CliRunner().invoke(app, ["check", "--case", str(file), "--json"])
        result = json.loads(done.stdout)
        found = differences(case, result)
        if done.exit_code != (5 if result["allowed"] is False else 0):
            found.append(f"exit code {done.exit_code}")
        if found:
            wrong[case["name"]] = found
    assert wrong == {}
