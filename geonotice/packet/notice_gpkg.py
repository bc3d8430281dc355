"""The notice as a GeoPackage with QGIS styles."""

import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.sax.saxutils import quoteattr

from geonotice.errors import Fault, OutputError
from geonotice.io.output_files import in_the_making
from geonotice.model import Notice
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.sentences import premises_with_situs
from geonotice.recipients import numbers_label, recipients_by_parcel

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


__all__ = [
    "STYLES_TABLE",
    "Evidence",
    "Look",
    "NoticeShapes",
    "notice_gpkg",
    "qml",
    "style_row",
]


STYLES_TABLE = """
CREATE TABLE layer_styles (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256),
  f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30),
  ui TEXT(30), update_time DATETIME
)
"""
"""The table as QGIS creates it."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one kind of feature is drawn: fill and outline as ``r,g,b,a``, the outline's width in millimetres."""

    fill: str
    outline: str
    width_mm: float = 0.4
    dashed: bool = False


def qml(
    shape: Literal["fill", "line", "marker"],
    looks: Mapping[str, Look],
    *,
    attribute: str = "",
    label: str = "",
) -> str:
    """Write a style: one look for all, or one for each value of ``attribute``; ``label`` is the field that names a feature on the map."""
    symbols = "".join(_symbol(number, shape, look) for number, look in enumerate(looks.values()))
    if attribute:
        categories = "".join(
            f'<category symbol="{number}" value={quoteattr(value)} label={quoteattr(value)} render="true" type="string"/>'
            for number, value in enumerate(looks)
        )
        renderer = f'<renderer-v2 type="categorizedSymbol" attr={quoteattr(attribute)}><categories>{categories}</categories><symbols>{symbols}</symbols></renderer-v2>'
    else:
        renderer = f'<renderer-v2 type="singleSymbol"><symbols>{symbols}</symbols></renderer-v2>'
    labeling = ""
    if label:
        labeling = (
            f'<labeling type="simple"><settings><text-style fieldName={quoteattr(label)} fontSize="8" textColor="40,40,40,255"/>'
            "</settings></labeling>"
        )
    return (
        '<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">'
        f'<qgis version="3.22" styleCategories="Symbology|Labeling" labelsEnabled="{int(bool(label))}">{renderer}{labeling}</qgis>'
    )


def _symbol(number: int, shape: str, look: Look) -> str:
    line = "dash" if look.dashed else "solid"
    layer, properties = {
        "fill": ("SimpleFill", {"color": look.fill, "outline_color": look.outline, "outline_width": f"{look.width_mm}", "outline_style": line, "style": "solid"}),
        "line": ("SimpleLine", {"line_color": look.outline, "line_width": f"{look.width_mm}", "line_style": line}),
        "marker": ("SimpleMarker", {"color": look.fill, "outline_color": look.outline, "size": "2.5", "name": "circle"}),
    }[shape]  # fmt: skip
    options = "".join(f'<Option name="{name}" type="QString" value="{value}"/>' for name, value in properties.items())
    older = "".join(f'<prop k="{name}" v="{value}"/>' for name, value in properties.items())  # QGIS before 3.18 reads these
    return f'<symbol name="{number}" type="{shape}" alpha="1"><layer class="{layer}" enabled="1" pass="0"><Option type="Map">{options}</Option>{older}</layer></symbol>'


