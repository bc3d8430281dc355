"""The pre-flight look: which layers a source has, of which geometry, fields and CRS, before any feature is read.

It is fiona's work: it knows the widths of fields and the declared types that pyogrio does not tell. Where fiona is not installed (it has no wheel
for Python 3.14) or does not know the format, pyogrio looks.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, LayerError, UnreadableLayer
from geonotice.io.gdal_options import load_pyogrio
from geonotice.layers.formats.gdal import described, fiona_features, layer_names
from geonotice.layers.formats.json import refuse_other_json
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from geonotice.layers.formats.check_and_open import Source

__all__ = ["LayerLook", "choose", "look_at"]

_NO_FIONA = Note(
    "fiona_absent",
    "fiona is not installed (it has no release for this Python), so pyogrio looked at the layers; field widths are not known.",
)
_SERVICE_LAYERS = re.compile(r"^(GDB_|layer_styles$|gpkg_|T_\d+_DirtyAreas|T_\d+_PointErrors)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LayerLook:
    """One layer, as its source declares it.

    Parameters
    ----------
    name
        Its name in the source.
    geometry
        The declared type (``Polygon``, ``3D MultiPolygon``, ``Unknown`` where features may differ); empty for a table.
    count
        How many features; None where the format does not say without reading.
    crs
        As declared; None where it is not.
    fields
        Name and type of each, with the width where it is known (``str:80``).
    """

    name: str
    geometry: str
    count: int | None
    crs: str | None
    fields: tuple[tuple[str, str], ...]

    @property
    def is_table(self) -> bool:
        """Whether it has no geometry at all."""
        return not self.geometry

    @property
    def is_polygonal(self) -> bool:
        """Whether it is declared to hold polygons."""
        return "Polygon" in self.geometry or "Surface" in self.geometry

    def __str__(self) -> str:
        """Name it with its geometry and count, for a list to choose from."""
        many = "an unknown number of" if self.count is None else f"{self.count:,}"
        kind = {"": "table, {} rows", "Unknown": "geometry of any kind, {} features"}.get(
            self.geometry, f"{self.geometry}, {{}} features"
        )
        return f"{self.name} ({kind.format(many)})"


def look_at(source: "Source") -> tuple[tuple[LayerLook, ...], tuple[Note, ...]]:
    """List a source's layers.

    Raises
    ------
    UnreadableLayer
        It does not open, or has no layer.
    """
    load_pyogrio()
    from pyogrio.errors import DataLayerError, DataSourceError

    notes: tuple[Note, ...] = ()
    try:
        listed = [(name, kind) for name, kind in layer_names(source) if not _SERVICE_LAYERS.match(name)]
        infos = {name: described(source, name) for name, _ in listed}
    except (DataLayerError, DataSourceError, OSError, UnicodeDecodeError, NotImplementedError, RuntimeError) as error:
        if source.kind == "json":
            refuse_other_json(source.path, Path(source.dataset))
        raise does_not_open(source, error) from error
    if not listed:
        raise UnreadableLayer(Fault(what="there is no layer in it", remedy="export the layer again", file=str(source.path)))
    if source.kind == "kml":
        written, counted = source.records.get("kml", 0), sum(max(int(info["features"]), 0) for info in infos.values())
        if written != counted:
            raise _passed_over(source, written, counted)
    schemas, notes = _fiona_schemas(source, [name for name, _ in listed])
    looks = []
    for name, kind in listed:
        info = infos[name]
        schema = schemas.get(name)
        plain = tuple((str(field), str(kind_of)) for field, kind_of in zip(info["fields"], info["dtypes"], strict=True))
        geometry = "" if kind is None or source.kind in {"dbf", "ods"} else str(schema["geometry"] if schema else kind)
        if geometry in {"None", "Geometry"}:
            geometry = "Unknown" if kind is not None else ""
        fields = tuple((field, schema["properties"].get(field, kind_of)) for field, kind_of in plain) if schema else plain
        count = int(info["features"])
        looks.append(
            LayerLook(
                name=name, geometry=geometry, count=count if count >= 0 else None, crs=usable_crs(info["crs"]), fields=fields
            )
        )
    return tuple(looks), notes


def _passed_over(source: "Source", written: int, counted: int) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(
            what=f"there are {written:,} placemarks or shapes in the file, and {counted:,} of them could be read",
            why="the owners of the others would be left off every list",
            remedy="export it again; GDAL reads shapes only inside elements that are spelled <Placemark>",
            file=str(source.path),
        )
    )


def usable_crs(crs: str | None) -> str | None:
    """Return a declared CRS; None for GeoPackage's "undefined", which GDAL gives as a local CRS without a place."""
    return None if not crs or crs.startswith(("LOCAL_CS", "ENGCRS")) else crs


