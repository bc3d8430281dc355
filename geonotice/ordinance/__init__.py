"""Ordinance profiles: a town's law as data, and the code that reads it."""
