"""Siting facts: municipal ownership, a State or county road, property of the Long Island Rail Road."""

import pytest
import shapely
from adjacency_toys import ask, row

from geonotice.select.ride_site import is_long_island_rail_road, is_municipal, siting

SOUTH, NORTH = row("S", 0, 0, 100, 100, 3), row("N", 0, 150, 100, 100, 3)
NOBODY = [["SMITH JOHN"]] * 6


@pytest.mark.parametrize(
    "name",
    [
        "LIRR", "L.I.R.R.", "L I R R", "LONG ISLAND RAIL ROAD", "LONG ISLAND RAILROAD CO", "Long Island Rail Road Company", "LONG ISLAND RR CO",
        "METROPOLITAN TRANSPORTATION AUTHORITY", "METROPOLITAN TRANSPORTATION AUTHO", "METROPOLITAN TRANS AUTH", "MTA", "MTA - LIRR", "M.T.A.",
    ],
)  # fmt: skip
def test_the_railroad_as_rolls_write_it(name):
    assert is_long_island_rail_road(name)


@pytest.mark.parametrize(
    "name",
    ["LONG ISLAND POWER AUTHORITY", "LONG ISLAND REALTY CO", "MTA HOLDINGS LLC", "NEW YORK ATLANTIC RAILWAY", "LIRRA ANN", ""],
)
def test_others_are_not_the_railroad(name):
    assert not is_long_island_rail_road(name)


@pytest.mark.parametrize(
    ("name", "municipal"),
    [
        ("TOWN OF SOUTHAMPTON", True), ("SOUTHAMPTON TOWN OF", True), ("INC VILLAGE OF SAG HARBOR", True), ("COUNTY OF SUFFOLK", True),
        ("SUFFOLK COUNTY", True), ("Village of Quogue", True), ("TOWNSEND MARY", False), ("VILLAGE SQUARE LLC", False), ("SMITH JOHN", False),
        ("TOWN OF SOUTHAMPTON HOUSING AUTHORITY", None), ("HAMPTON BAYS FIRE DISTRICT", None), ("STATE OF NEW YORK", None),
    ],
)  # fmt: skip
def test_municipal_owners(name, municipal):
    assert is_municipal(name) is municipal


def facts(*, owners=("SMITH JOHN",), beside=NOBODY, jurisdiction=None, railroads=None, roles=None, lots=None):
    streets = [([(-500, 125), (800, 125)], "Main St", jurisdiction)] if jurisdiction is not None else []
    found, _ = ask(lots or {**SOUTH, **NORTH}, ["S2"], streets=streets, railroads=railroads, roles=roles)
    return siting(found, owners=owners, neighbour_owners=beside, streets_known=bool(streets))


@pytest.mark.parametrize(
    ("jurisdiction", "state_or_county"), [("STATE", True), ("Suffolk County", True), ("TOWN", False), ("", None), (None, None)]
)
def test_adjacent_to_a_state_or_county_road(jurisdiction, state_or_county):
    assert facts(jurisdiction=jurisdiction).state_or_county_road is state_or_county


def test_municipal_only_where_every_owner_is():
    assert facts(owners=["TOWN OF SOUTHAMPTON"]).municipal_owner is True
    assert facts(owners=["TOWN OF SOUTHAMPTON", "SMITH JOHN"]).municipal_owner is False
    assert facts(owners=["TOWN OF SOUTHAMPTON", "SOUTHAMPTON FIRE DISTRICT"]).municipal_owner is None
    assert facts(owners=[""]).municipal_owner is None


def test_railroad_property_that_abuts():
    lots = {**SOUTH, "RR": shapely.box(0, 100, 300, 166)}
    found = facts(lots=lots, roles={"RR": "railroad"}, beside=[["SMITH"], ["SMITH"], ["MTA - LIRR"]])
    assert found.long_island_rail_road is True


def test_railroad_property_across_the_street_does_not():
    assert facts(beside=[["SMITH"]] * 3 + [["LIRR"]] * 2 + [["SMITH"]]).long_island_rail_road is False


def test_a_track_in_the_gap_along_a_frontage():
    track = [([(-500, 125), (800, 125)], "Montauk Branch", "LONG ISLAND RAIL ROAD")]
    assert facts(railroads=track).long_island_rail_road is True


def test_neighbours_without_an_owner_leave_it_unknown():
    assert facts(beside=[[]] * 6).long_island_rail_road is None
