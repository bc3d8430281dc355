"""The main job, as a user runs it: inspect, init, import, notice, on the demonstration town and on layers nobody here made."""

import csv
import io
import json
import os
import re
import shutil
import zipfile
from datetime import date, datetime

import pytest
from program import HEAVY, imported_by, run

import geonotice
from geonotice.errors import UsageError
from geonotice.io.pdf_words import words_of_pdf

PREMISES = "51.00-1-1"
HEARING = ["--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]


def members(content):
    """Return the files within an Office file, but for the one that says when it was made."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "docProps/core.xml"}


@pytest.fixture(scope="module")
def record(italy):
    return json.loads(run("notice", italy, PREMISES, *HEARING, "--json").stdout)


@pytest.fixture(scope="module")
def packet(italy, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "packet"
    run("notice", italy, PREMISES, *HEARING, "--out", out)
    return out


class TestNotice:
    """Italy C: owners and residents within 1,000 feet."""

    def test_json_is_one_object_on_standard_output_and_nothing_else(self, record):
        assert record["occasion"] == "hearing"
        assert record["required"] == "yes"
        assert record["premises"] == [PREMISES]
        assert record["ordinance"]["id"] == "italy"
        assert record["settings"]["tolerance_ft"] == 1.5
        assert {"layer", "path", "sha256", "as_of", "features"} <= set(record["sources"][0])

    def test_parcels_are_sorted_by_distance_then_key_and_the_premises_are_not_among_them(self, record):
        order = [(parcel["distance_ft"], parcel["id"]) for parcel in record["parcels"]]
        assert order == sorted(order)
        assert PREMISES not in {parcel["id"] for parcel in record["parcels"]}

    def test_exactly_1000_ft_is_on_the_list_and_a_little_more_is_borderline(self, record):
        parcels = {parcel["id"]: parcel for parcel in record["parcels"]}
        assert parcels["52.11-2-21"]["distance_ft"] == 1000.0
        assert parcels["52.11-2-21"]["review"] == []
        assert parcels["52.11-1-5"]["review"] == ["borderline"]
        assert all(parcel["distance_ft"] <= 1005 for parcel in record["parcels"])
        assert all(1005 < miss["distance_ft"] <= 1055 for miss in record["near_misses"])

    def test_parcels_across_the_county_line_are_on_the_list(self, record):
        assert "329900/62.00-1-1" in {parcel["id"] for parcel in record["parcels"]}

    def test_residents_are_addressed_at_the_property_and_never_by_a_name(self, record):
        residents = [recipient for recipient in record["recipients"] if recipient["role"] == "resident"]
        assert len([r for r in residents if "51.00-1-3" in r["parcels"]]) == 22
        assert {recipient["name"] for recipient in residents} == {"CURRENT RESIDENT"}

    def test_the_premises_own_owner_is_listed_and_not_mailed(self, record):
        (applicant,) = [recipient for recipient in record["recipients"] if recipient["role"] == "applicant"]
        assert applicant["mail"] == "none"
        assert applicant["parcels"] == [PREMISES]

    def test_every_row_says_why_it_is_there(self, record):
        assert {parcel["rule"] for parcel in record["parcels"]} == {"italy.notice1000"}
        assert all(parcel["citation"] for parcel in record["parcels"])
        assert all(recipient["reasons"] for recipient in record["recipients"] if recipient["role"] != "applicant")

    def test_an_owner_without_an_address_is_on_the_list_and_in_the_warnings(self, record):
        (warning,) = [warning for warning in record["warnings"] if warning["code"] == "unmailable"]
        assert "52.11-2-32" in warning["parcels"]
        assert any("52.11-2-32" in recipient["parcels"] for recipient in record["recipients"])

    def test_the_search_area_that_reaches_past_the_layers_is_said_with_the_municipality(self, italy):
        made = json.loads(run("notice", italy, "72.00-1-4", *HEARING, "--json").stdout)
        (warning,) = [warning for warning in made["warnings"] if warning["code"] == "cover_ends"]
        assert "Prattsfield" in warning["text"]
        assert "NOT on this list" in warning["text"]

    def test_the_municipality_there_is_written_to(self, italy, tmp_path):
        run("notice", italy, "72.00-1-4", *HEARING, "--out", tmp_path / "packet")
        (page,) = words_of_pdf((tmp_path / "packet" / "letter-neighbor.pdf").read_bytes())
        assert "Town Clerk\nTown of Prattsfield\n60 Main Street\nPrattsfield NY 14594" in page.replace("\r", "")

    def test_the_same_inputs_give_the_same_bytes(self, italy, record):
        assert json.loads(run("notice", italy, PREMISES, *HEARING, "--json").stdout) == record

    def test_premises_of_two_parcels_are_measured_from_both(self, italy, record):
        made = json.loads(run("notice", italy, PREMISES, "52.00-1-3", *HEARING, "--json").stdout)
        assert {p["id"] for p in record["parcels"]} - {"52.00-1-3"} <= {p["id"] for p in made["parcels"]}
        assert "52.00-1-3" not in {p["id"] for p in made["parcels"]}

    def test_overrides_stand_in_the_record_with_their_reasons(self, italy):
        args = ["--drop", "52.11-2-21=merged with its neighbour", "--add", "72.00-1-4=asked to be told"]
        made = json.loads(run("notice", italy, PREMISES, *HEARING, *args, "--json").stdout)
        assert {(o["id"], o["action"]) for o in made["overrides"]} == {("52.11-2-21", "drop"), ("72.00-1-4", "add")}
        ids = {parcel["id"] for parcel in made["parcels"]}
        assert "72.00-1-4" in ids
        assert "52.11-2-21" not in ids

    def test_strict_exits_with_4_where_a_person_must_look(self, italy):
        assert "borderline" in run("notice", italy, PREMISES, *HEARING, "--strict", "--json", expect=4).stderr


class TestByWhen:
    """Italy C: ten days before the hearing; the law's own words, the working day before where the tenth is a Saturday."""

    def test_the_screen_says_by_which_day(self, italy):
        said = run("notice", italy, PREMISES, *HEARING).stdout
        assert (
            "Fri 2026-10-09  give the notice to all owners and residents within 1,000 feet (last lawful day: Sat 2026-10-10)"
            in said
        )

    def test_a_day_that_is_past_is_marked(self, italy):
        said = run("notice", italy, PREMISES, *HEARING[:-1], "2026-10-12").stdout
        assert "Fri 2026-10-09 PAST  give the notice" in said
        assert re.search(r"Mon 2026-10-19 +pay the cost", said)

    def test_a_petition_that_is_filed_is_not_asked_for_again(self, italy, tmp_path):
        """Italy B: 90 days before March 5, 2027 is Saturday, December 5, 2026."""
        asked = [PREMISES, "--for", "hearing", "--hearing", "2027-01-12", "--event", "2027-03-05", "--on", "2026-12-07"]
        filed = " ".join(run("notice", italy, *asked, "--filed", "2026-11-20").stdout.split())
        assert "Fri 2026-12-04 MET file the petition with the Town Clerk" in filed
        assert "filed on Friday, November 20, 2026, in time, 15 days before the last day" in filed
        assert "Fri 2026-12-04 PAST" in " ".join(run("notice", italy, *asked).stdout.split())
        assert "Fri 2026-12-04 LATE" in " ".join(run("notice", italy, *asked, "--filed", "2026-12-07").stdout.split())
        packet = tmp_path / "packet"
        run("notice", italy, *asked, "--filed", "2026-11-20", "--out", packet)
        made = json.loads((packet / "record.json").read_text())
        assert made["settings"]["filed"] == "2026-11-20"
        assert "in time, 15 days before the last day" in (packet / "index.html").read_text()
        assert "Done: File the petition" in (packet / "deadlines.ics").read_text().replace("\n ", "")
        run("verify", packet, "--town", italy)

    def test_the_day_of_an_event_file_holds_and_another_is_refused(self, italy):
        event = italy / "events" / "allowed.toml"
        asked = ["--for", "hearing", "--hearing", "2027-01-12", "--event", event, "--on", "2026-12-01"]
        said = " ".join(run("notice", italy, *asked).stdout.split())
        assert "MET file the petition with the Town Clerk" in said
        assert "filed on Monday, November 16, 2026, in time" in said
        refused = run("notice", italy, *asked, "--filed", "2026-11-17", expect=2).stderr
        assert "the application was filed on 2026-11-17 by --filed, and on 2026-11-16 by the event file" in refused

    def test_a_list_without_the_day_of_the_hearing_asks_for_it(self, italy, tmp_path):
        said = run("notice", italy, PREMISES, "--for", "hearing").stdout
        assert "The last day for this notice is counted from the hearing: give its day with --hearing." in said
        run("notice", italy, PREMISES, "--for", "hearing", "--out", tmp_path / "packet")
        assert "whose day was not given" in (tmp_path / "packet" / "index.html").read_text()

    def test_the_first_page_of_the_packet_says_it_too(self, packet):
        assert (
            "Do it by Friday, October 9, 2026; the last lawful day is Saturday, October 10, 2026."
            in (packet / "index.html").read_text()
        )


class TestQueryPath:
    """What the query path does not import."""

    @pytest.mark.parametrize(
        "args", [["notice", "{town}", PREMISES, *HEARING, "--json"], ["parcel", "{town}", PREMISES, "--json"], ["--help"]]
    )
    def test_no_heavy_library_is_imported(self, italy, args):
        slow = (*HEAVY, "sqlalchemy", "numpy.ma", "geonotice.config.application")
        assert imported_by(*(arg.format(town=italy) for arg in args), among=slow) == set()


OF_THE_POST = ("notice-list.pdf", "return-labels.pdf", "certificates-of-mailing.pdf", "mailing-service.csv", "notice-text.txt")


class TestPacket:
    """The folder of papers."""

    def test_every_paper_is_there_and_the_first_page_names_it(self, packet):
        names = {file.name for file in packet.iterdir()}
        assert names >= {
            "index.html",
            "notice-list.csv",
            "notice-list.xlsx",
            "labels.pdf",
            "labels-test.pdf",
            *OF_THE_POST,
            "map.html",
            "notice.gpkg",
            "record.json",
        }
        page = (packet / "index.html").read_text()
        assert all(name in page for name in names - {"index.html"})

    def test_what_it_comes_to_is_said_where_it_is_written(self, italy, tmp_path):
        said = run("notice", italy, PREMISES, *HEARING, "--out", tmp_path / "packet").stderr
        assert "90 parcels; 85 owners: 83 letters, 2 cannot be mailed; 92 residents: 92 letters." in said
        # Two of the ten are about the same parcels, and the first page tells them as one: the count is the page's.
        assert "9 warnings to read before mailing." in said
        assert "Read this before mailing: 9 warnings" in (tmp_path / "packet" / "index.html").read_text()

    def test_what_is_mailed_is_printed_in_another_order_with_the_numbers_of_the_list(self, italy, tmp_path, record):
        run("notice", italy, PREMISES, *HEARING, "--out", tmp_path / "p", "--no-letters", "--envelopes", "--sort", "zip")
        rows = list(csv.DictReader(io.StringIO((tmp_path / "p" / "mailing-service.csv").read_bytes().decode("utf-8-sig"))))
        at_home = [row["zip"] for row in rows if not row["country"]]
        assert at_home == sorted(at_home)
        names = {str(one["number"]): one["name"] for one in record["recipients"]}
        assert all(names[row["number"]] == row["name_1"] for row in rows)
        assert (tmp_path / "p" / "envelopes.pdf").read_bytes().count(b"/Type /Page\n") == len(rows)

    def test_the_record_is_what_json_prints(self, packet, record):
        assert json.loads((packet / "record.json").read_text()) == record

    def test_the_mailing_list_has_a_row_for_each_recipient(self, packet, record):
        text = (packet / "notice-list.csv").read_bytes().decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [int(row["number"]) for row in rows] == [recipient["number"] for recipient in record["recipients"]]

    def test_the_same_inputs_give_the_same_papers_and_the_earlier_packet_is_kept(self, italy, packet):
        """The same bytes; the same content of what carries the time of its making."""
        before = {file.name: file.read_bytes() for file in packet.iterdir()}
        done = run("notice", italy, PREMISES, *HEARING, "--out", packet)
        assert (
            {file.name for file in packet.iterdir()}
            == before.keys()
            > {"labels.pdf", "letters.docx", "exhibit.pdf", *OF_THE_POST}
        )
        for name, content in before.items():
            again = (packet / name).read_bytes()
            if name.endswith((".docx", ".xlsx")):
                assert members(again) == members(content), name
            elif not name.endswith(".gpkg"):
                assert again == content, name
        kept = packet.with_name("packet-before-1")
        assert str(kept) in done.stderr
        assert (kept / "record.json").is_file()

    def test_a_folder_with_other_files_is_left_alone(self, italy, tmp_path):
        (tmp_path / "letter.txt").write_text("mine")
        run("notice", italy, PREMISES, *HEARING, "--out", tmp_path, expect=3)
        assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]

    def test_the_clerks_office_stands_on_the_first_page_and_on_both_maps(self, packet):
        for name in ("index.html", "map.html", "public-map.html"):
            assert "Hattie Merriwether, Town Clerk; Italy Town Hall, 1200 State Route 290" in (packet / name).read_text()

    def test_the_public_map_names_no_owner(self, packet, record):
        page = (packet / "public-map.html").read_text()
        owners = {recipient["name"] for recipient in record["recipients"] if recipient["role"] == "owner" and recipient["name"]}
        assert not [name for name in owners if name in page]


