"""Word files printed as PDFs that are checked to hold every word.

The library that prints them drops what it cannot draw without a word, hence the comparison after each printing. It holds all pages of a file at once in
memory, some 170 kB each, hence the printing of many letters in parts.
"""

import hashlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from xml.sax.saxutils import escape

from geonotice.errors import Fault, OutputError
from geonotice.io.libreoffice import print_with_libreoffice
from geonotice.io.pdf_words import PDFIUM, printed_pages, squeezed, words_of_pdf
from geonotice.io.word_files import MAIN, Copies, W, paragraphs_of, parsed_part, unpack

__all__ = ["PART", "Printer", "lost_words", "print_word_file"]

Printer = Literal["built_in", "libreoffice"]
"""What makes a PDF of a Word file: the library that comes with the program, or LibreOffice where it is installed."""

PART = 200
"""So many copies are printed at once: fewer take longer, since the printer reads the type anew for each file; more take more memory."""

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

_AHEAD = 4000
"""How far ahead, in letters, a paragraph is looked for on the printed pages: between two of them lie a footer and a header at most."""

_NAMED = 8
"""So many lost words are named in a message; they show what kind of words they are."""

_TAG = re.compile(rb"(?<=/(?:BaseFont|FontName) /)([A-Z]{3})AAA(?=\+)")
_ID = re.compile(rb"/ID\[<[0-9A-F]{32}><[0-9A-F]{32}>\](?=>>\s+startxref\s+\d+\s+%%EOF\s*\Z)")


def _repeated_words(parts: Mapping[str, bytes], main: Any, name: str, pages: int) -> Iterator[str]:  # noqa: ANN401
    """Yield the paragraphs of the headers and footers that the pages of a Word file's last section show.

    The one of the first page counts where the section has it, and the ordinary one then only from the second page on; those of even pages are left out.
    """
    sections = list(main.iter(f"{W}sectPr"))
    relations = parts.get("word/_rels/document.xml.rels")
    if not sections or relations is None:
        return
    targets = {one.get("Id"): one.get("Target") for one in parsed_part(relations, name)}
    first = sections[-1].find(f"{W}titlePg")
    apart = first is not None and first.get(f"{W}val") not in {"0", "false", "off"}
    shown = {"first"} if apart and pages == 1 else {"first", "default"} if apart else {"default"}
    for one in sections[-1].iter(f"{W}headerReference", f"{W}footerReference"):
        part = f"word/{targets.get(one.get(_RELATION), '')}"
        if one.get(f"{W}type", "default") in shown and part in parts:
            yield from paragraphs_of(parsed_part(parts[part], name))


def lost_words(word_file: bytes, pdf: bytes, *, name: str = "") -> tuple[str, ...]:
    """Return the words of a Word file that its PDF lacks, in their order; none where it has all.

    Blanks, hyphens and the breaks of lines and pages say nothing: each paragraph is looked for without them, a little ahead of the one before; one that
    a page parts is looked for word by word. The words of headers and footers have to stand on some page.
    """
    # The quick reader's yes counts, its no is asked again: it reads what is drawn in the order of drawing alone.
    quick = printed_pages(pdf)
    if quick is not None and not _lost(word_file, quick, name):
        return ()
    return _lost(word_file, words_of_pdf(pdf), name)


def _lost(word_file: bytes, pages: Sequence[str], name: str) -> tuple[str, ...]:
    parts = unpack(word_file, name)
    main = parsed_part(parts[MAIN], name)
    printed = squeezed(" ".join(pages))
    lost = [
        word for text in _repeated_words(parts, main, name, len(pages)) for word in text.split() if squeezed(word) not in printed
    ]
    once = lru_cache(maxsize=1024)(squeezed)  # most paragraphs stand in every letter
    at = 0
    for text in paragraphs_of(main):
        whole = once(text)
        if not whole:
            continue
        found = printed.find(whole, at, at + _AHEAD + len(whole))
        if found >= 0:
            at = found + len(whole)
            continue
        for word in text.split():
            bare = squeezed(word)
            found = printed.find(bare, at, at + _AHEAD)
            if found < 0:
                lost.append(word)
            else:
                at = found + len(bare)
    return tuple(lost)


_PRINTING = Lock()
"""One print at a time: what the printer finds around it belongs to the whole process."""

_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans Condensed</string></edit></match>
</fontconfig>
"""
"""A list of fonts that has the program's own and no other."""


@contextmanager
def _with_own_type() -> Iterator[None]:
    """Show the printer the program's own type as the only one of the machine.

    It looks through all fonts of the machine for each file, which takes most of the time of a page, and prints nothing where there is none. Only
    Linux keeps that list in a file that can be named.
    """
    name = "DejaVuSansCondensed.ttf"
    with as_file(files("geonotice.packet") / "fonts" / name) as font, tempfile.TemporaryDirectory() as place:
        before = os.environ.get("FONTCONFIG_FILE")
        (Path(place) / name).symlink_to(
            font.resolve()
        )  # the list is noted down beside the fonts, and must not be in the program's folder
        listed = Path(place) / "fonts.conf"
        listed.write_text(_FONTS.format(folder=escape(place)), encoding="utf-8")
        os.environ["FONTCONFIG_FILE"] = str(listed)
        try:
            yield
        finally:
            if before is None:
                del os.environ["FONTCONFIG_FILE"]
            else:
                os.environ["FONTCONFIG_FILE"] = before


