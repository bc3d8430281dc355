"""Sentences that several papers of a packet say alike: the occasion, the sources, the settings."""

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.model import Notice, Source
from geonotice.recipients import count_roles

__all__ = [
    "about_lines",
    "count",
    "counts_line",
    "occasion_line",
    "premises_with_situs",
    "required_line",
    "roll_state",
    "source_line",
]

_OCCASIONS = {"hearing": "public hearing", "filing": "filing of an application", "appeal": "hearing of an appeal"}
_REQUIRED = {
    "yes": "Notice is required.",
    "no": "Notice is not required here; the list is made all the same.",
    "decide": "Whether notice is required is for an official to decide.",
    "on_demand": "Notice is required if the town asks for it.",
}


def count(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> count(1, "parcel"), count(1200, "parcel"), count(0, "property", "properties")
    ('1 parcel', '1,200 parcels', '0 properties')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def premises_with_situs(notice: Notice) -> list[tuple[str, str]]:
    """Return each tax map number of the premises with its own address, which is empty where none is known."""
    unknown = [""] * (len(notice.premises) - len(notice.premises_situs))
    return list(zip(notice.premises, (*notice.premises_situs, *unknown), strict=False))


def occasion_line(notice: Notice) -> str:
    """Return what notice is given of, when, and of which property."""
    what = _OCCASIONS.get(notice.occasion, notice.occasion)
    when = f" on {calendar_day(notice.hearing)}" if notice.hearing else ""
    when += f", event on {calendar_day(notice.event)}" if notice.event else ""
    where = "; ".join(f"{number} ({situs})" if situs else number for number, situs in premises_with_situs(notice))
    return f"Notice of {what}{when}: {where}"


def required_line(notice: Notice) -> str:
    """Return whether the law asks for the notice."""
    return _REQUIRED[notice.required]


def counts_line(notice: Notice) -> str:
    """Return what a list comes to: the parcels on it, who is notified, the letters, and whom no letter reaches."""
    return "; ".join([count(len(notice.parcels), "parcel"), *(one.words for one in count_roles(notice.recipients))]) + "."


def roll_state(final: bool | None) -> str:  # noqa: FBT001  # a roll's own mark, not a setting
    """Return what an assessment roll is; None is not known."""
    return {True: "final", False: "tentative", None: "not known whether final"}[final]


def source_line(source: Source) -> str:
    """Return which file a layer came from and how old it is."""
    age = f"as of {calendar_day(source.as_of)}" if source.as_of else "date unknown"
    roll = ""
    if source.roll_year:
        roll = f", roll of {source.roll_year} ({roll_state(source.final)})"
    return f"{source.path}, {age}{roll}, {count(source.features, 'record')}, SHA-256 {source.sha256}"


def about_lines(notice: Notice) -> list[str]:
    """Return what the list is made of, one ``Heading: words`` a line."""
    ordinance = notice.ordinance
    force = f", in force {calendar_day(ordinance.effective)}" if ordinance.effective else ""
    lines = [
        f"Town: {notice.town}",
        f"Occasion: {occasion_line(notice)}",
        f"Required: {required_line(notice)}",
        f"Made on: {calendar_day(notice.on)}",
        f"Ordinance: {ordinance.id}{force}, profile SHA-256 {ordinance.sha256}",
    ]
    lines += [
        f"Rule {clause.rule}: {clause.citation}: "
        + (f"“{clause.words}”" if clause.words else "the law's own words are not in the profile")
        for clause in notice.clauses
    ]
    lines += [f"{source.layer.capitalize()}: {source_line(source)}" for source in notice.sources]
    lines += [f"Setting {name}: {value}" for name, value in sorted(notice.settings.items())]
    lines += [f"By hand: {override.id} {override.action}: {override.reason} ({override.who})" for override in notice.overrides]
    if notice.around:
        lines.append(f"Measured from a second place too: {notice.around.name}, SHA-256 {notice.around.sha256}")
    lines += [
        f"Corrected: {one.parcel} {one.field}: {one.value} ({one.by}, {calendar_day(one.on)}: {one.why})"
        for one in notice.corrections
    ]
    return [*lines, f"Program: geonotice {notice.version}"]
