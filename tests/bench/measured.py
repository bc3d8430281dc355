"""What is measured: commands from a cold start, with the processor's time and the peak of the memory of each."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from joins import ABSENT

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("BENCH_DATA", str(Path(tempfile.gettempdir()) / "bench")))
DUCK = os.environ.get("DUCK_PY", "")
PYTHON = sys.executable

SIZES = {"town": 3_000, "small": 60_000, "county": 600_000, "state": 5_400_000}
DAY, HEARING = "2026-11-30", "2027-01-15"
JOINS = ("geonotice", "geonotice, distances", "geopandas", "DuckDB", "PostGIS")
PEERS_JOIN_MOST = 60_000
MAPS = ("folium.GeoJson", "notice map")
DRAWN = 3_000
"""Parcels on the maps that are compared."""
WIDE_FT = 1900
"""The distance within which these layers have about 1,000 owners and residents."""

LIST_ALONE = """
from geonotice.cli import main
from geonotice.packet import paper
kept = tuple(one for one in paper.papers() if one.name.startswith("notice-list.") or one.name in ("labels.pdf", "record.json"))
paper.papers = lambda: kept
main()
"""
"""The command with no paper but the list, its record and the labels."""

EVENT = """[event]
title = "Fair"
kind = "assembly"
starts = 2027-07-17T14:00:00
ends = 2027-07-17T22:00:00
persons_at_once = 1200
filed = 2026-11-16

[premises]
parcels = ["{parcel}"]
"""

WARM = """
import json, sys, time
from datetime import date
from geonotice import open_town
ids = json.loads(sys.argv[2])
with open_town(sys.argv[1]) as town:
    def one(parcel):
        return len(town.notice([parcel], occasion="hearing", on=date(2026, 11, 30)).parcels)
    held = [parcel for parcel in ids[:150] if 225 <= one(parcel) <= 325][:30] or ids[:30]
    start = time.process_time()
    counts = [one(parcel) for parcel in held]
    taken = time.process_time() - start
print(json.dumps([taken / len(held), len(held), sum(counts) / len(counts)]))
"""
"""The processor's time for a list in an open town: the mean of up to 30 premises with about 275 parcels around them."""


def environment(python):
    """Return what a process of ours, or of another Python, finds around it; compiled modules are kept, as a user's are."""
    left_out = {"PYTHONDONTWRITEBYTECODE", *(() if python == PYTHON else ("PYTHONPATH",))}
    made = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**made, "PYTHONPATH": str(ROOT)} if python == PYTHON else made


