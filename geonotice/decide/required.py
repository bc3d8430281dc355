"""Whether a notice is due at all, and which of its rules: the district of the premises, and what the officials may ask for."""

from collections.abc import Sequence
from dataclasses import dataclass

from geonotice.decide.cap_values import Zone
from geonotice.model import Caution, Required
from geonotice.ordinance.profile import Notice, Profile, Rule

__all__ = ["Due", "due"]


@dataclass(frozen=True, slots=True)
class Due:
    """Whether the notice is due, what that rests on, and the ids of rules that do not reach these premises beside others that do."""

    required: Required
    cautions: tuple[Caution, ...] = ()
    aside: frozenset[str] = frozenset()


def due(profile: Profile, rules: Sequence[Rule], zone: Zone) -> Due:
    """Say whether the notice of an occasion is due.

    Where every rule of it is for residential districts only, the list is made whatever the district; where some are, the others make it
    and these are set aside outside such districts.

    LAW: Southampton 283-3 asks for the filing notice only "within a residential zoning district", and then the officials *may* require
    it; whether a split-zoned parcel is within one for that is an open reading (``split_zoned_notice``), by default it is.
    """
    mailed = [(rule, rule.notice) for rule in rules if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"]
    limited = [rule.id for rule, notice in mailed if notice.only_in == "residential"]
    inside, cautions = _inside(profile, zone, ", ".join(limited), alone=len(limited) == len(mailed)) if limited else (True, ())
    if limited and inside is not True and len(limited) == len(mailed):
        return Due("decide" if inside is None else "no", cautions)
    aside = frozenset(limited) if inside is False else frozenset()
    wanted = [(rule, notice) for rule, notice in mailed if rule.id not in aside]
    return Due(_asked(wanted), (*cautions, *_on_demand(wanted)), aside)


def _inside(profile: Profile, zone: Zone, ids: str, *, alone: bool) -> tuple[bool | None, tuple[Caution, ...]]:
    """Say whether the premises are in a residential district for notice, and what to say of it; None where that is not known."""
    match zone:
        case "residential":
            return True, ()
        case "undetermined":
            text = f"Whether {ids} asks for this notice turns on the zoning of the premises, which is not determined. An official must say."
            return None, (Caution("zone_undetermined", text),)
        case "split" if not profile.reads("split_zoned_notice", "other"):
            text = f"The premises are split between a residential and another district; for this notice ({ids}) they are treated as residential."
            return True, (Caution("split_zoned", text),)
    where = "The premises lie in no residential district"
    if zone == "split":
        where = "The premises are split between a residential and another district, which the profile reads as not residential (split_zoned_notice)"
    rest = "The list is computed all the same." if alone else "The list is that of the other rules."
    code = "split_zoned" if zone == "split" else "not_residential"
    return False, (Caution(code, f"{where}, so {ids} asks for no notice. {rest}"),)


def _asked(wanted: Sequence[tuple[Rule, Notice]]) -> Required:
    return "on_demand" if wanted and all(notice.on_demand for _, notice in wanted) else "yes"


def _on_demand(wanted: Sequence[tuple[Rule, Notice]]) -> tuple[Caution, ...]:
    ids = ", ".join(rule.id for rule, notice in wanted if notice.on_demand)
    text = f"The officials may require this notice ({ids}); if they do, the application is not complete without it."
    return (Caution("on_demand", text),) if ids else ()
