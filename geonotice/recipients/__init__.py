"""Owners of record, residents and clerks to recipients: one mail piece each, with the parcels that make them one."""

from geonotice.recipients.counts import (
    RoleCount,
    count_roles,
    numbers_label,
    numbers_text,
    reachable,
    recipients_by_parcel,
    unreachable,
)
from geonotice.recipients.gather import Gathered, adjoining_owners, counted, gather
from geonotice.recipients.mail_pieces import clerk_recipients
from geonotice.recipients.residents import TownPlace

__all__ = [
    "Gathered",
    "RoleCount",
    "TownPlace",
    "adjoining_owners",
    "clerk_recipients",
    "count_roles",
    "counted",
    "gather",
    "numbers_label",
    "numbers_text",
    "reachable",
    "recipients_by_parcel",
    "unreachable",
]
