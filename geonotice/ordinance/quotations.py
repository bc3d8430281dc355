"""The clauses that a profile quotes, held against the text of the law: what is not in it, and what begins or ends in the middle of a clause."""

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from geonotice.ordinance.profile import Profile

__all__ = ["Quotation", "compare", "normal"]

_SAME = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014", "-"),
        "\u00ad": "",
    }
)
_BROKEN_WORD = re.compile(r"(?<=[a-z])-\s*\n\s*(?=[a-z])")
_ENUMERATION = re.compile(r"\s*(?:\(\w{1,4}\)|\[\w{1,3}\]|[A-Z]\.)\s*")

OPERATIVE = frozenset(
    [
        "provided",
        "except",
        "unless",
        "if",
        "where",
        "and",
        "or",
        "nor",
        "but",
        "in",
        "which",
        "whose",
        "that",
        "until",
        "before",
        "after",
        "within",
        "not",
        "no",
        "only",
        "however",
        "notwithstanding",
        "pursuant",
        "subject",
        "otherwise",
        "including",
    ]
)
"""Words that carry on a clause: a quotation that is cut off beside one leaves out what limits it."""


class Quotation(Struct, frozen=True):
    """What is wrong with one quotation.

    ``absent``: it does not stand in the text; ``begins`` or ``ends``: it does, and begins or ends in the middle of a clause. ``near`` is the
    nearest passage of the text, or what stands before or after the words quoted. ``operative`` says that the words left out begin or end
    with one that carries on the clause, such as *provided* or *unless*.
    """

    rule: str
    fault: Literal["absent", "begins", "ends"]
    words: str
    near: str
    operative: bool = False

    def __str__(self) -> str:
        """Return it in a sentence."""
        quoted = f"{self.rule} quotes “{_short(self.words)}”"
        if self.fault == "absent":
            return f"{quoted}, which is not in the text. The nearest passage is “{self.near}”."
        cut = "begins in the middle of a clause, after" if self.fault == "begins" else "ends in the middle of a clause, before"
        more = " What is left out may limit it." if self.operative else ""
        return f"{quoted}: it {cut} “{self.near}”.{more}"


def normal(text: str) -> str:
    r"""Return a text with its white space, quotation marks, dashes and words broken over two lines made alike.

    Examples
    --------
    >>> normal("at least 90\n  days\u2019 prior to the assem-\nbly")
    "at least 90 days' prior to the assembly"
    """
    alike = unicodedata.normalize("NFKC", text).translate(_SAME)
    return " ".join(_BROKEN_WORD.sub("", alike).split())


def compare(profile: Profile, text: str) -> tuple[Quotation, ...]:
    """Return what is wrong with the quotations of a profile, in the order of its rules; only those of the law's own text are looked for.

    Parameters
    ----------
    text
        The law, as plain text.
    """
    paragraphs = [
        made
        for part in re.split(r"\n\s*\n|\r?\n(?=\s*(?:\(\w{1,4}\)|\[\w{1,3}\]|[A-Z]\.)\s*\r?\n)", text)
        if (made := normal(part))
    ]
    whole = " ".join(paragraphs)
    starts = _starts(paragraphs)
    return tuple(
        found
        for rule in profile.rules
        for words in rule.citation.words
        for found in _faults(rule.id, normal(words), whole, starts)
    )


def _starts(paragraphs: list[str]) -> frozenset[int]:
    """Return where paragraphs begin in the whole text, with the numbers before them left out as well."""
    found, at = set(), 0
    for part in paragraphs:
        found.add(at)
        if lead := _ENUMERATION.match(part):
            found.add(at + lead.end())
        at += len(part) + 1
    return frozenset({*found, at})


def _faults(rule: str, words: str, whole: str, starts: frozenset[int]) -> Iterator[Quotation]:
    places = [found.start() for found in re.finditer(re.escape(words), whole)]
    if not places:
        yield Quotation(rule, "absent", words, _nearest(words, whole))
        return
    # Where the words stand more than once, the place that cuts the least is the one that is meant.
    yield from min(([*_cuts(rule, words, whole, starts, at)] for at in places), key=len)


def _cuts(rule: str, words: str, whole: str, starts: frozenset[int], at: int) -> Iterator[Quotation]:
    before, end = whole[:at].rstrip(), at + len(words)
    if at not in starts and not _clause_ends(before) and not _ENUMERATION.fullmatch(before[-6:].rpartition(" ")[2] or " "):
        left = _tail(whole[max((start for start in starts if start <= at), default=0) : at])
        yield Quotation(rule, "begins", words, left, operative=_carries_on(left, first=False) or _opens_low(words))
    after = whole[end:].lstrip()
    if after and not _clause_ends(words) and not _clause_ends(after[:1]) and end + 1 not in starts and end not in starts:
        left = _head(after)
        yield Quotation(rule, "ends", words, left, operative=_carries_on(left, first=True))


def _clause_ends(text: str) -> bool:
    # A bracket closes the history of a section ("[Amended 8-11-2011 …]"), which is no part of a clause.
    return not text or text.rstrip("\"')").endswith((".", ";", ":", "?", "!", "]"))


def _opens_low(words: str) -> bool:
    return words.split(" ", 1)[0].casefold() in OPERATIVE


def _carries_on(text: str, *, first: bool) -> bool:
    """Return whether the words left out begin (or end) with one that carries on the clause."""
    found = re.findall(r"[\w']+", text.casefold())
    return bool(found) and any(word in OPERATIVE for word in (found[:2] if first else found[-2:]))


_WORDS = 12


def _tail(text: str) -> str:
    cut = max((text.rfind(mark) for mark in ".;:"), default=-1)
    return " ".join(text[cut + 1 :].split()[-_WORDS:])


def _head(text: str) -> str:
    end = min((found for mark in ".;:" if (found := text.find(mark)) >= 0), default=len(text))
    return " ".join(text[: end + 1].split()[:_WORDS])


def _short(words: str) -> str:
    each = words.split()
    return words if len(each) <= 2 * _WORDS else f"{' '.join(each[:_WORDS])} … {' '.join(each[-_WORDS:])}"


def _nearest(words: str, whole: str) -> str:
    """Return the passage of the text that is most like the words, as long as they are."""
    if not whole:
        return ""
    sought, text = words.casefold(), whole.casefold()
    match = SequenceMatcher(None, sought, text, autojunk=False).find_longest_match()
    begin = max(0, match.b - match.a)
    passage = whole[begin : begin + len(words)]
    # Whole words are easier to find again than pieces of them.
    head = passage.find(" ") + 1 if begin and whole[begin - 1] != " " else 0
    return _short(passage[head:].strip())
