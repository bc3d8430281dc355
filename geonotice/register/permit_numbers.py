"""The number of the next permit: of the form that the town file states, on from the town's own numbers where their form is plain, else of the register's own."""

from datetime import date
from typing import TYPE_CHECKING, Any

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


_NUMBERED = f"FROM permits WHERE number NOT LIKE '{UNNUMBERED}%'"  # our own word
_PLACED = {"issued": "", "starts": " AND issued IS NULL"}
"""By which of its days a permit is of a year: by the first day of the event where the day of issue is not known."""


def _form_in_use(connection: "AnyConnection", year: int) -> tuple[NumberForm | None, tuple[str, ...]]:
    """Return the form of the permits of a year, or of the last year before that has any, and examples of them; no form where it is not plain."""

    def of_permits(columns: str, which: str = "", rest: str = "", **values: Any) -> list[Any]:  # noqa: ANN401  # what a question compares with
        """Ask by one day, then by the other: either way an index answers."""
        return [
            row
            for day, unknown in _PLACED.items()
            for row in fetch(
                connection,
                f"SELECT {columns.format(day)} {_NUMBERED}{unknown}{which.format(day)}{rest.format(day)}",
                PERMITS,
                **values,
            )
        ]

    last = of_permits("{0} AS issued", " AND {0} <= :last", " ORDER BY {0} DESC LIMIT 1", last=date(year, 12, 31))
    if not last:
        others = fetch(connection, f"SELECT number {_NUMBERED} AND serial IS NULL ORDER BY number", PERMITS)
        return (None if others else OWN_FORM), tuple(row.number for row in others)
    of = max(row.issued for row in last).year
    between: dict[str, Any] = {"first": date(of, 1, 1), "last": date(of, 12, 31)}
    within = " AND {0} BETWEEN :first AND :last"
    foreign = [row.number for row in of_permits("number", f"{within} AND serial IS NULL", **between)]
    if not foreign:
        return OWN_FORM, ()
    own = [
        row.number
        for order in ("", "DESC")
        for row in of_permits(
            "number", f"{within} AND serial IS NOT NULL", f" ORDER BY serial_year, serial {order} LIMIT 1", **between
        )
    ]
    return common_form([*foreign, *own], of), tuple(dict.fromkeys([*own[:1], *foreign]))


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
