"""Rows of a parcel layer or a roll to owners of record, verbatim.

The roll's words are mail: nothing is changed but blanks around them. What is done: name lines and delivery lines are put together in the
order they are printed in, a post-office box that is only a number is called one, lost zeros of a ZIP code are put back, and a
one-string address is taken apart where that is safe. All of it works on whole columns; a row by itself is looked at only where it is odd.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from geonotice.layers.addresses import PROVINCES, city_state_zip, country_of, known_cities, split_address, tidy_zip
from geonotice.layers.columns.placeholders import NO_NAME
from geonotice.layers.columns.recognize import field_text
from geonotice.layers.columns.text import apply_odd, as_bool
from geonotice.postal import normal_address, normal_country, normal_line, normal_text

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from geonotice.layers.columns.recognize import FieldMap

__all__ = ["OWNER_TEXT", "address_keys", "name_keys", "owners_of_record", "situs_of"]

OWNER_TEXT = ("names", "address", "city", "state", "zip", "country")
"""The columns of text of an owner; ``names`` and ``address`` hold lines joined by a newline."""

_HOME_COUNTRIES = ("", "US", "USA", "U.S.", "U.S.A.", "UNITED STATES", "UNITED STATES OF AMERICA")


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The columns of one owner in each row, as text; a missing field is a column of nulls."""

    table: "pa.Table"
    fields: "dict[str, str]"
    rows: int

    def get(self, name: str) -> "pa.ChunkedArray":
        return field_text(self.table, self.fields.get(name))

    def lines(self, name: str) -> "pa.ChunkedArray":
        """Return a field in the lines that its cells have: two names one below the other are two names."""
        return field_text(self.table, self.fields.get(name), lines=True)

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
        One row per owner: ``row`` (int64, the row of ``table``, ascending), ``n`` (int64, from 0), then :data:`OWNER_TEXT` as strings,
        empty where there is nothing. A row without an owner's name or with a placeholder keeps its place with ``names`` empty. Without any
        column of owners there are no rows.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = _Parts(table, dict(fields.fields), table.num_rows)
    if not parts.has("owner", *(f"owner_{n}" for n in range(2, 10)), "add_owner") or not table.num_rows:
        return _empty()
    first = _first_owner(parts)
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
    text = parts.get("situs")
    if parts.has("situs_street"):
        made = pc.if_else(pc.is_valid(street), _joined([number, street, unit], " "), None)
        text = pc.coalesce(text, made)
    if parts.has("situs") and as_bool(pc.match_substring(text, "  ")).any():
        text = pc.replace_substring_regex(text, pattern=r" {2,}", replacement=" ")
    code = _tidied_zip(parts.get("situs_zip"), None, None)
    return {
        "text": text, "number": number, "street": street, "unit": unit, "city": parts.get("situs_city"), "state": parts.get("situs_state"), "zip": code,
    }  # fmt: skip


def _first_owner(parts: _Parts) -> "pa.Table":
    import pyarrow.compute as pc

    owners = [_real_name(parts.lines("owner"))]
    for name in (f"owner_{n}" for n in range(2, 10)):
        if not parts.has(name):
            continue
        further = _real_name(parts.lines(name))
        for before in owners:
            again = pc.fill_null(pc.equal(pc.utf8_upper(before), pc.utf8_upper(further)), fill_value=False)
            further = pc.if_else(again, None, further)
        owners.append(further)
    names = _lines(owners)
    # a care-of line alone is nobody's name
    names = pc.if_else(pc.equal(names, ""), "", _lines([*owners, parts.lines("care_of")])) if parts.has("care_of") else names
    apart = parts.has("mail_address") and parts.has("mail_city", "mail_zip", "mail_city_state_zip")
    if parts.has("mail_one_line") and not apart:
        return _table(parts.rows, 0, {"names": names, **_one_line(parts)})
    more = [parts.get(f"mail_address_{n}") for n in (2, 3, 4) if parts.has(f"mail_address_{n}")]
    address = _delivery(parts.get("mail_address"), more, parts.get("po_box"))
    made = {"address": address, **_place(parts, "mail_")}
    if parts.has("mail_one_line"):
        # the whole address stands in where a row has it in one string only
        whole, lacking = _one_line(parts), pc.equal(address, "")
        made = {name: pc.if_else(lacking, whole[name], made[name]) for name in made}
    return _table(parts.rows, 0, {"names": names, **made})


