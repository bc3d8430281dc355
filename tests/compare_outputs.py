"""Compare what two versions of the program write for the same inputs.

Run from the repository, once for each version, then compare:

    python tests/compare_outputs.py make BEFORE --program OTHER/CHECKOUT
    python tests/compare_outputs.py make AFTER
    python tests/compare_outputs.py compare BEFORE AFTER

``make`` runs both demonstrations, the handed cases and ten premises of each layer kept beside the repository (without that folder:
the demonstrations alone). Its commands are forks of one process that has the version imported, which is some five times as quick as a new
process each; so it runs on Linux and macOS. Towns stand at one fixed place for both versions, so that paths in outputs agree: make one
version after the other. ``compare`` sorts what it finds into three: the same bytes (for GeoPackages and workbooks: the same content), another wording of a sentence, and another result.
It exits with 1 where a result differs, and lists every changed sentence with the old and the new words.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from forks import exit_code_of, import_all, start

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
TOWNS = Path(tempfile.gettempdir()) / "geonotice-compare"
"""Where the towns stand while a version runs."""
PREMISES = 10
PACKETS = 2
"""Premises of each layer that get whole packets; the others print their record."""

LAYERS: dict[str, tuple[str, ...]] = {
    "bellerose-ny": ("parcels.geojson", "--field", "tax_map_number=PARCELKEY"),
    "washington-nh": ("parcels.geojson", "--field", "tax_map_number=id"),
    "henniker-nh": ("parcels.geojson", "--field", "tax_map_number=id"),
    "forest-city-nc": ("parcels.topojson", "--crs", "EPSG:4326", "--field", "tax_map_number=PIN"),
    "dakota-county-mn": ("parcels.shp",),
    "greene-county-ny": ("parcels_lonlat.geojson", "--field", "tax_map_number=parcel_id"),
    "albany-ny-rps": ("parcels.shp", "--field", "tax_map_number=PIN_SBL"),
}
"""Each shared layer, and what ``init`` is told of it."""

DEADLINES = ("--event", "--event-ends", "--hearing", "--filed", "--complete", "--denial-received")


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("make")
    made.add_argument("folder", type=Path)
    made.add_argument("--program", type=Path, default=ROOT, help="the checkout of the version to run (this one)")
    compared = commands.add_parser("compare")
    compared.add_argument("before", type=Path)
    compared.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.command == "make":
        make(given.folder.resolve(), given.program.resolve())
        return 0
    return compare(given.before, given.after)


# ---- make


def make(folder: Path, program: Path) -> None:
    """Write all outputs of a version into a new folder."""
    folder.mkdir(parents=True)
    shutil.rmtree(TOWNS, ignore_errors=True)
    TOWNS.mkdir(parents=True)
    choose(program)
    jobs = [*demonstrations(folder)]
    if SHARED.is_dir():
        jobs += [*cases(folder), *layers(folder)]
    run_all(jobs)
    shutil.copytree(TOWNS / "packets", folder / "packets", dirs_exist_ok=True)
    print(f"{sum(1 for file in folder.rglob('*') if file.is_file())} files in {folder}")


def choose(program: Path) -> None:
    """Import the version that is to be run."""
    os.environ |= {"COLUMNS": "160", "NO_COLOR": "1", "OPENBLAS_NUM_THREADS": "1"}
    sys.path.insert(0, str(program))
    import geonotice

    if program not in Path(geonotice.__file__).parents:
        raise SystemExit(f"{program} has no geonotice: {geonotice.__file__} would be run")
    import_all()


def run_all(jobs: Iterable[tuple[Any, ...]]) -> None:
    """Run commands, as many at a time as there are processors, each in a fork; keep what it prints and its exit code."""
    running: dict[int, Path] = {}
    for to, *args in jobs:
        if len(running) >= (os.cpu_count() or 1):
            _finish(running)
        to.parent.mkdir(parents=True, exist_ok=True)
        running[start([str(arg) for arg in args], out=Path(f"{to}.out"), err=Path(f"{to}.err"), cwd=TOWNS)] = to
    while running:
        _finish(running)


def _finish(running: dict[int, Path]) -> None:
    child, status = os.wait()
    errors = Path(f"{running.pop(child)}.err")
    errors.write_text(f"exit {exit_code_of(status)}\n{errors.read_text(encoding='utf-8')}", encoding="utf-8")


def run(to: Path, *args: object) -> None:
    """Run a command by itself."""
    run_all([(to, *args)])


def demonstrations(folder: Path) -> list[tuple[Any, ...]]:
    """Make both demonstration towns; return further commands on them."""
    demo = TOWNS / "packets" / "demo"
    run(folder / "demo" / "demo", "demo", demo)
    for store in demo.rglob("*"):
        if store.suffix in (".gpkg", ".sqlite") and store.name in ("store.gpkg", "permits.sqlite"):
            shutil.copy(store, TOWNS / f"{store.parent.name}-{store.name}")
    jobs: list[tuple[Any, ...]] = []
    for town, parcel in {"italy": "51.00-1-1", "southampton": "0900-123.00-01.00-002.000"}.items():
        to, place = folder / "demo" / town, demo / town
        jobs += [
            (to / "parcel", "parcel", place, parcel, "--json", "--on", "2026-09-01"),
            (to / "parcel-text", "parcel", place, parcel, "--on", "2026-09-01"),
            (to / "event-new", "event", "new", place),
            (to / "ordinance", "ordinance", "show", town),
            (to / "permits", "permit", "list", place, "--json"),
            (to / "permit-check", "permit", "check", place, parcel, "--starts", "2026-10-10", "--json", "--on", "2026-09-01"),
            (to / "deadlines", "deadlines", place, *[one for flag in DEADLINES for one in (flag, "2026-10-20")], "--json"),
        ]
        for event in (
            sorted((place / "events").glob("*.toml")) if (place / "events").is_dir() else sorted(place.glob("event*.toml"))
        ):
            jobs += [
                (to / f"check-{event.stem}", "check", place, event, "--json", "--on", "2026-04-01"),
                (to / f"check-{event.stem}-text", "check", place, event, "--on", "2026-04-01"),
            ]
    return jobs


def cases(folder: Path) -> list[tuple[Any, ...]]:
    """Return the commands for the handed cases."""
    jobs: list[tuple[Any, ...]] = []
    for case in sorted((SHARED / "cases" / "events").glob("*.json")):
        jobs.append((folder / "events" / case.stem, "check", "--case", case, "--json"))
        jobs.append((folder / "events" / f"{case.stem}-text", "check", "--case", case))
    jobs += [*caps(folder), *deadlines(folder)]
    adjacency = SHARED / "cases" / "adjacency"
    for name, case in json.loads((adjacency / "expected.json").read_text()).items():
        town = TOWNS / "adjacency" / name
        town.mkdir(parents=True)
        shutil.copy2(adjacency / f"{name}.gpkg", town / "parcels.gpkg")
        run(folder / "adjacency" / f"{name}-init", "init", town, "--parcels", town / "parcels.gpkg", "--ordinance", "southampton", "--crs", "EPSG:2263")  # fmt: skip
        run(folder / "adjacency" / f"{name}-import", "import", town, "--json")
        jobs.append(
            (folder / "adjacency" / name, "notice", town, *case["premises"], "--for", "appeal", "--json", "--on", "2026-09-01")
        )
    return jobs


def caps(folder: Path) -> Iterable[tuple[Any, ...]]:
    """Write each handed case of the caps as a stated case of a whole check; return the commands."""
    (TOWNS / "caps").mkdir()
    for case in json.loads((SHARED / "cases" / "caps.json").read_text(encoding="utf-8")):
        asked = case["request"]
        event = {
            "event": {
                "starts": asked["starts"],
                "ends": asked.get("ends"),
                "night": asked["night"],
                "distinct_events": asked.get("distinct_events"),
            },
            "applicant": {"charitable": asked["charitable_applicant"]},
            "benefit": {"primarily_benefits_applicant": asked["primarily_benefits_applicant"]},
            "premises": {"owned_entirely_by": "fire" if case.get("exempt_owner") else None},
        }
        stated = {name: {key: value for key, value in table.items() if value is not None} for name, table in event.items()}
        facts, history = {"zone": case["zone"]}, case["history"]
        file = TOWNS / "caps" / f"{case['name']}.json"
        file.write_text(
            json.dumps(
                {"ordinance": "southampton", "on": asked["on"], "event": stated, "parcel_facts": facts, "history": history}
            )
        )
        yield folder / "caps" / case["name"], "check", "--case", file, "--json"


def deadlines(folder: Path) -> Iterable[tuple[Any, ...]]:
    """Return the command for each handed case of the deadlines, in its demonstration town."""
    for n, case in enumerate(json.loads((SHARED / "cases" / "deadlines.json").read_text(encoding="utf-8"))):
        town = TOWNS / "packets" / "demo" / ("italy" if case["rule"].startswith("italy") else "southampton")
        given = [word for key, day in case["given"].items() for word in (f"--{key.replace('_', '-')}", day)]
        yield folder / "deadlines" / f"{n}-{case['rule']}", "deadlines", town, *given, "--json"


def layers(folder: Path) -> list[tuple[Any, ...]]:
    """Import each shared layer; return the commands for ten of its premises."""
    jobs: list[tuple[Any, ...]] = []
    for name, (source, *options) in LAYERS.items():
        for ordinance, occasion in {"italy": "hearing", "southampton": "appeal"}.items():
            town = TOWNS / f"{name}-{ordinance}"
            to = folder / "layers" / town.name
            run(to / "init", "init", town, "--parcels", SHARED / "data" / name / source, "--ordinance", ordinance, *options)
            run(to / "import", "import", town, "--json")
            for count, parcel in enumerate(some_parcels(town / "store.gpkg")):
                ask = ("notice", town, parcel, "--for", occasion, "--hearing", "2026-10-20", "--on", "2026-09-01", "--json")
                packet = ("--out", TOWNS / "packets" / town.name / str(count)) if count < PACKETS else ()
                jobs.append((to / f"notice-{count}", *ask, *packet))
    return jobs


def some_parcels(store: Path) -> list[str]:
    """Draw ten parcels with a number, the same for every version."""
    if not store.is_file():
        return []
    with sqlite3.connect(store) as database:
        found = sorted(row[0] for row in database.execute("select id from parcels where layer = 0 and id not like '#%'"))
    return random.Random(PREMISES).sample(found, min(PREMISES, len(found)))


# ---- compare


def compare(before: Path, after: Path) -> int:
    """Compare two folders that ``make`` wrote."""
    old, new = ({str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()} for place in (before, after))
    results = [f"{name}: only before" for name in sorted(old - new)] + [f"{name}: only after" for name in sorted(new - old)]
    wordings: dict[tuple[str, str], int] = {}
    same = 0
    for name in sorted(old & new):
        if left_out(name):
            continue
        differences = differing(before / name, after / name)
        same += not differences
        for one, other in differences:
            if is_sentence(one) and is_sentence(other):
                wordings[one, other] = wordings.get((one, other), 0) + 1
            else:
                results.append(f"{name}: {one!r} -> {other!r}")
    print(f"{same} files the same, {len(wordings)} sentences worded otherwise, {len(results)} results that differ")
    for (one, other), count in sorted(wordings.items()):
        print(f"  {count} times\n    - {one}\n    + {other}")
    for line in results:
        print("  DIFFERS", line)
    return 1 if results else 0


def left_out(name: str) -> bool:
    """Return whether a file is the program's own working state and no output: the store and the register."""
    return Path(name).name.startswith(("store.gpkg", "permits.sqlite"))


