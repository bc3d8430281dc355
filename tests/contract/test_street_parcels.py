"""The streets of a real village drawn as parcels, in many ways: nobody is lost without a question at import and a warning that names the lot."""

from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely

from geonotice.facts.surroundings import measure
from geonotice.layers.import_layers import ImportReport
from geonotice.opened_town import open_store
from geonotice.workflow.importing import import_layers

pytestmark = pytest.mark.shared

EVERY = 14
"""Every so many of the 417 lots are premises here, with those of the faults that were found."""
VILLAGE = "Incorporated Village of Bellerose"
KEY, CLASS, OWNER = "PARCELKEY", "T_PROP_CLASS_CODE_FULL", "COUNTY_OWNER_2025"
WAYS = [
    (shape, number, code)
    for shape in ("one", "pieces")
    for number, code in (("number", "692.00"), ("number", "330.10"), ("number", None), ("blank", None), ("dummy", "330.10"))
]


@dataclass(frozen=True)
class Asked:
    """What the program makes of each premises, and what it asked at import."""

    related: dict[str, dict[str, set[str]]]
    warned: dict[str, set[str]]
    unseen: set[str]
    questions: set[str]
    report: ImportReport


@pytest.fixture(scope="module")
def lots(shared):
    frame = gpd.read_file(shared / "data" / "bellerose-ny" / "parcels.geojson")[[KEY, CLASS, OWNER, "geometry"]].to_crs(2263)
    frame.geometry = shapely.make_valid(frame.geometry.values)
    return frame


@pytest.fixture(scope="module")
def streets(lots):
    """Build the streets from the gaps: the village's outline without its lots, whole and cut along a grid of 400 ft."""
    shapes = lots.geometry.values
    outline = shapely.buffer(shapely.union_all(shapely.buffer(shapes, 60, join_style="mitre")), -60, join_style="mitre")
    gaps = shapely.difference(shapely.Polygon(outline.exterior), shapely.union_all(shapes))
    gaps = shapely.difference(shapely.buffer(shapely.buffer(gaps, -2), 2, join_style="mitre"), shapely.union_all(shapes))
    whole = [part for part in shapely.get_parts(gaps) if part.area > 300]
    xmin, ymin, xmax, ymax = shapely.bounds(gaps)
    cells = [shapely.box(x, y, x + 400, y + 400) for x in np.arange(xmin, xmax, 400) for y in np.arange(ymin, ymax, 400)]
    cut = [part for cell in cells for part in shapely.get_parts(shapely.intersection(gaps, cell)) if part.area > 100]
    return {"one": whole, "pieces": [part for part in cut if part.geom_type == "Polygon"]}


def village(folder: Path, lots, more, premises) -> Asked:
    """Import the lots with the streets, and ask about the premises."""
    rows = pd.concat([lots, more], ignore_index=True) if len(more) else lots
    rows.to_file(folder / "p.gpkg", layer="p")
    (folder / "town.toml").write_text(
        f'[town]\nname = "Village"\nordinance = "southampton"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "p.gpkg"\n'
        f'[layers.parcels.fields]\ntax_map_number = "{KEY}"\nowner = "{OWNER}"\n'
    )
    report = import_layers(folder)
    related, warned, unseen = {}, {}, set()
    with open_store(folder) as opened:
        for key in premises:
            measured = measure(opened, [opened.store.find(key)], reach_ft=0)
            ids = [measured.records[fid].id for fid in measured.around]
            related[key] = {ids[one.index]: {one.relation, *one.also} for one in measured.near.neighbours}
            warned[key] = {ids[index] for one in measured.near.remarks if one.code == "street_or_lot" for index in one.parcels}
            if any(one.code == "no_frontage" for one in measured.near.remarks):
                unseen.add(key)
    questions = {problem.key for problem in report.problems if problem.code == "may_be_street"}
    return Asked(related, warned, unseen, questions, report)


@pytest.fixture(scope="module")
def premises(lots):
    faults = ["32 042 02590", "32 043 0246A", "32 029 02080"]
    return sorted({*lots[KEY][::EVERY], *(key for key in faults if key in set(lots[KEY]))})


