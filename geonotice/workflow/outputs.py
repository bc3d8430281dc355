"""What a result may take the place of: an earlier one of the same kind, and nothing else that a person keeps."""

from typing import TYPE_CHECKING

from geonotice.errors import Fault, OutputError, UsageError
from geonotice.io.output_files import origin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from geonotice.config.town import Town

__all__ = ["check_not_of_town", "check_output"]

_TABLES = (".csv", ".gpkg", ".parquet")
"""Kinds of files that have no place for a mark of who made them."""


def check_output(file: "Path", *endings: str, option: str) -> None:
    """Refuse a file that a page, a report or a calendar must not be written to.

    Parameters
    ----------
    file
        Where it is to go.
    endings
        What its name may end in; a program that opens files by their ending must find in it what the name promises.
    option
        The option that named it, for the message.

    Raises
    ------
    UsageError
        Its name ends otherwise.
    OutputError
        A file is there that this program did not write, or that somebody has changed since.
    """
    if file.suffix.casefold() not in endings:
        what = f"{option} writes a file ending in {' or '.join(endings)}, not {file.suffix or 'one without an ending'}"
        raise UsageError(Fault(what=what, file=str(file), remedy=f"name it {file.stem}{endings[0]}"))
    try:
        found = origin(file)
    except OSError as error:
        raise OutputError(Fault(what=f"the file that is there cannot be read: {error.strerror}", file=str(file))) from error
    if found in {"foreign", "changed"}:
        made = "a file is there that was not made by geonotice"
        if found == "changed":
            made = "a file is there that was changed since geonotice made it"
        elif file.suffix.casefold() in _TABLES:
            made = "a table is there, and nothing in it shows whether somebody has worked on it"
        raise OutputError(
            Fault(
                what=made,
                file=str(file),
                why="it would be lost",
                remedy=f"name another file with {option}, or move that one away",
            )
        )


def check_not_of_town(file: "Path", town: "Town") -> None:
    """Refuse to write onto a file that the town is read from: a layer, a roll, the town file, the profile, the store, the register.

    Raises
    ------
    OutputError
        It is one of them.
    """
    where = file.resolve()
    if any(where == own.resolve() or (own.exists() and where.exists() and where.samefile(own)) for own in _own_files(town)):
        raise OutputError(
            Fault(
                what="this file is one of the town's own",
                file=str(file),
                why="the town is read from it, and it would be lost",
                remedy="name another file",
            )
        )


def _own_files(town: "Town") -> "Iterator[Path]":
    from geonotice.register.database import file_of, resolve
    from geonotice.register.session import DEFAULT_URL

    yield town.file
    yield town.store
    # As the town file gives them: its folder may have been moved since import.
    yield from (town.folder / layer.given for layer in (*town.parcels, *town.layers.others.values()))
    yield from (town.folder / roll.given for roll in town.rolls)
    if town.ordinance.endswith(".toml"):
        yield town.folder / town.ordinance
    register = file_of(resolve(town.register_url or DEFAULT_URL, town.folder))
    if register is not None:
        yield register
