"""A town's law as data: profiles in TOML, one per town, and the code that reads them.

:mod:`~geonotice.ordinance.profile` is the model and imports nothing heavy; :mod:`~geonotice.ordinance.check_profile` holds a file to
it with pydantic and is only imported when one is read; :mod:`~geonotice.ordinance.load` finds and loads profiles;
:mod:`~geonotice.ordinance.show` prints one as a person reads it.
"""
