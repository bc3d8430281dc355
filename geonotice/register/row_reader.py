"""Read one row of a spreadsheet of permits: what it says, what cannot be, and what is missing that the caps turn on."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from math import inf
from typing import Any, cast, get_args

from geonotice.decide.cap_values import KNOWN_OWNERS, PermitStatus, Zone
from geonotice.errors import ParcelNotFound, UsageError
from geonotice.model import LIKELY_DAYS
from geonotice.register.cells import (
    CellError,
    column_name,
    parts,
    read_date,
    read_kind,
    read_number,
    read_status,
    read_text,
    read_yes_no,
)
from geonotice.register.sheet_rows import NoResult, Sheet, SheetRow
from geonotice.register.stored import districts_of
from geonotice.register.values import MOST_CHARACTERS, MOST_EVENTS, MOST_PERSONS, TEXTS, Land, Permit

__all__ = ["RowRead", "RowReader"]

MOST_PARCELS = 1_000
"""Most parcels of one permit."""

_MARKS = re.compile(r",|&|\+|/|\band\b", re.IGNORECASE)
"""What people put between two parcels."""


@dataclass(frozen=True, slots=True)
class RowRead:
    """What a row says: a permit, or the faults for which it is none; ``remarks`` are what is missing, ``month_first`` is about its dates."""

    n: int
    number: str
    permit: Permit | None
    faults: tuple[str, ...]
    remarks: tuple[str, ...]
    month_first: bool


class RowReader:
    """Reads one row, with all its faults at once."""

    def __init__(self, table: Sheet, row: SheetRow, locate: Callable[[str], Land], source: str) -> None:
        self._cells: dict[str, Any] = {}
        for name in table.columns:
            column = column_name(name)
            if column and column not in self._cells:
                self._cells[column] = row.cells.get(name)
        self._table = table
        self._row = row
        self._locate = locate
        self._source = source
        self._faults: list[str] = []
        self._remarks: list[str] = []
        self._month_first = False

    def read(self) -> RowRead:
        """Read the row."""
        values = self._values()
        number = read_text(self._cells.get("number")) or self._made_number(values)
        land = self._land(number)
        self._judge(values, land)
        permit = None
        if not self._faults:
            route, crs = self._route(number, values["kind"])
            permit = Permit(**values, number=number, land=land, source=self._source, route=route, route_crs=crs)
        return RowRead(self._row.n, number, permit, tuple(self._faults), tuple(self._remarks), self._month_first)

    def _values(self) -> dict[str, Any]:
        for column, value in self._cells.items():
            if isinstance(value, NoResult):
                self._faults.append(f"{column}: the formula {value} was saved without its result; save the file again in Excel")
                self._cells[column] = None
            elif isinstance(value, bytes):
                self._faults.append(f"{column}: bytes that are no text")
                self._cells[column] = None
        distinct = self._cell("distinct_events", read_number)
        return {
            "kind": read_kind(self._cells.get("kind")),
            "title": read_text(self._cells.get("title")),
            "applicant": read_text(self._cells.get("applicant")),
            "charitable": self._cell("charitable", read_yes_no),
            "primarily_benefits_applicant": self._cell("primarily_benefits_applicant", read_yes_no),
            "owned_by": read_text(self._cells.get("owned_by")) or None,
            "distinct_events": 1 if distinct is None else distinct,
            "issued": self._day("issued"),
            "starts": self._day("starts"),
            "ends": self._day("ends"),
            "night": self._cell("night", read_yes_no),
            "persons": self._cell("persons", read_number),
            "maximum_attendance": self._cell("maximum_attendance", read_number),
            "conditions": read_text(self._cells.get("conditions")),
            "status": cast("PermitStatus", self._cell("status", read_status) or "issued"),
            "override": read_text(self._cells.get("override")),
            "override_by": read_text(self._cells.get("override_by")),
            "overridden": read_text(self._cells.get("overridden")),
            "streets": tuple(parts(read_text(self._cells.get("streets")))),
            "yard_sale_days": self._days("yard_sale_days"),
        }

    def _cell(self, column: str, read: Callable[[object], Any]) -> Any:  # noqa: ANN401  # what the reader of the cell gives
        try:
            return read(self._cells.get(column))
        except CellError as error:
            self._faults.append(f"{column}: {error}")
            return None

    def _day(self, column: str) -> date | None:
        found = self._cell(column, read_date)
        if found is None:
            return None
        day, month_first = found
        self._month_first = self._month_first or month_first
        if day is not None and not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
            self._faults.append(f"{column}: {day.isoformat()} is no likely year")
        return cast("date | None", day)

    def _days(self, column: str) -> tuple[date, ...]:
        days = []
        for part in parts(read_text(self._cells.get(column))):
            try:
                day, _ = read_date(part)
            except CellError as error:
                self._faults.append(f"{column}: {error}")
                continue
            if day is not None:
                days.append(day)
        return tuple(days)

    def _made_number(self, values: Mapping[str, Any]) -> str:
        """Make a number for a row without one, out of what it says: the same row gets the same number again."""
        said = json.dumps(
            {**values, "parcels": sorted(parts(read_text(self._cells.get("parcels"))))}, default=str, sort_keys=True
        )
        number = f"unnumbered-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self._remarks.append(f"it has no number; it is kept as {number}")
        return number

    def _land(self, number: str) -> tuple[Land, ...]:
        named = parts(read_text(self._cells.get("parcels")))
        if len(named) > MOST_PARCELS:
            self._faults.append(f"parcels: {len(named):,} are named, and {MOST_PARCELS:,} at most are read")
            return ()
        names = [name for one in named for name in self._several(number, one)]
        made = []
        for name in names:
            snapshot = self._table.snapshots.get((number, name))
            if snapshot is not None:
                try:
                    made.append(_from_snapshot(name, snapshot))
                except (ValueError, TypeError, OverflowError) as error:
                    self._faults.append(
                        f"parcels: the snapshot of {name} cannot be read ({str(error)[:80]}); export the permits again"
                    )
                continue
            try:
                made.append(self._locate(name))
            except ParcelNotFound as error:
                made.append(self._unknown_land(name, len(names)))
                if made[-1].geometry is None:
                    near = f" (near it: {', '.join(error.suggestions)})" if error.suggestions else ""
                    self._remarks.append(
                        f"parcels: {name} is not in the layer{near}; the permit is kept under that number, "
                        "and counts on no other parcel until its shape is known"
                    )
            except UsageError as error:
                self._faults.append(f"parcels: {error}")
        return tuple(made)

    def _several(self, number: str, one: str) -> list[str]:
        """Give the parcels that are named with other marks between them than ours, where the layer knows each; else the name itself.

        A row of two parcels that is taken for one of a strange number would count on neither.
        """
        pieces = [piece.strip() for piece in _MARKS.split(one) if piece.strip()]
        if pieces == [one] or len(pieces) > MOST_PARCELS or (number, one) in self._table.snapshots or self._is_known(one):
            return [one]
        if not all(self._is_known(piece) for piece in pieces):
            return [one]
        self._remarks.append(f"parcels: {one!r} was read as {len(pieces)} parcels: {'; '.join(pieces)}")
        return pieces

    def _is_known(self, name: str) -> bool:
        try:
            self._locate(name)
        except ParcelNotFound:
            return False
        except UsageError:
            return True  # it is there, more than once
        return True

    def _route(self, number: str, kind: str) -> tuple[bytes | None, str]:
        """Give a parade's route and its CRS: an export's own, or the lines of a town's layer of parades."""
        if number in self._table.routes:
            return self._table.routes[number]
        if kind != "parade" or self._row.geometry is None:
            return None, ""
        import shapely

        lines = shapely.get_dimensions(shapely.from_wkb(self._row.geometry)) == 1
        return (self._row.geometry, self._table.crs) if lines else (None, "")

    def _unknown_land(self, name: str, parcels: int) -> Land:
        """Give a parcel that is no more: with the row's own shape, where the row is of that parcel alone."""
        if parcels == 1 and self._row.geometry is not None:
            import shapely

            area = float(shapely.from_wkb(self._row.geometry).area)
            return Land(parcel=name, geometry=self._row.geometry, crs=self._table.crs, area_sq_ft=area)
        return Land(parcel=name)

    def _judge(self, values: Mapping[str, Any], land: tuple[Land, ...]) -> None:
        """Say what cannot be, and what is missing that the caps turn on."""
        faults = self._faults
        starts, ends, issued = values["starts"], values["ends"], values["issued"]
        if not land and values["kind"] != "parade" and not any(fault.startswith("parcels") for fault in faults):
            faults.append("parcels: none is named")
        numbers = [item.parcel for item in land]
        faults += [f"parcels: {name} is named twice" for name in sorted({name for name in numbers if numbers.count(name) > 1})]
        if not 1 <= values["distinct_events"] <= MOST_EVENTS:
            faults.append(f"distinct_events: there is at least one, and {MOST_EVENTS:,} at most")
        for column in ("persons", "maximum_attendance"):
            if (values[column] or 0) > MOST_PERSONS:
                faults.append(f"{column}: {values[column]:,} are more than can be")
        faults += [
            f"{column}: {len(values[column]):,} characters are more than a cell of a workbook holds"
            for column in (*TEXTS, "override", "override_by", "overridden")
            if len(values[column]) > MOST_CHARACTERS
        ]
        if values["owned_by"] is not None and values["owned_by"] not in KNOWN_OWNERS:
            faults.append(f"owned_by: {values['owned_by']!r} is none of {', '.join(sorted(KNOWN_OWNERS))}")
        self._judge_days(starts, ends, issued)

    def _judge_days(self, starts: date | None, ends: date | None, issued: date | None) -> None:
        faults = self._faults
        if starts is None and issued is None and not any(fault.startswith(("issued", "starts")) for fault in faults):
            faults.append("issued, starts: neither is there, so that it can be counted in no year")
        if starts and ends and ends < starts:
            faults.append(f"ends: {ends.isoformat()} is before the start on {starts.isoformat()}")
        if issued is None and starts:
            self._remarks.append(
                "issued: unknown, so that in a residential district it may count in any year up to that of the event"
            )
        if starts is None and issued:
            self._remarks.append("starts: unknown, so that outside residential districts it may count in any year")
        if issued and starts and issued > starts:
            self._remarks.append(f"issued: {issued.isoformat()} is after the event began")


def _from_snapshot(name: str, snapshot: Mapping[str, Any]) -> Land:
    area = snapshot.get("area_sq_ft")
    return Land(
        parcel=name,
        swis=str(snapshot.get("swis") or ""),
        zone=_zone_of(snapshot.get("zone")),
        districts=districts_of(str(snapshot.get("districts") or "[]")),
        geometry=snapshot["geometry"],
        crs=str(snapshot["crs"]) if snapshot["geometry"] is not None else "",
        area_sq_ft=None if area is None else _area_of(area),
    )


def _zone_of(value: object) -> Zone:
    zone = value or "undetermined"
    if zone not in get_args(Zone):
        raise ValueError(f"{zone!r} is no zone")
    return cast("Zone", zone)


def _area_of(value: Any) -> float:  # noqa: ANN401  # whatever a GeoPackage holds
    area = float(value)
    if not 0 <= area < inf:
        raise ValueError(f"{area} is no area")
    return area
