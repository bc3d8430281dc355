"""The register as a clerk meets it: ``permit`` and ``map``."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date, datetime

import pytest
from program import HEAVY, exit_code, imported_by, run

import geonotice

FREE = "0900-123.00-01.00-002.000"
FULL = "0900-127.00-03.00-009.000"
SPLIT = "0900-124.00-02.00-002.000"
TODAY = ["--on", "2026-09-01"]


@pytest.fixture
def town(southampton, tmp_path):
    """A copy of it, to change."""
    shutil.copytree(southampton, tmp_path / "southampton")
    return tmp_path / "southampton"


class TestCheck:
    """283-6B: how many permits an individual property may have in a calendar year."""

    def test_a_property_without_permits_has_two(self, southampton):
        made = json.loads(run("permit", "check", southampton, FREE, "--starts", "2026-12-20", *TODAY, "--json").stdout)
        assert (made["status"], made["rule"], made["zone"]) == ("met", "sh.cap_residential", "residential")
        assert (made["used"], made["cap"]) == (0, 2)
        assert [parcel["id"] for parcel in made["parcels"]] == [FREE]

    def test_past_the_cap_exits_with_5_and_gives_the_next_date(self, southampton):
        done = run("permit", "check", southampton, FULL, "--starts", "2026-12-20", *TODAY, "--json", expect=5)
        made = json.loads(done.stdout)
        assert (made["status"], made["used"], made["cap"]) == ("not_met", 2, 2)
        assert made["next_date"] == "2027-01-01"

    def test_a_third_only_for_a_charity_that_it_primarily_benefits(self, southampton):
        args = ["permit", "check", southampton, FULL, "--starts", "2026-12-20", *TODAY, "--charity"]
        run(*args, expect=5)
        run(*args, "--benefits-applicant")

    def test_the_second_event_at_night_outside_a_residential_district_is_refused(self, southampton):
        run("permit", "check", southampton, SPLIT, "--starts", "2026-12-20", "--night", "yes", *TODAY, expect=5)

    def test_a_person_reads_what_is_used_and_left(self, southampton):
        text = run("permit", "check", southampton, FULL, "--starts", "2026-12-20", *TODAY, expect=5).stdout
        assert "NO: the limit is reached" in text
        assert "2027-01-01" in text
        assert "SE-2026-003" in text

    def test_without_a_date_it_is_refused_in_words(self, southampton):
        assert "--starts" in run("permit", "check", southampton, FREE, *TODAY, expect=2).stderr

    def test_an_owner_of_no_known_kind_is_refused(self, southampton):
        args = ["permit", "check", southampton, FREE, "--starts", "2026-12-20", "--owned-by", "a bank"]
        assert "museum" in run(*args, expect=2).stderr

    def test_the_answers_of_an_event_file_are_taken(self, southampton, root):
        file = root / "data" / "southampton" / "events" / "allowed.toml"
        made = json.loads(run("permit", "check", southampton, "--event", file, *TODAY, "--json").stdout)
        assert made["parcels"]


class TestIssue:
    """A permit is issued, counted, rescinded or voided; nothing is deleted, and the log keeps who did it and why."""

    def test_two_are_issued_and_the_third_is_refused(self, town):
        args = ["permit", "issue", town, FREE, "--starts", "2026-12-20", "--by", "Fire Marshal", *TODAY]
        first = json.loads(run(*args, "--json").stdout)
        assert (first["number"], first["status"]) == ("SE-2026-023", "issued")
        run(*args)
        assert "2 of 2" in run(*args, expect=5).stderr
        assert len(json.loads(run("permit", "list", town, "--parcel", FREE, "--json").stdout)["permits"]) == 2

    def test_a_rescinded_permit_still_counts_and_a_void_one_does_not(self, town):
        args = ["permit", "issue", town, FREE, "--starts", "2026-12-20", "--by", "Fire Marshal", *TODAY]
        run(*args)
        run(*args)
        run("permit", "rescind", town, "SE-2026-023", "--reason", "rained off", "--by", "Fire Marshal", *TODAY)
        run(*args, expect=5)
        run("permit", "void", town, "SE-2026-024", "--reason", "typed twice", "--by", "Fire Marshal", *TODAY)
        run(*args)

    def test_an_override_needs_a_reason_and_is_shown_ever_after(self, town):
        made = json.loads(
            run("permit", "issue", town, FULL, "--starts", "2026-12-20", "--override", "Board of 3 May", *TODAY, "--json").stdout
        )
        shown = run("permit", "show", town, made["number"]).stdout
        assert "PAST THE LIMIT" in shown
        assert "Board of 3 May" in shown

    def test_the_log_is_sound_until_somebody_changes_the_register_behind_it(self, town):
        run("permit", "issue", town, FREE, "--starts", "2026-12-20", *TODAY)
        report = json.loads(run("permit", "log", town, "--verify", "--json").stdout)
        assert report["sound"]
        with closing(sqlite3.connect(town / "permits.sqlite")) as db, db:
            db.execute("UPDATE permits SET applicant = 'somebody else' WHERE number = 'SE-2026-023'")
        assert "SE-2026-023" in run("permit", "log", town, "--verify", expect=3).stdout

    def test_a_permit_dated_back_says_so_and_the_log_has_the_clock_s_time(self, town):
        before = datetime.now().astimezone()
        args = ["permit", "issue", town, FREE, "--starts", "2026-12-20", "--by", "Fire Marshal", "--on", "2025-12-31", "--json"]
        made = json.loads(run(*args).stdout)
        assert (made["number"], made["issued"]) == ("SE-2025-045", "2025-12-31")
        assert "dated_otherwise" in {warning["code"] for warning in made["warnings"]}
        run("permit", "rescind", town, "SE-2025-045", "--reason", "rain", "--on", "2026-01-02")
        issued, rescinded = json.loads(run("permit", "show", town, "SE-2025-045", "--json").stdout)["log"]
        assert before <= datetime.fromisoformat(issued["at"]) <= datetime.fromisoformat(rescinded["at"])
        assert rescinded["why"] == "rain (dated 2026-01-02)"

    def test_what_the_permit_itself_says_is_kept_with_it(self, town):
        """Southampton 283-4: the permit states the maximum number of persons; further conditions may be set."""
        args = ["--title", "Harvest fair", "--maximum-attendance", "450", "--conditions", "no sound after 10 p.m."]
        number = json.loads(run("permit", "issue", town, FREE, "--starts", "2026-12-20", *args, *TODAY, "--json").stdout)[
            "number"
        ]
        made = json.loads(run("permit", "show", town, number, "--json").stdout)
        assert (made["title"], made["maximum_attendance"], made["conditions"]) == ("Harvest fair", 450, "no sound after 10 p.m.")
        run("permit", "issue", town, FREE, "--starts", "2026-12-20", "--maximum-attendance", "99999999", *TODAY, expect=2)

    def test_an_event_before_its_permit_is_said(self, southampton):
        made = json.loads(run("permit", "check", southampton, FREE, "--starts", "2026-08-08", *TODAY, "--json").stdout)
        assert "event_before_permit" in {warning["code"] for warning in made["warnings"]}

    def test_a_permit_that_is_not_there_is_refused(self, town):
        run("permit", "rescind", town, "1999-0001", "--reason", "gone", expect=2)


class TestWithoutARegister:
    """What only reads says that there is no register, counts nothing, and leaves none behind for somebody to take for the town's own."""

    @pytest.fixture
    def bare(self, town):
        for file in town.glob("permits.sqlite*"):
            file.unlink()
        yield town
        assert list(town.glob("permits.sqlite*")) == []

    def test_a_check_counts_nothing_and_says_so_once(self, bare):
        args = ["permit", "check", bare, FULL, "--starts", "2026-12-20", *TODAY]
        made = json.loads(run(*args, "--json").stdout)
        assert (made["status"], made["review"]) == ("met", ["no_register"])
        assert [warning["code"] for warning in made["warnings"]] == ["no_register"]
        text = run(*args).stdout
        assert "nothing could be counted" in text
        assert "0 of 2" not in text

    def test_a_check_of_an_event_says_the_same(self, bare):
        made = json.loads(run("check", bare, bare / "events" / "allowed.toml", *TODAY, "--json").stdout)
        assert [warning["code"] for warning in made["warnings"]].count("no_register") == 1
        (cap,) = [finding for finding in made["findings"] if finding["rule"] == "sh.cap_residential"]
        assert "no permit register" in cap["text"]
        assert (cap["facts"]["used"], cap["review"]) == (None, ["no_register"])
        text = run("check", bare, bare / "events" / "allowed.toml", *TODAY).stdout
        assert "0 of" not in text

    @pytest.mark.parametrize("args", [["list"], ["log"], ["export", "out.csv"]])
    def test_lists_are_empty_and_say_why(self, bare, tmp_path, args):
        done = run("permit", args[0], bare, *args[1:], cwd=tmp_path)
        assert "There is no permit register yet" in done.stderr
        made = json.loads(run("permit", args[0], bare, *args[1:], "--json", cwd=tmp_path).stdout)
        assert made.get("permits", made.get("log")) in ([], 0)
        assert "no permit register" in json.dumps(made.get("warnings", made.get("remarks")))

    def test_a_dry_run_of_an_import_makes_none(self, bare):
        report = json.loads(run("permit", "import", bare, bare / "permits.csv", "--dry-run", *TODAY, "--json").stdout)
        assert (report["written"], report["counts"]["taken"]) == (False, 17)

    def test_the_event_map_is_drawn_and_says_it(self, bare, tmp_path):
        page = tmp_path / "map.html"
        made = json.loads(run("map", bare, "--year", "2026", "--out", page, *TODAY, "--json").stdout)
        assert [warning["code"] for warning in made["warnings"]] == ["no_register"]
        assert "There is no permit register yet" in page.read_text()

    def test_from_python(self, bare):
        with geonotice.open_town(bare) as town:
            assert town.permits == ()
            assert type(town.event_map(2026)).__name__ == "Map"

    @pytest.mark.parametrize(
        "args",
        [
            ["show", "SE-2026-023"],
            ["rescind", "SE-2026-023", "--reason", "x"],
            ["void", "SE-2026-023", "--reason", "x"],
            ["log", "--verify"],
        ],
    )
    def test_what_makes_no_sense_without_one_is_refused(self, bare, args):
        assert "there is no permit register" in run("permit", args[0], bare, *args[1:], expect=3).stderr

    @pytest.mark.parametrize("args", [["--starts", "9999-01-01"], ["--starts", "2026-12-20", "--owned-by", "a bank"], []])
    def test_an_application_that_cannot_be_read_starts_none(self, bare, args):
        run("permit", "issue", bare, FREE, *args, *TODAY, expect=2)

    def test_an_import_of_the_layers_makes_none(self, bare):
        run("import", bare)


