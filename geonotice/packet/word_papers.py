"""Papers written in Word: one source of words for each, which a town may change, filled as a Word file and printed from it as a PDF.

A paper of this kind registers its words with :func:`word_paper`. ``geonotice templates`` writes them out for a town to edit; a file of the same name in
the town's folder of templates then takes their place. Whatever a field lacks stands as a line to be filled in by hand, and the packet says so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from geonotice.config.town import Clerk
from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.errors import Fault, OutputError, Together, UsageError
from geonotice.io.word_files import Copies, Template, fill_template, read_template, repack, unpack
from geonotice.io.word_pages import Block, build_word_file
from geonotice.io.word_printing import Printer, print_word_file
from geonotice.model import Notice
from geonotice.packet.pdf_text import unprintable
from geonotice.packet.sentences import premises_with_situs

__all__ = [
    "BLANK",
    "CLAUSE_BLOCKS",
    "COMMON_FIELDS",
    "EVENT_BLOCKS",
    "Filled",
    "PaperSettings",
    "WordPaper",
    "common_values",
    "fields_text",
    "fill_paper",
    "letter_top",
    "office_values",
    "open_fields_note",
    "own_templates",
    "place_words",
    "print_paper",
    "template_bytes",
    "word_paper",
    "word_papers",
]

BLANK = "____________________"
"""What stands where a field has no value: to be filled in by hand, and told on the packet's first page."""

EVENT_BLOCKS = (
    Block(kind="text", text="Event: {{ event_title }}\nType of event: {{ event_kind }}\nDates and times: {{ event_when }}"),
    Block(kind="text", text="Location: {{ premises }}"),
)
"""What is proposed, when and where."""

CLAUSE_BLOCKS = (
    Block(kind="text", text="The notice is given under {{ citation }}:"),
    Block(kind="quote", text="“{{ clause }}”"),
)
"""The law's own words."""

COMMON_FIELDS: dict[str, str] = {
    "town": "the town's name",
    "county": "the county in which affidavits are sworn",
    "letterhead": "the town, the clerk's office, its address and phone, a line each",
    "clerk_name": "the clerk's name",
    "clerk_title": "the clerk's title",
    "clerk_office": "the clerk's office",
    "clerk_address": "the office's address, in one line",
    "clerk_phone": "the office's phone",
    "clerk_hours": "the office's hours",
    "signature": "who signs: name and title",
    "date": "the day on which the papers were made",
    "occasion": "why notice is given, in the ordinance's words",
    "hearing": "day, time and place of the hearing, or that none is set",
    "hearing_day": "the day of the hearing",
    "hearing_time": "the time of the hearing",
    "hearing_place": "where the hearing is held",
    "event_title": "the event's title",
    "event_kind": "what kind of event it is",
    "event_when": "the dates and times of the event",
    "event_persons": "how many persons are expected",
    "applicant_name": "the applicant's name",
    "applicant_contact": "how the applicant is reached",
    "premises": "street address and tax map number of each parcel of the premises",
    "premises_numbers": "the tax map numbers of the premises",
    "citation": "the chapter and section that asks for the notice",
    "clause": "the law's own words",
}
"""The fields that every paper can use, each with what it is. They say the same in every letter, so headers and footers may use them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSettings:
    """What the papers need besides the notice itself.

    Parameters
    ----------
    clerk
        The clerk's office.
    signature
        Who signs, where it is not the clerk.
    seal
        A PNG or JPEG for the letterhead of the program's own templates.
    templates
        The town's own templates, by file name.
    stated
        What the application and the options state, by the field of :data:`COMMON_FIELDS`.
    of_packet
        Those of them that no town file states: the record keeps them, for papers that are made later.
    printer
        What makes the PDFs.
    """

    clerk: Clerk = field(default_factory=Clerk)
    signature: str = ""
    seal: bytes | None = None
    templates: Mapping[str, bytes] = field(default_factory=dict)
    stated: Mapping[str, str] = field(default_factory=dict)
    of_packet: Mapping[str, str] = field(default_factory=dict)
    printer: Printer = "built_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPaper:
    """The words of one paper.

    Parameters
    ----------
    name
        The name of its template, without ``.docx``.
    purpose
        What it is for, in a line.
    blocks
        Its words, with fields.
    footer
        The line at the foot of each page.
    each
        The fields that differ from copy to copy, each with what it is.
    needed
        The fields that it must not lack.
    paged
        Whether its pages are numbered although it has fields of its own: it is made in one copy, whose pages belong together.
    """

    name: str
    purpose: str
    blocks: Sequence[Block]
    footer: str = "{{ town }}"
    each: Mapping[str, str] = field(default_factory=dict)
    needed: Collection[str] = ()
    paged: bool = False

    @property
    def file(self) -> str:
        """The file name of its template."""
        return f"{self.name}.docx"


_WORD_PAPERS: dict[str, WordPaper] = {}
"""The words of all papers, by name; the modules of this room fill it as they are imported."""


def word_paper(paper: WordPaper) -> WordPaper:
    """Register the words of a paper, and return it.

    Raises
    ------
    ValueError
        The name is taken.
    """
    if _WORD_PAPERS.setdefault(paper.name, paper) is not paper:
        raise ValueError(f"two papers have the template {paper.file}")
    return paper


def letter_top(addressee: str) -> tuple[Block, ...]:
    """Return the blocks that a letter begins with: letterhead, the field of its addressee in the window, date."""
    return (
        Block(kind="letterhead", text="{{ letterhead }}"),
        Block(kind="address", text=f"{{{{ {addressee} }}}}"),
        Block(kind="date", text="{{ date }}"),
    )


def word_papers() -> tuple[WordPaper, ...]:
    """Return the words of all papers, by name."""
    from geonotice.packet.paper import papers

    papers()  # importing the room registers them
    return tuple(_WORD_PAPERS[name] for name in sorted(_WORD_PAPERS))


def template_bytes(paper: WordPaper, *, seal: bytes | None = None) -> bytes:
    """Return the program's own template of a paper as a Word file."""
    return repack(unpack(_built(paper.name, seal), paper.file))


