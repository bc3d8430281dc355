"""What import could not use is told as far as it concerns the list at hand; the rest is counted."""

from geonotice.model import Problem
from geonotice.workflow.notice_warnings import import_warnings

ON_LIST = ["45.01-1-1", "45.01-1-2", "45.01-2-7"]


def problem(code, key, text=""):
    return Problem("parcels", key, code, text)


def test_parcels_of_the_list_without_a_row_in_the_roll_are_named_and_the_others_counted():
    found = [problem("unmatched_parcel", key) for key in ("99.00-1-1", "45.01-1-2", "99.00-1-2")]
    (warning,) = import_warnings(found, ON_LIST)
    assert warning.parcels == ("45.01-1-2",)
    assert "1 parcel of this list had no row in the assessment roll: the owner" in warning.text
    assert "45.01" not in warning.text  # it stands beside the text, once
    assert "2 more" in warning.text
    assert "99.00" not in warning.text


def test_parcels_far_from_the_list_are_counted_and_not_named():
    found = [problem("unmatched_parcel", f"99.00-1-{n}") for n in range(121)]
    (warning,) = import_warnings(found, ON_LIST)
    assert warning.parcels == ()
    assert warning.text.startswith("No parcel of this list is missing from the assessment roll; 121 parcels elsewhere")
    assert "99.00" not in warning.text


def test_a_parcel_that_two_rolls_lack_is_counted_once():
    found = [problem("unmatched_parcel", "45.01-1-2"), problem("unmatched_parcel", "45.01-1-2")]
    assert "1 parcel of this list" in import_warnings(found, ON_LIST)[0].text


def test_a_roll_row_of_a_block_of_the_list_is_named_with_its_owner():
    found = [
        problem("unmatched_roll", "99.00-1-1", "no parcel has this number; owner: FAR"),
        problem("unmatched_roll", "572489/45.01-1-12.2", "no parcel has this number; owner: NEAR"),
    ]
    (warning,) = import_warnings(found, ON_LIST)
    assert warning.parcels == ("572489/45.01-1-12.2",)
    assert "2 rows of the assessment roll matched no parcel" in warning.text
    assert "owner: NEAR" in warning.text
    assert "FAR" not in warning.text


def test_a_row_numbered_like_a_unit_of_a_lot_of_the_list_is_named():
    found = [problem("unmatched_roll", "45.01-1-2-C4", "owner: UNIT"), problem("unmatched_roll", "45.01-1-9-C4", "owner: FAR")]
    (warning,) = import_warnings(found, ["45.01-1-2"])
    assert warning.parcels == ("45.01-1-2-C4",)


def test_dropped_rows_without_a_number_like_the_lists_stay_counted():
    (warning,) = import_warnings([problem("dropped", "#6"), problem("dropped", "7-1-1")], ON_LIST)
    assert warning.parcels == ()
    assert warning.text.startswith("2 rows of the source could not be placed on the map")


def test_what_may_touch_the_list_comes_before_what_does_not():
    found = [problem("unmatched_parcel", "99.00-1-1"), problem("dropped", "45.01-2-8", "it has no geometry; owner: A")]
    assert [warning.code for warning in import_warnings(found, ON_LIST)] == ["dropped", "unmatched_parcel"]


def test_no_more_than_a_dozen_are_named_and_the_rest_is_counted():
    found = [problem("unmatched_roll", f"45.01-1-{n}") for n in range(10, 30)]
    (warning,) = import_warnings(found, ON_LIST)
    assert "and 8 more" in warning.text
    assert len(warning.parcels) == 20
