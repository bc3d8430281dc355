"""The permit register of a town: its parcels as the register takes them, and the use cases of ``permit``."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.decide.cap_values import UNCOUNTED_KINDS, PastPermit, PropertyHistory
from geonotice.decide.caps import exempt_owner
from geonotice.decide.conflicts import Nearness
from geonotice.decide.permit_rules import permit_rules
from geonotice.decide.standing import standing_cautions
from geonotice.errors import Fault, RegisterError, TownFileError
from geonotice.model import Caution
from geonotice.register.changes import ChangedParcel, changed_parcels
from geonotice.register.checking import check, parades_in_town
from geonotice.register.conflicts import DEFAULT_NEARNESS, conflicts_with
from geonotice.register.database import resolve
from geonotice.register.exporting import Exported, export
from geonotice.register.gpkg import srs_of
from geonotice.register.importing import ImportReport, import_
from geonotice.register.land import history_of
from geonotice.register.permits import issue, list_permits
from geonotice.register.session import Register, open_for_reading, open_register
from geonotice.register.stored import shape_of
from geonotice.register.values import Application, Issued, Land, PermitCheck
from geonotice.register.year import EventYear, event_year
from geonotice.toml_text import NotToml, read_toml
from geonotice.town import find_town_file
from geonotice.workflow.land import describe_land, slivers_of, snapshot
from geonotice.workflow.opening import open_store
from geonotice.workflow.outputs import DEFAULT_URL, check_not_of_town
from geonotice.workflow.side_by_side import side_by_side

if TYPE_CHECKING:
    from geonotice.event import Event
    from geonotice.model import Parcel
    from geonotice.town import Town
    from geonotice.workflow.opening import Opened

__all__ = [
    "application_of",
    "beside_of",
    "changed_under_permits",
    "changes_under_permits",
    "check_permit",
    "describe_land",
    "export_permits",
    "history_for_check",
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
    """Open a town's register for reading: where there is none, an empty one that is on no disk and says so in its ``cautions``.

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

    A parade's route is not read here, for it is a file beside the event's: :func:`geonotice.workflow.route.route_of` reads it.
    """
    about, applicant = event.event, event.applicant
    return Application(
        kind=about.kind or "other",
        title=about.title or "",
        applicant=applicant.name or "",
        charitable=applicant.charitable,
        primarily_benefits_applicant=event.benefit.primarily_benefits_applicant,
        owned_by=event.premises.owned_entirely_by,
        distinct_events=about.distinct_events or 1,
        starts=about.first_day,
        ends=about.last_day,
        night=about.night,
        persons=about.persons_at_once if about.persons_at_once is not None else about.persons_total,
        land=land,
        yard_sale_days=event.yard_sale.days or (),
    )


def history_for_check(
    opened: "Opened", register: Register, land: tuple[Land, ...], *, owned_by: str | None
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[Caution, ...]]:
    """Give the register's history as an event's check takes it.

    Returns
    -------
    tuple
        A history for each parcel; the parades of the whole town, for the days between parades; what was noticed.
    """
    rules = permit_rules(opened.profile)
    exempt = exempt_owner(owned_by, rules=rules.caps)
    with register.reading() as connection:
        found = [history_of(connection, item, slivers_of(opened)) for item in land]
        parades = parades_in_town(connection)
    properties = tuple(
        PropertyHistory(parcel=item.parcel, zone=item.zone, permits=history.permits, exempt_owner=exempt, recorded=register.there)
        for item, history in zip(land, found, strict=True)
    )
    past = tuple(
        PastPermit(issued=None, starts=one.span[0], ends=one.span[1], kind="parade", number=one.number, streets=one.streets)
        for one in parades
    )
    return properties, past, (*register.cautions, *(caution for history in found for caution in history.cautions))


def check_permit(
    opened: "Opened",
    register: Register,
    application: Application,
    *,
    on: date,
    nearness: Nearness = DEFAULT_NEARNESS,
    said: tuple[Caution, ...] = (),
) -> PermitCheck:
    """Check an application: the caps and what else the law asks of the register, and which events it would be in the way of.

    ``said`` is what was noticed of its land (:func:`describe_land`): it goes with the result.

    Raises
    ------
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses.
    """
    found = check(register, application, on=on, rules=permit_rules(opened.profile), slivers=slivers_of(opened))
    near = conflicts_with(register, application, nearness=nearness)
    conflicts = (Caution("conflict", conflict.text) for conflict in near)
    beside = beside_of(opened, register, application, on=on)
    return replace(found, cautions=(*standing_cautions(opened.profile), *said, *found.cautions, *beside, *conflicts))


def beside_of(opened: "Opened", register: Register, application: Application, *, on: date) -> tuple[Caution, ...]:
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
    said: tuple[Caution, ...] = (),
) -> Issued:
    """Issue a permit, if the register allows it at the moment of writing; ``issued`` is its date, that of ``now`` by itself.

    ``said`` is what was noticed of its land (:func:`describe_land`): it goes with the result.

    Raises
    ------
    PermitRefused
        It would be past the cap, and no reason is given for passing over it.
    PermitUndecided
        The answer turns on what is not known.
    UsageError
        The application cannot be meant as it is.
    RegisterError
        The database refuses; nothing was written.
    """
    # Before the permit is written: what cannot be read ends the command while nothing stands yet.
    beside = beside_of(opened, register, application, on=issued or now.date())
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
    )
    cautions = (*standing_cautions(opened.profile), *said, *made.check.cautions, *beside)
    return replace(made, check=replace(made.check, cautions=cautions))


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
    return export(register, path, year=year, srs=srs_of(opened.crs, opened.store.path))


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
    by_town: dict[str, Caution] = {}

    def land_of(parcel: "Parcel", shape: Any) -> Land:  # noqa: ANN401  # a polygon
        land, said = snapshot(opened, parcel, shape)
        by_town.update({caution.text: caution for caution in said if caution.code == "district_by_town"})
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
    return replace(found, cautions=(*standing_cautions(opened.profile), *by_town.values(), *found.cautions))
