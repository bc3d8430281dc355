"""``inspect``, ``init``, ``import``, ``map``, ``calendar``, ``demo`` and ``serve``: commands on a whole town."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, Progress, TownArgument, app, as_day, print_json, say, stands, today, warn
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from datetime import date

    from geonotice.register.parcel_changes import ChangedParcel

__all__ = [
    "calendar",
    "demo",
    "event_map",
    "import_",
    "init",
    "inspect",
    "serve",
]


@app.command()
def inspect(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="A layer or a roll: any file GDAL reads, zipped too, or GeoParquet.")
    ],
    *,
    layer: Annotated[str | None, typer.Option(help="The layer in it, where there are several.")] = None,
    crs: Annotated[str | None, typer.Option(help="The CRS, where the file does not say it: EPSG:2263.")] = None,
    json_: JsonOption = False,
) -> None:
    """Look at a layer: what it holds, how its fields map, what is wrong, what it could serve as."""
    from geonotice.layers.inspect import inspect_source

    inspection = inspect_source(source, layer=layer, crs=crs)
    if json_:
        print_json(inspection)
    else:
        from geonotice.cli.tables import show
        from geonotice.layers.reports import render_inspection

        show(render_inspection(inspection))


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The town's folder, made where it is not there.")],
    *,
    parcels: Annotated[Path | None, typer.Option(metavar="SOURCE", help="The parcel layer.")] = None,
    ordinance: Annotated[
        str | None, typer.Option(metavar="ID", help="A built-in ordinance (italy, southampton, …), or the path of a profile.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="The town's name.")] = None,
    layer: Annotated[str | None, typer.Option(help="The layer in the file, where there are several.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COLUMN",
            help="Which column a field is in. NAME=A+B joins columns, NAME==TEXT is the same for every row. With a town file that is there: answers it; address_points.street=COLUMN answers for another layer.",
        ),
    ] = None,
    municipality: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What the layer calls the town's own municipality, where it has no SWIS codes."),
    ] = None,
    crs: Annotated[str | None, typer.Option(help="The CRS of the layer, where the file does not say it.")] = None,
    measure_crs: Annotated[str | None, typer.Option(help="The CRS to measure in; the state-plane zone by itself.")] = None,
    json_: JsonOption = False,
) -> None:
    """Write a town file for a parcel layer, or answers into the one that is there; exit with 4 where it holds a question."""
    from geonotice.workflow.importing import init_town

    started = init_town(
        folder,
        parcels=parcels,
        ordinance=ordinance,
        name=name,
        layer=layer,
        fields=_pairs(field),
        crs=crs,
        measure_crs=measure_crs,
        municipality=municipality or (),
    )
    stands(f"{started.file} was written")
    if json_:
        print_json(started)
    for note in () if json_ else started.notes:
        say(note)
    say(f"Wrote {started.file}")
    if started.questions:
        say("It holds questions that only a person can answer; import refuses the file until they are:")
        for question in started.questions:
            say(f"  ? {question}")
        raise typer.Exit(4)
    say(f"Next: geonotice import {folder}")


@app.command("import")
def import_(
    town: TownArgument,
    *,
    screen: Annotated[
        bool, typer.Option("--screen", help="Count each parcel's neighbors, too, as the first screen of the town would.")
    ] = False,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Build the town's store from its layers, and say what was found in them."""
    from geonotice.opened_town import may_have_permits
    from geonotice.workflow.importing import import_layers

    permits = may_have_permits(town)
    if permits:
        from geonotice.workflow.permits import require_readable_register

        # First: an import that ends with an error about the register would leave open what became of the store.
        require_readable_register(town)
    report = import_layers(town, on=today(on), progress=say)
    stands(f"{report.store} was written")
    if not json_:
        from geonotice.cli.tables import show
        from geonotice.layers.reports import render_import_report

        show(render_import_report(report))
    changed: tuple[ChangedParcel, ...] = ()
    if permits:
        from geonotice.workflow.permits import changed_under_permits

        changed = changed_under_permits(town)
    if json_:
        print_json({**{field.name: getattr(report, field.name) for field in fields(report)}, "changed_under_permits": changed})
    for change in changed:
        say(f"! {change.text} [{', '.join(change.permits)}]")
    if screen:
        _prepare_screen(town, today(on))


def _prepare_screen(town: Path, on: "date") -> None:
    """Ask a screen that is asked for nothing: what does not change from one question to the next is then kept."""
    from geonotice.opened_town import open_store
    from geonotice.screen.table import Asked
    from geonotice.workflow.screen import screen_town

    progress = Progress()
    try:
        with open_store(town) as opened:
            screen_town(opened, Asked(on=on), None, progress=progress)
    finally:
        progress.close()


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put the demonstration.")] = Path("demo"),
    *,
    json_: JsonOption = False,
) -> None:
    """Run the demonstration towns, from import to packet and map."""
    from geonotice.workflow.demo import run_demo

    if json_:
        written = list(run_demo(folder, progress=say))
        stands(f"The demonstration in {folder} was written")
        print_json({"folder": folder, "said": written})
        return
    for place in run_demo(folder, progress=say):
        typer.echo(place)
    stands(f"The demonstration in {folder} was written")


