"""The maps in a real browser: what is shown, found and toggled; that no request leaves and no owner's name runs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from map_toys import around, toy

from geonotice.webmap import notice_map, render

pytest.importorskip("playwright", reason="playwright is not installed: the maps are not tried in a browser")
from playwright.sync_api import Browser, Page, sync_playwright  # after the skip

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run")

pytestmark = pytest.mark.browser

PAYLOADS = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "`${window.pwned=1}`",
    "{{ 7 * 191 }}",
    "'\"><svg onload=window.pwned=1>",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: the maps are not tried in a browser")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield started
        started.close()


class Opened:
    """A map opened from disk, with everything it asked for and everything it complained of."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1300, "height": 900})
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.route("**/*", self._note)
        self.page.goto(file.as_uri())
        self.page.wait_for_selector(".leaflet-control-layers-overlays label")

    def _note(self, route, request) -> None:
        self.asked.append(request.url)
        if request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            route.abort()

    def assert_quiet(self) -> None:
        """No error, no script from data, and nothing asked for but the file."""
        assert self.errors == []
        assert self.page.evaluate("typeof window.pwned") == "undefined"
        assert all(url.startswith(("file:", "data:")) for url in self.asked), self.asked

    def toggle(self, title: str) -> None:
        self.page.locator(".leaflet-control-layers-overlays label", has_text=title).locator("input").click()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[object]:
    made: list[Opened] = []

    def open_(html: bytes) -> Opened:
        file = tmp_path / f"map{len(made)}.html"
        file.write_bytes(html)
        made.append(Opened(browser, file))
        return made[-1]

    yield open_
    for one in made:
        one.page.close()


def without_policy(html: bytes) -> bytes:
    """Give the page without its content security policy: the words must be inert by themselves."""
    bare, n = re.subn(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", html)
    assert n == 1
    return bare


class TestNoticeMap:
    def test_draws_every_parcel_and_asks_for_nothing(self, opened) -> None:
        there = opened(render(notice_map(toy(), around())))
        # five parcels, ring, shared run, sign, another line, two districts, a boundary, a street
        assert there.page.locator(".leaflet-map-pane path.leaflet-interactive, .leaflet-map-pane path").count() == 13
        assert there.page.locator(".mark .premises").inner_text() == "Premises"
        there.assert_quiet()

    @pytest.mark.parametrize("guarded", [True, False], ids=["with the policy", "without the policy"])
    def test_no_owner_runs_on_load_hover_click_or_search(self, opened, guarded: bool) -> None:  # noqa: FBT001  # a case, not a flag
        words = tuple(PAYLOADS)
        html = render(notice_map(toy(words), around(words[0])))
        there = opened(html if guarded else without_policy(html))
        page = there.page
        page.locator("#search").fill("onerror")
        hit = page.locator("#hits button").first
        assert PAYLOADS[0] in hit.inner_text()
        hit.click()
        popup = page.locator(".leaflet-popup-content")
        for payload in PAYLOADS:
            assert payload in popup.inner_text(), "shown as it is written"
        page.locator(".leaflet-popup-close-button").click()
        popup.wait_for(state="detached")
        page.locator("#whole").click()
        for shape in page.locator(".leaflet-notified-pane path").all():
            shape.hover()
            page.wait_for_timeout(30)
        assert page.locator(".leaflet-tooltip").last.inner_text().startswith("12.1-2-8")
        page.locator(".leaflet-ways-pane path").first.click(force=True)
        page.wait_for_timeout(50)
        there.assert_quiet()

    def test_layers_toggle_and_their_labels_with_them(self, opened) -> None:
        there = opened(render(notice_map(toy(), around())))
        near = there.page.locator(".leaflet-near-pane path")
        assert near.count() == 1
        there.toggle("Near miss")
        assert near.count() == 0
        there.toggle("Near miss")
        assert near.count() == 1
        assert there.page.locator(".mark .street").count() == 1
        there.toggle("Streets")
        assert there.page.locator(".mark .street").count() == 0
        there.assert_quiet()

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("12.1-2-8", ["12.1-2-8"]),
            ("12128", ["12.1-2-8"]),
            ("main st", ["12.1-1-1"]),
            ("LOE BO", ["12.1-2-8"]),
            ("bo loe", ["12.1-2-8"]),
            ("doe jané", ["12.1-1-2"]),
            ("nobody", []),
        ],
    )
    def test_search_finds_by_number_address_and_owner(self, opened, query: str, found: list[str]) -> None:
        there = opened(render(notice_map(toy())))
        there.page.locator("#search").fill(query)
        hits = there.page.locator("#hits button").all_inner_texts()
        assert [hit.splitlines()[0] for hit in hits] == found
        if not found:
            assert there.page.locator("#said").inner_text() == "Nothing found."
        there.assert_quiet()

    def test_a_row_of_the_list_opens_its_parcel_even_when_its_layer_is_off(self, opened) -> None:
        there = opened(render(notice_map(toy())))
        there.toggle("directly opposite")
        there.page.locator("#rows button", has_text="12.1-2-1").click()
        popup = there.page.locator(".leaflet-popup-content")
        assert popup.locator("h3").inner_text() == "12.1-2-1"
        assert "60.00 ft" in popup.inner_text()
        assert "FOE ANN" in popup.inner_text()
        there.assert_quiet()

    def test_scale_is_in_feet(self, opened) -> None:
        there = opened(render(notice_map(toy())))
        assert re.fullmatch(r"[125]0*(,000)* ft", there.page.locator(".scale span").inner_text())

    def test_the_public_map_finds_no_owner(self, opened) -> None:
        there = opened(render(notice_map(toy(), around(), public=True)))
        there.page.locator("#search").fill("POE PETER")
        assert there.page.locator("#said").inner_text() == "Nothing found."
        there.page.locator("#search").fill("1 main")
        there.page.locator("#hits button").click()
        assert there.page.locator(".leaflet-popup-content").inner_text().split() == [
            "12.1-1-1",
            "Premises",
            "Address",
            "1",
            "MAIN",
            "ST",
        ]
        there.assert_quiet()

    def test_prints_the_map_on_one_sheet_and_the_list_on_the_next(self, opened, tmp_path: Path) -> None:
        import pdfplumber

        there = opened(render(notice_map(toy(), around())))
        there.page.pdf(path=str(tmp_path / "map.pdf"), prefer_css_page_size=True, print_background=True)
        with pdfplumber.open(tmp_path / "map.pdf") as printed:
            assert len(printed.pages) == 2
            first, second = (page.extract_text() for page in printed.pages)
            assert (printed.pages[0].width, printed.pages[0].height) == (792, 612)
        assert "Hearing on 20 October 2026" in " ".join(first.split())
        assert "Premises" in first
        assert "12.1-2-8" in second
        assert "The parcel layer ends 300 ft to the north" in second
        there.assert_quiet()
