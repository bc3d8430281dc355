"""A town's own ordinance profile, written rule by rule, and a toy town that it holds in."""

import geopandas
import shapely
import shapely.affinity

from geonotice.ordinance.load import parse_profile
from geonotice.workflow.importing import import_layers

HEAD = """
id = "oak"
town = "Town of Oak"
status = "complete"
verified = true
chapter = "Oak Town Code, Chapter 61"
source = "written for the tests"
[occasions]
hearing = "a hearing"
gathering = "the gathering itself"
"""

PERMIT = """
[[rules]]
id = "oak.permit"
kind = "threshold"
title = "A permit is needed"
applies = "chapter"
[rules.citation]
section = "61-2"
words = ["No person shall hold a gathering unless a permit has been issued"]
[rules.threshold]
regulates = "permit"
"""


def rule(name, kind, *, more="", section="61-1", words='words = ["the words of the clause"]', tables=""):
    """Write one rule; ``more`` stands directly below it, ``tables`` after its citation."""
    return f"""
[[rules]]
id = "oak.{name}"
kind = "{kind}"
title = "{name}"
text = "The clause of {name}."
{more}
[rules.citation]
section = "{section}"
{words}
{tables}
"""


def text_of(*rules, head=HEAD):
    """Put a profile's file together."""
    return "\n".join((head, *rules))


def profile_of(*rules, head=HEAD):
    """Read the profile of these rules."""
    return parse_profile(text_of(*rules, head=head).encode(), file="oak.toml")


def town_of(folder, profile, land, *, town="Town of Oak", **columns):
    """Make and import a town: ``land`` gives each lot's box, or its polygon, in feet by its number; a lot at NN has the house number and owner NN."""
    numbers = list(land)
    rows = {
        "PRINT_KEY": numbers,
        "PRIMARY_OWNER": [f"OWNER {number}" for number in numbers],
        "MAIL_ADDR": [f"PO BOX {n}" for n, _ in enumerate(numbers, 1)],
        "MAIL_CITY": ["OAK"] * len(numbers),
        "MAIL_STATE": ["NY"] * len(numbers),
        "MAIL_ZIP": ["11980"] * len(numbers),
        "LOC_ST_NBR": [str(n) for n, _ in enumerate(numbers, 1)],
        "LOC_STREET": ["Elm St"] * len(numbers),
        "PROP_CLASS": ["210"] * len(numbers),
        **columns,
    }
    drawn = [lot if isinstance(lot, shapely.Polygon) else shapely.box(*lot) for lot in land.values()]
    shapes = [shapely.affinity.translate(lot, 1_240_000, 250_000) for lot in drawn]
    geopandas.GeoDataFrame(rows, geometry=shapes, crs="EPSG:2263").to_file(folder / "parcels.gpkg", engine="pyogrio")
    (folder / "oak.toml").write_text(profile, encoding="utf-8")
    lines = ["[town]", f'name = "{town}"', 'ordinance = "oak.toml"', 'crs = "EPSG:2263"']
    (folder / "town.toml").write_text("\n".join([*lines, "[[layers.parcels]]", 'path = "parcels.gpkg"']), encoding="utf-8")
    import_layers(folder)
    return folder
