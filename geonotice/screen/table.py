"""The table of a screen: one row a candidate, from facts gathered for all of them at once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import shapely
from msgspec import Struct

from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, CapRequest, PropertyHistory
from geonotice.decide.caps import cap_premises, exempt_owner
from geonotice.decide.case import PremisesFacts
from geonotice.decide.yard_sales_parades_nearby_events import Nearness
from geonotice.facts.every_lot import zones_of
from geonotice.facts.history import slivers_of
from geonotice.facts.municipalities import is_elsewhere, one_of_each, other_municipalities
from geonotice.facts.premises import clerk_ft
from geonotice.model import Municipality
from geonotice.recipients.mail_pieces import clerk_recipients
from geonotice.register.conflicts import events_on
from geonotice.register.land_history import histories_of
from geonotice.register.values import Land
from geonotice.screen.candidates_and_room import SQ_FT_PER_ACRE, candidate_ids, candidates_of, room_for
from geonotice.select.boundary import BOUNDARY_ACCURACY_FT, is_village
from geonotice.select.streets import jurisdiction_of
from geonotice.store import EVERYWHERE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geonotice.decide.cap_count import CapFinding, PastPermit, Zone
    from geonotice.facts.every_lot import LotZone
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.screen.filters import Value
    from geonotice.store import FeatureBlock, ParcelBlock

__all__ = [
    "COLUMNS",
    "Asked",
    "Candidates",
    "CheckedLand",
    "Ground",
    "adjoining_columns",
    "clerk_letters",
    "columns_of",
    "event_columns",
    "facts_of_land",
    "gather_candidates",
    "ground_of",
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
    "permit": "what permit check says of the limit and the land: met, not_met or decide",
    "excluded": "what speaks against an event there at all: a village, another town, a street, a railroad, water",
    "permit_required": "whether the event needs a permit there: yes, no or decide",
    "not_met": "requirements of the ordinance that the event would not meet there, as check finds them from what is asked",
    "to_decide": "how many requirements an official decides, or hang on answers that are not given",
    "municipality": "the nearest other municipality",
    "municipal_ft": "the distance to it",
    "village_ft": "the distance to the nearest village",
    "frontage_ft": "its frontage on streets and rights-of-way",
    "streets": "the streets it abuts, each with its jurisdiction",
    "state_ft": "how many feet of it are along State roads",
    "county_ft": "along county roads",
    "town_ft": "along town roads",
    "other_ft": "along village, city and private roads, and those whose jurisdiction is not known",
    "same_days": "how many permits the town has issued for those days",
    "events_near": "how many of them are within half a mile",
    "acres_needed": "acres for the crowd and its cars, by the numbers of the town file",
    "fits": "whether it has so many acres",
    "binding": "what needs most of them",
}
"""The columns that every screen has, each with what it is; besides them ``parcels_``, ``pieces_`` and ``required_`` of each occasion."""

_WORDS = (
    "id", "parcels", "situs", "district", "zone", "permit", "excluded", "permit_required", "not_met", "municipality", "streets", "fits", "binding",
)  # fmt: skip
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
    kind
        The kind of event, as an event file has it; None is not stated.
    hours
        From when to when it goes on, each day; None is not stated.
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
    kind: str | None = None
    hours: tuple[str, str] | None = None
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
        counted[f"pieces_{occasion}"] = (
            f"letters for the {occasion}: to owners and residents, and to clerks of other municipalities where the law asks for them"
        )
        counted[f"required_{occasion}"] = (
            f"whether the law asks for this notice there: yes, no, decide, or on_demand where officials may ask for it ({occasion})"
        )
        if postage:
            counted[f"postage_{occasion}"] = "what these letters cost, in dollars, by the town's rate table"
    return COLUMNS | counted


def word_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """Return those of some columns that hold words; the others hold numbers."""
    return tuple(name for name in columns if name in _WORDS or name.startswith("required_"))


class Ground(Struct, frozen=True):
    """What the layers and the register say of every parcel's land, by place.

    ``past`` has the permits that count, where there are any. ``near`` are the other municipalities whose clerks the law would have notified; None where no
    layer of municipalities says. ``tree`` finds the parcels by where they are.
    """

    zones: "Sequence[LotZone]"
    past: "Mapping[int, tuple[PastPermit, ...]]"
    near: "Sequence[tuple[str, ...] | None]"
    tree: shapely.STRtree


def ground_of(opened: "Opened", found: Candidates, register: "Register | None") -> Ground:
    """Gather what is known of every parcel's land."""
    tree = shapely.STRtree(found.block.geometries)
    zones = zones_of(opened, found.block, tree=tree)
    return Ground(zones, _past(opened, found.block, zones, register), _near(opened, tree, zones), tree)


