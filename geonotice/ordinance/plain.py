"""Make a profile out of TOML that is known to be sound: the built-in ones, which tests hold to the schema. Nothing is checked here."""

from collections.abc import Mapping
from typing import Any, TypeVar

from geonotice.ordinance.profile import Band, Citation, District, Notice, Period, Profile, Reading, Rule, Size, Threshold

__all__ = ["profile_from_toml"]

RENAMED = {"from": "reckoned_from", "class": "zone"}
"""Keys of the file that are words of the language: what the values call them."""


def profile_from_toml(data: Mapping[str, Any], *, sha256: str) -> Profile:
    """Give the profile that :func:`geonotice.ordinance.schema.to_profile` would, without pydantic and without its checks."""
    whole = {
        **data,
        "sha256": sha256,
        "county": data.get("county", ""),
        "effective": data.get("effective"),
        "settings": {name: _made(Reading, {"name": name, **item}) for name, item in data.get("settings", {}).items()},
        "districts": tuple(_made(District, item) for item in data.get("districts", ())),
        "rules": tuple(_rule(item, data["chapter"]) for item in data["rules"]),
    }
    return _made(Profile, whole)


Made = TypeVar("Made")


def _made(kind: type[Made], data: Mapping[str, Any]) -> Made:
    return kind(**{RENAMED.get(name, name): _value(value) for name, value in data.items()})


def _value(value: Any) -> Any:  # noqa: ANN401  # TOML values are of any type
    return tuple(value) if isinstance(value, list) else value


def _rule(data: Mapping[str, Any], chapter: str) -> Rule:
    made: dict[str, Any] = {**data, "citation": _made(Citation, {"chapter": chapter, **data["citation"]})}
    made["values"] = {name: _value(value) for name, value in data.get("values", {}).items()}
    made["periods"] = tuple(_made(Period, {"unit": "days", **item}) for item in data.get("periods", ()))
    made |= {name: tuple(_made(Size, item) for item in data.get(name, ())) for name in ("only_for", "not_for")}
    if "threshold" in data:
        made["threshold"] = _made(Threshold, data["threshold"])
    if "notice" in data:
        bands = tuple(_made(Band, item) for item in data["notice"].get("bands", ()))
        made["notice"] = _made(Notice, {"occasion": "", **data["notice"], "bands": bands})
    return _made(Rule, made)
