"""Long work beside the requests: one piece at a time, its progress kept for the page that asks; and work that a form does only once."""

import logging
import secrets
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from geonotice.errors import Fault, GeonoticeError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Job", "Jobs", "Once"]

_MOST = 100
"""Pieces of work that are kept to be looked at; the oldest goes first."""


@dataclass(slots=True)
class Job:
    """A piece of work: what it is, how it stands, what it said last, what came out.

    ``back`` is the page that asked for it, ``after`` the page that shows what came out, where that is another one; ``waits`` is what to know meanwhile.
    """

    title: str
    back: str
    after: str = ""
    waits: str = "The page shows when it is done."
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    said: str = ""
    result: Any = None
    faults: tuple[Fault, ...] = ()
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in {"done", "failed"}


class Jobs:
    """The work of a desk, done in one thread: a packet takes a whole core for some seconds, and the pages must stay quick."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Job] = OrderedDict()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk-job")

    def start(self, job: Job, work: "Callable[[Callable[[str], None]], Any]") -> Job:
        """Begin a piece of work, or let it wait for its turn; ``work`` is handed what takes its progress."""
        with self._lock:
            self._found[job.id] = job
            for old in [one for one in self._found.values() if one.ended][: max(0, len(self._found) - _MOST)]:
                del self._found[old.id]
        self._pool.submit(self._run, job, work)
        return job

    def find(self, id_: str) -> Job | None:
        """Return a piece of work; None where there is none of that name, or none any more."""
        with self._lock:
            return self._found.get(id_)

    def close(self) -> None:
        """Let what runs end, and begin nothing more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    @staticmethod
    def _run(job: Job, work: "Callable[[Callable[[str], None]], Any]") -> None:
        def progress(text: str) -> None:
            job.said = text

        job.state = "running"
        try:
            job.result = work(progress)
        except GeonoticeError as error:
            job.faults, job.state = tuple(error.faults), "failed"
        except Exception:  # whatever it is, the page must say that nothing came of it
            logging.getLogger(__name__).exception("the work of the desk failed")
            job.faults = (
                Fault(
                    what="the program met an error that it does not know, and nothing was written",
                    remedy="try again; if it comes again, send the text in the window of the desk to whoever looks after the program",
                ),
            )
            job.state = "failed"
        else:
            job.state = "done"
        finally:
            job.over.set()


_MOST_ONCE = 1_000
"""Forms that are remembered. A form lives as long as the desk is open: its token means nothing after that."""


class Once:
    """Forms that were done, each with what came out: one that is sent twice, or found again by the browser's key for going back, does nothing twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: OrderedDict[str, str] = OrderedDict()

    def found(self, form: str) -> str:
        """Return what came out of a form; empty while it is not done."""
        with self._lock:
            return self._done.get(form, "")

    def do(self, form: str, work: "Callable[[], str]") -> str:
        """Return what comes out of a form: of its work, or of that which was done before. Another one waits meanwhile."""
        with self._lock:
            if form not in self._done:
                self._done[form] = work()
                while len(self._done) > _MOST_ONCE:
                    self._done.popitem(last=False)
            return self._done[form]
