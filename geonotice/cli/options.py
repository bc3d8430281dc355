"""Options that several commands of a family share, written once: a dataclass whose fields become the options."""

import inspect
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["takes"]


def takes(family: type) -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Return a decorator for a command with a parameter ``options``: the fields of a dataclass take its place as options.

    Parameters
    ----------
    family
        A dataclass. Each field is annotated as the parameter of a Typer command is, and has a default.

    Notes
    -----
    Typer reads the signature and the annotations of the function that it is handed, so these are rewritten; the command itself gets
    one object.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Labels:
    ...     sheet: str = "5160"
    >>> @takes(Labels)
    ... def print_labels(town: str, *, options: Labels, strict: bool = False) -> None:
    ...     print(town, options, strict)
    >>> print_labels("italy", sheet="5163")
    italy Labels(sheet='5163') False
    >>> list(inspect.signature(print_labels).parameters)
    ['town', 'sheet', 'strict']
    """
    hints = get_type_hints(family, include_extras=True)
    shared = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name])
        for one in fields(family)
    ]

    def decorate(command: "Callable[..., None]") -> "Callable[..., None]":
        own = get_type_hints(command, include_extras=True)
        spread: list[inspect.Parameter] = []
        for name, parameter in inspect.signature(command).parameters.items():
            spread += shared if name == "options" else [parameter.replace(annotation=own[name])]

        @wraps(command)
        def called(*args: Any, **given: Any) -> None:  # noqa: ANN401  # whatever the command takes
            asked = {one.name: given.pop(one.name) for one in shared if one.name in given}
            command(*args, options=family(**asked), **given)

        called.__signature__ = inspect.Signature(spread, return_annotation=None)  # type: ignore[attr-defined]  # a function has one where it is set
        called.__annotations__ = {one.name: one.annotation for one in spread} | {"return": None}
        return called

    return decorate
