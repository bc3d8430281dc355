"""Check an application against the register: what it takes an application for, the annual caps, the days of a yard sale, the days between parades."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, CapFinding, CapRequest, PastPermit, PropertyHistory
from geonotice.decide.caps import cap_premises, exempt_owner
from geonotice.decide.yard_sales_parades_nearby_events import (
    ParadeRule,
    Span,
    YardSaleRule,
    parades_within,
    shared_streets,
    yard_sale_days,
)
from geonotice.errors import Fault, UsageError
from geonotice.model import Finding, ResultWarning
from geonotice.register.cells import clean, parts, read_kind
from geonotice.register.held_hours import day_of_session
from geonotice.register.land_history import Slivers, history_of
from geonotice.register.rows import land_key, readable, streets_of
from geonotice.register.tables_and_columns import PERMITS, fetch
from geonotice.register.values import MOST_CHARACTERS, MOST_EVENTS, MOST_PERSONS, TEXTS, Application, PermitCheck, days_of_event

if TYPE_CHECKING:
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register


__all__ = [
    "DEFAULT_SLIVERS",
    "Parade",
    "as_kept",
    "check",
    "check_json",
    "check_within",
    "parades_in_town",
    "verdict_json",
]


Kept = TypeVar("Kept", bound=Application)


def as_kept(application: Kept, *, placed: bool = True) -> Kept:
    """Return an application as the register keeps it, so that a permit is the same whether it was issued or imported.

    ``placed`` is whether it must name a parcel; a permit of past years may have none.

    Raises
    ------
    UsageError
        It cannot be meant as it is: no parcel, or one twice; an end before the start; a count below nothing; a text beyond any cell.
    """
    kept = replace(
        application,
        kind=read_kind(application.kind),
        streets=tuple(part for street in application.streets for part in parts(clean(street))),
        title=clean(application.title),
        applicant=clean(application.applicant),
        conditions=clean(application.conditions),
        contact=clean(application.contact),
        fee=clean(application.fee),
    )
    _refuse_nonsense(kept, placed=placed)
    return kept


def _refuse_nonsense(application: Application, *, placed: bool) -> None:
    """Refuse an application that cannot be meant as it is, with all its faults at once.

    Raises
    ------
    UsageError
        No parcel, or one twice; an end before the start; a count below nothing.
    """
    faults = []
    if placed and not application.land and application.kind != "parade":
        faults.append(Fault(what="no parcel is given", remedy="name the parcel or parcels that the event uses"))
    keys = [(land_key(land.parcel), land.swis) for land in application.land]
    faults += [
        Fault(what="the parcel is given twice", parcel=land.parcel, remedy="name each parcel once")
        for n, land in enumerate(application.land)
        if (land_key(land.parcel), land.swis) in keys[:n]
    ]
    if application.starts and application.ends and application.ends < application.starts:
        what = f"the event ends on {application.ends}, before it starts on {application.starts}"
        faults.append(Fault(what=what, remedy="correct the dates"))
    else:
        faults += _hours_elsewhere(application)
    if not 1 <= application.distinct_events <= MOST_EVENTS:
        faults.append(Fault(what=f"{application.distinct_events} distinct events", remedy=f"give 1 to {MOST_EVENTS:,}"))
    for name, number in (("persons", application.persons), ("maximum attendance", application.maximum_attendance)):
        if number is not None and not 0 <= number <= MOST_PERSONS:
            faults.append(Fault(what=f"{name}: {number}", remedy=f"give 0 to {MOST_PERSONS:,}"))
    for name in TEXTS:
        if len(getattr(application, name)) > MOST_CHARACTERS:
            what = f"{name} has {len(getattr(application, name)):,} characters"
            faults.append(Fault(what=what, why="no cell of a workbook holds them", remedy=f"give {MOST_CHARACTERS:,} at most"))
    if faults:
        raise UsageError(faults)


def _hours_elsewhere(application: Application) -> list[Fault]:
    strange = sorted({day_of_session(one) for one in application.hours} - set(days_of_event(application)))
    if not strange:
        return []
    what = f"hours are stated for {', '.join(day.isoformat() for day in strange)}, on which the event is not held"
    return [Fault(what=what, remedy="state the hours of the days of the event")]


DEFAULT_SLIVERS = Slivers()


def check(
    register: "Register",
    application: Application,
    *,
    on: date,
    rules: PermitRules,
    slivers: Slivers = DEFAULT_SLIVERS,
    without: str = "",
) -> PermitCheck:
    """Apply to an application what the ordinance asks of the register, over its history of the land.

    Parameters
    ----------
    register
        An open register.
    application
        What is asked for; ``land`` is the premises.
    on
        The day a permit would be issued.
    rules
        The ordinance's, as :func:`geonotice.decide.cap_checks.permit_rules` reads them.
    slivers
        What overlap is too little to count.
    without
        The number of a permit that does not count.

    Raises
    ------
    UsageError
        The application cannot be meant as it is: no parcel, an end before the start.
    RegisterError
        The database refuses.
    """
    asked = as_kept(application)
    with register.reading() as connection:
        found = check_within(connection, asked, on=on, rules=rules, slivers=slivers, recorded=register.there, without=without)
    return replace(found, warnings=(*register.warnings, *found.warnings))


def check_within(
    connection: "AnyConnection",
    application: Application,
    *,
    on: date,
    rules: PermitRules,
    slivers: Slivers,
    recorded: bool = True,
    without: str = "",
) -> PermitCheck:
    """Do what :func:`check` does, within a transaction.

    ``recorded`` says whether there is a register at all; ``without`` is the number of a permit that is about to change, and does not count.
    """
    warnings: list[ResultWarning] = []
    histories: list[PropertyHistory] = []
    # LAW: 283-6 (end): the exemption is the owner's to claim; unanswered, the cap applies, and a refusal says how it would not.
    exempt = False if application.owned_by is None else exempt_owner(application.owned_by, rules=rules.caps)
    for land in application.land:
        history = history_of(connection, land, slivers, without=without)
        warnings += history.warnings
        if land.geometry is None:
            text = f"the shape of {land.parcel} is not known: permits under an earlier number of this land are not seen"
            warnings.append(ResultWarning("no_shape", text, (land.parcel,)))
        histories.append(
            PropertyHistory(parcel=land.parcel, zone=land.zone, permits=history.permits, exempt_owner=exempt, recorded=recorded)
        )
    findings: list[Finding] = []
    if application.kind == "yard_sale" and rules.yard_sale:
        findings += [_yard_sale(application, item, rules.yard_sale) for item in histories]
    if application.kind == "parade" and rules.parade:
        findings.append(_parade(application, parades_in_town(connection, without=without), rules.parade, recorded=recorded))
    if rules.caps is None or application.kind in UNCOUNTED_KINDS or not histories:
        return PermitCheck(finding=_uncapped(application, rules), findings=tuple(findings), warnings=tuple(warnings))
    request = CapRequest(
        on=on,
        starts=application.starts,
        ends=application.ends,
        night=application.night,
        charitable_applicant=application.charitable,
        primarily_benefits_applicant=application.primarily_benefits_applicant,
        distinct_events=application.distinct_events,
    )
    if application.starts and application.starts < on:
        # LAW: 283-2A(1): no event unless a permit has been issued. The caps say nothing of it: it is for the official, and often a slip.
        text = f"the event starts on {application.starts.isoformat()}, before the permit's own date, {on.isoformat()}"
        warnings.append(ResultWarning("event_before_permit", text))
    finding = cap_premises(histories, request, rules=rules.caps)
    if finding.status != "met" and application.owned_by is None and rules.caps.exempt_owners:
        text = f"a property owned entirely by one of certain owners has no cap ({rules.caps.exempt_citation}); say who owns it if that may be so"
        warnings.append(ResultWarning("owner_not_stated", text, tuple(land.parcel for land in application.land)))
    return PermitCheck(finding=finding, findings=tuple(findings), warnings=tuple(warnings))


def _uncapped(application: Application, rules: PermitRules) -> CapFinding:
    kind = application.kind.replace("_", " ")
    what = "The ordinance sets no annual cap." if rules.caps is None else f"A {kind} is not counted in the annual cap."
    if rules.caps is not None and application.kind not in UNCOUNTED_KINDS:
        what = "The permit names no parcel: it is counted on none."
    zones = {land.zone for land in application.land}
    return CapFinding(
        status="met",
        rule="",
        citation="",
        zone=zones.pop() if len(zones) == 1 else "undetermined",
        used=0,
        cap=None,
        next_date=None,
        next_date_of=None,
        review=(),
        missing=(),
        parcels=(),
        text=what,
    )


def _yard_sale(application: Application, item: PropertyHistory, rule: YardSaleRule) -> Finding:
    """Hold the days of a yard sale and of earlier ones on the property against the limits that make it exempt."""
    asked = PastPermit(issued=None, starts=application.starts, ends=application.ends, days=application.yard_sale_days).held_on
    if not asked:
        text = f"On which days the yard sale on {item.parcel} is held is not stated."
        return Finding(rule=rule.rule, status="decide", citation=rule.citation, text=text, review=("yard_sale.days",))
    past = [permit for permit in item.permits if permit.kind == "yard_sale" and permit.status == "issued"]
    found = yard_sale_days(asked, [day for permit in past for day in permit.held_on], rule)
    facts = {
        "parcel": item.parcel,
        "days": len(found.days),
        "longest_run": found.longest_run,
        "permits": [permit.number for permit in past],
    }
    if found.broken:
        text = f"The yard sale on {item.parcel} is not exempt, and would need a special event permit: {'; '.join(found.broken)}."
        return Finding(rule=rule.rule, status="not_met", citation=rule.citation, text=text, facts=facts)
    counts = ", ".join(f"{days} of {rule.days_a_year} days in {year}" for year, days in found.by_year.items())
    text = f"The yard sale on {item.parcel} keeps within its days: {counts} with this one."
    return Finding(rule=rule.rule, status="met", citation=rule.citation, text=text, facts=facts)


class Parade(NamedTuple):
    """A parade that has a permit: its number, its days, and the streets it follows."""

    number: str
    span: Span
    streets: tuple[str, ...]


def parades_in_town(connection: "AnyConnection", *, without: str = "") -> tuple[Parade, ...]:
    """Return every parade that has a permit, by its first day; ``without`` the one of that number."""
    asked = (
        "SELECT number, starts, coalesce(ends, starts) AS ends, streets FROM permits "
        "WHERE kind = 'parade' AND status = 'issued' AND starts IS NOT NULL AND number <> :without ORDER BY starts, number"
    )
    with readable("the days of a parade"):
        rows = fetch(connection, asked, PERMITS, without=without)
        return tuple(Parade(row.number, (row.starts, row.ends), streets_of(row.streets)) for row in rows)


def _parade(application: Application, others: Sequence[Parade], rule: ParadeRule, *, recorded: bool) -> Finding:
    """Look for another parade within the days; one that is found is for the official to weigh."""
    if application.starts is None:
        text = f"When the parade is, is not stated; another within {rule.days} days in summer is considered."
        return Finding(rule=rule.rule, status="decide", citation=rule.citation, text=text, review=("event.starts",))
    asked = (application.starts, application.ends or application.starts)
    both, edge = parades_within(asked, [other.span for other in others], rule)
    review = ("other_reading",) if edge and not both else ()
    beyond = (
        f" {_named(others, edge, application)} within {rule.days} days too, but not both parades are between Memorial Day and Labor Day."
        if edge
        else ""
    )
    facts: dict[str, object] = {"parades": [other.number for other in others if other.span in both]}
    if both:
        text = f"{_named(others, both, application)} within {rule.days} days between Memorial Day and Labor Day: the official considers it.{beyond}"
        return Finding(rule=rule.rule, status="decide", citation=rule.citation, text=text, facts=facts)
    if recorded:
        text = f"The register has no other parade within {rule.days} days between Memorial Day and Labor Day.{beyond}"
    else:
        text = f"There is no permit register in which another parade within {rule.days} days could be looked for."
    return Finding(rule=rule.rule, status="met", citation=rule.citation, text=text, facts=facts, review=review)


def _named(others: Sequence[Parade], spans: Iterable[Span], application: Application) -> str:
    wanted = set(spans)
    listed = []
    for other in others:
        if other.span in wanted:
            same = shared_streets(application.streets, other.streets)
            along = f" along the same street ({', '.join(same)})" if same else ""
            listed.append(f"{other.number} on {in_words(other.span[0])}{along}")
    return f"Parade {', '.join(listed)} is" if len(listed) == 1 else f"Parades {', '.join(listed)} are"


def verdict_json(found: PermitCheck) -> dict[str, Any]:
    """Return what stands against a permit as plain JSON values: what was checked, the outcome in a sentence, and each thing by its rule."""
    event, said = found.event, found.headline
    return {
        "headline": {"status": said.status, "text": said.text},
        "checked": "caps_and_land" if event is None else "event",
        "permit_required": event and event.permit_required,
        "allowed": event and event.allowed,
        "against": [{"rule": one.rule, "status": one.status, "text": one.text} for one in found.against],
    }


def check_json(found: PermitCheck) -> dict[str, Any]:
    """Return a check as plain JSON values: what ``permit check --json`` prints."""
    finding = found.finding
    return {
        **verdict_json(found),
        "status": found.status,
        "rule": found.rule,
        "zone": finding.zone,
        "used": finding.used,
        "cap": finding.cap,
        "next_date": finding.next_date and finding.next_date.isoformat(),
        "next_date_of": finding.next_date_of,
        "review": list(dict.fromkeys((*finding.review, *(code for item in found.findings for code in item.review)))),
        "missing": list(finding.missing),
        "citation": found.citation,
        "text": found.text,
        "parcels": [
            {
                "id": item.parcel,
                "zone": item.zone,
                "status": item.status,
                "rule": item.rule,
                "used": item.used,
                "used_at_most": item.used_at_most,
                "cap": item.cap,
                "left": item.left,
                "night_used": item.night_used,
                "night_cap": item.night_cap,
                "year": item.year,
                "year_of": item.year_of,
                "permits": [permit.number for permit in item.counted],
                "recorded_as": list(item.recorded_as),
                "other_reading": None
                if item.other_reading is None
                else {
                    "year_of": item.other_reading.year_of,
                    "year": item.other_reading.year,
                    "status": item.other_reading.status,
                    "used": item.other_reading.used,
                    "text": item.other_reading.text,
                },
                "review": list(item.review),
                "why": item.why,
            }
            for item in finding.parcels
        ],
        "findings": [
            {"rule": item.rule, "status": item.status, "citation": item.citation, "text": item.text, "facts": item.facts}
            for item in found.findings
        ],
        "warnings": [warning.to_json() for warning in found.warnings],
    }
