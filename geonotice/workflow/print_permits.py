"""The use cases of ``permit print`` and ``application print``: the permit, its amendments, its rescission, a denial, from the town's templates."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.decide.proposal import session_lines, when
from geonotice.errors import Fault, ParcelNotFound, UsageError
from geonotice.io.output_files import write_files
from geonotice.packet.office_papers import law_lines, office_paper
from geonotice.packet.word_papers import office_values, place_words
from geonotice.register.amendments import change_lines
from geonotice.register.applications import application_of_permit, show_application
from geonotice.register.held_hours import each_session, with_hours
from geonotice.register.permits import show
from geonotice.register.values import days_of_event
from geonotice.workflow.application_status import appeal_deadline
from geonotice.workflow.applications import event_of
from geonotice.workflow.paper_settings import read_paper_settings

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import OfficePaper
    from geonotice.register.held_hours import Session
    from geonotice.register.session import Register
    from geonotice.register.values import Entry, Permit

__all__ = ["days_of_permit", "event_of_permit", "places_of", "print_application", "print_permit", "sessions_of_permit"]


def print_permit(
    opened: "Opened", register: "Register", number: str, *, out: Path, on: date
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write the papers of a permit: the permit as it is, and its last amendment; of a rescinded one the rescission.

    Returns
    -------
    tuple
        The files, and what is to be said of them.

    Raises
    ------
    UsageError
        There is no such permit, or it is void.
    TemplateError
        A template of the town has faults.
    OutputError
        A file cannot be written.
    """
    permit, log = show(register, number)
    if permit.status == "void":
        what, why = f"permit {permit.number} is void", "an entry that never was a permit has no paper"
        raise UsageError(
            Fault(
                what=what,
                why=why,
                remedy="its history tells the rest",
                command=f"geonotice permit show TOWN {permit.number} tells its story",
            )
        )
    event = event_of_permit(register, permit)
    stated = any(change.field == "hours" for entry in log for change in entry.changes)
    shared = {
        "event_title": permit.title or permit.kind.replace("_", " "),
        "event_kind": permit.kind.replace("_", " "),
        "event_when": days_of_permit(permit, event, stated=stated),
        "event_persons": "" if permit.persons is None else f"{permit.persons:,}",
        "applicant_name": permit.applicant,
        "applicant_contact": permit.contact or ((event.event.contact or "") if event else ""),
        "premises": places_of(opened, permit.parcels) or ", ".join(permit.streets),
        "premises_numbers": ", ".join(permit.parcels),
    }
    changed = [entry for entry in log if entry.action.startswith("amend")]
    values = {
        "permit_number": permit.number,
        "issued": calendar_day(permit.issued) if permit.issued else "a day that is not known",
        "maximum_attendance": "not stated" if permit.maximum_attendance is None else f"{permit.maximum_attendance:,}",
        "conditions": permit.conditions or "none beside the law's",
        "log": log[-1].hash if log else "",
        "override": f"Issued by decision of {permit.override_by}: {permit.override}." if permit.override else "",
        "was": f"This is the permit as amended on {_dated(changed[-1])}." if changed else "",
    }
    rescinded = next((entry for entry in reversed(log) if entry.action == "rescind"), None)
    wanted: dict[OfficePaper, dict[str, str]] = {}
    if permit.status == "rescinded":
        wanted["rescission"] = {
            "reason": _reason(rescinded) if rescinded else "the register does not say why",
            "rescinded": _dated(rescinded) if rescinded else "a day that is not known",
        }
    else:
        wanted["permit"] = {}
        if changed:
            wanted["amendment"] = {
                "changes": "\n".join(
                    line[:1].upper() + line[1:] for line in change_lines(changed[-1].changes, in_words=in_words)
                ),
                "reason": _reason(changed[-1]),
                "amended": _dated(changed[-1]),
            }
    names = {paper: f"{paper}-{_file_name(permit.number)}" for paper in wanted}
    files, notes = _written(opened, wanted, names, shared=shared, values=values, out=out, on=on)
    return files, (*notes, *(_outdated(permit, out) if permit.status == "rescinded" else ()))


def _outdated(permit: "Permit", out: Path) -> tuple[str, ...]:
    """Return what is to be said of papers in the folder that grant what was rescinded; they are the office's, and are left as they are."""
    names = (f"{paper}-{_file_name(permit.number)}{ending}" for paper in ("permit", "amendment") for ending in (".pdf", ".docx"))
    there = [name for name in names if (out / name).is_file()]
    if not there:
        return ()
    which = ("is", "It grants") if len(there) == 1 else ("are", "They grant")
    return (
        f"{', '.join(there)} in {out} {which[0]} of before. {which[1]} what was rescinded: do not hand out, keep with the file or take away.",
    )


