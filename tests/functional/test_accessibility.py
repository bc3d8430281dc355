"""The maps for those who cannot see them or use no mouse: axe-core finds nothing serious, on the screen of a desk and of a phone."""

import hashlib
import re

import pytest
from browsing import AXE, VENDOR, WIDTHS, serious, without_names
from map_toys import around, toy, toy_screen, toy_site, toy_year

from geonotice.maps import event_map, notice_map, render, screen_map, site_map

FADED_IN = """() => new Promise((done) => {
  const look = () => { const box = document.querySelector("[role=dialog]"); if (box && getComputedStyle(box).opacity === "1") done(); else requestAnimationFrame(look); };
  look();
})"""
"""While a pop-up fades in, its colors are none that anybody reads."""


def small_targets(page) -> list[str]:
    """List the targets that are less than 24 pixels high or wide; a checkbox is as large as its label, a bar of the year is the slider's."""
    return page.evaluate("""() => [...document.querySelectorAll("a, button, input, summary")]
      .map((one) => [one, (one.type === "checkbox" && one.closest("label") || one).getBoundingClientRect()])
      .filter(([one, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
      .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)""")


def test_axe_is_as_its_package_holds_it() -> None:
    listed = re.findall(r"\| (axe-core/\S+) \| ([0-9a-f]{64}) \|", (VENDOR / "VENDORED.md").read_text(encoding="utf-8"))
    assert len(listed) == 2
    for name, digest in listed:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.browser
@pytest.mark.parametrize("size", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("kind", ["event", "public", "notice", "site", "screen"])
def test_axe_finds_nothing_serious(opened, kind: str, size: tuple[int, int]) -> None:
    made = {
        "event": lambda: event_map(toy_year(), around()),
        "public": lambda: event_map(toy_year(), around(), public=True),
        "notice": lambda: notice_map(toy(), around()),
        "site": lambda: site_map(toy_site(), around()),
        "screen": lambda: screen_map(toy_screen(), around()),
    }[kind]()
    there = opened(render(made))
    page = there.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert serious(page) == []
    assert without_names(page) == []
    assert small_targets(page) == []
    if kind == "screen":
        page.locator("#candidates tbody tr").first.click()
        page.evaluate(FADED_IN)
        assert serious(page) == []
        assert without_names(page) == []
        assert small_targets(page) == []
    elif kind != "site":
        page.locator("#search").fill("main")
        page.locator("#hits button").first.click()
        page.evaluate(FADED_IN)
        assert serious(page) == []
        assert without_names(page) == []
        assert small_targets(page) == []
    there.assert_quiet()
