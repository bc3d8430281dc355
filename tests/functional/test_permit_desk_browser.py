"""The permit desk in real browsers: an application drawn, signed off, issued and amended; the last permit under the cap; keyboard, no scripts, axe-core."""

import re
from contextlib import contextmanager
from datetime import date, datetime, time

import pytest
from browsing import AXE, CHROMIUM, WIDTHS, Watched, next_page, serious, settle, without_names
from desk_toys import TODAY, copied, desk_served

from geonotice.opened_town import open_store
from geonotice.register.applications import Writer, list_applications, show_application
from geonotice.register.permits import list_permits, show
from geonotice.register.session import open_register_of, open_town_register
from geonotice.workflow.application import Options
from geonotice.workflow.applications import Filing, event_of, file_application, officials_of, sign_off
from geonotice.workflow.permit_request import Issuing, PermitRequestOptions, read_request
from geonotice.workflow.permits import issue_permit

pytestmark = pytest.mark.browser

LOT = "0900-127.00-01.00-009.000"
PLAIN = ("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--disable-background-networking", "--no-first-run")
OTHER = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WRITER = Writer(by="Town Clerk", now=datetime.combine(TODAY, time(9)).astimezone())


@pytest.fixture(scope="module")
def town(southampton, root, tmp_path_factory):
    """Return the demonstration town with three applications, two of them signed off for the one permit that is left on their lot."""
    town = copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")
    event = root / "data" / "southampton" / "events" / "allowed.toml"
    with open_store(town) as opened, open_town_register(opened.town) as register:
        for _ in range(2):
            asked = read_request(
                opened, PermitRequestOptions(parcels=(LOT,), given=Options(starts=date(2026, 12, 12), night=False))
            )
            issue_permit(opened, register, asked, Issuing(now=WRITER.now, by="Marshal", issued=TODAY))
        for _ in range(2):
            filed, _ = file_application(opened, register, Filing(event=event), on=TODAY, writer=WRITER)
            for official in officials_of(opened.profile, event_of(filed).event):
                sign_off(opened, register, filed.number, official, note="", on=TODAY, writer=WRITER)
        refused = root / "data" / "southampton" / "events" / "refused.toml"
        file_application(opened, register, Filing(event=refused), on=TODAY, writer=WRITER)
    return town


@pytest.fixture(scope="module")
def address(town):
    with desk_served(town) as found:
        yield found


@pytest.fixture(scope="module")
def plain_browser(playing):
    """Start a browser without a graphics card, as on a remote desktop."""
    started = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(PLAIN))
    yield started
    started.close()


@contextmanager
def sitting(browser, address, name="R. Clerk", **options):
    """Sit down at the desk in a browser of one's own; nothing may be complained of, and nothing asked of anybody else."""
    context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 900}, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    watched = Watched(page)
    page.goto("/who")
    page.get_by_label("Your name").fill(name)
    with next_page(page):
        page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("text=For the log")
    yield page
    watched.assert_quiet(address, refused="400")
    context.close()


def test_the_last_permit_under_the_cap_is_issued_once_in_two_browsers(plain_browser, playing, address, town):
    other = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(OTHER))
    with sitting(plain_browser, address, "Ann") as one, sitting(other, address, "Bob") as two:
        for page, number in ((one, "A2026-0001"), (two, "A2026-0002")):
            page.goto(f"/application/issue?number={number}")
            assert page.get_by_text("2 of 3 used").is_visible()
            with next_page(page):
                page.get_by_role("button", name="Look at it before it is issued").click()
            page.wait_for_selector("text=Check this before the permit is issued")
        for page in (one, two):  # neither waits for the other
            page.evaluate(
                "setTimeout(() => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Issue the permit').click(), 0)"
            )
        for page in (one, two):
            page.wait_for_selector(".done, #faults")
        assert sorted(page.locator(".done").count() for page in (one, two)) == [0, 1]
        (refused,) = [page.locator("main").inner_text() for page in (one, two) if not page.locator(".done").count()]
        assert "3 of 3 permits issued in 2026" in refused
        assert "The first day on which a permit could be issued" in refused
    other.close()
    with open_register_of(town) as register:
        assert sum(LOT in one.parcels for one in list_permits(register, year=2026)) == 3
        assert sorted(one.status for one in list_applications(register))[:2] == ["approved", "open"]


