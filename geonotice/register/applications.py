"""Applications: filed, completed, signed off by officials, approved with a permit or denied. Each change stands in the log of the register.

An application is kept as one line of JSON, the same that stands in the log: what was filed is read back exactly, and nobody changes it behind the log.
"""

import json
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.headline import Against
from geonotice.errors import Fault, UsageError
from geonotice.register.cells import clean
from geonotice.register.log import APPLICATION_ACTION, entries
from geonotice.register.permits import give_reason, name_author
from geonotice.register.rows import unreadable
from geonotice.register.tables_and_columns import APPLICATIONS, fetch
from geonotice.register.values import Entry

if TYPE_CHECKING:
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register, Writing

__all__ = [
    "ApplicationStatus",
    "Document",
    "FiledApplication",
    "Signed",
    "Writer",
    "add_application",
    "application_of_permit",
    "approve",
    "decide_application",
    "find_application",
    "list_applications",
    "missing_sign_offs",
    "open_application",
    "reopen_application",
    "show_application",
    "state_of_application",
    "update_application",
]

ApplicationStatus = Literal["open", "approved", "denied", "withdrawn"]


class Document(Struct, frozen=True, kw_only=True):
    """A paper of an application: a file's name and its SHA-256, what it is, and the day on which it expires, if it does."""

    name: str
    sha256: str
    what: str
    expires: date | None = None
    received: date


class Signed(Struct, frozen=True, kw_only=True):
    """The word of an official, as the profile names the office: who gave it, on which day, what was noted, and whether it approves."""

    official: str
    by: str
    on: date
    note: str = ""
    approves: bool = True


class FiledApplication(Struct, frozen=True, kw_only=True):
    """What was filed for an event, and what became of it.

    Parameters
    ----------
    number
        Its number: ``A``, the year in which it was received, a running number.
    event
        What the applicant states, in the form of an event file; days as text.
    source, folder
        The event file's name, and the folder that its drawings stand in.
    received, complete
        The day it was filed, and the day it was found complete.
    fee, fee_paid
        Dollars as written, and the day they were paid.
    copied_from
        The number of the application it was copied from.
    decided, decided_by, reasons
        The day of the decision, who made it, and the reasons of a denial or a withdrawal.
    permits
        The permits issued on it.
    """

    number: str
    status: ApplicationStatus = "open"
    event: dict[str, Any]
    source: str = ""
    folder: str = ""
    received: date
    complete: date | None = None
    fee: str = ""
    fee_paid: date | None = None
    documents: tuple[Document, ...] = ()
    sign_offs: tuple[Signed, ...] = ()
    copied_from: str = ""
    decided: date | None = None
    decided_by: str = ""
    reasons: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()


class Writer(Struct, frozen=True, kw_only=True):
    """Who writes, when, and a remark for the log."""

    by: str
    now: datetime
    why: str = ""


def add_application(register: "Register", filed: FiledApplication, writer: Writer) -> FiledApplication:
    """Write an application that was filed, and return it with its number, which the register sets.

    Raises
    ------
    UsageError
        Nobody is named.
    RegisterError
        The database refuses; nothing was written.
    """
    who, why = name_author(writer.by), clean(writer.why)
    year = filed.received.year
    asked = "SELECT max(serial) AS serial FROM applications WHERE serial_year = :year"
    with register.writing() as writing:
        from sqlalchemy import insert

        from geonotice.register.sqlalchemy_tables import applications

        (last,) = fetch(writing.connection, asked, APPLICATIONS, year=year)
        serial = (last.serial or 0) + 1
        made = replace(filed, number=f"A{year}-{serial:04d}")
        row = {
            "number": made.number,
            "serial_year": year,
            "serial": serial,
            "status": made.status,
            "state": state_of_application(made),
        }
        writing.connection.execute(insert(applications), [row])
        _log(writing, made, writer, who=who, action="add", why=why)
    return made


