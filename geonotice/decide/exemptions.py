"""Events that need no permit: the Town's own, sports, weddings, yard sales, expressive activity, exempt places; a clause's letter is the profile's."""

from datetime import date, datetime, time, timedelta

from geonotice.config.application import Event
from geonotice.decide.business_days_and_holidays import labor_day, memorial_day
from geonotice.decide.cap_checks import yard_sale_rule
from geonotice.decide.case import Case, Outcome, any_of, attendance_over, decide, does_not_apply, met, not_met, remind
from geonotice.decide.yard_sales_parades_nearby_events import yard_sale_days
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = [
    "exempt_events",
    "exempt_place",
    "exempt_sports",
    "expressive_notice",
    "sale_days",
    "sale_hours",
    "yard_sale",
]


FAMILY_EVENTS = ("wedding", "funeral", "family")


@answers("exempt_events")
def exempt_events(rule: Rule, case: Case) -> Outcome:
    """Return which exemption is made out: ``met`` when one is, ``decide`` when one may be, else it does not apply."""
    tried = [
        _town(rule, case),
        _sporting(rule, case),
        _family(rule, case),
        _student(rule, case),
        _expressive(rule, case),
        _yard_sale(rule, case),
    ]
    made_out = [item for item in tried if item.status == "met"]
    if made_out:
        return made_out[0]
    open_ = [item for item in tried if item.status == "decide"]
    if open_:
        missing = tuple(dict.fromkeys(key for item in open_ for key in item.missing))
        facts = {key: value for item in open_ for key, value in item.facts.items()}
        return Outcome(
            status="decide",
            text="; ".join(item.text for item in open_),
            missing=missing,
            facts=facts,
            review=tuple(dict.fromkeys(code for item in open_ for code in item.review)),
            could_forbid=False,
        )
    failed = [item.text for item in tried if item.status == "not_met"]
    return does_not_apply("; ".join(failed) or "none of the exemptions is made out")


EXEMPT = ("town", "sports", "wedding", "funeral", "family", "student", "expressive", "yard_sale")
"""What is exempt, in the order in which a profile names the clauses (``clauses``)."""


def _clause(rule: Rule, what: str) -> str:
    """Return how the law calls the clause of an exemption, as a lead; empty where the profile does not say."""
    named = rule.words("clauses") if "clauses" in rule.values else ()
    at = EXEMPT.index(what)
    return f"{named[at]}: " if at < len(named) else ""


def _text(rule: Rule, name: str, otherwise: str) -> str:
    """Return a text of the profile; ``otherwise`` where it has none."""
    return str(rule.values.get(name) or otherwise)


def _town(rule: Rule, case: Case) -> Outcome:
    # LAW: 283-2A(3)(a): sponsored and conducted by the Town.
    about = case.event.event
    if about.sponsor is None and about.sponsor_in_control is False:
        return does_not_apply("whoever sponsors it does not conduct it")
    if about.sponsor is None:
        return decide("who sponsors the event is not stated", "event.sponsor")
    if about.sponsor != "town":
        return does_not_apply("not the Town's own event")
    if about.sponsor_in_control is None:
        return decide("the Town sponsors it; whether the Town also conducts it is not stated", "event.sponsor_in_control")
    if about.sponsor_in_control:
        return met(
            f"{_clause(rule, 'town')}the event is sponsored and conducted by the Town",
            facts={"event.sponsor": "town", "event.sponsor_in_control": True},
        )
    return not_met(f"{_clause(rule, 'town')}the Town sponsors the event but does not conduct it")


def _sporting(rule: Rule, case: Case) -> Outcome:
    # LAW: 283-2A(3)(b).
    about = case.event.event
    if about.regular_sporting_event:
        return met(
            f"{_clause(rule, 'sports')}a regular sporting event or tournament", facts={"event.regular_sporting_event": True}
        )
    if about.regular_sporting_event is None and about.kind in ("sports", None):
        missing = ("event.kind",) if about.kind is None else ()
        return decide(
            "whether it is a regular sporting event or tournament is not stated", *missing, "event.regular_sporting_event"
        )
    return does_not_apply("no regular sporting event")


