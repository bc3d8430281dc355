"""Owners of record to mail pieces: the roll's words verbatim, compared in one spelling only to find what may share an envelope."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from geonotice.address_spelling import CARE_OF, normal_address, normal_country, normal_name
from geonotice.model import NoticeParcel, Owner, Parcel, RecipientRole
from geonotice.recipients.mail_pieces import Draft, NoticeWarnings

__all__ = ["OWNER_TEXTS", "names_of", "owner_drafts", "same_owner_parcels"]

OWNER_TEXTS = {
    "owner_unknown": (
        "No owner of record is known for {n}. The list has a line without a name for each. Look the owner up on the assessment roll and"
        " write to them: a list without them is not complete."
    ),
    "owner_unnamed": (
        "The roll has a mailing address and no owner's name for {n}. The letter is addressed to {unnamed} there. Look the name up before"
        " mailing, where that can be done."
    ),
    "name_cut": (
        'An owner\'s name ends where another should follow (in "&", "AND", "OR" or "C/O"), for {n}: the layer\'s column was too short, or a'
        " second owner is missing. Look the owners up on the assessment roll: whoever is missing must be notified too."
    ),
    "unmailable": (
        "An owner's address is missing, or has too little in it to send a letter, for {n}. These owners must be notified all the same:"
        " they stand on the list, but no label is printed. Find their address by another way (tax bills, deeds, the county)."
    ),
    "no_owner_right_of_way": (
        "Drawn as a street, railroad or water, and without an owner on the layer: {n}. Nobody is listed for it. That is usual for a public"
        " road; the owner of a private road or of owned land must be added."
    ),
    "no_owner_common_land": (
        "The roll names no owner of {n}, which is the common land of others on this list: their owners own it, and are notified. An"
        " association that manages it is not listed; add it where the town wants it notified too."
    ),
    "address_incomplete": (
        "The city, the state or the ZIP code is missing from an owner's address, for {n}. The label is printed as the roll has it; complete"
        " it before mailing."
    ),
    "zip_completed": (
        "The roll's ZIP code has lost its zero at the front, for {n}. The label has it again, as the State's ZIP codes begin."
    ),
    "zip_not_of_state": (
        "An owner's ZIP code is none of the State in the address, for {n}. The label is printed as the roll has it; check it before mailing."
    ),
    "country_moved": (
        "The country of an owner's address stood in another field of the roll, for {n}. The label has it on a line of its own, the last."
    ),
    "country_spelled": "The country of an owner's address is a code on the roll, for {n}. The label has its name.",
    "country_added": (
        "The roll names no country, and the postal code or the province is Canada's or the United Kingdom's, for {n}. The label has the"
        " country as its last line. Check it before mailing."
    ),
    "country_contradicts": (
        "An owner's address has a State and a ZIP code of the United States and another country too, for {n}. The label is printed as the"
        " roll has it; find out which is right before mailing."
    ),
    "placeholder": (
        "A word that is no name and no address (such as SAME, X, UNKNOWN or CONFIDENTIAL) stands in an owner's name or address, for {n}. It is left"
        " out of the label. Look at the roll."
    ),
    "country_missing": (
        "An owner's postal code is not one of the United States and the roll names no country, for {n}. Write the country on the"
        " letter before mailing."
    ),
}
"""What is said about each code that :func:`owner_drafts` notes."""

_ZIP = re.compile(r"\d{5}(?:[- ]?\d{4})?")
_CUT = re.compile(rf"(?:&|\+|\b(?:AND|OR|{CARE_OF}:?)|(?<=\s)%)\s*$", re.IGNORECASE)
"""How a name ends that another should follow."""


def owner_drafts(
    parcels: Sequence[NoticeParcel],
    records: Mapping[int, Parcel],
    owners: Mapping[int, Sequence[Owner]],
    *,
    role: RecipientRole,
    warnings: NoticeWarnings,
    common_lots: Collection[str] = (),
    unnamed: str = "",
) -> list[Draft]:
    """Make the mail pieces of the owners of ``parcels``, which come in the order of the list.

    Two rows share a piece only if their names and their full addresses are both filled and equal in one spelling. A row that cannot be
    mailed is a piece of its own, so that it stays on the list. ``common_lots`` are ids of lots whose owners are those of other lots on it.
    ``unnamed`` is whom a letter is addressed to where there is an address and no name.
    """
    drafts: list[Draft] = []
    by_key: dict[tuple[str, str, str], Draft] = {}
    for place, parcel in enumerate(parcels):
        for owner in _owners_of(records[parcel.fid], owners, warnings=warnings, common=parcel.id in common_lots):
            key = (*_key(owner), owner.not_mailed)
            shared = by_key.get(key) if all(key[:2]) else None
            if shared is None:
                draft = Draft(
                    role=role,
                    names=owner.names if _named(owner) or not (unnamed and owner.mailable) else (unnamed,),
                    address=owner.address,
                    city=owner.city,
                    state=owner.state,
                    zip=owner.zip,
                    country=owner.country,
                    parcels=[parcel],
                    order=(parcel.distance_ft, place, owner.n),
                    review=_review(owner),
                    on_premises=role == "applicant",
                    corrected=owner.corrected,
                    not_mailed=bool(owner.not_mailed),
                )
                drafts.append(draft)
                by_key[key] = draft
            elif all(other.fid != parcel.fid for other in shared.parcels):
                shared.parcels.append(parcel)
                shared.corrected = tuple(dict.fromkeys((*shared.corrected, *owner.corrected)))
    for draft in drafts:
        for code in draft.review:
            for parcel in draft.parcels:
                warnings.note(code, parcel.id)
    return drafts


def _owners_of(
    record: Parcel, owners: Mapping[int, Sequence[Owner]], *, warnings: NoticeWarnings, common: bool
) -> Sequence[Owner]:
    """Return a parcel's owners; a lot without one has an unknown owner, who must be found; a street without one has none, nor has common land."""
    found = owners.get(record.fid, ())
    if common and not any(owner.names or owner.address for owner in found):
        warnings.note("no_owner_common_land", record.id)
        return ()
    if not found and record.role != "lot":
        warnings.note("no_owner_right_of_way", record.id)
        return ()
    return found or (Owner(parcel_fid=record.fid, n=0, names=(), address=()),)


