"""The mail of a packet at the desk: article numbers scanned one after the other, days, what came back, and the papers made of the ledger."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from geonotice.errors import Fault, GeonoticeError, InputError, QuestionError, UsageError
from geonotice.register.mail_ledger import Change
from geonotice.register.pieces_and_article_numbers import DATES, OUTCOMES, grouped
from geonotice.web.desk import Desk, desk_of, fields_of, files_of, session_of
from geonotice.web.forms_and_uploads import day_given
from geonotice.web.packet_desk import packet_link, packet_named
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.mail import (
    Stating,
    keep_receipt,
    ledger_of,
    letter_meant,
    mailed_recipients,
    numbers_named,
    numbers_to_record,
    open_packet,
    read_article,
    record_mail,
)
from geonotice.workflow.mail_files import import_mail
from geonotice.workflow.mail_papers import AffidavitOf, affidavit, second_letter
from geonotice.workflow.mail_status import mail_status
from geonotice.workflow.notice_costs import read_dollars, write_invoice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from geonotice.config.town import Town
    from geonotice.packet.read_record import PacketRecord
    from geonotice.workflow.mail import MailRecorded

__all__ = ["router"]

router = APIRouter()

_CLEARED = ("article_number", *DATES, "receipt")
_WORDS = {
    "article_number": "article number",
    "mailed": "handed to the post office",
    "stamped": "round stamp on the receipt",
    "delivered": "delivered",
    "refused": "refused",
    "unclaimed": "not called for",
    "undeliverable": "came back for its address",
    "receipt": "receipt",
}
_KINDS = ("mailing", "posting", "publication")


class _Given:
    """What a form of the mail page holds, and the packet that it is about."""

    def __init__(self, request: Request) -> None:
        self.desk: Desk = desk_of(request)
        self.by = session_of(request).name
        self._fields = fields_of(request)
        self.faults: list[Fault] = []
        self.name = self.text("name")
        self.folder: Path = packet_named(self.desk, self.name)
        self.town, self.packet = open_packet(self.desk.place, self.folder)

    def text(self, name: str) -> str:
        """Return a field, without blanks at its ends."""
        return next(iter(self._fields.get(name, ())), "").strip()

    def several(self, name: str) -> list[str]:
        """Return a field that may stand several times."""
        return [text for text in self._fields.get(name, ()) if text.strip()]

    def day(self, name: str, what: str, *, needed: bool = False) -> "date | None":
        """Return a day; what is wrong with it is kept."""
        found = day_given(self.text(name), name, what, self.faults)
        if needed and not self.text(name):
            self.faults.append(Fault(what=f"{what} is not given", remedy="choose it in the calendar", key=name))
        return found

    def require(self) -> None:
        """Refuse where a field has a fault."""
        if self.faults:
            raise UsageError(self.faults)

    @property
    def stating(self) -> Stating:
        """Who records something, and when."""
        return Stating(now=self.desk.now(), on=self.desk.today(), by=self.by)

    @property
    def typed(self) -> dict[str, str]:
        """The fields as they were typed."""
        return {name: next(iter(values), "") for name, values in self._fields.items()}


@router.get("/packet/mail")
def show(request: Request) -> Response:
    """Show how the mail of a packet stands."""
    desk, name = desk_of(request), request.query_params.get("name", "")
    town, packet = open_packet(desk.place, packet_named(desk, name))
    return _page(request, desk, name, town, packet)


def _page(
    request: Request,
    desk: Desk,
    name: str,
    town: "Town",
    packet: "PacketRecord",
    *,
    faults: "Sequence[Fault]" = (),
    typed: "Mapping[str, str] | None" = None,
    **more: Any,  # noqa: ANN401  # what the template takes
) -> Response:
    from geonotice.ordinance.load import profile_and_name_of_town

    profile, _ = profile_and_name_of_town(desk.place)
    on = desk.today()
    status = mail_status(town, profile, packet, on=on)
    known = {"mailed_day": on.isoformat(), "card_day": on.isoformat(), "deponent": session_of(request).name}
    last = {piece.number: piece.letter for piece in status.pieces}
    return page(
        request,
        "mail.html",
        status=400 if faults else 200,
        town=town.name,
        name=name,
        packet=packet,
        links_to={to: packet_link(to, name) for to in ("/packet", "/packet/mail")},
        heading=profile.occasions.get(packet.notice.occasion, packet.notice.occasion),
        state=status,
        back=[piece for piece in status.pieces if piece.state == "undeliverable" and piece.letter == last[piece.number]],
        last=last,
        counts=[
            (state, n) for state in ("not mailed", "mailed", "stamped", *OUTCOMES) if (n := status.count(cast("Any", state)))
        ],
        on=on,
        grouped=grouped,
        words=_WORDS,
        cleared=_CLEARED,
        outcomes=OUTCOMES,
        costs=any(rule.cost_of_notices for rule in profile.rules),
        faults=faults,
        links={fault: fault.key for fault in faults if fault.key},
        typed=defaultdict(str, known | dict(typed or {})),
        **({"preview": None} | more),
    )


def _done(request: Request, work: "Callable[[_Given], Sequence[str]]", *, at: str = "") -> Response:
    """Do what a form asks, and show the page again: with what was done, or with what is in the way."""
    given = _Given(request)
    link = packet_link("/packet/mail", given.name)
    if not given.by:
        return who_first(link)
    try:
        said = work(given)
    except (UsageError, InputError, QuestionError) as error:
        return _page(request, given.desk, given.name, given.town, given.packet, faults=error.faults, typed=given.typed)
    session_of(request).said += said
    return see_other(link + at)


def _told(done: "MailRecorded") -> list[str]:
    changed = done.recorded.changed
    named = ", ".join(piece.label for piece in changed[:10]) + (f" and {len(changed) - 10} more" if len(changed) > 10 else "")  # noqa: PLR2004  # enough to see which
    states = ", ".join(sorted({piece.state for piece in changed}))
    first = f"Recorded: {named} ({states})." if changed else "The ledger has it already: nothing was changed."
    return [first, *done.late, *done.doubts, *done.recorded.corrected]


@router.post("/packet/mail/article")
def take_article(request: Request) -> Response:
    """Record one article number as it is scanned; the answer is for the script, which goes on to the next field where it was saved."""
    given = _Given(request)
    if not given.by:
        return _answer(saved=False, said="Not saved: give your name first, at the top of the page.")
    text = given.text("article")
    try:
        number = numbers_to_record(given.packet, numbers_named(given.text("number")), everyone=False)[0]
        article, doubt = read_article(text, number)
        if doubt and given.text("sure") != text:
            return _answer(saved=False, doubt=True, said=f"{doubt} Not saved. The same number once more takes it as it is.")
        done = record_mail(given.town, given.packet, {number: Change(article_number=article)}, given.stating)
    except GeonoticeError as error:
        return _answer(saved=False, said=" ".join(f"{fault.what[:1].upper()}{fault.what[1:]}." for fault in error.faults))
    return _answer(saved=True, shown=grouped(article), said=" ".join(["Saved.", *done.recorded.corrected]))


def _answer(*, saved: bool, said: str, doubt: bool = False, shown: str = "") -> Response:
    return JSONResponse({"saved": saved, "said": said, "doubt": doubt, "shown": shown})


@router.post("/packet/mail/articles")
def take_articles(request: Request) -> Response:
    """Record all article numbers of the table at once: for browsers without the script."""

    def work(given: _Given) -> "Sequence[str]":
        changes, doubts = {}, []
        known = {piece.number: piece.article_number for piece in ledger_of(given.town, given.packet)}
        for number in (one.number for one in mailed_recipients(given.packet)):
            if text := given.text(f"article-{number}"):
                article, doubt = read_article(text, number)
                if article != known.get(number):
                    changes[number] = Change(article_number=article)
                    doubts += [doubt] if doubt else []
        return _told(record_mail(given.town, given.packet, changes, given.stating, doubts=doubts))

    return _done(request, work)


@router.post("/packet/mail/sent")
def take_sent(request: Request) -> Response:
    """Record the day on which letters were handed over or stamped: of those named, or of all."""

    def work(given: _Given) -> "Sequence[str]":
        day = given.day("mailed_day", "the day", needed=True)
        what = given.text("what")
        if what not in {"mailed", "stamped"}:
            given.faults.append(Fault(what="what happened on that day is not stated", remedy="choose it", key="what"))
        given.require()
        everyone = not given.text("numbers")
        numbers = numbers_to_record(given.packet, numbers_named(given.text("numbers")), everyone=everyone)
        if everyone:
            there = {piece.number for piece in ledger_of(given.town, given.packet) if getattr(piece, what)}
            numbers = tuple(number for number in numbers if number not in there)
        return _told(record_mail(given.town, given.packet, dict.fromkeys(numbers, _dated(what, day)), given.stating))

    return _done(request, work)


@router.post("/packet/mail/card")
def take_card(request: Request) -> Response:
    """Record a card or a letter that came back: its number, or what is scanned from it."""

    def work(given: _Given) -> "Sequence[str]":
        day, outcome = given.day("card_day", "the day", needed=True), given.text("outcome")
        if outcome not in OUTCOMES:
            given.faults.append(Fault(what="what became of the letter is not stated", remedy="choose it", key="outcome"))
        if not given.text("which"):
            given.faults.append(Fault(what="no letter is named", remedy="scan the card, or type the number", key="which"))
        given.require()
        number = letter_meant(given.packet, ledger_of(given.town, given.packet), given.text("which"))
        receipt, sha256 = None, None
        if files := files_of(request).get("receipt"):
            receipt, sha256 = keep_receipt(given.town, given.desk.kept.file(given.desk.kept.keep(files[0])))
        change = _dated(outcome, day, receipt=receipt, receipt_sha256=sha256, address=_lines(given) or None)
        return _told(record_mail(given.town, given.packet, {number: change}, given.stating))

    return _done(request, work, at="#card")


@router.post("/packet/mail/address")
def take_address(request: Request) -> Response:
    """Record the address that was written by hand on a letter that had none on the list."""

    def work(given: _Given) -> "Sequence[str]":
        numbers = numbers_to_record(given.packet, numbers_named(given.text("number")), everyone=False)
        if len(numbers) > 1 or not _lines(given):
            raise UsageError(Fault(what="an address is of one letter", remedy="give one number, and the address", key="hand"))
        return _told(record_mail(given.town, given.packet, {numbers[0]: Change(address=_lines(given))}, given.stating))

    return _done(request, work, at="#hand")


@router.post("/packet/mail/clear")
def take_back(request: Request) -> Response:
    """Take out what was recorded by mistake; the log keeps it."""

    def work(given: _Given) -> "Sequence[str]":
        names = [name for name in given.several("clear") if name in _CLEARED]
        if not names:
            raise UsageError(Fault(what="nothing is chosen to be taken out", remedy="mark what was wrong", key="undo"))
        numbers = numbers_to_record(given.packet, numbers_named(given.text("number")), everyone=False)
        changes = dict.fromkeys(numbers, Change(clear=tuple(names)))
        return _told(record_mail(given.town, given.packet, changes, given.stating))

    return _done(request, work, at="#undo")


def _dated(name: str, day: "date | None", **more: Any) -> Change:  # noqa: ANN401  # those of a change
    """Return a change that states one of the days of a letter, by its name."""
    return Change(**{name: day, **more})


def _lines(given: _Given) -> str:
    return "\n".join(line.strip() for line in given.text("address").splitlines() if line.strip())


@router.post("/packet/mail/import")
def take_table(request: Request) -> Response:
    """Look a mailing service's table through, and take it in once its preview was seen."""
    given = _Given(request)
    if not given.by:
        return who_first(packet_link("/packet/mail", given.name))
    files = files_of(request).get("file")
    if not files and not given.text("table"):
        fault = Fault(what="no table is chosen", remedy="choose the file that the mailing service sent", key="table")
        return _page(request, given.desk, given.name, given.town, given.packet, faults=[fault], typed=given.typed)
    try:
        key = given.desk.kept.keep(files[0]) if files else given.text("table")
        file = given.desk.kept.file(key)
        sure = given.text("sure") == "yes"
        found = import_mail(given.town, given.packet, file, given.stating, dry_run=not sure)
    except (UsageError, InputError) as error:
        return _page(request, given.desk, given.name, given.town, given.packet, faults=error.faults, typed=given.typed)
    if not sure:
        preview = {"key": key, "file": file.name, "found": found, "taken": found.rows - len(found.questions)}
        return _page(request, given.desk, given.name, given.town, given.packet, preview=preview)
    said = [
        f"{found.rows - len(found.questions)} of {found.rows} rows of {file.name} were taken.",
        *found.done.late,
        *found.done.doubts,
    ]
    said += [*found.done.recorded.corrected, *(f"Row {one.n} was not taken: {one.why}." for one in found.questions)]
    session_of(request).said += said
    return see_other(packet_link("/packet/mail", given.name))


