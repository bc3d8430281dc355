"""Which column of a layer is what: recognised by name and by what stands in it, never guessed.

:func:`recognise` takes a layer's table and says, for each field geonotice knows, the column that gives it; how the key was chosen and what was
passed over; and what only a person can tell (a *question*). The names themselves are in :mod:`geonotice.layers.aliases`.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from geonotice.errors import MissingField
from geonotice.layers.aliases import LAYER_ALIASES, OWNERSHIP_COLUMNS, PARCEL_ALIASES
from geonotice.layers.columns import NO_KEY, column_text, field_text, plain_name
from geonotice.layers.field_map import FieldMap, KeyCandidate, Question
from geonotice.layers.recogniser import Recogniser

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

__all__ = ["NO_KEY", "FieldMap", "KeyCandidate", "Question", "column_text", "field_text", "plain_name", "recognise"]


def recognise(
    kind: str, table: "pa.Table", given: "Mapping[str, str] | None" = None, *, file: str = "", layer: str = ""
) -> FieldMap:
    """Say which column of a layer is what.

    Parameters
    ----------
    kind
        ``parcels``, ``roll``, or a kind of :data:`geonotice.town.LAYER_KINDS`.
    table
        The layer's attributes, without geometry.
    given
        Field to column, as the town file or ``--field`` names them; these are taken as they are.
    file, layer
        Where the table is from, for the message.

    Raises
    ------
    MissingField
        A field given that does not exist, or a column given that the layer does not have; all at once.
    """
    try:
        work = Recogniser(kind, table, given or {})
    except MissingField as error:
        raise MissingField(replace(fault, file=file, layer=layer) for fault in error.faults) from None
    if kind in {"parcels", "roll"}:
        if kind == "parcels":
            work.choose_key()
        work.choose_composed()
        work.choose_fields(PARCEL_ALIASES)
        work.choose_preferred({"ownership": OWNERSHIP_COLUMNS})
        work.choose_bare()
        work.look_inside()
    else:
        work.choose_preferred(LAYER_ALIASES[kind])
    return work.result()
