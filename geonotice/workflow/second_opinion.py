"""A second opinion on a list, along another path: no store, no index; the sources read record by record, each parcel measured.

It shares with the first only what says which column is the tax map number, and which CRS is which.
"""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import shapely
from msgspec import Struct

from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geonotice.config.town import ParcelSpec, Town

__all__ = ["Check", "ParcelsBySight", "read_by_sight", "second_opinion"]

_OFF_FT = 0.02
"""How far two measurements may be apart: each is rounded to 0.01 ft."""


class Check(Struct, frozen=True, kw_only=True):
    """One thing that was looked at: whether it holds, or why it was not looked at."""

    name: str
    status: Literal["passed", "failed", "not_done"]
    text: str


class ParcelsBySight(Struct, frozen=True, eq=False):
    """The parcels of a town, dissolved by number: names, SWIS and shapes in the town's CRS, and how each layer was read."""

    numbers: tuple[str, ...]
    swis: tuple[str, ...]
    shapes: "NDArray[Any]"
    notes: tuple[str, ...]
    places: "Mapping[str, Sequence[int]]"

    def find(self, id_: str, swis: str = "") -> list[int]:
        """Return the places of the parcels that a record calls so."""
        code, _, number = id_.rpartition("/") if id_.count("/") == 1 and id_.partition("/")[0].isdigit() else ("", "", id_)
        wanted = {comparable(number), comparable(id_)}
        found = sorted({place for one in wanted for place in self.places.get(one, ())})
        exact = [place for place in found if (code or swis) and self.swis[place] == (code or swis)]
        return exact or found


def read_by_sight(town: "Town", *, crs: str) -> ParcelsBySight:
    """Read the parcel layers through fiona and dissolve their rows by number.

    Raises
    ------
    LayerError
        A layer cannot be read.
    """
    numbers: list[str] = []
    swis: list[str] = []
    shapes: list[Any] = []
    notes: list[str] = []
    for spec in town.parcels:
        rows, codes, drawn, note = _layer(spec, crs)
        numbers += rows
        swis += codes
        shapes += drawn
        notes.append(f"{spec.given}: {note}")
    groups: dict[tuple[str, str], list[int]] = {}
    for place, number in enumerate(numbers):
        # A row without a number is like no other.
        groups.setdefault((swis[place], number) if number else ("", f"\0{place}"), []).append(place)
    whole = [
        shapely.union_all([shapes[place] for place in places]) if len(places) > 1 else shapes[places[0]]
        for places in groups.values()
    ]
    firsts = [places[0] for places in groups.values()]
    array = np.empty(len(whole), dtype=object)
    array[:] = whole
    places: dict[str, list[int]] = {}
    for place, first in enumerate(firsts):
        if numbers[first]:
            places.setdefault(numbers[first], []).append(place)
    return ParcelsBySight(
        tuple(numbers[first] for first in firsts), tuple(swis[first] for first in firsts), array, tuple(notes), places
    )


