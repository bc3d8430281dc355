"""The wheel alone, as one installs it: everything the program reads at work is carried in it."""

import os
import sqlite3
import subprocess
import sys
import zipfile

import pytest

WATCHED = """
import runpy, sys
root, prefix, seen = {root!r}, {prefix!r}, []
def watch(event, args):
    if event in ("open", "sqlite3.connect") and str(args[0]).startswith(root) and not str(args[0]).startswith(prefix):
        seen.append(str(args[0]))
sys.addaudithook(watch)
sys.argv = ["geonotice", *{args!r}]
try:
    runpy.run_module("geonotice", run_name="__main__")
except SystemExit as done:
    assert not done.code, done.code
import geonotice
print("PROGRAM", geonotice.__file__)
print("SOURCES", seen)
"""
"""Runs the program, then says which one that was and what it opened in the source tree."""


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder with what installing the wheel puts into site-packages: a wheel of Python alone is unpacked, nothing more."""
    place = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


@pytest.fixture(scope="module")
def run_installed(root, installed):
    def run(*args, cwd):
        code = WATCHED.format(root=f"{root}{os.sep}", prefix=f"{sys.prefix}{os.sep}", args=[str(arg) for arg in args])
        env = {**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, "-P", "-W", "error", "-c", code], cwd=cwd, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        *said, program, sources = done.stdout.splitlines()
        assert program == f"PROGRAM {installed / 'geonotice' / '__init__.py'}"
        assert sources == "SOURCES []"
        return "\n".join(said)

    return run


@pytest.fixture(scope="module")
def demo(run_installed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("work") / "demo"
    said = run_installed("demo", folder, cwd=folder.parent)
    assert f"Open {folder / 'italy' / 'packet' / 'index.html'}" in said
    return folder


def test_the_wheel_carries_every_file_that_is_no_program(root, installed):
    package = root / "geonotice"
    files = {
        file.relative_to(package)
        for file in package.rglob("*")
        if file.is_file()
        and "__pycache__" not in file.parts
        and not any(part.startswith(".") for part in file.relative_to(root).parts)
    }
    missing = sorted(str(file) for file in files if not (installed / "geonotice" / file).is_file())
    assert missing == []
    assert {"units/zones.json", "ordinance/profiles/italy.toml", "packet/templates/index.html", "vendor/leaflet/leaflet.js"} <= {
        file.as_posix() for file in files
    }


def test_the_demonstration_of_the_wheel_makes_a_packet_of_each_town(demo, installed):
    for town in ("italy", "southampton"):
        carried = installed / "geonotice" / "demo_data" / town
        assert (demo / town / "parcels.gpkg").read_bytes() == (carried / "parcels.gpkg").read_bytes()
        packet = demo / town / "packet"
        assert "record.json" in (packet / "index.html").read_text()
        page = (packet / "map.html").read_text()
        assert (installed / "geonotice" / "maps" / "assets" / "notice.js").read_text().strip()[:60] in page
        assert b"DejaVuSansCondensed" in (packet / "labels.pdf").read_bytes()


def test_the_register_of_the_wheel_is_made_by_its_own_migrations(run_installed, demo, tmp_path):
    run_installed(
        "permit", "issue", demo / "southampton", "0900-123.00-01.00-002.000", "--starts", "2026-10-24", "--night", "no",
        "--persons", "150", "--applicant", "A. Demo", "--override", "a test", "--on", "2026-09-01", cwd=tmp_path,
    )  # fmt: skip
    (register,) = (demo / "southampton").glob("*.sqlite")
    with sqlite3.connect(register) as database:
        assert database.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
    database.close()


def test_the_wheel_lists_its_ordinances(run_installed, tmp_path):
    said = run_installed("ordinance", "list", cwd=tmp_path)
    assert all(name in said for name in ("italy", "southampton", "walworth", "brookhaven", "new_paltz"))
