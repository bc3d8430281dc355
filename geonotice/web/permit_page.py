"""One permit: what it permits, its papers and its history; amended, corrected, rescinded, voided, brought back. Each is looked at before it is written."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.application import EVENT_KINDS, OwnedBy
from geonotice.errors import Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError
from geonotice.web.desk import Desk, desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.permit_lists import asked_of, log_rows, number_asked
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from datetime import date

    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Changed, Entry, Permit
    from geonotice.workflow.permit_changes import ChangingOptions

__all__ = ["paper_response", "permit_link", "router"]

router = APIRouter()

_DONE = {
    "issued": "is issued",
    "amend": "is amended",
    "correct": "is corrected",
    "rescind": "is rescinded",
    "void": "is void",
    "reinstate": "is in force again",
}
_STATUS = {"rescind": ("issued",), "void": ("issued", "rescinded"), "reinstate": ("rescinded", "void")}
"""From which status a permit can be brought to another."""
_PAPERS = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_OF_DAYS = ("starts", "ends", "issued")
_OF_COUNTS = ("persons", "maximum_attendance", "distinct_events")
_OF_ANSWERS = ("night", "charitable", "primarily_benefits_applicant", "private_title")
_AMENDED = (
    "title", "kind", "starts", "ends", "yard_sale_days", "hours", "night", "persons", "maximum_attendance", "conditions", "parcels", "private_title",
)  # fmt: skip
_CORRECTED = (
    *_AMENDED, "applicant", "contact", "fee", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued",
)  # fmt: skip
_APART = frozenset({"parcels", "hours"})
"""What of a permit is handed on by itself, and not as the new value of a field."""


def permit_link(number: str, **more: str) -> str:
    """Return where the page of a permit is."""
    from urllib.parse import urlencode

    return "/permit?" + urlencode({"number": number, **more})


@router.get("/permit")
def show(request: Request) -> Response:
    """Show a permit with its history; after a change, what was done."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register

    desk, values = desk_of(request), asked_of(request)
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, log = look_up(register.required(), number_asked(values))
        done = _DONE.get(values.text("done"), "")
        return page(request, "permit.html", town=opened.town.name, done=done, **_shown(opened, register, permit, log))


def _shown(opened: "Opened", register: "Register", permit: "Permit", log: "tuple[Entry, ...]") -> dict[str, Any]:
    from geonotice.register.applications import application_of_permit

    filed = application_of_permit(register, permit.number)
    of_application = [] if filed is None else [filed.number]
    return {
        "permit": permit,
        "hash": log[-1].hash if log else "",
        "entries": log_rows(log[::-1]),
        "applications": of_application,
        "places": _places(opened, permit),
        "ways": [name for name, statuses in _STATUS.items() if permit.status in statuses],
    }


def _places(opened: "Opened", permit: "Permit") -> list[tuple[str, str]]:
    """Return the parcels of a permit with their addresses of today; a number of past years stands by itself."""
    found = []
    for number in permit.parcels:
        try:
            found.append((number, opened.store.find(number).situs.text))
        except UsageError:
            found.append((number, ""))
    return found


@router.get("/permit/paper")
def paper(request: Request) -> Response:
    """Return the paper of a permit: the permit itself, its last amendment, or of a rescinded one the rescission."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.print_permits import print_permit

    desk, values = desk_of(request), asked_of(request)
    number = number_asked(values)
    with desk.open() as opened, read_town_register(opened.town) as register, TemporaryDirectory() as folder:
        files, _ = print_permit(opened, register.required(), number, out=Path(folder), on=desk.today())
        return paper_response(files, values)


def paper_response(files: "tuple[Path, ...]", values: Values) -> Response:
    """Return one of the papers that were just made: that of the name and the ending that an address asks for."""
    ending = values.one_of("format", _PAPERS, "kind of file", otherwise="pdf")
    kind = values.text("paper", most=40)
    values.require()
    found = [file for file in files if file.suffix == f".{ending}" and file.name.startswith(kind)]
    if not found:
        raise UsageError(Fault(what="there is no such paper", remedy="go back and choose one"))
    # A PDF is shown, so that Ctrl+P prints it; a Word file is kept.
    how = "inline" if ending == "pdf" else "attachment"
    headers = {"content-disposition": f'{how}; filename="{found[0].name}"'}
    return Response(found[0].read_bytes(), media_type=_PAPERS[ending], headers=headers)


@router.get("/permit/change")
def change_form(request: Request) -> Response:
    """Show the form of an amendment or a correction, filled in with what the permit says."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register

    desk, values = desk_of(request), asked_of(request)
    number, how = number_asked(values), _how(values)
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, log = look_up(register.required(), number)
        typed = _typed(permit) | {"filed": desk.today().isoformat(), "seen": log[-1].hash if log else ""}
        return _change_page(request, opened, permit, how, typed=typed)


