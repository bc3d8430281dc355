"""Which column of a layer is what: recognized by its name and its content, never guessed."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from geonotice.errors import MissingField
from geonotice.layers.columns.aliases import (
    BARE_NAMES,
    COMPOSED,
    COMPOSED_BY,
    LAYER_ALIASES,
    OWNER_PIECES,
    OWNERSHIP_COLUMNS,
    PARCEL_ALIASES,
    STREET_PIECES,
)
from geonotice.layers.columns.expression import PLUS, constant, field_text, is_joined
from geonotice.layers.columns.key import KeyColumns
from geonotice.layers.columns.layer_columns import (
    ENDS_IN_ZIP,
    KEY_SHARE,
    ORDER,
    SAME_SHARE,
    SPARSE_SHARE,
    FieldMap,
    KeyCandidate,
    Question,
    same,
)
from geonotice.layers.columns.mail_lines import ONE_LINE_SHARE, MailColumns
from geonotice.layers.columns.owners_columns import OwnersColumns
from geonotice.layers.columns.text import CUT, NO_KEY, Column, column_text, plain_name
from geonotice.layers.columns.unclaimed import questions_of_unclaimed
from geonotice.layers.columns.words_in_column_names import field_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa

    from geonotice.layers.columns.words_in_column_names import Worded


__all__ = [
    "NO_KEY",
    "FieldMap",
    "KeyCandidate",
    "Question",
    "Recogniser",
    "column_text",
    "field_text",
    "plain_name",
    "recognise",
]


def recognise(
    kind: str, table: "pa.Table", given: "Mapping[str, str] | None" = None, *, file: str = "", layer: str = ""
) -> FieldMap:
    """Return which column of a layer is what.

    Parameters
    ----------
    kind
        ``parcels``, ``roll``, or a kind of :data:`geonotice.config.town.LAYER_KINDS`.
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
        work.choose_schema()
        work.choose_composed()
        work.choose_numbered_owners()
        work.choose_fields(PARCEL_ALIASES)
        work.choose_preferred({"ownership": OWNERSHIP_COLUMNS})
        work.choose_worded()
        work.choose_owner_pieces()
        work.choose_bare()
        work.join_mail_street()
        work.settle_situs()
        work.join_last_owners()
        work.choose_street_pieces("situs_street")
        work.look_inside()
        work.ask_of_unclaimed()
    else:
        work.choose_schema()
        work.choose_preferred(LAYER_ALIASES[kind])
        if kind == "address_points":
            work.choose_street_pieces("street")
    return work.result()


_AGREES = {
    "name": lambda column: (
        column.share_matching(r"\pL") > SPARSE_SHARE
        and column.share_matching(r"^\S{1,3}$") < SPARSE_SHARE
        and column.share_matching(ENDS_IN_ZIP) < SPARSE_SHARE
    ),
    "address": lambda column: column.share_matching(r"[A-Za-z]") > SPARSE_SHARE,
    "city": lambda column: column.share_matching(r"[A-Za-z]{2}") > SPARSE_SHARE,
    "state": lambda column: column.share_matching(r"[A-Za-z]{2}") > SPARSE_SHARE,
    "zip": lambda column: column.share_matching(r"\d{3}") > SPARSE_SHARE,
    "number": lambda column: column.share_matching(r"^\d{1,5}\D{0,3}$") > SPARSE_SHARE,
    "zip_4": lambda column: column.share_matching(r"^\d{1,4}$") > SPARSE_SHARE,
    "csz": lambda column: column.share_matching(r"[A-Za-z]{2}") > SPARSE_SHARE,
    "country": lambda column: column.share_matching(r"[A-Za-z]{2}") > SPARSE_SHARE,
    "care_of": lambda column: column.share_matching(r"[A-Za-z]{2}") > SPARSE_SHARE,
    "po_box": lambda column: column.share_matching(r"\d") > SPARSE_SHARE,
}
"""What must stand in a column for its worded name to be believed."""


