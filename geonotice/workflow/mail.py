"""The mail of a packet: what is recorded of its letters, and where the ledger is."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.config.read_town import read_town_file
from geonotice.config.town import Town
from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.deadlines import deadlines
from geonotice.errors import Fault, InputError, OrdinanceError, UsageError
from geonotice.io.output_files import in_the_making
from geonotice.opened_town import may_have_permits
from geonotice.ordinance.load import profile_and_name_of_town
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.read_record import PacketRecord, packet_of
from geonotice.packet.record import RECORD_FILE
from geonotice.recipients import numbers_text, reachable
from geonotice.register.database import file_of
from geonotice.register.mail_ledger import Change, Recorded, pieces_of, record_pieces
from geonotice.register.pieces_and_article_numbers import LENGTHS_TEXT, MailPiece, grouped, read_article_number
from geonotice.register.session import open_town_register, read_town_register, town_register_url
from geonotice.workflow.packet_record import read_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geonotice.decide.deadlines import Deadline
    from geonotice.model import Recipient

__all__ = [
    "MailRecorded",
    "Stating",
    "article_numbers_of",
    "first_letter",
    "keep_receipt",
    "last_days_of",
    "late_of",
    "late_pieces",
    "late_texts",
    "ledger_of",
    "letter_meant",
    "lost_receipts",
    "mailed_recipients",
    "named_pieces",
    "numbers_named",
    "numbers_to_record",
    "open_packet",
    "read_article",
    "read_packet",
    "receipts_folder",
    "record_mail",
    "wrong_number",
]

RECEIPTS = "receipts"
"""The folder beside the register in which receipts are kept."""


class Stating(Struct, frozen=True, kw_only=True):
    """Who records something, and when: ``now`` for the log, ``on`` is taken as today."""

    now: datetime
    on: date
    by: str


class MailRecorded(Struct, frozen=True, kw_only=True):
    """What was recorded; which of it went out after the last lawful day, and what is doubtful about it: a sentence each."""

    packet: PacketRecord
    recorded: Recorded
    late: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def open_packet(place: Path, folder: Path) -> tuple[Town, PacketRecord]:
    """Read the town file and the packet's record; no layer and no store is asked for, since a letter is recorded whatever became of them.

    Raises
    ------
    TownFileError
        The town file has faults.
    UsageError
        It is no packet.
    InputError
        It is another town's, or its record cannot be read.
    """
    town, packet = read_town_file(place), read_packet(folder)
    if packet.notice.town != town.name:
        raise InputError(
            Fault(
                what=f"this is a packet of the {packet.notice.town}, not of the {town.name}",
                file=str(folder),
                why="its letters would stand in another town's register",
                remedy="name the town whose packet it is",
            )
        )
    return town, packet


def read_packet(folder: Path) -> PacketRecord:
    """Return a packet by its folder, or by the record in it; errors as :func:`open_packet`."""
    said = read_record(folder)
    return packet_of(folder.parent if folder.name == RECORD_FILE else folder, said)


def mailed_recipients(packet: PacketRecord) -> "tuple[Recipient, ...]":
    """Return whom the law asks to mail, also those whose address is missing: their letters are written by hand."""
    return tuple(one for one in packet.notice.recipients if one.mail != "none")


def first_letter(packet: PacketRecord, recipient: "Recipient") -> MailPiece:
    """Return the first letter to a recipient, as the packet has it."""
    name = "\n".join(recipient.names)
    lines = address_lines(recipient)[len([line for line in recipient.names if line.strip()]) :]
    return MailPiece(
        packet=packet.identity,
        occasion=packet.notice.occasion,
        premises=packet.notice.premises,
        number=recipient.number,
        name=name,
        address="\n".join(lines) if recipient.mailable else "",
        mail=recipient.mail,
    )


def ledger_of(town: Town, packet: PacketRecord) -> tuple[MailPiece, ...]:
    """Return what the ledger has of a packet; nothing where the town has no register.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    with read_town_register(town) as register:
        return pieces_of(register, packet.identity)


