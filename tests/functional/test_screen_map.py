"""The map of a screen, opened in a browser: table and lots lead to each other, what is unknown is told apart, and no word runs."""

import re

import pytest
from browsing import PAYLOADS, Opened, without_policy
from map_toys import around, toy_screen
from program import exit_code, run_here

from geonotice.maps import render, screen_map


def page_of(words: str = "MAIN ST") -> bytes:
    return render(screen_map(toy_screen(words), around()))


def ids(there: Opened) -> list[str]:
    return there.page.locator("#candidates tbody tr td:nth-child(2) button").all_inner_texts()


def popup(there: Opened) -> str:
    return there.page.locator(".leaflet-popup-content").last.inner_text()


def test_the_same_answer_makes_the_same_bytes_with_a_policy() -> None:
    assert page_of() == page_of()
    assert page_of().count(b"Content-Security-Policy") == 1


def test_the_legend_tells_what_passes_from_what_does_not() -> None:
    html = page_of().decode()
    for title in (
        "Passes; what it is ranked by is unknown (?)",
        "Unknown whether it passes (?)",
        "Something speaks against it at all",
        "Does not pass",
    ):
        assert re.search(rf"{re.escape(title)} <span class=\"n\">\(1\)", html), title
    assert "pieces_hearing: 3 <" in html
    assert "pieces_hearing: 12 <" in html


@pytest.mark.browser
class TestInTheBrowser:
    def test_a_row_shows_its_lot_and_a_lot_its_row(self, opened) -> None:
        there = opened(page_of())
        page = there.page
        page.locator("[data-lots='6']").wait_for()
        assert ids(there) == ["12.1-1-1", "12.1-1-2", "12.1-1-3"]
        page.locator("#candidates tbody tr").nth(1).click()
        assert popup(there).split()[:2] == ["12.1-1-2", "Passes"]
        page.keyboard.press("Escape")
        box = page.locator(".folium-map").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        chosen = page.locator("#candidates tr.chosen td:nth-child(2) button").inner_text()
        assert popup(there).startswith(chosen)
        there.assert_quiet()

    def test_the_undecided_are_listed_apart(self, opened) -> None:
        there = opened(page_of())
        there.page.locator("[data-lots]").wait_for()
        there.page.locator("#which").select_option("unknown")
        assert ids(there) == ["12.1-1-4"]
        there.page.locator("#candidates tbody tr").click()
        assert "Unknown whether it passes (?)" in popup(there)
        assert re.search(r"left\s*\?", popup(there))
        there.page.locator("#which").select_option("no")
        assert ids(there) == ["12.1-1-5", "12.1-1-6"]

    def test_sorted_by_a_column_the_unknown_stays_last(self, opened) -> None:
        there = opened(page_of())
        there.page.locator("[data-lots]").wait_for()
        letters = there.page.locator("#candidates th button", has_text="pieces_hearing")
        letters.click()
        assert ids(there) == ["12.1-1-1", "12.1-1-2", "12.1-1-3"]
        letters.click()
        assert ids(there) == ["12.1-1-2", "12.1-1-1", "12.1-1-3"]
        assert there.page.locator("#candidates th[aria-sort=descending]").inner_text().startswith("pieces_hearing")

    def test_what_is_typed_narrows_the_table(self, opened) -> None:
        there = opened(page_of())
        there.page.locator("[data-lots]").wait_for()
        there.page.locator("#filter").fill("main 12.1-1-2")
        assert ids(there) == ["12.1-1-2"]
        assert there.page.locator("#said").inner_text() == "1 candidate."

    @pytest.mark.parametrize("words", PAYLOADS)
    def test_words_are_only_words(self, opened, words: str) -> None:
        there = opened(without_policy(page_of(words)))
        there.page.locator("[data-lots]").wait_for()
        there.page.locator("#which").select_option("all")
        there.page.locator("#candidates tbody tr").nth(5).click()
        assert words in popup(there)
        there.assert_quiet()


def test_the_program_writes_it_with_the_question_and_no_owner(italy, tmp_path) -> None:
    asked = ("screen", italy, "--persons", "801", "--where", "acres >= 3 and excluded == ''", "--on", "2026-11-30")
    run_here(*asked, "--out", tmp_path / "where.html")
    html = (tmp_path / "where.html").read_text(encoding="utf-8")
    assert "--persons 801 --where &quot;acres &gt;= 3 and excluded == &#x27;&#x27;&quot; --on 2026-11-30" in html
    assert "places to consider" in html
    assert "Not looked at: slope" in html
    assert "For the office only" not in html
    assert exit_code(*asked, "--out", tmp_path / "where.docx") == 2
