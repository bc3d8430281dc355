"""Files of mail: results of a mailing service taken in, row by row, and the letters handed over to one."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from geonotice.address_spelling import normal_name
from geonotice.errors import Fault, InputError, UsageError
from geonotice.io.csv_tables import inert
from geonotice.io.output_files import write_file
from geonotice.recipients import numbers_text
from geonotice.register.cells import CellError, read_text
from geonotice.register.mail_ledger import Change, Recorded, changed_piece, date_faults, pieces_with_articles
from geonotice.register.pieces_and_article_numbers import DATES, OUTCOMES, MailPiece, grouped, read_article_number
from geonotice.register.session import read_town_register
from geonotice.register.sheets import NoResult, SheetColumns, read_sheet
from geonotice.register.written_days import Habits, read_day
from geonotice.workflow.mail import (
    MailRecorded,
    Stating,
    before_the_list,
    first_letter,
    late_of,
    ledger_of,
    mailed_recipients,
    record_mail,
    wrong_number,
)

if TYPE_CHECKING:
    from geonotice.config.town import Town
    from geonotice.packet.read_record import PacketRecord

__all__ = ["EXPORTED", "MailImported", "MailQuestion", "export_mail", "import_mail"]

EXPORTED = ("number", "letter", "name", "address", "mail", "article_number", *DATES, "receipt", "receipt_sha256")
"""The columns of an export; an import takes those of them that say what became of a letter."""

_ALIASES = {
    "no": "number", "list_number": "number", "reference": "number", "reference_number": "number", "ref": "number", "piece": "number",
    "recipient": "number", "sequence": "number",
    "article": "article_number", "article_no": "article_number", "tracking": "article_number", "tracking_number": "article_number",
    "certified_number": "article_number", "certified_mail_number": "article_number", "usps_tracking_number": "article_number",
    "usps_tracking_article_number": "article_number", "label_number": "article_number", "barcode": "article_number",
    "name_1": "name", "addressee": "name", "recipient_name": "name", "full_name": "name",
    "mail_date": "mailed", "mailed_on": "mailed", "date_mailed": "mailed", "mailing_date": "mailed", "sent": "mailed",
    "postmark": "stamped", "postmarked": "stamped", "stamp_date": "stamped", "date_stamped": "stamped", "accepted": "stamped",
    "delivered_on": "delivered", "date_delivered": "delivered", "delivery_date": "delivered",
    "returned_undeliverable": "undeliverable",
    "result": "status", "mail_status": "status", "delivery_status": "status", "event": "status",
    "date": "status_date", "event_date": "status_date", "date_of_status": "status_date",
}  # fmt: skip
_COLUMNS = ("number", "letter", "article_number", "name", *DATES, "status", "status_date")
_WORD = re.compile(r"[^a-z0-9]+")

_STATUSES: Mapping[str, str] = {
    "undeliverable": "undeliverable", "insufficient address": "undeliverable", "no such number": "undeliverable",
    "no such street": "undeliverable", "attempted not known": "undeliverable", "not deliverable": "undeliverable", "vacant": "undeliverable",
    "moved": "undeliverable", "addressee unknown": "undeliverable", "unable to forward": "undeliverable", "deceased": "undeliverable",
    "no mail receptacle": "undeliverable", "unclaimed": "unclaimed", "refused": "refused", "delivered": "delivered",
}  # fmt: skip
"""What a mailing service calls an outcome, by words that stand in it: the reasons for which the post office returns a letter, then the plain ones."""
_ON_ITS_WAY = (
    "in transit",
    "out for delivery",
    "accepted",
    "arrived",
    "departed",
    "mailed",
    "pre-shipment",
    "notice left",
    "available for pickup",
)


class MailQuestion(Struct, frozen=True):
    """A row that could not be taken: its number in the file, its cells, and why."""

    n: int
    cells: Mapping[str, str]
    why: str


class MailImported(Struct, frozen=True, kw_only=True):
    """What became of a file: what was recorded, the rows that were not taken, and the file that they were written to."""

    done: MailRecorded
    rows: int
    questions: tuple[MailQuestion, ...] = ()
    questions_file: Path | None = None
    remarks: tuple[str, ...] = ()


def import_mail(
    town: "Town", packet: "PacketRecord", file: Path, stating: Stating, *, sheet: str | None = None, dry_run: bool = False
) -> MailImported:
    """Take numbers, days and outcomes of letters in from a table: the rows that are sound, all of them or none; the others become questions.

    Raises
    ------
    InputError
        The file cannot be read, or lacks the columns by which a letter is found.
    RegisterError
        The register refuses; nothing was written.
    OutputError
        The file of questions cannot be written.
    """
    table = read_sheet(file, sheet=sheet, columns=SheetColumns(_known_columns, _require_columns))
    ledger = ledger_of(town, packet)
    reader = _Reader(packet, ledger, on=stating.on)
    rows = [read for row in table.rows if (read := reader.read(row.n, row.cells)) is not None]
    rows = _without_clashes(rows, _bearers(town, rows), packet.identity)
    taken = {row.number: row.change for row in rows if not row.faults}
    questions = tuple(MailQuestion(row.n, row.cells, "; ".join(row.faults)) for row in rows if row.faults)
    doubts = tuple(doubt for row in rows if not row.faults for doubt in row.doubts)
    followed = (
        [f"rows {numbers_text(reader.followed)} are about letters that another letter has followed: not read"]
        if reader.followed
        else []
    )
    remarks = [
        *followed,
        *table.remarks,
        *_about_columns(table.columns),
        *(["dates such as 7/4/2026 were read month first"] if reader.month_first else []),
    ]
    dated = reader.dated(taken) if dry_run else ()
    done = MailRecorded(
        packet=packet,
        recorded=Recorded(pieces=(), changed=()),
        late=late_of(town, packet, dated),
        doubts=(*doubts, *before_the_list(packet, dated)),
    )
    questions_file = None
    if not dry_run:
        if taken:
            done = record_mail(town, packet, taken, stating, action="import", why=file.name, doubts=doubts)
        if questions:
            questions_file = _free(file.with_name(f"{file.stem}-questions.csv"))
            write_file(questions_file, _questions_csv(table.columns, questions))
    return MailImported(done=done, rows=len(rows), questions=questions, questions_file=questions_file, remarks=tuple(remarks))


def _free(file: Path) -> Path:
    """Return a name beside this one that no file has: what somebody has answered in an earlier file of questions stays."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_name(f"{file.stem}-{number}{file.suffix}")
    return free


