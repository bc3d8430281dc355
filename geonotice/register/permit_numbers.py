"""The number of the next permit: of the form that the town file states, on from the town's own numbers where their form is plain, else of the register's own."""

from datetime import date
from typing import TYPE_CHECKING

from geonotice.config.permit_number_forms import OWN_FORM, NumberForm, common_form, stated_form
from geonotice.model import ResultWarning
from geonotice.register.tables_and_columns import PERMITS, fetch

if TYPE_CHECKING:
    from geonotice.register.database import AnyConnection

__all__ = ["UNNUMBERED", "next_number", "number_doubt"]

UNNUMBERED = "unnumbered-"
"""What the number of an imported permit begins with that had none: it tells nothing of how the town numbers its permits."""

_SHOWN = 3
"""Most numbers named in a doubt."""


def _form_in_use(connection: "AnyConnection", year: int) -> tuple[NumberForm | None, tuple[str, ...]]:
    """Return the form of the permits issued in a year, or in the year before where none was yet, and examples of them."""
    for of in (year, year - 1):
        between = {"first": date(of, 1, 1), "last": date(of, 12, 31)}
        asked = f"FROM permits WHERE issued BETWEEN :first AND :last AND number NOT LIKE '{UNNUMBERED}%'"  # our own word
        foreign = [
            row.number for row in fetch(connection, f"SELECT number {asked} AND serial IS NULL", PERMITS, **between)
        ]  # our own words
        own = [
            row.number
            for order in ("", "DESC")
            for row in fetch(
                connection,
                f"SELECT number {asked} AND serial IS NOT NULL ORDER BY serial_year, serial {order} LIMIT 1",
                PERMITS,
                **between,
            )  # our own words
        ]
        if foreign:
            numbers = [*foreign, *own]
            return common_form(numbers, of), tuple(dict.fromkeys([*own[:1], *foreign]))
        if own:
            return OWN_FORM, ()
    return OWN_FORM, ()


def _plan(connection: "AnyConnection", year: int, stated: str) -> tuple[str, str]:
    """Return the next number of a year, and what is doubtful about it."""
    form, examples = (stated_form(stated), ()) if stated else _form_in_use(connection, year)
    number = _next_of(connection, form, year) if form else None
    if number is not None:
        return number, ""
    number = _next_of(connection, OWN_FORM, year) or ""
    shown = ", ".join(examples[:_SHOWN]) + (f" and {len(examples) - _SHOWN:,} more" if len(examples) > _SHOWN else "")
    return number, (
        f"how the town numbers its permits does not follow from those it has ({shown}): the next has the register's own form, {number}. State the form"
        ' in the town file, such as number = "SE-{year}-{n:03}" under [register]'
    )


def _next_of(connection: "AnyConnection", form: NumberForm, year: int) -> str | None:
    """Return the number after the last of a form: rescinded and void permits keep theirs, and what was left out in between is not filled."""
    if form == OWN_FORM:
        (own,) = fetch(connection, "SELECT max(serial) AS serial FROM permits WHERE serial_year = :year", PERMITS, year=year)
        return form.number(year, (own.serial or 0) + 1)
    asked = "SELECT number FROM permits WHERE number LIKE :shape ESCAPE '!'"
    pattern = form.pattern(year)
    found = (pattern.fullmatch(row.number) for row in fetch(connection, asked, PERMITS, shape=form.like(year)))
    last = max((int(one[1]) for one in found if one), default=0)
    return form.number(year, last + 1)


def next_number(connection: "AnyConnection", year: int, *, stated: str = "") -> str:
    """Return the number of the next permit that is issued in a year; ask within the transaction that writes it.

    Parameters
    ----------
    connection
        The transaction: two clerks cannot be handed one number.
    year
        The year of issue.
    stated
        The form that the town file states; empty where it states none.
    """
    return _plan(connection, year, stated)[0]


def number_doubt(connection: "AnyConnection", year: int, *, stated: str = "") -> tuple[ResultWarning, ...]:
    """Return the warning that the next number does not go on from the town's own, where their form is not plain."""
    text = _plan(connection, year, stated)[1]
    return (ResultWarning("number_form", text),) if text else ()
