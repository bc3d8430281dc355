"""A clause that a profile quotes stands in the law's text, from its beginning to its end."""

from typing import ClassVar

import pytest
from profile_toys import PERMIT, profile_of, rule
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.ordinance.load import available, load_profile, profile_bytes
from geonotice.ordinance.quotations import compare

LAW = """Chapter 61 Gatherings

No person shall hold a gathering unless a permit has been issued.

A.
The applicant shall pro-
vide one toilet for every 50 persons, provided that no toilet is required of a gathering of less than
two hours. Tents shall be taken down within three days, except on the fair\u2019s grounds.
(1)
No fires are lit; and
(2)
no glass is sold.
"""


def quoted(*words):
    listed = ", ".join(f'"{one}"' for one in words)
    return profile_of(
        PERMIT.replace("unless a permit has been issued", "unless a permit has been issued."),
        rule("q", "reminder", words=f"words = [{listed}]"),
    )


def faults(*words):
    return [(one.fault, one.operative) for one in compare(quoted(*words), LAW)]


class TestAQuotation:
    def test_of_the_whole_clause_is_sound_however_the_text_breaks_its_lines(self):
        whole = "The applicant shall provide one toilet for every 50 persons, provided that no toilet is required of a gathering of less than two hours."
        assert faults(whole, "No fires are lit;", "no glass is sold.") == []

    def test_has_either_quotation_mark(self):
        assert faults("Tents shall be taken down within three days, except on the fair's grounds.") == []

    @pytest.mark.parametrize(
        "words",
        [
            "The applicant shall provide one toilet for every 50 persons",
            "The applicant shall provide one toilet for every 50 persons,",
        ],
    )
    def test_that_leaves_out_a_proviso_is_told_with_it(self, words):
        (found,) = compare(quoted(words), LAW)
        assert (found.fault, found.operative) == ("ends", True)
        assert "provided that no toilet is required" in str(found)

    def test_that_begins_in_the_middle_is_told_with_what_stands_before(self):
        (found,) = compare(quoted("unless a permit has been issued."), LAW)
        assert (found.fault, found.near) == ("begins", "No person shall hold a gathering")

    def test_that_is_not_in_the_text_is_told_with_the_nearest_passage(self):
        (found,) = compare(quoted("The applicant shall provide one toilet for every 60 persons"), LAW)
        assert found.fault == "absent"
        assert "one toilet for every 50 persons" in str(found)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "file"), [("italy", "000_0ca119bbbf24e630.txt"), ("southampton", "004_fe5dca8b832a7d7b.txt")])
class TestTheBuiltInProfiles:
    def test_quote_whole_clauses(self, shared, name, file):
        done = CliRunner().invoke(
            every_command(), ["ordinance", "validate", name, "--text", str(shared / "law" / file), "--strict"]
        )
        assert (done.exit_code, f"Every clause that it quotes stands in {shared / 'law' / file}." in done.stdout) == (0, True)

    def test_are_refused_with_another_law_s_text(self, shared, name, file, tmp_path):
        (tmp_path / "other.txt").write_text(LAW)
        done = CliRunner().invoke(every_command(), ["ordinance", "validate", name, "--text", str(tmp_path / "other.txt")])
        assert done.exception.exit_code == 3


class TestTheCommand:
    def text_of(self, tmp_path, change):
        (tmp_path / "own.toml").write_text(profile_bytes("italy")[0].decode().replace(*change))
        (tmp_path / "law.txt").write_text("\n".join(words for one in load_profile("italy").rules for words in one.citation.words))
        return ["ordinance", "validate", str(tmp_path / "own.toml"), "--text", str(tmp_path / "law.txt")]

    def test_notes_a_clause_that_is_cut_off_and_asks_for_a_person_only_if_told_to(self, tmp_path):
        words = self.text_of(
            tmp_path,
            (
                " The Town Board may require higher levels of insurance if, in its sole discretion, such increase is warranted.",
                " The Town Board may require higher levels of insurance",
            ),
        )
        done = CliRunner().invoke(every_command(), words)
        assert done.exit_code == 0
        assert "ends in the middle of a clause, before “if, in its sole discretion" in " ".join(done.stdout.split())
        assert CliRunner().invoke(every_command(), [*words, "--strict"]).exit_code == 4

    def test_refuses_a_clause_that_the_text_does_not_have(self, tmp_path):
        done = CliRunner().invoke(
            every_command(),
            [
                *self.text_of(
                    tmp_path,
                    ('one car for every four persons in attendance."]', 'one car for every three persons in attendance."]'),
                ),
                "--json",
            ],
        )
        assert done.exit_code == 3
        assert "rules[italy.parking].citation.words" in done.stdout

    @pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00"])
    def test_refuses_a_text_that_cannot_be_read(self, tmp_path, content):
        if content is not None:
            (tmp_path / "law.txt").write_bytes(content)
        assert (
            CliRunner()
            .invoke(every_command(), ["ordinance", "validate", "italy", "--text", str(tmp_path / "law.txt")])
            .exception.exit_code
            == 3
        )


class TestTheClausesThatLeftOutOperativeWords:
    """FAULTS D7."""

    WHOLE: ClassVar = {
        "italy.permit": "of persons which total in the aggregate in excess of 500 persons, unless upon written permit",
        "italy.other_D": "No privy shall be so located or constructed that it will by leakage or seepage possibly pollute",
        "sh.exempt": "provided such tenancy is permitted by the certificate of occupancy and/or a permit issued under Chapter 270",
        "sh.profit": "No permit shall be issued authorizing a special event nor shall any such event be held within the Town:",
        "sh.tents": "including those days' prior to and after the event, unless otherwise authorized by the Chief Fire Marshal.",
    }

    @pytest.mark.parametrize("name", sorted(WHOLE))
    def test_have_them(self, name):
        profile = load_profile("italy" if name.startswith("italy") else "southampton")
        assert self.WHOLE[name] in str(profile.rule(name).citation)


def test_every_built_in_profile_can_be_compared():
    assert all(isinstance(compare(load_profile(name), "No such law."), tuple) for name in available())
