"""Tables for the terminal."""

from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from geonotice.cli.app import columns, told
from geonotice.layers.reports import plain_table
from geonotice.packet.sentences import count, counts_line
from geonotice.warning_ranks import causes, fitted, named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from rich.console import RenderableType

    from geonotice.decide.deadlines import Deadline
    from geonotice.model import Notice, Recipient
    from geonotice.register.import_permits import ImportReport
    from geonotice.register.values import Changed, Entry, Issued, LogReport, Permit, PermitCheck
    from geonotice.workflow.at_cap import AtCap


__all__ = [
    "at_cap_table",
    "changed_table",
    "check_table",
    "import_table",
    "issued_table",
    "list_table",
    "log_table",
    "narrow",
    "notice_tables",
    "parcel_table",
    "permit_table",
    "show",
    "two_columns",
    "verified_text",
]


_WIDE = 100
"""Columns that a table of seven columns takes, of which one is a tax map number of 25 letters."""

_SIGN_COLUMNS = 6
"""Columns of the sign before a warning, and the blanks around both."""

_HEADING_LINES = 4
"""Lines of the heading over the warnings, and of what says below them what is left out."""

_ANSWER = "corrections.csv:"
"""What stands before a row of the corrections file that answers a warning."""

_REQUIRED = {
    "yes": "The notice is required.",
    "no": "No notice is required; the list is shown all the same.",
    "decide": "Whether the notice is required must be decided by an official.",
    "on_demand": "The notice is required if the officials ask for it.",
}


def narrow() -> bool:
    """Return whether the terminal is too narrow for a wide table."""
    return columns(110) < _WIDE


