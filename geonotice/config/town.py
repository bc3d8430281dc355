"""The town: its layers, settings, clerk and files, as values that need no validating again.

The town file is checked by :mod:`geonotice.config.read_town` (pydantic, slow to import); the store keeps the outcome as JSON, and the query
path rebuilds it with :func:`town_from_json`.
"""

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from geonotice.errors import Fault, TownFileError

__all__ = [
    "LAYER_KINDS",
    "PARCEL_FIELDS",
    "TOWN_FILE",
    "Clerk",
    "CommonLandSpec",
    "DistrictSpec",
    "LayerSpec",
    "RollKey",
    "RollSpec",
    "Settings",
    "Town",
    "find_town_file",
    "town_from_json",
    "town_to_json",
]

TOWN_FILE = "town.toml"
"""What a town file is called."""

PARCEL_FIELDS = (
    "tax_map_number", "swis", "role", "municipality", "property_class", "ownership", "roll_year", "roll_section",
    "owner", "owner_2", "care_of", "mail_address", "mail_address_2", "po_box", "mail_city", "mail_state", "mail_zip", "mail_zip_4",
    "mail_country", "mail_city_state_zip", "mail_one_line",
    "add_owner", "add_mail_address", "add_po_box", "add_mail_city", "add_mail_state", "add_mail_zip",
    "situs", "situs_number", "situs_street", "situs_suffix", "situs_unit", "situs_city", "situs_state", "situs_zip",
)  # fmt: skip
"""The columns a parcel layer or a roll can give; the keys of ``[layers.parcels.fields]`` and ``[roll.fields]``."""

LAYER_KINDS: dict[str, tuple[str, ...]] = {
    "zoning": ("district", "name", "municipality"),
    "municipalities": ("name", "kind", "swis", "clerk_name", "clerk_address"),
    "streets": ("name", "jurisdiction"),
    "railroads": ("name", "owner"),
    "water": ("name",),
    "address_points": ("address", "number", "street", "unit", "city", "state", "zip"),
}
"""The other layers of a town file, and the fields each can have."""


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One layer as the town file names it; ``path`` is absolute, ``given`` is how the file wrote it.

    ``roles`` has for each role the tax map numbers of the parcels that a person has said are such.
    """

    kind: str
    path: Path
    given: str
    layer: str | None = None
    crs: str | None = None
    as_of: date | None = None
    roll_year: int | None = None
    final: bool | None = None
    swis: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RollKey:
    """How a roll's columns make the tax map number of the layer: joined by ``join``, after the transformations that are on."""

    columns: tuple[str, ...]
    join: str = "-"
    strip_leading_zeros: bool = False
    drop_zero_parts: bool = False


@dataclass(frozen=True, slots=True)
class RollSpec:
    """An assessment roll without geometry, joined by key."""

    path: Path
    given: str
    sheet: str | None = None
    as_of: date | None = None
    roll_year: int | None = None
    final: bool | None = None
    key: RollKey | None = None
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the geometry is measured with, all lengths in US survey feet; and whether the owners of units are notified with their common land.

    Each is printed in the record.
    """

    tolerance_ft: float = 1.5
    borderline_ft: float = 5.0
    borderline: Literal["mail", "ask"] = "mail"
    straight_across: Literal["mail", "ask"] = "mail"
    near_miss_ft: float = 50.0
    right_of_way_max_ft: float = 200.0
    right_of_way_max_state_ft: float = 600.0
    sliver_share: float = 0.02
    sliver_sq_ft: float = 500.0
    address_point_ft: float = 25.0
    common_land: bool = True


@dataclass(frozen=True, slots=True)
class Clerk:
    """The town's clerk: the office that a packet comes from, and where the public asks."""

    name: str = ""
    title: str = ""
    office: str = ""
    address: tuple[str, ...] = ()
    phone: str = ""
    hours: str = ""

    @property
    def line(self) -> str:
        """The office in one line; empty where the town file says nothing of it.

        Examples
        --------
        >>> Clerk(name="R. Doe", title="Town Clerk", address=("1 Main St", "Sandmere NY 11899"), phone="555-0124").line
        'R. Doe, Town Clerk; 1 Main St, Sandmere NY 11899; 555-0124'
        """
        who = ", ".join(part for part in (self.name, self.title if self.name or self.office else "") if part)
        where = ", ".join(part for part in (self.office, *self.address) if part)
        return "; ".join(part for part in (who, where, self.phone, self.hours) if part)


@dataclass(frozen=True, slots=True)
class DistrictSpec:
    """What the town's officials say of a zoning district that the law's table leaves open: its class, its yards in feet.

    ``source`` says who determined it, or where it stands.
    """

    code: str
    source: str
    zone: Literal["residential", "other"] | None = None
    municipality: str = ""
    front_ft: float | None = None
    side_ft: float | None = None
    rear_ft: float | None = None


@dataclass(frozen=True, slots=True)
class CommonLandSpec:
    """Which lots share the ownership of a common lot, as an official determined it.

    ``units`` are their numbers, ``*`` at the end of one stands for any characters; None: every lot that lies in the outline of the common
    lot. An empty tuple: nobody shares it. ``source`` says where that stands.
    """

    lot: str
    units: tuple[str, ...] | None
    source: str


@dataclass(frozen=True, slots=True)
class Town:
    """A town file, checked."""

    name: str
    ordinance: str
    crs: str
    swis: tuple[str, ...]
    file: Path
    parcels: tuple[LayerSpec, ...]
    layers: dict[str, LayerSpec] = field(default_factory=dict)
    rolls: tuple[RollSpec, ...] = ()
    settings: Settings = field(default_factory=Settings)
    clerk: Clerk = field(default_factory=Clerk)
    districts: tuple[DistrictSpec, ...] = ()
    common_land: tuple[CommonLandSpec, ...] = ()
    postage: Path | None = None
    register_url: str | None = None

    @property
    def folder(self) -> Path:
        """Where the town file lies."""
        return self.file.parent

    @property
    def store(self) -> Path:
        """Where ``import`` puts the store."""
        return self.folder / "store.gpkg"


def find_town_file(place: Path) -> Path:
    """Take a town file or its folder, and give the file.

    Raises
    ------
    TownFileError
        Neither is there, or it is another kind of file.
    """
    file = place / TOWN_FILE if place.is_dir() else place
    if not file.is_file():
        raise TownFileError(
            Fault(
                what="there is no town file" if place.is_dir() else "no such file or folder",
                file=str(file),
                remedy="make one with: geonotice init DIR --parcels SOURCE --ordinance ID",
            )
        )
    if file.suffix.casefold() != ".toml":
        raise TownFileError(
            Fault(what="this is no town file", file=str(file), remedy=f"name a town's folder, or the {TOWN_FILE} in it")
        )
    return file


def town_to_json(town: Town) -> dict[str, Any]:
    """Return the town as plain JSON values, for the store."""
    import msgspec

    made: dict[str, Any] = msgspec.to_builtins(town, enc_hook=str)  # the hook is for paths
    return made


def town_from_json(data: dict[str, Any], *, file: Path) -> Town:
    """Rebuild the town that :func:`town_to_json` wrote, without checking it again; ``file`` is where the town file lies now."""
    import msgspec

    return msgspec.convert({**data, "file": str(file)}, Town, strict=False, dec_hook=_path)


def _path(kind: type, value: Any) -> Any:  # noqa: ANN401  # what msgspec asks of a hook
    """Make the one type of a town that msgspec does not know."""
    return kind(value)
