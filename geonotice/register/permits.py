"""Check, issue, rescind, void, show and list permits.

The cap is checked twice: when somebody asks, and again inside the transaction that writes the permit, after the lock is taken. Only the
second one counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import and_, func, or_, select, update

from geonotice.decide.cap_values import UNCOUNTED_KINDS, CapFinding, CapRequest, CapRules, PropertyHistory
from geonotice.decide.caps import cap_premises, exempt_owner
from geonotice.errors import Fault, PermitRefused, PermitUndecided, UsageError
from geonotice.model import Caution
from geonotice.register.chain import entries
from geonotice.register.land import Slivers, history_of
from geonotice.register.rows import add, land_key, load
from geonotice.register.tables import permit_parcels, permits
from geonotice.register.values import Application, Entry, Issued, Permit, PermitCheck

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.register.session import Register, Writing

__all__ = ["check", "issue", "list_permits", "log_entries", "rescind", "show", "void"]

DEFAULT_SLIVERS = Slivers()


def check(
    register: "Register",
    application: Application,
    *,
    on: date,
    rules: CapRules | None,
    slivers: Slivers = DEFAULT_SLIVERS,
) -> PermitCheck:
    """Apply the annual cap to an application, over the register's history of the land.

    Parameters
    ----------
    register
        An open register.
    application
        What is asked for; ``land`` is the premises.
    on
        The day a permit would be issued.
    rules
        The ordinance's caps; None where it sets none.
    slivers
        What overlap is too little to count.

    Raises
    ------
    UsageError
        The application cannot be meant as it is: no parcel, an end before the start.
    RegisterError
        The database refuses.
    """
    _refuse_nonsense(application)
    with register.reading() as connection:
        return _check(connection, application, on=on, rules=rules, slivers=slivers)


def _check(
    connection: "Connection", application: Application, *, on: date, rules: CapRules | None, slivers: Slivers
) -> PermitCheck:
    cautions: list[Caution] = []
    histories: list[PropertyHistory] = []
    # LAW: 283-6 (end): the exemption is the owner's to claim; unanswered, the cap applies, and a refusal says how it would not.
    exempt = False if application.owned_by is None else exempt_owner(application.owned_by)
    for land in application.land:
        history = history_of(connection, land, slivers)
        cautions += history.cautions
        if land.geometry is None:
            text = f"the shape of {land.parcel} is not known: permits under an earlier number of this land are not seen"
            cautions.append(Caution("no_shape", text, (land.parcel,)))
        histories.append(PropertyHistory(parcel=land.parcel, zone=land.zone, permits=history.permits, exempt_owner=exempt))
    request = CapRequest(
        on=on,
        starts=application.starts,
        ends=application.ends,
        night=application.night,
        charitable_applicant=application.charitable,
        primarily_benefits_applicant=application.primarily_benefits_applicant,
        distinct_events=application.distinct_events,
    )
    if rules is None or application.kind in UNCOUNTED_KINDS:
        return PermitCheck(finding=_uncapped(application, rules), cautions=tuple(cautions))
    finding = cap_premises(histories, request, rules=rules)
    if finding.status != "met" and application.owned_by is None:
        text = f"a property owned entirely by one of certain owners has no cap ({rules.exempt_citation}); say who owns it if that may be so"
        cautions.append(Caution("owner_not_stated", text, tuple(land.parcel for land in application.land)))
    return PermitCheck(finding=finding, cautions=tuple(cautions))


def _uncapped(application: Application, rules: CapRules | None) -> CapFinding:
    what = (
        "the ordinance sets no annual cap"
        if rules is None
        else f"a {application.kind.replace('_', ' ')} is not counted in the annual cap"
    )
    zones = {land.zone for land in application.land}
    return CapFinding(
        status="met",
        rule="",
        citation="",
        zone=zones.pop() if len(zones) == 1 else "undetermined",
        used=0,
        cap=None,
        next_date=None,
        next_date_of=None,
        review=(),
        missing=(),
        parcels=(),
        text=f"{what[0].upper()}{what[1:]}.",
    )


def issue(
    register: "Register",
    application: Application,
    *,
    now: datetime,
    by: str,
    rules: CapRules | None,
    slivers: Slivers = DEFAULT_SLIVERS,
    issued: date | None = None,
    why: str = "",
    override: str = "",
) -> Issued:
    """Issue a permit, if the cap allows it at the moment of writing.

    Parameters
    ----------
    register
        An open register.
    application
        What is asked for.
    now
        The time of writing, for the log.
    by
        Who issues it.
    rules, slivers
        As for :func:`check`.
    issued
        The day of issue; that of ``now`` where not given.
    why
        A remark for the log.
    override
        An official's reason for issuing it although the cap says no, or leaves it open; it is shown with the permit ever after.

    Returns
    -------
    Issued
        The permit with its number (year of issue, running number), and the finding.

    Raises
    ------
    PermitRefused
        The cap says no, and no reason is given for passing over it. Its ``finding`` has the next possible date.
    PermitUndecided
        The cap turns on what is not known.
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    _refuse_nonsense(application)
    _named(by)
    day = issued or now.date()
    with register.writing() as writing:
        found = _check(writing.connection, application, on=day, rules=rules, slivers=slivers)
        reason = override.strip()
        if found.finding.status != "met" and not reason:
            _refuse(found)
        # A reason that was not needed is no override: nothing was passed over.
        passed_over = reason if found.finding.status != "met" else ""
        permit = Permit(
            **_fields(application),
            number=_next_number(writing.connection, day.year),
            issued=day,
            override=passed_over,
            override_by=by.strip() if passed_over else "",
        )
        add(writing.connection, [permit])
        action = "issue_override" if passed_over else "issue"
        log_hash = writing.chain.append(permit, at=now, by=by.strip(), action=action, why=passed_over or why.strip())
    return Issued(permit=permit, check=found, log_hash=log_hash)


