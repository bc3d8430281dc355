"""The town, its layers, settings, clerk and files: the one model of the town file, ``town.toml``.

The annotations have the limits of each value. :mod:`geonotice.config.read_town` checks a file against them with pydantic, which is slow to
import; the store keeps the outcome as JSON, and the query path rebuilds it with :func:`town_from_json`, without checking it again.
"""

import json
from dataclasses import field, fields
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from geonotice.config.constraints import NOT_IN_FILE, After, Before, Entries, FileTable, Limit, Table, only_known_keys
from geonotice.errors import Fault, TownFileError

__all__ = [
    "CORRECTIONS_FILE",
    "ENTERS_THE_STORE",
    "LAYER_KINDS",
    "PARCEL_FIELDS",
    "READ_AFRESH",
    "TOWN_FILE",
    "Clerk",
    "CommonLandSpec",
    "CorrectionsSpec",
    "DistrictSpec",
    "LayerSpec",
    "Layers",
    "OtherSpec",
    "OthersSpec",
    "PapersSpec",
    "ParcelSpec",
    "PostageSpec",
    "RegisterSpec",
    "Roles",
    "RollKey",
    "RollSpec",
    "ScreenSpec",
    "Settings",
    "Town",
    "TownSpec",
    "changed_for_the_store",
    "find_town_file",
    "town_from_json",
    "town_to_json",
]

TOWN_FILE = "town.toml"
"""What a town file is called."""

CORRECTIONS_FILE = "corrections.csv"
"""What the corrections file beside it is called, where the town file does not say otherwise."""