@lru_cache(maxsize=64)
def _built(name: str, seal: bytes | None) -> bytes:
    paper = _WORD_PAPERS[name]
    return build_word_file(
        paper.blocks, footer=paper.footer, numbered=paper.paged or not paper.each, picture=seal, compressed=False
    )


def own_templates(files: Mapping[str, bytes], *, folder: str) -> None:
    """Check all templates of a town at once.

    Raises
    ------
    InputError
        A template has faults; all of all templates at once.
    UsageError
        A file of the folder is the template of no paper: its words would never be used.
    """
    known = {paper.file: paper for paper in word_papers()}
    together = Together()
    for name, content in sorted(files.items()):
        if name in known:
            with together:
                _read(known[name], content, name=f"{folder}/{name}")
    with together:
        if strange := sorted(set(files) - set(known)):
            raise UsageError(
                Fault(
                    what=f"no paper has the template {', '.join(strange)}",
                    file=folder,
                    why="its words would never be used",
                    remedy=f"give it one of these names, or move it away: {', '.join(sorted(known))}",
                )
            )
    together.settle()


def _read(paper: WordPaper, content: bytes, *, name: str) -> Template:
    known = {*COMMON_FIELDS, *paper.each}
    return read_template(content, name=name, known=known, shared=COMMON_FIELDS, needed=paper.needed)


def fields_text() -> str:
    """Return the list of fields that stands in a folder of templates: all fields, and those of each paper."""
    lines = [
        "Fields that the templates in this folder can use.",
        "",
        "Write a field in double braces, in one go: {{ town }}. Anything else in double braces is refused when a packet is made.",
        "Delete a template to use the program's own words again.",
        "",
        "In every template, in headers and footers too:",
        *(f"  {{{{ {name} }}}}  {words}" for name, words in COMMON_FIELDS.items()),
    ]
    for paper in word_papers():
        lines += ["", f"{paper.file}: {paper.purpose}"]
        lines += [f"  {{{{ {name} }}}}  {words}" for name, words in paper.each.items()]
        if paper.needed:
            lines.append(f"  It must use: {', '.join(f'{{{{ {name} }}}}' for name in paper.needed)}")
    return "\n".join([*lines, ""])


def common_values(notice: Notice, settings: PaperSettings, *, rule: str = "") -> dict[str, str]:
    """Return the value of each common field; empty where it is not known.

    Parameters
    ----------
    notice
        The notice.
    settings
        The clerk's office, and what the application states.
    rule
        The rule whose clause is quoted; where empty, the one that names the first recipient, else the first of the notice.
    """
    named = [rule, *(reason for one in notice.recipients for reason in one.reasons)]
    by_rule = {one.rule: one for one in reversed(notice.clauses)}
    clause = next((by_rule[one] for one in named if one in by_rule), notice.clauses[0] if notice.clauses else None)
    values = office_values(notice.town, settings, on=notice.on) | {
        "occasion": notice.occasion,
        "hearing_day": in_words(notice.hearing) if notice.hearing else "",
        "event_when": in_words(notice.event) if notice.event else "",
        "premises": place_words(premises_with_situs(notice)),
        "premises_numbers": ", ".join(notice.premises),
        "citation": clause.citation if clause else "",
        "clause": clause.words if clause else "",
    }
    values = dict.fromkeys(COMMON_FIELDS, "") | values | {name: text for name, text in settings.stated.items() if text}
    if values["hearing_day"]:
        at = (values["hearing_day"], values["hearing_time"], values["hearing_place"])
        return values | {"hearing": ", ".join(part for part in at if part)}
    return values | {"hearing": "none is set on the day of this letter"}


