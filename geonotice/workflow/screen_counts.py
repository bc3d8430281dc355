"""What a screen measures of each candidate's surroundings: who is on its lists, its frontage and its streets; measured once, and kept beside the store."""

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice import __version__
from geonotice.decide.notice import ParcelFacts, notice_rules
from geonotice.io.output_files import write_file
from geonotice.opened_town import open_store
from geonotice.screen.adjacency_of_all import Adjoining, Standing, adjoining_of
from geonotice.screen.join import tiles
from geonotice.screen.notice_counts import (
    NoticeCounts,
    PeopleOfTown,
    by_distance,
    count_by_distance,
    count_by_relations,
    listed_as,
    people_of,
)
from geonotice.screen.table import Asked, Candidates
from geonotice.workflow.notice import MeasuredFor, NoticeRequest, make_notice
from geonotice.workflow.screen_workers import Workers, over_all_cores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geonotice.opened_town import Opened

__all__ = ["CountedLists", "Street", "Tell"]

CACHE = "screen.npz"
"""Beside the store: what does not change from one question to the next."""

_TILE = 2000
"""So many candidates that lie together are measured by one process at a time: what is done is kept if the rest is interrupted."""
_LAST = 2
"""So many tiles, the last, are cut into smaller ones."""
_NEIGHBORS_TILE = 8000
"""The same where neighbors are counted: about two million pairs, and half as many parcels again around them."""
_KEPT_EVERY_S = 5.0
_CHUNK = 25
"""The same where each candidate's list is made by itself."""

Tell = Callable[[str, float | None], None]
"""Is told what is being done, and which share of it is done, where that is known."""
Street = tuple[str, str, float]
"""A street that a candidate abuts: name, jurisdiction as the layer has them, and along how many feet."""


