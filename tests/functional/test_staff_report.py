"""The staff report: an event against the ordinance, on paper."""

import io
from datetime import date
from functools import cache
from itertools import pairwise

import pdfplumber
import pytest
import shapely

from geonotice.cli import every_command
from geonotice.config.questions import parted
from geonotice.facts import premises
from geonotice.facts.surroundings import measure
from geonotice.model import Finding
from geonotice.ordinance.profile import SignOff
from geonotice.packet.printed_map import ReportMap, Shown
from geonotice.packet.staff_report import Neighbour, StaffReport, staff_report_pdf
from geonotice.workflow.check_papers import staff_report

ON = date(2026, 11, 30)


@pytest.fixture(scope="module")
def towns(imported, tmp_path_factory):
    place = tmp_path_factory.mktemp("towns")
    for name in ("italy", "southampton"):
        imported(name, place / name)
    return place


@cache
def report_of(town, event):
    """Make the report of a demonstration's event once for all tests that read it: the same inputs give the same bytes."""
    return staff_report(town, town / "events" / f"{event}.toml", on=ON)


@cache
def read(content):
    """Read the pages of a PDF once for all tests: of each its words with their places, and its text."""
    with pdfplumber.open(io.BytesIO(content)) as pdf:
        found = tuple((page.extract_words(), page.extract_text()) for page in pdf.pages)
        for page, (words, _) in zip(pdf.pages, found, strict=True):
            for word in words:
                assert word["x0"] >= 30
                assert word["x1"] <= page.width - 30
                assert word["top"] >= 20
                assert word["bottom"] <= page.height - 15
        return found


def pages(content):
    return tuple(text for _, text in read(content))


@pytest.mark.parametrize(
    ("town", "event", "words"),
    [
        ("southampton", "allowed", ["✓", "sh.insurance30", "CR-60", "1 in ="]),
        ("southampton", "refused", ["✗ NOT MET", "May not be issued", "LATE", "days late"]),
        ("southampton", "undecided", ["? TO DECIDE", "To be answered first"]),
        ("italy", "refused", ["✗ NOT MET"]),
        ("italy", "exempt", ["No permit is required"]),
    ],
)
def test_the_report_says_what_the_check_found(towns, town, event, words):
    result, content = report_of(towns / town, event)
    text = "\n".join(pages(content))
    assert all(word in text for word in words)
    flat = " ".join(text.split())
    assert all(finding.rule in flat for finding in result.findings if finding.status != "remind")
    assert all(words_of(finding.title) <= words_of(flat) for finding in result.findings if finding.status == "remind")
    assert all(aside.rule in flat for aside in result.not_applicable)
    assert all(words_of(warning.text) <= words_of(flat) for warning in result.warnings)
    assert all(question.split()[0] in text for question in parted(result.missing)[0])


def words_of(text):
    return set(text.split())


def test_a_day_that_something_may_not_come_before_is_not_called_the_last_one(towns):
    _, content = report_of(towns / "southampton", "refused")
    lines = [line for page in pages(content) for line in page.splitlines() if "put up" in line]
    assert lines
    assert not any("last lawful day" in line for line in lines)


def test_the_same_inputs_give_the_same_bytes(towns):
    event = towns / "italy" / "events" / "allowed.toml"
    assert staff_report(towns / "italy", event, on=ON)[1] == staff_report(towns / "italy", event, on=ON)[1]


@pytest.mark.parametrize(("town", "clause"), [("italy", "D(5)"), ("southampton", "283-6A(7)")])
def test_the_first_page_has_the_answer_what_is_proposed_and_what_is_not_met(towns, town, clause):
    _, content = report_of(towns / town, "refused")
    first = pages(content)[0]
    parts = ["May not be issued: ", "What is proposed", "What must happen next", "Requirements that are not met"]
    assert sorted(parts, key=first.index) == parts
    assert f"[{clause}]" in first
    assert "Page 1 of " in first


