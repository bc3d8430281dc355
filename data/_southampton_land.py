"""The land of the demonstration town of Southampton: hamlet, village, subdivision, estates, railroad, bay; and its zoning."""

import itertools
import random
from collections.abc import Iterable, Sequence

import shapely
from _cadastre import Lot, Road, Sheet, bend, polygons, shore, stations
from shapely.geometry import GeometryCollection, LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

CRS = "EPSG:2263"
EAST_FT, NORTH_FT = 1426000.0, 258000.0
"""Where the sheet's corner lies in the State's Long Island zone: the south fork of Suffolk County."""

TOWN, VILLAGE, NEIGHBOUR = "473689", "473699", "479900"
"""SWIS codes: the town outside its villages by the rule of the State's numbering; village and neighbour stand for no municipality."""

EAST_X, TOWN_LINE_X, NORTH_Y = 12800.0, 11500.0, 10000.0
VILLAGE_RING = ((5330, 3330), (6960, 3330), (6960, 5027), (6960, 5260), (5330, 5233))
PLACES = {"Sandmere": "11899", "Pondcrest": "11898", "Eastmere": "11897"}

STREETS: tuple[tuple[str, list[tuple[float, float]], float, str, str, int], ...] = (
    ("Montauk Highway", [(0, 4870), (1500, 5000), (2500, 5000), (5300, 5000), (5600, 5000), (7000, 5060), (9000, 5300), (EAST_X, 5600)],
     66, "State", "gap", 2),
    ("County Road 58", [(7000, 1100), (7000, 2500), (6993, 5060), (7100, 6000), (7000, 8000), (7200, NORTH_Y)], 66, "County", "gap", 2),
    ("Depot Road", [(4240, 5000), (4240, 5750), (4200, 7000), (4300, 8600), (4250, NORTH_Y)], 50, "Town", "gap", 1),
    ("Old Point Road", [(2400, 5000), (2360, 4000), (2450, 3000), (2320, 1950), (2350, 1150)], 50, "Town", "gap", 2),
    ("Oak Street", [(3000, 5000), (3000, 3895)], 50, "Town", "gap", 0),
    ("Maple Street", [(3620, 5000), (3620, 3895)], 50, "Town", "gap", 0),
    ("Cedar Street", [(4240, 5000), (4240, 1975)], 50, "Town", "gap", 0),
    ("Linden Street", [(4860, 5000), (4860, 3895)], 50, "Town", "gap", 0),
    ("Meadow Street", [(2385, 4600), (6990, 4600)], 50, "Town", "gap", 0),
    ("Bridge Street", [(2372, 4260), (6990, 4260)], 50, "Town", "gap", 0),
    ("Harbor Street", [(2362, 3920), (5330, 3920)], 50, "Town", "gap", 0),
    ("Captains Lane", [(5900, 5020), (5900, 3380)], 50, "Village", "gap", 0),
    ("Willow Lane", [(6450, 5040), (6450, 3380)], 50, "Village", "gap", 0),
    ("Merchants Alley", [(3025, 4790), (4835, 4790)], 20, "Town", "parcel", 0),
    ("Bay Shore Drive", [(2325, 1950), (3500, 1880), (5000, 2020), (6400, 1900), (7000, 1950)], 50, "Town", "gap", 2),
    ("Fox Hollow Drive", [(4225, 6300), (3500, 6280), (2500, 6500), (1850, 7200), (1850, 8100), (2600, 8750), (3500, 8600), (4290, 8450)],
     50, "Town", "gap", 2),
    ("Quail Court", [(2870, 6420), (3000, 6900), (2860, 7420)], 50, "Town", "gap", 1),
    ("Pheasant Court", [(3060, 8670), (3120, 8250), (3040, 7950)], 40, "Private", "parcel", 1),
    ("Great Neck Lane", [(7000, 3600), (8200, 3720), (9400, 3520), (10600, 3720), (EAST_X, 3650)], 50, "Town", "gap", 2),
    ("Dune Court", [(9420, 3545), (9360, 2900), (9500, 2150)], 40, "Private", "parcel", 1),
    ("Old Cart Road", [(8100, 3735), (8250, 4400), (8180, 5190)], 33, "Town", "inside", 1),
)  # fmt: skip
STRAIGHT = {"Oak Street", "Maple Street", "Cedar Street", "Linden Street", "Meadow Street", "Bridge Street", "Harbor Street", "Captains Lane",
            "Willow Lane", "Merchants Alley"}  # fmt: skip