def _additional_owner(parts: _Parts) -> "pa.Table":
    address = _delivery(parts.get("add_mail_address"), [], parts.get("add_po_box"))
    names = _lines([_real_name(parts.lines("add_owner"))])
    return _table(parts.rows, 1, {"names": names, "address": address, **_place(parts, "add_mail_")})


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


def _place(parts: _Parts, prefix: str) -> "dict[str, pa.ChunkedArray]":
    """Return city, State, ZIP code and country, from fields of their own or from one field that holds them together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    city, state, code = parts.get(f"{prefix}city"), parts.get(f"{prefix}state"), parts.get(f"{prefix}zip")
    country = parts.get(f"{prefix}country")
    if prefix == "mail_" and parts.has("mail_city_state_zip"):
        together = parts.get("mail_city_state_zip").combine_chunks().dictionary_encode()
        split = [city_state_zip(text) for text in together.dictionary.to_pylist()]
        found = {
            name: pa.array([getattr(part, name) or None for part in split], pa.string())
            for name in ("city", "state", "zip", "country")
        }
        taken = {name: pa.chunked_array([values.take(together.indices)]) for name, values in found.items()}
        city, state = pc.coalesce(city, taken["city"]), pc.coalesce(state, taken["state"])
        code, country = pc.coalesce(code, taken["zip"]), pc.coalesce(country, taken["country"])
    country = pc.if_else(pc.is_in(pc.utf8_upper(country), value_set=pa.array(_HOME_COUNTRIES)), None, country)
    code = _tidied_zip(code, parts.get("mail_zip_4") if prefix == "mail_" and parts.has("mail_zip_4") else None, country)
    return _abroad(city, state, code, country)


def _abroad(
    city: "pa.ChunkedArray", state: "pa.ChunkedArray", code: "pa.ChunkedArray", country: "pa.ChunkedArray"
) -> "dict[str, pa.ChunkedArray]":
    """Recognise a country that stands in the place of the State, the ZIP code or the city, and Canada by its postal codes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.fill_null(pc.match_substring_regex(code, r"^\d{5}(?:-\d{4})?$"), fill_value=False)
    odd = np.flatnonzero(pc.and_(pc.invert(plain), pc.is_null(country)).to_numpy(zero_copy_only=False))
    made = {"city": city, "state": state, "zip": code, "country": country}
    if not len(odd):
        return made
    at = pa.array(odd)
    rows = zip(*(pc.fill_null(made[name], "").take(at).to_pylist() for name in ("city", "state", "zip")), strict=True)
    changed: dict[str, list[Any]] = {"state": [], "zip": [], "country": []}
    for town, region, post in rows:
        land = ""
        if country_of(post) and not any(letter.isdigit() for letter in post):
            land, post = country_of(post), ""  # noqa: PLW2901  # the country stood in the ZIP code's place
        elif country_of(region):
            land, region = country_of(region), ""  # noqa: PLW2901  # as above, in the State's
        elif split_address(f"{town} {region} {post}").country:
            land = split_address(f"{town} {region} {post}").country
        elif region.upper() in PROVINCES and not post:
            land = "CANADA"
        changed["state"].append(region or None)
        changed["zip"].append(post or None)
        changed["country"].append(land or None)
    mask = np.zeros(len(city), dtype=bool)
    mask[odd] = True
    for name, values in changed.items():
        old = made[name].combine_chunks()
        made[name] = pa.chunked_array([pc.replace_with_mask(old, pa.array(mask), pa.array(values, pa.string()))])
    return made


def _one_line(parts: _Parts) -> "dict[str, pa.ChunkedArray]":
    import pyarrow as pa

    text = parts.get("mail_one_line").combine_chunks().dictionary_encode()
    strings = text.dictionary.to_pylist()
    cities = known_cities(strings)
    split = [split_address(string, cities) for string in strings]
    values = {
        "address": ["\n".join(part.lines) for part in split],
        "city": [part.city for part in split],
        "state": [part.state for part in split],
        "zip": [part.zip for part in split],
        "country": [part.country for part in split],
    }
    return {name: pa.chunked_array([pa.array(column, pa.string()).take(text.indices)]) for name, column in values.items()}


