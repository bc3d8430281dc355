"""What every test can ask for, and how random the random tests are.

Random tests draw the same examples at every run, so that a run says something about the change and not about luck. With
``GEONOTICE_SEED`` they draw others, the same again for the same seed (``make fuzz`` picks a seed and prints it).
``GEONOTICE_FUZZ`` says how many damaged files the tests of the readers make.

The folders of the tests are in memory where there is room: a disk is waited for at every commit of a register and every paper that is written
whole, some ten thousand times. ``PYTEST_DEBUG_TEMPROOT`` or ``--basetemp`` puts them elsewhere.
"""

import gc
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

try:
    import fcntl
except ImportError:  # on Windows: each worker imports its own
    fcntl = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parent.parent

FIXED_SEED = 20260101
"""The seed of every run that names none."""
FILES_BY_DEFAULT = 300

IN_MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a folder of its own in it, for its user alone
ROOM_BYTES = 8 * 2**30
"""What must be free of it and of the memory: a run of everything takes less than a quarter."""

LET_LIE = (20_000, 20, 20)
"""So much is left to lie before the garbage collector looks through it: looking at every 700 objects took one second of the processor in sixteen."""

# No deadline a test: how long an example takes says more about the machine than about the program.
settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", max_examples=500, print_blob=True, deadline=None)


@dataclass(frozen=True, slots=True)
class Fuzz:
    """How many damaged files to make, and the seed to make them from."""

    count: int
    seed: int


def _whole_number(name: str, default: int) -> int:
    """Read a whole number from the environment; refuse anything else, which would silently try nothing."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not text.isascii() or not text.isdigit():
        raise pytest.UsageError(f"{name} must be a whole number, not {text!r}")
    return int(text)


def _read_fuzz() -> Fuzz:
    return Fuzz(
        count=_whole_number("GEONOTICE_FUZZ", FILES_BY_DEFAULT),
        seed=_whole_number("GEONOTICE_SEED", FIXED_SEED),
    )


def _has_room(place: Path) -> bool:
    """Return whether a folder in memory can be written to, runs programs, and has room that the machine can spare."""
    try:
        found, memory = os.statvfs(place), Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return False
    spare = re.search(r"^MemAvailable: *(\d+) kB$", memory, re.MULTILINE)
    free_bytes = min(found.f_bavail * found.f_frsize, int(spare[1]) * 1024 if spare else 0)
    return os.access(place, os.W_OK) and not found.f_flag & os.ST_NOEXEC and free_bytes >= ROOM_BYTES


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Choose where the folders are, and Hypothesis' profile and seed before its own plugin reads them."""
    if not config.option.basetemp and _has_room(IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    fuzz = _read_fuzz()
    if os.environ.get("GEONOTICE_SEED", "").strip():
        if config.getoption("--hypothesis-seed") is None:
            config.option.hypothesis_seed = fuzz.seed
        settings.load_profile("fuzz")
    else:
        settings.load_profile("fixed")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect without a garbage collector that looks through all that was collected, again and again, and let it look at none of it later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*LET_LIE)
        gc.enable()


def pytest_report_header():
    fuzz = _read_fuzz()
    again = f"GEONOTICE_FUZZ={fuzz.count} GEONOTICE_SEED={fuzz.seed}"
    return f"random tests: seed {fuzz.seed}, {fuzz.count} damaged files (the same again: {again})"


@pytest.fixture(scope="session")
def fuzz() -> Fuzz:
    """Return how many damaged files a test of a reader makes (``count``), and from which seed (``seed``)."""
    return _read_fuzz()


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of layers, cases and law texts kept beside the repository; skip the test where it is absent."""
    place = ROOT.parent / "shared"
    if not place.is_dir():
        pytest.skip("the layers and cases are not kept beside this repository")
    return place


@pytest.fixture(scope="session")
def imported(root, tmp_path_factory) -> Callable[[str, Path], Path]:
    """Return what puts a demonstration town somewhere with its layers imported; that is done once, by the worker that is first to want it."""
    from program import run

    common = tmp_path_factory.getbasetemp()
    if fcntl and "PYTEST_XDIST_WORKER" in os.environ:
        common = common.parent

    def put(name: str, place: Path) -> Path:
        made, making = common / f"imported-{name}", common / f"importing-{name}"
        with (common / f"{name}.lock").open("w") as lock:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                shutil.copytree(root / "data" / name, making, dirs_exist_ok=True)
                run("import", making)
                making.rename(made)
        return shutil.copytree(made, place)

    return put


@pytest.fixture(scope="session")
def italy(imported, tmp_path_factory) -> Path:
    """Return the demonstration town, imported: to be read; whoever changes it takes a copy."""
    return imported("italy", tmp_path_factory.mktemp("towns") / "italy")


@pytest.fixture(scope="session")
def southampton(imported, tmp_path_factory) -> Path:
    """Return the demonstration town, imported, with its permits of past years: to be read; whoever changes it takes a copy."""
    from program import run

    town = imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")
    command = ["permit", "import", town, town / "permits.csv", "--by", "the clerk", "--on", "2026-09-01", "--json"]
    assert json.loads(run(*command).stdout)["counts"]["refused"] == 0
    return town


@pytest.fixture
def server_url():
    """Make an empty database on the PostgreSQL server that GEONOTICE_TEST_POSTGRESQL names; skip the test where it names none."""
    given = os.environ.get("GEONOTICE_TEST_POSTGRESQL")
    if not given:
        pytest.skip("GEONOTICE_TEST_POSTGRESQL names no PostgreSQL database from which others may be made")
    from sqlalchemy import create_engine, make_url

    name = f"geonotice_{uuid4().hex}"
    server = create_engine(given, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    yield make_url(given).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    server.dispose()
