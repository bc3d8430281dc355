"""What contradicts what in an event file, and what is only unlikely: one test for each pair of keys."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.application import Event
from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.decide.case import PremisesFacts

__all__ = [
    "MAYBE_MUNICIPAL",
    "ORGANIZATION",
    "OWNER",
    "Stated",
    "answer_of_another_kind",
    "applicant_owns",
    "applicant_owns_readings",
    "before",
    "camping",
    "charitable",
    "doubts",
    "drawn",
    "drawn_parking",
    "fewer",
    "gain",
    "hearing_after_event",
    "lease",
    "no_charity",
    "own_consent",
    "regular",
    "roll_owner",
    "roll_owner_readings",
    "roll_seller",
    "sale_days",
    "sale_hours",
    "sale_owner",
    "section_of_another_kind",
    "signs",
    "tents",
    "word",
]


class Stated(Struct, frozen=True):
    """What is stated: the event file's answers, and the facts of the premises."""

    event: Event
    facts: PremisesFacts

    def value(self, key: str) -> Any:  # noqa: ANN401  # an answer of any type
        """Return the answer to a key; None where it is unknown."""
        section, _, name = key.partition(".")
        part = self.facts if section == "facts" else getattr(self.event, section)
        return getattr(part, name, None)

    def having(self, **answers: Any) -> "Stated":  # noqa: ANN401  # as above
        """Return the same with other answers, each named ``section__key``."""
        stated = self
        for name, value in answers.items():
            section, _, key = name.partition("__")
            if section == "facts":
                stated = replace(stated, facts=replace(stated.facts, **{key: value}))
                continue
            part = getattr(stated.event, section)
            if part is not None:
                stated = replace(
                    stated, event=dataclasses.replace(stated.event, **{section: dataclasses.replace(part, **{key: value})})
                )
        return stated

    def without(self, key: str) -> "Stated":
        """Return the same with one answer unknown; without a whole table where the key names one."""
        section, _, name = key.partition(".")
        if not name:
            return replace(self, event=dataclasses.replace(self.event, **{section: type(getattr(self.event, section))()}))
        if key in ("event.starts", "event.ends", "event.days") and self.event.event.days:
            return self.having(event__starts=None, event__ends=None, event__days=None)
        return self.having(**{f"{section}__{name}": None})


def fewer(less_key: str, more_key: str, words: str) -> Callable[[Stated], str]:
    """Test that one count is not less than another that it must hold."""

    def test(stated: Stated) -> str:
        less, more = stated.value(less_key), stated.value(more_key)
        return words.format(less=less, more=more) if less is not None and more is not None and less < more else ""

    return test


def before(first_key: str, then_key: str, first_words: str, then_words: str) -> Callable[[Stated], str]:
    """Test that one day is not before another that it must follow."""

    def test(stated: Stated) -> str:
        first, then = _day_of(stated, first_key), _day_of(stated, then_key)
        if first is None or then is None or then >= first:
            return ""
        return f"{then_words} on {calendar_day(then)}, before {first_words} on {calendar_day(first)}."

    return test


def hearing_after_event(stated: Stated) -> str:
    """Test that the hearing on an application is not held once the event has begun."""
    hearing, first = stated.event.notice_given.hearing, stated.event.event.first_day
    if hearing is None or first is None or hearing < first:
        return ""
    return f"the hearing on the application is held on {calendar_day(hearing)}, and the event begins on {calendar_day(first)}."


def _day_of(stated: Stated, key: str) -> date | None:
    if key == "event.starts":
        return stated.event.event.first_day
    if key == "event.ends":
        return stated.event.event.last_day or stated.event.event.first_day
    if key == "amendment.filed":
        return stated.event.amendment.filed if stated.event.amendment else None
    value = stated.value(key)
    if isinstance(value, tuple):
        # What is published more than once is given by the first of them.
        value = min(value, default=None)
    return value.date() if isinstance(value, datetime) else value


def sale_days(stated: Stated) -> str:
    """Test that a yard sale and the event are held on the same days."""
    about, days = stated.event.event, stated.event.yard_sale.days
    if about.kind not in ("yard_sale", None) or not days:
        return ""
    if about.days and set(days) != set(about.held_on):
        return f"the yard sale is held on {_days(days)}, the event on {_days(about.held_on)}."
    first, last = about.first_day, about.last_day
    if about.days or (first in (None, min(days)) and last in (None, max(days))):
        return ""
    until = "" if last is None else f" to {calendar_day(last)}"
    begins = "an unknown day" if first is None else calendar_day(first)
    return f"the yard sale is held on {_days(days)}, the event from {begins}{until}."


