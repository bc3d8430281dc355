"""Issuing, rescinding and voiding, and what counts afterwards."""

from datetime import date, datetime

import pytest
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import PermitRefused, PermitUndecided, UsageError
from geonotice.register.amendments import ChangeRequest, amend
from geonotice.register.permit_check import check
from geonotice.register.permits import issue, list_permits, log_entries, rescind, show, void
from geonotice.register.tables_and_columns import LOG, fetch
from geonotice.register.values import Change
from geonotice.register.verify_log import verify_log

from .conftest import SOUTHAMPTON

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time
RULES = PermitRules(caps=CapRules())


def test_distinct_events_are_written_apart_all_or_none(give, register):
    made = give(distinct_events=2, apart=True)
    assert [made.permit.number, *(other.number for other in made.others)] == ["2026-0001", "2026-0002"]
    assert [permit.distinct_events for permit in list_permits(register)] == [1, 1]
    with pytest.raises(PermitRefused):
        give(distinct_events=2, apart=True)
    assert len(list_permits(register)) == 2


class TestDrawingOfTheSite:
    """The log keeps its SHA-256 behind the reason; whoever reads the history has the reason as it was typed, and the drawing by itself."""

    DRAWN, ANEW = "0123456789abcdef" * 4, "fedcba9876543210" * 4

    @staticmethod
    def kept(register):
        with register.reading() as connection:
            return [row.why for row in fetch(connection, "SELECT why FROM log ORDER BY n", LOG)]

    @pytest.mark.parametrize(("typed", "kept"), [("", ""), ("by the Board; see minutes", "by the Board; see minutes; ")])
    def test_a_permit_issued_on_one_shows_the_reason_that_was_typed(self, register, application, typed, kept):
        made = issue(register, application, now=NOW, by="Clerk", rules=RULES, why=typed, drawing=self.DRAWN)
        (entry,) = log_entries(register)
        assert (entry.action, entry.why) == ("issue", typed)
        assert entry.changes == (Change("drawing", None, self.DRAWN),)
        assert self.kept(register) == [f"{kept}site drawing {self.DRAWN}"]
        assert show(register, made.permit.number)[1] == (entry,)
        assert verify_log(register, head=made.log_hash).sound

    def test_one_issued_by_override_too(self, give, register, application):
        give(), give()
        made = issue(register, application, now=NOW, by="Clerk", rules=SOUTHAMPTON, override="Resolution 7", drawing=self.DRAWN)
        *_, entry = log_entries(register)
        assert entry.action == "issue_override"
        assert entry.why.startswith("Resolution 7 (passed over: ")
        assert entry.why.endswith(")")
        assert entry.changes == (Change("drawing", None, self.DRAWN),)
        assert verify_log(register, head=made.log_hash).sound

    def test_without_one_there_is_nothing_to_part(self, register, application):
        issue(register, application, now=NOW, by="Clerk", rules=RULES, why="with the site drawing of May")
        (entry,) = log_entries(register)
        assert (entry.why, entry.changes) == ("with the site drawing of May", ())

    def test_an_amendment_still_knows_which_one_it_takes_the_place_of(self, register, application):
        made = issue(register, application, now=NOW, by="Clerk", rules=RULES, why="by the Board", drawing=self.DRAWN)
        asked = ChangeRequest(
            number=made.permit.number, fields={}, reason="the tent moves", by="Clerk", now=NOW, drawing=self.ANEW
        )
        amend(register, asked, rules=RULES)
        *_, entry = log_entries(register)
        assert entry.why == "the tent moves"
        assert entry.changes == (Change("drawing", self.DRAWN, self.ANEW),)


