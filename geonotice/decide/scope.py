"""Whether a law reaches an event at all: the scope of its chapter, what its definitions make of it, and whether a permit is needed."""

import re

from msgspec import Struct

from geonotice.decide.case import (
    Case,
    Outcome,
    all_of,
    any_of,
    attendance_over,
    decide,
    does_not_apply,
    longer_than,
    remind,
    size_within,
)
from geonotice.decide.exemptions import exempt_events, exempt_place, exempt_sports
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule, Threshold

__all__ = [
    "NOT_SETTLED",
    "Reach",
    "charity_definition",
    "parade_by_definition",
    "reach",
    "threshold_outcome",
]


SPONSORS = {
    "private": "a private sponsor",
    "charity": "a charity",
    "town": "the Town",
    "municipality": "a municipality",
    "volunteer_fire_company": "a volunteer fire company",
    "fraternal_or_civic": "a fraternal or civic organization",
    "religious_corporation": "a religious corporation",
    "school": "a school",
}
"""The sponsors of the event file, as they are named in a sentence."""


class Reached(Struct, frozen=True, kw_only=True):
    """Whether one threshold reaches the event, why (or why not), and what is missing where it is not known."""

    value: bool | None
    why: str
    missing: tuple[str, ...] = ()
    review: tuple[str, ...] = ()


class Reach(Struct, frozen=True, kw_only=True):
    """How far the law reaches the event.

    Parameters
    ----------
    in_scope
        Whether the chapter applies.
    permit_required
        Whether a permit is needed: None where that is not known.
    exempt
        Whether one of the law's exemptions from the permit is made out; None where that is not known.
    why_no_permit
        Why none is needed, where none is.
    """

    in_scope: bool | None
    permit_required: bool | None
    exempt: bool | None
    why_no_permit: str
    why_out_of_scope: str
    has_permit_rule: bool
    thresholds: dict[str, Reached]
    exemptions: dict[str, Outcome]


NOT_SETTLED = "whether the event is exempt, or in the chapter's scope, is not settled"
"""Why a permit may be required or not, where the rules that settle it are open themselves: they say what to find out."""
EXEMPTING = {"exempt_events": exempt_events, "exempt_place": exempt_place, "exempt_sports": exempt_sports}
"""The checks that exempt an event from the permit, each with what answers it."""


def reach(case: Case) -> Reach:
    """Work out scope, exemption and need of a permit."""
    rules = case.profile.of_kind("threshold")
    reached = {rule.id: _reached(rule, case) for rule in rules}
    chapter = [reached[rule.id] for rule in rules if rule.threshold and rule.threshold.regulates == "chapter"]
    permit_rules = [rule for rule in rules if rule.threshold and rule.threshold.regulates == "permit"]
    in_scope = all_of(item.value for item in chapter)
    wanted = _any_permit(permit_rules, reached)
    exemptions = {
        rule.id: EXEMPTING[rule.check](rule, case) for rule in case.profile.of_kind("exemption") if rule.check in EXEMPTING
    }
    exempt = any_of({"met": True, "decide": None}.get(one.status, False) for one in exemptions.values())
    not_exempt = None if exempt is None else not exempt
    required = all_of((in_scope, wanted, not_exempt)) if permit_rules else (False if in_scope is False else None)
    out = next((item.why for item in chapter if item.value is False), "")
    below = next((reached[rule.id].why for rule in permit_rules if reached[rule.id].value is False), "")
    # The exemption's first sentence is the reason; what follows is a reminder.
    made_out = next((one.text.partition(". ")[0] for one in exemptions.values() if one.status == "met"), "")
    why = out or made_out or below
    return Reach(
        in_scope=in_scope,
        permit_required=required,
        exempt=exempt,
        why_no_permit=why if required is False else "",
        why_out_of_scope=out,
        has_permit_rule=bool(permit_rules),
        thresholds=reached,
        exemptions=exemptions,
    )


