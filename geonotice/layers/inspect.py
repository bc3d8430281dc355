"""Inspect a source: what it holds, what is wrong with it, and which layer of a town file it could be."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, LayerError, UnknownCRS, WrongGeometry
from geonotice.layers.columns.expression import field_text
from geonotice.layers.columns.recognize import FieldMap, recognise
from geonotice.layers.columns.text import cut_warning
from geonotice.layers.read import layer_bounds, read_every_layer, read_text_table, with_crs
from geonotice.layers.source import Note, RawLayer, geometry_kinds
from geonotice.units import Proposal, lon_lat_bounds, propose_measure_crs, resolve_crs

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import ChunkedArray, Table

    from geonotice.layers.look import LayerLook
    from geonotice.units.crs import Bounds


__all__ = [
    "KINDS_BY_GEOMETRY",
    "FieldSeen",
    "Inspection",
    "LayerSeen",
    "Serving",
    "filled_rows",
    "inspect_source",
    "serves_as",
]


KINDS_BY_GEOMETRY = {
    "polygon": ("parcels", "zoning", "municipalities", "water"),
    "line": ("streets", "railroads", "water"),
    "point": ("address_points",),
    "table": ("roll",),
}
"""Which layers of a town file a geometry can be, best known first."""

# The field without which a layer of that kind says nothing; the others need none, or are known by geometry alone.
_TELLING = {"zoning": "district", "municipalities": "name", "streets": "name", "railroads": "name", "water": "name"}


@dataclass(frozen=True, slots=True)
class Serving:
    """A layer of a town file that this one could be.

    Parameters
    ----------
    kind
        ``parcels``, ``zoning``, ``municipalities``, ``streets``, ``railroads``, ``water``, ``address_points`` or ``roll``.
    recognised
        Whether its columns speak for it; else only its geometry does.
    reason
        Why, as a sentence.
    fields
        How its columns map; None where they do not matter.
    """

    kind: str
    recognised: bool
    reason: str
    fields: FieldMap | None = None


_TEXT_TABLES = frozenset({"CSV", "TSV", "TXT", "XLSX", "XLSM", "WORKBOOK"})


def serves_as(raw: "RawLayer", kinds: dict[str, int]) -> tuple[Serving, ...]:
    """Return which layers of a town file it could be: those of its geometry, the ones that its columns speak for first."""
    if raw.geometry is None:
        geometry = "table" if raw.columns and len(raw) else ""
    else:
        geometry = next(iter(kinds), "")
        shapes = np.asarray(raw.geometry)
        empty = shapely.is_empty(shapes[~shapely.is_missing(shapes)])
        geometry = "" if len(empty) and empty.all() else geometry
    found = [_serving(kind, geometry, raw) for kind in KINDS_BY_GEOMETRY.get(geometry, ())]
    if geometry not in {"", "table"} and raw.driver in _TEXT_TABLES:
        # a roll may have coordinates among its columns, and is joined by its numbers all the same
        found += [roll for roll in [_serving("roll", "table", raw)] if roll.recognised]
    return tuple(sorted(found, key=lambda serving: (not serving.recognised, not (serving.fields and serving.fields.rejected))))


def _serving(kind: str, geometry: str, raw: "RawLayer") -> Serving:
    fields = recognise(kind, raw.table)
    shape = "a table" if geometry == "table" else f"{geometry}s"
    if kind == "parcels":
        key = fields.column("tax_map_number")
        owner = fields.column("owner")
        if key:
            return Serving(kind, recognised=True, reason=f"{shape} with a tax map number ({key}){_owned(owner)}", fields=fields)
        tried = ", ".join(item.column for item in fields.rejected)
        which = f" ({tried} is not filled and unique throughout)" if tried else ""
        return Serving(
            kind, recognised=False, reason=f"{shape}, if you name the column of the tax map number{which}", fields=fields
        )
    if kind == "roll":
        key = fields.column("tax_map_number") or next((item.column for item in fields.rejected), None)
        owner = fields.column("owner")
        if owner:
            return Serving(
                kind, recognised=True, reason=f"{shape} with owners ({owner}){f' and {key}' if key else ''}", fields=fields
            )
        return Serving(
            kind, recognised=False, reason=f"{shape}, if you name the columns of the tax map number and the owner", fields=fields
        )
    if kind == "address_points":
        telling = fields.column("address") or fields.column("number") or fields.column("street")
    else:
        telling = fields.column(_TELLING[kind])
    if telling and filled_rows(raw.table.column(telling)):
        return Serving(kind, recognised=kind != "water" or geometry != "polygon", reason=f"{shape} with {telling}", fields=fields)
    return Serving(kind, recognised=False, reason=f"{shape}, if that is what they are", fields=fields)


def _owned(owner: str | None) -> str:
    return f" and owners ({owner})" if owner else "; no owners, so a roll is needed"


def filled_rows(column: "ChunkedArray") -> int:
    """Count the rows that have a value; a blank is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled: int = len(column) - column.null_count
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        filled -= int(pc.sum(pc.equal(pc.utf8_trim_whitespace(column), "")).as_py() or 0)
    return filled


