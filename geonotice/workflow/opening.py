"""Open a town: its file, its profile and its store, checked against each other."""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from geonotice.errors import Fault, StoreError, TownFileError
from geonotice.ordinance.read import profile_bytes
from geonotice.ordinance.stored import profile_from_json
from geonotice.seal import is_sealed
from geonotice.source_files import changed_sources
from geonotice.store import Store
from geonotice.toml_text import NotToml, read_toml
from geonotice.town import find_town_file, town_from_json

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from geonotice.ordinance.profile import Profile
    from geonotice.town import Town

__all__ = ["Opened", "may_have_permits", "open_store"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A town with its law and its layers, open for reading; close it, or use it in a ``with`` statement."""

    town: "Town"
    profile: "Profile"
    store: Store

    @property
    def crs(self) -> str:
        """The CRS of the store's geometries: the town's, in US survey feet even where the zone itself is in another unit."""
        return self.store.meta["crs"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.store.close()


def open_store(place: "Path") -> Opened:
    """Open a town for queries, quickly: what import validated is taken from the store.

    Parameters
    ----------
    place
        A town file, or its folder.

    Raises
    ------
    TownFileError
        There is no town file.
    StoreError
        There is no store, or the town file, the profile or a source has changed since import.
    """
    file = find_town_file(place).resolve()
    store = Store(file.parent / "store.gpkg")
    try:
        _require_sealed(store, place)
        town = town_from_json(store.town_data(), file=file)
        profile = profile_from_json(json.loads(store.meta["profile"]))
        changed = list(changed_sources(store.sources(), file.parent))
        if hashlib.sha256(file.read_bytes()).hexdigest() != store.meta["town_file_sha256"]:
            changed.append(f"{file.name} has changed since the layers were imported")
        if hashlib.sha256(profile_bytes(town.ordinance, relative_to=file.parent)[0]).hexdigest() != profile.sha256:
            changed.append(f"the ordinance profile {town.ordinance} has changed since the layers were imported")
    except BaseException:
        store.close()
        raise
    if changed:
        store.close()
        raise StoreError(
            Fault(
                what=f"the store is out of date: {'; '.join(changed)}",
                file=str(store.path),
                why="a list made from it would not be what the files say now",
                remedy=f"run: geonotice import {place}",
            )
        )
    return Opened(town, profile, store)


def _require_sealed(store: Store, place: "Path") -> None:
    """Refuse a store that another program has changed since import: no source would account for what is in it."""
    if is_sealed(store.path, store.meta.get("seal", "")):
        return
    raise StoreError(
        Fault(
            what="the store itself has been changed since import wrote it, by another program or by damage",
            file=str(store.path),
            why="a list made from it would hold what no layer and no roll says",
            remedy=f"correct the layer or the roll instead, close the store in other programs, and run: geonotice import {place}",
        )
    )


def may_have_permits(place: "Path") -> bool:
    """Whether a register may be there: a file of it beside the town file, or one that the town file names.

    Asked before the register's libraries are imported, which take half a second.

    Raises
    ------
    TownFileError
        There is no town file, or it is not TOML.
    """
    file = find_town_file(place)
    if (file.parent / "permits.sqlite").is_file():
        return True
    try:
        return "register" in read_toml(file.read_bytes())
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
