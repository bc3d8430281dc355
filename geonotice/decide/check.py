"""An event against a law: every rule of the profile applied, shown as a reminder, or set aside with the reason."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.application import Event
from geonotice.config.questions import question
from geonotice.decide import (
    cap_checks,
    conditions,
    dated_duties,
    exemptions,
    gatherings,
    hours,
    prohibitions,
    scope,
    setbacks_and_capacity,
)
from geonotice.decide.cap_count import PastPermit, PropertyHistory
from geonotice.decide.case import Case, Outcome, PremisesFacts, does_not_apply, remind, size_within
from geonotice.decide.contradiction_tests import Stated
from geonotice.decide.contradictions import OUT_OF_REACH, Applied, agreed_reach, answer_warnings, contradictions, reconciled
from geonotice.decide.date_checks import calendar_warnings, dates_of_case, in_the_calendar
from geonotice.decide.dated_duties import with_notice_given
from geonotice.decide.deadlines import Deadline, Undated, dates_of, undated_of
from geonotice.decide.hours import suggested_night
from geonotice.decide.proposal import proposal_in_brief
from geonotice.decide.scope import Reach, reach, threshold_outcome
from geonotice.decide.source_dates import standing_warnings
from geonotice.errors import Fault, OrdinanceError
from geonotice.model import Finding, ResultWarning
from geonotice.ordinance.checks import CHECKS, answers_of_all
from geonotice.ordinance.profile import GROUPS, NOTICE_KINDS, Profile, Rule

__all__ = [
    "ANSWERS",
    "CheckResult",
    "NotApplicable",
    "check",
    "grouped",
    "remarks",
]


def remarks(case: Case, found: Reach, findings: Iterable[Finding]) -> tuple[ResultWarning, ...]:
    """Return the warnings of a check, in a fixed order."""
    return (
        *_on_the_profile(case, found),
        *_on_the_place(case),
        *_on_the_answers(case),
        *_on_readings(case, found, findings),
    )


def _on_the_profile(case: Case, found: Reach) -> Iterator[ResultWarning]:
    profile = case.profile
    yield from standing_warnings(profile)
    if not found.has_permit_rule:
        yield ResultWarning("no_permit_rule", "The profile does not say when a permit is needed: that must be decided.")
    if found.permit_required is not False:
        for rule in profile.rules:
            if rule.leaves_discretion:
                yield ResultWarning("discretionary", f"The permit stays discretionary: {rule.text} ({rule.citation.place})")
        # Those of a partial profile are said above, whatever the event.
        for gap in profile.gaps if profile.status == "complete" else ():
            yield ResultWarning("text_gap", gap)


def _on_the_place(case: Case) -> Iterator[ResultWarning]:
    facts = case.facts
    if facts.in_village:
        text = f"The premises lie in the {facts.in_village}: the town's chapter may not reach it; ask the village."
        yield ResultWarning("in_village", text)
    residential = sorted({item.code for item in facts.districts if item.district_class == "residential"})
    if len(residential) > 1:
        text = (
            f"The premises lie in two residential districts ({', '.join(residential)}): read as residential, not as split-zoned."
        )
        yield ResultWarning("two_residential", text)
    unknown = sorted({item.code for item in facts.districts if item.district_class == "undetermined"})
    if unknown:
        text = f"The profile does not class the district {', '.join(unknown)}: whether it is residential must be determined."
        yield ResultWarning("unknown_district", text)
    if facts.zone == "split":
        yield ResultWarning("split_zoned", "The premises are split-zoned: residential with something else.")


def _on_the_answers(case: Case) -> Iterator[ResultWarning]:
    about, site = case.event.event, case.event.site
    yield from answer_warnings(case.event, case.facts)
    yield from calendar_warnings(case.profile, dates_of_case(case), on=case.on)
    for name in site.waived:
        if not case.profile.has(name) or not case.profile.rule(name).waivable:
            yield ResultWarning(
                "waiver_ignored", f"{name} is stated as waived, but it cannot be waived; it is applied all the same."
            )
    asked = any("event.night" in CHECKS[rule.check].asks for rule in case.profile.rules if rule.check in CHECKS)
    if asked and about.night is None and case.facts.lon_lat is not None:
        longitude, latitude = case.facts.lon_lat
        if text := suggested_night(about, latitude, longitude):
            yield ResultWarning("night_suggested", text)


def _on_readings(case: Case, found: Reach, findings: Iterable[Finding]) -> Iterator[ResultWarning]:
    codes = [code for item in findings for code in item.review]
    codes += [code for item in found.thresholds.values() for code in item.review]
    if "fire_company_of_another_town" in codes:
        local = case.event.event.sponsor_local
        said = (
            "The fire company is not this town's" if local is False else "Whether the fire company is this town's is not stated"
        )
        text = f"{said}; a company “within a Town” is read as exempt."
        yield ResultWarning("fire_company_of_another_town", text)
    for code in dict.fromkeys(codes):
        name = code.removeprefix("reading:")
        if name != code and name in case.profile.settings:
            reading = case.profile.settings[name]
            value = str(reading.value).replace("_", " ")
            yield ResultWarning("reading", f"{reading.question} Read here as: {value}. {reading.why}")


Answer = Callable[[Rule, Case], Outcome]

ANSWERING = (cap_checks, conditions, dated_duties, exemptions, gatherings, hours, prohibitions, scope, setbacks_and_capacity)
"""The modules whose functions answer checks: importing one registers them."""

ANSWERS: Mapping[str, Answer] = answers_of_all()
"""The function that answers each check."""


class NotApplicable(Struct, frozen=True):
    """A rule that does not apply to this event, and why."""

    rule: str
    why: str


class CheckResult(Struct, frozen=True):
    """What a law makes of an event.

    Parameters
    ----------
    permit_required
        Whether a permit is needed; None where that is not known.
    allowed
        False when any prohibition, cap or condition precedent is not met; True when none is and nothing that could forbid is to be
        decided; None otherwise. True says that nothing counted, measured or answered here conflicts: the permit itself
        stays discretionary.
    findings
        Every rule that applies, in the profile's order.
    not_applicable
        The others, with the reason.
    missing
        The questions whose answers are missing, each with its key.
    warnings
        What the result could not see, and the readings it depends on.
    against
        The rules whose findings stand against the event: those not met that forbid it, and those to be decided that could.
    why_no_permit
        Why no permit is needed, where none is.
    parade
        Whether it is a parade, which goes along streets.
    proposed
        What the application proposes, in a line.
    on
        The date that is taken as today.
    dates
        The dates of the rules that apply, in the order of their last days.
    undated
        What cannot be dated yet, since the day that it is counted from is not stated.
    """

    permit_required: bool | None
    allowed: bool | None
    findings: tuple[Finding, ...]
    not_applicable: tuple[NotApplicable, ...]
    missing: tuple[str, ...]
    warnings: tuple[ResultWarning, ...]
    against: tuple[str, ...] = ()
    why_no_permit: str = ""
    parade: bool = False
    proposed: str = ""
    on: date | None = None
    dates: tuple[Deadline, ...] = ()
    undated: tuple[Undated, ...] = ()

    def finding(self, rule: str) -> Finding | None:
        """Return the finding of a rule; None where the rule does not apply."""
        return next((item for item in self.findings if item.rule == rule), None)


def check(
    profile: Profile,
    event: Event,
    facts: PremisesFacts,
    history: Sequence[PastPermit] = (),
    *,
    on: date,
    properties: Sequence[PropertyHistory] = (),
) -> CheckResult:
    """Apply every rule of a law to an event.

    Parameters
    ----------
    profile
        The law.
    event
        What the application states.
    facts
        What is known of the premises.
    history
        The permits of the property, of any year and status.
    on
        Is taken as today: the day on which a permit would be issued.
    properties
        For premises of several parcels: each with its own zone and history; takes the place of ``history`` for the caps.
    """
    case = Case(profile=profile, event=event, facts=facts, history=tuple(history), on=on, properties=tuple(properties))
    found, outcomes = _reconciled(case)
    findings: list[Finding] = []
    aside: list[NotApplicable] = []
    missing: list[str] = []
    forbids: list[bool | None] = []
    against: list[str] = []
    for rule, outcome in outcomes:
        if outcome.status == "not_applicable":
            aside.append(NotApplicable(rule.id, outcome.text))
            continue
        findings.append(_finding(rule, outcome))
        if outcome.status in ("decide", "remind"):
            missing += outcome.missing
        if rule.bars and outcome.status == "not_met":
            forbids.append(True)
            against.append(rule.id)
        elif rule.bars and outcome.status == "decide" and outcome.could_forbid:
            forbids.append(None)
            against.append(rule.id)
    return CheckResult(
        permit_required=found.permit_required,
        allowed=_allowed(forbids, found, profile),
        findings=tuple(findings),
        not_applicable=tuple(aside),
        missing=tuple(question(key) for key in dict.fromkeys(missing)),
        warnings=remarks(case, found, findings),
        against=tuple(against),
        why_no_permit=found.why_no_permit,
        parade=bool(case.is_parade),
        proposed=proposal_in_brief(event),
        on=on,
        dates=dates_of(profile, event, {item.rule for item in aside}),
        undated=undated_of(profile, event, {item.rule for item in findings}),
    )


def _applied(case: Case) -> Applied:
    """Apply every rule to the case as it is."""
    found = reach(case)
    return found, tuple((rule, _outcome(rule, case, found)) for rule in case.profile.every_rule)


def _reconciled(case: Case) -> Applied:
    """Apply every rule, and once more for each way to resolve a contradiction between the answers: what differs is left open."""
    stated, outcomes = _applied(case)
    conflicts = contradictions(Stated(case.event, case.facts))
    # As it stands is one way of each: a contradiction that only names checks has no other.
    ways = [(one, _applied(replace(case, event=way.event, facts=way.facts))) for one in conflicts for way in one.readings]
    ways += [(one, (stated, outcomes)) for one in conflicts if one.checks]
    found = agreed_reach(stated, [way[0] for _, way in ways])
    return found, tuple(
        (rule, reconciled(rule, outcome, [(one, way[1][n][1]) for one, way in ways]))
        for n, (rule, outcome) in enumerate(outcomes)
    )


def grouped(result: CheckResult) -> Mapping[str, tuple[Finding, ...]]:
    """Return the findings by group, under the groups' questions, in the order of reading; empty groups are left out."""
    found = {title: tuple(item for item in result.findings if item.group == key) for key, title in GROUPS.items()}
    return {title: items for title, items in found.items() if items}


