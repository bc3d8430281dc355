"""What a notice could not see or is not sure of, in words: gaps of the layers, rows without a place, dates that are past."""

import re
from typing import TYPE_CHECKING

import shapely
from msgspec import Struct

from geonotice.config.town import CORRECTIONS_FILE
from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.deadlines import appointed_days, deadline_of
from geonotice.decide.source_dates import standing_warnings, vintage_warnings
from geonotice.facts.common_land_units import common_land_warnings
from geonotice.facts.contiguous import contiguous_warnings
from geonotice.facts.drawings import shape_of
from geonotice.facts.municipalities import is_own
from geonotice.facts.surroundings import boxes_around, grown
from geonotice.model import Municipality, ResultWarning
from geonotice.recipients.owners import names_of
from geonotice.select.within import COMPASS, uncovered
from geonotice.taxmap import comparable, unit_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from geonotice.decide.notice import Decision
    from geonotice.facts.common_land_units import Joined
    from geonotice.facts.premises import Gathered
    from geonotice.facts.surroundings import Measured
    from geonotice.model import Owner, Parcel, Problem, SecondPlace
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Period, Profile, Rule
    from geonotice.select.adjacency_facts import Neighbours, Remark
    from geonotice.select.within import Uncovered


__all__ = [
    "IMPORT_CODES",
    "correction_warnings",
    "cover_warnings",
    "date_warnings",
    "import_warnings",
    "municipalities_beyond",
    "remark_warnings",
    "roll_years",
    "same_owner_warnings",
    "selection_warnings",
    "sign_warnings",
    "undated",
]


class ListBasis(Struct, frozen=True, eq=False, kw_only=True):
    """What a list was made from, for the warnings that go with it.

    ``joined`` has what was measured with the lots of units; ``decision`` is the last one, with the overrides; ``search_ft`` is how far was
    searched; ``contiguous`` is the owner's land that moved the line out; ``of_recipients`` are the warnings about names and addresses;
    ``signs`` says that the law asks for signs on this occasion.
    """

    rules: "Sequence[Rule]"
    known: "Gathered"
    joined: "Joined"
    decision: "Decision"
    owners: "Mapping[int, Sequence[Owner]]"
    search_ft: float
    contiguous: "Sequence[Parcel]"
    of_recipients: "Sequence[ResultWarning]"
    signs: bool
    on: "date"
    hearing: "date | None"
    event: "date | None"
    around: "SecondPlace | None" = None

    def asks(self, what: str) -> bool:
        """Return whether a rule on who is notified states something: ``only_in``, ``contiguous_land``."""
        return any(rule.notice and getattr(rule.notice, what) for rule in self.rules)


def list_warnings(opened: "Opened", basis: ListBasis) -> tuple[ResultWarning, ...]:
    """Put the warnings of a list together: of the law, of the layers, of the names, of the dates."""
    measured, decision, owners = basis.joined.measured, basis.decision, basis.owners
    fids = [*(one.fid for one in measured.premises), *(one.fid for one in decision.parcels)]
    ids = [*(one.id for one in measured.premises), *(one.id for one in decision.parcels)]
    adjoining = any(rule.notice and rule.notice.relations and not rule.notice.schedule for rule in basis.rules)
    tolerance_ft = opened.town.settings.tolerance_ft
    return (
        *standing_warnings(opened.profile),
        *decision.warnings,
        *(basis.known.zoned.warnings if basis.asks("only_in") else ()),
        *basis.known.places.warnings,
        *cover_warnings(opened, measured, distance_ft=basis.search_ft),
        *(cover_warnings(opened, measured, distance_ft=basis.search_ft, place=basis.around) if basis.around else ()),
        *(selection_warnings(measured) if adjoining else ()),
        *common_land_warnings(opened, basis.joined, decision.parcels),
        *basis.of_recipients,
        *contiguous_warnings(basis.contiguous),
        *(() if basis.asks("contiguous_land") else same_owner_warnings(measured, owners, tolerance_ft=tolerance_ft)),
        *(sign_warnings(opened, measured) if basis.signs else ()),
        *date_warnings(opened.profile, basis.rules, on=basis.on, hearing=basis.hearing, event=basis.event),
        *vintage_warnings(opened.store.sources(), roll_years(measured, fids, owners), on=basis.on),
        *import_warnings(opened.store.problems(*IMPORT_CODES), ids),
    )


