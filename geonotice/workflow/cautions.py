"""What a list could not see: where the layers end, land of the same owner, rows that no list can hold."""

import re
from typing import TYPE_CHECKING

import shapely

from geonotice.model import Caution
from geonotice.recipients.owners import names_of
from geonotice.select.cover import uncovered
from geonotice.taxmap import comparable, unit_number
from geonotice.workflow.measuring import grown, is_own

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import Owner, Problem
    from geonotice.workflow.measuring import Measured
    from geonotice.workflow.opening import Opened

__all__ = ["IMPORT_CODES", "cover_cautions", "import_cautions", "same_owner_cautions"]

_LISTED = 12
"""Most keys named in a warning about rows that could not be used."""

_SWIS = re.compile(r"\d{6}/")
_LOT = re.compile(r"(.+)[- ][^- ]+$")


def cover_cautions(opened: "Opened", measured: "Measured", *, distance_ft: float) -> tuple[Caution, ...]:
    """Say where the search area holds no parcel: past the end of the layers, or in a hole of them."""
    store, settings = opened.store, opened.town.settings
    bounds = grown(measured.line.bounds, distance_ft + settings.borderline_ft)
    known = [*measured.geometries.values(), *store.features_in("water", bounds).geometries]
    bare = uncovered(measured.line, known, distance_ft=distance_ft, gap_ft=settings.right_of_way_max_ft)
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
            if not is_own(row, opened.town.swis, opened.town.name) and shapely.intersects(place, bare.points).any()
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
    own = names_of(owner for parcel in measured.premises for owner in owners[parcel.fid])
    touching = [parcel for parcel in measured.facts if parcel.distance_ft <= tolerance_ft]
    same = tuple(parcel.id for parcel in touching if own & names_of(owners.get(parcel.fid, ())))
    if not same:
        return ()
    return (
        Caution(
            "same_owner_adjoins",
            "The premises' owner also owns land that touches it. If the event uses that land too, name it as part of the premises: distances are measured from all of it.",
            same,
        ),
    )


def import_cautions(problems: "Sequence[Problem]", on_list: "Sequence[str]") -> tuple[Caution, ...]:
    """Repeat what import could not use, as far as this list is concerned first: a parcel far away is no news on every list.

    Parameters
    ----------
    problems
        Those of import, of the codes in :data:`IMPORT_CODES`.
    on_list
        What the premises and the parcels of the list are called.

    Notes
    -----
    A row that matched no parcel, or that has no polygon, cannot be placed; by its number it may lie near, where it is of the same
    block (the number without its last part) as a parcel of the list, or numbered like a unit of one. Such rows come first. The rest is
    counted, never left out.
    """
    here = dict.fromkeys(on_list)
    blocks = {_block(id_) for id_ in on_list} - {""}
    lots = {comparable(_number(id_)) for id_ in on_list}
    without = list(dict.fromkeys(problem.key for problem in problems if problem.code == "unmatched_parcel"))
    made = [_without_row(without, here)] if without else []
    for code, whence in _UNPLACED.items():
        rows = [problem for problem in problems if problem.code == code]
        if rows:
            made.append(
                _unplaced(
                    code,
                    whence,
                    rows,
                    [problem for problem in rows if _block(problem.key) in blocks or _lot(problem.key) in lots],
                )
            )
    # what may touch this list before what does not
    return tuple(sorted(made, key=lambda caution: not caution.parcels))


_UNPLACED = {
    "dropped": "of the source could not be placed on the map",
    "unmatched_roll": "of the assessment roll matched no parcel",
}
IMPORT_CODES = (*_UNPLACED, "unmatched_parcel")
"""The codes of the problems that a list repeats."""
_IN_STORE = "The table “problems” of the store names"


def _without_row(without: "Sequence[str]", here: "Mapping[str, object]") -> Caution:
    """Say which parcels of the list the roll does not have, and how many others."""
    missing = set(without)
    mine = tuple(id_ for id_ in here if id_ in missing)
    others = len(without) - len(mine)
    if not mine:
        others_said = f"{others:,} parcel{'' if others == 1 else 's'} elsewhere {'has' if others == 1 else 'have'} no row there"
        text = f"No parcel of this list is missing from the assessment roll; {others_said}. {_IN_STORE} {'it' if others == 1 else 'them'}."
        return Caution("unmatched_parcel", text)
    one = len(mine) == 1
    text = (
        f"{len(mine):,} parcel{'' if one else 's'} of this list had no row in the assessment roll: "
        f"the owner is the layer's own, or missing. Look {'it' if one else 'them'} up with the assessor before mailing."
    )
    if others:
        text += f" Elsewhere {others:,} more had none; the table “problems” of the store names {'it' if others == 1 else 'them'}."
    return Caution("unmatched_parcel", text, mine)


def _unplaced(code: str, whence: str, rows: "Sequence[Problem]", near: "Sequence[Problem]") -> Caution:
    """Say how many rows cannot be on any list, and name those whose number is of a block of this one."""
    one = len(rows) == 1
    said = f"{len(rows):,} row{'' if one else 's'} {whence}, so {'it' if one else 'they'} cannot be on any list."
    if not near:
        return Caution(code, f"{said} None is numbered like the parcels of this list. {_IN_STORE} {'it' if one else 'each'}.")
    named = _some([f"{problem.key} ({problem.text})" if problem.text else problem.key for problem in near], "; ")
    which = "It may" if one else f"{len(near):,} of them may" if len(near) < len(rows) else "They may"
    text = f"{said} {which} lie near the premises, going by the number: {named}. Find out whether an owner is left out. {_IN_STORE} {'it' if one else 'each'}."
    return Caution(code, text, tuple(dict.fromkeys(problem.key for problem in near)))


def _some(names: "Sequence[str]", joint: str = ", ") -> str:
    """Join the first few names, and count the rest."""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return joint.join(names[:_LISTED]) + more


def _block(number: str) -> str:
    """Give a tax map number without its lot, so that neighbours are alike; empty where it has no parts.

    Examples
    --------
    >>> _block("572489/45.01-1-12.2"), _block("45.01 - 1 - 3"), _block("32 33 192"), _block("1030"), _block("#17")
    ('45.01-1', '45.01-1', '32 33', '', '')
    """
    found = _LOT.match(comparable(_number(number)))
    return found.group(1) if found else ""


def _lot(number: str) -> str:
    """Return the number of the common lot that a unit's number names; empty where it is not a unit's.

    Examples
    --------
    >>> _lot("572489/45.01-1-12./101"), _lot("1-2-C4"), _lot("1-2.1")
    ('45.01-1-12', '1-2', '')
    """
    unit = unit_number(_number(number))
    return unit.base if unit else ""


def _number(id_: str) -> str:
    """Return a tax map number without the SWIS code before it."""
    return id_.partition("/")[2] if _SWIS.match(id_) else id_


def listed(words: "Sequence[str]") -> str:
    """Join words as a sentence does.

    Examples
    --------
    >>> listed(["north"]), listed(["north", "east"]), listed(["north", "east", "south"])
    ('north', 'north and east', 'north, east and south')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
