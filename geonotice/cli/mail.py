"""``mail``: the ledger of the letters of a packet, and the papers made from it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    StrictOption,
    TownArgument,
    app,
    as_day,
    clock,
    print_json,
    say,
    stands,
    takes,
    today,
    who,
)
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.register.mail_ledger import Change
    from geonotice.workflow.mail import MailRecorded, Stating

__all__ = [
    "PacketArgument",
    "affidavit",
    "export",
    "import_",
    "invoice",
    "mail",
    "record",
    "second",
    "status",
]


mail = typer.Typer(
    no_args_is_help=True,
    help="The mail of a packet: what was mailed, stamped, delivered, returned; affidavits, second letters, the invoice.",
)
app.add_typer(mail, name="mail")

PacketArgument = Annotated[Path, typer.Argument(metavar="PACKET", help="The folder that notice --out wrote.")]


@mail.command()
def invoice(
    town: TownArgument,
    packet: PacketArgument,
    *,
    publication: Annotated[str | None, typer.Option(metavar="DOLLARS", help="What the publication cost, such as 84.20.")] = None,
    paper: Annotated[str | None, typer.Option(metavar="DOLLARS", help="What paper and printing cost.")] = None,
    paid: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATE[=DOLLARS]", help="What was paid, and when; without an amount, all that was due. May be repeated."
        ),
    ] = None,
    mailed: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The day of mailing, whose postage counts; else the ledger's, or the day the list was made."
        ),
    ] = None,
    event: Annotated[Path | None, typer.Option(metavar="FILE", help="The event file, which names the applicant.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write it into this folder instead of the packet.")] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Write the invoice on the actual cost of the notices, where the law has the applicant pay it; an earlier one is kept."""
    from geonotice.workflow.application import read_stated_event
    from geonotice.workflow.notice_costs import write_invoice

    bill, files, note = write_invoice(
        town,
        packet,
        on=today(on),
        mailed_on=as_day(mailed, "--mailed"),
        publication=_dollars(publication, "--publication"),
        paper=_dollars(paper, "--paper"),
        payments=[_payment(one) for one in paid or ()],
        event=read_stated_event(event).event if event else None,
        out=out,
    )
    stands("The invoice was written")
    if note:
        say(f"! {note}")
    if json_:
        print_json(
            {
                "lines": [
                    {"what": one.what, "pieces": one.pieces, "each": _text(one.each), "amount": _text(one.amount)}
                    for one in bill.lines
                ],
                "known": _text(bill.known),
                "total": _text(bill.total),
                "paid": [{"on": one.on.isoformat(), "amount": _text(one.amount)} for one in bill.payments],
                "still_due": _text(bill.still_due),
                "files": [str(file) for file in files],
                "note": note,
            }
        )
        return
    for line in bill.lines:
        counted = "" if line.pieces is None else f" ({line.pieces} x {line.each})"
        typer.echo(f"{line.what}{counted}: {_text(line.amount) or 'not stated yet'}")
    typer.echo(f"Total: {_text(bill.total) or f'{bill.known} so far'}")
    for payment in bill.payments:
        typer.echo(f"Paid on {payment.on.isoformat()}: {payment.amount}")
    if bill.still_due is not None:
        typer.echo(f"Still due: {bill.still_due}" if bill.still_due >= 0 else f"Paid too much: {-bill.still_due}")
    say(f"Written: {', '.join(map(str, files))}")


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _dollars(text: str | None, option: str) -> Decimal | None:
    from geonotice.workflow.notice_costs import read_dollars

    return None if text is None else read_dollars(text, key=option)


def _payment(text: str) -> tuple[date, Decimal | None]:
    day, _, amount = text.partition("=")
    paid = as_day(day.strip(), "--paid")
    assert paid is not None  # noqa: S101  # there is a text
    return paid, _dollars(amount or None, "--paid")


# ---- the ledger


