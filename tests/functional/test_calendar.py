"""All events as a calendar file, a week's events with their conflicts, and lists of permits as a planner asks for them."""

import json
import shutil

import pytest
from icalendar import Calendar
from program import exit_code

FREE = "0900-123.00-01.00-002.000"
ON = ["--on", "2026-11-20"]
BY = ["--by", "Fire Marshal"]


@pytest.fixture
def town(southampton, tmp_path):
    """A copy of it, to change."""
    shutil.copytree(southampton, tmp_path / "southampton")
    return tmp_path / "southampton"


@pytest.fixture
def events(town, tmp_path, capsys):
    """Write the calendar and return its events by their identifier."""

    def read(*more):
        file = tmp_path / "events.ics"
        assert exit_code("calendar", str(town), "--ics", str(file), *more, *ON) == 0
        capsys.readouterr()
        return {str(one["uid"]): one for one in Calendar.from_ical(file.read_bytes()).walk("VEVENT")}

    return read


def issue(town, *more):
    stated = ["--starts", "2026-12-12", "--night", "no", "--applicant", "Ann Roe", "--title", "Roe family wedding"]
    assert exit_code("permit", "issue", str(town), FREE, *stated, *more, *BY, "--on", "2026-11-02") == 0


def test_an_event_that_is_moved_is_the_same_event(town, events):
    issue(town)
    before = events()
    assert exit_code("permit", "amend", str(town), "SE-2026-023", "--starts", "2026-12-13", "--reason", "rain", *BY, *ON) == 0
    after = events()
    assert before.keys() == after.keys()
    moved = [uid for uid in after if after[uid]["dtstart"].dt != before[uid]["dtstart"].dt]
    assert [str(after[uid]["summary"]) for uid in moved] == ["Roe family wedding (other)"]


def test_each_change_of_one_day_is_a_later_version(town, events):
    """A calendar takes an event again only where its sequence is higher."""
    issue(town)
    versions = []
    for persons in ("150", "160"):
        assert exit_code("permit", "amend", str(town), "SE-2026-023", "--persons", persons, "--reason", "more", *BY, *ON) == 0
        versions.append({uid: event["sequence"] for uid, event in events().items() if "Roe" in str(event["summary"])})
    ((first,), (second,)) = (found.values() for found in versions)
    assert second == first + 1


def test_what_was_rescinded_is_cancelled(town, events):
    issue(town)
    assert exit_code("permit", "rescind", str(town), "SE-2026-023", "--reason", "danger", *BY) == 0
    assert [str(one["status"]) for one in events().values() if "Roe" in str(one["summary"])] == ["CANCELLED"]


def test_the_public_one_names_nobody_and_keeps_a_private_title(town, events):
    issue(town)
    text = " ".join(str(value) for one in events("--public").values() for value in one.values())
    assert "Permit SE-2026-023" in text
    assert "Roe family wedding (other)" in text
    assert "Applicant" not in text
    assert "Ann Roe" not in text
    assert (
        exit_code("permit", "amend", str(town), "SE-2026-023", "--private-title", "yes", "--reason", "asked for", *BY, *ON) == 0
    )
    text = " ".join(str(value) for one in events("--public").values() for value in one.values())
    for word in ("Roe", "wedding"):
        assert word not in text
    assert "Applicant: Ann Roe" in " ".join(str(one["description"]) for one in events().values())


def test_hours_stand_in_the_time_of_the_town(town, events):
    issue(town, "--hours", "10:00-16:00")
    only = next(one for one in events().values() if "Roe" in str(one["summary"]))
    assert (only["dtstart"].dt.isoformat(), only["dtend"].dt.isoformat()) == (
        "2026-12-12T10:00:00-05:00",
        "2026-12-12T16:00:00-05:00",
    )
    assert only["dtstart"].params["TZID"] == "America/New_York"
    both = ["--ends", "2026-12-13", "--hours", "10:00-16:00", "--reason", "another day"]
    assert exit_code("permit", "amend", str(town), "SE-2026-023", *both, *BY, *ON) == 0
    after = {uid: one for uid, one in events().items() if "Roe" in str(one["summary"])}
    assert [one["dtstart"].dt.day for one in after.values()] == [12, 13]
    assert str(only["uid"]) in after


