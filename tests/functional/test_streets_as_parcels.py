"""Toy blocks whose streets are parcels, in every way in which layers draw and number them; and strips that are no streets."""

from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.layers.import_layers import ImportReport
from geonotice.model import Notice
from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

X, Y = 1_400_000, 250_000


def blocks() -> dict[str, shapely.Geometry]:
    """Four rows of five lots, 80 ft wide and 100 ft deep, two on either side of a street that runs east, parted by one that runs north."""
    made = {}
    for row, y in (("N", 25), ("S", -125)):
        for k in range(5):
            made[f"{row}E{k + 1}"] = shapely.box(X + 25 + 80 * k, Y + y, X + 105 + 80 * k, Y + y + 100)
            made[f"{row}W{k + 1}"] = shapely.box(X - 105 - 80 * k, Y + y, X - 25 - 80 * k, Y + y + 100)
    return made


EAST_WEST = shapely.box(X - 425, Y - 25, X + 425, Y + 25)
NORTH_SOUTH = shapely.box(X - 25, Y - 125, X + 25, Y + 125)
DRAWN = {
    "one": [shapely.union_all([EAST_WEST, NORTH_SOUTH])],
    "four": [
        shapely.box(X - 425, Y - 25, X, Y + 25),
        shapely.box(X, Y - 25, X + 425, Y + 25),
        shapely.box(X - 25, Y + 25, X + 25, Y + 125),
        shapely.box(X - 25, Y - 125, X + 25, Y - 25),
    ],
    "five": [
        shapely.box(X - 425, Y - 25, X - 25, Y + 25),
        shapely.box(X + 25, Y - 25, X + 425, Y + 25),
        shapely.box(X - 25, Y + 25, X + 25, Y + 125),
        shapely.box(X - 25, Y - 125, X + 25, Y - 25),
        shapely.box(X - 25, Y - 25, X + 25, Y + 25),
    ],
}


def imported(folder: Path, rows: list[tuple[str | None, str | None, str | None, shapely.Geometry]]) -> ImportReport:
    """Import rows of number, owner, class and polygon."""
    columns = {
        "PRINT_KEY": [row[0] for row in rows], "PRIMARY_OWNER": [row[1] for row in rows], "PROP_CLASS": [row[2] for row in rows],
        "MAIL_ADDR": ["9 Elm St" if row[1] else None for row in rows], "MAIL_CITY": ["Sandmere" if row[1] else None for row in rows],
    }  # fmt: skip
    gpd.GeoDataFrame(columns, geometry=[row[3] for row in rows], crs="EPSG:2263").to_file(
        folder / "parcels.gpkg", layer="parcels"
    )
    (folder / "town.toml").write_text(
        '[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "parcels.gpkg"\n'
        '[layers.parcels.fields]\ntax_map_number = "PRINT_KEY"\n'
    )
    return import_layers(folder)


def lots_of(
    shapes: dict[str, shapely.Geometry], code: str | None = "210"
) -> list[tuple[str | None, str | None, str | None, shapely.Geometry]]:
    return [(key, f"OWNER OF {key}", code, shape) for key, shape in shapes.items()]


def appeal(folder: Path, parcel: str) -> Notice:
    with open_store(folder) as opened:
        return make_notice(opened, find_premises(opened, [parcel]), NoticeRequest(occasion="appeal", on=date(2026, 9, 1))).notice


def opposite(notice: Notice) -> set[str]:
    return {parcel.id for parcel in notice.parcels if "opposite" in (parcel.relation, *parcel.also)}


NUMBERS = {
    "number": lambda k: f"9-{k}",
    "blank": lambda _: None,
    "ROW": lambda _: "ROW",
    "zero": lambda _: "0",
    "null": lambda _: "<Null>",
}


OWNERS = (None, "VILLAGE OF SANDMERE", "SANDMERE DEVELOPMENT CORP")
CASES = [
    *(
        (drawn, number, code, owner)
        for drawn in ("one", "five")
        for number in ("number", "blank", "ROW")
        for code in ("330", None)
        for owner in OWNERS
    ),
    ("four", "number", "692", None),
    ("four", "zero", "311", OWNERS[1]),
    ("four", "null", None, OWNERS[2]),
    ("four", "number", "311", OWNERS[2]),
]