Numbers = Annotated[list[int] | None, typer.Argument(metavar="NUMBER...", help="The recipients' numbers on the list.")]
AddressOption = Annotated[
    str,
    typer.Option(
        "--address", metavar="LINES", help='The address, its lines parted by semicolons: "12 Main St; Naples NY 14512".'
    ),
]
EventOption = Annotated[
    Path | None,
    typer.Option("--event", metavar="FILE", help="The event file, for what the letter or affidavit states of the event."),
]
OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write into this folder instead of PACKET-mail beside the packet.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOptions:
    """What ``mail record`` takes: what became of letters."""

    article: Annotated[
        str | None, typer.Option(metavar="N", help="The article number on the certified label, scanned or typed; of one letter.")
    ] = None
    address: AddressOption = ""
    mailed: Annotated[str | None, typer.Option(metavar="DATE", help="Handed to the post office.")] = None
    stamped: Annotated[str | None, typer.Option(metavar="DATE", help="The day of the round stamp on the receipt.")] = None
    delivered: Annotated[str | None, typer.Option(metavar="DATE", help="Delivered.")] = None
    refused: Annotated[str | None, typer.Option(metavar="DATE", help="Refused by the recipient; needs no second letter.")] = None
    unclaimed: Annotated[str | None, typer.Option(metavar="DATE", help="Not called for; needs no second letter.")] = None
    undeliverable: Annotated[
        str | None, typer.Option(metavar="DATE", help="Came back for its address; asks for a second letter.")
    ] = None
    receipt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its receipt, such as the PDF of an electronic one; a copy is kept with its hash."),
    ] = None
    clear: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Take out what was recorded by mistake: mailed, stamped …; the log keeps it."),
    ] = None

    def change(self, *, number: str | None, receipt: tuple[str, str] | None) -> "Change":
        """Return what is recorded."""
        from geonotice.register.mail_ledger import Change
        from geonotice.register.pieces_and_article_numbers import DATES

        known = ("article_number", *DATES, "receipt")
        names = [name.replace("-", "_") for name in self.clear or ()]
        if strange := [name for name in names if name not in known]:
            raise UsageError(Fault(what=f"--clear knows no {', '.join(strange)}", remedy=f"name one of: {', '.join(known)}"))
        return Change(
            article_number=number,
            address="\n".join(_lines(self.address)) or None,
            receipt=receipt and receipt[0],
            receipt_sha256=receipt and receipt[1],
            clear=tuple(names),
            **{name: as_day(getattr(self, name), f"--{name}") for name in DATES},
        )


