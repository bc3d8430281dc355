"""Judge every candidate of a town at once: where an event could be held, with the fewest neighbors to notify and a permit left."""

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from geonotice import __version__
from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.notice import notice_rules
from geonotice.errors import Fault, UsageError
from geonotice.io.output_files import write_file
from geonotice.opened_town import open_store
from geonotice.screen.filters import Condition, Value, read_condition, read_order
from geonotice.screen.notice_counts import NoticeCounts, by_distance, count_by_distance, people_of
from geonotice.screen.table import Asked, Candidates, columns_of, gather_candidates, land_columns, room_columns, word_columns
from geonotice.workflow.notice import NoticeRequest, make_notice

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register

__all__ = ["Screen", "screen_town"]

CACHE = "screen.npz"
"""Beside the store: what does not change from one question to the next."""

LISTS_MOST = 1000
"""Most candidates whose lot lines are measured one by one without being asked to: some 40 seconds on two cores."""

_CHUNK = 25
"""So many lists are made by one process before it reports: what is done is kept if the rest is interrupted."""


class Screen(Struct, frozen=True):
    """The answer of a screen.

    Parameters
    ----------
    town
        Whose parcels.
    asked
        What was asked: the event, and the date that was taken as today.
    columns
        The columns, each with what it is.
    found, table
        All candidates, and their values by column; None is unknown.
    ranked
        The places of the candidates that pass, in their order.
    top
        How many of these were asked for; all where None.
    unsettled
        The places of the candidates of which the condition is unknown: they neither pass nor fail.
    condition, order
        The condition, and by which columns it is ranked, each with whether the most comes first.
    notes
        What was not looked at, and with which numbers it was judged.
    """

    town: str
    asked: Asked
    columns: Mapping[str, str]
    found: Candidates
    table: "Mapping[str, Sequence[Value]]"
    ranked: tuple[int, ...]
    top: int | None
    unsettled: tuple[int, ...]
    condition: str
    order: tuple[tuple[str, bool], ...]
    notes: tuple[str, ...]

    @property
    def on(self) -> date:
        """The date that was taken as today."""
        return self.asked.on

    @property
    def judged(self) -> int:
        """How many candidates were judged."""
        return len(self.found.ids)

    @property
    def kept(self) -> tuple[int, ...]:
        """The places of the candidates that are returned."""
        return self.ranked if self.top is None else self.ranked[: self.top]

    @property
    def rows(self) -> tuple[Mapping[str, "Value"], ...]:
        """The candidates that are returned; None is unknown."""
        return tuple(_row(self.table, n, self.columns) for n in self.kept)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Ids of the candidates of which the condition is unknown."""
        return tuple(self.found.ids[n] for n in self.unsettled)


def screen_town(
    opened: "Opened",
    asked: Asked,
    register: "Register | None",
    *,
    where: str = "",
    rank: str = "",
    top: int | None = None,
    all_lists: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Screen:
    """Judge every candidate.

    Parameters
    ----------
    opened
        The town.
    asked
        The event, and what the candidates are.
    register
        The town's permits; None or an empty one where it has no register: then what is left is not known.
    where
        A condition (:mod:`geonotice.screen.filters`); candidates of which it is unknown are listed apart.
    rank
        The columns that candidates are ranked by; where empty, by letters of the first occasion, then by what is left.
    top
        How many are returned; all where None.
    all_lists
        Whether lot lines are measured for every candidate, however many there are.
    progress
        Is told what is being done.

    Raises
    ------
    UsageError
        The condition or the rank cannot be meant.
    """
    tell = progress or (lambda _: None)
    occasions = tuple(dict.fromkeys(rule.occasion for rule in opened.profile.rules if rule.notice and rule.occasion))
    columns = columns_of(occasions)
    condition = read_condition(where, columns=columns, words=word_columns()) if where.strip() else None
    order = read_order(rank or ", ".join([*(f"pieces_{one}" for one in occasions[:1]), "-left", "-acres", "id"]), columns=columns)
    if top is not None and top < 1:
        raise UsageError(Fault(what=f"--top {top}", remedy="ask for 1 candidate or more"))
    tell("Reading the parcels …")
    found = gather_candidates(opened, asked.candidates)
    there = register if register is not None and register.there else None
    table: dict[str, Sequence[Value]] = {"id": found.ids}
    table |= land_columns(opened, found, asked, there)
    table |= room_columns(opened, table["acres"], asked.persons)
    counts = _Counts(opened, found, asked)
    notes = _notes(opened, asked, there)
    for occasion in occasions:
        if by_distance(opened, occasion) is not None:
            tell(f"Counting neighbors for the {occasion} …")
        table |= _columns(occasion, counts.at_once(occasion))
    for occasion in occasions:
        if by_distance(opened, occasion) is None:
            open_ = [n for n, answer in enumerate(_answers(table, condition, len(found.ids))) if answer is not False]
            if len(open_) > LISTS_MOST and not all_lists:
                notes.append(
                    f"parcels_{occasion} and pieces_{occasion} are not computed: they need the lot lines of each of {len(open_):,} candidates. Narrow"
                    f" the question with --where to {LISTS_MOST:,} candidates, or wait for all of them with --all-lists."
                )
                continue
            table |= _columns(occasion, counts.one_by_one(occasion, open_, asked.on, tell))
    answers = _answers(table, condition, len(found.ids))
    return Screen(
        town=opened.town.name,
        asked=asked,
        columns=columns,
        found=found,
        table=table,
        ranked=_ranked(table, [n for n, answer in enumerate(answers) if answer], order),
        top=top,
        unsettled=tuple(n for n, answer in enumerate(answers) if answer is None),
        condition=condition.text if condition else "",
        order=tuple(order),
        notes=tuple(notes),
    )


def _columns(occasion: str, counts: NoticeCounts | None) -> "dict[str, Sequence[Value]]":
    parcels, pieces = ([], []) if counts is None else (counts.parcels.tolist(), counts.pieces.tolist())
    return {
        f"parcels_{occasion}": [one if one >= 0 else None for one in parcels],
        f"pieces_{occasion}": [one if one >= 0 else None for one in pieces],
    }


def _row(table: "Mapping[str, Sequence[Value]]", n: int, columns: "Iterable[str]") -> dict[str, "Value"]:
    """Return one candidate's values; a column that is not computed is unknown."""
    return {name: values[n] if (values := table.get(name)) else None for name in columns}


