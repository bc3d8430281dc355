"""Who comes in and who sits at the desk: who may do what by route, how often a password may be tried, and a session by browser with the token of its forms.

The rule of every page stands here once, and the guard asks it for every request: a page cannot forget it.
"""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.register.users import ROLES, Role, User
from geonotice.workflow.users import list_users

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MOST_SESSIONS", "Attempts", "Door", "Session", "Sessions", "may", "needed_role", "who_may"]

_OPEN = ("/sign-in", "/static/")
"""What is answered to somebody who is not signed in: nothing of it names an owner, or holds anything of the town."""
_ADMINISTRATOR = ("/users", "/backup", "/permits/import", "/layers/import")
_CLERK = ("/permits/issue", "/permit/change", "/permit/status", "/permit/draw", "/application/issue", "/correct")
"""Pages that are nothing but a form that writes."""
_VIEWER_SENDS = ("/sign-out", "/password", "/who", "/drafts", "/applications/check", "/applications/look")
"""Forms that change nothing of the town's: one's own session, password and unfinished forms, and an answer that is only worked out."""
_SAFE = frozenset({"GET", "HEAD"})


def needed_role(method: str, path: str) -> Role | None:
    """Return the role that a request needs; None where nobody has to be signed in.

    Examples
    --------
    >>> needed_role("GET", "/permits"), needed_role("POST", "/permit/change"), needed_role("GET", "/users"), needed_role("GET", "/sign-in")
    ('viewer', 'clerk', 'administrator', None)
    """
    if path == _OPEN[0] or path.startswith(_OPEN[1]):
        return None
    if _within(path, _ADMINISTRATOR):
        return "administrator"
    if _within(path, _CLERK):
        return "clerk"
    return "viewer" if method in _SAFE or _within(path, _VIEWER_SENDS) else "clerk"


def may(role: Role, method: str, path: str) -> bool:
    """Return whether somebody of a role may send a request: what a page shows of its buttons and links."""
    needed = needed_role(method, path)
    return needed is None or ROLES.index(role) >= ROLES.index(needed)


def who_may(path: str) -> str:
    """Return who may send a form, for those who may not."""
    if needed_role("POST", path) == "administrator":
        return "An administrator of the desk may do this."
    return "A clerk or an administrator of the desk may do this."


def _within(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)


_FRESH_SECONDS = 2.0
"""So long what was read of the users is believed: one who is disabled in another window is out after that."""


@dataclass(slots=True)
class Door:
    """The users of a desk, and whether it asks for them.

    Parameters
    ----------
    place
        The town file.
    always
        Whether a sign-in is asked even where there are no users: the desk is reached from other computers.
    clock
        Seconds that only go on.
    """

    place: Path
    always: bool = False
    clock: "Callable[[], float]" = time.monotonic
    attempts: "Attempts" = field(init=False)
    _read: "tuple[float, dict[str, User]] | None" = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.attempts = Attempts(self.clock)

    def users(self) -> dict[str, User]:
        """Return the users by their names.

        Raises
        ------
        RegisterError, TownFileError
            They cannot be read: then nobody is let in.
        """
        with self._lock:
            if self._read is None or self.clock() - self._read[0] > _FRESH_SECONDS:
                self._read = (self.clock(), list_users(self.place))
                # Never given up while the desk is open: a register that is taken away must not open it to everybody.
                self.always |= bool(self._read[1])
            return self._read[1]

    def asks(self) -> bool:
        """Return whether somebody must sign in; errors as :meth:`users`."""
        self.users()
        return self.always

    def fresh(self) -> bool:
        """Return whether the users need not be read again now."""
        return self._read is not None and self.clock() - self._read[0] <= _FRESH_SECONDS

    def forget(self) -> None:
        """Read the users anew the next time: they were changed here."""
        with self._lock:
            self._read = None


_WITHIN_SECONDS = 15 * 60
_MOST_KEPT = 10_000
"""Names and addresses that are kept count of; the one that was tried the longest ago goes first."""