def sale_hours(stated: Stated) -> str:
    """Test that a yard sale and the event have the same hours."""
    about, hours = stated.event.event, stated.event.yard_sale.hours
    if about.kind not in ("yard_sale", None) or hours is None:
        return ""
    for starts, ends in about.sessions or ((about.starts, about.ends),):
        opens = starts.time() if isinstance(starts, datetime) else None
        closes = ends.time() if isinstance(ends, datetime) else None
        if (opens not in (None, hours[0])) or (closes not in (None, hours[1])):
            said = (("from", opens), ("to", closes))
            held = " ".join(f"{word} {hour:%H:%M}" for word, hour in said if hour is not None)
            return f"the yard sale is open from {hours[0]:%H:%M} to {hours[1]:%H:%M}, the event is held {held}."
    return ""


def _days(days: Iterable[date]) -> str:
    found = sorted(set(days))
    named = ", ".join(calendar_day(day) for day in found[:_NAMED])
    return f"{named} and {len(found) - _NAMED} more days" if len(found) > _NAMED else named


_NAMED = 4
"""Most days that are named in a sentence."""


def section_of_another_kind(section: str, kinds: tuple[str, ...], name: str) -> Callable[[Stated], str]:
    """Test that a table for one kind of event is not filled in for another."""

    def test(stated: Stated) -> str:
        kind, part = stated.event.event.kind, getattr(stated.event, section)
        # A plain no says nothing of another kind: a festival closes no highway for a parade.
        given = [key for key in part.__dataclass_fields__ if getattr(part, key) not in (None, False, ())]
        if kind is None or kind in kinds or not given:
            return ""
        return f"the kind of event is {word(kind)}, and {section}.{given[0]} is answered, which is only for {name}."

    return test


def answer_of_another_kind(key: str, kinds: tuple[str, ...], words: str) -> Callable[[Stated], str]:
    """Test that an answer for some kinds of event is not given for another."""

    def test(stated: Stated) -> str:
        kind, value = stated.event.event.kind, stated.value(key)
        if kind is None or kind in kinds or value in (None, False):
            return ""
        return f"the kind of event is {word(kind)}, and {words.format(value=word(value))}."

    return test


def word(value: object) -> str:
    """Return a value of the event file as a word of a sentence."""
    return str(value).replace("_", " ")


def lease(stated: Stated) -> str:
    """Test that a tenant's lease is stated only where the event is a tenant's."""
    about = stated.event.event
    if about.tenant_lease_months is None or about.wedding_of in (None, "tenant"):
        return ""
    return (
        f"it is the event of {_WHOSE[about.wedding_of]}, and a tenant's lease of {about.tenant_lease_months:g} months is stated."
    )


_WHOSE = {"owner": "the owner", "owner_family": "the owner's family", "other": "neither owner nor tenant"}

SALE_OWNERS = {
    "private": ("private", "charity_or_nonprofit"),
    "municipality": ("municipality",),
    "educational": ("municipality", "charity_or_nonprofit", "private"),
    "museum": ("municipality", "charity_or_nonprofit", "private"),
    "emergency_medical": ("municipality", "charity_or_nonprofit", "private"),
    "fire": ("municipality", "charity_or_nonprofit"),
    "nonprofit_civic_or_similar": ("charity_or_nonprofit",),
}
"""Which owners of a sale's premises (283-6A(3)) the owner of the whole property (283-6, end) can be."""


def sale_owner(stated: Stated) -> str:
    """Test that the owner of the whole property can be the owner of the premises of an outdoor sale."""
    benefit, owner = stated.event.benefit, stated.event.premises.owned_entirely_by
    seller = benefit.sale_premises_owner
    # Without an outdoor sale there are no premises of one, whatever the answer is.
    if benefit.outdoor_sale_of_goods is False or owner is None or seller is None or seller in SALE_OWNERS[owner]:
        return ""
    return f"the whole property is owned by {OWNER[owner]}, the premises of the sale by {_SELLER[seller]}."


_SELLER = {"private": "a private owner", "municipality": "a municipality", "charity_or_nonprofit": "a charity or a non-profit"}
OWNER = {
    "private": "a private owner",
    "municipality": "a municipality",
    "educational": "an educational institution",
    "museum": "a museum",
    "emergency_medical": "an emergency medical service",
    "fire": "a fire department or district",
    "nonprofit_civic_or_similar": "a nonprofit civic or similar organization",
}
MAYBE_MUNICIPAL = ("educational", "museum", "emergency_medical", "fire")
"""Owners that can be a municipality's own: a public school, a fire district."""


def roll_owner(stated: Stated) -> str:
    """Test that the roll and the application agree whether a municipality owns the property."""
    municipal, owner = stated.facts.municipal_owner, stated.event.premises.owned_entirely_by
    if municipal is None or owner is None or owner in MAYBE_MUNICIPAL or municipal is (owner == "municipality"):
        return ""
    roll = "the roll names a municipality as owner" if municipal else "the roll names no municipality as owner"
    return f"{roll}, the application says that {OWNER[owner]} owns the whole property."


