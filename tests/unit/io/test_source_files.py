"""A store that another program has changed is told from one that it only looked at."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from geonotice.errors import StoreError
from geonotice.io.source_files import BLANK_SEAL, is_sealed, seal
from geonotice.opened_town import open_store
from geonotice.store import Store


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "store.gpkg"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE meta (name TEXT, value TEXT)")
        database.execute("INSERT INTO meta VALUES ('seal', ?)", (BLANK_SEAL,))
        database.execute("CREATE TABLE owners (names TEXT)")
        database.executemany("INSERT INTO owners VALUES (?)", [(f"OWNER {n}",) for n in range(500)])
    seal(path)
    return path


def written(path):
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        return database.execute("SELECT value FROM meta").fetchone()[0]


def test_a_store_is_sealed_and_stays_so_when_it_is_copied_or_looked_at(store, tmp_path):
    assert is_sealed(store, written(store))
    copy = shutil.copyfile(store, tmp_path / "copy.gpkg")
    assert is_sealed(copy, written(copy))
    for mode in ("wal", "delete"):  # as QGIS does when it opens a layer
        with closing(sqlite3.connect(store)) as database:
            database.execute(f"PRAGMA journal_mode = {mode}").fetchone()
    assert is_sealed(store, written(store))


def test_the_quick_look_reads_only_the_header(store, monkeypatch):
    text = written(store)
    monkeypatch.setattr("geonotice.io.source_files._sum", lambda *_: pytest.fail("the content was read"))
    assert is_sealed(store, text)


def test_a_changed_owner_breaks_the_seal(store):
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE owners SET names = 'SOMEONE ELSE' WHERE rowid = 7")
    assert not is_sealed(store, written(store))


def test_a_changed_owner_breaks_the_seal_though_the_time_is_put_back(store):
    before = store.stat().st_mtime_ns
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE owners SET names = 'SOMEONE ELSE' WHERE rowid = 7")
    os.utime(store, ns=(before, before))
    assert not is_sealed(store, written(store))


def test_a_change_that_is_still_in_a_journal_breaks_the_seal(store):
    database = sqlite3.connect(store)
    database.execute("PRAGMA journal_mode = wal").fetchone()
    database.execute("UPDATE owners SET names = 'SOMEONE ELSE' WHERE rowid = 7")
    database.commit()
    assert not is_sealed(store, written(store))
    database.close()


def test_a_town_whose_store_was_changed_is_refused(southampton, tmp_path):
    town = tmp_path / "town"
    shutil.copytree(southampton, town)
    open_store(town).store.close()
    with closing(sqlite3.connect(town / "store.gpkg")) as database, database:
        database.execute("UPDATE owners SET names = 'SOMEONE ELSE' WHERE rowid = 7")
    with pytest.raises(StoreError, match="changed since import wrote it"):
        open_store(town)


def test_every_damaged_page_of_a_store_is_told_in_words(southampton, tmp_path):
    path = tmp_path / "store.gpkg"
    data = (southampton / "store.gpkg").read_bytes()
    said = []
    for page in range(1, len(data) // 4096, max(1, len(data) // 4096 // 60)):
        path.write_bytes(data[: page * 4096] + b"\xa5" * 4096 + data[(page + 1) * 4096 :])
        try:
            with Store(path) as store:
                assert not is_sealed(path, store.meta["seal"])
                block = store.parcels(range(1, store.count() + 1))
                store.owners_of([parcel.fid for parcel in block.parcels])
                store.parcels_in((0, 0, 1e9, 1e9))
                store.problems()
        except StoreError as error:
            said.append(str(error))
    assert said
    assert all("geonotice import" in text for text in said)
