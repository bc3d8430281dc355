"""Word files: filled from a template that a person may change, and printed as PDFs that are checked to hold every word.

A template holds plain fields, ``{{ field }}``, and nothing that runs. What it lacks, or has too much, is named before anything is filled: the library
that fills it leaves an unknown field blank, and follows attributes into Python where it is let. The library that prints it drops what it cannot draw
without a word, hence the comparison after each printing.
"""

import difflib
import io
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from xml.sax.saxutils import escape

from geonotice.errors import Fault, OutputError, TemplateError
from geonotice.io.archives import ARCHIVE_ERRORS
from geonotice.io.libreoffice import print_with_libreoffice
from geonotice.io.pdf_words import printed_pages, squeezed, words_of_pdf

__all__ = [
    "Printer",
    "Template",
    "fill_template",
    "lost_words",
    "print_word_file",
    "read_template",
    "repack",
    "unpack",
    "words_of_word_file",
]

Printer = Literal["built_in", "libreoffice"]
"""What makes a PDF of a Word file: the library that comes with the program, or LibreOffice where it is installed."""

_MAIN = "word/document.xml"
_SHARED = re.compile(r"word/(?:header|footer)\d*\.xml")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"

_PARAGRAPH, _RUN, _TEXT, _COMPUTED, _COMPUTED_WHOLE = (f"{_W}{tag}" for tag in ("p", "r", "t", "fldChar", "fldSimple"))
_BLANKS = tuple(f"{_W}{tag}" for tag in ("tab", "br", "cr", "noBreakHyphen"))

_MOST = 50 << 20
"""Most bytes that the parts of a template may hold together: a letterhead with a seal is under one million."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every member of a file that is written here: the same content is the same bytes."""

_TIGHT = 4
"""How tightly a file is packed: two parts in a hundred larger than at the tightest, in half the time."""

_MARK = re.compile(r"\{\{(?P<field>.*?)\}\}|(?P<runs>\{%.*?%\}|\{#.*?#\})|(?P<stray>\{\{|\}\}|\{%|%\}|\{#|#\})")
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
_END = re.compile(r"(?:<w:sectPr\b(?:(?!<w:sectPr\b).)*)?</w:body>\s*</w:document>\s*\Z", re.DOTALL)
_IDS = re.compile(r' w14:(?:paraId|textId)="[^"]*"|<w:bookmark(?:Start|End)\b[^>]*/>')
_FIRST = re.compile(r"\s*<w:p(?: [^>]*)?>(?:<w:pPr>(?P<style><w:pStyle [^>]*/>)?)?")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_AHEAD = 4000
"""How far ahead, in letters, a paragraph is looked for on the printed pages: between two of them lie a footer and a header at most."""

_NAMED = 8
"""So many lost words are named in a message; they show what kind of words they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template that was read and checked; :func:`read_template` makes it.

    Parameters
    ----------
    name
        Its file name, for messages.
    parts
        The members of the file, by name.
    fields
        The fields that it uses.
    """

    name: str
    parts: Mapping[str, bytes]
    fields: frozenset[str]


