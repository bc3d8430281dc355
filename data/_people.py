"""Invent owners, written the way assessment rolls write them. Nobody here is a real person; ZIP codes and telephone numbers are made up too."""

import random
from dataclasses import dataclass, replace


def _words(text: str) -> list[str]:
    return text.split()


FAMILIES = _words(
    "Abernathy Ackerly Ashdown Bartleby Beckwith Birdsong Blackmere Bramhall Brockway Calloway Carrowmore Chidester Coldwater Corwithy Cranmore "
    "Culverhouse Dandridge Darrow Deveraux Dunmire Eastlake Eddington Ellsmere Fairbrother Fallowfield Fenwick Finchley Garrick Gilchrist "
    "Goodspeed Greenlaw Hallowell Harkness Hathersage Hazelrigg Hollister Inglewood Jessup Kellerway Kilbourne Kimberlin Lambourne Langstroth "
    "Larkspur Lockridge Loxley Maplethorpe Marchbanks Merriwether Millbrook Mossgrove Nettleship Northcote Oakhurst Orchard Pemberley Penhallow "
    "Pettibone Quackenbush Quimby Radcliff Ravenscroft Redfield Rosewarne Sandiford Sedgewick Shackleton Silverthorn Stanhope Sweetwater Tamblyn "
    "Thistlewood Thornbury Treadwell Underhill Vanderzee Vosburgh Wadhams Wainwright Weatherby Whitcombe Wickersham Windham Woolcott Yardley Youngblood"
)
FIRST = _words(
    "Adele Albert Alma Amos Anita Arthur Beatrice Benjamin Brenda Calvin Carmen Cecilia Clara Claude Daniel Darlene Della Dennis Dorothy Earl "
    "Edith Elias Elena Elmer Esther Eugene Fern Floyd Frances Gerald Gladys Gordon Harold Hattie Helen Howard Ida Irene Ivan Jasper Joan Josephine "
    "Karl Keith Laura Leon Lewis Lillian Lloyd Lucille Mabel Marcus Marian Martin Mavis Milton Nadine Naomi Nelson Nora Oliver Opal Oscar Pamela "
    "Patricia Paul Pearl Philip Rachel Ralph Reuben Rosalie Roy Ruth Samuel Silas Stella Sylvia Theodore Thelma Ursula Vera Victor Viola Walter "
    "Wanda Warren Wilma Xavier Yvonne Zachary"
)
ODD_NAMES = (
    "O'Dunmire",
    "D'Arcangelis",
    "Núñez",
    "Ångström-Vale",
    "Lefèvre",
    "Müllerhaus",
    "St. Clairmont",
    "MacAulish",
    "van der Quist",
)
STREETS = (
    "Chestnut",
    "Elmwood",
    "Monroe",
    "Park",
    "Highland",
    "Genesee",
    "Culver",
    "Meadow",
    "Union",
    "Orchard",
    "Clinton",
    "Prospect",
)
FAR = (
    ("Rochester", "NY", "14699"), ("Syracuse", "NY", "13299"), ("Buffalo", "NY", "14299"), ("Brooklyn", "NY", "11299"), ("New York", "NY", "10199"),
    ("Erie", "PA", "16599"), ("Scranton", "PA", "18599"), ("Montclair", "NJ", "07099"), ("Stamford", "CT", "06999"), ("Naples", "FL", "34199"),
    ("Sarasota", "FL", "34299"), ("Burlington", "VT", "05499"), ("Denver", "CO", "80299"), ("Boston", "MA", "02199"),
)  # fmt: skip


@dataclass(frozen=True)
class Mail:
    """An owner's line on the roll: names, and where the bill goes."""

    owner: str
    address: str = ""
    po_box: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""
    add_owner: str = ""
    add_address: str = ""
    add_po_box: str = ""
    add_city: str = ""
    add_state: str = ""
    add_zip: str = ""