@pytest.mark.parametrize(("drawn", "number", "code", "owner"), CASES)
def test_whoever_lies_across_is_listed(tmp_path, drawn, number, code, owner):
    streets = [(NUMBERS[number](k), owner, code, shape) for k, shape in enumerate(DRAWN[drawn])]
    report = imported(tmp_path, lots_of(blocks()) + streets)
    asked = {problem.key for problem in report.problems if problem.code == "may_be_street"}
    for premises, across in (("SE3", "NE3"), ("NW2", "SW2"), ("SE1", "NE1")):
        notice = appeal(tmp_path, premises)
        assert across in opposite(notice), premises
        assert not [one for one in notice.warnings if one.code == "no_frontage"]
        named = {key for one in notice.warnings if one.code == "street_or_lot" for key in one.parcels}
        assert named <= asked
        if owner:
            assert owner in {name for one in notice.recipients for name in one.names}, (
                "the street's owner abuts, whatever the street is"
            )


def test_dummy_numbers_are_never_one_lot(tmp_path):
    far = [shapely.box(X, Y + 1000 * k, X + 600, Y + 1000 * k + 50) for k in (1, 2, 3)]
    report = imported(
        tmp_path, lots_of(blocks()) + [(dummy, None, None, shape) for dummy, shape in zip(("ROW", "ROW", "0"), far, strict=True)]
    )
    assert not [problem for problem in report.problems if problem.code == "dissolved"]
    assert report.counts["parcels"] == 23
    told = [problem.text for problem in report.problems if problem.code == "blank_key"]
    assert told[0] == "its number is written 'ROW', which is none; it is a parcel by itself, kept for its geometry"


STRIPS = {
    "a flag lot": shapely.union_all(
        [shapely.box(X + 425, Y + 25, X + 445, Y + 225), shapely.box(X + 325, Y + 125, X + 525, Y + 325)]
    ),
    "a deep lot": shapely.box(X + 425, Y + 25, X + 475, Y + 725),
    "a driveway": shapely.box(X + 425, Y + 25, X + 445, Y + 325),
}


@pytest.mark.parametrize("name", STRIPS)
@pytest.mark.parametrize("code", ["210", "311"])
def test_a_long_lot_of_a_private_owner_stays_a_lot(tmp_path, name, code):
    report = imported(tmp_path, [*lots_of(blocks()), ("7-7", "LONG, L.", code, STRIPS[name])])
    assert not [problem for problem in report.problems if problem.code in {"may_be_street", "role_guessed"}]
    notice = appeal(tmp_path, "NE5")
    assert "LONG, L." in {name for one in notice.recipients for name in one.names}


@pytest.mark.parametrize(("what", "code"), [("SPUR HOLDINGS LLC", "340"), ("TOWN OF SANDMERE", "963"), ("SHORE, S.", "311")])
def test_a_long_strip_across_the_street_with_an_owner_is_listed_with_who_lies_behind_it(tmp_path, what, code):
    shapes = {key: shape for key, shape in blocks().items() if key.startswith("S")}
    behind = {f"B{k}": shapely.box(X - 425 + 85 * k, Y + 65, X - 340 + 85 * k, Y + 165) for k in range(10)}
    strip = shapely.box(X - 425, Y + 25, X + 425, Y + 65)
    imported(tmp_path, [*lots_of(shapes), *lots_of(behind), ("8-8", what, code, strip)])
    notice = appeal(tmp_path, "SE3")
    assert "8-8" in opposite(notice), "the strip may be a lot: its owner is notified"
    assert what in {name for one in notice.recipients for name in one.names}
    if len(opposite(notice)) > 1:
        assert [one.parcels for one in notice.warnings if one.code == "street_or_lot"] == [("8-8",)]


def test_units_in_their_common_land_do_not_make_it_a_street(tmp_path):
    units = {f"5-{k}": shapely.box(X + 1000 + 60 * k, Y + 50, X + 1030 + 60 * k, Y + 110) for k in range(8)}
    common = shapely.difference(shapely.box(X + 980, Y + 30, X + 1500, Y + 130), shapely.union_all(list(units.values())))
    report = imported(tmp_path, [*lots_of(blocks()), *lots_of(units), ("5", "HOMEOWNERS", None, common)])
    assert not [problem for problem in report.problems if problem.code in {"may_be_street", "role_guessed"}]
