"""Read and check ``town.toml``: every fault at once, each with its key."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from geonotice.config.constraints import Table
from geonotice.config.town import LAYER_KINDS, PARCEL_FIELDS, LayerSpec, ParcelSpec, Roles, RollSpec, Town, find_town_file
from geonotice.errors import Fault, TownFileError
from geonotice.io.toml import NotToml, is_unknown_key, key_at, nearest_key, read_toml, wrong_value
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import TypeAdapter

__all__ = ["read_town_file"]

_NAMES = {"parcels": PARCEL_FIELDS, **LAYER_KINDS}


def read_town_file(place: Path, *, text: str | None = None) -> Town:
    """Read and check a town file.

    Parameters
    ----------
    place
        The town file, or its folder.
    text
        What is to be checked in the place of what the file says now.

    Returns
    -------
    Town
        The town, with absolute paths.

    Raises
    ------
    TownFileError
        With every fault of the file: its TOML, unknown and missing keys, wrong values, and files it names that are not there.
    """
    from pydantic import ValidationError

    file = find_town_file(place)
    try:
        data = read_toml(file.read_bytes() if text is None else text.encode())
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    except OSError as error:
        raise TownFileError(Fault(what=f"the file cannot be read: {error.strerror}", file=str(file))) from error
    try:
        town = _checker().validate_python(data)
    except ValidationError as error:
        raise TownFileError([_fault(file, item) for item in error.errors()]) from error
    if faults := list(_further_faults(file, town)):
        raise TownFileError(faults)
    return _located(file.resolve(), town)


@cache
def _checker() -> "TypeAdapter[Town]":
    from pydantic import TypeAdapter

    return TypeAdapter(Annotated[Town, Table()])


def _fault(file: Path, error: Any) -> Fault:  # noqa: ANN401  # pydantic's error dictionary
    place = error["loc"]
    if is_unknown_key(error):
        near = nearest_key(Town, place)
        what, remedy = "unknown key", f"write {near}, if that is meant" if near else "fix the spelling"
        remedy += "; docs/town-file.md has every key a town file can have"
    elif error["type"] == "missing":
        what, remedy = "this is missing", "add it"
    else:
        what, remedy = wrong_value(error), "fix the value"
    return Fault(what=what, file=str(file), key=key_at(place), remedy=remedy)


def _parts(town: Town) -> "Iterable[tuple[str, str, LayerSpec | RollSpec]]":
    for n, layer in enumerate(town.parcels):
        yield "parcels", f"layers.parcels[{n}]", layer
    for kind, single in town.layers.others.items():
        yield kind, f"layers.{kind}", single
    for n, roll in enumerate(town.rolls):
        yield "parcels", f"roll[{n}]", roll


def _further_faults(file: Path, town: Town) -> "Iterable[Fault]":
    for kind, key, part in _parts(town):
        if not (file.parent / part.given).exists():
            yield Fault(
                what=f"{part.given} is not there",
                file=str(file),
                key=f"{key}.path",
                remedy="fix the path (it is relative to the town file), or take the layer out",
            )
        for name in part.fields:
            if name not in _NAMES[kind]:
                yield Fault(
                    what=f"{name} is not a field of {key.split('.')[-1]}",
                    file=str(file),
                    key=f"{key}.fields.{name}",
                    remedy=f"the fields are: {', '.join(_NAMES[kind])}",
                )
        if isinstance(part, ParcelSpec):
            yield from _role_faults(file, key, part.roles)
    yield from _missing_files(file, town)


def _missing_files(file: Path, town: Town) -> "Iterable[Fault]":
    """Name the files beside the town file that are not there: the tables that lists and invoices read, and the seal of the papers."""
    named = {
        "corrections.path": town.corrections.path if town.corrections else "",
        "others.path": town.others.path if town.others else "",
        "postage.file": town.postage.file if town.postage else "",
        "papers.seal": town.papers.seal,
    }
    for key, given in named.items():
        if given and not (file.parent / given).is_file():
            yield Fault(
                what=f"{given} is not there",
                file=str(file),
                key=key,
                remedy="fix the path (it is relative to the town file), or take "
                + ("the line out" if key == "papers.seal" else f"[{key.partition('.')[0]}] out"),
            )


def _role_faults(file: Path, key: str, roles: Roles) -> "Iterable[Fault]":
    """Name the parcels that are said to be two things."""
    said: dict[str, str] = {}
    for role, numbers in roles.items():
        for number in numbers:
            before = said.setdefault(comparable(number), role)
            if before != role:
                yield Fault(
                    what=f"{number} stands under {before} and under {role}",
                    file=str(file),
                    key=f"{key}.roles.{role}",
                    why="a parcel has one role",
                    remedy="leave it in one of the two",
                )


def _located(file: Path, town: Town) -> Town:
    """Return the town with what no key of the file says: where it lies, the absolute path of each source, and the kind of each layer."""

    def at(part: LayerSpec | RollSpec) -> Path:
        return (file.parent / part.given).resolve()

    layers = replace(
        town.layers,
        parcels=tuple(replace(part, path=at(part)) for part in town.parcels),
        **{kind: replace(part, path=at(part), kind=kind) for kind, part in town.layers.others.items()},
    )
    return replace(town, file=file, layers=layers, rolls=tuple(replace(part, path=at(part)) for part in town.rolls))