def test_an_application_is_drawn_signed_off_issued_and_amended(plain_browser, address, town):
    with sitting(plain_browser, address) as page:
        page.goto("/applications/new")
        with next_page(page):
            page.get_by_role("link", name="An empty form").click()
        page.get_by_label("What is the event called?").fill("Harvest fair")
        page.get_by_label("What kind of event is it?").select_option("festival")
        page.get_by_label("Tax map number, address or owner").press_sequentially("75 meadow")
        with next_page(page):
            page.locator("#find-hits button").first.click()
        page.get_by_role("button", name=re.compile("^Take 0900-123")).wait_for()
        page.locator("#drawing").wait_for()
        draw(page)
        fill(page)
        page.wait_for_selector("text=Saved at")
        page.wait_for_selector("#findings li:has-text('stage:')")
        page.reload()
        page.locator("#drawn li").nth(1).wait_for()
        assert page.get_by_label("What is the event called?").input_value() == "Harvest fair"
        with next_page(page):
            page.get_by_role("button", name="File the application").click()
        page.wait_for_selector("text=is filed")
        number = re.search(r"number=(A2026-\d+)", page.url)[1]
        for _ in range(4):
            page.get_by_label("Signed by (name)").fill("Lt. Hale")
            with next_page(page):
                page.locator("form[action='/application/sign-off'] button").click()
            page.wait_for_selector("text=has the official's word")
        with next_page(page):
            page.get_by_role("link", name="Issue the permit").click()
        page.get_by_label("Conditions").fill("No amplified sound after 9 p.m.")
        page.get_by_label(re.compile("An official's reason")).fill("Resolution 2026-118")
        with next_page(page):
            page.keyboard.press("Control+Enter")
        page.wait_for_selector("text=Check this before the permit is issued")
        with next_page(page):
            page.get_by_role("button", name="Issue the permit").click()
        page.wait_for_selector(".done h1")
        assert page.evaluate("document.activeElement.textContent").endswith("is issued")
        permit = re.search(r"number=([\w-]+)", page.url)[1]
        amend(page)
        page.emulate_media(media="print")
        assert not page.locator("header.top").is_visible()
        assert not page.locator(".tabs").is_visible()
    with open_register_of(town) as register:
        found, log = show(register, permit)
        filed, _ = show_application(register, number)
    assert (found.persons, found.conditions) == (150, "No amplified sound after 9 p.m.")
    assert [one.action for one in log] == ["issue_override", log[1].action]
    assert log[1].action.startswith("amend")
    assert filed.event["premises"]["layout"] == "layout.gpkg"


def amend(page):
    """Amend the permit on the page: fewer persons, looked at before it is written."""
    with next_page(page):
        page.get_by_role("link", name="Amend: the event changes").click()
    page.get_by_label("Persons expected").fill("150")
    page.get_by_label(re.compile("^Reason")).fill("fewer come")
    with next_page(page):
        page.get_by_role("button", name="Look at it before it is written").click()
    page.wait_for_selector("text=persons: was 200, is 150")
    if not page.get_by_role("button", name="Amend the permit").count():
        page.get_by_label(re.compile("An official's reason")).fill("as before")
        with next_page(page):
            page.get_by_role("button", name="Look at it before it is written").click()
    with next_page(page):
        page.get_by_role("button", name="Amend the permit").click()
    page.wait_for_selector("text=is amended")


