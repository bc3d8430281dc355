"""The permits of the demonstration town of Southampton: its spreadsheet comes in, and the year can be told."""

import dataclasses
import shutil
import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from geonotice.config.town import RegisterSpec
from geonotice.errors import PermitRefused, UsageError
from geonotice.facts.history import describe_land
from geonotice.io.source_files import BLANK_SEAL, seal
from geonotice.opened_town import open_store
from geonotice.register.conflicts import streets_of_route
from geonotice.register.permits import list_permits
from geonotice.register.session import open_town_register
from geonotice.register.values import Application
from geonotice.register.verify_log import verify_log
from geonotice.workflow.permit_import import import_permits
from geonotice.workflow.permit_request import Issuing, PermitRequest
from geonotice.workflow.permits import (
    changes_under_permits,
    check_permit,
    export_permits,
    issue_permit,
    year_of_permits,
)

NOW = datetime(2026, 7, 1, 9, 0)  # noqa: DTZ001  # town hall time
FULL, SPLIT, RESCINDED = "0900-127.00-03.00-009.000", "0900-124.00-02.00-002.000", "0900-127.00-04.00-012.000"


@pytest.fixture(scope="module")
def town(imported, tmp_path_factory) -> Path:
    return imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")


@pytest.fixture
def desk(town, tmp_path):
    """Return the town opened, and a register with its spreadsheet of permits."""
    with open_store(town) as plain:
        opened = replace(
            plain, town=dataclasses.replace(plain.town, register=RegisterSpec(f"sqlite:///{tmp_path}/permits.sqlite"))
        )
        with open_town_register(opened.town) as register:
            report = import_permits(opened, register, town / "permits.csv", now=NOW, by="Clerk")
            assert report.refused == ()
            # One was issued after NOW, and is taken with a remark that says so.
            assert (report.count("taken"), report.count("taken_with_remarks")) == (16, 1)
            yield opened, register


def _party(opened, *numbers: str, **changes):
    land, _ = describe_land(opened, [opened.store.find(number) for number in numbers])
    made = Application(
        kind="party", starts=date(2026, 9, 12), night=False, charitable=False, primarily_benefits_applicant=False, land=land
    )
    return replace(made, **changes)


def test_the_zone_and_shape_of_a_parcel_are_kept_with_its_permit(desk):
    opened, register = desk
    permit = next(item for item in list_permits(register) if item.parcels == (SPLIT,))
    assert permit.land[0].zone == "split"
    assert {part.district_class for part in permit.land[0].districts} == {"residential", "other"}
    assert permit.land[0].crs == opened.crs
    assert permit.land[0].area_sq_ft == pytest.approx(opened.store.find(SPLIT).area_sq_ft)


def test_the_third_private_party_of_the_year_is_refused(desk):
    opened, register = desk
    found = check_permit(opened, register, PermitRequest(_party(opened, FULL)), on=NOW.date())
    assert (found.status, found.finding.used, found.finding.next_date) == ("not_met", 2, date(2027, 1, 1))
    with pytest.raises(PermitRefused):
        issue_permit(opened, register, PermitRequest(_party(opened, FULL)), Issuing(now=NOW, by="Clerk"))


def test_a_lot_beside_it_does_not_help(desk):
    opened, register = desk
    both = _party(opened, FULL, RESCINDED)
    found = check_permit(opened, register, PermitRequest(both), on=NOW.date())
    assert found.status == "not_met"
    assert [item.status for item in found.finding.parcels] == ["not_met", "met"]


def test_an_event_in_the_way_of_another_is_said(desk):
    opened, register = desk
    found = check_permit(opened, register, PermitRequest(_party(opened, FULL, starts=date(2026, 8, 16))), on=NOW.date())
    (conflict,) = [warning.text for warning in found.warnings if warning.code == "conflict"]
    assert "SE-2026-009" in conflict
    assert "on the same land" in conflict


def test_the_year(desk):
    opened, register = desk
    year = year_of_permits(opened, register, year=2026, on=date(2026, 7, 15))
    left = {item.parcel.id: item.left for item in year.parcels}
    assert (left[FULL], left[SPLIT], left[RESCINDED]) == (0, 0, 1)
    assert year.this_week == ("SE-2026-010",)
    assert FULL in year.at_the_cap
    assert year.warnings == ()


def test_the_geopackage_is_read_by_gdal_in_the_town_s_crs(desk, tmp_path):
    import pyogrio

    opened, register = desk
    assert export_permits(opened, register, tmp_path / "permits.gpkg").permits == 17
    frame = pyogrio.read_dataframe(tmp_path / "permits.gpkg", layer="permit_parcels")
    assert frame.crs == opened.crs
    assert frame.geometry.notna().all()


def test_a_renumbered_parcel_is_listed_after_import_and_keeps_its_permits(desk, town, tmp_path):
    opened, register = desk
    assert changes_under_permits(opened) == ()
    shutil.copytree(town, tmp_path / "next")
    with closing(sqlite3.connect(tmp_path / "next" / "store.gpkg")) as database, database:
        # GeoPackage's triggers call functions of GDAL's that are not here.
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'parcels'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE parcels SET id = 'NEW-9', tax_map_number = 'NEW-9', key = 'NEW-9' WHERE id = ?", (FULL,))
        database.execute("UPDATE meta SET value = ? WHERE name = 'seal'", (BLANK_SEAL,))
    seal(tmp_path / "next" / "store.gpkg")  # as if import had written it so
    with open_store(tmp_path / "next") as plain:
        later = replace(plain, town=dataclasses.replace(plain.town, register=opened.town.register))
        (changed,) = changes_under_permits(later)
        assert (changed.parcel, changed.change, changed.now) == (FULL, "renumbered", ("NEW-9",))
        with pytest.raises(UsageError):
            later.store.find(FULL)
        found = check_permit(later, register, PermitRequest(_party(later, "NEW-9")), on=NOW.date())
        assert found.status == "not_met"
        assert found.finding.parcels[0].recorded_as == (FULL,)


def test_the_streets_of_a_parade(desk):
    import shapely

    opened, _ = desk
    block = opened.store.features_in("streets", (-1e9, -1e9, 1e9, 1e9))
    longest = max(range(len(block.rows)), key=lambda n: shapely.length(block.geometries[n]))
    assert block.rows[longest]["name"] in streets_of_route(opened.store, block.geometries[longest].wkb)


def test_the_log_is_sound(desk):
    assert verify_log(desk[1]).sound
