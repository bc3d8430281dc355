"""The page of a property, and the card of it beside the map."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.warning_ranks import causes, named
from geonotice.web.desk import desk_of
from geonotice.web.rendering import fragment, page
from geonotice.workflow.property_sheet import property_sheet
from geonotice.workflow.town_view import packed

__all__ = ["router"]

router = APIRouter()


@router.get("/property")
def show(request: Request) -> Response:
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
