"""The permit register of a town: its parcels as the register takes them, and the use cases of ``permit``."""

import dataclasses
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geonotice.decide.cap_checks import permit_rules
from geonotice.decide.headline import Against, land_against
from geonotice.decide.source_dates import standing_warnings
from geonotice.decide.yard_sales_parades_nearby_events import Nearness
from geonotice.errors import Fault, PermitRefused, PermitUndecided, RegisterError, UsageError
from geonotice.facts.drawings import digest_of_drawing
from geonotice.facts.history import beside_of, history_within, slivers_of
from geonotice.io.gpkg import srs_of
from geonotice.model import ResultWarning
from geonotice.opened_town import open_store
from geonotice.register.cells import read_kind
from geonotice.register.conflicts import DEFAULT_NEARNESS, conflict_warnings, own_permits
from geonotice.register.permit_check import check
from geonotice.register.permit_numbers import number_doubt
from geonotice.register.permits import issue, list_permits
from geonotice.register.rows import shape_of
from geonotice.register.session import Register, open_register_of, read_town_register
from geonotice.register.values import Application, Issued, Land, PermitCheck
from geonotice.workflow.check_event import judge_event
from geonotice.workflow.outputs import check_not_of_town
from geonotice.workflow.permit_request import Issuing, PermitRequest, StatedPermit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from geonotice.config.town import Town
    from geonotice.decide.check import CheckResult
    from geonotice.opened_town import Opened
    from geonotice.register.database import AnyConnection
    from geonotice.register.export_permits import Exported
    from geonotice.register.parcel_changes import ChangedParcel
    from geonotice.register.session import Writing
    from geonotice.register.values import Permit
    from geonotice.register.year import EventYear
    from geonotice.store import ParcelBlock

__all__ = [
    "backup_register",
    "changed_under_permits",
    "changes_under_permits",
    "check_permit",
    "checking",
    "export_permits",
    "issue_permit",
    "require_readable_register",
    "with_event_warnings",
    "year_of_permits",
]


def checking(
    opened: "Opened", stated: StatedPermit | None, land: tuple[Land, ...], *, on: date, recorded: bool = True, without: str = ""
) -> "Callable[[AnyConnection], CheckResult] | None":
    """Return what checks an event against the register as a connection shows it; None without an event.

    ``without`` is the number of a permit that is about to change: what it was does not count beside what it becomes.
    """
    if stated is None:
        return None
    event, gathered = stated.event, stated.gathered

    def checked(connection: "AnyConnection") -> "CheckResult":
        properties, parades, said = history_within(
            opened, connection, land, owned_by=event.premises.owned_entirely_by, recorded=recorded, without=without
        )
        return judge_event(opened, event, gathered, on=on, properties=properties, parades=parades, said=said)

    return checked


def check_permit(
    opened: "Opened",
    register: Register,
    asked: PermitRequest,
    *,
    on: date,
    nearness: Nearness = DEFAULT_NEARNESS,
    own: tuple[str, ...] = (),
    also: "tuple[Against, ...]" = (),
) -> PermitCheck:
    """Check an application: the caps and what else the law asks of the register, and which events it would be in the way of.

    What was noticed of its land goes with the result. Where its event file is known, the whole ordinance is applied. ``own`` are the permits that its
    application has already, ``also`` what else stands against it.

    Raises
    ------
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses.
    """
    application, said = asked.application, asked.said
    conflicts = conflict_warnings(register, application, nearness=nearness, own=own)
    # A parade is not near in time to itself, and none is counted; any other event's own permit is counted as what it is.
    parade = read_kind(application.kind) == "parade"
    without = next(iter((*own, *own_permits(register, application))), "") if parade else ""
    found = check(register, application, on=on, rules=permit_rules(opened.profile), slivers=slivers_of(opened), without=without)
    checked = checking(opened, asked.stated, application.land, on=on, recorded=register.there, without=without)
    if checked is not None:
        with register.reading() as connection:
            found = replace(found, event=checked(connection))
    beside = beside_of(opened, register, application, on=on)
    apart = _apart_warnings(opened, application)
    with register.reading() as connection:
        doubt = number_doubt(connection, on.year, stated=_number_form(opened))
    warnings = (*standing_warnings(opened.profile), *said, *found.warnings, *doubt, *apart, *beside, *conflicts)
    return replace(found, land=_land_against(application, said), also=also, warnings=with_event_warnings(warnings, found))


