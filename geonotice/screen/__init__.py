"""Every parcel of a town judged at once."""
