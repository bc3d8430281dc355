"""How a letter is addressed and printed: the lines of its address, the order of the pieces, who sends them, and by which class of mail."""

import re
from collections.abc import Callable, Iterable

from geonotice.errors import Fault, UsageError
from geonotice.model import Recipient
from geonotice.packet.paper import PacketContext
from geonotice.packet.pdf_text import unprintable
from geonotice.packet.word_papers import BLANK
from geonotice.recipients import reachable

__all__ = ["SORTS", "address_lines", "asks_receipt", "by_hand_note", "in_mailing_order", "mailed", "place_line", "sender_lines"]


def place_line(recipient: Recipient) -> str:
    """Return city, State and ZIP code in one line without a comma (Publication 28, section 221)."""
    return " ".join(part for part in (recipient.city.strip(), recipient.state.strip(), recipient.zip.strip()) if part)


def address_lines(recipient: Recipient) -> list[str]:
    """Return the lines of an address as they stand on a letter: names, delivery lines, city with State and ZIP code, country.

    The words are the roll's, unchanged.
    """
    lines = [*recipient.names, *recipient.address, place_line(recipient), recipient.country]
    return [line for line in lines if line.strip()]


_Key = tuple[object, ...]


def _natural(text: str) -> _Key:
    """Return what sorts numbers in a text as numbers: lot 9 before lot 10."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", text.casefold()))


def _street(recipient: Recipient) -> _Key:
    """Sort by the property's own address: the street's name, then the house number; who has none comes last."""
    number, street = re.fullmatch(r"\s*(\d[\w/-]*)?\s*(.*)", recipient.situs, re.DOTALL).groups()  # type: ignore[union-attr]  # it matches any text
    return (not street, street.casefold(), _natural(number or ""))


_BY: dict[str, Callable[[Recipient], _Key]] = {
    "number": lambda one: (one.number,),
    "street": _street,
    "parcel": lambda one: (not one.parcels, _natural(one.parcels[0]) if one.parcels else ()),
    "owner": lambda one: (not one.names, tuple(name.casefold() for name in one.names)),
    "zip": lambda one: (bool(one.country), not one.zip, one.zip, _street(one)),
}
SORTS = tuple(_BY)
"""What the pieces can be sorted by: the street and parcel are the property's, the ZIP code the letter's."""


def in_mailing_order(recipients: Iterable[Recipient], sort: str = "number") -> tuple[Recipient, ...]:
    """Return those who are mailed in the order in which their pieces are printed; each keeps the number that the list gives.

    Raises
    ------
    UsageError
        The order is none of :data:`SORTS`.
    """
    if sort not in _BY:
        raise UsageError(Fault(what=f"nothing can be sorted by {sort!r}", key="--sort", remedy=f"use one of {', '.join(SORTS)}"))
    return tuple(sorted(reachable(recipients), key=lambda one: (_BY[sort](one), one.number)))


def mailed(context: PacketContext, *, mail: str = "") -> tuple[Recipient, ...]:
    """Return those of a packet who are mailed, in its order; of one class of mail where it is named."""
    pieces = in_mailing_order(context.notice.recipients, context.sort)
    return tuple(one for one in pieces if not mail or one.mail == mail)


def asks_receipt(context: PacketContext, recipient: Recipient) -> bool:
    """Whether a piece goes with a return receipt."""
    return recipient.mail == "certified" and not context.duties.return_receipts.isdisjoint(recipient.reasons)


def sender_lines(context: PacketContext) -> list[str]:
    """Return name and address of the sender, with lines to fill in for what is not known.

    LAW: Southampton 283-3 and 283-9 have the applicant mail the notice; the receipts go back to whoever mails.
    """
    if context.duties.sent_by == "applicant":
        return [context.settings.stated.get("applicant_name") or BLANK, BLANK, BLANK]
    clerk = context.settings.clerk
    name = [context.notice.town, clerk.office or clerk.title or "Town Clerk"]
    return [*name, *clerk.address] if clerk.address else [*name, BLANK, BLANK]


def by_hand_note(pieces: Iterable[Recipient], paper: str) -> str:
    """Return the sentence on those whose name or address has letters that a PDF's type lacks; empty where there are none."""
    found = [(one.number, unprintable("\n".join(address_lines(one)))) for one in pieces]
    named = [f"No. {number} ({' '.join(f'U+{ord(letter):04X}' for letter in bad)})" for number, bad in found if bad]
    if not named:
        return ""
    return f"\u25af in {paper} stands for a letter that its type lacks: write these by hand as the list has them: {', '.join(named)}."