def roll_owner_readings(stated: Stated) -> Iterator[Stated]:
    """Return the two ways: the owner is the one the application states, or the one on the roll."""
    municipal = stated.event.premises.owned_entirely_by == "municipality"
    yield stated.having(facts__municipal_owner=municipal)
    yield stated.having(premises__owned_entirely_by="private" if municipal else "municipality")


def roll_seller(stated: Stated) -> str:
    """Test that the roll and the application agree whether a municipality owns the premises of an outdoor sale."""
    benefit, municipal = stated.event.benefit, stated.facts.municipal_owner
    seller = benefit.sale_premises_owner
    if benefit.outdoor_sale_of_goods is False or seller is None or municipal is None or municipal is (seller == "municipality"):
        return ""
    roll = "the roll names a municipality as owner" if municipal else "the roll names no municipality as owner"
    return f"{roll}, the application says that the premises of the sale are owned by {_SELLER[seller]}."


def applicant_owns(stated: Stated) -> str:
    """Test that an applicant who owns the property is of a kind that can own all of it."""
    applicant, owner = stated.event.applicant, stated.event.premises.owned_entirely_by
    kind = applicant.organization
    if not applicant.is_owner or kind in (None, "other") or owner is None:
        return ""
    private_on_public = owner == "municipality" and kind != "municipality"
    public_on_private = owner == "private" and kind == "municipality"
    if not private_on_public and not public_on_private:
        return ""
    return f"the applicant is {ORGANIZATION[kind]} and owns the property, and {OWNER[owner]} owns the whole of it."


ORGANIZATION = {
    "individual": "an individual",
    "corporation": "a corporation",
    "charity": "a charity",
    "municipality": "a municipality",
}


def applicant_owns_readings(stated: Stated) -> Iterator[Stated]:
    """Return the two ways: the applicant does not own the property, or the owner is another."""
    yield stated.having(applicant__is_owner=False)
    municipal = stated.event.premises.owned_entirely_by == "municipality"
    yield stated.having(premises__owned_entirely_by="private" if municipal else "municipality")


def own_consent(stated: Stated) -> str:
    """Test that an applicant who owns the property has not refused the use of it."""
    applicant = stated.event.applicant
    if not applicant.is_owner or applicant.owner_consent is not False:
        return ""
    return "the applicant owns the property, and the owner has not authorized the use."


def charitable(stated: Stated) -> str:
    """Test that a charitable organization is an organization."""
    applicant = stated.event.applicant
    if not applicant.charitable or applicant.organization not in ("individual", "municipality"):
        return ""
    return f"the applicant is {ORGANIZATION[applicant.organization]}, and a charitable organization."


def no_charity(stated: Stated) -> str:
    """Test that a charity is named where a donation or a support agreement is stated."""
    benefit = stated.event.benefit
    if benefit.charity or not benefit.stated:
        return ""
    said = [
        *(["a substantial donation goes to a charitable organization"] if benefit.substantial_donation else []),
        *(["a charitable support agreement is submitted"] if benefit.support_agreement else []),
    ]
    # That the charity is a local one is the answer the law asks for; which one it is, is asked beside it.
    return f"no charity is named, and {' and '.join(said)}." if said else ""


def gain(stated: Stated) -> str:
    """Test that what is held for commercial gain is for profit."""
    commercial, profit = stated.event.event.commercial, stated.event.benefit.private_profit
    if not commercial or profit is not False:
        return ""
    return "it is held for commercial gain, and it is not largely for private profit."


def regular(stated: Stated) -> str:
    """Test that a regular game or tournament is a sports event."""
    about = stated.event.event
    if not about.regular_sporting_event or about.kind in (None, "sports"):
        return ""
    return f"the kind of event is {word(about.kind)}, and it is a regular game or tournament."


def camping(stated: Stated) -> str:
    """Test that an event with camping is not over on the day it begins."""
    about = stated.event.event
    if not stated.event.site.camping or about.last_day is None or about.first_day != about.last_day:
        return ""
    return f"there is camping or housing, and the event begins and ends on {calendar_day(about.last_day)}."


def tents(stated: Stated) -> str:
    """Test that no tent goes up after the event."""
    last = stated.event.event.last_day or stated.event.event.first_day
    late = next((tent.up for tent in stated.event.site.tents or () if tent.up and last and tent.up > last), None)
    if late is None or last is None:
        return ""
    return f"a tent goes up on {calendar_day(late)}, after the event ends on {calendar_day(last)}."