def _near(opened: "Opened", tree: shapely.STRtree, zones: "Sequence[LotZone]") -> list[tuple[str, ...] | None]:
    others = other_municipalities(opened)
    if others is None:
        return [None] * len(zones)
    made: list[list[str]] = [[] for _ in zones]
    for at, n in _told(others, tree, zones, clerk_ft(opened)):
        if (name := others.rows[at]["name"]) not in made[n]:
            made[n].append(name)
    return [tuple(sorted(some)) for some in made]


def _told(
    others: "FeatureBlock", tree: shapely.STRtree, zones: "Sequence[LotZone]", distance_ft: float
) -> "Iterator[tuple[int, int]]":
    """Yield the place of each municipality whose clerk is notified, and of the parcel for which."""
    reach_ft = distance_ft + BOUNDARY_ACCURACY_FT
    place, lot = tree.query(others.geometries, predicate="dwithin", distance=reach_ft)
    for at, n in zip(place.tolist(), lot.tolist(), strict=True):
        # Premises in a village are under its own law: its clerk is not notified as a neighbor's.
        if others.rows[at]["name"] != zones[n].village:
            yield at, n


def clerk_letters(opened: "Opened", found: Candidates, ground: Ground, *, distance_ft: float) -> "NDArray[np.int64]":
    """Return how many letters to clerks of other municipalities each candidate's notice has: one each, where the clerk's address is known.

    Parameters
    ----------
    opened, found, ground
        The town, its candidates, and what is known of their land.
    distance_ft
        How far the law reaches for other municipalities.
    """
    made = np.zeros(len(found.places), np.int64)
    others = other_municipalities(opened)
    if others is None:
        return made
    others, _ = one_of_each(others, shapely.box(*shapely.total_bounds(found.block.geometries)))
    letters, _ = clerk_recipients(
        [
            Municipality(one["name"], one["swis"], 0.0, one["kind"], one["clerk_name"], one["clerk_address"])
            for one in others.rows
        ],
        first=0,
        mail="first_class",
    )
    candidate = {place: n for n, places in enumerate(found.places) for place in places}
    told = {(at, candidate[n]) for at, n in _told(others, ground.tree, ground.zones, distance_ft) if n in candidate}
    np.add.at(made, [n for at, n in told if letters[at].mailable], 1)
    return made


def gather_candidates(opened: "Opened", kind: Literal["parcels", "land"]) -> Candidates:
    """Read all parcels of the town, and put the candidates together."""
    block = opened.store.parcels_in(EVERYWHERE)
    places = tuple(candidates_of(opened, block, kind))
    return Candidates(block, places, tuple(candidate_ids(block, places)))


def land_columns(
    opened: "Opened", found: Candidates, asked: Asked, ground: Ground, register: "Register | None"
) -> dict[str, "Sequence[Value]"]:
    """Return what the layers and the register say of each candidate's land.

    Parameters
    ----------
    opened, found
        The town and its candidates.
    asked
        The event: its days and what its applicant states bear on the limit.
    ground
        What is known of every parcel.
    register
        The permits; None where the town has no register, so that what is left is not known.
    """
    block, zones = found.block, ground.zones
    caps = _caps(opened, found, asked, ground)
    areas = shapely.area(block.geometries)
    municipal, villages = _municipal_ft(opened, block)
    zoned = opened.store.has("zoning")
    rows: dict[str, list[Value]] = {
        name: [] for name in ("parcels", "situs", "acres", "district", "zone", "limit", "used", "left", "permit")
    }
    more: dict[str, list[Value]] = {"excluded": [], "municipality": [], "municipal_ft": [], "village_ft": []}
    each = areas.tolist()
    against_each = [_against(opened, parcel, zone) for parcel, zone in zip(block.parcels, zones, strict=True)]
    for candidate, finding in zip(found.places, caps, strict=True):
        parcels = [block.parcels[n] for n in candidate]
        against = "; ".join(dict.fromkeys(one for n in candidate for one in against_each[n]))
        zone = zone_of(ground, candidate)
        if len(candidate) == 1:  # nearly all
            codes: Iterable[str] = zones[candidate[0]].codes
            rows["parcels"].append(parcels[0].id)
            rows["situs"].append(parcels[0].situs.text)
            rows["acres"].append(round(each[candidate[0]] / SQ_FT_PER_ACRE, 2))
        else:
            codes = dict.fromkeys(code for n in candidate for code in zones[n].codes)
            rows["parcels"].append("; ".join(parcel.id for parcel in parcels))
            rows["situs"].append("; ".join(dict.fromkeys(parcel.situs.text for parcel in parcels if parcel.situs.text)))
            rows["acres"].append(round(float(areas[list(candidate)].sum()) / SQ_FT_PER_ACRE, 2))
        rows["district"].append(", ".join(codes) or None)
        rows["zone"].append(zone if zoned else None)
        # What is not determined is unknown, and not no.
        known = finding is not None and zone != "undetermined"
        rows["limit"].append(finding.cap if finding and known else None)
        recorded = known and register is not None
        rows["used"].append(finding.used if finding and recorded else None)
        rows["left"].append(max(finding.cap - finding.used, 0) if finding and recorded and finding.cap is not None else None)
        # As permit check says it: of a road, a railroad, a village or another town an official decides, whatever is left of the limit.
        permit = finding.status if finding and recorded else None
        rows["permit"].append("decide" if against and permit == "met" else permit)
        more["excluded"].append(against)
        nearest = _least(municipal, candidate)
        more["municipality"].append(nearest[-1] if nearest[0] is not None else None)
        more["municipal_ft"].append(nearest[0])
        more["village_ft"].append(_least(villages, candidate)[0])
    return {**rows, **more}


