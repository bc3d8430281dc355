"""Small towns with condominiums: lots drawn by hand, imported as any other."""

from datetime import date

import geopandas as gpd
import shapely

from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

X, Y = 600_000, 1_000_000
"""A corner of the toy land in the State's plane."""
COMMON = shapely.box(X + 1_000, Y, X + 1_500, Y + 400)
"""A common lot 900 ft east of :data:`PREMISES`; what is drawn at its middle is more than 1,000 ft away."""
PREMISES = shapely.box(X, Y, X + 100, Y + 100)


def building(n, *, side=35, x=1_200, y=100):
    """Draw the footprint of a unit, the n-th from the left, at the middle of the common lot."""
    return shapely.box(X + x + 45 * n, Y + y, X + x + 45 * n + side, Y + y + side)


def row(number, shape, *, owner=None, **more):
    """Make a row of a parcel layer; the owner has an address."""
    name = f"OWNER OF {number}" if owner is None else owner
    return {"PRINT_KEY": number, "PRIMARY_OWNER": name, "MAIL_ADDR": f"{number} BOX RD", "MAIL_CITY": "Penn Yan",
            "MAIL_STATE": "NY", "MAIL_ZIP": "14527", "geometry": shape, **more}  # fmt: skip


def write_town(folder, rows, *, more="", settings="", ordinance="italy", layers=()):
    """Write and import a town of one parcel layer; ``layers`` are the rows of adjoining ones."""
    text = f'[town]\nname = "Town of Italy"\nordinance = "{ordinance}"\ncrs = "EPSG:2261"\n'
    for n, some in enumerate((rows, *layers)):
        gpd.GeoDataFrame(list(some), crs="EPSG:2261").to_file(folder / f"parcels{n}.gpkg", layer="p")
        text += f'[[layers.parcels]]\npath = "parcels{n}.gpkg"\nfields = {{tax_map_number = "PRINT_KEY"}}\n'
    text += f"[settings]\n{settings}\n{more}"
    (folder / "town.toml").write_text(text)
    return import_layers(folder)


def ties_of(folder):
    """Return the ties of a town's store by common lot, and those that are only asked about."""
    with open_store(folder) as opened:
        store = opened.store
        every = store.parcels(range(1, store.count() + 1)).parcels
        names = {parcel.fid: parcel.id for parcel in every}
        found = store.common_land_of(list(names))
    tied, asked = {}, {}
    for one in found:
        (asked if one.how == "question" else tied).setdefault(names[one.lot_fid], set()).add(names[one.unit_fid])
    return tied, asked


def notice_of(folder, *premises, occasion="hearing", **more):
    """Make the notice of an occasion."""
    with open_store(folder) as opened:
        return make_notice(
            opened, find_premises(opened, list(premises)), NoticeRequest(occasion=occasion, on=date(2026, 9, 1), **more)
        ).notice


def relations_of(notice):
    """Return how the listed parcels stand, by their number."""
    return {parcel.id: parcel.relation for parcel in notice.parcels}
