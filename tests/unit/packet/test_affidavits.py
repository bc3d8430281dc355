"""Affidavits: New York's form, every recipient whole and in order, the same words in Word and as a PDF."""

import hashlib
import io
from datetime import date

import pdfplumber
import pytest
from msgspec.structs import replace

from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import words_of_word_file
from geonotice.io.word_pages import Block, append_blocks, build_word_file
from geonotice.model import Sign
from geonotice.packet.affidavits import mailing_values, make_affidavit, posting_values, publication_values
from geonotice.packet.paper import Duties, PacketContext, assemble, prepare
from geonotice.packet.word_papers import BLANK, PaperSettings
from geonotice.register.pieces_and_article_numbers import MailPiece, grouped

SETTINGS = PaperSettings(stated={"county": "Yates", "hearing_time": "7:00 p.m.", "hearing_place": "Italy Town Hall"})
ARTICLE = "9407100000000000000009"


def letter(number: int, name: str = "", **changes: object) -> MailPiece:
    piece = MailPiece(
        packet="aa", occasion="hearing", premises=("1",), number=number, name=name or f"OWNER NUMBER {number}", address=f"{number} MAIN ST\nNAPLES NY 14512",
        mail="certified", article_number=f"94071000000000{number:08d}", mailed=date(2026, 10, 8), stamped=date(2026, 10, 8),
    )  # fmt: skip
    return replace(piece, **changes)


def sworn(notice, pieces, **values):
    files, note = make_affidavit(
        "mailing", notice, SETTINGS, mailing_values(pieces, list_hash="ab" * 32, deponent="Ann Roe") | values, pieces=pieces
    )
    assert not note
    return files


def text_of(files, name="affidavit-mailing.pdf"):
    return " ".join(" ".join(words_of_pdf(files[name])).split())


class TestOfMailing:
    def test_it_has_the_form_of_new_york(self, notice):
        text = text_of(sworn(notice, [letter(1)]))
        for words in (
            "STATE OF NEW YORK COUNTY OF Yates, ss.:",
            "Ann Roe, being duly sworn, deposes and says",
            "On Thursday, October 8, 2026 I mailed the notice",
            "1 letter, by certified mail",
            "under the exclusive care and custody of the United States Postal Service",
            "Sworn to before me this",
            "Notary Public State of New York",
        ):
            assert words in text
        assert "ab" * 32 in text.replace(" ", "")

    def test_every_name_address_and_number_is_whole_and_in_the_order_of_the_list(self, notice):
        pieces = [letter(number) for number in range(1, 61)]
        pieces[4] = letter(
            5, " ".join(["ESTATE OF ŁUKASZ O'NEIL-ŽIŽEK"] * 4)[:120], address="\n".join(f"LINE {n}" for n in range(6))
        )
        content = sworn(notice, pieces)["affidavit-mailing.pdf"]
        with pdfplumber.open(io.BytesIO(content)) as document:
            assert len(document.pages) > 2
            rows = [row for page in document.pages for table in page.extract_tables() for row in table if row[0] != "No."]
            for page in document.pages:
                assert all(word["x0"] > 0.8 * 72 and word["x1"] < 7.7 * 72 for word in page.extract_words())
        assert [row[0] for row in rows] == [str(piece.number) for piece in pieces]
        for row, piece in zip(rows, pieces, strict=True):
            assert row[1].replace("\n", " ") == piece.name
            assert row[2] == piece.address
            assert row[3] == grouped(piece.article_number)  # in one line
            assert row[4] == "mailed 2026-10-08\nstamped 2026-10-08"

    def test_the_word_file_and_the_pdf_have_the_same_words(self, notice):
        files = sworn(notice, [letter(1), letter(2)])
        printed = text_of(files).replace(" ", "").replace("-", "")
        for line in words_of_word_file(files["affidavit-mailing.docx"]):
            assert all(word.replace("-", "") in printed for word in line.split())

    def test_a_second_letter_and_a_receipt_stand_below_the_list(self, notice):
        text = text_of(sworn(notice, [letter(1, receipt="ab-rr.pdf", receipt_sha256="cd" * 32), letter(1, letter=2)]))
        assert "No. 1.2 is letter 2 to No. 1, to a corrected address" in text
        assert "receipt ab-rr.pdf, SHA-256" in text

    def test_classes_and_days_that_differ_are_all_stated(self):
        values = mailing_values([letter(1), letter(2, mail="first_class", mailed=date(2026, 10, 9), stamped=None)], list_hash="")
        assert values["mailed_on"] == "Thursday, October 8, 2026 and Friday, October 9, 2026"
        assert values["mail_classes"] == "1 by certified mail and 1 by first-class mail"

    def test_a_name_that_the_type_lacks_leaves_the_word_file_alone(self, notice):
        pieces = [letter(1), letter(2, "王小明")]
        files, note = make_affidavit("mailing", notice, SETTINGS, mailing_values(pieces, list_hash=""), pieces=pieces)
        assert set(files) == {"affidavit-mailing.docx"}
        assert "No. 2" in note

    def test_the_same_ledger_makes_the_same_bytes(self, notice):
        assert sworn(notice, [letter(1)]) == sworn(notice, [letter(1)])


