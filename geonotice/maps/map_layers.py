"""Folium layers from geometries: rounded, packed, styled, and labelled."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct, field

from geonotice.errors import Fault, OutputError
from geonotice.maps.page import layer_title, script_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import folium
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.map_data import MapFeature
    from geonotice.maps.map_styles import Look


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

    def lonlat(self, geometry: "BaseGeometry", *, what: str) -> "BaseGeometry":
        """Return the geometry in rounded degrees; refuse one that lies where its CRS does not reach.

        Raises
        ------
        OutputError
            It does not; ``what`` names it.
        """
        moved = shapely.transform(geometry, self._degrees)
        if not np.isfinite(shapely.get_coordinates(moved)).all():
            raise _outside(what, "lies")
        return moved

    def lonlat_all(self, geometries: "Sequence[BaseGeometry] | NDArray[Any]", *, what: str) -> "NDArray[Any]":
        """Return many geometries at once, as :meth:`lonlat` gives one; ``what`` names them together."""
        moved = shapely.transform(np.asarray(geometries, dtype=object), self._degrees)
        if not np.isfinite(shapely.get_coordinates(moved)).all():
            raise _outside(what, "lie")
        return np.asarray(moved)

    def feature(self, number: int, geometry: "BaseGeometry", *, what: str) -> dict[str, Any]:
        """Return a GeoJSON feature that carries its number and nothing else: words never travel in a layer's data."""
        return {
            "type": "Feature",
            "id": number,
            "properties": {},
            "geometry": shapely.geometry.mapping(self.lonlat(geometry, what=what)),
        }

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

    def point(self, geometry: "BaseGeometry") -> list[float]:
        """Return ``[latitude, longitude]`` of a point inside the geometry, for a label."""
        (place,) = self.points(shapely.get_coordinates(shapely.point_on_surface(geometry)))
        return place

    def points(self, places: "Sequence[NDArray[np.float64]] | NDArray[np.float64]") -> list[list[float]]:
        """Return ``[latitude, longitude]`` of points, given as the town's coordinates."""
        return [[latitude, longitude] for longitude, latitude in self._degrees(np.asarray(places)).tolist()]

    def bounds(self, geometries: "Iterable[BaseGeometry]") -> list[list[float]] | None:
        """Return ``[[south, west], [north, east]]`` of all geometries together; None where there are none."""
        boxes = [shapely.box(*one.bounds) for one in geometries if not shapely.is_empty(one)]
        if not boxes:
            return None
        west, south, east, north = shapely.transform(shapely.box(*shapely.total_bounds(boxes)), self._degrees).bounds
        return [[float(south), float(west)], [float(north), float(east)]]

    def _degrees(self, points: "NDArray[np.float64]") -> "NDArray[np.float64]":
        longitude, latitude = self._transformer.transform(points[:, 0], points[:, 1])
        return np.round(np.column_stack([longitude, latitude]), self._decimals)


