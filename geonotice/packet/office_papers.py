"""The papers of the permit office: the permit, its amendment, its rescission, the denial of an application. Each is a Word file and the PDF made of it."""

from collections.abc import Mapping, Sequence

from geonotice.io.word_pages import Block
from geonotice.ordinance.profile import OfficePaper, Profile
from geonotice.packet.word_papers import (
    EVENT_BLOCKS,
    PaperSettings,
    WordPaper,
    fill_paper,
    letter_top,
    open_fields_note,
    print_paper,
    word_paper,
)

__all__ = ["law_lines", "office_paper", "papers_of_office"]

_ABOUT = {
    "permit_number": "the permit's number",
    "issued": "the day on which the permit was issued",
    "maximum_attendance": "the most persons that the permit allows",
    "conditions": "the conditions of the permit, a line each",
    "law": "what the ordinance says of this paper: the text of each rule that the profile prints on it, with its section",
    "log": "the hash of the permit's row in the log",
}
_TOP = letter_top("applicant_name")
_LAW = Block(kind="small", text="{{ law }}")
_SIGNED = Block(kind="sign", text="{{ signature }}")

# LAW: Southampton 283-4: the permit states the maximum number of persons, and the conditions; it names who may hold what, where and when.
PERMIT = word_paper(
    WordPaper(
        name="permit",
        purpose="the permit, to be kept where the event is held",
        each={
            **_ABOUT,
            "override": "by whose decision it was issued although something stood against it; empty where nothing did",
            "was": "that it was amended, and that this is the permit as amended; empty where it was not",
        },
        needed=("permit_number", "premises", "maximum_attendance", "conditions"),
        footer="{{ town }}: permit for {{ event_title }}",
        blocks=(
            *_TOP,
            Block(kind="heading", text="PERMIT NO. {{ permit_number }}"),
            Block(
                kind="text",
                text="{{ town }} permits {{ applicant_name }} to hold the event described here. Issued on {{ issued }}.",
            ),
            *EVENT_BLOCKS,
            Block(kind="text", text="Maximum number of persons: {{ maximum_attendance }}"),
            Block(kind="text", text="Conditions: {{ conditions }}"),
            Block(kind="text", text="{{ was }}"),
            Block(kind="text", text="{{ override }}"),
            _LAW,
            _SIGNED,
            Block(kind="small", text="Log of the register: {{ log }}"),
        ),
    )
)

AMENDMENT = word_paper(
    WordPaper(
        name="permit-amendment",
        purpose="the amendment of a permit, with what was and what is",
        each={
            **_ABOUT,
            "changes": "what was and what is, a line for each change",
            "reason": "why it was amended",
            "amended": "the day of the amendment",
        },
        needed=("permit_number", "changes"),
        footer="{{ town }}: amendment of the permit for {{ event_title }}",
        blocks=(
            *_TOP,
            Block(kind="heading", text="AMENDMENT OF PERMIT NO. {{ permit_number }}"),
            Block(
                kind="text",
                text="The permit issued to {{ applicant_name }} on {{ issued }} was amended on {{ amended }}. It keeps its number; everything that is not named here stays as it was.",
            ),
            Block(kind="text", text="{{ changes }}"),
            Block(kind="text", text="Reason: {{ reason }}"),
            Block(kind="text", text="The event as amended:"),
            *EVENT_BLOCKS,
            Block(kind="text", text="Maximum number of persons: {{ maximum_attendance }}\nConditions: {{ conditions }}"),
            _LAW,
            _SIGNED,
            Block(kind="small", text="Log of the register: {{ log }}"),
        ),
    )
)

RESCISSION = word_paper(
    WordPaper(
        name="permit-rescission",
        purpose="the rescission of a permit, with the reason and the days of the appeal",
        each={**_ABOUT, "reason": "why it was rescinded", "rescinded": "the day of the rescission"},
        needed=("permit_number", "reason", "law"),
        footer="{{ town }}: rescission of the permit for {{ event_title }}",
        blocks=(
            *_TOP,
            Block(kind="heading", text="RESCISSION OF PERMIT NO. {{ permit_number }}"),
            Block(
                kind="text",
                text="The permit issued to {{ applicant_name }} on {{ issued }} was rescinded on {{ rescinded }}. The event may not be held under it.",
            ),
            *EVENT_BLOCKS,
            Block(kind="text", text="Reason: {{ reason }}"),
            _LAW,
            _SIGNED,
            Block(kind="small", text="Log of the register: {{ log }}"),
        ),
    )
)

# LAW: Southampton 283-9: a denial is in writing, with the reasons; the applicant may appeal within days that run from its receipt.
DENIAL = word_paper(
    WordPaper(
        name="application-denial",
        purpose="the denial of an application, with the reasons and the days of the appeal",
        each={
            "application_number": "the application's number",
            "received": "the day on which the application was filed",
            "reasons": "the reasons, a line each",
            "law": _ABOUT["law"],
            "appeal": "how the days of the appeal are counted",
        },
        needed=("application_number", "reasons", "law"),
        footer="{{ town }}: denial of an application for {{ event_title }}",
        blocks=(
            *_TOP,
            Block(kind="heading", text="DENIAL OF APPLICATION NO. {{ application_number }}"),
            Block(
                kind="text",
                text="The application of {{ applicant_name }} for a permit, filed on {{ received }}, is denied.",
            ),
            *EVENT_BLOCKS,
            Block(kind="text", text="Reasons:\n{{ reasons }}"),
            Block(kind="text", text="{{ appeal }}"),
            _LAW,
            _SIGNED,
        ),
    )
)

_PAPERS: dict[OfficePaper, WordPaper] = {"permit": PERMIT, "amendment": AMENDMENT, "rescission": RESCISSION, "denial": DENIAL}


def papers_of_office() -> tuple[OfficePaper, ...]:
    """Return the papers that there are."""
    return tuple(_PAPERS)


def law_lines(profile: Profile, paper: OfficePaper) -> str:
    """Return what the ordinance says of a paper: the text of each rule that the profile prints on it, with its section."""
    return "\n".join(f"{rule.text} ({rule.citation.place})" for rule in profile.rules if paper in rule.printed_on and rule.text)


def office_paper(
    paper: OfficePaper, settings: PaperSettings, *, name: str, shared: Mapping[str, str], values: Mapping[str, str]
) -> tuple[dict[str, bytes], Sequence[str]]:
    """Return a paper as a Word file and as a PDF, by file name, and what is to be said of it: fields that stand open, or words that a PDF would lose.

    Raises
    ------
    TemplateError
        The town's own template has faults.
    """
    filled = fill_paper(_PAPERS[paper], settings, shared=shared, each=[values])
    files, note = print_paper(filled, name=name)
    notes = (open_fields_note({f"{name}.docx": filled.open_fields}), note)
    return files, tuple(one for one in notes if one)
