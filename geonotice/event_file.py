"""Read and check an event file: unknown keys are refused by name, and all faults are reported at once."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from geonotice import event as made
from geonotice.errors import EventFileError, Fault
from geonotice.io.toml import NotToml, nearest_key, read_toml, wrong_value
from geonotice.model import LIKELY_DAYS

__all__ = ["EventFile", "event_from_data", "json_schema", "read_event_file"]


def _not_a_yes(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is meant, not yes or no")  # noqa: TRY004  # pydantic turns a ValueError into a fault
    return value


def _moment(value: object) -> object:
    """Keep a date without a time apart from midnight; refuse a time zone."""
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value) if len(value) == len("2026-07-04") else datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("a date and time is meant, such as 2026-08-08T14:00:00") from None
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise ValueError("dates and times are local: leave the time zone out")
    if not isinstance(value, (date, datetime)):
        raise ValueError("a date and time is meant, such as 2026-08-08T14:00:00")  # noqa: TRY004  # as above
    return value


def _clock(value: object) -> object:
    if isinstance(value, str) and len(value) == len("9:00") and value[1] == ":":
        return f"0{value}"
    return value


def _closing(value: object) -> object:
    """Read 24:00 as midnight at the end of the day, as many write it."""
    return "00:00" if value in ("24:00", "24:00:00") else _clock(value)


Count = Annotated[int, BeforeValidator(_not_a_yes), Field(ge=0, le=10_000_000)]
"""A count; one beyond is a slip of the pen, as in the permit register."""
Amount = Annotated[float, BeforeValidator(_not_a_yes), Field(ge=0, allow_inf_nan=False)]


def _likely(value: date) -> date:
    """Refuse a year that is a slip of the pen: no date of the law can be counted from it."""
    if not LIKELY_DAYS[0].year <= value.year <= LIKELY_DAYS[1].year:
        raise ValueError(f"{value.year} is no likely year; dates from {LIKELY_DAYS[0].year} to {LIKELY_DAYS[1].year} are read")
    return value


def _listed(value: object) -> object:
    """Take one day for a list of one."""
    return [value] if isinstance(value, date | str) else value


Moment = Annotated[datetime | date, BeforeValidator(_moment), AfterValidator(_likely)]
Day = Annotated[date, AfterValidator(_likely)]
Clock = Annotated[time, BeforeValidator(_clock)]
Closing = Annotated[time, BeforeValidator(_closing)]
Yes = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, max_length=2000)]
"""A line or a paragraph of an application; a longer one is the application itself, and would fill the staff report."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _EventDay(_Part):
    on: Day
    from_: Clock | None = Field(default=None, alias="from")
    to: Closing | None = None


class _About(_Part):
    title: Text | None = None
    kind: made.Kind | None = None
    sponsor: made.Sponsor | None = None
    sponsor_local: Yes | None = None
    sponsor_in_control: Yes | None = None
    planned_in_advance: Yes | None = None
    starts: Moment | None = None
    ends: Moment | None = None
    night: Yes | None = None
    persons_at_once: Count | None = None
    persons_total: Count | None = None
    persons_outdoors: Count | None = None
    distinct_events: Annotated[int, BeforeValidator(_not_a_yes), Field(ge=1)] | None = None
    filed: Day | None = None
    complete: Day | None = None
    wedding_of: made.WeddingOf | None = None
    tenant_lease_months: Amount | None = None
    regular_sporting_event: Yes | None = None
    admission_charged: Yes | None = None
    commercial: Yes | None = None
    contact: Text | None = None
    days: Annotated[list[_EventDay], Field(min_length=1, max_length=366)] | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        starts, ends = self.starts, self.ends
        if self.days is not None:
            if starts is not None or ends is not None:
                raise ValueError(
                    "days are stated instead of starts and ends, not beside them: keep days, or keep starts and ends"
                )
            _refuse_overlap(_event_days(self.days))
        if starts is None or ends is None:
            return self
        both_timed = isinstance(starts, datetime) and isinstance(ends, datetime)
        first = starts if both_timed or not isinstance(starts, datetime) else starts.date()
        last = ends if both_timed or not isinstance(ends, datetime) else ends.date()
        if last < first:
            if isinstance(ends, datetime) and ends.time() == time.min and ends.date() == made.day_of(starts):
                raise ValueError(
                    "the event ends before it starts: midnight at the end of a day is 00:00 of the next, "
                    f"{(ends + timedelta(days=1)).isoformat()}"
                )
            raise ValueError("the event ends before it starts")
        return self