def signs(stated: Stated) -> str:
    """Test that no sign goes up after the event."""
    last = stated.event.event.last_day or stated.event.event.first_day
    late = next((sign.up for sign in stated.event.site.signs or () if sign.up and last and sign.up > last), None)
    if late is None or last is None:
        return ""
    return f"a sign goes up on {calendar_day(late)}, after the event ends on {calendar_day(last)}."


def drawn(what: str, key: str, *, nothing: object) -> Callable[[Stated], str]:
    """Test that what is drawn on the layout is not denied in the application."""

    def test(stated: Stated) -> str:
        layout = stated.facts.layout
        count = 0 if layout is None else sum(one.what == what for one in layout.structures)
        if not count or stated.value(key) != nothing:
            return ""
        return f"the application says that there is no {what}, and the drawing shows {count}."

    return test


def drawn_parking(stated: Stated) -> str:
    """Test that parking that is drawn is not denied."""
    layout = stated.facts.layout
    if layout is None or not layout.parking_sq_ft or stated.event.site.parking_spaces != 0:
        return ""
    return f"no parking space is stated, and the drawing shows {layout.parking_sq_ft:,.0f} sq ft of parking."


def doubts(stated: Stated) -> Iterator[str]:
    """Return what can be true together but seldom is, in words: it decides nothing, and is worth another look."""
    for test in DOUBTS:
        if words := test(stated):
            yield f"{words} Make sure that both answers are meant."


def _charity_by_name(stated: Stated) -> str:
    applicant = stated.event.applicant
    if applicant.organization != "charity" or applicant.charitable is not False:
        return ""
    return "The applicant is a charity, but no charitable organization as the law defines it."


def _agent_of_resident(stated: Stated) -> str:
    applicant = stated.event.applicant
    if not applicant.resident_of_town or not applicant.agent_in_county:
        return ""
    return f"The applicant resides in the town, and names an agent ({applicant.agent_in_county}), whom only an applicant from elsewhere needs."


def _private_sponsor(stated: Stated) -> str:
    sponsor, kind = stated.event.event.sponsor, stated.event.applicant.organization
    if sponsor != "private" or kind not in ("charity", "municipality"):
        return ""
    return f"The sponsor is private, and the applicant is {ORGANIZATION[kind]}."


def _indoor_sale(stated: Stated) -> str:
    kind = stated.event.event.kind
    if kind not in ("sale", "farmers_market") or stated.event.benefit.outdoor_sale_of_goods is not False:
        return ""
    return f"The kind of event is {word(kind)}, and it is not primarily an outdoor sale."


def _carnival_without_rides(stated: Stated) -> str:
    return (
        "It is a carnival, and there are no rides."
        if stated.event.event.kind == "carnival" and stated.event.site.rides is False
        else ""
    )


def _more_vehicles_than_persons(stated: Stated) -> str:
    persons, vehicles = stated.event.event.persons_at_once, stated.event.site.vehicles_at_once
    return (
        f"{vehicles} vehicles are more than {persons} persons at one time."
        if persons is not None and vehicles and vehicles > persons
        else ""
    )


def _early_tent(stated: Stated) -> str:
    first = stated.event.event.first_day
    early = next((tent.down for tent in stated.event.site.tents or () if tent.down and first and tent.down < first), None)
    if early is None or first is None:
        return ""
    return f"A tent is down on {calendar_day(early)}, before the event begins on {calendar_day(first)}."


def _free(stated: Stated) -> str:
    about, benefit = stated.event.event, stated.event.benefit
    gain = "it is held for commercial gain" if about.commercial else "it is largely for private profit"
    return (
        f"Nobody pays to take part, and {gain}."
        if about.admission_charged is False and (about.commercial or benefit.private_profit)
        else ""
    )


def _unplanned(stated: Stated) -> str:
    about = stated.event.event
    if about.planned_in_advance is not False or about.filed is None or about.first_day is None or about.filed >= about.first_day:
        return ""
    return f"It is not planned in advance, and its application was filed on {calendar_day(about.filed)}, {(about.first_day - about.filed).days} days before it."


def _town_grounds(stated: Stated) -> str:
    grounds, owner = stated.event.premises.municipal_building_or_grounds, stated.event.premises.owned_entirely_by
    # The Town may rent a building, so both can be true.
    if not grounds or owner is None or owner == "municipality" or owner in MAYBE_MUNICIPAL:
        return ""
    return f"It is held in a Town building or on Town grounds, and {OWNER[owner]} owns the whole property."


DOUBTS: tuple[Callable[[Stated], str], ...] = (
    _charity_by_name,
    _agent_of_resident,
    _private_sponsor,
    _indoor_sale,
    _carnival_without_rides,
    _more_vehicles_than_persons,
    _free,
    _unplanned,
    _early_tent,
    _town_grounds,
)
"""Answers that can be true together but seldom are."""
