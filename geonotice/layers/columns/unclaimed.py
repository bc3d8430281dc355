"""Columns that nothing was taken for and that look like owners or addresses: a question, for passed over they would cost letters."""

import re
from typing import TYPE_CHECKING

from geonotice.layers.columns.text import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from geonotice.layers.columns.text import Column

__all__ = ["looks_like", "questions_of_unclaimed"]

_MOST = 0.6
"""A column looks like something where so many of its filled rows do."""
_VARIED = 0.2
"""Names of persons differ: a column with fewer different values to its filled rows holds codes or kinds."""
_FEW_ROWS = 12
_SHOWN = 8
"""Most columns named in one question."""
_LONG = 12
"""Names of persons and firms are so long on average, or are two words."""

_STREET = r"(?i)^(?:#?\d+[A-Z]?(?:[- /]\d+[A-Z]?)?\s+[A-Z0-9].*[A-Z]|P\.? ?O\.? ?(?:BOX|B)\b.*|BOX \d+|R\.?R\.? ?#?\d+.*|[NSEW]\d+.*[A-Z].*)"
_WHOLE = r"(?i)[A-Z]{2}\.?,?\s+\d{5}(?:[- ]?\d{4})?\s*(?:USA?)?$"
_ZIP = r"^\d{5}(?:[- ]?\d{4})?$"
_PLACE = r"(?i)^[A-Z .'-]{3,30},?\s+[A-Z]{2}$"
_PERSON = r"(?i)^\pL[\pL'\x{2019}.-]*,?(?:\s+(?:&\s+)?[\pL0-9][\pL0-9'\x{2019}.,&/-]*){1,9}$"
_FIRM = r"(?i)\b(?:LLC|L\.L\.C|INC|CORP|CO|TRUST|TRUSTEES?|LP|LLP|ESTATE|ET ?AL|ET ?UX|ASSOC\w*|CHURCH|TOWN OF|COUNTY OF|STATE OF|VILLAGE OF)\b"
_NO_NAME = re.compile(
    r"DESC|LEGAL|CLASS|USE|TYPE|ZON|SCHOOL|SCHL|DISTRICT|DIST|COUNTY|CNTY|MUNI|TOWN|SUBDIV|SUBD|PLAT|LAND|NEIGH|NBHD|STYLE|COND|STATUS|CODE|SOURCE|SRC"
    r"|EDIT|USER|FILE|URL|LINK|DEED|BOOK|PAGE|COMMENT|NOTE|REMARK|EXEMPT|GLOBAL|GUID|CREATED|MODIFIED|SALE|GRANTOR|SELLER|FIRE|WATER|SEWER|ROAD|STREET|STNAME"
    r"|LANDMARK|PLACE|BLDG|ROOF|WALL|HEAT|FUEL|COLOR|BASEMENT|ROLL|STATEMENT|UNITS|LANDUSE|HAMLET|VILLAGE|ASSESSOR"
)
"""Words in a column's name by which it is not an owner's name, whatever stands in it."""
_OWNERISH = re.compile(
    r"OWN|TAXPAY|TXPYR|GRANTEE|HOLDER|PROPRIET|TENANT|SPOUSE|TRUSTEE|ASSESSEE|PAYER|RESIDENT|NAME|NOMBRE|PERSON|PARTY|BUYER|PURCHASER"
)
_ONE_WORD = re.compile(
    r"^(?:OWN(?:ER)?S?)?(?:LAST|SUR|L|FAMILY)(?:NAME|NM)$|^OWN(?:ER)?(?:LAST|NAME|NM)|(?:OWN|TAXPAY|HOLDER).*(?:LAST|LNAME|SURNAME)"
)
"""Names of columns whose values are names even in one word."""
_OWNERS_ADDRESS = re.compile(r"OWN|MAIL|BILL|TAXPAY|TXPYR|POSTAL|PSTL|CORRESP")
"""Words in the name of a column of addresses by which they are the owners', though no column has a name."""
_SITEISH = re.compile(r"SITE|SITUS|PROP|LOC|PHY|PARCEL|E911|SITADD")


def looks_like(column: "Column") -> str:
    """Return what stands in a column: ``whole`` (an address to its ZIP code), ``street``, ``zip``, ``place`` (city and State), ``name``, or nothing."""
    filled = column.sample.drop_null()
    if not len(filled):
        return ""
    if column.share_matching(_ZIP) >= _MOST:
        return "zip"
    if column.share_matching(_WHOLE) >= _MOST:
        return "whole" if column.share_matching(r"^\D*\d+\D+.*\d{5}") >= _MOST else "place"
    if column.share_matching(_STREET) >= _MOST:
        return "street"
    if (
        column.share_matching(_PLACE) >= _MOST
        and column.share_matching(
            r"(?i)\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])$"
        )
        >= _MOST
    ):
        return "place"
    return "name" if _names(column) else ""


