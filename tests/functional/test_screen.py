"""Where in town: every candidate as the list, the check of caps and the layers say one by one, filtered, ranked and written."""

import csv
import json
import os
import random
import re
import shutil
from datetime import date

import pytest
import shapely
from program import exit_code, run_here
from screen_by_one import differences

import geonotice
from geonotice.opened_town import open_store
from geonotice.register.permits import list_permits
from geonotice.workflow.notice import NoticeRequest, make_notice

ROWS = int(os.environ.get("GEONOTICE_SCREEN_ROWS") or 25)
"""So many rows of each demonstration are held against one parcel's; ``tests/screen_by_one.py`` holds those of any town."""
ON = ("--on", "2026-11-30")
DAY = date(2026, 11, 30)


def letters(notice):
    return sum(one.role in {"owner", "resident", "clerk"} and one.mail != "none" and one.mailable for one in notice.recipients)


@pytest.fixture(scope="module", name="southampton")
def _southampton(southampton, tmp_path_factory):
    return shutil.copytree(southampton, tmp_path_factory.mktemp("screen") / "southampton")


@pytest.fixture(scope="module", name="italy")
def _italy(italy, tmp_path_factory):
    return shutil.copytree(italy, tmp_path_factory.mktemp("screen") / "italy")


@pytest.fixture(scope="module")
def of_southampton(southampton):
    """Return the answer for every parcel of the demonstration."""
    asked = (
        "--persons",
        "800",
        "--kind",
        "festival",
        "--starts",
        "2026-12-20",
        "--hours",
        "10:00-22:00",
        "--night",
        "no",
        "--json",
        *ON,
    )
    return json.loads(run_here("screen", southampton, *asked).stdout)


@pytest.fixture(scope="module")
def of_italy(italy):
    return json.loads(run_here("screen", italy, "--persons", "801", "--json", *ON).stdout)


class TestEveryRowIsWhatOneListSays:
    def test_by_distance(self, italy, of_italy):
        rows = random.Random(5).sample(of_italy["candidates"], 25)
        with open_store(italy) as opened:
            for row in rows:
                notice = make_notice(opened, [opened.store.find(row["id"])], NoticeRequest(occasion="hearing", on=DAY)).notice
                assert (row["parcels_hearing"], row["pieces_hearing"]) == (len(notice.parcels), letters(notice)), row["id"]

    def test_of_contiguous_land(self, italy):
        found = json.loads(run_here("screen", italy, "--candidates", "land", "--where", "acres > 40", "--json", *ON).stdout)[
            "candidates"
        ]
        several = [row for row in found if "; " in row["parcels"]]
        assert several
        assert len({row["id"] for row in found}) == len(found)
        with open_store(italy) as opened:
            for row in several[:6]:
                premises = [opened.store.find(number) for number in row["parcels"].split("; ")]
                notice = make_notice(opened, premises, NoticeRequest(occasion="hearing", on=DAY)).notice
                assert (row["parcels_hearing"], row["pieces_hearing"]) == (len(notice.parcels), letters(notice)), row["id"]

    def test_the_clerk_of_another_municipality_gets_a_letter_of_the_occasion_that_the_law_names_alone(
        self, southampton, of_southampton
    ):
        near = [row for row in of_southampton["candidates"] if row["municipal_ft"] is not None and row["municipal_ft"] <= 500]
        told = []
        with open_store(southampton) as opened:
            for row in near[:12]:
                for occasion in ("appeal", "filing"):
                    asked = NoticeRequest(occasion=occasion, on=DAY)
                    notice = make_notice(opened, [opened.store.find(row["id"])], asked).notice
                    assert row[f"pieces_{occasion}"] == letters(notice), row["id"]
                    told += [occasion for one in notice.recipients if one.role == "clerk"]
        assert {*told} == {"appeal"}

    @pytest.mark.parametrize("name", ["southampton", "italy"])
    def test_in_every_column(self, request, name):
        held, wrong, left_out = differences(request.getfixturevalue(name), rows=ROWS, seed=5)
        assert not wrong
        # Owners' and residents' letters of Italy's hearing have no one price.
        assert left_out == ({"postage_hearing"} if name == "italy" else set())
        assert max(held.values()) == ROWS


