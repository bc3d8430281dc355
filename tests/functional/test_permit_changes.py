"""283-8 as a clerk meets it: ``permit amend``, ``permit correct``, and ``permit void`` of what was rescinded."""

import json
import shutil

import geopandas
import pytest
from desk_toys import desk_at, sit_down
from docx import Document
from program import run
from shapely import LineString, Polygon
from shapely.affinity import translate

from geonotice.opened_town import open_store

FREE = "0900-123.00-01.00-002.000"
FULL = "0900-127.00-03.00-009.000"

NEXT_TOWN, VILLAGE = "0399-031.00-03.00-007.000", "0901-004.00-01.00-001.000"
BY = ["--by", "Fire Marshal"]


@pytest.fixture
def town(southampton, tmp_path):
    """A copy of it, to change, with a permit for 12 December 2026."""
    shutil.copytree(southampton, tmp_path / "southampton")
    place = tmp_path / "southampton"
    stated = ["--starts", "2026-12-12", "--night", "no", "--persons", "200", "--applicant", "Bay Keepers Trust"]
    run("permit", "issue", place, FREE, *stated, *BY, "--on", "2026-11-02")
    return place


def amend(town, *what, on="2026-11-20", expect=0):
    return run("permit", "amend", town, "SE-2026-023", *what, "--reason", "rain", *BY, "--on", on, expect=expect)


def test_a_rain_date_costs_no_second_permit_and_the_permit_shows_what_it_was(town):
    made = json.loads(amend(town, "--starts", "2026-12-13", "--persons", "250", "--json").stdout)
    assert (made["number"], made["issued"], made["starts"]) == ("SE-2026-023", "2026-11-02", "2026-12-13")
    assert made["changes"]["starts"] == {"before": "2026-12-12", "after": "2026-12-13"}
    assert (made["headline"]["status"], made["maximum_attendance"]) == ("met", 250)
    found = json.loads(run("permit", "check", town, FREE, "--starts", "2026-12-20", "--on", "2026-11-20", "--json").stdout)
    assert found["used"] == 1
    assert "was 2026-12-12, is 2026-12-13" in run("permit", "show", town, "SE-2026-023").stdout
    run("permit", "log", town, "--verify")


def test_hours_are_amended_move_with_the_day_and_stand_on_the_papers(town, tmp_path):
    """283-8 names the hours; they count nothing."""
    made = json.loads(amend(town, "--hours", "14:00-20:00", "--json").stdout)
    assert made["changes"]["hours"] == {"before": [], "after": [["2026-12-12T14:00", "2026-12-12T20:00"]]}
    # The sun sets at half past four in December.
    assert [one["code"] for one in made["warnings"] if one["code"] == "night_suggested"] == ["night_suggested"]
    amend(town, "--starts", "2026-12-13")
    shown = run("permit", "show", town, "SE-2026-023").stdout
    assert "hours: was not stated, is Saturday, December 12, 2026, 2 p.m. to 8 p.m." in " ".join(shown.split())
    run("permit", "print", town, "SE-2026-023", "--out", tmp_path, "--on", "2026-11-20")
    text = "\n".join(paragraph.text for paragraph in Document(tmp_path / "permit-SE-2026-023.docx").paragraphs)
    assert "Sunday, December 13, 2026, 2 p.m. to 8 p.m." in text
    assert "for 2026-12-20, on which the event is not held" in amend(town, "--hours", "2026-12-20 2pm-3pm", expect=2).stderr
    assert json.loads(amend(town, "--hours", "unknown", "--json").stdout)["hours"] == []
    run("permit", "log", town, "--verify")


def test_hours_of_each_day_on_other_days_are_asked_for(town):
    amend(town, "--ends", "2026-12-13", "--hours", "10am-4pm", "--hours", "2026-12-13 noon-5pm")
    refused = amend(town, "--starts", "2026-12-19", "--ends", "2026-12-19", expect=2).stderr
    assert "which hours hold on the new days is not clear" in refused
    amend(town, "--starts", "2026-12-19", "--ends", "2026-12-19", "--hours", "10am-4pm")


