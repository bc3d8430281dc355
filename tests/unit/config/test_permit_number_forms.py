"""How a town numbers its permits: as it states, or as its numbers tell; what they do not tell is not guessed."""

import re

import pytest

from geonotice.config.permit_number_forms import common_form, stated_form


class TestStated:
    @pytest.mark.parametrize(
        ("form", "number"),
        [
            ("SE-{year}-{n:03}", "SE-2026-012"),
            ("{n}/{yy}", "12/26"),
            ("Permit No. {n:04}", "Permit No. 0012"),
            ("{year}_{n}%", "2026_12%"),
        ],
    )
    def test_the_next_number_and_what_it_finds(self, form, number):
        found = stated_form(form)
        assert found.stated == form
        assert found.number(2026, 12) == number
        assert found.pattern(2026).fullmatch(number)[1].lstrip("0") == "12"
        as_like = re.escape(found.like(2026)).replace("%", ".*", 1) if "!" not in found.like(2026) else None
        assert as_like is None or re.fullmatch(as_like, number)

    def test_what_a_database_would_take_for_any_letter_is_marked(self):
        assert stated_form("{year}_{n}%").like(2026) == "2026!_%!%"

    @pytest.mark.parametrize(
        "form", ["SE-{year}", "{n}-{n}", "{year}-{yy}-{n}", "SE-{month}-{n}", "{year}{n}", "7{n}", "{n:3}", "a\n{n}"]
    )
    def test_a_form_that_cannot_be_meant_is_refused(self, form):
        with pytest.raises(ValueError, match="write"):
            stated_form(form)


class TestTold:
    @pytest.mark.parametrize(
        ("numbers", "after"),
        [
            (["2026-014"], "2026-015"),
            (["SE-2026-003", "SE-2026-022"], "SE-2026-023"),
            (["SE 7/26", "SE 12/26"], "SE 13/26"),
            (["2026-1", "2026-12"], "2026-13"),
            (["26-26", "26-3"], "26-27"),
            (["998", "1002"], "1003"),
            (["2026-998", "2026-1002", "2026-007"], "2026-1003"),
        ],
    )
    def test_one_form_goes_on(self, numbers, after):
        form = common_form(numbers, 2026)
        last = max(int(form.pattern(2026).fullmatch(number)[1]) for number in numbers)
        assert form.number(2026, last + 1) == after

    @pytest.mark.parametrize(
        "numbers",
        [
            [],
            ["2026-014", "SE 7/26"],
            ["2026-014", "2026-0015"],  # three digits, or four
            ["2026-014", "2026-7"],
            ["26-26"],  # either is the year
            ["2026014"],  # the year and a running number, or a running number
            ["SE-2025-044"],  # of another year than that of issue
            ["no number at all"],
            ["TB 9-2026-01"],  # which of the two runs?
            ["TB 9-2026-01", "TB 9-2026-10"],  # of September, or the town's word
            ["2026-05-01", "2026-05-02"],  # of May
            ["2025-013", "2025-014"],  # applied for in the year before
            ["SE-2026-014A"],  # the fourteenth once more
            ["2026-014", "2026-015A"],
        ],
    )
    def test_several_forms_or_a_doubtful_one_are_none(self, numbers):
        assert common_form(numbers, 2026) is None

    @pytest.mark.parametrize("numbers", [["SE-2026-112", "SE-2026-130"], ["SE-2026-12", "SE-2026-130"]])
    def test_zeros_that_no_number_shows_are_not_guessed_in_a_new_year(self, numbers):
        form = common_form(numbers, 2026)
        assert form.number(2026, 131) == "SE-2026-131"
        assert form.number(2027, 1) is None
