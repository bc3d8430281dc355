"""Write the answer of a screen: a table or a layer, by the ending of the file."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.io.csv_tables import inert, quoted
from geonotice.io.output_files import in_the_making, write_file
from geonotice.screen.table import word_columns
from geonotice.store import EVERYWHERE
from geonotice.workflow.notice_map import layers_in
from geonotice.workflow.outputs import check_not_of_town, check_output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from geonotice.opened_town import Opened
    from geonotice.screen.filters import Value
    from geonotice.workflow.screen import Screen

__all__ = ["check_screen_file", "screen_frame", "write_screen"]

UNKNOWN = "?"
"""What a table of text has where a value is not known; an empty cell is a value that is none."""


def write_screen(opened: "Opened", screen: "Screen", file: Path, *, command: str = "") -> None:
    """Write the candidates that passed; the map has all of them.

    Parameters
    ----------
    opened, screen
        The town and the answer.
    file
        ``.html`` for a map with a table, ``.csv`` for a spreadsheet, ``.gpkg`` or ``.parquet`` (GeoParquet) for a GIS.
    command
        The command that brings the answer back, for the map.

    Raises
    ------
    UsageError
        It ends otherwise.
    OutputError
        It cannot be written, or is one of the town's own.
    """
    check_screen_file(opened, file)
    _WRITERS[file.suffix.casefold()](opened, screen, file, command)


def check_screen_file(opened: "Opened", file: Path) -> None:
    """Refuse a file that the answer must not be written to: asked before it is worked out, for that may take minutes.

    Raises
    ------
    UsageError
        Its name ends in none of what can be written.
    OutputError
        A file is there that this program did not write, or it is one of the town's own.
    """
    check_output(file, *_WRITERS, option="--out")
    check_not_of_town(file, opened.town)


def screen_frame(opened: "Opened", screen: "Screen") -> Any:  # noqa: ANN401  # geopandas ships no types
    """Return the candidates that passed as a GeoDataFrame in the town's CRS; what is unknown is missing (NaN, None)."""
    import geopandas
    import pandas as pd

    block = screen.found.block
    shapes = [
        block.geometries[places[0]] if len(places) == 1 else shapely.union_all(block.geometries[list(places)])
        for places in (screen.found.places[n] for n in screen.kept)
    ]
    rows = screen.rows
    columns = {name: pd.Series([row[name] for row in rows], dtype=_kind(rows, name)) for name in screen.columns}
    return geopandas.GeoDataFrame(columns, geometry=np.array(shapes, dtype=object), crs=opened.crs)


def _kind(rows: "Sequence[Mapping[str, Value]]", name: str) -> str:
    """Return the type of a column: whole numbers stay whole where some are unknown."""
    kinds = {type(value) for row in rows if (value := row[name]) is not None}
    if kinds and kinds <= {int, bool}:
        return "Int64"
    return "Float64" if kinds and kinds <= {int, float} else "string"


def _write_csv(_: "Opened", screen: "Screen", file: Path, _command: str) -> None:
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(screen.columns)
    for row in screen.rows:
        writer.writerow([_cell(row[name]) for name in screen.columns])
    write_file(file, made.getvalue().encode("utf-8-sig"))


def _cell(value: "Value") -> str:
    if value is None:
        return UNKNOWN
    return inert(quoted(value)) if isinstance(value, str) else str(value)


def _write_gpkg(opened: "Opened", screen: "Screen", file: Path, _command: str) -> None:
    import pyarrow as pa

    from geonotice.io.gpkg import write_features

    frame = screen_frame(opened, screen)
    columns = {name: pa.array(frame[name]) for name in screen.columns}
    with in_the_making(file) as made:
        write_features(made, "candidates", frame.geometry.to_numpy(), columns, crs=opened.crs, kind="MultiPolygon")
        made.replace(file)


