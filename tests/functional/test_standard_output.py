"""Standard output that is full, closed or read by nobody undoes nothing, and never makes what was done look undone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program import run

import geonotice

FREE = "0900-123.00-01.00-002.000"
ENVIRONMENT = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(Path(geonotice.__file__).parent.parent)}

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is Linux's")


@pytest.fixture
def town(southampton, tmp_path):
    """A town of the test's own: permits are issued in it."""
    return shutil.copytree(southampton, tmp_path / "southampton")


def in_shell(redirected, *args, **environment):
    """Run a command with its streams redirected by a shell; no outcome may end in a traceback."""
    command = " ".join(f"'{word}'" for word in (sys.executable, "-W", "error", "-m", "geonotice", *map(str, args)))
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", f"{command} {redirected}"],
        capture_output=True,
        text=True,
        check=False,
        env={**ENVIRONMENT, **environment},
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    return done


def permits_of(town):
    return [permit["number"] for permit in json.loads(run("permit", "list", town, "--json").stdout)["permits"]]


@pytest.mark.parametrize(("redirected", "why"), [("> /dev/full", "No space left on device"), (">&-", "it is closed")])
class TestFullOrClosed:
    def test_a_permit_that_was_issued_stands_and_says_so(self, town, redirected, why):
        done = in_shell(redirected, "permit", "issue", town, FREE, "--starts", "2027-12-12", "--night", "no", "--by", "x")
        assert done.returncode == 0
        assert "Permit SE-2026-023 was issued; its text could not be written to standard output: " + why in done.stderr
        assert "SE-2026-023" in permits_of(town)

    @pytest.mark.parametrize("action", ["rescind", "void"])
    def test_so_does_a_permit_that_was_rescinded_or_voided(self, town, redirected, why, action):
        done = in_shell(redirected, "permit", action, town, "SE-2026-003", "--reason", "a test", "--by", "x")
        assert done.returncode == 0
        assert f"Permit SE-2026-003 is {'rescinded' if action == 'rescind' else 'void'}; its text could not" in done.stderr

    def test_and_a_packet_an_import_an_export_a_map(self, town, tmp_path, redirected, why):
        on = ["--on", "2026-09-01"]
        for words, args in (
            ("The packet", ["notice", town, FREE, "--for", "appeal", *on, "--out", tmp_path / "packet", "--json"]),
            ("store.gpkg was written", ["import", town, *on]),
            ("permits were written to", ["permit", "export", town, tmp_path / "permits.csv", "--json"]),
            ("The event map", ["map", town, "--year", "2026", *on, "--out", tmp_path / "map.html", "--json"]),
        ):
            done = in_shell(redirected, *args)
            assert done.returncode == 0, args
            assert words in done.stderr
            assert "could not be written to standard output" in done.stderr

    def test_what_only_prints_exits_with_3(self, town, redirected, why):
        for args in (["permit", "list", town], ["permit", "show", town, "SE-2026-003", "--json"], ["--help"]):
            done = in_shell(redirected, *args)
            assert done.returncode == 3, args
            assert done.stderr.endswith(f"geonotice: the result could not be written to standard output: {why}.\n")


def test_a_refusal_keeps_its_exit_code(town):
    """The answer is no, whether or not its words can be read."""
    args = [
        "permit",
        "check",
        town,
        FREE,
        "--starts",
        "2026-12-12",
        "--night",
        "no",
        "--distinct-events",
        "99",
        "--on",
        "2026-09-01",
    ]
    assert in_shell("", *args).returncode == in_shell("> /dev/full", *args).returncode == 5


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_reader_that_has_read_enough_is_no_error(town, reader):
    """With ``pipefail``, as careful scripts have it: an exit code would make them issue the permit once more."""
    for args in (
        ["permit", "list", town, "--json"],
        ["permit", "issue", town, FREE, "--starts", "2027-12-12", "--night", "no", "--by", "x", "--json"],
    ):
        done = in_shell(f"| {reader}", *args)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("redirected", ["2> /dev/full", "2>&-", "> /dev/full 2>&-", ">&- 2>&-"])
def test_standard_error_that_is_full_or_closed_ends_no_command(town, redirected):
    done = in_shell(
        redirected, "permit", "issue", town, FREE, "--starts", "2027-12-12", "--night", "no", "--by", "x", "--override", "x"
    )
    assert done.returncode == 0
    assert permits_of(town).count("SE-2026-023") == 1


def test_a_letter_that_the_terminal_lacks_is_written_as_its_number(town):
    run("permit", "issue", town, FREE, "--starts", "2027-12-12", "--night", "no", "--by", "x", "--applicant", "Łukasz Ω")
    for encoding in ("ascii", "latin-1"):
        done = in_shell("", "permit", "show", town, "SE-2026-023", PYTHONIOENCODING=encoding)
        assert done.returncode == 0
        assert "\\u0141ukasz \\u03a9" in done.stdout