def draw(page):
    """Draw a stage with the mouse, and add parking by its size with the keyboard alone."""
    box = page.locator("#map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.get_by_role("button", name="Rectangle").click()
    page.mouse.click(x - 15, y - 10)
    page.mouse.move(x + 5, y + 5)
    page.mouse.click(x + 15, y + 10)
    page.locator("#drawn li").first.wait_for()
    page.locator("#draw-what").fill("parking")
    page.get_by_text("By its size, without the mouse").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Width, ft").fill("40")
    page.get_by_label("Depth, ft").fill("20")
    page.get_by_role("button", name="Put it on the map").focus()
    page.keyboard.press("Enter")
    before = page.locator("[id='premises.layout']").input_value()
    page.get_by_role("button", name="Move parking by").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator("[id='premises.layout']").input_value() != before
    assert page.locator("#drawn li").count() == 2


def fill(page):
    page.locator("[id='event.starts']").fill("2027-06-19")
    page.locator("[id='event.starts.time']").fill("12:00")
    page.locator("[id='event.ends']").fill("2027-06-19")
    page.locator("[id='event.ends.time']").fill("18:00")
    page.locator("#event\\.night").get_by_label("No", exact=True).check()
    page.get_by_label("How many persons will attend in all?").fill("200")
    page.get_by_label("Who applies?").fill("Bay Keepers Trust")


def test_leaving_with_something_typed_asks_first(plain_browser, address):
    with sitting(plain_browser, address) as page:
        asked: list[str] = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.goto("/application?number=A2026-0003")
        page.get_by_label("In the official's words").press_sequentially("no officers that day")
        page.goto("/permits")
        assert asked == ["beforeunload"]
        page.goto("/applications")
        assert asked == ["beforeunload"]


def test_without_scripts_a_form_is_filled_in_checked_and_filed(plain_browser, address):
    with sitting(plain_browser, address, java_script_enabled=False) as page:
        page.goto("/applications/new")
        with next_page(page):
            page.get_by_role("link", name="An empty form").click()
        page.get_by_label("What is the event called?").fill("A plain picnic")
        page.get_by_label("What kind of event is it?").select_option("picnic")
        page.get_by_label("Tax map number, address or owner").fill("75 Meadow St")
        page.locator("[id='event.starts']").fill("2027-06-20")
        with next_page(page):
            page.get_by_role("button", name="Save and look").click()
        assert "0900-123.00-01.00-002.000" in page.locator("#lots").inner_text()
        assert "open" in page.locator("#findings").inner_text()
        with next_page(page):
            page.get_by_role("button", name="File the application").click()
        assert "nobody applies" in page.locator("#faults").inner_text().lower()
        page.get_by_label("Who applies?").fill("J. Moore")
        with next_page(page):
            page.get_by_role("button", name="File the application").click()
        assert "is filed" in page.locator("main").inner_text()


PAGES = (
    "/applications", "/application?number=A2026-0003", "/application/issue?number=A2026-0003", "/applications/new",
    f"/applications/form?draft=for-axe-core&parcel={LOT}", "/permits?year=2026", "/permits?from=x", "/permit?number=SE-2026-023",
    "/permit?number=SE-2026-023&done=issued", "/permit/change?number=SE-2026-023&how=correct", "/permit/status?number=SE-2026-023&to=void", "/calendar?month=2026-12",
    "/at-cap?year=2026", "/permits/import", "/permits/issue", "/log?verify=yes", "/backup",
)  # fmt: skip


def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_screen(plain_browser, address, root):
    with sitting(plain_browser, address) as page:
        page.goto("/permits/import")
        page.get_by_label(re.compile("The town's list of permits")).set_input_files(root / "data" / "southampton" / "permits.csv")
        with next_page(page):
            page.get_by_role("button", name="Look at it").click()
        page.wait_for_selector("text=What is understood of")
        found = []
        for link in (*PAGES, page.url.removeprefix(address)):
            page.goto(link)
            settle(page)
            session = page.context.new_cdp_session(page)
            # past the policy, which lets no such script in
            session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
            for name, (width, height) in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                wide = page.evaluate("document.documentElement.scrollWidth")
                found += [f"{link} {name}: {wide} wide"] if wide > width else []
                found += [f"{link} {name}: {one}" for one in serious(page)] if name != "tablet" else []
            found += [f"{link}: no name: {one}" for one in without_names(page)]
        assert found == []
