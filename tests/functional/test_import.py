"""Import, from a layer's file to the store read back."""

import contextlib
import io
import json
import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
import shapely
from program import exit_code, run_here
from rich.console import Console

from geonotice.config.read_town import read_town_file
from geonotice.config.town import DistrictSpec, Layers, LayerSpec, ParcelSpec, RollKey, RollSpec, Town, TownSpec
from geonotice.errors import LayerError, MissingField, StoreError, UnreadableLayer
from geonotice.io.source_files import changed_sources
from geonotice.layers.import_layers import import_town, roll_warning
from geonotice.layers.init import propose_town_file
from geonotice.layers.reports import render_import_report
from geonotice.store import Store


def town_of(folder: Path, *paths: Path, crs: str = "EPSG:2261", fields: dict[str, str] | None = None) -> Town:
    """Return a town in a folder, with these parcel layers."""
    file = folder / "town.toml"
    file.write_text("[town]\n", encoding="utf-8")
    specs = tuple(ParcelSpec(path=path, given=path.name, fields=fields or {}) for path in paths)
    return Town(town=TownSpec(name="Town", ordinance="italy", crs=crs), layers=Layers(parcels=specs), file=file)


def lots(path: Path, rows: list[dict[str, object]], crs: str = "EPSG:2261") -> Path:
    """Write lots of 100 by 100 ft in a row, one for each row of attributes; ``geometry`` in a row overrides its lot."""
    shapes = [
        row.pop("geometry", shapely.box(700000 + 100 * i, 1000000, 700100 + 100 * i, 1000100)) for i, row in enumerate(rows)
    ]
    gpd.GeoDataFrame(rows, geometry=shapes, crs=crs).to_file(path, driver="GPKG")
    return path


def nys(number: str, owner: str, swis: str = "572400", **more: object) -> dict[str, object]:
    """Return one row of the State's schema."""
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


# -- adjoining layers ----------------------------------------------------------------------------------------------------------


def test_the_same_parcel_in_two_layers_keeps_the_first_polygon_and_both_owners(tmp_path: Path):
    ours = lots(tmp_path / "a.gpkg", [nys("1.-1-1", "DOE, JANE")])
    theirs = lots(tmp_path / "b.gpkg", [nys("1.-1-1", "ROE, R", geometry=shapely.box(700000, 1000000, 700200, 1000100))])
    store = Store(import_town(town_of(tmp_path, ours, theirs)).store)
    parcel = store.find("1.-1-1")
    assert (store.count(), parcel.layer, parcel.area_sq_ft) == (1, 0, 10000.0)
    assert [owner.names[0] for owner in store.owners_of([parcel.fid])[parcel.fid]] == ["DOE, JANE", "ROE, R"]
    assert [key for key, _ in problems(store, "duplicate_layer")] == ["1.-1-1"]


def test_one_number_in_two_layers_without_swis_is_two_parcels(tmp_path: Path):
    ours = lots(tmp_path / "a.gpkg", [{"PIN": "7", "OWNER": "DOE"}])
    theirs = lots(tmp_path / "b.gpkg", [{"PIN": "7", "OWNER": "ROE", "geometry": shapely.box(700110, 1000000, 700200, 1000100)}])
    store = Store(import_town(town_of(tmp_path, ours, theirs)).store)
    block = store.parcels_in((0, 0, 2e6, 2e6))
    assert [parcel.id for parcel in block.parcels] == ["7", "parcels 2/7"]
    assert store.find("7").layer == 0


