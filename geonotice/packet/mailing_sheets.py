"""What goes to the post office with the pieces: the firm sheet for certified mail, and certificates of mailing for first class.

The sheets follow PS Form 3877 and PS Form 3665: facsimiles, which a postmaster has to approve in writing, without the columns that a notice does not use
(Domestic Mail Manual 503).
"""

from collections.abc import Sequence

from msgspec import Struct

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.model import Recipient
from geonotice.packet.addresses_and_mailing_order import address_lines, asks_receipt, by_hand_note, mailed, sender_lines
from geonotice.packet.notice_list import csv_bytes
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_pages import Column, Pages, Row, set_row
from geonotice.packet.pdf_text import LEADING, wrapped
from geonotice.packet.sentences import count

__all__ = ["SERVICE_COLUMNS", "certificates_pdf", "mailing_sheet_csv", "mailing_sheet_pdf", "service_csv"]

_TYPE_PT = 8.0
_LINES = 8
"""Pieces on a sheet, as the form has them."""
_LINE_PT = 50.0

_APPROVAL = (
    "This sheet is a facsimile. The post office takes it only with the written approval of the postmaster or the business mail entry office; keep the"
    " original of that approval. Without it, copy the lines onto the form itself."
)
_STAMP = (
    "Have every sheet round-stamped at the counter. Since December 2025 a machine postmark shows the day of first processing (Domestic Mail Manual"
    " 608.11), which can be later than the day on which you handed the pieces in."
)


class _Form(Struct, frozen=True):
    """What tells one sheet from the other."""

    title: str
    form: str
    kind: str
    columns: tuple[Column, ...]


_CERTIFIED = _Form(
    "Firm mailing sheet for certified mail",
    "after PS Form 3877",
    "Certified Mail",
    (
        Column("List No.", 32, right=True),
        Column("USPS article number", 128),
        Column("Addressee (name, street, city, State, ZIP code)", 222),
        Column("Postage", 46),
        Column("Certified fee", 50),
        Column("Return receipt fee", 54),
    ),
)
_FIRST_CLASS = _Form(
    "Certificate of mailing, firm sheet",
    "after PS Form 3665",
    "First-Class Mail, certificate of mailing",
    (
        Column("List No.", 32, right=True),
        Column("Addressee (name, street, city, State, ZIP code)", 330),
        Column("Postage", 56),
        Column("Fee", 56),
        Column("Remarks", 58),
    ),
)


def mailing_sheet_pdf(context: PacketContext) -> bytes:
    """Set the sheet for the certified pieces, in the order in which they are printed."""
    pieces = mailed(context, mail="certified")
    numbers = context.article_numbers
    rows = [
        (
            str(one.number),
            numbers.get(one.number, ""),
            _addressee(one),
            "",
            "",
            "" if asks_receipt(context, one) else "none asked",
        )
        for one in pieces
    ]
    return _sheet(context, _CERTIFIED, pieces, rows)


def certificates_pdf(context: PacketContext) -> bytes:
    """Set the certificates of mailing for the first-class pieces."""
    pieces = mailed(context, mail="first_class")
    return _sheet(context, _FIRST_CLASS, pieces, [(str(one.number), _addressee(one), "", "", "") for one in pieces])


def _addressee(recipient: Recipient) -> str:
    return "\n".join(address_lines(recipient))


