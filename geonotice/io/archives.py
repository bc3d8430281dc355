"""Zip archives and workbooks (which are zip archives) from outside: whole, within bounds, and opened without surprises.

One place for every reader of such a file: layers, rolls and past permits. An archive states how large its members are, and may state it wrongly; so
the bytes are counted while they are unpacked.
"""

import io
import shutil
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from geonotice.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ARCHIVE_ERRORS",
    "MAX_RATIO",
    "MAX_UNPACKED",
    "MAX_WORKBOOK",
    "WORKBOOK_ERRORS",
    "check_archive",
    "damaged_archive",
    "open_workbook",
    "unpack_member",
    "workbook_fault",
]

MAX_UNPACKED = 4 << 30
"""Most bytes that the members of one archive may hold together: the parcels of a whole State are less."""

MAX_WORKBOOK = 400 << 20
"""Most bytes that the members of a workbook may hold together: a million rows of a roll are some 300 MB."""

MAX_RATIO = 100
"""How many times its packed size a member may hold; text of a table packs 5 to 40 times."""

SMALL = 64 << 20
"""Up to this size a member may be packed however tightly: a blank table is."""

BLOCK = 1 << 20

ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, KeyError)
"""What :mod:`zipfile` raises on a damaged archive (a RuntimeError where a member is locked)."""

WORKBOOK_ERRORS = (
    *ARCHIVE_ERRORS, ParseError, SyntaxError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, UnicodeError,
)  # fmt: skip
"""What openpyxl raises on a workbook whose parts do not fit together: it checks little of what it reads."""


def check_archive(
    path: Path,
    *,
    given: str = "",
    error: type[InputError] = InputError,
    most: int = MAX_UNPACKED,
    members: "Iterable[str] | None" = None,
) -> None:
    """Refuse an archive that is damaged, locked, or that would unpack to more than can be meant.

    Parameters
    ----------
    path
        The archive.
    given
        What a message calls it; its path where empty.
    error
        The error to raise.
    most
        Most bytes that its members may hold together.
    members
        The members that will be read; all where None.

    Raises
    ------
    InputError
        Of the type ``error``.
    """
    name = given or str(path)
    wanted = None if members is None else set(members)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if wanted is None or info.filename in wanted]
            locked = any(info.flag_bits & 1 for info in infos)
            large = next((info for info in infos if _too_tight(info)), None)
            whole = sum(info.file_size for info in infos)
            if not locked and large is None and whole <= most:
                for info in infos:
                    _read_through(archive, info)
    except ARCHIVE_ERRORS as caught:
        raise error(_damaged(name)) from caught
    if locked:
        raise error(Fault(what="the archive is locked with a password", remedy="unpack it, and name what is inside", file=name))
    if large is not None or whole > most:
        raise error(_too_large(name, large.file_size if large is not None else whole))


def unpack_member(
    archive: zipfile.ZipFile, member: str, target: Path, *, given: str, error: type[InputError] = InputError
) -> None:
    """Unpack one member to a file, and stop where it holds more than it says.

    Raises
    ------
    InputError
        Of the type ``error``: it is damaged, or holds more than the bounds allow, or the disk has no room for it.
    """
    info = archive.getinfo(member)
    if _too_tight(info) or info.file_size > MAX_UNPACKED:
        raise error(_too_large(given, info.file_size))
    if info.file_size > shutil.disk_usage(target.parent).free:
        raise error(
            Fault(
                what=f"the archive unpacks to {_size(info.file_size)}, and the disk for temporary files has no room for it",
                remedy="free some space, or unpack it yourself and name what is inside",
                file=given,
            )
        )
    try:
        with archive.open(info) as packed, target.open("wb") as stream:
            left = info.file_size
            while block := packed.read(BLOCK):
                left -= len(block)
                if left < 0:
                    raise error(_damaged(given))
                stream.write(block)
    except ARCHIVE_ERRORS as caught:
        raise error(_damaged(given)) from caught


def open_workbook(path: Path, *, given: str = "", error: type[InputError] = InputError, **options: bool) -> Any:  # noqa: ANN401  # openpyxl ships no types
    """Open a workbook with openpyxl, after :func:`check_archive`; what it warns of is not shown.

    Cells that are read later, row by row, may still raise one of :data:`WORKBOOK_ERRORS`.

    Parameters
    ----------
    path, given, error
        As in :func:`check_archive`.
    options
        ``read_only``, ``data_only``: as ``openpyxl.load_workbook`` takes them.

    Raises
    ------
    InputError
        Of the type ``error``.
    """
    import warnings

    import openpyxl

    try:
        check_archive(path, given=given, error=error, most=MAX_WORKBOOK)
    except error as caught:
        if not isinstance(caught.__cause__, ARCHIVE_ERRORS):
            raise
        raise error(
            Fault(
                what="the workbook does not open: it is damaged, was cut off, or is no .xlsx workbook",
                remedy="copy it again, or open it in Excel and save it again",
                file=given or str(path),
            )
        ) from caught
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of styles and validations it does not keep; only values are read
            # From memory where all of it is read: openpyxl leaves a file open that it cannot read.
            source = path if options.get("read_only") else io.BytesIO(path.read_bytes())
            return openpyxl.load_workbook(source, **options)
    except WORKBOOK_ERRORS as caught:
        raise error(workbook_fault(caught, given or str(path))) from caught


def workbook_fault(caught: Exception, given: str) -> Fault:
    """Return the fault for a workbook that openpyxl cannot read."""
    said = " ".join(str(caught).split())[:200]
    return Fault(
        what=f"the workbook cannot be read{f': {said}' if said else ''}",
        why="it is damaged, or is no .xlsx workbook",
        remedy="open it in Excel and save it again as .xlsx, or save it as CSV (UTF-8)",
        file=given,
    )


def _read_through(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    """Read a member to its end, which checks its sum; raise ValueError where it holds more than it says."""
    left = info.file_size
    with archive.open(info) as packed:
        while block := packed.read(BLOCK):
            left -= len(block)
            if left < 0:
                raise ValueError(info.filename)


def _too_tight(info: zipfile.ZipInfo) -> bool:
    return info.file_size > SMALL and info.file_size > MAX_RATIO * max(info.compress_size, 1)


def _size(number: int) -> str:
    return f"{number / (1 << 30):,.1f} GB" if number >= 1 << 30 else f"{number / (1 << 20):,.0f} MB"


def _too_large(name: str, size: int) -> Fault:
    return Fault(
        what=f"the archive would unpack to {_size(size)}, more than a layer or a table of its kind can have",
        why="reading it would use up the memory or the disk of this computer",
        remedy="make sure that it is the right file; if it is, unpack it and name what is inside",
        file=name,
    )


def damaged_archive(name: str, error: type[InputError]) -> InputError:
    """Return the error for an archive that cannot be read."""
    return error(_damaged(name))


def _damaged(name: str) -> Fault:
    return Fault(what="the archive is damaged or was cut off", remedy="download or copy it again", file=name)