def _column(name: object) -> str:
    plain = _WORD.sub("_", str(name or "").casefold()).strip("_")
    found = _ALIASES.get(plain, plain)
    return found if found in _COLUMNS else ""


def _known_columns(names: Iterable[object]) -> int:
    return len({found for name in names if (found := _column(name))})


def _require_columns(path: Path, names: Iterable[str]) -> None:
    known = {_column(name) for name in names}
    faults = []
    if not known & {"number", "article_number"}:
        what = "no column says which letter a row is about"
        faults.append(
            Fault(what=what, file=str(path), key="number", remedy="name it `number`: the recipient's number on the list")
        )
    if not known - {"", "number", "letter", "name"}:
        what = "no column says what became of the letters"
        remedy = f"name them: {', '.join(('article_number', *DATES))}; or status and status_date"
        faults.append(Fault(what=what, file=str(path), key="article_number", remedy=remedy))
    if faults:
        raise InputError(faults)


def _about_columns(columns: Sequence[str]) -> list[str]:
    return [
        f"the column {name!r} was not read"
        for name in columns
        if not _column(name) and _WORD.sub("_", name.casefold()).strip("_") not in EXPORTED
    ]


class _Row(NamedTuple):
    n: int
    cells: dict[str, str]
    number: int
    change: Change
    faults: tuple[str, ...]
    doubts: tuple[str, ...]