def test_limits_are_those_of_permit_check(southampton, capsys):
    asked = ("--starts", "2026-12-20", "--night", "no", "--json", *ON)
    found = {row["id"]: row for row in json.loads(run_here("screen", southampton, *asked).stdout)["candidates"]}
    with_permits = [row["id"] for row in found.values() if row["used"]]
    assert with_permits
    for number in [*with_permits[:6], *random.Random(2).sample(sorted(found), 6)]:
        exit_code("permit", "check", southampton, number, "--starts", "2026-12-20", "--night", "no", "--json", *ON)
        said = json.loads(capsys.readouterr().out)
        row = found[number]
        assert (row["used"], row["limit"]) == ((said["used"], said["cap"]) if said["zone"] != "undetermined" else (None, None)), (
            number
        )
        if row["permit"]:  # None where the district is not known
            assert row["permit"] == said["status"], number


def test_on_a_railroad_a_street_or_in_a_village_permit_check_and_screen_let_an_official_decide(southampton, capsys):
    asked = ("--starts", "2026-12-20", "--night", "no", "--where", "excluded != ''", "--json", *ON)
    found = {
        row["excluded"]: row for row in json.loads(run_here("screen", southampton, *asked).stdout)["candidates"] if row["permit"]
    }
    assert len(found) > 1
    for against, row in found.items():
        exit_code("permit", "check", southampton, row["id"], "--starts", "2026-12-20", "--night", "no", "--json", *ON)
        assert row["permit"] == json.loads(capsys.readouterr().out)["status"] == "decide", against


class TestTheQuestion:
    def test_persons_alone_are_enough(self, of_italy):
        assert of_italy["judged"] == len(of_italy["candidates"])
        row = of_italy["candidates"][0]
        assert (row["acres_needed"], row["binding"], row["fits"]) == (2.29, "parking", "yes")

    def test_without_zoning_and_caps_these_columns_are_unknown(self, of_italy):
        assert {(row["district"], row["zone"], row["limit"], row["left"]) for row in of_italy["candidates"]} == {
            (None, None, None, None)
        }
        assert any("no layer of zoning" in note for note in of_italy["notes"])

    def test_the_unknown_neither_passes_nor_fails(self, italy, of_italy):
        found = json.loads(run_here("screen", italy, "--where", "left > 0", "--json", *ON).stdout)
        assert found["candidates"] == []
        assert len(found["undecided"]) == of_italy["judged"]

    def test_ranked_by_the_fewest_letters(self, of_italy):
        pieces = [row["pieces_hearing"] for row in of_italy["candidates"]]
        assert pieces == sorted(pieces)

    def test_a_second_question_reads_what_the_first_one_counted(self, italy, of_italy):
        kept = (italy / "screen.npz").read_bytes()
        assert json.loads(run_here("screen", italy, "--persons", "801", "--json", *ON).stdout) == of_italy
        (italy / "screen.npz").write_bytes(kept[:100])
        again = json.loads(run_here("screen", italy, "--persons", "801", "--where", "acres > 40", "--json", *ON).stdout)
        assert again["candidates"] == [row for row in of_italy["candidates"] if row["acres"] > 40]
        (italy / "screen.npz").write_bytes(kept)

    def test_a_slip_in_the_condition_is_refused(self, italy):
        assert exit_code("screen", italy, "--where", "acre > 3") == 2

    @pytest.mark.parametrize(
        ("slip", "told"),
        [
            (("--hours", "ten to four", "--starts", "2027-07-17"), "Write --hours 10:00-23:00"),
            (("--hours", "10:00-23:00"), "Add --starts DATE"),
            (("--hours", "10:00-31:00", "--starts", "2027-07-17"), "31:00"),
            (("--kind", "parade"), "goes along streets"),
            (("--kind", "jamboree"), "jamboree"),
        ],
    )
    def test_hours_and_kinds_that_cannot_be_meant_are_refused(self, italy, capsys, slip, told):
        assert exit_code("screen", italy, *slip, *ON) in {2, 3}
        assert told in " ".join(capsys.readouterr().err.split())

    def test_what_is_not_stated_is_named(self, of_italy):
        (said,) = [note for note in of_italy["notes"] if note.startswith("Not stated")]
        assert "the kind of event" in said
        assert "how many come" not in said

    def test_hours_decide_what_the_law_says_of_them(self, southampton):
        def not_met(hours):
            asked = ("--kind", "yard_sale", "--starts", "2027-07-17", "--hours", hours, "--where", "acres > 15", "--json", *ON)
            return {row["not_met"] for row in json.loads(run_here("screen", southampton, *asked).stdout)["candidates"]}

        assert not_met("10:00-16:00") == {""}
        assert not_met("05:00-22:00") == {"sh.yard_sale"}


