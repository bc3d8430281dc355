"""One layer in ten formats and four coordinate systems gives the same parcels at the same distances."""

import random
from datetime import date

import pytest

from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers, init_town
from geonotice.workflow.notice import NoticeRequest, make_notice

pytestmark = pytest.mark.shared

FILES = (
    "parcels_2263.shp",
    "parcels_2263.gdb",
    "parcels_2263.gpkg",
    "parcels_2263.parquet",
    "parcels_32618.gml",
    "parcels_3857.esri.json",
    "parcels_4326.geojsonl",
    "parcels_4326.kml",
    "parcels_6539.fgb",
)
PREMISES = 10
WITHIN_FT = 0.05
EDGE_FT = 1005.0
"""The list ends at 1,000 ft and its borderline: only a parcel within 0.05 ft of that may stand on one list and not on the other."""


def lists_of(source, town, numbers=()):
    """Import a layer as a user does, and give the list of each premises: distance by parcel."""
    init_town(town, parcels=source, ordinance="italy", fields={"tax_map_number": "PARCELKEY"})
    import_layers(town)
    with open_store(town) as opened:
        everyone = sorted(parcel.id for parcel in opened.store.parcels(range(1, opened.store.count() + 1)).parcels)
        chosen = numbers or random.Random(10).sample([number for number in everyone if not number.startswith("#")], PREMISES)
        lists = {}
        for number in chosen:
            notice = make_notice(
                opened, find_premises(opened, [number]), NoticeRequest(occasion="hearing", on=date(2026, 11, 30))
            ).notice
            lists[number] = {parcel.id: parcel.distance_ft for parcel in notice.parcels}
    return everyone, lists


@pytest.fixture(scope="module")
def expected(shared, tmp_path_factory):
    everyone, lists = lists_of(shared / "data" / "bellerose-ny" / "parcels.geojson", tmp_path_factory.mktemp("formats") / "town")
    assert len(lists) == PREMISES
    assert all(lists.values())
    return everyone, lists


def test_every_file_of_the_folder_is_tried(shared):
    beside = {".cpg", ".dbf", ".prj", ".shx", ".xsd"}
    folder = shared / "data" / "bellerose-ny-formats"
    assert {file.name for file in folder.iterdir() if file.suffix not in beside} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_the_lists_are_those_of_the_geojson(shared, tmp_path, expected, name):
    everyone, lists = expected
    these, others = lists_of(shared / "data" / "bellerose-ny-formats" / name, tmp_path / "town", tuple(lists))
    assert these == everyone
    for number, listed in lists.items():
        other = others[number]
        for one in listed.keys() ^ other.keys():
            assert abs((listed | other)[one] - EDGE_FT) <= WITHIN_FT, (number, one)
        apart = [abs(listed[one] - other[one]) for one in listed.keys() & other.keys()]
        assert max(apart) <= WITHIN_FT
