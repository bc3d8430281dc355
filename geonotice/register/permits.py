"""Issue, rescind, void, show and list permits.

The cap is checked twice: when somebody asks, and again inside the transaction that writes the permit, after the lock is taken. Only the
second one counts.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.cap_count import PermitStatus
from geonotice.decide.headline import Against
from geonotice.errors import Fault, PermitRefused, PermitUndecided, UsageError
from geonotice.model import LIKELY_DAYS, ResultWarning
from geonotice.register.cells import clean
from geonotice.register.land_history import Slivers
from geonotice.register.log import entries, with_drawing
from geonotice.register.permit_check import DEFAULT_SLIVERS, as_kept, check_within
from geonotice.register.permit_numbers import next_number, number_doubt
from geonotice.register.rows import add, land_key, load
from geonotice.register.tables_and_columns import PERMITS, fetch
from geonotice.register.values import MOST_CHARACTERS, Application, Entry, Issued, Permit, PermitCheck

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from geonotice.decide.check import CheckResult
    from geonotice.register.database import AnyConnection
    from geonotice.register.session import Register, Writing

__all__ = [
    "chosen",
    "find_permit",
    "give_reason",
    "issue",
    "list_permits",
    "log_entries",
    "name_author",
    "none_of",
    "passed_over_text",
    "refuse",
    "require_status",
    "rescind",
    "show",
    "unmatched",
    "void",
    "why_text",
]


def issue(
    register: "Register",
    application: Application,
    *,
    now: datetime,
    by: str,
    rules: PermitRules,
    slivers: Slivers = DEFAULT_SLIVERS,
    issued: date | None = None,
    why: str = "",
    override: str = "",
    apart: bool = False,
    number_form: str = "",
    drawing: str = "",
    land: tuple[Against, ...] = (),
    checked: "Callable[[Connection], CheckResult] | None" = None,
    also: "Callable[[Connection], tuple[Against, ...]] | None" = None,
    after: "Callable[[Writing, tuple[Permit, ...]], None] | None" = None,
) -> Issued:
    """Issue a permit, if the cap and the check of its event allow it at the moment of writing.

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
        An official's reason for issuing it although something stands against it; it is shown with the permit ever after, and what it passed over.
    apart
        Whether distinct events may not share a permit: then a permit is written for each of them, all or none.
    number_form
        How the town file states that its permits are numbered; empty where it does not.
    drawing
        The SHA-256 of the site drawing of its event, for the log; empty where there is none.
    land
        What stands against the land.
    checked
        Checks the event against the ordinance, with the history that the connection shows: called within the transaction that writes, so
        that no other permit can come between. None where no event file is given.
    also
        Returns what else stands against it as the connection shows it, such as sign-offs that the application lacks.
    after
        Writes in the same transaction what follows from the permits: that the application is approved.

    Returns
    -------
    Issued
        The permit with its number (:mod:`geonotice.register.permit_numbers`), and the finding.

    Raises
    ------
    PermitRefused
        The cap, the days of a yard sale or the check of the event say no, and no reason is given for passing over it. Its ``check`` has the next date.
    PermitUndecided
        The answer turns on what is not known or an official must decide, or no permit is needed. Without an event file another parade near in
        time is for the official to weigh, and does not bar it.
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    asked = as_kept(application)
    who, reason = name_author(by), give_reason(override)
    day = issued or now.date()
    with register.writing() as writing:
        found = check_within(writing.connection, asked, on=day, rules=rules, slivers=slivers)
        found = replace(
            found,
            land=land,
            event=checked(writing.connection) if checked else None,
            also=also(writing.connection) if also else (),
        )
        stands = found.against
        if stands and not reason:
            refuse(found)
        doubt = number_doubt(writing.connection, day.year, stated=number_form)  # no reason to refuse one
        found = replace(found, warnings=(*found.warnings, *doubt))
        # A reason that was not needed is no override: nothing was passed over.
        passed_over = reason if stands else ""
        action = "issue_override" if passed_over else "issue"
        written: list[tuple[Permit, str]] = []
        for one in _each_alone(asked) if apart else (asked,):
            permit = Permit(
                **_fields(one),
                number=next_number(writing.connection, day.year, stated=number_form),
                issued=day,
                override=passed_over,
                override_by=who if passed_over else "",
                overridden=passed_over_text(stands),
            )
            add(writing.connection, [permit])
            log_hash = writing.chain.append(
                permit, at=now, by=who, action=action, why=with_drawing(why_text(passed_over, stands) or clean(why), drawing)
            )
            written.append((permit, log_hash))
        if after:
            after(writing, tuple(permit for permit, _ in written))
    (permit, log_hash), *others = written
    if day != now.date():
        text = f"the permit is dated {day.isoformat()}; the log says that it was written on {now.date().isoformat()}"
        found = replace(found, warnings=(*found.warnings, ResultWarning("dated_otherwise", text)))
    return Issued(permit=permit, check=found, log_hash=log_hash, others=tuple(other for other, _ in others))


def _each_alone(asked: Application) -> tuple[Application, ...]:
    """Return an application for each distinct event of one."""
    return (replace(asked, distinct_events=1),) * asked.distinct_events


