"""How many events a property may have in a year: the annual caps over a stated permit history.

Pure: no register, no clock, no geometry. The history is a sequence of :class:`PastPermit`, whether it comes out of the register or out
of a case somebody states; :mod:`geonotice.register` asks the same question again inside the transaction that writes a permit.

The law is that of Southampton, section 283-6B, unless a profile gives other numbers:

* residential zoning district: two permits *issued* in a calendar year; a third only where the applicant is a charitable organization and
  the event's primary purpose is to benefit the applicant; never more;
* every other district, and every split-zoned parcel: three events *held* in a calendar year, only one of them at night;
* property owned entirely by one of the owners named at the end of 283-6: no cap;
* two distinct events at one time on one property count as two.

What is not known (a district, a night, a year) is never guessed: the cap is worked out for the least and for the most it can be, and
only where these two answers differ is the finding ``decide``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from geonotice.decide.cap_count import ORDER, Count, count_property, room, years_asked
from geonotice.decide.cap_next import next_date
from geonotice.decide.cap_values import (
    EXEMPT_OWNERS,
    KNOWN_OWNERS,
    UNCOUNTED_KINDS,
    CapFinding,
    CapRequest,
    CapRules,
    CapStatus,
    OtherReading,
    ParcelCap,
    PastPermit,
    PropertyHistory,
    YearOf,
    Zone,
)
from geonotice.decide.cap_words import sentence, why
from geonotice.errors import Fault, UsageError

__all__ = [
    "EXEMPT_OWNERS",
    "UNCOUNTED_KINDS",
    "CapFinding",
    "CapRequest",
    "CapRules",
    "OtherReading",
    "ParcelCap",
    "PastPermit",
    "PropertyHistory",
    "cap",
    "cap_premises",
    "exempt_owner",
]

_YES_NO = (False, True)


def exempt_owner(kind: str | None, *, rules: CapRules | None = None) -> bool | None:
    """Say whether an owner of that kind is exempt from the caps; None for an unanswered question.

    Parameters
    ----------
    kind
        ``premises.owned_entirely_by`` of the event file.
    rules
        The ordinance's; Southampton's where not given.

    Raises
    ------
    UsageError
        For a kind that the event file does not know.
    """
    if kind is None:
        return None
    if kind not in KNOWN_OWNERS:
        raise UsageError(Fault(what=f"{kind!r} is no kind of owner", remedy=f"use one of: {', '.join(sorted(KNOWN_OWNERS))}"))
    return kind in (rules or CapRules()).exempt_owners


def cap(
    zone: Zone,
    history: Iterable[PastPermit],
    request: CapRequest,
    *,
    rules: CapRules | None = None,
    exempt_owner: bool | None = False,
    parcel: str = "",
) -> CapFinding:
    """Apply the annual cap to one property.

    Parameters
    ----------
    zone
        The class of its districts; ``undetermined`` where a district is not one that the profile lists.
    history
        Every permit of the property, of any year and status.
    request
        The event asked for.
    rules
        The ordinance's numbers; Southampton's where not given.
    exempt_owner
        Whether it is owned entirely by an owner that the law exempts; None is unanswered.
    parcel
        Its tax map number, for the reader.
    """
    of_property = PropertyHistory(parcel=parcel, zone=zone, permits=tuple(history), exempt_owner=exempt_owner)
    return cap_premises([of_property], request, rules=rules)


def cap_premises(properties: Sequence[PropertyHistory], request: CapRequest, *, rules: CapRules | None = None) -> CapFinding:
    """Apply the annual cap to each parcel of the premises; the fullest decides.

    LAW: 283-6B counts for "an individual property"; an event on several parcels uses each of them once, or side-by-side lots would
    multiply the cap.

    Raises
    ------
    UsageError
        Without a parcel, or with fewer than one distinct event.
    """
    rules = rules or CapRules()
    if not properties:
        raise UsageError("no parcel was given for the cap")
    if request.distinct_events < 1:
        raise UsageError(Fault(what=f"{request.distinct_events} distinct events", remedy="give 1 or more"))
    found = [_parcel_cap(item, request, rules) for item in properties]
    deciding = min(found, key=_fullness)
    later = next_date(properties, request, rules) if deciding.status == "not_met" else None
    review = _premises_review(found)
    return CapFinding(
        status=deciding.status,
        rule=deciding.rule,
        citation=deciding.citation,
        zone=deciding.zone,
        used=deciding.used,
        cap=deciding.cap,
        next_date=later.day if later else None,
        next_date_of=later.of if later else None,
        review=review,
        missing=tuple(dict.fromkeys(key for item in found if item.status == "decide" for key in item.missing)),
        parcels=tuple(found),
        text=sentence(deciding, found, later, other_reading="other_reading" in review),
    )


def _parcel_cap(item: PropertyHistory, request: CapRequest, rules: CapRules) -> ParcelCap:
    count, status = count_property(item, request, rules)
    exempt = item.exempt_owner is True
    review: list[str] = []
    other = None if exempt else _other_reading(item, request, rules, status)
    if other:
        review.append("other_reading")
    if not exempt and any(permit.status == "rescinded" for permit in count.counted):
        review.append("rescinded_counted")
    if not exempt and any(permit.recorded_as for permit in count.counted):
        review.append("renumbered")
    if not exempt and _spanning(item, request, rules) != status:
        review.append("spans_years")
    if not item.recorded:
        review.append("no_register")
    missing: tuple[str, ...] = ()
    if status == "decide":
        missing = _missing(item, request, rules)
        if count.used != count.used_at_most or _night_records_unknown(item, request, count):
            review.append("record_incomplete")
    residential = count.zone == "residential"
    rule, citation = (
        (rules.residential_rule, rules.residential_citation) if residential else (rules.other_rule, rules.other_citation)
    )
    if residential and rules.residential is not None and count.used + request.distinct_events > rules.residential:
        citation = rules.charity_citation
    if exempt:
        rule, citation = rules.exempt_rule, rules.exempt_citation
    found = ParcelCap(
        parcel=item.parcel,
        zone=item.zone,
        status=status,
        rule=rule,
        citation=citation,
        used=count.used,
        used_at_most=count.used_at_most,
        cap=None if exempt else count.cap,
        night_used=count.night_used,
        night_cap=None if exempt else count.night_cap,
        year=count.year,
        year_of=count.year_of,
        counted=count.counted,
        review=tuple(review),
        missing=missing,
        other_reading=other,
        recorded=item.recorded,
    )
    return replace(found, why=why(found, request, rules, residential=residential))


def _swapped(rules: CapRules) -> CapRules:
    turn: dict[YearOf, YearOf] = {"issued": "starts", "starts": "issued"}
    return replace(rules, residential_year=turn[rules.residential_year], other_year=turn[rules.other_year])


def _other_reading(item: PropertyHistory, request: CapRequest, rules: CapRules, status: CapStatus) -> OtherReading | None:
    """Answer under the other reading of "calendar year", where it differs."""
    count, other = count_property(item, request, _swapped(rules))
    if other == status:
        return None
    what = "permits issued" if count.year_of == "issued" else "events held"
    answer = {"met": "would allow it", "not_met": "would refuse it", "decide": "would leave it open"}[other]
    used = f"{count.used} of {count.cap or 'any number'} are used"
    if count.cap is not None and count.used > count.cap:
        used = f"{count.used} are used (the cap is {count.cap})"
    text = f"counting {what} in {count.year or 'the year of the event'}, {used}, which {answer}"
    return OtherReading(year_of=count.year_of, year=count.year, status=other, used=count.used, text=text)


def _spanning(item: PropertyHistory, request: CapRequest, rules: CapRules) -> CapStatus:
    """Answer where an event that runs over New Year counts in each of its years."""
    if not request.starts:
        return count_property(item, request, rules)[1]
    last = (request.ends or request.starts).year
    asked = [request] + [replace(request, starts=date(year, 1, 1)) for year in range(request.starts.year + 1, last + 1)]
    return min((count_property(item, each, rules, span=True)[1] for each in asked), key=ORDER.__getitem__)


def _missing(item: PropertyHistory, request: CapRequest, rules: CapRules) -> tuple[str, ...]:
    """Give the keys of the event file, and ``zone``, on whose answer the finding can turn, whatever the other answers are."""
    years = years_asked("other", item, request, replace(rules, other_year="starts"))
    unknown: dict[str, list[dict[str, object]]] = {
        "event.night": [{"night": night} for night in _YES_NO if request.night is None],
        "event.starts": [{"starts": date(year, 1, 1)} for year in years if year and request.starts is None],
        "applicant.charitable": [{"charitable_applicant": answer} for answer in _YES_NO if request.charitable_applicant is None],
        "benefit.primarily_benefits_applicant": [
            {"primarily_benefits_applicant": answer} for answer in _YES_NO if request.primarily_benefits_applicant is None
        ],
        "premises.owned_entirely_by": [{"exempt_owner": answer} for answer in _YES_NO if item.exempt_owner is None],
        "zone": [{"zone": zone} for zone in ("residential", "other") if item.zone == "undetermined"],
    }
    open_keys = [key for key, answers in unknown.items() if answers]
    statuses: dict[tuple[int, ...], CapStatus] = {}
    for chosen in product(*(range(len(unknown[key])) for key in open_keys)):
        answers = {name: value for key, n in zip(open_keys, chosen, strict=True) for name, value in unknown[key][n].items()}
        facts = {name: answers.pop(name) for name in ("zone", "exempt_owner") if name in answers}
        statuses[chosen] = count_property(replace(item, **facts), replace(request, **answers), rules)[1]  # type: ignore[arg-type]  # each of its own field
    return tuple(
        key
        for at, key in enumerate(open_keys)
        if any(statuses[chosen] != statuses[(*chosen[:at], 0, *chosen[at + 1 :])] for chosen in statuses)
    )


def _night_records_unknown(item: PropertyHistory, request: CapRequest, count: Count) -> bool:
    asked = count.night_cap is not None and item.exempt_owner is not True and request.night is not False
    return asked and any(permit.night is None for permit in count.counted)


def _fullness(found: ParcelCap) -> tuple[int, float]:
    return ORDER[found.status], room(found.cap, found.used)


def _premises_review(found: Sequence[ParcelCap]) -> tuple[str, ...]:
    """Join the parcels' codes; another reading counts only where it changes the answer for the premises."""
    codes = dict.fromkeys(code for item in found for code in item.review)
    status = min((item.status for item in found), key=ORDER.__getitem__)
    other = min((item.other_reading.status if item.other_reading else item.status for item in found), key=ORDER.__getitem__)
    return tuple(code for code in codes if code != "other_reading" or other != status)
