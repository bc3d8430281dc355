"""Corrections laid over the store: owners and addresses as a person has put them right, for every list, without another import."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed_fault
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geonotice.address_spelling import normal_name, normal_text
from geonotice.config.corrections import ADDED_FIELDS, OWNER_FIELDS, SITUS_FIELDS, split_field
from geonotice.errors import CorrectionsError, Fault, UsageError
from geonotice.model import Correction, Owner, Parcel, ResultWarning, Source

if TYPE_CHECKING:
    from pathlib import Path

    from geonotice.store import Store

__all__ = ["Corrections", "lay_over"]


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of a town, laid over its store.

    ``owners`` and ``situs`` hold what takes the place of the store's values, ``added`` the units and residents to add, and the rows that
    changed the property's own address, which its residents' letters name; all by fid. ``applied`` has every
    row by the fid of its parcel, also one that changes nothing, ``ids`` what that parcel is called, and ``refused`` and ``older`` the rows that are not applied because
    the parcel has another owner now, and those that are older than the layers. ``source`` is the file, as a record names it.
    """

    owners: Mapping[int, tuple[Owner, ...]] = field(default_factory=dict)
    situs: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    added: Mapping[int, tuple[Correction, ...]] = field(default_factory=dict)
    applied: Mapping[int, tuple[Correction, ...]] = field(default_factory=dict)
    ids: Mapping[int, str] = field(default_factory=dict)
    refused: frozenset[int] = frozenset()
    older: frozenset[int] = frozenset()
    source: Source | None = None

    def owners_of(self, found: Mapping[int, tuple[Owner, ...]]) -> dict[int, tuple[Owner, ...]]:
        """Return owners with what was corrected."""
        return {fid: self.owners.get(fid, owners) for fid, owners in found.items()}

    def parcel(self, parcel: Parcel) -> Parcel:
        """Return a parcel with its own address as it was corrected."""
        changes = self.situs.get(parcel.fid)
        if not changes:
            return parcel
        situs = replace(
            parcel.situs, **{name.removeprefix("situs_"): value for name, value in changes.items() if name != "situs"}
        )
        if text := changes.get("situs"):
            # The whole of it: what the layer gives apart is of the address that was wrong.
            situs = replace(situs, text=text, number="", street="", unit="")
        return replace(parcel, situs=situs)

    def on_list(self, fids: Iterable[int]) -> tuple[Correction, ...]:
        """Return the corrections of some parcels that are applied, in the order of the file."""
        rows = {one.row: one for fid in fids for one in self.applied.get(fid, ()) if one.row not in self.refused}
        return tuple(rows[row] for row in sorted(rows))

    def warnings(self, fids: Iterable[int]) -> tuple[ResultWarning, ...]:
        """Return what a person must know of the corrections of some parcels."""
        rows = [(self.ids[fid], one) for fid in dict.fromkeys(fids) for one in self.applied.get(fid, ())]
        groups = {
            "correction_owner_changed": [(id_, one) for id_, one in rows if one.row in self.refused],
            "not_mailed_by_correction": [
                (id_, one) for id_, one in rows if split_field(one.field)[0] == "not_mailed" and one.row not in self.refused
            ],
            "correction_older": [(id_, one) for id_, one in rows if one.row in self.older],
            "correction_no_change": [
                (id_, one) for id_, one in rows if one.row not in self.refused and _same(one.before, one.value)
            ],
        }
        return tuple(
            ResultWarning(
                code,
                _TEXTS[code].format(which=_named(one for _, one in those)),
                tuple(dict.fromkeys(id_ for id_, _ in those)),
            )
            for code, those in groups.items()
            if those
        )


_TEXTS = {
    "correction_owner_changed": (
        "Not applied, of the corrections file: {which}. By the layers of today the parcel has another owner than the row says it had. Find out whose address"
        " it is, and correct the row or take it out."
    ),
    "not_mailed_by_correction": "By the corrections file an owner on this list gets no letter: {which}.",
    "correction_older": (
        "Older than the layer or the roll, and without the owner's name of then (column was), are of the corrections file: {which}. They are applied. Look"
        " whether the owner is still the same."
    ),
    "correction_no_change": (
        "The layers have by now what the corrections file says: {which}. Nothing is wrong; take it out, so that it does not outlive the next change."
    ),
}


