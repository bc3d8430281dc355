"""Users of a town's desk: added and changed with their passwords hashed, and let in by name and password."""

import threading
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, UsageError
from geonotice.register.session import open_register_of, open_town_register
from geonotice.register.users import Role, User, add_user, change_user, users_of

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from geonotice.config.town import Town

__all__ = ["LEAST_LETTERS", "change", "create", "let_in", "list_users"]

LEAST_LETTERS = 12
"""Letters of a password: long ones hold, rules about signs do not."""
_MOST_LETTERS = 200

_AT_ONCE = threading.Semaphore(2)
"""Each hash takes 64 MB and a tenth of a second: many at once would take the memory of the machine."""


def list_users(place: Path) -> dict[str, User]:
    """Return the users of a town by their names; none where the town has no register yet.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    # Not looked through for damage: the desk asks every few seconds.
    with open_register_of(place, examined=False) as register:
        return users_of(register)


def create(town: "Town", *, name: str, log_name: str, role: Role, password: str | None, now: datetime, by: str) -> User:
    """Add a user; the register begins with the first, where there is none.

    Parameters
    ----------
    password
        None for one whom only the town's own sign-in lets in.

    Raises
    ------
    UsageError
        The name or the password cannot be.
    RegisterError
        The register cannot be written.
    """
    hashed = "" if password is None else _hashed(password, name)
    user = User(name=name, log_name=log_name, role=role, hash=hashed, created=now)
    with open_town_register(town) as register:
        return add_user(register, user, now=now, by=by)


def change(
    place: Path,
    name: str,
    *,
    now: datetime,
    by: str,
    role: Role | None = None,
    disabled: bool | None = None,
    password: str | None = None,
) -> User:
    """Change a user; what is None stays.

    Raises
    ------
    UsageError
        There is no such user, no administrator would be left, or the password cannot be.
    RegisterError
        There is no register, or it cannot be written.
    """
    hashed = None if password is None else _hashed(password, name)
    with open_register_of(place) as register:
        return change_user(register.required(), name, now=now, by=by, role=role, disabled=disabled, hash_=hashed)


def let_in(users: dict[str, User], name: str, password: str) -> User | None:
    """Return the user whose name and password these are; None where they are not, in the same time whatever is wrong."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    user = users.get(name.strip().lower())
    right = False
    with _AT_ONCE, suppress(Argon2Error, InvalidHashError):
        right = _hasher().verify(user.hash if user and user.hash else _nobodys_hash(), password[:_MOST_LETTERS])
    return user if right and user and user.hash and not user.disabled else None


def _hashed(password: str, name: str) -> str:
    faults = []
    if not LEAST_LETTERS <= len(password) <= _MOST_LETTERS:
        what = f"the password has {len(password):,} letters"
        remedy = f"take {LEAST_LETTERS} to {_MOST_LETTERS}: some words in a row are easy to keep in mind"
        faults.append(Fault(what=what, remedy=remedy, key="password"))
    elif len(set(password)) < LEAST_LETTERS // 2 or name.strip().casefold() == password.casefold():
        faults.append(Fault(what="the password is easily guessed", remedy="take some words in a row", key="password"))
    if faults:
        raise UsageError(faults)
    with _AT_ONCE:
        return _hasher().hash(password)


@cache
def _hasher() -> "PasswordHasher":
    try:
        from argon2 import PasswordHasher
    except ModuleNotFoundError as error:
        raise UsageError(
            Fault(
                what="passwords need a library that is not installed (argon2)",
                remedy="run: pip install 'geonotice[web]' (in the source folder: make setup)",
            )
        ) from error
    return PasswordHasher()  # argon2id with the measures of RFC 9106 for machines with little memory


@cache
def _nobodys_hash() -> str:
    """Return a hash that no password has, to spend on an unknown name the time that a known one takes."""
    import secrets

    return _hasher().hash(secrets.token_urlsafe(32))
