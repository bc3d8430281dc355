"""Which rows are one parcel, and the parcels made of them: equal identities dissolved, owners kept, roles set."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.layers.columns.text import AT_ONCE, apply_odd, as_bool, hashes, whole
from geonotice.layers.owner_spelling import OWNER_TEXT
from geonotice.model import Problem
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.parcels import ParcelRows
    from geonotice.layers.shapes import Shapes
    from geonotice.layers.spill import SpilledTable


__all__ = [
    "Identities",
    "Merged",
    "comparable_column",
    "distinct_owners",
    "identify",
    "merge_rows",
    "unmailable",
]


_PLAIN = r"^[A-Z0-9./]+(?:[ -][A-Z0-9./]+)*$"
_SUFFOLK = r"^\d{3,4}-\d{1,3}(?:\.\d{1,2})?-\d{1,2}(?:\.\d{1,2})?-\d{1,3}"


@dataclass(frozen=True, slots=True, eq=False)
class Identities:
    """Rows grouped into parcels.

    Parameters
    ----------
    parcel
        The parcel of each row, counted from 0 in the order of the first rows.
    first
        The first row of each parcel.
    key
        The comparable number of each parcel; empty where it has none.
    id
        What each parcel is called: unique.
    """

    parcel: "NDArray[np.int64]"
    first: "NDArray[np.int64]"
    key: "pa.Array"
    id: "pa.Array"

    def __len__(self) -> int:
        """Count the parcels."""
        return len(self.first)

    @property
    def rows(self) -> "NDArray[np.int64]":
        """The number of rows of each parcel."""
        return np.bincount(self.parcel, minlength=len(self.first))


def comparable_column(numbers: "pa.ChunkedArray") -> "pa.Array":
    """Return :func:`geonotice.taxmap.comparable` of each number; null where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = whole(numbers)
    made, same = [], True
    for start in range(0, len(text), AT_ONCE):
        some = text.slice(start, AT_ONCE)
        upper = pc.utf8_upper(some)
        plain = as_bool(pc.match_substring_regex(upper, _PLAIN))
        if as_bool(pc.match_substring(upper, "-")).any():
            plain &= ~as_bool(pc.match_substring_regex(upper, _SUFFOLK))
        found = apply_odd(some, ~plain & as_bool(pc.is_valid(some)), upper, comparable)
        same = same and pc.all(pc.equal(some, found)).as_py() is not False
        made.append(found)
    # one copy of them is enough
    return text if same else pa.concat_arrays(made)


def _all_differ(texts: "pa.Array") -> bool:
    """Return whether no text stands twice, where what they hash to shows it; some that differ may hash alike."""
    made = [hashes(texts.slice(start, AT_ONCE).to_pylist()) for start in range(0, len(texts), AT_ONCE)]
    ordered = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *made]))
    return not (ordered[1:] == ordered[:-1]).any()


