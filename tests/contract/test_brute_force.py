"""The 1,000-ft list equals what every parcel's distance says, one by one, without an index and without the store."""

import random
from datetime import date

import numpy as np
import pytest

pytestmark = pytest.mark.shared

AS_OF = date(2026, 11, 30)

PREMISES = 200
UNABRIDGED = 5
"""Premises for which every parcel is measured; for the others those whose boxes already lie 100 ft beyond the distance are not."""
DISTANCE_FT = 1000.0
US_FOOT_M = 1200 / 3937


def areas_of(geometry):
    """Leave out the lines that an invalid ring collapses to: they enclose no land."""
    import shapely

    parts = shapely.get_parts(geometry)
    return shapely.union_all(parts[shapely.get_dimensions(parts) == 2])


def independent(path, column):
    """Read the layer another way: number, and geometry in US survey feet, one for each number."""
    import geopandas
    import pandas as pd
    import shapely

    frame = geopandas.read_file(path, engine="pyogrio")
    frame = frame[frame.geometry.notna() & ~frame.geometry.is_empty]
    # EPSG:32110, the New Hampshire zone in metres: not the CRS in feet that the town file names.
    shapes = frame.geometry.to_crs("EPSG:32110").make_valid()
    numbers = frame[column].astype("string").str.strip()
    numbers = numbers.where(numbers.notna() & (numbers != ""), "#" + pd.Series(frame.index.astype(str), index=frame.index))
    grouped = shapes.groupby(numbers.to_numpy()).agg(lambda group: areas_of(shapely.union_all(group.to_numpy())))
    scaled = shapely.transform(grouped.to_numpy(), lambda xy: xy / US_FOOT_M)
    return grouped.index.to_numpy(), scaled


def lower_bounds(box, boxes):
    """Return what every parcel is away at least: the distance of its bounding box from that of the premises."""
    across = np.maximum(0, np.maximum(boxes[:, 0] - box[2], box[0] - boxes[:, 2]))
    along = np.maximum(0, np.maximum(boxes[:, 1] - box[3], box[1] - boxes[:, 3]))
    return np.hypot(across, along)


@pytest.mark.parametrize(("place", "column"), [("washington-nh", "id"), ("henniker-nh", "id")])
def test_the_list_of_200_random_premises_equals_a_brute_force_check(shared, tmp_path, place, column):
    import shapely

    from geonotice.opened_town import find_premises, open_store
    from geonotice.workflow.importing import import_layers, init_town
    from geonotice.workflow.notice import NoticeRequest, make_notice

    source = shared / "data" / place / "parcels.geojson"
    init_town(tmp_path / "town", parcels=source, ordinance="italy", fields={"tax_map_number": column})
    import_layers(tmp_path / "town")
    numbers, shapes = independent(source, column)
    everyone = dict(zip(numbers, range(len(numbers)), strict=True))
    boxes = shapely.bounds(shapes)
    wrong = []
    with open_store(tmp_path / "town") as opened:
        named = sorted(number for number in everyone if not number.startswith("#"))
        for count, number in enumerate(random.Random(1000).sample(named, PREMISES)):
            one = everyone[number]
            distances = lower_bounds(boxes[one], boxes)
            close = distances <= DISTANCE_FT + 100 if count >= UNABRIDGED else np.ones(len(shapes), dtype=bool)
            exact = shapely.distance(shapes[one], shapes[close])
            assert (distances[close] <= exact + 1e-6).all()
            distances[close] = exact
            premises = find_premises(opened, [number])
            notice = make_notice(opened, premises, NoticeRequest(occasion="hearing", on=AS_OF)).notice
            listed = {parcel.id for parcel in notice.parcels if "borderline" not in parcel.review} - {number}
            # Two ways to one zone differ by less than a hundredth of a foot: a parcel that near the limit may fall on either side.
            surely = {str(n) for n in numbers[distances <= DISTANCE_FT - 0.01]} - {number}
            perhaps = {str(n) for n in numbers[distances <= DISTANCE_FT + 0.01]} - {number}
            if not surely <= listed <= perhaps:
                wrong.append((number, sorted(surely - listed), sorted(listed - perhaps)))
            measured = {str(n): d for n, d in zip(numbers, distances, strict=True)}
            off = [abs(measured[p.id] - p.distance_ft) for p in notice.parcels if p.id in measured]
            assert np.max(off, initial=0) < 0.05
    assert not wrong
