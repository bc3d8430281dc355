"""Folium layers from geometries: rounded, packed, styled, and labelled."""

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct, field

from geonotice.errors import Fault, OutputError
from geonotice.maps.label_places import Label, place_labels, seen_parts
from geonotice.maps.page import layer_title, script_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import folium
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.map_data import MapFeature
    from geonotice.maps.titles_and_badges import Look


__all__ = [
    "LABEL_KINDS",
    "STEPS_PER_DEGREE",
    "Projector",
    "Shape",
    "Sheet",
    "pack",
    "refuse_empty",
]


STEPS_PER_DEGREE = 1_000_000
_LINES, _POLYGONS, _POINTS = 0, 1, 2


def pack(geometries: "Sequence[BaseGeometry] | NDArray[Any]", projector: "Projector", *, what: str) -> dict[str, Any]:
    """Pack geometries of any kind.

    Parameters
    ----------
    geometries
        In the projector's CRS; an empty one keeps its place and draws nothing.
    projector
        From the town's CRS.
    what
        What an error calls them.

    Returns
    -------
        ``origin`` ``[x, y]`` in steps and ``shapes``, one for each geometry: ``[kind, parts]``, kind 0 lines, 1 polygons, 2 points. A part
        is a row ``[x, y, dx, dy, …]``, of a polygon a list of such rows, the outer ring first.
    """
    moved = projector.lonlat_all(geometries, what=what)
    west, south = (0.0, 0.0) if shapely.is_empty(moved).all() else shapely.total_bounds(moved)[:2]
    origin = np.rint(np.array([west, south]) * STEPS_PER_DEGREE).astype(np.int64)
    return {"origin": origin.tolist(), "shapes": [_shape(geometry, origin) for geometry in moved]}


def _shape(geometry: "BaseGeometry", origin: "NDArray[np.int64]") -> list[Any]:
    parts = [part for part in shapely.get_parts(geometry) if not shapely.is_empty(part)]
    if parts and parts[0].geom_type == "Polygon":
        return [
            _POLYGONS,
            [[_row(ring, origin) for ring in (part.exterior, *part.interiors)] for part in parts if part.geom_type == "Polygon"],
        ]
    if parts and parts[0].geom_type == "Point":
        return [_POINTS, [_row(part, origin) for part in parts]]
    return [_LINES, [_row(part, origin) for part in parts]]


def _row(line: "BaseGeometry", origin: "NDArray[np.int64]") -> list[int]:
    steps = np.rint(shapely.get_coordinates(line) * STEPS_PER_DEGREE).astype(np.int64) - origin
    change = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    moves = np.asarray(change.any(axis=1))
    moves[0] = True  # the first corner counts, even where it lies on the origin
    flat: list[int] = change[moves].ravel().tolist()
    return flat


DECIMALS = 7
"""Of a degree: 0.04 ft on the ground, finer than any lot line is surveyed for a tax map."""


