"""Past permits brought in at the desk: columns, preview, import, answers; and spreadsheets that are none."""

import io
import re
import time
import zipfile

import pytest
from browsing import PAYLOADS
from desk_toys import TODAY, copied, desk_at, sit_down, token_of

from geonotice.register.permits import list_permits
from geonotice.register.session import open_register_of
from geonotice.web import import_wizard

LOT = "0900-123.00-01.00-002.000"
GOOD = f"number,kind,parcels,applicant,charitable,issued,starts,night,status\r\nP-1,festival,{LOT},Bay Keepers,yes,2025-05-01,2025-07-04,no,issued\r\n"
ASKS = (
    GOOD
    + f"P-2,festival,0900-999.00-01.00-001.000,Nobody's Lot,no,2025-05-01,2025-07-05,no,issued\r\nP-3,party,{LOT},Late Owl,no,2025-05-01,someday,no,issued\r\n"
)
UNREAD = f"Nr,What,Where,Who,Mystery,Given,When\r\n7,festival,{LOT},Bay Keepers,yes,2025-05-01,2025-07-04\r\n8,party,{LOT},Late Owl,no,2025-05-02,2025-07-05\r\n"


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    return copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")


@pytest.fixture
def desk(town, tmp_path):
    with desk_at(copied(town, tmp_path / "southampton")) as client:
        sit_down(client)
        yield client


def send(desk, path, files=None, **fields):
    return desk.post(path, data={"token": token_of(desk.get("/who").text), **fields}, files=files)


def hand_in(desk, content, name="permits.csv"):
    """Hand a file in, and return the page that shows what is understood of it."""
    answer = send(desk, "/permits/import", files={"file": (name, content.encode() if isinstance(content, str) else content)})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def written(desk, **fields):
    """Take a file in, and return the page that tells what came of it."""
    answer = send(desk, "/permits/import/write", **fields)
    assert answer.status_code == 303, answer.text
    return desk.get(answer.headers["location"])


def key_of(link):
    return re.search(r"file=([0-9a-f]+)", link)[1]


def numbers(desk):
    with open_register_of(desk.desk.place) as register:
        return {one.number for one in list_permits(register)}


def test_a_file_is_seen_before_it_is_taken_in(desk):
    before = numbers(desk)
    link = hand_in(desk, GOOD)
    page = desk.get(link)
    assert page.status_code == 200
    assert "1 taken in" in page.text
    assert "Import 1 permit" in page.text
    assert numbers(desk) == before
    done = written(desk, file=key_of(link))
    assert "1 permit taken into the register" in done.text
    assert numbers(desk) == before | {"P-1"}
    again = written(desk, file=key_of(link))
    assert "1 there already" in again.text


def test_rows_that_ask_are_answered_on_the_page(desk):
    link = hand_in(desk, ASKS)
    assert "to be answered" in desk.get(link).text
    done = written(desk, file=key_of(link)).text
    assert "P-3" in done
    form = done.partition('action="/permits/import/fix"')[2].partition("</form>")[0]
    heading = re.findall(r'name="column" value="([^"]*)"', form)
    cells = re.findall(r'name="cell" value="([^"]*)"', form)
    questions = re.findall(r'name="question" value="([^"]*)"', form)
    assert len(cells) == len(heading) * len(questions)
    fixed = ["2025-07-06" if cell == "someday" else LOT if cell.startswith("0900-999") else cell for cell in cells]
    answer = send(desk, "/permits/import/fix", column=heading, cell=fixed, question=questions, name="permits.questions.csv")
    assert answer.status_code == 303
    assert "to be answered" not in desk.get(answer.headers["location"]).text
    written(desk, file=key_of(answer.headers["location"]))
    assert {"P-1", "P-2", "P-3"} <= numbers(desk)


def test_the_questions_are_handed_over_as_a_file(desk):
    done = written(desk, file=key_of(hand_in(desk, ASKS))).text
    link = re.search(r'href="(/permits/import/questions\?file=[0-9a-f]+)"', done)[1]
    answer = desk.get(link)
    assert "attachment" in answer.headers["content-disposition"]
    assert b"question" in answer.content
    assert b"P-3" in answer.content


def test_columns_that_are_not_understood_are_assigned_on_the_page(desk):
    link = hand_in(desk, UNREAD)
    page = desk.get(link)
    assert page.status_code == 400
    headings = re.findall(r'name="heading" value="([^"]+)"', page.text)
    assert {"Where", "When"} <= set(headings)
    fields = {
        "Nr": "number",
        "What": "kind",
        "Where": "parcels",
        "Who": "applicant",
        "Mystery": "charitable",
        "Given": "issued",
        "When": "starts",
    }
    read = desk.get(
        "/permits/import", params={"file": key_of(link), "heading": headings, "field": [fields[one] for one in headings]}
    )
    assert read.status_code == 200, read.text
    assert "Bay Keepers" in read.text
    assert 'name="field" value="applicant"' in read.text


