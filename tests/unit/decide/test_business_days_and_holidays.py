"""Days as the General Construction Law counts them."""

from datetime import date, timedelta

import holidays
import pytest

from geonotice.decide.business_days_and_holidays import (
    add_business_days,
    is_business_day,
    labor_day,
    memorial_day,
    next_business_day,
    post_office_closed,
    previous_business_day,
    public_holidays,
)


class TestSection24:
    def test_has_the_states_own_days(self):
        names = public_holidays(2026)
        assert names[date(2026, 2, 12)] == "Lincoln's Birthday"
        assert names[date(2026, 6, 14)] == "Flag Day"
        assert names[date(2026, 6, 19)] == "Juneteenth"
        assert names[date(2026, 11, 3)] == "Election Day"

    def test_a_holiday_on_a_sunday_is_kept_on_the_monday(self):
        assert not is_business_day(date(2027, 7, 5))

    def test_a_holiday_on_a_saturday_stays_there(self):
        assert is_business_day(date(2026, 7, 3))
        assert not is_business_day(date(2026, 7, 4))

    def test_flag_day_a_sunday_moves_nothing(self):
        assert is_business_day(date(2026, 6, 15))

    def test_election_day_is_the_tuesday_after_the_first_monday_even_when_that_is_the_first(self):
        assert date(2022, 11, 8) in public_holidays(2022)
        assert date(2022, 11, 1) not in public_holidays(2022)

    def test_juneteenth_is_one_since_2021(self):
        assert date(2020, 6, 19) not in public_holidays(2020)
        assert date(2021, 6, 19) in public_holidays(2021)


DIFFERENCES = {
    "Flag Day": "section 24 names the second Sunday of June; the package leaves it out, since it is always a Sunday",
    "Susan B. Anthony Day": "a day of commemoration (Executive Law section 168-a), not a public holiday of section 24",
    "(observed)": "the package gives the Friday before a Saturday holiday, as federal and many State offices keep it; section 24 does not",
}
"""Where the two lists differ in 2020 to 2035, and why this project keeps to section 24."""


def test_the_holidays_of_2020_to_2035_differ_from_the_packages_only_as_explained():
    unexplained, used = [], set()
    for year in range(2020, 2036):
        ours = public_holidays(year)
        theirs = holidays.US(subdiv="NY", years=year)
        for day in sorted(set(ours) ^ set(theirs)):
            name = ours.get(day) or theirs[day]
            reasons = [part for part in DIFFERENCES if part in name]
            used.update(reasons[:1])
            if not reasons:
                unexplained.append((day, name))
    assert unexplained == []
    assert used == set(DIFFERENCES)


def test_a_day_only_the_package_has_is_a_friday_before_a_saturday_or_susan_b_anthonys():
    for year in range(2020, 2036):
        theirs = holidays.US(subdiv="NY", years=year)
        for day in set(theirs) - set(public_holidays(year)):
            assert theirs[day] == "Susan B. Anthony Day" or day.weekday() == 4, (day, theirs[day])


def test_the_only_day_the_package_lacks_is_flag_day():
    for year in range(2020, 2036):
        ours = public_holidays(year)
        for day in set(ours) - set(holidays.US(subdiv="NY", years=year)):
            assert ours[day] == "Flag Day"


class TestSection25a:
    def test_carries_a_saturday_to_the_monday(self):
        assert next_business_day(date(2026, 6, 20)) == date(2026, 6, 22)

    def test_carries_over_a_holiday_weekend(self):
        assert next_business_day(date(2026, 9, 5)) == date(2026, 9, 8)

    def test_leaves_a_business_day_alone(self):
        assert next_business_day(date(2026, 6, 22)) == previous_business_day(date(2026, 6, 22)) == date(2026, 6, 22)


class TestBusinessDays:
    def test_thirty_after_1_june_2026_leave_out_juneteenth_but_not_3_july(self):
        assert add_business_days(date(2026, 6, 1), 30) == date(2026, 7, 14)

    def test_are_counted_back_as_well(self):
        assert add_business_days(date(2026, 6, 22), -1) == date(2026, 6, 18)

    def test_leave_out_a_day_that_was_appointed(self):
        assert add_business_days(date(2026, 6, 1), 1, appointed=[date(2026, 6, 2)]) == date(2026, 6, 3)


class TestPostOffices:
    @pytest.mark.parametrize("day", [date(2026, 2, 12), date(2026, 11, 3)])
    def test_are_open_on_the_states_own_holidays(self, day):
        assert not is_business_day(day)
        assert post_office_closed(day) == ""

    @pytest.mark.parametrize("day", [date(2026, 1, 1), date(2026, 10, 12), date(2026, 12, 25), date(2026, 7, 12)])
    def test_are_closed_on_postal_holidays_and_sundays(self, day):
        assert post_office_closed(day)

    def test_take_mail_on_a_saturday(self):
        assert post_office_closed(date(2026, 7, 11)) == ""


@pytest.mark.parametrize("year", range(2020, 2036))
def test_the_summer_runs_from_the_last_monday_of_may_to_the_first_of_september(year):
    first, last = memorial_day(year), labor_day(year)
    assert (first.weekday(), last.weekday()) == (0, 0)
    assert (first + timedelta(days=7)).month == 6
    assert last.day <= 7
