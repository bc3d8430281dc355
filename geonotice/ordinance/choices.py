"""The closed sets a profile chooses from: kinds of rules, groups of findings, words of the event file, readings that change an answer."""

from typing import Literal, get_args

from geonotice.config import application

__all__ = ["EVENT_KINDS", "GROUPS", "KINDS", "NOTICE_KINDS", "READINGS", "SPONSORS", "Group", "Kind"]


Kind = Literal[
    "distance_notice", "adjoining_notice", "clerk_notice", "publication", "posting", "deadline_before", "deadline_after",
    "cap", "prohibition", "condition", "threshold", "exemption", "reminder",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The closed set of rule kinds."""

NOTICE_KINDS = ("distance_notice", "adjoining_notice", "clerk_notice")
"""The kinds that make somebody a recipient."""

Group = Literal["permit", "place", "count", "file", "notify", "when", "after"]
GROUPS: dict[str, str] = {
    "permit": "Is a permit needed",
    "place": "May it be held here",
    "count": "How many this year",
    "file": "What must be filed or shown",
    "notify": "Who must be notified",
    "when": "By when",
    "after": "What else the law says",
}
"""The groups findings are shown in, in this order."""

EVENT_KINDS: tuple[str, ...] = get_args(application.Kind)
SPONSORS: tuple[str, ...] = get_args(application.Sponsor)

READINGS: dict[str, tuple[str, ...]] = {
    "aggregate": ("decide", "outdoors_at_once", "all_persons"),
    "cap_year_other": ("issued", "starts"),
    "cap_year_residential": ("issued", "starts"),
    "corner": ("listed", "not_listed"),
    "exempt_owners_reach": ("caps_only", "whole_section"),
    "farmers_market_on_private_land": ("decide", "allowed", "prohibited"),
    "fire_company_of_another_town": ("exempt_with_warning", "not_exempt"),
    "overnight": ("decide", "extends", "does_not_extend"),
    "parking_persons": ("at_once", "total"),
    "prohibitions_reach_exempt": ("no", "yes"),
    "split_zoned_notice": ("residential", "other"),
    "split_zoned_rides": ("decide", "residential", "other"),
    "summer": ("both_included", "both_excluded"),
    "two_residential_districts": ("residential", "split"),
}
"""The readings that change an answer, with their choices; any other is printed beside the results and changes none."""
