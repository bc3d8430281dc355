"""``verify``: a packet made again from its sources, a second opinion on it, and papers held against the record."""

import builtins
import json
import shutil

import geopandas
import pytest
from profile_toys import PERMIT, rule, text_of, town_of
from program import exit_code, run_here

LAND = {f"1-{n}": (n * 100, 0, n * 100 + 100, 100) for n in range(8)}
"""Eight lots of 100 ft in a row; the premises are the first, and 250 ft reach the lots 1 to 3."""
ASKED = ["1-0", "--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]
TABLE = '[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\ndistance_ft = 250.0\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a town with a packet in it, to be copied."""
    town = town_of(tmp_path_factory.mktemp("verify"), text_of(PERMIT, rule("near", "distance_notice", tables=TABLE)), LAND)
    run_here("notice", town, *ASKED, "--drop", "1-2=sold", "--add", "1-6=asked", "--by", "R. Doe", "--out", town / "packet")
    return town


@pytest.fixture
def town(made, tmp_path):
    shutil.copytree(made, tmp_path / "town")
    return tmp_path / "town"


def verified(town, *more, expect=0):
    return json.loads(run_here("verify", town / "packet", *more, "--json", expect=expect).stdout)


def statuses(found):
    return {one["check"]: one["status"] for one in found["checks"]}


def change_record(town, change):
    file = town / "packet" / "record.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    change(record)
    file.write_text(json.dumps(record), encoding="utf-8")


class TestTheSameList:
    def test_every_check_passes_with_the_overrides_of_the_record(self, town):
        found = verified(town)
        assert found["same"]
        assert set(statuses(found).values()) == {"passed"}
        assert found["recipients"] == found["parcels"] == found["other"] == []
        complete = next(one for one in found["checks"] if one["check"] == "nobody missing within the distance")
        assert complete["text"].startswith("3 parcels of 8 lie within 255.00 ft")

    def test_without_a_store_the_sources_are_imported_into_a_folder_that_is_removed(self, town):
        (town / "store.gpkg").unlink()
        found = verified(town)
        assert found["same"]
        assert "imported anew" in next(one["text"] for one in found["checks"] if one["check"] == "list made again")
        assert not (town / "store.gpkg").exists()

    def test_the_packet_may_lie_elsewhere_if_the_town_is_named(self, town, tmp_path, capsys):
        shutil.move(town / "packet", tmp_path / "moved")
        assert exit_code("verify", tmp_path / "moved") == 2
        assert "name the town with --town" in capsys.readouterr().err.casefold()
        assert exit_code("verify", tmp_path / "moved", "--town", town) == 0

    def test_other_settings_of_today_are_told_and_those_of_the_record_hold(self, town):
        file = town / "town.toml"
        file.write_text(file.read_text(encoding="utf-8") + "\n[settings]\nborderline_ft = 0.0\n", encoding="utf-8")
        found = verified(town)
        assert found["same"]
        assert any("borderline_ft = 0.0, the record 5.0" in one["text"] for one in found["checks"])

    def test_full_labels_pass_and_letters_to_be_addressed_by_hand_have_none(self, tmp_path):
        owners = [
            "THE PREMISES",
            "<b>BOLD</b> & <script>alert(1)</script> LLC",
            "GOLDENROD-FEATHERSTONEHAUGH ALEXANDRIA MAXIMILIANA & THE VERY LONG FAMILY IRREVOCABLE LIVING TRUST DATED DECEMBER 31 1999",
            "王小明",
        ]
        profile = text_of(PERMIT, rule("near", "distance_notice", tables=TABLE))
        lots = dict(list(LAND.items())[:4])
        town = town_of(tmp_path, profile, lots, PRIMARY_OWNER=owners, MAIL_ADDR=["12 RUE DE L'EGLISE"] * 4)
        run_here("notice", town, *ASKED, "--out", town / "packet")
        record = json.loads((town / "packet" / "record.json").read_bytes())
        assert "label_by_hand" in {warning["code"] for warning in record["warnings"]}
        assert statuses(verified(town, "--quick"))["labels.pdf"] == "passed"

    def test_a_letter_left_off_the_labels_as_asked_has_none(self, town):
        run_here("notice", town, *ASKED, "--by-hand", "2", "--start-at", "3", "--out", town / "packet")
        record = json.loads((town / "packet" / "record.json").read_bytes())
        assert record["labels"] == {"start_at": 3, "by_hand": [2]}
        assert statuses(verified(town, "--quick"))["labels.pdf"] == "passed"
        change_record(town, lambda record: record.pop("labels"))
        assert statuses(verified(town, "--quick", expect=5))["labels.pdf"] == "failed"

    def test_article_numbers_written_into_the_list_are_no_change(self, town):
        file = town / "packet" / "notice-list.csv"
        lines = file.read_bytes().decode("utf-8-sig").splitlines()
        lines[1] = lines[1].removesuffix('""') + '"9407 3000 0000 0000 0000 00"'
        file.write_text("\ufeff" + "\r\n".join(lines) + "\r\n", encoding="utf-8", newline="")
        assert verified(town)["same"]

    def test_without_fiona_it_reads_through_pyogrio_and_says_so(self, town, monkeypatch):
        real = builtins.__import__

        def refuse(name, *rest, **more):
            if name.split(".")[0] == "fiona":
                raise ImportError(name)
            return real(name, *rest, **more)

        monkeypatch.setattr(builtins, "__import__", refuse)
        found = verified(town)
        assert found["same"]
        assert "read through pyogrio" in next(one["text"] for one in found["checks"] if one["check"] == "sources read again")

    def test_quick_leaves_the_second_opinion_out_and_says_so(self, town):
        found = verified(town, "--quick")
        assert statuses(found)["second opinion"] == "not_done"
        assert found["same"]


class TestOtherSources:
    def test_a_changed_and_a_missing_source_are_named(self, town, capsys):
        frame = geopandas.read_file(town / "parcels.gpkg")
        frame.loc[1, "PRIMARY_OWNER"] = "SOMEBODY ELSE"
        frame.to_file(town / "parcels.gpkg")
        assert exit_code("verify", town / "packet") == 3
        assert "the source parcels.gpkg (parcels) has changed since" in capsys.readouterr().err
        (town / "parcels.gpkg").unlink()
        assert exit_code("verify", town / "packet") == 3
        assert "the source parcels.gpkg (parcels) is missing" in capsys.readouterr().err

    def test_another_law_is_refused(self, town, capsys):
        file = town / "oak.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("250.0", "150.0"), encoding="utf-8")
        assert exit_code("verify", town / "packet") == 3
        assert "the ordinance profile oak.toml is not the one" in capsys.readouterr().err

    def test_a_folder_that_is_no_packet_is_refused(self, town):
        assert exit_code("verify", town) == 2


class TestAnotherList:
    def test_who_was_taken_out_of_the_record_is_new_and_the_second_opinion_finds_the_parcel(self, town):
        def forget(record):
            record["parcels"] = [one for one in record["parcels"] if one["id"] != "1-3"]
            record["recipients"] = [one for one in record["recipients"] if "1-3" not in one["parcels"]]

        change_record(town, forget)
        found = verified(town, expect=5)
        assert not found["same"]
        assert [(one["change"], one["after"]["name"]) for one in found["recipients"]] == [("new", "OWNER 1-3")]
        assert found["parcels"] == ["parcel 1-3 is new on the list (within, 200.00 ft)"]
        failed = {one["check"]: one["text"] for one in found["checks"] if one["status"] == "failed"}
        assert "1-3 (200.00 ft)" in failed["nobody missing within the distance"]
        assert "No." in failed["notice-list.csv"]

    def test_a_distance_and_an_address_that_were_changed_in_the_record_are_told(self, town):
        def change(record):
            next(one for one in record["parcels"] if one["id"] == "1-3")["distance_ft"] = 190.0
            next(one for one in record["recipients"] if one["parcels"] == ["1-1"])["address"] = ["PO BOX 99"]

        change_record(town, change)
        found = verified(town, expect=5)
        assert [one["change"] for one in found["recipients"]] == ["readdressed"]
        failed = {one["check"]: one["text"] for one in found["checks"] if one["status"] == "failed"}
        assert "1-3 is 200.00 ft from the premises, the record says 190.00" in failed["distances"]
        assert "labels.pdf" in failed

    def test_the_table_says_so_in_words(self, town):
        change_record(town, lambda record: record["recipients"].pop(0))
        done = run_here("verify", town / "packet", expect=5)
        assert "This is another list than the one that was made." in done.stdout
        assert "new: OWNER 1-1" in done.stdout


class TestPapersChangedByHand:
    def test_a_row_taken_out_of_the_list_and_a_cell_changed(self, town):
        file = town / "packet" / "notice-list.csv"
        lines = file.read_bytes().decode("utf-8-sig").splitlines()
        assert "OWNER 1-1" in lines[1]
        lines[1] = lines[1].replace("PO BOX 2", "PO BOX 3")
        file.write_text("\ufeff" + "\r\n".join(lines[:-1]) + "\r\n", encoding="utf-8", newline="")
        found = verified(town, expect=5)
        text = next(one["text"] for one in found["checks"] if one["check"] == "notice-list.csv")
        assert "No. 1: address_1 is 'PO BOX 3', the record has 'PO BOX 2'" in text
        assert "is not on it" in text
        assert found["headline"] == "The list made again is the same, but not everything holds: notice-list.csv."

    def test_a_workbook_changed_in_excel(self, town):
        import openpyxl

        file = town / "packet" / "notice-list.xlsx"
        book = openpyxl.load_workbook(file)
        book.worksheets[0].delete_rows(2)
        book.save(file)
        text = next(one["text"] for one in verified(town, expect=5)["checks"] if one["check"] == "notice-list.xlsx")
        assert "No. 1 is not on it" in text

    def test_labels_of_another_list(self, town, tmp_path):
        run_here("notice", town, *ASKED, "--out", tmp_path / "other")
        shutil.copy(tmp_path / "other" / "labels.pdf", town / "packet" / "labels.pdf")
        text = next(one["text"] for one in verified(town, expect=5)["checks"] if one["check"] == "labels.pdf")
        assert "OWNER 1-6" in text