BULBS = {"Quail Court": 60.0, "Pheasant Court": 50.0, "Dune Court": 50.0}
"""The turning circles at the ends of courts."""

DRAWN_OFF_FT = (0.9, -0.6)
"""How far the zoning map, drawn by another hand, lies off the parcels: slivers on every line."""


def roads() -> dict[str, Road]:
    """Draw the centerlines."""
    made = {}
    for order, (name, points, width, keeper, drawn, rounds) in enumerate(STREETS):
        line = LineString(points) if name in STRAIGHT else bend(points, rounds=max(rounds, 1))
        first = 2 if name in STRAIGHT or name in BULBS else 100 * (order % 9)
        made[name] = Road(name, line, width, keeper, drawn, first_number=first)
    return made


def strip_of(road: Road) -> BaseGeometry:
    """Return a street's right-of-way, with the turning circle at its end."""
    if road.name not in BULBS:
        return road.strip
    end = Point(road.line.coords[-1])
    return road.strip.union(end.buffer(BULBS[road.name], quad_segs=8))


def bay(rng: random.Random) -> Polygon:
    """Draw the bay along the south."""
    line = shore([(-10, 1500), (900, 1350), (2350, 1150), (3300, 1420), (4300, 1560), (5600, 1500), (7000, 1100), (8300, 1250), (9600, 1500),
                  (11000, 1300), (EAST_X + 10, 1500)], rng, step_ft=70, rough_ft=16)  # fmt: skip
    return Polygon([*line.coords, (EAST_X + 10, -10), (-10, -10)]).intersection(box(0, 0, EAST_X, NORTH_Y))


def village() -> Polygon:
    """Draw the incorporated village."""
    return Polygon(VILLAGE_RING)


def draw_town(rng: random.Random, net: dict[str, Road], water: Polygon, rail: Road) -> Sheet:
    """Divide the town, its village, and the part of the neighbouring town that the county's layer holds."""
    strips = shapely.union_all([strip_of(road) for road in net.values() if road.drawn == "gap"])
    corners = shapely.union_all(
        [street_corner(net, *pair) for pair in (("Fox Hollow Drive", "Depot Road"), ("Quail Court", "Fox Hollow Drive"))]
    )
    land = box(0, 0, EAST_X, NORTH_Y).difference(water).difference(strips.union(corners))
    town, beyond = box(0, 0, TOWN_LINE_X, NORTH_Y), box(TOWN_LINE_X, 0, EAST_X, NORTH_Y)
    inner = village()
    sheet = Sheet(
        GeometryCollection([land.intersection(town).difference(inner), land.intersection(inner), land.intersection(beyond)]), rng
    )
    for part in polygons(rail.strip.difference(strips).intersection(box(0, 0, EAST_X, NORTH_Y))):
        for piece in polygons(part.intersection(town)) + polygons(part.intersection(beyond)):
            sheet.take(piece, "railroad", fixed=True)
    for road in net.values():
        if road.drawn == "parcel":
            for part in polygons(strip_of(road).difference(strips)):
                sheet.take(part, "right_of_way", fixed=True, street=road.name)
    draw_hamlet(sheet, net)
    draw_village(sheet, net)
    draw_subdivision(sheet, net)
    draw_estates(sheet, net)
    draw_rest(sheet, net)
    sheet.tidy(least_acres=0.45, least_width_ft=70, uses=("land",))
    sheet.tidy(least_acres=0.06, least_width_ft=22, uses=("house", "land", "shop", "estate", "shore", "country"))
    return sheet


def street_corner(net: dict[str, Road], one: str, other: str) -> BaseGeometry:
    """Round the corner where two streets meet, as a subdivision's map does: with a radius of 20 ft."""
    both = strip_of(net[one]).union(strip_of(net[other]))
    rounded = both.buffer(20, quad_segs=6).buffer(-20, quad_segs=6)
    return rounded.intersection(net[one].line.intersection(net[other].strip.buffer(5)).buffer(110))


