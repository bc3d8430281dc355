"""A check with its papers: the staff report and the site map, from one measuring of the premises."""

from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.decide.deadlines import next_steps
from geonotice.decide.headline import headline, questions_beside
from geonotice.decide.proposal import proposal
from geonotice.facts.premises import clerk_ft
from geonotice.facts.surroundings import grown
from geonotice.io.output_files import write_file
from geonotice.opened_town import open_store
from geonotice.ordinance.profile import GROUPS
from geonotice.packet.printed_map import ReportMap, Shown
from geonotice.packet.sentences import roll_state, source_line
from geonotice.packet.staff_report import Neighbour, StaffReport, staff_report_pdf
from geonotice.workflow.check_event import check_measured
from geonotice.workflow.outputs import check_output
from geonotice.workflow.site_map import event_title, named_premises, site_plan

if TYPE_CHECKING:
    from datetime import date

    from geonotice.config.application import Event
    from geonotice.decide.check import CheckResult
    from geonotice.model import Owner
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import SignOff
    from geonotice.workflow.check_event import Checked


__all__ = [
    "check_with_papers",
    "report_page",
    "staff_report",
]


_AROUND_FT = 2000.0
"""How far round the premises the map's shapes are fetched."""


def staff_report(town: Path, event_file: Path, *, on: "date", buffer_ft: float | None = None) -> "tuple[CheckResult, bytes]":
    """Check an event and set its report; parameters and errors as :func:`geonotice.workflow.check_event.check_event`, and OutputError."""
    from geonotice.config.read_application import read_event_file

    event = read_event_file(event_file)
    with open_store(town) as opened:
        checked = check_measured(opened, event, on=on, buffer_ft=buffer_ft, file=str(event_file), folder=event_file.parent)
        return checked.result, report_page(opened, checked, event, on=on)


def report_page(opened: "Opened", checked: "Checked", event: "Event", *, on: "date") -> bytes:
    """Set the report of an event that has been checked.

    Raises
    ------
    OutputError
        A text has letters that the font cannot print.
    """
    result = checked.result
    profile = opened.profile
    unread = "" if profile.verified else "; NOT VERIFIED: nobody has checked it against the text of the law"
    schedule = next((rule.section for rule in profile.rules if rule.notice and rule.notice.schedule), "")
    report = StaffReport(
        town=opened.town.name,
        office=opened.town.clerk.line,
        chapter=profile.chapter,
        ordinance=f"{profile.chapter} (profile {profile.id}{unread})",
        roll=_roll(opened),
        proposed=_proposed(opened, checked, event),
        title=event_title(event),
        site_word="Premises" if checked.gathered.measured else "Route",
        premises=named_premises(checked),
        on=on,
        headline=headline(result).text,
        findings=result.findings,
        groups=GROUPS,
        standing={rule.id: rule.text for rule in profile.rules},
        not_applicable=result.not_applicable,
        questions=result.missing,
        open_questions=questions_beside(result),
        warnings=tuple(warning.text for warning in result.warnings),
        facts=_facts(opened, checked, clerk_ft(opened)),
        next_steps=next_steps(result),
        undated=result.undated,
        sign_offs=_sign_offs(opened, result),
        neighbours=_neighbours(opened, checked),
        schedule=schedule,
        deadlines=result.dates,
        sources=tuple(f"{one.layer}: {source_line(one)}" for one in opened.store.sources()),
        map=_map(opened, checked),
    )
    return staff_report_pdf(report)


def _proposed(opened: "Opened", checked: "Checked", event: "Event") -> tuple[tuple[str, str], ...]:
    """Return what is proposed, with the premises, their addresses and owners of record as the roll has them."""
    rows = list(proposal(event))
    parcels = checked.gathered.measured.premises if checked.gathered.measured else ()
    owners = opened.store.owners_of([parcel.fid for parcel in parcels])
    for parcel in parcels:
        place = f"{parcel.id}{f', {parcel.situs.text}' if parcel.situs.text else ''}, {parcel.area_sq_ft / 43_560:,.2f} acres"
        names = [f"{_names(owner)}, {_address(owner) or 'no address on the roll'}" for owner in owners.get(parcel.fid, ())]
        rows += [("Premises", place), ("Owner of record", "\n".join(names) or "not known: the roll names nobody")]
    return tuple(rows)


def _names(owner: "Owner") -> str:
    return "; ".join(owner.names) or "no name on the roll"


def _address(owner: "Owner") -> str:
    place = " ".join(part for part in (owner.city, owner.state, owner.zip) if part)
    return ", ".join(part for part in (*owner.address, place, owner.country) if part)


def _neighbours(opened: "Opened", checked: "Checked") -> tuple[Neighbour, ...]:
    """Return the owners of the lots that adjoin the premises, and of the units whose common land does."""
    measured = checked.gathered.measured
    if measured is None:
        return ()
    beside = [
        measured.around[one.index] for one in measured.near.neighbours if {one.relation, *one.also} & {"abutting", "corner"}
    ]
    units = (
        [one.unit_fid for one in opened.store.common_land_of(beside) if one.how != "question"]
        if opened.town.settings.common_land
        else []
    )
    own = {parcel.fid for parcel in measured.premises}
    fids = [fid for fid in dict.fromkeys((*beside, *units)) if fid not in own]
    owners = opened.store.owners_of(fids)
    found = []
    for parcel in opened.store.parcels(fids).parcels:
        known = owners.get(parcel.fid, ())
        if not known and parcel.role == "lot":
            found.append(Neighbour(parcel.id, parcel.situs.text, "owner not known", ""))
        found += [Neighbour(parcel.id, parcel.situs.text, _names(owner), _address(owner)) for owner in known]
    return tuple(found)


