"""Find and read ordinance profiles: the built-in ones by id, a town's own by path."""

import hashlib
import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, OrdinanceError, TownFileError
from geonotice.toml_text import NotToml, read_toml
from geonotice.town import find_town_file

if TYPE_CHECKING:
    from geonotice.ordinance.profile import Profile

__all__ = ["available", "load_profile", "parse_profile", "profile_and_name_of_town", "profile_bytes"]


def available() -> tuple[str, ...]:
    """Give the ids of the built-in profiles, sorted."""
    return tuple(
        sorted(item.name.removesuffix(".toml") for item in files("geonotice.ordinance").iterdir() if item.name.endswith(".toml"))
    )


def load_profile(name_or_path: str | Path, *, relative_to: Path | None = None) -> "Profile":
    """Read a profile and check it.

    Parameters
    ----------
    name_or_path
        The id of a built-in profile (``italy``), or a path to a file that ends in ``.toml``.
    relative_to
        The folder that a relative path starts from: that of the town file.

    Raises
    ------
    OrdinanceError
        When there is none of that name, the file does not parse, or it has faults (all of them at once).
    """
    content, file = profile_bytes(name_or_path, relative_to=relative_to)
    # A built-in profile is held to the schema by tests: reading it needs no pydantic, which is slow to import.
    return parse_profile(content, file=file) if str(name_or_path).endswith(".toml") else _built_in(content)


def profile_and_name_of_town(place: Path) -> "tuple[Profile, str]":
    """Read the profile that a town file names, and the town's own name, without its layers and without its store.

    A profile is the law of the town it was written for; another town that uses it keeps its own name on all that is written.

    Parameters
    ----------
    place
        The town file, or its folder.

    Raises
    ------
    TownFileError
        There is none, it does not parse, or it names no ordinance.
    OrdinanceError
        The profile cannot be used.
    """
    file = find_town_file(place)
    try:
        town = read_toml(file.read_bytes()).get("town")
    except OSError as error:
        raise TownFileError(Fault(what=f"the file cannot be read: {error.strerror}", file=str(file))) from error
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    name = town.get("ordinance") if isinstance(town, dict) else None
    if not isinstance(name, str) or not name:
        remedy = 'write under [town], for example: ordinance = "italy"'
        raise TownFileError(Fault(what="it names no ordinance", file=str(file), key="town.ordinance", remedy=remedy))
    profile = load_profile(name, relative_to=file.parent)
    own = town.get("name") if isinstance(town, dict) else None
    return profile, own.strip() if isinstance(own, str) and own.strip() else profile.town


def profile_bytes(name_or_path: str | Path, *, relative_to: Path | None = None) -> tuple[bytes, str]:
    """Give a profile's file as it is, and what faults call it; parameters and errors as :func:`load_profile`, without checking it."""
    name = str(name_or_path)
    if not name.endswith(".toml"):
        if name not in available():
            raise OrdinanceError(
                Fault(
                    what=f"there is no built-in ordinance {name!r} (built in: {', '.join(available())})",
                    remedy="use one of these ids, or the path of a profile file ending in .toml",
                    key="ordinance",
                )
            )
        return (files("geonotice.ordinance") / f"{name}.toml").read_bytes(), f"{name}.toml (built in)"
    path = (relative_to or Path()) / Path(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        start = "the folder of the town file" if relative_to else "the folder that the command is given in"
        remedy = f"correct the path; a relative one starts at {start}"
        raise OrdinanceError(Fault(what=f"cannot be read: {error.strerror}", remedy=remedy, file=str(path))) from error
    return content, str(path)


@lru_cache(maxsize=16)
def _built_in(content: bytes) -> "Profile":
    from geonotice.ordinance.plain import profile_from_toml

    return profile_from_toml(tomllib.loads(content.decode("utf-8")), sha256=hashlib.sha256(content).hexdigest())


@lru_cache(maxsize=32)
def parse_profile(content: bytes, *, file: str) -> "Profile":
    """Check a profile given as the bytes of a TOML file; ``file`` is what faults call it. The same bytes are checked once a process."""
    from geonotice.ordinance.schema import to_profile

    try:
        data = read_toml(content)
    except NotToml as error:
        raise OrdinanceError(Fault(what=error.what, remedy=error.remedy, file=file)) from error
    return to_profile(data, file=file, sha256=hashlib.sha256(content).hexdigest())
