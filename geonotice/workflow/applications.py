"""The use cases of ``application``: filed from an event file, completed, signed off, denied or approved with a permit, and what is due."""

import copy
import shlex
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_checks import permit_rules
from geonotice.errors import EventFileError, Fault, PermitRefused, UsageError
from geonotice.io.toml import NotToml, read_toml
from geonotice.model import ResultWarning
from geonotice.opened_town import find_premises
from geonotice.register.applications import (
    FiledApplication,
    Signed,
    Writer,
    add_application,
    approve,
    missing_sign_offs,
    open_application,
    show_application,
    update_application,
)
from geonotice.workflow.permit_request import FiledEvent, Issuing, PermitRequest
from geonotice.workflow.permits import check_permit, issue_permit

if TYPE_CHECKING:
    from geonotice.config.application import Event
    from geonotice.decide.headline import Against
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register, Writing
    from geonotice.register.values import Issued, Permit, PermitCheck
    from geonotice.workflow.application import StatedEvent

__all__ = [
    "Filing",
    "application_warnings",
    "check_application",
    "event_of",
    "file_application",
    "issue_on_application",
    "officials_of",
    "read_event_data",
    "receive",
    "request_of",
    "sign_off",
    "stated_by_application",
]


class Filing(Struct, frozen=True, kw_only=True):
    """What comes in with an application or after it; None is not given.

    Parameters
    ----------
    event
        The event file.
    copied_from
        The number of an earlier application that is filed again.
    starts, ends, days
        The days of the event, where they are others than the file's.
    received, complete
        The day it was filed, and the day it was found complete.
    fee, fee_paid
        Dollars, and the day on which they were paid.
    contact, support_agreement
        How the applicant is reached; whether the charitable support agreement that 283-1 wants was submitted.
    """

    event: Path | None = None
    copied_from: str | None = None
    starts: date | None = None
    ends: date | None = None
    days: tuple[date, ...] = ()
    received: date | None = None
    complete: date | None = None
    fee: str | None = None
    fee_paid: date | None = None
    contact: str | None = None
    support_agreement: bool | None = None


def file_application(
    opened: "Opened", register: "Register", filing: Filing, *, on: date, writer: Writer
) -> tuple[FiledApplication, tuple[ResultWarning, ...]]:
    """File an application from an event file, or from an earlier one whose event is held again.

    Returns
    -------
    tuple
        The application with its number, and what is to be said of it.

    Raises
    ------
    EventFileError
        The event file has faults; all of them at once.
    UsageError
        Neither or both are given, or an option contradicts the file.
    RegisterError
        The database refuses; nothing was written.
    """
    warnings: tuple[ResultWarning, ...] = ()
    if (filing.event is None) == (filing.copied_from is None):
        raise UsageError(
            Fault(
                what="an application is filed from an event file or from an earlier application",
                remedy="give an event file, or an earlier application",
                command="give EVENT.toml, or --from NUMBER",
            )
        )
    earlier = None
    if filing.event is not None:
        data, source, folder = read_event_data(filing.event), filing.event.name, str(filing.event.resolve().parent)
    else:
        if not (filing.starts or filing.days):
            command = "give --starts, or --days, for this year's event"
            raise UsageError(
                Fault(
                    what="the days of the event are those of the earlier application",
                    remedy="give the days of this year's event",
                    command=command,
                )
            )
        earlier, _ = show_application(register, filing.copied_from or "")
        data, left = _again(earlier.event)
        source, folder = earlier.source, earlier.folder
        text = f"Copied from {earlier.number}. Not taken over, for they are of that year: {', '.join(left)}."
        warnings = (ResultWarning("copied_application", text),)
    _move(data, filing)
    _state(data, filing, received=filing.received)
    event = event_of_data(data, source or "the application")
    received = event.event.filed or on
    data.setdefault("event", {})["filed"] = received.isoformat()
    _require_days(received, event.event.complete, on)
    if event.premises.parcels:
        find_premises(opened, event.premises.parcels)
    made = FiledApplication(
        number="",
        event=data,
        source=source,
        folder=folder,
        received=received,
        complete=event.event.complete,
        fee=_dollars(filing.fee),
        fee_paid=filing.fee_paid or (on if filing.fee else None),
        copied_from=earlier.number if earlier else "",
    )
    filed = add_application(register, made, writer)
    return filed, (*warnings, *application_warnings(opened, filed, event))


