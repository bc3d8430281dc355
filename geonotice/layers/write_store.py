"""Write the store: the tables of import's findings, and the styles that QGIS shows them in."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from geonotice.io.gpkg import MadeColumn, open_for_tables, write_columns, write_features, write_pieces, write_table
from geonotice.io.palette import PAINTS
from geonotice.io.qgis_styles import Classes, LayerStyle, add_styles, shape_of_type
from geonotice.layers.other_layers import geometry_type
from geonotice.layers.roles import ROLES
from geonotice.store_tables import (
    COMMON_LAND_COLUMNS,
    FEATURE_COLUMNS,
    OWNER_COLUMNS,
    PARCEL_COLUMNS,
    PROBLEM_COLUMNS,
    SOURCE_COLUMNS,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.common_land import Tie
    from geonotice.layers.identity import Merged
    from geonotice.layers.other_layers import ReadFeatures
    from geonotice.layers.roles import ParcelRoles
    from geonotice.layers.spill import SpilledTable
    from geonotice.model import Problem, Source

__all__ = ["store_styles", "write_common_land", "write_layer", "write_owners", "write_parcels", "write_tables"]


UPDATED = "2026-01-01T00:00:00.000Z"
"""The time of the styles: a constant, so that the same sources make the same store."""

_ROLES = Classes(
    "role",
    {
        "lot": (PAINTS["lots"], "Lot"),
        "right_of_way": (PAINTS["right_of_way"], "Right-of-way"),
        "railroad": (PAINTS["railroad"], "Railroad"),
        "water": (PAINTS["water_parcel"], "Water"),
    },
)
_LINES = {"streets", "railroads", "water"}
_NAMES_FROM_SCALE = 5000
"""Numbers of all the town's parcels are legible from this scale on."""


def store_styles(layers: "Mapping[str, str]") -> list[LayerStyle]:
    """Return a style for each layer of a store, by its name and its type of geometry (``MULTIPOLYGON``, ``POINT`` …)."""
    made = []
    for name, geometry in layers.items():
        shape = shape_of_type(geometry, otherwise="line" if name in _LINES else "fill")
        if name == "parcels":
            made.append(LayerStyle(name, shape, _ROLES, label="id", label_size=7, label_scale=_NAMES_FROM_SCALE))
        else:
            made.append(LayerStyle(name, shape, PAINTS.get(name, PAINTS["context"])))
    return made


_WHOLE_NUMBERS = {"lot_fid", "unit_fid", "parcel_fid", "n", "roll_year", "features", "size", "final"}
"""Columns of the plain tables that are numbers; a time in nanoseconds is text, for some readers take SQLite's integers for 32 bits."""


def write_parcels(path: "Path", merged: "Merged", roles: "ParcelRoles", *, crs: str) -> None:
    """Write the table ``parcels``; the feature ids are 1, 2, 3 … in the order of the parcels. What is missing is NULL."""
    import pyarrow as pa

    rows = merged.rows
    words, area = pa.array(ROLES, pa.string()), rows.shapes.area

    def some(name: str) -> MadeColumn:
        return MadeColumn(pa.string(), partial(rows.aside.part, name))

    made: dict[str, pa.ChunkedArray | pa.Array | MadeColumn] = {
        "id": merged.id,
        "key": merged.identities.key,
        "tax_map_number": rows.number,
        "swis": rows.swis,
        "role": MadeColumn(pa.string(), lambda start, size: words.take(pa.array(roles.roles[start : start + size]))),
        "may_be_street": MadeColumn(pa.int64(), lambda start, size: _where_known(roles.may_be_street[start : start + size])),
        "situs": some("situs_text"),
        **{name: some(name) for name in rows.aside.column_names},
        "property_class": rows.property_class,
        "nys_class": rows.nys_class,
        "roll_year": rows.roll_year,
        "layer": MadeColumn(pa.int64(), lambda start, size: pa.array(rows.layer[start : start + size], pa.int64())),
        "area_sq_ft": MadeColumn(pa.float64(), lambda start, size: pa.array(np.round(area[start : start + size], 2))),
    }
    pieces = ((rows.shapes.kind[start : start + len(binary)], binary) for start, binary in rows.shapes.binary())
    write_pieces(path, "parcels", pieces, {name: made[name] for name in PARCEL_COLUMNS}, crs=crs, kind="MultiPolygon")