def _layer(spec: "ParcelSpec", crs: str) -> tuple[list[str], list[str], list[Any], str]:
    """Return number, SWIS and shape of each row of a layer, and how it was read."""
    import pyarrow as pa

    from geonotice.io.gdal_options import quiet_gdal
    from geonotice.layers.columns.expression import field_text, flat_table, key_text
    from geonotice.layers.columns.placeholders import without_dummies
    from geonotice.layers.columns.recognize import recognise
    from geonotice.layers.formats.check_and_open import opened
    from geonotice.layers.formats.gdal import fiona_features
    from geonotice.layers.look import choose, look_at
    from geonotice.layers.read import read_layer
    from geonotice.units import resolve_crs, to_measure

    raw = None
    note = "read record by record through fiona"
    try:
        with quiet_gdal(), opened(spec.path, layer=spec.layer) as source:
            if source.kind in _NOT_FIONAS:
                raise ImportError  # noqa: TRY301  # one way out for whatever fiona cannot read here
            look = choose(look_at(source)[0], spec.layer, spec.path)[0]
            with fiona_features(source, look.name) as features:
                declared = features.crs_wkt or look.crs
                rows = [(dict(one.properties), one.geometry.__geo_interface__ if one.geometry else None) for one in features]
        names = list(dict.fromkeys(name for properties, _ in rows for name in properties))
        table = pa.table({name: pa.array([_cell(one.get(name)) for one, _ in rows], pa.string()) for name in names})
        drawn = [None if shape is None else shapely.geometry.shape(shape) for _, shape in rows]
    except ImportError:
        # No wheel of fiona for this Python, or a format that is not its own.
        raw = read_layer(spec.path, layer=spec.layer, crs=spec.crs)
        note = "read through pyogrio, since fiona is not installed or does not read such a file"
        table, declared, drawn = raw.table, raw.crs, list(raw.geometry) if raw.geometry is not None else []
    table = flat_table(table)
    fields = recognise("parcels", table, spec.fields, file=spec.given)
    number = without_dummies(key_text(table, fields.column("tax_map_number")))[0].to_pylist()
    code = spec.swis or ""
    codes = [code or (value or "") for value in field_text(table, fields.column("swis")).to_pylist()]
    kept = [place for place, shape in enumerate(drawn) if shape is not None and not shape.is_empty]
    given = np.empty(len(kept), dtype=object)
    given[:] = [shapely.force_2d(drawn[place]) for place in kept]
    written = spec.crs or declared or ""
    bounds = tuple(shapely.total_bounds(given).tolist()) if kept else None
    moved = to_measure(given, resolve_crs(written, bounds=bounds, file=spec.given).crs, crs)
    sound = shapely.make_valid(moved)
    return (
        [comparable(number[place]) if number[place] else "" for place in kept],
        [codes[place] for place in kept],
        list(sound),
        f"{note}, {len(rows) if raw is None else len(drawn):,} records",
    )


_NOT_FIONAS = frozenset({"csv", "workbook", "parquet"})


def _cell(value: object) -> str | None:
    import json

    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def second_opinion(
    record: "Mapping[str, Any]", parcels: ParcelsBySight, *, reach_ft: float | None, why_not: str, tolerance_ft: float
) -> tuple[Check, ...]:
    """Measure the parcels of a list again, and look for any that it lacks.

    Parameters
    ----------
    record
        The list, as its record has it.
    parcels
        Every parcel of the sources.
    reach_ft
        The distance within which every parcel is on the list; None where the law names none.
    why_not
        Why completeness cannot be judged by a distance, where it cannot.
    tolerance_ft
        How far lot lines may be apart and still meet.
    """
    how = Check(name="sources read again", status="passed", text="; ".join(parcels.notes))
    own = {place for id_ in record["premises"] for place in parcels.find(id_)}
    missing = [id_ for id_ in record["premises"] if not parcels.find(id_)]
    if missing:
        text = f"The premises {', '.join(missing)} have no number that the sources can be searched for, so nothing was measured."
        return how, Check(name="distances", status="not_done", text=text)
    moved_out = {
        place
        for warning in record["warnings"]
        if warning["code"] == "contiguous_land"
        for id_ in warning.get("parcels", ())
        for place in parcels.find(id_)
    }
    line = shapely.union_all(parcels.shapes[sorted(own | moved_out)])
    distance_ft = shapely.distance(line, parcels.shapes)
    around = record.get("around")
    around_ft = None if around is None else shapely.distance(shapely.make_valid(shapely.from_wkt(around["wkt"])), parcels.shapes)
    return (
        how,
        _distances(record, parcels, distance_ft, around_ft),
        _adjoining(record, parcels, distance_ft, tolerance_ft),
        _completeness(record, parcels, own, distance_ft, around_ft, reach_ft=reach_ft, why_not=why_not),
    )


