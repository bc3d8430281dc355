"""The land of the demonstration town of Italy: roads, lake, railroad, hamlets, farms."""

import random
from collections.abc import Callable

import shapely
from _cadastre import Lot, Road, Sheet, bend, polygons, shore, stations
from shapely.geometry import LineString, Point, Polygon, box

CRS = "EPSG:2261"
EAST_FT, NORTH_FT = 612000.0, 948000.0
"""Where the sheet's corner lies in the State's central zone: the west of Yates County."""

ITALY, NORTH_TOWN, WEST_TOWN = "572400", "572990", "329900"
"""SWIS codes: Italy's by the alphabetical rule; those of the neighbours stand for no town."""

COUNTY_LINE_X, TOWN_LINE_Y, EAST_X, NORTH_Y = 2500.0, 17000.0, 21500.0, 19500.0
PLACES = {"Cobb Corners": "14598", "Lake End": "14597", "North Larkmont": "14596", "Quillan Center": "14595"}

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
    sheet.take(box(4300, 10290, 4825, 10330), "paper_street", fixed=True)
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
