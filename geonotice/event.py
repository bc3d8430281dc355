"""What an application states about an event, as values that need no validating again.

None means *unknown*: it becomes a question. ``False``, ``0`` and an empty list are answers. Dates and times are local. Money is in
dollars. :mod:`geonotice.event_file` reads and checks the file (pydantic, slow to import).
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Literal

__all__ = [
    "QUESTIONS",
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
    "question",
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
WeddingOf = Literal["owner", "owner_family", "tenant", "other"]
OwnedBy = Literal["private", "municipality", "educational", "museum", "emergency_medical", "fire", "nonprofit_civic_or_similar"]
Organization = Literal["individual", "corporation", "charity", "municipality", "other"]
SaleOwner = Literal["private", "municipality", "charity_or_nonprofit"]
Light = Literal["search", "strobe", "laser", "revolving", "ordinary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDay:
    """One of ``[event] days``: the day, and its hours (``from`` and ``to`` in the file), which are None where they are not stated.

    A closing that is not later than the opening is in the night that follows; midnight closes the day itself.
    """

    on: date
    opens: time | None = None
    closes: time | None = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The table ``[event]``.

    ``starts`` and ``ends`` are plain dates where no time was given. Where ``days`` are stated instead, ``starts`` is the beginning of the
    first and ``ends`` the end of the last of them; the days between need not all be days of the event.
    """

    title: str | None = None
    kind: Kind | None = None
    sponsor: Sponsor | None = None
    sponsor_local: bool | None = None
    sponsor_in_control: bool | None = None
    planned_in_advance: bool | None = None
    starts: datetime | date | None = None
    ends: datetime | date | None = None
    night: bool | None = None
    persons_at_once: int | None = None
    persons_total: int | None = None
    persons_outdoors: int | None = None
    distinct_events: int | None = None
    filed: date | None = None
    complete: date | None = None
    wedding_of: WeddingOf | None = None
    tenant_lease_months: float | None = None
    regular_sporting_event: bool | None = None
    admission_charged: bool | None = None
    commercial: bool | None = None
    contact: str | None = None
    days: tuple[EventDay, ...] | None = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """The table ``[premises]``."""

    parcels: tuple[str, ...] | None = None
    layout: str | None = None
    municipal_building_or_grounds: bool | None = None
    outstanding_violations: bool | None = None
    unsatisfied_conditions: bool | None = None
    certificates_of_occupancy: bool | None = None
    lawful_tenancy: bool | None = None
    entry_authorized: bool | None = None
    owned_entirely_by: OwnedBy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """The table ``[applicant]``."""

    name: str | None = None
    organization: Organization | None = None
    charitable: bool | None = None
    resident_of_town: bool | None = None
    agent_in_county: str | None = None
    is_owner: bool | None = None
    owner_consent: bool | None = None
    other_property_violations: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Benefit:
    """The table ``[benefit]``; ``stated`` says whether the file has one (then a charity left out means that there is none)."""

    stated: bool = False
    charity: str | None = None
    charity_local: bool | None = None
    substantial_donation: bool | None = None
    primarily_benefits_applicant: bool | None = None
    private_profit: bool | None = None
    advertises_goods: bool | None = None
    outdoor_sale_of_goods: bool | None = None
    sale_premises_owner: SaleOwner | None = None
    support_agreement: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tent:
    """A tent or other temporary structure: the days on which it goes up and is down."""

    up: date | None = None
    down: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A sign for the event."""

    up: date | None = None
    down: date | None = None
    on_county_or_state_road: bool | None = None
    agency_approval: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The table ``[site]``."""

    parking_spaces: int | None = None
    vehicles_at_once: int | None = None
    access_roads: int | None = None
    camping: bool | None = None
    rides: bool | None = None
    lights: tuple[Light, ...] | None = None
    sound: bool | None = None
    food: bool | None = None
    alcohol: bool | None = None
    fireworks: bool | None = None
    animals: bool | None = None
    tents: tuple[Tent, ...] | None = None
    signs: tuple[Sign, ...] | None = None
    security_plan: bool | None = None
    waived: tuple[str, ...] = ()
    tents_authorized: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insurance:
    """The table ``[insurance]``: limits in dollars, notice of cancellation in days."""

    injury_each: float | None = None
    injury_aggregate: float | None = None
    property: float | None = None
    cancel_notice_days: int | None = None
    names_town: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class YardSale:
    """The table ``[yard_sale]``: every day of the sale, and the hours it opens and closes."""

    days: tuple[date, ...] | None = None
    hours: tuple[time, time] | None = None
    own_goods_only: bool | None = None
    on_dwelling_lot: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expressive:
    """The table ``[expressive]``."""

    notice_given: datetime | date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parade:
    """The table ``[parade]``."""

    route: str | None = None
    closes_highway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """The table ``[amendment]``: a change of an event for which a permit was issued."""

    filed: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """The table ``[denial]``; ``stated`` says whether the file has one."""

    stated: bool = False
    received: date | None = None
    appeal_filed: date | None = None
    hearing: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeGiven:
    """The table ``[notice_given]``: when the application's hearing is, and on which days notice was published, posted and mailed.

    An empty ``published`` is an answer: it was not published. The hearing on an appeal stays in ``[denial]``.
    """

    published: tuple[date, ...] | None = None
    posted: date | None = None
    mailed: date | None = None
    hearing: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """All that an application states."""

    event: About = field(default_factory=About)
    premises: Premises = field(default_factory=Premises)
    applicant: Applicant = field(default_factory=Applicant)
    benefit: Benefit = field(default_factory=Benefit)
    site: Site = field(default_factory=Site)
    insurance: Insurance = field(default_factory=Insurance)
    yard_sale: YardSale = field(default_factory=YardSale)
    expressive: Expressive = field(default_factory=Expressive)
    parade: Parade = field(default_factory=Parade)
    amendment: Amendment | None = None
    denial: Denial = field(default_factory=Denial)
    notice_given: NoticeGiven = field(default_factory=NoticeGiven)


