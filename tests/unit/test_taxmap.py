"""Tax map numbers: which two spellings are one parcel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.taxmap import comparable, nearest_numbers, suffolk_long, suffolk_short


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("900-100-1-15.1", "0900-100.00-01.00-015.001"),
        ("0200-1-1-1", "0200-001.00-01.00-001.000"),
        ("900-123.1-2-3", "0900-123.01-02.00-003.000"),
        ("0900 - 123.00 - 01.00 - 002.000", "0900-123.00-01.00-002.000"),
    ],
)
def test_short_and_long_suffolk_numbers_are_one(short, long):
    assert suffolk_long(short) == long
    assert comparable(short) == comparable(long)


@pytest.mark.parametrize("number", ["12.01-1-15.1", "32 33 192", "65.69-2-9", "", "0900-1-2"])
def test_other_numbers_are_not_of_that_form(number):
    assert suffolk_long(number) is None
    assert suffolk_short(number) is None


def test_blanks_dashes_and_case_do_not_matter_but_nothing_else_is_dropped():
    assert comparable(" 32  33 192 ") == "32 33 192"
    assert comparable("12.01\N{EN DASH}1\N{EN DASH}15.1a") == "12.01-1-15.1A"
    assert comparable("1-2-3") != comparable("1-2-3.1")
    assert comparable("12.10-1-1") != comparable("12.1-1-1")


@given(st.tuples(st.integers(1, 9999), *[st.integers(0, 99)] * 4, st.integers(0, 999), st.integers(0, 999)))
def test_long_to_short_and_back(parts):
    long = "{:04d}-{:03d}.{:02d}-{:02d}.{:02d}-{:03d}.{:03d}".format(*parts)
    if parts[0] >= 100:
        assert suffolk_long(suffolk_short(long)) == long
    assert comparable(long) == long


class TestTheNearestNumbers:
    """What is offered where a number is not known."""

    KNOWN = tuple((number, number) for number in ("51.00-1-1", "51.00-1-3", "51.13-2-1.2", "52.11-2-8", "71.00-1-1", "71.00-1-2"))

    @pytest.mark.parametrize(
        ("sought", "offered"),
        [
            ("51.00-1-01", ["51.00-1-1"]),
            ("51-1-1", ["51.00-1-1"]),
            ("51.00-1-1.0", ["51.00-1-1"]),
            ("52.11-2-8A", ["52.11-2-8"]),
            ("51.00-1-9", ["51.00-1-1", "51.00-1-3"]),
            ("71", ["71.00-1-1", "71.00-1-2"]),
            ("99-1", []),
            ("WINDHAM", []),
            ("", []),
        ],
    )
    def test_agree_in_the_most_parts_from_the_left(self, sought, offered):
        assert nearest_numbers(sought, self.KNOWN) == offered

    def test_the_lot_with_the_same_first_digits_comes_first(self):
        """Nassau prints section, block and lot short on its bills and padded, with a digit for the suffix, in its layers."""
        known = [(number, number) for number in ("32 011 02110", "32 033 01900", "32 033 01920")]
        assert nearest_numbers("32 33 192", known)[0] == "32 033 01920"

    def test_no_more_than_asked_for(self):
        assert len(nearest_numbers("1", [(f"1-{n}", f"1-{n}") for n in range(100)])) == 5
