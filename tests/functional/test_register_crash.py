"""Killed at any point, the register holds the whole permit or none of it."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from datetime import date, datetime

import pytest
import shapely
from dying import die_at, in_child, was_killed
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import RegisterError
from geonotice.register.amendments import ChangeRequest, amend
from geonotice.register.applications import FiledApplication, Writer, add_application, approve, list_applications
from geonotice.register.import_permits import import_
from geonotice.register.permits import issue, list_permits, rescind
from geonotice.register.session import open_for_reading, open_register
from geonotice.register.values import Application, Land
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time
LAND = tuple(
    Land(parcel=str(n), zone="other", geometry=shapely.box(n * 300, 0, n * 300 + 290, 300).wkb, crs="EPSG:2263") for n in range(3)
)
APPLICATION = Application(kind="festival", starts=date(2026, 8, 8), night=False, land=LAND)


def _whole(url) -> int:
    """Check that what is there is whole, and give the number of permits."""
    with open_register(url) as register:
        found = list_permits(register)
        assert all(len(permit.land) == len(LAND) for permit in found)
        report = verify_log(register)
        assert report.sound, report.faults
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    return len(found)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/permits.sqlite"


def test_killed_at_every_step_of_issuing(url):
    open_register(url).close()
    before, point, killed = 0, 0, True
    while killed:
        point += 1

        def work(point=point):
            with open_register(url) as register:
                die_at(register._engine, point)  # the engine's events are the only place to stop between two statements
                issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules())

        killed = was_killed(in_child(work))
        after = _whole(url)
        assert after - before == (0 if killed else 1)
        before = after
    assert point > 15  # the steps of one permit on three parcels


def test_killed_at_every_step_of_rescinding(url):
    with open_register(url) as register:
        issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules())
    point, killed = 0, True
    while killed:
        point += 1

        def work(point=point):
            with open_register(url) as register:
                die_at(register._engine, point)  # as above
                rescind(register, "2026-0001", reason="false statements", now=NOW, by="Clerk")

        killed = was_killed(in_child(work))
        _whole(url)
        with open_register(url) as register:
            assert list_permits(register)[0].status == ("issued" if killed else "rescinded")


def _amended(register) -> None:
    fields = {"starts": date(2026, 8, 9), "land": LAND[:2]}
    amend(register, ChangeRequest(number="2026-0001", fields=fields, reason="rain", by="Clerk", now=NOW), rules=PermitRules())


def test_killed_at_every_step_of_amending(url):
    """The permit is what it was, or what it was to be: its days, its parcels, how it is found by them, and its log."""
    with open_register(url) as register:
        issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules())
    point, killed = 0, True
    while killed:
        point += 1

        def work(point=point):
            with open_register(url) as register:
                die_at(register._engine, point)  # as above
                _amended(register)

        killed = was_killed(in_child(work))
        with open_register(url) as register:
            (permit,) = list_permits(register)
            report = verify_log(register)
        assert report.sound, report.faults
        assert (permit.starts, permit.land) == ((date(2026, 8, 8), LAND) if killed else (date(2026, 8, 9), LAND[:2]))
    assert point > 15  # the steps of one permit on other parcels


def test_killed_at_every_step_of_issuing_on_an_application(url):
    """A permit stands with its application approved, or neither does."""
    writer = Writer(by="Clerk", now=NOW)
    with open_register(url) as register:
        filed = add_application(register, FiledApplication(number="", event={}, received=NOW.date()), writer)
    point, killed = 0, True
    while killed:
        point += 1

        def work(point=point):
            def after(writing, made):
                approve(writing, filed, permits=[permit.number for permit in made], on=NOW.date(), writer=writer)

            with open_register(url) as register:
                die_at(register._engine, point)  # as above
                issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules(), after=after)

        killed = was_killed(in_child(work))
        issued = _whole(url)
        with open_register(url) as register:
            (application,) = list_applications(register)
        assert (issued, application.status) == ((0, "open") if killed else (1, "approved"))


def test_killed_at_every_step_of_an_import(url, tmp_path):
    open_register(url).close()
    file = tmp_path / "past.csv"
    file.write_text("number,parcels,issued,starts\n" + "".join(f"A-{n},0;1;2,2025-03-01,2025-08-0{n}\n" for n in range(1, 4)))
    point, killed = 0, True
    while killed:
        point += 1

        def work(point=point):
            with open_register(url) as register:
                die_at(register._engine, point)  # as above
                import_(register, file, locate=lambda number: LAND[int(number)], now=NOW, by="Clerk")

        killed = was_killed(in_child(work))
        assert _whole(url) == (0 if killed else 3)


def test_killed_at_any_time_while_issuing_many(url):
    open_register(url).close()
    chance = random.Random(20260501)  # moments of death, not secrets

    def work():
        with open_register(url) as register:
            for n in range(10_000):
                issue(register, replace(APPLICATION, title=str(n)), now=NOW, by="Clerk", rules=PermitRules())

    before, stretch = 0, 1.0
    for _ in range(12):
        child = in_child(work)
        time.sleep(stretch * chance.uniform(0.05, 0.3))
        os.kill(child, signal.SIGKILL)
        assert was_killed(child)
        after = _whole(url)
        assert after >= before
        before = after
        stretch = stretch if before else 2 * stretch  # on a busy machine nothing may be written by then
    assert before > 0


def test_killed_at_any_time_while_a_large_file_comes_in(url, tmp_path):
    """All of the file or nothing of it, and coming in again completes it."""
    file = tmp_path / "past.csv"
    lines = [f"A-{n},0;1;2,2025-03-01,2025-08-0{1 + n % 9}\n" for n in range(400)]
    file.write_text("number,parcels,issued,starts\n" + "".join(lines))
    chance = random.Random(20260502)

    def work():
        with open_register(url) as register:
            import_(register, file, locate=lambda number: LAND[int(number)], now=NOW, by="Clerk")

    for _ in range(8):
        child = in_child(work)
        time.sleep(chance.uniform(0.0, 0.4))
        os.kill(child, signal.SIGKILL)
        was_killed(child)
        with open_for_reading(url) as register:
            there = register.there
        assert not there or _whole(url) in (0, 400)
    work()
    assert _whole(url) == 400


def test_files_that_come_in_while_permits_are_issued(url, tmp_path):
    """Each row stands once, each cap is kept, the log is one chain."""
    file = tmp_path / "past.csv"
    lines = [f"A-{n},0;1;2,2025-03-01,2025-08-0{1 + n % 9}\n" for n in range(100)]
    file.write_text("number,parcels,issued,starts\n" + "".join(lines))

    def bring_in():
        with open_register(url) as register:
            import_(register, file, locate=lambda number: LAND[int(number)], now=NOW, by="Clerk")

    def give():
        with open_register(url) as register:
            issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules(caps=CapRules()))

    children = [in_child(work) for work in (bring_in, give, bring_in, give, give, give, bring_in, give)]
    for child in children:
        assert not was_killed(child)
    assert _whole(url) == 100 + 3


def test_a_log_of_another_register_left_beside_the_file_is_noticed(url, tmp_path):
    """Somebody brings a backup back and leaves the write-ahead log of the register that was killed beside it."""
    other = f"sqlite:///{tmp_path}/other.sqlite"
    for place, number in ((url, 3), (other, 9)):
        with open_register(place) as register:
            for _ in range(number):
                issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules())
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as held:
        held.execute("SELECT count(*) FROM permits").fetchone()  # keeps the log from being folded into the file
        with open_register(other) as register:
            issue(register, APPLICATION, now=NOW, by="Clerk", rules=PermitRules())
        for part in ("-wal", "-shm"):
            shutil.copy(tmp_path / f"other.sqlite{part}", f"{url.removeprefix('sqlite:///')}{part}")
    with contextlib.suppress(RegisterError), open_for_reading(url) as register:
        assert not verify_log(register).sound or len(list_permits(register)) == 3


def test_killed_while_the_register_is_made(tmp_path):
    for n in range(10):
        url = f"sqlite:///{tmp_path}/{n}.sqlite"
        child = in_child(lambda url=url: open_register(url))
        time.sleep(0.02 * n)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert _whole(url) == 0
