"""Which rows are one parcel, and what it is called."""

import numpy as np
import pyarrow as pa
import pytest

from geonotice.layers import identity
from geonotice.layers.identity import Identities, comparable_column, identify
from geonotice.taxmap import comparable


def group(numbers: list[str | None], swis: list[str | None] | None = None, layer: list[int] | None = None) -> Identities:
    rows = len(numbers)
    return identify(
        pa.chunked_array([pa.array(numbers, pa.string())]),
        pa.chunked_array([pa.array(swis or [None] * rows, pa.string())]),
        np.array(layer or [0] * rows),
        np.arange(rows) + 10,
        names=("parcels", "parcels 2"),
    )


def test_equal_numbers_are_one_parcel():
    found = group(["1-1", "1-2", "1-1"])
    assert found.parcel.tolist() == [0, 1, 0]
    assert found.id.to_pylist() == ["1-1", "1-2"]
    assert found.rows.tolist() == [2, 1]


def test_equal_numbers_in_two_swis_are_two_with_the_swis_before_them():
    found = group(["1-1", "1-1", "1-2"], ["572400", "573000", "572400"])
    assert found.id.to_pylist() == ["572400/1-1", "573000/1-1", "1-2"]


def test_two_spellings_of_one_number_are_one_parcel():
    found = group(["0900-100.00-01.00-015.001", "900-100-1-15.1", "12 \N{EN DASH} 3", "12-3"])
    assert found.parcel.tolist() == [0, 0, 1, 1]
    assert found.id.to_pylist() == ["0900-100.00-01.00-015.001", "12 \N{EN DASH} 3"]


def test_rows_without_a_number_are_each_a_parcel():
    found = group([None, "1-1", None])
    assert found.parcel.tolist() == [0, 1, 2]
    assert found.id.to_pylist() == ["#10", "1-1", "#12"]
    assert found.key.to_pylist() == ["", "1-1", ""]


def test_the_same_identity_in_two_layers_is_one_parcel():
    found = group(["1-1", "1-1"], ["572400", "572400"], [0, 1])
    assert found.parcel.tolist() == [0, 0]


def test_the_same_number_without_swis_in_two_layers_is_two():
    found = group(["1-1", "1-1", None], layer=[0, 1, 1])
    assert found.id.to_pylist() == ["1-1", "parcels 2/1-1", "parcels 2/#12"]


@pytest.mark.parametrize(
    "number", ["12.01-1-15.1", "32  33 192", "900-100-1-15.1", " a-b ", "1 - 2", "\N{EM DASH}", "ß-1", "010100/65.69-2-9"]
)
def test_whole_columns_compare_as_single_numbers_do(number: str):
    assert comparable_column(pa.chunked_array([[number, None]])).to_pylist() == [comparable(number), None]


def test_numbers_are_compared_some_at_once(monkeypatch):
    monkeypatch.setattr(identity, "AT_ONCE", 2)
    numbers = ["12.-1-1", None, "1-2", "1-2a", "12.00-1-1"]
    assert comparable_column(pa.chunked_array([numbers])).to_pylist() == [number and comparable(number) for number in numbers]
    # one number in two parts is still one parcel, and what stands once is by itself
    assert group(["1-2", "1-3", "1-4", "1-2"]).parcel.tolist() == [0, 1, 2, 0]
    assert group(["1-2", "1-3", "1-4", "1-5"]).parcel.tolist() == [0, 1, 2, 3]
