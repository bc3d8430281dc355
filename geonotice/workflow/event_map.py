"""Write the event map of a year."""

from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.output_files import write_file
from geonotice.workflow.outputs import check_output
from geonotice.workflow.permitting import year_of_permits
from geonotice.workflow.yearly import year_page

if TYPE_CHECKING:
    from datetime import date

    from geonotice.model import Caution
    from geonotice.register.session import Register
    from geonotice.workflow.opening import Opened

__all__ = ["write_event_map"]


def write_event_map(
    opened: "Opened", register: "Register", *, year: int, on: "date", public: bool = False, out: Path | None = None
) -> "tuple[Path, tuple[Caution, ...]]":
    """Draw the event map of a year and write it: whole, or not at all; give its file, and what it could not see.

    Parameters
    ----------
    out
        The file; by itself ``maps/`` of the current folder, named after the town's folder and the year.

    Raises
    ------
    UsageError
        ``out`` does not end in ``.html``.
    OutputError
        The file cannot be written, or one is there that is no such map.
    RegisterError
        The register cannot be read.
    """
    name = f"{opened.town.folder.name}-{year}{'-public' if public else ''}.html"
    file = out or Path("maps") / name
    check_output(file, ".html", ".htm", option="--out")
    found = year_of_permits(opened, register, year=year, on=on)
    write_file(file, year_page(opened, found, public=public))
    return file, found.cautions