def threshold_outcome(rule: Rule, case: Case, found: Reach) -> Outcome:
    """Return the finding of a threshold itself: a reminder that the law applies, or that it is a question whether it does."""
    item = found.thresholds[rule.id]
    threshold = rule.threshold
    chapter = threshold is not None and threshold.regulates == "chapter"
    about = case.event.event
    facts: dict[str, object] = {
        f"event.{name}": value
        for name in ("kind", "sponsor", "persons_at_once", "persons_total", "persons_outdoors")
        if (value := getattr(about, name)) is not None
    }
    if item.value is False:
        return does_not_apply(item.why)
    if not chapter and found.in_scope is False:
        return does_not_apply(found.why_out_of_scope)
    if not chapter and found.exempt:
        return does_not_apply(found.why_no_permit)
    if chapter and item.value and found.permit_required is False:
        below = ("reading:below_permit",) if "below_permit" in case.profile.settings else ()
        text = f"Inside the chapter's scope, but no permit is needed: {found.why_no_permit}. {rule.text}"
        return remind(text, measure=_measure(threshold), review=(*item.review, *below), facts=facts)
    if item.value is None or (not chapter and found.permit_required is None):
        because = item.why if item.value is None else NOT_SETTLED
        made = decide(f"{because[:1].upper()}{because[1:]}.", *item.missing, review=item.review, could_forbid=False)
    else:
        made = remind(f"{rule.text} {item.why[:1].upper()}{item.why[1:]}.", review=item.review)
    return Outcome(
        status=made.status,
        text=made.text,
        facts=facts,
        measure=_measure(threshold),
        missing=made.missing,
        review=made.review,
        could_forbid=False,
    )


def _measure(threshold: Threshold | None) -> str:
    if threshold is None or threshold.more_than_persons is None:
        return ""
    where = " outside a fully enclosed structure" if threshold.outdoors_only else ""
    return f"more than {threshold.more_than_persons} persons{' at one time' if threshold.at_once else ''}{where}"


def _any_permit(rules: list[Rule], reached: dict[str, Reached]) -> bool | None:
    """Return whether any permit is wanted: where only the kind is unknown, a special event and a parade each need one."""
    kinds = {rule.threshold.events for rule in rules if rule.threshold and reached[rule.id].value is None}
    if kinds >= {"special_event", "parade"}:
        return True
    return any_of(reached[rule.id].value for rule in rules)


def _reached(rule: Rule, case: Case) -> Reached:
    threshold = rule.threshold
    if threshold is None:  # the schema does not let it happen
        return Reached(value=None, why="the profile does not say when it applies")
    parts = [
        _sort_of_event(threshold, case),
        _kind(threshold, case),
        _planned(threshold, case),
        _hours(rule, threshold, case),
        _for_gain(threshold, case),
        _sponsor(threshold, case),
    ]
    if threshold.more_than_persons is not None:
        parts.insert(0, _size(threshold, threshold.more_than_persons, case))
    for part in parts:
        if part.value is False:
            return part
    unknown = [part for part in parts if part.value is None]
    review = tuple(code for part in parts for code in part.review)
    if unknown:
        missing = tuple(dict.fromkeys(key for part in unknown for key in part.missing))
        return Reached(value=None, why="; ".join(part.why for part in unknown), missing=missing, review=review)
    return Reached(value=True, why="; ".join(part.why for part in parts if part.why) or "it applies", review=review)


def _sort_of_event(threshold: Threshold, case: Case) -> Reached:
    if threshold.events == "any":
        return Reached(value=True, why="")
    if case.is_parade is None:
        return Reached(value=None, why="what kind of event it is, is not stated", missing=("event.kind",))
    if threshold.events == "parade":
        return Reached(value=case.is_parade, why="it is a parade" if case.is_parade else "it is not a parade")
    return Reached(
        value=not case.is_parade,
        why="it is a parade, which has a permit of its own" if case.is_parade else "it is a special event",
    )


def _kind(threshold: Threshold, case: Case) -> Reached:
    kind = case.event.event.kind
    if not threshold.exempt_kinds:
        return Reached(value=True, why="")
    plurals = [f"{name.replace('_', ' ')}s" for name in threshold.exempt_kinds]
    names = " and ".join(part for part in (", ".join(plurals[:-1]), plurals[-1]) if part)
    if kind is None:
        return Reached(value=None, why=f"whether it is one of the exempt kinds ({names}) is not stated", missing=("event.kind",))
    if kind in threshold.exempt_kinds:
        return Reached(value=False, why=f"it is a {kind.replace('_', ' ')}, and {names} are exempted from the permit")
    return Reached(value=True, why="")


def _planned(threshold: Threshold, case: Case) -> Reached:
    planned = case.event.event.planned_in_advance
    if not threshold.planned_in_advance_only or planned:
        return Reached(value=True, why="")
    if planned is None:
        return Reached(value=None, why="whether it is planned in advance is not stated", missing=("event.planned_in_advance",))
    return Reached(value=False, why="it is not planned in advance")


