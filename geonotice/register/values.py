"""What the register takes and gives: frozen values, without a database and without shapes (geometry is WKB in the town's CRS, in feet)."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_count import CapFinding, CapStatus, PermitStatus, Zone
from geonotice.decide.headline import (
    ANSWERS_RULE,
    LAND_RULE,
    Against,
    Headline,
    against,
    headline_of,
    named,
    questions_of,
    why_free,
)
from geonotice.model import District, Finding, ResultWarning
from geonotice.register.held_hours import Session, held_days

if TYPE_CHECKING:
    from geonotice.decide.check import CheckResult

__all__ = [
    "MOST_CHARACTERS",
    "MOST_EVENTS",
    "MOST_PERSONS",
    "TEXTS",
    "Application",
    "Change",
    "Changed",
    "Entry",
    "Issued",
    "Land",
    "LogReport",
    "Permit",
    "PermitCheck",
    "Tampering",
    "days_of_event",
]

MOST_PERSONS = 10_000_000
MOST_EVENTS = 1_000
"""Counts beyond are slips of the pen."""

NEEDLESS_RULE = "no_permit_needed"
"""What stands for a rule where the event needs no permit: one that is issued all the same uses up one of the property's permits."""

TEXTS = ("title", "applicant", "conditions", "contact", "fee")
"""What of an application is free text."""

MOST_CHARACTERS = 32_000
"""A text beyond fits no cell of a workbook, which holds 32,767 characters, one of them perhaps an apostrophe."""


class Land(Struct, frozen=True, kw_only=True):
    """One parcel of the premises, as it is on the day: the snapshot that the history follows afterwards.

    Parameters
    ----------
    parcel
        Its id, as the layer prints it.
    swis
        Its SWIS code, empty where the layer has none.
    zone
        The class of its districts together.
    districts
        The districts on it, with area and share.
    geometry
        Its polygon as WKB in ``crs``; None where it is not known (a permit of past years on a number that is no more).
    crs
        The CRS of the geometry, as the town file names it.
    area_sq_ft
        Its area.
    """

    parcel: str
    swis: str = ""
    zone: Zone = "undetermined"
    districts: tuple[District, ...] = ()
    geometry: bytes | None = None
    crs: str = ""
    area_sq_ft: float | None = None


class Application(Struct, frozen=True, kw_only=True):
    """What a permit is asked for. None is an unanswered question, never a *no*.

    Parameters
    ----------
    kind
        A kind of the event file (``festival``, ``parade``, ``yard_sale`` …), or a town's own word.
    land
        The parcels of the premises; none for a parade.
    owned_by
        ``premises.owned_entirely_by`` of the event file.
    starts, ends
        First and last day.
    persons
        How many are expected; ``maximum_attendance`` is what the permit allows.
    route, route_crs
        A parade's route as WKB lines, and the CRS they are in; ``streets`` are those it runs along.
    yard_sale_days
        The days on which it is held, where these are not all from ``starts`` to ``ends``: of a yard sale, of three Saturdays.
    hours
        When it begins and ends, a session for each time on each day; none where no hours are stated. They count nothing.
    contact, fee
        How the applicant is reached; what was paid, as a spreadsheet or an application states it.
    private_title
        Whether the title stays with the office: off the public's map and calendar.
    """

    kind: str = "other"
    title: str = ""
    applicant: str = ""
    charitable: bool | None = None
    primarily_benefits_applicant: bool | None = None
    owned_by: str | None = None
    distinct_events: int = 1
    starts: date | None = None
    ends: date | None = None
    night: bool | None = None
    persons: int | None = None
    maximum_attendance: int | None = None
    conditions: str = ""
    land: tuple[Land, ...] = ()
    route: bytes | None = None
    route_crs: str = ""
    streets: tuple[str, ...] = ()
    yard_sale_days: tuple[date, ...] = ()
    hours: tuple[Session, ...] = ()
    contact: str = ""
    fee: str = ""
    private_title: bool = False


def days_of_event(of: Application) -> tuple[date, ...]:
    """Return the days of an event; none where they are not known or do not go together."""
    if of.starts and of.ends and of.ends < of.starts:
        return ()
    return held_days(of.starts, of.ends, of.yard_sale_days)


class Permit(Application, frozen=True, kw_only=True):
    """A permit of the register. ``override`` is the official's reason for issuing it all the same, shown ever after; ``overridden`` what it passed over."""

    number: str
    status: PermitStatus = "issued"
    issued: date | None = None
    override: str = ""
    override_by: str = ""
    overridden: str = ""
    source: str = ""

    @property
    def parcels(self) -> tuple[str, ...]:
        """The numbers of its parcels, as they were."""
        return tuple(item.parcel for item in self.land)


class Change(Struct, frozen=True):
    """What a field of a permit was and what it became, as the log keeps both: plain values, and a parcel by its number."""

    field: str
    before: Any
    after: Any


class Entry(Struct, frozen=True, kw_only=True):
    """A row of the log: who changed what, when and why, and its place in the chain of hashes.

    ``changes`` are those of an amendment or a correction, and the site drawing that a permit was issued on.
    """

    n: int
    at: datetime
    by: str
    action: str
    permit: str
    why: str
    hash: str
    changes: tuple[Change, ...] = ()


class Tampering(Struct, frozen=True, kw_only=True):
    """Something in the register that its log does not account for; ``n`` is the log row, where there is one."""

    code: str
    text: str
    n: int | None = None
    permit: str = ""