def _family(rule: Rule, case: Case) -> Outcome:
    # LAW: 283-2A(3)(c)-(e): the six months' lease stands in (c) only.
    about = case.event.event
    if about.kind is None:
        return decide("what kind of event it is, is not stated", "event.kind")
    if about.kind not in FAMILY_EVENTS:
        return does_not_apply("no wedding, funeral or family assemblage")
    clause = _clause(rule, about.kind)
    noun = {"wedding": "wedding", "funeral": "funeral", "family": "family assemblage"}[about.kind]
    whose = about.wedding_of
    if whose is None:
        return decide(f"whose {noun} it is, is not stated", "event.wedding_of", facts={"event.kind": about.kind})
    guests = "; it must be limited to the invited guests, in reasonable number" if about.kind == "family" else ""
    if whose in ("owner", "owner_family"):
        of = "the property owner" if whose == "owner" else "a member of the property owner's family"
        return met(f"{clause}a {noun} of {of}{guests}", facts={"event.kind": about.kind, "event.wedding_of": whose})
    if whose == "other":
        return not_met(f"{clause}the {noun} is not that of the owner, the owner's family or a tenant")
    return _tenant(rule, case, clause=clause, noun=noun, guests=guests)


def _tenant(rule: Rule, case: Case, *, clause: str, noun: str, guests: str) -> Outcome:
    about, lawful = case.event.event, case.event.premises.lawful_tenancy
    months = about.tenant_lease_months
    asked = rule.number("lease_months")
    tenancy = _text(rule, "tenancy", "lawful")
    if lawful is False:
        return not_met(f"{clause}the tenancy is not {tenancy}")
    if noun == "wedding" and months is not None and months < asked:
        return not_met(f"{clause}the tenant's lease of {months:g} months is less than {asked:g} consecutive months")
    if noun == "wedding" and months is None:
        return decide(
            "how long the tenant's written lease runs is not stated",
            "event.tenant_lease_months",
            facts={"event.wedding_of": "tenant"},
        )
    lease = f" with a written lease of {months:g} months (not less than {asked:g})" if noun == "wedding" else ""
    reminder = "" if lawful else f". Make sure that the tenancy is {tenancy}"
    return met(
        f"{clause}a {noun} of a tenant{lease}{guests}{reminder}",
        measure=f"written lease of not less than {asked:g} consecutive months" if noun == "wedding" else "a lawful tenant",
        review=() if lawful else ("lawful_tenancy_unanswered",),
        facts={"event.wedding_of": "tenant", "event.tenant_lease_months": months, "premises.lawful_tenancy": lawful},
    )


def _student(rule: Rule, case: Case) -> Outcome:
    # LAW: 283-2A(3)(f): the assemblage is at the school; who sponsors it is not asked.
    about, owner = case.event.event, case.event.premises.owned_entirely_by
    if about.kind != "student":
        return does_not_apply("no student assemblage")
    if owner == "educational":
        return met(
            f"{_clause(rule, 'student')}a student assemblage at a school. Make sure that it is {_text(rule, 'school', 'one that the law means')}",
            facts={"event.kind": "student", "premises.owned_entirely_by": owner},
        )
    if owner is None:
        return decide("whether the student assemblage is at a school is not stated", "premises.owned_entirely_by")
    return not_met(
        f"{_clause(rule, 'student')}the student assemblage is not at a school: the property is not that of an educational institution"
    )


def _expressive(rule: Rule, case: Case) -> Outcome:
    # LAW: 283-2A(3)(g): at least 48 hours before, if more than 50 persons are expected.
    about = case.event.event
    if about.kind != "expressive":
        return does_not_apply("no expressive activity")
    if about.admission_charged and "fee" in rule.values:
        # LAW: a definition may say that no fee or donation is asked of those who take part: the profile has what is known of it.
        return Outcome(
            status="decide",
            text=f"{_clause(rule, 'expressive')}a fee or donation is asked of those who take part: "
            + _text(rule, "fee", "the official decides whether it is expressive activity all the same"),
            facts={"event.kind": "expressive", "event.admission_charged": True},
            review=("unverified_definition",),
        )
    limit = int(rule.number("notice_more_than_persons"))
    hours = rule.number("notice_hours")
    more, missing = attendance_over(case, limit)
    if more is False:
        return met(
            f"{_clause(rule, 'expressive')}expressive activity; no notice is asked for {limit} persons or fewer",
            facts={"event.persons_total": about.persons_total},
        )
    given = case.event.expressive.notice_given
    in_time, unknown = _hours_before(given, about.starts, hours)
    facts: dict[str, object] = {"event.starts": about.starts, "expressive.notice_given": given}
    if in_time:
        return Outcome(
            status="met",
            text=f"{_clause(rule, 'expressive')}expressive activity, with written notice at least {hours:g} hours before",
            facts=facts,
            measure=f"written notice at least {hours:g} hours before, for more than {limit} persons",
        )
    if in_time is False and more:
        return Outcome(
            status="not_met",
            text=f"{_clause(rule, 'expressive')}more than {limit} persons are expected, and notice was given less than {hours:g} hours before",
            facts=facts,
        )
    keys = (*(missing if more is None else ()), *unknown)
    return Outcome(
        status="decide",
        text=f"whether written notice was given {hours:g} hours before, as more than {limit} persons ask for, is not stated",
        facts=facts,
        missing=keys,
    )


