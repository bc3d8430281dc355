"""Every cell of every table changed to every kind of other value, and rows taken out, added, exchanged: what changes a meaning is found."""

# ruff: noqa: S608  # the statements are made of the program's own table and column names

import contextlib
import itertools
import sqlite3
from datetime import date, datetime

import pytest
import shapely
from msgspec.structs import replace
from sqlalchemy import inspect

from geonotice.decide.cap_checks import PermitRules
from geonotice.errors import RegisterError
from geonotice.model import District
from geonotice.register.permits import issue, list_permits, log_entries, rescind, void
from geonotice.register.session import Register, open_for_reading
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time

VALUES = (
    None, "", "1", "2026-07-05", '{"A": 1}', '["A"]', "other", "void", 0, 1, 2, -1, 10**12, 0.5, float("inf"), b"", b"1",
)  # fmt: skip
"""Of every storage class, and of each some that another column, or Python, would take."""

TABLES = ("permits", "permit_parcels", "permit_cells", "log", "log_head")

HARMLESS = {("permits", "id"), ("permit_parcels", "id")}
"""Row ids that nothing refers to mean nothing by themselves."""


@pytest.fixture
def filled(give, register, land):
    """Permits with something in every column, one in each status, one on three parcels."""
    districts = (District("R-40", "residential", 1000.0, 0.25), District("MB", "other", 3000.0, 0.75))
    three = tuple(land(str(n), (n * 1000, 0, n * 1000 + 500, 500), districts=districts, swis="473600") for n in range(3))
    give(land=three, night=None, persons=80, owned_by="private", conditions="no fires", maximum_attendance=90)
    give(land=(land("7", (9000, 0, 9500, 500)),), kind="yard_sale", yard_sale_days=(date(2026, 7, 4), date(2026, 7, 5)))
    route = shapely.LineString([(0, 0), (900, 900)]).wkb
    give(land=(), kind="parade", streets=("Main Street", "Elm Street"), route=route, route_crs="EPSG:2263")
    give(land=(land("8", (20000, 0, 20500, 500)),), night=True, override="the Board said so", charitable=True)
    rescind(register, "2026-0002", reason="false statements", now=NOW, by="Clerk")
    void(register, "2026-0004", reason="entered twice", now=NOW, by="Clerk")
    return register


