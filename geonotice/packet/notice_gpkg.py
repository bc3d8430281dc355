"""The notice as a GeoPackage with QGIS styles."""

import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from geonotice.errors import Fault, OutputError
from geonotice.io.gpkg import write_features
from geonotice.io.output_files import in_the_making
from geonotice.io.palette import PAINTS
from geonotice.io.qgis_styles import Classes, LayerStyle, add_styles
from geonotice.model import Notice
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.sentences import premises_with_situs
from geonotice.recipients import numbers_label, recipients_by_parcel

if TYPE_CHECKING:
    import pyarrow as pa
    from shapely.geometry.base import BaseGeometry


__all__ = [
    "Evidence",
    "NoticeShapes",
    "notice_gpkg",
]


class Evidence(Struct, frozen=True):
    """A line or point that shows why a parcel is on the list: ``kind`` says of what, ``id`` of which parcel."""

    kind: str
    id: str
    text: str
    geometry: "BaseGeometry"


class NoticeShapes(Struct, frozen=True):
    """The geometries of a notice, all in ``crs``, the town's.

    ``parcels`` are by fid; ``premises`` and ``near_misses`` by id. ``search_area`` is drawn only, never measured with.
    """

    crs: str
    premises: "Mapping[str, BaseGeometry]"
    parcels: "Mapping[int, BaseGeometry]"
    near_misses: "Mapping[str, BaseGeometry]" = {}
    search_area: "BaseGeometry | None" = None
    evidence: Sequence[Evidence] = ()


class _Layer(Struct, frozen=True):
    """A table to be written: columns of equal length, and a geometry for each row."""

    name: str
    columns: dict[str, list[Any]]
    geometries: list[Any]
    geometry_type: Literal["MultiPolygon", "Unknown"] = "MultiPolygon"


_RELATIONS = ("abutting", "corner", "opposite", "within", "common_land")
_SEE_THROUGH = 0.5
"""Fills let an aerial photograph be seen."""

_STYLES = {
    style.layer: style
    for style in (
        LayerStyle("premises", "fill", PAINTS["premises"], _SEE_THROUGH, label="id"),
        LayerStyle(
            "notice_parcels",
            "fill",
            Classes("relation", {relation: (PAINTS[relation], relation) for relation in _RELATIONS}),
            _SEE_THROUGH,
            label="map_label",
        ),
        LayerStyle("near_misses", "fill", PAINTS["near_miss"], _SEE_THROUGH, label="id"),
        LayerStyle("search_area", "fill", PAINTS["radius"]),
        LayerStyle("evidence", "line", PAINTS["extension"], label="kind"),
    )
}


def notice_gpkg(notice: Notice, shapes: NoticeShapes) -> bytes:
    """Write the GeoPackage and give its bytes: equal content for equal input, whatever the day.

    Raises
    ------
    OutputError
        A parcel of the notice has no geometry in ``shapes``; all are named. Or there is no room for it on the disk.
    """
    layers = _layers(notice, shapes)
    try:
        # Not only a temporary folder: one that a killed process leaves, with owners' names, goes with the next.
        with in_the_making(Path(tempfile.gettempdir()) / "notice.gpkg") as path:
            for layer in reversed(layers):  # QGIS lists the last one first
                _write(path, layer, crs=shapes.crs)
            _finish(path, layers, updated=f"{notice.on.isoformat()}T00:00:00.000Z")
            return path.read_bytes()
    except (OSError, RuntimeError, sqlite3.Error) as error:
        what = f"the GeoPackage of the notice cannot be made ({str(error)[:200]})"
        remedy = "make room on the disk for temporary files, and try again; nothing was written"
        raise OutputError(Fault(what=what, file=tempfile.gettempdir(), remedy=remedy)) from error


@paper(
    "notice.gpkg",
    purpose="The premises and the properties on the list for QGIS or ArcGIS, styled.",
    place=150,
    when=lambda context: context.shapes is not None,
)
def _gpkg_paper(context: PacketContext) -> bytes:
    if context.shapes is None:
        raise ValueError("the geometries of the notice are not at hand")
    return notice_gpkg(context.notice, context.shapes)


