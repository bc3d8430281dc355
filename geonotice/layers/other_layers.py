"""The other layers of a town: zoning, municipalities, streets, railroads, water and address points, as the store keeps them."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.address_spelling import normal_text
from geonotice.errors import Fault, MissingField, WrongGeometry
from geonotice.layers.addresses import split_situs
from geonotice.layers.columns.placeholders import field_value
from geonotice.layers.columns.recognize import FieldMap, field_text, recognise
from geonotice.layers.columns.text import each_distinct
from geonotice.layers.owners import tidied_zip
from geonotice.layers.parcels import CODE_OF_NOTE
from geonotice.layers.read import read_layer
from geonotice.layers.repair import repair_features
from geonotice.layers.source import for_town_file, geometry_kinds, table_of, told_in_town_file
from geonotice.model import Problem
from geonotice.store_tables import FEATURE_COLUMNS
from geonotice.units import resolve_crs, to_measure

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.config.town import LayerSpec
    from geonotice.layers.source import RawLayer

__all__ = ["NYSDOT_JURISDICTIONS", "ReadFeatures", "assign_points", "geometry_type", "read_features"]

WANTED = {
    "zoning": ("polygon",),
    "municipalities": ("polygon",),
    "streets": ("line",),
    "railroads": ("line", "polygon"),
    "water": ("polygon", "line"),
    "address_points": ("point",),
}
"""The kinds of geometry each layer may have."""

REQUIRED = {"zoning": "district", "municipalities": "name"}
"""The field a layer is no use without."""

NYSDOT_JURISDICTIONS = {
    "1": "State", "2": "County", "3": "Town", "4": "City or village", "11": "State park", "12": "Local park", "21": "Other State agency",
    "25": "Other local agency", "26": "Private", "27": "Railroad", "31": "State (Thruway)", "32": "Other toll", "40": "Public instrumentality", "50": "Tribal",
    "60": "Federal", "62": "Federal", "63": "Federal", "64": "Federal", "66": "Federal", "67": "Federal", "68": "Federal", "69": "Federal", "70": "Federal",
    "72": "Federal", "74": "Federal", "80": "Other",
}  # fmt: skip
"""The codes of the State's road inventory, in words."""

_HOUSE = r"^(?P<number>\d+[A-Za-z]?(?:\s?-\s?\d+[A-Za-z]?)?(?:\s\d/\d)?)\s+(?P<street>\D.*|\d+(?:ST|ND|RD|TH|st|nd|rd|th)\b.*)$"


@dataclass(frozen=True, slots=True, eq=False)
class ReadFeatures:
    """A layer, read: its columns as the store has them, geometry valid and in the town's CRS, and what was done to it."""

    spec: "LayerSpec"
    raw_rows: int
    crs: str
    fields: FieldMap
    columns: "dict[str, pa.ChunkedArray]"
    geometry: "NDArray[np.object_]"
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...] = ()


def read_features(spec: "LayerSpec", *, crs: str, say: "Callable[[str], None]") -> ReadFeatures:
    """Read a layer of the town file other than parcels.

    Parameters
    ----------
    spec
        The layer, as the town file names it.
    crs
        The CRS that measuring is done in.
    say
        Told what is being done.

    Raises
    ------
    LayerError
        It cannot be read, has the wrong kind of geometry, or lacks the field it is for.
    """
    with told_in_town_file(spec.kind):
        return _read(spec, crs=crs, say=say)


def _read(spec: "LayerSpec", *, crs: str, say: "Callable[[str], None]") -> ReadFeatures:
    say(f"Reading {spec.given}")
    raw = read_layer(spec.path, layer=spec.layer, crs=spec.crs)
    _require_kind(raw, spec)
    fields = recognise(spec.kind, raw.table, spec.fields, file=spec.given, layer=raw.layer)
    needed = REQUIRED.get(spec.kind)
    if needed and not fields.column(needed):
        raise MissingField(
            Fault(
                what=f"no column of it is known to hold {needed}; the columns are: {', '.join(raw.columns) or 'none'}",
                remedy=f'write into the town file: [layers.{spec.kind}.fields] {needed} = "COLUMN"',
                file=spec.given,
                layer=raw.layer,
                key=f"layers.{spec.kind}.fields.{needed}",
            )
        )
    if spec.kind == "address_points" and not (fields.column("address") or fields.column("street")):
        raise MissingField(
            Fault(
                what=f"no column of it is known to hold the address or the street; the columns are: {', '.join(raw.columns) or 'none'}",
                why="no letter to a resident could be addressed",
                remedy='write into the town file: [layers.address_points.fields] number = "COLUMN" and street = "COLUMN"',
                file=spec.given,
                layer=raw.layer,
                key="layers.address_points.fields",
            )
        )
    assert raw.geometry is not None  # noqa: S101  # _require_kind refuses a table
    assert raw.crs is not None  # noqa: S101  # read_layer refuses features without a CRS
    source = resolve_crs(raw.crs, file=spec.given, layer=raw.layer)
    repaired = repair_features(to_measure(np.asarray(raw.geometry), source.crs, crs))
    columns = _columns(raw, fields, spec.kind)
    named = columns[next(iter(columns))]
    problems = [
        Problem(spec.kind, "", CODE_OF_NOTE.get(note.code, "source_note"), for_town_file(note.text, table_of(spec.kind)))
        for note in raw.notes
    ]
    problems += [
        Problem(spec.kind, named[item.row].as_py() or f"#{raw.fid[item.row]}", item.code, item.text) for item in repaired.repairs
    ]
    geometry, columns = repaired.geometry[repaired.kept], {n: c.filter(_mask(repaired.kept)) for n, c in columns.items()}
    warnings = [f"{spec.given}: no column says {name}" for name in _missing(spec.kind, fields)]
    return ReadFeatures(spec, len(raw), source.crs, fields, columns, geometry, tuple(problems), tuple(warnings))


