"""The mail of a packet as a clerk keeps it: recorded, imported, late, returned, sworn."""

import csv
import hashlib
import io
import json
import multiprocessing
import shutil
from datetime import date, datetime

import pdfplumber
import pytest
from dying import die_at, files_in, in_child, outcomes_when_killed, was_killed
from program import exit_code, imported_by
from sqlalchemy import Engine

import geonotice
from geonotice.errors import UsageError
from geonotice.io.output_files import remove_leftovers
from geonotice.register.mail_ledger import Change, pieces_of, record_pieces
from geonotice.register.pieces_and_article_numbers import MailPiece
from geonotice.register.session import open_register
from geonotice.register.verify_log import verify_log
from geonotice.workflow.mail import Stating, open_packet, read_packet
from geonotice.workflow.mail_files import import_mail

PREMISES = "0900-123.00-01.00-002.000"
APPEAL = ["--for", "appeal", "--hearing", "2026-10-20", "--on", "2026-09-01"]
ON = ["--by", "Ann Roe", "--on", "2026-10-14"]
GOOD = {1: "9407100000000000000009", 2: "70201290000012345671"}


@pytest.fixture(scope="module")
def made(southampton, tmp_path_factory):
    """Make the packet once; each test has the town and the packet to itself."""
    folder = tmp_path_factory.mktemp("mail")
    assert exit_code("notice", southampton, PREMISES, *APPEAL, "--no-letters", "--out", folder / "packet") == 0
    return folder / "packet"


@pytest.fixture
def town(southampton, tmp_path):
    return shutil.copytree(southampton, tmp_path / "southampton")


@pytest.fixture
def packet(made, tmp_path):
    return shutil.copytree(made, tmp_path / "packet")


@pytest.fixture
def mail(town, packet, capsys):
    """Run a command of ``mail``; return what it printed."""

    def run(command, *args, expect=0):
        capsys.readouterr()
        code = exit_code("mail", command, town, packet, *args)
        said = capsys.readouterr()
        assert code == expect, (code, said.out, said.err)
        return said

    return run


def standing(mail, *args):
    return json.loads(mail("status", "--json", *(args or ("--on", "2026-10-14"))).out)


def complete(mail):
    """Record all that the receipts of the six certified letters say."""
    mail("record", "--all", "--mailed", "2026-10-08", "--stamped", "2026-10-08", *ON)
    for number in range(1, 7):
        mail("record", number, "--article", GOOD.get(number, f"94071000000000000000{number}0"), *ON)