def _event_days(days: list[_EventDay]) -> tuple[made.EventDay, ...]:
    """Return the days in their order: in a file they may stand in any."""
    found = [made.EventDay(on=day.on, opens=day.from_, closes=day.to) for day in days]
    return tuple(sorted(found, key=lambda day: (day.on, day.opens or time.min)))


def _refuse_overlap(days: tuple[made.EventDay, ...]) -> None:
    """Refuse a day that is stated twice, but for two sessions of one day that do not overlap."""
    for one, other in pairwise(days):
        ends, starts = one.ends, other.starts
        timed = isinstance(ends, datetime) and isinstance(starts, datetime)
        if (ends > starts) if timed else (one.on == other.on):
            raise ValueError(f"two of the days overlap: {one.on.isoformat()} and {other.on.isoformat()}")


class _Premises(_Part):
    parcels: list[Text] | None = None
    layout: Text | None = None
    municipal_building_or_grounds: Yes | None = None
    outstanding_violations: Yes | None = None
    unsatisfied_conditions: Yes | None = None
    certificates_of_occupancy: Yes | None = None
    lawful_tenancy: Yes | None = None
    entry_authorized: Yes | None = None
    owned_entirely_by: made.OwnedBy | None = None


class _Applicant(_Part):
    name: Text | None = None
    organization: made.Organization | None = None
    charitable: Yes | None = None
    resident_of_town: Yes | None = None
    agent_in_county: Text | None = None
    is_owner: Yes | None = None
    owner_consent: Yes | None = None
    other_property_violations: Yes | None = None


class _Benefit(_Part):
    charity: Text | None = None
    charity_local: Yes | None = None
    substantial_donation: Yes | None = None
    primarily_benefits_applicant: Yes | None = None
    private_profit: Yes | None = None
    advertises_goods: Yes | None = None
    outdoor_sale_of_goods: Yes | None = None
    sale_premises_owner: made.SaleOwner | None = None
    support_agreement: Yes | None = None


class _Standing(_Part):
    up: Day | None = None
    down: Day | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.up and self.down and self.down < self.up:
            raise ValueError("it comes down before it goes up")
        return self


class _Tent(_Standing):
    pass


class _Sign(_Standing):
    on_county_or_state_road: Yes | None = None
    agency_approval: Yes | None = None


class _Site(_Part):
    parking_spaces: Count | None = None
    vehicles_at_once: Count | None = None
    access_roads: Count | None = None
    camping: Yes | None = None
    rides: Yes | None = None
    lights: list[made.Light] | None = None
    sound: Yes | None = None
    food: Yes | None = None
    alcohol: Yes | None = None
    fireworks: Yes | None = None
    animals: Yes | None = None
    tents: list[_Tent] | None = None
    signs: list[_Sign] | None = None
    security_plan: Yes | None = None
    waived: list[Text] | None = None
    tents_authorized: Yes | None = None


class _Insurance(_Part):
    injury_each: Amount | None = None
    injury_aggregate: Amount | None = None
    property: Amount | None = None
    cancel_notice_days: Count | None = None
    names_town: Yes | None = None


class _YardSale(_Part):
    days: list[Day] | None = None
    hours: Annotated[list[Clock], Field(min_length=2, max_length=2)] | None = None
    own_goods_only: Yes | None = None
    on_dwelling_lot: Yes | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.hours and self.hours[1] < self.hours[0]:
            raise ValueError("hours are the opening hour, then the closing hour")
        return self


class _Expressive(_Part):
    notice_given: Moment | None = None


class _Parade(_Part):
    route: Text | None = None
    closes_highway: Yes | None = None


class _Amendment(_Part):
    filed: Day | None = None


class _Denial(_Part):
    received: Day | None = None
    appeal_filed: Day | None = None
    hearing: Day | None = None


class _NoticeGiven(_Part):
    published: Annotated[list[Day], BeforeValidator(_listed)] | None = None
    posted: Day | None = None
    mailed: Day | None = None
    hearing: Day | None = None


class EventFile(_Part):
    """An event file: what an application states. Everything may be left out."""

    event: _About = Field(default_factory=_About)
    premises: _Premises = Field(default_factory=_Premises)
    applicant: _Applicant = Field(default_factory=_Applicant)
    benefit: _Benefit = Field(default_factory=_Benefit)
    site: _Site = Field(default_factory=_Site)
    insurance: _Insurance = Field(default_factory=_Insurance)
    yard_sale: _YardSale = Field(default_factory=_YardSale)
    expressive: _Expressive = Field(default_factory=_Expressive)
    parade: _Parade = Field(default_factory=_Parade)
    amendment: _Amendment = Field(default_factory=_Amendment)
    denial: _Denial = Field(default_factory=_Denial)
    notice_given: _NoticeGiven = Field(default_factory=_NoticeGiven)


