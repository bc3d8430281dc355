"""What every request passes before a page sees it: Host, Origin, the session and its user, the form's token; and the headers of every answer.

It stands around the whole application, so that no page can forget it. It speaks ASGI itself: the body of a form is read once, within its bounds.
"""

import logging
import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from anyio import to_thread

from geonotice.errors import Fault, GeonoticeError
from geonotice.web.forms_and_uploads import HandedIn, Refused, header, read_form
from geonotice.web.roles_and_sessions import Door, Session, Sessions, may, needed_role

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    from geonotice.register.users import User

    ASGIApp = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

__all__ = ["CSP", "LOOPBACK_NAMES", "Guard", "GuardRules"]

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which a browser reaches a desk on its own machine."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""No script but the desk's own files, none within a page, and nothing from anywhere else."""

_HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Not no-referrer: with it a browser sends "Origin: null" with the desk's own forms.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_SAFE = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRules:
    """How a desk is reached.

    Parameters
    ----------
    port
        The port that it listens on.
    public_name
        The name in the browser's address bar where a sign-in stands in front; empty on one's own machine.
    trusted_header
        The header in which the sign-in in front names the user; empty where there is none.
    behind_tls
        Whether a proxy that speaks TLS stands in front, and nobody else reaches the port.
    sign_in
        Whether a sign-in is asked even where there are no users: the desk is reached from other computers.
    """

    port: int
    public_name: str = ""
    trusted_header: str = ""
    behind_tls: bool = False
    sign_in: bool = False

    @property
    def cookie(self) -> str:
        """The cookie's name. Ports share cookies, so two desks on one machine need two names."""
        return f"geonotice_desk_{self.port}"

    def allows_host(self, given: str) -> bool:
        """Return whether a Host header names this desk: else another site's name may have been pointed at it."""
        host = given.strip().lower()
        if self.public_name:
            name = self.public_name.lower()
            return host == name or (":" not in name and host.rpartition(":")[0] == name and host.rpartition(":")[2].isdigit())
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not port.isdigit():
            name, port = host, "80"
        return name in LOOPBACK_NAMES and int(port) == self.port


class _SignInFirst(Exception):
    """Nobody is signed in, and the page is not for everybody."""


