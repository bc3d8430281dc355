"""The log: every change with who, when and why, each row holding the hash of the one before.

The hash of a row is the SHA-256 of its number, time, person, action, permit, reason, the permit's whole state after the change, and the
hash of the previous row. Changing, taking out, adding or reordering a row breaks the chain from there on; cutting rows off the end is seen
against ``log_head`` and against the permits. Whoever can write the database could forge all three: against that, the hash printed on
each permit is an anchor outside it (``head`` of :func:`verify`).
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from geonotice.register.stored import readable
from geonotice.register.tables import log, log_head
from geonotice.register.values import Entry, Permit

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["Chain", "entries", "row_hash", "state_of"]


def state_of(permit: Permit) -> str:
    """Write a permit's whole state as one line of JSON; shapes stand in it as their SHA-256."""
    state = {
        "number": permit.number,
        "kind": permit.kind,
        "title": permit.title,
        "applicant": permit.applicant,
        "charitable": permit.charitable,
        "primarily_benefits_applicant": permit.primarily_benefits_applicant,
        "owned_by": permit.owned_by,
        "distinct_events": permit.distinct_events,
        "issued": permit.issued and permit.issued.isoformat(),
        "starts": permit.starts and permit.starts.isoformat(),
        "ends": permit.ends and permit.ends.isoformat(),
        "night": permit.night,
        "persons": permit.persons,
        "maximum_attendance": permit.maximum_attendance,
        "conditions": permit.conditions,
        "status": permit.status,
        "override": permit.override,
        "override_by": permit.override_by,
        "route": _digest(permit.route),
        "route_crs": permit.route_crs,
        "streets": list(permit.streets),
        "yard_sale_days": [day.isoformat() for day in permit.yard_sale_days],
        "source": permit.source,
        "parcels": [
            {
                "parcel": item.parcel,
                "swis": item.swis,
                "zone": item.zone,
                "districts": [
                    [part.code, part.district_class, float(part.area_sq_ft), float(part.share)] for part in item.districts
                ],
                "area_sq_ft": None if item.area_sq_ft is None else float(item.area_sq_ft),
                "geometry": _digest(item.geometry),
                "crs": item.crs,
            }
            for item in permit.land
        ],
    }
    if (
        permit.overridden
    ):  # left out where there is none, so that the rows of registers from before it was kept stay what they were
        state["overridden"] = permit.overridden
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def row_hash(row: "tuple[int, str, str, str, str, str, str, str]") -> str:
    """Hash one row: its number, time, person, action, permit, reason, state, and the previous row's hash."""
    return hashlib.sha256(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


class Chain:
    """The log within a transaction that writes: takes the lock on its head, adds rows, puts the head back.

    Parameters
    ----------
    connection
        A connection in a transaction that writes.
    """

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        # FOR UPDATE is what makes a second writer wait on a server; SQLite has its own lock by now.
        head = connection.execute(select(log_head.c.n, log_head.c.hash).with_for_update()).one()
        self._n: int = head.n
        self._rows: list[dict[str, object]] = []
        self.hash: str = head.hash

    def append(self, permit: Permit, *, at: datetime, by: str, action: str, why: str) -> str:
        """Add a row for a permit in its new state, and give the row's hash; :meth:`close` writes it."""
        self._n += 1
        row = (self._n, at.isoformat(), by, action, permit.number, why, state_of(permit), self.hash)
        self.hash = row_hash(row)
        names = ("n", "at", "by", "action", "permit", "why", "state", "previous")
        self._rows.append({**dict(zip(names, row, strict=True)), "hash": self.hash})
        return self.hash

    def close(self) -> None:
        """Write the rows, and put the head where the log now ends."""
        if self._rows:
            self._connection.execute(insert(log), self._rows)
            self._connection.execute(update(log_head).values(n=self._n, hash=self.hash))


def entries(connection: "Connection", permit: str | None = None) -> Iterator[Entry]:
    """Give the rows of the log in their order, all or those of one permit."""
    asked = select(log).order_by(log.c.n)
    rows: "Iterator[Row[tuple[object, ...]]]" = iter(  # noqa: UP037  # the type's name is imported for checking only
        connection.execute(asked.where(log.c.permit == permit) if permit is not None else asked)
    )
    for row in rows:
        with readable(f"the time of row {row.n} of the log"):
            at = datetime.fromisoformat(row.at)
        yield Entry(n=row.n, at=at, by=row.by, action=row.action, permit=row.permit, why=row.why, hash=row.hash)
