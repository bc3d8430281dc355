"""``application``: what is filed for an event, from the day it comes in to the decision."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    TownArgument,
    app,
    as_day,
    clock,
    dated_reason,
    print_json,
    stands,
    today,
    warn,
    who,
)
from geonotice.cli.permit_changes import Out, as_days, print_papers
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from geonotice.model import ResultWarning
    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication, Writer

__all__ = ["application"]

application = typer.Typer(help="Applications: file, complete, sign off, deny; what is due.", no_args_is_help=True)
app.add_typer(application, name="application")

Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The application's number, such as A2026-0001.")]
Starts = Annotated[str | None, typer.Option("--starts", metavar="DATE", help="First day of the event; its hours stay.")]
Ends = Annotated[str | None, typer.Option("--ends", metavar="DATE", help="Last day of the event.")]
Days = Annotated[
    list[str] | None,
    typer.Option(
        "--days", metavar="DATE", help="The days, where they do not follow each other: once for each, or separated with ','."
    ),
]
Received = Annotated[str | None, typer.Option("--received", metavar="DATE", help="The day it was filed; today if not given.")]
Complete = Annotated[str | None, typer.Option("--complete", metavar="DATE", help="The day it was found complete.")]
Fee = Annotated[str | None, typer.Option("--fee", metavar="AMOUNT", help="The fee that was paid, in dollars.")]
FeePaid = Annotated[str | None, typer.Option("--fee-paid", metavar="DATE", help="The day the fee was paid.")]
Contact = Annotated[str | None, typer.Option("--contact", metavar="TEXT", help="How the applicant is reached.")]
Agreement = Annotated[
    Literal["yes", "no"] | None,
    typer.Option("--support-agreement", help="Whether the charitable support agreement (283-1) was submitted."),
]


@application.command()
def add(
    town: TownArgument,
    event: Annotated[Path | None, typer.Argument(metavar="EVENT.toml", help="The event file.")] = None,
    *,
    copied_from: Annotated[
        str | None, typer.Option("--from", metavar="NUMBER", help="File an earlier application again, such as last year's.")
    ] = None,
    starts: Starts = None,
    ends: Ends = None,
    days: Days = None,
    received: Received = None,
    complete: Complete = None,
    fee: Fee = None,
    fee_paid: FeePaid = None,
    contact: Contact = None,
    support_agreement: Agreement = None,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """File an application: from an event file, or again from an earlier one."""
    from geonotice.opened_town import open_store
    from geonotice.register.session import open_town_register
    from geonotice.workflow.applications import Filing, file_application

    filing = Filing(
        event=event,
        copied_from=copied_from,
        starts=as_day(starts, "--starts"),
        ends=as_day(ends, "--ends"),
        days=as_days(days),
        received=as_day(received, "--received"),
        complete=as_day(complete, "--complete"),
        fee=fee,
        fee_paid=as_day(fee_paid, "--fee-paid"),
        contact=contact,
        support_agreement=None if support_agreement is None else support_agreement == "yes",
    )
    with open_store(town) as opened, open_town_register(opened.town) as register:
        filed, warnings = file_application(opened, register, filing, on=today(on), writer=_writer(by))
        _done(opened, filed, warnings, "filed", json_=json_)


@application.command()
def receive(
    town: TownArgument,
    number: Number,
    *,
    event: Annotated[
        Path | None, typer.Option("--event", metavar="FILE", help="A new event file in the place of the first.")
    ] = None,
    starts: Starts = None,
    ends: Ends = None,
    days: Days = None,
    complete: Complete = None,
    fee: Fee = None,
    fee_paid: FeePaid = None,
    contact: Contact = None,
    support_agreement: Agreement = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="A remark for the log.")] = "",
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Note what came in after the filing: that it is complete, the fee, a new event file."""
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.applications import Filing
    from geonotice.workflow.applications import receive as note_down

    filing = Filing(
        event=event,
        starts=as_day(starts, "--starts"),
        ends=as_day(ends, "--ends"),
        days=as_days(days),
        complete=as_day(complete, "--complete"),
        fee=fee,
        fee_paid=as_day(fee_paid, "--fee-paid"),
        contact=contact,
        support_agreement=None if support_agreement is None else support_agreement == "yes",
    )
    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed, warnings = note_down(opened, register, number, filing, on=today(on), writer=_writer(by, note))
        _done(opened, filed, warnings, "changed", json_=json_)


@application.command()
def document(
    town: TownArgument,
    number: Number,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The paper as it came in.")],
    *,
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="What it is, such as insurance or site plan.")],
    expires: Annotated[str | None, typer.Option("--expires", metavar="DATE", help="The day on which it expires.")] = None,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Note a document: its name, its hash, what it is and when it expires. The file itself stays where it is."""
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_documents import add_document
    from geonotice.workflow.application_status import known_of

    with open_store(town) as opened, read_town_register(opened.town) as register:
        day = as_day(expires, "--expires")
        filed = add_document(register, number, file, what=what, expires=day, on=today(on), writer=_writer(by))
        _done(opened, filed, known_of(opened, filed).warnings, "changed", json_=json_)


@application.command("sign-off")
def sign_off(
    town: TownArgument,
    number: Number,
    official: Annotated[
        str, typer.Argument(metavar="OFFICIAL", help="The office, or a part of its name, such as 'Fire Marshal'.")
    ],
    *,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What was noted with it.")] = "",
    refuse: Annotated[bool, typer.Option("--refuse", help="The official does not approve; --note says why.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the official's earlier word back; --note says why.")] = False,
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Note what one of the officials whom the ordinance names says: a sign-off, or with --refuse that there is none."""
    if refuse and withdraw:
        raise UsageError(Fault(what="--refuse and --withdraw are both given", remedy="leave out one of them"))
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_status import known_of
    from geonotice.workflow.applications import sign_off as sign

    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed = sign(
            opened,
            register,
            number,
            official,
            note=note,
            on=today(on),
            writer=_writer(by),
            approves=not refuse,
            withdrawn=withdraw,
        )
        done = "changed" if refuse or withdraw else "signed off"
        _done(opened, filed, known_of(opened, filed).warnings, done, json_=json_)


