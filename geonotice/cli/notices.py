"""``notice``, ``parcel`` and ``correct``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec.structs import replace

from geonotice.cli.app import (
    By,
    JsonOption,
    OnOption,
    StrictOption,
    TownArgument,
    app,
    as_day,
    print_json,
    say,
    stands,
    takes,
    today,
    who,
)
from geonotice.errors import Fault, RegisterError, Together, UsageError

if TYPE_CHECKING:
    from datetime import date

    from geonotice.model import Notice, OtherRecipient, SecondPlace
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.packet.paper import LabelOptions
    from geonotice.workflow.application import StatedEvent
    from geonotice.workflow.notice import NoticeRequest
    from geonotice.workflow.paper_settings import PaperFiles

__all__ = ["correct", "notice", "parcel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeOptions:
    """The options of ``notice``: what it is asked for, and how its packet is printed."""

    occasion: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="OCCASION", help="Why notice is given, as the ordinance calls it: hearing, filing, appeal."
        ),
    ] = None
    hearing: Annotated[str | None, typer.Option(metavar="DATE", help="The day of the hearing.")] = None
    event: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|DATE",
            help="The event file, whose premises, first day and hearing are taken; or the event's first day alone.",
        ),
    ] = None
    application: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Take the event of this application in the register.")
    ] = None
    filed: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The day the application was filed, where no event file or application of the register has it."
        ),
    ] = None
    find: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="Name a parcel by address or owner.")] = None
    add: Annotated[list[str] | None, typer.Option(metavar="PARCEL=REASON", help="Put a parcel on the list by hand.")] = None
    drop: Annotated[list[str] | None, typer.Option(metavar="PARCEL=REASON", help="Take a parcel off the list by hand.")] = None
    apart: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PARCEL=REASON",
            help="A parcel beside the premises is not the applicant's: do not measure from it, where the law moves the line out.",
        ),
    ] = None
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who prepares the list, and adds, drops or keeps apart: printed on the papers. Left out, what was changed names the user of this computer,"
            " and says so.",
        ),
    ] = None
    also: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="Interested persons of this case, notified besides: name, address, city, state, zip, …"
        ),
    ] = None
    around: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A second place of the event to measure from, where the law does: points, lines or areas."
        ),
    ] = None
    hearing_place: Annotated[
        str, typer.Option(metavar="TEXT", help="Where this hearing is held, where that is not what the town file says.")
    ] = ""
    hearing_time: Annotated[
        str, typer.Option(metavar="TEXT", help="At what time it begins, where that is not what the town file says: 6:30 p.m.")
    ] = ""
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the packet into this folder.")] = None
    sheet: Annotated[str, typer.Option(help="Label sheet: 5160, 5161, 5162, 5163, 5164, 5167 or compatible.")] = "5160"
    start_at: Annotated[int, typer.Option(min=1, help="First label to print on: a sheet that is partly used.")] = 1
    nudge_x: Annotated[float, typer.Option(help="Move all labels right by so many inches.")] = 0.0
    nudge_y: Annotated[float, typer.Option(help="Move all labels down by so many inches.")] = 0.0
    by_hand: Annotated[list[int] | None, typer.Option(metavar="NUMBER", help="Leave this recipient off the labels.")] = None
    no_letters: Annotated[bool, typer.Option("--no-letters", help="Leave the letters out of the packet.")] = False
    envelopes: Annotated[bool, typer.Option("--envelopes", help="Print #10 envelopes too.")] = False
    sort: Annotated[
        str,
        typer.Option(
            metavar="BY",
            help="Print letters, labels and sheets in this order: number, street, parcel, owner, zip. The numbers stay those of the list.",
        ),
    ] = "number"
    exhibit: Annotated[
        Literal["letter", "tabloid"],
        typer.Option(help="Paper of exhibit.pdf, the map for the record: letter (8.5 by 11 in) or tabloid (11 by 17 in)."),
    ] = "letter"

    def require_packet(self) -> None:
        """Refuse an option for the papers of a packet where no packet is written."""
        papers = {
            "--hearing-place": self.hearing_place,
            "--hearing-time": self.hearing_time,
            "--sheet": self.sheet != "5160",
            "--start-at": self.start_at != 1,
            "--nudge-x": self.nudge_x,
            "--nudge-y": self.nudge_y,
            "--by-hand": self.by_hand,
            "--envelopes": self.envelopes,
            "--sort": self.sort != "number",
            "--exhibit": self.exhibit != "letter",
            "--by": self.by is not None and not (self.add or self.drop or self.apart),
        }
        if self.out is None and (unused := [option for option, given in papers.items() if given]):
            raise UsageError(
                Fault(what=f"{unused[0]} is for the papers of a packet", remedy="name the packet's folder with --out")
            )

    def require_occasion(self, profile: "Profile") -> str:
        """Return the occasion; it is asked for before anything else."""
        if self.occasion is None:
            known = "; ".join(f"--for {name} for {words}" for name, words in profile.occasions.items())
            raise UsageError(Fault(what="why notice is given is not stated", remedy=f"use {known or 'an occasion with --for'}"))
        return self.occasion

    def labels(self) -> "LabelOptions":
        """Return how the labels are printed."""
        from geonotice.packet.paper import LabelOptions

        return LabelOptions(
            sheet=self.sheet,
            start_at=self.start_at,
            nudge_x_in=self.nudge_x,
            nudge_y_in=self.nudge_y,
            by_hand=tuple(self.by_hand or ()),
        )

    def request(self, opened: "Opened", stated: "StatedEvent", *, on: "date") -> "NoticeRequest":
        """Return what is asked for; ``stated`` is what ``--event`` names."""
        from geonotice.workflow.application import agreed_filing, agreed_hearing
        from geonotice.workflow.notice import NoticeRequest

        profile = opened.profile
        occasion = self.require_occasion(profile)
        changed = self.add or self.drop or self.apart
        if self.by is not None and not self.by.strip():
            raise UsageError(Fault(what="--by names nobody", remedy="write --by NAME, or leave it out"))
        together = Together()
        others: tuple[OtherRecipient, ...] = ()
        around: SecondPlace | None = None
        with together:
            others = self._others()
        with together:
            around = self._second_place(opened)
        together.settle()
        return NoticeRequest(
            occasion=occasion,
            on=on,
            hearing=agreed_hearing(stated, as_day(self.hearing, "--hearing"), profile=profile, occasion=occasion),
            event=stated.first_day,
            filed=agreed_filing(stated, as_day(self.filed, "--filed")),
            add=_reasons(self.add, "--add"),
            drop=_reasons(self.drop, "--drop"),
            apart=_reasons(self.apart, "--apart"),
            by=who(self.by, where="The list") if changed else "",
            others=others,
            around=around,
            stated=stated.warnings,
        )

    def _others(self) -> "tuple[OtherRecipient, ...]":
        if self.also is None:
            return ()
        from geonotice.config.others_to_notify import read_others

        return read_others(self.also, standing=False)

    def _second_place(self, opened: "Opened") -> "SecondPlace | None":
        if self.around is None:
            return None
        from geonotice.facts.drawings import read_second_place

        return read_second_place(opened, self.around)


@app.command()
@takes(NoticeOptions)
def notice(
    town: TownArgument,
    parcels: Annotated[
        list[str] | None, typer.Argument(metavar="PARCEL...", help="The premises: one or more tax map numbers.")
    ] = None,
    *,
    options: NoticeOptions,
    full: Annotated[
        bool,
        typer.Option("--full", help="Print every warning as a whole, with all its parcels and the rows that would answer it."),
    ] = False,
    on: OnOption = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Compute who must be notified of an occasion; print the list, or write the packet with --out."""
    from geonotice.opened_town import open_store
    from geonotice.packet.record import record
    from geonotice.workflow.application import agreed_premises
    from geonotice.workflow.notice import make_notice

    stated, out = _event(options.event), options.out
    options.require_packet()
    if options.application is not None and options.event is not None:
        remedy = "leave --event out; the register has what the application states"
        raise UsageError(Fault(what="an application and an event are both given", remedy=remedy))
    with open_store(town) as opened:
        options.require_occasion(opened.profile)
        if options.application is not None:
            from geonotice.workflow.applications import stated_by_application

            stated = stated_by_application(opened, options.application)
        premises = agreed_premises(opened, parcels or (), find=options.find or (), stated=stated)
        request, own = _read(opened, options, stated, on=today(on))
        noticed = make_notice(opened, premises, request)
        if out is not None:
            from geonotice.packet.sentences import count, counts_line
            from geonotice.warning_ranks import causes
            from geonotice.workflow.packet import write_packet

            written = write_packet(
                opened,
                noticed,
                out,
                labels=options.labels(),
                event=stated.event,
                letters=not options.no_letters,
                envelopes=options.envelopes,
                sort=options.sort,
                exhibit=options.exhibit,
                hearing_place=options.hearing_place,
                hearing_time=options.hearing_time,
                prepared_by=(options.by or "").strip(),
                own=own,
                progress=say,
            )
            noticed = replace(noticed, notice=written.notice)
            stands(f"The packet {out} was written")
            say(counts_line(noticed.notice))
            if noticed.notice.warnings:
                say(f"{count(len(causes(noticed.notice.warnings)), 'warning')} to read before mailing.")
            for note in written.notes:
                say(note)
            if written.kept:
                say(f"The packet that was there is kept as {written.kept}")
            say(f"The packet is in {out}: open {out / 'index.html'} first")
    if json_:
        print_json(record(noticed.notice))
    elif out is None:
        from geonotice.cli.tables import notice_tables, show

        show(notice_tables(noticed.notice, noticed.deadlines, noticed.undated, full=full))
    if strict:
        _require_answers(noticed.notice)