def _sheet(context: PacketContext, form: _Form, pieces: Sequence[Recipient], rows: Sequence[tuple[str, ...]]) -> bytes:
    pages = Pages(margin_pt=40, foot_pt=128)
    sender = [line for text in sender_lines(context) for line in wrapped(text, width_pt=220, size_pt=_SENDER_PT)]
    groups = _grouped(_room_pt(pages, sender), [set_row(form.columns, row, size_pt=_TYPE_PT, least_pt=_LINE_PT) for row in rows])
    done = 0
    for n, group in enumerate(groups):
        if n:
            pages.new_page()
        _head(pages, form, sender)
        pages.table(form.columns, group, size_pt=_TYPE_PT, head_pt=6.5)
        if len(group) < _LINES and pages.bottom_pt - pages.y > _LINE_PT / 2:
            # Space for addressees that is not used is struck, so that nobody can add a piece after the stamp.
            pages.line(pages.left_pt, pages.y + 6, pages.right_pt, pages.bottom_pt - 4)
        _foot(pages, form, first=done + 1, last=done + len(group), of=len(rows))
        done += len(group)
    note = by_hand_note(pieces, "these sheets")
    if note:
        pages.y = pages.bottom_pt + 100
        pages.foot_pt = 0
        pages.words(note, 7)
    return pages.save(
        title=f"{form.title}: {context.notice.town}",
        subject=f"Facsimile {form.form}",
        foot=f"Facsimile {form.form} · list of {calendar_day(context.notice.on)} · {context.notice.town} · {', '.join(context.notice.premises)}",
    )


_HEAD_PT = 84.0
"""More than title, approval and the table's own head take."""
_SENDER_PT, _SENDER_BOX_PT = 8.5, 84.0


def _box_pt(sender: Sequence[str]) -> float:
    """Return how high the boxes at the head are: as the sender's lines need it."""
    return max(_SENDER_BOX_PT, 18 + len(sender) * _SENDER_PT * LEADING)


def _room_pt(pages: Pages, sender: Sequence[str]) -> float:
    """Return what a page has left for the lines."""
    return pages.bottom_pt - pages.margin_pt - _HEAD_PT - _box_pt(sender)


def _grouped(room_pt: float, rows: Sequence[Row]) -> list[list[Row]]:
    """Put the lines on sheets: eight on each, fewer where addresses are long."""
    groups: list[list[Row]] = [[]]
    used = 0.0
    for row in rows:
        height = row.height_pt(_TYPE_PT)
        if groups[-1] and (len(groups[-1]) == _LINES or used + height > room_pt):
            groups.append([])
            used = 0.0
        groups[-1].append(row)
        used += height
    return groups


def _head(pages: Pages, form: _Form, sender: Sequence[str]) -> None:
    left, right, top = pages.left_pt, pages.right_pt, pages.margin_pt
    pages.y = top
    pages.words(f"{form.title} (facsimile {form.form})", 13, after=2)
    pages.words(_APPROVAL, 7, after=6)
    y, height = pages.y, _box_pt(sender)
    pages.box(left, y, 232, height)
    pages.text(left + 4, y + 9, "Name and address of sender", 6.5)
    pages.y = y + 12
    pages.words("\n".join(sender), _SENDER_PT, x=left + 6, width=224, after=0)
    pages.box(left + 232, y, 120, height)
    pages.text(left + 236, y + 9, "Type of mail", 6.5)
    pages.y = y + 14
    pages.words(f"\u2612 {form.kind}", 8.5, x=left + 238, width=110, after=0)
    pages.box(left + 352, y, right - left - 352, height)
    pages.text(left + 356, y + 9, "Round stamp of the post office, with the date", 6.5)
    pages.y = y + height + 6


def _foot(pages: Pages, form: _Form, *, first: int, last: int, of: int) -> None:
    left, right = pages.left_pt, pages.right_pt
    y = pages.bottom_pt + 4
    widths = (128.0, 128.0, right - left - 256)
    listed = f"{last - first + 1} (pieces {first:,} to {last:,} of {of:,})" if of else "0"
    names = (
        "Total number of pieces listed by sender",
        "Total number of pieces received at post office",
        "Postmaster, per (name of receiving employee)",
    )
    x = left
    for width, name, value in zip(widths, names, (listed, "", ""), strict=True):
        pages.box(x, y, width, 34)
        pages.text(x + 4, y + 9, name, 5.5)
        pages.text(x + 4, y + 25, value, 8.5)
        x += width
    money = [column for column in form.columns if column.title in ("Postage", "Certified fee", "Return receipt fee", "Fee")]
    pages.box(left, y + 34, right - left, 26)
    pages.text(left + 4, y + 43, "Totals of this page", 6.5)
    x = left + 110
    for column in money:
        pages.text(x, y + 50, f"{column.title}: ______________", 7.5)
        x += 140
    pages.y = y + 66
    kept, pages.foot_pt = pages.foot_pt, 0.0
    pages.words(_STAMP, 7, after=0)
    pages.foot_pt = kept