def _fields(application: Application) -> dict[str, Any]:
    return {name: getattr(application, name) for name in Application.__dataclass_fields__}


def _refuse(found: PermitCheck) -> None:
    finding = found.finding
    hints = [caution.text for caution in found.cautions]
    if finding.status == "not_met":
        remedy = "an official may issue it all the same with --override and a reason, which is shown with the permit ever after"
        raise PermitRefused(Fault(what=finding.text, why="; ".join(hints), remedy=remedy), finding)
    remedy = "answer what is open, or let an official decide with --override and a reason"
    raise PermitUndecided(Fault(what=finding.text, why="; ".join(hints), remedy=remedy), finding)


def _next_number(connection: "Connection", year: int) -> str:
    last = connection.execute(select(func.max(permits.c.serial)).where(permits.c.serial_year == year)).scalar()
    return f"{year}-{(last or 0) + 1:04d}"


def _named(by: str) -> None:
    if not by.strip():
        raise UsageError(
            Fault(what="nobody is named", why="every change in the register says who made it", remedy="give --by NAME")
        )


def _refuse_nonsense(application: Application) -> None:
    faults = []
    if not application.land and application.kind != "parade":
        faults.append(Fault(what="no parcel is given", remedy="name the parcel or parcels that the event uses"))
    keys = [(land_key(land.parcel), land.swis) for land in application.land]
    faults += [
        Fault(what="the parcel is given twice", parcel=land.parcel, remedy="name each parcel once")
        for n, land in enumerate(application.land)
        if (land_key(land.parcel), land.swis) in keys[:n]
    ]
    if application.starts and application.ends and application.ends < application.starts:
        faults.append(
            Fault(
                what=f"the event ends on {application.ends}, before it starts on {application.starts}", remedy="correct the dates"
            )
        )
    if application.distinct_events < 1:
        faults.append(Fault(what=f"{application.distinct_events} distinct events", remedy="give 1 or more"))
    for name, number in (("persons", application.persons), ("maximum attendance", application.maximum_attendance)):
        if number is not None and number < 0:
            faults.append(Fault(what=f"{name}: {number}", remedy="give 0 or more"))
    if faults:
        raise UsageError(faults)


