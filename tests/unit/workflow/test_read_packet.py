"""What a list leaves open: each question once, with what to do about it and the parcels that it is about."""

from datetime import date

import pytest

from geonotice.model import Notice, NoticeParcel, OrdinanceRef, ResultWarning
from geonotice.workflow.read_packet import open_questions


def parcel(id_, *review):
    return NoticeParcel(
        fid=1, id=id_, swis="", relation="within", distance_ft=1.0, rule="r", citation="c", situs="", review=review
    )


def notice(*warnings, parcels=(), required="yes"):
    return Notice(
        occasion="hearing",
        required=required,
        town="Town",
        ordinance=OrdinanceRef("italy", None, ""),
        premises=("1",),
        on=date(2026, 12, 1),
        version="0",
        parcels=parcels,
        warnings=tuple(ResultWarning(code, "Text.", ids) for code, ids in warnings),
    )


def asked(*given, **more):
    return [(one.code, one.parcels, one.answered_in) for one in open_questions(notice(*given, **more))]


def test_a_settled_list_asks_nothing():
    assert asked(("roll_old", ()), parcels=(parcel("2"), parcel("3", "added_by_hand"))) == []


def test_whether_it_is_required_comes_first():
    assert asked(("cover_ends", ()), required="decide") == [("required", (), "official"), ("cover_ends", (), "layers")]


def test_an_owner_who_is_not_known_is_asked_for_once_and_an_address_by_itself():
    found = asked(("unmailable", ("2", "3")), ("owner_unknown", ("2",)))
    assert found == [("owner_unknown", ("2",), "corrections"), ("unmailable", ("3",), "corrections")]
    assert asked(("unmailable", ("2",)), ("owner_unknown", ("2",))) == [("owner_unknown", ("2",), "corrections")]


def test_what_is_to_be_looked_at_in_parcels_is_one_question_for_all_of_them():
    found = asked(parcels=(parcel("2", "borderline"), parcel("3", "borderline", "narrow_gap"), parcel("4", "methods_differ")))
    assert found == [("borderline", ("2", "3"), "list"), ("methods_differ", ("4",), "list"), ("narrow_gap", ("3",), "list")]


def test_what_the_towns_setting_asks_about_is_not_asked_twice():
    found = asked(("borderline_ask", ("2",)), parcels=(parcel("2", "borderline"), parcel("3", "borderline")))
    assert found == [("borderline_ask", ("2",), "list"), ("borderline", ("3",), "list")]


def test_a_warning_that_says_what_its_parcels_say_asks_nothing_more():
    assert asked(("methods_differ", ()), ("straight_across", ("2",))) == []


def test_a_code_that_is_new_is_asked_all_the_same():
    (one,) = open_questions(notice(parcels=(parcel("2", "seen_from_above"),)))
    assert (one.question, one.parcels) == ("Seen from above?", ("2",))


@pytest.mark.parametrize("one", open_questions(notice(
    *((code, ("2",)) for code in ("zone_undetermined", "cover_ends", "common_land_question", "applicant_unknown", "owner_unknown", "borderline_ask", "straight_across_ask")),
    ("unmailable", ("9",)),
    parcels=(parcel("5", "borderline", "straight_across", "methods_differ", "narrow_gap", "across_water", "stacked", "street_or_lot"),), required="decide",
)), ids=lambda one: one.code)  # fmt: skip
def test_each_is_a_question_with_something_to_do_that_names_no_option(one):
    assert "?" in one.question
    assert one.to_do.endswith(".")
    assert "--" not in one.question + one.to_do
    assert "geonotice " not in one.to_do
