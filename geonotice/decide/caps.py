"""Annual caps over a stated permit history: the answer, the next date, and the words."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import product

from msgspec.structs import replace

from geonotice.decide.cap_count import (
    EXEMPT_OWNERS,
    KNOWN_OWNERS,
    ORDER,
    UNCOUNTED_KINDS,
    CapFinding,
    CapRequest,
    CapRules,
    CapStatus,
    Count,
    NextDate,
    OtherReading,
    ParcelCap,
    PastPermit,
    PropertyHistory,
    YearOf,
    Zone,
    count_property,
    room,
    years_asked,
)
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
    "next_date",
    "rescinded_words",
    "sentence",
    "why",
]


YEARS_AHEAD = 20
"""How far the next possible date is looked for; only records dated into the future can make it later than next January."""


def next_date(properties: Sequence[PropertyHistory], request: CapRequest, rules: CapRules) -> NextDate | None:
    """Find when a refused request could be granted: the earliest event, and for it the earliest day of issue.

    A permit issued in a later year, an event held in a later year, or both: what the clause that refuses counts decides which of them
    helps. Where a permit issued later does for the event as it was asked for, the event is not moved.

    Returns
    -------
    NextDate or None
        None where no later year would do either, as for more distinct events than a year can hold.
    """
    first = (request.starts or request.on).year
    for year in range(first, first + YEARS_AHEAD + 1):
        open_ = None
        for asked in _moved(request, year):
            answers = {count_property(item, asked, rules)[1] for item in properties}
            found = NextDate(issued=asked.on, starts=asked.starts or asked.on, later_permit=asked.on > request.on)
            if answers == {"met"}:
                return found
            # A day on which nobody can say no is the second choice: a later day that is surely within the cap is looked for in the same year
            # first.
            if "not_met" not in answers and open_ is None:
                open_ = found
        if open_:
            return open_
    return None


def _moved(request: CapRequest, year: int) -> Iterator[CapRequest]:
    """Return the request for an event of that year, with the permit issued on the day asked or at the start of a later year."""
    wanted = request.starts or request.on
    start = wanted if wanted.year == year else date(year, 1, 1)
    for on in (request.on, *(date(later, 1, 1) for later in range(request.on.year + 1, year + 1))):
        # An event comes after its permit.
        # LAW: Southampton 283-6B counts permits issued in a residential district and events held elsewhere, so waiting for a new year may
        # mean a later permit, a later event, or both. All three are tried.
        starts = max(start, on)
        if starts.year == year:
            yield replace(request, on=on, starts=starts, ends=None)


HEADS = {
    "met": "Within the annual cap",
    "not_met": "Past the annual cap",
    "decide": "Whether this is within the annual cap must be decided",
}

ASKED = {
    "event.night": "whether it is at night",
    "event.starts": "the day it begins",
    "applicant.charitable": "whether the applicant is a charitable organization",
    "benefit.primarily_benefits_applicant": "whether its primary purpose is to benefit the applicant",
    "premises.owned_entirely_by": "who owns the whole property",
    "zone": "the zoning district",
}
"""What the caps may need to know, by the keys of :attr:`ParcelCap.missing`."""


def why(found: ParcelCap, request: CapRequest, rules: CapRules, *, residential: bool) -> str:
    """Return the answer for one parcel: what was counted, what that means, what it leaves open."""
    noun = "permits issued" if found.year_of == "issued" else "events"
    year = f"in {found.year}" if found.year else "in the year of the event, whose date is not given"
    used = str(found.used) if found.used == found.used_at_most else f"{found.used} to {found.used_at_most}"
    if found.rule == rules.exempt_rule:
        counted = f"; {used} {noun} {year}" if found.recorded else ""
        return f"no cap: the property is owned entirely by an exempt owner ({rules.exempt_citation}){counted}"
    night = "" if found.night_cap is None else f", {found.night_used} of {found.night_cap} at night"
    over = found.cap is not None and found.used > found.cap
    of = "" if found.cap is None or over else f" of {found.cap}"
    said = [f"{used}{of} {noun} {year}{f' (the cap is {found.cap})' if over else ''}{night}"]
    if not found.recorded:
        most = "there is no cap" if found.cap is None else f"the cap is {found.cap} {noun} {year}"
        night = "" if found.night_cap is None else f", {found.night_cap} of them at night"
        said = [f"there is no permit register, so earlier permits could not be counted; {most}{night}"]
    if request.distinct_events > 1:
        said.append(f"this request counts as {request.distinct_events}")
    said.append(_answer(found, request, rules, residential=residential))
    return "; ".join(part for part in [*said, *_remarks(found)] if part)


def _answer(found: ParcelCap, request: CapRequest, rules: CapRules, *, residential: bool) -> str:
    total = found.used + request.distinct_events
    least = rules.residential or 0
    most = least + rules.residential_charity
    if found.status == "decide":
        return f"it turns on what is not known: {', '.join(ASKED[key] for key in found.missing)}" if found.missing else ""
    if residential and least < total <= most:
        if found.status == "met":
            return f"this is the further permit for a charity that the event primarily benefits ({rules.charity_citation})"
        return (
            "one more could go only to a charitable organization for an event whose primary purpose is to benefit it "
            f"({rules.charity_citation})"
        )
    if found.status == "met":
        return ""
    if residential:
        return f"never more than {most} ({rules.charity_citation})"
    return (
        f"only {rules.other_night} may be at night; by day it could be held"
        if rules.other is None or total <= rules.other
        else ""
    )


def _remarks(found: ParcelCap) -> list[str]:
    said = []
    if found.zone == "undetermined" and found.status != "decide" and found.recorded:
        said.append("the zoning district is not known, and the answer is the same in any")
    if "record_incomplete" in found.review:
        said.append("it turns on a permit of the record that lacks a date or does not say whether it was at night")
    said += [rescinded_words(permit.number) for permit in found.counted if permit.status == "rescinded"]
    if found.recorded_as:
        said.append(f"permits under the land's earlier number count with it: {', '.join(found.recorded_as)}")
    if found.other_reading:
        said.append(found.other_reading.text)
    if "spans_years" in found.review:
        said.append(
            "an event that runs over New Year is counted in the year it starts; counted in each of its years it would change the answer"
        )
    return said


def rescinded_words(number: str) -> str:
    """Return what an answer says of a rescinded permit that it counts."""
    named = f"permit {number}" if number else "a permit without a number"
    return f"{named} was rescinded and counts all the same: it was issued"


def sentence(deciding: ParcelCap, found: Sequence[ParcelCap], later: NextDate | None, *, other_reading: bool) -> str:
    """Return the answer for the premises; the next possible date where it is a refusal, and another parcel's reading where it matters."""
    place = f" on {deciding.parcel}" if deciding.parcel else ""
    fullest = f", the fullest of {len(found)} parcels" if len(found) > 1 else ""
    said = [f"{HEADS[deciding.status]}{place}{fullest}: {deciding.why}."]
    if other_reading and deciding.other_reading is None:
        said += [f"On {item.parcel}, {item.other_reading.text}." for item in found if item.other_reading]
    if deciding.status == "not_met":
        said.append(_when(later))
    return " ".join(said)