def _places(record: "Mapping[str, Any]", parcels: ParcelsBySight) -> "tuple[dict[str, int], list[str]]":
    """Return where the parcels of a list stand among all, and those that have no number to be found by."""
    found = {one["id"]: parcels.find(one["id"], one["swis"]) for one in record["parcels"]}
    return {id_: places[0] for id_, places in found.items() if len(places) == 1}, [id_ for id_, p in found.items() if len(p) != 1]


def _distances(
    record: "Mapping[str, Any]", parcels: ParcelsBySight, distance_ft: "NDArray[Any]", around_ft: "NDArray[Any] | None"
) -> Check:
    places, unfound = _places(record, parcels)
    wrong = []
    for one in record["parcels"]:
        place = places.get(one["id"])
        if place is None:
            continue
        if abs(distance_ft[place] - one["distance_ft"]) > _OFF_FT:
            wrong.append(
                f"{one['id']} is {distance_ft[place]:,.2f} ft from the premises, the record says {one['distance_ft']:,.2f}"
            )
        if around_ft is not None and "around_ft" in one and abs(around_ft[place] - one["around_ft"]) > _OFF_FT:
            wrong.append(
                f"{one['id']} is {around_ft[place]:,.2f} ft from the second place, the record says {one['around_ft']:,.2f}"
            )
    not_found = f" Without a number of their own, and not measured: {', '.join(unfound)}." if unfound else ""
    if wrong:
        return Check(name="distances", status="failed", text=f"{'; '.join(wrong)}.{not_found}")
    return Check(
        name="distances", status="passed", text=f"{len(places):,} parcels are as far away as the record says.{not_found}"
    )


def _adjoining(record: "Mapping[str, Any]", parcels: ParcelsBySight, distance_ft: "NDArray[Any]", tolerance_ft: float) -> Check:
    places, _ = _places(record, parcels)
    touching = [one["id"] for one in record["parcels"] if {"abutting", "corner"} & {one["relation"], *one["also"]}]
    apart = [id_ for id_ in touching if id_ in places and distance_ft[places[id_]] > tolerance_ft]
    name = "abutting parcels"
    if apart:
        return Check(name=name, status="failed", text=f"These do not touch the premises: {', '.join(apart)}.")
    return Check(
        name=name,
        status="passed",
        text=f"{len(touching):,} parcels said to abut or to touch at a corner do. Who is opposite was measured, not found anew.",
    )


def _completeness(  # what was measured, and what it is held against
    record: "Mapping[str, Any]",
    parcels: ParcelsBySight,
    own: "set[int]",
    distance_ft: "NDArray[Any]",
    around_ft: "NDArray[Any] | None",
    *,
    reach_ft: float | None,
    why_not: str,
) -> Check:
    name = "nobody missing within the distance"
    if reach_ft is None:
        return Check(name=name, status="not_done", text=why_not or "The law of this occasion names no distance.")
    reached = distance_ft if around_ft is None else np.minimum(distance_ft, around_ft)
    near = [place for place in np.flatnonzero(reached <= reach_ft).tolist() if place not in own]
    places, unfound = _places(record, parcels)
    listed = set(places.values())
    dropped = {place for one in record["overrides"] if one["action"] == "drop" for place in parcels.find(one["id"])}
    lacking = [place for place in near if place not in listed | dropped]
    nameless = [place for place in lacking if not parcels.numbers[place]]
    named = [place for place in lacking if parcels.numbers[place]]
    # Rows without a number are on the list under the number of their row, which differs from reader to reader: they are counted.
    odd = len(nameless) > len(unfound)
    if named or odd:
        said = [f"{parcels.numbers[place]} ({reached[place]:,.2f} ft)" for place in named]
        said += [f"{len(nameless) - len(unfound)} without a number"] if odd else []
        return Check(name=name, status="failed", text=f"Within {reach_ft:,.0f} ft and not on the list: {'; '.join(said)}.")
    text = f"{len(near):,} parcels of {len(parcels.numbers):,} lie within {reach_ft:,.2f} ft (borderline included), and all are on the list or were dropped by hand."
    return Check(name=name, status="passed", text=text)