def _layers(notice: Notice, shapes: NoticeShapes) -> list[_Layer]:
    _check(notice, shapes)
    numbers = {id_: [one.number for one in those] for id_, those in recipients_by_parcel(notice.recipients).items()}
    owners: dict[str, list[str]] = {}
    for recipient in notice.recipients:
        if recipient.role in {"owner", "applicant"}:
            for number in recipient.parcels:
                owners.setdefault(number, []).append(" / ".join(recipient.names))
    listed, misses = notice.parcels, notice.near_misses
    layers = [
        _Layer(
            "premises",
            {
                "id": list(notice.premises),
                "situs": [situs for _, situs in premises_with_situs(notice)],
                "owner_names": ["; ".join(owners.get(number, ())) for number in notice.premises],
                "recipients": [_listed(numbers.get(number, ())) for number in notice.premises],
            },
            [shapes.premises[number] for number in notice.premises],
        ),
        _Layer(
            "notice_parcels",
            {
                "id": [parcel.id for parcel in listed],
                "swis": [parcel.swis for parcel in listed],
                "situs": [parcel.situs for parcel in listed],
                "owner_names": ["; ".join(owners.get(parcel.id, ())) for parcel in listed],
                "recipients": [_listed(numbers.get(parcel.id, ())) for parcel in listed],
                "map_label": [numbers_label(numbers.get(parcel.id, ())) or parcel.id for parcel in listed],
                "relation": [parcel.relation for parcel in listed],
                "also": [", ".join(parcel.also) for parcel in listed],
                "distance_ft": [round(parcel.distance_ft, 2) for parcel in listed],
                "shared_ft": [_feet(parcel.shared_ft) for parcel in listed],
                "opposite_ft": [_feet(parcel.opposite_ft) for parcel in listed],
                "across_ft": [_feet(parcel.across_ft) for parcel in listed],
                "rule": [parcel.rule for parcel in listed],
                "citation": [parcel.citation for parcel in listed],
                "review": [", ".join(parcel.review) for parcel in listed],
                "common_lots": [", ".join(parcel.common_lots) for parcel in listed],
                "reason": [parcel.reason for parcel in listed],
                "owners": [parcel.owners for parcel in listed],
                "residents": [parcel.residents for parcel in listed],
            },
            [shapes.parcels[parcel.fid] for parcel in listed],
        ),
        _Layer(
            "near_misses",
            {
                "id": [miss.id for miss in misses],
                "distance_ft": [round(miss.distance_ft, 2) for miss in misses],
                "reason": [miss.reason for miss in misses],
            },
            [shapes.near_misses[miss.id] for miss in misses],
        ),
    ]
    if shapes.search_area is not None:
        layers.append(_Layer("search_area", {"occasion": [notice.occasion]}, [shapes.search_area]))
    if shapes.evidence:
        found = shapes.evidence
        columns = {"kind": [one.kind for one in found], "id": [one.id for one in found], "text": [one.text for one in found]}
        layers.append(_Layer("evidence", columns, [one.geometry for one in found], "Unknown"))
    return layers


def _listed(numbers: Sequence[int]) -> str:
    """Write the numbers that recipients have on the list, each of them: a range would have to be taken apart again."""
    return ", ".join(map(str, numbers))


def _check(notice: Notice, shapes: NoticeShapes) -> None:
    missing = [number for number in notice.premises if number not in shapes.premises]
    missing += [parcel.id for parcel in notice.parcels if parcel.fid not in shapes.parcels]
    missing += [miss.id for miss in notice.near_misses if miss.id not in shapes.near_misses]
    if missing:
        raise OutputError(
            [
                Fault(
                    what="the parcel is on the notice but has no geometry to draw",
                    parcel=number,
                    remedy="import the layers again and repeat",
                )
                for number in missing
            ]
        )


def _write(path: Path, layer: _Layer, *, crs: str) -> None:
    import numpy as np
    import shapely

    geometries = shapely.force_2d(np.array(layer.geometries, dtype=object))
    columns = {name: _array(name, values) for name, values in layer.columns.items()}
    write_features(path, layer.name, geometries, columns, crs=crs, kind=layer.geometry_type, version="1.3")


def _array(name: str, values: list[Any]) -> "pa.Array":
    import pyarrow as pa

    if name.endswith("_ft"):
        return pa.array(values, pa.float64())
    return pa.array(values, pa.int32() if name in {"owners", "residents"} else pa.string())


def _feet(length_ft: float | None) -> float | None:
    """Return a length to 0.01 ft; what is not measured is NULL in the file."""
    return None if length_ft is None else round(length_ft, 2)


def _finish(path: Path, layers: list[_Layer], *, updated: str) -> None:
    """Add the styles, and the notice's own day in place of the clock."""
    with closing(sqlite3.connect(path)) as database, database:
        add_styles(database, [_STYLES[layer.name] for layer in layers], updated=updated)
        database.execute("UPDATE gpkg_contents SET last_change = ?", (updated,))
