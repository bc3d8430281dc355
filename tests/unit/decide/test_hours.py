"""61-6: "No gathering shall begin before 9:00 a.m. or continue after 10:00 p.m., or 11:00 p.m. on Friday, Saturday and the eve of a holiday"."""

from datetime import date

import pytest
from law_toys import event_of
from profile_toys import PERMIT, profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.errors import OrdinanceError

VALUES = 'opens = "09:00", closes = "22:00", late_closes = "23:00", late_days = ["friday", "saturday", "holiday_eve"]'


def of(check_, values, name="rule"):
    return profile_of(PERMIT, rule(name, "condition", more=f'check = "{check_}"\nvalues = {{ {values} }}'))


def found(profile, starts="2026-07-11T12:00:00", ends="2026-07-11T18:00:00", **facts):
    changes = {"event.starts": starts, "event.ends": ends}
    event = event_from_data(event_of("southampton", changes), file="event")
    return check(profile, event, PremisesFacts(zone="other", **facts), on=date(2026, 6, 1)).finding("oak.rule")


class TestTheHours:
    profile = of("hours", VALUES)

    @pytest.mark.parametrize(
        ("day", "latest"),
        [
            ("2026-07-09", "22:00"),
            ("2026-07-10", "23:00"),
            ("2026-07-11", "23:00"),
            ("2026-07-12", "22:00"),
            ("2026-11-25", "23:00"),
        ],
        ids=["Thursday", "Friday", "Saturday", "Sunday", "eve of Thanksgiving"],
    )
    def test_end_with_the_day_of_the_week_and_later_before_a_holiday(self, day, latest):
        assert found(self.profile, f"{day}T12:00:00", f"{day}T{latest}:00").status == "met"
        made = found(self.profile, f"{day}T12:00:00", f"{day}T{latest[:2]}:01:00")
        assert (made.status, f"It ends at {latest[:2]}:01, {latest} is the latest" in made.text) == ("not_met", True)

    def test_begin_at_nine(self):
        assert found(self.profile, "2026-07-11T09:00:00").status == "met"
        made = found(self.profile, "2026-07-11T08:59:00")
        assert (made.status, made.text) == ("not_met", "It begins at 08:59, 09:00 is the earliest.")

    def test_are_passed_by_an_event_that_runs_into_the_night(self):
        made = found(self.profile, ends="2026-07-12T01:00:00")
        assert (made.status, made.text) == ("not_met", "It ends at 01:00, 23:00 is the latest on Saturday, July 11, 2026.")

    def test_of_several_days_leave_the_nights_to_a_person(self):
        made = found(self.profile, ends="2026-07-12T18:00:00")
        assert (made.status, "whether it stops for the night" in made.text) == ("decide", True)
        assert found(self.profile, ends="2026-07-12T22:01:00").status == "not_met"

    def test_that_are_not_said_are_asked_for(self):
        assert found(self.profile, ends="2026-07-11").status == "decide"


class TestHoursThatEndAfterMidnight:
    profile = of("hours", 'opens = "10:00", closes = "01:00"')

    @pytest.mark.parametrize(("ends", "status"), [("2026-07-12T01:00:00", "met"), ("2026-07-12T01:01:00", "not_met")])
    def test_belong_to_the_evening_before(self, ends, status):
        assert found(self.profile, ends=ends).status == status


class TestTheAcres:
    profile = of("acreage", "acres = 5")

    @pytest.mark.parametrize(
        ("acres", "status"), [(4.9, "not_met"), (4.96, "decide"), (5.0, "decide"), (5.06, "met"), (None, "decide")]
    )
    def test_are_those_of_the_map_and_what_it_can_be_off_by_is_left_to_a_person(self, acres, status):
        assert found(self.profile, area_sq_ft=None if acres is None else acres * 43_560).status == status


@pytest.mark.parametrize(
    ("check_", "values", "said"),
    [
        ("hours", 'opens = "9 a.m.", closes = "22:00"', 'opens is a time of day as "22:00"'),
        ("hours", 'opens = "09:00", closes = "22:00", late_closes = "23:00"', "late_closes and late_days go together"),
        ("hours", 'opens = "09:00", closes = "22:00", late_closes = "23:00", late_days = ["Friday"]', "which nothing can match"),
        ("acreage", 'acres = "5"', "acres is a number, from 0 to 1,000,000,000, without quotation marks"),
        ("parking", "persons_per_car = 0", "persons_per_car is a number, above 0"),
        ("alcohol", 'anywhere = "yes"', "anywhere is true or false"),
    ],
)
def test_a_value_that_could_not_be_used_is_refused(check_, values, said):
    with pytest.raises(OrdinanceError, match=said):
        of(check_, values)
