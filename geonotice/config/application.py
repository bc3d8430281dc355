"""What an application states about an event: the one model of the application file, ``event.toml``.

None means *unknown*: it becomes a question. ``False``, ``0`` and an empty list are answers. Dates and times are local. Money is in
dollars. The annotations have the limits of each value; :mod:`geonotice.config.read_application` checks a file against them with pydantic,
which is slow to import. What is made in code is not checked.
"""

from dataclasses import field, fields, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from geonotice.config.constraints import NOT_IN_FILE, After, Before, Entries, FileTable, Limit, Table, only_known_keys
from geonotice.model import LIKELY_DAYS

__all__ = [
    "EVENT_KINDS",
    "SPONSORS",
    "About",
    "Amendment",
    "Applicant",
    "Benefit",
    "Denial",
    "Event",
    "EventDay",
    "Expressive",
    "Insurance",
    "NoticeGiven",
    "Parade",
    "Premises",
    "Sign",
    "Site",
    "Tent",
    "YardSale",
    "day_of",
]

Kind = Literal[
    "assembly", "sports", "circus", "carnival", "festival", "music_festival", "religious", "picnic", "party", "sale",
    "farmers_market", "wedding", "funeral", "auction", "family", "student", "expressive", "yard_sale", "parade", "other",
]  # fmt: skip
Sponsor = Literal[
    "private",
    "charity",
    "town",
    "municipality",
    "volunteer_fire_company",
    "fraternal_or_civic",
    "religious_corporation",
    "school",
]
EVENT_KINDS: tuple[str, ...] = get_args(Kind)
SPONSORS: tuple[str, ...] = get_args(Sponsor)
WeddingOf = Literal["owner", "owner_family", "tenant", "other"]
OwnedBy = Literal["private", "municipality", "educational", "museum", "emergency_medical", "fire", "nonprofit_civic_or_similar"]
Organization = Literal["individual", "corporation", "charity", "municipality", "other"]
SaleOwner = Literal["private", "municipality", "charity_or_nonprofit"]
Light = Literal["search", "strobe", "laser", "revolving", "ordinary"]


def _not_a_yes(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is meant, not yes or no")  # noqa: TRY004  # pydantic turns a ValueError into a fault
    return value


def _moment(value: object) -> object:
    """Keep a date without a time apart from midnight; refuse a time zone."""
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value) if len(value) == len("2026-07-04") else datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("a date and time is meant, such as 2026-08-08T14:00:00") from None
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise ValueError("dates and times are local: leave the time zone out")
    if not isinstance(value, (date, datetime)):
        raise ValueError("a date and time is meant, such as 2026-08-08T14:00:00")  # noqa: TRY004  # as above
    return value


def _clock(value: object) -> object:
    """Read 9:00 as 09:00; refuse a number, which would be taken for seconds since midnight at Greenwich."""
    if isinstance(value, int | float):
        raise ValueError("a time of day is meant, such as 09:00")  # noqa: TRY004  # as above
    if isinstance(value, str) and len(value) == len("9:00") and value[1] == ":":
        return f"0{value}"
    return value


def _closing(value: object) -> object:
    """Read 24:00 as midnight at the end of the day, as many write it."""
    return "00:00" if value in ("24:00", "24:00:00") else _clock(value)


def _local(value: time) -> time:
    """Refuse a time zone: hours with one and hours without cannot be compared."""
    if value.tzinfo is not None:
        raise ValueError("dates and times are local: leave the time zone out")
    return value


def _likely(value: date) -> date:
    """Refuse a year that is a slip of the pen: no date of the law can be counted from it."""
    if not LIKELY_DAYS[0].year <= value.year <= LIKELY_DAYS[1].year:
        raise ValueError(f"{value.year} is no likely year; dates from {LIKELY_DAYS[0].year} to {LIKELY_DAYS[1].year} are read")
    return value


def _listed(value: object) -> object:
    """Take one day for a list of one."""
    return [value] if isinstance(value, date | str) else value


def _none_if_null(value: object) -> object:
    """Take null, which only JSON has, for an empty list."""
    return [] if value is None else value


