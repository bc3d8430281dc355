"""The ledger of mail pieces: write what became of them, all of it or none, and never a doubtful number without a word.

Nothing is deleted: a correction takes the place of what was recorded, and the log keeps both.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import Fault, UsageError
from geonotice.register.cells import clean
from geonotice.register.pieces_and_article_numbers import DATES, OUTCOMES, MailPiece, grouped
from geonotice.register.tables_and_columns import MAIL_PIECES, fetch
from geonotice.register.values import MOST_CHARACTERS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register

__all__ = [
    "Change",
    "Recorded",
    "add_letter",
    "changed_piece",
    "date_faults",
    "load_pieces",
    "pieces_of",
    "pieces_with_articles",
    "record_pieces",
    "require_undeliverable",
    "write_pieces",
]


_AT_ONCE = 400


def load_pieces(connection: "AnyConnection", packet: str | None = None) -> list[MailPiece]:
    """Return the mail pieces of a packet, or all, by packet, number and letter."""
    of_packet = "" if packet is None else "WHERE packet = :packet "
    asked = MAIL_PIECES.select(f"{of_packet}ORDER BY packet, number, letter")
    given = {} if packet is None else {"packet": packet}
    return [_piece(row) for row in fetch(connection, asked, MAIL_PIECES, **given)]


def pieces_with_articles(connection: "AnyConnection", articles: Iterable[str]) -> dict[str, MailPiece]:
    """Return the pieces that bear these article numbers, by number, of whatever packet."""
    wanted = sorted(set(articles))
    found: dict[str, MailPiece] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        asked = MAIL_PIECES.select("WHERE article_number IN :some")
        rows = fetch(connection, asked, MAIL_PIECES, some=wanted[start : start + _AT_ONCE])
        found |= {piece.article_number: piece for piece in map(_piece, rows)}
    return found


def write_pieces(connection: "Connection", pieces: Iterable[MailPiece], *, known: Iterable[MailPiece]) -> None:
    """Write pieces: new ones, and those of ``known`` in their new state."""
    from sqlalchemy import insert, update

    from geonotice.register.sqlalchemy_tables import mail_pieces

    there = {(piece.packet, piece.number, piece.letter) for piece in known}
    changed = list(pieces)
    old = [piece for piece in changed if (piece.packet, piece.number, piece.letter) in there]
    for values in ({"article_number": None}, None):
        # Twice: two pieces whose numbers were mixed up and are exchanged would bear one number for a moment.
        for piece in old:
            connection.execute(update(mail_pieces).where(*_is(piece)).values(**(values or _values(piece))))
    if new := [_values(piece) for piece in changed if (piece.packet, piece.number, piece.letter) not in there]:
        connection.execute(insert(mail_pieces), new)


def _is(piece: MailPiece) -> tuple[Any, ...]:
    from geonotice.register.sqlalchemy_tables import mail_pieces

    columns = mail_pieces.c
    return columns.packet == piece.packet, columns.number == piece.number, columns.letter == piece.letter


def _values(piece: MailPiece) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in MailPiece.__struct_fields__} | {
        "article_number": piece.article_number or None,
        "premises": "; ".join(piece.premises),
    }


def _piece(row: Any) -> MailPiece:  # noqa: ANN401  # a row of the table
    values = {name: getattr(row, name) for name in MailPiece.__struct_fields__}
    values |= {"article_number": row.article_number or "", "premises": tuple(row.premises.split("; "))}
    return MailPiece(**values)


# ---- what becomes of a piece


class Change(Struct, frozen=True, kw_only=True):
    """What is recorded of one piece: what is None stays as it is; ``clear`` names what was recorded by mistake."""

    article_number: str | None = None
    address: str | None = None
    mailed: date | None = None
    stamped: date | None = None
    delivered: date | None = None
    refused: date | None = None
    unclaimed: date | None = None
    undeliverable: date | None = None
    receipt: str | None = None
    receipt_sha256: str | None = None
    clear: tuple[str, ...] = ()


class Recorded(Struct, frozen=True, kw_only=True):
    """What was recorded: the pieces as they are now, those of them that changed, and what took the place of an earlier entry, a sentence each."""

    pieces: tuple[MailPiece, ...]
    changed: tuple[MailPiece, ...]
    corrected: tuple[str, ...] = ()


def pieces_of(register: "Register", packet: str | None = None) -> tuple[MailPiece, ...]:
    """Return the mail pieces of a packet, or all of the register.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    with register.reading() as connection:
        return tuple(load_pieces(connection, packet))


def changed_piece(piece: MailPiece, change: Change) -> MailPiece:
    """Return a piece with a change: a new outcome takes the place of another one."""
    given = {name: value for name in Change.__struct_fields__ if name != "clear" and (value := getattr(change, name)) is not None}
    empty: dict[str, object] = {}
    for name in change.clear:
        empty |= {"receipt": "", "receipt_sha256": ""} if name == "receipt" else {name: None if name in DATES else ""}
    if any(name in given for name in OUTCOMES):
        empty |= dict.fromkeys(OUTCOMES)
    return replace(piece, **{**empty, **given})


def date_faults(piece: MailPiece, *, on: date) -> list[str]:
    """Return what cannot be about the days of a piece, a phrase each."""
    days = {name: day for name in DATES if (day := getattr(piece, name)) is not None}
    said = [f"{name} on {day.isoformat()}, which is after {on.isoformat()}, today" for name, day in days.items() if day > on]
    if piece.mailed and piece.stamped and piece.stamped < piece.mailed:
        said.append(f"stamped on {piece.stamped.isoformat()}, before it was mailed on {piece.mailed.isoformat()}")
    for name in OUTCOMES:
        day = days.get(name)
        if day and piece.sent and day < piece.sent:
            said.append(f"{name} on {day.isoformat()}, before it was mailed on {piece.sent.isoformat()}")
    return said


