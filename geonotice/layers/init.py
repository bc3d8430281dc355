"""Draft a town file from a parcel layer: what is clear is filled in, what cannot is a question in the file."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, UnknownCRS
from geonotice.layers.columns.recognize import NO_KEY, FieldMap, field_text, recognise
from geonotice.layers.municipality import own_municipality
from geonotice.layers.read import read_layer, require_parcels
from geonotice.layers.shapes import Shapes
from geonotice.layers.source import RawLayer
from geonotice.units import lon_lat_bounds, measuring_crs, propose_measure_crs, resolve_crs

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TownFileDraft", "as_comment", "propose_town_file", "quoted", "value_counts"]

LINE = 118
"""Where comments are broken."""

_ABSENT = {
    "zoning": ("zoning districts", "district", "without it, the district of a property is asked, never assumed"),
    "municipalities": ("towns, villages and cities around", "name, kind, swis, clerk_name, clerk_address", "without it, nearness to another municipality is not seen"),
    "streets": ("street centerlines", "name, jurisdiction", "without it, streets have no names, and a street inside parcels is not seen"),
    "railroads": ("railroads", "name, owner", "without it, only railroad parcels are seen"),
    "water": ("lakes and rivers", "name", "without it, a shore counts as an open side"),
    "address_points": ("address points", "number, street, unit, city, state, zip", "without it, residents are one for each parcel with a house number"),
}  # fmt: skip
"""The layers a town file may name: what they are, their fields, and what is lost without."""


@dataclass(frozen=True, slots=True)
class TownFileDraft:
    """A town file as text, and what a person must answer before import can use it.

    ``questions`` are sentences; each stands in the text as a line ``# QUESTION:``. ``notes`` say how the rest was decided.
    """

    text: str
    questions: tuple[str, ...]
    notes: tuple[str, ...]
    fields: FieldMap


def propose_town_file(
    folder: "Path",
    *,
    parcels: "Path",
    ordinance: str,
    name: str | None = None,
    layer: str | None = None,
    fields: Mapping[str, str] | None = None,
    crs: str | None = None,
    measure_crs: str | None = None,
    municipality: Sequence[str] = (),
) -> TownFileDraft:
    """Draft a town file.

    Parameters
    ----------
    folder
        Where the file will lie; the layer's path is written relative to it.
    parcels
        The parcel layer.
    ordinance
        A built-in profile's id, or a path to one.
    name
        The town's name; without, the municipality that most rows name, or the folder's name.
    layer
        The layer in the file, where there are several.
    fields
        Field to column, from ``--field``.
    crs
        The layer's CRS, where the file does not say it.
    measure_crs
        The CRS to measure in; without, the State-plane zone of the place.
    municipality
        What the layer calls the town's own municipality, where it names several and has no SWIS codes.

    Raises
    ------
    LayerError
        The layer cannot be read, or its features are no polygons, or it has no CRS.
    """
    raw = require_parcels(read_layer(parcels, layer=layer, crs=crs))
    mapped = recognise("parcels", raw.table, fields, file=str(parcels), layer=raw.layer)
    zone, zone_note, warnings = _measure_in(raw, measure_crs)
    called = name or _most_common(raw, mapped, "municipality") or folder.resolve().name
    own = own_municipality(value_counts(raw, mapped, "municipality"), swis="swis" in mapped.fields, name=name, given=municipality)
    lines = [
        f"# The town file of {called}: what geonotice reads, and what it measures with.",
        "# Paths are relative to this file. Lines that begin with # are notes, or things not used yet.",
        "",
        "[town]",
        f"name = {quoted(called)}",
        f"ordinance = {quoted(ordinance)}",
        f"crs = {quoted(zone)}{' ' * max(1, 28 - len(zone))}# {zone_note}",
        *[f"# {warning}" for warning in warnings],
        *_swis_lines(raw, mapped),
        *([f"# QUESTION: {own.question}", 'municipality = ""'] if own.question else []),
        *([f"municipality = [{', '.join(quoted(one) for one in own.values)}]"] if own.values else []),
        "",
        "[[layers.parcels]]",
        f"path = {quoted(_relative(parcels, folder))}",
        f"layer = {quoted(raw.layer)}" if layer is not None else f"# layer = {quoted(raw.layer)}",
        *([f"crs = {quoted(crs)}"] if crs else []),
        "# as_of = YYYY-MM-DD                  # the date of the layer, printed on every list",
        *_roll_lines(raw, mapped),
        "",
        "[layers.parcels.fields]",
        *_field_lines(mapped),
        "",
        "# What a parcel is, where import asks whether it is a street drawn as a lot, or where the layer's class is wrong:",
        "# [layers.parcels.roles]",
        '# right_of_way = []                    # tax map numbers, or a record\'s number: "#17"',
        "# lot = []",
        "",
        *_absent_lines(),
        *_tail_lines(),
    ]
    text = "\n".join(part for line in lines for part in as_comment(line)) + "\n"
    questions = (*([own.question] if own.question else ()), *(question.text for question in mapped.questions))
    return TownFileDraft(text, questions, (zone_note, *warnings, *mapped.notes), mapped)


def _measure_in(raw: RawLayer, measure_crs: str | None) -> tuple[str, str, list[str]]:
    """Return the CRS to measure in, what it is, and what the clerk should know of it."""
    place = _place(raw)
    if measure_crs is not None:
        lon, lat = place or (None, None)
        measure = measuring_crs(measure_crs, lon=lon, lat=lat, key="--measure-crs")
        return (
            measure.given,
            f"{measure.name}: all measuring is done in it, in US survey feet",
            [c.text for c in measure.warnings],
        )
    if place is None:
        raise UnknownCRS(
            Fault(
                what="where the layer lies is not known, so no CRS to measure in can be proposed",
                remedy="name it with --measure-crs (EPSG:2260 to 2263 in New York)",
                file=str(raw.path),
                layer=raw.layer,
            )
        )
    proposal = propose_measure_crs(*place)
    return (
        proposal.crs,
        f"{proposal.name}: all measuring is done in it, in US survey feet",
        [proposal.warning] if proposal.warning else [],
    )


def _place(raw: RawLayer) -> tuple[float, float] | None:
    """Return the middle of the layer, in degrees."""
    assert raw.crs is not None  # noqa: S101  # require_parcels refuses a layer without
    source = resolve_crs(raw.crs, file=str(raw.path), layer=raw.layer)
    assert raw.geometry is not None  # noqa: S101  # and one without geometry
    boxes = raw.geometry.bounds if isinstance(raw.geometry, Shapes) else shapely.bounds(raw.geometry)
    middle = np.nanmedian((boxes[:, :2] + boxes[:, 2:]) / 2, axis=0)
    x, y = float(middle[0]), float(middle[1])
    box = lon_lat_bounds((x, y, x, y), source.crs)
    return None if box is None else (box[0], box[1])


def _most_common(raw: RawLayer, mapped: FieldMap, field: str) -> str:
    counts = value_counts(raw, mapped, field)
    return counts[0][0] if counts else ""


def value_counts(raw: RawLayer, mapped: FieldMap, field: str) -> list[tuple[str, int]]:
    """Count the values of a field, the most frequent first."""
    import pyarrow.compute as pc

    found = pc.value_counts(field_text(raw.table, mapped.column(field)).drop_null()).to_pylist()
    return sorted(((item["values"], item["counts"]) for item in found), key=lambda item: (-item[1], item[0]))


def _swis_lines(raw: RawLayer, mapped: FieldMap) -> list[str]:
    counts: dict[str, int] = {}
    for code, count in value_counts(raw, mapped, "swis"):
        town = code.zfill(6)[:4]
        counts[town] = counts.get(town, 0) + count
    why = "the first digits of the town's own SWIS codes: what is not theirs is another municipality"
    if not counts:
        return ['# swis = ["5724"]                    # ' + why]
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if len(ordered) == 1:
        return [f"swis = [{quoted(ordered[0][0])}]                      # {why}"]
    listed = ", ".join(f"{town} ({count:,} rows)" for town, count in ordered[:8])
    return [f"# swis = [{quoted(ordered[0][0])}]                    # {why}", f"# the layer has: {listed}"]


def _roll_lines(raw: RawLayer, mapped: FieldMap) -> list[str]:
    year = _most_common(raw, mapped, "roll_year")[:4]
    if year.isdigit():
        return [
            f"roll_year = {year}                      # as most rows of the layer say",
            "# final = true                         # whether it is the final roll",
        ]
    return [
        "# roll_year = YYYY                     # the year of the assessment roll that its owners are from",
        "# final = true                         # whether it is the final roll",
    ]


def _field_lines(mapped: FieldMap) -> list[str]:
    lines = []
    settled = dict(mapped.fields)
    asked = {question.field for question in mapped.questions}
    if "tax_map_number" in settled and "tax_map_number" not in asked:
        column = settled.pop("tax_map_number")
        if mapped.key is not None:
            lines.append(f"# {mapped.key}")
        elif column == NO_KEY:
            lines.append("# the layer has no tax map numbers: parcels are called by their record's number")
        lines.append(f"tax_map_number = {quoted(column)}")
        lines += [f"# not taken: {item}" for item in mapped.rejected]
    for question in mapped.questions:
        lines += [f"# QUESTION: {question.text}", f'{question.field} = ""']
    lines += [f"{field} = {quoted(settled.pop(field))}" for field in mapped.given if field in settled]
    if settled:
        lines.append("# recognized by themselves; write a line without the # to say otherwise:")
        lines += [f"# {field} = {quoted(column)}" for field, column in settled.items()]
    lines += [f"# note: {note}" for note in mapped.notes]
    if mapped.unused:
        lines.append(f"# columns not used: {', '.join(mapped.unused)}")
    return lines


def _absent_lines() -> list[str]:
    lines = ["# Layers that are not there. Take the # away, and name the file:", "#"]
    for kind, (what, fields, loss) in _ABSENT.items():
        lines += [f"# {what[0].upper()}{what[1:]} ({fields}); {loss}.", f"# [layers.{kind}]", '# path = ""', "#"]
    lines += [
        "# An assessment roll without geometry (CSV, XLSX, DBF), joined by its key.",
        "# [[roll]]",
        '# path = ""',
        "# roll_year = YYYY",
        "# final = true",
        "# [roll.key]",
        '# columns = ["PRINT_KEY"]             # or several, joined by "-": ["MAP", "LOT", "SUB"]',
        "# strip_leading_zeros = true          # where the roll has 000012 and the layer 12",
        "# drop_zero_parts = true              # where the roll has 000012, 000003, 000000 and the layer 12-3",
        "",
    ]
    return lines


def _tail_lines() -> list[str]:
    return [
        "[settings]",
        "# tolerance_ft = 1.5                   # what digitizing moves a lot line",
        '# borderline = "mail"                  # parcels just beyond a distance, or barely opposite: "mail", or "ask"',
        '# straight_across = "mail"             # parcels straight across that the extended lot lines miss: "mail", or "ask"',
        "# combine_residents = false            # true: one letter to an owner and the residents at the very same address",
        "",
        "# What the layers have wrong or lack: owners, addresses, units. A CSV with the columns parcel,field,value,by,on,why;",
        "# docs/town-file.md has its fields, and notice prints the rows that would answer its warnings.",
        "# [corrections]",
        '# path = "corrections.csv"',
        "",
        "[clerk]                                # printed on letters, return labels, the packet's first page, the maps and the staff report",
        '# name = ""',
        '# title = "Town Clerk"',
        '# office = ""',
        '# address = ["", ""]',
        '# phone = ""',
        '# hours = ""',
        "",
        "# What letters and affidavits say of the board, and the picture on the letterhead.",
        "# [papers]",
        '# hearing_place = ""',
        '# hearing_time = "7:00 p.m."',
        '# county = ""                           # where affidavits are sworn',
        '# seal = "seal.png"                     # PNG, JPEG or SVG',
        "#",
        "# What postage costs, for the invoice where the applicant pays for the notices: docs/town-file.md has the table.",
        "# [postage]",
        '# file = "rates.toml"',
        "",
        "# [register]",
        '# url = "sqlite:///permits.sqlite"',
    ]


def as_comment(line: str) -> list[str]:
    """Break a long line that is all comment; another stays as it is."""
    if len(line) <= LINE or not line.startswith("# "):
        return [line]
    import textwrap

    return textwrap.wrap(
        line[2:], LINE - 4, initial_indent="# ", subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False
    )


def quoted(text: str) -> str:
    """Write a text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False)


def _relative(path: "Path", folder: "Path") -> str:
    """Write a path as from the folder; whole where there is no way from the one to the other (another drive of Windows)."""
    try:
        return os.path.relpath(path.resolve(), folder.resolve()).replace(os.sep, "/")
    except ValueError:
        return str(path.resolve()).replace(os.sep, "/")
