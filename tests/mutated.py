"""Towns whose layer or roll is a mutated file, and how import ends with each; run as a script, so that memory and time can be bounded.

``python mutated.py FOLDER SEED FIRST LAST`` makes the cases FIRST to LAST of a seed and writes a line of JSON for each: what was wrong, or nothing.
"""

import csv
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import sys
import traceback
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import shapely

RECORDS = 30
TOWN = '[town]\nname = "T"\nordinance = "italy"\ncrs = "EPSG:2261"\n[[layers.parcels]]\npath = "{layer}"\n{crs}[layers.parcels.fields]\ntax_map_number = "PRINT_KEY"\n'
ROLL = '[[roll]]\npath = "{roll}"\n[roll.key]\ncolumns = ["PRINT_KEY"]\n'
LAYERS = (
    "p.geojson", "p.esri.json", "p.geojsonl", "p.topojson", "p.gml", "p.kml", "p.shp", "p.gpkg", "p.fgb", "p.parquet", "p.tab", "p.mif", "z.zip", "p.gdb.zip",
)  # fmt: skip
ROLLS = ("r.csv", "r16.csv", "r.xlsx", "r.dbf")
KINDS = LAYERS + ROLLS
TEXT = (".geojson", ".json", ".geojsonl", ".topojson", ".gml", ".kml", ".csv", ".mif", ".prj", ".cpg")
TIME_S = 60
MEMORY = 2 << 30
ADDRESSES = 12 << 30
"""Most address space: libraries reserve far more than they use, so this only stops what runs away."""

KEYS = [f"1.-1-{n}" for n in range(1, RECORDS + 1)]


