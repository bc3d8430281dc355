"""A MapInfo table is read whatever its character set is called, and whatever its columns are called."""

import geopandas as gpd
import pytest
import shapely

from geonotice.layers.read import read_layer


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Write a table as GDAL does: the character set neutral, its text in UTF-8."""
    folder = tmp_path_factory.mktemp("mapinfo")
    lots = [shapely.box(650_000 + 60 * n, 1_000_000, 650_060 + 60 * n, 1_000_120) for n in range(2)]
    for ending in ("tab", "mif"):
        frame = gpd.GeoDataFrame(
            {"PRINT_KEY": ["1", "2"], "OWNER": ["NUÑEZ", "ROE"], "N": [1, 2]}, geometry=lots, crs="EPSG:2261"
        )
        frame.to_file(folder / f"p.{ending}", driver="MapInfo File")
    return folder


def changed(table, folder, ending, *, charset="Neutral", column=b"OWNER", cp1252=False):
    """Copy the table with another character set, another name of a column, and its text in Windows-1252."""
    for part in table.iterdir():
        data = part.read_bytes()
        if part.suffix in {".tab", ".mif"}:
            data = data.replace(b"Neutral", charset.encode()).replace(b"OWNER", column)
        elif cp1252:
            data = data.replace("NUÑEZ".encode(), "NUÑEZ".encode("cp1252") + (b" " if part.suffix == ".dat" else b""))
        (folder / part.name).write_bytes(data)
    return read_layer(folder / f"p.{ending}")


@pytest.mark.parametrize("ending", ["tab", "mif"])
@pytest.mark.parametrize("cp1252", [False, True])
@pytest.mark.parametrize("charset", ["Neutral", "WindowsLatin1", "UTF-8"])
def test_text_is_read_as_what_it_is_whatever_is_stated(table, tmp_path, ending, charset, cp1252):
    raw = changed(table, tmp_path, ending, charset=charset, cp1252=cp1252)
    assert [text.strip() for text in raw.table.column("OWNER").to_pylist()] == ["NUÑEZ", "ROE"]
    assert bool(raw.notes) == ((charset, cp1252) not in {("Neutral", False), ("UTF-8", False), ("WindowsLatin1", True)})


@pytest.mark.parametrize("ending", ["tab", "mif"])
@pytest.mark.parametrize("charset", ["Neutral", "WindowsLatin1"])
@pytest.mark.parametrize("column", [b"TYPE", "EIGENTÜMER".encode("cp1252"), b"FID", b"geometry"])
def test_any_name_of_a_column_is_read(table, tmp_path, ending, charset, column):
    raw = changed(table, tmp_path, ending, charset=charset, column=column, cp1252=True)
    assert [text.strip() for text in raw.table.column(column.decode("cp1252")).to_pylist()] == ["NUÑEZ", "ROE"]
