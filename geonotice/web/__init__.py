"""The desk: pages over :mod:`geonotice.workflow` for those who do not type commands. Nothing is decided here.

Everything in this room needs the extra ``web``; :mod:`geonotice.web.server` says so where it is not installed.
"""