def geometry_type(kind: str, geometry: "NDArray[np.object_]") -> str:
    """Return the type of geometry that the store declares for a layer."""
    dimensions = set(np.unique(shapely.get_dimensions(geometry)).tolist())
    if kind == "address_points":
        return "Point" if set(np.unique(shapely.get_type_id(geometry)).tolist()) <= {0} else "Unknown"
    return {frozenset({2}): "MultiPolygon", frozenset({1}): "MultiLineString"}.get(frozenset(dimensions), "Unknown")


def assign_points(
    points: "NDArray[np.object_]", parcels: "NDArray[np.object_]", *, within_ft: float
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return on which parcel each address point lies, or which it is nearest to within a distance.

    Parameters
    ----------
    points, parcels
        Geometries in the town's CRS.
    within_ft
        How far a point may lie beside its parcel.

    Returns
    -------
    parcel, stacked
        For each point the index of its parcel, -1 where none is near; of stacked parcels the first. And the points that lie on several.
    """
    found = np.full(len(points), -1, dtype=np.int64)
    if not len(points) or not len(parcels):
        return found, np.zeros(0, dtype=np.int64)
    tree = shapely.STRtree(parcels)
    point, parcel = tree.query(points, predicate="intersects")
    order = np.lexsort((parcel, point))
    point, parcel = point[order], parcel[order]
    first = np.flatnonzero(np.r_[True, point[1:] != point[:-1]]) if len(point) else np.zeros(0, dtype=np.int64)
    found[point[first]] = parcel[first]
    several = np.unique(point[np.bincount(point, minlength=len(points))[point] > 1]) if len(point) else point
    lone = np.flatnonzero(found < 0)
    if len(lone) and within_ft > 0:
        near, nearest = tree.query_nearest(points[lone], max_distance=within_ft, all_matches=False)
        found[lone[near]] = nearest
    return found, several.astype(np.int64)


def _require_kind(raw: "RawLayer", spec: "LayerSpec") -> None:
    wanted = WANTED[spec.kind]
    place = {"file": spec.given, "layer": raw.layer, "key": f"layers.{spec.kind}"}
    if raw.geometry is None:
        raise WrongGeometry(
            Fault(
                what=f"this is a table without geometry; {spec.kind} are {' or '.join(wanted)}s",
                why=" ".join(note.text for note in raw.notes if note.code == "no_place"),
                remedy="name a layer of them",
                **place,
            )
        )
    kinds = geometry_kinds(raw.geometry)
    other = {kind: count for kind, count in kinds.items() if kind not in wanted and kind != "collection"}
    if other:
        found = " and ".join(f"{count:,} {kind}s" for kind, count in kinds.items())
        raise WrongGeometry(
            Fault(what=f"the layer holds {found}; {spec.kind} are {' or '.join(wanted)}s", remedy="name a layer of them", **place)
        )


def _missing(kind: str, fields: FieldMap) -> list[str]:
    useful = {
        "streets": ("name", "jurisdiction"),
        "municipalities": ("swis",),
        "address_points": () if fields.column("address") else ("number", "street"),
    }
    return [name for name in useful.get(kind, ()) if not fields.column(name)]


def _columns(raw: "RawLayer", fields: FieldMap, kind: str) -> "dict[str, pa.ChunkedArray]":
    import pyarrow.compute as pc

    def text(name: str) -> "pa.ChunkedArray":
        # NA, X and 0 may be codes of districts
        kept = kind == "zoning" and name == "district"
        return field_text(raw.table, fields.column(name)) if kept else field_value(raw.table, fields.column(name))

    made = {name: text(name) for name in FEATURE_COLUMNS[kind] if name != "parcel_fid"}
    if kind == "streets":
        made["jurisdiction"] = _jurisdictions(made["jurisdiction"])
    if kind == "municipalities":
        swis = made["swis"]
        made["swis"] = pc.if_else(pc.match_substring_regex(swis, r"^\d{5}$"), pc.utf8_lpad(swis, 6, padding="0"), swis)
        made["kind"] = pc.coalesce(pc.utf8_lower(made["kind"]), each_distinct(made["swis"], _kind_of_swis))
    if kind == "address_points":
        made = _addresses(made)
    return {name: pc.fill_null(column, "") for name, column in made.items()}


def _jurisdictions(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Put the State's codes in words, where all that is filled is a code."""
    import pyarrow.compute as pc

    values = set(pc.unique(column).drop_null().to_pylist())
    codes = {value: value.lstrip("0") for value in values}
    if values and all(code in NYSDOT_JURISDICTIONS for code in codes.values()):
        return each_distinct(column, lambda text: NYSDOT_JURISDICTIONS[codes[text]])
    return column


def _kind_of_swis(swis: str) -> str | None:
    """Return the kind of a municipality from its SWIS code: county(2), town(2), village(2); the numbers of cities are below 20.

    Examples
    --------
    >>> _kind_of_swis("572400"), _kind_of_swis("473601"), _kind_of_swis("010100"), _kind_of_swis("473689"), _kind_of_swis("57")
    ('town', 'village', 'city', 'town', None)
    """
    if not re.fullmatch(r"\d{6}", swis):
        return None
    town, village = int(swis[2:4]), int(swis[4:])
    if village not in {0, 89}:
        return "village"
    return "city" if 0 < town < 20 else "town" if town else None  # noqa: PLR2004  # towns are numbered from 20


def _addresses(made: "dict[str, pa.ChunkedArray]") -> "dict[str, pa.ChunkedArray]":
    """Return each point its number and street, from the whole address where they are not apart, and the whole from the parts."""
    import pyarrow.compute as pc

    made |= _without_place(made)
    whole = made["address"]
    parts = pc.extract_regex(whole, _HOUSE)
    lacking = pc.and_(pc.is_null(made["street"]), pc.is_null(made["number"]))
    number = pc.if_else(lacking, pc.struct_field(parts, "number"), made["number"])
    street = pc.if_else(lacking, pc.coalesce(pc.struct_field(parts, "street"), whole), made["street"])
    number = pc.if_else(pc.match_substring_regex(number, r"^0+$"), None, number)
    joined = pc.binary_join_element_wise(number, street, made["unit"], " ", null_handling="skip")
    made["address"] = pc.coalesce(whole, pc.if_else(pc.equal(joined, ""), None, joined))
    made["zip"] = tidied_zip(made["zip"], None, made["state"])[0]
    return {**made, "number": number, "street": street}


def _without_place(made: "dict[str, pa.ChunkedArray]") -> "dict[str, pa.ChunkedArray]":
    """Take city, State and ZIP code off the whole address of points that have them at its end; fields of their own stand first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = made["address"].combine_chunks().dictionary_encode()
    texts = whole.dictionary.to_pylist()
    ends = Counter(normal_text(text.rpartition(",")[2]) for text in texts if "," in text)
    own = Counter(normal_text(city) for city in made["city"].drop_null().to_pylist())
    found = [split_situs(text, frozenset(end for end, count in (ends + own).items() if count > 1)) for text in texts]
    if not any(found):
        return {}
    lines = [" ".join(part.lines) if part else text for part, text in zip(found, texts, strict=True)]
    parts = {name: [(getattr(part, name) or None) if part else None for part in found] for name in ("city", "state", "zip")}
    taken = {name: pa.chunked_array([pa.array(values, pa.string()).take(whole.indices)]) for name, values in parts.items()}
    return {
        "address": pa.chunked_array([pa.array(lines, pa.string()).take(whole.indices)]),
        **{name: pc.coalesce(made[name], column) for name, column in taken.items()},
    }


def _mask(kept: "NDArray[np.bool_]") -> "pa.Array":
    import pyarrow as pa

    return pa.array(kept)


def off_parcels(found: ReadFeatures, parcel: "NDArray[np.int64]", *, within_ft: float) -> tuple[Problem, ...]:
    """List the address points that belong to no parcel."""
    import pyarrow as pa

    off = np.flatnonzero(parcel < 0)
    names = found.columns["address"].take(pa.array(off)).to_pylist()
    text = f"it lies on no parcel, and none is within {within_ft:g} ft: nobody is notified at it"
    return tuple(Problem("address_points", name or "without an address", "address_point_off", text) for name in names)
