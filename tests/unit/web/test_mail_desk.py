"""Packets and their mail at the desk: scanned numbers, days, cards, a service's table, the affidavit; and the list of today against the one that was mailed."""

import io
import json
import os
import re
import zipfile
from datetime import datetime
from fnmatch import fnmatchcase

import pytest
from browsing import PAYLOADS
from desk_toys import PREMISES, copied, desk_at, sit_down, token_of, words_of
from program import run_here

from geonotice.config.read_town import read_town_file
from geonotice.errors import UsageError
from geonotice.packet.paper import papers
from geonotice.workflow.mail import ledger_of, numbers_named, read_packet

RIGHT = "9407 1000 0000 0000 0000 09"
WRONG = "9407 1000 0000 0000 0000 05"
NAME = "packets/first"


@pytest.fixture(scope="module")
def made(southampton, tmp_path_factory):
    town = copied(southampton, tmp_path_factory.mktemp("mail") / "southampton")
    asked = ["--for", "appeal", "--hearing", "2027-01-12", "--on", "2026-11-20", "--no-letters"]
    run_here("notice", town, PREMISES, *asked, "--out", town / "packets" / "first")
    return town


@pytest.fixture
def town(made, tmp_path):
    return copied(made, tmp_path / "southampton")


@pytest.fixture
def desk(town):
    with desk_at(town) as client:
        sit_down(client)
        client.token = token_of(client.get("/who").text)
        yield client


def send(desk, path, files=None, **fields):
    return desk.post(f"/packet/mail/{path}", data={"name": NAME, "token": desk.token, **fields}, files=files)


def told(desk, answer):
    """Return the page after a form was taken."""
    assert answer.status_code == 303, words_of(answer.text)
    return words_of(desk.get(answer.headers["location"]).text)


def ledger(town):
    return {piece.number: piece for piece in ledger_of(read_town_file(town), read_packet(town / "packets" / "first"))}


class TestPackets:
    def test_they_are_listed_with_their_occasion_and_letters(self, desk):
        page = words_of(desk.get("/packets").text)
        assert "packets/first" in page
        assert "January 12, 2027" in page

    def test_one_is_downloaded_whole_or_paper_by_paper(self, desk, town):
        page = desk.get("/packet", params={"name": NAME}).text
        assert "labels.pdf" in page
        with zipfile.ZipFile(io.BytesIO(desk.get("/packet/zip", params={"name": NAME}).content)) as archive:
            assert "first/record.json" in archive.namelist()
        answer = desk.get("/packet/file", params={"name": NAME, "file": "labels.pdf"})
        assert answer.headers["content-disposition"] == 'attachment; filename="labels.pdf"'
        assert answer.content == (town / "packets" / "first" / "labels.pdf").read_bytes()

    def test_each_paper_says_what_it_is_for(self, desk, town):
        """What a paper has registered as its purpose; what nobody registered is not passed off as the packet's."""
        (town / "packets" / "first" / "notes<b>.txt").write_text("Called Ann.")
        (town / "packets" / "first" / "invoice-before-1.pdf").write_bytes(b"%PDF")
        try:
            page = desk.get("/packet", params={"name": NAME}).text
        finally:
            for name in ("notes<b>.txt", "invoice-before-1.pdf"):
                (town / "packets" / "first" / name).unlink()
        rows = [words_of(row) for row in re.findall(r"<tr><td>.*?</tr>", page)]
        purposes = {row.split()[0]: row for row in rows}
        for one in (town / "packets" / "first").iterdir():
            assert one.name in " ".join(rows)
        for one in papers():
            if any(fnmatchcase(file.name, one.name) for file in (town / "packets" / "first").iterdir()):
                assert any(row.endswith(one.purpose) for row in rows), one.name
        assert "Not made with this packet" in purposes["notes<b>.txt"]
        assert "notes&lt;b&gt;.txt" in page
        assert "Earlier ones, kept" in purposes["invoice-before-1.pdf"]
        assert "says what each is for" not in page

    def test_a_copied_packet_is_not_passed_off_as_made_on_the_day_of_the_copy(self, desk, town):
        folder = town / "packets" / "first"
        papers_of_it = list(folder.iterdir())
        copied_on, later = (datetime(2029, 3, day, 12).astimezone().timestamp() for day in (5, 9))
        for one in folder.iterdir():
            os.utime(one, (copied_on, copied_on))
        os.utime(folder / "labels.pdf", (later, later))
        page = words_of(desk.get("/packet", params={"name": NAME}).text)
        assert "They were made on November 20, 2026, as the packet's record says." in page
        assert "The files were written on March 5, 2029 (the date of the files;" in page
        assert page.count("March 5, 2029") == 1
        assert re.search(r"labels\.pdf \d+ KB, written on March 9, 2029 \(the date of the file\)", page)
        assert page.count("March 9, 2029") == 1
        made = datetime(2026, 11, 20, 12).astimezone().timestamp()
        for one in papers_of_it:
            os.utime(one, (made, made))
        page = words_of(desk.get("/packet", params={"name": NAME}).text)
        assert "They were made on November 20, 2026, as the packet's record says. One with another date says so." in page
        assert "the date of the file" not in page

    def test_a_record_without_its_day_has_the_date_of_the_file_named_as_that(self, desk, town):
        file = town / "packets" / "first" / "record.json"
        record = json.loads(file.read_text(encoding="utf-8"))
        del record["settings"]["on"]
        file.write_text(json.dumps(record), encoding="utf-8")
        copied_on = datetime(2029, 3, 5, 12).astimezone().timestamp()
        os.utime(file, (copied_on, copied_on))
        page = words_of(desk.get("/packet", params={"name": NAME}).text)
        assert "does not say when they were made. They were written on March 5, 2029 (the date of the file;" in page
        assert "made on" not in page
        assert "· list of" not in page
        assert "not stated" in words_of(desk.get("/packets").text)

    def test_no_purpose_names_a_command_or_an_option(self):
        assert [one.name for one in papers() if "geonotice " in one.purpose or " --" in one.purpose] == []

    @pytest.mark.parametrize(
        "name", ["", "..", "packets", "packets/..", "/etc", "packets/first/../../..", "../southampton/packets/first", *PAYLOADS]
    )
    def test_no_other_folder_is_a_packet(self, desk, name):
        for page in ("/packet", "/packet/mail", "/packet/zip", "/packet/compare"):
            answer = desk.get(page, params={"name": name})
            assert answer.status_code == 400
            assert "no such packet" in answer.text

    @pytest.mark.parametrize("file", ["../../town.toml", "/etc/passwd", "", "..", "record.json/.."])
    def test_no_other_file_is_a_paper(self, desk, file):
        assert desk.get("/packet/file", params={"name": NAME, "file": file}).status_code == 400

    def test_a_page_of_a_packet_is_saved_and_does_not_run_at_the_desk(self, desk):
        answer = desk.get("/packet/file", params={"name": NAME, "file": "map.html"})
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-disposition"].startswith("attachment")