def receive(
    opened: "Opened", register: "Register", number: str, filing: Filing, *, on: date, writer: Writer
) -> tuple[FiledApplication, tuple[ResultWarning, ...]]:
    """Note what came in after the filing: that it is complete, a fee, a new event file; result and errors as for :func:`file_application`."""
    fresh = read_event_data(filing.event) if filing.event else None

    def change(before: FiledApplication) -> FiledApplication:
        data = copy.deepcopy(before.event if fresh is None else fresh)
        for table, key in _NOTED:
            if (noted := before.event.get(table, {}).get(key)) is not None:
                data.setdefault(table, {}).setdefault(key, noted)
        _move(data, filing)
        _state(data, filing, received=filing.received or before.received, complete=filing.complete or before.complete)
        event = event_of_data(data, before.number)
        received = event.event.filed or before.received
        _require_days(received, event.event.complete, on)
        if event.premises.parcels:
            find_premises(opened, event.premises.parcels)
        return replace(
            before,
            event=data,
            source=filing.event.name if filing.event else before.source,
            folder=str(filing.event.resolve().parent) if filing.event else before.folder,
            received=received,
            complete=event.event.complete,
            fee=before.fee if filing.fee is None else _dollars(filing.fee),
            fee_paid=filing.fee_paid or before.fee_paid or (on if filing.fee else None),
        )

    earlier, _ = show_application(register, number)
    filed = update_application(register, number, "receive", writer, change)
    return filed, (*_signed_another(earlier, filed), *application_warnings(opened, filed, event_of(filed).event))


_NOTED = (("event", "contact"), ("benefit", "support_agreement"))
"""What was noted beside an event file stays where a new one does not state it."""


def _signed_another(before: FiledApplication, filed: FiledApplication) -> tuple[ResultWarning, ...]:
    """Return who signed off the event as it was before it changed: the sign-offs stand, and it is for the officials to look again.

    LAW: Southampton 283-4: the officials review the application; one that changed since is another to them.
    """
    changed = sorted(name for name in {*before.event, *filed.event} if before.event.get(name) != filed.event.get(name))
    if not before.sign_offs or not changed:
        return ()
    signed = ", ".join(one.official for one in before.sign_offs)
    text = f"Signed off before the event changed ([{'], ['.join(changed)}]): {signed}. Have them sign again if the change is theirs to review."
    return (ResultWarning("signed_before_change", text),)


def sign_off(
    opened: "Opened",
    register: "Register",
    number: str,
    official: str,
    *,
    note: str,
    on: date,
    writer: Writer,
    approves: bool = True,
    withdrawn: bool = False,
    signed_by: str = "",
) -> FiledApplication:
    """Note what one of the officials whom the profile names says of an application; a later word takes the place of an earlier one, and the log keeps both.

    Parameters
    ----------
    approves
        Whether the official signs off; one who does not says why in ``note``.
    withdrawn
        Whether the official's earlier word is taken back, so that none stands.
    signed_by
        Who signed, where that is another than who writes.

    Raises
    ------
    UsageError
        The profile names no such official for this event, or several are meant; an official who does not approve gives no reason; there is no word to be taken back.
    """
    said = " ".join(note.split())
    if not said and (withdrawn or not approves):
        why = "an applicant has a right to know what prevents it" if not withdrawn else "the log says why a word was taken back"
        raise UsageError(Fault(what="no reason is given", why=why, remedy="type it", command="give --note TEXT", key="note"))

    def change(before: FiledApplication) -> FiledApplication:
        officials = tuple(officials_of(opened.profile, event_of(before).event))
        named = _official(official, officials)
        others = tuple(one for one in before.sign_offs if one.official != named)
        if withdrawn:
            if len(others) == len(before.sign_offs):
                raise UsageError(Fault(what=f"{named} has not said anything yet", remedy="look at the application again"))
            return replace(before, sign_offs=others)
        signed = Signed(official=named, by=" ".join(signed_by.split()) or writer.by, on=on, note=said, approves=approves)
        return replace(before, sign_offs=(*others, signed))

    action = "sign_off_withdrawn" if withdrawn else "sign_off" if approves else "not_signed_off"
    return update_application(register, number, action, replace(writer, why="; ".join(filter(None, (official, said)))), change)


