"""Street centerlines, or tracks, as a layer has them: lines with names and jurisdictions."""

from typing import Final, NamedTuple

from geonotice.postal import normal_line
from geonotice.select.outline import GeometryArray

__all__ = ["StreetLayer", "jurisdiction_of"]


class StreetLayer(NamedTuple):
    """Street centerlines with their names and jurisdictions, arrays of one length; unknown names are empty."""

    lines: GeometryArray
    names: tuple[str, ...]
    jurisdictions: tuple[str, ...]

    def key(self, index: int) -> str:
        """Return what makes pieces of centerline one street: the name in one spelling, or where there is none the piece itself.

        Examples
        --------
        >>> import numpy as np
        >>> layer = StreetLayer(np.array([None] * 4), ("Elm Street", "ELM ST.", "Elm Ct", " "), ("",) * 4)
        >>> [layer.key(index) for index in range(4)]
        ['ELM ST', 'ELM ST', 'ELM CT', '#3']
        """
        return normal_line(self.names[index]) or f"#{index}"


_KINDS: Final = {
    "state": ("state", "nys", "nysdot", "nydot", "s", "ny", "us", "interstate", "i", "thruway", "thruway authority"),
    "county": ("county", "co", "c"),
    "town": ("town", "t", "local", "municipal"),
    "village": ("village", "v"),
    "city": ("city",),
    "private": ("private", "p", "pvt", "privately owned"),
}


def jurisdiction_of(text: str) -> str:
    """Give the kind of a jurisdiction as layers write it: state, county, town, village, city, private, or empty where it is not known.

    Examples
    --------
    >>> [jurisdiction_of(text) for text in ("STATE", "NYS DOT", "County of Suffolk", "Suffolk County DPW", "Private Road", "?")]
    ['state', 'state', 'county', 'county', 'private', '']
    """
    words = text.casefold().replace(".", "").split()
    whole = " ".join(words)
    for kind, names in _KINDS.items():
        if whole in names or whole.replace(" ", "") in names:
            return kind
    for kind in ("private", "county", "state", "town", "village", "city"):
        if kind in words:
            return kind
    return ""
