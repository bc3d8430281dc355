"""An address that no label holds whole costs no other label, and is named in a warning."""

import pytest
from msgspec.structs import replace

from geonotice.errors import UsageError
from geonotice.packet.labels import check_sheet, labels_pdf, unprintable_labels
from geonotice.packet.paper import LabelOptions, PacketContext, prepare


@pytest.fixture
def context(notice, recipient):
    """Return a packet of a notice with a name that the font lacks, an address without end, and one that can be printed."""
    endless = tuple(f"LINE {n} OF THE ADDRESS" for n in range(12))
    people = (recipient(1, "DOE JANE"), recipient(2, "王小明", parcels=("1-2",)), recipient(3, "ROE RAY", address=endless))
    return PacketContext(notice=replace(notice, recipients=people), letters=False)


def test_each_is_named_with_what_to_do(context):
    told = prepare(context).notice.warnings
    (warning,) = [one for one in told if one not in context.notice.warnings]
    assert set(told) - {warning} == set(context.notice.warnings)
    assert warning.code == "label_by_hand"
    assert warning.parcels == ("1-2", "12.01-1-15.1")
    for words in ("2 letters have no label", "recipient 2, 王小明", "U+738B", "recipient 3, ROE RAY", "use sheet 5163"):
        assert words in warning.text


def test_the_other_labels_are_printed_without_them(context):
    people = context.notice.recipients
    left_out = {one.number for one, _ in unprintable_labels(people)}
    assert left_out == {2, 3}
    assert labels_pdf(people, by_hand=left_out).startswith(b"%PDF")
    assert [one.number for one, _ in unprintable_labels(people, sheet="5163")] == [2]


def test_they_are_addressed_by_hand(context):
    assert prepare(replace(context, labels=LabelOptions(sheet="5163"))).labels.by_hand == (2,)
    assert prepare(context).labels.by_hand == (2, 3)


def test_it_is_said_once_and_not_of_those_that_the_clerk_addresses_by_hand(context):
    once = prepare(context)
    assert prepare(once) is once
    assert prepare(PacketContext(notice=once.notice, letters=False)).notice is once.notice
    by_hand = replace(context, labels=LabelOptions(by_hand=(2, 3)))
    assert prepare(by_hand) is by_hand


def test_a_sheet_is_checked_before_there_is_a_list():
    assert check_sheet("Avery 8160", start_at=30, nudge_x_in=0.25, nudge_y_in=-0.25).name == "5160"
    with pytest.raises(UsageError) as told:
        check_sheet("5161", start_at=21, nudge_x_in=0.26, nudge_y_in=float("nan"))
    assert [fault.key for fault in told.value.faults] == ["--start-at", "--nudge-x", "--nudge-y"]
    assert "there is no label 21 on a sheet of 5161" in str(told.value)


def test_a_wrong_setting_is_refused_before_anything_is_made(context):
    with pytest.raises(UsageError, match="no sheet of labels is known as '9999'"):
        prepare(replace(context, labels=LabelOptions(sheet="9999")))