Reasons = Annotated[list[str], typer.Option("--reason", metavar="TEXT", help="Why; once for each reason.")]


@application.command()
def deny(
    town: TownArgument, number: Number, *, reason: Reasons, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Deny an application, with the reasons; prints the days of the appeal."""
    _decide(town, number, "denied", reason, by=by, on=on, json_=json_)


@application.command()
def withdraw(
    town: TownArgument, number: Number, *, reason: Reasons, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Note that an application was withdrawn by the applicant."""
    _decide(town, number, "withdrawn", reason, by=by, on=on, json_=json_)


@application.command()
def reopen(
    town: TownArgument,
    number: Number,
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the log keeps it.")],
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Take a denial or a withdrawal back: the application is open again, and the log keeps both."""
    from geonotice.opened_town import open_store
    from geonotice.register.applications import reopen_application
    from geonotice.register.session import read_town_register

    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed = reopen_application(register, number, reason=dated_reason(reason, on), writer=_writer(by))
        _done(opened, filed, (), "open again", json_=json_)


def _decide(
    town: Path,
    number: str,
    status: Literal["denied", "withdrawn"],
    reasons: list[str],
    *,
    by: str | None,
    on: str | None,
    json_: bool,
) -> None:
    from geonotice.opened_town import open_store
    from geonotice.register.applications import decide_application
    from geonotice.register.session import read_town_register

    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed = decide_application(register, number, status, reasons=reasons, on=today(on), writer=_writer(by))
        _done(opened, filed, (), status, json_=json_)


@application.command("print")
def print_(town: TownArgument, number: Number, *, out: Out, on: OnOption = None, json_: JsonOption = False) -> None:
    """Write the papers of the decision as Word files and PDF: the denial with its reasons, or the permit."""
    from geonotice.workflow.print_permits import print_application

    print_papers(print_application, town, number, out=out, on=on, json_=json_)


@application.command()
def show(town: TownArgument, number: Number, *, json_: JsonOption = False) -> None:
    """Show an application: what it states, its documents and sign-offs, the day of the decision, its history."""
    from geonotice.cli.register_tables import application_json, application_table
    from geonotice.cli.tables import show as show_table
    from geonotice.opened_town import open_store
    from geonotice.register.applications import show_application
    from geonotice.register.json_values import entry_json
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_status import known_of

    with open_store(town) as opened, read_town_register(opened.town) as register:
        filed, log = show_application(register.required(), number)
        if json_:
            print_json({**application_json(opened, filed), "log": [entry_json(entry) for entry in log]})
        else:
            warn(known_of(opened, filed).warnings)
            show_table(application_table(opened, filed, log))


@application.command("list")
def list_(
    town: TownArgument,
    *,
    status: Annotated[
        Literal["open", "approved", "denied", "withdrawn"] | None, typer.Option("--status", help="Those of one status.")
    ] = None,
    due: Annotated[bool, typer.Option("--due", help="Those on which something is due within a week, or late.")] = False,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """List applications; with --due what must be done this week."""
    from geonotice.cli.register_tables import application_json, due_json, due_table, list_table
    from geonotice.cli.tables import show as show_table
    from geonotice.opened_town import open_store
    from geonotice.register.applications import list_applications
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_status import due_applications

    if due and status not in {None, "open"}:
        raise UsageError(Fault(what=f"nothing is due on an application that is {status}", remedy="leave --status out"))
    with open_store(town) as opened, read_town_register(opened.town) as register:
        warnings = register.warnings
        if due:
            found = due_applications(opened, register, on=today(on))
            made, table = [due_json(opened, one, on=today(on)) for one in found], due_table(found, on=today(on))
        else:
            listed = list_applications(register, status=status)
            made, table = [application_json(opened, one) for one in listed], list_table(opened, listed)
    if json_:
        print_json({"applications": made, "warnings": [warning.to_json() for warning in warnings]})
        return
    warn(warnings)
    show_table(table)


def _writer(by: str | None, why: str = "") -> "Writer":
    from geonotice.register.applications import Writer

    return Writer(by=who(by), now=clock(), why=why)


def _done(opened: "Opened", filed: "FiledApplication", warnings: "tuple[ResultWarning, ...]", done: str, *, json_: bool) -> None:
    """Print an application that was just written."""
    from geonotice.cli.register_tables import application_json, application_table
    from geonotice.cli.tables import show as show_table

    stands(f"Application {filed.number} was {done}")
    if json_:
        print_json({**application_json(opened, filed), "warnings": [warning.to_json() for warning in warnings]})
        return
    typer.echo(f"Application {filed.number} is {done}.")
    warn(warnings)
    show_table(application_table(opened, filed, ()))
