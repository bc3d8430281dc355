"""Assessment rolls without geometry: read as tables, keyed, and joined to the parcels."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from geonotice.config.town import RollKey
from geonotice.errors import Fault, LayerError, MissingField
from geonotice.io.csv_tables import RowNames
from geonotice.layers.columns.aliases import KEY_COLUMNS
from geonotice.layers.columns.expression import PLUS, columns_of
from geonotice.layers.columns.placeholders import field_value
from geonotice.layers.columns.recognize import FieldMap, column_text, field_text, plain_name, recognise
from geonotice.layers.columns.text import as_bool
from geonotice.layers.condominium import condominium_column
from geonotice.layers.identity import comparable_column, distinct_owners
from geonotice.layers.owners import owners_of_record, situs_of
from geonotice.layers.property_classes import class_code, has_new_york_classes
from geonotice.layers.roll_tables import read_roll_table
from geonotice.layers.source import for_town_file
from geonotice.model import Problem

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.config.town import RollSpec


__all__ = [
    "Joined",
    "ReadRoll",
    "apply_roll",
    "join_roll",
    "read_roll",
    "roll_keys",
]


@dataclass(frozen=True, slots=True, eq=False)
class ReadRoll:
    """A roll, read.

    Parameters
    ----------
    named
        What messages call its rows.
    number
        The tax map number of each row, as the roll's key makes it; null where it has none.
    swis
        Its SWIS; null where the roll has none.
    owners
        Its owners of record (:func:`geonotice.layers.owners.owners_of_record`).
    filling
        What may fill a gap in the layer: ``property_class``, ``nys_class``, ``municipality``, ``condominium`` and the parts of ``situs``.
    year
        The roll's year.
    """

    spec: "RollSpec"
    rows: int
    named: RowNames
    fields: FieldMap
    number: "pa.ChunkedArray"
    swis: "pa.ChunkedArray"
    owners: "pa.Table"
    filling: "dict[str, pa.ChunkedArray]"
    year: int | None
    notes: tuple[str, ...]


def read_roll(spec: "RollSpec", *, key_column: str | None, known: "set[str]", new_york: bool | None = None) -> ReadRoll:
    """Read a roll and make its keys.

    Parameters
    ----------
    spec
        The roll, as the town file names it.
    key_column
        The column that is the key in the parcel layer.
    known
        The comparable numbers of the parcels. Where the town file declares no key, the roll's is the column of a key's name that has most of
        them, the one called as in the layer first.
    new_york
        Whether the parcel layer's property classes are New York's; None where nothing says so.

    Raises
    ------
    LayerError
        It cannot be read, or a field needs a person's answer.
    """
    import pyarrow.compute as pc

    written = [column for field in spec.fields.values() for column in columns_of(field)]
    named = [*written, *(spec.key.columns if spec.key else ()), *([key_column] if key_column else [])]
    table, notes, names = read_roll_table(spec.path, sheet=spec.sheet, given=spec.given, columns=named, numbers=known)
    fields = recognise("roll", table, spec.fields, file=spec.given)
    if fields.questions:
        raise MissingField(
            Fault(
                what=f"{question.field} is not settled: {for_town_file(question.text, '[[roll]]')}",
                remedy=f'write it into the town file: [roll.fields] {question.field} = "COLUMN"',
                file=spec.given,
                key=f"roll.fields.{question.field}",
            )
            for question in fields.questions
        )
    if not any(fields.column(name) for name in ("owner", "owner_2", "add_owner")):
        raise _no_owner(spec, table)
    key = _key(spec, fields, table, key_column, known)
    number = roll_keys(table, key, given=spec.given)
    fields = replace(
        fields,
        fields={"tax_map_number": PLUS.join(key.columns), **fields.fields},
        unused=tuple(column for column in fields.unused if column not in key.columns),
    )
    swis = _text(table, fields, "swis")
    swis = pc.if_else(pc.match_substring_regex(swis, r"^\d{5}$"), pc.utf8_lpad(swis, 6, padding="0"), swis)
    years = Counter(year for year in _text(table, fields, "roll_year").to_pylist() if year and year[:4].isdigit())
    year = spec.roll_year or (int(years.most_common(1)[0][0][:4]) if years else None)
    classes = field_value(table, fields.column("property_class"))
    state = has_new_york_classes(table, fields, crs="", says=new_york)
    filling = {
        "property_class": classes,
        **({"nys_class": class_code(classes)} if state else {}),
        "municipality": field_value(table, fields.column("municipality")),
        "condominium": condominium_column(table, fields, new_york=state),
        **{f"situs_{part}": column for part, column in situs_of(table, fields).items()},
    }
    return ReadRoll(
        spec, table.num_rows, names, fields, number, swis, owners_of_record(table, fields), filling, year, tuple(notes)
    )


def roll_keys(table: "pa.Table", key: "RollKey", *, given: str = "") -> "pa.ChunkedArray":
    """Make the tax map number of each row from the roll's columns, by the declared transformation.

    Raises
    ------
    MissingField
        A column of the key is not there.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from geonotice.config.town import RollKey
    >>> roll = pa.table({"MAP": ["000007", "000007"], "LOT": ["000010", "000007"], "SUB": ["000000", "000002"]})
    >>> roll_keys(roll, RollKey(("MAP", "LOT", "SUB"), strip_leading_zeros=True, drop_zero_parts=True)).to_pylist()
    ['7-10', '7-7-2']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    by_name = {plain_name(name): name for name in table.column_names} | {name: name for name in table.column_names}
    missing = [column for column in key.columns if column not in by_name and plain_name(column) not in by_name]
    if missing:
        raise MissingField(
            Fault(
                what=f"there is no column {column!r} for the roll's key",
                remedy=f"the columns are: {', '.join(table.column_names)}",
                file=given,
                key="roll.key.columns",
            )
            for column in missing
        )
    parts = []
    for column in key.columns:
        part = column_text(table.column(by_name.get(column) or by_name[plain_name(column)]))
        if key.strip_leading_zeros:
            part = pc.replace_substring_regex(part, pattern=r"^0+(.)", replacement=r"\1")
        if key.drop_zero_parts:
            part = pc.if_else(pc.match_substring_regex(part, r"^0+$"), None, part)
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    joined = pc.binary_join_element_wise(*parts, key.join, null_handling="skip")
    if isinstance(joined, pa.Array):
        joined = pa.chunked_array([joined])
    return pc.if_else(pc.equal(joined, ""), None, joined)


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """What a roll does to the parcels: for each of its rows the parcel (-1: none), and the problems."""

    parcel: "NDArray[np.int64]"
    problems: tuple[Problem, ...]


