"""What a parcel is, in the plan's order: the field, the class, the owner, the shape."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import shapely

from geonotice.layers.roles import _PUBLIC_HINT, ROLES, is_public, is_railroad_name, roles_of
from geonotice.layers.shapes import Shapes

LOT = shapely.box(0, 0, 100, 100)
STRIP = shapely.box(0, 0, 1000, 50)


def role(
    *, given: str | None = None, code: str | None = None, names: str = "", blank: bool = False, shape: shapely.Geometry = LOT
) -> str:
    roles, _, _ = roles_of(
        given=pa.array([given], pa.string()),
        property_class=pa.array([code], pa.string()),
        names=pa.array([names]),
        blank=np.array([blank]),
        shapes=Shapes.of(np.array([shape])),
    )
    return ROLES[roles[0]]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [("692", "right_of_way"), ("842", "railroad"), ("843", "railroad"), ("972", "water"), ("210", "lot"), (None, "lot")],
)
def test_the_class_gives_the_role(code: str | None, wanted: str):
    assert role(code=code) == wanted


def test_the_town_files_field_comes_before_the_class():
    assert role(given="ROW", code="210") == "right_of_way"
    assert role(given="Lot", code="692") == "lot"
    assert role(given="right-of-way") == "right_of_way"


def test_a_word_that_is_not_known_leaves_it_to_the_class():
    roles, _, unknown = roles_of(
        given=pa.array(["driveway"]),
        property_class=pa.array(["692"]),
        names=pa.array([""]),
        blank=np.array([False]),
        shapes=Shapes.of(np.array([LOT])),
    )
    assert ([ROLES[role] for role in roles], unknown.tolist()) == (["right_of_way"], [0])


def test_the_class_comes_before_the_owner():
    assert role(code="692", names="LONG ISLAND RAIL ROAD") == "right_of_way"


@pytest.mark.parametrize(
    "name",
    ["LONG ISLAND RAIL ROAD", "LONG ISLAND RAILROAD CO", "L.I.R.R.", "LIRR", "MTA", "M.T.A. - LONG ISLAND RAIL ROAD", "METROPOLITAN TRANSPORTATION AUTHORITY",
     "Metropolitan Trans Auth", "METRO-NORTH COMMUTER RAILROAD COMPANY", "CSX TRANSPORTATION INC", "CONSOLIDATED RAIL CORP", "Finger Lakes Railway Corp", "ERIE R R CO"],
)  # fmt: skip
def test_railroads_are_known_by_name(name: str):
    assert is_railroad_name(name)
    assert role(names=f"DOE, J\n{name}") == "railroad"


@pytest.mark.parametrize(
    "name",
    [
        "RAILROAD AVENUE REALTY LLC",
        "RAILROAD MUSEUM OF LONG ISLAND",
        "MTANOS, GEORGE",
        "CRAIL, ROAD",
        "LIRRA, JANE",
        "12 Railroad St LLC",
    ],
)
def test_names_that_only_sound_like_railroads_are_not(name: str):
    assert not is_railroad_name(name)
    assert role(names=name) == "lot"


def test_a_strip_without_a_number_is_taken_for_a_right_of_way():
    assert role(blank=True, shape=STRIP) == "right_of_way"
    assert role(blank=False, shape=STRIP) == "lot"
    assert role(blank=True, shape=LOT) == "lot"
    assert role(blank=True, shape=shapely.box(0, 0, 25, 150)) == "lot"


def test_a_street_from_crossing_to_crossing_is_one_where_the_layer_gives_neither_owner_nor_class():
    piece = shapely.box(0, 0, 260, 50)
    assert role(blank=True, shape=piece) == "right_of_way"
    assert role(blank=True, shape=piece, names="DOE, J") == "lot"
    assert role(blank=True, shape=piece, code="311") == "lot"
    assert role(blank=True, shape=shapely.box(0, 0, 250, 100)) == "lot"


def test_streets_drawn_as_one_net_are_a_strip_too():
    net = shapely.union_all(
        [shapely.box(0, y, 1000, y + 50) for y in (0, 400, 800)] + [shapely.box(x, 0, x + 50, 850) for x in (0, 950)]
    )
    assert role(blank=True, shape=net) == "right_of_way"


@pytest.mark.parametrize(
    "names",
    [
        "INC VIL OF BELLEROSE", "Town of Italy", "THE PEOPLE OF THE STATE", "N.Y.S. D.O.T.", "NYSDOT", "N Y S", "d.p.w.", "D P W", "DPW GARAGE",
        "HIGHWAY SUPT", "PUBLIC WORKS", "WATER AUTHORITY", "DEPT OF SANITATION", "BOROUGH HALL", "C\u0131ty of Rye", "STATE-OF-NEW-YORK",
    ],
)  # fmt: skip
def test_the_quick_look_for_public_owners_passes_over_none(names):
    assert is_public(names)
    assert pc.match_substring_regex(pa.array([names]), _PUBLIC_HINT).to_pylist() == [True]
