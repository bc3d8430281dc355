"""Make the demonstration town ``data/italy``: fictional land and people under the rules of a real ordinance.

Run it as ``python data/make_italy.py [FOLDER]``. The same version of the libraries gives the same bytes each time. What the town is made
to show stands in ``data/README.md``; the town file and the event files are written by hand and left alone.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import shapely
from _cadastre import SQ_FT_PER_ACRE, Lot, Road, Sheet, bend, finish, polygons, shore, snap, stations
from _people import Mail, People
from _write import write_geojson, write_geopackage, write_table, write_zipped_shapefile
from shapely.geometry import LineString, Point, Polygon, box

CRS = "EPSG:2261"
EAST_FT, NORTH_FT = 612000.0, 948000.0
"""Where the sheet's corner lies in the State's central zone: the west of Yates County."""

ITALY, NORTH_TOWN, WEST_TOWN = "572400", "572990", "329900"
"""SWIS codes: Italy's by the alphabetical rule; those of the neighbours stand for no town."""

COUNTY_LINE_X, TOWN_LINE_Y, EAST_X, NORTH_Y = 2500.0, 17000.0, 21500.0, 19500.0
PLACES = {"Cobb Corners": "14598", "Lake End": "14597", "North Larkmont": "14596", "Quillan Center": "14595"}
ROLL_YEAR = 2026

STREETS: tuple[tuple[str, list[tuple[float, float]], float, str, str], ...] = (
    ("State Route 290", [(0, 9500), (6400, 9500), (7000, 9500), (9000, 9300), (11500, 8600), (14000, 8300), (17000, 8200), (21500, 8000)],
     66, "State", "gap"),
    ("County Road 18", [(5600, 0), (5450, 2500), (5700, 5000), (5600, 7500), (5600, 8900), (5600, 10600), (5900, 13000), (5500, 15500),
                        (5600, 17000), (5650, 19500)], 66, "County", "gap"),
    ("Chapel Hill Road", [(11200, 0), (11500, 2500), (11000, 5000), (11500, 7200), (11500, 8595), (11300, 11000), (11800, 13500),
                          (11400, 17000)], 49.5, "Town", "gap"),
    ("Hollow Road", [(2500, 4300), (5650, 4600), (8500, 4200), (11200, 4700), (15000, 4300), (18000, 4600), (21500, 4400)], 49.5, "Town", "gap"),
    ("Town Line Road", [(0, 17000), (17100, 17000)], 49.5, "Town", "gap"),
    ("Lake Road", [(16600, 8215), (16900, 9000), (17000, 10000), (16750, 11500), (16500, 13000), (16250, 14600), (16700, 16400),
                   (16900, 17000), (17050, 19500)], 50, "Town", "gap"),
    ("South Shore Road", [(16940, 9150), (18000, 9000), (19500, 8900), (21500, 9250)], 50, "Town", "gap"),
    ("Dugway Road", [(5720, 13700), (7000, 13300), (8500, 13400), (10500, 13900), (11700, 13600)], 49.5, "Town", "inside"),
    ("Mill Street", [(4850, 9500), (4850, 10500), (5606, 10500)], 50, "Town", "gap"),
    ("Church Street", [(5020, 9500), (5020, 8500), (5600, 8300)], 50, "Town", "gap"),
    ("Academy Street", [(5600, 10500), (6300, 10500), (6300, 9500)], 50, "Town", "gap"),
    ("Depot Lane", [(6850, 9500), (6800, 8900), (6300, 8700)], 40, "Town", "parcel"),
    ("Steamboat Street", [(15900, 8240), (15950, 9100), (16920, 9120)], 50, "Town", "gap"),
    ("Tannery Street", [(15300, 8260), (15350, 7300), (16800, 7250), (16850, 8205)], 50, "Town", "gap"),
    ("Vineyard Lane", [(16420, 13500), (15400, 13700), (14700, 14300)], 40, "Private", "gap"),
)  # fmt: skip

