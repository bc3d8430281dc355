"""Applications by the next day on which something is due, and one of them: its papers, its officials, its check, and the decision."""

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.web.desk import desk_of, fields_of, files_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.permit_lists import asked_of, log_rows, number_asked
from geonotice.web.permit_page import paper_response
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication, Writer
    from geonotice.register.session import Register
    from geonotice.register.values import PermitCheck
    from geonotice.workflow.permit_request import PermitRequest

__all__ = ["application_link", "check_shown", "checked_application", "router"]

router = APIRouter()

_ENDINGS = frozenset({"pdf", "png", "jpg", "jpeg", "tif", "tiff", "docx", "doc", "odt", "txt", "xlsx", "eml", "msg"})
"""What a document may be: papers and pictures, nothing that runs."""


def application_link(number: str, **more: str) -> str:
    """Return where the page of an application is."""
    from urllib.parse import urlencode

    return "/application?" + urlencode({"number": number, **more})


@router.get("/applications")
def applications(request: Request) -> Response:
    """List the open applications by the next day, and the decided ones."""
    from geonotice.register.applications import list_applications
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_status import DUE_DAYS, known_of, open_by_day
    from geonotice.workflow.applications import event_of

    desk = desk_of(request)
    on = desk.today()
    with desk.open() as opened, read_town_register(opened.town) as register:
        waiting = [(one, event_of(one.filed).event, known_of(opened, one.filed)) for one in open_by_day(opened, register)]
        decided = [one for one in list_applications(register) if one.status != "open"]
        return page(
            request,
            "applications.html",
            town=opened.town.name,
            on=on,
            due_days=DUE_DAYS,
            waiting=waiting,
            due=sum(bool(one.reasons) and (one.reasons[0][0] - on).days <= DUE_DAYS for one, *_ in waiting),
            decided=[(one, event_of(one).event) for one in decided[::-1]],
            warnings=register.warnings,
        )


@router.get("/application")
def show(request: Request) -> Response:
    """Show one application."""
    from geonotice.register.applications import show_application
    from geonotice.register.session import read_town_register

    desk, values = desk_of(request), asked_of(request)
    with desk.open() as opened, read_town_register(opened.town) as register:
        filed, _ = show_application(register.required(), number_asked(values))
        return _page(request, opened, register, filed, done=values.text("done", most=40))


def _page(
    request: Request,
    opened: "Opened",
    register: "Register",
    filed: "FiledApplication",
    *,
    faults: "Sequence[Fault]" = (),
    typed: "Mapping[str, str] | None" = None,
    done: str = "",
) -> Response:
    from geonotice.register.applications import show_application
    from geonotice.workflow.application_status import appeal_deadline, known_of
    from geonotice.workflow.applications import event_of

    on = desk_of(request).today()
    event, known = event_of(filed).event, known_of(opened, filed)
    words = {one.official: one for one in filed.sign_offs}
    return page(
        request,
        "application.html",
        status=400 if faults else 200,
        town=opened.town.name,
        filed=filed,
        event=event,
        known=known,
        words=words,
        on=on,
        entries=log_rows(show_application(register, filed.number)[1][::-1]),
        next_number=_next(opened, register, filed),
        appeal=appeal_deadline(opened.profile, filed.decided) if filed.status == "denied" and filed.decided else None,
        done=_DONE.get(done, ""),
        typed=typed or {},
        **checked_application(opened, register, filed, on=on),
        **shown_faults(faults, {"number": ""}),
    )


def _next(opened: "Opened", register: "Register", filed: "FiledApplication") -> str:
    """Return the open application that comes after one by its next day; empty where it is the last."""
    from geonotice.workflow.application_status import open_by_day

    numbers = [one.filed.number for one in open_by_day(opened, register)]
    after = numbers.index(filed.number) + 1 if filed.number in numbers else 0
    return numbers[after] if after < len(numbers) else ""


