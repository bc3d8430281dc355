"""A check with its papers: the staff report and the site map, from one measuring of the premises."""

from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.output_files import write_file
from geonotice.workflow.opening import open_store
from geonotice.workflow.outputs import check_output
from geonotice.workflow.premises import check_measured

if TYPE_CHECKING:
    from datetime import date

    from geonotice.decide.check import CheckResult

__all__ = ["check_with_papers"]


def check_with_papers(
    town: Path,
    event_file: Path,
    *,
    on: "date",
    buffer_ft: float | None = None,
    report: Path | None = None,
    site_map: Path | None = None,
) -> "CheckResult":
    """Check an event and write the papers asked for: all of them, or none where one cannot be made.

    Parameters
    ----------
    town, event_file, on, buffer_ft
        As :func:`geonotice.workflow.premises.check_event` takes them.
    report, site_map
        Where the staff report and the site map go; None makes none.

    Raises
    ------
    UsageError
        A paper's name does not end as it must.
    OutputError
        A paper cannot be made or written, or would take the place of a file of another origin; other errors as :func:`geonotice.workflow.premises.check_event`.
    """
    from geonotice.event_file import read_event_file

    event = read_event_file(event_file)
    if report is not None:
        check_output(report, ".pdf", option="--pdf")
    if site_map is not None:
        check_output(site_map, ".html", ".htm", option="--map")
    papers: list[tuple[Path, bytes]] = []
    with open_store(town) as opened:
        checked = check_measured(opened, event, on=on, buffer_ft=buffer_ft, file=str(event_file), folder=event_file.parent)
        if report is not None:
            from geonotice.workflow.staff_report import report_page

            papers.append((report, report_page(opened, checked, event, on=on)))
        if site_map is not None:
            from geonotice.workflow.site_map import site_page

            papers.append((site_map, site_page(opened, checked, event, on=on)))
    for file, content in papers:
        write_file(file, content)
    return checked.result
