"""The notice desk: from premises and an occasion to a list, and from a list that was read to a packet."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.facts.contiguous import contiguous_land
from geonotice.opened_town import find_premises
from geonotice.packet.sentences import counts_line, occasion_line, required_line
from geonotice.result_warnings import RANK_WORDS, by_rank, causes
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.jobs import Job
from geonotice.web.notice_form import NoticeForm, changed_form, read_form
from geonotice.web.rendering import for_htmx, fragment, page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.notice import Noticed, make_notice, open_questions
from geonotice.workflow.read_packet import MadePacket, fingerprint, make_read_packet, require_read, zip_packet
from geonotice.workflow.town_view import packed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened

__all__ = ["router"]

router = APIRouter()

_FIELDS = {"for": "occasion", "hearing": "hearing", "event": "event", "q": "find", "list": "list", "warnings": "warnings"}
"""The field that a fault's key means, where its id is another one."""


@router.get("/notice")
def show(request: Request) -> Response:
    """Show the form, and the list where enough is known for one."""
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    desk = desk_of(request)
    form = read_form(given)
    with desk.open() as opened:
        try:
            changed = changed_form(opened, form, given)
        except UsageError as error:
            return _page(request, opened, read_form(given), faults=error.faults, typed=given)
        if changed is not None:
            form = changed
        if form.changed and not session_of(request).name:
            return who_first(form.link)
        # The address bar then holds the list itself, and loading the page again presses no button again.
        return _page(request, opened, form) if changed is None else see_other(form.link)


@router.post("/notice/packet")
def make(request: Request) -> Response:
    """Begin to make the packet of a list that was read."""
    given = fields_of(request)
    desk, session = desk_of(request), session_of(request)
    form = read_form(given)
    if not session.name:
        return who_first(form.link)
    on = desk.today()
    seen, read = next(iter(given.get("seen", ())), ""), {int(rank) for rank in given.get("read", ()) if rank.isdecimal()}
    with desk.open() as opened:
        try:
            noticed = make_notice(opened, find_premises(opened, form.parcels), form.request(opened, on=on, by=session.name))
            require_read(noticed.notice, seen=seen, read=read)
        except UsageError as error:
            return _page(request, opened, form, faults=error.faults, status=400)
        title = occasion_line(noticed.notice)
    return see_other(
        f"/jobs/{desk.jobs.start(Job(title, form.link), _work(desk, form, on=on, by=session.name, seen=seen, read=read)).id}"
    )


def _work(
    desk: Desk, form: NoticeForm, *, on: "date", by: str, seen: str, read: set[int]
) -> "Callable[[Callable[[str], None]], MadePacket]":
    """Return the work: in a thread of its own it opens the town anew, and makes the list again."""

    def work(progress: "Callable[[str], None]") -> MadePacket:
        with desk.open() as opened:
            premises = find_premises(opened, form.parcels)
            return make_read_packet(opened, premises, form.request(opened, on=on, by=by), seen=seen, read=read, progress=progress)

    return work


@router.get("/jobs/{id_}")
def follow(request: Request, id_: str) -> Response:
    """Show how far a packet is, and where it is when it is made."""
    desk = desk_of(request)
    job = _job(desk, id_)
    if for_htmx(request):
        return fragment("job.html", job=job, **_made(job))
    with desk.open() as opened:
        return page(request, "job_page.html", town=opened.town.name, job=job, **_made(job))


@router.get("/jobs/{id_}/packet.zip")
def download(request: Request, id_: str) -> Response:
    """Return the packet as one archive."""
    job = _job(desk_of(request), id_)
    if not isinstance(job.result, MadePacket):
        raise UsageError(Fault(what="this packet is not made yet, or was not made", remedy="look at its page"))
    folder = job.result.folder
    headers = {"content-disposition": f'attachment; filename="{folder.name}.zip"'}
    return Response(zip_packet(folder), media_type="application/zip", headers=headers)


def _job(desk: Desk, id_: str) -> Job:
    job = desk.jobs.find(id_)
    if job is None:
        what = "this work is not known any more: the desk was started again since, or much was made after it"
        raise UsageError(Fault(what=what, remedy="a packet that was made is in the town's folder packets"))
    return job


def _made(job: Job) -> dict[str, Any]:
    made = job.result if isinstance(job.result, MadePacket) else None
    return {"made": made, "counts": counts_line(made.written.notice) if made else ""}


