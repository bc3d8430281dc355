"""What each parcel is: a lot, a right-of-way, a railroad or water; what the town file, the layer and the shape say of it."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from geonotice.layers.columns.placeholders import names_a_way
from geonotice.layers.columns.text import as_bool, each_distinct, whole
from geonotice.layers.shapes import Shapes
from geonotice.layers.spill import give_back
from geonotice.layers.street_parcels import Strips, Uses, are_thin, figures, find_strips
from geonotice.layers.way_out import WIDE_FT
from geonotice.model import Problem
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.config.town import ParcelSpec
    from geonotice.layers.identity import Merged
    from geonotice.layers.parcels import ParcelRows


__all__ = [
    "ROLES",
    "ParcelRoles",
    "is_built",
    "is_public",
    "is_railroad_name",
    "parcel_roles",
    "roles_of",
    "uses_of",
]


ROLES = ("lot", "right_of_way", "railroad", "water")
"""The roles; a layer's parcels have the place of theirs in this list, for texts of all of them would take a hundred times the memory."""

_LOT, _RIGHT_OF_WAY, _RAILROAD_ROLE, _ = range(len(ROLES))

CLASS_ROLES = {"692": "right_of_way", "842": "railroad", "843": "railroad", "972": "water"}
"""Property classes of the Office of Real Property Tax Services: roads, ceiling and non-ceiling railroad, land under water."""

ROLE_WORDS = {
    "lot": "lot", "parcel": "lot", "right_of_way": "right_of_way", "rightofway": "right_of_way", "row": "right_of_way", "r/w": "right_of_way",
    "road": "right_of_way", "street": "right_of_way", "highway": "right_of_way", "alley": "right_of_way", "railroad": "railroad", "rail": "railroad",
    "railway": "railroad", "rr": "railroad", "water": "water", "lake": "water", "hydro": "water",
}  # fmt: skip
"""Words that the field named ``role`` in a town file may hold."""

_RAILROAD = re.compile(
    r"""\b(?:
        RAIL[ ]?ROADS? | RAILWAYS? | LIRR | L[ ]I[ ]R[ ]R | METRO[ ]?NORTH | CONRAIL | CONSOLIDATED[ ]RAIL | AMTRAK | CSX | PENN[ ]CENTRAL
        | NORFOLK[ ]SOUTHERN | MTA | M[ ]T[ ]A | METRO(?:POLITAN)?[ ]TRANS(?:PORTATION|PORT|PORTN|P|IT)?[ ]AUTH(?:ORITY)? | (?:R[ ]?R|RY|RWY)[ ](?:CO|COMPANY|CORP|INC|LLC)
        | LONG[ ]ISLAND[ ](?:R[ ]?R|RAIL)
    )\b""",
    re.VERBOSE,
)
_NOT_RAILROAD = re.compile(
    r"\b(?:RAIL ?ROAD|RAILWAY) (?:AVE|AVENUE|ST|STREET|PL|PLACE|RD|ROAD|LN|LANE|DR|DRIVE|PLAZA|SQ|SQUARE|MUSEUM|HISTORICAL|STATION (?:LLC|INC|CAFE|REST)|TAVERN|CAFE|PUB|"
    r"INN|PROPERT|REALTY|HOLDING|ASSOC|DEVELOP|APART|WORKERS|EMPLOYEES|YMCA)"
)
_RAILROAD_HINT = (
    r"(?i)rail|l\.?\s?i\.?\s?r\.?\s?r|metro|conrail|amtrak|csx|penn central|norfolk|mta|m\.\s?t\.\s?a|r\.?\s?r\b|ry\b|rwy\b"
)

THIN_LENGTH_FT = 200.0
"""A strip without a number shorter than this may be a lot (25 by 150 ft is 175), or a remnant of one."""
THIN_RATIO = 12.0
"""A strip at least so many times as long as it is wide: a rectangle ten times as long as wide is 12."""
BARE_RATIO = 7.0
"""The same where the layer gives neither an owner nor a class: a street is often drawn in pieces from crossing to crossing, and 250 by 50 ft
is 7."""
THIN_WIDTH_FT = 200.0
"""The widest right-of-way, by the plan's setting."""


