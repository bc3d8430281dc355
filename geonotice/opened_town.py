"""Open a town, and find the parcels that a user names."""

import hashlib
import json
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from geonotice.config.town import find_town_file, town_from_json
from geonotice.errors import Fault, StoreError, Together, TownFileError, UsageError
from geonotice.io.source_files import changed_sources, is_sealed
from geonotice.io.toml import NotToml, read_toml
from geonotice.ordinance.load import profile_bytes, profile_from_json
from geonotice.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from geonotice.config.town import Town
    from geonotice.corrected import Corrections
    from geonotice.model import OtherRecipient, Parcel, Source
    from geonotice.ordinance.profile import Profile


__all__ = [
    "Opened",
    "find_premises",
    "may_have_permits",
    "open_store",
    "with_tables",
]


class Opened(Struct, frozen=True):
    """A town with its law and its layers, open for reading; close it, or use it in a ``with`` statement."""

    town: "Town"
    profile: "Profile"
    store: Store
    corrections: "Corrections | None" = None
    others: "tuple[OtherRecipient, ...]" = ()
    other_sources: "tuple[Source, ...]" = ()

    @property
    def crs(self) -> str:
        """The CRS of the store's geometries: the town's, in US survey feet even where the zone itself is in another unit."""
        return self.store.meta["crs"]

    @property
    def correction_sources(self) -> "tuple[Source, ...]":
        """The corrections file as a record names it; empty where the town has none, or an empty one."""
        return (self.corrections.source,) if self.corrections and self.corrections.source else ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.store.close()


def example_number(store: Store) -> str:
    """Return a tax map number of the town's own layer, of a lot where one of the first parcels is one; empty where it has none."""
    found = store.parcels(range(1, _LOOKED_AT + 1)).parcels
    named = [parcel for parcel in found if parcel.tax_map_number]
    return next((parcel.tax_map_number for parcel in (*(one for one in named if one.role == "lot"), *named)), "")


_LOOKED_AT = 50
"""Parcels among which an example is looked for."""


def open_store(place: "Path") -> Opened:
    """Open a town for queries, quickly: what import validated is taken from the store.

    Parameters
    ----------
    place
        A town file, or its folder.

    Raises
    ------
    TownFileError
        There is no town file.
    StoreError
        There is no store, or a source, the profile or what of the town file enters the store has changed since import.
    """
    file = find_town_file(place).resolve()
    store = Store(file.parent / "store.gpkg")
    try:
        _require_sealed(store, place)
        town = town_from_json(store.town_data(), file=file)
        profile = profile_from_json(json.loads(store.meta["profile"]))
        changed = list(changed_sources(store.sources(), file.parent))
        if hashlib.sha256(file.read_bytes()).hexdigest() != store.meta["town_file_sha256"]:
            town, tables = _read_again(file, store)
            changed += [f"[{table}] of {file.name} has changed since the layers were imported" for table in tables]
        if hashlib.sha256(profile_bytes(town.ordinance, relative_to=file.parent)[0]).hexdigest() != profile.sha256:
            changed.append(f"the ordinance profile {town.ordinance} has changed since the layers were imported")
    except BaseException:
        store.close()
        raise
    if changed:
        store.close()
        raise StoreError(
            Fault(
                what=f"the store is out of date: {'; '.join(changed)}",
                file=str(store.path),
                why="a list made from it would not be what the files say now",
                remedy="import the layers again",
                command=f"run: geonotice import {place}",
            )
        )
    return with_tables(town, profile, store)


def _read_again(file: "Path", store: Store) -> "tuple[Town, tuple[str, ...]]":
    """Return the town of a file that has changed since import, and the tables of it in which something has changed that the store was made from.

    Raises
    ------
    TownFileError
        The file has faults now.
    """
    # Imported here: a file that is as it was at import needs no checking.
    from geonotice.config.read_town import read_town_file
    from geonotice.config.town import changed_for_the_store

    town = read_town_file(file)
    return town, changed_for_the_store(store.town_data(), town)


def with_tables(town: "Town", profile: "Profile", store: Store) -> Opened:
    """Return a town with the tables that every list reads anew: the corrections, and others to notify. The store is closed where one has faults.

    Raises
    ------
    InputError
        A table has faults.
    """
    together = Together()
    corrections: Corrections | None = None
    others: tuple[OtherRecipient, ...] = ()
    other_sources: tuple[Source, ...] = ()
    try:
        with together:
            corrections = _corrections(town, store)
        with together:
            others, other_sources = _others(town, profile)
        together.settle()
    except BaseException:
        store.close()
        raise
    store.corrected = corrections
    return Opened(town, profile, store, corrections, others, other_sources)


def _corrections(town: "Town", store: Store) -> "Corrections | None":
    """Read the town's corrections and lay them over its store; None where the town file names none.

    Raises
    ------
    CorrectionsError
        The file has faults.
    """
    if town.corrections is None:
        return None
    # Imported here: a town without corrections does not pay for reading tables.
    from geonotice.config.corrections import read_corrections
    from geonotice.corrected import lay_over

    file = town.folder / town.corrections.path
    rows = read_corrections(file)
    return lay_over(store, rows, file=file, given=town.corrections.path, sha256=hashlib.sha256(file.read_bytes()).hexdigest())