def run(command, *, good=(0,)):
    """Run a command from a cold start; return the processor's time in seconds, the peak of its memory in MB, and the time on the clock in seconds."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors, env=environment(command[0])
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in good:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{errors.read().decode()[-2000:]}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, time.perf_counter() - begun


def layer(size):
    """Make the layer of a size once."""
    base = DATA / size
    if not all(base.with_suffix(ending).is_file() for ending in (".gpkg", ".parquet")):
        DATA.mkdir(parents=True, exist_ok=True)
        make = [PYTHON, BENCH / "make_parcels.py", size, SIZES[size], "--formats", "parquet,gpkg", "--out", DATA]
        run(make)
    return base


def parcels(base, count):
    """Pick parcels all over the layer, the first in its middle."""
    # In a process of its own: what this one holds would count as the peak of every process that it starts.
    code = (
        "import json, sys, pyarrow.parquet as pq\n"
        "ids, count = pq.read_table(sys.argv[1], columns=['SWIS_SBL_ID'])[0], int(sys.argv[2])\n"
        "step = max(len(ids) // count, 1)\n"
        "print(json.dumps([str(ids[place]) for place in (len(ids) // 2, *range(step // 2, len(ids), step))]))"
    )
    command = [PYTHON, "-c", code, f"{base}.parquet", str(count)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def town(base, folder, ordinance):
    """Write a town file for the layer, and an event file beside it."""
    folder.mkdir()
    text = (
        f'[town]\nname = "Town"\nordinance = "{ordinance}"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "{base}.gpkg"\n'
        'as_of = 2026-07-01\nroll_year = 2026\nfinal = true\n[layers.parcels.fields]\ntax_map_number = "SWIS_SBL_ID"\n'
    )
    (folder / "town.toml").write_text(text)
    return folder


def wide_town(base, folder):
    """Write a town whose law reaches further, with an office, rates and addresses for its residents: its letters are about 1,000."""
    town(base, folder, "wide.toml")
    law = (ROOT / "geonotice" / "ordinance" / "profiles" / "italy.toml").read_text()
    (folder / "wide.toml").write_text(law.replace("distance_ft = 1000.0", f"distance_ft = {WIDE_FT}.0"))
    demo = ROOT / "data" / "italy"
    (folder / "rates.toml").write_bytes((demo / "rates.toml").read_bytes())
    text = (folder / "town.toml").read_text().replace('crs = "', 'city = "Naples"\nstate = "NY"\nzip = "14512"\ncrs = "')
    (folder / "town.toml").write_text(text + "[clerk]" + (demo / "town.toml").read_text().partition("[clerk]")[2])
    run([PYTHON, "-m", "geonotice", "import", folder])
    return folder


def told(script, method, *arguments):
    """Return what a script of this folder prints of a method, and the peak of its memory in MB; None where the peer is not on the machine."""
    python = DUCK if method == "DuckDB" else PYTHON
    if not python:
        return None
    command = [python, str(HERE / script), method, *map(str, arguments)]
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(command, stdout=printed, env=environment(python))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == ABSENT:
            return None
        if process.returncode:
            sys.exit(f"{' '.join(command)}: exit {process.returncode}")
        printed.seek(0)
        return {"peak_mb": used.ru_maxrss / 1024} | json.loads(printed.read())


def joined(size):
    """Join the layer by every method; refuse answers that differ. The peers join no more than 60,000: beyond, they take half an hour."""
    base, found = layer(size), {}
    for method in JOINS[: None if SIZES[size] <= PEERS_JOIN_MOST else 2]:
        if answer := told("joins.py", method, f"{base}.parquet"):
            found[method] = answer
    if len({(answer["pairs"], answer["sum"]) for answer in found.values()}) > 1:
        sys.exit(f"the joins of {size} differ: {found}")
    return found


def drawn(size):
    """Return the processor's time for a map of 3,000 parcels, by method."""
    return {method: told("maps.py", method, f"{layer(size)}.parquet", DRAWN)["processor_s"] for method in MAPS}


def zoned(base, folder):
    """Give a town zoning districts, a village and 300 permits, so that its event map has something to tell."""
    code = (
        "import csv, sys, geopandas, shapely\n"
        "base, folder = sys.argv[1:]\n"
        "frame = geopandas.read_parquet(base + '.parquet', columns=['SWIS_SBL_ID', 'geometry'])\n"
        "west, south, east, north = frame.total_bounds\n"
        "wide, high = (east - west) / 8, (north - south) / 8\n"
        "boxes = [shapely.box(west + wide * (n % 8), south + high * (n // 8), west + wide * (n % 8 + 1), south + high * (n // 8 + 1)) for n in range(64)]\n"
        "codes = [('R-40', 'R-20', 'VB', 'OSC')[(n + n // 8) % 4] for n in range(64)]\n"
        "geopandas.GeoDataFrame({'district': codes}, geometry=boxes, crs=frame.crs).to_file(folder + '/zoning.gpkg')\n"
        "rows = [('P-%d' % n, 'gathering', number, '2026-03-01', '2026-07-%02d' % (n % 28 + 1), 'no', 'issued')"
        " for n, number in enumerate(frame['SWIS_SBL_ID'][:: max(len(frame) // 300, 1)][:300])]\n"
        "with open(folder + '/permits.csv', 'w', newline='') as file:\n"
        "    csv.writer(file).writerows([('number', 'kind', 'parcels', 'issued', 'starts', 'night', 'status'), *rows])\n"
    )
    subprocess.run([PYTHON, "-c", code, str(base), str(folder)], check=True, env=environment(PYTHON))
    with (folder / "town.toml").open("a") as file:
        file.write(
            '[layers.zoning]\npath = "zoning.gpkg"\n[layers.zoning.fields]\ndistrict = "district"\n[register]\nurl = "sqlite:///permits.sqlite"\n'
        )


