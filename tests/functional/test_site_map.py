"""Siting, from the event file to the map: setback lines of the district, the applicant's drawing, what stands inside."""

import json
from datetime import date

import geopandas
import pdfplumber
import pytest
import shapely
import shapely.affinity
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import UsageError
from geonotice.opened_town import open_store
from geonotice.ordinance.load import profile_bytes
from geonotice.workflow.check_event import check_measured
from geonotice.workflow.importing import import_layers
from geonotice.workflow.site_map import site_plan

EAST, NORTH = 1_400_000, 250_000
ON = date(2026, 9, 1)
LAYOUT = {
    "stage": shapely.box(30, 40, 50, 50),  # 5 ft too near to the front line, which lies 45 ft off
    "tent": shapely.box(60, 60, 80, 80),
    "parking": shapely.box(5, 100, 95, 150),
}


def there(shape):
    return shapely.affinity.translate(shape, EAST, NORTH)


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """Return a town of three lots on one street, in R-40, whose table asks for 45 ft in front, 15 at the sides and 30 behind."""
    place = tmp_path_factory.mktemp("town")
    lots = [there(shapely.box(100 * n, 0, 100 * n + 100, 200)) for n in (-1, 0, 1)]
    behind = there(shapely.box(-100, 200, 200, 400))
    rows = {"PRINT_KEY": ["1-1", "1-2", "1-3", "1-4"], "PRIMARY_OWNER": ["ROE <b>RICHARD</b>", "DOE JANE", "POE P", "LOE L"]}
    geopandas.GeoDataFrame(rows, geometry=[*lots, behind], crs="EPSG:2263").to_file(place / "parcels.gpkg", engine="pyogrio")
    zone = geopandas.GeoDataFrame({"district": ["R-40"]}, geometry=[there(shapely.box(-500, -500, 500, 500))], crs="EPSG:2263")
    zone.to_file(place / "zoning.gpkg", engine="pyogrio")
    line = there(shapely.LineString([(-400, -25), (400, -25)]))
    street = geopandas.GeoDataFrame({"name": ["Mill Road"], "jurisdiction": ["town"]}, geometry=[line], crs="EPSG:2263")
    street.to_file(place / "streets.gpkg", engine="pyogrio")
    text = profile_bytes("southampton")[0].decode()
    table = 'code = "R-40"\n'
    assert table in text
    # Yards of its own, in place of those of the profile, which nobody has verified.
    head, _, tail = text.partition(table)
    own, rest = tail.split("\n\n", 1)
    kept = [line for line in own.splitlines() if "_ft = " not in line and not line.startswith("yards_")]
    yards = "front_ft = 45\nside_ft = 15\nrear_ft = 30\n"
    (place / "own.toml").write_text("\n".join([f"{head}{table}{yards}{kept[0]}", *kept[1:], "", rest]))
    layers = [f'[layers.{name}]\npath = "{name}.gpkg"' for name in ("zoning", "streets")]
    head = ["[town]", 'name = "Town of Mill"', 'ordinance = "own.toml"', 'crs = "EPSG:2263"']
    (place / "town.toml").write_text("\n".join([*head, "[[layers.parcels]]", 'path = "parcels.gpkg"', *layers]))
    import_layers(place)
    return place


@pytest.fixture
def event(tmp_path):
    shapes = [there(shape) for shape in LAYOUT.values()]
    drawn = geopandas.GeoDataFrame({"what": list(LAYOUT)}, geometry=shapes, crs="EPSG:2263")
    drawn.to_file(tmp_path / "layout.gpkg", layer="layout", engine="pyogrio")
    file = tmp_path / "event.toml"
    file.write_text('[event]\ntitle = "Fair"\nkind = "festival"\n[premises]\nparcels = ["1-2"]\nlayout = "layout.gpkg"\n')
    return file


def plan_of(town, event):
    from geonotice.config.read_application import read_event_file

    with open_store(town) as opened:
        checked = check_measured(opened, read_event_file(event), on=ON, folder=event.parent)
        return site_plan(opened, checked), checked


def test_the_setback_line_keeps_each_width_off_its_sort_of_lot_line(town, event):
    plan, _ = plan_of(town, event)
    (setback,) = plan.setbacks
    minx, miny, maxx, maxy = setback.line.bounds
    assert (minx - EAST, miny - NORTH, maxx - EAST, maxy - NORTH) == pytest.approx((15, 45, 85, 170))
    assert setback.ground.area == pytest.approx(100 * 200 - 70 * 125)
    assert plan.remark() == ""


def test_the_map_marks_what_the_check_finds_inside_and_nothing_else(town, event):
    plan, checked = plan_of(town, event)
    inside = {thing.what: thing.inside for thing in plan.things if thing.inside}
    assert inside == {"stage": ("40.0 ft from the front line, 45 ft are the setback of R-40",)}
    found = checked.result.finding("sh.setbacks")
    assert found.facts["inside"] == ["stage stands 40.0 ft from the front line, 45 ft are the setback"]


def test_what_lies_off_the_premises_keeps_no_setback_on_them(town, event, tmp_path):
    far = geopandas.GeoDataFrame({"what": ["tent"]}, geometry=[there(shapely.box(130, 5, 140, 15))], crs="EPSG:2263")
    far.to_file(tmp_path / "layout.gpkg", layer="layout", engine="pyogrio")
    (thing,) = plan_of(town, event)[0].things
    assert (thing.measured, thing.inside) == ("not on the premises", ())


def test_check_writes_the_map_and_the_report_beside_its_answer(town, event, tmp_path):
    page, paper = tmp_path / "site.html", tmp_path / "report.pdf"
    words = ["check", str(town), str(event), "--on", "2026-09-01", "--map", str(page), "--pdf", str(paper), "--json"]
    outcome = CliRunner().invoke(every_command(), words)
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["findings"]
    text = page.read_text(encoding="utf-8")
    assert "40.0 ft from the front line, 45 ft are the setback of R-40" in text
    assert "ROE" not in text, "no owner is on the site map"
    with pdfplumber.open(paper) as pdf:
        assert any("Setback R-40: front 45 ft, side 15 ft, rear 30 ft." in page.extract_text() for page in pdf.pages)


def test_the_buffer_that_the_officials_set_is_drawn_beside_the_setbacks(town, event, tmp_path):
    page = tmp_path / "site.html"
    words = ["check", str(town), str(event), "--on", "2026-09-01", "--buffer-ft", "65", "--map", str(page)]
    assert CliRunner().invoke(every_command(), words).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "Buffer: 65 ft from every lot line" in text
    assert "60.0 ft from the front line, 65 ft are the buffer" in text


def test_a_district_without_widths_is_named_on_the_map(town, event, tmp_path):
    text = (town / "own.toml").read_text()
    bare = tmp_path / "bare"
    bare.mkdir()
    for file in town.glob("*.gpkg"):
        (bare / file.name).write_bytes(file.read_bytes())
    (bare / "own.toml").write_text(text.replace("front_ft = 45\nside_ft = 15\nrear_ft = 30\n", "front_ft = 45\n"))
    (bare / "town.toml").write_text((town / "town.toml").read_text())
    import_layers(bare)
    plan, _ = plan_of(bare, event)
    assert plan.remark() == "No setback line is drawn for R-40 (side and rear): the profile's district table gives no widths."
    assert len(plan.setbacks) == 1


def test_a_case_without_layers_has_no_map(tmp_path):
    outcome = CliRunner().invoke(every_command(), ["check", "--case", "case.json", "--map", str(tmp_path / "site.html")])
    assert isinstance(outcome.exception, UsageError)
    assert not (tmp_path / "site.html").exists()
