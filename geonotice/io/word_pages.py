"""New Word files from blocks of text: letterhead, address, paragraphs, tables, lines to sign.

The type is embedded, so that a file looks the same in Word, in LibreOffice and as a PDF, on a machine with any fonts or none.
"""

import io
import re
import uuid
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from geonotice.io.word_files import repack, unpack

__all__ = ["LETTERHEAD_MOST_IN", "LETTERHEAD_WIDTH_IN", "SEAL_IN", "Block", "append_blocks", "build_word_file", "picture_size"]

FONT = "DejaVu Sans Condensed"
"""The family that is embedded; only its regular cut, so that emphasis is by size and by small lines above and below, never by bold type."""

Kind = Literal["letterhead", "address", "date", "heading", "text", "quote", "small", "sign", "table", "gap", "page"]

_SIZES_PT = {
    "letterhead": 10,
    "address": 10,
    "date": 10,
    "heading": 13,
    "text": 10.5,
    "quote": 10,
    "small": 8,
    "sign": 10,
    "table": 9,
}
_LETTERHEAD_IN = 1.7
"""Height of the letterhead, from the top margin of 0.6 in: the address below it begins 2.3 in below the top of the sheet.

The window of a #10 envelope (4.5 by 1.125 in, 0.875 in from the left, 0.5 in from the bottom) shows 2.04 to 3.17 in of a sheet that is folded in
three and stands on the envelope's bottom, 2.5 to 3.63 in of one that has slid up. From 2.3 in on, five lines are seen of the first, and it may slide
up by a quarter of an inch before the name is hidden."""
SEAL_IN = 0.55
"""Height of the seal on the letterhead."""
LETTERHEAD_MOST_IN = 1.4
"""A letterhead that is higher than this shows in the window, above the address."""
LETTERHEAD_WIDTH_IN = 6.5
"""How wide a line of the letterhead can be: the sheet within its margins, less the frame's."""
_ADDRESS_IN, _ADDRESS_WIDTH_IN = 1.0, 4.0
"""The frame of the address: six lines, and no wider than the window shows wherever the sheet lies in the envelope."""
_KEY = uuid.UUID("6d1c2c53-0b6e-4c0e-9a53-7f0c1f3c2a11")
"""What the embedded font is obscured with (ECMA-376 part 4, 2.8.1); any number will do, the same one makes the same bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a page.

    Parameters
    ----------
    kind
        What it is. ``sign`` is a line to sign on, with its text below; ``gap`` is a blank line; ``page`` begins a new page.
    text
        Its words; a line end is one on the page.
    rows
        The rows of a table, the first of them its headings.
    widths_in
        The widths of a table's columns, in inches.
    """

    kind: Kind
    text: str = ""
    rows: Sequence[Sequence[str]] = field(default_factory=tuple)
    widths_in: Sequence[float] = ()


def build_word_file(
    blocks: Sequence[Block],
    *,
    footer: str = "",
    numbered: bool = True,
    picture: bytes | None = None,
    landscape: bool = False,
    compressed: bool = True,
) -> bytes:
    """Return a Word file of letter size with the blocks, the type embedded.

    Parameters
    ----------
    blocks
        What stands on its pages, in order.
    footer
        A line at the foot of every page.
    numbered
        Whether the number of the page stands beside it.
    picture
        A PNG or JPEG for the letterhead.
    landscape
        Whether the sheet lies on its side.
    compressed
        Whether the file is packed tightly; one that is only handed on need not be.
    """
    import docx
    from docx.enum.section import WD_ORIENT
    from docx.shared import Inches

    document = docx.Document(io.BytesIO(_blank_file()))
    section = document.sections[0]
    section.page_width, section.page_height = Inches(8.5), Inches(11)
    if landscape:
        section.orientation = WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = Inches(11), Inches(8.5)
    section.left_margin = section.right_margin = Inches(0.9)
    section.top_margin, section.bottom_margin = Inches(0.6), Inches(0.8)
    section.header_distance = section.footer_distance = Inches(0.4)
    _set_type(document)
    for block in blocks:
        _add(document, block, picture)
    if footer:
        _add_footer(section.footer.paragraphs[0], footer, numbered=numbered)
    made = io.BytesIO()
    document.save(made)
    return _embed_font(made.getvalue(), compressed=compressed)


