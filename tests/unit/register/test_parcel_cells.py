"""The tax map numbers of one cell, as clerks write them."""

import pytest

from geonotice.errors import AmbiguousParcel, ParcelNotFound
from geonotice.register.parcel_cells import ParcelFinder
from geonotice.register.values import Land

KNOWN = {f"0900-124.00-05.00-{lot}.000" for lot in ("002", "003", "004")}
ONE, TWO, THREE = sorted(KNOWN)


def locate(number):
    if number == "twice":
        raise AmbiguousParcel(number, ["573601/1", "573689/1"])
    if number not in KNOWN:
        raise ParcelNotFound(number, [ONE])
    return Land(parcel=number)


@pytest.fixture
def finder():
    return ParcelFinder(locate, example=ONE)


def names(found):
    return [one.name for one in found.parcels]


@pytest.mark.parametrize(
    ("text", "parcels"),
    [
        (f"{ONE};{TWO}", [ONE, TWO]),
        (f"{ONE}\n{TWO}", [ONE, TWO]),
        (f"{ONE} & 003.000", [ONE, TWO]),
        (f"{ONE}, 003.000 and 004.000", [ONE, TWO, THREE]),
        (f"{ONE} / 05.00-004.000", [ONE, THREE]),
        ("0900124000500002000", [ONE]),
    ],
)
def test_several_and_short_ones_are_completed(text, parcels, finder):
    found = finder.read(text)
    assert (names(found), found.faults) == (parcels, [])
    assert all(one.land is not None for one in found.parcels)


@pytest.mark.parametrize("text", ["n/a", "N/A - water", "none", "No parcel (road race)", "-", ""])
def test_no_parcel(text, finder):
    found = finder.read(text)
    assert (names(found), found.faults) == ([], [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Town Hall", "is not a tax map number"),
        ("12 Main St", "is not a tax map number"),
        ("see map", "is not a tax map number"),
        ("124-2-2", "is shorter than its numbers"),
        ("twice", "573601/1"),
    ],
)
def test_what_is_no_number_or_short_of_one_is_asked_about(text, why, finder):
    found = finder.read(text)
    assert names(found) == []
    assert why in found.faults[0]


def test_a_short_number_is_guessed_from_the_others_of_the_file_and_asked_about(finder):
    finder.look_through([ONE])
    assert f"is it {THREE}?" in finder.read("124.00-05.00-004.000").faults[0]


def test_a_prefix_completes_short_numbers():
    found = ParcelFinder(locate, prefix="0900-", example=ONE).read("124.00-05.00-004.000")
    assert (names(found), found.faults) == ([THREE], [])
    assert "was read as" in found.remarks[0]


def test_a_number_the_layer_has_no_longer_is_kept(finder):
    (one,) = finder.read("0900-999.00-01.00-001.000").parcels
    assert (one.name, one.land, one.near) == ("0900-999.00-01.00-001.000", None, (ONE,))
    assert names(finder.read("gone: 124-2-2")) == ["124-2-2"]


def test_an_export_s_own_numbers_are_taken_as_they_stand():
    assert names(ParcelFinder(locate, exact=True, example=ONE).read("1; 12 & 13")) == ["1", "12 & 13"]