@pytest.fixture(scope="module")
def gaps(lots, premises, tmp_path_factory):
    return village(tmp_path_factory.mktemp("gaps"), lots, lots[:0], premises)


def test_of_the_village_as_it_is_nothing_is_asked(gaps):
    assert not gaps.questions
    assert not any(gaps.warned.values())


@pytest.mark.parametrize(("shape", "number", "code"), WAYS, ids=["-".join(map(str, way)) for way in WAYS])
def test_no_owner_is_lost(lots, streets, gaps, premises, tmp_path, shape, number, code):  # noqa: PLR0917  # fixtures and a case
    shapes = streets[shape]
    numbers = {
        "number": [f"32 900 {n:05d}" for n in range(len(shapes))],
        "blank": [None] * len(shapes),
        "dummy": ["ROW"] * len(shapes),
    }[number]
    owner = VILLAGE if code == "330.10" else None
    more = gpd.GeoDataFrame({KEY: numbers, CLASS: code, OWNER: owner}, geometry=shapes, crs=2263)
    found = village(tmp_path, lots, more, premises)
    mine = set(lots[KEY])
    silent = {
        key: lost
        for key in premises
        if (lost := {one for one in gaps.related[key] if one in mine} - set(found.related[key])) and not found.warned[key]
    }
    assert not silent, "an owner is lost, and the list does not say which lot may hide one"
    assert not {key for key in found.unseen - gaps.unseen if not found.warned[key]}, (
        "premises without a street, and no lot is named"
    )
    named = set().union(*found.warned.values())
    assert named <= found.questions, "what a list doubts was asked at import"
    asked = [warning for warning in found.report.warnings if warning.startswith("QUESTION")]
    assert bool(asked) == bool(found.questions)
    extra = sum(len(set(found.related[key]) & mine - set(gaps.related[key])) for key in premises if not found.warned[key])
    assert extra <= 2, "and nobody is drawn in without a warning, but for what the outline adds at the village's edge"


@pytest.mark.parametrize("name", ["pieces_key", "one_class330"])
def test_the_villages_that_lost_owners(shared, gaps, premises, tmp_path, name):
    rows = gpd.read_file(shared / "faults" / "geometry" / f"{name}.gpkg")
    lots = rows[~rows[KEY].str.startswith("ROW")]
    found = village(tmp_path, lots, rows[rows[KEY].str.startswith("ROW")], premises)
    silent = {
        key: lost
        for key in premises
        if (lost := {one for one in gaps.related[key] if not one.startswith("#")} - set(found.related[key]))
        and not found.warned[key]
    }
    assert not silent
    assert not {key for key in found.unseen - gaps.unseen if not found.warned[key]}


@pytest.mark.parametrize("name", ["row_a_null", "row_c_ROW", "row_e_NULL", "row_i_dummy"])
def test_streets_with_dummy_numbers_stay_apart_and_are_looked_through(shared, tmp_path, name):
    rows = gpd.read_file(shared / "faults" / "layers" / f"{name}.gpkg")
    rows.to_file(tmp_path / "p.gpkg", layer="p")
    (tmp_path / "town.toml").write_text(
        '[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2261"\n[[layers.parcels]]\npath = "p.gpkg"\n'
        '[layers.parcels.fields]\ntax_map_number = "PRINT_KEY"\n'
    )
    import_layers(tmp_path)
    lots, streets = rows.geometry[:80], rows.geometry[80:]
    with open_store(tmp_path) as opened:
        for number in range(1, 81, 9):
            measured = measure(opened, [opened.store.find(f"900-1-{number}")], reach_ft=0)
            front = streets[streets.distance(lots[number - 1]) < 1]
            across = {
                f"900-1-{other + 1}"
                for other, lot in lots.items()
                if len(front)
                and front.distance(lot).min() < 1
                and other != number - 1
                and abs(lot.centroid.x - lots[number - 1].centroid.x) < 1
                and lot.distance(lots[number - 1]) > 1
                and front.intersects(shapely.LineString([lot.centroid, lots[number - 1].centroid])).any()
            }
            stands = {
                measured.records[measured.around[one.index]].id
                for one in measured.near.neighbours
                if "opposite" in (one.relation, *one.also)
            }
            assert across <= stands, number
