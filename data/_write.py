"""Write layers so that the same content gives the same bytes: sorted rows, rounded coordinates, no clock."""

import csv
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import geopandas
import pyogrio
import pyproj
import shapely
from _cadastre import Road, snap
from shapely.geometry.base import BaseGeometry

STAMP = "2026-07-01T00:00:00.000Z"
"""The date that stands in every file: that of the roll. The real date of a run is of no use to anybody."""

Row = Mapping[str, Any]


def write_geopackage(file: Path, layer: str, rows: Sequence[Row], shapes: Sequence[BaseGeometry], *, crs: str) -> None:
    """Write a layer as a GeoPackage, exactly as drawn."""
    frame = geopandas.GeoDataFrame(list(rows), geometry=list(shapes), crs=crs)
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": STAMP})
    try:
        with tempfile.TemporaryDirectory() as place:
            made = Path(place) / file.name
            frame.to_file(made, driver="GPKG", layer=layer, engine="pyogrio", geometry_type="MultiPolygon", promote_to_multi=True)
            shutil.copyfile(made, file)
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": None})


def write_zipped_shapefile(file: Path, layer: str, rows: Sequence[Row], shapes: Sequence[BaseGeometry], *, crs: str) -> None:
    """Write a layer as a zipped Shapefile, with the field names given (ten characters at most)."""
    frame = geopandas.GeoDataFrame(list(rows), geometry=list(shapes), crs=crs)
    with tempfile.TemporaryDirectory() as place:
        frame.to_file(Path(place) / f"{layer}.shp", engine="pyogrio", encoding="UTF-8", DBF_DATE_LAST_UPDATE=STAMP[:10])
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in sorted(Path(place).iterdir()):
                entry = zipfile.ZipInfo(part.name, date_time=(2026, 7, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, part.read_bytes())


def write_geojson(
    file: Path, layer: str, rows: Sequence[Row], shapes: Sequence[BaseGeometry], *, crs: str, digits: int = 7
) -> None:
    """Write a layer as GeoJSON, in longitude and latitude, one feature a line."""
    turn = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    lines = []
    for row, shape in zip(rows, shapes, strict=True):
        moved = shapely.transform(shape, turn.transform, interleaved=False)
        geometry = {"type": moved.geom_type, "coordinates": _rounded(shapely.geometry.mapping(moved)["coordinates"], digits)}
        lines.append(
            json.dumps(
                {"type": "Feature", "properties": dict(row), "geometry": geometry}, ensure_ascii=False, separators=(",", ":")
            )
        )
    head = f'{{"type":"FeatureCollection","name":{json.dumps(layer)},"features":[\n'
    file.write_text(head + ",\n".join(lines) + "\n]}\n", encoding="utf-8", newline="\n")


def write_surroundings(
    folder: Path,
    net: Iterable[Road],
    *,
    railroad: tuple[Road, str],
    water: tuple[str, BaseGeometry],
    municipalities: Sequence[tuple[str, str, str, str, str, BaseGeometry]],
    crs: str,
    corner: tuple[float, float],
) -> None:
    """Write streets, the railroad with its owner, water, and municipalities: name, kind, SWIS code, clerk's title and address, where."""

    def layer(name: str, rows: Sequence[Row], shapes: Sequence[BaseGeometry]) -> None:
        moved = [snap(shape, dx=corner[0], dy=corner[1]) for shape in shapes]
        write_geojson(folder / f"{name}.geojson", name, [{**row, "FICTIONAL": "Y"} for row in rows], moved, crs=crs)

    streets = sorted(net, key=lambda road: road.name)
    layer(
        "streets", [{"NAME": road.name, "JURISDICTION": road.jurisdiction} for road in streets], [road.line for road in streets]
    )
    layer("railroads", [{"NAME": railroad[0].name, "OWNER": railroad[1]}], [railroad[0].line])
    layer("water", [{"NAME": water[0]}], [water[1]])
    columns = ("NAME", "KIND", "SWIS", "CLERK_NAME", "CLERK_ADDRESS")
    layer(
        "municipalities",
        [dict(zip(columns, said, strict=True)) for *said, _ in municipalities],
        [where for *_, where in municipalities],
    )


def write_table(file: Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)


def _rounded(part: Any, digits: int) -> Any:  # noqa: ANN401  # coordinates nest as deep as the geometry does
    if isinstance(part, (int, float)):
        return round(part, digits)
    return [_rounded(item, digits) for item in part]
