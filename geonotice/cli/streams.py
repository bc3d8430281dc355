"""Standard output and error that never end a command: what was done stands, whether or not it can be printed.

A permit that was written must not look as if it had not been, because the disk that its text was sent to is full: whoever tries again
uses up the cap. So a failure to print is noted, the command goes on to its end, and what stands is then stated on standard error.
"""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["Printed", "done_so_far", "settle", "standard_streams", "stands"]

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
