"""What is compiled for a screen returns what numpy returns for one list."""

from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.testing import assert_array_equal

from geonotice.screen.join import compiled_rays
from geonotice.select.abutting import abutting
from geonotice.select.extended_lines import FINE_STEP_FT, STEP_FT, Sweep, measure
from geonotice.select.frontage import faces
from geonotice.select.sight import sight
from geonotice.select.streets import StreetLayer, along_state_road, facing

pytest.importorskip("numba", reason="the extra screen is not installed")

WIDTHS = {"right_of_way_max_ft": 200.0, "right_of_way_max_state_ft": 600.0}


def block(seed):
    """Return a lot with a cut corner and a jog, lots around it that end at odd places, and streets: two of one name, one of the State."""
    rng = np.random.default_rng(seed)
    lot = shapely.Polygon([(0, 0), (120, 0), (120, 88), (108, 100), (60, 100), (58, 112), (0, 112)])
    cuts = np.sort(rng.uniform(-80, 220, 6))
    across = [shapely.box(a, 160 + rng.uniform(0, 30), b, 280) for a, b in pairwise(cuts)]
    side = [shapely.box(175, y, 260, y + 45 + rng.uniform(-10, 10)) for y in (-20, 60)]
    lots = np.array([shapely.box(-100, 0, 0, 112), shapely.box(0, -100, 120, 0), *across, *side])
    lines = [[(-90, 138), (40, 135)], [(40, 135), (230, 140)], [(148, -100), (150, 138)], [(-200, 300), (300, 310)]]
    names, of = ("Main St", "MAIN STREET", "Elm St", "Route 27"), ("TOWN", "TOWN", "COUNTY", "STATE")
    return lot, lots, StreetLayer(shapely.linestrings(lines), names, of)


@pytest.fixture(params=range(6))
def looked(request):
    """Return frontages, what numpy looks at, and what the kernel looks at."""
    lot, lots, streets = block(request.param)
    found = faces(lot, abutting([lot], lots), np.ones(len(lots), dtype=bool))
    view = sight(lot, lots, np.ones(len(lots), dtype=bool))
    assert len(found) > 1
    return found, view, view._replace(edges=view.edges._replace(compiled=compiled_rays()), sweeps={}), streets, len(lots)


@pytest.mark.parametrize(
    ("step_ft", "perpendicular"), [(FINE_STEP_FT, False), (STEP_FT, True)], ids=["extension", "perpendicular"]
)
def test_lines_across_meet_the_same(looked, step_ft, perpendicular):
    found, view, compiled, _, many = looked
    alike = np.append(np.arange(many), [-2, -1])
    for face in found:
        sweep = Sweep(face, view.origin).with_step(step_ft, perpendicular=perpendicular)
        met, distance, sine, edges = sweep.look(view.edges, 200.0, premises_from_ft=3.0)
        assert (met >= 0).any()
        *same, near = sweep.look(compiled.edges, 200.0, premises_from_ft=3.0)
        for one, other in zip((met, distance, sine, edges.owner), (*same, near.owner), strict=True):
            assert_array_equal(one, other)
        stretches = [measure(sweep, some, 200.0, first=alike[met], alike=alike, premises_from_ft=3.0) for some in (edges, near)]
        assert stretches[0] == stretches[1]
        assert len({stretch.owner for stretch in stretches[0]}) > 1


def test_a_frontage_faces_the_same_streets(looked):
    found, view, compiled, streets, _ = looked
    faced = [facing(face, view, streets, **WIDTHS) for face in found]
    assert {streets.names[one.street] for many in faced for one in many} >= {"Main St", "Elm St"}
    assert faced == [facing(face, compiled, streets, **WIDTHS) for face in found]
    assert [along_state_road(face, view, streets, right_of_way_max_ft=600.0) for face in found] == [
        along_state_road(face, compiled, streets, right_of_way_max_ft=600.0) for face in found
    ]
