"""What an ordinance profile asks of a permit register: the annual caps, the days between parades, the days of yard sales."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from geonotice.decide.cap_values import EXEMPT_OWNERS, CapRules
from geonotice.decide.season import ParadeRule, YardSaleRule

if TYPE_CHECKING:
    from geonotice.ordinance.profile import Profile, Rule

__all__ = ["PermitRules", "cap_rules", "parade_rule", "permit_rules", "yard_sale_rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermitRules:
    """What the register applies; None where the ordinance has no such rule."""

    caps: CapRules | None = None
    parade: ParadeRule | None = None
    yard_sale: YardSaleRule | None = None


def cap_rules(profile: "Profile") -> CapRules | None:
    """Read the caps out of a profile; None where the ordinance sets none.

    Parameters
    ----------
    profile
        Its rules of the kind ``cap``: ``check`` ``cap_residential`` with the values ``permits`` and ``charity``, ``cap_other`` with
        ``events`` and ``night``; and the exemption ``cap_exempt`` with ``owners``. The settings ``cap_year_residential`` and
        ``cap_year_other`` say which date of a permit gives its year.
    """
    rules = {
        rule.check: rule
        for rule in profile.of_kind("cap", "exemption")
        if rule.check in ("cap_residential", "cap_other", "cap_exempt")
    }
    residential, other, exempt = (rules.get(check) for check in ("cap_residential", "cap_other", "cap_exempt"))
    if residential is None and other is None:
        return None
    first, charity = _places(residential)
    return CapRules(
        residential=_number(residential, "permits"),
        residential_charity=_number(residential, "charity") or 0,
        other=_number(other, "events"),
        other_night=_number(other, "night"),
        residential_year=_year(profile, "cap_year_residential", "issued"),
        other_year=_year(profile, "cap_year_other", "starts"),
        exempt_owners=_owners(exempt),
        residential_rule=residential.id if residential else "",
        other_rule=other.id if other else "",
        exempt_rule=exempt.id if exempt else "exempt",
        residential_citation=first,
        charity_citation=charity,
        other_citation=other.section if other else "",
        exempt_citation=exempt.section if exempt else "",
    )


def permit_rules(profile: "Profile") -> PermitRules:
    """Read everything out of a profile that the register applies."""
    inclusive = not profile.reads("summer", "both_excluded")
    sale = next((rule for rule in profile.rules if rule.check == "yard_sale"), None)
    parade = next((rule for rule in profile.rules if rule.check == "parade_interval"), None)
    return PermitRules(
        caps=cap_rules(profile),
        yard_sale=yard_sale_rule(sale, inclusive=inclusive) if sale else None,
        parade=parade_rule(parade, inclusive=inclusive) if parade else None,
    )


def yard_sale_rule(rule: "Rule", *, inclusive: bool) -> YardSaleRule:
    """Read a yard sale's limits; ``inclusive`` counts Memorial Day and Labor Day as summer."""
    return YardSaleRule(
        rule=rule.id,
        citation=rule.section,
        consecutive_days=int(rule.number("consecutive_days")),
        days_a_year=int(rule.number("days_a_year")),
        summer_days=int(rule.number("summer_days")),
        holidays_included=inclusive,
    )


def parade_rule(rule: "Rule", *, inclusive: bool) -> ParadeRule:
    """Read within how many days of another a parade is considered."""
    return ParadeRule(rule=rule.id, citation=rule.section, days=int(rule.number("days")), holidays_included=inclusive)


def _owners(exempt: "Rule | None") -> frozenset[str]:
    if exempt is None:
        return frozenset()
    return frozenset(exempt.words("owners")) if "owners" in exempt.values else EXEMPT_OWNERS


def _number(rule: "Rule | None", name: str) -> int | None:
    return int(rule.number(name)) if rule and name in rule.values else None


def _year(profile: "Profile", setting: str, default: Literal["issued", "starts"]) -> Literal["issued", "starts"]:
    if profile.reads(setting, "issued"):
        return "issued"
    return "starts" if profile.reads(setting, "starts") else default


def _places(rule: "Rule | None") -> tuple[str, str]:
    """Split ``283-6B(1)(a), (b)`` into the clause of the number and that of the exception to it."""
    section = rule.section if rule else ""
    head, comma, tail = section.rpartition(", ")
    if not comma or not tail.startswith("("):
        return section, section
    return head, head[: head.rindex("(")] + tail if "(" in head else section
