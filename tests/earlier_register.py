"""A register as a version before this one wrote it: its tables, and its rows.

Written by issuing a festival on two lots, a yard sale and a parade, and rescinding the yard sale.
"""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from sqlalchemy import Boolean, Date, MetaData, create_engine

from geonotice.register import tables_and_columns
from geonotice.register.database import WRITE, connect

__all__ = ["HEAD", "ROWS", "copy_to_server", "make_earlier_register", "make_tables"]

HEAD = "036b4b3f9e6d743d75404a6b2ab35b3b3fd662cf6a0ee549800b5eeebee7a76d"
"""The hash of its last log row, as a paper permit would have it."""

ROWS = r"""
INSERT INTO "log" VALUES(1,'2025-05-01T12:00:00','Clerk','issue','2025-0001','','{"applicant":"Ann Roe","charitable":true,"conditions":"no fires\nno dogs","distinct_events":1,"ends":"2025-08-09","issued":"2025-05-01","kind":"festival","maximum_attendance":90,"night":null,"number":"2025-0001","override":"","override_by":"","owned_by":"private","parcels":[{"area_sq_ft":60000.0,"crs":"EPSG:2263","districts":[["R-40","residential",1000.5,0.25],["MB","other",3001.5,0.75]],"geometry":"1928d514bf3d95f895c763666f8e3b541a5cffb4ee94c1b9daeb309ab06d76e3","parcel":"12.01-1-15","swis":"473600","zone":"split"},{"area_sq_ft":60000.0,"crs":"EPSG:2263","districts":[["R-40","residential",1000.5,0.25],["MB","other",3001.5,0.75]],"geometry":"8fb2e459b4173040cd7e5830622bf958974e408926f54d7b15c1c63be56cc14b","parcel":"12.01-1-9","swis":"473600","zone":"split"}],"persons":80,"primarily_benefits_applicant":false,"route":null,"route_crs":"","source":"","starts":"2025-08-08","status":"issued","streets":[],"title":"Fête","yard_sale_days":[]}','','964b240f60868d637865a421702967d1f0d81be97bf5eb5c1542972f1d5fe1bd');
INSERT INTO "log" VALUES(2,'2025-05-01T12:00:00','Clerk','issue','2025-0002','','{"applicant":"","charitable":null,"conditions":"","distinct_events":1,"ends":null,"issued":"2025-05-01","kind":"yard_sale","maximum_attendance":null,"night":false,"number":"2025-0002","override":"","override_by":"","owned_by":null,"parcels":[{"area_sq_ft":60000.0,"crs":"EPSG:2263","districts":[["R-40","residential",1000.5,0.25],["MB","other",3001.5,0.75]],"geometry":"1928d514bf3d95f895c763666f8e3b541a5cffb4ee94c1b9daeb309ab06d76e3","parcel":"12.01-1-15","swis":"473600","zone":"split"}],"persons":null,"primarily_benefits_applicant":null,"route":null,"route_crs":"","source":"","starts":"2025-07-04","status":"issued","streets":[],"title":"","yard_sale_days":["2025-07-04","2025-07-05"]}','964b240f60868d637865a421702967d1f0d81be97bf5eb5c1542972f1d5fe1bd','934b365e80ec843dfae1c25f6efa8bd1292c6fbbecea469d71b4056abe0f21d1');
INSERT INTO "log" VALUES(3,'2025-05-01T12:00:00','Clerk','issue','2025-0003','','{"applicant":"","charitable":null,"conditions":"","distinct_events":1,"ends":null,"issued":"2025-05-01","kind":"parade","maximum_attendance":null,"night":null,"number":"2025-0003","override":"","override_by":"","owned_by":null,"parcels":[],"persons":null,"primarily_benefits_applicant":null,"route":"6db27f1cc5b55b188de802d93cac8dcf3df732f563e74436c0b5d4c995001c77","route_crs":"EPSG:2263","source":"","starts":"2025-07-04","status":"issued","streets":["Main Street","Elm Street"],"title":"","yard_sale_days":[]}','934b365e80ec843dfae1c25f6efa8bd1292c6fbbecea469d71b4056abe0f21d1','31c8c50ed2c6193541987cb7428b0f826c32d2d469140db960c1c26fcf9e0672');
INSERT INTO "log" VALUES(4,'2025-05-01T12:00:00','Clerk','rescind','2025-0002','false statements','{"applicant":"","charitable":null,"conditions":"","distinct_events":1,"ends":null,"issued":"2025-05-01","kind":"yard_sale","maximum_attendance":null,"night":false,"number":"2025-0002","override":"","override_by":"","owned_by":null,"parcels":[{"area_sq_ft":60000.0,"crs":"EPSG:2263","districts":[["R-40","residential",1000.5,0.25],["MB","other",3001.5,0.75]],"geometry":"1928d514bf3d95f895c763666f8e3b541a5cffb4ee94c1b9daeb309ab06d76e3","parcel":"12.01-1-15","swis":"473600","zone":"split"}],"persons":null,"primarily_benefits_applicant":null,"route":null,"route_crs":"","source":"","starts":"2025-07-04","status":"rescinded","streets":[],"title":"","yard_sale_days":["2025-07-04","2025-07-05"]}','31c8c50ed2c6193541987cb7428b0f826c32d2d469140db960c1c26fcf9e0672','036b4b3f9e6d743d75404a6b2ab35b3b3fd662cf6a0ee549800b5eeebee7a76d');
INSERT INTO "log_head" VALUES(1,4,'036b4b3f9e6d743d75404a6b2ab35b3b3fd662cf6a0ee549800b5eeebee7a76d');
INSERT INTO "permit_cells" VALUES(1,1,1,1);
INSERT INTO "permit_cells" VALUES(1,1,2,1);
INSERT INTO "permit_cells" VALUES(1,2,1,1);
INSERT INTO "permit_cells" VALUES(1,2,2,1);
INSERT INTO "permit_cells" VALUES(1,2,1,2);
INSERT INTO "permit_cells" VALUES(1,2,2,2);
INSERT INTO "permit_cells" VALUES(1,1,1,3);
INSERT INTO "permit_cells" VALUES(1,1,2,3);
INSERT INTO "permit_cells" VALUES(1,2,1,3);
INSERT INTO "permit_cells" VALUES(1,2,2,3);
INSERT INTO "permit_parcels" VALUES(1,1,0,'12.01-1-15','12.01-1-15','473600','split','[["R-40", "residential", 1000.5, 0.25], ["MB", "other", 3001.5, 0.75]]',60000.0,X'010300000001000000050000000000000000C092400000000000408F400000000000C0924000000000005094400000000000408F4000000000005094400000000000408F400000000000408F400000000000C092400000000000408F40','EPSG:2263');
INSERT INTO "permit_parcels" VALUES(2,1,1,'12.01-1-9','12.01-1-9','473600','split','[["R-40", "residential", 1000.5, 0.25], ["MB", "other", 3001.5, 0.75]]',60000.0,X'010300000001000000050000000000000000E095400000000000408F400000000000E0954000000000005094400000000000C0924000000000005094400000000000C092400000000000408F400000000000E095400000000000408F40','EPSG:2263');
INSERT INTO "permit_parcels" VALUES(3,2,0,'12.01-1-15','12.01-1-15','473600','split','[["R-40", "residential", 1000.5, 0.25], ["MB", "other", 3001.5, 0.75]]',60000.0,X'010300000001000000050000000000000000C092400000000000408F400000000000C0924000000000005094400000000000408F4000000000005094400000000000408F400000000000408F400000000000C092400000000000408F40','EPSG:2263');
INSERT INTO "permits" VALUES(1,'2025-0001',2025,1,'festival','Fête','Ann Roe',1,0,'private',1,'2025-05-01','2025-08-08','2025-08-09',NULL,80,90,'no fires
no dogs','issued','','',NULL,'','[]','[]','');
INSERT INTO "permits" VALUES(2,'2025-0002',2025,2,'yard_sale','','',NULL,NULL,NULL,1,'2025-05-01','2025-07-04',NULL,0,NULL,NULL,'','rescinded','','',NULL,'','[]','["2025-07-04", "2025-07-05"]','');
INSERT INTO "permits" VALUES(3,'2025-0003',2025,3,'parade','','',NULL,NULL,NULL,1,'2025-05-01','2025-07-04',NULL,NULL,NULL,NULL,'','issued','','',X'010200000002000000000000000000000000000000000000000000000000208C400000000000208C40','EPSG:2263','["Main Street", "Elm Street"]','[]','');
"""


