"""Find and load ordinance profiles: the built-in ones by id, a town's own by path, and one that the store keeps."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import msgspec

from geonotice.config.town import DistrictSpec, find_town_file
from geonotice.errors import Fault, OrdinanceError, TownFileError
from geonotice.io.toml import NotToml, read_toml
from geonotice.ordinance.profile import FILE_KEYS, District, Profile, Rule, district_key

__all__ = [
    "available",
    "completed",
    "load_profile",
    "parse_profile",
    "profile_and_name_of_town",
    "profile_bytes",
    "profile_from_json",
    "profile_from_toml",
    "profile_to_json",
    "shared_rules",
    "shared_sets",
    "with_determinations",
]


def profile_from_toml(data: Mapping[str, Any], *, sha256: str) -> Profile:
    """Rebuild the profile of a file that was checked before, without pydantic and without checking it again."""
    rules, further = (_rules_by_fields(data.get(key, ())) for key in ("rules", "further"))
    districts = [_by_fields(district) for district in data.get("districts", ())]
    whole = {**data, "rules": rules, "further": further, "districts": districts}
    return completed(msgspec.convert(whole, Profile), sha256=sha256)


def _rules_by_fields(rules: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [
        {**rule, "periods": [_by_fields(period) for period in rule["periods"]]} if "periods" in rule else rule for rule in rules
    ]


# By path, not by importlib.resources, which imports zipfile: a hundredth of a list's time.
PROFILES, SHARED = (Path(__file__).with_name(name) for name in ("profiles", "shared"))


def shared_sets() -> tuple[str, ...]:
    """Return the names of the sets of rules that any town's profile may refer to (``also``), sorted."""
    return tuple(sorted(item.stem for item in SHARED.glob("*.toml")))


@lru_cache(maxsize=8)
def shared_rules(name: str) -> tuple[Rule, ...]:
    """Read a set of rules that any town's profile may refer to."""
    data = tomllib.loads((SHARED / f"{name}.toml").read_text(encoding="utf-8"))
    return tuple(msgspec.convert(rule, Rule) for rule in _rules_by_fields(data["rules"]))


_FIELDS = {key: name for name, key in FILE_KEYS.items()}


def _by_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    return {_FIELDS.get(key, key): value for key, value in table.items()}


def completed(profile: Profile, *, sha256: str) -> Profile:
    """Return a profile as its file has it with what follows from it: hash, the readings' names, the chapter cited, the rules referred to."""

    def cited(rules: Sequence[Rule]) -> tuple[Rule, ...]:
        return tuple(
            rule if rule.citation.chapter else replace(rule, citation=replace(rule.citation, chapter=profile.chapter))
            for rule in rules
        )

    return replace(
        profile,
        sha256=sha256,
        settings={name: replace(reading, name=name) for name, reading in profile.settings.items()},
        rules=cited(profile.rules),
        further=cited((*profile.further, *(rule for name in profile.also for rule in shared_rules(name)))),
    )


def profile_to_json(profile: Profile) -> dict[str, Any]:
    """Return the profile as plain JSON values, for the store."""
    return cast("dict[str, Any]", msgspec.to_builtins(profile))


def profile_from_json(data: Mapping[str, Any]) -> Profile:
    """Rebuild the profile that :func:`profile_to_json` wrote, without checking it again."""
    return msgspec.convert(data, Profile)


_YARDS = ("front_ft", "side_ft", "both_sides_ft", "rear_ft")


def with_determinations(profile: Profile, determined: Sequence[DistrictSpec], *, file: str = "town.toml") -> Profile:
    """Complete a profile's table of districts by what the town file says: the class of those it leaves open, and missing yards.

    Parameters
    ----------
    profile
        The town's law.
    determined
        The districts of the town file, each with who determined it.
    file
        What faults call the town file.

    Raises
    ------
    TownFileError
        A district stands there twice, or the profile says otherwise of it: the law's own table is changed in the profile, not in
        the town file. All of them at once.
    """
    faults: list[Fault] = []
    table = {_key(profile, item.code, item.municipality): item for item in profile.districts}
    seen: set[tuple[str, str]] = set()
    for n, spec in enumerate(determined):
        key, where = _key(profile, spec.code, spec.municipality), f"districts[{n}]"
        if key in seen:
            faults.append(Fault(what=f"{spec.code} stands here twice", file=file, key=where, remedy="take one of them out"))
            continue
        seen.add(key)
        known = table.get(key) or District(spec.code, "undetermined", municipality=spec.municipality)
        faults += _contradictions(known, spec, profile, file=file, where=where)
        said = {name: getattr(spec, name) for name in _YARDS if getattr(spec, name) is not None}
        if said and not known.yards_verified:
            # The town's own figures take the place of ones that nobody has read in its law: those it leaves out stay unverified.
            said |= {"yards_verified": all(name in said for name in _YARDS if getattr(known, name) is not None)}
        if spec.zone and (known.zone == "undetermined" or not known.verified):
            said |= {"zone": spec.zone, "source": spec.source, "by_town": True, "verified": True}
        table[key] = replace(known, **said)
    if faults:
        raise TownFileError(faults)
    return replace(profile, districts=tuple(table.values()))


def _key(profile: Profile, code: str, municipality: str) -> tuple[str, str]:
    """Return a district's code and place in one spelling; the town's own districts have no place."""
    place = municipality.strip().casefold()
    town = profile.town.casefold()
    return district_key(code), "" if place in (town, town.removeprefix("town of ")) else place


def _contradictions(known: District, spec: DistrictSpec, profile: Profile, *, file: str, where: str) -> list[Fault]:
    remedy = "take it out; if the profile is wrong, give the town a profile of its own (docs/adding-a-town.md)"
    faults = []
    if spec.zone and known.verified and known.zone not in ("undetermined", spec.zone):
        what = f"{spec.code} is said to be {spec.zone}, and the profile {profile.id} says {known.zone} ({known.source})"
        faults.append(Fault(what=what, file=file, key=f"{where}.class", remedy=remedy))
    for name in _YARDS:
        ours, theirs = getattr(spec, name), getattr(known, name)
        if ours is not None and theirs is not None and ours != theirs and known.yards_verified:
            what = f"{spec.code} is said to have {name} = {ours:g}, and the profile {profile.id} says {theirs:g}"
            faults.append(Fault(what=what, file=file, key=f"{where}.{name}", remedy=remedy))
    return faults


def available() -> tuple[str, ...]:
    """Return the ids of the built-in profiles, sorted."""
    return tuple(sorted(item.stem for item in PROFILES.glob("*.toml")))


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
    """Return a profile's file as it is, and what faults call it; parameters and errors as :func:`load_profile`, without checking it."""
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
        return (PROFILES / f"{name}.toml").read_bytes(), f"{name}.toml (built in)"
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
    return profile_from_toml(tomllib.loads(content.decode("utf-8")), sha256=hashlib.sha256(content).hexdigest())


@lru_cache(maxsize=32)
def parse_profile(content: bytes, *, file: str) -> "Profile":
    """Check a profile given as the bytes of a TOML file; ``file`` is what faults call it. The same bytes are checked once a process."""
    from geonotice.ordinance.check_profile import checked

    try:
        data = read_toml(content)
    except NotToml as error:
        raise OrdinanceError(Fault(what=error.what, remedy=error.remedy, file=file)) from error
    return completed(checked(data, file=file), sha256=hashlib.sha256(content).hexdigest())
