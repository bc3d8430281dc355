"""``calendar``: all events as a calendar file, and a week's events with their conflicts."""

from pathlib import Path
from typing import Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, TownArgument, app, as_day, print_json, say, today, warn
from geonotice.cli.streams import stands
from geonotice.errors import Fault, UsageError

__all__ = ["calendar"]


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
