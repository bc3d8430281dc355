"""Amend a permit, or correct what was typed wrong: its number and its place in the count stay, and the log keeps what it was."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.headline import Against
from geonotice.decide.proposal import session_lines
from geonotice.errors import Fault, UsageError
from geonotice.register.held_hours import Session, moved_hours, sessions_of, sessions_text
from geonotice.register.land_history import Slivers
from geonotice.register.log import changes_between, drawn_last, state_of, status_before_void, with_drawing
from geonotice.register.permit_check import DEFAULT_SLIVERS, as_kept, check_within
from geonotice.register.permits import find_permit, give_reason, name_author, passed_over_text, refuse, why_text
from geonotice.register.rows import change
from geonotice.register.values import Change, Changed, Permit, PermitCheck, days_of_event

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.decide.check import CheckResult
    from geonotice.register.session import Register

__all__ = [
    "AMENDED",
    "CORRECTED",
    "COUNTED",
    "ChangeRequest",
    "amend",
    "change_lines",
    "changed_among",
    "changed_permit",
    "correct",
    "days_of_event",
    "reinstate",
]

AMENDED = frozenset({
    "kind", "title", "starts", "ends", "yard_sale_days", "hours", "night", "persons", "maximum_attendance", "conditions", "land", "route",
    "route_crs", "streets", "private_title",
})  # fmt: skip
"""What an amendment may change.

LAW: Southampton 283-8 names the date, the location or route, the number of attendees, tents, alcohol and fireworks, and does not close the list.
283-4 (permit_term): a permit is not transferable, so the applicant is none of it; a name that was typed wrong is corrected.
"""

CORRECTED = AMENDED | {
    "applicant", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued", "contact", "fee",
}  # fmt: skip
"""What can have been typed wrong."""

COUNTED = frozenset({
    "kind", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued", "starts", "ends", "yard_sale_days", "night",
    "land", "route", "streets",
})  # fmt: skip
"""What the caps, the days between parades and the days of a yard sale rest on: where none of it changes, nothing is counted anew."""


class ChangeRequest(Struct, frozen=True, kw_only=True):
    """How a permit is to change.

    Parameters
    ----------
    number
        The permit's number.
    fields
        The new values, by the permit's field.
    reason
        Why; the log keeps it.
    by
        Who makes the change.
    now
        The time of writing, for the log.
    override
        An official's reason for making it although something stands against it; shown with the permit ever after.
    preview
        Whether it is only looked at: the result has what would change and what stands against it, and nothing is written.
    drawing, drawn_before
        The SHA-256 of a new site drawing, and of the one before it where the log has none; empty where the site is drawn as it was.
    """

    number: str
    fields: Mapping[str, Any]
    reason: str
    by: str
    now: datetime
    override: str = ""
    preview: bool = False
    drawing: str = ""
    drawn_before: str = ""


def amend(
    register: "Register",
    asked: ChangeRequest,
    *,
    rules: PermitRules,
    slivers: Slivers = DEFAULT_SLIVERS,
    land: tuple[Against, ...] = (),
    late: "Callable[[Permit, Permit], Against | None] | None" = None,
    checked: "Callable[[Connection], CheckResult] | None" = None,
) -> Changed:
    """Change what is permitted: checked as a new permit would be, at the moment of writing, and counted as the original is.

    Parameters
    ----------
    register
        An open register.
    asked
        The permit, and what changes.
    rules, slivers, land, checked
        As for :func:`geonotice.register.permits.issue`.
    late
        Returns what stands against the day on which the change was filed, from the permit as it was and as it would be.

    Returns
    -------
    Changed
        The permit before and after.

    Raises
    ------
    PermitRefused, PermitUndecided
        The amended permit could not be issued, and no reason is given for passing over that.
    UsageError
        There is no such permit, it is not in force, nothing changes, or the change cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    return _change(register, asked, "amend", rules=rules, slivers=slivers, land=land, late=late, checked=checked)


def correct(
    register: "Register",
    asked: ChangeRequest,
    *,
    rules: PermitRules,
    slivers: Slivers = DEFAULT_SLIVERS,
    land: tuple[Against, ...] = (),
) -> Changed:
    """Put right what was typed wrong, at any time; parameters, result and errors as for :func:`amend`."""
    return _change(register, asked, "correct", rules=rules, slivers=slivers, land=land, late=None, checked=None)