QUESTIONS: dict[str, str] = {
    "event.title": "What is the event called?",
    "event.kind": "What kind of event is it?",
    "event.sponsor": "Who sponsors it?",
    "event.sponsor_local": "Is the sponsor's chapter, house of worship or company in the town?",
    "event.sponsor_in_control": "Is it organized by the sponsor and under the sponsor's direct control?",
    "event.planned_in_advance": "Is it planned in advance?",
    "event.starts": "When does it begin (date and time)?",
    "event.ends": "When does it end (date and time)?",
    "event.night": "Is it held at night?",
    "event.persons_at_once": "How many persons, at most, will be there at one time?",
    "event.persons_total": "How many persons will attend in all?",
    "event.persons_outdoors": "How many of them, at most, will be outside a fully enclosed structure?",
    "event.distinct_events": "How many distinct events go on under the application?",
    "event.filed": "When was the application filed?",
    "event.complete": "When did the town find it complete?",
    "event.wedding_of": "Whose wedding, funeral or family event is it: the owner's, the owner's family's, a tenant's, or another's?",
    "event.tenant_lease_months": "For how many consecutive months does the tenant's written lease run?",
    "event.regular_sporting_event": "Is it a regular game or tournament, not a special one?",
    "event.admission_charged": "Is a ticket, fee or donation asked of those who take part?",
    "event.commercial": "Is it held for commercial gain?",
    "event.contact": "Who can be reached about it (name, phone, mail)?",
    "event.days": "On which days is it held, from what hour to what hour, if they do not follow each other (instead of starts and ends)?",
    "premises.parcels": "Which tax parcels does it use?",
    "premises.layout": "Is there a drawing of stages, tents, parking and rides?",
    "premises.municipal_building_or_grounds": "Is it held in a Town building or on Town grounds, a park or a beach?",
    "premises.outstanding_violations": "Are there outstanding violations on the property?",
    "premises.unsatisfied_conditions": "Are there unsatisfied conditions of any governmental approval on the property?",
    "premises.certificates_of_occupancy": "Does every structure that needs one have a valid certificate of occupancy or of compliance?",
    "premises.lawful_tenancy": "Is the tenancy allowed by the certificate of occupancy or a rental permit (Chapter 270)?",
    "premises.entry_authorized": "Have the owner, and the tenant if any, let the Town enter in writing to inspect and to clean?",
    "premises.owned_entirely_by": "Who owns the whole property?",
    "applicant.name": "Who applies?",
    "applicant.organization": "Is the applicant an individual, a corporation, a charity or a municipality?",
    "applicant.charitable": "Is the applicant a charitable organization as the law defines it?",
    "applicant.resident_of_town": "Does the applicant reside in the town?",
    "applicant.agent_in_county": "Which natural person in the county accepts notices for an applicant from outside the town?",
    "applicant.is_owner": "Does the applicant own the property?",
    "applicant.owner_consent": "Is the owner's verified statement authorizing this use filed?",
    "applicant.other_property_violations": "Are there violations or open conditions on other property the applicant owns or leases?",
    "benefit.charity": "Which charitable organization benefits?",
    "benefit.charity_local": "Is that charitable organization a local one?",
    "benefit.substantial_donation": "Does a charitable organization get a substantial donation or contribution?",
    "benefit.primarily_benefits_applicant": "Is the primary purpose of the event to benefit the applicant?",
    "benefit.private_profit": "Is the event largely for private profit?",
    "benefit.advertises_goods": "Is its principal purpose to advertise products, goods or merchandise?",
    "benefit.outdoor_sale_of_goods": "Is it primarily an outdoor sale of goods or services?",
    "benefit.sale_premises_owner": "Who owns the premises of the sale: a municipality, a charity or non-profit, or a private owner?",
    "benefit.support_agreement": "Is the charitable support agreement submitted with the application?",
    "site.parking_spaces": "How many cars can park off the street and off the road?",
    "site.vehicles_at_once": "How many vehicles, at most, will be there at one time?",
    "site.access_roads": "How many roads lead to and from the site?",
    "site.camping": "Are there camping or housing facilities?",
    "site.rides": "Are there carnival rides?",
    "site.lights": "Which exterior lights are used (search, strobe, laser, revolving, ordinary)?",
    "site.sound": "Is there sound equipment?",
    "site.food": "Is food or drink prepared, sold or served?",
    "site.alcohol": "Are intoxicating beverages served?",
    "site.fireworks": "Are there fireworks?",
    "site.animals": "Are there animals?",
    "site.tents": "Which tents or temporary structures are put up, from when to when?",
    "site.signs": "Which signs are put up, from when to when, and where?",
    "site.security_plan": "Has a detailed security plan been submitted to the Chief of Police?",
    "site.waived": "Which conditions has the town board waived, with its reasons in the record?",
    "site.tents_authorized": "Has the Chief Fire Marshal allowed the tents to stand longer?",
    "insurance.injury_each": "What is the policy's limit for bodily injury or death, each person?",
    "insurance.injury_aggregate": "What is its limit for bodily injury or death, in all?",
    "insurance.property": "What is its limit for property damage?",
    "insurance.cancel_notice_days": "How many days' prior written notice to the Town does its cancellation take?",
    "insurance.names_town": "Does the policy insure the Town or name it as an additional insured?",
    "yard_sale.days": "On which days is the yard sale held (every one of this year)?",
    "yard_sale.hours": "From what hour to what hour?",
    "yard_sale.own_goods_only": "Are only the household's own used goods sold, none new, none brought in, none on consignment?",
    "yard_sale.on_dwelling_lot": "Is it wholly within the lot of the dwelling?",
    "expressive.notice_given": "When was written notice given to the Fire Marshal's office?",
    "parade.route": "Along which route?",
    "parade.closes_highway": "Is a Town highway or street closed for it?",
    "amendment.filed": "When was the amendment filed?",
    "denial.received": "When was the written denial or rescission received?",
    "denial.appeal_filed": "When was the appeal filed?",
    "denial.hearing": "When is the appeal heard?",
    "notice_given.hearing": "On which day is the hearing on the application held?",
    "notice_given.published": "On which days was the notice of the hearing published?",
    "notice_given.posted": "On which day was the notice of the hearing posted?",
    "notice_given.mailed": "On which day was the notice of the hearing mailed to those it must reach?",
    "facts.zone": "In which zoning district does the property lie, and is that a residential one?",
    "facts.yards": "How wide are the front, side and rear yards of its zoning district? (The town file's [[districts]] can say it.)",
    "facts.municipal_owner": "Does a municipality own the parcel? (In an event file, premises.owned_entirely_by answers it.)",
    "facts.adjacent_state_or_county_road": "Is the parcel immediately adjacent to a state or county road?",
    "facts.adjacent_lirr": "Is the parcel immediately adjacent to property of the Long Island Rail Road?",
    "facts.within_500_ft_of": "Which other municipalities' boundaries lie within 500 feet?",
    "facts.permit_record": "On which days were the earlier permits of the property issued and their events held, and which were at night?",
    "facts.streets_abutted": "Which public streets does the property abut?",
}
"""The question behind each key; those that begin with ``facts.`` are answered by the layers, or by a person who looks."""