class TestWhatIsKept:
    def test_a_setting_that_changes_makes_it_anew_without_an_import(self, southampton, tmp_path):
        town = shutil.copytree(southampton, tmp_path / "town")
        asked = ("screen", town, "--where", "acres > 15", "--json", *ON)
        before = json.loads(run_here(*asked).stdout)["candidates"]
        file = town / "town.toml"
        file.write_text(f"{file.read_text()}\n[settings]\nright_of_way_max_ft = 20.0\n")
        narrow = json.loads(run_here(*asked).stdout)["candidates"]
        assert sum(row["parcels_appeal"] for row in narrow) < sum(row["parcels_appeal"] for row in before)


class TestProgress:
    def test_at_most_ten_lines_where_nobody_watches(self, southampton, tmp_path):
        town = shutil.copytree(southampton, tmp_path / "town", ignore=shutil.ignore_patterns("screen.npz"))
        told = run_here("screen", town, "--where", "acres > 8", *ON).stderr
        measuring = [line for line in told.splitlines() if line.startswith("Measuring lot lines")]
        assert 1 <= len(measuring) <= 10

    def test_one_line_is_written_over_on_a_terminal(self, monkeypatch, capsys):
        from geonotice.cli.app import Progress

        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        progress = Progress()
        for n in range(1, 101):
            progress(f"Measuring: {n} of 100 …", n / 100)
        progress("Done", None)
        told = capsys.readouterr().err
        assert told.count("\n") == 2
        assert told.count("\r") == 100


class TestWhatElseIsOn:
    def test_it_is_what_a_check_of_conflicts_names(self, southampton):
        from geonotice.register.conflicts import conflicts_with
        from geonotice.register.session import read_town_register
        from geonotice.register.values import Application, Land

        with open_store(southampton) as opened, read_town_register(opened.town) as register:
            permit = next(one for one in list_permits(register) if one.starts and one.status == "issued" and one.land)
            asked = ("--starts", permit.starts, "--where", "used > 0", "--rank", "-events_near", "--json", *ON)
            rows = json.loads(run_here("screen", southampton, *asked).stdout)["candidates"]
            assert rows[0]["events_near"] >= 1
            for row in rows:
                parcel = opened.store.find(row["id"])
                shape = opened.store.parcels([parcel.fid]).geometries[0]
                land = Land(parcel=parcel.id, swis=parcel.swis, geometry=shapely.to_wkb(shape), crs=opened.crs)
                event = Application(kind="special_event", starts=permit.starts, land=(land,))
                assert row["events_near"] == len(conflicts_with(register, event)), row["id"]

    def test_without_a_day_or_a_register_it_is_unknown(self, of_italy):
        assert {(row["same_days"], row["events_near"]) for row in of_italy["candidates"]} == {(None, None)}


