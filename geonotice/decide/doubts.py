"""Answers that can be true together but seldom are: they decide nothing, and are worth another look."""

from collections.abc import Callable, Iterator

from geonotice.decide.contradiction_tests import MAYBE_MUNICIPAL, ORGANIZATION, OWNER, Stated, word
from geonotice.decide.days import calendar_day

__all__ = ["doubts"]


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