def read_template(
    content: bytes, *, name: str, known: Collection[str], shared: Collection[str], needed: Collection[str] = ()
) -> Template:
    """Read a template, and refuse what cannot be filled, all of it at once.

    Parameters
    ----------
    content
        The bytes of a Word file (.docx).
    name
        What messages call it.
    known
        The fields that can be filled.
    shared
        Those of them that say the same in every letter: a header and a footer may use no others.
    needed
        The fields that the paper must not lack.

    Raises
    ------
    TemplateError
        It is no Word file; it uses a field that is not known, something other than a plain field, or lacks one that is needed. The message names
        the paragraph and the word.
    """
    parts = unpack(content, name)
    faults: list[Fault] = []
    used: set[str] = set()
    for part in sorted(parts, key=lambda one: (one != _MAIN, one)):
        if part != _MAIN and not _SHARED.fullmatch(part):
            continue
        allowed = known if part == _MAIN else shared
        for number, text in enumerate(_paragraphs(_parsed(parts[part], name))):
            where = (
                f"{'paragraph' if part == _MAIN else part.removeprefix('word/').removesuffix('.xml') + ', paragraph'} {number}"
            )
            for mark in _MARK.finditer(text):
                field = (mark["field"] or "").strip()
                if mark["field"] is not None and field in allowed:
                    used.add(field)
                else:
                    faults.append(_fault(mark, field, text, name=name, where=where, known=known, shared=allowed))
    faults += [
        Fault(
            what=f"the template does not use the field {{{{ {field} }}}}",
            why="the paper is not complete without it",
            remedy="write the field where it belongs, or delete the file: the program's own template is used again",
            file=name,
        )
        for field in needed
        if field not in used
    ]
    if faults:
        raise TemplateError(faults)
    return Template(name=name, parts=parts, fields=frozenset(used))


def _fault(
    mark: re.Match[str], field: str, text: str, *, name: str, where: str, known: Collection[str], shared: Collection[str]
) -> Fault:
    """Return what is wrong with one mark of a template."""
    line = f"“{text.strip()[:80]}{'…' if len(text.strip()) > 80 else ''}”"  # noqa: PLR2004  # enough to find the line by
    if mark["field"] is None:
        return Fault(
            what=f"{where} has {mark[0]!r} in the line {line}",
            why="a template holds plain fields, such as {{ town }}, and nothing else in double braces",
            remedy="take it out, or close the field in the same paragraph",
            file=name,
        )
    if field in known and field not in shared:
        return Fault(
            what=f"{where} uses the field {{{{ {field} }}}} in the line {line}",
            why="a header or footer says the same in every letter, and this field does not",
            remedy="move the field into the letter",
            file=name,
        )
    near = difflib.get_close_matches(field, known, n=1)
    plain = _FIELD.fullmatch(field) is not None
    return Fault(
        what=f"{where} uses {mark[0]!r} in the line {line}" + ("" if plain else ", which is not a plain field"),
        why="no field of this name can be filled" if plain else "a field is one word in small letters, such as {{ town }}",
        remedy=f"write {{{{ {near[0]} }}}} if that is meant"
        if near
        else "the list of fields stands in the folder of the templates",
        file=name,
    )


