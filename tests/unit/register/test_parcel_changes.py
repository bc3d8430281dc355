"""Parcels with permits whose number or shape is another today."""

from datetime import datetime

import pytest

from geonotice.register.parcel_changes import changed_parcels
from geonotice.register.permits import void

BOX = (1000, 1000, 1200, 1300)


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        ({"12.01-1-15": BOX}, (None, ())),
        ({"12.01-1-15": (1001, 1000, 1201, 1300)}, (None, ())),  # drawn a foot further: 300 sq ft
        ({"12.01-1-99": BOX}, ("renumbered", ("12.01-1-99",))),
        (
            {"12.01-1-15.1": (1000, 1000, 1100, 1300), "12.01-1-15.2": (1100, 1000, 1200, 1300)},
            ("subdivided", ("12.01-1-15.1", "12.01-1-15.2")),
        ),
        ({"12.01-1-15": (1000, 1000, 1600, 1300)}, ("merged", ("12.01-1-15",))),
        ({"12.01-1-1": (0, 0, 1600, 1300)}, ("merged", ("12.01-1-1",))),
        ({"12.01-1-15": (1050, 1000, 1300, 1300)}, ("reshaped", ("12.01-1-15",))),
        ({"12.01-1-15": (1000, 1000, 1150, 1300)}, ("reshaped", ("12.01-1-15",))),
        ({"12.01-1-15": (9000, 9000, 9100, 9100)}, ("gone", ())),
        ({}, ("gone", ())),
    ],
)
def test_what_became_of_a_parcel(today, expected, give, register, layer):
    change, now = expected
    give(), give()
    found = changed_parcels(register, layer(today))
    if change is None:
        assert found == ()
        return
    (one,) = found
    assert (one.parcel, one.change, one.now, one.permits) == ("12.01-1-15", change, now, ("2026-0001", "2026-0002"))
    assert all(number in one.text for number in now)


def test_kept_by_number_only(give, register, layer, land):
    give(land=(land("7-1-1", geometry=None),))
    assert changed_parcels(register, layer({"7-1-1": BOX})) == ()
    (one,) = changed_parcels(register, layer({}))
    assert one.change == "unknown_shape"


def test_void_permits_are_not_listed(give, register, layer):
    give(), give()
    void(register, "2026-0001", reason="typo", now=datetime(2026, 5, 3), by="Clerk")  # noqa: DTZ001  # town hall time
    (one,) = changed_parcels(register, layer({}))
    assert one.permits == ("2026-0002",)