class People:
    """The owners of one town, from one seed."""

    def __init__(self, rng: random.Random, *, places: dict[str, str]) -> None:
        self.rng = rng
        self.places = places
        self._count = 0

    def person(self) -> str:
        """Name a person as rolls do: last name first."""
        self._count += 1
        family = ODD_NAMES[(self._count // 17) % len(ODD_NAMES)] if self._count % 17 == 0 else self.rng.choice(FAMILIES)
        return f"{family} {self.rng.choice(FIRST)} {self.rng.choice('ABCDEFGHJKLMNPRSTW')}"

    def couple(self) -> str:
        """Name two persons on one line."""
        one, other = self.person(), self.rng.choice(FIRST)
        return one if other in one else f"{one} & {other}"

    def at(self, owner: str, *, number: int | None, street: str, city: str, unit: str = "") -> Mail:
        """Return an owner who lives on the property."""
        line = f"{number} {street}{' ' + unit if unit else ''}"
        return Mail(owner, line, "", city, "NY", self.places[city])

    def boxed(self, owner: str, city: str) -> Mail:
        """Return an owner with a post-office box, in its own column as the State's layer has it."""
        return Mail(owner, "", f"PO Box {self.rng.randint(2, 480)}", city, "NY", self.places[city])

    def away(self, owner: str) -> Mail:
        """Return an owner who lives elsewhere in the country."""
        city, state, code = self.rng.choice(FAR)
        kind = self.rng.choice(("St", "Ave", "Blvd", "Ter"))
        unit = self.rng.choice(("", "", "", f" Apt {self.rng.randint(1, 30)}{self.rng.choice('ABC')}"))
        plus = self.rng.choice(("", "", f"-{self.rng.randint(1001, 9899)}"))
        return Mail(owner, f"{self.rng.randint(4, 2890)} {self.rng.choice(STREETS)} {kind}{unit}", "", city, state, code + plus)

    def foreign(self, index: int) -> Mail:
        """Return an owner abroad: the columns are American, the addresses are not."""
        abroad = (
            Mail(f"Beaudoin-Lefèvre {self.rng.choice(FIRST)}", "1180 Rue des Érables", "", "Montréal QC", "", "H2X 9Z9"),
            Mail("Hargreave Holdings Ltd", "88 Wharfside St Suite 1400", "", "Toronto", "ON", "M5V 9Z9"),
            Mail(f"Müllerhaus {self.rng.choice(FIRST)}", "Lindenallee 14", "", "79999 Freiburg Germany", "", ""),
            Mail("Pennywhistle Trustees (UK) Ltd", "3 Old Mill Lane", "", "Ludlow England", "", "SY8 9ZZ"),
        )
        return abroad[index % len(abroad)]

    def householder(self, *, number: int | None, street: str, city: str, away: float = 0.15, unit: str = "") -> Mail:
        """Return the owner of a house: mostly at home, some with a box, some away, a trust or a bank now and then."""
        draw = self.rng.random()
        owner = self.couple() if self.rng.random() < 0.45 else self.person()
        if draw < away or number is None:
            mail = self.away(owner)
        elif draw < away + 0.12:
            mail = self.boxed(owner, city)
        else:
            mail = self.at(owner, number=number, street=street, city=city, unit=unit)
        special = self.rng.random()
        if special < 0.04:
            first = self.person()
            mail = replace(mail, owner=f"{first.rsplit(' ', 2)[0]} Family Revocable Trust", add_owner=f"{first} Trustee")
        elif special < 0.07:
            mail = replace(mail, add_owner=f"c/o {self.person()}")
        elif special < 0.12:
            mail = replace(mail, add_owner=self.person())
        elif special < 0.155:
            other = self.away(self.person())
            mail = replace(
                mail,
                add_owner=other.owner,
                add_address=other.address,
                add_city=other.city,
                add_state=other.state,
                add_zip=other.zip,
            )
        elif special < 0.175:
            mail = replace(mail, add_owner=self.person(), add_po_box=f"PO Box {self.rng.randint(2, 480)}", add_city=city, add_state="NY",
                           add_zip=self.places[city])  # fmt: skip
        elif special < 0.19:
            mail = replace(mail, owner=f"Estate of {owner.split(' & ')[0]}")
        elif special < 0.21:
            mail = replace(mail, owner=f"{owner.split(' & ')[0]} Life Use")
        return mail