def _official(asked: str, officials: Sequence[str]) -> str:
    """Return the official that is meant: by the whole office, or a part of it that fits one alone."""
    wanted = " ".join(asked.split()).casefold()
    same = [one for one in officials if one.casefold() == wanted]
    found = same or [one for one in officials if wanted and wanted in one.casefold()]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(officials) or "nobody"
    what = f"{asked!r} could be {', '.join(found)}" if found else f"the ordinance names no official {asked!r} for this event"
    raise UsageError(Fault(what=what, remedy=f"give one of: {listed}"))


def officials_of(profile: "Profile", event: "Event") -> dict[str, tuple[str, str]]:
    """Return the officials who must sign off such an event, each with the rule's id and where it stands.

    LAW: Southampton 283-4: four officials review a special event, the Chief of Police a parade.
    """
    kinds = ("any", "parade" if event.event.kind == "parade" else "special_event")
    return {one.by: (rule.id, rule.citation.section) for rule in profile.rules for one in rule.sign_offs if one.events in kinds}


def event_of_data(data: Mapping[str, Any], name: str) -> "Event":
    """Check what an application states, as an event file is checked."""
    from geonotice.config.read_application import event_from_data

    return event_from_data(dict(data), file=name)


def event_of(filed: FiledApplication) -> FiledEvent:
    """Return the event of an application, and where its drawings are."""
    name = f"application {filed.number}"
    return FiledEvent(event_of_data(filed.event, name), name, Path(filed.folder))


def read_event_data(file: Path) -> dict[str, Any]:
    """Read an event file as it stands, its days as text; it is checked afterwards, with what the options say."""
    from geonotice.config.read_application import read_event_file

    read_event_file(file)
    try:
        data = read_toml(file.read_bytes())
    except (OSError, NotToml) as error:
        raise EventFileError(
            Fault(what="the event file cannot be read any longer", file=str(file), remedy="try again")
        ) from error
    plain: dict[str, Any] = _as_text(data)
    return plain


def _as_text(value: Any) -> Any:  # noqa: ANN401  # whatever TOML holds
    if isinstance(value, dict):
        return {key: _as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_text(item) for item in value]
    return value if isinstance(value, str | int | float | bool) else value.isoformat()


_DATED = (
    ("event", "filed"),
    ("event", "complete"),
    ("site", "tents"),
    ("site", "signs"),
    ("expressive", "notice_given"),
    ("yard_sale", "days"),
)
_OF_ONE_CASE = ("amendment", "denial", "notice_given")


