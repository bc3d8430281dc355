"""A permit is issued: on an application, or without one. What stands for and against it is shown, then looked at, and checked again as it is written."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import urlencode

from fastapi import APIRouter
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.application import EVENT_KINDS, OwnedBy
from geonotice.errors import EventFileError, Fault, GeonoticeError, PermitRefused, PermitUndecided, UsageError
from geonotice.web.application_page import application_link, check_shown, checked_application
from geonotice.web.desk import desk_of, fields_of, files_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.kept import new_id
from geonotice.web.permit_lists import asked_of, number_asked
from geonotice.web.permit_page import permit_link
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import PermitCheck
    from geonotice.web.kept import Kept
    from geonotice.workflow.permit_request import PermitRequest, PermitRequestOptions

__all__ = ["router"]

router = APIRouter()

KIND = "permit"
"""What forms of permits without an application are called among the drafts that the desk keeps."""
_SET = ("maximum_attendance", "conditions", "private_title", "override")
"""What the officials set, whatever the permit is issued on."""
_ASKED = (
    "parcels", "kind", "title", "starts", "ends", "hours", "night", "applicant", "charity", "benefits_applicant", "distinct_events", "owned_by", "persons",
    "event_file",
)  # fmt: skip
"""What is asked for, where no application states it; the event file by the key under which it is kept."""
_NIGHT = ("yes", "no", "unknown")


def form_link(draft: str) -> str:
    """Return where a form of a permit without an application is."""
    return "/permits/issue?" + urlencode({"draft": draft})


@router.get("/application/issue")
def form_on_application(request: Request) -> Response:
    """Show what stands for and against the permit, and ask what the officials set."""
    return _on_application(request, asked_of(request), step="form")


@router.post("/application/issue")
def issue_on_application(request: Request) -> Response:
    """Show the permit as it would be, and issue it when that was looked at."""
    values = Values(fields_of(request))
    return _on_application(request, values, step="issue" if values.ticked("confirmed") else "look")


def _on_application(request: Request, values: Values, *, step: str) -> Response:
    from geonotice.register.applications import show_application, state_of_application
    from geonotice.register.session import read_town_register

    desk, session = desk_of(request), session_of(request)
    number = number_asked(values)
    if not session.name:
        return who_first("/application/issue?" + urlencode({"number": number}))
    with desk.open() as opened, read_town_register(opened.town) as register:
        filed, _ = show_application(register.required(), number)
        if filed.status != "open":
            return see_other(application_link(filed.number))
        faults: list[Fault] = []
        given: dict[str, Any] = {}
        if step != "form":
            given = _set_by_officials(values)
            faults = list(values.faults)
        seen = hashlib.sha256(state_of_application(filed).encode()).hexdigest()
        if step == "issue" and values.text("seen", most=100) != seen:
            step = "look"
            what = f"application {filed.number} was changed since you looked at it"
            faults.append(Fault(what=what, remedy="look at what it says now, and issue the permit then"))
        if step == "issue" and not faults:
            try:
                made = _issued_on(request, opened, register, number, given)
            except GeonoticeError as error:
                faults = list(error.faults)
                if not isinstance(error, (PermitRefused, PermitUndecided)):
                    step = "form"
            else:
                return see_other(permit_link(made, done="issued"))
        shown = checked_application(opened, register, filed, on=desk.today())
        expected = shown["asked"].application.persons if shown["asked"] else None
        return _shown(
            request,
            opened,
            values,
            step=step,
            faults=faults,
            usual=dict.fromkeys(_SET, "") | {"maximum_attendance": "" if expected is None else str(expected)},
            filed=filed,
            action="/application/issue",
            hidden={"number": filed.number},
            back=application_link(filed.number),
            seen=seen,
            **shown,
        )


def _shown(
    request: Request,
    opened: "Opened",
    values: Values,
    *,
    step: str,
    faults: "Sequence[Fault]",
    usual: "Mapping[str, str]",
    **more: Any,  # noqa: ANN401  # what the template takes
) -> Response:
    """Return the page of a permit that is to be issued: its form, or what it would be; ``usual`` are the fields with what they hold at first."""
    return page(
        request,
        "issue.html",
        status=400 if faults else 200,
        town=opened.town.name,
        typed={**usual, **{name: value for name, value in values.raw().items() if name in usual}},
        looked=step != "form" and not faults,
        on=desk_of(request).today(),
        **more,
        **shown_faults(faults, {"number": ""}),
    )


def _set_by_officials(values: Values) -> dict[str, Any]:
    """Return what the officials set: the most persons, the conditions, a reason for passing over the law."""
    return {
        "maximum_attendance": values.count("maximum_attendance", "the most persons"),
        "conditions": values.paragraph("conditions"),
        "private_title": values.ticked("private_title"),
        "override": values.text("override"),
    }


def _as_set(asked: "PermitRequest", given: "Mapping[str, Any]") -> "PermitRequest":
    """Return what is asked for, with what the officials set."""
    settled = {name: value for name, value in given.items() if name != "override"}
    return replace(asked, application=replace(asked.application, **settled))


def _issued_on(request: Request, opened: "Opened", register: "Register", number: str, given: dict[str, Any]) -> str:
    """Issue the permit and return its number: the check and the caps are asked again within the transaction that writes."""
    from geonotice.workflow.applications import issue_on_application as issue
    from geonotice.workflow.applications import request_of
    from geonotice.workflow.permit_request import Issuing, PermitRequestOptions, read_request

    filed, event = request_of(register, number)
    asked = _as_set(read_request(opened, PermitRequestOptions(filed=event)), given)
    desk = desk_of(request)
    issuing = Issuing(now=desk.now(), by=session_of(request).name, issued=desk.today(), override=given["override"])
    return issue(opened, register, filed, asked, issuing).permit.number


@router.get("/permits/issue")
def form(request: Request) -> Response:
    """Ask for what the permit is to say: a form as it was saved, or an empty one for some parcels."""
    desk, session, values = desk_of(request), session_of(request), asked_of(request)
    if not session.name:
        return who_first(f"/permits/issue?{request.url.query}")
    draft = values.text("draft", most=40)
    if not draft:
        parcels = [("parcel", number) for number in request.query_params.getlist("parcel")]
        return see_other("/permits/issue?" + urlencode([*parcels, ("draft", new_id())]))
    saved = desk.kept.draft(KIND, draft)
    given = saved.values() if saved else {"parcels": ["\n".join(values.several("parcel"))]}
    return _page(request, Values(given), draft=draft, step="form")


@router.post("/permits/issue")
def issue(request: Request) -> Response:
    """Show the permit as it would be, and issue it when that was looked at."""
    desk, session, given = desk_of(request), session_of(request), dict(fields_of(request))
    values = Values(given)
    draft = values.text("draft", most=40)
    if not session.name:
        return who_first("/permits/issue")
    desk.kept.require_form(KIND, draft)
    if number := desk.issued.found(draft):
        return see_other(permit_link(number, done="issued"))
    picked = values.text("pick", most=200)
    more = picked or values.text("q", most=200)
    if more:
        given["parcels"] = ["\n".join([values.paragraph("parcels"), more]).strip()]
    upload = next(iter(files_of(request).get("file", ())), None)
    faults = []
    if upload is not None and upload.name.casefold().endswith(".toml"):
        given["event_file"] = [desk.kept.keep(upload)]
    elif upload is not None:
        faults.append(Fault(what=f"{upload.name} is no event file", remedy="choose the file event.toml", key="file"))
    if values.ticked("without_file"):
        given["event_file"] = []
    step = "form" if picked or values.ticked("without_file") else "issue" if values.ticked("confirmed") else "look"
    return _page(request, Values(given), draft=draft, step=step, faults=faults)


def _page(request: Request, values: Values, *, draft: str, step: str, faults: "Sequence[Fault]" = ()) -> Response:
    """Show the form; with ``look`` the permit as it would be, and with ``issue`` write it."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permit_request import read_request
    from geonotice.workflow.permits import check_permit

    desk = desk_of(request)
    told = list(faults)
    with desk.open() as opened, read_town_register(opened.town) as register:
        shown = check_shown(None)
        seen = ""
        if step != "form":
            options, given = _requested(opened, values, desk.kept)
            told += values.faults
        if step != "form" and not told:
            try:
                asked = _as_set(read_request(opened, options), given)
                found = check_permit(opened, register, asked, on=desk.today())
            except GeonoticeError as error:
                told += _plain_file(error)
            else:
                shown = check_shown(lambda: (asked, found))
                seen = _seal(asked, found)
        if step == "issue" and not told and values.text("seen", most=100) != seen:
            what = "what is asked for, or what stands against it, is not what you looked at"
            told.append(Fault(what=what, remedy="look at it as it is now, and issue the permit then"))
        if step == "issue" and not told:
            try:
                number = desk.issued.do(draft, lambda: _issued(request, opened, asked, given["override"]))
            except GeonoticeError as error:
                told += error.faults
            else:
                desk.kept.discard(KIND, draft)
                return see_other(permit_link(number, done="issued"))
        return _shown(
            request,
            opened,
            values,
            step=step,
            faults=told,
            usual=dict.fromkeys((*_ASKED, *_SET), "") | {"distinct_events": "1"},
            filed=None,
            action="/permits/issue",
            hidden={
                "draft": draft,
                "draft_seen": values.text("draft_seen", most=64) if values.has("draft_seen") else desk.kept.seal(KIND, draft),
            },
            back="/permits",
            seen=seen,
            file_name=_file_name(desk.kept, values.text("event_file", most=64)),
            unfinished=[(one, form_link(one.id)) for one in desk.kept.drafts(KIND) if step == "form" and one.id != draft],
            kinds=EVENT_KINDS,
            owners=get_args(OwnedBy),
            nights=_NIGHT,
            **shown,
        )