def test_lines_of_two_layers_that_do_not_meet_are_told(tmp_path: Path):
    ours = lots(tmp_path / "a.gpkg", [nys("1.-1-1", "DOE"), nys("1.-1-2", "DOE")])
    boxes = [shapely.box(700205, 1000000, 700300, 1000100), shapely.box(699900, 1000000, 700010, 1000100)]
    theirs = lots(tmp_path / "b.gpkg", [nys(f"9.-1-{i}", "ROE", swis="463000", geometry=box) for i, box in enumerate(boxes)])
    store = Store(import_town(town_of(tmp_path, ours, theirs)).store)
    told = dict(problems(store, "overlap"))
    assert "1.-1-1 of parcels by 1,000 sq ft" in told["9.-1-1"]
    assert "up to 5.0 ft away" in told[""]


def test_stacked_parcels_stay_each_with_its_owner(tmp_path: Path):
    path = lots(
        tmp_path / "p.gpkg", [nys("1.-1-1", "DOE"), nys("1.-1-2", "ROE", geometry=shapely.box(700000, 1000000, 700100, 1000100))]
    )
    store = Store(import_town(town_of(tmp_path, path)).store)
    assert store.count() == 2
    assert [key for key, _ in problems(store, "stacked")] == ["1.-1-1"]


# -- rolls ---------------------------------------------------------------------------------------------------------------------

ROLL = "SWIS,PRINT_KEY,PRIMARY_OWNER,MAIL_ADDR,MAIL_CITY,MAIL_STATE,MAIL_ZIP\n"


def with_roll(town: Town, path: Path, **more: object) -> Town:
    return replace(town, rolls=(RollSpec(path=path, given=path.name, roll_year=2026, final=True, **more),))


def roll_csv(path: Path, rows: str, encoding: str = "utf-8") -> Path:
    path.write_bytes((ROLL + rows).encode(encoding))
    return path


