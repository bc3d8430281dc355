"""The siting question at the desk: its form, its answer, the link that brings it back, and the files."""

import csv
import html
import io
import re
import sqlite3
import time as clock
from datetime import timedelta

import pytest
from desk_toys import TODAY, desk_at, words_of

from geonotice.opened_town import open_store
from geonotice.register.session import read_town_register
from geonotice.screen.table import Asked
from geonotice.workflow.screen import leave_out, screen_town

LINK = "/screen?ask=yes&persons=100&where=acres+%3E%3D+3+and+left+%3E+0&rank=-acres&top=12"
WHERE = "acres >= 3 and left > 0"


def answered(client, link=LINK):
    """Ask, and wait as the page does, until the answer stands on it."""
    page = client.get(link).text
    until = clock.monotonic() + 120
    while 'hx-get="/jobs/' in page:
        waiting = re.search(r'hx-get="(/jobs/[^"]+)"', page)[1]
        assert clock.monotonic() < until
        clock.sleep(0.1)
        told = client.get(html.unescape(waiting))
        if "hx-redirect" in told.headers:
            page = client.get(told.headers["hx-redirect"]).text
    return page


@pytest.fixture(scope="module")
def desk(southampton):
    with desk_at(southampton) as client:
        yield client


@pytest.fixture(scope="module")
def page(desk):
    return answered(desk)


@pytest.fixture(scope="module")
def expected(southampton):
    with open_store(southampton) as opened, read_town_register(opened.town) as register:
        return screen_town(opened, Asked(on=TODAY, persons=100, charity=False), register, where=WHERE, rank="-acres", top=12)


def test_without_a_question_it_shows_the_form_alone(desk):
    page = desk.get("/screen").text
    assert "Find places" in page
    assert "to consider, and nothing is decided here" in words_of(page)
    assert "/jobs/" not in page


def test_the_answer_is_that_of_the_command_in_its_order(page, expected):
    assert re.findall(r'<tr data-parcel="([^"]+)"', page) == [row["id"] for row in expected.rows]
    assert f"{len(expected.ranked)} of {expected.judged} parcels to consider; the best 12 are listed" in words_of(page)


def test_it_says_what_was_not_looked_at(page, expected):
    said = words_of(page)
    for note in expected.notes:
        assert " ".join(note.split()) in said
    assert "Not looked at" in said


def test_the_link_brings_it_back_at_once_with_what_was_asked(desk, page, monkeypatch):
    monkeypatch.setattr("geonotice.web.screen_desk.screen_town", lambda *_, **__: 1 / 0)
    again = desk.get(LINK).text
    assert re.findall(r'<tr data-parcel="([^"]+)"', again) == re.findall(r'<tr data-parcel="([^"]+)"', page)
    assert 'value="acres &gt;= 3 and left &gt; 0"' in again
    assert 'id="shapes"' in again


def test_the_files_are_those_of_the_command(desk, page, expected, tmp_path):
    rows = list(csv.DictReader(io.StringIO(desk.get(LINK.replace("?", "/file?") + "&format=csv").content.decode("utf-8-sig"))))
    assert [row["id"] for row in rows] == [row["id"] for row in expected.rows]
    (tmp_path / "a.gpkg").write_bytes(desk.get(LINK.replace("?", "/file?") + "&format=gpkg").content)
    with sqlite3.connect(tmp_path / "a.gpkg") as found:
        assert found.execute("SELECT count(*) FROM candidates").fetchone() == (12,)
    found.close()
    assert desk.get(LINK.replace("?", "/file?") + "&format=parquet").content[:4] == b"PAR1"
    assert "<html" in desk.get(LINK.replace("?", "/file?") + "&format=html").text[:200]
    assert desk.get(LINK.replace("?", "/file?") + "&format=exe").status_code == 400


def test_a_file_of_a_question_that_nobody_asked_leads_to_the_question(desk):
    answer = desk.get("/screen/file?ask=yes&persons=7&format=csv")
    assert answer.headers["location"] == "/screen?ask=yes&persons=7"


def test_what_is_unknown_stands_apart(desk):
    page = answered(desk, "/screen?ask=yes&where=used+%3E%3D+0+and+acres+%3E+1")
    ranked = set(re.findall(r'<tr data-parcel="([^"]+)"', page))
    if "Unknown (?):" in page:
        unknown = page.partition('id="unknown"')[2].partition("</section>")[0]
        assert not ranked & set(re.findall(r">([0-9.-]{15,})<", unknown))
        assert "not ruled out" in unknown


