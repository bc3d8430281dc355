"""How many parcels and letters each candidate's lists have, for a screen: counted once, and kept beside the store."""

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from geonotice import __version__
from geonotice.decide.notice import notice_rules
from geonotice.io.output_files import write_file
from geonotice.opened_town import open_store
from geonotice.screen.notice_counts import NoticeCounts, by_distance, count_by_distance, people_of
from geonotice.screen.table import Asked, Candidates
from geonotice.workflow.notice import MeasuredFor, NoticeRequest, make_notice

if TYPE_CHECKING:
    from geonotice.opened_town import Opened

__all__ = ["CountedLists"]

CACHE = "screen.npz"
"""Beside the store: what does not change from one question to the next."""

_CHUNK = 25
"""So many candidates are measured by one process before it reports: what is done is kept if the rest is interrupted."""


class CountedLists:
    """The lists' counts by occasion, kept beside the store from one question to the next."""

    def __init__(self, opened: "Opened", found: Candidates, asked: Asked) -> None:
        self._opened, self._found = opened, found
        self._file = opened.town.folder / CACHE
        corrections = opened.corrections.source.sha256 if opened.corrections and opened.corrections.source else ""
        # The town file may have changed since import: its settings say who gets a letter.
        town_file = hashlib.sha256(opened.town.file.read_bytes()).hexdigest()
        basis = (opened.store.meta.get("seal", ""), town_file, corrections, __version__, asked.candidates)
        self._key = hashlib.sha256("\n".join(basis).encode()).hexdigest()[:16]
        self._kept = self._read()

    def _read(self) -> "dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]":
        try:
            with np.load(io.BytesIO(self._file.read_bytes()), allow_pickle=False) as kept:
                return {name: kept[name] for name in kept.files if name.startswith(f"{self._key}/")}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}  # none yet, or damaged: it is made again

    def _get(self, occasion: str) -> NoticeCounts | None:
        parcels, pieces = (self._kept.get(f"{self._key}/{what}_{occasion}") for what in ("parcels", "pieces"))
        return None if parcels is None or pieces is None else NoticeCounts(parcels, pieces)

    def _keep(self, occasion: str, counts: NoticeCounts) -> None:
        self._kept |= {f"{self._key}/parcels_{occasion}": counts.parcels, f"{self._key}/pieces_{occasion}": counts.pieces}
        self._write()

    def _write(self) -> None:
        made = io.BytesIO()
        np.savez_compressed(made, **self._kept)  # type: ignore[arg-type]  # names are whatever they are
        try:
            write_file(self._file, made.getvalue())
        except OSError:
            return  # a folder that may only be read: the next question takes as long as this one

    def at_once(self, occasion: str) -> NoticeCounts | None:
        """Return the counts of an occasion whose list hangs on a distance alone; None for any other."""
        opened, distance_ft = self._opened, by_distance(self._opened, occasion)
        if distance_ft is None:
            return None
        if kept := self._get(occasion):
            return kept
        block = self._found.block
        rules = [rule.notice for rule in notice_rules(opened.profile, occasion) if rule.notice and not rule.notice.schedule]
        recipients = {role for rule in rules for role in rule.recipients}
        counts = count_by_distance(
            people_of(opened, block, combined=opened.town.settings.combine_residents),
            block.geometries,
            self._found.places,
            distance_ft=distance_ft,
            recipients=recipients,
            on_premises="residents" in recipients,
        )
        self._keep(occasion, counts)
        return counts

    def one_by_one(
        self, occasions: Sequence[str], wanted: Sequence[int], on: date, tell: Callable[[str], None]
    ) -> dict[str, NoticeCounts]:
        """Return the counts of occasions whose lists hang on lot lines, measured once a candidate over all cores; -1 where not wanted."""
        found, size = self._found, len(self._found.ids)
        made = {
            one: self._get(one) or NoticeCounts(np.full(size, -1, np.int64), np.full(size, -1, np.int64)) for one in occasions
        }
        missing = [n for n in wanted if any(counts.parcels[n] < 0 for counts in made.values())]
        jobs = [
            (
                str(self._opened.town.file),
                tuple(occasions),
                on,
                [(n, [found.block.parcels[at].fid for at in found.places[n]]) for n in missing[begin : begin + _CHUNK]],
            )
            for begin in range(0, len(missing), _CHUNK)
        ]
        done = 0
        try:
            for some in _over_all_cores(jobs):
                for n, lists in some:
                    for occasion, (parcels, pieces) in zip(occasions, lists, strict=True):
                        made[occasion].parcels[n], made[occasion].pieces[n] = parcels, pieces
                done += len(some)
                tell(f"Measuring lot lines: {done:,} of {len(missing):,} …")
        finally:
            if done:
                for occasion, counts in made.items():
                    self._kept |= {
                        f"{self._key}/parcels_{occasion}": counts.parcels,
                        f"{self._key}/pieces_{occasion}": counts.pieces,
                    }
                self._write()
        return made


_Job = tuple[str, tuple[str, ...], date, list[tuple[int, list[int]]]]
_Made = list[tuple[int, list[tuple[int, int]]]]


def _over_all_cores(jobs: Sequence[_Job]) -> Iterable[_Made]:
    """Make lists, in processes of their own where there are many; the counts come in the order of the jobs."""
    cores = min(os.cpu_count() or 1, len(jobs))
    if cores < 2:  # noqa: PLR2004  # one process is this one
        yield from map(_lists, jobs)
        return
    with ProcessPoolExecutor(cores) as pool:
        yield from pool.map(_lists, jobs)


def _lists(job: _Job) -> _Made:
    """Make the lists of some candidates; return of each, by occasion, the parcels on it and the letters to owners and residents."""
    file, occasions, on, candidates = job
    made: _Made = []
    with open_store(Path(file)) as opened:
        for n, fids in candidates:
            premises = opened.store.parcels(fids).parcels
            before: MeasuredFor = {}
            lists = []
            for occasion in occasions:
                notice = make_notice(opened, premises, NoticeRequest(occasion=occasion, on=on), before=before).notice
                pieces = sum(
                    one.role in {"owner", "resident"} and one.mail != "none" and one.mailable for one in notice.recipients
                )
                lists.append((len(notice.parcels), pieces))
            made.append((n, lists))
    return made
