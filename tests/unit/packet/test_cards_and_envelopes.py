"""Return receipt cards and envelopes: one page a piece, each address whole in its box."""

import io

import pdfplumber
import pytest
from hard_names import assert_on_the_page_and_apart, hard, read_pages, squeezed
from msgspec.structs import replace

from geonotice.config.town import Clerk
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.cards_and_envelopes import cards_test_pdf, envelopes_pdf, green_cards_pdf, sender_side_pdf
from geonotice.packet.paper import Duties, LabelOptions, PacketContext, assemble, prepare
from geonotice.packet.word_papers import PaperSettings

CLERK = Clerk(office="Italy Town Hall", address=("1 Main St", "Naples NY 14512"))


@pytest.fixture
def context(notice, recipient):
    return PacketContext(
        notice=replace(notice, recipients=hard(recipient, mail="certified")),
        settings=PaperSettings(clerk=CLERK),
        duties=Duties(return_receipts=frozenset({"italy.notice1000"})),
        article_numbers={5: "9407112010000000000012"},
        letters=False,
        envelopes=True,
    )


def printed(context):
    """Return those whose letters the type has."""
    return [one for one in context.notice.recipients if one.number != 4]


def test_each_card_has_its_address_in_the_box_and_its_article_number_where_it_is_known(context):
    pdf = green_cards_pdf(context)
    pages = read_pages(pdf)
    assert [page.removesuffix("9407112010000000000012") for page in pages] == [
        squeezed("".join(address_lines(one))) for one in printed(context)
    ]
    assert pages[-1].endswith("9407112010000000000012")
    assert_on_the_page_and_apart(pdf)
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            assert (page.width, page.height) == (396, 252)
            address = [one for one in page.chars if one["top"] < 200]
            assert min(one["x0"] for one in address) >= 0.25 * 72 - 0.5
            assert max(one["x1"] for one in address) <= 2.65 * 72 + 0.5
            assert min(one["top"] for one in address) >= 1.2 * 72 - 1
            assert max(one["bottom"] for one in address) <= 2.15 * 72 + 1


def test_the_other_side_has_the_sender_and_a_test_page_the_outlines(context):
    assert read_pages(sender_side_pdf(context)) == ["TownofItalyItalyTownHall1MainStNaplesNY14512"]
    assert "1.Articleaddressedto" in read_pages(cards_test_pdf(context))[0]


def test_a_nudge_moves_the_cards(context):
    def first(pdf):
        with pdfplumber.open(io.BytesIO(pdf)) as document:
            return document.pages[0].chars[0]["x0"]

    moved = replace(context, labels=LabelOptions(nudge_x_in=0.1))
    assert first(green_cards_pdf(moved)) == pytest.approx(first(green_cards_pdf(context)) + 7.2, abs=0.01)


def test_each_envelope_has_return_address_recipient_and_list_number(context):
    pdf = envelopes_pdf(context)
    for page, one in zip(read_pages(pdf), printed(context), strict=True):
        assert page.startswith("TownofItalyItalyTownHall1MainStNaplesNY14512RETURNRECEIPTREQUESTED")
        assert squeezed("".join(address_lines(one))) in page
        assert page.endswith(f"No.{one.number}")
    assert_on_the_page_and_apart(pdf)


def test_who_is_written_by_hand_is_named_once(context):
    notes = prepare(prepare(context)).notes
    assert sum("Write the return receipt cards of No. 4 by hand" in note for note in notes) == 1
    assert sum("Write the envelopes of No. 4 by hand" in note for note in notes) == 1


def test_envelopes_are_made_on_request_and_cards_for_return_receipts_only(context):
    assert "envelopes.pdf" not in assemble(prepare(replace(context, envelopes=False)))
    assert "green-cards.pdf" not in assemble(prepare(replace(context, duties=Duties())))
    assert {"envelopes.pdf", "green-cards.pdf", "green-cards-sender.pdf", "green-cards-test.pdf"} <= set(
        assemble(prepare(context))
    )


def test_the_same_bytes(context):
    assert green_cards_pdf(context) == green_cards_pdf(context)
    assert envelopes_pdf(context) == envelopes_pdf(context)


def test_a_return_address_that_does_not_fit_is_told(context):
    clerk = Clerk(office="Italy Town Hall", address=tuple(f"LINE {n}" for n in range(30)))
    notes = prepare(replace(context, settings=PaperSettings(clerk=clerk))).notes
    assert any("The return address is not printed on the envelopes and the return receipt cards" in note for note in notes)


def test_each_step_of_the_first_page_stands_once_however_many_files_its_paper_has(context):
    page = assemble(prepare(context))["index.html"].decode()
    assert page.count("hold it against a return receipt card") == 1
