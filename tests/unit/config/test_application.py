"""Days that need not follow each other, midnight, and whether the hours are at night."""

from datetime import date

import pytest
from law_toys import ask

from geonotice.config.application import About
from geonotice.config.read_application import event_from_data, read_event_file
from geonotice.decide.case import PremisesFacts
from geonotice.decide.hours import suggested_night, sunrise
from geonotice.decide.stated_case import read_history
from geonotice.decide.yard_sales_parades_nearby_events import Happening, Nearness, conflict_of
from geonotice.errors import EventFileError

LATITUDE, LONGITUDE = 40.88, -72.39


def about(**stated) -> About:
    return event_from_data({"event": stated}, file="event").event


def saturdays(opens="10:00", closes="16:00", days=("2026-07-18", "2026-07-25", "2026-08-01")):
    return [{"on": day, "from": opens, "to": closes} for day in days]


class TestMidnight:
    def test_at_the_end_of_a_day_is_that_day(self):
        assert about(starts="2027-08-14T12:00:00", ends="2027-08-15T00:00:00").last_day == date(2027, 8, 14)
        assert about(starts="2027-08-14T12:00:00", ends="2027-08-15T00:01:00").last_day == date(2027, 8, 15)
        assert about(ends="2027-08-15T00:00:00").last_day == date(2027, 8, 14)

    def test_at_which_it_begins_is_the_day_that_begins(self):
        found = about(starts="2027-08-15T00:00:00", ends="2027-08-15T00:00:00")
        assert (found.first_day, found.last_day) == (date(2027, 8, 15), date(2027, 8, 15))
        assert about(starts="2027-08-15", ends="2027-08-15T00:00:00").last_day == date(2027, 8, 15)

    def test_that_was_meant_for_the_end_of_the_same_day_is_told_how_to_be_written(self):
        with pytest.raises(EventFileError, match="2027-08-15T00:00:00"):
            about(starts="2027-08-14T12:00:00", ends="2027-08-14T00:00:00")

    def test_needs_no_camping_after_one_day_but_does_after_two(self):
        """Italy D(6)."""
        assert ask("italy", {"event.ends": "2026-08-17T00:00:00"})["italy.camping"] is None
        found = ask("italy", {"event.starts": "2026-08-15T10:00:00", "event.ends": "2026-08-17T00:00:00"})
        assert found["italy.camping"] == "not_met"
        small_hours = ask("italy", {"event.ends": "2026-08-17T02:00:00"})
        assert small_hours["italy.camping"] == "decide"

    def test_does_not_put_the_dates_off_by_a_day(self):
        """Italy G: waste is removed within five days from the termination."""
        found = ask("italy", {"event.ends": "2026-08-17T00:00:00"})
        assert "2026-08-21" in str(found.findings["italy.cleanup5"]["facts"])

    def test_ends_a_permit_of_the_record_on_its_own_day(self):
        rows = [{"starts": "2026-05-02T18:00:00", "ends": "2026-05-03T00:00:00"}, {"starts": "2026-05-02", "ends": "2026-05-03"}]
        first, second = read_history(rows, file="case", faults=[])
        assert (first.ends, second.ends) == (date(2026, 5, 2), date(2026, 5, 3))

    @pytest.mark.shared
    def test_of_the_handed_event(self, shared):
        assert read_event_file(shared / "faults" / "law" / "midnight.toml").event.last_day == date(2027, 8, 14)