@contextmanager
def _without_font_warnings() -> Iterator[None]:
    """Keep back what the machine's list of fonts is warned about: it says nothing of this paper, which has its type with it."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # a program without a standard error
        yield
        return
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            said.seek(0)
            for line in said.read().decode(errors="replace").splitlines():
                if not line.startswith("Fontconfig"):
                    print(line, file=sys.stderr)  # noqa: T201  # what else was said there is passed on


def print_word_file(content: bytes | Copies, *, name: str, printer: Printer = "built_in", own_type: bool = False) -> bytes:
    """Return a Word file as a PDF that has all its words.

    Parameters
    ----------
    content
        The Word file, or the copies of a template that make one. Many copies are printed in parts, so that the memory does not grow with their number:
        not by LibreOffice, which takes seconds to start, nor where a copy shows what depends on those before it.
    name
        What messages call the paper, without an ending.
    printer
        What makes it. LibreOffice writes the time into its files: the same words are not the same bytes.
    own_type
        Whether the file names no type but the one that goes with it, and that type has all its letters: it is then printed without a look at the
        machine's fonts, to the same bytes.

    Raises
    ------
    OutputError
        Words are lost in printing, or it cannot be printed; the message names them.
    """
    by_hand = f"open {name}.docx in Word and print it from there"
    pdfs: list[bytes] = []
    lost: list[str] = []
    for part in [content] if isinstance(content, bytes) else _parts(content, whole=printer == "libreoffice"):
        if printer == "libreoffice":
            pdf = print_with_libreoffice(part, name=name)
        else:
            pdf = _print_built_in(part, name, by_hand, own_type=own_type)
        lost += lost_words(part, pdf, name=f"{name}.docx")
        pdfs.append(pdf)
    if lost:
        shown = ", ".join(dict.fromkeys(lost[:_NAMED])) + (f" and {len(lost) - _NAMED} more words" if len(lost) > _NAMED else "")
        raise OutputError(
            Fault(
                what=f"words would be lost in the PDF: {shown}",
                why="a letter without them is not the notice that the law asks for",
                file=f"{name}.pdf",
                remedy=by_hand,
            )
        )
    return pdfs[0] if len(pdfs) == 1 else _joined(pdfs, name, by_hand)


def _parts(copies: Copies, *, whole: bool) -> Iterator[bytes]:
    """Yield the Word files that are printed one after the other."""
    count = len(copies.each)
    most = count if whole or count <= PART or not copies.stand_alone else PART
    for first in range(0, count, most):
        yield copies.word_file(first, most, compressed=False)


def _joined(pdfs: Sequence[bytes], name: str, by_hand: str) -> bytes:
    """Return PDFs of the program's own printer as one, page after page."""
    import pypdfium2

    made = io.BytesIO()
    with PDFIUM:
        whole = pypdfium2.PdfDocument(pdfs[0])
        try:
            pages = len(whole)
            for number, content in enumerate(pdfs[1:], 1):
                part = pypdfium2.PdfDocument(_with_own_tags(content, number))
                try:
                    pages += len(part)
                    whole.import_pages(part)
                finally:
                    part.close()
            whole.save(made)
            kept = len(whole)
        finally:
            whole.close()
    # pdfium invents a mark for each file that it writes.
    mark = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in pdfs)).hexdigest()[:32].upper().encode()
    content, marked = _ID.subn(b"/ID[<%b><%b>]" % (mark, mark), made.getvalue())
    if kept != pages or marked != 1:
        what = f"the parts of the PDF could not be joined ({kept} of {pages} pages)"
        raise OutputError(Fault(what=what, file=f"{name}.pdf", remedy=by_hand))
    return content


def _with_own_tags(content: bytes, part: int) -> bytes:
    """Name the type of a part after the part: each has other letters of it, and printers tell them apart by name."""
    letters = bytes(65 + part // 26**place % 26 for place in range(3))
    return _TAG.sub(lambda found: found[1] + letters, content)


def _print_built_in(content: bytes, name: str, by_hand: str, *, own_type: bool) -> bytes:
    import dxpdf

    type_ = _with_own_type() if own_type and sys.platform == "linux" else nullcontext()
    try:
        with _PRINTING, type_, _without_font_warnings():
            pdf: bytes = dxpdf.convert(content)
    except Exception as error:  # the library has no errors of its own
        raise OutputError(Fault(what=f"the PDF could not be made ({error})", file=f"{name}.pdf", remedy=by_hand)) from error
    return pdf
