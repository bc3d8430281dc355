"""The conditions of a screen: ``acres >= 3 and left > 0``, answered yes, no, or unknown for each candidate.

A condition is read as Python reads it and evaluated by hand, part by part: names are columns, and nothing can be called. What is unknown stays unknown: it
neither passes nor fails, so a candidate is never ruled out by what the layers do not say.
"""

import ast
import difflib
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from geonotice.errors import Fault, UsageError

__all__ = ["Condition", "Value", "read_condition", "read_order"]

Value = float | int | str | bool | None
"""A value of a column; None is unknown."""

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.In: lambda one, several: one in several, ast.NotIn: lambda one, several: one not in several,
}  # fmt: skip
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Condition:
    """A condition that was read; :meth:`holds` answers it for one candidate."""

    def __init__(self, text: str, tree: ast.expr, columns: tuple[str, ...]) -> None:
        self.text = text
        self.columns = columns
        """The columns that it asks about."""
        self._tree = tree

    def holds(self, row: Mapping[str, Value]) -> bool | None:
        """Return whether it holds of a candidate; None where that turns on something unknown."""
        return _holds(self._tree, row)


def read_condition(text: str, *, columns: Collection[str], words: Collection[str] = ()) -> Condition:
    """Read a condition, and refuse what cannot be meant, all of it at once.

    Parameters
    ----------
    text
        The condition.
    columns
        The columns there are.
    words
        Those of them that hold words; the others hold numbers.

    Raises
    ------
    UsageError
        It is no condition, names a column that is not there, or compares words with numbers.

    Examples
    --------
    >>> asked = read_condition("acres >= 3 and left > 0", columns=("acres", "left"))
    >>> asked.holds({"acres": 4, "left": 1}), asked.holds({"acres": 2, "left": None}), asked.holds({"acres": 4, "left": None})
    (True, False, None)
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(_fault(text, f"it cannot be read ({getattr(error, 'msg', error)})")) from error
    faults = [*_faults(tree, text, frozenset(columns), frozenset(words))]
    if faults:
        raise UsageError(faults)
    names = tuple(dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)))
    return Condition(text, tree, names)


def _fault(text: str, what: str, remedy: str = "") -> Fault:
    return Fault(
        what=f"the condition {text!r}: {what}",
        key="--where",
        remedy=remedy or "write a condition such as: acres >= 3 and left > 0 and district in ('R-40', 'R-60')",
    )


def _faults(node: ast.expr, text: str, columns: frozenset[str], words: frozenset[str]) -> "Sequence[Fault]":  # noqa: PLR0911  # one return a kind of part
    """Name what cannot be meant in one part of a condition and in its parts."""
    if isinstance(node, ast.BoolOp):
        return [fault for part in node.values for fault in _faults(part, text, columns, words)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _faults(node.operand, text, columns, words)
    if not isinstance(node, ast.Compare):
        return [_fault(text, f"{ast.unparse(node)!r} is no comparison")]
    sides = [node.left, *node.comparators]
    faults = [fault for side in sides for fault in _side_faults(side, text, columns)]
    if faults:
        return faults
    for one, sign, other in zip(sides, node.ops, sides[1:], strict=False):
        if type(sign) not in _COMPARE:
            return [_fault(text, f"{ast.unparse(node)!r} compares in a way that is not known here")]
        if isinstance(sign, (ast.In, ast.NotIn)) != isinstance(other, (ast.Tuple, ast.List)):
            return [_fault(text, f"{ast.unparse(node)!r} needs a list after 'in', and only there")]
        kinds = {_kind(side, words) for side in (one, *(other.elts if isinstance(other, (ast.Tuple, ast.List)) else [other]))}
        if len(kinds) > 1:
            return [
                _fault(
                    text,
                    f"{ast.unparse(node)!r} compares words with numbers",
                    "put words in quotation marks, and numbers in none",
                )
            ]
        if kinds == {"words"} and isinstance(sign, _ORDERED):
            return [_fault(text, f"{ast.unparse(node)!r} asks which of two words is greater", "compare words with == or in")]
    return []


def _side_faults(side: ast.expr, text: str, columns: frozenset[str]) -> "Sequence[Fault]":
    if isinstance(side, ast.Name):
        if side.id in columns:
            return []
        near = difflib.get_close_matches(side.id, columns, n=1)
        remedy = f"write {near[0]}, if that is meant" if near else f"the columns are: {', '.join(sorted(columns))}"
        return [_fault(text, f"there is no column {side.id!r}", remedy)]
    if isinstance(side, (ast.Tuple, ast.List)):
        return [fault for part in side.elts for fault in _side_faults(part, text, columns)]
    if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.USub) and isinstance(side.operand, ast.Constant):
        side = side.operand
    if isinstance(side, ast.Constant) and isinstance(side.value, (int, float, str)):
        return []
    return [_fault(text, f"{ast.unparse(side)!r} is neither a column, a number nor a word in quotation marks")]


def _kind(side: ast.expr, words: frozenset[str]) -> str:
    if isinstance(side, ast.Name):
        return "words" if side.id in words else "numbers"
    return "words" if isinstance(side, ast.Constant) and isinstance(side.value, str) else "numbers"


def _holds(node: ast.expr, row: Mapping[str, Value]) -> bool | None:
    """Answer one part, three-valued: one no settles an *and*, one yes an *or*, whatever is unknown beside it."""
    if isinstance(node, ast.BoolOp):
        settles = isinstance(node.op, ast.Or)
        answers = [_holds(part, row) for part in node.values]
        if settles in answers:
            return settles
        return None if None in answers else not settles
    if isinstance(node, ast.UnaryOp):
        answer = _holds(node.operand, row)
        return None if answer is None else not answer
    assert isinstance(node, ast.Compare)  # noqa: S101  # read_condition lets nothing else by
    sides = [_value(side, row) for side in (node.left, *node.comparators)]
    answers = [
        None if one is None or other is None else _COMPARE[type(sign)](one, other)
        for one, sign, other in zip(sides, node.ops, sides[1:], strict=False)
    ]
    if False in answers:
        return False
    return None if None in answers else True


def _value(side: ast.expr, row: Mapping[str, Value]) -> Any:  # noqa: ANN401  # a value of a column, or a list of values
    if isinstance(side, ast.Name):
        return row[side.id]
    if isinstance(side, ast.Constant):
        return side.value
    if isinstance(side, (ast.Tuple, ast.List)):
        return [_value(part, row) for part in side.elts]
    return ast.literal_eval(side)


def read_order(text: str, *, columns: Collection[str]) -> tuple[tuple[str, bool], ...]:
    """Read by which columns candidates are ranked: ``pieces_hearing, -acres``; with a minus the most comes first.

    Returns
    -------
    tuple
        Each column, and whether the most comes first.

    Raises
    ------
    UsageError
        A column is not there.
    """
    found = tuple((part.strip().lstrip("-").strip(), part.strip().startswith("-")) for part in text.split(",") if part.strip())
    if strange := [name for name, _ in found if name not in columns]:
        raise UsageError(
            Fault(
                key="--rank",
                what=f"there is no column {', '.join(map(repr, strange))}",
                remedy=f"the columns are: {', '.join(sorted(columns))}",
            )
        )
    return found
