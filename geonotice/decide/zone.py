"""How the zoning of the premises is classed: residential, other, split, or not determined."""

from collections.abc import Sequence

from msgspec import Struct

from geonotice.decide.cap_count import Zone
from geonotice.model import District, ResultWarning
from geonotice.ordinance.profile import District as ProfileDistrict
from geonotice.ordinance.profile import Profile, district_key

__all__ = ["DistrictArea", "ZoneDecision", "decide_zone"]


class DistrictArea(Struct, frozen=True):
    """A district on the premises as the layer has it; ``municipality`` is whose code it is, empty for the town's."""

    code: str
    municipality: str
    area_sq_ft: float
    share: float


class ZoneDecision(Struct, frozen=True):
    """The class of the premises, that of each district, and what it rests on."""

    zone: Zone
    districts: tuple[District, ...]
    warnings: tuple[ResultWarning, ...] = ()


def decide_zone(
    profile: Profile,
    areas: Sequence[DistrictArea] | None,
    *,
    slivers: Sequence[DistrictArea] = (),
    unzoned_share: float = 0.0,
    overlap_sq_ft: float = 0.0,
) -> ZoneDecision:
    """Class the districts on the premises by the profile's table, and the premises by their districts.

    Parameters
    ----------
    profile
        The town's law.
    areas
        The districts on the premises, the largest first; None where the town has no zoning layer.
    slivers
        Districts too small to count, which are said where counting them would class the premises otherwise.
    unzoned_share
        Share of the premises in no district.
    overlap_sq_ft
        Area that two districts cover at once.

    Notes
    -----
    LAW: Southampton 283-6B speaks of "split-zoned" parcels: read as residential with something else. Two residential districts are
    residential, with a warning. A district that the table does not know is not determined, and so are premises that it lies on; it is
    never taken for "not residential".
    """
    if areas is None:
        text = "The town file names no zoning layer, so the district of the premises is not known."
        return ZoneDecision("undetermined", (), (ResultWarning("no_zoning_layer", text),))
    districts = tuple(_classed(profile, area) for area in areas)
    warnings: list[ResultWarning] = []
    classes = {district.district_class for district in districts}
    unknown = [area for area, district in zip(areas, districts, strict=True) if district.district_class == "undetermined"]
    if unknown:
        named = ", ".join(
            f"{area.code} ({area.municipality})" if area.municipality else area.code or "(no code)" for area in unknown
        )
        text = f"The ordinance profile does not say whether these districts are residential: {named}. An official must say; it is not taken for either. Who has said so is written into the town file ([[districts]], docs/town-file.md).{_elsewhere(profile, unknown)}"
        warnings.append(ResultWarning("unknown_district", text))
    warnings += [_by_town(known) for area in areas if (known := profile.district(area.code, area.municipality)) and known.by_town]
    warnings += [
        _unverified(known)
        for area in areas
        if (known := profile.district(area.code, area.municipality)) and not known.verified and known.zone != "undetermined"
    ]
    if not districts:
        warnings.append(ResultWarning("unzoned", "No zoning district covers the premises."))
    elif unzoned_share:
        warnings.append(ResultWarning("partly_unzoned", f"No zoning district covers {unzoned_share:.0%} of the premises."))
    if len(districts) > 1 and classes == {"residential"}:
        named = ", ".join(district.code for district in districts)
        warnings.append(
            ResultWarning(
                "two_residential", f"The premises lie in several residential districts ({named}); they are taken as residential."
            )
        )
    if overlap_sq_ft:
        warnings.append(
            ResultWarning(
                "districts_overlap",
                f"Districts of the zoning layer overlap on {overlap_sq_ft:,.0f} sq ft of the premises; both are counted.",
            )
        )
    zone = _zone(profile, districts)
    if slivers and _zone(profile, (*districts, *(_classed(profile, area) for area in slivers))) != zone:
        named = ", ".join(f"{area.code} ({area.area_sq_ft:,.0f} sq ft)" for area in slivers)
        text = f"Too small to count, and taken for drafting error: {named}. If it is none, the premises are zoned otherwise."
        warnings.append(ResultWarning("zoning_sliver", text))
    return ZoneDecision(zone, districts, tuple(warnings))


def _by_town(known: ProfileDistrict) -> ResultWarning:
    """Return whose word it is that classes a district: not the profile's."""
    text = f"{known.code} is taken as {'residential' if known.zone == 'residential' else 'not residential'} because the town file says so ({known.source}); the law's table leaves it open."
    return ResultWarning("district_by_town", text)


def _unverified(known: ProfileDistrict) -> ResultWarning:
    """Return that nobody has read in the law itself how a district is classed."""
    taken = "residential" if known.zone == "residential" else "not residential"
    text = f"{known.code} is taken as {taken} ({known.source}): nobody has verified that in the law itself. A person must confirm it; the town file can say so ([[districts]])."
    return ResultWarning("unverified_district", text)


def _elsewhere(profile: Profile, unknown: Sequence[DistrictArea]) -> str:
    """Return where the profile has a code, but for another municipality than the layer names: often a name spelled in two ways."""
    # A village's code that looks like the town's is another district, and not misspelt.
    codes = {
        district_key(area.code): area
        for area in unknown
        if area.code
        and not area.municipality.casefold().startswith("village")
        and profile.district(area.code, area.municipality) is None
    }
    found = {
        item.code: (item.municipality or profile.town, codes[key])
        for item in profile.districts
        if (key := district_key(item.code)) in codes
    }
    said = [
        f"{code} for {place}, where the zoning layer says {area.municipality or 'none'}" for code, (place, area) in found.items()
    ]
    return f" The profile has {'; '.join(said)}: spell both alike if they are the same." if said else ""


def _classed(profile: Profile, area: DistrictArea) -> District:
    known = profile.district(area.code, area.municipality) if area.code else None
    return District(area.code, known.zone if known else "undetermined", area.area_sq_ft, area.share)


def _zone(profile: Profile, districts: Sequence[District]) -> Zone:
    classes = {district.district_class for district in districts}
    if not classes or "undetermined" in classes:
        return "undetermined"
    if "other" not in classes:
        # LAW: whether two residential districts are split zoning is an open reading; by default they are not.
        several = len({district.code for district in districts}) > 1
        return "split" if several and profile.reads("two_residential_districts", "split") else "residential"
    return "split" if "residential" in classes else "other"
