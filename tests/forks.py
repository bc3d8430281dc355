"""Commands of the program in forks of one process that has imported it: each a process of its own that need not start from nothing.

Run as a script it waits for commands, one JSON object a line on standard input (``args``, ``cwd``, ``out``, ``err``, ``most_bytes``, ``most_s``), and
answers each with its exit code. A fork has every module imported, so what a command imports is tried elsewhere (``program.imported_by``, the tests of the wheel).
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import resource
import runpy
import sys
import traceback
import warnings
from pathlib import Path

import typer.main

from geonotice.cli import every_command

__all__ = ["exit_code_of", "import_all", "start"]

LIBRARIES = (
    *(
        "alembic.command",
        "docxtpl",
        "dxpdf",
        "folium",
        "geopandas",
        "icalendar",
        "openpyxl",
        "pydantic",
        "pydantic.dataclasses",
        "pyogrio",
        "pypdfium2",
    ),
    *(
        "reportlab.graphics.shapes",
        "reportlab.platypus",
        "rich.console",
        "rich.table",
        "sqlalchemy.dialects.sqlite",
        "xlsxwriter",
    ),
)
"""What commands load when they need it, and takes the longest."""
_LEFT_OUT = (
    "geonotice.__main__",
    "geonotice.vendor",
    "geonotice.register.migrations",
    "geonotice.screen.kernel",
    "geonotice.screen.look_kernel",
)
"""What is run, and not imported; and what compiles itself, or starts threads, which no fork would have."""


def import_all() -> None:
    """Import every module of the program, and the libraries that commands load when they need them."""
    package = importlib.import_module("geonotice")
    for module in pkgutil.walk_packages(package.__path__, "geonotice."):
        if not module.name.startswith(_LEFT_OUT):
            importlib.import_module(module.name)
    for library in LIBRARIES:
        importlib.import_module(library)


def start(
    args: list[str],
    *,
    out: Path,
    err: Path,
    cwd: Path | None = None,
    strict: bool = False,
    most_bytes: int | None = None,
    most_s: int | None = None,
) -> int:
    """Start a command in a fork, and return the number of its process.

    Parameters
    ----------
    out, err
        Files for what it prints.
    strict
        Whether a warning of Python's is an error.
    most_bytes, most_s
        How much address space and how many seconds of the processor it may have.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if child := os.fork():
        return child
    code: object = 70
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream, file in ((1, out), (2, err)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), stream)
        if cwd is not None:
            os.chdir(cwd)
        if strict:
            warnings.simplefilter("error")
        for limit, most in ((resource.RLIMIT_AS, most_bytes), (resource.RLIMIT_CPU, most_s)):
            if most is not None:
                resource.setrlimit(limit, (most, most))
        sys.argv = ["geonotice", *args]
        runpy.run_module("geonotice", run_name="__main__")
        code = 0
    except SystemExit as done:
        code = done.code
    except BaseException:  # noqa: BLE001  # a fork must not go on as if it were the one that started it
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def exit_code_of(status: int) -> int:
    """Return the exit code of a process that was waited for; minus the signal that ended it."""
    return os.waitstatus_to_exitcode(status)


def main() -> None:
    """Answer commands until there are no more."""
    import_all()
    # Reading the signatures of all commands takes longer than most commands do: it is done once, for all forks, which have every module.
    every = typer.main.get_command(every_command())
    typer.main.get_command = lambda _app: every
    gc.collect()
    gc.freeze()  # else each fork looks through all that is imported, and so copies it
    for line in sys.stdin:
        asked = json.loads(line)
        places = {name: Path(asked.pop(name)) for name in ("out", "err", "cwd")}
        child = start(**asked, **places, strict=True)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{exit_code_of(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