def _requested(opened: "Opened", values: Values, kept: "Kept") -> "tuple[PermitRequestOptions, dict[str, Any]]":
    """Return what is asked for as the use case takes it, and what the officials set; what is wrong with a field is kept with it."""
    from geonotice.workflow.application import Options
    from geonotice.workflow.permit_request import PermitRequestOptions, given_hours

    parcels, find = _lots(opened, values.paragraph("parcels", most=10_000).split("\n"))
    key = values.text("event_file", most=64)
    kind = values.one_of("kind", EVENT_KINDS, "kind of event")
    if key and (drawings := _drawings_of(kept.file(key))):
        # A path in a file that was handed in is a path of another computer, or one that the desk must not open for anybody.
        what = f"the event file names a drawing that is not handed in with it: {', '.join(drawings)}"
        values.fault("file", what, "take it out of the file, or file an application, where the site is drawn on the map")
    starts, ends = values.day("starts", "the first day"), values.day("ends", "the last day")
    hours: tuple[Any, ...] = ()
    try:
        hours = given_hours([part.strip() for part in values.text("hours").split(";") if part.strip()])
    except UsageError as error:
        values.faults += [Fault(what=one.what, why=one.why, remedy=one.remedy, key="hours") for one in error.faults]
    if not key:
        if starts is None and not values.text("starts"):
            values.fault("starts", "the first day of the event is not given", "give the day on which it begins")
        if not parcels and not find and kind != "parade":
            values.fault("parcels", "no parcel is named", "type its tax map number; a parade needs none")
        if not values.text("applicant"):
            values.fault("applicant", "nobody applies", "type who applies: the permit is theirs")
    night = values.one_of("night", _NIGHT, "answer")
    options = PermitRequestOptions(
        parcels=tuple(parcels),
        find=tuple(find),
        event=kept.file(key) if key else None,
        given=Options(
            starts=starts,
            ends=ends,
            night={"yes": True, "no": False}.get(night),
            night_unknown=night == "unknown",
            distinct_events=values.count("distinct_events", "the number of distinct events", most=100),
            owned_by=values.one_of("owned_by", get_args(OwnedBy), "owner") or None,
            kind=kind or None,
            persons=values.count("persons", "the number of persons"),
            applicant=values.text("applicant") or None,
            title=values.text("title") or None,
            charity=values.ticked("charity"),
            benefits_applicant=values.ticked("benefits_applicant"),
        ),
        hours=hours,
    )
    return options, _set_by_officials(values)


