"""Papers made from the ledger: the affidavits, filled, and the second letter to a corrected address."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.deadlines import deadlines
from geonotice.errors import Fault, InputError, QuestionError, UsageError
from geonotice.io.output_files import write_files
from geonotice.model import Clause
from geonotice.opened_town import open_store
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.affidavits import list_words, mailing_values, make_affidavit, posting_values, publication_values
from geonotice.packet.letters import CLERK, letter_values, letter_words
from geonotice.packet.pdf_text import unprintable
from geonotice.packet.word_papers import common_values, fill_paper, open_fields_note, print_paper
from geonotice.register.mail_ledger import add_letter, require_undeliverable
from geonotice.register.session import open_town_register
from geonotice.workflow.mail import Stating, first_letter, late_pieces, ledger_of, mailed_recipients, named_pieces
from geonotice.workflow.mail_status import doubtful_numbers, mail_status, rescan_text
from geonotice.workflow.packet_record import MAIL_FOLDER
from geonotice.workflow.paper_settings import read_paper_settings

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.config.town import Town
    from geonotice.model import Notice
    from geonotice.ordinance.profile import Profile
    from geonotice.packet.read_record import PacketRecord
    from geonotice.packet.word_papers import PaperSettings
    from geonotice.register.pieces_and_article_numbers import MailPiece

__all__ = ["AffidavitOf", "MailPapers", "affidavit", "mail_folder", "second_letter"]


class MailPapers(Struct, frozen=True, kw_only=True):
    """Papers that were written: their files, and what is to be known of them, a sentence each."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


class AffidavitOf(Struct, frozen=True, kw_only=True):
    """What is sworn beside what the ledger has: ``deponent`` who swears, empty for a line to fill in."""

    deponent: str = ""
    posted: date | None = None
    newspaper: str = ""
    published: tuple[date, ...] = ()


def mail_folder(packet: "PacketRecord") -> Path:
    """Return where papers of a mailing go: beside the packet, which stays as it was mailed."""
    folder = packet.folder.resolve()
    return folder.with_name(f"{folder.name}{MAIL_FOLDER}")


def affidavit(
    town: "Town",
    profile: "Profile",
    packet: "PacketRecord",
    kind: str,
    stated: AffidavitOf,
    *,
    on: date,
    event: "Event | None" = None,
    out: Path | None = None,
) -> MailPapers:
    """Fill an affidavit and write it.

    Raises
    ------
    QuestionError
        Receipts and list do not agree: the letters are named.
    TemplateError
        The town's own template has faults.
    OutputError
        It cannot be written.
    """
    _require_past(stated, on=on)
    notice, late = _whole_notice(town, packet, profile)
    settings = _settings(town, profile, packet, event)
    pieces: tuple[MailPiece, ...] = ()
    if kind == "mailing":
        status = mail_status(town, profile, packet, on=on)
        pieces = _require_agreement(status.pieces)
        listed = list_words(packet.list_sha256) if packet.list_sha256 else list_words(packet.sha256, file="record.json")
        values = mailing_values(pieces, list_hash=listed, deponent=stated.deponent)
        late += [step.text for step in status.next if step.code == "late"] if late_pieces(pieces, status.last_days) else []
        late += [rescan_text(doubtful)] if (doubtful := doubtful_numbers(pieces)) else []
    elif kind == "posting":
        values = posting_values(notice.signs, posted=stated.posted, hearing=notice.hearing, deponent=stated.deponent)
        late += _late_act(profile, packet, "posting", stated.posted, "posted")
    else:
        values = publication_values(
            newspaper=stated.newspaper, published=stated.published, hearing=notice.hearing, deponent=stated.deponent
        )
        late += _late_act(profile, packet, "publication", min(stated.published, default=None), "published")
    files, note = make_affidavit(kind, notice, settings, values, pieces=pieces)
    return MailPapers(files=write_files(out or mail_folder(packet), files, keep=True), notes=(*late, *([note] if note else [])))


def _require_past(stated: AffidavitOf, *, on: date) -> None:
    """Refuse to have sworn what has not happened yet.

    Raises
    ------
    UsageError
        A day of posting or publication is after today; all such days at once.
    """
    days = [("--posted", stated.posted), *(("--published", day) for day in stated.published)]
    faults = [
        Fault(
            what=f"{day.isoformat()} is still to come",
            key=option,
            why="an affidavit swears to what was done",
            remedy="fix the day, or make the affidavit after it",
            command="fix the day, or make the affidavit after it; today's is given with --on",
        )
        for option, day in days
        if day is not None and day > on
    ]
    if faults:
        raise UsageError(faults)


def _require_agreement(pieces: "Sequence[MailPiece]") -> "tuple[MailPiece, ...]":
    """Return the letters in the order of the list, where each was mailed and each certified one has its number and its stamp.

    Raises
    ------
    QuestionError
        One has not; all are named by what is missing.
    """
    lacking: dict[str, list[MailPiece]] = {}
    for piece in pieces:
        missing = []
        if piece.sent is None:
            missing.append("the day of mailing")
        if piece.mail == "certified":
            missing += [] if piece.article_number else ["the article number"]
            missing += [] if piece.stamped else ["the stamped day"]
        if missing:
            lacking.setdefault(", ".join(missing[:-1]) + (" and " if missing[1:] else "") + missing[-1], []).append(piece)
    if lacking:
        # A line for what is missing, not for each letter: before anything is recorded that is the whole list.
        faults = [
            Fault(what=f"{named_pieces(some)} {'lacks' if len(some) == 1 else 'lack'} {what}") for what, some in lacking.items()
        ]
        lacking_count = sum(map(len, lacking.values()))
        summary = Fault(
            what=f"receipts and list do not agree: {lacking_count} of {len(pieces)} letters {'is' if lacking_count == 1 else 'are'} not complete in the ledger",
            why="the affidavit would swear to a mailing that is not shown",
            remedy="record what the receipts say",
            command="record what the receipts say: geonotice mail record or mail import",
        )
        raise QuestionError([summary, *faults])
    return tuple(pieces)