def _hours_before(
    given: datetime | date | None, starts: datetime | date | None, hours: float
) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether one moment is at least so many hours before another; a date without a time may be any hour of that day."""
    if given is None or starts is None:
        return None, tuple(key for key, value in (("expressive.notice_given", given), ("event.starts", starts)) if value is None)
    gap = timedelta(hours=hours)
    given_from, given_to = _span(given)
    starts_from, starts_to = _span(starts)
    if starts_from - given_to >= gap:
        return True, ()
    if starts_to - given_from < gap:
        return False, ()
    return None, tuple(
        key for key, value in (("expressive.notice_given", given), ("event.starts", starts)) if not isinstance(value, datetime)
    )


def _span(moment: datetime | date) -> tuple[datetime, datetime]:
    if isinstance(moment, datetime):
        return moment, moment
    return datetime.combine(moment, time.min), datetime.combine(moment, time.max)


def _yard_sale(rule: Rule, case: Case) -> Outcome:
    if case.event.event.kind != "yard_sale":
        return does_not_apply("no yard sale")
    rules = [rule for rule in case.profile.of_kind("exemption") if rule.check == "yard_sale"]
    if not rules:
        return does_not_apply("the law says nothing of yard sales")
    found = yard_sale(rules[0], case)
    if found.status == "met":
        return met(f"{_clause(rule, 'yard_sale')}a yard sale within its limits", facts={"event.kind": "yard_sale"})
    return Outcome(
        status=found.status, text=f"{_clause(rule, 'yard_sale')}{found.text}", missing=found.missing, could_forbid=False
    )


@answers("expressive_notice")
def expressive_notice(rule: Rule, case: Case) -> Outcome:
    """Remind of what the notice of expressive activity contains, where one is asked for."""
    if case.event.event.kind is None:
        return remind(f"If it is expressive activity: {rule.text}")
    if case.event.event.kind != "expressive":
        return does_not_apply("no expressive activity")
    limits = [item.number("notice_more_than_persons") for item in case.profile.rules if "notice_more_than_persons" in item.values]
    if limits and attendance_over(case, int(limits[0]))[0] is False:
        return does_not_apply(f"no notice is asked for {limits[0]:g} persons or fewer")
    return remind(rule.text, facts={"expressive.notice_given": case.event.expressive.notice_given})


@answers("yard_sale")
def yard_sale(rule: Rule, case: Case) -> Outcome:
    """Return whether a yard sale keeps within the limits that make it exempt."""
    if case.event.event.kind is None:
        return decide(
            f"What kind of event it is, is not stated. If it is a yard sale: {rule.text}", "event.kind", could_forbid=False
        )
    if case.event.event.kind != "yard_sale":
        return does_not_apply("it is not a yard sale")
    sale = case.event.yard_sale
    days, hours = sale_days(case.event), sale_hours(case.event)
    failed: list[str] = []
    missing: list[str] = []
    facts: dict[str, object] = {}
    for key, value, broken in (
        ("yard_sale.on_dwelling_lot", sale.on_dwelling_lot, "it is not wholly on the dwelling's own lot"),
        ("yard_sale.own_goods_only", sale.own_goods_only, "new goods are sold, or goods brought in or on consignment"),
    ):
        facts[key] = value
        if value is None:
            missing.append(key)
        elif not value:
            failed.append(broken)
    if hours is None:
        missing.append("yard_sale.hours")
    else:
        failed += _hours_broken(rule, hours, facts)
    if not days:
        missing.append("yard_sale.days")
    else:
        failed += _days_broken(rule, case, days, facts)
    measure = (
        f"no more than {rule.number('consecutive_days'):g} consecutive days, {rule.number('days_a_year'):g} days a year, "
        f"{rule.number('summer_days'):g} of them between Memorial Day and Labor Day"
    )
    review = ("reading:summer",) if days and any(day in (memorial_day(day.year), labor_day(day.year)) for day in days) else ()
    if failed:
        text = f"The yard sale is not exempt: {'; '.join(failed)}."
        return Outcome(status="not_met", text=text, facts=facts, measure=measure, review=review, change="keep within the limits")
    if missing:
        text = "Whether the yard sale keeps within its limits is not stated in full."
        return Outcome(
            status="decide", text=text, facts=facts, measure=measure, review=review, missing=tuple(missing), could_forbid=False
        )
    text = f"The yard sale keeps within its limits. {_text(rule, 'signs', '')}".strip()
    return Outcome(status="met", text=text, facts=facts, measure=measure, review=review)


def sale_days(event: Event) -> tuple[date, ...]:
    """Return the days of a yard sale: its own answer, else the days of the event where each is stated."""
    return event.yard_sale.days or (event.event.held_on if event.event.days else ())


def sale_hours(event: Event) -> tuple[time, time] | None:
    """Return the hours of a yard sale: its own answer, else the earliest and the latest of the event's days where each is stated."""
    if event.yard_sale.hours or not event.event.days:
        return event.yard_sale.hours
    opens = [day.opens for day in event.event.days]
    # Past midnight is later than any hour of the day.
    closes = [time.max if isinstance(day.ends, datetime) and day.ends.date() > day.on else day.closes for day in event.event.days]
    known_opens, known_closes = ([hour for hour in hours if hour is not None] for hours in (opens, closes))
    if len(known_opens) < len(opens) or len(known_closes) < len(closes):
        return None
    return min(known_opens), max(known_closes)


