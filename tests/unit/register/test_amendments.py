"""283-8: once a permit is issued, what it permits may be amended; a slip of the pen is corrected. The number and the place in the count stay."""

from datetime import date, datetime

import pytest
from msgspec.structs import replace

from geonotice.decide.headline import Against
from geonotice.errors import PermitRefused, UsageError
from geonotice.register.amendments import ChangeRequest, amend, correct, reinstate
from geonotice.register.permit_check import check
from geonotice.register.permits import list_permits, rescind, show, void
from geonotice.register.verify_log import verify_log

from .conftest import NOW, SOUTHAMPTON, make_land

HERE = make_land()
THERE = make_land("12.01-1-16", (3000, 1000, 3200, 1300))
NEXT_DAY = date(2026, 8, 9)
TODAY = NOW.date()


def asked(number="2026-0001", *, override="", reason="rain", **fields):
    return ChangeRequest(number=number, fields=fields, reason=reason, by="Clerk", now=NOW, override=override)


@pytest.fixture
def used(register, application):
    """Count the permits of the year on a lot, as the next application would find them."""

    def count(land, on=TODAY):
        return check(register, replace(application, land=(land,)), on=on, rules=SOUTHAMPTON).finding.used

    return count


class TestCount:
    """A permit is one permit, wherever and whenever its event is."""

    def test_moved_by_a_day_to_another_lot_and_back(self, register, give, used):
        give()
        for fields, here, there in (
            ({"starts": NEXT_DAY}, 1, 0),
            ({"land": (THERE,)}, 0, 1),
            ({"land": (HERE, THERE)}, 1, 1),
            ({"land": (HERE,), "starts": date(2026, 8, 8)}, 1, 0),
        ):
            made = amend(register, asked(**fields), rules=SOUTHAMPTON)
            assert (made.permit.number, used(HERE), used(THERE)) == ("2026-0001", here, there)
        assert (made.permit, made.permit.issued) == (show(register, "2026-0001")[0], NOW.date())
        assert verify_log(register).sound

    def test_its_own_old_place_does_not_count_against_it(self, register, give):
        give(), give()
        assert amend(register, asked(starts=NEXT_DAY), rules=SOUTHAMPTON).check.finding.used == 1

    def test_moved_to_a_lot_that_is_full_it_is_refused_and_nothing_is_written(self, register, give, used):
        give(), give(land=(THERE,)), give(land=(THERE,))
        with pytest.raises(PermitRefused, match="2 of 2"):
            amend(register, asked(land=(THERE,)), rules=SOUTHAMPTON)
        assert (used(HERE), used(THERE)) == (1, 2)
        assert len(show(register, "2026-0001")[1]) == 1

    def test_an_override_is_shown_with_the_permit_ever_after(self, register, give):
        give(), give(land=(THERE,)), give(land=(THERE,))
        amend(register, asked(land=(THERE,), override="Resolution 7"), rules=SOUTHAMPTON)
        amend(register, asked(land=(HERE,)), rules=SOUTHAMPTON)
        permit, log = show(register, "2026-0001")
        assert (permit.override, permit.override_by) == ("Resolution 7", "Clerk")
        assert "cap_residential" in permit.overridden
        assert [entry.action for entry in log] == ["issue", "amend_override", "amend"]

    def test_residential_permits_count_in_the_year_of_the_original(self, register, give, used):
        """283-6B(1) counts permits issued: an amendment of the next year issues none."""
        give()
        later = datetime(2027, 1, 4)  # noqa: DTZ001  # town hall time
        request = replace(asked(starts=date(2027, 2, 6)), now=later)
        assert amend(register, request, rules=SOUTHAMPTON).permit.issued == NOW.date()
        assert (used(HERE), used(HERE, later.date())) == (1, 0)

    def test_elsewhere_events_count_in_the_year_they_start(self, register, give):
        """283-6B(2): three events a year; moved into the next year, it is one of that year's."""
        land = (replace(HERE, zone="other"),)
        for _ in range(3):
            give(land=land)
        amend(register, asked(starts=date(2027, 2, 6)), rules=SOUTHAMPTON)
        give(land=land)
        with pytest.raises(PermitRefused):
            amend(register, asked(starts=NEXT_DAY), rules=SOUTHAMPTON)

    def test_a_second_night_is_refused(self, register, give):
        land = (replace(HERE, zone="other"),)
        give(land=land, night=True), give(land=land)
        with pytest.raises(PermitRefused, match="night"):
            amend(register, asked("2026-0002", night=True), rules=SOUTHAMPTON)


