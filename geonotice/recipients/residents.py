"""Residents to mail pieces: who lives at a property's own address, where a rule asks for residents beside owners.

No roll names residents. An address point is a dwelling; where there is none on a parcel, the parcel's own house number stands for one,
unless its class says that nobody lives there. The owner's letter stands for the resident's in one case only: a one-family house whose owner's
mail goes to that very address.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from geonotice.address_spelling import normal_country, normal_line, normal_text, zip5
from geonotice.model import AddressPoint, Correction, NoticeParcel, Owner, Parcel, Situs
from geonotice.recipients.mail_pieces import Draft, NoticeWarnings, parted_address, unit_line

__all__ = ["OR_RESIDENT", "RESIDENT", "RESIDENT_TEXTS", "TownPlace", "combine", "lives_there", "resident_drafts"]

RESIDENT = "CURRENT RESIDENT"
"""The name line of a letter to whoever lives at an address."""

OR_RESIDENT = "OR CURRENT RESIDENT"
"""The name line that an owner's letter gets where it is the resident's too."""

RESIDENT_TEXTS = {
    "unit_without_number": (
        "The corrections file adds a unit to {n}, whose house number is not known: no letter can be addressed to it. Write a row with the field"
        " resident and the whole address instead, or correct the situs first."
    ),
    "units_unknown": (
        "Several dwellings (two or more families, apartments, mobile homes) and no layer that says which, on {n}. One letter to the current"
        " resident is listed for each property. Ask the owner for the units and add a letter for each."
    ),
    "no_house_number": (
        "No letter to a resident could be addressed for {n}: the layer has no house number there, and the class does not rule out that"
        " somebody lives there. Look at each and add its residents."
    ),
    "no_address_point": (
        "No address point lies on {n}, though class and house number say that somebody may live there. A letter to the property's own"
        " address is listed instead."
    ),
    "resident_address_incomplete": (
        "The city or the ZIP code is missing from the property's own address, for {n}. Complete the residents' letters before mailing;"
        " a letter with neither gets no label. State the town's city, state and ZIP code in the town file if all of the town has the same."
    ),
    "resident_place_from_town": (
        "The layer gives no full city, State and ZIP code for the address of {n}. What is missing is taken from the town file, as the whole"
        " town's: {place}. Check it before mailing where the town has more than one post office."
    ),
    "resident_place_assumed": (
        "The layer gives no full city and ZIP code for the address of {n}. They are taken from owners on the list who get their mail at"
        " their own property nearby, and who all agree. Check them before mailing."
    ),
    "duplicate_points": "Address points that repeat one another were counted once, on {n}.",
    "not_lived_in": (
        "No letter to a resident is listed for {n}, though the layer has a house number there: the class says that nobody lives there (vacant"
        " land, a road, public service, forest or park)."
    ),
    "premises_residents": (
        "The property of the event itself may have residents who are not its owner ({n}). The list has a letter for them: the law names the"
        " residents of property within the distance and makes no exception for the premises."
    ),
}
"""What is said about each code that :func:`resident_drafts` notes."""

# New York's property classes (Assessor's Manual, property type classification codes).
_ONE_DWELLING = {"210", "215", "240", "250", "260"}
_SEVERAL = {"220", "230", "280", "281", "283", "411", "416"}
_SEVERAL_START = "48"  # rows of shops with dwellings above, converted residences and the like
_NOBODY = ("3", "8", "9")
_ROAD = "692"

_UNSPLIT_DOUBT = {
    "AVE", "BASEMENT", "BLDG", "BLVD", "BOX", "BSMT", "CIR", "DOWN", "EXT", "FRNT", "FRONT", "HWY", "LEFT", "LOT", "LOWER", "LOWR", "PKWY",
    "REAR", "RIGHT", "RTE", "SIDE", "STE", "TER", "TRLR", "UPPER", "UPPR",
}  # fmt: skip
"""Words that name a part of a building or another street where a city was expected."""


class _Home(Struct, frozen=True):
    """An address where somebody lives; ``corrected`` names the correction that put it on the list."""

    line: str
    city: str
    state: str
    zip: str
    corrected: tuple[str, ...] = ()


class TownPlace(Struct, frozen=True):
    """City, State and ZIP code of the town file, for the properties of the town that the layer gives none; ``swis`` and ``municipality`` say which those are."""

    city: str = ""
    state: str = ""
    zip: str = ""
    swis: tuple[str, ...] = ()
    municipality: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The three in one line.

        Examples
        --------
        >>> TownPlace("MAYVILLE", "NY", "14757").text
        'MAYVILLE NY 14757'
        """
        return " ".join(part for part in (self.city, self.state, self.zip) if part)

    def has(self, record: Parcel) -> bool:
        """Whether a parcel is of the town: in its own layer, and in its SWIS, or its municipality, where it has one."""
        if record.layer:
            return False
        if self.swis and record.swis:
            return record.swis.startswith(self.swis)
        named = {normal_text(name) for name in self.municipality}
        return not (named and record.municipality) or normal_text(record.municipality) in named