class _Reader:
    """Reads one row after the other, each with all its faults."""

    def __init__(self, packet: "PacketRecord", ledger: Sequence[MailPiece], *, on: date) -> None:
        self._packet = packet
        self._recipients = {one.number: one for one in mailed_recipients(packet)}
        self._pieces = {number: first_letter(packet, one) for number, one in self._recipients.items()}
        self._pieces |= {piece.number: piece for piece in ledger}
        self._by_article = {piece.article_number: piece.number for piece in ledger if piece.article_number}
        self._on = on
        self.month_first = False
        self.followed: list[int] = []

    def read(self, n: int, cells: Mapping[str, Any]) -> _Row | None:
        """Read a row; None where it is about a letter that another one has followed, which stands as it is."""
        faults: list[str] = []
        doubts: list[str] = []
        named: dict[str, Any] = {}
        for name, cell in cells.items():
            column = _column(name)
            if isinstance(cell, NoResult):
                faults.append(f"{name}: the formula {cell} was saved without its result; save the file again in Excel")
            elif column and column not in named and read_text(cell):
                named[column] = cell
        article = self._article(named, faults, doubts)
        number = self._number(named, article, faults)
        letter = read_text(named.get("letter"))
        if letter and number in self._pieces and letter != str(self._pieces[number].letter):
            if letter.isdecimal() and int(letter) < self._pieces[number].letter:
                self.followed.append(n)
                return None
            faults.append(f"letter: No. {number} has no letter {letter}")
        values: dict[str, Any] = {"article_number": article or None}
        for name in DATES:
            values[name] = self._day(named, name, faults)
        self._status(named, values, faults)
        if sum(values[name] is not None for name in OUTCOMES) > 1:
            faults.append(f"one letter has one outcome; the row gives {' and '.join(name for name in OUTCOMES if values[name])}")
        if not any(value is not None for value in values.values()) and not faults:
            faults.append("the row says nothing of what became of the letter")
        change = Change(**values)
        if number in self._pieces:
            self._judge(number, change, named, faults)
        shown = {name: read_text(cell) for name, cell in cells.items()}
        return _Row(
            n,
            shown,
            number,
            change,
            tuple(faults),
            tuple(f"Row {n}: No. {number}: check the article number: {doubt}." for doubt in doubts),
        )

    def dated(self, taken: Mapping[int, Change]) -> list[MailPiece]:
        """Return the letters whose day of mailing rows state, as they would be."""
        return [
            changed_piece(self._pieces[number], change) for number, change in taken.items() if change.mailed or change.stamped
        ]

    def _article(self, named: Mapping[str, Any], faults: list[str], doubts: list[str]) -> str:
        text = read_text(named.get("article_number"))
        if not text:
            return ""
        if isinstance(named["article_number"], float) or re.fullmatch(r"\d+(?:\.\d+)?E\+?\d+", text, re.IGNORECASE):
            faults.append(
                f"article_number: {text} was rounded by a spreadsheet; give the column the format of text, and enter it again"
            )
            return ""
        found = read_article_number(text)
        if found is None:
            faults.append(f"article_number: {text!r} is no article number")
            return ""
        doubts += [found.doubt] if found.doubt else []
        return found.number

    def _number(self, named: Mapping[str, Any], article: str, faults: list[str]) -> int:
        text = read_text(named.get("number"))
        if not text:
            if article in self._by_article:
                return self._by_article[article]
            said = (
                f"no letter of this packet has the article number {grouped(article)} in the ledger"
                if article
                else "the row names no letter"
            )
            faults.append(f"number: {said}; give the recipient's number on the list")
            return 0
        if not re.fullmatch(r"\d{1,9}", text):
            faults.append(f"number: {text!r} is not a number on the list")
            return 0
        if why := wrong_number(self._packet, int(text)):
            faults.append(f"number: {why}")
            return 0
        return int(text)

    def _day(self, named: Mapping[str, Any], column: str, faults: list[str]) -> date | None:
        try:
            found = read_day(named.get(column), Habits(year=self._on.year))
        except CellError as error:
            faults.append(f"{column}: {error}")
            return None
        self.month_first = self.month_first or found.month_first
        return found.starts

    def _status(self, named: Mapping[str, Any], values: dict[str, Any], faults: list[str]) -> None:
        """Read the words of a mailing service: an outcome with its day; what is on its way says nothing yet."""
        words = " ".join(re.sub(r"[^a-z-]+", " ", read_text(named.get("status")).casefold()).split())
        if not words:
            return
        outcome = next((name for said, name in _STATUSES.items() if said in words), None)
        if outcome is None:
            if not any(said in words for said in _ON_ITS_WAY):
                faults.append(
                    f"status: {words!r} is not known; write delivered, refused, unclaimed or undeliverable: only the last asks for a second letter"
                )
            return
        day = self._day(named, "status_date", faults)
        if day is None and values[outcome] is None:
            faults.append(f"status_date: the day on which it was {outcome} is missing")
        values[outcome] = values[outcome] or day

    def _judge(self, number: int, change: Change, named: Mapping[str, Any], faults: list[str]) -> None:
        """Return what does not fit the letter: another name, days that cannot be, no address."""
        piece = self._pieces[number]
        name = read_text(named.get("name"))
        names = piece.name.split("\n")
        if name and not {normal_name(name), normal_name(re.split("[\n;]", name)[0])} & {
            *map(normal_name, names),
            normal_name(names),
        }:
            faults.append(f"name: No. {number} of this packet is {names[0]}, not {name}; the file may be of another packet")
        if not piece.address:
            faults.append(f"No. {number} has no address on the list; record the address first")
        faults += date_faults(changed_piece(piece, change), on=self._on)


