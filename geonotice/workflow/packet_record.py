"""A packet that was written, read back: its record, the town it belongs to, and the request that it answers."""

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.config.town import TOWN_FILE, find_town_file
from geonotice.errors import Fault, InputError, UsageError
from geonotice.io.output_files import is_packet, remove_leftovers
from geonotice.model import OtherRecipient, SecondPlace
from geonotice.packet.record import RECORD_FILE
from geonotice.workflow.notice import NoticeRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MAIL_FOLDER", "NOT_SETTINGS", "PACKETS", "packets_of", "read_record", "request_of", "town_of"]

NOT_SETTINGS = frozenset({"crs", "on", "hearing", "event", "filed"})
"""What stands among the settings of a record and is none of the town file's ``[settings]``."""


MAIL_FOLDER = "-mail"
"""Papers of a mailing go beside the packet, which stays as it was mailed, into a folder whose name ends so."""


def read_record(packet: Path) -> dict[str, Any]:
    """Return the record of a packet.

    Raises
    ------
    UsageError
        The folder is no packet, or a record of an earlier version that cannot be made again.
    """
    if packet.name == RECORD_FILE:
        packet = packet.parent
    # What a killed process had listed to be moved goes to its place first: the packet beside this one, papers of the mail, an invoice in it.
    mail = packet.resolve()
    for folder in (mail.parent, mail.with_name(f"{mail.name}{MAIL_FOLDER}"), mail):
        remove_leftovers(folder)
    if not is_packet(packet):
        what = f"this is no packet: it has no {RECORD_FILE} of this program"
        raise UsageError(
            Fault(
                what=what,
                file=str(packet),
                remedy="name the folder of a packet",
                command="name the folder that notice --out wrote",
            )
        )
    made: dict[str, Any] = json.loads((packet / RECORD_FILE).read_bytes())
    if "on" not in made["settings"]:
        what = "the record does not state on which day the list was made"
        raise InputError(Fault(what=what, file=str(packet / RECORD_FILE), remedy="name a packet whose record is complete"))
    return made


PACKETS = "packets"
"""The folder beside the town file that packets made at the desk are written into."""


def packets_of(town: Path) -> dict[str, Path]:
    """Return the packets of a town by name, the newest first: those in its folder ``packets``, and those that lie beside the town file.

    Earlier ones that a newer one has taken the place of are among them: they may have been mailed.
    """
    found: dict[str, Path] = {}
    for folder in (town / PACKETS, town):
        if folder.is_dir():
            those = [one for one in folder.iterdir() if one.is_dir() and not one.is_symlink() and is_packet(one)]
            found |= {one.relative_to(town).as_posix(): one for one in those}
    return dict(sorted(found.items(), key=lambda pair: ((pair[1] / RECORD_FILE).stat().st_mtime_ns, pair[0]), reverse=True))


def town_of(packet: Path, town: Path | None) -> Path:
    """Return the town file that a packet belongs to: the one named, else the one in the folder above the packet, or above its ``packets`` folder.

    Raises
    ------
    UsageError
        There is none above the packet.
    """
    if town is not None:
        return find_town_file(town)
    above = packet.resolve().parent
    if above.name == PACKETS and (above.parent / TOWN_FILE).is_file():
        return find_town_file(above.parent)
    if not (above / TOWN_FILE).is_file():
        what = f"no town is named, and {above} has no {TOWN_FILE}"
        raise UsageError(Fault(what=what, file=str(packet), remedy="name the town", command="name the town with --town TOWN"))
    return find_town_file(above)


def request_of(record: "Mapping[str, Any]", *, on: date | None = None) -> NoticeRequest:
    """Return the request that a record answers; ``on`` takes the place of the day on which the list was made."""

    def day(name: str) -> date | None:
        text = record["settings"].get(name)
        return date.fromisoformat(text) if text else None

    reasons: dict[str, dict[str, str]] = {"add": {}, "drop": {}, "apart": {}}
    for one in record["overrides"]:
        reasons[one["action"]][one["id"]] = one["reason"]
    return NoticeRequest(
        occasion=record["occasion"],
        on=on or day("on") or date.min,
        hearing=day("hearing"),
        event=day("event"),
        filed=day("filed"),
        add=reasons["add"],
        drop=reasons["drop"],
        apart=reasons["apart"],
        by=next((one["by"] for one in record["overrides"] if one.get("by")), ""),
        others=[
            OtherRecipient(
                names=tuple(one["name"]),
                address=tuple(one["address"]),
                city=one["city"],
                state=one["state"],
                zip=one["zip"],
                country=one["country"],
                mail=one["mail"],
                why=one["why"],
            )
            for one in record.get("also", ())
        ],
        around=SecondPlace(**record["around"]) if record.get("around") else None,
    )