def _least(nearest: "Sequence[_Nearest]", candidate: "Sequence[int]") -> "_Nearest":
    """Return the nearest of what is nearest to each of a candidate's parcels."""
    if len(candidate) == 1:
        return nearest[candidate[0]]
    return min((nearest[n] for n in candidate if nearest[n][0] is not None), default=(None,))


def zone_of(ground: Ground, candidate: "Sequence[int]") -> "Zone":
    """Return how the districts of a candidate's parcels are classed together."""
    if len(candidate) == 1:
        return ground.zones[candidate[0]].zone
    classes = {ground.zones[n].zone for n in candidate}
    return classes.pop() if len(classes) == 1 else "undetermined" if "undetermined" in classes else "split"


CheckedLand = tuple[PremisesFacts, tuple[PropertyHistory, ...]]
"""Some land as a check takes it, and what its parcels' permits are."""


def facts_of_land(
    opened: "Opened",
    found: Candidates,
    ground: Ground,
    *,
    measured: "Sequence[bool]",
    sites: "Sequence[tuple[bool | None, bool | None, bool | None]]",
    on_streets: "Sequence[bool]",
) -> "Iterator[CheckedLand | None]":
    """Yield each candidate's land as a check takes it; None where it was not measured.

    Parameters
    ----------
    opened, found, ground
        The town, its candidates, and what is known of their land.
    measured
        Whether each was.
    sites
        Of each whether a municipality owns it, whether it abuts a State or county road, and the Long Island Rail Road.
    on_streets
        Whether it abuts public streets, whose names no rule decides by.

    Notes
    -----
    Area decides in a rule of acreage only, frontage in none: elsewhere they only go into the text, and are left out, so that lots that differ in
    nothing else are the same land.
    """
    exempt = exempt_owner(None, rules=cap_rules(opened.profile))
    by_area = any(rule.check == "acreage" for rule in opened.profile.rules)
    known, areas = opened.store.has("streets"), shapely.area(found.block.geometries).tolist()
    alike: dict[tuple[object, ...], CheckedLand] = {}
    for n, places in enumerate(found.places):
        if not measured[n]:
            yield None
            continue
        zones = [ground.zones[at] for at in places]
        near = [ground.near[at] for at in places]
        past = [ground.past.get(at, ()) for at in places]
        area_sq_ft = sum(areas[at] for at in places) if by_area else None
        # most lots are within one district, whose record they share
        key = *map(id, zones), *near, *past, sites[n], on_streets[n], area_sq_ft
        if key not in alike:
            owned, road, rail = sites[n]
            facts = PremisesFacts(
                zone=zone_of(ground, places),
                municipal_owner=owned,
                adjacent_state_or_county_road=road,
                adjacent_lirr=rail,
                in_village=next((zone.village for zone in zones if zone.village), None),
                within_500_ft_of=None if None in near else tuple(dict.fromkeys(name for some in near for name in some or ())),
                streets_abutted=(_A_STREET if on_streets[n] else ()) if known else None,
                districts=tuple(dict.fromkeys(one for zone in zones for one in zone.districts)),
                area_sq_ft=area_sq_ft,
            )
            properties = (
                PropertyHistory(zone=zone.zone, permits=permits, exempt_owner=exempt)
                for zone, permits in zip(zones, past, strict=True)
            )
            alike[key] = facts, tuple(properties)
        yield alike[key]


