"""Tampering with the register is found."""

import hashlib
import json
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

from geonotice.register.permits import rescind
from geonotice.register.verify import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time


@pytest.fixture
def filled(give, register, land):
    for n in range(5):
        give(land=(land(str(n), (n * 1000, 0, n * 1000 + 500, 500)),))
    rescind(register, "2026-0002", reason="false statements", now=NOW, by="Clerk")
    return register


def _tamper(register, *statements):
    with closing(sqlite3.connect(register.url.removeprefix("sqlite:///"))) as database, database:
        for statement in statements:
            database.execute(statement)


def _codes(register, **how):
    return {fault.code for fault in verify_log(register, **how).faults}


def test_an_untouched_register_is_sound(filled):
    report = verify_log(filled)
    assert report.sound
    assert report.rows == 6
    assert verify_log(filled, head=report.head).sound


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
    ],
)
def test_found(filled, what, statement, code):
    _tamper(filled, statement)
    assert code in _codes(filled), what


def test_two_rows_exchanged(filled):
    _tamper(filled, "UPDATE log SET n = 99 WHERE n = 2", "UPDATE log SET n = 2 WHERE n = 3", "UPDATE log SET n = 3 WHERE n = 99")
    assert {"edited", "chain"} <= _codes(filled)


def test_a_permit_slipped_in(filled):
    _tamper(
        filled,
        "INSERT INTO permits (number, kind, title, applicant, distinct_events, conditions, status, override, override_by, streets,"
        " yard_sale_days, source, route_crs) VALUES ('2026-0042', 'party', '', '', 1, '', 'issued', '', '', '[]', '[]', '', '')",
    )
    assert _codes(filled) == {"unlogged"}


def test_a_permit_and_its_rows_taken_out_with_the_head_moved_back(filled):
    _tamper(
        filled,
        "DELETE FROM log WHERE n >= 5",
        "UPDATE log_head SET n = 4, hash = (SELECT hash FROM log WHERE n = 4)",
    )
    assert _codes(filled) == {"unlogged", "permit_changed"}


def test_a_chain_forged_as_a_whole_is_found_by_a_hash_kept_outside(filled):
    kept = verify_log(filled).head
    with closing(sqlite3.connect(filled.url.removeprefix("sqlite:///"))) as database, database:
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
