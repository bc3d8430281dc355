"""Find parcels by number, address or owner: one way of ranking, for the command line and for the maps' search.

The maps run the same rules in the browser (``maps/assets/page.js``) on the one table of spellings that :func:`spellings` gives them; a test
holds the two to the same answers.
"""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from geonotice.address_spelling import WORDS
from geonotice.taxmap import number_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Entry", "Index", "best", "other_spellings", "rank", "spellings", "tight", "words", "words_without_types"]

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


def rank(query: str, entry: Entry) -> int | None:
    """Return how well a parcel answers a query, 0 the best; None where it does not.

    Examples
    --------
    >>> lot = Entry("0900-100.00-01.00-015.001", "11 State Hwy", ("SMITH ANN",))
    >>> [rank(query, lot) for query in ("900-100-1-15.1", "100-1-15.1", "11 State Highway", "11 State", "1 State", "smith", "11 state road", "Elm")]
    [0, 4, 1, 2, 5, 5, 6, None]
    """
    return _rank(_asked(query), _ready(entry))


class _Asked(NamedTuple):
    """A query, made ready once."""

    close: str
    digits: bool
    parts: tuple[str, ...]
    words: tuple[str, ...]
    rest: tuple[str, ...]


class _Ready(NamedTuple):
    """An entry, made ready to be asked: its numbers without marks and in parts, and the words of its address and of everything."""

    tight: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    stands: tuple[str, ...]
    before_comma: tuple[str, ...]
    everything: str


def _asked(query: str) -> _Asked:
    close = tight(query)
    return _Asked(
        close, any(sign.isdigit() for sign in close), tuple(number_parts(query)), words(query), words_without_types(query)
    )


def _ready(entry: Entry) -> _Ready:
    numbers = _numbers(entry)
    stands = words(entry.situs)
    everything = " " + " ".join([*stands, *(word for owner in entry.owners for word in words(owner))])
    return _Ready(
        tuple(map(tight, numbers)),
        tuple(tuple(number_parts(number)) for number in numbers),
        stands,
        words(entry.situs.partition(",")[0]) if "," in entry.situs else stands,
        everything,
    )


def _rank(query: _Asked, entry: _Ready) -> int | None:  # noqa: PLR0911  # one for each rank
    asked, stands = query.words, entry.stands
    if query.close and query.close in entry.tight:
        return NUMBER
    if len(query.parts) > 1 and query.parts in entry.parts:
        return NUMBER
    if asked and asked in {stands, entry.before_comma}:
        return EXACT
    if asked and stands[: len(asked)] == asked:
        return BEGINS
    if asked and all(word in stands for word in asked):
        return WHOLE_WORDS
    if query.digits and any(
        number.startswith(query.close) or (len(query.close) > _CONTAINED and query.close in number) for number in entry.tight
    ):
        return NUMBER_BEGINS
    if len(query.parts) >= _SHORTENED and any(parts[-len(query.parts) :] == query.parts for parts in entry.parts):
        return NUMBER_BEGINS
    if asked and all(_stands_in(word, entry.everything) for word in asked):
        return SOMEWHERE
    if query.rest and query.rest != asked and all(word in stands for word in query.rest):
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


class Index:
    """Entries made ready to be searched many times, as somebody types: the answers of :func:`rank` and :func:`best`, without asking every entry.

    Parameters
    ----------
    entries
        Each with what stands for it.

    Examples
    --------
    >>> lots = Index([(1, Entry("1-1", "12 Main St", ("SMITH ANN",))), (2, Entry("1-2", "14 Main St", ()))])
    >>> lots.find("main street"), lots.find("smith"), lots.find("1 - 2"), lots.find("Elm")
    ([1, 2], [1], [2], [])
    """

    def __init__(self, entries: "Iterable[tuple[int, Entry]]") -> None:
        self._entries = [(key, _ready(entry)) for key, entry in entries]
        self._words = _Lines(entry.everything for _, entry in self._entries)
        self._numbers = _Lines(" ".join(entry.tight) for _, entry in self._entries)
        self._by_last_part: dict[str, list[int]] = {}
        for place, (_, entry) in enumerate(self._entries):
            for last in {parts[-1] for parts in entry.parts if parts}:
                self._by_last_part.setdefault(last, []).append(place)

    def find(self, query: str) -> list[int]:
        """Return what stands for the entries that are meant, the best first."""
        asked = _asked(query)
        if not asked.words:
            return []
        could = (self._entries[place] for place in sorted(self._candidates(asked)))
        ranked = [(place, key) for key, entry in could if (place := _rank(asked, entry)) is not None]
        meant = best(query, (place for place, _ in ranked))
        return [key for _, key in sorted(pair for pair in ranked if pair[0] in meant)]

    def _candidates(self, asked: _Asked) -> set[int]:
        """Return where the entries are that can have a rank: whatever gives one holds the query's number, ends as it ends, or holds its words."""
        found = set(self._numbers.holding(asked.close)) if asked.close else set()
        if len(asked.parts) > 1:
            found.update(self._by_last_part.get(asked.parts[-1], ()))
        for those in {asked.words, asked.rest} - {()}:
            found.update(self._words.holding(max(those, key=len)))
        return found


class _Lines:
    """Texts as one text with a line for each: a whole town is looked through for a word in a few milliseconds."""

    def __init__(self, texts: "Iterable[str]") -> None:
        lines = [text.replace("\n", " ") for text in texts]
        self._text = "\n".join(lines)
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def holding(self, word: str) -> "Iterator[int]":
        """Yield which lines hold a word, also as a part of a longer one."""
        at = self._text.find(word)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            yield line
            at = self._text.find(word, self._starts[line + 1] - 1)


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
