"""What changes a permit: ``permit amend`` and ``correct``, ``rescind``, ``void`` and ``reinstate``; and its papers, printed anew."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    TownArgument,
    as_day,
    clock,
    dated_reason,
    print_json,
    say,
    stands,
    takes,
    today,
    warn,
    who,
)
from geonotice.cli.permits import Ends, Find, Kind, Number, Persons, Reason, Starts, Title, permit
from geonotice.errors import Fault, PermitRefused, PermitUndecided, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.opened_town import Opened
    from geonotice.register.held_hours import GivenHours
    from geonotice.register.session import Register
    from geonotice.register.values import Changed, Permit
    from geonotice.workflow.permit_changes import ChangingOptions

__all__ = ["Out", "amend", "as_days", "correct", "print_papers"]

Answer = Literal["yes", "no", "unknown"]
_ANSWERS = {"yes": True, "no": False, "unknown": None}

NewParcels = Annotated[
    list[str] | None,
    typer.Option("--parcels", metavar="PARCEL", help="The new premises: give it once for each, or separate them with ';'."),
]
Days = Annotated[
    list[str] | None,
    typer.Option(
        "--days", metavar="DATE", help="The days, where they do not follow each other: once for each, or separated with ','."
    ),
]
Night = Annotated[Answer | None, typer.Option("--night", help="Whether it is at night.")]
Maximum = Annotated[
    int | None, typer.Option("--maximum-attendance", metavar="N", min=0, help="How many persons the permit lets in at most.")
]
Conditions = Annotated[str | None, typer.Option("--conditions", metavar="TEXT", help="The conditions that the permit sets.")]
Hours = Annotated[
    list[str] | None,
    typer.Option(
        "--hours",
        metavar="HOURS",
        help="Its hours, such as 14:00-22:00 for each day, or '2026-07-18 14:00-22:00' for one: once for each; unknown takes them out.",
    ),
]
Private = Annotated[
    Literal["yes", "no"] | None,
    typer.Option("--private-title", help="Whether its title is kept off the public's map and calendar."),
]
Override = Annotated[
    str, typer.Option("--override", metavar="REASON", help="Change it although something stands against it; shown ever after.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions:
    """What of a permit can change, and who changes it."""

    starts: Starts = None
    ends: Ends = None
    days: Days = None
    parcels: NewParcels = None
    find: Find = None
    hours: Hours = None
    night: Night = None
    kind: Kind = None
    title: Title = None
    persons: Persons = None
    maximum_attendance: Maximum = None
    conditions: Conditions = None
    private_title: Private = None
    by: By = None
    override: Override = ""

    def fields(self) -> dict[str, Any]:
        """Return the new values by the permit's field; what is not given is left out."""
        given = {
            "starts": as_day(self.starts, "--starts"),
            "ends": as_day(self.ends, "--ends"),
            "yard_sale_days": as_days(self.days) or None,
            "kind": self.kind,
            "title": self.title,
            "persons": self.persons,
            "maximum_attendance": self.maximum_attendance,
            "conditions": self.conditions,
            "private_title": None if self.private_title is None else self.private_title == "yes",
        }
        return {name: value for name, value in given.items() if value is not None} | _answers(night=self.night)


def as_days(texts: list[str] | None) -> tuple[date, ...]:
    """Return the days of an option that may be given several times, or hold several."""
    parts = [part.strip() for text in texts or () for part in text.replace(";", ",").split(",") if part.strip()]
    return tuple(day for part in parts if (day := as_day(part, "--days")))