def write_base(folder: Path) -> None:
    """Write one sound file of each format, and a sound layer for the rolls."""
    import geopandas as gpd
    import openpyxl
    import pyogrio

    boxes = [shapely.box(600_000 + 120 * n, 1_000_000, 600_100 + 120 * n, 1_000_150) for n in range(RECORDS)]
    owners = [f"ÉLAN OWNER {n}, LLC" for n in range(RECORDS)]
    columns = {
        "PRINT_KEY": KEYS, "OWNER": owners, "MAIL_ADDR": [f"{n} MAIN ST" for n in range(RECORDS)], "MAIL_CITY": ["PENN YAN"] * RECORDS,
        "MAIL_STATE": ["NY"] * RECORDS, "MAIL_ZIP": ["14527"] * RECORDS,
    }  # fmt: skip
    frame = gpd.GeoDataFrame(columns, geometry=boxes, crs="EPSG:2261")
    degrees = frame.to_crs("EPSG:4326")
    degrees.to_file(folder / "p.geojson", driver="GeoJSON")
    degrees.to_file(folder / "p.geojsonl", driver="GeoJSONSeq")
    degrees.to_file(folder / "p.kml", driver="KML")
    frame.to_file(folder / "p.gml", driver="GML")
    frame.to_file(folder / "p.shp", encoding="UTF-8")
    frame.to_file(folder / "p.gpkg", layer="p")
    frame.to_file(folder / "p.fgb", driver="FlatGeobuf", SPATIAL_INDEX="NO")
    frame.to_parquet(folder / "p.parquet")
    frame.to_file(folder / "p.tab", driver="MapInfo File", encoding="CP1252")
    frame.to_file(folder / "p.mif", driver="MapInfo File", FORMAT="MIF", encoding="CP1252")
    frame.to_file(folder / "x.gdb", driver="OpenFileGDB", layer="p")
    with zipfile.ZipFile(folder / "p.gdb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((folder / "x.gdb").iterdir()):
            archive.write(file, f"p.gdb/{file.name}")
    shutil.rmtree(folder / "x.gdb")
    with zipfile.ZipFile(folder / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "p.geojson", "p.geojson")
    esri = {
        "geometryType": "esriGeometryPolygon",
        "spatialReference": {"wkid": 2261},
        "fields": [{"name": name, "type": "esriFieldTypeString", "length": 80} for name in columns],
        "features": [
            {
                "attributes": {name: values[n] for name, values in columns.items()},
                "geometry": {"rings": [list(map(list, boxes[n].exterior.coords))]},
            }
            for n in range(RECORDS)
        ],
    }
    (folder / "p.esri.json").write_text(json.dumps(esri), encoding="utf-8")
    arcs = [[list(corner) for corner in shape.exterior.coords] for shape in degrees.geometry]
    shapes = [
        {"type": "Polygon", "arcs": [[n]], "properties": {name: values[n] for name, values in columns.items()}}
        for n in range(RECORDS)
    ]
    topology = {"type": "Topology", "objects": {"p": {"type": "GeometryCollection", "geometries": shapes}}, "arcs": arcs}
    (folder / "p.topojson").write_text(json.dumps(topology), encoding="utf-8")
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    (folder / "r.csv").write_bytes(table.getvalue().encode())
    (folder / "r16.csv").write_bytes(table.getvalue().encode("utf-16"))
    book = openpyxl.Workbook()
    for row in [list(columns), *map(list, zip(*columns.values(), strict=True))]:
        book.active.append(row)
    book.save(folder / "r.xlsx")
    rows = [np.array(values, dtype=object) for values in columns.values()]
    pyogrio.raw.write(
        folder / "r.dbf",
        geometry=None,
        field_data=rows,
        fields=list(columns),
        driver="ESRI Shapefile",
        geometry_type=None,
        encoding="UTF-8",
    )


# --- mutations -------------------------------------------------------------------------------------------------------------------


def mutated(data: bytes, draw: random.Random, *, text: bool) -> bytes:
    """Change a file's bytes in one to three ways."""
    ways = [_flipped, _cut, _swapped, _inserted, _deleted, _blanked]
    if text:
        ways = [*ways, *[_number, _word, _letter_case, _line_twice, _mark_gone, _nulled] * 2]
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        data = draw.choice(ways)(data, draw)
    return data


def _at(data: bytes, draw: random.Random) -> int:
    return draw.randrange(max(len(data), 1))


def _flipped(data: bytes, draw: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        if made:
            made[_at(made, draw)] ^= 1 << draw.randrange(8)
    return bytes(made)


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: _at(data, draw)]


def _swapped(data: bytes, draw: random.Random) -> bytes:
    size = draw.choice((4, 64, 512))
    one, other = sorted((_at(data, draw), _at(data, draw)))
    if other < one + size:
        return data
    return data[:one] + data[other : other + size] + data[one + size : other] + data[one : one + size] + data[other + size :]


def _inserted(data: bytes, draw: random.Random) -> bytes:
    at = _at(data, draw)
    return (
        data[:at]
        + draw.choice((draw.randbytes(draw.choice((1, 7, 300))), b"\x00" * 20, b"\xff\xfe", "é".encode(), b'"', b"<a>", b"{"))
        + data[at:]
    )


def _deleted(data: bytes, draw: random.Random) -> bytes:
    at = _at(data, draw)
    return data[:at] + data[at + draw.choice((1, 5, 100, 2000)) :]


def _blanked(data: bytes, draw: random.Random) -> bytes:
    at, size = _at(data, draw), draw.choice((4, 40, 600))
    return data[:at] + draw.choice((b"\x00", b" ", b"\xff")) * min(size, len(data) - at) + data[at + size :]


def _replaced(data: bytes, draw: random.Random, pattern: bytes, made: "list[bytes]") -> bytes:
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    one = draw.choice(found)
    return data[: one.start()] + draw.choice(made) + data[one.end() :]


def _number(data: bytes, draw: random.Random) -> bytes:
    return _replaced(
        data,
        draw,
        rb"-?\d+\.\d+",
        [b"abc", b"1e999", b"NaN", b"", b"-", b"1.2.3", b"null", b"9" * 40, b"1,5", b"[1, 2]", b'"7"', b"0"],
    )


def _word(data: bytes, draw: random.Random) -> bytes:
    return _replaced(
        data,
        draw,
        rb"[A-Za-z_]{4,}",
        [b"x", b"Feature", b"polygon", b"", b"PRINT_KEY", b"null", b"member", "É".encode("cp1252") * 4],
    )


def _letter_case(data: bytes, draw: random.Random) -> bytes:
    found = list(re.finditer(rb"[A-Za-z]{4,}", data))
    if not found:
        return data
    one = draw.choice(found)
    return data[: one.start()] + one[0].swapcase() + data[one.end() :]


def _line_twice(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = draw.randrange(len(lines))
    return b"\n".join([*lines[: at + 1], *lines[at:]]) if draw.random() < 0.5 else b"\n".join([*lines[:at], *lines[at + 1 :]])


def _mark_gone(data: bytes, draw: random.Random) -> bytes:
    return _replaced(data, draw, rb'["\[\]{},<>/:]', [b"", b"", b'"', b",", b"]"])


def _nulled(data: bytes, draw: random.Random) -> bytes:
    return _replaced(data, draw, rb'\{[^{}]*\}|"[^"]*"|\[[^\[\]]*\]|<[^<>]*>', [b"null", b"{}", b"[]", b'""', b"<x/>"])


# --- what is expected ------------------------------------------------------------------------------------------------------------


def counted(file: Path) -> "int | None":  # noqa: PLR0911  # one line a format
    """Count a file's records without the program; None where the standard library has no reader for it."""
    if file.name == "p.shp":
        return int.from_bytes(file.with_suffix(".dbf").read_bytes()[4:8], "little")
    data = file.read_bytes()
    if file.name in {"p.geojson", "p.esri.json"}:
        return len(json.loads(data.decode("utf-8-sig", "replace"))["features"])
    if file.name == "z.zip":
        with zipfile.ZipFile(file) as archive:
            return len(json.loads(archive.read(archive.namelist()[0]).decode("utf-8", "replace"))["features"])
    if file.name == "p.topojson":
        return len(json.loads(data.decode("utf-8", "replace"))["objects"]["p"]["geometries"])
    if file.name == "p.geojsonl":
        return sum(1 for line in data.split(b"\n") if line.strip(b" \t\r\x00\x1e"))
    if file.name == "p.kml":
        return len(re.findall(rb"<(?:\w+:)?placemark[\s>]", data, re.IGNORECASE))
    if file.name == "p.gml":
        # GDAL writes names such as <ogr:p>, of which the prefix is left out here, so that the standard library reads what it must
        root = ET.fromstring(re.sub(rb"(</?)\w+:", rb"\1", re.sub(rb"\s\w+:(\w+=)", rb" \1", data)).decode("utf-8", "replace"))  # noqa: S314  # made here
        return sum(1 for member in root if member.tag.endswith("ember") or member.tag == "member" for _ in member)
    if file.name == "p.gpkg":
        with sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True) as database:
            return database.execute('SELECT count(*) FROM "p"').fetchone()[0]
    if file.suffix == ".csv":
        text = data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8", "replace")
        return sum(1 for row in csv.reader(io.StringIO(text, newline="")) if any(cell.strip() for cell in row)) - 1
    return RECORDS


def make_case(base: Path, folder: Path, seed: int, number: int) -> Path:
    """Make the town of a case; return the mutated file."""
    draw = random.Random(f"{seed}:{number}")
    name = KINDS[number % len(KINDS)]
    is_roll = name in ROLLS
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts = sorted(
        item for item in base.iterdir() if item.name == name or (name in {"p.shp", "p.tab", "p.mif"} and _is_part(name, item))
    )
    for part in parts:
        shutil.copyfile(part, folder / part.name)
    if is_roll:
        shutil.copyfile(base / "p.gpkg", folder / "sound.gpkg")
        if name == "r.dbf":
            shutil.copyfile(base / "r.cpg", folder / "r.cpg")
    (folder / "town.toml").write_text(
        TOWN.format(layer="sound.gpkg" if is_roll else name, crs='crs = "EPSG:4326"\n' if name == "p.topojson" else "")
        + (ROLL.format(roll=name) if is_roll else "")
    )
    chosen = folder / draw.choice(parts).name
    chosen.write_bytes(mutated(chosen.read_bytes(), draw, text=chosen.suffix in TEXT))
    return folder / name


def _is_part(name: str, item: Path) -> bool:
    ending = {
        "p.shp": {".shp", ".shx", ".dbf", ".prj", ".cpg"},
        "p.tab": {".tab", ".dat", ".map", ".id"},
        "p.mif": {".mif", ".mid"},
    }[name]
    return item.stem == "p" and item.suffix in ending


def outcome(file: Path) -> str:
    """Import a case's town and say what is wrong with how that ended; nothing where all is well."""
    from geonotice.errors import GeonoticeError
    from geonotice.workflow.importing import import_layers

    before = {item.name: (item.stat().st_size, item.stat().st_mtime_ns) for item in file.parent.iterdir()}
    wrong = ""
    signal.alarm(TIME_S)
    try:
        report = import_layers(file.parent)
    except GeonoticeError as error:
        text = str(error)
        if error.exit_code not in {3, 4} or len(text) < 30 or "geonotice-" in text:  # fewer letters explain nothing
            wrong = f"refused without words: {text!r}"
    except TimeoutError:
        wrong = f"it took more than {TIME_S} s"
    except BaseException:  # noqa: BLE001  # whatever it is, it is what is looked for
        wrong = traceback.format_exc(limit=-5)
    else:
        source = next(one for one in report.sources if one.path == file.name)
        try:
            there = counted(file)
        except Exception as error:  # noqa: BLE001  # the standard library may refuse what GDAL reads
            there = None if source.features == RECORDS else f"not countable ({error})"
        if there is not None and there != source.features:
            wrong = f"the file has {there} records, and {source.features} were read with exit code 0"
    finally:
        signal.alarm(0)
    after = (
        {item.name: (item.stat().st_size, item.stat().st_mtime_ns) for item in file.parent.iterdir()}
        if file.parent.exists()
        else {}
    )
    after.pop("store.gpkg", None)
    if after != before:
        wrong += f"; files beside the source changed: {sorted(set(after) ^ set(before)) or 'content'}"
    return wrong


def main() -> None:
    """Run the cases FIRST to LAST of a seed, one line of JSON each."""
    folder, seed, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    signal.signal(signal.SIGALRM, _too_long)
    base = folder / "base"
    for number in range(first, last):
        room = folder / f"case-{os.getpid()}"
        file = make_case(base, room, seed, number)
        wrong = outcome(file)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if used > MEMORY:
            wrong += f"; {used / 2**30:.1f} GB of memory"
        if wrong:
            kept = folder / f"kept-{seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(room, kept)
        print(json.dumps({"case": number, "file": file.name, "wrong": wrong}), flush=True)  # noqa: T201  # the result


def _too_long(*_said: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    main()
