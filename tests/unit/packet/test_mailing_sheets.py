"""The sheets for the post office: facsimiles that say so, with every piece whole, counted page by page."""

import csv
import io

import pytest
from hard_names import assert_on_the_page_and_apart, hard, read_pages, squeezed
from msgspec.structs import replace

from geonotice.config.town import Clerk
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.mailing_sheets import certificates_pdf, mailing_sheet_csv, mailing_sheet_pdf, service_csv
from geonotice.packet.paper import Duties, PacketContext, assemble
from geonotice.packet.pdf_text import stood_in
from geonotice.packet.word_papers import PaperSettings

CLERK = Clerk(office="Italy Town Hall", address=("1 Main St", "Naples NY 14512"))
RULE = "italy.notice1000"


def packet(notice, people, **changes):
    duties = Duties(return_receipts=frozenset({RULE}))
    return PacketContext(
        notice=replace(notice, recipients=people), settings=PaperSettings(clerk=CLERK), duties=duties, letters=False, **changes
    )


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.parametrize(("sheet", "mail"), [(mailing_sheet_pdf, "certified"), (certificates_pdf, "first_class")])
class TestBothSheets:
    def test_every_piece_is_whole_and_in_order(self, notice, recipient, sheet, mail):
        people = hard(recipient, mail=mail)
        pdf = sheet(packet(notice, people))
        text = "".join(read_pages(pdf))
        at = 0
        for one in people:
            wanted = squeezed("".join(stood_in(line) for line in address_lines(one)))
            at = text.index(wanted, at) + len(wanted)
        assert_on_the_page_and_apart(pdf)
        assert "No.4(U+738B" in text

    def test_eight_pieces_a_page_counted_with_sender_and_place_for_the_stamp(self, notice, recipient, sheet, mail):
        people = tuple(recipient(n, f"OWNER {n}", mail=mail) for n in range(1, 19))
        pages = read_pages(sheet(packet(notice, people)))
        assert len(pages) == 3
        for page, counted in zip(pages, ("8(pieces1to8of18)", "8(pieces9to16of18)", "2(pieces17to18of18)"), strict=True):
            assert counted in page
            for words in (
                "facsimile",
                "written approval of the postmaster",
                "Town of Italy",
                "1 Main St",
                "Round stamp of the post office",
                "name of receiving employee",
                "Totals of this page",
                "DomesticMail Manual 608.11",
            ):
                assert squeezed(words) in page

    def test_the_same_bytes(self, notice, recipient, sheet, mail):
        context = packet(notice, hard(recipient, mail=mail))
        assert sheet(context) == sheet(context)

    def test_pieces_of_another_class_are_not_on_it(self, notice, recipient, sheet, mail):
        other = "first_class" if mail == "certified" else "certified"
        text = "".join(
            read_pages(sheet(packet(notice, (recipient(1, "DOE JANE", mail=mail), recipient(2, "ROE RAY", mail=other)))))
        )
        assert "DOEJANE" in text
        assert "ROERAY" not in text


def test_an_article_number_stands_beside_its_piece_and_none_is_made_up(notice, recipient):
    people = (recipient(1, "DOE JANE", mail="certified"), recipient(2, "ROE RAY", mail="certified"))
    context = packet(notice, people, article_numbers={2: "9407112010000000000012"})
    assert "29407112010000000000012ROERAY" in "".join(read_pages(mailing_sheet_pdf(context)))
    assert [row["article_number"] for row in rows(mailing_sheet_csv(context))] == ["", "9407112010000000000012"]


def test_a_service_gets_each_line_in_a_column_of_its_own(notice, recipient):
    people = hard(recipient, mail="certified")
    made = rows(service_csv(packet(notice, people)))
    assert [row["number"] for row in made] == ["1", "2", "3", "4", "5"]
    assert [made[1][f"address_{n}"] for n in range(1, 5)] == list(people[1].address)
    assert made[3]["name_1"] == "王小明"
    assert {row["return_receipt"] for row in made} == {"yes"}
    assert {row["mail_class"] for row in made} == {"certified"}
    assert made[4]["zip"] == "04512"


def test_only_what_is_mailed_has_a_sheet(notice, recipient):
    files = assemble(packet(notice, (recipient(1, "DOE JANE"),)))
    assert "certificates-of-mailing.pdf" in files
    assert not {"mailing-sheet.pdf", "mailing-sheet.csv", "green-cards.pdf"} & set(files)


def test_the_first_page_says_to_have_the_sheets_stamped(notice, recipient):
    page = assemble(packet(notice, (recipient(1, "DOE JANE", mail="certified"),)))["index.html"].decode()
    assert "take the 1 certified piece to the counter in the order of the sheet" in page
    assert "round-stamped" in page


def test_a_sender_of_many_lines_has_a_larger_box(notice, recipient):
    clerk = Clerk(office="Italy Town Hall", address=tuple(f"LINE {n} OF THE OFFICE" for n in range(14)))
    people = tuple(recipient(n, f"OWNER {n}", mail="certified") for n in range(1, 10))
    pdf = mailing_sheet_pdf(replace(packet(notice, people), settings=PaperSettings(clerk=clerk)))
    assert_on_the_page_and_apart(pdf)
    pages = read_pages(pdf)
    assert all("LINE13OFTHEOFFICE" in page for page in pages)
    assert all(f"OWNER{n}12MAINST" in "".join(pages) for n in range(1, 10))
