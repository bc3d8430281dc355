"""The notice desk: from premises and an occasion to a list, and from a list that was read to a packet."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.application import EVENT_KINDS
from geonotice.decide.proposal import proposal
from geonotice.errors import Fault, Together, UsageError
from geonotice.facts.contiguous import contiguous_land
from geonotice.maps.notice_map import REVIEW_WORDS
from geonotice.packet.addresses_and_mailing_order import SORTS
from geonotice.packet.labels import SHEETS, check_sheet
from geonotice.packet.paper import LabelOptions
from geonotice.packet.sentences import counts_line, occasion_line, required_line
from geonotice.warning_ranks import RANK_WORDS, by_rank, causes
from geonotice.web.desk import Desk, desk_of, fields_of, files_of, session_of
from geonotice.web.forms_and_uploads import shown_faults
from geonotice.web.jobs import Job
from geonotice.web.kept import new_id
from geonotice.web.notice_event import PERSON, applications_to_choose, others_handed_in, place_handed_in, with_person
from geonotice.web.notice_form import FILES, NoticeForm, changed_form, read_form
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import name_faults, who_first
from geonotice.workflow.application import StatedEvent
from geonotice.workflow.notice import Noticed, make_notice
from geonotice.workflow.notice_warnings import IMPORT_CODES
from geonotice.workflow.read_packet import (
    MadePacket,
    fingerprint,
    make_read_packet,
    open_questions,
    require_read,
)
from geonotice.workflow.town_view import packed, stated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.web.kept import Kept

__all__ = ["router"]

router = APIRouter()

_FIELDS = {
    "for": "occasion",
    "q": "find",
    "denial.hearing": "hearing",
    "notice_given.hearing": "hearing",
    "premises.parcels": "find",
}
"""The field that a fault's key means, where its id is another one."""


@router.get("/notice")
def show(request: Request) -> Response:
    """Show the form, and the list where enough is known for one."""
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    desk = desk_of(request)
    form = read_form(given)
    with desk.open() as opened:
        try:
            changed = changed_form(opened, form, given)
        except UsageError as error:
            return _page(request, opened, read_form(given), faults=error.faults, typed=given)
        if changed is not None:
            form = changed
        if form.changed and not session_of(request).name:
            return who_first(form.link)
        # The address bar then holds the list itself, without empty fields, and loading the page again presses no button again.
        if changed is not None:
            return see_other(form.link)
        return see_other(f"{form.link}#list") if "event_was" in given else _page(request, opened, form)


@router.post("/notice/packet")
def make(request: Request) -> Response:
    """Begin to make the packet of a list that was read."""
    given = fields_of(request)
    desk, session = desk_of(request), session_of(request)
    form = read_form(given)
    if not session.name and "by" not in given:
        return who_first(form.link)
    # Asked on the page itself: what was marked as read there is not lost on the way to another.
    unnamed = () if session.name else name_faults(request, given["by"][0], key="by")
    printing = {name: given[name] for name in _PRINTING if name in given}
    on = desk.today()
    seen, read = next(iter(given.get("seen", ())), ""), {int(rank) for rank in given.get("read", ()) if rank.isdecimal()}
    with desk.open() as opened:
        if unnamed:
            return _page(request, opened, form, faults=unnamed, typed=printing, status=400)
        together = Together()
        with together:
            printed = _printed(printing)
        try:
            with together:
                if form.draft:
                    desk.kept.require_form("notice", form.draft)
                stated = form.stated(opened, desk.kept)
                asked = form.request(opened, stated, on=on, by=session.name, kept=desk.kept)
                noticed = make_notice(opened, form.premises(opened, stated), asked)
                require_read(noticed.notice, seen=seen, read=read)
            together.settle()
        except UsageError as error:
            return _page(request, opened, form, faults=error.faults, typed=printing, status=400)
        title = occasion_line(noticed.notice)
    work = _work(desk, form, on=on, by=session.name, seen=seen, read=read, printed=printed)
    return see_other(f"/jobs/{desk.jobs.start(Job(title, form.link), work).id}")


