"""What goes out of the office on paper is read by residents, applicants and attorneys: it names no command, no option and no key of a settings file."""

import io
import re
from pathlib import Path

import pytest
from docx import Document
from openpyxl import load_workbook
from program import run, run_here

from geonotice.cli import every_command
from geonotice.io.pdf_words import words_of_pdf

STAYS = {"index.html", "record.json", "map.html", "notice.gpkg", "mailing-service.csv"}
"""What the office keeps: its own first page, its map, its data."""

PREMISES = {"italy": "51.00-1-1", "southampton": "0900-123.00-01.00-002.000"}
BY = ["--by", "Fire Marshal", "--on", "2026-11-25"]


def commands() -> str:
    """Return a pattern of the commands of the program, a word or two each: ``geonotice notice``, ``mail record``."""
    app = every_command()
    groups = {one.name: one.typer_instance for one in app.registered_groups}
    words = {
        group: [one.name or one.callback.__name__.rstrip("_").replace("_", "-") for one in inner.registered_commands]
        for group, inner in groups.items()
    }
    pairs = [f"{group} {word}" for group, those in words.items() for word in those]
    return rf"geonotice (?!\d)[a-z][\w-]*|\b(?:{'|'.join(map(re.escape, pairs))}) [A-Z]{{2,}}"


NAMED = re.compile(
    rf"{commands()}|(?<![\w-])--[a-z][\w-]+|\bTOWN PACKET\b|\[(?:town|clerk|papers|postage|register|layers|settings|corrections|others)[\].]|\.toml\b"
)


def text_of(file: Path) -> str:
    """Return what a reader of a paper reads."""
    if file.suffix == ".pdf":
        return " ".join(words_of_pdf(file.read_bytes()))
    if file.suffix == ".docx":
        paper = Document(io.BytesIO(file.read_bytes()))
        cells = [cell.text for table in paper.tables for row in table.rows for cell in row.cells]
        feet = [one.text for section in paper.sections for part in (section.header, section.footer) for one in part.paragraphs]
        return "\n".join([*(one.text for one in paper.paragraphs), *cells, *feet])
    if file.suffix == ".xlsx":
        book = load_workbook(file)
        return "\n".join(
            str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    return re.sub(r"<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL) if file.suffix == ".html" else text


def named_in(folder: Path) -> dict[str, list[str]]:
    """Return what the papers of a folder name that they must not, by file."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name not in STAYS]
    assert files
    return {file.name: found for file in files if (found := sorted({one[0] for one in NAMED.finditer(text_of(file))}))}


def test_the_pattern_finds_what_it_is_for():
    text = "run geonotice notice, use --nudge-x, see mail record TOWN, [clerk] name, town.toml; made by geonotice 0.1.0, well-known, A--B"
    assert [one[0] for one in NAMED.finditer(text)] == ["geonotice notice", "--nudge-x", "mail record TOWN", "[clerk]", ".toml"]


@pytest.mark.parametrize(
    ("town", "asked"),
    [
        ("italy", ["--for", "hearing", "--hearing", "2026-12-03", "--envelopes"]),
        ("southampton", ["--for", "appeal", "--hearing", "2026-12-22", "--envelopes"]),
        ("southampton", ["--for", "filing"]),
    ],
)
def test_no_paper_of_a_packet(town, asked, request, tmp_path):
    run_here("notice", request.getfixturevalue(town), PREMISES[town], *asked, "--on", "2026-11-30", "--out", tmp_path / "packet")
    assert named_in(tmp_path / "packet") == {}


@pytest.mark.parametrize(("event", "code"), [("refused", 5), ("undecided", 0)])
@pytest.mark.parametrize("town", ["italy", "southampton"])
def test_no_staff_report(town, event, code, request, tmp_path):
    place = request.getfixturevalue(town)
    run("check", place, place / "events" / f"{event}.toml", "--on", "2026-11-30", "--pdf", tmp_path / "report.pdf", expect=code)
    assert named_in(tmp_path) == {}


def test_no_paper_of_a_permit_and_no_denial(southampton, tmp_path):
    import shutil

    town = tmp_path / "southampton"
    shutil.copytree(southampton, town)
    run(
        "permit",
        "issue",
        town,
        PREMISES["southampton"],
        "--starts",
        "2026-12-12",
        "--night",
        "no",
        "--applicant",
        "Ann",
        "--override",
        "as agreed",
        *BY,
    )
    run("permit", "amend", town, "SE-2026-023", "--starts", "2026-12-13", "--reason", "rain", *BY)
    run("permit", "print", town, "SE-2026-023", "--out", tmp_path / "papers", "--on", "2026-11-25")
    run("permit", "rescind", town, "SE-2026-023", "--reason", "false statements", *BY)
    run("permit", "print", town, "SE-2026-023", "--out", tmp_path / "papers", "--on", "2026-11-25")
    run("application", "add", town, town / "events" / "refused.toml", *BY)
    run("application", "deny", town, "A2026-0001", "--reason", "no insurance", *BY)
    run("application", "print", town, "A2026-0001", "--out", tmp_path / "papers", "--on", "2026-11-25")
    assert len(list((tmp_path / "papers").glob("*.pdf"))) == 4
    assert named_in(tmp_path / "papers") == {}
