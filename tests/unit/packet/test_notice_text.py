"""The text for the newspaper and the board: what the law wants in it, and how many words it has."""

import pytest
from msgspec.structs import replace

from geonotice.config.town import Clerk
from geonotice.io.word_files import words_of_word_file
from geonotice.model import Clause
from geonotice.packet.notice_text import text_words
from geonotice.packet.paper import Duties, PacketContext, assemble, prepare
from geonotice.packet.word_papers import PaperSettings

STATED = {
    "event_title": "Hay Fair",
    "event_kind": "festival",
    "event_when": "Saturday, October 24, 2026, 2 p.m. to 10 p.m.\nSunday, October 25, 2026, 2 p.m. to 8 p.m.",
    "applicant_name": "Ann Roe",
    "hearing_time": "7:00 p.m.",
    "hearing_place": "Italy Town Hall",
}
CLERK = Clerk(
    name="R. Doe",
    title="Town Clerk",
    office="Italy Town Hall",
    address=("1 Main St", "Naples NY 14512"),
    hours="Monday to Thursday, 9 a.m. to 3 p.m.",
)


@pytest.fixture
def context(notice):
    duties = Duties(published=Clause("italy.hearing10", "Italy, C", "published and posted"), given=("published", "posted"))
    return PacketContext(notice=notice, settings=PaperSettings(clerk=CLERK, stated=STATED), duties=duties, letters=False)


def text_of(context):
    return assemble(prepare(context))["notice-text.txt"].decode("utf-8-sig")


# LAW: Italy C.
def test_it_states_location_dates_times_type_and_where_the_application_is_read(context):
    text = text_of(context)
    for words in (
        "a public hearing on Tuesday, October 20, 2026 at 7:00 p.m., at Italy Town Hall",
        "Type of event: festival.",
        "Saturday, October 24, 2026, 2 p.m. to 10 p.m.; Sunday, October 25, 2026, 2 p.m. to 8 p.m.\r\n",
        "Location: 1 FAIR RD (tax map number 11.00-1-1).",
        "may be reviewed by the public at the Town Clerk's office, 1 Main St, Naples NY 14512, during regular business hours",
        "R. Doe, Town Clerk, Town of Italy.",
    ):
        assert words in text


def test_the_word_file_has_the_same_words(context):
    files = assemble(prepare(context))
    assert " ".join(words_of_word_file(files["notice-text.docx"])).split() == text_of(context).split()


def test_the_first_page_counts_the_words_for_the_price(context):
    page = assemble(prepare(context))["index.html"].decode()
    assert (
        f"official newspaper ({len(text_of(context).split())} words, for the price), and put the text on the town&#39;s board"
        in page
    )


def test_what_is_not_known_is_a_line_to_fill_in_and_told_once_for_all_papers(context):
    prepared = prepare(replace(context, settings=PaperSettings(clerk=CLERK), letters=True))
    told = [note for note in prepared.notes if "left as a line to be filled in" in note]
    assert len(told) == 1
    assert told[0].startswith("letters-clerks.docx, letters.docx, notice-text.docx: ")
    assert prepare(prepared).notes == prepared.notes


def test_there_is_none_where_the_law_has_nothing_published(context):
    assert "notice-text.txt" not in assemble(prepare(replace(context, duties=Duties())))


@pytest.mark.parametrize("occasion", ["hearing", "appeal", "rezoning"])
def test_every_occasion_has_words(context, occasion):
    made = replace(context, notice=replace(context.notice, occasion=occasion))
    assert "PLEASE TAKE NOTICE" in text_of(made)
    assert text_words(occasion).needed
