"""Damaged and hostile registers and lists of permits: an error in words, or an answer; never a traceback, never without bound."""

import contextlib
import io
import random
import resource
import sqlite3
import time
import zipfile
from contextlib import closing
from datetime import date, datetime

import pytest
import shapely

from geonotice.decide.cap_checks import permit_rules
from geonotice.errors import GeonoticeError, ParcelNotFound
from geonotice.io.gpkg import srs_of, to_gpkg
from geonotice.model import District
from geonotice.ordinance.load import load_profile
from geonotice.register.conflicts import conflicts_between
from geonotice.register.export_permits import export
from geonotice.register.import_permits import import_
from geonotice.register.parcel_changes import parcels_today
from geonotice.register.permit_check import check
from geonotice.register.permits import issue, list_permits, log_entries, rescind
from geonotice.register.session import open_for_reading, open_register
from geonotice.register.values import Application, Land
from geonotice.register.verify_log import verify_log
from geonotice.store import ParcelBlock

NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time
RULES = permit_rules(load_profile("southampton"))
MOST_BYTES = 2_000_000_000
MOST_SECONDS = 60
"""For one file, on a machine that does other things beside."""

HOSTILE = [
    b"", b"0", b"-1", b"'", b'"', b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"9" * 5000, b"1e999", b"NaN", b"[" * 3000, b"=1+1", b"A" * 40_000,
    b"2026-13-45", b"&" * 3000, b";" * 3000, b"\r", b"\n", b"&lol;", b"<", b"A1:XFD1048576", b"XFD1048576", b"inlineStr",
]  # fmt: skip


def lot(n, **more):
    districts = (District("R-40", "residential", 1000.0, 0.25), District("MB", "other", 3000.0, 0.75))
    shape = shapely.box(n * 300, 0, n * 300 + 290, 300)
    made = {"parcel": str(n), "zone": "residential", "districts": districts, "geometry": shape.wkb, "crs": "EPSG:2263"}
    return Land(**{**made, **more})


def locate(number):
    if number.isdecimal() and len(number) < 4:
        return lot(int(number))
    raise ParcelNotFound(number[:50])


class Layer:
    """The parcels of today, as a store has them."""

    def parcels_in(self, *boxes):
        return ParcelBlock((), [])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A sound register, and its permits as CSV, workbook and GeoPackage, by kind of file."""
    folder = tmp_path_factory.mktemp("sound")
    with open_register(f"sqlite:///{folder}/permits.sqlite") as register:
        for n in range(12):
            application = Application(
                kind="yard_sale" if n % 4 == 0 else "festival",
                title=f"Fair {n}",
                applicant="Ann Roe",
                starts=date(2026, 8, 1 + n),
                night=None if n % 2 else False,
                yard_sale_days=(date(2026, 8, 1 + n),),
                land=(lot(2 * n), lot(2 * n + 1)),
            )
            issue(register, application, now=NOW, by="Clerk", rules=RULES, override="as the Board said")
        route = shapely.LineString([(0, 0), (900, 900)]).wkb
        parade = Application(kind="parade", starts=date(2026, 7, 4), streets=("Main Street",), route=route, route_crs="EPSG:2263")
        issue(register, parade, now=NOW, by="Clerk", rules=RULES)
        rescind(register, "2026-0002", reason="false statements", now=NOW, by="Clerk")
        for kind in ("csv", "xlsx", "gpkg"):
            export(register, folder / f"permits.{kind}", srs=srs_of("EPSG:2263"))
    with closing(sqlite3.connect(folder / "permits.sqlite")) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return {kind: (folder / f"permits.{kind}").read_bytes() for kind in ("sqlite", "csv", "xlsx", "gpkg")}


@contextlib.contextmanager
def in_bounds(what):
    """Let a file take no more memory and time than it may."""
    with open("/proc/self/statm") as stream:  # noqa: PTH123  # no file of a folder
        used = int(stream.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, before[1]))
    start = time.process_time()
    try:
        yield
    except GeonoticeError as error:
        assert all(fault.what and (fault.remedy or fault.why) for fault in error.faults), (what, str(error))  # noqa: PT017  # one of two ends
    except Exception as error:
        raise AssertionError(what) from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert time.process_time() - start < MOST_SECONDS, what


def damaged(data, chance):
    """Damage a file as disks, copies and people do."""
    made = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5, 40])):
        at, length = chance.randrange(max(1, len(made))), chance.choice([1, 4, 16, 512])
        kind = chance.randrange(7)
        if kind <= 1 and made:
            made[at % len(made)] ^= 1 << chance.randrange(8)
        elif kind == 2:
            made[at : at + length] = chance.randbytes(length)
        elif kind == 3:
            made[at : at + length] = bytes(length)
        elif kind == 4:
            made[at:at] = chance.choice(HOSTILE)
        elif kind == 5 and len(made) > 8192:  # a page in the place of another, as a cut-off copy has
            one, other = (chance.randrange(len(made) // 4096) * 4096 for _ in range(2))
            made[one : one + 4096] = made[other : other + 4096]
        elif kind == 6 and chance.random() < 0.3:
            del made[at:]
    return bytes(made)


def with_another_cell(data, chance, folder):
    """Put a value of any kind into a cell, which the file's own checks do not see."""
    file = folder / "cell.sqlite"
    file.write_bytes(data)
    values = [
        None,
        "",
        "x",
        "[]",
        "9" * 5000,
        0,
        -1,
        10**12,
        2**62,
        0.5,
        float("inf"),
        b"",
        b"GP",
        b"GP\x00\x0f" + bytes(4),
        b"\xff" * 20,
    ]
    values += [to_gpkg(shapely.box(0, 0, 1e12, 1e92).wkb, 2263), shapely.box(0, 0, 1e12, 1e92).wkb, shapely.Point(1, 1).wkb]
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        tables = [row[0] for row in database.execute(asked)]
        for _ in range(chance.choice([1, 1, 3])):
            table = chance.choice(tables)
            column = chance.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
            where = "1" if chance.random() < 0.3 else f"rowid = {chance.randrange(1, 8)}"
            with contextlib.suppress(sqlite3.Error):
                database.execute(f'UPDATE OR IGNORE {table} SET "{column}" = ? WHERE {where}', (chance.choice(values),))  # noqa: S608  # its own names
    return file.read_bytes()