def test_an_empty_file_is_no_register(town):
    for file in town.glob("permits.sqlite*"):
        file.unlink()
    (town / "permits.sqlite").touch()
    assert "no_register" in run("permit", "check", town, FREE, "--starts", "2026-12-20", *TODAY, "--json").stdout
    assert (town / "permits.sqlite").stat().st_size == 0


def test_export_and_import_give_the_same_permits(town, tmp_path):
    run("permit", "export", town, tmp_path / "permits.csv")
    again = json.loads(run("permit", "import", town, tmp_path / "permits.csv", *TODAY, "--json").stdout)
    assert again["counts"]["taken"] == 0
    assert again["counts"]["there_already"] == 17


def test_an_export_and_a_map_say_in_json_what_was_written(southampton, tmp_path):
    file = tmp_path / "permits.csv"
    assert json.loads(run("permit", "export", southampton, file, "--json").stdout)["permits"] == 17
    assert file.exists()
    page = tmp_path / "map.html"
    made = json.loads(run("map", southampton, "--year", "2026", "--public", "--out", page, *TODAY, "--json").stdout)
    assert made == {"file": str(page), "year": 2026, "public": True, "warnings": []}
    assert page.exists()


class TestUndecided:
    """A night nobody stated decides where the one event at night is already used: a person must answer first."""

    @pytest.fixture
    def one_at_night(self, town):
        """The split lot with one event of 2027, at night."""
        run("permit", "issue", town, SPLIT, "--starts", "2027-03-06", "--night", "yes", "--by", "Fire Marshal", *TODAY)
        return town

    def test_a_check_says_decide_and_exits_with_4_only_when_strict(self, one_at_night):
        args = ["permit", "check", one_at_night, SPLIT, "--starts", "2027-05-01", *TODAY]
        made = json.loads(run(*args, "--json").stdout)
        assert (made["status"], made["rule"], made["zone"]) == ("decide", "sh.cap_other", "split")
        assert made["review"]
        run(*args, "--strict", expect=4)
        run(*args, "--night", "no", "--strict")
        run(*args, "--night", "yes", expect=5)

    def test_it_is_not_issued_until_it_is_answered_or_overridden(self, one_at_night):
        args = ["permit", "issue", one_at_night, SPLIT, "--starts", "2027-05-01", "--by", "Fire Marshal", *TODAY]
        run(*args, expect=4)
        assert len(json.loads(run("permit", "list", one_at_night, "--year", "2027", "--json").stdout)["permits"]) == 1
        run(*args, "--override", "the Board knows the hours")
        run(*args, "--night", "no")