def join_roll(
    roll: ReadRoll,
    *,
    key: "pa.Array",
    swis: "pa.ChunkedArray",
    ids: "pa.Array",
    layer: "NDArray[np.int64]",
    names: "list[str]",
    name: str,
) -> Joined:
    """Find the parcel of each row of a roll.

    Parameters
    ----------
    key, swis, ids, layer
        Of the parcels: comparable number (empty where none), SWIS (null where none), what they are called, their layer.
    names
        What the layers are called.
    name
        What the roll is called.
    """
    import pyarrow.compute as pc

    number = comparable_column(roll.number)
    by_swis = roll.swis.null_count < len(roll.swis) and swis.null_count < len(swis)
    mine, theirs = number, key
    if by_swis:
        mine = pc.binary_join_element_wise(pc.fill_null(roll.swis.combine_chunks(), ""), number, "\x1f")
        theirs = pc.binary_join_element_wise(pc.fill_null(swis.combine_chunks(), ""), key, "\x1f")
    known = pc.not_equal(key, "").to_numpy(zero_copy_only=False)
    wanted, sought = theirs.to_pylist(), mine.to_pylist()
    place: dict[str, int] = {}
    twice: set[str] = set()
    for index in np.flatnonzero(known).tolist():
        # a number that stands in two layers is the town's own; one that stands twice in a layer could be either
        before = place.setdefault(wanted[index], index)
        if before != index and layer[before] == layer[index]:
            twice.add(wanted[index])
    several = np.array([text in twice for text in sought], dtype=bool)
    found = np.array([-1 if text is None or text in twice else place.get(text, -1) for text in sought], dtype=np.int64)
    if len(found) and not several.any() and (found < 0).all():
        raise _no_match(roll, number, key)
    problems = [
        *_unmatched_rows(roll, found, several, name),
        *_unmatched_parcels(found, ids, layer, known=known, names=names, name=name),
    ]
    return Joined(found, tuple(problems))


def apply_roll(owners: "pa.Table", roll: ReadRoll, joined: Joined, ids: "pa.Array") -> "tuple[pa.Table, tuple[Problem, ...]]":
    """Put the roll's owners in the place of the others of the parcels it has; where it names nobody, the others stay.

    Parameters
    ----------
    owners
        The owners so far: ``row`` (the parcel, ascending), ``n``, the texts, ``source`` and ``roll_year``.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    parcel = joined.parcel[roll.owners["row"].to_numpy()] if roll.owners.num_rows else np.zeros(0, dtype=np.int64)
    named = as_bool(pc.not_equal(roll.owners["names"], ""))
    # an address without a name is somebody's, unless the layer names who owns the parcel
    known = np.zeros(len(ids) + 1, dtype=bool)
    known[owners["row"].to_numpy()[as_bool(pc.not_equal(owners["names"], ""))]] = True
    known[parcel[named]] = True
    addressed = as_bool(pc.not_equal(roll.owners["address"], "")) & ~known[parcel]
    taken = np.flatnonzero((parcel >= 0) & (named | addressed))
    new = roll.owners.take(pa.array(taken)).set_column(0, "row", pa.chunked_array([pa.array(parcel[taken])]))
    new = new.append_column("source", pa.chunked_array([pa.array(["roll"] * len(taken), pa.string())]))
    new = new.append_column("roll_year", pa.chunked_array([pa.array([roll.year] * len(taken), pa.int64())]))
    replaced = np.zeros(len(ids), dtype=bool)
    replaced[parcel[taken]] = True
    kept = owners.filter(pa.array(~replaced[owners["row"].to_numpy()]))
    both = pa.concat_tables([kept, new])
    both = both.take(pa.array(np.argsort(both["row"].to_numpy(), kind="stable")))
    nameless = np.setdiff1d(np.unique(joined.parcel[joined.parcel >= 0]), np.flatnonzero(replaced))
    problems: list[Problem] = []
    if roll.owners.num_rows:
        text = "the roll names no owner for it; the layer's is kept, where it names one"
        problems = [Problem("roll", ids[index].as_py(), "unmailable", text) for index in nameless.tolist()]
    return distinct_owners(both), tuple(problems)


def _no_match(roll: ReadRoll, number: "pa.Array", key: "pa.Array") -> LayerError:
    """Refuse a roll of which no row is a parcel's: every list would name the layer's owners, and look like the roll's."""
    theirs = list(dict.fromkeys(text for text in number.to_pylist() if text))[:3]
    ours = [text for text in key.slice(0, 1000).to_pylist() if text][:3]
    return LayerError(
        Fault(
            what=f"not one of its {roll.rows:,} rows has the number of a parcel: in the roll they are like {', '.join(theirs) or 'blank'}, in the layer like {', '.join(ours) or 'blank'}",
            why="the owners would be the layer's, not those of the roll",
            remedy='say in the town file how the roll writes the number: [roll.key] columns = ["MAP", "LOT"], with join, strip_leading_zeros and drop_zero_parts as needed; or take the [[roll]] out, if it is another town\'s',
            file=roll.spec.given,
            key="roll.key",
        )
    )


