"""Take one-string mailing addresses apart, where that is safe; where it is not, the string stays whole and is still printed whole.

``88 PENNSYLVANIA BLVD FLORAL PARK NY 11001`` has no mark between street and city. The State and the ZIP code at its end are sure; the city
is split off only where a comma, a box number, a unit or a street's suffix marks where it begins, or where the layer itself knows a
city of that name. The parts, put together again, are always the whole string, in its order.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from geonotice.address_spelling import CARE_OF, normal_text
from geonotice.layers.countries_and_zip_codes import (
    POSTAL_BRITAIN,
    POSTAL_CANADA,
    STATES,
    TERRITORIES,
    TOWNS_TOO,
    country_at_end,
    is_country,
    is_us,
    province,
    spelled_out,
    state_code,
    tidy_zip,
    zip_fits,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "MAY_BE_MILITARY",
    "MailAddress",
    "city_state_zip",
    "house_and_street",
    "known_cities",
    "settle_address",
    "split_address",
    "split_situs",
]

_SUFFIX = frozenset(
    [
        "ALY",
        "ALLEY",
        "AVE",
        "AV",
        "AVENUE",
        "BLVD",
        "BOULEVARD",
        "CIR",
        "CIRCLE",
        "CT",
        "COURT",
        "CRES",
        "CRESCENT",
        "DR",
        "DRIVE",
        "EXPY",
        "HWY",
        "HIGHWAY",
        "LN",
        "LANE",
        "PKWY",
        "PKY",
        "PARKWAY",
        "PL",
        "PLACE",
        "PLZ",
        "PLAZA",
        "RD",
        "ROAD",
        "SQ",
        "SQUARE",
        "ST",
        "STR",
        "STREET",
        "TER",
        "TERR",
        "TERRACE",
        "TPKE",
        "TPK",
        "TURNPIKE",
        "TRL",
        "TRAIL",
        "WAY",
        "WALK",
        "PATH",
        "LOOP",
        "ROW",
    ]
)
"""Suffixes of streets that hardly ever begin or end a city's name."""
_UNIT = frozenset(["APT", "APARTMENT", "UNIT", "STE", "SUITE", "RM", "ROOM", "FL", "FLOOR", "BLDG", "LOT", "TRLR", "PMB", "#"])
_DIRECTION = frozenset(["N", "S", "E", "W", "NE", "NW", "SE", "SW", "NORTH", "SOUTH", "EAST", "WEST"])
_NUMBERED = frozenset(["RTE", "ROUTE", "RT", "RD", "ROAD", "HWY", "HIGHWAY", "CR"])
_BEFORE_SAINT = _SUFFIX | {"PORT", "EAST", "WEST", "NORTH", "SOUTH"}
_END = re.compile(
    r"^(?P<rest>.*?)[\s,]+(?P<state>[A-Za-z]\.?\s?[A-Za-z]\.?)[\s,]+(?P<zip>\d{5}(?:[-\s]?\d{4})?|\d{9}|\d{4})(?:[\s,]+(?:USA?|U\.S\.A\.|UNITED STATES))?$",
    re.IGNORECASE,
)
_ENDS_SO = re.compile(r"[\dAS.]$", re.IGNORECASE)
"""How a text ends that :data:`_END` may match."""
_ONLY_ZIP = re.compile(
    r"^(?P<rest>.*\d.*[A-Za-z]{3,}|.*,.*[A-Za-z]\.)[\s,]+(?P<zip>\d{5}(?:-\d{4})?)$(?<!BOX \d{5})", re.IGNORECASE
)
_CSZ = re.compile(r"^(?P<city>[^\d]*?)[\s,]+(?P<state>[A-Za-z]\.?[A-Za-z])\.?(?:[\s,]+(?P<zip>\d{3,5}(?:[-\s]?\d{4})?|\d{9}))?$")
_CSZ_NAMED = re.compile(
    r"^(?P<city>[^\d,]+?)(?:,\s*(?P<state>[A-Za-z][A-Za-z. ]+?)|\s+(?P<isle>PUERTO RICO))(?:[\s,]+(?P<zip>\d{3,5}(?:[-\s]?\d{4})?|\d{9}))?$",
    re.IGNORECASE,
)
_US_AT_END = re.compile(r"[\s,]+(?:USA?|U\.S\.A?\.?|UNITED STATES(?: OF AMERICA)?)\.?$", re.IGNORECASE)
_STATE_ZIP = re.compile(r"^(?P<state>[A-Za-z]{2})[\s,]+(?P<zip>\d{5}(?:[-\s]?\d{4})?)$")
_BOX = re.compile(r"\b(?:P\.?\s?O\.?\s*(?:BOX|DRAWER)|POB|BOX|P\.?O\.?)\s*#?\s*(?:\d[\w-]*|[A-Z]\b)", re.IGNORECASE)
_CARE = re.compile(rf"^(?:{CARE_OF}\b|%)", re.IGNORECASE)
_STREET_NUMBER = re.compile(r"(?<=\s)\d+[A-Z]?(?:\s?-\s?\d+)?\s+(?=[A-Z0-9])", re.IGNORECASE)
_PROVINCE_NAME = re.compile(
    r"\b(?:ONTARIO|QU[EÉ]BEC|NOVA SCOTIA|NEW BRUNSWICK|MANITOBA|SASKATCHEWAN|ALBERTA|BRITISH COLUMBIA)\b", re.IGNORECASE
)
_NO_LETTER = re.compile(r"[^A-Z0-9#/&' -]+")