@mail.command()
@takes(RecordOptions)
def record(
    town: TownArgument,
    packet: PacketArgument,
    numbers: Numbers = None,
    *,
    options: RecordOptions,
    everyone: Annotated[bool, typer.Option("--all", help="All letters of the packet, for --mailed and --stamped.")] = False,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Record what became of letters: article number, mailed, stamped, delivered, refused, unclaimed, undeliverable, receipt."""
    from geonotice.workflow.mail import keep_receipt, numbers_to_record, open_packet, read_article, record_mail

    opened, found = open_packet(town, packet)
    meant = numbers_to_record(found, numbers or (), everyone=everyone)
    _require_single(options, meant, everyone=everyone)
    number, doubt = read_article(options.article, meant[0]) if options.article is not None else (None, "")
    change = options.change(number=number, receipt=None)
    if change == type(change)() and options.receipt is None:
        raise UsageError(Fault(what="nothing is recorded", remedy="give --mailed DATE, --article N or another option"))
    stating = _stating(by, on)
    if options.receipt is not None:
        change = options.change(number=number, receipt=keep_receipt(opened, options.receipt))
    done = record_mail(opened, found, dict.fromkeys(meant, change), stating, doubts=[doubt] if doubt else [])
    _tell(done, json_=json_)


def _require_single(options: RecordOptions, meant: tuple[int, ...], *, everyone: bool) -> None:
    """Refuse for several letters what one letter alone has."""
    alone = {"--article": options.article is not None, "--address": bool(options.address)}
    of_each = {f"--{name}": getattr(options, name) is not None for name in ("delivered", "refused", "unclaimed", "undeliverable")}
    of_each["--clear"] = bool(options.clear)
    faults = [
        Fault(what=f"{name} is of one letter", remedy="name one number")
        for name, given in alone.items()
        if given and len(meant) > 1
    ]
    faults += [
        Fault(what=f"{name} is not for --all", why="letters end in different ways", remedy="name the numbers")
        for name, given in of_each.items()
        if given and everyone
    ]
    if faults:
        raise UsageError(faults)


@mail.command("import")
def import_(
    town: TownArgument,
    packet: PacketArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV or XLSX: numbers, article numbers, days; or a mailing service's results.")
    ],
    *,
    sheet: Annotated[str | None, typer.Option(help="The sheet of a workbook.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken.")] = False,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Take article numbers, days and outcomes in from a table. Rows that cannot be taken go to a file of questions; exit 4 where there are any."""
    from geonotice.workflow.mail import open_packet
    from geonotice.workflow.mail_files import import_mail

    opened, found = open_packet(town, packet)
    report = import_mail(opened, found, file, _stating(by, on), sheet=sheet, dry_run=dry_run)
    taken = report.rows - len(report.questions)
    if not dry_run and report.done.recorded.changed:
        stands(f"{taken} rows of {file} were taken into the ledger")
    for remark in (*report.done.late, *report.remarks):
        say(f"! {remark}")
    if json_:
        print_json(
            {
                "file": str(file),
                "rows": report.rows,
                "taken": taken,
                "written": not dry_run,
                "late": list(report.done.late),
                "doubts": list(report.done.doubts),
                "questions": [{"row": one.n, "why": one.why} for one in report.questions],
                "questions_file": report.questions_file and str(report.questions_file),
                "remarks": list(report.remarks),
            }
        )
    else:
        for said in (*report.done.doubts, *report.done.recorded.corrected):
            say(f"! {said}")
        typer.echo(f"{taken} of {report.rows} rows {'would be taken' if dry_run else 'were taken'}.")
        for one in report.questions:
            typer.echo(f"Row {one.n} was not taken: {one.why}.")
        if report.questions_file:
            typer.echo(f"The rows that were not taken are in {report.questions_file}: correct them there, and import that file.")
    if report.questions:
        raise typer.Exit(4)


@mail.command()
def export(
    town: TownArgument,
    packet: PacketArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv; a file that is there is refused.")],
) -> None:
    """Hand the letters over as CSV, with what is known of each: for a mailing service, whose results mail import takes back."""
    from geonotice.workflow.mail import open_packet
    from geonotice.workflow.mail_files import export_mail

    opened, found = open_packet(town, packet)
    written = export_mail(opened, found, file)
    stands(f"{written} letters were written to {file}")
    say(f"{written} letters in {file}")


@mail.command()
def status(
    town: TownArgument, packet: PacketArgument, *, on: OnOption = None, json_: JsonOption = False, strict: StrictOption = False
) -> None:
    """Show how the mail of a packet stands, and what must happen next by which day. With --strict exit 4 where a letter is late."""
    from geonotice.ordinance.load import profile_and_name_of_town
    from geonotice.workflow.mail import open_packet
    from geonotice.workflow.mail_status import mail_status, status_json

    opened, found = open_packet(town, packet)
    profile, _ = profile_and_name_of_town(town)
    standing = mail_status(opened, profile, found, on=today(on))
    if json_:
        print_json(status_json(standing))
    else:
        from geonotice.cli.register_tables import status_table
        from geonotice.cli.tables import show

        show(status_table(standing, on=today(on)))
    if strict and standing.late:
        raise typer.Exit(4)


@mail.command()
def second(
    town: TownArgument,
    packet: PacketArgument,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The recipient whose letter came back as undeliverable.")],
    *,
    address: AddressOption = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="The name, where it is to be corrected too.")] = "",
    event: EventOption = None,
    out: OutOption = None,
    by: By = None,
    on: OnOption = None,
) -> None:
    """Write a second letter to a corrected address, and note it in the ledger."""
    from geonotice.ordinance.load import profile_and_name_of_town
    from geonotice.workflow.mail import open_packet
    from geonotice.workflow.mail_papers import second_letter

    opened, found = open_packet(town, packet)
    profile, _ = profile_and_name_of_town(town)
    stated = _event(event)
    piece, papers = second_letter(
        opened, profile, found, number, stating=_stating(by, on), address=_lines(address), name=name, event=stated, out=out
    )
    stands(f"{piece.label} was noted in the ledger")
    for note in papers.notes:
        say(f"! {note}")
    typer.echo(f"{piece.label} is noted, to {', '.join(piece.address.splitlines())}. Record it when it is mailed.")
    for written in papers.files:
        say(f"Written: {written}")


