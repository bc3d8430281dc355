"""Every record of a file is read or named; every file that is read is a source; nothing but the file itself is opened."""

import json
import os
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely

from geonotice.config.town import RollSpec
from geonotice.errors import CutOffLayer, LayerError, MissingField, UnreadableLayer
from geonotice.io.source_files import changed_sources, files_of, sha256_of, state_of
from geonotice.layers.inspect import inspect_source
from geonotice.layers.read import read_layer
from geonotice.layers.roll_tables import read_roll_table
from geonotice.layers.rolls import read_roll
from geonotice.taxmap import comparable

LOTS = [shapely.box(650_000 + 100 * n, 950_000, 650_080 + 100 * n, 950_080) for n in range(6)]
OWNERS = ["PEÑA JOSÉ", "DOE J", "ROE R", "POE E", "MOE M", "LOW L"]


@pytest.fixture
def frame():
    return gpd.GeoDataFrame({"PRINT_KEY": [f"00{n}" for n in range(6)], "OWNER": OWNERS}, geometry=LOTS, crs="EPSG:2261")


@pytest.fixture
def collection(frame):
    return json.loads(frame.to_crs("EPSG:4326").to_json())


def written(path: Path, document) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def refusal(path: Path, error=UnreadableLayer, **options) -> str:
    before = sorted(path.parent.rglob("*"))
    with pytest.raises(error) as caught:
        read_layer(path, **options)
    assert sorted(path.parent.rglob("*")) == before
    assert all(fault.remedy for fault in caught.value.faults)
    return str(caught.value)


