"""Hold a profile file to the classes of :mod:`~geonotice.ordinance.profile`: every fault of the file at once, in a person's words.

What a single value may be is in the classes' annotations, which pydantic reads. What values must be together is here, in functions
that yield words. Importing this module is slow, so only reading a file does it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from geonotice.errors import OrdinanceError
from geonotice.ordinance.lint import check_faults, faults_of, further_faults, threshold_faults
from geonotice.ordinance.profile import NOTICE_KINDS, District, Notice, Profile, Reading, Rule
from geonotice.ordinance.show import checks_schema

__all__ = ["checked", "json_schema"]


def checked(data: dict[str, Any], *, file: str) -> Profile:
    """Check a parsed file and return it as values, without what :func:`geonotice.ordinance.load.completed` adds.

    Parameters
    ----------
    data
        What the file holds.
    file
        What faults call it.

    Raises
    ------
    OrdinanceError
        With every fault of the file, each naming file and key.
    """
    further = list(further_faults(data, file))
    try:
        profile = _adapter().validate_python(data)
    except ValidationError as error:
        raise OrdinanceError([*faults_of(error.errors(), data, file), *further]) from error
    if further:
        raise OrdinanceError(further)
    return profile


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a profile file, for editors."""
    schema = _adapter().json_schema(by_alias=True, schema_generator=_Schema)
    rule, of_checks = schema["$defs"]["Rule"], checks_schema()
    rule["properties"]["check"] |= of_checks["properties"]["check"]
    rule["allOf"] = of_checks["allOf"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "geonotice ordinance profile"}


def _kind_faults(rule: Rule) -> Iterator[str]:
    part = {**dict.fromkeys(NOTICE_KINDS, "notice"), "threshold": "threshold"}.get(rule.kind)
    if part and getattr(rule, part) is None:
        yield f"a rule of kind {rule.kind} needs a [rules.{part}] table"
    if rule.kind in ("deadline_before", "deadline_after"):
        direction = rule.kind.removeprefix("deadline_")
        if not any(period.direction == direction for period in rule.periods):
            yield f"a rule of kind {rule.kind} needs a [[rules.periods]] with direction = {direction!r}"
    if rule.verified is False and not rule.source:
        yield "a rule with verified = false needs source: where it was read"
    if rule.threshold and rule.kind != "threshold":
        yield f"a rule of kind {rule.kind} cannot have a threshold table"


def _reach_faults(rule: Rule) -> Iterator[str]:
    if rule.notice is None:
        return
    if rule.kind in ("distance_notice", "clerk_notice") and rule.notice.distance_ft is None:
        yield f"a {rule.kind} needs notice.distance_ft"
    if rule.kind == "adjoining_notice" and not rule.notice.relations:
        yield "an adjoining_notice needs notice.relations"
    if rule.kind not in NOTICE_KINDS:
        yield f"a rule of kind {rule.kind} cannot have a notice table"
    elif (rule.notice.recipients == ("clerks",)) != (rule.kind == "clerk_notice") or (
        "clerks" in rule.notice.recipients and len(rule.notice.recipients) > 1
    ):
        yield "clerks are notified by a clerk_notice of their own (recipients = ['clerks']), and nobody else by it"
    if rule.notice.schedule and rule.notice.recipients != ("owners",):
        yield "a schedule lists owners of record: recipients = ['owners']"


def _check_faults(rule: Rule) -> Iterator[str]:
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in rule.values.items()}
    yield from check_faults(rule.check, rule.kind, values, [period.key for period in rule.periods])
    if rule.threshold:
        lists = ("exempt_kinds", "exempt_sponsors", "local_tie", "doubtful_sponsors")
        yield from threshold_faults({name: list(getattr(rule.threshold, name)) for name in lists})


def _reading_faults(reading: Reading) -> Iterator[str]:
    if reading.choices and reading.value not in reading.choices:
        yield f"value must be one of: {', '.join(reading.choices)}"


def _notice_faults(notice: Notice) -> Iterator[str]:
    """Return the first fault only: one slip in the bands would be listed twice."""
    bands = [band.up_to_ft for band in notice.bands]
    if bands != sorted(set(bands)):
        yield "the bands must go outward: each up_to_ft larger than the one before"
    elif bands and notice.distance_ft != bands[-1]:
        yield "distance_ft must be the up_to_ft of the outermost band"
    elif not notice.occasion and not notice.schedule:
        yield "a notice needs an occasion, unless it is a schedule"
    elif (notice.opposite == "distance") != (notice.opposite_distance_ft is not None):
        yield 'opposite = "distance" and opposite_distance_ft go together: write both or neither'
    elif notice.around and (notice.distance_ft is None or notice.schedule or "clerks" in notice.recipients):
        yield "the key around needs distance_ft, and recipients who are mailed: owners, residents"
    elif notice.opposite != "extension" and "opposite" not in notice.relations:
        yield 'the key opposite does nothing without "opposite" in relations'


def _rule_faults(rule: Rule) -> Iterator[str]:
    yield from _kind_faults(rule)
    yield from _reach_faults(rule)
    yield from _check_faults(rule)


def _none(_table: object) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True, slots=True)
class _Held:
    """How pydantic checks a class beyond its annotations."""

    faults: Callable[[Any], Iterator[str]] = _none
    """What is wrong with its values together."""
    not_in_file: str = ""
    """A field that follows from the file: a key of that name is refused like any other that is not known."""

    def schema(self, kind: type, handler: Callable[[type], Any]) -> core_schema.CoreSchema:
        """Return pydantic's schema of a class, with these faults."""
        made = handler(kind)
        for item in made["schema"]["fields"]:
            if item["name"] == self.not_in_file:
                item["init"] = False
        return core_schema.no_info_after_validator_function(self._sound, made)

    def _sound(self, table: object) -> object:
        if wrong := list(self.faults(table)):
            raise ValueError("; ".join(wrong))
        return table


_HELD: Mapping[type, _Held] = {
    District: _Held(not_in_file="by_town"),
    Notice: _Held(_notice_faults),
    Profile: _Held(not_in_file="sha256"),
    Reading: _Held(_reading_faults, not_in_file="name"),
    Rule: _Held(_rule_faults),
}


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Profile]:
    # pydantic asks each class how it is checked. The classes cannot answer by themselves without knowing pydantic and the checks.
    for kind, held in _HELD.items():
        hook = classmethod(lambda cls, _source, handler, held=held: held.schema(cls, handler))
        setattr(kind, "__get_pydantic_core_schema__", hook)  # noqa: B010  # mypy knows no such attribute
    return TypeAdapter(Profile)


class _Schema(GenerateJsonSchema):
    """The schema of what a person writes: no field that follows from the file, no default that is an empty list."""

    def field_is_present(self, field: Any) -> bool:  # noqa: ANN401  # pydantic's type is not exported
        """Return whether a file may have the field."""
        return bool(field.get("init", True)) and super().field_is_present(field)

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Leave out an empty list as default: an editor would write it."""
        return {key: value for key, value in super().default_schema(schema).items() if (key, value) != ("default", [])}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Describe a table by the first line of its class; the rest is for programmers."""
        made = super().dataclass_schema(schema)
        return {**made, "description": (schema["cls"].__doc__ or "").splitlines()[0]}