def reinstate(
    register: "Register",
    asked: ChangeRequest,
    *,
    rules: PermitRules,
    slivers: Slivers = DEFAULT_SLIVERS,
) -> Changed:
    """Take back that a permit was rescinded or voided: it is what it was before, and the log keeps both.

    One that is void is counted anew at the moment of writing, for it did not count meanwhile; one that had been rescinded before it was voided is
    rescinded again. One that was rescinded counted all the time.

    Parameters
    ----------
    register, rules, slivers
        As for :func:`amend`.
    asked
        The permit and the reason; ``fields`` is empty.

    Raises
    ------
    PermitRefused, PermitUndecided
        It was void, and there is no room for it any more; no reason is given for passing over that.
    UsageError
        There is no such permit, it is in force, or no reason is given.
    RegisterError
        The database refuses; nothing was written.
    """
    who, why, override = name_author(asked.by), give_reason(asked.reason, required=True), give_reason(asked.override)
    with register.writing() as writing:
        before = find_permit(writing.connection, asked.number)
        if before.status == "issued":
            what = f"permit {before.number} is in force already"
            raise UsageError(
                Fault(
                    what=what,
                    remedy="its history tells the rest",
                    command=f"geonotice permit show TOWN {before.number} tells its story",
                )
            )
        on = before.issued or min(day for day in (before.starts, asked.now.date()) if day)
        found = check_within(
            writing.connection, before, on=on, rules=rules, slivers=slivers, recorded=register.there, without=before.number
        )
        stands = found.against if before.status == "void" else ()
        if stands and not override:
            refuse(found)
        passed_over = override if stands else ""
        becomes = status_before_void(writing.connection, before.number) if before.status == "void" else "issued"
        after = _overridden(replace(before, status=becomes), passed_over, who, stands)
        change(writing.connection, before, after)
        log_hash = writing.chain.append(
            after,
            at=asked.now,
            by=who,
            action="reinstate_override" if passed_over else "reinstate",
            why=f"{why}; {why_text(passed_over, stands)}" if passed_over else why,
        )
    changes = changes_between(state_of(before), state_of(after))
    return Changed(before=before, permit=after, check=found, log_hash=log_hash, changes=changes)


_FROM: dict[str, tuple[str, ...]] = {"amend": ("issued",), "correct": ("issued", "rescinded")}


def _change(
    register: "Register",
    asked: ChangeRequest,
    action: Literal["amend", "correct"],
    *,
    rules: PermitRules,
    slivers: Slivers,
    land: tuple[Against, ...],
    late: "Callable[[Permit, Permit], Against | None] | None",
    checked: "Callable[[Connection], CheckResult] | None",
) -> Changed:
    who, why, override = name_author(asked.by), give_reason(asked.reason, required=True), give_reason(asked.override)
    with register.writing() as writing:
        before = find_permit(writing.connection, asked.number)
        if before.status not in _FROM[action]:
            raise _not_in_force(before, action)
        after = changed_permit(before, asked.fields, action=action)
        changes = changes_between(state_of(before), state_of(after))
        was_drawn = drawn_last(writing.connection, before.number) or asked.drawn_before
        drawing = asked.drawing if action == "amend" and asked.drawing != was_drawn else ""
        if drawing:
            changes = (*changes, Change("drawing", was_drawn or None, drawing))
        if not changes:
            raise UsageError(
                Fault(
                    what=f"permit {before.number} says all of this already",
                    why="an entry in the log that changes nothing would mislead",
                    remedy="state what is to change",
                )
            )
        on = after.issued or min(day for day in (after.starts, asked.now.date()) if day)
        found = check_within(
            writing.connection, after, on=on, rules=rules, slivers=slivers, recorded=register.there, without=before.number
        )
        filed = late(before, after) if late else None
        found = replace(found, land=land, also=(filed,) if filed else (), event=checked(writing.connection) if checked else None)
        stands = _stands(found, before, after)
        if asked.preview:
            return Changed(before=before, permit=after, check=found, log_hash="", changes=changes, against=stands)
        if stands and not override:
            refuse(found)
        passed_over = override if stands else ""
        after = _overridden(after, passed_over, who, stands)
        change(writing.connection, before, after)
        log_hash = writing.chain.append(
            after,
            at=asked.now,
            by=who,
            action=f"{action}_override" if passed_over else action,
            why=with_drawing(f"{why}; {why_text(passed_over, stands)}" if passed_over else why, drawing, was_drawn),
        )
    return Changed(before=before, permit=after, check=found, log_hash=log_hash, changes=changes, against=stands)


