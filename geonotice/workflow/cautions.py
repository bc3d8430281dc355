"""What a list could not see: where the layers end, land of the same owner, rows that no list can hold."""

from typing import TYPE_CHECKING

import shapely

from geonotice.model import Caution
from geonotice.postal import normal_name
from geonotice.select.cover import uncovered
from geonotice.workflow.measuring import grown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import Owner
    from geonotice.workflow.measuring import Measured
    from geonotice.workflow.opening import Opened

__all__ = ["cover_cautions", "import_cautions", "same_owner_cautions"]

_LISTED = 12
"""Most keys named in a warning about rows that could not be used."""


def cover_cautions(opened: "Opened", measured: "Measured", *, distance_ft: float) -> tuple[Caution, ...]:
    """Say where the search area holds no parcel: past the end of the layers, or in a hole of them."""
    store, settings = opened.store, opened.town.settings
    bounds = grown(measured.land.bounds, distance_ft + settings.borderline_ft)
    known = [*measured.geometries.values(), *store.features_in("water", bounds).geometries]
    bare = uncovered(measured.land, known, distance_ft=distance_ft, gap_ft=settings.right_of_way_max_ft)
    if bare is None:
        return ()
    share = f"{bare.share:.0%}" if bare.share >= 0.01 else "less than 1%"  # noqa: PLR2004  # a hundredth
    where = f"towards the {listed(bare.directions[:3])}, from about {bare.from_ft:,.0f} ft on"
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
        text = f"{seen}. It reaches into {listed(beyond)}: owners there are NOT on this list. Add that municipality's parcel layer to the town file, or ask its assessor."
    elif store.has("municipalities"):
        text = f"{seen}. It lies in no other municipality: open water, a wide right-of-way, or parcels that the layer lacks. Look at the map before mailing."
    else:
        text = f"{seen}. Either the layer ends there, and owners beyond it are NOT on this list, or it is water or a wide right-of-way. Look at the map before mailing."
    return (Caution("cover_ends", text, ()),)


def same_owner_cautions(
    measured: "Measured", owners: "Mapping[int, Sequence[Owner]]", *, tolerance_ft: float
) -> tuple[Caution, ...]:
    """Suggest the touching parcels of the same owner, which may be part of the premises.

    LAW: DIGEST, readings: the premises are the parcels that the event uses; a contiguous parcel of the same owner is suggested, not added.
    """
    own = {normal_name(owner.names) for parcel in measured.premises for owner in owners[parcel.fid]} - {""}
    touching = [parcel for parcel in measured.facts if parcel.distance_ft <= tolerance_ft]
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


def import_cautions(opened: "Opened") -> tuple[Caution, ...]:
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


def listed(words: "Sequence[str]") -> str:
    """Join words as a sentence does.

    Examples
    --------
    >>> listed(["north"]), listed(["north", "east"]), listed(["north", "east", "south"])
    ('north', 'north and east', 'north, east and south')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