def _tidied_zip(code: "pa.ChunkedArray", extra: "pa.ChunkedArray | None", country: "pa.ChunkedArray | None") -> "pa.ChunkedArray":
    """Tidy ZIP codes, each spelling once."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if code.null_count == len(code) and extra is None:
        return code
    sep = "\x1f"
    joined = pc.binary_join_element_wise(
        pc.fill_null(code, ""),
        "" if extra is None else pc.fill_null(extra, ""),
        "" if country is None else pc.fill_null(country, ""),
        sep,
    )
    if isinstance(joined, pa.ChunkedArray):
        joined = joined.combine_chunks()
    encoded = joined.dictionary_encode()
    tidy = []
    for text in encoded.dictionary.to_pylist():
        first, more, land = text.split(sep)
        tidy.append(tidy_zip(first, more, home=not land) or None)
    return pa.chunked_array([pa.array(tidy, pa.string()).take(encoded.indices)])


def _real_name(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pc.is_in(pc.utf8_upper(column), value_set=pa.array(NO_NAME)), None, column)


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
    return pa.table({**made, **{name: pc.fill_null(columns[name], "") for name in OWNER_TEXT}})


def _empty() -> "pa.Table":
    import pyarrow as pa

    return pa.table(
        {
            "row": pa.array([], pa.int64()),
            "n": pa.array([], pa.int64()),
            **{name: pa.array([], pa.string()) for name in OWNER_TEXT},
        }
    )


# -- the normalised forms, of whole columns; equal to those of geonotice.postal, which a test holds them to -----------------------------


def name_keys(owners: "pa.Table") -> "pa.ChunkedArray":
    """Return :func:`geonotice.postal.normal_name` of each owner's name lines."""
    import pyarrow as pa

    return pa.chunked_array([_by_word(owners["names"].combine_chunks(), normal_text)])


def address_keys(owners: "pa.Table") -> "pa.ChunkedArray":
    """Return :func:`geonotice.postal.normal_address` of each owner."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = _delivery_keys(owners["address"].combine_chunks())
    keys = []
    for name in ("city", "state", "zip", "country"):
        encoded = owners[name].combine_chunks().dictionary_encode()
        made = [_part_key(name, value) for value in encoded.dictionary.to_pylist()]
        keys.append(pa.chunked_array([pa.array(made, pa.string()).take(encoded.indices)]))
    text = pc.utf8_rtrim(pc.binary_join_element_wise(lines, *keys, " | "), characters=" ")
    placed = pc.or_(pc.not_equal(keys[0], ""), pc.or_(pc.not_equal(keys[2], ""), pc.not_equal(keys[3], "")))
    return pc.if_else(pc.and_(placed, pc.not_equal(lines, "")), text, "")


def _part_key(name: str, value: str) -> str:
    whole = normal_address(
        ["X"],
        city=value if name == "city" else "",
        state=value if name == "state" else "",
        zip=value if name == "zip" else "",
        country="Z",
    )
    if name == "country":
        return normal_country(value)
    return whole.split(" | ")[{"city": 1, "state": 2, "zip": 3}[name]]


def _normal_lines(text: str) -> str:
    return " | ".join(line for line in map(normal_line, text.split("\n")) if line)


def _delivery_keys(text: "pa.Array") -> "pa.Array":
    """Normalise delivery lines; units and boxes, whose words are read together, each by itself."""
    import pyarrow.compute as pc

    made = _by_word(text, normal_line)
    together = as_bool(pc.match_substring_regex(made, r"#|BOX|POB|DRAWER"))
    alone = as_bool(pc.match_substring_regex(made, r"^PO BOX \d+$"))
    return apply_odd(text, together & ~alone, made, _normal_lines)


def _by_word(text: "pa.Array", function: "Callable[[str], str]") -> "pa.Array":
    """Normalise lines word by word, each distinct word once, and put a bar between lines."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if as_bool(pc.match_substring_regex(text, r"[^ -~\n]")).any():
        # a letter may become a blank, and some blanks are not what splits words here
        odd = as_bool(pc.match_substring_regex(text, r"[^ -~\n]"))
        plain = _by_word(pc.if_else(pa.array(odd), "", text), function)
        return apply_odd(text, odd, plain, lambda one: " | ".join(line for line in map(function, one.split("\n")) if line))
    lists = pc.split_pattern(pc.replace_substring(text, "\n", " \n "), " ")
    words = lists.flatten().dictionary_encode()
    made = ["|" if word == "\n" else function(word) for word in words.dictionary.to_pylist()]
    joined = pc.binary_join(pa.ListArray.from_arrays(lists.offsets, pa.array(made, pa.string()).take(words.indices)), " ")
    if as_bool(pc.match_substring_regex(joined, r"^ | $|  |\|")).any():
        joined = pc.utf8_trim(pc.replace_substring_regex(joined, r" {2,}", " "), " |")
        joined = pc.replace_substring_regex(joined, r"\|(?: \|)+", "|")
    return joined
