"""Rows of a parcel layer or a roll to owners of record, verbatim.

The roll's words are mail: nothing is changed but blanks around them. What is done: name lines and delivery lines are put together in the
order they are printed in, a post-office box that is only a number is called one, lost zeros of a ZIP code are put back where the State says so,
a country is set in its own place, and a one-string address is taken apart where that is safe. What is not as the roll has it is named in
``changed``. All of it works on whole columns; a row by itself is looked at only where it is odd.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from geonotice.address_spelling import normal_text
from geonotice.layers.addresses import (
    MAY_BE_MILITARY,
    city_state_zip,
    house_and_street,
    known_cities,
    settle_address,
    split_address,
    split_situs,
)
from geonotice.layers.columns.placeholders import field_value, words_in_place_of
from geonotice.layers.columns.text import as_bool, each_distinct
from geonotice.layers.countries_and_zip_codes import STATES, ZIPS_OF_STATES, tidy_zip
from geonotice.layers.owner_spelling import OWNER_TEXT, address_keys

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.columns.placeholders import Kind
    from geonotice.layers.columns.recognize import FieldMap

__all__ = ["OF_OWNERS_ONLY", "OWNER_PARTS", "owners_of_record", "situs_of", "tidied_zip"]


OWNER_PARTS = (*OWNER_TEXT, "changed")
"""These, and the codes of what is not as the roll has it, joined by blanks (:class:`geonotice.layers.addresses.MailAddress`)."""

_FURTHER = tuple(f"owner_{n}" for n in range(2, 10))
_FURTHER_LINES = tuple(f"mail_address_{n}" for n in range(2, 5))
_NAMES = {"owner", *_FURTHER, "add_owner", "care_of"}
_SEVERAL_LINES = {"mail_address", *_FURTHER_LINES, "add_mail_address", "mail_one_line", "situs"}
OF_OWNERS_ONLY = frozenset(
    {*_NAMES, "mail_address", *_FURTHER_LINES, "add_mail_address", "po_box", "add_po_box", "mail_state", "mail_zip"}
)
"""The fields that nothing but the owners is read from: the city of a letter tells where a property's own address ends."""
_LINES_OF_ADDRESS = {*_SEVERAL_LINES, "po_box", "add_po_box", "situs_street"}


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The columns of one owner in each row, as text; a missing field is a column of nulls."""

    table: "pa.Table"
    fields: "dict[str, str]"
    rows: int
    _read: "dict[str, pa.ChunkedArray]" = field(default_factory=dict)

    def get(self, name: str) -> "pa.ChunkedArray":
        """Return a field as text; placeholders are null, and line breaks stay in what is printed on lines."""
        if name not in self._read:
            kind: Kind = "name" if name in _NAMES else "line" if name in _LINES_OF_ADDRESS else "value"
            several = kind == "name" or name in _SEVERAL_LINES
            self._read[name] = field_value(self.table, self.fields.get(name), kind, lines=several)
        return self._read[name]

    def has(self, *names: str) -> bool:
        return any(name in self.fields for name in names)


def owners_of_record(table: "pa.Table", fields: "FieldMap") -> "pa.Table":
    """Return the owners of record of each row.

    Parameters
    ----------
    table
        The attributes of a parcel layer or a roll.
    fields
        How its columns map.

    Returns
    -------
    pyarrow.Table
        One row per owner: ``row`` (int64, the row of ``table``, ascending), ``n`` (int64, from 0), then :data:`OWNER_PARTS` as strings,
        empty where there is nothing. A row without an owner's name or with a placeholder keeps its place with ``names`` empty. Without any
        column of owners only the rows with an address are there: a letter goes to whoever owns the property.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = _Parts(table, dict(fields.fields), table.num_rows)
    named = parts.has("owner", *_FURTHER, "add_owner")
    if not (named or parts.has("mail_address", "mail_one_line", "po_box")) or not table.num_rows:
        return _empty()
    first = _first_owner(parts)
    if not named:
        return first.filter(pc.not_equal(first["address"], "")).combine_chunks()
    if not parts.has("add_owner"):
        return first
    extra = _additional_owner(parts)
    # a second owner has an address of their own where it is filled and another than the first one's
    own = pc.and_(pc.not_equal(extra["address"], ""), pc.not_equal(address_keys(extra), address_keys(first)))
    named = pc.not_equal(extra["names"], "")
    line = pc.and_(named, pc.invert(own))
    joined = pc.if_else(line, _lines([_blank_null(first["names"]), _blank_null(extra["names"])]), first["names"])
    first = first.set_column(first.schema.get_field_index("names"), "names", joined)
    second = extra.filter(pc.and_(named, own))
    return pa.concat_tables([first, second]).combine_chunks().sort_by([("row", "ascending"), ("n", "ascending")])