def _work(
    desk: Desk, form: NoticeForm, *, on: "date", by: str, seen: str, read: set[int], printed: dict[str, Any]
) -> "Callable[[Callable[[str], None]], MadePacket]":
    """Return the work: in a thread of its own it opens the town anew, and makes the list again."""

    def work(progress: "Callable[[str], None]") -> MadePacket:
        with desk.open() as opened:
            stated = form.stated(opened, desk.kept)
            made = make_read_packet(
                opened,
                form.premises(opened, stated),
                form.request(opened, stated, on=on, by=by, kept=desk.kept),
                seen=seen,
                read=read,
                progress=progress,
                event=stated.event,
                prepared_by=by,
                hearing_place=form.hearing_place,
                hearing_time=form.hearing_time,
                **printed,
            )
        if form.draft:
            desk.kept.discard("notice", form.draft)  # it is finished
        return made

    return work


def _printed(given: "Mapping[str, Sequence[str]]") -> dict[str, Any]:
    """Return how the papers are printed.

    Raises
    ------
    UsageError
        A choice is none of those that the page offers, or the sheet of labels cannot be printed so. All are named, each with its field.
    """
    one = {name: next(iter(given.get(name, ())), "") for name in _PRINTING}
    faults: list[Fault] = []
    if one["sort"] not in {"", *SORTS} or one["exhibit"] not in {"", "letter", "tabloid"}:
        what = "the way of printing is none that the page offers"
        faults.append(Fault(what=what, remedy="choose it again", key="printing"))
    start = one["start_at"].strip() or "1"
    if not _COUNTED.fullmatch(start):
        what = f"this is no number of a label on a sheet: {start[:20]}"
        faults.append(Fault(what=what, remedy="count along the rows, from 1", key="start_at"))
        start = "1"
    moved = [_inches(one[name].strip(), name, faults) for name in ("nudge_x", "nudge_y")]
    labels = LabelOptions(sheet=one["sheet"] or "5160", start_at=int(start), nudge_x_in=moved[0], nudge_y_in=moved[1])
    try:
        # The check of the papers themselves, here so that nobody waits for a whole list to learn of a slip of the pen.
        check_sheet(labels.sheet, start_at=labels.start_at, nudge_x_in=labels.nudge_x_in, nudge_y_in=labels.nudge_y_in)
    except UsageError as error:
        faults += error.faults
    if faults:
        raise UsageError(faults)
    return {
        "labels": labels,
        "sort": one["sort"] or "number",
        "exhibit": one["exhibit"] or "letter",
        "envelopes": "envelopes" in given,
        "letters": "no_letters" not in given,
    }


_PRINTING = ("sheet", "start_at", "nudge_x", "nudge_y", "sort", "exhibit", "envelopes", "no_letters")
"""The fields that say how the papers are printed."""
_COUNTED = re.compile(r"[0-9]{1,9}")
_INCHES = re.compile(r"[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})")
"""How inches are typed; how many are too many is for the sheet to say."""


def _inches(text: str, key: str, faults: list[Fault]) -> float:
    """Read by how many inches labels are moved; none where nothing is typed."""
    if not text:
        return 0.0
    if not _INCHES.fullmatch(text):
        what = f"this is no number of inches: {text[:20]}"
        faults.append(Fault(what=what, remedy="write it as 0.05, or -0.05 for left and up", key=key))
        return 0.0
    return float(text)


@router.post("/notice/file")
def take_file(request: Request) -> Response:
    """Take a file that a notice is made from: the event file, interested persons, a second place."""
    given, desk = fields_of(request), desk_of(request)
    form = read_form(given)
    with desk.open() as opened:
        try:
            for name in FILES:
                for file in files_of(request).get(name, ()):
                    form.files[name] = desk.kept.keep(file)
                    if name == "event_file":
                        form.event, form.typed, form.application = "", {}, ""
            stated = form.stated(opened, desk.kept)
            others_handed_in(desk.kept, form.files.get("also", ""))
            place_handed_in(opened, desk.kept, form.files.get("around", ""))
            form.premises(opened, stated) if stated.parcels else None
        except UsageError as error:
            return _page(request, opened, read_form(given), faults=error.faults, status=400)
    return see_other(form.link)


