"""Return receipts and envelopes: what is printed on card stock and on envelopes, each piece on a page as large as it is."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.model import Recipient
from geonotice.packet.addresses_and_mailing_order import address_lines, asks_receipt, mailed, sender_lines
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_pages import INCH, open_canvas
from geonotice.packet.pdf_text import ASCENT, FONT, LEADING, fit, unprintable
from geonotice.recipients import numbers_text

__all__ = ["CARD_IN", "ENVELOPE_IN", "cards_test_pdf", "envelopes_pdf", "green_cards_pdf", "sender_side_pdf"]


class Box(Struct, frozen=True):
    """A place on a piece, in inches from its upper left corner, and the type to begin with."""

    name: str
    left_in: float
    top_in: float
    width_in: float
    height_in: float
    type_pt: float


CARD_IN = (5.5, 3.5)
# What stands where on PS Form 3811 was compared with public copies of its fields (templatesowl.com, uspsguide.com, faq.usps.com): item 1, "Article Addressed to", above item 2, "Article
# Number", both on the sender's half at the left; the sender's own address on the reverse. The inches are in no source that was found: they are from memory of the July 2020
# edition and NOT verified, nor is the size of the card. So a test page is printed first, to be held against a card; labels.nudge_x_in and nudge_y_in move what is printed.
_ADDRESSED_TO = Box("1. Article addressed to", 0.25, 1.2, 2.4, 0.95, 10)
_ARTICLE = Box("2. Article number", 0.25, 2.98, 2.4, 0.22, 9)
_SENDER = Box("Sender", 1.25, 1.45, 3.2, 1.4, 11)

ENVELOPE_IN = (9.5, 4.125)
_RETURN = Box("Return address", 0.4, 0.35, 3.0, 0.95, 9)
# The reading area for addresses ends 5/8 in above the lower edge and half an inch from either side (DMM 202.2.1).
_TO = Box("Recipient", 4.0, 1.95, 4.6, 1.4, 12)
_ENDORSED = Box("Endorsement", 4.0, 1.55, 4.6, 0.25, 10)
_REFERENCE = Box("List number", 0.4, 3.72, 1.2, 0.15, 6)


def _write(
    canvas: Any,  # noqa: ANN401  # reportlab ships no types
    size_in: tuple[float, float],
    box: Box,
    lines: Sequence[str],
    nudge_in: tuple[float, float] = (0, 0),
) -> None:
    """Write lines into a box; whom or what it does not hold whole is named by :func:`_prepare`, and left to be written by hand."""
    if not _lines_fit(lines, box):
        return
    setting = fit(lines, width_pt=box.width_in * INCH, height_pt=box.height_in * INCH, most_pt=box.type_pt)
    if setting is None:
        return
    canvas.setFont(FONT, setting.size_pt)
    x = (box.left_in + nudge_in[0]) * INCH
    y = (size_in[1] - box.top_in - nudge_in[1]) * INCH - ASCENT * setting.size_pt
    for line in setting.lines:
        canvas.drawString(x, y, line)
        y -= LEADING * setting.size_pt


def _fits(recipient: Recipient, box: Box) -> bool:
    return _lines_fit(address_lines(recipient), box)


def _lines_fit(lines: Sequence[str], box: Box) -> bool:
    fitting = fit(lines, width_pt=box.width_in * INCH, height_pt=box.height_in * INCH, most_pt=box.type_pt)
    return fitting is not None and not unprintable("\n".join(lines))


def _nudge(context: PacketContext) -> tuple[float, float]:
    return context.labels.nudge_x_in, context.labels.nudge_y_in


def green_cards_pdf(context: PacketContext) -> bytes:
    """Print the address side of the cards (PS Form 3811), in the order of the pieces: addressee, and article number where it is known."""
    stream, canvas = open_canvas("Return receipt cards, address side", size_pt=(CARD_IN[0] * INCH, CARD_IN[1] * INCH))
    for one in _cards(context):
        _write(canvas, CARD_IN, _ADDRESSED_TO, address_lines(one), _nudge(context))
        if number := context.article_numbers.get(one.number, ""):
            _write(canvas, CARD_IN, _ARTICLE, [number], _nudge(context))
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def sender_side_pdf(context: PacketContext) -> bytes:
    """Print the sender's side of a card: the same on all of them."""
    stream, canvas = open_canvas("Return receipt cards, sender's side", size_pt=(CARD_IN[0] * INCH, CARD_IN[1] * INCH))
    _write(canvas, CARD_IN, _SENDER, sender_lines(context), _nudge(context))
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def cards_test_pdf(context: PacketContext) -> bytes:
    """Print the outlines of what is printed on a card, both sides, to be held against one before cards are wasted."""
    stream, canvas = open_canvas("Test pages for return receipt cards", size_pt=(CARD_IN[0] * INCH, CARD_IN[1] * INCH))
    move_x, move_y = _nudge(context)
    for side, boxes in (("address side", (_ADDRESSED_TO, _ARTICLE)), ("sender's side", (_SENDER,))):
        canvas.setFont(FONT, 7)
        canvas.drawString(
            14, CARD_IN[1] * INCH - 16, f"PS Form 3811, {side}. Print on plain paper at 100 %, hold against a card;"
        )
        canvas.drawString(
            14,
            CARD_IN[1] * INCH - 26,
            "if the outlines are off, note by how many inches, right and down. The places are not verified.",
        )
        for box in boxes:
            x, y = (box.left_in + move_x) * INCH, (CARD_IN[1] - box.top_in - box.height_in - move_y) * INCH
            canvas.rect(x, y, box.width_in * INCH, box.height_in * INCH)
            canvas.drawString(x + 4, y + box.height_in * INCH / 2 - 3, box.name)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def envelopes_pdf(context: PacketContext) -> bytes:
    """Print #10 envelopes with return address and recipient, in the order of the pieces.

    The room at the right of the return address is free for the label of certified mail (PS Form 3800) and the postage.
    """
    size_pt = (ENVELOPE_IN[0] * INCH, ENVELOPE_IN[1] * INCH)
    stream, canvas = open_canvas(f"Envelopes, {context.notice.town}", size_pt=size_pt)
    for one in _enveloped(context):
        _write(canvas, ENVELOPE_IN, _RETURN, sender_lines(context))
        if asks_receipt(context, one):
            _write(canvas, ENVELOPE_IN, _ENDORSED, ["RETURN RECEIPT REQUESTED"])
        _write(canvas, ENVELOPE_IN, _TO, address_lines(one))
        _write(canvas, ENVELOPE_IN, _REFERENCE, [f"No. {one.number}"])
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _cards(context: PacketContext) -> tuple[Recipient, ...]:
    return tuple(one for one in mailed(context) if asks_receipt(context, one) and _fits(one, _ADDRESSED_TO))


