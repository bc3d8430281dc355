"""The command line: each command a few lines over :mod:`geonotice.workflow`."""

from geonotice.cli import (
    after_mailing,
    applications,
    calendars,
    law,
    mail,
    mail_ledger,
    notices,
    permit_changes,
    permits,
    screen,
    towns,
)
from geonotice.cli.app import app, main

__all__ = [
    "after_mailing",
    "app",
    "applications",
    "calendars",
    "law",
    "mail",
    "mail_ledger",
    "main",
    "maps",
    "notices",
    "permit_changes",
    "permits",
    "screen",
    "towns",
]