def _late_act(profile: "Profile", packet: "PacketRecord", kind: str, day: date | None, did: str) -> list[str]:
    """Return by how much a sign was posted or a notice published too late."""
    rules = {rule.id for rule in profile.of_kind(kind)} | (
        {rule.id for rule in profile.of_kind("publication")} if kind == "posting" else set()
    )
    found = [
        one
        for one in deadlines(profile, hearing=packet.notice.hearing, event=packet.notice.event)
        if one.rule in rules and one.bound == "latest" and one.reckoned_from == "hearing"
    ]
    if day is None or not found:
        return []
    last = min(found, key=lambda one: one.last_day)
    if day <= last.last_day:
        return []
    return [
        (
            f"LATE: {did} on {in_words(day)}; the last lawful day was {in_words(last.last_day)} ({last.citation}). A hearing held on this notice can be"
            " annulled. Ask the town attorney."
        )
    ]


def second_letter(
    town: "Town",
    profile: "Profile",
    packet: "PacketRecord",
    number: int,
    *,
    stating: Stating,
    address: Sequence[str],
    name: str = "",
    event: "Event | None" = None,
    out: Path | None = None,
) -> tuple["MailPiece", MailPapers]:
    """Write a second letter to a corrected address, and note it in the ledger.

    Raises
    ------
    UsageError
        There is no such letter, it did not come back as undeliverable, or no address is given.
    OutputError
        It cannot be written.
    RegisterError
        The register refuses.
    """
    lines = [line.strip() for line in address if line.strip()]
    recipient = next((one for one in mailed_recipients(packet) if one.number == number), None)
    if recipient is None:
        raise UsageError(
            Fault(
                what=f"no letter has the number {number}",
                remedy="choose one of the list",
                command="geonotice mail status TOWN PACKET shows them",
            )
        )
    if not lines:
        raise UsageError(
            Fault(
                what="no address is given",
                remedy="type the corrected one",
                command='give the corrected one: --address "LINE; CITY STATE ZIP"',
            )
        )
    corrected = replace(
        recipient,
        names=(name,) if name else recipient.names,
        address=tuple(lines),
        city="",
        state="",
        zip="",
        country="",
        review=tuple(code for code in recipient.review if code != "unmailable"),
    )
    piece = replace(first_letter(packet, corrected), address="\n".join(lines))
    last = require_undeliverable(ledger_of(town, packet), piece)
    notice, notes = _whole_notice(town, packet, profile, rule=recipient.reasons[0] if recipient.reasons else "")
    settings = _settings(town, profile, packet, event)
    words = CLERK if recipient.role == "clerk" else letter_words(notice.occasion)
    # The letter is of the day on which it is written, and of the same notice.
    dated = replace(notice, on=stating.on)
    shared = common_values(dated, settings, rule=recipient.reasons[0] if recipient.reasons else "")
    filled = fill_paper(words, settings, shared=shared, each=[letter_values(corrected)])
    stem = f"letter-{number}-{last.letter + 1}"
    # As with the first letters: a name that the type lacks would be printed by any font of this machine, or lost.
    if unprintable("\n".join(address_lines(corrected))):
        files = {f"{stem}.docx": filled.content}
        note = f"{stem}.pdf was not made: the name or address has letters that its type lacks. Print {stem}.docx from Word."
    else:
        files, note = print_paper(filled, name=stem)
    notes += [note] if note else []
    if blank := open_fields_note({f"{stem}.docx": filled.open_fields}):
        notes.append(blank)
    written = write_files(out or mail_folder(packet), files, keep=True)
    # The ledger last: a letter that could not be written is not noted.
    with open_town_register(town) as register:
        noted = add_letter(register, piece, now=stating.now, by=stating.by, why=f"to a corrected address: {', '.join(lines)}")
    return noted, MailPapers(files=written, notes=tuple(notes))


def _whole_notice(town: "Town", packet: "PacketRecord", profile: "Profile", *, rule: str = "") -> tuple["Notice", list[str]]:
    """Return the notice of a record with what the record does not keep: the clauses of the law, and the premises' own addresses, where these are at hand."""
    named = [rule, *(reason for one in packet.notice.recipients for reason in one.reasons)]
    rules = {one.id: one for one in profile.rules}
    clauses = tuple(
        Clause(name, rules[name].citation.place, " … ".join(rules[name].citation.words))
        for name in dict.fromkeys(named)
        if name in rules
    )
    notes: list[str] = []
    situs: tuple[str, ...] = ()
    try:
        with open_store(town.file) as opened:
            situs = tuple(opened.store.find(number).situs.text for number in packet.notice.premises)
    except (InputError, UsageError):
        notes.append(
            "The premises stand by their tax map numbers alone: the layers, from which their street addresses come, are not at hand."
        )
    return replace(packet.notice, clauses=clauses, premises_situs=situs), notes


def _settings(town: "Town", profile: "Profile", packet: "PacketRecord", event: "Event | None") -> "PaperSettings":
    """Return what the papers need; of the event what an event file says now, else what the packet's own papers said."""
    occasion = profile.occasions.get(packet.notice.occasion, packet.notice.occasion)
    return read_paper_settings(town, occasion=occasion, event=event, stated=packet.stated)
