"""The staff report: an event against the ordinance, on paper."""

import io
import shutil
from datetime import date

import pdfplumber
import pytest
import shapely

from geonotice.cli.app import app
from geonotice.facts import premises
from geonotice.facts.surroundings import measure
from geonotice.model import Finding
from geonotice.packet.printed_map import ReportMap, Shown
from geonotice.packet.staff_report import StaffReport, staff_report_pdf
from geonotice.workflow.check_papers import staff_report
from geonotice.workflow.importing import import_layers

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
        ("southampton", "allowed", ["✓", "sh.insurance30", "CR-60", "1 in ="]),
        ("southampton", "refused", ["✗ NOT MET", "May not be issued"]),
        ("southampton", "undecided", ["? TO DECIDE", "To be answered first"]),
        ("italy", "refused", ["✗ NOT MET"]),
        ("italy", "exempt", ["No permit is required"]),
    ],
)
def test_the_report_says_what_the_check_found(towns, town, event, words):
    result, content = staff_report(towns / town, towns / town / "events" / f"{event}.toml", on=ON)
    text = "\n".join(pages(content))
    assert all(word in text for word in words)
    flat = " ".join(text.split())
    assert all(finding.rule in flat for finding in result.findings if finding.status != "remind")
    assert all(words_of(finding.title) <= words_of(flat) for finding in result.findings if finding.status == "remind")
    assert all(aside.rule in flat for aside in result.not_applicable)
    assert all(words_of(warning.text) <= words_of(flat) for warning in result.warnings)
    assert all(question.split()[0] in text for question in result.missing)


def words_of(text):
    return set(text.split())