def test_the_rolls_owners_take_the_place_of_the_layers(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD"), nys("1.-1-2", "KEPT"), nys("1.-1-3", "ALSO KEPT")])
    roll = roll_csv(
        tmp_path / "roll.csv",
        '572400,1.-1-1,"NEW, A",9 Elm St,Naples,NY,14512\n572400,1.-1-1,"NEW, B",10 Elm St,Naples,NY,14512\n572400,1.-1-3,,,,,\n572400,8.-8-8,GONE,,,,\n',
    )
    store = Store(import_town(with_roll(town_of(tmp_path, path), roll)).store)
    owners = store.owners_of([1, 2, 3])
    assert [(o.names, o.source, o.roll_year, o.n) for o in owners[1]] == [
        (("NEW, A",), "roll", 2026, 0),
        (("NEW, B",), "roll", 2026, 1),
    ]
    assert [(o.names, o.source) for o in owners[2]] == [(("KEPT",), "layer")]
    assert [(o.names, o.source) for o in owners[3]] == [(("ALSO KEPT",), "layer")]
    assert problems(store, "unmatched_roll") == [("8.-8-8", "no parcel has this number; owner: GONE")]
    assert [key for key, _ in problems(store, "unmatched_parcel")] == ["1.-1-2"]
    assert [key for key, text in problems(store, "unmailable") if "roll names no owner" in text] == ["1.-1-3"]
    assert [(s.layer, s.features, s.roll_year, s.final) for s in store.sources()][1] == ("roll", 4, 2026, True)


def test_the_roll_tells_two_swis_apart(tmp_path: Path):
    rows = [nys(f"1.-1-{i}", "DOE") for i in range(1, 100)] + [nys("1.-1-1", "Y", swis="573000")]
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", rows))
    roll = roll_csv(tmp_path / "roll.csv", "573000,1.-1-1,NEW,1 A St,Naples,NY,14512\n")
    store = Store(import_town(with_roll(town, roll)).store)
    fids = {store.find(f"{swis}/1.-1-1").swis: store.find(f"{swis}/1.-1-1").fid for swis in ("572400", "573000")}
    owners = store.owners_of(fids.values())
    assert owners[fids["573000"]][0].names == ("NEW",)
    assert owners[fids["572400"]][0].names == ("DOE",)


def test_a_number_that_could_be_either_of_two_is_not_guessed(tmp_path: Path):
    rows = [nys(f"1.-1-{i}", "DOE") for i in range(1, 100)] + [nys("1.-1-1", "Y", swis="573000")]
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", rows))
    roll = tmp_path / "roll.csv"
    roll.write_text("PRINT_KEY,OWNER\n1.-1-1,NEW\n", encoding="utf-8")
    store = Store(import_town(with_roll(town, roll)).store)
    assert problems(store, "unmatched_roll") == [
        ("1.-1-1", "several parcels have this number, and the roll does not say which SWIS; owner: NEW")
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_rolls_letters_are_read_in_the_encoding_it_has(tmp_path: Path, encoding: str):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD")])
    roll = roll_csv(tmp_path / "roll.csv", "572400,1.-1-1,MUÑOZ É,1 A St,Naples,NY,14512\n", encoding)
    store = Store(import_town(with_roll(town_of(tmp_path, path), roll)).store)
    assert store.owners_of([1])[1][0].names == ("MUÑOZ É",)


def test_a_roll_may_be_a_workbook(tmp_path: Path):
    import openpyxl

    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD")])
    book = openpyxl.Workbook()
    book.active.append(["SWIS", "PRINT_KEY", "PRIMARY_OWNER", "MAIL_ADDR", "MAIL_CITY", "MAIL_STATE", "MAIL_ZIP"])
    book.active.append([572400, "1.-1-1", "NEW", "1 A St", "Boston", "MA", 2118])
    book.save(tmp_path / "roll.xlsx")
    store = Store(import_town(with_roll(town_of(tmp_path, path), tmp_path / "roll.xlsx")).store)
    (owner,) = store.owners_of([1])[1]
    assert (owner.names, owner.zip) == (("NEW",), "02118")


def test_a_roll_without_a_key_is_refused_with_what_to_declare(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD")])
    roll = tmp_path / "roll.csv"
    roll.write_text("MAP,LOT,OWNER\n1,2,X\n", encoding="utf-8")
    with pytest.raises(MissingField, match=r"roll\.key"):
        import_town(with_roll(town_of(tmp_path, path), roll))


@pytest.mark.shared
def test_the_roll_of_washington_finds_its_parcels(tmp_path: Path, shared: Path):
    town = town_of(tmp_path, shared / "data/washington-nh/parcels.geojson", crs="EPSG:3437", fields={"tax_map_number": "id"})
    key = RollKey(("MAP", "LOT", "SUB"), "-", strip_leading_zeros=True, drop_zero_parts=True)
    store = Store(import_town(with_roll(town, shared / "data/washington-nh/avitar_roll.dbf", key=key)).store)
    assert len(problems(store, "unmatched_parcel")) == 2016 - 1895
    assert len(problems(store, "unmatched_roll")) == 2029 - 1895
    assert store.count() == 2016


# -- the other layers ----------------------------------------------------------------------------------------------------------


def with_layer(town: Town, kind: str, path: Path, **fields: str) -> Town:
    layer = LayerSpec(kind=kind, path=path, given=path.name, fields=fields)
    return replace(town, layers=replace(town.layers, **{kind: layer}))


def features(path: Path, rows: list[dict[str, object]]) -> Path:
    gpd.GeoDataFrame(rows, geometry="geometry", crs="EPSG:2261").to_file(path, driver="GPKG")
    return path


def test_address_points_go_to_the_parcel_they_lie_on_or_beside(tmp_path: Path):
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE"), nys("1.-1-2", "ROE")]))
    places = {"1 Main St": (700050, 1000050), "2 Main St": (700150, 999980), "3 Main St": (700150, 999000)}
    points = features(
        tmp_path / "points.gpkg", [{"ADDRESS": name, "geometry": shapely.Point(*at)} for name, at in places.items()]
    )
    store = Store(import_town(with_layer(town, "address_points", points)).store)
    found = store.address_points_of([1, 2])
    assert [(p.number, p.street) for p in found[1]] == [("1", "Main St")]
    assert [(p.number, p.street) for p in found[2]] == [("2", "Main St")]
    assert [key for key, _ in problems(store, "address_point_off")] == ["3 Main St"]


def test_codes_of_the_road_inventory_are_put_in_words(tmp_path: Path):
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE")]))
    line = shapely.LineString([(700000, 999980), (700300, 999980)])
    rows = [{"Road_Name": name, "Jurisdiction": code, "geometry": line} for name, code in (("MAIN ST", "03"), ("ROUTE 9", "01"))]
    store = Store(import_town(with_layer(town, "streets", features(tmp_path / "s.gpkg", rows))).store)
    block = store.features_in("streets", (0, 0, 2e6, 2e6))
    assert [(row["name"], row["jurisdiction"]) for row in block.rows] == [("MAIN ST", "Town"), ("ROUTE 9", "State")]


def test_the_kind_of_a_municipality_is_known_by_its_swis(tmp_path: Path):
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE")]))
    rows = [
        {"NAME": name, "SWIS": swis, "geometry": shapely.box(0, 0, 1e6, 2e6)}
        for name, swis in (("Italy", "572400"), ("Naples", "324801"))
    ]
    store = Store(import_town(with_layer(town, "municipalities", features(tmp_path / "m.gpkg", rows))).store)
    assert [row["kind"] for row in store.features_in("municipalities", (0, 0, 2e6, 2e6)).rows] == ["town", "village"]


def test_all_layers_that_are_at_fault_are_named_at_once(tmp_path: Path):
    town = town_of(tmp_path, lots(tmp_path / "p.gpkg", [{"NOTHING": "x"}]))
    point = features(tmp_path / "z.gpkg", [{"ZONE": "R-1", "geometry": shapely.Point(0, 0)}])
    with pytest.raises(LayerError) as caught:
        import_town(with_layer(town, "zoning", point))
    assert [fault.file for fault in caught.value.faults] == ["p.gpkg", "z.gpkg"]
    assert not town.store.exists()


def test_every_layer_has_a_style_for_qgis(tmp_path: Path):
    import sqlite3
    from xml.etree import ElementTree as ET

    store = import_town(town_of(tmp_path, lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE")]))).store
    with contextlib.closing(sqlite3.connect(store)) as db:
        rows = db.execute("SELECT f_table_name, styleQML, styleSLD, useAsDefault FROM layer_styles").fetchall()
    assert [(row[0], row[3]) for row in rows] == [("parcels", 1)]
    qml = ET.fromstring(rows[0][1].split("\n", 1)[1])  # noqa: S314  # what the program wrote itself
    assert {item.get("value") for item in qml.iter("category")} == {"lot", "right_of_way", "railroad", "water"}
    assert ET.fromstring(rows[0][2]).tag.endswith("StyledLayerDescriptor")  # noqa: S314  # as above


# -- the town file -------------------------------------------------------------------------------------------------------------


def test_a_drafted_town_file_can_be_imported_as_it_is(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys(f"1.-1-{i}", "DOE", ROLL_YR=2026) for i in range(3)])
    draft = propose_town_file(tmp_path, parcels=path, ordinance="italy")
    assert not draft.questions
    (tmp_path / "town.toml").write_text(draft.text, encoding="utf-8")
    town = read_town_file(tmp_path)
    assert (town.name, town.crs, town.swis, town.parcels[0].roll_year) == ("Italy", "EPSG:2261", ("5724",), 2026)
    assert import_town(town).counts["parcels"] == 3


def test_a_question_stands_in_the_draft_and_import_refuses_until_it_is_answered(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [{"ID": "a", "OWNER": "DOE"}, {"ID": "a", "OWNER": "ROE"}])
    draft = propose_town_file(tmp_path, parcels=path, ordinance="italy")
    assert len(draft.questions) == 1
    assert "# QUESTION: which column is the tax map number?" in draft.text
    (tmp_path / "town.toml").write_text(draft.text, encoding="utf-8")
    with pytest.raises(MissingField, match=r"p\.gpkg, layer p, tax_map_number: tax_map_number is left open"):
        import_town(read_town_file(tmp_path))
    answered = draft.text.replace('tax_map_number = ""', 'tax_map_number = "ID"')
    (tmp_path / "town.toml").write_text(answered, encoding="utf-8")
    assert import_town(read_town_file(tmp_path)).counts["owners"] == 2


def test_a_layer_outside_new_york_gets_its_own_zone_and_says_so(tmp_path: Path):
    path = lots(
        tmp_path / "p.gpkg", [{"PIN": "1", "OWNER": "X", "geometry": shapely.box(14.4, 50.1, 14.401, 50.101)}], crs="EPSG:4326"
    )
    draft = propose_town_file(tmp_path, parcels=path, ordinance="italy")
    assert 'crs = "EPSG:32633"' in draft.text
    assert any("UTM" in note for note in draft.notes)


@pytest.mark.parametrize(
    ("year", "final", "words"),
    [
        (2026, True, ""),
        (None, None, "not known"),
        (2025, True, "older than that of July 1, 2026"),
        (2026, False, "not the final one"),
    ],
)
def test_the_age_of_the_roll_is_judged(year: int | None, final: bool | None, words: str):  # noqa: FBT001  # a case of the table
    text = roll_warning(year, final=final, on=date(2026, 11, 30))
    assert words in text
    assert bool(text) == bool(words)


def test_the_report_names_everything(tmp_path: Path):
    from rich.console import Console

    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "DOE"), nys("1.-1-2", "[red]ROE", geometry=None)])
    report = import_town(town_of(tmp_path, path))
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(render_import_report(report))
    text = console.export_text()
    assert "PRIMARY_OWNER" in text
    assert "owner: [red]ROE" in text
    assert "its date is not known" in text
    assert report.to_json()["problems"] == {"dropped": 1}


def test_the_owner_of_a_row_without_a_polygon_stays_with_the_parcel(tmp_path: Path):
    rows = [nys("1.-1-1", "ROE", geometry=None), nys("1.-1-1", "DOE"), nys("1.-1-2", "POE"), nys("1.-1-3", "MOE", geometry=None)]
    store = Store(import_town(town_of(tmp_path, lots(tmp_path / "p.gpkg", rows), fields={"tax_map_number": "PRINT_KEY"})).store)
    parcel = store.find("1.-1-1")
    assert {owner.names[0] for owner in store.owners_of([parcel.fid])[parcel.fid]} == {"DOE", "ROE"}
    assert [owner.n for owner in store.owners_of([parcel.fid])[parcel.fid]] == [0, 1]
    assert ("1.-1-3", "it has no geometry; owner: MOE") in problems(store, "dropped")
    assert [key for key, _ in problems(store, "dissolved")] == ["1.-1-1"]


def test_the_rolls_key_is_the_column_that_most_parcels_are_known_by(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD")])
    roll = tmp_path / "roll.csv"
    roll.write_text("SBL;PRINT_KEY;OWNER\n00100001;1.-1-1;NEW\n", encoding="utf-8")
    report = import_town(with_roll(town_of(tmp_path, path), roll))
    assert Store(report.store).owners_of([1])[1][0].names == ("NEW",)


def test_a_change_of_a_shapefiles_table_is_a_change_of_the_source(tmp_path: Path):
    frame = gpd.GeoDataFrame(
        [{"PRINT_KEY": "1.-1-1", "OWNER": "DOE"}], geometry=[shapely.box(700000, 1000000, 700100, 1000100)], crs="EPSG:2261"
    )
    frame.to_file(tmp_path / "p.shp")
    store = Store(import_town(town_of(tmp_path, tmp_path / "p.shp")).store)
    assert not changed_sources(store.sources(), tmp_path)
    table = (tmp_path / "p.dbf").read_bytes()
    (tmp_path / "p.dbf").write_bytes(table.replace(b"DOE", b"ROE"))
    assert changed_sources(store.sources(), tmp_path) == ("p.shp has changed since it was imported",)


def test_a_roll_that_matches_no_parcel_at_all_is_refused_with_both_spellings(tmp_path: Path):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "OLD"), nys("1.-1-2", "OTHER")])
    roll = roll_csv(tmp_path / "roll.csv", "572400,111,NEW A,,,,\n572400,112,NEW B,,,,\n")
    with pytest.raises(LayerError) as caught:
        import_town(with_roll(town_of(tmp_path, path), roll))
    (fault,) = caught.value.faults
    assert (fault.file, fault.key) == ("roll.csv", "roll.key")
    assert "111" in fault.what
    assert "1.-1-1" in fault.what
    assert "strip_leading_zeros" in fault.remedy
    assert not (tmp_path / "store.gpkg").exists()


