"""The verification of the register: its file, its tables and every permit, application, mail piece and user against the log."""

import hashlib
import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import UniqueConstraint, inspect, select
from sqlalchemy.exc import DBAPIError

from geonotice.errors import RegisterError
from geonotice.register.database import is_sqlite, programs
from geonotice.register.log import ANSWER_ACTION, APPLICATION_ACTION, MAIL_ACTION, row_hash, state_of, state_of_piece
from geonotice.register.mail_ledger import load_pieces
from geonotice.register.rows import cells_of_shape, land_key, load, readable, serial_of
from geonotice.register.sqlalchemy_tables import (
    StrictColumn,
    applications,
    log,
    log_head,
    metadata,
    permit_cells,
    permit_parcels,
    permits,
)
from geonotice.register.users import USER_ACTION, load_users, state_of_user
from geonotice.register.values import LogReport, Permit, Tampering

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

    from geonotice.register.session import Register

__all__ = ["verify_log"]


_LISTED = 5
"""Most cells of a column that are listed one by one."""

_AT_ONCE = 400
"""Permits loaded at one time."""


def verify_log(register: "Register", *, head: str | None = None) -> LogReport:
    """Check the whole register against its log.

    Parameters
    ----------
    register
        An open register.
    head
        A hash that was kept outside: of a log row, as printed on a permit. It must still be in the log. Without it, somebody who can
        write the database and rebuilds log, head and permits together is not found out.

    Raises
    ------
    RegisterError
        There is no register: one that was taken away is not sound.
    """
    register.required()
    with register.reading_with_sqlalchemy() as connection:
        faults: list[Tampering] = []
        with _noted(faults, "the register's file"):
            _check_file(connection, faults)
            if any(kind != "trigger" for kind, _ in programs(connection, metadata.tables)):
                return LogReport(rows=0, head="", faults=tuple(faults))  # what a view shows has no end, perhaps
            _check_tables(connection, faults)
        walked: _Walked | None = None
        with _noted(faults, "the log"):
            walked = _walk(connection, faults)
            _compare_head(connection, faults, walked)
        if head is not None and (walked is None or head not in walked.hashes):
            faults.append(Tampering(code="anchor", text=f"the log has no row with the hash {head}, which was kept outside it"))
        with _noted(faults, "the permits"):
            _compare_permits(connection, faults, walked and walked.states)
        with _noted(faults, "the applications"):
            _compare_applications(connection, faults, walked and walked.applications)
        with _noted(faults, "the mail pieces"):
            _compare_pieces(connection, faults, walked and walked.pieces)
        with _noted(faults, "the users"):
            _compare_users(connection, faults, walked and walked.users)
        with _noted(faults, "what the permits are found by"):
            _compare_finding(connection, faults)
        return LogReport(
            rows=0 if walked is None else walked.rows,
            head="" if walked is None else walked.last,
            faults=tuple(dict.fromkeys(faults)),
        )


@contextmanager
def _noted(faults: list[Tampering], what: str) -> Iterator[None]:
    """Go on with the next part where one cannot be read: what else is wrong is worth knowing, and nothing here may end the search."""
    try:
        with readable(what):
            yield
    except RegisterError as error:
        faults += [Tampering(code="unreadable", text=f"{fault.what}: {fault.why}") for fault in error.faults]
    except DBAPIError as error:
        faults.append(Tampering(code="damaged", text=f"{what} cannot be read: {error.orig}"))


def _check_file(connection: "Connection", faults: list[Tampering]) -> None:
    """Let SQLite look through its own file: an index that lost a row hides a permit that is there."""
    if is_sqlite(connection):
        found = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check(10)")]
        if found != ["ok"]:
            faults.append(Tampering(code="damaged", text=f"the register's file is damaged: {'; '.join(map(str, found))}"))
    faults += [
        Tampering(code="program", text=f"the database has a {kind} {name!r} that this program did not make")
        for kind, name in programs(connection, metadata.tables)
    ]


def _check_tables(connection: "Connection", faults: list[Tampering]) -> None:
    """Look for a column or a rule of uniqueness that is gone, and for cells of another type or form than their column's."""
    there = inspect(connection)
    for table in metadata.tables.values():
        gone = {column.name for column in table.columns} - {column["name"] for column in there.get_columns(table.name)}
        unique = {frozenset(rule["column_names"]) for rule in there.get_unique_constraints(table.name)}
        unique |= {frozenset(filter(None, rule["column_names"])) for rule in there.get_indexes(table.name) if rule["unique"]}
        gone |= {
            " and ".join(rule.columns.keys()) + " without a double"
            for rule in table.constraints
            if isinstance(rule, UniqueConstraint) and frozenset(rule.columns.keys()) not in unique
        }
        faults += [Tampering(code="schema", text=f"the table {table.name} no longer has {name}") for name in sorted(gone)]
        if is_sqlite(connection) and not gone:
            for column in table.columns:
                _check_cells(connection, column, faults)


