"""A town as large as Southampton, made up: 51,000 lots on 3,000 pieces of street, 150 districts, a village, and 400 permits of a year.

The same each time. It stands on the ground of Long Island, so that it is measured in the zone of EPSG:2263.
"""

import csv
import random
from itertools import pairwise
from pathlib import Path

import geopandas
import numpy as np
import shapely

from geonotice.workflow.importing import import_layers

__all__ = ["LOTS", "NUMBER", "OWNER", "PERMITS", "make_big_town"]

CRS = "EPSG:2263"
WEST, SOUTH = 1_380_000.0, 240_000.0
COLUMNS, ROWS = 300, 170
LOTS = COLUMNS * ROWS
WIDE, DEEP, STREET = 100.0, 180.0, 60.0
"""A lot's front and depth, and the width of the street before every second row, in feet."""
PERMITS = 400
OWNER = "<img src=x onerror=window.pwned=1> {{ 7 * 191 }}"
"""An owner's name that would run where it is read as HTML or as a template."""
NUMBER = "0900-001.00-01.00-001.000"
_HEADS = "number,kind,parcels,applicant,charitable,primarily_benefits_applicant,distinct_events,issued,starts,ends,night,persons,status,override,override_by"


def lot_number(n: int) -> str:
    """Return the tax map number of a lot, counted from 0 row by row."""
    return f"0900-{n // 400 + 1:03d}.00-{n // 100 % 4 + 1:02d}.00-{n % 100 + 1:03d}.000"


def make_big_town(place: Path) -> Path:
    """Write the layers, the town file and the year's permits into a folder, and import the layers."""
    dice = random.Random(283)
    _write(place, "parcels", *_parcels(dice))
    _write(place, "streets", *_streets(dice))
    _write(place, "zoning", *_zoning())
    _write(place, "places", *_places())
    lines = ["[town]", 'name = "Town of Bigtown"', 'ordinance = "southampton"', f'crs = "{CRS}"', 'swis = ["4736"]']
    lines += ["[[layers.parcels]]", 'path = "parcels.gpkg"', "as_of = 2026-07-01", "roll_year = 2026", "final = true"]
    for kind, file in (("zoning", "zoning"), ("streets", "streets"), ("municipalities", "places")):
        lines += [f"[layers.{kind}]", f'path = "{file}.gpkg"', "as_of = 2026-07-01"]
    (place / "town.toml").write_text("\n".join(lines))
    _permits(place / "permits.csv", dice)
    route = [(WEST + 4_000, _street_y(20)), (WEST + 9_000, _street_y(20))]
    parade = geopandas.GeoDataFrame(geometry=[shapely.LineString(route)], crs=CRS)
    parade.to_crs("EPSG:4326").to_file(place / "route.geojson", engine="pyogrio")
    (place / "parade.toml").write_text(
        '[event]\ntitle = "Old Home Day"\nkind = "parade"\nstarts = 2026-07-04T10:00:00\n[parade]\nroute = "route.geojson"\n'
    )
    import_layers(place)
    return place


def _write(place: Path, name: str, columns: dict[str, list[str]], shapes: "np.ndarray | list[shapely.Geometry]") -> None:
    geopandas.GeoDataFrame(columns, geometry=shapes, crs=CRS).to_file(place / f"{name}.gpkg", layer=name, engine="pyogrio")


def _names(dice: random.Random, count: int) -> list[str]:
    syllables = [first + second for first in "bcdfghklmnprst" for second in "aeiou"]
    return ["".join(dice.choices(syllables, k=dice.randint(2, 4))).upper() for _ in range(count)]