class TestRefusals:
    """What is refused, with which exit code, and what it says."""

    @pytest.mark.parametrize(
        ("args", "code", "words"),
        [
            (["notice", "{town}", "99.99-9-9", *HEARING], 2, "no parcel is known as '99.99-9-9'"),
            (["notice", "{town}", "51.00 1 1", *HEARING], 2, "nearest: 51.00-1-1)"),
            (["notice", "{town}", PREMISES, *HEARING, "--out", "{town}/p", "--sheet", "1"], 2, "5160"),
            (["notice", "{town}", PREMISES, *HEARING, "--out", "{town}/p", "--start-at", "31"], 2, "from 1 to 30"),
            (["notice", "{town}", PREMISES], 2, "Use --for hearing for the Town Board's public hearing"),
            (["notice", "{town}", PREMISES, *HEARING, "--sheet", "5161"], 2, "--out"),
            (["notice", "{town}", PREMISES, *HEARING, "--out", "{town}/p", "--sort", "color"], 2, "Use one of number, street"),
            (["notice", "{town}", PREMISES, *HEARING, "--envelopes"], 2, "--envelopes is for"),
            (["notice", "{town}", PREMISES, *HEARING, "--by-hand", "3"], 2, "--by-hand is for the papers of a packet"),
            (["parcel", "{town}", "51", "1", "9"], 2, "nor as '51 1 9' (nearest: 51.00-1-1"),
            (["parcel", "{town}", PREMISES, "52.11-2-8"], 2, "one at a time"),
            (["notice", "{town}/streets.geojson", PREMISES, *HEARING], 3, "this is no town file"),
            (["notice", "{town}", "329900/62.00-1-1", *HEARING], 2, "adjoining layer"),
            (["notice", "{town}", *HEARING], 2, "no parcel is named"),
            (["notice", "{town}", PREMISES, "--for", "appeal"], 2, "hearing"),
            (["notice", "{town}", PREMISES, "--for", "hearing", "--hearing", "20 October"], 2, "2026-07-21"),
            (["notice", "{town}", PREMISES, *HEARING, "--drop", "52.11-2-21"], 2, "REASON"),
            (["notice", "{town}", PREMISES, *HEARING, "--add", f"{PREMISES}=why"], 2, "belongs to the premises"),
            (["notice", "{town}", PREMISES, *HEARING, "--drop", f"{PREMISES}=why"], 2, "belongs to the premises"),
            (["notice", "{town}", "--find", "Academy", *HEARING], 2, "is found in"),
            (["notice", "{town}", "--find", "no such road", *HEARING], 2, "no parcel has"),
            (["notice", "{town}/nowhere", PREMISES, *HEARING], 3, "geonotice init"),
            (["parcel", "{town}"], 2, "--find"),
            (["init", "{town}", "--parcels", "{town}/parcels.gpkg", "--ordinance", "italy"], 2, "town file already"),
            (["init", "{town}/new", "--parcels", "{town}/streets.geojson", "--ordinance", "italy"], 3, "streets.geojson"),
            (["init", "{town}/new", "--parcels", "{town}/parcels.gpkg", "--ordinance", "atlantis"], 3, "built in"),
            (["inspect", "{town}/nothing.shp"], 3, "nothing.shp"),
        ],
    )
    def test_what_cannot_be_done_is_refused_in_words(self, italy, args, code, words):
        done = run(*[arg.format(town=italy) for arg in args], expect=code)
        assert words in done.stderr
        assert done.stdout == ""

    def test_a_wrong_label_option_is_said_before_the_map_is_drawn(self, italy, tmp_path):
        done = run("notice", italy, PREMISES, *HEARING, "--out", tmp_path / "packet", "--nudge-x", "3", expect=2)
        assert "nudge" in done.stderr
        assert "map" not in done.stderr.lower()

    def test_a_store_whose_sources_have_changed_is_refused_until_import_ran_again(self, italy, tmp_path):
        town = tmp_path / "italy"
        shutil.copytree(italy, town)
        os.utime(town / "roll.csv")
        run("notice", town, PREMISES, *HEARING)
        with (town / "roll.csv").open("a") as roll:
            roll.write("\n")
        done = run("notice", town, PREMISES, *HEARING, expect=3)
        assert "roll.csv has changed" in done.stderr
        assert "geonotice import" in done.stderr
        run("import", town)
        run("notice", town, PREMISES, *HEARING)
        text = (town / "town.toml").read_text()
        # What only papers and lists read counts at once; what the store was made from asks for an import.
        (town / "town.toml").write_text(text + "\n[settings]\nunnamed_owner = 'OWNER'\n")
        done = run("notice", town, PREMISES, *HEARING, "--json")
        assert json.loads(done.stdout)["settings"]["unnamed_owner"] == "OWNER"
        (town / "town.toml").write_text(text.replace('swis = ["5724"]', 'swis = ["5725"]'))
        assert "[town] of town.toml has changed" in run("notice", town, PREMISES, *HEARING, expect=3).stderr
        (town / "town.toml").write_text(text.replace("[clerk]", "[clerks]"))
        assert "unknown key" in run("notice", town, PREMISES, *HEARING, expect=3).stderr

    def test_a_town_that_was_not_imported_says_how(self, root, tmp_path):
        shutil.copytree(root / "data" / "italy", tmp_path / "italy", ignore=shutil.ignore_patterns("store.gpkg"))
        assert "geonotice import" in run("notice", tmp_path / "italy", PREMISES, *HEARING, expect=3).stderr


