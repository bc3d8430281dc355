"""Toy towns for the map of the record: blocks of lots, each with an owner, round the premises."""

from datetime import date

import shapely

from geonotice.maps import EvidenceLine, MapFeature, MapLayers, MapNotice, MapParcel
from geonotice.model import Clause, Municipality, Notice, NoticeParcel, OrdinanceRef, Recipient, Source
from geonotice.packet.notice_gpkg import Evidence, NoticeShapes
from geonotice.packet.paper import PacketContext

CRS = "EPSG:2261"
WEST, SOUTH = 620_000.0, 970_000.0
ROLL = Source("parcels", "parcels.gpkg", "ab" * 32, date(2026, 7, 1), 1200, CRS, 1, 1, 2026, True)  # noqa: FBT003  # final


def box(left, low, right, high):
    """Return a lot, in feet from the corner of the town."""
    return shapely.box(WEST + left, SOUTH + low, WEST + right, SOUTH + high)


def block(columns, rows, *, wide=100.0, deep=150.0):
    """Return the lots of a grid with a street after every second row."""
    return [
        box(c * wide, r * deep + (r // 2) * 50, (c + 1) * wide, (r + 1) * deep + (r // 2) * 50)
        for r in range(rows)
        for c in range(columns)
    ]


def context(
    premises, lots, *, radius_ft=None, relation="within", others=(), evidence=(), overrides=(), names=None, exhibit="letter"
):
    """Return what the papers of a packet are made from: every lot is on the list, with one owner each in the order of distance."""
    ground = shapely.union_all(premises)
    lots = sorted(lots, key=lambda lot: (round(ground.distance(lot), 6), lot.bounds))
    own = {f"1.00-1-{n}": shape for n, shape in enumerate(premises, 1)}
    named = [(n, f"2.00-1-{n}", lot) for n, lot in enumerate(lots, 1)]
    names = names or {}
    relations = relation if isinstance(relation, dict) else dict.fromkeys(range(1, len(lots) + 1), relation)
    notice = Notice(
        occasion="hearing",
        required="yes",
        town="Town of Italy",
        ordinance=OrdinanceRef("italy", None, "cd" * 32),
        premises=tuple(own),
        premises_situs=("1 FAIR RD",),
        on=date(2026, 9, 1),
        hearing=date(2026, 10, 20),
        version="0.1.0",
        clauses=(Clause("italy.notice1000", "Italy, mass public assembly, C", "to all owners"),),
        parcels=tuple(
            NoticeParcel(n, id_, "", relations[n], ground.distance(lot), "italy.notice1000", "C", f"{n} ELM ST", owners=1)
            for n, id_, lot in named
        ),
        recipients=tuple(
            Recipient(n, "owner", (names.get(n, f"OWNER {n}"),), ("1 ELM ST",), "NAPLES", "NY", "14512", "", "first_class", (id_,), ("italy.notice1000",))
            for n, id_, _ in named
        ),
        overrides=overrides,
        municipalities=(Municipality("Village of Sagg", "573601", 120.5),) if evidence else (),
        settings={"crs": CRS, "right_of_way_max_ft": 200.0},
        sources=(ROLL,),
    )  # fmt: skip
    shapes = NoticeShapes(
        crs=CRS,
        premises=own,
        parcels={n: lot for n, _, lot in named},
        search_area=None if radius_ft is None else ground.buffer(radius_ft, quad_segs=64),
        evidence=[Evidence(kind, "", kind, line) for kind, line in evidence],
    )
    drawn = MapNotice(
        town=notice.town,
        title="Hearing",
        premises=", ".join(own),
        crs=CRS,
        parcels=(
            *(MapParcel(fid=-n, id=id_, geometry=shape, status="premises") for n, (id_, shape) in enumerate(own.items(), 1)),
            *(
                MapParcel(fid=n, id=id_, geometry=lot, status="notified", relation=relations[n], distance_ft=ground.distance(lot))
                for n, id_, lot in named
            ),
            *(MapParcel(fid=10_000 + n, id=f"3.00-1-{n}", geometry=shape) for n, shape in enumerate(others)),
        ),
        radius_ft=radius_ft,
        evidence=tuple(EvidenceLine(kind=kind, geometry=line) for kind, line in evidence),
        recipients=notice.recipients,
    )
    street = shapely.LineString([(WEST - 5000, SOUTH - 25), (WEST + 5000, SOUTH - 25)])
    layers = MapLayers(streets=(MapFeature(geometry=street, label="Elm Street"),))
    return PacketContext(notice=notice, shapes=shapes, draw=lambda: (drawn, layers), office="The Town Clerk", exhibit=exhibit)