_TEXTS = {
    "no_frontage": "No run of the premises' boundary faces a street or right-of-way: every side is another lot. Look at the map for a right of access.",
    "open_run": "{frontage} meets nothing within the widest right-of-way along {length:,.0f} ft, facing {bearing}. If a street runs there, somebody may be missing across it.",
    "right_of_way_cut_off": "Along {length:,.0f} ft, facing {bearing}, {frontage} meets nothing within the widest right-of-way, though a street runs there or a parcel lies farther off. Look whether owners across it must be notified.",
    "lines_too_short": "A lot line that ends {frontage} is too short or too curved to extend; the line straight across was used.",
    "road_inside_parcel": "{street} runs inside the lots, which are drawn to its centerline: the lots across it abut by the drawing and are also opposite.",
    "road_beside": "{street} runs on or beside the premises, and no gap between the lots shows it. Look at the map whether somebody across it is missing.",
    "private_road": "A right-of-way parcel adjoins the premises and was looked through. If it is a private road, its owner is on the list as abutting.",
    "diagonal_lot": "A lot lies diagonally across the crossing and is not listed: the lines across the street do not reach it.",
    "street_or_lot": "A parcel beside or across from the premises is a lot by the layer and does what a street does. The list looks through it to the lots across, and keeps it as a lot too; the parcels that depend on which it is are marked street_or_lot. Write what it is into the town file ([layers.parcels.roles]) and run import again.",
    "narrow_gap": "What lies across {frontage} is a gap so narrow that it may be a fault of the drawing rather than a right-of-way.",
    "straight_across": "These lots lie straight across a frontage, but the extended lot lines do not meet them. They are on the list as opposite; look at the map.",
    "met_narrowly": "The extended lot lines meet these lots over less than 2 ft of a frontage: within what a tax map can be off by. They are on the list as opposite; look at the map.",
    "methods_differ": "Extending the lot lines of {frontage} and looking straight across do not find the same lots. The first decides; look at the map.",
}


def remark_warnings(near: "Neighbours", ids: "Sequence[str]", streets: "Sequence[str]") -> tuple[ResultWarning, ...]:
    """Word the remarks of the selection, in their order; ``ids`` and ``streets`` are those of the arrays it was given."""
    return tuple(_warning(remark, near, ids, streets) for remark in near.remarks)


def _warning(remark: "Remark", near: "Neighbours", ids: "Sequence[str]", streets: "Sequence[str]") -> ResultWarning:
    name = streets[remark.street] if remark.street is not None else ""
    frontage = "a frontage"
    if remark.frontage is not None:
        found = next((one for one in near.frontages if one.n == remark.frontage), None)
        name = name or (found.name if found else "")
        frontage = f"frontage {remark.frontage}" + (f" on {name}" if name else "")
    bearing = COMPASS[round((remark.bearing_deg or 0.0) / 45) % 8]
    # Where no lot across is known, the lots are not stated to be drawn to the centerline.
    beside = remark.code == "road_inside_parcel" and not remark.parcels
    text = _TEXTS["road_beside" if beside else remark.code].format(
        frontage=frontage, length=remark.length_ft or 0.0, bearing=bearing, street=name or "A street"
    )
    return ResultWarning(remark.code, text[0].upper() + text[1:], tuple(ids[index] for index in remark.parcels))


_LISTED = 12
"""Most keys named in a warning about rows that could not be used."""


_SWIS = re.compile(r"\d{6}/")


_LOT = re.compile(r"(.+)[- ][^- ]+$")


def cover_warnings(
    opened: "Opened", measured: "Measured", *, distance_ft: float, place: "SecondPlace | None" = None
) -> tuple[ResultWarning, ...]:
    """Return where the search area holds no parcel, around the premises or around a second place: past the end of the layers, or in a hole of them."""
    store = opened.store
    bare, rows = _uncovered(opened, measured, distance_ft=distance_ft, place=place)
    if bare is None:
        return ()
    share = f"{bare.share:.0%}" if bare.share >= 0.01 else "less than 1%"  # noqa: PLR2004  # a hundredth
    where = f"towards the {listed(bare.directions[:3])}, from about {bare.from_ft:,.0f} ft on"
    searched = "the area searched" if place is None else f"the area searched around {place.name}"
    seen = f"No parcel is known in {share} of {searched}, {where}"
    beyond = sorted({row["name"] for row in rows})
    if beyond:
        text = f"{seen}. It reaches into {listed(beyond)}: owners there are NOT on this list. Add that municipality's parcel layer to the town file, or ask its assessor."
    elif store.has("municipalities"):
        text = f"{seen}. It lies in no other municipality: open water, a wide right-of-way, or parcels that the layer lacks. Look at the map before mailing."
    else:
        text = f"{seen}. Either the layer ends there, and owners beyond it are NOT on this list, or it is water or a wide right-of-way. Look at the map before mailing."
    return (ResultWarning("cover_ends", text, ()),)


