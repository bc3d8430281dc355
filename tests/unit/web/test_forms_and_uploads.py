"""Faults at the desk are told in the words of its pages: no option and no command of the command line stands on any of them."""

import re
import shutil
import sqlite3

import pytest
from desk_toys import LIST, PREMISES, copied, desk_at, fill_town, sit_down, token_of, words_of

from geonotice.errors import Fault
from geonotice.web.forms_and_uploads import plain, shown_faults

OF_THE_TERMINAL = re.compile(r"(?<![\w-])--[a-z][\w-]*|\bgeonotice [a-z]+")
OPEN, DENIED, PERMIT = "A2026-0001", "A2026-0002", "SE-2026-003"


@pytest.fixture(scope="module")
def desk(southampton, root, tmp_path_factory):
    """Open a desk with an open and a denied application and a packet, to be asked for what cannot be."""
    town = copied(southampton, tmp_path_factory.mktemp("faults") / "southampton")
    fill_town(town, root)
    with desk_at(town) as client:
        sit_down(client)
        yield client


def permit(**more):
    return {"draft": "abcdefghij", "parcels": PREMISES, "starts": "2027-06-05", "applicant": "The Grange", "persons": "10"} | more


def change(how, **more):
    return {"number": PERMIT, "how": how, "reason": "why not"} | more


