"""The desk's application: its guard, its pages and its files; and what every page needs of the town."""

import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from geonotice import __version__
from geonotice.errors import Fault, GeonoticeError, ParcelNotFound, UsageError
from geonotice.opened_town import Opened, open_store
from geonotice.search import Index
from geonotice.web.guard import Guard, GuardRules
from geonotice.web.jobs import Jobs, Once
from geonotice.web.kept import Kept
from geonotice.web.roles_and_sessions import Door, Session, Sessions
from geonotice.workflow.town_view import Box, town_box

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from geonotice.web.forms_and_uploads import HandedIn
    from geonotice.web.screen_desk import Judgments

__all__ = ["Desk", "desk_of", "fields_of", "files_of", "make_desk", "session_of"]


_PAGES_FIRST_S = 1.0
"""Seconds after the start before the search is made ready; who searches earlier waits for it."""


def _now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class Desk:
    """What the pages share.

    Parameters
    ----------
    place
        The town file.
    rules
        How the desk is reached.
    now
        Reads the clock: the desk is a caller, as a command is.
    """

    place: Path
    rules: GuardRules
    now: "Callable[[], datetime]" = _now
    sessions: Sessions = field(default_factory=Sessions)
    jobs: Jobs = field(default_factory=Jobs)
    issued: Once = field(default_factory=Once)
    door: Door = field(init=False)
    judgments: "Judgments" = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _indexed: "tuple[str, Index] | None" = None
    _boxed: "tuple[str, Box] | None" = None

    def __post_init__(self) -> None:
        from geonotice.web.screen_desk import Judgments

        self.door = Door(self.place, always=self.rules.sign_in)
        self.judgments = Judgments()

    def today(self) -> date:
        """Return the date that is taken as today."""
        return self.now().date()

    @property
    def kept(self) -> Kept:
        """What is kept beside the town for those who work at the desk."""
        return Kept(self.place.parent)

    def open(self) -> Opened:
        """Open the town for one request: a connection belongs to one thread, and an import meanwhile is seen at once."""
        return open_store(self.place)

    def index(self, opened: Opened) -> Index:
        """Return the town's parcels made ready to be searched, made again where the store is another one."""
        seal = opened.store.meta.get("seal", "")
        with self._lock:
            if self._indexed is None or self._indexed[0] != seal:
                self._indexed = (seal, Index(opened.store.entries()))
            return self._indexed[1]

    def box(self, opened: Opened) -> Box:
        """Return the box round the town; it does not wait for the search, which takes a second in a large town."""
        seal = opened.store.meta.get("seal", "")
        if self._boxed is None or self._boxed[0] != seal:
            self._boxed = (seal, town_box(opened))
        return self._boxed[1]

    def prepare(self) -> None:
        """Make the search ready before somebody waits for it."""
        try:
            with self.open() as opened:
                self.index(opened)
        except GeonoticeError:  # the pages say what is wrong with the town
            return


def desk_of(request: "Request") -> Desk:
    """Return the desk that a request is for."""
    return cast("Desk", request.app.state.desk)


def session_of(request: "Request") -> Session:
    """Return the session that the guard found."""
    return cast("Session", request.state.session)


def fields_of(request: "Request") -> dict[str, list[str]]:
    """Return the fields of a form that the guard let through."""
    return cast("dict[str, list[str]]", request.state.fields)


def files_of(request: "Request") -> "dict[str, list[HandedIn]]":
    """Return the files that came with a form."""
    return cast("dict[str, list[HandedIn]]", request.state.files)


_FILES = {
    "desk": ("web", "static"),
    "leaflet": ("vendor", "leaflet"),
    "drawing": ("vendor", "@geoman-io", "leaflet-geoman-free"),
    "htmx": ("vendor", "htmx.org"),
}
"""The folders of the package that a browser may read, by the name in its address."""


_ROOMS = (
    "amend_page", "application_form", "application_page", "correction_page", "drafts_and_jobs", "for_scripts", "import_wizard", "issue_page", "layers_page", "mail_desk",
    "map_and_property", "notice_desk", "packet_desk", "permit_lists", "permit_page", "screen_desk", "sign_in",
)  # fmt: skip
"""The modules that have pages; what is for scripts alone stands in the document that describes the interface."""


def make_desk(desk: Desk) -> Guard:
    """Make the application; the guard stands around all of it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> "AsyncIterator[None]":
        # After the first page, with which it would share one core.
        prepared = threading.Timer(_PAGES_FIRST_S, desk.prepare)
        prepared.daemon = True
        prepared.start()
        yield
        prepared.cancel()
        prepared.join()  # who has begun reads the town to the end, which may be removed as soon as the desk is closed
        desk.jobs.close()

    # The pages that describe the interface load scripts from elsewhere: the document alone is served.
    app = FastAPI(
        title="geonotice desk",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.desk = desk
    for room in _ROOMS:
        # The pages import what every page needs of the desk from this module.
        module = import_module(f"geonotice.web.{room}")
        app.include_router(module.router, include_in_schema=room == "for_scripts")
    package = files("geonotice")
    for name, folder in _FILES.items():
        app.mount(f"/static/{name}", StaticFiles(directory=str(package.joinpath(*folder))), name=name)
    app.add_exception_handler(GeonoticeError, _tell_fault)
    app.add_exception_handler(HTTPException, _tell_status)
    app.add_exception_handler(Exception, _tell_unknown)
    # Around the whole, and not among the application's own layers: the page of an error that nobody foresaw has its headers too.
    return Guard(
        cast("Any", app), rules=desk.rules, sessions=desk.sessions, door=desk.door, refuse=lambda fault: _refusal(app, fault)
    )


def _refusal(app: FastAPI, fault: Fault) -> "Any":  # noqa: ANN401  # an ASGI application
    """Return what answers with a page that tells why somebody may not."""

    async def answer(scope: "Any", receive: "Any", send: "Any") -> None:  # noqa: ANN401  # as ASGI has them
        from starlette.requests import Request

        from geonotice.web.rendering import error_page

        found = error_page(Request({**scope, "app": app}, receive), (fault,), status=_FORBIDDEN)
        await found(scope, receive, send)

    return answer


def _tell_fault(request: "Request", error: Exception) -> "Response":
    """Answer an error in words: what, why, what to do."""
    from geonotice.web.rendering import error_page

    found = cast("GeonoticeError", error)
    status = 404 if isinstance(found, ParcelNotFound) else 400 if isinstance(found, UsageError) else 503
    return error_page(request, found.faults, status=status)


def _tell_status(request: "Request", error: Exception) -> "Response":
    from geonotice.web.rendering import error_page

    found = cast("HTTPException", error)
    faults = (
        Fault(what=found.detail if found.status_code != _NOT_FOUND else "there is no such page", remedy="begin at the map"),
    )
    return error_page(request, faults, status=found.status_code)


_NOT_FOUND = 404
_FORBIDDEN = 403


def _tell_unknown(request: "Request", _: Exception) -> "Response":
    """Answer an error that nobody foresaw; the window of the desk has its text."""
    from geonotice.web.rendering import error_page

    remedy = (
        "go back and try again; if it comes again, send the text in the window of the desk to whoever looks after the program"
    )
    return error_page(request, (Fault(what="the program met an error that it does not know", remedy=remedy),), status=500)
