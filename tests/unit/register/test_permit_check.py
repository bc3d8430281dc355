"""Yard sales and parades against the register."""

import json
from datetime import date, datetime

import pytest
import shapely
from cap_cases import CASES, case_parcels
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules, permit_rules
from geonotice.decide.caps import CapRules
from geonotice.errors import PermitRefused
from geonotice.ordinance.load import load_profile
from geonotice.register.land_history import Slivers
from geonotice.register.permit_check import check, check_json, check_within
from geonotice.register.permits import rescind
from geonotice.register.rows import add
from geonotice.register.session import open_register
from geonotice.register.values import Application, Land, Permit

RULES = permit_rules(load_profile("southampton"))
DAY = date(2026, 5, 2)
NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time


@pytest.fixture
def ask(register, application):
    return lambda **changes: check(register, replace(application, **changes), on=DAY, rules=RULES)


class TestYardSale:
    WEEKENDS = tuple(date(2026, 6, day) for day in (6, 7, 13, 14, 20, 21))

    def test_is_counted_by_the_days_listed(self, ask, give):
        give(kind="yard_sale", starts=self.WEEKENDS[0], ends=self.WEEKENDS[-1], yard_sale_days=self.WEEKENDS)
        found = ask(kind="yard_sale", starts=date(2026, 10, 3))
        assert (found.status, found.rule) == ("met", "sh.yard_sale")
        assert "7 of 12 days in 2026" in found.text

    def test_past_its_days_is_refused_unless_an_official_decides(self, ask, give):
        give(kind="yard_sale", yard_sale_days=self.WEEKENDS)
        more = {"kind": "yard_sale", "starts": date(2026, 8, 1)}
        assert ask(**more).status == "not_met"
        with pytest.raises(PermitRefused, match="not exempt"):
            give(**more)
        assert give(**more, override="rained out in June").permit.override

    def test_without_days_is_open(self, ask):
        found = ask(kind="yard_sale", starts=None)
        assert (found.status, found.stands_in_the_way) == ("decide", False)


class TestParade:
    def parade(self, day: str, **more):
        return {"kind": "parade", "land": (), "starts": date.fromisoformat(day), **more}

    def test_another_within_30_days_in_summer_is_for_the_official(self, ask, give):
        give(**self.parade("2026-07-04"))
        found = ask(**self.parade("2026-08-03"))
        assert (found.status, found.rule) == ("decide", "sh.parade30")
        assert "2026-0001 on Saturday, July 4, 2026" in found.text
        assert give(**self.parade("2026-08-03")).permit.override == ""

    def test_alone_it_is_met(self, ask, give):
        give(**self.parade("2026-07-04"))
        assert ask(**self.parade("2026-08-04")).status == "met"

    def test_near_but_outside_summer_the_other_reading_is_named(self, ask, give):
        give(**self.parade("2026-05-16"))
        found = ask(**self.parade("2026-05-30"))
        assert found.status == "met"
        assert check_json(found)["review"] == ["other_reading"]
        assert "not both parades" in found.text

    def test_a_rescinded_one_does_not_take_place(self, ask, give, register):
        give(**self.parade("2026-07-04"))
        rescind(register, "2026-0001", reason="withdrawn", now=NOW, by="Clerk")
        assert ask(**self.parade("2026-07-11")).status == "met"


def test_the_json_is_plain_and_has_what_was_promised(ask, give, land):
    give(), give()
    made = json.loads(json.dumps(check_json(ask(land=(land("12.01-1-99"),)))))
    assert {key: made[key] for key in ("status", "rule", "zone", "used", "cap", "next_date", "review")} == {
        "status": "not_met",
        "rule": "sh.cap_residential",
        "zone": "residential",
        "used": 2,
        "cap": 2,
        "next_date": "2027-01-01",
        "review": ["renumbered"],
    }
    (parcel,) = made["parcels"]
    assert (parcel["id"], parcel["recorded_as"], parcel["permits"]) == ("12.01-1-99", ["12.01-1-15"], ["2026-0001", "2026-0002"])


# ---- SQLite's own driver and SQLAlchemy read the same


def _days(stated):
    names = ("on", "issued", "starts", "ends")
    return {name: date.fromisoformat(value) if name in names and value else value for name, value in stated.items()}


def _case_land(n, k, zone):
    shape = shapely.box(1000 * n, 1000 * k, 1000 * n + 200, 1000 * k + 300)
    return Land(parcel=f"{n}-1-{k}", zone=zone, geometry=shape.wkb, crs="EPSG:2263")


@pytest.fixture(scope="module")
def of_all_cases(tmp_path_factory):
    """A register with the history of every stated case, each on land of its own."""
    with open_register(f"sqlite:///{tmp_path_factory.mktemp('cases')}/permits.sqlite") as opened:
        with opened.writing() as writing:
            for n, case in enumerate(CASES):
                for k, (zone, history) in enumerate(case_parcels(case), start=1):
                    for m, stated in enumerate(history, start=1):
                        permit = Permit(
                            number=f"{n}/{k}/{m}", **{"kind": "festival", **_days(stated)}, land=(_case_land(n, k, zone),)
                        )
                        add(writing.connection, [permit])
                        writing.chain.append(permit, at=NOW, by="Clerk", action="import", why="")
        yield opened


@pytest.mark.parametrize("n", range(len(CASES)), ids=[case["name"] for case in CASES])
def test_a_check_says_the_same_by_sqlite_s_own_driver_and_by_sqlalchemy(of_all_cases, n):
    request = _days(CASES[n]["request"])
    on, charitable = request.pop("on"), request.pop("charitable_applicant")
    land = tuple(_case_land(n, k, zone) for k, (zone, _) in enumerate(case_parcels(CASES[n]), start=1))
    asked = Application(kind="festival", charitable=charitable, land=land, **request)
    found = []
    for reading in (of_all_cases.reading, of_all_cases.reading_with_sqlalchemy):
        with reading() as connection:
            found.append(check_within(connection, asked, on=on, rules=PermitRules(caps=CapRules()), slivers=Slivers()))
    assert found[0] == found[1]
    held = sum(len(history) for _, history in case_parcels(CASES[n]))
    assert len(found[0].finding.parcels) == len(land)
    assert sum(len(one.counted) for one in found[0].finding.parcels) <= held