def situs_of(table: "pa.Table", fields: "FieldMap") -> "dict[str, pa.ChunkedArray]":
    """Return each row's own address: ``text``, ``number``, ``street``, ``unit``, ``city``, ``state``, ``zip``; null where there is none.

    The whole is the layer's where it has one, else its parts put together; a house number of zeros is none.
    """
    import pyarrow.compute as pc

    parts = _Parts(table, dict(fields.fields), table.num_rows)
    number = parts.get("situs_number")
    number = pc.if_else(pc.match_substring_regex(number, r"^0+$"), None, number)
    street = (
        _joined([parts.get("situs_street"), parts.get("situs_suffix")], " ")
        if parts.has("situs_street")
        else parts.get("situs_street")
    )
    unit = parts.get("situs_unit")
    text = pc.replace_substring(parts.get("situs"), "\n", ", ")
    if parts.has("situs_street"):
        made = pc.if_else(pc.is_valid(street), _joined([number, street, unit], " "), None)
        text = pc.coalesce(text, made)
    if parts.has("situs") and as_bool(pc.match_substring(text, "  ")).any():
        text = pc.replace_substring_regex(text, pattern=r" {2,}", replacement=" ")
    city, state = parts.get("situs_city"), parts.get("situs_state")
    code = tidied_zip(parts.get("situs_zip"), None, state)[0]
    made = {"text": text, "number": number, "street": street, "unit": unit, "city": city, "state": state, "zip": code}
    if parts.has("situs") and not parts.has("situs_street"):
        made |= _situs_apart(parts, made)
    return made


