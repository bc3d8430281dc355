"""What a profile lacks is said with every result that rests on it."""

import json
from datetime import date

import pytest
from profile_toys import HEAD, PERMIT, profile_of, rule, text_of, town_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.decide.source_dates import standing_warnings
from geonotice.opened_town import find_premises, open_store
from geonotice.ordinance.load import load_profile
from geonotice.ordinance.show import render_profile
from geonotice.workflow.notice import NoticeRequest, make_notice

UNREAD = HEAD.replace("verified = true\n", "")
MAIL = rule(
    "mail",
    "distance_notice",
    more='applies = "always"',
    tables='[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\ndistance_ft = 500\n',
)
DATED = MAIL + '[[rules.periods]]\nwhat = "mail it"\ndays = 10\ndirection = "before"\nfrom = "hearing"\n'


def codes(profile):
    return [warning.code for warning in standing_warnings(profile)]


class TestAProfileThatDoesNotSayWhetherItWasRead:
    def test_counts_as_not_read(self):
        assert not profile_of(PERMIT, head=UNREAD).verified

    def test_and_every_result_says_so(self, tmp_path):
        town = town_of(tmp_path, text_of(PERMIT, DATED, head=UNREAD), {"1": (0, 0, 100, 100), "2": (150, 0, 250, 100)})
        (town / "event.toml").write_text('[event]\ntitle = "Fair"\n[premises]\nparcels = ["1"]\n')
        for command in (
            ["notice", town, "1", "--for", "hearing"],
            ["check", town, town / "event.toml"],
            ["deadlines", town, "--hearing", "2026-10-20"],
            ["permit", "check", town, "1", "--starts", "2026-08-08"],
        ):
            done = CliRunner().invoke(every_command(), [*map(str, command), "--json"])
            assert "unverified_profile" in [item["code"] for item in json.loads(done.stdout)["warnings"]], command
        for command in (
            ["ordinance", "show", town / "oak.toml"],
            ["deadlines", town, "--hearing", "2026-10-20"],
            ["event", "new", town],
        ):
            assert "ot checked against the text" in CliRunner().invoke(every_command(), [*map(str, command)]).stdout, command


class TestAProfileThatIsCompleteAndWasRead:
    @pytest.mark.parametrize("name", ["italy", "southampton"])
    def test_needs_no_warning(self, name):
        assert codes(load_profile(name)) == []

    def test_has_its_note_printed_all_the_same(self):
        assert codes(profile_of(PERMIT, head=HEAD.replace("[occasions]", 'note = "Ask the board."\n[occasions]'))) == [
            "profile_note"
        ]


class TestABuiltInPartialProfile:
    @pytest.mark.parametrize("name", ["brookhaven", "new_paltz", "walworth"])
    def test_is_named_as_partial_unread_and_without_the_laws_words_with_its_source(self, name):
        profile = load_profile(name)
        said = {warning.code: warning.text for warning in standing_warnings(profile)}
        assert list(said)[:3] == ["partial_profile", "unverified_profile", "no_clause_words"]
        assert profile.source in said["partial_profile"]
        assert said["no_clause_words"].startswith("None of its rules has the law's own words")
        assert said["profile_note"] == profile.note

    def test_says_so_on_a_notice_and_in_its_papers(self, tmp_path):
        from geonotice.packet.index import index_html
        from geonotice.packet.paper import PacketContext
        from geonotice.packet.sentences import about_lines

        town = town_of(tmp_path, text_of(MAIL), {"1": (0, 0, 100, 100), "2": (150, 0, 250, 100)})
        file = town / "town.toml"
        file.write_text(file.read_text().replace('"oak.toml"', '"new_paltz"'))
        assert CliRunner().invoke(every_command(), ["import", str(town)]).exit_code == 0
        with open_store(town) as opened:
            made = make_notice(
                opened, find_premises(opened, ["1"]), NoticeRequest(occasion="hearing", on=date(2026, 9, 1))
            ).notice
        assert {"partial_profile", "unverified_profile", "no_clause_words", "text_gap"} <= {one.code for one in made.warnings}
        page = index_html(PacketContext(notice=made, files=["map.html"])).decode()
        assert "was not checked against the text of its law" in page
        assert "own words are not in the profile" in page
        assert any(line.endswith("the law's own words are not in the profile") for line in about_lines(made))

    def test_says_so_in_the_list_and_where_it_is_shown(self):
        listed = " ".join(CliRunner().invoke(every_command(), ["ordinance", "list"]).stdout.split())
        assert (
            "walworth Town of Walworth, Wayne County: 1 rule (partial, not checked against the text, without the law's words)"
            in listed
        )
        told = {
            item["id"]: item
            for item in json.loads(CliRunner().invoke(every_command(), ["ordinance", "list", "--json"]).stdout)["ordinances"]
        }
        assert (told["brookhaven"]["verified"], told["italy"]["verified"]) == (False, True)
        shown = " ".join(render_profile(load_profile("brookhaven")).split())
        for words in ("Partial:", "Not checked against the text", "None of its rules has the law's own words", "elaws.us"):
            assert words in shown


def test_a_rule_without_its_words_is_named_where_others_have_theirs():
    bare = rule("bare", "reminder", words="")
    (warning,) = standing_warnings(profile_of(PERMIT, bare))
    assert (warning.code, "oak.bare" in warning.text, "oak.permit" in warning.text) == ("no_clause_words", True, False)