@pytest.fixture
def held(filled):
    """The register in memory, where it can be changed and put back in no time, and the connection that changes it."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with contextlib.closing(sqlite3.connect(filled.url.removeprefix("sqlite:///"))) as file:
        file.backup(database)
    database.execute("PRAGMA ignore_check_constraints = ON")
    with Register(filled.url, memory=database) as register:
        yield register, database
    database.close()


@pytest.fixture
def schema_read_once(monkeypatch):
    """Read the tables and rules of the register once: a changed cell leaves them as they are, and reading them takes half of a verification."""
    kept = []
    monkeypatch.setattr(
        "geonotice.register.verify_log.inspect",
        lambda connection: kept[0] if kept else kept.append(inspect(connection)) or kept[0],
    )


@contextlib.contextmanager
def _changed(database, *statements, values=()):
    """Change the register behind its log, and put it back afterwards; return whether SQLite took the change."""
    with contextlib.closing(sqlite3.connect(":memory:")) as before:
        database.backup(before)
        try:
            for statement in statements:
                database.execute(statement, values)
        except sqlite3.IntegrityError:
            yield False
        else:
            yield True
        finally:
            before.backup(database)


def _meaning(register):
    """Return what a reader gets out of a register; None where it is refused in words."""
    try:
        return list_permits(register), log_entries(register)
    except RegisterError:
        return None


def _cells(database):
    """Return every cell of the register by table, column and row."""
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = {}
    for table in set(names) - {"alembic_version"}:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        for row, *cells in database.execute(f"SELECT rowid, * FROM {table}"):
            found |= {(table, column, row): cell for column, cell in zip(columns, cells, strict=True)}
    return found


@pytest.mark.usefixtures("schema_read_once")
def test_every_cell_changed_to_every_other_value_is_found(held):
    register, database = held
    there, cells = _meaning(register), _cells(database)
    assert verify_log(register).sound
    missed, tried = [], 0
    rows = {table: {min(row for name, _, row in cells if name == table)} for table in TABLES}
    for (table, column, row), cell in cells.items():
        if row not in rows[table]:
            continue
        for value in VALUES:
            with _changed(database, f'UPDATE {table} SET "{column}" = ? WHERE rowid = {row}', values=(value,)) as taken:
                moved = database.execute(f'SELECT "{column}" FROM {table} WHERE rowid = {row}').fetchone()
                if not taken or (moved is not None and moved[0] == cell and type(moved[0]) is type(cell)):
                    continue
                tried += 1
                harmless = (table, column) in HARMLESS and _meaning(register) == there
                if verify_log(register).sound and not harmless:
                    missed.append((table, column, row, value))
    assert missed == []
    assert tried > 500


@pytest.mark.usefixtures("schema_read_once")
def test_two_cells_of_a_column_exchanged_are_found(held):
    register, database = held
    cells = _cells(database)
    there, missed = _meaning(register), []
    by_column = itertools.groupby(sorted(cells, key=str), key=lambda key: key[:2])
    for (table, column), keys in by_column:
        for one, other in itertools.combinations([row for _, _, row in keys][:4], 2):
            first, second = cells[table, column, one], cells[table, column, other]
            if first == second:
                continue
            free = "~" if isinstance(first, str) else -99
            change = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?'
            with _changed(database, f'UPDATE {table} SET "{column}" = ? WHERE rowid = {one}', values=(free,)) as taken:
                if column in {"id", "n", "level"} or not taken:  # these are the rows' own numbers, and move them
                    continue
                with contextlib.suppress(sqlite3.IntegrityError):
                    database.execute(change, (first, other))
                    database.execute(change, (second, one))
                if verify_log(register).sound and _meaning(register) != there:
                    missed.append((table, column, one, other))
    assert missed == []


@pytest.mark.parametrize("table", TABLES)
def test_every_row_taken_out_is_found(held, table):
    register, database = held
    for row in sorted({row for name, _, row in _cells(database) if name == table}):
        with _changed(database, f"DELETE FROM {table} WHERE rowid = {row}"):
            assert not verify_log(register).sound, row


@pytest.mark.parametrize(
    ("what", "statements"),
    [
        ("the parcels of a permit in another order", ["UPDATE permit_parcels SET n = 9 - n WHERE permit_id = 1"]),
        ("the parcels of a permit numbered otherwise", ["UPDATE permit_parcels SET n = n + 1 WHERE permit_id = 1 AND n = 2"]),
        ("a permit twice", [
            ("INSERT INTO permits SELECT -1, '2026-0009', 2026, 9, kind, title, applicant, charitable, primarily_benefits_applicant, owned_by,"
            " distinct_events, issued, starts, ends, night, persons, maximum_attendance, conditions, status, override, override_by, route,"
            " route_crs, streets, yard_sale_days, source, overridden, hours, contact, fee, private_title FROM permits WHERE id = 1"),
        ]),
        ("a parcel twice", [("INSERT INTO permit_parcels SELECT 99, permit_id, 3, parcel, key, swis, zone, districts, area_sq_ft, geometry, crs"
                            " FROM permit_parcels WHERE id = 1")]),
        ("a row before the first of the log", ["INSERT INTO log SELECT 0, at, by, action, permit, why, state, previous, hash FROM log WHERE n = 1"]),
        ("a row behind the last of the log", ["INSERT INTO log SELECT 99, at, by, action, permit, why, state, previous, hash FROM log WHERE n = 1"]),
        ("the log in reverse", ["UPDATE log SET n = 100 - n"]),
        ("a second head", ["INSERT INTO log_head SELECT 2, n, hash FROM log_head"]),
        ("a district's area as a text", ["UPDATE permit_parcels SET districts = replace(districts, '1000.0', '\"1000.0\"')"]),
        ("a district's share as yes", ["UPDATE permit_parcels SET districts = replace(districts, '0.25', 'true')"]),
        ("streets as the keys of an object", ["UPDATE permits SET streets = '{\"Main Street\": 1, \"Elm Street\": 2}' WHERE id = 3"]),
        ("a rule of uniqueness gone", ["CREATE TABLE x AS SELECT * FROM permits", "PRAGMA foreign_keys = OFF", "DROP TABLE permits",
                                       "ALTER TABLE x RENAME TO permits"]),
        ("a view in the place of a table", ["ALTER TABLE permits RENAME TO hidden", "CREATE VIEW permits AS SELECT * FROM hidden"]),
        ("a trigger", ["CREATE TRIGGER t AFTER INSERT ON permits BEGIN UPDATE permits SET status = 'void' WHERE id = NEW.id; END"]),
    ],
)  # fmt: skip
def test_found(held, what, statements):
    register, database = held
    with _changed(database, *statements) as taken:
        assert taken
        assert not verify_log(register).sound, what


def test_each_wrong_cell_is_named(held):
    register, database = held
    with _changed(database, "UPDATE permits SET night = 'yes', starts = 'soon' WHERE id = 1"):
        said = [fault.text for fault in verify_log(register).faults]
    assert "permits.night of row 1 holds what is not yes (1) or no (0) (text)" in said
    assert "permits.starts of row 1 holds what is not a day such as 2026-07-04 (text)" in said


def test_a_number_in_the_place_of_a_shape_takes_no_memory(held):
    """Python makes of a number that many bytes."""
    register, database = held
    with _changed(database, "UPDATE permit_parcels SET geometry = 1000000000000 WHERE id = 1"):
        assert not verify_log(register).sound
        with pytest.raises(RegisterError, match=r"permit_parcels.geometry holds 1000000000000"):
            list_permits(register)


def test_a_shape_that_reaches_beyond_the_earth_takes_no_memory(held):
    """As one flipped bit makes it: it lay in as many cells of the grid as no memory holds."""
    register, database = held
    far = shapely.box(1000, 1000, 1200, 1.3e92).wkb
    with _changed(database, "UPDATE permit_parcels SET geometry = ? WHERE id = 1", values=(far,)):
        assert {"permit_changed", "unreadable"} <= {fault.code for fault in verify_log(register).faults}


def test_an_unknown_answer_made_a_no_is_refused_by_what_reads(held):
    register, database = held
    with _changed(database, "UPDATE permits SET night = '' WHERE id = 1"), pytest.raises(RegisterError, match=r"permits\.night"):
        list_permits(register)


def test_nothing_is_written_where_a_trigger_waits(held, application):
    register, database = held
    with (
        _changed(
            database, "CREATE TRIGGER t AFTER INSERT ON permits BEGIN UPDATE permits SET status = 'void' WHERE id = NEW.id; END"
        ),
        pytest.raises(RegisterError, match="trigger 't' that this program did not make"),
    ):
        issue(register, replace(application, land=(), kind="parade"), now=NOW, by="Clerk", rules=PermitRules())


def test_a_register_is_the_same_to_a_reader_of_another_process(filled):
    with open_for_reading(filled.url) as again:
        assert _meaning(again) == _meaning(filled)
        assert verify_log(again).sound
