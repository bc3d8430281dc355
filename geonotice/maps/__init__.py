"""Maps for the browser, each one file that works with no internet: the notice map, the event map, the site map of one event, the map of a screen.

::

    from geonotice.maps import MapNotice, MapParcel, notice_map, render

    page = render(notice_map(MapNotice(town=…, title=…, premises=…, crs="EPSG:2261", parcels=(MapParcel(…), …))))

What a map draws is handed over as plain values (:mod:`geonotice.maps.map_data`), geometries in the town's CRS.
"""

from geonotice.maps.event_map import event_map
from geonotice.maps.map_data import (
    CapState,
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
    MapYear,
    ParcelStatus,
)
from geonotice.maps.notice_map import notice_map
from geonotice.maps.page import render
from geonotice.maps.screen_map import MapScreen, ScreenColumn, screen_map
from geonotice.maps.site_map import MapSite, SiteLine, SiteThing, site_map

__all__ = [
    "CapState",
    "EventConflict",
    "EventLand",
    "EventLot",
    "EventParade",
    "EventParcel",
    "EventPermit",
    "EvidenceLine",
    "MapFeature",
    "MapLayers",
    "MapNotice",
    "MapParcel",
    "MapScreen",
    "MapSite",
    "MapYear",
    "ParcelStatus",
    "ScreenColumn",
    "SiteLine",
    "SiteThing",
    "event_map",
    "notice_map",
    "render",
    "screen_map",
    "site_map",
]
