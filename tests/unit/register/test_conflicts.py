"""Events in each other's way: near in place and time, or along one street."""

from datetime import date, datetime

import pytest
import shapely
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.yard_sales_parades_nearby_events import Nearness
from geonotice.register.conflicts import conflict_warnings, conflicts_between, conflicts_with, streets_of_route
from geonotice.register.permits import rescind

DAY = date(2026, 8, 8)
YEAR = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}


def parade(day: date, *streets: str, x: float = 0.0):
    route = shapely.LineString([(x, 0), (x + 2000, 0)]).wkb
    return {"kind": "parade", "land": (), "starts": day, "streets": streets, "route": route, "route_crs": "EPSG:2263"}


@pytest.fixture
def others(give, land):
    """Return a permit on a lot that begins so many feet east of the application's."""

    def made(feet: float, **changes):
        return give(land=(land("9", (1200 + feet, 1000, 1400 + feet, 1300)),), **changes).permit.number

    return made


class TestTheEventItself:
    def test_is_told_by_applicant_kind_title_days_and_parcels(self, give, others, register, application):
        number = give().permit.number
        other = others(100)
        said = {warning.code: warning.text for warning in conflict_warnings(register, application)}
        assert said["own_permit"].startswith(f"Permit {number} is taken for this event's own (its applicant, kind")
        assert other in said["conflict"]
        assert number not in said["conflict"]

    @pytest.mark.parametrize(
        "other", [{"applicant": "Bob Roe"}, {"title": "Dance"}, {"ends": date(2026, 8, 9)}, {"kind": "party"}]
    )
    def test_is_not_told_where_one_of_these_is_another(self, other, give, register, application):
        give()
        assert [warning.code for warning in conflict_warnings(register, replace(application, **other))] == ["conflict"]

    def test_is_told_by_its_application(self, give, register, application):
        number = give(title="Dance").permit.number
        (said,) = conflict_warnings(register, application, own=[number])
        assert said.text.startswith(f"Permit {number} is taken for this event's own (the application has it)")


class TestNear:
    @pytest.mark.parametrize(("feet", "found"), [(100, 1), (2640, 1), (2640.1, 0)])
    def test_within_the_distance_of_the_land(self, feet, found, others, register, application):
        others(feet)
        assert len(conflicts_with(register, application)) == found

    @pytest.mark.parametrize(("days", "near"), [(0, {8}), (1, {7, 8, 9})])
    def test_within_the_days(self, days, near, others, register, application):
        for day in range(5, 12):
            others(100, starts=date(2026, 8, day), rules=PermitRules())
        found = conflicts_with(register, application, nearness=Nearness(within_days=days))
        assert {int(conflict.numbers[1][-1]) + 4 for conflict in found} == near

    def test_days_of_a_long_event_all_count(self, others, register, application):
        others(100, starts=date(2026, 8, 1), ends=date(2026, 8, 31))
        (found,) = conflicts_with(register, application)
        assert found.text == "this event (Fair) and 2026-0001 (Fair): both on Saturday, August 8, 2026, 100 ft apart"

    def test_a_rescinded_event_does_not_take_place(self, others, register, application):
        rescind(register, others(100), reason="withdrawn", now=datetime(2026, 5, 2), by="Clerk")  # noqa: DTZ001  # town hall time
        assert conflicts_with(register, application) == ()

    def test_an_event_without_a_day_or_a_shape_is_near_nothing(self, others, register, application, land):
        others(100)
        assert conflicts_with(register, replace(application, starts=None)) == ()
        assert conflicts_with(register, replace(application, land=(land(geometry=None),))) == ()

    @pytest.mark.parametrize(
        ("feet", "where"), [(0, "side by side"), (1, "side by side"), (40, "40 ft apart"), (-150, "on the same land")]
    )
    def test_lots_side_by_side_are_not_the_same_land(self, feet, where, others, register, application):
        others(feet)
        (found,) = conflicts_with(register, application)
        assert found.text.endswith(where)

    def test_a_lot_that_is_part_of_a_larger_one_now_is_the_same_land(self, give, register, application, land):
        give(land=(land("9", (900, 900, 2000, 2000)),))
        (found,) = conflicts_with(register, application)
        assert found.text.endswith("on the same land")

    @pytest.mark.parametrize(("y", "where"), [(1100, "on the same land"), (1000, "on the same land"), (999, "side by side")])
    def test_a_route_over_a_lot_or_along_it(self, y, where, give, register, application):
        route = shapely.LineString([(0, y), (3000, y)]).wkb
        give(kind="parade", land=(), starts=DAY, route=route, route_crs="EPSG:2263")
        (found,) = conflicts_with(register, application)
        assert found.text.endswith(where)

    def test_a_parade_passes_by(self, give, register, application):
        give(**parade(DAY, "Main Street"))
        (found,) = conflicts_with(register, application)
        assert found.distance_ft == 1000


class TestSameStreet:
    def test_two_parades_along_one_street_however_far_apart(self, give, register):
        give(**parade(DAY, "Main Street", "Elm Street"))
        give(**parade(DAY, "MAIN ST.", x=50_000))
        (found,) = conflicts_between(register, **YEAR)
        assert found.numbers == ("2026-0001", "2026-0002")
        assert found.streets == ("Main Street",)
        assert "along the same street (Main Street)" in found.text

    def test_on_another_day_or_another_street_they_are_not(self, give, register):
        give(**parade(DAY, "Main Street"))
        give(**parade(date(2026, 8, 9), "Main Street"))
        give(**parade(DAY, "Hill Street", x=50_000))
        assert conflicts_between(register, **YEAR) == ()


def test_a_year_lists_each_pair_once(others, give, register):
    others(0, starts=date(2026, 8, 8)), others(100, starts=date(2026, 8, 1), ends=date(2026, 8, 9)), others(90_000)
    assert [found.numbers for found in conflicts_between(register, **YEAR)] == [("2026-0002", "2026-0001")]


def test_streets_of_a_route_are_those_it_runs_along_not_those_it_crosses(layer):
    streets = {
        "Main Street": shapely.LineString([(0, 10), (1500, 10)]),
        "Cross Street": shapely.LineString([(700, -900), (700, 900)]),
        "Hill Street": shapely.LineString([(1500, 0), (1500, 900)]),
        "Far Street": shapely.LineString([(0, 400), (1500, 400)]),
    }
    route = shapely.LineString([(50, 0), (1490, 0), (1490, 600)]).wkb
    assert streets_of_route(layer({}, streets), route) == ("Main Street", "Hill Street")