class TestScanning:
    def test_a_number_is_saved_and_a_doubtful_one_is_asked_for_again(self, desk, town):
        first = send(desk, "article", number="1", article=WRONG).json()
        assert (first["saved"], first["doubt"]) == (False, True)
        assert "check digit is 5 and should be 9" in first["said"]
        assert ledger(town) == {}
        assert send(desk, "article", number="1", article=RIGHT, sure=WRONG).json() == {
            "saved": True, "said": "Saved.", "doubt": False, "shown": RIGHT,
        }  # fmt: skip
        assert send(desk, "article", number="2", article=WRONG, sure=WRONG).json()["saved"]
        assert ledger(town)[2].article_number == WRONG.replace(" ", "")

    @pytest.mark.parametrize(
        ("number", "article"), [("1", "see receipt"), ("99", RIGHT), ("x", RIGHT), ("", RIGHT), ("1", "<b>")]
    )
    def test_what_is_no_number_is_told_and_not_saved(self, desk, town, number, article):
        assert not send(desk, "article", number=number, article=article).json()["saved"]
        assert ledger(town) == {}

    def test_one_number_is_on_one_letter(self, desk):
        send(desk, "article", number="1", article=RIGHT)
        assert "would be on No. 2" in send(desk, "article", number="2", article=RIGHT).json()["said"]

    def test_without_a_name_nothing_is_recorded(self, town):
        with desk_at(town) as client:
            client.token = token_of(client.get("/who").text)
            assert not send(client, "article", number="1", article=RIGHT).json()["saved"]
            assert send(client, "sent", what="mailed", mailed_day="2026-11-30").headers["location"].startswith("/who")
        assert ledger(town) == {}

    def test_without_the_script_all_are_saved_at_once(self, desk, town):
        page = told(desk, send(desk, "articles", **{"article-1": RIGHT, "article-2": WRONG}))
        assert "Recorded: No. 1, No. 2" in page
        assert "should be 9" in page
        assert ledger(town)[1].article_number == RIGHT.replace(" ", "")


