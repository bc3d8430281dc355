"""The words of a PDF, read back to be held against what it was made from.

A PDF of the program's own printer is read in one pass over its text, any other by pdfium: a thousand letters take that ten times as long.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any, NoReturn

__all__ = ["PDFIUM", "printed_pages", "squeezed", "words_of_pdf"]

PDFIUM = Lock()
"""One thread at a time: pdfium keeps what it works on in one place for the whole process."""

_SAYS_NOTHING = "-\u2010\u2011\u00ad\x02\ufffe\u200b"


def words_of_pdf(content: bytes) -> list[str]:
    """Return the text of a PDF, page by page."""
    import pypdfium2

    with PDFIUM:
        document = pypdfium2.PdfDocument(content)
        try:
            return [_words_of_page(page) for page in document]
        finally:
            document.close()


def _words_of_page(page: Any) -> str:  # noqa: ANN401  # pypdfium2 ships no types
    """Return the text of a page, and give back at once what reading it took."""
    text = page.get_textpage()
    try:
        words: str = text.get_text_range()
    finally:
        text.close()
        page.close()
    return words


def squeezed(text: str) -> str:
    """Return a text without what setting changes: blanks, hyphens, the marks of a parted line, forms of one letter."""
    bare = "".join(unicodedata.normalize("NFKC", text).split())
    for mark in _SAYS_NOTHING:  # a table of all of them would be looked into letter by letter
        bare = bare.replace(mark, "")
    return bare


def printed_pages(content: bytes) -> list[str] | None:
    """Return the text of a PDF of the program's own printer, page by page, in the order in which it is drawn.

    None where anything is written in another way than that printer writes it, stands beyond its page or has no letter: whoever asks then reads the
    file with :func:`words_of_pdf`.
    """
    try:
        return list(_Printed(content).pages())
    except (_OtherwiseError, KeyError, UnicodeDecodeError, zlib.error):
        return None


class _OtherwiseError(Exception):
    """It is not as the printer writes it."""


_ENDS = re.compile(rb"xref\n0 \d+\n((?:\d{10} \d{5} [nf] \n)+)trailer\n<<(.*?)>>\nstartxref\n\d+\n%%EOF\s*\Z", re.DOTALL)
_OBJECT = re.compile(rb"\d+ 0 obj\n<<(.*?)>>(?: stream\n|\nendobj\n)", re.DOTALL)
_LENGTH = re.compile(rb"/Filter /FlateDecode\n/Length (\d+)\Z")
_KIDS = re.compile(rb"/Kids \[([^\]]*)\]")
_REFERENCE = re.compile(rb"(\d+) 0 R")
_SIZE = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
_FONTS = re.compile(rb"/Font <<([^>]*)>>")
_PICTURES = re.compile(rb"/XObject <<([^>]*)>>")
_NAMED = re.compile(rb"/(\w+) (\d+) 0 R")

_TEXT = re.compile(rb"BT\n/(F\d+) [\d.]+ Tf\n1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm\n<([0-9A-F]+)> Tj\n\Z")
_TEXT_ENDS = b"ET\n"
_PICTURE = re.compile(rb"q\n[-\d. ]+ cm\n[\dRGrgs ./\n]*/X\d+ Do\nQ\n")
_OTHERWISE = (b"T", b"<", b"(", b" cm", b" Do", b"W")
"""What is left of a page without its texts and pictures must not have: it would write, move or hide something."""

_CODES = re.compile(rb"begin(bfchar|bfrange)\n(.*?)end", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f]+)>")


class _Glyphs(dict[int, str]):
    """The letters of a font by glyph; one without a letter is a fault."""

    def __missing__(self, glyph: int) -> NoReturn:
        raise _OtherwiseError(glyph)


class _Printed:
    """The objects of a PDF, found by its table of them."""

    def __init__(self, content: bytes) -> None:
        ends = _ENDS.search(content, max(content.rfind(b"\nxref\n"), 0))
        if ends is None:
            raise _OtherwiseError
        self._content = content
        rows = ends[1].split(b"\n")[:-1]
        self._at = {n: int(row[:10]) for n, row in enumerate(rows) if row[17:18] == b"n"}
        self._root = self._only(_REFERENCE, self._after(ends[2], b"/Root "))
        self._fonts: dict[int, _Glyphs] = {}
        self._read: dict[tuple[bytes, bytes], dict[bytes, str]] = {}

    def pages(self) -> Iterator[str]:
        """Yield the text of each page, in their order."""
        catalog, _ = self._object(self._root)
        waiting = [self._only(_REFERENCE, self._after(catalog, b"/Pages "))]
        while waiting:
            said, _ = self._object(waiting.pop(0))
            kids = _KIDS.search(said)
            if kids is not None:
                waiting = [*map(int, _REFERENCE.findall(kids[1])), *waiting]
            else:
                yield self._page(said)

    def _page(self, said: bytes) -> str:
        size = _SIZE.search(said)
        drawn = self._stream(self._only(_REFERENCE, self._after(said, b"/Contents ")))
        if size is None or b"/Annots" in said:
            raise _OtherwiseError
        if pictures := _PICTURES.search(said):
            for _, number in _NAMED.findall(pictures[1]):
                if b"/Subtype /Image" not in self._object(int(number))[0]:
                    raise _OtherwiseError
            drawn = _PICTURE.sub(b"", drawn)
        start, _, rest = drawn.partition(b" cm\n")
        if start != b"1 0 0 -1 0 " + size[2]:
            raise _OtherwiseError
        found = _FONTS.search(said)
        named = found[1] if found else b""
        # Most words stand in the same place on page after page: each is read once.
        read = self._read.setdefault((named, size[0]), {})
        *written, last = rest.split(_TEXT_ENDS)
        self._refuse_otherwise(last)
        words = []
        for piece in written:
            if piece not in read:
                read[piece] = self._words(piece, named, float(size[1]), float(size[2]))
            words.append(read[piece])
        return "".join(words)

    def _words(self, piece: bytes, named: bytes, wide: float, high: float) -> str:
        """Return the words of one text; what is drawn before it must not write, move or hide anything."""
        text = _TEXT.search(piece)
        if text is None:
            raise _OtherwiseError
        self._refuse_otherwise(piece[: text.start()])
        if not (0 <= float(text[2]) <= wide and 0 <= float(text[3]) <= high):
            raise _OtherwiseError
        fonts = {name: int(number) for name, number in _NAMED.findall(named)}
        return bytes.fromhex(text[4].decode()).decode("utf-16-be").translate(self._letters(fonts[text[1]]))

    @staticmethod
    def _refuse_otherwise(left: bytes) -> None:
        if any(mark in left for mark in _OTHERWISE):
            raise _OtherwiseError

    def _letters(self, number: int) -> _Glyphs:
        if number not in self._fonts:
            said, _ = self._object(number)
            if b"/Subtype /Type0" not in said or b"/Encoding /Identity-H" not in said:
                raise _OtherwiseError
            self._fonts[number] = _glyphs(self._stream(self._only(_REFERENCE, self._after(said, b"/ToUnicode "))))
        return self._fonts[number]

    def _object(self, number: int) -> tuple[bytes, int]:
        """Return what an object says of itself, and where its stream begins."""
        found = _OBJECT.match(self._content, self._at[number])
        if found is None:
            raise _OtherwiseError
        return found[1], found.end()

    def _stream(self, number: int) -> bytes:
        said, start = self._object(number)
        length = _LENGTH.search(said)
        if length is None:
            raise _OtherwiseError
        return zlib.decompress(self._content[start : start + int(length[1])])

    @staticmethod
    def _after(said: bytes, key: bytes) -> bytes:
        _, there, rest = said.partition(key)
        if not there:
            raise _OtherwiseError
        return rest

    @staticmethod
    def _only(pattern: re.Pattern[bytes], text: bytes) -> int:
        found = pattern.match(text)
        if found is None:
            raise _OtherwiseError
        return int(found[1])


def _glyphs(table: bytes) -> _Glyphs:
    """Read which letters the glyphs of a font stand for."""
    made = _Glyphs()
    for kind, rows in _CODES.findall(table):
        for row in rows.splitlines():
            parts = _HEX.findall(row)
            if kind == b"bfchar" and len(parts) == 2:  # noqa: PLR2004  # a glyph and its letters
                made[int(parts[0], 16)] = bytes.fromhex(parts[1].decode()).decode("utf-16-be")
            elif kind == b"bfrange" and len(parts) == 3 and b"[" not in row:  # noqa: PLR2004  # first and last glyph, first letter
                first, last, letter = (int(part, 16) for part in parts)
                made.update(_letters_from(first, last, letter))
            else:
                raise _OtherwiseError
    return made


def _letters_from(first: int, last: int, letter: int) -> Mapping[int, str]:
    if letter + last - first > 0xFFFF:  # noqa: PLR2004  # a pair of codes
        raise _OtherwiseError
    return {glyph: chr(letter + glyph - first) for glyph in range(first, last + 1)}