_LONGEST_CITY = 4


@dataclass(frozen=True, slots=True)
class MailAddress:
    """The parts of an address; ``lines`` are the delivery lines, what could not be split off stays in the last of them.

    ``changed`` are the codes of what is not as the roll has it: ``zip_completed`` (a lost zero put back), ``country_moved`` (the country stood in
    another field), ``country_spelled`` (it was one of ISO's codes), ``country_added`` (a postal code names it, the roll does not),
    ``country_contradicts`` (a country beside a State and its ZIP code) and ``zip_not_of_state``; the last two say what is doubtful and was left.
    """

    lines: tuple[str, ...]
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""
    changed: tuple[str, ...] = ()


def city_state_zip(text: str) -> MailAddress:
    """Take apart a field that holds city, State and ZIP code; what does not end in a State's code stays whole, as the city.

    Examples
    --------
    >>> part = city_state_zip("Albany, NY  12203")
    >>> part.city, part.state, part.zip
    ('Albany', 'NY', '12203')
    >>> city_state_zip("TORONTO ONTARIO M4V 1H4").city
    'TORONTO ONTARIO M4V 1H4'
    """
    whole = _US_AT_END.sub("", text.strip()).rstrip(" ,")
    found = _CSZ.match(whole) or _CSZ_NAMED.match(whole)
    parts = found.groupdict() if found else {}
    state = parts.get("state") or parts.get("isle") or ""
    if found and state_code(state) and found["city"].strip(" ,"):
        return MailAddress((), found["city"].strip(" ,"), state, tidy_zip(found["zip"] or "", state=state))
    return MailAddress((), text.strip())


def known_cities(texts: "Iterable[str]") -> frozenset[str]:
    """Collect the cities that a suffix, a comma, a unit or a box marks off safely in one-string addresses: at least two of each."""
    counts: Counter[str] = Counter()
    for text in texts:
        city = split_address(text).city
        if city:
            counts[_plain(city)] += 1
    return frozenset(city for city, count in counts.items() if count > 1)


def split_address(text: str, cities: "Mapping[str, int] | frozenset[str]" = frozenset()) -> MailAddress:
    """Take a one-string address apart as far as is safe.

    Parameters
    ----------
    text
        The string, as the layer has it.
    cities
        Names of cities the layer knows, in capitals (:func:`known_cities`).

    Examples
    --------
    >>> split_address("88 PENNSYLVANIA BLVD FLORAL PARK NY 11001")
    MailAddress(lines=('88 PENNSYLVANIA BLVD',), city='FLORAL PARK', state='NY', zip='11001', country='', changed=())
    >>> split_address("93 -11 35TH LONG ISLAND CITY NY 11106")
    MailAddress(lines=('93 -11 35TH LONG ISLAND CITY',), city='', state='NY', zip='11106', country='', changed=())
    >>> split_address("93 -11 35TH LONG ISLAND CITY NY 11106", frozenset({"LONG ISLAND CITY"})).city
    'LONG ISLAND CITY'
    >>> split_address("C/O A SMITH 87 SOUTH GREAT RD LINCOLN MA 01773").lines
    ('C/O A SMITH', '87 SOUTH GREAT RD')
    """
    whole = text.strip(" ,")
    return _with_state(whole, cities) or _without_state(whole)


