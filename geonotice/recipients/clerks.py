"""Clerks of other municipalities to mail pieces: addressed to the clerk by title, who may be another person by the time it arrives."""

import re
from collections.abc import Sequence

from geonotice.model import Caution, Mail, Municipality, Recipient
from geonotice.recipients.counts import count_roles

__all__ = ["clerk_recipients"]

_LAST_LINE = re.compile(r"(?P<city>[^,\d]+?)[, ]+(?P<state>[A-Za-z]{2})\.?[, ]+(?P<zip>\d{5}(?:-\d{4})?)")
_KINDS = ("town", "village", "city")


def clerk_recipients(
    municipalities: Sequence[Municipality], *, first: int, mail: Mail
) -> tuple[tuple[Recipient, ...], tuple[Caution, ...]]:
    """Make the mail piece of each municipality's clerk.

    Parameters
    ----------
    municipalities
        Those near enough to be notified, with the clerk's name and address as the municipalities layer words them. The address is one
        text: its lines are parted by line breaks, semicolons or ``|``, else by commas.
    first
        The number of the first piece.
    mail
        What the rule asks for.
    """
    recipients, unmailable = [], []
    for number, municipality in enumerate(municipalities, first):
        address, city, state, code = _address(municipality.clerk_address)
        review = list(municipality.review)
        if not address or not (city or code):
            review.append("unmailable")
            unmailable.append(municipality.name)
        recipients.append(
            Recipient(
                number=number,
                role="clerk",
                names=_names(municipality),
                address=address,
                city=city,
                state=state,
                zip=code,
                country="",
                mail=mail,
                parcels=(),
                reasons=(municipality.rule,) if municipality.rule else (),
                distance_ft=municipality.distance_ft,
                review=tuple(dict.fromkeys(review)),
            )
        )
    counts = "".join(f"{one.words}. " for one in count_roles(recipients) if one.role == "clerk")
    text = (
        f"{counts}No full mailing address is known for the clerk of: {', '.join(unmailable)}. The clerk must be notified all the same: put the"
        " address into the municipalities layer (clerk_address), or address the letter by hand."
    )
    return tuple(recipients), (Caution("clerk_address_missing", text),) if unmailable else ()


def _names(municipality: Municipality) -> tuple[str, ...]:
    """Give the title and the municipality; the person, where the layer names one, for the attention of."""
    kind = municipality.kind.strip().lower()
    if kind not in _KINDS:
        kind = next((word for word in _KINDS if re.match(rf"{word} of\b", municipality.name, re.IGNORECASE)), "")
    full = (
        municipality.name
        if not kind or re.search(rf"\b{kind}\b", municipality.name, re.IGNORECASE)
        else f"{kind.title()} of {municipality.name}"
    )
    named = municipality.clerk_name.strip()
    if re.search(r"\bclerk\b", named, re.IGNORECASE):
        return named, full
    title = f"{kind.title()} Clerk" if kind else "Municipal Clerk"
    return (title, full, f"Attn: {named}") if named else (title, full)


def _address(text: str) -> tuple[tuple[str, ...], str, str, str]:
    """Part one text into delivery lines, city, state and ZIP code; what cannot be parted stays on the lines."""
    lines = [line.strip(" ,") for line in re.split(r"[\r\n;|]+", text) if line.strip(" ,")]
    if not lines:
        return (), "", "", ""
    match = _LAST_LINE.fullmatch(lines[-1])
    if match and len(lines) > 1:
        return tuple(lines[:-1]), match["city"].strip(), match["state"].upper(), match["zip"]
    # one line: the city is what stands before the state, back to the comma before it
    parts = [part.strip() for part in lines[-1].split(",") if part.strip()]
    for start in range(len(parts) - 1, 0, -1):
        match = _LAST_LINE.fullmatch(", ".join(parts[start:]))
        if match:
            return (*lines[:-1], *parts[:start]), match["city"].strip(), match["state"].upper(), match["zip"]
    return tuple(lines), "", "", ""