@mail.command()
def affidavit(
    town: TownArgument,
    packet: PacketArgument,
    *,
    kind: Annotated[
        Literal["mailing", "posting", "publication"], typer.Option(help="mailing, posting or publication.")
    ] = "mailing",
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who swears it; left out, a line to fill in.")] = "",
    posted: Annotated[str | None, typer.Option(metavar="DATE", help="The day on which the signs were put up.")] = None,
    newspaper: Annotated[str, typer.Option(metavar="NAME", help="The newspaper.")] = "",
    published: Annotated[
        list[str] | None, typer.Option(metavar="DATE", help="The day of publication; several are given each.")
    ] = None,
    event: EventOption = None,
    out: OutOption = None,
    on: OnOption = None,
) -> None:
    """Fill an affidavit from the ledger, as DOCX and PDF. Exit 4 where receipts and list do not agree, with the letters named."""
    from geonotice.ordinance.load import profile_and_name_of_town
    from geonotice.workflow.mail import open_packet
    from geonotice.workflow.mail_papers import AffidavitOf
    from geonotice.workflow.mail_papers import affidavit as fill

    unfit = {
        "--posted": (posted, "posting"),
        "--newspaper": (newspaper, "publication"),
        "--published": (published, "publication"),
    }
    faults = [
        Fault(what=f"{name} is for an affidavit of {of}", remedy=f"give --kind {of}, or leave {name} out")
        for name, (given, of) in unfit.items()
        if given and kind != of
    ]
    if faults:
        raise UsageError(faults)
    opened, found = open_packet(town, packet)
    profile, _ = profile_and_name_of_town(town)
    stated = AffidavitOf(
        deponent=by.strip(),
        posted=as_day(posted, "--posted"),
        newspaper=newspaper.strip(),
        published=tuple(day for text in published or () if (day := as_day(text, "--published"))),
    )
    papers = fill(opened, profile, found, kind, stated, on=today(on), event=_event(event), out=out)
    for note in papers.notes:
        say(f"! {note}")
    for written in papers.files:
        stands(f"{written} was written")
        typer.echo(f"Written: {written}")


def _stating(by: str | None, on: str | None) -> "Stating":
    from geonotice.workflow.mail import Stating

    return Stating(now=clock(), on=today(on), by=who(by))


def _event(file: Path | None) -> "Event | None":
    if file is None:
        return None
    from geonotice.config.read_application import read_event_file

    return read_event_file(file)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split(";") if line.strip()]


def _tell(done: "MailRecorded", *, json_: bool) -> None:
    from geonotice.workflow.mail_status import piece_json

    changed = done.recorded.changed
    if changed:
        stands(f"{len(changed)} {'letter was' if len(changed) == 1 else 'letters were'} recorded")
    for said in (*done.late, *done.doubts, *done.recorded.corrected):
        say(f"! {said}")
    if json_:
        print_json(
            {
                "changed": len(changed),
                "pieces": [piece_json(piece) for piece in done.recorded.pieces],
                "late": list(done.late),
                "doubts": list(done.doubts),
                "corrected": list(done.recorded.corrected),
            }
        )
        return
    if not changed:
        typer.echo("The ledger has it already: nothing was changed.")
        return
    named = ", ".join(piece.label for piece in changed[:10]) + (f" and {len(changed) - 10} more" if len(changed) > 10 else "")  # noqa: PLR2004  # enough to see which
    states = ", ".join(sorted({piece.state for piece in changed}))
    typer.echo(f"Recorded: {named} ({states}).")