def show(what: "RenderableType") -> None:
    """Print on standard output, as wide as the terminal is; where it is none, as COLUMNS says, or 110 columns."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=columns(110))
    console.print(what)


def notice_tables(
    notice: "Notice", deadlines: "Sequence[Deadline]" = (), undated: "Sequence[str]" = (), *, full: bool = False
) -> "RenderableType":
    """Lay out a notice: warnings first, then the days, the parcels, the recipients and the near misses.

    ``undated`` are those of hearing and event that the law counts this notice from, and whose day was not given; ``full`` spells every warning out, with
    every parcel that it names.
    """
    head = Text()
    head.append(f"{notice.town}: {notice.occasion}", style="bold")
    head.append(f"\nPremises {', '.join(notice.premises)}")
    head.append(f"\n{_REQUIRED[notice.required]}")
    head.append(f"\n{counts_line(notice)}")
    parts: list[RenderableType] = [head]
    if notice.warnings:
        parts.append(_warnings(notice, full=full))
    parts += [Text(f"The last day for this notice is counted from the {name}: give its day with --{name}.") for name in undated]
    if deadlines:
        parts.append(_days(deadlines, notice.on))
    parts.append(_parcels(notice))
    parts.append(_recipients(notice))
    if notice.near_misses:
        misses = ", ".join(f"{miss.id} ({miss.distance_ft:,.2f} ft)" for miss in notice.near_misses)
        parts.append(Text(f"Near misses, not mailed: {misses}\n"))
    return Group(*parts)


def two_columns(title: str, rows: "Sequence[tuple[str, str]]") -> Table:
    """Lay out what stands beside what, in two columns; the first stays empty where no row has anything there."""
    table = Table(title=f"\n{escape(title)}", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(no_wrap=not narrow())
    table.add_column(overflow="fold")
    for first, second in rows:
        table.add_row(escape(first), escape(second))
    return table


WARNING_LINES = 25
"""Most lines that the warnings take on the terminal, heading and all: what comes after them must be found without scrolling back."""


def _warnings(notice: "Notice", *, full: bool) -> Table:
    """Lay out the warnings, the worst first: in a few lines, or each as a whole."""
    found = causes(notice.warnings)
    table = Table(title="\nLook at these first", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold yellow", no_wrap=True)
    table.add_column(overflow="fold")
    if full:
        for cause in found:
            of = named(cause, most=len(cause.parcels))
            table.add_row("!", escape(f"{cause.text} [{of}]" if of else cause.text))
            for row in cause.answers:
                table.add_row("", escape(f"{_ANSWER} {row}"))
        return table
    console = Console()
    width = console.width if console.is_terminal else columns(110)
    shown = fitted(found, width=width - _SIGN_COLUMNS, lines=WARNING_LINES - _HEADING_LINES)
    for text, row in shown.items:
        table.add_row("!", escape(text))
        if row:
            table.add_row("", escape(f"{_ANSWER} {row}"), style="dim")
    if shown.left_out:
        table.add_row("", escape(f"Add --full to see {shown.left_out}."), style="bold")
    return table


_STYLES = {"open": None, "met": "green", "late": "yellow", "past": "yellow"}


def _days(deadlines: "Sequence[Deadline]", on: "date") -> Table:
    table = Table(title="\nBy when", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in sorted(deadlines, key=lambda item: item.suggested):
        state = one.state(on)
        when = f"{'not before ' if one.bound == 'earliest' else ''}{one.suggested:%a} {one.suggested.isoformat()}"
        lawful = one.last_lawful_day
        last = "" if one.suggested == lawful else f" (last lawful day: {lawful:%a} {lawful.isoformat()})"
        last = f" ({one.other_day})" if one.suggested > one.last_day else last
        known = f": {one.standing(on)}" if one.done_on else ""
        table.add_row(
            f"{when}{'' if state == 'open' else f' {state.upper()}'}", escape(f"{one.what}{last}{known}"), style=_STYLES[state]
        )
    return table


def _parcels(notice: "Notice") -> Table:
    """Lay out the parcels; a rule that all of them are listed for is named once, and no column stands empty."""
    rules = {parcel.rule for parcel in notice.parcels}
    review = any(parcel.review for parcel in notice.parcels)
    table = plain_table("\nParcels" + (f" ({escape(next(iter(rules)))})" if len(rules) == 1 else ""))
    table.add_column("Tax map number", no_wrap=True)
    table.add_column("Address", overflow="fold")
    table.add_column("Relation", overflow="fold", min_width=len("abutting,"))
    table.add_column("Feet", justify="right", no_wrap=True)
    table.add_column("Own.", justify="right", no_wrap=True)
    table.add_column("Res.", justify="right", no_wrap=True)
    if len(rules) > 1:
        table.add_column("Rule", overflow="fold")
    if review:
        table.add_column("Look at", overflow="fold", min_width=len("borderline"))
    for parcel in notice.parcels:
        row = [parcel.id, parcel.situs, ", ".join((parcel.relation, *parcel.also)), f"{parcel.distance_ft:,.2f}"]
        row += [str(parcel.owners), str(parcel.residents)]
        row += [parcel.rule] if len(rules) > 1 else []
        row += [", ".join(parcel.review)] if review else []
        table.add_row(*(escape(cell) for cell in row))
    return table


def _recipients(notice: "Notice") -> Table:
    table = plain_table("\nRecipients")
    table.add_column("No.", justify="right")
    table.add_column("As")
    table.add_column("Name and address", overflow="fold")
    table.add_column("Mail")
    table.add_column("Parcels", no_wrap=True)  # a number that is broken in two cannot be copied
    for recipient in notice.recipients:
        row = (str(recipient.number), recipient.role, _address(recipient), _mail(recipient), "\n".join(recipient.parcels))
        table.add_row(*(escape(cell) for cell in row))
    return table


def _mail(recipient: "Recipient") -> str:
    """Return what the rule asks for, and whether it can be done."""
    return recipient.mail if recipient.mailable else f"{recipient.mail}\n(cannot be mailed)"


def _address(recipient: "Recipient") -> str:
    place = " ".join(part for part in (recipient.city, recipient.state, recipient.zip) if part)
    return "\n".join(line for line in (*recipient.names, *recipient.address, place, recipient.country) if line)


def parcel_table(known: "dict[str, Any]") -> "RenderableType":
    """Lay out what is known of one property."""
    table = Table(title=f"Parcel {escape(known['id'])}", title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    layers = {"districts": "no zoning layer", "municipalities": "no municipalities layer"}
    rows = [
        ("Address", known["situs"]["text"] or "(none)"),
        ("Municipality", " ".join(part for part in (known["municipality"], known["swis"]) if part) or "(not given)"),
        ("Property class", known["property_class"] or "(not given)"),
        ("Role", known["role"].replace("_", " ")),
        ("Area", f"{known['area_sq_ft']:,} sq ft, {known['acres']:,.2f} acres"),
        ("Roll year", str(known["roll_year"] or "(not given)")),
        *(
            (key.capitalize(), absent if known[key] is None else ", ".join(known[key]) or "(none)")
            for key, absent in layers.items()
        ),
        *(("Owner", _owner(owner)) for owner in known["owners"] or [{}]),
    ]
    if known["address_points"] is not None:
        rows.append(("Address points", str(len(known["address_points"]))))
    rows += [("Problem", problem["text"]) for problem in known["problems"]]
    if known["permits"]:
        rows += [("Permit", _permit(permit)) for permit in known["permits"]]
    else:
        absent = "(not known)" if known["warnings"] else "(no permit register)"
        rows.append(("Permits", absent if known["permits"] is None else "(none)"))
    for name, value in rows:
        table.add_row(name, escape(value))
    return table


def _permit(permit: "dict[str, Any]") -> str:
    event = permit["starts"] or "on a day that is not known"
    return f"{permit['number']} ({permit['status']}): {permit['kind'].replace('_', ' ')}, {event}"


def _owner(owner: "dict[str, Any]") -> str:
    if not owner:
        return "(none known)"
    place = " ".join(part for part in (owner["city"], owner["state"], owner["zip"]) if part)
    lines = [*owner["names"], *owner["address"], place, owner["country"]]
    return "\n".join(line for line in lines if line) + ("" if owner["mailable"] else "\n(cannot be mailed)")


_ANSWERS = {
    "met": ("A permit may be issued as far as the register counts.", "bold green"),
    "not_met": ("NO: the limit is reached.", "bold red"),
    "decide": ("TO DECIDE: it turns on what is not known.", "bold yellow"),
}


_CAPS_ONLY = "Only the annual caps and the land were checked. With --event the whole ordinance is."

_COUNTED_BY = {"issued": "the year in which it is issued", "starts": "the year of its event"}

_WIDE_LIST = ("Number", "Issued", "Event", "Kind", "Parcels", "Applicant", "Status")
_WIDE_LOG = ("No.", "When", "Who", "What", "Permit", "Why", "Hash")
_NOT_COUNTED = ("No conflict, but nothing could be counted: there is no permit register.", "bold yellow")


def check_table(found: "PermitCheck") -> "RenderableType":
    """Lay out a check: the answer, each parcel's count, the next date, what to look at."""
    counted = all(item.recorded for item in found.finding.parcels)
    words, style = _ANSWERS[found.status] if counted or found.status != "met" else _NOT_COUNTED
    if found.status == "decide" and not found.finding.parcels:  # a parade: nothing is unknown, but an official weighs it
        words = "TO DECIDE by the official who issues the permit."
    parts: list[RenderableType] = [*_headline(found, words, style), Text(found.text)]
    if found.finding.next_date is not None:
        parts.append(Text(f"The next could be from {found.finding.next_date} on.", style="bold"))
    if found.finding.parcels and counted:
        parts.append(_counted(found))
    parts += [Text(f"! {told(warning)}", style="yellow") for warning in found.warnings]
    if found.citation:
        parts.append(Text(found.citation, style="dim"))
    return Group(*parts)