def _how(values: Values) -> str:
    how = values.one_of("how", ("amend", "correct"), "way to change a permit", otherwise="amend")
    values.require()
    return how


def _change_page(
    request: Request,
    opened: "Opened",
    permit: "Permit",
    how: str,
    *,
    typed: Mapping[str, str],
    faults: "list[Fault] | tuple[Fault, ...]" = (),
    preview: "Changed | None" = None,
    status: int = 200,
) -> Response:
    from geonotice.register.amendments import change_lines
    from geonotice.warning_ranks import causes
    from geonotice.workflow.permit_changes import looked_at

    asked = ("reason", "filed", "override", "seen")
    from geonotice.register.applications import application_of_permit
    from geonotice.register.session import read_town_register

    with read_town_register(opened.town) as register:
        filed = application_of_permit(register, permit.number) if how == "amend" else None
    return page(
        request,
        "permit_change.html",
        application=filed.number if filed else "",
        status=status,
        town=opened.town.name,
        permit=permit,
        how=how,
        typed=dict.fromkeys((*_CORRECTED, *asked), "") | dict(typed),
        kinds=EVENT_KINDS,
        owners=get_args(OwnedBy),
        preview=preview,
        lines=change_lines(preview.changes) if preview else (),
        told=causes(preview.check.warnings) if preview else (),
        looked=looked_at(opened.profile, preview, "amend" if how == "amend" else "correct") if preview else None,
        **shown_faults(faults, {"number": ""}),
    )


