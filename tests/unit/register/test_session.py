"""Opening a register: new, at hand, older, newer, and something else."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import shapely
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from earlier_register import make_tables

from geonotice.errors import RegisterError
from geonotice.register import tables_and_columns
from geonotice.register.database import resolve
from geonotice.register.permits import list_permits
from geonotice.register.session import open_for_reading, open_register
from geonotice.register.sqlalchemy_tables import metadata


def _file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def test_the_program_knows_every_migration():
    config = Config()
    config.set_main_option("script_location", str(tables_and_columns.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    assert tuple(script.revision for script in reversed(list(scripts.walk_revisions()))) == tables_and_columns.VERSIONS


def test_the_migrations_make_the_tables_the_program_uses(register):
    with register.reading_with_sqlalchemy() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_register_at_hand_is_read_without_sqlalchemy_or_heavy_libraries(register):
    program = (
        "import sys; from geonotice.register.session import open_for_reading; from geonotice.register.permits import list_permits;"
        f"list_permits(open_for_reading({register.url!r})); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    heavy = {"sqlalchemy", "alembic", "pandas", "geopandas", "pyogrio", "fiona", "folium", "pyproj", "pydantic", "shapely"}
    assert not heavy & {name.partition(".")[0] for name in loaded}


def test_it_keeps_the_file_in_write_ahead_mode_with_foreign_keys(register):
    with register.reading() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    with register.reading_with_sqlalchemy() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def _make_version_1(url: str) -> None:
    """Write a register as the first version of the program left it, with one permit."""
    make_tables(url, "0001")
    with closing(sqlite3.connect(_file(url))) as database, database:
        database.execute(
            "INSERT INTO permits (number, kind, title, applicant, distinct_events, conditions, status, override, override_by, streets,"
            " yard_sale_days, source, route_crs) VALUES ('2020-0001', 'party', '', '', 1, '', 'issued', '', '', '[]', '[]', '', '')"
        )
        database.executemany(
            "INSERT INTO permit_parcels (permit_id, n, parcel, key, swis, zone, districts, geometry, crs)"
            " VALUES (1, ?, '1', '1', '', 'other', '[]', ?, 'EPSG:2263')",
            [(0, shapely.box(1000, 1000, 1100, 1100).wkb), (1, None)],
        )


class TestOlder:
    def test_is_migrated_with_its_permits_and_a_copy_is_kept(self, url):
        _make_version_1(url)
        with open_register(url) as register:
            assert register.backup == _file(url).with_name("permits.sqlite.version-0001.bak")
            assert [(permit.number, permit.overridden) for permit in list_permits(register)] == [("2020-0001", "")]
            with register.reading() as connection:
                assert connection.execute("SELECT level, ix, iy, permit_parcel_id FROM permit_cells").fetchall() == [
                    (0, 3, 3, 1),
                    (0, 3, 4, 1),
                    (0, 4, 3, 1),
                    (0, 4, 4, 1),
                ]
            with closing(sqlite3.connect(register.backup)) as copy:
                assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
                assert copy.execute("SELECT number FROM permits").fetchone() == ("2020-0001",)

    def test_a_copy_that_is_there_is_not_overwritten(self, url):
        _make_version_1(url)
        first = _file(url).with_name("permits.sqlite.version-0001.bak")
        first.write_text("kept")
        with open_register(url) as register:
            assert register.backup == first.with_name("permits.sqlite.version-0001.2.bak")
        assert first.read_text() == "kept"


@pytest.mark.parametrize("opener", [open_register, open_for_reading], ids=["to write", "to read"])
class TestRefused:
    def test_a_newer_version(self, url, opener):
        open_register(url).close()
        with closing(sqlite3.connect(_file(url))) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '0999'")
        with pytest.raises(RegisterError, match="version 0999, which is newer"):
            opener(url)

    def test_another_program_s_database(self, url, opener):
        with closing(sqlite3.connect(_file(url))) as database, database:
            database.execute("CREATE TABLE dogs (name)")
        with pytest.raises(RegisterError, match="not a permit register; it holds dogs"):
            opener(url)

    def test_a_file_that_is_no_database(self, url, opener):
        _file(url).write_text("number,kind,parcels\n" * 100)
        with pytest.raises(RegisterError, match="not a permit register"):
            opener(url)

    @pytest.mark.parametrize(
        ("bad", "words"),
        [
            ("sqlite:///{0}/absent/permits.sqlite", "folder does not exist"),
            ("sqlite:///{0}", "this is a folder"),
            ("sqlite://", "must be a file"),
            ("permits.sqlite", "no address of a register"),
            ("oracle9:///x", "nothing is installed"),
        ],
    )
    def test_a_place_that_can_hold_none(self, bad, words, tmp_path, opener):
        with pytest.raises(RegisterError, match=words):
            opener(bad.format(tmp_path))


def test_the_path_in_a_town_file_starts_at_its_folder(tmp_path):
    assert resolve("sqlite:///permits.sqlite", tmp_path) == f"sqlite:///{tmp_path}/permits.sqlite"
    assert resolve("sqlite:////var/permits.sqlite", tmp_path) == "sqlite:////var/permits.sqlite"
    assert resolve("postgresql://clerk:secret@host/permits", tmp_path) == "postgresql://clerk:secret@host/permits"
