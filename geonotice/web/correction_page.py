"""Put right what the layers and the roll have wrong of a parcel, where a warning asks for it: written to the town's corrections file with name, day and reason."""

from collections import defaultdict
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.corrections import ADDED_FIELDS, SITUS_FIELDS
from geonotice.errors import CorrectionsError, UsageError
from geonotice.packet.sentences import count
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.rendering import correction_link, local_path, page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.corrections import begin_corrections, correct, corrections_of, stated_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.errors import Fault
    from geonotice.opened_town import Opened

__all__ = ["router"]

router = APIRouter()


@router.get("/correct")
def show(request: Request) -> Response:
    """Show what is known of a parcel's owners and its own address, to be put right."""
    asked = request.query_params
    with desk_of(request).open() as opened:
        return _page(request, opened, asked.get("parcel", ""), back=asked.get("back", "/"))


def _page(
    request: Request,
    opened: "Opened",
    number: str,
    *,
    back: str,
    typed: "Mapping[str, str] | None" = None,
    faults: "Sequence[Fault]" = (),
) -> Response:
    parcel = opened.store.find(number, any_layer=True)
    owners = opened.store.owners_of([parcel.fid])[parcel.fid]
    known = stated_values(parcel, owners) or {}
    if not owners:
        known = dict.fromkeys(("owner", "address", "city", "state", "zip", "country"), "") | known
    return page(
        request,
        "correct.html",
        status=400 if faults else 200,
        town=opened.town.name,
        parcel=parcel,
        owners=owners,
        known=known,
        typed=defaultdict(str, known | dict(typed or {})),
        situs=SITUS_FIELDS,
        added=ADDED_FIELDS,
        back=local_path(back),
        named=opened.town.corrections is not None,
        there=opened.corrections.applied.get(parcel.fid, ()) if opened.corrections else (),
        asks_to_replace=any(fault.key == "--replace" for fault in faults),
        **shown_faults(faults),
    )


@router.post("/correct")
def write(request: Request) -> Response:
    """Write what was found out into the corrections file."""
    given, session, desk = fields_of(request), session_of(request), desk_of(request)
    values = Values(given)
    number, back = values.text("parcel"), local_path(values.text("back"))
    if not session.name:
        return who_first(correction_link(number, back))
    with desk.open() as opened:
        parcel = opened.store.find(number, any_layer=True)
        owners = opened.store.owners_of([parcel.fid])[parcel.fid]
        fields = [*(stated_values(parcel, owners) or ()), *ADDED_FIELDS]
        if not owners:
            fields += ["owner", "address", "city", "state", "zip", "country"]
        typed = {name: values.paragraph(name) for name in fields if name in given}
        # Nothing is known of a parcel without an owner: what stays empty there is no value.
        typed = {name: text for name, text in typed.items() if text or (owners and name not in ADDED_FIELDS)}
        typed |= {name: values.text(name) for name in given if name.startswith("not_mailed") and values.text(name)}
        try:
            rows = corrections_of(parcel, owners, typed, by=session.name, on=desk.today(), why=values.text("why"))
            file, replaced = correct(opened, rows, replace=values.ticked("replace"))
        except (UsageError, CorrectionsError) as error:
            return _page(request, opened, number, back=back, typed=values.raw(), faults=error.faults)
    instead = f", in the place of {count(replaced, 'earlier one')}" if replaced else ""
    session.said.append(
        f"{count(len(rows), 'row')} written to {file.name} for {parcel.id}{instead}. The list is made anew with it."
    )
    return see_other(back)


@router.post("/correct/begin")
def begin(request: Request) -> Response:
    """Name a corrections file in the town file, and make it."""
    session, desk, values = session_of(request), desk_of(request), Values(fields_of(request))
    number, back = values.text("parcel"), correction_link(values.text("parcel"), local_path(values.text("back")))
    if not session.name:
        return who_first(back)
    try:
        file = begin_corrections(desk.place)
    except UsageError as error:
        with desk.open() as opened:
            return _page(request, opened, number, back=values.text("back"), faults=error.faults)
    session.said.append(f"The town file names {file.name} now.")
    return see_other(back)
