"""``verify`` and ``compare``: a packet a while after it was made."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from geonotice.cli.app import JsonOption, app, print_json, say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.workflow.verify import Verification

__all__ = ["verify"]

PacketArgument = Annotated[Path, typer.Argument(metavar="PACKET", help="The folder that notice --out wrote.")]

_SIGNS = {"passed": "ok", "failed": "FAILED", "not_done": "not done"}


@app.command()
def verify(
    packet: PacketArgument,
    town: Annotated[
        Path | None,
        typer.Option("--town", metavar="TOWN", help="The town file, or its folder; by itself the folder above the packet."),
    ] = None,
    *,
    anew: Annotated[
        bool, typer.Option("--anew", help="Import the sources anew into a temporary folder, also where the store is current.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out the second opinion, which measures every parcel again.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Make the list of a packet again from its sources and compare: exit 0 the same, 5 another list, 3 the sources are not those of the record."""
    from geonotice.workflow.verify import verify_packet

    found = verify_packet(packet, town, anew=anew, second=not quick, progress=say)
    if json_:
        print_json(found.to_json())
    else:
        from geonotice.cli.tables import show

        show(_verification_tables(found))
    if not found.same:
        raise typer.Exit(5)


def _verification_tables(found: "Verification") -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from geonotice.cli.tables import two_columns

    head = Text(found.headline, style="bold")
    parts: list[RenderableType] = [head]
    if found.changes:
        parts.append(two_columns("Recipients", [(one.kind, one.text) for one in found.changes]))
    if found.parcels:
        parts.append(two_columns("The list", [("", text) for text in found.parcels]))
    if found.other:
        parts.append(two_columns("Besides, and no part of the list", [("", text) for text in found.other]))
    parts.append(two_columns("Checks", [(f"{one.name}: {_SIGNS[one.status]}", one.text) for one in found.checks]))
    return Group(*parts)
