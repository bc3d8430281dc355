"""Tax map numbers: which two spellings are one parcel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.taxmap import comparable, suffolk_long, suffolk_short


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