def _fields(application: Application) -> dict[str, Any]:
    return {name: getattr(application, name) for name in Application.__struct_fields__}


def why_text(reason: str, stands: Sequence[Against]) -> str:
    """Return the reason of an override with the rules that it passed over, for the log; nothing where nothing was."""
    return f"{reason} (passed over: {', '.join(dict.fromkeys(one.rule for one in stands))})" if reason else ""


def passed_over_text(stands: Sequence[Against]) -> str:
    """Return what an override passed over, as the permit keeps it."""
    return "; ".join(f"{item.rule} ({_STATUS[item.status]}): {item.text}" for item in stands)


_STATUS = {"not_met": "not met", "decide": "to decide"}


def refuse(found: PermitCheck) -> NoReturn:
    """Refuse, and say all that stands against the permit.

    Raises
    ------
    PermitRefused, PermitUndecided
        Always; which of them, the check says.
    """
    hints = "; ".join(warning.text for warning in found.warnings)
    first = found.text if found.event is None and not found.land and not found.also else found.headline.text
    remedy, command = _remedy(found)
    faults = [Fault(what=first, why=hints, remedy=remedy, command=command)]
    if found.event is not None:
        texts = {item.rule: item.text for item in (*found.findings, *found.event.findings)} | {
            found.finding.rule: found.finding.text
        }
        # What has no finding of its own is said in full by the headline.
        faults += [
            Fault(what=f"{one.rule} ({_STATUS[one.status]}): {texts[one.rule]}") for one in found.against if one.rule in texts
        ]
    raise (PermitRefused if found.status == "not_met" else PermitUndecided)(faults, found)


def _remedy(found: PermitCheck) -> tuple[str, str]:
    """Return what to do, and the same as the command line says it."""
    if found.needless:
        text = "issue none: it would use up one of the property's permits; an official may do so all the same with {} reason"
    elif found.status == "not_met":
        text = "an official may issue it all the same with {} reason, which is shown with the permit ever after"
    else:
        text = "answer what is open, or let an official decide with {} reason"
    command = text.format("--override and a")
    return text.format("a"), command


def name_author(by: str) -> str:
    """Return who makes a change, as the log keeps it.

    Raises
    ------
    UsageError
        Nobody is named.
    """
    who = clean(by)
    if not who:
        raise UsageError(
            Fault(
                what="nobody is named",
                why="every change in the register says who made it",
                remedy="give your name",
                command="give --by NAME",
            )
        )
    return _no_longer(who, "the name for the log")


def give_reason(text: str, *, required: bool = False) -> str:
    """Return a reason as the register keeps it.

    Raises
    ------
    UsageError
        It is too long, or there is none and one is ``required``.
    """
    reason = _no_longer(clean(text), "the reason")
    if required and not reason:
        raise UsageError(
            Fault(
                what="no reason is given",
                why="nothing in the register changes without one",
                remedy="type the reason",
                command="give --reason TEXT",
            )
        )
    return reason


