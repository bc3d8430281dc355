"""The application desk: a form that asks only what this town's law needs, checked while it is filled in, its site drawn on the map, filed from it."""

import hashlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from geonotice.decide.event_form import asked_of_applicant
from geonotice.errors import Fault, GeonoticeError, UsageError
from geonotice.web.application_answers import NONE, answers_of, field_of_key, fields_of_answers, put_over
from geonotice.web.application_page import application_link
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import shown_faults
from geonotice.web.kept import Draft, new_id
from geonotice.web.rendering import fragment, page, see_other
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.decide.event_form import Asked
    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication
    from geonotice.workflow.application_drafts import DraftCheck, Sketch
    from geonotice.workflow.check_event import Checked

__all__ = ["KIND", "form_link", "read_answers", "refilled", "router"]

router = APIRouter()

KIND = "application"
"""What its drafts are called among those that the desk keeps."""
_SECTIONS = {
    "event": "The event",
    "premises": "Where it is held",
    "applicant": "Who applies",
    "benefit": "Who benefits",
    "site": "On the site",
    "insurance": "Insurance",
    "yard_sale": "The yard sale",
    "expressive": "Expressive activity",
    "parade": "The parade",
}
_DRAWN = ("stage", "tent", "parking", "ride", "fireworks", "toilets", "food", "generator", "structure")
"""What is offered to be drawn; another word may be typed."""


def form_link(draft: str) -> str:
    """Return where a form that is being filled in is."""
    return "/applications/form?" + urlencode({"draft": draft})


@router.get("/applications/new")
def begin(request: Request) -> Response:
    """List the forms that are not finished, and what one could begin from."""
    from geonotice.register.applications import list_applications
    from geonotice.register.session import read_town_register
    from geonotice.workflow.town_view import stated

    desk, session = desk_of(request), session_of(request)
    if not session.name:
        return who_first("/applications/new")
    with desk.open() as opened, read_town_register(opened.town) as register:
        earlier = [
            (one.number, stated(one, "event", "title"), stated(one, "applicant", "name"), one.received)
            for one in list_applications(register)
        ]
        return page(
            request,
            "applications_new.html",
            town=opened.town.name,
            unfinished=[(one, form_link(one.id)) for one in desk.kept.drafts(KIND)],
            earlier=earlier[::-1],
            fresh=form_link(new_id()),
        )


@router.get("/applications/form")
def show(request: Request) -> Response:
    """Show the form as far as it is filled in: as its draft was saved, as an application states it, or empty."""
    from geonotice.register.applications import show_application
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_drafts import sketch_of_file
    from geonotice.workflow.applications import event_of

    desk, session = desk_of(request), session_of(request)
    asked = request.query_params
    draft, number, again = asked.get("draft", ""), asked.get("number", "").strip(), asked.get("from", "").strip()
    if not session.name:
        return who_first(f"/applications/form?{request.url.query}")
    if not draft:
        return see_other("/applications/form?" + urlencode({**asked, "draft": new_id()}))
    saved = desk.kept.draft(KIND, draft)
    with desk.open() as opened:
        questions = asked_of_applicant(opened.profile)
        if saved is not None:
            return _page(request, opened, questions, saved.values(), draft=draft, look="look" in asked)
        fields: dict[str, list[str]] = {"premises.parcels": asked.getlist("parcel")}
        if number or again:
            with read_town_register(opened.town) as register:
                filed, _ = show_application(register.required(), number or again)
            if number and filed.status != "open":
                return see_other(application_link(filed.number))
            event = event_of(filed)
            fields = fields_of_answers(questions, filed.event)
            fields["premises.layout"], fields["parade.route"] = (
                [text] for text in sketch_of_file(opened, event.event, event.folder)
            )
            # Of an earlier year, the days are another year's: they are asked anew.
            for name in _DAYS if again else ():
                fields.pop(name, None)
            fields["number"], fields["seen"] = ([filed.number], [_seal(filed)]) if number else ([], [])
        return _page(request, opened, questions, fields, draft=draft)


_DAYS = (
    "event.starts", "event.ends", "event.days.on", "event.days.from", "event.days.to", "site.tents.up", "site.tents.down", "site.signs.up",
    "site.signs.down", "yard_sale.days", "expressive.notice_given",
)  # fmt: skip


