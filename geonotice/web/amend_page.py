"""A permit is amended with its site drawn again: the form of its application, filled in with what was drawn, checked as the amendment, and written."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.decide.event_form import asked_of_applicant
from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.web.application_answers import fields_of_answers
from geonotice.web.application_form import KIND, form_link, read_answers, refilled
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.kept import Draft, new_id
from geonotice.web.permit_lists import asked_of, number_asked
from geonotice.web.permit_page import permit_link
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from datetime import date

    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Changed, Permit
    from geonotice.workflow.application_drafts import Sketch

__all__ = ["router"]

router = APIRouter()


@router.get("/permit/draw")
def draw(request: Request) -> Response:
    """Begin an amendment from what was drawn: the form of the application as a draft, with what the permit says by now."""
    from geonotice.register.applications import application_of_permit
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_drafts import last_stated, sketch_of_file

    desk, session, values = desk_of(request), session_of(request), asked_of(request)
    number = number_asked(values)
    if not session.name:
        return who_first(f"/permit/draw?{request.url.query}")
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, log = look_up(register.required(), number)
        filed = application_of_permit(register, permit.number)
        if filed is None:
            what = f"permit {permit.number} was issued without an application, so nothing is drawn for it"
            raise UsageError(Fault(what=what, remedy="amend it by its fields"))
        data, event, folder = last_stated(opened, filed, permit.number)
        fields = fields_of_answers(asked_of_applicant(opened.profile), data)
        fields["premises.layout"], fields["parade.route"] = ([text] for text in sketch_of_file(opened, event, folder))
        fields |= _as_amended(permit, fields)
    fields |= {"amends": [permit.number], "seen": [log[-1].hash if log else ""]}
    draft = Draft(
        kind=KIND,
        id=new_id(),
        by=session.name,
        title=f"Amendment of {permit.number}",
        saved=desk.now(),
        fields=tuple((name, value) for name, those in fields.items() for value in those if value),
    )
    desk.kept.save(draft)
    return see_other(form_link(draft.id))


def _as_amended(permit: "Permit", fields: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the fields that the permit says otherwise by now than its application: earlier amendments changed it."""
    found: dict[str, list[str]] = {"premises.parcels": list(permit.parcels)}
    if permit.starts and fields.get("event.starts") and fields["event.starts"] != [permit.starts.isoformat()]:
        found["event.starts"] = [permit.starts.isoformat()]
        if fields.get("event.ends"):
            found["event.ends"] = [(permit.ends or permit.starts).isoformat()]
    return found


@router.post("/permit/draw")
def amend(request: Request) -> Response:
    """Look at the amendment, and write it when it was looked at."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register

    desk, session, given = desk_of(request), session_of(request), dict(fields_of(request))
    values = Values(given)
    number, draft = values.text("amends", most=200), values.text("draft", most=40)
    if not session.name:
        return who_first(form_link(draft))
    desk.kept.require_form(KIND, draft)
    with desk.open() as opened, read_town_register(opened.town) as register:
        _, log = look_up(register.required(), number)
        head = log[-1].hash if log else ""
        try:
            if values.text("seen", most=100) != head:
                what = f"permit {number} was changed since this form was begun"
                raise UsageError(Fault(what=what, remedy="begin the amendment anew from the page of the permit"))
            if not values.text("reason"):
                values.fault("reason", "no reason is given", "type it; the log and the amendment have it")
            filed = values.day("filed", "the day the change was filed")
            values.require()
            given, stated = read_answers(opened, given)
            changed = _amended(request, opened, register, values, stated, filed=filed)
        except GeonoticeError as error:
            return refilled(request, opened, given, draft=draft, faults=error.faults)
        if values.ticked("confirmed"):
            desk.kept.discard(KIND, draft)
            return see_other(permit_link(number, done="amend"))
        return _look(request, opened, changed, given, draft)


def _amended(
    request: Request,
    opened: "Opened",
    register: "Register",
    values: Values,
    stated: "tuple[dict[str, Any], Sketch, Sketch]",
    *,
    filed: "date | None",
) -> "Changed":
    """Amend the permit, or look at it: the event file and the drawings lie where an amendment keeps them, or where nothing stays."""
    from geonotice.workflow.application_drafts import write_amended
    from geonotice.workflow.permit_changes import ChangingOptions, amend_permit

    desk, write, number = desk_of(request), values.ticked("confirmed"), values.text("amends", most=200)
    with TemporaryDirectory() as room:
        folder = None if write else Path(room) / "look"
        event = write_amended(opened, *stated, number=number, now=desk.now(), folder=folder)
        try:
            return amend_permit(
                opened,
                register,
                ChangingOptions(
                    number=number,
                    event=event,
                    filed=filed,
                    on=desk.today(),
                    reason=values.text("reason"),
                    by=session_of(request).name,
                    now=desk.now(),
                    override=values.text("override"),
                    preview=not write,
                ),
            )
        except GeonoticeError:
            # Nothing was amended: what was written for it is nobody's.
            for file in event.parent.iterdir():
                file.unlink()
            event.parent.rmdir()
            raise


def _look(request: Request, opened: "Opened", changed: "Changed", given: dict[str, list[str]], draft: str) -> Response:
    from geonotice.register.amendments import change_lines
    from geonotice.warning_ranks import causes
    from geonotice.workflow.permit_changes import looked_at

    hidden = [(name, value) for name, those in given.items() for value in those if name not in {"token", "confirmed", "q"}]
    return page(
        request,
        "amend_drawn.html",
        town=opened.town.name,
        permit=changed.before,
        lines=change_lines(changed.changes),
        against=changed.against,
        told=causes(changed.check.warnings),
        looked=looked_at(opened.profile, changed, "amend"),
        hidden=hidden,
        typed={name: next(iter(given.get(name, ())), "") for name in ("reason", "override")},
        back=form_link(draft),
        **shown_faults(()),
    )
