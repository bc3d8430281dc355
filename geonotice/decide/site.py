"""What the place and the record add: capacity, Town grounds, animals, parades, and who must be notified."""

from collections.abc import Iterable
from datetime import timedelta

from geonotice.decide.cap_checks import parade_rule
from geonotice.decide.cap_count import PastPermit
from geonotice.decide.dated_duties import dated_reminder
from geonotice.decide.days import in_words
from geonotice.decide.facts import Case, Outcome, all_of, decide, does_not_apply, met, not_met, remind
from geonotice.decide.season import Span, days_between, parades_within, shared_streets, summer
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Notice, Rule

__all__ = [
    "acreage",
    "alcohol",
    "animals",
    "capacity",
    "facility",
    "factors",
    "highway",
    "history_years",
    "notice_reminder",
    "parade_interval",
    "posting_reminder",
]


SQ_FT_TO_AN_ACRE = 43_560

MAP_SHARE = 0.01
"""The share of an area by which a tax map is often off: assessors round, and lines are digitized."""


def notice_reminder(rule: Rule, case: Case) -> Outcome:
    """Remind of a notice; say where it does not apply to these premises."""
    notice = rule.notice
    if notice is None:
        return dated_reminder(rule, case)
    if (other := _not_here(rule, notice, case)) is not None:
        return other
    near = list(case.facts.within_500_ft_of or ()) if rule.kind == "clerk_notice" else []
    made = dated_reminder(rule, case)
    facts = {
        **made.facts,
        **({"within_500_ft_of": near} if near else {}),
        **({"zone": case.facts.zone} if notice.only_in else {}),
    }
    review = [*made.review]
    review += ["reading:split_zoned_notice"] if notice.only_in and case.facts.zone == "split" else []
    review += ["reading:residential_notice_duty"] if notice.on_demand else []
    review += ["reading:corner", "reading:diagonal"] if "opposite" in notice.relations else []
    head = f"To the clerk of: {', '.join(near)}. " if near else "If required: " if notice.on_demand else ""
    return remind(f"{head}{made.text}", review=tuple(review), facts=facts)


def _not_here(rule: Rule, notice: Notice, case: Case) -> Outcome | None:
    """Set a notice aside where its district or its distance is not met, or ask where that is not known."""
    zone, near = case.facts.zone, case.facts.within_500_ft_of
    if notice.only_in == "residential":
        if zone == "undetermined":
            text = f"Whether the property is within a residential zoning district is not known. {rule.text}"
            return decide(text, "facts.zone", could_forbid=False, facts={"zone": zone})
        # LAW: for the notice a split-zoned parcel is read as residential; the split rule is 283-6B's alone.
        if zone == "other" or (zone == "split" and case.profile.reads("split_zoned_notice", "other")):
            return does_not_apply("the property is not within a residential zoning district")
    if rule.kind == "clerk_notice" and near is None:
        text = f"Which other municipalities are within {notice.distance_ft:g} feet is not known. {rule.text}"
        return decide(text, "facts.within_500_ft_of", could_forbid=False)
    if rule.kind == "clerk_notice" and not near:
        return does_not_apply(f"no other municipality is within {notice.distance_ft:g} feet")
    return None


def posting_reminder(rule: Rule, case: Case) -> Outcome:
    """Remind of the signs, one facing each public street."""
    made = dated_reminder(rule, case)
    streets = case.facts.streets_abutted
    if streets is None:
        text = f"Which public streets the property abuts is not known. {made.text}"
        return decide(text, "facts.streets_abutted", could_forbid=False)
    count = (
        f"{len(streets)} sign{'' if len(streets) == 1 else 's'}: {', '.join(streets)}. "
        if streets
        else "No public street is abutted. "
    )
    return remind(f"{count}{made.text}", facts={**made.facts, "streets_abutted": list(streets), "signs": len(streets)})


