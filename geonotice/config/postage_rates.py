"""The rate table: what postage costs from which day on, as the town keeps it (``[postage] file = "rates.toml"``)."""

from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from geonotice.config.constraints import After, Entries, FileTable, Limit, Table, only_known_keys
from geonotice.errors import Fault, InputError
from geonotice.io.toml import NotToml, is_unknown_key, key_at, nearest_key, read_toml, wrong_value

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["PARTS", "RateTable", "Rates", "rates_on", "read_rates"]

Part = Literal["letter", "certified", "return_receipt", "electronic"]
PARTS: dict[Part, str] = {
    "letter": "letter",
    "certified": "certified mail",
    "return_receipt": "return receipt",
    "electronic": "electronic return receipt",
}
"""What a piece is paid for, in words."""


def _cents(value: Decimal) -> Decimal:
    cents = value.quantize(Decimal("0.01"))
    if cents != value:
        raise ValueError("a price has two decimals at most")
    return cents


Money = Annotated[Decimal, Limit(ge=0, le=1000), After(_cents)]


class Rates(FileTable, kw_only=True):
    """One of ``[[rates]]``: the prices from a day on, in dollars.

    ``since`` is the key ``from``; ``source`` where the prices stand. ``certified_piece`` is what a certified piece is paid for. ``international`` is the price of
    a letter to another country, ``registered_international`` of one that the law asks to be certified: certified mail goes nowhere but within the United States.
    Without them such a letter has no price, and no invoice can be made.
    """

    __pydantic_config__ = only_known_keys({"since": "from"}, str_strip_whitespace=True)

    since: date
    source: Annotated[str, Limit(min_length=1)]
    letter: Money
    certified: Money | None = None
    return_receipt: Money | None = None
    electronic: Money | None = None
    international: Money | None = None
    registered_international: Money | None = None
    certified_piece: Annotated[tuple[Part, ...], Entries(at_least=1)] = ("letter", "certified", "return_receipt")


class RateTable(FileTable, kw_only=True):
    """The file: one table ``[[rates]]`` for each change of prices."""

    __pydantic_config__ = only_known_keys({})

    rates: Annotated[tuple[Annotated[Rates, Table()], ...], Entries(at_least=1)]


def read_rates(path: Path) -> RateTable:
    """Read and check a rate table.

    Raises
    ------
    InputError
        With every fault of the file.
    """
    from pydantic import ValidationError

    try:
        data = read_toml(path.read_bytes())
    except NotToml as error:
        raise InputError(Fault(what=error.what, file=str(path), remedy=error.remedy)) from error
    except OSError as error:
        what = f"the rate table cannot be read: {error.strerror}"
        raise InputError(Fault(what=what, file=str(path), remedy="fix [postage] file in the town file")) from error
    try:
        table = _checker().validate_python(data)
    except ValidationError as error:
        raise InputError([_fault(path, item) for item in error.errors()]) from error
    days = [one.since for one in table.rates]
    if twice := sorted({day for day in days if days.count(day) > 1}):
        what = f"two tables [[rates]] hold from {', '.join(map(str, twice))}"
        raise InputError(Fault(what=what, file=str(path), why="which prices hold is not stated", remedy="leave one of them"))
    return table


def rates_on(table: RateTable, day: date) -> Rates | None:
    """Return the prices of a day; None where the table begins later."""
    return max((one for one in table.rates if one.since <= day), key=lambda one: one.since, default=None)


@cache
def _checker() -> "TypeAdapter[RateTable]":
    from pydantic import TypeAdapter

    return TypeAdapter(Annotated[RateTable, Table()])


def _fault(path: Path, error: Any) -> Fault:  # noqa: ANN401  # pydantic's error dictionary
    place = error["loc"]
    if is_unknown_key(error):
        near = nearest_key(RateTable, place)
        what, remedy = "unknown key", f"write {near}, if that is meant" if near else "fix the spelling, or take it out"
    elif error["type"] == "missing":
        what, remedy = "this is missing", "add it"
    else:
        what, remedy = wrong_value(error), "write a price in dollars, such as 0.78" if place[-1:] != ("from",) else "write a date"
    return Fault(what=what, file=str(path), key=key_at(place), remedy=remedy)
