"""The headings of a town's file: by their usual names, and by their words."""

import pytest

from geonotice.register.headings import CONTACT, HOURS, NOT_KEPT, column_name, heading_by_words, looks_essential


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Permit No.", "number"),
        ("Permit #", "number"),
        ("Type of event", "kind"),
        ("Tax Map Number", "parcels"),
        ("Date issued", "issued"),
        ("Event Start", "starts"),
        ("Event end", "ends"),
        ("Notes", ""),
    ],
)
def test_a_heading_by_one_of_its_usual_names(heading, column):
    assert column_name(heading) == column


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Organizer", "applicant"),
        ("Applicant / Sponsor", "applicant"),
        ("Permit issued to", "applicant"),
        ("Non-Profit", "charitable"),
        ("Not for profit? (Y/N)", "charitable"),
        ("501(c)(3)?", "charitable"),
        ("Event Date(s)", "starts"),
        ("Start Date/Time", "starts"),
        ("End Date/Time", "ends"),
        ("Dates of event", "starts"),
        ("Attend.", "persons"),
        ("Max. attendance", "maximum_attendance"),
        ("S.C.T.M. Lot", "parcels"),
        ("After dark?", "night"),
        ("Disposition", "status"),
        ("Start time", HOURS),
        ("Date Rec'd", NOT_KEPT),
        ("Rain date", NOT_KEPT),
        ("Setup time", NOT_KEPT),
        ("Fee Paid", "fee"),
        ("Date fee paid", NOT_KEPT),
        ("Phone", CONTACT),
        ("E-mail address", CONTACT),
        ("Event location", NOT_KEPT),
        ("Ward", ""),
    ],
)
def test_a_heading_by_its_words(heading, column):
    assert heading_by_words(heading) == column


@pytest.mark.parametrize("heading", ["For profit", "Commercial?", "Profit / Non-profit"])
def test_for_profit_is_not_taken_for_its_opposite(heading):
    assert heading_by_words(heading) == ""


def test_a_heading_that_may_count_is_told_from_one_that_does_not():
    assert looks_essential("For profit")
    assert not looks_essential("Ward")
