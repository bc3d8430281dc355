"""``mail invoice``: the demonstration town's clerk bills the applicant for the notices."""

import json
import shutil

import pytest
from dying import files_in, outcomes_when_killed
from program import exit_code, run_here

from geonotice.io.pdf_words import words_of_pdf
from geonotice.workflow.packet_record import read_record

ASKED = ["51.00-1-1", "--for", "hearing", "--hearing", "2027-01-12", "--on", "2026-11-30", "--no-letters"]


@pytest.fixture(scope="module")
def billed(italy, tmp_path_factory):
    packet = tmp_path_factory.mktemp("invoice") / "packet"
    run_here("notice", italy, *ASKED, "--out", packet)
    return packet


@pytest.fixture
def packet(billed, tmp_path):
    shutil.copytree(billed, tmp_path / "packet")
    return tmp_path / "packet"


def test_publication_paper_and_payment_are_on_it_and_the_earlier_one_is_kept(italy, packet):
    earlier = (packet / "invoice.pdf").read_bytes()
    command = [
        "mail",
        "invoice",
        italy,
        packet,
        "--publication",
        "84.20",
        "--paper",
        "12.00",
        "--paid",
        "2026-12-12=100",
        "--on",
        "2026-12-14",
    ]
    made = json.loads(run_here(*command, "--json").stdout)
    amounts = [round(float(line["amount"]) * 100) for line in made["lines"]]
    assert sum(amounts) == round(float(made["total"]) * 100)
    assert round(float(made["still_due"]) * 100) == sum(amounts) - 10_000
    record = json.loads((packet / "record.json").read_text(encoding="utf-8"))
    mailed = [one for one in record["recipients"] if one["mail"] != "none" and one["mailable"]]
    assert sum(line["pieces"] or 0 for line in made["lines"]) == len(mailed)
    text = " ".join(" ".join(words_of_pdf((packet / "invoice.pdf").read_bytes())).split())
    assert "Paid on December 12, 2026: $100.00" in text
    assert f"Still due: ${made['still_due']}" in text
    assert (packet / "invoice-before-1.pdf").read_bytes() == earlier
    assert exit_code("verify", packet, "--town", italy, "--quick") == 0


def test_paid_without_an_amount_is_all_that_was_due(italy, packet):
    done = run_here(
        "mail", "invoice", italy, packet, "--publication", "84.20", "--paper", "12", "--paid", "2026-12-12", "--on", "2026-12-14"
    )
    assert "Still due: 0.00" in done.stdout


def test_a_day_before_the_first_rate_is_refused_by_name(italy, packet, capsys):
    assert exit_code("mail", "invoice", italy, packet, "--mailed", "2025-11-30", "--on", "2026-12-14") == 3
    assert "rates.toml has no rate for 2025-11-30" in capsys.readouterr().err


def test_a_payment_still_to_come_and_an_amount_of_three_decimals_are_refused(italy, packet):
    assert exit_code("mail", "invoice", italy, packet, "--paid", "2026-12-20", "--on", "2026-12-14") == 2
    assert exit_code("mail", "invoice", italy, packet, "--paper", "12.005", "--on", "2026-12-14") == 2


def test_southampton_asks_no_payment_since_the_applicant_mails(southampton, tmp_path, capsys):
    run_here("notice", southampton, "0900-123.00-01.00-002.000", "--for", "appeal", "--hearing", "2027-01-12", "--on", "2026-11-30",
             "--no-letters", "--out", tmp_path / "packet")  # fmt: skip
    assert not list((tmp_path / "packet").glob("invoice*"))
    assert exit_code("mail", "invoice", southampton, tmp_path / "packet") == 2
    assert "does not have the applicant pay" in capsys.readouterr().err


def rates_of(packet):
    text = " ".join(" ".join(words_of_pdf((packet / "invoice.pdf").read_bytes())).split())
    return text[text.index("Postage by the rates of") :]


def test_whose_day_the_postage_is_stands_on_the_invoice_and_is_said_where_it_is_not_the_day_of_mailing(italy, packet, tmp_path):
    assert "of November 30, 2026, the day on which the list was made: the day of mailing was not known" in rates_of(packet)
    town = shutil.copytree(italy, tmp_path / "italy")
    command = ("mail", "invoice", town, packet, "--publication", "84.20", "--on", "2026-12-14")
    done = run_here(*command)
    assert (
        "! Postage is that of 2026-11-30, the day on which the list was made, since the ledger has no day of mailing"
        in done.stderr
    )
    assert "the day of mailing was not known" in rates_of(packet)
    run_here("mail", "record", town, packet, "--all", "--mailed", "2026-12-02", "--by", "Ann Roe", "--on", "2026-12-14")
    assert "Postage" not in run_here(*command).stderr
    assert "of December 2, 2026, the day of mailing." in rates_of(packet)
    run_here("mail", "record", town, packet, 2, "--mailed", "2026-12-03", "--by", "Ann Roe", "--on", "2026-12-14")
    assert "on several days (2026-12-02, 2026-12-03); postage is that of the first" in run_here(*command).stderr
    assert "Postage" not in run_here(*command, "--mailed", "2026-12-03").stderr
    assert "of December 3, 2026, the day of mailing." in rates_of(packet)


def test_killed_at_any_move_word_file_and_pdf_are_both_the_old_ones_or_both_the_new_ones(italy, packet):
    before = files_in(packet)
    command = ("mail", "invoice", italy, packet, "--publication", "84.20", "--mailed", "2026-12-01", "--on", "2026-12-14")
    found = outcomes_when_killed(packet, lambda: exit_code(*command), lambda: read_record(packet), before=before)
    new = found[-1]
    assert new["invoice-before-1.pdf"] == before["invoice.pdf"]
    assert new["invoice.docx"] != before["invoice.docx"]
    assert [one for one in found if one not in (before, new)] == []


def test_rates_seal_templates_and_the_tables_of_a_case_are_told_in_one_go(italy, packet, tmp_path, capsys):
    town = tmp_path / "town"
    shutil.copytree(italy, town)
    text = (town / "town.toml").read_text(encoding="utf-8")
    (town / "town.toml").write_text(text.replace("[papers]", '[papers]\nseal = "seal.png"', 1), encoding="utf-8")
    for name in ("rates.toml", "seal.png"):
        (town / name).write_text("")
    (town / "templates").mkdir()
    (town / "templates" / "mine.docx").write_text("")
    shared = [
        "rates.toml, rates: this is missing",
        "papers.seal: the seal cannot be printed",
        "no paper has the template mine.docx",
    ]
    assert exit_code("mail", "invoice", town, packet, "--on", "2026-12-14") == 3
    told = capsys.readouterr().err
    assert [part for part in shared if part not in told] == []
    asked = [*ASKED, "--also", tmp_path / "also.csv", "--around", tmp_path / "around.gpkg", "--out", tmp_path / "new"]
    assert exit_code("notice", town, *asked) == 3
    told = capsys.readouterr().err
    assert [part for part in (*shared, "also.csv: the file of others", "around.gpkg is not there") if part not in told] == []
    assert not (tmp_path / "new").exists()
