"""A commented event file for one town, and the JSON Schemas of an event file and a profile."""

import json
import types
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from textwrap import wrap
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from geonotice.config.application import Event
from geonotice.config.questions import OF_EACH, QUESTIONS
from geonotice.decide.dated_duties import notice_keys
from geonotice.decide.source_dates import standing_warnings
from geonotice.ordinance.checks import CHECKS
from geonotice.ordinance.profile import Profile

__all__ = [
    "SCHEMA_FILES",
    "Asked",
    "asked_of_applicant",
    "event_template",
    "keys_needed",
    "write_schemas",
]


SCHEMA_FILES = ("event.schema.json", "ordinance.schema.json")


def write_schemas() -> dict[str, str]:
    """Return the text of each schema file by its name: what ``docs/`` holds, and a test keeps true."""
    from geonotice.config import read_application
    from geonotice.ordinance import check_profile

    return {
        "event.schema.json": _text(read_application.json_schema()),
        "ordinance.schema.json": _text(check_profile.json_schema()),
    }


def _text(data: dict[str, object]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


ALWAYS = (
    "event.title",
    "event.kind",
    "event.starts",
    "event.ends",
    "event.contact",
    "premises.parcels",
    "premises.layout",
    "applicant.name",
)

SIZE = ("event.persons_at_once", "event.persons_total")

EXAMPLES: dict[str, str] = {
    "event.title": '"Harvest concert"',
    "event.kind": '"music_festival"   # assembly, sports, circus, carnival, festival, music_festival, religious, picnic, party, sale,\n'
    "                            # farmers_market, wedding, funeral, auction, family, student, expressive, yard_sale, parade, other",
    "event.sponsor": '"private"       # private, charity, town, municipality, volunteer_fire_company, fraternal_or_civic,\n'
    "                            # religious_corporation, school",
    "event.starts": "2026-08-08T14:00:00",
    "event.ends": "2026-08-08T22:30:00",
    "event.persons_at_once": "800",
    "event.persons_total": "1200",
    "event.persons_outdoors": "800",
    "event.distinct_events": "1",
    "event.filed": "2026-04-20",
    "event.complete": "2026-05-01",
    "event.wedding_of": '"owner"           # owner, owner_family, tenant, other',
    "event.tenant_lease_months": "12",
    "event.contact": '"J. Smith, 631-555-0100, js@example.org"',
    "event.days": '[{ on = 2026-07-18, from = "10:00", to = "16:00" }, { on = 2026-07-25, from = "10:00", to = "16:00" }]',
    "premises.parcels": '["..."]   # tax map numbers, as the layer prints them',
    "premises.layout": '"layout.gpkg"      # layer `layout`, field `what`: stage, tent, parking, ride',
    "premises.owned_entirely_by": '"private"   # private, municipality, educational, museum, emergency_medical, fire, nonprofit_civic_or_similar',
    "applicant.name": '"R. Doe"',
    "applicant.agent_in_county": '"J. Smith, 12 Main St"   # "" says that there is none',
    "benefit.charity": '"East End Relief Fund"   # left out: none',
    "benefit.sale_premises_owner": '"private"   # private, municipality, charity_or_nonprofit',
    "site.parking_spaces": "220",
    "site.vehicles_at_once": "200",
    "site.access_roads": "2",
    "site.lights": '["ordinary"]       # search, strobe, laser, revolving, ordinary; [] says that there are none',
    "site.tents": "[{ up = 2026-08-01, down = 2026-08-10 }]   # [] says that there are none",
    "site.signs": "[{ up = 2026-07-28, down = 2026-08-10, on_county_or_state_road = false, agency_approval = false }]",
    "insurance.injury_each": "2000000",
    "insurance.injury_aggregate": "4000000",
    "insurance.property": "2000000",
    "insurance.cancel_notice_days": "30",
    "yard_sale.days": "[2026-06-06, 2026-06-07]",
    "yard_sale.hours": '["09:00", "16:00"]',
    "expressive.notice_given": "2026-08-05T12:00:00",
    "parade.route": '"route.gpkg"',
    "amendment.filed": "2026-07-20",
    "denial.received": "2026-06-15",
    "denial.appeal_filed": "2026-06-22",
    "denial.hearing": "2026-07-21",
    "notice_given.hearing": "2026-06-23",
    "notice_given.published": "[2026-06-10]   # [] says that it was not published",
    "notice_given.posted": "2026-06-10",
    "notice_given.mailed": "2026-06-09",
}
"""What an answer looks like; a question that is not here is answered with true or false."""

HEADS: dict[str, str] = {
    "yard_sale": 'only for kind = "yard_sale"',
    "expressive": 'only for kind = "expressive"',
    "parade": 'only for kind = "parade"',
    "amendment": "only once a permit was issued and something changes",
    "denial": "only once the application was denied or the permit rescinded",
    "notice_given": "once the day of the hearing is fixed",
}


def keys_needed(profile: Profile) -> tuple[str, ...]:
    """Return the keys of the event file that the rules of a profile look at, in the order of the file."""
    wanted = set(ALWAYS)
    for rule in profile.rules:
        wanted |= CHECKS[rule.check].questions(rule.values) if rule.check else set()
        wanted |= set(notice_keys(rule))
        wanted |= {"event.complete" for period in rule.periods if period.reckoned_from == "complete"}
        wanted |= set(SIZE) if rule.only_for or rule.not_for else set()
        threshold = rule.threshold
        if threshold is None:
            continue
        wanted |= set(SIZE) if threshold.more_than_persons is not None else set()
        wanted |= {"event.persons_outdoors"} if threshold.outdoors_only else set()
        wanted |= {"event.planned_in_advance"} if threshold.planned_in_advance_only else set()
        wanted |= {"event.sponsor", "event.sponsor_in_control"} if threshold.exempt_sponsors else set()
        wanted |= {"event.sponsor_local"} if threshold.local_tie else set()
        wanted |= {"event.sponsor", "event.sponsor_in_control"} if threshold.doubtful_sponsors else set()
        wanted |= {"event.admission_charged", "event.commercial"} if threshold.commercial_or_admission else set()
    if any(rule.waivable for rule in profile.rules):
        wanted.add("site.waived")
    else:
        wanted.discard("site.waived")
    return tuple(key for key in QUESTIONS if key in wanted)


Sort = Literal[
    "text", "yes", "count", "amount", "day", "moment", "choice", "choices", "texts", "days", "hours", "rows", "parcels", "drawing", "route",
]  # fmt: skip
"""How a question is answered on a page; ``rows`` are several days, tents or signs, each with its own questions."""


class Asked(Struct, frozen=True, kw_only=True):
    """A question of an application as a page asks it.

    Parameters
    ----------
    key, text
        The key of the event file, and the question.
    sort, choices
        How it is answered, and the words of a choice.
    columns
        Of ``rows`` each column: its key within a row, its question, and how it is answered.
    only_for
        The kinds of events that it is asked of alone; none where it is asked of every kind.
    """

    key: str
    text: str
    sort: Sort
    choices: tuple[str, ...] = ()
    columns: "tuple[Asked, ...]" = ()
    only_for: tuple[str, ...] = ()


_OF_THE_OFFICE = frozenset({"amendment", "denial", "notice_given"})
"""What happens once an application is filed, and no applicant states."""
_NOT_ASKED = frozenset({"event.filed", "event.complete"})
"""What the office notes: the day on which it takes the application in, and that on which it finds it complete."""
_SORTS: Mapping[str, Sort] = {
    "premises.parcels": "parcels",
    "premises.layout": "drawing",
    "parade.route": "route",
    "site.lights": "choices",
    "site.waived": "texts",
    "yard_sale.days": "days",
    "yard_sale.hours": "hours",
    "site.tents": "rows",
    "site.signs": "rows",
    "event.days": "rows",
}
_COLUMNS: Mapping[str, Mapping[str, Sort]] = {
    "event.days": {"on": "day", "from": "text", "to": "text"},
    "site.tents": {"up": "day", "down": "day"},
    "site.signs": {"up": "day", "down": "day", "on_county_or_state_road": "yes", "agency_approval": "yes"},
}
_ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    **{part: (part,) for part in ("yard_sale", "expressive", "parade")},
    **dict.fromkeys(("event.wedding_of", "event.tenant_lease_months"), ("wedding", "funeral", "family")),
}
"""Kinds of events by part of the event file, or by key."""
_PLAIN: Mapping[type, Sort] = {bool: "yes", int: "count", float: "amount", str: "text", date: "day"}


