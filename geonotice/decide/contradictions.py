"""Answers that contradict each other: every pair of keys that can, in one table, with what is said of it.

A contradiction is never decided silently. The law is applied once with the answers as they are stated, and once for each way to resolve the
contradiction; :mod:`geonotice.decide.reconcile` leaves to a person what comes out differently. By itself a contradiction is resolved by
taking one of its answers for unknown; where the other answer says what it must be, that is what is tried.

Keys that look as if they could contradict each other and cannot:

* ``applicant.organization = "charity"`` with ``applicant.charitable = false``: a charity need not be one as 283-1 defines it (warned of);
* ``premises.owned_entirely_by = "private"`` with a sale on a charity's premises: the first names no charities but those 283-6 exempts;
* ``event.night`` with the hours: night is not defined, the application's own answer decides;
* ``event.planned_in_advance = false`` with an application filed in time: what is planned in advance is for the official (warned of);
* an appeal, an amendment or a notice that is later than the law allows: that is ``not_met``, and no contradiction.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from geonotice.decide.days import calendar_day
from geonotice.decide.facts import PremisesFacts
from geonotice.event import Event
from geonotice.model import Caution

__all__ = ["PAIRS", "Contradiction", "Pair", "Stated", "answer_cautions", "contradictions", "doubts"]


@dataclass(frozen=True, slots=True)
class Stated:
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
                stated = replace(stated, event=replace(stated.event, **{section: replace(part, **{key: value})}))
        return stated

    def without(self, key: str) -> "Stated":
        """Return the same with one answer unknown; without a whole table where the key names one."""
        section, _, name = key.partition(".")
        if not name:
            return replace(self, event=replace(self.event, **{section: type(getattr(self.event, section))()}))
        if key in ("event.starts", "event.ends", "event.days") and self.event.event.days:
            return self.having(event__starts=None, event__ends=None, event__days=None)
        return self.having(**{f"{section}__{name}": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Keys that can contradict each other.

    Parameters
    ----------
    keys
        The keys, as the event file has them; those that begin with ``facts.`` are known from the layers.
    test
        What contradicts what, with both values in words; empty where nothing does.
    drop
        The keys that are taken for unknown, one after the other, to see which findings turn on them; all of ``keys`` by themselves.
    readings
        The ways to resolve it, where they are more than one answer being unknown.
    checks
        The checks that it leaves open whatever the readings say.
    """

    keys: tuple[str, ...]
    test: Callable[[Stated], str]
    drop: tuple[str, ...] | None = None
    readings: Callable[[Stated], Iterable[Stated]] | None = None
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Answers that contradict each other: their keys with both values, what to say, the ways to resolve it, the checks it leaves open.

    ``complete`` says that every way to resolve it has all its answers: where they come to the same, nothing turns on it.
    """

    keys: tuple[str, ...]
    values: dict[str, object]
    text: str
    readings: tuple[Stated, ...]
    checks: tuple[str, ...]
    complete: bool


def contradictions(stated: Stated) -> tuple[Contradiction, ...]:
    """Return the contradictions in what is stated, in the order of the table."""
    return tuple(_found(pair, stated, words) for pair in PAIRS if (words := pair.test(stated)))


def doubts(stated: Stated) -> Iterator[str]:
    """Return what can be true together but seldom is, in words: it decides nothing, and is worth another look."""
    for test in DOUBTS:
        if words := test(stated):
            yield f"{words} Make sure that both answers are meant."


def answer_cautions(event: Event, facts: PremisesFacts | None = None) -> tuple[Caution, ...]:
    """Return a warning for each contradiction, and for what is unlikely, in an event file and in what the layers say of its land."""
    stated = Stated(event, facts or PremisesFacts())
    return (
        *(Caution("answers_conflict", one.text) for one in contradictions(stated)),
        *(Caution("answers_unlikely", words) for words in doubts(stated)),
    )


def _found(pair: Pair, stated: Stated, words: str) -> Contradiction:
    if pair.readings is not None:
        readings = tuple(pair.readings(stated))
    else:
        readings = tuple(stated.without(key) for key in (pair.keys if pair.drop is None else pair.drop))
    values = {key: stated.value(key) for key in pair.keys if "." in key}
    text = f"Answers contradict each other ({', '.join(pair.keys)}): {words} Find out which holds, and correct the other."
    return Contradiction(pair.keys, values, text, readings, pair.checks, complete=pair.readings is not None)


# ------------------------------------------------------------------------------------------------------------------ the tests


def _fewer(less_key: str, more_key: str, words: str) -> Callable[[Stated], str]:
    """Test that one count is not less than another that it must hold."""

    def test(stated: Stated) -> str:
        less, more = stated.value(less_key), stated.value(more_key)
        return words.format(less=less, more=more) if less is not None and more is not None and less < more else ""

    return test


def _before(first_key: str, then_key: str, first_words: str, then_words: str) -> Callable[[Stated], str]:
    """Test that one day is not before another that it must follow."""

    def test(stated: Stated) -> str:
        first, then = _day_of(stated, first_key), _day_of(stated, then_key)
        if first is None or then is None or then >= first:
            return ""
        return f"{then_words} on {calendar_day(then)}, before {first_words} on {calendar_day(first)}."

    return test


def _day_of(stated: Stated, key: str) -> date | None:
    if key == "event.starts":
        return stated.event.event.first_day
    if key == "event.ends":
        return stated.event.event.last_day or stated.event.event.first_day
    if key == "amendment.filed":
        return stated.event.amendment.filed if stated.event.amendment else None
    value = stated.value(key)
    return value.date() if isinstance(value, datetime) else value


def _sale_days(stated: Stated) -> str:
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


def _sale_hours(stated: Stated) -> str:
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


def _section_of_another_kind(section: str, kinds: tuple[str, ...], name: str) -> Callable[[Stated], str]:
    """Test that a table for one kind of event is not filled in for another."""

    def test(stated: Stated) -> str:
        kind, part = stated.event.event.kind, getattr(stated.event, section)
        # A plain no says nothing of another kind: a festival closes no highway for a parade.
        given = [key for key in part.__dataclass_fields__ if getattr(part, key) not in (None, False, ())]
        if kind is None or kind in kinds or not given:
            return ""
        return f"the kind of event is {_word(kind)}, and {section}.{given[0]} is answered, which is only for {name}."

    return test


def _answer_of_another_kind(key: str, kinds: tuple[str, ...], words: str) -> Callable[[Stated], str]:
    def test(stated: Stated) -> str:
        kind, value = stated.event.event.kind, stated.value(key)
        if kind is None or kind in kinds or value in (None, False):
            return ""
        return f"the kind of event is {_word(kind)}, and {words.format(value=_word(value))}."

    return test


def _word(value: object) -> str:
    return str(value).replace("_", " ")


def _lease(stated: Stated) -> str:
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


def _sale_owner(stated: Stated) -> str:
    benefit, owner = stated.event.benefit, stated.event.premises.owned_entirely_by
    seller = benefit.sale_premises_owner
    # Without an outdoor sale there are no premises of one, whatever the answer is.
    if benefit.outdoor_sale_of_goods is False or owner is None or seller is None or seller in SALE_OWNERS[owner]:
        return ""
    return f"the whole property is owned by {_OWNER[owner]}, the premises of the sale by {_SELLER[seller]}."


_SELLER = {"private": "a private owner", "municipality": "a municipality", "charity_or_nonprofit": "a charity or a non-profit"}
_OWNER = {
    "private": "a private owner",
    "municipality": "a municipality",
    "educational": "an educational institution",
    "museum": "a museum",
    "emergency_medical": "an emergency medical service",
    "fire": "a fire department or district",
    "nonprofit_civic_or_similar": "a nonprofit civic or similar organization",
}
_MAYBE_MUNICIPAL = ("educational", "museum", "emergency_medical", "fire")
"""Owners that can be a municipality's own: a public school, a fire district."""


