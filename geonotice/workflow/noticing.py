"""Make a notice: from the parcels named to the recipients, with what could not be seen."""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import shapely

from geonotice import __version__
from geonotice.decide.notice import Decision, ParcelFacts, apply_overrides, decide_notice, notice_rules
from geonotice.decide.vintage import vintage_cautions
from geonotice.errors import Fault, UsageError
from geonotice.model import Caution, Notice, OrdinanceRef, Parcel
from geonotice.postal import normal_name
from geonotice.recipients import adjoining_owners, counted, gather
from geonotice.select.cover import uncovered
from geonotice.select.within import within

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from numpy.typing import NDArray

    from geonotice.model import Mail, Owner
    from geonotice.store import ParcelBlock
    from geonotice.workflow.opening import Opened

__all__ = ["Noticed", "find_premises", "make_notice", "open_questions"]

_LISTED = 12
"""Most parcels named in a message about several."""


@dataclass(frozen=True, slots=True, eq=False)
class Noticed:
    """A notice with what is behind it.

    ``land`` is the premises as one geometry; ``records`` and ``geometries`` are all parcels round it, ``owners`` those of the premises
    and the listed parcels, all by fid; ``search_ft`` is how far was searched, ``radius_ft`` the distance that a rule names.
    """

    notice: Notice
    premises: tuple[Parcel, ...]
    land: "shapely.Polygon | shapely.MultiPolygon"
    records: "Mapping[int, Parcel]"
    geometries: "Mapping[int, Any]"
    owners: "Mapping[int, Sequence[Owner]]"
    search_ft: float
    radius_ft: float | None


def find_premises(opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]" = ()) -> tuple[Parcel, ...]:
    """Find the parcels of the premises by tax map number, and by address or owner.

    Raises
    ------
    UsageError
        None is named, or one of them is not found or is several; all of them at once.
    """
    faults: list[Fault] = []
    found: dict[int, Parcel] = {}
    for number in sought:
        try:
            parcel = opened.store.find(number)
        except UsageError as error:
            faults.extend(error.faults)
        else:
            found[parcel.fid] = parcel
    for text in find:
        matches = opened.store.search(text)
        if len(matches) == 1:
            found[matches[0].fid] = matches[0]
        else:
            faults.append(_search_fault(text, matches))
    if not found and not faults:
        faults.append(Fault(what="no parcel is named", remedy="give a tax map number, or --find with an address or an owner"))
    if faults:
        raise UsageError(faults)
    return tuple(found.values())


