"""The closed sets that a profile chooses from: kinds of rules, checks with what they need, groups of findings."""

from typing import Literal, get_args

__all__ = ["CHECKS", "CHECK_KINDS", "CHECK_PERIODS", "CHECK_VALUES", "GROUPS", "KINDS", "NOTICE_KINDS", "Group", "Kind"]

Kind = Literal[
    "distance_notice", "adjoining_notice", "clerk_notice", "publication", "posting", "deadline_before", "deadline_after",
    "cap", "prohibition", "condition", "threshold", "exemption", "reminder",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The closed set of rule kinds."""

CHECKS: tuple[str, ...] = (
    "access", "acreage", "advertise", "agent", "alcohol", "amendment", "animals", "appeal", "camping", "cap_exempt", "cap_other",
    "cap_residential", "capacity", "certificates", "charity_benefit", "charity_proof", "distinct_events", "entry", "exempt_events",
    "expressive_notice", "facility", "factors", "filed_before", "highway", "history_years", "hours", "insurance", "lights", "other_property",
    "outdoor_sale", "owner_consent", "parade_interval", "parking", "profit", "rides", "security_plan", "setbacks", "signs",
    "statement", "tents", "violations", "waiver", "yard_sale",
)  # fmt: skip
"""The closed set of checks that a rule can name; ``decide.check`` answers each."""

CHECK_VALUES: dict[str, tuple[str, ...]] = {
    "acreage": ("acres",),
    "advertise": ("except_kinds",),
    "camping": ("small_hours_end",),
    "cap_exempt": ("owners",),
    "cap_other": ("events", "night"),
    "cap_residential": ("permits", "charity"),
    "exempt_events": ("lease_months", "notice_hours", "notice_more_than_persons"),
    "history_years": ("years",),
    "hours": ("opens", "closes"),
    "insurance": ("cancel_notice_days",),
    "lights": ("forbidden",),
    "outdoor_sale": ("except_owners",),
    "parade_interval": ("days",),
    "parking": ("persons_per_car",),
    "security_plan": ("more_than_persons",),
    "tents": ("total_days",),
    "yard_sale": ("consecutive_days", "days_a_year", "summer_days", "opens", "closes"),
}
"""The numbers and words that a check cannot do without."""

CHECK_KINDS: dict[str, str] = {
    "cap_exempt": "exemption",
    "cap_other": "cap",
    "cap_residential": "cap",
    "exempt_events": "exemption",
    "yard_sale": "exemption",
}
"""The checks that are found by the kind of their rule: in a rule of another kind they would do nothing."""

CHECK_PERIODS: dict[str, tuple[str, ...]] = {
    "amendment": ("",),
    "appeal": ("",),
    "filed_before": ("",),
    "signs": ("up", "down"),
    "tents": ("up", "down"),
}
"""The keys of the periods that a check cannot do without."""

NOTICE_KINDS = ("distance_notice", "adjoining_notice", "clerk_notice")
"""The kinds that make somebody a recipient."""

Group = Literal["permit", "place", "count", "file", "notify", "when", "after"]
GROUPS: dict[str, str] = {
    "permit": "Is a permit needed",
    "place": "May it be held here",
    "count": "How many this year",
    "file": "What must be filed or shown",
    "notify": "Who must be told",
    "when": "By when",
    "after": "What else the law says",
}
"""The groups findings are shown in, in this order."""
