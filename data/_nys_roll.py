"""Write the rows of the State's tax parcel layer: its columns, its codes, its numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from _cadastre import SQ_FT_PER_ACRE, Lot
from _people import Mail
from shapely.geometry import Point, Polygon

ROLL_YEAR = 2026
NO_HOUSE = {"300", "311", "322", "314", "692", "843", "961", "963", "971"}
"""Classes of property without a house number."""


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


def short_street(name: str) -> str:
    """Abbreviate a street's last word as rolls do."""
    for long, short in (("Road", "Rd"), ("Street", "St"), ("Lane", "Ln"), ("Highway", "Hwy"), ("Court", "Ct"), ("Drive", "Dr")):
        if name.endswith(f" {long}"):
            return name.removesuffix(long) + short
    return name


def row(lot: Lot, shape: Polygon, number: tuple[str, str], said: Assessed, place: Place) -> dict[str, Any]:
    """Write one row as the State's layer names its columns; ``number`` is the print key and the twenty digits behind it."""
    print_key, sbl = number
    kind, section, mail = said.kind, said.section, said.mail
    swis, muni, county, post_code = place.swis, place.muni, place.county, place.post_code
    street = short_street(lot.road)
    house = str(lot.number) if lot.number is not None and kind not in NO_HOUSE else ""
    unit = f"Unit {lot.facts['unit']}" if "unit" in lot.facts else ""
    acres = round(shape.area / SQ_FT_PER_ACRE, 2)
    return {
        "COUNTY_NAME": county, "MUNI_NAME": muni, "SWIS": swis, "CITYTOWN_NAME": muni, "CITYTOWN_SWIS": swis,
        "PARCEL_ADDR": " ".join(part for part in (house, street, unit) if part),
        "PRINT_KEY": print_key, "SBL": sbl, "SWIS_SBL_ID": swis + sbl if sbl else "", "SWIS_PRINT_KEY_ID": swis + print_key if print_key else "",
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


def address_of(lot: Lot, shape: Polygon, row_: dict[str, Any], city: str) -> tuple[dict[str, str], Point]:
    """Return the address point of a lot's row, which has a house number: at the door, where that stands on the lot."""
    door = lot.facts.get("door")
    spot = door if isinstance(door, Point) and shape.buffer(-8).contains(door) else shape.representative_point()
    said = {"NUMBER": row_["LOC_ST_NBR"], "STREET": row_["LOC_STREET"], "UNIT": row_["LOC_UNIT"], "CITY": city, "STATE": "NY",
            "ZIP": row_["LOC_ZIP"], "FICTIONAL": "Y"}  # fmt: skip
    return said, spot


def print_counts(rows: Sequence[dict[str, Any]], named: dict[str, str]) -> None:
    """Return what was made."""
    print(f"{len(rows)} parcels; by municipality {dict(Counter(item['MUNI_NAME'] for item in rows))}")
    print(f"by class {dict(sorted(Counter(item['PROP_CLASS'] for item in rows).items()))}")
    for name, number in sorted(named.items()):
        print(f"  {name}: {number}")