def make_notice(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    *,
    occasion: str,
    on: "date",
    hearing: "date | None" = None,
    add: "Mapping[str, str] | None" = None,
    drop: "Mapping[str, str] | None" = None,
) -> Noticed:
    """Compute who must be told of an occasion, and why.

    Parameters
    ----------
    opened
        The town.
    premises
        The parcels that the event uses, as :func:`find_premises` gives them.
    occasion
        ``hearing`` (Italy), ``filing`` or ``appeal`` (Southampton), or what another profile names.
    on
        The day that stands for today.
    hearing
        The day of the hearing.
    add, drop
        Parcels that an official puts on the list or takes off it, with the reason.

    Raises
    ------
    UsageError
        The ordinance knows no such occasion, or an override cannot be meant.
    """
    rules = notice_rules(opened.profile, occasion)
    settings = opened.town.settings
    distances = [
        rule.notice.distance_ft for rule in rules if rule.notice and rule.notice.distance_ft and rule.kind != "clerk_notice"
    ]
    search_ft = max(distances, default=settings.right_of_way_max_ft)
    fids = [parcel.fid for parcel in premises]
    land = _union(opened.store.geometries(fids))
    reach = max([search_ft, *([settings.right_of_way_max_state_ft] if len(distances) < len(rules) else [])])
    reach += settings.borderline_ft + settings.near_miss_ft
    block = opened.store.parcels_in(_grown(land.bounds, reach + 2 * settings.right_of_way_max_ft))
    facts = _facts(block, land, set(fids), reach)
    decision = apply_overrides(
        decide_notice(
            opened.profile,
            occasion,
            facts,
            zone="undetermined",
            borderline_ft=settings.borderline_ft,
            borderline=settings.borderline,
            near_miss_ft=settings.near_miss_ft,
        ),
        facts,
        add=_overridden(opened, add or {}, facts),
        drop=_overridden(opened, drop or {}, facts),
    )
    records = {parcel.fid: parcel for parcel in (*block.parcels, *premises)}
    listed = [parcel.fid for parcel in decision.parcels]
    owners = opened.store.owners_of([*fids, *listed, *decision.schedule])
    points = opened.store.address_points_of([*fids, *listed]) if opened.store.has("address_points") else None
    # LAW: Italy C reaches residents of "property within 1,000 feet of the nearest property line of the premises": a tenant on the
    # premises is one, and is told like any other.
    resident_rule = next((rule.id for rule in rules if rule.notice and "residents" in rule.notice.recipients), "")
    gathered = gather(
        decision.parcels,
        records,
        owners,
        premises=premises,
        mail=decision.mail,
        residents=decision.residents,
        premises_residents=_usual_mail(decision) if resident_rule else None,
        premises_rule=resident_rule,
        points=points,
    )
    sources = opened.store.sources()
    years = [records[fid].roll_year for fid in (*fids, *listed)]
    years += [owner.roll_year for fid in (*fids, *listed) for owner in owners[fid]]
    notice = Notice(
        occasion=occasion,
        required=decision.required,
        town=opened.town.name,
        ordinance=OrdinanceRef(opened.profile.id, opened.profile.effective, opened.profile.sha256),
        premises=tuple(parcel.id for parcel in premises),
        premises_situs=tuple(parcel.situs.text for parcel in premises),
        on=on,
        hearing=hearing,
        version=__version__,
        clauses=decision.clauses,
        parcels=tuple(
            replace(parcel, distance_ft=round(parcel.distance_ft, 2)) for parcel in counted(decision.parcels, gathered)
        ),
        near_misses=decision.near_misses,
        recipients=gathered.recipients,
        schedule=adjoining_owners([records[fid] for fid in decision.schedule], owners),
        overrides=decision.overrides,
        cautions=(
            *decision.cautions,
            *_cover_cautions(opened, block, land, search_ft),
            *gathered.cautions,
            *_neighbour_cautions(premises, facts, owners, settings.tolerance_ft),
            *vintage_cautions(sources, years, on=on),
            *_import_cautions(opened),
        ),
        settings={
            "crs": opened.town.crs,
            "on": on.isoformat(),
            **({"hearing": hearing.isoformat()} if hearing else {}),
            **asdict(settings),
        },
        sources=sources,
    )
    place = {parcel.fid: geometry for parcel, geometry in zip(block.parcels, block.geometries, strict=True)}
    return Noticed(
        notice=notice,
        premises=tuple(premises),
        land=land,
        records=records,
        geometries=place,
        owners=owners,
        search_ft=search_ft,
        radius_ft=max(distances, default=None),
    )


_QUESTIONS = frozenset({"zone_undetermined", "borderline_ask", "cover_ends", "unmailable", "owner_unknown", "applicant_unknown"})
"""Cautions that a person must answer before a list is complete."""


def open_questions(notice: Notice) -> tuple[str, ...]:
    """Give the codes of what a person must decide before the list can be relied on; empty where there is nothing."""
    codes = [code for parcel in notice.parcels for code in parcel.review]
    codes += [caution.code for caution in notice.cautions if caution.code in _QUESTIONS]
    codes += ["required"] if notice.required == "decide" else []
    return tuple(dict.fromkeys(codes))


def _search_fault(text: str, matches: "Sequence[Parcel]") -> Fault:
    if not matches:
        return Fault(
            what=f"no parcel has {text!r} in its address or among its owners", remedy="give fewer words, or the tax map number"
        )
    named = "; ".join(f"{parcel.id} ({parcel.situs.text})" if parcel.situs.text else parcel.id for parcel in matches[:_LISTED])
    more = f"; and {len(matches) - _LISTED:,} more" if len(matches) > _LISTED else ""
    return Fault(
        what=f"{text!r} is found in {len(matches):,} parcels: {named}{more}",
        why="the list would be that of whichever came first",
        remedy="give more words, or the tax map number of the one meant",
    )


def _grown(bounds: "tuple[float, float, float, float]", by_ft: float) -> "tuple[float, float, float, float]":
    minx, miny, maxx, maxy = bounds
    return minx - by_ft, miny - by_ft, maxx + by_ft, maxy + by_ft


def _union(geometries: "NDArray[Any]") -> "shapely.Polygon | shapely.MultiPolygon":
    return shapely.union_all(geometries)  # type: ignore[return-value]  # parcels are polygons, and so is their union


def _facts(block: "ParcelBlock", land: shapely.Geometry, premises: "Collection[int]", reach_ft: float) -> list[ParcelFacts]:
    """Measure the parcels round the premises, nearest first; those of the premises are left out."""
    found = within(land, block.geometries, distance_ft=reach_ft)
    return [
        ParcelFacts(fid=parcel.fid, id=parcel.id, swis=parcel.swis, situs=parcel.situs.text, distance_ft=float(distance))
        for index, distance in zip(found.index, found.distance_ft, strict=True)
        if (parcel := block.parcels[index]).fid not in premises
    ]