def _lots(opened: "Opened", lines: "Sequence[str]") -> tuple[list[str], list[str]]:
    """Return the lines that are tax map numbers, and those that are to be searched by address or owner."""
    numbers: list[str] = []
    texts: list[str] = []
    for line in (one.strip() for one in lines):
        if not line:
            continue
        try:
            numbers.append(opened.store.find(line).id)
        except UsageError:
            (texts if opened.store.search(line) else numbers).append(line)
    return list(dict.fromkeys(numbers)), list(dict.fromkeys(texts))


def _drawings_of(file: Path) -> list[str]:
    """Return the drawings that an event file names; none of one that cannot be read, which the check reports."""
    from geonotice.config.read_application import read_event_file

    try:
        event = read_event_file(file)
    except EventFileError:
        return []
    return [str(name)[:200] for name in (event.premises.layout, event.parade.route) if name]


def _plain_file(error: GeonoticeError) -> list[Fault]:
    """Return what is wrong; of an event file by its own name, without the folder in which it is kept here."""
    if not isinstance(error, EventFileError):
        return list(error.faults)
    return [
        Fault(what=f"{one.key}: {one.what}" if one.key else one.what, why=one.why, remedy=one.remedy, file=Path(one.file).name)
        for one in error.faults
    ]


def _file_name(kept: "Kept", key: str) -> str:
    try:
        return kept.file(key).name if key else ""
    except UsageError:
        return ""


def _seal(asked: "PermitRequest", found: "PermitCheck") -> str:
    """Return what tells whether something else is asked for, or stands against it, than what was looked at."""
    application = asked.application
    said = [str(replace(application, land=())), *(item.parcel for item in application.land), *(one.text for one in found.against)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _issued(request: Request, opened: "Opened", asked: "PermitRequest", override: str) -> str:
    """Issue the permit and return its number; the first permit of a town begins its register."""
    from geonotice.register.session import open_town_register
    from geonotice.workflow.permit_request import Issuing
    from geonotice.workflow.permits import issue_permit

    desk = desk_of(request)
    issuing = Issuing(now=desk.now(), by=session_of(request).name, issued=desk.today(), override=override)
    with open_town_register(opened.town) as register:
        return issue_permit(opened, register, asked, issuing).permit.number
