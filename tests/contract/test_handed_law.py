"""The handed faults of law: a school as sponsor, dates that do not go together, the State's rules, other towns' thresholds, a copied profile."""

import json
import tomllib
from datetime import date

import pytest
from law_toys import FACTS, Outcome
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.decide.stated_case import check_case
from geonotice.ordinance.load import load_profile

pytestmark = pytest.mark.shared


@pytest.fixture
def faults(shared):
    return shared / "faults"


def handed(file):
    """Check a handed case beside its own profile, where it names one."""
    return Outcome(check_case(json.loads(file.read_text()), relative_to=file.parent))


def plain(value):
    """Return a value of TOML as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def of_profile(ordinance, event, *, relative_to=None, on="2027-01-05"):
    return Outcome(
        check_case(
            {"ordinance": ordinance, "on": on, "event": event, "parcel_facts": FACTS, "history": []}, relative_to=relative_to
        )
    )


def test_d5_a_school_district_is_for_an_official_to_decide(faults):
    found = handed(faults / "law" / "case_school_italy.json")
    assert (found.permit, found["italy.scope"]) == (None, "decide")
    assert "General Construction Law section 66" in found.findings["italy.scope"]["text"]


class TestD8:
    def test_the_board_s_last_day_after_the_event_is_told(self, faults):
        found = handed(faults / "law" / "case_act75_after_event.json")
        assert (found["italy.act75"], "decided_after_event" in found.codes) == ("decide", True)
        assert "August 24, 2027, and the event begins on Saturday, August 14, 2027" in found.findings["italy.act75"]["text"]

    @pytest.fixture
    def run(self, tmp_path):
        (tmp_path / "town.toml").write_text('[town]\nname = "Town of Italy"\nordinance = "italy"\n')

        def of(*words):
            done = CliRunner().invoke(every_command(), ["deadlines", str(tmp_path), *words])
            assert done.exit_code == 0
            return " ".join(done.stdout.split())

        return of

    def test_what_was_filed_in_time_is_not_past(self, run):
        text = run("--event", "2027-08-14", "--filed", "2027-05-14", "--on", "2027-06-11")
        assert "PAST" not in text
        assert "(filed on Friday, May 14, 2027, in time)" in text
        assert "2 days late" in run("--event", "2027-08-14", "--filed", "2027-05-18", "--on", "2027-06-11")
        assert "PAST" in run("--event", "2027-08-14", "--on", "2027-06-11")

    def test_the_lawful_days_for_the_hearing_are_told(self, run):
        text = run("--event", "2027-08-14", "--filed", "2027-05-14", "--complete", "2027-05-20", "--on", "2027-06-11")
        assert (
            "can lawfully be held on Monday, June 21, 2027 at the earliest, and on Tuesday, August 3, 2027 at the latest" in text
        )
        assert "No lawful day is left for the hearing" in run(
            "--event", "2027-06-18", "--filed", "2027-03-01", "--on", "2027-06-11"
        )

    @pytest.mark.parametrize(
        ("hearing", "words"),
        [
            ("2027-07-25", "which is Sunday"),
            ("2027-07-05", "a public holiday (Independence Day"),
            ("2027-08-20", "The hearing is not before the event begins"),
            ("2027-05-01", "The hearing is before the application was filed"),
        ],
    )
    def test_a_hearing_on_an_unlikely_day_is_told(self, run, hearing, words):
        assert words in run("--event", "2027-08-14", "--filed", "2027-05-14", "--hearing", hearing, "--on", "2027-06-11")

    def test_a_filing_date_still_to_come_is_told(self, run):
        assert "that day is still to come" in run("--event", "2027-12-14", "--filed", "2027-07-14", "--on", "2027-06-11")


class TestD10:
    @pytest.fixture
    def found(self, faults):
        event = plain(tomllib.loads((faults / "law" / "state_code_8000.toml").read_text()))
        return of_profile("italy", event)

    def test_the_numbers_are_those_of_the_state(self, found):
        facts = {rule: item["facts"] for rule, item in found.findings.items()}
        assert facts["ny.part18_medical_5000"].items() >= {"facilities": 1, "ambulances": 1, "emts": 3}.items()
        assert (facts["ny.mass_toilets"]["needed"], facts["ny.mass_handwashing"]["needed"], facts["ny.mass_taps"]["needed"]) == (
            80,
            11,
            8,
        )
        assert (facts["ny.mass_water"]["gallons_an_hour"], facts["ny.mass_parking"]["acres_needed"]) == (1000, 20)
        assert facts["ny.mass_permit"]["last_day"] == "2027-06-01"
        assert "ny.part18_permit" in found.aside

    def test_each_cites_10_nycrr_and_says_that_it_is_not_verified(self, found):
        state = [item for rule, item in found.findings.items() if rule.startswith("ny.")]
        assert {item["status"] for item in state} == {"decide"}
        assert all(
            item["citation"].startswith("10 NYCRR") and "unverified" in item["review"] and "Not verified" in item["text"]
            for item in state
        )

    def test_the_headline_names_the_state_s_permit(self, found):
        assert found.result["headline"]["status"] == "decide"
        assert "the State's mass gathering permit" in found.result["headline"]["text"]


class TestD11:
    def chatham(self, faults, persons, hours, **more):
        event = {
            "kind": "festival",
            "persons_at_once": persons,
            "starts": "2027-07-10T10:00:00",
            "ends": f"2027-07-10T{10 + hours}:00:00",
            **more,
        }
        return of_profile(str(faults / "law" / "chatham.toml"), {"event": event}).permit

    def test_a_threshold_that_counts_hours(self, faults):
        assert [self.chatham(faults, 300, 9), self.chatham(faults, 300, 8), self.chatham(faults, 299, 9)] == [True, False, False]

    def test_and_asks_for_commerce_or_admission(self, faults, tmp_path):
        text = (faults / "law" / "chatham.toml").read_text()
        (tmp_path / "own.toml").write_text(f"{text}\ncommercial_or_admission = true\n")
        event = {"kind": "festival", "persons_at_once": 300, "starts": "2027-07-10T10:00:00", "ends": "2027-07-10T20:00:00"}

        def found(**more):
            return of_profile("own.toml", {"event": {**event, **more}}, relative_to=tmp_path)

        assert [found(admission_charged=True).permit, found(commercial=True).permit] == [True, True]
        assert found(admission_charged=False, commercial=False).permit is False
        assert found().permit is None
        assert found().asked >= {"event.admission_charged", "event.commercial"}

    @pytest.mark.parametrize(
        ("starts", "ends", "status"), [("10:00", "20:00", "met"), ("09:59", "20:00", "not_met"), ("10:00", "22:00", "not_met")]
    )
    def test_babylon(self, faults, starts, ends, status):
        event = {"starts": f"2027-07-14T{starts}:00", "ends": f"2027-07-14T{ends}:00", "filed": "2027-06-30"}
        found = of_profile(str(faults / "law" / "babylon.toml"), {"event": event}, on="2027-07-01")
        assert (found["babylon.hours"], found["babylon.file14"]) == (status, "met")

    def test_a_copy_of_a_profile_under_another_id_gives_the_same_warnings(self, faults):
        own = handed(faults / "structure" / "case_mytown.json")
        italy = handed(faults / "structure" / "case_italy.json")
        assert own.result["warnings"] == italy.result["warnings"]
        assert "discretionary" in own.codes

    def test_every_handed_profile_is_sound(self, faults):
        for file in (faults / "law" / "chatham.toml", faults / "law" / "babylon.toml", faults / "structure" / "mytown.toml"):
            assert load_profile(file).rules
