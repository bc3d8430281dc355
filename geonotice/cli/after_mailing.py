"""``verify`` and ``compare``: a packet a while after it was made."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from geonotice.cli.app import JsonOption, OnOption, StrictOption, app, print_json, say, stands, today
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.workflow.compare import Comparison
    from geonotice.workflow.verify import Verification

__all__ = ["compare", "verify"]

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


@app.command()
def compare(
    packet: PacketArgument,
    other: Annotated[
        Path, typer.Argument(metavar="PACKET|TOWN", help="A later packet of the same matter; or the town, for a list of today.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write a supplementary packet for those alone to whom a letter is still due (with TOWN)."
        ),
    ] = None,
    event: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The event file, from which the supplementary letters take what is proposed."),
    ] = None,
    on: OnOption = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Show who is new, gone, re-addressed or renamed since a list was mailed, what is still due, and whether there is time.

    Exit 0, whatever was found; 4 with --strict where a letter is still due.
    """
    from geonotice.io.output_files import is_packet
    from geonotice.workflow.compare import compare_lists, compare_with_town, write_supplement

    if is_packet(other):
        if out is not None:
            what = "a supplementary packet needs the town's layers"
            raise UsageError(
                Fault(what=what, remedy=f"name the town in the second place: geonotice compare {packet} TOWN --out {out}")
            )
        found = compare_lists(packet, other, on=today(on))
    else:
        from geonotice.opened_town import open_store

        with open_store(other) as opened:
            found, noticed = compare_with_town(opened, packet, on=today(on))
            if out is not None and not found.due:
                say(f"No further letter is due, so no supplementary packet was written into {out}.")
            elif out is not None:
                from geonotice.workflow.application import read_stated_event

                stated = read_stated_event(event).event if event else None
                written = write_supplement(opened, noticed, found, out, first=packet, event=stated, progress=say)
                stands(f"The packet {out} was written")
                for note in written.notes:
                    say(note)
                say(f"The supplementary packet is in {out}: open {out / 'index.html'} first")
    if json_:
        print_json(found.to_json())
    else:
        from geonotice.cli.tables import show

        show(_comparison_tables(found))
    if strict and found.due:
        raise typer.Exit(4)


def _comparison_tables(found: "Comparison") -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from geonotice.cli.tables import two_columns

    parts: list[RenderableType] = [Text(found.headline, style="bold")]
    due = [
        (
            one.after["mail"] + ("" if one.after["mailable"] else " (cannot be mailed)"),
            f"{one.text} ({'; '.join(one.after['reasons'])})",
        )
        for one in found.due
        if one.after is not None
    ]
    if due:
        parts.append(two_columns("Letters still due", due))
    if others := [("", one.text) for one in found.changes if not one.must_be_mailed]:
        parts.append(two_columns("Changed, and no letter is due", others))
    parcels = [("new", ", ".join(found.parcels_new))] if found.parcels_new else []
    parcels += [("gone", ", ".join(found.parcels_gone))] if found.parcels_gone else []
    if parcels:
        parts.append(two_columns("Parcels", parcels))
    return Group(*parts)


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
