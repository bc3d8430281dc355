"""A toy street for the map tests: premises, a neighbour, one across the street, one down the street, a near miss."""

import shapely

from geonotice.model import Caution
from geonotice.webmap import EvidenceLine, MapFeature, MapLayers, MapNotice, MapParcel

CRS = "EPSG:2261"  # New York Central, US survey feet
WEST, SOUTH = 620_000.0, 970_000.0  # about Italy, N.Y.


def lot(column: int, row: int = 0, *, wide: float = 100.0, deep: float = 200.0) -> shapely.Polygon:
    """Give a lot of a street grid: 100 by 200 ft, rows 260 ft apart."""
    return shapely.box(WEST + column * wide, SOUTH + row * 260, WEST + (column + 1) * wide, SOUTH + row * 260 + deep)


def toy(words: tuple[str, ...] = ("ROE RICHARD", "DOE JANE")) -> MapNotice:
    parcels = (
        MapParcel(fid=1, id="12.1-1-1", geometry=lot(0), situs="1 MAIN ST", owners=("POE PETER",), status="premises"),
        MapParcel(
            fid=2,
            id="12.1-1-2",
            geometry=lot(1),
            situs=words[0],
            owners=words,
            relation="abutting",
            distance_ft=0.0,
            reasons=("it.notice_radius: " + words[0],),
            review=("borderline",),
            status="notified",
        ),
        MapParcel(
            fid=3,
            id="12.1-2-1",
            geometry=lot(0, 1),
            relation="opposite",
            distance_ft=60.0,
            owners=("FOE ANN",),
            status="notified",
        ),
        MapParcel(
            fid=4, id="12.1-2-8", geometry=lot(8, 1), relation="within", distance_ft=702.5, owners=("LOE BO",), status="notified"
        ),
        MapParcel(fid=5, id="12.1-2-13", geometry=lot(13, 1), distance_ft=1201.2, reasons=("1.2 ft beyond",), status="near_miss"),
    )
    return MapNotice(
        town="Town of Italy",
        title="Hearing on 20 October 2026",
        premises="12.1-1-1, 1 Main Street",
        crs=CRS,
        parcels=parcels,
        radius_ft=1000.0,
        evidence=(
            EvidenceLine(
                kind="shared_run", geometry=shapely.LineString([(WEST + 100, SOUTH), (WEST + 100, SOUTH + 200)]), label=words[0]
            ),
            EvidenceLine(kind="sign", geometry=shapely.Point(WEST + 50, SOUTH + 200), label="Sign 1"),
            EvidenceLine(kind="something_new", geometry=shapely.LineString([(WEST, SOUTH), (WEST + 9, SOUTH)])),
        ),
        cautions=(Caution("layer_ends", "The parcel layer ends 300 ft to the north", ("12.1-2-8",)),),
        sources=("Parcels of 1 July 2026",),
        subtitle=("List of 29 September 2026",),
    )


def around(label: str = "MAIN ST") -> MapLayers:
    street = shapely.LineString([(WEST - 200, SOUTH + 230), (WEST + 1500, SOUTH + 230)])
    return MapLayers(
        streets=(MapFeature(geometry=street, label=label, detail=label),),
        zoning=(MapFeature(geometry=lot(0, 0, wide=3000), label=label), MapFeature(geometry=lot(0, 1, wide=3000), label="R-40")),
        municipalities=(
            MapFeature(geometry=shapely.LineString([(WEST - 500, SOUTH - 500), (WEST + 2000, SOUTH - 500)]), label="Jerusalem"),
        ),
    )
