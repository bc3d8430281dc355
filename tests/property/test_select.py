"""What must hold of any block."""

import numpy as np
import shapely
from adjacency_toys import ORIGIN, array, ask
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Polygon

from geonotice.select.abutting import abutting
from geonotice.select.within import within

widths = st.lists(st.integers(30, 140), min_size=3, max_size=6)
quick = settings(max_examples=20, deadline=None)


@st.composite
def blocks(draw):
    """Two rows of lots of any width along a street, the lines between them leaning; a row behind the first; some roads as parcels."""
    street, depth = draw(st.integers(24, 90)), draw(st.integers(60, 160))
    lean = draw(st.floats(-0.6, 0.6))
    shift = draw(st.integers(-60, 60))

    def lots(prefix, edges, low, high):
        made = {}
        for k in range(len(edges) - 1):
            corners = [(edges[k], low), (edges[k + 1], low), (edges[k + 1], high), (edges[k], high)]
            made[f"{prefix}{k + 1}"] = Polygon([(x + lean * y, y) for x, y in corners])
        return made

    def edges(start):
        return np.cumsum([start, *draw(widths)]).tolist()

    south, north, rear = edges(0), edges(shift), edges(shift / 2)
    layout = lots("S", south, -depth, 0) | lots("N", north, street, street + depth) | lots("R", rear, -2 * depth, -depth)
    roles = {}
    if draw(st.booleans()):
        left, right = min(south[0], north[0]) - 300, max(south[-1], north[-1]) + 300
        layout["ROAD"] = Polygon([(left, 0), (right, 0), (right, street), (left, street)])
        roles["ROAD"] = draw(st.sampled_from(["right_of_way", "railroad"]))
    return layout, roles, (south, north, street, depth)


def answer(layout, premises, roles, **kwargs):
    found, named = ask(layout, premises, roles, **kwargs)
    return {relation: named(found.related(relation)) for relation in ("abutting", "corner", "opposite")}


def met_exactly(found):
    """Lengths close to the 2 ft that decide: a rounding may then decide otherwise."""
    return all(one.opposite_ft is None or one.opposite_ft > 2.2 for one in found.neighbours)


@quick
@given(blocks(), st.data(), st.floats(0, 360), st.floats(-5e5, 5e5), st.floats(-2e5, 2e5))
def test_moving_and_turning_change_nothing(block, data, degrees, east, north):
    layout, roles, _ = block
    premises = [data.draw(st.sampled_from([key for key in layout if key != "ROAD"]))]
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def moved(geometries):
        return shapely.transform(geometries, lambda xy: (xy - ORIGIN) @ np.array([[c, s], [-s, c]]) + ORIGIN + [east, north])

    still, named = ask(layout, premises, roles)
    assume(met_exactly(still))
    other, named_other = ask(layout, premises, roles, moved=moved)
    assert {named([one.index])[0]: (one.relation, one.also, one.review) for one in still.neighbours} == {
        named_other([one.index])[0]: (one.relation, one.also, one.review) for one in other.neighbours
    }
    for mine, theirs in zip(still.neighbours, other.neighbours, strict=True):
        for measure in ("distance_ft", "shared_ft", "opposite_ft", "across_ft"):
            a, b = getattr(mine, measure), getattr(theirs, measure)
            assert (a is None) is (b is None)
            assert a is None or abs(a - b) < 0.01
    assert sorted(round(front.length_ft, 2) for front in still.frontages) == sorted(
        round(front.length_ft, 2) for front in other.frontages
    )
    assert sorted(remark.code for remark in still.remarks) == sorted(remark.code for remark in other.remarks)


@quick
@given(blocks())
def test_abutting_is_symmetric(block):
    layout, _, _ = block
    keys, shapes = list(layout), array(layout.values())
    pairs = set()
    for k, key in enumerate(keys):
        others = [other for other in keys if other != key]
        found = abutting(shapes[k : k + 1], np.delete(shapes, k))
        pairs |= {(key, others[one.index], one.relation) for one in found}
    assert all((b, a, relation) in pairs for a, b, relation in pairs)


@quick
@given(blocks(), st.data())
def test_within_the_tolerance_contains_abutting(block, data):
    layout, roles, _ = block
    premises = data.draw(st.sampled_from(list(layout)))
    tolerance = data.draw(st.sampled_from([0.5, 1.5, 3.0]))
    found, _ = ask(layout, [premises], roles, tolerance_ft=tolerance)
    others = array(shape for key, shape in layout.items() if key != premises)
    near = within(layout[premises], others, distance_ft=tolerance)
    assert set(found.related("abutting")) | set(found.related("corner")) == set(near.index.tolist())


@quick
@given(blocks(), st.data())
def test_no_parcel_of_the_premises_is_listed_and_none_opposite_abuts_on_that_frontage(block, data):
    layout, roles, _ = block
    premises = data.draw(st.lists(st.sampled_from([key for key in layout if key != "ROAD"]), min_size=1, max_size=4, unique=True))
    found, _ = ask(layout, premises, roles)
    others = [key for key in layout if key not in premises]
    assert {one.index for one in found.neighbours} <= set(range(len(others)))
    shapes = array(layout[key] for key in others)
    shapes = shapely.transform(shapes, lambda xy: xy + ORIGIN)
    for front in found.frontages:
        for index in front.answered_by:
            shared = shapely.intersection(front.line, shapely.buffer(shapes[index], 1.5))
            assert shared.length <= 6


@quick
@given(blocks(), st.data())
def test_merging_lots_in_line_gives_the_union_of_their_opposites_less_themselves(block, data):
    layout, roles, (south, _, _, _) = block
    k = data.draw(st.integers(2, len(south) - 1))
    pair = [f"S{k - 1}", f"S{k}"]
    apart = []
    for key in pair:
        found, named = ask(layout, [key], roles)
        assume(met_exactly(found))
        apart += named(found.related("opposite"))
    merged, named = ask(layout, pair, roles)
    assume(met_exactly(merged))
    assert set(named(merged.related("opposite"))) - {key for key in layout if key[0] == "R"} == set(apart) - set(pair) - {
        key for key in layout if key[0] == "R"
    }


@quick
@given(blocks(), st.data(), st.randoms(use_true_random=False))
def test_the_order_of_parcels_changes_nothing(block, data, random):
    layout, roles, _ = block
    premises = [data.draw(st.sampled_from([key for key in layout if key != "ROAD"]))]
    keys = list(layout)
    random.shuffle(keys)
    assert answer({key: layout[key] for key in keys}, premises, roles) == answer(layout, premises, roles)


@quick
@given(blocks(), st.data())
def test_every_frontage_has_an_answer_or_a_warning(block, data):
    layout, roles, _ = block
    premises = [data.draw(st.sampled_from([key for key in layout if key != "ROAD"]))]
    found, _ = ask(layout, premises, roles)
    said = {remark.frontage for remark in found.remarks}
    assert found.frontages or any(remark.code == "no_frontage" for remark in found.remarks)
    assert all(front.status == "answered" or front.n in said or front.length_ft <= 10 for front in found.frontages)