def _counted(found: "PermitCheck") -> Table:
    """Lay out what was counted of each parcel; how permits are counted is said once where it is the same for all."""
    ways = {item.year_of for item in found.finding.parcels}
    by = " or ".join(dict.fromkeys(_COUNTED_BY.get(way, way) for way in sorted(ways)))
    table = plain_table(f"\nPermits this year: each counts in {by}")
    for name in ("Parcel", "Zoning", "Used", "At most", "Left", "Permits counted"):
        table.add_column(name, overflow="fold", no_wrap=True)
    for item in found.finding.parcels:
        limit, left = ("no limit" if value is None else str(value) for value in (item.cap, item.left))
        numbers = "\n".join(permit.number for permit in item.counted if permit.number)
        row = (item.parcel, item.zone, str(item.used), limit, "" if item.cap is None else left, numbers)
        table.add_row(*(escape(cell) for cell in row))
    return table


def _headline(found: "PermitCheck", words: str, style: str) -> "list[RenderableType]":
    """Return the outcome in lines: of the whole check where there is one or where the land is in question, else of what was counted; and what was checked."""
    if found.event is None and not found.land:
        return [Text(words, style=style), Text(_CAPS_ONLY, style="dim")]
    style = {"met": "bold green", "not_met": "bold red", "decide": "bold yellow"}[found.status]
    return [Text(found.headline.text, style=style), *_against(found)]


