"""The annual caps of an ordinance profile, as the numbers that :mod:`geonotice.decide.caps` counts with."""

from typing import TYPE_CHECKING, Literal, cast

from geonotice.decide.cap_values import EXEMPT_OWNERS, CapRules

if TYPE_CHECKING:
    from geonotice.ordinance.profile import Profile, Rule

__all__ = ["cap_rules"]


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
    owners = exempt.values.get("owners") if exempt else None
    first, charity = _places(residential)
    return CapRules(
        residential=_number(residential, "permits"),
        residential_charity=_number(residential, "charity") or 0,
        other=_number(other, "events"),
        other_night=_number(other, "night"),
        residential_year=_year(profile, "cap_year_residential", "issued"),
        other_year=_year(profile, "cap_year_other", "starts"),
        exempt_owners=frozenset(cast("tuple[str, ...]", owners))
        if exempt and owners
        else EXEMPT_OWNERS
        if exempt
        else frozenset(),
        residential_rule=residential.id if residential else "",
        other_rule=other.id if other else "",
        exempt_rule=exempt.id if exempt else "exempt",
        residential_citation=first,
        charity_citation=charity,
        other_citation=other.section if other else "",
        exempt_citation=exempt.section if exempt else "",
    )


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
