"""``screen``."""

import re
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import JsonOption, OnOption, Progress, TownArgument, app, as_day, print_json, say, today
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from geonotice.screen.table import Asked
    from geonotice.workflow.screen import Screen

__all__ = ["screen"]

_PRINTED = ("situs", "acres", "district", "left", "excluded", "fits")
"""The columns that a terminal has room for, besides the letters of each occasion; the files have all."""
_FIRST = 3
"""So many are named where the result goes into a file."""
_SHOWN = 20
"""So many candidates are printed where --top does not say."""


@app.command()
def screen(
    town: TownArgument,
    *,
    persons: Annotated[int | None, typer.Option(min=1, help="How many come at one time.")] = None,
    starts: Annotated[str | None, typer.Option(metavar="DATE", help="First day of the event.")] = None,
    ends: Annotated[str | None, typer.Option(metavar="DATE", help="Last day of the event.")] = None,
    night: Annotated[Literal["yes", "no", "unknown"], typer.Option(help="Whether it goes on at night.")] = "unknown",
    charity: Annotated[
        bool, typer.Option("--charity", help="The applicant is a charitable organization; without it, it is not.")
    ] = False,
    benefits_applicant: Annotated[
        bool, typer.Option("--benefits-applicant", help="It is primarily for the applicant's own benefit.")
    ] = False,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="The kind of event, as in an event file: festival, wedding, carnival ….")
    ] = None,
    hours: Annotated[str | None, typer.Option(metavar="FROM-TO", help="Its hours each day, for example 10:00-23:00.")] = None,
    candidates: Annotated[
        Literal["parcels", "land"], typer.Option(help="Judge each parcel, or each owner's contiguous land.")
    ] = "parcels",
    where: Annotated[str, typer.Option(metavar="CONDITION", help='For example "acres >= 3 and left > 0".')] = "",
    rank: Annotated[str, typer.Option(metavar="COLUMNS", help="Rank by these columns; a minus puts the most first.")] = "",
    top: Annotated[int | None, typer.Option(min=1, help="How many candidates to return.")] = None,
    all_lists: Annotated[bool, typer.Option("--all-lists", help="Leave nothing out that takes minutes.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result: .html (a map with a table), .csv, .gpkg or .parquet.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Do the work on the workers of this Dask scheduler, such as tcp://10.0.0.5:8786."),
    ] = None,
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Judge every parcel at once: what an event there would meet, and where in town it could be held."""
    from geonotice.opened_town import may_have_permits, open_store
    from geonotice.screen.table import Asked
    from geonotice.workflow.screen import screen_town
    from geonotice.workflow.screen_files import check_screen_file, write_screen
    from geonotice.workflow.screen_workers import collect_seldom, over_all_cores, over_cluster

    first = as_day(starts, "--starts")
    asked = Asked(
        on=today(on),
        persons=persons,
        starts=first,
        ends=as_day(ends, "--ends") or first,
        night={"yes": True, "no": False, "unknown": None}[night],
        charity=charity,
        benefits_applicant=benefits_applicant or None,
        kind=kind.strip().casefold().replace(" ", "_").replace("-", "_") if kind else None,
        hours=_hours(hours),
        candidates=candidates,
    )
    with ExitStack() as stack:
        opened = stack.enter_context(open_store(town))
        if out is not None:
            check_screen_file(opened, out)
        register = None
        if may_have_permits(town):
            from geonotice.register.session import read_town_register

            register = stack.enter_context(read_town_register(opened.town))
        over = stack.enter_context(over_cluster(dask, opened)) if dask else over_all_cores
        progress = Progress()
        collect_seldom()
        try:
            result = screen_town(
                opened, asked, register, where=where, rank=rank, top=top, all_lists=all_lists, progress=progress, over=over
            )
        finally:
            progress.close()
        if out is not None:
            write_screen(opened, result, out, command=_command(town, asked, where=where, rank=rank, top=top, all_lists=all_lists))
            say(f"The result is in {out}")
    if json_:
        print_json(
            {
                "town": result.town,
                "on": result.on,
                "judged": result.judged,
                "filing": list(result.filing),
                "candidates": list(result.rows),
                "undecided": list(result.undecided),
                "notes": list(result.notes),
            }
        )
    else:
        from geonotice.cli.tables import show

        for line in result.filing:
            say(line)
        show(_table(result, most=_SHOWN if out is None else _FIRST))
    for note in result.notes:
        say(note)
    if result.undecided:
        say(
            f"Of {len(result.undecided):,} candidates the condition is unknown: they are not among these, and not ruled out. --json lists them."
        )


def _hours(text: str | None) -> tuple[str, str] | None:
    """Read from when to when."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,2}:\d{2})\s*(?:-|–|to)\s*(\d{1,2}:\d{2})\s*", text)  # noqa: RUF001  # a dash that is typed
    if not found:
        raise UsageError(Fault(what=f"--hours {text!r} is not from one hour to another", remedy="write --hours 10:00-23:00"))
    return found[1].zfill(5), found[2].zfill(5)


def _command(town: Path, asked: "Asked", *, where: str, rank: str, top: int | None, all_lists: bool) -> str:
    """Return the command that brings the same answer back: the date that was taken as today is written out."""
    words = ["geonotice", "screen", str(town)]
    values = {
        "--persons": asked.persons, "--starts": asked.starts, "--ends": asked.ends if asked.ends != asked.starts else None,
        "--night": {True: "yes", False: "no", None: None}[asked.night],
        "--kind": asked.kind, "--hours": "-".join(asked.hours) if asked.hours else None,
        "--candidates": asked.candidates if asked.candidates != "parcels" else None, "--where": where or None, "--rank": rank or None,
        "--top": top, "--on": asked.on,
    }  # fmt: skip
    words += [word for option, value in values.items() if value is not None for word in (option, str(value))]
    switches = {"--charity": asked.charity, "--benefits-applicant": asked.benefits_applicant, "--all-lists": all_lists}
    words += [option for option, given in switches.items() if given]
    # Quotation marks that Windows reads as well; what a Unix shell would read in them is quoted its way.
    return " ".join(
        f'"{word}"' if shlex.quote(word) != word and not set(word) & set('"$`\\!') else shlex.quote(word) for word in words
    )


def _table(result: "Screen", *, most: int) -> "Table":
    from rich.markup import escape

    from geonotice.layers.reports import plain_table

    names = ["id", *(name for name in result.columns if name in _PRINTED or name.startswith("pieces_"))]
    table = plain_table(f"{len(result.rows):,} of {result.judged:,} candidates")
    if not result.rows:
        return table
    for name in names:
        justify: Literal["left", "right"] = "left" if isinstance(result.rows[0][name], str) else "right"
        # A tax map number that is cut off is the number of nothing: the other columns give way.
        table.add_column(name.replace("_", " "), justify=justify, overflow="fold", no_wrap=name == "id")
    for row in result.rows[:most]:
        table.add_row(
            *(
                "?" if row[name] is None else f"{row[name]:,}" if isinstance(row[name], (int, float)) else escape(str(row[name]))
                for name in names
            )
        )
    if len(result.rows) > most:
        where = "--out FILE writes all of them" if most == _SHOWN else "all of them are in the file"
        table.caption = f"And {len(result.rows) - most:,} more: {where}"
    return table