class TestOfPosting:
    def test_each_sign_stands_with_its_street_and_its_days(self, notice):
        signs = (Sign("Main St", "Town", 110.4), Sign("", "State", 90.0))
        values = posting_values(signs, posted=date(2026, 10, 9), hearing=date(2026, 10, 20), deponent="Ann Roe")
        text = text_of(make_affidavit("posting", notice, SETTINGS, values)[0], "affidavit-posting.pdf")
        assert (
            "Sign 1: facing Main St (Town), along which the premises run 110 ft; posted October 9, 2026, until the hearing"
            in text
        )
        assert "Sign 2: facing ____" in text
        assert "That is 11 days before the hearing on Tuesday, October 20, 2026." in text

    def test_without_a_street_there_are_lines_to_fill_in(self):
        assert posting_values(())["signs"].startswith("Place 1: ____")


def test_of_publication_names_newspaper_and_days(notice):
    values = publication_values(newspaper="The Star", published=(date(2026, 10, 1),), hearing=date(2026, 10, 20))
    text = text_of(make_affidavit("publication", notice, SETTINGS, values)[0], "affidavit-publication.pdf")
    assert "published in The Star" in text
    assert "on Thursday, October 1, 2026. That is 19 days before the hearing" in text


class TestTheBlankForms:
    def made(self, context):
        return {name: content for name, content in assemble(prepare(context)).items() if name.startswith("affidavit")}

    def test_stand_in_the_packet_with_the_hash_that_the_certified_list_has(self, notice):
        files = assemble(prepare(PacketContext(notice=notice, settings=SETTINGS, duties=Duties(given=("published", "posted")))))
        text = text_of(files)
        assert hashlib.sha256(files["notice-list.csv"]).hexdigest() in text.replace(" ", "")
        assert f"{BLANK}, being duly sworn" in text
        assert {"affidavit-posting.pdf", "affidavit-publication.docx"} <= set(files)

    def test_where_the_law_asks_for_no_sign_and_no_newspaper_there_is_that_of_mailing_alone(self, notice):
        made = self.made(PacketContext(notice=replace(notice, hearing=None, signs=(), occasion="filing"), settings=SETTINGS))
        assert set(made) == {"affidavit-mailing.docx", "affidavit-mailing.pdf"}

    def test_a_towns_own_words_take_the_place_of_the_programs(self, notice):
        own = build_word_file([Block(kind="text", text="I swear: {{ premises }} {{ mailed_on }} {{ list_hash }}")])
        settings = PaperSettings(templates={"affidavit-mailing.docx": own})
        files, _ = make_affidavit("mailing", notice, settings, mailing_values([letter(1)], list_hash="ab"), pieces=[letter(1)])
        text = text_of(files)
        assert text.startswith("I swear:")
        assert "OWNER NUMBER 1" in text


def test_a_list_is_appended_to_a_file_that_lacks_the_style_of_tables():
    import docx

    document = docx.Document()
    document.styles["Table Grid"].delete()
    document.add_paragraph("Above")
    made = io.BytesIO()
    document.save(made)
    rows = (("No.", "Name"), ("1", "ROE"))
    content = append_blocks(made.getvalue(), [Block(kind="table", rows=rows, widths_in=(1, 2))])
    assert words_of_word_file(content) == ["Above", "No.", "Name", "1", "ROE"]
    table = docx.Document(io.BytesIO(content)).tables[0]
    assert "w:tblBorders" in table._tbl.tblPr.xml


@pytest.mark.parametrize("kind", ["mailing", "posting", "publication"])
def test_what_is_not_known_is_a_line(notice, kind):
    values = {"mailing": mailing_values((), list_hash="x"), "posting": posting_values(()), "publication": publication_values()}[
        kind
    ]
    files, _ = make_affidavit(kind, notice, PaperSettings(), values)
    assert "____" in text_of(files, f"affidavit-{kind}.pdf")
