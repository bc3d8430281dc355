"""What a town's officials have determined of zoning districts, beside what the profile of its law says of them."""

from collections.abc import Sequence
from dataclasses import replace

from geonotice.errors import Fault, TownFileError
from geonotice.ordinance.profile import District, Profile, district_key
from geonotice.town import DistrictSpec

__all__ = ["with_determinations"]

_YARDS = ("front_ft", "side_ft", "rear_ft")


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
        if spec.zone and known.zone == "undetermined":
            said |= {"zone": spec.zone, "source": spec.source, "by_town": True}
        table[key] = replace(known, **said)
    if faults:
        raise TownFileError(faults)
    return replace(profile, districts=tuple(table.values()))


def _key(profile: Profile, code: str, municipality: str) -> tuple[str, str]:
    """Give a district's code and place in one spelling; the town's own districts have no place."""
    place = municipality.strip().casefold()
    town = profile.town.casefold()
    return district_key(code), "" if place in (town, town.removeprefix("town of ")) else place


def _contradictions(known: District, spec: DistrictSpec, profile: Profile, *, file: str, where: str) -> list[Fault]:
    remedy = "take it out; if the profile is wrong, give the town a profile of its own (docs/adding-a-town.md)"
    faults = []
    if spec.zone and known.zone not in ("undetermined", spec.zone):
        what = f"{spec.code} is said to be {spec.zone}, and the profile {profile.id} says {known.zone} ({known.source})"
        faults.append(Fault(what=what, file=file, key=f"{where}.class", remedy=remedy))
    for name in _YARDS:
        ours, theirs = getattr(spec, name), getattr(known, name)
        if ours is not None and theirs is not None and ours != theirs:
            what = f"{spec.code} is said to have {name} = {ours:g}, and the profile {profile.id} says {theirs:g}"
            faults.append(Fault(what=what, file=file, key=f"{where}.{name}", remedy=remedy))
    return faults
