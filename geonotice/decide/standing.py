"""What a profile is worth: whether it holds the whole law, was read against it, and has its words. Said with every result that rests on it."""

from collections.abc import Iterator

from geonotice.model import Caution
from geonotice.ordinance.profile import Profile

__all__ = ["standing_cautions"]


def standing_cautions(profile: Profile) -> Iterator[Caution]:
    """Say of a profile what it lacks; nothing of one that is complete and was checked against the text of its law.

    ``note`` and, for a partial profile, ``gaps`` are part of it: what a law's text does not hold matters to a list as well.
    """
    if profile.status == "partial":
        text = f"The profile of {profile.town} is partial: it holds some rules of its law only ({profile.source})."
        yield Caution("partial_profile", text)
    if not profile.verified:
        yield Caution("unverified_profile", f"The profile of {profile.town} was not checked against the text of its law.")
    if bare := profile.without_words:
        none = len(bare) == len(profile.rules)
        which = "None of its rules has the law's own words." if none else f"Without the law's own words: {', '.join(bare)}."
        text = f"{which} They are told in plain words only, to be read against the section cited."
        yield Caution("no_clause_words", text)
    if profile.note:
        yield Caution("profile_note", profile.note)
    if profile.status == "partial":
        for gap in profile.gaps:
            yield Caution("text_gap", gap)
