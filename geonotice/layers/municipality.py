"""Which municipality of a parcel layer is the town's own, where no SWIS code says so."""

from collections.abc import Sequence
from typing import NamedTuple

from geonotice.address_spelling import normal_text
from geonotice.errors import Fault, UsageError

__all__ = ["OwnMunicipality", "own_municipality"]

_SHOWN = 12
_KINDS = ("TOWN OF ", "VILLAGE OF ", "CITY OF ", "TOWNSHIP OF ", "BOROUGH OF ")


class OwnMunicipality(NamedTuple):
    """What the layer calls the town, or the question which of several it is."""

    values: tuple[str, ...] = ()
    question: str = ""


def own_municipality(
    counts: Sequence[tuple[str, int]], *, swis: bool, name: str | None, given: Sequence[str] = ()
) -> OwnMunicipality:
    """Return which municipality of a layer is the town's own.

    Parameters
    ----------
    counts
        The municipalities that the layer names, with their rows, the most frequent first.
    swis
        Whether it has SWIS codes, which say it better.
    name
        The town's name, where the user gave it.
    given
        The municipalities that the user gave.

    Raises
    ------
    UsageError
        The layer has none of that name.

    Examples
    --------
    >>> own_municipality([("ITALY", 90), ("NAPLES", 10)], swis=False, name="Town of Italy")
    OwnMunicipality(values=('ITALY',), question='')
    >>> own_municipality([("ITALY", 90), ("NAPLES", 10)], swis=False, name=None).question[:76]
    "which municipality is the town's own? The layer has no SWIS codes, and names"
    >>> own_municipality([("ITALY", 90)], swis=False, name=None), own_municipality([("A", 1), ("B", 1)], swis=True, name=None)
    (OwnMunicipality(values=(), question=''), OwnMunicipality(values=(), question=''))
    """
    there = {normal_text(value): value for value, _ in counts}
    if given:
        # "Town of Hunter" is the layer's "Hunter", where nothing else in it is
        bare = [_bare(value) for value in there.values()]
        alone = {_bare(value): value for value in there.values() if bare.count(_bare(value)) == 1}
        given = [value if normal_text(value) in there else alone.get(_bare(value), value) for value in given]
        wrong = [value for value in given if normal_text(value) not in there]
        if wrong:
            raise UsageError(
                Fault(
                    what=f"the layer names no municipality {', '.join(repr(value) for value in wrong)}",
                    remedy=f"name one of: {', '.join(value for value, _ in counts[:_SHOWN]) or 'none: it has no such column'}",
                )
            )
        return OwnMunicipality(tuple(there[normal_text(value)] for value in given))
    if swis or len(there) < 2:  # noqa: PLR2004  # one municipality is the town
        return OwnMunicipality()
    if name is not None:
        meant = [value for value, _ in counts if normal_text(value) == normal_text(name)] or [
            value for value, _ in counts if _bare(value) == _bare(name)
        ]
        if len(meant) == 1:
            return OwnMunicipality(tuple(meant))
    listed = ", ".join(f"{value} ({count:,} rows)" for value, count in counts[:_SHOWN])
    more = f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
    return OwnMunicipality(
        question=f"which municipality is the town's own? The layer has no SWIS codes, and names {listed}{more}."
        ' Write municipality = ["…"] or say --municipality NAME: premises in another one are outside the town'
    )


def _bare(name: str) -> str:
    """Return a municipality's name without its kind."""
    text = normal_text(name)
    return next((text.removeprefix(kind) for kind in _KINDS if text.startswith(kind)), text)
