"""Tables for the terminal."""

from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.model import Notice, Recipient

__all__ = ["notice_tables", "parcel_table", "show"]

_REQUIRED = {
    "yes": "The notice is required.",
    "no": "No notice is required; the list is shown all the same.",
    "decide": "Whether the notice is required must be decided by an official.",
    "on_demand": "The notice is required if the officials ask for it.",
}


def show(what: "RenderableType") -> None:
    """Print on standard output, as wide as the terminal is, or 110 columns where it is none."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=110)
    console.print(what)


def notice_tables(notice: "Notice") -> "RenderableType":
    """Lay out a notice: warnings first, then the parcels, the recipients and the near misses."""
    owners = sum(r.role == "owner" and r.mail != "none" for r in notice.recipients)
    residents = sum(r.role == "resident" and r.mail != "none" for r in notice.recipients)
    head = Text()
    head.append(f"{notice.town}: {notice.occasion}", style="bold")
    head.append(f"\nPremises {', '.join(notice.premises)}")
    head.append(f"\n{_REQUIRED[notice.required]}")
    head.append(f"\n{len(notice.parcels)} parcels; {owners} letters to owners, {residents} to residents.\n")
    parts: list[RenderableType] = [head]
    if notice.cautions:
        parts.append(_cautions(notice))
    parts.append(_parcels(notice))
    parts.append(_recipients(notice))
    if notice.near_misses:
        misses = ", ".join(f"{miss.id} ({miss.distance_ft:,.2f} ft)" for miss in notice.near_misses)
        parts.append(Text(f"Near misses, not mailed: {misses}\n"))
    return Group(*parts)


def _cautions(notice: "Notice") -> Table:
    table = Table(title="Look at these first", title_justify="left", show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold yellow", no_wrap=True)
    table.add_column(overflow="fold")
    for caution in notice.cautions:
        named = f" [{', '.join(caution.parcels)}]" if caution.parcels else ""
        table.add_row("!", escape(f"{caution.text}{named}"))
    return table


def _parcels(notice: "Notice") -> Table:
    table = Table(title="\nParcels", title_justify="left")
    table.add_column("Tax map number", no_wrap=True)
    table.add_column("Address", overflow="fold")
    table.add_column("Relation", overflow="fold")
    table.add_column("Feet", justify="right", no_wrap=True)
    table.add_column("Owners", justify="right")
    table.add_column("Residents", justify="right")
    table.add_column("Rule", overflow="fold")
    table.add_column("Look at", overflow="fold")
    for parcel in notice.parcels:
        relation = ", ".join((parcel.relation, *parcel.also))
        row = (
            parcel.id,
            parcel.situs,
            relation,
            f"{parcel.distance_ft:,.2f}",
            str(parcel.owners),
            str(parcel.residents),
            parcel.rule,
        )
        table.add_row(*(escape(cell) for cell in row), escape(", ".join(parcel.review)))
    return table


def _recipients(notice: "Notice") -> Table:
    table = Table(title="\nRecipients", title_justify="left")
    table.add_column("No.", justify="right")
    table.add_column("As")
    table.add_column("Name and address", overflow="fold")
    table.add_column("Mail")
    table.add_column("Parcels", overflow="fold")
    for recipient in notice.recipients:
        row = (str(recipient.number), recipient.role, _address(recipient), recipient.mail, ", ".join(recipient.parcels))
        table.add_row(*(escape(cell) for cell in row))
    return table


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
    for name, value in rows:
        table.add_row(name, escape(value))
    return table


def _owner(owner: "dict[str, Any]") -> str:
    if not owner:
        return "(none known)"
    place = " ".join(part for part in (owner["city"], owner["state"], owner["zip"]) if part)
    lines = [*owner["names"], *owner["address"], place, owner["country"]]
    return "\n".join(line for line in lines if line) + ("" if owner["mailable"] else "\n(cannot be mailed)")
