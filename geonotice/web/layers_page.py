"""The layers of the town: what they are and how old, what was found in them; and the import of newer ones with its report."""

from collections import Counter
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault, UsageError
from geonotice.io.output_files import write_file
from geonotice.layers.reports import CODE_WORDS
from geonotice.web.desk import Desk, desk_of, session_of
from geonotice.web.forms_and_uploads import shown_faults
from geonotice.web.jobs import Job
from geonotice.web.permit_lists import asked_of
from geonotice.web.rendering import page, see_other
from geonotice.web.sign_in import who_first
from geonotice.workflow.importing import StoreChange, change_since, import_layers, look_at_layers, owners_by_parcel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geonotice.model import Source

__all__ = ["router"]

router = APIRouter()

_ROWS = 100
"""Problems on one page."""
_LISTED = 60
"""Parcels of each change that the page names."""
_MONTHS_FROM, _YEARS_FROM = 60, 730
"""From so many days on, an age is shown in months, and in years."""


class _Last(Struct, frozen=True, kw_only=True):
    """The last import from the desk: who, when, what the report said, and what it changed."""

    by: str
    at: datetime
    counts: dict[str, int]
    warnings: tuple[str, ...]
    changed: StoreChange | None
    under_permits: tuple[str, ...]


def _file_of(desk: Desk) -> "Path":
    return desk.place.parent / "desk" / "last-import.json"


def _last(desk: Desk, seal: str) -> _Last | None:
    """Return the last import, where the store is still the one that it wrote."""
    try:
        found = msgspec.json.decode(_file_of(desk).read_bytes(), type=_Last)
    except (OSError, msgspec.DecodeError):  # a note that is not there or damaged is none; the store itself is what counts
        return None
    return found if found.changed is None or found.changed.seal == seal else None


@router.get("/layers")
def show(request: Request) -> Response:
    """Show the layers; while an import runs, how far it is."""
    return _page(request)


def _page(request: Request, *, job: Job | None = None, faults: tuple[Fault, ...] = ()) -> Response:
    desk, values = desk_of(request), asked_of(request)
    seen = look_at_layers(desk.place, on=desk.today())
    code, nth = values.text("code"), values.count("page", "the page", most=1_000_000) or 1
    listed = [one for one in seen.problems if not code or one.code == code]
    pages = max(1, -(-len(listed) // _ROWS))
    nth = min(nth, pages)
    return page(
        request,
        "layers.html",
        status=400 if faults else 200,
        town=seen.town,
        seen=seen,
        imported=seen.imported.astimezone() if seen.imported else None,
        sources=[(one, _age(one, desk.today())) for one in seen.sources],
        kinds=[(one, CODE_WORDS.get(one, one), count) for one, count in Counter(one.code for one in seen.problems).most_common()],
        words=CODE_WORDS,
        code=code,
        listed=listed[(nth - 1) * _ROWS : nth * _ROWS],
        total=len(listed),
        nth=nth,
        pages=pages,
        last=_last(desk, seen.seal),
        most=_LISTED,
        job=job,
        **shown_faults(faults),
    )


def _age(source: "Source", today: date) -> str:
    """Return how old a source is, in words."""
    if source.as_of is None:
        return "not known"
    days = (today - source.as_of).days
    if days < 0:
        return "dated ahead"
    if days < _MONTHS_FROM:
        return f"{days} day{'' if days == 1 else 's'}"
    return f"{days // 30} months" if days < _YEARS_FROM else f"{days // 365} years"


@router.post("/layers/import")
def start(request: Request) -> Response:
    """Begin to import the layers."""
    desk, session = desk_of(request), session_of(request)
    if not session.name:
        return who_first("/layers")
    waits = "Until it is done, lists are made from the store that was there. It is replaced whole, or stays as it is."
    job = Job("The layers are being imported", "/layers", waits=waits)
    job.after = f"/layers/import?job={job.id}"
    desk.jobs.start(job, partial(_work, desk, session.name))
    return see_other(job.after)


@router.get("/layers/import")
def follow(request: Request) -> Response:
    """Show how far an import is, and why it was not done."""
    job = _job(request)
    if job.state == "failed":
        return _page(request, faults=job.faults)
    return see_other("/layers") if job.ended else _page(request, job=job)


def _job(request: Request) -> Job:
    job = desk_of(request).jobs.find(asked_of(request).text("job"))
    if job is None or job.back != "/layers":
        raise UsageError(Fault(what="this import is not known any more", remedy="look at the page of the layers"))
    return job


def _work(desk: Desk, by: str, progress: "Callable[[str], None]") -> str:
    from geonotice.opened_town import may_have_permits
    from geonotice.workflow.permits import changed_under_permits, require_readable_register

    permits = may_have_permits(desk.place)
    if permits:
        # First: an import that ends with an error about the register would leave open what became of the store.
        require_readable_register(desk.place)
    before = owners_by_parcel(desk.place)
    report = import_layers(desk.place, on=desk.today(), progress=progress)
    progress("Comparing with the store that was there")
    last = _Last(
        by=by,
        at=desk.now(),
        counts=report.counts,
        warnings=report.warnings,
        changed=None if before is None else change_since(before, desk.place),
        under_permits=tuple(one.text for one in changed_under_permits(desk.place)) if permits else (),
    )
    write_file(_file_of(desk), msgspec.json.encode(last))
    return f"{report.counts.get('parcels', 0):,} parcels were imported"