def is_railroad_name(names: str) -> bool:
    """Whether an owner's name is a railroad's.

    Examples
    --------
    >>> is_railroad_name("LONG ISLAND RAIL ROAD CO"), is_railroad_name("M.T.A."), is_railroad_name("Finger Lakes Railway Corp")
    (True, True, True)
    >>> is_railroad_name("RAILROAD AVENUE REALTY LLC"), is_railroad_name("SMITH, GARY")
    (False, False)
    """
    plain = " ".join(re.sub(r"[^A-Z0-9]+", " ", names.upper()).split())
    return bool(_RAILROAD.search(plain)) and not _NOT_RAILROAD.search(plain)


def roles_of(
    *,
    given: "pa.Array",
    property_class: "pa.Array",
    names: "pa.Array",
    blank: "NDArray[np.bool_]",
    shapes: Shapes,
) -> "tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]":
    """Return each parcel its role.

    Parameters
    ----------
    given
        What the field named ``role`` says; null where it says nothing.
    property_class
        New York's three digits, null where missing.
    names
        The names of all owners of record of the parcel, in one text; empty where there are none.
    blank
        Whether the parcel has no tax map number.
    shapes
        Their polygons, in US survey feet.

    Returns
    -------
    roles, guessed, unknown
        The role of each, as its place in :data:`ROLES`; the parcels whose role was guessed from their shape; those whose field ``role`` holds a word not known.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    roles = np.full(len(blank), _LOT, dtype=np.int8)
    open_ = np.ones(len(blank), dtype=bool)
    unknown = np.zeros(0, dtype=np.int64)
    if given.null_count < len(given):
        words = given.dictionary_encode()
        known = [ROLE_WORDS.get(re.sub(r"[\s-]+", "_", word.strip().lower())) for word in words.dictionary.to_pylist()]
        codes = pa.array([None if role is None else ROLES.index(role) for role in known], pa.int8()).take(words.indices)
        found = as_bool(pc.is_valid(codes))
        said = pc.fill_null(codes, _LOT).to_numpy(zero_copy_only=False)
        roles[found] = said[found]
        open_ &= ~found
        unknown = np.flatnonzero(~found & as_bool(pc.is_valid(given)))
    for code, role in CLASS_ROLES.items():
        hit = open_ & as_bool(pc.equal(property_class, code))
        roles[hit] = ROLES.index(role)
        open_ &= ~hit
    hinted = np.flatnonzero(open_ & as_bool(pc.match_substring_regex(names, _RAILROAD_HINT)))
    called = pa.chunked_array([names.take(pa.array(hinted))])
    rail = hinted[as_bool(each_distinct(called, lambda text: text if is_railroad_name(text) else None).is_valid())]
    roles[rail] = _RAILROAD_ROLE
    open_[rail] = False
    guessed = np.flatnonzero(open_ & blank)
    bare = as_bool(pc.is_null(property_class)) & as_bool(pc.equal(names, ""))
    guessed = guessed[
        _long_and_thin(shapes.length[guessed], shapes.area[guessed], np.where(bare[guessed], BARE_RATIO, THIN_RATIO))
    ]
    roles[guessed] = _RIGHT_OF_WAY
    return roles, guessed, unknown


def _long_and_thin(
    perimeter: "NDArray[np.float64]", area: "NDArray[np.float64]", ratio: "NDArray[np.float64]"
) -> "NDArray[np.bool_]":
    """Whether polygons are strips: twice the area over the perimeter is a strip's width, half the perimeter its length, branches included."""
    width = np.divide(2 * area, perimeter, out=np.zeros_like(area), where=perimeter > 0)
    length = perimeter / 2
    return np.asarray((width > 0) & (width <= THIN_WIDTH_FT) & (length >= THIN_LENGTH_FT) & (length >= ratio * width))


