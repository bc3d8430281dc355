"""What stands in a register's rows, read back: a value that cannot be one is an error in words, never passed over, never a traceback."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any, get_args

from geonotice.errors import Fault, RegisterError
from geonotice.model import District, DistrictClass

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["FARTHEST_FT", "MOST_LISTED_CHARACTERS", "days_of", "districts_of", "readable", "shape_of", "streets_of"]

FARTHEST_FT = 1.0e8
"""The largest coordinate of a shape: nearly the way around the Earth, in feet. One beyond is damage, and a shape that reaches so far would be
put into as many cells of the grid as there are drops in a lake."""

MOST_LISTED_CHARACTERS = 1_000_000
"""The longest list of streets, days or districts that is read: a thousand times what a permit has."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PARTS_OF_DISTRICT = 4


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn what Python makes of a value that is none into an error for a clerk. Wrap nothing in it but the reading of rows.

    Raises
    ------
    RegisterError
        A date, a list or a number in the register's rows is none.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise _unreadable(what, str(error)) from error


def shape_of(wkb: bytes, what: str) -> "BaseGeometry":
    """Read a stored shape; one that crosses itself is made valid, so that it can be compared with others.

    Raises
    ------
    RegisterError
        It is none, is empty, or reaches farther than the Earth.
    """
    import shapely

    try:
        shape = shapely.from_wkb(wkb)
        bounds = shapely.bounds(shape).tolist()
        if not all(isfinite(side) and abs(side) <= FARTHEST_FT for side in bounds):
            raise _unreadable(f"the shape of {what}", "it is empty, or its coordinates are on no map")
        return shape if shapely.is_valid(shape) else shapely.make_valid(shape)
    except (shapely.errors.ShapelyError, TypeError, ValueError) as error:
        raise _unreadable(f"the shape of {what}", str(error)) from error


def streets_of(cell: str) -> tuple[str, ...]:
    """Read the list of streets of a permit.

    Raises
    ------
    ValueError
        It is no list of texts.

    Examples
    --------
    >>> streets_of('["Main Street"]')
    ('Main Street',)
    """
    streets = _listed(cell)
    if not all(isinstance(street, str) for street in streets):
        raise ValueError(f"{cell[:40]!r} is not a list of streets")
    return tuple(streets)


def days_of(cell: str) -> tuple[date, ...]:
    """Read the list of days of a yard sale.

    Raises
    ------
    ValueError
        It is no list of days.
    """
    days = _listed(cell)
    if not all(isinstance(day, str) and _DAY.fullmatch(day) for day in days):
        raise ValueError(f"{cell[:40]!r} is not a list of days")
    return tuple(date.fromisoformat(day) for day in days)


def districts_of(cell: str) -> tuple[District, ...]:
    """Read the zoning districts of a parcel.

    Raises
    ------
    ValueError
        It is no list of districts.
    """
    districts = _listed(cell)
    if not all(_is_district(part) for part in districts):
        raise ValueError(f"{cell[:40]!r} is not a list of zoning districts")
    return tuple(District(*part) for part in districts)


def _is_district(part: Any) -> bool:  # noqa: ANN401  # whatever JSON holds
    if not isinstance(part, list) or len(part) != _PARTS_OF_DISTRICT:
        return False
    code, kind, *numbers = part
    known = isinstance(code, str) and kind in get_args(DistrictClass)
    return known and all(
        isinstance(number, (int, float)) and not isinstance(number, bool) and isfinite(number) for number in numbers
    )


def _listed(cell: str) -> list[Any]:
    if len(cell) > MOST_LISTED_CHARACTERS:
        raise ValueError(f"a list of {len(cell):,} characters")
    found = json.loads(cell)
    if not isinstance(found, list):
        raise ValueError(f"{cell[:40]!r} is not a list")  # noqa: TRY004  # as any other cell that cannot be read
    return found


def _unreadable(what: str, why: str) -> RegisterError:
    remedy = "geonotice permit log --verify lists what was changed behind the log; bring back the last sound backup"
    return RegisterError(Fault(what=f"{what} in the register cannot be read", why=why, remedy=remedy))
