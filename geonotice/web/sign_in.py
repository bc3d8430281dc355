"""Who writes: a sign-in where the desk has users; else, on one's own machine, a name for the log before the first write, in the page."""

import math

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.read_town import read_town_file
from geonotice.errors import Fault, UsageError
from geonotice.register.users import ROLES
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.rendering import local_path, page, see_other
from geonotice.workflow.users import LEAST_LETTERS, change, create, let_in

__all__ = ["name_faults", "router", "who_first"]

router = APIRouter()

_LONGEST = 100
"""Characters of a name: it stands in the log, and on papers."""
_TOO_MANY = 429


def who_first(place: str) -> Response:
    """Send the browser to the page that asks for a name, and back to ``place`` from there."""
    from urllib.parse import urlencode

    return see_other("/who?" + urlencode({"next": local_path(place)}))


@router.get("/who")
def ask(request: Request) -> Response:
    """Ask for the name."""
    return _page(request, place=local_path(request.query_params.get("next", "/")))


@router.post("/who")
def take(request: Request) -> Response:
    """Take the name, and go on."""
    given = fields_of(request)
    place = local_path(given.get("next", ["/"])[0])
    if _fixed(request):  # the name is that of the sign-in
        return see_other(place)
    faults = name_faults(request, given.get("name", [""])[0])
    if not faults:
        return see_other(place)
    return _page(request, place=place, status=400, faults=faults)


def name_faults(request: Request, text: str, *, key: str = "name") -> tuple[Fault, ...]:
    """Take a name for the log into the session, or return what is wrong with it; ``key`` is its field."""
    if _fixed(request):  # nobody who signed in writes under another name
        return ()
    name = " ".join(text.split())
    if name and len(name) <= _LONGEST and name.isprintable():
        session_of(request).name = name
        return ()
    what = (
        "no name is given"
        if not name
        else f"the name is longer than {_LONGEST} letters, or has signs in it that cannot be printed"
    )
    return (Fault(what=what, remedy="type your name as it should stand in the log", key=key),)


def _fixed(request: Request) -> bool:
    return bool(desk_of(request).rules.trusted_header or session_of(request).user)


def _page(request: Request, *, place: str, status: int = 200, faults: tuple[Fault, ...] = ()) -> Response:
    town = read_town_file(desk_of(request).place).name
    told = shown_faults(faults)
    return page(request, "who.html", status=status, town=town, next=place, fixed=_fixed(request), least=LEAST_LETTERS, **told)


@router.get("/sign-in")
def ask_password(request: Request) -> Response:
    """Ask for name and password."""
    place = local_path(request.query_params.get("next", "/"))
    if session_of(request).user or not desk_of(request).door.asks():
        return see_other(place)
    return _sign_in_page(request, place=place, lost=bool(request.query_params.get("lost")))


@router.post("/sign-in")
def sign_in(request: Request) -> Response:
    """Let somebody in, under a session of another key."""
    desk, given = desk_of(request), fields_of(request)
    name, password = given.get("name", [""])[0], given.get("password", [""])[0]
    place = local_path(given.get("next", ["/"])[0])
    address = str(request.state.address)
    if wait := desk.door.attempts.wait_seconds(name, address):
        what = "too many wrong passwords came for this name, or from this computer"
        fault = Fault(what=what, remedy=f"wait {math.ceil(wait / 60)} minutes, or ask an administrator for another password")
        return _sign_in_page(request, place=place, name=name, status=_TOO_MANY, faults=(fault,))
    user = let_in(desk.door.users(), name, password)
    if user is None:
        desk.door.attempts.wrong(name, address)
        # The same whatever is wrong: who tries names learns of none whether it is a user's.
        fault = Fault(what="name and password do not belong together", remedy="type both again")
        return _sign_in_page(request, place=place, name=name, status=403, faults=(fault,))
    desk.door.attempts.right(name, address)
    desk.sessions.sign_in(session_of(request), user)
    return see_other(place)