def test_a_row_that_does_not_fit_is_asked_about_and_exits_with_4(town, tmp_path):
    file = tmp_path / "past.csv"
    lines = (town / "permits.csv").read_text().splitlines()
    file.write_text(f"{lines[0]}\n{lines[1].replace('2025-', '2025/').replace('SE-', 'XX-')}\n")
    report = json.loads(run("permit", "import", town, file, *TODAY, "--json", expect=4).stdout)
    assert report["counts"]["refused"] == 1
    assert report["rows"][0]["reasons"]


def test_the_event_map_goes_into_maps_of_the_current_folder(southampton, tmp_path):
    run("map", southampton, "--year", "2026", *TODAY, cwd=tmp_path)
    page = (tmp_path / "maps" / "southampton-2026.html").read_text()
    assert "Chidester" in page
    run("map", southampton, "--year", "2026", "--public", "--out", tmp_path / "public.html", *TODAY)
    assert "Chidester" not in (tmp_path / "public.html").read_text()


def test_the_same_from_python(southampton):
    with geonotice.open_town(southampton) as town:
        assert len(town.permits) == 17
        assert town.check(southampton / "events" / "refused.toml", on=date(2026, 11, 30)).allowed is False
        assert type(town.event_map(2026)).__name__ == "Map"


@pytest.mark.parametrize(
    "args",
    [
        ["check", FREE, "--starts", "2026-12-20"],
        ["list"],
        ["list", "--parcel", FREE],
        ["log"],
        ["show", "SE-2026-003"],
    ],
    ids=" ".join,
)
def test_what_only_reads_imports_no_heavy_library_and_no_sqlalchemy(southampton, args):
    assert imported_by("permit", args[0], southampton, *args[1:], "--json", among=(*HEAVY, "sqlalchemy", "alembic")) == set()