class TestDays:
    def test_a_day_is_recorded_for_those_named_then_for_the_rest(self, desk, town):
        assert "No. 1, No. 2, No. 3" in told(desk, send(desk, "sent", what="mailed", mailed_day="2026-11-28", numbers="1-3"))
        told(desk, send(desk, "sent", what="mailed", mailed_day="2026-11-30"))
        days = {number: piece.mailed.isoformat() for number, piece in ledger(town).items()}
        assert days == dict.fromkeys((1, 2, 3), "2026-11-28") | dict.fromkeys((4, 5, 6), "2026-11-30")

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"what": "mailed", "mailed_day": ""}, "mailed_day"),
            ({"what": "mailed", "mailed_day": "soon"}, "mailed_day"),
            ({"what": "burnt", "mailed_day": "2026-11-30"}, "what"),
            ({"what": "mailed", "mailed_day": "2026-12-24"}, ""),
            ({"what": "mailed", "mailed_day": "2026-11-30", "numbers": "1-99"}, ""),
            ({"what": "mailed", "mailed_day": "2026-11-30", "numbers": "all"}, ""),
        ],
    )
    def test_what_cannot_be_is_told_at_the_top_and_stays_typed(self, desk, town, given, field):
        answer = send(desk, "sent", **given)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert not field or f'<a href="#{field}">' in answer.text
        assert f'value="{given["mailed_day"]}"' in answer.text
        assert ledger(town) == {}

    def test_a_card_names_its_letter_by_its_article_number_and_its_receipt_is_kept(self, desk, town):
        send(desk, "article", number="4", article=RIGHT)
        told(desk, send(desk, "sent", what="mailed", mailed_day="2026-11-20"))
        receipt = {"receipt": ("card.pdf", b"%PDF-1.4 scanned")}
        page = told(desk, send(desk, "card", receipt, which=f"420 11899 {RIGHT}", outcome="delivered", card_day="2026-11-25"))
        assert "Recorded: No. 4 (delivered)" in page
        piece = ledger(town)[4]
        assert piece.delivered.isoformat() == "2026-11-25"
        assert (town / "receipts" / piece.receipt).read_bytes() == b"%PDF-1.4 scanned"
        unknown = send(desk, "card", which="9407 1000 0000 0000 0000 16", outcome="delivered", card_day="2026-11-25")
        assert "no letter of this packet has the article number" in words_of(unknown.text)

    def test_what_was_recorded_by_mistake_is_taken_out(self, desk, town):
        told(desk, send(desk, "sent", what="mailed", mailed_day="2026-11-20", numbers="1"))
        assert "taken out" in told(desk, send(desk, "clear", number="1", clear=["mailed"]))
        assert ledger(town)[1].mailed is None
        assert send(desk, "clear", number="1").status_code == 400

    def test_a_service_s_table_is_looked_through_first(self, desk, town):
        table = f"number,tracking number,mail date\n1,{RIGHT},2026-11-28\n9,,2026-11-28\n".encode()
        seen = send(desk, "import", {"file": ("results.csv", table)})
        assert "1 of 2 rows would be taken" in words_of(seen.text)
        assert ledger(town) == {}
        key = seen.text.partition('name="table" value="')[2].partition('"')[0]
        assert "Row 3 was not taken" in told(desk, send(desk, "import", table=key, sure="yes"))
        assert ledger(town)[1].mailed.isoformat() == "2026-11-28"

    @pytest.mark.parametrize("content", [b"", b"\x00\xff" * 40, b"a,b\n1,2\n", b"PK\x03\x04broken"])
    def test_a_file_that_is_no_table_is_told(self, desk, content):
        for name in ("results.csv", "results.xlsx", "results.exe"):
            answer = send(desk, "import", {"file": (name, content)})
            assert answer.status_code == 400
            assert 'role="alert"' in answer.text