class Recogniser(KeyColumns, MailColumns, OwnersColumns):
    """One layer's columns while they are being recognised; each step takes what the ones before it left."""

    def choose_composed(self) -> None:
        """Take the fields that a published schema gives in pieces: name and street in columns of their own."""
        by_name = {column.plain: column.name for column in self.columns}
        for name, pieces in COMPOSED.items():
            found = [by_name[plain_name(piece)] for piece in pieces if plain_name(piece) in by_name]
            # the last name, or the street: what makes the rest of any use
            needed = by_name.get(plain_name(COMPOSED_BY[name]))
            found = [piece for piece in found if piece not in self.taken]
            if name not in self.fields and needed in found and len(found) > 1:
                self.fields[name] = PLUS.join(found)
                self.passed_over.update(found)

    def choose_fields(self, aliases: "Mapping[str, tuple[str, ...]]") -> None:
        """Take for each field the one column that fits it; two that differ are a question."""
        for name, names in aliases.items():
            if name in self.fields or any(question.field == name for question in self.questions):
                continue
            fitting = self._fitting(names, persons=name in {"owner", "owner_2", "care_of", "add_owner"})
            if name == "mail_address":
                fitting = self.owners_street_first(fitting)
            if fitting:
                self._take(name, fitting)

    def _fitting(self, names: "Iterable[str]", *, persons: bool = False) -> list[Column]:
        """Return the columns that one of the names fits, whole or cut, in the order of the names; not addresses where persons are sought."""
        taken = self.taken | self.ignored | self.passed_over
        found: list[Column] = []
        for alias in names:
            for match in (Column.fits, Column.fits_cut):
                found += [c for c in self.columns if match(c, alias) and c.name not in taken and c not in found]
        return [c for c in found if not (persons and c.share_matching(ENDS_IN_ZIP) >= SPARSE_SHARE)]

    def _take(self, name: str, fitting: list[Column]) -> None:
        filled = [column for column in fitting if column.share] or fitting[:1]
        for column in fitting:
            if column not in filled and len(fitting) > 1:
                self.notes.append(f"{column.name} is empty and was passed over for {name}")
                self.passed_over.add(column.name)
        first, *others = filled
        differing = [other for other in others if not same(first, other)]
        for other in others:
            if other not in differing:
                self.passed_over.add(other.name)
                self.notes.append(f"{name} is {first.name}; {other.name} says the same")
        if differing and self.schema is not None:
            for other in differing:
                self.passed_over.add(other.name)
                self.notes.append(f"{name} is {first.name}, as in {self.schema.name}; {other.name} is not used")
            differing = []
        if differing and name == "owner":
            first, differing = self._sparse_owners(first, differing)
        if differing:
            columns = (first, *differing)
            listed = " or ".join(f"{column.name} ({column.share:.1%} filled: {column.examples()})" for column in columns)
            self.questions.append(
                Question(
                    name,
                    tuple(column.name for column in columns),
                    f"which column is {name}? It could be {listed}. Name it with --field {name}=COLUMN",
                )
            )
            self.passed_over.update(column.name for column in columns)
            return
        self.fields[name] = first.name

    def _sparse_owners(self, first: Column, differing: list[Column]) -> tuple[Column, list[Column]]:
        """Keep a scarcely filled second column of owners as a second name line: no name is lost, and none is chosen over another."""
        columns = [first, *differing]
        full = [column for column in columns if column.share >= KEY_SHARE]
        sparse = [column for column in columns if column.share < SPARSE_SHARE]
        if len(full) == 1 and len(sparse) == 1 and len(columns) == 2 and "owner_2" not in self.fields:  # noqa: PLR2004  # one and one
            self.fields["owner_2"] = sparse[0].name
            self.notes.append(
                f"{sparse[0].name} also names persons (on {sparse[0].share:.0%} of the rows): they are printed as a second name line;"
                " name it as care_of, or another column as owner_2, if that is wrong"
            )
            return full[0], []
        return first, differing

    def choose_worded(self) -> None:
        """Take by the words of their names the columns that no list has, for fields that nothing was found for."""
        fitting: dict[str, list[Column]] = {}
        for column in self.free():
            worded = field_of(column.name)
            name = self._worded_field(column, worded) if worded is not None else None
            if name is None or any(question.field == name for question in self.questions):
                continue
            if (
                name in self.fields
                and len(column.name) == CUT
                and not column.share_matching(ENDS_IN_ZIP) >= SPARSE_SHARE
                and re.search(r"_\d$", column.name)
            ):
                # GDAL numbers the names that a Shapefile cuts alike: the next line of the same thing
                name = next((n for n in _further(name) if n not in self.fields and n not in fitting), None)
            if name is not None and name in self.fields and self.ask_of_other_street(column, name):
                continue
            if name is None or name in self.fields:
                said = next((written for field, written in self.fields.items() if field == name), "another column")
                self.notes.append(f"{column.name} was passed over: {said} is taken for what its name says")
                continue
            fitting.setdefault(name, []).append(column)
        for name in sorted(fitting, key=ORDER.index):
            self._take(name, fitting[name])
        for name in [name for name in self.fields if name.startswith("add_") and name != "add_owner"]:
            if "add_owner" not in self.fields and self.fields.get("owner_2"):
                # the second owner has an address of their own
                self.fields["add_owner"] = self.fields.pop("owner_2")
                self.notes.append(
                    f"{self.fields['add_owner']} is a second owner with an address of their own, as in {self.fields[name]}"
                )

    def _worded_field(self, column: Column, worded: "Worded") -> str | None:
        """Return the field that a worded name is, where what stands in the column agrees."""
        part, person, line = worded.part, worded.person, worded.line
        if part == "st":
            part = "state" if column.share_matching(r"^[A-Za-z]{2}$") > SPARSE_SHARE else "address"
        if not _AGREES[part](column):
            return None
        if worded.side == "site":
            return {
                "address": "situs" if line == 1 else None,
                "city": "situs_city",
                "state": "situs_state",
                "zip": "situs_zip",
                "number": "situs_number",
            }.get(part)
        if part == "name":
            return "owner" if person == 1 else f"owner_{person}"
        if person == 2:  # noqa: PLR2004  # the second owner, who may have an address of their own
            return {
                "address": "add_mail_address",
                "city": "add_mail_city",
                "state": "add_mail_state",
                "zip": "add_mail_zip",
                "po_box": "add_po_box",
            }.get(part)
        if person > 2:  # noqa: PLR2004  # a third owner's address has no field
            return None
        return {
            "address": "mail_address" if line == 1 else f"mail_address_{line}",
            "csz": "mail_city_state_zip",
            "zip_4": "mail_zip_4",
            "care_of": "care_of",
            "po_box": "po_box",
        }.get(part, f"mail_{part}")

    def choose_owner_pieces(self) -> None:
        """Join first and last name, where no column has an owner's whole name."""
        if "owner" in self.fields or any(question.field == "owner" for question in self.questions):
            return
        free = {column.name for column in self.free()}
        found = [
            next((c for alias in names for c in self.columns if c.name in free and c.fits(alias)), None) for names in OWNER_PIECES
        ]
        if found[2] is None:
            return
        self.fields["owner"] = PLUS.join(column.name for column in found if column is not None)
        self.notes.append(f"owner is {self.fields['owner']}: the name in pieces")

    def choose_street_pieces(self, name: str) -> None:
        """Join the pieces of a street's name, where a layer gives direction, type and name in columns of their own."""
        written = self.fields.get(name)
        if written is None or name in self.given or is_joined(written, self.table.column_names):
            return
        base = self.column(written)
        suffix = self.fields.get("situs_suffix") if name == "situs_street" else None
        pieces: list[str] = []
        free = {column.name for column in self.free()} | ({suffix} if suffix else set())
        for place, names in enumerate(STREET_PIECES):
            if names is None:
                pieces.append(base.name)
                continue
            column = next(
                (c for alias in names for c in self.columns if c.name in free and (c.fits(alias) or c.fits_cut(alias))), None
            )
            if (
                column is not None
                and column.name not in pieces
                and column.share_matching(r"[A-Za-z]")
                and not _repeats(base, column, last=place > STREET_PIECES.index(None))
            ):
                pieces.append(column.name)
        if len(pieces) > 1 and (set(pieces) - {base.name}) != {suffix}:
            if suffix in pieces:
                del self.fields["situs_suffix"]
            self.fields[name] = PLUS.join(pieces)
            self.notes.append(f"{name} is {self.fields[name]}: the street's name in pieces")

    def choose_bare(self) -> None:
        """Return whose a column called just ADDRESS, CITY, STATE or ZIP is: the owner's, or the property's."""
        found = {}
        for word, (mail, situs, names) in BARE_NAMES.items():
            fitting = [c for c in self._fitting(names) if c.plain != "ST" or c.share_matching(r"^[A-Za-z]{2}$") >= SAME_SHARE]
            if fitting:
                found[word] = (fitting[0], mail, situs)
        if not found:
            return
        if "ADDRESS" in found:
            side = self._side_of_address(found["ADDRESS"][0], found["STATE"][0] if "STATE" in found else None, also=set(found))
            if side is None:
                return
        else:
            side = self._side_of_place()
            if side == 1 and "mail_city_state_zip" in self.fields:
                # city and State stand together, the ZIP code by itself
                found = {word: item for word, item in found.items() if word == "ZIP"}
        for column, *fields in found.values():
            name = fields[side - 1]
            if name not in self.fields:
                self.fields[name] = column.name

    def _side_of_address(self, column: Column, state: Column | None, *, also: set[str]) -> int | None:
        """Whose a bare ADDRESS is: 1 the owner's, 2 the property's, None when it was made a question."""
        has_street = "mail_address" in self.fields or "mail_one_line" in self.fields
        has_situs = "situs" in self.fields or "situs_street" in self.fields
        if has_street:
            return 2
        if has_situs:
            return 1
        owned = "owner" in self.fields or any(question.field == "owner" for question in self.questions)
        if not owned or not ({"CITY", "ZIP"} & also):
            return 2
        # a town lies in one State, its owners in several
        if state is not None and _distinct(state) > 1:
            return 1
        self.questions.append(
            Question(
                "mail_address",
                (column.name,),
                f"is {column.name} ({column.examples()}) the owner's address or the property's? Say --field mail_address={column.name}"
                f" or --field situs={column.name}",
            )
        )
        self.passed_over.add(column.name)
        return None

    def _side_of_place(self) -> int:
        """Whose a bare CITY, STATE or ZIP is: the owner's (1) where there is an owner's street that lacks them, else the property's (2)."""
        if "mail_address" not in self.fields:
            return 2
        if "mail_city_state_zip" in self.fields:
            return 1 if "mail_zip" not in self.fields else 2
        return 1 if "mail_city" not in self.fields else 2

    def ask_of_unclaimed(self) -> None:
        """Ask about columns that look like owners, or like addresses, where nothing was taken for them."""
        have = set(self.fields) | {question.field for question in self.questions}
        together = self.fields.get("mail_city_state_zip")
        if together is not None and "mail_zip" not in have and not self._ending_in_zip(["mail_city_state_zip"]) >= ONE_LINE_SHARE:
            have = (have - {"mail_city_state_zip"}) | {"mail_city"}
        owner = self.fields.get("owner", "")
        known = [self.column(owner)] if owner in self.table.column_names else []
        # who is named twice is no further owner; and who answered that none is further is not asked of the next field
        free = [column for column in self.free() if not any(same(column, one) for one in known)]
        if any(constant(self.given.get(f"owner_{n}", "")) == "" for n in range(2, 10)):
            have |= {f"owner_{n}" for n in range(2, 10)}
        for name, columns, text in questions_of_unclaimed(free, have):
            self.questions.append(Question(name, columns, text))

    # -- the other layers ------------------------------------------------------------------------------------------------------

    def choose_preferred(self, aliases: "Mapping[str, tuple[str, ...]]") -> None:
        """Take for each field the first name of its list that is there and filled; the rest is noted."""
        for name, names in aliases.items():
            if name in self.fields:
                continue
            fitting = self._fitting(names)
            filled = [column for column in fitting if column.share] or fitting
            if filled:
                self.fields[name] = filled[0].name
                for other in filled[1:]:
                    if not same(filled[0], other):
                        self.notes.append(f"{name} is {filled[0].name}; {other.name} was passed over")


def _further(name: str) -> tuple[str, ...]:
    """Return the fields that go on where one is full: the lines of an address, the owners."""
    if name.startswith("mail_address"):
        return ("mail_address_2", "mail_address_3", "mail_address_4")
    return tuple(f"owner_{n}" for n in range(2, 10)) if name.startswith("owner") else ()


def _repeats(base: Column, piece: Column, *, last: bool) -> bool:
    """Whether the street's name ends (or begins) with the piece already, on most rows that have one."""
    pairs = [(a.split(), b.split()) for a, b in zip(base.values(), piece.values(), strict=True) if a and b]
    again = sum(name[-len(part) :] == part if last else name[: len(part)] == part for name, part in pairs)
    return bool(pairs) and again >= SPARSE_SHARE * len(pairs)


def _distinct(column: Column) -> int:
    import pyarrow.compute as pc

    return int(pc.count_distinct(column.sample).as_py())
