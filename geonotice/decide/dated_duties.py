"""Dated duties before and after an event, and notice of a hearing held against its last day."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.application import Sign, Tent
from geonotice.decide.business_days_and_holidays import days_ahead, in_words, next_business_day
from geonotice.decide.case import Case, Outcome, decide, does_not_apply, met, not_met, remind
from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of
from geonotice.ordinance.checks import CHECKS, answers
from geonotice.ordinance.profile import Period, Rule

__all__ = [
    "PASSED",
    "TOO_LATE_UNLESS_GIVEN",
    "amendment",
    "appeal",
    "charity_proof",
    "dated_reminder",
    "notice_keys",
    "signs",
    "tents",
    "with_dates",
    "with_notice_given",
]


PASSED = " That day has passed."


def dated_reminder(rule: Rule, case: Case) -> Outcome:
    """Remind of a rule, with the dates of its periods where they can be computed."""
    said, facts, review = _dates(rule, case)
    return remind(" ".join([rule.text, *said]), facts=facts, review=review)


def with_dates(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Add to the answer of a check the dates of the rule's periods, where they are not what the check itself is about."""
    if outcome.status == "not_applicable" or CHECKS[rule.check].own_dates:
        return outcome
    said, facts, review = _dates(rule, case)
    return replace(
        outcome,
        text=" ".join([outcome.text, *said]),
        facts={**outcome.facts, **facts},
        review=tuple(dict.fromkeys((*outcome.review, *review))),
    )


def _dates(rule: Rule, case: Case) -> tuple[list[str], dict[str, object], tuple[str, ...]]:
    """Return the days of a rule's periods that can be computed, with their facts and the readings they rest on."""
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


