"""Owners of record to mail pieces: the roll's words verbatim, compared in one spelling only to find what may share an envelope."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from geonotice.model import NoticeParcel, Owner, Parcel, RecipientRole
from geonotice.postal import normal_address, normal_country, normal_name
from geonotice.recipients.mail_pieces import Draft, NoticeWarnings

__all__ = ["OWNER_TEXTS", "names_of", "owner_drafts", "same_owner_parcels"]

OWNER_TEXTS = {
    "owner_unknown": (
        "No owner of record is known for {n}. The list has a line without a name for each. Look the owner up on the assessment roll and"
        " write to them: a list without them is not complete."
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
    "country_missing": (
        "An owner's postal code is not one of the United States and the roll names no country, for {n}. Write the country on the"
        " letter before mailing."
    ),
}
"""What is said about each code that :func:`owner_drafts` notes."""

_ZIP = re.compile(r"\d{4,5}(?:[- ]?\d{4})?")


def owner_drafts(
    parcels: Sequence[NoticeParcel],
    records: Mapping[int, Parcel],
    owners: Mapping[int, Sequence[Owner]],
    *,
    role: RecipientRole,
    warnings: NoticeWarnings,
    common_lots: Collection[str] = (),
) -> list[Draft]:
    """Make the mail pieces of the owners of ``parcels``, which come in the order of the list.

    Two rows share a piece only if their names and their full addresses are both filled and equal in one spelling. A row that cannot be
    mailed is a piece of its own, so that it stays on the list. ``common_lots`` are ids of lots whose owners are those of other lots on it.
    """
    drafts: list[Draft] = []
    by_key: dict[tuple[str, str], Draft] = {}
    for place, parcel in enumerate(parcels):
        for owner in _owners_of(records[parcel.fid], owners, warnings=warnings, common=parcel.id in common_lots):
            key = _key(owner)
            shared = by_key.get(key) if all(key) else None
            if shared is None:
                draft = Draft(
                    role=role,
                    names=owner.names,
                    address=owner.address,
                    city=owner.city,
                    state=owner.state,
                    zip=owner.zip,
                    country=owner.country,
                    parcels=[parcel],
                    order=(parcel.distance_ft, place, owner.n),
                    review=_review(owner),
                    on_premises=role == "applicant",
                )
                drafts.append(draft)
                by_key[key] = draft
            elif all(other.fid != parcel.fid for other in shared.parcels):
                shared.parcels.append(parcel)
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


def _review(owner: Owner) -> list[str]:
    """Return what prevents a letter to this owner."""
    if not any(line.strip() for line in owner.names):
        return ["owner_unknown", "unmailable"]
    if not owner.mailable:
        return ["unmailable"]
    if normal_country(owner.country):
        return []
    if owner.zip and not _ZIP.fullmatch(owner.zip.strip()):
        return ["country_missing"]
    return [] if owner.city and owner.state and owner.zip else ["address_incomplete"]


def same_owner_parcels(
    premises_owners: Iterable[Owner], parcels: Sequence[NoticeParcel], owners: Mapping[int, Sequence[Owner]]
) -> tuple[str, ...]:
    """List the parcels that an owner of the premises owns too, by name in one spelling."""
    names = names_of(premises_owners)
    return tuple(parcel.id for parcel in parcels if names & names_of(owners.get(parcel.fid, ())))


def names_of(owners: Iterable[Owner]) -> set[str]:
    """Return owners' names in the one spelling in which they are compared; an owner without a name is nobody's namesake."""
    return {normal_name(owner.names) for owner in owners} - {""}