def test_a_day_that_something_may_not_come_before_is_not_called_the_last_one(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    lines = [line for page in pages(content) for line in page.splitlines() if "put up" in line]
    assert lines
    assert not any("last lawful day" in line for line in lines)


def test_the_same_inputs_give_the_same_bytes(towns):
    event = towns / "italy" / "events" / "allowed.toml"
    assert staff_report(towns / "italy", event, on=ON)[1] == staff_report(towns / "italy", event, on=ON)[1]


@pytest.mark.parametrize("town", ["italy", "southampton"])
@pytest.mark.parametrize("event", ["allowed", "exempt", "refused", "undecided"])
def test_the_report_is_one_sheet_with_the_map_on_its_back(towns, town, event):
    _, content = staff_report(towns / town, towns / town / "events" / f"{event}.toml", on=ON)
    found = pages(content)
    assert len(found) == 2
    assert "Page 1 of 2" in found[0]
    assert "What the layers know" in found[1]


def test_what_a_person_settles_stands_before_what_is_met(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    first = pages(content)[0]
    parts = [
        "Requirements that are not met",
        "To decide",
        "Look at these",
        "To remember",
        "Met, or not in the way",
        "Does not apply",
    ]
    assert sorted(parts, key=first.index) == parts


def test_an_event_without_any_answer_still_fits(towns, tmp_path):
    event = tmp_path / "bare.toml"
    event.write_text('[premises]\nparcels = ["0900-123.00-01.00-002.000"]\n')
    result, content = staff_report(towns / "southampton", event, on=ON)
    text = " ".join(" ".join(pages(content)).split())
    assert "Page 2 of 2" in text
    assert all(question.split()[0] in text for question in result.missing)
    assert all(finding.rule in text for finding in result.findings if finding.status == "decide")


def test_a_report_that_two_pages_do_not_hold_says_so_and_goes_on():
    text = "The tents stand longer than the days allowed, and nothing in the answers says that the Chief Fire Marshal allows it."
    findings = [Finding(f"town.rule{n}", "not_met", f"Town Code, {n}", text, title=f"Rule {n}") for n in range(150)]
    report = StaffReport(
        town="Town",
        chapter="Town Code",
        ordinance="Town Code (profile town)",
        title="Fair",
        premises="1-1",
        on=ON,
        headline="May not be issued: 1 requirement is not met (Lights).",
        findings=findings,
        groups={},
        standing={},
    )
    found = pages(staff_report_pdf(report))
    assert len(found) > 2
    assert f"This report has {len(found)} pages" in found[0]
    assert f"Page {len(found)} of {len(found)}" in found[-1]
    told = " ".join(" ".join(found).split())
    assert all(f"town.rule{n})" in told for n in range(150))


def test_beside_each_date_stands_how_it_is_reckoned(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    text = " ".join(" ".join(pages(content)).replace("\xa0", " ").split())
    assert "90 days before 2026-12-19; 2026-09-20 is a Sunday: nothing carries it later" in text
    assert "7 days after 2026-12-19; 2026-12-26 is a Saturday: nothing carries it later" in text
    _, content = staff_report(towns / "italy", towns / "italy" / "events" / "allowed.toml", on=ON)
    text = " ".join(" ".join(pages(content)).replace("\xa0", " ").split())
    assert "; 2027-02-07 is a Sunday: § 25-a carries it to 2027-02-08" in text
    assert "Counted without the day that a period is counted from (§ 20)" in text


def test_dates_of_rules_that_do_not_apply_are_no_dates_of_this_event(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    assert "notice of expressive activity" not in " ".join(" ".join(pages(content)).split())


def test_a_parcel_without_room_for_its_number_is_in_the_key(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    assert "is 0900-127.00-03.00-002.000" in " ".join(pages(content)[1].split())


def test_where_no_setbacks_are_known_the_report_says_so(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "refused.toml", on=ON)
    assert "No setback line is drawn for CR-60: the profile's district table gives no widths." in pages(content)[1]


def test_the_premises_are_measured_once(towns, monkeypatch):
    asked = []
    monkeypatch.setattr(premises, "measure", lambda *given, **more: asked.append(given) or measure(*given, **more))
    staff_report(towns / "italy", towns / "italy" / "events" / "allowed.toml", on=ON)
    assert len(asked) == 1


def test_a_case_without_layers_has_no_map_to_print(tmp_path):
    from typer.testing import CliRunner

    outcome = CliRunner().invoke(app, ["check", "--case", "case.json", "--pdf", str(tmp_path / "report.pdf")])
    assert outcome.exit_code != 0
    assert not (tmp_path / "report.pdf").exists()


def test_a_wedding_has_no_day_for_the_notice_of_expressive_activity(towns):
    _, content = staff_report(towns / "southampton", towns / "southampton" / "events" / "exempt.toml", on=ON)
    assert "give written notice of expressive activity" not in " ".join(" ".join(pages(content)).split())


def test_expressive_activity_has_it(towns, tmp_path):
    event = tmp_path / "march.toml"
    event.write_text(
        '[event]\nkind = "expressive"\nstarts = 2027-05-22T10:00:00\npersons_total = 200\n'
        '[premises]\nparcels = ["0900-123.00-01.00-002.000"]\n'
    )
    _, content = staff_report(towns / "southampton", event, on=ON)
    assert "give written notice of expressive activity" in " ".join(" ".join(pages(content)).split())


def test_its_head_says_which_office_it_comes_from_and_a_town_without_zoning_says_so(towns):
    first, second = pages(staff_report(towns / "italy", towns / "italy" / "events" / "allowed.toml", on=ON)[1])
    assert "Hattie Merriwether, Town Clerk; Italy Town Hall" in " ".join(first.split())
    assert "Zoning no zoning layer" in second
    _, second = pages(staff_report(towns / "southampton", towns / "southampton" / "events" / "exempt.toml", on=ON)[1])
    assert "Zoning R-40 (residential, 100%)\n" in second


def bare_report(**changes) -> StaffReport:
    stated = {"town": "Town of Italy", "chapter": "Chapter 1", "ordinance": "italy", "title": "Fair", "premises": "1-1", "on": ON}
    return StaffReport(**stated | {"headline": "A permit is needed.", "findings": (), "groups": {}, "standing": {}} | changes)


def test_letters_that_cannot_be_printed_have_a_box_in_their_place_and_the_report_says_so():
    finding = Finding("x.one", "not_met", "Chapter 1, A", "王小明 speaks for שלום", title="Applicant", change="another 王")
    drawn = ReportMap(shapely.box(0, 0, 90, 90), (Shown("street", shapely.LineString([(0, -20), (90, -20)]), "محمد St"),))
    made = bare_report(title="Łukasz 王 Жуков Παπά", findings=(finding,), facts=(("Owner", "A\u0332B"),), map=drawn)
    text = " ".join(" ".join(pages(staff_report_pdf(made))).split())
    assert "Łukasz ▯ Жуков Παπά" in text
    assert "Applicant: ▯▯▯ speaks for ▯▯▯▯ Would change it: another ▯" in text
    assert "A▯B" in text
    assert "▯▯▯▯ St" in text
    assert "This paper cannot print 11 letters of the names or words that it was given, and has ▯ in their place: U+" in text
    for letter in "王小明שלום\u0332محمد":
        assert f"U+{ord(letter):04X}" in text
    assert staff_report_pdf(made) == staff_report_pdf(made)


def test_a_report_whose_letters_can_be_printed_says_nothing_of_letters():
    assert "cannot print" not in " ".join(pages(staff_report_pdf(bare_report(title="Łukasz Жуков Παπά"))))
