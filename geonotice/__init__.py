"""Notice lists, zoning limits and permit caps for events, from a town's parcel layers and its ordinance."""

__all__ = ["__version__"]

__version__ = "0.1.0"