def unpack(content: bytes, name: str) -> dict[str, bytes]:
    """Return the members of a Word file by name, in their order.

    Raises
    ------
    TemplateError
        It is no Word file, or a very large one.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST:
                raise TemplateError(Fault(what="the file unpacks to over 50 MB", file=name, remedy="use smaller pictures in it"))
            parts = {member.filename: archive.read(member) for member in archive.infolist() if not member.is_dir()}
    except ARCHIVE_ERRORS as error:
        raise TemplateError(
            Fault(what=f"the file cannot be opened as a Word file ({error})", file=name, remedy="save it from Word as .docx")
        ) from error
    if _MAIN not in parts:
        raise TemplateError(Fault(what="this is not a Word file", file=name, remedy="save it from Word as .docx"))
    return parts


def repack(parts: Mapping[str, bytes], *, compressed: bool = True) -> bytes:
    """Return the members of a file as one archive: the same members in the same order are the same bytes.

    What is only handed on need not be ``compressed``: for the type in it that takes most of the time of a page.
    """
    made = io.BytesIO()
    kind = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(made, "w", kind, compresslevel=_TIGHT) as archive:
        for part, content in parts.items():
            entry = zipfile.ZipInfo(part, _EPOCH)
            entry.compress_type = kind
            archive.writestr(entry, content, compresslevel=_TIGHT)
    return made.getvalue()


def fill_template(template: Template, each: Sequence[Mapping[str, str]], *, shared: Mapping[str, str]) -> bytes:
    """Return one Word file with a copy of the template for each set of values, each beginning on a page of its own.

    Parameters
    ----------
    template
        The template.
    each
        The values of one copy each. A line end in a value is a line end in the letter.
    shared
        The values that are the same in all copies, headers and footers among them.

    Raises
    ------
    ValueError
        A field has no value, or there is nothing to fill: a fault of the program, since :func:`read_template` checked the fields.
    """
    from docxtpl import DocxTemplate
    from jinja2 import StrictUndefined, UndefinedError
    from jinja2.sandbox import SandboxedEnvironment

    if not each:
        raise ValueError("nothing to fill the template with")
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=True)
    joiner = DocxTemplate(io.BytesIO(b""))
    parts = dict(template.parts)
    try:
        for part, content in template.parts.items():
            if _SHARED.fullmatch(part):
                joined = joiner.patch_xml(content.decode("utf-8"))
                parts[part] = environment.from_string(joined).render(_lines(shared)).encode("utf-8")
        before, body, after = _split(joiner.patch_xml(template.parts[_MAIN].decode("utf-8")), template.name)
        copy = environment.from_string(_IDS.sub("", body))
        everywhere = _lines(shared)
        copies = [copy.render({**everywhere, **_lines(values)}) for values in each]
    except UndefinedError as error:
        raise ValueError(f"{template.name}: {error}") from error
    parts[_MAIN] = "".join([before, copies[0], *map(_on_new_page, copies[1:]), after]).encode("utf-8")
    return repack(parts)


def _lines(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the values as Word writes them: letters that no XML file may hold shown as such, a line end as a break of the line."""
    from markupsafe import Markup
    from markupsafe import escape as escaped

    line_end = Markup('</w:t><w:br/><w:t xml:space="preserve">')
    return {
        field: line_end.join(escaped(line) for line in _NOT_XML.sub("\ufffd", text).replace("\t", " ").splitlines())
        for field, text in values.items()
    }


def _split(xml: str, name: str) -> tuple[str, str, str]:
    """Return a document's XML in three: up to its first paragraph, the paragraphs, and from the settings of the page on."""
    start = re.search(r"<w:body\b[^>]*>", xml)
    end = _END.search(xml)
    if start is None or end is None:
        raise TemplateError(
            Fault(what="this is not a Word file that Word wrote", file=name, remedy="open it in Word and save it again")
        )
    return xml[: start.end()], xml[start.end() : end.start()], xml[end.start() :]


def _on_new_page(copy: str) -> str:
    """Begin a copy on a new page: by its first paragraph, so that no blank line comes before it, or by an empty one before a table."""
    first = _FIRST.match(copy)
    if first is None:
        return f'<w:p><w:pPr><w:pageBreakBefore/><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>{copy}'
    opened = copy[: first.end()]
    if "<w:pPr>" in opened:
        return f"{opened}<w:pageBreakBefore/>{copy[first.end() :]}"
    return f"{opened}<w:pPr><w:pageBreakBefore/></w:pPr>{copy[first.end() :]}"


def _parser(content: bytes) -> Any:  # noqa: ANN401  # lxml ships no types
    """Return a parser without entities and network: the file comes from outside."""
    from lxml import etree

    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=len(content) > _MOST // 8)


def _parsed(content: bytes, name: str) -> Any:  # noqa: ANN401  # lxml ships no types
    """Return one part of a Word file, parsed."""
    from lxml import etree

    try:
        return etree.fromstring(content, _parser(content))
    except etree.XMLSyntaxError as error:
        raise TemplateError(Fault(what=f"the file is damaged ({error})", file=name, remedy="save it again from Word")) from error