def test_the_notice_from_python_is_the_same(italy, record):
    with geonotice.open_town(italy) as town:
        notice = town.notice([PREMISES], occasion="hearing", hearing=date(2026, 10, 20), on=date(2026, 9, 1))
        assert [parcel.id for parcel in notice.parcels] == [parcel["id"] for parcel in record["parcels"]]
        frame = notice.to_geodataframe()
        assert list(frame.index) == [parcel.id for parcel in notice.parcels]
        assert frame.crs.to_epsg() == 2261
        premises = town.parcels().loc[PREMISES].geometry
        assert frame.geometry.distance(premises).round(2).tolist() == frame["distance_ft"].tolist()
        assert type(notice.map()).__name__ == "Map"


class TestFromPython:
    """What a notebook gives and gets."""

    def test_one_number_may_be_given_by_itself(self, italy):
        with geonotice.open_town(italy) as town:
            one = town.notice(PREMISES, occasion="hearing", hearing=date(2026, 10, 20), on=date(2026, 9, 1))
            assert one.notice.premises == (PREMISES,)
            assert (
                repr(one)
                == "<notice of the hearing at 51.00-1-1: 90 parcels; 85 owners: 83 letters, 2 cannot be mailed; 92 residents: 92 letters.>"
            )
            assert repr(town) == "<Town of Italy (demonstration): 995 parcels>"

    def test_a_day_that_is_text_is_refused_with_how_it_is_written(self, italy):
        with geonotice.open_town(italy) as town:
            with pytest.raises(UsageError, match=r"hearing is a datetime\.date, not '2026-10-20'.*date\(2026, 10, 20\)"):
                town.notice([PREMISES], occasion="hearing", hearing="2026-10-20", on=date(2026, 9, 1))
            with pytest.raises(UsageError, match=r"filed is a datetime\.date, not '2026-11-20'"):
                town.notice([PREMISES], occasion="hearing", filed="2026-11-20", on=date(2026, 9, 1))
            with pytest.raises(UsageError, match="on is a datetime"):
                town.check(italy / "events" / "allowed.toml", on=datetime(2026, 9, 1))  # noqa: DTZ001  # refused whatever its zone