_DONE = {
    "filed": "is filed",
    "sign-off": "has the official's word",
    "receive": "is brought up to date",
    "document": "has the document",
    "denied": "is denied",
    "withdrawn": "is withdrawn",
    "reopen": "is open again",
}


def checked_application(opened: "Opened", register: "Register", filed: "FiledApplication", *, on: "date") -> dict[str, Any]:
    """Return what a page shows of the check of an open application: what a permit would be checked by at this moment."""
    from geonotice.workflow.applications import check_application, event_of
    from geonotice.workflow.permit_request import PermitRequestOptions, read_request

    def check() -> "tuple[PermitRequest, PermitCheck]":
        asked = read_request(opened, PermitRequestOptions(filed=event_of(filed)))
        return asked, check_application(opened, register, filed, asked, on=on)

    return check_shown(check if filed.status == "open" else None)


def check_shown(check: "Callable[[], tuple[PermitRequest, PermitCheck]] | None") -> dict[str, Any]:
    """Return what a page shows of the check of a permit; what it could not be made of is in ``stops``, and everything is empty without one."""
    from geonotice.decide.check import grouped
    from geonotice.decide.deadlines import next_steps
    from geonotice.warning_ranks import causes, worst_first

    nothing: dict[str, Any] = {"check": None, "asked": None, "groups": {}, "steps": (), "told": (), "stops": ()}
    if check is None:
        return nothing
    try:
        asked, found = check()
    except GeonoticeError as error:  # what it is about can be seen all the same
        return nothing | {"stops": shown_faults(error.faults)["faults"]}
    return {
        "check": found,
        "asked": asked,
        "groups": grouped(found.event) if found.event else {},
        "steps": next_steps(found.event) if found.event else (),
        "told": causes(worst_first(found.warnings)),
        "stops": (),
    }


def _write(request: Request, done: str, act: "Callable[[Opened, Register, str, Values, Writer], object]") -> Response:
    """Write something about an application, and show it again: with what was done, or with what is in the way."""
    from geonotice.register.applications import Writer, show_application
    from geonotice.register.session import read_town_register

    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    number = number_asked(values)
    if not session.name:
        return who_first(application_link(number))
    with desk.open() as opened, read_town_register(opened.town) as register:
        filed, _ = show_application(register.required(), number)
        try:
            act(opened, register, filed.number, values, Writer(by=session.name, now=desk.now()))
        except GeonoticeError as error:
            return _page(request, opened, register, filed, faults=error.faults, typed=values.raw())
    return see_other(application_link(filed.number, done=done))


@router.post("/application/sign-off")
def sign_off(request: Request) -> Response:
    """Note what an official says, or take it back."""
    from geonotice.workflow.applications import sign_off as sign

    on = desk_of(request).today()

    def act(opened: "Opened", register: "Register", number: str, values: Values, writer: "Writer") -> None:
        word = values.one_of("word", ("approves", "refuses", "withdrawn"), "word of an official")
        official = values.text("official")
        if not word:
            values.fault("word", "whether the official signs off is not stated", "choose it")
        if not official:
            values.fault("official", "no official is named", "choose one")
        day = values.day("on", "the day of the sign-off") or on
        if day > on:
            values.fault("on", f"the sign-off is of {day}, after today", "correct the day")
        note, signed_by = values.text("note"), values.text("signed_by", most=200)
        values.require()
        sign(
            opened, register, number, official, note=note, on=day, writer=writer,
            approves=word == "approves", withdrawn=word == "withdrawn", signed_by=signed_by,
        )  # fmt: skip

    return _write(request, "sign-off", act)


