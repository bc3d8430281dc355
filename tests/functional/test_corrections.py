"""The corrections file: what the town found out is on every list, with who, when and why; and "owner or current resident" on one letter."""

import csv
import io
import json
from pathlib import Path

import geopandas as gpd
import pytest
import shapely
from program import HEAVY, imported_by, run, run_here

from geonotice.config.corrections import FIELDS
from geonotice.errors import CorrectionsError, TownFileError

HEAD = "parcel,field,value,by,on,why,was\n"
ASKED = ["1-1", "--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]


def lot(number, owner, *, place="", mail="", city="Naples", code="14512", kind="210", owner_2=None):
    return {
        "PRINT_KEY": number, "SWIS": "572400", "MUNI_NAME": "Italy", "PARCEL_ADDR": place, "PROP_CLASS": kind, "PRIMARY_OWNER": owner,
        "ADD_OWNER": owner_2, "ADD_MAIL_ADDR": "9 Elm St" if owner_2 else None, "ADD_MAIL_CITY": "Ovid" if owner_2 else None,
        "ADD_MAIL_STATE": "NY" if owner_2 else None, "ADD_MAIL_ZIP": "14521" if owner_2 else None, "LOC_ZIP": "14512", "CITYTOWN_NAME": "Italy",
        "MAIL_ADDR": mail or None, "MAIL_CITY": city or None, "MAIL_STATE": "NY" if owner else None, "MAIL_ZIP": code or None,
    }  # fmt: skip


LOTS = (
    lot("1-1", "FAIR ASSOCIATION", place="1 Fair Rd", mail="PO Box 1"),
    lot("1-2", "DOE, JANE", place="2 Main St", city="", code=""),
    lot("1-3", None, city="", code=""),
    lot("1-4", "ROE, R.", place="4 Main St", mail="4 Main St", kind="220"),
    lot("1-5", "POE, A.", place="5 Main St", mail="PO Box 5", owner_2="COE, B."),
    lot("1-6", "LOE, C.", place="6 Main St", mail="6 Main St", kind="220"),
)


@pytest.fixture
def town(tmp_path) -> Path:
    """Return a town of six lots in a row, imported, with a corrections file that says nothing yet."""
    return write_town(tmp_path)


def write_town(folder, *, as_of="2026-07-01", settings="", rows=LOTS):
    shapes = [shapely.box(700_000 + 100 * n, 1_000_000, 700_100 + 100 * n, 1_000_100) for n in range(len(rows))]
    gpd.GeoDataFrame([dict(row) for row in rows], geometry=shapes, crs="EPSG:2261").to_file(
        folder / "parcels.gpkg", driver="GPKG"
    )
    (folder / "town.toml").write_text(
        f'[town]\nname = "Town of Italy"\nordinance = "italy"\ncrs = "EPSG:2261"\nswis = ["5724"]\n'
        f'[[layers.parcels]]\npath = "parcels.gpkg"\nas_of = {as_of}\nroll_year = 2026\nfinal = true\n[layers.parcels.fields]\ntax_map_number = "PRINT_KEY"\n'
        f'[settings]\n{settings}\n[corrections]\npath = "corrections.csv"\n',
        encoding="utf-8",
    )
    file = folder / "corrections.csv"
    if not file.exists():
        file.write_text(HEAD, encoding="utf-8")
    run_here("import", folder)
    return folder


def correct(town, *rows):
    """Write rows of the corrections file: parcel, field, value, and the owner's name of then if any."""
    file = io.StringIO()
    csv.writer(file).writerows(
        [parcel, name, value, "R. Doe", on, "the tax bill", was] for parcel, name, value, on, was in map(_full, rows)
    )
    (town / "corrections.csv").write_text(HEAD + file.getvalue(), encoding="utf-8")


def _full(row):
    parcel, name, value, *more = row
    return parcel, name, value, (more[0] if more else "2026-08-30"), (more[1] if len(more) > 1 else "")


def record(town, *more):
    return json.loads(run_here("notice", town, *ASKED, *more, "--json").stdout)


def letters(made, role="owner"):
    return {tuple(one["parcels"]): one for one in made["recipients"] if one["role"] == role}


def codes(made):
    return {one["code"]: one for one in made["warnings"]}


def refused(town):
    with pytest.raises(CorrectionsError) as caught:
        raise run_here("notice", town, *ASKED, "--json", expect=1).exception
    return [(fault.what, fault.parcel) for fault in caught.value.faults]


class TestWhatIsCorrected:
    def test_an_address_that_was_found_makes_the_letter(self, town):
        assert letters(record(town))["1-2",]["mailable"] is False
        correct(
            town,
            ("1-2", "address", "c/o A. Roe|77 New Road"),
            ("1-2", "city", "Ovid"),
            ("1-2", "state", "NY"),
            ("1-2", "zip", "14521"),
        )
        made = record(town)
        found = letters(made)["1-2",]
        assert (found["address"], found["city"], found["zip"], found["mailable"]) == (
            ["c/o A. Roe", "77 New Road"],
            "Ovid",
            "14521",
            True,
        )
        assert "correction: address (R. Doe, 2026-08-30: the tax bill)" in found["reasons"]
        assert "1-2" not in codes(made).get("unmailable", {}).get("parcels", [])

    def test_the_record_has_what_was_before_and_the_file_with_its_hash(self, town):
        correct(town, ("1-5", "owner_1", "POE, AGNES"))
        made = record(town)
        (one,) = made["corrections"]
        assert (one["parcel"], one["field"], one["value"], one["before"], one["by"]) == (
            "1-5",
            "owner_1",
            "POE, AGNES",
            "POE, A.",
            "R. Doe",
        )
        (source,) = [one for one in made["sources"] if one["layer"] == "corrections"]
        assert (source["path"], len(source["sha256"]), source["features"]) == ("corrections.csv", 64, 1)

    def test_an_owner_where_the_roll_has_none(self, town):
        assert "1-3" in codes(record(town))["owner_unknown"]["parcels"]
        correct(
            town,
            ("1-3", "owner", "NEWLAND LLC"),
            ("1-3", "address", "PO Box 3"),
            ("1-3", "city", "Ovid"),
            ("1-3", "state", "NY"),
        )
        made = record(town)
        assert letters(made)["1-3",]["name"] == "NEWLAND LLC"
        assert "owner_unknown" not in codes(made)

    def test_the_second_owner_alone(self, town):
        correct(town, ("1-5", "address_2", "10 Elm St"))
        assert sorted(
            one["address"][0] for one in record(town)["recipients"] if one["role"] == "owner" and one["parcels"] == ["1-5"]
        ) == ["10 Elm St", "PO Box 5"]

    def test_units_are_added_and_take_nothing_away(self, town):
        before = [one["address"] for one in record(town)["recipients"] if one["role"] == "resident" and one["parcels"] == ["1-4"]]
        correct(town, ("1-4", "unit", "APT 2"), ("1-4", "unit", "APT 3"), ("1-4", "resident", "4 Back Lane, Ovid NY 14521"))
        made = record(town)
        found = [one for one in made["recipients"] if one["role"] == "resident" and one["parcels"] == ["1-4"]]
        assert before == [["4 Main St"]]
        assert [one["address"] for one in found] == [["4 Main St"], ["4 Main St APT 2"], ["4 Main St APT 3"], ["4 Back Lane"]]
        assert (found[-1]["city"], found[-1]["zip"]) == ("Ovid", "14521")
        assert "1-4" not in codes(made)["units_unknown"]["parcels"]

    def test_the_propertys_own_address_is_that_of_the_residents_letter(self, town):
        correct(town, ("1-3", "situs", "3 Main St"), ("1-3", "situs_zip", "14512"))
        made = record(town)
        found = letters(made, "resident")["1-3",]
        assert (found["address"], found["zip"]) == (["3 Main St"], "14512")
        assert "correction: situs (R. Doe, 2026-08-30: the tax bill)" in found["reasons"]
        assert "no_house_number" not in codes(made)

    def test_who_is_not_to_be_mailed_stays_on_the_list_with_the_reason(self, town):
        correct(town, ("1-5", "not_mailed", "Poe A."))
        made = record(town)
        found = [one for one in made["recipients"] if one["role"] == "owner" and one["parcels"] == ["1-5"]]
        assert [(one["name"], one["mail"], one.get("review", [])) for one in found] == [
            ("POE, A.", "none", ["not_mailed"]),
            ("COE, B.", "first_class", []),
        ]
        assert codes(made)["not_mailed_by_correction"]["parcels"] == ["1-5"]
        assert "1 not mailed by a correction" in " ".join(run_here("notice", town, *ASKED).stdout.split())

    def test_the_packet_shows_it(self, town, tmp_path):
        correct(town, ("1-2", "address", "77 <New> Road"), ("1-2", "zip", "14521"))
        run_here("notice", town, *ASKED, "--out", tmp_path / "packet")
        page = (tmp_path / "packet" / "index.html").read_text(encoding="utf-8")
        assert "Corrected by the town" in page
        assert "77 &lt;New&gt; Road" in page
        assert "correction: address (R. Doe, 2026-08-30: the tax bill)" in (tmp_path / "packet" / "notice-list.csv").read_text(
            encoding="utf-8"
        )

    def test_parcel_shows_it_too(self, town):
        correct(town, ("1-2", "owner", "DOE, JANET"))
        assert "DOE, JANET" in run_here("parcel", town, "1-2", "--json").stdout

    def test_it_counts_without_another_import_and_without_heavy_libraries(self, town):
        correct(town, ("1-2", "address", "77 New Road"))
        assert imported_by("notice", town, *ASKED, "--json") & set(HEAVY) == set()

    def test_what_excel_saves_is_read(self, town):
        text = HEAD.replace(",", ";") + "1-2;address;Straße 7;R. Doe;8/30/2026;the tax bill;\n"
        (town / "corrections.csv").write_bytes(text.encode("cp1252"))
        (one,) = record(town)["corrections"]
        assert (one["value"], one["on"]) == ("Straße 7", "2026-08-30")


class TestWhatIsWrongWithTheFile:
    def test_all_faults_at_once_with_their_rows(self, town):
        (town / "corrections.csv").write_text(
            HEAD
            + "1-2,adress,77 New Road,R. Doe,2026-08-30,why,\n1-2,zip,,R. Doe,2026-08-30,why,\n1-2,city,Ovid,,,,\n1-2,state,NY,R. Doe,30.8.2026,why,\n"
            "1-2,zip,2101,R. Doe,2026-08-30,why,\n1-2,country,x,R. Doe,2026-08-30,why,,more\n",
            encoding="utf-8",
        )
        said = refused(town)
        assert [what.partition(":")[0] for what, _ in said] == ["row 2", "row 3", "row 4", "row 5", "row 7", "row 6"]
        for words, (what, _) in zip(
            ("'adress'", "value is empty", "by, on, why are empty", "no day", "more cells", "2101"), said, strict=True
        ):
            assert words in what

    def test_parcels_and_owners_that_are_not_there(self, town):
        correct(
            town,
            ("9-9", "zip", "14521"),
            ("1-5", "zip", "14521"),
            ("1-5", "not_mailed", "NOBODY"),
            ("1-5", "zip_4", "14521"),
        )
        said = refused(town)
        for words in (
            "9-9",
            "2 owners of record",
            "called 'NOBODY'",
            "2 owners of record, so there is nobody whose zip",
        ):
            assert any(words in f"{what} {parcel}" for what, parcel in said), words
        assert len(said) == 4

    def test_two_rows_that_state_one_thing(self, town):
        correct(town, ("1-2", "zip", "14521"), ("1-2", "zip", "14522"))
        assert "rows 2 and 3: both state the zip" in refused(town)[0][0]

    def test_a_file_without_its_columns(self, town):
        (town / "corrections.csv").write_text("parcel,field,value\n1-2,zip,14521\n", encoding="utf-8")
        assert "no column by, on, why" in refused(town)[0][0]

    def test_a_file_that_is_gone(self, town):
        (town / "corrections.csv").unlink()
        assert "cannot be read" in refused(town)[0][0]
        with pytest.raises(TownFileError):
            raise run_here("import", town, expect=1).exception

    @pytest.mark.parametrize("text", ["", HEAD, HEAD + ",,,,,,\n"])
    def test_an_empty_file_corrects_nothing(self, town, text):
        (town / "corrections.csv").write_text(text, encoding="utf-8")
        assert record(town)["corrections"] == []

    def test_a_file_that_the_town_file_does_not_name_is_a_warning(self, town):
        file = town / "town.toml"
        file.write_text(file.read_text(encoding="utf-8").partition("[corrections]")[0], encoding="utf-8")
        run_here("import", town)
        assert "corrections_not_named" in codes(record(town))


class TestWhatHasGoneOn:
    def test_a_row_that_changes_nothing_any_more(self, town):
        correct(town, ("1-4", "city", "NAPLES"))
        made = record(town)
        assert codes(made)["correction_no_change"]["parcels"] == ["1-4"]
        assert "row 2 (city, 2026-08-30)" in codes(made)["correction_no_change"]["text"]

    def test_another_owner_gets_no_mail_at_the_address_of_the_one_before(self, town):
        correct(town, ("1-4", "address", "77 New Road", "2026-08-30", "SOLD, S."))
        made = record(town)
        assert letters(made)["1-4",]["address"] == ["4 Main St"]
        assert codes(made)["correction_owner_changed"]["parcels"] == ["1-4"]
        assert made["corrections"] == []

    def test_the_same_owner_however_spelled(self, town):
        correct(town, ("1-4", "address", "77 New Road", "2026-08-30", "Roe R"))
        assert letters(record(town))["1-4",]["address"] == ["77 New Road"]

    def test_a_row_older_than_the_layer_is_applied_and_to_be_looked_at(self, town):
        correct(town, ("1-4", "address", "77 New Road", "2025-08-30"))
        made = record(town)
        assert letters(made)["1-4",]["address"] == ["77 New Road"]
        assert codes(made)["correction_older"]["parcels"] == ["1-4"]

    def test_the_place_of_a_record_without_a_number_counts_only_while_the_layer_is_the_same(self, tmp_path):
        rows = (*LOTS[:2], {**LOTS[3], "PRINT_KEY": None})
        town = write_town(tmp_path, rows=rows)
        correct(town, ("#3", "owner", "NEWLAND LLC"))
        assert letters(record(town))["#3",]["name"] == "NEWLAND LLC"
        correct(town, ("#3", "owner", "NEWLAND LLC", "2026-06-30"))
        assert "has changed since 2026-06-30" in refused(town)[0][0]


class TestOwnerOrCurrentResident:
    def test_by_itself_both_get_a_letter(self, town):
        made = record(town)
        assert letters(made)["1-4",]["name"] == "ROE, R."
        assert letters(made, "resident")["1-4",]["address"] == ["4 Main St"]
        assert made["settings"]["combine_residents"] is False

    def test_as_a_choice_one_letter_names_both_and_both_are_counted(self, tmp_path):
        town = write_town(tmp_path, settings="combine_residents = true")
        made = record(town)
        one = letters(made)["1-4",]
        assert (one["name"], one["name_2"], one["also_residents"]) == ("ROE, R.", "OR CURRENT RESIDENT", 1)
        assert ("1-4",) not in letters(made, "resident")
        assert "also the resident's letter: same address" in one["reasons"]
        assert made["settings"]["combine_residents"] is True
        assert [(one["owners"], one["residents"]) for one in made["parcels"] if one["id"] == "1-4"] == [(1, 1)]
        assert "2 on the owner's letter" in " ".join(run_here("notice", town, *ASKED).stdout.split())
        assert [one["number"] for one in made["recipients"]] == list(range(1, len(made["recipients"]) + 1))

    def test_an_owner_elsewhere_and_one_who_is_not_mailed_carry_nobody(self, tmp_path):
        town = write_town(tmp_path, settings="combine_residents = true")
        correct(town, ("1-4", "not_mailed", "ROE, R."))
        made = record(town)
        assert ("1-4",) in letters(made, "resident")
        assert ("1-5",) in letters(made, "resident")


class TestTheEventFile:
    def test_contradictions_about_the_days_of_the_notice_are_on_the_list(self, town, tmp_path):
        event = tmp_path / "event.toml"
        event.write_text(
            '[event]\nkind = "festival"\nstarts = 2026-10-10\nends = 2026-10-10\npersons_total = 10\npersons_at_once = 20\n'
            '[premises]\nparcels = ["1-1"]\n[notice_given]\nhearing = 2026-10-20\n',
            encoding="utf-8",
        )
        made = json.loads(run("notice", town, "--for", "hearing", "--event", event, "--on", "2026-09-01", "--json").stdout)
        said = [one["text"] for one in made["warnings"] if one["code"] == "answers_conflict"]
        assert len(said) == 1
        assert "notice_given.hearing" in said[0]


class TestTheCommand:
    WHO = ("--why", "Telephone call with the owner", "--by", "Ann Roe", "--on", "2026-09-01")

    def test_what_it_writes_is_on_the_next_list_with_who_and_why(self, town):
        run("correct", town, "1-2", "address=7 New Rd", "city=Naples", "state=NY", "zip=14512", *self.WHO)
        (letter,) = (one for one in record(town)["recipients"] if one["parcels"] == ["1-2"] and one["role"] == "owner")
        assert (letter["address"], letter["zip"]) == (["7 New Rd"], "14512")
        assert "Ann Roe,2026-09-01,Telephone call with the owner" in (town / "corrections.csv").read_text("utf-8-sig")

    def test_an_earlier_row_is_replaced_only_where_that_is_asked(self, town):
        run("correct", town, "1-2", "zip=14512", *self.WHO)
        refused = run("correct", town, "1-2", "zip=14513", *self.WHO, expect=2)
        assert "Give --replace, if yours is right" in refused.stderr
        done = json.loads(run("correct", town, "1-2", "zip=14513", *self.WHO, "--replace", "--json").stdout)
        assert (done["fields"], done["replaced"]) == (["zip"], 1)

    @pytest.mark.parametrize(
        ("given", "told"),
        [(["foo=1"], "there is no field 'foo'"), (["zip"], "'zip' corrects nothing"), (["owner=JANE DOE", "zip==x"], "begins as a formula"), (["situs="], "situs would be empty")],
    )  # fmt: skip
    def test_what_cannot_stand_there_is_not_written(self, town, given, told):
        file = town / "corrections.csv"
        before = file.read_bytes() if file.exists() else None
        assert told in run("correct", town, "1-2", *given, *self.WHO, expect=2).stderr
        assert (file.read_bytes() if file.exists() else None) == before


def test_the_guide_names_every_field(root):
    guide = (root / "docs" / "town-file.md").read_text(encoding="utf-8")
    assert [name for name in FIELDS if f"`{name}`" not in guide] == []


def test_init_offers_the_corrections_file(tmp_path):
    gpd.GeoDataFrame(
        [dict(row) for row in LOTS[:2]], geometry=[shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)], crs="EPSG:2261"
    ).to_file(tmp_path / "p.gpkg", driver="GPKG")
    run_here("init", tmp_path / "t", "--parcels", tmp_path / "p.gpkg", "--ordinance", "italy")
    text = (tmp_path / "t" / "town.toml").read_text(encoding="utf-8")
    assert '# [corrections]\n# path = "corrections.csv"' in text
    assert "# combine_residents = false" in text