def lives_there(nys_class: str) -> bool:
    """Whether New York's class leaves room for residents; an unknown class, or another State's, does.

    Examples
    --------
    >>> [lives_there(code) for code in ("210", "411", "", "322", "692", "905")]
    [True, True, True, False, False, False]
    """
    return not nys_class.startswith(_NOBODY) and nys_class != _ROAD


def resident_drafts(
    parcels: Sequence[NoticeParcel],
    records: Mapping[int, Parcel],
    owners: Mapping[int, Sequence[Owner]],
    points: Mapping[int, Sequence[AddressPoint]] | None,
    *,
    premises: frozenset[int],
    warnings: NoticeWarnings,
    town: TownPlace | None = None,
    added: Mapping[int, Sequence[Correction]] | None = None,
) -> list[Draft]:
    """Make the mail pieces of the residents of ``parcels``; ``points`` is None where the town has no address points.

    ``town`` is what the town file says of city, State and ZIP code; None where it says nothing.
    ``premises`` are the parcels of the event itself. LAW: the notice goes to the owners and residents of property within the distance of
    the nearest property line of the premises (Italy, paragraph C); the premises lie within it, and their tenants are not the
    applicant, so they are mailed. Only a home where the owner of the premises gets their mail is left out, whatever its class.

    ``added`` are rows of the corrections file that add a unit or a whole address. They take nothing away: whoever lists one dwelling of a lot has not
    stated that there is no other.
    """
    drafts: list[Draft] = []
    for place, parcel in enumerate(parcels):
        record = records[parcel.fid]
        if record.role != "lot":
            continue
        of_parcel = owners.get(parcel.fid, ())
        more = (added or {}).get(parcel.fid, ())
        homes = _with_added(
            _homes(record, of_parcel, points, warnings=warnings, answered=any(one.field in _ADDED for one in more)),
            record,
            more,
            warnings=warnings,
        )
        if parcel.fid in premises:
            homes = [home for home in homes if not any(_mail_goes_to(home, owner) for owner in of_parcel)]
            if homes:
                warnings.note("premises_residents", parcel.id)
        drafts.extend(
            Draft(
                role="resident",
                names=(RESIDENT,),
                address=(home.line,),
                city=home.city,
                state=home.state,
                zip=home.zip,
                country="",
                parcels=[parcel],
                order=(parcel.distance_ft, place, n),
                on_premises=parcel.fid in premises,
                corrected=home.corrected,
            )
            for n, home in enumerate(homes)
        )
    if any(not (draft.city and draft.zip) for draft in drafts):
        if town and town.text:
            _complete_from_town([draft for draft in drafts if town.has(records[draft.parcels[0].fid])], town, warnings)
        _complete(drafts, _places(records, owners), warnings)
    return drafts


