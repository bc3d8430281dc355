"""The desk in a real browser: from an address to a downloaded packet, by mouse and by keyboard; and nothing that axe-core calls serious."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing import AXE, CHROMIUM, WIDTHS, Watched, next_page, serious, settle, without_names
from program import _ENVIRONMENT, run

pytestmark = pytest.mark.browser

PREMISES = "0900-123.00-01.00-002.000"
LIST = f"/notice?parcel={PREMISES}&for=appeal&hearing=2027-01-12"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--disable-background-networking", "--no-first-run")


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    place = shutil.copytree(southampton, tmp_path_factory.mktemp("desk") / "southampton")
    run(
        "notice",
        place,
        PREMISES,
        "--for",
        "appeal",
        "--hearing",
        "2027-01-12",
        "--no-letters",
        "--out",
        place / "packets" / "first",
    )
    return place


@pytest.fixture(scope="module")
def served(town):
    """Start the desk as a user does, and return its address and how many seconds of the processor it took until it told it."""
    command = [sys.executable, "-W", "error", "-m", "geonotice", "serve", str(town), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=_ENVIRONMENT) as started:
        found = re.search(r"http://127\.0\.0\.1:\d+", started.stderr.readline())
        assert found, "the desk prints its address"
        yield found[0], processor_s(started.pid)
        started.send_signal(signal.SIGINT)
        said = started.communicate(timeout=30)[1]
    assert "The desk is closed." in said
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def plain_browser(playing):
    """Start a browser without a graphics card, as on a remote desktop."""
    started = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
    yield started
    started.close()


@pytest.fixture
def page(plain_browser, served):
    address, _ = served
    context = plain_browser.new_context(base_url=address, viewport={"width": 1300, "height": 900}, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    watched = Watched(opened)
    yield opened
    watched.assert_quiet(address)
    context.close()


@pytest.fixture(scope="module")
def tab(plain_browser, served):
    """Open a page for the tests that look and change nothing, each without what the one before had: a page that begins anew takes three times as long."""
    context = plain_browser.new_context(base_url=served[0])
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    yield opened
    context.close()


@pytest.fixture
def looked_at(tab, served):
    tab.context.clear_cookies()
    watched = Watched(tab)
    yield tab
    watched.assert_quiet(served[0])
    watched.end()


def give_name(page, name):
    """Answer the form that asks who is at the desk, and be on the page that it leads to."""
    page.get_by_label("Your name").fill(name)
    with next_page(page):
        page.keyboard.press("Enter")


def test_from_an_address_to_a_packet_whose_record_is_the_commands(page, town, tmp_path):
    page.goto("/notice")
    page.keyboard.type("75 meadow")  # the field has the focus
    with next_page(page):
        page.locator("#find-hits button").first.click()
    page.get_by_label("Day of the hearing").fill("2027-01-12")
    page.get_by_label("hearing on an appeal").check()
    with next_page(page):
        page.get_by_role("button", name="Show the list").last.click()
    assert page.locator("tr[data-parcel]").count() == 6
    page.get_by_label(re.compile("^Take 0900-123.00-01.00-001.000 off")).click()
    page.keyboard.type("asked to be left out")  # the reason has the focus
    with next_page(page):
        page.keyboard.press("Enter")
    give_name(page, "R. Clerk")
    assert page.get_by_text("by R. Clerk").first.is_visible()
    assert page.locator("tr[data-parcel]").count() == 5
    for box in page.locator("input[name=read]").all():
        box.check()
    with next_page(page):
        page.get_by_role("button", name="Make the packet").click()
    with page.expect_download(timeout=120_000) as got:
        page.locator("#download").click(timeout=110_000)
    file = tmp_path / "packet.zip"
    got.value.save_as(file)
    out = tmp_path / "packet"
    run(
        "notice", town, PREMISES, "--for", "appeal", "--hearing", "2027-01-12", "--drop", "0900-123.00-01.00-001.000=asked to be left out",
        "--by", "R. Clerk", "--out", out,
    )  # fmt: skip
    with zipfile.ZipFile(file) as archive:
        (record,) = [name for name in archive.namelist() if name.endswith("/record.json")]
        assert archive.read(record) == (out / "record.json").read_bytes()


def test_a_lot_that_is_clicked_is_marked_and_offered_and_becomes_the_premises(page):
    page.goto("/")
    settle(page)
    box = page.locator("#map").bounding_box()
    spot = (box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    around = {"x": spot[0] - 2, "y": spot[1] - 2, "width": 4, "height": 4}
    before = page.screenshot(clip=around)
    page.mouse.click(*spot)
    page.locator("#card h2 a").wait_for()
    number = page.locator("#card h2").inner_text()
    assert page.locator("#map").get_attribute("data-chosen") == number
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    assert page.screenshot(clip=around) != before, "the lot is painted as chosen"
    page.mouse.click(spot[0] + 200, spot[1] + 200)
    page.wait_for_function("number => document.getElementById('map').dataset.chosen !== number", arg=number)
    assert page.screenshot(clip=around) == before, "and the one before is not any more"
    page.mouse.click(*spot)
    page.wait_for_function("number => document.querySelector('#card h2').innerText === number", arg=number)
    assert "Nothing is sent or written until you make the packet there." in page.locator("#card").inner_text()
    with next_page(page):
        page.get_by_role("link", name="Notify the neighbors of this lot").click()
    assert "/notice?parcel=" in page.url
    assert page.locator(".picked li").count() >= 1
    page.locator("#map").scroll_into_view_if_needed()
    settle(page)
    box = page.locator("#map").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("button", name="It is among the premises").wait_for()


def test_the_keyboard_alone_goes_from_the_search_to_a_property(page):
    page.goto("/")
    page.get_by_label("Search", exact=True).focus()
    page.keyboard.type("900-123-1-2")
    page.wait_for_selector("#all-hits a")
    page.keyboard.press("ArrowDown")
    with next_page(page):
        page.keyboard.press("Enter")
    assert "/property?parcel=" in page.url
    assert page.get_by_role("heading", level=1).inner_text() == "75 Meadow St"


class Scanning:
    """The mail page of a packet of a hearing of its own, with a cursor in its first article number."""

    def __init__(self, page, town, hearing):
        self.page = page
        self.link = f"/packet/mail?name=packets/{hearing}"
        record = json.loads((town / "packets" / "first" / "record.json").read_bytes())
        folder = town / "packets" / hearing
        folder.mkdir()
        record["settings"]["hearing"] = hearing
        (folder / "record.json").write_text(json.dumps(record), encoding="utf-8")
        page.goto(f"/who?next={quote(self.link)}")
        give_name(page, "R. Clerk")
        self.cursor(1)

    def cursor(self, number):
        self.page.locator(f"[data-article='{number}']").focus()

    def scan(self, digits):
        """Scan as a scanner does: the digits, then Enter."""
        self.page.keyboard.type(digits)
        self.page.keyboard.press("Enter")

    def wait_for(self, number, said, *, cursor=None):
        """Wait for the answer at a letter, and where the cursor is to be."""
        self.page.locator(f"#said-{number}", has_text=re.compile(said)).wait_for()
        if cursor:
            self.page.wait_for_selector(f"[data-article='{cursor}']:focus")

    def numbers(self, count):
        fields = [self.page.locator(f"[data-article='{number}']") for number in range(1, count + 1)]
        return [field.input_value() for field in fields]


def test_scanned_numbers_go_from_letter_to_letter_and_a_doubtful_one_is_scanned_again(page, town):
    mail = Scanning(page, town, "2027-01-13")
    mail.scan("9407100000000000000005")
    mail.wait_for(1, "should be 9.*Not saved", cursor=1)
    mail.scan("9407100000000000000009")  # over the marked one
    mail.wait_for(1, "^Saved", cursor=2)
    assert mail.numbers(2) == ["9407 1000 0000 0000 0000 09", ""]


def test_what_is_scanned_while_the_desk_still_answers_stands_at_its_own_letter(page, town):
    mail = Scanning(page, town, "2027-01-14")

    def scan_on_and_answer(route):
        if not mail.numbers(2)[1]:
            mail.scan("9407100000000000000025")  # its check digit is wrong
            page.keyboard.type("94071000000")  # half of the third number, when the first two are answered
        route.continue_()

    page.route("**/packet/mail/article", scan_on_and_answer)
    mail.scan("9407100000000000000016")
    mail.wait_for(1, "^Saved")
    mail.wait_for(2, "should be 3", cursor=3)
    mail.scan("00000000030")
    mail.wait_for(3, "^Saved", cursor=4)
    assert mail.numbers(4) == ["9407 1000 0000 0000 0000 16", "9407100000000000000025", "9407 1000 0000 0000 0000 30", ""]
    page.locator("[data-article='2']").click()  # by mouse
    mail.scan("9407100000000000000025")  # over the marked one: taken as it is
    mail.wait_for(2, "^Saved")
    page.reload()
    assert mail.numbers(4) == ["9407 1000 0000 0000 0000 16", "9407 1000 0000 0000 0000 25", "9407 1000 0000 0000 0000 30", ""]


def test_a_number_scanned_while_the_page_still_loads_is_saved_by_itself(page, town):
    mail = Scanning(page, town, "2027-01-15")

    def scan_and_answer(route):
        mail.cursor(1)
        mail.scan("9407100000000000000047")
        mail.wait_for(1, "^Saved", cursor=2)
        route.continue_()

    page.route("**/static/desk/desk.js", scan_and_answer)
    page.goto(mail.link)
    assert mail.numbers(2) == ["9407 1000 0000 0000 0000 47", ""]


def test_a_doubtful_number_is_not_taken_by_going_elsewhere_and_leaving_with_it_asks_first(page, town):
    mail = Scanning(page, town, "2027-01-18")
    mail.scan("9407100000000000000055")
    mail.wait_for(1, "should be 4", cursor=1)
    page.locator("#numbers").click()
    mail.cursor(1)
    mail.cursor(2)
    mail.scan("9407100000000000000061")
    mail.wait_for(2, "^Saved")  # numbers are answered in their order
    assert "should be 4" in page.locator("#said-1").inner_text()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto("/packets")
    assert asked == ["beforeunload"]


def test_a_form_is_saved_at_every_field_and_found_again(page):
    page.goto("/who?next=/notice")
    give_name(page, "A. Planner")
    page.get_by_label("Day of the hearing").fill("2027-01-12")
    page.get_by_label("Time of the hearing").fill("6:30 p.m.")
    page.get_by_label("Place of the hearing").focus()
    page.wait_for_selector("[data-draft-said]:has-text('Saved at')")
    page.goto("/notice")
    with next_page(page):
        page.locator("#drafts-title + ul a").click()
    assert page.get_by_label("Time of the hearing").input_value() == "6:30 p.m."


def test_a_property_prints_without_the_desk_round_it(page):
    page.goto(f"/property?parcel={PREMISES}")
    page.emulate_media(media="print")
    assert not page.locator("header.top").is_visible()
    assert not page.locator("#map").is_visible()
    assert page.get_by_text("Dandridge Daniel P").is_visible()


@pytest.mark.parametrize("size", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize(
    "link",
    [
        "/",
        "/notice",
        LIST,
        f"/property?parcel={PREMISES}",
        "/permits?year=2026",
        "/who",
        "/search?q=meadow",
        "/screen?ask=yes&where=acres+%3E+3&top=5",
        "/layers",
        "/users",
        "/packets",
        "/packet/compare?name=packets/first",
        "/packet/mail?name=packets/first",
        f"/correct?parcel={PREMISES}",
    ],
)
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_screen(looked_at, link, size):
    page = looked_at
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(link)
    settle(page)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    session = page.context.new_cdp_session(page)
    session.send(
        "Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")}
    )  # past the policy, which lets no such script in
    assert serious(page) == []
    assert without_names(page) == []


def processor_s(process: int) -> float:
    """Return the processor's time of a process, which other programs on the machine leave nearly as it is; 0 where the system does not tell it."""
    file = Path(f"/proc/{process}/stat")
    if not file.is_file():
        return 0.0
    fields = file.read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_it_is_ready_in_two_seconds(served):
    _, seconds = served
    assert seconds < 2, seconds
