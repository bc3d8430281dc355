"""Several owners in one row: each with an address of their own, or more of them than there are fields for."""

import re
from typing import NamedTuple

from geonotice.layers.columns.aliases import PARCEL_ALIASES, UNSIDED_STREETS
from geonotice.layers.columns.expression import PLUS
from geonotice.layers.columns.layer_columns import SPARSE_SHARE, LayerColumns, Question, same
from geonotice.layers.columns.placeholders import field_value
from geonotice.layers.columns.text import Column, plain_name
from geonotice.layers.columns.words_in_column_names import field_of

__all__ = ["OwnersColumns"]

_MOST_OWNERS = 9
_PARTS = {"owner": "owner", "address": "mail_address", "city": "mail_city", "state": "mail_state", "zip": "mail_zip"}
_BARE = {"address": ("ADDRESS", "ADDR"), "city": ("CITY",), "state": ("STATE", "ST"), "zip": ("ZIP", "ZIPCODE", "ZIP_CODE")}
_NAMES = {
    part: {plain_name(alias) for alias in (*PARCEL_ALIASES[field], *_BARE.get(part, ())) if not alias[-1].isdigit()}
    for part, field in _PARTS.items()
}
"""How the columns of an owner, a street, a city, a State and a ZIP code are called, without the owner's number."""


_NUMBERED_STREETS = 0.1
"""Mailing addresses of which fewer have a digit lack their house numbers."""
_ENOUGH_ROWS = 12
"""So many rows with something else than a placeholder are looked at before anything is asked."""
_LOOKED_AT = 20_000
_MAIL_PIECE = re.compile(r"MAIL|OWN|TAXPAY|BILL|PSTL|POSTAL")
_PIECES = ("NUMBER|NUM|NBR|NO|HOUSE", "PREDIR|PREFIX|DIR", "SUFFIX|SUFF|SUF|TYPE|STTYP", "POSTDIR|SUFDIR|UNIT|APT")
"""How the columns of a street's pieces end: its number, its direction, its type, and what comes behind."""


class _Numbered(NamedTuple):
    part: str
    person: int


