"""Lay the data report of an import out for the terminal."""

from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.text import Text

from geonotice.layers.plain_table import plain_table

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from geonotice.layers.build import ImportReport
    from geonotice.layers.fields import FieldMap

__all__ = ["CODE_WORDS", "render_import_report"]

CODE_WORDS = {
    "repaired": "polygons made valid",
    "dropped": "rows without a usable polygon, left out",
    "dissolved": "numbers on several rows, made one parcel",
    "stacked": "polygons that several parcels share",
    "sliver": "polygons of less than a square foot",
    "unmatched_roll": "rows of a roll that no parcel has",
    "unmatched_parcel": "parcels that a roll does not have",
    "unmailable": "owners to whom no letter can be addressed",
    "blank_key": "parcels without a tax map number",
    "role_guessed": "roles taken from the shape, the use or a word",
    "may_be_street": "lots that may be streets",
    "duplicate_layer": "parcels that stand in two layers",
    "overlap": "places where two layers do not match",
    "curve": "curves drawn as short lines",
    "z_dropped": "heights left out",
    "address_point_off": "address points on no parcel",
    "common_land": "lots that are the common land of others",
    "common_land_question": "lots that may be the common land of others: to be answered in the town file",
    "source_note": "things to know of a source",
}
"""What the codes of the store's ``problems`` mean."""

EXAMPLES = 3


def render_import_report(report: "ImportReport") -> "RenderableType":
    """Give the report: what went in, how the fields map, what was done, what to know."""
    parts: list[RenderableType] = [_sources(report)]
    for name, fields in report.fields:
        parts.append(_fields(name, fields))
    parts.append(_problems(report))
    if report.warnings:
        parts.append(Text("\n".join(f"! {warning}" for warning in report.warnings), style="yellow"))
    counts = ", ".join(f"{count:,} {_named(name, count)}" for name, count in report.counts.items())
    parts.append(Text(f"{report.store}: {counts}", style="bold"))
    return Group(*parts)


def _named(name: str, count: int) -> str:
    """Name what a count is of: one municipality, two municipalities."""
    words = name.replace("_", " ")
    match words:
        case "water":
            return "bodies of water" if count != 1 else "body of water"
        case "zoning":
            return f"zoning district{'' if count == 1 else 's'}"
    return words if count != 1 else f"{words[:-3]}y" if words.endswith("ies") else words.removesuffix("s")


def _sources(report: "ImportReport") -> "Table":
    table = plain_table("What went in")
    for column in ("layer", "file", "rows", "as of", "roll", "CRS"):
        table.add_column(column, justify="right" if column == "rows" else "left", overflow="fold")
    for source in report.sources:
        roll = (
            ""
            if source.roll_year is None
            else f"{source.roll_year}{'' if source.final is None else ' final' if source.final else ' not final'}"
        )
        crs = source.crs if source.crs.startswith(("EPSG", "ESRI")) else "custom" if source.crs else ""
        table.add_row(source.layer, escape(source.path), f"{source.features:,}", str(source.as_of or "not known"), roll, crs)
    return table


def _fields(name: str, fields: "FieldMap") -> "Table":
    table = plain_table(f"\nFields of {name}" + (f" (recognised as {fields.schema})" if fields.schema else ""), head=False)
    for field, column in fields.fields.items():
        table.add_row(field, escape(column) + (" (as the town file says)" if field in fields.given else ""))
    if fields.key is not None:
        table.add_row("key", escape(str(fields.key)))
    for item in fields.rejected:
        table.add_row("not the key", escape(str(item)))
    for note in fields.notes:
        table.add_row("note", escape(note))
    if fields.unused:
        more = f" and {len(fields.unused) - 12} more" if len(fields.unused) > 12 else ""  # noqa: PLR2004  # a line or two
        table.add_row("not used", escape(", ".join(fields.unused[:12]) + more))
    return table


def _problems(report: "ImportReport") -> "RenderableType":
    if not report.problems:
        return Text("\nNo problems were found in the layers.")
    table = plain_table("\nWhat was found (all of it is in the table problems of the store)")
    for column in ("how many", "what", "for example"):
        table.add_column(column, justify="right" if column == "how many" else "left")
    for code, count in report.problems_by_code().items():
        some = [item for item in report.problems if item.code == code][:EXAMPLES]
        text = "\n".join(escape(f"{item.key or item.layer}: {item.text}") for item in some)
        table.add_row(f"{count:,}", f"{CODE_WORDS.get(code, code)} ({code})", text)
    return table
