"""Issuing a permit costs the same on a register of 100,000 permits as on an empty one."""

import sqlite3
import time
from contextlib import closing
from datetime import date, datetime
from statistics import median

import shapely

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.register.permits import issue
from geonotice.register.rows import cells_of
from geonotice.register.session import open_register
from geonotice.register.values import Application, Land

PERMITS = 100_000
ACROSS = 400
MOST_TIMES = 2.0
NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time


def _box(lot: int) -> tuple[float, float, float, float]:
    x, y = lot % ACROSS * 300.0, lot // ACROSS * 300.0
    return x, y, x + 290.0, y + 290.0


def _fill(file) -> None:
    """Write the permits straight into the tables: two on each of 50,000 lots, over ten years."""
    open_register(f"sqlite:///{file}").close()
    lots = range(PERMITS // 2)
    shapes = shapely.to_wkb(shapely.box(*zip(*(_box(lot) for lot in lots), strict=True)))
    permits, parcels, cells, log = [], [], [], []
    for n in range(1, PERMITS + 1):
        lot, year, serial = n % len(lots), 2016 + n % 10, n // 10 + 1
        permits.append((n, f"{year}-{serial:04d}", year, serial, f"{year}-03-01", f"{year}-08-01"))
        parcels.append((n, n, f"{lot}-1", shapes[lot]))
        cells += [(*cell, n) for cell in cells_of(_box(lot))]
        log.append((n, f"{year}-{serial:04d}", f"{n:064d}"))
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(
            "INSERT INTO permits (id, number, serial_year, serial, issued, starts, kind, title, applicant, distinct_events, conditions,"
            " status, override, override_by, streets, yard_sale_days, source, route_crs)"
            " VALUES (?, ?, ?, ?, ?, ?, 'festival', '', '', 1, '', 'issued', '', '', '[]', '[]', '', '')",
            permits,
        )
        database.executemany(
            "INSERT INTO permit_parcels (id, permit_id, n, parcel, key, swis, zone, districts, geometry, crs)"
            " VALUES (?1, ?2, 0, ?3, ?3, '', 'residential', '[]', ?4, 'EPSG:2263')",
            parcels,
        )
        database.executemany("INSERT INTO permit_cells (level, ix, iy, permit_parcel_id) VALUES (?, ?, ?, ?)", cells)
        database.executemany(
            "INSERT INTO log (n, permit, hash, at, by, action, why, state, previous) VALUES (?, ?, ?, '2016-01-01', '', '', '', '', '')",
            log,
        )
        database.execute("UPDATE log_head SET n = ?, hash = ?", (PERMITS, log[-1][2]))


def _seconds(file, trial: int) -> float:
    """Return the median time of issuing, each time with the register opened anew as the command line does; each trial on lots of its own."""
    times = []
    for lot in range(1000 + 15 * trial, 1015 + 15 * trial):
        box = shapely.box(*_box(lot))
        land = Land(parcel=f"{lot}-1", zone="residential", geometry=box.wkb, crs="EPSG:2263", area_sq_ft=box.area)
        application = Application(kind="festival", starts=date(2026, 8, 8), night=False, charitable=False, land=(land,))
        start = time.perf_counter()
        with open_register(f"sqlite:///{file}") as register:
            issue(register, application, now=NOW, by="Clerk", rules=PermitRules(caps=CapRules()))
        times.append(time.perf_counter() - start)
    return median(times)


def test_no_more_than_twice_the_time(tmp_path):
    full, empty = tmp_path / "full.sqlite", tmp_path / "empty.sqlite"
    _fill(full)
    open_register(f"sqlite:///{empty}").close()
    ratios: list[float] = []
    while len(ratios) < 3 and (not ratios or ratios[-1] > MOST_TIMES):  # another program may have had the machine meanwhile
        ratios.append(_seconds(full, len(ratios)) / _seconds(empty, len(ratios)))
    assert min(ratios) <= MOST_TIMES, ratios