def test_what_is_proposed_names_days_hours_applicant_premises_and_owner(towns):
    _, content = report_of(towns / "italy", "allowed")
    first = " ".join(pages(content)[0].split())
    for words in (
        "May be issued: every requirement that could be checked is met.",
        "Event Hay Field Concert, music festival",
        "Days and hours Saturday, July 17, 2027, 2 p.m. to 10 p.m.",
        "Applicant Hay Field Concerts, Inc.; corporation; not the owner of the property; does not reside in the Town",
        "Sponsor private",
        "Contact not stated",
        "Attendance 800 at one time, 1,100 in all, 800 outdoors at one time",
        "Filed Monday, November 16, 2026",
        "Found complete Tuesday, November 24, 2026",
        "Premises 51.00-1-1, 1368 State Route 290, 48.93 acres",
        "Owner of record Fallowfield Farms LLC, 1370 State Route 290, Cobb Corners NY 14598",
        "As of November 30, 2026. Assessment roll of 2026 (final).",
    ):
        assert words in first, words


@pytest.mark.parametrize("town", ["italy", "southampton"])
def test_what_is_not_met_has_the_whole_clause_beside_it(towns, town):
    result, content = report_of(towns / town, "refused")
    flat = " ".join(" ".join(pages(content)).split())
    refused = [one for one in result.findings if one.status in ("not_met", "decide")]
    assert refused
    for one in refused:
        assert f"The law: {' '.join(one.citation.partition(': ')[2].split())}" in flat, one.rule


def test_the_officials_of_the_review_have_a_line_to_sign(towns, tmp_path):
    _, content = report_of(towns / "southampton", "allowed")
    text = " ".join(" ".join(pages(content)).split())
    officials = (
        "Chief of Police",
        "Town Code Compliance and Emergency Management Administrator",
        "Chief Fire Marshal",
        "Town Planning and Development Administrator",
    )
    assert "To be signed" in text
    assert text.count("Signature Date") == len(officials)
    assert all(f"{one}: application reviewed" in text.replace(" Signature Date", "") for one in officials[:1])
    _, exempt = report_of(towns / "southampton", "exempt")
    assert "To be signed" not in " ".join(pages(exempt))
    _, italy = report_of(towns / "italy", "allowed")
    assert "Town Code Enforcement Officer and/or Town Board: conditions of" in " ".join(" ".join(pages(italy)).split())


def test_the_adjoining_owners_stand_with_their_addresses(towns):
    _, content = report_of(towns / "italy", "refused")
    text = " ".join(" ".join(pages(content)).split())
    assert "Adjoining owners [B(3)] Parcel Owner of record Mailing address" in text
    assert "52.11-2-8, 1410 State Route 290 Merriwether Josephine A & Dorothy PO Box 261, Cobb Corners NY 14598" in text
    assert "41.00-1-7 Finchley Brothers 1814 Hollow Rd, Cobb Corners NY 14598" in text


def test_what_must_happen_next_is_dated_and_stands_before_the_reminders(towns):
    _, content = report_of(towns / "italy", "refused")
    text = " ".join(" ".join(pages(content)).split())
    assert "By Thu, February 4, 2027 Remove all trash, garbage and waste from the premises (the applicant) [G]." in text
    assert "No date yet Publish and post the notice of the hearing;" in text
    assert text.index("What must happen next") < text.index("To remember")


def test_what_a_person_settles_stands_before_what_is_met(towns):
    _, content = report_of(towns / "southampton", "refused")
    whole = "\n".join(pages(content))
    parts = [
        "Requirements that are not met",
        "To decide",
        "Look at these",
        "To be signed",
        "What the layers know",
        "To remember",
        "Met, or not in the way",
        "Does not apply",
    ]
    assert sorted(parts, key=whole.index) == parts


def test_an_event_without_any_answer_still_fits(towns, tmp_path):
    event = tmp_path / "bare.toml"
    event.write_text('[premises]\nparcels = ["0900-123.00-01.00-002.000"]\n')
    result, content = staff_report(towns / "southampton", event, on=ON)
    text = " ".join(" ".join(pages(content)).split())
    assert "Page 2 of " in text
    answered, looked_up = parted(result.missing)
    assert all(question.split()[0] in text for question in answered)
    assert looked_up
    assert all(question[:40] in text for question in looked_up)
    assert "facts." not in text
    assert all(finding.rule in text for finding in result.findings if finding.status == "decide")