_A_STREET = ("a street",)
"""Stands for the streets that land abuts: a rule asks whether there are any, and their names only go into its text."""


def adjoining_columns(
    measured: "Sequence[bool]",
    frontage_ft: "Sequence[float | None]",
    streets: "Sequence[Sequence[tuple[str, str, float]]]",
    *,
    known: bool,
) -> dict[str, "Sequence[Value]"]:
    """Return each candidate's frontage and the streets it abuts; None where that was not measured, and of streets where there is no layer of them."""
    made: dict[str, Sequence[Value]] = {
        "frontage_ft": [round(front or 0.0, 1) if there else None for there, front in zip(measured, frontage_ft, strict=True)],
        "streets": [
            "; ".join(f"{name or 'unnamed'} ({jurisdiction_of(of) or 'not known'})" for name, of, _ in abutted)
            if there and known
            else None
            for there, abutted in zip(measured, streets, strict=True)
        ],
    }
    feet: dict[str, list[Value]] = {kind: [0.0 if there and known else None for there in measured] for kind in _ALONG}
    for n, (there, abutted) in enumerate(zip(measured, streets, strict=True)):
        if not (there and known and abutted):
            continue
        along = dict.fromkeys(_ALONG, 0.0)
        for _, of, length_ft in abutted:
            kind = jurisdiction_of(of)
            along[kind if kind in along else "other"] += length_ft
        for kind, length_ft in along.items():
            if length_ft:
                feet[kind][n] = round(length_ft, 1)
    return made | {column: feet[kind] for kind, column in _ALONG.items()}


_ALONG = {kind: f"{kind}_ft" for kind in ("state", "county", "town", "other")}
"""The column of each kind of street."""


def _against(opened: "Opened", parcel: "Parcel", zone: "LotZone") -> tuple[str, ...]:
    """Return what speaks against an event on a parcel at all."""
    made: tuple[str, ...] = (f"village ({zone.village})",) if zone.village else ()
    if is_elsewhere(opened.town, parcel):
        made += ("another town",)
    return (*made, _ROLES[parcel.role]) if parcel.role in _ROLES else made


_Nearest = tuple[float, str] | tuple[None]


def _municipal_ft(opened: "Opened", block: "ParcelBlock") -> tuple[list[_Nearest], list[_Nearest]]:
    """Return each parcel's distance to the nearest other municipality, and to the nearest village, each with its name; None where no layer says."""
    others = other_municipalities(opened)
    nothing: list[_Nearest] = [(None,)] * len(block.parcels)
    if others is None:
        return nothing, nothing
    villages = np.array([is_village(row["kind"]) for row in others.rows], bool)
    return _nearest(block, others, np.ones(len(others.rows), bool)), _nearest(block, others, villages)


def _nearest(block: "ParcelBlock", others: "FeatureBlock", some: "NDArray[np.bool_]") -> list[_Nearest]:
    made: list[_Nearest] = [(None,)] * len(block.parcels)
    places = np.flatnonzero(some)
    if len(places):
        (mine, other), distances = shapely.STRtree(others.geometries[places]).query_nearest(
            block.geometries, return_distance=True, all_matches=False
        )
        for n, at, feet in zip(mine.tolist(), places[other].tolist(), distances.tolist(), strict=True):
            made[n] = round(feet, 1), others.rows[at]["name"]
    return made


def _caps(opened: "Opened", found: Candidates, asked: Asked, ground: Ground) -> "list[CapFinding | None]":
    """Return the limit on each candidate; None where the ordinance sets none.

    Most lots have no permit, so the answer of one is the answer of all of its zone.
    """
    rules = cap_rules(opened.profile)
    if rules is None or asked.kind in UNCOUNTED_KINDS:
        return [None] * len(found.places)
    request = CapRequest(
        on=asked.on, starts=asked.starts, ends=asked.ends or asked.starts, night=asked.night, charitable_applicant=asked.charity,
        primarily_benefits_applicant=asked.benefits_applicant,
    )  # fmt: skip
    zones, past = ground.zones, ground.past
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
        "fits": [("yes" if one >= room.acres else "no") if isinstance(one, float) else None for one in acres],
        "binding": [room.binding] * len(acres),
    }
