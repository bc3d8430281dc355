"""How the mail of a packet stands: what is mailed, what is out, what came back, and what must happen next by which day."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.deadlines import Deadline, deadlines
from geonotice.register.pieces_and_article_numbers import DATES, MailPiece, PieceState, read_article_number
from geonotice.workflow.mail import (
    first_letter,
    last_days_of,
    late_pieces,
    late_texts,
    ledger_of,
    lost_receipts,
    mailed_recipients,
    named_pieces,
)

if TYPE_CHECKING:
    from geonotice.config.town import Town
    from geonotice.ordinance.profile import Profile
    from geonotice.packet.read_record import PacketRecord

__all__ = [
    "MailStatus",
    "NextStep",
    "doubtful_numbers",
    "mail_status",
    "piece_json",
    "rescan_text",
    "status_json",
]

QUICK_RECEIPT_DAYS = 60
"""Days after mailing in which the post office has an electronic return receipt at hand; it keeps them two years, and takes long after this."""

_REMIND_DAYS = 14
"""So long before that day the reminder is among what must be done now."""

StepCode = Literal["late", "mail", "stamp", "article", "second", "receipt", "affidavit", "kept", "address"]


class NextStep(Struct, frozen=True, kw_only=True):
    """Something to do: by which day (None: at once), for which letters; ``late`` where that day is past, ``command`` what does it on the command line."""

    code: StepCode
    text: str
    by: date | None = None
    numbers: tuple[int, ...] = ()
    late: bool = False
    command: str = ""

    @property
    def whole(self) -> str:
        """The text, with the command."""
        return f"{self.text.removesuffix('.')}: {self.command}." if self.command else self.text


class MailStatus(Struct, frozen=True, kw_only=True):
    """How the mail of a packet stands.

    ``pieces`` are all letters, also those that are not in the ledger yet; ``last_days`` the last lawful day of mailing for each recipient's number, where
    the law names one; ``warnings`` what is to be read first.
    """

    packet: "PacketRecord"
    pieces: tuple[MailPiece, ...]
    last_days: Mapping[int, Deadline]
    next: tuple[NextStep, ...]
    warnings: tuple[str, ...] = ()

    def count(self, *states: PieceState) -> int:
        """Count the letters in these states."""
        return sum(piece.state in states for piece in self.pieces)

    @property
    def late(self) -> bool:
        """Whether a letter went out after its last lawful day, or can no longer go out in time."""
        return any(step.code == "late" for step in self.next)


def mail_status(town: "Town", profile: "Profile", packet: "PacketRecord", *, on: date) -> MailStatus:
    """Return how the mail of a packet stands on a day.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    known = ledger_of(town, packet)
    there = {piece.number for piece in known}
    fresh = [first_letter(packet, one) for one in mailed_recipients(packet) if one.number not in there]
    pieces = tuple(sorted((*known, *fresh), key=lambda piece: (piece.number, piece.letter)))
    found = deadlines(profile, hearing=packet.notice.hearing, event=packet.notice.event)
    last_days = last_days_of(packet, found)
    steps = [*_steps(pieces, last_days, on=on), *_affidavit_steps(packet, found, on=on)]
    steps += [NextStep(code="kept", text=text) for text in lost_receipts(town, known)]
    steps.sort(key=lambda step: (step.code != "late", step.by or date.min))
    return MailStatus(
        packet=packet, pieces=pieces, last_days=last_days, next=tuple(steps), warnings=tuple(_other_lists(town, packet, known))
    )


def doubtful_numbers(pieces: Iterable[MailPiece]) -> list[MailPiece]:
    """Return the letters whose article number was kept although it looks wrong, such as by its check digit."""
    found = [(piece, read_article_number(piece.article_number)) for piece in pieces if piece.article_number]
    return [piece for piece, number in found if number is None or number.doubt]


def rescan_text(pieces: Sequence[MailPiece]) -> str:
    """Return the sentence that asks to scan doubtful article numbers again."""
    return (
        f"Scan the article {'number' if len(pieces) == 1 else 'numbers'} of {named_pieces(pieces)} again from the receipt: the check digit or the"
        " length is not the post office's."
    )