def identify(
    numbers: "pa.ChunkedArray",
    swis: "pa.ChunkedArray",
    layer: "NDArray[np.int64]",
    fid: "NDArray[np.int64]",
    *,
    names: "Sequence[str]",
) -> Identities:
    """Group rows into parcels and name them.

    Parameters
    ----------
    numbers, swis
        The tax map number and the SWIS of each row, as the layer prints them; null where it has none.
    layer
        The index of each row's layer, 0 for the town's own.
    fid
        The record number of each row in its layer.
    names
        What the layers are called.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    key = comparable_column(numbers)
    blank = ~as_bool(pc.is_valid(key))
    rows = len(layer)
    if not blank.any() and _all_differ(key):
        # every number stands once: nothing to group, nothing to tell apart
        each = np.arange(rows)
        return Identities(parcel=each, first=each, key=key, id=whole(numbers))
    where = pc.if_else(pc.is_valid(swis), pc.binary_join_element_wise("S", swis, ""), pa.array(layer).cast(pa.string()))
    if isinstance(where, pa.ChunkedArray):
        where = where.combine_chunks()
    identity = pc.binary_join_element_wise(where, pc.fill_null(key, ""), "\x1f").dictionary_encode()
    if len(identity.dictionary) == rows and not blank.any():
        first = parcel = np.arange(rows)
    else:
        codes = identity.indices.to_numpy().astype(np.int64)
        # a row without a number is like no other
        codes[blank] = codes.max(initial=-1) + 1 + np.arange(int(blank.sum()))
        found, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        place = np.empty(len(found), dtype=np.int64)
        place[order] = np.arange(len(found))
        first = first[order].astype(np.int64)
        parcel = place[inverse].astype(np.int64) if rows else np.zeros(0, dtype=np.int64)
    heads = pa.array(first)
    return Identities(
        parcel=parcel,
        first=first,
        key=pc.fill_null(key.take(heads), ""),
        id=_called(whole(numbers).take(heads), whole(swis).take(heads), layer[first], fid[first], names),
    )


def _called(
    number: "pa.Array", swis: "pa.Array", layer: "NDArray[np.int64]", fid: "NDArray[np.int64]", names: "Sequence[str]"
) -> "pa.Array":
    """Name each parcel: its number; where that stands twice, its SWIS or its layer before it; its record where it has none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    blank = ~as_bool(pc.is_valid(number))
    record = pc.binary_join_element_wise("#", pa.array(fid).cast(pa.string()), "")
    called = pc.coalesce(number, record)
    # #<fid> is the town's own layer's; another layer's record has its layer before it
    layer_name = pa.array([names[index] for index in layer.tolist()], pa.string()) if layer.any() else None
    foreign = blank & (layer > 0)
    twice = _repeated(called) & ~blank
    with_swis = twice & as_bool(pc.is_valid(swis))
    called = pc.if_else(pa.array(with_swis), pc.binary_join_element_wise(pc.fill_null(swis, ""), called, "/"), called)
    if layer_name is not None:
        by_layer = foreign | (_repeated(called) & (layer > 0))
        called = pc.if_else(pa.array(by_layer), pc.binary_join_element_wise(layer_name, called, "/"), called)
    still = _repeated(called)
    if still.any():
        called = pc.if_else(pa.array(still), pc.binary_join_element_wise(called, record, " "), called)
    return called


def _repeated(texts: "pa.Array") -> "NDArray[np.bool_]":
    encoded = texts.dictionary_encode()
    if len(encoded.dictionary) == len(texts):
        return np.zeros(len(texts), dtype=bool)
    codes = encoded.indices.to_numpy()
    return np.asarray(np.bincount(codes)[codes] > 1)


OVERLAP_SQ_FT = 100.0
"""Parcels of two layers that overlap by more than this are reported."""
STACKED_SHARE = 0.5
"""Polygons that overlap by more than half of the smaller one are stacked (the plan, section 5)."""


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Parcels in canonical columns. ``rows`` has one row for each; ``owners`` counts parcels in its ``row`` (0 is the first), ``n`` anew."""

    rows: "ParcelRows"
    identities: Identities
    problems: tuple[Problem, ...]

    @property
    def id(self) -> "pa.Array":
        """What each parcel is called."""
        return self.identities.id


def merge_rows(rows: "ParcelRows", names: "Sequence[str]") -> Merged:
    """Make one parcel of the rows of equal identity.

    Parameters
    ----------
    rows
        The rows of all layers, the town's own first.
    names
        What the layers are called.

    Notes
    -----
    The polygons of one layer are united. Where a second layer has the parcel again, the first layer's polygon stands and the owners of both
    are kept. The other columns are those of the first row that has them.
    """
    rows, problems = _with_geometry(rows, names)
    found = identify(rows.number, rows.swis, rows.layer, rows.fid, names=names)
    blank = ~as_bool(rows.number.is_valid())[found.first]
    problems += _blank_keys(found, rows, blank, names)
    several = np.flatnonzero(found.rows > 1)
    united: dict[int, shapely.Geometry] = {}
    if len(several):
        order = np.argsort(found.parcel, kind="stable")
        ends = np.cumsum(found.rows)
        for parcel in several.tolist():
            members = order[ends[parcel] - found.rows[parcel] : ends[parcel]]
            own = members[rows.layer[members] == rows.layer[members[0]]]
            if len(own) > 1:
                united[parcel] = _united(rows.shapes[own])
            problems += _said(found.id[parcel].as_py(), members, own, rows, names=names)
    owners = _owners(rows.owners, found)
    merged = _parcels(rows, found.first, rows.shapes.take(found.first).replaced(united), owners)
    return Merged(merged, found, tuple(problems))


def _with_geometry(rows: "ParcelRows", names: "Sequence[str]") -> "tuple[ParcelRows, list[Problem]]":
    """Leave out the rows without a polygon; where another row has the same parcel's polygon, their owners go to that row."""
    kept = ~rows.shapes.missing
    if kept.all():
        return rows, []
    found = identify(rows.number, rows.swis, rows.layer, rows.fid, names=names)
    head = np.full(len(found), -1, dtype=np.int64)
    places = np.flatnonzero(kept)[::-1]
    head[found.parcel[places]] = places
    goes_to = np.where(kept, np.arange(len(rows)), head[found.parcel])
    saved = np.flatnonzero(~kept & (goes_to >= 0))
    problems = [
        Problem(
            names[rows.layer[row]],
            rows.number[row].as_py() or f"#{rows.fid[row]}",
            "dissolved",
            f"record {rows.fid[row]} has this number and no polygon; its owners stay with the parcel's other rows",
        )
        for row in saved.tolist()
    ]
    return rows.kept(kept, goes_to), problems


