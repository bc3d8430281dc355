"""The Typer application and what all commands share: options and families of them, errors, exit codes, and output that never ends a command."""

import errno
import getpass
import inspect
import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import asdict

from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.model import LIKELY_DAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from geonotice.model import ResultWarning

__all__ = [
    "By",
    "JsonOption",
    "OnOption",
    "Printed",
    "Progress",
    "StrictOption",
    "TownArgument",
    "app",
    "as_day",
    "clock",
    "columns",
    "dated",
    "dated_reason",
    "done_so_far",
    "main",
    "print_json",
    "prose_columns",
    "say",
    "settle",
    "standard_streams",
    "stands",
    "takes",
    "today",
    "told",
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


def dated(on: str | None) -> str:
    """Return which day was taken as today, where it was given: the log keeps it beside its own time."""
    return "" if on is None else f"dated {today(on).isoformat()}"


def dated_reason(reason: str, on: str | None) -> str:
    """Return a reason with the day that was taken as today, where one was given; no reason stays none."""
    return f"{reason} ({dated(on)})" if on and reason.strip() else reason


def columns(otherwise: int) -> int:
    """Return how wide the terminal is, or what COLUMNS says; ``otherwise`` where there is neither."""
    return shutil.get_terminal_size(fallback=(otherwise, 24)).columns


def prose_columns() -> int:
    """Return how wide sentences are set: as the terminal is, and no wider than a reader's eye follows."""
    return max(_NARROWEST, min(columns(_PROSE), _PROSE))


def print_json(value: Any) -> None:  # noqa: ANN401  # any JSON value
    """Print one object on standard output."""
    try:
        # The encoder in C knows no indents, and the one in Python takes ten times as long.
        text = msgspec.json.format(json.dumps(value, ensure_ascii=False, default=_plain), indent=2)
    except (msgspec.MsgspecError, UnicodeEncodeError):  # the name of a file that is no UTF-8
        text = json.dumps(value, indent=2, ensure_ascii=False, default=_plain)
    sys.stdout.write(f"{text}\n")


def print_plain_json(value: Any) -> None:  # noqa: ANN401  # any JSON value
    """Print one object as :func:`print_json` does, in a fraction of its time: for long lists of texts, whole numbers, yes and no."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    except (msgspec.MsgspecError, UnicodeEncodeError, TypeError):
        print_json(value)
        return
    below = getattr(sys.stdout, "buffer", None)
    if below is None or (sys.stdout.encoding or "").casefold() not in {"utf-8", "utf8"}:
        sys.stdout.write(f"{text.decode()}\n")
    else:
        sys.stdout.flush()
        below.write(text + b"\n")


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


class Progress:
    """Tells on standard error how far something is: on one line that is written over, or in at most ten where that is no terminal.

    Called with what is being done and the share of it that is done; None where there is nothing to count.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._open = False
        self._tenth = -1

    def __call__(self, text: str, share: float | None) -> None:
        """Tell something."""
        if share is None:
            self.close()
            self._tenth = -1
            say(text)
        elif self._terminal:
            typer.echo(f"\r\x1b[K{text}", err=True, nl=False)
            self._open = True
        elif int(share * 10) > self._tenth and share * 10 >= 1:
            self._tenth = int(share * 10)
            say(text)

    def close(self) -> None:
        """End the line that was written over."""
        if self._open:
            typer.echo("", err=True)
        self._open = False


_OPTIONS = {
    "no_maximum_attendance": "--maximum-attendance N",
    "maximum_from_application": "--maximum-attendance N",
    "maximum_below_expected": "--maximum-attendance N",
    "application_incomplete": "geonotice application receive --complete DATE",
    "override_unsigned": "--by NAME",
}
"""By which option or command the terminal answers a warning: its sentence is read at the desk too, and names neither."""


def told(warning: "ResultWarning") -> str:
    """Return the sentence of a warning, with the option that answers it."""
    option = _OPTIONS.get(warning.code)
    return f"{warning.text.removesuffix('.')}: {option}." if option else warning.text


def warn(warnings: "Sequence[ResultWarning]") -> None:
    """Print on standard error what a result must be read with."""
    for warning in warnings:
        say(f"! {told(warning)}" + (f" [{', '.join(warning.parcels)}]" if warning.parcels else ""))


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


# ---- the options of a family of commands


def takes(family: type) -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Return a decorator for a command with a parameter ``options``: the fields of a dataclass take its place as options.

    Parameters
    ----------
    family
        A dataclass. Each field is annotated as the parameter of a Typer command is, and has a default.

    Notes
    -----
    Typer reads the signature and the annotations of the function that it is handed, so these are rewritten; the command itself gets
    one object.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Labels:
    ...     sheet: str = "5160"
    >>> @takes(Labels)
    ... def print_labels(town: str, *, options: Labels, strict: bool = False) -> None:
    ...     print(town, options, strict)
    >>> print_labels("italy", sheet="5163")
    italy Labels(sheet='5163') False
    >>> list(inspect.signature(print_labels).parameters)
    ['town', 'sheet', 'strict']
    """
    hints = get_type_hints(family, include_extras=True)
    shared = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name])
        for one in fields(family)
    ]

    def decorate(command: "Callable[..., None]") -> "Callable[..., None]":
        own = get_type_hints(command, include_extras=True)
        spread: list[inspect.Parameter] = []
        for name, parameter in inspect.signature(command).parameters.items():
            spread += shared if name == "options" else [parameter.replace(annotation=own[name])]

        @wraps(command)
        def called(*args: Any, **given: Any) -> None:  # noqa: ANN401  # whatever the command takes
            asked = {one.name: given.pop(one.name) for one in shared if one.name in given}
            command(*args, options=family(**asked), **given)

        called.__signature__ = inspect.Signature(spread, return_annotation=None)  # type: ignore[attr-defined]  # a function has one where it is set
        called.__annotations__ = {one.name: one.annotation for one in spread} | {"return": None}
        return called

    return decorate


# ---- standard output and error that never end a command
#
# A permit that was written must not look as if it had not been, because the disk that its text was sent to is full: whoever tries again
# uses up the cap. So a failure to print is noted, the command goes on to its end, and what stands is then stated on standard error.


_DONE: ContextVar["list[str] | None"] = ContextVar("done", default=None)

_GONE = {errno.EPIPE, errno.ESHUTDOWN, errno.EINVAL if os.name == "nt" else errno.EPIPE}
"""The reader has read enough: ``| head``. Windows calls it an invalid argument."""

UNPRINTED = 3
"""The exit code where all there was to do was to print, and it could not be done."""


def stands(text: str) -> None:
    """Note that a command has written something that stays, as the beginning of a sentence: ``Permit 2026-0001 was issued``."""
    done = _DONE.get()
    if done is not None:
        done.append(text)


class Printed(io.RawIOBase):
    """The bytes of a stream: written to the stream below, and after the first failure to nowhere."""

    def __init__(self, below: Any) -> None:  # noqa: ANN401  # a text stream of any kind, or None
        super().__init__()
        if below is not None:
            below.flush()
        binary = getattr(below, "buffer", None)
        # Under the buffer where there is one: what stays in it after a failure would be written again at the end of the process.
        self._below: Any = getattr(binary, "raw", binary)
        self._terminal = below is not None and below.isatty()
        self.error: OSError | None = None

    def writable(self) -> bool:
        """Return True, always."""
        return True

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self._terminal

    def fileno(self) -> int:
        """Return the number of the stream below."""
        if self._below is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        number: int = self._below.fileno()
        return number

    def write(self, data: Any, /) -> int:  # noqa: ANN401  # any buffer
        """Write all of it; return its length whatever became of it."""
        rest = memoryview(data).cast("B")
        length = len(rest)
        try:
            while rest and self.error is None:
                rest = rest[self._below.write(rest) or 0 :]
        except OSError as error:
            self.error = error
        except (AttributeError, ValueError):  # there is no stream, or it is closed
            self.error = OSError(errno.EBADF, "it is closed")
        return length


@contextmanager
def standard_streams() -> Iterator[Printed]:
    """Put streams that never fail in the place of standard output and error, and give them back at the end."""
    closed = _fill_closed()
    before, token = (sys.stdout, sys.stderr), _DONE.set([])
    out, err = (Printed(None if number in closed else stream) for number, stream in ((1, sys.stdout), (2, sys.stderr)))
    sys.stdout, sys.stderr = _text(out, sys.stdout), _text(err, sys.stderr)
    try:
        yield out
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdout, sys.stderr = before
        _DONE.reset(token)


def settle(out: Printed, code: int) -> int:
    """State on standard error what stands although it could not be printed; return the exit code.

    The exit code is the command's own where it wrote something or the reader had read enough, else 3: nothing was done.
    """
    sys.stdout.flush()
    error, done = out.error, done_so_far()
    if error is None or error.errno in _GONE:
        return code
    if done:
        sys.stderr.write(f"{'; '.join(done)}; its text could not be written to standard output: {error.strerror}.\n")
        sys.stderr.write("Do not run the command again: what it had to do is done.\n")
        return code
    sys.stderr.write(f"geonotice: the result could not be written to standard output: {error.strerror}.\n")
    return code or UNPRINTED


def done_so_far() -> tuple[str, ...]:
    """Return what the command has written that stays."""
    return tuple(_DONE.get() or ())


def _fill_closed() -> set[int]:
    """Open the null device in the place of a standard stream that is closed: else the next file that is opened takes its number."""
    closed = set()
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            closed.add(number)
    return closed


def _text(below: Printed, like: Any) -> io.TextIOWrapper:  # noqa: ANN401  # a text stream of any kind, or None
    # What the encoding has no letter for is written as a number: a name in Greek must not end a command of a clerk's old terminal.
    return io.TextIOWrapper(
        io.BufferedWriter(below),
        encoding=getattr(like, "encoding", None) or "utf-8",
        errors="backslashreplace",
        newline=None,
        line_buffering=True,
    )