def _situs_apart(parts: _Parts, situs: "dict[str, pa.ChunkedArray]") -> "dict[str, pa.ChunkedArray]":
    """Take the city off a property's own address that has it at its end; the whole stays as ``text``, and the parts of their own stand first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cities = _cities(parts, situs["city"])
    some = _may_name_a_city(situs["text"], cities)
    if not some.any():
        return {}
    texts = situs["text"].filter(pa.array(some)).combine_chunks().dictionary_encode()
    strings = texts.dictionary.to_pylist()
    loose = _most_end_in_cities(strings, cities)
    found = [split_situs(text, cities, loose=loose) for text in strings]
    if not any(found):
        return {}
    lines = [" ".join(part.lines) if part else text for part, text in zip(found, strings, strict=True)]
    apart = [house_and_street(line) if part else ("", "") for part, line in zip(found, lines, strict=True)]
    columns = {
        "number": [number for number, _ in apart],
        "street": [street for _, street in apart],
        **{name: [getattr(part, name) if part else "" for part in found] for name in ("city", "state", "zip")},
    }
    nothing, mask = pa.nulls(parts.rows, pa.string()), pa.array(some)
    taken = {
        name: pa.chunked_array(
            [pc.replace_with_mask(nothing, mask, pa.array([v or None for v in values], pa.string()).take(texts.indices))]
        )
        for name, values in columns.items()
    }
    # a house number of its own column belongs to the whole of the line, whose street is then what follows it
    agree = pc.or_kleene(pc.is_null(situs["number"]), pc.fill_null(pc.equal(situs["number"], taken["number"]), fill_value=False))
    taken["street"] = pc.if_else(agree, taken["street"], None)
    return {name: pc.coalesce(situs[name], taken[name]) for name in columns}


def _may_name_a_city(texts: "pa.ChunkedArray", cities: frozenset[str]) -> "NDArray[np.bool_]":
    """Return which addresses :func:`geonotice.layers.addresses.split_situs` may take apart: by a comma, a ZIP code, a State or a known city at the end."""
    import pyarrow as pa
    import pyarrow.compute as pc

    marked = as_bool(pc.match_substring_regex(texts, _MAY_NAME_A_CITY))
    last = pc.utf8_upper(pc.replace_substring_regex(texts, pattern=r"^.* ", replacement=""))
    ends = {city.rpartition(" ")[2] for city in cities} | set(STATES)
    return marked | as_bool(pc.is_in(last, value_set=pa.array(sorted(ends), pa.string())))


_MAY_NAME_A_CITY = r"(?i)[,.]|[^ -~]|^ | $|\d{4}$|(?:USA?|UNITED STATES(?: OF AMERICA)?)$"


def _cities(parts: _Parts, own: "pa.ChunkedArray") -> frozenset[str]:
    """Return the cities that the layer's addresses name at least twice, in capitals."""
    import pyarrow.compute as pc

    counts: Counter[str] = Counter()
    for column in (own, parts.get("mail_city")):
        for item in pc.value_counts(column.drop_null()).to_pylist():
            counts[normal_text(item["values"])] += item["counts"]
    if parts.has("mail_city_state_zip"):
        for item in pc.value_counts(parts.get("mail_city_state_zip").drop_null()).to_pylist():
            part = city_state_zip(item["values"])
            counts[normal_text(part.city) if part.state else ""] += item["counts"]
    found = {city for city, count in counts.items() if city and count > 1}
    if parts.has("mail_one_line"):
        found |= known_cities(pc.unique(parts.get("mail_one_line").drop_null()).to_pylist())
    return frozenset(found)


def _most_end_in_cities(texts: "list[str]", cities: frozenset[str]) -> bool:
    """Whether most of the texts that have a comma end in a city that is known, or in one that ends many."""
    ends = Counter(normal_text(text.rpartition(",")[2]) for text in texts if text and "," in text)
    known = sum(count for end, count in ends.items() if end in cities)
    return known > sum(ends.values()) / 2


def _first_owner(parts: _Parts) -> "pa.Table":
    import pyarrow.compute as pc

    owners = [parts.get("owner")]
    for name in _FURTHER:
        if not parts.has(name):
            continue
        further = parts.get(name)
        for before in owners:
            again = pc.fill_null(pc.equal(pc.utf8_upper(before), pc.utf8_upper(further)), fill_value=False)
            further = pc.if_else(again, None, further)
        owners.append(further)
    names = _lines(owners)
    nameless = pc.equal(names, "")
    care = parts.get("care_of")
    # a care-of line alone is nobody's name
    names = pc.if_else(nameless, "", _lines([*owners, care])) if parts.has("care_of") else names
    apart = parts.has("mail_address") and parts.has("mail_city", "mail_zip", "mail_city_state_zip")
    if parts.has("mail_one_line") and not apart:
        made = {"names": names, **_one_line(parts)}
    else:
        more = [parts.get(name) for name in _FURTHER_LINES if parts.has(name)]
        address = _delivery(parts.get("mail_address"), more, parts.get("po_box"))
        made = {"names": names, **_place(parts, "mail_", address)}
        if parts.has("mail_one_line"):
            # the whole address stands in where a row has it in one string only
            lacking = pc.equal(made["address"], "")
            made |= {name: pc.if_else(lacking, column, made[name]) for name, column in _one_line(parts).items()}
    if parts.has("care_of"):
        # it stays in the letter's address where the letter has one, for there is no name that it could follow
        stays = pc.and_(nameless, pc.not_equal(made["address"], ""))
        made["address"] = pc.if_else(stays, _lines([care, _blank_null(made["address"])]), made["address"])
    looked = ("owner", *_FURTHER, "care_of", "mail_address", *_FURTHER_LINES, "mail_one_line")
    made["changed"] = _with_words(parts, made["changed"], looked)
    return _table(parts.rows, 0, made)


