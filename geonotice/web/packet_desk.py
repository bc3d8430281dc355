"""The packets of a town: what is in each, its papers, the list that was mailed held against the one of today, and a supplementary packet."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.packet.record import RECORD_FILE
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.jobs import Job
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.compare import compare_lists, compare_with_town, write_supplement
from geonotice.workflow.packet_record import packets_of
from geonotice.workflow.read_packet import MadePacket, zip_packet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

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


def _day(text: str | None) -> "date | None":
    from datetime import date

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
            papers=_papers(folder),
            of_mail=_papers(mail_folder_of(folder)),
            others=[other for other in packets_of(opened.town.folder) if other != name],
            compared=compared,
            faults=faults,
            links={},
            **more,
        )


def _papers(folder: Path) -> list[tuple[str, str]]:
    """Return the files of a folder with their sizes in words."""
    if not folder.is_dir():
        return []
    files = sorted((one for one in folder.iterdir() if one.is_file() and not one.is_symlink()), key=lambda one: one.name)
    return [(one.name, f"{max(1, round(one.stat().st_size / 1024)):,} KB") for one in files]


@router.get("/packet/file")
def paper(request: Request) -> Response:
    """Return one paper of a packet, or of its mailing."""
    folder, name = packet_named(desk_of(request), request.query_params.get("name", "")), request.query_params.get("file", "")
    place = mail_folder_of(folder) if request.query_params.get("of") == "mail" else folder
    if name not in dict(_papers(place)):
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