def test_a_folder_in_the_stores_place_and_one_that_cannot_be_written_to_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = lots(tmp_path / "p.gpkg", [nys("1.-1-1", "A")])
    town = town_of(tmp_path, path)
    town.store.mkdir()
    with pytest.raises(StoreError, match="a folder where the store belongs"):
        import_town(town)
    town.store.rmdir()

    def denied(self: Path, **_more: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "touch", denied)
    with pytest.raises(StoreError, match=r"nothing can be written to the town's folder \(Permission denied\)"):
        import_town(town)


def test_a_store_that_may_not_be_read_is_said(tmp_path, monkeypatch):
    def refused(*_args: object, **_more: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    (tmp_path / "store.gpkg").touch()
    monkeypatch.setattr(sqlite3, "connect", refused)
    with pytest.raises(StoreError, match=r"store\.gpkg: the store cannot be read .* Ask for the right to read it"):
        Store(tmp_path / "store.gpkg")


@pytest.mark.parametrize("warnings", [(), ("The roll is old.",)])
def test_the_report_says_that_there_are_no_problems_only_where_it_does_not_warn(tmp_path, warnings):
    report = import_town(town_of(tmp_path, lots(tmp_path / "p.gpkg", [{"PRINT_KEY": "1-1", "OWNER": "A"}])))
    console = Console(file=io.StringIO(), width=300)
    console.print(render_import_report(replace(report, problems=(), warnings=warnings)))
    assert ("No problems were found" in console.file.getvalue()) is not bool(warnings)
    assert ("! The roll is old." in console.file.getvalue()) is bool(warnings)


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("parcels", "1 parcel", "2 parcels"),
        ("municipalities", "1 municipality", "2 municipalities"),
        ("water", "1 body of water", "2 bodies of water"),
        ("zoning", "1 zoning district", "2 zoning districts"),
        ("address_points", "1 address point", "2 address points"),
    ],
)
def test_the_report_counts_in_words(tmp_path, name, one, many):
    report = import_town(town_of(tmp_path, lots(tmp_path / "p.gpkg", [{"PRINT_KEY": "1-1", "OWNER": "A"}])))
    for count, words in ((1, one), (2, many)):
        console = Console(file=io.StringIO(), width=300)
        console.print(render_import_report(replace(report, counts={name: count})))
        assert console.file.getvalue().rstrip().endswith(f": {words}")


