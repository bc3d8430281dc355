"""List the lots on which a year's permits are used up, with who has them: ``permit list --at-cap``."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.model import ResultWarning
from geonotice.register.permits import none_of
from geonotice.workflow.outputs import check_not_of_town
from geonotice.workflow.permit_import import write_table
from geonotice.workflow.permits import year_of_permits

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.year import YearParcel

__all__ = ["AtCap", "LotAtCap", "lots_at_cap", "write_lots_at_cap"]

_COLUMNS = (
    "parcel",
    "address",
    "districts",
    "used",
    "cap",
    "one_more_for_a_charity",
    "next_date",
    "permits",
    "applicants",
    "why",
)


class LotAtCap(Struct, frozen=True, kw_only=True):
    """A lot without room for a further ordinary event in the year.

    Parameters
    ----------
    used, cap
        How many permits count, and how many there may be for any applicant.
    one_more_for_a_charity
        Whether a charity that the event primarily benefits may have one more.
    next_date
        The first day on which a permit could be issued, or an event held; None where that is not known.
    permits, applicants
        The year's permits on its land without those that are void, and whose they are.
    """

    parcel: str
    address: str
    districts: tuple[str, ...]
    used: int
    cap: int | None
    one_more_for_a_charity: bool
    next_date: date | None
    permits: tuple[str, ...]
    applicants: tuple[str, ...]
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        found = {name: getattr(self, name) for name in _COLUMNS}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
        return {**plain, "next_date": self.next_date and self.next_date.isoformat()}


class AtCap(Struct, frozen=True, kw_only=True):
    """The lots at the cap in a year, as of a day, by their number."""

    year: int
    on: date
    lots: tuple[LotAtCap, ...]
    warnings: tuple[ResultWarning, ...]


def lots_at_cap(opened: "Opened", register: "Register", *, year: int, on: date, district: str | None = None) -> AtCap:
    """List the lots on which nobody, or nobody but a charity, may have a further event in the year.

    Lots on which an official must decide first are in no such list: a warning names them.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    found = year_of_permits(opened, register, year=year, on=on)
    applicants = {item.permit.number: item.permit.applicant for item in found.permits if item.permit.status != "void"}
    wanted = None if district is None else district.strip().casefold()
    mine = [item for item in found.parcels if wanted is None or wanted in {code.casefold() for code in item.codes}]
    open_ = [item.parcel.id for item in mine if item.decide and item.permits]
    said = []
    if found.parcels and not mine:
        there = {code for item in found.parcels for code in item.codes}
        said.append(none_of(f"no lot with a permit of {year} lies in the district {(district or '').strip()!r}", there))
    if open_:
        text = "whether these lots are at the cap is for an official to decide first; permit check says on what it turns"
        said.append(ResultWarning("cap_open", text, tuple(open_)))
    lots = tuple(_lot(item, applicants) for item in mine if item.parcel.id in found.at_the_cap)
    return AtCap(year=year, on=on, lots=lots, warnings=(*found.warnings, *said))


def _lot(item: "YearParcel", applicants: dict[str, str]) -> LotAtCap:
    numbers = [number for number in item.permits if number in applicants]
    return LotAtCap(
        parcel=item.parcel.id,
        address=item.parcel.situs.text,
        districts=item.codes,
        used=item.used,
        cap=item.cap,
        one_more_for_a_charity=item.charity_left,
        next_date=item.next_date,
        permits=tuple(numbers),
        applicants=tuple(dict.fromkeys(name for number in numbers if (name := applicants[number]))),
        why=item.why,
    )


def write_lots_at_cap(opened: "Opened", lots: Sequence[LotAtCap], file: Path) -> Path | None:
    """Write the lots as CSV or XLSX; return where an earlier file of its name is kept.

    Raises
    ------
    UsageError
        The file's ending is neither.
    OutputError
        It is one that the town is read from, or cannot be written.
    """
    check_not_of_town(file, opened.town)
    rows = [[_cell(lot.to_json()[name]) for name in _COLUMNS] for lot in lots]
    return write_table((_COLUMNS, rows), file)


def _cell(value: object) -> object:
    if isinstance(value, list):
        return "; ".join(str(item) for item in value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