def _overridden(opened: "Opened", reasons: "Mapping[str, str]", near: "Sequence[ParcelFacts]") -> dict[int, str]:
    """Find the parcels that an official adds or drops; those near the premises by their id first, the adjoining layers' too."""
    by_id = {parcel.id: parcel.fid for parcel in near}
    return {by_id.get(number.strip()) or opened.store.find(number).fid: reason for number, reason in reasons.items()}


def _usual_mail(decision: Decision) -> "Mail":
    """Give the class of mail that the rules ask for, for a recipient that no parcel of the list stands for."""
    return next((mail for mail in decision.mail.values() if mail != "none"), "first_class")


def _cover_cautions(opened: "Opened", block: "ParcelBlock", land: Any, search_ft: float) -> tuple[Caution, ...]:  # noqa: ANN401  # a polygon
    """Say where the search area holds no parcel: past the end of the layers, or in a hole of them."""
    store, settings = opened.store, opened.town.settings
    bounds = _grown(land.bounds, search_ft + settings.borderline_ft)
    water = store.features_in("water", bounds).geometries
    bare = uncovered(land, [*block.geometries, *water], distance_ft=search_ft, gap_ft=settings.right_of_way_max_ft)
    if bare is None:
        return ()
    share = f"{bare.share:.0%}" if bare.share >= 0.01 else "less than 1%"  # noqa: PLR2004  # a hundredth
    where = f"towards the {' and '.join(bare.directions[:3])}, from about {bare.from_ft:,.0f} ft on"
    seen = f"No parcel is known in {share} of the area searched, {where}"
    others = store.features_in("municipalities", bounds)
    beyond = sorted(
        {
            row["name"]
            for row, place in zip(others.rows, others.geometries, strict=True)
            if not row["swis"].startswith(opened.town.swis or ("?",)) and shapely.intersects(place, bare.points).any()
        }
    )
    if beyond:
        text = f"{seen}. It reaches into {', '.join(beyond)}: owners there are NOT on this list. Add that municipality's parcel layer to the town file, or ask its assessor."
    elif store.has("municipalities"):
        text = f"{seen}. It lies in no other municipality: open water, a wide right-of-way, or parcels that the layer lacks. Look at the map before mailing."
    else:
        text = f"{seen}. Either the layer ends there, and owners beyond it are NOT on this list, or it is water or a wide right-of-way. Look at the map before mailing."
    return (Caution("cover_ends", text, ()),)


def _neighbour_cautions(
    premises: "Sequence[Parcel]", facts: "Sequence[ParcelFacts]", owners: "Mapping[int, Sequence[Owner]]", tolerance_ft: float
) -> tuple[Caution, ...]:
    """Suggest the touching parcels of the same owner, which may be part of the premises.

    LAW: DIGEST, readings: the premises are the parcels that the event uses; a contiguous parcel of the same owner is suggested, not added.
    """
    own = {normal_name(owner.names) for parcel in premises for owner in owners[parcel.fid]} - {""}
    touching = [parcel for parcel in facts if parcel.distance_ft <= tolerance_ft]
    same = tuple(parcel.id for parcel in touching if own & {normal_name(owner.names) for owner in owners.get(parcel.fid, ())})
    if not same:
        return ()
    return (
        Caution(
            "same_owner_adjoins",
            "The premises' owner also owns land that touches it. If the event uses that land too, name it as part of the premises: distances are measured from all of it.",
            same,
        ),
    )


_IMPORT_CAUTIONS = {
    "dropped": "{n} of the source could not be placed on the map, so {it} cannot be on any list",
    "unmatched_roll": "{n} of the assessment roll matched no parcel, so {it} cannot be on any list",
    "unmatched_parcel": "{n} had no row in the assessment roll; the owner is the layer's own, or missing",
}


def _import_cautions(opened: "Opened") -> tuple[Caution, ...]:
    """Repeat what import could not use: rows that no list can hold."""
    made = []
    for code, text in _IMPORT_CAUTIONS.items():
        problems = opened.store.problems(code)
        if problems:
            one = len(problems) == 1
            noun = "parcel" if code == "unmatched_parcel" else "row"
            counted_rows = f"{len(problems):,} {noun}{'' if one else 's'}"
            keys = tuple(problem.key for problem in problems[:_LISTED])
            said = text.format(n=counted_rows, it="it" if one else "they")
            made.append(Caution(code, f"{said}. The table “problems” of the store names {'it' if one else 'each'}.", keys))
    return tuple(made)