def rescind(register: "Register", number: str, *, reason: str, now: datetime, by: str) -> Permit:
    """Rescind a permit: it was one, and goes on counting.

    Raises
    ------
    UsageError
        There is no such permit, it is rescinded or void already, or no reason is given.
    RegisterError
        The database refuses.
    """
    return _change(register, number, "rescinded", ("issued",), reason=reason, now=now, by=by)


def void(register: "Register", number: str, *, reason: str, now: datetime, by: str) -> Permit:
    """Void a permit that should never have been entered: it stays in the register, and does not count.

    Raises
    ------
    UsageError
        There is no such permit, it is void already, or no reason is given.
    RegisterError
        The database refuses.
    """
    return _change(register, number, "void", ("issued", "rescinded"), reason=reason, now=now, by=by)


def _change(
    register: "Register",
    number: str,
    status: Literal["rescinded", "void"],
    from_statuses: Sequence[str],
    *,
    reason: str,
    now: datetime,
    by: str,
) -> Permit:
    _named(by)
    if not reason.strip():
        raise UsageError(
            Fault(what="no reason is given", why="nothing in the register changes without one", remedy="give --reason TEXT")
        )
    with register.writing() as writing:
        permit = _find(writing.connection, number)
        if permit.status not in from_statuses:
            raise UsageError(
                Fault(
                    what=f"permit {permit.number} is {permit.status} already",
                    remedy=f"geonotice permit show TOWN {permit.number} tells its story",
                )
            )
        return _set_status(writing, permit, status, reason=reason.strip(), now=now, by=by.strip())


def _set_status(
    writing: "Writing", permit: Permit, status: Literal["rescinded", "void"], *, reason: str, now: datetime, by: str
) -> Permit:
    changed = replace(permit, status=status)
    writing.connection.execute(update(permits).where(permits.c.number == permit.number).values(status=status))
    writing.chain.append(changed, at=now, by=by, action="rescind" if status == "rescinded" else "void", why=reason)
    return changed


def _find(connection: "Connection", number: str) -> Permit:
    found = connection.execute(select(permits.c.id).where(permits.c.number == number.strip())).scalar()
    if found is None:
        raise UsageError(
            Fault(what=f"there is no permit {number.strip()!r}", remedy="geonotice permit list TOWN shows the numbers")
        )
    return load(connection, [found])[0]


def show(register: "Register", number: str) -> tuple[Permit, tuple[Entry, ...]]:
    """Give a permit and its rows of the log.

    Raises
    ------
    UsageError
        There is no such permit.
    """
    with register.reading() as connection:
        permit = _find(connection, number)
        return permit, tuple(entries(connection, permit.number))


def list_permits(
    register: "Register",
    *,
    year: int | None = None,
    parcel: str | None = None,
    status: str | None = None,
    kind: str | None = None,
) -> tuple[Permit, ...]:
    """List permits by the first day of the event, then number.

    Parameters
    ----------
    register
        An open register.
    year
        Those issued in that year or with an event in it.
    parcel
        Those on a parcel of that number, as it was when they were issued.
    status, kind
        Those of a status or a kind.
    """
    columns = permits.c
    conditions = []
    if year is not None:
        first, last = date(year, 1, 1), date(year, 12, 31)
        held = and_(columns.starts <= last, func.coalesce(columns.ends, columns.starts) >= first)
        conditions.append(or_(held, columns.issued.between(first, last)))
    if parcel is not None:
        conditions.append(columns.id.in_(select(permit_parcels.c.permit_id).where(permit_parcels.c.key == land_key(parcel))))
    if status is not None:
        conditions.append(columns.status == status)
    if kind is not None:
        conditions.append(columns.kind == kind)
    with register.reading() as connection:
        ids = connection.execute(select(columns.id).where(*conditions)).scalars()
        found = load(connection, list(ids))
    return tuple(sorted(found, key=lambda permit: (permit.starts or date.max, permit.number)))


def log_entries(register: "Register", *, permit: str | None = None) -> tuple[Entry, ...]:
    """Give the log, all of it or that of one permit."""
    with register.reading() as connection:
        return tuple(entries(connection, permit))