def _key(owner: Owner) -> tuple[str, str]:
    """Return names and full address in one spelling; either is empty where it is not filled."""
    address = normal_address(owner.address, city=owner.city, state=owner.state, zip=owner.zip, country=owner.country)
    return normal_name(owner.names), address


def _named(owner: Owner) -> bool:
    return any(line.strip() for line in owner.names)


def _review(owner: Owner) -> list[str]:
    """Return what prevents a letter to this owner, and what of it is not as the roll has it."""
    named = _named(owner)
    cut = ["name_cut"] if named and _CUT.search(owner.names[-1]) else []
    if not owner.mailable:
        return [*cut, *([] if named else ["owner_unknown"]), "unmailable"]
    codes = [*([] if named else ["owner_unnamed"]), *cut, *owner.changed]
    if normal_country(owner.country):
        return codes
    if owner.zip and not _ZIP.fullmatch(owner.zip.strip()):
        return [*codes, "country_missing"]
    return codes if owner.city and owner.state and owner.zip else [*codes, "address_incomplete"]


def same_owner_parcels(
    premises_owners: Iterable[Owner], parcels: Sequence[NoticeParcel], owners: Mapping[int, Sequence[Owner]]
) -> tuple[str, ...]:
    """List the parcels that an owner of the premises owns too, by name in one spelling."""
    names = names_of(premises_owners)
    return tuple(parcel.id for parcel in parcels if names & names_of(owners.get(parcel.fid, ())))


def names_of(owners: Iterable[Owner]) -> set[str]:
    """Return owners' names in the one spelling in which they are compared; an owner without a name is nobody's namesake."""
    return {normal_name(owner.names) for owner in owners} - {""}