PARK = ((3400, 9467), (3520, 9467), (3520, 9200), (4180, 9200), (4180, 8500), (3330, 8500), (3330, 9200), (3400, 9200))
"""The mobile-home park: twelve acres behind a drive to the State road."""


def roads() -> dict[str, Road]:
    """Draw the centerlines."""
    made = {}
    for number, (name, points, width, keeper, drawn) in enumerate(STREETS):
        straight = name in {
            "Mill Street",
            "Academy Street",
            "Church Street",
            "Tannery Street",
            "Steamboat Street",
            "Town Line Road",
        }
        line = LineString(points) if straight else bend(points)
        made[name] = Road(
            name,
            line,
            width,
            keeper,
            drawn,
            first_number=(2 if straight and name != "Town Line Road" else 1000 + 200 * (number % 7)),
        )
    return made


def lake_shore(rng: random.Random, road: Road) -> Polygon:
    """Draw the lake: its west shore some 300 ft from Lake Road, its south end above South Shore Road."""
    west = [road.offset(station, -340 + 45 * ((station // 700) % 3)) for station in range(2100, int(road.line.length), 700)]
    line = shore([(21500, 9640), (20500, 9420), (19400, 9230), (18300, 9360), (17650, 9800), *west, (17500, NORTH_Y + 10)], rng)
    return Polygon([*line.coords, (EAST_X, NORTH_Y + 10)]).intersection(box(0, 0, EAST_X, NORTH_Y))


def draw_town(rng: random.Random, net: dict[str, Road], lake: Polygon, rail: Road) -> Sheet:
    """Divide the town, and the part of its northern neighbour that the county's layer holds."""
    strips = shapely.union_all([road.strip for road in net.values() if road.drawn != "inside"])
    sheet = Sheet(box(COUNTY_LINE_X, 0, EAST_X, NORTH_Y).difference(lake).difference(strips), rng)
    for part in polygons(rail.strip.difference(strips).intersection(box(COUNTY_LINE_X, 0, EAST_X, NORTH_Y))):
        sheet.take(part, "railroad", fixed=True)
    depot = net["Depot Lane"].strip.difference(net["State Route 290"].strip)
    sheet.free.append(depot)
    sheet.take(depot, "right_of_way", fixed=True)

    draw_corners(sheet, net)
    draw_shore(sheet, net)
    draw_country(sheet, net)
    sheet.tidy(least_acres=2.2, least_width_ft=130, uses=("farm", "forest"))
    sheet.tidy(least_acres=0.05, least_width_ft=25, uses=("house", "farm", "forest", "hill", "cottage"))
    return sheet


def draw_corners(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out Cobb Corners, and the farm beside it."""
    rng = sheet.rng
    state, county, mill, church = (net[name] for name in ("State Route 290", "County Road 18", "Mill Street", "Church Street"))
    sheet.take(Polygon([(3476, 9533), (4300, 9533), (4300, 11673), (3276, 11673), (3276, 9833), (3476, 9833)]), "premises", fixed=True,
               road=state.name, number=state.number(station=3900, left=True), door=Point(3900, 9700))  # fmt: skip
    sheet.take(box(3276, 9533, 3476, 9833), "house", fixed=True, road=state.name, number=state.number(station=3376, left=True),
               door=Point(3376, 9590), child=True)  # fmt: skip
    sheet.take(Polygon(PARK), "mobile_home_park", fixed=True, road=state.name, number=state.number(station=3460, left=False),
               door=Point(3460, 9300))  # fmt: skip

    # The lots along the State road stand at whole feet, so that one lies at exactly 1,000 ft from the premises' corner.
    north = [4300, 4386, 4470, 4556, 4640, 4732, 4825, 4875, 4961, 5047, 5130, 5212, 5300, 5382, 5472, 5567]
    south = [3560, 3680, 3800, 3920, 4050, 4180, 4286, 4372, 4458, 4546, 4640, 4726, 4812, 4900, 4995]
    south += [5045, 5130, 5216, 5301, 5340, 5430, 5567]
    sheet.along(state, left=True, stations=[mark for mark in north if mark <= 4825], depth_ft=198)
    sheet.along(state, left=True, stations=[mark for mark in north if mark >= 4875], depth_ft=198)
    sheet.along(state, left=False, stations=[mark for mark in south if mark <= 4180], depth_ft=240)
    sheet.along(state, left=False, stations=[mark for mark in south if 4180 <= mark <= 4995], depth_ft=198)
    sheet.along(state, left=False, stations=[mark for mark in south if mark >= 5045], depth_ft=198)
    sheet.along(state, left=True, stations=stations(rng, 5633, 6275, 72, 96), depth_ft=198)
    sheet.along(state, left=True, stations=stations(rng, 6325, 7300, 90, 130), depth_ft=210)
    sheet.along(state, left=False, stations=stations(rng, 5633, 6830, 78, 110), depth_ft=198)
    sheet.take(box(4500, 10290, 4825, 10330), "paper_street", fixed=True)
    for side in (True, False):
        sheet.along(mill, left=side, stations=[0, *stations(rng, 234, 974, 72, 96)], depth_ft=165)
        sheet.along(mill, left=side, stations=stations(rng, 1026 if side else 1030, 1700, 78, 100), depth_ft=165)
        sheet.along(church, left=side, stations=stations(rng, 234, 970, 74, 98), depth_ft=165)
        sheet.along(church, left=side, stations=stations(rng, 1020, 1560, 80, 104), depth_ft=165)
        sheet.along(net["Academy Street"], left=side, stations=stations(rng, 35, 1460, 80, 104), depth_ft=160)
        along = county.line.project(Point(5600, 9500))
        sheet.along(county, left=side, stations=stations(rng, along + 240, along + 1900, 86, 130), depth_ft=198)
        sheet.along(county, left=side, stations=stations(rng, along - 1900, along - 240, 90, 140), depth_ft=198)


def draw_shore(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out Lake End, and the cottages along the shore."""
    rng = sheet.rng
    lake_road, shore_road = net["Lake Road"], net["South Shore Road"]
    sheet.along(
        lake_road,
        left=False,
        stations=stations(rng, 1300, lake_road.line.length - 30, 72, 118),
        depth_ft=520,
        use="cottage",
        share=0.25,
    )
    sheet.along(shore_road, left=True, stations=stations(rng, 160, 4480, 74, 120), depth_ft=620, use="cottage", share=0.2)
    condominium = next(lot for lot in sheet.lots if lot.road == "South Shore Road" and lot.shape.centroid.x > 19000)
    condominium.use = "condominium"
    tannery, steamboat = net["Tannery Street"], net["Steamboat Street"]
    for side in (True, False):
        sheet.along(net["State Route 290"], left=side, stations=stations(rng, 14700, 17300, 82, 110), depth_ft=180)
        sheet.along(tannery, left=side, stations=stations(rng, 215, 3200, 84, 110), depth_ft=165)
        sheet.along(steamboat, left=side, stations=stations(rng, 215, 1800, 84, 110), depth_ft=165)
        sheet.along(lake_road, left=side, stations=stations(rng, 40, 800, 84, 110), depth_ft=165)
        sheet.along(net["Vineyard Lane"], left=side, stations=stations(rng, 260, 1850, 150, 220), depth_ft=260)
    sheet.along(
        lake_road, left=True, stations=stations(rng, 1350, 9000, 240, 520), depth_ft=[260, 420, 330], use="house", share=0.8
    )


def draw_country(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out what lies between: houses in ones and small groups, farms and woods behind them."""
    rng = sheet.rng
    # Dugway Road runs inside the lots: its deeds go to the centerline.
    dugway = net["Dugway Road"]
    for side in (True, False):
        sheet.along(dugway, left=side, stations=[0, 620, 900, 1150, 2100, 3300, 3540, 3780, 4900, dugway.line.length],
                    depth_ft=[1300, 300, 300, 1300, 1300, 330, 330, 1300, 1300], use="hill", share=0.3)  # fmt: skip

    for name in ("County Road 18", "Chapel Hill Road", "Hollow Road", "Town Line Road", "State Route 290"):
        road = net[name]
        for side in (True, False):
            at = 250.0 + rng.randint(0, 300)
            while at < road.line.length - 700:
                lots = rng.choice((1, 1, 2, 2, 3, 4))
                width = rng.choice((125, 150, 165, 200))
                sheet.along(
                    road,
                    left=side,
                    stations=[at + width * n for n in range(lots + 1)],
                    depth_ft=rng.choice((220, 264, 300, 400)),
                    share=0.9,
                )
                at += width * lots + rng.randint(500, 1900)

    wild = box(12200, 9300, 16100, 12600)
    sheet.divide(most_acres=140, use="forest", within=wild)
    sheet.divide(most_acres=58, within=box(COUNTY_LINE_X, 0, 8000, NORTH_Y))
    sheet.divide(most_acres=58, angle=-3.0)


def draw_neighbour(rng: random.Random, net: dict[str, Road]) -> Sheet:
    """Divide the strip of the adjoining county, as another office drew it: not edge-matched."""
    strips = shapely.union_all([net[name].strip for name in ("State Route 290", "Town Line Road")])
    sheet = Sheet(box(0, 0, COUNTY_LINE_X, NORTH_Y).difference(strips), rng)
    state, line_road = net["State Route 290"], net["Town Line Road"]
    for side in (True, False):
        sheet.along(
            state, left=side, stations=[*stations(rng, 700, 1500, 110, 160), *stations(rng, 1750, 2500, 110, 150)], depth_ft=240
        )
        sheet.along(line_road, left=side, stations=stations(rng, 500, 2000, 130, 170), depth_ft=250)
    lane = Road("Quillan Lane", LineString([(1300, 9533), (1250, 12500)]), 50, "Town", first_number=20)
    net[lane.name] = lane
    sheet.remove(lane.strip)
    for lot in sheet.lots:
        lot.shape = max(polygons(lot.shape.difference(lane.strip)), key=lambda part: part.area)
    sheet.along(lane, left=False, stations=stations(rng, 300, 2600, 130, 180), depth_ft=280)
    sheet.along(lane, left=True, stations=stations(rng, 300, 1800, 150, 200), depth_ft=260)
    sheet.divide(most_acres=60)
    sheet.tidy(least_acres=1.5, least_width_ft=90)
    sheet.tidy(least_acres=0.05, least_width_ft=25, uses=("house", "farm"))
    return sheet


# --- numbers -------------------------------------------------------------------------------------------------------------------


def number_lots(lots: list[Lot], shapes: list[Polygon], *, first_section: int) -> list[str]:
    """Give each lot its tax map number: the section of a 4,000-ft sheet, a block, a lot; hamlets have sheets of their own."""
    place: dict[tuple[int, int, int], list[int]] = {}
    for index, (lot, shape) in enumerate(zip(lots, shapes, strict=True)):
        spot = shape.representative_point()
        section = first_section + int(max(NORTH_Y - spot.y, 0) // 4000) * 10 + int(spot.x // 4000)
        small = shape.area < 2.5 * SQ_FT_PER_ACRE and lot.use not in {"railroad", "right_of_way"}
        sub = (11 + 2 * int(spot.x % 4000 // 2000) + int(spot.y % 4000 // 2000)) if small else 0
        place.setdefault((section, sub, 1 + int(spot.y % 2000 // 1000) if sub else 1), []).append(index)
    numbers = [""] * len(lots)
    for (section, sub, block), members in sorted(place.items()):
        members.sort(key=lambda index: (-round(shapes[index].centroid.y / 400), shapes[index].centroid.x))
        for order, index in enumerate(members, start=1):
            suffix = f".{1 + order % 3}" if lots[index].facts.get("child") or (order % 11 == 0) else ""
            numbers[index] = f"{section}.{sub:02d}-{block}-{order}{suffix}"
    return numbers


def long_number(print_key: str) -> str:
    """Give the twenty digits behind a print key: section 3, subsection 3, block 4, lot 3, sublot 3, suffix 4."""
    section, block, lot = print_key.split("-")
    sec, sub = section.split(".")
    whole, _, part = lot.partition(".")
    return f"{int(sec):03d}{int(sub) * 10:03d}{int(block):04d}{int(whole):03d}{int(part or 0) * 100:03d}0000"


# --- owners ----------------------------------------------------------------------------------------------------------------------


def farmers(rng: random.Random, people: People) -> list[Mail]:
    """Invent those who own several farm lots."""
    made = []
    for index in range(30):
        person = people.person()
        family = person.split(" ", maxsplit=1)[0]
        names = (
            person,
            f"{family} Farms LLC",
            f"{family} Brothers",
            f"{person} & {rng.choice(('Mabel', 'Vera', 'Ralph'))}",
            f"{family} Land & Timber, Inc.",
        )
        owner = names[index % 5]
        if index % 6 == 5:
            made.append(people.away(owner))
        elif index % 4 == 1:
            made.append(people.boxed(owner, "Cobb Corners"))
        else:
            made.append(
                people.at(
                    owner,
                    number=1000 + 37 * index,
                    street=rng.choice(("Hollow Rd", "Chapel Hill Rd", "County Road 18")),
                    city="Cobb Corners",
                )
            )
    return made


@dataclass(frozen=True)
class Assessed:
    """What the roll says of a lot: its class, its section of the roll, its owner."""

    kind: str
    section: str
    mail: Mail


@dataclass(frozen=True)
class Place:
    """The municipality a lot lies in."""

    swis: str
    muni: str
    county: str
    post_code: str


_TOWN = Mail("Town of Italy", "1200 State Route 290", "", "Cobb Corners", "NY", "14598")
PUBLIC = {
    "church": Assessed(
        "620", "8", Mail("First Wesleyan Society of Cobb Corners", "", "PO Box 14", "Cobb Corners", "NY", "14598")
    ),
    "firehouse": Assessed(
        "662", "8", Mail("Italy Volunteer Fire Co Inc", "1208 State Route 290", "", "Cobb Corners", "NY", "14598")
    ),
    "town_hall": Assessed("652", "8", _TOWN),
    "right_of_way": Assessed("692", "8", _TOWN),
    "paper_street": Assessed("", "", Mail("")),
    "railroad": Assessed(
        "843", "7", Mail("Seneca & Bristol Railroad Co", "", "PO Box 900", "Scranton", "PA", "18599", "Real Estate Dept")
    ),
    "school": Assessed(
        "612", "8", Mail("Hollow Valley Central School District", "77 Academy St", "", "Cobb Corners", "NY", "14598")
    ),
    "cemetery": Assessed("695", "8", Mail("Chapel Hill Cemetery Assn", "", "", "", "", "", "c/o Wadhams Ida M")),
    "store": Assessed(
        "484",
        "1",
        Mail("Corners Mercantile, Inc.", "1212 State Route 290", "", "Cobb Corners", "NY", "14598", "Attn: Accounts Payable"),
    ),
    "grange": Assessed("534", "8", Mail("Hollow Valley Grange No. 1482", "", "PO Box 60", "Cobb Corners", "NY", "14598")),
    "mobile_home_park": Assessed(
        "416",
        "1",
        Mail(
            "Happy Valley Homes, LLC",
            "4500 Prospect Blvd Ste 210",
            "",
            "Rochester",
            "NY",
            "14699-2101",
            "c/o Tamblyn Property Mgmt",
        ),
    ),
    "apartment": Assessed("411", "1", Mail("Mill Street Apartments LP", "835 Genesee Blvd", "", "Naples", "FL", "34199")),
    "state_forest": Assessed(
        "931",
        "3",
        Mail("People of the State of New York", "625 Broadway", "", "Albany", "NY", "12299", "NYS DEC Bureau of Real Property"),
    ),
}
"""Who owns what a hamlet has one of."""


class Roll:
    """Turns drawn lots into rows of the State's tax parcel layer."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.people = People(rng, places=PLACES)
        self.farmers = farmers(rng, self.people)
        self.premises_owner = self.people.at("Fallowfield Farms LLC", number=1370, street="State Route 290", city="Cobb Corners")
        self.foreign = 0

    def city(self, shape: Polygon) -> str:
        """Name the post office of a place."""
        spot = shape.centroid
        if spot.x < COUNTY_LINE_X:
            return "Quillan Center"
        if spot.y > TOWN_LINE_Y:
            return "North Larkmont"
        return "Lake End" if spot.x > 13500 else "Cobb Corners"

    def owner(self, lot: Lot, shape: Polygon, index: int) -> Assessed:
        """Give class, roll section and owner of a lot."""
        if lot.use in PUBLIC:
            return PUBLIC[lot.use]
        if lot.use == "premises":
            return Assessed("120", "1", self.premises_owner)
        if lot.use in {"farm", "forest", "hill"} and shape.area > 6 * SQ_FT_PER_ACRE:
            return self._landowner(lot, shape, index)
        return self._householder(lot, shape, index)

    def _landowner(self, lot: Lot, shape: Polygon, index: int) -> Assessed:
        if lot.use == "forest" and index % 3 == 0:
            return PUBLIC["state_forest"]
        spot = shape.centroid
        member = int(spot.x // 2300) * 7 + int(spot.y // 2600) * 5
        mail = self.farmers[(member if self.rng.random() < 0.7 else self.rng.randint(0, 29)) % 30]
        kind = {"forest": "911", "hill": "322"}.get(lot.use) or self.rng.choice(("112", "105", "120", "151", "322", "113"))
        return Assessed(kind, "1", mail)

    def _householder(self, lot: Lot, shape: Polygon, index: int) -> Assessed:
        use, city, people = lot.use, self.city(shape), self.people
        street = short_street(lot.road)
        if lot.facts.get("child"):
            return Assessed("210", "1", people.at("Fallowfield Ruth A", number=lot.number, street=street, city=city))
        if use == "condominium":
            unit = f"Unit {lot.facts['unit']}"
            return Assessed("210", "1", people.householder(number=lot.number, street=street, city=city, away=0.6, unit=unit))
        if use == "cottage" and index % 29 == 0:
            self.foreign += 1
            return Assessed("260", "1", people.foreign(self.foreign))
        if use == "cottage":
            kinds: tuple[str, ...] = ("260", "260", "210")
        elif shape.area < 3 * SQ_FT_PER_ACRE:
            kinds = ("210", "210", "210", "210", "210", "210", "220", "270", "311")
        else:
            kinds = ("240", "240", "322", "314")
        kind = self.rng.choice(kinds)
        away = 0.95 if kind in {"311", "322", "314"} else 0.62 if use == "cottage" else 0.16
        return Assessed(kind, "1", people.householder(number=lot.number, street=street, city=city, away=away))


def short_street(name: str) -> str:
    """Abbreviate a street's last word as rolls do."""
    for long, short in (("Road", "Rd"), ("Street", "St"), ("Lane", "Ln")):
        if name.endswith(f" {long}"):
            return name.removesuffix(long) + short
    return name


def row(lot: Lot, shape: Polygon, number: str, said: Assessed, place: Place) -> dict[str, Any]:
    """Write one row as the State's layer names its columns."""
    kind, section, mail = said.kind, said.section, said.mail
    swis, muni, county, post_code = place.swis, place.muni, place.county, place.post_code
    street = short_street(lot.road)
    house = str(lot.number) if lot.number is not None and kind not in {"311", "322", "314", "692", "843"} else ""
    unit = f"Unit {lot.facts['unit']}" if "unit" in lot.facts else ""
    acres = round(shape.area / SQ_FT_PER_ACRE, 2)
    sbl = long_number(number) if number else ""
    return {
        "COUNTY_NAME": county, "MUNI_NAME": muni, "SWIS": swis, "CITYTOWN_NAME": muni, "CITYTOWN_SWIS": swis,
        "PARCEL_ADDR": " ".join(part for part in (house, street, unit) if part),
        "PRINT_KEY": number, "SBL": sbl, "SWIS_SBL_ID": swis + sbl if sbl else "", "SWIS_PRINT_KEY_ID": swis + number if number else "",
        "LOC_ST_NBR": house, "LOC_STREET": street, "LOC_UNIT": unit, "LOC_ZIP": post_code if house else "",
        "PROP_CLASS": kind, "ROLL_SECTION": section,
        "PRIMARY_OWNER": mail.owner, "MAIL_ADDR": mail.address, "PO_BOX": mail.po_box, "MAIL_CITY": mail.city, "MAIL_STATE": mail.state,
        "MAIL_ZIP": mail.zip, "ADD_OWNER": mail.add_owner, "ADD_MAIL_ADDR": mail.add_address, "ADD_MAIL_PO_BOX": mail.add_po_box,
        "ADD_MAIL_CITY": mail.add_city, "ADD_MAIL_STATE": mail.add_state, "ADD_MAIL_ZIP": mail.add_zip,
        "DUP_GEO": "Y" if "unit" in lot.facts else "N", "ROLL_YR": ROLL_YEAR, "SPATIAL_YR": ROLL_YEAR,
        "FRONT": round(float(lot.facts.get("frontage_ft", 0.0)), 1), "DEPTH": round(float(lot.facts.get("depth_ft", 0.0)), 1),  # type: ignore[arg-type]  # a fact of a lot is of any type
        "ACRES": acres, "CALC_ACRES": acres, "FICTIONAL": "Y",
    }  # fmt: skip


OWNER_COLUMNS = ("PRIMARY_OWNER", "MAIL_ADDR", "PO_BOX", "MAIL_CITY", "MAIL_STATE", "MAIL_ZIP", "ADD_OWNER", "ADD_MAIL_ADDR", "ADD_MAIL_PO_BOX",
                 "ADD_MAIL_CITY", "ADD_MAIL_STATE", "ADD_MAIL_ZIP")  # fmt: skip


# --- the special lots ----------------------------------------------------------------------------------------------------------


def name_uses(sheet: Sheet) -> None:
    """Turn some of the hamlet's house lots into what a hamlet has: an apartment house, a store, a church, a firehouse."""

    def pick(use: str, spot: tuple[float, float], *, test: Callable[[Lot], bool] = lambda _lot: True) -> None:
        nearest = min(
            (lot for lot in sheet.lots if lot.use in {"house", "farm"} and test(lot)),
            key=lambda lot: lot.shape.distance(Point(spot)),
        )
        nearest.use = use

    pick("apartment", (4780, 10050), test=lambda lot: lot.road == "Mill Street")
    pick("church", (5060, 9100), test=lambda lot: lot.road == "Church Street")
    pick("store", (5540, 9600), test=lambda lot: lot.road == "State Route 290")
    pick("firehouse", (5680, 9400), test=lambda lot: lot.road == "State Route 290")
    pick("town_hall", (5680, 9600), test=lambda lot: lot.road == "State Route 290")
    pick("school", (6400, 10100))
    pick("grange", (16500, 8100), test=lambda lot: lot.road == "State Route 290")
    pick("cemetery", (11400, 6300), test=lambda lot: lot.road == "Chapel Hill Road")


def points_of(lot: Lot, shape: Polygon, row_: dict[str, Any], city: str) -> list[tuple[dict[str, str], Point]]:
    """Give the address points on a lot: one for a house, one for each unit of the park and of the apartment house."""
    if not row_["LOC_ST_NBR"]:
        return []
    base = {
        "NUMBER": row_["LOC_ST_NBR"],
        "STREET": row_["LOC_STREET"],
        "UNIT": "",
        "CITY": city,
        "STATE": "NY",
        "ZIP": PLACES[city],
        "FICTIONAL": "Y",
    }
    if lot.use == "mobile_home_park":
        made = [(3390 + 105 * (n % 7), 8570 + 190 * (n // 7)) for n in range(22)]
        return [({**base, "UNIT": f"Lot {n}"}, Point(x, y)) for n, (x, y) in enumerate(made, start=1)]
    door = lot.facts.get("door")
    spot = door if isinstance(door, Point) and shape.buffer(-8).contains(door) else shape.representative_point()
    if lot.use == "apartment":
        return [({**base, "UNIT": f"Apt {n}"}, Point(spot.x + 6 * (n % 4), spot.y + 9 * (n // 4))) for n in range(1, 9)]
    return [({**base, "UNIT": row_["LOC_UNIT"]}, spot)]


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
        if lot.use == "condominium":
            for unit in range(1, 7):
                own = replace_facts(lot, unit=unit)
                said = roll.owner(own, shape, index)
                rows.append(row(own, shape, f"{number}.{unit}", said, place))
                drawn.append(shape)
                points += points_of(own, shape, rows[-1], roll.city(shape))
            named["condominium"] = number
            continue
        rows.append(row(lot, shape, number, roll.owner(lot, shape, index), place))
        drawn.append(shape)
        points += points_of(lot, shape, rows[-1], roll.city(shape))
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

    write_adjoining(folder / "adjoining.zip", rng, roll, net)
    write_others(folder, net, rail, lake, points)
    print_counts(rows, named)
    return named


def replace_facts(lot: Lot, **facts: object) -> Lot:
    """Give a lot with further facts."""
    return Lot(lot.shape, lot.use, lot.road, lot.number, {**lot.facts, **facts})


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
        full = row(lot, shape, number, said, Place(WEST_TOWN, "Quillan", "Ontario", PLACES["Quillan Center"]))
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

    def moved(shape: Any) -> Any:  # noqa: ANN401  # any geometry
        return snap(shape, dx=EAST_FT, dy=NORTH_FT)

    streets = sorted(net.values(), key=lambda road: road.name)
    write_geojson(folder / "streets.geojson", "streets", [{"NAME": road.name, "JURISDICTION": road.jurisdiction, "FICTIONAL": "Y"} for road in streets],
                  [moved(road.line) for road in streets], crs=CRS)  # fmt: skip
    write_geojson(folder / "railroads.geojson", "railroads", [{"NAME": rail.name, "OWNER": "Seneca & Bristol Railroad Co", "FICTIONAL": "Y"}],
                  [moved(rail.line)], crs=CRS)  # fmt: skip
    write_geojson(folder / "water.geojson", "water", [{"NAME": "Lake Larkmont", "FICTIONAL": "Y"}], [moved(lake)], crs=CRS)
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
    write_geojson(folder / "municipalities.geojson", "municipalities",
                  [{"NAME": name, "KIND": kind, "SWIS": swis, "CLERK_NAME": clerk, "CLERK_ADDRESS": address, "FICTIONAL": "Y"}
                   for name, kind, swis, clerk, address, _ in others], [moved(shape) for *_, shape in others], crs=CRS)  # fmt: skip
    write_geojson(
        folder / "address_points.geojson",
        "address_points",
        [item for item, _ in points],
        [moved(spot) for _, spot in points],
        crs=CRS,
    )


def print_counts(rows: list[dict[str, Any]], named: dict[str, str]) -> None:
    """Say what was made."""
    print(f"{len(rows)} parcels; by municipality {dict(Counter(item['MUNI_NAME'] for item in rows))}")
    print(f"by class {dict(sorted(Counter(item['PROP_CLASS'] for item in rows).items()))}")
    for name, number in sorted(named.items()):
        print(f"  {name}: {number}")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "italy"
    target.mkdir(parents=True, exist_ok=True)
    make(target)