Count = Annotated[int, Limit(ge=0, le=10_000_000), Before(_not_a_yes)]
"""A count; one beyond is a slip of the pen, as in the permit register."""
AtLeastOne = Annotated[int, Limit(ge=1), Before(_not_a_yes)]
Amount = Annotated[float, Limit(ge=0), Before(_not_a_yes)]
Moment = Annotated[datetime | date, Before(_moment), After(_likely)]
Day = Annotated[date, After(_likely)]
Clock = Annotated[time, Before(_clock), After(_local)]
Closing = Annotated[time, Before(_closing), After(_local)]
Yes = Annotated[bool, Limit(strict=True)]
Text = Annotated[str, Limit(strict=True, max_length=2000)]
"""A line or a paragraph of an application; a longer one is the application itself, and would fill the staff report."""


class EventDay(FileTable, kw_only=True):
    """One of ``[event] days``: the day, and its hours (``from`` and ``to`` in the file), which are None where they are not stated.

    A closing that is not later than the opening is in the night that follows; midnight closes the day itself.
    """

    __pydantic_config__ = only_known_keys({"opens": "from", "closes": "to"})

    on: Day
    opens: Clock | None = None
    closes: Closing | None = None

    @property
    def starts(self) -> datetime | date:
        """When it begins; a plain day where the hour is not stated."""
        return self.on if self.opens is None else datetime.combine(self.on, self.opens)

    @property
    def ends(self) -> datetime | date:
        """When it ends; a plain day where the hour is not stated."""
        if self.closes is None:
            return self.on
        next_day = self.closes == time.min or (self.opens is not None and self.closes <= self.opens)
        return datetime.combine(self.on + timedelta(days=1) if next_day else self.on, self.closes)


class About(FileTable, kw_only=True):
    """The table ``[event]``.

    ``starts`` and ``ends`` are plain dates where no time was given. Where ``days`` are stated instead, ``starts`` is the beginning of the
    first and ``ends`` the end of the last of them; the days between need not all be days of the event.
    """

    __pydantic_config__ = only_known_keys()

    title: Text | None = None
    kind: Kind | None = None
    sponsor: Sponsor | None = None
    sponsor_local: Yes | None = None
    sponsor_in_control: Yes | None = None
    planned_in_advance: Yes | None = None
    starts: Moment | None = None
    ends: Moment | None = None
    night: Yes | None = None
    persons_at_once: Count | None = None
    persons_total: Count | None = None
    persons_outdoors: Count | None = None
    distinct_events: AtLeastOne | None = None
    filed: Day | None = None
    complete: Day | None = None
    wedding_of: WeddingOf | None = None
    tenant_lease_months: Amount | None = None
    regular_sporting_event: Yes | None = None
    admission_charged: Yes | None = None
    commercial: Yes | None = None
    contact: Text | None = None
    days: Annotated[tuple[EventDay, ...], Entries(at_least=1, at_most=366)] | None = None

    @property
    def first_day(self) -> date | None:
        """The day on which it begins."""
        return day_of(self.starts)

    @property
    def last_day(self) -> date | None:
        """The day on which it ends: midnight at the end of a day is that day, not the next."""
        return _last_day(self.starts, self.ends)

    @property
    def sessions(self) -> tuple[tuple[datetime | date, datetime | date], ...]:
        """When it begins and ends, once for each day that is stated by itself; none where either is not stated."""
        if self.days:
            return tuple((day.starts, day.ends) for day in self.days)
        return ((self.starts, self.ends),) if self.starts and self.ends else ()

    @property
    def held_on(self) -> tuple[date, ...]:
        """Every day on which it is held, in order; none where that is not known. The small hours of a night are the next day."""
        spans = [(day_of(starts), _last_day(starts, ends)) for starts, ends in self.sessions]
        found = {
            first + timedelta(days=n)
            for first, last in spans
            if first is not None and last is not None
            for n in range((last - first).days + 1)
        }
        return tuple(sorted(found))


