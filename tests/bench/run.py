"""Speed beside what a user would pick instead, all measured in one run on one machine.

Needs the benchmark's own scripts beside the repository (``../shared/bench``). What else it finds, it measures: a Python with DuckDB and its spatial
extension (``DUCK_PY``), and PostgreSQL with PostGIS, of which it starts a server of its own; what it does not find, it says. The layers are made
once, in ``BENCH_DATA``. Prints tables; ``--write`` puts them into docs/performance.md, with a plot. Exits with 1 where a measure is missed.

What is compared runs in turn, and what counts is the processor's time, user and system, the median of the runs: other programs on
the machine lengthen the time on the clock, and leave this nearly as it is.
"""

import argparse
import json
import sys
from pathlib import Path

from measured import BENCH, DUCK, ROOT, SIZES, measure
from report import computed, joins, judged, page, plot, table


def main():
    """Measure, print, and exit with 1 where a measure is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", default="town,small,county", help="of " + ", ".join(SIZES))
    parser.add_argument(
        "--state", action="store_true", help="5.4 million parcels, too: some hours the first time, and 20 GB of disk"
    )
    parser.add_argument("--json", type=Path, help="write what was measured into this file")
    parser.add_argument("--from-json", type=Path, help="measure nothing: print, or write, what such a file has")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and its plot")
    args = parser.parse_args()
    if args.from_json:
        results = json.loads(args.from_json.read_text())
    else:
        results = _measured([*args.sizes.split(","), *(["state"] if args.state else [])], args.runs, args.json)
    held, good = judged(results)
    print(table(results), joins(results), held, computed(results), sep="\n\n")
    if args.write:
        written = ROOT / "docs" / "performance.md"
        written.write_text(page(results, earlier=written.read_text(encoding="utf-8")), encoding="utf-8")
        (ROOT / "docs" / "performance.svg").write_text(plot(results), encoding="utf-8")
    sys.exit(not good)


def _measured(sizes, runs, file):
    """Measure every size; what is done is kept in ``file``, should a later one fail."""
    if not BENCH.is_dir():
        sys.exit(f"the benchmark's scripts are not beside the repository ({BENCH})")
    if not DUCK:
        print("DuckDB is not measured: set DUCK_PY to a Python that has duckdb and duckdb-extension-spatial", file=sys.stderr)
    results = {}
    for size in dict.fromkeys(sizes):
        print(f"Measuring {SIZES[size]:,} parcels …", file=sys.stderr)
        results[size] = measure(size, runs)
        if file:
            file.write_text(json.dumps(results, indent=1))
    return results


main()
