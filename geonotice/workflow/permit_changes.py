"""The use cases of ``permit amend``, ``permit correct`` and ``permit reinstate``: what changes is put together first, and checked inside the transaction that writes."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from geonotice.decide.cap_checks import permit_rules
from geonotice.decide.cap_count import KNOWN_OWNERS
from geonotice.decide.headline import Against, amended_too_late, land_against
from geonotice.decide.source_dates import standing_warnings
from geonotice.errors import Fault, InputError, PermitRefused, PermitUndecided, UsageError
from geonotice.facts.drawings import digest_of_drawing, same_drawing
from geonotice.facts.history import describe_land, slivers_of, sunset_on
from geonotice.facts.premises import gather_event
from geonotice.model import ResultWarning
from geonotice.opened_town import find_premises
from geonotice.register.amendments import (
    AMENDED,
    COUNTED,
    ChangeRequest,
    amend,
    changed_among,
    changed_permit,
    correct,
    reinstate,
)
from geonotice.register.applications import application_of_permit
from geonotice.register.cells import read_kind
from geonotice.register.conflicts import conflicts_with
from geonotice.register.held_hours import GivenHours, day_of_session
from geonotice.register.log import drawn_last
from geonotice.register.permits import show
from geonotice.register.values import Changed, Permit, PermitCheck
from geonotice.workflow.application import Options
from geonotice.workflow.permit_request import PermitRequest, PermitRequestOptions, hours_on, read_request
from geonotice.workflow.permits import checking, with_event_warnings

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.register.session import Register

__all__ = ["ChangingOptions", "LookedAt", "amend_permit", "correct_permit", "looked_at", "reinstate_permit"]


OFFICIALS_SET = frozenset({"conditions", "maximum_attendance", "private_title"})
"""What the officials set.

LAW: Southampton 283-8: the days before are for what the applicant proposes; the officials may modify a permit at any time.
"""


class ChangingOptions(Struct, frozen=True, kw_only=True):
    """What ``permit amend`` and ``permit correct`` are given.

    Parameters
    ----------
    number
        The permit's number.
    parcels, find
        The new premises; nothing where they stay.
    event
        The event file of the event as it is to be.
    fields
        The other new values, by the permit's field.
    hours
        The new hours; empty takes them out, None leaves them.
    filed
        The day the change was filed; that of ``on`` where not given.
    on
        What is taken as today.
    reason, by, now, override, preview
        As for :class:`geonotice.register.amendments.ChangeRequest`.
    """

    number: str
    parcels: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    event: Path | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    hours: tuple[GivenHours, ...] | None = None
    filed: date | None = None
    on: date
    reason: str
    by: str
    now: datetime
    override: str = ""
    preview: bool = False


def amend_permit(opened: "Opened", register: "Register", asked: ChangingOptions) -> Changed:
    """Amend a permit, if the amended one could be issued at the moment of writing.

    Raises
    ------
    PermitRefused, PermitUndecided
        It could not be issued, or the change is filed too late, and no reason is given for passing over that.
    UsageError
        There is no such permit, or the change cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    before, _ = show(register.required(), asked.number)
    requested, fields = _requested(opened, asked, before)
    fields = _with_hours(before, fields, asked, action="amend")
    filed = _filed(asked, requested)
    preview = changed_permit(before, fields, action="amend")
    drawing, drawn_before = _drawn(opened, register, before, requested, without=asked.event)

    def late(was: Permit, becomes: Permit) -> Against | None:
        if not drawing and not changed_among(was, becomes, AMENDED - OFFICIALS_SET):
            return None
        return amended_too_late(opened.profile, filed=filed, first_days=(was.starts, becomes.starts))

    checked = checking(opened, requested.stated, preview.land, on=asked.on, without=before.number)
    warnings = (
        *requested.said,
        *_of_persons(fields, preview),
        *_of_hours(opened, fields, preview),
        *_in_the_way(register, before, preview),
    )
    try:
        made = amend(
            register,
            replace(_request(asked, fields), drawing=drawing, drawn_before=drawn_before),
            rules=permit_rules(opened.profile),
            slivers=slivers_of(opened),
            land=_land(requested, preview),
            late=late,
            checked=checked,
        )
    except (PermitRefused, PermitUndecided) as error:
        raise _with_warnings(opened, error, warnings) from error
    return replace(made, check=_warned(opened, made.check, warnings))