def _roll_owner(stated: Stated) -> str:
    municipal, owner = stated.facts.municipal_owner, stated.event.premises.owned_entirely_by
    if municipal is None or owner is None or owner in _MAYBE_MUNICIPAL or municipal is (owner == "municipality"):
        return ""
    roll = "the roll names a municipality as owner" if municipal else "the roll names no municipality as owner"
    return f"{roll}, the application says that {_OWNER[owner]} owns the whole property."


def _roll_owner_readings(stated: Stated) -> Iterator[Stated]:
    municipal = stated.event.premises.owned_entirely_by == "municipality"
    yield stated.having(facts__municipal_owner=municipal)
    yield stated.having(premises__owned_entirely_by="private" if municipal else "municipality")


def _roll_seller(stated: Stated) -> str:
    benefit, municipal = stated.event.benefit, stated.facts.municipal_owner
    seller = benefit.sale_premises_owner
    if benefit.outdoor_sale_of_goods is False or seller is None or municipal is None or municipal is (seller == "municipality"):
        return ""
    roll = "the roll names a municipality as owner" if municipal else "the roll names no municipality as owner"
    return f"{roll}, the application says that the premises of the sale are owned by {_SELLER[seller]}."


def _town_grounds(stated: Stated) -> str:
    grounds, owner = stated.event.premises.municipal_building_or_grounds, stated.event.premises.owned_entirely_by
    # The Town may rent a building, so both can be true.
    if not grounds or owner is None or owner == "municipality" or owner in _MAYBE_MUNICIPAL:
        return ""
    return f"It is held in a Town building or on Town grounds, and {_OWNER[owner]} owns the whole property."