def read_event_file(path: Path) -> made.Event:
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
                remedy="fix the path, or write one with: geonotice event new",
                file=str(path),
            )
        ) from error
    except NotToml as error:
        raise EventFileError(Fault(what=error.what, remedy=error.remedy, file=str(path))) from error
    return event_from_data(data, file=str(path))


def event_from_data(data: dict[str, Any], *, file: str) -> made.Event:
    """Check an event given as parsed TOML or JSON (dates may be text there); ``file`` is what faults call it.

    Raises
    ------
    EventFileError
        With every fault, each naming its key.
    """
    try:
        checked = EventFile.model_validate(data)
    except ValidationError as error:
        raise EventFileError([_fault(item, file) for item in _once(error.errors())]) from error
    site = checked.site.model_dump()
    hours = checked.yard_sale.hours
    return made.Event(
        event=_about(checked.event),
        premises=made.Premises(**_tuples(checked.premises.model_dump())),
        applicant=made.Applicant(**checked.applicant.model_dump()),
        benefit=made.Benefit(stated=True, **checked.benefit.model_dump()) if _given(checked.benefit) else made.Benefit(),
        site=made.Site(
            **{
                **_tuples(site),
                "waived": tuple(site["waived"] or ()),
                "tents": _each(made.Tent, site["tents"]),
                "signs": _each(made.Sign, site["signs"]),
            },
        ),
        insurance=made.Insurance(**checked.insurance.model_dump()),
        yard_sale=made.YardSale(**{**_tuples(checked.yard_sale.model_dump()), "hours": (hours[0], hours[1]) if hours else None}),
        expressive=made.Expressive(**checked.expressive.model_dump()),
        parade=made.Parade(**checked.parade.model_dump()),
        amendment=made.Amendment(**checked.amendment.model_dump()) if _given(checked.amendment) else None,
        denial=made.Denial(stated=True, **checked.denial.model_dump()) if _given(checked.denial) else made.Denial(),
        notice_given=made.NoticeGiven(**_tuples(checked.notice_given.model_dump())),
    )


def _about(stated: _About) -> made.About:
    """Return the table ``[event]``; where days are stated, the first begins it and the last ends it."""
    plain = stated.model_dump(exclude={"days"})
    if stated.days is None:
        return made.About(**plain)
    days = _event_days(stated.days)
    # Without an hour the last day may end later than any hour that is stated for it.
    return made.About(**{**plain, "starts": days[0].starts, "ends": days[-1].ends, "days": days})


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an event file, for editors; each field is described by its question."""
    schema = EventFile.model_json_schema(by_alias=True)
    for section, field in schema["properties"].items():
        name = next(iter(_references(field)), "")
        for key, described in schema["$defs"].get(name, {}).get("properties", {}).items():
            if asked := made.QUESTIONS.get(f"{section}.{key}"):
                described["description"] = asked
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "geonotice event file"}


def _references(field: dict[str, Any]) -> Iterator[str]:
    for part in (field, *field.get("anyOf", ()), *field.get("allOf", ())):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]


Made = TypeVar("Made")


def _given(part: BaseModel) -> bool:
    """Return whether a table answers anything: an empty one, as in a fresh template, states nothing."""
    return any(value is not None for value in part.model_dump().values())


def _each(kind: type[Made], items: list[dict[str, Any]] | None) -> tuple[Made, ...] | None:
    return None if items is None else tuple(kind(**item) for item in items)


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def _once(errors: list[Any]) -> list[Any]:
    """Return one error for each place: a union of date and date-with-time reports each branch."""
    seen: dict[tuple[Any, ...], Any] = {}
    for item in errors:
        place = tuple(part for part in item["loc"] if part not in ("datetime", "date"))
        seen.setdefault(place, {**item, "loc": place})
    return list(seen.values())


def _fault(item: Any, file: str) -> Fault:  # noqa: ANN401  # pydantic's error dictionary
    key = ""
    for part in item["loc"]:
        key += f"[{part}]" if isinstance(part, int) else f"{'.' if key else ''}{part}"
    kind: Literal["extra_forbidden", "other"] = "extra_forbidden" if item["type"] == "extra_forbidden" else "other"
    if kind == "extra_forbidden":
        what, near = f"{item['loc'][-1]!r} is not a key that an event file has here", nearest_key(EventFile, item["loc"])
        remedy = f"write {near}, if that is meant, or take it out" if near else "fix its spelling, or take it out"
    else:
        what = wrong_value(item)
        remedy = "fix the value; leave the key out where the answer is not known"
    return Fault(what=what, remedy=remedy, file=file, key=key)