def _drawn(
    opened: "Opened", register: "Register", before: Permit, requested: PermitRequest, *, without: Path | None
) -> tuple[str, str]:
    """Return the digest of the site drawing where it is another than before, and that of the one before; empty where it is the same, or none is stated.

    What was drawn before is the drawing of the permit's application, or of its last amendment that was drawn; where these are not at hand, or another drawing has
    taken their place since, the digest that the log has.
    """
    layout = requested.stated.gathered.layout if requested.stated else ()
    if not layout:
        return "", ""
    with register.reading() as connection:
        recorded = drawn_last(connection, before.number)
    drawn, digest = _drawn_before(opened, register, before, without=without), digest_of_drawing(layout)
    known = digest_of_drawing(drawn) if drawn else ""
    if digest == (recorded or known) or (drawn and recorded in ("", known) and same_drawing(layout, drawn)):
        return "", ""
    return digest, recorded or known


def _drawn_before(
    opened: "Opened", register: "Register", permit: Permit, *, without: Path | None
) -> "Sequence[tuple[str, BaseGeometry]]":
    """Return the site drawing that the town's files have of a permit's event; none where they have none, or it cannot be read any more.

    ``without`` is the event file of the change that is being made, which may lie among them already.
    """
    from geonotice.workflow.application_drafts import last_stated

    filed = application_of_permit(register, permit.number)
    if filed is None:
        return ()
    try:
        _, event, folder = last_stated(opened, filed, permit.number, without=without)
        if not event.premises.layout or not event.premises.parcels:
            return ()
        return gather_event(opened, event, folder=folder, sunset_too=False).layout
    except (InputError, UsageError):
        # Moved or taken away since: then the digest in the log speaks for it, or nothing does, which the history says.
        return ()


def correct_permit(opened: "Opened", register: "Register", asked: ChangingOptions) -> Changed:
    """Put right what was typed wrong in a permit; errors as for :func:`amend_permit`, without a day by which it must be filed."""
    before, _ = show(register.required(), asked.number)
    requested, fields = _requested(opened, asked, before)
    fields = _with_hours(before, fields, asked, action="correct")
    preview = changed_permit(before, fields, action="correct")
    warnings = (
        *requested.said,
        *_of_persons(fields, preview),
        *_of_hours(opened, fields, preview),
        *_in_the_way(register, before, preview),
    )
    try:
        made = correct(
            register,
            _request(asked, fields),
            rules=permit_rules(opened.profile),
            slivers=slivers_of(opened),
            land=_land(requested, preview),
        )
    except (PermitRefused, PermitUndecided) as error:
        raise _with_warnings(opened, error, warnings) from error
    return replace(made, check=_warned(opened, made.check, warnings))


def reinstate_permit(opened: "Opened", register: "Register", asked: ChangingOptions) -> Changed:
    """Take back that a permit was rescinded or voided; errors as for :func:`geonotice.register.amendments.reinstate`."""
    before, _ = show(register.required(), asked.number)
    warnings = tuple(ResultWarning("conflict", one.text) for one in conflicts_with(register, before, without=before.number))
    try:
        made = reinstate(register, _request(asked, {}), rules=permit_rules(opened.profile), slivers=slivers_of(opened))
    except (PermitRefused, PermitUndecided) as error:
        raise _with_warnings(opened, error, warnings) from error
    return replace(made, check=_warned(opened, made.check, warnings))


class LookedAt(Struct, frozen=True):
    """What of a change was checked, and what was not, as sentences."""

    checked: tuple[str, ...]
    left: tuple[str, ...]


