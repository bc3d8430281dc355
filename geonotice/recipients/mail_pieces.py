"""Mail pieces before they have a number, and those to the clerks of other municipalities."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from geonotice.model import MAIL_CLASSES, Mail, Municipality, NoticeParcel, Recipient, RecipientRole, ResultWarning
from geonotice.recipients.counts import count_roles

__all__ = [
    "Draft",
    "NoticeWarnings",
    "clerk_recipients",
    "parted_address",
    "unit_line",
]


_DESIGNATED = {
    "#", "APT", "APARTMENT", "BLDG", "BSMT", "BUILDING", "FL", "FLOOR", "FRNT", "FRONT", "LOT", "LOWER", "LOWR", "PH", "REAR", "RM", "ROOM",
    "SIDE", "SPC", "STE", "SUITE", "TRLR", "UNIT", "UPPER", "UPPR",
}  # fmt: skip


_COMBINED = "also the resident's letter: same address"
"""Why an owner's letter names the current resident too (``[settings] combine_residents``)."""


class Draft(Struct):
    """One mail piece; ``parcels`` grows when another parcel shares it, ``order`` places it among those of its role.

    ``corrected`` names the corrections that made it what it is; ``not_mailed`` is true where one of them keeps the letter back; ``also_residents`` counts
    the residents at the same address whom it is for as well.
    """

    role: RecipientRole
    names: tuple[str, ...]
    address: tuple[str, ...]
    city: str
    state: str
    zip: str
    country: str
    parcels: list[NoticeParcel]
    order: tuple[float, int, int]
    review: list[str] = []
    on_premises: bool = False
    corrected: tuple[str, ...] = ()
    not_mailed: bool = False
    also_residents: int = 0

    def numbered(self, number: int, *, mail: Mapping[int, Mail]) -> Recipient:
        """Make the recipient: mailed as the most that any of its parcels asks for; ``held`` where a person must decide first."""
        first, *more = self.parcels
        asked: Mail = mail.get(first.fid, "none")
        ids: tuple[str, ...] = (first.id,)
        situs = first.situs
        if more:
            asked = max((mail.get(parcel.fid, "none") for parcel in self.parcels), key=MAIL_CLASSES.index)
            ids = tuple(dict.fromkeys(parcel.id for parcel in self.parcels))
            situs = "; ".join(dict.fromkeys(parcel.situs for parcel in self.parcels if parcel.situs))
        review = [*self.review, "held"] if asked == "none" and self.role != "applicant" else self.review
        if self.not_mailed:
            asked, review = "none", ["not_mailed", *self.review]
        reasons = [text for parcel in self.parcels for text in (parcel.rule, parcel.reason) if text]
        return Recipient(
            number=number,
            role=self.role,
            names=self.names,
            address=self.address,
            city=self.city,
            state=self.state,
            zip=self.zip,
            country=self.country,
            mail=asked,
            parcels=ids,
            reasons=tuple(dict.fromkeys([*reasons, *([_COMBINED] if self.also_residents else []), *self.corrected])),
            situs=situs,
            relation="premises" if self.on_premises else first.relation,
            distance_ft=first.distance_ft,
            review=tuple(dict.fromkeys(review)),
            also_residents=self.also_residents,
        )


class NoticeWarnings(Struct):
    """Parcels by the code of what is to be said about them, in the order in which they were met."""

    found: dict[str, dict[str, None]] = {}

    def note(self, code: str, parcel: str) -> None:
        """Put a parcel under a code."""
        self.found.setdefault(code, {})[parcel] = None

    def codes_of(self, parcel: str) -> tuple[str, ...]:
        """Return the codes that a parcel stands under."""
        return tuple(code for code, parcels in self.found.items() if parcel in parcels)

    def told(self, texts: Mapping[str, str]) -> Iterable[ResultWarning]:
        """Return what was noted, in the order of ``texts``; ``{n}`` stands for how many parcels, with the noun."""
        for code, text in texts.items():
            ids = tuple(self.found.get(code, ()))
            if ids:
                count = "1 property" if len(ids) == 1 else f"{len(ids)} properties"
                yield ResultWarning(code, text.format(n=count), ids)
        missing = set(self.found) - set(texts)
        if missing:  # a code without words would be a silent omission
            raise KeyError(sorted(missing))


def unit_line(line: str, unit: str) -> str:
    """Add a unit to a delivery line: as it is where it has its designator, else after ``#`` (Publication 28, section 213).

    Examples
    --------
    >>> unit_line("12 MAIN ST", "2B"), unit_line("12 MAIN ST", "APT 2B"), unit_line("12 MAIN ST", "")
    ('12 MAIN ST # 2B', '12 MAIN ST APT 2B', '12 MAIN ST')
    >>> unit_line("12 MAIN ST # 2B", "2B")
    '12 MAIN ST # 2B'
    """
    unit = " ".join(unit.split())
    if not unit:
        return line
    first = unit.upper().split()[0]
    designated = first.startswith("#") or first.rstrip(".") in _DESIGNATED
    before = line.upper().removesuffix(f" {unit.upper()}")
    if before != line.upper() and (designated or before.split()[-1].rstrip(".") in _DESIGNATED):
        return line
    return f"{line} {unit}" if designated else f"{line} # {unit}"


_LAST_LINE = re.compile(r"(?P<city>[^,\d]+?)[, ]+(?P<state>[A-Za-z]{2})\.?[, ]+(?P<zip>\d{5}(?:-\d{4})?)")
_KINDS = ("town", "village", "city")


def clerk_recipients(
    municipalities: Sequence[Municipality], *, first: int, mail: Mail
) -> tuple[tuple[Recipient, ...], tuple[ResultWarning, ...]]:
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
        address, city, state, code = parted_address(municipality.clerk_address)
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
    return tuple(recipients), (ResultWarning("clerk_address_missing", text),) if unmailable else ()


def _names(municipality: Municipality) -> tuple[str, ...]:
    """Return the title and the municipality; the person, where the layer names one, for the attention of."""
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


def parted_address(text: str) -> tuple[tuple[str, ...], str, str, str]:
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
