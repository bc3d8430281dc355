"""A cell of a town's spreadsheet, as clerks write it."""

from datetime import date

import pytest

from geonotice.register.cells import CellError, column_name, read_date


@pytest.mark.parametrize(
    "text", ["2026-08-09", "8/9/2026", "August 9, 2026", "August 9 2026", "Aug 9, 2026", "Aug 9 2026", "9 August 2026"]
)
def test_a_date_in_the_ways_it_is_written(text):
    assert read_date(text)[0] == date(2026, 8, 9)


@pytest.mark.parametrize("text", ["8/9", "August 2026", "32 August 2026", "8/9/26", "next Sunday"])
def test_a_date_whose_day_or_year_nobody_wrote_is_refused(text):
    with pytest.raises(CellError, match="is not a date"):
        read_date(text)


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Permit No.", "number"),
        ("Type of event", "kind"),
        ("Tax Map Number", "parcels"),
        ("Date issued", "issued"),
        ("Event Start", "starts"),
        ("Event end", "ends"),
        ("Notes", ""),
    ],
)
def test_a_heading_in_other_words(heading, column):
    assert column_name(heading) == column