def _others(town: "Town", profile: "Profile") -> "tuple[tuple[OtherRecipient, ...], tuple[Source, ...]]":
    """Read whom the town notifies on every list beside those of the law, and the file as a record names it.

    Raises
    ------
    InputError
        The file has faults, or names an occasion that the ordinance does not know.
    """
    if town.others is None:
        return (), ()
    # Imported here: a town without such a table does not pay for reading tables.
    from geonotice.config.others_to_notify import require_occasions, standing_recipients
    from geonotice.model import Source

    others = standing_recipients(town.others, town.folder)
    require_occasions(others, {rule.occasion for rule in profile.rules if rule.occasion}, town=profile.town)
    if not town.others.path:
        return others, ()
    rows = len(others) - len(town.others.recipients)
    file = town.folder / town.others.path
    sha256, state = hashlib.sha256(file.read_bytes()).hexdigest(), file.stat()
    return others, (Source("others", town.others.path, sha256, None, rows, "", state.st_size, state.st_mtime_ns),)


def _require_sealed(store: Store, place: "Path") -> None:
    """Refuse a store that another program has changed since import: no source would account for what is in it."""
    if is_sealed(store.path, store.meta.get("seal", "")):
        return
    raise StoreError(
        Fault(
            what="the store itself has been changed since import wrote it, by another program or by damage",
            file=str(store.path),
            why="a list made from it would hold what no layer and no roll says",
            remedy="correct the layer or the roll instead, close the store in other programs, and import the layers again",
            command=f"correct the layer or the roll instead, close the store in other programs, and run: geonotice import {place}",
        )
    )


def may_have_permits(place: "Path") -> bool:
    """Whether a register may be there: a file of it beside the town file, or one that the town file names.

    Asked before the register's modules are imported.

    Raises
    ------
    TownFileError
        There is no town file, or it is not TOML.
    """
    file = find_town_file(place)
    if (file.parent / "permits.sqlite").is_file():
        return True
    try:
        named = read_toml(file.read_bytes()).get("register")
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    url = named.get("url") if isinstance(named, dict) else named
    if isinstance(url, str) and url.startswith(_SQLITE):
        return (file.parent / url.removeprefix(_SQLITE).partition("?")[0]).exists()
    return named is not None


_SQLITE = "sqlite:///"
"""What the address of a register in a file begins with; its path follows, from the town file's folder."""

_LISTED = 12
"""Most parcels named in a message about several."""
_WORDS_MOST = 6
"""Most words that are tried together as one number."""


def find_premises(opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]" = ()) -> "tuple[Parcel, ...]":
    """Find the parcels of the premises by tax map number, and by address or owner.

    Raises
    ------
    UsageError
        None is named, or one of them is not found or is several; all of them at once.
    """
    faults: list[Fault] = []
    found: dict[int, Parcel] = {}
    unknown: dict[int, UsageError] = {}
    for place, number in enumerate(sought):
        try:
            parcel = opened.store.find(number)
        except UsageError as error:
            unknown[place] = error
        else:
            found[parcel.fid] = parcel
    faults.extend(_word_faults(opened, sought, unknown))
    for text in find:
        matches = opened.store.search(text)
        if len(matches) == 1:
            found[matches[0].fid] = matches[0]
        else:
            faults.append(_search_fault(text, matches))
    if not found and not faults:
        faults.append(
            Fault(
                what="no parcel is named",
                remedy="give a tax map number, an address or an owner",
                command="give a tax map number, or --find with an address or an owner",
            )
        )
    if faults:
        raise UsageError(faults)
    return tuple(found.values())


def _word_faults(opened: "Opened", sought: "Sequence[str]", unknown: "Mapping[int, UsageError]") -> "Iterator[Fault]":
    """Return what is wrong with each number; words in a row that are one number with blanks between them are said to be so, once."""
    place = 0
    while place < len(sought):
        for end in range(min(len(sought), place + _WORDS_MOST), place + 1, -1):
            whole = opened.store.called(" ".join(sought[place:end])) if unknown.keys() & range(place, end) else ()
            if whole:
                words = ", ".join(repr(word) for word in sought[place:end])
                yield Fault(
                    what=f"{words} are {end - place} words, and together the tax map number of one parcel: {whole[0]}",
                    why="each word without quotes is taken for a parcel of its own",
                    remedy=f'put the number in quotes: "{whole[0]}"',
                )
                place = end
                break
        else:
            # A number with strokes or points in it is one by itself: only bare words can be parts of one with blanks.
            parts = (n for n in range(place, len(sought)) if n not in unknown or not sought[n].isalnum())
            end = next(parts, len(sought))
            if end - place > 1:
                yield _words_fault(opened, sought[place:end])
            elif place in unknown:
                yield from unknown[place].faults
            place = max(end, place + 1)


def _words_fault(opened: "Opened", words: "Sequence[str]") -> Fault:
    """State that none of several words is known, nor all of them as one number: it may be one with blanks, not written as the layer does."""
    whole = " ".join(words[:_WORDS_MOST])
    try:
        opened.store.find(whole)
    except UsageError as error:
        near = getattr(error, "suggestions", ())
    else:
        near = ()
    return Fault(
        what=f"no parcel is known as {', '.join(repr(word) for word in words)}, nor as {whole!r}"
        + (f" (nearest: {', '.join(near)})" if near else ""),
        why="each word without quotes is taken for a parcel of its own",
        remedy="give each number as the layer prints it, or search by address or owner",
        command="give each number as the layer prints it, in quotes if it has blanks, or search with --find by address or owner",
    )


def _search_fault(text: str, matches: "Sequence[Parcel]") -> Fault:
    if not matches:
        return Fault(
            what=f"no parcel has {text!r} in its address or among its owners", remedy="give fewer words, or the tax map number"
        )
    named = "; ".join(f"{parcel.id} ({parcel.situs.text})" if parcel.situs.text else parcel.id for parcel in matches[:_LISTED])
    more = f"; and {len(matches) - _LISTED:,} more" if len(matches) > _LISTED else ""
    return Fault(
        what=f"{text!r} is found in {len(matches):,} parcels: {named}{more}",
        why="the list would be that of whichever came first",
        remedy="give more words, or the tax map number of the one meant",
    )
