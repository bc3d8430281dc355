"""What is worth a second look in a profile that is sound: it can be meant, and it may be a slip."""

from collections.abc import Iterator
from difflib import get_close_matches

from geonotice.ordinance.profile import Profile, Rule
from geonotice.ordinance.words import READINGS

__all__ = ["profile_notes"]

CHECKED_KINDS = ("condition", "prohibition", "exemption", "cap")
"""The kinds that decide something by their check, and nothing without one."""

REFUSING = frozenset(
    {
        "access", "acreage", "advertise", "agent", "amendment", "appeal", "camping", "certificates", "charity_benefit", "entry", "filed_before", "hours",
        "insurance",
        "lights", "outdoor_sale", "owner_consent", "parking", "profit", "rides", "security_plan", "signs", "tents", "violations",
    }
)  # fmt: skip
"""The checks that can say no."""

PRINTED = frozenset({"parking_sq_ft_per_car", "appointed_days"})
"""Settings that change an answer and take any value of their sort."""


def profile_notes(profile: Profile) -> tuple[str, ...]:
    """Give the notes on a profile, in the order of its file; empty where there is nothing to look at."""
    return (*_on_the_head(profile), *(note for rule in profile.rules for note in _on_a_rule(rule)), *_on_the_districts(profile))


def _on_the_head(profile: Profile) -> Iterator[str]:
    if profile.status == "partial":
        yield 'status is "partial": every result says that it holds some rules of the law only.'
    if not profile.verified:
        yield "verified is not true: every result says that nobody read it against the text."
    if bare := profile.without_words:
        yield f"without the law's own words, which every result says: {', '.join(bare)}."
    told = {rule.occasion for rule in profile.rules}
    for name in profile.occasions:
        if name not in told:
            yield f"no rule gives notice on the occasion {name!r}."
    for name, reading in profile.settings.items():
        near = get_close_matches(name, [*READINGS, *PRINTED], n=1, cutoff=0.8)
        if name not in READINGS and name not in PRINTED and (near or len(reading.choices) > 1):
            yield f"the setting {name} is shown and changes no answer.{f' Is {near[0]} meant?' if near else ''}"


def _on_a_rule(rule: Rule) -> Iterator[str]:
    if rule.kind in CHECKED_KINDS and not rule.check:
        yield f"{rule.id} is a {rule.kind} without a check: it is shown as a reminder, and nothing is decided."
    if rule.values and not rule.check:
        yield f"{rule.id} has values and no check that uses them: they are shown only."
    if rule.kind == "reminder" and rule.check in REFUSING:
        yield f"{rule.id} is called a reminder, and its check {rule.check} refuses all the same."


def _on_the_districts(profile: Profile) -> Iterator[str]:
    zoned = [
        rule.id for rule in profile.rules if rule.kind == "cap" or rule.check == "rides" or (rule.notice and rule.notice.only_in)
    ]
    if zoned and not profile.districts:
        yield f"there is no [[districts]] table, so {', '.join(zoned)} always leave the district to be determined."
