"""Columns whose cells are read strictly: SQLite keeps a text where a number belongs, and a number where a shape belongs, without a word.

A cell of another type is never converted: ``''`` is not *no*, ``'yes'`` is not *yes*, and a number is not a shape of so many bytes (Python
would make one, of any size). A server holds its columns to their types by itself.
"""

import re
from collections.abc import Callable
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from sqlalchemy import Boolean, Date, Float, Integer, LargeBinary, String, Text
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect, MetaData

__all__ = ["Bytes", "Day", "Name", "Number", "StrictColumn", "Whole", "Words", "WrongCell", "YesNo", "name_columns"]

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHOWN = 40
"""Characters of a cell that a message quotes."""


class WrongCell(ValueError):
    """A cell holds what its column cannot; the text names the column and both."""


class StrictColumn(TypeDecorator[Any]):
    """A column that refuses to read a cell of another type or form than its own.

    Attributes
    ----------
    what
        What its cells are, in words.
    storage
        The storage classes of SQLite that they may have, beside ``null``.
    form
        An SQL condition on ``{column}`` that holds for the cells of the right form; empty where the storage class is all there is to ask.
    column, required
        Its name, and whether it holds something in every row; :func:`name_columns` sets both.
    """

    cache_ok = True
    what: ClassVar[str]
    storage: ClassVar[tuple[str, ...]]
    form: ClassVar[str] = ""
    column = "a column"
    required = False

    def result_processor(self, dialect: "Dialect", coltype: object) -> Callable[[Any], Any] | None:
        """Return what reads a cell: strictly on SQLite, as its driver does on a server."""
        return self._cell if dialect.name == "sqlite" else super().result_processor(dialect, coltype)

    def _cell(self, value: Any) -> Any:  # noqa: ANN401  # whatever SQLite holds
        if value is None:
            if self.required:
                raise WrongCell(f"{self.column} is empty")
            return None
        try:
            return self.read(value)
        except (TypeError, ValueError, OverflowError) as error:
            shown = repr(value[: _SHOWN + 1] if isinstance(value, (str, bytes)) else value)
            raise WrongCell(f"{self.column} holds {shown[:_SHOWN]}, which is not {self.what}") from error

    def read(self, value: Any) -> Any:  # noqa: ANN401  # as above
        """Return the value of a cell.

        Raises
        ------
        TypeError, ValueError, OverflowError
            It is not one of this column's.
        """
        raise NotImplementedError


def _only(value: Any, *kinds: type) -> Any:  # noqa: ANN401  # as above
    if not isinstance(value, kinds):
        raise TypeError
    return value


class Words(StrictColumn):
    """A text."""

    impl: Any = Text
    cache_ok = True
    what = "a text"
    storage = ("text",)

    def read(self, value: Any) -> str:  # noqa: ANN401  # as above
        """Return it."""
        text: str = _only(value, str)
        return text


class Name(Words):
    """A short text, in a column that a server bounds otherwise than a long one."""

    impl = String
    cache_ok = True


class Whole(StrictColumn):
    """A whole number."""

    impl = Integer
    cache_ok = True
    what = "a whole number"
    storage = ("integer",)

    def read(self, value: Any) -> int:  # noqa: ANN401  # as above
        """Return it."""
        number: int = _only(value, int)
        return number


class Number(StrictColumn):
    """A number that may have decimals."""

    impl = Float
    cache_ok = True
    what = "a number"
    storage = ("real", "integer")

    def read(self, value: Any) -> float:  # noqa: ANN401  # as above
        """Return it; an infinite one is none."""
        number = float(_only(value, int, float))
        if not isfinite(number):
            raise ValueError
        return number


class Day(StrictColumn):
    """A day, which SQLite keeps as ``2026-07-04``."""

    impl = Date
    cache_ok = True
    what = "a day such as 2026-07-04"
    storage = ("text",)
    form = "{column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND date({column}, '+0 days') IS {column}"

    def read(self, value: Any) -> date:  # noqa: ANN401  # as above
        """Return it."""
        if not _DAY.fullmatch(_only(value, str)):
            raise ValueError
        return date.fromisoformat(value)


class YesNo(StrictColumn):
    """Yes, no, or unknown: 1, 0 or nothing."""

    impl = Boolean
    cache_ok = True
    what = "yes (1) or no (0)"
    storage = ("integer",)
    form = "{column} IN (0, 1)"

    def read(self, value: Any) -> bool:  # noqa: ANN401  # as above
        """Return it; any other number is none of the two."""
        if _only(value, int) not in {0, 1}:
            raise ValueError
        return bool(value)


class Bytes(StrictColumn):
    """Bytes, of a shape."""

    impl = LargeBinary
    cache_ok = True
    what = "the bytes of a shape"
    storage = ("blob",)

    def read(self, value: Any) -> bytes:  # noqa: ANN401  # as above
        """Return them."""
        return bytes(_only(value, bytes, memoryview))


def name_columns(metadata: "MetaData") -> None:
    """Let every strict column know its name and whether it may be empty, for the message about a wrong cell."""
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, StrictColumn):
                column.type.column = f"{table.name}.{column.name}"
                column.type.required = not column.nullable
