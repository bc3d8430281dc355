"""Who does the work of a screen: the cores of this machine, or the workers of a Dask cluster that see the same folder of the town."""

import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from geonotice import __version__
from geonotice.errors import Fault, GeonoticeError, InputError, UsageError
from geonotice.opened_town import open_store

if TYPE_CHECKING:
    from geonotice.opened_town import Opened

__all__ = ["Workers", "collect_seldom", "over_all_cores", "over_cluster"]

_REACHED_S = 15
"""So long a cluster is waited for."""

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class Workers(Protocol):
    """Does jobs somewhere; what they return comes in the order of the jobs."""

    def __call__(self, work: Callable[[_Given], _Made], jobs: Sequence[_Given]) -> Iterator[_Made]:
        """Do the jobs; ``work`` is a function of a module, so that another process finds it."""


def over_all_cores(work: Callable[[_Given], _Made], jobs: Sequence[_Given]) -> Iterator[_Made]:
    """Do the jobs, in processes of their own where there are several; what they return comes in the order of the jobs."""
    cores = min(os.cpu_count() or 1, len(jobs))
    if cores < 2:  # noqa: PLR2004  # one process is this one
        yield from map(work, jobs)
        return
    # A copy of a process with several threads, such as the desk's, may hold a lock that nobody lets go of any more.
    context = get_context("spawn") if threading.active_count() > 1 else None
    pool = ProcessPoolExecutor(cores, mp_context=context, initializer=collect_seldom)
    try:
        yield from pool.map(work, jobs)
    finally:
        pool.shutdown(cancel_futures=True)  # interrupted, it does not go on with the jobs that wait


def collect_seldom() -> None:
    """Leave what a process began with out of the search for garbage, and search seldom: a screen makes millions of small values, none of them in a cycle."""
    gc.freeze()
    gc.set_threshold(500_000, 20, 100)


@contextmanager
def over_cluster(address: str, opened: "Opened") -> Iterator[Workers]:
    """Yield what does the jobs on the workers of a Dask scheduler.

    The jobs of a worker that dies are done by another. What is done is not lost where the rest is interrupted.

    Raises
    ------
    UsageError
        Dask is not installed, or no scheduler answers.
    InputError
        A worker has another version of the program, does not see the town's folder, or sees another store.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise UsageError(
            Fault(
                what="--dask needs Dask, which is not installed",
                remedy="install geonotice with the extra cluster here and on every worker: pip install 'geonotice[cluster]'",
            )
        ) from error
    try:
        client = Client(address, timeout=_REACHED_S)  # type: ignore[no-untyped-call]  # Dask leaves some untyped
    except (OSError, ValueError) as error:
        raise UsageError(
            Fault(
                what=f"no Dask scheduler answers at {address}",
                why=str(error),
                remedy="start one (dask scheduler), and give the address that it prints, such as tcp://10.0.0.5:8786",
            )
        ) from error

    def over(work: Callable[[_Given], _Made], jobs: Sequence[_Given]) -> Iterator[_Made]:
        seal = opened.store.meta.get("seal", "")
        futures = client.map(partial(_as_here, __version__, str(opened.town.file.resolve()), seal, work), jobs, pure=False)
        try:
            for future in futures:
                yield future.result()
        except KilledWorker as error:
            raise InputError(
                Fault(
                    what="the workers of the cluster die of this town, one after another",
                    why=str(error),
                    remedy="give each more memory (dask worker --memory-limit), or run the screen without --dask",
                )
            ) from error
        finally:
            client.cancel(futures)  # type: ignore[no-untyped-call]  # as above

    with client:
        yield over


def _as_here(version: str, file: str, seal: str, work: Callable[[_Given], _Made], job: _Given) -> _Made:
    """Do a job on a worker, if it has the same program and sees the same store: else its answer would be another town's."""
    if __version__ != version:
        raise InputError(
            Fault(
                what=f"a worker of the cluster has geonotice {__version__}, here it is {version}",
                remedy="install the same version everywhere",
            )
        )
    try:
        with open_store(Path(file)) as opened:
            there = opened.store.meta.get("seal", "")
    except GeonoticeError as error:
        raise InputError(
            Fault(
                what=f"a worker of the cluster cannot open {file}",
                why=str(error),
                remedy="put the town's folder on a disk that all workers see under the same path",
            )
        ) from error
    if there != seal:
        raise InputError(
            Fault(
                what=f"a worker of the cluster sees another store at {file}", remedy="let all workers see one and the same folder"
            )
        )
    return work(job)
