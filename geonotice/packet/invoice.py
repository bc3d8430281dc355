"""The invoice: the actual cost of the notices, where the law has the applicant pay it; amounts are exact cents."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from msgspec import Struct

from geonotice.config.postage_rates import PARTS, Rates
from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.io.word_pages import Block
from geonotice.model import Clause, Notice
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.word_papers import BLANK, PaperSettings, WordPaper, common_values, fill_paper, print_paper, word_paper

__all__ = ["Bill", "Costs", "Line", "Payment", "Piece", "bill_of", "invoice_files"]


class Piece(Struct, frozen=True):
    """A piece that is mailed, as far as its price goes."""

    number: int
    mail: str
    abroad: bool = False


class Payment(Struct, frozen=True):
    """What was paid, and when."""

    on: date
    amount: Decimal


LISTED = "the day on which the list was made: the day of mailing was not known, and its rates count"
"""Which day it is whose postage an invoice has, before the letters were mailed."""


class Costs(Struct, frozen=True, kw_only=True):
    """What an invoice rests on.

    ``clause`` has the applicant pay; ``rates`` are the prices of ``day``, None where there are none, and ``problem`` says why. ``day_is`` says which day that
    is: the one of mailing, or the list's while that is not known. ``last_day`` is the last on which to pay. ``publication`` and ``paper`` are None while they are not known; a payment whose amount is None is of all that is due.
    """

    clause: Clause
    day: date
    day_is: str = LISTED
    rates: Rates | None = None
    problem: str = ""
    last_day: date | None = None
    publication: Decimal | None = None
    paper: Decimal | None = None
    payments: Sequence[tuple[date, Decimal | None]] = ()


class Line(Struct, frozen=True):
    """A line of the invoice; ``each`` is None for what is not counted by the piece, ``amount`` while it is not known."""

    what: str
    pieces: int | None
    each: Decimal | None
    amount: Decimal | None


class Bill(Struct, frozen=True, kw_only=True):
    """The invoice, computed. ``total`` and ``still_due`` are None while an amount is open; ``known`` is the sum of what is known."""

    lines: tuple[Line, ...]
    known: Decimal
    total: Decimal | None
    payments: tuple[Payment, ...]
    still_due: Decimal | None


def bill_of(pieces: Iterable[Piece], costs: Costs) -> tuple[Bill | None, str]:
    """Compute an invoice; None and the reason where a price is missing."""
    if costs.rates is None:
        return None, costs.problem
    found = list(pieces)
    lines: list[Line] = []
    missing: list[str] = []
    for words, chosen, parts in _classes(found, costs.rates):
        if not chosen:
            continue
        prices = {name: price for name, price in parts.items() if price is not None}
        numbers = ", ".join(str(one.number) for one in chosen[:12]) + (" …" if len(chosen) > 12 else "")  # noqa: PLR2004  # enough to find them by
        missing += [f"{name} ({words.casefold()}: No. {numbers})" for name, price in parts.items() if price is None]
        each = sum(prices.values(), Decimal(0))
        lines.append(Line(f"{words} ({' + '.join(parts)})" if len(parts) > 1 else words, len(chosen), each, each * len(chosen)))
    if missing:
        return None, f"the rates from {calendar_day(costs.rates.since)} have no price for {'; '.join(missing)}"
    lines += [Line("Publication", None, None, costs.publication), Line("Paper and printing", None, None, costs.paper)]
    known = sum((one.amount for one in lines if one.amount is not None), Decimal(0))
    total = known if all(one.amount is not None for one in lines) else None
    payments: list[Payment] = []
    for on, amount in costs.payments:
        rest = (known if total is None else total) - sum((one.amount for one in payments), Decimal(0))
        payments.append(Payment(on, rest if amount is None else amount))
    still_due = None if total is None else total - sum((one.amount for one in payments), Decimal(0))
    return Bill(lines=tuple(lines), known=known, total=total, payments=tuple(payments), still_due=still_due), ""


def _classes(pieces: Sequence[Piece], rates: Rates) -> list[tuple[str, list[Piece], dict[str, Decimal | None]]]:
    """Return each class of mail in words, its pieces, and the prices that one piece is paid by."""
    groups: tuple[tuple[str, bool, str, dict[str, Decimal | None]], ...] = (
        ("certified", False, "Certified letters", {PARTS[part]: getattr(rates, part) for part in rates.certified_piece}),
        ("first_class", False, "First-class letters", {PARTS["letter"]: rates.letter}),
        # Certified mail goes nowhere but within the United States; abroad its like is registered mail.
        ("certified", True, "Registered letters abroad", {"registered_international": rates.registered_international}),
        ("first_class", True, "Letters abroad", {"international": rates.international}),
    )
    return [
        (words, [one for one in pieces if (one.mail, one.abroad) == (mail, far)], parts) for mail, far, words, parts in groups
    ]


INVOICE = word_paper(
    WordPaper(
        name="invoice",
        purpose="the invoice on the cost of the notices, to the applicant",
        each={
            "items": "what is paid for, a line each",
            "pieces": "how many of each, a line each",
            "each": "the price of each, a line each",
            "amounts": "the amounts, a line each",
            "totals": "total, what was paid and when, and what is still due, a line each",
            "due": "by when it is to be paid",
            "rates": "where the prices of postage come from, and of which day they are",
        },
        needed=("items", "amounts", "totals"),
        footer="{{ town }}: cost of the notices about {{ premises_numbers }}",
        blocks=(
            Block(kind="letterhead", text="{{ letterhead }}"),
            Block(kind="address", text="{{ applicant_name }}\n{{ applicant_contact }}"),
            Block(kind="date", text="{{ date }}"),
            Block(kind="heading", text="INVOICE: COST OF THE NOTICES"),
            Block(kind="text", text="Event: {{ event_title }}\nLocation: {{ premises }}\nHearing: {{ hearing }}"),
            Block(
                kind="table",
                rows=(
                    ("What", "Pieces", "Each", "Amount"),
                    ("{{ items }}", "{{ pieces }}", "{{ each }}", "{{ amounts }}"),
                ),
                widths_in=(3.9, 0.8, 0.9, 1.1),
            ),
            Block(kind="text", text="{{ totals }}"),
            Block(kind="text", text="{{ due }}"),
            Block(kind="text", text="It is asked for under {{ citation }}:"),
            Block(kind="quote", text="“{{ clause }}”"),
            Block(kind="small", text="{{ rates }}"),
            Block(kind="sign", text="{{ signature }}"),
        ),
    )
)

_FIGURE_SPACE = "\u2007"
"""As wide as a figure: amounts stand in a column, whatever their length."""


def _money(amount: Decimal | None, width: int = 0) -> str:
    if amount is None:
        return BLANK[:10]
    text = f"{amount:,.2f}"
    return f"${_FIGURE_SPACE * (width - len(text))}{text}"


def _values(bill: Bill, costs: Costs, notice: Notice) -> dict[str, str]:
    lines = bill.lines
    width = max((len(f"{one.amount:,.2f}") for one in lines if one.amount is not None), default=0)  # nobody may be mailed
    if bill.total is None:
        totals = [f"Total so far: {_money(bill.known)}", f"Total: {BLANK[:10]}"]
    else:
        totals = [f"Total: {_money(bill.total)}"]
    totals += [f"Paid on {calendar_day(one.on)}: {_money(one.amount)}" for one in bill.payments]
    if bill.still_due is not None:
        over = bill.still_due < 0
        totals.append(f"{'Paid too much' if over else 'Still due'}: {_money(abs(bill.still_due))}")
    if costs.rates is None:
        raise ValueError("there is no bill without prices")
    # LAW: Italy C: the sum is paid to the Town Clerk prior to the date of the public hearing.
    due = f"To be paid to the Town Clerk before the date of the hearing, {in_words(notice.hearing)}" if notice.hearing else ""
    due = (
        f"{due}: by {in_words(costs.last_day)}."
        if due and costs.last_day
        else f"{due}."
        if due
        else "To be paid before the date of the hearing."
    )
    return {
        "items": "\n".join(one.what for one in lines),
        "pieces": "\n".join("" if one.pieces is None else f"{one.pieces:,}" for one in lines),
        "each": "\n".join("" if one.each is None else _money(one.each) for one in lines),
        "amounts": "\n".join(_money(one.amount, width) for one in lines),
        "totals": "\n".join(totals),
        "due": due,
        "rates": f"Postage by the rates of {calendar_day(costs.day)}, {costs.day_is}. Source: {costs.rates.source} (from {calendar_day(costs.rates.since)}). Each letter of one ounce.",
    }


def invoice_files(
    notice: Notice, settings: PaperSettings, costs: Costs, bill: Bill
) -> tuple[dict[str, bytes], tuple[str, ...], str]:
    """Return the invoice by file name, the fields that stand open in it, and a sentence where no PDF could be made."""
    shared = common_values(notice, settings) | {"citation": costs.clause.citation, "clause": costs.clause.words}
    filled = fill_paper(INVOICE, settings, shared=shared, each=[_values(bill, costs, notice)])
    files, note = print_paper(filled, name="invoice")
    return files, filled.open_fields, note


def _pieces(context: PacketContext) -> list[Piece]:
    from geonotice.packet.addresses_and_mailing_order import mailed

    return [Piece(one.number, one.mail, bool(one.country)) for one in mailed(context)]


def _prepare(context: PacketContext) -> PacketContext:
    """Make the invoice first: what it lacks is named on the packet's first page."""
    if context.costs is None or "invoice" in context.printed:
        return context
    bill, problem = bill_of(_pieces(context), context.costs)
    if bill is None:
        note = f"No invoice was made, and the applicant pays the actual cost of the notices ({context.costs.clause.citation}): {problem}."
        return context.with_made("invoice", {}, notes=[note])
    files, blank, note = invoice_files(context.notice, context.settings, context.costs, bill)
    return context.with_made("invoice", files, notes=[note], open_fields={"invoice.docx": blank})


def _step(_: PacketContext) -> str:
    return (
        "Send the applicant the invoice once publication and paper are known: geonotice mail invoice TOWN PACKET --publication DOLLARS --paper DOLLARS"
        " writes it with them, and --paid DATE with what was paid."
    )


@paper(
    "invoice.*",
    purpose="The invoice on the cost of the notices, to the applicant.",
    place=96,
    when=lambda context: bool(_prepare(context).printed.get("invoice")),
    prepare=_prepare,
    after_mailing=_step,
)
def _invoice_paper(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare(context).printed["invoice"])
