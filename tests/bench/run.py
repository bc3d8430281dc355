"""Speed, as ratios to what a user would pick instead, all measured in one run on one machine.

Needs the benchmark's own scripts beside the repository (``../shared/bench``) and a Python with DuckDB and its spatial extension
(``DUCK_PY``); the layer is made once, in ``BENCH_DATA``. Exits with 1 where a ratio is missed.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
DATA = Path(os.environ.get("BENCH_DATA", tempfile.gettempdir())) / "bench"
DUCK = os.environ.get("DUCK_PY", "")
PYTHON = sys.executable

SIZE = 600_000
NAIVE_SHARE = 1 / 15
DUCKDB_TIMES = 3.0
IMPORT_TIMES = 1.5
HELP_TIMES = 25.0


def timed(command, runs):
    """Run a command several times from a cold start; give the median wall time in seconds."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def layer():
    """Make the layer of 600,000 parcels once."""
    if not (DATA / "county.gpkg").is_file() or not (DATA / "county.parquet").is_file():
        DATA.mkdir(parents=True, exist_ok=True)
        make = [PYTHON, str(BENCH / "make_parcels.py"), "county", str(SIZE), "--formats", "parquet,gpkg", "--out", str(DATA)]
        subprocess.run(make, check=True)
    return DATA / "county"


def subject(base):
    """Pick a parcel in the middle of the layer."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(f"{base}.parquet")
    ids = file.read_row_group(file.num_row_groups // 2, columns=["SWIS_SBL_ID"])[0]
    return str(ids[len(ids) // 3])


def town(base, folder):
    """Write a town file for the layer."""
    text = (
        f'[town]\nname = "County"\nordinance = "italy"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "{base}.gpkg"\n'
        'as_of = 2026-07-01\nroll_year = 2026\nfinal = true\n[layers.parcels.fields]\ntax_map_number = "SWIS_SBL_ID"\n'
    )
    (folder / "town.toml").write_text(text)
    return folder


def report(name, measured, unit, limit):
    """Print one ratio; give whether it holds."""
    good = measured <= limit
    print(f"{'ok    ' if good else 'MISSED'} {name}: {measured:.3g} {unit} (at most {limit:.3g})")
    return good


def main():
    """Measure, print, and exit with 1 where a ratio is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not BENCH.is_dir():
        sys.exit(f"the benchmark's scripts are not beside the repository ({BENCH})")
    base = layer()
    parcel = subject(base)
    folder = town(base, Path(tempfile.mkdtemp()))
    query = str(BENCH / "q.py")
    own = [PYTHON, "-m", "geonotice"]
    read = f"import geopandas; geopandas.read_file({f'{base}.gpkg'!r})"
    seconds = {
        "bare": timed([PYTHON, "-c", "pass"], 15),
        "help": timed([*own, "--help"], args.runs),
        "geopandas_read": timed([PYTHON, "-c", read], 2),
        "import": timed([*own, "import", str(folder)], 2),
        "naive_gpkg": timed([PYTHON, query, "naive_gpkg", str(base), parcel], 2),
        "notice": timed([*own, "notice", str(folder), parcel, "--for", "hearing", "--json", "--on", "2026-11-30"], args.runs),
    }
    if DUCK:
        seconds["duckdb"] = timed([DUCK, query, "duckdb", str(base), parcel], args.runs)
    shutil.rmtree(folder)
    for name, value in seconds.items():
        print(f"{name:15} {value:8.3f} s")
    good = [
        report("notice / naive geopandas", seconds["notice"] / seconds["naive_gpkg"], "of it", NAIVE_SHARE),
        report("import / geopandas read", seconds["import"] / seconds["geopandas_read"], "times", IMPORT_TIMES),
        report("--help / bare interpreter", seconds["help"] / seconds["bare"], "times", HELP_TIMES),
    ]
    if DUCK:
        good.append(report("notice / duckdb", seconds["notice"] / seconds["duckdb"], "times", DUCKDB_TIMES))
    else:
        print("duckdb was not measured: set DUCK_PY to a Python that has duckdb and duckdb-extension-spatial")
    if args.json:
        args.json.write_text(json.dumps(seconds, indent=1))
    sys.exit(not all(good))


main()