PARCEL_FIELDS = (
    "tax_map_number", "swis", "role", "municipality", "property_class", "ownership", "roll_year", "roll_section",
    "owner", "owner_2", "owner_3", "owner_4", "owner_5", "owner_6", "owner_7", "owner_8", "owner_9", "care_of",
    "mail_address", "mail_address_2", "mail_address_3", "mail_address_4", "po_box", "mail_city", "mail_state", "mail_zip", "mail_zip_4",
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


def _lines(value: object) -> object:
    """Take a text of several lines for a list of them."""
    return [line.strip() for line in value.splitlines() if line.strip()] if isinstance(value, str) else value


def _listed(value: object) -> object:
    """Take one text for a list of one."""
    return [value] if isinstance(value, str) else value


def _named(values: tuple[str, ...]) -> tuple[str, ...]:
    if any(not value for value in values):
        raise ValueError(
            "which municipality of the parcel layer is the town's own is left open: write its name as the layer does"
        )
    return values


def _none_if_contained(value: object) -> object:
    if isinstance(value, list):
        return value
    if value != "contained":
        raise ValueError('a list is meant, in square brackets, or "contained"')
    return None


def _prefixes(codes: tuple[str, ...]) -> tuple[str, ...]:
    wrong = [code for code in codes if not (code.isdigit() and 2 <= len(code) <= 6)]  # noqa: PLR2004  # county is two digits, village six
    if wrong:
        raise ValueError(f"a SWIS prefix is two to six digits; {', '.join(wrong)} is not")
    return codes


Filled = Annotated[str, Limit(min_length=1)]
Year = Annotated[int, Limit(ge=1900, le=2200)]
Yard = Annotated[float, Limit(ge=0, le=1000)]


def _keys(**written: str) -> dict[str, Any]:
    """Return the settings of one table, as of :func:`only_known_keys`; blanks around a text are no part of it."""
    return only_known_keys(written, str_strip_whitespace=True)


class TownSpec(FileTable, kw_only=True):
    """The table ``[town]``."""

    __pydantic_config__ = _keys()

    name: Filled
    ordinance: Filled
    crs: Filled
    swis: Annotated[tuple[str, ...], After(_prefixes)] = ()
    municipality: Annotated[tuple[str, ...], Before(_listed), After(_named)] = ()
    city: str = ""
    state: str = ""
    zip: str = ""


class LayerSpec(FileTable, kw_only=True):
    """One layer as the town file names it; ``path`` is absolute, ``given`` is how the file writes it."""

    __pydantic_config__ = _keys(given="path")

    kind: str = field(default="parcels", metadata=NOT_IN_FILE)
    path: Path = field(default=Path(), metadata=NOT_IN_FILE)
    given: Filled
    layer: str | None = None
    crs: str | None = None
    as_of: date | None = None
    fields: dict[str, str] = field(default_factory=dict)


class Roles(FileTable, kw_only=True):
    """``[layers.parcels.roles]``: for each role, the tax map numbers of the parcels that a person has said are such."""

    __pydantic_config__ = _keys()

    right_of_way: tuple[str, ...] = ()
    lot: tuple[str, ...] = ()
    railroad: tuple[str, ...] = ()
    water: tuple[str, ...] = ()

    def items(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return each role for which the file names a parcel, with their numbers."""
        named = [(role.name, getattr(self, role.name)) for role in fields(self)]
        return [(role, numbers) for role, numbers in named if numbers]


class ParcelSpec(LayerSpec, kw_only=True):
    """One of ``[[layers.parcels]]``."""

    roll_year: Year | None = None
    final: bool | None = None
    swis: str | None = None
    property_classes: Literal["new_york", "other"] | None = None
    roles: Roles = field(default_factory=Roles)


OneLayer = Annotated[LayerSpec, Table()]


class Layers(FileTable, kw_only=True):
    """The table ``[layers]``: the parcels, and each of :data:`LAYER_KINDS` that the town has."""

    __pydantic_config__ = _keys()

    parcels: Annotated[tuple[Annotated[ParcelSpec, Table()], ...], Entries(at_least=1)]
    zoning: OneLayer | None = None
    municipalities: OneLayer | None = None
    streets: OneLayer | None = None
    railroads: OneLayer | None = None
    water: OneLayer | None = None
    address_points: OneLayer | None = None

    @property
    def others(self) -> dict[str, LayerSpec]:
        """The layers besides the parcels, by kind."""
        return {kind: layer for kind in LAYER_KINDS if (layer := getattr(self, kind)) is not None}


class RollKey(FileTable):
    """How a roll's columns make the tax map number of the layer: joined by ``join``, after the transformations that are on."""

    __pydantic_config__ = _keys()

    columns: Annotated[tuple[str, ...], Entries(at_least=1)]
    join: str = "-"
    strip_leading_zeros: bool = False
    drop_zero_parts: bool = False


class RollSpec(FileTable, kw_only=True):
    """One of ``[[roll]]``: an assessment roll without geometry, joined by key; ``path`` and ``given`` as a layer's."""

    __pydantic_config__ = _keys(given="path")

    path: Path = field(default=Path(), metadata=NOT_IN_FILE)
    given: Filled
    sheet: str | None = None
    as_of: date | None = None
    roll_year: Year | None = None
    final: bool | None = None
    key: RollKey | None = None
    fields: dict[str, str] = field(default_factory=dict)


class Settings(FileTable):
    """What the geometry is measured with, all lengths in US survey feet, and three choices about whose letters a list has.

    ``common_land``: whether the owners of units are notified with their common land; ``unnamed_owner``: to whom a letter is addressed where the
    roll has an address and no owner's name; ``combine_residents``: whether one letter goes to an owner and the residents at the very same address.
    Each is printed in the record.
    """

    __pydantic_config__ = _keys()

    tolerance_ft: Annotated[float, Limit(gt=0, le=10)] = 1.5
    borderline_ft: Annotated[float, Limit(ge=0, le=100)] = 5.0
    borderline: Literal["mail", "ask"] = "mail"
    straight_across: Literal["mail", "ask"] = "mail"
    near_miss_ft: Annotated[float, Limit(ge=0, le=1000)] = 50.0
    right_of_way_max_ft: Annotated[float, Limit(gt=0, le=2000)] = 200.0
    right_of_way_max_state_ft: Annotated[float, Limit(gt=0, le=5000)] = 600.0
    sliver_share: Annotated[float, Limit(ge=0, lt=0.5)] = 0.02
    sliver_sq_ft: Annotated[float, Limit(ge=0)] = 500.0
    address_point_ft: Annotated[float, Limit(ge=0, le=500)] = 25.0
    common_land: bool = True
    unnamed_owner: Filled = "PROPERTY OWNER"
    combine_residents: bool = False


class Clerk(FileTable):
    """The town's clerk: the office that a packet comes from, and where the public asks."""

    __pydantic_config__ = _keys()

    name: str = ""
    title: str = ""
    office: str = ""
    address: Annotated[tuple[str, ...], Before(_lines)] = ()
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


class DistrictSpec(FileTable):
    """One of ``[[districts]]``: what the town's officials say of a district that the law's table leaves open: its class, its yards in feet.

    ``source`` says who determined it, or where it stands.
    """

    __pydantic_config__ = _keys(zone="class")

    code: Filled
    source: Filled
    zone: Literal["residential", "other"] | None = None
    municipality: str = ""
    front_ft: Yard | None = None
    side_ft: Yard | None = None
    rear_ft: Yard | None = None
    both_sides_ft: Yard | None = None


class CommonLandSpec(FileTable):
    """One of ``[[common_land]]``: which lots share the ownership of a common lot, as an official determined it.

    ``units`` are their numbers, ``*`` at the end of one stands for any characters; None (``"contained"`` in the file): every lot that lies
    in the outline of the common lot. An empty tuple: nobody shares it. ``source`` says where that stands.
    """

    __pydantic_config__ = _keys()

    lot: Filled
    units: Annotated[tuple[str, ...] | None, Before(_none_if_contained)]
    source: Filled


class PostageSpec(FileTable):
    """The table ``[postage]``."""

    __pydantic_config__ = _keys()

    file: Filled


class PapersSpec(FileTable, kw_only=True):
    """The table ``[papers]``: the town's own words and letterhead, paths relative to the town file.

    ``templates`` is the folder of Word templates; ``seal`` a picture (PNG, JPEG, SVG) for the letterhead; ``signature`` the line under which is signed,
    where that is not the clerk; ``hearing_place`` and ``hearing_time`` where and when the board meets, as letters say it; ``county`` the county in which
    affidavits are sworn; ``pdf`` what makes the PDFs of Word files.
    """

    __pydantic_config__ = _keys()

    templates: Filled = "templates"
    seal: str = ""
    signature: str = ""
    hearing_place: str = ""
    hearing_time: str = ""
    county: str = ""
    pdf: Literal["built_in", "libreoffice"] = "built_in"


class CorrectionsSpec(FileTable):
    """The table ``[corrections]``: the file of :mod:`geonotice.config.corrections`, beside the town file."""

    __pydantic_config__ = _keys()

    path: Filled


class OtherSpec(FileTable, kw_only=True):
    """One of ``[[others.recipients]]``: an agency or an association that the town always notifies.

    ``occasions`` are those on which it is notified, empty for all; ``why`` is what the list gives as the reason.
    """

    __pydantic_config__ = _keys()

    name: Annotated[tuple[Filled, ...], Entries(at_least=1), Before(_lines)]
    address: Annotated[tuple[Filled, ...], Entries(at_least=1), Before(_lines)]
    city: Filled
    state: str = ""
    zip: str = ""
    country: str = ""
    mail: Literal["certified", "first_class"] = "first_class"
    occasions: Annotated[tuple[str, ...], Before(_listed)] = ()
    why: str = ""


class OthersSpec(FileTable, kw_only=True):
    """The table ``[others]``: who is notified beside owners, residents and clerks: a CSV beside the town file, or ``[[others.recipients]]``, or both."""

    __pydantic_config__ = _keys()

    path: str = ""
    recipients: tuple[Annotated[OtherSpec, Table()], ...] = ()


class ScreenSpec(FileTable, kw_only=True):
    """The table ``[screen]``: how much room a crowd and its cars take, each number with its source.

    The program's own: 15 sq ft a person at tables (IBC 1004.5), one car for four persons (Italy D(5)), 100 cars an acre (10 NYCRR 7-4.7).
    """

    __pydantic_config__ = _keys()

    sq_ft_per_person: Annotated[float, Limit(gt=0, le=1000)] = 15.0
    sq_ft_per_person_source: str = "IBC 1004.5, persons at tables"
    persons_per_car: Annotated[float, Limit(gt=0, le=100)] = 4.0
    persons_per_car_source: str = "Italy, mass public assembly, D(5): one car for one to four persons"
    cars_per_acre: Annotated[float, Limit(gt=0, le=1000)] = 100.0
    cars_per_acre_source: str = "10 NYCRR 7-4.7"


def _number_form(text: str) -> str:
    from geonotice.config.permit_number_forms import stated_form

    return stated_form(text).stated if text.strip() else ""


class RegisterSpec(FileTable):
    """The table ``[register]``.

    Parameters
    ----------
    url
        Where the register is; ``permits.sqlite`` beside the town file by itself.
    public_titles
        Whether the public event map shows what events are called.
    private_titles
        Numbers of permits whose title stays off the public event map.
    number
        How permits are numbered, such as ``SE-{year}-{n:03}``; empty: on from the permits that the register has.
    """

    __pydantic_config__ = _keys()

    url: Filled | None = None
    public_titles: bool = True
    private_titles: tuple[Filled, ...] = ()
    number: Annotated[str, After(_number_form)] = ""


class Town(FileTable, kw_only=True):
    """A town file; ``file`` is where it lies."""

    __pydantic_config__ = _keys(rolls="roll")

    file: Path = field(default=Path(), metadata=NOT_IN_FILE)
    town: TownSpec
    layers: Layers
    rolls: tuple[Annotated[RollSpec, Table()], ...] = ()
    settings: Settings = field(default_factory=Settings)
    clerk: Clerk = field(default_factory=Clerk)
    districts: tuple[DistrictSpec, ...] = ()
    common_land: tuple[CommonLandSpec, ...] = ()
    postage: PostageSpec | None = None
    corrections: CorrectionsSpec | None = None
    others: OthersSpec | None = None
    register: RegisterSpec | None = None
    papers: PapersSpec = field(default_factory=PapersSpec)
    screen: ScreenSpec = field(default_factory=ScreenSpec)

    @property
    def name(self) -> str:
        """What is printed on every list."""
        return self.town.name

    @property
    def ordinance(self) -> str:
        """The id of a built-in profile, or the path of one."""
        return self.town.ordinance

    @property
    def crs(self) -> str:
        """The projected CRS, in feet, that everything is measured in."""
        return self.town.crs

    @property
    def swis(self) -> tuple[str, ...]:
        """The prefixes of the town's own SWIS codes."""
        return self.town.swis

    @property
    def municipality(self) -> tuple[str, ...]:
        """What the parcel layer calls the town's own municipality; empty where the SWIS code says it, or not at all."""
        return self.town.municipality

    @property
    def parcels(self) -> tuple[ParcelSpec, ...]:
        """The parcel layers: the town's own, then those of adjoining counties."""
        return self.layers.parcels

    @property
    def register_url(self) -> str | None:
        """Where the register is, as the file writes it; None where it does not say."""
        return self.register.url if self.register else None

    @property
    def folder(self) -> Path:
        """Where the town file lies."""
        return self.file.parent

    @property
    def store(self) -> Path:
        """Where ``import`` puts the store."""
        return self.folder / "store.gpkg"


ENTERS_THE_STORE: dict[str, frozenset[str]] = {
    "town": frozenset(key.name for key in fields(TownSpec)),
    "layers": frozenset(key.name for key in fields(Layers)),
    "rolls": frozenset(key.name for key in fields(RollSpec)),
    "districts": frozenset(key.name for key in fields(DistrictSpec)),
    "common_land": frozenset(key.name for key in fields(CommonLandSpec)),
    "settings": frozenset({"address_point_ft"}),
}
"""The tables of a town file of which ``import`` puts something into the store, each with the keys that count: where one changes, the layers are imported anew.

A key that is not here is read from the file at every list. A new key of a table that is named whole counts by itself; so does a new table until it stands
in :data:`READ_AFRESH`.
"""

READ_AFRESH: dict[str, frozenset[str]] = {
    "settings": frozenset(key.name for key in fields(Settings)) - ENTERS_THE_STORE["settings"],
    "clerk": frozenset(key.name for key in fields(Clerk)),
    "postage": frozenset(key.name for key in fields(PostageSpec)),
    "corrections": frozenset(key.name for key in fields(CorrectionsSpec)),
    "others": frozenset(key.name for key in fields(OthersSpec)),
    "register": frozenset(key.name for key in fields(RegisterSpec)),
    "papers": frozenset(key.name for key in fields(PapersSpec)),
    "screen": frozenset(key.name for key in fields(ScreenSpec)),
}
"""The tables, and their keys, that every list reads from the town file as it is now."""


def changed_for_the_store(stored: dict[str, Any], town: Town) -> tuple[str, ...]:
    """Return the tables of a town file in which something has changed that the store was made from.

    Parameters
    ----------
    stored
        The town as the store has it, as :func:`town_to_json` wrote it.
    town
        The town as the file has it now.
    """
    before, now = (_for_the_store(data) for data in (stored, town_to_json(town)))
    return tuple(sorted(table for table in before.keys() | now.keys() if before.get(table) != now.get(table)))


def _for_the_store(data: dict[str, Any]) -> dict[str, Any]:
    """Return what of a town enters the store. Where the folder lies does not: sources are known by how the file writes them."""
    made: dict[str, Any] = {}
    for table, value in data.items():
        afresh = READ_AFRESH.get(table)
        if table == "file" or (afresh is not None and table not in ENTERS_THE_STORE):
            continue
        made[table] = (
            {key: one for key, one in value.items() if key not in afresh} if afresh is not None else _without_places(value)
        )
    return json.loads(json.dumps(made))  # type: ignore[no-any-return]  # what was a tuple is a list on both sides


def _without_places(value: Any) -> Any:  # noqa: ANN401  # JSON
    if isinstance(value, dict):
        return {key: _without_places(one) for key, one in value.items() if not (key == "path" and "given" in value)}
    return [_without_places(one) for one in value] if isinstance(value, (list, tuple)) else value


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
                remedy="have one made by whoever looks after the program",
                command="make one with: geonotice init DIR --parcels SOURCE --ordinance ID",
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
