"""Mail pieces as values: what is known of each letter of a packet, and the numbers on certified mail. No database, no clock."""

import re
from datetime import date
from typing import Literal, NamedTuple

from msgspec import Struct

from geonotice.model import Mail

__all__ = [
    "DATES",
    "LENGTHS_TEXT",
    "OUTCOMES",
    "ArticleNumber",
    "MailPiece",
    "PieceState",
    "grouped",
    "read_article_number",
]

PieceState = Literal["not mailed", "mailed", "stamped", "delivered", "refused", "unclaimed", "undeliverable"]

OUTCOMES = ("delivered", "refused", "unclaimed", "undeliverable")
"""How the way of a piece ends: one of these, the last that was recorded."""

DATES = ("mailed", "stamped", *OUTCOMES)
"""The days of a piece, in their order."""


class MailPiece(Struct, frozen=True, kw_only=True):
    """One letter.

    Parameters
    ----------
    packet
        The identity of the list it belongs to: the same for every packet that was made of the same list for the same occasion and day.
    occasion, premises
        Why notice is given, and the tax map numbers of the premises.
    number, letter
        The recipient's number on the list; 1 for the first letter, 2 for the one to a corrected address, and so on.
    name, address
        As they were mailed, a line each.
    mail
        The class of mail.
    article_number
        What the post office tracks it by, without blanks; empty where there is none.
    mailed, stamped
        The day it was handed to the post office, and that of the round stamp on its receipt.
    delivered, refused, unclaimed, undeliverable
        The day of its outcome.
    receipt, receipt_sha256
        The file of its receipt beside the register, and that file's hash.
    """

    packet: str
    occasion: str
    premises: tuple[str, ...]
    number: int
    letter: int = 1
    name: str
    address: str
    mail: Mail
    article_number: str = ""
    mailed: date | None = None
    stamped: date | None = None
    delivered: date | None = None
    refused: date | None = None
    unclaimed: date | None = None
    undeliverable: date | None = None
    receipt: str = ""
    receipt_sha256: str = ""

    @property
    def key(self) -> str:
        """What the log calls it.

        Examples
        --------
        >>> MailPiece(packet="ab12", occasion="hearing", premises=("1",), number=7, name="", address="", mail="first_class").key
        'ab12/7'
        """
        return f"{self.packet}/{self.number}" + (f".{self.letter}" if self.letter > 1 else "")

    @property
    def label(self) -> str:
        """What a person calls it: its number, and whether it is a second letter."""
        return f"No. {self.number}" + (f" (letter {self.letter})" if self.letter > 1 else "")

    @property
    def state(self) -> PieceState:
        """How far it is."""
        for outcome in OUTCOMES:
            if getattr(self, outcome) is not None:
                return outcome  # type: ignore[return-value]  # each is a state
        if self.stamped is not None:
            return "stamped"
        return "not mailed" if self.mailed is None else "mailed"

    @property
    def sent(self) -> date | None:
        """The day that counts as the day of mailing: the stamp's, which proves it, else the day recorded."""
        return self.stamped or self.mailed


class ArticleNumber(NamedTuple):
    """An article number as it is kept, and what is doubtful about it; ``doubt`` is empty where nothing is."""

    number: str
    doubt: str


_LENGTHS = (20, 22, 26)
LENGTHS_TEXT = f"{', '.join(map(str, _LENGTHS[:-1]))} or {_LENGTHS[-1]}"
"""The lengths of an article number in words."""
_PREFIX = "420"
_ZIPS = (5, 9)
_DROPPED = re.compile(r"[\s\-.\x1d()]+")
"""Blanks, and what a scanner sends to part the fields of a bar code (GS1's FNC1)."""
_INTERNATIONAL = re.compile(r"[A-Z]{2}\d{9}[A-Z]{2}")
_GREEN_CARD = "95909402"
_RESCAN = "scan or type it again from the label"


def read_article_number(text: str) -> ArticleNumber | None:
    """Read an article number as it was scanned or typed; None where it is none at all.

    A wrong check digit is a doubt, never a refusal: one number that the post office called valid fails the test.

    Parameters
    ----------
    text
        With blanks or without; a scan of the bar code may have ``420`` and the ZIP code before it.

    Examples
    --------
    >>> read_article_number("9407 1000 0000 0000 0000 09")
    ArticleNumber(number='9407100000000000000009', doubt='')
    >>> read_article_number("420 14512 9407 1000 0000 0000 0000 09").number
    '9407100000000000000009'
    >>> read_article_number("9407 1000 0000 0000 0000 05").doubt
    'its check digit is 5 and should be 9: scan or type it again from the label'
    >>> read_article_number("see receipt") is None
    True
    """
    plain = _DROPPED.sub("", text).upper()
    if _INTERNATIONAL.fullmatch(plain):
        return ArticleNumber(plain, "")
    if not plain.isascii() or not plain.isdecimal():
        return None
    number = _without_zip(plain)
    if len(number) not in _LENGTHS:
        return ArticleNumber(number, f"it has {len(number)} digits, and the post office's have {LENGTHS_TEXT}: {_RESCAN}")
    if number.startswith(_GREEN_CARD):
        doubt = "this looks like the number of the green card (PS Form 3811), which does not track the letter: take the one on the certified label"
        return ArticleNumber(number, doubt)
    right = _check_digit(number[:-1])
    if number[-1] != right:
        return ArticleNumber(number, f"its check digit is {number[-1]} and should be {right}: {_RESCAN}")
    return ArticleNumber(number, "")


def _without_zip(digits: str) -> str:
    """Return the number behind ``420`` and a ZIP code of five or nine digits; the digits as they are where that is not what they are."""
    if not digits.startswith(_PREFIX) or len(digits) in _LENGTHS:
        return digits
    rests = [digits[len(_PREFIX) + zip_ :] for zip_ in _ZIPS if len(digits) - len(_PREFIX) - zip_ in _LENGTHS]
    # 34 digits may be either; a right check digit tells, and else that a number on mail begins with 9.
    sound = [rest for rest in rests if rest[-1] == _check_digit(rest[:-1])]
    for some in (sound, rests):
        if some:
            return next((rest for rest in some if rest.startswith("9")), some[0])
    return digits


def _check_digit(digits: str) -> str:
    """Return the check digit of the digits before it: modulo 10, weights 3 and 1 from the right."""
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def grouped(number: str) -> str:
    """Write an article number in groups of four, as labels show it.

    Examples
    --------
    >>> grouped("9407100000000000000009")
    '9407 1000 0000 0000 0000 09'
    """
    return " ".join(number[start : start + 4] for start in range(0, len(number), 4)) if number.isdecimal() else number
