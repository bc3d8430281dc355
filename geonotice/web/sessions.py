"""Who sits at the desk: a session by browser, kept in memory, with the name for the log and the token of its forms."""

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

__all__ = ["MOST_SESSIONS", "Session", "Sessions"]

MOST_SESSIONS = 500
"""Sessions that are kept; the one that was used the longest ago goes first, so that visits without a cookie fill no memory."""


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
    """

    name: str = ""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    said: list[str] = field(default_factory=list)

    def told(self) -> list[str]:
        """Return what is to be told, and forget it."""
        told, self.said = self.said, []
        return told


class Sessions:
    """The sessions of a desk."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Session] = OrderedDict()

    def find(self, key: str) -> Session | None:
        """Return the session of a cookie; None where there is none, or none any more."""
        with self._lock:
            session = self._found.get(key)
            if session is not None:
                self._found.move_to_end(key)
            return session

    def begin(self, name: str = "") -> Session:
        """Begin a session."""
        session = Session(name)
        with self._lock:
            self._found[session.key] = session
            while len(self._found) > MOST_SESSIONS:
                self._found.popitem(last=False)
        return session

    def end(self, session: Session) -> None:
        """End a session: its cookie means nothing from here on."""
        with self._lock:
            self._found.pop(session.key, None)