def _homes(
    record: Parcel,
    owners: Iterable[Owner],
    points: Mapping[int, Sequence[AddressPoint]] | None,
    *,
    warnings: NoticeWarnings,
    answered: bool = False,
) -> list[_Home]:
    """List the homes of one parcel; ``answered`` where a person has said which dwellings it has, and is not to be asked again."""
    code = record.nys_class
    several = code in _SEVERAL or code.startswith(_SEVERAL_START)
    if on_parcel := (points or {}).get(record.fid, ()):
        return _point_homes(record, on_parcel, several=several and not answered, warnings=warnings)
    home = _own_home(record.situs)
    if not lives_there(record.nys_class):
        if home:
            warnings.note("not_lived_in", record.id)
        return []
    if home is None:
        if not answered:
            warnings.note("no_house_number", record.id)
        return []
    if several:
        if not answered:
            warnings.note("units_unknown", record.id)
    elif code in _ONE_DWELLING and any(_mail_goes_to(home, owner) for owner in owners):
        return []
    if points is not None and not answered:
        warnings.note("no_address_point", record.id)
    return [home]


def _with_added(homes: list[_Home], record: Parcel, added: Sequence[Correction], *, warnings: NoticeWarnings) -> list[_Home]:
    """Add the dwellings that the corrections file names; one that is there already is not written to twice."""
    if not added and len(homes) <= 1:  # nearly every parcel
        return homes
    found = {(normal_line(home.line), zip5(home.zip)): home for home in homes}
    own = _own_home(replace(record.situs, unit=""))
    if words := tuple(one.words for one in added if one.field not in _ADDED):
        found = {key: replace(home, corrected=words) for key, home in found.items()}
    for one in added:
        if one.field not in _ADDED:
            continue
        if one.field == "resident":
            lines, city, state, code = parted_address(one.value)
            home = _Home(
                " ".join(lines), city or record.situs.city, state or record.situs.state, code or record.situs.zip, (one.words,)
            )
        elif own is None:
            warnings.note("unit_without_number", record.id)
            continue
        else:
            home = _unit_of(own, unit_line(own.line, one.value), one.words)
        found.setdefault((normal_line(home.line), zip5(home.zip)), home)
    return [*found.values()]


def _unit_of(home: _Home, line: str, words: str) -> _Home:
    """Return another dwelling of the same place."""
    return _Home(line, home.city, home.state, home.zip, (words,))


_ADDED = ("unit", "resident")
"""Fields of the corrections file that add a dwelling; the others that come here changed the property's own address."""


def combine(owners: Sequence[Draft], residents: Sequence[Draft], *, may: Callable[[Draft], bool]) -> list[Draft]:
    """Put residents on the letter of the owner whose mail goes to that very address, and return the residents that keep one of their own.

    LAW: Italy C asks for notice to "all property owners and residents": one envelope that names both, at the address of both, reaches both. It is the
    town's choice; by itself nothing is combined. Only a letter that goes out can carry another, and none is combined across two lots, or where ``may`` says no.
    """
    left = []
    for draft in residents:
        (parcel,) = draft.parcels
        home = _Home(draft.address[0], draft.city, draft.state, draft.zip)
        carrier = next((one for one in owners if _carries(one, parcel.fid, home)), None) if may(draft) else None
        if carrier is None or draft.on_premises:
            left.append(draft)
            continue
        if not carrier.also_residents:
            carrier.names = (*carrier.names, OR_RESIDENT)
        carrier.also_residents += 1
        carrier.corrected = tuple(dict.fromkeys((*carrier.corrected, *draft.corrected)))
    return left


def _carries(owner: Draft, fid: int, home: _Home) -> bool:
    reached = bool(owner.names) and "unmailable" not in owner.review and not owner.not_mailed
    return reached and any(parcel.fid == fid for parcel in owner.parcels) and _mail_goes_to(home, owner)