def _names(column: "Column") -> bool:
    import pyarrow.compute as pc

    filled = column.sample.drop_null()
    if _NO_NAME.search(column.plain) and not _OWNERISH.search(column.plain):
        return False
    different = int(pc.count_distinct(filled).as_py())
    if different < 2 or different < _VARIED * len(filled):  # noqa: PLR2004  # one value names nobody
        return False
    if _ONE_WORD.search(column.plain):
        return column.share_matching(r"\pL{2}") >= _MOST and column.share_matching(r"^\S{1,2}$") < _MOST
    two_words = column.share_matching(_PERSON)
    firms = column.share_matching(_FIRM)
    digits = column.share_matching(r"^\d|\d{4}")
    return digits < 1 - _MOST and (two_words >= _MOST or (firms > 0 and two_words + firms >= _MOST))


def questions_of_unclaimed(free: "Sequence[Column]", have: "set[str]") -> "Iterator[tuple[str, tuple[str, ...], str]]":
    """Return what is to be asked: a field, the columns it could be, and the question.

    Parameters
    ----------
    free
        The columns that no field is read from.
    have
        The fields that are settled, or asked about already.
    """
    looks: dict[str, list[Column]] = {}
    for column in free:
        look = looks_like(column)
        # an address of the property is no owner's, and an owner's name may stand in any column
        if look == "name" or not _SITEISH.search(column.plain):
            looks.setdefault(look, []).append(column)
    yield from _of_names(looks, have)
    addressed = bool(have & {"mail_address", "mail_address_2", "mail_one_line", "po_box"})
    said = any(_OWNERS_ADDRESS.search(column.plain) for look in ("whole", "street") for column in looks.get(look, ()))
    if not addressed and (said or "name" in looks or have & {"owner", "owner_2", "add_owner"}):
        yield from _of_streets(looks)
    if have & {"mail_one_line", "mail_city_state_zip", "mail_zip"} or not (addressed or "street" in looks):
        return
    if "place" in looks and "mail_city" not in have:
        yield _question("mail_city_state_zip", "the city and State of the owners' mailing addresses", looks["place"])
    zips = [column for column in looks.get("zip", []) if re.search(r"ZIP|POST|^ZC|ZCODE", column.plain) or _repeats(column)]
    if zips:
        yield _question("mail_zip", "the ZIP codes of the owners' mailing addresses", zips)


def _of_names(looks: "dict[str, list[Column]]", have: "set[str]") -> "Iterator[tuple[str, tuple[str, ...], str]]":
    names = looks.get("name", [])
    sure = [column for column in names if _OWNERISH.search(column.plain)]
    if names and not have & {"owner", "add_owner"}:
        yield _question("owner", "the owners' names", sure or names)
        return
    more = [column for column in sure if _further_owner(column)]
    place = next((f"owner_{n}" for n in range(2, 10) if f"owner_{n}" not in have), None)
    if more and place is not None:
        yield _question(place, "further owners, who would get no letter", more)


def _of_streets(looks: "dict[str, list[Column]]") -> "Iterator[tuple[str, tuple[str, ...], str]]":
    if "whole" in looks:
        yield _question("mail_one_line", "the owners' mailing addresses", looks["whole"])
    elif "street" in looks:
        yield _question("mail_address", "the street lines of the owners' mailing addresses", looks["street"])


def _repeats(column: "Column") -> bool:
    """Whether a column's values repeat, as ZIP codes do and numbers of accounts do not."""
    import pyarrow.compute as pc

    filled = column.sample.drop_null()
    return len(filled) >= _FEW_ROWS and int(pc.count_distinct(filled).as_py()) <= len(filled) / 2


def _further_owner(column: "Column") -> bool:
    """Whether a column beside the owner's names persons who own too: its name says so, and not that they once did."""
    return bool(re.search(r"OWN|TENANT|SPOUSE|TRUSTEE|COHOLDER|NAME[2-9]|NAMETWO|SECONDNAME", column.plain)) and not re.search(
        r"PREV|PRIOR|FORMER|PAST|OLD|TYPE|OCC|ADDR|CITY", plain_name(column.name)
    )


def _question(field: str, what: str, columns: "Sequence[Column]") -> tuple[str, tuple[str, ...], str]:
    listed = ", ".join(f"{column.name} ({column.examples()})" for column in columns[:_SHOWN])
    more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    text = (
        f"are these {what}: {listed}{more}? Nothing was taken for {field}. Say --field {field}={columns[0].name}"
        f" (several columns: --field {field}=A+B), or --field {field}== if none of them is"
    )
    return field, tuple(column.name for column in columns), text
