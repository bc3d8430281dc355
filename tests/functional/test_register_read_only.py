"""A register that may be read and not written: what only reads works, nothing is left beside it, and what writes is refused in words."""

import json
import os
import shutil
import sqlite3

import pytest
from program import run_here

from geonotice.errors import RegisterError
from geonotice.register import session
from geonotice.register.session import in_memory_copy, may_not_write, open_for_reading

FREE = "0900-123.00-01.00-002.000"
TODAY = ["--on", "2026-09-01"]


@pytest.fixture
def town(southampton, tmp_path, monkeypatch):
    """A town whose register this user may not write."""
    monkeypatch.setattr(session, "may_not_write", lambda _: True)
    return shutil.copytree(southampton, tmp_path / "southampton")


def files_of(town):
    return {file.name: (file.stat().st_mtime_ns, file.stat().st_size) for file in town.iterdir() if "permits" in file.name}


@pytest.mark.parametrize(
    "command",
    [
        ["permit", "list", "{town}", "--json"],
        ["permit", "show", "{town}", "SE-2026-003", "--json"],
        ["permit", "log", "{town}", "--verify", "--json"],
        ["permit", "check", "{town}", FREE, "--starts", "2026-12-12", "--night", "no", *TODAY, "--json"],
        ["permit", "export", "{town}", "{out}/permits.csv", "--json"],
        ["permit", "import", "{town}", "{town}/permits.csv", "--dry-run", "--json"],
        ["check", "{town}", "{town}/events/allowed.toml", *TODAY, "--json"],
        ["map", "{town}", "--year", "2026", *TODAY, "--out", "{out}/map.html", "--json"],
    ],
)
def test_what_only_reads_says_the_same_as_where_it_may_be_written(southampton, town, tmp_path, monkeypatch, command):
    out = tmp_path / "out"
    out.mkdir()
    before = files_of(town)
    copied = run_here(*(word.format(town=town, out=out) for word in command)).stdout
    assert files_of(town) == before
    monkeypatch.setattr(session, "may_not_write", lambda _: False)
    plain = run_here(*(word.format(town=southampton, out=out) for word in command)).stdout
    assert json.loads(copied) == json.loads(plain.replace(str(southampton), str(town)))


def test_what_writes_is_refused_with_what_to_do(town):
    error = run_here("permit", "rescind", town, "SE-2026-003", "--reason", "a test", expect=1).exception
    assert isinstance(error, RegisterError)
    assert "the register cannot be written. Ask for write permission on the file and its folder" in str(error)


def test_a_permit_that_stands_in_the_write_ahead_log_only_is_read(town):
    """As where another program holds the register open: what it wrote is in the log beside the file until it is carried over."""
    file = town / "permits.sqlite"
    holding = sqlite3.connect(file, isolation_level=None)
    holding.execute("PRAGMA wal_autocheckpoint = 0")
    holding.execute("UPDATE permits SET title = 'written a moment ago' WHERE number = 'SE-2026-003'")
    try:
        assert (town / "permits.sqlite-wal").stat().st_size > 0
        with open_for_reading(f"sqlite:///{file}") as register, register.reading() as connection:
            found = connection.execute("SELECT title FROM permits WHERE number = 'SE-2026-003'").fetchone()[0]
        assert found == "written a moment ago"
    finally:
        holding.close()


def test_one_that_is_written_to_all_the_while_is_not_read_half(town, monkeypatch):
    monkeypatch.setattr(session, "_PAUSE_SECONDS", 0.0)
    states = iter(range(1000))
    monkeypatch.setattr(session, "_state", lambda _: next(states))
    with pytest.raises(RegisterError, match="being written to without a pause"):
        in_memory_copy(town / "permits.sqlite")


def test_a_file_that_is_none_is_said_to_be_none(town):
    (town / "permits.sqlite").write_bytes(b"not a database, whatever its name" * 50)
    error = run_here("permit", "list", town, expect=1).exception
    assert isinstance(error, RegisterError)
    assert "not a permit register, or it is damaged" in str(error)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everything")
def test_a_file_and_a_folder_without_the_right_to_write(tmp_path):
    file = tmp_path / "permits.sqlite"
    file.touch()
    assert not may_not_write(file)
    file.chmod(0o444)
    assert may_not_write(file)
    file.chmod(0o644)
    tmp_path.chmod(0o555)
    assert may_not_write(file)
    tmp_path.chmod(0o755)
