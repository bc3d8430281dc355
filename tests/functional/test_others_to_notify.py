"""Beside the law's own list: the town's standing recipients, a case's interested persons, a second place of the event, and what an official changes."""

import csv
import getpass
import io
import json

import geopandas
import pytest
import shapely
from profile_toys import PERMIT, rule, text_of, town_of
from program import exit_code, run_here

from geonotice.io.pdf_words import words_of_pdf

ROW = {f"1-{n}": (n * 100, 0, n * 100 + 100, 100) for n in range(12)}
"""Twelve lots of 100 ft in a row; the premises are the first."""
ASKED = ["1-0", "--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]
HEAD = "name,address,city,state,zip,mail,occasions,why\n"


def profile(more=""):
    table = f'[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\ndistance_ft = 150.0\n{more}\n'
    return text_of(PERMIT, rule("near", "distance_notice", tables=table))


@pytest.fixture
def town(tmp_path):
    return town_of(tmp_path, profile("around = true"), ROW)


def add_to_town(town, text):
    file = town / "town.toml"
    file.write_text(file.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")
    run_here("import", town)


def made(town, *more):
    return json.loads(run_here("notice", town, *ASKED, *more, "--json").stdout)


class TestOthers:
    def test_standing_recipients_and_interested_persons_come_after_all_others_each_with_the_reason(self, town, tmp_path):
        (town / "others.csv").write_text(HEAD + "Lake Club,PO Box 5;Suite 2,Oak,NY,11980,,,asked in 2024\n", encoding="utf-8")
        add_to_town(
            town,
            '[others]\npath = "others.csv"\n[[others.recipients]]\nname = "County Board"\naddress = "1 Court St"\ncity = "Oak"\nstate = "NY"\n'
            'zip = "11980"\nmail = "certified"\noccasions = ["hearing"]\nwhy = "GML 239-m"\n',
        )
        also = tmp_path / "also.csv"
        also.write_text(HEAD + "Ann Roe,2 Elm St,Oak,NY,11980,,,wrote on May 3\n", encoding="utf-8")
        record = made(town, "--also", also, "--out", town / "packet")
        others = [one for one in record["recipients"] if one["role"] == "other"]
        assert [(one["name"], one["mail"], one["reasons"]) for one in others] == [
            ("Lake Club", "first_class", ["standing recipient of the town: asked in 2024"]),
            ("County Board", "certified", ["standing recipient of the town: GML 239-m"]),
            ("Ann Roe", "first_class", ["interested person of this case: wrote on May 3"]),
        ]
        assert others[0]["address"] == ["PO Box 5", "Suite 2"]
        numbers = {role: [one["number"] for one in record["recipients"] if one["role"] == role] for role in ("owner", "other")}
        assert max(numbers["owner"]) < min(numbers["other"])
        assert [one["name"] for one in record["also"]] == [["Ann Roe"]]
        assert [source["layer"] for source in record["sources"]][-1] == "others"
        rows = list(csv.DictReader(io.StringIO((town / "packet" / "notice-list.csv").read_text(encoding="utf-8-sig"))))
        assert [row["role"] for row in rows].count("other") == 3
        page = (town / "packet" / "index.html").read_text(encoding="utf-8")
        assert "3" in page
        assert "other recipients" in page

    def test_nobody_is_merged_with_an_owner_and_who_is_named_twice_is_told(self, town, tmp_path):
        also = tmp_path / "also.csv"
        also.write_text(HEAD + "Owner 1-1,P.O. Box 2,Oak,NY,11980,,,wrote\n", encoding="utf-8")
        record = made(town, "--also", also)
        assert [one["name"].upper() for one in record["recipients"]].count("OWNER 1-1") == 2
        assert "Owner 1-1" in next(one["text"] for one in record["warnings"] if one["code"] == "other_listed_twice")

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ("Ann,,Oak,NY,11980,,,x\n", "row 2: address is empty"),
            ("Ann,1 Elm,Oak,NY,1980,,,x\n", "Write 01980"),
            ("Ann,1 Elm,Oak,NY,11980,pigeon,,x\n", "'pigeon' is no class of mail"),
            ("Ann,1 Elm,Oak,NY,11980,,,x,y\n", "more cells than the first row"),
        ],
    )
    def test_a_row_that_cannot_be_meant_is_refused(self, town, tmp_path, capsys, rows, said):
        also = tmp_path / "also.csv"
        also.write_text(HEAD + rows, encoding="utf-8")
        assert exit_code("notice", town, *ASKED, "--also", also) == 3
        assert said in capsys.readouterr().err

    def test_a_file_without_the_columns_and_one_that_is_not_there_are_refused(self, town, tmp_path, capsys):
        also = tmp_path / "also.csv"
        also.write_text("name,town\nAnn,Oak\n", encoding="utf-8")
        assert exit_code("notice", town, *ASKED, "--also", also) == 3
        assert "no column address, city, state, zip" in capsys.readouterr().err
        assert exit_code("notice", town, *ASKED, "--also", tmp_path / "none.csv") == 3

    def test_an_occasion_that_the_law_does_not_know_is_refused_since_nobody_would_ever_be_notified(self, town, capsys):
        (town / "others.csv").write_text(HEAD + "Club,PO Box 5,Oak,NY,11980,,hearings,x\n", encoding="utf-8")
        add_to_town(town, '[others]\npath = "others.csv"')
        assert exit_code("notice", town, *ASKED) == 3
        assert "'hearings', which the ordinance of Town of Oak does not know" in capsys.readouterr().err


