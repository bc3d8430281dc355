"""What goes into the annual caps and what comes out: permits of the past, a request, an ordinance's numbers, a finding."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

__all__ = [
    "EXEMPT_OWNERS",
    "KNOWN_OWNERS",
    "UNCOUNTED_KINDS",
    "CapFinding",
    "CapRequest",
    "CapRules",
    "CapStatus",
    "NextDate",
    "OtherReading",
    "ParcelCap",
    "PastPermit",
    "PermitStatus",
    "PropertyHistory",
    "YearOf",
    "Zone",
]

Zone = Literal["residential", "other", "split", "undetermined"]
CapStatus = Literal["met", "not_met", "decide"]
PermitStatus = Literal["issued", "rescinded", "void"]
YearOf = Literal["issued", "starts"]

EXEMPT_OWNERS = frozenset({"educational", "museum", "emergency_medical", "fire", "nonprofit_civic_or_similar"})
"""Owners that 283-6 (end) names. Municipal, religious and other charitable owners are not among them."""

KNOWN_OWNERS = EXEMPT_OWNERS | {"private", "municipality"}

UNCOUNTED_KINDS = frozenset({"parade", "yard_sale"})
"""Kinds of record that are no special event permit: a parade has a permit of its own (283-2A(2)), a yard sale needs none (283-2A(3)(h))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapRules:
    """The numbers and the readings of one ordinance's caps; the defaults are Southampton's, 283-6B.

    Parameters
    ----------
    residential, residential_charity
        Permits a year in a residential district, and how many more a charity may have that the event primarily benefits; None where
        the ordinance has no clause of its own for these districts.
    other, other_night
        Events a year elsewhere and on split-zoned parcels, and how many of them at night; None where there is no such limit.
    residential_year, other_year
        Which date of a permit says the year it counts in. The text leaves it open: B(1) counts permits issued, B(2) events.
    exempt_owners
        Kinds of owner whose property has no cap.
    residential_rule, other_rule, exempt_rule
        Ids of the rules in the profile.
    residential_citation, charity_citation, other_citation, exempt_citation
        Where they stand in the code.
    """

    residential: int | None = 2
    residential_charity: int = 1
    other: int | None = 3
    other_night: int | None = 1
    residential_year: YearOf = "issued"
    other_year: YearOf = "starts"
    exempt_owners: frozenset[str] = EXEMPT_OWNERS
    residential_rule: str = "sh.cap_residential"
    other_rule: str = "sh.cap_other"
    exempt_rule: str = "sh.cap_exempt"
    residential_citation: str = "283-6B(1)(a)"
    charity_citation: str = "283-6B(1)(b)"
    other_citation: str = "283-6B(2)"
    exempt_citation: str = "283-6 (end)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPermit:
    """One permit of the history, as far as it bears on a cap.

    Parameters
    ----------
    issued, starts, ends
        The day it was issued, and the first and last day of the event. None is *unknown*; without ``ends`` the event lasts one day.
    night
        Whether it was at night; None is unknown.
    status
        ``issued``, ``rescinded`` (was a permit, counts) or ``void`` (never was one, does not count).
    distinct_events
        How many distinct events went on under it: each counts.
    charitable
        Whether the applicant was a charitable organization.
    number
        The permit's number, for the reader.
    kind
        What it was for; :data:`UNCOUNTED_KINDS` do not count.
    recorded_as
        The tax map number it was issued on, where the land has another number now.
    override
        The reason it was issued past the cap, empty where it was not.
    days
        The days on which it was held, where they are not all from ``starts`` to ``ends``.
    streets
        The streets that a parade follows.
    """

    issued: date | None
    starts: date | None
    ends: date | None = None
    night: bool | None = None
    status: PermitStatus = "issued"
    distinct_events: int = 1
    charitable: bool | None = None
    number: str = ""
    kind: str = ""
    recorded_as: str = ""
    override: str = ""
    days: tuple[date, ...] = ()
    streets: tuple[str, ...] = ()

    @property
    def held_on(self) -> tuple[date, ...]:
        """The days on which it was held; none where they are not known."""
        if self.days or not self.starts:
            return self.days
        length = ((self.ends or self.starts) - self.starts).days
        return tuple(self.starts + timedelta(days=n) for n in range(length + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class CapRequest:
    """The event for which a permit is asked.

    Parameters
    ----------
    on
        The day the permit would be issued.
    starts, ends
        First and last day of the event; None is unknown.
    night, charitable_applicant, primarily_benefits_applicant
        The application's answers; None is unanswered.
    distinct_events
        Distinct events that would go on under it, at least one.
    """

    on: date
    starts: date | None
    ends: date | None = None
    night: bool | None = None
    charitable_applicant: bool | None = None
    primarily_benefits_applicant: bool | None = None
    distinct_events: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyHistory:
    """One parcel of the premises with its zone, its permits and whether its owner is exempt (None: not answered).

    ``recorded`` False says that there is no record its permits could stand in: none is counted, and that is said.
    """

    parcel: str = ""
    zone: Zone
    permits: tuple[PastPermit, ...] = ()
    exempt_owner: bool | None = False
    recorded: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReading:
    """What the other reading of "calendar year" gives, shown where it would change the answer."""

    year_of: YearOf
    year: int | None
    status: CapStatus
    used: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelCap:
    """The cap on one parcel.

    Parameters
    ----------
    used, used_at_most
        Events that count in ``year``; the two differ only where a record lacks a date.
    cap
        How many there may be with this request's applicant; None where no cap applies.
    night_used, night_cap
        The same for events at night; None where the district has no night rule.
    year, year_of
        The calendar year counted, and which date of a permit says its year; ``year`` is None where the event has no date yet.
    counted
        The permits counted, in order of their dates.
    missing
        Keys of the event file whose answer would decide.
    recorded
        Whether there is a record to count from.
    why
        The answer in one sentence.
    """

    parcel: str
    zone: Zone
    status: CapStatus
    rule: str
    citation: str
    used: int
    used_at_most: int
    cap: int | None
    night_used: int | None = None
    night_cap: int | None = None
    year: int | None
    year_of: YearOf
    counted: tuple[PastPermit, ...] = ()
    review: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other_reading: OtherReading | None = None
    recorded: bool = True
    why: str = ""

    @property
    def left(self) -> int | None:
        """How many more there could be this year, before this request; None where no cap applies."""
        return None if self.cap is None else max(0, self.cap - self.used)

    @property
    def recorded_as(self) -> tuple[str, ...]:
        """Old tax map numbers that counted permits were issued on."""
        return tuple(dict.fromkeys(permit.recorded_as for permit in self.counted if permit.recorded_as))


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDate:
    """When a refused request could be granted.

    Parameters
    ----------
    issued, starts
        A day on which a permit could be issued, and the first day of an event that it could be for.
    later_permit
        Whether the permit must wait; where it need not, it is the event that must.
    """

    issued: date
    starts: date
    later_permit: bool

    @property
    def of(self) -> Literal["issue", "event"]:
        """What must wait."""
        return "issue" if self.later_permit else "event"

    @property
    def day(self) -> date:
        """Until when it must wait."""
        return self.issued if self.later_permit else self.starts


@dataclass(frozen=True, slots=True, kw_only=True)
class CapFinding:
    """The cap on the premises: that of its fullest parcel.

    ``next_date`` is given with every refusal: the first day on which a permit could be issued (``next_date_of`` is ``issue``) or
    the event be held (``event``); None where no later year would do either.
    """

    status: CapStatus
    rule: str
    citation: str
    zone: Zone
    used: int
    cap: int | None
    next_date: date | None
    next_date_of: Literal["issue", "event"] | None
    review: tuple[str, ...]
    missing: tuple[str, ...]
    parcels: tuple[ParcelCap, ...]
    text: str
