"""``serve``."""

from typing import Annotated

import typer

from geonotice.cli.app import TownArgument, app, say

__all__ = ["serve"]


@app.command()
def serve(
    town: TownArgument,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any that is free.")] = 8742,
    host: Annotated[
        str, typer.Option(help="Where to listen. Anywhere but on this computer, a sign-in must stand in front.")
    ] = "127.0.0.1",
    trusted_header: Annotated[
        str, typer.Option(metavar="NAME", help="The header in which the sign-in in front of the desk names the user.")
    ] = "",
    public_name: Annotated[
        str, typer.Option(metavar="HOST", help="The desk's name in the browser's address bar, behind that sign-in.")
    ] = "",
) -> None:
    """Open the desk: the town's map, properties and notices in a browser on this computer."""
    from geonotice.web.server import serve as run

    run(town, host=host, port=port, trusted_header=trusted_header, public_name=public_name, say=say)
