"""deadlines.ics: stable ids, so that a later file replaces the earlier one's events."""

from datetime import date

import pytest
from icalendar import Calendar

from geonotice.decide.deadlines import deadlines
from geonotice.ordinance.load import load_profile
from geonotice.packet.calendar_files import deadlines_ics

FOUND = deadlines(load_profile("italy"), hearing=date(2026, 10, 20))


def made(on=date(2026, 9, 1), found=FOUND):
    return deadlines_ics(found, town="Town of Italy", about="51.00-1-1", on=on)


def events(content):
    return {str(event["uid"]): event for event in Calendar.from_ical(content).walk("VEVENT")}


def test_each_deadline_is_a_whole_day_on_the_day_to_aim_for():
    found = next(event for uid, event in events(made()).items() if "italy.notice1000" in uid)
    assert found["dtstart"].dt == date(2026, 10, 9)
    assert "Last lawful day: 2026-10-10" in str(found["description"])
    assert "italy.notice1000" in str(found["description"])
    assert len(events(made())) == len(FOUND)


def test_a_day_that_the_law_carries_on_is_the_last_lawful_one():
    """General Construction Law 25-a: ten days after a hearing on 20 January end on a Saturday, so Monday 1 February is still in time."""
    found = deadlines(load_profile("southampton"), hearing=date(2027, 1, 20))
    (findings,) = [event for uid, event in events(made(found=found)).items() if uid.endswith("sh.findings10@geonotice")]
    assert findings["dtstart"].dt == date(2027, 2, 1)
    assert "Last lawful day: 2027-02-01" in str(findings["description"])


def test_lines_end_as_the_standard_says_and_the_same_inputs_give_the_same_bytes():
    content = made()
    assert content == made()
    assert content.count(b"\n") == content.count(b"\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))


def test_a_later_file_replaces_the_events_of_an_earlier_one():
    first = events(made())
    moved = deadlines(load_profile("italy"), hearing=date(2026, 11, 17))
    second = events(made(on=date(2026, 9, 2), found=moved))
    assert first.keys() == second.keys()
    assert all(second[uid]["sequence"] > event["sequence"] for uid, event in first.items())
    assert all(second[uid]["dtstart"].dt > event["dtstart"].dt for uid, event in first.items())


def test_a_day_before_which_something_may_not_be_done_is_named_so():
    found = deadlines(load_profile("southampton"), event=date(2026, 7, 4))
    (tents,) = [event for uid, event in events(made(found=found)).items() if "sh.tents-up" in uid]
    assert str(tents["summary"]) == "From this day on: put up tents and other temporary structures (51.00-1-1)"
    assert "Not before: 2026-06-20" in str(tents["description"])


class TestWhateverItIsAbout:
    """RFC 5545 3.1 and 3.3.11: a line ends a value, and commas, semicolons and backslashes in a text are marked."""

    @pytest.mark.parametrize("about", ["fair\nEND:VCALENDAR", "fair\r\nEND:VCALENDAR", "fair\x07 \u2028END:VCALENDAR"])
    def test_it_ends_no_line(self, about):
        found = deadlines(load_profile("italy"), event=date(2026, 7, 4))
        made = deadlines_ics(found, town="Town\nof Italy", about=about, on=date(2026, 1, 1)).decode()
        assert made.count("\r\nEND:VCALENDAR\r\n") == 1
        assert "X-WR-CALNAME:Town of Italy: fair END:VCALENDAR\r\n" in made

    def test_its_marks_are_no_marks_of_the_calendar_s(self):
        found = deadlines(load_profile("italy"), event=date(2026, 7, 4))
        made = deadlines_ics(found, town="Italy", about="a, b; c\\n", on=date(2026, 1, 1))
        assert b"X-WR-CALNAME:Italy: a\\, b\\; c\\\\n\r\n" in made
        # The bytes are right above; icalendar 6 reads its own "\\\\n" as a line end, and version 7 leaves the marks in.
        readings = {"Italy: a, b; c\\n", "Italy: a\\, b\\; c\\\\n", "Italy: a, b; c\n"}
        assert str(Calendar.from_ical(made)["X-WR-CALNAME"]) in readings

    def test_no_version_is_below_nothing(self):
        found = deadlines(load_profile("italy"), event=date(1901, 7, 4))
        made = Calendar.from_ical(deadlines_ics(found, town="Italy", about="fair", on=date(1900, 1, 1)))
        assert {event["sequence"] for event in made.walk("VEVENT")} == {0}
