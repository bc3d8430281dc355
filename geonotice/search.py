"""Find parcels by number, address or owner: one way of ranking, for the command line and for the maps' search.

The maps run the same rules in the browser (``maps/assets/page.js``) on the one table of spellings that :func:`spellings` gives them; a test
holds the two to the same answers.
"""

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from geonotice.postal import WORDS
from geonotice.taxmap import number_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Entry", "best", "other_spellings", "rank", "spellings", "tight", "words", "words_without_types"]

_ORDINALS = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH", "TWELFTH")
_SPELLINGS = {word: short for word, short in WORDS.items() if short != "#"} | {
    **{word: f"{n}{('TH', 'ST', 'ND', 'RD')[n if n < 4 else 0]}" for n, word in enumerate(_ORDINALS, 1)},  # noqa: PLR2004  # 1st, 2nd, 3rd
    "CR": "CO RD",
    "SR": "STATE RTE",
    "NYS": "STATE",
    "AVEN": "AVE",
    "BVD": "BLVD",
    "HIWAY": "HWY",
    "HYWY": "HWY",
    "PKWAY": "PKWY",
}
_TYPES = frozenset({
    "ALY", "AVE", "BLVD", "CIR", "CT", "CV", "CRES", "DR", "EXPY", "EXT", "FWY", "HWY", "LN", "LNDG", "PKWY", "PL", "PLZ", "RD", "RTE", "SQ", "ST", "TER",
    "TPKE", "TRL", "WAY", "PATH", "LOOP", "ROW", "RUN",
})  # fmt: skip
"""Words for a kind of street: without them, an address that lacks its own is still found."""

NUMBER, EXACT, BEGINS, WHOLE_WORDS, NUMBER_BEGINS, SOMEWHERE, WITHOUT_TYPE = range(7)
"""How well a parcel answers, the best first."""
_CONTAINED = 4
"""Longer than this, a number is also found in the middle of another."""
_SHORTENED = 3
"""From so many parts on, the end of a number is found too: section, block and lot without the district."""
_SHORT = 2
"""Words so short, and house numbers, stand at the beginning of a word."""


class Entry(NamedTuple):
    """A parcel as it is searched; ``also`` are further numbers that it is known by."""

    id: str
    situs: str
    owners: "Sequence[str]"
    also: "Sequence[str]" = ()


@lru_cache(maxsize=65_536)
def words(text: str) -> tuple[str, ...]:
    """Return the words of an address or a name in one spelling.

    Examples
    --------
    >>> words("12 North State Highway") == words("12 N. STATE HWY")
    True
    >>> words("Saint Mary's Rd"), words("Second Street"), words("CR 12")
    (('ST', 'MARYS', 'RD'), ('2ND', 'ST'), ('CO', 'RD', '12'))
    """
    plain = unicodedata.normalize("NFKD", text.upper())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = re.sub(r"[^\w]|_", " ", re.sub(r"['`.\u2019]", "", plain).replace("&", " AND "))
    return tuple(part for word in plain.split() for part in _SPELLINGS.get(word, word).split())


def words_without_types(text: str) -> tuple[str, ...]:
    """Return the words of a query without those for a kind of street."""
    return tuple(word for word in words(text) if word not in _TYPES)


@lru_cache(maxsize=65_536)
def tight(number: str) -> str:
    """Return a number's letters and digits.

    Examples
    --------
    >>> tight("#17"), tight("0900-100.00-01.00-015.001")
    ('17', '0900100000100015001')
    """
    return re.sub(r"[^A-Z0-9]", "", number.upper())


def rank(query: str, entry: Entry) -> int | None:  # noqa: PLR0911  # one for each rank
    """Return how well a parcel answers a query, 0 the best; None where it does not.

    Examples
    --------
    >>> lot = Entry("0900-100.00-01.00-015.001", "11 State Hwy", ("SMITH ANN",))
    >>> [rank(query, lot) for query in ("900-100-1-15.1", "100-1-15.1", "11 State Highway", "11 State", "1 State", "smith", "11 state road", "Elm")]
    [0, 4, 1, 2, 5, 5, 6, None]
    """
    close = tight(query)
    numbers = _numbers(entry)
    if close and any(tight(number) == close for number in numbers):
        return NUMBER
    parts = number_parts(query)
    if len(parts) > 1 and any(number_parts(number) == parts for number in numbers):
        return NUMBER
    asked, stands = words(query), words(entry.situs)
    if asked and asked in {stands, words(entry.situs.partition(",")[0])}:
        return EXACT
    if asked and stands[: len(asked)] == asked:
        return BEGINS
    if asked and all(word in stands for word in asked):
        return WHOLE_WORDS
    if any(sign.isdigit() for sign in close) and any(
        tight(number).startswith(close) or (len(close) > _CONTAINED and close in tight(number)) for number in numbers
    ):
        return NUMBER_BEGINS
    if len(parts) >= _SHORTENED and any(number_parts(number)[-len(parts) :] == parts for number in numbers):
        return NUMBER_BEGINS
    everything = " " + " ".join([*stands, *(word for owner in entry.owners for word in words(owner))])
    if asked and all(_stands_in(word, everything) for word in asked):
        return SOMEWHERE
    rest = words_without_types(query)
    if rest and rest != asked and all(word in stands for word in rest):
        return WITHOUT_TYPE
    return None


def best(query: str, ranks: "Iterable[int]") -> frozenset[int]:
    """Return the ranks that a query means, among those found: an exact number or address alone; whole words before parts of words.

    Examples
    --------
    >>> sorted(best("1 MAIN ST", [1, 2, 5])), sorted(best("1 MAIN", [2, 3, 5])), sorted(best("main", [2, 3, 5, 6]))
    ([1], [2, 3], [2, 3, 5])
    """
    found = set(ranks)
    for alone in (NUMBER, EXACT):
        if alone in found:
            return frozenset({alone})
    address = found & {BEGINS, WHOLE_WORDS}
    if query.strip()[:1].isdigit() and address:
        return frozenset(address)
    return frozenset(found - {WITHOUT_TYPE} or found)


def spellings() -> dict[str, object]:
    """Return the table of spellings and the kinds of streets, for the maps."""
    return {"words": dict(sorted(_SPELLINGS.items())), "types": sorted(_TYPES)}


@lru_cache(maxsize=1024)
def other_spellings(word: str) -> tuple[str, ...]:
    """Return every spelling that :func:`words` takes for a word, itself included.

    Examples
    --------
    >>> other_spellings("HWY")
    ('HIGHWAY', 'HIWAY', 'HWY', 'HYWY')
    """
    return tuple(sorted({word, *(other for other, short in _SPELLINGS.items() if word in short.split())}))


def _numbers(entry: Entry) -> "list[str]":
    swis, mark, rest = entry.id.partition("/")
    return [entry.id, *([rest] if mark and swis.isdigit() else []), *entry.also]


def _stands_in(word: str, text: str) -> bool:
    return f" {word}" in text if word[0].isdigit() or len(word) <= _SHORT else word in text