def _with_state(whole: str, cities: "Mapping[str, int] | frozenset[str]") -> MailAddress | None:
    """Take an address apart that ends in a State's code and a ZIP code; None where it does not."""
    if not _ENDS_SO.search(whole):  # nearly every property's own address
        return None
    found = _END.match(whole)
    state = re.sub(r"[.\s]", "", found["state"]).upper() if found else ""
    if not found or state not in STATES or (len(found["zip"]) < _ZIP and tidy_zip(found["zip"], state=state) == found["zip"]):
        return None
    rest, code = found["rest"].strip(" ,"), tidy_zip(found["zip"], state=state)
    at = _city_start(rest, cities)
    street, city = (rest[:at].strip(" ,"), rest[at:].strip(" ,")) if at else (rest, "")
    return MailAddress(_delivery_lines(street), city, found["state"], code, changed=_of_zip(found["zip"], code, state))


def _without_state(whole: str) -> MailAddress:
    """Keep an address whole whose State is not known by its code, but for the country; a ZIP code at the end of a city is one all the same."""
    rest, country = country_at_end(whole)
    before = _bare(rest.split()[-1]) if rest.split() else ""
    if country and len(rest.split()) >= _LEAST_WORDS and not (normal_text(country) in TOWNS_TOO and before in _SUFFIX):
        return MailAddress((rest,), country=country)
    found = _ONLY_ZIP.match(whole)
    added = _by_postal_code(whole)
    if found and not added:
        return MailAddress((found["rest"].strip(" ,"),), zip=tidy_zip(found["zip"]))
    return MailAddress((whole,) if whole else (), country=added, changed=("country_added",) if added else ())


_ZIP = 5
_LEAST_WORDS = 2


def _by_postal_code(text: str) -> str:
    """Return the country that a postal code, or a province beside none of ours, is of; empty where nothing says so."""
    if re.search(r"\b\d{5}\b(?!\s*$)|\b\d{5}$", text) and not POSTAL_CANADA.search(text):
        return ""
    if POSTAL_CANADA.search(text) or _PROVINCE_NAME.search(text):
        return "CANADA"
    return "UNITED KINGDOM" if POSTAL_BRITAIN.search(text.strip(" ,.")) else ""


def _of_zip(written: str, code: str, state: str) -> tuple[str, ...]:
    """Return what is to be said of a tidied ZIP code: that zeros were put back, or that it is none of the State's."""
    before, after = (re.sub(r"[^0-9]", "", re.sub(r"\.0*$", "", text)) for text in (written.strip(), code))
    if after.startswith("0") and not before.startswith("0"):
        return ("zip_completed",)
    return ("zip_not_of_state",) if code and state and not zip_fits(code, state) else ()


def _delivery_lines(street: str) -> tuple[str, ...]:
    """Set a care-of before the house number, and a post-office box after the street, on lines of their own."""
    lines: list[str] = []
    if _CARE.match(street):
        starts = [m.start() for m in (_STREET_NUMBER.search(street), _BOX.search(street)) if m and m.start() > 0]
        if starts:
            at = min(starts)
            lines.append(street[:at].strip(" ,"))
            street = street[at:].strip(" ,")
    box = _BOX.search(street)
    if box and box.start() > 0 and box.end() == len(street):
        return (*lines, street[: box.start()].strip(" ,"), street[box.start() :])
    return (*lines, street) if street else tuple(lines)


def _city_start(rest: str, cities: "Mapping[str, int] | frozenset[str]") -> int:
    """Return where the city begins in a text without State and ZIP code; 0 where that is not clear."""
    if "," in rest:
        at = rest.rindex(",") + 1
        city = rest[at:].strip()
        if city and _could_be_city(city.upper().split()):
            return at
    words = [(m.start(), _bare(m.group())) for m in re.finditer(r"\S+", rest)]
    at = _by_marks(rest, words)
    known = _by_known(words, cities)
    if known and at and known != at:
        # the layer's own city wins only where it is the longer ending: "NEW HYDE PARK" over "PARK"
        return min(known, at)
    return at or known


def _by_known(words: list[tuple[int, str]], cities: "Mapping[str, int] | frozenset[str]") -> int:
    for count in range(min(_LONGEST_CITY, len(words) - 2), 0, -1):
        if " ".join(word for _, word in words[-count:]) in cities:
            return words[-count][0]
    return 0


