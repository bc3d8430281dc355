"""Start a town, and answer its town file: what is asked, what the answer changes, what stays."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from geonotice.config.read_town import read_town_file
from geonotice.errors import MissingField, TownFileError, UsageError
from geonotice.workflow.importing import Started, import_layers, init_town


def layer(folder: Path, **columns: str) -> Path:
    """Write lots in a row, 100 ft wide; ``{n}`` in a column's text is the lot's number."""
    features = []
    for n in range(1, 21):
        x, y = 650_000 + 100 * n, 1_000_000
        ring = [[x, y], [x + 100, y], [x + 100, y + 100], [x, y + 100], [x, y]]
        properties = {name: text.replace("{n}", str(n)) for name, text in columns.items()}
        features.append({"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}})
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2261"}}
    file = folder / "parcels.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": features}))
    return file


def started(folder: Path, **columns: str) -> Started:
    return init_town(folder / "town", parcels=layer(folder, **columns), ordinance="italy")


def owners(folder: Path) -> list[tuple[str, ...]]:
    import_layers(folder / "town")
    with sqlite3.connect(folder / "town" / "store.gpkg") as db:
        return db.execute(
            "SELECT p.id, names, address, city, zip FROM owners JOIN parcels p ON p.fid = parcel_fid ORDER BY p.fid"
        ).fetchall()


UNKNOWN = {"PIN": "1-{n}", "Eigner": "SMITH JOHN {n} LLC", "Anschrift": "{n} ELM ST", "Ort": "NAPLES, NY 14512"}


class TestOwnersInColumnsOfUnknownNames:
    def test_are_asked_about_and_import_refuses(self, tmp_path: Path):
        made = started(tmp_path, **UNKNOWN)
        assert len(made.questions) == 3
        assert "Eigner" in made.questions[0]
        assert "Anschrift" in made.questions[1]
        assert "Ort" in made.questions[2]
        with pytest.raises(MissingField):
            import_layers(tmp_path / "town")

    def test_are_read_once_answered_and_what_the_clerk_wrote_stays(self, tmp_path: Path):
        made = started(tmp_path, **UNKNOWN)
        file = made.file
        file.write_text(
            file.read_text()
            .replace("# as_of = YYYY-MM-DD  ", "as_of = 2026-07-01  # seen by R. Doe")
            .replace('name = "town"', 'name = "Town of X"')
        )
        again = init_town(tmp_path / "town", fields={"owner": "Eigner", "mail_address": "anschrift"})
        assert [question[:60] for question in again.questions] == [made.questions[2][:60]]
        last = init_town(tmp_path / "town", fields={"mail_city_state_zip": "Ort"})
        assert not last.questions
        assert "# seen by R. Doe" in file.read_text()
        assert 'name = "Town of X"' in file.read_text()
        assert owners(tmp_path)[6] == ("1-7", "SMITH JOHN 7 LLC", "7 ELM ST", "NAPLES", "14512")

    def test_may_be_said_to_be_none(self, tmp_path: Path):
        started(tmp_path, PIN="1-{n}", Architekt="SMITH JOHN {n}")
        assert not init_town(tmp_path / "town", fields={"owner": "="}).questions
        assert {(names, address) for _, names, address, _, _ in owners(tmp_path)} == {("", "")}

    def test_an_answer_that_names_no_column_leaves_the_file_as_it_was(self, tmp_path: Path):
        file = started(tmp_path, **UNKNOWN).file
        before = file.read_text()
        with pytest.raises(MissingField, match="there is no column 'Owner'"):
            init_town(tmp_path / "town", fields={"owner": "Owner"})
        with pytest.raises(TownFileError, match="is not a field"):
            init_town(tmp_path / "town", fields={"ownr": "Eigner"})
        assert file.read_text() == before


class TestJoinedFields:
    def test_make_the_number_where_no_column_has_it(self, tmp_path: Path):
        made = started(
            tmp_path,
            DISTRICT="0900",
            SECTION="12300",
            BLOCK="0100",
            LOT="0{n}000",
            OWNER="OWNER {n}",
            MAIL_ADDR="{n} ELM ST",
            MAIL_CITY="LEE",
            MAIL_ZIP="14512",
        )
        assert 'tax_map_number = "DISTRICT + SECTION + BLOCK + LOT"' in made.file.read_text()
        assert owners(tmp_path)[10][0] == "0900-123.00-01.00-011.000"

    def test_and_constants_may_be_given(self, tmp_path: Path):
        source = layer(tmp_path, A="7", B="{n}", VORNAME="ANN", NAME="LEE {n}", STREET="{n} ELM ST")
        fields = {
            "tax_map_number": "A + B",
            "owner": "NAME + ', ' + VORNAME",
            "mail_address": "STREET",
            "mail_city": "=Naples",
            "mail_zip": "=14512",
        }
        made = init_town(tmp_path / "town", parcels=source, ordinance="italy", fields=fields)
        assert not made.questions
        assert owners(tmp_path)[0] == ("7-1", "LEE 1, ANN", "1 ELM ST", "Naples", "14512")


SEVERAL = {
    "PIN": "1-{n}",
    "TOWN": "ITALY",
    "OWNER": "OWNER {n}",
    "MAIL_ADDR": "{n} ELM ST",
    "MAIL_CITY": "LEE",
    "MAIL_ZIP": "14512",
}


class TestTheTownsOwnMunicipality:
    def test_is_asked_for_where_the_layer_names_several(self, tmp_path: Path):
        source = layer(tmp_path, **SEVERAL)
        source.write_text(source.read_text().replace('"TOWN": "ITALY"', '"TOWN": "NAPLES"', 5))
        made = init_town(tmp_path / "town", parcels=source, ordinance="italy")
        assert "ITALY (15 rows), NAPLES (5 rows)" in made.questions[0]
        with pytest.raises(TownFileError, match="left open"):
            import_layers(tmp_path / "town")
        assert not init_town(tmp_path / "town", municipality=["Italy"]).questions
        assert read_town_file(tmp_path / "town").municipality == ("ITALY",), "as the layer writes it"

    def test_is_not_asked_for_where_it_names_one(self, tmp_path: Path):
        assert not started(tmp_path, **SEVERAL).questions


def test_a_town_file_that_is_there_is_not_written_over(tmp_path: Path):
    started(tmp_path, **SEVERAL)
    with pytest.raises(UsageError, match="--field NAME=COLUMN"):
        init_town(tmp_path / "town", parcels=tmp_path / "parcels.geojson", ordinance="italy")


def test_the_date_to_fill_in_cannot_be_taken_as_it_is(tmp_path: Path):
    file = started(tmp_path, **SEVERAL).file
    file.write_text(file.read_text().replace("# as_of = ", "as_of = "))
    with pytest.raises(TownFileError):
        import_layers(tmp_path / "town")


def test_names_cut_at_one_length_are_a_warning(tmp_path: Path):
    file = layer(tmp_path, PIN="1-{n}", OWNER="SMITH {n}", MAIL_ADDR="{n} ELM ST", MAIL_CITY="LEE", MAIL_ZIP="14512")
    file.write_text(re.sub(r"SMITH \d+", lambda found: f"{found[0]} AND HISFAMILY"[:20], file.read_text()))
    init_town(tmp_path / "town", parcels=file, ordinance="italy")
    (warning,) = [text for text in import_layers(tmp_path / "town").warnings if "cut" in text]
    assert "20 owners' names are exactly 20 characters long and none is longer ('SMITH 1 AND HISFAMIL'" in warning


def test_a_key_that_was_passed_over_still_finds_its_parcel(tmp_path: Path):
    from geonotice.store import Store

    started(
        tmp_path, PIN="1-{n}", PARCELID="572400{n}", OWNER="OWNER {n}", MAIL_ADDR="{n} ELM ST", MAIL_CITY="LEE", MAIL_ZIP="14512"
    )
    import_layers(tmp_path / "town")
    with Store(tmp_path / "town" / "store.gpkg") as store:
        assert store.find("57240012").id == "1-12"
        assert [parcel.id for parcel in store.search("57240012")] == ["1-12"]


class TestPremisesInAnotherMunicipality:
    def test_are_outside_the_town_without_swis_codes(self, tmp_path: Path):
        from datetime import date

        import geonotice

        source = layer(tmp_path, **SEVERAL)
        source.write_text(source.read_text().replace('"TOWN": "ITALY"', '"TOWN": "NAPLES"', 5))
        init_town(tmp_path / "town", parcels=source, ordinance="italy", municipality=["ITALY"])
        import_layers(tmp_path / "town")
        with geonotice.open_town(tmp_path / "town") as town:
            away, home = (
                town.notice([number], occasion="hearing", hearing=date(2027, 2, 2), on=date(2026, 12, 1))
                for number in ("1-3", "1-18")
            )
        assert next(warning.text for warning in away.warnings if warning.code == "outside_town").startswith(
            "Premises lie in NAPLES, not in"
        )
        assert "outside_town" not in {warning.code for warning in home.warnings}
