"""The list of all permits as JSON, straight from the rows: the same as of each permit by itself, and damage is told as there."""

import json
import sqlite3
from contextlib import closing
from datetime import date, datetime

import msgspec
import pytest

from geonotice.errors import RegisterError
from geonotice.model import District
from geonotice.register.database import file_of
from geonotice.register.json_values import permit_json, permits_json
from geonotice.register.permits import list_permits, void
from geonotice.register.rows import add
from geonotice.register.values import Permit

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time


@pytest.fixture
def filled(register, land):
    """Return a register with permits of every kind of field."""
    districts = (District("CR-60", "residential", 1000.5, 0.33335), District("HB", "other", 2000, 0.66665))
    kept = [
        Permit(
            number="B", starts=date(2026, 7, 4), land=(land(parcel="P1", districts=districts), land(parcel="P2", geometry=None))
        ),
        Permit(number="A", starts=date(2026, 7, 4), issued=date(2026, 3, 1), night=True, charitable=False, persons=90),
        Permit(number="parade", kind="parade", streets=("Main Street", "Élm"), route=b"\x01", route_crs="EPSG:2263"),
        Permit(
            number="sale",
            kind="yard_sale",
            yard_sale_days=(date(2026, 6, 6), date(2026, 6, 13)),
            starts=date(2026, 6, 6),
            ends=date(2026, 6, 13),
            hours=((datetime(2026, 6, 6, 9), datetime(2026, 6, 6, 17)),),  # noqa: DTZ001  # as above
            override='"as agreed"\n',
            private_title=True,
        ),
    ]
    with register.writing() as writing:
        add(writing.connection, kept)
    return register


def test_it_is_what_each_permit_is_by_itself_in_the_order_of_the_list(filled):
    found = json.loads(msgspec.json.encode(permits_json(filled)))
    assert found == [permit_json(permit) for permit in list_permits(filled)]
    assert [one["number"] for one in found] == ["sale", "A", "B", "parade"]
    assert [list(one) for one in found] == [list(permit_json(list_permits(filled)[0]))] * 4


def test_those_of_a_status(filled):
    void(filled, "A", reason="a slip", now=NOW, by="Clerk")
    assert [one["number"] for one in permits_json(filled, status="void")] == ["A"]
    assert "A" not in [one["number"] for one in permits_json(filled, status="issued")]


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("permits", "starts = '2026-7-4'"),
        ("permits", "night = 2"),
        ("permits", "persons = 'many'"),
        ("permits", "streets = '[1]'"),
        ("permits", "yard_sale_days = '[\"soon\"]'"),
        ("permits", "hours = '{}'"),
        ("permits", "route = 'a text'"),
        ("permit_parcels", 'districts = \'[["CR-60", "residential", true, 1]]\''),
        ("permit_parcels", 'districts = \'[["CR-60", "moon", 1, 1]]\''),
        ("permit_parcels", 'districts = \'[["CR-60", "residential", 1]]\''),
        ("permit_parcels", 'districts = \'[["CR-60", "residential", 1e999, 1]]\''),
        ("permit_parcels", "area_sq_ft = 9e999"),
        ("permit_parcels", "geometry = 'a text'"),
    ],
)
def test_a_damaged_cell_stops_it_as_it_stops_the_permit(filled, url, table, changed):
    with closing(sqlite3.connect(file_of(url))) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute(f"UPDATE {table} SET {changed}")  # noqa: S608  # words of this test
        database.commit()
    for read in (permits_json, list_permits):
        with pytest.raises(RegisterError, match=r"in the register cannot be read|holds"):
            read(filled)