@router.post("/application/receive")
def receive(request: Request) -> Response:
    """Note what came in after the filing."""
    from geonotice.workflow.applications import Filing
    from geonotice.workflow.applications import receive as note_down

    on = desk_of(request).today()

    def act(opened: "Opened", register: "Register", number: str, values: Values, writer: "Writer") -> None:
        agreement = values.answer("support_agreement")
        filing = Filing(
            complete=values.day("complete", "the day it was found complete"),
            fee=values.text("fee", most=20) or None,
            fee_paid=values.day("fee_paid", "the day the fee was paid"),
            contact=values.text("contact") or None,
            support_agreement=agreement,
        )
        if filing == Filing():
            values.fault("complete", "nothing is filled in", "fill in what came in")
        values.require()
        note_down(opened, register, number, filing, on=on, writer=writer)

    return _write(request, "receive", act)


@router.post("/application/document")
def document(request: Request) -> Response:
    """Keep a document, with what it is and when it expires."""
    from geonotice.workflow.application_documents import keep_document

    on, upload = desk_of(request).today(), next(iter(files_of(request).get("file", ())), None)

    def act(opened: "Opened", register: "Register", number: str, values: Values, writer: "Writer") -> None:
        what, expires = values.text("what", most=200), values.day("expires", "the day on which it expires")
        if not what:
            values.fault("what", "what the document is, is not stated", "type it, such as insurance")
        if upload is None:
            values.fault("file", "no file is chosen", "choose the file")
        elif upload.name.rpartition(".")[2].casefold() not in _ENDINGS:
            listed = ", ".join(sorted(_ENDINGS))
            values.fault("file", f"{upload.name} is no paper or picture that the desk keeps", f"save it as one of: {listed}")
        values.require()
        if upload is not None:
            keep_document(
                opened, register, number, upload.content, name=upload.name, what=what, expires=expires, on=on, writer=writer
            )

    return _write(request, "document", act)


@router.get("/application/document")
def kept(request: Request) -> Response:
    """Return a document as it came in."""
    from urllib.parse import quote

    from geonotice.register.applications import show_application
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_documents import kept_document

    desk, values = desk_of(request), asked_of(request)
    with desk.open() as opened, read_town_register(opened.town) as register:
        filed, _ = show_application(register.required(), number_asked(values))
        name = values.text("name", most=300)
        content = kept_document(opened, filed, name)
    if content is None:
        what = f"{name} is not kept here: it was noted by its name and hash, and stays where the town keeps it"
        raise UsageError(Fault(what=what, remedy="look for it there"))
    # Never shown in the desk's own page: whatever is in it, the browser only saves it.
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type="application/octet-stream", headers=headers)


@router.post("/application/decide")
def decide(request: Request) -> Response:
    """Deny an application, note that it was withdrawn, or take that back."""
    from geonotice.register.applications import decide_application, reopen_application

    on = desk_of(request).today()
    to = Values(fields_of(request)).one_of("to", ("denied", "withdrawn", "reopen"), "decision")

    def act(_: "Opened", register: "Register", number: str, values: Values, writer: "Writer") -> None:
        reasons = [line for line in values.paragraph("reasons").split("\n") if line]
        if not to:
            values.fault("to", "what is decided is not stated", "choose it")
        if not reasons:
            values.fault("reasons", "no reason is given", "type it: one on each line")
        values.require()
        if to == "reopen":
            reopen_application(register, number, reason="; ".join(reasons), writer=writer)
        elif to == "denied":
            decide_application(register, number, "denied", reasons=reasons, on=on, writer=writer)
        else:
            decide_application(register, number, "withdrawn", reasons=reasons, on=on, writer=writer)

    return _write(request, to, act)


@router.get("/application/paper")
def paper(request: Request) -> Response:
    """Return the paper of the decision: the denial with its reasons and the days of the appeal."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from geonotice.register.session import read_town_register
    from geonotice.workflow.print_permits import print_application

    desk, values = desk_of(request), asked_of(request)
    number = number_asked(values)
    with desk.open() as opened, read_town_register(opened.town) as register, TemporaryDirectory() as folder:
        files, _ = print_application(opened, register.required(), number, out=Path(folder), on=desk.today())
        return paper_response(files, values)