class TestADistrictOfTheTownFile:
    """[[districts]]: a code that no district has would change nothing, and no list would say so."""

    def town(self, folder, *, zoning):
        made = town_of(folder, lots(folder / "p.gpkg", [{"PRINT_KEY": "1-1", "OWNER": "A"}]))
        if zoning:
            square = shapely.box(699000, 999000, 701000, 1001000)
            gpd.GeoDataFrame({"DISTRICT": ["HB"]}, geometry=[square], crs="EPSG:2261").to_file(folder / "z.gpkg", driver="GPKG")
            made = replace(
                made, layers=replace(made.layers, zoning=LayerSpec(kind="zoning", path=folder / "z.gpkg", given="z.gpkg"))
            )
        return replace(
            made, districts=(DistrictSpec("hb", "the Town Attorney", "other"), DistrictSpec("HBB", "the same", "other"))
        )

    def test_that_the_layer_does_not_have_is_said(self, tmp_path):
        said = [warning for warning in import_town(self.town(tmp_path, zoning=True)).warnings if "[[districts]]" in warning]
        assert said == ["[[districts]] HBB: no district of z.gpkg has this code, so it changes nothing"]

    def test_without_a_zoning_layer_is_said(self, tmp_path):
        said = [warning for warning in import_town(self.town(tmp_path, zoning=False)).warnings if "[[districts]]" in warning]
        assert said == ["[[districts]] of the town file changes nothing: the town file names no zoning layer"]