@pytest.mark.parametrize(
    ("query", "said"),
    [("persons=many", "no whole number"), ("starts=2027-07-10&ends=2027-07-01", "before the first"), ("from=10:00", "only one of the hours"),
     ("kind=riot", "no kind of event"), ("starts=someday", "no date"), ("top=0", "none are asked for"), ("from=25:00&until=26:00", "no hour")],
)  # fmt: skip
def test_a_field_that_cannot_be_is_named(desk, query, said):
    answer = desk.get(f"/screen?ask=yes&{query}")
    assert answer.status_code == 400
    assert said in words_of(answer.text)


@pytest.mark.parametrize(
    ("query", "said"), [("where=acres+%3E", "acres"), ("rank=beauty", "beauty"), ("where=%3Cscript%3E", "script")]
)
def test_a_condition_that_cannot_be_meant_is_told_with_the_form(desk, query, said):
    page = answered(desk, f"/screen?ask=yes&{query}")
    assert 'role="alert"' in page
    assert said in words_of(page)
    assert "<script>" not in page


def test_an_answer_is_old_after_ten_minutes_and_worked_out_anew_when_asked(southampton):
    with desk_at(southampton) as client:
        answered(client)
        (first,) = client.desk.judgments._found.values()
        assert client.get(LINK + "&anew=yes").headers["location"].startswith("/screen?ask=yes&persons=100")
        answered(client)
        (second,) = client.desk.judgments._found.values()
        assert second is not first
        now = client.desk.now()
        client.desk.now = lambda: now + timedelta(minutes=11)
        answered(client)
        (third,) = client.desk.judgments._found.values()
        assert third is not second


def test_no_more_answers_are_kept_than_memory_has_room_for(desk):
    for n in range(5):
        answered(desk, f"/screen?ask=yes&where=acres+%3E+{n + 50}")
    assert len(desk.desk.judgments._found) <= 3


def test_the_boxes_are_ticked_at_first_and_leave_out_what_is_known_to_be_of_no_use(desk):
    form = desk.get("/screen").text
    assert all(f'name="{name}" value="yes" checked' in form for name in ("fits", "excluded"))
    assert "<code>acres</code>" in form
    page = answered(desk, "/screen?ask=yes&persons=800&fits=yes&excluded=yes&left=yes")
    assert "where there is no room for them (fits)" in words_of(page)
    assert words_of(page).count("Left out:") == 1
    assert "persons=800&amp;fits=yes&amp;excluded=yes&amp;left=yes" in page


def test_what_is_unknown_is_never_left_out(southampton):
    with open_store(southampton) as opened:
        found = screen_town(opened, Asked(on=TODAY), None)
        kept = leave_out(found, ("fits", "left"))
    assert kept.ranked == found.ranked  # without persons and without a register, both are unknown
    assert [(one.name, one.count, one.unknown) for one in kept.left_out] == [("fits", 0, found.judged), ("left", 0, found.judged)]
    (said,) = kept.left_out_lines
    assert said.startswith(
        f"They stay in, for it is not known (?) of {found.judged:,} whether there is no room for them (fits), of "
    )


def test_each_reason_counts_whatever_the_others_leave_out(southampton):
    """A lot on a road that has no room is counted under both, and left out once; the order of the ticks changes nothing."""
    with open_store(southampton) as opened:
        found = screen_town(opened, Asked(on=TODAY, persons=800), None)
    kept, other = (leave_out(found, ticks) for ticks in (("fits", "excluded"), ("excluded", "fits")))
    no_room = {n for n in found.ranked if found.table["fits"][n] == "no"}
    excluded = {n for n in found.ranked if found.table["excluded"][n]}
    assert no_room & excluded
    assert {one.name: one.count for one in kept.left_out} == {"fits": len(no_room), "excluded": len(excluded)}
    assert set(kept.left_out) == set(other.left_out)
    assert kept.left_out_in_all == len(no_room | excluded) == len(found.ranked) - len(kept.ranked)
    assert kept.ranked == other.ranked
    assert kept.left_out_lines[0].startswith(
        f"Left out: {len(no_room | excluded):,}, of these {len(no_room):,} where there is no room for them (fits), "
    )
    assert kept.left_out_lines[0].endswith("One lot may be left out for several reasons.")
    assert leave_out(found, ()).left_out_lines == ()
