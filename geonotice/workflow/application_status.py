"""How an application stands: who must sign off, by which day it must be decided, what is due, until when an appeal may be filed."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.decide.deadlines import Deadline, appointed_days, deadline_of
from geonotice.model import ResultWarning
from geonotice.register.applications import FiledApplication, list_applications
from geonotice.workflow.applications import application_warnings, event_of, officials_of

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.register.session import Register

__all__ = [
    "Due",
    "Known",
    "appeal_deadline",
    "decision_deadline",
    "due_applications",
    "known_of",
    "open_by_day",
]

DUE_DAYS = 7
"""How far ahead ``application list --due`` looks: this week."""


class Known(Struct, frozen=True, kw_only=True):
    """What is known of an application beside what it states: who must sign off, the day of the decision, and what is to be looked at.

    ``officials`` are all who must, ``missing`` those who have not said anything yet.
    """

    officials: tuple[str, ...]
    missing: tuple[str, ...]
    decision: Deadline | None
    warnings: tuple[ResultWarning, ...]


def known_of(opened: "Opened", filed: FiledApplication) -> Known:
    """Return what is known of an application."""
    event = event_of(filed).event
    officials = tuple(officials_of(opened.profile, event))
    said = {one.official for one in filed.sign_offs}
    return Known(
        officials=officials,
        missing=tuple(one for one in officials if one not in said),
        decision=decision_deadline(opened.profile, filed),
        warnings=application_warnings(opened, filed, event),
    )


def decision_deadline(profile: "Profile", filed: FiledApplication) -> Deadline | None:
    """Return the day by which it must be decided; None while it is not complete, or where the law sets none.

    LAW: Southampton 283-4: within 30 business days from the submission of a complete application.
    """
    return _period(profile, "complete", filed.complete)


def appeal_deadline(profile: "Profile", received: date) -> Deadline | None:
    """Return the last day of an appeal, had the denial been received on a day; None where the law knows none."""
    return _period(profile, "denial_received", received)


def _period(profile: "Profile", start: str, day: date | None) -> Deadline | None:
    if day is None:
        return None
    appointed = appointed_days(profile)
    for rule in profile.rules:
        for period in rule.periods:
            if period.reckoned_from == start and period.direction == "after":
                return deadline_of(rule, period, {start: day}, appointed=appointed)
    return None


class Due(Struct, frozen=True, kw_only=True):
    """An open application with what is due on it, and by when; days in the past are late."""

    filed: FiledApplication
    reasons: tuple[tuple[date, str], ...]


def due_applications(opened: "Opened", register: "Register", *, on: date) -> tuple[Due, ...]:
    """Return the open applications on which something is due within a week, or late, by its day.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    within = on + timedelta(days=DUE_DAYS)
    found = (
        Due(filed=one.filed, reasons=tuple(reason for reason in one.reasons if reason[0] <= within))
        for one in open_by_day(opened, register)
    )
    return tuple(one for one in found if one.reasons)


def open_by_day(opened: "Opened", register: "Register") -> tuple[Due, ...]:
    """Return every open application with all that is to come on it, by the first of these days; one without any day comes last.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    found = [Due(filed=filed, reasons=_reasons(opened, filed)) for filed in list_applications(register, status="open")]
    return tuple(sorted(found, key=lambda one: (one.reasons[0][0] if one.reasons else date.max, one.filed.number)))


def _reasons(opened: "Opened", filed: FiledApplication) -> tuple[tuple[date, str], ...]:
    """Return the days of an open application, the first day first."""
    event = event_of(filed).event
    reasons: list[tuple[date, str]] = []
    decision = decision_deadline(opened.profile, filed)
    if decision is not None:
        reasons.append((decision.last_lawful_day, "decide"))
    if event.event.first_day:
        reasons.append((event.event.first_day, "the event begins, and no permit is issued"))
    reasons += [(one.expires, f"{one.what} expires") for one in filed.documents if one.expires]
    if filed.complete is None:
        reasons.append((filed.received + timedelta(days=DUE_DAYS), "find it complete, or ask for what is missing"))
    return tuple(sorted(reasons))
