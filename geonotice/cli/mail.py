"""``mail``: what happens with the pieces of a packet."""

from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, TownArgument, app, as_day, print_json, say, today
from geonotice.cli.streams import stands

__all__ = ["PacketArgument", "invoice", "mail"]

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
        str | None, typer.Option(metavar="DATE", help="The day of mailing, whose postage counts; else the day the list was made.")
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
        say(note)
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
    """Read an amount: dollars and cents, nothing else, exactly."""
    if text is None:
        return None
    try:
        amount = Decimal(text.strip().removeprefix("$").replace(",", ""))
        cents = amount.quantize(Decimal("0.01"))
    except InvalidOperation:
        raise typer.BadParameter(f"{text!r} is no amount; write dollars and cents, such as 84.20", param_hint=option) from None
    if cents != amount or not Decimal(0) <= amount < Decimal(1_000_000):
        raise typer.BadParameter(
            f"{text!r} is no amount that can be meant; write dollars and cents, such as 84.20", param_hint=option
        )
    return cents


def _payment(text: str) -> tuple[date, Decimal | None]:
    day, _, amount = text.partition("=")
    paid = as_day(day.strip(), "--paid")
    assert paid is not None  # noqa: S101  # there is a text
    return paid, _dollars(amount or None, "--paid")
