"""Tables for the terminal."""

from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from geonotice.cli.app import columns
from geonotice.layers.plain_table import plain_table
from geonotice.packet.words import counts_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from rich.console import RenderableType

    from geonotice.decide.deadlines import Deadline
    from geonotice.model import Notice, Recipient

__all__ = ["narrow", "notice_tables", "parcel_table", "show"]

_WIDE = 100
"""Columns that a table of seven columns takes, of which one is a tax map number of 25 letters."""

_REQUIRED = {
    "yes": "The notice is required.",
    "no": "No notice is required; the list is shown all the same.",
    "decide": "Whether the notice is required must be decided by an official.",
    "on_demand": "The notice is required if the officials ask for it.",
}


def narrow() -> bool:
    """Say whether the terminal is too narrow for a wide table."""
    return columns(110) < _WIDE


def show(what: "RenderableType") -> None:
    """Print on standard output, as wide as the terminal is; where it is none, as COLUMNS says, or 110 columns."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=columns(110))
    console.print(what)


def notice_tables(notice: "Notice", deadlines: "Sequence[Deadline]" = (), undated: "Sequence[str]" = ()) -> "RenderableType":
    """Lay out a notice: warnings first, then the days, the parcels, the recipients and the near misses.

    ``undated`` are those of hearing and event that the law counts this notice from, and whose day was not given.
    """
    head = Text()
    head.append(f"{notice.town}: {notice.occasion}", style="bold")
    head.append(f"\nPremises {', '.join(notice.premises)}")
    head.append(f"\n{_REQUIRED[notice.required]}")
    head.append(f"\n{counts_line(notice)}")
    parts: list[RenderableType] = [head]
    if notice.cautions:
        parts.append(_cautions(notice))
    parts += [Text(f"The last day for this notice is counted from the {name}: give its day with --{name}.") for name in undated]
    if deadlines:
        parts.append(_days(deadlines, notice.on))
    parts.append(_parcels(notice))
    parts.append(_recipients(notice))
    if notice.near_misses:
        misses = ", ".join(f"{miss.id} ({miss.distance_ft:,.2f} ft)" for miss in notice.near_misses)
        parts.append(Text(f"Near misses, not mailed: {misses}\n"))
    return Group(*parts)


def _cautions(notice: "Notice") -> Table:
    table = Table(title="\nLook at these first", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold yellow", no_wrap=True)
    table.add_column(overflow="fold")
    for caution in notice.cautions:
        named = f" [{', '.join(caution.parcels)}]" if caution.parcels else ""
        table.add_row("!", escape(f"{caution.text}{named}"))
    return table


def _days(deadlines: "Sequence[Deadline]", on: "date") -> Table:
    table = Table(title="\nBy when", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in sorted(deadlines, key=lambda item: item.suggested):
        past = one.bound == "latest" and one.suggested < on
        when = f"{'not before ' if one.bound == 'earliest' else ''}{one.suggested:%a} {one.suggested.isoformat()}"
        lawful = one.last_lawful_day
        last = "" if one.suggested == lawful else f" (last lawful day: {lawful:%a} {lawful.isoformat()})"
        table.add_row(f"{when}{' PAST' if past else ''}", escape(f"{one.what}{last}"), style="yellow" if past else None)
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