def unmailable(
    owners: "SpilledTable", ids: "pa.Array", layer: "NDArray[np.int64]", names: "Sequence[str]"
) -> tuple[Problem, ...]:
    """List the owners to whom no letter can be addressed, and why; one row for all where a layer has nothing to address letters with."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = {name: as_bool(pc.not_equal(owners[name], "")) for name in OWNER_TEXT}
    placed = filled["city"] | filled["zip"] | filled["country"]
    bad = ~(filled["address"] & placed)
    unnamed = ~bad & ~filled["names"]
    row = owners["row"].to_numpy()
    problems = []
    for index, name in enumerate(names):
        here = layer[row] == index
        parcels = int((layer == index).sum())
        if not here.any():
            if parcels:
                problems.append(
                    Problem(name, "", "unmailable", f"no column names owners: none of its {parcels:,} parcels has one")
                )
            continue
        if parcels > 1 and bad[here].all():
            problems.append(Problem(name, "", "unmailable", f"none of its {parcels:,} parcels has a usable mailing address"))
            continue
        problems += _unnamed(name, np.flatnonzero(here & unnamed), row, ids, parcels=parcels, every=bool(unnamed[here].all()))
        places = np.flatnonzero(here & bad)
        at = pa.array(places)
        called = ids.take(pa.array(row[places])).to_pylist()
        for place, parcel, who in zip(places.tolist(), called, owners["names"].take(at).to_pylist(), strict=True):
            has = (filled["names"][place], filled["address"][place], placed[place])
            lacks = [
                word for word, there in zip(("owner's name", "street or box", "city or ZIP code"), has, strict=True) if not there
            ]
            text = f"no {' and no '.join(lacks)}" + (f"; owner: {who.replace(chr(10), ', ')}" if who else "")
            problems.append(Problem(name, parcel, "unmailable", text))
    # owners of no parcel cannot be, parcels of no owner can
    without = np.flatnonzero(np.bincount(row, minlength=len(layer)) == 0)
    told = {problem.layer for problem in problems if not problem.key}
    some = pa.array(without)
    for parcel, called in zip(without.tolist(), ids.take(some).to_pylist(), strict=True):
        if names[layer[parcel]] not in told:
            problems.append(Problem(names[layer[parcel]], called, "unmailable", "no owner of record"))
    return tuple(problems)


def _unnamed(
    name: str, places: "NDArray[np.int64]", row: "NDArray[np.int64]", ids: "pa.Array", *, parcels: int, every: bool
) -> list[Problem]:
    """List the parcels with an address and no owner's name: one row for all of a layer that has no names."""
    import pyarrow as pa

    text = "a mailing address and no owner's name; a letter is addressed to the property's owner there"
    if every and len(places) > 1:
        return [Problem(name, "", "owner_unnamed", f"none of its {parcels:,} parcels has an owner's name: {text}")]
    called = ids.take(pa.array(row[places])).to_pylist()
    return [Problem(name, parcel, "owner_unnamed", text) for parcel in called]


def _blank_keys(found: Identities, rows: "ParcelRows", blank: "NDArray[np.bool_]", names: "Sequence[str]") -> list[Problem]:
    """Name the parcels without a number; a layer that has no numbers at all is named once."""
    import pyarrow as pa

    problems = []
    layer = rows.layer[found.first]
    for index, name in enumerate(names):
        here = layer == index
        if here.sum() > 1 and blank[here].all():
            problems.append(
                Problem(
                    name,
                    "",
                    "blank_key",
                    f"none of its {int(here.sum()):,} parcels has a tax map number; they are called by their record",
                )
            )
            continue
        places = np.flatnonzero(blank & here)
        written = rows.dummy.take(pa.array(found.first[places])).to_pylist()
        for called, dummy in zip(found.id.take(pa.array(places)).to_pylist(), written, strict=True):
            said = f"its number is written {dummy!r}, which is none" if dummy else "it has no tax map number"
            problems.append(Problem(name, called, "blank_key", f"{said}; it is a parcel by itself, kept for its geometry"))
    return problems


