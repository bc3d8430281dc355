"""Conditions precedent: what must be filed, shown or provided before a permit may issue."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from math import ceil

from msgspec.structs import replace

from geonotice.config.application import About, Event
from geonotice.config.questions import QUESTIONS
from geonotice.decide.business_days_and_holidays import days_ahead, in_words
from geonotice.decide.case import Case, Outcome, attendance_over, decide, does_not_apply, met, not_met, remind
from geonotice.decide.deadlines import late_filing
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = [
    "access",
    "agent",
    "answer",
    "camping",
    "entry",
    "filed_before",
    "insurance",
    "other_property",
    "owner_consent",
    "parking",
    "security_plan",
    "statement",
    "waivable",
    "waiver",
]


def answer(event: Event, key: str) -> object:
    """Return the answer to a question by its key (``event.starts``); None where it is not answered."""
    section, _, name = key.partition(".")
    return getattr(getattr(event, section), name)


@answers("filed_before")
def filed_before(rule: Rule, case: Case) -> Outcome:
    """Return whether the application was filed the number of days before that the rule asks."""
    about = case.event.event
    days = rule.periods[0].days
    first, filed = about.first_day, about.filed
    measure = f"at least {days} days before the event begins"
    if first is None:
        missing = ["event.starts", *([] if filed else ["event.filed"])]
        return decide(
            f"It must be filed {measure}; when that is, is not stated.", *missing, measure=measure, facts={"event.filed": filed}
        )
    last = first - timedelta(days=days)
    if filed is None:
        past = case.on > last
        said = f"The last day to file was {in_words(last)}" if past else f"It must be filed by {in_words(last)}"
        text = f"{said}, {measure}; no filing date is given."
        return decide(text, "event.filed", measure=measure, facts={"event.starts": first, "last_day": last})
    ahead = (first - filed).days
    facts = {"event.starts": first, "event.filed": filed, "days_before": ahead}
    if ahead >= days:
        return met(f"Filed {ahead} days before the event begins; at least {days} are required.", measure=measure, facts=facts)
    late = f"Filed {days_ahead(ahead, 'the event begins')}, at least {days} days are required: the last day was {in_words(last)}."
    change = f"an event that begins on or after {in_words(filed + timedelta(days=days))}"
    if rule.values.get("late") != "decide":
        return not_met(f"{late} {late_filing(rule)}", measure=measure, change=change, facts=facts)
    if case.is_parade and _tells_parades_apart(case):
        text = f"{late} For a parade the text has no rule on late filing: the official decides."
    else:
        text = f"{late} {late_filing(rule)} {rule.text}"
    return decide(text, measure=measure, change=change, facts=facts)


def _tells_parades_apart(case: Case) -> bool:
    # LAW: Southampton 283-2B speaks of late applications for special events only.
    return any(rule.threshold and rule.threshold.events == "parade" for rule in case.profile.rules)


@answers("agent")
def agent(rule: Rule, case: Case) -> Outcome:
    """Ask for an agent in the county of an applicant from outside the town."""
    applicant = case.event.applicant
    if applicant.resident_of_town:
        return does_not_apply("the applicant resides in the town")
    name = applicant.agent_in_county
    if name:
        return met(f"An agent in the county is named: {name}.", facts={"applicant.agent_in_county": name})
    if applicant.resident_of_town is None:
        return decide(
            "An applicant from outside the town must name an agent in the county; where the applicant resides is not stated.",
            "applicant.resident_of_town",
            *(() if name == "" else ("applicant.agent_in_county",)),
        )
    if name == "":
        text = "The applicant does not reside in the town and names no agent in the county."
        return not_met(
            text,
            change="an agent who agrees by a verified statement",
            facts={"applicant.resident_of_town": False, "applicant.agent_in_county": ""},
        )
    text = f"The applicant does not reside in the town; whether an agent is named is not stated. {rule.text}"
    return decide(text, "applicant.agent_in_county", facts={"applicant.resident_of_town": False})


@answers("owner_consent")
def owner_consent(rule: Rule, case: Case) -> Outcome:
    """Ask for the owner's verified statement where the applicant is not the owner."""
    applicant = case.event.applicant
    if applicant.is_owner:
        return does_not_apply("the applicant owns the property")
    consent = applicant.owner_consent
    if consent:
        return met("The owner's verified statement is filed.", facts={"applicant.owner_consent": True})
    if applicant.is_owner is None:
        missing = ("applicant.is_owner", *(("applicant.owner_consent",) if consent is None else ()))
        return decide(f"Whether the applicant owns the property is not stated. {rule.text}", *missing)
    if consent is None:
        return decide(
            f"The applicant is not the owner. {rule.text}", "applicant.owner_consent", facts={"applicant.is_owner": False}
        )
    text = "The applicant is not the owner, and the owner's verified statement is not filed."
    return not_met(
        text, change="the owner's verified statement", facts={"applicant.is_owner": False, "applicant.owner_consent": False}
    )