def test_a_parcel_with_its_permits_is_shown_without_sqlalchemy(southampton):
    assert imported_by("parcel", southampton, FREE, "--json", among=(*HEAVY, "sqlalchemy", "alembic")) == set()


def test_the_log_is_verified_without_heavy_libraries(southampton):
    assert imported_by("permit", "log", southampton, "--verify", "--json") == set()


def test_an_event_file_without_a_route_loads_what_checks_it_and_nothing_that_reads_layers(southampton, root):
    file = root / "data" / "southampton" / "events" / "allowed.toml"
    asked = ("permit", "check", southampton, "--event", file, *TODAY, "--json")
    assert imported_by(*asked, among=(*HEAVY, "sqlalchemy")) <= {"pydantic"}


class TestNoHeavyLibraryIsImportedByWhatWrites:
    @pytest.mark.parametrize("form", [["--json"], []], ids=["json", "table"])
    def test_issue(self, town, form):
        assert (
            imported_by("permit", "issue", town, FREE, "--starts", "2026-12-20", "--by", "Fire Marshal", *TODAY, *form) == set()
        )

    def test_rescind_and_void(self, town):
        assert imported_by("permit", "rescind", town, "SE-2026-003", "--reason", "rain", "--json") == set()
        assert imported_by("permit", "void", town, "SE-2026-003", "--reason", "typed twice", "--json") == set()

    def test_import_of_a_csv(self, town):
        assert imported_by("permit", "import", town, town / "permits.csv", "--json") == set()

    def test_an_event_file_costs_what_checks_it_and_nothing_more(self, town):
        event = town / "events" / "allowed.toml"
        assert imported_by("permit", "check", town, "--event", event, *TODAY, "--json") == {"pydantic"}
        assert imported_by("permit", "issue", town, "--event", event, "--by", "Fire Marshal", *TODAY, "--json") == {"pydantic"}