def _classes(rows: "ParcelRows") -> "pa.ChunkedArray":
    """Return New York's three digits where the layer is New York's, else the class as it is, in a form that is no such code."""
    import pyarrow.compute as pc

    others = each_distinct(rows.property_class, lambda text: f"class {text}" if re.fullmatch(r"[1-9]\d\d", text) else text)
    return pc.coalesce(rows.nys_class, others)


MOST = 0.5
"""What more than this share of a layer's rows has, a row lacks where it does not."""

_NO_USE = re.compile(r"\b(?:VACANT|ROADS?|STREETS?|HIGHWAYS?|RIGHTS? OF WAY|ROW|ALLEYS?|OPEN SPACE|UNCLASSIFIED|UNKNOWN|NONE)\b")
_PUBLIC = re.compile(
    r"\b(?:VILLAGE|TOWN|CITY|COUNTY|STATE|PEOPLE OF|BOROUGH|HIGHWAY|PUBLIC WORKS|DEPT|DEPARTMENT|D ?P ?W|NYS|N Y S|NYSDOT|DOT|AUTHORITY|INC VIL)\b"
)
_PUBLIC_HINT = (
    r"(?i)village|town|city|county|state|people|borough|highway|public|dep|d\W*p\W*w|n\W*y\W*s|dot|authority|inc|[^\x00-\x7f]"
)
"""What a name of :data:`_PUBLIC` has in it; a letter beyond ASCII may become any other in capitals."""
_PRIVATE = re.compile(
    r"\b(?:LLC|L L C|CORP|CORPORATION|LP|LLP|TRUST|TRUSTEE|CHURCH|ASSN|ASSOCIATION|ASSOC|CLUB|REALTY|HOMES?|BANK|COMPANY|CO)\b"
)


def is_built(code: str | None) -> bool:
    """Return whether a class is that of land that somebody uses: buildings, farms, services.

    The Office of Real Property Tax Services numbers vacant land 3xx, and wild land and parks 9xx. Of another State's code only a word can
    say that nobody uses the land.

    Examples
    --------
    >>> [is_built(code) for code in ("210", "105", "652", "R1", "Residential")], [is_built(code) for code in (None, "330", "963", "Vacant Land")]
    ([True, True, True, True, True], [False, False, False, False])
    """
    if not code or not code.strip("0. "):
        return False
    if re.fullmatch(r"[1-9]\d\d", code):
        return code[0] not in "39"
    return not _NO_USE.search(" ".join(re.sub(r"[^A-Z0-9]+", " ", code.upper()).split()))


def is_public(names: str) -> bool:
    """Return whether an owner's name is a municipality's, the State's or an authority's.

    Examples
    --------
    >>> is_public("INC VILLAGE OF BELLEROSE"), is_public("TOWN OF ITALY HIGHWAY DEPT"), is_public("TOWN & COUNTRY REALTY LLC"), is_public("DOE, J")
    (True, True, False, False)
    """
    plain = " ".join(re.sub(r"[^A-Z0-9]+", " ", names.upper()).split())
    return bool(_PUBLIC.search(plain)) and not _PRIVATE.search(plain)