def article_numbers_of(place: Path, identity: str) -> dict[int, str]:
    """Return the article numbers that the ledger has for a list, by the recipient's number: of the last letter to each.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    if not may_have_permits(place):
        return {}
    from geonotice.register.session import open_register_of

    with open_register_of(place) as register:
        return {piece.number: piece.article_number for piece in pieces_of(register, identity) if piece.article_number}


def numbers_to_record(packet: PacketRecord, numbers: Sequence[int], *, everyone: bool) -> tuple[int, ...]:
    """Return the recipients that are meant.

    Raises
    ------
    UsageError
        None is named, one is not on the list, or one gets no letter; all of them at once.
    """
    if everyone and numbers:
        raise UsageError(Fault(what="all letters are named, and numbers too", remedy="give one or the other", key="--all"))
    if everyone:
        return tuple(one.number for one in reachable(packet.notice.recipients))
    if not numbers:
        raise UsageError(
            Fault(
                what="no recipient is named",
                remedy="give the numbers on the list",
                command="give the numbers on the list, or --all",
            )
        )
    faults = [Fault(what=said) for number in dict.fromkeys(numbers) if (said := wrong_number(packet, number))]
    if faults:
        raise UsageError(faults)
    return tuple(dict.fromkeys(numbers))


def wrong_number(packet: PacketRecord, number: int) -> str:
    """Return why no letter has this number; empty where one has."""
    on_list = {one.number: one for one in packet.notice.recipients}
    if number not in on_list:
        return (
            f"no recipient has the number {number}; the list has {min(on_list)} to {max(on_list)}"
            if on_list
            else "the list is empty"
        )
    one = on_list[number]
    if one.mail == "none":
        return f"No. {number} ({one.names[0] if one.names else one.role}) gets no letter: the law does not ask for one"
    return ""


def numbers_named(text: str) -> tuple[int, ...]:
    """Return the numbers that a person writes down, ranges among them.

    Raises
    ------
    UsageError
        It holds something else, or a range that runs backwards.

    Examples
    --------
    >>> numbers_named("7, 9-11"), numbers_named("")
    ((7, 9, 10, 11), ())
    """
    found: dict[int, None] = {}
    for part in re.split(r"[\s,;]+", re.sub(r"\s*[-\u2013]\s*", "-", text.strip())):
        if not part:
            continue
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first:
            raise UsageError(Fault(what=f"{part!r} is no number on a list", remedy="write numbers and ranges, such as 1-12, 15"))
        found |= dict.fromkeys(range(first, last + 1))
    return tuple(found)


def letter_meant(packet: PacketRecord, ledger: Sequence[MailPiece], text: str) -> int:
    """Return the recipient whose letter is meant: by its number on the list, or by the article number on a card that came back.

    Raises
    ------
    UsageError
        No letter of this packet has that number.
    """
    plain = text.strip()
    if re.fullmatch(r"\d{1,6}", plain):
        number = int(plain)
        if why := wrong_number(packet, number):
            raise UsageError(Fault(what=why, remedy="give another number"))
        return number
    article, _ = read_article(plain, 0)
    found = [piece.number for piece in ledger if piece.article_number == article]
    if not found:
        what = f"no letter of this packet has the article number {grouped(article)} in the ledger"
        raise UsageError(Fault(what=what, remedy="scan it again, or give the recipient's number on the list"))
    return found[-1]


def read_article(text: str, number: int) -> tuple[str, str]:
    """Read an article number for a recipient, with a sentence about what is doubtful.

    Raises
    ------
    UsageError
        It is no number at all.
    """
    found = read_article_number(text)
    if found is None:
        raise UsageError(
            Fault(
                what=f"{text!r} is no article number",
                why=f"it is what the post office tracks the letter by: {LENGTHS_TEXT} digits",
                remedy="scan or type the number on the certified label; it is never made up",
            )
        )
    return found.number, f"No. {number}: check the article number {text.strip()}: {found.doubt}." if found.doubt else ""


def keep_receipt(town: Town, file: Path) -> tuple[str, str]:
    """Copy a receipt beside the register, unchanged, and return its name there and its SHA-256.

    Raises
    ------
    InputError
        It is not there or cannot be read.
    OutputError
        It cannot be copied.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(
            Fault(what=f"the receipt cannot be read: {error.strerror}", file=str(file), remedy="fix the path")
        ) from error
    if not content:
        raise InputError(Fault(what="the receipt is an empty file", file=str(file), remedy="save it again"))
    digest = hashlib.sha256(content).hexdigest()
    kept = receipts_folder(town) / f"{digest[:12]}-{file.name}"
    if not (kept.is_file() and kept.read_bytes() == content):
        with in_the_making(kept, "the copy of the receipt") as made:
            made.write_bytes(content)
            made.replace(kept)
    return kept.name, digest


def receipts_folder(town: Town) -> Path:
    """Return where receipts are kept: beside the register, or the town file where the register is on a server."""
    file = file_of(town_register_url(town))
    return (file.parent if file else town.folder) / RECEIPTS


def lost_receipts(town: Town, pieces: "Iterable[MailPiece]") -> list[str]:
    """Return which receipts that the ledger names are gone or changed, a sentence each."""
    folder, said = receipts_folder(town), []
    for piece in pieces:
        if not piece.receipt:
            continue
        file = folder / piece.receipt
        if not file.is_file():
            said.append(f"{piece.label}: its receipt {file} is gone; bring it back from a backup.")
        elif hashlib.sha256(file.read_bytes()).hexdigest() != piece.receipt_sha256:
            said.append(f"{piece.label}: its receipt {file} was changed since it was kept; bring it back from a backup.")
    return said