class Projector:
    """Reprojects geometries of one CRS to longitude and latitude.

    Parameters
    ----------
    crs
        The CRS of the geometries, as pyproj reads it. North American datums are taken to coincide with WGS 84, as web maps take
        them: the picture moves by a metre or two, all of it alike.
    decimals
        Of the degrees.
    """

    def __init__(self, crs: str, *, decimals: int = DECIMALS) -> None:
        from pyproj import Transformer

        self._decimals = decimals
        self._transformer = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)

    def lonlat_all(self, geometries: "Sequence[BaseGeometry] | NDArray[Any]", *, what: str) -> "NDArray[Any]":
        """Return geometries in rounded degrees; refuse any that lies where their CRS does not reach.

        Raises
        ------
        OutputError
            One does not; ``what`` names them together.
        """
        moved = shapely.transform(np.asarray(geometries, dtype=object), self._degrees)
        if not np.isfinite(shapely.get_coordinates(moved)).all():
            raise _outside(what, "lie")
        return np.asarray(moved)

    def features(self, shapes: "Sequence[Shape]") -> list[dict[str, Any]]:
        """Return GeoJSON features that carry their numbers and nothing else: words never travel in a layer's data.

        Raises
        ------
        OutputError
            A shape lies where its CRS does not reach; it is named.
        """
        moved = shapely.transform(np.array([*(geometry for _, geometry, _ in shapes), None], dtype=object)[:-1], self._degrees)
        corners, whose = shapely.get_coordinates(moved, return_index=True)
        outside = whose[~np.isfinite(corners).all(axis=1)]
        if len(outside):
            raise _outside(shapes[outside[0]][2], "lies")
        return [
            {"type": "Feature", "id": number, "properties": {}, "geometry": geometry}
            for (number, _, _), geometry in zip(shapes, _geojson(moved), strict=True)
        ]

    def places(self, points: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return longitude and latitude of many points at once, an array of shape (n, 2) as the one given.

        Raises
        ------
        OutputError
            A point lies where the CRS does not reach.
        """
        moved = self._degrees(points)
        if not np.isfinite(moved).all():
            raise _outside("some parcels", "lie")
        return moved

    def points_inside(self, geometries: "Sequence[BaseGeometry] | NDArray[Any]") -> list[list[float]]:
        """Return ``[latitude, longitude]`` of a point inside each geometry, for a label."""
        inside = shapely.point_on_surface(np.array([*geometries, None], dtype=object)[:-1])
        return self.points(shapely.get_coordinates(inside))

    def points(self, places: "Sequence[NDArray[np.float64]] | NDArray[np.float64]") -> list[list[float]]:
        """Return ``[latitude, longitude]`` of points, given as the town's coordinates."""
        return [[latitude, longitude] for longitude, latitude in self._degrees(np.asarray(places).reshape(-1, 2)).tolist()]

    def bounds(self, geometries: "Iterable[BaseGeometry]") -> list[list[float]] | None:
        """Return ``[[south, west], [north, east]]`` of all geometries together; None where there are none."""
        boxes = [shapely.box(*one.bounds) for one in geometries if not shapely.is_empty(one)]
        if not boxes:
            return None
        west, south, east, north = shapely.transform(shapely.box(*shapely.total_bounds(boxes)), self._degrees).bounds
        return [[float(south), float(west)], [float(north), float(east)]]

    def _degrees(self, points: "NDArray[np.float64]") -> "NDArray[np.float64]":
        if not len(points):
            return np.empty((0, 2))
        longitude, latitude = self._transformer.transform(points[:, 0], points[:, 1])
        return np.round(np.column_stack([longitude, latitude]), self._decimals)


def _geojson(moved: "NDArray[Any]") -> list[dict[str, Any]]:
    """Return geometries as GeoJSON has them; polygons of one ring, which most are, all at once."""
    simple = (shapely.get_type_id(moved) == shapely.GeometryType.POLYGON) & (shapely.get_num_interior_rings(moved) == 0)
    corners = iter(shapely.get_coordinates(moved[simple]).tolist())
    many = iter(shapely.get_num_coordinates(moved[simple]).tolist())
    return [
        {"type": "Polygon", "coordinates": [[*islice(corners, next(many))]]} if one_ring else shapely.geometry.mapping(geometry)
        for geometry, one_ring in zip(moved, simple.tolist(), strict=True)
    ]


def _outside(what: str, verb: str) -> OutputError:
    return OutputError(
        Fault(
            what=f"{what} {verb} outside the area of the coordinate system",
            remedy="check the layer's coordinate system",
            command="check the layer's coordinate system with geonotice inspect",
        )
    )


def refuse_empty(geometries: "Iterable[tuple[str, BaseGeometry]]") -> None:
    """Refuse to draw a map of which part has no geometry, naming all such parts at once.

    Raises
    ------
    OutputError
        Some geometry is missing or empty.
    """
    faults = [
        Fault(
            what=f"{what} has no geometry",
            why="a map that leaves it out would look complete",
            remedy="import the layer again and look into its problems table",
        )
        for what, geometry in geometries
        if geometry is None or shapely.is_empty(geometry)
    ]
    if faults:
        raise OutputError(faults)


PANES = {
    "ground": 205, "context": 210, "municipal": 215, "ways": 220, "near": 230, "notified": 240, "premises": 250,
    "ring": 255, "evidence": 260, "labels": 590,
}  # fmt: skip
"""What lies over what, whatever the order in which layers are switched on."""

LABEL_KINDS = {"municipalities": "town", "zoning": "district", "water": "water"}
PACKED_SMOOTH_PX = 0.5
MOST_OF_VIEW = 0.6

Shape = tuple[int, "BaseGeometry", str]
"""Number, geometry, and what an error calls it; the number leads to the words in the page's data."""


class Sheet(Struct):
    """A map in the making: what its parts add to.

    Parameters
    ----------
    map_
        The folium map.
    projector
        From the town's CRS.
    view
        What the map opens on, in the town's CRS.
    data
        What the page's script gets; words are here only.
    names
        The layers' names in the script, by group and kind.
    """

    map_: "folium.Map"
    projector: "Projector"
    view: "BaseGeometry"
    data: dict[str, Any] = field(default_factory=lambda: {"others": {}, "labels": []})
    names: dict[str, dict[str, str]] = field(default_factory=lambda: {"parcels": {}, "others": {}})

    def __post_init__(self) -> None:
        """Make the panes; the labels let clicks through."""
        import folium

        for name, height in PANES.items():
            self.map_.add_child(folium.map.CustomPane(name, z_index=height, pointer_events=name != "labels"))
        self.data["home"] = self.projector.bounds([self.view])

    def add(
        self,
        group: str,
        kind: str,
        look: "Look",
        shapes: "Sequence[Shape]",
        *,
        pane: str,
        title: str = "",
        styles: "dict[int, dict[str, Any]] | None" = None,
    ) -> None:
        """Add one layer.

        Parameters
        ----------
        group, kind
            Where the page's script finds it.
        look
            How it is drawn.
        shapes
            What is drawn.
        pane
            One of :data:`PANES`.
        title
            The layer's name, in place of the look's.
        styles
            Path options of single features, by number.
        """
        import folium

        features = self.projector.features(shapes)
        base = look.style()
        own = styles or {}
        layer = folium.GeoJson(
            {"type": "FeatureCollection", "features": features},
            name=layer_title(look, len(features), title=title),
            style_function=lambda feature: {**base, **own.get(feature["id"], {})},
            marker=folium.CircleMarker(radius=6, pane=pane),
            smooth_factor=0,  # nothing is smoothed that a finding rests on
            pane=pane,
        )
        self.map_.add_child(layer)
        self.names[group][kind] = str(layer.get_name())

    def add_packed(
        self,
        kind: str,
        look: "Look",
        geometries: "Sequence[BaseGeometry] | NDArray[Any]",
        *,
        pane: str,
        title: str = "",
        count: int | None = None,
        fills: "Sequence[str]" = (),
    ) -> None:
        """Add a layer for orientation, of any number of shapes: they travel packed (:mod:`geonotice.maps.map_layers`).

        Parameters
        ----------
        kind
            Where the page's script finds it, in the group ``others``.
        look
            How it is drawn.
        geometries
            What is drawn; their places lead to their words.
        pane
            One of :data:`PANES`.
        title
            The layer's name, in place of the look's.
        count
            How many the legend says there are; by default the number of geometries.
        fills
            The fill of each, in place of the look's.
        """
        import folium

        style = script_json(look.style())
        own = f"{script_json(list(fills))}[feature.id]"
        code = (
            f"function (feature) {{ return Object.assign({style}, {{fillColor: {own}}}); }}"
            if fills
            else f"function () {{ return {style}; }}"
        )
        layer = folium.GeoJson(
            {"type": "FeatureCollection", "features": []},
            name=layer_title(look, len(geometries) if count is None else count, title=title),
            smooth_factor=PACKED_SMOOTH_PX,
            pane=pane,
            style=folium.JsCode(code),
        )
        self.map_.add_child(layer)
        self.names["others"][kind] = str(layer.get_name())
        packed = pack(geometries, self.projector, what=look.title.lower())
        self.data.setdefault("packed", {})[kind] = packed
        self.data["others"].setdefault(kind, [])

    def add_features(
        self,
        kind: str,
        look: "Look",
        features: "Sequence[MapFeature]",
        *,
        pane: str,
        styles: "dict[int, dict[str, Any]] | None" = None,
    ) -> None:
        """Add a background layer with its words and labels."""
        shapes = [(n, feature.geometry, f"{look.title.lower()}: {feature.label or n + 1}") for n, feature in enumerate(features)]
        self.add("others", kind, look, shapes, pane=pane, styles=styles)
        self.data["others"][kind] = [[feature.label, feature.detail] for feature in features]
        self.label_features(kind, features)

    def label(self, *labels: Label) -> None:
        """Add labels; many at once are placed much quicker than one by one."""
        self.data["labels"] += place_labels(labels, self.view, self.projector)

    def label_features(self, kind: str, features: "Sequence[MapFeature]") -> None:
        """Label a background layer's features; not the municipality that covers most of the view: it is the one the title names."""
        style = LABEL_KINDS.get(kind, "street")
        most = MOST_OF_VIEW * self.view.area
        self.label(
            *(
                Label(geometry=feature.geometry, text=feature.label, kind=style, of=kind)
                for feature in features
                if feature.label and (kind != "municipalities" or shapely.intersection(feature.geometry, self.view).area <= most)
            )
        )

    def points_seen(self, geometries: "Sequence[BaseGeometry]") -> list[list[float]]:
        """Return ``[latitude, longitude]`` of a point in the largest part of each geometry inside the view."""
        return self.projector.points_inside(seen_parts(geometries, self.view))