class TestASecondPlace:
    def place(self, folder, shape, *, crs="EPSG:4326"):
        moved = geopandas.GeoSeries([shapely.affinity.translate(shape, 1_240_000, 250_000)], crs="EPSG:2263").to_crs(crs)
        moved.to_file(folder / "parking.geojson" if crs == "EPSG:4326" else folder / "parking.gpkg")
        return folder / ("parking.geojson" if crs == "EPSG:4326" else "parking.gpkg")

    def test_what_lies_within_the_distance_of_it_is_listed_with_the_distance_from_it(self, town, tmp_path):
        # From 910 ft on the row, 150 ft reach from 760 ft to 1,060 ft: the lots 7 to 10; the premises reach the lots 1 and 2.
        record = made(town, "--around", self.place(tmp_path, shapely.Point(910, 50)), "--out", town / "packet")
        listed = {one["id"]: one.get("around_ft") for one in record["parcels"]}
        assert listed == {
            "1-1": None,
            "1-2": None,
            "1-7": pytest.approx(110, abs=0.02),
            "1-8": pytest.approx(10, abs=0.02),
            "1-9": 0.0,
            "1-10": pytest.approx(90, abs=0.02),
        }
        far = next(one for one in record["parcels"] if one["id"] == "1-7")
        assert far["distance_ft"] == 600.0
        assert far["reason"] == f"lies {far['around_ft']:.2f} ft from a second place of the event"
        owner = next(one for one in record["recipients"] if one["parcels"] == ["1-7"])
        assert owner["reasons"] == ["oak.near", far["reason"]]
        assert record["around"]["name"] == "parking.geojson"
        assert "second place" in (town / "packet" / "map.html").read_text(encoding="utf-8")
        cover = [one["text"] for one in record["warnings"] if one["code"] == "cover_ends"]
        assert any("around parking.geojson" in text for text in cover)

    @pytest.mark.parametrize("shape", [shapely.LineString([(850, -10), (990, -10)]), shapely.box(850, 10, 990, 90)])
    def test_lines_and_areas_of_any_crs_serve(self, town, tmp_path, shape):
        record = made(town, "--around", self.place(tmp_path, shape, crs="EPSG:26918"))
        assert {"1-7", "1-8", "1-9", "1-10"} <= {one["id"] for one in record["parcels"]}

    def test_it_is_refused_where_the_law_measures_from_the_premises_alone(self, tmp_path, capsys):
        town = town_of(tmp_path, profile(), ROW)
        assert exit_code("notice", town, *ASKED, "--around", self.place(tmp_path, shapely.Point(910, 50))) == 2
        assert "measures from the premises alone" in capsys.readouterr().err

    def test_a_place_far_outside_the_layers_is_refused(self, town, tmp_path, capsys):
        assert exit_code("notice", town, *ASKED, "--around", self.place(tmp_path, shapely.Point(9_000, 50))) == 3
        assert "wholly outside" in capsys.readouterr().err

    def test_a_rule_without_a_distance_cannot_have_it(self, tmp_path):
        from geonotice.errors import OrdinanceError

        text = (
            profile("around = true")
            .replace('kind = "distance_notice"', 'kind = "adjoining_notice"')
            .replace("distance_ft = 150.0", 'relations = ["abutting"]')
        )
        with pytest.raises(OrdinanceError, match="around needs distance_ft"):
            town_of(tmp_path, text, ROW)


class TestWhoChangedTheList:
    def test_name_and_day_stand_on_list_page_and_record(self, town):
        done = run_here("notice", town, *ASKED, "--drop", "1-2=sold", "--by", "R. Doe", "--out", town / "packet", "--json")
        record = json.loads(done.stdout)
        assert record["overrides"] == [{"id": "1-2", "action": "drop", "reason": "sold", "by": "R. Doe", "on": "2026-09-01"}]
        assert "sold (by R. Doe, 2026-09-01)" in (town / "packet" / "index.html").read_text(encoding="utf-8")

    def test_without_a_name_the_user_of_the_computer_is_named_and_that_is_said(self, town):
        done = run_here("notice", town, *ASKED, "--drop", "1-2=sold", "--json")
        assert json.loads(done.stdout)["overrides"][0]["by"] == getpass.getuser()
        assert f"The list names {getpass.getuser()}, the user of this computer" in done.stderr

    def test_a_name_without_a_change_is_who_prepared_the_papers(self, town):
        run_here("notice", town, *ASKED, "--by", "R. Doe", "--out", town / "packet")
        for name in ("notice-list.pdf", "exhibit.pdf"):
            assert "R. Doe" in " ".join(words_of_pdf((town / "packet" / name).read_bytes())), name
        assert json.loads((town / "packet" / "record.json").read_bytes())["prepared_by"] == "R. Doe"

    def test_a_name_is_refused_where_nothing_would_bear_it(self, town, capsys):
        assert exit_code("notice", town, *ASKED, "--by", "R. Doe") == 2
        assert "--by is for the papers of a packet" in capsys.readouterr().err
        assert exit_code("notice", town, *ASKED, "--by", " ", "--out", town / "packet") == 2

    def test_from_python_a_change_without_a_name_is_warned_of(self, town):
        from datetime import date

        from geonotice import open_town

        with open_town(town) as opened:
            made = opened.notice("1-0", occasion="hearing", on=date(2026, 9, 1), drop={"1-2": "sold"})
        assert "override_unsigned" in {one.code for one in made.warnings}
