"""Maps for the browser, each one file that works with no internet: the notice map, the event map, the site map of one event.

::

    from geonotice.webmap import MapNotice, MapParcel, notice_map, render

    page = render(notice_map(MapNotice(town=…, title=…, premises=…, crs="EPSG:2261", parcels=(MapParcel(…), …))))

What a map draws is handed over as plain values (:mod:`geonotice.webmap.values`), geometries in the town's CRS.
"""

from geonotice.webmap.event_values import CapState, EventConflict, EventParade, EventParcel, EventPermit, MapYear, SearchRow
from geonotice.webmap.events import event_map
from geonotice.webmap.notice import notice_map
from geonotice.webmap.offline import render
from geonotice.webmap.site import site_map
from geonotice.webmap.site_values import MapSite, SiteLine, SiteThing
from geonotice.webmap.values import EvidenceLine, MapFeature, MapLayers, MapNotice, MapParcel, ParcelStatus

__all__ = [
    "CapState",
    "EventConflict",
    "EventParade",
    "EventParcel",
    "EventPermit",
    "EvidenceLine",
    "MapFeature",
    "MapLayers",
    "MapNotice",
    "MapParcel",
    "MapSite",
    "MapYear",
    "ParcelStatus",
    "SearchRow",
    "SiteLine",
    "SiteThing",
    "event_map",
    "notice_map",
    "render",
    "site_map",
]
