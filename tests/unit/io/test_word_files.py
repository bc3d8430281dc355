"""Word files: what a template may hold, and how it is filled."""

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from geonotice.errors import TemplateError
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import (
    Copies,
    Template,
    fill_template,
    read_template,
    unpack,
    words_of_word_file,
)
from geonotice.io.word_pages import Block, build_word_file
from geonotice.io.word_printing import print_word_file

KNOWN = ("recipient", "parcels", "town", "hearing")
SHARED = ("town", "hearing")


def written(*lines: str, footer: str = "{{ town }}") -> bytes:
    return build_word_file([Block(kind="text", text=line) for line in lines], footer=footer)


def read(*lines: str, footer: str = "{{ town }}", needed: Sequence[str] = ()) -> Template:
    return read_template(written(*lines, footer=footer), name="letter.docx", known=KNOWN, shared=SHARED, needed=needed)


class TestWhatATemplateMayHold:
    def test_plain_fields_in_the_letter_and_its_footer(self) -> None:
        assert read("Dear {{ recipient }},", "about {{parcels}}").fields == {"recipient", "parcels", "town"}

    def test_a_field_that_word_has_parted_into_runs(self) -> None:
        import docx

        document = docx.Document()
        paragraph = document.add_paragraph("{{ reci")
        paragraph.add_run("pient }}").bold = True
        made = io.BytesIO()
        document.save(made)
        template = read_template(made.getvalue(), name="letter.docx", known=KNOWN, shared=SHARED)
        assert words_of_word_file(fill_template(template, [{"recipient": "ANN LEE"}], shared={}).word_file()) == ["ANN LEE"]

    @pytest.mark.parametrize(
        ("line", "word"),
        [
            ("Dear {{ recipent }}", "{{ recipient }}"),
            ("{% if town %}", "{% if town %}"),
            ("{{ town.upper() }}", "{{ town.upper() }}"),
            ("{{ ''.__class__ }}", "{{ ''.__class__ }}"),
            ("{{ “town” }}", "“town”"),
            ("{{ town", "'{{'"),
            ("town }}", "'}}'"),
            ("{# a remark #}", "{# a remark #}"),
        ],
    )
    def test_what_is_no_field_is_refused_with_its_paragraph_and_word(self, line: str, word: str) -> None:
        with pytest.raises(TemplateError) as refused:
            read("Town of {{ town }}", line)
        assert "letter.docx" in str(refused.value)
        assert "paragraph 2" in str(refused.value)
        assert word in str(refused.value)

    def test_all_faults_are_told_at_once(self) -> None:
        with pytest.raises(TemplateError) as refused:
            read("{{ recipent }} {{ hearng }}", needed=("parcels",))
        assert len(refused.value.faults) == 3

    def test_a_footer_cannot_say_what_differs_from_letter_to_letter(self) -> None:
        with pytest.raises(TemplateError, match="the same in every letter"):
            read("{{ recipient }}", footer="{{ recipient }}")

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not much", b"{\\rtf1 an old format}"])
    def test_what_is_no_word_file_is_refused(self, content: bytes) -> None:
        with pytest.raises(TemplateError, match="Word file"):
            read_template(content, name="letter.docx", known=KNOWN, shared=SHARED)

    def test_an_archive_without_a_document_is_refused(self) -> None:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("other.txt", "words")
        with pytest.raises(TemplateError, match="not a Word file"):
            read_template(made.getvalue(), name="letter.docx", known=KNOWN, shared=SHARED)


