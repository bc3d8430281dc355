"""What is wrong with a profile file, and what is worth a second look in a sound one."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from difflib import get_close_matches
from typing import Any

from geonotice.config.application import EVENT_KINDS, SPONSORS
from geonotice.config.questions import QUESTIONS
from geonotice.errors import Fault
from geonotice.io.toml import wrong_value
from geonotice.ordinance import profile as made
from geonotice.ordinance.checks import CHECKS, Value
from geonotice.ordinance.profile import NOTICE_KINDS, READINGS, SIGN_VALUES, Profile, Rule

__all__ = [
    "check_faults",
    "faults_of",
    "further_faults",
    "profile_notes",
    "threshold_faults",
]


def faults_of(errors: Sequence[Any], data: dict[str, Any], file: str) -> list[Fault]:
    """Return the faults of single values, each with its key: ``errors`` as pydantic lists them."""
    found = []
    for item in _once(errors):
        key = _key(item["loc"], data)
        if item["type"] == "unexpected_keyword_argument":
            what, remedy = f"{item['loc'][-1]!r} is not a key that a profile has here", "correct its spelling, or take it out"
        elif item["type"] == "missing":
            what, remedy = f"{item['loc'][-1]!r} is missing", "add it"
        else:
            what, remedy = wrong_value({**item, **_AS.get(item["type"], {})}), "correct the value"
        found.append(Fault(what=what, remedy=remedy, file=file, key=key))
    return found


_AS: dict[str, dict[str, str]] = {
    "dataclass_type": {"type": "dict_type"},
    "string_pattern_mismatch": {
        "type": "value_error",
        "msg": "an id is small letters, digits, - and _, and begins with a letter",
    },
}
"""What the words of a fault call an error: a table is a class here, and the one pattern is that of an id."""


def _once(errors: Sequence[Any]) -> list[Any]:
    """Return one error for each value: one that may be of several sorts is reported once for each of them."""
    found: dict[tuple[int | str, ...], Any] = {}
    for item in errors:
        place = item["loc"]
        if item["type"] == "too_short" and len(item["input"]) >= item["ctx"]["min_length"]:
            continue  # entries enough, of which some are wrong: they have faults of their own
        at = next((n for n, part in enumerate(place) if part in _SORTS), None)
        if at is None:
            found[(*place, item["type"])] = item
        else:
            said = {"loc": place[:at], "type": "value_error", "msg": _ANY_SORT, "input": item["input"]}
            found.setdefault(place[:at], said)
    return list(found.values())


_SORTS = ("bool", "int", "float", "str", "tuple[str, ...]")
"""How the checker calls the sorts of a value."""
_ANY_SORT = "true or false, a number, a text or a list of texts is meant"


def further_faults(data: dict[str, Any], file: str) -> Iterator[Fault]:
    """Return the faults that only show when the whole file is seen; told beside the others, so the file may still have any shape."""
    seen: set[object] = set()
    of_clerks: set[object] = set()
    occasions = data.get("occasions") or {}
    yield from _further(data, file)
    for n, rule in enumerate(_tables(data.get("rules"))):
        name = rule.get("id")
        if name in seen:
            yield Fault(what=f"the rule {name} stands twice", remedy="give each rule its own id", file=file, key=f"rules[{n}].id")
        seen.add(name)
        notice = rule.get("notice")
        occasion = notice.get("occasion") if isinstance(notice, dict) else None
        if rule.get("kind") == "clerk_notice" and occasion in of_clerks:
            what = f"{name} is the second clerk_notice of the occasion {occasion!r}, of which only the first would be looked at"
            remedy = "write one rule for the clerks, with the farther distance"
            yield Fault(what=what, remedy=remedy, file=file, key=f"rules[{n}].notice.occasion")
        yield from _strange_acts(rule, file, n)
        of_clerks |= {occasion} if rule.get("kind") == "clerk_notice" else set()
        if occasion and occasion not in occasions:
            yield Fault(
                what=f"the occasion {occasion!r} of {name} is not among [occasions] ({', '.join(occasions) or 'none'})",
                remedy="add it there with a line saying what it is, or correct its name",
                file=file,
                key=f"rules[{n}].notice.occasion",
            )
    yield from _opposites_that_differ(data, file)
    settings = data.get("settings")
    for name, item in (settings if isinstance(settings, dict) else {}).items():
        value = item.get("value") if isinstance(item, dict) else None
        if value is not None and name in READINGS and value not in READINGS[name]:
            yield Fault(
                what=f"the reading {name} is set to {value!r}, which changes nothing",
                remedy=f"choose one of: {', '.join(READINGS[name])}",
                file=file,
                key=f"settings.{name}.value",
            )
    codes: set[tuple[str, str]] = set()
    for n, item in enumerate(_tables(data.get("districts"))):
        key = (made.district_key(str(item.get("code"))), str(item.get("municipality", "")).casefold())
        if key in codes:
            what = f"the district {item.get('code')} stands twice"
            yield Fault(what=what, remedy="keep one entry for it", file=file, key=f"districts[{n}].code")
        codes.add(key)


def _further(data: dict[str, Any], file: str) -> Iterator[Fault]:
    """Return the faults of the rules that come from elsewhere: a set that there is not, an id taken twice, a rule of a kind that cannot be."""
    from geonotice.ordinance.load import shared_rules, shared_sets

    also = data.get("also")
    names = [name for name in also if isinstance(name, str)] if isinstance(also, list) else []
    known = shared_sets()
    for name in names:
        if name not in known:
            what = f"there is no set of rules {name!r} (there are: {', '.join(known)})"
            yield Fault(what=what, remedy="correct its name, or take it out", file=file, key="also")
    own = {rule.get("id") for rule in _tables(data.get("rules"))}
    shared = {rule.id for name in names if name in known for rule in shared_rules(name)}
    for n, rule in enumerate(_tables(data.get("further"))):
        id_ = rule.get("id")
        if id_ in own | shared:
            yield Fault(
                what=f"the rule {id_} stands twice", remedy="give each rule its own id", file=file, key=f"further[{n}].id"
            )
        own.add(id_)
        if not rule.get("source"):
            what = f"{id_} does not say where it comes from: a rule under [[further]] is not in the text of the town's own law"
            yield Fault(what=what, remedy="add source", file=file, key=f"further[{n}].source")
        if rule.get("kind") in ("threshold", "cap", "exemption", *NOTICE_KINDS, "publication", "posting"):
            what = f"{id_} is of kind {rule.get('kind')}, which is looked for among [[rules]] only"
            yield Fault(what=what, remedy="write it under [[rules]]", file=file, key=f"further[{n}].kind")


def _opposites_that_differ(data: dict[str, Any], file: str) -> Iterator[Fault]:
    """Refuse two readings of "opposite" in one law: premises are measured once, and one of the two rules would get the other's list."""
    first: tuple[object, object] | None = None
    for n, rule in enumerate(_tables(data.get("rules"))):
        notice = rule.get("notice")
        if not isinstance(notice, dict) or "opposite" not in (notice.get("relations") or ()):
            continue
        how = (notice.get("opposite", "extension"), notice.get("opposite_distance_ft"))
        first = first or how
        if how != first:
            what = f"{rule.get('id')} reads opposite otherwise than a rule before it"
            remedy = "write the same opposite and opposite_distance_ft in every rule whose relations name opposite"
            yield Fault(what=what, remedy=remedy, file=file, key=f"rules[{n}].notice.opposite")


