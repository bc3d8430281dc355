"""The tax map numbers of one cell, as clerks write them: several, shortened by what stands before, or words where there is no parcel."""

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from geonotice.errors import ParcelNotFound, UsageError
from geonotice.register.cells import UNKNOWN, parts
from geonotice.register.values import Land

__all__ = ["MOST_PARCELS", "NamedParcel", "ParcelFinder", "ParcelsRead"]

MOST_PARCELS = 1_000
"""Most parcels of one permit."""

_MARKS = re.compile(r",|&|\+|/|\band\b", re.IGNORECASE)
"""What people put between two parcels."""
_NONE = re.compile(
    r"(?:n\.?/?a\.?|none|no (?:parcel|lot|tax map|sctm)\b.*|not applicable|-+)(?:\W.*)?", re.IGNORECASE | re.DOTALL
)
_WORDS = re.compile(r"[a-z]{4,}|(?:^|\s)[a-z]{2,}\.?(?=\s|$)", re.IGNORECASE)
_GONE = re.compile(r"(?:gone|former|old)\s*:\s*(.+)", re.IGNORECASE | re.DOTALL)
"""How a person answers that a number is whole, and the layer has it no longer."""
_COMPACT = re.compile(r"(\d{4})(\d{3})(\d{2})(\d{2})(\d{2})(\d{3})(\d{3})")
"""A Suffolk County number without its marks: district, section, block and lot."""


class NamedParcel(Struct, frozen=True):
    """A parcel that a cell names: with its land, or None where the layer does not have it and ``near`` is what it has.

    ``former`` is whether it is known to be a number that the layer has no longer.
    """

    name: str
    land: Land | None
    near: tuple[str, ...] = ()
    former: bool = False


class ParcelsRead(Struct):
    """What a cell says: parcels, faults and remarks."""

    parcels: list[NamedParcel] = []
    faults: list[str] = []
    remarks: list[str] = []


