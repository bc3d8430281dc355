"""What the register takes an application for: its texts as they are kept, and what cannot be meant refused."""

from dataclasses import replace

from geonotice.errors import Fault, UsageError
from geonotice.register.cells import clean, parts, read_kind
from geonotice.register.rows import land_key
from geonotice.register.values import MOST_CHARACTERS, MOST_EVENTS, MOST_PERSONS, TEXTS, Application

__all__ = ["as_kept"]


def as_kept(application: Application) -> Application:
    """Return an application as the register keeps it, so that a permit is the same whether it was issued or imported.

    Raises
    ------
    UsageError
        It cannot be meant as it is: no parcel, or one twice; an end before the start; a count below nothing; a text beyond any cell.
    """
    kept = replace(
        application,
        kind=read_kind(application.kind),
        streets=tuple(part for street in application.streets for part in parts(clean(street))),
        title=clean(application.title),
        applicant=clean(application.applicant),
        conditions=clean(application.conditions),
    )
    _refuse_nonsense(kept)
    return kept


def _refuse_nonsense(application: Application) -> None:
    """Refuse an application that cannot be meant as it is, with all its faults at once.

    Raises
    ------
    UsageError
        No parcel, or one twice; an end before the start; a count below nothing.
    """
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
        what = f"the event ends on {application.ends}, before it starts on {application.starts}"
        faults.append(Fault(what=what, remedy="correct the dates"))
    if not 1 <= application.distinct_events <= MOST_EVENTS:
        faults.append(Fault(what=f"{application.distinct_events} distinct events", remedy=f"give 1 to {MOST_EVENTS:,}"))
    for name, number in (("persons", application.persons), ("maximum attendance", application.maximum_attendance)):
        if number is not None and not 0 <= number <= MOST_PERSONS:
            faults.append(Fault(what=f"{name}: {number}", remedy=f"give 0 to {MOST_PERSONS:,}"))
    for name in TEXTS:
        if len(getattr(application, name)) > MOST_CHARACTERS:
            what = f"{name} has {len(getattr(application, name)):,} characters"
            faults.append(Fault(what=what, why="no cell of a workbook holds them", remedy=f"give {MOST_CHARACTERS:,} at most"))
    if faults:
        raise UsageError(faults)