class AdjoiningAll(Struct):
    """Who adjoins each candidate, as far as it was measured.

    Parameters
    ----------
    measured
        Of each candidate, whether it was.
    frontage_ft
        Not a number where it has none, or was not measured.
    streets
        The streets that each abuts.
    others
        Of each candidate the places of the parcels that adjoin it, each with the number of how it does in ``standings``.
    sites
        Of each whether a municipality owns it, whether it abuts a State or county road, and the Long Island Rail Road; None where that is not known.
    standings
        The different ways in which a parcel adjoins a candidate: abuts, touches at a corner, is opposite by extension, only straight across or by
        distance, and what is doubtful about it.
    """

    measured: "NDArray[np.bool_]"
    frontage_ft: "NDArray[np.float64]"
    streets: list[list[Street]]
    sites: list[tuple[bool | None, bool | None, bool | None]]
    others: "list[NDArray[np.int64]]"
    standings: list[Standing]

    @classmethod
    def none(cls, count: int) -> "AdjoiningAll":
        """Return that nothing was measured yet."""
        nothing = np.empty((0, 2), np.int64)
        return cls(
            np.zeros(count, bool),
            np.full(count, np.nan),
            [[] for _ in range(count)],
            [(None, None, None)] * count,
            [nothing] * count,
            [],
        )

    def put(self, n: int, found: Adjoining, place: Mapping[int, int]) -> None:
        """Take in what was measured of one candidate; ``place`` is where a parcel stands, by fid."""
        self.measured[n] = True
        self.frontage_ft[n] = np.nan if found.frontage_ft is None else found.frontage_ft
        self.streets[n] = [*found.streets]
        self.sites[n] = (found.site.municipal_owner, found.site.state_or_county_road, found.site.long_island_rail_road)
        pairs = []
        for fid, standing in found.others:
            if standing not in self.standings:
                self.standings.append(standing)
            pairs.append((place[fid], self.standings.index(standing)))
        self.others[n] = np.array(pairs, np.int64).reshape(-1, 2)

    def listed(self, counts: Callable[[ParcelFacts], bool]) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return the candidate and the parcel of each pair that ``counts``, sorted by both."""
        listed = np.array([counts(one.facts()) for one in self.standings], bool)
        mine = np.repeat(np.arange(len(self.others)), [len(some) for some in self.others])
        pairs = np.concatenate(self.others) if self.others else np.empty((0, 2), np.int64)
        kept = listed[pairs[:, 1]] if len(pairs) else np.zeros(0, bool)
        mine, others = mine[kept], pairs[kept, 0]
        order = np.lexsort((others, mine))
        return mine[order], others[order]

    def packed(self) -> "dict[str, NDArray[Any]]":
        """Return it as arrays."""
        words = json.dumps([self.standings, self.streets, self.sites]).encode()
        return {
            "measured": self.measured,
            "frontage_ft": self.frontage_ft,
            "others": np.concatenate([np.empty((0, 2), np.int64), *self.others]).astype(np.int32),
            "start": np.cumsum([0, *(len(some) for some in self.others)]),
            "words": np.frombuffer(words, np.uint8),
        }

    @classmethod
    def unpacked(cls, kept: "Mapping[str, NDArray[Any]]") -> "AdjoiningAll":
        """Return it from arrays."""
        standings, streets, sites = json.loads(kept["words"].tobytes())
        return cls(
            kept["measured"],
            kept["frontage_ft"],
            [[(name, of, feet) for name, of, feet in some] for some in streets],
            [(owned, road, rail) for owned, road, rail in sites],
            np.split(kept["others"].astype(np.int64), kept["start"][1:-1]),
            [Standing(abuts, corner, opposite, across, tuple(review)) for abuts, corner, opposite, across, review in standings],
        )


class CountedLists:
    """What was measured of the candidates' surroundings, kept beside the store from one question to the next."""

    def __init__(self, opened: "Opened", found: Candidates, asked: Asked, *, over: Workers = over_all_cores) -> None:
        self._opened, self._found, self._over = opened, found, over
        self._town = str(opened.town.file.resolve())  # a worker has another current folder
        self._file = opened.town.folder / CACHE
        corrections = opened.corrections.source.sha256 if opened.corrections and opened.corrections.source else ""
        # The town file's settings are read at every question, without a new import.
        settings = json.dumps(asdict(opened.town.settings), sort_keys=True)
        basis = (opened.store.meta.get("seal", ""), corrections, settings, __version__)
        self._now = hashlib.sha256("\n".join(basis).encode()).hexdigest()[:16]
        self._key = f"{self._now}/{asked.candidates}"
        self._kept = self._read()
        self._people: dict[bool, PeopleOfTown] = {}

    def _read(self) -> "dict[str, NDArray[Any]]":
        try:
            with np.load(io.BytesIO(self._file.read_bytes()), allow_pickle=False) as kept:
                return {name: kept[name] for name in kept.files if name.startswith(f"{self._now}/")}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}  # none yet, or damaged: it is made again

    def _get(self, occasion: str) -> NoticeCounts | None:
        parcels, pieces = (self._kept.get(f"{self._key}/{what}_{occasion}") for what in ("parcels", "pieces"))
        return None if parcels is None or pieces is None else NoticeCounts(parcels, pieces)

    def _keep(self, made: "Mapping[str, NDArray[Any]]") -> None:
        self._kept |= {f"{self._key}/{name}": values for name, values in made.items()}
        packed = io.BytesIO()
        np.savez_compressed(packed, **self._kept)  # type: ignore[arg-type]  # names are whatever they are
        try:
            write_file(self._file, packed.getvalue())
        except OSError:
            return  # a folder that may only be read: the next question takes as long as this one

    def _people_of_town(self, *, with_residents: bool) -> "PeopleOfTown":
        if with_residents not in self._people:
            combined = self._opened.town.settings.combine_residents
            self._people[with_residents] = people_of(
                self._opened, self._found.block, combined=combined, with_residents=with_residents
            )
        return self._people[with_residents]

    def at_once(self, occasion: str, tell: Tell) -> NoticeCounts | None:
        """Return the counts of an occasion whose list hangs on a distance alone; None for any other."""
        opened, distance_ft = self._opened, by_distance(self._opened, occasion)
        if distance_ft is None:
            return None
        size = len(self._found.ids)
        counts = self._get(occasion) or NoticeCounts(np.full(size, -1, np.int64), np.full(size, -1, np.int64))
        missing = np.flatnonzero(counts.parcels < 0)
        if not len(missing):
            return counts
        rules = [rule.notice for rule in notice_rules(opened.profile, occasion) if rule.notice and not rule.notice.schedule]
        recipients = frozenset(role for rule in rules for role in rule.recipients)
        done, kept_at = 0, time.monotonic()
        try:
            for inside, part in self._counted(self._tiles(missing, distance_ft, recipients)):
                counts.parcels[missing[inside]], counts.pieces[missing[inside]] = part.parcels, part.pieces
                done += len(inside)
                tell(f"Counting neighbors for the {occasion}: {done:,} of {len(missing):,} …", done / len(missing))
                if time.monotonic() - kept_at > _KEPT_EVERY_S:
                    self._keep(_named(occasion, counts))
                    kept_at = time.monotonic()
        finally:
            if done:
                self._keep(_named(occasion, counts))
        return counts

    def _counted(
        self, parts: "Iterable[tuple[NDArray[np.int64], NDArray[np.int64], TileJob]]"
    ) -> "Iterator[tuple[NDArray[np.int64], NoticeCounts]]":
        """Count tiles: here one after another, each over all cores, with the shapes that are in memory; on a cluster each by a worker."""
        if self._over is over_all_cores:
            for inside, around, job in parts:
                yield inside, job.count(self._found.block.geometries[around])
            return
        listed = list(parts)
        yield from zip((inside for inside, _, _ in listed), self._over(_count, [job for _, _, job in listed]), strict=True)

    def _tiles(
        self, missing: "NDArray[np.int64]", distance_ft: float, recipients: frozenset[str]
    ) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.int64], TileJob]]":
        """Yield tiles of candidates that lie together: which of the missing, the places of all parcels that can be near them, and the job."""
        block, people = self._found.block, self._people_of_town(with_residents="residents" in recipients)
        places = [self._found.places[n] for n in missing.tolist()]
        shapes = np.array([block.geometries[one[0]] for one in places], dtype=object)
        for n, one in enumerate(places):
            if len(one) > 1:  # the box of all its parcels stands for land
                shapes[n] = shapely.box(*shapely.total_bounds(block.geometries[list(one)]))
        fids = np.array([parcel.fid for parcel in block.parcels], np.int64)
        for tile in tiles(shapes, distance_ft, most=_NEIGHBORS_TILE, around=block.geometries):
            around = people.with_units(tile.with_halo)
            candidates = tuple(tuple(np.searchsorted(around, places[n]).tolist()) for n in tile.inside.tolist())
            job = TileJob(
                self._town,
                tuple(fids[around].tolist()),
                people.part(around),
                candidates,
                distance_ft,
                recipients,
            )
            yield tile.inside, around, job

    def adjoining(
        self, occasions: Sequence[str], wanted: Sequence[int], tell: Tell
    ) -> tuple[AdjoiningAll, dict[str, NoticeCounts]]:
        """Return who adjoins each candidate, measured over all cores, and the counts of the occasions that hang on it; -1 where not measured.

        Parameters
        ----------
        occasions
            Those of :func:`geonotice.screen.notice_counts.by_relations`.
        wanted
            The candidates that are asked about; others were measured for an earlier question, or are not.
        tell
            Is told how far it is.
        """
        found, size = self._found, len(self._found.ids)
        prefix = f"{self._key}/adjoining_"
        kept = {name.removeprefix(prefix): values for name, values in self._kept.items() if name.startswith(prefix)}
        made = AdjoiningAll.unpacked(kept) if kept else AdjoiningAll.none(size)
        missing = np.array([n for n in wanted if not made.measured[n]], np.int64)
        counts = {one: self._get(one) for one in occasions}
        if not len(missing) and None not in counts.values():
            return made, {one: count for one, count in counts.items() if count is not None}
        place = {parcel.fid: n for n, parcel in enumerate(found.block.parcels)}
        jobs = [
            (self._town, [(int(n), [found.block.parcels[at].fid for at in found.places[n]]) for n in missing[inside]])
            for inside in _parts(found.block.geometries[[found.places[n][0] for n in missing]])
        ]
        done = 0
        try:
            for some in self._over(_adjoin, jobs):
                for n, one in some:
                    made.put(n, one, place)
                if occasions:
                    self._people_of_town(with_residents=False)  # asked for at the end: gathered while others measure
                done += len(some)
                tell(f"Measuring lot lines, frontages and streets: {done:,} of {len(missing):,} …", done / len(missing))
        finally:
            self._keep({f"adjoining_{name}": values for name, values in made.packed().items()})
        of_occasions = {one: self._count(one, made) for one in occasions}
        self._keep({name: values for one, count in of_occasions.items() for name, values in _named(one, count).items()})
        return made, of_occasions

    def _count(self, occasion: str, made: AdjoiningAll) -> NoticeCounts:
        listed = made.listed(lambda standing: listed_as(self._opened, occasion, standing))
        counts = count_by_relations(self._people_of_town(with_residents=False), self._found.places, listed)
        return NoticeCounts(*(np.where(made.measured, one, -1) for one in (counts.parcels, counts.pieces)))

    def one_by_one(self, occasions: Sequence[str], wanted: Sequence[int], on: date, tell: Tell) -> dict[str, NoticeCounts]:
        """Return the counts of other occasions: each candidate's list made by itself, over all cores; -1 where not wanted."""
        found, size = self._found, len(self._found.ids)
        made = {
            one: self._get(one) or NoticeCounts(np.full(size, -1, np.int64), np.full(size, -1, np.int64)) for one in occasions
        }
        missing = [n for n in wanted if any(counts.parcels[n] < 0 for counts in made.values())]
        jobs = [
            (
                self._town,
                tuple(occasions),
                on,
                [(n, [found.block.parcels[at].fid for at in found.places[n]]) for n in missing[begin : begin + _CHUNK]],
            )
            for begin in range(0, len(missing), _CHUNK)
        ]
        done = 0
        try:
            for some in self._over(_lists, jobs):
                for n, lists in some:
                    for occasion, (parcels, pieces) in zip(occasions, lists, strict=True):
                        made[occasion].parcels[n], made[occasion].pieces[n] = parcels, pieces
                done += len(some)
                tell(f"Making lists: {done:,} of {len(missing):,} …", done / len(missing))
        finally:
            if done:
                self._keep({name: values for one, count in made.items() for name, values in _named(one, count).items()})
        return made


