"""The permit register of a town: its parcels as the register takes them, and the use cases of ``permit``."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.config.town import find_town_file
from geonotice.decide.cap_checks import permit_rules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, PastPermit, PropertyHistory
from geonotice.decide.caps import exempt_owner
from geonotice.decide.exemptions import sale_days
from geonotice.decide.headline import Against, land_against
from geonotice.decide.season import Nearness
from geonotice.decide.source_dates import standing_warnings
from geonotice.errors import Fault, PermitRefused, PermitUndecided, RegisterError, TownFileError
from geonotice.io.gpkg import srs_of
from geonotice.io.toml import NotToml, read_toml
from geonotice.model import ResultWarning
from geonotice.register.cells import read_kind
from geonotice.register.conflicts import DEFAULT_NEARNESS, conflicts_with
from geonotice.register.counting import check, parades_in_town
from geonotice.register.database import resolve
from geonotice.register.export_permits import Exported, export
from geonotice.register.import_permits import ImportReport, import_
from geonotice.register.land_history import history_of
from geonotice.register.parcel_changes import ChangedParcel, changed_parcels
from geonotice.register.permits import issue, list_permits
from geonotice.register.rows import shape_of
from geonotice.register.session import Register, open_for_reading, open_register
from geonotice.register.values import Application, Issued, Land, PermitCheck
from geonotice.register.year import EventYear, event_year
from geonotice.workflow.open_town import open_store
from geonotice.workflow.outputs import DEFAULT_URL, check_not_of_town
from geonotice.workflow.permit_land import describe_land, side_by_side, slivers_of, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection

    from geonotice.config.application import Event
    from geonotice.config.town import Town
    from geonotice.decide.check import CheckResult
    from geonotice.model import Parcel
    from geonotice.workflow.open_town import Opened

__all__ = [
    "StatedPermit",
    "application_of",
    "beside_of",
    "changed_under_permits",
    "changes_under_permits",
    "check_permit",
    "describe_land",
    "export_permits",
    "history_for_check",
    "history_within",
    "import_permits",
    "issue_permit",
    "open_register_of",
    "open_town_register",
    "read_town_register",
    "require_readable_register",
    "slivers_of",
    "year_of_permits",
]


def open_town_register(town: "Town") -> Register:
    """Open a town's register, as its town file names it, or ``permits.sqlite`` beside that.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_register(resolve(town.register_url or DEFAULT_URL, town.folder))


def read_town_register(town: "Town") -> Register:
    """Open a town's register for reading: where there is none, an empty one that is on no disk and says so in its ``warnings``.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_for_reading(resolve(town.register_url or DEFAULT_URL, town.folder))


def open_register_of(place: Path, *, examined: bool = True) -> Register:
    """Open the register of a town file or its folder, without the store: what was issued can be read whatever became of the layers.

    Where there is none, none is made, as with :func:`read_town_register`; ``examined`` as for :func:`geonotice.register.session.open_register`.

    Raises
    ------
    TownFileError
        There is no town file, or it is not TOML.
    RegisterError
        The register cannot be opened.
    """
    file = find_town_file(place).resolve()
    try:
        url = read_toml(file.read_bytes()).get("register", {}).get("url", DEFAULT_URL)
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    return open_for_reading(resolve(str(url), file.parent), examined=examined)


def application_of(event: "Event", land: tuple[Land, ...]) -> Application:
    """Take from an event file what the register asks; what the file does not answer stays unknown.

    A parade's route is not read here, for it is a file beside the event's: :func:`geonotice.workflow.drawings.route_of` reads it.
    """
    about, applicant = event.event, event.applicant
    days = sale_days(event)
    return Application(
        kind=about.kind or "other",
        title=about.title or "",
        applicant=applicant.name or "",
        charitable=applicant.charitable,
        primarily_benefits_applicant=event.benefit.primarily_benefits_applicant,
        owned_by=event.premises.owned_entirely_by,
        distinct_events=about.distinct_events or 1,
        starts=about.first_day or min(days, default=None),
        ends=about.last_day or (max(days, default=None) if about.first_day is None else None),
        night=about.night,
        persons=about.persons_at_once if about.persons_at_once is not None else about.persons_total,
        land=land,
        yard_sale_days=days,
    )


def history_for_check(
    opened: "Opened", register: Register, land: tuple[Land, ...], *, owned_by: str | None
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Return the register's history as an event's check takes it.

    Returns
    -------
    tuple
        A history for each parcel; the parades of the whole town, for the days between parades; what was noticed.
    """
    with register.reading() as connection:
        properties, past, said = history_within(opened, connection, land, owned_by=owned_by, recorded=register.there)
    return properties, past, (*register.warnings, *said)