def _answers(table: "Mapping[str, Sequence[Value]]", condition: Condition | None, count: int) -> "list[bool | None]":
    """Return of each candidate whether the condition holds; None where that is unknown."""
    if condition is None:
        return [True] * count
    return [condition.holds(_row(table, n, condition.columns)) for n in range(count)]


def _ranked(
    table: "Mapping[str, Sequence[Value]]", passing: "Sequence[int]", order: Sequence[tuple[str, bool]]
) -> tuple[int, ...]:
    """Return the candidates that pass in their order; what is unknown ranks last, whichever end comes first."""
    for name, most_first in reversed(order):
        values = table.get(name) or ()
        known = sorted((n for n in passing if values and values[n] is not None), key=values.__getitem__, reverse=most_first)  # type: ignore[arg-type]  # of one column, all words or all numbers
        passing = [*known, *(n for n in passing if not values or values[n] is None)]
    return tuple(passing)


def _notes(opened: "Opened", asked: Asked, register: "Register | None") -> list[str]:
    """Return with which numbers it is judged, and what is not looked at."""
    spec, notes = (
        opened.town.screen,
        ["These are places to consider. Nothing here is a decision: an application is judged by geonotice check."],
    )
    if asked.persons is not None:
        notes.append(
            f"Room for {asked.persons:,} persons: {spec.sq_ft_per_person:g} sq ft a person ({spec.sq_ft_per_person_source}),"
            f" {spec.persons_per_car:g} persons a car ({spec.persons_per_car_source}), {spec.cars_per_acre:g} cars an acre"
            f" ({spec.cars_per_acre_source})."
        )
    missing = [kind for kind in ("zoning", "municipalities") if not opened.store.has(kind)]
    if missing:
        notes.append(f"The town file names no layer of {' and '.join(missing)}: what hangs on it is unknown (?).")
    if register is None and cap_rules(opened.profile) is not None:
        notes.append("The town has no permit register yet: what is used and left of the limits is unknown (?).")
    notes.append(
        "Not looked at: slope, wetlands, buildings, access for emergency vehicles, the owner's consent, other events on those days, and"
        " whether an owner is exempt from the limits."
    )
    return notes


class _Counts:
    """The lists' counts by occasion, kept beside the store from one question to the next."""

    def __init__(self, opened: "Opened", found: Candidates, asked: Asked) -> None:
        self._opened, self._found = opened, found
        self._file = opened.town.folder / CACHE
        corrections = opened.corrections.source.sha256 if opened.corrections and opened.corrections.source else ""
        basis = (opened.store.meta.get("seal", ""), corrections, __version__, asked.candidates)
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

    def one_by_one(self, occasion: str, wanted: Sequence[int], on: date, tell: Callable[[str], None]) -> NoticeCounts:
        """Return the counts of an occasion whose list hangs on lot lines, made list by list over all cores; -1 where not wanted."""
        found, size = self._found, len(self._found.ids)
        counts = self._get(occasion) or NoticeCounts(np.full(size, -1, np.int64), np.full(size, -1, np.int64))
        missing = [n for n in wanted if counts.parcels[n] < 0]
        jobs = [
            (str(self._opened.town.file), occasion, on, [(n, [found.block.parcels[at].fid for at in found.places[n]]) for n in missing[begin : begin + _CHUNK]])
            for begin in range(0, len(missing), _CHUNK)
        ]  # fmt: skip
        done = 0
        try:
            for made in _over_all_cores(jobs):
                for n, parcels, pieces in made:
                    counts.parcels[n], counts.pieces[n] = parcels, pieces
                done += len(made)
                tell(f"Measuring lot lines for the {occasion}: {done:,} of {len(missing):,} …")
        finally:
            if done:
                self._keep(occasion, counts)
        return counts


_Job = tuple[str, str, date, list[tuple[int, list[int]]]]


def _over_all_cores(jobs: Sequence[_Job]) -> "Iterable[list[tuple[int, int, int]]]":
    """Make lists, in processes of their own where there are many; the counts come in the order of the jobs."""
    cores = min(os.cpu_count() or 1, len(jobs))
    if cores < 2:  # noqa: PLR2004  # one process is this one
        yield from map(_lists, jobs)
        return
    with ProcessPoolExecutor(cores) as pool:
        yield from pool.map(_lists, jobs)


def _lists(job: _Job) -> list[tuple[int, int, int]]:
    """Make the lists of some candidates; return of each the parcels on it and the letters to owners and residents."""
    file, occasion, on, candidates = job
    made = []
    with open_store(Path(file)) as opened:
        for n, fids in candidates:
            notice = make_notice(opened, opened.store.parcels(fids).parcels, NoticeRequest(occasion=occasion, on=on)).notice
            pieces = sum(one.role in {"owner", "resident"} and one.mail != "none" and one.mailable for one in notice.recipients)
            made.append((n, len(notice.parcels), pieces))
    return made
