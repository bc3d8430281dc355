"""Whether the roll and the layers are recent enough to make a list from, and whether the profile is verified."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.model import ResultWarning, Source
from geonotice.ordinance.profile import Profile

__all__ = [
    "latest_first_of_july",
    "standing_warnings",
    "vintage_warnings",
]


def standing_warnings(profile: Profile) -> Iterator[ResultWarning]:
    """Return what a profile lacks; nothing of one that is complete and was checked against the text of its law.

    ``note`` and, for a partial profile, ``gaps`` are part of it: what a law's text does not hold matters to a list as well.
    """
    if profile.status == "partial":
        text = f"The profile of {profile.town} is partial: it holds some rules of its law only ({profile.source})."
        yield ResultWarning("partial_profile", text)
    if not profile.verified:
        yield ResultWarning("unverified_profile", f"The profile of {profile.town} was not checked against the text of its law.")
    if bare := profile.without_words:
        none = len(bare) == len(profile.rules)
        which = "None of its rules has the law's own words." if none else f"Without the law's own words: {', '.join(bare)}."
        text = f"{which} They are stated in plain words only, to be read against the section cited."
        yield ResultWarning("no_clause_words", text)
    if profile.note:
        yield ResultWarning("profile_note", profile.note)
    if profile.status == "partial":
        for gap in profile.gaps:
            yield ResultWarning("text_gap", gap)


def latest_first_of_july(on: date) -> date:
    """Return the latest 1 July on or before a day: about when New York's towns file their final rolls (Real Property Tax Law 516).

    Examples
    --------
    >>> latest_first_of_july(date(2026, 6, 30)), latest_first_of_july(date(2026, 7, 1))
    (datetime.date(2025, 7, 1), datetime.date(2026, 7, 1))
    """
    this_year = date(on.year, 7, 1)
    return this_year if on >= this_year else date(on.year - 1, 7, 1)


def vintage_warnings(sources: Sequence[Source], roll_years: Iterable[int | None], *, on: date) -> tuple[ResultWarning, ...]:
    """Return what is old, tentative or undated among the sources of a list.

    Parameters
    ----------
    sources
        The files the list was made from; those with owners are ``parcels…`` and ``roll…``.
    roll_years
        The roll years that the listed parcels and owners carry themselves; None where they carry none.
    on
        The date that is taken as today.
    """
    july = latest_first_of_july(on)
    made: list[ResultWarning] = []
    undated = [source.path for source in sources if source.as_of is None]
    if undated:
        made.append(
            ResultWarning(
                "date_unknown",
                f"The town file does not say as of which date these sources stand: {', '.join(undated)}. The list cannot say how old they are.",
            )
        )
    old = [
        f"{source.path} ({source.as_of})"
        for source in sources
        if source.as_of is not None and source.as_of < july and _has_owners(source)
    ]
    if old:
        made.append(
            ResultWarning(
                "source_old",
                f"These sources are older than {calendar_day(july)}, since when a newer final roll should be on file: {', '.join(old)}.",
            )
        )
    years = {year for year in roll_years if year is not None}
    stated = [source for source in sources if _has_owners(source)]
    years |= {source.roll_year for source in stated if source.roll_year is not None}
    if not years:
        made.append(
            ResultWarning(
                "roll_year_unknown",
                "Neither the sources nor the town file say which year's assessment roll the owners are taken from.",
            )
        )
    elif min(years) < july.year:
        named = ", ".join(str(year) for year in sorted(years) if year < july.year)
        made.append(
            ResultWarning(
                "roll_old",
                f"Owners are taken from the assessment roll of {named}; the final roll of {july.year} should have been on file since about {calendar_day(july)}.",
            )
        )
    if any(source.final is False for source in stated):
        made.append(ResultWarning("roll_tentative", "The roll is a tentative one: owners may change before it is final."))
    elif all(source.final is None for source in stated):
        made.append(
            ResultWarning(
                "roll_final_unknown", "The town file does not say whether the roll is the final one (final = true or false)."
            )
        )
    return tuple(made)


def _has_owners(source: Source) -> bool:
    return source.layer.startswith(("parcels", "roll"))
