"""Find the parcels that a user names: by tax map number, by address, by owner."""

from typing import TYPE_CHECKING

from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["find_premises"]

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
        faults.append(Fault(what="no parcel is named", remedy="give a tax map number, or --find with an address or an owner"))
    if faults:
        raise UsageError(faults)
    return tuple(found.values())


def _word_faults(opened: "Opened", sought: "Sequence[str]", unknown: "Mapping[int, UsageError]") -> "Iterator[Fault]":
    """Say what is wrong with each number; words in a row that are one number with blanks between them are said to be so, once."""
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
    """Say that none of several words is known, nor all of them as one number: it may be one with blanks, not written as the layer does."""
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
        remedy="give each number as the layer prints it, in quotes if it has blanks, or search with --find by address or owner",
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
