"""``check``, ``deadlines``, ``ordinance`` and ``event``, as a user runs them."""

import json

import pytest
from law_toys import FACTS, event_of
from program import run


@pytest.fixture
def town(tmp_path):
    (tmp_path / "town.toml").write_text('[town]\nname = "Town"\nordinance = "italy"\n')
    return tmp_path


@pytest.fixture
def state(tmp_path):
    def write(**answers):
        changes = {key.replace("__", "."): value for key, value in answers.items()}
        case = {
            "ordinance": "italy",
            "on": "2026-06-01",
            "event": event_of("italy", changes),
            "parcel_facts": FACTS,
            "history": [],
        }
        (tmp_path / "case.json").write_text(json.dumps(case))
        return tmp_path / "case.json"

    return write


class TestCheckOfAStatedCase:
    def test_prints_one_object_with_json_and_exits_0_where_nothing_stands_in_the_way(self, state):
        done = run("check", "--case", state(), "--json")
        result = json.loads(done.stdout)
        assert done.stderr == ""
        assert set(result) == {"permit_required", "headline", "allowed", "findings", "not_applicable", "missing", "warnings"} | {
            "next_steps",
            "undated",
        }
        assert set(result["findings"][0]) >= {"rule", "status", "citation", "facts", "text", "review"}

    def test_exits_5_where_a_rule_says_no(self, state):
        done = run("check", "--case", state(site__parking_spaces=1), expect=5)
        assert done.stdout.startswith("May not be issued: 1 requirement is not met.")
        assert "  - Parking for one car for every four persons [D(5)]: 800 persons need 200 spaces" in done.stdout
        assert "[NOT MET] Parking" in run("check", "--case", state(site__parking_spaces=1), "--full", expect=5).stdout

    def test_exits_4_where_a_person_must_answer_only_if_strict(self, state):
        case = state(event__filed=None)
        run("check", "--case", case)
        run("check", "--case", case, "--strict", expect=4)

    def test_a_bad_case_is_refused_with_all_its_faults(self, tmp_path):
        (tmp_path / "case.json").write_text('{"ordinance": "italy", "extra": 1, "event": {"event": {"kind": "gala"}}}')
        done = run("check", "--case", tmp_path / "case.json", expect=3)
        assert all(key in done.stderr for key in ("extra", "on", "event.kind"))

    def test_without_a_case_a_town_and_an_event_are_asked_for(self):
        run("check", expect=2)


class TestDeadlines:
    def test_need_no_store(self, town):
        done = run("deadlines", town, "--event", "2026-07-04", "--json")
        found = {item["rule"]: (item["last_day"], item["suggested"]) for item in json.loads(done.stdout)["deadlines"]}
        assert found["italy.file90"] == ("2026-04-05", "2026-04-03")

    def test_are_printed_in_words(self, town):
        done = run("deadlines", town, "--hearing", "2026-10-20")
        assert "By Saturday, October 10, 2026 (aim for Friday, October 9, 2026)" in done.stdout

    def test_a_day_to_which_the_law_carries_a_period_is_no_day_to_aim_for(self, town):
        done = run("deadlines", town, "--complete", "2026-04-06")
        assert "By Saturday, June 20, 2026 (carried by law to Monday, June 22, 2026)" in done.stdout

    @pytest.mark.parametrize(
        "arguments",
        [(), ("--event", "soon"), ("--event", "2026-07-04", "--event-ends", "2026-07-03")],
        ids=["none", "no_date", "order"],
    )
    def test_refuse_what_cannot_be_meant(self, town, arguments):
        run("deadlines", town, *arguments, expect=2)

    def test_a_town_without_an_ordinance_is_refused(self, tmp_path):
        (tmp_path / "town.toml").write_text("[town]\n")
        done = run("deadlines", tmp_path, "--event", "2026-07-04", expect=3)
        assert "town.ordinance" in done.stderr


class TestOrdinance:
    def test_list_show_and_validate(self):
        assert {item["id"] for item in json.loads(run("ordinance", "list", "--json").stdout)["ordinances"]} >= {
            "italy",
            "southampton",
        }
        assert "italy.notice1000" in run("ordinance", "show", "italy").stdout
        run("ordinance", "validate", "southampton")

    def test_validate_tells_every_fault(self, tmp_path):
        (tmp_path / "bad.toml").write_text('id = "bad"\ncolour = "red"\nrules = []\n')
        done = run("ordinance", "validate", tmp_path / "bad.toml", expect=3)
        assert all(key in done.stderr for key in ("town", "status", "chapter", "source", "colour", "rules"))


def test_a_new_event_file_asks_what_the_law_needs(town):
    text = run("event", "new", town).stdout
    assert "# parking_spaces = 220" in text
    assert "# rides = " not in text


def test_a_new_event_file_names_a_parcel_of_the_town_itself(southampton, tmp_path):
    assert '# parcels = ["0900-' in run("event", "new", southampton).stdout
    (tmp_path / "town.toml").write_text('[town]\nname = "Town of Naples"\nordinance = "southampton"\n')
    assert '# parcels = ["..."]' in run("event", "new", tmp_path).stdout


def test_a_calendar_without_a_day_is_not_written(root, tmp_path):
    """RFC 5545, 3.6: a calendar holds one event at least; a calendar program refuses an empty one."""
    town = (
        (root / "data" / "southampton" / "town.toml").read_text().replace('ordinance = "southampton"', 'ordinance = "brookhaven"')
    )
    (tmp_path / "town.toml").write_text(town)
    done = run("deadlines", tmp_path, "--event", "2026-07-04", "--ics", tmp_path / "a.ics", "--about", "fair")
    assert "is not written" in done.stderr
    assert not (tmp_path / "a.ics").exists()


def test_what_is_written_for_a_town_bears_its_own_name(root, tmp_path):
    """The profile is the law of the town it was written for; another town that uses it is named by its own name."""
    town = tmp_path / "town"
    town.mkdir()
    (town / "town.toml").write_text('[town]\nname = "Town of Naples"\nordinance = "southampton"\n')
    run("deadlines", town, "--hearing", "2027-02-20", "--ics", tmp_path / "days.ics", "--about", "1.-1-5")
    calendar = (tmp_path / "days.ics").read_text()
    assert "Town of Naples" in calendar
    assert "Town of Southampton" not in calendar
    assert run("event", "new", town).stdout.startswith("# An event in the Town of Naples, under")
