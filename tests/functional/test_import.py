"""Import, from a layer's file to the store read back."""

import json
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.errors import UnreadableLayer
from geonotice.layers.build import import_town
from geonotice.store import Store
from geonotice.town import LayerSpec, Town


def town_of(folder: Path, *paths: Path, crs: str = "EPSG:2261", fields: dict[str, str] | None = None) -> Town:
    """Give a town in a folder, with these parcel layers."""
    file = folder / "town.toml"
    file.write_text("[town]\n", encoding="utf-8")
    specs = tuple(LayerSpec("parcels", path, path.name, fields=fields or {}) for path in paths)
    return Town(name="Town", ordinance="italy", crs=crs, swis=(), file=file, parcels=specs)


def lots(path: Path, rows: list[dict[str, object]], crs: str = "EPSG:2261") -> Path:
    """Write lots of 100 by 100 ft in a row, one for each row of attributes; ``geometry`` in a row overrides its lot."""
    shapes = [
        row.pop("geometry", shapely.box(700000 + 100 * i, 1000000, 700100 + 100 * i, 1000100)) for i, row in enumerate(rows)
    ]
    gpd.GeoDataFrame(rows, geometry=shapes, crs=crs).to_file(path, driver="GPKG")
    return path


def nys(number: str, owner: str, swis: str = "572400", **more: object) -> dict[str, object]:
    """Give one row of the State's schema."""
    return {
        "PRINT_KEY": number, "SWIS": swis, "MUNI_NAME": "Italy", "PARCEL_ADDR": "1 Main St", "PRIMARY_OWNER": owner, "MAIL_ADDR": "1 Main St", "PO_BOX": None,
        "MAIL_CITY": "Naples", "MAIL_STATE": "NY", "MAIL_ZIP": "14512", "PROP_CLASS": "210", **more,
    }  # fmt: skip


def problems(store: Store, code: str) -> list[tuple[str, str]]:
    return [(item.key, item.text) for item in store.problems(code)]


def test_every_parcel_and_owner_comes_back(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE, JANE"), nys("1.-1-2", "ROE, R.", PO_BOX="12")])
    report = import_town(town_of(tmp_path, path), meta={"profile": "{}"})
    assert report.counts["parcels"] == 2
    store = Store(report.store)
    parcel = store.find("1.-1-2")
    assert (parcel.swis, parcel.role, parcel.property_class, parcel.area_sq_ft) == ("572400", "lot", "210", 10000.0)
    (owner,) = store.owners_of([parcel.fid])[parcel.fid]
    assert owner.names == ("ROE, R.",)
    assert owner.address == ("1 Main St", "PO BOX 12")
    assert (owner.city, owner.state, owner.zip) == ("Naples", "NY", "14512")
    assert not report.problems


def test_rows_of_one_number_are_one_parcel_with_all_owners(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE, JANE"), nys("1.-1-2", "ROE"), nys("1.-1-1", "POE, E")])
    store = Store(import_town(town_of(tmp_path, path, fields={"tax_map_number": "PRINT_KEY"})).store)
    parcel = store.find("1.-1-1")
    assert [owner.names for owner in store.owners_of([parcel.fid])[parcel.fid]] == [("DOE, JANE",), ("POE, E",)]
    assert parcel.area_sq_ft == 20000.0
    assert [key for key, _ in problems(store, "dissolved")] == ["1.-1-1"]


def test_one_number_in_two_swis_is_two_parcels(tmp_path: Path):
    rows = [nys(f"1.-1-{i}", "DOE") for i in range(1, 100)] + [nys("1.-1-1", "ROE", swis="573000")]
    store = Store(import_town(town_of(tmp_path, lots(tmp_path / "p.gpkg", rows))).store)
    assert store.find("572400/1.-1-1").id == "572400/1.-1-1"
    assert store.find("573000/1.-1-1").swis == "573000"
    assert not problems(store, "dissolved")


def test_what_is_dropped_is_named_with_its_owner(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE"), nys("1.-1-2", "ROE", geometry=None)])
    store = Store(import_town(town_of(tmp_path, path)).store)
    assert store.count() == 1
    assert problems(store, "dropped") == [("1.-1-2", "it has no geometry; owner: ROE")]


def test_an_import_that_fails_leaves_the_store_that_was_there(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE")])
    report = import_town(town_of(tmp_path, path))
    before = report.store.read_bytes()
    path.write_bytes(b"no layer")
    with pytest.raises(UnreadableLayer):
        import_town(town_of(tmp_path, path))
    assert report.store.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir() if "importing" in item.name] == []


def test_gdal_lists_every_table(tmp_path: Path):
    import pyogrio

    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE")])
    report = import_town(town_of(tmp_path, path), meta={"profile": json.dumps({"id": "italy"})})
    assert {"parcels", "owners", "sources", "problems", "meta"} <= {name for name, _ in pyogrio.list_layers(report.store)}
    assert pyogrio.read_info(report.store, layer="parcels")["crs"] == "EPSG:2261"


@pytest.mark.shared
def test_bellerose_is_the_same_in_every_format(tmp_path: Path, shared: Path):
    made = {}
    files = [shared / "data/bellerose-ny/parcels.geojson", *(shared / "data/bellerose-ny-formats").glob("parcels_*")]
    sources = [file for file in files if file.suffix not in {".shx", ".dbf", ".prj", ".cpg", ".xsd"}]
    assert len(sources) == 10
    for file in sources:
        folder = tmp_path / file.name
        folder.mkdir()
        report = import_town(town_of(folder, file, crs="EPSG:2263", fields={"tax_map_number": "PARCELKEY"}))
        store = Store(report.store)
        block = store.parcels_in((0, 0, 2e6, 2e6))
        owners = store.owners_of([parcel.fid for parcel in block.parcels])
        made[file.name] = {
            parcel.id: (shape, [(o.names[0], o.address, o.city, o.zip) for o in owners[parcel.fid]])
            for parcel, shape in zip(block.parcels, block.geometries, strict=True)
        }
    first = made["parcels.geojson"]
    assert len(first) == 417
    for parcels in made.values():
        assert parcels.keys() == first.keys()
        for number, (shape, owners) in parcels.items():
            assert owners == first[number][1]
            assert shapely.hausdorff_distance(shape, first[number][0]) < 0.05
