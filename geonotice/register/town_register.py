"""The register of a town: where its town file says it is."""

from typing import TYPE_CHECKING

from geonotice.config.town import find_town_file
from geonotice.errors import Fault, TownFileError
from geonotice.io.toml import NotToml, read_toml
from geonotice.register.database import resolve
from geonotice.register.session import Register, open_for_reading, open_register

if TYPE_CHECKING:
    from pathlib import Path

    from geonotice.config.town import Town

__all__ = ["DEFAULT_URL", "open_register_of", "open_town_register", "read_town_register"]

DEFAULT_URL = "sqlite:///permits.sqlite"
"""Where the permit register is, unless the town file names another place; it starts at the town file's folder."""


def open_town_register(town: "Town") -> Register:
    """Open a town's register, as its town file names it, or ``permits.sqlite`` beside that.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_register(resolve(town.register_url or DEFAULT_URL, town.folder))


def read_town_register(town: "Town") -> Register:
    """Open a town's register for reading: where there is none, an empty one that is on no disk and says so in its ``warnings``.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_for_reading(resolve(town.register_url or DEFAULT_URL, town.folder))


def open_register_of(place: "Path", *, examined: bool = True) -> Register:
    """Open the register of a town file or its folder, without the store: what was issued can be read whatever became of the layers.

    Where there is none, none is made, as with :func:`read_town_register`; ``examined`` as for :func:`geonotice.register.session.open_register`.

    Raises
    ------
    TownFileError
        There is no town file, or it is not TOML.
    RegisterError
        The register cannot be opened.
    """
    file = find_town_file(place).resolve()
    try:
        url = read_toml(file.read_bytes()).get("register", {}).get("url", DEFAULT_URL)
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    return open_for_reading(resolve(str(url), file.parent), examined=examined)