def asked_of_applicant(profile: Profile) -> tuple[Asked, ...]:
    """Return what an applicant is asked under a profile: what its rules look at, in the order of the event file."""
    found = [_asked(key) for key in keys_needed(profile) if key.partition(".")[0] not in _OF_THE_OFFICE and key not in _NOT_ASKED]
    ends = next((n for n, one in enumerate(found, start=1) if one.key == "event.ends"), 0)
    return (*found[:ends], _asked("event.days"), *found[ends:])


def _asked(key: str) -> Asked:
    part, _, name = key.partition(".")
    kind, special = _kind(part, name), _SORTS.get(key)
    sort, choices = _sort_of(kind) if special is None else (special, _words(kind) if special == "choices" else ())
    columns = tuple(
        Asked(key=column, text=OF_EACH[f"{key}.{column}"], sort=of_column) for column, of_column in _COLUMNS.get(key, {}).items()
    )
    only_for = _ONLY_FOR.get(key) or _ONLY_FOR.get(part, ())
    return Asked(key=key, text=QUESTIONS[key], sort=sort, choices=choices, columns=columns, only_for=only_for)


def _kind(part: str, name: str) -> Any:  # noqa: ANN401  # an annotation
    """Return how the application's model writes the value of a key, without None."""
    table = next(field for field in fields(Event) if field.name == part)
    model = type(getattr(Event(), table.name))
    hint = get_type_hints(model, include_extras=True)[name]
    return next((one for one in get_args(hint) if one is not type(None)), hint) if _is_union(hint) else hint


