"""The letter to a neighboring municipality into which the search area reaches past the layers."""

import pytest

from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import words_of_word_file
from geonotice.model import Municipality
from geonotice.packet.paper import PacketContext, paper_of


def beyond(name="", **known):
    return Municipality(name=name, swis="", distance_ft=0.0, **known)


PAPER = paper_of("letter-neighbor.pdf")


def made(notice, *places, **changes):
    context = PAPER.prepare(PacketContext(notice=notice, beyond=places, **changes))
    return (PAPER.files(context) if PAPER.when(context) else {}), PAPER.before_mailing(context)


def test_it_asks_the_clerk_by_title_for_the_owners_within_the_distance(notice):
    known = beyond("Prattsfield", kind="town", clerk_name="A. Lee", clerk_address="1 Hill Rd; Prattsfield NY 14873")
    files, step = made(notice, known, searched_ft=1000.0)
    (page,) = words_of_pdf(files["letter-neighbor.pdf"])
    text = " ".join(page.split())
    assert "Town Clerk Town of Prattsfield Attn: A. Lee 1 Hill Rd Prattsfield NY 14873" in text
    assert "those within 1,000 feet of the premises be notified" in text
    assert "1 FAIR RD (tax map number 11.00-1-1)" in text
    assert "at once to the clerk of Prattsfield:" in step


@pytest.mark.parametrize("address", ["", "Village Hall"])
def test_what_no_layer_knows_is_a_line_to_fill_in(notice, address):
    words = words_of_word_file(made(notice, beyond("Sagg", kind="village", clerk_address=address))[0]["letter-neighbor.docx"])
    asked = next(line for line in words if line.startswith("Village Clerk"))
    assert asked.count("____") >= 2
    assert "Village of Sagg" in asked


def test_each_municipality_gets_one_and_where_none_is_known_the_name_is_left_open(notice):
    assert len(words_of_pdf(made(notice, beyond("Sagg"), beyond("Ovid"))[0]["letter-neighbor.pdf"])) == 2
    files, step = made(notice, beyond())
    assert "may lie in ____" in " ".join(words_of_pdf(files["letter-neighbor.pdf"])[0].split())
    assert "the clerk of the municipality there" in step


def test_there_is_none_where_the_layers_cover_the_area_or_letters_are_left_out(notice):
    assert made(notice)[0] == {}
    assert made(notice, beyond("Sagg"), letters=False)[0] == {}
