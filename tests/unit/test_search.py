"""What a search means: the exact number or address, any spelling of a street, and nothing chosen where several fit."""

import sqlite3
from pathlib import Path

import pytest

from geonotice.search import Entry, Index, best, rank
from tests.search_cases import FOUND, LOTS


def meant(query: str, lots: tuple[Entry, ...] = LOTS) -> tuple[int, ...]:
    ranks = {place: found for place, lot in enumerate(lots) if (found := rank(query, lot)) is not None}
    wanted = best(query, ranks.values())
    return tuple(place for place, found in ranks.items() if found in wanted)


@pytest.mark.parametrize("query", FOUND)
def test_a_query_means(query: str):
    assert meant(query) == FOUND[query]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory):
    """Make the two tables that a search reads."""
    from geonotice.store import Store
    from geonotice.store_tables import STORE_VERSION

    file = Path(tmp_path_factory.mktemp("store")) / "store.gpkg"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE meta (name, value)")
        db.execute("INSERT INTO meta VALUES ('store_version', ?)", (str(STORE_VERSION),))
        db.execute("CREATE TABLE parcels (fid INTEGER PRIMARY KEY, id, situs, also_known, layer)")
        db.execute("CREATE TABLE owners (parcel_fid, names)")
        for fid, lot in enumerate(LOTS):
            db.execute(
                "INSERT INTO parcels VALUES (?, ?, ?, ?, 0)", (fid, lot.id, lot.situs or None, "\n".join(lot.also) or None)
            )
            db.executemany("INSERT INTO owners VALUES (?, ?)", [(fid, name) for name in lot.owners])
    with Store(file) as opened:
        yield opened


class TestTheStore:
    @pytest.mark.parametrize("query", FOUND)
    def test_leaves_none_out_that_is_meant(self, store, query: str):
        candidates = dict(store._candidates(query))  # what the rows are chosen from
        assert set(FOUND[query]) <= set(candidates)
        for place in FOUND[query]:
            assert rank(query, candidates[place]) == rank(query, LOTS[place])


def test_an_owner_is_found_whose_parcel_has_no_address(tmp_path: Path):
    from geonotice.store import Store
    from geonotice.store_tables import STORE_VERSION

    with sqlite3.connect(tmp_path / "store.gpkg") as db:
        db.execute("CREATE TABLE meta (name, value)")
        db.execute("INSERT INTO meta VALUES ('store_version', ?)", (str(STORE_VERSION),))
        db.execute("CREATE TABLE parcels (fid INTEGER PRIMARY KEY, id, situs, also_known, layer)")
        db.execute("CREATE TABLE owners (parcel_fid, names)")
        db.execute("INSERT INTO parcels VALUES (1, '1-1', NULL, NULL, 0), (2, '1-2', '5 Elm St', NULL, 0)")
        db.execute("INSERT INTO owners VALUES (1, 'ROE RICHARD'), (2, 'ROE JANE')")
    with Store(tmp_path / "store.gpkg") as opened:
        assert [fid for fid, _ in opened._candidates("roe")] == [1, 2]


@pytest.mark.parametrize("query", FOUND)
def test_an_index_answers_as_the_entries_asked_one_by_one(query: str):
    assert sorted(Index(enumerate(LOTS)).find(query)) == sorted(meant(query))