def _page(
    request: Request,
    opened: "Opened",
    questions: "Sequence[Asked]",
    fields: "Mapping[str, Sequence[str]]",
    *,
    draft: str,
    faults: "Sequence[Fault]" = (),
    look: bool = False,
) -> Response:
    desk = desk_of(request)
    given = {name: list(values) for name, values in fields.items()}
    sections = [
        (part, title, [one for one in questions if one.key.partition(".")[0] == part]) for part, title in _SECTIONS.items()
    ]
    number = next(iter(given.get("number", ())), "")
    shown, premises, told = _drawn_on(opened, given)
    return page(
        request,
        "application_form.html",
        status=400 if faults else 200,
        town=opened.town.name,
        draft=draft,
        number=number,
        amends=next(iter(given.get("amends", ())), ""),
        # A form that is shown again after a fault goes on with what it began with: a colleague may have saved meanwhile.
        draft_seen=next(iter(given["draft_seen"]), "") if "draft_seen" in given else desk.kept.seal(KIND, draft),
        saved_by=_saved_by(desk.kept.draft(KIND, draft), session_of(request).name),
        seen=next(iter(given.get("seen", ())), ""),
        sections=[one for one in sections if one[2]],
        given=_Given(given),
        none=NONE,
        drawn=_DRAWN,
        premises=premises,
        box=desk.box(opened),
        shapes=shown,
        on=desk.today(),
        checked=_checked(request, opened, given) if look else "",
        **shown_faults([*faults, *told], _links([*faults, *told])),
    )


def _saved_by(saved: Draft | None, name: str) -> str:
    """Return who saved a form last, where that is somebody else."""
    return saved.by if saved is not None and saved.by != name else ""


class _Given(dict[str, list[str]]):
    """The fields of a form as a template asks for them: the first value of a name, or all of them."""

    def one(self, name: str) -> str:
        """Return a field's value; empty where there is none."""
        return next(iter(self.get(name, ())), "")

    def nth(self, name: str, n: int) -> str:
        """Return a field's value in a row."""
        found = self.get(name, [])
        return found[n] if n < len(found) else ""

    def rows(self, one: "Asked") -> int:
        """Return how many rows are filled in."""
        return max((len(self.get(f"{one.key}.{column.key}", [])) for column in one.columns), default=0)


def _links(faults: "Sequence[Fault]") -> dict[str, str]:
    return {fault.key: field_of_key(fault.key) for fault in faults if fault.key}


def _drawn_on(opened: "Opened", given: "Mapping[str, list[str]]") -> "tuple[dict[str, Any], list[Any], list[Fault]]":
    """Return what the map of the form begins with: the premises, and where they are known the lines that something drawn must keep."""
    from geonotice.opened_town import find_premises

    faults: list[Fault] = []
    named = [number for number in given.get("premises.parcels", ()) if number.strip()]
    try:
        premises = list(find_premises(opened, named)) if named else []
    except UsageError as error:
        faults = [Fault(what=one.what, why=one.why, remedy=one.remedy, key="premises.parcels") for one in error.faults]
        premises = []
    return _shapes(opened, premises), premises, faults


def _shapes(opened: "Opened", premises: "Sequence[Any]") -> dict[str, Any]:
    from geonotice.workflow.town_view import packed

    if not premises:
        return {"unit": 0.1, "shapes": []}
    geometries = opened.store.geometries([parcel.fid for parcel in premises])
    drawn = [("premises", parcel.id, "", shape) for parcel, shape in zip(premises, geometries, strict=True)]
    drawn += [("setback_line", "", "", line) for line in _setbacks(opened, premises)]
    shapes = packed([shape for *_, shape in drawn])
    return {
        "unit": 0.1,
        "shapes": [(kind, id_, label, shape) for (kind, id_, label, _), shape in zip(drawn, shapes, strict=True)],
    }


def _setbacks(opened: "Opened", premises: "Sequence[Any]") -> "tuple[Any, ...]":
    """Return the setback lines of some premises, as the site map draws them."""
    from geonotice.workflow.site_map import setback_lines

    try:
        return setback_lines(opened, premises)
    except GeonoticeError:  # without zoning there are none; the check says so
        return ()


def read_answers(
    opened: "Opened", given: dict[str, list[str]]
) -> "tuple[dict[str, list[str]], tuple[dict[str, Any], Sketch, Sketch]]":
    """Return a form with the lot that was typed, and what it states and draws; refused where it says neither what nor when nor where."""
    given = _with_typed_lot(opened, given)
    data, layout, route = _read(opened, given)
    _require(data)
    return given, (data, layout, route)


