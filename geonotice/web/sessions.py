"""Who sits at the desk: a session by browser, kept in memory, with the name for the log and the token of its forms."""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.register.users import Role, User

__all__ = ["MOST_SESSIONS", "Session", "Sessions"]

MOST_SESSIONS = 500
"""Sessions that are kept; the one that was used the longest ago goes first, so that visits without a cookie fill no memory."""

IDLE_SECONDS = 60 * 60
LONGEST_SECONDS = 12 * 60 * 60
"""A sign-in ends after an hour without a request, and after a day's work in any case."""


def _key() -> str:
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
    key: str = field(default_factory=_key)
    token: str = field(default_factory=_key)
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
            session.key, session.token, session.said = _key(), _key(), []
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
