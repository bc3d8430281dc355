"""``permit import`` with the files that stand beside a spreadsheet: the mapping, the questions, the preview."""

import csv
import json
import shutil

import pytest
from program import exit_code, run_here

PARCEL, OTHER = "0900-124.00-02.00-002.000", "0900-127.00-03.00-009.000"
PAST = f"""Permit,Where (lot),Who,When,OK'd
A-1,{PARCEL},Lions,"July 11, 2026 6pm-11pm",5/1/26
A-2,{OTHER},Rotary,9/31/26,5/2/26
"""


@pytest.fixture(scope="module")
def layers(imported, tmp_path_factory):
    return imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")


@pytest.fixture
def past(layers, tmp_path):
    shutil.copytree(layers, tmp_path / "town")
    (tmp_path / "past.csv").write_text(PAST)
    return tmp_path


def numbers(past):
    return [item["number"] for item in json.loads(run_here("permit", "list", past / "town", "--json").stdout)["permits"]]


def test_from_the_first_try_to_the_answered_questions(past, capsys):
    asked = ["permit", "import", past / "town", past / "past.csv", "--by", "Clerk"]
    assert exit_code(*asked) == 4
    assert 'the column "OK\'d" is not understood: its cells are dates' in capsys.readouterr().err
    mapping = past / "past.mapping.toml"
    mapping.write_text(mapping.read_text().replace('"OK\'d" = "?"', '"OK\'d" = "issued"'))
    run_here(*asked, "--dry-run", "--out", past / "preview.csv", expect=4)
    with (past / "preview.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["outcome"] for row in csv.DictReader(file)] == ["taken with remarks", "refused"]
    assert not (past / "past.questions.csv").exists()
    run_here(*asked, expect=4)
    assert numbers(past) == ["A-1"]
    questions = past / "past.questions.csv"
    with questions.open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["Permit"], row["When"]) == ("A-2", "9/31/26")
    assert "there is no such day" in row["question"]
    questions.write_text(questions.read_text(encoding="utf-8-sig").replace("9/31/26,", "9/30/26,", 1))
    run_here("permit", "import", past / "town", questions, "--by", "Clerk")
    assert numbers(past) == ["A-1", "A-2"]
    run_here(*asked)  # what was answered is not asked again


def test_a_corrected_file_is_offered_then_taken(past):
    asked = ["permit", "import", past / "town", past / "past.csv", "--by", "Clerk", "--column", "OK'd=issued", "--json"]
    (past / "past.csv").write_text(PAST.replace("9/31", "9/30"))
    run_here(*asked)
    (past / "past.csv").write_text(PAST.replace("9/31", "9/29"))
    offered = json.loads(run_here(*asked, expect=4).stdout)
    assert offered["rows"][1]["differences"] == [{"field": "starts", "there": "2026-09-30", "here": "2026-09-29"}]
    assert json.loads(run_here(*asked, "--correct").stdout)["counts"]["corrected"] == 1
    assert exit_code("permit", "log", past / "town", "--verify") == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--column", "OK'd"], 2), (["--column", "Absent=issued"], 2), (["--mapping", "absent.toml"], 3), (["--out", "x.doc"], 2)],
)
def test_options_that_cannot_be_meant(options, code, past):
    more = [] if options[0] == "--column" else ["--column", "OK'd=issued"]
    assert exit_code("permit", "import", past / "town", past / "past.csv", "--by", "Clerk", "--dry-run", *more, *options) == code


PENDING = f"""Number,Parcels,Applicant,Starts,Issued,Status
{{number}},{PARCEL},Nurseries,2026-10-10,2026-08-15,Pending
{{other}},{OTHER},Rotary,2026-09-05,2026-07-01,Issued
"""


@pytest.mark.parametrize(("number", "other"), [("15", "16"), ("", "")], ids=["numbered", "without numbers"])
def test_what_was_answered_to_be_no_permit_is_not_asked_again(number, other, past):
    """The town's own spreadsheet stays as it is, and is imported every month."""
    year = past / "year.csv"
    year.write_text(PENDING.format(number=number, other=other))
    asked = ["permit", "import", past / "town", year, "--by", "Clerk", "--json"]
    run_here(*asked, expect=4)
    questions = past / "year.questions.csv"
    answered = questions.read_text(encoding="utf-8-sig").replace("2026-08-15", "", 1)
    questions.write_text(answered)
    for _ in range(2):
        run_here("permit", "import", past / "town", questions, "--by", "Clerk")
    again = json.loads(run_here(*asked).stdout)["rows"][0]
    assert (again["outcome"], again["reasons"]) == (
        "not_a_permit",
        ["it was asked about before, and answered: no permit was issued"],
    )
    log = json.loads(run_here("permit", "log", past / "town", "--json").stdout)["log"]
    assert [(row["action"], row["why"]) for row in log][1:] == [
        ("no_permit", "year.questions.csv, row 2: 'Pending': no permit was issued")
    ]
    assert exit_code("permit", "log", past / "town", "--verify") == 0


@pytest.fixture
def answered(past):
    """Import a pending row, answer that no permit was issued; return the file and the command that imports it."""
    year = past / "year.csv"
    year.write_text(PENDING.format(number="15", other="16"))
    asked = ["permit", "import", past / "town", year, "--by", "Clerk"]
    run_here(*asked, expect=4)
    questions = past / "year.questions.csv"
    questions.write_text(questions.read_text(encoding="utf-8-sig").replace("2026-08-15", "", 1))
    run_here("permit", "import", past / "town", questions, "--by", "Clerk")
    return year, asked


@pytest.mark.parametrize(("old", "new"), [("2026-10-10", "2027-10-10"), ("Pending", "Withdrawn"), ("Nurseries", "Orchards")])
def test_another_row_is_asked_about_though_its_number_was_answered(old, new, answered):
    year, asked = answered
    year.write_text(year.read_text().replace(old, new))
    run_here(*asked, expect=4)


def test_an_answer_that_a_permit_was_issued_after_all_is_taken(answered, past):
    year, asked = answered
    year.write_text(year.read_text().replace("Pending", "Issued"))
    run_here(*asked)
    assert numbers(past) == ["16", "15"]


def test_a_preview_names_nobody_since_it_stands_in_no_log(past, capsys):
    asked = ["permit", "import", past / "town", past / "past.csv", "--column", "OK'd=issued", "--dry-run"]
    assert exit_code(*asked) == 4
    assert "The log names" not in capsys.readouterr().err