def _check_cells(connection: "Connection", column: "Column[Any]", faults: list[Tampering]) -> None:
    if not isinstance(column.type, StrictColumn):
        return
    kind = column.type.cell
    quoted = connection.dialect.identifier_preparer.quote(column.name)
    types = ", ".join(f"'{name}'" for name in (*kind.storage, *(() if kind.required else ("null",))))
    right = f"typeof({quoted}) IN ({types})"
    if kind.form:
        right += f" AND ({quoted} IS NULL OR {kind.form.format(column=quoted)})"
    asked = f"SELECT rowid, typeof({quoted}) FROM {column.table.name} WHERE NOT ({right}) LIMIT {_LISTED}"  # noqa: S608  # our own names
    faults += [
        Tampering(code="unreadable", text=f"{kind.column} of row {row} holds what is not {kind.what} ({storage})")
        for row, storage in connection.exec_driver_sql(asked)
    ]


class _Walked(NamedTuple):
    """What the log says: how many rows, the last hash, all hashes; the last row and state (its SHA-256) of each permit, application, mail piece and user."""

    rows: int
    last: str
    hashes: set[str]
    states: dict[str, tuple[int, bytes]]
    applications: dict[str, tuple[int, bytes]]
    pieces: dict[str, tuple[int, bytes]]
    users: dict[str, tuple[int, bytes]]


def _walk(connection: "Connection", faults: list[Tampering]) -> _Walked:
    """Follow the chain from the first row to the last."""
    expected, previous, count = 1, "", 0
    hashes: set[str] = set()
    states: dict[str, tuple[int, bytes]] = {}
    of_applications: dict[str, tuple[int, bytes]] = {}
    pieces: dict[str, tuple[int, bytes]] = {}
    of_users: dict[str, tuple[int, bytes]] = {}
    for row in connection.execute(select(log).order_by(log.c.n)):
        count += 1
        if row.n < expected:
            text = f"row {row.n} was added to the log, whose first row is row 1"
            faults.append(Tampering(code="chain", text=text, n=row.n, permit=row.permit))
        elif row.n != expected:
            gone = f"row {expected} is" if row.n == expected + 1 else f"rows {expected} to {row.n - 1} are"
            faults.append(Tampering(code="missing", text=f"{gone} missing from the log", n=expected))
        elif row.previous != previous:
            faults.append(
                Tampering(
                    code="chain", text=f"row {row.n} does not follow row {row.n - 1} as it stands", n=row.n, permit=row.permit
                )
            )
        if row_hash((row.n, row.at, row.by, row.action, row.permit, row.why, row.state, row.previous)) != row.hash:
            faults.append(
                Tampering(code="edited", text=f"row {row.n} was changed after it was written", n=row.n, permit=row.permit)
            )
        hashes.add(row.hash)
        expected, previous = max(row.n, 0) + 1, row.hash
        if row.action == ANSWER_ACTION:
            continue  # it stands in the log alone
        of = (
            of_applications
            if row.action.startswith(APPLICATION_ACTION)
            else pieces
            if row.action.startswith(MAIL_ACTION)
            else of_users
            if row.action.startswith(USER_ACTION)
            else states
        )
        of[row.permit] = (row.n, _digest_of_log(row.state))
    return _Walked(count, previous, hashes, states, of_applications, pieces, of_users)


def _digest_of_log(state: str) -> bytes:
    return hashlib.sha256(state.encode()).digest()


def _compare_head(connection: "Connection", faults: list[Tampering], walked: _Walked) -> None:
    heads = connection.execute(select(log_head)).all()
    if len(heads) != 1 or heads[0].id != 1:
        faults.append(Tampering(code="head", text="the mark where the log ends is gone"))
    elif (heads[0].n, heads[0].hash) != (walked.rows, walked.last):
        text = f"the log has {walked.rows} rows, but {heads[0].n} were written, or its last row is another"
        faults.append(Tampering(code="cut_off", text=text, n=walked.rows + 1))


class _Compared:
    """What the register holds of one kind, one after the other against its last row of the log.

    Parameters
    ----------
    faults
        Where what is wrong goes.
    states
        The last row and state of each in the log; None where the log cannot be read: then it is enough that the register can.
    code
        The kind, as the codes of faults begin.
    called, unlogged, changed
        What a fault calls one of them, and the sentences about one that the log does not know and one that is not what the log says.
    """

    def __init__(
        self,
        faults: list[Tampering],
        states: dict[str, tuple[int, bytes]] | None,
        code: str,
        called: str,
        *,
        unlogged: str = "{} is in the register, but the log does not know it",
        changed: str = "{} is not what the log says it is since row {}",
    ) -> None:
        self._faults, self._states, self._logged = faults, states or {}, states is not None
        self._code, self._called, self._unlogged, self._changed = code, called, unlogged, changed

    def hold(self, key: str, state: str, *, agrees: bool = True) -> None:
        """Hold one against its last row of the log; ``agrees`` is whether its other columns say what its state does."""
        n, of_log = self._states.pop(key, (None, None))
        if not self._logged:
            return
        called = self._called.format(key)
        if of_log is None:
            self._faults.append(Tampering(code="unlogged", text=self._unlogged.format(called), permit=key))
        elif of_log != _digest_of_log(state) or not agrees:
            text = self._changed.format(called, n)
            self._faults.append(Tampering(code=f"{self._code}_changed", text=text, n=n, permit=key))

    def close(self, *, there: Collection[str] = ()) -> None:
        """Name those that stand in the log and not in the register; ``there`` are in it, though they could not be read."""
        for key, (n, _) in self._states.items():
            if key not in there:
                text = f"{self._called.format(key)} stands in the log, but not in the register"
                self._faults.append(Tampering(code=f"{self._code}_gone", text=text, n=n, permit=key))