def _by_marks(rest: str, words: list[tuple[int, str]]) -> int:
    """Find the city after a box number, a unit, or the street's suffix."""
    # the places of the first words after a mark
    marks = [sum(start < box.end() for start, _ in words) for box in _BOX.finditer(rest)]
    for place, (_, word) in enumerate(words[:-1]):
        if word in _UNIT or (word.startswith("#") and len(word) > 1) or re.match(r"(?:UNIT|APT|STE)#?\d", word):
            after = place + (2 if word in _UNIT else 1)
            after += 1 if after < len(words) and words[after - 1][1] == "#" else 0
            marks.append(after)
        elif word in _SUFFIX and place >= 1 and not (place == 1 and words[0][1].isdigit()):
            after = place + 1
            if word in _NUMBERED and after < len(words) and words[after][1].isdigit():
                after += 1
            if after < len(words) - 1 and words[after][1] in {"N", "S", "E", "W", "NE", "NW", "SE", "SW"}:
                after += 1
            marks.append(after)
    ends = [mark for mark in marks if mark < len(words) and _could_be_city([word for _, word in words[mark:]])]
    if not ends:
        return 0
    last = max(ends)
    # "12 OAK ST ST JAMES": of two readings the earlier one, where the last mark is a saint
    saint = words[last - 1][1] == "ST" and words[max(last - 2, 0)][1] in _BEFORE_SAINT
    if saint and len(ends) > 1:
        last = sorted(set(ends))[-2]
    return words[last][0]


def _could_be_city(words: list[str]) -> bool:
    if not 1 <= len(words) <= _LONGEST_CITY:
        return False
    if any(any(letter.isdigit() for letter in word) or word in _UNIT or "#" in word for word in words):
        return False
    if all(word in _DIRECTION for word in words):
        return False
    return not any(word in _SUFFIX - {"ST"} for word in words)


def _bare(word: str) -> str:
    return _NO_LETTER.sub("", word.upper().rstrip("."))


def _plain(text: str) -> str:
    return " ".join(_bare(word) for word in text.split())


MAY_BE_MILITARY = r"(?i)^\s*[AFD]\.?P\.?O\b"
"""How a city begins that is a post office of the armed forces; a column of cities is searched with it first."""
_MILITARY = re.compile(MAY_BE_MILITARY)
_US_FORM = re.compile(r"\d{5}(?:-\d{4})?")


def settle_address(lines: "Sequence[str]", city: str, state: str, code: str, *, plus: str = "", country: str = "") -> MailAddress:
    """Settle what State, ZIP code and country an address has, wherever they stand.

    The country is looked for before a code is taken for a ZIP code: in its own field, in the place of the ZIP code or the State, at the end of
    the city, on a line of its own. It is then printed once, last. An address with a State and a ZIP code of it is at home, whatever
    the city is called.

    Parameters
    ----------
    lines, city, state, code, plus, country
        As the layer has them; ``plus`` are the four digits of a ZIP code that some keep apart. Empty where it has none.

    Examples
    --------
    >>> settle_address(["23-21 NIJO"], "OSAKA, JAPAN", "", "5691021")
    MailAddress(lines=('23-21 NIJO',), city='OSAKA', state='', zip='5691021', country='JAPAN', changed=('country_moved',))
    >>> settle_address(["12 MOUNT ST", "UNITED KINGDOM"], "LONDON W1K 3JP", "", "").country
    'UNITED KINGDOM'
    >>> settle_address(["1 CHURCH ST"], "MEXICO", "NY", "13114").country, settle_address(["5 ELM ST"], "FISHERS ISLAND", "NY", "6390").zip
    ('', '06390')
    """
    lines = [line for line in lines if line]
    at_us, country = is_us(country), "" if is_us(country) else country
    lines, city, state, code = _taken_apart(lines, city, state, code)
    if state_code(country) in TERRITORIES:
        state, country = state or country, ""
    home = state_code(state)
    military = bool(_MILITARY.match(city))
    tidy = tidy_zip(code, plus, state=home or ("AE" if military else ""))
    if (home or military) and (not tidy or _US_FORM.fullmatch(tidy)) and not is_country(code):
        at_home = MailAddress(tuple(lines), city, state, tidy, changed=() if military else _of_zip(code, tidy, home))
        if military and tidy != code and code and not code.startswith("0") and tidy.startswith("0"):
            at_home = replace(at_home, changed=("zip_completed",))
        if not country:
            return at_home
        if tidy and zip_fits(tidy, home):
            return replace(at_home, country=country, changed=(*at_home.changed, "country_contradicts"))
    found, changed = _looked_for(lines, city, state, code, country)
    if found is None:
        added = _added(city, state, code)
        if added:
            return MailAddress(tuple(lines), city, state, _verbatim(code, plus), added, ("country_added",))
        return MailAddress(tuple(lines), city, state, tidy, changed=() if at_us or not tidy else _of_zip(code, tidy, ""))
    return replace(found, zip=_verbatim(found.zip, plus), changed=changed)


