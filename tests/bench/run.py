"""Speed beside what a user would pick instead, all measured in one run on one machine.

Needs the benchmark's own scripts beside the repository (``../shared/bench``) and a Python with DuckDB and its spatial extension
(``DUCK_PY``); the layers are made once, in ``BENCH_DATA``. Prints a table; ``--write`` puts it into docs/performance.md. Exits with 1 where
a measure is missed.

What is compared runs in turn, and what counts is the processor's time, user and system, the median of the runs: other programs on
the machine lengthen the time on the clock, and leave this nearly as it is.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
DATA = Path(os.environ.get("BENCH_DATA", str(Path(tempfile.gettempdir()) / "bench")))
DUCK = os.environ.get("DUCK_PY", "")
PYTHON = sys.executable

SIZES = {"town": 3_000, "small": 60_000, "county": 600_000, "state": 5_400_000}
DAY, HEARING = "2026-11-30", "2027-01-15"
NATION = 150_000_000
"""Parcels of the United States, about."""

PEERS = ("geopandas read", "naive geopandas", "filtered geopandas", "DuckDB")
OWN = ("import", "notice", "appeal list", "check", "packet", "packet of 1,000", "list and labels of 1,000", "list, town open")
HELD = {
    "notice / naive geopandas": 1 / 15,
    "notice / DuckDB": 1.4,
    "import / geopandas read": 1.2,
    "notice, peak MB": 60,
    "check, s": 0.8,
    "list, town open, ms": 40,
    "packet of 1,000 / its list and labels": 4,
    "packet of 1,000, peak MB": 400,
}
"""The most of each measure."""

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


def run(command):
    """Run a command from a cold start; return the processor's time in seconds, and the peak of its memory in MB."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors, env=environment(command[0])
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{errors.read().decode()[-2000:]}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


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


def measure(size, runs):
    """Measure one size; return the runs of each row, how large the store is in MB, and how many parcels the lists have."""
    base, found = layer(size), defaultdict(list)
    subjects = parcels(base, 600)
    parcel, own = subjects[0], [PYTHON, "-m", "geonotice"]
    with tempfile.TemporaryDirectory() as place:
        italy, southampton = (town(base, Path(place) / name, name) for name in ("italy", "southampton"))
        (italy / "event.toml").write_text(EVENT.format(parcel=parcel))
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
            found["list, town open"].append((seconds, 0.0))
        store = (italy / "store.gpkg").stat().st_size / 1e6
    return {
        "rows": {
            name: (statistics.median(taken for taken, _ in runs), max(peak for _, peak in runs)) for name, runs in found.items()
        },
        "store_mb": store,
        "lists": lists,
        "listed": listed,
    }


def measures(found):
    """Return what is held to a most, of one size."""
    rows = found["rows"]
    seconds = {name: taken for name, (taken, _) in rows.items()}
    made = {
        "notice / naive geopandas": seconds["notice"] / seconds["naive geopandas"],
        "import / geopandas read": seconds["import"] / seconds["geopandas read"],
        "notice, peak MB": rows["notice"][1],
        "check, s": seconds["check"],
        "list, town open, ms": seconds["list, town open"] * 1000,
        "packet of 1,000 / its list and labels": seconds["packet of 1,000"] / seconds["list and labels of 1,000"],
        "packet of 1,000, peak MB": rows["packet of 1,000"][1],
    }
    return made | ({"notice / DuckDB": seconds["notice"] / seconds["DuckDB"]} if "DuckDB" in seconds else {})


def machine():
    """Return the machine and the versions, in one paragraph."""
    info = Path("/proc/cpuinfo")
    names = (
        [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.is_file()
        else []
    )
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "shapely", "pyarrow", "pyogrio", "geopandas"))
    duck = "import duckdb; print('DuckDB ' + duckdb.__version__)"
    told = (
        subprocess.run([DUCK, "-c", duck], capture_output=True, text=True, check=True).stdout.strip()
        if DUCK
        else "DuckDB not measured"
    )
    processor = f"{os.cpu_count()} cores ({names[0] if names else platform.machine()})"
    return f"{datetime.now(UTC):%B %-d, %Y}: {processor}, {platform.system()}, Python {platform.python_version()}, {libraries}, {told}."