class TestIssue:
    def test_numbers_run_within_the_year_of_issue(self, give):
        assert give().permit.number == "2026-0001"
        assert give().permit.number == "2026-0002"
        assert give(now=datetime(2027, 1, 4)).permit.number == "2027-0001"  # noqa: DTZ001  # town hall time

    def test_third_private_permit_in_a_residential_district_is_refused_with_the_next_date(self, give, register):
        give(), give()
        with pytest.raises(PermitRefused, match="2 of 2 permits issued in 2026") as refused:
            give()
        assert refused.value.check.finding.next_date == date(2027, 1, 1)
        assert len(list_permits(register)) == 2
        assert len(log_entries(register)) == 2

    def test_third_goes_to_a_charity_that_the_event_primarily_benefits(self, give):
        give(), give()
        assert give(charitable=True, primarily_benefits_applicant=True).check.finding.status == "met"

    def test_undecided_is_not_issued(self, give, land, register):
        dark = {"land": (land(zone="other"),), "night": True}
        give(**dark)
        with pytest.raises(PermitUndecided, match="whether it is at night"):
            give(**{**dark, "night": None})
        assert len(list_permits(register)) == 1

    def test_override_needs_a_reason_and_is_shown_ever_after(self, give, register):
        give(), give()
        with pytest.raises(PermitRefused):
            give(override="   ")
        number = give(override="Town Board resolution 2026-118").permit.number
        rescind(register, number, reason="withdrawn", now=NOW, by="Clerk")
        permit, story = show(register, number)
        assert permit.override == "Town Board resolution 2026-118"
        assert permit.override_by == "Clerk"
        assert [entry.action for entry in story] == ["issue_override", "rescind"]

    def test_a_reason_that_was_not_needed_is_no_override(self, give):
        assert give(override="to be sure").permit.override == ""

    def test_every_parcel_of_the_premises_counts(self, give, land):
        east, west = land("1", (0, 0, 200, 200)), land("2", (200, 0, 400, 200))
        give(land=(east,)), give(land=(west, east))
        with pytest.raises(PermitRefused, match="on 1"):
            give(land=(west, east))
        give(land=(west,))

    def test_distinct_events_count_each(self, give):
        give(distinct_events=2)
        with pytest.raises(PermitRefused):
            give()

    def test_an_ordinance_without_caps_refuses_nothing(self, give):
        for _ in range(5):
            assert give(rules=PermitRules()).check.finding.cap is None

    def test_a_parade_and_a_yard_sale_do_not_count(self, give):
        for _ in range(3):
            give(kind="yard_sale")
            give(kind="parade")
        give(), give()

    def test_all_faults_of_an_application_at_once(self, register, application):
        wrong = replace(application, land=(), ends=date(2026, 1, 1), distinct_events=0, persons=-1)
        with pytest.raises(UsageError) as refused:
            issue(register, wrong, now=NOW, by="Clerk", rules=RULES)
        assert len(refused.value.faults) == 4

    def test_a_text_that_no_cell_of_a_workbook_holds(self, register, application):
        with pytest.raises(UsageError, match="title has 200,000 characters"):
            issue(register, replace(application, title="x" * 200_000), now=NOW, by="Clerk", rules=RULES)
        with pytest.raises(UsageError, match="the reason has 200,000 characters"):
            issue(register, application, now=NOW, by="Clerk", rules=RULES, override="x" * 200_000)

    def test_texts_are_kept_as_an_import_would_read_them(self, give):
        permit = give(kind="Block-Party", title=" Fair\r\non Elm\x1b ", applicant="\udcff").permit
        assert (permit.kind, permit.title, permit.applicant) == ("block_party", "Fair\non Elm", "\ufffd")

    def test_somebody_must_be_named(self, register, application):
        with pytest.raises(UsageError, match="--by"):
            issue(register, application, now=NOW, by=" ", rules=RULES)


class TestCheck:
    def test_writes_nothing(self, register, application):
        assert check(register, application, on=NOW.date(), rules=RULES).finding.status == "met"
        assert log_entries(register) == ()

    def test_an_exempt_owner_has_no_cap(self, give, register, application):
        give(), give()
        found = check(register, replace(application, owned_by="fire"), on=NOW.date(), rules=RULES)
        assert (found.finding.status, found.finding.rule) == ("met", "cap_exempt")

    def test_a_refusal_says_that_the_owner_was_not_stated(self, give, register, application):
        give(), give()
        found = check(register, application, on=NOW.date(), rules=RULES)
        assert [warning.code for warning in found.warnings] == ["owner_not_stated"]
        assert check(register, replace(application, owned_by="private"), on=NOW.date(), rules=RULES).warnings == ()


class TestRescindAndVoid:
    def test_rescinded_counts_and_says_so(self, give, register, application):
        give(), give()
        rescind(register, "2026-0001", reason="false statements", now=NOW, by="Fire Marshal")
        found = check(register, application, on=NOW.date(), rules=RULES).finding
        assert found.status == "not_met"
        assert "rescinded_counted" in found.review
        assert "2026-0001" in found.text

    def test_void_does_not_count(self, give, register):
        give(), give()
        void(register, "2026-0001", reason="entered twice", now=NOW, by="Clerk")
        assert give().permit.number == "2026-0003"

    def test_nothing_is_deleted(self, give, register):
        give()
        void(register, "2026-0001", reason="entered twice", now=NOW, by="Clerk")
        permit, story = show(register, "2026-0001")
        assert permit.status == "void"
        assert [(entry.action, entry.why) for entry in story] == [("issue", ""), ("void", "entered twice")]

    @pytest.mark.parametrize("change", [rescind, void])
    def test_needs_a_reason(self, change, give, register):
        give()
        with pytest.raises(UsageError, match="--reason"):
            change(register, "2026-0001", reason=" ", now=NOW, by="Clerk")

    def test_cannot_be_undone(self, give, register):
        give()
        void(register, "2026-0001", reason="entered twice", now=NOW, by="Clerk")
        for change in (rescind, void):
            with pytest.raises(UsageError, match="void already"):
                change(register, "2026-0001", reason="again", now=NOW, by="Clerk")

    def test_of_a_number_that_is_not_there(self, register):
        with pytest.raises(UsageError, match="no permit '2026-0009'"):
            rescind(register, "2026-0009", reason="x", now=NOW, by="Clerk")


class TestList:
    def test_by_year_parcel_status_and_kind(self, give, register, land):
        give(), give(land=(land("77", (5000, 0, 5100, 100)),), kind="party", starts=date(2027, 1, 2))
        void(register, "2026-0001", reason="typo", now=NOW, by="Clerk")
        assert [permit.number for permit in list_permits(register, year=2026)] == ["2026-0001", "2026-0002"]
        assert [permit.number for permit in list_permits(register, year=2027)] == ["2026-0002"]
        assert [permit.number for permit in list_permits(register, parcel="77")] == ["2026-0002"]
        assert [permit.number for permit in list_permits(register, status="void")] == ["2026-0001"]
        assert [permit.number for permit in list_permits(register, kind="party")] == ["2026-0002"]

    def test_an_event_over_new_year_is_in_both_years(self, give, register):
        give(starts=date(2027, 12, 31), ends=date(2028, 1, 1))
        assert [len(list_permits(register, year=year)) for year in (2026, 2027, 2028, 2029)] == [1, 1, 1, 0]
