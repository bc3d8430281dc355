"""The Typer application and what all commands share: options, errors and exit codes."""

import getpass
import json
import os
import shutil
import sys
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import asdict

from geonotice.cli.streams import done_so_far, settle, standard_streams
from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.model import LIKELY_DAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import ResultWarning

__all__ = [
    "By",
    "JsonOption",
    "OnOption",
    "StrictOption",
    "TownArgument",
    "app",
    "as_day",
    "clock",
    "columns",
    "main",
    "print_json",
    "prose_columns",
    "say",
    "today",
    "warn",
    "who",
]

app = typer.Typer(
    name="geonotice",
    help="Notice lists, zoning limits and permit caps for events, from a town's parcel layers and its ordinance.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _group() -> None:
    # Without it, Typer takes an application of which one command was imported for that command.
    pass


_PROSE = 100
"""Columns of a line of sentences."""

_NARROWEST = 40
"""Columns below which a line breaks within words; a terminal so narrow wraps for itself."""

TownArgument = Annotated[Path, typer.Argument(metavar="TOWN", help="The town file, or its folder.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output and nothing else.")]
OnOption = Annotated[str | None, typer.Option("--on", metavar="DATE", help="Run as of this date, such as 2026-07-21.")]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="NAME",
        help="Who makes the change, for the log; left out, the log names the user of this computer, and says so.",
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Exit with 4 where a person must decide something.")]


def as_day(text: str | None, option: str) -> date | None:
    """Read a date as the command line gives it."""
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date; write it as 2026-07-21", param_hint=option) from None
    if not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
        raise typer.BadParameter(
            f"{day.year} is no likely year; dates from {LIKELY_DAYS[0].year} to {LIKELY_DAYS[1].year} are read", param_hint=option
        )
    return day


def who(by: str | None, *, where: str = "The log") -> str:
    """Return who makes a change: somebody is always named, and a name that was not asked for is shown; ``where`` is what names them."""
    if by is not None:
        return by
    user = getpass.getuser()
    say(f"{where} names {user}, the user of this computer, since --by NAME is not given.")
    return user


def today(on: str | None) -> date:
    """Return the date that is taken as today: the one place where a command reads the clock."""
    return as_day(on, "--on") or datetime.now().astimezone().date()


def columns(otherwise: int) -> int:
    """Return how wide the terminal is, or what COLUMNS says; ``otherwise`` where there is neither."""
    return shutil.get_terminal_size(fallback=(otherwise, 24)).columns


def prose_columns() -> int:
    """Return how wide sentences are set: as the terminal is, and no wider than a reader's eye follows."""
    return max(_NARROWEST, min(columns(_PROSE), _PROSE))


def print_json(value: Any) -> None:  # noqa: ANN401  # any JSON value
    """Print one object on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: object) -> object:
    """Return JSON a value of ours: a struct or a dataclass by its fields, a path or a date as text."""
    if isinstance(value, Struct):
        return asdict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return str(value)


def say(text: str) -> None:
    """Tell the user something on standard error: progress, where files are."""
    typer.echo(text, err=True)


def warn(warnings: "Sequence[ResultWarning]") -> None:
    """Print on standard error what a result must be read with."""
    for warning in warnings:
        say(f"! {warning.text}" + (f" [{', '.join(warning.parcels)}]" if warning.parcels else ""))


def clock() -> datetime:
    """Return the time of writing for the log: the clock's always, so that a permit dated back is seen to be."""
    return datetime.now().astimezone()


def _refuse_bytes(arguments: list[str]) -> None:
    """Refuse an argument of bytes that are no text, but for a file that has such a name: no layer, register or paper could hold it."""
    faults = [
        Fault(
            what=f"{argument!r} holds bytes that are no UTF-8",
            why="they stand for no letters that could be looked for or printed",
            remedy="set the terminal to UTF-8 and type it again",
        )
        for argument in arguments
        if any("\ud800" <= letter <= "\udfff" for letter in argument) and not os.path.lexists(argument)
    ]
    if faults:
        raise UsageError(faults)


def main() -> None:
    """Run the command line once its commands are imported: an error is reported in words and gives its exit code, and what could not be printed undoes nothing."""
    with standard_streams() as out:
        code = settle(out, _run())
    sys.exit(code)


def _run() -> int:
    try:
        _refuse_bytes(sys.argv[1:])
        app()
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    except GeonoticeError as error:
        for fault in error.faults:
            typer.echo(f"geonotice: {fault}", err=True)
        for text in done_so_far():
            typer.echo(f"{text} before that, and this stands.", err=True)
        return error.exit_code
    except OSError as error:
        if error.errno is None:
            raise
        # The file system refused where no command looks for it: a folder taken away meanwhile, a disk that is full.
        where = f"{error.filename}: " if error.filename is not None else ""
        typer.echo(f"geonotice: {where}the system refuses it: {error.strerror}.", err=True)
        return 3
    return 0
