"""Affidavits of mailing, posting and publication: blank in the packet, filled from the ledger of the mail; sworn before a notary.

The forms are New York's. The list and the receipts are annexed to the affidavit of mailing in the order of the list.

What the words rest on, read in stored copies of public pages, none of it on the live web:

- CPLR 2103(f)(1), for the mailing (nysenate.gov, CVP/2103, published 2015-12-25; counselpress.com on the change of 2016-01-01): first class postpaid wrapper, a
  post office or official depository under the exclusive care and custody of the Postal Service, within the United States (before 2016: within the State). CPLR 2103(a): eighteen years or
  over. Both are about papers of an action; a town's notice is none, and the ordinances state no form of their own. That the mailer be no party is not taken over: in Southampton the
  applicant mails (283-9).
- Executive Law 137, for the notary's lines (nysenate.gov, EXC/137): name, "Notary Public State of New York", county of qualification, end of the commission. A
  registration number is customary and not in that section.
- CPLR 2106 (nysenate.gov, CVP/2106, published 2024-12-27; newyork.public.law, as amended 2025-11-28): since January 1, 2024 anybody's affirmation may stand for an affidavit in an
  action, in the rule's own words. The ordinances ask for an affidavit before a board, so these stay sworn; whether a board takes an affirmation is for the town's attorney.
- "Being duly sworn, deposes and says" and the venue's "ss.:" are customary, and were not looked up.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import date

from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.io.word_pages import Block, append_blocks
from geonotice.model import Notice, Sign
from geonotice.packet.notice_list import list_sha256
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_text import unprintable
from geonotice.packet.sentences import count
from geonotice.packet.word_papers import (
    BLANK,
    PaperSettings,
    WordPaper,
    common_values,
    fill_paper,
    print_paper,
    word_paper,
)
from geonotice.recipients import reachable
from geonotice.register.pieces_and_article_numbers import MailPiece, grouped

__all__ = ["KINDS", "mailing_values", "make_affidavit", "posting_values", "publication_values"]

_EACH = {"deponent": "who swears it"}
_HEAD = (
    Block(kind="text", text="STATE OF NEW YORK\nCOUNTY OF {{ county }}, ss.:"),
    Block(
        kind="text",
        text="In the matter of {{ occasion }}\nPremises: {{ premises }}\nHearing: {{ hearing }}\n{{ town }}",
    ),
    Block(kind="text", text="{{ deponent }}, being duly sworn, deposes and says:"),
)
_SWORN = (
    Block(kind="sign", text="{{ deponent }}"),
    Block(kind="text", text="Sworn to before me this ______ day of ____________________, 20____"),
    Block(
        kind="sign",
        text="Name ____________________   Notary Public State of New York\nRegistration No. ______________   Qualified in ______________ County\nMy commission expires ______________",
    ),
)

# LAW: Southampton 283-9: the affidavit of mailing is submitted with the postal receipts. CPLR 2103(f)(1): the words for a mailing.
MAILING = word_paper(
    WordPaper(
        name="affidavit-mailing",
        purpose="the affidavit of mailing, with the list and the receipts",
        each={
            **_EACH,
            "mailed_on": "the day or days of mailing",
            "pieces": "how many letters were mailed",
            "mail_classes": "how they were mailed",
            "list_hash": "which list it is: its file with its SHA-256",
            "receipts": "what is annexed of receipts",
        },
        needed=("premises", "mailed_on", "list_hash"),
        paged=True,
        footer="Affidavit of mailing: {{ town }}, {{ premises_numbers }}",
        blocks=(
            Block(kind="heading", text="AFFIDAVIT OF MAILING"),
            *_HEAD,
            Block(kind="text", text="1. I am of the age of eighteen years or over."),
            Block(
                kind="text",
                text="2. On {{ mailed_on }} I mailed the notice, a copy of which is annexed, to each person named on the annexed list: {{ pieces }},"
                " {{ mail_classes }}. Each was enclosed in a first class postpaid wrapper, addressed as the list states, and deposited in a post office or"
                " official depository under the exclusive care and custody of the United States Postal Service within the United States.",
            ),
            Block(
                kind="text",
                text="3. The annexed list states of each letter its number on the notice list, the name and the address to which it was mailed, its"
                " article number and its dates. {{ receipts }}",
            ),
            Block(
                kind="text",
                text="4. The list is that of the notice packet: {{ list_hash }}.",
            ),
            *_SWORN,
        ),
    )
)

# LAW: Southampton 283-9: a sign facing each public street, for at least ten days before the hearing; Italy C: published and posted.
POSTING = word_paper(
    WordPaper(
        name="affidavit-posting",
        purpose="the affidavit of posting: each sign, its street, its days",
        each={
            **_EACH,
            "posted_on": "the day of posting",
            "signs": "each sign with its street and days",
            "days_posted": "the days before the hearing",
        },
        needed=("premises", "signs"),
        paged=True,
        footer="Affidavit of posting: {{ town }}, {{ premises_numbers }}",
        blocks=(
            Block(kind="heading", text="AFFIDAVIT OF POSTING"),
            *_HEAD,
            Block(kind="text", text="1. I am of the age of eighteen years or over."),
            Block(
                kind="text",
                text="2. On {{ posted_on }} I posted the notice, a copy of which is annexed, at each of these places:",
            ),
            Block(kind="text", text="{{ signs }}"),
            Block(
                kind="text",
                text="3. Each could be read from the street that it faces. I looked at each again on ____________________, and it was still in place."
                " {{ days_posted }} Photographs are annexed.",
            ),
            *_SWORN,
        ),
    )
)

PUBLICATION = word_paper(
    WordPaper(
        name="affidavit-publication",
        purpose="the affidavit of publication in the newspaper",
        each={
            **_EACH,
            "newspaper": "the newspaper",
            "published_on": "the day or days of publication",
            "days_published": "the days before the hearing",
        },
        needed=("premises", "newspaper", "published_on"),
        paged=True,
        footer="Affidavit of publication: {{ town }}, {{ premises_numbers }}",
        blocks=(
            Block(kind="heading", text="AFFIDAVIT OF PUBLICATION"),
            *_HEAD,
            Block(
                kind="text",
                text="1. I am of the age of eighteen years or over, and I am ____________________ of the newspaper named below.",
            ),
            Block(
                kind="text",
                text="2. The notice, of which a printed copy is annexed, was published in {{ newspaper }}, a newspaper published and circulated in the"
                " County of {{ county }}, State of New York, on {{ published_on }}. {{ days_published }}",
            ),
            *_SWORN,
        ),
    )
)

KINDS: dict[str, WordPaper] = {"mailing": MAILING, "posting": POSTING, "publication": PUBLICATION}
"""The affidavits, by what is sworn."""

_CLASSES = {"certified": "certified mail", "first_class": "first-class mail"}
_WIDTHS_IN = (0.45, 1.35, 1.45, 1.95, 1.5)
_HEADINGS = ("No.", "Name", "Address as mailed", "Article number", "Dates")


def _listed_days(days: Sequence[date]) -> str:
    return " and ".join(in_words(day) for day in sorted(set(days)))


def _classes(mails: Sequence[str]) -> str:
    counts = {mail: mails.count(mail) for mail in _CLASSES if mail in mails}
    if len(counts) == 1:
        return f"by {_CLASSES[next(iter(counts))]}"
    return " and ".join(f"{number} by {_CLASSES[mail]}" for mail, number in counts.items())


def list_words(sha256: str, *, file: str = "notice-list.csv, without article numbers") -> str:
    """Return which list an affidavit is about."""
    return f"{file}, SHA-256 {sha256}"


def mailing_values(pieces: Sequence[MailPiece], *, list_hash: str, deponent: str = "") -> dict[str, str]:
    """Return what the affidavit of mailing states of the letters."""
    receipts = [piece for piece in pieces if piece.receipt]
    kept = f" {count(len(receipts), 'receipt')} kept as a file: their SHA-256 stands below the list." if receipts else ""
    return {
        "deponent": deponent or BLANK,
        "mailed_on": _listed_days([day for piece in pieces if (day := piece.mailed or piece.stamped)]) or BLANK,
        "pieces": count(len(pieces), "letter"),
        "mail_classes": _classes([piece.mail for piece in pieces]) or BLANK,
        "list_hash": list_hash,
        "receipts": f"The post office's receipts are annexed in the order of the list.{kept}",
    }


def posting_values(
    signs: Sequence[Sign], *, posted: date | None = None, hearing: date | None = None, deponent: str = ""
) -> dict[str, str]:
    """Return what the affidavit of posting states: each sign and its street; lines to fill in where no street is known."""
    until = f", until the hearing on {calendar_day(hearing)}" if hearing else ""
    days = f"posted {calendar_day(posted)}{until}" if posted else f"posted ____________________{until}"
    lines = [
        f"Sign {place}: facing {sign.street or BLANK}{f' ({sign.jurisdiction})' if sign.jurisdiction else ''}, along which the premises run"
        f" {sign.frontage_ft:,.0f} ft; {days}"
        for place, sign in enumerate(signs, 1)
    ]
    return {
        "deponent": deponent or BLANK,
        "posted_on": in_words(posted) if posted else BLANK,
        "signs": "\n".join(lines or [f"Place {place}: {BLANK}{BLANK}; {days}" for place in (1, 2, 3)]),
        "days_posted": _days_before(posted, hearing),
    }


def publication_values(
    *, newspaper: str = "", published: Sequence[date] = (), hearing: date | None = None, deponent: str = ""
) -> dict[str, str]:
    """Return what the affidavit of publication states."""
    return {
        "deponent": deponent or BLANK,
        "newspaper": newspaper or BLANK,
        "published_on": _listed_days(published) or BLANK,
        "days_published": _days_before(min(published, default=None), hearing),
    }


def _days_before(day: date | None, hearing: date | None) -> str:
    """Return how many days lie before the hearing, as General Construction Law 20 counts them: one of both days is left out."""
    if hearing is None:
        return ""
    if day is None:
        return f"The hearing is on {in_words(hearing)}."
    return f"That is {count((hearing - day).days, 'day')} before the hearing on {in_words(hearing)}."


def annex_rows(pieces: Sequence[MailPiece]) -> list[tuple[str, ...]]:
    """Return the annexed list: a heading and a row for each letter, in the order of the list."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for piece in pieces:
        days = [
            f"{name} {day.isoformat()}"
            for name in ("mailed", "stamped", "delivered", "refused", "unclaimed", "undeliverable")
            if (day := getattr(piece, name))
        ]
        number = str(piece.number) if piece.letter == 1 else f"{piece.number}.{piece.letter}"
        rows.append((number, piece.name, piece.address, grouped(piece.article_number), "\n".join(days)))
    return rows