@app.command()
def templates(town: TownArgument, *, json_: JsonOption = False) -> None:
    """Write out the Word templates of letters and other papers, for the town to change; what is there is left as it is."""
    from geonotice.config.read_town import read_town_file
    from geonotice.workflow.paper_settings import write_templates

    folder, new = write_templates(read_town_file(town))
    stands(f"The templates in {folder} were written")
    if json_:
        print_json({"folder": str(folder), "written": list(new)})
    else:
        say(
            f"{len(new)} {'file was' if len(new) == 1 else 'files were'} written into {folder}: change the templates in Word. fields.txt lists the fields that they can use."
        )


def _pairs(given: list[str] | None) -> dict[str, str]:
    """Read NAME=COLUMN; all that are not of that form are refused at once."""
    wrong = [text for text in given or () if not all(part.strip() for part in text.partition("="))]
    if wrong:
        raise UsageError(
            [
                Fault(what=f"--field {text!r} is not NAME=COLUMN", remedy="write --field tax_map_number=PRINT_KEY")
                for text in wrong
            ]
        )
    return {text.partition("=")[0].strip(): text.partition("=")[2].strip() for text in given or ()}


@app.command("map")
def event_map(
    town: TownArgument,
    *,
    year: Annotated[int | None, typer.Option(help="Year (default: the current year).")] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Without owners, applicants, and permits that were rescinded or are void.")
    ] = False,
    titles: Annotated[bool, typer.Option("--titles/--no-titles", help="Show what the events are called.")] = True,
    hide_title: Annotated[
        list[str] | None, typer.Option(metavar="NUMBER", help="Keep this permit's title off the map; may be given several times.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file; in maps/ of this folder by itself.")] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Draw the event map of a year: permits, what is left on each parcel, conflicts; one file that works without internet."""
    from geonotice.opened_town import open_store
    from geonotice.register.session import read_town_register
    from geonotice.workflow.event_map import write_event_map

    day = today(on)
    drawn = day.year if year is None else year
    with open_store(town) as opened, read_town_register(opened.town) as register:
        hidden = (hide_title or ()) if titles else None
        written, warnings = write_event_map(opened, register, year=drawn, on=day, public=public, private_titles=hidden, out=out)
        stands(f"The event map {written} was written")
    if json_:
        print_json(
            {"file": str(written), "year": drawn, "public": public, "warnings": [warning.to_json() for warning in warnings]}
        )
    else:
        warn(warnings)
        say(f"The event map is {written}")


# ---- calendar and desk


@app.command()
def calendar(
    town: TownArgument,
    *,
    ics: Annotated[Path | None, typer.Option("--ics", metavar="FILE", help="Write all events as a calendar file.")] = None,
    public: Annotated[bool, typer.Option("--public", help="With --ics: without names and titles, for everybody.")] = False,
    week: Annotated[
        str | None,
        typer.Option("--week", metavar="DATE", help="List the events of that day's week, and what is in each other's way."),
    ] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Write the events as a calendar file (.ics), or list a week's events and conflicts."""
    from geonotice.opened_town import open_store
    from geonotice.register.json_values import permit_json
    from geonotice.register.session import read_town_register
    from geonotice.workflow.calendar import week_of, write_calendar

    if (ics is None) == (week is None):
        raise UsageError(Fault(what="a calendar file or a week is asked for", remedy="give --ics FILE, or --week DATE"))
    if public and ics is None:
        raise UsageError(Fault(what="--public is for a calendar file", remedy="give --ics FILE with it"))
    with open_store(town) as opened, read_town_register(opened.town) as register:
        warnings = register.warnings
        if ics is not None:
            count = write_calendar(opened, register, ics, public=public, on=today(on))
            stands(f"The calendar {ics} was written")
            found = None
        else:
            found = week_of(register, day=as_day(week, "--week") or today(on))
    said = [warning.to_json() for warning in warnings]
    if found is None:
        if json_:
            print_json({"file": str(ics), "public": public, "permits": count, "warnings": said})
            return
        warn(warnings)
        say(f"{count:,} events in {ics}")
        return
    if json_:
        conflicts = [{"permits": list(one.numbers), "text": one.text} for one in found.conflicts]
        print_json(
            {
                "first": found.first.isoformat(),
                "last": found.last.isoformat(),
                "permits": [permit_json(permit) for permit in found.permits],
                "conflicts": conflicts,
                "warnings": said,
            }
        )
        return
    warn(warnings)
    from geonotice.cli.tables import list_table, show

    typer.echo(f"Week of {found.first} to {found.last}")
    show(list_table(found.permits))
    for one in found.conflicts:
        typer.echo(f"! {one.text}")
    if not found.conflicts:
        typer.echo("No conflict was found.")


@app.command()
def serve(
    town: TownArgument,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any that is free.")] = 8742,
    host: Annotated[
        str,
        typer.Option(
            help="Where to listen. Anywhere but on this computer, users sign in (geonotice user add), or a sign-in stands in front."
        ),
    ] = "127.0.0.1",
    trusted_header: Annotated[
        str, typer.Option(metavar="NAME", help="The header in which the sign-in in front of the desk names the user.")
    ] = "",
    public_name: Annotated[
        str, typer.Option(metavar="HOST", help="The desk's name in the browser's address bar, where others reach it.")
    ] = "",
    behind_tls: Annotated[
        bool, typer.Option("--behind-tls", help="A proxy that speaks TLS stands in front, and nobody else reaches the port.")
    ] = False,
) -> None:
    """Open the desk: the town's map, properties and notices in a browser on this computer."""
    from geonotice.web.server import serve as run

    run(town, host=host, port=port, trusted_header=trusted_header, public_name=public_name, behind_tls=behind_tls, say=say)
