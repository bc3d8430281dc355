"""An inspection on the terminal: what a source holds, what is wrong with it, what it could serve as."""

from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.layers.inspect import Inspection, LayerSeen
    from geonotice.layers.serving import Serving

__all__ = ["render_inspection"]

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
"""With more layers than this, each is told in a few lines, without its fields."""


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
        parts.append(_line(f"to be measured in {layer.measure.name} ({layer.measure.crs}). {layer.measure.caution}".rstrip()))
    parts += [_line(f"! {note.text}", "yellow") for note in layer.troubles]
    parts += [_line(f"- {note.text}") for note in layer.notes]
    if full and layer.fields:
        parts.append(Padding(_fields(layer), (0, 0, 0, 2)))
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


def _fields(layer: "LayerSeen") -> Table:
    taken = {
        column: name
        for name, column in (layer.serves[0].fields.fields.items() if layer.serves and layer.serves[0].fields else ())
    }
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("field", "type", "filled", "taken as", "values"):
        table.add_column(heading, justify="right" if heading == "filled" else "left", overflow="fold")
    for seen in layer.fields:
        share = f"{100 * seen.filled // layer.count} %" if layer.count else ""
        table.add_row(
            *(escape(cell) for cell in (seen.name, seen.type, share, taken.get(seen.name, ""), " | ".join(seen.samples)))
        )
    return table


def _mapping(serving: "Serving") -> "list[RenderableType]":
    """Say how the key was chosen, and what is to be answered."""
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
