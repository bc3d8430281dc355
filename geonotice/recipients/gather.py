"""From the parcels of a notice list to its recipients, numbered; others to notify, such as agencies and interested persons, come last."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from geonotice.address_spelling import normal_address, normal_name
from geonotice.model import (
    AddressPoint,
    Adjoining,
    Correction,
    Mail,
    Municipality,
    NoticeParcel,
    OtherRecipient,
    Owner,
    Parcel,
    Recipient,
    ResultWarning,
    Told,
)
from geonotice.recipients.counts import count_roles
from geonotice.recipients.mail_pieces import Draft, NoticeWarnings, clerk_recipients
from geonotice.recipients.owners import OWNER_TEXTS, owner_drafts, same_owner_parcels
from geonotice.recipients.residents import RESIDENT_TEXTS, TownPlace, combine, resident_drafts

__all__ = [
    "Gathered",
    "adjoining_owners",
    "counted",
    "gather",
    "other_recipients",
]


def other_recipients(
    others: Sequence[OtherRecipient], listed: Iterable[Recipient], *, first: int
) -> tuple[tuple[Recipient, ...], tuple[ResultWarning, ...]]:
    """Make the mail piece of each, in the order given.

    Parameters
    ----------
    others
        Who is notified besides.
    listed
        Who is on the list already. Nobody is merged with them: whoever is named twice gets two letters, and a warning says so.
    first
        The number of the first piece.
    """
    if not others:
        return (), ()
    known = {_key(one): one.number for one in listed}
    recipients: list[Recipient] = []
    twice: list[str] = []
    for number, one in enumerate(others, first):
        same = known.setdefault(_key(one), number)
        if same != number:
            twice.append(" / ".join(one.names))
        recipients.append(
            Recipient(
                number=number,
                role="other",
                names=one.names,
                address=one.address,
                city=one.city,
                state=one.state,
                zip=one.zip,
                country=one.country,
                mail=one.mail,
                parcels=(),
                reasons=(one.reason,),
            )
        )
    text = (
        f"Named as others to notify, and on the list already by the same name and address: {'; '.join(twice)}. Each of them gets two letters."
        " Take the row out of the file of others, if one is enough."
    )
    return tuple(recipients), (ResultWarning("other_listed_twice", text),) if twice else ()


def _key(one: OtherRecipient | Recipient) -> tuple[str, str]:
    return normal_name(one.names), normal_address(one.address, city=one.city, state=one.state, zip=one.zip, country=one.country)


# ---- owners, residents and clerks


_APPLICANT_TEXTS = {
    "applicant_unknown": "No owner of record is known for the premises ({n}).",
    "applicant_owns_neighbour": (
        "An owner of the premises is also an owner of {n} on the list. Their letter for it stays on the list, because the law makes no"
        " exception. If the event uses that land too, name it as part of the premises: distances are then measured from it."
    ),
}


class Gathered(Struct, frozen=True):
    """The recipients of one notice list.

    ``recipients`` are numbered from 1: owners, then residents, then clerks, each nearest first; then others; then those of them who have no name or no
    address that a letter reaches, so that a mail merge does not start with an empty letter; then the owners of the premises.
    ``owners`` and ``residents`` count the mail pieces that name a parcel, by the parcel's fid; every parcel given has a count.
    """

    recipients: tuple[Recipient, ...]
    warnings: tuple[ResultWarning, ...]
    owners: dict[int, int]
    residents: dict[int, int]


def gather(
    parcels: Sequence[NoticeParcel],
    records: Mapping[int, Parcel],
    owners: Mapping[int, Sequence[Owner]],
    *,
    premises: Sequence[Parcel],
    told: Mapping[int, Told],
    residents: Mapping[int, Told] | None = None,
    premises_residents: Told | None = None,
    common_lots: Collection[str] = (),
    points: Mapping[int, Sequence[AddressPoint]] | None = None,
    municipalities: Sequence[Municipality] = (),
    clerk_mail: Mail = "first_class",
    unnamed_owner: str = "PROPERTY OWNER",
    town_place: TownPlace | None = None,
    added: Mapping[int, Sequence[Correction]] | None = None,
    combined: bool = False,
    others: Sequence[OtherRecipient] = (),
) -> Gathered:
    """Gather owners, residents, clerks, others and the owners of the premises into numbered recipients.

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
    told
        How the owners are notified, by fid of ``parcels``; those of a parcel that is not in it are not notified. Mail is ``none`` where a
        person must decide first (``borderline = "ask"``): those recipients are listed, marked ``held``, and not mailed.
    residents
        The same for residents.
    premises_residents
        How residents of the premises themselves are notified; None where no rule reaches them.
    common_lots
        Ids of lots that the owners of others on the list own in common: where the roll names no owner of one, nobody is missing.
    points
        Address points by fid, of the same parcels; None where the town has no such layer.
    municipalities
        Those whose clerk is to be notified, nearest first.
    clerk_mail
        What the rule asks for, for clerks.
    unnamed_owner
        To whom a letter is addressed where the roll has an address and no owner's name.
    town_place
        City, State and ZIP code that stand in where the layer gives a property none; None where the town file has none.
    added
        Dwellings that the corrections file adds, by fid.
    combined
        Put the residents on the owner's letter where both go to the same address.
    others
        Who is notified besides: the town's standing recipients, then a case's interested persons. None of them is merged with an owner.

    Notes
    -----
    LAW: an owner of the premises who also owns a parcel on the list is mailed for it like any other owner. The laws name every owner
    within their reach and except nobody; the premises' own row is the applicant's, who gives the notice.
    """
    warnings = NoticeWarnings()
    listed = sorted(parcels, key=lambda parcel: (parcel.distance_ft, parcel.id, parcel.fid))
    own = [_premises_parcel(parcel, premises_residents.rule if premises_residents else "") for parcel in premises]
    own_owners = [owner for parcel in premises for owner in owners.get(parcel.fid, ())]

    at_home = residents or {}
    lived_in = [*(own if premises_residents else []), *_under_their_rule(listed, at_home)]
    of_owners = owner_drafts(
        _under_their_rule(listed, told),
        records,
        owners,
        role="owner",
        warnings=warnings,
        common_lots=common_lots,
        unnamed=unnamed_owner,
    )
    of_residents = resident_drafts(
        lived_in,
        records,
        owners,
        points,
        premises=frozenset(parcel.fid for parcel in own),
        warnings=warnings,
        town=town_place,
        added=added,
    )
    with_letter = _combined(of_owners, of_residents, told, at_home) if combined else of_residents
    for parcel_id in same_owner_parcels(own_owners, listed, owners):
        warnings.note("applicant_owns_neighbour", parcel_id)
    # The premises' owners are not mailed: what is missing in their address is no fault of the list.
    aside = NoticeWarnings()
    of_premises = owner_drafts([replace(parcel, rule="") for parcel in own], records, owners, role="applicant", warnings=aside)
    of_premises = [draft for draft in of_premises if draft.names]
    unknown = [
        ResultWarning("applicant_unknown", _APPLICANT_TEXTS["applicant_unknown"].format(n=parcel.id), (parcel.id,))
        for parcel in premises
        if not any(owner.names for owner in owners.get(parcel.fid, ()))
    ]

    numbered = _numbered(of_owners, first=1, told=told)
    on_premises = dict.fromkeys((parcel.fid for parcel in own), premises_residents) if premises_residents else {}
    numbered += _numbered(with_letter, first=len(numbered) + 1, told={**at_home, **on_premises})
    clerks, of_clerks = clerk_recipients(municipalities, first=len(numbered) + 1, mail=clerk_mail)
    numbered += clerks
    besides, of_others = other_recipients(others, numbered, first=len(numbered) + 1)
    numbered += besides
    numbered += _numbered(of_premises, first=len(numbered) + 1, told={})
    texts = _with_counts(OWNER_TEXTS | RESIDENT_TEXTS | _APPLICANT_TEXTS, numbered)
    texts = _with_words(texts, {"{unnamed}": f'"{unnamed_owner}"', "{place}": town_place.text if town_place else ""})
    return Gathered(
        recipients=_unmailable_last(numbered),
        warnings=(*warnings.told(texts), *unknown, *of_clerks, *of_others),
        owners=_counts(listed, of_owners),
        residents=_counts([*own, *listed], of_residents),
    )


def counted(parcels: Iterable[NoticeParcel], gathered: Gathered) -> tuple[NoticeParcel, ...]:
    """Put the numbers of owners and residents on the parcels of the list."""
    return tuple(
        replace(parcel, owners=gathered.owners.get(parcel.fid, 0), residents=gathered.residents.get(parcel.fid, 0))
        for parcel in parcels
    )


def adjoining_owners(parcels: Iterable[Parcel], owners: Mapping[int, Sequence[Owner]]) -> tuple[Adjoining, ...]:
    """List the owners of record of adjoining parcels, one line for each owner; an owner who is not known is said to be so."""
    return tuple(
        Adjoining(parcel.id, "; ".join(owner.names) or "owner not known")
        for parcel in parcels
        for owner in owners.get(parcel.fid, ()) or (Owner(parcel_fid=parcel.fid, n=0, names=(), address=()),)
    )


def _combined(
    owners: Sequence[Draft], residents: Sequence[Draft], told: Mapping[int, Told], at_home: Mapping[int, Told]
) -> list[Draft]:
    """Return the residents who keep a letter of their own.

    Only where both are notified by the same class of mail is there one letter: none of another class stands for a certified one, and none that is held.
    """
    return combine(owners, residents, may=lambda draft: _mail(told, draft) == _mail(at_home, draft) != "none")


def _mail(told: Mapping[int, Told], draft: Draft) -> Mail:
    one = told.get(draft.parcels[0].fid)
    return one.mail if one else "none"


def _under_their_rule(parcels: Iterable[NoticeParcel], told: Mapping[int, Told]) -> list[NoticeParcel]:
    """Return the parcels whose people are notified, each with the rule that asks for it as its reason."""
    return [replace(parcel, rule=told[parcel.fid].rule) for parcel in parcels if parcel.fid in told]


def _numbered(drafts: Iterable[Draft], *, first: int, told: Mapping[int, Told]) -> list[Recipient]:
    mail = {fid: one.mail for fid, one in told.items()}
    ordered = sorted(drafts, key=lambda draft: draft.order)
    return [draft.numbered(number, mail=mail) for number, draft in enumerate(ordered, first)]


def _with_counts(texts: Mapping[str, str], recipients: Iterable[Recipient]) -> dict[str, str]:
    """Begin the warnings of those whom no letter reaches with how many they are, of how many."""
    counts = {one.role: f"{one.words}. " for one in count_roles(recipients) if one.unmailable}
    begun = {"unmailable": counts.get("owner", ""), "resident_address_incomplete": counts.get("resident", "")}
    return {code: f"{begun.get(code, '')}{text}" for code, text in texts.items()}


def _with_words(texts: Mapping[str, str], words: Mapping[str, str]) -> dict[str, str]:
    """Put the town's own words into the warnings; braces in them are not read as fields."""
    made = dict(texts)
    for mark, word in words.items():
        made = {code: text.replace(mark, word.replace("{", "{{").replace("}", "}}")) for code, text in made.items()}
    return made


def _unmailable_last(recipients: Iterable[Recipient]) -> tuple[Recipient, ...]:
    """Put the recipients whom no letter reaches behind those that are mailed, and number all anew; the applicant stays at the end."""

    def group(recipient: Recipient) -> int:
        if recipient.role == "applicant":
            return 2
        return 0 if recipient.mailable else 1

    ordered = enumerate(sorted(recipients, key=group), 1)
    return tuple(one if one.number == number else replace(one, number=number) for number, one in ordered)


def _counts(parcels: Iterable[NoticeParcel], drafts: Iterable[Draft]) -> dict[int, int]:
    count = Counter(parcel.fid for draft in drafts for parcel in draft.parcels)
    return {parcel.fid: count[parcel.fid] for parcel in parcels}


def _premises_parcel(parcel: Parcel, rule: str) -> NoticeParcel:
    """Return a parcel of the premises the form of a line of the list, at no distance."""
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