def _applicant_owns(stated: Stated) -> str:
    applicant, owner = stated.event.applicant, stated.event.premises.owned_entirely_by
    kind = applicant.organization
    if not applicant.is_owner or kind in (None, "other") or owner is None:
        return ""
    private_on_public = owner == "municipality" and kind != "municipality"
    public_on_private = owner == "private" and kind == "municipality"
    if not private_on_public and not public_on_private:
        return ""
    return f"the applicant is {_ORGANIZATION[kind]} and owns the property, and {_OWNER[owner]} owns the whole of it."


_ORGANIZATION = {
    "individual": "an individual",
    "corporation": "a corporation",
    "charity": "a charity",
    "municipality": "a municipality",
}


def _applicant_owns_readings(stated: Stated) -> Iterator[Stated]:
    yield stated.having(applicant__is_owner=False)
    municipal = stated.event.premises.owned_entirely_by == "municipality"
    yield stated.having(premises__owned_entirely_by="private" if municipal else "municipality")


def _own_consent(stated: Stated) -> str:
    applicant = stated.event.applicant
    if not applicant.is_owner or applicant.owner_consent is not False:
        return ""
    return "the applicant owns the property, and the owner has not authorized the use."


def _charitable(stated: Stated) -> str:
    applicant = stated.event.applicant
    if not applicant.charitable or applicant.organization not in ("individual", "municipality"):
        return ""
    return f"the applicant is {_ORGANIZATION[applicant.organization]}, and a charitable organization."


def _no_charity(stated: Stated) -> str:
    benefit = stated.event.benefit
    if benefit.charity or not benefit.stated:
        return ""
    said = [
        *(["a substantial donation goes to a charitable organization"] if benefit.substantial_donation else []),
        *(["a charitable support agreement is submitted"] if benefit.support_agreement else []),
    ]
    # That the charity is a local one is the answer the law asks for; which one it is, is asked beside it.
    return f"no charity is named, and {' and '.join(said)}." if said else ""


def _gain(stated: Stated) -> str:
    commercial, profit = stated.event.event.commercial, stated.event.benefit.private_profit
    if not commercial or profit is not False:
        return ""
    return "it is held for commercial gain, and it is not largely for private profit."


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


def _regular(stated: Stated) -> str:
    about = stated.event.event
    if not about.regular_sporting_event or about.kind in (None, "sports"):
        return ""
    return f"the kind of event is {_word(about.kind)}, and it is a regular game or tournament."


