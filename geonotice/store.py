"""The store: the town's layers, cleaned and indexed, in one GeoPackage, read with sqlite3 and shapely only.

Tables (written by :mod:`geonotice.layers`, never by hand):

``parcels``
    feature table, geometry ``geom`` (Polygon or MultiPolygon, valid, in the town's CRS), one row per parcel; columns
    :data:`PARCEL_COLUMNS`, R-tree ``rtree_parcels_geom``, indexes on ``key`` and ``id``.
``owners``
    one row per owner of record; columns :data:`OWNER_COLUMNS`, index on ``parcel_fid``. Lines are joined by a newline.
``address_points``, ``zoning``, ``municipalities``, ``streets``, ``railroads``, ``water``
    feature tables, only where the town file names such a layer; columns :data:`FEATURE_COLUMNS`, each with its R-tree.
``sources``, ``problems``
    attribute tables; columns :data:`SOURCE_COLUMNS`, :data:`PROBLEM_COLUMNS`.
``meta``
    ``name``, ``value``: ``store_version``, ``geonotice_version``, ``town`` and ``profile`` as JSON, ``town_file`` and
    ``profile_sha256``.
``layer_styles``
    the styles QGIS opens the layers with.
"""

STORE_VERSION = 1

PARCEL_COLUMNS = (
    "id", "key", "tax_map_number", "swis", "role", "situs", "situs_number", "situs_street", "situs_unit", "situs_city",
    "situs_state", "situs_zip", "property_class", "municipality", "roll_year", "layer", "area_sq_ft",
)  # fmt: skip
"""``key`` is ``taxmap.comparable(tax_map_number)``; ``role`` is lot, right_of_way, railroad or water."""

OWNER_COLUMNS = (
    "parcel_fid", "n", "names", "address", "city", "state", "zip", "country", "source", "roll_year",
    "name_key", "address_key",
)  # fmt: skip
"""``names`` and ``address`` hold lines joined by a newline; the two keys are the normalised forms, for comparing only."""

FEATURE_COLUMNS: dict[str, tuple[str, ...]] = {
    "zoning": ("district", "name", "municipality"),
    "municipalities": ("name", "kind", "swis", "clerk_name", "clerk_address"),
    "streets": ("name", "jurisdiction"),
    "railroads": ("name", "owner"),
    "water": ("name",),
    "address_points": ("parcel_fid", "address", "number", "street", "unit", "city", "state", "zip"),
}

SOURCE_COLUMNS = ("layer", "path", "sha256", "as_of", "features", "crs", "size", "mtime_ns", "roll_year", "final")

PROBLEM_COLUMNS = ("layer", "key", "code", "text")
"""``code`` is one of repaired, dropped, dissolved, stacked, sliver, unmatched_roll, unmatched_parcel, unmailable, blank_key,
role_guessed, duplicate_layer, overlap, curve, z_dropped, address_point_off."""