def _named(rows: Iterable[Correction]) -> str:
    """Name rows of the file by their numbers."""
    return ", ".join(f"row {one.row} ({one.field}, {one.on.isoformat()})" for one in rows)


def lay_over(store: "Store", rows: Sequence[Correction], *, file: "Path", given: str, sha256: str) -> Corrections:
    """Find the parcel and the owner of each row, and lay the rows over the store.

    Raises
    ------
    CorrectionsError
        Rows name a parcel that is not known or is several, an owner that the parcel does not have, or the place of a record without a number in a layer
        that may have changed; all of them at once.
    """
    faults: list[Fault] = []
    of_parcel: dict[int, list[Correction]] = {}
    parcels: dict[int, Parcel] = {}
    dates = _dates(store)
    for one in rows:
        try:
            parcel = store.find(one.parcel, any_layer=True)
        except UsageError as error:
            faults += [changed_fault(found, what=f"row {one.row}: {found.what}", file=str(file)) for found in error.faults]
            continue
        if parcel.id.startswith("#") and one.on < dates[parcel.layer]:
            faults.append(
                Fault(
                    what=f"row {one.row}: {parcel.id} is a place in the layer, which has changed since {one.on.isoformat()}",
                    file=str(file),
                    why="another parcel may stand there now",
                    remedy="look the parcel up again, and write the row with today's date",
                )
            )
            continue
        parcels[parcel.fid] = parcel
        of_parcel.setdefault(parcel.fid, []).append(one)
    known = store.owners_of(of_parcel)
    owners: dict[int, tuple[Owner, ...]] = {}
    situs: dict[int, dict[str, str]] = {}
    added: dict[int, tuple[Correction, ...]] = {}
    applied: dict[int, tuple[Correction, ...]] = {}
    refused: set[int] = set()
    older: set[int] = set()
    for fid, those in of_parcel.items():
        parcel = parcels[fid]
        mine = [one for one in those if split_field(one.field)[0] in OWNER_FIELDS]
        made = _Owners(parcel, known[fid], file)
        told = made.correct(mine)
        faults += made.faults
        refused |= made.refused
        older |= {one.row for one in mine if not one.was and one.on < dates[parcel.layer] and one.row not in refused}
        if any(one.row not in refused for one in mine):
            owners[fid] = tuple(made.owners)
        situs[fid] = {one.field: one.value for one in those if one.field in SITUS_FIELDS}
        added[fid] = tuple(one for one in those if one.field in (*ADDED_FIELDS, *SITUS_FIELDS))
        before = {**told, **{one.row: _situs_before(parcel, one.field) for one in those if one.field in SITUS_FIELDS}}
        applied[fid] = tuple(replace(one, before=before.get(one.row, "")) for one in those)
    if faults:
        raise CorrectionsError(faults)
    state = file.stat()
    newest = max((one.on for one in rows), default=None)
    source = Source("corrections", given, sha256, newest, len(rows), "", state.st_size, state.st_mtime_ns)
    ids = {fid: parcel.id for fid, parcel in parcels.items()}
    return Corrections(owners, situs, added, applied, ids, frozenset(refused), frozenset(older), source)


