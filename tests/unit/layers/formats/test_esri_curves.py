"""The curves of Esri JSON become straight lines that stray less than a hundredth of a foot; what is no curve is refused by its record."""

import json
import math

import pytest
import shapely

from geonotice.errors import UnreadableLayer
from geonotice.layers.read import read_layer

CENTER, RADIUS = (650_000.0, 1_000_000.0), 1000.0
STRAY_FT = 0.01


def on_circle(angle: float) -> list[float]:
    return [CENTER[0] + RADIUS * math.cos(angle), CENTER[1] + RADIUS * math.sin(angle)]


def document(tmp_path, *pieces, key="curveRings"):
    """Write a layer of one plain lot and one bounded by a curve, which runs from the angle 0 to the angle 1 around the center."""
    square = [[649_000, 999_000], [649_000, 999_100], [649_100, 999_100], [649_100, 999_000], [649_000, 999_000]]
    features = [
        {"attributes": {"PRINT_KEY": "1", "OWNER": "NUÑEZ"}, "geometry": {"rings": [square]}},
        {"attributes": {"PRINT_KEY": "2", "OWNER": "ROE"}, "geometry": {key: [list(pieces)]}},
    ]
    fields = [{"name": name, "type": "esriFieldTypeString"} for name in ("PRINT_KEY", "OWNER")]
    whole = {
        "geometryType": "esriGeometryPolygon",
        "spatialReference": {"wkid": 2261},
        "fields": fields,
        "features": features,
    }
    path = tmp_path / "lots.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("curve", "sweep"),
    [
        ({"c": [on_circle(1), on_circle(0.4)]}, 1),
        ({"c": [on_circle(1), on_circle(4)]}, 1 - 2 * math.pi),
        ({"a": [on_circle(1), list(CENTER), 1, 0]}, 1),
        ({"a": [on_circle(1), list(CENTER), 0, 1]}, 1 - 2 * math.pi),
        ({"a": [on_circle(1), list(CENTER), 1, 0, 0.7, RADIUS, 1.0]}, 1),
    ],
)
def test_the_sector_has_its_area_to_a_hundredth_of_a_foot_along_its_arc(tmp_path, curve, sweep):
    raw = read_layer(document(tmp_path, list(CENTER), on_circle(0), curve, list(CENTER)))
    arc = abs(sweep) * RADIUS
    assert abs(raw.geometry[1].area - arc * RADIUS / 2) <= arc * STRAY_FT
    assert raw.table.column("OWNER").to_pylist() == ["NUÑEZ", "ROE"]
    assert [note.code for note in raw.notes] == ["curve"]


def test_a_whole_circle_is_drawn_from_its_center_or_a_point_across(tmp_path):
    for curve in ({"a": [on_circle(0), list(CENTER), 0, 1]}, {"c": [on_circle(0), on_circle(math.pi)]}):
        raw = read_layer(document(tmp_path, on_circle(0), curve))
        assert abs(raw.geometry[1].area - math.pi * RADIUS**2) <= 2 * math.pi * RADIUS * STRAY_FT


def test_an_ellipse_is_turned_and_flattened(tmp_path):
    turned, ratio = math.pi / 6, 0.5
    start = [CENTER[0] + RADIUS * math.cos(turned), CENTER[1] + RADIUS * math.sin(turned)]
    raw = read_layer(document(tmp_path, start, {"a": [start, list(CENTER), 0, 0, turned, RADIUS, ratio]}))
    shape = raw.geometry[1]
    assert abs(shape.area - math.pi * RADIUS**2 * ratio) <= 2 * math.pi * RADIUS * STRAY_FT
    assert shapely.hausdorff_distance(shape, shapely.affinity.rotate(shape, 180, origin=CENTER)) < STRAY_FT


def test_a_bezier_ends_where_the_file_says_and_passes_its_middle(tmp_path):
    start, one, two, end = [650_000, 1_000_000], [650_000, 1_000_100], [650_100, 1_000_100], [650_100, 1_000_000]
    raw = read_layer(document(tmp_path, start, {"b": [end, one, two]}, start))
    assert shapely.distance(shapely.Point(650_050, 1_000_075), raw.geometry[1].exterior) <= STRAY_FT
    assert shapely.Point(end).distance(raw.geometry[1].exterior) == 0


@pytest.mark.parametrize("curve", [{"q": [[1, 2]]}, {"c": [[1, 2]]}, {"a": [[1, "x"], [1, 2], 1, 0]}, {"a": [[650_001, 1_000_000], list(CENTER), 1, 0]}])  # fmt: skip
def test_what_is_no_curve_is_refused_by_its_record(tmp_path, curve):
    with pytest.raises(UnreadableLayer, match=r"record 2 \(PRINT_KEY 2\)"):
        read_layer(document(tmp_path, list(CENTER), curve, on_circle(0), list(CENTER)))