def _compare_permits(connection: "Connection", faults: list[Tampering], states: dict[str, tuple[int, bytes]] | None) -> None:
    compared = _Compared(faults, states, "permit", "permit {}")
    for permit_id, loaded in _each_permit(connection):
        with _noted(faults, f"the permit in row {permit_id}"):
            permit = loaded or load(connection, [permit_id])[0]
            compared.hold(permit.number, state_of(permit))
    compared.close(there=set(connection.execute(select(permits.c.number)).scalars()))


def _compare_applications(connection: "Connection", faults: list[Tampering], states: dict[str, tuple[int, bytes]] | None) -> None:
    compared = _Compared(faults, states, "application", "application {}")
    columns = applications.c
    for number, status, state in connection.execute(select(columns.number, columns.status, columns.state)):
        compared.hold(number, state, agrees=json.loads(state).get("status") == status)
    compared.close()


def _compare_pieces(connection: "Connection", faults: list[Tampering], states: dict[str, tuple[int, bytes]] | None) -> None:
    compared = _Compared(faults, states, "piece", "mail piece {}")
    for piece in load_pieces(connection):
        compared.hold(piece.key, state_of_piece(piece))
    compared.close()


def _compare_users(connection: "Connection", faults: list[Tampering], states: dict[str, tuple[int, bytes]] | None) -> None:
    # One who was added behind the log could write as anybody.
    compared = _Compared(
        faults,
        states,
        "user",
        "{}",
        unlogged="{} may sign in, but the log does not know them",
        changed="{} is not what the log says since row {}: name, role or password were changed behind it",
    )
    for user in load_users(connection).values():
        compared.hold(user.key, state_of_user(user))
    compared.close()


def _each_permit(connection: "Connection") -> Iterator[tuple[int, Permit | None]]:
    """Return the row of each permit, with the permit where all those loaded with it can be read."""
    ids = connection.execute(select(permits.c.id).order_by(permits.c.id)).scalars().all()
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        try:
            yield from zip(some, load(connection, some), strict=True)
        except (RegisterError, DBAPIError):
            yield from ((permit_id, None) for permit_id in some)


def _compare_finding(connection: "Connection", faults: list[Tampering]) -> None:
    """Hold what permits are found and numbered by against what they say: a permit that nothing finds would count on no land."""
    numbers: dict[int, str] = {}
    for permit_id, number, year, serial in connection.execute(
        select(permits.c.id, permits.c.number, permits.c.serial_year, permits.c.serial)
    ):
        numbers[permit_id] = number
        if (year, serial) != serial_of(number):
            faults.append(
                Tampering(code="numbering", text=f"permit {number} is kept under another running number", permit=number)
            )
    cells = _cells(connection)
    parcels = permit_parcels.c
    asked = select(parcels.id, parcels.permit_id, parcels.n, parcels.parcel, parcels.key, parcels.geometry)
    places: dict[int, int] = {}
    for row in connection.execute(asked.order_by(parcels.permit_id, parcels.n)):
        number = numbers.get(row.permit_id)
        place = places.get(row.permit_id, 0)
        places[row.permit_id] = place + 1
        found_in = cells.pop(row.id, set())
        if number is None:
            text = f"{row.parcel} stands in the register for a permit that is not in it"
            faults.append(Tampering(code="astray", text=text))
            continue
        if row.n != place:
            text = f"the parcels of permit {number} are no longer numbered as they were: {row.parcel} has the number {row.n}"
            faults.append(Tampering(code="order", text=text, permit=number))
        with _noted(faults, f"the shape of {row.parcel}"):
            expected = set() if row.geometry is None else set(cells_of_shape(row.geometry, row.parcel))
            if row.key != land_key(row.parcel) or found_in != expected:
                text = f"permit {number} is not found by the number or the place of its parcel {row.parcel}, and would not be counted on it"
                faults.append(Tampering(code="not_found", text=text, permit=number))
    if cells:
        faults.append(Tampering(code="astray", text=f"{len(cells)} places stand in the register for parcels that are not in it"))


def _cells(connection: "Connection") -> dict[int, set[tuple[int, int, int]]]:
    found: dict[int, set[tuple[int, int, int]]] = {}
    for level, ix, iy, parcel in connection.execute(select(permit_cells)):
        found.setdefault(parcel, set()).add((level, ix, iy))
    return found
