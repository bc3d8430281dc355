"""The staff report: an event against the ordinance, on paper."""

import io
import shutil
from datetime import date

import pdfplumber
import pytest

from geonotice.cli.app import app
from geonotice.workflow.importing import import_layers
from geonotice.workflow.staff_report import staff_report

ON = date(2026, 11, 30)


@pytest.fixture(scope="module")
def towns(root, tmp_path_factory):
    place = tmp_path_factory.mktemp("towns")
    for name in ("italy", "southampton"):
        shutil.copytree(root / "data" / name, place / name)
        import_layers(place / name)
    return place


def pages(content):
    with pdfplumber.open(io.BytesIO(content)) as pdf:
        for page in pdf.pages:
            assert all(word["x0"] >= 30 and word["x1"] <= page.width - 30 for word in page.extract_words())
            assert all(word["top"] >= 20 and word["bottom"] <= page.height - 15 for word in page.extract_words())
        return [page.extract_text() for page in pdf.pages]


@pytest.mark.parametrize(
    ("town", "event", "words"),
    [
        ("southampton", "allowed", ["✓ met", "sh.insurance30", "CR-60", "1 in ="]),
        ("southampton", "refused", ["✗ NOT MET", "the law stands in its way"]),
        ("southampton", "undecided", ["? TO DECIDE", "To be answered first"]),
        ("italy", "refused", ["✗ NOT MET"]),
        ("italy", "exempt", ["No permit is needed"]),
    ],
)
def test_the_report_says_what_the_check_found(towns, town, event, words):
    result, content = staff_report(towns / town, towns / town / "events" / f"{event}.toml", on=ON)
    text = "\n".join(pages(content))
    assert all(word in text for word in words)
    told = [finding for finding in result.findings if finding.status != "remind"]
    assert all(finding.rule in text.replace("\n", " ") for finding in told)
    assert all(question.split()[0] in text for question in result.missing)


def test_a_day_that_something_may_not_come_before_is_not_called_the_last_one(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    lines = [line for page in pages(content) for line in page.splitlines() if "put up" in line]
    assert lines
    assert not any("last lawful day" in line for line in lines)


def test_the_same_inputs_give_the_same_bytes(towns):
    event = towns / "italy" / "events" / "allowed.toml"
    assert staff_report(towns / "italy", event, on=ON)[1] == staff_report(towns / "italy", event, on=ON)[1]


def test_an_event_within_two_pages_has_its_map_on_the_second(towns):
    _, content = staff_report(towns / "italy", towns / "italy" / "events" / "allowed.toml", on=ON)
    found = pages(content)
    assert len(found) == 2
    assert "What the layers know" in found[1]


def test_a_case_without_layers_has_no_map_to_print(tmp_path):
    from typer.testing import CliRunner

    outcome = CliRunner().invoke(app, ["check", "--case", "case.json", "--pdf", str(tmp_path / "report.pdf")])
    assert outcome.exit_code != 0
    assert not (tmp_path / "report.pdf").exists()