def _outside(what: str, verb: str) -> OutputError:
    return OutputError(
        Fault(
            what=f"{what} {verb} outside the area of the coordinate system",
            remedy="check the layer's coordinate system with geonotice inspect",
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


FOOT_M = 1200 / 3937
"""Metres in a US survey foot."""

PANES = {
    "ground": 205, "context": 210, "municipal": 215, "ways": 220, "near": 230, "notified": 240, "premises": 250,
    "ring": 255, "evidence": 260, "labels": 590,
}  # fmt: skip
"""What lies over what, whatever the order in which layers are switched on."""

LABEL_KINDS = {"municipalities": "town", "zoning": "district", "water": "water"}
PACKED_SMOOTH_PX = 0.5
MOST_OF_VIEW = 0.6
STREET_REACH_FT = 60.0
"""Along a street to both sides of its label: the stretch that gives the label its direction."""

LABEL_SHAPES = (8.0, 4.0, 2.0, 1.0)
"""Width to height of what labels are: a long number in one line, a short one, one in two or three lines, the number of a row."""
_SPOT_SHARES = (0.15, -0.15, 0.3, -0.3)
"""Where else in its lot a label may stand, as parts of the lot's length from its middle."""
_SPOT_INSIDE_FT = 3.0
"""Not on the lot line itself, where the label could be taken for the neighbour's."""
_RING_OF_FOUR = 5
"""Corners of a closed ring with four sides."""
ENDLESS_M = 1e6
"""Room across a line for the label along it: there is always enough."""

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

        features = [self.projector.feature(number, geometry, what=what) for number, geometry, what in shapes]
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

    def label(
        self, geometry: "BaseGeometry", text: str, kind: str, *, of: str, always: bool = False, first: str = "", short: str = ""
    ) -> None:
        """Add a label.

        Parameters
        ----------
        geometry, text, kind
            What is labelled, with what, and in which of the page's styles.
        of
            The layer with which the label is shown and hidden.
        always
            Show it even where its feature has no room for it.
        first
            What stands above the text, and alone where there is no room for both.
        short
            What to show where there is no room for anything else.
        """
        inside = self.seen(geometry)
        made: dict[str, Any] = {"text": text, "kind": kind, "of": of}
        made |= {name: words for name, words in {"first": first, "short": short}.items() if words}
        middle = shapely.get_coordinates(shapely.point_on_surface(inside))[0]
        spots: list[list[float]] = []
        if inside.area or not inside.length:
            others = _spots(inside, middle) if short and inside.area else []
            at, *spots = self.projector.points([middle, *others])
            made |= {"at": at, "room": _room(inside, middle)}
        else:
            made |= self._along(inside)
        if always or not inside.length:
            made.pop("room")
        if spots:
            made["spots"] = spots
        self.data["labels"].append(made)

    def label_features(self, kind: str, features: "Sequence[MapFeature]") -> None:
        """Label a background layer's features; not the municipality that covers most of the view: it is the one the title names."""
        for feature in features:
            inside = shapely.intersection(feature.geometry, self.view).area if kind == "municipalities" else 0.0
            if feature.label and inside <= MOST_OF_VIEW * self.view.area:
                self.label(feature.geometry, feature.label, LABEL_KINDS.get(kind, "street"), of=kind)

    def seen(self, geometry: "BaseGeometry") -> "BaseGeometry":
        """Return the largest part of a geometry inside the view, so that the label of a large farm stands where one looks."""
        inside = shapely.intersection(geometry, self.view)
        parts = [part for part in shapely.get_parts(inside) if part.area or part.length]
        return max(parts, key=lambda part: (part.area, part.length)) if parts else geometry

    def _along(self, line: "BaseGeometry") -> dict[str, Any]:
        """Place a label at the middle of a line's longest part, along it, never upside down."""
        longest = max(shapely.get_parts(line), key=lambda part: part.length)
        middle = longest.length / 2
        reach = min(middle, STREET_REACH_FT)
        start, end = (shapely.line_interpolate_point(longest, middle + step) for step in (-reach, reach))
        angle = -math.degrees(math.atan2(end.y - start.y, end.x - start.x))  # the screen's y runs down
        return {
            "at": self.projector.point(shapely.line_interpolate_point(longest, middle)),
            "angle": round((angle + 90) % 180 - 90),
            "room": [[round(longest.length * FOOT_M, 1), ENDLESS_M]],
        }


def _spots(geometry: "BaseGeometry", middle: "NDArray[np.float64]") -> "list[NDArray[np.float64]]":
    """Return places in a lot, along its longer side, where its label may stand if its neighbours' labels leave no room in the middle."""
    corners = shapely.get_coordinates(shapely.oriented_envelope(geometry))
    if len(corners) < _RING_OF_FOUR:  # no area: the envelope is a line
        return []
    longer = max(corners[1] - corners[0], corners[2] - corners[1], key=np.linalg.norm)
    inner = geometry.buffer(-_SPOT_INSIDE_FT)
    spots = middle + np.array(_SPOT_SHARES)[:, None] * longer
    return [*spots[shapely.contains(inner, shapely.points(spots))]]


def _room(geometry: "BaseGeometry", place: "NDArray[np.float64]") -> list[list[float]]:
    """Return widths and heights in metres of upright boxes round the label's place that lie inside the geometry: what a label has room for.

    One box for each of the shapes that labels have, from one long line to a bare number: the largest that fits.
    """
    corners, ring = shapely.get_coordinates(shapely.get_rings(shapely.get_parts(geometry)), return_index=True)
    along = ring[:-1] == ring[1:]  # not from the last corner of one ring to the first of the next
    halves = [0.0] * len(LABEL_SHAPES)
    if along.any():
        # All shapes at once: a box of one shape is a square where the axis is squeezed.
        squeezed = (corners - place) / np.array([[[shape, 1.0]] for shape in LABEL_SHAPES])
        start, end = squeezed[:, :-1][:, along], squeezed[:, 1:][:, along]
        least = _square_reach(start.reshape(-1, 2), end.reshape(-1, 2)).reshape(len(LABEL_SHAPES), -1)
        halves = least.min(axis=1).tolist()
    return [
        [round(2 * half * shape * FOOT_M, 1), round(2 * half * FOOT_M, 1)]
        for half, shape in zip(halves, LABEL_SHAPES, strict=True)
    ]


def _square_reach(start: "NDArray[np.float64]", end: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return for each segment half the side of the largest upright square round the origin that it does not enter."""
    step = end - start
    # A square grows against a segment at one of its ends, at an axis, or where one of its own corners meets it.
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.stack(
            [
                np.zeros(len(start)),
                np.ones(len(start)),
                -start[:, 0] / step[:, 0],
                -start[:, 1] / step[:, 1],
                -(start[:, 0] - start[:, 1]) / (step[:, 0] - step[:, 1]),
                -(start[:, 0] + start[:, 1]) / (step[:, 0] + step[:, 1]),
            ]
        )
    share = np.where((places >= 0) & (places <= 1), places, 0.0)[..., None]
    least: NDArray[np.float64] = np.abs(start + share * step).max(axis=2).min(axis=0)
    return least