def _against(found: "PermitCheck") -> "list[RenderableType]":
    """List what stands against a permit, by its rule."""
    signs = {"not_met": "NOT MET", "decide": "TO DECIDE"}
    return [Text(f"  [{signs[one.status]}] {one.text} ({one.rule})") for one in found.against]


def issued_table(made: "Issued") -> "RenderableType":
    """Lay out a permit just issued."""
    return Group(
        *(Text(f"Permit {one.number} is issued.", style="bold green") for one in (made.permit, *made.others)),
        *_override(made.permit),
        *([Text(_CAPS_ONLY, style="dim")] if made.check.event is None else [Text(made.check.headline.text)]),
        Text(f"Counted before this one: {made.check.text}" if made.check.finding.parcels else made.check.text),
        *(Text(f"! {told(warning)}", style="yellow") for warning in made.check.warnings),
        Text(f"Log: {made.log_hash}", style="dim"),
    )


def changed_table(changed: "Changed", done: str) -> "RenderableType":
    """Lay out a permit just amended or corrected: what it was and what it is."""
    from geonotice.register.amendments import change_lines

    check = changed.check
    override = _override(changed.permit) if changed.permit.override != changed.before.override else []
    return Group(
        Text(f"Permit {changed.permit.number} is {done}.", style="bold green"),
        *(Text(f"  {line}") for line in change_lines(changed.changes)),
        *override,
        *([Text(_CAPS_ONLY, style="dim")] if check.event is None else [Text(check.headline.text)]),
        Text(f"Counted beside this one: {check.text}" if check.finding.parcels else check.text),
        *(Text(f"! {told(warning)}", style="yellow") for warning in check.warnings),
        Text(f"Log: {changed.log_hash}", style="dim"),
    )