def _strange_acts(rule: dict[str, Any], file: str, n: int) -> Iterator[Fault]:
    """Refuse a way of giving notice that no event file states: the notice could never be found to be given."""
    values = rule.get("values")
    given = values.get("given") if isinstance(values, dict) else None
    if given is None or rule.get("kind") not in (*NOTICE_KINDS, "publication", "posting"):
        return
    known = ("published", "posted", "mailed")
    strange = [word for word in (given if isinstance(given, list) else [given]) if word not in known]
    if strange or not given:
        what = (
            f"the notice of {rule.get('id')} is given by {', '.join(map(repr, strange)) or 'nothing'}, which no event file states"
        )
        yield Fault(what=what, remedy=f"name one or more of: {', '.join(known)}", file=file, key=f"rules[{n}].values.given")


def check_faults(name: str, kind: str, values: Mapping[str, object], periods: Sequence[str]) -> Iterator[str]:
    """Return what keeps the check of a rule from deciding it: values it lacks, does not know or cannot use, another kind, periods it lacks.

    A rule without a check may say what it likes.

    Parameters
    ----------
    name
        The check that the rule names.
    periods
        The keys of the rule's periods.
    """
    if not name:
        return
    check = CHECKS.get(name)
    if check is None:
        yield f"there is no check {name!r}; the checks are: {', '.join(sorted(CHECKS))}"
        return
    if lacking := [value.name for value in check.values if not value.optional and value.name not in values]:
        yield f"the check {name!r} needs values for: {', '.join(lacking)}"
    known = {value.name: value for value in check.values}
    for key, given in values.items():
        if key in known:
            yield from _value_faults(known[key], given)
        else:
            yield f"the check {name!r} knows no value {key!r}; it knows: {', '.join(known) or 'none'}"
    if name == "hours" and ("late_closes" in values) != ("late_days" in values):
        yield "late_closes and late_days go together: the later hour, and the days that have it"
    if check.kind and kind != check.kind:
        yield f"the check {name!r} belongs to a rule of kind {check.kind!r}; in one of kind {kind!r} it does nothing"
    if lacking := [key for key in check.periods if key not in periods]:
        yield f"the check {name!r} needs a [[rules.periods]] with key: {', '.join(map(repr, lacking))}"