class ParcelFinder:
    """Finds the parcels of a file, each number once.

    Parameters
    ----------
    locate
        Finds a parcel as it is today; raises :class:`ParcelNotFound` where there is none, another :class:`UsageError` where it cannot tell.
    prefix
        What a person says stands before short numbers.
    exact
        Whether the numbers stand as a register has them, in an export of one: none is short of anything, and none is two.
    example
        A number of the layer, which tells how many parts its numbers have; empty where that is not known.
    former
        Whether a person says that the whole numbers which the layer does not have are former ones.
    """

    def __init__(
        self, locate: Callable[[str], Land], *, prefix: str = "", exact: bool = False, example: str = "", former: bool = False
    ) -> None:
        self._former = former
        self._exact = exact
        self._locate = locate
        self._prefix = prefix.strip().rstrip("-")
        self._known: dict[str, Land | UsageError] = {}
        self._begins: dict[str, None] = {}
        self._depth = len(example.split("-"))

    def look_through(self, cells: Iterable[str]) -> None:
        """Find the whole numbers of a file beforehand: they tell how its short ones go on."""
        for cell in cells:
            for name in parts(cell)[:MOST_PARCELS]:
                self._find(name)

    def has(self, name: str) -> bool:
        """Return whether the layer has a parcel of that number, or several."""
        found = self._find(name)
        return isinstance(found, Land) or not isinstance(found, ParcelNotFound)

    def _find(self, name: str) -> Land | UsageError:
        if name not in self._known:
            try:
                land = self._locate(name)
                self._known[name] = land
                pieces = land.parcel.split("-")
                if len(pieces) > 2:  # noqa: PLR2004  # a number in two parts has no district before it
                    self._begins[pieces[0]] = None
                    self._depth = max(self._depth, len(pieces))
            except UsageError as error:
                self._known[name] = error
        return self._known[name]

    def read(self, text: str, *, snapshots: Callable[[str], bool] = lambda _: False) -> ParcelsRead:
        """Read a cell.

        Parameters
        ----------
        text
            What stands in it.
        snapshots
            Returns whether a parcel's land came with the file, so that its name is taken as it stands.
        """
        named = parts(text)
        if len(named) > MOST_PARCELS:
            return ParcelsRead(faults=[f"parcels: {len(named):,} are named, and {MOST_PARCELS:,} at most are read"])
        read = ParcelsRead()
        for one in named:
            if snapshots(one):
                read.parcels.append(NamedParcel(one, None))
            elif not self._exact and not self.has(one) and (one.casefold() in UNKNOWN or _NONE.fullmatch(one)):
                read.remarks.append(f"parcels: {one!r} was read as no parcel")
            else:
                self._one(one, read)
        return read

    def _one(self, one: str, read: ParcelsRead) -> None:
        if gone := _GONE.fullmatch(one):
            read.parcels.append(self._absent(gone[1].strip(), former=True))
            return
        if self._exact and isinstance(self._find(one), ParcelNotFound):
            read.parcels.append(self._absent(one, former=True))
            return
        spelled = self._spelled(one)
        if spelled is not None:
            read.parcels.append(NamedParcel(spelled, self._land(spelled)))
            if spelled != one:
                read.remarks.append(f"parcels: {one!r} was read as {spelled}")
            return
        if isinstance(self._find(one), UsageError) and not isinstance(self._find(one), ParcelNotFound):
            read.faults.append(f"parcels: {self._find(one)}")
            return
        pieces = [piece.strip() for piece in _MARKS.split(one) if piece.strip()]
        if 1 < len(pieces) <= MOST_PARCELS:
            whole = self._expanded(pieces)
            if any(name is not None for name in whole):
                self._several(one, pieces, whole, read)
                return
        self._unknown(one, read)

    def _several(self, one: str, pieces: list[str], whole: list[str | None], read: ParcelsRead) -> None:
        """Take the parcels of a cell with other marks between them than ours: those the layer knows, and those it does not, each by itself."""
        names = [name or piece for name, piece in zip(whole, pieces, strict=True)]
        read.remarks.append(f"parcels: {one!r} was read as {len(names)} parcels: {'; '.join(names)}")
        for name, piece in zip(whole, pieces, strict=True):
            if name is None and (gone := _GONE.fullmatch(piece)):
                read.parcels.append(self._absent(gone[1].strip(), former=True))
            elif name is None:
                self._unknown(piece, read)
            elif isinstance(self._find(name), UsageError):
                read.faults.append(f"parcels: {self._find(name)}")
            else:
                read.parcels.append(NamedParcel(name, self._land(name)))

    def _unknown(self, name: str, read: ParcelsRead) -> None:
        """Take a whole number that the layer does not have; ask about what is short of one, or no number at all."""
        if not any(letter.isdigit() for letter in name) or _WORDS.search(name):
            read.faults.append(
                f"parcels: {name[:60]!r} is not a tax map number; write its number, or n/a where there is no parcel"
            )
            return
        error = self._find(name)
        near = error.suggestions if isinstance(error, ParcelNotFound) else ()
        begun = [f"{begin}-{name}" for begin in self._begins]
        likely = [land.parcel for whole in begun if isinstance(land := self._find(whole), Land)]
        depth = self._depth or min((len(one.split("-")) for one in near), default=0)
        if likely or len(name.split("-")) < depth:
            hint = (
                f"; is it {' or '.join(likely)}?"
                if likely
                else f", and is shorter than its numbers{f' ({near[0]})' if near else ''}."
            )
            read.faults.append(
                f"parcels: {name!r} is not in the layer{hint} Write the whole number, or 'gone: {name}' where the layer has it no longer; "
                "where all short numbers begin alike, say what stands before them"
            )
            return
        read.parcels.append(self._absent(name, former=self._former))

    def _absent(self, name: str, *, former: bool) -> NamedParcel:
        error = self._find(name)
        return NamedParcel(name, None, error.suggestions if isinstance(error, ParcelNotFound) else (), former)

    def _land(self, name: str) -> Land | None:
        land = self._find(name)
        return land if isinstance(land, Land) else None

    def _spelled(self, name: str) -> str | None:
        """Return the spelling under which the layer has a parcel: the one given, behind the prefix, or with its marks."""
        if isinstance(self._find(name), Land):
            return name
        if self._prefix and isinstance(land := self._find(f"{self._prefix}-{name}"), Land):
            return land.parcel
        if found := _COMPACT.fullmatch(name):
            district, section, sub, block, block_sub, lot, lot_sub = found.groups()
            land = self._find(f"{district}-{section}.{sub}-{block}.{block_sub}-{lot}.{lot_sub}")
            return land.parcel if isinstance(land, Land) else None
        return None

    def _expanded(self, pieces: list[str]) -> list[str | None]:
        """Return the number that each piece stands for: its own, or the one before it with its last parts replaced; None where there is none."""
        whole: list[str | None] = []
        before: str | None = None
        for piece in pieces:
            name = piece if self.has(piece) else self._spelled(piece)
            if name is None and before is not None:
                tail = [part.strip() for part in piece.split("-")]
                head = before.split("-")
                if len(tail) < len(head):
                    longer = "-".join([*head[: len(head) - len(tail)], *tail])
                    name = longer if self.has(longer) else None
            whole.append(name)
            before = name or before
        return whole