class TestNothingIsLostInSilence:
    @pytest.mark.parametrize(
        "entry",
        [
            {"type": "feature", "properties": {}, "geometry": None},
            None,
            7,
            [],
            {"properties": {}, "geometry": None},
        ],
    )
    def test_an_entry_of_a_geojson_that_is_no_feature_is_named(self, tmp_path, collection, entry):
        collection["features"][3] = entry
        assert "1 of 6 records are no features (record 4" in refusal(written(tmp_path / "p.geojson", collection))

    def test_a_null_entry_of_esri_json(self, tmp_path):
        shape = {"rings": [[list(corner) for corner in LOTS[0].exterior.coords]]}
        body = {
            "geometryType": "esriGeometryPolygon", "spatialReference": {"wkid": 2261}, "fields": [{"name": "K", "type": "esriFieldTypeString"}],
            "features": [{"attributes": {"K": "1"}, "geometry": shape}, None, {"attributes": {"K": "2"}, "geometry": shape}],
        }  # fmt: skip
        assert "(record 2: null)" in refusal(written(tmp_path / "p.json", body))

    def test_a_second_list_of_features(self, tmp_path, collection):
        text = json.dumps(collection)
        again = text[:-1] + ', "features": [' + json.dumps(collection["features"][0]) + "]}"
        assert len(read_layer(written(tmp_path / "p.geojson", again))) == 7

    def test_a_line_of_a_sequence_that_is_json_but_no_feature(self, tmp_path, collection):
        lines = [json.dumps(feature) for feature in collection["features"]]
        lines[2] = '{"type": "Featur"}'
        assert "record 3" in refusal(written(tmp_path / "p.geojsonl", "\n".join(lines)))

    def test_a_ring_that_lost_its_corners(self, tmp_path, collection):
        collection["features"][4]["geometry"]["coordinates"][0][2] = ["a", "b"]
        assert "record 5" in refusal(written(tmp_path / "p.geojson", collection))

    @pytest.mark.parametrize("number", ["abc", "1.2.3", "nan", "", "12-3"])
    def test_a_gml_with_a_bad_coordinate_names_the_record(self, tmp_path, frame, number):
        frame.to_file(tmp_path / "p.gml", driver="GML")
        text = (tmp_path / "p.gml").read_text(encoding="utf-8")
        found = list(re.finditer(r"<gml:posList>(\S+)", text))[2]
        written(tmp_path / "p.gml", text[: found.start(1)] + number + text[found.end(1) :])
        assert "record 3" in refusal(tmp_path / "p.gml")

    def test_a_gml_with_an_element_that_is_no_member(self, tmp_path, frame):
        frame.to_file(tmp_path / "p.gml", driver="GML")
        text = (tmp_path / "p.gml").read_text(encoding="utf-8")
        text = text.replace("<ogr:featureMember>", "<ogr:featureMembre>", 1).replace(
            "</ogr:featureMember>", "</ogr:featureMembre>", 1
        )
        assert "records" in refusal(written(tmp_path / "p.gml", text))

    def test_a_gml_that_says_it_was_truncated(self, tmp_path, frame):
        frame.to_file(tmp_path / "p.gml", driver="GML")
        text = (tmp_path / "p.gml").read_text(encoding="utf-8")
        end = text.rindex("</ogr:FeatureCollection>")
        body = text[:end] + "<wfs:truncatedResponse xmlns:wfs='w'/>" + text[end:]
        assert "truncatedResponse" in refusal(written(tmp_path / "p.gml", body), CutOffLayer)

    def test_a_kml_placemark_in_lower_case(self, tmp_path, frame):
        frame.to_crs("EPSG:4326").to_file(tmp_path / "p.kml", driver="KML")
        text = (tmp_path / "p.kml").read_text(encoding="utf-8")
        text = re.sub(r"<Placemark([^>]*)>", r"<placemark\1>", text, count=1).replace("</Placemark>", "</placemark>", 1)
        assert "6 placemarks or shapes in the file, and 5" in refusal(written(tmp_path / "p.kml", text))

    def test_a_mif_with_an_object_that_is_none(self, tmp_path, frame):
        frame.to_file(tmp_path / "p.mif", driver="MapInfo File", FORMAT="MIF", encoding="CP1252")
        text = (tmp_path / "p.mif").read_text(encoding="latin-1")
        (tmp_path / "p.mif").write_text(re.sub(r"(?<=\n)Region", "Regoin", text, count=3), encoding="latin-1")
        assert "Regoin" in refusal(tmp_path / "p.mif")

    def test_a_quotation_mark_that_is_never_closed(self, tmp_path):
        rows = ["KEY,OWNER,CITY", '1,"DOE J,X', "2,ROE R,X", '3,POE" E,X', "4,MOE M,X"]
        with pytest.raises(UnreadableLayer) as caught:
            read_roll_table(written(tmp_path / "r.csv", "\n".join(rows)))
        assert caught.value.faults[0].file
        assert caught.value.faults[0].what == (
            "row 2, column OWNER, holds several rows: it has 4 separators, as many as whole rows have"
        )

    def test_a_workbook_whose_extent_is_wrong_is_read_whole(self, tmp_path):
        import openpyxl

        book = openpyxl.Workbook()
        for n in range(20):
            book.active.append([n, f"OWNER {n}"])
        book.save(tmp_path / "a.xlsx")
        with zipfile.ZipFile(tmp_path / "a.xlsx") as old, zipfile.ZipFile(tmp_path / "r.xlsx", "w") as new:
            for item in old.namelist():
                new.writestr(item, old.read(item).replace(b'ref="A1:B20"', b'ref="A1"'))
        table = read_roll_table(tmp_path / "r.xlsx").table
        assert (table.num_rows, table.num_columns) == (19, 2)

    def test_a_record_that_lies_nowhere_is_named(self, tmp_path, collection):
        collection["features"][1]["geometry"] = {"type": "Point", "coordinates": [-1.7e308, -1.7e308]}
        raw = read_layer(written(tmp_path / "p.geojson", collection))
        assert (len(raw), shapely.is_missing(raw.geometry).tolist()) == (6, [False, True, False, False, False, False])
        assert "1 of 6, record 1 (" in raw.notes[0].text

    @pytest.mark.parametrize("none", [None, float("nan")])
    def test_a_record_whose_coordinates_are_no_numbers_is_named(self, tmp_path, collection, none):
        collection["features"][2]["geometry"] = {"type": "Point", "coordinates": [none, none]}
        raw = read_layer(written(tmp_path / "p.geojson", collection))
        assert np.flatnonzero(shapely.is_missing(raw.geometry) | shapely.is_empty(raw.geometry)).tolist() == [2]
        assert "1 (record 3)" in raw.notes[0].text

    def test_a_layer_of_which_half_lies_nowhere_is_refused(self, tmp_path, collection):
        for feature in collection["features"][:3]:
            feature["geometry"] = {"type": "Point", "coordinates": [-1.7e308, -1.7e308]}
        assert "3 of 6 records lie nowhere on Earth" in refusal(written(tmp_path / "p.geojson", collection))


