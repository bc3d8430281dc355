"""Which parcels a county itself calls part of a condominium: by the class, the suffix of the class, or the code of ownership."""

import re
from typing import TYPE_CHECKING

from geonotice.layers.columns import each_distinct, field_text

if TYPE_CHECKING:
    import pyarrow as pa

    from geonotice.layers.field_map import FieldMap

__all__ = ["condominium_column", "is_condominium_class", "is_condominium_ownership"]

_WORD = re.compile(r"CONDO(?!LE)|\bCNDO\b")
_SUFFIX = re.compile(r"[2347]\d\d(?:\.\d+)?[ -]*C(?:\b.*)?")
"""A class of the State's followed by the suffix of a condominium (``411-C``): homes, vacant land, commerce, industry."""
_NO = frozenset({"N", "NO", "F", "FALSE", "0", "NONE", "NULL", "<NULL>", "N/A", "NA", "-"})


def is_condominium_class(text: str) -> bool:
    """Return whether a property class is a condominium's.

    Examples
    --------
    >>> [is_condominium_class(text) for text in ("411-C", "210C", "R-CONDO", "102 - Residential Condominium", "210-C Condo")]
    [True, True, True, True, True]
    >>> [is_condominium_class(text) for text in ("411", "210-W", "C", "910-C", "210 CAPE")]
    [False, False, False, False, False]
    """
    plain = text.upper().strip()
    return bool(_WORD.search(plain) or _SUFFIX.fullmatch(plain))


def is_condominium_ownership(text: str, *, column: str) -> bool:
    """Return whether a code of ownership is a condominium's; in a column named for condominiums any entry that is not a "no" is.

    Examples
    --------
    >>> is_condominium_ownership("C", column="OWNERSHIP_CODE"), is_condominium_ownership("Y", column="OWNERSHIP_CODE")
    (True, False)
    >>> is_condominium_ownership("Harbor Walk", column="CONDO_NAME"), is_condominium_ownership("N", column="CONDO")
    (True, False)
    """
    plain = text.upper().strip()
    if "CONDO" in column.upper():
        return plain not in _NO and bool(plain.strip("0"))
    return plain == "C" or bool(_WORD.search(plain))


def condominium_column(table: "pa.Table", fields: "FieldMap") -> "pa.ChunkedArray":
    """Return for each row ``condominium`` where its class or its code of ownership is a condominium's, else null."""
    import pyarrow.compute as pc

    name = fields.column("ownership") or ""
    classed = each_distinct(
        field_text(table, fields.column("property_class")), lambda text: "condominium" if is_condominium_class(text) else None
    )
    owned = each_distinct(
        field_text(table, name or None),
        lambda text: "condominium" if is_condominium_ownership(text, column=name) else None,
    )
    return pc.coalesce(classed, owned)