def _paragraphs(root: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the text of each paragraph of one part, in order, with what stands in tables, boxes and content controls.

    Numbers of pages, which Word computes, are left out.
    """
    for twin in list(root.iter(_FALLBACK)):  # what older programs show instead of a box: the same words again
        twin.clear()
    text: list[str] = []
    computed = 0
    for node in root.iter(_PARAGRAPH, _TEXT, _COMPUTED, _COMPUTED_WHOLE, *_BLANKS):
        if node.tag == _PARAGRAPH:
            yield "".join(text)
            text = []
        elif node.tag == _COMPUTED:
            computed += {"begin": 1, "end": -1}.get(node.get(f"{_W}fldCharType"), 0)
        elif node.tag == _COMPUTED_WHOLE:
            node.clear()
        elif not computed and (node.tag == _TEXT or node.getparent().tag == _RUN):
            text.append((node.text or "") if node.tag == _TEXT else " ")
    yield "".join(text)


def words_of_word_file(content: bytes, *, name: str = "") -> list[str]:
    """Return the text of a Word file, one paragraph after the other; headers and footers are not in it (:func:`_repeated_words`).

    Raises
    ------
    TemplateError
        It is no Word file.
    """
    return [text for text in _paragraphs(_parsed(unpack(content, name)[_MAIN], name)) if text.strip()]


def _repeated_words(parts: Mapping[str, bytes], main: Any, name: str, pages: int) -> Iterator[str]:  # noqa: ANN401
    """Yield the paragraphs of the headers and footers that the pages of a Word file's last section show.

    The one of the first page counts where the section has it, and the ordinary one then only from the second page on; those of even pages are left out.
    """
    sections = list(main.iter(f"{_W}sectPr"))
    relations = parts.get("word/_rels/document.xml.rels")
    if not sections or relations is None:
        return
    targets = {one.get("Id"): one.get("Target") for one in _parsed(relations, name)}
    first = sections[-1].find(f"{_W}titlePg")
    apart = first is not None and first.get(f"{_W}val") not in {"0", "false", "off"}
    shown = {"first"} if apart and pages == 1 else {"first", "default"} if apart else {"default"}
    for one in sections[-1].iter(f"{_W}headerReference", f"{_W}footerReference"):
        part = f"word/{targets.get(one.get(_RELATION), '')}"
        if one.get(f"{_W}type", "default") in shown and part in parts:
            yield from _paragraphs(_parsed(parts[part], name))


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
    main = _parsed(parts[_MAIN], name)
    printed = squeezed(" ".join(pages))
    lost = [
        word for text in _repeated_words(parts, main, name, len(pages)) for word in text.split() if squeezed(word) not in printed
    ]
    once = lru_cache(maxsize=1024)(squeezed)  # most paragraphs stand in every letter
    at = 0
    for text in _paragraphs(main):
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


def print_word_file(content: bytes, *, name: str, printer: Printer = "built_in", own_type: bool = False) -> bytes:
    """Return a Word file as a PDF that has all its words.

    Parameters
    ----------
    content
        The Word file.
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
    if printer == "libreoffice":
        pdf = print_with_libreoffice(content, name=name)
    else:
        pdf = _print_built_in(content, name, by_hand, own_type=own_type)
    if lost := lost_words(content, pdf, name=f"{name}.docx"):
        shown = ", ".join(dict.fromkeys(lost[:_NAMED])) + (f" and {len(lost) - _NAMED} more words" if len(lost) > _NAMED else "")
        raise OutputError(
            Fault(
                what=f"words would be lost in the PDF: {shown}",
                why="a letter without them is not the notice that the law asks for",
                file=f"{name}.pdf",
                remedy=by_hand,
            )
        )
    return pdf


def _print_built_in(content: bytes, name: str, by_hand: str, *, own_type: bool) -> bytes:
    import dxpdf

    type_ = _with_own_type() if own_type and sys.platform == "linux" else nullcontext()
    try:
        with _PRINTING, type_, _without_font_warnings():
            pdf: bytes = dxpdf.convert(content)
    except Exception as error:  # the library has no errors of its own
        raise OutputError(Fault(what=f"the PDF could not be made ({error})", file=f"{name}.pdf", remedy=by_hand)) from error
    return pdf
