"""Twenty processes issue and amend at once: exactly the cap is left on each parcel."""

import multiprocessing
from datetime import date, datetime
from pathlib import Path

import pytest
import shapely
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import PermitRefused, UsageError
from geonotice.register.amendments import ChangeRequest, amend
from geonotice.register.permits import issue, list_permits
from geonotice.register.session import open_register
from geonotice.register.values import Application, Land
from geonotice.register.verify_log import verify_log

PROCESSES = 20
NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time


def _application(zone: str, *, night: bool) -> Application:
    shape = shapely.box(1000, 1000, 1200, 1300)
    land = Land(parcel="12.01-1-15", zone=zone, geometry=shape.wkb, crs="EPSG:2263", area_sq_ft=shape.area)
    return Application(
        kind="festival", starts=date(2026, 8, 8), night=night, charitable=False, primarily_benefits_applicant=False, land=(land,)
    )


def _issue(url, application, gate, answers):
    gate.wait()
    try:
        with open_register(url) as register:
            answers.put(issue(register, application, now=NOW, by="Clerk", rules=PermitRules(caps=CapRules())).permit.number)
    except PermitRefused:
        answers.put("refused")
    except BaseException as error:  # noqa: BLE001  # whatever it is, the test must hear of it instead of waiting
        answers.put(f"{type(error).__name__}: {error}")


def _race(url, application, works=(_issue,)):
    # Forked, so that all of them are through with their imports when the gate opens.
    context = multiprocessing.get_context("fork")
    gate, answers = context.Barrier(PROCESSES), context.SimpleQueue()
    processes = [context.Process(target=works[n % len(works)], args=(url, application, gate, answers)) for n in range(PROCESSES)]
    for process in processes:
        process.start()
    said = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    return said


@pytest.mark.parametrize("there", [True, False], ids=["register at hand", "register still to be made"])
@pytest.mark.parametrize(("zone", "night", "most"), [("residential", False, 2), ("other", False, 3), ("other", True, 1)])
def test_exactly_the_cap_is_left(tmp_path: Path, zone, night, most, there):
    url = f"sqlite:///{tmp_path}/permits.sqlite"
    if there:
        open_register(url).close()
    said = _race(url, _application(zone, night=night))
    assert sorted(said) == [f"2026-{n:04d}" for n in range(1, most + 1)] + ["refused"] * (PROCESSES - most)
    with open_register(url) as register:
        assert len(list_permits(register)) == most
        report = verify_log(register)
    assert report.sound
    assert report.rows == most


@pytest.mark.parametrize(
    ("zone", "night", "most", "there"), [("residential", False, 2, True), ("other", False, 3, False), ("other", True, 1, True)]
)
def test_exactly_the_cap_is_left_on_a_server(server_url, zone, night, most, there):
    if there:
        open_register(server_url).close()
    said = _race(server_url, _application(zone, night=night))
    assert sorted(said) == [f"2026-{n:04d}" for n in range(1, most + 1)] + ["refused"] * (PROCESSES - most)
    with open_register(server_url) as register:
        assert len(list_permits(register)) == most
        report = verify_log(register)
    assert (report.sound, report.rows) == (True, most)


LOTS = tuple(
    Land(parcel=str(n), zone="residential", geometry=shapely.box(n * 300, 0, n * 300 + 290, 300).wkb, crs="EPSG:2263")
    for n in range(3)
)


def _move_about(url, application, gate, answers):
    """Move the first two permits by a day, to another lot and back, however often that is allowed."""
    gate.wait()
    moves = [{"land": (lot,), "starts": date(2026, 8, 8 + n)} for n, lot in enumerate(LOTS)]
    done = 0
    try:
        with open_register(url) as register:
            for n, fields in enumerate((*moves, *reversed(moves))):
                asked = ChangeRequest(number=f"2026-000{1 + n % 2}", fields=fields, reason="rain", by="Clerk", now=NOW)
                try:
                    amend(register, asked, rules=PermitRules(caps=CapRules()))
                    done += 1
                except (PermitRefused, UsageError):  # the lot is full, or it is there already
                    continue
        answers.put(f"amended {done}")
    except BaseException as error:  # noqa: BLE001  # as above
        answers.put(f"{type(error).__name__}: {error}")


def _issued_and_amended_at_once(url):
    application = replace(_application("residential", night=False), land=LOTS[:1])
    with open_register(url) as register:
        for _ in range(2):
            issue(register, application, now=NOW, by="Clerk", rules=PermitRules(caps=CapRules()))
    said = _race(url, application, works=(_issue, _move_about))
    moved = [int(answer.split()[1]) for answer in said if answer.startswith("amended")]
    issued = [answer for answer in said if answer.startswith("2026-")]
    assert len(moved) == PROCESSES // 2, said
    with open_register(url) as register:
        found = list_permits(register)
        report = verify_log(register)
    assert len(found) == 2 + len(issued)
    assert sum(moved) > 0
    # 283-6B(1): two a year for an individual property, wherever each permit was moved in between.
    assert all(sum(lot in permit.land for permit in found) <= 2 for lot in LOTS)
    assert (report.sound, report.rows) == (True, 2 + len(issued) + sum(moved)), report.faults


def test_issuing_and_amending_at_once_keeps_every_lot_within_its_cap(tmp_path: Path):
    _issued_and_amended_at_once(f"sqlite:///{tmp_path}/permits.sqlite")


def test_issuing_and_amending_at_once_on_a_server(server_url):
    _issued_and_amended_at_once(server_url)
