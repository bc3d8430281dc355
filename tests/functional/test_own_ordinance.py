"""A town's own law, from its profile to the list: notice that is counted from the event, by bands, to owners and households."""

import json

import pytest
from profile_toys import PERMIT, rule, text_of, town_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import EventFileError, UsageError

LAND = {"P": (0, 0, 100, 100), "N150": (250, 0, 350, 100), "N600": (700, 0, 800, 100), "N740": (840, 0, 940, 100)}
DATED = '[[rules.periods]]\nwhat = "mail the notice"\ndays = 20\ndirection = "before"\nfrom = "event"\n'
MAIL = rule(
    "mail",
    "distance_notice",
    section="61-4A",
    tables="""[rules.notice]
occasion = "gathering"
recipients = ["owners"]
distance_ft = 700
bands = [{ up_to_ft = 200, mail = "certified" }, { up_to_ft = 700, mail = "first_class" }]
"""
    + DATED,
)
HOMES = rule(
    "homes", "distance_notice", tables='[rules.notice]\noccasion = "gathering"\nrecipients = ["residents"]\ndistance_ft = 200\n'
)
LISTED = rule("listed", "distance_notice", tables='[rules.notice]\nrecipients = ["owners"]\ndistance_ft = 750\nschedule = true\n')


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    return town_of(tmp_path_factory.mktemp("oak"), text_of(PERMIT, MAIL, HOMES, LISTED), LAND)


def notice(town, *more):
    done = CliRunner().invoke(
        every_command(), ["notice", str(town), "P", "--for", "gathering", "--on", "2026-06-01", "--json", *map(str, more)]
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_owners_and_households_are_told_as_the_clauses_that_name_them_say(town):
    made = notice(town)
    told = {(piece["role"], piece["parcels"][0]): (piece["mail"], piece["reasons"]) for piece in made["recipients"]}
    assert told == {
        ("owner", "N150"): ("certified", ["oak.mail"]),
        ("owner", "N600"): ("first_class", ["oak.mail"]),
        ("resident", "P"): ("first_class", ["oak.homes"]),
        ("resident", "N150"): ("first_class", ["oak.homes"]),
        ("applicant", "P"): ("none", []),
    }
    assert [miss["id"] for miss in made["near_misses"]] == ["N740"]
    assert [line["id"] for line in made["schedule"]] == ["N150", "N600", "N740"]


class TestTheDayOfTheEvent:
    def test_stands_in_the_record_and_the_packet_and_makes_its_calendar(self, town, tmp_path):
        made = notice(town, "--event", "2026-07-11", "--out", tmp_path / "packet")
        assert made["settings"]["event"] == "2026-07-11"
        assert "event on July 11, 2026" in (tmp_path / "packet" / "index.html").read_text()
        calendar = (tmp_path / "packet" / "deadlines.ics").read_text()
        assert "mail the notice" in calendar

    @pytest.mark.parametrize(
        ("event", "codes"), [("2026-06-21", []), ("2026-06-20", ["notice_late"]), ("2026-05-31", ["event_passed"])]
    )
    def test_says_where_the_last_day_for_the_notice_is_past(self, town, event, codes):
        said = {item["code"]: item["text"] for item in notice(town, "--event", event)["warnings"]}
        assert [code for code in said if code in ("notice_late", "event_passed")] == codes
        if codes == ["notice_late"]:
            assert (
                "The last day to mail the notice was Sunday, May 31, 2026 (Oak Town Code, Chapter 61, 61-4A)"
                in said["notice_late"]
            )


class TestTheEventFile:
    @pytest.fixture
    def file(self, tmp_path):
        def write(parcels='["P"]', hearing="2026-07-01"):
            text = f"[event]\nstarts = 2026-07-11T14:00:00\n[premises]\nparcels = {parcels}\n[denial]\nhearing = {hearing}\n"
            (tmp_path / "event.toml").write_text(text)
            return tmp_path / "event.toml"

        return write

    def test_gives_the_premises_the_first_day_and_the_hearing(self, town, file):
        command = ["notice", str(town), "--for", "gathering", "--on", "2026-06-01", "--event", str(file()), "--json"]
        made = json.loads(CliRunner().invoke(every_command(), command).stdout)
        assert made["premises"] == ["P"]
        assert (made["settings"]["event"], made["settings"]["hearing"]) == ("2026-07-11", "2026-07-01")

    def test_agrees_with_what_is_given_beside_it(self, town, file):
        assert notice(town, "--event", file(), "--hearing", "2026-07-01")["premises"] == ["P"]

    @pytest.mark.parametrize(
        ("parcels", "more", "words"),
        [
            ('["P", "N150"]', (), "the notice is asked for P, and the event file names P, N150"),
            ('["P"]', ("--hearing", "2026-07-02"), "on 2026-07-02 by --hearing, and on 2026-07-01 by the event file"),
        ],
    )
    def test_is_refused_where_the_two_differ(self, town, file, parcels, more, words):
        command = ["notice", str(town), "P", "--for", "gathering", "--event", str(file(parcels)), *more]
        done = CliRunner().invoke(every_command(), command)
        assert isinstance(done.exception, UsageError)
        assert words in str(done.exception)

    def test_that_is_not_there_is_refused(self, town, tmp_path):
        done = CliRunner().invoke(
            every_command(), ["notice", str(town), "P", "--for", "gathering", "--event", str(tmp_path / "none.toml")]
        )
        assert isinstance(done.exception, EventFileError)
