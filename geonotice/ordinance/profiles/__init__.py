"""The profiles that are built in, one TOML file a town."""
