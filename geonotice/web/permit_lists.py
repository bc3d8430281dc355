"""Permits and applications, to be looked at."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.web.desk import desk_of
from geonotice.web.rendering import page

__all__ = ["router"]

router = APIRouter()


@router.get("/permits")
def permits(request: Request) -> Response:
    """List the permits of a year, and the applications."""
    from geonotice.register.applications import list_applications, state_of_application
    from geonotice.register.permits import list_permits
    from geonotice.register.session import read_town_register
    from geonotice.workflow.town_view import stated

    desk = desk_of(request)
    text = request.query_params.get("year", "") or str(desk.today().year)
    if not (text.isascii() and text.isdigit() and len(text) == len("2026")):
        raise UsageError(Fault(what="this is no year", remedy="write it as 2026"))
    year = int(text)
    with desk.open() as opened, read_town_register(opened.town) as register:
        return page(
            request,
            "permits.html",
            town=opened.town.name,
            year=year,
            there=register.there,
            permits=list_permits(register, year=year),
            applications=[
                (one, state_of_application(one), stated(one, "event", "title"), stated(one, "applicant", "name"))
                for one in list_applications(register)
            ],
            warnings=register.warnings,
        )