def _number_form(opened: "Opened") -> str:
    """Return how the town file states that permits are numbered; empty where it does not."""
    return opened.town.register.number if opened.town.register else ""


def _land_against(application: Application, said: "Iterable[ResultWarning]") -> "tuple[Against, ...]":
    """Return what stands against the land: in another town, in a village, on a road or a railroad."""
    return land_against(said, parade=read_kind(application.kind) == "parade")


def with_event_warnings(warnings: tuple[ResultWarning, ...], found: PermitCheck) -> tuple[ResultWarning, ...]:
    """Add what the check of the event is to be read with, each thing once; the readings of the law stand in ``check``, not on every permit."""
    more = found.event.warnings if found.event else ()
    known = {(item.code, item.text) for item in warnings}
    return (
        *warnings,
        *(item for item in more if item.code not in ("reading", "text_gap") and (item.code, item.text) not in known),
    )


def _apart(opened: "Opened") -> str:
    """Return where the law says that distinct events may not share a permit; empty where it does not."""
    return next((rule.citation.place for rule in opened.profile.rules if rule.check == "distinct_events"), "")


def _apart_warnings(opened: "Opened", application: Application) -> tuple[ResultWarning, ...]:
    """State that several distinct events are so many permits, where the law does not let them share one."""
    where, count = _apart(opened), application.distinct_events
    if not where or count == 1:
        return ()
    text = f"{count} distinct events may not operate under the same permit ({where}): file one application for each. They are counted as {count} permits, and issued as {count}."
    return (ResultWarning("distinct_events", text),)


