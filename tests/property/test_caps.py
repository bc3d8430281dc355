"""The caps against a reading of 283-6B that knows no unknowns: every way to fill in what is not known is tried, one after the other."""

from datetime import date, timedelta
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from geonotice.decide.caps import CapRequest, PastPermit, cap

YEARS = range(2023, 2030)
"""A year before and one after all dates drawn, since a permit may be of the year before its event."""
YES_NO = (True, False)


def answer_known(zone, counted, request, year_of):
    """Read 283-6B for a district that is known, permits given as (year of issue, year of the event, night, events), no question open."""
    on, starts, night, charity, events = request
    residential = zone == "residential"
    by_issue = (year_of == "issued") == residential
    of_year = [item for item in counted if (item[0] if by_issue else item[1]) == (on if by_issue else starts)]
    total = sum(item[3] for item in of_year) + events
    if residential:
        return "met" if total <= 2 or (total == 3 and charity) else "not_met"
    dark = sum(item[3] for item in of_year if item[2]) + events
    return "not_met" if total > 3 or (night and dark > 1) else "met"


def ways(permit):
    """Return every permit that this one may be: a permit comes before its event."""
    issued = (
        [permit.issued.year] if permit.issued else [year for year in YEARS if not permit.starts or year <= permit.starts.year]
    )
    starts = (
        [permit.starts.year] if permit.starts else [year for year in YEARS if not permit.issued or year >= permit.issued.year]
    )
    nights = YES_NO if permit.night is None else (permit.night,)
    return [(*years, night, permit.distinct_events) for *years, night in product(issued, starts, nights)]


def answer(zone, history, request, year_of):
    found = set()
    zones = ("residential", "other") if zone == "undetermined" else (zone,)
    nights = YES_NO if request.night is None else (request.night,)
    both = (request.charitable_applicant, request.primarily_benefits_applicant)
    charities = (False,) if False in both else YES_NO if None in both else (True,)
    counting = [ways(permit) for permit in history if permit.status != "void"]
    for one_zone, night, charity, counted in product(zones, nights, charities, product(*counting)):
        asked = (request.on.year, request.starts.year, night, charity, request.distinct_events)
        found.add(answer_known(one_zone, counted, asked, year_of))
    return found.pop() if len(found) == 1 else "decide"


days = st.dates(date(2024, 1, 1), date(2027, 12, 31))
answers = st.sampled_from([True, False, False, None])


@st.composite
def permits(draw):
    issued = draw(days)
    starts = issued + timedelta(days=draw(st.integers(0, 300)))
    lost = draw(st.sampled_from(["", "", "", "", "issued", "starts"]))
    return PastPermit(
        issued=None if lost == "issued" else issued,
        starts=None if lost == "starts" else starts,
        night=draw(answers),
        status=draw(st.sampled_from(["issued", "issued", "rescinded", "void"])),
        distinct_events=draw(st.sampled_from([1, 1, 2])),
    )


@st.composite
def requests(draw):
    on = draw(days)
    return CapRequest(
        on=on,
        starts=on + timedelta(days=draw(st.integers(0, 300))),
        night=draw(answers),
        charitable_applicant=draw(answers),
        primarily_benefits_applicant=draw(answers),
        distinct_events=draw(st.sampled_from([1, 1, 1, 2, 3])),
    )


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["residential", "other", "split", "undetermined"]), st.lists(permits(), max_size=3), requests())
def test_the_answer_is_the_one_that_every_way_to_fill_in_the_unknown_gives(zone, history, request_):
    found = cap(zone, history, request_)
    assert found.status == answer(zone, history, request_, "issued")
    other = answer(zone, history, request_, "starts")
    assert ("other_reading" in found.review) == (other != found.status)
