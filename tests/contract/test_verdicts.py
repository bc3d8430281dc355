"""The handed applications on which the program once said that nothing stood in the way, or issued what the law forbids."""

import json
import shutil

import pytest
from program import exit_code

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def towns(imported, tmp_path_factory):
    place = tmp_path_factory.mktemp("towns")
    for name in ("italy", "southampton"):
        imported(name, place / name)
    return place


@pytest.fixture
def handed(shared):
    place = shared / "faults"
    if not place.is_dir():
        pytest.skip("the handed applications are not kept beside this repository")
    return place


def said(capsys, *args):
    capsys.readouterr()
    code = exit_code(*args, "--json")
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("town", "file", "on", "expected"),
    [
        ("italy", "law/italy_refused.toml", "2026-11-30", ("not_met", "4 requirements are not met", 5)),
        ("italy", "law/italy_hearing_6_days.toml", "2026-12-30", ("decide", "notice can no longer be given in time", 4)),
        ("southampton", "law/prohibited_but_issued.toml", "2026-11-30", ("not_met", "requirements are not met", 5)),
        ("southampton", "law/out.toml", "2026-11-30", ("decide", "not in Town of Southampton", 4)),
        ("southampton", "law/vill.toml", "2026-11-30", ("decide", "the premises lie in the Village of Pondcrest", 4)),
        ("southampton", "register/offsite/site.toml", "2026-11-30", ("decide", "is not wholly on the premises", 4)),
    ],
)
def test_the_headline_follows_the_worst_and_no_permit_is_issued(towns, handed, tmp_path, capsys, town, file, on, expected):  # noqa: PLR0917  # fixtures, and a case
    status, words, code = expected
    shutil.copytree(towns / town, tmp_path / town)
    checked, result = said(capsys, "check", tmp_path / town, handed / file, "--on", on)
    assert (result["headline"]["status"], checked) == (status, 5 if status == "not_met" else 0)
    assert words in result["headline"]["text"]
    issued, refused = said(capsys, "permit", "issue", tmp_path / town, "--event", handed / file, "--on", on, "--by", "Clerk")
    assert (issued, refused["number"]) == (code, None)
    assert refused["headline"]["status"] == status
    _, listed = said(capsys, "permit", "list", tmp_path / town)
    assert listed["permits"] == []


def test_before_the_last_day_the_notice_is_a_question(towns, handed, capsys):
    code, result = said(capsys, "check", towns / "italy", handed / "law/italy_hearing_6_days.toml", "--on", "2026-12-26")
    assert (code, result["headline"]["status"], result["allowed"]) == (0, "met", True)
    assert {one.partition(":")[0] for one in result["missing"]} >= {
        "notice_given.published",
        "notice_given.posted",
        "notice_given.mailed",
    }


def test_a_yard_sale_stated_in_two_ways_is_for_an_official_with_both_values(towns, handed, capsys):
    code, result = said(capsys, "check", towns / "southampton", handed / "law/yard_sale_contradiction.toml", "--on", "2026-11-30")
    assert (code, result["headline"]["status"]) == (0, "decide")
    (exempt,) = [one for one in result["findings"] if one["rule"] == "sh.yard_sale"]
    assert (exempt["status"], "answers_conflict" in exempt["review"]) == ("decide", True)
    conflicts = " ".join(one["text"] for one in result["warnings"] if one["code"] == "answers_conflict")
    assert [
        value for value in ("July 10, 2027", "July 8, 2027", "09:00 to 16:00", "06:00 to 19:00") if value not in conflicts
    ] == []


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("law/multi_day_night.toml", "it ends at 16:00, before the sun sets (20:24): suggested day"),
        ("law/small_hours_night.toml", "begins at 00:30, before the sun rises (05:17): suggested night"),
    ],
)
def test_the_night_is_suggested_by_the_sun_of_each_day(towns, handed, capsys, file, words):
    _, result = said(capsys, "check", towns / "southampton", handed / file, "--on", "2026-11-30")
    (suggested,) = [one["text"] for one in result["warnings"] if one["code"] == "night_suggested"]
    assert words in suggested