def _answers(**given: Answer | None) -> dict[str, Any]:
    """Return the answers that are given; ``unknown`` is one, too."""
    return {name: _ANSWERS[text] for name, text in given.items() if text is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectOptions(ChangeOptions):
    """What can have been typed wrong beside that."""

    applicant: Annotated[str | None, typer.Option("--applicant", metavar="NAME", help="Who applied.")] = None
    charity: Annotated[Answer | None, typer.Option("--charity", help="Whether the applicant is a charitable organization.")] = (
        None
    )
    benefits_applicant: Annotated[
        Answer | None,
        typer.Option("--benefits-applicant", help="Whether the event's primary purpose is to benefit the applicant."),
    ] = None
    owned_by: Annotated[
        str | None, typer.Option("--owned-by", metavar="KIND", help="Who owns the property entirely, as in the event file.")
    ] = None
    distinct_events: Annotated[
        int | None, typer.Option("--distinct-events", min=1, help="How many distinct events go on under it.")
    ] = None
    issued: Annotated[str | None, typer.Option("--issued", metavar="DATE", help="The day of issue that it bears.")] = None
    contact: Annotated[str | None, typer.Option("--contact", metavar="TEXT", help="How the applicant is reached.")] = None
    fee: Annotated[str | None, typer.Option("--fee", metavar="TEXT", help="The fee, as it was paid or waived.")] = None

    def fields(self) -> dict[str, Any]:
        """Return the new values by the permit's field, as in :class:`ChangeOptions`."""
        given = {
            "applicant": self.applicant,
            "owned_by": self.owned_by,
            "distinct_events": self.distinct_events,
            "issued": as_day(self.issued, "--issued"),
            "contact": self.contact,
            "fee": self.fee,
        }
        more = _answers(charitable=self.charity, primarily_benefits_applicant=self.benefits_applicant)
        # Named in full: a dataclass with slots is a class made anew, which super() does not find.
        return ChangeOptions.fields(self) | {name: value for name, value in given.items() if value is not None} | more


EventFile = Annotated[
    Path | None,
    typer.Option("--event", metavar="FILE", help="The event file of the event as it is to be: all of the ordinance is checked."),
]
Filed = Annotated[str | None, typer.Option("--filed", metavar="DATE", help="When the change was filed; today if not given.")]


@permit.command()
@takes(ChangeOptions)
def amend(
    town: TownArgument,
    number: Number,
    *,
    options: ChangeOptions,
    reason: Reason,
    event: EventFile = None,
    filed: Filed = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Change what a permit permits: its day, hours, place, number of persons. It is checked as a new one, and keeps its place in the count. Exit 5 where not allowed or too late."""
    from geonotice.workflow.permit_changes import amend_permit

    _changed(
        town,
        number,
        options,
        amend_permit,
        done="amended",
        reason=reason,
        event=event,
        filed=as_day(filed, "--filed"),
        on=on,
        json_=json_,
    )


@permit.command()
@takes(CorrectOptions)
def correct(
    town: TownArgument,
    number: Number,
    *,
    options: CorrectOptions,
    reason: Reason,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Put right what was typed wrong in a permit, at any time. It is checked as a new one, and the log keeps what it was. Exit 5 where not allowed."""
    from geonotice.workflow.permit_changes import correct_permit

    _changed(town, number, options, correct_permit, done="corrected", reason=reason, event=None, filed=None, on=on, json_=json_)


@permit.command()
def rescind(
    town: TownArgument, number: Number, *, reason: Reason, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Rescind a permit: it was one, and goes on counting."""
    from geonotice.register.permits import rescind as change

    _set_status(town, number, change, reason=reason, by=by, on=on, json_=json_)


@permit.command()
def void(
    town: TownArgument, number: Number, *, reason: Reason, by: By = None, on: OnOption = None, json_: JsonOption = False
) -> None:
    """Void an entry that never was a permit, such as a mistake: it does not count. Nothing is deleted."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.permits import void as change
    from geonotice.register.session import open_register_of

    with open_register_of(town) as register:
        was, _ = look_up(register.required(), number)
    if was.status == "rescinded":
        say(
            f"Permit {was.number} was rescinded and counted on its parcels. An entry that is void never was a permit: it counts no longer, and the "
            "limit of the year has room for another."
        )
    _set_status(town, number, change, reason=reason, by=by, on=on, json_=json_)


@permit.command()
def reinstate(
    town: TownArgument,
    number: Number,
    *,
    reason: Reason,
    override: Override = "",
    by: By = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Take back that a permit was rescinded or voided; the log keeps both. A void one is counted anew, and is rescinded again if it was before. Exit 5 where not allowed."""
    from geonotice.workflow.permit_changes import ChangingOptions, reinstate_permit

    asked = ChangingOptions(
        number=number,
        on=today(on),
        reason=dated_reason(reason, on),
        by=who(by),
        now=clock(),
        override=override,
    )
    _make(town, asked, reinstate_permit, done="reinstated", json_=json_)


def _set_status(
    town: Path, number: str, change: "Callable[..., Permit]", *, reason: str, by: str | None, on: str | None, json_: bool
) -> None:
    from geonotice.register.json_values import permit_json
    from geonotice.register.session import open_register_of

    with open_register_of(town) as register:
        why = dated_reason(reason, on)
        changed = change(register.required(), number, reason=why, now=clock(), by=who(by))
        stands(f"Permit {changed.number} is {changed.status}")
    if json_:
        print_json(permit_json(changed))
    else:
        typer.echo(f"Permit {changed.number} is {changed.status}: {reason}")


def _changed(
    town: Path,
    number: str,
    options: ChangeOptions,
    change: "Callable[[Opened, Register, ChangingOptions], Changed]",
    *,
    done: str,
    reason: str,
    event: Path | None,
    filed: date | None,
    on: str | None,
    json_: bool,
) -> None:
    from geonotice.workflow.permit_changes import ChangingOptions

    parcels = tuple(part.strip() for text in options.parcels or () for part in text.split(";") if part.strip())
    fields = options.fields()
    if not fields and not parcels and not options.find and not options.hours and event is None:
        raise UsageError(
            Fault(
                what="nothing is given that changes",
                remedy="give --starts, --ends, --days, --hours, --parcels, --persons …; --help lists all",
            )
        )
    asked = ChangingOptions(
        number=number,
        parcels=parcels,
        find=tuple(options.find or ()),
        event=event,
        fields=fields,
        hours=_hours(options.hours),
        filed=filed,
        on=today(on),
        reason=dated_reason(reason, on),
        by=who(options.by),
        now=clock(),
        override=options.override,
    )
    _make(town, asked, change, done=done, json_=json_)


def _make(
    town: Path,
    asked: "ChangingOptions",
    change: "Callable[[Opened, Register, ChangingOptions], Changed]",
    *,
    done: str,
    json_: bool,
) -> None:
    from geonotice.opened_town import open_store
    from geonotice.register.json_values import changed_json, refused_json
    from geonotice.register.session import read_town_register
    from geonotice.register.values import PermitCheck

    with open_store(town) as opened, read_town_register(opened.town) as register:
        try:
            made = change(opened, register, asked)
        except (PermitRefused, PermitUndecided) as error:
            if isinstance(error.check, PermitCheck):
                warn(error.check.warnings)
                if json_:
                    print_json(refused_json(error.check))
            raise
        if (made.before.status, made.permit.status) == ("void", "rescinded"):
            done = "taken back: it is rescinded, as it was before it was voided"
        stands(f"Permit {made.permit.number} was {done}")
    if json_:
        print_json(changed_json(made))
        return
    from geonotice.cli.tables import changed_table, show

    show(changed_table(made, done))


def _hours(texts: list[str] | None) -> "tuple[GivenHours, ...] | None":
    """Return the hours that are given; none of them where they are to be taken out, None where they stay."""
    from geonotice.workflow.permit_request import given_hours

    if not texts:
        return None
    return () if [text.strip().casefold() for text in texts] == ["unknown"] else given_hours(texts)


Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that the papers are written into.")]


@permit.command("print")
def print_(town: TownArgument, number: Number, *, out: Out, on: OnOption = None, json_: JsonOption = False) -> None:
    """Write the permit and its last amendment as Word files and PDF; of a rescinded permit the rescission."""
    from geonotice.workflow.print_permits import print_permit

    print_papers(print_permit, town, number, out=out, on=on, json_=json_)


def print_papers(
    write: "Callable[..., tuple[tuple[Path, ...], tuple[str, ...]]]",
    town: Path,
    number: str,
    *,
    out: Path,
    on: str | None,
    json_: bool,
) -> None:
    """Write papers of the office, and name them."""
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register

    with open_store(town) as opened, read_town_register(opened.town) as register:
        files, notes = write(opened, register.required(), number, out=out, on=today(on))
        stands(f"The papers in {out} were written")
    if json_:
        print_json({"files": [str(file) for file in files], "notes": list(notes)})
        return
    for note in notes:
        say(note)
    for file in files:
        typer.echo(str(file))