def issue_permit(
    opened: "Opened",
    register: Register,
    asked: PermitRequest,
    issuing: Issuing,
    *,
    also: "Callable[[AnyConnection], tuple[Against, ...]] | None" = None,
    after: "Callable[[Writing, tuple[Permit, ...]], None] | None" = None,
) -> Issued:
    """Issue a permit, if the register and the check of its event allow it at the moment of writing.

    What was noticed of its land goes with the result. Without an event file only the caps and the land are checked. ``also`` and ``after`` as for
    :func:`geonotice.register.permits.issue`.

    Raises
    ------
    PermitRefused
        It would be past the cap or against another rule, and no reason is given for passing over it.
    PermitUndecided
        The answer turns on what is not known, an official must decide, or no permit is needed.
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    day, said = issuing.issued or issuing.now.date(), asked.said
    application, more = _with_maximum(opened, asked.application)
    checked = checking(opened, asked.stated, application.land, on=day)
    # Before the permit is written: what cannot be read ends the command while nothing stands yet.
    beside = beside_of(opened, register, application, on=day)
    apart = _apart_warnings(opened, application)

    def with_warnings(found: PermitCheck, *last: ResultWarning) -> PermitCheck:
        return replace(
            found, warnings=with_event_warnings((*standing_warnings(opened.profile), *said, *found.warnings, *last), found)
        )

    try:
        made = issue(
            register,
            application,
            now=issuing.now,
            by=issuing.by,
            rules=permit_rules(opened.profile),
            slivers=slivers_of(opened),
            override=issuing.override,
            why=issuing.why,
            issued=issuing.issued,
            apart=bool(_apart(opened)),
            number_form=_number_form(opened),
            drawing=digest_of_drawing(asked.stated.gathered.layout) if asked.stated and asked.stated.gathered.layout else "",
            land=_land_against(application, said),
            checked=checked,
            also=also,
            after=after,
        )
    except (PermitRefused, PermitUndecided) as error:
        if isinstance(error.check, PermitCheck):
            error.check = with_warnings(error.check)
        raise
    return replace(made, check=with_warnings(made.check, *apart, *beside, *more))


def _with_maximum(opened: "Opened", application: Application) -> tuple[Application, tuple[ResultWarning, ...]]:
    """Put the most persons into an application, from those expected where it is not set; and say so, or ask for it where neither is known.

    LAW: Southampton 283-4: "the permit shall state the maximum number of persons", which the Chief Fire Marshal sets.
    """
    if not any(rule.check == "capacity" for rule in opened.profile.rules):
        return application, ()
    most, expected = application.maximum_attendance, application.persons
    if most is None and expected is None:
        text = (
            "The permit does not state the most persons it allows, which the ordinance asks every permit to state: "
            "set the number."
        )
        return application, (ResultWarning("no_maximum_attendance", text),)
    if most is None:
        text = f"The most persons that the permit allows are taken from the application: {expected:,}. The official may set another number."
        return replace(application, maximum_attendance=expected), (ResultWarning("maximum_from_application", text),)
    if expected is not None and most > expected:
        text = f"The permit allows {most:,} persons, and the application states {expected:,}: what the ordinance asks was checked for {expected:,}."
        return application, (ResultWarning("maximum_beyond_application", text),)
    return application, ()


def export_permits(opened: "Opened", register: Register, path: Path, *, listed: "Sequence[Permit] | None" = None) -> "Exported":
    """Hand the permits over as CSV, XLSX or GeoPackage.

    Raises
    ------
    UsageError
        The file's ending is none of these.
    OutputError
        The file is one that the town is read from, or cannot be written.
    RegisterError
        The database refuses.
    """
    from geonotice.register.export_permits import export

    check_not_of_town(path, opened.town)
    return export(register, path, listed=listed, srs=srs_of(opened.crs, opened.store.path, table="parcels"))


def backup_register(town: "Town", *, check: Path | None = None) -> bytes:
    """Return a copy of a town's register as one file, as it stands at this moment, while others go on writing.

    Parameters
    ----------
    town
        The town.
    check
        The file that the copy is to be written to; refused where the town is read from it.

    Raises
    ------
    UsageError
        The register is on a server, whose administrator makes the backups.
    RegisterError
        There is none, or it cannot be read.
    OutputError
        The town is read from that file.
    """
    from geonotice.register.database import copy_bytes
    from geonotice.register.session import town_register_url

    if check is not None:
        check_not_of_town(check, town)
    content = copy_bytes(town_register_url(town))
    if content is None:
        remedy = "its administrator makes the backups, with pg_dump"
        raise UsageError(Fault(what="the register is on a server, and is no file", remedy=remedy))
    return content


def changes_under_permits(opened: "Opened") -> "tuple[ChangedParcel, ...]":
    """List the parcels with permits whose number or shape changed; none where the town has no register yet. ``import`` prints them.

    Raises
    ------
    RegisterError
        The register cannot be opened.
    """
    from geonotice.register.parcel_changes import changed_parcels

    with read_town_register(opened.town) as register:
        return changed_parcels(register, opened.store, slivers=slivers_of(opened))


def require_readable_register(place: Path) -> None:
    """Refuse a town whose register cannot be read, before its store is written.

    Raises
    ------
    RegisterError
        It cannot be opened, or a permit in it cannot be read. Nothing was written.
    """
    try:
        with open_register_of(place) as register:
            for permit in list_permits(register):
                for item in permit.land:
                    if item.geometry is not None:
                        shape_of(item.geometry, item.parcel)
    except RegisterError as error:
        why = "import lists the parcels with permits that have changed; nothing was written"
        raise RegisterError(
            [dataclasses.replace(fault, why=f"{fault.why}; {why}" if fault.why else why) for fault in error.faults]
        ) from error


def changed_under_permits(place: Path) -> "tuple[ChangedParcel, ...]":
    """Do what :func:`changes_under_permits` does, for a town by its file or folder."""
    with open_store(place) as opened:
        return changes_under_permits(opened)


def year_of_permits(
    opened: "Opened", register: Register, *, year: int, on: date, nearness: Nearness = DEFAULT_NEARNESS
) -> "EventYear":
    """Put a year of permits together, for the event map and its lists.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    import shapely

    from geonotice.facts.every_lot import zones_of
    from geonotice.register.year import event_year

    by_town: dict[str, ResultWarning] = {}

    def lands_of(block: "ParcelBlock") -> list[tuple[Land, tuple[str, ...]]]:
        made = []
        for parcel, shape, known in zip(block.parcels, block.geometries, zones_of(opened, block), strict=True):
            by_town.update({warning.text: warning for warning in known.by_town})
            land = Land(parcel=parcel.id, swis=parcel.swis, zone=known.zone, geometry=shapely.to_wkb(shape), crs=opened.crs)
            made.append((land, known.codes))
        return made

    found = event_year(
        register,
        opened.store,
        year=year,
        on=on,
        rules=permit_rules(opened.profile),
        lands_of=lands_of,
        slivers=slivers_of(opened),
        nearness=nearness,
    )
    return replace(found, warnings=(*standing_warnings(opened.profile), *by_town.values(), *found.warnings))
