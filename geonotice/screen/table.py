"""The table of a screen: one row a candidate, from facts gathered for all of them at once."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import shapely
from msgspec import Struct

from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.cap_count import CapRequest, PropertyHistory
from geonotice.decide.caps import cap_premises
from geonotice.decide.yard_sales_and_parades import Nearness
from geonotice.facts.every_lot import zones_of
from geonotice.facts.history import slivers_of
from geonotice.facts.municipalities import is_elsewhere, other_municipalities
from geonotice.register.conflicts import events_on
from geonotice.register.land_history import histories_of
from geonotice.register.values import Land
from geonotice.screen.candidates import SQ_FT_PER_ACRE, candidate_ids, candidates_of, room_for
from geonotice.store import EVERYWHERE

if TYPE_CHECKING:
    from geonotice.decide.cap_count import CapFinding, PastPermit
    from geonotice.facts.every_lot import LotZone
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.screen.filters import Value
    from geonotice.store import ParcelBlock

__all__ = [
    "COLUMNS",
    "Asked",
    "Candidates",
    "columns_of",
    "event_columns",
    "gather_candidates",
    "land_columns",
    "room_columns",
    "word_columns",
]

COLUMNS: dict[str, str] = {
    "id": "the candidate: a tax map number, or the first of several and how many more there are",
    "parcels": "the tax map numbers of the candidate",
    "situs": "its address",
    "acres": "its area",
    "district": "its zoning districts",
    "zone": "how the ordinance classes them: residential, other, split or undetermined",
    "limit": "how many permits or events the ordinance allows on it in a year",
    "used": "how many of these are used",
    "left": "how many are left",
    "permit": "whether the limit allows a permit: met, not_met or decide",
    "excluded": "what speaks against an event there at all: a village, another town, a street, a railroad, water",
    "municipal_ft": "the distance to the next other municipality",
    "same_days": "how many permits the town has issued for those days",
    "events_near": "how many of them are within half a mile",
    "acres_needed": "acres for the crowd and its cars, by the numbers of the town file",
    "fits": "whether it has so many acres",
    "binding": "what needs most of them",
}
"""The columns that every screen has, each with what it is; besides them ``parcels_`` and ``pieces_`` of each occasion."""

_WORDS = ("id", "parcels", "situs", "district", "zone", "permit", "excluded", "fits", "binding")
_ROLES = {"right_of_way": "street or right-of-way", "railroad": "railroad", "water": "water"}


class Asked(Struct, frozen=True, kw_only=True):
    """The question of a screen.

    Parameters
    ----------
    on
        The date that is taken as today.
    persons
        How many come at one time; None is not stated.
    starts, ends
        First and last day of the event.
    night, charity, benefits_applicant
        What the application would state; None is not stated.
    candidates
        Whether parcels are judged, or each owner's contiguous land.
    """

    on: date
    persons: int | None = None
    starts: date | None = None
    ends: date | None = None
    night: bool | None = None
    charity: bool | None = None
    benefits_applicant: bool | None = None
    candidates: Literal["parcels", "land"] = "parcels"


class Candidates(Struct, frozen=True):
    """The candidates of a town: all its parcels, and the places of each candidate's parcels among them."""

    block: "ParcelBlock"
    places: tuple[tuple[int, ...], ...]
    ids: tuple[str, ...]


def columns_of(occasions: Iterable[str], *, postage: bool = False) -> dict[str, str]:
    """Return all columns of a screen, each with what it is."""
    counted: dict[str, str] = {}
    for occasion in occasions:
        counted[f"parcels_{occasion}"] = f"parcels on the notice list for the {occasion}"
        counted[f"pieces_{occasion}"] = f"letters to owners and residents for the {occasion}"
        if postage:
            counted[f"postage_{occasion}"] = "what these letters cost, in dollars, by the town's rate table"
    return COLUMNS | counted


def word_columns() -> tuple[str, ...]:
    """Return the columns that hold words; the others hold numbers."""
    return _WORDS


def gather_candidates(opened: "Opened", kind: Literal["parcels", "land"]) -> Candidates:
    """Read all parcels of the town, and put the candidates together."""
    block = opened.store.parcels_in(EVERYWHERE)
    places = tuple(candidates_of(opened, block, kind))
    return Candidates(block, places, tuple(candidate_ids(block, places)))


def land_columns(opened: "Opened", found: Candidates, asked: Asked, register: "Register | None") -> dict[str, "Sequence[Value]"]:
    """Return what the layers and the register say of each candidate's land.

    Parameters
    ----------
    opened, found
        The town and its candidates.
    asked
        The event: its days and what its applicant states bear on the limit.
    register
        The permits; None where the town has no register, so that what is left is not known.
    """
    block = found.block
    zones = zones_of(opened, block)
    caps = _caps(opened, found, asked, zones, register)
    areas = shapely.area(block.geometries)
    municipal = _municipal_ft(opened, block)
    zoned = opened.store.has("zoning")
    rows: dict[str, list[Value]] = {
        name: [] for name in ("parcels", "situs", "acres", "district", "zone", "limit", "used", "left", "permit")
    }
    more: dict[str, list[Value]] = {"excluded": [], "municipal_ft": []}
    for candidate, finding in zip(found.places, caps, strict=True):
        parcels = [block.parcels[n] for n in candidate]
        codes = dict.fromkeys(code for n in candidate for code in zones[n].codes)
        classes = {zones[n].zone for n in candidate}
        rows["parcels"].append("; ".join(parcel.id for parcel in parcels))
        rows["situs"].append("; ".join(dict.fromkeys(parcel.situs.text for parcel in parcels if parcel.situs.text)))
        rows["acres"].append(round(float(areas[list(candidate)].sum()) / SQ_FT_PER_ACRE, 2))
        rows["district"].append(", ".join(codes) or None)
        together = classes.pop() if len(classes) == 1 else ("undetermined" if "undetermined" in classes else "split")
        rows["zone"].append(together if zoned else None)
        # What is not determined is unknown, and not no.
        known = finding is not None and "undetermined" not in {zones[n].zone for n in candidate}
        rows["limit"].append(finding.cap if finding and known else None)
        recorded = known and register is not None
        rows["used"].append(finding.used if finding and recorded else None)
        rows["left"].append(max(finding.cap - finding.used, 0) if finding and recorded and finding.cap is not None else None)
        rows["permit"].append(finding.status if finding and recorded else None)
        more["excluded"].append("; ".join(dict.fromkeys(_against(opened, parcels, [zones[n] for n in candidate]))))
        more["municipal_ft"].append(min((feet for n in candidate if (feet := municipal[n]) is not None), default=None))
    return {**rows, **more}


