"""The look before reading: what is cut off, mistaken or damaged is refused in words, and nothing is written beside a source."""

import json
import shutil
import sys
import zipfile

import numpy as np
import pytest
import shapely

from geonotice.errors import CutOffLayer, LayerError, UnknownCRS, UnreadableLayer
from geonotice.layers.read import read_layer, require_parcels
from geonotice.units import to_measure

SQUARES = np.array([shapely.box(650_000 + 100 * n, 950_000, 650_080 + 100 * n, 950_080) for n in range(20)], dtype=object)
KEYS = np.array([f"1-{n}" for n in range(20)], dtype=object)
OWNERS = np.array(["ROSSI MARIO", "PEÑA JOSÉ", "MÜLLER-LÜDENSCHEIDT K", None] * 5, dtype=object)


def write_layer(path, *, layer=None, append=False, crs="EPSG:2261", **options):
    from pyogrio.raw import write

    write(
        path,
        geometry=shapely.to_wkb(SQUARES if crs != "EPSG:4326" else to_measure(SQUARES, "EPSG:2261", crs)),
        field_data=[KEYS, OWNERS],
        fields=["PRINT_KEY", "OWNER"],
        geometry_type="Polygon",
        crs=crs,
        layer=layer,
        append=append,
        **options,
    )
    return path


@pytest.fixture
def shapefile(tmp_path):
    return write_layer(tmp_path / "parcels.shp", encoding="UTF-8")


@pytest.fixture
def document(tmp_path):
    def write(text, name="parcels.geojson"):
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return path

    return write


def collection(*geometries, **extra):
    features = [
        {"type": "Feature", "properties": {"KEY": f"1-{n}"}, "geometry": shape} for n, shape in enumerate(geometries, start=1)
    ]
    return {"type": "FeatureCollection", **extra, "features": features}


def polygon(*corners):
    return {"type": "Polygon", "coordinates": [[list(corner) for corner in corners]]}


LOT = polygon((-77.1, 42.1), (-77.0, 42.1), (-77.0, 42.2), (-77.1, 42.1))


def cut(path, share=0.6):
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def refused(path, error=UnreadableLayer, **options):
    with pytest.raises(error) as caught:
        read_layer(path, **options)
    (fault,) = caught.value.faults
    assert fault.file == str(path)
    assert fault.remedy
    return fault


class TestWhatIsNoLayer:
    def test_a_file_that_is_not_there(self, tmp_path):
        assert "no such file" in refused(tmp_path / "parcels.gpkg").what

    def test_a_file_that_is_not_there_but_one_like_it_is(self, shapefile):
        assert "parcels.shp" in refused(shapefile.with_suffix(".gpkg")).remedy

    def test_a_folder(self, shapefile):
        fault = refused(shapefile.parent)
        assert "folder" in fault.what
        assert "parcels.shp" in fault.remedy

    def test_an_empty_file(self, tmp_path):
        for name in ("parcels.geojson", "parcels.zip", "parcels.shp", "parcels.gpkg"):
            (tmp_path / name).touch()
            assert refused(tmp_path / name).what == "the file is empty"

    @pytest.mark.parametrize("name", ["parcels.json", "parcels.geojson", "parcels.kml", "parcels.gml", "download"])
    def test_a_web_page_saved_as_a_layer(self, document, name):
        assert "web page" in refused(document("<!DOCTYPE html><html><body>Please sign in</body></html>", name)).what

    def test_a_web_page_saved_as_a_zip(self, document):
        fault = refused(document("<html><body>404</body></html>", "parcels.zip"))
        assert "zip" in fault.what
        assert "sign in" in fault.remedy

    def test_an_arcgis_error_message_is_quoted(self, document):
        body = {"error": {"code": 498, "message": "Invalid token.", "details": ["Token expired"]}}
        assert "Invalid token.; Token expired (code 498)" in refused(document(body, "parcels.json")).what

    def test_a_wfs_error_message_is_quoted(self, document):
        body = '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows"><ows:ExceptionText>Unknown layer</ows:ExceptionText></ows:ExceptionReport>'
        assert "Unknown layer" in refused(document(body, "parcels.gml")).what

    def test_the_description_of_a_layer_without_its_features(self, document):
        body = {
            "currentVersion": 11,
            "type": "Feature Layer",
            "geometryType": "esriGeometryPolygon",
            "fields": [{"name": "OWNER"}],
        }
        assert "none of its features" in refused(document(body, "parcels.json")).what

    def test_json_of_another_kind(self, document):
        assert "neither GeoJSON" in refused(document({"parcels": [1, 2, 3]}, "parcels.json")).what

    def test_a_part_of_a_shapefile(self, shapefile):
        assert refused(shapefile.with_suffix(".shx")).remedy == "name parcels.shp"

    def test_an_unknown_format(self, document):
        assert "no format that is known" in refused(document("hello", "parcels.xyz")).what