def uses_of(
    rows: "ParcelRows", names: "pa.Array", *, roles: "NDArray[np.int8]", settled: "NDArray[np.bool_]", layers: int
) -> Uses:
    """Return what the columns say of each parcel's use.

    Parameters
    ----------
    rows
        The parcels.
    names
        The names of all owners of each, in one text; empty where there are none.
    roles
        The role of each so far, as its place in :data:`ROLES`.
    settled
        Whether a field, a class or the town file gives it.
    layers
        How many layers there are.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    classed = as_bool(pc.is_valid(rows.property_class))
    built = as_bool(each_distinct(_classes(rows), lambda code: "yes" if is_built(code) else None).is_valid())
    owned = as_bool(pc.not_equal(names, ""))
    public = np.zeros(len(rows), dtype=bool)
    hinted = np.flatnonzero(as_bool(pc.match_substring_regex(names, _PUBLIC_HINT)))
    called = pa.chunked_array([names.take(pa.array(hinted))])
    public[hinted] = as_bool(each_distinct(called, lambda text: "yes" if is_public(text) else None).is_valid())
    numbered = as_bool(rows.number.is_valid())
    word = np.zeros(len(rows), dtype=bool)
    for column in (rows.number, rows.dummy):
        some = np.flatnonzero(as_bool(pc.match_substring_regex(column, r"^\s*[A-Za-z]")))
        texts = column.take(pa.array(some)).to_pylist()
        word[some] |= np.array([names_a_way(text) in {"right_of_way", "numbered"} for text in texts], dtype=bool)
    unlike = public | word
    bare = np.zeros(len(rows), dtype=bool)
    for layer in range(layers):
        here = rows.layer == layer
        for has in (owned, classed, numbered):
            if here.any() and has[here].mean() > MOST:
                unlike |= here & ~has
        mostly = bool(here.any() and classed[here].mean() > MOST)
        unlike |= here & classed & ~built & mostly
        bare |= here & (not mostly)
    open_role = (roles == _LOT) & ~settled
    # owners are kept apart only where they may have a piece of a strip: the names of all fill the memory
    strip = np.flatnonzero(owned & open_role & (unlike | bare | are_thin(rows.shapes)))
    owner = np.full(len(rows), -1, dtype=np.int32)
    owner[strip] = names.take(pa.array(strip)).dictionary_encode().indices.to_numpy()
    return Uses(
        open_role=open_role,
        way=(roles == _RIGHT_OF_WAY) | (roles == _RAILROAD_ROLE),
        built=built | _mail_goes_there(rows),
        owned=owned,
        public=public,
        owner=owner,
        unlike=unlike,
        bare=bare,
        nobodys=~owned & ~built & (word | ~numbered),
    )


def _mail_goes_there(rows: "ParcelRows") -> "NDArray[np.bool_]":
    """Return whether an owner's mail goes to the parcel itself: somebody lives or works there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    made = np.zeros(len(rows), dtype=bool)
    for owners in rows.owners.batches(("row", "address")):
        row = owners["row"].to_numpy()
        first = int(row[0])  # they are ascending
        situs = pc.utf8_upper(rows.aside.part("situs_text", first, int(row[-1]) - first + 1).take(pa.array(row - first)))
        line = pc.utf8_upper(
            pc.replace_substring_regex(owners["address"].combine_chunks(), pattern=r"(?s)[\n,].*$", replacement="")
        )
        same = as_bool(pc.equal(situs, line)) & as_bool(pc.match_substring_regex(situs, r"^\d"))
        made[row[same]] = True
    return made