@answers("acreage")
def acreage(rule: Rule, case: Case) -> Outcome:
    """Hold the area of the premises, as the tax map draws them, against the acres that the rule asks."""
    least, area_sq_ft = rule.number("acres"), case.facts.area_sq_ft
    measure = f"at least {least:g} acres"
    if area_sq_ft is None:
        return decide(f"How large the premises are is not known. {rule.text}", measure=measure)
    acres = area_sq_ft / SQ_FT_TO_AN_ACRE
    said = f"The premises have {acres:,.2f} acres by the map; at least {least:g} are required."
    facts = {"area_sq_ft": area_sq_ft, "acres": round(acres, 2)}
    # The tax map is no survey: what differs by less than it can be off is not settled by it.
    if abs(acres - least) <= least * MAP_SHARE:
        return decide(f"{said} That is within what a tax map can be off: have the area checked.", measure=measure, facts=facts)
    return (met if acres > least else not_met)(
        said, measure=measure, change="" if acres > least else "larger premises", facts=facts
    )


@answers("capacity")
def capacity(rule: Rule, case: Case) -> Outcome:
    """Remind of the maximum number, with the area, frontage and access that it is set from."""
    facts, about = case.facts, case.event.event
    said = []
    if facts.area_sq_ft:
        said.append(f"{facts.area_sq_ft / SQ_FT_TO_AN_ACRE:.2f} acres")
        if about.persons_at_once:
            said.append(f"{facts.area_sq_ft / about.persons_at_once:,.0f} sq ft for each person at one time")
    if facts.frontage_ft:
        said.append(f"{facts.frontage_ft:,.0f} ft of frontage")
    if case.event.site.access_roads is not None:
        said.append(f"access roads: {case.event.site.access_roads}")
    more = f" The site: {'; '.join(said)}." if said else ""
    return remind(
        f"{rule.text}{more}",
        facts={
            "area_sq_ft": facts.area_sq_ft,
            "frontage_ft": facts.frontage_ft,
            "event.persons_at_once": about.persons_at_once,
            "site.access_roads": case.event.site.access_roads,
        },
    )


@answers("factors")
def factors(rule: Rule, case: Case) -> Outcome:
    """Remind of what is considered, with the figures that are known."""
    return remind(
        rule.text, facts={"area_sq_ft": case.facts.area_sq_ft, "event.persons_at_once": case.event.event.persons_at_once}
    )


@answers("history_years")
def history_years(rule: Rule, case: Case) -> Outcome:
    """Remind of earlier violations; rescinded permits of the period are named."""
    years = int(rule.number("years"))
    since = (
        case.on.replace(year=case.on.year - years)
        if (case.on.month, case.on.day) != (2, 29)
        else case.on - timedelta(days=366 * years)
    )
    rescinded = [permit for permit in case.permits if permit.status == "rescinded" and permit.starts and permit.starts >= since]
    more = f" Permits rescinded since {in_words(since)}: {len(rescinded)}." if rescinded else ""
    return remind(f"{rule.text}{more}", facts={"rescinded": len(rescinded)})


def _on_town_grounds(case: Case) -> bool | None:
    """Return whether it is on Town grounds: as answered; land that no municipality owns is none."""
    stated = case.event.premises.municipal_building_or_grounds
    return False if stated is None and case.municipal is False else stated


@answers("facility")
def facility(rule: Rule, case: Case) -> Outcome:
    """Remind of the facility use permit for Town buildings and grounds."""
    on_grounds = _on_town_grounds(case)
    if on_grounds is None:
        return decide(f"Not answered. {rule.text}", "premises.municipal_building_or_grounds", could_forbid=False)
    if not on_grounds:
        stated = case.event.premises.municipal_building_or_grounds is False
        return does_not_apply("it is not in a Town building or on Town grounds" if stated else "no municipality owns the land")
    return remind(rule.text, facts={"premises.municipal_building_or_grounds": True})