class TestAFileOfAnotherKind:
    @pytest.mark.parametrize("name", ["p.geojson", "p.csv", "p.xlsx", "p.gpkg", "p", "p.dat"])
    @pytest.mark.parametrize(
        ("start", "remedy"),
        [
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it as .xlsx, or as CSV"),
            (b"\x1f\x8b\x08", "unpack it"),
            (b"%PDF-1.7", "ask for the layer itself"),
            (b"AC1027", "DXF"),
            (b"\x00\x01\x00\x00Standard Jet DB", "file geodatabase or shapefile"),
        ],
    )
    def test_is_told_by_its_first_bytes_and_what_to_do_is_said(self, tmp_path, name, start, remedy):
        path = tmp_path / name
        path.write_bytes(start + bytes(600))
        assert remedy.lower() in refusal(path).lower()


class TestAnyColumnAndAnyText:
    @pytest.mark.parametrize("ending", ["geojson", "geojsonl", "gpkg", "fgb", "parquet", "csv"])
    @pytest.mark.parametrize(
        "name",
        [
            "geometry",
            "Shape",
            "rowid",
            "two words",
            'qu"ote',
            "it's",
            "a.b",
            "select",
            "TABLE",
            "naïve_É",
            "x" * 200,
            "type",
            "OGC_FID",
        ],
    )
    def test_any_name_of_a_column_in_any_format(self, tmp_path, frame, ending, name):
        frame = frame.rename_geometry("lots").rename(columns={"OWNER": name})
        path = tmp_path / f"p.{ending}"
        if ending == "parquet":
            frame.to_parquet(path)
        elif ending == "csv":
            frame.assign(WKT=frame.geometry.to_wkt()).drop(columns="lots").to_csv(path, index=False)
        else:
            driver = "GeoJSONSeq" if ending == "geojsonl" else None
            frame.to_crs("EPSG:4326" if ending.startswith("geojson") else "EPSG:2261").to_file(path, driver=driver)
        raw = read_layer(path, crs="EPSG:2261" if ending == "csv" else None)
        assert sorted(raw.table.column(name).to_pylist()) == sorted(OWNERS)  # a FlatGeobuf is sorted by place

    @pytest.mark.parametrize("name", ["coordinates", "pos", "posList", "x", "coord"])
    def test_a_column_of_a_gml_called_like_its_coordinates(self, tmp_path, frame, name):
        frame.rename(columns={"OWNER": name}).to_file(tmp_path / "p.gml", driver="GML")
        assert read_layer(tmp_path / "p.gml").table.column(name).to_pylist() == OWNERS

    @pytest.mark.parametrize("name", ["OGC_FID", "id", "fid", "FID", "geometry", "wkb_geometry", "geom"])
    def test_a_column_called_like_what_gdal_adds(self, tmp_path, collection, name):
        for n, feature in enumerate(collection["features"]):
            feature["properties"][name] = f"A{n}"
        raw = read_layer(written(tmp_path / "p.geojson", collection))
        assert len(raw) == 6
        assert raw.table.column(name).to_pylist() == [f"A{n}" for n in range(6)]
        assert raw.geometry[5].geom_type == "Polygon"

    @pytest.mark.parametrize("name", ["p.geojson", "p.geojsonl", "p.gml", "p.kml"])
    def test_windows_text_is_read_with_a_note(self, tmp_path, frame, name):
        driver = {".geojson": "GeoJSON", ".geojsonl": "GeoJSONSeq", ".gml": "GML", ".kml": "KML"}[Path(name).suffix]
        (frame if driver == "GML" else frame.to_crs("EPSG:4326")).to_file(tmp_path / name, driver=driver)
        text = (tmp_path / name).read_text(encoding="utf-8")
        (tmp_path / name).write_bytes(text.encode("cp1252"))
        raw = read_layer(tmp_path / name)
        assert "PEÑA JOSÉ" in raw.table.column("OWNER").to_pylist()
        assert any("accents" in note.text for note in raw.notes)

    def test_a_geopackage_with_text_that_is_not_utf_8(self, tmp_path, frame):
        frame.to_file(tmp_path / "p.gpkg", layer="p")
        with closing(sqlite3.connect(tmp_path / "p.gpkg")) as database, database:
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                database.execute(f'DROP TRIGGER "{name}"')
            database.execute("UPDATE p SET OWNER = CAST(x'50C9' AS TEXT) WHERE fid = 2")
        raw = read_layer(tmp_path / "p.gpkg")
        assert raw.table.column("OWNER").to_pylist()[:2] == ["PEÑA JOSÉ", "PÉ"]

    def test_utf_8_that_is_damaged_in_one_place_is_not_taken_for_windows_text(self, tmp_path):
        data = ("KEY,OWNER,CITY\n" + "".join(f"{n},ÉLAN {n},X\n" for n in range(9))).encode()
        (tmp_path / "r.csv").write_bytes(data.replace(b"\xc3\x89LAN 4", b"\xc3LAN 4"))
        with pytest.raises(UnreadableLayer, match="line 6"):
            read_roll_table(tmp_path / "r.csv")

    def test_a_truncated_roll_in_utf_16(self, tmp_path):
        (tmp_path / "r.csv").write_bytes("KEY,OWNER,CITY\n1,DOE,X\n".encode("utf-16")[:-1])
        with pytest.raises(UnreadableLayer, match="UTF-16"):
            read_roll_table(tmp_path / "r.csv")


