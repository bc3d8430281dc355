"""The closed sets a profile chooses from: kinds of rules, checks with what they need, and the values they act on."""

from collections.abc import Iterator, Mapping
from datetime import time
from typing import Literal, get_args

from geonotice.config import application

__all__ = [
    "CHECKS",
    "CHECK_ASKS",
    "CHECK_KINDS",
    "CHECK_PERIODS",
    "CHECK_VALUES",
    "GROUPS",
    "KINDS",
    "NOTICE_KINDS",
    "OPTIONAL_VALUES",
    "READINGS",
    "VALUE_WORDS",
    "Group",
    "Kind",
    "threshold_faults",
    "value_faults",
]


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
    "notify": "Who must be notified",
    "when": "By when",
    "after": "What else the law says",
}
"""The groups findings are shown in, in this order."""

CHECK_ASKS: dict[str, str] = {
    "access": "at least one access road is stated; whether they are enough stays with the official",
    "acreage": "the premises have at least so many acres, by the map",
    "advertise": "its principal purpose is not to advertise goods",
    "agent": "an applicant who does not reside in the town (not: the county) names an agent in the county",
    "alcohol": "a reminder where alcohol is served on Town property",
    "amendment": "a change of the event is filed in time",
    "animals": "a reminder where there are animals",
    "appeal": "an appeal is filed in time",
    "camping": "an event that runs into another day has camping or housing",
    "cap_exempt": "whether the property belongs entirely to an owner whom the caps do not bind",
    "cap_other": "fewer events than the cap this year, on a property outside residential districts or in both",
    "cap_residential": "fewer permits than the cap this year, on a property in a residential district",
    "capacity": "a reminder with area, frontage, access roads, and the ground for each person",
    "certificates": "the structures on the property have valid certificates of occupancy",
    "charity_benefit": "the event benefits a local charitable organization, whatever the district and whether or not it charges",
    "charity_proof": "a reminder to an applicant that is no charity",
    "distinct_events": "one event goes on under one application: distinct events need one each",
    "entry": "owner and tenant let the Town enter to inspect and clean",
    "exempt_events": "whether it is one of the exempt events of Southampton 283-2A(3)",
    "expressive_notice": "a reminder for expressive activity",
    "facility": "a reminder where it is in a Town building or on Town grounds",
    "factors": "a reminder with the area and the number of persons",
    "filed_before": "the application was filed so many days before the event",
    "highway": "a reminder where a parade closes a Town highway",
    "history_years": "a reminder with the permits rescinded in so many years",
    "hours": "the event begins and ends within the hours of the day; where it runs over several days, a person looks at the nights",
    "insurance": "the policy has at least these limits, is not cancelled on shorter notice, and names the Town",
    "lights": "none of these exterior lights is used",
    "other_property": "no violations on the applicant's other property: weighed, no bar",
    "outdoor_sale": "it is not primarily an outdoor sale, but on premises of these owners",
    "owner_consent": "an applicant who does not own the property has the owner's statement",
    "parade_interval": "no other parade within so many days, between Memorial Day and Labor Day",
    "parking": "room for at least one car for so many persons",
    "profit": "it is not both largely for private profit and without a substantial donation to a charity",
    "rides": "no carnival rides on a residential lot, unless it is municipal or beside a State or county road or the Long Island Rail Road",
    "security_plan": "for more than so many persons a security plan is submitted",
    "setbacks": "what is drawn keeps the yards of the district, the clause's own distance, and the officials' buffer",
    "signs": "signs go up no sooner, and come down no later, than the periods say; on county and State roads with that agency's approval",
    "statement": "a reminder with the answers that are not given yet",
    "tents": "tents go up no sooner, and come down no later, than the periods say, and stand no longer in all",
    "violations": "no outstanding violations and no unsatisfied conditions on the property (of the applicant it asks nothing)",
    "waiver": "a reminder with what is stated as waived",
    "yard_sale": "whether a yard sale keeps to the days and hours that make it exempt",
}
"""By the name of the check."""

EVENT_KINDS: tuple[str, ...] = get_args(application.Kind)
SPONSORS: tuple[str, ...] = get_args(application.Sponsor)

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
    ("advertise", "except_kinds"): EVENT_KINDS,
    ("cap_exempt", "owners"): get_args(application.OwnedBy),
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
    ("lights", "forbidden"): get_args(application.Light),
    ("outdoor_sale", "except_owners"): get_args(application.SaleOwner),
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
    """Return which values of a rule its check does not know, and which words of them; a rule without a check may say what it likes."""
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
    """Return which kinds of events and sponsors of a threshold no event file can name."""
    for name, given in lists.items():
        yield from _strange(f"threshold.{name}", given, EVENT_KINDS if name == "exempt_kinds" else SPONSORS)


def _strange(key: str, given: list[object] | list[str], words: tuple[str, ...]) -> Iterator[str]:
    wrong = [str(word) for word in given if word not in words]
    if wrong:
        yield f"{key} has {', '.join(map(repr, wrong))}, which nothing can match; it may have: {', '.join(words)}"