def _steps(pieces: Sequence[MailPiece], last_days: Mapping[int, Deadline], *, on: date) -> Iterable[NextStep]:
    yield from _late_steps(pieces, last_days, on=on)
    last = list({piece.number: piece for piece in pieces}.values())  # by letter, so the last one stays
    if lost := [piece for piece in last if not piece.address and piece.state == "not mailed"]:
        text = f"Find the address of {named_pieces(lost)} and write by hand: nobody on the list may be left out. Record the address with the letter."
        command = "geonotice mail record TOWN PACKET NUMBER --address 'LINE; CITY STATE ZIP' --mailed DATE"
        yield NextStep(code="address", text=text, numbers=_numbers(lost), command=command)
    waiting: dict[date | None, list[MailPiece]] = {}
    for piece in last:
        if piece.state == "not mailed" and piece.address:
            day = last_days.get(piece.number)
            by = None if day is None or piece.letter > 1 else day.suggested
            if day is None or piece.letter > 1 or on <= day.last_day:
                waiting.setdefault(by, []).append(piece)
    for by, some in waiting.items():
        lawful = last_days.get(some[0].number)
        words = f" The last lawful day is {in_words(lawful.last_day)}." if by and lawful and lawful.last_day != by else ""
        yield NextStep(
            code="mail", text=f"Mail {named_pieces(some)}.{words}", by=by, numbers=_numbers(some), late=bool(by and by < on)
        )
    if unstamped := [piece for piece in last if piece.mailed and not piece.stamped and piece.mail == "certified"]:
        yield NextStep(
            code="stamp",
            text=f"Record the stamped day of {named_pieces(unstamped)}. Have the receipts round-stamped at the counter: a machine postmark is the"
            " date of first processing since December 2025 (DMM 608.11), not the day of mailing.",
            numbers=_numbers(unstamped),
        )
    if unnumbered := [piece for piece in last if piece.sent and not piece.article_number and piece.mail == "certified"]:
        text = f"Record the article number of {named_pieces(unnumbered)}, from the stamped receipt."
        yield NextStep(code="article", text=text, numbers=_numbers(unnumbered))
    if doubtful := doubtful_numbers(pieces):  # of first letters that came back too: the affidavit has all
        text = f"{rescan_text(doubtful)} They go on the affidavit."
        yield NextStep(code="article", text=text, numbers=_numbers(doubtful))
    if back := [piece for piece in last if piece.state == "undeliverable"]:
        text = f"Find a better address for {named_pieces(back)}, and write a second letter."
        command = "geonotice mail second TOWN PACKET NUMBER --address 'LINE; CITY STATE ZIP'"
        yield NextStep(code="second", text=text, numbers=_numbers(back), command=command)
    yield from _receipt_steps(last, on=on)


def _late_steps(pieces: Sequence[MailPiece], last_days: Mapping[int, Deadline], *, on: date) -> Iterable[NextStep]:
    """Return who was not notified in time, or no longer can be, for each last day."""
    sent = late_pieces(pieces, last_days)
    unsent = [
        piece
        for piece in pieces
        if piece.letter == 1
        and piece.state == "not mailed"
        and piece.number in last_days
        and on > last_days[piece.number].last_day
    ]
    for some, did in ((sent, "went out after"), (unsent, "did not go out by")):
        for day, text in late_texts(some, last_days, did=did).items():
            numbers = _numbers([piece for piece in some if last_days[piece.number].last_day == day])
            yield NextStep(code="late", text=text, by=day, numbers=numbers, late=True)