def test_the_demonstration_runs_and_says_which_pages_to_open(tmp_path):
    done = run("demo", tmp_path / "demo")
    assert (tmp_path / "demo" / "italy" / "packet" / "index.html").is_file()
    assert f"Open {tmp_path / 'demo' / 'italy' / 'packet' / 'index.html'}" in done.stdout
    said = dict(line.removeprefix("Event ").split(": ", 1) for line in done.stdout.splitlines() if line.startswith("Event "))
    assert set(said) == {
        f"{town}/{end}" for town in ("italy", "southampton") for end in ("allowed", "exempt", "refused", "undecided")
    }
    for town in ("italy", "southampton"):
        assert "May be issued: every requirement that could be checked is met." in said[f"{town}/allowed"]
        assert "May not be issued" in said[f"{town}/refused"]
        assert "official" in said[f"{town}/undecided"]
        assert said[f"{town}/exempt"].startswith("No permit is required: ")
    run("demo", tmp_path / "demo")


def test_a_number_behind_its_swis_code_is_the_towns_parcel(italy):
    assert json.loads(run("parcel", italy, "572400/51.00-1-1", "--json").stdout)["id"] == "51.00-1-1"
    assert "no parcel is known" in run("parcel", italy, "999999/51.00-1-1", expect=2).stderr


