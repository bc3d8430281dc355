"""Tampering with the register is found."""

import contextlib
import hashlib
import json
import random
import shutil
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from earlier_register import HEAD, make_earlier_register
from msgspec.structs import replace

from geonotice.decide.cap_checks import permit_rules
from geonotice.errors import RegisterError
from geonotice.ordinance.load import load_profile
from geonotice.register.permit_check import check
from geonotice.register.permits import issue, list_permits, rescind
from geonotice.register.session import open_for_reading, open_register
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time


@pytest.fixture
def filled(give, register, land):
    for n in range(5):
        give(land=(land(str(n), (n * 1000, 0, n * 1000 + 500, 500)),))
    rescind(register, "2026-0002", reason="false statements", now=NOW, by="Clerk")
    return register


def _tamper(register, *statements):
    with contextlib.closing(sqlite3.connect(register.url.removeprefix("sqlite:///"))) as database, database:
        for statement in statements:
            database.execute(statement)


def _codes(register, **how):
    return {fault.code for fault in verify_log(register, **how).faults}


def test_an_untouched_register_is_sound(filled):
    report = verify_log(filled)
    assert report.sound
    assert report.rows == 6
    assert verify_log(filled, head=report.head).sound


def test_a_register_of_an_earlier_version_is_sound_and_goes_on(url, application):
    """What was printed on a permit must be found in the log by every later version."""
    make_earlier_register(url)
    with open_register(url) as register:
        report = verify_log(register, head=HEAD)
        assert (report.sound, report.rows, report.head) == (True, 4, HEAD)
        assert [permit.number for permit in list_permits(register, status="issued")] == ["2025-0003", "2025-0001"]
        assert {(permit.hours, permit.contact, permit.fee, permit.private_title) for permit in list_permits(register)} == {
            ((), "", "", False)
        }
        issue(
            register,
            replace(application, land=(), kind="parade"),
            now=NOW,
            by="Clerk",
            rules=permit_rules(load_profile("southampton")),
        )
        assert verify_log(register, head=HEAD).sound


def test_an_empty_register_is_sound(register):
    assert verify_log(register).sound


@pytest.mark.parametrize(
    ("what", "statement", "code"),
    [
        ("a reason was rewritten", "UPDATE log SET why = 'rain' WHERE n = 6", "edited"),
        ("a person was exchanged", "UPDATE log SET by = 'Mayor' WHERE n = 2", "edited"),
        ("a time was moved", "UPDATE log SET at = '2025-12-31T12:00:00' WHERE n = 1", "edited"),
        ("a state was rewritten", "UPDATE log SET state = replace(state, 'Ann', 'Eve') WHERE n = 3", "edited"),
        ("a row was taken out", "DELETE FROM log WHERE n = 3", "missing"),
        ("the first row was taken out", "DELETE FROM log WHERE n = 1", "missing"),
        ("the last row was cut off", "DELETE FROM log WHERE n = 6", "cut_off"),
        ("all of it was cut off", "DELETE FROM log", "cut_off"),
        ("the head was taken away", "DELETE FROM log_head", "head"),
        ("a rescinded permit was made good", "UPDATE permits SET status = 'issued' WHERE number = '2026-0002'", "permit_changed"),
        ("a permit was voided by hand", "UPDATE permits SET status = 'void' WHERE number = '2026-0001'", "permit_changed"),
        ("a date was moved", "UPDATE permits SET issued = '2025-12-31' WHERE number = '2026-0001'", "permit_changed"),
        ("an override was wiped out", "UPDATE permits SET override = 'x' WHERE number = '2026-0001'", "permit_changed"),
        ("a permit was renumbered", "UPDATE permits SET number = '2026-0009' WHERE number = '2026-0001'", "unlogged"),
        ("a parcel was exchanged", "UPDATE permit_parcels SET parcel = '99' WHERE id = 1", "permit_changed"),
        ("a shape was exchanged", "UPDATE permit_parcels SET geometry = x'00' WHERE id = 1", "permit_changed"),
        ("a parcel was taken out", "DELETE FROM permit_parcels WHERE id = 1", "permit_changed"),
        ("a parcel is no longer found by its number", "UPDATE permit_parcels SET key = '99' WHERE id = 1", "not_found"),
        ("a parcel is no longer found by its place", "DELETE FROM permit_cells WHERE permit_parcel_id = 1", "not_found"),
        ("a parcel is found elsewhere", "UPDATE permit_cells SET ix = ix + 99 WHERE permit_parcel_id = 1", "not_found"),
        ("a parcel was added for no permit", "UPDATE permit_parcels SET permit_id = 99 WHERE id = 1", "astray"),
        ("a place was added for no parcel", "INSERT INTO permit_cells VALUES (1, 1, 1, 99)", "astray"),
        ("a running number was lowered", "UPDATE permits SET serial = 0 WHERE number = '2026-0005'", "numbering"),
        ("a running number was taken away", "UPDATE permits SET serial = NULL WHERE number = '2026-0005'", "numbering"),
        ("a date is none", "UPDATE permits SET starts = 'soon' WHERE number = '2026-0001'", "unreadable"),
        ("a number is none", "UPDATE permits SET persons = 'many' WHERE number = '2026-0001'", "unreadable"),
        ("a list is none", "UPDATE permits SET yard_sale_days = 'x' WHERE number = '2026-0001'", "unreadable"),
        ("a state is none", "UPDATE log SET state = x'00' WHERE n = 3", "unreadable"),
        (
            "a trigger voids what is issued",
            "CREATE TRIGGER t AFTER INSERT ON permits BEGIN UPDATE permits SET status = 'void' WHERE id = NEW.id; END",
            "program",
        ),
    ],
)
def test_found(filled, what, statement, code):
    _tamper(filled, statement)
    assert code in _codes(filled), what