def style_row(layer: str, style: str, *, updated: str) -> Sequence[object]:
    """Return a row of the table for a layer whose geometry column is ``geom``."""
    return (None, "", "", layer, "geom", layer, style, "", 1, "", "", "", updated)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line or point that shows why a parcel is on the list: ``kind`` says of what, ``id`` of which parcel."""

    kind: str
    id: str
    text: str
    geometry: "BaseGeometry"


@dataclass(frozen=True, slots=True)
class NoticeShapes:
    """The geometries of a notice, all in ``crs``, the town's.

    ``parcels`` are by fid; ``premises`` and ``near_misses`` by id. ``search_area`` is drawn only, never measured with.
    """

    crs: str
    premises: "Mapping[str, BaseGeometry]"
    parcels: "Mapping[int, BaseGeometry]"
    near_misses: "Mapping[str, BaseGeometry]" = field(default_factory=dict)
    search_area: "BaseGeometry | None" = None
    evidence: Sequence[Evidence] = ()


@dataclass(frozen=True, slots=True)
class _Layer:
    """A table to be written: columns of equal length, and a geometry for each row."""

    name: str
    columns: dict[str, list[Any]]
    geometries: list[Any]
    style: str
    geometry_type: Literal["MultiPolygon", "Unknown"] = "MultiPolygon"


_GREY = "90,90,90,255"
_STYLES = {
    "premises": qml("fill", {"premises": Look("214,69,65,110", "150,20,20,255", 0.8)}, label="id"),
    "notice_parcels": qml(
        "fill",
        {
            "abutting": Look("230,145,56,130", _GREY),
            "corner": Look("244,204,120,130", _GREY),
            "opposite": Look("106,168,140,130", _GREY),
            "within": Look("111,168,220,110", _GREY),
            "common_land": Look("106,61,138,110", _GREY),
        },
        attribute="relation",
        label="map_label",
    ),
    "near_misses": qml("fill", {"near_misses": Look("200,200,200,60", "130,130,130,255", 0.3, dashed=True)}, label="id"),
    "search_area": qml("fill", {"search_area": Look("0,0,0,0", "150,20,20,255", 0.5, dashed=True)}),
    "evidence": qml("line", {"evidence": Look("180,30,130,255", "180,30,130,255", 0.5)}, label="kind"),
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
    except (OSError, RuntimeError, sqlite3.Error) as error:  # pyogrio's errors are RuntimeErrors
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
            _STYLES["premises"],
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
            _STYLES["notice_parcels"],
        ),
        _Layer(
            "near_misses",
            {
                "id": [miss.id for miss in misses],
                "distance_ft": [round(miss.distance_ft, 2) for miss in misses],
                "reason": [miss.reason for miss in misses],
            },
            [shapes.near_misses[miss.id] for miss in misses],
            _STYLES["near_misses"],
        ),
    ]
    if shapes.search_area is not None:
        layers.append(_Layer("search_area", {"occasion": [notice.occasion]}, [shapes.search_area], _STYLES["search_area"]))
    if shapes.evidence:
        found = shapes.evidence
        columns = {"kind": [one.kind for one in found], "id": [one.id for one in found], "text": [one.text for one in found]}
        layers.append(_Layer("evidence", columns, [one.geometry for one in found], _STYLES["evidence"], "Unknown"))
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
    import pyogrio.raw
    import shapely

    geometries = np.array(layer.geometries, dtype=object)
    if layer.geometry_type == "MultiPolygon":
        made = [shapely.MultiPolygon([shape]) if shape.geom_type == "Polygon" else shape for shape in geometries]
        geometries = np.array(made, dtype=object)
    pyogrio.raw.write(
        path,
        np.array(shapely.to_wkb(shapely.force_2d(geometries)), dtype=object) if len(geometries) else np.array([], dtype=object),
        [_array(name, values) for name, values in layer.columns.items()],
        list(layer.columns),
        layer=layer.name,
        driver="GPKG",
        geometry_type=layer.geometry_type,
        crs=crs,
        dataset_options={"VERSION": "1.3"} if not path.exists() else None,
        layer_options={"GEOMETRY_NAME": "geom"},
    )


def _array(name: str, values: list[Any]) -> Any:  # noqa: ANN401  # a numpy array, whose type is not loaded here
    import numpy as np

    if name.endswith("_ft"):
        return np.array(values, dtype=np.float64)
    return np.array(values, dtype=np.int32 if name in {"owners", "residents"} else object)


def _feet(length_ft: float | None) -> float:
    """Return a length to 0.01 ft; what is not measured is NaN, which the file holds as NULL."""
    return float("nan") if length_ft is None else round(length_ft, 2)


def _finish(path: Path, layers: list[_Layer], *, updated: str) -> None:
    """Add the styles, and the notice's own day in place of the clock."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(STYLES_TABLE)
        database.executemany(
            f"INSERT INTO layer_styles VALUES ({', '.join('?' * 13)})",  # noqa: S608  # marks only
            [style_row(layer.name, layer.style, updated=updated) for layer in layers],
        )
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change)"
            " VALUES ('layer_styles', 'attributes', 'layer_styles', '', ?)",
            (updated,),
        )
        database.execute("UPDATE gpkg_contents SET last_change = ?", (updated,))
