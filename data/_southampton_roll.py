"""Who owns the demonstration town of Southampton, and under which tax map numbers the land stands on its roll."""

import random

import shapely
from _cadastre import SQ_FT_PER_ACRE, Lot
from _nys_roll import Assessed, short_street
from _people import Mail, People
from _southampton_land import PLACES, TOWN_LINE_X, village
from shapely.geometry import Polygon, box

SANDMERE = ("Sandmere", "NY", "11899")
_TOWN = Mail("TOWN OF SOUTHAMPTON", "116 Montauk Hwy", "", *SANDMERE)

RAILROAD = (
    Mail("LONG ISLAND RAIL ROAD CO", "", "PO Box 4100", "New York", "NY", "10199", "c/o Real Estate Dept"),
    Mail("METROPOLITAN TRANSPORTATION AUTHORITY", "2 Transit Plz", "", "New York", "NY", "10199", "Attn: Real Property"),
    Mail("MTA - L.I.R.R.", "2 Transit Plz", "", "New York", "NY", "10199"),
)
"""One owner, written three ways, as rolls do."""

PUBLIC = {
    "church": Assessed("620", "8", Mail("Church of the Holy Dunes", "", "PO Box 31", *SANDMERE)),
    "museum": Assessed(
        "681", "8", Mail("Sandmere Whaling Museum, Inc.", "", "PO Box 212", *SANDMERE, "c/o Hallowell Edith M, Director")
    ),
    "firehouse": Assessed("662", "8", Mail("Sandmere Fire District", "241 Montauk Hwy", "", *SANDMERE)),
    "town_hall": Assessed("652", "8", _TOWN),
    "market_ground": Assessed("653", "8", _TOWN),
    "legion": Assessed("534", "8", Mail("Sandmere Veterans Post No. 9999", "", "PO Box 77", *SANDMERE)),
    "apartment": Assessed("411", "1", Mail("Highway Apartments LLC", "900 Clinton Blvd Ste 4", "", "Brooklyn", "NY", "11299")),
    "village_hall": Assessed("652", "8", Mail("Village of Pondcrest", "620 Montauk Hwy", "", "Pondcrest", "NY", "11898")),
    "school": Assessed("612", "8", Mail("Sandmere Union Free School District", "40 Cedar St", "", *SANDMERE)),
    "park_town": Assessed("963", "8", _TOWN),
    "park_state": Assessed(
        "961", "3", Mail("People of the State of New York", "625 Broadway", "", "Albany", "NY", "12299", "NYS Parks")
    ),
    "club": Assessed("553", "1", Mail("Great Neck Golf & Beach Club, Inc.", "", "PO Box 18", *SANDMERE)),
}
PRIVATE_STREETS = {
    "Pheasant Court": Mail("Fox Hollow Homeowners Assn Inc", "", "PO Box 345", *SANDMERE, "c/o Vosburgh Mgmt"),
    "Dune Court": Mail("Dune Court Association", "8 Dune Ct", "", *SANDMERE),
}

SECTIONS = (
    ("123", box(2990, 3905, 4870, 4630)),
    ("124", box(2250, 4630, 5332, 5800)),
    ("125", box(2250, 3760, 5332, 4700)),
    ("110", box(1300, 5700, 4300, 9400)),
    ("126", box(2250, 0, 7002, 3800)),
    ("127", box(7000, 2600, TOWN_LINE_X, 4100)),
    ("128", box(7000, 0, TOWN_LINE_X, 2700)),
    ("112", box(7000, 4000, TOWN_LINE_X, 6500)),
    ("122", box(0, 0, 2500, 6000)),
)
"""The sections of the tax map, by where they lie; what lies in none is in section 111."""