def _with_words(parts: _Parts, changed: "pa.ChunkedArray", names: "tuple[str, ...]") -> "pa.ChunkedArray":
    """Add ``placeholder`` to what was changed where a person's word stands in the place of a name or a line."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = np.zeros(parts.rows, dtype=bool)
    for name in names:
        if parts.has(name):
            found |= words_in_place_of(parts.table, parts.fields[name], "name" if name in _NAMES else "line")
    if not found.any():
        return changed
    return pc.if_else(pa.array(found), pc.utf8_trim(pc.binary_join_element_wise(changed, "placeholder", " "), " "), changed)


def _additional_owner(parts: _Parts) -> "pa.Table":
    address = _delivery(parts.get("add_mail_address"), [], parts.get("add_po_box"))
    names = _lines([parts.get("add_owner")])
    return _table(parts.rows, 1, {"names": names, **_place(parts, "add_mail_", address)})


def _delivery(street: "pa.ChunkedArray", more: "list[pa.ChunkedArray]", box: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Put the delivery lines together, the post-office box last; a box that is only a number is called one."""
    import pyarrow.compute as pc

    if box.null_count < len(box):
        bare = pc.fill_null(pc.match_substring_regex(box, r"^#?\s*\d+\s*-?\s*[A-Za-z]?$"), fill_value=False)
        none = pc.fill_null(pc.match_substring_regex(box, r"^0+$"), fill_value=False)
        box = pc.if_else(none, None, pc.if_else(bare, pc.binary_join_element_wise("PO BOX", box, " "), box))
        said = pc.fill_null(pc.equal(pc.utf8_upper(street), pc.utf8_upper(box)), fill_value=False)
        box = pc.if_else(said, None, box)
    return _lines([street, *more, box])


def _place(parts: _Parts, prefix: str, address: "pa.ChunkedArray") -> "dict[str, pa.ChunkedArray]":
    """Return delivery lines, city, State, ZIP code and country, from fields of their own or from one field that holds them together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    city, state, code = parts.get(f"{prefix}city"), parts.get(f"{prefix}state"), parts.get(f"{prefix}zip")
    country = parts.get(f"{prefix}country")
    plus = parts.get("mail_zip_4") if prefix == "mail_" else parts.get("none")
    if prefix == "mail_" and parts.has("mail_city_state_zip"):
        together = parts.get("mail_city_state_zip").combine_chunks().dictionary_encode()
        split = [city_state_zip(text) for text in together.dictionary.to_pylist()]
        found = {
            name: pa.array([getattr(part, name) or None for part in split], pa.string()) for name in ("city", "state", "zip")
        }
        taken = {name: pa.chunked_array([values.take(together.indices)]) for name, values in found.items()}
        city, state, code = pc.coalesce(city, taken["city"]), pc.coalesce(state, taken["state"]), pc.coalesce(code, taken["zip"])
    tidy, changed = tidied_zip(code, plus, state)
    made = {
        "address": address,
        "city": city,
        "state": state,
        "zip": tidy,
        "country": pa.chunked_array([pa.nulls(parts.rows, pa.string())]),
    }
    odd = ~_at_home(state, tidy) | as_bool(pc.is_valid(country))
    return _settled(made, changed, odd, code=code, plus=plus, country=country)


def _at_home(state: "pa.ChunkedArray", code: "pa.ChunkedArray") -> "NDArray[np.bool_]":
    """Whether State and ZIP code are each other's: such an address is at home, whatever its city is called."""
    import pyarrow as pa
    import pyarrow.compute as pc

    pair = pc.binary_join_element_wise(pc.utf8_upper(state), pc.utf8_slice_codeunits(code, 0, 3), " ")
    fits = as_bool(pc.is_in(pair, value_set=pa.array(ZIPS_OF_STATES)))
    return fits & as_bool(pc.match_substring_regex(code, r"^\d{5}(?:-\d{4})?$"))


