"""What the geometry was not sure of, in words for the clerk."""

from typing import TYPE_CHECKING

from geonotice.model import Caution
from geonotice.select.cover import COMPASS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.select.facts import Neighbours, Remark

__all__ = ["MISS_REASONS", "remark_cautions"]

MISS_REASONS = {
    "met_barely": "the extended lot lines meet it over less than 0.5 ft of a frontage",
    "straight_short": "straight across, but over less than 10 ft of a frontage; the extended lot lines do not meet it",
    "straight_far": "straight across, but more than twice as far as what else lies across that frontage; the extended lot lines do not meet it",
    "straight_round": "straight across from the arc of a rounded corner only; the extended lot lines do not meet it",
    "beyond_right_of_way_max": "across, but farther than the widest right-of-way that is looked across",
    "diagonal_lot": "diagonally across the crossing; the extended lot lines do not reach it",
}
"""Why a parcel is not on the list although it nearly was, by the code of the selection."""

_TEXTS = {
    "no_frontage": "No run of the premises' boundary faces a street or right-of-way: every side is another lot. Look at the map for a right of access.",
    "open_run": "{frontage} meets nothing within the widest right-of-way along {length:,.0f} ft, facing {bearing}. If a street runs there, somebody may be missing across it.",
    "right_of_way_cut_off": "Along {length:,.0f} ft, facing {bearing}, {frontage} meets nothing within the widest right-of-way, though a street runs there or a parcel lies farther off. Look whether owners across it must be told.",
    "lines_too_short": "A lot line that ends {frontage} is too short or too curved to extend; the line straight across was used.",
    "road_inside_parcel": "{street} runs inside the lots, which are drawn to its centerline: the lots across it abut by the drawing and are also opposite.",
    "road_beside": "{street} runs on or beside the premises, and no gap between the lots shows it. Look at the map whether somebody across it is missing.",
    "private_road": "A right-of-way parcel adjoins the premises and was looked through. If it is a private road, its owner is on the list as abutting.",
    "diagonal_lot": "A lot lies diagonally across the crossing and is not listed: the extended lot lines do not reach it.",
    "street_or_lot": "A parcel beside or across from the premises is a lot by the layer and does what a street does. The list looks through it to the lots across, and keeps it as a lot too; the parcels that depend on which it is are marked street_or_lot. Write what it is into the town file ([layers.parcels.roles]) and run import again.",
    "narrow_gap": "What lies across {frontage} is a gap so narrow that it may be a fault of the drawing rather than a right-of-way.",
    "straight_across": "These lots lie straight across a frontage, but the extended lot lines do not meet them. They are on the list as opposite; look at the map.",
    "met_narrowly": "The extended lot lines meet these lots over less than 2 ft of a frontage: within what a tax map can be off by. They are on the list as opposite; look at the map.",
    "methods_differ": "Extending the lot lines of {frontage} and looking straight across do not find the same lots. The first decides; look at the map.",
}


def remark_cautions(near: "Neighbours", ids: "Sequence[str]", streets: "Sequence[str]") -> tuple[Caution, ...]:
    """Word the remarks of the selection, in their order; ``ids`` and ``streets`` are those of the arrays it was given."""
    return tuple(_caution(remark, near, ids, streets) for remark in near.remarks)


def _caution(remark: "Remark", near: "Neighbours", ids: "Sequence[str]", streets: "Sequence[str]") -> Caution:
    name = streets[remark.street] if remark.street is not None else ""
    frontage = "a frontage"
    if remark.frontage is not None:
        found = next((one for one in near.frontages if one.n == remark.frontage), None)
        name = name or (found.name if found else "")
        frontage = f"frontage {remark.frontage}" + (f" on {name}" if name else "")
    bearing = COMPASS[round((remark.bearing_deg or 0.0) / 45) % 8]
    # Where no lot across is known, the lots are not said to be drawn to the centerline.
    beside = remark.code == "road_inside_parcel" and not remark.parcels
    text = _TEXTS["road_beside" if beside else remark.code].format(
        frontage=frontage, length=remark.length_ft or 0.0, bearing=bearing, street=name or "A street"
    )
    return Caution(remark.code, text[0].upper() + text[1:], tuple(ids[index] for index in remark.parcels))