@answers("statement")
def statement(rule: Rule, case: Case) -> Outcome:
    """Remind of what the application states, and of what is not stated yet."""
    keys = rule.words("keys") if "keys" in rule.values else ()
    open_ = [key for key in keys if answer(case.event, key) is None]
    refused = [key for key in keys if answer(case.event, key) is False and key in SUBMITTED]
    more = f" Not stated yet: {'; '.join(QUESTIONS[key] for key in open_)}" if open_ else ""
    more += f" Answered no: {'; '.join(QUESTIONS[key] for key in refused)}" if refused else ""
    return remind(f"{rule.text}{more}", facts={"not_stated": open_, "answered_no": refused} if refused else {"not_stated": open_})


SUBMITTED = frozenset({"benefit.support_agreement"})
"""Answers of which a plain no says that the application lacks something."""


@answers("waiver")
def waiver(rule: Rule, case: Case) -> Outcome:
    """Remind of the power to waive, with the conditions stated as waived."""
    waived = case.event.site.waived
    can = [name for name in waived if case.profile.has(name) and case.profile.rule(name).waivable]
    more = f" Stated as waived: {', '.join(can)}; see that the reasons are in the record." if can else ""
    return remind(f"{rule.text}{more}", facts={"site.waived": list(waived)})


def waivable(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Let a waived condition stand no longer in the way; say of one that fails that it can be waived."""
    if not rule.waivable or outcome.status == "not_applicable":
        return outcome
    if outcome.status == "met":
        # Met as it is stated: should that turn out otherwise, the waiver holds.
        return outcome.with_review("waived") if rule.id in case.event.site.waived else outcome
    if outcome.status == "remind":
        waived = " It has been waived; the reasons must be in writing, in the record."
        return (
            replace(outcome, text=f"{outcome.text}{waived}").with_review("waived")
            if rule.id in case.event.site.waived
            else outcome
        )
    if rule.id in case.event.site.waived:
        text = f"{outcome.text} This condition has been waived; the reasons must be in writing, in the record."
        return Outcome(
            status="met", text=text, facts={**outcome.facts, "site.waived": True}, measure=outcome.measure, review=("waived",)
        )
    change = "; ".join(part for part in (outcome.change, "a waiver, its reasons in writing, in the record") if part)
    more = " This condition can be waived." if outcome.status == "not_met" else ""
    return Outcome(
        status=outcome.status,
        text=f"{outcome.text}{more}",
        facts=outcome.facts,
        measure=outcome.measure,
        change=change,
        missing=outcome.missing,
        review=outcome.review,
    )


@answers("parking")
def parking(rule: Rule, case: Case) -> Outcome:
    """Hold the spaces stated, and the parking area drawn, against the persons in attendance."""
    about, site = case.event.event, case.event.site
    per_car = int(rule.number("persons_per_car"))
    total = case.profile.reads("parking_persons", "total")
    key, persons = ("event.persons_total", about.persons_total) if total else ("event.persons_at_once", about.persons_at_once)
    # Those outdoors are there at one time too: where they are the larger number, it is the one used.
    least = max(persons or 0, about.persons_outdoors or 0)
    persons = None if persons is None else least
    measure = f"at least one car for every {per_car} persons in attendance"
    review: tuple[str, ...] = ()
    differ = about.persons_total is not None and about.persons_total != about.persons_at_once
    if "parking_persons" in case.profile.settings and differ:
        review = ("reading:parking_persons",)
    spaces = site.parking_spaces
    if persons is None and spaces is not None and spaces < ceil(least / per_car):
        persons, key = least, "event.persons_outdoors"
    if persons is None or spaces is None:
        missing = tuple(name for name, value in ((key, persons), ("site.parking_spaces", spaces)) if value is None)
        needed = f" {ceil(persons / per_car)} spaces are needed for {persons} persons." if persons is not None else ""
        return decide(f"Whether the parking is enough is not known.{needed}", *missing, measure=measure, review=review)
    needed_cars = ceil(persons / per_car)
    facts: dict[str, object] = {key: persons, "site.parking_spaces": spaces, "spaces_needed": needed_cars}
    said = f"{persons} persons need {needed_cars} spaces (one for every {per_car}); {spaces} are stated."
    if spaces < needed_cars:
        change = f"{needed_cars - spaces} more spaces, or fewer persons"
        return not_met(said, measure=measure, change=change, review=review, facts=facts)
    return _room_for(case, needed_cars, met(said, measure=measure, review=review, facts=facts))


def _room_for(case: Case, needed: int, stated: Outcome) -> Outcome:
    """Compare the spaces with the ground drawn for them, where a layout was given."""
    layout = case.facts.layout
    reading = case.profile.settings.get("parking_sq_ft_per_car")
    if layout is None or layout.parking_sq_ft is None or reading is None or not isinstance(reading.value, (int, float)):
        return stated
    fits = int(layout.parking_sq_ft // reading.value)
    drawn = f"The parking drawn is {layout.parking_sq_ft:,.0f} sq ft, room for about {fits} cars at {reading.value:g} sq ft each."
    compared = replace(
        stated,
        text=f"{stated.text} {drawn}",
        facts={**stated.facts, "parking_sq_ft": layout.parking_sq_ft, "cars_that_fit": fits},
    ).with_review("reading:parking_sq_ft_per_car")
    if fits >= needed:
        return compared
    text = f"{compared.text} That is less than the {needed} needed: the official decides."
    return replace(compared, status="decide", text=text, change="a larger parking area").with_review("parking_area_small")


@answers("access")
def access(rule: Rule, case: Case) -> Outcome:
    """Ask for at least one access road; whether they are enough is for the official."""
    roads = case.event.site.access_roads
    if roads is None:
        return decide("How many access roads there are is not stated.", "site.access_roads")
    if roads == 0:
        return not_met("There is no access road.", change="an access road", facts={"site.access_roads": 0})
    return remind(
        f"{roads} access roads are stated. {rule.text}" if roads > 1 else f"One access road is stated. {rule.text}",
        facts={"site.access_roads": roads},
    )


@answers("camping")
def camping(rule: Rule, case: Case) -> Outcome:  # noqa: C901, PLR0911  # one answer for each thing the paragraph turns on
    """Ask for camping or housing where the event extends from one day to another."""
    about, provided = case.event.event, case.event.site.camping
    first, last = about.first_day, about.last_day
    measure = "needed if the event extends from one day to another"
    if first is None or last is None:
        if provided:
            return remind(f"Camping or housing is provided. {rule.text}", facts={"site.camping": True})
        missing = [key for key, value in (("event.starts", first), ("event.ends", last)) if value is None]
        missing += ["site.camping"] if provided is None else []
        text = "Whether the event extends from one day to another is not stated."
        return decide(text, *missing, measure=measure, facts={"site.camping": provided})
    if last == first and provided:
        text = f"Camping or housing is provided, and the event begins and ends on {in_words(first)}: whether it extends from one day to another is open."
        return decide(
            text,
            "event.days" if about.days else "event.ends",
            measure=measure,
            could_forbid=False,
            facts={"event.ends": about.ends, "site.camping": True},
        )
    if last == first:
        return does_not_apply("the event does not extend from one day to another")
    if about.days and not any(_runs_on(starts, ends) for starts, ends in about.sessions):
        return _by_day(about, provided, measure, rule)
    facts: dict[str, object] = {"event.starts": about.starts, "event.ends": about.ends, "site.camping": provided}
    if provided:
        return remind(f"Camping or housing is provided. {rule.text}", facts=facts)
    extends, review = _extends(rule, case, first, last)
    if extends is False:
        return does_not_apply("the event ends in the small hours, which is read as not extending to another day")
    span = f"The event runs from {in_words(first)} to {in_words(last)}"
    if extends is None and not isinstance(about.ends, datetime):
        text = f"{span}; at what hour it ends is not stated: whether it extends “from one day to another” may turn on it."
        asked = ("event.ends", *(("site.camping",) if provided is None else ()))
        return decide(text, *asked, measure=measure, review=review, facts=facts)
    if extends is None:
        text = f"{span}, into the small hours only: whether it extends “from one day to another” must be decided."
        asked = ("site.camping",) if provided is None else ()
        return decide(text, *asked, measure=measure, review=review, facts=facts)
    if provided is None:
        text = f"{span}; whether there is camping or housing is not stated."
        return decide(text, "site.camping", measure=measure, review=review, facts=facts)
    text = f"{span}, and there is no camping or housing."
    change = "camping or housing, or an end on the same day"
    return not_met(text, measure=measure, change=change, review=review, facts=facts)


def _runs_on(starts: datetime | date, ends: datetime | date) -> bool:
    """Return whether one of several stated days runs past its midnight."""
    return About(starts=starts, ends=ends).first_day != About(starts=starts, ends=ends).last_day


def _by_day(about: About, provided: bool | None, measure: str, rule: Rule) -> Outcome:  # noqa: FBT001  # an answer of the file
    """Answer for days that each end before midnight: apart from each other they do not extend; in a row they may be read to."""
    days = about.held_on
    facts: dict[str, object] = {"event.days": list(days), "site.camping": provided}
    if not any(later - day == timedelta(days=1) for day, later in pairwise(days)):
        return does_not_apply("no day of the event runs into another")
    if provided:
        return remind(f"Camping or housing is provided. {rule.text}", facts=facts)
    # LAW: Italy D(6): "from one day to another" is not defined; here everybody may go home between two days of the event.
    text = "The event is held on days in a row, and each ends before midnight: whether it extends “from one day to another” must be decided."
    return decide(text, *(("site.camping",) if provided is None else ()), measure=measure, facts=facts)


def _extends(rule: Rule, case: Case, first: date, last: date) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether the event goes on past the small hours of the next day, under the profile's reading."""
    ends = case.event.event.ends
    until = int(rule.number("small_hours_end"))
    # Midnight at the end of the last day is no small hour of it: that whole day is part of the event.
    in_small_hours = not isinstance(ends, datetime) or (ends.date() == last and ends.hour < until)
    only_small_hours = last - first == timedelta(days=1) and in_small_hours
    if not only_small_hours:
        return True, ()
    reading = case.profile.setting("overnight") if "overnight" in case.profile.settings else "decide"
    return {"extends": True, "does_not_extend": False}.get(str(reading)), ("reading:overnight",)


@answers("entry")
def entry(rule: Rule, case: Case) -> Outcome:
    """Ask for the leave to enter; an unanswered question is only a reminder."""
    leave = case.event.premises.entry_authorized
    if leave is None:
        return remind(rule.text)
    if leave:
        return met(
            "The owner, and the tenant if any, have let the Town enter to inspect and to clean.",
            facts={"premises.entry_authorized": True},
        )
    text = "The owner or the tenant has not let the Town enter to inspect and to clean."
    return not_met(text, change="their written authorization", facts={"premises.entry_authorized": False})


LIMITS = {
    "injury_each": "bodily injury or death, each",
    "injury_aggregate": "bodily injury or death, in all",
    "property": "property damage",
}


@answers("insurance")
def insurance(rule: Rule, case: Case) -> Outcome:
    """Hold the policy against the limits and the notice of cancellation that the rule asks."""
    policy = case.event.insurance
    days = int(rule.number("cancel_notice_days"))
    asked = [f"${rule.number(name):,.0f} {words}" for name, words in LIMITS.items() if name in rule.values]
    asked += [f"{days} days' prior written notice of cancellation to the Town"] if days else []
    facts: dict[str, object] = {f"insurance.{name}": getattr(policy, name) for name in LIMITS if name in rule.values}
    facts |= {"insurance.cancel_notice_days": policy.cancel_notice_days} if days else {}
    facts |= {"insurance.names_town": policy.names_town}
    failed = [
        f"${value:,.0f} for {words} is less than ${rule.number(name):,.0f}"
        for name, words in LIMITS.items()
        if name in rule.values and (value := getattr(policy, name)) is not None and value < rule.number(name)
    ]
    if policy.cancel_notice_days is not None and policy.cancel_notice_days < days:
        failed.append(f"it is cancellable on {policy.cancel_notice_days} days' notice, at least {days} are required")
    if policy.names_town is False:
        failed.append("it neither insures the Town nor names it as an insured")
    measure = f"at least {', '.join(asked)}" if asked else "the Town is insured, or named as an insured"
    if failed:
        return not_met(
            f"The policy falls short: {'; '.join(failed)}.", measure=measure, change="a policy that meets these", facts=facts
        )
    missing = [key for key, value in facts.items() if value is None]
    if missing:
        return decide(f"What the policy covers is not stated in full. {rule.text}", *missing, measure=measure, facts=facts)
    more = "" if set(LIMITS) & set(rule.values) else f" {rule.text}"
    return met(f"The policy meets what is asked: {measure}.{more}", measure=measure, facts=facts)


@answers("security_plan")
def security_plan(rule: Rule, case: Case) -> Outcome:
    """Ask for a security plan above a number of persons; its approval is the official's."""
    limit = int(rule.number("more_than_persons"))
    plan = case.event.site.security_plan
    more, unknown = attendance_over(case, limit)
    about = case.event.event
    facts: dict[str, object] = {
        "event.persons_at_once": about.persons_at_once,
        "event.persons_total": about.persons_total,
        "site.security_plan": plan,
    }
    measure = f"in excess of {limit} persons anticipated"
    if more is False:
        return does_not_apply(f"a security plan is asked in excess of {limit} persons; no more are anticipated")
    if plan:
        return met(
            f"A security plan is submitted; see that it is approved. {rule.text}",
            measure=measure,
            facts=facts,
        )
    if more is None or plan is None:
        missing = (*unknown, *(("site.security_plan",) if plan is None else ()))
        return decide(f"A security plan is needed {measure}.", *missing, measure=measure, facts=facts)
    text = f"More than {limit} persons are anticipated, and no security plan is submitted."
    return not_met(text, measure=measure, change=f"a security plan, or no more than {limit} persons", facts=facts)


@answers("other_property")
def other_property(rule: Rule, case: Case) -> Outcome:
    """Weigh violations and open conditions on other property of the applicant: a factor, never a bar."""
    found = case.event.applicant.other_property_violations
    if found is None:
        text = "Whether there are violations or open conditions on other property the applicant owns or leases is not stated."
        return decide(text, "applicant.other_property_violations")
    if not found:
        return met(
            "None on other property that the applicant owns or leases.", facts={"applicant.other_property_violations": False}
        )
    text = f"There are violations or open conditions on other property of the applicant: a factor that the officials weigh. {rule.text}"
    return decide(text, change="clearing them", facts={"applicant.other_property_violations": True})
