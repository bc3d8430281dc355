"""What every test can ask for, and how random the random tests are.

Random tests draw the same examples at every run, so that a run says something about the change and not about luck. With
``GEONOTICE_SEED`` they draw others, the same again for the same seed (``make fuzz`` picks a seed and prints it).
``GEONOTICE_FUZZ`` says how many damaged files the tests of the readers make.
"""

import gc
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

FIXED_SEED = 20260101
"""The seed of every run that names none."""
FILES_BY_DEFAULT = 300

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


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Choose Hypothesis' profile and seed before its own plugin reads them."""
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
def italy(root, tmp_path_factory) -> Path:
    """Return the demonstration town, imported: to be read; whoever changes it takes a copy."""
    from program import run

    town = tmp_path_factory.mktemp("towns") / "italy"
    shutil.copytree(root / "data" / "italy", town)
    run("import", town)
    return town


@pytest.fixture(scope="session")
def southampton(root, tmp_path_factory) -> Path:
    """Return the demonstration town, imported, with its permits of past years: to be read; whoever changes it takes a copy."""
    from program import run

    town = tmp_path_factory.mktemp("towns") / "southampton"
    shutil.copytree(root / "data" / "southampton", town)
    run("import", town)
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