ASKED = [
    "/applications", f"/application?number={OPEN}", f"/application?number={DENIED}", "/application?number=A1", f"/permit?number={PERMIT}", "/permit?number=1",
    "/permit/paper?number=1", "/permit/paper?number=SE-2026-003&format=x", f"/application/paper?number={OPEN}", f"/application/issue?number={OPEN}",
    "/property?parcel=nowhere", "/property", "/notice?parcel=nowhere&for=appeal", "/notice?for=appeal&hearing=2027-01-12", "/notice?parcel=1&parcel=2&for=x",
    f"{LIST}&add=nowhere&add_why=x", f"{LIST}&add={PREMISES}&add_why=x", f"{LIST}&drop=0900-124.00-02.00-002.000&drop_why=x",
    f"{LIST}&apart=0900-124.00-02.00-002.000&apart_why=x", f"{LIST}&application=A9", f"{LIST}&event_kind=x", f"{LIST}&event=soon", f"{LIST}&also=x",
    f"{LIST}&around=x", f"{LIST}&event_file=x", "/packet?name=x", "/packet/mail?name=packets/one", "/packet/compare?name=packets/one&other=x",
    "/screen?ask=yes&top=0", "/screen?ask=yes&from=9", "/at-cap?district=XX", "/permits?district=XX&kind=y", "/log?verify=yes&head=x", "/calendar?month=x",
    "/correct?parcel=nowhere", "/applications/form?draft=x", "/applications/form?draft=abcdefghij&number=A9", "/jobs/x", "/api/property?parcel=x",
    "/api/notice?parcel=x&for=y", "/permits/import?file=x", "/layers", "/permits/import/done?job=x",
]  # fmt: skip
SENT = [
    ("/application/sign-off", {"number": OPEN, "official": "nobody", "word": "approves"}),
    ("/application/sign-off", {"number": OPEN, "official": "Chief of Police", "word": "refuses"}),
    ("/application/sign-off", {"number": OPEN, "official": "Chief of Police", "word": "withdrawn", "note": "x"}),
    ("/application/sign-off", {"number": DENIED, "official": "Chief of Police", "word": "approves"}),
    ("/application/receive", {"number": OPEN, "fee": "much"}), ("/application/receive", {"number": OPEN, "complete": "2020-01-01"}),
    ("/application/receive", {"number": DENIED, "contact": "x"}), ("/application/document", {"number": OPEN, "what": "plan"}),
    ("/application/decide", {"number": OPEN, "to": "denied"}), ("/application/decide", {"number": DENIED, "to": "denied", "reasons": "x"}),
    ("/application/issue", {"number": OPEN, "maximum_attendance": "240"}),
    ("/application/issue", {"number": OPEN, "maximum_attendance": "9000", "override": "x"}), ("/application/issue", {"number": OPEN, "maximum_attendance": "x"}),
    ("/permits/issue", permit(starts="")), ("/permits/issue", permit(parcels="nowhere\n1 2 3")), ("/permits/issue", permit(hours="late")),
    ("/permits/issue", permit(hours="2027-09-09 10:00-12:00")), ("/permits/issue", permit(ends="2027-06-01")), ("/permits/issue", permit(kind="x", owned_by="y")),
    ("/permits/issue", permit(night="")), ("/permits/issue", permit(night="unknown")), ("/permits/issue", permit(persons="", night="no")),
    ("/permits/issue", permit(parcels="0900-127.00-03.00-009.000", night="yes")), ("/permits/issue", permit(distinct_events="3", night="no")),
    ("/permits/issue", permit(distinct_events="0")), ("/permits/issue", permit(night="no", maximum_attendance="90")), ("/permits/issue", permit(kind="parade", parcels="")),
    ("/permits/issue", permit(owned_by="religious", kind="yard_sale", night="no")),
    *[("/permit/change", change(how, **more)) for how in ("amend", "correct") for more in (
        {}, {"starts": "2026-09-01"}, {"starts": "2027-09-01", "filed": "2026-11-30"}, {"ends": "2026-07-01"}, {"parcels": "nowhere"}, {"hours": "late"},
        {"hours": "2031-01-01 10:00-11:00"}, {"persons": "9000"}, {"persons": "9000", "maximum_attendance": "10"}, {"yard_sale_days": "x"}, {"filed": "2030-01-01"},
        {"owned_by": "x"}, {"night": "no", "hours": "14:00-23:30"},
    )],
    ("/permit/status", {"number": PERMIT, "to": "reinstate", "reason": "x"}), ("/permit/status", {"number": PERMIT, "to": "void"}),
    ("/permit/status", {"number": "1", "to": "void", "reason": "x"}),
    ("/applications/file", {"draft": "abcdefghij", "event.title": "A fair"}),
    ("/applications/file", {"draft": "abcdefghij", "event.title": "A fair", "event.starts": "2027-06-05", "applicant.name": "x", "premises.parcels": "nowhere"}),
    ("/applications/check", {"event.kind": "x", "premises.parcels": PREMISES, "event.starts": "2027-06-05", "event.ends": "2027-06-01"}),
    ("/applications/check", {"event.kind": "parade", "event.starts": "2027-06-05", "event.persons_at_once": "90"}),
    ("/applications/check", {"event.kind": "festival", "premises.parcels": PREMISES, "event.starts": "2027-06-05"}),
    ("/packet/mail/sent", {"name": "packets/one", "what": "mailed", "mailed_day": "2030-01-01"}), ("/packet/mail/sent", {"name": "packets/one", "what": "mailed", "mailed_day": "2026-11-30", "numbers": "999"}),
    ("/packet/mail/card", {"name": "packets/one", "which": "1", "outcome": "delivered", "card_day": "2026-11-30"}), ("/packet/mail/affidavit", {"name": "packets/one", "kind": "mailing"}),
    ("/packet/mail/affidavit", {"name": "packets/one", "kind": "posting", "posted": "2030-01-01", "deponent": "x"}), ("/packet/mail/invoice", {"name": "packets/one", "paper": "x"}),
    ("/packet/mail/second", {"name": "packets/one", "number": "1"}), ("/packet/mail/second", {"name": "packets/one", "number": "999", "address": "x"}),
    ("/packet/mail/clear", {"name": "packets/one", "number": "1"}), ("/packet/mail/address", {"name": "packets/one", "number": "1"}), ("/packet/supplement", {"name": "packets/one"}),
    ("/correct", {"parcel": PREMISES, "back": "/"}), ("/notice/packet", {"parcel": PREMISES, "for": "appeal", "sheet": "x"}), ("/notice/person", {"parcel": PREMISES, "person_name": "=x"}),
    ("/permits/import/write", {"file": "x"}), ("/users", {"name": "x", "role": "viewer", "log_name": "", "password": "short", "again": "x"}),
]  # fmt: skip