def _no_longer(text: str, what: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise UsageError(Fault(what=f"{what} has {len(text):,} characters", remedy=f"give {MOST_CHARACTERS:,} at most"))
    return text


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
    who, why = name_author(by), give_reason(reason, required=True)
    with register.writing() as writing:
        permit = find_permit(writing.connection, number)
        if permit.status not in from_statuses:
            raise UsageError(
                Fault(
                    what=f"permit {permit.number} is {permit.status} already",
                    remedy="its history tells the rest",
                    command=f"geonotice permit show TOWN {permit.number} tells its story",
                )
            )
        return _set_status(writing, permit, status, reason=why, now=now, by=who)


def _set_status(
    writing: "Writing", permit: Permit, status: Literal["rescinded", "void"], *, reason: str, now: datetime, by: str
) -> Permit:
    from sqlalchemy import update

    from geonotice.register.sqlalchemy_tables import permits

    changed = replace(permit, status=status)
    writing.connection.execute(update(permits).where(permits.c.number == permit.number).values(status=status))
    writing.chain.append(changed, at=now, by=by, action="rescind" if status == "rescinded" else "void", why=reason)
    return changed


def find_permit(connection: "AnyConnection", number: str) -> Permit:
    """Load a permit by its number.

    Raises
    ------
    UsageError
        There is no such permit.
    """
    found = fetch(connection, "SELECT id FROM permits WHERE number = :number", PERMITS, number=number.strip())
    if not found:
        raise _unknown(number.strip())
    return load(connection, [found[0].id])[0]


def _unknown(number: str) -> UsageError:
    return UsageError(
        Fault(
            what=f"there is no permit {number!r}",
            remedy="choose one from the list of permits",
            command="geonotice permit list TOWN shows the numbers",
        )
    )


def show(register: "Register", number: str) -> tuple[Permit, tuple[Entry, ...]]:
    """Return a permit and its rows of the log.

    Raises
    ------
    UsageError
        There is no such permit.
    """
    with register.reading() as connection:
        permit = find_permit(connection, number)
        return permit, tuple(entries(connection, permit.number))


def list_permits(
    register: "Register",
    *,
    year: int | None = None,
    parcel: str | None = None,
    status: str | None = None,
    kind: str | None = None,
    numbers: Collection[str] | None = None,
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
    numbers
        Those of these numbers.

    Raises
    ------
    UsageError
        There is no such status, or no likely such year: an empty list would read as if there were no permit.
    RegisterError
        The database refuses.
    """
    conditions = ["SELECT id FROM permits WHERE 1 = 1"]
    values: dict[str, object] = {}
    require_status(status)
    if year is not None:
        _likely(year)
        values |= {"first": date(year, 1, 1), "last": date(year, 12, 31)}
        conditions.append("((starts <= :last AND coalesce(ends, starts) >= :first) OR issued BETWEEN :first AND :last)")
    if parcel is not None:
        values["key"] = land_key(parcel)
        conditions.append("id IN (SELECT permit_id FROM permit_parcels WHERE key = :key)")
    if status is not None:
        values["status"] = status
        conditions.append("status = :status")
    if kind is not None:
        values["kind"] = kind
        conditions.append("kind = :kind")
    if numbers is not None:
        values["numbers"] = list(numbers)
        conditions.append("number IN :numbers")
    asked = " AND ".join(conditions)
    with register.reading() as connection:
        found = load(connection, [row.id for row in fetch(connection, asked, PERMITS, **values)])
    return tuple(sorted(found, key=lambda permit: (permit.starts or date.max, permit.number)))


def require_status(status: str | None) -> None:
    """Refuse a word that is no status: an empty list would read as if there were no permit.

    Raises
    ------
    UsageError
        It is none.
    """
    if status is not None and status not in get_args(PermitStatus):
        raise UsageError(
            Fault(what=f"{status!r} is no status of a permit", remedy=f"give one of: {', '.join(get_args(PermitStatus))}")
        )


def chosen(
    listed: Sequence[Permit],
    *,
    kind: str | None = None,
    first: date | None = None,
    last: date | None = None,
    applicant: str | None = None,
    district: str | None = None,
) -> tuple[Permit, ...]:
    """Return the permits of a list that are of a kind, have an event in a period, an applicant with a text in the name, land in a zoning district.

    A permit without a day is in no period. The district is that of the day on which the permit was issued.

    Raises
    ------
    UsageError
        The period ends before it begins: an empty list would read as if there were no permit.
    """
    if first is not None and last is not None and last < first:
        what = f"the period ends on {last.isoformat()}, before it begins on {first.isoformat()}"
        raise UsageError(Fault(what=what, remedy="correct one of the two days"))

    def fits(permit: Permit) -> bool:
        held_last = permit.ends or permit.starts
        return (
            (kind is None or permit.kind == kind)
            and (first is None or (held_last is not None and held_last >= first))
            and (last is None or (permit.starts is not None and permit.starts <= last))
            and (applicant is None or applicant.strip().casefold() in permit.applicant.casefold())
            and (district is None or district.strip().casefold() in _districts(permit))
        )

    return tuple(permit for permit in listed if fits(permit))


def _districts(permit: Permit) -> set[str]:
    return {part.code.casefold() for land in permit.land for part in land.districts}


def unmatched(listed: Sequence[Permit], *, kind: str | None = None, district: str | None = None) -> tuple[ResultWarning, ...]:
    """Return the warnings that no permit of a list is of a kind, or has land in a district, with those that there are.

    A kind may be a town's own word, so that none can be refused; one that is written wrong must not read as if there were no permit.
    """
    if not listed:
        return ()  # something else left nothing, and says so itself
    kinds = {permit.kind for permit in listed}
    codes = {part.code for permit in listed for land in permit.land for part in land.districts}
    found = []
    if kind is not None and kind not in kinds:
        found.append(none_of(f"none of the {len(listed):,} permits looked through is of the kind {kind!r}", kinds))
    if district is not None and district.strip().casefold() not in {code.casefold() for code in codes}:
        found.append(
            none_of(f"none of the {len(listed):,} permits looked through has land in the district {district.strip()!r}", codes)
        )
    return tuple(found)


def none_of(what: str, there: Collection[str]) -> ResultWarning:
    """Return the warning that a list was narrowed by a word that nothing in it has, with the words that it has."""
    return ResultWarning("nothing_of_that_name", f"{what}; there are: {', '.join(sorted(there)) or 'none'}")


def _likely(year: int) -> None:
    first, last = LIKELY_DAYS[0].year, LIKELY_DAYS[1].year
    if not first <= year <= last:
        raise UsageError(Fault(what=f"{year} is no likely year", remedy=f"give one from {first} to {last}"))


def log_entries(register: "Register", *, permit: str | None = None) -> tuple[Entry, ...]:
    """Return the log, all of it or that of one permit.

    Raises
    ------
    UsageError
        The log has no such permit.
    RegisterError
        The database refuses.
    """
    wanted = None if permit is None else permit.strip()
    with register.reading() as connection:
        found = tuple(entries(connection, wanted))
    if wanted is not None and not found:
        raise _unknown(wanted)
    return found