def _receipt_steps(pieces: Sequence[MailPiece], *, on: date) -> Iterable[NextStep]:
    by_day: dict[date, list[MailPiece]] = {}
    for piece in pieces:
        if piece.mail == "certified" and piece.sent and not piece.receipt:
            by_day.setdefault(piece.sent + timedelta(days=QUICK_RECEIPT_DAYS - 1), []).append(piece)
    for day, some in sorted(by_day.items()):
        text = (
            f"Keep the return receipts of {named_pieces(some)}"
            f"{': the post office has electronic ones at hand until then' if on <= day else ': the post office is slow to find electronic ones after 60 days, and keeps them two years'}."
        )
        command = "geonotice mail record TOWN PACKET NUMBER --receipt FILE"
        yield NextStep(code="receipt", text=text, by=day, numbers=_numbers(some), late=on > day, command=command)


def _affidavit_steps(packet: "PacketRecord", found: Sequence[Deadline], *, on: date) -> Iterable[NextStep]:
    """Return by when the affidavit must be filed, where the rule of a recipient says so."""
    rules = {rule for one in mailed_recipients(packet) for rule in one.reasons}
    for one in found:
        if one.rule in rules and one.key == "affidavit":
            what = f"{one.what[:1].upper()}{one.what[1:]} ({one.citation})."
            command = "geonotice mail affidavit TOWN PACKET"
            yield NextStep(code="affidavit", text=what, by=one.last_day, late=on > one.last_day, command=command)


def _other_lists(town: "Town", packet: "PacketRecord", known: Sequence[MailPiece]) -> Iterable[str]:
    """Warn where the ledger has letters of another list for the same premises and occasion, and none of this one: the packet was made again."""
    from geonotice.register.mail_ledger import pieces_of
    from geonotice.register.session import read_town_register

    if known:
        return
    with read_town_register(town) as register:
        others = [
            piece
            for piece in pieces_of(register)
            if (piece.occasion, piece.premises) == (packet.notice.occasion, packet.notice.premises)
            and piece.packet != packet.identity
        ]
    if others:
        lists = len({piece.packet for piece in others})
        yield (
            f"The ledger has {len(others)} letters of {lists} other list{'' if lists == 1 else 's'} for this occasion and these premises, and none of"
            " this one: the packet was made again with another day or other recipients. Name the packet that was mailed; who is new on the list"
            " must still be notified."
        )


def _numbers(pieces: Sequence[MailPiece]) -> tuple[int, ...]:
    return tuple(piece.number for piece in pieces)


def status_json(status: MailStatus) -> dict[str, Any]:
    """Return the standing of the mail as plain JSON values."""
    notice = status.packet.notice
    states: tuple[PieceState, ...] = ("not mailed", "mailed", "stamped", "delivered", "refused", "unclaimed", "undeliverable")
    return {
        "packet": str(status.packet.folder),
        "list": status.packet.identity,
        "record_sha256": status.packet.sha256,
        "list_sha256": status.packet.list_sha256,
        "occasion": notice.occasion,
        "premises": list(notice.premises),
        "hearing": notice.hearing and notice.hearing.isoformat(),
        "late": status.late,
        "counts": {state.replace(" ", "_"): status.count(state) for state in states},
        "pieces": [piece_json(piece, status.last_days) for piece in status.pieces],
        "next": [
            {
                "code": step.code,
                "by": step.by and step.by.isoformat(),
                "late": step.late,
                "numbers": list(step.numbers),
                "text": step.whole,
            }
            for step in status.next
        ],
        "warnings": list(status.warnings),
    }


def piece_json(piece: MailPiece, last_days: Mapping[int, Deadline] | None = None) -> dict[str, Any]:
    """Return a letter as plain JSON values."""
    last = (last_days or {}).get(piece.number)
    return {
        "number": piece.number,
        "letter": piece.letter,
        "name": piece.name.split("\n"),
        "address": [line for line in piece.address.split("\n") if line],
        "mail": piece.mail,
        "article_number": piece.article_number,
        "state": piece.state,
        **{name: day and day.isoformat() for name in DATES for day in (getattr(piece, name),)},
        "last_day": last.last_day.isoformat() if last and piece.letter == 1 else None,
        "receipt": piece.receipt,
        "receipt_sha256": piece.receipt_sha256,
    }