def _where_known(values: "NDArray[np.int8]") -> "pa.Array":
    import pyarrow as pa

    return pa.array(values.astype(np.int64), mask=values < 0)


def write_layer(path: "Path", found: "ReadFeatures", *, crs: str, parcel: "NDArray[np.int64] | None" = None) -> None:
    """Write another layer; ``parcel`` is the index of each address point's parcel, -1 for none."""
    import pyarrow as pa

    kind = found.spec.kind
    made = dict(found.columns)
    if parcel is not None:
        made["parcel_fid"] = pa.array(parcel + 1, mask=parcel < 0)
    columns = {name: made[name] for name in FEATURE_COLUMNS[kind]}
    write_features(path, kind, found.geometry, columns, crs=crs, kind=geometry_type(kind, found.geometry))


def write_tables(path: "Path", problems: "Sequence[Problem]", sources: "Sequence[Source]", meta: "Mapping[str, str]") -> None:
    """Write the plain tables, the indexes and the styles into a store that has its features."""
    db = open_for_tables(path)
    try:
        with db:
            _write_plain(
                db,
                "sources",
                SOURCE_COLUMNS,
                [tuple(_plain(getattr(source, name)) for name in SOURCE_COLUMNS) for source in sources],
                "the files that went in",
            )
            _write_plain(
                db,
                "problems",
                PROBLEM_COLUMNS,
                [(item.layer, item.key, item.code, item.text) for item in problems],
                "what import repaired, dropped, dissolved, could not match or cannot mail",
            )
            _write_plain(db, "meta", ("name", "value"), sorted(meta.items()), "what geonotice needs to read this")
            features = [row[0] for row in db.execute("SELECT table_name FROM gpkg_geometry_columns ORDER BY table_name")]
            kinds = dict(db.execute("SELECT table_name, geometry_type_name FROM gpkg_geometry_columns"))
            add_styles(db, store_styles({name: kinds[name] for name in features}), updated=UPDATED)
            for column in ("key", "id", "tax_map_number"):
                db.execute(f"CREATE INDEX parcels_{column} ON parcels ({column})")
            db.execute("CREATE INDEX owners_parcel ON owners (parcel_fid)")
            if "address_points" in features:
                db.execute("CREATE INDEX address_points_parcel ON address_points (parcel_fid)")
    finally:
        db.close()


def write_owners(path: "Path", owners: "SpilledTable") -> None:
    """Write the table ``owners``, with its keys; ``row`` counts the parcels from 0, in the order of :func:`write_parcels`."""
    import pyarrow as pa

    owners = owners.with_columns({"parcel_fid": pa.array(owners["row"].to_numpy() + 1)})
    write_columns(path, "owners", owners.reader(OWNER_COLUMNS))


def write_common_land(path: "Path", ties: "Sequence[Tie]") -> None:
    """Write the table ``common_land``, which a list looks up by its lots."""
    db = open_for_tables(path)
    try:
        with db:
            rows = [(tie.lot + 1, tie.unit + 1, tie.how, tie.source) for tie in ties]
            _write_plain(db, "common_land", COMMON_LAND_COLUMNS, rows, "whose owners own which lot in common")
            db.execute("CREATE INDEX common_land_lot ON common_land (lot_fid)")
    finally:
        db.close()


def _write_plain(db: "sqlite3.Connection", name: str, columns: "Sequence[str]", rows: "object", description: str) -> None:
    kinds = {column: "INTEGER" if column in _WHOLE_NUMBERS else "TEXT" for column in columns}
    write_table(db, name, kinds, rows, description=description)  # type: ignore[arg-type]  # an iterable of rows


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return value if value is None or isinstance(value, (str, int)) else str(value)
