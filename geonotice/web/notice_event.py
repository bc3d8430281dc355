"""What a notice is made from besides parcels and days: the event, interested persons of the case, a second place; as files, from the register, or typed."""

import csv
import io
from datetime import date
from typing import TYPE_CHECKING, Any

from geonotice.config.others_to_notify import COLUMNS, read_others
from geonotice.errors import EventFileError, Fault, InputError, UsageError
from geonotice.io.csv_tables import inert
from geonotice.web.forms_and_uploads import HandedIn
from geonotice.workflow.application import StatedEvent, read_stated_event, stated_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import OtherRecipient, SecondPlace
    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication
    from geonotice.web.kept import Kept

__all__ = [
    "PERSON",
    "applications_to_choose",
    "event_typed",
    "others_handed_in",
    "place_handed_in",
    "stated_event",
    "with_person",
]

PERSON = ("name", "address", "city", "state", "zip", "why", "mail")
"""The columns that may be typed of an interested person."""

_PERSONS_FILE = "interested-persons.csv"
_OF_TYPED = {
    "event.title": "event_title",
    "event.kind": "event_kind",
    "event.starts": "event",
    "event.ends": "event_last",
    "event": "event_last",
    "event.persons_at_once": "event_persons",
    "event.contact": "event_contact",
    "event.filed": "event_filed",
    "applicant.name": "event_applicant",
}
"""The field of the form for each key of an event file that can be typed."""


def stated_event(opened: "Opened", kept: "Kept | None", *, application: str, key: str) -> StatedEvent:
    """Return what an application of the register states, or an event file that was handed in.

    Raises
    ------
    UsageError
        Both are named, there is none, or it has faults.
    """
    if application and key:
        what = "an application and an event file are named"
        raise UsageError(Fault(what=what, why="the notice is of one event", remedy="take one of them out", key="event-file"))
    try:
        if application:
            from geonotice.workflow.applications import stated_by_application

            return stated_by_application(opened, application)
        return read_stated_event(kept.file(key)) if kept else StatedEvent()
    except EventFileError as error:
        raise UsageError(_keyed(error.faults, "event-file")) from error


def applications_to_choose(opened: "Opened") -> "Sequence[FiledApplication]":
    """Return the applications that a notice may be of, the last filed first: those that were not withdrawn."""
    from geonotice.opened_town import may_have_permits

    if not may_have_permits(opened.town.file):
        return ()
    from geonotice.register.applications import list_applications
    from geonotice.register.session import read_town_register

    with read_town_register(opened.town) as register:
        found = [one for one in list_applications(register) if one.status != "withdrawn"]
    return sorted(found, key=lambda one: (one.received, one.number), reverse=True)


def event_typed(first: date | None, last: date | None, filed: date | None, typed: "Mapping[str, str]") -> StatedEvent:
    """Return what was typed of an event, checked as an event file is.

    Raises
    ------
    UsageError
        It cannot be meant; each fault with its field as key.
    """
    from geonotice.config.read_application import event_from_data

    given = {name: value for name, value in typed.items() if value}
    if first is None and (last or given.get("from") or given.get("until")):
        what = "the first day of the event is not given, and its end or its hours are"
        raise UsageError(Fault(what=what, remedy="give the first day", key="event"))
    persons = given.get("persons", "").replace(",", "")
    about: dict[str, Any] = {
        "title": given.get("title"),
        "kind": given.get("kind"),
        "starts": _moment(first, given.get("from", "")),
        "ends": _moment(last or first, given.get("until", "")) if last or given.get("until") else None,
        "persons_at_once": int(persons) if persons.isascii() and persons.isdigit() else persons or None,
        "contact": given.get("contact"),
        "filed": filed and filed.isoformat(),
    }
    data: dict[str, Any] = {"event": {name: value for name, value in about.items() if value is not None}}
    if applicant := given.get("applicant"):
        data["applicant"] = {"name": applicant}
    try:
        event = event_from_data(data, file="")
    except EventFileError as error:
        raise UsageError(_keyed(error.faults, "event")) from error
    return stated_by(event, file="this form")


def _moment(day: date | None, hour: str) -> str | None:
    return None if day is None else f"{day.isoformat()}T{hour}" if hour else day.isoformat()


def _keyed(faults: "Sequence[Fault]", otherwise: str) -> list[Fault]:
    return [
        Fault(what=fault.what, why=fault.why, remedy=fault.remedy, key=_OF_TYPED.get(fault.key, otherwise))
        if otherwise == "event"
        else Fault(
            what=f"{fault.key}: {fault.what}" if fault.key else fault.what, why=fault.why, remedy=fault.remedy, key=otherwise
        )
        for fault in faults
    ]


def others_handed_in(kept: "Kept | None", key: str) -> "tuple[OtherRecipient, ...]":
    """Return the interested persons of this case, from the table that was handed in or typed.

    Raises
    ------
    UsageError
        The table has faults; all of them at once.
    """
    if not key or kept is None:
        return ()
    try:
        return read_others(kept.file(key), standing=False)
    except InputError as error:
        raise UsageError(_keyed(error.faults, "persons")) from error


def place_handed_in(opened: "Opened", kept: "Kept | None", key: str) -> "SecondPlace | None":
    """Return the second place of the event, from the file that was handed in.

    Raises
    ------
    UsageError
        The file cannot be used.
    """
    if not key or kept is None:
        return None
    from geonotice.facts.drawings import read_second_place

    try:
        return read_second_place(opened, kept.file(key))
    except InputError as error:
        raise UsageError(_keyed(error.faults, "around-file")) from error


def with_person(kept: "Kept", key: str, given: "Mapping[str, str]") -> str:
    """Add an interested person to the table of a case, and return the key of the new table.

    Raises
    ------
    UsageError
        What is needed for a letter is not given, or the table has faults.
    """
    row = {name: given.get(name, "").strip() for name in PERSON}
    if faulty := [name for name, value in row.items() if inert(value) != value]:
        what = f"{', '.join(faulty)}: a spreadsheet would take this for a formula"
        raise UsageError(Fault(what=what, remedy="begin it with a letter or a figure", key="persons"))
    there = [] if not key else others_handed_in(kept, key)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for one in there:
        writer.writerow(
            {
                "name": "; ".join(one.names),
                "address": "; ".join(one.address),
                "city": one.city,
                "state": one.state,
                "zip": one.zip,
                "country": one.country,
                "mail": one.mail,
                "occasions": "; ".join(one.occasions),
                "why": one.why,
            }
        )
    writer.writerow(row)
    made = kept.keep(HandedIn(_PERSONS_FILE, ("\ufeff" + stream.getvalue()).encode()))
    others_handed_in(kept, made)  # checked before it stands in an address
    return made