LONG = (
    "The Honorable and Ancient Society of the Friends of the Bay and of the Lighthouse at Sandmere Point and its Keepers of Old"
)


def test_long_names_many_owners_and_many_findings_are_printed_whole_and_apart():
    assert len(LONG) >= 120
    text = "The tents stand longer than the days allowed, and nothing in the answers says that the Chief Fire Marshal allows it."
    findings = [
        Finding(
            f"town.rule{n}",
            "not_met",
            f"Town Code, {n}: “{'Whereas no tent shall stand. ' * 20}”",
            text,
            title=f"Rule {n}: {LONG}",
            section=f"{n}",
        )
        for n in range(20)
    ]
    near = [Neighbour(f"0900-123.00-01.00-{n:03}.000", f"{n} {LONG}", f"{n} {LONG}", f"{n} {LONG}") for n in range(12)]
    made = bare_report(
        title=LONG,
        premises=f"1-1 ({LONG})",
        headline=f"May not be issued: 20 requirements are not met ({'; '.join(f'{LONG} [{n}]' for n in range(4))}; and 16 more).",
        proposed=[("Event", LONG), ("Days and hours", "\n".join(f"Day {n}" for n in range(120))), ("Contact", LONG * 16)],
        findings=findings,
        neighbours=near,
        questions=[f"key{n}: {LONG}?" for n in range(20)],
        sign_offs=[(SignOff(by=f"{n} {LONG}", what=LONG), "283-4") for n in range(4)],
    )
    content = staff_report_pdf(made)
    told = pages(content)
    flat = " ".join(" ".join(page.rpartition("\n")[0] for page in told).split())  # without the foot of each page
    assert all(f"Rule {n}: {LONG} [{n}]" in flat and f"(town.rule{n})" in flat for n in range(20))
    assert flat.count("Whereas no tent shall stand.") == 400
    assert all(f"Day {n}" in flat for n in range(120))
    assert all(f"key{n}: {LONG}?" in flat for n in range(20))
    assert (
        flat.count("Honorable") == 20 + 12 * 3 + 1 + 16 + 20 + 4 * 2 + 4 + 2
    )  # findings, owners, the proposal, questions, lines, headline, head
    assert f"Page {len(told)} of {len(told)}" in told[-1]
    assert not overlapping(content)


def overlapping(content):
    """Return the words of a PDF that lie on each other."""
    found = []
    for words, _ in read(content):
        boxes = shapely.box(*zip(*((w["x0"], w["top"] + 1.5, w["x1"], w["bottom"] - 1.5) for w in words), strict=True))
        one, other = shapely.STRtree(boxes).query(boxes, predicate="overlaps")
        found += [(words[a]["text"], words[b]["text"]) for a, b in zip(one, other, strict=True) if a < b]
    return found


@pytest.mark.parametrize(("town", "event"), [("italy", "refused"), ("southampton", "undecided"), ("southampton", "refused")])
def test_no_words_lie_on_each_other(towns, town, event):
    _, content = report_of(towns / town, event)
    (on_map,) = [n for n, text in enumerate(pages(content)) if "1 in = " in text]
    for n, (words, _) in enumerate(read(content)):
        tops = sorted({round(word["top"]) for word in words})
        # On the map names lie apart in the plane; on the other pages lines do.
        assert n == on_map or min(b - a for a, b in pairwise(tops)) >= 1
    assert not [pair for pair in overlapping(content) if len(pair[0]) > 1 and len(pair[1]) > 1]


def test_beside_each_date_stands_how_it_is_reckoned(towns):
    _, content = report_of(towns / "southampton", "refused")
    text = " ".join(" ".join(pages(content)).replace("\xa0", " ").split())
    assert "90 days before 2026-12-19; 2026-09-20 is a Sunday: nothing carries it later" in text
    assert "7 days after 2026-12-19; 2026-12-26 is a Saturday: nothing carries it later" in text
    _, content = report_of(towns / "italy", "allowed")
    text = " ".join(" ".join(pages(content)).replace("\xa0", " ").split())
    assert "; 2027-02-07 is a Sunday: § 25-a carries it to 2027-02-08" in text
    assert "Counted without the day that a period is counted from (§ 20)" in text


