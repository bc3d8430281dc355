"""What is under way: forms that are not finished, saved at every field and found again by a colleague; and long work, with how far it is and what came out.

A page gives its form ``data-draft`` (the kind), ``data-draft-id``, ``data-draft-title`` and ``data-draft-seen``, the seal of the form that it shows; the
script of the desk does the rest. Of two who change one form at once, the later reads that it is not saved.
"""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.packet.sentences import counts_line
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import plain
from geonotice.web.jobs import Job
from geonotice.web.kept import Draft
from geonotice.web.packet_desk import packet_link
from geonotice.web.rendering import for_htmx, fragment, local_path, page, see_other
from geonotice.web.roles_and_sessions import Session
from geonotice.workflow.read_packet import MadePacket, zip_packet

__all__ = ["router"]

router = APIRouter()

_LONGEST_TITLE = 200


@router.post("/drafts")
def save(request: Request) -> Response:
    """Save a form as far as it is filled in; the answer is a sentence for the page, and the seal of what is saved."""
    given = dict(fields_of(request))
    kind, id_, title, seen = (
        next(iter(given.pop(name, ())), "") for name in ("draft_kind", "draft_id", "draft_title", "draft_seen")
    )
    desk, session = desk_of(request), session_of(request)
    if not session.name:
        # Nothing is wrong: who only looks needs no name. So it is said quietly, and where a name is asked for.
        said = "Not saved yet: choose “Your name” at the top, and the form is saved from then on."
        return JSONResponse({"saved": False, "nameless": True, "said": said})
    now = desk.now()
    draft = Draft(
        kind=kind,
        id=id_,
        by=session.name,
        title=title[:_LONGEST_TITLE],
        saved=now,
        fields=tuple((name, value) for name, values in given.items() for value in values if value),
    )
    try:
        _require_own(desk, session, kind, id_)
        desk.kept.save(draft, seen=seen)
    except GeonoticeError as error:
        return JSONResponse({"saved": False, "said": " ".join(str(plain(fault)) for fault in error.faults)})
    return JSONResponse({"saved": True, "seen": draft.seal, "said": f"Saved at {now:%I:%M %p}.".replace(" 0", " ")})


@router.post("/drafts/discard")
def discard(request: Request) -> Response:
    """Forget a form that is not wanted any more."""
    given = fields_of(request)
    kind, id_, place = (next(iter(given.get(name, ())), "") for name in ("draft_kind", "draft_id", "next"))
    desk = desk_of(request)
    _require_own(desk, session_of(request), kind, id_)
    desk.kept.discard(kind, id_)
    return see_other(local_path(place))


def _require_own(desk: Desk, session: Session, kind: str, id_: str) -> None:
    """Refuse a viewer who changes a form of somebody else's.

    Raises
    ------
    UsageError
        It is not the viewer's own.
    """
    if session.role != "viewer":
        return
    there = desk.kept.draft(kind, id_)
    if there is not None and there.by != session.name:
        what = f"this form is {there.by}'s, and you are signed in as a viewer"
        raise UsageError(Fault(what=what, remedy="begin one of your own, or ask a clerk"))


# ---- long work


@router.get("/jobs/{id_}")
def follow(request: Request, id_: str) -> Response:
    """Show how far a packet is, and where it is when it is made."""
    desk = desk_of(request)
    job = _job(desk, id_)
    if for_htmx(request):
        return fragment("job.html", job=job, **_made(desk, job))
    with desk.open() as opened:
        return page(request, "job_page.html", town=opened.town.name, job=job, **_made(desk, job))


@router.get("/jobs/{id_}/wait")
def wait(request: Request, id_: str) -> Response:
    """Return how far a piece of work is; once it has ended, have the page shown that tells what came out."""
    job = _job(desk_of(request), id_)
    answer = fragment("job_wait.html", job=job)
    if job.ended:
        answer.headers["hx-redirect"] = job.after or job.back
    return answer


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


def _made(desk: Desk, job: Job) -> dict[str, Any]:
    made = job.result if isinstance(job.result, MadePacket) else None
    name = made.folder.relative_to(desk.place.parent).as_posix() if made else ""
    return {
        "made": made,
        "counts": counts_line(made.written.notice) if made else "",
        "to_packet": packet_link("/packet", name),
        "to_mail": packet_link("/packet/mail", name),
    }
