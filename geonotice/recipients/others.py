"""Mail pieces to others than owners, residents and clerks: agencies that a town always notifies, interested persons of one case."""

from collections.abc import Iterable, Sequence

from geonotice.model import OtherRecipient, Recipient, ResultWarning
from geonotice.postal import normal_address, normal_name

__all__ = ["other_recipients"]


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
