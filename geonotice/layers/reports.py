"""Reports for the terminal: an inspection, and the data report of an import."""

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from geonotice.layers.columns.expression import columns_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.layers.columns.recognize import FieldMap
    from geonotice.layers.import_layers import ImportReport
    from geonotice.layers.inspect import Inspection, LayerSeen, Serving


__all__ = [
    "CODE_WORDS",
    "plain_table",
    "render_import_report",
    "render_inspection",
]


def plain_table(title: str, *, head: bool = True) -> Table:
    """Begin a table without lines between its columns, which would take the place of words on a narrow terminal."""
    return Table(
        title=title,
        title_justify="left",
        show_header=head,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


NAMES = {
    "parcels": "parcels",
    "zoning": "zoning",
    "municipalities": "municipalities",
    "streets": "streets",
    "railroads": "railroads",
    "water": "water",
    "address_points": "address points",
    "roll": "assessment roll",
}
MANY_LAYERS = 4
"""With more layers than this, each is shown in a few lines, without its fields."""


def render_inspection(inspection: "Inspection") -> "RenderableType":
    """Lay an inspection out for the terminal; nothing in a source is taken for markup."""
    parts: list[RenderableType] = [
        Text.assemble((str(inspection.path), "bold"), f"  {inspection.driver}, {_layers(len(inspection.layers))}")
    ]
    full = len(inspection.layers) <= MANY_LAYERS
    for layer in inspection.layers:
        parts += ["", *_layer(layer, full=full)]
    could = ", ".join(NAMES[kind] for kind in inspection.serves)
    parts += ["", Text.assemble("It could serve as: ", (could, "bold"))]
    return Group(*parts)


def _layers(count: int) -> str:
    return "one layer" if count == 1 else f"{count} layers"


def _layer(layer: "LayerSeen", *, full: bool) -> "list[RenderableType]":
    kind = (
        "table" if not layer.geometry else ", ".join(_many(count, name) for name, count in layer.kinds.items()) or layer.geometry
    )
    parts: list[RenderableType] = [Text.assemble("Layer ", (layer.name, "bold"), f": {_many(layer.count, 'record')} ({kind})")]
    if layer.refused is not None:
        return [*parts, _line(f"cannot be used: {layer.refused.what}. {layer.refused.remedy}.", "red")]
    if layer.geometry:
        parts.append(
            _line(
                f"CRS: {layer.crs_name} ({_code(layer.crs)})" if layer.crs else "CRS: none stated", "" if layer.crs else "yellow"
            )
        )
    if layer.degrees is not None:
        west, south, east, north = layer.degrees
        parts.append(_line(f"lies between {west:.4f}, {south:.4f} and {east:.4f}, {north:.4f} (longitude, latitude)"))
    if layer.measure is not None:
        parts.append(_line(f"to be measured in {layer.measure.name} ({layer.measure.crs}). {layer.measure.warning}".rstrip()))
    parts += [_line(f"! {note.text}", "yellow") for note in layer.troubles]
    parts += [_line(f"- {note.text}") for note in layer.notes]
    if full and layer.fields:
        parts.append(Padding(_field_lines(layer), (0, 0, 0, 2)))
    spoken = [serving for serving in layer.serves if serving.recognised] or list(layer.serves[:1])
    parts += [
        _line(f"could be {NAMES[serving.kind]}: {serving.reason}", "green" if serving.recognised else "") for serving in spoken
    ]
    others = [NAMES[serving.kind] for serving in layer.serves if serving not in spoken]
    if others:
        parts.append(_line(f"by its geometry alone it could also be {_either(others)}, if that is what it is"))
    if full and layer.serves:
        parts += _mapping(layer.serves[0])
    return parts


def _either(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def _code(crs: str) -> str:
    return crs if len(crs) < 30 else "a definition of its own"  # noqa: PLR2004  # a code is short, WKT fills a page


def _field_lines(layer: "LayerSeen") -> Table:
    taken = {
        column: name
        for name, written in (layer.serves[0].fields.fields.items() if layer.serves and layer.serves[0].fields else ())
        for column in columns_of(written, [seen.name for seen in layer.fields])
    }
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("field", "type", "filled", "taken as", "values"):
        table.add_column(heading, justify="right" if heading == "filled" else "left", overflow="fold")
    for seen in layer.fields:
        share = filled_share(seen.filled, layer.count)
        table.add_row(
            *(escape(cell) for cell in (seen.name, seen.type, share, taken.get(seen.name, ""), " | ".join(seen.samples)))
        )
    return table


def filled_share(filled: int, rows: int) -> str:
    """Return a share in percent that is 0 only where nothing is filled and 100 only where all is.

    Examples
    --------
    >>> filled_share(0, 900), filled_share(4, 900), filled_share(899, 900), filled_share(900, 900), filled_share(0, 0)
    ('0 %', '0.4 %', '99.9 %', '100 %', '')
    """
    if not rows:
        return ""
    share = 100 * filled / rows
    if filled in {0, rows} or 1 <= share <= 99:  # noqa: PLR2004  # whole percents say it
        return f"{share:.0f} %"
    return f"{min(max(share, 0.1), 99.9):.1f} %"


def _mapping(serving: "Serving") -> "list[RenderableType]":
    """Return how the key was chosen, and what is to be answered."""
    fields = serving.fields
    if fields is None:
        return []
    lines = [f"key: {fields.key}"] if fields.key else []
    lines += [f"not the key: {item}" for item in fields.rejected]
    lines += list(fields.notes)
    said: list[RenderableType] = [_line(line, "dim") for line in lines]
    return said + [_line(f"question: {question.text}", "yellow") for question in fields.questions]


def _line(text: str, style: str = "") -> "RenderableType":
    return Padding(Text(text, style=style), (0, 0, 0, 2))


CODE_WORDS = {
    "repaired": "polygons made valid",
    "dropped": "rows without a usable polygon, left out",
    "dissolved": "numbers on several rows, made one parcel",
    "stacked": "polygons that several parcels share",
    "sliver": "polygons of less than a square foot",
    "unmatched_roll": "rows of a roll that no parcel has",
    "unmatched_parcel": "parcels that a roll does not have",
    "unmailable": "owners to whom no letter can be addressed",
    "owner_unnamed": "addresses without an owner's name",
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
    """Return the report: what went in, how the fields map, what was done, what to know."""
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
        # What is warned of below is a problem to whoever reads it, though nothing was changed for it.
        return Text("" if report.warnings else "\nNo problems were found in the layers.")
    table = plain_table("\nWhat was found (all of it is in the table problems of the store)")
    for column in ("how many", "what", "for example"):
        table.add_column(column, justify="right" if column == "how many" else "left")
    for code, count in report.problems_by_code().items():
        some = [item for item in report.problems if item.code == code][:EXAMPLES]
        text = "\n".join(escape(f"{item.key or item.layer}: {item.text}") for item in some)
        table.add_row(f"{count:,}", f"{CODE_WORDS.get(code, code)} ({code})", text)
    return table
