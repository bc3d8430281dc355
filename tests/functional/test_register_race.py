"""Twenty processes issue at once on one parcel: exactly the cap is left."""

import multiprocessing
from datetime import date, datetime
from pathlib import Path

import pytest
import shapely

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import PermitRefused
from geonotice.register.log import verify_log
from geonotice.register.permits import issue, list_permits
from geonotice.register.session import open_register
from geonotice.register.values import Application, Land

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


def _race(url, application):
    # Forked, so that all of them are through with their imports when the gate opens.
    context = multiprocessing.get_context("fork")
    gate, answers = context.Barrier(PROCESSES), context.SimpleQueue()
    processes = [context.Process(target=_issue, args=(url, application, gate, answers)) for _ in range(PROCESSES)]
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