def _parts(shapes: "NDArray[Any]") -> "Iterator[NDArray[np.int64]]":
    """Yield candidates that lie together, to be measured one part after another; the last parts are small, so that no core waits long for another."""
    large = [tile.inside for tile in tiles(shapes, 0.0, most=_TILE)]
    yield from large[:-_LAST]
    for part in large[-_LAST:]:
        for tile in tiles(shapes[part], 0.0, most=_TILE // 4):
            yield part[tile.inside]


def _named(occasion: str, counts: NoticeCounts) -> "dict[str, NDArray[np.int64]]":
    return {f"parcels_{occasion}": counts.parcels, f"pieces_{occasion}": counts.pieces}


class TileJob(Struct, frozen=True):
    """Candidates that lie together, with all that the counts of their lists need.

    Parameters
    ----------
    town
        The town file: the shapes are read from its store.
    fids, people
        The parcels that can be near them, and the mail pieces of these.
    candidates
        The parcels of each candidate, by their place among ``fids``.
    distance_ft, recipients
        How far a parcel is listed, and who is notified.
    """

    town: str
    fids: tuple[int, ...]
    people: PeopleOfTown
    candidates: tuple[tuple[int, ...], ...]
    distance_ft: float
    recipients: frozenset[str]

    def count(self, shapes: "NDArray[Any]") -> NoticeCounts:
        """Count their lists; the shapes are those of ``fids``."""
        return count_by_distance(
            self.people,
            shapes,
            self.candidates,
            distance_ft=self.distance_ft,
            recipients=self.recipients,
            on_premises="residents" in self.recipients,
        )


def _count(job: TileJob) -> NoticeCounts:
    """Count the lists of a tile, with shapes from the store."""
    with open_store(Path(job.town)) as opened:
        return job.count(opened.store.geometries(job.fids))


def _adjoin(job: tuple[str, list[tuple[int, list[int]]]]) -> list[tuple[int, Adjoining]]:
    """Measure who adjoins some candidates that lie together."""
    file, candidates = job
    with open_store(Path(file)) as opened:
        made = adjoining_of(opened, [fids for _, fids in candidates])
    return [(n, one) for (n, _), one in zip(candidates, made, strict=True)]


def _lists(
    job: tuple[str, tuple[str, ...], date, Iterable[tuple[int, list[int]]]],
) -> list[tuple[int, list[tuple[int, int]]]]:
    """Make the lists of some candidates; return of each, by occasion, the parcels on it and the letters to owners and residents."""
    file, occasions, on, candidates = job
    made = []
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
