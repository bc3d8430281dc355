"""What a form holds, read field by field: every fault is kept with its field, so that a page can name all of them at once and link to each."""

from datetime import date
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UsageError
from geonotice.model import LIKELY_DAYS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["Values", "day_given", "plain", "shown_faults"]

_MOST_LETTERS = 2_000


def day_given(text: str, key: str, what: str, faults: list[Fault]) -> date | None:
    """Read a day of a form; what is wrong with it becomes a fault with its field as key."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        faults.append(
            Fault(what=f"{what} is no date: {text[:40]}", remedy="choose it in the calendar, or write it as 2026-07-21", key=key)
        )
        return None
    if not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
        faults.append(Fault(what=f"{day.year} is no likely year for {what}", remedy="correct the year", key=key))
        return None
    return day


class Values:
    """The fields of a form or of an address, and the faults that were met while they were read."""

    def __init__(self, given: "Mapping[str, Sequence[str]]") -> None:
        self._given = given
        self.faults: list[Fault] = []

    def text(self, name: str, *, most: int = _MOST_LETTERS) -> str:
        """Return a line of text, without blanks at its ends."""
        return self._kept(name, " ".join(self._first(name).split()), most)

    def paragraph(self, name: str, *, most: int = _MOST_LETTERS) -> str:
        """Return a text of several lines."""
        lines = [" ".join(line.split()) for line in self._first(name).replace("\r", "").split("\n")]
        return self._kept(name, "\n".join(lines).strip(), most)

    def several(self, name: str) -> list[str]:
        """Return what a field holds that stands several times, each once; empty ones are left out."""
        return list(dict.fromkeys(text for given in self._given.get(name, ()) if (text := given.strip())))

    def day(self, name: str, what: str) -> date | None:
        """Return a day; None where the field is empty or holds none."""
        return day_given(self._first(name).strip(), name, what, self.faults)

    def count(self, name: str, what: str, *, most: int = 10_000_000) -> int | None:
        """Return a whole number; None where the field is empty or holds none."""
        text = self._first(name).strip().replace(",", "")
        if not text:
            return None
        if not (text.isascii() and text.isdigit()) or int(text[:12]) > most:
            self.fault(name, f"{what} is no whole number up to {most:,}: {text[:40]}", "write it in digits")
            return None
        return int(text)

    def one_of(self, name: str, choices: "Collection[str]", what: str, *, otherwise: str = "") -> str:
        """Return one of several words; ``otherwise`` where the field is empty or holds another."""
        text = self._first(name).strip()
        if text and text not in choices:
            self.fault(name, f"{text[:40]!r} is no {what}", "choose one of the list")
            return otherwise
        return text or otherwise

    def answer(self, name: str) -> bool | None:
        """Return a yes or a no; None for unknown."""
        return {"yes": True, "no": False}.get(self._first(name).strip())

    def ticked(self, name: str) -> bool:
        """Return whether a box is marked."""
        return bool(self._first(name))

    def has(self, name: str) -> bool:
        """Return whether a field was sent, be it empty."""
        return name in self._given

    def raw(self) -> dict[str, str]:
        """Return every field as it was typed, for a form that is shown again."""
        return {name: self._first(name) for name in self._given}

    def fault(self, name: str, what: str, remedy: str, *, why: str = "") -> None:
        """Keep a fault of a field."""
        self.faults.append(Fault(what=what, why=why, remedy=remedy, key=name))

    def require(self) -> None:
        """Refuse where any field has a fault.

        Raises
        ------
        UsageError
            With every fault, each with its field as key.
        """
        if self.faults:
            raise UsageError(self.faults)

    def _first(self, name: str) -> str:
        return next(iter(self._given.get(name, ())), "")

    def _kept(self, name: str, text: str, most: int) -> str:
        if len(text) > most:
            self.fault(name, f"this has {len(text):,} letters", f"write {most:,} at most")
        return text[:most]


def plain(fault: Fault) -> Fault:
    """Return a fault as a page tells it: without the key, which is a field or an option, and without what is said of it on the command line."""
    return Fault(what=fault.what, why=fault.why, remedy=fault.remedy, file=fault.file, parcel=fault.parcel)


def shown_faults(faults: "Sequence[Fault]", fields: "Mapping[str, str] | None" = None) -> dict[str, Any]:
    """Return what a page needs to list faults: in words, each with the id of its field where it has one.

    ``fields`` is the id of the field that a key means, where that is another than the key; an empty one where the page has no such field.
    """
    told: list[Fault] = []
    links: dict[Fault, str] = {}
    for fault in faults:
        shown = plain(fault)
        if shown in told:
            continue
        told.append(shown)
        if field := (fields or {}).get(fault.key, _field_of(fault.key)):
            links[shown] = field
    return {"faults": told, "links": links}


def _field_of(key: str) -> str:
    """Return the id of the field that a key means; an option of the command line has the name of its field.

    Examples
    --------
    >>> _field_of("event.title"), _field_of("--owned-by")
    ('event.title', 'owned_by')
    """
    return key.removeprefix("--").replace("-", "_") if key.startswith("--") else key
