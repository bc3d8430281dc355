"""How the columns of a layer map to fields, as values: what was found, what must be asked."""

from dataclasses import dataclass, field

__all__ = ["FieldMap", "KeyCandidate", "Question"]


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
