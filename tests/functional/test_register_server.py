"""The register on a PostgreSQL server: the same answers, nothing made by reading, tampering found, whole or nothing when killed."""

from datetime import date, datetime

import pytest
import shapely
from dying import die_at, in_child, was_killed
from earlier_register import HEAD, copy_to_server, make_earlier_register, make_tables
from msgspec.structs import replace
from sqlalchemy import create_engine, func, inspect, select

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import PermitRefused, RegisterError
from geonotice.register.amendments import ChangeRequest, amend
from geonotice.register.import_permits import import_
from geonotice.register.permit_check import check
from geonotice.register.permits import issue, list_permits, rescind, show, void
from geonotice.register.session import open_for_reading, open_register
from geonotice.register.sqlalchemy_tables import permits
from geonotice.register.values import Application, Land
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time
RULES = PermitRules(caps=CapRules())
LAND = tuple(
    Land(parcel=str(n), zone="residential", geometry=shapely.box(n * 300, 0, n * 300 + 290, 300).wkb, crs="EPSG:2263")
    for n in range(3)
)
APPLICATION = Application(kind="festival", starts=date(2026, 8, 8), night=False, charitable=False, land=LAND)


def test_a_register_of_an_earlier_version_is_migrated_and_sound(server_url, tmp_path):
    file = tmp_path / "earlier.sqlite"
    make_earlier_register(f"sqlite:///{file}")
    make_tables(server_url, "0002")
    copy_to_server(file, server_url)
    with open_register(server_url) as register:
        report = verify_log(register, head=HEAD)
        assert (report.sound, report.rows, report.head) == (True, 4, HEAD)
        permit, _ = show(register, "2025-0001")
        assert (permit.title, permit.hours, permit.contact, permit.private_title) == ("Fête", (), "", False)
        hours = ((datetime(2025, 8, 8, 14), datetime(2025, 8, 8, 22)),)  # noqa: DTZ001  # town hall time
        asked = ChangeRequest(
            number="2025-0001", fields={"hours": hours, "private_title": True}, reason="told", by="Clerk", now=NOW
        )
        assert amend(register, asked, rules=RULES).changes[0].field == "hours"
    with open_for_reading(server_url) as register:
        assert (show(register, "2025-0001")[0].hours, verify_log(register, head=HEAD).sound) == (hours, True)


def _execute(url: str, *statements: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_reading_makes_no_tables(server_url):
    with open_for_reading(server_url) as register:
        assert not register.there
        assert list_permits(register) == ()
        found = check(register, APPLICATION, on=NOW.date(), rules=RULES)
        assert "no_register" in {warning.code for warning in found.warnings}
    engine = create_engine(server_url)
    assert inspect(engine).get_table_names() == []
    engine.dispose()


def test_a_permit_is_issued_counted_rescinded_and_voided(server_url):
    with open_register(server_url) as register:
        first = issue(register, APPLICATION, now=NOW, by="Clerk", rules=RULES).permit
        assert (first.number, first.land) == ("2026-0001", LAND)
        issue(register, replace(APPLICATION, land=LAND[:1]), now=NOW, by="Clerk", rules=RULES)
        with pytest.raises(PermitRefused):
            issue(register, replace(APPLICATION, land=LAND[:1]), now=NOW, by="Clerk", rules=RULES)
        rescind(register, "2026-0001", reason="rain", now=NOW, by="Clerk")
        assert check(register, APPLICATION, on=NOW.date(), rules=RULES).status == "not_met"
        void(register, "2026-0001", reason="typed twice", now=NOW, by="Clerk")
        assert check(register, APPLICATION, on=NOW.date(), rules=RULES).status == "met"
        assert [entry.action for entry in show(register, "2026-0001")[1]] == ["issue", "rescind", "void"]
    with open_for_reading(server_url) as register:
        assert register.there
        report = verify_log(register)
        assert (report.sound, report.rows) == (True, 4)


def test_what_is_read_is_of_one_moment(server_url):
    with open_register(server_url) as register, register.reading() as connection:
        before = connection.execute(select(func.count()).select_from(permits)).scalar_one()
        with open_register(server_url) as another:
            issue(another, APPLICATION, now=NOW, by="Clerk", rules=RULES)
        assert connection.execute(select(func.count()).select_from(permits)).scalar_one() == before == 0
    with open_register(server_url) as register:
        assert len(list_permits(register)) == 1


def test_a_writer_does_not_wait_for_ever(server_url, monkeypatch):
    monkeypatch.setattr("geonotice.register.database.BUSY_SECONDS", 1)
    held = pytest.raises(RegisterError, match="another program has held the register")
    with open_register(server_url) as register, register.writing(), open_register(server_url) as another, held:
        issue(another, APPLICATION, now=NOW, by="Clerk", rules=RULES)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE permits SET starts = '2026-08-09'", "permit_changed"),
        ("UPDATE permit_parcels SET zone = 'other' WHERE n = 1", "permit_changed"),
        ("UPDATE log SET why = 'x' WHERE n = 1", "edited"),
        ("DELETE FROM log WHERE n = 2", "cut_off"),
        ("DELETE FROM log_head", "head"),
        ("DELETE FROM permit_cells", "not_found"),
        ("ALTER TABLE log RENAME TO log2; CREATE VIEW log AS SELECT * FROM log2", "program"),
    ],
)
def test_tampering_is_found(server_url, statement, code):
    with open_register(server_url) as register:
        issue(register, APPLICATION, now=NOW, by="Clerk", rules=RULES)
        rescind(register, "2026-0001", reason="rain", now=NOW, by="Clerk")
        _execute(server_url, statement)
        assert code in {fault.code for fault in verify_log(register).faults}


def _killed_at(url: str, point: int, work) -> bool:
    """Do the work in a process that dies at the n-th thing it does in the database; say whether it died."""

    def dying():
        with open_register(url) as register:
            die_at(register._engine, point)  # the engine's events are the only place to stop between two statements
            work(register)

    return was_killed(in_child(dying))


def test_killed_at_every_step_of_an_import_and_of_issuing(server_url, tmp_path):
    open_register(server_url).close()
    file = tmp_path / "past.csv"
    file.write_text("number,parcels,issued,starts\n" + "".join(f"A-{n},0;1;2,2025-03-01,2025-08-0{n}\n" for n in range(1, 4)))

    def bring_in(register):
        import_(register, file, locate=lambda number: LAND[int(number)], now=NOW, by="Clerk")

    def give(register):
        issue(register, APPLICATION, now=NOW, by="Clerk", rules=RULES)

    for work, before, after in ((bring_in, 0, 3), (give, 3, 4)):
        point, killed = 0, True
        while killed:
            point += 1
            killed = _killed_at(server_url, point, work)
            with open_register(server_url) as register:
                found = list_permits(register)
                assert len(found) == (before if killed else after)
                assert all(len(permit.land) == len(LAND) for permit in found)
                assert verify_log(register).sound
        assert point > 10