def _is_union(hint: Any) -> bool:  # noqa: ANN401  # an annotation
    return get_origin(hint) in {Union, types.UnionType}


def _sort_of(kind: Any) -> tuple[Sort, tuple[str, ...]]:  # noqa: ANN401  # an annotation
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if _is_union(kind) and datetime in get_args(kind):
        return "moment", ()
    if get_origin(kind) is Literal:
        return "choice", get_args(kind)
    return _PLAIN[kind], ()


def _words(kind: Any) -> tuple[str, ...]:  # noqa: ANN401  # an annotation
    """Return the words of a list of choices."""
    inner = get_args(kind)[0]
    return get_args(inner)


def event_template(profile: Profile, *, town: str = "", parcel: str = "") -> str:
    """Write an event file for a town: each question as a comment, each answer ready to be filled in and freed of its ``#``.

    Parameters
    ----------
    profile
        The town's law.
    town
        Its name; by default that of the town which the profile was written for.
    parcel
        A number of its own layer, as an example; without it none is named, for another town's would mislead.
    """
    lines = [
        f"# An event in the {town or profile.town}, under {profile.chapter}.",
        "# Take the # off a line and put in the answer. A line left as it is means: not known. An answer that a rule needs and does not",
        "# have is asked for in the result. false, 0 and [] are answers. Dates and times are local.",
    ]
    waivable = next((rule.id for rule in profile.rules if rule.waivable), "")
    examples = {**EXAMPLES, "site.waived": f'["{waivable}"]   # rule ids'}
    if parcel:
        examples["premises.parcels"] = f"[{json.dumps(parcel, ensure_ascii=False)}]   # tax map numbers, as the layer prints them"
    lines += [f"# {line}" for warning in standing_warnings(profile) for line in wrap(warning.text, 130)]
    section = ""
    for key in keys_needed(profile):
        part, _, name = key.partition(".")
        if part != section:
            section = part
            head = HEADS.get(part, "")
            lines += ["", f"[{part}]{f'   # {head}' if head else ''}"]
        example = examples.get(key, "true" if _usually(key) else "false")
        lines += [f"# {QUESTIONS[key]}", f"# {name} = {example}"]
        if key == "event.ends":
            # Beside starts and ends it is refused: freed of its # like the others, it would spoil the file.
            lines += [f"# {QUESTIONS['event.days']}", f"# Then instead of starts and ends: days = {EXAMPLES['event.days']}"]
    return "\n".join(lines) + "\n"


def _usually(key: str) -> bool:
    """Return which answer the example shows for a yes-or-no question: only an example, never read."""
    section, _, name = key.partition(".")
    if not hasattr(getattr(Event(), section, None) or object(), name):
        return False
    return key not in {
        "event.night", "event.regular_sporting_event", "event.admission_charged", "event.commercial", "premises.municipal_building_or_grounds", "premises.outstanding_violations",
        "premises.unsatisfied_conditions", "applicant.charitable", "applicant.other_property_violations",
        "benefit.primarily_benefits_applicant", "benefit.private_profit", "benefit.advertises_goods", "benefit.outdoor_sale_of_goods",
        "site.camping", "site.rides", "site.alcohol", "site.animals", "site.tents_authorized", "parade.closes_highway",
    }  # fmt: skip
