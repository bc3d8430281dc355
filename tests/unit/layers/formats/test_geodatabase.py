"""A file geodatabase of which a file is missing or was cut off is refused, and the files are named."""

import shutil
import zipfile

import geopandas as gpd
import pyogrio
import pytest
import shapely

from geonotice.errors import UnreadableLayer
from geonotice.layers.read import read_layer


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("gdb") / "p.gdb"
    lots = [shapely.box(650_000 + 60 * n, 1_000_000, 650_060 + 60 * n, 1_000_120) for n in range(3)]
    frame = gpd.GeoDataFrame({"PRINT_KEY": ["1", "2", "3"]}, geometry=lots, crs="EPSG:2261")
    pyogrio.write_dataframe(frame, path, driver="OpenFileGDB", layer="parcels")
    assert len(read_layer(path)) == 3
    return path


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("name", ["a00000001.gdbtable", "a00000001.gdbtablx", "a00000004.gdbtable", "a00000009.gdbtable", "a00000009.gdbtablx"])  # fmt: skip
@pytest.mark.parametrize("how", ["missing", "cut off"])
def test_it_is_refused_by_the_name_of_the_file(tmp_path, whole, name, how, zipped):
    path = shutil.copytree(whole, tmp_path / "p.gdb")
    file = path / name
    if how == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    if zipped:
        with zipfile.ZipFile(tmp_path / "p.gdb.zip", "w") as archive:
            for part in path.iterdir():
                archive.write(part, f"p.gdb/{part.name}")
        path = tmp_path / "p.gdb.zip"
    with pytest.raises(UnreadableLayer) as caught:
        read_layer(path)
    assert name in str(caught.value)
    assert how in str(caught.value)
    assert "/io/" not in str(caught.value)
