"""One municipality of several records has one clerk, at the least distance."""

import numpy as np
import pytest
import shapely

from geonotice.facts.municipalities import one_of_each
from geonotice.store import FeatureBlock

LAND = shapely.box(0, 0, 100, 100)


def east(distance):
    return shapely.box(100 + distance, -900, 3_000, 900)


def record(name, distance, *, kind="Town", swis="", address="", clerk=""):
    return {"name": name, "kind": kind, "swis": swis, "clerk_name": clerk, "clerk_address": address}, east(distance)


def put_together(*records):
    rows, shapes = zip(*records, strict=True)
    block, warnings = one_of_each(FeatureBlock(rows, np.array(shapes, dtype=object)), LAND)
    apart = [round(float(shapely.distance(LAND, shape)), 2) for shape in block.geometries]
    return [(row["name"], far, row["clerk_address"]) for row, far in zip(block.rows, apart, strict=True)], warnings


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (record("Milo", 400, swis="573800"), record("Milo", 120, swis="573800")),
        (record("Milo", 400, swis="573800"), record("Town of Milo (part)", 120, swis="573800")),
        (record("MILO", 400), record("Milo", 120, kind="T")),
        (record("Town of Milo", 400, kind=""), record("Milo", 120, kind="town")),
        (record("Milo", 400, swis="573800"), record("Milo", 120)),
        (record("Milo", 400, swis="573800"), record("Milo", 120, swis="573889")),
        (record("Milo", 400, swis="5738"), record("Milo", 120, swis="573800")),
    ],
    ids=["code", "code, other words", "name", "kind in the name", "one without code", "part outside the village", "short code"],
)
def test_records_of_one_municipality_are_one_at_the_least_distance(first, second):
    found, warnings = put_together(first, second)
    assert [far for _, far, _ in found] == [120]
    assert warnings == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (record("Milo", 400), record("Milo", 120, kind="Village")),
        (record("Milo", 400, swis="573800"), record("Milo", 120, swis="573800", kind="Village")),
        (record("Milo", 400), record("Benton", 120)),
        (record("Milo", 400, swis="573800"), record("Benton", 120, swis="573800")),
        (record("Milo", 400, swis="573800"), record("Milo", 120, swis="442000")),
        (record("", 400), record("", 120)),
        (record("City of Geneva", 400, kind=""), record("Town of Geneva", 120, kind="")),
    ],
    ids=[
        "town and village",
        "one code, two kinds",
        "two names",
        "one code, two names",
        "two counties",
        "no name",
        "city and town",
    ],
)
def test_what_is_not_plainly_one_stays_two(first, second):
    assert len(put_together(first, second)[0]) == 2


def test_the_clerks_address_is_that_of_the_nearest_record_that_has_one():
    found, warnings = put_together(record("Milo", 120), record("Milo", 400, address="137 Main St, Penn Yan, NY 14527"))
    assert found == [("Milo", 120, "137 Main St, Penn Yan, NY 14527")]
    assert warnings == ()


def test_addresses_that_differ_are_one_letter_and_a_warning_that_names_both():
    near, far = record("Milo", 120, address="1 A St, X, NY 14527"), record("Milo", 400, address="2 B St, X, NY 14527")
    found, ((name, warning),) = put_together(far, near)
    assert found == [("Milo", 120, "1 A St, X, NY 14527")]
    assert (name, warning.code) == ("Milo", "clerk_addresses_differ")
    assert "goes to: 1 A St, X, NY 14527. Not used: 2 B St, X, NY 14527." in warning.text


def test_one_address_in_two_spellings_is_no_conflict():
    assert put_together(record("Milo", 9, address="1 A St; X, NY"), record("Milo", 8, address="1 A ST, X NY"))[1] == ()
