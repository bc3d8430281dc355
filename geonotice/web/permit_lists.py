"""What the register holds, to be looked at: permits by period, kind, applicant, district and status; the calendar; the lots at the cap; the log; a copy of it all."""

import calendar
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.application import EVENT_KINDS
from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.cap_count import PermitStatus
from geonotice.errors import Fault, UsageError
from geonotice.register.year import YEAR_WAYS, list_of_year, year_words
from geonotice.web.desk import desk_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.rendering import page
from geonotice.web.sign_in import who_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import ResultWarning
    from geonotice.ordinance.profile import Profile
    from geonotice.register.session import Register
    from geonotice.register.values import Entry, Permit
    from geonotice.register.year import YearWay

__all__ = ["router"]

router = APIRouter()

_FILES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "gpkg": "application/geopackage+sqlite3",
}
_LOG_ROWS = 100
"""Rows of the log on one page."""


def asked_of(request: Request) -> Values:
    """Return the fields of an address."""
    return Values({name: request.query_params.getlist(name) for name in request.query_params})


@router.get("/permits")
def permits(request: Request) -> Response:
    """List permits: of this year where nothing else is asked."""
    from geonotice.register.session import read_town_register

    desk, values = desk_of(request), asked_of(request)
    with desk.open() as opened, read_town_register(opened.town) as register:
        found, which, said = _chosen(register, values, this_year=desk.today().year, profile=opened.profile)
        typed = {name: value for name, value in values.raw().items() if value}
        year = "" if {"from", "to"} & typed.keys() else str(desk.today().year)
        return page(
            request,
            "permits.html",
            status=400 if values.faults else 200,
            town=opened.town.name,
            permits=found,
            which=which,
            shown=dict.fromkeys(("from", "to", "kind", "applicant", "district", "status"), "")
            | {"year": year, "year_by": "cap"}
            | typed,
            year_ways=tuple(YEAR_WAYS.items()),
            kinds=sorted({*EVENT_KINDS, *(one.kind for one in found)}),
            statuses=get_args(PermitStatus),
            warnings=(*register.warnings, *said),
            **shown_faults(values.faults),
        )


@router.get("/permits/file")
def permits_file(request: Request) -> Response:
    """Return the same list as a spreadsheet, or as a GeoPackage with its lots."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.permits import export_permits

    desk, values = desk_of(request), asked_of(request)
    ending = values.one_of("format", _FILES, "kind of file", otherwise="xlsx")
    with desk.open() as opened, read_town_register(opened.town) as register, TemporaryDirectory() as folder:
        found, _, _ = _chosen(register, values, this_year=desk.today().year, profile=opened.profile)
        values.require()
        file = Path(folder) / f"permits.{ending}"
        export_permits(opened, register, file, listed=found)
        return _download(file.read_bytes(), file.name, _FILES[ending])


def _chosen(
    register: "Register", values: Values, *, this_year: int, profile: "Profile"
) -> "tuple[Sequence[Permit], str, tuple[ResultWarning, ...]]":
    """Return the permits that an address asks for, which these are in words, and what is to be said of them."""
    from geonotice.register.permits import chosen, list_permits

    first, last = values.day("from", "the first day"), values.day("to", "the last day")
    year = values.count("year", "the year", most=9999)
    if year is None and not values.text("year") and first is None and last is None:
        year = this_year
    status = values.one_of("status", get_args(PermitStatus), "status")
    way = cast("YearWay", values.one_of("year_by", tuple(YEAR_WAYS), "way of counting years", otherwise="cap"))
    # The form always states a way; only the one that it begins with may stand beside a period without a year.
    if year is None and way != "cap" and not values.faults:
        what = f"“{YEAR_WAYS[way]}” says by which day the permits of a year are found, and no year is given"
        values.fault("year_by", what, "give the year, or choose the first way again")
    which = ""
    said: tuple[ResultWarning, ...] = ()
    if values.faults:
        return (), which, said
    try:
        listed = list_permits(register, year=year, status=status or None)
        if year is not None:
            caps = cap_rules(profile)
            of_year = list_of_year(register, listed, year, way=way, caps=caps)
            listed, said, which = of_year.permits, of_year.warnings, year_words(year, way, caps)
        found = chosen(
            listed,
            kind=values.text("kind") or None,
            first=first,
            last=last,
            applicant=values.text("applicant") or None,
            district=values.text("district") or None,
        )
    except UsageError as error:
        values.faults += error.faults
        return (), "", ()
    return found, which, said


@router.get("/calendar")
def month(request: Request) -> Response:
    """Show a month, or a week of it, and the events that are in each other's way."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.calendar import span_of, week_of

    desk, values = desk_of(request), asked_of(request)
    week, text = values.day("week", "the week"), values.text("month", most=7)
    day = week or _first_of(text, values) or desk.today().replace(day=1)
    with desk.open() as opened, read_town_register(opened.town) as register:
        if week:
            found = week_of(register, day=day)
        else:
            found = span_of(register, first=day, last=day.replace(day=calendar.monthrange(day.year, day.month)[1]))
        back, ahead = (week - timedelta(days=7), week + timedelta(days=7)) if week else (_month(day, -1), _month(day, 1))
        return page(
            request,
            "calendar.html",
            status=400 if values.faults else 200,
            town=opened.town.name,
            span=found,
            week=week,
            back=back,
            ahead=ahead,
            today=desk.today(),
            days=_days(found.permits, found.first, found.last),
            warnings=register.warnings,
            **shown_faults(values.faults),
        )


