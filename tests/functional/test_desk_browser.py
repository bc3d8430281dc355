"""The desk in a real browser: from an address to a downloaded packet, by mouse and by keyboard; and nothing that axe-core calls serious."""

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from browsing import AXE, CHROMIUM, WIDTHS, serious, without_names
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
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    assert complaints == []
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    context.close()


def test_from_an_address_to_a_packet_whose_record_is_the_commands(page, town, tmp_path):
    page.goto("/notice")
    page.keyboard.type("75 meadow")  # the field has the focus
    page.locator("#find-hits button").first.click()
    page.get_by_label("Day of the hearing").fill("2027-01-12")
    page.get_by_label("hearing on an appeal").check()
    page.get_by_role("button", name="Show the list").last.click()
    assert page.locator("tr[data-parcel]").count() == 6
    page.get_by_label(re.compile("^Take 0900-123.00-01.00-001.000 off")).click()
    page.keyboard.type("asked to be left out")  # the reason has the focus
    page.keyboard.press("Enter")
    page.get_by_label("Your name").fill("R. Clerk")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=by R. Clerk")
    assert page.locator("tr[data-parcel]").count() == 5
    for box in page.locator("input[name=read]").all():
        box.check()
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


def test_a_lot_that_is_clicked_is_offered_and_becomes_the_premises(page):
    page.goto("/")
    page.wait_for_timeout(1500)
    box = page.locator("#map").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    page.locator("#card [data-pick]").click()
    assert "/notice?parcel=" in page.url
    assert page.locator(".picked li").count() >= 1


def test_the_keyboard_alone_goes_from_the_search_to_a_property(page):
    page.goto("/")
    page.get_by_label("Search", exact=True).focus()
    page.keyboard.type("900-123-1-2")
    page.wait_for_selector("#all-hits a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/property?parcel=*")
    assert page.get_by_role("heading", level=1).inner_text() == "75 Meadow St"


def test_scanned_numbers_go_from_letter_to_letter_and_a_doubtful_one_is_scanned_again(page):
    page.goto("/who?next=/packet/mail%3Fname=packets/first")
    page.get_by_label("Your name").fill("R. Clerk")
    page.keyboard.press("Enter")
    page.locator("[data-article='1']").focus()
    page.keyboard.type("9407100000000000000005")  # a scanner types the digits, then Enter
    page.keyboard.press("Enter")
    page.wait_for_selector("#said-1:has-text('should be 9')")
    page.keyboard.type("9407100000000000000009")  # over the marked one
    page.keyboard.press("Enter")
    page.wait_for_selector("#said-1:has-text('Saved.')")
    page.wait_for_selector("[data-article='2']:focus")
    assert page.locator("[data-article='1']").input_value() == "9407 1000 0000 0000 0000 09"


def test_a_form_is_saved_at_every_field_and_found_again(page):
    page.goto("/who?next=/notice")
    page.get_by_label("Your name").fill("A. Planner")
    page.keyboard.press("Enter")
    page.get_by_label("Day of the hearing").fill("2027-01-12")
    page.get_by_label("Time of the hearing").fill("6:30 p.m.")
    page.get_by_label("Place of the hearing").focus()
    page.wait_for_selector("[data-draft-said]:has-text('Saved at')")
    page.goto("/notice")
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
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_screen(page, link, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(link)
    page.wait_for_timeout(600)
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