_MOST = 1_000_000_000
"""The largest number of a value; no law's is near it."""

_STATED = tuple(key for key in QUESTIONS if not key.startswith("facts."))
"""The questions that an event file answers; those of ``facts`` the layers do."""


def _value_faults(value: Value, given: object) -> Iterator[str]:
    """Return what is wrong with one value of a check."""
    key = f"values.{value.name}"
    match value.sort:
        case "word" if isinstance(given, list):
            yield f"{key} is one word, not a list; it may be: {', '.join(value.words)}"
        case "word" | "words":
            yield from _strange(key, given if isinstance(given, list) else [given], value.words)
        case "text":
            yield from [] if isinstance(given, str) and given.strip() else [f"{key} is a text, not {given!r}"]
        case "texts":
            listed = given if isinstance(given, list) else [given]
            if not listed or not all(isinstance(word, str) and word for word in listed):
                yield f"{key} is a list of texts, not {given!r}"
        case "questions":
            yield from _strange(key, given if isinstance(given, list) else [given], _STATED)
        case "clock":
            try:
                time.fromisoformat(str(given))
            except ValueError:
                yield f'{key} is a time of day as "22:00", not {given!r}'
        case "flag":
            yield from [] if isinstance(given, bool) else [f"{key} is true or false, without quotation marks"]
        case _:
            yield from _number_faults(value, given)


def _number_faults(value: Value, given: object) -> Iterator[str]:
    divisor, count = value.sort == "divisor", value.sort == "count"
    if (
        isinstance(given, bool)
        or not isinstance(given, (int, float))
        or not 0 <= given <= _MOST
        or (divisor and given == 0)
        # Half of a permit, a day or a person is a slip, and would be dropped without a word.
        or (count and given != int(given))
    ):
        least = f"above 0 and up to {_MOST:,}" if divisor else f"from 0 to {_MOST:,}"
        number = "a whole number" if count else "a number"
        yield f"values.{value.name} is {number}, {least}, without quotation marks, not {given!r}"