def _below_annex(pieces: Sequence[MailPiece]) -> list[Block]:
    """Return what stands below the list: which letters are second ones, and the receipts that are kept as files."""
    said = [
        f"No. {piece.number}.{piece.letter} is letter {piece.letter} to No. {piece.number}, to a corrected address."
        for piece in pieces
        if piece.letter > 1
    ]
    said += [f"{piece.label}: receipt {piece.receipt}, SHA-256 {piece.receipt_sha256}" for piece in pieces if piece.receipt]
    return [Block(kind="small", text="\n".join(said))] if said else []


def make_affidavit(
    kind: str,
    notice: Notice,
    settings: PaperSettings,
    values: Mapping[str, str],
    *,
    pieces: Sequence[MailPiece] = (),
) -> tuple[dict[str, bytes], str]:
    """Make an affidavit as a Word file and a PDF, by file name, with a sentence about what could not be printed.

    Parameters
    ----------
    kind
        One of :data:`KINDS`.
    notice
        What it is about.
    settings
        The town's own template, and what is stated.
    values
        What it states, by field.
    pieces
        The letters of the annexed list; none is annexed where there are none.

    Raises
    ------
    TemplateError
        The town's own template has faults.
    """
    words = KINDS[kind]
    filled = fill_paper(words, settings, shared=common_values(notice, settings), each=[values])
    rows = annex_rows(pieces)
    if pieces:
        annex = (
            Block(kind="page"),
            Block(kind="heading", text="ANNEX: THE LIST, WITH THE RECEIPTS IN ITS ORDER"),
            Block(kind="table", rows=rows, widths_in=_WIDTHS_IN),
            *_below_annex(pieces),
        )
        content = append_blocks(filled.content, annex, name=words.file)
        filled = dataclasses.replace(filled, content=content, copies=None)
    by_hand = [row[0] for row in rows if unprintable("\n".join(row))]
    if by_hand:
        note = f"{words.name}.pdf was not made: the names of No. {', '.join(by_hand)} have letters that its type lacks. Print {words.file} from Word."
        return {words.file: filled.content}, note
    return print_paper(filled, name=words.name)