def _typed(permit: "Permit") -> dict[str, str]:
    """Return a permit's fields as a form holds them."""
    from geonotice.register.held_hours import sessions_text

    def words(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "" if value is None else str(value)

    typed = {name: words(getattr(permit, name)) for name in _CORRECTED if name not in {"parcels", "yard_sale_days", "hours"}}
    typed["hours"] = sessions_text(permit.hours)
    typed["parcels"] = "\n".join(permit.parcels)
    typed["yard_sale_days"] = ", ".join(day.isoformat() for day in permit.yard_sale_days)
    return typed


@router.post("/permit/change")
def change(request: Request) -> Response:
    """Look at a change, and write it when it was looked at."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permit_changes import amend_permit, correct_permit

    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    number, how = number_asked(values), _how(values)
    if not session.name:
        return who_first(f"/permit/change?{_query(number, how)}")
    act = amend_permit if how == "amend" else correct_permit
    write = values.ticked("confirmed")
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, log = look_up(register.required(), number)
        head = log[-1].hash if log else ""
        if values.text("seen", most=100) != head:
            # What was typed rests on what the permit said before: sent as it is, it would take back what somebody else wrote meanwhile.
            changed = Fault(
                what=f"permit {number} was changed since this form was opened", remedy="look at what it says now, and change that"
            )
            typed = _typed(permit) | {"filed": desk.today().isoformat(), "seen": head, "reason": values.text("reason")}
            return _change_page(request, opened, permit, how, typed=typed, faults=[changed], status=409)
        try:
            asked = _asked(desk, values, permit, how, by=session.name, preview=not write)
            done = act(opened, register, asked)
        except GeonoticeError as error:
            # What stands against it is shown again with the form: nothing was written.
            return _change_page(request, opened, permit, how, typed=values.raw(), faults=list(error.faults), status=400)
        if not write:
            return _change_page(request, opened, permit, how, typed=values.raw(), preview=done)
    return see_other(permit_link(number, done=how))


def _query(number: str, how: str) -> str:
    from urllib.parse import urlencode

    return urlencode({"number": number, "how": how})


def _asked(desk: Desk, values: Values, permit: "Permit", how: str, *, by: str, preview: bool) -> "ChangingOptions":
    """Return what of a permit is to change: the fields that say otherwise than it does.

    Raises
    ------
    UsageError
        A field cannot be meant, or nothing changes; all of it at once.
    """
    from geonotice.workflow.permit_changes import ChangingOptions
    from geonotice.workflow.permit_request import given_hours

    before = _typed(permit)
    names = _AMENDED if how == "amend" else _CORRECTED
    given = values.raw()
    changed = [name for name in names if name in given and " ".join(given[name].split()) != " ".join(before[name].split())]
    fields = {name: _value(values, name) for name in changed if name not in _APART}
    hours = [part.strip() for part in values.text("hours").split(";") if part.strip()] if "hours" in changed else None
    parcels = tuple(line.strip() for line in given.get("parcels", "").replace(";", "\n").splitlines() if line.strip())
    reason, filed = values.text("reason"), values.day("filed", "the day the change was filed")
    if not changed:
        values.fault(names[0], "nothing is changed", "change a field")
    if not reason:
        values.fault("reason", "no reason is given", "type it; the log and the paper have it")
    values.require()
    return ChangingOptions(
        number=permit.number,
        parcels=parcels if "parcels" in changed else (),
        hours=None if hours is None else given_hours(hours),
        fields=fields,
        filed=filed if how == "amend" else None,
        on=desk.today(),
        reason=reason,
        by=by,
        now=desk.now(),
        override=values.text("override"),
        preview=preview,
    )


def _value(values: Values, name: str) -> "date | int | bool | str | tuple[date, ...] | None":
    label = name.replace("_", " ")
    if name in _OF_DAYS:
        return values.day(name, f"the day {label!r}")
    if name in _OF_COUNTS:
        return values.count(name, label)
    if name in _OF_ANSWERS:
        answered = values.answer(name)
        return bool(answered) if name == "private_title" else answered
    if name == "yard_sale_days":
        return _several_days(values)
    return values.paragraph(name) if name == "conditions" else values.text(name) or (None if name == "owned_by" else "")


def _several_days(values: Values) -> "tuple[date, ...]":
    from datetime import date

    found = []
    for text in values.text("yard_sale_days").replace(";", ",").split(","):
        if not text.strip():
            continue
        try:
            found.append(date.fromisoformat(text.strip()))
        except ValueError:
            values.fault(
                "yard_sale_days", f"this is no date: {text.strip()[:40]}", "write each as 2026-07-18, with commas between"
            )
    return tuple(found)


@router.get("/permit/status")
def status_form(request: Request) -> Response:
    """Ask for the reason before a permit is rescinded, voided, or brought back."""
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register

    desk, values = desk_of(request), asked_of(request)
    number, to = number_asked(values), _to(values)
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, _ = look_up(register.required(), number)
        return _status_page(request, opened, permit, to)


def _to(values: Values) -> str:
    to = values.one_of("to", _STATUS, "way to change a permit")
    if not to:
        values.fault("to", "what is to become of the permit is not stated", "go back and choose it")
    values.require()
    return to


def _status_page(
    request: Request,
    opened: "Opened",
    permit: "Permit",
    to: str,
    *,
    typed: Mapping[str, str] | None = None,
    faults: "list[Fault] | tuple[Fault, ...]" = (),
    refused: bool = False,
    status: int = 200,
) -> Response:
    return page(
        request,
        "permit_status.html",
        status=status,
        town=opened.town.name,
        permit=permit,
        to=to,
        typed={"reason": "", "override": "", **(typed or {})},
        refused=refused,
        **shown_faults(faults, {"number": ""}),
    )


@router.post("/permit/status")
def set_status(request: Request) -> Response:
    """Rescind or void a permit, or bring it back; nothing is deleted."""
    from geonotice.register.permits import rescind, void
    from geonotice.register.permits import show as look_up
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permit_changes import ChangingOptions, reinstate_permit

    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    number, to, reason = number_asked(values), _to(values), values.text("reason")
    if not session.name:
        return who_first(permit_link(number))
    with desk.open() as opened, read_town_register(opened.town) as register:
        permit, _ = look_up(register.required(), number)
        try:
            if not reason:
                values.fault("reason", "no reason is given", "type it; the log keeps it")
            values.require()
            if to == "reinstate":
                asked = ChangingOptions(
                    number=number,
                    on=desk.today(),
                    reason=reason,
                    by=session.name,
                    now=desk.now(),
                    override=values.text("override"),
                )
                if reinstate_permit(opened, register, asked).permit.status == "rescinded":
                    to = "rescind"  # as it was before it was voided, and as the page says
            else:
                act: Callable[..., Permit] = rescind if to == "rescind" else void
                act(register.required(), number, reason=reason, now=desk.now(), by=session.name)
        except GeonoticeError as error:
            refused = isinstance(error, (PermitRefused, PermitUndecided))
            return _status_page(
                request, opened, permit, to, typed=values.raw(), faults=list(error.faults), refused=refused, status=400
            )
    return see_other(permit_link(number, done=to))