def _hours(rule: Rule, threshold: Threshold, case: Case) -> Reached:
    """Return whether it goes on long enough: for the hours of the threshold, and for the sizes that the rule is meant for."""
    fits, why, missing = size_within(rule, case)
    if fits is False:
        return Reached(value=False, why=why)
    if fits is None:
        return Reached(value=None, why=f"whether {why.removeprefix('If ')} is not known", missing=missing)
    if threshold.more_than_hours is None:
        return Reached(value=True, why="")
    longer, asked = longer_than(threshold.more_than_hours, case)
    words = f"{threshold.more_than_hours:g} hours"
    if longer is None:
        return Reached(value=None, why=f"whether it goes on for longer than {words} is not known", missing=asked)
    return Reached(value=longer, why=f"it goes on for {'' if longer else 'no '}longer than {words}")


def _for_gain(threshold: Threshold, case: Case) -> Reached:
    """Return whether it is commercial, or admission is charged or a donation asked, where that is what makes it a matter for the law."""
    if not threshold.commercial_or_admission:
        return Reached(value=True, why="")
    about = case.event.event
    answers = {"event.admission_charged": about.admission_charged, "event.commercial": about.commercial}
    found = any_of(answers.values())
    if found is None:
        missing = tuple(key for key, value in answers.items() if value is None)
        return Reached(value=None, why="whether it is commercial, or admission is charged, is not stated", missing=missing)
    if found:
        paid = "admission is charged, or a donation asked" if about.admission_charged else "it is commercial"
        return Reached(value=True, why=paid)
    return Reached(value=False, why="it is not commercial, and nothing is charged or asked of those who take part")


def _size(threshold: Threshold, persons: int, case: Case) -> Reached:
    if threshold.outdoors_only:
        return _size_outdoors(persons, case)
    more, missing = attendance_over(case, persons, at_once=threshold.at_once)
    together = " at one time" if threshold.at_once else ""
    if more is None:
        return Reached(value=None, why=f"whether more than {persons} persons attend{together} is not stated", missing=missing)
    if more:
        return Reached(value=True, why=f"more than {persons} persons attend{together}")
    about = case.event.event
    counted = about.persons_at_once if threshold.at_once and about.persons_at_once is not None else about.persons_total
    return Reached(
        value=False, why=f"it is regulated from more than {persons} persons{together}; {counted} do not exceed {persons}"
    )


def _size_outdoors(persons: int, case: Case) -> Reached:  # noqa: PLR0911  # one answer for each thing the clause turns on
    # LAW: Italy, A: more than 500 outside a fully enclosed structure; "in the aggregate" is an open reading.
    about = case.event.event
    outdoors = about.persons_outdoors
    measure = f"more than {persons} persons outside a fully enclosed structure"
    if outdoors is not None and outdoors > persons:
        return Reached(value=True, why=f"{outdoors} persons outdoors are more than {persons}")
    if outdoors == 0:
        return Reached(value=False, why="everybody is inside a fully enclosed structure")
    more, missing = attendance_over(case, persons)
    if more is False:
        return Reached(
            value=False, why=f"a permit is needed for {measure}; {about.persons_total} in all are not more than {persons}"
        )
    if outdoors is None:
        return Reached(value=None, why=f"whether {measure} attend is not stated", missing=("event.persons_outdoors", *missing))
    reading = str(case.profile.setting("aggregate")) if "aggregate" in case.profile.settings else "outdoors_at_once"
    code = ("reading:aggregate",) if "aggregate" in case.profile.settings else ()
    if reading == "outdoors_at_once":
        return Reached(
            value=False, why=f"a permit is needed for {measure} at once; {outdoors} are not more than {persons}", review=code
        )
    if more is None:
        return Reached(value=None, why=f"whether more than {persons} attend in all is not stated", missing=missing, review=code)
    if reading == "all_persons":
        return Reached(value=True, why=f"more than {persons} attend in the aggregate, some of them outdoors", review=code)
    why = f"more than {persons} attend in all, of whom {outdoors} outdoors at once: whether that is more than {persons} “in the aggregate” must be decided"
    return Reached(value=None, why=why, review=code)


