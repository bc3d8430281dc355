"""Every list names the roll's year and whether it is the final one; a roll older than the latest 1 July gets a warning."""

from datetime import date

import pytest

from geonotice.decide.source_dates import latest_first_of_july, vintage_warnings
from geonotice.model import Source


def source(*, layer="parcels", as_of=date(2026, 7, 1), roll_year=2026, final=True):
    return Source(layer, "parcels.gpkg", "", as_of, 1, "EPSG:2261", 1, 1, roll_year, final)


def codes(*sources, years=(), on=date(2026, 11, 30)):
    return [warning.code for warning in vintage_warnings(sources, years, on=on)]


def test_the_final_roll_of_this_year_needs_no_warning():
    assert codes(source()) == []


@pytest.mark.parametrize(
    ("on", "july"),
    [(date(2026, 6, 30), date(2025, 7, 1)), (date(2026, 7, 1), date(2026, 7, 1)), (date(2026, 12, 31), date(2026, 7, 1))],
)
def test_the_latest_first_of_july(on, july):
    assert latest_first_of_july(on) == july


def test_last_year_s_roll_is_old_from_the_first_of_july_on():
    assert codes(source(roll_year=2025, as_of=date(2026, 7, 2))) == ["roll_old"]
    assert codes(source(roll_year=2025, as_of=date(2025, 7, 2)), on=date(2026, 6, 30)) == []


def test_a_layer_drawn_before_the_latest_first_of_july_is_old():
    assert codes(source(as_of=date(2026, 6, 30))) == ["source_old"]
    assert codes(source(), source(layer="water", as_of=date(1999, 1, 1))) == []


def test_the_oldest_year_on_the_list_counts():
    assert codes(source(roll_year=None), years=[2026, 2024, None]) == ["roll_old"]


def test_what_the_town_file_does_not_say_is_said():
    assert codes(source(as_of=None, roll_year=None, final=None)) == ["date_unknown", "roll_year_unknown", "roll_final_unknown"]


def test_a_tentative_roll_is_said():
    assert codes(source(final=False)) == ["roll_tentative"]
