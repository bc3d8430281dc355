"""Days in season: 283-2A(3)(h)[3], [4] and 283-4."""

from datetime import date, timedelta

import pytest

from geonotice.decide.cap_checks import permit_rules
from geonotice.decide.yard_sales_parades_nearby_events import days_between, parades_within, summer, yard_sale_days
from geonotice.ordinance.load import load_profile

RULES = permit_rules(load_profile("southampton"))
SALE, PARADE = RULES.yard_sale, RULES.parade


def days(*texts: str) -> list[date]:
    return [date.fromisoformat(text) for text in texts]


def row(first: str, count: int, step: int = 1) -> list[date]:
    return [date.fromisoformat(first) + timedelta(days=n * step) for n in range(count)]


def span(first: str, last: str | None = None) -> tuple[date, date]:
    return date.fromisoformat(first), date.fromisoformat(last or first)


class TestSummer:
    def test_runs_from_the_last_monday_of_may_to_the_first_of_september(self):
        assert summer(2026, inclusive=True) == span("2026-05-25", "2026-09-07")
        assert summer(2026, inclusive=False) == span("2026-05-26", "2026-09-06")


class TestYardSale:
    def test_no_more_than_three_consecutive_days(self):
        assert yard_sale_days(row("2026-04-03", 3), [], SALE).broken == ()
        assert yard_sale_days(row("2026-04-03", 4), [], SALE).broken == ("4 days in a row are more than 3",)

    def test_days_of_an_earlier_sale_make_the_run_longer(self):
        assert yard_sale_days(days("2026-04-05"), row("2026-04-02", 3), SALE).longest_run == 4

    def test_a_run_that_this_sale_is_not_in_is_not_held_against_it(self):
        assert yard_sale_days(days("2026-05-02"), row("2026-04-02", 5), SALE).broken == ()

    def test_no_more_than_twelve_days_a_calendar_year(self):
        eleven = row("2026-01-03", 11, 7)
        assert yard_sale_days(days("2026-10-03"), eleven, SALE).broken == ()
        assert yard_sale_days(days("2026-10-03", "2026-10-10"), eleven, SALE).broken == ("13 days in 2026 are more than 12",)
        assert yard_sale_days(days("2027-10-03", "2027-10-10"), eleven, SALE).broken == ()

    def test_no_more_than_six_of_them_in_summer_both_holidays_included(self):
        six = [*row("2026-06-06", 4, 7), date(2026, 5, 25), date(2026, 9, 7)]
        assert yard_sale_days(six, [], SALE).summer_by_year == {2026: 6}
        assert yard_sale_days(six, [], SALE).broken == ()
        (broken,) = yard_sale_days([*six, date(2026, 8, 1)], [], SALE).broken
        assert "7 days from" in broken

    def test_a_sale_in_autumn_is_not_refused_for_the_summer_s(self):
        assert yard_sale_days(days("2026-10-03"), row("2026-06-06", 7, 7), SALE).broken == ()


class TestParades:
    @pytest.mark.parametrize(
        ("other", "counts", "edge"),
        [
            ("2026-07-06", 1, 0),  # 30 days on
            ("2026-07-07", 0, 0),  # 31
            ("2026-06-06", 1, 0),  # the same day
            ("2026-05-25", 1, 0),  # Memorial Day itself
            ("2026-05-24", 0, 1),  # the day before
        ],
    )
    def test_within_30_calendar_days_both_in_summer(self, other, counts, edge):
        both, one = parades_within(span("2026-06-06"), [span(other)], PARADE)
        assert (len(both), len(one)) == (counts, edge)

    def test_outside_summer_none_counts(self):
        assert parades_within(span("2026-10-10"), [span("2026-10-11")], PARADE) == ((), ())

    def test_days_are_counted_from_the_nearest_ones(self):
        assert days_between(span("2026-06-01", "2026-06-05"), span("2026-06-08", "2026-06-09")) == 3
        assert days_between(span("2026-06-01", "2026-06-05"), span("2026-06-05", "2026-06-09")) == 0


def test_italy_says_nothing_of_either():
    rules = permit_rules(load_profile("italy"))
    assert (rules.caps, rules.parade, rules.yard_sale) == (None, None, None)