class TestWhatMayChange:
    def test_the_log_has_before_and_after(self, register, give):
        give(persons=100, maximum_attendance=100)
        made = amend(register, asked(starts=NEXT_DAY, persons=180), rules=SOUTHAMPTON)
        _, (_, entry) = show(register, "2026-0001")
        assert {change.field: (change.before, change.after) for change in entry.changes} == {
            "starts": ("2026-08-08", "2026-08-09"),
            "persons": (100, 180),
            "maximum_attendance": (100, 180),
        }
        assert (entry.changes, entry.why, entry.action) == (made.changes, "rain", "amend")

    def test_the_maximum_that_the_official_set_stays(self, register, give):
        give(persons=100, maximum_attendance=80)
        assert amend(register, asked(persons=180), rules=SOUTHAMPTON).permit.maximum_attendance == 80

    def test_a_permit_is_not_transferable(self, register, give):
        """283-4: the applicant is no part of an amendment; a name that was typed wrong is corrected."""
        give()
        with pytest.raises(UsageError, match="applicant cannot be amended"):
            amend(register, asked(applicant="Ann Rowe"), rules=SOUTHAMPTON)
        assert correct(register, asked(applicant="Ann Rowe"), rules=SOUTHAMPTON).permit.applicant == "Ann Rowe"

    def test_an_event_of_several_days_needs_its_last_day(self, register, give):
        give(ends=NEXT_DAY)
        with pytest.raises(UsageError, match="several days"):
            amend(register, asked(starts=NEXT_DAY), rules=SOUTHAMPTON)
        made = amend(register, asked(starts=NEXT_DAY, ends=date(2026, 8, 10)), rules=SOUTHAMPTON).permit
        assert (made.starts, made.ends) == (NEXT_DAY, date(2026, 8, 10))

    def test_days_that_do_not_follow_each_other(self, register, give):
        give()
        days = (date(2026, 8, 22), date(2026, 8, 8), date(2026, 8, 15))
        made = amend(register, asked(yard_sale_days=days), rules=SOUTHAMPTON).permit
        assert (made.starts, made.ends, made.yard_sale_days) == (days[1], days[0], tuple(sorted(days)))
        made = amend(register, asked(starts=NEXT_DAY, ends=NEXT_DAY), rules=SOUTHAMPTON).permit
        assert made.yard_sale_days == ()

    @pytest.mark.parametrize(("fields", "said"), [({}, "says all of this"), ({"starts": date(2026, 8, 8)}, "says all of this")])
    def test_nothing_that_changes_is_no_amendment(self, register, give, fields, said):
        give()
        with pytest.raises(UsageError, match=said):
            amend(register, asked(**fields), rules=SOUTHAMPTON)

    def test_without_a_reason_nothing_changes(self, register, give):
        give()
        with pytest.raises(UsageError, match="no reason"):
            amend(register, asked(reason=" ", starts=NEXT_DAY), rules=SOUTHAMPTON)

    def test_only_a_permit_in_force_is_amended(self, register, give):
        give(), give()
        rescind(register, "2026-0001", reason="danger", now=NOW, by="Clerk")
        void(register, "2026-0002", reason="slip", now=NOW, by="Clerk")
        for number in ("2026-0001", "2026-0002"):
            with pytest.raises(UsageError, match="cannot be amended"):
                amend(register, asked(number, starts=NEXT_DAY), rules=SOUTHAMPTON)
        assert correct(register, asked(title="Fair!"), rules=SOUTHAMPTON).permit.status == "rescinded"
        with pytest.raises(UsageError, match="is void, and cannot be corrected"):
            correct(register, asked("2026-0002", title="Fair!"), rules=SOUTHAMPTON)


class TestLate:
    LATE = Against("sh.amend15", "not_met", "the change is filed too late")

    def test_a_change_filed_too_late_is_refused_unless_overridden(self, register, give):
        give()
        with pytest.raises(PermitRefused, match="too late"):
            amend(register, asked(starts=NEXT_DAY), rules=SOUTHAMPTON, late=lambda *_: self.LATE)
        made = amend(register, asked(starts=NEXT_DAY, override="storm"), rules=SOUTHAMPTON, late=lambda *_: self.LATE)
        assert made.permit.overridden == "sh.amend15 (not met): the change is filed too late"

    def test_it_is_asked_of_the_permit_as_it_stands_at_the_moment_of_writing(self, register, give):
        give()
        seen = []
        amend(
            register,
            asked(starts=NEXT_DAY),
            rules=SOUTHAMPTON,
            late=lambda was, becomes: seen.append((was.starts, becomes.starts)),
        )
        assert seen == [(date(2026, 8, 8), NEXT_DAY)]