class TestDays:
    def test_begin_and_end_the_event_in_whatever_order_they_stand(self):
        found = about(days=list(reversed(saturdays())))
        assert (found.first_day, found.last_day) == (date(2026, 7, 18), date(2026, 8, 1))
        assert found.held_on == (date(2026, 7, 18), date(2026, 7, 25), date(2026, 8, 1))

    def test_stand_instead_of_starts_and_ends(self):
        with pytest.raises(EventFileError, match="instead of starts and ends"):
            about(days=saturdays(), ends="2026-08-01T16:00:00")

    @pytest.mark.parametrize(
        ("days", "words"),
        [
            ([], "1 or more"),
            ([{"from": "10:00"}], "required"),
            ([{"on": "2026-07-18", "till": "16:00"}], "'till'"),
            ([{"on": "2026-07-18"}, {"on": "2026-07-18"}], "overlap"),
            (
                [{"on": "2026-07-18", "from": "18:00", "to": "02:00"}, {"on": "2026-07-19", "from": "01:00", "to": "09:00"}],
                "overlap",
            ),
            ([{"on": "2026-07-18", "from": "25:00"}], "25:00"),
        ],
    )
    def test_that_cannot_be_meant_are_refused(self, days, words):
        with pytest.raises(EventFileError, match=words):
            about(days=days)

    def test_may_have_two_sessions_and_run_past_midnight(self):
        found = about(
            days=[{"on": "2026-07-18", "from": "10:00", "to": "12:00"}, {"on": "2026-07-18", "from": "20:00", "to": "01:00"}]
        )
        assert found.held_on == (date(2026, 7, 18), date(2026, 7, 19))
        assert about(days=saturdays(closes="24:00")).held_on == about(days=saturdays()).held_on

    def test_apart_from_each_other_need_no_camping_and_in_a_row_it_must_be_decided(self):
        apart = {"event.starts": None, "event.ends": None, "event.days": saturdays(days=("2026-08-15", "2026-08-22"))}
        assert ask("italy", apart)["italy.camping"] is None
        in_a_row = {**apart, "event.days": saturdays(days=("2026-08-15", "2026-08-16"))}
        assert ask("italy", in_a_row)["italy.camping"] == "decide"
        overnight = {**apart, "event.days": saturdays(opens="18:00", closes="12:00", days=("2026-08-15", "2026-08-22"))}
        assert ask("italy", overnight)["italy.camping"] == "not_met"

    def test_are_the_days_and_hours_of_a_yard_sale_that_states_none_itself(self):
        """Southampton 283-2A(3)(h)[3], [5]."""
        sale = {
            "event.kind": "yard_sale", "event.starts": None, "event.ends": None, "yard_sale.own_goods_only": True,
            "yard_sale.on_dwelling_lot": True, "event.days": saturdays(),
        }  # fmt: skip
        assert ask("southampton", sale)["sh.yard_sale"] == "met"
        assert ask("southampton", {**sale, "event.days": saturdays(opens="06:00")})["sh.yard_sale"] == "not_met"
        assert ask("southampton", {**sale, "event.days": saturdays(closes="24:00")})["sh.yard_sale"] == "not_met"
        four = saturdays(days=tuple(f"2026-07-{day}" for day in (11, 12, 13, 14)))
        assert ask("southampton", {**sale, "event.days": four})["sh.yard_sale"] == "not_met"
        assert ask("southampton", {**sale, "event.days": [{"on": "2026-07-18"}]})["sh.yard_sale"] == "decide"
        contradicting = {**sale, "yard_sale.days": ["2026-07-18", "2026-07-25"], "yard_sale.hours": ["10:00", "16:00"]}
        assert ask("southampton", contradicting)["sh.yard_sale"] == "decide"

    def test_count_as_one_event(self):
        """Southampton 283-6B(2)."""
        days = {
            "event.starts": None,
            "event.ends": None,
            "event.days": saturdays(days=("2026-08-16", "2026-08-29", "2026-09-05")),
        }
        past = [{"issued": "2026-01-05", "starts": "2026-05-02", "night": False}] * 2
        found = ask("southampton", days, history=past)
        assert (found["sh.cap_other"], found.findings["sh.cap_other"]["facts"]["used"]) == ("met", 2)