def looked_at(profile: "Profile", changed: Changed, action: Literal["amend", "correct"]) -> LookedAt:
    """Return what was checked of an amendment or a correction, and what was not: that nothing stands against it holds for the first alone."""
    before, after, found = changed.before, changed.permit, changed.check
    checked, left = [], []
    if found.event is not None:
        counts = {
            status: sum(one.status == status for one in found.event.findings) for status in ("met", "not_met", "decide", "remind")
        }
        said = [f"{counts[status]} {words}" for status, words in _OUTCOMES.items() if counts[status]]
        checked.append(
            f"The whole ordinance, for the event as its form states it now: {', '.join(said) or 'no requirement applies'}."
        )
        if counts["remind"]:
            left.append("What is only to be remembered: whether it is done, an official sees for themselves.")
    else:
        left.append(
            "The rest of the ordinance, such as insurance, parking, security and what it prohibits: a permit does not state it."
            + (" Where the permit was issued on an application, it was checked then." if action == "amend" else "")
        )
    if found.event is not None or changed_among(before, after, COUNTED):
        checked.append(
            f"What the register counts, as it is at this moment: {found.finding.text or 'the ordinance has no cap for it.'}"
        )
    else:
        left.append("The caps of the year: nothing that they count changes.")
    if changed_among(before, after, ("land",)):
        checked.append(
            "The new parcels: whether they are in this town, outside any village, and neither a road, a railroad nor water."
        )
    else:
        left.append("The parcels: they stay as they were when the permit was issued.")
    if changed_among(before, after, _WHEN_AND_WHERE):
        checked.append("Which other events are near on those days: they are named below, where there are any.")
    if (rule := next((rule for rule in profile.rules if rule.check == "amendment"), None)) is not None and action == "amend":
        if changed_among(before, after, AMENDED - OFFICIALS_SET) or any(one.field == "drawing" for one in changed.changes):
            checked.append(f"Whether the change was filed in time ({rule.citation.section}).")
        else:
            left.append(f"The day of filing ({rule.citation.section}): what the officials set may be changed at any time.")
    return LookedAt(tuple(checked), tuple(left))


_OUTCOMES = {"met": "met", "not_met": "not met", "decide": "for an official to decide", "remind": "to be remembered"}


def _request(asked: ChangingOptions, fields: Mapping[str, Any]) -> ChangeRequest:
    return ChangeRequest(
        number=asked.number,
        fields=fields,
        reason=asked.reason,
        by=asked.by,
        now=asked.now,
        override=asked.override,
        preview=asked.preview,
    )


def _requested(opened: "Opened", asked: ChangingOptions, before: Permit) -> tuple[PermitRequest, dict[str, Any]]:
    """Return the event as it is to be, and the new values of the permit's fields."""
    fields = dict(asked.fields)
    owner = fields.get("owned_by")
    if owner is not None and owner not in KNOWN_OWNERS:
        raise UsageError(
            Fault(
                what=f"the owner {owner!r} is not known",
                key="--owned-by",
                remedy=f"give one of {', '.join(sorted(KNOWN_OWNERS))}",
            )
        )
    if asked.event is None:
        premises = find_premises(opened, asked.parcels, find=asked.find) if asked.parcels or asked.find else ()
        land, said = describe_land(opened, premises)
        return PermitRequest(before, said), fields | ({"land": land} if land else {})
    get = fields.get
    given = Options(
        starts=get("starts"), ends=get("ends"), night=get("night"), kind=get("kind"), persons=get("persons"), title=get("title")
    )
    requested = read_request(opened, PermitRequestOptions(parcels=asked.parcels, find=asked.find, event=asked.event, given=given))
    stated = requested.application
    if stated.applicant and before.applicant and _same(stated.applicant) != _same(before.applicant):
        raise UsageError(
            Fault(
                what=f"the event file names {stated.applicant} as the applicant, and permit {before.number} is {before.applicant}'s",
                why="a permit is not transferable",
                remedy="issue a permit to the other applicant, or put the name right by a correction",
                command="issue a permit to the other applicant, or put the name right with: geonotice permit correct",
                file=str(asked.event),
                key="applicant.name",
            )
        )
    of_event = {name: getattr(stated, name) for name in AMENDED - OFFICIALS_SET}
    # What the file leaves open stays as it was: an amendment states what changes.
    answered = {name: value for name, value in of_event.items() if value not in (None, "", ())}
    if stated.starts is not None:  # a single day, or days in a row, take the place of days one by one
        lasts = stated.ends is not None and stated.ends != stated.starts
        answered["ends"] = stated.ends if lasts else None if before.ends is None else stated.starts
        if stated.yard_sale_days:
            del answered["starts"], answered["ends"]
    return requested, answered | fields