@dataclass(slots=True)
class _Shown:
    """What a page shows of a list."""

    noticed: Noticed | None = None
    premises: "tuple[Parcel, ...]" = ()
    beside: "tuple[Parcel, ...]" = ()
    faults: list[Fault] = field(default_factory=list)


def _look(opened: "Opened", form: NoticeForm, *, on: "date", by: str) -> _Shown:
    """Make the list as far as the form goes, and keep what stands in its way."""
    shown = _Shown()
    if not form.parcels:
        return shown
    try:
        shown.premises = find_premises(opened, form.parcels)
        shown.beside = contiguous_land(opened, shown.premises)
    except UsageError as error:
        shown.faults += error.faults
        return shown
    if not form.occasion and not form.hearing and not form.event:
        return shown  # the form is half filled in, which is no mistake
    try:
        shown.noticed = make_notice(opened, shown.premises, form.request(opened, on=on, by=by))
    except UsageError as error:
        shown.faults += error.faults
    return shown


def _page(
    request: Request,
    opened: "Opened",
    form: NoticeForm,
    *,
    faults: "Sequence[Fault]" = (),
    typed: "Mapping[str, Sequence[str]] | None" = None,
    status: int = 200,
) -> Response:
    desk, session = desk_of(request), session_of(request)
    on = desk.today()
    shown = _look(opened, form, on=on, by=session.name)
    told = list(dict.fromkeys([*faults, *shown.faults]))
    return page(
        request,
        "notice.html",
        status=status if not shown.faults else 400,
        town=opened.town.name,
        form=form,
        typed={name: next(iter((typed or {}).get(name, ())), "") for name in ("q", "change", "change_parcel", "change_why")},
        occasions=opened.profile.occasions,
        on=on,
        faults=told,
        links={fault: _FIELDS.get(fault.key, fault.key) for fault in told if fault.key},
        premises=shown.premises,
        beside=shown.beside,
        box=desk.box(opened),
        **_list(shown.noticed),
    )


def _list(noticed: Noticed | None) -> dict[str, Any]:
    """Return what the page shows of a list: its sentences, its warnings by rank, a row for each parcel, and the shapes on the map."""
    if noticed is None:
        return {"notice": None, "shapes": {"unit": 0.1, "shapes": []}}
    notice = noticed.notice
    numbers: dict[str, list[int]] = {}
    for recipient in notice.recipients:
        for id_ in recipient.parcels:
            numbers.setdefault(id_, []).append(recipient.number)
    words = {clause.rule: clause.words for clause in notice.clauses}
    return {
        "notice": notice,
        "heading": occasion_line(notice),
        "required": required_line(notice),
        "counts": counts_line(notice),
        "ranks": [(rank, RANK_WORDS[rank], those) for rank, those in by_rank(causes(notice.warnings))],
        "questions": open_questions(notice),
        "seen": fingerprint(notice),
        "deadlines": sorted(noticed.deadlines, key=lambda one: one.suggested),
        "rows": [
            {
                "parcel": parcel,
                "numbers": numbers.get(parcel.id, []),
                "owners": [" / ".join(owner.names) for owner in noticed.owners.get(parcel.fid, ()) if owner.names],
                "words": words.get(parcel.rule, ""),
            }
            for parcel in notice.parcels
        ],
        "shapes": _shapes_of(noticed, numbers),
    }


def _shapes_of(noticed: Noticed, numbers: dict[str, list[int]]) -> dict[str, Any]:
    notice, measured = noticed.notice, noticed.measured
    fids = {record.id: fid for fid, record in measured.records.items()}
    drawn: list[tuple[str, str, str, Any]] = []
    if noticed.radius_ft is not None:
        drawn.append(("radius", "", "", measured.line.buffer(noticed.radius_ft, quad_segs=32)))
    drawn += [("near_miss", one.id, "", measured.geometries[fids[one.id]]) for one in notice.near_misses if one.id in fids]
    for parcel in notice.parcels:
        label = ", ".join(map(str, numbers.get(parcel.id, ())))
        drawn.append((parcel.relation, parcel.id, label, measured.geometries[parcel.fid]))
    drawn += [("premises", parcel.id, "Premises", measured.geometries[parcel.fid]) for parcel in measured.premises]
    shapes = packed([shape for *_, shape in drawn])
    return {
        "unit": 0.1,
        "shapes": [(kind, id_, label, shape) for (kind, id_, label, _), shape in zip(drawn, shapes, strict=True)],
    }
