"""What an application proposes, as a person reads it: the event, its days and hours, who applies, how many come."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from geonotice.config.application import About, Event, day_of
from geonotice.decide.business_days_and_holidays import in_words

__all__ = ["NOT_STATED", "proposal", "proposal_in_brief", "session_lines", "when"]

NOT_STATED = "not stated"

_SPONSORS = {
    "town": "this Town",
    "municipality": "another municipality, or a subdivision of one",
    "fraternal_or_civic": "a fraternal or civic organization",
    "volunteer_fire_company": "a volunteer fire company",
    "religious_corporation": "a religious corporation",
    "school": "a school",
    "charity": "a charity",
    "private": "private",
}


def proposal(event: Event) -> tuple[tuple[str, str], ...]:
    """Return what is proposed, name and value of each; what matters for a decision and is not stated says so."""
    about, applicant = event.event, event.applicant
    kind = (about.kind or "").replace("_", " ")
    rows = [
        ("Event", ", ".join(part for part in (about.title, kind) if part) or NOT_STATED),
        ("Days and hours", "\n".join(when(about)) or NOT_STATED),
        ("Applicant", _applicant(event)),
        ("Sponsor", _sponsor(about)),
        *([("For the benefit of", event.benefit.charity)] if event.benefit.charity else []),
        ("Contact", about.contact or NOT_STATED),
        *([("Agent in the county", applicant.agent_in_county or "none")] if applicant.agent_in_county is not None else []),
        ("Attendance", _attendance(about)),
        ("Filed", in_words(about.filed) if about.filed else NOT_STATED),
        ("Found complete", in_words(about.complete) if about.complete else NOT_STATED),
        *([("Public hearing", in_words(event.notice_given.hearing))] if event.notice_given.hearing else []),
    ]
    if about.distinct_events and about.distinct_events > 1:
        rows.insert(1, ("Distinct events", f"{about.distinct_events}"))
    return tuple(rows)


def proposal_in_brief(event: Event) -> str:
    """Return what is proposed in a line."""
    about = event.event
    days = when(about)
    at_once = f"{about.persons_at_once:,} persons at once" if about.persons_at_once is not None else ""
    total = f"{about.persons_total:,} in all" if about.persons_total is not None else ""
    persons = ", ".join(part for part in (at_once, total) if part) or "number of persons not stated"
    more = f" and {len(days) - 1} more days" if len(days) > 1 else ""
    return (
        f"{about.title or 'Event without a title'}: {f'{days[0]}{more}' if days else 'days not stated'};"
        f" {persons}; applicant: {(event.applicant.name or NOT_STATED).removesuffix('.')}."
    )


def when(about: About) -> tuple[str, ...]:
    """Return the days with their hours: a line for each day that is stated, or one for a span."""
    if about.sessions:
        return session_lines(about.sessions)
    if about.starts is None:
        return ()
    return (f"{_moment(about.starts)}; when it ends is not stated",)


def session_lines(sessions: Iterable[tuple[datetime | date, datetime | date]]) -> tuple[str, ...]:
    """Return each session as a person reads it.

    Examples
    --------
    >>> session_lines([(datetime(2026, 7, 18, 14), datetime(2026, 7, 19, 1)), (datetime(2026, 7, 25, 14), date(2026, 7, 25))])[1]
    'Saturday, July 25, 2026, 2 p.m.; when it ends is not stated'
    """
    return tuple(_session(starts, ends) for starts, ends in sessions)


def _session(starts: datetime | date, ends: datetime | date) -> str:
    """Return one session: on one day with its hours, into the night, or over several days."""
    first, last = day_of(starts), day_of(ends)
    if first == last and isinstance(starts, datetime) is not isinstance(ends, datetime):
        until = f"{in_words(last)}, to {_clock(ends.time())}" if isinstance(ends, datetime) and last else ""
        return until or f"{_moment(starts)}; when it ends is not stated"
    if not isinstance(starts, datetime) or not isinstance(ends, datetime):
        return _moment(starts) if starts == ends else f"{_moment(starts)} to {_moment(ends)}"
    if first == last:
        return f"{_moment(starts)} to {_clock(ends.time())}"
    if ends - starts < timedelta(days=1):
        # Past midnight it is the same night to those who come, and another day to the law.
        to = "midnight" if ends.time() == time.min else f"{_clock(ends.time())} on {ends:%A}, {ends:%B} {ends.day}"
        return f"{_moment(starts)} to {to}"
    return f"{_moment(starts)} to {_moment(ends)}"


def _moment(when_: datetime | date) -> str:
    day = day_of(when_) or date.min
    return f"{in_words(day)}, {_clock(when_.time())}" if isinstance(when_, datetime) else f"{in_words(day)}, hours not stated"


def _clock(hour: time) -> str:
    """Write an hour as it is spoken.

    Examples
    --------
    >>> _clock(time(14, 30)), _clock(time(0)), _clock(time(12))
    ('2:30 p.m.', '12 midnight', '12 noon')
    """
    if hour == time(12):
        return "12 noon"
    if hour == time.min:
        return "12 midnight"
    minutes = f":{hour.minute:02d}" if hour.minute else ""
    return f"{hour.hour % 12 or 12}{minutes} {'a.m.' if hour.hour < 12 else 'p.m.'}"  # noqa: PLR2004  # noon


def _applicant(event: Event) -> str:
    applicant = event.applicant
    owner = {True: "owner of the property", False: "not the owner of the property", None: ""}[applicant.is_owner]
    lives = {True: "resides in the Town", False: "does not reside in the Town", None: ""}[applicant.resident_of_town]
    kind = {True: "charitable organization", False: "", None: ""}[applicant.charitable]
    organized = applicant.organization or ""
    return "; ".join(part for part in (applicant.name or NOT_STATED, kind or organized, owner, lives) if part)


def _sponsor(about: About) -> str:
    if about.sponsor is None:
        return NOT_STATED
    local = {True: ", of this town", False: ", not of this town", None: ""}[about.sponsor_local]
    return f"{_SPONSORS.get(about.sponsor, about.sponsor)}{local}"


def _attendance(about: About) -> str:
    stated = (
        (about.persons_at_once, "at one time"),
        (about.persons_total, "in all"),
        (about.persons_outdoors, "outdoors at one time"),
    )
    return ", ".join(f"{NOT_STATED if number is None else f'{number:,}'} {words}" for number, words in stated)