def _camping(stated: Stated) -> str:
    about = stated.event.event
    if not stated.event.site.camping or about.last_day is None or about.first_day != about.last_day:
        return ""
    return f"there is camping or housing, and the event begins and ends on {calendar_day(about.last_day)}."


def _tents(stated: Stated) -> str:
    last = stated.event.event.last_day or stated.event.event.first_day
    late = next((tent.up for tent in stated.event.site.tents or () if tent.up and last and tent.up > last), None)
    if late is None or last is None:
        return ""
    return f"a tent goes up on {calendar_day(late)}, after the event ends on {calendar_day(last)}."


def _signs(stated: Stated) -> str:
    last = stated.event.event.last_day or stated.event.event.first_day
    late = next((sign.up for sign in stated.event.site.signs or () if sign.up and last and sign.up > last), None)
    if late is None or last is None:
        return ""
    return f"a sign goes up on {calendar_day(late)}, after the event ends on {calendar_day(last)}."


def _drawn(what: str, key: str, *, nothing: object) -> Callable[[Stated], str]:
    """Test that what is drawn on the layout is not denied in the application."""

    def test(stated: Stated) -> str:
        layout = stated.facts.layout
        count = 0 if layout is None else sum(one.what == what for one in layout.structures)
        if not count or stated.value(key) != nothing:
            return ""
        return f"the application says that there is no {what}, and the drawing shows {count}."

    return test


def _drawn_parking(stated: Stated) -> str:
    layout = stated.facts.layout
    if layout is None or not layout.parking_sq_ft or stated.event.site.parking_spaces != 0:
        return ""
    return f"no parking space is stated, and the drawing shows {layout.parking_sq_ft:,.0f} sq ft of parking."


# ------------------------------------------------------------------------------------------------------------------ the table

FAMILY = ("wedding", "funeral", "family")