def print_application(
    opened: "Opened", register: "Register", number: str, *, out: Path, on: date
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write the papers of an application's decision: of a denied one the denial, of an approved one its permits'; result and errors as above."""
    filed, _ = show_application(register, number)
    if filed.status == "approved":
        made = [print_permit(opened, register, permit, out=out, on=on) for permit in filed.permits]
        return tuple(file for files, _ in made for file in files), tuple(note for _, notes in made for note in notes)
    if filed.status != "denied":
        what, why = f"application {filed.number} is {filed.status}", "there is a paper of what was decided"
        raise UsageError(
            Fault(
                what=what,
                why=why,
                remedy="decide it first: issue the permit, or deny it",
                command="decide it first: geonotice permit issue --application, or application deny",
            )
        )
    event = event_of(filed).event
    about = event.event
    shared = {
        "event_title": about.title or (about.kind or "").replace("_", " "),
        "event_kind": (about.kind or "").replace("_", " "),
        "event_when": "\n".join(when(about)),
        "applicant_name": event.applicant.name or "",
        "applicant_contact": about.contact or "",
        "premises": places_of(opened, event.premises.parcels or ()),
        "premises_numbers": ", ".join(event.premises.parcels or ()),
    }
    decided = filed.decided or on
    last = appeal_deadline(opened.profile, decided)
    values = {
        "application_number": filed.number,
        "received": calendar_day(filed.received),
        "reasons": "\n".join(f"{n}. {reason}" for n, reason in enumerate(filed.reasons, start=1)),
        "appeal": ""
        if last is None
        else f"The days of an appeal are counted from the day on which you receive this letter. If that is {in_words(decided)}, the last day is "
        f"{in_words(last.last_lawful_day)}.",
    }
    return _written(
        opened, {"denial": {}}, {"denial": f"denial-{_file_name(filed.number)}"}, shared=shared, values=values, out=out, on=on
    )


def _written(
    opened: "Opened",
    wanted: "dict[OfficePaper, dict[str, str]]",
    names: "dict[OfficePaper, str]",
    *,
    shared: dict[str, str],
    values: dict[str, str],
    out: Path,
    on: date,
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    settings = read_paper_settings(opened.town, occasion="")
    common = office_values(opened.town.name, settings, on=on) | shared
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for paper, more in wanted.items():
        law = {"law": law_lines(opened.profile, paper)}
        made, said = office_paper(paper, settings, name=names[paper], shared=common, values={**values, **more, **law})
        files |= made
        notes += said
    return write_files(out, files), tuple(notes)


def _file_name(number: str) -> str:
    """Return a permit's number as a part of a file name: a town's own may have a slash in it."""
    return re.sub(r"[^\w.-]+", "-", number)


def event_of_permit(register: "Register", permit: "Permit") -> "Event | None":
    """Return the event of the application that the permit was issued on, for its hours; None where there is none."""
    filed = application_of_permit(register, permit.number)
    return None if filed is None else event_of(filed).event


def sessions_of_permit(permit: "Permit", event: "Event | None", *, stated: bool) -> "tuple[Session, ...]":
    """Return the days of a permit's event with the hours of each: the permit's own, or those that its application states for the same days.

    ``stated`` is whether the permit has ever had hours of its own: where they were taken out, they are not known.
    """
    days = days_of_event(permit)
    hours = permit.hours
    # A permit of before the register kept hours has those of its application, unless it was amended to other days.
    if (
        not hours
        and not stated
        and event is not None
        and (permit.starts, permit.ends or permit.starts)
        == (
            event.event.first_day,
            event.event.last_day or event.event.first_day,
        )
    ):
        hours = with_hours(event.event.sessions)
    return each_session(hours, days)


def days_of_permit(permit: "Permit", event: "Event | None", *, stated: bool) -> str:
    """Return the days of the event with their hours, a line each; days that follow each other and have none as one; ``stated`` as above."""
    sessions = sessions_of_permit(permit, event, stated=stated)
    if with_hours(sessions):
        return "\n".join(session_lines(sessions))
    if permit.yard_sale_days:
        days = "\n".join(in_words(day) for day in permit.yard_sale_days)
    elif permit.starts is None:
        return ""
    else:
        lasts = permit.ends is not None and permit.ends != permit.starts
        days = f"{in_words(permit.starts)} to {in_words(permit.ends)}" if lasts and permit.ends else in_words(permit.starts)
    if stated or event is None or not with_hours(event.event.sessions):
        return days
    return f"{days}\nHours as the application states them: {'; '.join(when(event.event))}"


def places_of(opened: "Opened", parcels: Sequence[str]) -> str:
    """Return the parcels of a permit with their addresses of today, in words."""
    return place_words([(number, _situs(opened, number)) for number in parcels])


def _situs(opened: "Opened", number: str) -> str:
    try:
        return opened.store.find(number).situs.text
    except (ParcelNotFound, UsageError):  # a number of past years stands by itself
        return ""


_DATED = re.compile(r" \(dated (\d{4}-\d{2}-\d{2})\)")
"""What the log keeps beside its own time where another day was taken as today."""


def _reason(entry: "Entry") -> str:
    return _DATED.sub("", entry.why)


def _dated(entry: "Entry") -> str:
    """Return the day that a change bears: the one that was taken as today, or else that of the log."""
    stated = _DATED.search(entry.why)
    return calendar_day(date.fromisoformat(stated[1]) if stated else entry.at.date())