class TestTheDayToFile:
    def test_that_is_past_is_said_above_the_answer_with_what_it_means(self, southampton, italy, of_southampton, of_italy):
        (line,) = of_southampton["filing"]
        assert "the last day to file the complete application with the Fire Marshal was Monday, September 21, 2026" in line
        assert line.endswith("Late filing is no bar by itself: the official decides.")
        assert of_italy["filing"] == []  # no day was asked about
        said = run_here("screen", italy, "--starts", "2026-12-20", "--where", "acres > 60", *ON).output
        assert said.index("This rule takes no later filing.") < said.index("candidates")

    def test_that_is_to_come_and_a_file_is_named_with_how_many_it_has_and_the_first_three(self, southampton, tmp_path):
        file = tmp_path / "where.html"
        asked = ("--starts", "2027-06-19", "--where", "acres > 5", "--persons", "800", "--out", file, *ON)
        said = run_here("screen", southampton, *asked).output
        line = "the last day to file the complete application with the Fire Marshal is Sunday, March 21, 2027 (aim for Friday, March 19, 2027)"
        assert line in said
        assert " of 897 candidates" in said
        assert said.count("0900-") == 3
        assert "more: all of them are in the file" in said
        html = file.read_text()
        assert "the last day to file the complete application with the Fire Marshal is Sunday," in html
        assert re.search(r'"name": ?"acres_needed"[^}]*"listed": ?true', html)


class TestPostage:
    def test_by_the_rate_table_of_the_town(self, southampton):
        found = json.loads(run_here("screen", southampton, "--where", "acres > 15", "--json", *ON).stdout)
        assert found["candidates"]
        for row in found["candidates"]:
            assert row["postage_filing"] == pytest.approx(row["pieces_filing"] * 10.48)
        assert any("$10.48 a letter" in note for note in found["notes"])

    def test_without_a_rate_table_there_is_no_such_column(self, southampton, tmp_path):
        town = shutil.copytree(southampton, tmp_path / "town")
        file = town / "town.toml"
        file.write_text(file.read_text().replace('[postage]\nfile = "rates.toml"\n', ""))
        run_here("import", town)
        found = json.loads(run_here("screen", town, "--where", "acres > 15", "--json", *ON).stdout)
        assert found["candidates"]
        assert not any(name.startswith("postage_") for name in found["candidates"][0])


class TestWhatItWrites:
    @pytest.mark.parametrize("wide", ["110", "80"])
    def test_a_tax_map_number_stays_whole_however_narrow_the_terminal_is(self, southampton, monkeypatch, wide):
        monkeypatch.setenv("COLUMNS", wide)
        told = run_here("screen", southampton, "--where", "id == '0900-123.00-01.00-002.000'", *ON).stdout
        assert "0900-123.00-01.00-002.000" in told

    def test_a_table_keeps_unknown_apart_from_nothing(self, italy, tmp_path):
        run_here("screen", italy, "--where", "excluded == ''", "--top", "3", "--out", tmp_path / "found.csv", *ON)
        rows = list(csv.DictReader((tmp_path / "found.csv").read_text(encoding="utf-8-sig").splitlines()))
        assert [row["district"] for row in rows] == ["?"] * 3
        assert "" in {row["excluded"] for row in rows}

    @pytest.mark.parametrize("name", ["found.csv", "found.gpkg", "found.parquet"])
    def test_a_table_that_is_there_is_kept_and_said_before_anything_is_judged(self, italy, tmp_path, name):
        (tmp_path / name).write_bytes(b"id,my notes")
        answer = run_here("screen", italy, "--out", tmp_path / name, *ON, expect=1)
        assert "nothing in it shows whether somebody has worked on it" in str(answer.exception)
        assert "Reading the parcels" not in answer.stderr
        assert (tmp_path / name).read_bytes() == b"id,my notes"

    @pytest.mark.parametrize("name", ["found.gpkg", "found.parquet"])
    def test_a_layer_opens_elsewhere(self, italy, of_italy, tmp_path, name):
        import geopandas

        run_here("screen", italy, "--persons", "801", "--top", "4", "--out", tmp_path / name, *ON)
        read = geopandas.read_parquet if name.endswith("parquet") else geopandas.read_file
        frame = read(tmp_path / name)
        assert frame["id"].tolist() == [row["id"] for row in of_italy["candidates"][:4]]
        assert frame["pieces_hearing"].tolist() == [row["pieces_hearing"] for row in of_italy["candidates"][:4]]
        assert frame.crs.to_epsg() == 2261

    def test_the_same_from_python(self, italy, of_italy):
        with geonotice.open_town(italy) as town:
            frame = town.screen(on=DAY, persons=801, where="acres >= 3", top=5)
        assert len(frame) == 5
        assert (frame["acres"] >= 3).all()
        assert frame.attrs["judged"] == of_italy["judged"]
