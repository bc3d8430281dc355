"""Write the answer of a screen: a table or a layer, by the ending of the file."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.io.output_files import in_the_making, write_file
from geonotice.io.tables import inert, quoted
from geonotice.workflow.outputs import check_not_of_town, check_output

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.opened_town import Opened
    from geonotice.screen.filters import Value
    from geonotice.workflow.screen import Screen

__all__ = ["screen_frame", "write_screen"]

UNKNOWN = "?"
"""What a table of text has where a value is not known; an empty cell is a value that is none."""


def write_screen(opened: "Opened", screen: "Screen", file: Path) -> None:
    """Write the candidates that passed.

    Parameters
    ----------
    opened, screen
        The town and the answer.
    file
        ``.csv`` for a spreadsheet, ``.gpkg`` or ``.parquet`` (GeoParquet) for a GIS.

    Raises
    ------
    UsageError
        It ends otherwise.
    OutputError
        It cannot be written, or is one of the town's own.
    """
    writers: dict[str, Callable[[Opened, Screen, Path], None]] = {
        ".csv": _write_csv,
        ".gpkg": _write_gpkg,
        ".parquet": _write_parquet,
    }
    check_output(file, *writers, option="--out")
    check_not_of_town(file, opened.town)
    writers[file.suffix.casefold()](opened, screen, file)


def screen_frame(opened: "Opened", screen: "Screen") -> Any:  # noqa: ANN401  # geopandas ships no types
    """Return the candidates that passed as a GeoDataFrame in the town's CRS; what is unknown is missing (NaN, None)."""
    import geopandas
    import pandas as pd

    block = opened.store.parcels_in((-1e12, -1e12, 1e12, 1e12))
    shapes = [
        block.geometries[places[0]] if len(places) == 1 else shapely.union_all(block.geometries[list(places)])
        for places in screen.places
    ]
    columns = {name: pd.Series([row[name] for row in screen.rows], dtype=_kind(screen, name)) for name in screen.columns}
    return geopandas.GeoDataFrame(columns, geometry=np.array(shapes, dtype=object), crs=opened.crs)


def _kind(screen: "Screen", name: str) -> str:
    """Return the type of a column: whole numbers stay whole where some are unknown."""
    kinds = {type(value) for row in screen.rows if (value := row[name]) is not None}
    if kinds and kinds <= {int, bool}:
        return "Int64"
    return "Float64" if kinds and kinds <= {int, float} else "string"


def _write_csv(_: "Opened", screen: "Screen", file: Path) -> None:
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


def _write_gpkg(opened: "Opened", screen: "Screen", file: Path) -> None:
    import pyarrow as pa

    from geonotice.io.gpkg import write_features

    frame = screen_frame(opened, screen)
    columns = {name: pa.array(frame[name]) for name in screen.columns}
    with in_the_making(file) as made:
        write_features(made, "candidates", frame.geometry.to_numpy(), columns, crs=opened.crs, kind="MultiPolygon")
        made.replace(file)


def _write_parquet(opened: "Opened", screen: "Screen", file: Path) -> None:
    frame = screen_frame(opened, screen)
    with in_the_making(file) as made:
        frame.to_parquet(made, index=False)
        made.replace(file)