class TestCorrect:
    def test_what_is_not_counted_is_corrected_on_a_lot_that_is_full(self, register, give):
        give(), give(), give(override="Resolution 7")
        made = correct(register, asked("2026-0003", title="Summer fair"), rules=SOUTHAMPTON)
        assert (made.permit.title, made.permit.override) == ("Summer fair", "Resolution 7")

    def test_what_is_counted_is_checked_as_a_new_permit(self, register, give):
        give(), give(now=datetime(2025, 5, 1)), give()  # noqa: DTZ001  # town hall time
        with pytest.raises(PermitRefused, match="2 of 2"):
            correct(register, asked("2025-0001", issued=date(2026, 1, 2)), rules=SOUTHAMPTON)

    @pytest.mark.parametrize(("stated", "stands"), [(None, None), (250, 251), (200, 200)])
    def test_the_maximum_follows_the_persons_only_where_it_was_their_number(self, register, give, stated, stands):
        give(persons=250, maximum_attendance=stated)
        assert correct(register, asked(persons=251), rules=SOUTHAMPTON).permit.maximum_attendance == stands

    def test_a_permit_of_past_years_without_a_parcel_can_be_corrected(self, register, give):
        give(kind="parade", land=())
        assert correct(register, asked(kind="festival"), rules=SOUTHAMPTON).permit.kind == "festival"
        assert [permit.land for permit in list_permits(register)] == [()]


class TestTakenBack:
    """What was rescinded or voided by mistake is in force again: by an entry of its own, and counted as it must be."""

    def test_a_rescinded_permit_comes_back_and_counted_all_the_time(self, register, give, used):
        give()
        rescind(register, "2026-0001", reason="false statements", now=NOW, by="Marshal")
        give(), give(override="Resolution 1")
        made = reinstate(register, asked(), rules=SOUTHAMPTON)
        assert (made.before.status, made.permit.status, used(HERE)) == ("rescinded", "issued", 3)
        assert [one.action for one in show(register, "2026-0001")[1]] == ["issue", "rescind", "reinstate"]
        assert verify_log(register).sound

    def test_a_void_entry_comes_back_only_where_there_is_room(self, register, give, used):
        give()
        void(register, "2026-0001", reason="wrong lot", now=NOW, by="Clerk")
        give(), give()
        with pytest.raises(PermitRefused, match="2 of 2"):
            reinstate(register, asked(), rules=SOUTHAMPTON)
        assert used(HERE) == 2
        made = reinstate(register, asked(override="Resolution 2"), rules=SOUTHAMPTON)
        assert (made.permit.override, used(HERE)) == ("Resolution 2", 3)
        assert show(register, "2026-0001")[1][-1].action == "reinstate_override"
        assert verify_log(register).sound

    def test_what_was_rescinded_before_it_was_voided_is_rescinded_again(self, register, give, used):
        give()
        rescind(register, "2026-0001", reason="false statements", now=NOW, by="Marshal")
        void(register, "2026-0001", reason="typed twice", now=NOW, by="Clerk")
        assert used(HERE) == 0
        made = reinstate(register, asked(), rules=SOUTHAMPTON)
        assert (made.permit.status, used(HERE)) == ("rescinded", 1)
        assert reinstate(register, asked(), rules=SOUTHAMPTON).permit.status == "issued"
        assert verify_log(register).sound

    def test_one_in_force_has_nothing_to_take_back_and_a_reason_is_needed(self, register, give):
        give()
        with pytest.raises(UsageError, match="in force already"):
            reinstate(register, asked(), rules=SOUTHAMPTON)
        with pytest.raises(UsageError, match="no reason is given"):
            reinstate(register, asked(reason=" "), rules=SOUTHAMPTON)

    def test_a_change_that_is_only_looked_at_writes_nothing(self, register, give):
        give()
        looked = amend(register, replace(asked(starts=NEXT_DAY), preview=True), rules=SOUTHAMPTON)
        assert [change.field for change in looked.changes] == ["starts"]
        assert (looked.log_hash, show(register, "2026-0001")[0].starts) == ("", looked.before.starts)
        assert len(show(register, "2026-0001")[1]) == 1
