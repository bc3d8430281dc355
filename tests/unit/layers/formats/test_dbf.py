"""What stands in a .dbf is read, or named: deleted records, numbers that did not fit, memos, text in another encoding than is stated."""

import struct
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.layers.read import read_layer
from geonotice.layers.roll_tables import read_roll_table

FIELDS = [("PRINT_KEY", "C", 12), ("OWNER", "C", 30), ("AMOUNT", "N", 6), ("DAY", "D", 8)]


def dbf(path: Path, records, fields=FIELDS, *, encoding="cp1252", language=0) -> Path:
    """Write a table; the first of each record is its mark, a blank or a star for a deleted one."""
    width = 1 + sum(size for _, _, size in fields)
    head = (
        bytes([3, 126, 1, 1])
        + struct.pack("<IHH", len(records), 33 + 32 * len(fields), width)
        + bytes(17)
        + bytes([language, 0, 0])
    )
    for name, kind, size in fields:
        head += name.encode().ljust(11, b"\0") + kind.encode() + bytes(4) + bytes([size, 0]) + bytes(14)
    rows = b"".join(
        mark.encode()
        + b"".join(value.encode(encoding).ljust(size)[:size] for value, (_, _, size) in zip(values, fields, strict=True))
        for mark, *values in records
    )
    path.write_bytes(head + b"\r" + rows + b"\x1a")
    return path


def test_deleted_records_are_left_out_and_named(tmp_path):
    raw = read_layer(
        dbf(tmp_path / "r.dbf", [(" ", "1", "DOE", "1", ""), ("*", "2", "GONE", "2", ""), (" ", "3", "ROE", "3", "")])
    )
    assert raw.table.column("OWNER").to_pylist() == ["DOE", "ROE"]
    assert "1 of 3 (record 2)" in raw.notes[0].text


def test_a_shapefile_leaves_out_the_shape_of_a_deleted_record(tmp_path):
    shapes = [shapely.box(650_000 + 60 * n, 1_000_000, 650_060 + 60 * n, 1_000_100) for n in range(2)]
    gpd.GeoDataFrame({"A": ["1", "2"]}, geometry=shapes, crs="EPSG:2261").to_file(tmp_path / "p.shp")
    dbf(tmp_path / "p.dbf", [("*", "1", "GONE", "", ""), (" ", "2", "ROE", "", "")])
    raw = read_layer(tmp_path / "p.shp")
    assert (raw.table.column("OWNER").to_pylist(), raw.geometry[0].bounds[0]) == (["ROE"], 650_060)


def test_numbers_that_did_not_fit_are_named_and_an_empty_date_is_blank(tmp_path):
    table = read_roll_table(
        dbf(tmp_path / "r.dbf", [(" ", "1", "DOE", "******", "00000000"), (" ", "2", "ROE", "7", "20260701")])
    )
    assert table.table.column("AMOUNT").to_pylist() == [None, 7]
    assert table.table.column("DAY").to_pylist()[0] is None
    assert "AMOUNT" in table.notes[0]
    assert "(record 1)" in table.notes[0]


def test_the_pointers_of_a_memo_do_not_pass_for_owners(tmp_path):
    raw = read_layer(dbf(tmp_path / "r.dbf", [(" ", "1", "         1")], [("PRINT_KEY", "C", 12), ("OWNER", "M", 10)]))
    assert raw.columns == ("PRINT_KEY",)
    assert "OWNER" in raw.notes[0].text


@pytest.mark.parametrize("said", ["1252", "ISO88591", "UTF-8", "", "nonsense"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_text_is_read_as_what_it_is_whatever_the_cpg_says(tmp_path, said, encoding):
    path = dbf(tmp_path / "r.dbf", [(" ", "1", "NUÑEZ JOSÉ", "", "")], encoding=encoding)
    path.with_suffix(".cpg").write_text(said, encoding="ascii")
    raw = read_layer(path)
    assert raw.table.column("OWNER").to_pylist() == ["NUÑEZ JOSÉ"]
    assert bool(raw.notes) == ((said, encoding) not in {("1252", "cp1252"), ("ISO88591", "cp1252"), ("UTF-8", "utf-8")})


def test_text_from_dos_is_told_by_letters_that_windows_does_not_have(tmp_path):
    raw = read_layer(dbf(tmp_path / "r.dbf", [(" ", "1", "NUÑEZ JOSÉ", "", "")], encoding="cp850"))
    assert raw.table.column("OWNER").to_pylist() == ["NUÑEZ JOSÉ"]