class TestNight:
    def test_is_suggested_by_the_sun_of_each_day(self):
        assert "suggested day" in suggested_night(about(days=saturdays()), LATITUDE, LONGITUDE)
        late = [*saturdays(), {"on": "2026-08-08", "from": "18:00", "to": "22:00"}]
        said = suggested_night(about(days=late), LATITUDE, LONGITUDE)
        assert "after the sun sets" in said
        assert "August 8, 2026" in said
        assert "suggested night" in said

    def test_several_days_that_end_in_the_afternoon_are_not_said_to_end_after_sunset(self):
        said = suggested_night(about(starts="2027-06-18T10:00:00", ends="2027-06-20T16:00:00"), LATITUDE, LONGITUDE)
        assert "after the sun sets" not in said
        assert "suggested day" in said
        assert "held through the nights, it is at night" in said
        evening = suggested_night(about(starts="2027-06-18T10:00:00", ends="2027-06-20T23:00:00"), LATITUDE, LONGITUDE)
        assert "suggested night" in evening
        open_ = suggested_night(about(starts="2027-06-18T18:00:00", ends="2027-06-20T14:00:00"), LATITUDE, LONGITUDE)
        assert "suggested" not in open_
        assert "days" in open_

    @pytest.mark.parametrize(
        ("starts", "ends", "night"),
        [
            ("2027-06-19T00:30:00", "2027-06-19T04:30:00", True),
            ("2027-06-19T22:00:00", "2027-06-20T02:00:00", True),
            ("2027-06-19T12:00:00", "2027-06-20T00:00:00", True),
            ("2027-06-19T06:00:00", "2027-06-19T20:00:00", False),
            ("2027-01-16T06:00:00", "2027-01-16T10:00:00", True),
            ("2027-01-16T12:00:00", "2027-01-16T17:30:00", True),
        ],
    )
    def test_is_between_sunset_and_sunrise(self, starts, ends, night):
        said = suggested_night(about(starts=starts, ends=ends), LATITUDE, LONGITUDE)
        assert ("suggested night" in said) is night
        assert ("suggested day" in said) is not night

    def test_is_not_suggested_without_hours(self):
        assert suggested_night(about(starts="2027-06-19", ends="2027-06-19"), LATITUDE, LONGITUDE) == ""
        assert PremisesFacts().lon_lat is None

    @pytest.mark.parametrize(
        ("day", "published"), [(date(2026, 6, 21), "05:17"), (date(2026, 12, 21), "07:11"), (date(2026, 3, 20), "06:51")]
    )
    def test_sunrise_is_within_three_minutes_of_the_reckoning_from_noon(self, day, published):
        found = sunrise(LATITUDE, LONGITUDE, day)
        hour, minute = (int(part) for part in published.split(":"))
        assert abs(found.hour * 60 + found.minute - hour * 60 - minute) <= 3


class TestConflicts:
    NEAR = Nearness()

    def happening(self, *days, number="", span=None):
        found = tuple(date(2026, 7, day) for day in days)
        return Happening(number=number, kind="sale", title="", span=span or (found[0], found[-1]), days=found)

    def test_days_between_are_no_conflict_and_shared_days_are_named(self):
        market, fair = self.happening(4, 11, 18), self.happening(11, 12, number="2026-0001")
        found = conflict_of(market, fair, distance_ft=100.0, shared=False, nearness=self.NEAR)
        assert "both on Saturday, July 11, 2026" in found.text
        between = self.happening(5, 6, number="2026-0002")
        assert conflict_of(market, between, distance_ft=100.0, shared=False, nearness=self.NEAR) is None
        whole_week = Happening(number="7", kind="party", title="", span=(date(2026, 7, 12), date(2026, 7, 17)))
        assert conflict_of(market, whole_week, distance_ft=0.0, shared=True, nearness=self.NEAR) is None
        assert conflict_of(market, whole_week, distance_ft=0.0, shared=True, nearness=Nearness(within_days=1)).days_apart == 1