def test_dates_of_rules_that_do_not_apply_are_no_dates_of_this_event(towns):
    _, content = report_of(towns / "southampton", "refused")
    assert "notice of expressive activity" not in " ".join(" ".join(pages(content)).split())


def test_a_parcel_without_room_for_its_number_is_in_the_key(towns):
    _, content = report_of(towns / "southampton", "refused")
    assert "is 0900-127.00-03.00-002.000" in " ".join(" ".join(pages(content)).split())


def test_setbacks_that_nobody_verified_are_said_to_be_so_on_the_report(towns):
    _, content = report_of(towns / "southampton", "refused")
    text = " ".join("\n".join(pages(content)).split())
    assert "both sides together 65 ft; not verified: the Town's own map viewer as of 2016" in text


def test_the_premises_are_measured_once(towns, monkeypatch):
    asked = []
    monkeypatch.setattr(premises, "measure", lambda *given, **more: asked.append(given) or measure(*given, **more))
    staff_report(towns / "italy", towns / "italy" / "events" / "allowed.toml", on=ON)
    assert len(asked) == 1


def test_a_case_without_layers_has_no_map_to_print(tmp_path):
    from typer.testing import CliRunner

    outcome = CliRunner().invoke(every_command(), ["check", "--case", "case.json", "--pdf", str(tmp_path / "report.pdf")])
    assert outcome.exit_code != 0
    assert not (tmp_path / "report.pdf").exists()


def test_a_wedding_has_no_day_for_the_notice_of_expressive_activity(towns):
    _, content = report_of(towns / "southampton", "exempt")
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
    found = pages(report_of(towns / "italy", "allowed")[1])
    assert "Hattie Merriwether, Town Clerk; Italy Town Hall" in " ".join(found[0].split())
    assert "Zoning no zoning layer" in "\n".join(found)
    found = pages(report_of(towns / "southampton", "exempt")[1])
    assert "Zoning R-40 (residential, 100%)\n" in "\n".join(found)


def bare_report(**changes) -> StaffReport:
    stated = {"town": "Town of Italy", "chapter": "Chapter 1", "ordinance": "italy", "title": "Fair", "premises": "1-1", "on": ON}
    return StaffReport(**stated | {"headline": "A permit is needed.", "findings": (), "groups": {}, "standing": {}} | changes)


def test_letters_that_cannot_be_printed_have_a_box_in_their_place_and_the_report_says_so():
    finding = Finding("x.one", "not_met", "Chapter 1, A", "王小明 speaks for שלום", title="Applicant", change="another 王")
    drawn = ReportMap(shapely.box(0, 0, 90, 90), (Shown("street", shapely.LineString([(0, -20), (90, -20)]), "محمد St"),))
    made = bare_report(title="Łukasz 王 Жуков Παπά", findings=(finding,), facts=(("Owner", "A\u0332B"),), map=drawn)
    text = " ".join(" ".join(pages(staff_report_pdf(made))).split())
    assert "Łukasz ▯ Жуков Παπά" in text
    assert "✗ NOT MET Applicant ▯▯▯ speaks for ▯▯▯▯ Would change it: another ▯." in text
    assert "A▯B" in text
    assert "▯▯▯▯ St" in text
    assert "This paper cannot print 11 letters of the names or words that it was given, and has ▯ in their place: U+" in text
    for letter in "王小明שלום\u0332محمد":
        assert f"U+{ord(letter):04X}" in text
    assert staff_report_pdf(made) == staff_report_pdf(made)


def test_a_report_whose_letters_can_be_printed_says_nothing_of_letters():
    assert "cannot print" not in " ".join(pages(staff_report_pdf(bare_report(title="Łukasz Жуков Παπά"))))
