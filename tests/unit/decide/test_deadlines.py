"""How a dated duty stands: done in time, done late, to be done, or past; and which of two days is the careful one."""

import json
from datetime import date, timedelta

import pytest
from icalendar import Calendar

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.decide.check_screen import render_summary
from geonotice.decide.deadlines import CAREFUL, dates_of, deadlines
from geonotice.decide.headline import deadlines_to_json, render_deadlines
from geonotice.ordinance.load import load_profile
from geonotice.packet.calendar_files import deadlines_ics
from geonotice.packet.staff_report_parts import _date, _dated

ITALY, SOUTHAMPTON = load_profile("italy"), load_profile("southampton")
EVENT = date(2026, 10, 10)
LAST = date(2026, 7, 12)
"""Italy B: 90 days before October 10, 2026 is a Sunday; nothing carries it later."""


def filing(filed, *, law=ITALY, event=EVENT, rule="italy.file90"):
    (found, *_) = [one for one in deadlines(law, event=event, filed=filed) if one.rule == rule]
    return found


class TestPetition:
    """Italy B: filed at least 90 days before the assembly."""

    def test_one_filed_in_time_is_met_whatever_day_it_is(self):
        found = filing(date(2026, 6, 30))
        assert (found.last_lawful_day, found.done_on) == (LAST, date(2026, 6, 30))
        assert {found.state(on) for on in (None, date(2026, 7, 1), date(2026, 10, 1))} == {"met"}
        assert found.standing(date(2026, 7, 1)) == "filed on Tuesday, June 30, 2026, in time, 12 days before the last day"

    @pytest.mark.parametrize(
        ("filed", "state", "words"),
        [
            (LAST, "met", "in time, on the last day"),
            (LAST - timedelta(days=1), "met", "in time, 1 day before the last day"),
            (LAST + timedelta(days=1), "late", "1 day late"),
            (EVENT, "late", "90 days late"),
        ],
    )
    def test_the_last_day_is_in_time_and_the_next_is_late(self, filed, state, words):
        found = filing(filed)
        assert found.state(date(2026, 12, 1)) == state
        assert found.standing(date(2026, 12, 1)).endswith(f", 2026, {words}")

    def test_one_that_is_not_known_to_be_filed_is_open_and_then_past(self):
        found = filing(None)
        assert [found.state(day) for day in (None, LAST, LAST + timedelta(days=1))] == ["open", "open", "past"]
        assert found.done(LAST) == found.to_spare == found.standing(LAST) == ""

    def test_one_that_is_to_be_filed_on_a_later_day_is_not_met_yet(self):
        found = filing(date(2026, 7, 10))
        assert found.state(date(2026, 7, 9)) == "open"
        assert found.done(date(2026, 7, 9)) == "to be filed on Friday, July 10, 2026, in time"
        assert found.state(date(2026, 7, 10)) == "met"

    def test_no_other_last_day_is_met_by_it(self):
        others = [
            one for one in deadlines(ITALY, event=EVENT, hearing=date(2026, 9, 1), filed=LAST) if one.rule != "italy.file90"
        ]
        assert others
        assert not [one for one in others if one.done_on]


class TestOtherFilings:
    def test_southampton_s_application_is_met_by_its_filing_and_a_change_is_not(self):
        assert filing(date(2026, 6, 1), law=SOUTHAMPTON, rule="sh.file90").state(EVENT) == "met"
        assert filing(date(2026, 6, 1), law=SOUTHAMPTON, rule="sh.amend15").done_on is None

    def test_an_appeal_on_the_day_to_which_the_law_carries_it_is_in_time(self):
        """283-9 and General Construction Law 25-a: ten days end on Sunday, July 4, 2027, which Monday keeps: Tuesday, July 6."""

        def appeal(filed):
            found = deadlines(SOUTHAMPTON, denial_received=date(2027, 6, 24), appeal_filed=filed)
            return next(one for one in found if one.rule == "sh.appeal10")

        assert [appeal(date(2027, 7, day)).state(None) for day in (4, 6, 7)] == ["met", "met", "late"]
        assert appeal(date(2027, 7, 6)).to_spare == "on the last day"

    def test_an_event_file_states_filing_appeal_and_change(self):
        data = {
            "event": {"kind": "festival", "starts": "2027-02-13T14:00:00", "filed": "2026-10-01"},
            "denial": {"received": "2026-11-02", "appeal_filed": "2026-11-10"},
            "amendment": {"filed": "2027-02-05"},
        }
        found = {
            one.rule: one.state(date(2027, 2, 6))
            for one in dates_of(SOUTHAMPTON, event_from_data(data, file="event"), ())
            if one.done_on
        }
        assert found == {"sh.file90": "met", "sh.appeal10": "met", "sh.amend15": "late"}


