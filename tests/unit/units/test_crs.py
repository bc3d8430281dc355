"""Feet, coordinate reference systems, and the State-plane zone of a place."""

import math
import subprocess
import sys

import numpy as np
import pytest
import shapely

from geonotice.errors import UnknownCRS
from geonotice.units import US_SURVEY_FOOT_M, feet_per_unit, measuring_crs, propose_measure_crs, resolve_crs, to_measure

# ArcGIS writes this beside a shapefile of Central New York: the zone of EPSG:2261, under another name.
CENTRAL_PRJ = (
    'PROJCS["NAD_1983_StatePlane_New_York_Central_FIPS_3102_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",'
    'SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],'
    'PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",820208.3333333333],PARAMETER["False_Northing",0.0],'
    'PARAMETER["Central_Meridian",-76.58333333333333],PARAMETER["Scale_Factor",0.9999375],PARAMETER["Latitude_Of_Origin",40.0],'
    'UNIT["Foot_US",0.3048006096012192]]'
)


class TestTheZoneOfAPlace:
    @pytest.mark.parametrize(
        ("place", "lon", "lat", "crs"),
        [
            ("Italy, Yates County", -77.28, 42.62, "EPSG:2261"),
            ("Southampton, Suffolk County", -72.39, 40.88, "EPSG:2263"),
            ("Montauk, Suffolk County", -71.92, 41.05, "EPSG:2263"),
            ("Bellerose, Nassau County", -73.716, 40.724, "EPSG:2263"),
            ("Albany", -73.77, 42.66, "EPSG:2260"),
            ("White Plains, Westchester County", -73.77, 41.03, "EPSG:2260"),
            ("the Bronx", -73.87, 40.85, "EPSG:2263"),
            ("Buffalo, Erie County", -78.87, 42.89, "EPSG:2262"),
            ("Rochester, Monroe County", -77.61, 43.16, "EPSG:2262"),
            ("Geneva, Ontario County", -76.99, 42.87, "EPSG:2261"),
            ("Washington, New Hampshire", -72.1, 43.18, "EPSG:3437"),
            ("Forest City, North Carolina", -81.87, 35.33, "EPSG:2264"),
            ("Dakota County, Minnesota", -93.2, 44.6, "EPSG:26851"),
        ],
    )
    def test_in_the_united_states_it_is_the_county_s_zone_in_us_feet(self, place, lon, lat, crs):
        proposal = propose_measure_crs(lon, lat)
        assert (proposal.crs, proposal.unit_to_ft, proposal.warning) == (crs, 1.0, ""), place

    def test_a_state_with_international_feet_only_keeps_its_zone_and_says_so(self):
        proposal = propose_measure_crs(-112.07, 33.45)  # Phoenix
        assert proposal.crs == "EPSG:2223"
        assert proposal.unit_to_ft == pytest.approx(0.999998, abs=1e-12)
        assert "international feet" in proposal.warning

    def test_a_state_with_metres_only_keeps_its_zone_and_says_so(self):
        proposal = propose_measure_crs(-92.17, 38.58)  # Jefferson City, Missouri
        assert proposal.crs == "EPSG:26997"
        assert proposal.unit_to_ft == pytest.approx(3937 / 1200)
        assert "metres" in proposal.warning

    def test_elsewhere_it_is_a_utm_zone_with_a_warning(self):
        proposal = propose_measure_crs(14.42, 50.09)  # Prague
        assert proposal.crs == "EPSG:32633"
        assert "UTM" in proposal.warning

    def test_south_of_the_equator_too(self):
        assert propose_measure_crs(151.2, -33.87).crs == "EPSG:32756"

    def test_no_place_on_earth_is_refused(self):
        with pytest.raises(UnknownCRS, match="no place on earth"):
            propose_measure_crs(1_061_418.0, 202_235.0)


class TestRecognisingACrs:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("2263", "EPSG:2263"),
            ("epsg:2263", "EPSG:2263"),
            ("ESRI:102715", "EPSG:2260"),
            ("ESRI:102716", "EPSG:2261"),
            ("ESRI:102717", "EPSG:2262"),
            ("ESRI:102718", "EPSG:2263"),
            ("OGC:CRS84", "EPSG:4326"),
            ("ESRI:102100", "EPSG:3857"),
            (CENTRAL_PRJ, "EPSG:2261"),
        ],
    )
    def test_however_it_is_written(self, written, meant):
        assert resolve_crs(written).crs == meant

    def test_from_a_prj_file(self, tmp_path):
        prj = tmp_path / "parcels.prj"
        prj.write_text(CENTRAL_PRJ, encoding="utf-8")
        assert resolve_crs(str(prj)).crs == "EPSG:2261"

    @pytest.mark.parametrize("easting", ["820208.3333333333", "820209.9737532808"])
    def test_a_zone_in_the_other_foot_is_kept_as_it_says_with_a_warning(self, easting):
        prj = CENTRAL_PRJ.replace('"Foot_US",0.3048006096012192', '"Foot",0.3048').replace("820208.3333333333", easting)
        found = resolve_crs(prj)
        assert not found.crs.startswith("EPSG")
        assert [warning.code for warning in found.warnings] == ["foot_kind"]
        assert "EPSG:2261" in found.warnings[0].text

    def test_nonsense_is_refused_with_an_example(self):
        with pytest.raises(UnknownCRS, match="EPSG:2263"):
            resolve_crs("State Plane, I think")

    @pytest.mark.parametrize("old", ["EPSG:4267", "EPSG:32015"])
    def test_nad_27_without_a_grid_is_refused(self, old):
        with pytest.raises(UnknownCRS, match="North American Datum 1927"):
            resolve_crs(old)

    def test_a_datum_that_could_only_be_guessed_is_refused(self):
        with pytest.raises(UnknownCRS, match="without guessing"):
            resolve_crs("+proj=longlat +ellps=sphere +no_defs")

    def test_an_old_datum_with_a_known_transformation_is_warninged(self):
        assert [warning.code for warning in resolve_crs("EPSG:5514").warnings] == ["datum_accuracy"]

    def test_a_place_on_no_earth_is_refused(self):
        with pytest.raises(UnknownCRS, match="tied to no place"):
            resolve_crs("EPSG:4978")


