"""Feet, coordinate reference systems (CRS), and the State-plane zone of a place.

A foot is the US survey foot everywhere. What is measured is measured in a *measuring CRS*: the State-plane zone that the town file names,
with its coordinates in US survey feet. Where a zone is published in international feet or metres, :func:`measuring_crs` gives
the same zone with its unit changed, as a CRS of its own that GDAL and QGIS read; so nothing behind the import ever sees another unit.

WGS 84, NAD 83 in its realizations and every other datum on the GRS 80 or WGS 84 ellipsoid are taken as one: they lie within two
metres of each other, and parcel layers seldom say which transformation was used on the way. One rule for all layers, whatever
grids a machine happens to have, keeps layers of one town where they were against each other. Older datums (NAD 27 and its like) lie up to
hundreds of feet off; they are transformed where PROJ knows how, and refused where it could only guess (a *ballpark* operation).

pyproj takes half a second to load, and is imported by the functions that need it.
"""

from geonotice.units.crs import INTERNATIONAL_FOOT_M, US_SURVEY_FOOT_M, lon_lat_bounds, to_measure
from geonotice.units.measuring_crs import (
    MeasureCrs,
    Proposal,
    SourceCrs,
    feet_per_unit,
    measuring_crs,
    propose_measure_crs,
    resolve_crs,
)

__all__ = [
    "INTERNATIONAL_FOOT_M",
    "US_SURVEY_FOOT_M",
    "MeasureCrs",
    "Proposal",
    "SourceCrs",
    "feet_per_unit",
    "lon_lat_bounds",
    "measuring_crs",
    "propose_measure_crs",
    "resolve_crs",
    "to_measure",
]