def with_another_part(data, chance):
    """Damage one part of a workbook, and pack it again so that the archive is sound."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        names = archive.namelist()
        hit = chance.choice([*names, *(name for name in names if "sheet" in name for _ in range(6))])
        for name in names:
            content = archive.read(name)
            if name == hit:
                words = [b'r="', b"<v>", b't="', b"<c ", b'ref="', b"</sheetData>", b's="']
                sign = chance.choice([word for word in words if word in content] or [b"<"])
                if chance.random() < 0.6:
                    places = content.split(sign)
                    at = chance.randrange(1, max(2, len(places)))
                    content = sign.join(places[:at]) + sign + chance.choice(HOSTILE) + sign.join(places[at:])
                elif chance.random() < 0.3:
                    merged = b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
                    content = content.replace(b"</sheetData>", merged)
                else:
                    content = damaged(content, chance)
            if chance.random() > 0.02:
                packed.writestr(name, content)
    return out.getvalue()


def read_everything(register, folder):
    """Do all that reads a register."""
    report = verify_log(register)
    there = list_permits(register)
    log_entries(register)
    check(
        register, Application(kind="festival", starts=date(2026, 9, 9), night=False, land=(lot(3),)), on=NOW.date(), rules=RULES
    )
    check(register, Application(kind="parade", starts=date(2026, 7, 5)), on=NOW.date(), rules=RULES)
    conflicts_between(register, first=date(2026, 1, 1), last=date(2026, 12, 31))
    for permit in there:
        for item in permit.land:
            if item.geometry is not None:
                parcels_today(Layer(), [item.geometry])
    for kind in ("csv", "xlsx", "gpkg"):
        export(register, folder / f"out.{kind}", srs=srs_of("EPSG:2263"))
    return report, there


def test_registers(files, fuzz, tmp_path):
    """What is called sound has the same permits."""
    sound = tmp_path / "sound.sqlite"
    sound.write_bytes(files["sqlite"])
    with open_for_reading(f"sqlite:///{sound}") as register:
        report, before = read_everything(register, tmp_path)
    assert report.sound
    chance = random.Random(fuzz.seed)
    for n in range(fuzz.count * 2 // 5):
        data = files["sqlite"]
        made = with_another_cell(data, chance, tmp_path) if n % 2 else damaged(data, chance)
        file = tmp_path / f"{n}.sqlite"
        file.write_bytes(made)
        what = f"register {n} of the seed {fuzz.seed}"
        with in_bounds(what), open_for_reading(f"sqlite:///{file}") as register:
            report, there = read_everything(register, tmp_path)
            assert not report.sound or there == before, what
        with in_bounds(what), open_for_reading(f"sqlite:///{file}", examined=False) as register:
            assert not verify_log(register).sound or list_permits(register) == before, what
        for part in tmp_path.glob(f"{n}.sqlite*"):
            part.unlink()


@pytest.mark.parametrize("kind", ["csv", "xlsx", "gpkg"])
def test_lists_of_permits(files, fuzz, tmp_path, kind):
    """Whatever comes in can be read and verified afterwards."""
    chance = random.Random(fuzz.seed)
    data = files[kind]
    with open_register(f"sqlite:///{tmp_path}/permits.sqlite") as register:
        for n in range(fuzz.count // 5):
            if n % 2 == 0 or kind == "csv":
                made = damaged(data, chance)
            else:
                made = with_another_part(data, chance) if kind == "xlsx" else with_another_cell(data, chance, tmp_path)
            file = tmp_path / f"list.{kind}"
            file.write_bytes(made)
            what = f"{kind} {n} of the seed {fuzz.seed}"
            with in_bounds(what):
                report = import_(register, file, locate=locate, crs="EPSG:2263", move=lambda shape, _: shape, now=NOW, by="x")
                assert all(row.outcome != "refused" or row.reasons for row in report.rows), what
    with open_for_reading(register.url) as register:
        assert verify_log(register).sound
        list_permits(register)


def gpkg_of(folder, *statements):
    """Write a GeoPackage with a table of permits, and change it."""
    file = folder / "list.gpkg"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE gpkg_contents (table_name TEXT)")
        database.execute("CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition)")
        database.execute("CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id)")
        database.execute("INSERT INTO gpkg_contents VALUES ('past')")
        for statement in statements:
            database.execute(statement)
    return file


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            ["CREATE VIEW past AS WITH RECURSIVE n(parcels, starts) AS (SELECT 1, 2 UNION ALL SELECT parcels, starts FROM n) SELECT * FROM n"],
            "more than 100,000 rows",
        ),
        (
            [("CREATE VIEW past AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n)"
              " SELECT printf('%.*c', 9000000, 'x') AS parcels, a AS starts FROM n")],
            "rows of a table hold",
        ),
        (["CREATE VIEW past AS SELECT zeroblob(900000000) AS parcels, 1 AS starts"], "too big"),
        (["CREATE TABLE past (parcels, starts)", "INSERT INTO past VALUES (x'00', '2026-01-01')"], "bytes that are no text"),
        (["CREATE TABLE past (parcels, starts, geom)", "INSERT INTO past VALUES (1, 1, 5)",
          "INSERT INTO gpkg_geometry_columns VALUES ('past', 'geom', 2263)",
          "INSERT INTO gpkg_spatial_ref_sys VALUES (2263, 'EPSG', 2263, NULL)"], "shape of row 1 cannot be read"),
    ],
)  # fmt: skip
def test_hostile_geopackages(tmp_path, statements, words):
    file = gpkg_of(tmp_path, *statements)
    with open_register(f"sqlite:///{tmp_path}/permits.sqlite") as register, in_bounds(words):
        try:
            report = import_(register, file, locate=locate, now=NOW, by="x", dry_run=True)
        except GeonoticeError as error:
            assert words in str(error)  # noqa: PT017  # either may tell it
        else:
            assert words in " ".join(reason for row in report.rows for reason in row.reasons)


def test_a_register_whose_table_is_a_view_that_never_ends(files, tmp_path):
    file = tmp_path / "view.sqlite"
    file.write_bytes(files["sqlite"])
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("ALTER TABLE log RENAME TO hidden")
        database.execute(
            "CREATE VIEW log AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT h.* FROM n, hidden h"
        )
    with pytest.raises(GeonoticeError, match="view 'log' that this program did not make"), open_for_reading(f"sqlite:///{file}"):
        pass
    with open_for_reading(f"sqlite:///{file}", examined=False) as register:
        assert [fault.code for fault in verify_log(register).faults] == ["program"]


def test_a_file_larger_than_any_register(tmp_path):
    file = tmp_path / "huge.sqlite"
    with file.open("wb") as stream:
        stream.write(b"SQLite format 3\x00")
        stream.truncate(2_000_000_000)
    with pytest.raises(GeonoticeError, match="the file has 2,000 MB"), open_for_reading(f"sqlite:///{file}"):
        pass
