"""What cannot be meant as it was given is refused in words: an empty list must never read as if there were nothing."""

import json
import os
import shutil
import sys

import pytest
from program import exit_code, run, run_here

from geonotice.cli import main
from geonotice.errors import OutputError, UsageError
from geonotice.io.output_files import write_file

FREE = "0900-123.00-01.00-002.000"
TODAY = ["--on", "2026-09-01"]


def refused(*args):
    """Return the words of a refusal."""
    error = run_here(*args, expect=1).exception
    assert isinstance(error, UsageError), error
    return str(error)


class TestAPermitThatIsLookedFor:
    def test_a_status_that_there_is_none_of(self, southampton):
        assert "give one of: issued, rescinded, void" in refused("permit", "list", southampton, "--status", "cancelled").lower()

    @pytest.mark.parametrize("year", [0, 26, 99999])
    def test_a_year_that_nobody_means(self, southampton, tmp_path, year):
        for command in (
            ["permit", "list", southampton],
            ["permit", "export", southampton, tmp_path / "x.csv"],
            ["map", southampton, "--out", tmp_path / "x.html"],
        ):
            assert f"{year} is no likely year" in refused(*command, "--year", year)
        assert list(tmp_path.iterdir()) == []

    def test_the_log_of_a_permit_that_is_not_there(self, southampton):
        assert "there is no permit '2019-0001'" in refused("permit", "log", southampton, "--permit", "2019-0001")

    def test_the_log_of_one_permit_whatever_blanks_stand_around_its_number(self, southampton):
        assert json.loads(run_here("permit", "log", southampton, "--permit", " SE-2026-003 ", "--json").stdout)["log"]

    def test_options_that_only_verify_knows_and_one_that_it_does_not(self, southampton):
        assert "--verify" in refused("permit", "log", southampton, "--head", "abc")
        assert "--permit" in refused("permit", "log", southampton, "--verify", "--permit", "SE-2026-003")

    def test_the_sheet_of_a_file_that_has_none(self, southampton):
        assert "a CSV has no sheets" in refused(
            "permit", "import", southampton, southampton / "permits.csv", "--sheet", "2025", "--dry-run"
        )


class TestBytesThatAreNoText:
    """A terminal that is not set to UTF-8 hands them over; no layer, register or paper holds what they stand for."""

    @pytest.mark.parametrize(
        "args",
        [
            ["permit", "check", "TOWN", FREE, "--starts", "2026-12-20", "--applicant", b"Caf\xe9"],
            ["permit", "show", "TOWN", b"\xff"],
            ["notice", "TOWN", FREE, "--for", "appeal", "--add", b"0900-127.00-03.00-009.000=\xff"],
            ["deadlines", "TOWN", "--event", "2026-07-04", "--ics", "x.ics", "--about", b"\xff"],
        ],
        ids=lambda args: args[0],
    )
    def test_are_refused_in_words(self, southampton, capsys, args):
        assert (
            exit_code(*(os.fsdecode(arg) if isinstance(arg, bytes) else arg.replace("TOWN", str(southampton)) for arg in args))
            == 2
        )
        assert "no UTF-8" in capsys.readouterr().err


class TestTheKindOfEventIsOneHoweverItIsWritten:
    """A parade and a yard sale are not counted in the annual cap (283-2A(2), (3)(h)); no capital letter makes them other kinds."""

    @pytest.mark.parametrize("kind", ["yard_sale", "Yard Sale", "YARD-SALE", " yard  sale "])
    def test_a_yard_sale(self, southampton, kind):
        made = json.loads(
            run_here("permit", "check", southampton, FREE, "--starts", "2026-12-20", "--kind", kind, *TODAY, "--json").stdout
        )
        assert made["rule"] == "sh.yard_sale"

    def test_a_parade_needs_no_parcel(self, southampton):
        made = json.loads(
            run_here("permit", "check", southampton, "--starts", "2026-12-20", "--kind", "Parade", *TODAY, "--json").stdout
        )
        assert made["rule"] == "sh.parade30"

    def test_any_other_kind_needs_one(self, southampton):
        assert "no parcel is named" in refused(
            "permit", "check", southampton, "--starts", "2026-12-20", "--kind", "festival", *TODAY
        )


class TestAFileThatCannotBeWritten:
    def test_is_said_with_its_name_and_leaves_nothing_behind(self, southampton, tmp_path):
        (tmp_path / "folder.csv").mkdir()
        for file in (tmp_path / "nowhere" / "permits.csv", tmp_path / "folder.csv"):
            error = run_here("permit", "export", southampton, file, expect=1).exception
            assert isinstance(error, OutputError)
            assert str(file) in str(error)
        assert [item.name for item in tmp_path.iterdir()] == ["folder.csv"]

    def test_a_page_in_the_place_of_a_folder_leaves_no_half_page(self, tmp_path):
        (tmp_path / "map.html").mkdir()
        with pytest.raises(OutputError, match=r"map\.html"):
            write_file(tmp_path / "map.html", b"page")
        assert [item.name for item in tmp_path.iterdir()] == ["map.html"]

    def test_a_demonstration_in_the_place_of_a_file(self, tmp_path):
        (tmp_path / "demo").write_text("notes")
        assert isinstance(run_here("demo", tmp_path / "demo", expect=1).exception, OutputError)

    def test_what_the_system_refuses_elsewhere_is_said_in_words(self, monkeypatch, capsys):
        def full() -> None:
            raise OSError(28, "No space left on device", "/town/store.gpkg")

        monkeypatch.setattr(sys.modules["geonotice.cli.app"], "app", full)
        with pytest.raises(SystemExit, match="3"):
            main()
        assert capsys.readouterr().err == "geonotice: /town/store.gpkg: the system refuses it: No space left on device.\n"


def test_the_import_of_the_layers_lists_in_json_too_which_parcels_with_permits_changed(southampton, tmp_path):
    shutil.copytree(southampton, tmp_path / "town")
    (tmp_path / "old.csv").write_text("number,parcels,issued,starts\n19-7,0900-999.00-01.00-001.000,2019-03-01,2019-07-04\n")
    run_here("permit", "import", tmp_path / "town", tmp_path / "old.csv", "--former-parcels")
    (changed,) = json.loads(run("import", tmp_path / "town", "--json").stdout)["changed_under_permits"]
    assert (changed["parcel"], changed["permits"], changed["change"]) == ("0900-999.00-01.00-001.000", ["19-7"], "unknown_shape")
