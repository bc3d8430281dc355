"""283-6B, clause by clause."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.caps import CapRequest, CapRules, PastPermit, PropertyHistory, cap, cap_premises, exempt_owner
from geonotice.errors import UsageError
from geonotice.ordinance.load import load_profile


def past(issued: str | None = "2026-02-01", starts: str | None = "2026-06-06", **more) -> PastPermit:
    return PastPermit(
        **{
            "issued": issued and date.fromisoformat(issued),
            "starts": starts and date.fromisoformat(starts),
            "night": False,
            **more,
        }
    )


def asked(on: str = "2026-05-01", starts: str | None = "2026-08-08", **more) -> CapRequest:
    answers = {"night": False, "charitable_applicant": False, "primarily_benefits_applicant": False}
    return CapRequest(on=date.fromisoformat(on), starts=starts and date.fromisoformat(starts), **{**answers, **more})


TWO = (past(number="2026-1"), past("2026-03-01", "2026-07-04", number="2026-2"))
THREE = (*TWO, past("2026-04-01", "2026-05-05", number="2026-3"))
FOR_ITSELF = {"charitable_applicant": True, "primarily_benefits_applicant": True}


class TestResidential:
    """283-6B(1)."""

    def test_no_more_than_two_per_calendar_year(self):
        assert cap("residential", TWO[:1], asked()).status == "met"
        assert cap("residential", TWO, asked()).status == "not_met"

    def test_the_year_is_that_of_issue_not_that_of_the_event(self):
        early = tuple(replace(permit, issued=date(2025, 12, 30)) for permit in TWO)
        found = cap("residential", early, asked())
        assert (found.status, found.used) == ("met", 0)
        assert found.review == ("other_reading",)
        assert found.parcels[0].other_reading.status == "not_met"
        assert "would refuse it" in found.text

    def test_a_permit_issued_this_december_for_next_summer_counts_this_year(self):
        found = cap("residential", TWO, asked(on="2026-12-10", starts="2027-07-01"))
        assert (found.status, found.next_date, found.next_date_of) == ("not_met", date(2027, 1, 1), "issue")
        assert "other_reading" in found.review

    def test_the_third_needs_both_a_charity_and_its_own_benefit(self):
        for answers, status in [
            (FOR_ITSELF, "met"),
            ({**FOR_ITSELF, "charitable_applicant": False}, "not_met"),
            ({**FOR_ITSELF, "primarily_benefits_applicant": False}, "not_met"),
            ({**FOR_ITSELF, "charitable_applicant": None}, "decide"),
            ({"charitable_applicant": None, "primarily_benefits_applicant": False}, "not_met"),
        ]:
            assert cap("residential", TWO, asked(**answers)).status == status, answers

    def test_what_is_open_about_the_third_is_asked(self):
        found = cap("residential", TWO, asked(charitable_applicant=None, primarily_benefits_applicant=None))
        assert found.missing == ("applicant.charitable", "benefit.primarily_benefits_applicant")

    def test_who_had_the_first_two_does_not_matter(self):
        by_charities = tuple(replace(permit, charitable=True) for permit in TWO)
        assert cap("residential", by_charities, asked()).status == "not_met"

    def test_under_no_circumstances_more_than_three(self):
        assert cap("residential", THREE, asked(**FOR_ITSELF)).status == "not_met"
        assert cap("residential", THREE, asked(charitable_applicant=None)).status == "not_met"

    def test_night_does_not_matter(self):
        assert cap("residential", (past(night=True),), asked(night=True)).status == "met"
        assert cap("residential", (past(night=None),), asked(night=None)).status == "met"

    def test_the_cap_shown_is_the_one_for_this_applicant(self):
        assert cap("residential", TWO, asked()).cap == 2
        assert cap("residential", TWO, asked(**FOR_ITSELF)).cap == 3


class TestOtherDistricts:
    """283-6B(2)."""

    def test_three_events_per_calendar_year(self):
        assert cap("other", TWO, asked()).status == "met"
        assert cap("other", THREE, asked()).status == "not_met"

    def test_no_further_one_for_a_charity(self):
        assert cap("other", THREE, asked(**FOR_ITSELF)).status == "not_met"

    def test_the_year_is_that_of_the_event(self):
        issued_last_year = tuple(replace(permit, issued=date(2025, 12, 30)) for permit in THREE)
        found = cap("other", issued_last_year, asked())
        assert (found.status, found.review) == ("not_met", ("other_reading",))
        assert cap("other", THREE, asked(starts="2027-01-02")).status == "met"

    def test_only_one_at_night(self):
        dark = (past(night=True),)
        refused = cap("other", dark, asked(night=True))
        assert (refused.status, refused.used, refused.cap) == ("not_met", 1, 3)
        assert (refused.parcels[0].night_used, refused.parcels[0].night_cap) == (1, 1)
        assert "by day it could be held" in refused.text
        assert cap("other", dark, asked(night=False)).status == "met"
        assert cap("other", (), asked(night=True)).status == "met"

    def test_an_unknown_night_is_open_only_where_it_matters(self):
        assert cap("other", (past(night=True),), asked(night=None)).missing == ("event.night",)
        assert cap("other", TWO, asked(night=None)).status == "met"
        assert cap("other", THREE, asked(night=None)).status == "not_met"

    def test_a_record_that_does_not_say_night_is_open_only_for_a_night_event(self):
        unsaid = (past(night=None),)
        found = cap("other", unsaid, asked(night=True))
        assert (found.status, found.review) == ("decide", ("record_incomplete",))
        assert cap("other", unsaid, asked(night=False)).status == "met"

    def test_a_day_event_beside_two_night_ones_breaks_nothing_more(self):
        assert cap("other", (past(night=True), past(night=True)), asked()).status == "met"

    def test_an_event_over_new_year_counts_in_the_year_it_starts(self):
        over = (past("2025-12-01", "2025-12-31", ends=date(2026, 1, 1), night=True),)
        found = cap("other", over, asked(night=True))
        assert (found.status, found.used, found.review) == ("met", 0, ("spans_years",))

    def test_a_request_over_new_year_says_where_the_next_year_is_full(self):
        full = tuple(replace(permit, starts=date(2027, 1, 9)) for permit in THREE)
        found = cap("other", full, asked(starts="2026-12-31", ends=date(2027, 1, 1)))
        assert found.status == "met"
        assert "spans_years" in found.review

    def test_split_zoned_parcels_follow_it(self):
        assert cap("split", TWO, asked()).rule == "cap_other"
        assert cap("split", TWO, asked()).status == "met"


class TestUnknownZone:
    @pytest.mark.parametrize(
        ("history", "request_", "status"),
        [
            ((), asked(), "met"),
            (TWO, asked(), "decide"),
            (THREE, asked(), "not_met"),
            (TWO, asked(**FOR_ITSELF), "met"),
            ((past(night=True),), asked(night=True), "decide"),
        ],
    )
    def test_is_open_only_where_the_two_clauses_differ(self, history, request_, status):
        found = cap("undetermined", history, request_)
        assert (found.status, found.zone) == (status, "undetermined")
        assert ("zone" in found.missing) == (status == "decide")


class TestStatuses:
    def test_void_never_counts(self):
        assert cap("residential", [replace(permit, status="void") for permit in THREE], asked()).used == 0

    def test_rescinded_counts_and_says_so(self):
        for zone in ("residential", "other"):
            found = cap(zone, (replace(TWO[0], status="rescinded"),), asked())
            assert (found.used, found.review) == (1, ("rescinded_counted",))
            assert "2026-1 was rescinded" in found.text

    def test_a_parade_and_a_yard_sale_are_no_special_event_permits(self):
        assert cap("residential", [replace(TWO[0], kind="parade"), replace(TWO[1], kind="yard_sale")], asked()).used == 0


class TestDistinctEvents:
    """283-7: two or more at once count as two or more."""

    def test_in_the_history(self):
        assert cap("residential", (past(distinct_events=2),), asked()).status == "not_met"
        assert cap("other", (past(distinct_events=3),), asked()).status == "not_met"

    def test_in_the_request(self):
        assert cap("residential", TWO[:1], asked(distinct_events=2)).status == "not_met"
        assert cap("other", TWO[:1], asked(distinct_events=2)).status == "met"
        assert cap("other", (), asked(distinct_events=2, night=True)).status == "not_met"

    def test_more_than_a_year_can_hold_has_no_next_date(self):
        found = cap("other", (), asked(distinct_events=4))
        assert (found.status, found.next_date) == ("not_met", None)
        assert "No later year" in found.text

    def test_none_is_refused(self):
        with pytest.raises(UsageError):
            cap("other", (), asked(distinct_events=0))


class TestExemptOwners:
    """283-6 (end)."""

    def test_have_no_cap(self):
        found = cap("residential", THREE, asked(), exempt_owner=True)
        assert (found.status, found.rule, found.cap, found.used) == ("met", "cap_exempt", None, 3)

    def test_an_unanswered_owner_is_open_only_where_it_matters(self):
        assert cap("residential", THREE, asked(), exempt_owner=None).missing == ("premises.owned_entirely_by",)
        assert cap("residential", (), asked(), exempt_owner=None).status == "met"

    @pytest.mark.parametrize(
        ("kind", "exempt"),
        [
            ("educational", True),
            ("museum", True),
            ("emergency_medical", True),
            ("fire", True),
            ("nonprofit_civic_or_similar", True),
            ("municipality", False),
            ("private", False),
            (None, None),
        ],
    )
    def test_are_those_named(self, kind, exempt):
        assert exempt_owner(kind) is exempt

    def test_another_word_is_refused(self):
        with pytest.raises(UsageError, match="church"):
            exempt_owner("church")


class TestPremisesOfSeveralParcels:
    def test_the_fullest_decides(self):
        found = cap_premises(
            [
                PropertyHistory(parcel="A", zone="residential", permits=TWO[:1]),
                PropertyHistory(parcel="B", zone="residential", permits=TWO),
            ],
            asked(),
        )
        assert (found.status, found.used) == ("not_met", 2)
        assert [item.status for item in found.parcels] == ["met", "not_met"]
        assert "on B, the fullest of 2 parcels" in found.text

    def test_each_follows_its_own_clause(self):
        found = cap_premises(
            [PropertyHistory(parcel="A", zone="other", permits=TWO), PropertyHistory(parcel="B", zone="residential")], asked()
        )
        assert found.status == "met"
        assert [item.rule for item in found.parcels] == ["cap_other", "cap_residential"]

    def test_another_reading_is_named_only_where_it_changes_the_whole(self):
        early = tuple(replace(permit, issued=date(2025, 12, 30)) for permit in TWO)
        full = PropertyHistory(parcel="A", zone="residential", permits=TWO)
        assert "other_reading" not in cap_premises([full, replace(full, parcel="B", permits=early)], asked()).review

    def test_none_is_refused(self):
        with pytest.raises(UsageError):
            cap_premises([], asked())


class TestIncompleteRecords:
    def test_a_permit_without_date_of_issue_is_open_only_where_it_matters(self):
        undated = (past(None, "2026-06-06"),)
        assert cap("residential", undated, asked()).status == "met"
        found = cap("residential", (*undated, TWO[0]), asked())
        assert (found.status, found.used, found.parcels[0].used_at_most) == ("decide", 1, 2)
        assert "record_incomplete" in found.review
        assert found.missing == ()
        assert cap("residential", (*undated, *TWO), asked()).status == "not_met"

    def test_an_event_without_a_date_is_asked_for_one_where_it_matters(self):
        assert cap("other", THREE, asked(starts=None)).missing == ("event.starts",)
        assert cap("other", TWO, asked(starts=None)).status == "met"
        assert cap("residential", TWO, asked(starts=None)).status == "not_met"


class TestProfile:
    def test_southampton_s_numbers_are_the_ones_counted_with_by_default(self):
        found = cap_rules(load_profile("southampton"))
        places = {name: getattr(CapRules(), name) for name in CapRules.__struct_fields__ if name.endswith(("_rule", "_citation"))}
        assert replace(found, **places) == CapRules()
        assert (found.residential_rule, found.charity_citation) == ("sh.cap_residential", "283-6B(1)(b)")

    def test_italy_has_no_cap(self):
        assert cap_rules(load_profile("italy")) is None

    def test_a_town_may_read_the_year_otherwise(self):
        rules = CapRules(residential_year="starts")
        early = tuple(replace(permit, issued=date(2025, 12, 30)) for permit in TWO)
        found = cap("residential", early, asked(), rules=rules)
        assert (found.status, found.next_date_of, found.review) == ("not_met", "event", ("other_reading",))

    def test_a_town_may_have_one_clause_for_all(self):
        rules = CapRules(residential=None, other=1, other_night=None, other_rule="x.cap")
        found = cap("residential", (past(night=True),), asked(night=True), rules=rules)
        assert (found.status, found.rule, found.cap) == ("not_met", "x.cap", 1)

    def test_a_town_may_cap_residential_districts_only(self):
        rules = CapRules(other=None, other_night=None)
        assert cap("other", THREE, asked(), rules=rules).cap is None
        assert cap("other", THREE, asked(), rules=rules).status == "met"
        assert cap("residential", TWO, asked(), rules=rules).status == "not_met"


days = st.dates(date(2025, 6, 1), date(2027, 6, 1))


def test_a_request_without_a_date_is_held_against_a_later_permit_whose_event_has_none_and_a_void_entry_adds_no_year():
    unheld = PastPermit(issued=date(2027, 1, 1), starts=None, night=True, status="issued")
    request_ = CapRequest(on=date(2025, 6, 1), starts=None, night=True)
    assert cap("other", [unheld], request_).status == "decide"
    assert cap("other", [past(status="void")], request_).status == cap("other", [], request_).status == "met"


answers = st.sampled_from([True, False, None])
permits_ = st.builds(
    PastPermit,
    issued=st.one_of(days, st.none()),
    starts=st.one_of(days, st.none()),
    night=answers,
    status=st.sampled_from(["issued", "rescinded", "void"]),
    distinct_events=st.integers(1, 2),
)
requests = st.builds(
    CapRequest,
    on=days,
    starts=st.one_of(days, st.none()),
    night=answers,
    charitable_applicant=answers,
    primarily_benefits_applicant=answers,
    distinct_events=st.integers(1, 4),
)
zones = st.sampled_from(["residential", "other", "split", "undetermined"])
WORSE = {"met": 0, "decide": 1, "not_met": 2}


@given(zones, st.lists(permits_, max_size=5), requests, answers)
def test_what_is_always_so(zone, history, request_, exempt):
    found = cap(zone, history, request_, exempt_owner=exempt)
    one_more = cap(zone, [*history, past("2026-01-01", "2026-01-02")], request_, exempt_owner=exempt)
    assert WORSE[one_more.status] >= WORSE[found.status] or one_more.status == "decide"
    assert cap(zone, [*history, past(status="void")], request_, exempt_owner=exempt).status == found.status
    if exempt:
        assert found.status == "met"
    if found.status == "decide":
        assert found.missing or "record_incomplete" in found.review
    if found.next_date:
        assert found.status == "not_met"
        later = replace(
            request_, on=max(request_.on, found.next_date), starts=max(request_.starts or found.next_date, found.next_date)
        )
        assert cap(zone, history, later, exempt_owner=exempt).status != "not_met"
    if zone == "undetermined" and exempt is False:
        sure = {cap(known, history, request_).status for known in ("residential", "other")}
        assert found.status == (sure.pop() if len(sure) == 1 else "decide")