def _uncovered(
    opened: "Opened", measured: "Measured", *, distance_ft: float, place: "SecondPlace | None"
) -> "tuple[Uncovered | None, list[Mapping[str, str]]]":
    """Return the part of a search area that holds no parcel, and the other municipalities that lie in it, as their layer has them."""
    store, settings = opened.store, opened.town.settings
    # A foot makes an area of a line or a point; the samples are 40 ft apart.
    start = measured.line if place is None else shape_of(place).buffer(1.0)
    bounds = grown(start.bounds, distance_ft + settings.borderline_ft)
    water = store.features_in("water", *boxes_around(start, distance_ft + settings.borderline_ft))
    known = [*measured.geometries.values(), *water.geometries]
    bare = uncovered(start, known, distance_ft=distance_ft, gap_ft=settings.right_of_way_max_ft)
    if bare is None:
        return None, []
    others = store.features_in("municipalities", bounds)
    return bare, [
        row
        for row, shape in zip(others.rows, others.geometries, strict=True)
        if not is_own(row, opened.town.swis, opened.town.name) and shapely.intersects(shape, bare.points).any()
    ]


def municipalities_beyond(
    opened: "Opened", measured: "Measured", *, distance_ft: float, around: "SecondPlace | None" = None
) -> tuple[Municipality, ...]:
    """Return the municipalities into which a search area reaches past the parcels, by name; one without a name where no layer tells which."""
    found: dict[str, Municipality] = {}
    bare_somewhere = False
    for place in (None, around) if around else (None,):
        bare, rows = _uncovered(opened, measured, distance_ft=distance_ft, place=place)
        bare_somewhere = bare_somewhere or bare is not None
        for row in rows:
            address = row.get("clerk_address") or ""
            if row["name"] not in found or (address and not found[row["name"]].clerk_address):
                found[row["name"]] = Municipality(
                    name=row["name"],
                    swis=row.get("swis") or "",
                    distance_ft=0.0,
                    kind=row.get("kind") or "",
                    clerk_name=row.get("clerk_name") or "",
                    clerk_address=address,
                )
    if bare_somewhere and not opened.store.has("municipalities"):
        return (Municipality(name="", swis="", distance_ft=0.0),)
    return tuple(found[name] for name in sorted(found))


def same_owner_warnings(
    measured: "Measured", owners: "Mapping[int, Sequence[Owner]]", *, tolerance_ft: float
) -> tuple[ResultWarning, ...]:
    """Suggest the touching parcels of the same owner, which may be part of the premises.

    LAW: DIGEST, readings: the premises are the parcels that the event uses; a contiguous parcel of the same owner is suggested, not added.
    """
    own = names_of(owner for parcel in measured.premises for owner in owners[parcel.fid])
    touching = [parcel for parcel in measured.facts if parcel.distance_ft <= tolerance_ft]
    same = tuple(parcel.id for parcel in touching if own & names_of(owners.get(parcel.fid, ())))
    if not same:
        return ()
    return (
        ResultWarning(
            "same_owner_adjoins",
            "The premises' owner also owns land that touches it. If the event uses that land too, name it as part of the premises: distances are measured from all of it.",
            same,
        ),
    )


def import_warnings(problems: "Sequence[Problem]", on_list: "Sequence[str]") -> tuple[ResultWarning, ...]:
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
    if not problems:
        return ()
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
    return tuple(sorted(made, key=lambda warning: not warning.parcels))


_UNPLACED = {
    "dropped": "of the source could not be placed on the map",
    "unmatched_roll": "of the assessment roll matched no parcel",
}


IMPORT_CODES = (*_UNPLACED, "unmatched_parcel")
"""The codes of the problems that a list repeats."""


_AMONG = "among what import found in the layers"


def _without_row(without: "Sequence[str]", here: "Mapping[str, object]") -> ResultWarning:
    """Return which parcels of the list the roll does not have, and how many others."""
    missing = set(without)
    mine = tuple(id_ for id_ in here if id_ in missing)
    others = len(without) - len(mine)
    if not mine:
        others_said = f"{others:,} parcel{'' if others == 1 else 's'} elsewhere {'has' if others == 1 else 'have'} no row there"
        text = f"No parcel of this list is missing from the assessment roll; {others_said}. {'It is' if others == 1 else 'They are'} named {_AMONG}."
        return ResultWarning("unmatched_parcel", text)
    one = len(mine) == 1
    text = (
        f"{len(mine):,} parcel{'' if one else 's'} of this list had no row in the assessment roll: "
        f"the owner is the layer's own, or missing. Look {'it' if one else 'them'} up with the assessor before mailing."
    )
    if others:
        text += f" Elsewhere {others:,} more had none; {'it is' if others == 1 else 'they are'} named {_AMONG}."
    return ResultWarning("unmatched_parcel", text, mine)