def update_application(
    register: "Register",
    number: str,
    action: str,
    writer: Writer,
    change: Callable[[FiledApplication], FiledApplication],
) -> FiledApplication:
    """Change an application that is open; ``change`` is asked within the transaction, of what the application is at that moment.

    Raises
    ------
    UsageError
        There is no such application, it is decided already, nobody is named, or nothing changes.
    RegisterError
        The database refuses; nothing was written.
    """
    return _changed(register, number, action, writer, change, require=_require_open)


def _changed(
    register: "Register",
    number: str,
    action: str,
    writer: Writer,
    change: Callable[[FiledApplication], FiledApplication],
    *,
    require: Callable[[FiledApplication], None],
) -> FiledApplication:
    who, why = name_author(writer.by), give_reason(writer.why)
    with register.writing() as writing:
        before = find_application(writing.connection, number)
        require(before)
        after = change(before)
        if after == before:
            raise UsageError(Fault(what=f"application {before.number} says all of this already", remedy="state what is new"))
        _put(writing, after, writer, who=who, action=action, why=why)
    return after


def decide_application(
    register: "Register",
    number: str,
    status: Literal["denied", "withdrawn"],
    *,
    reasons: Collection[str],
    on: date,
    writer: Writer,
) -> FiledApplication:
    """Deny an application, or note that it was withdrawn, with the reasons; errors as :func:`update_application`, and where no reason is given."""
    who = name_author(writer.by)
    given = tuple(reason for text in reasons if (reason := give_reason(text)))
    if not given:
        what, why = "no reason is given", "a denial states its reasons" if status == "denied" else "the log says why"
        raise UsageError(Fault(what=what, why=why, remedy="type each reason", command="give --reason TEXT, once for each reason"))
    return update_application(
        register,
        number,
        "deny" if status == "denied" else "withdraw",
        replace(writer, why="; ".join((*given, writer.why) if writer.why else given)),
        lambda before: replace(before, status=status, decided=on, decided_by=who, reasons=given),
    )


def reopen_application(register: "Register", number: str, *, reason: str, writer: Writer) -> FiledApplication:
    """Take back a denial or a withdrawal: the application is open again. The log keeps what was decided, and why it was taken back.

    Raises
    ------
    UsageError
        It is open, or a permit was issued on it; or no reason is given.
    """
    why = give_reason(reason, required=True)

    def require(before: FiledApplication) -> None:
        if before.status not in {"denied", "withdrawn"}:
            remedy = "rescind or void the permit, where that is meant" if before.permits else "look at it again"
            raise UsageError(
                Fault(what=f"application {before.number} is {before.status}, and has no denial to take back", remedy=remedy)
            )

    return _changed(
        register,
        number,
        "reopen",
        replace(writer, why=why),
        lambda before: replace(before, status="open", decided=None, decided_by="", reasons=()),
        require=require,
    )


def approve(writing: "Writing", filed: FiledApplication, *, permits: Collection[str], on: date, writer: Writer) -> None:
    """Write in a transaction that permits were issued on an application."""
    after = replace(filed, status="approved", decided=on, decided_by=name_author(writer.by), permits=tuple(permits))
    _put(writing, after, writer, who=after.decided_by, action="approve", why=f"permit {', '.join(permits)}")


def _put(writing: "Writing", after: FiledApplication, writer: Writer, *, who: str, action: str, why: str) -> None:
    from sqlalchemy import update

    from geonotice.register.sqlalchemy_tables import applications

    values = {"status": after.status, "state": state_of_application(after)}
    writing.connection.execute(update(applications).where(applications.c.number == after.number).values(**values))
    _log(writing, after, writer, who=who, action=action, why=why)


def _log(writing: "Writing", filed: FiledApplication, writer: Writer, *, who: str, action: str, why: str) -> None:
    state = state_of_application(filed)
    writing.chain.append_state(filed.number, state, at=writer.now, by=who, action=f"{APPLICATION_ACTION}{action}", why=why)