def _allowed(forbids: list[bool | None], found: Reach, profile: Profile) -> bool | None:
    if True in forbids:
        return False
    if None in forbids:
        return None
    # A partial profile does not hold every rule: that nothing in it conflicts does not say that nothing does.
    if profile.status == "partial" and found.permit_required is not False:
        return None
    return True


UNVERIFIED = "unverified"
"""The review code of a finding of a rule that nobody has read against the text it comes from."""


def _finding(rule: Rule, outcome: Outcome) -> Finding:
    if not rule.verified:
        text = f"{outcome.text} Not verified: read in {rule.source or 'a copy'}; a person must confirm it."
        outcome = replace(outcome, text=text).with_review(UNVERIFIED)
    return Finding(
        rule=rule.id,
        status=outcome.status,  # type: ignore[arg-type]  # not_applicable was set aside before
        citation=str(rule.citation),
        text=outcome.text,
        facts=outcome.facts,
        review=outcome.review,
        measure=outcome.measure,
        change=outcome.change,
        group=rule.group,
        # A summary may show no more than the title.
        title=rule.title if rule.verified else f"{rule.title} (not verified)",
        section=rule.section,
    )


def _outcome(rule: Rule, case: Case, found: Reach) -> Outcome:  # noqa: PLR0911  # one answer for each thing that sets a rule aside or opens it
    """Apply one rule; where it is not known whether it applies at all, a refusal becomes a question."""
    if rule.kind == "threshold":
        return threshold_outcome(rule, case, found)
    if rule.id in found.exemptions:
        return _out_of_scope(found) or _sentence(found.exemptions[rule.id])
    applies, why = _applies(rule, case, found)
    fits, opening, asked = size_within(rule, case)
    if applies is False or fits is False:
        return does_not_apply(why if applies is False else opening).with_review(OUT_OF_REACH)
    if fits is None and (known := _of_unknown_size(rule, case, opening)) is not None:
        return known
    outcome = _apply(rule, case)
    if fits is None:
        outcome = _if_of_size(outcome, opening, asked)
    if applies or outcome.status == "not_applicable":
        return _with_other_reading(rule, case, outcome)
    text = f"{why}: {outcome.text}"
    if outcome.status == "not_met":
        return replace(outcome, status="decide", text=text)
    # Whether the duty is there at all is asked first.
    return replace(outcome, text=text, missing=()) if outcome.status == "remind" else outcome