def test_a_day_that_is_given_up_is_cancelled(town, events):
    """A calendar that took the file in keeps what a later file does not name."""
    issue(town)
    for days in ("2026-12-12,2026-12-19,2026-12-26", "2026-12-12,2026-12-19", "2026-12-13"):
        more = ["--days", days] if "," in days else ["--starts", days, "--ends", days]
        assert exit_code("permit", "amend", str(town), "SE-2026-023", *more, "--reason", "fewer", *BY, *ON) == 0
    found = [(one["dtstart"].dt.isoformat(), str(one["status"])) for one in events().values() if "Roe" in str(one["summary"])]
    assert found == [("2026-12-13", "CONFIRMED"), ("2026-12-19", "CANCELLED"), ("2026-12-26", "CANCELLED")]


def test_days_that_do_not_follow_each_other_are_events_of_their_own(town, events):
    issue(town)
    days = ["--days", "2026-12-12,2026-12-13,2026-12-19"]
    assert exit_code("permit", "amend", str(town), "SE-2026-023", *days, "--reason", "two weeks", *BY, *ON) == 0
    spans = [
        (one["dtstart"].dt.isoformat(), one["dtend"].dt.isoformat()) for one in events().values() if "Roe" in str(one["summary"])
    ]
    assert spans == [("2026-12-12", "2026-12-14"), ("2026-12-19", "2026-12-20")]


def test_a_week_with_its_conflicts(town, capsys):
    issue(town)
    beside = ["--starts", "2026-12-12", "--night", "no", "--override", "both agreed"]
    assert exit_code("permit", "issue", str(town), FREE, *beside, *BY, "--on", "2026-11-02") == 0
    capsys.readouterr()
    assert exit_code("calendar", str(town), "--week", "2026-12-09", "--json") == 0
    week = json.loads(capsys.readouterr().out)
    assert (week["first"], week["last"]) == ("2026-12-07", "2026-12-13")
    assert [permit["number"] for permit in week["permits"]] == ["SE-2026-023", "SE-2026-024"]
    assert [one["permits"] for one in week["conflicts"]] == [["SE-2026-023", "SE-2026-024"]]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (["--kind", "farmers market"], ["SE-2026-006"]),
        (["--from", "2026-09-19", "--to", "2026-10-10"], ["SE-2026-020", "SE-2026-022"]),
        (["--applicant", "bay keepers", "--year", "2026"], ["SE-2026-007", "SE-2026-010", "SE-2026-013"]),
        (["--status", "void"], ["SE-2026-016"]),
        (["--district", "no such"], []),
    ],
)
def test_a_list_of_permits(southampton, capsys, asked, found):
    assert exit_code("permit", "list", str(southampton), *asked, "--json") == 0
    assert [permit["number"] for permit in json.loads(capsys.readouterr().out)["permits"]] == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--kind", "partty"], "17 permits looked through is of the kind 'partty'; there are: assembly, farmers_market"),
        (["--district", "R-4O"], "has land in the district 'R-4O'; there are: CR-120, CR-60"),
        (
            ["--at-cap", "--year", "2026", "--district", "R-4O"],
            "no lot with a permit of 2026 lies in the district 'R-4O'; there are: ",
        ),
    ],
)
def test_a_word_that_nothing_has_does_not_read_as_if_there_were_no_permit(southampton, capsys, asked, said):
    assert exit_code("permit", "list", str(southampton), *asked, *ON) == 0
    assert said in capsys.readouterr().err


def test_a_period_that_ends_before_it_begins_is_refused(southampton, capsys):
    assert exit_code("permit", "list", str(southampton), "--from", "2026-09-01", "--to", "2026-01-01") == 2
    assert "the period ends on 2026-01-01, before it begins on 2026-09-01" in capsys.readouterr().err


def test_the_list_as_a_file(town, tmp_path, capsys):
    file = tmp_path / "list.csv"
    assert exit_code("permit", "list", str(town), "--kind", "festival", "--year", "2025", "--out", str(file)) == 0
    assert file.read_text("utf-8-sig").splitlines()[1].startswith("SE-2025-014,festival")