def record_mail(
    town: Town,
    packet: PacketRecord,
    changes: Mapping[int, Change],
    stating: Stating,
    *,
    action: str = "record",
    why: str = "",
    doubts: Sequence[str] = (),
) -> MailRecorded:
    """Record what became of letters of a packet: of all that are named, or of none.

    Raises
    ------
    UsageError
        A day or an article number cannot be; a letter has no address.
    RegisterError
        The register refuses; nothing was written.
    """
    fresh = {one.number: first_letter(packet, one) for one in mailed_recipients(packet)}
    with open_town_register(town) as register:
        known = {piece.number for piece in pieces_of(register, packet.identity)}
        faults = [
            Fault(
                what=f"{fresh[number].label} ({fresh[number].name.partition(chr(10))[0]}) has no address on the list",
                why="the affidavit states to which address each letter was mailed",
                remedy="give the address that you wrote on it",
                command='give the address that you wrote on it: --address "LINE; CITY STATE ZIP"',
            )
            for number, change in changes.items()
            if number not in known and not fresh[number].address and not change.address
        ]
        if faults:
            raise UsageError(faults)
        done = record_pieces(
            register, changes, fresh=fresh, now=stating.now, by=stating.by, on=stating.on, action=action, why=why
        )
    dated = [piece for piece in done.pieces if (change := changes.get(piece.number)) and (change.mailed or change.stamped)]
    doubts = (*doubts, *before_the_list(packet, dated))
    return MailRecorded(packet=packet, recorded=done, late=late_of(town, packet, dated), doubts=doubts)


def before_the_list(packet: PacketRecord, pieces: "Iterable[MailPiece]") -> tuple[str, ...]:
    """Return what is doubtful about first letters that went out before the day on which their list was made; a slip of the pen, mostly."""
    early = [piece for piece in pieces if piece.letter == 1 and piece.sent and piece.sent < packet.notice.on]
    if not early:
        return ()
    days = ", ".join(sorted({one.sent.isoformat() for one in early if one.sent}))
    text = (
        f"{named_pieces(early)} went out on {days} by what was recorded, before the list was made on {in_words(packet.notice.on)}."
        " Correct the day, unless the packet was made again after the mailing."
    )
    return (text,)


# ---- the last lawful day


def late_of(town: Town, packet: PacketRecord, pieces: "Sequence[MailPiece]") -> tuple[str, ...]:
    """Return what is to be said at once of letters whose day was just stated: those that went out after the last lawful day."""
    if not pieces:
        return ()
    try:
        profile, _ = profile_and_name_of_town(town.file)
    except OrdinanceError as error:  # the letter is recorded whatever became of the law's file
        return (f"Whether the letters went out in time is not known, since the ordinance cannot be read: {error.at_desk}",)
    found = deadlines(profile, hearing=packet.notice.hearing, event=packet.notice.event)
    last_days = last_days_of(packet, found)
    return tuple(late_texts(late_pieces(pieces, last_days), last_days).values())


def last_days_of(packet: PacketRecord, found: "Sequence[Deadline]") -> "dict[int, Deadline]":
    """Return the last lawful day of mailing by recipient: the earliest that its own rules name."""
    starts = {"hearing": packet.notice.hearing, "event": packet.notice.event}
    of_rule: dict[str, Deadline] = {}
    for one in found:
        start = starts.get(one.reckoned_from)
        if one.bound == "latest" and start and one.last_day < start and not one.key:
            of_rule.setdefault(one.rule, one)
    days = {}
    for recipient in mailed_recipients(packet):
        own = [of_rule[rule] for rule in recipient.reasons if rule in of_rule]
        if own:
            days[recipient.number] = min(own, key=lambda one: one.last_day)
    return days


def late_pieces(pieces: "Iterable[MailPiece]", last_days: "Mapping[int, Deadline]") -> list[MailPiece]:
    """Return the first letters that went out after their last lawful day."""
    return [
        piece
        for piece in pieces
        if piece.letter == 1 and piece.sent and piece.number in last_days and piece.sent > last_days[piece.number].last_day
    ]


def late_texts(
    pieces: "Iterable[MailPiece]", last_days: "Mapping[int, Deadline]", *, did: str = "went out after"
) -> dict[date, str]:
    """Return for each last lawful day what follows from letters that ``did`` not keep it."""
    by_day: dict[date, list[MailPiece]] = {}
    for piece in pieces:
        by_day.setdefault(last_days[piece.number].last_day, []).append(piece)
    said = {}
    for day, late in by_day.items():
        days = ", ".join(sorted({f"{one.sent.isoformat()}" for one in late if one.sent}))
        how = f" ({'stamped' if late[0].stamped else 'mailed'} {days})" if days else ""
        said[day] = (
            f"LATE: {named_pieces(late)} {did} {in_words(day)}, the last lawful day{how} ({last_days[late[0].number].citation}). A hearing held on"
            " this notice can be annulled. Ask the town attorney; set a later hearing and notify everybody again."
        )
    return said


def named_pieces(pieces: Sequence[MailPiece]) -> str:
    """Name letters by their numbers."""
    if len(pieces) == 1:
        return f"{pieces[0].label} ({pieces[0].name.partition(chr(10))[0]})"
    firsts = numbers_text(piece.number for piece in pieces if piece.letter == 1)
    further = [f"{piece.number} (letter {piece.letter})" for piece in pieces if piece.letter > 1]
    return f"No. {', '.join([*([firsts] if firsts else []), *further])}"
