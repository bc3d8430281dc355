"""New Word files: what stands where, and the type that goes with them."""

import io
import zipfile

import pdfplumber
import pytest

from geonotice.io.word_files import words_of_word_file
from geonotice.io.word_pages import Block, build_word_file, picture_size
from geonotice.io.word_printing import print_word_file


def png(wide: int, high: int) -> bytes:
    import struct
    import zlib

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\x00" + b"\x80" * wide) * high)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def letter(address: str = "ANN LEE\n12 MAIN ST\nOVID NY 14521", picture: bytes | None = None) -> bytes:
    blocks = [
        Block(kind="letterhead", text="Town of Ovid\nOffice of the Town Clerk"),
        Block(kind="address", text=address),
        Block(kind="heading", text="NOTICE OF PUBLIC HEARING"),
        Block(kind="table", rows=[("No.", "Parcel"), ("1", "51.00-1-1")], widths_in=(1, 4)),
        Block(kind="sign", text="R. Doe, Town Clerk"),
    ]
    return build_word_file(blocks, footer="Town of Ovid", picture=picture)


def word_at(pdf: bytes, text: str) -> dict[str, float]:
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        return next(word for word in document.pages[0].extract_words() if word["text"] == text)


class TestALetter:
    @pytest.mark.parametrize("picture", [None, png(60, 60), png(600, 60)], ids=["no seal", "seal", "banner"])
    def test_the_address_stands_in_the_window_of_an_envelope_wherever_the_sheet_lies_in_it(self, picture: bytes | None) -> None:
        address = f"{'WARD ' * 20}\n12 MAIN ST\nOVID NY 14521"
        with pdfplumber.open(io.BytesIO(print_word_file(letter(address, picture=picture), name="letter"))) as document:
            words = document.pages[0].extract_words()
        shown = [word for word in words if word["text"] in ("WARD", "12", "MAIN", "ST", "OVID", "NY", "14521")]
        assert len(shown) == 26
        # A #10 envelope is 4.125 by 9.5 in; the sheet, folded at 3.667 in, lies on its bottom, and as far left or right as it goes. The window is 4.5 by
        # 1.125 in, 0.875 in from the left and 0.5 in from the bottom. It may slide up a little, too.
        top_in, bottom_in = 3.667 - 0.5 - 1.125, 3.667 - 0.5
        assert min(word["top"] for word in shown) / 72 > top_in + 0.25
        assert max(word["bottom"] for word in shown) / 72 < bottom_in
        assert min(word["x0"] for word in shown) / 72 > 0.875
        assert max(word["x1"] for word in shown) / 72 < 0.875 + 4.5 - 0.5

    def test_six_lines_and_a_long_name_push_the_letter_down_and_lose_nothing(self) -> None:
        address = "\n".join(["X" * 60 + " " + "Y" * 59, *(f"LINE {number}" for number in range(5))])
        pdf = print_word_file(letter(address), name="letter")
        assert word_at(pdf, "4")["bottom"] < word_at(pdf, "NOTICE")["top"]

    def test_the_type_goes_with_the_file(self) -> None:
        with zipfile.ZipFile(io.BytesIO(letter())) as archive:
            assert "word/fonts/font1.odttf" in archive.namelist()
        with pdfplumber.open(io.BytesIO(print_word_file(letter(), name="letter"))) as document:
            assert {char["fontname"].split("+")[-1] for char in document.pages[0].chars} == {"DejaVuSansCondensed"}

    def test_the_words_stand_in_their_order(self) -> None:
        words = words_of_word_file(letter())
        assert words[:2] == ["Town of Ovid Office of the Town Clerk", "ANN LEE 12 MAIN ST OVID NY 14521"]
        assert words[-1].endswith("R. Doe, Town Clerk")

    def test_the_same_letter_is_the_same_bytes(self) -> None:
        assert letter() == letter()


def test_a_picture_tells_its_size_and_other_files_do_not() -> None:
    assert picture_size(png(30, 20)) == (30, 20)
    assert picture_size(b"<svg/>") is None