def history_within(
    opened: "Opened", connection: "Connection", land: tuple[Land, ...], *, owned_by: str | None, recorded: bool = True
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Do what :func:`history_for_check` does, within a transaction; ``recorded`` says whether there is a register at all."""
    exempt = exempt_owner(owned_by, rules=permit_rules(opened.profile).caps)
    found = [history_of(connection, item, slivers_of(opened)) for item in land]
    properties = tuple(
        PropertyHistory(parcel=item.parcel, zone=item.zone, permits=history.permits, exempt_owner=exempt, recorded=recorded)
        for item, history in zip(land, found, strict=True)
    )
    past = tuple(
        PastPermit(issued=None, starts=one.span[0], ends=one.span[1], kind="parade", number=one.number, streets=one.streets)
        for one in parades_in_town(connection)
    )
    return properties, past, tuple(warning for history in found for warning in history.warnings)


@dataclass(frozen=True, slots=True)
class StatedPermit:
    """The event that a permit is asked for, as its file states it; ``file`` is what faults call it, ``folder`` where its drawing's path starts."""

    event: "Event"
    file: str
    folder: Path


def _checking(
    opened: "Opened", stated: StatedPermit | None, land: tuple[Land, ...], *, on: date, recorded: bool = True
) -> "Callable[[Connection], CheckResult] | None":
    """Gather what is known of an event, and return what checks it against the register as a connection shows it; None without an event."""
    if stated is None:
        return None
    from geonotice.workflow.premises import gather_event, judge_event

    event = stated.event
    # When the sun sets is only a suggestion for a night that is not answered.
    gathered = gather_event(opened, event, file=stated.file, folder=stated.folder, sunset_too=event.event.night is None)

    def checked(connection: "Connection") -> "CheckResult":
        properties, parades, said = history_within(
            opened, connection, land, owned_by=event.premises.owned_entirely_by, recorded=recorded
        )
        return judge_event(opened, event, gathered, on=on, properties=properties, parades=parades, said=said)

    return checked


def check_permit(
    opened: "Opened",
    register: Register,
    application: Application,
    *,
    on: date,
    nearness: Nearness = DEFAULT_NEARNESS,
    said: tuple[ResultWarning, ...] = (),
    stated: StatedPermit | None = None,
) -> PermitCheck:
    """Check an application: the caps and what else the law asks of the register, and which events it would be in the way of.

    ``said`` is what was noticed of its land (:func:`describe_land`): it goes with the result. ``stated`` is its event file: the whole
    ordinance is applied then.

    Raises
    ------
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses.
    """
    found = check(register, application, on=on, rules=permit_rules(opened.profile), slivers=slivers_of(opened))
    checked = _checking(opened, stated, application.land, on=on, recorded=register.there)
    if checked is not None:
        with register.reading() as connection:
            found = replace(found, event=checked(connection))
    near = conflicts_with(register, application, nearness=nearness)
    conflicts = (ResultWarning("conflict", conflict.text) for conflict in near)
    beside = beside_of(opened, register, application, on=on)
    apart = _apart_warnings(opened, application)
    warnings = (*standing_warnings(opened.profile), *said, *found.warnings, *apart, *beside, *conflicts)
    return replace(found, land=_land_against(application, said), warnings=_with_event(warnings, found))


def _land_against(application: Application, said: "Iterable[ResultWarning]") -> "tuple[Against, ...]":
    """Return what stands against the land: in another town, in a village, on a road or a railroad."""
    return land_against(said, parade=read_kind(application.kind) == "parade")


def _with_event(warnings: tuple[ResultWarning, ...], found: PermitCheck) -> tuple[ResultWarning, ...]:
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


def beside_of(opened: "Opened", register: Register, application: Application, *, on: date) -> tuple[ResultWarning, ...]:
    """Point out permits on the owner's land next door, where a cap for each property applies."""
    caps = permit_rules(opened.profile).caps
    if caps is None or application.kind in UNCOUNTED_KINDS or exempt_owner(application.owned_by, rules=caps):
        return ()
    return side_by_side(opened, register, [item.parcel for item in application.land], on=on, starts=application.starts)


def issue_permit(
    opened: "Opened",
    register: Register,
    application: Application,
    *,
    now: datetime,
    by: str,
    issued: date | None = None,
    override: str = "",
    why: str = "",
    said: tuple[ResultWarning, ...] = (),
    stated: StatedPermit | None = None,
) -> Issued:
    """Issue a permit, if the register and the check of its event allow it at the moment of writing; ``issued`` is its date, that of ``now`` by itself.

    ``said`` is what was noticed of its land (:func:`describe_land`): it goes with the result. ``stated`` is its event file; without one only
    the caps and the land are checked.

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
    day = issued or now.date()
    application, more = _with_maximum(opened, application)
    checked = _checking(opened, stated, application.land, on=day)
    # Before the permit is written: what cannot be read ends the command while nothing stands yet.
    beside = beside_of(opened, register, application, on=day)
    apart = _apart_warnings(opened, application)

    def with_warnings(found: PermitCheck, *last: ResultWarning) -> PermitCheck:
        return replace(found, warnings=_with_event((*standing_warnings(opened.profile), *said, *found.warnings, *last), found))

    try:
        made = issue(
            register,
            application,
            now=now,
            by=by,
            rules=permit_rules(opened.profile),
            slivers=slivers_of(opened),
            override=override,
            why=why,
            issued=issued,
            apart=bool(_apart(opened)),
            land=_land_against(application, said),
            checked=checked,
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
            "use --maximum-attendance N."
        )
        return application, (ResultWarning("no_maximum_attendance", text),)
    if most is None:
        text = f"The most persons that the permit allows are taken from the application: {expected:,}. Use --maximum-attendance N where the official sets another number."
        return replace(application, maximum_attendance=expected), (ResultWarning("maximum_from_application", text),)
    if expected is not None and most > expected:
        text = f"The permit allows {most:,} persons, and the application states {expected:,}: what the ordinance asks was checked for {expected:,}."
        return application, (ResultWarning("maximum_beyond_application", text),)
    return application, ()


def import_permits(
    opened: "Opened",
    register: Register,
    path: Path,
    *,
    now: datetime,
    by: str,
    why: str = "",
    sheet: str | None = None,
    dry_run: bool = False,
) -> ImportReport:
    """Take a town's spreadsheet of past permits in; each parcel is looked up in the store.

    Raises
    ------
    InputError
        The file cannot be read.
    RegisterError
        The database refuses; nothing was written.
    """

    def locate(number: str) -> Land:
        land, _ = describe_land(opened, [opened.store.find(number)])
        return land[0]

    def move(shape: bytes, crs: str) -> bytes:
        import numpy as np
        import shapely

        from geonotice.units import resolve_crs, to_measure

        geometry = shapely.from_wkb(shape)
        source = resolve_crs(crs, file=str(path), bounds=geometry.bounds)
        moved: bytes = shapely.to_wkb(to_measure(np.array([geometry], dtype=object), source.crs, opened.crs)[0])
        return moved

    return import_(
        register, path, locate=locate, crs=opened.crs, move=move, now=now, by=by, why=why, sheet=sheet, dry_run=dry_run
    )


def export_permits(opened: "Opened", register: Register, path: Path, *, year: int | None = None) -> Exported:
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
    check_not_of_town(path, opened.town)
    return export(register, path, year=year, srs=srs_of(opened.crs, opened.store.path, table="parcels"))


def changes_under_permits(opened: "Opened") -> tuple[ChangedParcel, ...]:
    """List the parcels with permits whose number or shape changed; none where the town has no register yet. ``import`` prints them.

    Raises
    ------
    RegisterError
        The register cannot be opened.
    """
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
            [replace(fault, why=f"{fault.why}; {why}" if fault.why else why) for fault in error.faults]
        ) from error


def changed_under_permits(place: Path) -> tuple[ChangedParcel, ...]:
    """Do what :func:`changes_under_permits` does, for a town by its file or folder."""
    with open_store(place) as opened:
        return changes_under_permits(opened)


def year_of_permits(
    opened: "Opened", register: Register, *, year: int, on: date, nearness: Nearness = DEFAULT_NEARNESS
) -> EventYear:
    """Put a year of permits together, for the event map and its lists.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    by_town: dict[str, ResultWarning] = {}

    def land_of(parcel: "Parcel", shape: Any) -> Land:  # noqa: ANN401  # a polygon
        land, said = snapshot(opened, parcel, shape)
        by_town.update({warning.text: warning for warning in said if warning.code == "district_by_town"})
        return land

    found = event_year(
        register,
        opened.store,
        year=year,
        on=on,
        rules=permit_rules(opened.profile),
        land_of=land_of,
        slivers=slivers_of(opened),
        nearness=nearness,
    )
    return replace(found, warnings=(*standing_warnings(opened.profile), *by_town.values(), *found.warnings))
