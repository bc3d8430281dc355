"""A toy street for the map tests: premises, a neighbour, one across the street, one down the street, a near miss."""

from datetime import date

import shapely
import shapely.affinity

from geonotice.maps import (
    EventConflict,
    EventLand,
    EventLot,
    EventParade,
    EventParcel,
    EventPermit,
    EvidenceLine,
    MapFeature,
    MapLayers,
    MapNotice,
    MapParcel,
    MapScreen,
    MapSite,
    MapYear,
    ScreenColumn,
    SiteLine,
    SiteThing,
)
from geonotice.model import Mail, Recipient, RecipientRole, ResultWarning

CRS = "EPSG:2261"  # New York Central, US survey feet
WEST, SOUTH = 620_000.0, 970_000.0  # about Italy, N.Y.


def lot(column: int, row: int = 0, *, wide: float = 100.0, deep: float = 200.0) -> shapely.Polygon:
    """Return a lot of a street grid: 100 by 200 ft, rows 260 ft apart."""
    return shapely.box(WEST + column * wide, SOUTH + row * 260, WEST + (column + 1) * wide, SOUTH + row * 260 + deep)


def recipient(
    number: int, role: RecipientRole, name: str, *parcels: str, mail: Mail = "first_class", review: tuple[str, ...] = ()
) -> Recipient:
    return Recipient(number, role, (name,), ("1 ELM ST",), "NAPLES", "NY", "14512", "", mail, parcels, ("r",), review=review)


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
        title="Hearing on October 20, 2026",
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
        warnings=(ResultWarning("layer_ends", "The parcel layer ends 300 ft to the north", ("12.1-2-8",)),),
        sources=("Parcels of 1 July 2026",),
        subtitle=("List made on September 29, 2026",),
        recipients=(
            recipient(1, "owner", words[0], "12.1-1-2"),
            recipient(2, "owner", "FOE ANN", "12.1-2-1", "12.1-2-8"),
            recipient(3, "resident", "CURRENT RESIDENT", "12.1-1-2"),
            recipient(4, "resident", "CURRENT RESIDENT", "12.1-1-1"),
            recipient(5, "clerk", "Village Clerk"),
            recipient(6, "owner", words[-1], "12.1-1-2", review=("unmailable",)),
            recipient(7, "applicant", "POE PETER", "12.1-1-1", mail="none"),
        ),
    )


def rowhouses(wide: float, degrees: float) -> MapNotice:
    """Return a row of seven narrow lots, turned: the premises in the middle, the others notified, in the order of the row."""
    row = [lot(n, wide=wide, deep=80) for n in range(7)]
    turned = [shapely.affinity.rotate(shape, degrees, origin=(WEST, SOUTH)) for shape in row]
    notified = iter(range(1, 7))
    parcels = tuple(
        MapParcel(fid=10, id="12.1-1-10", geometry=shape, status="premises")
        if n == 3
        else MapParcel(fid=k, id=f"12.1-1-{k}", geometry=shape, relation="abutting", distance_ft=0.0, status="notified")
        for n, shape in enumerate(turned)
        for k in [0 if n == 3 else next(notified)]
    )
    owners = [recipient(n, "owner", f"OWNER {n}", f"12.1-1-{n}") for n in range(1, 7)]
    residents = [recipient(100 + n, "resident", "CURRENT RESIDENT", f"12.1-1-{n}") for n in range(1, 6)]
    return MapNotice(
        town="Town of Italy", title="Hearing", premises="12.1-1-10", crs=CRS, parcels=parcels, recipients=(*owners, *residents)
    )