def _settled(
    made: "dict[str, pa.ChunkedArray]",
    changed: "pa.ChunkedArray",
    odd: "NDArray[np.bool_]",
    *,
    code: "pa.ChunkedArray",
    plus: "pa.ChunkedArray",
    country: "pa.ChunkedArray",
) -> "dict[str, pa.ChunkedArray]":
    """Settle the odd addresses one by one (:func:`geonotice.layers.addresses.settle_address`)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    every = {**made, "changed": changed}
    plain = odd & _plainly_placed(made["city"], made["state"], code, plus, country)
    every["changed"] = _changed_zips(every["changed"], plain, made["state"], code)
    odd = odd & ~plain
    places = np.flatnonzero(odd)
    if not len(places):
        return every
    at = pa.array(places)
    given = (made["address"], made["city"], made["state"], code, plus, country)
    rows = list(zip(*(pc.fill_null(column, "").take(at).to_pylist() for column in given), strict=True))
    settled = {
        row: settle_address(row[0].split("\n"), row[1], row[2], row[3], plus=row[4], country=row[5])
        for row in dict.fromkeys(rows)
    }
    found = [settled[row] for row in rows]
    values = {
        "address": ["\n".join(one.lines) for one in found],
        "changed": [" ".join(one.changed) for one in found],
        **{name: [getattr(one, name) for one in found] for name in ("city", "state", "zip", "country")},
    }
    mask = pa.array(odd)
    return {
        name: pa.chunked_array([pc.replace_with_mask(column.combine_chunks(), mask, pa.array(values[name], pa.string()))])
        for name, column in every.items()
    }


def _plainly_placed(
    city: "pa.ChunkedArray",
    state: "pa.ChunkedArray",
    code: "pa.ChunkedArray",
    plus: "pa.ChunkedArray",
    country: "pa.ChunkedArray",
) -> "NDArray[np.bool_]":
    """Return which addresses have a State's two letters and a whole ZIP code in their fields and nothing else: the rest of them stays as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = as_bool(pc.is_in(state, value_set=pa.array(sorted(STATES)))) & as_bool(pc.match_substring_regex(code, _WHOLE_ZIP))
    alone = as_bool(pc.is_null(plus)) & as_bool(pc.is_null(country))
    return whole & alone & ~as_bool(pc.match_substring_regex(city, MAY_BE_MILITARY))


_WHOLE_ZIP = r"^(?:00[1-9]|0[1-9]\d|[1-9]\d\d)\d\d(?:-\d{4})?$"
"""A ZIP code as the post writes it; none begins with three zeros."""