def _united(geometry: "NDArray[np.object_]") -> shapely.Geometry:
    made = shapely.union_all(geometry)
    return made if made.is_valid else shapely.make_valid(made, method="structure", keep_collapsed=False)


def _said(
    called: str, members: "NDArray[np.int64]", own: "NDArray[np.int64]", rows: "ParcelRows", *, names: "Sequence[str]"
) -> list[Problem]:
    made = []
    if len(own) > 1:
        separate = rows.shapes.area[own].sum()
        united = shapely.area(shapely.union_all(rows.shapes[own]))
        over = separate - united
        text = f"{len(own)} rows have this number (records {', '.join(map(str, rows.fid[own].tolist()[:10]))}); they are one parcel, with the owners of all"
        if over > OVERLAP_SQ_FT:
            text += f"; their polygons overlap by {over:,.0f} sq ft"
        made.append(Problem(names[rows.layer[own[0]]], called, "dissolved", text))
    home = rows.layer[own[0]]
    text = f"it stands in {names[home]} too, whose polygon is used; the owners of both are kept"
    others = [layer for layer in np.unique(rows.layer[members]).tolist() if layer != home]
    return [*made, *(Problem(names[layer], called, "duplicate_layer", text) for layer in others)]


def _owners(owners: "SpilledTable", found: Identities) -> "SpilledTable":
    """Return the owners of each parcel: those of all its rows, each once, numbered from 0."""
    import pyarrow as pa

    row = owners["row"].to_numpy()
    parcel = found.parcel[row] if len(row) else row
    owners = owners.with_columns({"row": pa.array(parcel)})
    if (np.diff(parcel) > 0).all():
        # one owner a parcel, in their order: nothing to sort, nothing to leave out
        return owners
    table = owners.table().take(pa.array(np.argsort(parcel, kind="stable")))
    return type(owners).of(table if (np.diff(np.sort(parcel)) > 0).all() else distinct_owners(table))


def distinct_owners(owners: "pa.Table") -> "pa.Table":
    """Keep each owner of a parcel once, nameless ones only where no other has their address, and number them from 0; ``row`` is ascending."""
    import pyarrow as pa

    row = owners["row"].to_numpy()
    counts = np.bincount(row) if len(row) else np.zeros(0, dtype=np.int64)
    keep = np.ones(len(row), dtype=bool)
    for place in np.flatnonzero(counts > 1).tolist():
        start, end = np.searchsorted(row, [place, place + 1]).tolist()
        seen = set()
        part = owners.slice(start, end - start)
        texts = list(zip(*(part[name].to_pylist() for name in OWNER_TEXT), strict=True))
        # an owner without a name is another one only where the address is
        named = {text[1:] for text in texts if text[0]}
        for offset, text in enumerate(texts):
            if text in seen or (named and not text[0] and (not text[1] or text[1:] in named)):
                keep[start + offset] = False
            seen.add(text)
    owners = owners.filter(pa.array(keep))
    row = owners["row"].to_numpy()
    first = np.searchsorted(row, row)
    return owners.set_column(1, "n", pa.chunked_array([pa.array(np.arange(len(row)) - first)]))


def _parcels(rows: "ParcelRows", taken: "NDArray[np.int64]", shapes: "Shapes", owners: "SpilledTable") -> "ParcelRows":
    import pyarrow as pa

    from geonotice.layers.parcels import TEXT_COLUMNS, ParcelRows

    at = pa.array(taken)
    same = len(taken) == len(rows)
    return ParcelRows(
        **{name: getattr(rows, name) if same else getattr(rows, name).take(at) for name in (*TEXT_COLUMNS, "roll_year")},
        aside=rows.aside if same else type(rows.aside)({part: rows.aside[part].take(at) for part in rows.aside.column_names}),
        shapes=shapes,
        layer=rows.layer if same else rows.layer[taken],
        fid=rows.fid if same else rows.fid[taken],
        owners=owners,
    )