def _no_owner(spec: "RollSpec", table: "pa.Table") -> MissingField:
    """Refuse a roll of which no column is known to name owners: all of it would pass unread, and the layer's owners stand as if they were its."""
    return MissingField(
        Fault(
            what=f"no column of the roll is known to hold the owner's name; its columns are: {', '.join(table.column_names)}",
            why="the roll would change nothing, and every list would name the layer's owners as if they were the roll's",
            remedy='write into the town file which it is: [roll.fields] owner = "COLUMN"; or take the [[roll]] out, if it names no owners',
            file=spec.given,
            key="roll.fields.owner",
        )
    )


def _unmatched_rows(roll: ReadRoll, found: "NDArray[np.int64]", several: "NDArray[np.bool_]", name: str) -> list[Problem]:
    rows = np.flatnonzero(found < 0).tolist()
    if not rows:
        return []
    owner: dict[int, str] = {}
    for row, names in zip(roll.owners["row"].to_pylist(), roll.owners["names"].to_pylist(), strict=True):
        owner.setdefault(row, names.replace("\n", ", "))
    numbers = roll.number.to_pylist()
    return [
        Problem(
            name,
            numbers[row] or roll.named(row),
            "unmatched_roll",
            (
                "several parcels have this number, and the roll does not say which SWIS"
                if several[row]
                else "no parcel has this number"
            )
            + (f"; owner: {owner[row]}" if owner.get(row) else ""),
        )
        for row in rows
    ]


def _unmatched_parcels(
    found: "NDArray[np.int64]",
    ids: "pa.Array",
    layer: "NDArray[np.int64]",
    *,
    known: "NDArray[np.bool_]",
    names: "list[str]",
    name: str,
) -> list[Problem]:
    """List the parcels of the layers a roll is of that it does not have."""
    matched = np.unique(found[found >= 0])
    of = np.unique(layer[matched]) if len(matched) else np.array([0])
    without = np.setdiff1d(np.flatnonzero(np.isin(layer, of) & known), matched)
    called = ids.to_pylist()
    text = f"it does not stand in {name}; the layer's owner is kept, where it names one"
    return [Problem(names[layer[index]], called[index], "unmatched_parcel", text) for index in without.tolist()]


def _key(spec: "RollSpec", fields: FieldMap, table: "pa.Table", key_column: str | None, known: "set[str]") -> "RollKey":
    """Return the roll's key: as declared, else the column of a key's name that most parcels are known by."""
    if spec.key is not None:
        return spec.key
    if "tax_map_number" in fields.fields:
        return RollKey(columns_of(fields.fields["tax_map_number"], table.column_names))
    by_plain = {plain_name(name): name for name in table.column_names}
    wanted = [plain_name(alias) for alias in ([key_column] if key_column else []) + list(KEY_COLUMNS)]
    columns = list(dict.fromkeys(by_plain[name] for name in wanted if name in by_plain))
    if columns:
        matches = [
            len(known.intersection(comparable_column(column_text(table.column(column))).to_pylist())) for column in columns
        ]
        return RollKey((columns[int(np.argmax(matches))],))
    raise MissingField(
        Fault(
            what=f"no column of the roll is known to be the tax map number; its columns are: {', '.join(table.column_names)}",
            remedy='declare it in the town file: [roll.key] columns = ["MAP", "LOT"], with join, strip_leading_zeros and drop_zero_parts as needed',
            file=spec.given,
            key="roll.key",
        )
    )


def _text(table: "pa.Table", fields: FieldMap, name: str) -> "pa.ChunkedArray":
    return field_text(table, fields.column(name))