def office_values(town: str, settings: PaperSettings, *, on: date) -> dict[str, str]:
    """Return the values that every paper of the town has: its office, who signs, the day."""
    clerk = settings.clerk
    return {
        "town": town,
        "letterhead": "\n".join(part for part in (town, clerk.office, *clerk.address, clerk.phone) if part),
        "clerk_name": clerk.name,
        "clerk_title": clerk.title or "Town Clerk",
        "clerk_office": clerk.office,
        "clerk_address": ", ".join(clerk.address),
        "clerk_phone": clerk.phone,
        "clerk_hours": clerk.hours,
        "signature": settings.signature or ", ".join(part for part in (clerk.name, clerk.title) if part),
        "date": calendar_day(on),
    }


def place_words(places: Sequence[tuple[str, str]]) -> str:
    """Return tax map numbers with their addresses, which are empty where none is known, in a sentence."""
    return "; ".join(f"{situs} (tax map number {number})" if situs else f"tax map number {number}" for number, situs in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A paper that was filled.

    Parameters
    ----------
    content
        Its Word file.
    copies
        The copies that are all there is in it; None where something was added behind them.
    open_fields
        The fields that stand open in it as lines to be filled in by hand.
    printer
        What makes its PDF.
    own_type
        Whether it is set in the program's own type alone, which has all its letters.
    """

    content: bytes
    copies: Copies | None
    open_fields: tuple[str, ...]
    printer: Printer = "built_in"
    own_type: bool = False


def fill_paper(
    paper: WordPaper, settings: PaperSettings, *, shared: Mapping[str, str], each: Sequence[Mapping[str, str]] = ({},)
) -> Filled:
    """Fill a paper, one copy for each set of values.

    Raises
    ------
    TemplateError
        The town's own template has faults.
    """
    content = settings.templates.get(paper.file)
    template = _read(paper, content if content is not None else _built(paper.name, settings.seal), name=paper.file)
    blank = tuple(name for name in COMMON_FIELDS if name in template.fields and not shared.get(name, "").strip())
    values = {**shared, **dict.fromkeys(blank, BLANK)}
    letters = set().union(*values.values(), *(text for one in each for text in one.values()))
    copies = fill_template(template, each, shared=values)
    return Filled(
        content=copies.word_file(),
        copies=copies,
        open_fields=blank,
        printer=settings.printer,
        own_type=content is None and not unprintable("".join(sorted(letters))),
    )


def print_paper(filled: Filled, *, name: str, printed: Filled | None = None) -> tuple[dict[str, bytes], str]:
    """Return a filled paper as a Word file and a PDF, by file name; where words would be lost, no PDF but a sentence that names them.

    ``printed`` is what the PDF is made of, where that is fewer copies than the Word file has.
    """
    files = {f"{name}.docx": filled.content}
    one = printed or filled
    try:
        pdf = print_word_file(
            one.content if one.copies is None else one.copies, name=name, printer=one.printer, own_type=one.own_type
        )
    except OutputError as error:
        return files, (
            f"{name}.pdf was not made: {' '.join(fault.what for fault in error.faults)}. Open {name}.docx in Word and print it from there."
        )
    return files | {f"{name}.pdf": pdf}, ""


_TOWN_KEYS = {
    "clerk_name": "[clerk] name", "clerk_office": "[clerk] office", "clerk_address": "[clerk] address", "clerk_phone": "[clerk] phone",
    "clerk_hours": "[clerk] hours", "signature": "[papers] signature", "hearing_time": "[papers] hearing_time",
    "hearing_place": "[papers] hearing_place", "letterhead": "[clerk]",
}  # fmt: skip
"""The key of the town file that gives a field, where it is one."""


def open_fields_note(open_fields: Mapping[str, Collection[str]]) -> str:
    """Return the sentence that names what stands open in the papers, by file; empty where nothing does."""
    files = {name: sorted(fields) for name, fields in open_fields.items() if fields}
    missing = sorted({one for fields in files.values() for one in fields}, key=list(COMMON_FIELDS).index)
    if not missing:
        return ""
    keys = ", ".join(dict.fromkeys(_TOWN_KEYS[one] for one in missing if one in _TOWN_KEYS))
    places = ["the event file, or in what is typed of the event"] if any(one not in _TOWN_KEYS for one in missing) else []
    places += [f"the town file ({keys})"] if keys else []
    return (
        f"{', '.join(sorted(files))}: not known and left as a line to be filled in: {'; '.join(COMMON_FIELDS[one] for one in missing)}. "
        f"State it in {' or '.join(places)}, or write it in by hand before mailing."
    )