def _in_order(about: About) -> About:
    """Refuse an end before the beginning; where days are stated, the first of them begins the event and the last ends it."""
    starts, ends = about.starts, about.ends
    if about.days is not None:
        if starts is not None or ends is not None:
            raise ValueError("days are stated instead of starts and ends, not beside them: keep days, or keep starts and ends")
        # In a file they may stand in any order.
        days = tuple(sorted(about.days, key=lambda day: (day.on, day.opens or time.min)))
        _refuse_overlap(days)
        # Without an hour the last day may end later than any hour that is stated for it.
        return replace(about, starts=days[0].starts, ends=days[-1].ends, days=days)
    if starts is None or ends is None:
        return about
    both_timed = isinstance(starts, datetime) and isinstance(ends, datetime)
    first = starts if both_timed or not isinstance(starts, datetime) else starts.date()
    last = ends if both_timed or not isinstance(ends, datetime) else ends.date()
    if last < first:
        if isinstance(ends, datetime) and ends.time() == time.min and ends.date() == day_of(starts):
            raise ValueError(
                "the event ends before it starts: midnight at the end of a day is 00:00 of the next, "
                f"{(ends + timedelta(days=1)).isoformat()}"
            )
        raise ValueError("the event ends before it starts")
    return about


def _refuse_overlap(days: tuple[EventDay, ...]) -> None:
    """Refuse a day that is stated twice, but for two sessions of one day that do not overlap."""
    for one, other in pairwise(days):
        ends, starts = one.ends, other.starts
        timed = isinstance(ends, datetime) and isinstance(starts, datetime)
        if (ends > starts) if timed else (one.on == other.on):
            raise ValueError(f"two of the days overlap: {one.on.isoformat()} and {other.on.isoformat()}")


class Premises(FileTable, kw_only=True):
    """The table ``[premises]``."""

    __pydantic_config__ = only_known_keys()

    parcels: tuple[Text, ...] | None = None
    layout: Text | None = None
    municipal_building_or_grounds: Yes | None = None
    outstanding_violations: Yes | None = None
    unsatisfied_conditions: Yes | None = None
    certificates_of_occupancy: Yes | None = None
    lawful_tenancy: Yes | None = None
    entry_authorized: Yes | None = None
    owned_entirely_by: OwnedBy | None = None


class Applicant(FileTable, kw_only=True):
    """The table ``[applicant]``."""

    __pydantic_config__ = only_known_keys()

    name: Text | None = None
    organization: Organization | None = None
    charitable: Yes | None = None
    resident_of_town: Yes | None = None
    agent_in_county: Text | None = None
    is_owner: Yes | None = None
    owner_consent: Yes | None = None
    other_property_violations: Yes | None = None


class Benefit(FileTable, kw_only=True):
    """The table ``[benefit]``; ``stated`` is whether the file answers anything in it (then a charity left out means that there is none).

    What an option of the command line adds does not make it stated.
    """

    __pydantic_config__ = only_known_keys()

    charity: Text | None = None
    charity_local: Yes | None = None
    substantial_donation: Yes | None = None
    primarily_benefits_applicant: Yes | None = None
    private_profit: Yes | None = None
    advertises_goods: Yes | None = None
    outdoor_sale_of_goods: Yes | None = None
    sale_premises_owner: SaleOwner | None = None
    support_agreement: Yes | None = None
    stated: bool = field(default=False, metadata=NOT_IN_FILE)


class Tent(FileTable, kw_only=True):
    """A tent or other temporary structure: the days on which it goes up and is down."""

    __pydantic_config__ = only_known_keys()

    up: Day | None = None
    down: Day | None = None


class Sign(FileTable, kw_only=True):
    """A sign for the event."""

    __pydantic_config__ = only_known_keys()

    up: Day | None = None
    down: Day | None = None
    on_county_or_state_road: Yes | None = None
    agency_approval: Yes | None = None


def _up_then_down(standing: Tent | Sign) -> Tent | Sign:
    if standing.up and standing.down and standing.down < standing.up:
        raise ValueError("it comes down before it goes up")
    return standing


class Site(FileTable, kw_only=True):
    """The table ``[site]``."""

    __pydantic_config__ = only_known_keys()

    parking_spaces: Count | None = None
    vehicles_at_once: Count | None = None
    access_roads: Count | None = None
    camping: Yes | None = None
    rides: Yes | None = None
    lights: tuple[Light, ...] | None = None
    sound: Yes | None = None
    food: Yes | None = None
    alcohol: Yes | None = None
    fireworks: Yes | None = None
    animals: Yes | None = None
    tents: tuple[Annotated[Tent, After(_up_then_down)], ...] | None = None
    signs: tuple[Annotated[Sign, After(_up_then_down)], ...] | None = None
    security_plan: Yes | None = None
    waived: Annotated[tuple[Text, ...], Before(_none_if_null)] = ()
    tents_authorized: Yes | None = None