def refilled(
    request: Request, opened: "Opened", given: "Mapping[str, Sequence[str]]", *, draft: str, faults: "Sequence[Fault]"
) -> Response:
    """Show the form again as it was sent, with what is wrong with it."""
    return _page(request, opened, asked_of_applicant(opened.profile), given, draft=draft, faults=faults)


def _read(opened: "Opened", given: "Mapping[str, Sequence[str]]") -> "tuple[dict[str, Any], Sketch, Sketch]":
    """Return what a form states, and what is drawn on it."""
    from geonotice.workflow.application_drafts import read_sketch

    layout = read_sketch(next(iter(given.get("premises.layout", ())), ""))
    route = read_sketch(next(iter(given.get("parade.route", ())), ""), lines=True)
    return answers_of(asked_of_applicant(opened.profile), given), layout, route


@router.post("/applications/check")
def check(request: Request) -> Response:
    """Return what the law makes of the form as it stands, for its page."""
    with desk_of(request).open() as opened:
        return _checked_part(request, opened, fields_of(request))


def _checked_part(request: Request, opened: "Opened", given: "Mapping[str, Sequence[str]]") -> Response:
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application_drafts import check_draft

    on = desk_of(request).today()
    data, layout, route = _read(opened, given)
    with read_town_register(opened.town) as register:
        found = check_draft(opened, register, data, layout=layout, route=route, on=on)
    return fragment("application_check.html", on=on, **_shown(opened, found))


def _checked(request: Request, opened: "Opened", given: "Mapping[str, Sequence[str]]") -> Markup:
    """Return the same as a part of a page, for a browser without scripts."""
    try:
        made = _checked_part(request, opened, given)
    except UsageError as error:
        made = fragment("faults.html", **shown_faults(error.faults))
    return Markup(bytes(made.body).decode())  # noqa: S704  # made by a template, which escapes


@router.post("/applications/look")
def look(request: Request) -> Response:
    """Save the form and show it again, checked: what a browser without scripts does in place of saving at every field."""
    desk, session, given = desk_of(request), session_of(request), dict(fields_of(request))
    draft = next(iter(given.get("draft", ())), "")
    if not session.name:
        return who_first(form_link(draft))
    with desk.open() as opened:
        try:
            given = _with_typed_lot(opened, given)
        except UsageError as error:
            return _page(request, opened, asked_of_applicant(opened.profile), given, draft=draft, faults=error.faults)
    title = next(iter(given.get("event.title", ())), "").strip()
    fields = tuple((name, value) for name, values in given.items() for value in values if value and name not in _NOT_KEPT)
    saved = Draft(kind=KIND, id=draft, by=session.name, title=title[:_LONGEST_TITLE], saved=desk.now(), fields=fields)
    try:
        desk.kept.save(saved, seen=next(iter(given.get("draft_seen", ())), ""))
    except UsageError as error:
        with desk.open() as opened:
            return _page(request, opened, asked_of_applicant(opened.profile), given, draft=draft, faults=error.faults)
    return see_other(f"{form_link(draft)}&look=yes")


_NOT_KEPT = frozenset({"token", "draft", "draft_seen", "q"})
_LONGEST_TITLE = 200