def _require_answers(notice: "Notice") -> None:
    """Name what a person must answer first, and exit with 4 where there is anything."""
    from geonotice.warning_ranks import few
    from geonotice.workflow.read_packet import open_questions

    questions = open_questions(notice)
    for one in questions:
        about = f" ({few(one.parcels)})" if one.parcels else ""
        say(f"To be answered ({one.code}): {one.question}{about} {one.to_do}")
    if questions:
        raise typer.Exit(4)


@app.command()
def parcel(
    town: TownArgument,
    number: Annotated[list[str] | None, typer.Argument(metavar="PARCEL", help="The tax map number.")] = None,
    *,
    find: Annotated[str | None, typer.Option(metavar="TEXT", help="Name it by address or owner instead.")] = None,
    json_: JsonOption = False,
) -> None:
    """Show all that is known of one property."""
    from geonotice.opened_town import find_premises, may_have_permits, open_store
    from geonotice.workflow.property import describe_parcel

    if bool(number) == bool(find):
        raise typer.BadParameter("give a tax map number, or --find with an address or an owner", param_hint="PARCEL")
    with open_store(town) as opened:
        found, *others = find_premises(opened, number or [], find=[find] if find else [])
        if others:
            raise UsageError(Fault(what="several parcels are named", remedy="ask for one at a time"))
        known = describe_parcel(opened, found)
        known |= {"permits": None, "warnings": []}
        if may_have_permits(town):
            from geonotice.workflow.property import permits_of_parcel

            try:
                known["permits"] = permits_of_parcel(opened, found)
            except RegisterError as error:  # what the layers hold is known all the same
                known["warnings"] = [{"code": "register_unreadable", "text": f"its permits are not known: {error}"}]
    for warning in known["warnings"]:
        say(f"! {warning['text']}")
    if json_:
        print_json(known)
    else:
        from geonotice.cli.tables import parcel_table, show

        show(parcel_table(known))


