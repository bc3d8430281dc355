"""Who owns the demonstration town of Italy, and under which numbers the land stands on its roll."""

import random

from _cadastre import SQ_FT_PER_ACRE, Lot
from _italy_land import COUNTY_LINE_X, NORTH_Y, PLACES, TOWN_LINE_Y
from _nys_roll import Assessed, short_street
from _people import Mail, People
from shapely.geometry import Polygon

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


def number_lots(lots: list[Lot], shapes: list[Polygon], *, first_section: int) -> list[str]:
    """Return each lot its tax map number: the section of a 4,000-ft sheet, a block, a lot; hamlets have sheets of their own."""
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
    """Return the twenty digits behind a print key: section 3, subsection 3, block 4, lot 3, sublot 3, suffix 4."""
    section, block, lot = print_key.split("-")
    sec, sub = section.split(".")
    whole, _, part = lot.partition(".")
    return f"{int(sec):03d}{int(sub) * 10:03d}{int(block):04d}{int(whole):03d}{int(part or 0) * 100:03d}0000"


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
        """Return class, roll section and owner of a lot."""
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
