"""The applicant's drawing and the sunset, as facts of a check."""

import shutil
from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity

import geonotice
from geonotice.errors import EventFileError
from geonotice.workflow.importing import import_layers
from geonotice.workflow.opening import open_store
from geonotice.workflow.premises import check_event

PREMISES = "0900-123.00-01.00-002.000"
ON = date(2026, 9, 1)


@pytest.fixture(scope="module")
def town(root, tmp_path_factory):
    place = tmp_path_factory.mktemp("towns") / "southampton"
    shutil.copytree(root / "data" / "southampton", place)
    import_layers(place)
    return place


@pytest.fixture(scope="module")
def land(town):
    with open_store(town) as opened:
        return opened.store.geometries([opened.store.find(PREMISES).fid])[0], opened.crs


@pytest.fixture
def event(tmp_path):
    file = tmp_path / "event.toml"
    lines = [
        "[event]",
        'kind = "festival"',
        "starts = 2026-12-05T14:00:00",
        "ends = 2026-12-05T20:00:00",
        "persons_at_once = 200",
    ]
    lines += ["[premises]", f'parcels = ["{PREMISES}"]', 'layout = "layout.gpkg"']
    file.write_text("\n".join(lines))
    return file


def draw(folder, crs, things, field="what"):
    frame = geopandas.GeoDataFrame({field: list(things)}, geometry=list(things.values()), crs=crs)
    frame.to_crs("EPSG:4326").to_file(folder / "layout.gpkg", layer="layout", engine="pyogrio")


def test_parking_and_structures_are_measured_on_the_drawing(town, land, event):
    shape, crs = land
    middle = shape.centroid
    draw(event.parent, crs, {"stage": middle.buffer(5), "parking": middle.buffer(20)})
    found = check_event(town, event, on=ON)
    (setbacks,) = [finding for finding in found.findings if finding.rule == "sh.setbacks"]
    assert "stage: " in setbacks.text
    assert "layout_not_measured" not in {warning.code for warning in found.warnings}


def test_what_lies_outside_the_premises_is_said(town, land, event):
    shape, crs = land
    draw(event.parent, crs, {"tent": shapely.box(*shape.bounds).buffer(500)})
    warnings = {warning.code: warning.text for warning in check_event(town, event, on=ON).warnings}
    assert "tent" in warnings["layout_outside"]


def test_what_lies_wholly_outside_keeps_no_setback(town, land, event):
    shape, crs = land
    draw(event.parent, crs, {"stage": shape.centroid.buffer(5), "tent": shapely.box(*shape.bounds).centroid.buffer(5)})
    measured = check_event(town, event, on=ON)
    assert "tent: " in next(finding.text for finding in measured.findings if finding.rule == "sh.setbacks")
    east = shapely.affinity.translate(shape.centroid.buffer(5), 2000, 0)
    draw(event.parent, crs, {"stage": shape.centroid.buffer(5), "tent": east})
    found = check_event(town, event, on=ON)
    assert "tent: " not in next(finding.text for finding in found.findings if finding.rule == "sh.setbacks")
    assert "tent" in next(warning.text for warning in found.warnings if warning.code == "layout_outside")


def test_a_drawing_that_is_not_there_or_says_not_what_it_shows_is_refused(town, land, event):
    with pytest.raises(EventFileError, match=r"layout\.gpkg is not there"):
        check_event(town, event, on=ON)
    draw(event.parent, land[1], {"stage": land[0]}, field="thing")
    with pytest.raises(EventFileError, match="no field 'what'"):
        check_event(town, event, on=ON)


def test_sunset_at_the_site_suggests_whether_it_is_at_night(town, land, event):
    draw(event.parent, land[1], {"stage": land[0].centroid.buffer(3)})
    found = check_event(town, event, on=ON)
    warnings = {warning.code: warning.text for warning in found.warnings}
    assert "after the sun sets (16:2" in warnings["night_suggested"]


def test_rows_without_a_shape_and_parking_without_an_area_are_said(town, land, event):
    middle = land[0].centroid
    frame = geopandas.GeoDataFrame({"what": ["parking", "stage", "tent"]}, geometry=[middle, middle.buffer(5), None], crs=land[1])
    frame.to_file(event.parent / "layout.gpkg", layer="layout", engine="pyogrio")
    warnings = {warning.code: warning.text for warning in check_event(town, event, on=ON).warnings}
    assert "1 of 3 rows" in warnings["layout_no_shape"]
    assert "no area" in warnings["layout_no_area"]


def test_a_drawing_in_unknown_coordinates_or_with_nothing_drawn_is_refused(town, land, event):
    frame = geopandas.GeoDataFrame({"what": ["stage"]}, geometry=[land[0].centroid.buffer(5)])
    with pytest.warns(UserWarning, match="'crs' was not provided"):
        frame.to_file(event.parent / "layout.gpkg", layer="layout", engine="pyogrio")
    with pytest.raises(EventFileError, match="coordinate"):
        check_event(town, event, on=ON)
    frame = geopandas.GeoDataFrame({"what": ["stage"]}, geometry=[None], crs=land[1])
    frame.to_file(event.parent / "layout.gpkg", layer="layout", engine="pyogrio", geometry_type="Polygon")
    with pytest.raises(EventFileError, match="nothing is drawn"):
        check_event(town, event, on=ON)


def test_a_drawing_of_any_format_is_read(town, land, event):
    shape, crs = land
    frame = geopandas.GeoDataFrame({"what": ["stage"]}, geometry=[shape.centroid.buffer(5)], crs=crs)
    frame.to_crs("EPSG:4326").to_file(event.parent / "layout.geojson", engine="pyogrio")
    event.write_text(event.read_text().replace("layout.gpkg", "layout.geojson"))
    (setbacks,) = [finding for finding in check_event(town, event, on=ON).findings if finding.rule == "sh.setbacks"]
    assert "stage: " in setbacks.text


def test_a_check_from_python_reads_the_drawing_beside_the_event_file(town, land, event):
    draw(event.parent, land[1], {"tent": shapely.box(*land[0].bounds).buffer(500)})
    with geonotice.open_town(town) as opened:
        found = opened.check(event, on=ON)
    assert found == check_event(town, event, on=ON)
    assert "layout_outside" in {warning.code for warning in found.warnings}