def test_a_corrected_file_is_offered_as_corrections(desk):
    written(desk, file=key_of(hand_in(desk, GOOD)))
    link = hand_in(desk, GOOD.replace("Bay Keepers", "Bay Keepers Trust"))
    page = desk.get(link).text
    assert "the register has Bay Keepers, the file Bay Keepers Trust" in page
    assert "were not taken" in written(desk, file=key_of(link)).text
    assert "1 corrected" in written(desk, file=key_of(link), correct="yes").text


def bomb() -> bytes:
    """Return a workbook of 0.6 MB that unpacks to 600 MB."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(600):
                sheet.write(b"0" * 1024 * 1024)
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("permits.xlsx", b"PK\x03\x04 not a workbook"), ("permits.xlsx", b"\x00" * 1000), ("permits.csv", b"\xff\xfe\x00\x00"), ("permits.csv", b"\x00\x01\x02"),
        ("permits.csv", "one\r\n"), ("permits.gpkg", b"SQLite format 3\x00" + b"\x00" * 100), ("permits.csv", '"' * 10_000),
    ],
)  # fmt: skip
def test_what_is_no_list_of_permits_is_told_and_nothing_is_written(desk, name, content):
    before = numbers(desk)
    answer = desk.get(hand_in(desk, content, name))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "Traceback" not in answer.text
    assert numbers(desk) == before


def test_a_workbook_that_unpacks_without_end_is_refused(desk):
    answer = desk.get(hand_in(desk, bomb(), "permits.xlsx"))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    ("name", "content"), [("permits.exe", b"x"), ("permits.csv.html", b"x"), ("", b""), ("permits.csv", b"")]
)
def test_another_sort_of_file_is_refused(desk, name, content):
    answer = send(desk, "/permits/import", files={"file": (name, content)})
    assert answer.status_code == 400
    assert '<a href="#file">' in answer.text


@pytest.mark.parametrize("name", ["../../permits.csv", "..\\..\\town.toml.csv", "/etc/x.csv"])
def test_a_name_is_no_path(desk, name):
    before = sorted(path.name for path in desk.desk.place.parent.iterdir())
    hand_in(desk, GOOD, name)
    assert {path.name for path in desk.desk.place.parent.iterdir()} - set(before) <= {"desk"}


@pytest.mark.parametrize("key", ["../../town.toml", "x", "0" * 32, "", "%2e%2e"])
def test_a_key_that_is_none_is_told(desk, key):
    assert desk.get("/permits/import/questions", params={"file": key}).status_code == 400
    assert written(desk, file=key).status_code == 400


def test_markup_stays_words(desk):
    for text in PAYLOADS:
        row = text.replace('"', "'").replace(",", " ")
        link = hand_in(desk, f"{GOOD}P-9,{row},{LOT},{row},yes,2025-05-01,{row},no,issued\r\n", f"{row}.csv")
        for page in (desk.get(link).text, written(desk, file=key_of(link)).text):
            assert "<img" not in page
            assert "<svg" not in page
            assert "window.pwned=1</script>" not in page


def test_each_form_needs_its_token(desk):
    for path in ("/permits/import", "/permits/import/write", "/permits/import/fix"):
        assert desk.post(path, data={"file": "x"}).status_code == 403
    assert send(desk, "/permits/import/fix", column=["a", "b"], cell=["1"], question=["x"]).status_code == 400
    assert str(TODAY.year) in desk.get("/permits").text


def test_a_long_file_is_read_and_taken_in_beside_the_requests(desk, monkeypatch):
    monkeypatch.setattr(import_wizard, "_AT_ONCE_SECONDS", 0)
    head, row = GOOD.splitlines()
    link = hand_in(desk, "\r\n".join([head, *(row.replace("P-1", f"P-{n}") for n in range(250))]))

    def ended(page):
        """Follow the page that tells how far it is to the one that tells what came of it."""
        said, until = set(), time.monotonic() + 60
        while (found := re.search(r'hx-get="(/jobs/[^"]+/wait)"', page)) and time.monotonic() < until:
            answer = desk.get(found[1], headers={"hx-request": "true"})
            said.add(re.search(r"<p>([^<]*)</p>", answer.text)[1])
            page = desk.get(answer.headers["hx-redirect"]).text if "hx-redirect" in answer.headers else answer.text
        return page, said

    page, said = ended(desk.get(link).text)
    assert "Import 250 permits" in page
    assert any(one.endswith("of 250 rows are read") or "It " in one or "All rows" in one for one in said)
    before = len(numbers(desk))
    answer = send(desk, "/permits/import/write", file=key_of(link))
    page, _ = ended(desk.get(answer.headers["location"]).text)
    assert "250 permits taken into the register" in page
    assert len(numbers(desk)) == before + 250
    # Loaded again, the page tells the same, and nothing is taken twice.
    assert "250 permits taken into the register" in desk.get(answer.headers["location"]).text