def _taken_apart(lines: "list[str]", city: str, state: str, code: str) -> "tuple[list[str], str, str, str]":
    """Take State and ZIP code off the city, or the city and both off the last line, where their own fields are empty."""
    if not code and (found := _STATE_ZIP.match(state)) and state_code(found["state"]):
        return lines, city, found["state"], found["zip"]
    if city and not state:
        part = city_state_zip(city)
        if part.state and (not part.zip or not code or part.zip[:_ZIP] == code[:_ZIP]):
            return lines, part.city, part.state, code or part.zip
    if lines and not city and not state and not code:
        part = city_state_zip(lines[-1]) if len(lines) > 1 else MailAddress(())
        if part.state and not _could_be_street(part.city):
            return lines[:-1], part.city, part.state, part.zip
        split = split_address(lines[-1])
        if split.state and split.zip and split.lines:
            return [*lines[:-1], *split.lines], split.city, split.state, split.zip
    return lines, city, state, code


def _could_be_street(text: str) -> bool:
    return any(letter.isdigit() for letter in text) or bool(_BOX.search(text))


@dataclass(slots=True)
class _Search:
    """An address whose country is looked for; what is found is taken out of its place, and of every place where the same stands again."""

    lines: list[str]
    city: str
    state: str
    code: str
    found: str
    moved: bool = False
    spelled: bool = False

    def take(self, country: str) -> None:
        self.spelled |= not self.found and spelled_out(country) != country
        self.found, self.moved = self.found or spelled_out(country), True

    def same(self, text: str) -> bool:
        """Whether a country may be taken out: there is no other, or it is the same."""
        return bool(text) and (not self.found or normal_text(spelled_out(text)) == normal_text(self.found))

    def in_code(self) -> None:
        rest, country = country_at_end(self.code)
        if not any(map(str.isdigit, self.code)) and is_country(self.code, codes=True) and self.same(self.code):
            self.take(self.code)
            self.code = ""
        elif self.same(country):
            self.take(country)
            self.code = rest

    def in_state(self) -> None:
        if not self.state or state_code(self.state):
            return
        rest, country = country_at_end(self.state)
        if not province(self.state) and is_country(self.state, codes=True) and self.same(self.state):
            self.take(self.state)
            self.state = ""
        elif rest and self.same(country):
            self.take(country)
            self.state = rest

    def in_city(self) -> None:
        rest, country = country_at_end(self.city)
        if rest and self.same(country):
            self.take(country)
            self.city = rest
        elif country and not self.found and not self.state and not _town_too(self.city, self.code):
            self.take(country)
            self.city = ""

    def in_lines(self) -> None:
        for line in [line for line in self.lines[1:] if is_country(line)]:
            if self.same(line):
                self.take(line)
                self.lines.remove(line)
        if not self.lines or self.city or self.state or self.code or self.found:
            return
        rest, country = country_at_end(self.lines[-1])
        if country and rest and (len(self.lines) > 1 or len(rest.split()) > _LEAST_WORDS or "," in self.lines[-1]):
            self.take(country)
            self.lines[-1] = rest


def _looked_for(
    lines: "list[str]", city: str, state: str, code: str, country: str
) -> "tuple[MailAddress | None, tuple[str, ...]]":
    """Return the address with its country in the country's place; None where no field names one."""
    search = _Search(list(lines), city, state, code, spelled_out(country))
    for look in (search.in_code, search.in_state, search.in_city, search.in_lines):
        look()
    if not search.found:
        return None, ()
    changed = []
    if search.spelled or search.found != (country or search.found):
        changed.append("country_spelled")
    if search.moved and not country:  # in a field of its own it was already: what is taken out of the others only repeats it
        changed.append("country_moved")
    return MailAddress(tuple(search.lines), search.city, search.state, search.code, search.found), tuple(changed)


def _town_too(city: str, code: str) -> bool:
    """Whether a city that is called as a country is may be a town at home: nothing else about it is foreign."""
    return normal_text(city) in TOWNS_TOO and (not code or bool(_US_FORM.fullmatch(tidy_zip(code))))


