"""Word files filled from a template that a person may change.

A template holds plain fields, ``{{ field }}``, and nothing that runs. What it lacks, or has too much, is named before anything is filled: the library
that fills it leaves an unknown field blank, and follows attributes into Python where it is let.
"""

import difflib
import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geonotice.errors import Fault, TemplateError
from geonotice.io.archives import ARCHIVE_ERRORS

__all__ = [
    "MAIN",
    "Copies",
    "Template",
    "W",
    "fill_template",
    "paragraphs_of",
    "parsed_part",
    "read_template",
    "repack",
    "unpack",
    "words_of_word_file",
]

MAIN = "word/document.xml"
_SHARED = re.compile(r"word/(?:header|footer)\d*\.xml")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"

_PARAGRAPH, _RUN, _TEXT, _COMPUTED, _COMPUTED_WHOLE = (f"{W}{tag}" for tag in ("p", "r", "t", "fldChar", "fldSimple"))
_BLANKS = tuple(f"{W}{tag}" for tag in ("tab", "br", "cr", "noBreakHyphen"))

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
_NEW_PAGE = "<w:pageBreakBefore/>"
_COUNTS = re.compile(r"<w:(?:fldChar|fldSimple|instrText|titlePg|footnoteReference|endnoteReference)\b")
"""What a page shows differently by where in the file it stands: its number, notes, the header of the first page alone."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    for part in sorted(parts, key=lambda one: (one != MAIN, one)):
        if part != MAIN and not _SHARED.fullmatch(part):
            continue
        allowed = known if part == MAIN else shared
        for number, text in enumerate(paragraphs_of(parsed_part(parts[part], name))):
            where = f"{'paragraph' if part == MAIN else part.removeprefix('word/').removesuffix('.xml') + ', paragraph'} {number}"
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
    if MAIN not in parts:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """A template that was filled, once for each set of values; :func:`fill_template` makes it.

    Parameters
    ----------
    parts
        The members of the file besides the copies, by name.
    before, after
        The XML around the copies.
    each
        The XML of each copy.
    """

    parts: Mapping[str, bytes]
    before: str
    each: Sequence[str]
    after: str

    def word_file(self, first: int = 0, most: int | None = None, *, compressed: bool = True) -> bytes:
        """Return a Word file of the copies from ``first`` on, at ``most`` so many, each beginning on a page of its own."""
        chosen = list(self.each[first:] if most is None else self.each[first : first + most])
        chosen = [_on_new_page(copy) if number else copy for number, copy in enumerate(chosen, first)]
        if first:  # it begins the file, and looks as it does among the others
            chosen[0] = chosen[0].replace(_NEW_PAGE, "", 1)
        body = "".join([self.before, *chosen, self.after]).encode("utf-8")
        return repack({part: body if part == MAIN else content for part, content in self.parts.items()}, compressed=compressed)

    @property
    def stand_alone(self) -> bool:
        """Whether a copy looks the same by itself as among the others: nothing in it or around it counts pages or notes. Its lists are its own."""
        body = self.each[0]
        around = [content for part, content in self.parts.items() if _SHARED.fullmatch(part)]
        if _COUNTS.search(body + self.after) or any(_COUNTS.search(content.decode("utf-8")) for content in around):
            return False
        return b"<w:evenAndOddHeaders" not in self.parts.get("word/settings.xml", b"")


def fill_template(template: Template, each: Sequence[Mapping[str, str]], *, shared: Mapping[str, str]) -> Copies:
    """Fill a copy of the template with each set of values.

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
        before, body, after = _split(joiner.patch_xml(template.parts[MAIN].decode("utf-8")), template.name)
        copy = environment.from_string(_IDS.sub("", body))
        everywhere = _lines(shared)
        copies = [copy.render({**everywhere, **_lines(values)}) for values in each]
    except UndefinedError as error:
        raise ValueError(f"{template.name}: {error}") from error
    return Copies(parts=parts, before=before, each=tuple(_with_own_lists(copies, parts, template.name)), after=after)


_NUMBERING, _STYLES = "word/numbering.xml", "word/styles.xml"
_LOOK = re.compile(
    r"<w:pPr>(?P<first>(?:<w:(?:pStyle|keepNext|keepLines|pageBreakBefore|framePr|widowControl)\b[^>]*/>)*)(?P<own><w:numPr>.*?</w:numPr>)?",
    re.DOTALL,
)
"""How a paragraph looks, as far as its place in a list (ECMA-376 part 1, 17.3.1.26 has what stands before it)."""
_STYLE_OF = re.compile(r'<w:pStyle w:val="([^"]*)"')
_LIST_OF = re.compile(r'(<w:numId w:val=")(\d+)(")')