def threshold_faults(lists: Mapping[str, list[str]]) -> Iterator[str]:
    """Return which kinds of events and sponsors of a threshold no event file can name."""
    for name, given in lists.items():
        yield from _strange(f"threshold.{name}", given, EVENT_KINDS if name == "exempt_kinds" else SPONSORS)


def _strange(key: str, given: Sequence[object], words: Sequence[str]) -> Iterator[str]:
    wrong = [str(word) for word in given if word not in words]
    if wrong:
        yield f"{key} has {', '.join(map(repr, wrong))}, which nothing can match; it may have: {', '.join(words)}"


def _tables(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _key(location: tuple[int | str, ...], data: Any) -> str:  # noqa: ANN401  # any TOML value
    """Return where in the file: ``rules[italy.scope].notice.distance_ft``, the rule by its id where it has one."""
    key = ""
    here = data
    for part in location:
        if isinstance(part, int):
            here = here[part] if isinstance(here, list) and part < len(here) else None
            name = (here.get("id") or here.get("code")) if isinstance(here, dict) else None
            key += f"[{name or part}]"
        else:
            here = here.get(part) if isinstance(here, dict) else None
            key += f".{part}" if key else part
    return key


CHECKED_KINDS = ("condition", "prohibition", "exemption", "cap")
"""The kinds that decide something by their check, and nothing without one."""

PRINTED = frozenset({"parking_sq_ft_per_car", "appointed_days"})
"""Settings that change an answer and take any value of their sort."""


def profile_notes(profile: Profile) -> tuple[str, ...]:
    """Return the notes on a profile, in the order of its file; empty where there is nothing to look at."""
    of_rules = (note for rule in profile.every_rule for note in _on_a_rule(rule))
    return (*_on_the_head(profile), *of_rules, *_on_the_districts(profile))


def _on_the_head(profile: Profile) -> Iterator[str]:
    if profile.status == "partial":
        yield 'status is "partial": every result says that it holds some rules of the law only.'
    if not profile.verified:
        yield "verified is not true: every result says that nobody read it against the text."
    if unsure := [rule.id for rule in profile.every_rule if not rule.verified]:
        yield f"not verified, which every finding of them says: {', '.join(unsure)}."
    if bare := profile.without_words:
        yield f"without the law's own words, which every result says: {', '.join(bare)}."
    told = {rule.occasion for rule in profile.rules}
    for name in profile.occasions:
        if name not in told:
            yield f"no rule gives notice on the occasion {name!r}."
    for name, reading in profile.settings.items():
        near = get_close_matches(name, [*READINGS, *PRINTED], n=1, cutoff=0.8)
        if name not in READINGS and name not in PRINTED and (near or len(reading.choices) > 1):
            yield f"the setting {name} is shown and changes no answer.{f' Is {near[0]} meant?' if near else ''}"


def _on_a_rule(rule: Rule) -> Iterator[str]:
    if rule.kind in CHECKED_KINDS and not rule.check:
        yield f"{rule.id} is a {rule.kind} without a check: it is shown as a reminder, and nothing is decided."
    if rule.kind == "posting":
        if unknown := [name for name in rule.values if name not in SIGN_VALUES]:
            yield f"{rule.id} has values that no sheet of a sign prints: {', '.join(unknown)}. Known are {', '.join(SIGN_VALUES)}."
    elif rule.values and not rule.check and "given" not in rule.values:
        yield f"{rule.id} has values and no check that uses them: they are shown only."
    if rule.kind == "reminder" and rule.check in CHECKS and CHECKS[rule.check].can_refuse(rule.values):
        yield f"{rule.id} is called a reminder, and its check {rule.check} refuses all the same."


def _on_the_districts(profile: Profile) -> Iterator[str]:
    zoned = [
        rule.id for rule in profile.rules if rule.kind == "cap" or rule.check == "rides" or (rule.notice and rule.notice.only_in)
    ]
    if zoned and not profile.districts:
        yield f"there is no [[districts]] table, so {', '.join(zoned)} always leave the district to be determined."