PAIRS: tuple[Pair, ...] = (
    Pair(
        keys=("event.persons_total", "event.persons_at_once"),
        test=_fewer("event.persons_total", "event.persons_at_once", "{less} persons in all are fewer than {more} at one time."),
    ),
    Pair(
        keys=("event.persons_at_once", "event.persons_outdoors"),
        test=_fewer(
            "event.persons_at_once", "event.persons_outdoors", "{more} persons outdoors are more than {less} at one time."
        ),
    ),
    Pair(
        keys=("event.persons_total", "event.persons_outdoors"),
        test=_fewer("event.persons_total", "event.persons_outdoors", "{more} persons outdoors are more than {less} in all."),
    ),
    Pair(
        keys=("event.filed", "event.complete"),
        test=_before("event.filed", "event.complete", "it was filed", "the application was found complete"),
    ),
    Pair(
        keys=("event.filed", "event.ends"),
        test=_before("event.filed", "event.ends", "the application was filed", "the event ends"),
    ),
    Pair(
        keys=("event.complete", "event.ends"),
        test=_before("event.complete", "event.ends", "the application was found complete", "the event ends"),
        drop=("event.complete",),
    ),
    Pair(
        keys=("amendment.filed", "event.filed"),
        test=_before("event.filed", "amendment.filed", "the application itself was filed", "the change was filed"),
        drop=("amendment.filed",),
    ),
    Pair(
        keys=("denial.received", "event.filed"),
        test=_before("event.filed", "denial.received", "the application was filed", "the denial was received"),
    ),
    Pair(
        keys=("denial.received", "denial.appeal_filed"),
        test=_before("denial.received", "denial.appeal_filed", "the denial was received", "the appeal was filed"),
    ),
    Pair(
        keys=("denial.appeal_filed", "denial.hearing"),
        test=_before("denial.appeal_filed", "denial.hearing", "the appeal was filed", "the appeal is heard"),
    ),
    Pair(
        keys=("denial.received", "denial.hearing"),
        test=_before("denial.received", "denial.hearing", "the denial was received", "the appeal is heard"),
    ),
    Pair(keys=("yard_sale.days", "event.starts", "event.ends"), test=_sale_days),
    Pair(keys=("yard_sale.hours", "event.starts", "event.ends"), test=_sale_hours),
    Pair(
        keys=("event.kind", "yard_sale"),
        test=_section_of_another_kind("yard_sale", ("yard_sale",), "a yard sale"),
    ),
    Pair(
        keys=("event.kind", "expressive"),
        test=_section_of_another_kind("expressive", ("expressive",), "expressive activity"),
    ),
    Pair(keys=("event.kind", "parade"), test=_section_of_another_kind("parade", ("parade",), "a parade")),
    Pair(
        keys=("event.kind", "event.wedding_of"),
        test=_answer_of_another_kind(
            "event.wedding_of", FAMILY, "whose wedding, funeral or family event it is, is answered ({value})"
        ),
    ),
    Pair(keys=("event.wedding_of", "event.tenant_lease_months"), test=_lease),
    Pair(keys=("event.kind", "event.regular_sporting_event"), test=_regular),
    Pair(keys=("premises.owned_entirely_by", "benefit.sale_premises_owner"), test=_sale_owner),
    Pair(keys=("facts.municipal_owner", "premises.owned_entirely_by"), test=_roll_owner, readings=_roll_owner_readings),
    Pair(keys=("facts.municipal_owner", "benefit.sale_premises_owner"), test=_roll_seller),
    Pair(
        keys=("applicant.is_owner", "applicant.organization", "premises.owned_entirely_by"),
        test=_applicant_owns,
        readings=_applicant_owns_readings,
    ),
    Pair(keys=("applicant.is_owner", "applicant.owner_consent"), test=_own_consent),
    Pair(keys=("applicant.charitable", "applicant.organization"), test=_charitable),
    Pair(
        keys=("benefit.charity", "benefit.substantial_donation", "benefit.support_agreement"),
        test=_no_charity,
        checks=("charity_benefit",),
    ),
    Pair(keys=("event.commercial", "benefit.private_profit"), test=_gain, checks=("profit",)),
    Pair(
        keys=("insurance.injury_each", "insurance.injury_aggregate"),
        test=_fewer(
            "insurance.injury_aggregate",
            "insurance.injury_each",
            "the policy's limit in all, ${less:,.0f}, is less than its limit for each person, ${more:,.0f}.",
        ),
    ),
    Pair(
        keys=("site.parking_spaces", "site.vehicles_at_once"),
        test=_fewer(
            "site.parking_spaces", "site.vehicles_at_once", "{more} vehicles at one time are more than {less} parking spaces."
        ),
        drop=(),
        checks=("parking",),
    ),
    Pair(keys=("site.camping", "event.starts", "event.ends"), test=_camping, drop=(), checks=("camping",)),
    Pair(keys=("site.tents", "event.starts", "event.ends"), test=_tents, drop=("site.tents",), checks=("tents",)),
    Pair(keys=("site.signs", "event.ends"), test=_signs, drop=("site.signs",), checks=("signs",)),
    Pair(
        keys=("site.tents", "premises.layout"),
        test=_drawn("tent", "site.tents", nothing=()),
        drop=("site.tents",),
        checks=("tents",),
    ),
    Pair(
        keys=("site.rides", "premises.layout"),
        test=_drawn("ride", "site.rides", nothing=False),
        readings=lambda stated: (stated.having(site__rides=True),),
        checks=("rides",),
    ),
    Pair(keys=("site.parking_spaces", "premises.layout"), test=_drawn_parking, drop=("site.parking_spaces",)),
)
"""Every pair of keys that can contradict each other."""


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
    return f"The sponsor is private, and the applicant is {_ORGANIZATION[kind]}."


def _indoor_sale(stated: Stated) -> str:
    kind = stated.event.event.kind
    if kind not in ("sale", "farmers_market") or stated.event.benefit.outdoor_sale_of_goods is not False:
        return ""
    return f"The kind of event is {_word(kind)}, and it is not primarily an outdoor sale."


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
