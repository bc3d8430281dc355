"""The applicant's drawing and the sunset, as facts of a check."""

import json
import shutil
from datetime import date

import geopandas
import pdfplumber
import pytest
import shapely
import shapely.affinity
from typer.testing import CliRunner

import geonotice
from geonotice.cli import every_command
from geonotice.config.read_application import read_event_file
from geonotice.errors import EventFileError, UsageError
from geonotice.opened_town import open_store
from geonotice.workflow.check_event import check_event, check_measured
from geonotice.workflow.importing import import_layers
from geonotice.workflow.site_map import site_plan

PREMISES = "0900-123.00-01.00-002.000"
ON = date(2026, 9, 1)


@pytest.fixture(scope="module")
def town(imported, tmp_path_factory):
    return imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")


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
    assert [one.partition(":")[0] for one in setbacks.facts["structures"]] == ["stage"]
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
    assert any(one.startswith("tent: ") for one in measured.finding("sh.setbacks").facts["structures"])
    east = shapely.affinity.translate(shape.centroid.buffer(5), 2000, 0)
    draw(event.parent, crs, {"stage": shape.centroid.buffer(5), "tent": east})
    found = check_event(town, event, on=ON)
    assert not any(one.startswith("tent: ") for one in found.finding("sh.setbacks").facts["structures"])
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
    assert [one.partition(":")[0] for one in setbacks.facts["structures"]] == ["stage"]


def test_a_check_from_python_reads_the_drawing_beside_the_event_file(town, land, event):
    draw(event.parent, land[1], {"tent": shapely.box(*land[0].bounds).buffer(500)})
    with geonotice.open_town(town) as opened:
        found = opened.check(event, on=ON)
    assert found == check_event(town, event, on=ON)
    assert "layout_outside" in {warning.code for warning in found.warnings}


class TestTheBufferThatTheOfficialsSet:
    """283-3: "a buffer zone at a distance greater than the minimum zoning setbacks"; the figure is the officials' own."""

    @pytest.fixture
    def drawn(self, land, event):
        shape, crs = land
        west = shapely.Point(shape.bounds[0] + 30, shape.centroid.y)
        draw(event.parent, crs, {"stage": shape.centroid.buffer(2), "tent": west.buffer(5)})
        return event

    def run(self, town, event, *more):
        return CliRunner().invoke(every_command(), ["check", str(town), str(event), "--on", "2026-09-01", *map(str, more)])

    def test_names_what_stands_nearer_to_a_lot_line(self, town, drawn):
        found = json.loads(self.run(town, drawn, "--buffer-ft", 40, "--json").stdout)["findings"]
        (setbacks,) = [finding for finding in found if finding["rule"] == "sh.setbacks"]
        (named,) = [one for one in setbacks["facts"]["inside"] if one.endswith("the buffer")]
        assert named.startswith("tent stands 25.0 ft from the ")
        assert named.endswith("line, 40 ft are the buffer")
        assert setbacks["facts"]["buffer_ft"] == 40

    def test_is_the_same_from_python(self, town, drawn):
        with geonotice.open_town(town) as opened:
            found = opened.check(drawn, on=ON, buffer_ft=40).finding("sh.setbacks")
            assert found.facts["buffer_ft"] == 40
            assert "buffer_ft" not in opened.check(drawn, on=ON).finding("sh.setbacks").facts

    def test_is_drawn_on_the_maps_with_its_ground(self, town, drawn):
        with open_store(town) as opened:
            plan = site_plan(opened, check_measured(opened, read_event_file(drawn), on=ON, buffer_ft=40, folder=drawn.parent))
            (ring,) = [one for one in plan.setbacks if one.name == "buffer"]
            inner = shapely.Polygon(ring.line)
            land = opened.store.geometries([opened.store.find(PREMISES).fid])[0]
        assert (ring.name, ring.widths) == ("buffer", "40 ft from every lot line")
        assert shapely.area(inner) == pytest.approx(shapely.area(land.buffer(-40, join_style="mitre")), rel=0.01)
        near = {thing.what for thing in plan.things if any("are the buffer" in text for text in thing.inside)}
        assert near == {"tent"}

    def test_is_on_the_staff_report(self, town, drawn, tmp_path):
        assert self.run(town, drawn, "--buffer-ft", 40, "--pdf", tmp_path / "report.pdf").exit_code in (0, 5)
        with pdfplumber.open(tmp_path / "report.pdf") as pdf:
            text = " ".join(" ".join(page.extract_text() for page in pdf.pages).split())
        for words in (
            "The officials set a buffer of 40 ft from every lot line",
            "Buffer set by the officials",
            "Buffer: 40 ft from every lot line",
            "tent (too near)",
        ):
            assert words in text, words

    @pytest.mark.parametrize("width", ["0", "-5", "nan", "inf"])
    def test_a_buffer_that_is_no_length_is_refused(self, town, drawn, width):
        done = CliRunner().invoke(every_command(), ["check", str(town), str(drawn), f"--buffer-ft={width}"])
        assert isinstance(done.exception, UsageError)

    def test_is_refused_where_it_would_do_nothing(self, town, drawn, tmp_path):
        place = tmp_path / "italy"
        shutil.copytree(town, place)
        file = place / "town.toml"
        file.write_text(file.read_text().replace('ordinance = "southampton"', 'ordinance = "italy"'))
        import_layers(place)
        with pytest.raises(UsageError, match="no rule on setbacks"):
            check_event(place, drawn, on=ON, buffer_ft=40)
        done = CliRunner().invoke(every_command(), ["check", "--case", "case.json", "--buffer-ft", "40"])
        assert "needs a town's layers" in str(done.exception)
