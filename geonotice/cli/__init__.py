"""The command line: each command a few lines over :mod:`geonotice.workflow`.

A command is known once its module is imported, and the options of all of them take as long to build as a short list takes to make. So
:func:`main` imports the modules of the command that is asked for, and all of them only where the first word is none: for ``--help``, or a slip
of the pen that is answered with what is near.
"""

import atexit
import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

__all__ = ["every_command", "main"]

_ALL = (
    "after_mailing",
    "applications",
    "checks_and_deadlines",
    "mail",
    "notices",
    "permit_changes",
    "permit_lists",
    "permits",
    "screen",
    "towns",
    "users",
)
"""Every module with commands, in the order of ``--help``."""

MODULES = {
    **dict.fromkeys(("verify", "compare"), ("after_mailing",)),
    "application": ("applications",),
    **dict.fromkeys(("check", "deadlines", "ordinance", "event"), ("checks_and_deadlines",)),
    "mail": ("mail",),
    **dict.fromkeys(("notice", "parcel", "correct"), ("notices",)),
    "permit": ("permits", "permit_lists", "permit_changes"),
    "screen": ("screen",),
    **dict.fromkeys(("inspect", "init", "import", "demo", "templates", "map", "calendar", "serve"), ("towns",)),
    "user": ("users",),
}
"""The modules that hold a command, or the commands of a group, by its word."""


def every_command() -> "typer.Typer":
    """Return the application with all its commands."""
    return _with(_ALL)


def main() -> None:
    """Run the command line."""
    # Nothing here multiplies matrices, and threads for it cost numpy's import a third of its time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What a command makes lives until it ends. Looking through all of it for cycles, above all once more at the end, is an eighth of a list's time.
    gc.set_threshold(20_000, 50, 100)
    atexit.register(gc.freeze)
    from geonotice.cli.app import main as run

    _with(MODULES.get(sys.argv[1], _ALL) if len(sys.argv) > 1 else _ALL)
    run()


def _with(modules: tuple[str, ...]) -> "typer.Typer":
    from geonotice.cli.app import app

    for name in modules:
        import_module(f"geonotice.cli.{name}")
    return app