def _again(event: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what an earlier application states that holds for another year, and what was left out."""
    data = copy.deepcopy(dict(event))
    left = [f"[{table}]" for table in _OF_ONE_CASE if data.pop(table, None)]
    left += [f"{table}.{key}" for table, key in _DATED if data.get(table, {}).pop(key, None) is not None]
    return data, [*left, "documents", "sign-offs", "fee"]


def _move(data: dict[str, Any], filing: Filing) -> None:
    """Put the event on other days, its hours kept."""
    about = data.setdefault("event", {})
    if filing.days:
        if filing.starts or filing.ends:
            raise UsageError(
                Fault(
                    what="days are given one by one, and a first or last day",
                    remedy="give single days, or a first and a last day",
                    command="give --days, or --starts and --ends",
                )
            )
        hours = _hours(about)
        about.pop("starts", None)
        about.pop("ends", None)
        about["days"] = [{"on": day.isoformat(), **hours} for day in sorted(set(filing.days))]
        return
    if filing.starts and about.get("days"):
        shift = filing.starts - min(_day(one["on"]) for one in about["days"])
        about["days"] = [{**one, "on": (_day(one["on"]) + shift).isoformat()} for one in about["days"]]
        return
    if filing.starts:
        shift = filing.starts - _day(about["starts"]) if about.get("starts") else timedelta()
        about["starts"] = _on(filing.starts, about.get("starts"))
        if about.get("ends") and not filing.ends:
            about["ends"] = _on(_day(about["ends"]) + shift, about["ends"])
    if filing.ends:
        about["ends"] = _on(filing.ends, about.get("ends"))


def _day(text: str) -> date:
    return datetime.fromisoformat(text).date()


def _on(day: date, earlier: str | None) -> str:
    """Return a day with the hour that an earlier one had."""
    hour = earlier.partition("T")[2] if earlier else ""
    return f"{day.isoformat()}T{hour}" if hour else day.isoformat()


def _hours(about: Mapping[str, Any]) -> dict[str, str]:
    """Return the hours of the first day, as the table of a day has them."""
    if about.get("days"):
        return {key: value for key, value in about["days"][0].items() if key != "on"}
    found = {"from": about.get("starts"), "to": about.get("ends")}
    return {key: text.partition("T")[2][:5] for key, text in found.items() if text and "T" in text}


def _state(data: dict[str, Any], filing: Filing, *, received: date | None, complete: date | None = None) -> None:
    """Put what the options say where an event file states it.

    Raises
    ------
    UsageError
        An option contradicts the file.
    """
    given = {
        ("event", "filed"): received and received.isoformat(),
        ("event", "complete"): (filing.complete or complete) and (filing.complete or complete or date.min).isoformat(),
        ("event", "contact"): filing.contact,
        ("benefit", "support_agreement"): filing.support_agreement,
    }
    faults = []
    for (table, key), value in given.items():
        stated = data.get(table, {}).get(key)
        if value is None:
            continue
        if filing.event is not None and stated is not None and stated != value:
            what = f"{table}.{key} is {stated} by the event file, and {value} by the option"
            faults.append(
                Fault(what=what, file=str(filing.event), key=f"{table}.{key}", remedy="leave the option out, or correct the file")
            )
        data.setdefault(table, {})[key] = value
    if faults:
        raise UsageError(faults)


def _dollars(text: str | None) -> str:
    """Return an amount with its cents.

    Raises
    ------
    UsageError
        It is none.
    """
    if text is None:
        return ""
    plain = text.strip().removeprefix("$").replace(",", "")
    whole, _, cents = plain.partition(".")
    if not (whole.isdecimal() and len(whole) < 10 and (not cents or (cents.isdecimal() and len(cents) == 2))):  # noqa: PLR2004  # dollars, cents
        raise UsageError(Fault(what=f"{text!r} is no amount", key="--fee", remedy="write it as 150 or 150.00"))
    return f"{int(whole)}.{cents or '00'}"


def _require_days(received: date, complete: date | None, on: date) -> None:
    faults = []
    if received > on:
        faults.append(Fault(what=f"the application is filed on {received}, after today, {on}", remedy="correct the day"))
    if complete and complete < received:
        faults.append(
            Fault(what=f"the application is complete on {complete}, before it was filed on {received}", remedy="correct the days")
        )
    if faults:
        raise UsageError(faults)


def application_warnings(opened: "Opened", filed: FiledApplication, event: "Event") -> tuple[ResultWarning, ...]:
    """Return what an official should know before deciding on an application."""
    found: list[ResultWarning] = []
    last = event.event.last_day or event.event.first_day
    for document in filed.documents:
        if document.expires and last and document.expires < last:
            text = f"{document.what} ({document.name}) expires on {document.expires.isoformat()}, before the event ends on {last.isoformat()}."
            found.append(ResultWarning("document_expired", text))
    first = event.event.first_day
    if first is not None and first <= filed.received:
        when = "on the day" if first == filed.received else "before the day"
        text = f"The event begins on {first.isoformat()}, {when} on which the application was filed: {filed.received.isoformat()}. Look whether both are right."
        found.append(ResultWarning("filed_after_event", text))
    if filed.complete is None:
        text = (
            f"Application {filed.number} was not found complete yet: no day is counted for the decision. Note the day when it is."
        )
        found.append(ResultWarning("application_incomplete", text))
    keys = [rule.values.get("keys") for rule in opened.profile.rules if rule.check == "statement"]
    wants = any(isinstance(asked, tuple) and "benefit.support_agreement" in asked for asked in keys)
    if wants and event.benefit.support_agreement is not True:
        how = "is missing" if event.benefit.support_agreement is False else "is not stated to be there"
        text = f"The charitable support agreement that 283-1 requires with every application {how}."
        found.append(ResultWarning("no_support_agreement", text))
    if permit_rules(opened.profile).caps is not None and not event.premises.parcels and event.event.kind != "parade":
        found.append(
            ResultWarning("application_without_premises", "The application names no parcel: nothing can be counted for it.")
        )
    return tuple(found)


def request_of(register: "Register", number: str, *, decided: bool = False) -> tuple[FiledApplication, FiledEvent]:
    """Return an application for which a permit is asked, with its event; ``decided`` takes one that was decided, too.

    Raises
    ------
    UsageError
        There is none, or it was decided already.
    """
    filed, _ = show_application(register, number)
    if not decided:
        with register.reading() as connection:
            filed = open_application(connection, filed)
    return filed, event_of(filed)


def stated_by_application(opened: "Opened", number: str) -> "StatedEvent":
    """Return what a notice takes of an application in the register; errors as :func:`show_application`."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application import stated_by

    with read_town_register(opened.town) as register:
        filed, _ = show_application(register.required(), number)
    event = event_of(filed)
    made = stated_by(event.event, file=event.name)
    return replace(made, filed=made.filed or filed.received)


def check_application(
    opened: "Opened", register: "Register", filed: FiledApplication, asked: PermitRequest, *, on: date
) -> "PermitCheck":
    """Check the permit that an application asks for: as :func:`check_permit`, with the sign-offs that it lacks; its own permits are in nobody's way."""
    lacking = missing_sign_offs(filed, officials_of(opened.profile, event_of(filed).event)) if filed.status == "open" else ()
    said = (*asked.said, *application_warnings(opened, filed, event_of(filed).event))
    request = PermitRequest(asked.application, said, asked.stated)
    return check_permit(opened, register, request, on=on, own=filed.permits, also=lacking)


def issue_on_application(
    opened: "Opened", register: "Register", filed: FiledApplication, asked: PermitRequest, issuing: Issuing
) -> "Issued":
    """Issue the permit that an application asks for, and approve it in the same transaction; errors as :func:`issue_permit`."""
    event = event_of(filed).event
    officials = officials_of(opened.profile, event)

    def also(connection: "AnyConnection") -> "tuple[Against, ...]":
        return missing_sign_offs(open_application(connection, filed), officials)

    def after(writing: "Writing", made: "tuple[Permit, ...]") -> None:
        current = open_application(writing.connection, filed)
        writer = Writer(by=issuing.by, now=issuing.now)
        day = issuing.issued or issuing.now.date()
        approve(writing, current, permits=[permit.number for permit in made], on=day, writer=writer)

    said = (*asked.said, *application_warnings(opened, filed, event))
    application = replace(asked.application, fee=filed.fee)
    request = PermitRequest(application, said, asked.stated)
    try:
        return issue_permit(opened, register, request, issuing, also=also, after=after)
    except PermitRefused as error:
        signed = {one.official for one in filed.sign_offs}
        unsigned = [official for official in officials if official not in signed]
        if not unsigned:
            raise
        commands = "; ".join(
            f'geonotice application sign-off {shlex.quote(str(opened.town.folder))} {filed.number} "{official}" --by NAME'
            for official in unsigned
        )
        what = f"{filed.number} has no sign-off of {', '.join(unsigned)}"
        raise PermitRefused(
            [
                *error.faults,
                Fault(
                    what=what,
                    remedy="note each with the application when it has signed",
                    command=f"when each has signed, run: {commands}",
                ),
            ],
            error.check,
        ) from error