def _added(city: str, state: str, code: str) -> str:
    """Return the country that the postal code or the province is of, where no field names one."""
    if state_code(state) and not POSTAL_CANADA.search(code):
        return "UNITED KINGDOM" if POSTAL_BRITAIN.fullmatch(code) else ""
    if province(state) and (not code or POSTAL_CANADA.search(code)):
        return "CANADA"
    return _by_postal_code(f"{city} {code}".strip()) or _by_postal_code(code)


def _verbatim(code: str, plus: str) -> str:
    """Return a code from abroad with what the layer keeps apart of it."""
    whole = tidy_zip(code, plus, home=True) if POSTAL_CANADA.fullmatch(code + plus) else tidy_zip(code, home=False)
    extra = plus if plus.strip("0") and whole != code + plus else ""
    return f"{whole} {extra}".strip()


_PART_OF_BUILDING = frozenset(
    [
        "REAR",
        "FRONT",
        "FRNT",
        "OFF",
        "BASEMENT",
        "BSMT",
        "UPPER",
        "LOWER",
        "LEFT",
        "RIGHT",
        "SIDE",
        "BARN",
        "GARAGE",
        "VACANT",
        "LAND",
    ]
)
_HOUSE_STREET = re.compile(r"^(?P<number>\d+(?:[-/ ]\d+)*(?:\s?1/2)?[A-Za-z]?)\s+(?P<street>\S.*)$")


def split_situs(
    text: str, cities: "Mapping[str, int] | frozenset[str]" = frozenset(), *, loose: bool = False
) -> MailAddress | None:
    """Take city, State and ZIP code off a property's own address; None where it has none that is sure.

    Parameters
    ----------
    text
        The address, as the layer has it.
    cities
        Names of cities the layer knows, in capitals.
    loose
        Whether what stands after the last comma is a city wherever it could be one: most of the layer's addresses end so.

    Examples
    --------
    >>> split_situs("6237 SECOND, MAYVILLE", frozenset({"MAYVILLE"}))
    MailAddress(lines=('6237 SECOND',), city='MAYVILLE', state='', zip='', country='', changed=())
    >>> part = split_situs("6237 SECOND ST, MAYVILLE NY 14757")
    >>> part.lines, part.city, part.state, part.zip
    (('6237 SECOND ST',), 'MAYVILLE', 'NY', '14757')
    >>> split_situs("12 MAIN ST MAYVILLE, NY").city, split_situs("12 MAIN ST, REAR"), split_situs("12 MAIN ST MAYVILLE")
    ('MAYVILLE', None, None)
    """
    whole = _US_AT_END.sub("", text.strip(" ,")).rstrip(" ,")
    ended = _with_state(whole, cities)
    if ended and ended.zip:
        return ended if ended.city and ended.lines else None
    parts = [part.strip() for part in whole.split(",") if part.strip()]
    state = ""
    if len(parts) > 1 and parts[-1].replace(".", "").upper() in STATES:
        state = parts.pop()
    elif (
        parts
        and (found := re.fullmatch(r"(.*\S)\s+([A-Z]{2})", parts[-1]))
        and found[2] in STATES
        and (len(parts) > 1 or _bare(found[2]) not in _SUFFIX | _DIRECTION)
    ):
        parts[-1], state = found[1], found[2]
    if len(parts) > 1 and _city_like(parts[-1]) and (state or loose or _plain(parts[-1]) in cities):
        return MailAddress((", ".join(parts[:-1]),), parts[-1], state)
    rest = ", ".join(parts)
    at = _city_start(rest, cities) if state or rest.upper().endswith(_endings(frozenset(cities))) else 0
    if at and (state or _plain(rest[at:]) in cities) and re.search(r"\d", rest[:at]):
        return MailAddress((rest[:at].strip(" ,"),), rest[at:].strip(" ,"), state)
    return None


@lru_cache(maxsize=64)
def _endings(cities: frozenset[str]) -> tuple[str, ...]:
    return tuple(f" {city}" for city in sorted(cities))


def _city_like(text: str) -> bool:
    words = [_bare(word) for word in text.split()]
    return _could_be_city(words) and not any(word in _PART_OF_BUILDING or "&" in word for word in words)


def house_and_street(line: str) -> tuple[str, str]:
    """Return the house number and the street of a line; empty where it does not begin with a number.

    Examples
    --------
    >>> house_and_street("6237 SECOND"), house_and_street("12-1/2 MAIN ST"), house_and_street("MAIN ST")
    (('6237', 'SECOND'), ('12-1/2', 'MAIN ST'), ('', ''))
    """
    found = _HOUSE_STREET.match(line)
    return (found["number"], found["street"]) if found else ("", "")
