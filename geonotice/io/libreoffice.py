"""Printing Word files with LibreOffice, where it is installed: each time with a profile folder of its own, within a time limit, the file checked.

It exits with 0 where it has made nothing (a damaged file, a Writer that is not installed, a window of its own that is open with the same profile),
hence a profile for each run, and the look at what it made.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from geonotice.errors import Fault, OutputError

__all__ = ["find_libreoffice", "print_with_libreoffice"]

_NAMES = ("soffice", "libreoffice")
_ELSEWHERE = (
    Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    Path("C:/Program Files/LibreOffice/program/soffice.exe"),
    Path("C:/Program Files (x86)/LibreOffice/program/soffice.exe"),
)
"""Where it stands on systems that do not put it on the PATH."""

SECONDS = 300
"""The time that one file has: 1,000 letters take about 30 s on a slow machine, the first start of a new profile about 5 s."""

_REMEDY = 'look whether LibreOffice Writer opens the Word file, or take pdf = "libreoffice" out of [papers] in the town file'


def find_libreoffice() -> Path | None:
    """Return LibreOffice's program, or None where it is not installed."""
    on_path = [Path(found) for name in _NAMES if (found := shutil.which(name))]
    return next((one for one in (*on_path, *_ELSEWHERE) if one.is_file()), None)


def print_with_libreoffice(content: bytes, *, name: str, program: Path | None = None, seconds: float = SECONDS) -> bytes:
    """Return a Word file as a PDF that LibreOffice made; whether it has all words is for the caller to compare.

    Parameters
    ----------
    content
        The Word file.
    name
        What messages call the paper, without an ending.
    program
        LibreOffice's program; sought where it is not named.
    seconds
        The time it has.

    Raises
    ------
    OutputError
        It is not installed, takes too long, or makes no PDF.
    """
    program = program or find_libreoffice()
    if program is None:
        raise _fault(name, "LibreOffice is not installed, or not on the PATH")
    with tempfile.TemporaryDirectory(prefix="geonotice-libreoffice-", ignore_cleanup_errors=True) as folder:
        room = Path(folder)
        source, made = room / "paper.docx", room / "paper.pdf"
        source.write_bytes(content)
        command = [
            str(program), "--headless", "--norestore", "--nolockcheck", "--nodefault", "--nofirststartwizard",
            f"-env:UserInstallation={(room / 'profile').as_uri()}",
            "--convert-to", "pdf:writer_pdf_Export", "--outdir", str(room), str(source),
        ]  # fmt: skip
        said = _run(command, name, seconds)
        pdf = made.read_bytes() if made.is_file() else b""
    if not pdf.startswith(b"%PDF-") or b"%%EOF" not in pdf[-1024:]:
        raise _fault(name, f"LibreOffice made no whole PDF{f' and said: {said}' if said else ''}")
    return pdf


def _fault(name: str, what: str) -> OutputError:
    return OutputError(Fault(what=what, file=f"{name}.pdf", remedy=_REMEDY))


def _run(command: list[str], name: str, seconds: float) -> str:
    """Run LibreOffice, and return the last line it said, without what it says of Java, which printing does not need."""
    try:
        # A session of its own, where the system has such: its starter leaves the program behind where it alone is ended.
        process = subprocess.Popen(  # noqa: S603  # the program is LibreOffice's, and no shell reads the line
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        raise _fault(name, f"LibreOffice could not be started ({error.strerror or error})") from error
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise _fault(name, f"LibreOffice had not made it after {seconds:g} seconds, and was ended") from error
    finally:
        _end(process)
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip() and "javaldx" not in line]
    return lines[-1] if lines else ""


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it with all that it started, where it still runs: also when the user interrupts."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