def append_blocks(content: bytes, blocks: Sequence[Block], *, name: str = "") -> bytes:
    """Return a Word file with blocks behind what stands in it: what no template can hold, such as a list of any length.

    Parameters
    ----------
    content
        A Word file, this program's or a town's own; its headers, footers and pages stay as they are.
    blocks
        What is added, in order.
    name
        What messages call the file.

    Raises
    ------
    TemplateError
        It is no Word file.
    """
    import docx

    unpack(content, name)
    document = docx.Document(io.BytesIO(content))
    for block in blocks:
        _add(document, block, None)
    made = io.BytesIO()
    document.save(made)
    return repack(unpack(made.getvalue(), name))


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG or JPEG in pixels; None where it is neither."""
    from docx.image.exceptions import UnrecognizedImageError
    from docx.image.image import Image

    try:
        image = Image.from_blob(content)
    except (UnrecognizedImageError, ValueError, KeyError, IndexError, EOFError):
        return None
    return image.px_width, image.px_height


def _set_type(document: Any) -> None:  # noqa: ANN401  # python-docx ships no types
    from docx.oxml.ns import qn
    from docx.shared import Pt

    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = FONT, Pt(_SIZES_PT["text"])
    fonts = normal.element.rPr.rFonts
    for script in ("w:eastAsia", "w:cs"):
        fonts.set(qn(script), FONT)
    normal.paragraph_format.space_before, normal.paragraph_format.space_after = Pt(0), Pt(0)
    normal.paragraph_format.line_spacing = 1.0


def _add(document: Any, block: Block, picture: bytes | None) -> None:  # noqa: ANN401
    from docx.enum.text import WD_BREAK
    from docx.shared import Inches, Pt

    if block.kind == "letterhead":
        cell = _frame(document, _LETTERHEAD_IN)
        if picture is not None:
            wide, high = picture_size(picture) or (1, 1)
            side_in = {"width": Inches(2.5)} if wide / high > 2.5 / SEAL_IN else {"height": Inches(SEAL_IN)}
            cell.paragraphs[0].add_run().add_picture(io.BytesIO(picture), **side_in)
            cell.add_paragraph()
        _write(cell.paragraphs[-1], block.text, _SIZES_PT["letterhead"])
        return
    if block.kind == "address":
        _write(_frame(document, _ADDRESS_IN, _ADDRESS_WIDTH_IN).paragraphs[0], block.text, _SIZES_PT["address"])
        return
    if block.kind == "table":
        _add_table(document, block)
        return
    paragraph = document.add_paragraph()
    if block.kind == "page":
        paragraph.add_run().add_break(WD_BREAK.PAGE)
        return
    shape = paragraph.paragraph_format
    size_pt = _SIZES_PT.get(block.kind, _SIZES_PT["text"])
    shape.space_after = Pt(0 if block.kind == "gap" else 7)
    if block.kind == "heading":
        shape.space_before, shape.keep_with_next = Pt(8), True
    elif block.kind == "quote":
        shape.left_indent = shape.right_indent = Inches(0.35)
    elif block.kind == "sign":
        # The words stand below the line, and stay with it on one page.
        shape.space_before, shape.keep_together = Pt(26), True
        _write(paragraph, f"{'_' * 42}\n{block.text}", size_pt)
        return
    _write(paragraph, block.text, size_pt)


def _frame(document: Any, height_in: float, width_in: float | None = None) -> Any:  # noqa: ANN401
    """Add a frame without lines, as high as this or higher, so that what stands below it begins at one place; return its one cell."""
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Inches

    table = document.add_table(rows=1, cols=1)
    table.rows[0].height = Inches(height_in)
    table.rows[0].height_rule = WD_ROW_HEIGHT_RULE.AT_LEAST  # nothing is ever cut
    cell = table.rows[0].cells[0]
    if width_in is not None:
        table.autofit = False
        cell.width = table.columns[0].width = Inches(width_in)
    return cell


def _add_table(document: Any, block: Block) -> None:  # noqa: ANN401
    from docx.oxml import OxmlElement
    from docx.shared import Inches

    table = document.add_table(rows=0, cols=len(block.rows[0]))
    if "Table Grid" in [style.name for style in document.styles]:
        table.style = "Table Grid"
    else:  # a file that somebody made in Word may lack it
        _rule(table)
    table.autofit = False
    for number, row in enumerate(block.rows):
        added = table.add_row()
        properties = added._tr.get_or_add_trPr()  # noqa: SLF001  # python-docx has no other way to a row's properties
        properties.append(OxmlElement("w:cantSplit"))
        if number == 0:
            properties.append(OxmlElement("w:tblHeader"))
        for place, (cell, words) in enumerate(zip(added.cells, row, strict=True)):
            if block.widths_in:
                cell.width = table.columns[place].width = Inches(block.widths_in[place])
            _write(cell.paragraphs[0], words, _SIZES_PT["table"])
    document.add_paragraph()


def _rule(table: Any) -> None:  # noqa: ANN401
    """Draw the lines of a table by itself, without a style."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders = OxmlElement("w:tblBorders")
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        line = OxmlElement(f"w:{side}")
        for key, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", "auto")):
            line.set(qn(f"w:{key}"), value)
        borders.append(line)
    # In its place among the properties (ECMA-376 part 1, 17.4.59): Word refuses a file in which they stand in another order.
    properties = table._tbl.tblPr  # noqa: SLF001  # python-docx knows no borders
    later = [
        child for child in properties if child.tag in {qn(f"w:{tag}") for tag in ("shd", "tblLayout", "tblCellMar", "tblLook")}
    ]
    if later:
        later[0].addprevious(borders)
    else:
        properties.append(borders)


