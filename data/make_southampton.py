"""Make the demonstration town ``data/southampton``: fictional land and people under the rules of a real ordinance.

Run it as ``python data/make_southampton.py [FOLDER]``. The same version of the libraries gives the same bytes each time. What the town is
made to show stands in ``data/README.md``; the town file, the permits and the event files are written by hand and left alone.
"""

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from _cadastre import Lot, Road, bend, finish, polygons, snap
from _nys_roll import Place, address_of, print_counts, row
from _southampton_land import (
    CRS,
    EAST_FT,
    EAST_X,
    NEIGHBOUR,
    NORTH_FT,
    NORTH_Y,
    PLACES,
    TOWN,
    TOWN_LINE_X,
    VILLAGE,
    bay,
    districts,
    draw_town,
    name_uses,
    roads,
    village,
)
from _southampton_roll import Roll, number_lots
from _write import write_geojson, write_geopackage, write_surroundings
from shapely.geometry import MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

District = tuple[str, str, str, BaseGeometry]
UNITS = 8
"""Condominium units that lie on one lot at the bay."""


def make(folder: Path) -> dict[str, str]:
    """Make the layers of the town in a folder, and give the tax map numbers that the guide names."""
    rng = random.Random(47360)  # noqa: S311  # a drawing, not a secret: the seed is the point
    net = roads()
    water = bay(rng)
    rail = Road(
        "Long Island Rail Road",
        bend([(0, 5600), (1500, 5750), (5600, 5750), (8000, 5950), (EAST_X, 6300)]),
        66,
        "Railroad",
        "parcel",
    )
    sheet = draw_town(rng, net, water, rail)
    name_uses(sheet)
    shapes = finish([lot.shape for lot in sheet.lots])
    numbers = number_lots(sheet.lots, shapes)

    roll = Roll(rng)
    rows: list[dict[str, Any]] = []
    drawn: list[Polygon] = []
    points: list[tuple[dict[str, str], Point]] = []
    named: dict[str, str] = {}
    for index, (lot, shape, number) in enumerate(zip(sheet.lots, shapes, numbers, strict=True)):
        city = roll.city(shape)
        place = place_of(city)
        for unit in range(1, UNITS + 1) if lot.use == "condominium" else (0,):
            one = replace(lot, facts={**lot.facts, "unit": unit}) if unit else lot
            own = (f"{number[0][:-3]}{unit:03d}", f"{number[1][:-7]}{unit:03d}0000") if unit else number
            rows.append(row(one, shape, own, roll.owner(one, shape, index), place))
            drawn.append(shape)
            points += points_of(one, shape, rows[-1], city)
            if lot.use not in {"house", "shop", "land", "estate", "shore", "country", "railroad"}:
                named.setdefault(lot.use + (f" {lot.facts['street']}" if "street" in lot.facts else ""), own[0])
            if lot.facts.get("flag"):
                named.setdefault("flag lot", own[0])
    write_geopackage(folder / "parcels.gpkg", "parcels", rows, [snap(shape, dx=EAST_FT, dy=NORTH_FT) for shape in drawn], crs=CRS)
    zones = districts(sheet.lots, shapes)
    write_others(folder, net, rail, water, zones)
    write_geojson(folder / "address_points.geojson", "address_points", [item for item, _ in points],
                  [snap(spot, dx=EAST_FT, dy=NORTH_FT) for _, spot in points], crs=CRS)  # fmt: skip
    named.update(split_lots(rows, drawn, zones))
    print_counts(rows, named)
    return named


def place_of(city: str) -> Place:
    """Return the municipality that goes with a post office of this small country."""
    if city == "Eastmere":
        return Place(NEIGHBOUR, "Eastmere", "Suffolk", PLACES[city])
    if city == "Pondcrest":
        return Place(VILLAGE, "Pondcrest", "Suffolk", PLACES[city])
    return Place(TOWN, "Southampton", "Suffolk", PLACES[city])


def points_of(lot: Lot, shape: Polygon, row_: dict[str, Any], city: str) -> list[tuple[dict[str, str], Point]]:
    """Return the address points on a lot: one for a house, one for each unit of the apartment house and of a two-family house."""
    if not row_["LOC_ST_NBR"]:
        return []
    said, spot = address_of(lot, shape, row_, city)
    if lot.use == "apartment":
        return [({**said, "UNIT": f"Apt {n}"}, Point(spot.x + 5 * (n % 4), spot.y + 8 * (n // 4))) for n in range(1, 13)]
    if lot.use == "two_family":
        return [({**said, "UNIT": f"Apt {n}"}, Point(spot.x + 10 * n, spot.y)) for n in (1, 2)]
    return [(said, spot)]


def split_lots(rows: list[dict[str, Any]], drawn: list[Polygon], districts_: list[District]) -> dict[str, str]:
    """Find the lots that lie in two districts, slivers apart."""
    found = {}
    zones = [(code, where) for code, _, municipality, where in districts_ if municipality == "Town of Southampton"]
    for item, shape in zip(rows, drawn, strict=True):
        if item["SWIS"] != TOWN or item["PROP_CLASS"] in {"842", "692"}:
            continue
        shares = {}
        for code, where in zones:
            share = shape.intersection(where).area / shape.area
            if share > 0.02 and share * shape.area > 500:
                shares[code] = shares.get(code, 0.0) + share
        if len(shares) > 1:
            found[f"split {'/'.join(sorted(shares))} {len(found)}"] = item["PRINT_KEY"]
    return found


def write_others(folder: Path, net: dict[str, Road], rail: Road, water: Polygon, zones: list[District]) -> None:
    """Write streets, railroad, bay, municipalities and zoning."""
    town = box(0, 0, TOWN_LINE_X, NORTH_Y)
    others = (
        ("Town of Southampton", "town", "473600", "Town Clerk", "116 Montauk Highway, Sandmere NY 11899", town),
        ("Village of Pondcrest", "village", VILLAGE, "Village Clerk", "620 Montauk Highway, Pondcrest NY 11898", village()),
        (
            "Town of Eastmere",
            "town",
            NEIGHBOUR,
            "Town Clerk",
            "1 Pantigo Square, Eastmere NY 11897",
            box(TOWN_LINE_X, 0, EAST_X + 8000, NORTH_Y + 8000),
        ),
        (
            "Town of Westhaven",
            "town",
            "479980",
            "Town Clerk",
            "77 Main Street, Westhaven NY 11896",
            box(-12000, 0, 0, NORTH_Y + 8000),
        ),
        (
            "Town of Northfork",
            "town",
            "479960",
            "Town Clerk",
            "5 Sound Avenue, Northfork NY 11895",
            box(0, NORTH_Y, TOWN_LINE_X, NORTH_Y + 8000),
        ),
    )
    write_surroundings(folder, net.values(), railroad=(rail, "LONG ISLAND RAIL ROAD CO"), water=("Sandmere Bay", water), municipalities=others,
                       crs=CRS, corner=(EAST_FT, NORTH_FT))  # fmt: skip
    land = box(0, 0, EAST_X, NORTH_Y).difference(water)
    write_geojson(folder / "zoning.geojson", "zoning",
                  [{"DISTRICT": code, "NAME": name, "MUNICIPALITY": municipality, "FICTIONAL": "Y"} for code, name, municipality, _ in zones],
                  [snap(MultiPolygon(polygons(where.intersection(land))), dx=EAST_FT, dy=NORTH_FT) for *_, where in zones], crs=CRS)  # fmt: skip


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "southampton"
    target.mkdir(parents=True, exist_ok=True)
    make(target)
