"""Mail pieces before they have a number, and the cautions that gather while they are made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from geonotice.model import MAIL_CLASSES, Caution, Mail, NoticeParcel, Recipient, RecipientRole

__all__ = ["Cautions", "Draft", "unit_line"]

_DESIGNATED = {
    "#", "APT", "APARTMENT", "BLDG", "BSMT", "BUILDING", "FL", "FLOOR", "FRNT", "FRONT", "LOT", "LOWER", "LOWR", "PH", "REAR", "RM", "ROOM",
    "SIDE", "SPC", "STE", "SUITE", "TRLR", "UNIT", "UPPER", "UPPR",
}  # fmt: skip


@dataclass(slots=True)
class Draft:
    """One mail piece; ``parcels`` grows when another parcel shares it, ``order`` places it among those of its role."""

    role: RecipientRole
    names: tuple[str, ...]
    address: tuple[str, ...]
    city: str
    state: str
    zip: str
    country: str
    parcels: list[NoticeParcel]
    order: tuple[float, int, int]
    review: list[str] = field(default_factory=list)
    on_premises: bool = False

    def numbered(self, number: int, *, mail: Mapping[int, Mail]) -> Recipient:
        """Make the recipient: mailed as the most that any of its parcels asks for; ``held`` where a person must decide first."""
        first = self.parcels[0]
        asked = max((mail.get(parcel.fid, "none") for parcel in self.parcels), key=MAIL_CLASSES.index)
        review = [*self.review, *(["held"] if asked == "none" and self.role != "applicant" else [])]
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
            parcels=tuple(dict.fromkeys(parcel.id for parcel in self.parcels)),
            reasons=tuple(dict.fromkeys(text for parcel in self.parcels for text in (parcel.rule, parcel.reason) if text)),
            situs="; ".join(dict.fromkeys(parcel.situs for parcel in self.parcels if parcel.situs)),
            relation="premises" if self.on_premises else first.relation,
            distance_ft=first.distance_ft,
            review=tuple(dict.fromkeys(review)),
        )


@dataclass(slots=True)
class Cautions:
    """Parcels by the code of what is to be said about them, in the order in which they were met."""

    found: dict[str, dict[str, None]] = field(default_factory=dict)

    def note(self, code: str, parcel: str) -> None:
        """Put a parcel under a code."""
        self.found.setdefault(code, {})[parcel] = None

    def codes_of(self, parcel: str) -> tuple[str, ...]:
        """Give the codes that a parcel stands under."""
        return tuple(code for code, parcels in self.found.items() if parcel in parcels)

    def told(self, texts: Mapping[str, str]) -> Iterable[Caution]:
        """Say what was noted, in the order of ``texts``; ``{n}`` stands for how many parcels, with the noun."""
        for code, text in texts.items():
            ids = tuple(self.found.get(code, ()))
            if ids:
                count = "1 property" if len(ids) == 1 else f"{len(ids)} properties"
                yield Caution(code, text.format(n=count), ids)
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