LINE = 110
"""Where the lines to be pasted into the town file are broken."""
NAMED = 12
"""Most parcels named in one sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class ParcelRoles:
    """What each parcel is.

    Parameters
    ----------
    roles
        The place of each in :data:`ROLES`.
    may_be_street
        1 for a lot that does what a street does, and only a person can say which it is; 0 for a lot that a person or its class says is
        one; -1 where nothing is known.
    problems
        What was taken from a shape or a word, and what is asked.
    warnings
        The questions for the report of import, and what of the town file changes nothing.
    """

    roles: "NDArray[np.int8]"
    may_be_street: "NDArray[np.int8]"
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def parcel_roles(merged: "Merged", names: "Sequence[str]", specs: "Sequence[ParcelSpec]") -> ParcelRoles:
    """Find the role of each parcel, list which were guessed, and ask about those in doubt.

    Parameters
    ----------
    merged
        The parcels, with the owners of the rolls.
    names
        What the layers are called.
    specs
        The layers as the town file names them; ``roles`` of each settles what is asked.
    """
    rows = merged.rows
    every = _all_names(rows.owners, len(rows))
    blank = ~as_bool(rows.number.is_valid())
    for index in range(len(names)):
        here = rows.layer == index
        # where no parcel has a number, having none says nothing
        blank[here] &= not blank[here].all()
    roles, guessed, unknown = roles_of(
        given=rows.role.combine_chunks(),
        property_class=rows.nys_class.combine_chunks(),
        names=every,
        blank=blank,
        shapes=rows.shapes,
    )
    settled = as_bool(rows.role.is_valid()) & ~np.isin(np.arange(len(rows)), unknown)
    worded = _by_word(merged, roles, every, settled)
    confirmed, warnings = _confirmed(merged, names, specs)
    for parcel, role in confirmed.items():
        roles[parcel] = ROLES.index(role)
        settled[parcel] = True
    # What was guessed from its shape is weighed with the pieces beside it, which the same strip is drawn in.
    weighed = roles.copy()
    weighed[[parcel for parcel in guessed.tolist() if parcel not in confirmed]] = _LOT
    uses = uses_of(rows, every, roles=weighed, settled=settled, layers=len(names))
    del every
    give_back()
    strips = find_strips(rows.shapes, uses)
    roles[strips.certain] = _RIGHT_OF_WAY
    strips = replace(
        strips, certain=np.setdiff1d(strips.certain, guessed), doubtful=strips.doubtful[roles[strips.doubtful] == _LOT]
    )
    doubt = np.where((roles == _LOT) & (settled | uses.built), 0, -1).astype(np.int8)
    doubt[strips.doubtful] = 1
    made = _Problems(merged, names)
    strip = "it has no tax map number and is a long thin strip: it was taken for a right-of-way"
    made.add("role_guessed", {parcel: strip for parcel in guessed.tolist() if parcel not in confirmed})
    word = "{!r} stands in the place of its number, and it has no owner: it was taken for {}"
    made.add(
        "role_guessed",
        {parcel: word.format(text, _A[ROLES[roles[parcel]]]) for parcel, text in worded.items() if parcel not in confirmed},
    )
    use = "{}, and nothing says that anybody uses it: it was taken for a right-of-way"
    made.add("role_guessed", {parcel: use.format(_why(parcel, strips)) for parcel in strips.certain.tolist()})
    text = "its role {!r} is not one of lot, right_of_way, railroad, water; it was taken for {}"
    made.add(
        "role_guessed",
        {
            parcel: text.format(rows.role[parcel].as_py(), _A[ROLES[roles[parcel]]])
            for parcel in unknown.tolist()
            if parcel not in confirmed
        },
    )
    asked = "{}: it may be a street. It stays a lot, and lists look through it with a warning"
    made.add("may_be_street", {parcel: asked.format(_why(parcel, strips)) for parcel in strips.doubtful.tolist()})
    return ParcelRoles(roles, doubt, tuple(made.listed), (*warnings, *_questions(merged, names, strips.doubtful)))


_A = {"lot": "a lot", "right_of_way": "a right-of-way", "railroad": "a railroad", "water": "water"}


class _Problems:
    """The problems of parcels, each with its layer and what the parcel is called."""

    def __init__(self, merged: "Merged", names: "Sequence[str]") -> None:
        self.listed: list[Problem] = []
        self._merged, self._names = merged, names

    def add(self, code: str, texts: "Mapping[int, str]") -> None:
        for parcel, text in texts.items():
            called = self._merged.id[parcel].as_py()
            self.listed.append(Problem(self._names[self._merged.rows.layer[parcel]], called, code, text))


def _why(parcel: int, strips: Strips) -> str:
    lots = strips.served.get(parcel)
    if lots is None:
        return "it lies between lots or continues a right-of-way"
    return f"it is part of a strip on which {lots:,} lots depend that face no other street"


def _by_word(merged: "Merged", roles: "NDArray[np.int8]", owners: "pa.Array", settled: "NDArray[np.bool_]") -> dict[int, str]:
    """Take the word in the place of a number for the role, where no owner and no class speak against it."""
    rows = merged.rows
    classes = _classes(rows)
    found = {}
    for parcel in np.flatnonzero(as_bool(rows.dummy.is_valid())).tolist():
        word = rows.dummy[parcel].as_py()
        role = names_a_way(word)
        if role and roles[parcel] == _LOT and not settled[parcel] and not owners[parcel].as_py():
            if is_built(classes[parcel].as_py()):
                continue
            roles[parcel] = ROLES.index(role)
            found[parcel] = word
    return found


def _confirmed(merged: "Merged", names: "Sequence[str]", specs: "Sequence[ParcelSpec]") -> tuple[dict[int, str], list[str]]:
    """Return the roles that the town file gives parcels, and the entries of it that fit no parcel or look wrong."""
    found: dict[int, str] = {}
    warnings: list[str] = []
    for index, spec in enumerate(specs):
        called = _called(merged, index) if spec.roles.items() else {}
        for role, numbers in spec.roles.items():
            for number in numbers:
                parcels = called.get(number.upper()) or called.get(comparable(number)) or []
                if not parcels:
                    warnings.append(
                        f"[layers.parcels.roles] {role}: {number} is no parcel of {spec.given}, so it changes nothing"
                    )
                found.update(dict.fromkeys(parcels, role))
    return found, [*warnings, *_odd_ways(merged, names, [parcel for parcel, role in found.items() if role == "right_of_way"])]


def _called(merged: "Merged", layer: int) -> dict[str, list[int]]:
    """Return the parcels of a layer by all that they are called."""
    called: dict[str, list[int]] = {}
    for parcel in np.flatnonzero(merged.rows.layer == layer).tolist():
        for name in {merged.id[parcel].as_py().upper(), merged.identities.key[parcel].as_py()} - {""}:
            called.setdefault(name, []).append(parcel)
    return called


def _odd_ways(merged: "Merged", names: "Sequence[str]", ways: list[int]) -> list[str]:
    """Name the rights-of-way of the town file that look like lots: record numbers change from one layer to the next."""
    rows = merged.rows
    warnings = []
    classes = _classes(rows)
    for parcel in ways:
        built = is_built(classes[parcel].as_py())
        if built or figures(rows.shapes.take(np.array([parcel])))[0][0] > WIDE_FT:
            what = f"has the property class {rows.property_class[parcel].as_py()}" if built else "is wider than a street"
            warnings.append(
                f"[layers.parcels.roles] right_of_way: {merged.id[parcel].as_py()} of {names[rows.layer[parcel]]} {what}. It is looked"
                " through as the town file says; check that the number still means the same parcel"
            )
    return warnings


def _questions(merged: "Merged", names: "Sequence[str]", doubtful: "NDArray[np.int64]") -> list[str]:
    """Ask about the parcels in doubt, one question a layer, with the lines for the town file."""
    made = []
    for index, name in enumerate(names):
        here = [merged.id[parcel].as_py() for parcel in doubtful.tolist() if merged.rows.layer[parcel] == index]
        if not here:
            continue
        several = len(here) > 1
        some = ", ".join(here[:NAMED]) + (f" and {len(here) - NAMED:,} more" if len(here) > NAMED else "")
        made.append(
            f"QUESTION: {len(here):,} parcel{'s' if several else ''} of {name} may be {'streets' if several else 'a street'} drawn as "
            f"{'lots' if several else 'a lot'}: {some}. Until the town file says which, lists look through {'them' if several else 'it'} with a"
            f" warning. Write what {'they are' if several else 'it is'} below {'its' if len(names) > 1 else 'the'} [[layers.parcels]] of the"
            f" town file, moving the lots to the second line:\n{_lines(here)}"
        )
    return made


def _lines(called: "Sequence[str]") -> str:
    """Write the table for the town file."""
    import json
    import textwrap

    quoted = ", ".join(json.dumps(name, ensure_ascii=False).replace(" ", "\0") for name in called)
    listed = textwrap.fill(
        f"right_of_way = [{quoted}]", LINE, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    ).replace("\0", " ")
    return f"[layers.parcels.roles]\n{listed}\nlot = []"


def _all_names(owners: "pa.Table", parcels: int) -> "pa.Array":
    """Return the names of all owners of each parcel in one text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    row = owners["row"].to_numpy()
    names = whole(owners["names"])
    if len(row) == parcels and (row == np.arange(parcels)).all():
        return names
    ends = np.searchsorted(row, np.arange(parcels + 1)).astype(np.int32)
    return pc.binary_join(pa.ListArray.from_arrays(pa.array(ends), names), "\n")
