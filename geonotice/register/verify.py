"""Verify the register.

Nothing in the log was changed, taken out, added, reordered or cut off; every permit is what its last row says; and what permits are found
and numbered by is what they say themselves.
"""

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import select

from geonotice.errors import RegisterError
from geonotice.register.chain import row_hash, state_of
from geonotice.register.rows import cells_of_shape, land_key, load_all, serial_of
from geonotice.register.stored import readable
from geonotice.register.tables import log, log_head, metadata, permit_cells, permit_parcels, permits
from geonotice.register.values import LogReport, Tampering

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.register.session import Register

__all__ = ["verify_log"]


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
    with register.reading() as connection:
        faults: list[Tampering] = []
        rows, last = 0, ""
        _check_file(connection, faults)
        try:
            with readable("the log"):
                rows, last, states, anchored = _walk(connection, faults, head)
            _compare_head(connection, faults, rows, last)
            if head is not None and not anchored:
                faults.append(
                    Tampering(code="anchor", text=f"the log has no row with the hash {head}, which was kept outside it")
                )
            _compare_permits(connection, faults, states)
            _compare_finding(connection, faults)
        except RegisterError as error:
            faults += [Tampering(code="unreadable", text=f"{fault.what}: {fault.why}") for fault in error.faults]
        _look_for_programs(connection, faults)
        return LogReport(rows=rows, head=last, faults=tuple(faults))


def _check_file(connection: "Connection", faults: list[Tampering]) -> None:
    """Let SQLite look through its own file: an index that lost a row hides a permit that is there."""
    if connection.dialect.name != "sqlite":
        return
    said = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check(10)")]
    if said != ["ok"]:
        faults.append(Tampering(code="damaged", text=f"the register's file is damaged: {'; '.join(map(str, said))}"))


def _walk(
    connection: "Connection", faults: list[Tampering], head: str | None
) -> tuple[int, str, dict[str, tuple[int, bytes]], bool]:
    """Follow the chain; give the number of rows, the last hash, each permit's last row and state, and whether ``head`` was met."""
    expected, previous, anchored, count = 1, "", False, 0
    states: dict[str, tuple[int, bytes]] = {}
    for row in connection.execute(select(log).order_by(log.c.n)):
        count += 1
        if row.n != expected:
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
        anchored = anchored or row.hash == head
        states[row.permit] = (row.n, _digest(row.state))
        expected, previous = row.n + 1, row.hash
    return count, previous, states, anchored


def _digest(state: str) -> bytes:
    return hashlib.sha256(state.encode()).digest()


def _compare_head(connection: "Connection", faults: list[Tampering], rows: int, last: str) -> None:
    heads = connection.execute(select(log_head)).all()
    if len(heads) != 1:
        faults.append(Tampering(code="head", text="the mark where the log ends is gone"))
    elif (heads[0].n, heads[0].hash) != (rows, last):
        text = f"the log has {rows} rows, but {heads[0].n} were written, or its last row is another"
        faults.append(Tampering(code="cut_off", text=text, n=rows + 1))


def _compare_permits(connection: "Connection", faults: list[Tampering], states: dict[str, tuple[int, bytes]]) -> None:
    for permit in load_all(connection):
        n, state = states.pop(permit.number, (None, None))
        if state is None:
            text = f"permit {permit.number} is in the register, but the log does not know it"
            faults.append(Tampering(code="unlogged", text=text, permit=permit.number))
        elif state != _digest(state_of(permit)):
            text = f"permit {permit.number} is not what the log says it is since row {n}"
            faults.append(Tampering(code="permit_changed", text=text, n=n, permit=permit.number))
    faults += [
        Tampering(code="permit_gone", text=f"permit {number} stands in the log, but not in the register", n=n, permit=number)
        for number, (n, _) in states.items()
    ]


def _compare_finding(connection: "Connection", faults: list[Tampering]) -> None:
    """Hold what permits are found and numbered by against what they say: a permit that nothing finds would count on no land."""
    for number, year, serial in connection.execute(select(permits.c.number, permits.c.serial_year, permits.c.serial)):
        if (year, serial) != serial_of(number):
            faults.append(
                Tampering(code="numbering", text=f"permit {number} is kept under another running number", permit=number)
            )
    cells = _cells(connection)
    parcels = permit_parcels.c
    asked = select(parcels.id, parcels.parcel, parcels.key, parcels.geometry, permits.c.number).select_from(
        permit_parcels.outerjoin(permits, permits.c.id == parcels.permit_id)
    )
    for row in connection.execute(asked):
        expected = set() if row.geometry is None else set(cells_of_shape(bytes(row.geometry), row.parcel))
        if row.number is None:
            text = f"{row.parcel} stands in the register for a permit that is not in it"
            faults.append(Tampering(code="astray", text=text))
        elif row.key != land_key(row.parcel) or cells.get(row.id, set()) != expected:
            text = f"permit {row.number} is not found by the number or the place of its parcel {row.parcel}, and would not be counted on it"
            faults.append(Tampering(code="not_found", text=text, permit=row.number))
        cells.pop(row.id, None)
    if cells:
        faults.append(Tampering(code="astray", text=f"{len(cells)} places stand in the register for parcels that are not in it"))


def _cells(connection: "Connection") -> dict[int, set[tuple[int, int, int]]]:
    found: dict[int, set[tuple[int, int, int]]] = {}
    for level, ix, iy, parcel in connection.execute(select(permit_cells)):
        found.setdefault(parcel, set()).add((level, ix, iy))
    return found


def _look_for_programs(connection: "Connection", faults: list[Tampering]) -> None:
    """Look for triggers on the register's tables, and views in their place: one could change what is written or hide what is read."""
    tables = ", ".join(f"'{name}'" for name in metadata.tables)
    if connection.dialect.name == "sqlite":
        asked = f"SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') AND tbl_name IN ({tables})"  # noqa: S608  # our own names
    else:
        # Other views may well be there: extensions make some.
        asked = (
            "SELECT 'trigger', trigger_name FROM information_schema.triggers "  # noqa: S608  # our own names
            f"WHERE event_object_schema = current_schema() AND event_object_table IN ({tables}) "
            f"UNION SELECT 'view', table_name FROM information_schema.views WHERE table_schema = current_schema() AND table_name IN ({tables})"
        )
    faults += [
        Tampering(code="program", text=f"the database has a {kind} {name!r} that this program did not make")
        for kind, name in connection.exec_driver_sql(asked)
    ]