@pytest.mark.shared
class TestBellerose:
    """A layer that nobody here made: the Village of Bellerose, from GeoJSON to packet."""

    def test_a_number_with_other_marks_or_without_quotes_is_answered_with_the_right_one(self, shared, tmp_path):
        source = shared / "data" / "bellerose-ny" / "parcels.geojson"
        run("init", tmp_path / "town", "--parcels", source, "--ordinance", "italy", "--field", "tax_map_number=PARCEL")
        run("import", tmp_path / "town")
        assert "nearest: 32 33 192)" in run("notice", tmp_path / "town", "32-33-192", *HEARING, expect=2).stderr
        said = run("notice", tmp_path / "town", "32", "33", "192", *HEARING, expect=2).stderr
        assert 'Put the number in quotes: "32 33 192"' in said
        assert "no parcel is known" not in said

    def test_the_four_commands_of_the_guide(self, shared, tmp_path):
        source = shared / "data" / "bellerose-ny" / "parcels.geojson"
        assert "PARCELKEY" in run("inspect", source).stdout
        run("init", tmp_path / "town", "--parcels", source, "--ordinance", "italy", "--field", "tax_map_number=PARCEL")
        run("import", tmp_path / "town")
        run("notice", tmp_path / "town", "32 33 192", "--for", "hearing", "--hearing", "2026-10-20", "--out", tmp_path / "packet")
        made = json.loads((tmp_path / "packet" / "record.json").read_text())
        assert {"cover_ends", "date_unknown", "roll_old"} <= {warning["code"] for warning in made["warnings"]}
        assert len(made["parcels"]) == 312 + 2
