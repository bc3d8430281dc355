"""What stands on the screen, on a terminal of 80 columns as on a wide one: nothing runs over, and no number is broken in two."""

import re
from pathlib import Path

import pytest
from program import run_here

from geonotice.decide.deadlines import CAREFUL

TODAY = ["--on", "2026-09-01"]
PREMISES = "0900-127.00-03.00-009.000"
NUMBER = re.compile(r"\b0900-\d{3}\.\d{2}-\d{2}\.\d{2}-\d{3}\.\d{3}\b")


def commands(southampton):
    return {
        "notice": ["notice", southampton, PREMISES, "--for", "appeal", "--hearing", "2026-10-20", *TODAY],
        "parcel": ["parcel", southampton, PREMISES],
        "inspect": ["inspect", southampton / "parcels.gpkg"],
        "permit list": ["permit", "list", southampton],
        "permit log": ["permit", "log", southampton],
        "permit show": ["permit", "show", southampton, "SE-2026-003"],
        "permit check": ["permit", "check", southampton, PREMISES, "--starts", "2026-12-12", "--night", "no", *TODAY],
        "check": ["check", southampton, southampton / "events" / "undecided.toml", *TODAY],
        "deadlines": ["deadlines", southampton, "--hearing", "2026-10-20", *TODAY],
        "ordinance show": ["ordinance", "show", "southampton"],
        "ordinance list": ["ordinance", "list"],
    }


NAMES = list(commands(Path()))
NO = {"permit check": 5}


class TestEightyColumns:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("columns", [80, 120])
    def test_no_line_runs_over(self, southampton, monkeypatch, name, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        said = run_here(*commands(southampton)[name], expect=NO.get(name, 0)).stdout
        assert [line for line in said.splitlines() if len(line) > columns] == []

    @pytest.mark.parametrize("name", ["notice", "permit list", "permit check"])
    def test_a_tax_map_number_stays_whole_where_the_wide_terminal_has_it_whole(self, southampton, monkeypatch, name):
        found = []
        for columns in ("200", "80"):
            monkeypatch.setenv("COLUMNS", columns)
            found.append(sorted(set(NUMBER.findall(run_here(*commands(southampton)[name], expect=NO.get(name, 0)).stdout))))
        assert found[0] == found[1] != []

    def test_the_list_on_a_narrow_terminal_says_all_that_the_wide_one_says(self, southampton, monkeypatch):
        monkeypatch.setenv("COLUMNS", "80")
        said = " ".join(run_here("permit", "list", southampton, "--parcel", PREMISES).stdout.split())
        assert "SE-2026-003 2026-03-16 0900-127.00-03.00-009.000 party issued 2026-07-03 Chidester Elias G" in said


class TestAListOfPermits:
    def test_one_and_none(self, southampton):
        assert "1 permit\n" in re.sub(
            r" +\n", "\n", run_here("permit", "list", southampton, "--parcel", "0900-123.00-03.00-006.000").stdout
        )
        assert run_here("permit", "list", southampton, "--year", "1999").stdout.startswith(
            "0 permits of 1999 as the caps count them"
        )


def test_what_was_due_before_today_is_marked(southampton):
    def said(on):
        return run_here("deadlines", southampton, "--hearing", "2026-10-20", "--on", on).stdout

    assert "PAST: By Saturday, October 10, 2026" in said("2026-10-11")
    assert "PAST" not in said("2026-10-10")


def test_a_list_says_which_reading_of_a_weekend_is_careful(southampton):
    """283-9: findings within ten days of the hearing, which end on Saturday, January 30, 2027."""
    asked = ["--for", "appeal", "--hearing", "2027-01-20", "--on", "2026-12-01"]
    said = " ".join(run_here("notice", southampton, PREMISES, *asked).stdout.split())
    assert (
        "By the plain count the last day is Saturday, January 30, 2027; General Construction Law § 25-a carries it past the weekend or holiday to Monday,"
        f" February 1, 2027. {CAREFUL}"
    ) in said


def test_a_hearing_that_is_not_before_the_event_is_pointed_out(southampton):
    def said(hearing):
        return run_here("deadlines", southampton, "--event", "2026-10-20", "--hearing", hearing, *TODAY).stdout

    assert "The hearing is not before the event begins: check the dates." in said("2026-10-20")
    assert "check the dates" not in said("2026-10-19")


def test_a_profile_that_is_not_there_is_looked_for_where_the_command_is_given(tmp_path):
    error = run_here("ordinance", "validate", tmp_path / "nowhere.toml", expect=1).exception
    assert "a relative one starts at the folder that the command is given in" in str(error)