def number_lots(lots: list[Lot], shapes: list[Polygon]) -> list[tuple[str, str]]:
    """Return each lot its tax map number (District-Section-Block-Lot) and the digits behind it; lots of a block touch one another.

    The district is 0900 in the town, 0901 in the village; 0399 stands for the neighbouring town's.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    inner = village()
    for index, (lot, shape) in enumerate(zip(lots, shapes, strict=True)):
        spot = shape.representative_point()
        if inner.contains(spot):
            where = ("0901", "004")
        elif spot.x > TOWN_LINE_X:
            where = ("0399", "031")
        else:
            where = ("0900", next((section for section, area in SECTIONS if area.contains(spot)), "111"))
        if lot.use == "railroad":
            where = (where[0], "109" if where[0] == "0900" else where[1])
        groups.setdefault(where, []).append(index)
    numbers = [("", "")] * len(lots)
    for (district, section), members in sorted(groups.items()):
        for block, inside in enumerate(blocks(members, lots, shapes), start=1):
            for lot, index in enumerate(inside, start=1):
                text = f"{district}-{section}.00-{block:02d}.00-{lot:03d}.000"
                numbers[index] = (text, f"{section}000{block:02d}00{lot:03d}0000000")
    return numbers


def blocks(members: list[int], lots: list[Lot], shapes: list[Polygon]) -> list[list[int]]:
    """Sort the lots of a section into blocks, and within a block from the north-west corner, row by row."""
    solid = [index for index in members if lots[index].use not in {"railroad", "right_of_way"}]
    left, found = set(solid), []
    tree = shapely.STRtree([shapes[index] for index in solid])
    while left:
        start = min(left, key=lambda index: (-round(shapes[index].bounds[3] / 60), shapes[index].bounds[0]))
        block, queue = {start}, [start]
        left.discard(start)
        while queue:
            here = queue.pop()
            for near in sorted(int(n) for n in tree.query(shapes[here], predicate="dwithin", distance=0.05)):
                other = solid[near]
                if other in left and shapes[here].buffer(0.1).intersection(shapes[other]).area > 0.5:
                    left.discard(other)
                    block.add(other)
                    queue.append(other)
        found.append(sorted(block, key=lambda index: (-round(shapes[index].centroid.y / 120), shapes[index].centroid.x)))
    apart = [index for index in members if index not in set(solid)]
    return found + ([apart] if apart else [])


class Roll:
    """What the roll says of each lot."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.people = People(rng, places=PLACES)
        self.rails = 0

    def city(self, shape: Polygon) -> str:
        """Name the post office of a place."""
        spot = shape.representative_point()
        if spot.x > TOWN_LINE_X:
            return "Eastmere"
        return "Pondcrest" if village().contains(spot) else "Sandmere"

    def owner(self, lot: Lot, shape: Polygon, index: int) -> Assessed:
        """Return class, roll section and owner of a lot."""
        if lot.use in PUBLIC:
            return PUBLIC[lot.use]
        if lot.use == "railroad":
            self.rails += 1
            return Assessed("842", "7", RAILROAD[self.rails % 3])
        if lot.use == "right_of_way":
            street = str(lot.facts["street"])
            return Assessed("692", "1" if street in PRIVATE_STREETS else "8", PRIVATE_STREETS.get(street, _TOWN))
        if lot.use == "nursery":
            return Assessed(
                "473", "1", self.people.at("Thornbury Nurseries, Inc.", number=180, street="Montauk Hwy", city="Sandmere")
            )
        if lot.use in {"land", "two_residential"}:
            return self._landowner(shape)
        return self._householder(lot, shape, index)

    def _landowner(self, shape: Polygon) -> Assessed:
        if shape.area < 1.2 * SQ_FT_PER_ACRE:
            return Assessed("311", "1", self.people.away(self.people.person()))
        kind = self.rng.choice(("322", "120", "250", "105", "322"))
        person = self.people.person()
        family = person.split(" ", maxsplit=1)[0]
        name = self.rng.choice((person, f"{family} Holdings LLC", f"{family} Nurseries, Inc.", f"{family} Realty Trust"))
        return Assessed(kind, "1", self.people.away(name))

    def _householder(self, lot: Lot, shape: Polygon, index: int) -> Assessed:
        use, city, people, rng = lot.use, self.city(shape), self.people, self.rng
        street = short_street(lot.road)
        if use == "shop":
            family = people.person().split(" ", maxsplit=1)[0]
            name = rng.choice(
                (
                    f"{family} & Sons",
                    f"{family} Hardware, Inc.",
                    f"{family} Properties LLC",
                    f"The {family} Inn Ltd",
                    people.person(),
                )
            )
            kind = rng.choice(("484", "484", "481", "421", "465", "432"))
            mail = people.away(name) if rng.random() < 0.35 else people.at(name, number=lot.number, street=street, city=city)
            return Assessed(kind, "1", mail)
        if use == "condominium":
            unit = f"Unit {lot.facts['unit']}"
            return Assessed("210", "1", people.householder(number=lot.number, street=street, city=city, away=0.7, unit=unit))
        if use in {"estate", "shore"}:
            if index % 17 == 0:
                return Assessed("250", "1", people.foreign(index))
            if rng.random() < 0.3:
                return Assessed("250" if use == "estate" else "210", "1", people.away(f"{lot.number} {lot.road} LLC"))
            return Assessed("210", "1", people.householder(number=lot.number, street=street, city=city, away=0.6))
        kind = "220" if use == "two_family" else rng.choice(("210", "210", "210", "210", "210", "220", "311"))
        return Assessed(
            kind, "1", people.householder(number=lot.number, street=street, city=city, away=0.95 if kind == "311" else 0.3)
        )