class _Owners:
    """The owners of one parcel while rows are applied to them."""

    def __init__(self, parcel: Parcel, known: tuple[Owner, ...], file: "Path") -> None:
        self.parcel, self.known, self.file = parcel, known, file
        self.owners = list(known)
        self.faults: list[Fault] = []
        self.refused: set[int] = set()

    def correct(self, rows: Sequence[Correction]) -> dict[int, str]:
        """Apply the rows, and return what stood in the place of each."""
        before: dict[int, str] = {}
        for one in sorted(rows, key=lambda row: (split_field(row.field)[1] or 1, OWNER_FIELDS.index(split_field(row.field)[0]))):
            name, n = split_field(one.field)
            place = self._named_owner(one, n) if name == "not_mailed" else self._place(one, name, n)
            if place is None:
                continue
            then = self.known[place] if place < len(self.known) else None
            before[one.row] = _owner_before(then, name)
            if one.was and then and not _same(before[one.row], one.value) and not _same("; ".join(then.names), one.was):
                self.refused.add(one.row)
                continue
            self.owners[place] = _changed(self.owners[place], name, one)
        return before

    def _place(self, one: Correction, name: str, n: int) -> int | None:
        """Find which owner a row is about; the one after the last is a new one, whose name must be given."""
        count = len(self.owners)
        if n == 0 and count > 1:
            names = "; ".join(f"{one.field}_{k} for {' & '.join(owner.names)}" for k, owner in enumerate(self.owners, 1))
            self._fault(one, f"the parcel has {count} owners of record", f"write {names}")
            return None
        place = max(n, 1) - 1
        if place < count:
            return place
        if place == count and name == "owner":
            self.owners.append(
                Owner(
                    parcel_fid=self.parcel.fid,
                    n=max((owner.n for owner in self.owners), default=-1) + 1,
                    names=(),
                    address=(),
                    source="correction",
                )
            )
            return place
        words = "no owner of record" if not count else f"{count} owner{'s' if count > 1 else ''} of record"
        self._fault(
            one,
            f"the parcel has {words}, so there is nobody whose {name} this is",
            f"give the name too, in a row with the field owner{f'_{count + 1}' if count else ''}",
        )
        return None

    def _named_owner(self, one: Correction, n: int) -> int | None:
        """Find the owner who is not to be mailed by the name that the row gives."""
        found = [
            place
            for place, owner in enumerate(self.owners)
            if (not n or place == n - 1)
            and normal_name([one.value]) in {normal_name(owner.names), *(normal_name([line]) for line in owner.names)}
        ]
        if len(found) == 1:
            return found[0]
        names = "; ".join(" / ".join(owner.names) for owner in self.owners) or "none"
        if found:
            self._fault(one, f"{len(found)} owners of the parcel have that name", "write not_mailed_1 for the first")
        else:
            self._fault(one, f"no owner of the parcel is called {one.value!r}", f"write the name as it stands there: {names}")
        return None

    def _fault(self, one: Correction, what: str, remedy: str) -> None:
        self.faults.append(Fault(what=f"row {one.row}: {what}", file=str(self.file), parcel=self.parcel.id, remedy=remedy))


def _changed(owner: Owner, name: str, one: Correction) -> Owner:
    corrected = (*owner.corrected, one.words)
    if name == "not_mailed":
        return replace(owner, not_mailed=one.why, corrected=corrected)
    if name in {"owner", "address"}:
        lines = _lines(one.value)
        return (
            replace(owner, names=lines, corrected=corrected)
            if name == "owner"
            else replace(owner, address=lines, corrected=corrected)
        )
    # What import doubted or moved in the place is answered by whoever writes the place.
    left = () if name in {"zip", "state", "country"} else owner.changed
    return replace(owner, corrected=corrected, changed=left, **{name: one.value})


def _lines(value: str) -> tuple[str, ...]:
    """Return the lines that a value has, parted by ``|`` or a line break."""
    return tuple(line.strip() for line in re.split(r"[|\r\n]+", value) if line.strip())


def _owner_before(owner: Owner | None, name: str) -> str:
    if owner is None or name == "not_mailed":
        return ""
    if name == "owner":
        return " | ".join(owner.names)
    return " | ".join(owner.address) if name == "address" else str(getattr(owner, name))


def _situs_before(parcel: Parcel, name: str) -> str:
    return str(getattr(parcel.situs, "text" if name == "situs" else name.removeprefix("situs_")))


def _same(one: str, other: str) -> bool:
    return normal_text(one.replace("|", " ")) == normal_text(other.replace("|", " ")) != ""


def _dates(store: "Store") -> Mapping[int, date]:
    """Return how new the parcels of each layer are: the date that the town file states of it or of a roll, else that of the file."""
    sources = store.sources()
    rolls = [_date(source) for source in sources if source.layer == "roll"]
    layers = [source for source in sources if source.layer.startswith("parcels")]
    return {n: max([_date(source), *(rolls if n == 0 else ())]) for n, source in enumerate(layers)}


def _date(source: Source) -> date:
    return source.as_of or datetime.fromtimestamp(source.mtime_ns / 1e9, tz=UTC).date()
