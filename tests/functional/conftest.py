"""A browser for the tests that look at a map, where there is one; with all fonts of the machine, or with one family alone."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import CHROMIUM, FLAGS, FONTS, Opened, font_environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


@pytest.fixture(scope="module")
def playing() -> "Iterator[Playwright]":
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the maps are not tried in a browser")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: the maps are not tried in a browser")
    with driver.sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playing: "Playwright", tmp_path_factory) -> "Iterator[Browser]":
    """Start a browser; GEONOTICE_TEST_FONTS names a folder of fonts that it has, in place of the machine's."""
    folder = os.environ.get("GEONOTICE_TEST_FONTS")
    environment = font_environment(Path(folder), tmp_path_factory.mktemp("fonts")) if folder else None
    started = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS), env=environment)
    yield started
    started.close()


@pytest.fixture(scope="module", params=sorted(FONTS))
def browser_of_one_family(request, playing: "Playwright", tmp_path_factory) -> "Iterator[tuple[Browser, str]]":
    """Start a browser that has one family of fonts; skip where the machine lacks it."""
    folder = FONTS[request.param]
    if not folder.is_dir():
        pytest.skip(f"the fonts {request.param} are not in {folder}")
    environment = font_environment(folder, tmp_path_factory.mktemp("fonts"))
    started = playing.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS), env=environment)
    yield started, request.param
    started.close()


def _opener(browser: "Browser", folder: Path) -> Iterator[Callable[[bytes], Opened]]:
    made: list[Opened] = []

    def open_(html: bytes) -> Opened:
        file = folder / f"map{len(made)}.html"
        file.write_bytes(html)
        made.append(Opened(browser, file))
        return made[-1]

    yield open_
    for one in made:
        one.close()


@pytest.fixture
def opened(browser: "Browser", tmp_path: Path) -> Iterator[Callable[[bytes], Opened]]:
    yield from _opener(browser, tmp_path)


@pytest.fixture
def opened_with_one_family(
    browser_of_one_family: "tuple[Browser, str]", tmp_path: Path
) -> Iterator[tuple[Callable[[bytes], Opened], str]]:
    started, family = browser_of_one_family
    for open_ in _opener(started, tmp_path):
        yield open_, family
