"""Alembic's scripts, run by :mod:`geonotice.register.tables_and_columns`."""
