"""Read-only JSON for scripts, described by the OpenAPI document at ``/api/openapi.json``."""

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request

from geonotice.web.desk import desk_of
from geonotice.web.notice_form import NoticeForm
from geonotice.workflow.notice import make_notice
from geonotice.workflow.property import describe_parcel
from geonotice.workflow.town_view import search_town

__all__ = ["router"]

router = APIRouter(
    prefix="/api",
    responses={
        400: {"description": "What was asked cannot be meant: faults, in words."},
        404: {"description": "There is no such parcel."},
        503: {"description": "The town cannot be read."},
    },
)

_Number = Annotated[str, Query(description="A tax map number, in any spelling.", min_length=1, max_length=200)]


@router.get("/search")
def search(
    request: Request,
    q: Annotated[str, Query(description="A number, an address, an owner, a permit, an applicant.", max_length=200)],
) -> dict[str, Any]:
    """Search parcels, permits and applications."""
    desk = desk_of(request)
    with desk.open() as opened:
        found, total = search_town(opened, q, index=desk.index(opened))
    return {
        "found": [
            {"kind": one.kind, "title": one.title, "detail": one.detail, "parcel": one.parcel, "number": one.number}
            for one in found
        ],
        "total": total,
    }


@router.get("/property")
def property_(request: Request, parcel: _Number) -> dict[str, Any]:
    """Return what the layers hold of a property, as ``geonotice parcel --json`` does, without its permits."""
    with desk_of(request).open() as opened:
        return describe_parcel(opened, opened.store.find(parcel))


@router.get("/notice")
def notice(
    request: Request,
    parcel: Annotated[list[str], Query(description="The premises.", min_length=1, max_length=500)],
    occasion: Annotated[str, Query(alias="for", description="The occasion, as the ordinance calls it.", max_length=60)],
    *,
    hearing: Annotated[date | None, Query(description="The day of the hearing.")] = None,
    event: Annotated[date | None, Query(description="The first day of the event.")] = None,
    filed: Annotated[date | None, Query(description="The day the application was filed.")] = None,
) -> dict[str, Any]:
    """Return the list, as ``geonotice notice --json`` does."""
    from geonotice.packet.record import record

    desk = desk_of(request)
    form = NoticeForm(
        parcels=parcel,
        occasion=occasion,
        hearing=hearing.isoformat() if hearing else "",
        event=event.isoformat() if event else "",
        typed={"filed": filed.isoformat()} if filed else {},
    )
    with desk.open() as opened:
        stated = form.stated(opened)
        asked = form.request(opened, stated, on=desk.today(), by="")
        return record(make_notice(opened, form.premises(opened, stated), asked).notice)
