"""The answers of an application's form: from its fields to what an event file states, and back.

A field is called by the key of the event file. An empty one is an open question; *no*, *none* and 0 are answers.
"""

from datetime import date, time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from geonotice.decide.event_form import Asked

__all__ = ["NONE", "answers_of", "field_of_key", "fields_of_answers", "put_over"]

NONE = "none"
"""The value of a box that says: there are none."""
_MOST_ROWS = 60


def answers_of(asked: "Iterable[Asked]", given: "Mapping[str, Sequence[str]]") -> dict[str, Any]:
    """Return what a form states, in the form of an event file; what is half typed goes on as it is, for the check to name."""
    data: dict[str, Any] = {}
    for one in asked:
        value = _answer(one, given)
        if value is not None:
            table, _, key = one.key.partition(".")
            data.setdefault(table, {})[key] = value
    return data


def _answer(one: "Asked", given: "Mapping[str, Sequence[str]]") -> Any:  # noqa: ANN401, PLR0911  # one return for each sort of question
    text = _first(given, one.key)
    match one.sort:
        case "yes":
            return {"yes": True, "no": False}.get(text)
        case "count" | "amount":
            return _number(text, whole=one.sort == "count")
        case "moment":
            return _moment(text, _first(given, f"{one.key}.time"))
        case "parcels":
            return _each(given, one.key) or None
        case "choices" | "texts" | "days":
            found = _each(given, one.key)
            found = [line.strip() for item in found for line in item.splitlines() if line.strip()]
            return [item for item in found if item != NONE] if found else None
        case "hours":
            hours = [_first(given, f"{one.key}.{end}") for end in ("from", "to")]
            return hours if any(hours) else None
        case "rows":
            return _rows(one, given)
        case "drawing" | "route":
            return None  # the drawing is a file of its own
    return text or None


def _rows(one: "Asked", given: "Mapping[str, Sequence[str]]") -> list[dict[str, Any]] | None:
    columns = {column.key: list(given.get(f"{one.key}.{column.key}", ())) for column in one.columns}
    sorts = {column.key: column.sort for column in one.columns}
    rows = []
    for n in range(min(max(map(len, columns.values()), default=0), _MOST_ROWS)):
        row: dict[str, Any] = {}
        for key, cells in columns.items():
            text = cells[n].strip() if n < len(cells) else ""
            value = {"yes": True, "no": False}.get(text) if sorts[key] == "yes" else text
            if value not in ("", None):
                row[key] = value
        if row:
            rows.append(row)
    return rows or ([] if _first(given, one.key) == NONE else None)


def _number(text: str, *, whole: bool) -> int | float | str | None:
    """Return a number; what is none as it was typed, so that it is named as a fault and not lost."""
    plain = text.replace(",", "").removeprefix("$").strip()
    if not plain:
        return None
    if plain.isascii() and plain.isdigit():
        return int(plain)
    try:
        return text if whole else float(plain)
    except ValueError:
        return text


def _moment(day: str, hour: str) -> str | None:
    if day and hour:
        return f"{day}T{hour}:00" if len(hour) == len("14:00") else f"{day}T{hour}"
    return day or (f"T{hour}" if hour else None)


def _first(given: "Mapping[str, Sequence[str]]", name: str) -> str:
    return next(iter(given.get(name, ())), "").strip()


def _each(given: "Mapping[str, Sequence[str]]", name: str) -> list[str]:
    return list(dict.fromkeys(text.strip() for text in given.get(name, ()) if text.strip()))


def fields_of_answers(asked: "Iterable[Asked]", data: "Mapping[str, Any]") -> dict[str, list[str]]:
    """Return the fields of a form that shows what an event file states; the reverse of :func:`answers_of`."""
    fields: dict[str, list[str]] = {}
    for one in asked:
        table, _, key = one.key.partition(".")
        stated = data.get(table)
        value = stated.get(key) if isinstance(stated, dict) else None
        if value is not None:
            fields |= _fields(one, value)
    return fields


def _fields(one: "Asked", value: Any) -> dict[str, list[str]]:  # noqa: ANN401  # any value of an event file
    if one.sort == "moment":
        day, _, hour = _words(value).partition("T")
        return {one.key: [day], **({f"{one.key}.time": [hour[:5]]} if hour else {})}
    if one.sort == "hours":
        return {f"{one.key}.{end}": [_words(hour)[:5]] for end, hour in zip(("from", "to"), value, strict=False)}
    if one.sort == "rows":
        if not value:
            return {one.key: [NONE]}
        return {f"{one.key}.{column.key}": [_words(row.get(column.key)) for row in value] for column in one.columns}
    if one.sort in {"parcels", "choices", "texts", "days"}:
        return {one.key: [_words(item) for item in value] or [NONE]}
    return {one.key: [_words(value)]}


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def put_over(before: "Mapping[str, Any]", asked: "Iterable[Asked]", data: "Mapping[str, Any]") -> dict[str, Any]:
    """Return what an application states with the answers of a form in the place of its own: what the form does not ask stays as it was."""
    keys = {one.key for one in asked}
    made = {
        table: {key: value for key, value in stated.items() if f"{table}.{key}" not in keys}
        if isinstance(stated, dict)
        else stated
        for table, stated in before.items()
    }
    for table, answers in data.items():
        made[table] = {**made.get(table, {}), **answers}
    return {table: stated for table, stated in made.items() if stated}


def field_of_key(key: str) -> str:
    """Return the id of the field that a fault's key means.

    Examples
    --------
    >>> field_of_key("event.starts"), field_of_key("site.tents[1].up"), field_of_key("event")
    ('event.starts', 'site.tents.up-1', 'event.starts')
    """
    head, bracket, tail = key.partition("[")
    if bracket:
        n, _, column = tail.partition("]")
        return f"{head}{column}-{n}" if column else head
    return {"event": "event.starts", "yard_sale": "yard_sale.hours.from"}.get(key, key)
