"""The words and values that a check or a reading acts on: any other would stand in a profile and silently do nothing."""

from collections.abc import Iterator, Mapping
from datetime import time
from typing import get_args

from geonotice import event
from geonotice.ordinance.vocabulary import CHECK_VALUES

__all__ = ["OPTIONAL_VALUES", "READINGS", "VALUE_WORDS", "threshold_faults", "value_faults"]

KINDS: tuple[str, ...] = get_args(event.Kind)
SPONSORS: tuple[str, ...] = get_args(event.Sponsor)

OPTIONAL_VALUES: dict[str, tuple[str, ...]] = {
    "alcohol": ("anywhere",),
    "filed_before": ("late",),
    "hours": ("late_closes", "late_days"),
    "insurance": ("injury_each", "injury_aggregate", "property"),
    "setbacks": ("buffer_ft",),
    "statement": ("keys",),
}
"""The values that a check takes beside those it cannot do without."""

VALUE_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("advertise", "except_kinds"): KINDS,
    ("cap_exempt", "owners"): get_args(event.OwnedBy),
    ("filed_before", "late"): ("not_met", "decide"),
    ("hours", "late_days"): (
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "holiday_eve",
    ),
    ("lights", "forbidden"): get_args(event.Light),
    ("outdoor_sale", "except_owners"): get_args(event.SaleOwner),
}
"""The words of a check's value, where it is words: those of the event file, and days."""

CLOCK = ("opens", "closes", "late_closes")
"""The values that are a time of day."""

DIVISORS = ("persons_per_car",)
"""The values that something is divided by."""

COUNTS = (
    "charity", "consecutive_days", "days", "days_a_year", "events", "more_than_persons", "night", "notice_more_than_persons", "permits",
    "summer_days", "total_days", "years",
)  # fmt: skip
"""The values that count permits, days or persons: half of one is a slip, and would be dropped without a word."""

MOST = 1_000_000_000
"""The largest number of a value; no law's is near it."""

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


def value_faults(check: str, values: Mapping[str, object]) -> Iterator[str]:
    """Say which values of a rule its check does not know, and which words of them; a rule without a check may say what it likes."""
    if not check:
        return
    known = (*CHECK_VALUES.get(check, ()), *OPTIONAL_VALUES.get(check, ()))
    for name, value in values.items():
        if name not in known:
            yield f"the check {check!r} knows no value {name!r}; it knows: {', '.join(known) or 'none'}"
            continue
        words = VALUE_WORDS.get((check, name))
        if words:
            given = value if isinstance(value, list) else [value]
            yield from _strange(f"values.{name}", given, words)
        elif name in CLOCK:
            yield from _no_clock(name, value)
        elif name == "anywhere":
            yield from [] if isinstance(value, bool) else [f"values.{name} is true or false, without quotation marks"]
        elif name != "keys":
            yield from _no_number(name, value)
    if check == "hours" and ("late_closes" in values) != ("late_days" in values):
        yield "late_closes and late_days go together: the later hour, and the days that have it"


def _no_clock(name: str, value: object) -> Iterator[str]:
    try:
        time.fromisoformat(str(value))
    except ValueError:
        yield f'values.{name} is a time of day as "22:00", not {value!r}'


def _no_number(name: str, value: object) -> Iterator[str]:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not 0 <= value <= MOST
        or (name in DIVISORS and value == 0)
        or (name in COUNTS and value != int(value))
    ):
        least = f"above 0 and up to {MOST:,}" if name in DIVISORS else f"from 0 to {MOST:,}"
        number = "a whole number" if name in COUNTS else "a number"
        yield f"values.{name} is {number}, {least}, without quotation marks, not {value!r}"


def threshold_faults(lists: Mapping[str, list[str]]) -> Iterator[str]:
    """Say which kinds of events and sponsors of a threshold no event file can name."""
    for name, given in lists.items():
        yield from _strange(f"threshold.{name}", given, KINDS if name == "exempt_kinds" else SPONSORS)


def _strange(key: str, given: list[object] | list[str], words: tuple[str, ...]) -> Iterator[str]:
    wrong = [str(word) for word in given if word not in words]
    if wrong:
        yield f"{key} has {', '.join(map(repr, wrong))}, which nothing can match; it may have: {', '.join(words)}"