def _unplaced(code: str, whence: str, rows: "Sequence[Problem]", near: "Sequence[Problem]") -> ResultWarning:
    """Return how many rows cannot be on any list, and name those whose number is of a block of this one."""
    one = len(rows) == 1
    said = f"{len(rows):,} row{'' if one else 's'} {whence}, so {'it' if one else 'they'} cannot be on any list."
    if not near:
        return ResultWarning(
            code, f"{said} None is numbered like the parcels of this list. {'It is' if one else 'Each is'} named {_AMONG}."
        )
    named = _some([f"{problem.key} ({problem.text})" if problem.text else problem.key for problem in near], "; ")
    which = "It may" if one else f"{len(near):,} of them may" if len(near) < len(rows) else "They may"
    text = f"{said} {which} lie near the premises, going by the number: {named}. Find out whether an owner is left out. {'It is' if one else 'Each is'} named {_AMONG}."
    return ResultWarning(code, text, tuple(dict.fromkeys(problem.key for problem in near)))


def _some(names: "Sequence[str]", joint: str = ", ") -> str:
    """Join the first few names, and count the rest."""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return joint.join(names[:_LISTED]) + more


def _block(number: str) -> str:
    """Return a tax map number without its lot, so that neighbours are alike; empty where it has no parts.

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


def sign_warnings(opened: "Opened", measured: "Measured") -> tuple[ResultWarning, ...]:
    """Return why no sign is named, where the law asks for one on each public street: an empty list would read as if none were due."""
    if not opened.store.has("streets"):
        text = "The town file names no streets layer, so the streets that the premises abut, and with them the places of the signs, are not known by name. Post a sign facing each public street all the same."
        return (ResultWarning("no_streets_layer", text),)
    private = sorted({one.name for one in measured.near.streets if one.jurisdictions == ("private",) and one.name})
    if measured.public_streets():
        return ()
    which = f"only a private street ({', '.join(private)})" if private else "no street of the streets layer"
    text = f"The premises abut {which}, so no place for a sign is named. Ask the official in charge where the sign must stand."
    return (ResultWarning("no_public_street", text),)


def correction_warnings(opened: "Opened", fids: "Sequence[int]") -> tuple[ResultWarning, ...]:
    """Return what to know of the corrections of the listed parcels, and of a corrections file that the town file does not name."""
    if opened.corrections is not None:
        return opened.corrections.warnings(fids)
    if not (opened.town.folder / CORRECTIONS_FILE).is_file():
        return ()
    text = f'{CORRECTIONS_FILE} lies beside the town file, and the town file does not name it: it was not read. Write [corrections] path = "{CORRECTIONS_FILE}" into the town file.'
    return (ResultWarning("corrections_not_named", text),)


def _notice_periods(rules: "Sequence[Rule]") -> "Iterator[tuple[Rule, Period]]":
    """Return the periods by which notice must be given ahead of a date."""
    listed = [rule for rule in rules if rule.notice and not rule.notice.schedule]
    yield from ((rule, period) for rule in listed for period in rule.periods if period.direction == "before")


def undated(rules: "Sequence[Rule]", *, hearing: "date | None", event: "date | None") -> tuple[str, ...]:
    """Return what the notice is counted from and whose day is not given."""
    missing = {name for name, when in {"hearing": hearing, "event": event}.items() if when is None}
    return tuple(sorted({period.reckoned_from for _, period in _notice_periods(rules)} & missing))


def date_warnings(
    profile: "Profile", rules: "Sequence[Rule]", *, on: "date", hearing: "date | None", event: "date | None"
) -> tuple[ResultWarning, ...]:
    """Return where the hearing or the event is past, or else the last day to give this notice."""
    given = {"hearing": hearing, "event": event}
    past = [
        ResultWarning(
            f"{name}_passed",
            f"The {name} is on {when.isoformat()}, which is before {on.isoformat()}, the day of this list: nobody can be notified of it any more. Check the date.",
        )
        for name, when in given.items()
        if when and when < on
    ]
    if past:
        return tuple(past)
    found = [deadline_of(rule, period, given, appointed=appointed_days(profile)) for rule, period in _notice_periods(rules)]
    late = [one for one in found if one and one.bound == "latest" and one.last_day < on]
    return tuple(
        ResultWarning(
            "notice_late",
            f"The last day to {one.what} was {in_words(one.last_day)} ({one.citation}), before {in_words(on)}, the day of this list.",
        )
        for one in late
    )


def selection_warnings(measured: "Measured") -> tuple[ResultWarning, ...]:
    """Return the remarks of the selection in words, with the parcels they are about."""
    ids = [measured.records[fid].id for fid in measured.around]
    return remark_warnings(measured.near, ids, measured.streets.names)


def roll_years(measured: "Measured", fids: "Sequence[int]", owners: "Mapping[int, Sequence[Owner]]") -> list[int | None]:
    """Return the years of the rolls that the parcels and their owners come from."""
    years = [measured.records[fid].roll_year for fid in fids]
    return years + [owner.roll_year for fid in fids for owner in owners[fid]]