@answers("charity_proof")
def charity_proof(rule: Rule, case: Case) -> Outcome:
    """Remind an applicant that is no charity of the proof of payment."""
    charitable = case.event.applicant.charitable
    if charitable:
        return does_not_apply("the applicant is a charitable organization")
    made = dated_reminder(rule, case)
    if charitable is None:
        return decide(
            f"Whether the applicant is a charitable organization is not stated. {made.text}",
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
    """Return whether the law carries the last day for taking down as far as this day."""
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


@answers("tents")
def tents(rule: Rule, case: Case) -> Outcome:
    """Hold tents and other temporary structures against the days before, after and in all."""
    site = case.event.site
    total = int(rule.number("total_days"))
    before, after = _period(rule, "up").days, _period(rule, "down").days
    measure = f"up no more than {before} days before, down within {after} days after, no more than {total} days in all"
    if site.tents is None:
        return decide(f"Which tents are put up, and when, is not stated. {rule.text}", "site.tents", measure=measure)
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
        text = f"The longer time has been authorized{beyond}."
        return Outcome(status="met", text=text, facts=facts, measure=measure, review=("authorized",))
    if broken:
        change = "other days, or a longer time authorized or waived by whom the clause names"
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
            text=f"When the tents stand is not stated in full. {rule.text}",
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
    """Return the days on which any tent stands, first and last counted."""
    found: set[date] = set()
    for item in items:
        if item.up and item.down:
            found |= {item.up + timedelta(days=n) for n in range((item.down - item.up).days + 1)}
    return found


@answers("signs")
def signs(rule: Rule, case: Case) -> Outcome:
    """Hold signs against the days before and after, and against the approval for county and state roads."""
    stated = case.event.site.signs
    before, after = _period(rule, "up").days, _period(rule, "down").days
    measure = (
        f"up no more than {before} days before, down within {after} days after; on county or state roads that agency's approval"
    )
    if stated is None:
        return decide(f"Which signs are put up, and when, is not stated. {rule.text}", "site.signs", measure=measure)
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


@answers("amendment")
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


@answers("appeal")
def appeal(rule: Rule, case: Case) -> Outcome:
    """Hold the filing of an appeal against the days from receipt; section 25-a carries the last one past a weekend or holiday."""
    denial = case.event.denial
    days = rule.periods[0].days
    measure = f"within {days} days from receipt of the denial or rescission"
    if denial.received is None:
        return decide(f"When the denial was received is not stated. {rule.text}", "denial.received", measure=measure)
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
        text = f"The last day to appeal was {in_words(last)}{carried}; whether an appeal was filed is not stated."
        return decide(text, "denial.appeal_filed", measure=measure, facts=facts)
    said = f"The appeal is filed on {in_words(denial.appeal_filed)}; the last day is {in_words(last)}{carried}."
    if denial.appeal_filed <= lawful:
        return met(said, measure=measure, facts=facts)
    return not_met(f"{said} It is too late.", measure=measure, change="nothing: the denial stands", facts=facts)


TOO_LATE_UNLESS_GIVEN = "notice_too_late_unless_given"
"""The review code of a notice whose last day has passed, where it is not stated that it was given."""

ACTS: Mapping[str, tuple[str, ...]] = {
    "publication": ("published",),
    "posting": ("posted",),
    "distance_notice": ("mailed",),
    "adjoining_notice": ("mailed",),
    "clerk_notice": ("mailed",),
}
"""What gives a notice of each kind, where the rule's value ``given`` does not name it: the keys of ``[notice_given]``."""

State = Literal["in_time", "late", "early", "not_given", "open"]


class _Act(Struct, frozen=True):
    """One act of a notice, the day of it, and how that stands to the law's days."""

    name: str
    day: date | None
    state: State
    text: str


def notice_keys(rule: Rule) -> tuple[str, ...]:
    """Return the keys of the event file that answer whether the notice of a rule was given; none for a rule that is no notice of a hearing."""
    acts = _acts(rule)
    if not acts:
        return ()
    hearing = () if rule.applies == "denial" else ("notice_given.hearing",)
    return (*hearing, *(f"notice_given.{act}" for act in acts))


def _acts(rule: Rule) -> tuple[str, ...]:
    """Return what gives the notice of a rule; nothing where the rule is no notice that must come before a hearing."""
    if not any(period.reckoned_from == "hearing" and period.direction == "before" for period in rule.periods):
        return ()
    acts = ACTS.get(rule.kind, ())
    return rule.words("given") if acts and "given" in rule.values else acts


def with_notice_given(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Turn the reminder of a notice into a check, where the event file says when the notice was given; ask where it does not.

    Parameters
    ----------
    outcome
        The reminder, or the question whether the notice is due at all.
    """
    acts = _acts(rule)
    if not acts or outcome.status not in ("remind", "decide"):
        return outcome
    stated = case.hearings_stated(rule)
    if len(stated) > 1:
        days = " and ".join(f"{in_words(day)} ({key})" for key, day in stated.items())
        text = f"The hearing is stated to be on {days}: find out which holds. {rule.text}"
        return replace(outcome, status="decide", text=text, missing=tuple(stated), could_forbid=True).with_review(
            "answers_conflict"
        )
    if not stated:
        # No appeal, no hearing on it: it is asked for once one is filed.
        asked = rule.applies != "denial" or case.event.denial.appeal_filed is not None
        keys = ("denial.hearing" if rule.applies == "denial" else "notice_given.hearing",)
        return replace(outcome, missing=(*outcome.missing, *keys)) if asked else outcome
    bounds = _bounds(rule, case)
    if "latest" not in bounds:
        return outcome
    return _judged(case, outcome, [_act(name, case, bounds) for name in acts], bounds["latest"])


def _bounds(rule: Rule, case: Case) -> dict[str, Deadline]:
    """Return the last day for a notice, and the first where the law has one: those of the rule's first period of each sort."""
    found: dict[str, Deadline] = {}
    for period in rule.periods:
        if period.reckoned_from != "hearing" or period.direction != "before":
            continue
        made = deadline_of(rule, period, case.dates_of(rule), appointed=appointed_days(case.profile))
        if made is not None:
            found.setdefault(period.bound, made)
    return found


def _act(name: str, case: Case, bounds: Mapping[str, Deadline]) -> _Act:
    """Hold one act against the days of the law."""
    given = case.event.notice_given
    answer = {"published": given.published, "posted": given.posted, "mailed": given.mailed}[name]
    last = bounds["latest"].last_day
    if answer is None:
        return _Act(name, None, "open", f"Whether it was {name} is not stated")
    if answer == ():
        return _Act(name, None, "not_given", f"It was not {name}")
    # What is published more than once is given by the first of them; the later ones only repeat it.
    day = min(answer) if isinstance(answer, tuple) else answer
    verb = "is to be" if day > case.on else "was"
    said = f"It {verb} {name} on {in_words(day)}"
    if day > last:
        over = (day - last).days
        return _Act(name, day, "late", f"{said}, {over} day{'' if over == 1 else 's'} too late")
    first = bounds.get("earliest")
    if first is not None and day < first.last_day:
        return _Act(name, day, "early", f"{said}, before the first day that the law allows, {in_words(first.last_day)}")
    return _Act(name, day, "in_time", f"{said}, in time")


def _judged(case: Case, outcome: Outcome, acts: list[_Act], latest: Deadline) -> Outcome:
    """Put the acts together: what is late breaks the rule, what is not answered is asked for."""
    past = case.on > latest.last_day
    facts = {**outcome.facts, **{f"notice_given.{act.name}": act.day for act in acts if act.state != "open"}}
    said = "; ".join([acts[0].text, *(f"{act.text[:1].lower()}{act.text[1:]}" for act in acts[1:])])
    broken = [act for act in acts if act.state in ("late", "early") or (act.state == "not_given" and past)]
    open_ = tuple(f"notice_given.{act.name}" for act in acts if act.state == "open")
    change = "a hearing on a later day, with the notice given in time for it"
    if outcome.status == "decide":
        # Whether the notice is due here at all is open: what was given is said, and changes nothing of that.
        shown = "" if len(open_) == len(acts) else f"{said}. "
        return replace(outcome, text=f"{shown}{outcome.text}", facts=facts, missing=(*outcome.missing, *open_))
    if broken:
        return replace(outcome, status="not_met", text=f"{said}. {outcome.text}", facts=facts, change=change, could_forbid=True)
    if open_ and past:
        text = f"{said}. Notice can no longer be given in time, unless it was given. {outcome.text}"
        made = replace(outcome, status="decide", text=text, facts=facts, change=change, missing=open_, could_forbid=True)
        return made.with_review(TOO_LATE_UNLESS_GIVEN)
    if all(act.state == "in_time" for act in acts):
        return replace(outcome, status="met", text=f"{said}. {outcome.text}".replace(PASSED, ""), facts=facts)
    shown = "" if len(open_) == len(acts) else f"{said}. "
    return replace(outcome, text=f"{shown}{outcome.text}", facts=facts, missing=open_)