NAMED = 5
"""How many records with the same trouble are named."""

SHOWN = 40
"""How much of a value is shown."""

SAMPLES = 3
"""How many values of a column are shown."""

LOOKED_THROUGH = 5_000
"""From how many rows those values are taken."""


@dataclass(frozen=True, slots=True)
class FieldSeen:
    """A column: its type (with the width where known), how many rows have a value, and a few of them."""

    name: str
    type: str
    filled: int
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerSeen:
    """One layer of a source.

    Parameters
    ----------
    name
        Its name.
    geometry
        The type it declares; empty for a table.
    kinds
        How many records there are of each kind of geometry (``polygon``, ``line``, ``point``, ``collection``).
    count
        How many records.
    crs, crs_name
        Its CRS as it would be used; empty where it has none.
    bounds, degrees
        Its extent in its own CRS and in degrees: xmin, ymin, xmax, ymax.
    measure
        The CRS that ``init`` would propose for measuring there.
    fields
        Its columns.
    serves
        Which layers of a town file it could be, the likeliest first.
    troubles
        What is wrong, and what import does about it.
    notes
        What else its reader should know.
    refused
        Why it cannot be read at all; everything else is empty then.
    """

    name: str
    geometry: str = ""
    kinds: dict[str, int] = field(default_factory=dict)
    count: int = 0
    crs: str = ""
    crs_name: str = ""
    bounds: "Bounds | None" = None
    degrees: "Bounds | None" = None
    measure: Proposal | None = None
    fields: tuple[FieldSeen, ...] = ()
    serves: tuple[Serving, ...] = ()
    troubles: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    refused: Fault | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a source holds: its layers, and its format by GDAL's name."""

    path: Path
    driver: str
    layers: tuple[LayerSeen, ...]

    @property
    def serves(self) -> tuple[str, ...]:
        """The layers of a town file that it could be, the likeliest first."""
        best = sorted((serving for layer in self.layers for serving in layer.serves), key=lambda serving: not serving.recognised)
        return tuple(dict.fromkeys(serving.kind for serving in best))


def inspect_source(path: Path | str, *, layer: str | None = None, crs: str | None = None) -> Inspection:
    """Describe a source.

    Parameters
    ----------
    path
        A file, a FileGDB folder, or either zipped.
    layer
        Only this layer of it.
    crs
        Its CRS, where it states none or a wrong one.

    Raises
    ------
    LayerError
        It cannot be read, or could serve as no layer of a town file: the exit code is 3.
    """
    path = Path(path)
    read = _tables(path) or read_every_layer(path, layer=layer)
    if layer is not None:
        names = [_name(look, raw) for look, raw in read]
        read = tuple(item for item, name in zip(read, names, strict=True) if name.casefold() == layer.casefold())
        if not read:
            raise LayerError(
                Fault(
                    what="there is no layer of that name", remedy=f"name one of: {', '.join(names)}", file=str(path), layer=layer
                )
            )
    if len(read) == 1 and isinstance(read[0][1], LayerError):
        raise read[0][1]
    seen = tuple(_seen(look, raw, crs) for look, raw in read)
    if len(seen) == 1 and seen[0].refused is not None:
        raise _as_error(seen[0].refused, seen[0])
    inspection = Inspection(path, next((raw.driver for _, raw in read if isinstance(raw, RawLayer)), ""), seen)
    if not inspection.serves:
        raise WrongGeometry(_serves_nothing(path, seen))
    return inspection


