"""Hours of a permit: as a clerk writes them, on the days of the event, moved with the days, and written so that they are read again."""

from datetime import date, datetime, time

import pytest

from geonotice.register.cells import CellError
from geonotice.register.held_hours import (
    each_session,
    held_days,
    moved_hours,
    read_given_hours,
    sessions_json,
    sessions_of,
    sessions_on_days,
    sessions_text,
)

SATURDAY, SUNDAY, NEXT = date(2026, 7, 18), date(2026, 7, 19), date(2026, 7, 25)


def at(day, hour):
    return datetime.combine(day, time(hour))


def on(text, *days):
    return sessions_on_days(read_given_hours(text), days)


@pytest.mark.parametrize(
    ("text", "sessions"),
    [
        ("2pm-10pm", [(at(SATURDAY, 14), at(SATURDAY, 22)), (at(SUNDAY, 14), at(SUNDAY, 22))]),
        ("1400-2200", [(at(SATURDAY, 14), at(SATURDAY, 22)), (at(SUNDAY, 14), at(SUNDAY, 22))]),
        ("2026-07-18 0900 to 1200 hrs", [(at(SATURDAY, 9), at(SATURDAY, 12))]),
        ("18:00-01:00", [(at(SATURDAY, 18), at(SUNDAY, 1)), (at(SUNDAY, 18), at(date(2026, 7, 20), 1))]),
        ("noon to midnight", [(at(SATURDAY, 12), at(SUNDAY, 0)), (at(SUNDAY, 12), at(date(2026, 7, 20), 0))]),
        ("10:00-16:00; 2026-07-19 12:00-17:00", [(at(SATURDAY, 10), at(SATURDAY, 16)), (at(SUNDAY, 12), at(SUNDAY, 17))]),
        ("2026-07-18 9am-noon; 2026-07-18 2-5pm", [(at(SATURDAY, 9), at(SATURDAY, 12)), (at(SATURDAY, 14), at(SATURDAY, 17))]),
        ("2026-07-18 14:00 to 2026-07-19 22:00", [(at(SATURDAY, 14), at(SUNDAY, 22))]),
        ("2026-07-18 19:00", [(at(SATURDAY, 19), SATURDAY)]),
        ("2026-07-19 until 22:00", [(SUNDAY, at(SUNDAY, 22))]),
        ("", []),
    ],
)
def test_hours_are_read_and_written_so_that_they_are_read_again(text, sessions):
    found = on(text, SATURDAY, SUNDAY)
    assert list(found) == sessions
    assert on(sessions_text(found), SATURDAY, SUNDAY) == found
    assert sessions_of(str(sessions_json(found)).replace("'", '"')) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dusk", "is not understood as hours; write 14:00-22:00"),
        ("2026", "is not understood"),
        ("10-4 except Sunday", "is not understood"),
        ("2026-07-25 10:00-16:00", "for 2026-07-25, on which the event is not held"),
        ("2026-07-32 10:00-16:00", "holds no such day"),
        ("2026-07-19 10:00 to 2026-07-18 11:00", "ends before it begins"),
        ("10:00-16:00; 15:00-18:00", "two of the hours overlap"),
    ],
)
def test_what_cannot_be_meant_is_told(text, why):
    with pytest.raises(CellError, match=why):
        on(text, SATURDAY, SUNDAY)


def test_hours_without_a_day_need_one():
    with pytest.raises(CellError, match="the days of the event are not known"):
        on("10:00-16:00")


class TestMoved:
    def test_each_day_alike_holds_on_as_many_days_as_there_are(self):
        three = moved_hours(on("10:00-16:00", SATURDAY, SUNDAY), (SATURDAY, SUNDAY), (NEXT,))
        assert sessions_text(three) == "2026-07-25 10:00-16:00"

    def test_as_many_days_are_moved_one_by_one(self):
        own = on("10:00-16:00; 2026-07-19 12:00-17:00", SATURDAY, SUNDAY)
        assert (
            sessions_text(moved_hours(own, (SATURDAY, SUNDAY), (SATURDAY, NEXT)))
            == "2026-07-18 10:00-16:00; 2026-07-25 12:00-17:00"
        )

    def test_one_session_from_the_first_day_to_the_last_stays_one(self):
        whole = on("2026-07-18 14:00 to 2026-07-19 22:00", SATURDAY, SUNDAY)
        moved = moved_hours(whole, (SATURDAY, SUNDAY), held_days(SATURDAY, date(2026, 7, 20), ()))
        assert sessions_text(moved) == "2026-07-18 14:00 to 2026-07-20 22:00"

    def test_days_of_their_own_hours_on_another_number_of_days_are_a_question(self):
        own = on("10:00-16:00; 2026-07-19 12:00-17:00", SATURDAY, SUNDAY)
        assert moved_hours(own, (SATURDAY, SUNDAY), (NEXT,)) is None

    def test_the_same_days_change_nothing(self):
        own = on("10:00-16:00", SATURDAY)
        assert moved_hours(own, (SATURDAY,), (SATURDAY,)) == own


def test_a_day_without_hours_stands_among_those_that_have_some():
    assert each_session(on("2026-07-18 18:00-01:00", SATURDAY, SUNDAY, NEXT), (SATURDAY, SUNDAY, NEXT)) == (
        (at(SATURDAY, 18), at(SUNDAY, 1)),
        (NEXT, NEXT),
    )


@pytest.mark.parametrize(
    "cell", ["{}", "[1]", '[["2026-07-18"]]', '[["2026-07-18T09:00", "noon"]]', '[["2026-02-30", "2026-02-30"]]']
)
def test_a_cell_of_the_register_that_holds_no_hours_is_refused(cell):
    with pytest.raises(ValueError, match=r"hours|day"):
        sessions_of(cell)