def _row_y(row: "np.ndarray | int") -> "np.ndarray | float":
    return SOUTH + row * DEEP + (row // 2) * STREET


def _street_y(n: int) -> float:
    """Return the middle of the street behind which row ``2 n`` begins."""
    return float(_row_y(2 * n)) - STREET / 2


def _parcels(dice: random.Random) -> tuple[dict[str, list[str]], np.ndarray]:
    column, row = (part.ravel() for part in np.meshgrid(np.arange(COLUMNS), np.arange(ROWS)))
    left, bottom = WEST + column * WIDE, _row_y(row)
    shapes = shapely.box(left, bottom, left + WIDE, bottom + DEEP)
    names, streets = _names(dice, 9_000), _names(dice, 400)
    owners = [f"{dice.choice(names)} {dice.choice(names)} {dice.choice('ABCDEF')}" for _ in range(LOTS)]
    owners[0] = OWNER
    columns = {
        "PRINT_KEY": [lot_number(n) for n in range(LOTS)],
        "SWIS": ["473689"] * LOTS,
        "PRIMARY_OWNER": owners,
        "PARCEL_ADDR": [f"{n % COLUMNS * 2 + 1} {streets[n // COLUMNS % 400]} RD" for n in range(LOTS)],
        "MAIL_ADDR": [f"{n % COLUMNS + 1} MAIN ST" for n in range(LOTS)],
        "MAIL_CITY": ["BIGTOWN"] * LOTS,
        "MAIL_STATE": ["NY"] * LOTS,
        "MAIL_ZIP": ["11999"] * LOTS,
        "PROP_CLASS": ["210"] * LOTS,
    }
    return columns, shapes


def _streets(dice: random.Random) -> tuple[dict[str, list[str]], list[shapely.Geometry]]:
    """Lay a street before every second row, in pieces as centerlines come, a little bent."""
    names = _names(dice, 86)
    found, words = [], []
    for n in range(ROWS // 2 + 1):
        y = _street_y(n)
        edges = np.linspace(WEST, WEST + COLUMNS * WIDE, 36)
        for start, end in pairwise(edges):
            bend = [(start, y), ((start + end) / 2, y + dice.uniform(-4, 4)), (end, y)]
            found.append(shapely.LineString(bend))
            words.append(f"{names[n]} AVE {n}")
    return {"name": words, "jurisdiction": ["town"] * len(words)}, found


def _zoning() -> tuple[dict[str, list[str]], list[shapely.Geometry]]:
    codes = ("CR-60", "R-40", "HB", "R-60", "CR-200", "R-20", "VB", "CR-120")
    east, north = WEST + COLUMNS * WIDE, float(_row_y(ROWS))
    x, y = np.linspace(WEST - 500, east + 500, 16), np.linspace(SOUTH - 500, north + 500, 11)
    shapes = [shapely.box(x[i], y[j], x[i + 1], y[j + 1]) for j in range(10) for i in range(15)]
    return {"district": [codes[n % len(codes)] for n in range(len(shapes))]}, shapes


def _places() -> tuple[dict[str, list[str]], list[shapely.Geometry]]:
    east, north = WEST + COLUMNS * WIDE, float(_row_y(ROWS))
    village = shapely.box(WEST + 12_000, SOUTH + 12_000, WEST + 15_000, SOUTH + 15_000)
    town = shapely.box(WEST - 2_000, SOUTH - 2_000, east + 2_000, north + 2_000)
    next_town = shapely.box(east + 2_000, SOUTH - 2_000, east + 30_000, north + 2_000)
    rows = {
        "name": ["Bigtown", "Village of Inholm", "Nextown"],
        "kind": ["town", "village", "town"],
        "swis": ["473600", "473601", "472000"],
    }
    return rows, [town, village, next_town]


def _permits(file: Path, dice: random.Random) -> None:
    """Write 400 permits of 2026 on 260 lots: some full, some with one left, one rescinded, one void, one passed over with a reason."""
    lots = dice.sample(range(LOTS), 260)
    with file.open("w", newline="", encoding="utf-8") as opened:
        rows = csv.writer(opened)
        rows.writerow(_HEADS.split(","))
        for n in range(PERMITS):
            issued, month, day = f"2026-01-{n % 28 + 1:02d}", n % 9 + 3, n % 27 + 1
            status = {390: "rescinded", 391: "void"}.get(n, "issued")
            override = ("the hall burned down", "Supervisor") if n == 392 else ("", "")
            when = f"2026-{month:02d}-{day:02d}"
            night, charity = ("no", "yes")[n % 11 == 0], ("no", "yes")[n % 4 == 0]
            what = ("festival", "party", "music_festival", "carnival")[n % 4]
            row = [f"SE-26-{n:03d}", what, lot_number(lots[n % 260]), f"Applicant {n}", charity, "no", 1, issued, when, when]
            rows.writerow([*row, night, 100 + n, status, *override])