def _with_hours(
    before: Permit, fields: dict[str, Any], asked: ChangingOptions, *, action: Literal["amend", "correct"]
) -> dict[str, Any]:
    """Return the new values with the hours that are given, on the days of the event as it is to be."""
    if asked.hours is None:
        return fields
    if fields.get("hours"):
        what = "hours are given, and the event file states some too"
        remedy = "leave them out, or take the hours out of the event file"
        raise UsageError(Fault(what=what, key="--hours", remedy=remedy))
    return fields | {"hours": hours_on(changed_permit(before, fields | {"hours": ()}, action=action), asked.hours)}


def _of_hours(opened: "Opened", fields: Mapping[str, Any], becomes: Permit) -> tuple[ResultWarning, ...]:
    """Return what the new hours suggest of the night, which the caps count by.

    LAW: Southampton 283-6B(2) does not define night: hours between sunset and sunrise suggest it.
    """
    if "hours" not in fields or becomes.night is True:
        return ()
    land = next((item for item in becomes.land if item.geometry is not None), None)
    for starts, ends in becomes.hours:
        sets = sunset_on(opened, land, day_of_session((starts, ends))) if land else None
        if sets is not None and isinstance(ends, datetime) and ends > sets:
            stated = "it is not at night" if becomes.night is False else "nothing of the night"
            text = (
                f"The hours reach past sunset ({sets:%H:%M} on {sets.date().isoformat()}), and the permit says {stated}: if it is at night, "
                "change that, too."
            )
            return (ResultWarning("night_suggested", text),)
    return ()


def _same(name: str) -> str:
    return " ".join(name.split()).casefold()


def _filed(asked: ChangingOptions, requested: PermitRequest) -> date:
    """Return the day on which the change was filed.

    Raises
    ------
    UsageError
        It is after today, or another than the event file's.
    """
    change = requested.stated.event.amendment if requested.stated else None
    stated = change.filed if change else None
    if stated and asked.filed and stated != asked.filed:
        what = f"the change was filed on {asked.filed}, and on {stated} by the event file"
        raise UsageError(
            Fault(what=what, key="amendment.filed", remedy="correct the one that is wrong", command="correct --filed or the file")
        )
    filed = asked.filed or stated or asked.on
    if filed > asked.on:
        raise UsageError(Fault(what=f"the change is filed on {filed}, after today, {asked.on}", remedy="correct the day"))
    return filed


def _land(requested: PermitRequest, becomes: Permit) -> tuple[Against, ...]:
    return land_against(requested.said, parade=read_kind(becomes.kind) == "parade")


def _of_persons(fields: Mapping[str, Any], becomes: Permit) -> tuple[ResultWarning, ...]:
    """State that more are expected than the permit lets in, or that the most that it lets in went along with those expected."""
    persons, most = becomes.persons, becomes.maximum_attendance
    if fields.get("persons") is None or persons is None or most is None:
        return ()
    if "maximum_attendance" not in fields and most == persons:
        text = f"The most persons that the permit allows follow those expected: {most:,}. The official may set another number."
        return (ResultWarning("maximum_from_application", text),)
    if persons > most:
        text = f"{persons:,} persons are expected, and the permit allows {most:,}: set the most persons anew if the official allows more."
        return (ResultWarning("maximum_below_expected", text),)
    return ()


_WHEN_AND_WHERE = ("starts", "ends", "yard_sale_days", "land", "route", "streets")


def _in_the_way(register: "Register", before: Permit, becomes: Permit) -> tuple[ResultWarning, ...]:
    """Return which permits the event would be in the way of, where its days or its place change."""
    if not changed_among(before, becomes, _WHEN_AND_WHERE):
        return ()
    return tuple(ResultWarning("conflict", one.text) for one in conflicts_with(register, becomes, without={before.number}))


def _warned(opened: "Opened", found: PermitCheck, warnings: tuple[ResultWarning, ...]) -> PermitCheck:
    listed = (*standing_warnings(opened.profile), *warnings, *found.warnings)
    return replace(found, warnings=with_event_warnings(listed, found))


def _with_warnings(
    opened: "Opened", error: PermitRefused | PermitUndecided, warnings: tuple[ResultWarning, ...]
) -> PermitRefused | PermitUndecided:
    if isinstance(error.check, PermitCheck):
        error.check = _warned(opened, error.check, warnings)
    return error
