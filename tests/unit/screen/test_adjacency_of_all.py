"""Who adjoins every parcel of a town, measured together: for each what it is measured alone."""

import random

import numpy as np
import pytest
from program import run_here

from geonotice.facts.surroundings import frontage_ft, measure, parcel_facts
from geonotice.opened_town import open_store
from geonotice.screen import adjacency_of_all
from geonotice.screen.adjacency_of_all import Standing, adjoining_of
from geonotice.store import EVERYWHERE


def alone(opened, parcels):
    """Return what is measured of one premises by itself."""
    measured = measure(opened, parcels, reach_ft=0.0)
    near = measured.near
    beside = {one.index: one for one in near.neighbours}
    by_distance = opened.profile.opposite[0] == "distance"
    standing = {
        facts.fid: Standing.of(facts)
        for facts in (
            parcel_facts(measured.records[measured.around[index]], one.distance_ft, one, by_distance=by_distance)
            for index, one in beside.items()
        )
    }
    streets = tuple((street.name, street.jurisdiction, street.frontage_ft) for street in near.streets)
    return standing, frontage_ft(near), streets


def assert_alike(opened, premises):
    for parcels, found in zip(premises, adjoining_of(opened, [[one.fid for one in some] for some in premises]), strict=True):
        standing, front_ft, streets = alone(opened, parcels)
        assert dict(found.others) == standing, parcels[0].id
        assert found.frontage_ft == front_ft, parcels[0].id
        assert found.streets == streets, parcels[0].id


def some_of(opened, count):
    own = [parcel for parcel in opened.store.parcels_in(EVERYWHERE).parcels if parcel.layer == 0]
    return random.Random(3).sample(own, min(count, len(own)))


@pytest.mark.parametrize("compiled", [True, False])
def test_200_parcels_of_the_demonstration(southampton, monkeypatch, compiled):
    if not compiled:
        monkeypatch.setattr(adjacency_of_all, "compiled_rays", lambda: None)
    with open_store(southampton) as opened:
        assert_alike(opened, [(parcel,) for parcel in some_of(opened, 200 if compiled else 40)])


def test_land_of_several_parcels(southampton):
    with open_store(southampton) as opened:
        block = opened.store.parcels_in(EVERYWHERE)
        pairs = np.random.default_rng(4).choice(len(block.parcels) - 1, 12, replace=False)
        assert_alike(opened, [(block.parcels[n], block.parcels[n + 1]) for n in pairs.tolist()])


@pytest.mark.shared
def test_200_parcels_of_a_village(shared, tmp_path):
    run_here("init", tmp_path, "--parcels", shared / "data" / "bellerose-ny" / "parcels.geojson", "--ordinance", "southampton")
    run_here("import", tmp_path)
    with open_store(tmp_path) as opened:
        assert_alike(opened, [(parcel,) for parcel in some_of(opened, 200)])
