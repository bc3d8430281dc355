"""What the columns of a layer say of the use of each parcel: the evidence for and against its being a street."""

import re
from typing import TYPE_CHECKING

import numpy as np

from geonotice.layers.columns import as_bool, each_distinct
from geonotice.layers.placeholders import names_a_way
from geonotice.layers.ways import Uses

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.parcels import ParcelRows

__all__ = ["is_built", "is_public", "uses_of"]

MOST = 0.5
"""What more than this share of a layer's rows has, a row lacks where it does not."""

_NO_USE = re.compile(r"\b(?:VACANT|ROADS?|STREETS?|HIGHWAYS?|RIGHTS? OF WAY|ROW|ALLEYS?|OPEN SPACE|UNCLASSIFIED|UNKNOWN|NONE)\b")
_PUBLIC = re.compile(
    r"\b(?:VILLAGE|TOWN|CITY|COUNTY|STATE|PEOPLE OF|BOROUGH|HIGHWAY|PUBLIC WORKS|DEPT|DEPARTMENT|D ?P ?W|NYS|N Y S|NYSDOT|DOT|AUTHORITY|INC VIL)\b"
)
_PRIVATE = re.compile(
    r"\b(?:LLC|L L C|CORP|CORPORATION|LP|LLP|TRUST|TRUSTEE|CHURCH|ASSN|ASSOCIATION|ASSOC|CLUB|REALTY|HOMES?|BANK|COMPANY|CO)\b"
)


def is_built(code: str | None) -> bool:
    """Return whether a class is that of land that somebody uses: buildings, farms, services.

    The Office of Real Property Tax Services numbers vacant land 3xx, and wild land and parks 9xx. Of another State's code only a word can
    say that nobody uses the land.

    Examples
    --------
    >>> [is_built(code) for code in ("210", "105", "652", "R1", "Residential")], [is_built(code) for code in (None, "330", "963", "Vacant Land")]
    ([True, True, True, True, True], [False, False, False, False])
    """
    if not code:
        return False
    if re.fullmatch(r"\d{3}\D?", code):
        return code[0] not in "039"
    return not _NO_USE.search(" ".join(re.sub(r"[^A-Z0-9]+", " ", code.upper()).split()))


def is_public(names: str) -> bool:
    """Return whether an owner's name is a municipality's, the State's or an authority's.

    Examples
    --------
    >>> is_public("INC VILLAGE OF BELLEROSE"), is_public("TOWN OF ITALY HIGHWAY DEPT"), is_public("TOWN & COUNTRY REALTY LLC"), is_public("DOE, J")
    (True, True, False, False)
    """
    plain = " ".join(re.sub(r"[^A-Z0-9]+", " ", names.upper()).split())
    return bool(_PUBLIC.search(plain)) and not _PRIVATE.search(plain)


def uses_of(
    rows: "ParcelRows", names: "pa.Array", *, roles: "NDArray[np.object_]", settled: "NDArray[np.bool_]", layers: int
) -> Uses:
    """Return what the columns say of each parcel's use.

    Parameters
    ----------
    rows
        The parcels.
    names
        The names of all owners of each, in one text; empty where there are none.
    roles
        The role of each so far.
    settled
        Whether a field, a class or the town file gives it.
    layers
        How many layers there are.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    classes = rows.property_class
    classed = as_bool(pc.is_valid(classes))
    built = as_bool(each_distinct(classes, lambda code: "yes" if is_built(code) else None).is_valid())
    owned = as_bool(pc.not_equal(names, ""))
    public = as_bool(each_distinct(pa.chunked_array([names]), lambda text: "yes" if is_public(text) else None).is_valid())
    numbered = as_bool(rows.number.is_valid())
    word = np.zeros(len(rows), dtype=bool)
    for column in (rows.number, rows.dummy):
        some = np.flatnonzero(as_bool(pc.match_substring_regex(column, r"^\s*[A-Za-z]")))
        texts = column.take(pa.array(some)).to_pylist()
        word[some] |= np.array([names_a_way(text) in {"right_of_way", "numbered"} for text in texts], dtype=bool)
    unlike = public | word
    bare = np.zeros(len(rows), dtype=bool)
    for layer in range(layers):
        here = rows.layer == layer
        for has in (owned, classed, numbered):
            if here.any() and has[here].mean() > MOST:
                unlike |= here & ~has
        mostly = bool(here.any() and classed[here].mean() > MOST)
        unlike |= here & classed & ~built & mostly
        bare |= here & (not mostly)
    return Uses(
        open_role=(roles == "lot") & ~settled,
        way=np.isin(roles, ["right_of_way", "railroad"]),
        built=built | _mail_goes_there(rows),
        owned=owned,
        public=public,
        owner=np.where(owned, names.dictionary_encode().indices.to_numpy().astype(np.int64), -1),
        unlike=unlike,
        bare=bare,
        nobodys=~owned & ~built & (word | ~numbered),
    )


def _mail_goes_there(rows: "ParcelRows") -> "NDArray[np.bool_]":
    """Return whether an owner's mail goes to the parcel itself: somebody lives or works there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    made = np.zeros(len(rows), dtype=bool)
    row = rows.owners["row"].to_numpy()
    if not len(row):
        return made
    situs = pc.utf8_upper(rows.situs["text"].combine_chunks()).take(pa.array(row))
    first = pc.utf8_upper(
        pc.replace_substring_regex(rows.owners["address"].combine_chunks(), pattern=r"(?s)[\n,].*$", replacement="")
    )
    same = as_bool(pc.equal(situs, first)) & as_bool(pc.match_substring_regex(situs, r"^\d"))
    made[row[same]] = True
    return made
