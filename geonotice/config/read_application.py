"""Read an application file and check it: unknown keys are refused by name, and all faults are reported at once."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.config.application import Event
from geonotice.config.questions import QUESTIONS
from geonotice.errors import EventFileError, Fault
from geonotice.io.toml import NotToml, is_unknown_key, key_at, nearest_key, read_toml, wrong_value

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["event_from_data", "json_schema", "read_event_file"]


def read_event_file(path: Path) -> Event:
    """Read and check an event file.

    Raises
    ------
    EventFileError
        With every fault of the file, each naming its key.
    """
    try:
        data = read_toml(path.read_bytes())
    except OSError as error:
        raise EventFileError(
            Fault(
                what=f"cannot be read: {error.strerror}",
                remedy="fix the path",
                command="fix the path, or write one with: geonotice event new",
                file=str(path),
            )
        ) from error
    except NotToml as error:
        raise EventFileError(Fault(what=error.what, remedy=error.remedy, file=str(path))) from error
    return event_from_data(data, file=str(path))


def event_from_data(data: dict[str, Any], *, file: str) -> Event:
    """Check an event given as parsed TOML or JSON (dates may be text there); ``file`` is what faults call it.

    Raises
    ------
    EventFileError
        With every fault, each naming its key.
    """
    from pydantic import ValidationError

    try:
        return _checker().validate_python(data)
    except ValidationError as error:
        raise EventFileError([_fault(item, file) for item in _once(error.errors())]) from error


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an event file, for editors; each field is described by its question."""
    schema = _checker().json_schema(by_alias=True)
    for part in schema["$defs"].values():
        part.pop("description", None)  # a docstring is for whoever reads the code
        part["properties"].pop("stated", None)  # no key of the file sets it
    for section, field in schema["properties"].items():
        name = next(iter(_references(field)), "")
        for key, described in schema["$defs"].get(name, {}).get("properties", {}).items():
            if asked := QUESTIONS.get(f"{section}.{key}"):
                described["description"] = asked
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "geonotice event file",
        "description": "An event file: what an application states. Everything may be left out.",
    }


@cache
def _checker() -> "TypeAdapter[Event]":
    from pydantic import TypeAdapter

    return TypeAdapter(Event)


def _references(field: dict[str, Any]) -> Iterator[str]:
    for part in (field, *field.get("anyOf", ()), *field.get("allOf", ())):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]


def _once(errors: list[Any]) -> list[Any]:
    """Return one error for each place: a union of date and date-with-time reports each branch."""
    seen: dict[tuple[Any, ...], Any] = {}
    for item in errors:
        place = tuple(part for part in item["loc"] if part not in ("datetime", "date"))
        seen.setdefault(place, {**item, "loc": place})
    return list(seen.values())


def _fault(item: Any, file: str) -> Fault:  # noqa: ANN401  # pydantic's error dictionary
    place = item["loc"]
    if is_unknown_key(item):
        what, near = f"{place[-1]!r} is not a key that an event file has here", nearest_key(Event, place)
        remedy = f"write {near}, if that is meant, or take it out" if near else "fix its spelling, or take it out"
    else:
        what, remedy = wrong_value(item), "fix the value; leave the key out where the answer is not known"
    return Fault(what=what, remedy=remedy, file=file, key=key_at(place))