def record_pieces(
    register: "Register",
    changes: Mapping[int, Change],
    *,
    fresh: Mapping[int, MailPiece],
    now: datetime,
    by: str,
    on: date,
    action: str = "record",
    why: str = "",
) -> Recorded:
    """Record what became of pieces of one packet: of all that are named, or of none.

    Parameters
    ----------
    changes
        What is recorded, by the recipient's number; it is of that recipient's last letter.
    fresh
        The first letter of each recipient that may be named, as the packet has it: what a piece is that is not in the ledger yet.
    now, by, why
        For the log.
    on
        What is taken as today: no day may be after it.

    Raises
    ------
    UsageError
        A day cannot be, or an article number is on another piece: every one is named.
    RegisterError
        The database refuses; nothing was written.
    """
    who = _named(by)
    if not changes:
        return Recorded(pieces=(), changed=())
    packet = next(iter(fresh.values())).packet
    with register.writing() as writing:
        known = load_pieces(writing.connection, packet)
        last = {piece.number: piece for piece in known}  # by letter, so the last one stays
        before = {number: last.get(number) or fresh[number] for number in changes}
        after = {number: changed_piece(before[number], change) for number, change in changes.items()}
        faults = [
            Fault(
                what=f"{piece.label} would be {said}",
                remedy="correct the day, or take out the one that is wrong",
                command="correct the day, or clear the one that is wrong with --clear",
            )
            for piece in after.values()
            for said in date_faults(piece, on=on)
        ]
        articles = [piece.article_number for piece in after.values() if piece.article_number]
        faults += _article_faults(list(after.values()), pieces_with_articles(writing.connection, articles))
        if faults:
            raise UsageError(faults)
        changed = [after[number] for number in changes if after[number] != before[number] or number not in last]
        write_pieces(writing.connection, changed, known=known)
        for piece in changed:
            writing.chain.append_piece(piece, at=now, by=who, action=action, why=clean(why))
    corrected = [said for number in changes if number in last for said in _corrected(before[number], after[number])]
    return Recorded(pieces=tuple(after.values()), changed=tuple(changed), corrected=tuple(corrected))


def add_letter(register: "Register", piece: MailPiece, *, now: datetime, by: str, why: str = "") -> MailPiece:
    """Note another letter to a recipient, to a corrected address.

    Raises
    ------
    UsageError
        The last letter is on its way, or did not come back as undeliverable: a refusal or a letter that nobody called for is no reason.
    RegisterError
        The database refuses; nothing was written.
    """
    who = _named(by)
    with register.writing() as writing:
        known = load_pieces(writing.connection, piece.packet)
        last = require_undeliverable(known, piece)
        new = replace(piece, letter=last.letter + 1)
        write_pieces(writing.connection, [new], known=known)
        writing.chain.append_piece(new, at=now, by=who, action="second", why=clean(why))
    return new


def require_undeliverable(known: Sequence[MailPiece], piece: MailPiece) -> MailPiece:
    """Return the last letter to a recipient, which must have come back as undeliverable.

    Raises
    ------
    UsageError
        It is on its way, arrived, or did not come back for its address.
    """
    last = next((one for one in reversed(known) if one.number == piece.number), None)
    if last is not None and last.state == "undeliverable":
        return last
    # LAW: notice is given by mailing to the address on the roll; who refuses a letter or does not call for it was notified all the same.
    raise UsageError(
        Fault(
            what=f"{(last or piece).label} is {last.state if last else 'not in the ledger'}",
            why="a second letter is for one that came back as undeliverable; a letter that is refused or not called for needs none",
            remedy="record it first, where it did",
            command=f"record it first, where it did: geonotice mail record TOWN PACKET {piece.number} --undeliverable DATE",
        )
    )


def _article_faults(pieces: Sequence[MailPiece], there: Mapping[str, MailPiece]) -> list[Fault]:
    """Return the article numbers that would be on two pieces, each with both."""
    faults: list[Fault] = []
    now = {piece.key: piece for piece in pieces}
    seen: dict[str, MailPiece] = {}
    for piece in pieces:
        number = piece.article_number
        if not number:
            continue
        other = seen.get(number) or there.get(number)
        seen.setdefault(number, piece)
        # A piece that gets another number in this very change has left this one free.
        if other is None or other.key == piece.key or now.get(other.key, other).article_number != number:
            continue
        where = "" if other.packet == piece.packet else f" of another packet ({other.occasion}, {', '.join(other.premises)})"
        faults.append(
            Fault(
                what=f"the article number {grouped(number)} would be on {piece.label} ({_line(piece)}) and on {other.label}{where} ({_line(other)})",
                why="one number is on one letter: a receipt would prove the mailing to somebody else",
                remedy="scan both labels again, and record the right numbers together",
            )
        )
    return faults


def _line(piece: MailPiece) -> str:
    return piece.name.partition("\n")[0]


def _corrected(before: MailPiece, after: MailPiece) -> list[str]:
    """Return what took the place of an earlier entry."""
    said = []
    for name in ("article_number", "address", *DATES, "receipt"):
        old, new = getattr(before, name), getattr(after, name)
        if old and old != new:
            words = name.replace("_", " ")
            now_ = f"now {str(new).replace(chr(10), ', ')}" if new else "taken out"
            said.append(f"{after.label}: {words} was {str(old).replace(chr(10), ', ')}, {now_}; the log keeps both.")
    return said


def _named(by: str) -> str:
    who = clean(by)
    if not who or len(who) > MOST_CHARACTERS:
        raise UsageError(
            Fault(
                what="nobody is named",
                why="every change in the register says who made it",
                remedy="give your name",
                command="give --by NAME",
            )
        )
    return who