def _point_homes(record: Parcel, points: Sequence[AddressPoint], *, several: bool, warnings: NoticeWarnings) -> list[_Home]:
    """List the homes of a parcel's address points; points that repeat one another are one."""
    homes: dict[tuple[str, str, str], _Home] = {}
    for point in points:
        home = _home_of_point(point, record.situs)
        if home.line:
            homes.setdefault((normal_line(home.line), zip5(home.zip), normal_text(home.city)), home)
        else:
            warnings.note("no_house_number", record.id)
    if len(homes) < len(points) and "no_house_number" not in warnings.codes_of(record.id):
        warnings.note("duplicate_points", record.id)
    if several and len(homes) == 1 and not points[0].unit:
        warnings.note("units_unknown", record.id)
    return [*homes.values()]


@lru_cache(maxsize=16_384)  # every rule and both sides of a comparison ask
def _own_home(situs: Situs) -> _Home | None:
    """Return the home that a parcel's own house number stands for; None where it has none."""
    if _is_number(situs.number) and situs.street:
        line = f"{situs.number} {situs.street}"
    elif _is_number(situs.number) and situs.text:
        line = situs.text if situs.text.startswith(situs.number) else f"{situs.number} {situs.text}"
    elif (match := re.match(r"\s*(\d\S*)\s+\S", situs.text)) and _is_number(match.group(1)):
        line = situs.text
    else:
        return None
    return _Home(unit_line(" ".join(line.split()), situs.unit), situs.city, situs.state, situs.zip)


@lru_cache(maxsize=16_384)
def _is_number(number: str) -> bool:
    """Whether a text is a house number: some digit but zero in it, and no numbered street (``5TH``)."""
    return bool(re.search(r"[1-9]", number)) and not re.fullmatch(r"\d*(?:1ST|2ND|3RD|\dTH)", number.strip().upper())


def _home_of_point(point: AddressPoint, situs: Situs) -> _Home:
    """Return the home of an address point; what it does not say of city, state and ZIP code, the parcel's own address does."""
    line = f"{point.number} {point.street}".strip() if point.number and point.street else point.text or ""
    if not line and (own := _own_home(replace(situs, unit=""))):
        line = own.line
    if not line:
        return _Home("", "", "", "")
    return _Home(
        unit_line(" ".join(line.split()), point.unit),
        point.city or situs.city,
        point.state or situs.state,
        point.zip or situs.zip,
    )


def _mail_goes_to(home: _Home, owner: Owner | Draft) -> bool:
    """Whether an owner's letter reaches that very home; in doubt it does not.

    The whole delivery address must be equal (a post-office box beside the street is another address), and neither ZIP code nor city may
    speak against it.
    """
    if normal_country(owner.country) or not owner.address:
        return False
    line, mail = normal_line(home.line), normal_line(" ".join(owner.address))
    codes = zip5(home.zip), zip5(owner.zip)
    if line != mail:
        # A layer that gives one string for the whole address leaves the city on the line.
        rest = mail.removeprefix(line + " ").split()
        return (
            mail.startswith(line + " ")
            and not owner.city
            and codes[0] == codes[1] != ""
            and all(len(word) > 2 and word.isalpha() and word not in _UNSPLIT_DOUBT for word in rest)  # noqa: PLR2004  # "N", "ST", "2B": a direction, a street, a unit
        )
    if all(codes):
        return codes[0] == codes[1]
    cities = normal_text(home.city), normal_text(owner.city)
    return cities[0] == cities[1] if all(cities) else True


def _places(records: Mapping[int, Parcel], owners: Mapping[int, Sequence[Owner]]) -> dict[str, set[tuple[str, str, str]]]:
    """Collect city, state and ZIP code of owners who get their mail at their own property, by street; all of them under ``""``."""
    places: dict[str, set[tuple[str, str, str]]] = {"": set()}
    for fid, found in sorted(owners.items()):
        record = records.get(fid)
        home = _own_home(record.situs) if record else None
        if home is None:
            continue
        for owner in found:
            if owner.city and owner.zip and (_mail_goes_to(home, owner) or _same_but_for_suffix(home, owner)):
                place = owner.city, owner.state, zip5(owner.zip)
                places.setdefault(_street(home.line), set()).add(place)
                places[""].add(place)
    return places


