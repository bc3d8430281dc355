"""What import sets aside comes back as it was: arrays and columns, from memory and from a file, to several threads at once."""

from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

from geonotice.layers import spill
from geonotice.layers.spill import Spill, SpilledTable

NAMES = ["DOE", None, "", "ROE\nPOE"] * 50


@pytest.fixture(params=["in memory", "in a file"], autouse=True)
def small(request, monkeypatch):
    """Keep seven rows in a piece, in memory or in a file."""
    monkeypatch.setattr(spill, "_ROWS", 7)
    monkeypatch.setattr(spill, "_IN_MEMORY_BYTES", 1 if request.param == "in a file" else 1_000_000)


def table() -> SpilledTable:
    return SpilledTable({"row": pa.array(range(200)), "names": pa.chunked_array([NAMES[:90], NAMES[90:]], pa.string())})


def test_columns_come_back_as_they_were():
    kept = table()
    assert (kept.num_rows, kept.column_names) == (200, ["row", "names"])
    assert kept["names"].to_pylist() == NAMES
    assert kept.table(["names"]).to_pydict() == {"names": NAMES}
    assert [name for part in kept.batches(["names"]) for name in part["names"].to_pylist()] == NAMES


def test_a_stream_of_it_has_the_columns_in_the_order_asked():
    read = table().reader(["names", "row"]).read_all()
    assert read.column_names == ["names", "row"]
    assert read["row"].to_pylist() == list(range(200))


def test_another_column_stands_in_the_place_of_one_and_the_first_table_keeps_its_own():
    kept = table()
    other = kept.with_columns({"row": pa.array(range(200, 400)), "n": pa.array([0] * 200)})
    assert other.column_names == ["row", "names", "n"]
    assert (other["row"][0].as_py(), kept["row"][0].as_py(), other["names"].to_pylist()) == (200, 0, NAMES)


def test_no_rows_have_their_columns_and_types():
    kept = SpilledTable.of(pa.table({"names": pa.array([], pa.string())}))
    assert (kept.num_rows, kept["names"].type, list(kept.batches()), kept.reader().read_all().num_rows) == (0, pa.string(), [], 0)


@pytest.mark.parametrize(("start", "size"), [(0, 7), (5, 1), (5, 20), (193, 7), (0, 200), (199, 30)])
def test_some_rows_of_a_column_come_from_the_pieces_they_stand_in(start, size):
    assert table().part("names", start, size).to_pylist() == NAMES[start : start + size]


def test_what_is_not_kept_at_hand_any_more_is_read_again():
    kept = Spill()
    piece = kept.add(pa.array([1, 2]))
    assert piece.load() is piece.load()
    before = piece.load()
    kept.let_go()
    assert piece.load() is not before
    assert piece.load().to_pylist() == [1, 2]


def test_two_threads_read_one_file():
    kept = Spill(ready=0)
    pieces = [kept.add(pa.array([number] * 1000)) for number in range(40)]
    with ThreadPoolExecutor(max_workers=4) as pool:
        found = list(pool.map(lambda piece: set(piece.load().to_pylist()), pieces * 5))
    assert found == [{number} for number in range(40)] * 5