def _fiona_schemas(source: "Source", names: list[str]) -> tuple[dict[str, dict[str, Any]], tuple[Note, ...]]:
    try:
        import fiona
    except ImportError:
        return {}, (_NO_FIONA,)
    del fiona
    from fiona.errors import FionaError
    from fiona.errors import FionaValueError as ValueFault

    schemas: dict[str, dict[str, Any]] = {}
    for name in names:
        try:
            with fiona_features(source, name) as features:
                schemas[name] = {"geometry": features.schema["geometry"], "properties": dict(features.schema["properties"])}
        except (FionaError, ValueFault, ValueError, TypeError, OSError, UnicodeError):
            continue  # an older GDAL than pyogrio's: what it does not open, pyogrio has looked at
    return schemas, ()


def choose(looks: tuple[LayerLook, ...], wanted: str | None, path: "Path") -> tuple[LayerLook, tuple[Note, ...]]:
    """Choose the layer that is meant: the one named, the only one, or the only one of polygons.

    Raises
    ------
    LayerError
        None has that name, or several could be meant; all are listed.
    """
    if wanted is not None:
        found = next((look for look in looks if look.name == wanted), None)
        found = found or next((look for look in looks if look.name.casefold() == wanted.casefold()), None)
        if found is not None:
            return found, ()
        raise LayerError(
            Fault(
                what="there is no layer of that name",
                remedy=f"name one of: {'; '.join(map(str, looks))}",
                file=str(path),
                layer=wanted,
            )
        )
    if len(looks) == 1:
        return looks[0], ()
    polygons = [look for look in looks if look.is_polygonal]
    if len(polygons) == 1:
        others = ", ".join(look.name for look in looks if look is not polygons[0])
        text = f"Of its {len(looks)} layers, {polygons[0].name} was taken, the only one of polygons (others: {others})."
        return polygons[0], (Note("layer_chosen", text),)
    raise LayerError(
        Fault(
            what=f"there are {len(looks)} layers in it: {'; '.join(map(str, looks))}",
            remedy='name the one that is meant (layer = "..." in the town file)',
            file=str(path),
        )
    )


def does_not_open(source: "Source", error: Exception) -> UnreadableLayer:
    """Make the error for a source that GDAL does not open, in GDAL's words without its advice to programmers."""
    said = re.split(r"; It might help| Set SHAPE_RESTORE_SHX", str(error))[0]
    for written in (source.dataset, str(source.path)):
        said = said.replace(f"'{written}' ", "the file is ").replace(written, source.path.name)
    said = said.replace("/vsizip/", "").strip().rstrip(".;")
    if "not recognized as being in a supported file format" in said:
        said = "it is in no format that is known, or damaged"
    if isinstance(error, UnicodeDecodeError):
        said = "the names of its columns are not in UTF-8"
    return UnreadableLayer(
        Fault(
            what=f"the file does not open: {said}",
            remedy="export it again from the program that made it, as GeoPackage or shapefile",
            file=str(source.path),
        )
    )