class LogReport(Struct, frozen=True, kw_only=True):
    """What verifying the log found: how many rows there are, the hash of the last one, and what is wrong."""

    rows: int
    head: str
    faults: tuple[Tampering, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class PermitCheck(Struct, frozen=True, kw_only=True):
    """The cap on a request; what the law asks of its kind beside; what was noticed while the history was put together.

    ``land`` is what stands against the land it is asked for; ``also`` what else stands against it, such as an amendment that is filed too late;
    ``event`` the check of the event file, where there is one: without it only the
    caps and the land were checked. Where the two differ on a rule, the worse counts.
    """

    finding: CapFinding
    findings: tuple[Finding, ...] = ()
    warnings: tuple[ResultWarning, ...] = ()
    land: tuple[Against, ...] = ()
    also: tuple[Against, ...] = ()
    event: "CheckResult | None" = None

    @property
    def status(self) -> CapStatus:
        """The worst of the answers."""
        found = {self._counted, *(one.status for one in self.against)}
        return "not_met" if "not_met" in found else "decide" if "decide" in found else "met"

    @property
    def _counted(self) -> CapStatus:
        """The worst of what was counted in the register; nothing is, for an event that needs no permit."""
        if self.needless:
            return "met"
        found = {self.finding.status, *(item.status for item in self.findings)}
        return "not_met" if "not_met" in found else "decide" if "decide" in found else "met"

    @property
    def needless(self) -> bool:
        """Whether the event needs no permit, so that none may be counted for it."""
        return self.event is not None and self.event.permit_required is False

    @property
    def against(self) -> tuple[Against, ...]:
        """What a permit can only be issued by passing over, what forbids it first; a factor for the official to weigh is none of it."""
        found = {
            (one.rule, one.text if one.rule in (ANSWERS_RULE, LAND_RULE) else ""): one
            for one in (*self.land, *self.also, *self._of_event())
        }
        for counted in () if self.needless else self._of_register():
            known = found.get((counted.rule, ""))
            if known is None or known.status != "not_met":
                found[counted.rule, ""] = replace(counted, text=known.text, clause=known.clause) if known else counted
        return tuple(sorted(found.values(), key=lambda one: one.status != "not_met"))

    def _of_register(self) -> tuple[Against, ...]:
        """Return what was counted against it: an open cap too, but no open factor that the official only weighs."""
        found = [Against(one.rule, "not_met", one.text) for one in self.findings if one.status == "not_met"]
        cap = self.finding
        return (*found, *([] if cap.status == "met" else [Against(cap.rule, cap.status, cap.text)]))

    def _of_event(self) -> tuple[Against, ...]:
        if self.event is None:
            return ()
        why = why_free(self.event)
        needless = (Against(NEEDLESS_RULE, "decide", f"no permit is required{why}"),) if self.needless else ()
        return (*needless, *against(self.event))

    @property
    def stands_in_the_way(self) -> bool:
        """Whether a permit can only be issued by passing over an answer; a factor for the official to weigh does not stand in it."""
        return bool(self.against)

    @property
    def headline(self) -> Headline:
        """The outcome in a sentence; without an event file it says that only the caps and the land were checked."""
        found = self.against
        if self.event is not None:
            return self._needless_headline(self.event) if self.needless else headline_of(self.event, found)
        only = "Only the annual caps and the land were checked: no event file is given."
        lead = {"not_met": "May not be issued: ", "decide": "An official must decide: ", "met": "No conflict was found. "}[
            self.status
        ]
        said = f"{named([one.text.rstrip('.') for one in found])}. " if found else "" if self.status == "met" else f"{self.text} "
        return Headline(self.status, f"{lead}{said}{only}")

    def _needless_headline(self, event: "CheckResult") -> Headline:
        """Return that no permit is needed, in the words of the check itself, and what else stands against the event."""
        others = [one for one in self.against if one.rule != NEEDLESS_RULE]
        if any(one.status == "not_met" for one in others):
            return headline_of(event, others)
        why = why_free(event)
        also = f" An official must also decide: {named(questions_of(others, free=True))}." if others else ""
        return Headline("decide", f"No permit is required{why}.{also}")

    @property
    def rule(self) -> str:
        """The rule whose answer is the worst."""
        if self.status != self._counted or self.needless:
            return next((one.rule for one in self.against if one.status == self.status), self.finding.rule)
        return next((item.rule for item in self.findings if item.status == self.status), self.finding.rule)

    @property
    def citation(self) -> str:
        """Where that rule stands."""
        of_event = self.event.finding(self.rule) if self.event else None
        if self.status != self._counted or self.needless:
            return of_event.citation if of_event else ""
        return next((item.citation for item in self.findings if item.status == self.status), self.finding.citation)

    @property
    def text(self) -> str:
        """What was counted, in words."""
        return " ".join([*(item.text for item in self.findings), self.finding.text])


class Changed(Struct, frozen=True, kw_only=True):
    """A permit that was just amended or corrected: what it was and what it is, the finding it was written on, and the hash of its log row.

    ``against`` is what stands, or stood, against the change. Of a change that is only looked at the hash is empty.
    """

    before: Permit
    permit: Permit
    check: PermitCheck
    log_hash: str
    changes: tuple[Change, ...]
    against: tuple[Against, ...] = ()


class Issued(Struct, frozen=True, kw_only=True):
    """A permit just written, the finding it was written on, and the hash of its log row, for the paper permit.

    ``others`` are the permits written with it, where each of several distinct events got its own.
    """

    permit: Permit
    check: PermitCheck
    log_hash: str
    others: tuple[Permit, ...] = ()