def _same_but_for_suffix(home: _Home, owner: Owner) -> bool:
    """Whether an owner's mail goes to the very number and street in the same city, which the property's own address names without its suffix."""
    line, mail = normal_line(home.line).split(), normal_line(" ".join(owner.address)).split()
    same_city = bool(home.city) and normal_text(home.city) == normal_text(owner.city)
    return same_city and not normal_country(owner.country) and len(line) > 1 and line == mail[:-1] and mail[-1].isalpha()


def _complete_from_town(drafts: Iterable[Draft], town: TownPlace, warnings: NoticeWarnings) -> None:
    """Fill in what the layer does not give, where what it gives is not of another place."""
    for draft in drafts:
        if draft.city and draft.zip:
            continue
        other_city = draft.city and normal_text(draft.city) != normal_text(town.city)
        other_code = draft.zip and zip5(draft.zip) != zip5(town.zip)
        before = draft.city, draft.state, draft.zip
        if not (other_city or other_code):
            draft.city, draft.zip = draft.city or town.city, draft.zip or town.zip
        draft.state = draft.state or town.state
        if (draft.city, draft.state, draft.zip) != before:
            draft.review.append("resident_place_from_town")
            for parcel in draft.parcels:
                warnings.note("resident_place_from_town", parcel.id)


def _street(line: str) -> str:
    return normal_line(line).partition(" ")[2].partition(" #")[0]


class _Nearby:
    """Places that are known on a street, or anywhere nearby, by city and by ZIP code: each a city, a State and a ZIP code, by its one spelling."""

    def __init__(self, known: set[tuple[str, str, str]]) -> None:
        self._every: dict[tuple[str, str, str], tuple[str, str, str]] = {}
        self._by_city: dict[str, dict[tuple[str, str, str], tuple[str, str, str]]] = {}
        self._by_zip: dict[str, dict[tuple[str, str, str], tuple[str, str, str]]] = {}
        for place in sorted(known):
            city, state, code = place
            key = normal_text(city), normal_text(state), code
            for some in (self._every, self._by_city.setdefault(key[0], {}), self._by_zip.setdefault(code, {})):
                some[key] = place

    def fitting(self, draft: Draft) -> dict[tuple[str, str, str], tuple[str, str, str]]:
        """Return the places that agree with what a letter has: its city or its ZIP code, or neither."""
        if draft.city:
            return self._by_city.get(normal_text(draft.city), {})
        return self._by_zip.get(zip5(draft.zip), {}) if draft.zip else self._every


def _complete(drafts: list[Draft], places: Mapping[str, set[tuple[str, str, str]]], warnings: NoticeWarnings) -> None:
    """Fill in a missing city or ZIP code where all that is known nearby agrees, and note what was filled and what is missing."""
    # Sorted out once a street, not for every letter: a county knows thousands of places.
    nearby: dict[str, _Nearby] = {}
    for draft in drafts:
        if draft.city and draft.zip:
            continue
        for street in (_street(draft.address[0]), ""):
            if street not in nearby:
                nearby[street] = _Nearby(places.get(street, set()))
            if fitting := nearby[street].fitting(draft):
                break
        if len(fitting) == 1:
            ((city, state, code),) = fitting.values()
            draft.city, draft.state, draft.zip = draft.city or city, draft.state or state, draft.zip or code
            note = "resident_place_assumed"
        else:
            note = "resident_address_incomplete"
            if not draft.city and not draft.zip:
                draft.review.append("unmailable")
        draft.review.append(note)
        for parcel in draft.parcels:
            warnings.note(note, parcel.id)
