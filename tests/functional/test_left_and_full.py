"""Killed, or on a disk that is full, a command leaves nothing behind and what was there as it was."""

import hashlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from program import run, run_here

import geonotice
from geonotice.errors import OutputError, RegisterError

FREE = "0900-123.00-01.00-002.000"
TODAY = ["--on", "2026-09-01"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(geonotice.__file__).parent.parent)}


@pytest.fixture
def town(southampton, tmp_path):
    """A town of the test's own: here files are at stake."""
    return shutil.copytree(southampton, tmp_path / "southampton")


def content_of(folder):
    """Return what is in a folder, but for what SQLite keeps beside a file that is open."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-wal", "-shm")))
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def start(*args):
    return subprocess.Popen(
        [sys.executable, "-m", "geonotice", *map(str, args)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
    )


def test_an_import_that_was_killed_leaves_no_owners_names_behind_once_the_next_has_run(town):
    process = start("import", town, *TODAY)
    deadline = time.monotonic() + 120
    while not list(town.glob(".geonotice-making-*/store.gpkg")):
        assert time.monotonic() < deadline
        assert process.poll() is None, "it came to its end before it was looked at"
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (town / ".store.999999999.importing.gpkg").write_text("owners' names, of a version before")
    before = content_of(town)
    assert any("making" in name for name in before)
    run("import", town, *TODAY)
    assert not [name for name in content_of(town) if Path(name).name.startswith(".") or "making" in name]


@pytest.mark.parametrize("most_bytes", [100_000, 700_000])
@pytest.mark.parametrize(
    "command",
    [
        ["import", "{town}", *TODAY],
        ["permit", "import", "{town}", "{town}/more.csv", "--by", "x"],
        ["notice", "{town}", FREE, "--for", "appeal", *TODAY, "--out", "{town}/packet"],
        ["map", "{town}", "--year", "2026", *TODAY, "--out", "{town}/map.html"],
        ["permit", "export", "{town}", "{town}/out.gpkg"],
    ],
    ids=["import", "permit import", "notice", "map", "permit export"],
)
def test_on_a_full_disk_nothing_is_lost_and_nothing_is_left(town, command, most_bytes):
    lines = [f"Q-{n},{FREE},2020-01-01,2020-02-02,{'x' * 200}\n" for n in range(500)]
    (town / "more.csv").write_text("number,parcels,issued,starts,applicant\n" + "".join(lines))
    before = content_of(town)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "geonotice", *(word.format(town=town) for word in command)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert not list(town.glob(".*"))
    if done.returncode:
        assert done.returncode == 3
        assert content_of(town) == before
        assert any(word in done.stderr for word in ("room", "full")), done.stderr
    else:
        assert content_of(town) != before


def test_an_export_to_a_full_disk_keeps_the_earlier_file(town):
    run_here("permit", "export", town, town / "out.csv")
    before = (town / "out.csv").read_bytes()
    run_here("permit", "rescind", town, "SE-2026-003", "--reason", "a test", "--by", "x")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limit[1]))
    try:
        error = run_here("permit", "export", town, town / "out.gpkg", expect=1).exception
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    assert isinstance(error, OutputError)
    assert "Make room on the disk" in str(error)
    assert not (town / "out.gpkg").exists()
    assert (town / "out.csv").read_bytes() == before


def test_with_a_damaged_register_an_import_writes_nothing_and_says_so(town):
    data = bytearray((town / "permits.sqlite").read_bytes())
    data[4096:8192] = bytes(4096)
    for part in ("-wal", "-shm"):
        (town / f"permits.sqlite{part}").unlink(missing_ok=True)
    (town / "permits.sqlite").write_bytes(data)
    before = content_of(town)
    error = run_here("import", town, *TODAY, expect=1).exception
    assert isinstance(error, RegisterError)
    assert "damaged" in str(error)
    assert "nothing was written" in str(error)
    assert content_of(town) == before


def test_every_command_that_reads_the_register_tells_of_damage_in_words(town, tmp_path):
    """A cell of another type, which the file's own checks do not see."""
    with closing(sqlite3.connect(town / "permits.sqlite")) as database, database:
        database.execute("UPDATE permits SET night = 'yes'")
    for args in (
        ["permit", "list", town],
        ["permit", "show", town, "SE-2026-003"],
        ["permit", "check", town, "0900-123.00-03.00-006.000", "--starts", "2026-12-12", "--night", "no", *TODAY],
        ["permit", "issue", town, "0900-123.00-03.00-006.000", "--starts", "2026-12-12", "--night", "no", "--by", "x", *TODAY],
        ["permit", "rescind", town, "SE-2026-003", "--reason", "a test", "--by", "x"],
        ["permit", "export", town, tmp_path / "out.csv"],
        ["map", town, "--year", "2026", *TODAY, "--out", tmp_path / "map.html"],
        ["permit", "import", town, town / "permits.csv", "--by", "x"],
        ["import", town, *TODAY],
    ):
        said = run(*args, expect=3).stderr
        assert "permits.sqlite: " in said, args
        assert "permits.night holds 'yes', which is not yes (1) or no (0)" in said, args
    assert "permits.night of row 1 holds what is not" in run("permit", "log", town, "--verify", expect=3).stdout
    assert "its permits are not known" in run("parcel", town, "0900-123.00-03.00-006.000").stderr
