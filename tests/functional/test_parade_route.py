"""A parade's route, from the file that the event names to the register, the 30 days and the maps (283-4)."""

import json
import re
import shutil
from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity
from program import run_here
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import EventFileError, GeonoticeError, PermitUndecided
from geonotice.opened_town import open_store
from geonotice.register.session import read_town_register
from geonotice.workflow.check_event import check_event
from geonotice.workflow.importing import import_layers

EAST = 1_400_000, 250_000
ON = date(2026, 3, 1)
TODAY = ["--on", "2026-03-01"]
ALONG_MAIN = [(-900, 5), (-100, -4), (900, 3)]
ALONG_ELM = [(500, 100), (500, 900)]


def there(shape):
    return shapely.affinity.translate(shape, *EAST)


def write(folder, name, columns, shapes):
    frame = geopandas.GeoDataFrame(columns, geometry=[there(shape) for shape in shapes], crs="EPSG:2263")
    frame.to_file(folder / f"{name}.gpkg", engine="pyogrio")


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Return a town of lots on both sides of Main Street, which Elm Street crosses; it ends 1,000 ft to the east."""
    place = tmp_path_factory.mktemp("town")
    lots = [shapely.box(x, y, x + 180, y + 200) for x in range(-1000, 1000, 200) for y in (-225, 25)]
    owners = {"PRINT_KEY": [f"1-{n}" for n in range(len(lots))], "PRIMARY_OWNER": ["DOE JANE"] * len(lots)}
    write(place, "parcels", owners, lots)
    streets = [shapely.LineString([(-2000, 0), (2000, 0)]), shapely.LineString([(500, -1500), (500, 1500)])]
    write(place, "streets", {"name": ["Main Street", "Elm Street"], "jurisdiction": ["town", "town"]}, streets)
    around = [shapely.box(-2000, -2000, 1000, 2000), shapely.box(1000, -2000, 9000, 2000)]
    places = {"NAME": ["Paradetown", "Nextown"], "KIND": ["town", "town"], "SWIS": ["9900", "9800"]}
    write(place, "places", places, around)
    lines = ["[town]", 'name = "Town of Paradetown"', 'ordinance = "southampton"', 'crs = "EPSG:2263"', 'swis = ["9900"]']
    lines += ["[[layers.parcels]]", 'path = "parcels.gpkg"', "[layers.streets]", 'path = "streets.gpkg"']
    (place / "town.toml").write_text("\n".join([*lines, "[layers.municipalities]", 'path = "places.gpkg"']))
    import_layers(place)
    return place


@pytest.fixture
def town(imported, tmp_path):
    """Return a copy of it, to issue permits in."""
    return shutil.copytree(imported, tmp_path / "town")


@pytest.fixture
def parade(tmp_path):
    """Return what writes an event file of a parade and its route beside it."""

    def write_event(name, day, path=ALONG_MAIN, *, file=None, **more):
        file = file or f"{name}.geojson"
        if path is not None:
            frame = geopandas.GeoDataFrame({"name": [name]}, geometry=[there(shapely.LineString(path))], crs="EPSG:2263")
            frame.to_crs("EPSG:4326").to_file(tmp_path / file, engine="pyogrio")
        lines = ["[event]", f'title = "{name}"', f'kind = "{more.get("kind", "parade")}"', f"starts = {day}T10:00:00"]
        lines += [
            f"ends = {day}T12:00:00",
            'sponsor = "private"',
            "filed = 2026-01-05",
            "persons_at_once = 100",
            "persons_total = 100",
        ]
        lines += ["[applicant]", "other_property_violations = false", "[site]", "tents = []", "signs = []"]
        lines += ["[insurance]", "cancel_notice_days = 30", "names_town = true"]
        lines += ["[premises]", *more["premises"]] if "premises" in more else []
        event = tmp_path / f"{name}.toml"
        event.write_text("\n".join([*lines, "[parade]", f'route = "{file}"', "closes_highway = true"]))
        return event

    return write_event


def faults_of(call):
    with pytest.raises(GeonoticeError) as caught:
        call()
    return "\n".join(map(str, caught.value.faults))


class TestTwoParadesOnOneStreet:
    """Whether there is another parade within 30 calendar days, in the period Memorial Day to Labor Day."""

    def test_twenty_days_apart_in_july_is_for_the_official_to_weigh_and_names_the_street(self, town, parade):
        first, second = parade("Independence", "2026-07-04"), parade("Harbor", "2026-07-24")
        issued = json.loads(run_here("permit", "issue", town, "--event", first, "--by", "Chief", *TODAY, "--json").stdout)
        assert (issued["number"], issued["status"]) == ("2026-0001", "issued")

        asked = json.loads(run_here("permit", "check", town, "--event", second, *TODAY, "--json").stdout)
        assert (asked["status"], asked["rule"]) == ("decide", "sh.parade30")
        assert "Parade 2026-0001 on Saturday, July 4, 2026 along the same street (Main Street) is within 30 days" in asked["text"]

        checked = json.loads(run_here("check", town, second, *TODAY, "--json").stdout)
        (found,) = [finding for finding in checked["findings"] if finding["rule"] == "sh.parade30"]
        assert found["status"] == "decide"
        assert found["facts"]["same_streets"] == ["Main Street"]
        assert "on Saturday, July 4, 2026, along the same street (Main Street): the official considers it" in found["text"]

        shown = json.loads(run_here("permit", "show", town, "2026-0001", "--json").stdout)
        assert shown["streets"] == ["Main Street"]
        issue = ["permit", "issue", town, "--event", second, "--by", "Chief", *TODAY, "--json"]
        assert isinstance(CliRunner().invoke(every_command(), [*map(str, issue)]).exception, PermitUndecided), (
            "a factor that the official weighs"
        )
        second_permit = json.loads(run_here(*issue, "--override", "the two are weighed").stdout)
        assert (second_permit["number"], second_permit["overridden"].partition(" ")[0]) == ("2026-0002", "sh.parade30")

        page = town / "map.html"
        run_here("map", town, "--year", "2026", "--out", page, *TODAY)
        drawn = re.search(r'"parades":(\[\[.*?\]\])', page.read_text(encoding="utf-8"))
        assert drawn is not None
        titles = (
            ["Independence", "Permit 2026-0001; Sat, July 4, 2026; Main Street"],
            ["Harbor", "Permit 2026-0002; Fri, July 24, 2026; Main Street"],
        )
        assert json.loads(drawn[1]) == list(titles)

    def test_on_another_street_it_is_within_the_days_all_the_same(self, town, parade):
        run_here("permit", "issue", town, "--event", parade("Independence", "2026-07-04"), "--by", "Chief", *TODAY)
        asked = run_here("permit", "check", town, "--event", parade("Harbor", "2026-07-24", ALONG_ELM), *TODAY, "--json").stdout
        assert "on Saturday, July 4, 2026 is within 30 days" in json.loads(asked)["text"]

    @pytest.mark.parametrize(
        ("first", "second", "status"),
        [
            ("2026-05-25", "2026-06-24", "decide"),  # Memorial Day counts, and 30 days apart are within 30 days
            ("2026-05-25", "2026-06-25", "met"),
            ("2026-08-20", "2026-09-07", "decide"),  # Labor Day counts
            ("2026-08-20", "2026-09-08", "met"),
        ],
    )
    def test_both_holidays_and_the_thirtieth_day_are_included(self, town, parade, first, second, status):
        run_here("permit", "issue", town, "--event", parade("One", first), "--by", "Chief", *TODAY)
        asked = json.loads(run_here("permit", "check", town, "--event", parade("Two", second), *TODAY, "--json").stdout)
        assert asked["status"] == status

    def test_on_the_same_day_they_are_in_each_others_way(self, town, parade, tmp_path):
        run_here("permit", "issue", town, "--event", parade("One", "2026-10-10"), "--by", "Chief", *TODAY)
        asked = json.loads(run_here("permit", "check", town, "--event", parade("Two", "2026-10-10"), *TODAY, "--json").stdout)
        (conflict,) = [warning["text"] for warning in asked["warnings"] if warning["code"] == "conflict"]
        assert "along the same street (Main Street)" in conflict
        checked = json.loads(run_here("check", town, tmp_path / "Two.toml", *TODAY, "--json").stdout)
        assert conflict in [warning["text"] for warning in checked["warnings"]]


class TestTheRoute:
    def test_it_is_stored_in_the_towns_own_coordinates(self, town, parade):
        run_here("permit", "issue", town, "--event", parade("One", "2026-07-04"), "--by", "Chief", *TODAY)
        from geonotice.register.permits import list_permits

        with open_store(town) as opened, read_town_register(opened.town) as register:
            (permit,) = list_permits(register)
        assert permit.route_crs == "EPSG:2263"
        assert shapely.hausdorff_distance(shapely.from_wkb(permit.route), there(shapely.LineString(ALONG_MAIN))) < 0.1

    @pytest.mark.parametrize("file", ["route.gpkg", "route.shp", "route.fgb", "route.gpx"])
    def test_any_format_is_read(self, imported, parade, file, tmp_path):
        event = parade("One", "2026-07-04", file=file, path=None if file.endswith("gpx") else ALONG_MAIN)
        if file.endswith("gpx"):
            line = geopandas.GeoSeries([there(shapely.LineString(ALONG_MAIN))], crs="EPSG:2263").to_crs("EPSG:4326")
            frame = geopandas.GeoDataFrame({"name": ["One"]}, geometry=line)
            frame.to_file(tmp_path / file, layer="routes", driver="GPX", engine="pyogrio")
        found = check_event(imported, event, on=ON)
        assert not {"route_not_lines", "route_outside"} & {warning.code for warning in found.warnings}

    def test_lines_in_several_rows_are_one_route(self, imported, parade, tmp_path):
        event = parade("One", "2026-07-04", path=None, file="route.gpkg")
        parts = [there(shapely.LineString(part)) for part in ([(-900, 0), (500, 0)], [(500, 0), (500, 900)])]
        geopandas.GeoDataFrame(geometry=parts, crs="EPSG:2263").to_file(tmp_path / "route.gpkg", engine="pyogrio")
        asked = json.loads(run_here("permit", "check", imported, "--event", event, *TODAY, "--json").stdout)
        assert asked["status"] == "met"
        page = tmp_path / "site.html"
        run_here("check", imported, event, *TODAY, "--map", page)
        assert "2,300 ft along Main Street, Elm Street" in page.read_text(encoding="utf-8")

    def test_points_beside_the_lines_are_said(self, imported, parade, tmp_path):
        event = parade("One", "2026-07-04", path=None, file="route.geojson")
        shapes = [there(shapely.LineString(ALONG_MAIN)), there(shapely.Point(0, 0))]
        geopandas.GeoDataFrame(geometry=shapes, crs="EPSG:2263").to_crs("EPSG:4326").to_file(
            tmp_path / "route.geojson", engine="pyogrio"
        )
        warnings = {warning.code: warning.text for warning in check_event(imported, event, on=ON).warnings}
        assert "1 point beside its lines" in warnings["route_not_lines"]

    def test_a_route_that_leaves_the_town_says_how_far(self, imported, parade):
        event = parade("One", "2026-07-04", [(-900, 0), (1500, 0)])
        warnings = {warning.code: warning.text for warning in check_event(imported, event, on=ON).warnings}
        assert warnings["route_outside"].startswith("500 ft of the route lie outside the town")

    def test_an_event_that_is_no_parade_has_no_route(self, imported, parade):
        event = parade("Fair", "2026-07-04", kind="festival", premises=['parcels = ["1-0"]'])
        assert "route_not_read" in {warning.code for warning in check_event(imported, event, on=ON).warnings}
        done = run_here("permit", "check", imported, "--event", event, *TODAY, "--json", expect=0)
        assert "route_not_read" in {warning["code"] for warning in json.loads(done.stdout)["warnings"]}


class TestARouteThatCannotBeUsed:
    def test_one_that_is_not_there(self, imported, parade):
        event = parade("One", "2026-07-04", path=None)
        assert "One.geojson is not there" in faults_of(lambda: check_event(imported, event, on=ON))

    def test_one_that_is_not_of_lines(self, imported, parade, tmp_path):
        event = parade("One", "2026-07-04", path=None, file="route.gpkg")
        geopandas.GeoDataFrame(geometry=[there(shapely.box(0, 0, 9, 9))], crs="EPSG:2263").to_file(
            tmp_path / "route.gpkg", engine="pyogrio"
        )
        assert "has no line, only 1 polygon" in faults_of(lambda: check_event(imported, event, on=ON))

    def test_one_without_coordinates_and_lines_says_both(self, imported, parade, tmp_path):
        event = parade("One", "2026-07-04", path=None, file="route.gpkg")
        with pytest.warns(UserWarning, match="'crs' was not provided"):
            geopandas.GeoDataFrame(geometry=[there(shapely.Point(0, 0))]).to_file(tmp_path / "route.gpkg", engine="pyogrio")
        said = faults_of(lambda: check_event(imported, event, on=ON))
        assert "does not say in which coordinates" in said
        assert "has no line" in said

    def test_one_wholly_outside_the_town(self, imported, parade):
        event = parade("One", "2026-07-04", [(50_000, 0), (51_000, 0)])
        said = faults_of(lambda: check_event(imported, event, on=ON))
        assert "lies wholly outside the town" in said
        assert "parade.route" in said

    def test_what_is_wrong_with_the_drawing_is_said_with_it(self, imported, parade):
        event = parade("One", "2026-07-04", path=None, premises=['parcels = ["1-0"]', 'layout = "layout.gpkg"'])
        said = faults_of(lambda: check_event(imported, event, on=ON))
        assert "layout.gpkg is not there" in said
        assert "One.geojson is not there" in said

    def test_the_register_takes_no_permit_on_it(self, town, parade):
        event = parade("One", "2026-07-04", path=None)
        outcome = CliRunner().invoke(
            every_command(), ["permit", "issue", str(town), "--event", str(event), "--by", "Chief", *TODAY]
        )
        assert isinstance(outcome.exception, EventFileError)
        assert not (town / "permits.sqlite").exists()


class TestAParadeWithoutAParcel:
    def test_it_is_checked_and_drawn_on_its_route(self, imported, parade, tmp_path):
        page, paper = tmp_path / "site.html", tmp_path / "report.pdf"
        run_here("check", imported, parade("Harbor", "2026-07-24"), *TODAY, "--map", page, "--pdf", paper)
        text = page.read_text(encoding="utf-8")
        assert "Route of the parade" in text
        assert "1,800 ft along Main Street" in text
        import pdfplumber

        with pdfplumber.open(paper) as pdf:
            assert any("1,800 ft along Main Street" in page.extract_text() for page in pdf.pages)

    def test_without_a_route_either_it_is_checked_and_there_is_nothing_to_draw(self, imported, tmp_path):
        event = tmp_path / "bare.toml"
        event.write_text('[event]\nkind = "parade"\nstarts = 2026-07-24T10:00:00\n')
        paper = tmp_path / "report.pdf"
        run_here("check", imported, event, *TODAY, "--pdf", paper)
        assert paper.exists()
        outcome = CliRunner().invoke(
            every_command(), ["check", str(imported), str(event), *TODAY, "--map", str(tmp_path / "site.html")]
        )
        assert "nothing to draw" in str(outcome.exception) or "no premises to draw" in str(outcome.exception)
