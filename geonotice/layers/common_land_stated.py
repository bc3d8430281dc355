"""What the town file says of common land: whose owners share a lot, in place of what import finds."""

from typing import TYPE_CHECKING

import numpy as np

from geonotice.errors import Fault, TownFileError
from geonotice.taxmap import comparable, nearest_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.layers.containment import Outlines
    from geonotice.layers.merge import Merged
    from geonotice.town import CommonLandSpec

__all__ = ["stated_ties"]

ANY = "*"
"""At the end of a number it stands for any characters."""


def stated_ties(
    merged: "Merged", outlines: "Outlines", specs: "Sequence[CommonLandSpec]", *, file: str
) -> dict[int, tuple[tuple[int, ...], str]]:
    """Find the lots that the town file names.

    Parameters
    ----------
    merged
        The parcels of all layers.
    outlines
        Their outlines.
    specs
        What the town file says.
    file
        The town file, for the message.

    Returns
    -------
    dict
        By the place of a common lot the places of its units, and where that stands; no units where nobody shares it.

    Raises
    ------
    TownFileError
        A number stands for no parcel, or for several; all of them at once.
    """
    if not specs:
        return {}
    ids, keys = merged.id.to_pylist(), merged.identities.key.to_pylist()
    faults: list[Fault] = []

    def find(number: str, key: str) -> list[int]:
        if number.endswith(ANY):
            start = comparable(number.removesuffix(ANY))
            found = [place for place, text in enumerate(keys) if text.startswith(start)]
        else:
            sought = comparable(number)
            found = [place for place, text in enumerate(ids) if text == number]
            found = found or [place for place, text in enumerate(keys) if text and text == sought]
            if len(found) > 1:
                choices = ", ".join(ids[place] for place in found)
                remedy = f"write the one that is meant: {choices}"
                faults.append(Fault(what=f"{number} stands for {len(found)} parcels", file=file, key=key, remedy=remedy))
                return []
        if not found:
            near = nearest_numbers(comparable(number), zip(ids, keys, strict=True))
            remedy = f"write the number as the layer has it{'; similar: ' + ', '.join(near) if near else ''}"
            faults.append(Fault(what=f"no parcel has the number {number}", file=file, key=key, remedy=remedy))
        return found

    made: dict[int, tuple[tuple[int, ...], str]] = {}
    for n, spec in enumerate(specs):
        lots = find(spec.lot, f"common_land[{n}].lot")
        units = [place for number in spec.units or () for place in find(number, f"common_land[{n}].units")]
        for lot in lots:
            held = _contained(outlines, lot) if spec.units is None else units
            if spec.units is None and not held:
                remedy = 'name the units by their numbers: units = ["…"]'
                faults.append(
                    Fault(
                        what=f"no lot lies in the outline of {spec.lot}", file=file, key=f"common_land[{n}].units", remedy=remedy
                    )
                )
            before, source = made.get(lot, ((), ""))
            every = dict.fromkeys((*before, *(place for place in held if place != lot)))
            made[lot] = (tuple(every), "; ".join(dict.fromkeys(text for text in (source, spec.source) if text)))
    if faults:
        raise TownFileError(faults)
    return made


def _contained(outlines: "Outlines", lot: int) -> list[int]:
    near = outlines.places[outlines.tree.query(outlines.filled(lot))]
    return [place for place in np.sort(near).tolist() if outlines.holds(lot, place)]