class TestWhatIsShown:
    def test_the_terminal_marks_what_is_met_and_what_was_late(self):
        def said(filed, on=date(2026, 10, 1)):
            return " ".join(render_deadlines(deadlines(ITALY, event=EVENT, filed=filed), on=on).split())

        assert "MET: By Sunday, July 12, 2026" in said(date(2026, 6, 30))
        assert "(filed on Tuesday, June 30, 2026, in time), 12 days before the last day" in said(date(2026, 6, 30))
        assert "LATE: By Sunday, July 12, 2026" in said(date(2026, 7, 14))
        assert "PAST: By Sunday, July 12, 2026" in said(None)
        assert said(None, date(2026, 7, 12)).startswith("By Sunday, July 12, 2026")

    def test_json_has_the_day_and_the_state_beside_what_it_had(self):
        (first, *_) = json.loads(json.dumps(deadlines_to_json([filing(date(2026, 6, 30))], on=LAST)))["deadlines"]
        assert (first["done_on"], first["state"], first["last_day"]) == ("2026-06-30", "met", "2026-07-12")
        assert first["done"] == "filed on Tuesday, June 30, 2026, in time"
        (open_,) = deadlines_to_json([filing(None)], on=LAST)["deadlines"]
        assert (open_["done"], open_["done_on"], open_["state"]) == ("", None, "open")

    def test_a_calendar_marks_what_is_done_and_reminds_of_what_is_not(self):
        def event(filed):
            content = deadlines_ics([filing(filed)], town="Town of Italy", about="51.00-1-1", on=date(2026, 7, 20))
            (found,) = Calendar.from_ical(content).walk("VEVENT")
            return str(found["summary"]), str(found["description"]), bool(found.walk("VALARM"))

        assert event(None)[0].startswith("File the petition")
        assert event(None)[2]
        summary, description, reminds = event(date(2026, 6, 30))
        assert summary.startswith("Done: File the petition")
        assert "Filed on Tuesday, June 30, 2026, in time, 12 days before the last day." in description
        assert not reminds
        assert event(date(2026, 7, 14))[0].startswith("Done late: File the petition")


class TestCheck:
    """283-2B: late filing is no bar by itself, so the official decides; the screen says that it was filed, and how late."""

    def test_a_late_filing_is_named_so_and_is_not_asked_for_again(self):
        data = {
            "event": {"kind": "festival", "starts": "2027-02-13T14:00:00", "filed": "2026-11-20"},
            "premises": {"parcels": ["1"]},
        }
        found = check(SOUTHAMPTON, event_from_data(data, file="event"), PremisesFacts(), on=date(2026, 12, 1))
        said = " ".join(render_summary(found, width=100).split())
        assert "LATE, Sun 2026-11-15" in said
        assert "filed on Friday, November 20, 2026, 5 days late" in said
        assert "MISSED, Sun 2026-11-15" not in said

    def test_the_staff_report_names_what_was_late_and_the_careful_day(self):
        late, waste = (
            filing(date(2026, 7, 14)),
            next(one for one in deadlines(ITALY, event=date(2026, 6, 30)) if one.rule == "italy.cleanup5"),
        )
        day = date(2026, 7, 1)
        mark, said = _dated(late, date(2026, 7, 20))
        assert (mark, said) == (
            "LATE",
            "File the petition with the Town Clerk (the applicant) [B]. Filed on Tuesday, July 14, 2026, 2 days late. The last lawful day was Sun, July 12, 2026.",
        )
        assert _dated(waste, day)[1].endswith(f"carries it past the weekend or holiday to Monday, July 6, 2026. {CAREFUL}")
        assert _date(waste, day).endswith(f". {CAREFUL}")
        assert "; filed on Tuesday, July 14, 2026, 2 days late):" in _date(late, date(2026, 7, 20))

    def test_the_careful_day_stands_beside_one_that_the_law_carries(self):
        """Italy G and General Construction Law 25-a: five days after June 30, 2026 end on a Sunday; Monday is in time."""
        data = {"event": {"kind": "festival", "starts": "2026-06-30T14:00:00", "persons_at_once": 800, "persons_outdoors": 800}}
        found = check(ITALY, event_from_data(data, file="event"), PremisesFacts(), on=date(2026, 6, 1))
        said = " ".join(render_summary(found, width=200).split())
        assert "By Mon 2026-07-06: remove all trash" in said
        assert (
            f"By the plain count the last day is Sunday, July 5, 2026; General Construction Law § 25-a carries it past the weekend or holiday to Monday, July 6, 2026. {CAREFUL}"
            in said
        )