@router.post("/notice/person")
def take_person(request: Request) -> Response:
    """Take an interested person of this case, as typed."""
    given, desk = fields_of(request), desk_of(request)
    form = read_form(given)
    typed = {name: next(iter(given.get(f"person_{name}", ())), "") for name in PERSON}
    with desk.open() as opened:
        try:
            form.files["also"] = with_person(desk.kept, form.files.get("also", ""), typed)
        except UsageError as error:
            return _page(request, opened, read_form(given), faults=error.faults, typed=given, status=400)
    return see_other(form.link + "#persons")


def _seal_of(desk: Desk, form: NoticeForm, name: str) -> str:
    """Return the seal of what is saved of a form, where its page goes on with that: not where a colleague saved something else than its address says."""
    saved = desk.kept.draft("notice", form.draft) if form.draft else None
    if saved is None:
        return ""
    same = read_form(saved.values() | {"draft": [form.draft]}).pairs == form.pairs
    return saved.seal if same or saved.by == name else ""


@dataclass(slots=True)
class _Shown:
    """What a page shows of a list."""

    noticed: Noticed | None = None
    stated: StatedEvent = field(default_factory=StatedEvent)
    premises: "tuple[Parcel, ...]" = ()
    beside: "tuple[Parcel, ...]" = ()
    faults: list[Fault] = field(default_factory=list)


def _look(opened: "Opened", form: NoticeForm, kept: "Kept", *, on: "date", by: str) -> _Shown:
    """Make the list as far as the form goes, and keep what stands in its way."""
    shown = _Shown()
    try:
        shown.stated = form.stated(opened, kept)
        if form.parcels or shown.stated.parcels:
            shown.premises = form.premises(opened, shown.stated)
            shown.beside = contiguous_land(opened, shown.premises)
    except UsageError as error:
        shown.faults += error.faults
    if not (form.occasion or form.hearing or form.event) or not (shown.premises or shown.faults):
        return shown  # the form is half filled in, which is no mistake
    try:
        asked = form.request(opened, shown.stated, on=on, by=by, kept=kept)
        if not shown.faults:
            shown.noticed = make_notice(opened, shown.premises, asked)
    except UsageError as error:
        shown.faults += error.faults
    return shown


def _page(
    request: Request,
    opened: "Opened",
    form: NoticeForm,
    *,
    faults: "Sequence[Fault]" = (),
    typed: "Mapping[str, Sequence[str]] | None" = None,
    status: int = 200,
) -> Response:
    desk, session = desk_of(request), session_of(request)
    on = desk.today()
    shown = _look(opened, form, desk.kept, on=on, by=session.name)
    told = list(dict.fromkeys([*faults, *shown.faults]))
    return page(
        request,
        "notice.html",
        status=status if not shown.faults else 400,
        town=opened.town.name,
        form=form,
        typed={name: next(iter((typed or {}).get(name, ())), "") for name in _TYPED_ONCE},
        draft=form.draft or new_id(),
        draft_seen=_seal_of(desk, form, session.name),
        unfinished=()
        if form.pairs
        else [(one, read_form(one.values() | {"draft": [one.id]}).link) for one in desk.kept.drafts("notice")],
        stated=shown.stated,
        of_event=proposal(shown.stated.event) if shown.stated.event and form.has_file else (),
        choices=_choices(opened, form),
        file_names=_file_names(form, desk.kept),
        occasions=opened.profile.occasions,
        on=on,
        **shown_faults(told, _FIELDS),
        premises=shown.premises,
        beside=shown.beside,
        box=desk.box(opened),
        **(_list(shown.noticed) if shown.noticed else {"notice": None, "shapes": _premises_alone(opened, shown.premises)}),
    )


_TYPED_ONCE = ("q", "change", "change_parcel", "change_why", *_PRINTING, *(f"person_{name}" for name in PERSON))