def _with_typed_lot(opened: "Opened", given: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the fields with the lot that was typed and not chosen.

    Raises
    ------
    UsageError
        It is found nowhere, or in several lots.
    """
    text = next(iter(given.get("q", ())), "").strip()
    if not text:
        return given
    found = opened.store.search(text)
    if len(found) != 1:
        what = f"{text[:80]!r} is found in {len(found):,} lots" if found else f"nothing is found for {text[:80]!r}"
        raise UsageError(
            Fault(what=what, remedy="type the whole tax map number, or choose one of the answers", key="premises.parcels")
        )
    lots = [*given.get("premises.parcels", ()), found[0].id]
    return {name: values for name, values in given.items() if name != "q"} | {"premises.parcels": list(dict.fromkeys(lots))}


def _shown(opened: "Opened", found: "DraftCheck") -> dict[str, Any]:
    """Return what the page shows of a check: the outcome, what stands against it, the findings, what is drawn where it must not be."""
    from geonotice.decide.check import grouped
    from geonotice.decide.deadlines import next_steps
    from geonotice.decide.headline import against, headline
    from geonotice.warning_ranks import causes, worst_first

    told = shown_faults(found.faults, _links(found.faults))
    result = found.checked.result if found.checked else None
    shown: dict[str, Any] = {
        **told,
        "result": result,
        "permit": found.permit,
        "outcome": None,
        "against": (),
        "groups": {},
        "steps": (),
        "told": (),
        "measured": _measured(opened, found.checked),
    }
    if result is None:
        return shown
    outcome = found.permit.headline if found.permit else headline(result)
    return shown | {
        "outcome": outcome,
        "against": found.permit.against if found.permit else against(result),
        "groups": grouped(result),
        "steps": next_steps(result),
        "told": causes(worst_first(found.permit.warnings if found.permit else result.warnings)),
    }


def _measured(opened: "Opened", checked: "Checked | None") -> list[tuple[str, str, tuple[str, ...]]]:
    """Return each thing that is drawn: what it is, what was measured of it, and which setbacks it does not keep."""
    from geonotice.workflow.site_map import site_plan

    if checked is None:
        return []
    return [(one.what, one.measured, one.inside) for one in site_plan(opened, checked).things]


@router.post("/applications/file")
def file(request: Request) -> Response:
    """Take the application in; a form with faults is shown again, with all of them."""
    from geonotice.register.applications import Writer, show_application
    from geonotice.register.session import open_town_register
    from geonotice.workflow.application_drafts import file_draft

    desk, session, given = desk_of(request), session_of(request), dict(fields_of(request))
    draft = next(iter(given.get("draft", ())), "")
    number = next(iter(given.get("number", ())), "").strip()
    if not session.name:
        return who_first(form_link(draft))
    desk.kept.require_form(KIND, draft)
    writer = Writer(by=session.name, now=desk.now())
    with desk.open() as opened:
        questions = asked_of_applicant(opened.profile)
        try:
            given, (data, layout, route) = read_answers(opened, given)
            with open_town_register(opened.town) as register:
                if number:
                    filed, _ = show_application(register, number)
                    _require_unchanged(filed, next(iter(given.get("seen", ())), ""))
                    data = put_over(filed.event, questions, data)
                filed, _ = file_draft(
                    opened, register, data, layout=layout, route=route, number=number, on=desk.today(), writer=writer
                )
        except GeonoticeError as error:
            # Whatever is wrong, nothing that was typed is lost: the form comes back as it was sent.
            return _page(request, opened, questions, given, draft=draft, faults=error.faults)
    desk.kept.discard(KIND, draft)
    return see_other(application_link(filed.number, done="receive" if number else "filed"))


def _seal(filed: "FiledApplication") -> str:
    """Return what tells whether an application still states what a form began with."""
    return hashlib.sha256(json.dumps(filed.event, sort_keys=True).encode()).hexdigest()


def _require_unchanged(filed: "FiledApplication", seen: str) -> None:
    """Refuse a form that began with what somebody else has changed since: it would take that back.

    Raises
    ------
    UsageError
        The application states something else now.
    """
    if seen != _seal(filed):
        what = f"application {filed.number} was changed since this form was begun"
        raise UsageError(Fault(what=what, remedy="open its form anew, and put your changes into that"))


def _require(data: "Mapping[str, Any]") -> None:
    """Refuse a form that says neither what nor when nor where: an application of nothing could not be found again.

    Raises
    ------
    UsageError
        Something of it is missing; all of it at once.
    """
    about = data.get("event", {})
    faults = []
    if not about.get("title") and not about.get("kind"):
        faults.append(Fault(what="the event has neither a name nor a kind", remedy="type what it is called", key="event.title"))
    if not about.get("starts") and not about.get("days"):
        faults.append(
            Fault(what="the day of the event is not stated", remedy="give the day on which it begins", key="event.starts")
        )
    if not data.get("applicant", {}).get("name"):
        faults.append(Fault(what="nobody applies", remedy="type who applies", key="applicant.name"))
    if not data.get("premises", {}).get("parcels") and about.get("kind") != "parade":
        remedy = "choose the lots on the map or by their number; a parade needs none"
        faults.append(Fault(what="no parcel is named", remedy=remedy, key="premises.parcels"))
    if faults:
        raise UsageError(faults)
