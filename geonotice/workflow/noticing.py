"""Make a notice: from the parcels named to the recipients, with what could not be seen."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import shapely

from geonotice import __version__
from geonotice.decide.notice import Decision, ParcelFacts, apply_overrides, decide_notice, notice_rules
from geonotice.decide.vintage import vintage_cautions
from geonotice.errors import Fault, UsageError
from geonotice.model import Adjoining, Caution, Notice, OrdinanceRef, Parcel
from geonotice.postal import normal_name
from geonotice.select.cover import uncovered
from geonotice.select.within import within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from geonotice.model import Owner
    from geonotice.store import ParcelBlock
    from geonotice.workflow.opening import Opened

__all__ = ["Noticed", "find_premises", "make_notice"]

_WATER_SHARE = 0.02
"""Least share of the search area without parcels that is worth a warning where the layer's cover is ragged."""


@dataclass(frozen=True, slots=True, eq=False)
class Noticed:
    """A notice with the geometry behind it, in the town's CRS, by fid."""

    notice: Notice
    premises: tuple[Parcel, ...]
    geometries: "Mapping[int, Any]"
    search_ft: float


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
    overrides = _overridden(opened, add or {}), _overridden(opened, drop or {})
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
        add=overrides[0],
        drop=overrides[1],
    )
    raise NotImplementedError
