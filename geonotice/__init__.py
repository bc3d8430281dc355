"""Notice lists, zoning limits and permit caps for events, from a town's parcel layers and its ordinance."""
