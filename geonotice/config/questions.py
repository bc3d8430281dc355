"""The question behind each key of an application: for the commented file, the result of a check, and editors."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["OF_EACH", "QUESTIONS", "parted", "question"]

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
    "premises.lawful_tenancy": "Is the tenancy allowed by the certificate of occupancy or a rental permit?",
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
    "site.security_plan": "Has a detailed security plan been submitted to the police?",
    "site.waived": "Which conditions have been waived, with the reasons in the record?",
    "site.tents_authorized": "Have the tents been allowed to stand longer, by whom the ordinance names?",
    "insurance.injury_each": "What is the policy's limit for bodily injury or death, each person?",
    "insurance.injury_aggregate": "What is its limit for bodily injury or death, in all?",
    "insurance.property": "What is its limit for property damage?",
    "insurance.cancel_notice_days": "How many days' prior written notice to the Town does its cancellation take?",
    "insurance.names_town": "Does the policy insure the Town or name it as an additional insured?",
    "yard_sale.days": "On which days is the yard sale held (every one of this year)?",
    "yard_sale.hours": "From what hour to what hour?",
    "yard_sale.own_goods_only": "Are only the household's own used goods sold, none new, none brought in, none on consignment?",
    "yard_sale.on_dwelling_lot": "Is it wholly within the lot of the dwelling?",
    "expressive.notice_given": "When was written notice given to the office that the ordinance names?",
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
    "facts.zone": "In which zoning district does the property lie, and is that a residential one? (The zoning layer and [[districts]] in the town file say it.)",
    "facts.yards": "How wide are the front, side and rear yards of its zoning district? (The town file's [[districts]] can say it.)",
    "facts.municipal_owner": "Does a municipality own the parcel? (In an event file, premises.owned_entirely_by answers it.)",
    "facts.adjacent_state_or_county_road": "Is the parcel immediately adjacent to a state or county road?",
    "facts.adjacent_lirr": "Is the parcel immediately adjacent to property of the railroad that the ordinance names?",
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


def parted(questions: "Iterable[str]") -> tuple[list[str], list[str]]:
    """Return the questions that the event file answers, and those that the layers answer or a person who looks, without a key: no file has it.

    Examples
    --------
    >>> parted(["event.night: Is it held at night?", "facts.municipal_owner: Does a municipality own the parcel?"])
    (['event.night: Is it held at night?'], ['Does a municipality own the parcel?'])
    """
    all_ = list(questions)
    looked_up = [text.partition(": ")[2] for text in all_ if text.startswith("facts.")]
    return [text for text in all_ if not text.startswith("facts.")], looked_up