def _sign_offs(opened: "Opened", result: "CheckResult") -> "tuple[tuple[SignOff, str], ...]":
    """Return the lines to be signed under the rules that apply; none where no permit is required."""
    if result.permit_required is False:
        return ()
    kinds = ("any", "parade" if result.parade else "special_event")
    return tuple(
        (one, rule.section)
        for rule in opened.profile.rules
        if result.finding(rule.id) is not None
        for one in rule.sign_offs
        if one.events in kinds
    )


def _roll(opened: "Opened") -> str:
    """Return the assessment rolls that the owners come from."""
    known = {(one.roll_year, one.final) for one in opened.store.sources() if one.roll_year}
    return (
        "Assessment roll of " + ", ".join(f"{year} ({roll_state(final)})" for year, final in sorted(known, key=str))
        if known
        else ""
    )


def _facts(opened: "Opened", checked: "Checked", distance_ft: float) -> tuple[tuple[str, str], ...]:
    measured, facts = checked.gathered.measured, checked.gathered.facts
    route = (("Route", checked.gathered.route.in_words),) if checked.gathered.route else ()
    if measured is None:
        return route
    acres = measured.land.area / 43_560
    districts = ", ".join(f"{one.code} ({one.district_class}, {one.share:.0%})" for one in facts.districts)
    zoning = districts if len(facts.districts) == 1 else f"{districts}: {facts.zone}" if districts else "not known"
    near = facts.within_500_ft_of
    streets = facts.streets_abutted
    return (
        ("Area", f"{measured.land.area:,.0f} sq ft, {acres:,.2f} acres"),
        (
            "Frontage",
            "not measured: no street is found along it" if facts.frontage_ft is None else f"{facts.frontage_ft:,.0f} ft",
        ),
        ("Zoning", zoning if opened.store.has("zoning") else "no zoning layer"),
        ("Streets abutted", "no streets layer" if streets is None else ", ".join(streets) or "none"),
        (
            f"Municipalities within {distance_ft:,.0f} ft",
            "no municipalities layer" if near is None else ", ".join(near) or "none",
        ),
        *route,
        *([] if facts.buffer_ft is None else [("Buffer set by the officials", f"{facts.buffer_ft:g} ft from every lot line")]),
    )


def _map(opened: "Opened", checked: "Checked") -> ReportMap | None:
    """Gather what the map shows; None where neither parcels nor a route are named."""
    plan, route = site_plan(opened, checked), checked.gathered.route
    ground = checked.gathered.measured.land if checked.gathered.measured else route.line if route else None
    if ground is None:
        return None
    box = grown(ground.bounds, _AROUND_FT)
    shown = _lots(opened, checked, box)
    shown += [Shown("frontage", one.line) for one in plan.frontages]
    shown += [Shown("setback", one.line, one.name) for one in plan.setbacks]
    shown += [Shown("layout", one.geometry, f"{one.what} (too near)" if one.inside else one.what) for one in plan.things]
    shown += [Shown("route", route.line)] if route else []
    for kind, what in (("streets", "street"), ("water", "water")):
        found = opened.store.features_in(kind, box)
        shown += [Shown(what, geometry, row["name"]) for row, geometry in zip(found.rows, found.geometries, strict=True)]
    remarks = [f"{one.name[:1].upper()}{one.name[1:]}: {one.widths}." for one in plan.setbacks]
    return ReportMap(ground, shown, [*remarks, *filter(None, [plan.remark()])])


def _lots(opened: "Opened", checked: "Checked", box: "tuple[float, float, float, float]") -> list[Shown]:
    """Return the premises, what adjoins them with its numbers, and the other parcels in a box."""
    measured = checked.gathered.measured
    own = {parcel.fid: parcel.id for parcel in measured.premises} if measured else {}
    near = measured.near.neighbours if measured else ()
    beside = {measured.around[one.index] for one in near if one.relation in ("abutting", "corner")} if measured else set()
    block = opened.store.parcels_in(box)
    shown = [
        Shown("abutting" if parcel.fid in beside else "other", geometry, parcel.id if parcel.fid in beside else "")
        for parcel, geometry in zip(block.parcels, block.geometries, strict=True)
        if parcel.fid not in own
    ]
    return [*shown, *(Shown("premises", measured.geometries[fid], id_) for fid, id_ in own.items())] if measured else shown


def check_with_papers(
    town: Path,
    event_file: Path,
    *,
    on: "date",
    buffer_ft: float | None = None,
    report: Path | None = None,
    site_map: Path | None = None,
) -> "CheckResult":
    """Check an event and write the papers asked for: all of them, or none where one cannot be made.

    Parameters
    ----------
    town, event_file, on, buffer_ft
        As :func:`geonotice.workflow.check_event.check_event` takes them.
    report, site_map
        Where the staff report and the site map go; None makes none.

    Raises
    ------
    UsageError
        A paper's name does not end as it must.
    OutputError
        A paper cannot be made or written, or would take the place of a file of another origin; other errors as :func:`geonotice.workflow.check_event.check_event`.
    """
    from geonotice.config.read_application import read_event_file

    event = read_event_file(event_file)
    if report is not None:
        check_output(report, ".pdf", option="--pdf")
    if site_map is not None:
        check_output(site_map, ".html", ".htm", option="--map")
    papers: list[tuple[Path, bytes]] = []
    with open_store(town) as opened:
        checked = check_measured(opened, event, on=on, buffer_ft=buffer_ft, file=str(event_file), folder=event_file.parent)
        if report is not None:
            papers.append((report, report_page(opened, checked, event, on=on)))
        if site_map is not None:
            from geonotice.workflow.site_map import site_page

            papers.append((site_map, site_page(opened, checked, event, on=on)))
    for file, content in papers:
        write_file(file, content)
    return checked.result
