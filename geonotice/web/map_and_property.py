"""The map of the town, the search, and the page of a property: pieces of the map by box, answers as one types, and the card beside the map."""

from typing import Any

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.warning_ranks import causes, named
from geonotice.web.desk import desk_of
from geonotice.web.rendering import for_htmx, fragment, page
from geonotice.workflow.property_sheet import property_sheet
from geonotice.workflow.town_view import packed, permits_of_year, search_town, view_of

__all__ = ["router"]

router = APIRouter()

_SHORTEST = 2
"""Letters before a search is made while somebody still types: one letter is in everything."""
_LONGEST = 200


@router.get("/")
def show(request: Request) -> Response:
    """Show the map."""
    desk = desk_of(request)
    with desk.open() as opened:
        return page(request, "map.html", town=opened.town.name, box=desk.box(opened), year=desk.today().year)


@router.get("/map/view")
def view(request: Request) -> Response:
    """Return what a box of the map shows, for the map's script."""
    asked = request.query_params
    try:
        west, south, east, north = (float(part) for part in asked.get("box", "").split(","))
        pixel_ft = float(asked.get("pixel_ft", ""))
    except ValueError:
        raise UsageError(Fault(what="this is no piece of a map", remedy="load the page again")) from None
    with desk_of(request).open() as opened:
        found = view_of(opened, (west, south, east, north), pixel_ft=pixel_ft)
    shown = {
        "unit": found.unit_ft,
        "parcels": found.parcels,
        "count": found.count,
        "layers": found.layers,
        "left_out": found.left_out,
    }
    return Response(
        msgspec.json.encode(shown), media_type="application/json"
    )  # in a tenth of the time that the standard library takes


@router.get("/map/permits")
def permits(request: Request) -> Response:
    """Return the lots with a permit of this year, for the map's script."""
    desk = desk_of(request)
    with desk.open() as opened:
        found = permits_of_year(opened, desk.today().year)
    return Response(msgspec.json.encode({"unit": 0.1, "shapes": found}), media_type="application/json")


@router.get("/search")
def search(request: Request) -> Response:
    """Answer a search: as a list under the field while somebody types, as a page where a form is sent.

    With ``pick`` the answers choose premises in place of opening their pages.
    """
    text = request.query_params.get("q", "").strip()[:_LONGEST]
    pick = request.query_params.get("pick") == "yes"
    desk = desk_of(request)
    with desk.open() as opened:
        enough = len(text) >= _SHORTEST or (bool(text) and not for_htmx(request))
        found, total = search_town(opened, text, index=desk.index(opened)) if enough else ((), 0)
        if pick:
            found = tuple(one for one in found if one.kind == "parcel")
        shown: dict[str, Any] = {"found": found, "total": total, "text": text, "enough": enough, "pick": pick}
        if for_htmx(request):
            return fragment("hits.html", **shown)
        return page(request, "search.html", town=opened.town.name, **shown)


@router.get("/property")
def show_property(request: Request) -> Response:
    """Show all that is known of a property."""
    desk = desk_of(request)
    on = desk.today()
    with desk.open() as opened:
        sheet = property_sheet(opened, request.query_params.get("parcel", ""), on=on)
        shape = opened.store.geometries([sheet.parcel.fid])
        return page(
            request,
            "property.html",
            town=opened.town.name,
            sheet=sheet,
            on=on,
            capped=bool(opened.profile.of_kind("cap")),
            occasions=opened.profile.occasions,
            warnings=[(cause, named(cause)) for cause in causes(sheet.warnings)],
            shapes={"unit": 0.1, "shapes": [["premises", sheet.parcel.id, "", packed(shape)[0]]]},
            box=[float(side) for side in shape[0].bounds],
            to_come=[one for one in sheet.permits or () if one.status == "issued" and (one.ends or one.starts or on) >= on],
            past=[one for one in sheet.permits or () if one.status != "issued" or (one.ends or one.starts or on) < on],
        )


@router.get("/property/card")
def card(request: Request) -> Response:
    """Return what stands beside the map when a parcel is clicked."""
    desk = desk_of(request)
    with desk.open() as opened:
        parcel = opened.store.find(request.query_params.get("parcel", ""), any_layer=True)
        owners = opened.store.owners_of([parcel.fid])[parcel.fid]
        premises = request.query_params.get("for") == "premises"
        return fragment("card.html", parcel=parcel, owners=owners, own=parcel.layer == 0, for_premises=premises)