class TestWhatIsCutOff:
    def test_exceeded_transfer_limit_wherever_it_stands(self, document):
        for body in (
            {**collection(LOT), "exceededTransferLimit": True},
            collection(LOT, exceededTransferLimit=True),
            collection(LOT, properties={"exceededTransferLimit": True}),
        ):
            assert "exceededTransferLimit" in refused(document(body), CutOffLayer).what

    def test_in_esri_json(self, document):
        body = {
            "geometryType": "esriGeometryPolygon",
            "spatialReference": {"wkid": 4326},
            "fields": [{"name": "KEY", "type": "esriFieldTypeString", "length": 10}],
            "features": [
                {
                    "attributes": {"KEY": "1"},
                    "geometry": {"rings": [[[-77.1, 42.1], [-77.1, 42.2], [-77.0, 42.2], [-77.1, 42.1]]]},
                }
            ],
        }
        assert len(read_layer(document(body, "whole.json"))) == 1
        refused(document({**body, "exceededTransferLimit": True}, "part.json"), CutOffLayer)

    def test_inside_a_zip(self, document, tmp_path):
        with zipfile.ZipFile(tmp_path / "parcels.zip", "w") as archive:
            archive.write(document(collection(LOT, exceededTransferLimit=True)), "parcels.geojson")
        refused(tmp_path / "parcels.zip", CutOffLayer)

    def test_not_where_it_is_false_or_only_quoted(self, document):
        assert len(read_layer(document(collection(LOT, exceededTransferLimit=False)))) == 1
        said = collection(LOT)
        said["features"][0]["properties"]["NOTE"] = 'the answer had "exceededTransferLimit":true in it'
        assert len(read_layer(document(said))) == 1

    def test_a_service_that_had_more(self, document):
        assert "5,000" in refused(document(collection(LOT, numberMatched=5000, numberReturned=1)), CutOffLayer).what

    def test_exactly_as_many_as_a_service_sends_is_noted(self, document):
        raw = read_layer(document(collection(*[LOT] * 1000)))
        assert "round_count" in [note.code for note in raw.notes]

    @pytest.mark.parametrize(
        "name", ["parcels.gpkg", "parcels.fgb", "parcels.geojson", "parcels.geojsonl", "parcels.kml", "parcels.gml"]
    )
    @pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
    def test_a_file_that_ends_in_the_middle(self, tmp_path, name, share):
        crs = "EPSG:2261" if name.endswith(("gpkg", "fgb", "gml")) else "EPSG:4326"
        path = write_layer(tmp_path / name, crs=crs, driver="LIBKML" if name.endswith("kml") else None)
        assert len(read_layer(path)) == 20
        cut(path, share)
        assert refused(path).what

    @pytest.mark.parametrize("part", [".shp", ".shx", ".dbf"])
    def test_any_part_of_a_shapefile(self, shapefile, part):
        cut(shapefile.with_suffix(part))
        assert f"its {part} should have" in refused(shapefile).what

    def test_parquet(self, tmp_path):
        import geopandas as gpd

        path = tmp_path / "parcels.parquet"
        gpd.GeoDataFrame({"KEY": KEYS}, geometry=SQUARES, crs="EPSG:2261").to_parquet(path)
        assert read_layer(path).crs == "EPSG:2261"
        assert "cut off" in refused(cut(path)).what

    def test_a_zip(self, shapefile, tmp_path):
        path = tmp_path / "download.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for part in (".shp", ".shx", ".dbf", ".prj"):
                archive.write(shapefile.with_suffix(part), f"export/parcels{part}")
        assert len(read_layer(path)) == 20
        assert "damaged" in refused(cut(path)).what

    def test_one_of_several_shapefiles_in_a_zip(self, shapefile, tmp_path):
        path = tmp_path / "download.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for part in (".shp", ".shx", ".dbf", ".prj"):
                archive.write(shapefile.with_suffix(part), f"export/parcels{part}")
                archive.write(shapefile.with_suffix(part), f"export/zoning{part}")
        assert "export/parcels.shp, export/zoning.shp" in refused(path, LayerError).what
        assert read_layer(path, layer="zoning").layer == "zoning"

    def test_parts_of_two_shapefiles(self, shapefile, tmp_path):
        from pyogrio.raw import write

        other = tmp_path / "other.shp"
        write(
            other,
            geometry=shapely.to_wkb(SQUARES[:5]),
            field_data=[KEYS[:5]],
            fields=["K"],
            geometry_type="Polygon",
            crs="EPSG:2261",
        )
        shutil.copy(other.with_suffix(".dbf"), shapefile.with_suffix(".dbf"))
        assert "do not belong together" in refused(shapefile).what