def _first_of(text: str, values: Values) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        values.fault("month", f"this is no month: {text}", "write it as 2026-07")
        return None


def _month(day: date, by: int) -> date:
    n = day.year * 12 + day.month - 1 + by
    return date(n // 12, n % 12 + 1, 1)


def _days(listed: "Sequence[Permit]", first: date, last: date) -> "list[tuple[date, list[Permit]]]":
    """Return each day with the permits whose event is on."""
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return [(day, [one for one in listed if _is_on(one, day)]) for day in days]


def _is_on(permit: "Permit", day: date) -> bool:
    if permit.yard_sale_days:
        return day in permit.yard_sale_days
    return permit.starts is not None and permit.starts <= day <= (permit.ends or permit.starts)


@router.get("/calendar.ics")
def calendar_file_(request: Request) -> Response:
    """Return all events as a calendar file: for the staff, or for the public without names."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.calendar import calendar_file

    desk, public = desk_of(request), asked_of(request).text("public") == "yes"
    with desk.open() as opened, read_town_register(opened.town) as register:
        content, _ = calendar_file(opened, register, public=public, on=desk.today())
    return _download(content, "public-events.ics" if public else "events.ics", "text/calendar; charset=utf-8")


@router.get("/at-cap")
def at_cap(request: Request) -> Response:
    """List the lots whose permits of the year are used up, and who has them."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.at_cap import lots_at_cap

    desk, values = desk_of(request), asked_of(request)
    year = values.count("year", "the year", most=9999) or desk.today().year
    district = values.text("district")
    with desk.open() as opened, read_town_register(opened.town) as register:
        capped = bool(opened.profile.of_kind("cap"))
        try:
            found = lots_at_cap(opened, register, year=year, on=desk.today(), district=district or None) if capped else None
        except UsageError as error:
            found = None
            values.faults += error.faults
        return page(
            request,
            "at_cap.html",
            status=400 if values.faults else 200,
            town=opened.town.name,
            year=year,
            district=district,
            capped=capped,
            found=found,
            on=desk.today(),
            **shown_faults(values.faults),
        )


@router.get("/log")
def log(request: Request) -> Response:
    """Show the log of changes, the last first, and on request whether anybody changed the register behind it."""
    from geonotice.register.permits import log_entries
    from geonotice.register.session import read_town_register
    from geonotice.register.verify_log import verify_log

    desk, values = desk_of(request), asked_of(request)
    number, nth = values.text("number"), values.count("page", "the page", most=1_000_000) or 1
    verify, head = values.ticked("verify"), values.text("head", most=200)
    with desk.open() as opened, read_town_register(opened.town) as register:
        report = verify_log(register, head=head or None) if verify and register.there else None
        entries = tuple(one for one in log_entries(register) if not number or one.permit.casefold() == number.casefold())
        pages = max(1, -(-len(entries) // _LOG_ROWS))
        nth = min(nth, pages)
        latest = entries[::-1][(nth - 1) * _LOG_ROWS : nth * _LOG_ROWS]
        return page(
            request,
            "log.html",
            town=opened.town.name,
            entries=log_rows(latest),
            total=len(entries),
            number=number,
            nth=nth,
            pages=pages,
            report=report,
            head=head,
            there=register.there,
            warnings=register.warnings,
        )


def log_rows(entries: "Sequence[Entry]") -> list[dict[str, Any]]:
    """Return rows of the log as a page shows them: the time of the clock on the wall, the deed in words, what changed."""
    from geonotice.register.amendments import change_lines
    from geonotice.register.log import APPLICATION_ACTION, ISSUING, MAIL_ACTION
    from geonotice.register.users import USER_ACTION

    return [
        {
            "n": one.n,
            "at": one.at,
            "by": one.by,
            "number": one.permit,
            "application": one.action.startswith(APPLICATION_ACTION),
            "plain": one.action.startswith((MAIL_ACTION, USER_ACTION)),
            "action": one.action.removeprefix(APPLICATION_ACTION).replace("_", " "),
            "why": one.why,
            "changes": change_lines(one.changes, issued=one.action.startswith(ISSUING)) if one.changes else (),
            "hash": one.hash,
        }
        for one in entries
    ]


@router.get("/backup")
def backup(request: Request) -> Response:
    """Tell how the register is backed up, and offer a copy of it."""
    from geonotice.register.session import read_town_register

    with desk_of(request).open() as opened, read_town_register(opened.town) as register:
        return page(
            request, "backup.html", town=opened.town.name, there=register.there, server=not register.url.startswith("sqlite")
        )


@router.post("/backup")
def backup_file(request: Request) -> Response:
    """Return a copy of the register as one file, as it stands at this moment."""
    from geonotice.workflow.permits import backup_register

    if not session_of(request).name:
        return who_first("/backup")
    desk = desk_of(request)
    with desk.open() as opened:
        content = backup_register(opened.town)
    return _download(content, f"permits-{desk.today().isoformat()}.sqlite", "application/vnd.sqlite3")


def _download(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def number_asked(values: Values) -> str:
    """Return the number of a permit or an application that an address names.

    Raises
    ------
    UsageError
        It names none.
    """
    number = values.text("number", most=200)
    if not number:
        raise UsageError(Fault(what="no number is given", remedy="choose one from a list"))
    return number