def _write(paragraph: Any, words: str, size_pt: float) -> None:  # noqa: ANN401
    from docx.shared import Pt

    run = paragraph.add_run(words)
    run.font.size = Pt(size_pt)


def _add_footer(paragraph: Any, words: str, *, numbered: bool) -> None:  # noqa: ANN401
    _write(paragraph, f"{words}    Page " if numbered else words, _SIZES_PT["small"])
    if not numbered:
        return
    for instruction, between in (("PAGE", " of "), ("NUMPAGES", "")):
        _add_computed(paragraph, instruction)
        _write(paragraph, between, _SIZES_PT["small"])


def _add_computed(paragraph: Any, instruction: str) -> None:  # noqa: ANN401
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Pt

    run = paragraph.add_run()
    run.font.size = Pt(_SIZES_PT["small"])
    for kind, content in (("begin", ""), ("", instruction), ("separate", ""), ("text", "1"), ("end", "")):
        if kind in {"begin", "separate", "end"}:
            node = OxmlElement("w:fldChar")
            node.set(qn("w:fldCharType"), kind)
        else:
            node = OxmlElement("w:t" if kind == "text" else "w:instrText")
            node.text = content
        run._r.append(node)  # noqa: SLF001  # python-docx has no fields


_TABLE_STYLES = ("Normal Table", "Table Grid")
"""The looks of tables that papers have: without lines, and with."""


@cache
def _blank_file() -> bytes:
    """Return the library's blank file without what no paper uses.

    For Word 2010 alone a second copy of all styles, and the picture of an empty page. And a hundred looks of tables: they are nine tenths of what is read
    anew for each paper.
    """
    import docx
    from docx.enum.style import WD_STYLE_TYPE

    document = docx.Document()
    for holder in (document.part, document.part.package):
        for name, relation in list(holder.rels.items()):
            if relation.reltype.endswith(("/stylesWithEffects", "/thumbnail")):
                del holder.rels[name]
    for style in document.styles:
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in _TABLE_STYLES:
            style.delete()
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def _embed_font(content: bytes, *, compressed: bool) -> bytes:
    """Put the font into a Word file, obscured as the standard asks, and declare it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {member.filename: archive.read(member) for member in archive.infolist()}
    font = (files("geonotice.packet") / "fonts" / "DejaVuSansCondensed.ttf").read_bytes()
    key = bytes.fromhex(_KEY.hex)[::-1]
    head = bytes(byte ^ key[place % 16] for place, byte in enumerate(font[:32]))
    parts["word/fonts/font1.odttf"] = head + font[32:]
    parts["word/_rels/fontTable.xml.rels"] = (
        b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fonts/font1.odttf"/></Relationships>'
    )
    declared = f'<w:font w:name="{FONT}"><w:embedRegular r:id="rId1" w:fontKey="{{{str(_KEY).upper()}}}"/></w:font></w:fonts>'
    parts["word/fontTable.xml"] = parts["word/fontTable.xml"].replace(b"</w:fonts>", declared.encode())
    parts["word/settings.xml"] = re.sub(
        rb"(<w:settings\b[^>]*>)", rb"\1<w:embedTrueTypeFonts/>", parts["word/settings.xml"], count=1
    )
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"<Default ",
        b'<Default Extension="odttf" ContentType="application/vnd.openxmlformats-officedocument.obfuscatedFont"/><Default ',
        1,
    )
    return repack(parts, compressed=compressed)