def test_the_list_of_a_year_goes_by_what_the_cap_counts_and_says_so(southampton, capsys):
    """SE-2025-044, on residential land, was issued in 2025 for an event in 2026."""

    def listed(*way):
        assert exit_code("permit", "list", str(southampton), "--year", "2026", *way, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        return found["year_by"], "SE-2025-044" in [permit["number"] for permit in found["permits"]]

    assert [listed(), listed("--year-by", "event")] == [("cap", False), ("event", True)]
    assert [listed("--year-by", "issued"), listed("--year-by", "either")] == [("issued", False), ("either", True)]
    assert exit_code("permit", "list", str(southampton), "--year", "2026") == 0
    assert "in a residential district by the day of issue" in " ".join(capsys.readouterr().out.split())
    assert exit_code("permit", "list", str(southampton), "--at-cap", "--year-by", "event") == 2
    assert "not by --year-by" in capsys.readouterr().err


@pytest.mark.parametrize("way", ["cap", "event"])
@pytest.mark.parametrize("asked", [["list"], ["list", "--json"], ["list", "--from", "2026-07-01"], ["export", "FILE"]])
def test_a_way_of_counting_years_without_a_year_is_refused(southampton, tmp_path, capsys, asked, way):
    """The list would have every permit, and read as if it were that of a year."""
    command, *others = [str(tmp_path / "permits.csv") if word == "FILE" else word for word in asked]
    assert exit_code("permit", command, str(southampton), *others, "--year-by", way) == 2
    told = capsys.readouterr()
    assert f"--year-by {way} says by which day the permits of a year are found, and no year is given" in told.err
    assert "Give the year with --year, or leave out --year-by" in told.err
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_the_lots_at_the_cap_and_whose_permits_they_have(southampton, tmp_path, capsys):
    file = tmp_path / "cap.csv"
    asked = ["permit", "list", str(southampton), "--at-cap", "--year", "2026", *ON]
    assert exit_code(*asked, "--out", str(file), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["year"], found["on"]) == (2026, "2026-11-20")
    by_lot = {lot["parcel"]: lot for lot in found["lots"]}
    assert FREE not in by_lot
    estate = by_lot["0900-127.00-03.00-009.000"]
    assert (estate["used"], estate["cap"], estate["districts"]) == (2, 2, ["CR-60"])
    assert (estate["one_more_for_a_charity"], estate["next_date"]) == (True, "2027-01-01")
    assert "Great Neck Events, Inc." in estate["applicants"]
    assert [line.split(",")[0] for line in file.read_text("utf-8-sig").splitlines()[1:]] == list(by_lot)
    assert exit_code(*asked, "--district", "cr-60", "--json") == 0
    assert {lot["districts"][0] for lot in json.loads(capsys.readouterr().out)["lots"]} == {"CR-60"}


def test_lots_to_decide_are_named_beside_those_at_the_cap(town, capsys):
    """The district of a lot in the village is not one that the law's table knows."""
    there = "0901-004.00-03.00-006.000"
    stated = ["--starts", "2026-12-12", "--night", "no", "--override", "Board", *BY, "--on", "2026-11-02"]
    assert exit_code("permit", "issue", str(town), there, *stated) == 0
    capsys.readouterr()
    assert exit_code("permit", "list", str(town), "--at-cap", "--year", "2026", *ON) == 0
    said = capsys.readouterr().err
    assert "whether these lots are at the cap is for an official to decide first" in said
    assert there in said


def test_a_list_of_lots_takes_no_filter_of_permits(southampton, capsys):
    assert exit_code("permit", "list", str(southampton), "--at-cap", "--kind", "party", "--status", "issued") == 2
    assert "--at-cap lists lots by --year and --district, not by --status, --kind" in capsys.readouterr().err


class TestTitlesThatTheTownFileKeepsPrivate:
    """What must never stand on the public map is written down once, not given with every run."""

    @pytest.fixture
    def shown(self, town, tmp_path):
        """Set ``[register]`` in the town file, draw the public map (or the office's), and say whether the title is on it."""
        issue(town)

        def drawn(text, *more):
            file = town / "town.toml"
            file.write_text(file.read_text().replace("[register]\n", f"[register]\n{text}\n", 1))
            assert exit_code("import", str(town)) == 0
            page = tmp_path / "map.html"
            code = exit_code("map", str(town), "--year", "2026", "--out", str(page), *more, *ON)
            return "Roe family wedding" in page.read_text() if code == 0 else code

        return drawn

    def test_it_is_there_where_nothing_is_said(self, shown):
        assert shown("", "--public") is True

    @pytest.mark.parametrize("text", ["public_titles = false", 'private_titles = ["SE-2026-023"]'])
    def test_it_stays_off_the_public_map(self, text, shown):
        assert shown(text, "--public") is False

    def test_a_permit_so_marked_stays_off_the_public_map(self, town, shown):
        asked = ["--private-title", "yes", "--reason", "asked for"]
        assert exit_code("permit", "amend", str(town), "SE-2026-023", *asked, *BY, *ON) == 0
        assert shown("", "--public") is False

    def test_the_office_sees_it(self, shown):
        assert shown('private_titles = ["SE-2026-023"]') is True

    def test_a_slip_in_a_number_is_refused(self, shown, capsys):
        assert shown('private_titles = ["SE-2026-032"]', "--public") == 2
        assert "which the register does not have" in capsys.readouterr().err
