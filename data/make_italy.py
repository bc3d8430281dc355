"""Make the demonstration town ``data/italy``: fictional land and people under the rules of a real ordinance.

Run it as ``python data/make_italy.py [FOLDER]``. The same version of the libraries gives the same bytes each time. What the town is made
to show stands in ``data/README.md``; the town file and the event files are written by hand and left alone.
"""

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import shapely
from _cadastre import Lot, Road, bend, finish, snap
from _italy_land import (
    COUNTY_LINE_X,
    CRS,
    EAST_FT,
    EAST_X,
    ITALY,
    NORTH_FT,
    NORTH_TOWN,
    NORTH_Y,
    PLACES,
    TOWN_LINE_Y,
    WEST_TOWN,
    draw_neighbour,
    draw_town,
    lake_shore,
    name_uses,
    roads,
)
from _italy_roll import Roll, long_number, number_lots
from _nys_roll import OWNER_COLUMNS, Place, address_of, print_counts, row
from _write import write_geojson, write_geopackage, write_surroundings, write_table, write_zipped_shapefile
from shapely.geometry import Point, Polygon, box

UNITS = 6
"""Condominium units that lie on one lot at the lake."""


def points_of(lot: Lot, shape: Polygon, row_: dict[str, Any], city: str) -> list[tuple[dict[str, str], Point]]:
    """Return the address points on a lot: one for a house, one for each unit of the park and of the apartment house."""
    if not row_["LOC_ST_NBR"]:
        return []
    said, spot = address_of(lot, shape, row_, city)
    if lot.use == "mobile_home_park":
        made = [(3390 + 105 * (n % 7), 8570 + 190 * (n // 7)) for n in range(22)]
        return [({**said, "UNIT": f"Lot {n}"}, Point(x, y)) for n, (x, y) in enumerate(made, start=1)]
    if lot.use == "apartment":
        return [({**said, "UNIT": f"Apt {n}"}, Point(spot.x + 6 * (n % 4), spot.y + 9 * (n // 4))) for n in range(1, 9)]
    return [(said, spot)]


def make(folder: Path) -> dict[str, str]:
    """Make the layers of the town in a folder, and give the tax map numbers that the guide names."""
    rng = random.Random(57240)  # noqa: S311  # a drawing, not a secret: the seed is the point
    net = roads()
    lake = lake_shore(rng, net["Lake Road"])
    rail = Road(
        "Seneca & Bristol Railroad",
        bend([(2780, 0), (2900, 5000), (3010, 9500), (2850, 14000), (2900, NORTH_Y)]),
        66,
        "Railroad",
        "parcel",
    )
    sheet = draw_town(rng, net, lake, rail)
    name_uses(sheet)
    shapes = finish([lot.shape for lot in sheet.lots])
    numbers = number_lots(sheet.lots, shapes, first_section=31)

    roll = Roll(rng)
    rows: list[dict[str, Any]] = []
    drawn: list[Polygon] = []
    points: list[tuple[dict[str, str], Point]] = []
    named: dict[str, str] = {}
    for index, (lot, shape, number) in enumerate(zip(sheet.lots, shapes, numbers, strict=True)):
        north = shape.centroid.y > TOWN_LINE_Y
        code = PLACES[roll.city(shape)]
        place = Place(NORTH_TOWN, "Larkmont", "Yates", code) if north else Place(ITALY, "Italy", "Yates", code)
        for unit in range(1, UNITS + 1) if lot.use == "condominium" else (0,):
            one = replace(lot, facts={**lot.facts, "unit": unit}) if unit else lot
            own = f"{number}.{unit}" if unit else number
            rows.append(row(one, shape, (own, long_number(own)), roll.owner(one, shape, index), place))
            drawn.append(shape)
            points += points_of(one, shape, rows[-1], roll.city(shape))
        if lot.use not in {"house", "farm", "cottage", "forest", "hill"}:
            named.setdefault(lot.use, number)
    blemish(rows, drawn, named)
    southern = [index for index, item in enumerate(rows) if drawn[index].bounds[1] < 1.0 and 40 < item["ACRES"] < 62]
    edge = max((index for index in southern if drawn[index].bounds[2] < 15000), key=lambda index: drawn[index].bounds[0])
    named["edge premises"] = rows[edge]["PRINT_KEY"]
    split = [
        index
        for index, item in enumerate(rows)
        if item["SWIS"] == ITALY and item["LOC_STREET"] in {"Tannery St", "Steamboat St", "South Shore Rd"}
    ]
    write_roll(folder / "roll.csv", [rows[index] for index in split])
    for index in split:
        rows[index].update(dict.fromkeys(OWNER_COLUMNS, ""))
    moved = [snap(shape, dx=EAST_FT, dy=NORTH_FT) for shape in drawn]
    write_geopackage(folder / "parcels.gpkg", "parcels", rows, moved, crs=CRS)

    write_adjoining(folder / "adjoining.zip", random.Random(32990), roll, net)  # noqa: S311  # as above
    write_others(folder, net, rail, lake, points)
    print_counts(rows, named)
    return named


def blemish(rows: list[dict[str, Any]], drawn: list[Polygon], named: dict[str, str]) -> None:
    """Add what every real layer has: a parcel without a number, a number twice, a paper street, an owner without an address."""
    keys = {item["PRINT_KEY"]: index for index, item in enumerate(rows)}
    farm = [index for index, item in enumerate(rows) if item["PROP_CLASS"] in {"112", "105", "120"} and item["SWIS"] == ITALY]
    houses = [
        index
        for index, item in enumerate(rows)
        if item["PROP_CLASS"] in {"210", "220", "270", "311"} and item["SWIS"] == ITALY and item["DUP_GEO"] == "N"
    ]
    premises = drawn[keys[named["premises"]]]
    street = keys[named.pop("paper_street")]
    rows[street].update(PRINT_KEY="", SBL="", SWIS_SBL_ID="", SWIS_PRINT_KEY_ID="", LOC_STREET="", PARCEL_ADDR="")
    near = sorted(
        (index for index in houses if 0 < drawn[index].distance(premises) <= 990),
        key=lambda index: drawn[index].distance(premises),
    )

    blank = {"PRINT_KEY": "", "SBL": "", "SWIS_SBL_ID": "", "SWIS_PRINT_KEY_ID": ""}
    rows[near[20]].update(blank, PARCEL_ADDR="", LOC_ST_NBR="")
    first, second = next((a, b) for a in farm for b in farm if a < b and 20 < drawn[a].distance(drawn[b]) < 70
                         and drawn[a].bounds[1] > 4000 and a != keys[named["premises"]])  # fmt: skip
    rows[second].update({name: rows[first][name] for name in blank}, SWIS=ITALY)
    named["number twice"] = rows[first]["PRINT_KEY"]
    for column in OWNER_COLUMNS[1:]:
        rows[near[8]][column] = ""
    rows[near[8]]["ADD_OWNER"] = ""
    named["no address"] = rows[near[8]]["PRINT_KEY"]
    rows[near[14]].update(dict.fromkeys(OWNER_COLUMNS, ""), PRIMARY_OWNER="Núñez Carmen R & O'Dunmire Seán", MAIL_ADDR="1180 Rue des Érables",
                          MAIL_CITY="Montréal QC", MAIL_ZIP="H2X 9Z9")  # fmt: skip
    rows[near[16]].update(ADD_OWNER="Vosburgh Silas T", ADD_MAIL_ADDR="2117 Culver Ave Apt 4B", ADD_MAIL_CITY="Brooklyn", ADD_MAIL_STATE="NY",
                          ADD_MAIL_ZIP="11299", ADD_MAIL_PO_BOX="")  # fmt: skip
    rows[near[18]].update(MAIL_ADDR="c/o Hollister & Kimberlin CPAs, 12 Exchange St", PO_BOX="PO Box 77", MAIL_CITY="Rochester", MAIL_STATE="NY",
                          MAIL_ZIP="14699")  # fmt: skip
    holder = {name: rows[near[3]][name] for name in OWNER_COLUMNS}
    for index in (near[11], near[26]):
        rows[index].update(holder)


def write_roll(file: Path, rows: list[dict[str, Any]]) -> None:
    """Write the roll of the part whose owners the layer does not carry, with two lines that no parcel answers to."""
    columns = ("SWIS", "PRINT_KEY", *OWNER_COLUMNS, "PROP_CLASS", "ROLL_SECTION")
    made = [{column: item[column] for column in columns} for item in rows if item["PRINT_KEY"]]
    stray = dict.fromkeys(columns, "")
    made.append({**stray, "SWIS": ITALY, "PRINT_KEY": "99.00-1-1", "PRIMARY_OWNER": "Fenwick Elmer B", "MAIL_ADDR": "2 Steamboat St", "MAIL_CITY": "Lake End",
                 "MAIL_STATE": "NY", "MAIL_ZIP": "14597", "PROP_CLASS": "311", "ROLL_SECTION": "1"})  # fmt: skip
    made.append({**stray, "SWIS": ITALY, "PRINT_KEY": "555.00-57-24", "PRIMARY_OWNER": "Lake End Telephone Co", "MAIL_ADDR": "9 Exchange Pl",
                 "MAIL_CITY": "Syracuse", "MAIL_STATE": "NY", "MAIL_ZIP": "13299", "PROP_CLASS": "866", "ROLL_SECTION": "5"})  # fmt: skip
    write_table(file, made)


def write_adjoining(file: Path, rng: random.Random, roll: Roll, net: dict[str, Road]) -> None:
    """Write the neighbouring county's parcels as a Shapefile: names cut to ten characters, lines a few feet off at the county line."""
    sheet = draw_neighbour(rng, net)
    shapes = finish([lot.shape for lot in sheet.lots])
    numbers = number_lots(sheet.lots, shapes, first_section=201)
    numbers[numbers.index("221.00-1-3")] = (
        "62.00-1-1"  # the other county numbers its sheets without asking: Italy has this number too
    )
    rows = []
    for index, (lot, shape, number) in enumerate(zip(sheet.lots, shapes, numbers, strict=True)):
        said = roll.owner(lot, shape, index)
        if lot.use == "farm" and said.mail.state == "NY":
            said = replace(said, mail=replace(said.mail, city="Quillan Center", zip=PLACES["Quillan Center"]))
        full = row(
            lot, shape, (number, long_number(number)), said, Place(WEST_TOWN, "Quillan", "Ontario", PLACES["Quillan Center"])
        )
        rows.append({name[:10] if name not in SHAPEFILE_NAMES else SHAPEFILE_NAMES[name]: value for name, value in full.items()})
    # Turned by a hair about the middle of the line: overlapping by up to 6 ft in the south, short of it by up to 9 ft in the north.
    shifted = [shapely.affinity.rotate(shape, 0.045, origin=(COUNTY_LINE_X, NORTH_Y / 2 - 2000)) for shape in shapes]
    write_zipped_shapefile(file, "adjoining", rows, [snap(shape, dx=EAST_FT, dy=NORTH_FT) for shape in shifted], crs=CRS)


SHAPEFILE_NAMES = {"SWIS_PRINT_KEY_ID": "SWIS_PRINT", "SWIS_SBL_ID": "SWIS_SBL_I", "CITYTOWN_SWIS": "CITYTOWN_S", "CITYTOWN_NAME": "CITYTOWN_N",
                   "ADD_MAIL_ADDR": "ADD_MAIL_A", "ADD_MAIL_PO_BOX": "ADD_MAIL_P", "ADD_MAIL_CITY": "ADD_MAIL_C", "ADD_MAIL_STATE": "ADD_MAIL_S",
                   "ADD_MAIL_ZIP": "ADD_MAIL_Z", "PRIMARY_OWNER": "PRIMARY_OW", "PARCEL_ADDR": "PARCEL_ADD", "COUNTY_NAME": "COUNTY_NAM"}  # fmt: skip


def write_others(
    folder: Path, net: dict[str, Road], rail: Road, lake: Polygon, points: list[tuple[dict[str, str], Point]]
) -> None:
    """Write streets, railroad, lake, municipalities and address points."""
    town = box(COUNTY_LINE_X, 0, EAST_X, TOWN_LINE_Y)
    others = (
        ("Town of Italy", "town", ITALY, "Town Clerk", "1200 State Route 290, Cobb Corners NY 14598", town),
        (
            "Town of Larkmont",
            "town",
            NORTH_TOWN,
            "Town Clerk",
            "14 Green Street, North Larkmont NY 14596",
            box(COUNTY_LINE_X, TOWN_LINE_Y, EAST_X, NORTH_Y + 9000),
        ),
        (
            "Town of Quillan",
            "town",
            WEST_TOWN,
            "Town Clerk",
            "3 Center Street, Quillan Center NY 14595",
            box(-15000, -9000, COUNTY_LINE_X, NORTH_Y + 9000),
        ),
        (
            "Town of Prattsfield",
            "town",
            "469900",
            "Town Clerk",
            "60 Main Street, Prattsfield NY 14594",
            box(COUNTY_LINE_X, -12000, EAST_X + 9000, 0),
        ),
        (
            "Town of Eastbrook",
            "town",
            "572980",
            "Town Clerk",
            "1 Town Square, Eastbrook NY 14593",
            box(EAST_X, 0, EAST_X + 9000, NORTH_Y + 9000),
        ),
    )
    write_surroundings(folder, net.values(), railroad=(rail, "Seneca & Bristol Railroad Co"), water=("Lake Larkmont", lake), municipalities=others,
                       crs=CRS, corner=(EAST_FT, NORTH_FT))  # fmt: skip
    write_geojson(
        folder / "address_points.geojson",
        "address_points",
        [item for item, _ in points],
        [snap(spot, dx=EAST_FT, dy=NORTH_FT) for _, spot in points],
        crs=CRS,
    )


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "italy"
    target.mkdir(parents=True, exist_ok=True)
    make(target)