class TestTheBadRecord:
    def test_is_named_with_its_key_and_the_reason(self, document):
        open_ring = polygon((-77.1, 42.1), (-77.0, 42.1), (-77.0, 42.2), (-77.1, 42.15))
        fault = refused(document(collection(LOT, open_ring, LOT)))
        assert "1 of 3 records" in fault.what
        assert "record 2 (KEY 1-2): its outline does not close" in fault.what

    def test_a_geometry_that_is_none_is_named_and_not_taken_for_a_missing_one(self, document):
        fault = refused(document(collection(LOT, None, polygon(("a", 42.1), (-77.0, 42.1), (-77.1, 42.2)))))
        assert "1 of 3 records" in fault.what
        assert "record 3" in fault.what

    def test_one_without_geometry_is_kept(self, document):
        assert read_layer(document(collection(LOT, None))).geometry[1] is None


class TestAShapefileThatLacksAPart:
    def test_without_its_index_it_is_read_and_the_folder_is_left_alone(self, shapefile):
        shapefile.with_suffix(".shx").unlink()
        before = sorted(shapefile.parent.iterdir())
        raw = read_layer(shapefile)
        assert (len(raw), raw.crs) == (20, "EPSG:2261")
        assert raw.table.column("PRINT_KEY").to_pylist() == KEYS.tolist()
        assert all(there.equals(here) for there, here in zip(raw.geometry, SQUARES, strict=True))
        assert [note.code for note in raw.notes] == ["shx_restored"]
        assert sorted(shapefile.parent.iterdir()) == before

    def test_without_its_table_it_has_shapes_only_and_says_so(self, shapefile):
        shapefile.with_suffix(".dbf").unlink()
        raw = read_layer(shapefile)
        assert (len(raw), raw.columns) == (20, ())
        assert [note.code for note in raw.notes] == ["no_dbf"]

    def test_without_its_prj_the_crs_is_unknown(self, shapefile):
        shapefile.with_suffix(".prj").unlink()
        refused(shapefile, UnknownCRS)
        assert read_layer(shapefile, crs="2261").crs == "EPSG:2261"

    @pytest.mark.parametrize("encoding", ["UTF-8", "CP1252"])
    def test_without_its_cpg_the_letters_tell_the_encoding(self, tmp_path, encoding):
        path = write_layer(tmp_path / "parcels.shp", encoding=encoding)
        path.with_suffix(".cpg").unlink(missing_ok=True)
        dbf = bytearray(path.with_suffix(".dbf").read_bytes())
        dbf[29] = 0
        path.with_suffix(".dbf").write_bytes(dbf)
        raw = read_layer(path)
        assert raw.table.column("OWNER").to_pylist()[:4] == OWNERS.tolist()[:4]
        assert [note.code for note in raw.notes] == ["encoding_guessed"]

    def test_a_cpg_that_is_wrong_is_noticed(self, tmp_path):
        path = write_layer(tmp_path / "parcels.shp", encoding="CP1252")
        path.with_suffix(".cpg").write_text("UTF-8", encoding="ascii")
        raw = read_layer(path)
        assert raw.table.column("OWNER").to_pylist()[1] == "PEÑA JOSÉ"
        assert "encoding_guessed" in [note.code for note in raw.notes]


