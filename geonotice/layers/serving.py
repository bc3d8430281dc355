"""Which layers of a town file a layer could serve as."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from geonotice.layers.field_map import FieldMap
from geonotice.layers.fields import recognise

if TYPE_CHECKING:
    from pyarrow import ChunkedArray

    from geonotice.layers.raw import RawLayer

__all__ = ["KINDS_BY_GEOMETRY", "Serving", "filled_rows", "serves_as"]

KINDS_BY_GEOMETRY = {
    "polygon": ("parcels", "zoning", "municipalities", "water"),
    "line": ("streets", "railroads", "water"),
    "point": ("address_points",),
    "table": ("roll",),
}
"""Which layers of a town file a geometry can be, best known first."""

# The field without which a layer of that kind says nothing; the others need none, or are told by geometry alone.
_TELLING = {"zoning": "district", "municipalities": "name", "streets": "name", "railroads": "name", "water": "name"}


@dataclass(frozen=True, slots=True)
class Serving:
    """A layer of a town file that this one could be.

    Parameters
    ----------
    kind
        ``parcels``, ``zoning``, ``municipalities``, ``streets``, ``railroads``, ``water``, ``address_points`` or ``roll``.
    recognised
        Whether its columns speak for it; else only its geometry does.
    reason
        Why, as a sentence.
    fields
        How its columns map; None where they do not matter.
    """

    kind: str
    recognised: bool
    reason: str
    fields: FieldMap | None = None


def serves_as(raw: "RawLayer", kinds: dict[str, int]) -> tuple[Serving, ...]:
    """Say which layers of a town file it could be: those of its geometry, the ones that its columns speak for first."""
    if raw.geometry is None:
        geometry = "table" if raw.columns and len(raw) else ""
    else:
        geometry = next(iter(kinds), "")
        empty = shapely.is_empty(raw.geometry[~shapely.is_missing(raw.geometry)])
        geometry = "" if len(empty) and empty.all() else geometry
    found = [_serving(kind, geometry, raw) for kind in KINDS_BY_GEOMETRY.get(geometry, ())]
    return tuple(sorted(found, key=lambda serving: (not serving.recognised, not (serving.fields and serving.fields.rejected))))


def _serving(kind: str, geometry: str, raw: "RawLayer") -> Serving:
    fields = recognise(kind, raw.table)
    shape = "a table" if geometry == "table" else f"{geometry}s"
    if kind == "parcels":
        key = fields.column("tax_map_number")
        owner = fields.column("owner")
        if key:
            return Serving(kind, recognised=True, reason=f"{shape} with a tax map number ({key}){_owned(owner)}", fields=fields)
        tried = ", ".join(item.column for item in fields.rejected)
        which = f" ({tried} is not filled and unique throughout)" if tried else ""
        return Serving(
            kind, recognised=False, reason=f"{shape}, if you name the column of the tax map number{which}", fields=fields
        )
    if kind == "roll":
        key = fields.column("tax_map_number") or next((item.column for item in fields.rejected), None)
        owner = fields.column("owner")
        if owner:
            return Serving(
                kind, recognised=True, reason=f"{shape} with owners ({owner}){f' and {key}' if key else ''}", fields=fields
            )
        return Serving(
            kind, recognised=False, reason=f"{shape}, if you name the columns of the tax map number and the owner", fields=fields
        )
    if kind == "address_points":
        telling = fields.column("address") or fields.column("number") or fields.column("street")
    else:
        telling = fields.column(_TELLING[kind])
    if telling and filled_rows(raw.table.column(telling)):
        return Serving(kind, recognised=kind != "water" or geometry != "polygon", reason=f"{shape} with {telling}", fields=fields)
    return Serving(kind, recognised=False, reason=f"{shape}, if that is what they are", fields=fields)


def _owned(owner: str | None) -> str:
    return f" and owners ({owner})" if owner else "; no owners, so a roll is needed"


def filled_rows(column: "ChunkedArray") -> int:
    """Count the rows that have a value; a blank is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled: int = len(column) - column.null_count
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        filled -= int(pc.sum(pc.equal(pc.utf8_trim_whitespace(column), "")).as_py() or 0)
    return filled