class _NotForRole(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


class Guard:
    """The application within its guard.

    Parameters
    ----------
    app
        The application.
    rules
        How it is reached.
    sessions, door
        Who sits at it, and who may.
    refuse
        Returns the application that answers with a page of a fault.
    """

    def __init__(
        self, app: "ASGIApp", *, rules: GuardRules, sessions: Sessions, door: Door, refuse: "Callable[[Fault], ASGIApp]"
    ) -> None:
        self._app, self._rules, self._sessions, self._door, self._refuse = app, rules, sessions, door, refuse

    async def __call__(self, scope: "MutableMapping[str, Any]", receive: "Receive", send: "Send") -> None:
        """Answer a request, or refuse it in a sentence."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        answer = _Answer(send, page=not scope["path"].startswith("/static/"))
        app = self._app
        try:
            session = await self._admit(scope, answer)
            fields: dict[str, list[str]] = {}
            files: dict[str, list[HandedIn]] = {}
            if scope["method"] not in _SAFE:
                fields, files = await read_form(scope, receive)
                self._require_token(scope, session, fields)
            self._require_role(scope, session)
        except Refused as refused:
            await answer.say(refused.status, refused.text)
            return
        except _SignInFirst:
            await _to_sign_in(scope, answer)
            return
        except _NotForRole as refused:
            app = self._refuse(refused.fault)
        found = {"session": session, "fields": fields, "files": files, "address": self._address(scope)}
        scope["state"] = {**scope.get("state", {}), **found}
        await app(scope, receive, answer.send)

    async def _admit(self, scope: "MutableMapping[str, Any]", answer: "_Answer") -> Session:
        """Check where the request is for and where it comes from, and return its session."""
        hosts = header(scope, "host")
        if len(hosts) != 1 or not self._rules.allows_host(hosts[0]):
            raise Refused(400, "This desk is not known by that name. Open it at the address that it printed when it was started.")
        if scope["method"] not in _SAFE:
            _require_own_origin(scope, hosts[0])
        key = _cookie(scope, self._rules.cookie)
        answer.carries(self._rules, key)
        session = self._sessions.find(key) if key else None
        users = await self._users()
        if self._rules.trusted_header:
            session = self._named_in_front(scope, session, users)
        elif session is not None and session.user:
            user = users.get(session.user)
            if user is None or user.disabled or user.hash != session.hash:
                self._sessions.end(session)
                session = None
            else:
                session.role, session.name = user.role, user.log_name
        if session is None:
            session = self._sessions.begin()
        if not session.user and not self._rules.trusted_header:
            if not self._door.asks():
                session.role = "administrator"
            elif needed_role(scope["method"], scope["path"]):
                # Before the token is looked at: who was signed out meanwhile reads that, and not that the form is a stranger's.
                answer.session = session
                raise _SignInFirst
        answer.session = session
        return session

    async def _users(self) -> "dict[str, User]":
        try:
            return self._door.users() if self._door.fresh() else await to_thread.run_sync(self._door.users)
        except GeonoticeError as error:
            logging.getLogger(__name__).error("the users of the desk cannot be read, and nobody is let in: %s", error)  # noqa: TRY400  # its text is all there is to say
            raise Refused(503, "The desk cannot read its users, and lets nobody in. Its window says why.") from error

    def _named_in_front(self, scope: "MutableMapping[str, Any]", session: Session | None, users: "dict[str, User]") -> Session:
        """Return the session of the user whom the sign-in in front names; what they may do is in the register, where that has users."""
        named = header(scope, self._rules.trusted_header)
        if len(named) != 1 or not named[0].strip():
            raise Refused(401, "The sign-in in front of this desk named nobody. Sign in first.")
        name = named[0].strip()
        user = users.get(name.lower())
        if users and (user is None or user.disabled):
            raise Refused(403, "You are signed in, but are not among the users of this desk. Ask whoever administers it.")
        shown = user.log_name if user else name
        if session is None or session.name != shown:
            session = self._sessions.begin(shown)
        session.role = user.role if user else "administrator"
        return session

    def _require_role(self, scope: "MutableMapping[str, Any]", session: Session) -> None:
        if not may(session.role, scope["method"], scope["path"]):
            needed = needed_role(scope["method"], scope["path"])
            what = f"this is for {'an administrator' if needed == 'administrator' else 'a clerk'}, and you are signed in as a {session.role}"
            raise _NotForRole(Fault(what=what, why="nothing was done", remedy="ask an administrator of the desk"))

    def _address(self, scope: "MutableMapping[str, Any]") -> str:
        """Return where a request comes from: by the proxy's word where one stands in front."""
        if self._rules.behind_tls and (forwarded := header(scope, "x-forwarded-for")):
            return forwarded[-1].rpartition(",")[2].strip()  # the last is what the proxy itself saw
        return str((scope.get("client") or ("",))[0])

    def _require_token(self, scope: "MutableMapping[str, Any]", session: Session, fields: dict[str, list[str]]) -> None:
        given = (fields.pop("token", None) or header(scope, "x-desk-token") or [""])[0]
        if not secrets.compare_digest(given.encode(), session.token.encode()):
            raise Refused(
                403,
                "Nothing was done: the form is not one that this desk made for you, or the desk was started again since. "
                "Go back, load the page again, and send it once more.",
            )


class _Answer:
    """An answer on its way out, with the headers that every answer has."""

    def __init__(self, send: "Send", *, page: bool) -> None:
        self._send = send
        self.session: Session | None = None
        self._rules: GuardRules | None = None
        self._key = ""
        self.more: list[tuple[bytes, bytes]] = [*_HEADERS]
        # Pages name owners: no cache keeps them. Files of the package are asked for again each time, and mostly not sent again.
        self.more.append((b"cache-control", b"no-store" if page else b"no-cache"))

    def carries(self, rules: GuardRules, key: str) -> None:
        """Note which cookie came with the request."""
        self._rules, self._key = rules, key

    async def send(self, message: "Message") -> None:
        """Send a part of the answer, and the cookie where the session has another key by now."""
        if message["type"] == "http.response.start":
            if self._rules and self.session and self.session.key != self._key:
                secure = "; Secure" if self._rules.trusted_header or self._rules.behind_tls else ""
                cookie = f"{self._rules.cookie}={self.session.key}; Path=/; HttpOnly; SameSite=Strict{secure}"
                self.more.append((b"set-cookie", cookie.encode()))
            known = {name for name, _ in self.more}
            message["headers"] = [*(item for item in message.get("headers", ()) if item[0].lower() not in known), *self.more]
        await self._send(message)

    async def say(self, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
        """Answer in a sentence."""
        body = f"{text}\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *more]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


async def _to_sign_in(scope: "MutableMapping[str, Any]", answer: _Answer) -> None:
    """Send somebody to the sign-in page, and back from there to the page that was asked for."""
    place = scope["path"]
    if scope["method"] in _SAFE:
        query = scope.get("query_string", b"").decode("latin-1")
        place += f"?{query}" if query else ""
    else:
        # A form cannot be sent once more from there: its page can be shown again.
        came_from = urlsplit((header(scope, "referer") or ["/"])[0])
        place = (came_from.path or "/") + (f"?{came_from.query}" if came_from.query else "")
    there = "/sign-in?" + urlencode({"next": place} | ({} if scope["method"] in _SAFE else {"lost": "yes"}))
    text = "Sign in first." if scope["method"] in _SAFE else "Nothing was done: you are not signed in, or not any more."
    if header(scope, "hx-request"):
        await answer.say(401, text, (b"hx-redirect", there.encode()))
    elif scope["path"].startswith("/api/"):
        await answer.say(401, text)
    else:
        await answer.say(303, text, (b"location", there.encode()))


def _cookie(scope: "MutableMapping[str, Any]", name: str) -> str:
    for line in header(scope, "cookie"):
        try:
            found = SimpleCookie(line).get(name)
        except CookieError:
            continue
        if found is not None:
            return found.value
    return ""


def _require_own_origin(scope: "MutableMapping[str, Any]", host: str) -> None:
    """Refuse a form that another site sends: browsers name where a form comes from."""
    sites = header(scope, "sec-fetch-site")
    origins = header(scope, "origin")
    other = any(site not in {"same-origin", "none"} for site in sites)
    for origin in origins:
        parts = urlsplit(origin)
        other |= parts.scheme not in {"http", "https"} or parts.netloc.lower() != host.strip().lower()
    if other:
        raise Refused(403, "Nothing was done: the form was sent by another site.")
