"""The days of an event in one cell, in the ways clerks write them."""

from datetime import date, datetime, time

import pytest

from geonotice.register.cells import CellError
from geonotice.register.written_days import Habits, date_orders, read_day, read_days, read_hour_ranges

HABITS = Habits(year=2026)


def days(*texts):
    return tuple(date.fromisoformat(text) for text in texts)


@pytest.mark.parametrize(
    "text",
    ["2026-08-09", "8/9/2026", "8/9/26", "August 9, 2026", "August 9 2026", "Aug. 9, 2026", "Aug 9 '26", "9 August 2026", "9-Aug-26",
     "2026/08/09", "Sun. Aug 9th, 2026", "Sunday, 8/9/2026", "2026-08-09T00:00:00.000", "08/09/2026 10:00:00 AM"],
)  # fmt: skip
def test_one_day(text):
    assert read_day(text, HABITS).starts == date(2026, 8, 9)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("10/11-10/12/2025", "2025-10-11", "2025-10-12"),
        ("10/11-12/2025", "2025-10-11", "2025-10-12"),
        ("Oct 11-12, 2025", "2025-10-11", "2025-10-12"),
        ("11-12 October 2025", "2025-10-11", "2025-10-12"),
        ("5/16/26 - 5/17/26", "2026-05-16", "2026-05-17"),
        ("9/12/26 to 9/13/26", "2026-09-12", "2026-09-13"),
        ("2026-06-06 to 2026-06-08", "2026-06-06", "2026-06-08"),
        ("Oct 31 \u2013 Nov 2, 2025", "2025-10-31", "2025-11-02"),
        ("30 July - 2 August 2026", "2026-07-30", "2026-08-02"),
        ("12/31/26-1/1/27", "2026-12-31", "2027-01-01"),
        ("12/31-1/1/27", "2026-12-31", "2027-01-01"),
        ("Sat-Sun 9/5-9/6/2026", "2026-09-05", "2026-09-06"),
    ],
)
def test_a_range(text, first, last):
    found = read_days(text, HABITS)
    assert (found.starts, found.ends, found.days) == (*days(first, last), ())


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("10/11 & 10/18/2025", ("2025-10-11", "2025-10-18")),
        ("7/18/26; 7/25/26; 8/1/26", ("2026-07-18", "2026-07-25", "2026-08-01")),
        ("July 4, 11 and 18, 2026", ("2026-07-04", "2026-07-11", "2026-07-18")),
        ("6/13/2026\n6/20/2026", ("2026-06-13", "2026-06-20")),
        ("July 4-5 & 11, 2026", ("2026-07-04", "2026-07-05", "2026-07-11")),
    ],
)
def test_separate_days_stay_separate(text, held):
    found = read_days(text, HABITS)
    assert found.days == days(*held)
    assert (found.starts, found.ends) == (found.days[0], found.days[-1])


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("Sat. July 11, 2026 5-11pm", (time(17), time(23))),
        ("July 11, 2026 from 6pm to 11pm", (time(18), time(23))),
        ("7/11/26 11am-3pm", (time(11), time(15))),
        ("7/11/2026 10:00 - 16:30", (time(10), time(16, 30))),
        ("7/11/2026 noon-4pm", (time(12), time(16))),
    ],
)
def test_hours_are_told_from_days(text, hours):
    found = read_days(text, HABITS)
    assert (found.starts, found.ends, found.hours, found.remarks) == (date(2026, 7, 11), None, (hours,), ())


def test_hours_by_themselves():
    assert read_hour_ranges("6:30 - 11 pm") == ("", ((time(18, 30), time(23)),))
    assert read_hour_ranges("9am-noon, 1-5pm, 7 pm")[1] == ((time(9), time(12)), (time(13), time(17)), (time(19), None))
    assert read_hour_ranges("all day") == ("all day", ())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8/9", "its year is not written"),
        ("August 2026", "is not a date"),
        ("32 August 2026", "no such day"),
        ("9/31/26", "no such day"),
        ("next Sunday", "is not understood"),
        ("every Saturday in July 2026", "'every' is not understood"),
        ("TBD", "is not a date"),
        ("Sun July 11, 2026", "2026-07-11 is a Saturday"),
        ("7/4-5/26", "its year is not written"),
        ("8/12/26 - 8/9/26", "is before the first"),
        ("19/09/2026", "with the day first it is the 19"),
        ("46179", "it may be 2026-06-06"),
        ("7/4/26 7/5/26", "what stands between"),
    ],
)
def test_what_cannot_be_told_is_asked_about(text, why):
    with pytest.raises(CellError, match=why):
        read_days(text, HABITS)


def test_a_rain_date_is_not_kept_and_said():
    found = read_days("7/4/26 (rain date 7/5)", HABITS)
    assert (found.starts, found.days) == (date(2026, 7, 4), ())
    assert found.remarks == ("the rain date was not kept: rain date 7/5",)


def test_a_workbook_that_counts_days():
    found = read_days(46249, Habits(year=2026, epoch=date(1899, 12, 30)))
    assert found.starts == date(2026, 8, 15)
    assert "46249" in found.remarks[0]
    assert read_days(44787, Habits(year=2026, epoch=date(1904, 1, 1))).starts == date(2026, 8, 15)


def test_years_of_two_digits_are_of_this_century_or_the_last():
    assert read_days("7/4/36", HABITS).starts == date(2036, 7, 4)
    assert read_days("7/4/37", HABITS).starts == date(1937, 7, 4)


def test_one_day_is_not_several():
    with pytest.raises(CellError, match="more than one day"):
        read_day("7/4/26; 7/5/26", HABITS)


def test_a_cell_that_holds_a_time_of_day():
    found = read_days(datetime(2026, 7, 4, 18, 0), HABITS)  # noqa: DTZ001  # a cell's
    assert (found.starts, found.hours) == (date(2026, 7, 4), ((time(18), time(18)),))


class TestWhichNumberIsTheMonth:
    def test_american_dates_are_month_first(self):
        assert date_orders(["7/4/2026", "7/25/26"]) == ("month-first", "")
        assert date_orders(["7/4/2026"]) == ("month-first", "")

    def test_one_slip_among_many_is_a_slip(self):
        assert date_orders(["19/09/2026", *["7/25/2026"] * 4, "7/4/2026"])[0] == "month-first"

    def test_dates_that_can_only_be_day_first_make_the_others_a_question(self):
        order, why = date_orders(["25/7/2026", "4/7/2026"])
        assert order is None
        assert "1 date such as 7/4/2026 can be read in two ways (1 can only be day first" in why

    def test_they_are_day_first_where_none_is_in_doubt(self):
        assert date_orders(["25/7/2026", "13.7.2026"]) == ("day-first", "")
        assert read_days("25/7/2026", Habits(year=2026, order="day-first")).starts == date(2026, 7, 25)

    def test_dots_are_european(self):
        assert date_orders(["4.7.2026"])[0] is None
        assert read_days("4.7.2026", Habits(year=2026, order="day-first")).starts == date(2026, 7, 4)
