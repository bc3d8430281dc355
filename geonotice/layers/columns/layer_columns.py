"""The columns of one layer while they are being recognized, and how they map to fields: what was found, what must be asked."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from geonotice.config.town import LAYER_KINDS, PARCEL_FIELDS
from geonotice.errors import Fault, MissingField
from geonotice.layers.columns.expression import PLUS, columns_of, parts_of
from geonotice.layers.columns.schemas import SCHEMAS, Schema
from geonotice.layers.columns.text import CUT, NO_KEY, Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

__all__ = [
    "ENDS_IN_ZIP",
    "KEY_SHARE",
    "ORDER",
    "SAME_SHARE",
    "SPARSE_SHARE",
    "FieldMap",
    "KeyCandidate",
    "LayerColumns",
    "Question",
    "same",
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
    other_keys
        The columns beside the key that number the parcels too: a parcel is also found by what they hold.
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
    other_keys: tuple[str, ...] = ()

    def column(self, name: str) -> str | None:
        """Return the column of a field, or None."""
        return self.fields.get(name)


# ---- while they are being recognized: what is taken, given, and known as a public schema's


KEY_SHARE = 0.98
"""A key is filled and unique on this share of the rows (the plan, section 4)."""
SAME_SHARE = 0.98
"""Two columns that agree on this share of the rows say the same."""
SPARSE_SHARE = 0.5
"""A column filled on fewer rows than this share is an addition to one that is filled throughout."""
ORDER = tuple(PARCEL_FIELDS)
"""The fields of parcels and rolls, in the order in which they are listed."""
ENDS_IN_ZIP = r"\d{5}(?:[- ]?\d{4})?\s*(?:USA?)?\s*$"
"""The end of an address that has its ZIP code."""


class LayerColumns:
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
        self.other_keys: tuple[str, ...] = ()
        self.schema: Schema | None = None
        self.schema, self.ignored = self._schema()
        self.given = self._given(given)
        self.fields.update(self.given)

    @property
    def taken(self) -> set[str]:
        """The columns that a field is read from: none is read for two."""
        names = self.table.column_names
        return {column for written in self.fields.values() for column in columns_of(written, names)}

    def column(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)

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
            found = self._written(wanted)
            if isinstance(found, str):
                made[name] = found
                continue
            if found is None:
                remedy = f"write COLUMN, COLUMN + COLUMN, COLUMN + ', ' + COLUMN or =CONSTANT; the columns are: {names}"
                faults.append(Fault(what=f"{wanted!r} for {name} cannot be read", key=name, remedy=remedy))
                continue
            faults += [
                Fault(what=f"there is no column {column!r} for {name}", key=name, remedy=f"the columns of the layer are: {names}")
                for column in found
            ]
        if faults:
            raise MissingField(faults)
        return made

    def _written(self, wanted: str) -> "str | list[str] | None":
        """Return a field as given, its columns spelled as the layer spells them; else the columns it does not have; None where it cannot be read."""
        wanted = wanted.strip()
        if wanted.startswith("=") and wanted not in self.table.column_names:
            return wanted
        whole = self._named(wanted)
        if whole is not None:
            return whole
        parts = parts_of(wanted)
        if parts is None:
            return None
        spelled = [
            (kind, self._named(text) if kind == "column" else f"'{text}'" if "'" not in text else f'"{text}"')
            for kind, text in parts
        ]
        missing = [text for (kind, text), (_, found) in zip(parts, spelled, strict=True) if found is None]
        return missing or PLUS.join(str(text) for _, text in spelled)

    def _named(self, wanted: str) -> str | None:
        exact = [column.name for column in self.columns if column.name == wanted]
        loose = exact or [column.name for column in self.columns if column.name.upper() == wanted.upper()]
        return loose[0] if len(loose) == 1 else None

    def free(self) -> list[Column]:
        """Return the columns that have values, and that no field and no question is about."""
        taken = self.taken | self.ignored | self.passed_over
        asked = {column for question in self.questions for column in question.columns}
        return [column for column in self.columns if column.name not in taken | asked and column.filled]

    def _schema(self) -> "tuple[Schema | None, frozenset[str]]":
        wanted = "parcels" if self.kind == "roll" else self.kind
        for schema in SCHEMAS:
            if schema.kind != wanted:
                continue
            found = sum(self.alias(alias) is not None for alias in schema.known_by)
            if found >= (schema.needs or len(schema.known_by)):
                out = {c.name for c in self.columns for alias in schema.ignored if c.fits(alias) or c.fits_cut(alias)}
                return schema, frozenset(out)
        return None, frozenset()

    def alias(self, alias: str) -> Column | None:
        """Return the column that is called so, whole rather than cut."""
        whole = next((c for c in self.columns if c.name.upper() == alias.upper()), None)
        place = self._siblings(alias).index(alias.upper()) if whole is None and self.schema is not None else 0
        if place:
            # GDAL numbers the names that are cut alike: OwnerAddre, OwnerAdd_1, OwnerAdd_2
            numbered = f"{alias[:8]}_{place}".upper()
            fitting = (c for c in self.columns if c.fits(alias) or c.name.upper() == numbered)
            return next(fitting, None)
        return whole or next((c for match in (Column.fits, Column.fits_cut) for c in self.columns if match(c, alias)), None)

    def _siblings(self, alias: str) -> list[str]:
        """Return the names of the schema that are cut to the same ten characters, this one included, in the order of their numbers."""
        assert self.schema is not None  # noqa: S101  # asked by the caller
        options = [option for options in self.schema.fields.values() for option in options]
        names = {text.lstrip("!").upper() for option in options for kind, text in parts_of(option) or () if kind == "column"}
        return sorted({name for name in names if name[:CUT] == alias[:CUT].upper() and len(name) > CUT} | {alias.upper()})

    def choose_schema(self) -> None:
        """Take the fields that the layer's published schema names."""
        if self.schema is None:
            return
        for name, alternatives in self.schema.fields.items():
            if name in self.fields or name == "tax_map_number":  # the key is chosen by what it does, the schema's first
                continue
            found = [made for alternative in alternatives for made in (self._alternative(alternative),) if made is not None]
            filled = [made for made in found if any(self.column(c).filled for c in columns_of(made, self.table.column_names))]
            if filled or found:
                self.fields[name] = (filled or found)[0]
        # what else the schema has for a field says the same in other words, or is empty
        names = {c.name for options in self.schema.fields.values() for o in options for c in self._columns_of_alternative(o)}
        self.passed_over |= names - self.taken - ({self.key.column} if self.key else set())

    def _columns_of_alternative(self, alternative: str) -> "list[Column]":
        texts = [text.lstrip("!") for kind, text in parts_of(alternative) or () if kind == "column"]
        return [column for text in texts for column in (self.alias(text),) if column is not None]

    def _alternative(self, alternative: str) -> str | None:
        """Return one alternative of a schema's field with the layer's own columns; None where it lacks them. Empty columns are left out of a joined field."""
        parts = parts_of(alternative) or []
        if len(parts) == 1:
            column = self.alias(alternative)
            return column.name if column is not None and column.name not in self.taken else None
        made: list[str] = []
        pending: list[str] = []
        for kind, text in parts:
            if kind == "text":
                pending = [f"'{text}'"] if made else []
                continue
            column = self.alias(text.lstrip("!"))
            if column is None or column.name in self.taken or not column.filled:
                if text.startswith("!"):
                    return None
                continue
            # text between other parts of the field takes away the blank that stands between columns by itself
            between = pending or (["' '"] if made and any(kind == "text" for kind, _ in parts) else [])
            made += [*between, column.name]
            pending = []
        return PLUS.join(made) if made else None

    def result(self) -> FieldMap:
        """Return what was found."""
        used = self.taken
        return FieldMap(
            kind=self.kind,
            fields={name: self.fields[name] for name in sorted(self.fields, key=ORDER.index)}
            if self.kind in {"parcels", "roll"}
            else dict(self.fields),
            given=tuple(self.given),
            key=self.key,
            rejected=tuple(self.rejected),
            questions=tuple(self.questions),
            notes=tuple(self.notes),
            unused=tuple(column.name for column in self.columns if column.name not in used),
            schema=self.schema.name if self.schema else "",
            other_keys=self.other_keys,
        )


def same(one: Column, other: Column) -> bool:
    """Whether two columns say the same, but for punctuation and case, on the rows where either is filled."""
    pairs = [(a, b) for a, b in zip(one.values(), other.values(), strict=True) if a or b]
    equal = sum(a == b for a, b in pairs)
    return bool(pairs) and equal >= SAME_SHARE * len(pairs)
