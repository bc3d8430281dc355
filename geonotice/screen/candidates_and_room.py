"""What a screen judges: each parcel of the town, or each owner's contiguous land; and how much of it an event of so many persons needs."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct

from geonotice.recipients.owners import names_of
from geonotice.screen.join import neighbors

if TYPE_CHECKING:
    from geonotice.config.town import ScreenSpec
    from geonotice.opened_town import Opened
    from geonotice.store import ParcelBlock

__all__ = ["SQ_FT_PER_ACRE", "Room", "candidate_ids", "candidates_of", "room_for"]

SQ_FT_PER_ACRE = 43_560.0


def candidates_of(opened: "Opened", block: "ParcelBlock", kind: Literal["parcels", "land"]) -> list[tuple[int, ...]]:
    """Return the candidates, each as the places of its parcels in the block.

    Only parcels of the town's own layer, the first, are candidates: those of adjoining counties are there to be notified.

    Notes
    -----
    Contiguous land of one owner is what a notice takes for it (:func:`geonotice.facts.contiguous.contiguous_land`): parcels within the tolerance of each
    other that name the same owner, in one spelling, and what touches these in turn. A parcel of two owners can be in the land of both.
    """
    own = [n for n, parcel in enumerate(block.parcels) if parcel.layer == 0]
    if kind == "parcels":
        return [(n,) for n in own]
    owners = opened.store.owners_of([block.parcels[n].fid for n in own])
    names = {n: names_of(owners[block.parcels[n].fid]) for n in own}
    touching = neighbors(block.geometries, opened.town.settings.tolerance_ft, wanted=np.array(own, np.int64))
    beside: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for at, n in enumerate(own):
        for other in touching.of(at).tolist():
            for name in names[n] & names.get(other, set()):
                beside[name][n].append(other)
    lands: dict[tuple[int, ...], None] = {}
    for n in own:
        for name in sorted(names[n]) or [""]:
            lands[_reached(n, beside.get(name, {}))] = None
    return list(lands)


def _reached(start: int, beside: "dict[int, list[int]]") -> tuple[int, ...]:
    """Return the place and all that lies beside it, and beside that in turn."""
    found, edge = {start}, [start]
    while edge:
        fresh = [other for other in beside.get(edge.pop(), ()) if other not in found]
        found.update(fresh)
        edge += fresh
    return tuple(sorted(found))


def candidate_ids(block: "ParcelBlock", candidates: Sequence[tuple[int, ...]]) -> list[str]:
    """Return a name of each candidate, each once: its parcel, or the first of its parcels and how many more there are."""
    made: list[str] = []
    seen: dict[str, int] = {}
    for candidate in candidates:
        ids = sorted(block.parcels[n].id for n in candidate)
        name = ids[0] if len(ids) == 1 else f"{ids[0]}+{len(ids) - 1}"
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name}/{seen[name]}")
    return made


class Room(Struct, frozen=True):
    """How many acres an event needs: for the crowd, and for its cars; and which of the two needs more."""

    crowd_acres: float
    parking_acres: float
    cars: int

    @property
    def acres(self) -> float:
        """Acres for both."""
        return self.crowd_acres + self.parking_acres

    @property
    def binding(self) -> str:
        """What takes the most."""
        return "parking" if self.parking_acres > self.crowd_acres else "crowd"


def room_for(persons: int, spec: "ScreenSpec") -> Room:
    """Return the acres that so many persons at one time and their cars take, by the numbers of the town file.

    Examples
    --------
    >>> from geonotice.config.town import ScreenSpec
    >>> room = room_for(801, ScreenSpec())
    >>> room.cars, round(room.parking_acres, 1), round(room.crowd_acres, 1), room.binding
    (201, 2.0, 0.3, 'parking')
    """
    cars = math.ceil(persons / spec.persons_per_car)
    return Room(persons * spec.sq_ft_per_person / SQ_FT_PER_ACRE, cars / spec.cars_per_acre, cars)
