"""Dated duties before and after an event: tents, signs, amendments, appeals, and the reminders of what is still to come."""

from dataclasses import replace
from datetime import date, timedelta

from geonotice.decide.days import days_ahead, in_words, next_business_day
from geonotice.decide.deadlines import appointed_days, deadline_of
from geonotice.decide.facts import Case, Outcome, decide, does_not_apply, met, not_met, remind
from geonotice.event import Sign, Tent
from geonotice.ordinance.profile import Period, Rule
from geonotice.ordinance.vocabulary import CHECK_PERIODS

__all__ = ["PASSED", "amendment", "appeal", "charity_proof", "dated_reminder", "signs", "tents", "with_dates"]

PASSED = " That day has passed."

DATED_BY_ITSELF = frozenset({*CHECK_PERIODS, "charity_proof", "exempt_events"})
"""The checks whose answer has the dates of their rule in it already."""


def dated_reminder(rule: Rule, case: Case) -> Outcome:
    """Remind of a rule, with the dates of its periods where they can be reckoned."""
    said, facts, review = _dates(rule, case)
    return remind(" ".join([rule.text, *said]), facts=facts, review=review)


def with_dates(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Add to the answer of a check the dates of the rule's periods, where they are not what the check itself is about."""
    if outcome.status == "not_applicable" or rule.check in DATED_BY_ITSELF:
        return outcome
    said, facts, review = _dates(rule, case)
    return replace(
        outcome,
        text=" ".join([outcome.text, *said]),
        facts={**outcome.facts, **facts},
        review=tuple(dict.fromkeys((*outcome.review, *review))),
    )


def _dates(rule: Rule, case: Case) -> tuple[list[str], dict[str, object], tuple[str, ...]]:
    """Say the days of a rule's periods that can be reckoned, with their facts and the readings they rest on."""
    appointed = appointed_days(case.profile)
    said, facts, review = list[str](), dict[str, object](), list[str]()
    for period in rule.periods:
        found = deadline_of(rule, period, case.dates_of(rule), appointed=appointed)
        if found is None:
            continue
        facts[f"last_day_{period.key}".rstrip("_")] = found.last_day
        first = "Not before" if period.bound == "earliest" else "Last day"
        passed = PASSED if period.bound == "latest" and max(found.last_day, found.suggested) < case.on else ""
        said.append(
            f"{first} to {found.what}: {found.day_in_words}.{passed}"
            if not found.what.startswith("the ")
            else f"{first}: {found.what} by {found.day_in_words}.{passed}"
        )
        # LAW: the day of the hearing is not counted (General Construction Law section 20); see the profile's readings.
        review += ["reading:day_of_hearing"] if period.reckoned_from == "hearing" and period.days > 1 else []
        review += ["reading:business_day"] if period.unit == "business_days" else []
        review += ["reading:weekend_deadline"] if found.suggested != found.last_day else []
    return said, facts, tuple(dict.fromkeys(review))


def charity_proof(rule: Rule, case: Case) -> Outcome:
    """Remind an applicant that is no charity of the proof of payment."""
    charitable = case.event.applicant.charitable
    if charitable:
        return does_not_apply("the applicant is a charitable organization")
    made = dated_reminder(rule, case)
    if charitable is None:
        return decide(
            f"Whether the applicant is a charitable organization is not said. {made.text}",
            "applicant.charitable",
            could_forbid=False,
        )
    return made


def _period(rule: Rule, key: str) -> Period:
    return next(period for period in rule.periods if period.key == key)


def _standing(
    rule: Rule, case: Case, items: tuple[Tent | Sign, ...], *, noun: str, where: str
) -> tuple[list[str], list[str], dict[str, object]]:
    """Hold the days on which things go up and come down against the rule: what is broken, what is missing, the facts."""
    first, last = case.event.event.first_day, case.event.event.last_day
    before, after = _period(rule, "up").days, _period(rule, "down").days
    broken: list[str] = []
    missing: list[str] = []
    facts: dict[str, object] = {
        "event.starts": first,
        "event.ends": last,
        where: [{"up": item.up, "down": item.down} for item in items],
    }
    for n, item in enumerate(items):
        if item.up is None:
            missing.append(f"{where}[{n}].up")
        elif first is None:
            missing.append("event.starts")
        elif (first - item.up).days > before:
            broken.append(f"{noun} go up {(first - item.up).days} days before; no more than {before} are allowed")
        if item.down is None:
            missing.append(f"{where}[{n}].down")
            continue
        # An event that has no stated end lasts at least its first day: what is down in time after that is in time.
        if last is None and first is not None and (item.down - first).days <= after:
            continue
        if last is None:
            missing.append("event.ends")
        elif (item.down - last).days > after and not _carried_to(rule, case, last, item.down):
            broken.append(f"{noun} come down {(item.down - last).days} days after; within {after} days is required")
    return list(dict.fromkeys(broken)), list(dict.fromkeys(missing)), facts


def _carried_to(rule: Rule, case: Case, last: date, down: date) -> bool:
    """Say whether the law carries the last day for taking down as far as this day."""
    period = _period(rule, "down")
    return period.carried and down <= next_business_day(
        last + timedelta(days=period.days), appointed=appointed_days(case.profile)
    )


def _weekend(rule: Rule, case: Case, items: tuple[Tent | Sign, ...]) -> tuple[str, ...]:
    """Name the reading where something comes down late that section 25-a would carry, were it read to reach how long things stand."""
    period, last = _period(rule, "down"), case.event.event.last_day
    if period.carried or last is None or "standing_past_weekend" not in case.profile.settings:
        return ()
    by = last + timedelta(days=period.days)
    lawful = next_business_day(by, appointed=appointed_days(case.profile))
    return ("reading:standing_past_weekend",) if any(item.down and by < item.down <= lawful for item in items) else ()


def tents(rule: Rule, case: Case) -> Outcome:
    """Hold tents and other temporary structures against the days before, after and in all."""
    site = case.event.site
    total = int(rule.number("total_days"))
    before, after = _period(rule, "up").days, _period(rule, "down").days
    measure = f"up no more than {before} days before, down within {after} days after, no more than {total} days in all"
    if site.tents is None:
        return decide(f"Which tents are put up, and when, is not said. {rule.text}", "site.tents", measure=measure)
    if not site.tents:
        return does_not_apply("no tents or other temporary structures are put up")
    broken, missing, facts = _standing(rule, case, site.tents, noun="tents", where="site.tents")
    days = _days_up(site.tents)
    facts["days_in_all"] = len(days)
    if len(days) > total:
        broken.append(f"they stand {len(days)} days in all; no more than {total} are allowed")
    if site.tents_authorized:
        facts["site.tents_authorized"] = True
        beyond = f" ({'; '.join(broken)})" if broken else ""
        text = f"The Chief Fire Marshal has authorized the longer time{beyond}."
        return Outcome(status="met", text=text, facts=facts, measure=measure, review=("authorized",))
    if broken:
        change = "other days, an authorization of the Chief Fire Marshal, or for an event of regional significance a waiver of the Town Board"
        return Outcome(
            status="not_met",
            text=f"{'; '.join(broken).capitalize()}.",
            facts=facts,
            measure=measure,
            change=change,
            review=_weekend(rule, case, site.tents),
        )
    if missing:
        return Outcome(
            status="decide",
            text=f"When the tents stand is not said in full. {rule.text}",
            facts=facts,
            measure=measure,
            missing=tuple(missing),
        )
    return Outcome(
        status="met",
        text=f"The tents keep to the days: {measure}. They are used for the event only.",
        facts=facts,
        measure=measure,
    )


def _days_up(items: tuple[Tent, ...]) -> set[date]:
    """Give the days on which any tent stands, first and last counted."""
    found: set[date] = set()
    for item in items:
        if item.up and item.down:
            found |= {item.up + timedelta(days=n) for n in range((item.down - item.up).days + 1)}
    return found


def signs(rule: Rule, case: Case) -> Outcome:
    """Hold signs against the days before and after, and against the approval for county and state roads."""
    stated = case.event.site.signs
    before, after = _period(rule, "up").days, _period(rule, "down").days
    measure = (
        f"up no more than {before} days before, down within {after} days after; on county or state roads that agency's approval"
    )
    if stated is None:
        return decide(f"Which signs are put up, and when, is not said. {rule.text}", "site.signs", measure=measure)
    if not stated:
        return does_not_apply("no signs are put up")
    broken, missing, facts = _standing(rule, case, stated, noun="signs", where="site.signs")
    facts["site.signs"] = [
        {
            "up": item.up,
            "down": item.down,
            "on_county_or_state_road": item.on_county_or_state_road,
            "agency_approval": item.agency_approval,
        }
        for item in stated
    ]
    for n, item in enumerate(stated):
        if item.agency_approval or item.on_county_or_state_road is False:
            continue
        if item.on_county_or_state_road and item.agency_approval is False:
            broken.append("a sign on a county or state road lacks that agency's approval")
        else:
            missing += [] if item.on_county_or_state_road else [f"site.signs[{n}].on_county_or_state_road"]
            missing += [f"site.signs[{n}].agency_approval"] if item.agency_approval is None else []
    broken, missing = list(dict.fromkeys(broken)), list(dict.fromkeys(missing))
    if broken:
        change = "other days, or the agency's approval"
        return Outcome(
            status="not_met",
            text=f"{'; '.join(broken).capitalize()}.",
            facts=facts,
            measure=measure,
            change=change,
            review=_weekend(rule, case, stated),
        )
    if missing:
        return Outcome(
            status="decide", text=f"Not said in full. {rule.text}", facts=facts, measure=measure, missing=tuple(missing)
        )
    text = "The signs keep to the days, and those on county or state roads are approved. The officials approve them; none may obstruct visibility or endanger traffic."
    return Outcome(status="met", text=text, facts=facts, measure=measure)


def amendment(rule: Rule, case: Case) -> Outcome:
    """Hold the filing of a change against the days before; without a change it is a reminder."""
    change = case.event.amendment
    if change is None:
        return dated_reminder(rule, case)
    days = rule.periods[0].days
    first = case.event.event.first_day
    measure = f"at least {days} days before the event"
    if change.filed is None or first is None:
        missing = [key for key, value in (("amendment.filed", change.filed), ("event.starts", first)) if value is None]
        return decide(f"When the change was filed is not known. {rule.text}", *missing, measure=measure)
    ahead = (first - change.filed).days
    facts: dict[str, object] = {"amendment.filed": change.filed, "event.starts": first, "days_before": ahead}
    text = f"The change is filed {days_ahead(ahead, 'the event begins')}; at least {days} days before are required."
    if ahead >= days:
        return met(text, measure=measure, facts=facts)
    return not_met(text, measure=measure, change="the event as permitted", facts=facts)


def appeal(rule: Rule, case: Case) -> Outcome:
    """Hold the filing of an appeal against the days from receipt; section 25-a carries the last one past a weekend or holiday."""
    denial = case.event.denial
    days = rule.periods[0].days
    measure = f"within {days} days from receipt of the denial or rescission"
    if denial.received is None:
        return decide(f"When the denial was received is not said. {rule.text}", "denial.received", measure=measure)
    last = denial.received + timedelta(days=days)
    lawful = next_business_day(last, appointed=appointed_days(case.profile))
    carried = f" (carried to {in_words(lawful)} by General Construction Law § 25-a)" if lawful != last else ""
    facts: dict[str, object] = {
        "denial.received": denial.received,
        "denial.appeal_filed": denial.appeal_filed,
        "last_day": last,
    }
    if denial.appeal_filed is None:
        if case.on <= lawful:
            return remind(f"{rule.text} Last day: {in_words(last)}{carried}.", measure=measure, facts=facts)
        text = f"The last day to appeal was {in_words(last)}{carried}; whether an appeal was filed is not said."
        return decide(text, "denial.appeal_filed", measure=measure, facts=facts)
    said = f"The appeal is filed on {in_words(denial.appeal_filed)}; the last day is {in_words(last)}{carried}."
    if denial.appeal_filed <= lawful:
        return met(said, measure=measure, facts=facts)
    return not_met(f"{said} It is too late.", measure=measure, change="nothing: the denial stands", facts=facts)
