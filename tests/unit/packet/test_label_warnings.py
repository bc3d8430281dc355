"""An address that no label holds whole costs no other label, and is named in a warning."""

from dataclasses import replace

import pytest

from geonotice.packet.labels import labels_pdf, unprintable_labels
from geonotice.workflow.notice import Noticed
from geonotice.workflow.packet import LabelOptions, with_label_warnings


@pytest.fixture
def noticed(notice, recipient):
    """Return a notice with a name that the font lacks, an address without end, and one that can be printed."""
    endless = tuple(f"LINE {n} OF THE ADDRESS" for n in range(12))
    people = (recipient(1, "DOE JANE"), recipient(2, "王小明", parcels=("1-2",)), recipient(3, "ROE RAY", address=endless))
    made = replace(notice, recipients=people)
    return Noticed(made, None, {}, 0.0, None, adjoining=False, places=None)  # what is behind the list plays no part here


def test_each_is_named_with_what_to_do(noticed):
    *before, warning = with_label_warnings(noticed, LabelOptions()).notice.warnings
    assert tuple(before) == noticed.notice.warnings
    assert warning.code == "label_by_hand"
    assert warning.parcels == ("1-2", "12.01-1-15.1")
    for words in ("2 letters have no label", "recipient 2, 王小明", "U+738B", "recipient 3, ROE RAY", "use sheet 5163"):
        assert words in warning.text


def test_the_other_labels_are_printed_without_them(noticed):
    people = noticed.notice.recipients
    left_out = {one.number for one, _ in unprintable_labels(people)}
    assert left_out == {2, 3}
    assert labels_pdf(people, by_hand=left_out).startswith(b"%PDF")
    assert [one.number for one, _ in unprintable_labels(people, sheet="5163")] == [2]


def test_it_is_said_once_and_not_of_those_that_the_clerk_addresses_by_hand(noticed):
    once = with_label_warnings(noticed, LabelOptions())
    assert with_label_warnings(once, LabelOptions()) is once
    assert with_label_warnings(noticed, LabelOptions(by_hand=(2, 3))) is noticed
