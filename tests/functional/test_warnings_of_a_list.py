"""The warnings of a list on the terminal and on the packet's first page: few lines, the worst first, and all of it one command away."""

import json

import pytest
from program import run_here

ASKED = ["51.00-1-1", "--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]


def warned(said: str) -> list[str]:
    """Return the lines from the heading of the warnings to the next heading."""
    lines = [line.rstrip() for line in said.splitlines()]
    first = lines.index("Look at these first")
    return [line for line in lines[first : lines.index("By when")] if line]


@pytest.mark.parametrize("columns", [80, 110, 160])
def test_the_italy_list_takes_at_most_25_lines_and_says_how_to_see_the_rest(italy, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = warned(run_here("notice", italy, *ASKED).stdout)
    assert len(lines) <= 25
    assert "--full" in " ".join(lines[-2:])
    assert "No owner of record is known" in lines[1]


def test_full_prints_every_text_and_every_parcel_of_the_record(italy, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    said = " ".join(run_here("notice", italy, *ASKED, "--full").stdout.split())
    found = json.loads(run_here("notice", italy, *ASKED, "--json").stdout)["warnings"]
    assert len(found) > 5
    for warning in found:
        assert " ".join(warning["text"].split()) in said
        assert [one for one in warning.get("parcels", ()) if one not in said] == []


def test_the_record_has_the_worst_first(italy):
    found = [one["code"] for one in json.loads(run_here("notice", italy, *ASKED, "--json").stdout)["warnings"]]
    assert found[:2] == ["owner_unknown", "unmailable"]
    assert found[-1] == "premises_residents"


def test_a_notice_too_late_stands_before_what_is_old_or_not_seen(italy):
    late = [*ASKED[:-1], "2026-10-15"]
    found = [one["code"] for one in json.loads(run_here("notice", italy, *late, "--json").stdout)["warnings"]]
    assert found.index("notice_late") < found.index("no_address_point")