def _against(opened: "Opened", parcels: "Sequence[Parcel]", zones: "Sequence[LotZone]") -> Iterable[str]:
    """Yield what speaks against an event on some land at all."""
    for parcel, zone in zip(parcels, zones, strict=True):
        if zone.village:
            yield f"village ({zone.village})"
        if is_elsewhere(opened.town, parcel):
            yield "another town"
        if parcel.role in _ROLES:
            yield _ROLES[parcel.role]


def _municipal_ft(opened: "Opened", block: "ParcelBlock") -> list[float | None]:
    """Return each parcel's distance to the next other municipality; None where no layer of them says so."""
    shapes = other_municipalities(opened)
    if shapes is None or not len(shapes):
        return [None] * len(block.parcels)
    nearest = np.full(len(block.parcels), np.inf)
    (mine, _), distances = shapely.STRtree(shapes).query_nearest(block.geometries, return_distance=True, all_matches=False)
    nearest[mine] = distances
    return [None if np.isinf(one) else round(float(one), 1) for one in nearest]


def _caps(
    opened: "Opened", found: Candidates, asked: Asked, zones: "Sequence[LotZone]", register: "Register | None"
) -> "list[CapFinding | None]":
    """Return the limit on each candidate; None where the ordinance sets none.

    Most lots have no permit, so the answer of one is the answer of all of its zone.
    """
    rules = cap_rules(opened.profile)
    if rules is None:
        return [None] * len(found.places)
    request = CapRequest(
        on=asked.on, starts=asked.starts, ends=asked.ends or asked.starts, night=asked.night, charitable_applicant=asked.charity,
        primarily_benefits_applicant=asked.benefits_applicant,
    )  # fmt: skip
    past = _past(opened, found.block, zones, register)
    answered: dict[tuple[Any, ...], CapFinding] = {}
    made: list[CapFinding | None] = []
    for candidate in found.places:
        key = tuple((zones[n].zone, past.get(n, ())) for n in candidate)
        if key not in answered:
            # Whether an owner is exempt is asked of the applicant, and never read off a name: it is taken for one that is not.
            answered[key] = cap_premises(
                [PropertyHistory(zone=zone, permits=permits, exempt_owner=False) for zone, permits in key], request, rules=rules
            )
        made.append(answered[key])
    return made


def _past(
    opened: "Opened", block: "ParcelBlock", zones: "Sequence[LotZone]", register: "Register | None"
) -> "Mapping[int, tuple[PastPermit, ...]]":
    """Return the permits that count on each parcel which has any, by place."""
    if register is None or not register.there:
        return {}
    lands = [
        Land(parcel=parcel.id, swis=parcel.swis, zone=zone.zone, geometry=shapely.to_wkb(shape), crs=opened.crs)
        for parcel, zone, shape in zip(block.parcels, zones, block.geometries, strict=True)
    ]
    with register.reading() as connection:
        found = histories_of(connection, lands, slivers_of(opened))
    return {n: history.permits for n, history in enumerate(found) if history.permits}


def event_columns(opened: "Opened", found: Candidates, asked: Asked, register: "Register | None") -> dict[str, "Sequence[Value]"]:
    """Return what else is on in those days: how many permits, and how many of them near each candidate, as a check takes near."""
    count = len(found.places)
    if register is None or asked.starts is None:
        return {"same_days": [None] * count, "events_near": [None] * count}
    events = events_on(register, asked.starts, asked.ends or asked.starts)
    tree, near = shapely.STRtree(found.block.geometries), np.zeros(count, np.int64)
    known = True
    for event in events:
        shapes = [shape for crs, shape in event if crs == opened.crs]
        known = known and bool(shapes)
        reached = np.zeros(len(found.block.parcels), bool)
        reached[tree.query(shapes, predicate="dwithin", distance=Nearness().within_ft)[1]] = True
        near += [bool(reached[list(candidate)].any()) for candidate in found.places]
    return {"same_days": [len(events)] * count, "events_near": near.tolist() if known else [None] * count}


def room_columns(opened: "Opened", acres: "Sequence[Value]", persons: int | None) -> dict[str, "Sequence[Value]"]:
    """Return whether each candidate has room for the crowd and its cars, and which of the two needs more."""
    if persons is None:
        nothing: list[Value] = [None] * len(acres)
        return {"acres_needed": nothing, "fits": nothing, "binding": nothing}
    room = room_for(persons, opened.town.screen)
    return {
        "acres_needed": [round(room.acres, 2)] * len(acres),
        "fits": ["yes" if isinstance(one, float) and one >= room.acres else "no" for one in acres],
        "binding": [room.binding] * len(acres),
    }