@router.post("/packet/mail/second")
def write_second(request: Request) -> Response:
    """Write a second letter to a corrected address."""

    def work(given: _Given) -> "Sequence[str]":
        from geonotice.ordinance.load import profile_and_name_of_town

        profile, _ = profile_and_name_of_town(given.desk.place)
        number = numbers_to_record(given.packet, numbers_named(given.text("number")), everyone=False)[0]
        piece, papers = second_letter(
            given.town,
            profile,
            given.packet,
            number,
            stating=given.stating,
            address=given.text("address").splitlines(),
            name=given.text("other_name"),
        )
        to = ", ".join(piece.address.splitlines())
        return [f"{piece.label} is noted, to {to}. Record it when it is mailed.", *_written(papers.files), *papers.notes]

    return _done(request, work)


@router.post("/packet/mail/affidavit")
def write_affidavit(request: Request) -> Response:
    """Fill an affidavit from the ledger."""

    def work(given: _Given) -> "Sequence[str]":
        from geonotice.ordinance.load import profile_and_name_of_town

        kind = given.text("kind")
        if kind not in _KINDS:
            given.faults.append(Fault(what="which affidavit is not stated", remedy="choose it", key="affidavit"))
        posted = given.day("posted", "the day of posting") if kind == "posting" else None
        published = given.day("published", "the day of publication") if kind == "publication" else None
        given.require()
        stated = AffidavitOf(
            deponent=given.text("deponent"),
            posted=posted,
            newspaper=given.text("newspaper") if kind == "publication" else "",
            published=(published,) if published else (),
        )
        profile, _ = profile_and_name_of_town(given.desk.place)
        papers = affidavit(given.town, profile, given.packet, kind, stated, on=given.desk.today())
        return [*_written(papers.files), *papers.notes]

    return _done(request, work)


@router.post("/packet/mail/invoice")
def make_invoice(request: Request) -> Response:
    """Write the invoice on the actual cost of the notices."""

    def work(given: _Given) -> "Sequence[str]":
        paid = given.day("paid", "the day of payment")
        mailed = given.day("invoice_mailed", "the day of mailing")
        given.require()
        amounts = {
            name: read_dollars(text, key=name) for name in ("publication", "paper", "amount") if (text := given.text(name))
        }
        bill, files, note = write_invoice(
            given.desk.place,
            given.folder,
            on=given.desk.today(),
            mailed_on=mailed,
            publication=amounts.get("publication"),
            paper=amounts.get("paper"),
            payments=[(paid, amounts.get("amount"))] if paid else (),
        )
        total = f"The total is ${bill.total:,}." if bill.total is not None else f"So far it is ${bill.known:,}; amounts are open."
        due = f" Still due: ${bill.still_due:,}." if bill.still_due is not None else ""
        return [f"{total}{due}", *_written(files), *([note] if note else [])]

    return _done(request, work)


def _written(files: "Sequence[Path]") -> list[str]:
    return [f"Written: {', '.join(file.name for file in files)}. The papers of this mailing are listed with the packet."]
