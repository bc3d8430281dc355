"""Write a packet: whole or not at all."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, OutputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["write_folder"]

_MARK = "record.json"
"""The file that tells a packet from any other folder."""


def write_folder(files: "Mapping[str, bytes]", out: Path) -> Path | None:
    """Write files into a folder: all of them, or none.

    They are written to a new folder beside ``out``, which then takes its place. An earlier packet there is kept under another name,
    because it may have been mailed; any other folder that holds something is left alone.

    Parameters
    ----------
    files
        Contents by name.
    out
        The folder.

    Returns
    -------
    Path or None
        Where an earlier packet was moved to; None where there was none.

    Raises
    ------
    OutputError
        The folder holds something else, or cannot be written.
    """
    out = out.absolute()
    if out.exists() and not out.is_dir():
        raise OutputError(Fault(what="this is a file, not a folder", file=str(out), remedy="name another folder with --out"))
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise OutputError(
            Fault(
                what="this folder holds other files",
                file=str(out),
                why="a packet replaces what is there",
                remedy="name a new folder with --out",
            )
        )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise OutputError(Fault(what=f"the folder cannot be made: {error.strerror}", file=str(out))) from error
    try:
        for name, content in files.items():
            with (made / name).open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        made.chmod(0o755)
        kept = _set_aside(out)
        made.rename(out)
    except OSError as error:
        raise OutputError(Fault(what=f"the packet cannot be written: {error.strerror}", file=str(out))) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return kept


def _set_aside(out: Path) -> Path | None:
    """Move an earlier packet out of the way, under the first free name."""
    if not out.exists():
        return None
    if not any(out.iterdir()):
        out.rmdir()
        return None
    number = 1
    while (kept := out.with_name(f"{out.name}-before-{number}")).exists():
        number += 1
    out.rename(kept)
    return kept
