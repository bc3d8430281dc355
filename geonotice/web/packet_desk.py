"""The packets of a town: what is in each, its papers, the list that was mailed held against the one of today, and a supplementary packet."""

import json
import re
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.packet.paper import paper_of
from geonotice.packet.record import RECORD_FILE
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.jobs import Job
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.compare import compare_lists, compare_with_town, write_supplement
from geonotice.workflow.packet_record import packets_of
from geonotice.workflow.read_packet import MadePacket, zip_packet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from geonotice.workflow.compare import Comparison

__all__ = ["attached", "mail_folder_of", "packet_link", "packet_named", "router"]

router = APIRouter()

_KINDS = {
    ".pdf": "application/pdf", ".csv": "text/csv; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip


def packet_named(desk: Desk, name: str) -> Path:
    """Return the folder of a packet by its name in the list of packets: no other folder has one.

    Raises
    ------
    UsageError
        There is no such packet.
    """
    folder = packets_of(desk.place.parent).get(name)
    if folder is None:
        raise UsageError(Fault(what="there is no such packet any more", remedy="choose one in the list of packets"))
    return folder


def packet_link(page_: str, name: str, **more: str) -> str:
    """Return the address of a page of a packet."""
    from urllib.parse import urlencode

    return f"{page_}?{urlencode({'name': name, **more})}"


def mail_folder_of(folder: Path) -> Path:
    """Return the folder beside a packet that has the papers of its mailing."""
    return folder.with_name(f"{folder.name}-mail")


def attached(content: bytes, name: str) -> Response:
    """Return a file to be saved: no page of a packet runs within the desk."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-._") else "_" for sign in name)
    kind = _KINDS.get(Path(name).suffix, "application/octet-stream")
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{plain}"'})


@router.get("/packets")
def list_packets(request: Request) -> Response:
    """List the packets of the town."""
    desk = desk_of(request)
    with desk.open() as opened:
        rows = [_row(name, folder) for name, folder in packets_of(opened.town.folder).items()]
        return page(request, "packets.html", town=opened.town.name, rows=rows, occasions=opened.profile.occasions)


def _row(name: str, folder: Path) -> dict[str, Any]:
    record = json.loads((folder / RECORD_FILE).read_bytes())
    settings = record["settings"]
    return {
        "name": name,
        "link": packet_link("/packet", name),
        "mail": packet_link("/packet/mail", name),
        "occasion": record["occasion"],
        "premises": record["premises"],
        "on": _day(settings.get("on")),
        "hearing": _day(settings.get("hearing")),
        "event": _day(settings.get("event")),
        "letters": sum(one["mail"] != "none" for one in record["recipients"]),
        "supplement": record.get("supplement"),
    }


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@router.get("/packet")
def show(request: Request) -> Response:
    """Show a packet: its papers, and whom it would have to notify today."""
    return _page(request)


def _page(request: Request, *, compared: "Comparison | None" = None, faults: "Sequence[Fault]" = (), **more: Any) -> Response:  # noqa: ANN401  # what the template takes
    desk, name = desk_of(request), request.query_params.get("name", "")
    folder = packet_named(desk, name)
    with desk.open() as opened:
        return page(
            request,
            "packet.html",
            status=400 if faults else 200,
            town=opened.town.name,
            packet=_row(name, folder),
            folder=folder,
            occasions=opened.profile.occasions,
            papers=_papers(folder, _purpose),
            record_written=_written(folder / RECORD_FILE),
            of_mail=_papers(mail_folder_of(folder), partial(_purpose_of_mail, people=_people(folder))),
            others=[other for other in packets_of(opened.town.folder) if other != name],
            compared=compared,
            faults=faults,
            links={},
            **more,
        )


def _files(folder: Path) -> list[Path]:
    """Return the files of a folder, by name; none where there is no folder."""
    if not folder.is_dir():
        return []
    return sorted((one for one in folder.iterdir() if one.is_file() and not one.is_symlink()), key=lambda one: one.name)


class _Papers(Struct, frozen=True):
    """Files of a folder that are one paper: what it is for, and each file with its size in words and the day that the file has."""

    purpose: str
    files: "list[tuple[str, str, date]]"


def _papers(folder: Path, purpose_of: "Callable[[str], tuple[int, str]]") -> list[_Papers]:
    """Return the papers of a folder in their places, the files of one paper together; ``purpose_of`` returns place and purpose of a file."""
    found: dict[tuple[int, str], list[tuple[str, str, date]]] = {}
    for one in _files(folder):
        size = f"{max(1, round(one.stat().st_size / 1024)):,} KB"
        found.setdefault(purpose_of(one.name), []).append((one.name, size, _written(one)))
    return [_Papers(purpose, files) for (_, purpose), files in sorted(found.items(), key=lambda pair: pair[0])]


def _written(file: Path) -> date:
    """Return the day that a file has, by the clock of this computer; a copy may have that of the copying, so no page tells it as the packet's own."""
    return datetime.fromtimestamp(file.stat().st_mtime).astimezone().date()


_BEFORE = re.compile(r"-before-\d+(?=\.\w+$)")
"""What stands in the name of a paper that another one has taken the place of."""
_LAST_PLACE = 10_000


def _purpose(name: str) -> tuple[int, str]:
    """Return the place of a file among the papers of a packet, and what it is for, as its paper has registered it."""
    plain = _BEFORE.sub("", name)
    one = paper_of(plain)
    if one is None:
        return _LAST_PLACE, "Not made with this packet: somebody has put it here."
    return (one.place, one.purpose) if plain == name else (_LAST_PLACE - 1, "Earlier ones, kept when they were made again.")


_AFFIDAVIT = re.compile(r"affidavit-(\w+)\.")
_SECOND_LETTER = re.compile(r"letter-(\d+)-(\d+)\.")


def _purpose_of_mail(name: str, people: "Mapping[int, str]") -> tuple[int, str]:
    """Return the same for a paper of the mailing; ``people`` are those of the list, by number."""
    plain = _BEFORE.sub("", name)
    if plain != name:
        return _LAST_PLACE - 1, "Earlier ones, kept when they were made again."
    if found := _AFFIDAVIT.match(plain):
        return 1, f"Affidavit of {found[1]}, filled in from the mail: to be sworn and signed before a notary."
    if found := _SECOND_LETTER.match(plain):
        number = int(found[1])
        who = f" {people[number]} (No. {number} on the list)" if number in people else f" No. {number} on the list"
        return 1000 + number, f"Letter {found[2]} to{who}, at the corrected address."
    return _purpose(name)


def _people(folder: Path) -> dict[int, str]:
    """Return the first name line of each recipient of a packet, by number."""
    record = json.loads((folder / RECORD_FILE).read_bytes())
    return {int(one["number"]): one["name"] for one in record["recipients"] if one["name"]}


@router.get("/packet/file")
def paper(request: Request) -> Response:
    """Return one paper of a packet, or of its mailing."""
    folder, name = packet_named(desk_of(request), request.query_params.get("name", "")), request.query_params.get("file", "")
    place = mail_folder_of(folder) if request.query_params.get("of") == "mail" else folder
    if name not in {one.name for one in _files(place)}:
        raise UsageError(Fault(what="there is no such paper in this packet", remedy="choose one in its list"))
    return attached((place / name).read_bytes(), name)


@router.get("/packet/zip")
def archive(request: Request) -> Response:
    """Return a packet as one archive."""
    folder = packet_named(desk_of(request), request.query_params.get("name", ""))
    headers = {"content-disposition": f'attachment; filename="{folder.name}.zip"'}
    return Response(zip_packet(folder), media_type="application/zip", headers=headers)


@router.get("/packet/compare")
def compare(request: Request) -> Response:
    """Hold the list that was mailed against the one of today, or against a later packet."""
    desk, asked = desk_of(request), request.query_params
    folder, other = packet_named(desk, asked.get("name", "")), asked.get("other", "")
    try:
        if other:
            later = packet_named(desk, other)
            return _page(request, compared=compare_lists(folder, later, on=desk.today()), compared_with=other)
        with desk.open() as opened:
            found, _ = compare_with_town(opened, folder, on=desk.today())
    except UsageError as error:
        return _page(request, faults=error.faults, compared_with=other)
    return _page(request, compared=found, compared_with="")


@router.post("/packet/supplement")
def supplement(request: Request) -> Response:
    """Begin to make the packet for those alone to whom a letter is still due."""
    desk, session = desk_of(request), session_of(request)
    name = next(iter(fields_of(request).get("name", ())), "")
    folder = packet_named(desk, name)
    back = packet_link("/packet/compare", name)
    if not session.name:
        return who_first(back)
    job = Job(f"Supplement to {name}", back)
    return see_other(f"/jobs/{desk.jobs.start(job, _supplement(desk, folder, on=desk.today())).id}")


def _supplement(desk: Desk, folder: Path, *, on: "date") -> "Callable[[Callable[[str], None]], MadePacket]":
    def work(progress: "Callable[[str], None]") -> MadePacket:
        with desk.open() as opened:
            found, noticed = compare_with_town(opened, folder, on=on)
            out = _free(folder.with_name(f"{folder.name}-supplement-{on.isoformat()}"))
            return MadePacket(out, write_supplement(opened, noticed, found, out, first=folder, progress=progress))

    return work


def _free(folder: Path) -> Path:
    """Return a name beside this one that no folder has: a supplement that was mailed stays what it was."""
    number, free = 1, folder
    while free.exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free
