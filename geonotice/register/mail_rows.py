"""Rows of the ledger to mail pieces and back."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from geonotice.register.mailing import MailPiece
from geonotice.register.tables import mail_pieces

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["load_pieces", "pieces_with_articles", "write_pieces"]

_AT_ONCE = 400


def load_pieces(connection: "Connection", packet: str | None = None) -> list[MailPiece]:
    """Return the mail pieces of a packet, or all, by packet, number and letter."""
    columns = mail_pieces.c
    asked = select(mail_pieces).order_by(columns.packet, columns.number, columns.letter)
    rows = connection.execute(asked if packet is None else asked.where(columns.packet == packet))
    return [_piece(row) for row in rows]


def pieces_with_articles(connection: "Connection", articles: Iterable[str]) -> dict[str, MailPiece]:
    """Return the pieces that bear these article numbers, by number, of whatever packet."""
    wanted = sorted(set(articles))
    found: dict[str, MailPiece] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        asked = select(mail_pieces).where(mail_pieces.c.article_number.in_(wanted[start : start + _AT_ONCE]))
        found |= {piece.article_number: piece for piece in map(_piece, connection.execute(asked))}
    return found


def write_pieces(connection: "Connection", pieces: Iterable[MailPiece], *, known: Iterable[MailPiece]) -> None:
    """Write pieces: new ones, and those of ``known`` in their new state."""
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