def _name(look: "LayerLook | None", raw: RawLayer | LayerError) -> str:
    return raw.layer if isinstance(raw, RawLayer) else look.name if look else ""


def _tables(path: Path) -> "tuple[tuple[LayerLook | None, RawLayer | LayerError], ...]":
    """Read a roll's file as import reads it; nothing where it is another file."""
    if path.suffix.lower() not in {".csv", ".txt", ".tsv", ".xlsx", ".xlsm"} or not path.is_file() or not path.stat().st_size:
        return ()
    return ((None, read_text_table(path, shown=path, kind=path.suffix.lstrip("."))),)


def _as_error(fault: Fault, seen: LayerSeen) -> LayerError:
    kind = UnknownCRS if seen.geometry else LayerError
    return kind(fault)


def _seen(look: "LayerLook | None", raw: RawLayer | LayerError, crs: str | None) -> LayerSeen:
    if isinstance(raw, LayerError):
        name, declared = _name(look, raw), look.geometry if look else ""
        return LayerSeen(name=name, geometry=declared, refused=raw.faults[0])
    declared = look.geometry if look else ""
    widths = dict(look.fields) if look else {}
    notes = list(raw.notes)
    place_known = False
    if raw.geometry is not None and (crs or raw.crs):
        try:
            raw = with_crs(raw, crs)
        except UnknownCRS as error:
            return LayerSeen(name=raw.layer, geometry=declared or "Unknown", count=len(raw), refused=error.faults[0])
        notes, place_known = list(raw.notes), True
    elif raw.geometry is not None:
        notes.append(
            Note(
                "no_crs",
                "It does not say in which coordinate reference system (CRS) it is: find out, and give it with --crs, or it cannot be used.",
            )
        )
    kinds = geometry_kinds(raw.geometry) if raw.geometry is not None else {}
    serves = serves_as(raw, kinds)
    bounds = layer_bounds(raw)
    degrees = lon_lat_bounds(bounds, raw.crs or "") if bounds and place_known else None
    return LayerSeen(
        name=raw.layer,
        geometry=declared or ("Unknown" if raw.geometry is not None else ""),
        kinds=kinds,
        count=len(raw),
        crs=raw.crs or "" if place_known else "",
        crs_name=resolve_crs(raw.crs).name if place_known and raw.crs else "",
        bounds=bounds,
        degrees=degrees,
        measure=propose_measure_crs((degrees[0] + degrees[2]) / 2, (degrees[1] + degrees[3]) / 2) if degrees else None,
        fields=_fields(raw.table, widths),
        serves=serves,
        troubles=(*_troubles(raw), *_cut_names(raw, serves)),
        notes=tuple(notes),
    )


# --- what it holds ---------------------------------------------------------------------------------------------------------------


def _fields(table: "Table", widths: dict[str, str]) -> tuple[FieldSeen, ...]:
    seen = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = dict.fromkeys(str(value) for value in column.slice(0, LOOKED_THROUGH).to_pylist() if value not in (None, ""))
        samples = tuple(shortened(value) for value in list(values)[:SAMPLES])
        seen.append(FieldSeen(name, widths.get(name, str(column.type)), filled_rows(column), samples))
    return tuple(seen)


