"""The page of the layers: what they are, whether the store is what they say, and an import with what it changed."""

import re
import sqlite3
from contextlib import closing

import pytest
from desk_toys import copied, desk_at, layers_imported, sit_down, token_of, words_of


@pytest.fixture
def town(southampton, tmp_path):
    return copied(southampton, tmp_path / "southampton")


def test_it_names_each_source_with_its_age_and_what_was_found(southampton):
    with desk_at(southampton) as client:
        page = client.get("/layers").text
        said = words_of(page)
        for word in (
            "parcels.gpkg",
            "zoning.geojson",
            "July 1, 2026",
            "5 months",
            "2026 final",
            "The store is what the files say today",
        ):
            assert word in said
        assert "Town of Southampton" in said
        (code, *_) = re.findall(r'<option value="([a-z_]+)"', page)
        assert f'value="{code}" selected' in client.get(f"/layers?code={code}").text
        assert client.get("/layers?page=99").status_code == 200
        assert client.get("/layers?code=%3Cb%3E").status_code == 200


def test_a_layer_that_has_changed_is_told_and_an_import_says_what_it_changed(town):
    with closing(sqlite3.connect(town / "parcels.gpkg")) as layer, layer:
        columns = [row[1] for row in layer.execute("PRAGMA table_info(parcels)")]
        owner = next(name for name in columns if "OWNER" in name.upper())
        for (trigger,) in layer.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            layer.execute(f'DROP TRIGGER "{trigger}"')
        first, second = (row[0] for row in layer.execute("SELECT rowid FROM parcels ORDER BY rowid LIMIT 2"))
        layer.execute(f"UPDATE parcels SET \"{owner}\" = 'NEWCOMER <b>ANN</b>' WHERE rowid = ?", (first,))  # noqa: S608  # the layer's own column
        layer.execute("DELETE FROM parcels WHERE rowid = ?", (second,))
    with desk_at(town) as client:
        sit_down(client)
        said = words_of(client.get("/layers").text)
        assert "No list can be made now" in said
        assert "parcels.gpkg" in said
        assert client.get("/").status_code == 503
        page = layers_imported(client).text
        said = words_of(page)
        assert "By R. Clerk on November 30, 2026" in said
        assert "1 gone" in said
        assert "1 with other names of owners" in said
        assert "0 new" in said
        assert client.get("/").status_code == 200


def test_an_import_that_fails_says_why_and_leaves_the_store_as_it_was(town):
    before = (town / "store.gpkg").read_bytes()
    (town / "zoning.geojson").write_text("no layer at all", encoding="utf-8")
    with desk_at(town) as client:
        sit_down(client)
        answer = layers_imported(client)
        assert answer.status_code == 400
        assert "zoning.geojson" in words_of(answer.text)
    assert (town / "store.gpkg").read_bytes() == before


def test_without_a_name_no_import_begins(town):
    with desk_at(town) as client:
        answer = client.post("/layers/import", data={"token": token_of(client.get("/layers").text)})
        assert answer.headers["location"].startswith("/who?next=")


def test_a_town_without_a_store_can_be_imported_there(town):
    (town / "store.gpkg").unlink()
    with desk_at(town) as client:
        assert "have not been imported yet" in words_of(client.get("/layers").text)
        client.get("/who")
        sit_down(client)
        assert "897 parcels" in words_of(layers_imported(client).text)
