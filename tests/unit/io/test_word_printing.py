"""Printing of Word files: every word is on the pages, and many copies are printed in parts to the pages that they would be at once."""

import io
import re

import pytest

from geonotice.errors import OutputError
from geonotice.io import word_printing
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import Copies, fill_template, read_template
from geonotice.io.word_pages import Block, build_word_file
from geonotice.io.word_printing import lost_words, print_word_file


def written(*lines: str, footer: str = "Ovid") -> bytes:
    return build_word_file([Block(kind="text", text=line) for line in lines], footer=footer, numbered=False)


def copies(*names: str) -> Copies:
    content = written("Dear {{ name }},", "from {{ town }}", footer="{{ town }}")
    template = read_template(content, name="letter.docx", known=("name", "town"), shared=("town",))
    return fill_template(template, [{"name": name} for name in names], shared={"town": "Ovid"})


class TestPrinting:
    def test_every_word_is_on_the_pages(self) -> None:
        name = " ".join(["ŁUKASZ"] * 17) + " & ΩΜΕΓΑ GARÇON-ONEIL"
        content = written(name, "words " * 3000, "the last line")
        pdf = print_word_file(content, name="letters")
        assert lost_words(content, pdf) == ()
        assert len(words_of_pdf(pdf)) > 2
        assert "the last line" in words_of_pdf(pdf)[-1]

    def test_letters_that_cannot_be_drawn_are_named(self) -> None:
        with pytest.raises(OutputError, match="words would be lost in the PDF: 𓀀𓀁"):
            print_word_file(written("A 𓀀𓀁 B"), name="letters")

    def test_a_paragraph_that_is_lost_is_named(self) -> None:
        assert lost_words(written("one", "two three", "four"), print_word_file(written("one", "four"), name="x")) == (
            "two",
            "three",
        )

    @pytest.mark.parametrize("first", [False, True])
    def test_a_header_that_is_lost_is_named_and_one_that_is_not_shown_is_not_missed(self, *, first: bool) -> None:
        import docx

        def headed(*, words: str) -> bytes:
            document = docx.Document()
            section = document.sections[0]
            section.different_first_page_header_footer = first
            (section.first_page_header if first else section.header).paragraphs[0].text = words
            if first:
                section.header.paragraphs[0].text = "from the second page on"
            document.add_paragraph("one")
            made = io.BytesIO()
            document.save(made)
            return made.getvalue()

        assert lost_words(headed(words="Town of Ovid"), print_word_file(headed(words="Town of Ovid"), name="x")) == ()
        assert lost_words(headed(words="Town of Ovid"), print_word_file(headed(words="Town"), name="x")) == ("of", "Ovid")


class TestManyCopies:
    NAMES = ("ANN", "BOB\n" * 60, "ZOË", "CY", "ŁUKASZ")

    @pytest.fixture
    def in_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(word_printing, "PART", 2)

    @pytest.mark.usefixtures("in_parts")
    def test_are_printed_in_parts_to_the_same_pages(self) -> None:
        made = copies(*self.NAMES)
        pages = words_of_pdf(print_word_file(made, name="letters"))
        assert pages == words_of_pdf(print_word_file(made.word_file(), name="letters"))
        assert len(pages) == 6

    @pytest.mark.usefixtures("in_parts")
    def test_to_the_same_bytes_with_the_type_of_each_part_told_apart(self) -> None:
        first, again = (print_word_file(copies(*self.NAMES), name="letters", own_type=True) for _ in range(2))
        assert first == again
        assert set(re.findall(rb"/FontName ?/([A-Z]{6})\+", first)) == {b"AAAAAA", b"AAABAA", b"AAACAA"}

    @pytest.mark.usefixtures("in_parts")
    def test_the_words_that_all_parts_lose_are_named_together(self) -> None:
        with pytest.raises(OutputError, match="words would be lost in the PDF: 𓀀𓀁,, 𓀂𓀃,"):
            print_word_file(copies("𓀀𓀁", "ANN", "𓀂𓀃", "BOB"), name="letters")

    def test_are_printed_at_once_where_they_are_few(self) -> None:
        assert b"AAABAA" not in print_word_file(copies(*self.NAMES), name="letters", own_type=True)

    @pytest.mark.usefixtures("in_parts")
    def test_are_printed_at_once_where_a_page_shows_how_many_came_before_it(self) -> None:
        import docx

        document = docx.Document()
        for text in ("Dear {{ name }},", "first", "second"):
            document.add_paragraph(text, style="List Number" if text != "Dear {{ name }}," else None)
        made = io.BytesIO()
        document.save(made)
        template = read_template(made.getvalue(), name="letter.docx", known=("name",), shared=())
        filled = fill_template(template, [{"name": name} for name in self.NAMES], shared={})
        assert words_of_pdf(print_word_file(filled, name="letters")) == words_of_pdf(
            print_word_file(filled.word_file(), name="letters")
        )
