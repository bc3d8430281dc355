"""A map of some thousand parcels in one process: ``maps.py METHOD LAYER.parquet COUNT``; prints the processor's time, the median of three."""

import json
import statistics
import sys
import time

CRS = "EPSG:2263"


def nearest(file, count):
    """Return so many parcels round the middle of the layer, as a frame of geopandas."""
    import geopandas
    import numpy as np
    import shapely

    frame = geopandas.read_parquet(file, columns=["SWIS_SBL_ID", "PRIMARY_OWNER", "PARCEL_ADDR", "geometry"])
    frame = frame.fillna({"PRIMARY_OWNER": "", "PARCEL_ADDR": ""})
    shapes = np.asarray(frame.geometry.values)
    far = shapely.distance(shapes, shapes[len(shapes) // 2])
    return frame.iloc[np.argsort(far, kind="stable")[:count]]


def folium_map(frame):
    """Draw them as most scripts do: one folium.GeoJson with a tooltip of the same columns."""
    import folium

    made = folium.Map(tiles=None)
    tooltip = folium.GeoJsonTooltip(["SWIS_SBL_ID", "PRIMARY_OWNER", "PARCEL_ADDR"])
    layer = folium.GeoJson(frame.to_crs(4326), tooltip=tooltip, style_function=lambda _: {"weight": 1})
    layer.add_to(made)
    return made.get_root().render()


def notice_map(frame):
    """Draw them as a list of neighbors: the first is the premises, the others are notified."""
    import shapely

    from geonotice import maps
    from geonotice.model import Recipient

    rows = list(frame.itertuples())
    parcels = [
        maps.MapParcel(
            fid=n,
            id=row.SWIS_SBL_ID,
            geometry=row.geometry,
            situs=row.PARCEL_ADDR,
            owners=(row.PRIMARY_OWNER,),
            status="notified" if n else "premises",
            relation="within" if n else "",
            distance_ft=float(shapely.distance(row.geometry, rows[0].geometry)),
            reasons=("owners of record within the distance",),
        )
        for n, row in enumerate(rows)
    ]
    recipients = [
        Recipient(
            number=n, role="owner", names=parcel.owners, address=(parcel.situs,), city="", state="NY", zip="", country="",
            mail="certified", parcels=(parcel.id,), reasons=parcel.reasons,
        )
        for n, parcel in enumerate(parcels)
        if n
    ]  # fmt: skip
    drawn = maps.MapNotice(
        town="Town",
        title="Hearing",
        premises=parcels[0].id,
        crs=CRS,
        parcels=tuple(parcels),
        radius_ft=max(parcel.distance_ft for parcel in parcels),
        recipients=tuple(recipients),
    )
    return maps.render(maps.notice_map(drawn))


METHODS = {"folium.GeoJson": folium_map, "notice map": notice_map}

if __name__ == "__main__":
    method, file, count = sys.argv[1:4]
    chosen = nearest(file, int(count))
    METHODS[method](chosen.iloc[:5])  # what it imports is loaded
    spent = []
    for _ in range(3):
        start = time.process_time()
        METHODS[method](chosen)
        spent.append(time.process_time() - start)
    print(json.dumps({"processor_s": statistics.median(spent)}))
