"""The numbers of the list as maps write them."""

import re

from hypothesis import given
from hypothesis import strategies as st
from map_toys import recipient

from geonotice.recipients import numbers_label, numbers_text, recipients_by_parcel

some_numbers = st.sets(st.integers(1, 60))


def read(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split(", ") if text else []:
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


@given(numbers=some_numbers)
def test_no_number_is_lost_or_made_up(numbers: set[int]) -> None:
    assert read(numbers_text(numbers)) == numbers


@given(numbers=some_numbers)
def test_a_label_is_all_of_them_or_says_that_there_are_more(numbers: set[int]) -> None:
    label = numbers_label(numbers)
    if label.endswith("+"):
        shown = read(label.removesuffix("+"))
        assert shown < numbers
        assert min(shown) == min(numbers)
    else:
        assert read(label) == numbers
    assert len(re.findall(r"\d+", label)) <= 4


def test_two_in_a_row_are_no_range() -> None:
    assert [numbers_text(those) for those in ([3], [3, 4], [3, 4, 5], [5, 3, 9, 4])] == ["3", "3, 4", "3-5", "3-5, 9"]


def test_a_recipient_with_several_parcels_stands_under_each_and_one_without_under_none() -> None:
    one, two = recipient(2, "owner", "A", "x", "y", "x"), recipient(1, "resident", "B", "y")
    found = recipients_by_parcel([one, two, recipient(3, "clerk", "C")])
    assert found == {"x": (one,), "y": (two, one)}