def _choices(opened: "Opened", form: NoticeForm) -> dict[str, Any]:
    """Return what the form offers to choose from, and what its files hold."""
    return {
        "applications": [
            (one.number, stated(one, "event", "title"), stated(one, "applicant", "name"))
            for one in applications_to_choose(opened)
        ],
        "kinds": EVENT_KINDS,
        "sheets": SHEETS,
        "sorts": SORTS,
        "around": any(rule.notice and rule.notice.around for rule in opened.profile.rules),
        "standing": [one for one in opened.others if not one.occasions or form.occasion in ("", *one.occasions)],
        "place": opened.town.papers.hearing_place,
        "time": opened.town.papers.hearing_time,
    }


def _file_names(form: NoticeForm, kept: "Kept") -> dict[str, str]:
    """Return what the files are called that were handed in; empty for one that is not there any more."""
    found = {}
    for name, key in form.files.items():
        try:
            found[name] = kept.file(key).name if key else ""
        except UsageError:  # the page says so where the file is used
            found[name] = ""
    return found


def _premises_alone(opened: "Opened", premises: "Sequence[Parcel]") -> dict[str, Any]:
    """Return the shapes of the premises, for the map of a form of which no list can be made yet."""
    shapes = packed(opened.store.geometries([parcel.fid for parcel in premises])) if premises else []
    drawn = [("premises", parcel.id, "Premises", shape) for parcel, shape in zip(premises, shapes, strict=True)]
    return {"unit": _UNIT_FT, "shapes": drawn}


_UNIT_FT = 0.1
"""Feet of one step in the shapes that the map draws."""


def _list(noticed: Noticed) -> dict[str, Any]:
    """Return what the page shows of a list: its sentences, its warnings by rank, a row for each parcel, and the shapes on the map."""
    notice = noticed.notice
    numbers: dict[str, list[int]] = {}
    for recipient in notice.recipients:
        for id_ in recipient.parcels:
            numbers.setdefault(id_, []).append(recipient.number)
    words = {clause.rule: clause.words for clause in notice.clauses}
    return {
        "notice": notice,
        "heading": occasion_line(notice),
        "required": required_line(notice),
        "counts": counts_line(notice),
        "ranks": [(rank, RANK_WORDS[rank], those) for rank, those in by_rank(causes(notice.warnings))],
        "questions": open_questions(notice),
        "import_codes": IMPORT_CODES,
        "row_of": {parcel.id: n for n, parcel in enumerate(notice.parcels, 1)},
        "undated": noticed.undated,
        "seen": fingerprint(notice),
        "deadlines": sorted(noticed.deadlines, key=lambda one: one.suggested),
        "rows": [
            {
                "parcel": parcel,
                "numbers": numbers.get(parcel.id, []),
                "owners": [" / ".join(owner.names) for owner in noticed.owners.get(parcel.fid, ()) if owner.names],
                "words": words.get(parcel.rule, ""),
                "review": [REVIEW_WORDS.get(code, code.replace("_", " ")) for code in parcel.review],
            }
            for parcel in notice.parcels
        ],
        "shapes": _shapes_of(noticed, numbers),
    }


def _shapes_of(noticed: Noticed, numbers: dict[str, list[int]]) -> dict[str, Any]:
    notice, measured = noticed.notice, noticed.measured
    fids = {record.id: fid for fid, record in measured.records.items()}
    drawn: list[tuple[str, str, str, Any]] = []
    if noticed.radius_ft is not None:
        drawn.append(("radius", "", "", measured.line.buffer(noticed.radius_ft, quad_segs=32)))
    drawn += [("near_miss", one.id, "", measured.geometries[fids[one.id]]) for one in notice.near_misses if one.id in fids]
    for parcel in notice.parcels:
        label = ", ".join(map(str, numbers.get(parcel.id, ())))
        drawn.append((parcel.relation, parcel.id, label, measured.geometries[parcel.fid]))
    drawn += [("premises", parcel.id, "Premises", measured.geometries[parcel.fid]) for parcel in measured.premises]
    shapes = packed([shape for *_, shape in drawn])
    return {
        "unit": _UNIT_FT,
        "shapes": [(kind, id_, label, shape) for (kind, id_, label, _), shape in zip(drawn, shapes, strict=True)],
    }
