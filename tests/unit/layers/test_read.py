"""Reading a layer: whole, in its own CRS, or refused in words."""

import json

import numpy as np
import pytest
import shapely

from geonotice.errors import UnknownCRS, WrongGeometry
from geonotice.layers.read import read_layer, require_parcels
from geonotice.layers.source import RawLayer

SQUARE = {
    "type": "Polygon",
    "coordinates": [[[-73.72, 40.72], [-73.719, 40.72], [-73.719, 40.721], [-73.72, 40.721], [-73.72, 40.72]]],
}


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


@pytest.fixture
def geojson(tmp_path):
    def write(*features, name="parcels.geojson", **extra):
        path = tmp_path / name
        path.write_text(json.dumps({"type": "FeatureCollection", **extra, "features": list(features)}), encoding="utf-8")
        return path

    return write


class TestWhatIsRead:
    def test_attributes_geometry_and_ids_stand_side_by_side(self, geojson):
        raw = read_layer(geojson(feature(SQUARE, KEY="1-1", OWNER="ROSSI MARIO"), feature(None, KEY="1-2", OWNER=None)))
        assert raw.columns == ("KEY", "OWNER")
        assert raw.table.column("KEY").to_pylist() == ["1-1", "1-2"]
        assert raw.geometry[0].equals(shapely.geometry.shape(SQUARE))
        assert raw.geometry[1] is None
        assert raw.fid.dtype == np.int64
        assert len(raw) == 2
        assert raw.crs == "EPSG:4326"

    def test_heights_are_left_out(self, geojson):
        tilted = {"type": "Polygon", "coordinates": [[[*point, 12.5] for point in SQUARE["coordinates"][0]]]}
        raw = read_layer(geojson(feature(tilted, KEY="1")))
        assert not shapely.has_z(raw.geometry).any()


class TestWhatCanBeParcels:
    def test_points_cannot(self, geojson):
        raw = read_layer(geojson(feature({"type": "Point", "coordinates": [-73.7, 40.7]}, KEY="1")))
        with pytest.raises(WrongGeometry, match="1 point"):
            require_parcels(raw)

    def test_polygons_can(self, geojson):
        raw = read_layer(geojson(feature(SQUARE, KEY="1")))
        assert isinstance(require_parcels(raw), RawLayer)

    def test_a_layer_without_crs_is_refused(self, tmp_path):
        from pyogrio.raw import write

        path = tmp_path / "bare.gpkg"
        write(
            path,
            geometry=shapely.to_wkb(np.array([shapely.box(0, 0, 1, 1)], dtype=object)),
            field_data=[np.array(["1"], dtype=object)],
            fields=["KEY"],
            geometry_type="Polygon",
            crs="EPSG:2263",
        )
        assert read_layer(path).crs == "EPSG:2263"
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(path)) as db, db:  # ``with`` on a connection ends its transaction and leaves it open
            db.execute("UPDATE gpkg_geometry_columns SET srs_id = -1")
            db.execute("UPDATE gpkg_contents SET srs_id = -1")
        with pytest.raises(UnknownCRS, match="--crs"):
            read_layer(path)
        assert read_layer(path, crs="EPSG:2263").crs == "EPSG:2263"