def _stands(found: PermitCheck, before: Permit, after: Permit) -> tuple[Against, ...]:
    """Return what stands against a change; the caps say nothing against one that they do not count."""
    if found.event is not None or changed_among(before, after, COUNTED):
        return found.against
    return tuple(one for one in found.against if one in found.also or one in found.land)


def changed_among(before: Permit, after: Permit, names: Iterable[str]) -> bool:
    """Return whether any of some fields says otherwise after a change."""
    return any(getattr(before, name) != getattr(after, name) for name in names)


def _overridden(permit: Permit, override: str, who: str, stands: tuple[Against, ...]) -> Permit:
    """Add an override to those that the permit has; what was passed over once is shown ever after."""
    if not override:
        return permit
    authors = [name for name in (permit.override_by, who) if name]
    return replace(
        permit,
        override="; ".join(text for text in (permit.override, override) if text),
        override_by="; ".join(dict.fromkeys(authors)),
        overridden="; ".join(text for text in (permit.overridden, passed_over_text(stands)) if text),
    )


def _not_in_force(permit: Permit, action: str) -> UsageError:
    remedy = {
        "rescinded": "issue a new permit; what was typed wrong in it can be corrected",
        "void": "issue a new permit: this entry never was one",
    }
    return UsageError(
        Fault(what=f"permit {permit.number} is {permit.status}, and cannot be {action}ed", remedy=remedy[permit.status])
    )


def changed_permit(before: Permit, fields: Mapping[str, Any], *, action: Literal["amend", "correct"]) -> Permit:
    """Return a permit as it would be with new values of some fields.

    A first day that is given alone moves an event of one day. Days that are given one by one make the first and the last. Hours that are not given
    move with the days.

    Raises
    ------
    UsageError
        A field is none that may change so, or what would come of it cannot be meant.
    """
    allowed = AMENDED if action == "amend" else CORRECTED
    if strange := sorted(set(fields) - allowed):
        raise UsageError(
            [
                Fault(
                    what=f"{name.replace('_', ' ')} cannot be {action}ed",
                    why="a permit is for the one who applied; an amendment changes the event" if name in CORRECTED else "",
                    remedy="put right what was typed wrong by a correction" if name in CORRECTED else "leave it out",
                    command="put right what was typed wrong with: geonotice permit correct" if name in CORRECTED else "",
                )
                for name in strange
            ]
        )
    made = {**fields, **_days(before, fields)}
    persons = made.get("persons")
    # What the permit let in is not known where it does not say so: a slip that is put right does not make it known.
    follows = {before.persons} - {None} if action == "correct" else {None, before.persons}
    if persons is not None and "maximum_attendance" not in made and before.maximum_attendance in follows:
        made["maximum_attendance"] = persons
    after = replace(before, **made)
    if "hours" not in made:
        after = replace(after, hours=_moved(before, after))
    return as_kept(after, placed="land" in fields)


def _moved(before: Permit, after: Permit) -> tuple[Session, ...]:
    """Return the hours on the new days.

    Raises
    ------
    UsageError
        It is not clear which hours hold on which of them.
    """
    moved = moved_hours(before.hours, days_of_event(before), days_of_event(after))
    if moved is None:
        raise UsageError(
            Fault(
                what=f"permit {before.number} is for {sessions_text(before.hours)}, and which hours hold on the new days is not clear",
                remedy="give the hours of each day, such as 2026-07-18 10:00-16:00, or of all, such as 10:00-16:00",
                command="give --hours: once for each day, such as --hours '2026-07-18 10:00-16:00', or once for all, such as --hours 10:00-16:00",
            )
        )
    return moved


