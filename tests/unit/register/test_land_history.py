"""History follows the land."""

from datetime import date

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.register.land_history import Slivers, histories_of, history_of, same_land
from geonotice.register.permit_check import check
from geonotice.register.rows import cells_of, search_ranges

RULES = PermitRules(caps=CapRules())
DAY = date(2026, 5, 2)


def _used(register, application_of, *land):
    found = check(register, application_of(land), on=DAY, rules=RULES)
    return found.finding.parcels[0], found.warnings


@pytest.fixture
def asked(application):
    from msgspec.structs import replace

    return lambda land: replace(application, land=tuple(land))


class TestTheLandIsFollowed:
    def test_a_renumbered_parcel_keeps_its_permits_and_says_from_which_number(self, give, register, asked, land):
        give()
        found, _ = _used(register, asked, land("12.01-1-99"))
        assert found.used == 1
        assert found.recorded_as == ("12.01-1-15",)
        assert "renumbered" in found.review
        assert "12.01-1-15" in found.why

    def test_both_halves_of_a_subdivided_parcel_have_them(self, give, register, asked, land):
        give()
        for n, box in enumerate([(1000, 1000, 1100, 1300), (1100, 1000, 1200, 1300)], start=1):
            assert _used(register, asked, land(f"12.01-1-15.{n}", box))[0].used == 1

    def test_a_merged_parcel_has_those_of_all_its_parts(self, give, register, asked, land):
        give(), give(land=(land("12.01-1-16", (1200, 1000, 1400, 1300)),))
        assert _used(register, asked, land("12.01-1-15", (1000, 1000, 90000, 90000)))[0].used == 2

    def test_a_permit_on_two_parcels_counts_once_where_they_were_merged(self, give, register, asked, land):
        give(land=(land("1", (1000, 1000, 1200, 1300)), land("2", (1200, 1000, 1400, 1300))))
        assert _used(register, asked, land("3", (1000, 1000, 1400, 1300)))[0].used == 1

    def test_a_neighbour_by_a_sliver_has_none(self, give, register, asked, land):
        give()
        assert _used(register, asked, land("12.01-1-14", (800, 1000, 1001.6, 1300)))[0].used == 0

    def test_a_number_given_to_other_land_does_not_carry_permits_along(self, give, register, asked, land):
        give()
        found, warnings = _used(register, asked, land("12.01-1-15", (9000, 9000, 9200, 9300)))
        assert found.used == 0
        assert [warning.code for warning in warnings] == ["number_reused"]
        assert "2026-0001" in warnings[0].text

    def test_without_a_shape_the_number_decides(self, give, register, asked, land):
        give(land=(land(geometry=None),))
        assert _used(register, asked, land())[0].used == 1
        assert _used(register, asked, land("12.01-1-16"))[0].used == 0

    def test_in_another_crs_the_number_decides_and_that_is_said(self, give, register, asked, land):
        give()
        found, warnings = _used(register, asked, land(crs="EPSG:2261"))
        assert found.used == 1
        assert [warning.code for warning in warnings] == ["snapshot_crs"]

    def test_one_number_in_two_swis_is_two_parcels(self, give, register, asked, land):
        give(land=(land("573601/1-1-1", geometry=None, swis="573601"),))
        assert _used(register, asked, land("573601/1-1-1", geometry=None, swis="573601"))[0].used == 1
        assert _used(register, asked, land("573689/1-1-1", geometry=None, swis="573689"))[0].used == 0

    def test_spellings_of_one_number_are_one(self, give, register, asked, land):
        give(land=(land("0900-100.00-01.00-015.001", geometry=None),))
        assert _used(register, asked, land("900-100-1-15.1", geometry=None))[0].used == 1


class TestSliver:
    LOT = shapely.box(0, 0, 100, 100)

    @pytest.mark.parametrize(
        ("other", "same"),
        [
            (shapely.box(95, 0, 200, 100), True),  # 500 sq ft, 5 %
            (shapely.box(95.1, 0, 200, 100), False),  # 490 sq ft
            (shapely.box(100, 0, 200, 100), False),  # touches
            (shapely.box(-1000, -1000, 1000, 1000), True),  # the lot was merged into a farm
            (shapely.box(0, 0, 10, 10), True),  # 100 sq ft, but all of the lesser parcel
            (shapely.box(-5, 0, 2, 10), False),  # 20 of 70 sq ft
        ],
    )
    def test_two_percent_and_500_sq_ft(self, other, same):
        assert same_land(self.LOT, other, Slivers()) is same
        assert same_land(other, self.LOT, Slivers()) is same

    def test_two_percent_of_large_parcels(self):
        assert not same_land(shapely.box(0, 0, 1000, 1000), shapely.box(981, 0, 2000, 1000), Slivers())
        assert same_land(shapely.box(0, 0, 1000, 1000), shapely.box(980, 0, 1980, 1000), Slivers())

    def test_a_shape_that_crosses_itself_is_measured_all_the_same(self):
        bow = shapely.Polygon([(0, 0), (100, 100), (100, 0), (0, 100)])
        assert same_land(bow, self.LOT, Slivers())


@st.composite
def boxes(draw):
    x, y = draw(st.floats(-1e6, 1e6)), draw(st.floats(-1e6, 1e6))
    return x, y, x + draw(st.floats(0, 1e5)), y + draw(st.floats(0, 1e5))


@given(boxes(), boxes())
def test_the_grid_finds_every_shape_whose_box_meets_the_search_box(box, search):
    stored = cells_of(box)
    assert 1 <= len(stored) <= 4
    if box[0] <= search[2] and search[0] <= box[2] and box[1] <= search[3] and search[1] <= box[3]:
        ranges = {level: found for level, *found in search_ranges(search)}
        assert any(
            left <= ix <= right and low <= iy <= high for level, ix, iy in stored for left, right, low, high in [ranges[level]]
        )


def test_many_parcels_at_once_have_the_histories_that_each_has_by_itself(register, give, land):
    give(), give(land=(land("renumbered", (1050, 1000, 1400, 1300)),))
    give(land=(land("12.01-1-15", (9000, 0, 9100, 100)),))
    give(land=(land("no shape", geometry=None),))
    asked = [
        land(),
        land("12.01-1-15", (9000, 0, 9100, 100)),
        land("no shape", (5000, 0, 5100, 100)),
        land("far", (50_000, 0, 50_100, 100)),
        land("12.01-1-15", geometry=None),
        land("12.01-1-15", crs="EPSG:2261"),
    ]
    with register.reading() as connection:
        together = histories_of(connection, asked, Slivers())
        for item, found in zip(asked, together, strict=True):
            alone = history_of(connection, item, Slivers())
            assert found.permits == alone.permits, item.parcel
            assert set(found.warnings) == set(alone.warnings), item.parcel
        assert histories_of(connection, [], Slivers()) == ()
    assert [len(found.permits) for found in together] == [2, 1, 1, 0, 2, 2]
