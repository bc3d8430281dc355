"""Import: from the town file's layers to the store, whole or not at all."""

import hashlib
import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

import geonotice
from geonotice.layers.fields import FieldMap
from geonotice.layers.gpkg import open_for_tables, table_from_columns, write_features, write_table
from geonotice.layers.merge import Merged, merge_rows, parcel_roles, unmailable
from geonotice.layers.owners import OWNER_TEXT, address_keys, name_keys
from geonotice.layers.parcels import ReadParcels, layer_name, read_parcels, stack_rows
from geonotice.model import Problem, Source
from geonotice.store import PROBLEM_COLUMNS, SOURCE_COLUMNS, STORE_VERSION, sha256_of, size_and_time
from geonotice.town import town_to_json
from geonotice.units import measuring_crs

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from geonotice.town import LayerSpec, Town

__all__ = ["ImportReport", "import_town"]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What import did.

    Parameters
    ----------
    store
        The file written.
    counts
        Rows of each table of features, and of ``owners``.
    fields
        How the fields of each layer map, in the town file's order.
    sources
        What went in.
    problems
        All that was repaired, dropped, dissolved, not matched or cannot be mailed.
    warnings
        What the clerk should know of the whole, as sentences.
    """

    store: "Path"
    counts: dict[str, int]
    fields: tuple[tuple[str, FieldMap], ...]
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]

    def problems_by_code(self) -> dict[str, int]:
        """Count the problems of each code, the most frequent first."""
        counts: dict[str, int] = {}
        for problem in self.problems:
            counts[problem.code] = counts.get(problem.code, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def import_town(
    town: "Town", *, meta: "Mapping[str, str] | None" = None, progress: "Callable[[str], None] | None" = None
) -> ImportReport:
    """Read every layer of a town file and write its store.

    Parameters
    ----------
    town
        The town file, checked.
    meta
        What else the store's ``meta`` keeps: ``profile`` (JSON) and ``profile_sha256``.
    progress
        Told what is being done, in a few words.

    Raises
    ------
    LayerError
        A layer cannot be used; the store that was there stays.
    UnknownCRS
        The town's CRS cannot be measured in.
    """
    say = progress or (lambda _text: None)
    measure = measuring_crs(town.crs)
    with ThreadPoolExecutor(max_workers=1) as hashing:
        sums = {spec.path: hashing.submit(sha256_of, spec.path) for spec in _files(town)}
        layers = [read_parcels(spec, index, crs=measure.crs, say=say) for index, spec in enumerate(town.parcels)]
        names = [layer_name(layer.spec, layer.index) for layer in layers]
        say("Finding what is one parcel")
        merged = merge_rows(stack_rows([layer.rows for layer in layers]), names)
        roles, role_problems = parcel_roles(merged, names)
        problems = [problem for layer in layers for problem in layer.problems]
        problems += [*merged.problems, *role_problems]
        problems += unmailable(merged.rows.owners, merged.id, merged.rows.layer, names)
        temporary = town.store.with_name(f".{town.store.stem}.{os.getpid()}.importing.gpkg")
        try:
            say(f"Writing {len(merged.rows):,} parcels")
            _write_parcels(temporary, merged, roles, measure.crs)
            sources = [_source(layer, name, sums[layer.spec.path]) for layer, name in zip(layers, names, strict=True)]
            say("Writing owners and tables")
            counts = {"parcels": len(merged.rows), "owners": merged.rows.owners.num_rows}
            _write_tables(temporary, merged, problems, sources, {**_meta(town), **(meta or {})})
            temporary.replace(town.store)
        finally:
            temporary.unlink(missing_ok=True)
    return ImportReport(
        store=town.store,
        counts=counts,
        fields=tuple((name, layer.fields) for name, layer in zip(names, layers, strict=True)),
        sources=tuple(sources),
        problems=tuple(problems),
        warnings=tuple(caution.text for caution in measure.cautions),
    )


def _files(town: "Town") -> "list[LayerSpec]":
    return [*town.parcels, *town.layers.values()]


def _meta(town: "Town") -> dict[str, str]:
    town_file = town.file.read_bytes() if town.file.is_file() else b""
    return {
        "store_version": str(STORE_VERSION),
        "geonotice_version": str(getattr(geonotice, "__version__", "")),
        "town": json.dumps(town_to_json(town), ensure_ascii=False, sort_keys=True),
        "town_file": town.file.name,
        "town_file_sha256": hashlib.sha256(town_file).hexdigest(),
    }


def _source(layer: ReadParcels, name: str, digest: "Future[str]") -> Source:
    size, mtime_ns = size_and_time(layer.spec.path)
    return Source(
        layer=name,
        path=layer.spec.given,
        sha256=digest.result(),
        as_of=layer.spec.as_of,
        features=layer.raw_rows,
        crs=layer.crs,
        size=size,
        mtime_ns=mtime_ns,
        roll_year=layer.spec.roll_year,
        final=layer.spec.final,
    )


def _write_parcels(path: "Path", merged: Merged, roles: "NDArray[np.object_]", crs: str) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = merged.rows
    situs = rows.situs
    columns = {
        "id": merged.id,
        "key": merged.identities.key,
        "tax_map_number": pc.fill_null(rows.number, ""),
        "swis": pc.fill_null(rows.swis, ""),
        "role": pa.array(roles, pa.string()),
        "situs": pc.fill_null(situs["text"], ""),
        **{f"situs_{part}": pc.fill_null(situs[part], "") for part in ("number", "street", "unit", "city", "state", "zip")},
        "property_class": pc.fill_null(rows.property_class, ""),
        "municipality": pc.fill_null(rows.municipality, ""),
        "roll_year": rows.roll_year,
        "layer": pa.array(rows.layer),
        "area_sq_ft": pa.array(np.round(shapely.area(rows.geometry), 2)),
    }
    write_features(path, "parcels", rows.geometry, columns, crs=crs, kind="MultiPolygon")


_OWNER_TYPES = {
    "parcel_fid": "INTEGER", "n": "INTEGER", "names": "TEXT", "address": "TEXT", "city": "TEXT", "state": "TEXT", "zip": "TEXT", "country": "TEXT",
    "source": "TEXT", "roll_year": "INTEGER", "name_key": "TEXT", "address_key": "TEXT",
}  # fmt: skip


def _write_tables(
    path: "Path", merged: Merged, problems: "Sequence[Problem]", sources: "Sequence[Source]", meta: "Mapping[str, str]"
) -> None:
    db = open_for_tables(path)
    try:
        with db:
            _write_owners(db, merged)
            kinds = dict.fromkeys(SOURCE_COLUMNS, "TEXT") | {
                "features": "INTEGER",
                "size": "INTEGER",
                "roll_year": "INTEGER",
                "final": "INTEGER",
            }
            # nanoseconds since 1970 as text: some readers take SQLite's integers for 32 bits
            rows = [tuple(_plain(getattr(source, name)) for name in SOURCE_COLUMNS) for source in sources]
            write_table(db, "sources", kinds, rows, description="the files that went in")
            write_table(
                db,
                "problems",
                dict.fromkeys(PROBLEM_COLUMNS, "TEXT"),
                [(item.layer, item.key, item.code, item.text) for item in problems],
                description="what import repaired, dropped, dissolved, could not match or cannot mail",
            )
            write_table(
                db,
                "meta",
                {"name": "TEXT", "value": "TEXT"},
                sorted(meta.items()),
                description="what geonotice needs to read this",
            )
            db.execute("CREATE INDEX parcels_key ON parcels (key)")
            db.execute("CREATE INDEX parcels_id ON parcels (id)")
            db.execute("CREATE INDEX parcels_number ON parcels (tax_map_number)")
            db.execute("CREATE INDEX owners_parcel ON owners (parcel_fid)")
    finally:
        db.close()


def _write_owners(db: "sqlite3.Connection", merged: Merged) -> None:
    owners = merged.rows.owners
    row = owners["row"].to_numpy()
    years = merged.rows.roll_year.combine_chunks()
    import pyarrow as pa

    rows = table_from_columns(
        [
            row + 1,
            owners["n"],
            *(owners[name] for name in OWNER_TEXT),
            ["layer"] * len(row),
            years.take(pa.array(row)),
            name_keys(owners),
            address_keys(owners),
        ]
    )
    write_table(db, "owners", _OWNER_TYPES, rows, description="owners of record, verbatim; the two keys are for comparing only")


def _plain(value: object) -> object:
    if value is None or isinstance(value, (str, bool)):
        return value if not isinstance(value, bool) else int(value)
    return value if isinstance(value, int) and value < 2**31 else str(value)