def _bearers(town: "Town", rows: Iterable[_Row]) -> dict[str, MailPiece]:
    """Return which letters of the register bear the article numbers of a file."""
    with read_town_register(town) as register, register.reading() as connection:
        return pieces_with_articles(connection, [row.change.article_number for row in rows if row.change.article_number])


def _without_clashes(rows: Sequence[_Row], bearers: Mapping[str, MailPiece], packet: str) -> list[_Row]:
    """Mark rows that name one letter, or one article number, twice: neither is taken, since nobody can tell which is right.

    A number that another letter bears is no clash where the file gives that letter another one.
    """
    given = {row.number: row.change.article_number for row in rows if row.change.article_number}
    letters: dict[int, list[int]] = {}
    articles: dict[str, list[int]] = {}
    for row in rows:
        if row.number:
            letters.setdefault(row.number, []).append(row.n)
        if row.change.article_number:
            articles.setdefault(row.change.article_number, []).append(row.n)
    made = []
    for row in rows:
        more = []
        if row.number and len(others := letters[row.number]) > 1:
            more.append(f"No. {row.number} stands in rows {', '.join(map(str, others))}")
        if (article := row.change.article_number) and len(others := articles[article]) > 1:
            more.append(f"the article number {grouped(article)} stands in rows {', '.join(map(str, others))}")
        other = bearers.get(row.change.article_number or "")
        if other is not None and (
            other.packet != packet or (other.number != row.number and given.get(other.number) in {None, other.article_number})
        ):
            more.append(
                f"the article number {grouped(other.article_number)} is on {other.label} ({other.name.partition(chr(10))[0]}) in the ledger"
            )
        made.append(row._replace(faults=(*row.faults, *more)))
    return made


def _questions_csv(columns: Sequence[str], questions: Sequence[MailQuestion]) -> bytes:
    names = [name for name in columns if name != "question"]
    rows = [[*(question.cells.get(name, "") for name in names), question.why] for question in questions]
    return _csv([*names, "question"], rows)


def _csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(heads)
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return ("\ufeff" + stream.getvalue()).encode()


def export_mail(town: "Town", packet: "PacketRecord", file: Path) -> int:
    """Write the letters of a packet with what is known of each as CSV, for a mailing service or the file; return how many there are.

    Raises
    ------
    UsageError
        The file is no CSV, or is there already.
    OutputError
        It cannot be written.
    """
    if file.suffix.casefold() != ".csv":
        raise UsageError(
            Fault(
                what=f"the letters are written as CSV, not as {file.suffix or 'a file without an ending'}", remedy="name a .csv"
            )
        )
    if file.exists():
        raise UsageError(Fault(what="this file is there already", file=str(file), remedy="name a new one, or move it away"))
    there = ledger_of(town, packet)
    known = {piece.number for piece in there}
    fresh = [first_letter(packet, one) for one in mailed_recipients(packet) if one.number not in known]
    pieces = sorted((*there, *fresh), key=lambda piece: (piece.number, piece.letter))
    write_file(file, _csv(EXPORTED, [[_cell(getattr(piece, name)) for name in EXPORTED] for piece in pieces]))
    return len(pieces)


def _cell(value: object) -> str:
    return "" if value is None else value.isoformat() if isinstance(value, date) else str(value).replace("\n", "; ")