def mailing_sheet_csv(context: PacketContext) -> bytes:
    """Return the certified pieces as rows, in the order of the sheet."""
    columns = (
        "number",
        "article_number",
        "addressee",
        "street",
        "city",
        "state",
        "zip",
        "country",
        "postage",
        "certified_fee",
        "return_receipt_fee",
    )
    rows = [
        dict.fromkeys(columns, "")
        | {
            "number": str(one.number),
            "article_number": context.article_numbers.get(one.number, ""),
            "addressee": "; ".join(one.names),
            "street": "; ".join(one.address),
            "city": one.city,
            "state": one.state,
            "zip": one.zip,
            "country": one.country,
        }
        for one in mailed(context, mail="certified")
    ]
    return csv_bytes(columns, rows)


SERVICE_COLUMNS = ("city", "state", "zip", "country", "mail_class", "return_receipt")


def service_csv(context: PacketContext) -> bytes:
    """Return all pieces for a mailing service: a column for each line of name and address, so that no line is joined to another.

    There are three of each at least, more where an address has more.
    """
    pieces = mailed(context)
    names = [f"name_{n + 1}" for n in range(max([3, *(len(one.names) for one in pieces)]))]
    lines = [f"address_{n + 1}" for n in range(max([3, *(len(one.address) for one in pieces)]))]
    columns = ("number", *names, *lines, *SERVICE_COLUMNS)
    rows = [
        dict.fromkeys(columns, "")
        | {"number": str(one.number), "city": one.city, "state": one.state, "zip": one.zip, "country": one.country}
        | dict(zip(names, one.names, strict=False))
        | dict(zip(lines, one.address, strict=False))
        | {"mail_class": one.mail, "return_receipt": "yes" if asks_receipt(context, one) else "no"}
        for one in pieces
    ]
    return csv_bytes(columns, rows)


def _certified(context: PacketContext) -> bool:
    return bool(mailed(context, mail="certified"))


@paper(
    "mailing-sheet.pdf",
    purpose="Sheet for the post office with the certified pieces, a facsimile of PS Form 3877 that the postmaster has to approve.",
    place=70,
    when=_certified,
    before_mailing=lambda context: (
        "Write the article number of each certified letter on mailing-sheet.pdf and into the column article_number of the list, take the"
        f" {count(len(mailed(context, mail='certified')), 'certified piece')} to the counter in the order of the sheet, have each sheet round-stamped there, and"
        " keep the receipts."
    ),
)
def _sheet_paper(context: PacketContext) -> bytes:
    return mailing_sheet_pdf(context)


@paper(
    "mailing-sheet.csv", purpose="The certified pieces for a spreadsheet, in the order of the sheet.", place=71, when=_certified
)
def _sheet_csv_paper(context: PacketContext) -> bytes:
    return mailing_sheet_csv(context)


@paper(
    "certificates-of-mailing.pdf",
    purpose="Certificates of mailing for the first-class pieces, a facsimile of PS Form 3665: proof of mailing that costs little.",
    place=72,
    when=lambda context: bool(mailed(context, mail="first_class")),
    before_mailing=lambda _: (
        "For proof of the first-class mailing, take certificates-of-mailing.pdf to the counter with the pieces."
    ),
)
def _certificates_paper(context: PacketContext) -> bytes:
    return certificates_pdf(context)


@paper(
    "mailing-service.csv",
    purpose="All pieces for a mailing service, a column for each line of the address.",
    place=76,
    when=lambda context: bool(mailed(context)),
)
def _service_paper(context: PacketContext) -> bytes:
    return service_csv(context)