class TestSeveralLayers:
    def test_the_only_one_of_polygons_is_taken_and_said(self, tmp_path):
        from pyogrio.raw import write

        path = write_layer(tmp_path / "town.gpkg", layer="parcels")
        points = shapely.to_wkb(shapely.centroid(SQUARES))
        write(
            path,
            geometry=points,
            field_data=[KEYS],
            fields=["N"],
            geometry_type="Point",
            crs="EPSG:2261",
            layer="addresses",
            append=True,
        )
        raw = read_layer(path)
        assert raw.layer == "parcels"
        assert [note.code for note in raw.notes] == ["layer_chosen"]
        assert read_layer(path, layer="addresses").geometry[0].geom_type == "Point"

    def test_two_of_polygons_are_listed(self, tmp_path):
        path = write_layer(tmp_path / "town.gpkg", layer="parcels")
        write_layer(path, layer="zoning", append=True)
        fault = refused(path, LayerError)
        assert "parcels (Polygon, 20 features); zoning (Polygon, 20 features)" in fault.what
        assert "Polygon" in refused(path, LayerError, layer="roads").remedy


class TestWhereTheNumbersLie:
    def test_latitude_and_longitude_swapped(self, document):
        path = document(collection(polygon((42.1, -77.1), (42.1, -77.0), (42.2, -77.0), (42.1, -77.1))))
        fault = refused(path, UnknownCRS)
        assert "swapped" in fault.what
        assert "longitude before latitude" in fault.remedy

    def test_feet_in_a_layer_that_says_degrees(self, document):
        lot = polygon((1_062_000, 203_000), (1_062_100, 203_000), (1_062_100, 203_100), (1_062_000, 203_000))
        path = document(collection(lot))
        assert "the numbers are none" in refused(path, UnknownCRS).what
        assert read_layer(path, crs="EPSG:2263").crs == "EPSG:2263"

    def test_degrees_in_a_layer_that_says_feet(self, document):
        path = document(collection(LOT))
        assert "the numbers are degrees" in refused(path, UnknownCRS, crs="EPSG:2261").what

    def test_another_part_of_the_world(self, tmp_path):
        fault = refused(write_layer(tmp_path / "parcels.gpkg", crs="EPSG:2193"), UnknownCRS)
        assert "far from where it is used" in fault.what

    def test_what_the_user_says_goes_before_what_the_file_says(self, tmp_path):
        raw = read_layer(write_layer(tmp_path / "parcels.gpkg", crs="EPSG:2193"), crs="EPSG:2261")
        assert raw.crs == "EPSG:2261"
        assert "crs_overridden" in [note.code for note in raw.notes]


def test_without_fiona_pyogrio_looks_and_says_so(document, monkeypatch):
    monkeypatch.setitem(sys.modules, "fiona", None)
    raw = read_layer(document(collection(LOT)))
    assert [note.code for note in raw.notes] == ["fiona_absent"]
    refused(document(collection(polygon((-77.1, 42.1), (-77.0, 42.1), (-77.0, 42.2), (-77.1, 42.15)))))


def test_curves_are_drawn_closely(tmp_path):
    """A half circle of 1,000 ft radius: GDAL's own step of 4 degrees would stray 0.6 ft."""
    from geonotice.io.gdal_options import quiet_gdal

    path = tmp_path / "curve.csv"
    path.write_text(
        'WKT,KEY\n"CURVEPOLYGON (COMPOUNDCURVE (CIRCULARSTRING (0 0, 1000 1000, 2000 0), (2000 0, 0 0)))",1\n', encoding="utf-8"
    )
    from pyogrio.raw import read

    with quiet_gdal():
        _, _, wkb, _ = read(path, columns=[])
    drawn = shapely.from_wkb(wkb)[0]
    assert abs(drawn.area - np.pi * 1000**2 / 2) < 50
    assert shapely.distance(shapely.Point(1000, 0), drawn.exterior) == 0
    corners = np.array(drawn.exterior.coords)
    middles = (corners[1:] + corners[:-1]) / 2
    arc = middles[middles[:, 1] > 1]
    assert np.abs(np.hypot(arc[:, 0] - 1000, arc[:, 1]) - 1000).max() < 0.02


def test_a_table_has_no_geometry_and_is_no_parcels(shapefile):
    from geonotice.errors import WrongGeometry

    raw = read_layer(shapefile.with_suffix(".dbf"))
    assert (raw.geometry, raw.crs, len(raw)) == (None, None, 20)
    with pytest.raises(WrongGeometry, match="table"):
        require_parcels(raw)
