"""The papers of the permit office as a clerk gets them: permit, amendment, rescission, denial; from the town's own templates where it has some."""

import json
import shutil

import pytest
from program import exit_code

from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_pages import Block, build_word_file
from geonotice.ordinance.load import load_profile
from geonotice.packet.office_papers import law_lines, papers_of_office

FREE = "0900-123.00-01.00-002.000"
BY = ["--by", "Fire Marshal"]


@pytest.fixture
def town(southampton, tmp_path, capsys):
    """A copy of it, to change, with a permit for 12 December 2026."""
    shutil.copytree(southampton, tmp_path / "southampton")
    place = tmp_path / "southampton"
    stated = ["--starts", "2026-12-12", "--night", "no", "--persons", "200", "--applicant", "Bay Keepers Trust"]
    assert exit_code("permit", "issue", str(place), FREE, *stated, "--conditions", "No fires", *BY, "--on", "2026-11-02") == 0
    capsys.readouterr()
    return place


@pytest.fixture
def printed(town, tmp_path, capsys):
    """Print the papers of a permit or an application, and return the words of each PDF by its file name."""

    def write(family, number, expect=0):
        out = tmp_path / "papers"
        assert exit_code(family, "print", str(town), number, "--out", str(out), "--on", "2026-12-01", "--json") == expect
        if expect:
            return {}
        files = json.loads(capsys.readouterr().out)["files"]
        assert all((out / name.rpartition("/")[2]).stat().st_size for name in files)
        return {
            file.rpartition("/")[2]: " ".join(" ".join(words_of_pdf((out / file.rpartition("/")[2]).read_bytes())).split())
            for file in files
            if file.endswith(".pdf")
        }

    return write


def test_the_permit_states_what_283_4_asks(printed):
    """283-4: the maximum number of persons, tickets to it, and that it is not transferable."""
    text = printed("permit", "SE-2026-023")["permit-SE-2026-023.pdf"]
    for part in (
        "PERMIT NO. SE-2026-023",
        "Bay Keepers Trust",
        FREE,
        "Maximum number of persons: 200",
        "No fires",
        "tickets",
        "not transferable",
    ):
        assert part in text


def test_an_amended_permit_has_a_second_paper_with_what_it_was(town, printed, capsys):
    what = ["--starts", "2026-12-13", "--reason", "rain date", *BY, "--on", "2026-11-20"]
    assert exit_code("permit", "amend", str(town), "SE-2026-023", *what) == 0
    capsys.readouterr()
    made = printed("permit", "SE-2026-023")
    assert "permit as amended on November 20, 2026" in made["permit-SE-2026-023.pdf"]
    said = "First day: was Saturday, December 12, 2026, is Sunday, December 13, 2026"
    assert said in made["amendment-SE-2026-023.pdf"]
    assert "last day" not in made["amendment-SE-2026-023.pdf"]
    assert "Reason: rain date" in made["amendment-SE-2026-023.pdf"]


def test_days_that_the_hours_name_are_not_said_twice(town, printed, capsys):
    common = [*BY, "--on", "2026-11-20"]
    assert exit_code("permit", "amend", str(town), "SE-2026-023", "--hours", "10:00-16:00", "--reason", "asked for", *common) == 0
    both = ["--starts", "2026-12-13", "--ends", "2026-12-14", "--hours", "12:00-18:00"]
    assert exit_code("permit", "amend", str(town), "SE-2026-023", *both, "--reason", "rain date", *common) == 0
    capsys.readouterr()
    paper = " ".join(printed("permit", "SE-2026-023")["amendment-SE-2026-023.pdf"].split())
    was, becomes = "Saturday, December 12, 2026, 10 a.m. to 4 p.m.", "Sunday, December 13, 2026, 12 noon to 6 p.m."
    assert f"Dates and times: was {was}, is {becomes}; Monday, December 14, 2026, 12 noon to 6 p.m." in paper
    assert "day: was" not in paper