def test_a_parade_anywhere_in_town_counts_for_the_days_between_parades(town, tmp_path):
    run(
        "permit",
        "issue",
        town,
        FREE,
        "--kind",
        "parade",
        "--starts",
        "2026-07-04",
        "--by",
        "Chief of Police",
        "--on",
        "2026-04-01",
    )
    event = tmp_path / "parade.toml"
    lines = ["[event]", 'kind = "parade"', "starts = 2026-07-20", "filed = 2026-04-01", "[premises]", f'parcels = ["{FULL}"]']
    event.write_text("\n".join(lines))
    made = json.loads(run("check", town, event, "--on", "2026-04-10", "--json").stdout)
    (found,) = [finding for finding in made["findings"] if finding["rule"] == "sh.parade30"]
    assert found["status"] == "decide"
    assert "2026-07-04" in found["text"] + json.dumps(found["facts"])


class TestADistrictThatTheTownHasDetermined:
    """HB is one of the districts whose class nobody has verified in the law itself."""

    OPEN = "0900-124.00-04.00-006.000"

    def test_is_decided_once_the_town_file_says_whose_word_it_is(self, town):
        before = json.loads(
            run("permit", "check", town, self.OPEN, "--starts", "2026-12-20", "--night", "no", *TODAY, "--json").stdout
        )
        assert (before["zone"], "unverified_district" in {item["code"] for item in before["warnings"]}) == ("other", True)
        with (town / "town.toml").open("a") as file:
            file.write('\n[[districts]]\ncode = "HB"\nclass = "other"\nsource = "Town Attorney, 3 March 2026"\n')
        run("import", town)
        after = json.loads(
            run("permit", "check", town, self.OPEN, "--starts", "2026-12-20", "--night", "no", *TODAY, "--json").stdout
        )
        assert (after["zone"], after["rule"], after["status"]) == ("other", "sh.cap_other", "met")
        said = {item["code"]: item["text"] for item in after["warnings"]}
        assert "Town Attorney, 3 March 2026" in said["district_by_town"]


