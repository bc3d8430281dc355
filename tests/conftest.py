"""What every test can ask for."""

import json
import os
import shutil
from pathlib import Path
from uuid import uuid4

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of layers, cases and law texts kept beside the repository; skip the test where it is absent."""
    place = ROOT.parent / "shared"
    if not place.is_dir():
        pytest.skip("the layers and cases are not kept beside this repository")
    return place


@pytest.fixture(scope="session")
def southampton(root, tmp_path_factory) -> Path:
    """Give the demonstration town, imported, with its permits of past years: to be read; whoever changes it takes a copy."""
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
