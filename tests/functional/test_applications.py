"""An application from the day it comes in to the decision, as a clerk enters it."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from program import exit_code, run

import geonotice

OFFICIALS = ("Chief of Police", "Emergency Management", "Fire Marshal", "Planning")
BY = ["--by", "Town Clerk"]


@pytest.fixture
def town(southampton, tmp_path):
    """A copy of it, to change."""
    shutil.copytree(southampton, tmp_path / "southampton")
    return tmp_path / "southampton"


@pytest.fixture
def ask(town, capsys):
    """Run a command of ``application`` or ``permit`` and return its exit code, its object and what it said beside."""

    def asked(*words, on="2026-11-30"):
        code = exit_code(words[0], words[1], str(town), *map(str, words[2:]), *BY, "--on", on, "--json")
        said = capsys.readouterr()
        return code, json.loads(said.out or "null"), said.err

    return asked


def ask_permit(town, number):
    return json.loads(run("permit", "show", town, number, "--json").stdout)


def check_permit(town, *asked, expect=0):
    return json.loads(run("permit", "check", town, *asked, "--on", "2026-11-30", "--json", expect=expect).stdout)


@pytest.fixture
def filed(ask, town):
    """File the garden party of 19 June 2027, complete on 24 November 2026."""
    return ask("application", "add", town / "events" / "allowed.toml", "--fee", "150")[1]


def test_through_sign_off_to_the_permit(ask, filed, town):
    """283-4: four officials review a special event; a decision within 30 business days."""
    assert (filed["number"], filed["status"], filed["decide_by"], filed["fee"]) == ("A2026-0001", "open", "2027-01-08", "150.00")
    code, refused, said = ask("permit", "issue", "--application", "A2026-0001")
    assert (code, refused["number"]) == (5, None)
    assert [one["rule"] for one in refused["against"]] == ["sh.review"]
    assert f'geonotice application sign-off {town} A2026-0001 "Chief of Police" --by NAME' in said
    assert [one["rule"] for one in check_permit(town, "--application", "A2026-0001", expect=5)["against"]] == ["sh.review"]
    for official in OFFICIALS:
        assert ask("application", "sign-off", "A2026-0001", official)[0] == 0
    code, made, _ = ask("permit", "issue", "--application", "A2026-0001")
    assert (code, made["number"], made["checked"], made["starts"]) == (0, "SE-2026-023", "event", "2027-06-19")
    shown = ask_permit(town, "SE-2026-023")
    assert (shown["application"], shown["hours"], shown["fee"]) == (
        "A2026-0001", [{"starts": "2027-06-19T16:00", "ends": "2027-06-19T22:00"}], "150.00",
    )  # fmt: skip
    with geonotice.open_town(town) as opened:
        (kept,) = opened.applications
        assert (kept.status, kept.permits) == ("approved", ("SE-2026-023",))
    code, _, said = ask("permit", "issue", "--application", "A2026-0001")
    assert code == 2
    assert "was approved" in said


def test_an_event_is_not_in_the_way_of_its_own_permit(ask, filed, town):
    assert ask("permit", "issue", "--application", filed["number"], "--override", "Resolution 7")[0] == 0
    for event in (["--application", filed["number"]], ["--event", str(town / "events" / "allowed.toml")]):
        found = check_permit(town, *event)
        codes = {warning["code"] for warning in found["warnings"]}
        assert (found["used"], "conflict" in codes, "own_permit" in codes) == (1, False, True)


def test_a_new_event_file_keeps_what_was_noted_and_tells_who_signed_the_old_one(ask, filed, town, tmp_path):
    number = filed["number"]
    ask("application", "receive", number, "--contact", "J. Moore", "--support-agreement", "yes")
    ask("application", "sign-off", number, "Planning")
    changed = tmp_path / "changed.toml"
    changed.write_text((town / "events" / "allowed.toml").read_text().replace("persons_at_once = 240", "persons_at_once = 230"))
    code, found, _ = ask("application", "receive", number, "--event", changed)
    assert (code, found["event"]["event"]["contact"], found["event"]["benefit"]["support_agreement"]) == (0, "J. Moore", True)
    assert [one["text"] for one in found["warnings"] if one["code"] == "signed_before_change"] == [
        "Signed off before the event changed ([event]): Town Planning and Development Administrator. Have them sign again if the change is theirs to review."
    ]


def test_an_override_passes_over_missing_sign_offs_and_the_permit_shows_it(ask, filed):
    code, made, _ = ask("permit", "issue", "--application", filed["number"], "--override", "Resolution 7")
    assert (code, made["override"]) == (0, "Resolution 7")
    assert made["overridden"].startswith("sh.review (not met): the application is not signed off by: Chief of Police")


def test_an_official_is_known_by_a_part_of_the_office_that_fits_one(ask, filed):
    code, _, said = ask("application", "sign-off", filed["number"], "Administrator")
    assert (code, "could be Town Code Compliance" in said) == (2, True)
    assert ask("application", "sign-off", filed["number"], "Mayor")[0] == 2


def test_a_policy_that_expires_before_the_event_is_told(ask, filed, tmp_path):
    policy = tmp_path / "policy.pdf"
    policy.write_bytes(b"policy")
    _, made, _ = ask("application", "document", filed["number"], policy, "--what", "insurance", "--expires", "2027-06-18")
    assert made["documents"][0]["expires"] == "2027-06-18"
    assert len(made["documents"][0]["sha256"]) == 64
    assert "document_expired" in {warning["code"] for warning in made["warnings"]}


def test_what_is_due_this_week(ask, filed, town, capsys):
    for on, due in (("2026-12-31", []), ("2027-01-01", ["A2026-0001"]), ("2027-02-01", ["A2026-0001"])):
        exit_code("application", "list", str(town), "--due", "--on", on, "--json")
        found = json.loads(capsys.readouterr().out)["applications"]
        assert [one["number"] for one in found] == due
    assert found[0]["due"] == [{"day": "2027-01-08", "what": "decide", "late": True}]


def test_last_year_s_is_filed_again_on_other_days_with_its_hours(ask, filed):
    code, made, _ = ask("application", "add", "--from", filed["number"], "--starts", "2028-06-17", on="2027-11-01")
    assert (code, made["number"], made["copied_from"], made["complete"]) == (0, "A2027-0001", "A2026-0001", None)
    assert (made["event"]["event"]["starts"], made["event"]["event"]["ends"]) == ("2028-06-17T16:00:00", "2028-06-17T22:00:00")
    assert "tents" not in made["event"]["site"]
    assert ask("application", "add", "--from", filed["number"])[0] == 2
    days = ["--days", "2028-06-17,2028-07-01"]
    _, made, _ = ask("application", "add", "--from", filed["number"], *days, on="2027-11-01")
    assert made["event"]["event"]["days"] == [
        {"on": "2028-06-17", "from": "16:00", "to": "22:00"},
        {"on": "2028-07-01", "from": "16:00", "to": "22:00"},
    ]


def test_an_event_before_its_application_is_told_also_to_who_looks_at_it(ask, filed, town, capsys):
    _, made, _ = ask("application", "add", "--from", filed["number"], "--starts", "2026-11-20", on="2026-11-30")
    text = "The event begins on 2026-11-20, before the day on which the application was filed: 2026-11-30"
    assert [one["code"] for one in made["warnings"]].count("filed_after_event") == 1
    assert exit_code("application", "show", str(town), made["number"]) == 0
    assert text in " ".join(capsys.readouterr().err.split())
    assert "filed_after_event" not in {one["code"] for one in filed["warnings"]}


def test_found_complete_later_the_days_are_counted(ask, filed):
    again = ask("application", "add", "--from", filed["number"], "--starts", "2028-06-17", on="2027-11-01")[1]
    assert again["decide_by"] is None
    code, made, _ = ask(
        "application", "receive", again["number"], "--complete", "2027-11-08", "--support-agreement", "yes", on="2027-11-09"
    )
    assert (code, made["complete"], made["decide_by"]) == (0, "2027-11-08", "2027-12-22")
    assert made["event"]["benefit"]["support_agreement"] is True
    assert ask("application", "receive", again["number"], "--complete", "2027-10-01")[0] == 2


def test_denied_with_reasons_and_the_days_of_the_appeal(ask, filed):
    """283-9: an appeal within 10 days from receipt."""
    code, made, _ = ask(
        "application", "deny", filed["number"], "--reason", "Too few services", "--reason", "No parking", on="2026-12-04"
    )
    assert (code, made["status"], made["reasons"]) == (0, "denied", ["Too few services", "No parking"])
    assert (made["appeal"]["rule"], made["appeal"]["last_day"]) == ("sh.appeal10", "2026-12-14")
    assert ask("permit", "issue", "--application", filed["number"])[0] == 2


def test_a_file_with_faults_is_not_filed(ask, town):
    wrong = town / "wrong.toml"
    wrong.write_text('[event]\nkind = "fair"\nstarts = 2027-06-19\n')
    assert ask("application", "add", wrong)[0] == 3
    wrong.write_text('[event]\nkind = "party"\nstarts = 2027-06-19\n[premises]\nparcels = ["0900-999.00-01.00-001.000"]\n')
    code, _, said = ask("application", "add", wrong)
    assert code != 0
    assert "0900-999.00-01.00-001.000" in said


def test_an_official_who_does_not_approve_stands_against_the_permit_until_the_word_is_taken_back(ask, filed, town):
    for official in OFFICIALS[1:]:
        ask("application", "sign-off", "A2026-0001", official)
    assert ask("application", "sign-off", "A2026-0001", OFFICIALS[0], "--refuse")[0] == 2
    assert ask("application", "sign-off", "A2026-0001", OFFICIALS[0], "--refuse", "--note", "no officers that day")[0] == 0
    found = check_permit(town, "--application", "A2026-0001", expect=5)
    assert "not approved by: Chief of Police (no officers that day)" in found["headline"]["text"]
    assert ask("application", "sign-off", "A2026-0001", OFFICIALS[0], "--withdraw", "--note", "another day was meant")[0] == 0
    assert ask("application", "sign-off", "A2026-0001", OFFICIALS[0])[0] == 0
    assert ask("permit", "issue", "--application", "A2026-0001")[0] == 0


def test_a_denial_is_taken_back_and_the_log_keeps_both(ask, filed, town):
    ask("application", "deny", "A2026-0001", "--reason", "no insurance")
    run("application", "reopen", town, "A2026-0001", "--reason", "the policy was filed", *BY, "--on", "2026-12-02")
    shown = json.loads(run("application", "show", town, "A2026-0001", "--json").stdout)
    assert (shown["status"], shown["reasons"]) == ("open", [])
    assert [one["action"] for one in shown["log"]][-2:] == ["application_deny", "application_reopen"]
    assert shown["log"][-1]["why"] == "the policy was filed (dated 2026-12-02)"
    run("application", "reopen", town, "A2026-0001", "--reason", "again", *BY, expect=2)


def test_a_notice_takes_the_event_of_an_application_as_of_its_file(filed, town):
    asked = ("notice", town, "--for", "filing", "--on", "2026-11-30", "--json")
    by_number = json.loads(run(*asked, "--application", filed["number"]).stdout)
    by_file = json.loads(run(*asked, "--event", town / "events" / "allowed.toml").stdout)
    assert by_number == by_file
    refused = run(*asked, "--application", filed["number"], "--event", "2027-06-19", expect=2)
    assert "an application and an event are both given" in refused.stderr


def test_a_backup_is_the_register_and_keeps_the_one_that_was_there(filed, town, tmp_path):
    copy = tmp_path / "permits-copy.sqlite"
    copy.write_bytes(b"an earlier copy")
    done = json.loads(run("permit", "backup", town, copy, "--json").stdout)
    assert done["bytes"] == copy.stat().st_size
    assert done["kept"] is not None
    with closing(sqlite3.connect(copy)) as register:
        assert register.execute("SELECT number FROM applications").fetchall() == [(filed["number"],)]
    assert exit_code("permit", "backup", str(town), str(town / "permits.sqlite")) == 3