class TestTheHoursOfAnAmendedPermit:
    """A permit has the hours of its application, and keeps them on another day until others are stated."""

    @pytest.fixture
    def approved(self, town, capsys):
        """Issue SE-2026-024 on an application for 19 June 2027, 4 p.m. to 10 p.m."""
        event = town / "events" / "allowed.toml"
        assert exit_code("application", "add", str(town), str(event), *BY, "--on", "2026-11-30") == 0
        issue = ["permit", "issue", str(town), "--application", "A2026-0001", "--override", "Resolution 7"]
        assert exit_code(*issue, *BY, "--on", "2026-11-30") == 0
        capsys.readouterr()
        return event

    def amend(self, town, *more):
        what = ["permit", "amend", str(town), "SE-2026-024", "--reason", "rain", *more, "--override", "Board"]
        assert exit_code(*what, *BY, "--on", "2026-12-01") == 0

    def test_they_move_with_the_day(self, town, approved, printed, capsys):
        self.amend(town, "--starts", "2027-06-20")
        capsys.readouterr()
        text = printed("permit", "SE-2026-024")["amendment-SE-2026-024.pdf"]
        was, becomes = "Saturday, June 19, 2027, 4 p.m. to 10 p.m.", "Sunday, June 20, 2027, 4 p.m. to 10 p.m."
        assert f"Dates and times: was {was}, is {becomes} Reason: rain" in " ".join(text.split())

    def test_other_hours_of_an_event_file_are_those_of_the_permit(self, town, approved, tmp_path, capsys):
        file = tmp_path / "later.toml"
        file.write_text(approved.read_text().replace("T22:00:00", "T21:00:00"))
        self.amend(town, "--event", str(file), "--conditions", "No fires")
        said = " ".join(capsys.readouterr().out.split())
        assert "hours: was Saturday, June 19, 2027, 4 p.m. to 10 p.m., is Saturday, June 19, 2027, 4 p.m. to 9 p.m." in said

    def test_hours_that_were_taken_out_do_not_come_back_from_the_application(self, town, approved, printed, tmp_path, capsys):
        assert "4 p.m. to 10 p.m." in printed("permit", "SE-2026-024")["permit-SE-2026-024.pdf"]
        self.amend(town, "--hours", "unknown")
        assert exit_code("calendar", str(town), "--ics", str(tmp_path / "events.ics"), "--on", "2026-12-01") == 0
        capsys.readouterr()
        made = printed("permit", "SE-2026-024")
        assert "p.m." not in made["permit-SE-2026-024.pdf"]
        assert "10 p.m., is not stated" in made["amendment-SE-2026-024.pdf"]
        assert "20270619T160000" not in (tmp_path / "events.ics").read_text()

    def test_the_same_hours_need_no_word(self, town, approved, capsys):
        self.amend(town, "--event", str(approved), "--conditions", "No fires")
        said = capsys.readouterr()
        assert "conditions: was" in said.out
        assert "hours: was" not in said.out


def test_a_paper_of_before_in_the_folder_is_named_when_the_rescission_is_printed(town, printed, tmp_path, capsys):
    printed("permit", "SE-2026-023")
    assert exit_code("permit", "rescind", str(town), "SE-2026-023", "--reason", "false statements", *BY) == 0
    assert exit_code("permit", "print", str(town), "SE-2026-023", "--out", str(tmp_path / "papers"), "--on", "2026-12-01") == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "permit-SE-2026-023.pdf, permit-SE-2026-023.docx in" in said
    assert "They grant what was rescinded" in said
    assert (tmp_path / "papers" / "permit-SE-2026-023.pdf").is_file()


def test_a_rescinded_permit_is_not_printed_as_one(town, printed, capsys):
    assert exit_code("permit", "rescind", str(town), "SE-2026-023", "--reason", "false statements", *BY) == 0
    capsys.readouterr()
    made = printed("permit", "SE-2026-023")
    assert list(made) == ["rescission-SE-2026-023.pdf"]
    assert "false statements" in made["rescission-SE-2026-023.pdf"]
    assert "within 10 days from receipt" in made["rescission-SE-2026-023.pdf"]
    assert exit_code("permit", "void", str(town), "SE-2026-023", "--reason", "never issued", *BY) == 0
    printed("permit", "SE-2026-023", expect=2)


def test_a_denial_has_its_reasons_and_the_days_of_the_appeal(town, printed, capsys):
    event = str(town / "events" / "allowed.toml")
    assert exit_code("application", "add", str(town), event, *BY, "--on", "2026-11-30") == 0
    printed("application", "A2026-0001", expect=2)
    reasons = ["--reason", "Too few services", "--reason", "No parking"]
    assert exit_code("application", "deny", str(town), "A2026-0001", *reasons, *BY, "--on", "2026-12-04") == 0
    capsys.readouterr()
    text = printed("application", "A2026-0001")["denial-A2026-0001.pdf"]
    for part in (
        "1. Too few services",
        "2. No parking",
        "the last day is Monday, December 14, 2026",
        "certified mail, return receipt",
    ):
        assert part in text


def test_the_town_s_own_words_take_their_place(town, printed):
    words = "{{ town }} {{ permit_number }} {{ premises }} {{ maximum_attendance }} {{ conditions }} by the beach only"
    (town / "templates").mkdir()
    (town / "templates" / "permit.docx").write_bytes(build_word_file([Block(kind="text", text=words)]))
    assert "by the beach only" in printed("permit", "SE-2026-023")["permit-SE-2026-023.pdf"]


def test_a_rule_is_printed_where_the_profile_says():
    southampton = load_profile("southampton")
    assert all(law_lines(southampton, paper) for paper in papers_of_office())
    assert "283-9" in law_lines(southampton, "denial")
    assert law_lines(load_profile("italy"), "permit") == ""