def _when(later: NextDate | None) -> str:
    if later is None:
        return "No later year would do either."
    if not later.later_permit:
        return f"The first day on which the event could be held is {later.starts.isoformat()}."
    event = f", for an event from {later.starts.isoformat()} on" if later.starts.year > later.issued.year else ""
    return f"The first day on which a permit could be issued is {later.issued.isoformat()}{event}."


_YES_NO = (False, True)


def exempt_owner(kind: str | None, *, rules: CapRules | None = None) -> bool | None:
    """Return whether an owner of that kind is exempt from the caps; None for an unanswered question.

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
    # LAW: Southampton 283-6B exempts only property "owned entirely" by such an owner; whether it is owned so is asked of the applicant and
    # never read off a name.
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
    # LAW: 283-6B says "per calendar year" and leaves open whether the permit's year or the event's is meant. One reading decides; where the
    # other would change the answer, both are shown.
    other = None if exempt else _other_reading(item, request, rules, status)
    if other:
        review.append("other_reading")
    # LAW: 283-6B counts permits "issued". A rescinded one was issued; that it counts is a reading, so it is marked for a person to see.
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
    # LAW: 283-6B does not say which year an event over New Year belongs to. It is counted where it starts; each of its years is tried here
    # only to tell whether that matters.
    last = (request.ends or request.starts).year
    asked = [request] + [replace(request, starts=date(year, 1, 1)) for year in range(request.starts.year + 1, last + 1)]
    return min((count_property(item, each, rules, span=True)[1] for each in asked), key=ORDER.__getitem__)


def _missing(item: PropertyHistory, request: CapRequest, rules: CapRules) -> tuple[str, ...]:
    """Return the keys of the event file, and ``zone``, on whose answer the finding can turn, whatever the other answers are."""
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
    # Every combination of answers is tried. A question is asked only where its answer changes the result, so that a clerk is not sent for
    # papers that make no difference.
    statuses: dict[tuple[int, ...], CapStatus] = {}
    for chosen in product(*(range(len(unknown[key])) for key in open_keys)):
        answers = {name: value for key, n in zip(open_keys, chosen, strict=True) for name, value in unknown[key][n].items()}
        facts = {name: answers.pop(name) for name in ("zone", "exempt_owner") if name in answers}
        statuses[chosen] = count_property(replace(item, **facts), replace(request, **answers), rules)[1]
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
