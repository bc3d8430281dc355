"""The program as a user runs it: a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import typer.main
from typer.testing import CliRunner

import geonotice
from geonotice.cli import every_command, main

HEAVY = ("pandas", "geopandas", "pyogrio", "fiona", "folium", "pyproj", "pydantic", "pyarrow", "matplotlib")
"""What the query path must not import."""

# Typer reads the signature of every command at every start, which takes longer than most commands do. Here many start in one process.
typer.main.get_params_from_function = cache(typer.main.get_params_from_function)

_ENVIRONMENT = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(Path(geonotice.__file__).parent.parent)}


def run(*args, expect=0, cwd=None):
    """Run a command; no outcome may end in a traceback or a warning of Python's."""
    command = [*map(str, args)]
    done = _run_in_a_fork(command, cwd) if hasattr(os, "fork") else run_anew(command, cwd)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == expect, (done.stderr, done.stdout)
    return done


def run_anew(command, cwd=None):
    """Run a command in a process that starts from nothing, as a terminal starts it."""
    line = [sys.executable, "-W", "error", "-m", "geonotice", *command]
    return subprocess.run(line, capture_output=True, text=True, encoding="utf-8", cwd=cwd, check=False, env=_ENVIRONMENT)


@cache
def _forks():
    """Start the process that has the program imported, once for all tests of this worker: a start from nothing takes half a second each."""
    # It ends when its standard input does: with this process, however that ends.
    script = Path(__file__).with_name("forks.py")
    return subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_ENVIRONMENT)


def run_within(*args, cwd, most_bytes, most_s):
    """Run a command in a fork that may have so much address space and so many seconds of the processor; no outcome may end in a traceback."""
    done = _run_in_a_fork([*map(str, args)], cwd, most_bytes=most_bytes, most_s=most_s)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def _run_in_a_fork(command, cwd, **limits):
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        asked = {"args": command, "cwd": str(Path(cwd or ".").resolve()), "out": str(out), "err": str(err), **limits}
        forks = _forks()
        forks.stdin.write(json.dumps(asked) + "\n")
        forks.stdin.flush()
        code = int(forks.stdout.readline())
        return subprocess.CompletedProcess(command, code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))


def imported_by(*args, among=HEAVY):
    """Run a command that must succeed, and return which of the modules ``among`` (else the heavy libraries) it imported."""
    code = (
        f"import sys\nfrom geonotice.cli import main\nsys.argv = ['geonotice', *{[*map(str, args)]!r}]\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        f"print('heavy', *sorted(set({among!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    return set(done.stderr.strip().splitlines()[-1].split()[1:])


def invoke(*args):
    """Run a command in this process, whatever comes of it."""
    return CliRunner().invoke(every_command(), [*map(str, args)])


def run_here(*args, expect=0):
    """Run a command in this process, which is quicker; an error that is no exit is kept as the outcome's exception."""
    outcome = invoke(*args)
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
