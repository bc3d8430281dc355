"""Forms that are not finished: saved at every field, found again on another day or by a colleague, forgotten when they are done or not wanted any more.

A page gives its form ``data-draft`` (the kind), ``data-draft-id``, ``data-draft-title`` and ``data-draft-seen``, the seal of the form that it shows; the
script of the desk does the rest. Of two who change one form at once, the later reads that it is not saved.
"""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import plain
from geonotice.web.kept import Draft
from geonotice.web.rendering import local_path, see_other
from geonotice.web.roles_and_sessions import Session

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