def test_two_permits_that_change_places(filled):
    _tamper(
        filled,
        "UPDATE permit_parcels SET permit_id = 99 WHERE permit_id = 1",
        "UPDATE permit_parcels SET permit_id = 1 WHERE permit_id = 3",
        "UPDATE permit_parcels SET permit_id = 3 WHERE permit_id = 99",
    )
    found = verify_log(filled).faults
    assert {(fault.code, fault.permit) for fault in found} == {("permit_changed", "2026-0001"), ("permit_changed", "2026-0003")}


def test_a_permit_that_nothing_finds_would_not_count(filled, application, land):
    """The cap is counted over what is found on the land: that is why it is verified, too."""
    there = replace(application, land=(land("0", (0, 0, 500, 500)),))
    rules = permit_rules(load_profile("southampton"))
    assert check(filled, there, on=NOW.date(), rules=rules).finding.used == 1
    _tamper(filled, "DELETE FROM permit_cells", "UPDATE permit_parcels SET key = 'x'")
    assert check(filled, there, on=NOW.date(), rules=rules).finding.used == 0
    assert _codes(filled) == {"not_found"}


def test_an_older_copy_brought_back_is_found_by_a_hash_kept_outside(filled, give, tmp_path):
    file = Path(filled.url.removeprefix("sqlite:///"))
    with (
        contextlib.closing(sqlite3.connect(file)) as source,
        contextlib.closing(sqlite3.connect(tmp_path / "older.sqlite")) as older,
    ):
        source.backup(older)
    kept = give(land=(), kind="parade").log_hash
    filled.close()
    for part in ("-wal", "-shm"):
        file.with_name(file.name + part).unlink(missing_ok=True)
    shutil.copy(tmp_path / "older.sqlite", file)
    assert _codes(filled) == set()
    assert _codes(filled, head=kept) == {"anchor"}


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_file_is_never_called_sound_with_other_permits_and_never_ends_in_a_traceback(filled, tmp_path, seed):
    chance = random.Random(seed)
    there = list_permits(filled)
    damaged = tmp_path / "damaged.sqlite"
    with (
        contextlib.closing(sqlite3.connect(filled.url.removeprefix("sqlite:///"))) as source,
        contextlib.closing(sqlite3.connect(damaged)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(damaged.read_bytes())
    for _ in range(chance.choice([1, 3, 40])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    damaged.write_bytes(data)
    with contextlib.suppress(RegisterError), open_for_reading(f"sqlite:///{damaged}") as register:
        assert not verify_log(register).sound or list_permits(register) == there


def test_two_rows_exchanged(filled):
    _tamper(filled, "UPDATE log SET n = 99 WHERE n = 2", "UPDATE log SET n = 2 WHERE n = 3", "UPDATE log SET n = 3 WHERE n = 99")
    assert {"edited", "chain"} <= _codes(filled)


def test_a_permit_slipped_in(filled):
    _tamper(
        filled,
        "INSERT INTO permits (number, kind, title, applicant, distinct_events, conditions, status, override, override_by, streets,"
        " yard_sale_days, source, route_crs) VALUES ('2026-0042', 'party', '', '', 1, '', 'issued', '', '', '[]', '[]', '', '')",
    )
    assert _codes(filled) == {"unlogged", "numbering"}


def test_a_permit_and_its_rows_taken_out_with_the_head_moved_back(filled):
    _tamper(
        filled,
        "DELETE FROM log WHERE n >= 5",
        "UPDATE log_head SET n = 4, hash = (SELECT hash FROM log WHERE n = 4)",
    )
    assert _codes(filled) == {"unlogged", "permit_changed"}


def test_a_chain_forged_as_a_whole_is_found_by_a_hash_kept_outside(filled):
    kept = verify_log(filled).head
    with contextlib.closing(sqlite3.connect(filled.url.removeprefix("sqlite:///"))) as database, database:
        previous = ""
        for n, at, by, action, permit, state in database.execute(
            "SELECT n, at, by, action, permit, state FROM log ORDER BY n"
        ).fetchall():
            row = [n, at, by, action, permit, "forged", state, previous]
            hashed = hashlib.sha256(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
            database.execute("UPDATE log SET why = 'forged', previous = ?, hash = ? WHERE n = ?", (previous, hashed, n))
            previous = hashed
        database.execute("UPDATE log_head SET hash = ?", (previous,))
    assert _codes(filled) == set()
    assert _codes(filled, head=kept) == {"anchor"}
