"""The adjacency cases decided by hand: the same answer in any CRS, at any angle, however the lines were digitized, in any order."""

import json

import numpy as np
import pytest
import shapely
from adjacency_toys import array, begun_elsewhere, jiggled, there_and_back, turned, with_vertices

from geonotice.select.adjacency import neighbours, search_ft

pytestmark = pytest.mark.shared

CASES = [
    "corner_lot", "cul_de_sac", "digitizing_gaps", "flag_lot", "midblock_aligned", "midblock_offset", "railroad_between", "row_polygons",
    "skewed_lot_lines", "stacked_condominium", "stacked_premises", "through_lot", "two_lot_premises", "waterfront",
]  # fmt: skip
ROLES = {"692": "right_of_way", "842": "railroad", "843": "railroad", "972": "water"}


@pytest.fixture(scope="module")
def expected(shared):
    return json.loads((shared / "cases" / "adjacency" / "expected.json").read_text())


@pytest.fixture(scope="module")
def layer(shared):
    import pyogrio

    read = {}

    def give(case):
        if case not in read:
            frame = pyogrio.read_dataframe(shared / "cases" / "adjacency" / f"{case}.gpkg")
            roles = np.array([ROLES.get(code, "lot") for code in frame["PROP_CLASS"]], dtype=object)
            read[case] = (np.asarray(frame["PRINT_KEY"], dtype=object), array(frame.geometry), roles)
        return read[case]

    return give


def relations(keys, geometries, roles, premises):
    own = np.isin(keys, premises)
    found = neighbours(geometries[own], geometries[~own], roles[~own])
    other = keys[~own]
    # The answers were decided by the extension of lot lines alone: they are read without what is opposite only because it lies straight across.
    doubtful = {one.index for one in found.neighbours if "straight_across" in one.review}
    return {
        name: sorted(str(other[index]) for index in found.related(name) if index not in doubtful)
        for name in ("abutting", "corner", "opposite")
    }


def answers(case):
    return {name: case[name] for name in ("abutting", "corner", "opposite")}


def test_every_case_is_here(expected):
    assert sorted(expected) == sorted(CASES)


@pytest.mark.parametrize("case", CASES)
class TestAdjacency:
    def test_as_decided_by_hand(self, case, expected, layer):
        keys, geometries, roles = layer(case)
        assert relations(keys, geometries, roles, expected[case]["premises"]) == answers(expected[case])

    @pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:6539"])
    def test_whatever_the_crs(self, case, crs, expected, layer):
        keys, geometries, roles = layer(case)
        moved = there_and_back(geometries, crs)
        assert relations(keys, moved, roles, expected[case]["premises"]) == answers(expected[case])

    @pytest.mark.parametrize("degrees", [45, 123.4, 271])
    def test_turned_by_any_angle(self, case, degrees, expected, layer):
        keys, geometries, roles = layer(case)
        assert relations(keys, turned(geometries, degrees), roles, expected[case]["premises"]) == answers(expected[case])

    @pytest.mark.parametrize("seed", range(2))
    def test_with_vertices_added_along_straight_lines(self, case, seed, expected, layer):
        keys, geometries, roles = layer(case)
        assert relations(keys, with_vertices(geometries, seed), roles, expected[case]["premises"]) == answers(expected[case])

    @pytest.mark.parametrize("seed", range(3))
    def test_with_shared_vertices_jiggled_together(self, case, seed, expected, layer):
        keys, geometries, roles = layer(case)
        assert relations(keys, jiggled(geometries, seed), roles, expected[case]["premises"]) == answers(expected[case])

    @pytest.mark.parametrize("seed", range(2))
    def test_turned_with_vertices_added_and_jiggled(self, case, seed, expected, layer):
        keys, geometries, roles = layer(case)
        moved = jiggled(with_vertices(turned(geometries, 37.0 * (seed + 1)), seed), seed)
        assert relations(keys, moved, roles, expected[case]["premises"]) == answers(expected[case])

    def test_features_in_any_order(self, case, expected, layer):
        keys, geometries, roles = layer(case)
        order = np.random.default_rng(7).permutation(len(keys))
        assert relations(keys[order], geometries[order], roles[order], expected[case]["premises"]) == answers(expected[case])

    def test_rings_begun_elsewhere_and_walked_the_other_way(self, case, expected, layer):
        keys, geometries, roles = layer(case)
        assert relations(keys, begun_elsewhere(geometries), roles, expected[case]["premises"]) == answers(expected[case])


def test_every_parcel_of_a_real_village(shared):
    """No exception, no frontage without an answer or a warning, and whoever abuts is abutted."""
    import pyogrio

    frame = pyogrio.read_dataframe(shared / "data" / "bellerose-ny" / "parcels.geojson").to_crs("EPSG:2263")
    parcels = array(frame.geometry)
    tree = shapely.STRtree(parcels)
    pairs = set()
    for place in range(len(parcels)):
        near = tree.query(parcels[place], predicate="dwithin", distance=search_ft())
        near = near[near != place]
        found = neighbours(parcels[place : place + 1], parcels[near], np.full(len(near), "lot", dtype=object))
        said = {remark.frontage for remark in found.remarks}
        assert found.frontages or None in said
        assert all(front.status == "answered" or front.n in said or front.length_ft <= 10 for front in found.frontages)
        pairs |= {(place, int(near[one.index]), one.relation) for one in found.neighbours if one.relation != "opposite"}
    assert all((b, a, relation) in pairs for a, b, relation in pairs)
    assert len(parcels) == 417
