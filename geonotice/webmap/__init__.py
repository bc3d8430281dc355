"""Maps for the browser, each one file that works with no internet: the notice map and the event map.

::

    from geonotice.webmap import MapNotice, MapParcel, notice_map, render

    page = render(notice_map(MapNotice(town=…, title=…, premises=…, crs="EPSG:2261", parcels=(MapParcel(…), …))))

What a map draws is handed over as plain values (:mod:`geonotice.webmap.values`), geometries in the town's CRS.
"""

from geonotice.webmap.event_values import CapState, EventConflict, EventParade, EventParcel, EventPermit, MapYear, SearchRow
from geonotice.webmap.events import event_map
from geonotice.webmap.notice import notice_map
from geonotice.webmap.offline import render
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
    "MapYear",
    "ParcelStatus",
    "SearchRow",
    "event_map",
    "notice_map",
    "render",
]