def state_of_application(filed: FiledApplication) -> str:
    """Write an application as one line of JSON, the same for the same application."""
    return json.dumps(msgspec.to_builtins(filed), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _require_open(filed: FiledApplication) -> None:
    if filed.status != "open":
        on = f" on {filed.decided.isoformat()}" if filed.decided else ""
        raise UsageError(
            Fault(
                what=f"application {filed.number} was {filed.status}{on}",
                why="what was decided stays as it was filed",
                remedy="file a new one, begun from this one",
                command=f"file a new one: geonotice application add TOWN --from {filed.number}",
            )
        )


def find_application(connection: "AnyConnection", number: str) -> FiledApplication:
    """Load an application by its number, in any letters.

    Raises
    ------
    UsageError
        There is none.
    RegisterError
        It cannot be read.
    """
    asked = number.strip().upper()
    found = fetch(connection, "SELECT state FROM applications WHERE number = :asked", APPLICATIONS, asked=asked)
    if not found:
        remedy, command = "choose one from the list of applications", "geonotice application list TOWN shows the numbers"
        raise UsageError(Fault(what=f"there is no application {number.strip()!r}", remedy=remedy, command=command))
    return _read(found[0].state, asked)


def _read(state: str, number: str) -> FiledApplication:
    try:
        found = msgspec.json.decode(state, type=FiledApplication)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise unreadable(f"application {number}", str(error)) from error
    if found.number != number:
        raise unreadable(f"application {number}", f"it says that it is {found.number!r}")
    return found


def open_application(connection: "AnyConnection", expected: FiledApplication) -> FiledApplication:
    """Load an application again, within the transaction that decides on it.

    Raises
    ------
    UsageError
        It is decided by now, or was changed since it was read.
    """
    found = find_application(connection, expected.number)
    _require_open(found)
    if found.event != expected.event:
        raise UsageError(
            Fault(what=f"application {found.number} was changed a moment ago", remedy="look at it, and issue the permit again")
        )
    return found


def missing_sign_offs(filed: FiledApplication, officials: Mapping[str, tuple[str, str]]) -> tuple[Against, ...]:
    """Return the sign-offs that an application lacks, as what stands against its permit.

    Parameters
    ----------
    officials
        Each official that the profile names for such an event, with the rule's id and where it stands.
    """
    said = {one.official: one for one in filed.sign_offs}
    missing: dict[tuple[str, str], list[str]] = {}
    refused: dict[tuple[str, str], list[str]] = {}
    for official, rule in officials.items():
        word = said.get(official)
        if word is None:
            missing.setdefault(rule, []).append(official)
        elif not word.approves:
            refused.setdefault(rule, []).append(f"{official} ({word.note})")
    texts = [(*key, f"the application is not signed off by: {', '.join(names)}") for key, names in missing.items()]
    texts += [(*key, f"the application is not approved by: {'; '.join(names)}") for key, names in refused.items()]
    return tuple(Against(rule, "not_met", text, section) for rule, section, text in texts)


def show_application(register: "Register", number: str) -> tuple[FiledApplication, tuple[Entry, ...]]:
    """Return an application and its rows of the log; errors as :func:`find_application`."""
    with register.reading() as connection:
        found = find_application(connection, number)
        return found, tuple(entries(connection, found.number, filed=True))


def application_of_permit(register: "Register", number: str) -> FiledApplication | None:
    """Return the application that a permit was issued on; None where it was issued without one.

    Raises
    ------
    RegisterError
        One cannot be read.
    """
    asked = "SELECT number, state FROM applications WHERE status = 'approved' AND replace(state, :quoted, '') <> state"
    with register.reading() as connection:
        rows = fetch(connection, asked, APPLICATIONS, quoted=json.dumps(number, ensure_ascii=False))
        found = (_read(row.state, row.number) for row in rows)
        return next((filed for filed in found if number in filed.permits), None)


def list_applications(register: "Register", *, status: str | None = None) -> tuple[FiledApplication, ...]:
    """List applications by number; ``status`` those of a status.

    Raises
    ------
    RegisterError
        One cannot be read.
    """
    of_status = "" if status is None else "WHERE status = :status "
    asked = APPLICATIONS.select(f"{of_status}ORDER BY serial_year, serial")
    given = {} if status is None else {"status": status}
    with register.reading() as connection:
        return tuple(_read(row.state, row.number) for row in fetch(connection, asked, APPLICATIONS, **given))
