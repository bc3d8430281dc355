"""A year of permits for the map: what is used, what is left, why; and the lists beside it."""

from datetime import date, datetime

import pytest

from geonotice.decide.cap_checks import PermitRules, permit_rules
from geonotice.ordinance.load import load_profile
from geonotice.register.permits import list_permits, rescind, void
from geonotice.register.rows import add
from geonotice.register.values import Permit
from geonotice.register.year import event_year, list_of_year, year_words

RULES = permit_rules(load_profile("southampton"))
NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time
HOME, WEST, EAST = (1000, 1000, 1200, 1300), (0, 0, 400, 400), (5000, 0, 5400, 400)


@pytest.fixture
def year(register, layer, land):
    """Return the year's parcels by number, and the whole."""

    def made(boxes=None, *, on=date(2026, 8, 5), rules=RULES, year=2026, zone="residential"):
        today = layer(boxes or {"12.01-1-15": HOME, "W": WEST, "E": EAST})
        found = event_year(
            register, today, year=year, on=on, rules=rules,
            lands_of=lambda block: [
                (land(parcel.id, shape.bounds, zone=zone), ())
                for parcel, shape in zip(block.parcels, block.geometries, strict=True)
            ],
        )  # fmt: skip
        return {item.parcel.id: item for item in found.parcels}, found

    return made


def test_what_is_used_and_left_on_each_parcel(give, year):
    give(), give()
    parcels, found = year()
    one = parcels["12.01-1-15"]
    assert (one.used, one.cap, one.left, one.charity_left, one.next_date) == (2, 2, 0, True, date(2027, 1, 1))
    assert one.permits == ("2026-0001", "2026-0002")
    assert "2 of 2 permits issued in 2026" in one.why
    assert found.at_the_cap == ("12.01-1-15",)


def test_none_but_a_fourth_year_is_left_after_three(give, year):
    give(), give(), give(charitable=True, primarily_benefits_applicant=True)
    one = year()[0]["12.01-1-15"]
    assert (one.used, one.left, one.charity_left) == (3, 0, False)


def test_nights_are_counted_apart_outside_residential_districts(give, year, land):
    give(land=(land(zone="other"),), night=True)
    one = year(zone="other")[0]["12.01-1-15"]
    assert (one.left, one.night_left) == (2, 0)


def test_void_and_rescinded_permits_are_shown_and_only_the_rescinded_counts(give, register, year):
    give(), give()
    void(register, "2026-0001", reason="typo", now=NOW, by="Clerk")
    rescind(register, "2026-0002", reason="withdrawn", now=NOW, by="Clerk")
    parcels, found = year()
    assert (parcels["12.01-1-15"].used, parcels["12.01-1-15"].permits) == (1, ("2026-0001", "2026-0002"))
    assert found.this_week == ()


def test_history_follows_the_land(give, year):
    give(), give()
    parcels, found = year({"A": (1000, 1000, 1100, 1300), "B": (1100, 1000, 1200, 1300)})
    assert [(item.used, item.left, item.recorded_as) for item in parcels.values()] == [(2, 0, ("12.01-1-15",))] * 2
    assert all(len(item.fids) == 2 for item in found.permits)


def test_an_unknown_zone_leaves_it_to_a_person(give, year):
    give()
    one = year(zone="undetermined")[0]["12.01-1-15"]
    assert (one.decide, one.left) == (True, None)
    assert one.why.endswith("what is left turns on the zoning district, which is not known")


def test_an_exempt_owner_has_no_cap(give, year):
    for _ in range(3):
        give(owned_by="museum")
    parcels, found = year()
    assert (parcels["12.01-1-15"].exempt, parcels["12.01-1-15"].left) == (True, None)
    assert found.at_the_cap == ()


def test_an_ordinance_without_caps(give, year):
    give()
    one = year(rules=PermitRules())[0]["12.01-1-15"]
    assert (one.used, one.cap, one.left, one.why) == (1, None, None, "the ordinance sets no annual cap")


def test_this_week_runs_from_monday_to_sunday(give, year, land):
    lots = iter(range(9))
    for day in (date(2026, 8, 2), date(2026, 8, 3), date(2026, 8, 9), date(2026, 8, 10)):
        x = 10_000 * (next(lots) + 1)
        give(starts=day, land=(land(f"L{x}", (x, 0, x + 100, 100)),))
    give(starts=date(2026, 7, 1), ends=date(2026, 12, 1), land=(land("long", (90_000, 0, 90_100, 100)),))
    assert year()[1].this_week == ("2026-0005", "2026-0002", "2026-0003")


def test_a_permit_on_no_parcel_of_today_is_said(give, year):
    give()
    _, found = year({"W": WEST})
    assert [warning.code for warning in found.warnings] == ["off_the_map"]
    assert found.permits[0].fids == ()


def test_conflicts_are_those_of_the_year(give, year, land):
    give(), give(land=(land("16", (1300, 1000, 1400, 1300)),))
    assert [item.numbers for item in year()[1].conflicts] == [("2026-0001", "2026-0002")]
    assert year(year=2025, on=date(2025, 8, 5))[1].conflicts == ()


