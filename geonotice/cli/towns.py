"""``inspect``, ``init``, ``import`` and ``demo``."""

from pathlib import Path
from typing import Annotated

import typer

from geonotice.cli.app import JsonOption, TownArgument, app, print_json, say

__all__ = ["import_", "inspect"]


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
        print_json(inspection.to_json())
    else:
        from geonotice.cli.tables import show
        from geonotice.layers.report import render_inspection

        show(render_inspection(inspection))


@app.command("import")
def import_(
    town: TownArgument,
    *,
    json_: JsonOption = False,
) -> None:
    """Build the town's store from its layers, and say what was found in them."""
    from geonotice.workflow.importing import import_layers

    report = import_layers(town, progress=say)
    if json_:
        print_json(report.to_json())
    else:
        from geonotice.cli.tables import show
        from geonotice.layers.import_report import render_import_report

        show(render_import_report(report))
