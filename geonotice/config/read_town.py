"""Read and check ``town.toml``: every fault at once, each with its key."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from geonotice.config.town import (
    LAYER_KINDS,
    PARCEL_FIELDS,
    Clerk,
    CommonLandSpec,
    DistrictSpec,
    LayerSpec,
    RollKey,
    RollSpec,
    Settings,
    Town,
    find_town_file,
)
from geonotice.errors import Fault, TownFileError
from geonotice.io.toml import NotToml, nearest_key, read_toml, wrong_value
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["read_town_file"]

_DEFAULTS = Settings()
_NAMES = {"parcels": PARCEL_FIELDS, **LAYER_KINDS}


def _digits(codes: list[str]) -> list[str]:
    wrong = [code for code in codes if not (code.isdigit() and 2 <= len(code) <= 6)]  # noqa: PLR2004  # county is two digits, village six
    if wrong:
        raise ValueError(f"a SWIS prefix is two to six digits; {', '.join(wrong)} is not")
    return codes


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class _TownPart(_Model):
    name: str = Field(min_length=1)
    ordinance: str = Field(min_length=1)
    crs: str = Field(min_length=1)
    swis: Annotated[list[str], AfterValidator(_digits)] = Field(default_factory=list)


class _LayerPart(_Model):
    path: str = Field(min_length=1)
    layer: str | None = None
    crs: str | None = None
    as_of: date | None = None
    fields: dict[str, str] = Field(default_factory=dict)


class _RolesPart(_Model):
    right_of_way: list[str] = Field(default_factory=list)
    lot: list[str] = Field(default_factory=list)
    railroad: list[str] = Field(default_factory=list)
    water: list[str] = Field(default_factory=list)


class _ParcelsPart(_LayerPart):
    roll_year: int | None = Field(default=None, ge=1900, le=2200)
    final: bool | None = None
    swis: str | None = None
    roles: _RolesPart = Field(default_factory=_RolesPart)


class _KeyPart(_Model):
    columns: list[str] = Field(min_length=1)
    join: str = "-"
    strip_leading_zeros: bool = False
    drop_zero_parts: bool = False


class _RollPart(_Model):
    path: str = Field(min_length=1)
    sheet: str | None = None
    as_of: date | None = None
    roll_year: int | None = Field(default=None, ge=1900, le=2200)
    final: bool | None = None
    key: _KeyPart | None = None
    fields: dict[str, str] = Field(default_factory=dict)


class _LayersPart(_Model):
    parcels: list[_ParcelsPart] = Field(min_length=1)
    zoning: _LayerPart | None = None
    municipalities: _LayerPart | None = None
    streets: _LayerPart | None = None
    railroads: _LayerPart | None = None
    water: _LayerPart | None = None
    address_points: _LayerPart | None = None


class _SettingsPart(_Model):
    tolerance_ft: float = Field(default=_DEFAULTS.tolerance_ft, gt=0, le=10)
    borderline_ft: float = Field(default=_DEFAULTS.borderline_ft, ge=0, le=100)
    borderline: Literal["mail", "ask"] = "mail"
    straight_across: Literal["mail", "ask"] = "mail"
    near_miss_ft: float = Field(default=_DEFAULTS.near_miss_ft, ge=0, le=1000)
    right_of_way_max_ft: float = Field(default=_DEFAULTS.right_of_way_max_ft, gt=0, le=2000)
    right_of_way_max_state_ft: float = Field(default=_DEFAULTS.right_of_way_max_state_ft, gt=0, le=5000)
    sliver_share: float = Field(default=_DEFAULTS.sliver_share, ge=0, lt=0.5)
    sliver_sq_ft: float = Field(default=_DEFAULTS.sliver_sq_ft, ge=0)
    address_point_ft: float = Field(default=_DEFAULTS.address_point_ft, ge=0, le=500)
    common_land: bool = _DEFAULTS.common_land


class _ClerkPart(_Model):
    name: str = ""
    title: str = ""
    office: str = ""
    address: list[str] | str = ""
    phone: str = ""
    hours: str = ""


class _DistrictPart(_Model):
    code: str = Field(min_length=1)
    source: str = Field(min_length=1)
    zone: Literal["residential", "other"] | None = Field(default=None, alias="class")
    municipality: str = ""
    front_ft: float | None = Field(default=None, ge=0, le=1000)
    side_ft: float | None = Field(default=None, ge=0, le=1000)
    rear_ft: float | None = Field(default=None, ge=0, le=1000)


class _CommonLandPart(_Model):
    lot: str = Field(min_length=1)
    units: list[str] | Literal["contained"]
    source: str = Field(min_length=1)


class _PostagePart(_Model):
    file: str = Field(min_length=1)


class _RegisterPart(_Model):
    url: str = Field(min_length=1)


class _File(_Model):
    town: _TownPart
    layers: _LayersPart
    roll: list[_RollPart] = Field(default_factory=list)
    settings: _SettingsPart = Field(default_factory=_SettingsPart)
    clerk: _ClerkPart = Field(default_factory=_ClerkPart)
    districts: list[_DistrictPart] = Field(default_factory=list)
    common_land: list[_CommonLandPart] = Field(default_factory=list)
    postage: _PostagePart | None = None
    register_: _RegisterPart | None = Field(default=None, alias="register")


def read_town_file(place: Path) -> Town:
    """Read and check a town file.

    Parameters
    ----------
    place
        The town file, or its folder.

    Returns
    -------
    Town
        The town, with absolute paths.

    Raises
    ------
    TownFileError
        With every fault of the file: its TOML, unknown and missing keys, wrong values, and files it names that are not there.
    """
    file = find_town_file(place)
    try:
        data = read_toml(file.read_bytes())
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    except OSError as error:
        raise TownFileError(Fault(what=f"the file cannot be read: {error.strerror}", file=str(file))) from error
    try:
        checked = _File.model_validate(data)
    except ValidationError as error:
        raise TownFileError([_fault(file, item) for item in error.errors()]) from error
    faults = list(_further_faults(file, checked))
    if faults:
        raise TownFileError(faults)
    return _town(file.resolve(), checked)


def _fault(file: Path, error: Any) -> Fault:  # noqa: ANN401  # pydantic's error dictionary
    key = ""
    for part in error["loc"]:
        key += f"[{part}]" if isinstance(part, int) else f"{'.' if key else ''}{part}"
    match error["type"]:
        case "extra_forbidden":
            near = nearest_key(_File, error["loc"])
            what, remedy = "unknown key", f"write {near}, if that is meant" if near else "fix the spelling"
            remedy += "; docs/town-file.md has every key a town file can have"
        case "missing":
            what, remedy = "this is missing", "add it"
        case _:
            what, remedy = wrong_value(error), "fix the value"
    return Fault(what=what, file=str(file), key=key, remedy=remedy)


def _parts(checked: _File) -> "Iterable[tuple[str, str, _LayerPart | _RollPart]]":
    for n, part in enumerate(checked.layers.parcels):
        yield "parcels", f"layers.parcels[{n}]", part
    for kind in LAYER_KINDS:
        single: _LayerPart | None = getattr(checked.layers, kind)
        if single is not None:
            yield kind, f"layers.{kind}", single
    for n, roll in enumerate(checked.roll):
        yield "parcels", f"roll[{n}]", roll


def _further_faults(file: Path, checked: _File) -> "Iterable[Fault]":
    for kind, key, part in _parts(checked):
        if not (file.parent / part.path).exists():
            yield Fault(
                what=f"{part.path} is not there",
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
        if isinstance(part, _ParcelsPart):
            yield from _role_faults(file, key, part.roles)


def _role_faults(file: Path, key: str, roles: _RolesPart) -> "Iterable[Fault]":
    """Name the parcels that are said to be two things."""
    said: dict[str, str] = {}
    for role in _RolesPart.model_fields:
        for number in getattr(roles, role):
            before = said.setdefault(comparable(number), role)
            if before != role:
                yield Fault(
                    what=f"{number} stands under {before} and under {role}",
                    file=str(file),
                    key=f"{key}.roles.{role}",
                    why="a parcel has one role",
                    remedy="leave it in one of the two",
                )


def _town(file: Path, checked: _File) -> Town:
    base = file.parent
    clerk = checked.clerk.model_dump()
    lines = clerk["address"]
    clerk["address"] = tuple(lines if isinstance(lines, list) else [line.strip() for line in lines.splitlines() if line.strip()])
    layers = {kind: _layer(base, kind, getattr(checked.layers, kind)) for kind in LAYER_KINDS if getattr(checked.layers, kind)}
    return Town(
        name=checked.town.name,
        ordinance=checked.town.ordinance,
        crs=checked.town.crs,
        swis=tuple(checked.town.swis),
        file=file,
        parcels=tuple(_layer(base, "parcels", part) for part in checked.layers.parcels),
        layers=layers,
        rolls=tuple(_roll(base, part) for part in checked.roll),
        settings=Settings(**checked.settings.model_dump()),
        clerk=Clerk(**clerk),
        districts=tuple(DistrictSpec(**part.model_dump()) for part in checked.districts),
        common_land=tuple(_common_land(part) for part in checked.common_land),
        postage=(base / checked.postage.file).resolve() if checked.postage else None,
        register_url=checked.register_.url if checked.register_ else None,
    )


def _common_land(part: _CommonLandPart) -> CommonLandSpec:
    units = None if part.units == "contained" else tuple(part.units)
    return CommonLandSpec(lot=part.lot, units=units, source=part.source)


def _layer(base: Path, kind: str, part: _LayerPart) -> LayerSpec:
    data = part.model_dump(exclude={"path", "roles"})
    if isinstance(part, _ParcelsPart):
        data["roles"] = {role: tuple(numbers) for role, numbers in part.roles.model_dump().items() if numbers}
    return LayerSpec(kind=kind, path=(base / part.path).resolve(), given=part.path, **data)


def _roll(base: Path, part: _RollPart) -> RollSpec:
    data = part.model_dump(exclude={"path", "key"})
    key = RollKey(**{**part.key.model_dump(), "columns": tuple(part.key.columns)}) if part.key else None
    return RollSpec(path=(base / part.path).resolve(), given=part.path, key=key, **data)
