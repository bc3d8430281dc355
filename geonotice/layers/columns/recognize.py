"""Which column of a layer is what: recognized by its name and its content, never guessed."""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from geonotice.config.town import LAYER_KINDS, PARCEL_FIELDS
from geonotice.errors import Fault, MissingField
from geonotice.layers.columns.aliases import (
    BARE_NAMES,
    COMPOSED,
    COMPOSED_BY,
    KEY_COLUMNS,
    LAYER_ALIASES,
    OWNERSHIP_COLUMNS,
    PARCEL_ALIASES,
    SCHEMAS,
)
from geonotice.layers.columns.text import CUT, NO_KEY, PLUS, Column, column_text, field_text, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa


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


@dataclass(frozen=True, slots=True)
class KeyCandidate:
    """A column that could be the tax map number, and how it does: rows filled, rows whose value stands once, and what was decided."""

    column: str
    rows: int
    filled: int
    unique: int
    reason: str

    def __str__(self) -> str:
        """Return it on one line, for the report and the town file."""
        return f"{self.column}: filled on {self.filled:,} and unique on {self.unique:,} of {self.rows:,} rows; {self.reason}"


@dataclass(frozen=True, slots=True)
class Question:
    """What only a person can tell: a field, the columns it could be, and the question as a sentence."""

    field: str
    columns: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class FieldMap:
    """How the columns of one layer map to fields.

    Parameters
    ----------
    kind
        ``parcels``, ``roll``, or another layer's kind.
    fields
        Field to column. The key of a layer that has none is :data:`geonotice.layers.columns.text.NO_KEY`.
    given
        The fields among them that the town file or the user named.
    key
        How the key was chosen; None where it was given or is not needed.
    rejected
        The other columns that could be the key, and why they are not.
    questions
        What a person must answer; the fields concerned are not in ``fields``.
    notes
        What was decided that the reader may want to know, as sentences.
    unused
        The columns that no field takes, in the order of the layer.
    schema
        The published schema the layer follows, where it is known.
    """

    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    key: KeyCandidate | None = None
    rejected: tuple[KeyCandidate, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    schema: str = ""

    def column(self, name: str) -> str | None:
        """Return the column of a field, or None."""
        return self.fields.get(name)


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
        work.choose_composed()
        work.choose_fields(PARCEL_ALIASES)
        work.choose_preferred({"ownership": OWNERSHIP_COLUMNS})
        work.choose_bare()
        work.look_inside()
    else:
        work.choose_preferred(LAYER_ALIASES[kind])
    return work.result()


KEY_SHARE = 0.98
"""A key is filled and unique on this share of the rows (the plan, section 4)."""
SAME_SHARE = 0.98
"""Two columns that agree on this share of the rows say the same."""
SPARSE_SHARE = 0.5
"""A column filled on fewer rows than this share is an addition to one that is filled throughout."""
ONE_LINE_SHARE = 0.1
"""An only column of addresses of which this share ends in a ZIP code holds whole addresses."""
SCHEMA_COLUMNS = 4
"""Columns of a published schema by which it is known."""

_ENDS_IN_ZIP = r"\d{5}(?:[- ]?\d{4})?\s*(?:USA?)?\s*$"


class Recogniser:
    """One layer's columns while they are being recognised; each step takes what the ones before it left."""

    def __init__(self, kind: str, table: "pa.Table", given: "Mapping[str, str]") -> None:
        self.kind = kind
        self.table = table
        self.columns = [Column(name, table) for name in table.column_names]
        self.fields: dict[str, str] = {}
        self.questions: list[Question] = []
        self.notes: list[str] = []
        self.passed_over: set[str] = set()
        self.key: KeyCandidate | None = None
        self.rejected: list[KeyCandidate] = []
        self.schema, self.ignored = self._schema()
        self.given = self._given(given)
        self.fields.update(self.given)

    # -- what is given ---------------------------------------------------------------------------------------------------------

    def _given(self, given: "Mapping[str, str]") -> dict[str, str]:
        known = PARCEL_FIELDS if self.kind in {"parcels", "roll"} else LAYER_KINDS[self.kind]
        made, faults = {}, []
        names = ", ".join(column.name for column in self.columns) or "none"
        for name, wanted in given.items():
            if name not in known:
                faults.append(Fault(what=f"there is no field {name!r}", key=name, remedy=f"the fields are: {', '.join(known)}"))
                continue
            if name == "tax_map_number" and wanted == NO_KEY:
                made[name] = NO_KEY
                continue
            if not wanted.strip():
                faults.append(
                    Fault(
                        what=f"{name} is left open", key=name, remedy=f"name the column that is {name}; the columns are: {names}"
                    )
                )
                continue
            exact = [column.name for column in self.columns if column.name == wanted]
            loose = exact or [column.name for column in self.columns if column.name.upper() == wanted.upper()]
            if len(loose) == 1:
                made[name] = loose[0]
            else:
                faults.append(
                    Fault(
                        what=f"there is no column {wanted!r} for {name}",
                        key=name,
                        remedy=f"the columns of the layer are: {names}",
                    )
                )
        if faults:
            raise MissingField(faults)
        return made

    def choose_composed(self) -> None:
        """Take the fields that a published schema gives in pieces: name and street in columns of their own."""
        by_name = {column.plain: column.name for column in self.columns}
        for name, pieces in COMPOSED.items():
            found = [by_name[plain_name(piece)] for piece in pieces if plain_name(piece) in by_name]
            # the last name, or the street: what makes the rest of any use
            needed = by_name.get(plain_name(COMPOSED_BY[name]))
            if name not in self.fields and needed is not None and len(found) > 1:
                self.fields[name] = PLUS.join(found)
                self.passed_over.update(found)

    def _schema(self) -> tuple[str, frozenset[str]]:
        if self.kind not in {"parcels", "roll"}:
            return "", frozenset()
        for name, (signature, ignored) in SCHEMAS.items():
            found = [alias for alias in signature if any(column.fits(alias) or column.fits_cut(alias) for column in self.columns)]
            if len(found) >= SCHEMA_COLUMNS:
                out = {c.name for c in self.columns for alias in ignored if c.fits(alias) or c.fits_cut(alias)}
                return name, frozenset(out)
        return "", frozenset()

    # -- the key ---------------------------------------------------------------------------------------------------------------

    def choose_key(self) -> None:
        """Take the first column of the list that is filled and unique on 98 % of the rows; then the first that is so within its SWIS."""
        if "tax_map_number" in self.fields:
            return
        candidates = self._key_candidates()
        swis = next((column for column in self.columns if any(column.fits(alias) for alias in PARCEL_ALIASES["swis"])), None)
        judged = [(column, *_key_figures(column.text)) for column in candidates]
        rows = self.table.num_rows
        need = KEY_SHARE * rows
        chosen = next((item for item in judged if rows and item[2] >= need), None)
        how = "the first of the list of keys that is filled and unique on 98 % of the rows"
        if chosen is None and swis is not None and rows:
            within = [(column, *_key_figures(column.text, swis.text)) for column in candidates]
            chosen = next((item for item in within if item[2] >= need), None)
            how = f"unique on 98 % of the rows together with {swis.name}, which no other is alone"
        for column, filled, unique in judged:
            if chosen is not None and column is chosen[0]:
                self.key = KeyCandidate(column.name, rows, chosen[1], chosen[2], how)
                continue
            after = chosen is not None and unique >= need
            reason = "comes after it in the list" if after else "not filled and unique on 98 % of the rows"
            self.rejected.append(KeyCandidate(column.name, rows, filled, unique, reason))
        if self.key is not None:
            self.fields["tax_map_number"] = self.key.column
            return
        self.questions.append(self._key_question())

    def _key_candidates(self) -> list[Column]:
        taken = set(self.fields.values())
        found: list[Column] = []
        for match in (Column.fits, Column.fits_cut):
            for alias in KEY_COLUMNS:
                found += [c for c in self.columns if match(c, alias) and c not in found and c.name not in taken]
        order = {plain_name(alias): place for place, alias in reversed(list(enumerate(KEY_COLUMNS)))}
        found.sort(
            key=lambda c: order.get(c.plain, min((i for i, a in enumerate(KEY_COLUMNS) if c.fits_cut(a)), default=len(order)))
        )
        # KML and GML number their records in a column called id: "parcels.17"
        return [c for c in found if not (c.plain == "ID" and c.share_matching(r"^[A-Za-z_][\w]*\.\d+$") > SAME_SHARE)]

    def _key_question(self) -> Question:
        if self.rejected:
            tried = "; ".join(str(item) for item in self.rejected)
            text = (
                f"which column is the tax map number? {tried}. Where one number stands on several rows, the rows become one parcel;"
                f" name the column with --field tax_map_number=COLUMN"
            )
        elif self.columns:
            names = ", ".join(f"{column.name} ({column.examples(1)})" for column in self.columns[:40])
            text = f"which column is the tax map number? None has a name that is known. The columns are: {names}"
        else:
            text = (
                "the layer has no columns at all, so no tax map number: find the layer with its attributes (a shapefile needs its .dbf),"
                f" or take the record's number with --field tax_map_number={NO_KEY}"
            )
        return Question("tax_map_number", tuple(item.column for item in self.rejected), text)

    # -- the other fields of parcels and rolls ---------------------------------------------------------------------------------

    def choose_fields(self, aliases: "Mapping[str, tuple[str, ...]]") -> None:
        """Take for each field the one column that fits it; two that differ are a question."""
        for name, names in aliases.items():
            if name in self.fields:
                continue
            fitting = self._fitting(names, persons=name in {"owner", "owner_2", "care_of", "add_owner"})
            if fitting:
                self._take(name, fitting)

    def _fitting(self, names: "Iterable[str]", *, persons: bool = False) -> list[Column]:
        """Return the columns that one of the names fits, whole or cut, in the order of the names; not addresses where persons are sought."""
        taken = set(self.fields.values()) | self.ignored | self.passed_over
        found: list[Column] = []
        for alias in names:
            for match in (Column.fits, Column.fits_cut):
                found += [c for c in self.columns if match(c, alias) and c.name not in taken and c not in found]
        return [c for c in found if not (persons and c.share_matching(_ENDS_IN_ZIP) >= SPARSE_SHARE)]

    def _take(self, name: str, fitting: list[Column]) -> None:
        filled = [column for column in fitting if column.share] or fitting[:1]
        for column in fitting:
            if column not in filled and len(fitting) > 1:
                self.notes.append(f"{column.name} is empty and was passed over for {name}")
                self.passed_over.add(column.name)
        first, *others = filled
        differing = [other for other in others if not _same(first, other)]
        for other in others:
            if other not in differing:
                self.passed_over.add(other.name)
                self.notes.append(f"{name} is {first.name}; {other.name} says the same")
        if differing and self.schema:
            for other in differing:
                self.passed_over.add(other.name)
                self.notes.append(f"{name} is {first.name}, as in {self.schema}; {other.name} is not used")
            differing = []
        if differing and name == "owner":
            first, differing = self._sparse_owners(first, differing)
        if differing:
            columns = (first, *differing)
            listed = " or ".join(f"{column.name} ({column.share:.0%} filled: {column.examples()})" for column in columns)
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

    def choose_bare(self) -> None:
        """Return whose a column called just ADDRESS, CITY, STATE or ZIP is: the owner's, or the property's."""
        found = {}
        for word, (mail, situs, names) in BARE_NAMES.items():
            fitting = self._fitting(names)
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

    def look_inside(self) -> None:
        """Correct by content what a name alone cannot tell: one-string addresses."""
        parts = {"mail_city", "mail_zip", "mail_city_state_zip"}
        column = self.fields.get("mail_address")
        if column and "mail_address" not in self.given and not parts & set(self.fields):
            one = next((c for c in self.columns if c.name == column), None)
            # No column names a city: where even some rows end in a ZIP code, the others are foreign or lack it, and are no streets alone.
            if one is not None and one.share_matching(_ENDS_IN_ZIP) >= ONE_LINE_SHARE:
                self.fields["mail_one_line"] = self.fields.pop("mail_address")
        if not ({"mail_address", "mail_one_line"} & set(self.fields)):
            self._cut_one_line()

    def _cut_one_line(self) -> None:
        """Find the mailing address behind a name that a Shapefile cut and numbered (``2025_OWN_1``)."""
        taken = set(self.fields.values()) | self.passed_over
        stems = ("OWN", "MAIL")
        found = [
            column
            for column in self.columns
            if column.name not in taken
            and len(column.name) == CUT
            and re.search(r"_\d$", column.name)
            and plain_name(column.name[:-2]).lstrip("0123456789").startswith(stems)
            and column.share_matching(_ENDS_IN_ZIP) >= SPARSE_SHARE
        ]
        if len(found) == 1:
            self.fields["mail_one_line"] = found[0].name
            self.notes.append(f"mail_one_line is {found[0].name}: its name is cut, and it holds addresses that end in a ZIP code")

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
                    if not _same(filled[0], other):
                        self.notes.append(f"{name} is {filled[0].name}; {other.name} was passed over")

    def result(self) -> FieldMap:
        """Return what was found."""
        used = {part for column in self.fields.values() for part in (column, *column.split(PLUS))}
        return FieldMap(
            kind=self.kind,
            fields=dict(self.fields),
            given=tuple(self.given),
            key=self.key,
            rejected=tuple(self.rejected),
            questions=tuple(self.questions),
            notes=tuple(self.notes),
            unused=tuple(column.name for column in self.columns if column.name not in used),
            schema=self.schema,
        )


def _key_figures(text: "pa.ChunkedArray", group: "pa.ChunkedArray | None" = None) -> tuple[int, int]:
    """Count the rows that are filled, and those whose value stands on one row only."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = len(text) - text.null_count
    value = text if group is None else pc.binary_join_element_wise(pc.fill_null(group, ""), text, "\x1f")
    table = pa.table({"value": value}).filter(pc.is_valid(text))
    counts = table.group_by("value").aggregate([("value", "count")]).column("value_count")
    once = pc.sum(pc.equal(counts, 1)).as_py() or 0
    return filled, int(once)


def _same(one: Column, other: Column) -> bool:
    """Whether two columns say the same, but for punctuation and case, on the rows where either is filled."""
    pairs = [(a, b) for a, b in zip(one.values(), other.values(), strict=True) if a or b]
    equal = sum(a == b for a, b in pairs)
    return bool(pairs) and equal >= SAME_SHARE * len(pairs)


def _distinct(column: Column) -> int:
    import pyarrow.compute as pc

    return int(pc.count_distinct(column.sample).as_py())