class TestDaysAndDistinctEvents:
    """An event on days that need not follow each other, and several events that may not share a permit."""

    def event(self, folder, text):
        file = folder / "market.toml"
        file.write_text(
            f'[event]\nkind = "party"\ndistinct_events = 1\nnight = false\n{text}\n[premises]\nparcels = ["{FREE}"]\n'
        )
        return file

    def test_the_permit_and_its_log_keep_the_days(self, town):
        from geonotice.config.read_application import read_event_file
        from geonotice.facts.history import application_of

        days = ", ".join(f'{{ on = 2026-12-{day:02}, from = "10:00", to = "16:00" }}' for day in (19, 5, 12))
        file = self.event(town, f"days = [{days}]")
        asked = application_of(read_event_file(file), ())
        assert (asked.starts, asked.ends) == (date(2026, 12, 5), date(2026, 12, 19))
        assert asked.yard_sale_days == (date(2026, 12, 5), date(2026, 12, 12), date(2026, 12, 19))
        checked = json.loads(run("permit", "check", town, "--event", file, *TODAY, "--json").stdout)
        # The caps allow it; what the short file leaves unanswered is for an official.
        assert (checked["used"], checked["status"]) == (0, "decide")
        day_by_day = ["2026-12-05", "2026-12-12", "2026-12-19"]
        # The official passes over what the short file leaves unanswered.
        override = ["--override", "answered at the desk"]
        made = json.loads(run("permit", "issue", town, "--event", file, *TODAY, "--by", "Clerk", *override, "--json").stdout)
        assert made["yard_sale_days"] == day_by_day
        assert ", ".join(day_by_day) in run("permit", "show", town, made["number"]).stdout
        beside = json.loads(run("permit", "check", town, FREE, "--starts", "2026-12-08", *TODAY, "--json").stdout)
        assert not [item for item in beside["warnings"] if item["code"] == "conflict"]
        same_day = json.loads(run("permit", "check", town, FREE, "--starts", "2026-12-12", *TODAY, "--json").stdout)
        assert any("both on Saturday, December 12, 2026" in item["text"] for item in same_day["warnings"])
        refused = run("permit", "check", town, "--event", file, "--starts", "2026-12-06", *TODAY, expect=2)
        assert "starts is 2026-12-06 as given here, and 2026-12-05 in the event file" in " ".join(refused.stderr.split())

    def test_each_of_two_distinct_events_gets_a_permit_of_its_own(self, town):
        """Southampton 283-6 (end): they shall not operate under the same special event permit."""
        args = [town, FREE, "--starts", "2026-12-20", "--distinct-events", "2", *TODAY]
        checked = json.loads(run("permit", "check", *args, "--json").stdout)
        (said,) = (item["text"] for item in checked["warnings"] if item["code"] == "distinct_events")
        assert "one application for each" in said
        made = json.loads(run("permit", "issue", *args, "--by", "Clerk", "--json").stdout)
        assert len(made["others"]) == 1
        for number in (made["number"], *made["others"]):
            shown = json.loads(run("permit", "show", town, number, "--json").stdout)
            assert (shown["distinct_events"], len(shown["log"])) == (1, 1)
        run("permit", "check", town, FREE, "--starts", "2026-12-21", *TODAY, expect=5)
        assert json.loads(run("permit", "log", town, "--verify", "--json").stdout)["sound"]

    def test_answers_that_contradict_each_other_are_said_with_the_check(self, town):
        file = self.event(town, "starts = 2026-12-20\nends = 2026-12-20\npersons_at_once = 80\npersons_total = 60")
        checked = json.loads(run("permit", "check", town, "--event", file, *TODAY, "--json").stdout)
        assert any("60 persons in all are fewer than 80" in item["text"] for item in checked["warnings"])


def test_whom_the_log_names_unasked_is_said(tmp_path, imported, capsys):
    imported("southampton", tmp_path / "town")
    permits = tmp_path / "town" / "permits.csv"
    capsys.readouterr()
    assert exit_code("permit", "import", tmp_path / "town", permits) == 0
    assert "since --by NAME is not given" in capsys.readouterr().err
    assert exit_code("permit", "rescind", tmp_path / "town", "SE-2026-003", "--reason", "rain", "--by", "Clerk") == 0
    assert "--by NAME" not in capsys.readouterr().err
    exit_code("permit", "check", tmp_path / "town", "0900-127.00-03.00-009.000", "--starts", "2026-12-19", *TODAY)
    said = capsys.readouterr().out
    assert "Permits this year: each counts in the year in which it is issued" in said
    assert "At most" in said
