"""The ledger of mail pieces: all of a change or none of it, nothing forgotten, and no number on two letters."""

import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest
from earlier_register import HEAD, ROWS, make_tables
from msgspec.structs import replace

from geonotice.errors import UsageError
from geonotice.register.mail_ledger import Change, add_letter, pieces_of, record_pieces
from geonotice.register.permits import list_permits, log_entries
from geonotice.register.pieces_and_article_numbers import MailPiece
from geonotice.register.session import open_register
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 10, 12, 9, 0)  # noqa: DTZ001  # town hall time, as the log keeps it
ON = date(2026, 10, 12)
ONE, OTHER = "9407100000000000000009", "70201290000012345671"


def letter(number: int, packet: str = "aa11", **changes: object) -> MailPiece:
    piece = MailPiece(
        packet=packet, occasion="hearing", premises=("11.-1-1", "11.-1-2"), number=number, name=f"OWNER {number}\nC/O ROE",
        address="1 MAIN ST\nNAPLES NY 14512", mail="certified",
    )  # fmt: skip
    return replace(piece, **changes)


FRESH = {number: letter(number) for number in (1, 2, 3)}


@pytest.fixture
def record(register):
    def done(changes, *, fresh=FRESH, on=ON):
        return record_pieces(register, changes, fresh=fresh, now=NOW, by="Ann", on=on)

    return done


def test_what_is_recorded_is_read_back(register, record):
    done = record({1: Change(mailed=date(2026, 10, 8), article_number=ONE), 3: Change(mailed=date(2026, 10, 8))})
    assert [piece.number for piece in done.changed] == [1, 3]
    assert pieces_of(register, "aa11") == (
        letter(1, mailed=date(2026, 10, 8), article_number=ONE),
        letter(3, mailed=date(2026, 10, 8)),
    )
    assert verify_log(register).sound


def test_the_same_again_writes_nothing(register, record):
    record({1: Change(mailed=ON)})
    assert record({1: Change(mailed=ON)}).changed == ()
    assert len(log_entries(register)) == 1


def test_a_correction_takes_the_place_of_the_entry_and_the_log_keeps_both(register, record):
    record({1: Change(stamped=date(2026, 10, 11), mailed=date(2026, 10, 8))})
    done = record({1: Change(stamped=date(2026, 10, 9))})
    assert done.corrected == ("No. 1: stamped was 2026-10-11, now 2026-10-09; the log keeps both.",)
    with register.reading() as connection:
        states = [row[0] for row in connection.execute("SELECT state FROM log ORDER BY n")]
    assert ['"stamped":"2026-10-11"' in state for state in states] == [True, False]
    assert ['"stamped":"2026-10-09"' in state for state in states] == [False, True]


def test_a_new_outcome_takes_the_place_of_another_and_one_can_be_cleared(record):
    record({1: Change(mailed=date(2026, 10, 8), unclaimed=date(2026, 10, 10))})
    (piece,) = record({1: Change(delivered=date(2026, 10, 11))}).pieces
    assert (piece.state, piece.unclaimed) == ("delivered", None)
    (piece,) = record({1: Change(clear=("delivered",))}).pieces
    assert piece.state == "mailed"


class TestRefused:
    def test_one_number_on_two_letters_names_both(self, register, record):
        record({1: Change(article_number=ONE)})
        with pytest.raises(UsageError, match=r"would be on No. 2 \(OWNER 2\) and on No. 1 \(OWNER 1\)"):
            record({2: Change(article_number=ONE), 3: Change(mailed=ON)})
        assert [piece.number for piece in pieces_of(register)] == [1]  # nothing of the change was written

    def test_of_another_packet_too(self, record):
        record({1: Change(article_number=ONE)})
        with pytest.raises(UsageError, match=r"of another packet \(hearing, 11.-1-1, 11.-1-2\)"):
            record({1: Change(article_number=ONE)}, fresh={1: letter(1, "bb22")})

    def test_within_one_change(self, record):
        with pytest.raises(UsageError, match=r"No\. 2"):
            record({1: Change(article_number=ONE), 2: Change(article_number=ONE)})

    def test_days_that_cannot_be_all_of_them_at_once(self, register, record):
        with pytest.raises(UsageError) as refused:
            record(
                {
                    1: Change(mailed=date(2026, 10, 20)),
                    2: Change(mailed=date(2026, 10, 9), stamped=date(2026, 10, 8)),
                    3: Change(mailed=date(2026, 10, 9), delivered=date(2026, 10, 8)),
                }
            )
        said = [fault.what for fault in refused.value.faults]
        assert len(said) == 3
        assert said[0] == "No. 1 would be mailed on 2026-10-20, which is after 2026-10-12, today"
        assert "before it was mailed" in said[1]
        assert "before it was mailed" in said[2]
        assert pieces_of(register) == ()


