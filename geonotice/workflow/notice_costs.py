"""The invoice of a packet: what it rests on, and writing it once all amounts are known."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.config.postage_rates import rates_on
from geonotice.decide.deadlines import deadlines
from geonotice.decide.notice import notice_rules
from geonotice.errors import Fault, InputError, RegisterError, StoreError, UsageError
from geonotice.io.output_files import write_files
from geonotice.model import Clause, Notice, OrdinanceRef
from geonotice.packet.invoice import LISTED, Bill, Costs, Piece, bill_of, invoice_files
from geonotice.packet.read_record import packet_of, stated_in
from geonotice.packet.record import RECORD_FILE
from geonotice.packet.word_papers import open_fields_note
from geonotice.workflow.compare import mailed
from geonotice.workflow.mail import ledger_of
from geonotice.workflow.packet_record import read_record, request_of
from geonotice.workflow.paper_settings import read_paper_files, read_paper_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from geonotice.config.application import Event
    from geonotice.config.postage_rates import RateTable
    from geonotice.config.town import Town
    from geonotice.ordinance.profile import Profile

__all__ = ["costs_of", "read_dollars", "write_invoice"]


def costs_of(
    town: "Town",
    profile: "Profile",
    occasion: str,
    *,
    rates: "RateTable | None",
    day: "date",
    day_is: str = LISTED,
    hearing: "date | None",
    publication: Decimal | None = None,
    paper: Decimal | None = None,
    payments: "Sequence[tuple[date, Decimal | None]]" = (),
) -> Costs | None:
    """Return what an invoice rests on, ``rates`` being the town's table; None where the law does not have the applicant pay for the notices."""
    asks = [rule for rule in profile.rules if rule.cost_of_notices]
    stages = {rule.applies for rule in notice_rules(profile, occasion)}
    rule = next((one for one in asks if one.applies in stages), None)
    if rule is None:
        return None
    of_day, problem = None, ""
    if town.postage is None or rates is None:
        problem = 'the town file names no rate table. Write one (docs/town-file.md) and name it: [postage] file = "rates.toml"'
    else:
        of_day = rates_on(rates, day)
        if of_day is None:
            first = min(one.since for one in rates.rates)
            problem = f"{town.postage.file} has no rate for {day.isoformat()}: its first begins on {first.isoformat()}. Add the rates of that day"
    found = deadlines(profile, hearing=hearing) if hearing else ()
    return Costs(
        clause=Clause(rule.id, f"{profile.chapter}, {rule.citation.section}", " … ".join(rule.citation.words)),
        day=day,
        day_is=day_is,
        rates=of_day,
        problem=problem,
        last_day=next((one.last_day for one in found if one.rule == rule.id), None),
        publication=publication,
        paper=paper,
        payments=payments,
    )


_MOST_DOLLARS = Decimal(1_000_000)


def read_dollars(text: str, *, key: str) -> Decimal:
    """Read an amount: dollars and cents, nothing else, exactly; ``key`` is the option or the field that it stands in.

    Raises
    ------
    UsageError
        It is none, or cannot be meant.

    Examples
    --------
    >>> read_dollars("$1,084.2", key="--paper")
    Decimal('1084.20')
    """
    fault = Fault(what=f"{text[:40]!r} is no amount that can be meant", remedy="write dollars and cents, such as 84.20", key=key)
    try:
        amount = Decimal(text.strip().removeprefix("$").replace(",", ""))
        cents = amount.quantize(Decimal("0.01"))
    except InvalidOperation:
        raise UsageError(fault) from None
    if cents != amount or not Decimal(0) <= amount < _MOST_DOLLARS:
        raise UsageError(fault)
    return cents