def _days(before: Permit, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the days that follow from those that are given."""
    days: tuple[date, ...] = tuple(sorted(set(fields.get("yard_sale_days") or ())))
    if days:
        if {"starts", "ends"} & {name for name in fields if fields[name] not in (None, days[0], days[-1])}:
            what = "days are given one by one, and a first or last day that is none of them"
            raise UsageError(
                Fault(
                    what=what, remedy="give single days, or a first and a last day", command="give --days, or --starts and --ends"
                )
            )
        whole = (days[-1] - days[0]).days + 1 == len(days)
        return {"starts": days[0], "ends": days[-1], "yard_sale_days": days if not whole or before.kind == "yard_sale" else ()}
    moved: date | None = fields.get("starts")
    if moved is None or moved == before.starts:
        ends = fields.get("ends")
        return {"yard_sale_days": ()} if ends is not None and ends != before.ends else {}
    if "ends" in fields:
        return {"yard_sale_days": ()}
    if before.yard_sale_days or (before.ends or before.starts) != before.starts:
        what = f"permit {before.number} is for several days, and only a new first day is given"
        remedy, command = "give the last day too, or single days", "give --ends with --starts, or each day with --days"
        raise UsageError(Fault(what=what, why="how long the event would last is not known", remedy=remedy, command=command))
    return {"ends": None if before.ends is None else moved}


_FIELDS = {
    "starts": "first day",
    "ends": "last day",
    "yard_sale_days": "days",
    "owned_by": "property owned by",
    "primarily_benefits_applicant": "for the applicant",
    "private_title": "title kept from the public",
    "drawing": "site drawing",
}


def change_lines(
    changes: Sequence[Change], *, issued: bool = False, in_words: Callable[[date], str] = date.isoformat
) -> tuple[str, ...]:
    """Return each change in words: the field, what it was, what it is; ``in_words`` writes a day. What a permit is ``issued`` with was nothing before.

    The last day of an event of one day moves with its first day, and is not a change of its own. Where its hours are stated on the days that it was on
    and on those it is on, the hours name the days, and these are not repeated.
    """

    def words(name: str, value: Any) -> str:  # noqa: ANN401  # any JSON value
        if name == "hours":
            return "; ".join(session_lines(sessions_of(json.dumps(value)))) if value else "not stated"
        if name == "drawing":
            return f"the one with the SHA-256 {value[:16]}…" if value else "not kept in the register"
        if isinstance(value, list):
            return ", ".join(words(name, item) for item in value) or "(none)"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value in (None, ""):
            return "not stated"
        return in_words(date.fromisoformat(value)) if name in _DAYS else str(value)

    first = next(((change.before, change.after) for change in changes if change.field == "starts"), None)
    named = _days_named(changes)
    shown = [
        change
        for change in changes
        if change.field not in {"override", "override_by", "overridden", *named}
        and not (change.field == "ends" and (change.before, change.after) == first)
    ]
    shown.sort(key=lambda change: change.field not in ({"hours"} if named else {"starts"}))
    fields = {**_FIELDS, "hours": "dates and times"} if named else _FIELDS
    return tuple(
        f"{fields.get(change.field, change.field.replace('_', ' '))}: "
        f"{'' if issued else f'was {words(change.field, change.before)}, '}is {words(change.field, change.after)}"
        for change in shown
    )


def _days_named(changes: Sequence[Change]) -> frozenset[str]:
    """Return the fields of days that a change of the hours names by itself: all that changed, or none where one is not among them."""
    hours = next((change for change in changes if change.field == "hours" and change.before and change.after), None)
    days = [change for change in changes if change.field in _DAYS_OF_EVENT]
    if hours is None or not days:
        return frozenset()
    was, becomes = ({starts[:_ISO_DAY] for starts, _ in side} for side in (hours.before, hours.after))
    told = all(_listed(change.before) <= was and _listed(change.after) <= becomes for change in days)
    return frozenset(change.field for change in days) if told else frozenset()


def _listed(value: Any) -> set[str]:  # noqa: ANN401  # any JSON value
    """Return a field's days; none is where the event has only its first one."""
    return set(value) if isinstance(value, list) else {value} - {None}


_ISO_DAY = len("2026-07-18")
_DAYS_OF_EVENT = frozenset({"starts", "ends", "yard_sale_days"})
_DAYS = _DAYS_OF_EVENT | {"issued"}
"""Fields of a permit that hold days."""