def is_sentence(text: str) -> bool:
    """Return whether a value is words for a person: a number, a code or a key is a result."""
    return " " in text.strip() and any(letter.islower() for letter in text)


def differing(one: Path, other: Path) -> list[tuple[str, str]]:
    """Return the pairs of values that differ between two files; empty where both say the same."""
    if one.read_bytes() == other.read_bytes():
        return []
    read = {".json": leaves, ".gpkg": rows, ".xlsx": members, ".docx": members, ".pdf": pdf_lines}.get(one.suffix, text_lines)
    if one.suffix == ".out" and one.read_text().lstrip().startswith("{"):
        read = leaves
    old, new = read(one), read(other)
    pairs = [(old.get(key, ""), new.get(key, "")) for key in {**old, **new} if old.get(key) != new.get(key)]
    return pairs or ([] if read in (rows, members) else [("bytes", "bytes")])


def leaves(file: Path) -> dict[str, str]:
    """Return every value of a JSON file by its path."""
    found: dict[str, str] = {}

    def walk(value: object, path: str) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, f"{path}.{key}")
        elif isinstance(value, list):
            found[f"{path}#"] = str(len(value))
            for place, item in enumerate(value):
                walk(item, f"{path}[{place}]")
        else:
            found[path] = str(value)

    walk(json.loads(file.read_text(encoding="utf-8")), "")
    return found


def rows(file: Path) -> dict[str, str]:
    """Return the rows of a GeoPackage, without the time at which it was written."""
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as database:
        names = [
            row[0] for row in database.execute("select name from sqlite_master where type = 'table' and name not like 'rtree_%'")
        ]
        return {
            f"{name} {place}": str(tuple(value for value, column in zip(row, columns, strict=True) if column != "last_change"))
            for name in names
            for columns in [[one[1] for one in database.execute(f'pragma table_info("{name}")')]]
            for place, row in enumerate(database.execute(f'select * from "{name}"'))  # noqa: S608  # the names are those of the file itself
        }


def members(file: Path) -> dict[str, str]:
    """Return the parts of a workbook or document, without its properties."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist() if "docProps" not in name}


def pdf_lines(file: Path) -> dict[str, str]:
    """Return the lines of text of a PDF."""
    import pdfplumber

    with pdfplumber.open(file) as pdf:
        return {
            f"{page.page_number}:{place}": line
            for page in pdf.pages
            for place, line in enumerate((page.extract_text() or "").splitlines())
        }


def text_lines(file: Path) -> dict[str, str]:
    """Return the lines of any other file."""
    return {str(place): line for place, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines())}


if __name__ == "__main__":
    sys.exit(main())
