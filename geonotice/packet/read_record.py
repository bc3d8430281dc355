"""Read the record of a packet back: what was mailed to whom, and which list it was."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct

from geonotice.errors import Fault, InputError
from geonotice.model import Notice, OrdinanceRef, Recipient, Sign
from geonotice.packet.record import RECORD_FILE, record

__all__ = ["PacketRecord", "list_identity", "packet_of", "stated_in"]

_IDENTITY_DIGITS = 16
"""So many hexadecimal digits of a SHA-256 tell every list of every town from every other, and can still be read out on the phone."""

_SAME = (
    "number", "role", "name", "name_2", "address", "city", "state", "zip", "country", "mail", "mailable", "parcels",
)  # fmt: skip
"""What makes a recipient the same mail piece in two packets."""


class PacketRecord(Struct, frozen=True):
    """A packet as its record has it.

    Parameters
    ----------
    folder
        Where it is.
    identity
        The identity of its list.
    sha256
        The SHA-256 of its record file.
    list_sha256
        The SHA-256 of its ``notice-list.csv`` without article numbers, as the certified list prints it; empty where that file is gone.
    notice
        The notice without what the record does not keep, and without what mailing does not ask for: parcels, sources, warnings.
    stated
        What its papers say of the event and the hearing, by field; a record of an earlier version has none.
    """

    folder: Path
    identity: str
    sha256: str
    notice: Notice
    list_sha256: str = ""
    stated: Mapping[str, str] = {}


def list_identity(said: "Mapping[str, Any] | Notice") -> str:
    """Return the identity of a list: the same for every packet of the same recipients, occasion, premises, hearing and event.

    The day on which a packet was made, its warnings and the version of the program do not matter: made again, it is the same mailing. Another day of the
    hearing is another mailing.
    """
    known = record(said) if isinstance(said, Notice) else said
    settings = known.get("settings", {})
    what = [
        known["town"],
        known["occasion"],
        list(known["premises"]),
        settings.get("hearing"),
        settings.get("event"),
        [[one.get(name) for name in _SAME] for one in known["recipients"]],
    ]
    text = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_IDENTITY_DIGITS]


def packet_of(folder: Path, said: Mapping[str, Any]) -> PacketRecord:
    """Return a packet as its record has it.

    Parameters
    ----------
    folder
        The packet's folder.
    said
        Its record.

    Raises
    ------
    InputError
        The record lacks what it should have.
    """
    file = folder / RECORD_FILE
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        return PacketRecord(folder, list_identity(said), digest, _notice(said), _list_sha256(folder), stated_in(said))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            Fault(
                what=f"the record cannot be read ({type(error).__name__}: {error})",
                file=str(file),
                why="what was mailed to whom is taken from it",
                remedy="bring back the record as the packet had it, or make the packet again",
            )
        ) from error


def stated_in(said: Mapping[str, Any]) -> dict[str, str]:
    """Return what a packet's papers say of the event and the hearing, by field."""
    return {str(name): str(text) for name, text in said.get("stated", {}).items()}


_LAST_CELL = re.compile(rb',"[^"]*"\r\n')
"""The last cell of a row, which holds the article number: text is quoted, and a quotation mark within text stands twice."""


def _list_sha256(folder: Path) -> str:
    """Return the hash that :func:`geonotice.packet.notice_list.list_sha256` had for this list."""
    file = folder / "notice-list.csv"
    return hashlib.sha256(_LAST_CELL.sub(b',""\r\n', file.read_bytes())).hexdigest() if file.is_file() else ""


def _notice(said: Mapping[str, Any]) -> Notice:
    settings = said["settings"]
    ordinance = said["ordinance"]
    return Notice(
        occasion=said["occasion"],
        required=said["required"],
        town=said["town"],
        ordinance=OrdinanceRef(ordinance["id"], _day(ordinance.get("effective")), ordinance["sha256"]),
        premises=tuple(said["premises"]),
        on=date.fromisoformat(settings["on"]),
        version=said["version"],
        hearing=_day(settings.get("hearing")),
        event=_day(settings.get("event")),
        filed=_day(settings.get("filed")),
        recipients=tuple(_recipient(one, said) for one in said["recipients"]),
        signs=tuple(Sign(one["street"], one["jurisdiction"], one["frontage_ft"]) for one in said.get("signs", ())),
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _recipient(one: Mapping[str, Any], said: Mapping[str, Any]) -> Recipient:
    review = tuple(one.get("review", ()))
    if not one["mailable"] and "unmailable" not in review:
        review = (*review, "unmailable")
    relations = {parcel["id"]: parcel["relation"] for parcel in said["parcels"]}
    return Recipient(
        number=int(one["number"]),
        role=one["role"],
        names=tuple(part for part in (one["name"], *one.get("name_2", "").split("; ")) if part),
        address=tuple(one["address"]),
        city=one["city"],
        state=one["state"],
        zip=one["zip"],
        country=one["country"],
        mail=one["mail"],
        parcels=tuple(one["parcels"]),
        reasons=tuple(one["reasons"]),
        relation=next((relations[number] for number in one["parcels"] if number in relations), ""),
        review=review,
    )