def write_invoice(  # what an invoice is made of
    place: Path,
    packet: Path,
    *,
    on: "date",
    mailed_on: "date | None" = None,
    publication: Decimal | None = None,
    paper: Decimal | None = None,
    payments: "Sequence[tuple[date, Decimal | None]]" = (),
    event: "Event | None" = None,
    out: Path | None = None,
) -> tuple[Bill, tuple[Path, ...], str]:
    """Write the invoice of a packet into it, or into another folder; an earlier one that differs is kept under another name.

    Parameters
    ----------
    place
        The town file, or its folder.
    packet
        The packet's folder.
    on
        The date of the invoice.
    mailed_on
        The day of mailing, whose postage counts. Where it is not stated the ledger's counts, and where the ledger has none the day on which the list was
        made, which the invoice and the sentence that is returned say.
    publication, paper
        What these cost; None while it is not known.
    payments
        Days of payment, with the amount, or None for all that is due then.
    event
        The application: who the applicant is.
    out
        The folder to write into; the packet's own where it is not named.

    Raises
    ------
    UsageError
        It is no packet, the law does not have the applicant pay, or a payment cannot be meant.
    InputError
        There is no rate for the day, or for a class of mail; or rate table, seal and templates cannot be used, all of it at once.
    """
    from geonotice.config.read_town import read_town_file
    from geonotice.ordinance.load import load_profile

    kept = read_record(packet)
    town = read_town_file(place)
    profile = load_profile(town.ordinance, relative_to=town.folder)
    asked = request_of(kept)
    own = read_paper_files(town, profile)
    day, day_is, doubt = (mailed_on, _MAILED, "") if mailed_on else _day_of_mailing(town, packet, kept, listed=asked.on)
    costs = costs_of(
        town,
        profile,
        asked.occasion,
        rates=own.rates,
        day=day,
        day_is=day_is,
        hearing=asked.hearing,
        publication=publication,
        paper=paper,
        payments=payments,
    )
    if costs is None:
        what = f"the law of {profile.town} does not have the applicant pay for the notices of this occasion"
        raise UsageError(
            Fault(what=what, remedy="no invoice is due; if the law does say so, write cost_of_notices = true into that rule")
        )
    late = [paid for paid, _ in payments if paid > on]
    if late:
        what = f"{late[0].isoformat()} is still to come: nothing can have been paid then"
        raise UsageError(Fault(what=what, key="--paid", remedy="fix the day", command="fix the day, or give today's with --on"))
    pieces = [Piece(one["number"], one["mail"], bool(one["country"])) for one in kept["recipients"] if mailed(one)]
    bill, problem = bill_of(pieces, costs)
    if bill is None:
        file = town.folder / town.postage.file if town.postage else town.file
        raise InputError(Fault(what=f"the invoice cannot be made: {problem}", file=str(file), remedy="then run this again"))
    occasion = profile.occasions.get(asked.occasion, asked.occasion)
    settings = read_paper_settings(town, occasion=occasion, files=own, event=event, stated=stated_in(kept))
    files, blank, note = invoice_files(_notice(kept, place, on=on), settings, costs, bill)
    note = " ".join(part for part in (doubt, note, open_fields_note({"invoice.docx": blank})) if part)
    return bill, write_files(out or packet, files, keep=True, what="the invoice"), note


_MAILED = "the day of mailing"


def _day_of_mailing(town: "Town", packet: Path, kept: "Mapping[str, Any]", *, listed: "date") -> "tuple[date, str, str]":
    """Return the day whose postage counts, which day it is, and what is doubtful about it: the ledger's first day of mailing, or else the list's."""
    folder = packet.parent if packet.name == RECORD_FILE else packet
    why = "the ledger has no day of mailing"
    try:
        first = [piece for piece in ledger_of(town, packet_of(folder, kept)) if piece.letter == 1]
        days = sorted({day for piece in first if (day := piece.mailed or piece.sent)})
    except RegisterError as error:
        days, why = [], f"the ledger cannot be read ({error.at_desk})"
    if not days:
        doubt = (
            f"Postage is that of {listed.isoformat()}, the day on which the list was made, since {why}: state the day of mailing, or record the"
            " mailing and write the invoice again. The invoice says so."
        )
        return listed, LISTED, doubt
    if len(days) == 1:
        return days[0], _MAILED, ""
    shown = ", ".join(day.isoformat() for day in days)
    doubt = f"The letters were mailed on several days ({shown}); postage is that of the first. State another day of mailing where the rates differ."
    return days[0], "the first day of mailing", doubt


def _notice(kept: "Mapping[str, Any]", place: Path, *, on: "date") -> Notice:
    """Return as much of the notice as the invoice states; addresses of the premises come from the store, where it is current."""
    asked = request_of(kept)
    situs: tuple[str, ...] = ()
    try:
        from geonotice.opened_town import find_premises, open_store

        with open_store(place) as opened:
            situs = tuple(one.situs.text for one in find_premises(opened, kept["premises"]))
    except (StoreError, UsageError):
        situs = ()  # the tax map numbers name the premises all the same
    return Notice(
        occasion=kept["occasion"],
        required=kept["required"],
        town=kept["town"],
        ordinance=OrdinanceRef(kept["ordinance"]["id"], None, kept["ordinance"]["sha256"]),
        premises=tuple(kept["premises"]),
        premises_situs=situs,
        on=on,
        version=kept["version"],
        hearing=asked.hearing,
        event=asked.event,
    )
