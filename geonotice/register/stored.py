"""What stands in a register's rows, read back: a value that cannot be one is said, never passed over and never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from geonotice.errors import Fault, RegisterError

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["readable", "shape_of"]


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn what Python says of a value that is none into an error for a clerk. Wrap nothing in it but the reading of rows.

    Raises
    ------
    RegisterError
        A date, a list or a number in the register's rows is none.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise _unreadable(what, error) from error


def shape_of(wkb: bytes, what: str) -> "BaseGeometry":
    """Read a stored shape.

    Raises
    ------
    RegisterError
        It is none.
    """
    import shapely

    try:
        return shapely.from_wkb(wkb)
    except (shapely.errors.ShapelyError, TypeError) as error:
        raise _unreadable(f"the shape of {what}", error) from error


def _unreadable(what: str, error: Exception) -> RegisterError:
    remedy = "geonotice permit log --verify tells what was changed behind the log; bring back the last sound backup"
    return RegisterError(Fault(what=f"{what} in the register cannot be read", why=str(error), remedy=remedy))