class TestTheCrsToMeasureIn:
    def test_a_zone_in_us_feet_is_taken_as_it_is(self):
        measure = measuring_crs("ESRI:102716")
        assert (measure.crs, measure.given, measure.unit_to_ft, measure.warnings) == ("EPSG:2261", "EPSG:2261", 1.0, ())

    @pytest.mark.parametrize(("zone", "unit_m"), [("EPSG:2223", 0.3048), ("EPSG:26997", 1.0)])
    def test_any_other_zone_is_brought_to_us_feet(self, zone, unit_m):
        measure = measuring_crs(zone)
        assert feet_per_unit(measure.crs) == 1.0
        assert measure.unit_to_ft == pytest.approx(unit_m / US_SURVEY_FOOT_M)
        here = np.array([shapely.Point(700_000, 300_000)], dtype=object)
        there = to_measure(here, zone, measure.crs)[0]
        assert there.x == pytest.approx(700_000 * unit_m / US_SURVEY_FOOT_M, abs=1e-5)
        assert there.y == pytest.approx(300_000 * unit_m / US_SURVEY_FOOT_M, abs=1e-5)

    def test_gdal_keeps_the_foot_of_a_converted_zone(self, tmp_path):
        from pyogrio import read_info
        from pyogrio.raw import write

        measure = measuring_crs("EPSG:26997")
        path = tmp_path / "store.gpkg"
        box = shapely.to_wkb(np.array([shapely.box(0, 0, 1, 1)], dtype=object))
        write(path, geometry=box, field_data=[], fields=[], geometry_type="Polygon", crs=measure.crs)
        assert feet_per_unit(read_info(path)["crs"]) == 1.0

    def test_degrees_are_refused(self):
        with pytest.raises(UnknownCRS, match="degrees"):
            measuring_crs("EPSG:4326")

    @pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:3395", "EPSG:5070", "ESRI:54030"])
    def test_what_stretches_lengths_is_refused(self, crs):
        with pytest.raises(UnknownCRS, match="stretches lengths"):
            measuring_crs(crs)

    def test_web_mercator_is_a_third_off_in_new_york(self):
        with pytest.raises(UnknownCRS, match=r"by 3[0-9]{2} ft in 1,000"):
            measuring_crs("EPSG:3857", lon=-77.28, lat=42.62)

    def test_utm_serves_with_a_warning(self):
        assert [warning.code for warning in measuring_crs("EPSG:26918").warnings] == ["measure_scale"]

    def test_the_fault_names_the_key(self):
        with pytest.raises(UnknownCRS) as caught:
            measuring_crs("EPSG:4326", key="town.crs")
        assert caught.value.faults[0].key == "town.crs"


class TestMovingGeometry:
    def test_layers_on_nad_83_wgs_84_and_the_2011_realization_fall_together(self):
        corner = np.array([shapely.Point(1_062_000, 203_000)], dtype=object)
        for other in ("EPSG:4326", "EPSG:4269", "EPSG:6539", "EPSG:3857", "EPSG:32618", "EPSG:26918"):
            back = to_measure(to_measure(corner, "EPSG:2263", other), other, "EPSG:2263")
            assert math.dist((back[0].x, back[0].y), (1_062_000, 203_000)) < 0.001, other
        assert to_measure(corner, "EPSG:6539", "EPSG:2263")[0].equals_exact(corner[0], 1e-6)

    def test_nothing_stays_nothing(self):
        moved = to_measure(np.array([None, shapely.Point(-73.7, 40.7)], dtype=object), "EPSG:4326", "EPSG:2263")
        assert moved[0] is None
        assert moved[1].x == pytest.approx(1_066_600, abs=2_000)

    def test_what_lies_nowhere_is_refused(self):
        with pytest.raises(UnknownCRS, match="lie nowhere"):
            to_measure(np.array([shapely.Point(1e9, 1e9)], dtype=object), "EPSG:26918", "EPSG:2263")


def test_importing_units_loads_nothing_heavy():
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, geonotice.units; print([m for m in ('pyproj', 'shapely', 'numpy') if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "[]"