def of_the_terminal(answer, asked):
    """Return what a page says in the words of the command line."""
    assert answer.status_code != 500, (asked, words_of(answer.text))  # an error that nobody foresaw
    text = words_of(answer.text.partition("<main")[2] or answer.text)
    return [(asked, text[max(0, found.start() - 80) : found.end() + 40]) for found in OF_THE_TERMINAL.finditer(text)]


def assert_of_the_desk(answer, asked):
    assert not of_the_terminal(answer, asked)


def test_no_page_names_an_option_or_a_command(desk):
    refused, named = 0, []
    for place in ASKED:
        answer = desk.get(place)
        refused += answer.status_code >= 400
        named += of_the_terminal(answer, place)
    token = token_of(desk.get("/who").text)
    for place, fields in SENT:
        seen = {}
        if place == "/permit/change":
            page = desk.get(place, params={"number": PERMIT, "how": fields["how"]}).text
            seen["seen"] = re.search(r'name="seen" value="([^"]*)"', page)[1]
        answer = desk.post(place, data={"token": token, **seen, **fields})
        refused += answer.status_code >= 400
        named += of_the_terminal(answer, (place, fields))
    assert not named
    assert refused > 70, "most of these are faults"


@pytest.mark.parametrize(
    "content",
    [
        b"Nr,What,Where\r\n7,festival,0900-123.00-01.00-002.000\r\n", b"number,kind,parcels,applicant,starts\r\n1,festival,1-2-3,x,soon\r\n", b"\x00",
        b"number,kind,parcels,applicant,starts,issued\r\n" + b"".join(b"%d,party,51.00-1-%d,x,2025-05-0%d,3/4/25\r\n" % (n, n, n) for n in range(1, 9)),
        b"number,kind,parcels,applicant,starts,status\r\nSE-2026-003,party,0900-127.00-03.00-009.000,x,2026-07-03,never issued\r\n",
    ],
)  # fmt: skip
def test_no_import_of_permits_does(desk, content):
    token = token_of(desk.get("/who").text)
    answer = desk.post("/permits/import", data={"token": token}, files={"file": ("permits.csv", content)})
    assert_of_the_desk(desk.get(answer.headers["location"]), content)
    key = re.search(r"file=([0-9a-f]+)", answer.headers["location"])[1]
    answer = desk.post("/permits/import/write", data={"token": token, "file": key})
    assert_of_the_desk(desk.get(answer.headers["location"]), content)


def test_no_page_of_a_town_that_is_out_of_order_does(desk, tmp_path):
    town = copied(desk.desk.place.parent, tmp_path / "southampton")
    with desk_at(town) as client:
        sit_down(client)
        with sqlite3.connect(town / "permits.sqlite") as register:
            register.execute("UPDATE permits SET persons = 'many' WHERE id = 1")
        register.close()
        for place in ("/permits", "/log?verify=yes", "/at-cap"):
            assert_of_the_desk(client.get(place), place)
        (town / "permits.sqlite").write_bytes(b"no register")
        assert_of_the_desk(client.get("/permits"), "no register")
        (town / "corrections.csv").write_text("parcel,what\n1,2\n")
        (town / "town.toml").write_text((town / "town.toml").read_text() + "\n[nothing]\nx = 1\n")
        assert_of_the_desk(client.get(LIST), "a faulty town file")
        shutil.copy(desk.desk.place, town / "town.toml")
        for store in town.glob("*store*"):
            store.unlink()
        for place in ("/", LIST, "/layers", "/permits"):
            assert_of_the_desk(client.get(place), place)


def test_a_fault_keeps_its_option_and_its_command_for_the_terminal():
    fault = Fault(what="'x' is no amount", key="--fee", remedy="write it in digits", command="give --fee 150")
    assert str(fault) == "--fee: 'x' is no amount. Give --fee 150."
    assert str(plain(fault)) == "'x' is no amount. Write it in digits."
    assert list(shown_faults([fault])["links"].values()) == ["fee"]