class TestPapers:
    def test_the_affidavit_names_what_is_missing_and_is_filled_when_it_is_there(self, desk, town):
        refused = send(desk, "affidavit", kind="mailing", deponent="R. Clerk")
        assert refused.status_code == 400
        assert "6 of 6 letters are not complete" in words_of(refused.text)
        assert "No. 1-6 lack the day of mailing, the article number and the stamped day" in words_of(refused.text)
        numbers = [f"94071000000000000{n:04d}" for n in range(1, 7)]
        from geonotice.register.pieces_and_article_numbers import _check_digit

        send(desk, "articles", **{f"article-{n}": f"{one}{_check_digit(one)}" for n, one in enumerate(numbers, 1)})
        send(desk, "sent", what="mailed", mailed_day="2026-11-20")
        send(desk, "sent", what="stamped", mailed_day="2026-11-20")
        page = told(desk, send(desk, "affidavit", kind="mailing", deponent="R. Clerk"))
        assert "affidavit-mailing.docx" in page
        assert (town / "packets" / "first-mail" / "affidavit-mailing.pdf").is_file()
        listed = words_of(desk.get("/packet", params={"name": NAME}).text)
        assert "Affidavit of mailing, filled in from the mail: to be sworn and signed before a notary." in listed
        paper = desk.get("/packet/file", params={"name": NAME, "file": "affidavit-mailing.pdf", "of": "mail"})
        assert paper.content.startswith(b"%PDF")

    def test_a_second_letter_goes_to_who_could_not_be_reached(self, desk, town):
        told(desk, send(desk, "sent", what="mailed", mailed_day="2026-11-20"))
        refused = send(desk, "second", number="2", address="1 New St\nSandmere NY 11899")
        assert "second letter is for one that came back" in words_of(refused.text)
        told(desk, send(desk, "card", which="2", outcome="undeliverable", card_day="2026-11-25"))
        assert 'id="second"' in desk.get("/packet/mail", params={"name": NAME}).text
        page = told(desk, send(desk, "second", number="2", address="1 New St\nSandmere NY 11899"))
        assert "No. 2 (letter 2) is noted, to 1 New St, Sandmere NY 11899" in page
        assert (town / "packets" / "first-mail" / "letter-2-2.docx").is_file()
        record = json.loads((town / "packets" / "first" / "record.json").read_text())
        (name,) = [one["name"] for one in record["recipients"] if one["number"] == 2]
        assert f"Letter 2 to {name} (No. 2 on the list), at the corrected address." in words_of(
            desk.get("/packet", params={"name": NAME}).text
        )

    @pytest.mark.parametrize("given", [{"kind": "oath"}, {"kind": "posting", "posted": "soon"}, {"kind": ""}])
    def test_an_affidavit_of_nothing_is_refused(self, desk, given):
        assert send(desk, "affidavit", **given).status_code == 400


class TestInvoice:
    def test_it_is_written_where_the_law_has_the_applicant_pay(self, italy, tmp_path):
        town = copied(italy, tmp_path / "italy")
        run_here("notice", town, "51.00-1-1", "--for", "hearing", "--hearing", "2027-01-12", "--on", "2026-11-20", "--no-letters",
                 "--out", town / "packets" / "first")  # fmt: skip
        with desk_at(town) as desk:
            sit_down(desk)
            desk.token = token_of(desk.get("/who").text)
            assert "The total is $" in told(desk, send(desk, "invoice", publication="84.20", paper="$12"))
            wrong = send(desk, "invoice", publication="lots")
            assert (wrong.status_code, '<a href="#publication">' in wrong.text) == (400, True)


class TestCompare:
    def test_who_is_new_since_is_told_and_gets_a_packet_of_their_own(self, desk, town):
        assert "Nobody is new, gone" in words_of(desk.get("/packet/compare", params={"name": NAME}).text)
        file = town / "packets" / "first" / "record.json"
        record = json.loads(file.read_text(encoding="utf-8"))
        gone = record["recipients"].pop(0)
        file.write_text(json.dumps(record), encoding="utf-8")
        page = desk.get("/packet/compare", params={"name": NAME}).text
        assert "1 letter is still due" in words_of(page), words_of(page.partition("<main")[2])[:600]
        assert "Goodspeed" in words_of(page), gone["name"]
        answer = desk.post("/packet/supplement", data={"name": NAME, "token": desk.token})
        desk.desk.jobs.close()  # waits for it
        assert "The packet is made" in desk.get(answer.headers["location"]).text
        (made,) = (town / "packets").glob("first-supplement-*")
        assert len(json.loads((made / "record.json").read_text(encoding="utf-8"))["recipients"]) == 1

    def test_lists_of_different_matters_are_not_compared(self, desk, town):
        run_here(
            "notice", town, PREMISES, "--for", "filing", "--on", "2026-11-20", "--no-letters", "--out", town / "packets" / "other"
        )
        answer = desk.get("/packet/compare", params={"name": NAME, "other": "packets/other"})
        assert answer.status_code == 400
        assert "different matters" in words_of(answer.text)


@pytest.mark.parametrize("text", ["3-1", "1;x", "one", "1-", "1234567"])
def test_numbers_that_are_none_are_refused(text):
    with pytest.raises(UsageError, match="no number on a list"):
        numbers_named(text)