def _sign_in_page(
    request: Request, *, place: str, name: str = "", status: int = 200, faults: tuple[Fault, ...] = (), lost: bool = False
) -> Response:
    return page(request, "sign_in.html", status=status, next=place, name=name[:64], lost=lost, **shown_faults(faults))


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End the session."""
    desk_of(request).sessions.end(session_of(request))
    return see_other("/sign-in")


@router.post("/password")
def own_password(request: Request) -> Response:
    """Change one's own password; sessions of the old one end, this one goes on."""
    desk, session, given = desk_of(request), session_of(request), fields_of(request)
    old, new, again = (given.get(field, [""])[0] for field in ("password", "new", "again"))
    address = str(request.state.address)
    if not session.user:
        return see_other("/who")
    if desk.door.attempts.wait_seconds(session.user, address) or not let_in(desk.door.users(), session.user, old):
        desk.door.attempts.wrong(session.user, address)
        fault = Fault(what="this is not the password you have", remedy="type it again", key="password")
        return _page(request, place="/", status=400, faults=(fault,))
    if new != again:
        fault = Fault(what="the two new passwords differ", remedy="type both again", key="again")
        return _page(request, place="/", status=400, faults=(fault,))
    try:
        user = change(desk.place, session.user, password=new, now=desk.now(), by=session.name)
    except UsageError as error:
        return _page(request, place="/", status=400, faults=tuple(error.faults))
    desk.door.forget()
    desk.sessions.sign_in(session, user)
    session.said.append("Your password is changed.")
    return see_other("/who")


# ---- users, for an administrator


@router.get("/users")
def users(request: Request) -> Response:
    """List the users."""
    return _users_page(request)


@router.post("/users")
def add(request: Request) -> Response:
    """Add a user."""
    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    if not session.name:
        return who_first("/users")
    role = next((one for one in ROLES if one == values.text("role")), ROLES[0])
    try:
        made = create(
            read_town_file(desk.place),
            name=values.text("name", most=100),
            log_name=values.text("log_name", most=200),
            role=role,
            password=fields_of(request).get("password", [""])[0],
            now=desk.now(),
            by=session.name,
        )
    except UsageError as error:
        shown = values.raw() | {"password": ""}
        return _users_page(request, status=400, faults=tuple(error.faults), shown=shown)
    return _changed(request, f"User {made.name} is added as {made.role}.")


@router.post("/users/change")
def change_one(request: Request) -> Response:
    """Change a user's role, disable one, or let one in again."""
    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    if not session.name:
        return who_first("/users")
    do, role = values.text("do"), next((one for one in ROLES if one == values.text("role")), None)
    try:
        done = change(
            desk.place,
            values.text("name"),
            role=role if do == "role" else None,
            disabled={"disable": True, "enable": False}.get(do),
            now=desk.now(),
            by=session.name,
        )
    except UsageError as error:
        return _users_page(request, status=400, faults=tuple(error.faults))
    return _changed(request, f"User {done.name} is {done.role}{' and disabled' if done.disabled else ''}.")


@router.post("/users/password")
def set_password(request: Request) -> Response:
    """Set a password in the place of one that is lost."""
    desk, session, values = desk_of(request), session_of(request), Values(fields_of(request))
    if not session.name:
        return who_first("/users")
    given = fields_of(request).get("password", [""])[0]
    try:
        done = change(desk.place, values.text("name"), password=given, now=desk.now(), by=session.name)
    except UsageError as error:
        return _users_page(request, status=400, faults=tuple(error.faults), fields={"password": "new", "name": "of"})
    return _changed(request, f"User {done.name} has another password.")


def _changed(request: Request, said: str) -> Response:
    desk_of(request).door.forget()
    session_of(request).said.append(said)
    return see_other("/users")


def _users_page(
    request: Request,
    *,
    status: int = 200,
    faults: tuple[Fault, ...] = (),
    shown: dict[str, str] | None = None,
    fields: dict[str, str] | None = None,
) -> Response:
    desk = desk_of(request)
    listed = tuple(desk.door.users().values())
    return page(
        request,
        "users.html",
        status=status,
        town=read_town_file(desk.place).name,
        users=listed,
        roles=ROLES,
        shown={"name": "", "log_name": "", "role": ""} | (shown or {}),
        least=LEAST_LETTERS,
        **shown_faults(faults, fields),
    )
