"""What the papers of a packet need besides the notice: the clerk's office, the town's own templates and seal, and what an application states."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.config.postage_rates import RateTable, read_rates
from geonotice.config.town import PapersSpec
from geonotice.decide.proposal import when
from geonotice.errors import Fault, TemplateError, Together, TownFileError
from geonotice.io.libreoffice import find_libreoffice
from geonotice.io.output_files import remove_leftovers, write_files
from geonotice.io.pictures import paper_picture
from geonotice.io.word_printing import Printer
from geonotice.packet.word_papers import PaperSettings, fields_text, own_templates, template_bytes, word_papers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from geonotice.config.application import Event
    from geonotice.config.town import Town
    from geonotice.ordinance.profile import Profile

__all__ = ["PaperFiles", "read_paper_files", "read_paper_settings", "write_templates"]

FIELDS_FILE = "fields.txt"
"""The list of fields in a folder of templates."""


class PaperFiles(Struct, frozen=True, kw_only=True):
    """What papers are made with and the disk has: the town's seal and templates, its rate table, and what makes the PDFs."""

    seal: bytes | None = None
    templates: "Mapping[str, bytes]" = {}
    printer: Printer = "built_in"
    rates: RateTable | None = None


def read_paper_files(town: "Town", profile: "Profile | None" = None) -> PaperFiles:
    """Read all that the papers of a town need from the disk; what is missing or cannot be used comes up at once.

    Parameters
    ----------
    town
        The town.
    profile
        Its ordinance, where an invoice may be among the papers: the rate table is read where the law has the applicant pay for the notices.

    Raises
    ------
    InputError
        Seal, templates or rate table cannot be used, or LibreOffice is to make the PDFs and is not installed; all of it at once.
    UsageError
        The folder of templates has one that no paper uses.
    """
    together = Together()
    seal, templates, rates, printer = None, dict[str, bytes](), None, town.papers.pdf
    with together:
        if town.postage is not None and profile is not None and any(rule.cost_of_notices for rule in profile.rules):
            rates = read_rates(town.folder / town.postage.file)
    with together:
        seal = _seal(town)
    with together:
        templates = _templates(town)
    with together:
        printer = _printer(town)
    together.settle()
    return PaperFiles(seal=seal, templates=templates, printer=printer, rates=rates)


def read_paper_settings(
    town: "Town",
    *,
    occasion: str,
    files: PaperFiles | None = None,
    event: "Event | None" = None,
    hearing_place: str = "",
    hearing_time: str = "",
    stated: "Mapping[str, str] | None" = None,
) -> PaperSettings:
    """Read the town's own templates and seal, and put them together with what is stated.

    Parameters
    ----------
    town
        The town.
    occasion
        Why notice is given, in the ordinance's words.
    files
        What was read of the town's seal and templates already; by itself it is read now.
    event
        The application, where there is one.
    hearing_place, hearing_time
        Where and when this hearing is held, where that is not what the town file says.
    stated
        What the papers of the packet stated when it was made, as its record has it; what the application says now comes before it.

    Raises
    ------
    InputError, UsageError
        As :func:`read_paper_files` raises them.
    """
    files = files or read_paper_files(town)
    said = (_stated(event) if event is not None else {}) | {"hearing_place": hearing_place, "hearing_time": hearing_time}
    own = {**(stated or {}), **{name: text for name, text in said.items() if text}}
    return PaperSettings(
        clerk=town.clerk,
        signature=town.papers.signature,
        seal=files.seal,
        templates=files.templates,
        stated={
            "occasion": occasion,
            "hearing_place": town.papers.hearing_place,
            "hearing_time": town.papers.hearing_time,
            "county": town.papers.county,
            **own,
        },
        of_packet=own,
        printer=files.printer,
    )


def _printer(town: "Town") -> Printer:
    """Return what makes the PDFs; LibreOffice only where it is at hand, since a town that names it wants its pages and no others."""
    if town.papers.pdf == "libreoffice" and find_libreoffice() is None:
        raise TownFileError(
            Fault(
                what="LibreOffice is to make the PDFs, and it is not installed, or not on the PATH",
                file=str(town.file),
                key="papers.pdf",
                remedy="install LibreOffice with its Writer, or take the line out: the program then makes the PDFs itself",
            )
        )
    return town.papers.pdf


def _stated(event: "Event") -> dict[str, str]:
    about = event.event
    persons = about.persons_at_once if about.persons_at_once is not None else about.persons_total
    return {
        "event_title": about.title or "",
        "event_kind": (about.kind or "").replace("_", " "),
        "event_when": "\n".join(when(about)),
        "event_persons": "" if persons is None else f"{persons:,}",
        "applicant_name": event.applicant.name or "",
        "applicant_contact": about.contact or "",
    }


def _templates(town: "Town") -> dict[str, bytes]:
    """Return the Word files in the town's folder of templates, by name, checked; none where there is no such folder and the town file names none."""
    folder = town.folder / town.papers.templates
    if not folder.is_dir():
        if town.papers.templates == PapersSpec().templates and not folder.exists():
            return {}
        # A town that names a folder has words of its own: the program's would go out in their place, unsaid.
        raise TemplateError(
            Fault(
                what="the folder of templates is not there"
                if not folder.exists()
                else "this is a file, not the folder of templates",
                file=str(folder),
                key="papers.templates",
                why="the papers would be written in the program's words, not the town's",
                remedy="fix the path (it is relative to the town file), or take the line out",
                command="fix the path (it is relative to the town file), take the line out, or have the templates written with: geonotice templates TOWN",
            )
        )
    remove_leftovers(folder)  # templates that a killed process had listed to be moved go to their places first
    files: dict[str, bytes] = {}
    together = Together()
    for file in sorted(folder.glob("*.docx")):
        if file.name.startswith("~$"):  # Word's own note that another file is open
            continue
        with together:
            try:
                files[file.name] = file.read_bytes()
            except OSError as error:
                what = f"the template cannot be read: {error.strerror}"
                remedy = "make it readable, or delete it to use the program's own words"
                raise TemplateError(Fault(what=what, file=f"{town.papers.templates}/{file.name}", remedy=remedy)) from error
    with together:
        own_templates(files, folder=town.papers.templates)
    together.settle()
    return files


def _seal(town: "Town") -> bytes | None:
    if not town.papers.seal:
        return None
    file = town.folder / town.papers.seal
    try:
        content = file.read_bytes()
    except OSError as error:
        what = f"the seal cannot be read: {error.strerror}"
        raise TemplateError(Fault(what=what, file=str(file), key="papers.seal", remedy="fix the path, or take it out")) from error
    try:
        return paper_picture(content)
    except ValueError as error:
        raise TemplateError(
            Fault(
                what=f"the seal cannot be printed: {error}",
                file=str(file),
                key="papers.seal",
                remedy="name the new file, or take the line out: the letterhead then has no seal",
            )
        ) from error


def write_templates(town: "Town") -> tuple[Path, tuple[str, ...]]:
    """Write the program's own template of each paper into the town's folder, for the town to change; one that is there is left as it is.

    Returns
    -------
    tuple
        The folder, and the names of the files that were written.

    Raises
    ------
    OutputError
        The folder cannot be written.
    TemplateError
        The seal cannot be used.
    """
    folder = town.folder / town.papers.templates
    seal = _seal(town)
    files = {paper.file: template_bytes(paper, seal=seal) for paper in word_papers()} | {FIELDS_FILE: fields_text().encode()}
    new = tuple(name for name in files if name == FIELDS_FILE or not (folder / name).exists())
    write_files(folder, {name: files[name] for name in new}, what="the templates")
    return folder, new
