"""``map``: the event map of a year."""

from pathlib import Path
from typing import Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, TownArgument, app, print_json, say, today, warn
from geonotice.cli.streams import stands

__all__ = ["event_map"]


@app.command("map")
def event_map(
    town: TownArgument,
    *,
    year: Annotated[int | None, typer.Option(help="The year; this one by itself.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Without owners and applicants.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file; in maps/ of this folder by itself.")] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Draw the event map of a year: permits, what is left on each parcel, conflicts; one file that works without internet."""
    from geonotice.workflow.event_map import write_event_map
    from geonotice.workflow.opening import open_store
    from geonotice.workflow.permitting import read_town_register

    day = today(on)
    drawn = day.year if year is None else year
    with open_store(town) as opened, read_town_register(opened.town) as register:
        written, cautions = write_event_map(opened, register, year=drawn, on=day, public=public, out=out)
        stands(f"The event map {written} was written")
    if json_:
        print_json(
            {"file": str(written), "year": drawn, "public": public, "warnings": [caution.to_json() for caution in cautions]}
        )
    else:
        warn(cautions)
        say(f"The event map is {written}")
