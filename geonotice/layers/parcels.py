"""The parcel layers of a town, read, repaired and put into one set of columns: one row per row of the sources.

What becomes of the rows, which of them are one parcel and who owns it, is decided after this, in :mod:`geonotice.layers.identity`.
"""

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from geonotice.errors import Fault, MissingField
from geonotice.layers.columns.expression import columns_of, field_text, key_text
from geonotice.layers.columns.placeholders import field_value, without_dummies
from geonotice.layers.columns.recognize import FieldMap, recognise
from geonotice.layers.columns.text import each_distinct, whole
from geonotice.layers.condominium import condominium_column
from geonotice.layers.owners import OF_OWNERS_ONLY, owners_of_record, situs_of
from geonotice.layers.property_classes import class_code, has_new_york_classes
from geonotice.layers.read import read_layer, require_parcels
from geonotice.layers.repair import Repair, repair_layer
from geonotice.layers.shapes import Shapes
from geonotice.layers.source import RawLayer, for_town_file, told_in_town_file
from geonotice.layers.spill import SpilledTable, give_back
from geonotice.model import Problem
from geonotice.units import resolve_crs, to_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.config.town import ParcelSpec

__all__ = ["CODE_OF_NOTE", "ParcelRows", "ReadParcels", "layer_name", "read_parcels", "stack_rows"]

CODE_OF_NOTE = {"z_dropped": "z_dropped", "curve": "curve", "curves": "curve", "linearised": "curve"}
"""Notes of the reader that have a code of their own among the store's problems; the others are ``source_note``."""

TEXT_COLUMNS = ("number", "dummy", "swis", "property_class", "nys_class", "role", "condominium")