def _of_unknown_size(rule: Rule, case: Case, opening: str) -> Outcome | None:
    """Name another authority's permit, and ask nothing, where no number of persons is stated: nothing says that the event is so large."""
    about = case.event.event
    stated = any(number is not None for number in (about.persons_at_once, about.persons_total, about.persons_outdoors))
    if stated or rule.check not in CHECKS or not CHECKS[rule.check].of_another_authority:
        return None
    return (
        remind(f"{opening}: {rule.text}") if rule.group == "permit" else does_not_apply("how many persons attend is not stated")
    )


def _if_of_size(outcome: Outcome, opening: str, asked: tuple[str, ...]) -> Outcome:
    """Leave open what turns on the size of the event, and ask for it: what is met or set aside whatever the size stays so."""
    if outcome.status in ("met", "not_applicable"):
        return outcome
    missing = tuple(dict.fromkeys((*outcome.missing, *asked)))
    could_forbid = outcome.status in ("not_met", "decide") and outcome.could_forbid
    open_ = asked or outcome.status == "not_met"
    return replace(
        outcome,
        status="decide" if open_ else outcome.status,
        text=f"{opening}: {outcome.text}",
        missing=missing,
        could_forbid=could_forbid,
    )


def _apply(rule: Rule, case: Case) -> Outcome:
    return in_the_calendar(rule, case, _by_itself(rule, case))