def permit_table(permit: "Permit", entries: "Sequence[Entry]", *, application: str | None = None) -> "RenderableType":
    """Lay out a permit with its history."""
    from geonotice.decide.proposal import session_lines

    table = Table(
        title=f"Permit {escape(permit.number)}", title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    words = {True: "yes", False: "no", None: "not known"}
    rows = (
        ("Status", permit.status),
        ("Kind", " ".join(part for part in (permit.kind.replace("_", " "), permit.title) if part)),
        ("Parcels", "; ".join(f"{land.parcel} ({land.zone})" for land in permit.land)),
        ("Applicant", permit.applicant),
        ("Charitable", words[permit.charitable]),
        ("For the applicant", words[permit.primarily_benefits_applicant]),
        ("Property owned by", (permit.owned_by or "").replace("_", " ")),
        ("Application", application or ""),
        ("Issued", str(permit.issued or "")),
        ("Event", f"{permit.starts or ''}{f' to {permit.ends}' if permit.ends and permit.ends != permit.starts else ''}"),
        ("Held on", ", ".join(day.isoformat() for day in permit.yard_sale_days)),
        ("Hours", "\n".join(session_lines(permit.hours))),
        ("At night", words[permit.night]),
        ("Distinct events", str(permit.distinct_events)),
        ("Persons", "" if permit.persons is None else f"{permit.persons:,}"),
        ("Maximum attendance", "" if permit.maximum_attendance is None else f"{permit.maximum_attendance:,}"),
        ("Conditions", permit.conditions),
        ("Contact", permit.contact),
        ("Fee", permit.fee),
        ("Title", "kept off the public's map and calendar" if permit.private_title else ""),
    )
    for name, value in rows:
        if value:
            table.add_row(name, escape(value))
    return Group(table, *_override(permit), *_amended(entries), log_table(entries))


def _amended(entries: "Sequence[Entry]") -> list[Text]:
    """Return what the permit was before each amendment and correction, and the drawing that it was issued on."""
    from geonotice.register.amendments import change_lines
    from geonotice.register.log import ISSUING

    actions = {ISSUING: "Issued", "amend": "Amended", "correct": "Corrected"}
    return [
        Text(
            f"\n{actions.get(entry.action.removesuffix('_override'), entry.action)} on {entry.at.date()} by {entry.by}: {'; '.join(lines)}"
        )
        for entry in entries
        if (lines := change_lines(entry.changes, issued=entry.action.startswith(ISSUING)))
    ]


def _override(permit: "Permit") -> list[Text]:
    if not permit.override:
        return []
    passed = [Text(f"Passed over: {permit.overridden}", style="red")] if permit.overridden else []
    return [Text(f"ISSUED PAST THE LIMIT OR ANOTHER RULE by {permit.override_by}: {permit.override}", style="bold red"), *passed]


def list_table(permits: "Sequence[Permit]", *, which: str = "") -> "RenderableType":
    """Lay out a list of permits; one issued by override is shown in red. ``which`` says after the number of permits which these are."""
    title = f"{count(len(permits), 'permit')} {which}".rstrip()
    if not permits:
        return Text(title, style="bold")
    table = plain_table(title)
    # On a narrow terminal two short columns share one, so that a tax map number stays whole.
    names = ("Number", "Issued,\nevent", "Parcels", "Kind,\napplicant", "Status") if narrow() else _WIDE_LIST
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name in {"Number", "Issued", "Event", "Issued,\nevent", "Parcels"})
    for permit in permits:
        status = f"{permit.status} by override" if permit.override else permit.status
        days, words = (str(permit.issued or ""), str(permit.starts or "")), (permit.kind.replace("_", " "), permit.applicant)
        numbers = "\n".join(permit.parcels)
        row: tuple[str, ...]
        if narrow():
            row = (permit.number, "\n".join(days), numbers, "\n".join(words), status)
        else:
            row = (permit.number, *days, words[0], numbers, words[1], status)
        table.add_row(*(escape(cell) for cell in row), style="red" if permit.override else None)
    return table


def at_cap_table(found: "AtCap") -> "RenderableType":
    """Lay out the lots at the cap."""
    if not found.lots:
        return Text(f"0 lots are at the cap of {found.year}", style="bold")
    table = plain_table(f"{count(len(found.lots), 'lot')} at the cap of {found.year}")
    for name in ("Parcel", "District", "Used", "Permits", "Applicants", "Next"):
        table.add_column(name, overflow="fold", no_wrap=name in {"Parcel", "Used"})
    for lot in found.lots:
        used = str(lot.used) if lot.cap is None else f"{lot.used} of {lot.cap}"
        further = "\n".join(
            [*([str(lot.next_date)] if lot.next_date else []), *(["one for a charity"] if lot.one_more_for_a_charity else [])]
        )
        cells = (lot.parcel, ", ".join(lot.districts), used, "\n".join(lot.permits), "\n".join(lot.applicants), further)
        table.add_row(*(escape(cell) for cell in cells))
    return table