def _changed_zips(
    changed: "pa.ChunkedArray", plain: "NDArray[np.bool_]", state: "pa.ChunkedArray", code: "pa.ChunkedArray"
) -> "pa.ChunkedArray":
    """Return whether the ZIP code of each plain address is one of the State's: its first three digits tell, so each State's are looked at once."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not plain.any():
        return changed
    mask = pa.array(plain)
    sort = pc.binary_join_element_wise(state, pc.utf8_slice_codeunits(code, 0, 3), " ").filter(mask)
    said = each_distinct(sort, lambda text: " ".join(settle_address((), "", text[:2], f"{text[3:]}00").changed))
    return pa.chunked_array([pc.replace_with_mask(changed.combine_chunks(), mask, said.combine_chunks())])


def _one_line(parts: _Parts) -> "dict[str, pa.ChunkedArray]":
    import pyarrow as pa
    import pyarrow.compute as pc

    # a line break within the cell parts the lines as a comma does
    column = pc.replace_substring(parts.get("mail_one_line"), "\n", ", ")
    text = column.combine_chunks().dictionary_encode()
    strings = text.dictionary.to_pylist()
    cities = known_cities(strings)
    split = [split_address(string, cities) for string in strings]
    values = {
        "address": ["\n".join(part.lines) for part in split],
        "city": [part.city for part in split],
        "state": [part.state for part in split],
        "zip": [part.zip for part in split],
        "country": [part.country for part in split],
        "changed": [" ".join(part.changed) for part in split],
    }
    return {name: pa.chunked_array([pa.array(column, pa.string()).take(text.indices)]) for name, column in values.items()}


def tidied_zip(
    code: "pa.ChunkedArray", extra: "pa.ChunkedArray | None", state: "pa.ChunkedArray"
) -> "tuple[pa.ChunkedArray, pa.ChunkedArray]":
    """Tidy ZIP codes, each spelling once; the second column has ``zip_completed`` where zeros were put back, and is empty elsewhere."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if code.null_count == len(code):
        return code, pc.fill_null(code, "")
    # what is whole stays as it is, whatever the State
    whole = as_bool(pc.match_substring_regex(code, _WHOLE_ZIP)) & ~as_bool(pc.ends_with(code, "-0000"))
    odd = ~whole & as_bool(pc.is_valid(code))
    if extra is not None:
        odd |= as_bool(pc.is_valid(extra))
    unchanged = pa.chunked_array([pa.array([""], pa.string()).take(pa.array(np.zeros(len(code), dtype=np.int64)))])
    if not odd.any():
        return code, unchanged
    sep = "\x1f"
    mask = pa.array(odd)
    codes, states = (pc.fill_null(column.filter(mask), "") for column in (code, state))
    more = "" if extra is None else pc.fill_null(extra.filter(mask), "")
    joined = pc.binary_join_element_wise(codes, more, states, sep).combine_chunks().dictionary_encode()
    tidy, changed = [], []
    for text in joined.dictionary.to_pylist():
        first, plus, where = text.split(sep)
        tidy.append(tidy_zip(first, plus, state=where) or None)
        changed.append("zip_completed" if tidy_zip(first, plus) != (tidy[-1] or "") else "")
    return (
        pa.chunked_array([pc.replace_with_mask(code.combine_chunks(), mask, pa.array(tidy, pa.string()).take(joined.indices))]),
        pa.chunked_array(
            [pc.replace_with_mask(unchanged.combine_chunks(), mask, pa.array(changed, pa.string()).take(joined.indices))]
        ),
    )


def _joined(columns: "list[pa.ChunkedArray]", mark: str) -> "pa.ChunkedArray":
    """Join what is filled; null where nothing is."""
    from functools import reduce

    import pyarrow.compute as pc

    # pyarrow (26.0) leaves a row out altogether where every string of it is null: such rows are given an empty one to join
    nothing = reduce(pc.and_, [pc.is_null(column) for column in columns])
    joined = pc.binary_join_element_wise(pc.if_else(nothing, "", columns[0]), *columns[1:], mark, null_handling="skip")
    return pc.if_else(nothing, None, joined)


def _lines(columns: "list[pa.ChunkedArray]") -> "pa.ChunkedArray":
    """Join lines by a newline, leaving out those that are null; empty where all are."""
    import pyarrow.compute as pc

    filled = [column for column in columns if column.null_count < len(column)]
    if not filled:
        return pc.fill_null(columns[0], "")
    return pc.fill_null(_joined(filled, "\n") if len(filled) > 1 else filled[0], "")


def _blank_null(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow.compute as pc

    return pc.if_else(pc.equal(column, ""), None, column)


def _table(rows: int, n: int, columns: "dict[str, pa.ChunkedArray]") -> "pa.Table":
    import pyarrow as pa
    import pyarrow.compute as pc

    made = {"row": pa.array(np.arange(rows)), "n": pa.array(np.full(rows, n))}
    return pa.table({**made, **{name: pc.fill_null(columns[name], "") for name in OWNER_PARTS}})


def _empty() -> "pa.Table":
    import pyarrow as pa

    return pa.table(
        {
            "row": pa.array([], pa.int64()),
            "n": pa.array([], pa.int64()),
            **{name: pa.array([], pa.string()) for name in OWNER_PARTS},
        }
    )
