"""The text that is published in the newspaper and posted on the town's board: one source of words, as a Word file and as plain text."""

from geonotice.io.word_files import words_of_word_file
from geonotice.io.word_pages import Block
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.sentences import count
from geonotice.packet.word_papers import WordPaper, common_values, fill_paper, word_paper

__all__ = ["notice_text", "text_words"]

_FOOT = "{{ town }}: text for publication and posting"
_DATED = Block(kind="text", text="Dated: {{ date }}. {{ signature }}, {{ town }}.")
_EVENT = tuple(
    Block(kind="text", text=text)
    for text in (
        "Event: {{ event_title }}. Type of event: {{ event_kind }}.",
        "Dates and times: {{ event_when }}.",
        "Location: {{ premises }}.",
    )
)

# LAW: Italy C: the notice that is published and posted states the location, dates, times and type of event, and that the application may be reviewed
# by the public at the Town Clerk's office during regular business hours.
HEARING = word_paper(
    WordPaper(
        name="text-hearing",
        purpose="the text on a public hearing, for the newspaper and the town's board",
        needed=("hearing_day", "premises"),
        footer=_FOOT,
        blocks=(
            Block(kind="heading", text="NOTICE OF PUBLIC HEARING"),
            Block(
                kind="text",
                text="PLEASE TAKE NOTICE that {{ town }} will hold a public hearing on {{ hearing_day }} at {{ hearing_time }}, at {{ hearing_place }}, on"
                " the application of {{ applicant_name }} for a permit.",
            ),
            *_EVENT,
            Block(
                kind="text",
                text="The application may be reviewed by the public at the Town Clerk's office, {{ clerk_address }}, during regular business hours"
                " ({{ clerk_hours }}).",
            ),
            _DATED,
        ),
    )
)

# LAW: Southampton 283-9: the Commission gives notice of the time and place of the hearing in the official newspaper.
APPEAL = word_paper(
    WordPaper(
        name="text-appeal",
        purpose="the text on the hearing of an appeal, for the newspaper",
        needed=("hearing_day", "premises"),
        footer=_FOOT,
        blocks=(
            Block(kind="heading", text="NOTICE OF HEARING ON AN APPEAL"),
            Block(
                kind="text",
                text="PLEASE TAKE NOTICE that the appeal of {{ applicant_name }} from the denial of a permit by {{ town }} will be heard on"
                " {{ hearing_day }} at {{ hearing_time }}, at {{ hearing_place }}.",
            ),
            *_EVENT,
            _DATED,
        ),
    )
)

OTHER = word_paper(
    WordPaper(
        name="text-notice",
        purpose="the text on any other occasion that a town's ordinance has published or posted",
        needed=("premises",),
        footer=_FOOT,
        blocks=(
            Block(kind="heading", text="PUBLIC NOTICE"),
            Block(
                kind="text", text="PLEASE TAKE NOTICE of {{ occasion }}. Hearing: {{ hearing }}. Applicant: {{ applicant_name }}."
            ),
            *_EVENT,
            _DATED,
        ),
    )
)

_BY_OCCASION = {"hearing": HEARING, "appeal": APPEAL}


def text_words(occasion: str) -> WordPaper:
    """Return the words on an occasion; the general ones where a town's ordinance calls it by another name."""
    return _BY_OCCASION.get(occasion, OTHER)


def notice_text(context: PacketContext) -> tuple[bytes, str, tuple[str, ...]]:
    """Return the text as a Word file and as plain text, a paragraph a line, and the fields that stand open in it."""
    notice, duties = context.notice, context.duties
    shared = common_values(notice, context.settings, rule=duties.published.rule if duties.published else "")
    # Run in: a newspaper sets paragraphs, not lines, and takes "p.m.." as a misprint.
    shared = {name: "; ".join(text.splitlines()).rstrip(".") if name == "event_when" else text for name, text in shared.items()}
    filled = fill_paper(text_words(notice.occasion), context.settings, shared=shared)
    text = "\n\n".join(words_of_word_file(filled.content)) + "\n"
    return filled.content, text, filled.open_fields


def _prepare(context: PacketContext) -> PacketContext:
    if "notice-text" in context.printed or context.duties.published is None:
        return context
    content, text, blank = notice_text(context)
    # A newspaper's editor opens a text in any program: the mark at its beginning says that it is UTF-8.
    files = {"notice-text.docx": content, "notice-text.txt": ("\ufeff" + text.replace("\n", "\r\n")).encode()}
    return context.with_made("notice-text", files, open_fields={"notice-text.docx": blank})


def _step(context: PacketContext) -> str:
    text = _prepare(context).printed["notice-text"]["notice-text.txt"].decode("utf-8-sig")
    given = context.duties.given or ("published",)
    acts = []
    if "published" in given:
        acts.append(f"send notice-text.txt to the official newspaper ({count(len(text.split()), 'word')}, for the price)")
    if "posted" in given:
        acts.append("put the text on the town's board")
    said = ", and ".join(acts)
    return f"Read notice-text.docx, then {said}." if said else ""


@paper(
    "notice-text.*",
    purpose="The text for the newspaper and the town's board: to change in Word, and as plain text.",
    place=43,
    when=lambda context: context.duties.published is not None,
    prepare=_prepare,
    before_mailing=_step,
)
def _text_paper(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare(context).printed["notice-text"])