def draw_hamlet(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out the grid, and the business street."""
    highway = net["Montauk Highway"]
    begin = highway.line.project(Point(3000, 5000)) - 3000.0

    def shops(marks: Iterable[float], *, north: bool, depth: float) -> None:
        sheet.along(highway, left=north, stations=[mark + begin for mark in marks], depth_ft=depth, use="shop")

    shops([2425, 2525, 2650, 2770, 2880, 2975], north=False, depth=200)
    shops([3025, 3085, 3145, 3225, 3325, 3425, 3520, 3595], north=False, depth=167)
    shops([3645, 3725, 3805, 3905, 4005, 4105, 4215], north=False, depth=167)
    shops([4265, 4345, 4425, 4545, 4665, 4755, 4835], north=False, depth=167)
    shops([4885, 4985, 5085, 5205, 5330], north=False, depth=200)
    shops([2700, 2800, 2900, 3000, 3120, 3240], north=True, depth=200)
    shops([3240, 3400], north=True, depth=420)
    sheet.lots[-1].facts["split"] = True
    shops([3400, 3480, 3560, 3640, 3760, 3880, 4000, 4110, 4215], north=True, depth=200)
    shops([4265, 4385, 4505, 4625, 4745, 4865, 4985, 5105, 5215, 5330], north=True, depth=200)

    west = {"Meadow Street": 2385.0, "Bridge Street": 2372.0, "Harbor Street": 2362.0}
    blocks = ((3025, 3595), (3645, 4215), (4265, 4835))
    widths = {0: (100, 95, 95, 95, 90, 95), 1: (95, 95, 95, 95, 95, 95), 2: (75, 110, 100, 95, 90, 100)}
    for name, offset in west.items():
        for number, (start, end) in enumerate(blocks):
            for left in (True, False):
                marks, pattern = [float(start)], widths[(number + (0 if left else 1) + len(name)) % 3]
                for width in pattern:
                    marks.append(min(marks[-1] + width, float(end)))
                depth = 155.0 if (name, left) == ("Meadow Street", True) else 145.0
                sheet.along(net[name], left=left, stations=[mark - offset for mark in marks], depth_ft=depth)
        for left in (True, False):
            depth = 175.0 if (name, left) == ("Meadow Street", True) else 145.0
            sheet.along(net[name], left=left, stations=[2425 - offset, 2530 - offset, 2640 - offset, 2750 - offset, 2860 - offset, 2975 - offset],
                        depth_ft=depth, share=0.55)  # fmt: skip
            sheet.along(net[name], left=left, stations=[4885 - offset, 4990 - offset, 5100 - offset, 5210 - offset, 5330 - offset], depth_ft=depth,
                        share=0.55)  # fmt: skip


def draw_village(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out the village: shops along the highway, houses behind."""
    highway = net["Montauk Highway"]
    begin, end = (highway.line.project(Point(x, 5000)) for x in (5345, 6950))
    for left in (True, False):
        sheet.along(highway, left=left, stations=stations(sheet.rng, begin, end, 90, 130), depth_ft=160, use="shop")
    for name, offset in (("Meadow Street", 2385.0), ("Bridge Street", 2372.0)):
        for left in (True, False):
            for start, stop in ((5330, 5875), (5925, 6425), (6475, 6957)):
                marks = stations(sheet.rng, start - offset, stop - offset, 82, 100)
                marks[-1] = float(stop - offset)
                sheet.along(net[name], left=left, stations=marks, depth_ft=145)
    for name in ("Captains Lane", "Willow Lane"):
        line = net[name]
        for left in (True, False):
            marks = stations(sheet.rng, line.line.length - 700, line.line.length - 10, 85, 105)
            sheet.along(line, left=left, stations=marks, depth_ft=185)


def draw_subdivision(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out the curved streets and the courts of Fox Hollow."""
    drive = net["Fox Hollow Drive"]
    for name in ("Quail Court", "Pheasant Court"):
        court = net[name]
        around(sheet, court, BULBS[name], depth=190, count=5)
        for left in (True, False):
            sheet.along(
                court,
                left=left,
                stations=[205, 335, 465, 600, 735, 870][: 2 + int(court.line.length > 800) * 2],
                depth_ft=205,
                share=0.6,
            )
    for left in (True, False):
        sheet.along(
            drive,
            left=left,
            stations=stations(sheet.rng, 60, drive.line.length - 60, 135, 172),
            depth_ft=[240, 255, 230],
            share=0.6,
        )
    sheet.take(box(2200, 7300, 2750, 7900), "park_town")


def around(sheet: Sheet, court: Road, radius: float, *, depth: float, count: int) -> None:
    """Take the lots around a turning circle: wedges, narrow at the street and wide behind."""
    end, before = Point(court.line.coords[-1]), Point(court.line.coords[-2])
    length = end.distance(before)
    ahead = ((end.x - before.x) / length, (end.y - before.y) / length)
    turn = [(-115 + 230 * n / count) for n in range(count + 1)]
    for number, (start, stop) in enumerate(itertools.pairwise(turn)):
        ring = [(end.x, end.y)]
        for angle in (start, (start + stop) / 2, stop):
            ray = shapely.affinity.rotate(
                Point(end.x + ahead[0] * (radius + depth), end.y + ahead[1] * (radius + depth)), angle, origin=end
            )
            ring.append((ray.x, ray.y))
        middle = shapely.affinity.rotate(
            Point(end.x + ahead[0] * (radius + 40), end.y + ahead[1] * (radius + 40)), (start + stop) / 2, origin=end
        )
        sheet.take(Polygon(ring), "house", near=middle, road=court.name, number=court.first_number + 40 + 2 * number, least=5000, door=middle,
                   frontage_ft=round(2 * 3.14159 * radius * (stop - start) / 360, 1), depth_ft=depth)  # fmt: skip


def draw_estates(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out the estates: flag lots behind front lots, Dune Court to the bay, and Old Cart Road inside the lots."""
    cart, lane, dune, rng = net["Old Cart Road"], net["Great Neck Lane"], net["Dune Court"], sheet.rng
    for left in (True, False):
        sheet.along(
            cart,
            left=left,
            stations=[0, 330, 560, 800, 1040, 1290, cart.line.length],
            depth_ft=[330, 300, 310],
            use="country",
            share=0.45,
        )
    around(sheet, dune, 50.0, depth=520, count=4)
    for left in (True, False):
        sheet.along(dune, left=left, stations=[370, 640, 900, 1180], depth_ft=390, use="estate", share=0.6)
    at = 420.0
    while at < lane.line.length - 700:
        for left in (True, False):
            flag_lots(sheet, lane, at=at, left=left)
        at += 500 if rng.random() < 0.6 else 620
    for left in (True, False):
        sheet.along(
            lane, left=left, stations=stations(rng, 60, lane.line.length - 60, 190, 260), depth_ft=300, use="estate", share=0.85
        )


def flag_lots(sheet: Sheet, road: Road, *, at: float, left: bool) -> None:
    """Take two front lots, and between them the staff of the flag lot behind both."""
    sign, half, staff, depth, back = (1.0 if left else -1.0), road.width_ft / 2, 25.0, 290.0, 280.0

    def at_depth(station: float, distance: float) -> tuple[float, float]:
        return road.offset(station, sign * (half + distance))

    marks = (at, at + 205.0, at + 205.0 + staff, at + 410.0 + staff)
    pole = [at_depth(marks[1], -half), at_depth(marks[2], -half), at_depth(marks[2], depth)]
    flag = [
        at_depth(marks[3], depth),
        at_depth(marks[3], depth + back),
        at_depth(marks[0], depth + back),
        at_depth(marks[0], depth),
    ]
    ring = Polygon([*pole, *flag, at_depth(marks[1], depth)])
    door = Point(at_depth((at + marks[3]) / 2, depth + 120))
    if not ring.is_valid or not any(block.buffer(1).contains(ring.difference(road.strip)) for block in sheet.free):
        return
    sheet.take(ring, "estate", near=door, road=road.name, number=road.number(station=marks[1] + 12, left=left), least=60000, door=door, flag=True,
               frontage_ft=staff, depth_ft=depth + back)  # fmt: skip
    for start, stop in ((marks[0], marks[1]), (marks[2], marks[3])):
        sheet.along(road, left=left, stations=[start, stop], depth_ft=depth, use="estate", share=0.85)


def draw_rest(sheet: Sheet, net: dict[str, Road]) -> None:
    """Lay out the lots along the other roads, and divide what is left."""
    rng, bay_drive, point, cedar = sheet.rng, net["Bay Shore Drive"], net["Old Point Road"], net["Cedar Street"]
    sheet.along(
        bay_drive,
        left=False,
        stations=stations(rng, 40, bay_drive.line.length - 40, 105, 150),
        depth_ft=900,
        use="shore",
        share=0.2,
    )
    sheet.along(
        bay_drive,
        left=True,
        stations=stations(rng, 60, bay_drive.line.length - 60, 120, 160),
        depth_ft=260,
        use="house",
        share=0.75,
    )
    for left in (True, False):
        sheet.along(cedar, left=left, stations=stations(rng, 1260, 2740, 130, 165), depth_ft=265)
        sheet.along(
            point, left=left, stations=stations(rng, 240, point.line.length - 100, 130, 175), depth_ft=[250, 280], share=0.75
        )
        sheet.along(
            net["Depot Road"],
            left=left,
            stations=stations(rng, 900, 4900, 150, 210),
            depth_ft=[250, 300],
            use="house",
            share=0.85,
        )
        for road, start in ((net["County Road 58"], 900), (net["Montauk Highway"], 120)):
            at = float(start)
            while at < road.line.length - 400:
                width, lots = rng.choice((150, 170, 200)), rng.choice((1, 2, 3))
                sheet.along(
                    road,
                    left=left,
                    stations=[at + width * n for n in range(lots + 1)],
                    depth_ft=rng.choice((250, 280)),
                    use="house",
                    share=0.9,
                )
                at += width * lots + rng.randint(200, 800)
    # Behind the wharf side of the hamlet: a school, a park, and land that nobody has built on yet.
    sheet.divide(most_acres=9, within=box(2300, 2100, 7000, 3900), use="land")
    sheet.divide(most_acres=13, within=box(7000, 1000, TOWN_LINE_X, 5600), use="land")
    sheet.divide(most_acres=12, within=box(0, 1000, 2400, 6000), use="land")
    sheet.divide(most_acres=22, use="land", angle=4.0)


def districts(lots: Sequence[Lot], shapes: Sequence[Polygon]) -> list[tuple[str, str, str, BaseGeometry]]:
    """Draw the zoning: code, name, municipality, where. Districts follow the lot lines, but for the lots that are cut on purpose."""
    inner = village()
    drawn: list[tuple[str, str, str, BaseGeometry]] = [
        ("VB", "Village Business", "Village of Pondcrest", box(5330, 4822, 6960, 5300).intersection(inner)),
        ("MF-20", "Multifamily", "Village of Pondcrest", box(6475, 3330, 6960, 4085).intersection(inner)),
        ("R-12.5", "Residence", "Village of Pondcrest", inner),
        ("HB", "Highway Business", "Town of Southampton", box(3400, 4800, 4240, 5234.5)),
        ("VB", "Village Business", "Town of Southampton", box(4240, 4800, 5330, 5234.5)),
        ("HC", "Hamlet Commercial/Residential", "Town of Southampton", box(3000, 4800, 3400, 5234.5)),
        ("HO", "Hamlet Office/Residential", "Town of Southampton", box(2425, 4900, 3000, 5234.5)),
        ("HO", "Hamlet Office/Residential", "Town of Southampton", box(2600, 5200, 3200, 5480)),
        ("HC", "Hamlet Commercial/Residential", "Town of Southampton", box(6960, 4950, 7420, 5330)),
        ("LI-40", "Light Industrial", "Town of Southampton", box(4265, 5783, 5600, 6500)),
        ("MUPDD", "Mixed Use Planned Development", "Town of Southampton", box(5600, 5783, 6960, 6500)),
        ("MF-44", "Multifamily Residence", "Town of Southampton", box(2350, 1000, 3300, 1925)),
        ("OSC", "Open Space Conservation", "Town of Southampton", box(0, 1000, 1500, 2600)),
        ("R-60", "Residence", "Town of Southampton", box(2250, 3000, 4240, 3740)),
        ("R-20", "Residence", "Town of Southampton", box(4240, 3000, 5330, 3740)),
        ("R-40", "Residence", "Town of Southampton", box(2250, 3740, 5330, 5785)),
        ("R-40", "Residence", "Town of Southampton", box(1400, 5783, 4265, 9300)),
        ("R-40", "Residence", "Town of Southampton", box(2250, 1000, 7000, 3000)),
        ("CR-40", "Country Residence", "Town of Southampton", box(7000, 4000, TOWN_LINE_X, 6400)),
        ("CR-60", "Country Residence", "Town of Southampton", box(7000, 2700, TOWN_LINE_X, 4000)),
        ("CR-120", "Country Residence", "Town of Southampton", box(7000, 1000, TOWN_LINE_X, 2700)),
        ("R-60", "Residence", "Town of Southampton", box(0, 1000, 7000, 6400)),
        ("CR-200", "Country Residence", "Town of Southampton", box(0, 6000, TOWN_LINE_X, NORTH_Y)),
        ("A", "Residence A", "Town of Eastmere", box(TOWN_LINE_X, 1000, EAST_X, NORTH_Y)),
    ]
    sketch: list[BaseGeometry] = []
    taken: BaseGeometry = Polygon()
    for *_, where in drawn:
        sketch.append(where.difference(taken))
        taken = taken.union(where)
    whole = [
        (lot, shape)
        for lot, shape in zip(lots, shapes, strict=True)
        if not lot.facts.get("split") and lot.use not in {"railroad", "right_of_way"}
    ]
    tree = shapely.STRtree(sketch)
    inside: dict[int, list[Polygon]] = {}
    for _, shape in whole:
        found = tree.query(shape.representative_point(), predicate="within")
        if len(found):
            inside.setdefault(int(found[0]), []).append(shape)
    built = shapely.union_all([shape for _, shape in whole])
    laid = []
    for order, (code, name, municipality, _) in enumerate(drawn):
        area = shapely.union_all([sketch[order].difference(built), *inside.get(order, [])], grid_size=0.01)
        laid.append((code, name, municipality, shapely.affinity.translate(area, DRAWN_OFF_FT[0], DRAWN_OFF_FT[1])))
    return laid


def name_uses(sheet: Sheet) -> None:
    """Turn some lots into what a hamlet has: a church, a firehouse, a museum, a school, parks."""

    def pick(use: str, spot: tuple[float, float], kind: str) -> Lot:
        nearest = min((lot for lot in sheet.lots if lot.use == kind), key=lambda lot: lot.shape.distance(Point(spot)))
        nearest.use = use
        return nearest

    pick("church", (3050, 4700), "house")
    pick("museum", (4800, 4450), "house")
    pick("firehouse", (4300, 5100), "shop")
    pick("town_hall", (3900, 5100), "shop")
    pick("market_ground", (4100, 5100), "shop")
    pick("legion", (3400, 4100), "house")
    pick("apartment", (4450, 4900), "shop")
    pick("two_family", (3350, 4500), "house")
    pick("village_hall", (6200, 5100), "shop")
    pick("school", (3200, 3400), "land")
    pick("park_town", (4800, 3200), "land")
    pick("park_state", (700, 1800), "land")
    pick("club", (10500, 2000), "land")
    pick("condominium", (2900, 1500), "shore")
    pick("nursery", (3100, 5500), "land").facts["split"] = True
    crossing = [lot for lot in sheet.lots if lot.use == "land" and lot.shape.bounds[1] < 2900 and lot.shape.bounds[3] > 3100]
    two = min((lot for lot in crossing if 2250 < lot.shape.centroid.x < 5330), key=lambda lot: lot.shape.bounds)
    two.use, two.facts["split"] = "two_residential", True
