"""How a town numbers its permits: a form as the town file states it (``[register] number``), or as the numbers that it has given tell it."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

__all__ = ["OWN_FORM", "NumberForm", "common_form", "stated_form"]

_MARK = re.compile(r"(\{year\}|\{yy\}|\{n\})")
_STATED = re.compile(r"\{n(?::0([1-9]))?\}")
_NOT_PLAIN = re.compile(r"[0-9]|\{n\}[^\W\d_]")
"""What makes a form doubtful that numbers seem to have: other digits (another year, a month), or a letter behind the running number (an amendment)."""
_MOST_DIGITS = 9
_LONGEST_FORM = 60


class NumberForm(Struct, frozen=True):
    """How a town numbers its permits.

    Parameters
    ----------
    text
        The form, with ``{n}`` for the running number, and ``{year}`` or ``{yy}`` where the number has the year in it.
    width
        How many digits the running number has at least, with zeros before it; None where the numbers seen do not tell.
    seen
        How many digits they have at least: one with as many needs no zeros, whatever the width.
    """

    text: str
    width: int | None = 1
    seen: int = 0

    @property
    def stated(self) -> str:
        """The form as a town file states it."""
        return self.text.replace("{n}", f"{{n:0{self.width}}}" if (self.width or 1) > 1 else "{n}")

    def pattern(self, year: int) -> "re.Pattern[str]":
        """Return what the numbers of a year match; its group is the running number."""
        digits = rf"([0-9]{{1,{_MOST_DIGITS}}})"
        return re.compile("".join(digits if part == "{n}" else re.escape(text) for part, text in self._parts(year)))

    def like(self, year: int) -> str:
        """Return the same for a ``LIKE`` with ``!`` before a letter that stands for itself; it may match more."""
        return "".join("%" if part == "{n}" else re.sub(r"([%_!])", r"!\1", text) for part, text in self._parts(year))

    def number(self, year: int, n: int) -> str | None:
        """Return a number; None where nothing shows how many zeros stand before it."""
        if self.width is None and len(str(n)) < self.seen:
            return None
        return "".join(f"{n:0{self.width or 1}d}" if part == "{n}" else text for part, text in self._parts(year))

    def _parts(self, year: int) -> Iterable[tuple[str, str]]:
        """Return each part of the form with what stands for it in a year."""
        for part in _MARK.split(self.text):
            yield part, {"{year}": str(year), "{yy}": f"{year % 100:02d}"}.get(part, part)


OWN_FORM = NumberForm("{year}-{n}", 4)
"""The register's own: ``2026-0001``."""


def stated_form(text: str) -> NumberForm:
    """Read the form that a town file states, such as ``SE-{year}-{n:03}``.

    Raises
    ------
    ValueError
        It has no running number, or braces that stand for nothing.

    Examples
    --------
    >>> stated_form("SE-{year}-{n:03}").number(2026, 7)
    'SE-2026-007'
    >>> stated_form("{n}/{yy}").number(2026, 12)
    '12/26'
    """
    widths = _STATED.findall(text)
    plain = _STATED.sub("{n}", text.strip())
    rest = "".join(_MARK.split(plain)[::2])
    years = plain.count("{year}") + plain.count("{yy}")
    if len(widths) != 1 or years > 1 or set("{}") & set(rest) or not plain.isprintable() or len(plain) > _LONGEST_FORM:
        raise ValueError(
            "write {n} once, or {n:03} for at least three digits, with {year} or {yy} once at most, such as SE-{year}-{n:03}"
        )
    if re.search(r"\{n\}(\{year\}|\{yy\}|[0-9])|(\{year\}|\{yy\}|[0-9])\{n\}", plain):
        raise ValueError("write a letter or a stroke between the running number and other digits: nothing would part them")
    return NumberForm(plain, int(widths[0] or 1))


def _forms_of(number: str, year: int) -> set[str]:
    """Return the forms that a number of a year may have: with the year in full, else with its last two digits, else without.

    Examples
    --------
    >>> _forms_of("SE-2026-014", 2026)
    {'SE-{year}-{n}'}
    >>> sorted(_forms_of("7/26", 2026)), sorted(_forms_of("26-26", 2026)), _forms_of("SE 12", 2026)
    (['{n}/{yy}'], ['{n}-{yy}', '{yy}-{n}'], {'SE {n}'})
    """
    parts = re.split(r"([0-9]+)", number)
    if set("{}") & set(number):
        return set()
    groups = range(1, len(parts), 2)

    def form(serial: int, of_year: int | None, mark: str = "") -> str:
        return "".join("{n}" if k == serial else mark if k == of_year else part for k, part in enumerate(parts))

    for mark, digits in (("{year}", str(year)), ("{yy}", f"{year % 100:02d}")):
        found = {
            form(serial, k, mark)
            for k in groups
            for serial in groups
            if parts[k] == digits and serial != k and len(parts[serial]) <= _MOST_DIGITS
        }
        # The year and the running number in one: ``2026014`` may be that, or a running number by itself.
        glued = any(parts[k].startswith(digits) and len(parts[k]) > len(digits) + 1 for k in groups)
        if found or glued:
            return found if not glued else found | {"", *(form(k, None) for k in groups)}
    return {form(serial, None) for serial in groups if len(parts[serial]) <= _MOST_DIGITS}


def common_form(numbers: Sequence[str], year: int) -> NumberForm | None:
    """Return the one form that all numbers of a year have; None where they have none, could have several, or have digits in it that may mean something.

    Examples
    --------
    >>> common_form(["2026-003", "2026-014"], 2026)
    NumberForm(text='{year}-{n}', width=3, seen=3)
    >>> common_form(["2026-014", "SE 7/26"], 2026) is None
    True
    """
    if not numbers:
        return None
    forms = {text: NumberForm(text).pattern(year) for text in _forms_of(numbers[0], year) if text}
    if len(forms) < len(_forms_of(numbers[0], year)):
        return None
    forms = {text: pattern for text, pattern in forms.items() if all(pattern.fullmatch(number) for number in numbers)}
    if len(forms) != 1:
        return None
    ((text, pattern),) = forms.items()
    if _NOT_PLAIN.search(text):
        return None
    digits = [found[1] for number in numbers if (found := pattern.fullmatch(number))]
    least = min(map(len, digits))
    zeros = {len(one) for one in digits if one.startswith("0")}
    if zeros:
        return NumberForm(text, least, least) if zeros == {least} else None
    # Numbers without a zero show how many digits there are at most, and not whether a shorter one would have zeros before it.
    return NumberForm(text, 1 if least == 1 else None, least)