class Attempts:
    """Passwords that were wrong, counted over a quarter of an hour by name and address, by address, and by name: kept within bounds."""

    MOST = (5, 20, 100)
    """By name and address together, by address, by name from anywhere: somebody elsewhere cannot soon lock a user out."""

    def __init__(self, clock: "Callable[[], float]") -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tried: OrderedDict[bytes, deque[float]] = OrderedDict()

    def wait_seconds(self, name: str, address: str) -> int:
        """Return how long no further password is looked at; 0 where one may be tried."""
        now, longest = self._clock(), 0.0
        with self._lock:
            for key, most in zip(_keys(name, address), self.MOST, strict=True):
                tried = self._tried.get(key)
                while tried and now - tried[0] >= _WITHIN_SECONDS:
                    tried.popleft()
                if tried and len(tried) >= most:
                    longest = max(longest, _WITHIN_SECONDS - (now - tried[-most]))
        return -int(-longest // 1)

    def wrong(self, name: str, address: str) -> None:
        """Count a wrong password."""
        with self._lock:
            for key, most in zip(_keys(name, address), self.MOST, strict=True):
                self._tried.setdefault(key, deque(maxlen=most)).append(self._clock())
                self._tried.move_to_end(key)
            while len(self._tried) > _MOST_KEPT:
                self._tried.popitem(last=False)

    def right(self, name: str, address: str) -> None:
        """Forget what one typed wrong before it was right."""
        with self._lock:
            self._tried.pop(_keys(name, address)[0], None)


def _keys(name: str, address: str) -> tuple[bytes, bytes, bytes]:
    # Hashed, so that a name of any length takes the same room.
    plain = name.strip().lower()
    return tuple(hashlib.sha256(repr(one).encode()).digest() for one in ((plain, address), (None, address), (plain, None)))  # type: ignore[return-value]


# ---- who sits at the desk


MOST_SESSIONS = 500
"""Sessions that are kept; the one that was used the longest ago goes first, so that visits without a cookie fill no memory."""

IDLE_SECONDS = 60 * 60
LONGEST_SECONDS = 12 * 60 * 60
"""A sign-in ends after an hour without a request, and after a day's work in any case."""


def _new_key() -> str:
    return secrets.token_urlsafe(32)


@dataclass(slots=True)
class Session:
    """One browser.

    Parameters
    ----------
    name
        Who writes, for the log; empty until it is given.
    key
        What its cookie holds.
    token
        What each of its forms holds: another site can send a form here, but cannot know this.
    said
        What was done, in sentences, for the next page to tell once.
    user, role
        Who is signed in, by the name that was typed, and what they may do; empty where the desk asks for no sign-in, and all may do all.
    hash
        That of the password with which the session began: another one ends it.
    began, seen
        When it began and when it was used last, by the clock of :class:`Sessions`.
    """

    name: str = ""
    key: str = field(default_factory=_new_key)
    token: str = field(default_factory=_new_key)
    said: list[str] = field(default_factory=list)
    user: str = ""
    role: "Role" = "viewer"
    hash: str = ""
    began: float = 0
    seen: float = 0

    def told(self) -> list[str]:
        """Return the messages for the next page, and forget them."""
        told, self.said = self.said, []
        return told


class Sessions:
    """The sessions of a desk: those that are signed in apart, so that visits of others push none of them out."""

    def __init__(self, clock: "Callable[[], float]" = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._visits: OrderedDict[str, Session] = OrderedDict()
        self._signed_in: OrderedDict[str, Session] = OrderedDict()

    def find(self, key: str) -> Session | None:
        """Return the session of a cookie; None where there is none, or none any more."""
        now = self._clock()
        with self._lock:
            for of in (self._signed_in, self._visits):
                session = of.get(key)
                if session is None:
                    continue
                if session.user and (now - session.seen > IDLE_SECONDS or now - session.began > LONGEST_SECONDS):
                    del of[key]
                    return None
                session.seen = now
                of.move_to_end(key)
                return session
            return None

    def begin(self, name: str = "") -> Session:
        """Begin a session."""
        session = Session(name)
        with self._lock:
            _keep(self._visits, session)
        return session

    def sign_in(self, session: Session, user: "User") -> None:
        """Make a session that of a user, under another key: whoever knew the old one knows nothing of this one."""
        with self._lock:
            self._visits.pop(session.key, None)
            self._signed_in.pop(session.key, None)
            session.key, session.token, session.said = _new_key(), _new_key(), []
            session.user, session.name, session.role, session.hash = user.name, user.log_name, user.role, user.hash
            session.began = session.seen = self._clock()
            _keep(self._signed_in, session)

    def end(self, session: Session) -> None:
        """End a session: its cookie means nothing from here on."""
        with self._lock:
            self._visits.pop(session.key, None)
            self._signed_in.pop(session.key, None)


def _keep(of: "OrderedDict[str, Session]", session: Session) -> None:
    of[session.key] = session
    while len(of) > MOST_SESSIONS:
        of.popitem(last=False)