def _with_own_lists(copies: Sequence[str], parts: dict[str, bytes], name: str) -> Sequence[str]:
    """Put into each copy but the first lists of its own in the ``parts``: Word counts the paragraphs of a list through the whole file."""
    if len(copies) == 1 or _NUMBERING not in parts:
        return copies
    from lxml import etree

    root = parsed_part(parts[_NUMBERING], name)
    counting = {
        kind.get(f"{W}abstractNumId")
        for kind in root.iter(f"{W}abstractNum")
        if any(form.get(f"{W}val") != "bullet" for form in kind.iter(f"{W}numFmt"))
    }
    lists = {one.get(f"{W}numId"): one.find(f"{W}abstractNumId").get(f"{W}val") for one in root.findall(f"{W}num")}
    lists = {number: kind for number, kind in lists.items() if kind in counting}
    by_style = {style: place for style, place in _lists_of_styles(parts, name).items() if place[0] in lists}
    used = set(re.findall(r'<w:numId w:val="(\d+)"', copies[0])) | {
        by_style[style][0] for style in _STYLE_OF.findall(copies[0]) if style in by_style
    }
    used &= lists.keys()
    if not used:
        return copies
    last = root.findall(f"{W}num")[-1]
    free = max(int(one.get(f"{W}numId")) for one in root.findall(f"{W}num")) + 1
    starts = {number: _starts(root, lists[number]) for number in used}
    made = [copies[0]]
    for copy in copies[1:]:
        own = {number: str(free + n) for n, number in enumerate(sorted(used, key=int))}
        free += len(own)
        for number, new in own.items():
            element = etree.Element(f"{W}num", {f"{W}numId": new})
            etree.SubElement(element, f"{W}abstractNumId", {f"{W}val": lists[number]})
            for level, start in enumerate(starts[number]):
                again = etree.SubElement(element, f"{W}lvlOverride", {f"{W}ilvl": str(level)})
                etree.SubElement(again, f"{W}startOverride", {f"{W}val": start})
            last.addnext(element)
            last = element
        made.append(_LOOK.sub(lambda found, own=own: _look_in(found, own, by_style), copy))  # type: ignore[misc]  # own is of this copy
    parts[_NUMBERING] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made


def _look_in(found: re.Match[str], own: Mapping[str, str], by_style: Mapping[str, tuple[str, str]]) -> str:
    """Return how a paragraph looks with the copy's own list in place of the template's."""
    if found["own"]:
        return f"<w:pPr>{found['first']}{_LIST_OF.sub(lambda one: f'{one[1]}{own.get(one[2], one[2])}{one[3]}', found['own'])}"
    style = _STYLE_OF.search(found["first"])
    number, level = by_style.get(style[1], ("", "")) if style else ("", "")
    if number not in own:
        return found[0]
    return f'<w:pPr>{found["first"]}<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{own[number]}"/></w:numPr>'


def _lists_of_styles(parts: Mapping[str, bytes], name: str) -> dict[str, tuple[str, str]]:
    """Return the list and the level that a style puts its paragraphs into, its own or that of the style it is based on."""
    if _STYLES not in parts:
        return {}
    styles = {one.get(f"{W}styleId"): one for one in parsed_part(parts[_STYLES], name).iter(f"{W}style")}

    def of(style: str, tag: str, seen: frozenset[str] = frozenset()) -> str:
        one = styles.get(style)
        if one is None or style in seen:
            return ""
        value = one.find(f"{W}pPr/{W}numPr/{W}{tag}")
        base = one.find(f"{W}basedOn")
        if value is not None:
            return str(value.get(f"{W}val"))
        return of(str(base.get(f"{W}val")), tag, seen | {style}) if base is not None else ""

    return {style: (number, of(style, "ilvl") or "0") for style in styles if (number := of(style, "numId"))}


def _starts(root: Any, kind: str) -> list[str]:  # noqa: ANN401  # lxml ships no types
    """Return the numbers with which the levels of a list begin."""
    levels = root.find(f"{W}abstractNum[@{W}abstractNumId='{kind}']")
    return [
        one.get(f"{W}val") if (one := levels.find(f"{W}lvl[@{W}ilvl='{level}']/{W}start")) is not None else "1"
        for level in range(9)
    ]


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
    """Return a copy that begins on a new page: by its first paragraph, so that no blank line comes before it, or by an empty one before a table."""
    first = _FIRST.match(copy)
    if first is None:
        return f'<w:p><w:pPr>{_NEW_PAGE}<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>{copy}'
    opened = copy[: first.end()]
    if "<w:pPr>" in opened:
        return f"{opened}{_NEW_PAGE}{copy[first.end() :]}"
    return f"{opened}<w:pPr>{_NEW_PAGE}</w:pPr>{copy[first.end() :]}"


def _parser(content: bytes) -> Any:  # noqa: ANN401  # lxml ships no types
    """Return a parser without entities and network: the file comes from outside."""
    from lxml import etree

    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=len(content) > _MOST // 8)


def parsed_part(content: bytes, name: str) -> Any:  # noqa: ANN401  # lxml ships no types
    """Return one part of a Word file, parsed."""
    from lxml import etree

    try:
        return etree.fromstring(content, _parser(content))
    except etree.XMLSyntaxError as error:
        raise TemplateError(Fault(what=f"the file is damaged ({error})", file=name, remedy="save it again from Word")) from error


def paragraphs_of(root: Any) -> Iterator[str]:  # noqa: ANN401
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
            computed += {"begin": 1, "end": -1}.get(node.get(f"{W}fldCharType"), 0)
        elif node.tag == _COMPUTED_WHOLE:
            node.clear()
        elif not computed and (node.tag == _TEXT or node.getparent().tag == _RUN):
            text.append((node.text or "") if node.tag == _TEXT else " ")
    yield "".join(text)


def words_of_word_file(content: bytes, *, name: str = "") -> list[str]:
    """Return the text of a Word file, one paragraph after the other; headers and footers are not in it.

    Raises
    ------
    TemplateError
        It is no Word file.
    """
    return [text for text in paragraphs_of(parsed_part(unpack(content, name)[MAIN], name)) if text.strip()]