def test_a_crs_that_gdal_can_parse_and_cannot_write(tmp_path, frame, monkeypatch):
    import pyogrio

    def no_crs(*_given, **_options):
        raise UnboundLocalError("local variable 'wkt' referenced before assignment")

    frame.to_file(tmp_path / "p.shp")
    monkeypatch.setattr(pyogrio, "read_info", no_crs)
    assert ".prj" in refusal(tmp_path / "p.shp")


class TestOnlyTheFileItself:
    VRT = '<OGRVRTDataSource><OGRVRTLayer name="p"><SrcDataSource relativeToVRT="1">other.gpkg</SrcDataSource><SrcLayer>p</SrcLayer></OGRVRTLayer></OGRVRTDataSource>'

    @pytest.mark.parametrize(
        "name",
        ["p.vrt", "p.kml", "p.gml", "p.xml", "p.geojson", "p.shp", "p.gpkg", "p.tab", "p.csv", "p", "p.fgb", "p.txt", "p.mif"],
    )
    @pytest.mark.parametrize(
        "text", [VRT, f"<!-- {VRT} -->{VRT}", "<OGRWFSDataSource><URL>http://127.0.0.1:9/</URL></OGRWFSDataSource>"]
    )
    def test_a_file_that_stands_for_others_whatever_it_is_called(self, tmp_path, frame, name, text):
        frame.to_file(tmp_path / "other.gpkg", layer="p")
        refusal(written(tmp_path / name, text), LayerError)

    def test_a_vrt_beside_a_sound_root(self, tmp_path, frame):
        frame.to_file(tmp_path / "other.gpkg", layer="p")
        refusal(written(tmp_path / "p.kml", f"<kml><Document/></kml>{self.VRT}"))

    def test_gdalg_and_entities(self, tmp_path):
        refusal(
            written(tmp_path / "p.json", {"type": "gdal_streamed_alg", "command_line": "gdal vector pipeline ! read /etc/passwd"})
        )
        bomb = '<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml><Document><name>&b;</name></Document></kml>'
        assert "entities" in refusal(written(tmp_path / "p.kml", bomb))

    def test_a_mapinfo_table_that_is_a_link(self, tmp_path):
        text = '!table\n!version 300\n!charset WindowsLatin1\n\nDefinition Table\n  Type LINKED Charset "WindowsLatin1"\n  File "other.tab"\n'
        assert "stands for other files" in refusal(written(tmp_path / "p.tab", text))

    def test_a_driver_that_is_not_meant_for_the_content_is_refused(self, tmp_path):
        from geonotice.layers.formats.check_and_open import Source
        from geonotice.layers.formats.gdal import require_driver

        for driver in ("OGR_VRT", "WFS", "OAPIF", "GDALG", "HTTP", "SQLite"):
            with pytest.raises(UnreadableLayer, match="of a kind that is not read"):
                require_driver(Source(path=tmp_path / "p.geojson", dataset="", kind="json"), driver)

    def test_no_module_opens_a_file_past_the_one_that_chooses_the_driver(self, root):
        """Every opening goes through geonotice.layers.formats.gdal; the exceptions write files, or read the store that this program wrote."""
        opening = re.compile(
            r"pyogrio\.(?:read|list|open|raw\.read)|fiona\.open|\bread_file\(|load_workbook\(|\.from_file\(|(?<!in )\bread_(?:arrow|dataframe|info|bounds)\("
        )
        may = {"layers/formats/gdal.py", "io/archives.py", "api.py"}
        package = root / "geonotice"
        found = {
            str(file.relative_to(package)).replace(os.sep, "/")
            for file in package.rglob("*.py")
            if any(
                opening.search(line)
                for line in file.read_text(encoding="utf-8").splitlines()
                if not line.lstrip().startswith("#")
            )
        }
        assert found <= may, found - may

    def test_nothing_is_written_beside_a_gml_and_a_gfs_beside_it_is_not_trusted(self, tmp_path, frame):
        frame.to_file(tmp_path / "p.gml", driver="GML")
        (tmp_path / "p.xsd").unlink()
        written(
            tmp_path / "p.gfs",
            "<GMLFeatureClassList><GMLFeatureClass><Name>p</Name><ElementPath>p</ElementPath><PropertyDefn><Name>PRINT_KEY</Name>"
            "<ElementPath>PRINT_KEY</ElementPath><Type>Integer</Type></PropertyDefn></GMLFeatureClass></GMLFeatureClassList>",
        )
        before = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
        raw = read_layer(tmp_path / "p.gml")
        assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before
        assert raw.table.column("OWNER").to_pylist()[1] == "DOE J"
        assert raw.table.column("PRINT_KEY").to_pylist()[1] == "001"