def measure(size, runs):
    """Measure one size; return its rows, joins and maps, how large the store is in MB, and how many parcels the lists have."""
    base, found = layer(size), defaultdict(list)
    joins = joined(size)  # first: it compiles the kernel, which an installation does once
    subjects = parcels(base, 600)
    parcel, own = subjects[0], [PYTHON, "-m", "geonotice"]
    with tempfile.TemporaryDirectory() as place:
        italy, southampton = (town(base, Path(place) / name, name) for name in ("italy", "southampton"))
        (italy / "event.toml").write_text(EVENT.format(parcel=parcel))
        zoned(base, southampton)
        for folder in (italy, southampton):
            read = f"import geopandas; geopandas.read_file({f'{base}.gpkg'!r})"
            found["geopandas read"].append(run([PYTHON, "-c", read]))
            found["import"].append(run([*own, "import", folder]))
        query = [BENCH / "q.py"]
        commands = {
            "notice": [*own, "notice", italy, parcel, "--for", "hearing", "--json", "--on", DAY],
            "appeal list": [*own, "notice", southampton, parcel, "--for", "appeal", "--json", "--on", DAY],
            "check": [*own, "check", italy, italy / "event.toml", "--json", "--on", DAY],
            "filtered geopandas": [PYTHON, *query, "gpd_bbox", base, parcel],
            **({"DuckDB": [DUCK, *query, "duckdb", base, parcel]} if DUCK else {}),
        }
        for _ in range(runs):
            for name, command in commands.items():
                found[name].append(run(command))
        run([*own, "permit", "import", southampton, southampton / "permits.csv"], good=(0, 4))
        asked = ["permit", "check", southampton, parcel, "--starts", "2027-07-17", "--json", "--on", DAY]
        for n in range(2):
            found["permit check"].append(run([*own, *asked], good=(0, 4, 5)))
            out = Path(place) / f"events-{n}.html"
            found["event map"].append(run([*own, "map", southampton, "--year", "2026", "--out", out, "--on", DAY]))
        screen = ["screen", italy, "--persons", "800", "--top", "10", "--json", "--on", DAY]
        for name in ("screen, first", "screen, again"):
            found[name].append(run([*own, *screen]))
        packet = ["notice", italy, parcel, "--for", "hearing", "--on", DAY, "--no-letters", "--out"]
        for n in range(2):
            found["packet"].append(run([*own, *packet, Path(place) / f"packet-{n}"]))
            found["naive geopandas"].append(run([PYTHON, *query, "naive_gpkg", base, parcel]))
        wide = [
            "notice",
            wide_town(base, Path(place) / "wide"),
            parcel,
            "--for",
            "hearing",
            "--hearing",
            HEARING,
            "--on",
            DAY,
            "--out",
        ]
        for n in range(max(runs // 2, 1)):
            found["packet of 1,000"].append(run([*own, *wide, Path(place) / f"wide-{n}"]))
            found["list and labels of 1,000"].append(run([PYTHON, "-c", LIST_ALONE, *wide, Path(place) / f"alone-{n}"]))
        command = [PYTHON, "-c", WARM, italy, json.dumps(subjects[1:])]
        for _ in range(max(runs // 2, 1)):
            done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, env=environment(PYTHON))
            seconds, lists, listed = json.loads(done.stdout)
            found["list, town open"].append((seconds, 0.0, seconds))
        store = (italy / "store.gpkg").stat().st_size / 1e6
    return {
        "rows": {
            name: (
                statistics.median(taken for taken, _, _ in runs),
                max(peak for _, peak, _ in runs),
                statistics.median(clock for _, _, clock in runs),
            )
            for name, runs in found.items()
        },
        "store_mb": store,
        "joins": joins,
        "maps": drawn(size),
        "lists": lists,
        "listed": listed,
    }
