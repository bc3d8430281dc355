"""The annual caps in plain words."""

from collections.abc import Sequence

from geonotice.decide.cap_values import CapRequest, CapRules, NextDate, ParcelCap

__all__ = ["sentence", "why"]

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
    """Say the answer for one parcel: what was counted, what that means, what it leaves open."""
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
    said += [
        f"{f'permit {permit.number}' if permit.number else 'a permit without a number'} was rescinded and counts all the same: it was issued"
        for permit in found.counted
        if permit.status == "rescinded"
    ]
    if found.recorded_as:
        said.append(f"permits under the land's earlier number count with it: {', '.join(found.recorded_as)}")
    if found.other_reading:
        said.append(found.other_reading.text)
    if "spans_years" in found.review:
        said.append(
            "an event that runs over New Year is counted in the year it starts; counted in each of its years it would change the answer"
        )
    return said


def sentence(deciding: ParcelCap, found: Sequence[ParcelCap], later: NextDate | None, *, other_reading: bool) -> str:
    """Say the answer for the premises; the next possible date where it is a refusal, and another parcel's reading where it matters."""
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