def _enveloped(context: PacketContext) -> tuple[Recipient, ...]:
    return tuple(one for one in mailed(context) if _fits(one, _TO)) if context.envelopes else ()


def _prepare(context: PacketContext) -> PacketContext:
    """Name those whose address fits no card or envelope whole, or has letters that cannot be printed: they are written by hand."""
    pieces = mailed(context)
    cards = [one.number for one in pieces if asks_receipt(context, one) and not _fits(one, _ADDRESSED_TO)]
    envelopes = [one.number for one in pieces if context.envelopes and not _fits(one, _TO)]
    notes = [
        f"Write {what} of No. {numbers_text(numbers)} by hand: {'its address does' if len(numbers) == 1 else 'their addresses do'} not fit, or have letters"
        " that the type lacks."
        for what, numbers in (("the return receipt cards", cards), ("the envelopes", envelopes))
        if numbers
    ]
    own = [
        what
        for what, asked, box in (
            ("the envelopes", context.envelopes, _RETURN),
            ("the return receipt cards", any(asks_receipt(context, one) for one in pieces), _SENDER),
        )
        if asked and not _lines_fit(sender_lines(context), box)
    ]
    if own:
        notes.append(
            f"The return address is not printed on {' and '.join(own)}: it does not fit, or has letters that the type lacks. Shorten [clerk] in the town file,"
            " or write it by hand."
        )
    new = tuple(note for note in notes if note not in context.notes)
    return replace(context, notes=(*context.notes, *new)) if new else context


@paper(
    "green-cards*.pdf",
    purpose="Return receipt cards (PS Form 3811) for card stock: address side, sender's side, and outlines to try on plain paper.",
    place=64,
    when=lambda context: bool(_cards(context)),
    prepare=_prepare,
    before_mailing=lambda _: (
        "Print green-cards-test.pdf on plain paper and hold it against a return receipt card; then print the cards. Where the outlines are off, make the packet again with all"
        " print moved by so many inches (--nudge-x, --nudge-y). Each card has a number of its own, which does not track the piece."
    ),
)
def _cards_paper(context: PacketContext) -> dict[str, bytes]:
    return {
        "green-cards.pdf": green_cards_pdf(context),
        "green-cards-sender.pdf": sender_side_pdf(context),
        "green-cards-test.pdf": cards_test_pdf(context),
    }


@paper(
    "envelopes.pdf",
    purpose="#10 envelopes with return address and recipient, in the order of the pieces.",
    place=62,
    when=lambda context: bool(_enveloped(context)),
)
def _envelopes_paper(context: PacketContext) -> bytes:
    return envelopes_pdf(context)
