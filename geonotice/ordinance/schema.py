"""What a profile file may say, checked with pydantic: unknown keys are refused, and all faults are reported at once.

The models mirror the values of :mod:`geonotice.ordinance.profile`; importing this module is slow, so only reading a file does it.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
    model_validator,
)

from geonotice.errors import OrdinanceError
from geonotice.ordinance import checks
from geonotice.ordinance import profile as made
from geonotice.ordinance.checks import threshold_faults, value_faults
from geonotice.ordinance.lint import faults_of, further_faults

__all__ = ["ProfileFile", "json_schema", "to_profile"]

Text = Annotated[str, Field(min_length=1)]
Feet = Annotated[float, Field(gt=0, le=52_800, allow_inf_nan=False)]
"""A length; one beyond ten miles is a slip of the pen."""
Days = Annotated[int, Field(ge=0, le=3_660)]
"""A number of days; one beyond ten years is a slip of the pen."""
ValueField = StrictBool | StrictInt | StrictFloat | StrictStr | list[StrictStr]


ID = r"^[a-z][a-z0-9_-]*$"


def _no_blanks(value: str) -> str:
    if not re.match(ID, value):
        raise ValueError("an id is small letters, digits, - and _, and begins with a letter")
    return value


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CitationFile(_Model):
    """Where a rule stands."""

    chapter: str = Field(default="", description="Chapter; left out: that of the whole profile")
    section: Text = Field(description="Section or paragraph, as one cites it")
    words: list[Text] = Field(default_factory=list, description="The clause's own words, one or more passages, verbatim")


class BandFile(_Model):
    """A class of mail up to a distance."""

    up_to_ft: Feet
    mail: Literal["certified", "first_class", "none"]


class NoticeFile(_Model):
    """Who is notified on an occasion, and how."""

    occasion: str = Field(
        default="", description="hearing, filing, appeal; left out for a schedule that goes with the application"
    )
    recipients: list[Literal["owners", "residents", "clerks"]] = Field(min_length=1)
    distance_ft: Feet | None = None
    relations: list[Literal["abutting", "corner", "opposite"]] = Field(default_factory=list)
    opposite: made.OppositeBy = Field(default="extension", description="How the law finds who is opposite")
    opposite_distance_ft: Feet | None = None
    mail: Literal["certified", "first_class", "none"] = "none"
    return_receipt: bool = False
    only_in: Literal["residential"] | None = None
    on_demand: bool = False
    bands: list[BandFile] = Field(default_factory=list)
    contiguous_land: bool = False
    schedule: bool = False
    sent_by: Literal["applicant", "town", ""] = ""
    states: list[Text] = Field(default_factory=list)
    encloses: list[Text] = Field(default_factory=list)
    proof: str = ""
    days_before: Days | None = None

    @model_validator(mode="after")
    def _reach(self) -> Self:
        if self.bands and [band.up_to_ft for band in self.bands] != sorted({band.up_to_ft for band in self.bands}):
            raise ValueError("the bands must go outward: each up_to_ft larger than the one before")
        if self.bands and self.distance_ft != self.bands[-1].up_to_ft:
            raise ValueError("distance_ft must be the up_to_ft of the outermost band")
        if not self.occasion and not self.schedule:
            raise ValueError("a notice needs an occasion, unless it is a schedule")
        if (self.opposite == "distance") != (self.opposite_distance_ft is not None):
            raise ValueError('opposite = "distance" and opposite_distance_ft go together: write both or neither')
        if self.opposite != "extension" and "opposite" not in self.relations:
            raise ValueError('the key opposite does nothing without "opposite" in relations')
        return self


class PeriodFile(_Model):
    """A number of days counted from a date."""

    what: Text
    days: Days
    unit: Literal["days", "business_days"] = "days"
    direction: Literal["before", "after"]
    reckoned_from: Literal[
        "event", "event_ends", "hearing", "filed", "complete", "denial_received", "hearing_closed", "determination", "notice"
    ] = Field(alias="from")
    key: str = ""
    given_by: Literal["applicant", "town", "official", ""] = ""
    bound: Literal["latest", "earliest"] = "latest"
    carried: bool = True
    in_hours: bool = False


class ThresholdFile(_Model):
    """When a chapter, or its permit, reaches an event."""

    regulates: Literal["chapter", "permit"]
    events: Literal["any", "special_event", "parade"] = "any"
    more_than_persons: Annotated[int, Field(ge=0)] | None = None
    at_once: bool = False
    outdoors_only: bool = False
    planned_in_advance_only: bool = False
    exempt_kinds: list[Text] = Field(default_factory=list)
    exempt_sponsors: list[Text] = Field(default_factory=list)
    local_tie: list[Text] = Field(default_factory=list)


class SizeFile(_Model):
    """A size of events."""

    more_than_persons: Annotated[int, Field(ge=0)]
    more_than_hours: Annotated[float, Field(gt=0)] | None = None
    at_once: bool = False


class RuleFile(_Model):
    """One requirement."""

    id: Text
    kind: checks.Kind
    title: Text
    citation: CitationFile
    group: checks.Group = "after"
    marks: list[Literal["G", "D", "C", "A", "J"]] = Field(default_factory=list)
    applies: Literal["always", "chapter", "permit", "special_event", "parade", "exempt", "denial"] = "permit"
    check: str = ""
    text: str = ""
    values: dict[str, ValueField] = Field(default_factory=dict)
    waivable: bool = False
    bars: bool = True
    notice: NoticeFile | None = None
    threshold: ThresholdFile | None = None
    periods: list[PeriodFile] = Field(default_factory=list)
    only_for: list[SizeFile] = Field(default_factory=list, description="Only for events of one of these sizes")
    not_for: list[SizeFile] = Field(default_factory=list, description="Only for events of none of these sizes")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if wrong := [*self._kind_faults(), *self._notice_faults(), *self._check_faults()]:
            raise ValueError("; ".join(wrong))
        return self

    def _kind_faults(self) -> Iterator[str]:
        part = {**dict.fromkeys(checks.NOTICE_KINDS, "notice"), "threshold": "threshold"}.get(self.kind)
        if part and getattr(self, part) is None:
            yield f"a rule of kind {self.kind} needs a [rules.{part}] table"
        if self.kind in ("deadline_before", "deadline_after"):
            direction = self.kind.removeprefix("deadline_")
            if not any(period.direction == direction for period in self.periods):
                yield f"a rule of kind {self.kind} needs a [[rules.periods]] with direction = {direction!r}"
        if self.kind == "threshold" and (self.only_for or self.not_for):
            yield "a threshold says itself for how many persons it is: write threshold.more_than_persons"
        if self.threshold and self.kind != "threshold":
            yield f"a rule of kind {self.kind} cannot have a threshold table"

    def _notice_faults(self) -> Iterator[str]:
        if self.notice is None:
            return
        if self.kind in ("distance_notice", "clerk_notice") and self.notice.distance_ft is None:
            yield f"a {self.kind} needs notice.distance_ft"
        if self.kind == "adjoining_notice" and not self.notice.relations:
            yield "an adjoining_notice needs notice.relations"
        if self.kind not in checks.NOTICE_KINDS:
            yield f"a rule of kind {self.kind} cannot have a notice table"
        elif (self.notice.recipients == ["clerks"]) != (self.kind == "clerk_notice") or (
            "clerks" in self.notice.recipients and len(self.notice.recipients) > 1
        ):
            yield "clerks are notified by a clerk_notice of their own (recipients = ['clerks']), and nobody else by it"
        if self.notice.schedule and self.notice.recipients != ["owners"]:
            yield "a schedule lists owners of record: recipients = ['owners']"

    def _check_faults(self) -> Iterator[str]:
        if self.check and self.check not in checks.CHECKS:
            yield f"there is no check {self.check!r}; the checks are: {', '.join(checks.CHECKS)}"
        if lacking := [name for name in checks.CHECK_VALUES.get(self.check, ()) if name not in self.values]:
            yield f"the check {self.check!r} needs values for: {', '.join(lacking)}"
        if not self.check or self.check in checks.CHECKS:
            yield from value_faults(self.check, self.values)
        if self.kind != checks.CHECK_KINDS.get(self.check, self.kind):
            yield f"the check {self.check!r} belongs to a rule of kind {checks.CHECK_KINDS[self.check]!r}; in one of kind {self.kind!r} it does nothing"
        if self.threshold:
            yield from threshold_faults(self.threshold.model_dump(include={"exempt_kinds", "exempt_sponsors", "local_tie"}))
        keys = [period.key for period in self.periods]
        if lacking := [key for key in checks.CHECK_PERIODS.get(self.check, ()) if key not in keys]:
            yield f"the check {self.check!r} needs a [[rules.periods]] with key: {', '.join(map(repr, lacking))}"


class ReadingFile(_Model):
    """A question that the text leaves open."""

    question: Text
    value: ValueField
    why: str = ""
    choices: list[Text] = Field(default_factory=list)
    section: str = ""

    @model_validator(mode="after")
    def _chosen(self) -> Self:
        if self.choices and self.value not in self.choices:
            raise ValueError(f"value must be one of: {', '.join(self.choices)}")
        return self


class DistrictFile(_Model):
    """A zoning district."""

    code: Text
    zone: Literal["residential", "other", "undetermined"] = Field(alias="class")
    name: str = ""
    municipality: str = ""
    source: str = ""
    front_ft: Feet | None = None
    side_ft: Feet | None = None
    rear_ft: Feet | None = None


class ProfileFile(_Model):
    """An ordinance profile."""

    id: Annotated[str, AfterValidator(_no_blanks), Field(json_schema_extra={"pattern": ID})]
    town: Text
    county: str = ""
    status: Literal["complete", "partial"]
    chapter: Text
    source: Text
    effective: date | None = None
    verified: bool = Field(
        default=False,
        description="true once a person has read it against the text; left out, nobody has, and every result says so",
    )
    note: str = ""
    official: str = ""
    occasions: dict[str, Text] = Field(default_factory=dict, description="The occasions of its notices, with a line on each")
    gaps: list[Text] = Field(default_factory=list)
    settings: dict[str, ReadingFile] = Field(default_factory=dict)
    districts: list[DistrictFile] = Field(default_factory=list)
    rules: list[RuleFile] = Field(min_length=1)


def to_profile(data: dict[str, Any], *, file: str, sha256: str) -> made.Profile:
    """Check a parsed file and give it as values.

    Raises
    ------
    OrdinanceError
        With every fault of the file, each naming file and key.
    """
    further = list(further_faults(data, file))
    try:
        checked = ProfileFile.model_validate(data)
    except ValidationError as error:
        raise OrdinanceError([*faults_of(error.errors(), data, file), *further]) from error
    if further:
        raise OrdinanceError(further)
    return made.Profile(
        **{
            name: getattr(checked, name)
            for name in ("id", "town", "county", "status", "chapter", "source", "effective", "official")
        },
        verified=checked.verified,
        note=checked.note,
        occasions=dict(checked.occasions),
        gaps=tuple(checked.gaps),
        sha256=sha256,
        settings={name: made.Reading(name=name, **_tuples(item.model_dump())) for name, item in checked.settings.items()},
        districts=tuple(made.District(**item.model_dump()) for item in checked.districts),
        rules=tuple(_rule(rule, checked.chapter) for rule in checked.rules),
    )


def _rule(rule: RuleFile, chapter: str) -> made.Rule:
    flat = rule.model_dump(exclude={"citation", "notice", "threshold", "periods", "only_for", "not_for"})
    citation = rule.citation.model_dump()
    notice = None
    if rule.notice:
        bands = tuple(made.Band(**band.model_dump()) for band in rule.notice.bands)
        notice = made.Notice(**{**_tuples(rule.notice.model_dump()), "bands": bands})
    return made.Rule(
        **{**_tuples(flat), "values": _tuples(flat["values"])},
        citation=made.Citation(**_tuples({**citation, "chapter": citation["chapter"] or chapter})),
        notice=notice,
        threshold=made.Threshold(**_tuples(rule.threshold.model_dump())) if rule.threshold else None,
        periods=tuple(made.Period(**item.model_dump()) for item in rule.periods),
        only_for=tuple(made.Size(**item.model_dump()) for item in rule.only_for),
        not_for=tuple(made.Size(**item.model_dump()) for item in rule.not_for),
    )


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a profile file, for editors."""
    schema = ProfileFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "geonotice ordinance profile"}
