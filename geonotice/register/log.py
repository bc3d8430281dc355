"""The log: every change with who, when and why, chained by hashes."""

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from geonotice.register.held_hours import Session, each_session, held_days, sessions_json, sessions_of
from geonotice.register.pieces_and_article_numbers import MailPiece
from geonotice.register.rows import readable
from geonotice.register.tables_and_columns import LOG, beginning_with, fetch
from geonotice.register.values import Change, Entry, Permit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.decide.cap_count import PermitStatus
    from geonotice.register.database import AnyConnection


__all__ = [
    "ANSWER_ACTION",
    "APPLICATION_ACTION",
    "ISSUING",
    "LEFT_OUT",
    "MAIL_ACTION",
    "Chain",
    "changes_between",
    "count_rows",
    "drawn_last",
    "earlier_sessions",
    "entries",
    "row_hash",
    "state_of",
    "state_of_piece",
    "status_before_void",
    "with_drawing",
]


LEFT_OUT: dict[str, Any] = {"overridden": "", "hours": [], "contact": "", "fee": "", "private_title": False}
"""What a permit's state does not name, by field: what came later than the first registers, where a permit has none of it."""


def state_of(permit: Permit) -> str:
    """Write a permit's whole state as one line of JSON; shapes stand in it as their SHA-256."""
    state: dict[str, Any] = {
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
    later: dict[str, Any] = {
        "overridden": permit.overridden,
        "hours": sessions_json(permit.hours),
        "contact": permit.contact,
        "fee": permit.fee,
        "private_title": permit.private_title,
    }
    # Left out where there is none, so that the rows of registers from before these were kept stay what they were.
    state |= {name: value for name, value in later.items() if value != LEFT_OUT[name]}
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


MAIL_ACTION = "mail_"
"""What the actions of the rows on mail pieces begin with; no action on a permit does."""


def state_of_piece(piece: MailPiece) -> str:
    """Write a mail piece's whole state as one line of JSON."""
    state = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in ((name, getattr(piece, name)) for name in MailPiece.__struct_fields__)
    }
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
        from sqlalchemy import select

        from geonotice.register.sqlalchemy_tables import log_head

        self._connection = connection
        # FOR UPDATE is what makes a second writer wait on a server; SQLite has its own lock by now.
        head = connection.execute(select(log_head.c.n, log_head.c.hash).with_for_update()).one()
        self._n: int = head.n
        self._rows: list[dict[str, object]] = []
        self.hash: str = head.hash

    def append(self, permit: Permit, *, at: datetime, by: str, action: str, why: str) -> str:
        """Add a row for a permit in its new state, and give the row's hash; :meth:`close` writes it."""
        return self.append_state(permit.number, state_of(permit), at=at, by=by, action=action, why=why)

    def append_piece(self, piece: MailPiece, *, at: datetime, by: str, action: str, why: str) -> str:
        """Add a row for a mail piece in its new state, as :meth:`append` does for a permit."""
        return self.append_state(piece.key, state_of_piece(piece), at=at, by=by, action=f"{MAIL_ACTION}{action}", why=why)

    def append_state(self, key: str, state: str, *, at: datetime, by: str, action: str, why: str) -> str:
        """Add a row for anything in its new state, as :meth:`append` does for a permit; its action says what it is."""
        self._n += 1
        row = (self._n, at.isoformat(), by, action, key, why, state, self.hash)
        self.hash = row_hash(row)
        names = ("n", "at", "by", "action", "permit", "why", "state", "previous")
        self._rows.append({**dict(zip(names, row, strict=True)), "hash": self.hash})
        return self.hash

    def close(self) -> None:
        """Write the rows, and put the head where the log now ends."""
        if self._rows:
            from sqlalchemy import insert, update

            from geonotice.register.sqlalchemy_tables import log, log_head

            self._connection.execute(insert(log), self._rows)
            self._connection.execute(update(log_head).values(n=self._n, hash=self.hash))


def entries(connection: "AnyConnection", permit: str | None = None, *, filed: bool = False) -> Iterator[Entry]:
    """Return the rows of the log in their order, all or those of one permit; with ``filed`` those of the application of that number.

    The reason is what a person typed: the site drawing that stands behind it in a row is among the changes, whatever the action.
    """
    asked, given = "", {}
    if permit is not None:
        of_application = beginning_with("action", (APPLICATION_ACTION,))
        asked = f"WHERE permit = :permit AND {'' if filed else 'NOT '}{of_application} "
        given = {"permit": permit}
    for row in fetch(connection, LOG.select(f"{asked}ORDER BY n"), LOG, **given):
        with readable(f"the time of row {row.n} of the log"):
            at = datetime.fromisoformat(row.at)
            why, drawn = _drawn(row.why)
            changes = (*(_changes(connection, row) if row.action.startswith(CHANGING) else ()), *drawn)
        yield Entry(n=row.n, at=at, by=row.by, action=row.action, permit=row.permit, why=why, hash=row.hash, changes=changes)