def test_three_saturdays_are_on_in_their_own_weeks_only(give, year):
    saturdays = (date(2026, 8, 8), date(2026, 8, 22))
    give(starts=saturdays[0], ends=saturdays[1], yard_sale_days=saturdays)
    assert year(on=date(2026, 8, 5))[1].this_week == ("2026-0001",)
    assert year(on=date(2026, 8, 12))[1].this_week == ()


def test_a_permit_of_another_year_without_a_day_of_its_event_is_shown_where_it_may_count(give, year, land):
    """Elsewhere events are counted: one issued in 2025 that may be held in 2026 leaves open what is left, and is not passed over."""
    give(now=datetime(2025, 11, 3, 9, 0), starts=None, land=(land(zone="other"),))  # noqa: DTZ001  # town hall time
    parcels, found = year(zone="other")
    assert found.permits == ()
    one = parcels["12.01-1-15"]
    assert one.permits == ()
    assert one != found.untouched["other"]
    assert "12.01-1-15" not in year(zone="residential")[0], "there, permits are counted in the year they were issued"


def test_what_is_left_where_nothing_was_issued(year):
    _, found = year()
    assert {zone: (item.left, item.cap, item.decide) for zone, item in found.untouched.items()} == {
        "residential": (2, 2, False),
        "other": (3, 3, False),
        "split": (3, 3, False),
        "undetermined": (None, 2, True),
    }


def test_the_public_is_not_told_of_a_rescinded_permit(give, register, year):
    give(), give()
    rescind(register, "2026-0002", reason="withdrawn", now=NOW, by="Clerk")
    one = year()[0]["12.01-1-15"]
    assert "2026-0002 was rescinded" in one.why
    assert "2026-0002" not in one.why_in_public
    assert one.why_in_public.startswith("2 of 2 permits issued in 2026")


class TestTheListOfAYear:
    """LAW: 283-6B(1) counts permits issued in a calendar year, B(2) events: a list of a year goes by what the cap of the land counts."""

    JANUARY = date(2027, 1, 9)

    @pytest.fixture
    def of_year(self, register):
        """Return the numbers of a year's list, and the codes of its warnings."""

        def listed(year, way, caps=RULES.caps):
            found = list_of_year(register, list_permits(register, year=year), year, way=way, caps=caps)
            return [permit.number for permit in found.permits], [warning.code for warning in found.warnings]

        return listed

    def test_residential_land_goes_by_the_day_of_issue_and_other_land_by_the_event(self, give, of_year, land):
        give(starts=self.JANUARY)
        give(starts=self.JANUARY, land=(land(parcel="B", zone="other", box=WEST),))
        assert of_year(2026, "cap") == (["2026-0001"], [])
        assert of_year(2027, "cap") == (["2026-0002"], [])
        assert of_year(2026, "issued")[0] == ["2026-0001", "2026-0002"]
        assert of_year(2027, "issued")[0] == of_year(2026, "event")[0] == []
        assert of_year(2027, "event")[0] == of_year(2027, "either")[0] == ["2026-0001", "2026-0002"]

    def test_split_land_is_other_land_and_land_of_no_known_district_may_be_either(self, give, of_year, land):
        give(starts=self.JANUARY, land=(land(zone="split"),))
        give(starts=self.JANUARY, override="the Board knows", land=(land(parcel="B", zone="undetermined", box=EAST),))
        assert of_year(2026, "cap")[0] == ["2026-0002"]
        assert of_year(2027, "cap")[0] == ["2026-0001", "2026-0002"]

    def test_an_event_over_new_year_is_in_both_years_but_counts_where_it_begins(self, give, of_year, land):
        give(starts=date(2026, 12, 31), ends=date(2027, 1, 1), land=(land(zone="other"),))
        assert of_year(2027, "event")[0] == ["2026-0001"]
        assert of_year(2027, "cap")[0] == of_year(2027, "issued")[0] == []

    def test_a_parade_and_a_town_without_caps_go_by_the_event(self, give, of_year):
        give(kind="parade", land=(), streets=("Main Street",), starts=self.JANUARY)
        assert (of_year(2026, "cap")[0], of_year(2027, "cap")[0]) == ([], ["2026-0001"])
        give(starts=self.JANUARY)
        assert of_year(2027, "cap", caps=None)[0] == ["2026-0001", "2026-0002"]

    def test_an_unknown_day_gives_way_to_the_other_and_none_at_all_is_said(self, register, of_year, application):
        asked = {name: getattr(application, name) for name in application.__struct_fields__}
        with register.writing() as writing:
            add(
                writing.connection,
                [
                    Permit(**asked, number="SE 1"),
                    Permit(**{**asked, "starts": None}, number="SE 2"),
                    Permit(**{**asked, "starts": None}, number="SE 3", issued=date(2026, 3, 2)),
                ],
            )
        assert of_year(2026, "cap") == (["SE 1", "SE 3"], ["year_by_other_day", "in_no_year"])
        assert of_year(2026, "event") == (["SE 1", "SE 3"], ["year_by_other_day", "in_no_year"])
        assert of_year(2025, "cap") == ([], ["in_no_year"])

    def test_the_heading_states_the_way(self):
        assert year_words(2026, "cap", RULES.caps) == (
            "of 2026 as the caps count them: in a residential district by the day of issue, elsewhere by the first day of the event"
        )
        assert year_words(2026, "cap", None) == "of 2026 by the first day of the event (the law has no annual cap)"
        assert year_words(2026, "either", None) == "issued in 2026, or with an event in it"