@dataclass(frozen=True, slots=True, eq=False)
class ParcelRows:
    """Rows of parcel layers in canonical columns, all of one length.

    ``number``, ``swis``, ``property_class`` and ``role`` are text, null where missing; ``nys_class`` is New York's three digits
    of a class, null where the layer is not New York's; ``dummy`` is what stands in the
    place of a number and is none (``ROW``, ``0``, ``<Null>``), null elsewhere; ``condominium`` is what says that the lot belongs to a
    condominium (:func:`geonotice.layers.condominium.condominium_column`), null where nothing does; ``roll_year`` is int, null
    where missing; ``aside`` has what is not looked at before it is written, set aside: ``municipality``; ``also_known``, the layer's other unique keys, joined
    by a newline; and ``situs_…``, the parts of the property's own address, ``situs_text`` the whole of it. ``shapes`` are valid and in the town's CRS, missing where a row has none. ``owners`` is the
    table of :func:`geonotice.layers.owners.owners_of_record`, whose ``row`` counts these rows; it is set aside too.
    """

    number: "pa.ChunkedArray"
    dummy: "pa.ChunkedArray"
    swis: "pa.ChunkedArray"
    property_class: "pa.ChunkedArray"
    nys_class: "pa.ChunkedArray"
    role: "pa.ChunkedArray"
    condominium: "pa.ChunkedArray"
    roll_year: "pa.ChunkedArray"
    aside: SpilledTable
    shapes: Shapes
    layer: "NDArray[np.int64]"
    fid: "NDArray[np.int64]"
    owners: SpilledTable

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.fid)

    def kept(self, kept: "NDArray[np.bool_]", goes_to: "NDArray[np.int64]") -> "ParcelRows":
        """Leave rows out; the owners of each row go to the row ``goes_to`` says, before any are left out (-1: nowhere)."""
        import pyarrow as pa

        place = np.cumsum(kept) - 1
        row = goes_to[self.owners["row"].to_numpy()]
        owners = self.owners.table().filter(pa.array(row >= 0))
        row = place[row[row >= 0]]
        order = pa.array(np.argsort(row, kind="stable"))
        owners = owners.set_column(0, "row", pa.chunked_array([pa.array(row)])).take(order)
        mask = pa.array(kept)
        return ParcelRows(
            **{name: getattr(self, name).filter(mask) for name in (*TEXT_COLUMNS, "roll_year")},
            aside=SpilledTable({part: self.aside[part].filter(mask) for part in self.aside.column_names}),
            shapes=self.shapes.take(np.flatnonzero(kept)),
            layer=self.layer[kept],
            fid=self.fid[kept],
            owners=SpilledTable.of(owners),
        )

    def filled(self, filling: "dict[str, pa.ChunkedArray]", row: "NDArray[np.int64]") -> "ParcelRows":
        """Fill what is missing from another table: ``property_class``, ``nys_class``, ``municipality``, ``condominium`` and ``situs_…``, whose rows go to these rows (-1: none)."""
        import pyarrow as pa
        import pyarrow.compute as pc

        source = np.full(len(self), -1, dtype=np.int64)
        used = np.flatnonzero(row >= 0)[::-1]  # the first row of several stays
        source[row[used]] = used
        at = pa.array(source, mask=source < 0)

        def fill(column: "pa.ChunkedArray", name: str) -> "pa.ChunkedArray":
            other = filling.get(name)
            if other is None or not column.null_count:
                return column
            return pc.coalesce(column, pa.chunked_array([other.combine_chunks().take(at)]))

        changed = {"municipality": fill(self.aside["municipality"], "municipality")}
        if self.aside["situs_text"].null_count:
            # an address is one thing: its parts are taken together, where the layer has no address at all
            none = pc.is_null(self.aside["situs_text"])
            parts = [name for name in self.aside.column_names if name.startswith("situs_")]
            changed |= {part: pc.if_else(none, fill(self.aside[part], part), self.aside[part]) for part in parts}
        return replace(
            self,
            property_class=fill(self.property_class, "property_class"),
            nys_class=pc.if_else(pc.is_null(self.property_class), fill(self.nys_class, "nys_class"), self.nys_class),
            condominium=fill(self.condominium, "condominium"),
            aside=self.aside.with_columns(changed),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ReadParcels:
    """One parcel layer, read: how its fields map, its rows, and what was done to them."""

    spec: "ParcelSpec"
    index: int
    raw_rows: int
    crs: str
    fields: FieldMap
    rows: ParcelRows
    problems: tuple[Problem, ...]
    new_york: bool


def layer_name(spec: "ParcelSpec", index: int) -> str:
    """Call a layer by its kind; the second parcel layer and those after it by their place."""
    return spec.kind if index == 0 else f"{spec.kind} {index + 1}"


@told_in_town_file("parcels")
def read_parcels(
    spec: "ParcelSpec", index: int, *, crs: str, say: "Callable[[str], None]", new_york: bool | None = None
) -> ReadParcels:
    """Read a parcel layer of the town file, recognise its fields, and repair its geometry.

    Parameters
    ----------
    spec
        The layer, as the town file names it.
    index
        Its place among the parcel layers.
    crs
        The CRS that measuring is done in.
    say
        Told what is being done.
    new_york
        Whether the town file says that its property classes are New York's; None where it says nothing.

    Raises
    ------
    LayerError
        It cannot be read, or a field needs a person's answer.
    """
    import pyarrow as pa

    name = layer_name(spec, index)
    say(f"Reading {spec.given}")
    raw = require_parcels(read_layer(spec.path, layer=spec.layer, crs=spec.crs))
    give_back()
    fields = recognise("parcels", raw.table, spec.fields, file=spec.given, layer=raw.layer)
    _refuse_questions(fields, spec, raw)
    give_back()
    assert raw.geometry is not None  # noqa: S101  # require_parcels refuses a table
    assert raw.crs is not None  # noqa: S101  # and a layer without a CRS
    source = resolve_crs(raw.crs, file=spec.given, layer=raw.layer)
    say(f"Checking the geometry of {len(raw):,} rows")
    move = None if source.crs == crs else partial(to_measure, source=source.crs, target=crs)
    shapes, repairs = repair_layer(Shapes.of(raw.geometry), move)
    owners = SpilledTable.of(owners_of_record(raw.table, fields))
    state = has_new_york_classes(raw.table, fields, crs=crs, says=new_york)
    raw = _without_mail(raw, fields)
    give_back()
    number, dummy = without_dummies(key_text(raw.table, fields.column("tax_map_number")))
    number = pa.chunked_array([whole(number)])  # what parcels are called by is asked for as one array, again and again
    problems = [
        Problem(name, "", CODE_OF_NOTE.get(note.code, "source_note"), for_town_file(note.text, "[[layers.parcels]]"))
        for note in raw.notes
    ]
    problems += _problems(name, repairs, number, raw.fid, owners)
    rows = ParcelRows(
        **_columns(raw, fields, spec, number, new_york=state),
        dummy=dummy,
        shapes=shapes,
        layer=np.full(len(raw), index, dtype=np.int64),
        fid=raw.fid,
        owners=owners,
    )
    return ReadParcels(spec, index, len(raw), source.crs, fields, rows, tuple(problems), state)


def stack_rows(layers: "Sequence[ParcelRows]") -> ParcelRows:
    """Put the rows of several layers under each other, the town's own first."""
    import pyarrow as pa

    if len(layers) == 1:
        return layers[0]
    starts = np.cumsum([0, *(len(rows) for rows in layers[:-1])])
    owners = [
        rows.owners.with_columns({"row": pa.array(rows.owners["row"].to_numpy() + start)}).table()
        for rows, start in zip(layers, starts.tolist(), strict=True)
    ]

    def under(columns: "list[pa.ChunkedArray]") -> "pa.ChunkedArray":
        return pa.chunked_array([chunk for column in columns for chunk in column.chunks], type=columns[0].type)

    return ParcelRows(
        **{name: under([getattr(rows, name) for rows in layers]) for name in (*TEXT_COLUMNS, "roll_year")},
        aside=SpilledTable({part: under([rows.aside[part] for rows in layers]) for part in layers[0].aside.column_names}),
        shapes=Shapes.stacked([rows.shapes for rows in layers]),
        layer=np.concatenate([rows.layer for rows in layers]),
        fid=np.concatenate([rows.fid for rows in layers]),
        owners=SpilledTable.of(pa.concat_tables(owners)),
    )


def _without_mail(raw: RawLayer, fields: FieldMap) -> RawLayer:
    """Let go of the columns that only the owners are read from, once they are: a third of a layer's text."""
    used = {
        column: {name for name, written in fields.fields.items() if column in columns_of(written, raw.table.column_names)}
        for column in raw.table.column_names
    }
    only = [column for column, names in used.items() if names and names <= OF_OWNERS_ONLY and column not in fields.other_keys]
    return replace(raw, table=raw.table.drop_columns(only))


def _refuse_questions(fields: FieldMap, spec: "ParcelSpec", raw: RawLayer) -> None:
    if fields.questions:
        raise MissingField(
            Fault(
                what=f"{question.field} is not settled: {question.text}",
                remedy=f'write it into the town file: [layers.{spec.kind}.fields] {question.field} = "COLUMN"',
                file=spec.given,
                layer=raw.layer,
                key=f"layers.{spec.kind}.fields.{question.field}",
            )
            for question in fields.questions
        )


def _text(table: "pa.Table", fields: FieldMap, name: str) -> "pa.ChunkedArray":
    return field_text(table, fields.column(name))


def _year(text: str) -> str | None:
    found = re.match(r"((?:19|20)\d\d)(?:\D|$)", text)
    return found[1] if found else None


def _columns(raw: RawLayer, fields: FieldMap, spec: "ParcelSpec", number: "pa.ChunkedArray", *, new_york: bool) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    swis = field_value(raw.table, fields.column("swis"))
    # a SWIS code has six digits; a number has lost the zero of Albany to Dutchess County
    swis = pc.if_else(pc.match_substring_regex(swis, r"^\d{5}$"), pc.utf8_lpad(swis, 6, padding="0"), swis)
    if spec.swis:
        swis = pc.fill_null(swis, spec.swis)
    classes = field_value(raw.table, fields.column("property_class"))
    year = each_distinct(_text(raw.table, fields, "roll_year"), _year).cast(pa.int64())
    if spec.roll_year:
        year = pc.fill_null(year, spec.roll_year)
    return {
        "number": number,
        "swis": swis,
        "property_class": classes,
        "nys_class": class_code(classes) if new_york else pa.chunked_array([pa.nulls(len(raw), pa.string())]),
        "role": field_value(raw.table, fields.column("role")),
        "condominium": condominium_column(raw.table, fields, new_york=new_york),
        "roll_year": year,
        "aside": SpilledTable(
            {
                "municipality": field_value(raw.table, fields.column("municipality")),
                "also_known": _also_known(raw.table, fields),
                **{f"situs_{part}": column for part, column in situs_of(raw.table, fields).items()},
            }
        ),
    }


def _also_known(table: "pa.Table", fields: FieldMap) -> "pa.ChunkedArray":
    """Return the other numbers that each row is known by: the columns that are unique too, and were passed over for the key."""
    others = fields.other_keys
    return field_text(table, " + '\n' + ".join(others) if others else None)


def _problems(
    name: str, repairs: "Sequence[Repair]", number: "pa.ChunkedArray", fid: "NDArray[np.int64]", owners: SpilledTable
) -> list[Problem]:
    """Name the parcels; where one is dropped, its owner too, for the letter that geometry can no longer ask for."""
    import pyarrow.compute as pc

    named = owners.table(("row", "names")) if any(repair.code == "dropped" for repair in repairs) else None
    made = []
    for repair in repairs:
        key = number[repair.row].as_py() or f"#{fid[repair.row]}"
        text = repair.text
        if named is not None and repair.code == "dropped":
            of_row = named.filter(pc.equal(named["row"], repair.row))["names"].to_pylist()
            who = "; ".join(names.replace("\n", ", ") for names in of_row if names)
            text += f"; owner: {who}" if who else "; no owner is named"
        made.append(Problem(name, key, repair.code, text))
    return made
