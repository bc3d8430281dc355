"""Users of the desk: who signs in, under which name the log has them, what they may do. Nobody is deleted, only disabled, and the log keeps every change."""

import hashlib
import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import Fault, UsageError
from geonotice.register.cells import clean
from geonotice.register.tables_and_columns import USERS, fetch

if TYPE_CHECKING:
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register

__all__ = ["ROLES", "USER_ACTION", "Role", "User", "add_user", "change_user", "load_users", "state_of_user", "users_of"]

Role = Literal["viewer", "clerk", "administrator"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what the one before it may, and more: look; write; and keep the users, the layers and the backup."""

USER_ACTION = "user_"
"""What the actions of the rows on users begin with; no action on a permit does."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,63}")
_LONGEST_LOG_NAME = 100
"""Characters of a name for the log: it stands on papers."""


class User(Struct, frozen=True, kw_only=True):
    """Somebody who may sign in.

    Parameters
    ----------
    name
        What is typed to sign in, in small letters.
    log_name
        The name that stands in the log and on papers.
    role
        What they may do.
    hash
        The argon2 hash of the password; empty where only the town's own sign-in lets them in.
    disabled
        Whether they are let in no more.
    created
        When they were added.
    """

    name: str
    log_name: str
    role: Role
    hash: str
    created: datetime
    disabled: bool = False

    @property
    def key(self) -> str:
        """What the log calls them: never the number of a permit."""
        return f"user:{self.name}"

    def may(self, role: Role) -> bool:
        """Return whether they may do what a role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


def state_of_user(user: User) -> str:
    """Write a user's whole state as one line of JSON; the hash of the password stands in it as its own SHA-256."""
    state = {
        "name": user.name,
        "log_name": user.log_name,
        "role": user.role,
        "password": hashlib.sha256(user.hash.encode()).hexdigest() if user.hash else "",
        "created": user.created.isoformat(),
        "disabled": user.disabled,
    }
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def load_users(connection: "AnyConnection") -> dict[str, User]:
    """Return all users by their names."""
    rows = fetch(connection, USERS.select("ORDER BY name"), USERS)
    return {row.name: _user(row) for row in rows}


def _user(row: Any) -> User:  # noqa: ANN401  # a row of the table
    return User(
        name=row.name,
        log_name=row.log_name,
        role=row.role,
        hash=row.hash,
        disabled=row.disabled,
        created=datetime.fromisoformat(row.created),
    )


def users_of(register: "Register") -> dict[str, User]:
    """Return the users of a register by their names; none where there is no register.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    if not register.there:
        return {}
    with register.reading() as connection:
        return load_users(connection)


def add_user(register: "Register", user: User, *, now: datetime, by: str) -> User:
    """Write a new user.

    Raises
    ------
    UsageError
        The name cannot be, or is taken; or the first user is no administrator, so that nobody could add another one.
    RegisterError
        The database refuses; nothing was written.
    """
    user = replace(user, name=user.name.strip().lower(), log_name=clean(user.log_name) or user.name.strip())
    who = _named(by)
    with register.writing() as writing:
        from sqlalchemy import insert

        from geonotice.register.sqlalchemy_tables import users

        there = load_users(writing.connection)
        faults = _name_faults(user, there)
        if not there and user.role != "administrator":
            faults.append(
                Fault(
                    what=f"the first user cannot be a {user.role}",
                    why="nobody could add other users, import layers or take a backup",
                    remedy="add an administrator first, with the role administrator",
                    key="role",
                )
            )
        if faults:
            raise UsageError(faults)
        values = {name: getattr(user, name) for name in User.__struct_fields__} | {"created": user.created.isoformat()}
        writing.connection.execute(insert(users), [values])
        writing.chain.append_state(user.key, state_of_user(user), at=now, by=who, action=f"{USER_ACTION}add", why=user.role)
    return user


def change_user(
    register: "Register",
    name: str,
    *,
    now: datetime,
    by: str,
    role: Role | None = None,
    disabled: bool | None = None,
    hash_: str | None = None,
) -> User:
    """Change what a user may do, let them in or keep them out, or set the hash of another password; what is None stays.

    Raises
    ------
    UsageError
        There is no such user, or no administrator would be left.
    RegisterError
        The database refuses; nothing was written.
    """
    who = _named(by)
    given = {name_: value for name_, value in (("role", role), ("disabled", disabled), ("hash", hash_)) if value is not None}
    with register.writing() as writing:
        from sqlalchemy import update

        from geonotice.register.sqlalchemy_tables import users

        there = load_users(writing.connection)
        before = there.get(name.strip().lower())
        if before is None:
            known = ", ".join(there) or "none"
            raise UsageError(
                Fault(what=f"there is no user {name.strip()[:64]!r}", remedy=f"name one of these: {known}", key="name")
            )
        after = replace(before, **given)
        # Counted within the transaction: two administrators who disable each other at once must not both succeed.
        if not any(user.role == "administrator" and not user.disabled for user in (there | {after.name: after}).values()):
            raise UsageError(
                Fault(
                    what=f"{after.name} is the last administrator",
                    why="nobody could add users, import layers or take a backup any more",
                    remedy="make somebody else an administrator first",
                    key="name",
                )
            )
        if after == before:
            return after
        writing.connection.execute(update(users).where(users.c.name == after.name).values(**given))
        why = ", ".join(_told(field, after) for field in given)
        writing.chain.append_state(after.key, state_of_user(after), at=now, by=who, action=f"{USER_ACTION}change", why=why)
    return after


def _told(field: str, user: User) -> str:
    if field == "role":
        return f"role {user.role}"
    return "another password" if field == "hash" else "disabled" if user.disabled else "let in again"


def _name_faults(user: User, there: dict[str, User]) -> list[Fault]:
    faults = []
    if not _NAME.fullmatch(user.name):
        remedy = "use small letters, digits and . _ @ - only, such as j.doe"
        faults.append(Fault(what=f"{user.name[:64]!r} is no name to sign in with", remedy=remedy, key="name"))
    if not user.log_name.isprintable() or len(user.log_name) > _LONGEST_LOG_NAME:
        what = f"the name for the log is longer than {_LONGEST_LOG_NAME} letters, or has signs in it that cannot be printed"
        faults.append(Fault(what=what, remedy="give the name as it should stand on papers", key="log_name"))
    if user.name in there:
        state = ", who is disabled" if there[user.name].disabled else ""
        faults.append(Fault(what=f"there is a user {user.name} already{state}", remedy="choose another name", key="name"))
    elif user.log_name.casefold() in {one.log_name.casefold() for one in there.values()}:
        what = f"another user stands in the log as {user.log_name}"
        faults.append(
            Fault(what=what, why="the log could not tell them apart", remedy="give a fuller name for the log", key="log_name")
        )
    return faults


def _named(by: str) -> str:
    who = clean(by)
    if not who:
        raise UsageError(
            Fault(
                what="nobody is named",
                why="every change in the register says who made it",
                remedy="give your name",
                command="give --by NAME",
            )
        )
    return who
