"""Forms that are not finished: saved at every field, found again on another day, forgotten when they are done or not wanted any more.

A page gives its form ``data-draft`` (the kind), ``data-draft-id`` and ``data-draft-title``; the script of the desk does the rest.
"""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from geonotice.errors import GeonoticeError
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.form_values import plain
from geonotice.web.kept import Draft
from geonotice.web.rendering import local_path, see_other

__all__ = ["router"]

router = APIRouter()

_LONGEST_TITLE = 200


@router.post("/drafts")
def save(request: Request) -> Response:
    """Save a form as far as it is filled in; the answer is a sentence for the page."""
    given = dict(fields_of(request))
    kind, id_, title = (next(iter(given.pop(name, ())), "") for name in ("draft_kind", "draft_id", "draft_title"))
    now = desk_of(request).now()
    draft = Draft(
        kind=kind,
        id=id_,
        by=session_of(request).name,
        title=title[:_LONGEST_TITLE],
        saved=now,
        fields=tuple((name, value) for name, values in given.items() for value in values if value),
    )
    try:
        desk_of(request).kept.save(draft)
    except GeonoticeError as error:
        return JSONResponse({"saved": False, "said": " ".join(str(plain(fault)) for fault in error.faults)})
    return JSONResponse({"saved": True, "said": f"Saved at {now:%I:%M %p}.".replace(" 0", " ")})


@router.post("/drafts/discard")
def discard(request: Request) -> Response:
    """Forget a form that is not wanted any more."""
    given = fields_of(request)
    kind, id_, place = (next(iter(given.get(name, ())), "") for name in ("draft_kind", "draft_id", "next"))
    desk_of(request).kept.discard(session_of(request).name, kind, id_)
    return see_other(local_path(place))