class TestFilling:
    def test_each_copy_begins_on_a_page_of_its_own(self) -> None:
        filled = fill_template(
            read("{{ recipient }}"), [{"recipient": name} for name in ("ANN", "BOB", "CY")], shared={"town": "Ovid"}
        )
        pages = words_of_pdf(print_word_file(filled, name="letters"))
        assert [page.split()[0] for page in pages] == ["ANN", "BOB", "CY"]

    def test_values_stay_words_whatever_they_hold(self) -> None:
        name = "A & B <w:p> {{ town }} {% if %}\n12 MAIN ST"
        filled = fill_template(read("{{ recipient }}"), [{"recipient": name}], shared={"town": "Ovid"})
        assert words_of_word_file(filled.word_file()) == [name.replace("\n", " ")]

    def test_a_letter_that_xml_cannot_hold_is_shown_as_one(self) -> None:
        filled = fill_template(read("{{ recipient }}"), [{"recipient": "A\x00B"}], shared={"town": "Ovid"})
        assert words_of_word_file(filled.word_file()) == ["A\ufffdB"]

    def test_a_value_that_is_missing_is_a_fault_of_the_program(self) -> None:
        with pytest.raises(ValueError, match="recipient"):
            fill_template(read("{{ recipient }}"), [{}], shared={"town": "Ovid"})

    def test_the_same_values_are_the_same_bytes(self) -> None:
        made = [fill_template(read("{{ recipient }}"), [{"recipient": "ANN"}], shared={"town": "Ovid"}) for _ in range(2)]
        assert made[0].word_file() == made[1].word_file()
        assert print_word_file(made[0], name="letters") == print_word_file(made[1], name="letters")


class TestACopyByItself:
    """Letters are printed in parts only where a letter looks the same by itself as among the others."""

    def filled(self, content: bytes) -> Copies:
        template = read_template(content, name="letter.docx", known=KNOWN, shared=SHARED)
        return fill_template(template, [{"recipient": "ANN"}, {"recipient": "BOB"}], shared={"town": "Ovid"})

    def made(self, change: Callable[[Any], object]) -> Copies:
        import docx

        document = docx.Document()
        document.add_paragraph("Dear {{ recipient }},")
        change(document)
        content = io.BytesIO()
        document.save(content)
        return self.filled(content.getvalue())

    def test_looks_the_same_in_the_programs_own_letters(self) -> None:
        content = build_word_file([Block(kind="text", text="Dear {{ recipient }},")], footer="{{ town }}", numbered=False)
        assert self.filled(content).stand_alone

    def test_does_not_where_pages_are_numbered(self) -> None:
        content = build_word_file([Block(kind="text", text="Dear {{ recipient }},")], footer="{{ town }}")
        assert not self.filled(content).stand_alone

    def test_does_not_where_the_first_page_has_a_header_of_its_own(self) -> None:
        def change(document: Any) -> None:  # python-docx ships no types
            document.sections[0].different_first_page_header_footer = True

        assert not self.made(change).stand_alone

    def test_does_not_where_even_pages_have_a_header_of_their_own(self) -> None:
        def change(document: Any) -> None:  # python-docx ships no types
            document.settings.odd_and_even_pages_header_footer = True

        assert not self.made(change).stand_alone


class TestNumberedParagraphs:
    """Word counts a list through the whole file; each letter has to begin at 1."""

    @pytest.mark.parametrize("how", ["by their style", "by themselves"])
    def test_begin_anew_in_each_copy_and_bullets_stay(self, how: str) -> None:
        import docx

        document = docx.Document()
        document.add_paragraph("Dear {{ recipient }},")
        for words in ("come", "speak"):
            added = document.add_paragraph(words, style="List Number")
            if how == "by themselves":
                added.style = "Normal"
                number = added._p.get_or_add_pPr().get_or_add_numPr()  # python-docx has no lists
                number.get_or_add_ilvl().val, number.get_or_add_numId().val = 0, 5
        document.add_paragraph("a bullet", style="List Bullet")
        made = io.BytesIO()
        document.save(made)
        template = read_template(made.getvalue(), name="letter.docx", known=KNOWN, shared=SHARED)
        filled = fill_template(template, [{"recipient": name} for name in ("ANN", "BOB", "CY")], shared={})
        pages = [page.split() for page in words_of_pdf(print_word_file(filled.word_file(), name="letters"))]
        assert [page[2:6] for page in pages] == [["1.", "come", "2.", "speak"]] * 3
        lists = unpack(filled.word_file(), "letters.docx")["word/numbering.xml"]
        assert lists.count(b"<w:num ") - unpack(made.getvalue(), "letter.docx")["word/numbering.xml"].count(b"<w:num ") == 2
        assert filled.stand_alone
