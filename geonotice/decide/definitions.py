"""What a law's definitions make of an event that is entered as something else, and what they say of who applies."""

import re

from geonotice.decide.facts import Case, Outcome, decide, does_not_apply, remind
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import Rule

__all__ = ["charity_definition", "parade_by_definition"]


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