def _write_parquet(opened: "Opened", screen: "Screen", file: Path, _command: str) -> None:
    frame = screen_frame(opened, screen)
    with in_the_making(file) as made:
        frame.to_parquet(made, index=False)
        made.replace(file)


_LISTED = ("id", "acres", "acres_needed", "district", "left", "excluded", "fits")
"""The columns that the map's table has room for, besides the letters of each occasion; a click shows all."""


def _write_map(opened: "Opened", screen: "Screen", file: Path, command: str) -> None:
    from geonotice.maps import MapScreen, ScreenColumn, render, screen_map

    block, found = screen.found.block, screen.found
    passing, unsettled = {*screen.ranked}, {*screen.unsettled}
    order = [*screen.ranked, *screen.unsettled, *(n for n in range(screen.judged) if n not in passing and n not in unsettled)]
    drawn = [n for n, parcel in enumerate(block.parcels) if parcel.layer == 0]
    place = {n: at for at, n in enumerate(drawn)}
    rank_by, best_is_most = next(iter(screen.order))
    listed = {*_LISTED, rank_by, *(name for name in screen.columns if name.startswith("pieces_"))}
    words = {*word_columns(screen.columns)}
    columns = tuple(
        ScreenColumn(
            name=name,
            title=_title(name),
            about=about,
            number=name not in words,
            listed=name in listed,
            values=[None if (value := values[n]) is None else str(value) for n in order]
            if (values := screen.table.get(name))
            else [None] * len(order),
        )
        for name, about in screen.columns.items()
    )
    against = screen.table.get("excluded") or [""] * screen.judged
    page = screen_map(
        MapScreen(
            town=screen.town,
            crs=opened.crs,
            lines=_asked_in_words(screen),
            lots=[(block.parcels[n].id, block.geometries[n]) for n in drawn],
            columns=columns,
            answers=[True if n in passing else None if n in unsettled else False for n in order],
            lots_of=[[place[at] for at in found.places[n] if at in place] for n in order],
            excluded=[bool(against[n]) for n in order],
            rank_by=rank_by,
            best_is_most=best_is_most,
            condition=screen.condition,
            command=command,
            notes=(*screen.left_out_lines, *screen.notes),
            sources=tuple(
                f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in opened.store.sources()
            ),
        ),
        layers_in(opened, EVERYWHERE),
    )
    write_file(file, render(page))


_WRITERS: "dict[str, Callable[[Opened, Screen, Path, str], None]]" = {
    ".csv": _write_csv,
    ".gpkg": _write_gpkg,
    ".parquet": _write_parquet,
    ".html": _write_map,
}
"""Who writes a file, by its ending."""


def _title(name: str) -> str:
    """Return a column's name in words: ``pieces_hearing`` is ``letters, hearing``."""
    what, _, occasion = name.partition("_")
    words = {"pieces": "letters", "parcels": "parcels listed", "required": "notice required"}
    if what in words and occasion:
        return f"{words[what]}, {occasion.replace('_', ' ')}"
    return name.replace("_", " ")


def _asked_in_words(screen: "Screen") -> tuple[str, ...]:
    """Return what was asked, a line each."""
    asked = screen.asked
    days = f"{asked.starts}" if asked.ends in (None, asked.starts) else f"{asked.starts} to {asked.ends}"
    stated = [
        f"{asked.persons:,} persons" if asked.persons is not None else "",
        days if asked.starts else "",
        f"{asked.hours[0]} to {asked.hours[1]}" if asked.hours else "",
        {True: "at night", False: "by day", None: ""}[asked.night],
        asked.kind.replace("_", " ") if asked.kind else "",
        "charitable applicant" if asked.charity else "",
        "primarily for the applicant's own benefit" if asked.benefits_applicant else "",
    ]
    judged = "parcels" if asked.candidates == "parcels" else "pieces of contiguous land of one owner"
    return ", ".join(filter(None, stated)), f"{screen.judged:,} {judged} judged as of {asked.on}", *screen.filing