class TestStatus:
    def test_before_the_mailing_it_says_by_which_day(self, mail):
        found = standing(mail, "--on", "2026-09-02")
        assert found["counts"]["not_mailed"] == len(found["pieces"]) == 6
        first = found["next"][0]
        assert (first["code"], first["by"], first["numbers"]) == ("mail", "2026-10-09", [1, 2, 3, 4, 5, 6])
        assert "The last lawful day is Saturday, October 10, 2026" in first["text"]
        assert not found["late"]

    # LAW: Southampton 283-9: notice is mailed ten days before the hearing at the latest.
    def test_a_stamp_after_the_last_lawful_day_is_late_and_says_what_follows(self, mail):
        mail("record", 1, "--mailed", "2026-10-10", "--stamped", "2026-10-10", *ON)
        mail("record", 2, "--mailed", "2026-10-10", "--stamped", "2026-10-11", *ON)
        found = standing(mail, "--on", "2026-10-10")
        late = [step for step in found["next"] if step["code"] == "late"]
        assert [step["numbers"] for step in late] == [[2]]
        assert "stamped 2026-10-11" in late[0]["text"]
        assert "can be annulled" in late[0]["text"]
        assert found["late"]
        assert "LATE" in mail("status", "--on", "2026-10-10", "--strict", expect=4).out

    def test_it_is_said_at_once_with_the_day_and_what_to_do(self, mail, town):
        said = mail("record", 1, 2, "--mailed", "2026-10-10", "--stamped", "2026-10-11", *ON).err
        assert "! LATE: No. 1, 2 went out after Saturday, October 10, 2026, the last lawful day (stamped 2026-10-11)" in said
        assert "can be annulled. Ask the town attorney" in said
        assert "LATE" not in mail("record", 3, "--mailed", "2026-10-10", *ON).err
        assert "LATE" not in mail("record", 1, "--delivered", "2026-10-13", *ON).err
        assert json.loads(mail("record", 4, "--mailed", "2026-10-11", *ON, "--json").out)["late"][0].startswith("LATE: No. 4")

    @pytest.mark.parametrize("option", [(), ("--dry-run",)], ids=["taken", "dry run"])
    def test_it_is_said_of_results_that_are_taken_in_too(self, mail, tmp_path, option):
        (tmp_path / "results.csv").write_text("number,mailed,stamped\n1,2026-10-08,2026-10-08\n5,2026-10-08,2026-10-12\n")
        said = mail("import", tmp_path / "results.csv", *option, *ON).err
        assert "LATE: No. 5" in said
        assert "(stamped 2026-10-12)" in said

    def test_a_day_before_the_list_was_made_is_asked_about(self, mail):
        said = mail("record", 1, 2, "--mailed", "2026-08-31", *ON).err
        assert (
            "No. 1, 2 went out on 2026-08-31 by what was recorded, before the list was made on Tuesday, September 1, 2026" in said
        )
        assert "before the list" not in mail("record", 3, "--mailed", "2026-09-01", *ON).err

    @pytest.mark.parametrize("option", [(), ("--dry-run",)], ids=["taken", "dry run"])
    def test_so_is_one_of_results_that_are_taken_in(self, mail, tmp_path, option):
        (tmp_path / "results.csv").write_text("number,mailed\n1,2026-08-20\n5,2026-10-08\n")
        said = mail("import", tmp_path / "results.csv", *option, *ON).err
        assert "No. 1" in said
        assert "before the list was made" in said

    def test_a_letter_is_recorded_although_the_law_cannot_be_read_and_that_is_said(self, mail, town):
        file = town / "town.toml"
        file.write_text(file.read_text().replace('ordinance = "southampton"', 'ordinance = "gone.toml"'))
        said = mail("record", 1, "--mailed", "2026-10-11", *ON)
        assert "Recorded: No. 1" in said.out
        assert "in time is not known" in said.err

    def test_who_was_not_mailed_by_then_is_late_too(self, mail):
        found = standing(mail, "--on", "2026-10-11")
        assert found["next"][0]["code"] == "late"
        assert found["next"][0]["numbers"] == [1, 2, 3, 4, 5, 6]

    def test_it_asks_for_the_round_stamp_and_for_the_receipts_before_day_60(self, mail):
        mail("record", "--all", "--mailed", "2026-10-08", *ON)
        steps = {step["code"]: step for step in standing(mail)["next"]}
        assert "DMM 608.11" in steps["stamp"]["text"]
        assert (steps["receipt"]["by"], steps["receipt"]["late"]) == ("2026-12-06", False)
        assert steps["affidavit"]["by"] == "2026-10-20"
        after = {step["code"]: step for step in standing(mail, "--on", "2026-12-20")["next"]}
        assert after["receipt"]["late"]

    @pytest.mark.parametrize(("outcome", "asks"), [("refused", False), ("unclaimed", False), ("undeliverable", True)])
    def test_only_what_is_undeliverable_asks_for_a_second_letter(self, mail, outcome, asks):
        mail("record", 3, "--mailed", "2026-10-08", f"--{outcome}", "2026-10-13", *ON)
        assert ("second" in {step["code"] for step in standing(mail)["next"]}) is asks

    def test_a_packet_made_again_for_another_day_is_another_mailing(self, town, packet, mail, capsys):
        mail("record", "--all", "--mailed", "2026-10-08", *ON)
        again = packet.with_name("again")
        later = [word.replace("2026-10-20", "2026-11-20") for word in APPEAL]
        assert exit_code("notice", town, PREMISES, *later, "--no-letters", "--out", again) == 0
        capsys.readouterr()
        assert exit_code("mail", "status", town, again, "--on", "2026-10-14", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert found["counts"]["not_mailed"] == 6
        assert "letters of 1 other list for this occasion and these premises" in found["warnings"][0]

    def test_from_python(self, town, packet, mail):
        mail("record", 1, "--mailed", "2026-10-08", *ON)
        with geonotice.open_town(town) as opened:
            assert opened.mail(packet, on=date(2026, 10, 9)).count("mailed") == 1


class TestRecord:
    def test_a_wrong_check_digit_is_told_and_the_number_is_kept(self, mail):
        said = mail("record", 1, "--article", "9407 1000 0000 0000 0000 08", *ON)
        assert "its check digit is 8 and should be 9: scan or type it again" in said.err
        assert standing(mail)["pieces"][0]["article_number"] == "9407100000000000000008"

    def test_a_wrong_check_digit_is_asked_for_again_until_it_is_right_and_before_it_is_sworn(self, mail):
        complete(mail)
        mail("record", 2, "--article", GOOD[2], *ON)
        mail("record", 1, "--article", "9407 1000 0000 0000 0000 08", *ON)
        asked = next(step for step in standing(mail)["next"] if step["code"] == "article")
        assert 1 in asked["numbers"]
        assert 2 not in asked["numbers"]
        assert "again from the receipt" in asked["text"]
        assert "Scan the article numbers of No. 1" in mail("affidavit", "--on", "2026-10-14").err
        mail("record", 1, "--article", GOOD[1], *ON)
        assert 1 not in [n for step in standing(mail)["next"] if step["code"] == "article" for n in step["numbers"]]

    def test_a_wrong_number_on_a_letter_that_came_back_is_asked_for_too(self, mail):
        complete(mail)
        mail("record", 6, "--undeliverable", "2026-10-13", *ON)
        mail("second", 6, "--address", "9 New Rd; Sag Harbor NY 11963", *ON)
        assert 6 in next(step for step in standing(mail)["next"] if "again from the receipt" in step["text"])["numbers"]

    def test_all_wrong_numbers_are_named_at_once(self, mail):
        said = mail("record", 7, 99, "--mailed", "2026-10-08", *ON, expect=2).err
        assert "gets no letter" in said
        assert "no recipient has the number 99" in said

    def test_an_article_number_is_of_one_letter(self, mail):
        assert "--article is of one letter" in mail("record", 1, 2, "--article", GOOD[1], *ON, expect=2).err

    def test_a_receipt_is_kept_unchanged_with_its_hash(self, town, mail, tmp_path):
        (tmp_path / "rr.pdf").write_bytes(b"%PDF-1.4 a receipt\n%%EOF")
        mail("record", 1, "--mailed", "2026-10-08", "--receipt", tmp_path / "rr.pdf", *ON)
        (kept,) = (town / "receipts").iterdir()
        assert kept.read_bytes() == (tmp_path / "rr.pdf").read_bytes()
        kept.write_bytes(b"another")
        assert any(step["code"] == "kept" and "was changed" in step["text"] for step in standing(mail)["next"])

    def test_the_list_made_again_has_the_article_numbers(self, town, packet, mail):
        mail("record", 2, "--article", GOOD[2], *ON)
        again = packet.with_name("again")
        assert exit_code("notice", town, PREMISES, *APPEAL, "--no-letters", "--out", again) == 0
        rows = list(csv.DictReader(io.StringIO((again / "notice-list.csv").read_text("utf-8-sig"))))
        assert {row["number"]: row["article_number"] for row in rows if row["article_number"]} == {"2": GOOD[2]}
        assert read_packet(again).list_sha256 == read_packet(packet).list_sha256

    def test_what_is_no_packet_is_refused(self, town):
        assert exit_code("mail", "status", town, town) == 2

    def test_another_town_s_packet_is_refused(self, italy, packet):
        assert exit_code("mail", "status", italy, packet) == 3


class TestImport:
    def test_good_rows_go_in_and_the_others_become_questions_with_all_their_faults(self, mail, tmp_path, packet):
        file = tmp_path / "results.csv"
        file.write_text(
            "List number,Tracking number,Addressee,Mailed on,Status,Date\n"
            f'1,{GOOD[1]},,10/8/2026,"Delivered, Left with Individual",2026-10-12\n'
            f"2,{GOOD[1]},SOMEBODY ELSE,2026-10-08,,\n"
            "3,9.40710E+21,,2026-10-40,,\n"
            "4,,,2026-10-08,Returned to sender: vacant,2026-10-13\n"
            "99,,,2026-10-08,,\n"
            "5,,,2026-10-08,eaten by a dog,2026-10-13\n"
        )
        said = mail("import", file, *ON, expect=4).out
        assert "1 of 6 rows were taken" in said  # row 4 alone: rows 1 and 2 name one number
        with (tmp_path / "results-questions.csv").open(encoding="utf-8-sig") as stream:
            questions = {row["List number"]: row["question"] for row in csv.DictReader(stream)}
        assert set(questions) == {"1", "2", "3", "99", "5"}
        assert "stands in rows 2, 3" in questions["1"]
        assert "the file may be of another packet" in questions["2"]
        assert "rounded by a spreadsheet" in questions["3"]
        assert "mailed:" in questions["3"]
        assert "'eaten by a dog' is not known" in questions["5"]
        pieces = {piece["number"]: piece for piece in standing(mail)["pieces"]}
        assert pieces[4]["state"] == "undeliverable"
        assert pieces[1]["state"] == "not mailed"

    def test_a_letter_is_found_by_its_article_number_too(self, mail, tmp_path):
        mail("record", 2, "--article", GOOD[2], "--mailed", "2026-10-08", *ON)
        (tmp_path / "results.csv").write_text(f"tracking_number,delivered\n{GOOD[2]},2026-10-12\n")
        mail("import", tmp_path / "results.csv", *ON)
        assert standing(mail)["pieces"][1]["delivered"] == "2026-10-12"

    def test_a_number_on_another_letter_of_the_ledger_is_a_question(self, mail, tmp_path):
        mail("record", 2, "--article", GOOD[2], *ON)
        (tmp_path / "more.csv").write_text(f"number,article_number\n3,{GOOD[2]}\n4,{GOOD[1]}\n")
        assert "is on No. 2" in mail("import", tmp_path / "more.csv", *ON, expect=4).out
        assert standing(mail)["pieces"][3]["article_number"] == GOOD[1]

    def test_columns_that_say_nothing_are_refused(self, mail, tmp_path):
        (tmp_path / "none.csv").write_text("owner,parcel\nROE,1\n")
        said = mail("import", tmp_path / "none.csv", *ON, expect=3).err
        assert "no column says which letter" in said
        assert "no column says what became" in said

    def test_a_dry_run_writes_nothing(self, mail, tmp_path):
        (tmp_path / "some.csv").write_text("number,mailed\n1,2026-10-08\n99,2026-10-08\n")
        assert "1 of 2 rows would be taken" in mail("import", tmp_path / "some.csv", "--dry-run", *ON, expect=4).out
        assert standing(mail)["counts"]["not_mailed"] == 6
        assert not (tmp_path / "some-questions.csv").exists()

    def test_an_export_comes_in_again_and_changes_nothing(self, mail, tmp_path):
        complete(mail)
        before = standing(mail)
        mail("export", tmp_path / "letters.csv")
        assert "6 of 6 rows were taken" in mail("import", tmp_path / "letters.csv", *ON).out
        assert standing(mail) == before


class TestSworn:
    def test_not_while_receipts_and_list_do_not_agree(self, mail, packet):
        mail("record", "--all", "--mailed", "2026-10-08", "--stamped", "2026-10-08", *ON)
        mail("record", 1, "--article", GOOD[1], *ON)
        said = mail("affidavit", "--on", "2026-10-14", expect=4).err
        assert "5 of 6 letters are not complete" in said
        assert "No. 2-6 lack the article number." in said
        assert "No. 1" not in said
        assert not packet.with_name("packet-mail").exists()

    def test_then_with_every_letter_of_the_ledger_in_order(self, mail, packet):
        complete(mail)
        mail("affidavit", "--by", "Ann Roe", "--on", "2026-10-14")
        folder = packet.with_name("packet-mail")
        record = json.loads((packet / "record.json").read_bytes())
        with pdfplumber.open(folder / "affidavit-mailing.pdf") as document:
            text = document.pages[0].extract_text()
            rows = [row for page in document.pages for table in page.extract_tables() for row in table][1:]
        assert "COUNTY OF Suffolk, ss.:" in text
        assert hashlib.sha256((packet / "notice-list.csv").read_bytes()).hexdigest() in text.replace("\n", "")
        mailed = [one for one in record["recipients"] if one["mail"] != "none"]
        for row, one in zip(rows, mailed, strict=True):
            assert int(row[0]) == one["number"]
            assert row[1].replace("\n", " ") == " ".join([one["name"], *one.get("name_2", "").split("; ")]).strip()
        assert (folder / "affidavit-mailing.docx").is_file()

    def test_a_sign_put_up_too_late_is_told(self, mail):
        said = mail("affidavit", "--kind", "posting", "--posted", "2026-10-11", "--on", "2026-10-14")
        assert "LATE: posted on Sunday, October 11, 2026; the last lawful day was Saturday, October 10, 2026" in said.err

    def test_nobody_swears_to_a_day_that_is_still_to_come(self, mail, packet):
        days = ("--published", "2026-10-01", "--published", "2026-10-16", "--published", "2026-10-17")
        said = mail("affidavit", "--kind", "publication", "--newspaper", "The Star", *days, "--on", "2026-10-14", expect=2).err
        assert "2026-10-16 is still to come" in said
        assert "2026-10-17 is still to come" in said
        assert "2026-10-01" not in said
        assert "--posted" in mail("affidavit", "--kind", "posting", "--posted", "2026-10-15", "--on", "2026-10-14", expect=2).err
        assert not packet.with_name("packet-mail").exists()

    def test_an_option_of_another_affidavit_is_refused(self, mail):
        assert "--newspaper is for an affidavit of publication" in mail("affidavit", "--newspaper", "The Star", expect=2).err

    def test_a_second_letter_goes_to_the_corrected_address_and_stands_in_the_affidavit(self, mail, packet):
        complete(mail)
        mail("record", 6, "--undeliverable", "2026-10-13", *ON)
        mail("second", 6, "--address", "9 New Rd; Sag Harbor NY 11963", *ON)
        folder = packet.with_name("packet-mail")
        with pdfplumber.open(folder / "letter-6-2.pdf") as document:
            assert "9 New Rd\nSag Harbor NY 11963" in document.pages[0].extract_text()
        assert "No. 6 (letter 2)" in mail("affidavit", "--on", "2026-10-14", expect=4).err
        mail("record", 6, "--mailed", "2026-10-14", "--stamped", "2026-10-14", "--article", "9407100000000000000993", *ON)
        mail("affidavit", "--on", "2026-10-14")
        with pdfplumber.open(folder / "affidavit-mailing.pdf") as document:
            rows = [row for page in document.pages for table in page.extract_tables() for row in table]
        assert [row[0] for row in rows] == ["No.", "1", "2", "3", "4", "5", "6", "6.2"]

    def test_a_second_letter_says_of_the_event_what_the_first_said_and_bears_its_own_day(self, mail, packet):
        file = packet / "record.json"
        said = json.loads(file.read_bytes())
        file.write_text(json.dumps(said | {"stated": {"event_title": "Clambake on the Bay", "applicant_name": "Bay Men, Inc."}}))
        mail("record", 6, "--mailed", "2026-10-08", "--undeliverable", "2026-10-13", *ON)
        mail("second", 6, "--address", "9 New Rd; Sag Harbor NY 11963", *ON)
        with pdfplumber.open(packet.with_name("packet-mail") / "letter-6-2.pdf") as document:
            text = document.pages[0].extract_text()
        assert "Clambake on the Bay" in text
        assert "Bay Men, Inc." in text
        assert "October 14, 2026" in text

    def test_a_second_letter_to_a_name_that_the_type_lacks_is_printed_from_word(self, mail, packet):
        mail("record", 6, "--mailed", "2026-10-08", "--undeliverable", "2026-10-13", *ON)
        said = mail("second", 6, "--address", "9 New Rd; Sag Harbor NY 11963", "--name", "王小明", *ON)
        assert "letter-6-2.pdf was not made" in said.err
        assert [item.name for item in packet.with_name("packet-mail").iterdir()] == ["letter-6-2.docx"]

    def test_the_log_is_sound_after_all_of_it(self, town, mail):
        complete(mail)
        with open_register(f"sqlite:///{town}/permits.sqlite") as register:
            assert verify_log(register).sound


def test_a_packet_of_a_town_without_a_register_asks_for_no_database(town, tmp_path):
    for file in town.glob("permits.sqlite*"):
        file.unlink()
    args = ("notice", town, PREMISES, *APPEAL, "--no-letters", "--out", tmp_path / "packet")
    assert not imported_by(*args, among=("sqlalchemy", "alembic"))


NOW = datetime(2026, 10, 14, 9, 0)  # noqa: DTZ001  # town hall time


def _letter(number):
    return MailPiece(
        packet="aa",
        occasion="appeal",
        premises=("1",),
        number=number,
        name=f"OWNER {number}",
        address="1 MAIN ST",
        mail="certified",
    )


def _record(url, number, gate, answers):
    gate.wait()
    try:
        with open_register(url) as register:
            fresh = {number: _letter(number)}
            change = {number: Change(article_number=GOOD[1], mailed=date(2026, 10, 8))}
            record_pieces(register, change, fresh=fresh, now=NOW, by="Ann", on=NOW.date())
        answers.put("recorded")
    except UsageError:
        answers.put("refused")
    except BaseException as error:  # noqa: BLE001  # whatever it is, the test must hear of it instead of waiting
        answers.put(f"{type(error).__name__}: {error}")


def _race(url):
    """Let six processes record one article number, each for another letter: one may."""
    context = multiprocessing.get_context("fork")
    gate, answers = context.Barrier(6), context.SimpleQueue()
    processes = [context.Process(target=_record, args=(url, number, gate, answers)) for number in range(1, 7)]
    for process in processes:
        process.start()
    said = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    assert sorted(said) == ["recorded", *["refused"] * 5]
    with open_register(url) as register:
        assert len(pieces_of(register)) == 1
        assert verify_log(register).sound


def test_of_those_who_record_one_number_at_once_one_may(tmp_path):
    _race(f"sqlite:///{tmp_path}/permits.sqlite")


def test_on_a_server_too(server_url):
    _race(server_url)


class TestKilled:
    """A command that is killed while it writes leaves what was there or what it would have written, once the next has come by."""

    def test_affidavits_are_both_the_old_ones_or_both_the_new_ones(self, mail, packet, town):
        complete(mail)
        mail("affidavit", "--by", "Ann Roe", "--on", "2026-10-14")
        folder = packet.with_name("packet-mail")
        before = files_in(folder)
        again = ("mail", "affidavit", town, packet, "--by", "Bea Roe", "--on", "2026-10-14")
        found = outcomes_when_killed(folder, lambda: exit_code(*again), lambda: standing(mail), before=before)
        new = found[-1]
        assert new["affidavit-mailing-before-1.pdf"] == before["affidavit-mailing.pdf"]
        assert new["affidavit-mailing.docx"] != before["affidavit-mailing.docx"]
        assert [one for one in found if one not in (before, new)] == []
        assert found[-2] == new  # killed at its last move, finished by the next command

    def test_a_second_letter_is_written_whole_and_noted_after_it(self, mail, packet, town):
        mail("record", 1, "--mailed", "2026-10-08", "--undeliverable", "2026-10-13", *ON)
        command = ("mail", "second", town, packet, "1", "--address", "1 New St; Naples NY 14512", *ON)
        folder = packet.with_name("packet-mail")
        found = outcomes_when_killed(folder, lambda: exit_code(*command), lambda: standing(mail), before={})
        assert {frozenset(one) for one in found} == {frozenset(), frozenset({"letter-1-2.docx", "letter-1-2.pdf"})}
        assert [piece["letter"] for piece in standing(mail)["pieces"] if piece["number"] == 1] == [1, 2]

    def test_a_table_is_in_the_ledger_whole_or_not_at_all_and_comes_in_again(self, mail, packet, town, tmp_path):
        table = tmp_path / "results.csv"
        table.write_text("number,mailed,stamped\n1,2026-10-08,2026-10-08\n2,2026-10-08,2026-10-09\n99,2026-10-08,\n")
        mail("record", 3, "--mailed", "2026-10-08", *ON)
        url = f"sqlite:///{town / 'permits.sqlite'}"
        opened, found = open_packet(town, packet)
        stating = Stating(now=datetime(2026, 10, 14), on=date(2026, 10, 14), by="Ann Roe")  # noqa: DTZ001  # a clock's time
        point, killed, states = 0, True, set()
        while killed:
            point += 1

            def work(point=point):
                die_at(Engine, point)
                import_mail(opened, found, table, stating)

            killed = was_killed(in_child(work))
            with open_register(url) as register:
                states.add(tuple((piece.number, piece.sent) for piece in pieces_of(register, found.identity)))
                assert verify_log(register).sound
        day = date(2026, 10, 8)
        assert states == {((3, day),), ((1, day), (2, date(2026, 10, 9)), (3, day))}
        assert point > 15  # the steps of two letters
        for made in tmp_path.glob("results-questions*"):
            made.unlink()
        assert "2 of 3 rows were taken" in mail("import", table, *ON, expect=4).out
        assert "99" in (tmp_path / "results-questions.csv").read_text()

    def test_its_file_of_questions_is_whole_or_not_there(self, mail, packet, town, tmp_path):
        table = tmp_path / "in" / "results.csv"
        table.parent.mkdir()
        table.write_text("number,mailed\n1,2026-10-08\n99,2026-10-08\n")
        opened, found = open_packet(town, packet)
        stating = Stating(now=datetime(2026, 10, 14), on=date(2026, 10, 14), by="Ann Roe")  # noqa: DTZ001  # a clock's time
        before = files_in(table.parent)
        made = outcomes_when_killed(
            table.parent,
            lambda: import_mail(opened, found, table, stating),
            lambda: remove_leftovers(table.parent),
            before=before,
        )
        assert [one for one in made if one not in (before, made[-1])] == []
        assert made[-1].keys() - before.keys() == {"results-questions.csv"}

    def test_a_receipt_is_kept_whole_before_the_ledger_names_it(self, mail, packet, town, tmp_path):
        mail("record", 1, "--mailed", "2026-10-08", *ON)
        (tmp_path / "receipt.pdf").write_bytes(b"%PDF-1.4 as the post office sent it")
        command = ("mail", "record", town, packet, "1", "--receipt", tmp_path / "receipt.pdf", *ON)
        # Killed before the ledger names it, it is recorded once more: there is one copy, and nothing half done beside it.
        found = outcomes_when_killed(town / "receipts", lambda: exit_code(*command), lambda: exit_code(*command))
        assert all(one == found[-1] for one in found)
        assert len(found[-1]) == 1
        assert standing(mail)["warnings"] == []