def make_tables(url: str, version: str) -> None:
    """Make the tables of an earlier version in a new register."""
    from alembic import command
    from alembic.config import Config

    engine = connect(url)
    with engine.connect().execution_options(**{WRITE: True}) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(tables_and_columns.MIGRATIONS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()


def copy_to_server(file: Path, url: str) -> None:
    """Copy the rows of a register of the same version into its tables on a server."""
    there = create_engine(url)
    known = MetaData()
    known.reflect(there)
    with closing(sqlite3.connect(file)) as database, there.begin() as connection:
        database.row_factory = sqlite3.Row
        connection.execute(known.tables["log_head"].delete())
        for table in known.sorted_tables:
            if table.name == "alembic_version":
                continue
            rows = [dict(row) for row in database.execute(f'SELECT * FROM "{table.name}"')]  # noqa: S608  # our own tables
            for row in rows:
                for column in table.columns:
                    value = row[column.name]
                    if isinstance(column.type, Boolean) and value is not None:
                        row[column.name] = bool(value)
                    elif isinstance(column.type, Date) and value is not None:
                        row[column.name] = date.fromisoformat(value)
            if rows:
                connection.execute(table.insert(), rows)
    there.dispose()


def make_earlier_register(url: str) -> None:
    """Write the register of the earlier version, with its permits and its log."""
    make_tables(url, "0002")
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("DELETE FROM log_head")
        database.commit()
        database.executescript(ROWS)
