"""A profile as the store keeps it: JSON that was validated when it was written, and is rebuilt without validating again."""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from datetime import date
from typing import Any, TypeVar, cast

from geonotice.ordinance.profile import Band, Citation, District, Notice, Period, Profile, Reading, Rule, Size, Threshold

__all__ = ["profile_from_json", "profile_to_json"]


def profile_to_json(profile: Profile) -> dict[str, Any]:
    """Give the profile as plain JSON values, for the store."""
    return cast("dict[str, Any]", _plain(asdict(profile)))


def profile_from_json(data: Mapping[str, Any]) -> Profile:
    """Rebuild the profile that :func:`profile_to_json` wrote, without validating it again."""
    made: dict[str, Any] = dict(data)
    made["effective"] = date.fromisoformat(data["effective"]) if data["effective"] else None
    made["gaps"] = tuple(data["gaps"])
    made["settings"] = {name: _flat(Reading, item) for name, item in data["settings"].items()}
    made["districts"] = tuple(_flat(District, item) for item in data["districts"])
    made["rules"] = tuple(_rule(item) for item in data["rules"])
    return Profile(**{item.name: made[item.name] for item in fields(Profile) if item.name in made})


Made = TypeVar("Made")


def _flat(kind: type[Made], data: Mapping[str, Any]) -> Made:
    """Make a dataclass whose lists are tuples."""
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in data.items()})


def _rule(data: Mapping[str, Any]) -> Rule:
    made = dict(data)
    made["citation"] = _flat(Citation, data["citation"])
    made["marks"] = tuple(data["marks"])
    made["values"] = {name: tuple(value) if isinstance(value, list) else value for name, value in data["values"].items()}
    made["periods"] = tuple(_flat(Period, item) for item in data["periods"])
    made |= {name: tuple(_flat(Size, item) for item in data[name]) for name in ("only_for", "not_for")}
    if data["threshold"] is not None:
        made["threshold"] = _flat(Threshold, data["threshold"])
    if data["notice"] is not None:
        bands = tuple(_flat(Band, item) for item in data["notice"]["bands"])
        made["notice"] = _flat(Notice, {**data["notice"], "bands": bands})
    return Rule(**made)


def _plain(value: Any) -> Any:  # noqa: ANN401  # JSON values are of any type
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    return value.isoformat() if isinstance(value, date) else value