def _blank_forms(context: PacketContext) -> dict[str, dict[str, str]]:
    """Return what the forms state that a notice needs, by what is sworn: of mailing where letters go out, of posting and publication where the law asks for it."""
    notice, duties = context.notice, context.duties
    mailed = reachable(notice.recipients)
    forms: dict[str, dict[str, str]] = {}
    if mailed:
        forms["mailing"] = mailing_values((), list_hash=list_words(list_sha256(notice))) | {
            "pieces": count(len(mailed), "letter"),
            "mail_classes": _classes([one.mail for one in mailed]),
        }
    if duties.signs or notice.signs or "posted" in duties.given:
        forms["posting"] = posting_values(notice.signs, hearing=notice.hearing)
    if "published" in duties.given:
        forms["publication"] = publication_values(hearing=notice.hearing)
    return forms


def _wanted(context: PacketContext) -> bool:
    return context.letters and bool(_blank_forms(context))


def _prepare(context: PacketContext) -> PacketContext:
    """Make the forms first, since what cannot be printed is named on the first page."""
    if "affidavits" in context.printed or not _wanted(context):
        return context
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for kind, values in _blank_forms(context).items():
        made, note = make_affidavit(kind, context.notice, context.settings, values)
        files |= made
        notes.append(note)
    return context.with_made("affidavits", files, notes=notes)


def _step(context: PacketContext) -> str:
    named = ", ".join(f"--kind {kind}" for kind in _blank_forms(context))
    return (
        f"Record what was mailed (geonotice mail record or import), then have the affidavits filled in (geonotice mail affidavit TOWN PACKET, with {named}) and swear them"
        " before a notary. geonotice mail status shows what must happen next."
    )


@paper(
    "affidavit-*",
    purpose="Affidavits to be sworn: of mailing, of posting, of publication; blank. They are filled in from the mail once the letters are out.",
    place=95,
    when=_wanted,
    prepare=_prepare,
    after_mailing=_step,
)
def _affidavit_papers(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare(context).printed["affidavits"])
