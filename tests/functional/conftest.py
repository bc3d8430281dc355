"""A browser for the tests that look at a map, where there is one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import CHROMIUM, FLAGS, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the maps are not tried in a browser")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: the maps are not tried in a browser")
    with driver.sync_playwright() as playing:
        started = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def opened(browser: "Browser", tmp_path: Path) -> Iterator[Callable[[bytes], Opened]]:
    made: list[Opened] = []

    def open_(html: bytes) -> Opened:
        file = tmp_path / f"map{len(made)}.html"
        file.write_bytes(html)
        made.append(Opened(browser, file))
        return made[-1]

    yield open_
    for one in made:
        one.page.close()
