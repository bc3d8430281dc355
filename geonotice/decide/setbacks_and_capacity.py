"""What the place and the record add: setbacks, capacity, Town grounds, animals, parades, and who must be notified."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from math import inf
from typing import NamedTuple

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.cap_checks import parade_rule
from geonotice.decide.cap_count import PastPermit
from geonotice.decide.case import Case, Outcome, Structure, all_of, decide, does_not_apply, met, not_met, remind
from geonotice.decide.dated_duties import dated_reminder
from geonotice.decide.yard_sales_parades_nearby_events import Span, days_between, parades_within, shared_streets, summer
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import District, Notice, Rule

__all__ = [
    "Buffer",
    "acreage",
    "alcohol",
    "animals",
    "buffer_of",
    "capacity",
    "facility",
    "factors",
    "highway",
    "history_years",
    "notice_reminder",
    "parade_interval",
    "posting_reminder",
    "setbacks",
]


_LINES = ("front", "side", "rear")


class Buffer(NamedTuple):
    """A distance that is to be kept from every lot line, in feet, and whether the officials set it or the rule names it."""

    width_ft: float
    by_officials: bool

    @property
    def lead(self) -> str:
        """Return what is asked, in a sentence."""
        asked = f"{self.width_ft:g} ft from every lot line"
        return f"The officials set a buffer of {asked}." if self.by_officials else f"The rule asks for {asked}."


_NOWHERE = "the district"
"""What the district is called where the layers know none."""


def buffer_of(rule: Rule, set_ft: float | None) -> Buffer | None:
    """Return the buffer that holds: the wider of the rule's own and the one the officials set; None where there is neither.

    LAW: Southampton 283-3: the Town may "require a buffer zone at a distance greater than the minimum zoning setbacks": it comes on top of
    them, so a narrower figure takes nothing from a setback.
    """
    own_ft = rule.number("buffer_ft") if "buffer_ft" in rule.values else None
    found = [Buffer(width, by) for width, by in ((own_ft, False), (set_ft, True)) if width is not None]
    return max(found, key=lambda one: one.width_ft, default=None)


@answers("setbacks")
def setbacks(rule: Rule, case: Case) -> Outcome:
    """Hold the structures drawn against the setbacks of the district and the buffer; what the table does not have must be decided."""
    layout, buffer = case.facts.layout, buffer_of(rule, case.facts.buffer_ft)
    facts: dict[str, object] = {}
    if buffer:
        facts |= {"buffer_ft": buffer.width_ft, "buffer_set_by": "officials" if buffer.by_officials else "law"}
    lead = f"{buffer.lead} " if buffer else ""
    if layout is None or not layout.structures:
        return remind(f"{lead}Nothing is drawn to hold against it. {rule.text}" if buffer else rule.text, facts=facts)
    within = [text for one in layout.structures if buffer and (text := _within(one, buffer))]
    inside, unknown = _inside_setbacks(case, layout.structures)
    drawn = [f"{one.what}: {_measured(one)}" for one in layout.structures]
    facts |= {"inside": [*within, *inside], "structures": drawn}
    review = (*(("inside_buffer",) if within else ()), *(("inside_setback",) if inside else ()))
    named = f"{'; '.join([*within, *inside])}. " if within or inside else ""
    # A rule that names its own distance does not speak of the district's setbacks, known or not.
    by_law = "buffer_ft" in rule.values
    if unknown and not by_law:
        text = f"{lead}{named}The profile's table has no setbacks for {', '.join(sorted(unknown))}: the official decides. Drawn are {'; '.join(drawn)}. {rule.text}"
        asked = "facts.zone" if _NOWHERE in unknown else "facts.yards"
        return decide(text, asked, could_forbid=bool(within), review=("no_dimensions", *review), facts=facts)
    unsure = () if by_law else tuple(_unverified_yards(case, layout.structures))
    review = (*review, *(("unverified_yards",) if unsure else ()))
    kept = f"All structures drawn keep {'it' if by_law else 'the setbacks of the district'}{' and the buffer' if buffer and not by_law else ''}. "
    text = " ".join([f"{lead}{named or kept}{rule.text}", *unsure])
    if within:
        broken = by_law and any(_nearest_ft(one) < rule.number("buffer_ft") for one in layout.structures)
        refuse = not_met if broken else decide
        return refuse(text, change="another place for what stands too near", review=review, facts=facts)
    return met(text, facts=facts) if by_law else remind(text, review=review, facts=facts)


def _unverified_yards(case: Case, structures: tuple[Structure, ...]) -> Iterator[str]:
    """Return the districts whose yards nobody has read in the law where they are from."""
    codes = [*(one.district for one in structures if one.district), *(item.code for item in case.facts.districts)]
    for district in dict.fromkeys(case.profile.district(code) for code in codes):
        if district is not None and not district.yards_verified:
            yield f"The yards of {district.code} are not verified: they are those of {district.yards_source or 'another source'}; a person must confirm them."


def _nearest_ft(structure: Structure) -> float:
    return min((distance for name in _LINES if (distance := getattr(structure, f"{name}_ft")) is not None), default=inf)


def _within(structure: Structure, buffer: Buffer) -> str:
    """Name a structure that stands nearer to a lot line than the buffer, with every line it stands too near to; empty where it does not."""
    distances = {name: getattr(structure, f"{name}_ft") for name in _LINES}
    near = [
        f"{distance:.1f} ft from the {name} line"
        for name, distance in distances.items()
        if distance is not None and distance < buffer.width_ft
    ]
    return f"{structure.what} stands {', '.join(near)}, {buffer.width_ft:g} ft are the buffer" if near else ""


def _inside_setbacks(case: Case, structures: tuple[Structure, ...]) -> tuple[list[str], set[str]]:
    """Name the structures that stand inside a setback, and the districts whose setbacks the table does not have."""
    table = {item.code: case.profile.district(item.code) for item in case.facts.districts}
    inside: list[str] = []
    unknown: set[str] = set()
    for structure in structures:
        codes = [structure.district] if structure.district else list(table)
        for code in codes or [""]:
            district = table.get(code) or (case.profile.district(code) if code else None)
            found, open_ = _inside(structure, district)
            inside += [f"{structure.what} stands {text}" for text in found]
            unknown |= {code or _NOWHERE} if open_ else set()
    return inside, unknown


def _measured(structure: Structure) -> str:
    """Return how far a structure stands from each sort of lot line."""
    distances = {name: getattr(structure, f"{name}_ft") for name in _LINES}
    return (
        ", ".join(f"{distance:,.1f} ft from the {name} line" for name, distance in distances.items() if distance is not None)
        or "no lot line"
    )


def _inside(structure: Structure, district: District | None) -> tuple[list[str], bool]:
    """Return by how much a structure stands inside each setback, and whether a setback that matters is not in the table."""
    found: list[str] = []
    unknown = False
    for name in _LINES:
        distance = getattr(structure, f"{name}_ft")
        least = getattr(district, f"{name}_ft") if district else None
        if distance is None:
            continue
        if least is None:
            unknown = True
        elif distance < least:
            found.append(f"{distance:.1f} ft from the {name} line, {least:g} ft are the setback")
    both, together = structure.both_sides_ft, district.both_sides_ft if district else None
    if both is not None and together is not None and both < together:
        found.append(f"{both:.1f} ft from both side lines together, {together:g} ft are the setback")
    return found, unknown


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