_DRAWING = re.compile(r"(?:; |^)site drawing ([0-9a-f]{64})(?: in the place of ([0-9a-f]{64}))?$")


def with_drawing(why: str, drawing: str, before: str = "") -> str:
    """Return the reason of a row with the SHA-256 of the site drawing that the permit rests on from then on, and of the one before it.

    The drawing itself is a file of the applicant's; what the register keeps of it tells whether another one is the same.
    """
    if not drawing:
        return why
    return f"{why}{'; ' if why else ''}site drawing {drawing}" + (f" in the place of {before}" if before else "")


def _drawn(why: str) -> tuple[str, tuple[Change, ...]]:
    """Return a reason by itself, and the change of the drawing that stood behind it."""
    found = _DRAWING.search(why)
    return (why[: found.start()], (Change("drawing", found[2], found[1]),)) if found else (why, ())


def drawn_last(connection: "AnyConnection", number: str) -> str:
    """Return the SHA-256 of the site drawing that a permit rests on by its log; empty where the log has none."""
    asked = "SELECT why FROM log WHERE permit = :number AND why LIKE '%site drawing %' ORDER BY n DESC"
    found = (_DRAWING.search(row.why) for row in fetch(connection, asked, LOG, number=number))
    return next((one[1] for one in found if one), "")


APPLICATION_ACTION = "application_"
"""What the actions of the rows on applications begin with; no action on a permit does."""

ANSWER_ACTION = "no_permit"
"""The action of a row that keeps an answer: a row of an imported file that was asked about is no permit."""

ISSUING = "issue"
"""What the actions begin with that issue a permit."""

CHANGING = ("amend", "correct")
"""What the actions begin with that change what a permit says."""


def earlier_sessions(connection: "AnyConnection") -> dict[str, list[tuple[Session, ...]]]:
    """Return the days and hours that each changed permit has had, oldest first: what a calendar may have taken in.

    Raises
    ------
    RegisterError
        A row of the log cannot be read.
    """
    changing = beginning_with("action", (*CHANGING, "import_correct"))
    asked = f"SELECT permit, state FROM log WHERE permit IN (SELECT permit FROM log WHERE {changing}) ORDER BY n"  # noqa: S608  # our own words
    found: dict[str, list[tuple[Session, ...]]] = {}
    with readable("the log"):
        for row in fetch(connection, asked, LOG):
            state = json.loads(row.state)
            starts, ends = (day and date.fromisoformat(day) for day in (state.get("starts"), state.get("ends")))
            listed = [date.fromisoformat(day) for day in state.get("yard_sale_days", ())]
            hours = sessions_of(json.dumps(state.get("hours", [])))
            found.setdefault(row.permit, []).append(each_session(hours, held_days(starts, ends, listed)))
    return found


def _changes(connection: "AnyConnection", row: Any) -> tuple[Change, ...]:  # noqa: ANN401  # a row
    """Return what a row of the log changed, from the state in it and that in the permit's row before it."""
    earlier = "SELECT state FROM log WHERE permit = :permit AND n < :n ORDER BY n DESC LIMIT 1"
    before = next((found.state for found in fetch(connection, earlier, LOG, permit=row.permit, n=row.n)), "{}")
    return changes_between(before, row.state)


def status_before_void(connection: "AnyConnection", number: str) -> "PermitStatus":
    """Return what a void permit was before it was voided: rescinded, or in force; one that was never anything else comes into force."""
    rows = fetch(connection, "SELECT state FROM log WHERE permit = :number ORDER BY n DESC", LOG, number=number)
    with readable(f"the log of {number}"):
        before = next((status for row in rows if (status := json.loads(row.state).get("status")) != "void"), "issued")
    return "rescinded" if before == "rescinded" else "issued"


def count_rows(connection: "AnyConnection") -> dict[str, int]:
    """Return how many rows the log has of each permit: one more with each change, whatever the day."""
    return {row.permit: row.n for row in fetch(connection, "SELECT permit, count(*) AS n FROM log GROUP BY permit", LOG)}


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """Return the fields that differ between two states of a permit; a parcel stands by its number, a route by its hash."""
    old, new = json.loads(before), json.loads(after)
    for state in (old, new):
        state["parcels"] = [item["parcel"] for item in state.get("parcels", ())]
    names = dict.fromkeys((*old, *new))
    was, becomes = ({name: state.get(name, LEFT_OUT.get(name)) for name in names} for state in (old, new))
    return tuple(Change(name, was[name], becomes[name]) for name in names if was[name] != becomes[name])