def _hours_broken(rule: Rule, hours: tuple[time, time], facts: dict[str, object]) -> list[str]:
    opens, closes = (time.fromisoformat(str(rule.values[name])) for name in ("opens", "closes"))
    facts["yard_sale.hours"] = [f"{hour:%H:%M}" for hour in hours]
    within = opens <= hours[0] and hours[1] <= closes
    return [] if within else [f"it is not held between {opens:%H:%M} and {closes:%H:%M} only"]


def _days_broken(rule: Rule, case: Case, stated: tuple[date, ...], facts: dict[str, object]) -> list[str]:
    """Hold the days of the sale, with those of earlier sales in the record, against the limits."""
    limits = yard_sale_rule(rule, inclusive=not case.profile.reads("summer", "both_excluded"))
    found = yard_sale_days(stated, _days_in_record(case), limits)
    facts["yard_sale.days"] = len(found.days)
    facts["consecutive_days"] = found.longest_run
    for year, days in found.by_year.items():
        facts[f"days_in_{year}"], facts[f"summer_days_in_{year}"] = days, found.summer_by_year[year]
    return list(found.broken)


def _days_in_record(case: Case) -> set[date]:
    return {day for permit in case.permits if permit.kind == "yard_sale" and permit.status != "void" for day in permit.held_on}


# ---- by the place of an event, and for recurring sports


@answers("exempt_place")
def exempt_place(rule: Rule, case: Case) -> Outcome:
    """Return whether the place exempts the event: land of these owners, or a Town building and grounds."""
    premises = case.event.premises
    tests: dict[str, bool | None] = {}
    if "owners" in rule.values:
        owner = premises.owned_entirely_by
        found = None if owner is None else owner in rule.words("owners")
        if owner is None and case.municipal and "municipality" in rule.words("owners"):
            found = True
        tests["premises.owned_entirely_by"] = found
    if rule.values.get("town_grounds"):
        stated = premises.municipal_building_or_grounds
        tests["premises.municipal_building_or_grounds"] = False if stated is None and case.municipal is False else stated
    exempt = any_of(tests.values())
    if exempt:
        facts: dict[str, object] = {
            "premises.owned_entirely_by": premises.owned_entirely_by,
            "premises.municipal_building_or_grounds": premises.municipal_building_or_grounds,
        }
        return met("it is held in a place that is exempt from the permit", facts=facts)
    if exempt is None:
        missing = [key for key, value in tests.items() if value is None]
        return decide("whether the place is one that is exempt from the permit is not stated", *missing, could_forbid=False)
    return does_not_apply("it is not held in a place that is exempt from the permit")


@answers("exempt_sports")
def exempt_sports(rule: Rule, case: Case) -> Outcome:
    """Return whether it is a regular game or tournament, which the law exempts; on land of these owners only, where the rule names some."""
    about, owner = case.event.event, case.event.premises.owned_entirely_by
    if about.regular_sporting_event is False or (about.regular_sporting_event is None and about.kind not in ("sports", None)):
        return does_not_apply("it is not a regular game or tournament")
    owners = rule.words("owners") if "owners" in rule.values else ()
    if owners and owner is not None and owner not in owners:
        return does_not_apply("it is not held on land of an owner whose regular games are exempt")
    missing = [
        *(["event.kind"] if about.regular_sporting_event is None and about.kind is None else []),
        *(["event.regular_sporting_event"] if about.regular_sporting_event is None else []),
        *(["premises.owned_entirely_by"] if owners and owner is None else []),
    ]
    if missing:
        text = "whether it is a regular game or tournament that is exempt from the permit is not stated"
        return decide(text, *missing, could_forbid=False)
    return met("it is a regular game or tournament", facts={"event.regular_sporting_event": True})
