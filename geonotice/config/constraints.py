"""How a table of a file is declared: a frozen dataclass, and constraints on its fields as annotations.

pydantic reads the constraints where a file is checked (each has the method that pydantic asks an annotation for); a module that uses them
imports nothing but this one. A dataclass made in code, or rebuilt from the store, is not checked against them.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, dataclass_transform

__all__ = ["NOT_IN_FILE", "After", "Before", "Entries", "FileTable", "Limit", "Table", "only_known_keys"]

# A schema of pydantic's core is a plain dictionary; ``handler`` returns that of the type which stands before the annotation.
Schema = dict[str, Any]
Handler = Callable[[Any], Schema]

NOT_IN_FILE = {"in_file": False}
"""``metadata`` of a dataclass's field that no key of the file sets: the :class:`Table` around it does, after the check."""


class Limit:
    """A limit of one type, by the names of pydantic's core schema.

    ``ge``, ``gt``, ``le`` and ``lt`` for numbers; ``min_length``, ``max_length`` and ``pattern`` for text; ``strict`` where no other type
    may be converted. Lists have :class:`Entries`. ``annotated_types`` would say the same, but takes longer to import.
    """

    def __init__(self, **limits: float | bool | str) -> None:
        self._limits = limits

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> Schema:  # noqa: ANN401  # any annotation
        return {**handler(source), **self._limits}


class Before:
    """A function that looks at the value as it stands in the file, and returns it or another; its ValueError is a fault."""

    def __init__(self, function: Callable[[Any], object]) -> None:
        self._function = function

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> Schema:  # noqa: ANN401  # any annotation
        return {"type": "function-before", "function": {"type": "no-info", "function": self._function}, "schema": handler(source)}


class After:
    """A function that looks at the checked value, and returns it or another; its ValueError is a fault."""

    def __init__(self, function: Callable[[Any], object]) -> None:
        self._function = function

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> Schema:  # noqa: ANN401  # any annotation
        return {"type": "function-after", "function": {"type": "no-info", "function": self._function}, "schema": handler(source)}


def _unchanged(value: Any) -> object:  # noqa: ANN401  # any dataclass
    return value


class Table(After):
    """As :class:`After`, for a dataclass with a field that is :data:`NOT_IN_FILE`: written in a file, that key is unknown.

    Without a function where whoever reads the file sets the field.
    """

    def __init__(self, function: Callable[[Any], object] = _unchanged) -> None:
        super().__init__(function)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Schema:  # noqa: ANN401  # pydantic's handler, with references
        schema = super().__get_pydantic_core_schema__(source, handler)
        inner: Schema = handler.resolve_ref_schema(schema["schema"])
        hidden = {item.name for item in fields(source) if item.metadata.get("in_file") is False}
        keys = {item.get("validation_alias") for item in inner["schema"]["fields"] if item["name"] not in hidden}
        for item in inner["schema"]["fields"]:
            if item["name"] in hidden:
                item["init"] = False
                if item["name"] in keys:
                    item["validation_alias"] = ""  # the key of that name is another field's
        return schema


class Entries:
    """How many entries a ``tuple[X, ...]`` may have, or a ``tuple[X, X]`` must have.

    The entries are read as a list. pydantic's tuple would count only the good ones, and add to the fault of a bad entry a second one:
    that there are too few.
    """

    def __init__(self, *, at_least: int = 0, at_most: int | None = None) -> None:
        self._lengths = {"min_length": at_least} | ({} if at_most is None else {"max_length": at_most})

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> Schema:  # noqa: ANN401  # any annotation
        entry = handler(source)["items_schema"][0]
        entries = {"type": "list", "items_schema": entry, **self._lengths}
        return {"type": "function-after", "function": {"type": "no-info", "function": tuple}, "schema": entries}


def only_known_keys(written: Mapping[str, str] | None = None, **settings: object) -> dict[str, Any]:
    """Return what ``__pydantic_config__`` of a file's dataclass is: an unknown key is a fault, and so is a number without an end.

    Parameters
    ----------
    written
        For a field whose key is a word that Python keeps for itself: how the file writes it, as ``{"opens": "from"}``.
    **settings
        Further settings of pydantic.
    """
    config: dict[str, Any] = {"extra": "forbid", "allow_inf_nan": False, **settings}
    return config | {"alias_generator": lambda name: written.get(name, name)} if written else config


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class FileTable:
    """A table of a file: a class that derives from this one is a frozen dataclass, compared and hashed by its fields.

    ``dataclass(frozen=True)`` would write a class its methods as text, which Python compiles at every start: a tenth of the time of a list.
    Here they stand once. To whoever uses a table nothing is different: ``fields``, ``replace``, ``asdict``, pydantic and msgspec take it as
    any dataclass. ``kw_only`` is as ``dataclass`` has it: a field without a default may stand behind others.
    """

    _names: ClassVar[tuple[str, ...]] = ()
    _values: ClassVar[Any]

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=kw_only)(cls)
        cls._names = tuple(item.name for item in fields(cls))  # type: ignore[arg-type]  # it is a dataclass now
        if cls._names:
            cls._values = attrgetter(*cls._names)

    def __init__(self, *values: object, **named: object) -> None:
        own: tuple[Field[Any], ...] = fields(self)  # type: ignore[arg-type]  # as above
        by_place = [item.name for item in own if not item.kw_only]
        if len(values) > len(by_place):
            raise TypeError(f"{type(self).__name__} takes {len(by_place)} values by place, not {len(values)}")
        given = dict(zip(by_place, values, strict=False))
        twice = given.keys() & named.keys()
        given |= named
        needed = {item.name for item in own if item.default is MISSING and item.default_factory is MISSING}
        for what, names in (
            ("lacks", needed - given.keys()),
            ("has no", given.keys() - set(self._names)),
            ("was given twice", twice),
        ):
            if names:
                raise TypeError(f"{type(self).__name__} {what} {', '.join(sorted(names))}")
        for item in own:
            if item.name not in given:
                given[item.name] = item.default if item.default_factory is MISSING else item.default_factory()
            object.__setattr__(self, item.name, given[item.name])

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._names)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FileTable) or type(other) is not type(self):
            return NotImplemented
        return bool(self._values(self) == other._values(other))

    def __hash__(self) -> int:
        return hash(self._values(self))