@answers("alcohol")
def alcohol(rule: Rule, case: Case) -> Outcome:
    """Remind of what is asked for intoxicating beverages: on Town property, or wherever they are served (``anywhere``)."""
    served = case.event.site.alcohol
    reached = True if rule.values.get("anywhere") else _on_town_grounds(case)
    needed = all_of((served, reached))
    if needed is False:
        return does_not_apply("no intoxicating beverages are served" if served is False else "it is not on Town property")
    if needed is None:
        missing = [
            *(["site.alcohol"] if served is None else []),
            *(["premises.municipal_building_or_grounds"] if reached is None else []),
        ]
        return decide(f"Not answered in full. {rule.text}", *missing, could_forbid=False)
    return remind(rule.text, facts={"site.alcohol": True})


@answers("animals")
def animals(rule: Rule, case: Case) -> Outcome:
    """Remind of what the application says of animals."""
    if case.event.site.animals is None:
        return decide(f"Not answered. {rule.text}", "site.animals", could_forbid=False)
    return remind(rule.text, facts={"site.animals": True}) if case.event.site.animals else does_not_apply("there are no animals")


@answers("highway")
def highway(rule: Rule, case: Case) -> Outcome:
    """Remind of the authorization to close a highway for a parade."""
    closes = case.event.parade.closes_highway
    if closes is None:
        return decide(f"Not answered. {rule.text}", "parade.closes_highway", could_forbid=False)
    return (
        remind(rule.text, facts={"parade.closes_highway": True})
        if closes
        else does_not_apply("no Town highway or street is closed")
    )


@answers("parade_interval")
def parade_interval(rule: Rule, case: Case) -> Outcome:
    """Look for another parade within the days, both in summer; one that is found is weighed by the official."""
    limits = parade_rule(rule, inclusive=not case.profile.reads("summer", "both_excluded"))
    first = case.event.event.first_day
    measure = f"another parade within {limits.days} calendar days, between Memorial Day and Labor Day"
    if first is None:
        return decide(f"When the parade is, is not stated. {rule.text}", "event.starts", measure=measure)
    asked = (first, case.event.event.last_day or first)
    parades = [permit for permit in case.permits if permit.kind == "parade" and permit.status == "issued"]
    both, edge = parades_within(asked, [(item.starts, item.ends or item.starts) for item in parades if item.starts], limits)
    # LAW: 283-4 does not say whether both parades are in the period; read so, and where only one is, that is said.
    beyond = f" Within {limits.days} days, but not in that period with it: {_on(edge)}." if edge else ""
    review = ("other_reading",) if edge and not both else ()
    same = shared_streets(
        case.facts.route_streets or (), [street for one in parades if _span_of(one) in both for street in one.streets]
    )
    opens, closes = summer(first.year, inclusive=limits.holidays_included)
    if days_between(asked, (opens, closes)) > 0:
        return does_not_apply(f"the parade is not between {in_words(opens)} and {in_words(closes)}{beyond.rstrip('.')}")
    facts: dict[str, object] = {"event.starts": first, "other_parades": [span[0] for span in both], "same_streets": list(same)}
    if both:
        along = f", along the same street ({', '.join(same)})" if same else ""
        text = f"Another parade is on {_on(both)}{along}: the official considers it.{beyond} {rule.text}"
        return decide(text, measure=measure, change="another date", facts=facts)
    if any(item.starts is None for item in parades):
        text = (
            f"The record has a parade without its day: whether it is within {limits.days} days is not known.{beyond} {rule.text}"
        )
        return decide(text, "facts.permit_record", measure=measure, review=review, facts=facts)
    text = f"The record shows no other parade within {limits.days} days between Memorial Day and Labor Day.{beyond}"
    if not all(item.recorded for item in case.properties):
        text = f"There is no permit register in which another parade within {limits.days} days could be looked for."
    return met(text, measure=measure, review=review, facts=facts)


def _span_of(permit: PastPermit) -> Span | None:
    return (permit.starts, permit.ends or permit.starts) if permit.starts else None


def _on(spans: Iterable[Span]) -> str:
    return ", ".join(in_words(span[0]) for span in spans)