def _sponsor(threshold: Threshold, case: Case) -> Reached:  # noqa: PLR0911  # one answer for each thing the exemption turns on
    """Return whether the sponsor leaves the event within reach: exempt sponsors in direct control, with a local tie where one is asked."""
    about = case.event.event
    if about.sponsor is not None and about.sponsor in threshold.doubtful_sponsors:
        return _doubtful(threshold, about.sponsor, case)
    if not threshold.exempt_sponsors or about.sponsor not in (None, *threshold.exempt_sponsors):
        return Reached(value=True, why="")
    # LAW: Italy, preamble: "a volunteer fire company within a Town" beside "within the Town" of the others.
    strict = case.profile.reads("fire_company_of_another_town", "not_exempt") and about.sponsor == "volunteer_fire_company"
    tied = about.sponsor in threshold.local_tie or strict
    exempt = all_of((about.sponsor_in_control, about.sponsor_local if tied else True))
    if about.sponsor is None:
        if exempt is False:
            return Reached(value=True, why="whoever sponsors it does not organize and directly control it")
        return Reached(value=None, why="who sponsors it is not stated", missing=("event.sponsor",))
    name = SPONSORS[about.sponsor]
    if exempt is False:
        lacks = (
            "the event is not organized by and under the direct control of it"
            if about.sponsor_in_control is False
            else "it has no chapter, house of worship or company in the town"
        )
        return Reached(value=True, why=f"{name} sponsors it, but {lacks}")
    if exempt is None:
        asked = {}
        if about.sponsor_in_control is None:
            asked["event.sponsor_in_control"] = "whether the event is organized by and under the direct control of it"
        if tied and about.sponsor_local is None:
            asked["event.sponsor_local"] = "whether its chapter, house of worship or company is in the town"
        return Reached(value=None, why=f"{name} sponsors it; not said is {' and '.join(asked.values())}", missing=tuple(asked))
    foreign = about.sponsor == "volunteer_fire_company" and not tied and about.sponsor_local is not True
    review = ("fire_company_of_another_town", "reading:fire_company_of_another_town") if foreign else ()
    return Reached(
        value=False,
        why=f"it is organized by and under the direct control of {name}, which is outside the whole chapter",
        review=review,
    )


def _doubtful(threshold: Threshold, sponsor: str, case: Case) -> Reached:
    """Leave open whether a sponsor is one of the exempt; without its direct control that does not matter."""
    control = case.event.event.sponsor_in_control
    name = SPONSORS[sponsor]
    if control is False:
        return Reached(
            value=True, why=f"{name} sponsors it, but the event is not organized by and under the direct control of it"
        )
    why = threshold.doubt or "whether that is one of the exempt sponsors must be decided"
    asked = ("event.sponsor_in_control",) if control is None else ()
    return Reached(value=None, why=f"{name} sponsors it; {why}", missing=asked, review=("doubtful_sponsor",))


# ---- what a law's definitions make of an event that is entered as something else, and of who applies


@answers("charity_definition")
def charity_definition(rule: Rule, case: Case) -> Outcome:
    """Remind of what a charitable organization is, where one applies or is to benefit."""
    charitable, charity = case.event.applicant.charitable, case.event.benefit.charity
    if charitable is False and not charity:
        return does_not_apply("no charitable organization is named")
    return remind(rule.text, facts={"applicant.charitable": charitable, "benefit.charity": charity})


@answers("parade_by_definition")
def parade_by_definition(rule: Rule, case: Case) -> Outcome:
    """Ask whether an event that is entered as another kind is a parade by the law's definition: its title or a route says so."""
    about, kind = case.event.event, case.event.event.kind
    if case.is_parade:
        return does_not_apply("it is entered as a parade")
    if kind in rule.words("not_kinds"):
        return does_not_apply(f"it is entered as {kind.replace('_', ' ')}, which has a rule of its own" if kind else "")
    named = _word_in(about.title or "", rule.words("title_words"))
    routed = case.event.parade.route is not None
    facts: dict[str, object] = {"event.kind": kind, "event.title": about.title}
    change = "the kind parade, or a title that does not say so"
    if named or routed:
        why = f"its title says “{named}”" if named else "a route is stated"
        entered = f"It is entered as {kind.replace('_', ' ')}" if kind else "Its kind is not stated"
        text = f"{entered}, and {why}: by the definition it may be a parade, which has a permit and rules of its own. {rule.text}"
        return decide(text, change=change, facts=facts)
    if kind is None or kind in rule.words("kinds"):
        return remind(rule.text, facts=facts)
    return does_not_apply("nothing says that it is a walk, a run, a march or a race")


def _word_in(title: str, words: tuple[str, ...]) -> str:
    """Return the first of the words that stands in a title by itself, as the title has it; a number may lead it, as in 5-km or 10k."""
    for word in words:
        found = re.search(rf"(?<![^\W\d_])\d*[ -]?{re.escape(word)}(?!\w)", title, re.IGNORECASE)
        if found:
            return found.group().strip(" -")
    return ""
