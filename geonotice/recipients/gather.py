"""From the parcels of a notice list to its recipients, numbered."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from geonotice.model import AddressPoint, Caution, Mail, Municipality, NoticeParcel, Owner, Parcel, Recipient
from geonotice.recipients.clerks import clerk_recipients
from geonotice.recipients.drafts import Cautions, Draft
from geonotice.recipients.owners import OWNER_TEXTS, owner_drafts, same_owner_parcels
from geonotice.recipients.residents import RESIDENT_TEXTS, resident_drafts

__all__ = ["Gathered", "counted", "gather"]

_APPLICANT_TEXTS = {
    "applicant_unknown": "No owner of record is known for the premises ({n}).",
    "applicant_owns_neighbour": (
        "An owner of the premises is also an owner of {n} on the list. Their letter for it stays on the list, because the law makes no"
        " exception. If the event uses that land too, name it as part of the premises: distances are then measured from it."
    ),
}


@dataclass(frozen=True, slots=True)
class Gathered:
    """The recipients of one notice list.

    ``recipients`` are numbered from 1: owners, then residents, then clerks, then the owners of the premises, each nearest first.
    ``owners`` and ``residents`` count the mail pieces that name a parcel, by the parcel's fid; every parcel given has a count.
    """

    recipients: tuple[Recipient, ...]
    cautions: tuple[Caution, ...]
    owners: dict[int, int]
    residents: dict[int, int]


def gather(
    parcels: Sequence[NoticeParcel],
    records: Mapping[int, Parcel],
    owners: Mapping[int, Sequence[Owner]],
    *,
    premises: Sequence[Parcel],
    mail: Mail,
    residents: bool = False,
    points: Mapping[int, Sequence[AddressPoint]] | None = None,
    municipalities: Sequence[Municipality] = (),
    clerk_mail: Mail = "first_class",
    held: Collection[int] = (),
    premises_rule: str = "",
) -> Gathered:
    """Gather owners, residents, clerks and the owners of the premises into numbered recipients.

    Parameters
    ----------
    parcels
        The notice list, in any order; the premises are not on it.
    records
        The store's parcels by fid: all of ``parcels``, and the premises.
    owners
        Owners of record by fid, of the same parcels.
    premises
        The parcels of the event.
    mail
        What the rule asks for, for owners and residents.
    residents
        Whether the rule asks for residents beside owners.
    points
        Address points by fid, of the same parcels; None where the town has no such layer.
    municipalities
        Those whose clerk is to be notified, nearest first.
    clerk_mail
        What the rule asks for, for clerks.
    held
        Fids of parcels that a person must decide on first (``borderline = "ask"``): their recipients are listed and not mailed.
    premises_rule
        The rule that residents of the premises themselves are listed under.

    Notes
    -----
    LAW: an owner of the premises who also owns a parcel on the list is mailed for it like any other owner. The laws name every owner
    within their reach and except nobody; the premises' own row is the applicant's, who gives the notice.
    """
    cautions = Cautions()
    listed = sorted(parcels, key=lambda parcel: (parcel.distance_ft, parcel.id, parcel.fid))
    own = [_premises_parcel(parcel, premises_rule) for parcel in premises]
    own_owners = [owner for parcel in premises for owner in owners.get(parcel.fid, ())]

    of_owners = owner_drafts(listed, records, owners, role="owner", mail=mail, cautions=cautions)
    of_residents: list[Draft] = []
    if residents:
        of_residents = resident_drafts(
            [*own, *listed],
            records,
            owners,
            points,
            premises=frozenset(parcel.fid for parcel in premises),
            mail=mail,
            cautions=cautions,
        )
    for parcel_id in same_owner_parcels(own_owners, listed, owners):
        cautions.note("applicant_owns_neighbour", parcel_id)
    told = [*cautions.told(OWNER_TEXTS | RESIDENT_TEXTS | _APPLICANT_TEXTS)]

    # The premises' owners are not mailed: what is missing in their address is no fault of the list.
    aside = Cautions()
    of_premises = owner_drafts(
        [replace(parcel, rule="") for parcel in own], records, owners, role="applicant", mail="none", cautions=aside
    )
    of_premises = [draft for draft in of_premises if draft.names]
    told.extend(
        Caution("applicant_unknown", _APPLICANT_TEXTS["applicant_unknown"].format(n=parcel.id), (parcel.id,))
        for parcel in premises
        if not any(owner.names for owner in owners.get(parcel.fid, ()))
    )

    numbered = _numbered([of_owners, of_residents], first=1, held=held)
    clerks, of_clerks = clerk_recipients(municipalities, first=len(numbered) + 1, mail=clerk_mail)
    numbered += clerks
    numbered += _numbered([of_premises], first=len(numbered) + 1, held=())
    return Gathered(
        recipients=tuple(numbered),
        cautions=(*told, *of_clerks),
        owners=_counts(listed, of_owners),
        residents=_counts([*own, *listed], of_residents),
    )


def counted(parcels: Iterable[NoticeParcel], gathered: Gathered) -> tuple[NoticeParcel, ...]:
    """Put the numbers of owners and residents on the parcels of the list."""
    return tuple(
        replace(parcel, owners=gathered.owners.get(parcel.fid, 0), residents=gathered.residents.get(parcel.fid, 0))
        for parcel in parcels
    )


def _numbered(groups: Iterable[Sequence[Draft]], *, first: int, held: Collection[int]) -> list[Recipient]:
    drafts = [draft for group in groups for draft in sorted(group, key=lambda draft: draft.order)]
    return [draft.numbered(number, held=held) for number, draft in enumerate(drafts, first)]


def _counts(parcels: Iterable[NoticeParcel], drafts: Iterable[Draft]) -> dict[int, int]:
    count = Counter(parcel.fid for draft in drafts for parcel in draft.parcels)
    return {parcel.fid: count[parcel.fid] for parcel in parcels}


def _premises_parcel(parcel: Parcel, rule: str) -> NoticeParcel:
    """Give a parcel of the premises the form of a line of the list, at no distance."""
    return NoticeParcel(
        fid=parcel.fid,
        id=parcel.id,
        swis=parcel.swis,
        relation="within",
        distance_ft=0.0,
        rule=rule,
        citation="",
        situs=parcel.situs.text,
    )