def shortened(value: str) -> str:
    """Return a value in at most :data:`SHOWN` characters, the last of them an ellipsis where it goes on.

    Examples
    --------
    >>> shortened("a  b"), len(shortened("x" * 99)), shortened("x" * 99)[-2:]
    ('a b', 40, 'x…')
    """
    text = " ".join(value.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"


def _cut_names(raw: RawLayer, serves: tuple[Serving, ...]) -> tuple[Note, ...]:
    """Return for each column of owners' names whether it was too short for them."""
    fields = next((one.fields for one in serves if one.fields is not None and one.kind in {"parcels", "roll"}), None)
    found = (
        {}
        if fields is None
        else {n: w for n, w in fields.fields.items() if n == "owner" or n.startswith(("owner_", "add_owner"))}
    )
    said = (cut_warning(field_text(raw.table, written), written) for written in found.values())
    return tuple(Note("names_cut", f"{text}.") for text in said if text)


# --- what is wrong ---------------------------------------------------------------------------------------------------------------


def _troubles(raw: RawLayer) -> tuple[Note, ...]:
    if not len(raw):
        return (Note("no_records", "It has no records."),)
    if raw.geometry is None:
        return ()
    geometry = np.asarray(raw.geometry)
    missing = shapely.is_missing(geometry)
    empty = shapely.is_empty(geometry) & ~missing
    troubles = []
    if missing.any():
        troubles.append(
            Note(
                "null_geometry",
                f"{_count(missing)} without geometry {_records(raw, missing)}; import lists them, and they are on no map.",
            )
        )
    if empty.any():
        troubles.append(
            Note("empty_geometry", f"{_count(empty)} with an empty geometry {_records(raw, empty)}; import lists them.")
        )
    invalid = ~shapely.is_valid(geometry) & ~missing
    if invalid.any():
        reasons = [f"record {raw.fid[row]}: {shapely.is_valid_reason(geometry[row])}" for row in np.flatnonzero(invalid)[:NAMED]]
        more = f", and {int(invalid.sum()) - NAMED} more" if invalid.sum() > NAMED else ""
        troubles.append(
            Note(
                "invalid_geometry",
                f"{_count(invalid)} with an invalid outline ({'; '.join(reasons)}{more}); import repairs them and says how.",
            )
        )
    stacked = _stacked(geometry, ~missing & ~empty)
    if stacked.any():
        troubles.append(
            Note(
                "stacked",
                f"{_count(stacked)} exactly on another one {_records(raw, stacked)}: condominium units, or duplicates; all are kept.",
            )
        )
    kinds = geometry_kinds(geometry)
    if len(kinds) > 1:
        told = ", ".join(f"{count:,} {kind}s" for kind, count in kinds.items())
        troubles.append(Note("mixed_geometry", f"Its records are of several kinds ({told})."))
    return tuple(troubles)


def _count(which: "NDArray[np.bool_]") -> str:
    number = int(which.sum())
    return f"{number:,} record" if number == 1 else f"{number:,} records"


def _records(raw: RawLayer, which: "NDArray[np.bool_]") -> str:
    rows = np.flatnonzero(which)
    named = ", ".join(str(raw.fid[row]) for row in rows[:NAMED])
    return f"({named}{', …' if len(rows) > NAMED else ''})"


def _stacked(geometry: "NDArray[np.object_]", which: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    """Tell which polygons cover the same ground as an earlier one: equal extents and areas first, then equal shapes."""
    out = np.zeros(len(geometry), dtype=bool)
    rows = np.flatnonzero(which)
    if not len(rows):
        return out
    figures = np.column_stack([shapely.bounds(geometry[rows]), shapely.area(geometry[rows]), shapely.length(geometry[rows])])
    groups = np.unique(figures, axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(groups[order]) > 0])
    firsts = np.repeat(rows[order][starts], np.diff(np.r_[starts, len(order)]))
    candidates = rows[order]
    pairs = candidates != firsts
    same = shapely.equals(geometry[candidates[pairs]], geometry[firsts[pairs]])
    out[candidates[pairs][same]] = True
    return out


def _serves_nothing(path: Path, seen: tuple[LayerSeen, ...]) -> Fault:
    """Return why a source could be no layer of a town file."""
    if len(seen) == 1:
        layer = seen[0]
        if not layer.count:
            what = "the layer has no records"
        elif layer.geometry and not layer.kinds:
            what = f"none of its {layer.count:,} records has a geometry"
        elif layer.geometry and "collection" in layer.kinds:
            what = "its records are collections of several geometries each"
        elif layer.geometry:
            what = f"all its {layer.count:,} geometries are empty"
        else:
            what = "the table has no columns"
        return Fault(
            what=f"{what}, so it can serve as no layer of a town file",
            remedy="export it again with its records, one polygon, line or point each",
            file=str(path),
            layer=layer.name,
        )
    reasons = "; ".join(
        f"{layer.name}: {layer.refused.what if layer.refused else 'nothing in it that could serve'}" for layer in seen[:8]
    )
    return Fault(
        what=f"none of its {len(seen)} layers can serve as a layer of a town file ({reasons})",
        remedy="export the layer that is meant again, with its CRS",
        file=str(path),
        layer=", ".join(layer.name for layer in seen[:8]),
    )