def log_table(entries: "Sequence[Entry]") -> "RenderableType":
    """Lay out rows of the log."""
    table = plain_table("\nLog")
    names = ("No.", "When,\nwho", "What,\npermit", "Why", "Hash") if narrow() else _WIDE_LOG
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name not in {"Who", "Why"})
    for entry in entries:
        when, what = (entry.at.isoformat(sep=" ", timespec="minutes"), entry.by), (entry.action.replace("_", " "), entry.permit)
        pairs = ("\n".join(when), "\n".join(what)) if narrow() else (*when, *what)
        table.add_row(*(escape(cell) for cell in (str(entry.n), *pairs, entry.why, entry.hash[:12])))
    return table


def verified_text(report: "LogReport") -> "RenderableType":
    """Return what verifying the log found."""
    if report.sound:
        return Group(
            Text(f"The log is sound: {report.rows:,} rows, each chained to the one before it.", style="bold green"),
            Text(f"Its head is {report.head}. Note it down: with --head it shows later that nothing was cut off.", style="dim"),
        )
    return Group(
        Text(f"THE REGISTER WAS CHANGED BEHIND ITS LOG; what is wrong: {len(report.faults)}.", style="bold red"),
        *(Text(f"  {fault.text}") for fault in report.faults),
    )


def import_table(report: "ImportReport") -> "RenderableType":
    """Return what became of each row of a file that needs looking at; of a preview each row, with what was understood."""
    done = "taken" if report.written else "would be taken"
    told = {
        done: report.count("taken", "taken_with_remarks"),
        "corrected" if report.written else "would be corrected": report.count("corrected"),
        "there already": report.count("there_already"),
        "not permits": report.count("not_a_permit"),
        "different from the register": len(report.differing),
        "refused and asked about": len(report.refused),
    }
    first, *others = [f"{number} {what}" for what, number in told.items() if number or what in {done, "there already"}]
    rows = count(told[done], "row")
    head = ", ".join([f"{rows} {first.split(' ', 1)[1]}", *others])
    parts: list[RenderableType] = [Text(head, style="bold"), *(Text(f"! {remark}", style="yellow") for remark in report.remarks)]
    # What stands there unchanged is counted above; a file that is imported again would else list all of it.
    from geonotice.register.question_file import understood_words

    looked = [row for row in report.rows if not report.written or (row.reasons and row.reasons != ("it stands in the register",))]
    if looked:
        table = plain_table("\nRows to look at" if report.written else "\nWhat was understood")
        for name in ("Row", "Number", "Outcome", *(() if report.written else ("Understood",)), "Why"):
            table.add_column(name, overflow="fold")
        for row in looked:
            understood = () if report.written else (escape(understood_words(row)),)
            table.add_row(
                str(row.n), escape(row.number), row.outcome.replace("_", " "), *understood, escape("; ".join(row.reasons))
            )
        parts.append(table)
    if report.differing:
        parts.append(_differences(report))
    if report.questions:
        text = f"The rows that were refused are in {report.questions}, each with what is asked. Correct them there, and import that file."
        parts.append(Text(f"\n{text}", style="bold"))
    return Group(*parts)


def _differences(report: "ImportReport") -> "RenderableType":
    """Return what would be corrected, and what to run."""
    table = plain_table("\nCorrections")
    for name in ("Row", "Number", "Field", "In the register", "In the file"):
        table.add_column(name, overflow="fold")
    for row in report.differing:
        for one in row.differences:
            table.add_row(str(row.n), escape(row.number), one.field, escape(one.there), escape(one.here))
    return Group(
        table,
        Text("To take them as they stand in the file, run the same command with --correct. The log keeps both.", style="bold"),
    )
