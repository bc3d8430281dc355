"""The quick reader of the printer's PDFs has the words that pdfium has, and gives up where anything is written in another way."""

import io
import re
import zlib

import pytest
from PIL import Image

from geonotice.io.pdf_words import printed_pages, squeezed, words_of_pdf
from geonotice.io.word_pages import Block, build_word_file
from geonotice.io.word_printing import lost_words, print_word_file

LETTERS = "Zoë Łukasz Ñandú Ωmega Дом — “quoted” ½ ffi ﬁ 1st & <tag> 100 %"


def seal() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (80, 80), "red").save(made, "PNG")
    return made.getvalue()


def word_file(*, picture: bytes | None = None, blocks: tuple[Block, ...] = ()) -> bytes:
    first = Block(kind="letterhead", text="Town of Ovid\nTown Hall")
    table = Block(kind="table", rows=[("No.", "Name"), ("1", LETTERS)], widths_in=(1, 4))
    many = [Block(kind="text", text=f"Line {n} of many words that go on to another page") for n in range(80)]
    return build_word_file(
        [first, Block(kind="text", text=LETTERS), table, *many, *blocks], footer="Town of Ovid", picture=picture
    )


def redrawn(pdf: bytes, change) -> bytes:
    """Change what the first page draws, and set the table of objects right again."""
    number = int(re.search(rb"/Contents (\d+) 0 R", pdf)[1])
    objects = re.split(rb"(?m)^(?=\d+ 0 obj\n)", pdf[: pdf.rindex(b"\nxref\n") + 1])
    place = next(n for n, one in enumerate(objects) if one.startswith(b"%d 0 obj\n" % number))
    start, end = objects[place].index(b"stream\n") + 7, objects[place].rindex(b"\nendstream")
    drawn = zlib.compress(change(zlib.decompress(objects[place][start:end])))
    head = re.sub(rb"/Length \d+", b"/Length %d" % len(drawn), objects[place][:start])
    objects[place] = head + drawn + b"\nendstream\nendobj\n"
    body, rows = b"", {}
    for one in objects:
        if found := re.match(rb"(\d+) 0 obj\n", one):
            rows[int(found[1])] = len(body)
        body += one
    table = b"".join(b"%010d 00000 n \n" % rows[n] for n in sorted(rows))
    trailer = re.search(rb"trailer\n<<.*?>>\n", pdf[pdf.rindex(b"\nxref\n") :], re.DOTALL)[0]
    return (
        body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(rows) + 1) + table + trailer + b"startxref\n%d\n%%%%EOF\n" % len(body)
    )


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return print_word_file(word_file(), name="letter", own_type=True)


class TestTheSameWords:
    @pytest.mark.parametrize("picture", [None, seal()], ids=["plain", "with a seal"])
    def test_page_by_page_as_pdfium_reads_them(self, picture):
        pdf = print_word_file(word_file(picture=picture), name="letter", own_type=True)
        quick, slow = printed_pages(pdf), words_of_pdf(pdf)
        assert quick is not None
        assert len(quick) == len(slow) > 1
        assert [squeezed(page) for page in quick] == [squeezed(page) for page in slow]

    def test_the_program_s_own_type_prints_to_the_same_bytes_as_the_machine_s_fonts(self):
        content = word_file()
        assert print_word_file(content, name="x", own_type=True) == print_word_file(content, name="x")


class TestGivesUp:
    """Each of these could write, hide or move something that is not read: the file is then read in the other way."""

    def test_as_it_was_it_is_read(self, pdf):
        assert printed_pages(redrawn(pdf, lambda drawn: drawn)) == printed_pages(pdf)

    @pytest.mark.parametrize(
        "change",
        [
            lambda drawn: drawn + b"BT\n/F4 10 Tf\n1 0 0 -1 70 80 Tm\n(plain) Tj\nET\n",
            lambda drawn: drawn + b"BT\n/F4 10 Tf\n1 0 0 -1 70 80 Tm\n[<0001>] TJ\nET\n",
            lambda drawn: drawn.replace(b" cm\n", b" cm\n3 Tr\n", 1),
            lambda drawn: drawn.replace(b" cm\n", b" cm\n0 0 1 1 re\nW\nn\n", 1),
            lambda drawn: drawn.replace(b" cm\n", b" cm\n1 0 0 1 900 0 cm\n", 1),
            lambda drawn: re.sub(rb"1 0 0 -1 [\d.]+ ", b"1 0 0 -1 700 ", drawn, count=1),
            lambda drawn: re.sub(rb"1 0 0 -1 ([\d.]+) [\d.]+ Tm", rb"1 0 0 -1 \1 -5 Tm", drawn, count=1),
            lambda drawn: re.sub(rb"<[0-9A-F]{4}", b"<FFF0", drawn, count=1),
            lambda drawn: re.sub(rb"<[0-9A-F]{4}", b"<DC00", drawn, count=1),
            lambda drawn: re.sub(rb"/F\d+ ", b"/F999 ", drawn, count=1),
        ],
        ids=["string", "array", "unseen", "clipped", "moved", "beyond", "above", "no letter", "no code", "no font"],
    )  # fmt: skip
    def test_where_it_is_drawn_in_another_way(self, pdf, change):
        assert printed_pages(redrawn(pdf, change)) is None

    @pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n", b"xref\n0 1\ntrailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF"])
    def test_where_it_is_another_file(self, content):
        assert printed_pages(content) is None

    def test_a_word_that_is_not_drawn_is_lost_all_the_same(self, pdf):
        content = word_file(blocks=(Block(kind="text", text="unheard"),))
        assert lost_words(content, pdf) == ("unheard",)
        half = redrawn(pdf, lambda drawn: drawn[: drawn.index(b"BT\n", len(drawn) // 2)])
        assert printed_pages(half) is not None
        assert lost_words(word_file(), half)