def table(results):
    """Return the table: a row for each thing measured, a column for each size."""
    heads = [f"{SIZES[size]:,} parcels" for size in results]
    lines = ["| processor time in s (peak MB) | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]
    for name in (*PEERS, *OWN):
        cells = []
        for found in results.values():
            taken, peak = found["rows"].get(name, (None, 0))
            cells.append("not measured" if taken is None else f"{taken:.3f}" + (f" ({peak:,.0f})" if peak else ""))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def judged(results):
    """Return a line for each measure of the largest size, and whether all hold."""
    found, lines, good = measures(list(results.values())[-1]), [], True
    for name, most in HELD.items():
        if name in found:
            held = found[name] <= most
            good &= held
            lines.append(f"| {name} | {found[name]:.3g} | {most:.3g} | {'yes' if held else '**no**'} |")
    return "\n".join(["| measure | found | at most | holds |", "| --- | ---: | ---: | --- |", *lines]), good


def computed(results):
    """Return what a State and the nation would take, computed from the largest size that was measured."""
    size, found = list(results.items())[-1]
    taken, peak = found["rows"]["import"]
    lines = [
        f"Computed from the {SIZES[size]:,} parcels, not measured; a store for each county, one import after another on one core:",
        "",
    ]
    for name, count in (("a State of 5.4 million parcels", SIZES["state"]), ("the nation's 150 million", NATION)):
        share = count / SIZES[size]
        lines.append(
            f"- {name}: {taken * share / 3600:.1f} hours of import, {found['store_mb'] * share / 1000:,.0f} GB of stores, {peak / 1000:.1f} GB of memory."
        )
    return "\n".join(lines)


def page(results):
    """Return docs/performance.md."""
    first, last = (f"{found['listed']:.0f}" for found in (next(iter(results.values())), list(results.values())[-1]))
    listed = first if first == last else f"{first} to {last}"
    return f"""# Speed

`make bench` measures this and writes this page. The layers are synthetic ({", ".join(f"{SIZES[size]:,}" for size in results)} parcels with owners); each
number is the processor's time, user and system, of a process that starts cold, the median of its runs; what is compared runs in turn.

{machine()}

{table(results)}

- *geopandas read*: `geopandas.read_file` of the layer, which every script of one's own begins with.
- *naive geopandas*: read, `intersects(buffer)`, `distance`. *Filtered*: two reads, by the number and by the box. *DuckDB*: its spatial extension
  on GeoParquet. These three list parcels within 1,000 ft, and nothing else.
- *notice*: `geonotice notice TOWN PARCEL --for hearing --json`: the same parcels, with relations, owners and residents as mail pieces, and what
  the list could not see. *appeal list*: who abuts and who is opposite. *packet*: all papers but the letters.
- *packet of 1,000*: all papers, letters too, of a town whose law reaches {WIDE_FT:,} ft: about 1,000 letters. *List and labels of 1,000*: the same command with
  no paper but the list (CSV, XLSX, PDF), its record and the labels.
- *list, town open*: `open_town` once, then many lists of about 275 parcels (here {listed} on average).

## What is held to

On the largest layer of the run:

{judged(results)[0]}

## A State, the nation

{computed(results)}

The import grows with the layer; the rows of a list show whether they do.
"""


def main():
    """Measure, print, and exit with 1 where a measure is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", default="town,small,county", help="of " + ", ".join(SIZES))
    parser.add_argument("--json", type=Path, help="write what was measured into this file")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    args = parser.parse_args()
    if not BENCH.is_dir():
        sys.exit(f"the benchmark's scripts are not beside the repository ({BENCH})")
    if not DUCK:
        print("DuckDB is not measured: set DUCK_PY to a Python that has duckdb and duckdb-extension-spatial")
    results = {}
    for size in args.sizes.split(","):
        print(f"Measuring {SIZES[size]:,} parcels …", file=sys.stderr)
        results[size] = measure(size, args.runs)
    held, good = judged(results)
    print(table(results), held, computed(results), sep="\n\n")
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    if args.write:
        (ROOT / "docs" / "performance.md").write_text(page(results), encoding="utf-8")
    sys.exit(not good)


main()
