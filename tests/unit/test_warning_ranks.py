"""Warnings as a person reads them: which is the worst, what is one cause, and what fits where there is little room."""

import ast
import re
import textwrap
from pathlib import Path

import pytest

import geonotice
from geonotice.model import ResultWarning
from geonotice.recipients.owners import OWNER_TEXTS
from geonotice.recipients.residents import RESIDENT_TEXTS
from geonotice.warning_ranks import NAMED, RANK_WORDS, RANKS, Rank, causes, fitted, named, rank_of, worst_first
from geonotice.workflow.notice_warnings import _TEXTS, IMPORT_CODES

MANY = tuple(f"51.00-1-{n}" for n in range(1, 43))


def codes_in_the_source() -> set[str]:
    """Return every code that is written out where a warning is made."""
    found = set()
    for module in Path(geonotice.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ResultWarning":
                first = node.args[0]
                found |= {first.value} if isinstance(first, ast.Constant) else set()
    return found


class TestTheTable:
    def test_every_code_that_the_program_writes_has_a_rank(self):
        assert {*codes_in_the_source(), *OWNER_TEXTS, *RESIDENT_TEXTS, *_TEXTS, *IMPORT_CODES} - RANKS.keys() == {
            "road_beside"
        }  # words only

    def test_every_rank_has_words_and_codes(self):
        assert set(RANK_WORDS) == set(Rank) == set(RANKS.values())

    def test_a_code_that_is_not_in_it_counts_among_the_worst(self):
        assert rank_of(ResultWarning("never_seen", "New.")) is Rank.NOT_NOTIFIED

    def test_what_import_says_of_rows_far_away_is_only_to_be_known(self):
        assert rank_of(ResultWarning("unmatched_roll", "None near.")) is Rank.TO_KNOW
        assert rank_of(ResultWarning("unmatched_roll", "Near.", ("1-1",))) is Rank.NOT_NOTIFIED


class TestTheOrder:
    def test_who_is_not_notified_then_what_is_late_not_seen_old_and_to_know(self):
        mixed = [
            ResultWarning(code, code) for code in ("roll_old", "premises_residents", "notice_late", "private_road", "unmailable")
        ]
        assert [one.code for one in worst_first(mixed)] == [
            "unmailable",
            "notice_late",
            "private_road",
            "roll_old",
            "premises_residents",
        ]

    def test_what_is_told_twice_in_the_same_words_is_told_once(self):
        assert len(worst_first([ResultWarning("roll_old", "Old."), ResultWarning("roll_old", "Old.")])) == 1

    def test_two_of_one_code_keep_their_order(self):
        given = [ResultWarning("open_run", "frontage 1"), ResultWarning("open_run", "frontage 2")]
        assert list(worst_first(given)) == given


class TestOneCause:
    def test_two_warnings_about_the_same_parcels_are_one_whatever_their_order(self):
        found = causes(
            (
                ResultWarning("no_address_point", "No point.", ("1", "2")),
                ResultWarning("resident_address_incomplete", "No ZIP.", ("2", "1")),
            )
        )
        assert [(one.text, one.parcels) for one in found] == [("No point. No ZIP.", ("1", "2"))]

    def test_two_subjects_that_happen_to_be_about_one_parcel_stay_apart(self):
        given = (
            ResultWarning("no_house_number", "No number.", ("1",)),
            ResultWarning("same_owner_adjoins", "The same owner.", ("1",)),
        )
        assert [one.text for one in causes(given)] == ["No number.", "The same owner."]

    def test_warnings_without_parcels_stay_apart(self):
        assert len(causes((ResultWarning("a", "One."), ResultWarning("b", "Two.")))) == 2

    def test_an_owner_without_a_name_is_named_once_not_again_among_those_without_an_address(self):
        found = causes(
            (ResultWarning("owner_unknown", "No owner.", ("9",)), ResultWarning("unmailable", "No address.", ("9", "4")))
        )
        assert [one.parcels for one in found] == [("9",), ("4",)]

    def test_where_all_of_them_lack_the_name_it_is_one_cause(self):
        found = causes((ResultWarning("owner_unknown", "No owner.", ("9",)), ResultWarning("unmailable", "No address.", ("9",))))
        assert [(one.codes, one.parcels) for one in found] == [(("owner_unknown", "unmailable"), ("9",))]

    def test_no_warning_is_lost(self):
        given = [ResultWarning(code, f"{code}.", MANY[: n % 3]) for n, code in enumerate(RANKS)]
        told = " ".join(one.text for one in causes(worst_first(given)))
        assert [one.text for one in given if one.text not in told] == []


class TestParcelsNamed:
    def test_five_are_named_and_the_rest_counted(self):
        (cause,) = causes((ResultWarning("a", "Look.", MANY),))
        assert named(cause, where="record.json") == f"{', '.join(MANY[:NAMED])} and 37 more: record.json"

    def test_a_sixth_is_named_rather_than_counted(self):
        (cause,) = causes((ResultWarning("a", "Look.", MANY[:6]),))
        assert named(cause) == ", ".join(MANY[:6])

    @pytest.mark.parametrize(("text", "again"), [("Of 51.00-1-1 nothing.", False), ("Of 51.00-1-10 nothing.", True)])
    def test_a_parcel_that_the_text_names_is_not_named_again(self, text, again):
        (cause,) = causes((ResultWarning("a", text, ("51.00-1-1",)),))
        assert bool(named(cause)) is again


LONG = (
    "This is what was found out about these properties. This is what it means for the list. This is what has to be done about it."
)


class TestLittleRoom:
    def test_what_fits_is_told_as_a_whole(self):
        shown = fitted(causes((ResultWarning("roll_old", LONG, ("1",)),)), width=80, lines=22)
        assert shown.items == ((f"{LONG} [1]", ""),)
        assert shown.left_out == ""

    def test_the_least_bad_is_shortened_first(self):
        given = (ResultWarning("unmailable", LONG, ("1",)), ResultWarning("roll_old", LONG, ("2",)))
        shown = fitted(causes(given), width=80, lines=4)
        assert [LONG in text for text, _ in shown.items] == [True, False]
        assert "what was found out" in shown.items[1][0]
        assert "the whole texts" in shown.left_out

    def test_where_even_that_is_too_long_the_rest_is_counted_and_the_worst_told(self):
        given = tuple(ResultWarning("open_run", f"{LONG[:20]} {n}{LONG}", (f"A{n}", f"B{n}")) for n in range(200))
        shown = fitted(causes(given), width=80, lines=22)
        assert 0 < len(shown.items) < 200
        assert f"{200 - len(shown.items)} more warnings" in shown.left_out
        assert shown.items[0][0].endswith("[A0, B0]")

    def test_who_is_not_on_the_list_is_told_however_short_it_must_be(self):
        text = f"{LONG} It reaches into Jerusalem: owners there are NOT on this list. Ask its assessor."
        ((told, _), *_) = fitted(
            causes((ResultWarning("cover_ends", text), ResultWarning("roll_old", LONG))), width=80, lines=3
        ).items
        assert "NOT on this list" in told
        assert "Ask its assessor" not in told

    def test_one_that_is_longer_than_all_the_room_is_told_all_the_same(self):
        (item,) = fitted(causes((ResultWarning("unmailable", "x " * 4000, ()),)), width=80, lines=22).items
        assert item[0].startswith("x x")

    @pytest.mark.parametrize("width", [40, 76, 120])
    @pytest.mark.parametrize("n", [1, 7, 60])
    def test_it_never_takes_more_lines_than_there_are(self, width, n):
        given = worst_first(ResultWarning(code, f"{code} {LONG}", MANY[: place % 9]) for place, code in enumerate([*RANKS][:n]))
        shown = fitted(causes(given), width=width, lines=22)
        assert sum(len(textwrap.wrap(part, width, break_on_hyphens=False)) for item in shown.items for part in item if part) <= 22

    def test_a_row_that_answers_it_stands_below(self):
        ((_, row),) = fitted(causes((ResultWarning("unmailable", LONG, ("52.11-2-32",)),)), width=80, lines=22).items
        assert re.fullmatch(r"52\.11-2-32,address,.+,.+,.+,.+", row)