OF_EACH: dict[str, str] = {
    "event.days.on": "Which day is it?",
    "event.days.from": "At what hour does it begin on this day?",
    "event.days.to": "At what hour does it end on this day? (00:00 is midnight at its end; an earlier hour than it begins is in the night after.)",
    "site.tents.up": "On which day does this tent go up?",
    "site.tents.down": "On which day is this tent down?",
    "site.signs.up": "On which day does this sign go up?",
    "site.signs.down": "On which day is this sign down?",
    "site.signs.on_county_or_state_road": "Is this sign on or across a county or state road?",
    "site.signs.agency_approval": "Has the county or state agency approved this sign?",
}
"""The questions on each of several days, tents or signs."""


def question(key: str) -> str:
    """Return the key with its question, as it is printed: ``event.night: Is it held at night?``."""
    head, bracket, tail = key.partition("[")
    asked = OF_EACH[f"{head}.{tail.rpartition('.')[2]}"] if bracket else QUESTIONS[key]
    return f"{key}: {asked}"


def day_of(moment: datetime | date | None) -> date | None:
    """Return the calendar day of a moment."""
    return moment.date() if isinstance(moment, datetime) else moment


def _last_day(starts: datetime | date | None, ends: datetime | date | None) -> date | None:
    """Return the day on which something ends: midnight at the end of a day is that day, unless it begins at that very midnight."""
    last, first = day_of(ends), day_of(starts)
    if isinstance(ends, datetime) and ends.time() == time.min and last is not None and (first is None or first < last):
        return last - timedelta(days=1)
    return last