class OwnersColumns(LayerColumns):
    """The columns of a layer, with what tells one owner's columns from another's."""

    def choose_numbered_owners(self) -> None:
        """Keep each owner's address apart, where a layer numbers its owners with their cities: ``ADDR_2`` is then no second line of ``ADDR_1``."""
        if self.schema is not None or self.given.keys() & {"mail_address", "mail_one_line", "mail_city", "mail_city_state_zip"}:
            return
        persons: dict[int, dict[str, Column]] = {}
        for column in self.columns:
            told = _numbered(column.name)
            if told is not None and column.name not in self.taken | self.ignored and column.filled:
                persons.setdefault(told.person, {}).setdefault(told.part, column)
        others = [n for n in sorted(persons) if n > 1 and "address" in persons[n] and persons[n].keys() & {"city", "zip"}]
        if not others or "address" not in persons.get(1, persons.get(0, {})):
            return
        first = {**persons.get(0, {}), **persons.get(1, {})}
        for part, column in first.items():
            self.fields.setdefault(_PARTS[part], column.name)
        second, *further = others
        self._second_owner(persons[second])
        for n in further:
            self._owner_without_room(n, persons[n])

    def _second_owner(self, columns: "dict[str, Column]") -> None:
        for part, column in columns.items():
            self.fields.setdefault(f"add_{_PARTS[part]}", column.name)
        names = ", ".join(column.name for column in columns.values())
        self.notes.append(f"{names}: a second owner with an address of their own, who gets a letter of their own")

    def _owner_without_room(self, n: int, columns: "dict[str, Column]") -> None:
        """Ask about a third owner's own address, for which there is no field."""
        for part, column in columns.items():
            if part != "owner":
                self.passed_over.add(column.name)
        owner = columns.get("owner")
        field = f"owner_{n}"
        if field in self.given:
            return
        where = ", ".join(column.name for part, column in columns.items() if part != "owner")
        said = f"--field {field}={owner.name}" if owner is not None else f"--field {field}=="
        named = f"{owner.name} ({owner.examples()})" if owner is not None else f"owner number {n}"
        self.questions.append(
            Question(
                field,
                tuple(column.name for column in columns.values()),
                f"{named} has an address of their own in {where}, and a row has room for the addresses of two owners."
                f" Say {said} to name them in the first owner's letter, and write their own address into the corrections file",
            )
        )

    def join_last_owners(self) -> None:
        """Read a tenth owner, and those after, with the ninth: no owner is left out because the fields are used up."""
        last = f"owner_{_MOST_OWNERS}"
        if last not in self.fields or last in self.given:
            return
        more: list[tuple[int, str]] = []
        for column in self.free():
            found = re.fullmatch(r"(\D*?)_?(\d{2})", column.name)
            if found is not None and plain_name(found[1]) in _NAMES["owner"] and int(found[2]) > _MOST_OWNERS:
                more.append((int(found[2]), column.name))
        if more:
            names = [name for _, name in sorted(more)]
            self.fields[last] = f"{PLUS}' & '{PLUS}".join([self.fields[last], *names])
            self.notes.append(f"{', '.join(names)}: further owners, named with the ninth")

    def owners_street_first(self, fitting: list[Column]) -> list[Column]:
        """Leave STREET_ADDRESS out of the owner's street where another column says that it is the owner's: it is the property's then."""
        sided = [column for column in self.free() if _owners_street(column)]
        if not sided:
            return fitting
        return [c for c in fitting if not any(c.fits(alias) or c.fits_cut(alias) for alias in UNSIDED_STREETS) or c in sided]

    def ask_of_other_street(self, column: Column, name: str) -> bool:
        """Ask where a column that says it is the owner's street differs from the one taken; return whether it was asked."""
        if name != "mail_address" or self.schema is not None or name in self.given or not _owners_street(column):
            return False
        written = self.fields.get(name, "")
        if written not in self.table.column_names or same(self.column(written), column):
            return False
        taken = self.column(written)
        self.questions.append(
            Question(
                name,
                (taken.name, column.name),
                f"which is the owner's mailing address: {taken.name} ({taken.examples()}) or {column.name} ({column.examples()})?"
                f" Name it with --field {name}=COLUMN",
            )
        )
        return True

    def join_mail_street(self) -> None:
        """Put the pieces of an owner's street together, where house number, direction and type stand in columns of their own."""
        written = self.fields.get("mail_address")
        if written is None or "mail_address" in self.given or written not in self.table.column_names:
            return
        street = self.column(written)
        if not street.filled or street.share_matching(r"\d") >= _NUMBERED_STREETS or self._box_instead(street):
            return
        free = [column for column in self.free() if _MAIL_PIECE.match(column.plain)]
        pieces = [next((c for c in free if re.search(rf"(?:{ending})$", c.plain)), None) for ending in _PIECES]
        number, before, after, behind = pieces
        if number is not None and number.share_matching(r"^\d{1,6}\D{0,3}$") > SPARSE_SHARE:
            self.fields["mail_address"] = PLUS.join(c.name for c in (number, before, street, after, behind) if c is not None)
            self.notes.append(f"mail_address is {self.fields['mail_address']}: the street in pieces")
        elif len(field_value(self.table.slice(0, _LOOKED_AT), street.name).drop_null()) >= _ENOUGH_ROWS:
            self.questions.append(
                Question(
                    "mail_address",
                    (street.name,),
                    f"where are the house numbers of the owners' mailing addresses? {street.name} ({street.examples()}) has none."
                    f" Say --field mail_address=NUMBER+{street.name}, or --field mail_address={street.name} if no letter needs one",
                )
            )

    def _box_instead(self, street: Column) -> bool:
        """Return whether most rows have a post office box beside the street, which needs no number then."""
        written = self.fields.get("po_box")
        return written in self.table.column_names and self.column(str(written)).share >= SPARSE_SHARE * street.share

    def settle_situs(self) -> None:
        """Tell a column of house numbers, and one of streets without them, from a column of whole addresses of properties."""
        written = self.fields.get("situs")
        if written is None or "situs" in self.given or written not in self.table.column_names:
            return
        column = self.column(written)
        if column.share_matching(r"^\d{1,6}[A-Za-z]?$") > SPARSE_SHARE and "situs_street" in self.fields:
            self.fields.pop("situs")
            self.fields.setdefault("situs_number", column.name)
        elif "situs_number" in self.fields and "situs_street" not in self.fields and column.share_matching(r"^\d") < SPARSE_SHARE:
            self.fields["situs_street"] = self.fields.pop("situs")


def _owners_street(column: Column) -> bool:
    """Return whether a column's name says that it is the first line of an owner's street, and it has words in it."""
    worded = field_of(column.name)
    return (
        worded is not None
        and (worded.side, worded.person, worded.line) == ("owner", 1, 1)
        and worded.part in {"address", "st"}
        and column.share_matching(r"[A-Za-z]{3}") > SPARSE_SHARE
    )


def _numbered(name: str) -> _Numbered | None:
    """Return whose column this is by the number in its name: ``MAIL_CITY_2``, ``OWNER2_ZIP``; 0 where it has none."""
    worded = field_of(name)
    if worded is not None and worded.side == "owner" and worded.part in {*_PARTS, "name"} and worded.person > 1:
        return _Numbered("owner" if worded.part == "name" else worded.part, worded.person)
    found = re.fullmatch(r"(.*?\D)_?(\d?)", name)
    if found is None:
        return None
    base = plain_name(found[1].rstrip("_"))
    part = next((part for part, names in _NAMES.items() if base in names), None)
    return _Numbered(part, int(found[2] or 0)) if part is not None else None