def test_the_office_s_own_data_are_amended_and_corrected(town):
    amend(town, "--private-title", "yes", on="2026-12-10")
    assert "contact cannot be amended" not in amend(town, "--private-title", "yes", on="2026-12-10", expect=2).stderr
    run(
        "permit",
        "correct",
        town,
        "SE-2026-023",
        "--contact",
        "J. Moore, 631-555-0100",
        "--fee",
        "150",
        "--reason",
        "noted",
        *BY,
        "--on",
        "2026-12-10",
    )
    shown = json.loads(run("permit", "show", town, "SE-2026-023", "--json").stdout)
    assert (shown["private_title"], shown["contact"], shown["fee"]) == (True, "J. Moore, 631-555-0100", "150")


def test_what_a_permit_has_of_hours_contact_and_fee_comes_out_and_in_again(town, tmp_path):
    amend(town, "--hours", "14:00-16:00", "--private-title", "yes", "--title", "Roe wedding")
    for ending in ("csv", "xlsx", "gpkg"):
        file = tmp_path / f"permits.{ending}"
        run("permit", "export", town, file)
        report = json.loads(run("permit", "import", town, file, *BY, "--json").stdout)
        assert {row["outcome"] for row in report["rows"]} == {"there_already"}
    amend(town, "--hours", "15:00-16:00")
    assert "2026-12-12 14:00-16:00" in file.with_suffix(".csv").read_text("utf-8-sig")


def test_later_than_15_days_before_it_is_refused_unless_overridden(town):
    """At least 15 days before 12 December: 27 November is the last, whether the event is put off or brought forward."""
    amend(town, "--persons", "210", on="2026-11-27")
    assert "November 27, 2026 (283-8)" in amend(town, "--starts", "2026-12-26", on="2026-11-28", expect=5).stderr
    amend(town, "--starts", "2026-12-26", "--filed", "2026-11-27", on="2026-12-01")
    amend(town, "--starts", "2026-12-27", "--override", "Storm warning of the county", on="2026-12-20")
    shown = json.loads(run("permit", "show", town, "SE-2026-023", "--json").stdout)
    assert (shown["starts"], shown["override"]) == ("2026-12-27", "Storm warning of the county")
    assert shown["overridden"].startswith("sh.amend15 (not met)")
    # What the officials set themselves is bound to no day, and neither is a slip of the pen.
    amend(town, "--conditions", "No amplified sound", on="2026-12-26")
    run("permit", "correct", town, "SE-2026-023", "--applicant", "Bay Keepers", "--reason", "typo", *BY, "--on", "2026-12-28")


def test_a_full_lot_and_land_of_another_town_refuse_an_amendment(town):
    refused = amend(town, "--parcels", FULL, "--json", expect=5)
    assert json.loads(refused.stdout)["against"][0]["rule"] == "sh.cap_residential"
    assert json.loads(run("permit", "show", town, "SE-2026-023", "--json").stdout)["parcels"] == [FREE]
    assert "nothing is given that changes" in amend(town, expect=2).stderr


def test_with_the_event_file_the_whole_ordinance_is_checked(town):
    event = town / "events" / "allowed.toml"
    made = json.loads(amend(town, "--event", event, "--json").stdout)
    assert (made["checked"], made["starts"], made["title"]) == ("event", "2027-06-19", "Garden Party for the Bay")
    other = event.with_name("other.toml")
    other.write_text(event.read_text().replace('name = "Bay Keepers Trust"', 'name = "Great Neck Events"', 1))
    assert "is not transferable" in amend(town, "--event", other, expect=2).stderr


def test_voiding_what_was_rescinded_warns_that_the_count_changes(town):
    run("permit", "rescind", town, "SE-2026-023", "--reason", "danger", *BY)
    assert "it counts no longer" in run("permit", "void", town, "SE-2026-023", "--reason", "never issued", *BY).stderr


def test_land_where_the_town_has_no_say_is_for_an_official(town):
    """An event that moves into a village or another town is decided on as a new one is."""
    for parcel in (VILLAGE, NEXT_TOWN):
        refused = amend(town, "--parcels", parcel, "--json", expect=4)
        assert [one["rule"] for one in json.loads(refused.stdout)["against"]] == ["land"]
    why = ["--reason", "wrong lot", *BY]
    run("permit", "correct", town, "SE-2026-023", "--parcels", VILLAGE, *why, expect=4)
    made = json.loads(amend(town, "--parcels", VILLAGE, "--override", "the village agrees", "--json").stdout)
    assert made["overridden"].startswith("land (to decide)")


