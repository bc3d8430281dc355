"""A map opened in a real browser, for the tests that look at one."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run")

PAYLOADS = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "`${window.pwned=1}`",
    "{{ 7 * 191 }}",
    "'\"><svg onload=window.pwned=1>",
)


class Opened:
    """A map opened from disk, with everything it asked for and everything it complained of."""

    def __init__(self, browser: "Browser", file: Path) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1300, "height": 900})
        self.page.set_default_timeout(8000)
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
        name = re.compile(rf"^\W*\d?\s*{re.escape(title)}[\d,\s]*$")
        self.page.locator(".leaflet-control-layers-overlays label").filter(has_text=name).locator("input").click()


def without_policy(html: bytes) -> bytes:
    """Give the page without its content security policy: the words must be inert by themselves."""
    bare, n = re.subn(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", html)
    assert n == 1
    return bare
