"""The parcels within 1,000 ft of every parcel, in one cold process: ``joins.py METHOD LAYER.parquet [POSTGRESQL]``.

Prints how long it took from the layer in memory to all pairs in memory, by the clock and by the processor, how many pairs there are, and a sum
over them that tells two answers apart whatever their order. Where a peer cannot be started, it says so and exits with 3.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

REACH_FT = 1000.0
ABSENT = 3
"""Exit code: this peer is not on the machine."""


def shapes(file):
    """Return the layer's polygons, from GeoParquet."""
    import pyarrow.parquet
    import shapely

    return shapely.from_wkb(pyarrow.parquet.read_table(file, columns=["geometry"])["geometry"].to_numpy())


SUM = "sum((mine::bigint * 2654435761 + other::bigint * 40503) % 2147483647)"
"""Another pair, or a pair more, changes it; the same in SQL and in numpy."""


def told(mine, others):
    """Return how many pairs there are, and a sum over them."""
    import numpy as np

    mixed = (mine.astype(np.int64) * 2654435761 + others.astype(np.int64) * 40503) % 2147483647
    return {"pairs": len(mine), "sum": int(mixed.sum())}


def timed(work, *, of=time.process_time):
    """Return what some work returns, how long it took by the clock and by the processor, and the peak of this process's memory so far."""
    clock, processor = time.perf_counter(), of()
    found = work()
    taken = {"clock_s": time.perf_counter() - clock, "processor_s": of() - processor}
    # Here, and not at the end: adding the pairs up takes more memory than finding them.
    return found, taken | {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def geonotice(file, *, measure=False):
    """Join with the program's own kernel."""
    import numpy as np

    from geonotice.screen.join import neighbors

    layer = shapes(file)
    neighbors(layer[:10], REACH_FT, measure=measure)  # what is compiled once in the life of an installation is loaded
    found, taken = timed(lambda: neighbors(layer, REACH_FT, measure=measure))
    return taken | told(np.repeat(np.arange(len(layer)), np.diff(found.start)), found.others)


def geopandas(file):
    """Join with geopandas' index."""
    import geopandas as gpd

    frame = gpd.read_parquet(file, columns=["SWIS_SBL_ID", "geometry"])
    (mine, others), taken = timed(lambda: frame.sindex.query(frame.geometry, predicate="dwithin", distance=REACH_FT))
    apart = mine != others
    return taken | told(mine[apart], others[apart])


def duckdb(file):
    """Join with DuckDB's spatial extension."""
    import duckdb as peer

    found = [*Path(peer.__file__).parents[1].glob("duckdb_extension_spatial/extensions/*/spatial.duckdb_extension")]
    database = peer.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{found[0]}'" if found else "LOAD spatial")
    database.execute(f"CREATE TABLE p AS SELECT row_number() OVER () - 1 AS n, geometry g FROM read_parquet('{file}')")
    # Each parcel is its own neighbor here: a further condition would keep DuckDB from its spatial join.
    asked = f"SELECT a.n mine, b.n other FROM p a JOIN p b ON ST_DWithin(a.g, b.g, {REACH_FT})"
    _, taken = timed(lambda: database.execute(f"CREATE TABLE pairs AS {asked}"))
    pairs, mixed = database.execute(f"SELECT count(*), {SUM} FROM pairs WHERE mine <> other").fetchone()
    return taken | {"pairs": pairs, "sum": int(mixed)}


def postgis(file):
    """Join with PostGIS, on a server of this run's own."""
    import psycopg
    import shapely

    layer = shapes(file)
    with (
        server() as (folder, spent),
        psycopg.connect(f"postgresql://postgres@/postgres?host={folder}", autocommit=True) as database,
    ):
        database.execute("CREATE EXTENSION postgis")
        database.execute("CREATE UNLOGGED TABLE p (n integer, g geometry)")
        with database.cursor().copy("COPY p FROM STDIN") as rows:
            for n, wkb in enumerate(shapely.to_wkb(layer, hex=True)):
                rows.write_row((n, wkb))
        database.execute("CREATE INDEX ON p USING gist (g)")
        database.execute("ANALYZE p")
        asked = f"SELECT a.n mine, b.n other FROM p a JOIN p b ON ST_DWithin(a.g, b.g, {REACH_FT})"

        def join():
            database.execute(f"CREATE UNLOGGED TABLE pairs AS {asked}")

        _, taken = timed(join, of=spent)
        pairs, mixed = database.execute(f"SELECT count(*), {SUM} FROM pairs WHERE mine <> other").fetchone()
    return taken | {"pairs": pairs, "sum": int(mixed)}


@contextmanager
def server():
    """Start a PostgreSQL server that only this run reaches; yield its folder, and what tells the processor's time that it has used."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs or not [*Path("/usr/share/postgresql").glob("*/extension/postgis.control")]:
        print("PostGIS is not installed", file=sys.stderr)
        sys.exit(ABSENT)
    programs = programs[-1].parent
    with tempfile.TemporaryDirectory(prefix="geonotice-postgis.") as folder:
        user = []
        if os.geteuid() == 0:  # it refuses to run as root
            user = ["runuser", "-u", "postgres", "--"]
            subprocess.run(["chown", "postgres", folder], check=True)

        def command(name, *arguments):
            words = [*user, str(programs / name), f"--pgdata={folder}/data", *arguments]
            subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL)

        def spent():
            first = Path(folder, "data", "postmaster.pid").read_text().split()[0]
            family = [first, *Path(f"/proc/{first}/task/{first}/children").read_text().split()]
            ticks = 0
            for one in family:
                fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
                # Its own time; of those that it has waited for, too: parallel workers end before the query does.
                ticks += sum(map(int, fields[11:15] if one == first else fields[11:13]))
            return ticks / os.sysconf("SC_CLK_TCK")

        command("initdb", "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=1GB -c work_mem=256MB"
        command("pg_ctl", f"--log={folder}/log", "--silent", "--wait", "start", "-o", options)
        try:
            yield folder, spent
        finally:
            command("pg_ctl", "--mode=immediate", "--silent", "stop")


METHODS = {
    "geonotice": geonotice,
    "geonotice, distances": lambda file: geonotice(file, measure=True),
    "geopandas": geopandas,
    "DuckDB": duckdb,
    "PostGIS": postgis,
}

if __name__ == "__main__":
    print(json.dumps(METHODS[sys.argv[1]](sys.argv[2])))
