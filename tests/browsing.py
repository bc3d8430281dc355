"""Maps and pages of the desk in a real browser, for the tests that look at one."""

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run")

FONTS = {
    "DejaVu Sans": Path("/usr/share/fonts/truetype/dejavu"),
    "Liberation Sans": Path("/usr/share/fonts/truetype/liberation"),
}
"""Families that a machine may have alone, and where Debian puts them: one that runs wide, one as wide as Arial."""

_FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir><include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>
"""
"""The machine's own rules stay (which font stands for ``sans-serif``), its folders do not."""

VENDOR = Path(__file__).parent / "vendor"
AXE = VENDOR / "axe-core" / "axe.min.js"

PAYLOADS = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "`${window.pwned=1}`",
    "{{ 7 * 191 }}",
    "'\"><svg onload=window.pwned=1>",
)


def font_environment(folder: Path, work: Path) -> dict[str, str]:
    """Make the environment of a program that finds the fonts of one folder and no other (fontconfig); ``work`` is for its settings.

    An empty folder would be silently taken for all fonts, so it is refused.
    """
    if not any(folder.glob("*.[to]tf")):
        message = f"no fonts are in {folder}"
        raise FileNotFoundError(message)
    settings = work / "fonts.conf"
    settings.write_text(_FONTS_CONF.format(folder=folder, cache=work / "cache"), encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(settings)}


LABEL_BOXES = """() => [...document.querySelectorAll(".mark span")].map((mark) => {
    const { left, top, right, bottom } = mark.getBoundingClientRect();
    return { text: mark.innerText.replace(/\\s/g, ""), kind: mark.className, turned: mark.style.transform.includes("rotate"), left, top, right, bottom };
})"""


def overlapping(marks: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """List the labels that stand on one another by more than a pixel, as :data:`LABEL_BOXES` gives them.

    Labels along a street are turned; the upright boxes round them are larger than they are, and are left out.
    """
    upright = [mark for mark in marks if not mark["turned"]]
    return [
        (one["text"], other["text"])
        for n, one in enumerate(upright)
        for other in upright[:n]
        if one["left"] <= other["right"] - 1
        and other["left"] <= one["right"] - 1
        and one["top"] <= other["bottom"] - 1
        and other["top"] <= one["bottom"] - 1
    ]


class Watched:
    """What a page complained of, and what it asked for."""

    def __init__(self, page: "Page") -> None:
        self.errors: list[str] = []
        self.asked: list[str] = []
        self._page = page
        self._heard: dict[str, Callable[[Any], None]] = {
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": lambda message: self.errors.append(message.text) if message.type == "error" else None,
            "request": lambda request: self.asked.append(request.url),
        }
        for event, hear in self._heard.items():
            page.on(event, hear)

    def end(self) -> None:
        """Listen to the page no more."""
        for event, hear in self._heard.items():
            self._page.remove_listener(event, hear)

    def assert_quiet(self, *addresses: str, refused: str = "") -> None:
        """No error, and nothing asked of anybody else. What is refused on purpose has the code ``refused``."""
        # What a page that is left had asked for is called off, which htmx tells.
        expected = ("htmx:", refused) if refused else ("htmx:",)
        assert [text for text in self.errors if not any(words in text for words in expected)] == []
        assert [url for url in self.asked if not url.startswith((*addresses, "data:", "blob:"))] == []


_IDLE: "WeakKeyDictionary[Browser, list[Page]]" = WeakKeyDictionary()
"""Pages of each browser that a test is done with."""


class Opened:
    """A map opened from disk, with everything it asked for and everything it complained of."""

    def __init__(self, browser: "Browser", file: Path) -> None:
        self._closed = False
        self._idle = _IDLE.setdefault(browser, [])
        self.page: Page = self._idle.pop() if self._idle else browser.new_page()
        self.page.set_viewport_size({"width": 1300, "height": 900})
        self.page.set_default_timeout(8000)
        self.watched = Watched(self.page)
        self.page.route("**/*", self._stay_on_disk)
        self.page.goto(file.as_uri())
        self.page.wait_for_selector(".leaflet-control-layers-overlays label")

    def close(self) -> None:
        """Leave the page to the next map: one that begins anew takes three times the time of the processor."""
        if self._closed:
            return
        self._closed = True
        self.watched.end()
        self.page.unroute_all()
        self.page.mouse.move(0, 0)
        self._idle.append(self.page)

    def _stay_on_disk(self, route, request) -> None:
        if request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            route.abort()

    def assert_quiet(self) -> None:
        """No error, no script from data, and nothing asked for but the file."""
        self.watched.assert_quiet("file:")
        assert self.page.evaluate("typeof window.pwned") == "undefined"

    def fonts_used(self, selector: str) -> set[str]:
        """Return the families that an element's text is drawn with."""
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.send("DOM.enable")
        devtools.send("CSS.enable")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        return {font["familyName"] for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}

    def labels(self) -> list[dict[str, Any]]:
        """Return the labels on the map with their boxes."""
        found: list[dict[str, Any]] = self.page.evaluate(LABEL_BOXES)
        return found

    def toggle(self, title: str) -> None:
        name = re.compile(rf"^\W*\d?\s*{re.escape(title)}[\d,\s]*$")
        self.page.locator(".leaflet-control-layers-overlays label").filter(has_text=name).locator("input").click()


@contextmanager
def next_page(page: "Page") -> "Iterator[None]":
    """Go on when what is done within has brought the next page and its scripts listen: with the load event, which deferred scripts precede.

    A click or a key that sends a form returns before: what is typed or counted then meets the page that is left, or half of the new one.
    """
    with page.expect_navigation(wait_until="load"):
        yield


def settle(page: "Page") -> None:
    """Wait until a page of the desk has its map, where it has one, and every answer that it asked for by itself."""
    for waited_for in ("#map:not([data-lots])", ".htmx-request"):
        page.locator(waited_for).first.wait_for(state="detached")


def without_policy(html: bytes) -> bytes:
    """Return the page without its content security policy: the words must be inert by themselves."""
    bare, n = re.subn(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", html)
    assert n == 1
    return bare


WIDTHS = {"desk": (1300, 900), "tablet": (820, 1100), "phone": (390, 800)}


def serious(page) -> list[str]:
    """List what axe-core calls serious or critical, with the elements."""
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {[node['html'][:120] + node['failureSummary'][:160] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def without_names(page) -> list[str]:
    """List the elements that the keyboard reaches and that a screen reader has no name for."""
    return page.evaluate("""() => [...document.querySelectorAll("a, button, input, summary, [tabindex]")]
      .filter((one) => one.tabIndex >= 0 && one.getClientRects().length)
      .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.title || (one.labels && one.labels.length) || one.querySelector("[aria-label]")))
      .map((one) => one.outerHTML.slice(0, 120))""")