class TestTheDrawingOfTheSite:
    """283-8 does not close its list of changes: tents that stand elsewhere are one, though the permit itself says nothing of them."""

    @pytest.fixture
    def planned(self, town, tmp_path):
        """Return an event file with a drawing that can be drawn anew."""
        with open_store(town) as opened:
            middle = opened.store.geometries([opened.store.find(FREE).fid])[0].representative_point()
            crs = opened.crs

        def draw(east_ft=0.0, name="layout.gpkg", **more):
            at = translate(middle, east_ft)
            drawn = {"tent": at.buffer(20), "stage": translate(at, 40).buffer(8)}
            drawn |= {what: translate(shape, middle.x, middle.y) for what, shape in more.items()}
            geopandas.GeoDataFrame({"what": list(drawn)}, geometry=list(drawn.values()), crs=crs).to_file(
                file.with_name(name), layer="layout", engine="pyogrio"
            )

        file = tmp_path / "drawn" / "event.toml"
        file.parent.mkdir()
        file.write_text(
            f'[event]\ntitle = "Winter fair"\nkind = "festival"\nstarts = 2026-12-20\nnight = false\n[applicant]\nname = "Bay Keepers Trust"\n'
            f'[premises]\nparcels = ["{FREE}"]\nlayout = "layout.gpkg"\n'
        )
        draw()
        return file, draw

    @pytest.fixture
    def event(self, town, planned):
        """Return the same; the permit SE-2026-024 is issued on it."""
        run("permit", "issue", town, "--event", planned[0], "--override", "as the Board knows", *BY, "--on", "2026-11-02")
        return planned

    @staticmethod
    def amended(town, file, *what, on="2026-11-20", expect=0):
        asked = ["--event", file, "--reason", "the tent moves", *BY, "--override", "as before"]
        return run("permit", "amend", town, "SE-2026-024", *asked, *what, "--on", on, expect=expect)

    def test_another_drawing_alone_is_an_amendment_and_stands_in_the_history(self, town, event, tmp_path):
        file, draw = event
        draw(60)
        made = json.loads(self.amended(town, file, "--json").stdout)
        was, becomes = made["changes"]["drawing"]["before"], made["changes"]["drawing"]["after"]
        assert list(made["changes"]) in (["drawing"], ["drawing", "override"], ["override", "overridden", "drawing"])
        assert len(was) == len(becomes) == 64
        assert was != becomes
        entry = json.loads(run("permit", "show", town, "SE-2026-024", "--json").stdout)["log"][-1]
        assert entry["changes"]["drawing"] == {"before": was, "after": becomes}
        assert entry["why"].startswith("the tent moves (dated 2026-11-20)")
        assert becomes not in entry["why"]
        shown = " ".join(run("permit", "show", town, "SE-2026-024").stdout.split())
        assert f"site drawing: was the one with the SHA-256 {was[:16]}…, is the one with the SHA-256 {becomes[:16]}…" in shown
        run("permit", "print", town, "SE-2026-024", "--out", tmp_path / "papers", "--on", "2026-11-20")
        text = "\n".join(one.text for one in Document(tmp_path / "papers" / "amendment-SE-2026-024.docx").paragraphs)
        assert f"Site drawing: was the one with the SHA-256 {was[:16]}" in text
        run("permit", "log", town, "--verify")

    def test_the_same_drawing_is_no_change_whatever_its_file_and_neither_is_that_of_the_last_amendment(self, town, event):
        file, draw = event
        draw(name="again.gpkg")
        file.write_text(file.read_text().replace("layout.gpkg", "again.gpkg"))
        assert "says all of this already" in self.amended(town, file, expect=2).stderr
        draw(60, "again.gpkg")
        self.amended(town, file)
        assert "says all of this already" in self.amended(town, file, expect=2).stderr
        draw(0, "again.gpkg")
        back = json.loads(self.amended(town, file, "--json").stdout)["changes"]["drawing"]
        first = json.loads(run("permit", "show", town, "SE-2026-024", "--json").stdout)["log"][1]["changes"]["drawing"]
        assert (back["before"], back["after"]) == (first["after"], first["before"])

    @pytest.mark.parametrize(
        ("what", "shapes", "beside"),
        [
            (
                "fence",
                [LineString([(0, 0), (90, 0), (90, 90), (0, 90)]), LineString([(0, 90), (0, 0), (90, 0), (90, 90)])],
                {},
            ),
            (
                "ride",
                [
                    Polygon([(0, 0), (100, 0), (100, 100), (50, 50), (0, 100)]),
                    Polygon([(0, 0), (100, 0), (100, 100), (0, 100), (50, 50)]),
                ],
                {"persons": 90},
            ),
        ],
        ids=["a fence that opens north instead of west", "a ride on ground that differs by 5,000 sq ft, with another change"],
    )
    def test_the_same_corners_joined_otherwise_are_another_drawing(self, town, planned, what, shapes, beside):
        """The drawing of the application is at hand, and is held against the new one shape by shape."""
        (file, draw), (one, other) = planned, shapes
        draw(**{what: one})
        number = json.loads(run("application", "add", town, file, *BY, "--on", "2026-11-02", "--json").stdout)["number"]
        run("permit", "issue", town, "--application", number, "--override", "as the Board knows", *BY, "--on", "2026-11-02")
        again = file.with_name("again.toml")
        again.write_text(file.read_text().replace("layout.gpkg", "again.gpkg"))
        draw(name="again.gpkg", **{what: translate(one, 0.1)})
        assert "says all of this already" in self.amended(town, again, expect=2).stderr
        draw(name="again.gpkg", **{what: other})
        options = [word for name, value in beside.items() for word in (f"--{name}", value)]
        made = json.loads(self.amended(town, again, *options, "--json").stdout)["changes"]
        issued, amended = json.loads(run("permit", "show", town, "SE-2026-024", "--json").stdout)["log"]
        assert {name: made[name]["after"] for name in beside} == beside
        assert made["drawing"] == amended["changes"]["drawing"]
        assert made["drawing"]["before"] == issued["changes"]["drawing"]["after"]
        assert made["drawing"]["after"] != made["drawing"]["before"]

    def test_the_history_of_the_issued_permit_has_the_reason_as_typed_and_the_drawing_by_itself(self, town, event):
        entry = json.loads(run("permit", "show", town, "SE-2026-024", "--json").stdout)["log"][0]
        drawn = entry["changes"]["drawing"]["after"]
        assert entry["changes"] == {"drawing": {"before": None, "after": drawn}}
        assert entry["why"].startswith("as the Board knows")
        assert drawn not in entry["why"]
        shown = " ".join(run("permit", "show", town, "SE-2026-024").stdout.split())
        assert f"by Fire Marshal: site drawing: is the one with the SHA-256 {drawn[:16]}…" in shown
        assert drawn not in shown.replace(" ", "")
        logged = json.loads(run("permit", "log", town, "--permit", "SE-2026-024", "--json").stdout)["log"]
        assert logged[0] == entry
        with desk_at(town) as desk:
            sit_down(desk)
            page = desk.get("/permit", params={"number": "SE-2026-024"}).text
        assert f"<li>site drawing: is the one with the SHA-256 {drawn[:16]}…</li>" in page
        assert drawn not in page
        run("permit", "log", town, "--verify")

    def test_it_must_be_filed_in_time_as_any_other_change(self, town, event):
        file, draw = event
        draw(60)
        asked = ["--event", file, "--reason", "the tent moves", *BY, "--on", "2026-12-10"]
        refused = run("permit", "amend", town, "SE-2026-024", *asked, expect=5)
        assert "sh.amend15" in refused.stderr

    def test_an_amendment_of_something_else_says_nothing_of_a_drawing_that_stays(self, town, event):
        file, _ = event
        made = json.loads(self.amended(town, file, "--persons", "90", "--json").stdout)
        assert made["changes"]["persons"]["after"] == 90
        assert "drawing" not in made["changes"]
