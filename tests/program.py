"""The program as a user runs it: a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

import geonotice
from geonotice.cli import every_command, main

HEAVY = ("pandas", "geopandas", "pyogrio", "fiona", "folium", "pyproj", "pydantic", "pyarrow", "matplotlib")
"""What the query path must not import."""

_ENVIRONMENT = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(Path(geonotice.__file__).parent.parent)}


def run(*args, expect=0, cwd=None):
    """Run a command; no outcome may end in a traceback or a warning of Python's."""
    command = [sys.executable, "-W", "error", "-m", "geonotice", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, check=False, env=_ENVIRONMENT)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == expect, (done.stderr, done.stdout)
    return done


def imported_by(*args, among=HEAVY):
    """Run a command that must succeed, and return which of the modules ``among`` (else the heavy libraries) it imported."""
    code = (
        f"import sys\nfrom geonotice.cli import main\nsys.argv = ['geonotice', *{[*map(str, args)]!r}]\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        f"print('heavy', *sorted(set({among!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    return set(done.stderr.strip().splitlines()[-1].split()[1:])


def run_here(*args, expect=0):
    """Run a command in this process, which is quicker; an error that is no exit is kept as the outcome's exception."""
    outcome = CliRunner().invoke(every_command(), [*map(str, args)])
    assert outcome.exit_code == expect, (outcome.exception, outcome.output)
    return outcome


def exit_code(*args):
    """Run a command in this process as the program's entry does, its errors told in words; give the exit code."""
    before, sys.argv = sys.argv, ["geonotice", *map(str, args)]
    try:
        main()
    except SystemExit as done:
        return int(done.code or 0)
    finally:
        sys.argv = before
    return 0
