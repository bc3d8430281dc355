"""Notice of a hearing: the days on which it was published, posted and mailed, held against the last day on which the law lets it be given.

A reminder becomes a check once ``[notice_given]`` answers it. LAW: General Construction Law section 20 leaves the day of the hearing out of
the count; what must be done before a date is never moved later.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from geonotice.decide.days import in_words
from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of
from geonotice.decide.facts import Case, Outcome
from geonotice.decide.timing import PASSED
from geonotice.ordinance.profile import Rule

__all__ = ["TOO_LATE_UNLESS_GIVEN", "notice_keys", "with_notice_given"]

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


@dataclass(frozen=True, slots=True)
class _Act:
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