def toy_site(words: str = "stage") -> MapSite:
    """Return a lot with its setback line, a thing inside the setback, one that keeps it, and parking."""
    land, inner = lot(0), shapely.box(WEST + 20, SOUTH + 30, WEST + 80, SOUTH + 160)
    return MapSite(
        town="Town of Southampton",
        title="Summer fair" if words == "stage" else words,
        premises="12.1-1-1",
        crs=CRS,
        parcels=(
            MapParcel(fid=1, id="12.1-1-1", geometry=land, situs=words, status="premises"),
            MapParcel(fid=2, id="12.1-1-2", geometry=lot(1), situs="3 MAIN ST"),
        ),
        frontages=(
            SiteLine(
                label="Frontage 1",
                detail="100.0 ft on Main Street",
                geometry=shapely.LineString([(WEST, SOUTH + 200), (WEST + 100, SOUTH + 200)]),
            ),
        ),
        setbacks=(
            SiteLine(
                label="Setback of R-40",
                detail="front 40 ft, side 20 ft, rear 30 ft",
                geometry=inner.boundary,
                ground=land.difference(inner),
            ),
        ),
        things=(
            SiteThing(
                what=words,
                geometry=shapely.box(WEST + 12, SOUTH + 60, WEST + 45, SOUTH + 100),
                measured="12.0 ft from the side line",
                inside=("12.0 ft from the side line, 20 ft are the setback of R-40",),
            ),
            SiteThing(
                what="tent",
                geometry=shapely.box(WEST + 50, SOUTH + 60, WEST + 75, SOUTH + 90),
                measured="25.0 ft from the side line",
            ),
            SiteThing(what="parking", geometry=shapely.box(WEST + 20, SOUTH + 110, WEST + 80, SOUTH + 150), parking=True),
        ),
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


UNKNOWN_FROM = 50
"""From this lot of :func:`toy_year` on, the zoning district is not known."""


def toy_screen(words: str = "MAIN ST") -> MapScreen:
    """Return six lots: three that pass, one of them of unknown rank, one undecided, one that does not pass, one that something speaks against."""
    columns: dict[str, list[str | None]] = {
        "id": [f"12.1-1-{n}" for n in range(1, 7)],
        "situs": [f"{n} {words}" for n in range(1, 7)],
        "acres": ["4.5", "3.25", "6", "3", "0.4", "9"],
        "left": ["2", "1", "1", None, "2", "2"],
        "excluded": ["", "", "", "", "", words],
        "pieces_hearing": ["3", "12", None, "5", "40", "9"],
    }
    return MapScreen(
        town="Town of Italy",
        crs=CRS,
        lines=("801 persons",),
        lots=[(f"12.1-1-{n + 1}", lot(n)) for n in range(6)],
        columns=tuple(
            ScreenColumn(
                name=name,
                title=name,
                about=f"what {name} is",
                number=name in {"acres", "left", "pieces_hearing"},
                listed=name != "situs",
                values=values,
            )
            for name, values in columns.items()
        ),
        answers=[True, True, True, None, False, False],
        lots_of=[(n,) for n in range(6)],
        excluded=[False] * 5 + [True],
        rank_by="pieces_hearing",
        best_is_most=False,
        condition="acres >= 3 and left > 0",
        command=f"geonotice screen italy --where '{words}'",
        notes=(f"These are places to consider. {words}",),
        sources=("parcels: parcels.gpkg",),
    )


def toy_year(words: str = "ROE RICHARD") -> MapYear:
    """Return a year with a parcel in each state, events in several weeks, one override, one void, one undated, a parade."""
    stated: dict[str, dict[str, object]] = {
        "full": {"left": 0, "used": 2, "cap": 2, "next_date": date(2027, 1, 1)},
        "charity": {"left": 0, "used": 2, "cap": 2, "charity_left": True},
        "last": {"left": 1, "used": 1, "cap": 2},
        "open": {"left": 2, "used": 1, "cap": 3, "night_left": 0},
        "decide": {"decide": True, "used": 1, "cap": 2},
        "exempt": {"exempt": True, "used": 5},
    }
    parcels = tuple(
        EventParcel(
            fid=n,
            id=f"0900-001.00-01.00-00{n}.000",
            geometry=lot(2 * n),
            situs=f"{n} MAIN ST",
            owners=(words, f"OWNER {state.upper()}"),
            zone="R-40, residential",
            why=f"because of {state}, 283-6B",
            **facts,  # type: ignore[arg-type]  # a table of the test's own
        )
        for n, (state, facts) in enumerate(stated.items())
    )
    permits = (
        EventPermit(
            number="2026-1",
            kind="music_festival",
            parcels=(0,),
            starts=date(2026, 7, 4),
            title=words,
            applicant=words,
            night=True,
        ),
        EventPermit(
            number="2026-2",
            kind="wedding",
            parcels=(0,),
            starts=date(2026, 7, 30),
            ends=date(2026, 8, 2),
            override="fire",
            note=words,
        ),
        EventPermit(
            number="2026-3",
            kind="carnival",
            parcels=(1, 2),
            starts=date(2026, 7, 5),
            persons=1200,
            distinct_events=2,
            charitable=True,
        ),
        EventPermit(number="2026-4", kind="sale", parcels=(3,), starts=date(2026, 7, 4), status="void"),
        EventPermit(number="2026-5", kind="festival", parcels=(4,), starts=None),
        EventPermit(number="2026-6", kind="festival", parcels=(5,), starts=date(2026, 9, 12), status="rescinded"),
    )
    lots = tuple(
        EventLot(
            n,
            f"0900-001.00-01.00-{n:03d}.000",
            lot(2 * n if n < len(parcels) else n + len(parcels)),
            f"{n} MAIN ST",
            (f"SMITH JOHN {n}", words),
            land=int(n >= UNKNOWN_FROM),
        )
        for n in range(60)
    )
    lands = (
        EventLand(zone="R-40, residential", cap=2, left=2, why="0 of 2 permits issued in 2026, 283-6B"),
        EventLand(
            zone="XX, to be determined",
            cap=2,
            decide=True,
            why="the zoning district is not known, 283-6B",
            note="In the Village of Quogue.",
        ),
    )
    route = shapely.LineString([(WEST, SOUTH + 230), (WEST + 1100, SOUTH + 230)])
    return MapYear(
        town="Town of Southampton",
        year=2026,
        on=date(2026, 7, 1),
        crs=CRS,
        parcels=parcels,
        permits=permits,
        lots=lots,
        lands=lands,
        parades=(EventParade(number="P-1", title="Old Home Day", geometry=route, starts=date(2026, 7, 4), detail="Main Street"),),
        conflicts=(EventConflict(permits=("2026-1", "2026-3"), text="500 ft and one day apart"),),
        neighbours=(
            MapFeature(geometry=shapely.box(WEST + 1600, SOUTH - 4000, WEST + 9000, SOUTH + 4000), label="East Hampton"),
        ),
        boundary_ft=500.0,
        warnings=(ResultWarning("zone_unknown", "A district is not in the profile"),),
        sources=("Register: permits.sqlite",),
    )
