"""What a store holds: its tables, with their columns, and its version.

Tables (written by :mod:`geonotice.layers`, never by hand):

``parcels``
    feature table, geometry ``geom`` (Polygon or MultiPolygon, valid, in the town's CRS), one row per parcel; columns
    :data:`PARCEL_COLUMNS`, R-tree ``rtree_parcels_geom``, indexes on ``key`` and ``id``.
``owners``
    one row per owner of record; columns :data:`OWNER_COLUMNS`, index on ``parcel_fid``. Lines are joined by a newline.
``address_points``, ``zoning``, ``municipalities``, ``streets``, ``railroads``, ``water``
    feature tables, only where the town file names such a layer; columns :data:`FEATURE_COLUMNS`, each with its R-tree.
``common_land``
    one row per unit of a common lot; columns :data:`COMMON_LAND_COLUMNS`, index on ``lot_fid``.
``sources``, ``problems``
    attribute tables; columns :data:`SOURCE_COLUMNS`, :data:`PROBLEM_COLUMNS`.
``meta``
    ``name``, ``value``: ``store_version``, ``geonotice_version``, ``town`` and ``profile`` as JSON, ``town_file`` and
    ``profile_sha256``, ``crs`` of the geometries.
``layer_styles``
    the styles QGIS opens the layers with.
"""

__all__ = [
    "COMMON_LAND_COLUMNS",
    "FEATURE_COLUMNS",
    "OWNER_COLUMNS",
    "PARCEL_COLUMNS",
    "PROBLEM_COLUMNS",
    "SOURCE_COLUMNS",
    "STORE_VERSION",
]

STORE_VERSION = 7

PARCEL_COLUMNS = (
    "id", "key", "tax_map_number", "swis", "role", "may_be_street", "situs", "situs_number", "situs_street", "situs_unit", "situs_city",
    "situs_state", "situs_zip", "property_class", "municipality", "roll_year", "layer", "area_sq_ft", "nys_class", "also_known",
)  # fmt: skip
"""``key`` is ``taxmap.comparable(tax_map_number)``; ``role`` is lot, right_of_way, railroad or water;
``may_be_street`` is 1 for a lot
that may be a street, 0 for one that a person or its class says is a lot, NULL where nothing is known; ``also_known`` are the values of the layer's other
unique keys, joined by a newline."""

OWNER_COLUMNS = (
    "parcel_fid", "n", "names", "address", "city", "state", "zip", "country", "source", "roll_year",
    "changed", "name_key", "address_key",
)  # fmt: skip
"""``names`` and ``address`` hold lines joined by a newline, ``changed`` codes joined by blanks; the two keys are the normalised forms, for comparing only."""

FEATURE_COLUMNS: dict[str, tuple[str, ...]] = {
    "zoning": ("district", "name", "municipality"),
    "municipalities": ("name", "kind", "swis", "clerk_name", "clerk_address"),
    "streets": ("name", "jurisdiction"),
    "railroads": ("name", "owner"),
    "water": ("name",),
    "address_points": ("parcel_fid", "address", "number", "street", "unit", "city", "state", "zip"),
}

SOURCE_COLUMNS = ("layer", "path", "sha256", "as_of", "features", "crs", "size", "mtime_ns", "roll_year", "final", "files")

COMMON_LAND_COLUMNS = ("lot_fid", "unit_fid", "how", "source")
"""``how`` is ``class``, ``number``, ``town_file``, or ``question``: a lot that may be a unit and is not tied; ``source`` says why."""

PROBLEM_COLUMNS = ("layer", "key", "code", "text")
"""``code`` is one of repaired, dropped, dissolved, stacked, sliver, unmatched_roll, unmatched_parcel, unmailable, blank_key,
role_guessed, may_be_street, common_land, common_land_question, duplicate_layer, overlap, curve, z_dropped, address_point_off, source_note."""
