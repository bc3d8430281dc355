"""The columns of a town's file: read by their words, assigned by a person, or asked about before anything is counted."""

import pytest

from geonotice.errors import InputError, UnreadColumns, UsageError
from geonotice.register.assignments import Answers, assign, assigned, read_mapping
from geonotice.register.permit_rows import Sheet, SheetRow

PARCEL = "12.01-1-15"


def sheet(headings, *rows):
    return Sheet(
        tuple(headings), tuple(SheetRow(n, dict(zip(headings, row, strict=True))) for n, row in enumerate(rows, start=2))
    )


def columns_of(found, answers=None):
    return assign(found, answers or Answers(), file="past.csv", year=2026, is_parcel=lambda text: text == PARCEL)


GOOD = ("Permit No.", "SCTM #", "Organizer", "Event Date(s)", "Issue Date", "Non-Profit")
ROW = ("A-1", PARCEL, "Lions", "7/4/26", "5/1/26", "Y")


def test_headings_are_read_by_their_words_and_that_is_said():
    found = columns_of(sheet(GOOD, ROW))
    assert found.headings == {
        "number": "Permit No.",
        "parcels": "SCTM #",
        "issued": "Issue Date",
        "applicant": "Organizer",
        "starts": "Event Date(s)",
        "charitable": "Non-Profit",
    }
    assert "read by their words: 'Organizer' as applicant" in found.remarks[0]


@pytest.mark.parametrize(
    ("heading", "cell", "why"),
    [
        ("OK'd", "5/2/2026", "its cells are dates"),
        ("C?", "Y", "its cells are yes and no"),
        ("What became of it", "Denied", "its cells are statuses"),
        ("Where", PARCEL, "its cells are tax map numbers"),
        ("For profit", "LLC", "its heading has a word"),
        ("column G", "5/2/2026", "its cells are dates"),
    ],
)
def test_a_column_that_may_count_and_is_not_understood_stops_the_import(heading, cell, why):
    with pytest.raises(UnreadColumns) as caught:
        columns_of(sheet((*GOOD, heading), (*ROW, cell)))
    assert why in str(caught.value)
    assert f'--column "{heading}=FIELD"' in str(caught.value)
    assert f'"{heading}" = "?"' in caught.value.mapping
    assert caught.value.exit_code == 4


def test_all_of_them_are_asked_about_at_once():
    with pytest.raises(UnreadColumns) as caught:
        columns_of(sheet((*GOOD, "OK'd", "C?"), (*ROW, "5/2/2026", "N")))
    assert len(caught.value.faults) == 2


def test_the_applicant_is_not_dropped_where_nobody_knows_which_column_it_is():
    headings = tuple("Verein" if name == "Organizer" else name for name in GOOD)
    with pytest.raises(UnreadColumns, match="no column says who the applicant is"):
        columns_of(sheet(headings, ROW))


def test_two_columns_that_could_both_be_what_is_counted_are_asked_about():
    with pytest.raises(UnreadColumns, match="could be issued, as"):
        columns_of(sheet((*GOOD, "Date of issue"), (*ROW, "5/2/26")))


def test_what_a_permit_has_no_place_for_is_named_and_not_asked_about():
    found = columns_of(sheet((*GOOD, "Website", "Date Rec'd", "Remarks"), (*ROW, "example.org", "4/1/26", "tent")))
    assert any("Website, Date Rec'd, Remarks" in said for said in found.remarks)


def test_contact_and_hours_may_stand_in_several_columns():
    columns = (*GOOD, "Phone", "Contact person", "Start time", "End time", "Fee")
    found = columns_of(sheet(columns, (*ROW, "555-0101", "J. Moore", "6pm", "11pm", "150")))
    assert (found.contacts, found.hours) == (("Phone", "Contact person"), ("Start time", "End time"))
    assert found.headings["fee"] == "Fee"
    three = columns_of(sheet((*GOOD, "Time 1", "Time 2", "Hours of music"), (*ROW, "6pm", "7pm", "8pm")))
    assert three.hours == ()
    assert any(
        "hours are not kept, since several columns have some: Time 1, Time 2, Hours of music" in said for said in three.remarks
    )


def test_what_a_person_assigns_comes_first():
    answers = Answers(columns={"ok'd": "issued", "Issue Date": "ignore"})
    found = columns_of(sheet((*GOOD, "OK'd"), (*ROW, "5/2/2026")), answers)
    assert found.headings["issued"] == "OK'd"


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"Absent": "issued"}, "there is no column 'Absent'"),
        ({"Organizer": "issued", "Issue Date": "issued"}, "are assigned to issued"),
    ],
)
def test_an_assignment_that_cannot_be(columns, why):
    with pytest.raises(UsageError, match=why):
        columns_of(sheet(GOOD, ROW), Answers(columns=columns))


@pytest.mark.parametrize("text", ["Organizer", "=applicant", "Organizer=leader"])
def test_an_option_that_assigns_nothing(text):
    with pytest.raises(UsageError):
        assigned([text])


def test_a_file_of_something_else_is_refused():
    with pytest.raises(InputError, match="which parcels"):
        columns_of(sheet(("OWNER_NAME_1", "MAIL"), ("DOE", "1 MAIN ST")))


def test_dates_that_can_be_read_in_two_ways_are_one_question():
    rows = [(*ROW[:3], day, "5/1/2026", "Y") for day in ("25/7/2026", "4/7/2026")]
    with pytest.raises(UnreadColumns, match="--dates month-first or --dates day-first") as caught:
        columns_of(sheet(GOOD, *rows))
    assert 'dates = "?"' in caught.value.mapping
    assert columns_of(sheet(GOOD, *rows), Answers(dates="day-first")).order == "day-first"


class TestMappingFile:
    @pytest.fixture
    def asked(self, tmp_path):
        with pytest.raises(UnreadColumns) as caught:
            columns_of(sheet((*GOOD, 'The "OK"'), (*ROW, "5/2/2026")))
        path = tmp_path / "past.mapping.toml"
        path.write_text(caught.value.mapping, encoding="utf-8")
        return path

    def test_open_ones_are_asked_again(self, asked):
        with pytest.raises(UnreadColumns):
            columns_of(sheet((*GOOD, 'The "OK"'), (*ROW, "5/2/2026")), read_mapping(asked))

    def test_answered_it_is_followed(self, asked):
        asked.write_text(asked.read_text().replace('"?"', '"ignore"', 2).replace('Replace each "ignore"', ""))
        found = columns_of(sheet((*GOOD, 'The "OK"'), (*ROW, "5/2/2026")), read_mapping(asked))
        assert found.headings["issued"] == "Issue Date"

    def test_headings_that_another_file_of_the_town_lacks_do_not_matter(self, asked):
        assert columns_of(sheet(GOOD, ROW), read_mapping(asked)).headings["applicant"] == "Organizer"

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ('[columns]\nA = "leader"', "'leader' is no column of a permit"),
            ('dates = "english"', "dates is 'english'"),
            ("parcel_prefix = 900", "parcel_prefix is no text"),
            ("columns = 3", "columns is no table"),
            ("colums = 3", "no key 'colums'"),
            ("A = yes", "not TOML"),
        ],
    )
    def test_what_is_no_answer_is_refused(self, text, why, tmp_path):
        path = tmp_path / "past.mapping.toml"
        path.write_text(text)
        with pytest.raises(InputError, match=why):
            read_mapping(path)
