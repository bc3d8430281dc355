"""The role of every parcel: what the town file, the layer and the shape say, and what only a person can say.

A street drawn as a lot hides whoever lies across it; a lot taken for a street is passed over when opposite lots are sought. Where neither
is certain the parcel stays a lot, lists look through it with a warning, and import asks.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from geonotice.layers.columns import as_bool
from geonotice.layers.placeholders import names_a_way
from geonotice.layers.roles import roles_of
from geonotice.layers.uses import is_built, uses_of
from geonotice.layers.way_out import WIDE_FT
from geonotice.layers.ways import Strips, figures, find_strips
from geonotice.model import Problem
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.merge import Merged
    from geonotice.town import LayerSpec

__all__ = ["ParcelRoles", "parcel_roles"]

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
        ``lot``, ``right_of_way``, ``railroad`` or ``water``.
    may_be_street
        1 for a lot that does what a street does, and only a person can say which it is; 0 for a lot that a person or its class says is
        one; -1 where nothing is known.
    problems
        What was taken from a shape or a word, and what is asked.
    warnings
        The questions for the report of import, and what of the town file changes nothing.
    """

    roles: "NDArray[np.object_]"
    may_be_street: "NDArray[np.int64]"
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def parcel_roles(merged: "Merged", names: "Sequence[str]", specs: "Sequence[LayerSpec]") -> ParcelRoles:
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
    blank = ~as_bool(rows.number.combine_chunks().is_valid())
    for index in range(len(names)):
        here = rows.layer == index
        # where no parcel has a number, having none says nothing
        blank[here] &= not blank[here].all()
    roles, guessed, unknown = roles_of(
        given=rows.role.combine_chunks(),
        property_class=rows.property_class.combine_chunks(),
        names=every,
        blank=blank,
        geometry=rows.geometry,
    )
    settled = as_bool(rows.role.is_valid()) & ~np.isin(np.arange(len(rows)), unknown)
    worded = _by_word(merged, roles, every, settled)
    confirmed, warnings = _confirmed(merged, names, specs)
    for parcel, role in confirmed.items():
        roles[parcel] = role
        settled[parcel] = True
    # What was guessed from its shape is weighed with the pieces beside it, which the same strip is drawn in.
    weighed = roles.copy()
    weighed[[parcel for parcel in guessed.tolist() if parcel not in confirmed]] = "lot"
    uses = uses_of(rows, every, roles=weighed, settled=settled, layers=len(names))
    strips = find_strips(rows.geometry, uses)
    roles[strips.certain] = "right_of_way"
    strips = replace(
        strips, certain=np.setdiff1d(strips.certain, guessed), doubtful=strips.doubtful[roles[strips.doubtful] == "lot"]
    )
    doubt = np.where((roles == "lot") & (settled | uses.built), 0, -1)
    doubt[strips.doubtful] = 1
    made = _Problems(merged, names)
    strip = "it has no tax map number and is a long thin strip: it was taken for a right-of-way"
    made.add("role_guessed", {parcel: strip for parcel in guessed.tolist() if parcel not in confirmed})
    word = "{!r} stands in the place of its number, and it has no owner: it was taken for {}"
    made.add(
        "role_guessed",
        {parcel: word.format(text, _A[roles[parcel]]) for parcel, text in worded.items() if parcel not in confirmed},
    )
    use = "{}, and nothing says that anybody uses it: it was taken for a right-of-way"
    made.add("role_guessed", {parcel: use.format(_why(parcel, strips)) for parcel in strips.certain.tolist()})
    text = "its role {!r} is not one of lot, right_of_way, railroad, water; it was taken for {}"
    made.add(
        "role_guessed",
        {
            parcel: text.format(rows.role[parcel].as_py(), _A[roles[parcel]])
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


def _by_word(merged: "Merged", roles: "NDArray[np.object_]", owners: "pa.Array", settled: "NDArray[np.bool_]") -> dict[int, str]:
    """Take the word in the place of a number for the role, where no owner and no class speak against it."""
    rows = merged.rows
    found = {}
    for parcel in np.flatnonzero(as_bool(rows.dummy.is_valid())).tolist():
        word = rows.dummy[parcel].as_py()
        role = names_a_way(word)
        if role and roles[parcel] == "lot" and not settled[parcel] and not owners[parcel].as_py():
            if is_built(rows.property_class[parcel].as_py()):
                continue
            roles[parcel] = role
            found[parcel] = word
    return found


def _confirmed(merged: "Merged", names: "Sequence[str]", specs: "Sequence[LayerSpec]") -> tuple[dict[int, str], list[str]]:
    """Return the roles that the town file gives parcels, and the entries of it that fit no parcel or look wrong."""
    found: dict[int, str] = {}
    warnings: list[str] = []
    for index, spec in enumerate(specs):
        called = _called(merged, index) if spec.roles else {}
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
    for parcel in ways:
        code = rows.property_class[parcel].as_py()
        if is_built(code) or figures(rows.geometry[[parcel]])[0][0] > WIDE_FT:
            what = f"has the property class {code}" if is_built(code) else "is wider than a street"
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
    names = owners["names"].combine_chunks()
    if len(row) == parcels and (row == np.arange(parcels)).all():
        return names
    ends = np.searchsorted(row, np.arange(parcels + 1)).astype(np.int32)
    return pc.binary_join(pa.ListArray.from_arrays(pa.array(ends), names), "\n")