def _by_itself(rule: Rule, case: Case) -> Outcome:
    if rule.check:
        return conditions.waivable(rule, case, dated_duties.with_dates(rule, case, _answer_of(rule)(rule, case)))
    if rule.kind in NOTICE_KINDS:
        return with_notice_given(rule, case, setbacks_and_capacity.notice_reminder(rule, case))
    if rule.kind == "posting":
        return with_notice_given(rule, case, setbacks_and_capacity.posting_reminder(rule, case))
    if rule.kind == "publication":
        return with_notice_given(rule, case, dated_duties.dated_reminder(rule, case) if rule.periods else remind(rule.text))
    return conditions.waivable(rule, case, dated_duties.dated_reminder(rule, case) if rule.periods else remind(rule.text))


def _answer_of(rule: Rule) -> Answer:
    """Return the function that answers the check of a rule; a profile that another version of the program kept may name one it lacks."""
    answer = ANSWERS.get(rule.check)
    if answer is None:
        what = f"the rule {rule.id} names the check {rule.check!r}, which this version of geonotice does not know: it would go unanswered"
        remedy = "use the version that the town was imported with, or correct the profile and import the layers again"
        raise OrdinanceError(Fault(what=what, remedy=remedy, key=f"rules[{rule.id}].check"))
    return answer


def _out_of_scope(found: Reach) -> Outcome | None:
    return does_not_apply(found.why_out_of_scope) if found.in_scope is False else None


def _sentence(outcome: Outcome) -> Outcome:
    if outcome.status == "not_applicable" or not outcome.text:
        return outcome
    return replace(outcome, text=f"{outcome.text[:1].upper()}{outcome.text[1:]}.".replace("..", "."))


def _applies(rule: Rule, case: Case, found: Reach) -> tuple[bool | None, str]:
    """Return whether a rule applies, and why not; None with an opening such as *If a permit is needed*."""
    match rule.applies:
        case "always":
            return True, ""
        case "chapter":
            return found.in_scope, found.why_out_of_scope or "If the chapter applies"
        case "exempt":
            return found.exempt, "the event is not exempt" if found.exempt is False else "If the event is exempt"
        case "denial" if not case.event.denial.stated:
            return False, "no denial or rescission is stated"
        case _:
            return _applies_with_permit(rule, case, found)


def _applies_with_permit(rule: Rule, case: Case, found: Reach) -> tuple[bool | None, str]:
    # LAW: whether the prohibitions of 283-6A reach an exempt event is an open reading; by default they do not.
    exempt_too = (
        rule.kind == "prohibition" and found.exempt is not False and case.profile.reads("prohibitions_reach_exempt", "yes")
    )
    if found.permit_required is False and not exempt_too:
        return False, f"no permit is needed: {found.why_no_permit}"
    tests = [_owner_within(rule, case), _sort_within(rule, case)]
    if not exempt_too:
        tests.append((found.permit_required, "" if found.permit_required else "If a permit is needed"))
    refused = [test for test in tests if test[0] is False]
    return next(iter(refused), None) or next((test for test in tests if test[0] is None), (True, ""))


def _owner_within(rule: Rule, case: Case) -> tuple[bool | None, str]:
    """Return whether the owner leaves a prohibition within reach, under the profile's reading of "this section"."""
    if rule.kind != "prohibition" or not case.profile.reads("exempt_owners_reach", "whole_section"):
        return True, ""
    free = cap_checks.owner_free(case)
    if free is None:
        return None, "If the owner is not exempt from the whole section"
    return not free, "the owner is read to be exempt from the whole section"


def _sort_within(rule: Rule, case: Case) -> tuple[bool | None, str]:
    """Return whether a rule on special events, or one on parades, is meant for this sort of event."""
    if rule.applies not in ("special_event", "parade"):
        return True, ""
    wants_parade = rule.applies == "parade"
    if case.is_parade is None:
        return None, "If it is a parade" if wants_parade else "If it is a special event"
    return case.is_parade is wants_parade, "it is not a parade" if wants_parade else "it is a parade, not a special event"


def _with_other_reading(rule: Rule, case: Case, outcome: Outcome) -> Outcome:
    """Name the other reading of "this section" where a prohibition bars an exempt owner."""
    free = cap_checks.owner_free(case)
    if rule.kind != "prohibition" or outcome.status not in ("not_met", "decide") or not free:
        return outcome
    if "exempt_owners_reach" not in case.profile.settings:
        return outcome
    text = f"{outcome.text} The owner is exempt from the caps; read as all of the section, the exemption would reach this prohibition too."
    return replace(outcome, text=text).with_review("other_reading", "reading:exempt_owners_reach")