class TestAnswersForAnotherLayer:
    @pytest.fixture
    def town(self, tmp_path: Path) -> Path:
        """A town file with a layer of address points whose street is in a column of no known name."""
        gpd.GeoDataFrame(
            {"PRINT_KEY": ["1.-1-1"], "OWNER1": ["DOE"], "MUNI": ["Hunter"]},
            geometry=[shapely.box(600000, 1000000, 600200, 1000200)],
            crs=2261,
        ).to_file(tmp_path / "parcels.gpkg")
        gpd.GeoDataFrame({"HSE": ["7"], "RUE": ["Elm St"]}, geometry=[shapely.Point(600100, 1000100)], crs=2261).to_file(
            tmp_path / "points.gpkg"
        )
        run_here("init", tmp_path / "t", "--parcels", tmp_path / "parcels.gpkg", "--ordinance", "italy")
        with (tmp_path / "t" / "town.toml").open("a") as file:
            file.write('\n[layers.address_points]\npath = "../points.gpkg"\n')
        return tmp_path / "t"

    def test_are_written_below_that_layer(self, town: Path):
        run_here("init", town, "--field", "address_points.street=RUE", "--field", "address_points.number=HSE")
        written = (town / "town.toml").read_text()
        assert written.rstrip().endswith('[layers.address_points.fields]\nnumber = "HSE"\nstreet = "RUE"')

    @pytest.mark.parametrize(
        ("field", "told"),
        [
            ("address_points.street=NOPE", "no column 'NOPE'"),
            ("zoning.district=X", "no layer 'zoning'"),
            ("oak.x=Y", "no layer 'oak'"),
        ],
    )
    def test_that_cannot_be_are_refused_and_nothing_is_written(
        self, town: Path, field: str, told: str, capfd: pytest.CaptureFixture[str]
    ):
        before = (town / "town.toml").read_text()
        assert exit_code("init", town, "--field", field) in {2, 3}
        assert told in capfd.readouterr().err
        assert (town / "town.toml").read_text() == before

    def test_a_municipality_is_written_as_the_layer_spells_it_or_refused(self, town: Path, capfd: pytest.CaptureFixture[str]):
        assert exit_code("init", town, "--municipality", "Town of Hunter") == 0
        assert 'municipality = ["Hunter"]' in (town / "town.toml").read_text()
        assert exit_code("init", town, "--municipality", "Catskill") == 2
        assert "Name one of: Hunter" in capfd.readouterr().err

    def test_address_points_of_which_no_column_is_known_are_refused_with_the_way_to_name_them(
        self, town: Path, capfd: pytest.CaptureFixture[str]
    ):
        assert exit_code("import", town) == 3
        told = capfd.readouterr().err
        assert "HSE, RUE" in told
        assert '[layers.address_points.fields] number = "COLUMN" and street = "COLUMN"' in told