class TestWhatAnotherProgramHasNotSaved:
    @pytest.fixture
    def edited(self, tmp_path, frame):
        """A GeoPackage that a program has open, with a change that stands only in its journal."""
        path = tmp_path / "p.gpkg"
        frame.to_file(path, layer="p")
        database = sqlite3.connect(path)
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("PRAGMA journal_mode = wal")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("UPDATE p SET OWNER = 'NEW'")
        database.commit()
        yield path
        database.close()

    def test_it_is_read_and_is_a_source(self, edited):
        names = {file.name for file in edited.parent.iterdir()}
        assert set(read_layer(edited).table.column("OWNER").to_pylist()) == {"NEW"}
        assert {file.name for file in edited.parent.iterdir()} == names
        assert [file.name for file in files_of(edited)] == ["p.gpkg", "p.gpkg-wal"]

    def test_a_later_change_is_a_change_of_the_source(self, edited):
        from datetime import date

        from geonotice.model import Source

        source = Source("parcels", "p.gpkg", sha256_of(edited), date(2026, 1, 1), 6, "", 0, 0, files=state_of(edited))
        assert not changed_sources([source], edited.parent)
        with closing(sqlite3.connect(edited)) as database, database:
            database.execute("UPDATE p SET OWNER = 'NEWER' WHERE fid = 1")
        assert changed_sources([source], edited.parent) == ("p.gpkg has changed since it was imported",)


@pytest.mark.parametrize("part", ["p.dat", "p.map", "p.id", "p.tab"])
def test_every_part_of_a_mapinfo_table_is_a_source(tmp_path, frame, part):
    frame.to_file(tmp_path / "p.tab", driver="MapInfo File", encoding="CP1252")
    before = sha256_of(tmp_path / "p.tab")
    (tmp_path / part).write_bytes((tmp_path / part).read_bytes() + b"x")
    os.utime(tmp_path / part, ns=(1, 1))
    assert sha256_of(tmp_path / "p.tab") != before