class Insurance(FileTable, kw_only=True):
    """The table ``[insurance]``: limits in dollars, notice of cancellation in days."""

    __pydantic_config__ = only_known_keys()

    injury_each: Amount | None = None
    injury_aggregate: Amount | None = None
    property: Amount | None = None
    cancel_notice_days: Count | None = None
    names_town: Yes | None = None


class YardSale(FileTable, kw_only=True):
    """The table ``[yard_sale]``: every day of the sale, and the hours it opens and closes."""

    __pydantic_config__ = only_known_keys()

    days: tuple[Day, ...] | None = None
    hours: Annotated[tuple[Clock, Clock], Entries(at_least=2, at_most=2)] | None = None
    own_goods_only: Yes | None = None
    on_dwelling_lot: Yes | None = None


def _opens_then_closes(sale: YardSale) -> YardSale:
    if sale.hours and sale.hours[1] < sale.hours[0]:
        raise ValueError("hours are the opening hour, then the closing hour")
    return sale


class Expressive(FileTable, kw_only=True):
    """The table ``[expressive]``."""

    __pydantic_config__ = only_known_keys()

    notice_given: Moment | None = None


class Parade(FileTable, kw_only=True):
    """The table ``[parade]``."""

    __pydantic_config__ = only_known_keys()

    route: Text | None = None
    closes_highway: Yes | None = None


class Amendment(FileTable, kw_only=True):
    """The table ``[amendment]``: a change of an event for which a permit was issued."""

    __pydantic_config__ = only_known_keys()

    filed: Day | None = None


class Denial(FileTable, kw_only=True):
    """The table ``[denial]``; ``stated`` is whether the file answers anything in it."""

    __pydantic_config__ = only_known_keys()

    received: Day | None = None
    appeal_filed: Day | None = None
    hearing: Day | None = None
    stated: bool = field(default=False, metadata=NOT_IN_FILE)


class NoticeGiven(FileTable, kw_only=True):
    """The table ``[notice_given]``: when the application's hearing is, and on which days notice was published, posted and mailed.

    An empty ``published`` is an answer: it was not published. The hearing on an appeal stays in ``[denial]``.
    """

    __pydantic_config__ = only_known_keys()

    published: Annotated[tuple[Day, ...], Before(_listed)] | None = None
    posted: Day | None = None
    mailed: Day | None = None
    hearing: Day | None = None


def _none_if_empty(amendment: Amendment | None) -> Amendment | None:
    return amendment if amendment is not None and _answers(amendment) else None


def _whether_stated(table: Benefit | Denial) -> Benefit | Denial:
    return replace(table, stated=_answers(table))


def _answers(table: Any) -> bool:  # noqa: ANN401  # any of the dataclasses here
    """Return whether a table answers anything: an empty one, as in a fresh template, states nothing."""
    return any(getattr(table, item.name) is not None for item in fields(table) if not item.metadata)


class Event(FileTable, kw_only=True):
    """All that an application states. Everything may be left out."""

    __pydantic_config__ = only_known_keys()

    event: Annotated[About, After(_in_order)] = field(default_factory=About)
    premises: Premises = field(default_factory=Premises)
    applicant: Applicant = field(default_factory=Applicant)
    benefit: Annotated[Benefit, Table(_whether_stated)] = field(default_factory=Benefit)
    site: Site = field(default_factory=Site)
    insurance: Insurance = field(default_factory=Insurance)
    yard_sale: Annotated[YardSale, After(_opens_then_closes)] = field(default_factory=YardSale)
    expressive: Expressive = field(default_factory=Expressive)
    parade: Parade = field(default_factory=Parade)
    amendment: Annotated[Amendment | None, After(_none_if_empty)] = None
    denial: Annotated[Denial, Table(_whether_stated)] = field(default_factory=Denial)
    notice_given: NoticeGiven = field(default_factory=NoticeGiven)


def day_of(moment: datetime | date | None) -> date | None:
    """Return the calendar day of a moment."""
    return moment.date() if isinstance(moment, datetime) else moment


def _last_day(starts: datetime | date | None, ends: datetime | date | None) -> date | None:
    """Return the day on which something ends: midnight at the end of a day is that day, unless it begins at that very midnight."""
    last, first = day_of(ends), day_of(starts)
    if isinstance(ends, datetime) and ends.time() == time.min and last is not None and (first is None or first < last):
        return last - timedelta(days=1)
    return last