@app.command()
def correct(
    town: TownArgument,
    number: Annotated[str, typer.Argument(metavar="PARCEL", help="The tax map number.")],
    values: Annotated[
        list[str],
        typer.Argument(metavar="FIELD=VALUE...", help="What is right, such as zip=11901; lines of one value with | between."),
    ],
    *,
    why: Annotated[str, typer.Option(metavar="TEXT", help="How you know it; every list made with it shows that.")],
    by: By = None,
    replace_: Annotated[bool, typer.Option("--replace", help="Take the place of an earlier row about the same thing.")] = False,
    begin: Annotated[bool, typer.Option("--begin", help="Begin a corrections file, where the town file names none.")] = False,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Write what was found out about a property into the town's corrections file: owner, address, ZIP code, units."""
    from geonotice.opened_town import open_store
    from geonotice.packet.sentences import count
    from geonotice.workflow.corrections import begin_corrections, correct_parcel

    typed: dict[str, list[str]] = {}
    for text in values:
        field, mark, value = text.partition("=")
        if not mark:
            raise UsageError(Fault(what=f"{text!r} corrects nothing", remedy="write FIELD=VALUE, such as zip=11901"))
        typed.setdefault(field.strip(), []).append(value.strip())
    if begin:
        begin_corrections(town)
    with open_store(town) as opened:
        file, rows, replaced = correct_parcel(
            opened,
            number,
            {field: "\n".join(line for one in given for line in one.split("|")) for field, given in typed.items()},
            by=who(by, where="The corrections file"),
            on=today(on),
            why=why,
            replace=replace_,
        )
    stands(f"The corrections file {file} was written")
    if json_:
        print_json({"file": str(file), "parcel": rows[0].parcel, "fields": [row.field for row in rows], "replaced": replaced})
    else:
        instead = f", in the place of {count(replaced, 'earlier one')}" if replaced else ""
        say(f"{count(len(rows), 'row')} written to {file} for {rows[0].parcel}{instead}. The next list is made with it")


def _read(
    opened: "Opened", options: NoticeOptions, stated: "StatedEvent", *, on: "date"
) -> "tuple[NoticeRequest, PaperFiles | None]":
    """Return what is asked for, and what the papers of a packet need from the disk; whatever is wrong with either comes up at once."""
    together, own, request = Together(), None, None
    with together:
        if options.out is not None:
            from geonotice.workflow.paper_settings import read_paper_files

            own = read_paper_files(opened.town, opened.profile)
    with together:
        request = options.request(opened, stated, on=on)
    together.settle()
    assert request is not None  # noqa: S101  # else it was settled by raising
    return request, own


def _event(given: str | None) -> "StatedEvent":
    """Read ``--event``: a day, or an event file."""
    from geonotice.workflow.application import StatedEvent, read_stated_event

    if given is not None and (Path(given).suffix or Path(given).exists()):
        return read_stated_event(Path(given))
    return StatedEvent(as_day(given, "--event"))


def _reasons(given: list[str] | None, option: str) -> dict[str, str]:
    """Read PARCEL=REASON; all that are not of that form are refused at once."""
    wrong = [text for text in given or () if not text.partition("=")[1]]
    if wrong:
        raise UsageError(
            [Fault(what=f"{option} {text!r} gives no reason", remedy=f'write {option} "PARCEL=REASON"') for text in wrong]
        )
    return {text.partition("=")[0].strip(): text.partition("=")[2].strip() for text in given or ()}