class TestWithoutEnd:
    def view(self, tmp_path, frame, sql):
        path = tmp_path / "p.gpkg"
        frame.to_file(path, layer="p")
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"CREATE VIEW v AS {sql}")
            database.execute(
                "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('v', 'features', 'v', 2261)"
            )
            database.execute("INSERT INTO gpkg_geometry_columns VALUES ('v', 'geom', 'POLYGON', 2261, 0, 0)")
        return path

    def test_a_view_that_recurses(self, tmp_path, frame, monkeypatch):
        monkeypatch.setattr("geonotice.layers.formats.sqlite.MAX_STEPS", 50)
        path = self.view(
            tmp_path,
            frame,
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT r.n AS OGC_FID, p.geom, p.OWNER FROM r, p",
        )
        assert "does not come to an end" in refusal(path)

    def test_a_view_that_uses_a_function_of_gdal(self, tmp_path, frame):
        path = self.view(tmp_path, frame, "SELECT fid AS OGC_FID, geom, ogr_geocode('x') AS OWNER FROM p")
        assert "cannot be run" in refusal(path)

    def test_a_view_of_an_honest_kind_is_read(self, tmp_path, frame):
        path = self.view(tmp_path, frame, "SELECT fid AS OGC_FID, geom, OWNER FROM p WHERE fid < 4")
        assert len(read_layer(path, layer="v")) == 3

    def test_a_table_that_stands_for_another_file(self, tmp_path, frame):
        path = tmp_path / "p.gpkg"
        frame.to_file(path, layer="p")
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("PRAGMA writable_schema = on")
            database.execute(
                "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING VirtualOGR(''/etc/passwd'')')"
            )
        assert "stand for other files" in refusal(path)

    @pytest.mark.parametrize("name", ["bomb.zip", "bomb.kmz"])
    def test_a_zip_that_holds_far_more_than_it_weighs(self, tmp_path, name):
        inner = "p.kml" if name.endswith("kmz") else "p.geojson"
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(inner, "w") as stream:
            for _ in range(80):
                stream.write(b" " * (1 << 20))
        assert "would unpack to 80 MB" in refusal(tmp_path / name)

    def test_a_workbook_that_holds_far_more_than_it_weighs(self, tmp_path):
        with (
            zipfile.ZipFile(tmp_path / "r.xlsx", "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("xl/workbook.xml", "w") as stream,
        ):
            for _ in range(80):
                stream.write(b" " * (1 << 20))
        with pytest.raises(UnreadableLayer, match="would unpack to 80 MB"):
            read_roll_table(tmp_path / "r.xlsx")

    def test_one_record_without_bound(self, tmp_path, monkeypatch):
        monkeypatch.setattr("geonotice.layers.formats.json.MAX_ENTRY", 100_000)
        monkeypatch.setattr("geonotice.layers.formats.json.CHUNK", 10_000)
        ring = [[-77 + n / 1e6, 42.0] for n in range(20_000)]
        ring.append(ring[0])
        body = {
            "type": "FeatureCollection",
            "features": [{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}],
        }
        assert "one record of it" in refusal(written(tmp_path / "p.geojson", body))

    def test_brackets_without_end(self, tmp_path):
        text = (
            '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":'
            + "[" * 200_000
            + "]" * 200_000
            + '},"geometry":null}]}'
        )
        refusal(written(tmp_path / "p.geojson", text))


def test_a_document_is_counted_alike_in_pieces_of_any_size(tmp_path, collection, monkeypatch):
    from geonotice.layers.formats.json import records_of

    path = written(tmp_path / "p.geojson", json.dumps(collection, indent=1))
    for size in (1, 7, 64, 4096):
        monkeypatch.setattr("geonotice.layers.formats.json.CHUNK", size)
        assert list(records_of(path, path, "json", "p").corners) == [5] * 6


def test_a_roll_without_a_known_owner_column_is_refused(tmp_path):
    from geonotice.config.town import RollKey

    roll = written(tmp_path / "roll.csv", "KEY,NAMELINE\n1,DOE\n")
    spec = RollSpec(path=roll, given="roll.csv", key=RollKey(("KEY",)))
    with pytest.raises(MissingField) as caught:
        read_roll(spec, key_column="KEY", known={"1"})
    assert "NAMELINE" in str(caught.value)
    assert '[roll.fields] owner = "COLUMN"' in str(caught.value)


def test_a_path_on_another_drive_stands_whole_in_the_town_file(tmp_path, monkeypatch):
    from geonotice.layers import init

    def no_way(*_paths):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(init.os.path, "relpath", no_way)
    assert init._relative(tmp_path / "p.gpkg", tmp_path / "town").endswith("/p.gpkg")


def test_inspect_reads_what_import_reads(tmp_path, collection):
    collection["features"][0] = None
    with pytest.raises(UnreadableLayer, match="no features"):
        inspect_source(written(tmp_path / "p.geojson", collection))


class TestATopology:
    def topology(self, *, shapeless: int) -> dict:
        """Return six squares as arcs of their own, with one entry that has no shape."""
        corners = ((0, 0), (0.001, 0), (0.001, 0.001), (0, 0.001), (0, 0))
        arcs = [[[-77 + n / 100 + x, 42.6 + y] for x, y in corners] for n in range(6)]
        shapes = [{"type": "Polygon", "arcs": [[n]], "properties": {"PRINT_KEY": f"00{n}", "OWNER": OWNERS[n]}} for n in range(6)]
        shapes[shapeless] = {"type": None, "properties": shapes[shapeless]["properties"]}
        return {"type": "Topology", "arcs": arcs, "objects": {"lots": {"type": "GeometryCollection", "geometries": shapes}}}

    def test_names_the_entry_that_has_no_shape_and_reads_the_others(self, tmp_path):
        path = written(tmp_path / "lots.topojson", self.topology(shapeless=3))
        raw = read_layer(path, crs="EPSG:4326")
        assert len(raw.geometry) == 5
        (note,) = [note for note in raw.notes if note.code == "no_geometry"]
        assert "Record 4 has no shape" in note.text
        assert "POE E" in note.text


def test_a_roll_in_which_two_quotation_marks_swallow_rows_is_refused(tmp_path):
    """Each mark closes the other: the row of 1-1 would be a part of the first owner's name."""
    path = tmp_path / "roll.csv"
    path.write_text('PRINT_KEY,OWNER\n1-0,"BOB A\n1-1,"BOB B\n1-2,BOB C\n')
    spec = RollSpec(path=path, given="roll.csv")
    with pytest.raises(UnreadableLayer, match=r"row 2, column OWNER, holds several rows.* number 1-1"):
        read_roll(spec, key_column="PRINT_KEY", known={comparable(number) for number in ("1-0", "1-1", "1-2")})


def test_an_owner_of_several_lines_is_read(tmp_path):
    path = tmp_path / "roll.csv"
    path.write_text('PRINT_KEY,OWNER\n1-0,"BOB A\nC/O ANN B, 12 MAIN ST"\n1-1,BOB B\n')
    roll = read_roll(RollSpec(path=path, given="roll.csv"), key_column="PRINT_KEY", known={comparable("1-0"), comparable("1-1")})
    assert len(roll.number) == 2


@pytest.mark.parametrize(("again", "told"), [("ROE", 1), ("DOE", 0)])
def test_a_name_that_stands_twice_in_a_record_is_told_where_its_values_differ(tmp_path, again, told):
    ring = [[-77.0, 42.0], [-77.0, 42.001], [-77.001, 42.001], [-77.0, 42.0]]
    shape = json.dumps({"type": "Polygon", "coordinates": [ring]})
    record = f'{{"type": "Feature", "properties": {{"PIN": "1", "OWNER": "DOE", "OWNER": "{again}"}}, "geometry": {shape}}}'
    path = tmp_path / "twice.geojson"
    path.write_text(f'{{"type": "FeatureCollection", "features": [{record}]}}', encoding="utf-8")
    raw = read_layer(path)
    notes = [note.text for note in raw.notes if note.code == "twice"]
    assert len(notes) == told
    assert all("OWNER in record 1" in text for text in notes)