def test_two_numbers_that_were_mixed_up_are_exchanged(register, record):
    record({1: Change(article_number=ONE), 2: Change(article_number=OTHER)})
    record({1: Change(article_number=OTHER), 2: Change(article_number=ONE)})
    assert [piece.article_number for piece in pieces_of(register)] == [OTHER, ONE]
    assert verify_log(register).sound


class TestASecondLetter:
    NEW = letter(1, address="9 NEW RD\nNAPLES NY 14512")

    @pytest.mark.parametrize("outcome", ["refused", "unclaimed", "delivered"])
    def test_is_for_what_is_undeliverable_alone(self, register, record, outcome):
        record({1: Change(mailed=date(2026, 10, 8), **{outcome: date(2026, 10, 10)})})
        with pytest.raises(UsageError, match=f"No. 1 is {outcome}"):
            add_letter(register, self.NEW, now=NOW, by="Ann")

    def test_stands_beside_the_first_and_is_what_is_recorded_from_then_on(self, register, record):
        record({1: Change(mailed=date(2026, 10, 8), undeliverable=date(2026, 10, 10))})
        add_letter(register, self.NEW, now=NOW, by="Ann")
        record({1: Change(mailed=ON)})
        first, second = pieces_of(register)
        assert (first.state, first.address) == ("undeliverable", "1 MAIN ST\nNAPLES NY 14512")
        assert (second.state, second.address, second.letter) == ("mailed", "9 NEW RD\nNAPLES NY 14512", 2)
        assert [entry.action for entry in log_entries(register)] == ["mail_record", "mail_second", "mail_record"]


class TestTampering:
    @pytest.mark.parametrize(
        ("statement", "code"),
        [
            ("UPDATE mail_pieces SET stamped = '2026-10-01' WHERE number = 1", "piece_changed"),
            ("DELETE FROM mail_pieces WHERE number = 1", "piece_gone"),
            ("UPDATE mail_pieces SET number = 9 WHERE number = 1", "unlogged"),
        ],
    )
    def test_behind_the_log_is_found(self, register, record, statement, code):
        record({1: Change(mailed=ON), 2: Change(mailed=ON)})
        with closing(sqlite3.connect(register.url.removeprefix("sqlite:///"))) as database, database:
            database.execute(statement)
        assert code in {fault.code for fault in verify_log(register).faults}


def test_a_register_of_version_3_gets_the_ledger_and_keeps_its_permits_and_its_log(url):
    make_tables(url, "0003")
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("DELETE FROM log_head")
        database.commit()
        # A row of version 3 has one column more: what an override passed over, before the route.
        listed = ", ".join(row[1] for row in database.execute("PRAGMA table_info(permits)") if row[1] != "overridden")
        database.executescript(ROWS.replace('INSERT INTO "permits" VALUES', f'INSERT INTO "permits" ({listed}) VALUES'))
    with open_register(url) as opened:
        assert opened.backup == Path(url.removeprefix("sqlite:///")).with_name("permits.sqlite.version-0003.bak")
        assert len(list_permits(opened)) == 3
        record_pieces(opened, {1: Change(mailed=ON)}, fresh=FRESH, now=NOW, by="Ann", on=ON)
        assert len(pieces_of(opened)) == 1
        report = verify_log(opened, head=HEAD)
        assert (report.sound, report.rows) == (True, 5)
