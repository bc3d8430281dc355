"""What owners are compared by: their names and addresses in one spelling, of whole columns. A test holds it to :mod:`geonotice.address_spelling`."""

from functools import lru_cache
from typing import TYPE_CHECKING

from geonotice.address_spelling import normal_address, normal_country, normal_line, normal_text
from geonotice.layers.columns.text import apply_odd, as_bool, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from geonotice.layers.spill import SpilledTable

__all__ = ["OWNER_TEXT", "address_keys", "name_keys", "with_keys"]

OWNER_TEXT = ("names", "address", "city", "state", "zip", "country")
"""The columns of text of an owner; ``names`` and ``address`` hold lines joined by a newline."""


def with_keys(owners: "SpilledTable") -> "SpilledTable":
    """Return owners with the columns ``name_key`` and ``address_key``: what they are compared by. Some rows at a time, for the words of all fill the memory."""
    import pyarrow as pa

    made = [(name_keys(some), address_keys(some)) for some in owners.batches(OWNER_TEXT)]
    _normal_word.cache_clear()
    _part_key.cache_clear()
    names, addresses = ([chunk for pair in made for chunk in pair[which].chunks] for which in (0, 1))
    return owners.with_columns(
        {"name_key": pa.chunked_array(names, pa.string()), "address_key": pa.chunked_array(addresses, pa.string())}
    )


def name_keys(owners: "pa.Table") -> "pa.ChunkedArray":
    """Return :func:`geonotice.address_spelling.normal_name` of each owner's name lines."""
    import pyarrow as pa

    return pa.chunked_array([_by_word(whole(owners["names"]), normal_text)])


def address_keys(owners: "pa.Table") -> "pa.ChunkedArray":
    """Return :func:`geonotice.address_spelling.normal_address` of each owner."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = _delivery_keys(whole(owners["address"]))
    keys = []
    for name in ("city", "state", "zip", "country"):
        encoded = owners[name].combine_chunks().dictionary_encode()
        made = [_part_key(name, value) for value in encoded.dictionary.to_pylist()]
        keys.append(pa.chunked_array([pa.array(made, pa.string()).take(encoded.indices)]))
    text = pc.utf8_rtrim(pc.binary_join_element_wise(lines, *keys, " | "), characters=" ")
    placed = pc.or_(pc.not_equal(keys[0], ""), pc.or_(pc.not_equal(keys[2], ""), pc.not_equal(keys[3], "")))
    return pc.if_else(pc.and_(placed, pc.not_equal(lines, "")), text, "")


@lru_cache(maxsize=1 << 16)
def _part_key(name: str, value: str) -> str:
    """Return a city, State, ZIP code or country as addresses are compared by it; every part of a roll has the same ones."""
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


@lru_cache(maxsize=1 << 16)
def _normal_word(function: "Callable[[str], str]", word: str) -> str:
    """Normalise a word; the same streets, cities and first names stand in every part of a roll."""
    return function(word)


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
    made = ["|" if word == "\n" else _normal_word(function, word) for word in words.dictionary.to_pylist()]
    joined = pc.binary_join(pa.ListArray.from_arrays(lists.offsets, pa.array(made, pa.string()).take(words.indices)), " ")
    if as_bool(pc.match_substring_regex(joined, r"^ | $|  |\|")).any():
        joined = pc.utf8_trim(pc.replace_substring_regex(joined, r" {2,}", " "), " |")
        joined = pc.replace_substring_regex(joined, r"\|(?: \|)+", "|")
    return joined
